"""`ssop tune`: which policies of the copy engine suit this machine better than the ones it has.

Each question has a few candidates, records that replace some policies, and works, copies that they change. All
candidates do every work in interleaved rounds, as contenders do in `ssop bench`. One is adopted if it is faster beyond
the spread of the rounds; the next question starts from there. In the end everything that was adopted stands against
the machine's own policies once more, on all works.
"""

from __future__ import annotations

import json
import math
import os
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

import ssop
from ssop import _core, _policies
from ssop._files import read_text
from ssop._whole_files import check_folder, write_whole
from ssop.testing.bench.call import Call
from ssop.testing.bench.measuring import Interval, interval, mean_interval, measure, pace
from ssop.testing.bench.work import PAGE, Array, placed

Record: TypeAlias = dict[str, int]

MIN_GAIN = 1.02
"""A candidate is adopted if its lower quartile is above this, and in no work its median below MIN_WORK."""
MIN_WORK = 0.95

OWN = "own"


class Copy(NamedTuple):
    """One copy of `source` into an output of its shape."""

    name: str
    source: Callable[[], Array]
    nbytes: int
    """The bytes of the result, about."""

    def call(self, record: Record) -> Call:
        """Return the copy under a record of policies."""
        source = self.source()
        out = placed(source.shape, source.dtype, PAGE // 2)
        out[...] = 0
        return Call(partial(ssop.copyto, out, source), prepare=partial(_core.use_policies, record))


class Question(NamedTuple):
    """Which of these records is best for these copies?"""

    name: str
    candidates: list[Record]
    copies: list[Copy]
    threads: int = 1


class Answer(NamedTuple):
    """The best candidate of a question against what was in use before."""

    question: Question
    record: Record
    gain: Interval
    """How many times faster, over all copies."""
    adopted: bool


class Tuning(NamedTuple):
    """What was found: `record` is what suits the machine better, by `gain` over all copies."""

    answers: list[Answer]
    record: Record
    gain: Interval


def built_in() -> Record:
    """Return the policies of this machine without a tuned file; those in use stay in use."""
    before = _used()
    try:
        _core.use_policies({})
        return _used()
    finally:
        _core.use_policies(before)


def _used() -> Record:
    return {policy.name: policy.value for policy in _policies.policies()}


def _array(shape: Sequence[int], dtype: str) -> Array:
    return np.ones(shape, dtype)


def _whole(nbytes: int) -> Copy:
    return Copy(f"copy {nbytes >> 10} KiB", lambda: _array((nbytes,), "u1"), nbytes)


def _rows(row: int, pitch: int, nbytes: int) -> Copy:
    def source() -> Array:
        return _array((nbytes // row, pitch), "u1")[:, :row]

    return Copy(f"rows {row} of {pitch}, {nbytes >> 10} KiB", source, nbytes)


def _strided(step: int, nbytes: int) -> Copy:
    def source() -> Array:
        return _array((nbytes // 4 * abs(step),), "f4")[::step]

    return Copy(f"::{step}, {nbytes} B", source, nbytes)


def _transposed(item: str, side: int) -> Copy:
    nbytes = side * side * np.dtype(item).itemsize
    return Copy(f"transposed {item} {side}", lambda: _array((side, side), item).T, nbytes)


def _reversed(item: str, rank: int, least: int) -> Copy:
    """From C to F order, with axes of the same length, so that the result has at least so many bytes."""
    itemsize = np.dtype(item).itemsize
    side = math.ceil((least / itemsize) ** (1 / rank))
    shape = (side,) * rank
    return Copy(f"reversed axes {item} {side}, rank {rank}", lambda: _array(shape, item).T, side**rank * itemsize)


def questions(last_cache: int, threads: int) -> list[Question]:
    """Return what is asked of a machine with a last-level cache of so many bytes."""
    part = [last_cache // 8, last_cache // 4, last_cache // 2, last_cache, 2 * last_cache]
    large = [_whole(nbytes) for nbytes in part] + [_strided(-1, nbytes) for nbytes in part[1:4]]
    sides = [int((nbytes // 4) ** 0.5) // 8 * 8 + 4 for nbytes in part[:4]]
    planes = [_transposed("f4", side) for side in sides] + [
        _transposed("u1", 2 * sides[2]),
        _transposed("f8", sides[1]),
    ]
    small_planes = [_transposed(item, side) for item, side in (("u1", 362), ("f4", 181), ("f4", 256), ("f8", 127))]
    many_axes = [_reversed(item, rank, part[1]) for item, rank in (("f4", 5), ("f4", 6), ("f8", 6), ("u2", 5))]
    gaps = [_rows(64, 128, part[3]), _rows(512, 1024, part[3]), _rows(4096, 6144, part[3])]
    steps = [_strided(step, nbytes) for step in (2, 3, -2) for nbytes in part[1:4]]
    long_rows = [_rows(row, 2 * row, nbytes) for row in (4096, 65536) for nbytes in (part[0] // 8, part[0], part[2])]
    small = [_strided(step, 4 * items) for step in (2, -1, 3) for items in (32, 64, 128, 256, 512, 1024)]
    asked = [
        Question(
            "non-temporal stores, prefetch for writing",
            [{"stream_bytes": nbytes} for nbytes in (0, part[1], part[3])]
            + [{"stream_bytes": 0, "prefetchw_bytes": nbytes} for nbytes in (part[0], part[2])],
            large + planes[:4],
        ),
        Question("prefetch", [{"prefetch_bytes": nbytes} for nbytes in (0, part[1], part[3])], gaps + steps + planes),
        Question(
            "how far ahead, rows",
            [{"row_prefetch_distance": far} for far in (1024, 2048, 8192)],
            [*gaps, _whole(part[3])],
        ),
        Question("how far ahead, items", [{"span_prefetch_distance": far} for far in (2048, 4096, 8192)], steps),
        Question("prefetch into the L1 or L2 cache", [{"l2_prefetch": level} for level in (0, 1)], gaps + planes),
        Question(
            "rep movsb",
            [
                {"rep_movsb_row_bytes": 0},
                {"rep_movsb_row_bytes": 4096, "rep_movsb_bytes": part[2]},
                {"rep_movsb_row_bytes": 4096, "rep_movsb_bytes": part[4]},
            ],
            long_rows + large[:3],
        ),
        Question("blocks", [{"transpose_block_bytes": nbytes} for nbytes in (128, 256, 1024)], planes),
        Question("strips", [{"strip_bytes": nbytes} for nbytes in (0, 1 << 14)], small_planes),
        Question("tiles of several axes", [{"far_tiles": answer} for answer in (0, 1)], many_axes),
        Question("tables", [{"table_row_items": items} for items in (64, 128, 256, 768)], small),
    ]
    if threads > 1:
        sizes = [1 << power for power in range(18, 23)]
        shared = [_whole(nbytes) for nbytes in sizes] + [_strided(2, nbytes) for nbytes in sizes]
        shares = [{"share_bytes": 1 << power, "share_rows_bytes": 2 << power} for power in (18, 20, 21)]
        asked.append(Question("threads", shares, shared, threads))
    return asked


def turns(asked: Sequence[Question], rounds: int) -> int:
    """Return how many turns `tune` takes at most, for a bar."""
    last = 2 * sum(len(question.copies) for question in asked)
    return rounds * (last + sum((len(question.candidates) + 1) * len(question.copies) for question in asked))


def tune(
    asked: Sequence[Question], rounds: int, rng: random.Random, show: Callable[[int], object] = lambda done: None
) -> Tuning:
    """Ask all questions; the policies and the number of threads are as before afterwards, whatever happens."""
    before = _used()
    threads = ssop.get_num_threads()
    bar = _Turns(show)
    try:
        answers: list[Answer] = []
        record: Record = {}
        for question in asked:
            answers.append(_answer(question, record, rounds, rng, bar))
            if answers[-1].adopted:
                record = answers[-1].record
        if not record:
            return Tuning(answers, {}, Interval(1.0, 1.0, 1.0))
        columns = []
        for question in asked:
            times = _times(question, {OWN: {}, "tuned": record}, rounds, rng, bar)
            columns += [_gains(copy, "tuned") for copy in times]
        return Tuning(answers, record, mean_interval(columns))
    finally:
        _core.use_policies(before)
        ssop.set_num_threads(threads)


class _Turns:
    """Counts turns for a bar."""

    def __init__(self, show: Callable[[int], object]) -> None:
        self.show, self.done = show, 0

    def add(self, turns: int) -> None:
        self.done += turns
        self.show(self.done)


def _times(
    question: Question, records: Mapping[str, Record], rounds: int, rng: random.Random, bar: _Turns
) -> list[dict[str, list[float]]]:
    """Return for each copy the times of each record, one per round."""
    ssop.set_num_threads(question.threads)
    found = []
    for copy in question.copies:
        calls = {name: copy.call(record) for name, record in records.items()}
        size = "DRAM" if copy.nbytes >= 1 << 24 else "L3" if copy.nbytes >= 1 << 20 else "L2"
        found.append(measure(calls, rounds, pace(size, quick=True), rng))
        bar.add(rounds * len(calls))
    return found


def _gains(times: Mapping[str, Sequence[float]], name: str) -> list[float]:
    return [own / theirs for own, theirs in zip(times[OWN], times[name], strict=True)]


def _answer(question: Question, record: Record, rounds: int, rng: random.Random, bar: _Turns) -> Answer:
    candidates = {str(at): record | candidate for at, candidate in enumerate(question.candidates)}
    times = _times(question, {OWN: record, **candidates}, rounds, rng, bar)
    gains = {name: [_gains(copy, name) for copy in times] for name in candidates}
    best = max(candidates, key=lambda name: mean_interval(gains[name]).median)
    gain = mean_interval(gains[best])
    worst = min(interval(column).median for column in gains[best])
    return Answer(question, candidates[best], gain, gain.low > MIN_GAIN and worst >= MIN_WORK)


def check(path: Path) -> None:
    """OSError if the tuned file could not be written, ValueError for one that holds something else; nothing is made."""
    path = Path(os.path.abspath(path))
    check_folder(str(next((each for each in (path, *path.parents) if each.parent.exists()), path)))
    if path.is_file():
        _of_others(path)


def _of_others(path: Path) -> list[dict[str, Any]]:
    """The entries of other machines in the tuned file; ValueError for a file of another kind."""
    here = _policies.machine()
    try:
        content = json.loads(read_text(path))
        if content["format"] != _policies.FORMAT:
            raise ValueError(f"its format is {content['format']!r}, not {_policies.FORMAT}")
        return [entry for entry in content["machines"] if entry["machine"] != here]
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: no tuned file, so it is not replaced: {error}") from None


def write(path: Path, record: Record) -> None:
    """Put the policies of this machine into the tuned file; entries of other machines stay as they are.

    The file is written beside its place and then moved there. ValueError if what is there is no tuned file.
    """
    machines = _of_others(path) if path.exists() else []
    machines.append({"machine": _policies.machine(), "policies": record})
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"format": _policies.FORMAT, "machines": machines}, indent=1)
    write_whole(str(path), f"{text}\n".encode())
