"""How the time grows: per element from 1 KiB to 4 GiB, with 1 thread to all, and with the rank from 1 to 32.

python benchmarks/growth.py                         two tables
python benchmarks/growth.py --plot growth.svg       and their drawing, which needs matplotlib
python benchmarks/growth.py --most 64MiB --rounds 3

Sizes are those of the result, whose elements have 4 bytes; a size that needs more than four fifths of the free memory
is left out. Times are medians of the rounds, in which all kinds of work take turns.

Sizes: a copy, the first 64 bytes of every 128, every second element, the reversal of all elements, the transposition
of a square, and memcpy beside them. Ranks: 1 MiB in rows of 64 elements. The other axes have length 2 and every second
one is reversed, so that no two of them are one axis in memory. From rank 14 on further axes have length 1. A call whose
result has one element shows what the number of axes costs by itself.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import ssop
from ssop.testing.bench import machine
from ssop.testing.bench.baselines import copy_of
from ssop.testing.bench.call import Call
from ssop.testing.bench.contenders import usable_cpus
from ssop.testing.bench.measuring import Pace, measure, pace
from ssop.testing.bench.work import Array, filled, placed

ITEM = 4
ROW = 64
MAX_RANK = 32
RANK_BYTES = 2**20
UNITS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}

Point = dict[str, float]
"""Kind of work -> nanoseconds per element."""


class Growth(NamedTuple):
    """What was measured."""

    sizes: dict[int, dict[int, Point]]
    """Threads -> bytes of the result -> times."""
    ranks: dict[int, Point]
    """Rank -> times, with one thread."""


def nbytes(text: str) -> int:
    """Bytes of a size such as 64MiB; argparse's error for anything else."""
    unit = UNITS.get(text[-3:])
    if unit is None or not text[:-3].isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no size such as 64MiB")
    return int(text[:-3]) * unit


def shown(size: int) -> str:
    """A size with its unit.

    >>> shown(1024), shown(4 * 2**30)
    ('1 KiB', '4 GiB')
    """
    name, unit = next((name, unit) for name, unit in reversed(UNITS.items()) if size >= unit)
    return f"{size // unit} {name}"


def free_memory() -> int:
    """Bytes that can be had without swapping, or all that can be named where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return sys.maxsize
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable"))


def copies(source: Array, out: Array, size: int) -> dict[str, Call]:
    """The calls of one size; `source` is twice as large as `out`, and `out` at least as large as the size."""
    count = size // ITEM
    side = int(count**0.5)
    views = {
        "copy": source[:count],
        "rows of 64 B": source[: 2 * count].reshape(-1, 32)[:, :16],
        "every second": source[: 2 * count : 2],
        "reversal": source[:count][::-1],
        "transposition": source[: side * side].reshape(side, side).T,
    }
    return {name: _copy(out[: view.size].reshape(view.shape), view) for name, view in views.items()}


def _copy(out: Array, view: Array) -> Call:
    return Call(lambda: ssop.copyto(out, view), lambda _: out)


def of_rank(rank: int) -> tuple[tuple[int, ...], tuple[slice, ...]]:
    """Return a shape of this rank, and a slice that takes all of it and lets no axes join."""
    count = RANK_BYTES // ITEM // ROW
    twos = min(rank - 1, count.bit_length() - 1)
    first = count >> twos if twos else count * ROW
    shape = [first * 2, *[2] * (twos - 1), ROW] if twos else [first]
    shape = [*[1] * (rank - len(shape)), *shape]
    steps = [-1 if (rank - 1 - axis) % 2 else 1 for axis in range(rank)]
    return tuple(shape), tuple(slice(None, None, step) for step in steps)


def rank_calls(rank: int) -> dict[str, Call]:
    """A result of 1 MiB and one of a single element."""
    shape, index = of_rank(rank)
    x = filled(shape, "f4")
    view = x[index]
    one, (begin, end) = x[(slice(0, 1),) * rank], ([0] * rank, [1] * rank)
    single = placed(one.shape, "f4")
    return {
        "1 MiB": _copy(placed(shape, "f4"), view),
        "one element": Call(lambda: ssop.xla.slice(x, begin, end, out=single), lambda _: single),
    }


def medians(calls: dict[str, Call], rounds: int, size: int, elements: dict[str, int]) -> Point:
    """Nanoseconds per element of every call."""
    name = "L1" if size <= 2**16 else "L3" if size <= 2**23 else "DRAM"
    turn = pace(name, quick=True) if size <= 2**26 else Pace(warm=0, batches=1, least=1, seconds=0.0)
    times = measure(calls, rounds, turn, random.Random(size))
    return {name: statistics.median(values) / elements.get(name, size // ITEM) for name, values in times.items()}


def sizes(most: int) -> Iterator[int]:
    """From 1 KiB in steps of four."""
    size = 2**10
    while size <= most:
        yield size
        size *= 4


def run(most: int, rounds: int, threads: int) -> Growth:
    """Measure all sizes with 1 thread to `threads`, and all ranks with one."""
    while most > 2**10 and 3 * most > 0.8 * free_memory():
        most //= 4
    source, out = filled((2 * most // ITEM,), "f4"), placed((most // ITEM,), "f4")
    found: dict[int, dict[int, Point]] = {}
    for count in range(1, threads + 1):
        ssop.set_num_threads(count)
        found[count] = {}
        for size in sizes(most):
            calls = copies(source, out, size)
            if count == 1 and size <= 2**30:  # it has an output of its own
                calls["memcpy"] = copy_of(size)
            found[count][size] = medians(calls, rounds, size, {})
    del source, out
    ssop.set_num_threads(1)
    ranks = {rank: medians(rank_calls(rank), rounds, RANK_BYTES, {"one element": 1}) for rank in range(1, MAX_RANK + 1)}
    return Growth(found, ranks)


def table(title: str, rows: dict[str, Point]) -> list[str]:
    """The lines of a table in Markdown: nanoseconds with three digits."""
    names = list(dict.fromkeys(name for point in rows.values() for name in point))
    lines = [f"| {title} | " + " | ".join(names) + " |", "| :-- |" + " --: |" * len(names)]
    for key, point in rows.items():
        cells = (f"{point[name]:.3g}" if name in point else "-" for name in names)
        lines.append(f"| {key} | " + " | ".join(cells) + " |")
    return lines


def plot(found: Growth, path: Path) -> None:
    """Draw time per element against the size, for the fewest and the most threads, and against the rank."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.7, 10), layout="constrained")
    by_size, by_rank = figure.subplots(2, 1)
    styles = {max(found.sizes): "--", min(found.sizes): "o-"}
    for count, style in styles.items():
        for i, name in enumerate(next(iter(found.sizes[1].values()))):
            points = [(size, point[name]) for size, point in found.sizes[count].items() if name in point]
            if points:
                label = f"{name}, {count} thread{'s' * (count > 1)}"
                by_size.plot(*zip(*points, strict=True), style, color=f"C{i}", label=label)
    by_size.set(xscale="log", yscale="log", xlabel="bytes of the result", ylabel="ns per element of 4 bytes")
    by_size.legend(fontsize="small", ncols=2)
    ranks = list(found.ranks)
    by_rank.plot(ranks, [point["1 MiB"] for point in found.ranks.values()], "o-", label="1 MiB, per element")
    other: Any = by_rank.twinx()
    calls = [point["one element"] for point in found.ranks.values()]
    other.plot(ranks, calls, "x-", color="C1", label="a call for one element (right)")
    by_rank.set(xlabel="rank", ylabel="ns per element", ylim=(0, None))
    other.set(ylabel="ns per call", ylim=(0, None))
    by_rank.legend(loc="upper left", fontsize="small")
    other.legend(loc="lower right", fontsize="small")
    for axes in (by_size, by_rank):
        axes.grid(alpha=0.3)
    figure.savefig(path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=nbytes, default=4 * 2**30, metavar="SIZE", help="largest result (default: 4GiB)")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--threads", type=int, default=usable_cpus(), help="most threads (default: all usable CPUs)")
    parser.add_argument("--plot", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    found = run(arguments.most, arguments.rounds, arguments.threads)
    print(", ".join(f"{name} {text}" for name, text in machine.facts().items()))
    print(f"ns per element of 4 bytes; {arguments.rounds} rounds")
    for count, points in found.sizes.items():
        named = {shown(size): point for size, point in points.items()}
        print("", *table(f"{count} thread{'s' * (count > 1)}", named), sep="\n")
    print("", *table("rank", {str(rank): point for rank, point in found.ranks.items()}), sep="\n")
    if arguments.plot is not None:
        plot(found, arguments.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
