"""Prints the time of `ssop.convert` per call, with its proof, for plain indices of unknown dims; and that of the laws.

    python benchmarks/conversions.py [INDICES]

islpy keeps the relation of each step that it has seen: the first call with a step takes longer than the next ones.
"""

import random
import statistics
import sys
import time
from pathlib import Path

import ssop
from ssop._convert.targets import TARGETS

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from unit.test_convert import draw_index  # noqa: E402


def milliseconds(to, indices):
    """How long each call takes, with those that raise an error."""
    rng = random.Random(0)
    times = []
    for _ in range(indices):
        rank = rng.randint(1, 3)
        index = draw_index(rng, rank)
        begin = time.perf_counter()
        try:
            ssop.convert(index, to, [None] * rank)
        except ssop.SliceError:
            pass  # the time until the error counts, too
        times.append((time.perf_counter() - begin) * 1e3)
    return times


def main(indices):
    ssop.convert(0, "tf", [None])  # loads islpy
    print(f"{'target':15} {'median':>9} {'95 %':>9}   of {indices} indices")
    for to in TARGETS:
        times = milliseconds(to, indices)
        print(f"{to:15} {statistics.median(times):6.2f} ms {statistics.quantiles(times, n=20)[-1]:6.1f} ms")
    laws = ssop.convert.laws
    begin = time.perf_counter()
    for law in laws.values():
        law.prove()
    print(f"{len(laws)} laws: {time.perf_counter() - begin:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
