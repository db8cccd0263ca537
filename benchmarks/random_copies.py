"""Copies of random shapes, slices and axis orders against NumPy: finds work that no class of `ssop bench` has.

Each copy is made by `ssop.copyto` and by `numpy.copyto`, in turns, on one thread; the results are compared first.

python benchmarks/random_copies.py [--seconds 60] [--seed 1] [--show 20] [--rounds 7] [--mib 48]

Copies have 4 KiB to 2 MiB, or with --mib about so many MiB; what is packed is memory that NumPy has allocated. It
prints how many copies were made, the geometric mean of how many times faster ssop is, and how many are below 0.95. It
prints the slowest of all as expressions of `x`, a C-contiguous array. "to" means that the slice is the destination.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import ssop

DTYPES = ("u1", "u2", "f4", "f8", "c16")
SIZES = tuple(2**power for power in (12, 13, 15, 17, 19, 21))
DIMS = (2, 3, 4, 5, 7, 8, 12, 16, 17, 31, 32, 33, 63, 64, 65, 100, 128, 129, 224, 256, 257, 512, 513)
STEPS = (1, 1, 1, 1, -1, 2, -2, 3)
LARGEST_INPUT = 64 * 2**20
"""In bytes; if results are not smaller, eight times as many as they have."""
SECONDS_PER_TURN = 2e-4
SLOW = 0.95
"""Below this, a copy counts as slower than NumPy's: the floor of all classes of `ssop bench`."""


@dataclass(frozen=True)
class Copy:
    """A slice of a new array, and what is done with it."""

    dtype: str
    shape: tuple[int, ...]
    index: tuple[slice, ...]
    axes: tuple[int, ...]
    is_destination: bool

    def __str__(self) -> str:
        parts = ", ".join(
            f"{'' if s.start is None else s.start}:{'' if s.stop is None else s.stop}:{s.step}" for s in self.index
        )
        order = "" if self.axes == tuple(range(len(self.axes))) else f".transpose{self.axes}"
        return f"{'to ' if self.is_destination else ''}{self.dtype} {self.shape} x[{parts}]{order}"


def draw_slice(rng: random.Random, dim: int) -> tuple[int, slice]:
    """Return a length and a slice of that length that takes `dim` items."""
    step, padding = rng.choice(STEPS), rng.choice((0, 0, 0, 1, 5, dim))
    last = (dim - 1) * abs(step)
    low = rng.randint(0, padding)
    if step > 0:
        return last + 1 + padding, slice(low, low + last + 1, step)
    return last + 1 + padding, slice(low + last, low - 1 if low else None, step)


def draw_copy(rng: random.Random, sizes: tuple[int, ...]) -> Copy:
    dtype, rank = rng.choice(DTYPES), rng.choice((1, 2, 2, 3, 3, 4))
    left = rng.choice(sizes) // np.dtype(dtype).itemsize
    dims = []
    for _ in range(rank - 1):
        dims.append(min(rng.choice(DIMS), left))
        left //= dims[-1]
    dims.append(max(1, left))
    rng.shuffle(dims)
    shape, index = zip(*(draw_slice(rng, max(1, dim)) for dim in dims), strict=True)
    kind, axes = rng.choice(("from", "from", "permuted", "to")), list(range(rank))
    if kind == "permuted":
        rng.shuffle(axes)
    return Copy(dtype, shape, index, tuple(axes), kind == "to")


def make(copy: Copy) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the destination and the source."""
    x = np.resize(np.arange(251, dtype=np.uint8), math.prod(copy.shape) * np.dtype(copy.dtype).itemsize)
    view = x.view(copy.dtype).reshape(copy.shape)[copy.index].transpose(copy.axes)
    packed = np.array(view, order="C")
    if copy.is_destination:
        return view, packed
    packed[...] = 0
    return packed, view


def seconds(call: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count


def compare(copy: Copy, rounds: int) -> float:
    """Return how many times faster ssop is, by the fastest of all rounds."""
    to, source = make(copy)
    ssop.copyto(to, source)
    if to.tobytes() != source.tobytes():
        raise SystemExit(f"wrong bytes: {copy}")
    count = max(1, int(SECONDS_PER_TURN / seconds(lambda: ssop.copyto(to, source), 1)))
    times = [
        (seconds(lambda: ssop.copyto(to, source), count), seconds(lambda: np.copyto(to, source), count))
        for _ in range(rounds)
    ]
    return min(numpy for _, numpy in times) / min(own for own, _ in times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--mib", type=int, default=0)
    arguments = parser.parse_args()
    sizes = (arguments.mib * 2**20,) if arguments.mib > 0 else SIZES
    largest = max(LARGEST_INPUT, 8 * sizes[-1])
    ssop.set_num_threads(1)
    rng, end = random.Random(arguments.seed), time.monotonic() + arguments.seconds
    found: list[tuple[float, str]] = []
    while time.monotonic() < end or not found:
        copy = draw_copy(rng, sizes)
        if math.prod(copy.shape) * np.dtype(copy.dtype).itemsize <= largest:
            found.append((compare(copy, arguments.rounds), str(copy)))
    mean = math.exp(sum(math.log(ratio) for ratio, _ in found) / len(found))
    slow = sum(ratio < SLOW for ratio, _ in found)
    print(f"{len(found)} copies, geometric mean {mean:.2f} times NumPy, {slow} ({slow / len(found):.1%}) below {SLOW}")
    for ratio, text in sorted(found)[: arguments.show]:
        print(f"{ratio:5.2f} {text}")


if __name__ == "__main__":
    main()
