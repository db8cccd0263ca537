"""What results cost of which several live at a time: a slice into `out`, into new results, and NumPy's copy.

The calls take turns.

python benchmarks/kept_results.py [--rounds 15]

dropped: each result is dropped before the next one is made. last 4: the last four results live. 24: so many results are
made, then all are dropped. With SSOP_CACHE_BYTES=0 in the environment, results are NumPy's own memory.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections import deque
from collections.abc import Callable

import numpy as np

import ssop

KIB = 1024
SIZES = (1, 32, 64, 128, 256, 1024, 2048, 3072, 8192)
BYTES_PER_TURN = 4_000_000
Call = Callable[[], object]


def drop_each(call: Call, count: int) -> None:
    for _ in range(count):
        call()


def keep_last(call: Call, count: int) -> None:
    kept: deque[object] = deque(maxlen=4)
    for _ in range(count):
        kept.append(call())


def drop_together(call: Call, count: int) -> None:
    for first in range(0, count, 24):
        _ = [call() for _ in range(min(24, count - first))]


def microseconds(turn: Callable[[Call, int], None], call: Call, count: int) -> float:
    """Return the time of one call."""
    start = time.perf_counter()
    turn(call, count)
    return (time.perf_counter() - start) / count * 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    ssop.set_num_threads(1)
    print("microseconds of a call (medians); ratios with quartiles")
    print(f"{'KiB':>5} {'mode':8} {'out':>8} {'new':>8} {'NumPy':>8}  {'new / out':20} {'new / NumPy':20}")
    for kib in SIZES:
        items = kib * KIB // 4
        x, out = np.arange(items + 16, dtype=np.float32), np.empty(items, np.float32)
        calls: list[Call] = [
            lambda x=x, out=out, n=items: ssop.strided_slice(x, [8], [8 + n], [1], out=out),
            lambda x=x, n=items: ssop.strided_slice(x, [8], [8 + n], [1]),
            lambda x=x, n=items: x[8 : 8 + n].copy(),
        ]
        count = max(24, BYTES_PER_TURN // (kib * KIB + 2000))
        for name, turn in (("dropped", drop_each), ("last 4", keep_last), ("24", drop_together)):
            times = [[microseconds(turn, call, count) for call in calls] for _ in range(rounds)]
            medians = " ".join(f"{statistics.median(column):8.2f}" for column in zip(*times, strict=True))
            shown = ""
            for other in (0, 2):
                low, ratio, high = statistics.quantiles([row[1] / row[other] for row in times], n=4)
                shown += f"  {f'{ratio:.2f} ({low:.2f}..{high:.2f})':19}"
            print(f"{kib:5} {name:8} {medians}{shown}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
