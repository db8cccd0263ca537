"""What a tiny call costs: ssop and NumPy in interleaved rounds, nanoseconds and ratios with their spread.

python benchmarks/tiny_call.py [--rounds 41]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import timeit
from collections.abc import Callable

import numpy as np

import ssop

CALLS_PER_ROUND = 5000


def cases() -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Name -> (ssop's call, NumPy's call) with equal results."""
    a = np.arange(256, dtype=np.float32).reshape(4, 4, 4, 4)
    begin, end, strides = [0, 1, 0, 1], [2, 3, 2, 3], [1, 1, 1, 1]
    index = np.s_[0:2, 1:3, 0:2, 1:3]
    line, first, last, one, piece = a.reshape(256), [2], [8], [1], np.s_[2:8]
    plan = ssop.plan(ssop.StridedSliceSpec(begin, end, strides), a.shape, a.dtype)
    return {
        "4-D, three lists": (lambda: ssop.strided_slice(a, begin, end, strides), lambda: a[index].copy()),
        "4-D, plan": (lambda: plan(a), lambda: a[index].copy()),
        "1-D, three lists": (lambda: ssop.strided_slice(line, first, last, one), lambda: line[piece].copy()),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=41)
    rounds = parser.parse_args().rounds
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, {rounds} rounds of {CALLS_PER_ROUND} calls")
    print(f"{'case':20} {'ssop ns':>10} {'NumPy ns':>10} {'NumPy / ssop':>14}  (medians; ratio with quartiles)")
    for name, (ours, theirs) in cases().items():
        np.testing.assert_array_equal(ours(), theirs())
        times = [
            [timeit.timeit(f, number=CALLS_PER_ROUND) for f in (lambda: None, ours, theirs)] for _ in range(rounds)
        ]
        # The empty call is subtracted: what is left is the call itself.
        net = [[(t - empty) / CALLS_PER_ROUND * 1e9 for t in (a, b)] for empty, a, b in times]
        low, ratio, high = statistics.quantiles([b / a for a, b in net], n=4)
        ssop_ns, numpy_ns = (statistics.median(column) for column in zip(*net, strict=True))
        print(f"{name:20} {ssop_ns:10.0f} {numpy_ns:10.0f} {ratio:8.2f} ({low:.2f}..{high:.2f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
