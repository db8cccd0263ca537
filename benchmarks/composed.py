"""Chains of calls as one copy (`ssop.convert.compose`) beside the calls one after the other, from memory.

Both sides make new results, and take turns. Each result is compared with the other side's first.

python benchmarks/composed.py [--rounds 9] [--mib 64] [--side N] [--clock wall]
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

import ssop

Call = ssop.convert.Call
SLICE = Call("numpy.index", index=np.s_[1:-1, 16:])
FLIP = Call("numpy.flip", axis=[0])
TRANSPOSE = Call("numpy.transpose")
PAD = Call("numpy.pad", pad_width=[(1, 1), (16, 0)])
CHAINS = {
    "slice, flip": [SLICE, FLIP],
    "slice, transpose": [SLICE, TRANSPOSE],
    "flip, transpose": [FLIP, TRANSPOSE],
    "slice, pad": [SLICE, PAD],
    "flip, pad": [FLIP, PAD],
    "transpose, pad": [TRANSPOSE, PAD],
    "slice, flip, transpose": [SLICE, FLIP, TRANSPOSE],
    "slice, flip, transpose, pad": [SLICE, FLIP, TRANSPOSE, PAD],
}


def milliseconds(call: Callable[[], object], clock: Callable[[], float]) -> float:
    start = clock()
    call()
    return (clock() - start) * 1e3


def in_sequence(calls: list[ssop.convert.Call], x: np.ndarray) -> np.ndarray:
    for call in calls:
        x = call(x)
    return x


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--mib", type=int, default=64)
    parser.add_argument("--side", type=int, help="rows and columns, instead of so many that fill --mib")
    parser.add_argument("--clock", choices=("wall", "cpu"), default="wall", help="cpu: beside other work")
    arguments = parser.parse_args()
    clock = time.perf_counter if arguments.clock == "wall" else time.thread_time
    ssop.set_num_threads(1)
    print("milliseconds (medians); ratios with quartiles, of one copy for each call")
    print(f"{'dtype':5} {'chain':28} {'calls':>8} {'one copy':>8}  ratio")
    for dtype in ("u1", "f4", "f8"):
        # Rows of 2^n bytes compete for the same sets of the caches, which is a case of its own: --side has it.
        side = arguments.side or int((arguments.mib * 2**20 / np.dtype(dtype).itemsize) ** 0.5) // 64 * 64 + 40
        x = (np.arange(side * side) % 251).astype(dtype).reshape(side, side)
        for name, calls in CHAINS.items():
            one = ssop.convert.compose(calls, x.shape)
            np.testing.assert_array_equal(one(x), in_sequence(calls, x))
            pairs = [
                (milliseconds(lambda: in_sequence(calls, x), clock), milliseconds(lambda: one(x), clock))  # noqa: B023
                for _ in range(arguments.rounds)
            ]
            apart, together = (statistics.median(column) for column in zip(*pairs, strict=True))
            low, middle, high = statistics.quantiles([a / b for a, b in pairs], n=4)
            print(f"{dtype:5} {name:28} {apart:8.1f} {together:8.1f}  {middle:.2f} ({low:.2f} to {high:.2f})")


if __name__ == "__main__":
    main()
