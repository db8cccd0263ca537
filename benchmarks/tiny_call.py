"""What a tiny call costs: ssop and NumPy in interleaved rounds, nanoseconds and ratios with their spread.

python benchmarks/tiny_call.py [--rounds 41] [--torch]

With `--torch` the first table is of tensors and of torch's own functions. The second table has the calls that do a part
of the work; `benchmarks/instructions.py --parts` has the functions.
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
        "4-D, index": (lambda: ssop.index(a, index), lambda: a[index].copy()),
        "1-D, three lists": (lambda: ssop.strided_slice(line, first, last, one), lambda: line[piece].copy()),
    }


def tensor_cases() -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """The same of tensors: name -> (ssop's call, torch's call)."""
    import torch

    x = torch.arange(256, dtype=torch.float32).reshape(16, 16)
    index = np.s_[4:12, 4:12]
    return {
        "16x16, backwards": (lambda: ssop.xla.rev(x, [0, 1]), lambda: torch.flip(x, [0, 1])),
        "16x16, window": (lambda: ssop.dynamic_slice(x, [4, 4], [8, 8]), lambda: x[index].clone()),
        "16x16, index": (lambda: ssop.index(x, index), lambda: x[index].clone()),
    }


def parts() -> dict[str, Callable[[], object]]:
    """Name -> call that does less and less of the work of the first one."""
    a = np.arange(256, dtype=np.float32).reshape(4, 4, 4, 4)
    begin, end, strides = [0, 1, 0, 1], [2, 3, 2, 3], [1, 1, 1, 1]
    plan = ssop.plan(ssop.StridedSliceSpec(begin, end, strides), a.shape, a.dtype)
    out, shape, dtype = plan(a), (2, 2, 2, 2), a.dtype
    return {
        "three lists": lambda: ssop.strided_slice(a, begin, end, strides),
        "three lists, out=": lambda: ssop.strided_slice(a, begin, end, strides, out=out),
        "plan": lambda: plan(a),
        "plan, out=": lambda: plan(a, out=out),
        "copy": lambda: ssop.copy(out),
        "copy, out=": lambda: ssop.copy(out, out=out),
        "NumPy's empty": lambda: np.empty(shape, dtype),
        "NumPy's copy": lambda: out.copy(),
        "C function": lambda: ssop.get_num_threads(),
    }


def net_times(calls: list[Callable[[], object]], rounds: int) -> list[list[float]]:
    """Return a row for each round: nanoseconds of each call, without those of an empty call."""
    rows = []
    for _ in range(rounds):
        empty, *times = [timeit.timeit(call, number=CALLS_PER_ROUND) for call in (lambda: None, *calls)]
        rows.append([(t - empty) / CALLS_PER_ROUND * 1e9 for t in times])
    return rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--torch", action="store_true", help="compare calls on tensors with torch")
    arguments = parser.parse_args()
    rounds = arguments.rounds
    other = "torch" if arguments.torch else "NumPy"
    print(f"Python {sys.version.split()[0]}, NumPy {np.__version__}, {rounds} rounds of {CALLS_PER_ROUND} calls")
    print(f"{'case':20} {'ssop ns':>10} {other + ' ns':>10} {other + ' / ssop':>14}  (medians; ratio with quartiles)")
    for name, (ours, theirs) in (tensor_cases() if arguments.torch else cases()).items():
        np.testing.assert_array_equal(ours(), theirs())
        net = net_times([ours, theirs], rounds)
        low, ratio, high = statistics.quantiles([b / a for a, b in net], n=4)
        ssop_ns, numpy_ns = (statistics.median(column) for column in zip(*net, strict=True))
        print(f"{name:20} {ssop_ns:10.0f} {numpy_ns:10.0f} {ratio:8.2f} ({low:.2f}..{high:.2f})")
    calls = parts()
    columns = zip(*net_times(list(calls.values()), rounds), strict=True)
    print(f"{'4-D, parts':20} {'ns':>10}  (medians with quartiles)")
    for name, column in zip(calls, columns, strict=True):
        low, middle, high = statistics.quantiles(column, n=4)
        print(f"{name:20} {middle:10.0f} ({low:.0f}..{high:.0f})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
