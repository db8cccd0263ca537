"""What inferring a shape costs, in nanoseconds of processor time, and the limit for a spec of rank 4.

python benchmarks/infer_shape.py [--rounds 21] [--check]

The number of a case is its fastest round, so that other work on the machine counts little. With --check, the exit code
is 1 if a call takes more than 3 microseconds.
"""

from __future__ import annotations

import argparse
import sys
import time
import timeit
from collections.abc import Callable

import numpy as np

import ssop

CALLS_PER_ROUND = 2000
LIMIT_NS = 3000


def cases() -> dict[str, Callable[[], object]]:
    """Name -> call. All have rank 4: known, unknown and bounded dims, and begin, end and strides of four entries."""
    known, partial, bounded = [8, 8, 8, 8], [None, 8, None, 8], [(1, 64), 8, (0, 9), 8]
    begin, end, strides = [0, 1, -3, 1], [2, -1, 2, 3], [1, 2, 1, -1]
    unknown = ssop.shapes.unknown(4)
    spec = ssop.StridedSliceSpec(begin, end, strides)
    shape = ssop.shapes.PartialShape(partial)
    infer = ssop.shapes.strided_slice
    return {
        "known": lambda: infer(known, begin, end, strides),
        "unknown dims, tf": lambda: infer(partial, begin, end, strides),
        "unknown dims, tight": lambda: infer(partial, begin, end, strides, mode="tight"),
        "intervals, tight": lambda: infer(bounded, begin, end, strides, mode="tight"),
        "unknown begin, tight": lambda: infer(bounded, unknown, end, strides, mode="tight"),
        "StridedSliceSpec": lambda: spec.infer_shape(shape),
        "by name": lambda: ssop.infer_shape("strided_slice", partial, begin, end, strides),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--check", action="store_true", help=f"fail above {LIMIT_NS} ns")
    arguments = parser.parse_args()
    version = sys.version.split()[0]
    print(f"Python {version}, NumPy {np.__version__}, {arguments.rounds} rounds of {CALLS_PER_ROUND} calls, rank 4")
    calls = cases()
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(arguments.rounds):
        for name, call in calls.items():
            times[name].append(
                timeit.timeit(call, timer=time.process_time, number=CALLS_PER_ROUND) / CALLS_PER_ROUND * 1e9
            )
    fastest = {name: min(values) for name, values in times.items()}
    for name, time_ns in fastest.items():
        print(f"{name:24} {time_ns:8.0f} ns")
    slow = [name for name, time_ns in fastest.items() if time_ns > LIMIT_NS]
    if slow:
        print(f"more than {LIMIT_NS} ns: {', '.join(slow)}")
    return 1 if arguments.check and slow else 0


if __name__ == "__main__":
    sys.exit(main())
