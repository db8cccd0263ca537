"""How it is measured: in each round every contender once, and the machine's limit, in an order drawn anew.

What disturbs one contender then disturbs its neighbours as well, and the ratio of two times of one round stands. A turn
is a few short batches of calls of which the fastest counts: a batch that another process interrupted says nothing.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

from ssop.testing.bench.baselines import copy_of, ssop_call
from ssop.testing.bench.call import Call, Rejected
from ssop.testing.bench.contenders import Team, checked_call
from ssop.testing.bench.kind import Case
from ssop.testing.bench.touched import touched
from ssop.testing.bench.work import Work

EMPTY_CALLS = 1000
"""Calls in a batch of the empty function, whose time is subtracted."""


class Pace(NamedTuple):
    """How a contender's turn in a round is made up."""

    warm: int
    """Calls before the clock runs."""
    batches: int
    least: int
    """Calls per batch at least, however long they take."""
    seconds: float
    """How long a batch takes, about."""


def pace(size: str, quick: bool) -> Pace:
    """Return the pace for a size.

    At L3 one call is not enough to wake sleeping workers and to fetch what another contender displaced.
    """
    warm, batches, least = {"L3": (3, 3, 2), "DRAM": (1, 2, 1)}.get(size, (2, 3, 3))
    return Pace(warm, batches, least, 0.0002 if quick else 0.001)


class Interval(NamedTuple):
    """A median between its quartiles."""

    low: float
    median: float
    high: float


def interval(values: Sequence[float]) -> Interval:
    """Return the quartiles, interpolated between the values (as NumPy and most do).

    >>> interval([4, 1, 3, 2])
    Interval(low=1.75, median=2.5, high=3.25)
    """
    if len(values) == 1:
        return Interval(values[0], values[0], values[0])
    return Interval(*statistics.quantiles(values, n=4, method="inclusive"))


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean of positive numbers.

    >>> round(geometric_mean([1, 10, 100]), 9)
    10.0
    """
    logarithms = [math.log(value) for value in values]
    return math.exp(math.fsum(logarithms) / len(logarithms))


def mean_interval(columns: Sequence[Sequence[float]]) -> Interval:
    """Return the interval of the per-round geometric means of some cases, each a sequence of values per round.

    >>> mean_interval([[1, 4, 1], [4, 4, 4]])
    Interval(low=2.0, median=2.0, high=3.0)
    """
    return interval([geometric_mean(row) for row in zip(*columns, strict=False)])


def ratios(times: Mapping[str, Sequence[float]], name: str) -> list[float]:
    """Return per round the time of `name` over that of ssop: how many times faster ssop is.

    >>> ratios({"ssop": [2, 4], "numpy": [6, 8]}, "numpy")
    [3.0, 2.0]
    """
    return [theirs / ours for theirs, ours in zip(times[name], times["ssop"], strict=False)]


LIMITS = ("memcpy", "call")
"""What the limit of a case is made of: memcpy of the bytes that must be touched, and a call that has nothing to do."""

CALL_COUNTS = ("tiny", "L1")
"""Sizes at which the call itself takes a share of the time that counts."""


class Measured(NamedTuple):
    """The times of one case."""

    group: str
    name: str
    size: str
    nbytes: int
    """Moved by one call."""
    times: dict[str, list[float]]
    """Contender -> nanoseconds per call, one number per round."""
    rejected: dict[str, str]
    """Contender -> why it has no times."""
    limits: dict[str, list[float]]
    """Part of the limit -> nanoseconds, one number per round of the same rounds."""
    touched: tuple[int, int]
    """Bytes that must be read and written, in whole cache lines."""

    @property
    def fractions(self) -> list[float]:
        """Per round, which fraction of the machine's limit ssop reached: the time that must be over the time taken."""
        parts = [self.limits[name] for name in LIMITS if name == "memcpy" or self.size in CALL_COUNTS]
        return [sum(row) / ours for *row, ours in zip(*parts, self.times["ssop"], strict=False)]


class WrongBytes(Exception):
    """ssop's own answer is wrong."""


def measure_case(case: Case, team: Team, rounds: int, rng: random.Random, quick: bool = False) -> Measured:
    """Compare the bytes of every contender with NumPy's, then measure all that agree."""
    work = case.work()
    expected = work.expected()
    calls: dict[str, Call] = {}
    rejected: dict[str, str] = {}
    for contender in team.members:
        try:
            calls[contender.name] = checked_call(contender, work, expected)
        except Rejected as reason:
            rejected[contender.name] = str(reason)
    del expected
    if "ssop" not in calls:
        raise WrongBytes(f"WRONG: ssop: {rejected['ssop']}")
    limits = limit_calls(work)
    times = measure({**calls, **limits}, rounds, pace(case.size, quick), rng)
    shares = {part: times.pop(name) for part, name in zip(LIMITS, limits, strict=True)}
    return Measured(case.group, case.name, case.size, work.nbytes, times, rejected, shares, touched(work))


def limit_calls(work: Work) -> dict[str, Call]:
    """Return the calls whose times make up the limit, in the order of LIMITS, by names that no contender has.

    The copy reads one half of all bytes that must be touched, and writes the other half.
    """
    return {
        "limit: memcpy": copy_of(max(1, sum(touched(work)) // 2), max(1, work.keep)),
        "limit: call": ssop_call(work.emptied()),
    }


def measure(calls: Mapping[str, Call], rounds: int, pace: Pace, rng: random.Random) -> dict[str, list[float]]:
    """Return the nanoseconds per call of every contender, one number per round."""
    times: dict[str, list[float]] = {name: [] for name in calls}
    enabled = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        counts = {name: _calibrated(call, pace) for name, call in calls.items()}
        order = list(calls)
        for _ in range(rounds):
            rng.shuffle(order)
            for name in order:
                times[name].append(_turn(calls[name], counts[name], pace))
    finally:
        if enabled:
            gc.enable()
    return times


def _calibrated(call: Call, pace: Pace) -> int:
    """Return the number of calls that fills a batch."""
    if call.prepare is not None:
        call.prepare()
    _batch(call, pace.warm)
    count, spent = 1, _batch(call, 1)
    while spent < pace.seconds * 1e9 / 4 and count < 10**6:
        count *= 4
        spent = _batch(call, count)
    return max(pace.least, math.ceil(pace.seconds * 1e9 * count / max(1, spent)))


def _turn(call: Call, count: int, pace: Pace) -> float:
    """Return the nanoseconds of one call, without the loop and what else is not the work; never below 1."""
    if call.prepare is not None:
        call.prepare()
    _batch(call, pace.warm)
    spent = min(_batch(call, count) for _ in range(pace.batches)) / count
    if spent < 1e6:  # else the rest is lost in the noise
        spent -= min(_loop(call.empty, EMPTY_CALLS) for _ in range(pace.batches)) / EMPTY_CALLS
    return max(1.0, spent)


def _batch(call: Call, count: int) -> int:
    """Return the nanoseconds of `count` calls."""
    if call.between is None:
        return _loop(call.run, count)
    spent = 0
    for _ in range(count):
        spent += _loop(call.run, 1)
        call.between()
    return spent


def _loop(run: Callable[[], Any], count: int) -> int:
    start = time.perf_counter_ns()
    for _ in repeat(None, count):
        run()
    return time.perf_counter_ns() - start
