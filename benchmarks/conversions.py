"""Prints the processor time of `ssop.convert` per call, with its proof, and that of the laws.

    python benchmarks/conversions.py [INDICES]

The calls are plain indices of unknown dims, and calls of each source with bounds that are known at run time.
What isl made of a step is kept: the first call with a step takes longer than the next ones.
"""

import random
import statistics
import sys
import time
from contextlib import suppress
from pathlib import Path

import ssop
from ssop._convert.targets import TARGETS

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from unit.test_convert import draw_index  # noqa: E402
from unit.test_convert_run_time import SOURCES  # noqa: E402


def milliseconds(calls, to):
    """How long each call takes, with those that raise an error."""
    times = []
    for call, shape in calls:
        begin = time.process_time()
        with suppress(ssop.SliceError):  # the time until the error counts, too
            ssop.convert(call, to, shape, check="runtime")
        times.append((time.process_time() - begin) * 1e3)
    return times


def drawn(indices):
    rng = random.Random(0)
    for _ in range(indices):
        rank = rng.randint(1, 3)
        yield draw_index(rng, rank), [None] * rank


def row(to, what, times):
    median, most = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"{to:15} {what:9} {median:6.2f} ms {most:6.1f} ms   {len(times)}")


def main(indices):
    ssop.convert(0, "tf", [None])  # loads islpy
    print(f"{'target':15} {'bounds':9} {'median':>9} {'95 %':>9}   calls")
    for to in TARGETS:
        row(to, "constant", milliseconds(drawn(indices), to))
        shapes = ([(0, 99)], [None], [(2, 2**31 - 2)])
        row(to, "run time", milliseconds([(call, shape) for call in SOURCES.values() for shape in shapes], to))
    laws = ssop.convert.laws
    begin = time.process_time()
    for law in laws.values():
        law.prove()
    print(f"{len(laws)} laws: {time.process_time() - begin:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
