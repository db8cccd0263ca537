"""Every way of copying, forced on every shape that it fits, against NumPy and memcpy: what does each gain?

    python benchmarks/variants.py [--target avx2] [--only transpose] [--random 2000] [--seconds 0.02] [--csv FILE]

Shapes are those of tests/core/variants.txt, or with --random copies that are drawn as random_copies.py draws them;
variants are those of csrc/copy/variants.def. One thread; for each shape all of them take turns, and the time of each is
the fastest of its turns. Each line has the GB/s of the variant that is chosen, of NumPy and of memcpy (bytes written),
and the next best variant. At the end, for each variant: how many shapes take it, the geometric mean of its gain over
the next best, and the largest and the least. `--csv` keeps the speeds of all shapes that several variants fit, the
chosen one first, as in records/variants.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import math
import os
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from engines import mean, processor
from random_copies import LARGEST_INPUT, SIZES, draw_copy, make

TABLE = Path(__file__).resolve().parent.parent / "tests" / "core" / "variants.txt"
PAGE = 4096
REFERENCES = ("numpy", "memcpy")
Array = np.ndarray[Any, Any]


class Shape(NamedTuple):
    name: str
    itemsize: int
    dims: tuple[int, ...]
    to: str
    source: str


def named() -> Iterator[tuple[str, Callable[[], tuple[Array, Array]]]]:
    """Yield the name of each shape of the table, and what makes its arrays."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, itemsize, dims, to, source = (cell.strip() for cell in line.split("|")[:5])
            shape = Shape(name, int(itemsize), tuple(map(int, dims.split(","))), to, source)
            yield name, lambda shape=shape: (lay_out(shape, shape.to), lay_out(shape, shape.source))


def drawn(count: int, seed: int) -> Iterator[tuple[str, Callable[[], tuple[Array, Array]]]]:
    rng = random.Random(seed)
    for _ in range(count):
        copy = draw_copy(rng, SIZES)
        if math.prod(copy.shape) * np.dtype(copy.dtype).itemsize <= LARGEST_INPUT:
            yield str(copy), lambda copy=copy: make(copy)


def lay_out(shape: Shape, text: str) -> Array:
    """Return an array with the strides that a cell of the table gives, at the place in its page that it gives."""
    steps, _, moved = text.partition("@")
    strides = [int(step) * shape.itemsize for step in steps.split(",")] if steps != "C" else c_order(shape)
    reach = [stride * (dim - 1) for stride, dim in zip(strides, shape.dims, strict=True)]
    first, last = sum(min(0, part) for part in reach), sum(max(0, part) for part in reach)
    memory = np.zeros(last - first + shape.itemsize + 2 * PAGE, np.uint8)
    memory[:] = 1  # so that its pages exist
    begin = -memory.ctypes.data % PAGE + int(moved or 0)
    return np.ndarray(shape.dims, f"V{shape.itemsize}", memory.data, begin - first, strides)


def c_order(shape: Shape) -> list[int]:
    return [shape.itemsize * math.prod(shape.dims[axis + 1 :]) for axis in range(len(shape.dims))]


def contenders(to: Array, source: Array) -> tuple[str | None, dict[str, Callable[[], None]]]:
    """Return the variant that is chosen, and a copy by it, by each that takes effect if forced, NumPy and memcpy."""
    import ssop
    from ssop import _core

    def forced(name: str | None) -> Callable[[], None]:
        def copy() -> None:
            _core.force_variant(name)
            ssop.copyto(to, source)

        return copy

    _core.force_variant(None)
    chosen = _core.describe_copy(to, source).get("variant")
    if chosen is None:
        return None, {}
    found = {chosen: forced(None)}
    for name, *_ in _core.variants():
        _core.force_variant(name)
        if name not in found and _core.describe_copy(to, source)["variant"] == name:
            found[name] = forced(name)
    plain, like = np.ones((2, to.nbytes), np.uint8)
    return chosen, {**found, "numpy": lambda: np.copyto(to, source), "memcpy": lambda: np.copyto(plain, like)}


def measure(copies: dict[str, Callable[[], None]], seconds: float, rounds: int) -> dict[str, float]:
    """Return the seconds of a copy by each, the fastest of the rounds."""
    counts, fastest = {}, dict.fromkeys(copies, math.inf)
    for name, copy in copies.items():
        copy()
        begin = time.perf_counter()
        copy()
        counts[name] = max(1, int(seconds / max(time.perf_counter() - begin, 1e-7)))
    for _ in range(rounds):
        for name, copy in copies.items():
            copy()  # so that no turn begins with what the one before it has left in the caches
            begin = time.perf_counter()
            for _ in itertools.repeat(None, counts[name]):
                copy()
            fastest[name] = min(fastest[name], (time.perf_counter() - begin) / counts[name])
    return fastest


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--target", help="the kernels, as SSOP_CPU names them")
    parser.add_argument("--only", default="", help="shapes whose names have this, or that this variant copies")
    parser.add_argument("--random", type=int, default=0, help="so many random copies instead of the named shapes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=0.02, help="of a turn")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--csv", type=Path)
    arguments = parser.parse_args()
    if arguments.target and os.environ.get("SSOP_CPU") != arguments.target:
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "SSOP_CPU": arguments.target})
    import ssop

    ssop.set_num_threads(1)
    gains, rows = defaultdict(list), []
    machine = f"{processor()}; {ssop.show_config('dicts')['kernels']['chosen']}"
    print(machine)
    print(f"{'chosen':<24}{'GB/s':>7}{'numpy':>7}{'memcpy':>7}  {'shape':<44} next best")
    for name, arrays in drawn(arguments.random, arguments.seed) if arguments.random else named():
        to, source = arrays()
        chosen, copies = contenders(to, source)
        if chosen is None or (arguments.only not in name and arguments.only != chosen):
            continue
        times = measure(copies, arguments.seconds, arguments.rounds)
        speed = {which: to.nbytes / spent / 1e9 for which, spent in times.items()}
        others = sorted(((gbs, which) for which, gbs in speed.items() if which not in (chosen, *REFERENCES)))
        best = f"{others[-1][1]} {others[-1][0]:.2f}, {speed[chosen] / others[-1][0]:.2f} times" if others else "-"
        gains[chosen] += [speed[chosen] / others[-1][0]] if others else []
        rows += [(name, which, f"{gbs:.3g}") for which, gbs in speed.items()] if others else []
        figures = "".join(f"{speed[which]:7.2f}" for which in (chosen, *REFERENCES))
        print(f"{chosen:<24}{figures}  {name:<44} {best}", flush=True)
    print(f"\n{'variant':<26}{'shapes':>7}{'mean gain':>11}{'most':>7}{'least':>7}")
    for name, ratios in sorted(gains.items()):
        if ratios:
            print(f"{name:<26}{len(ratios):>7}{mean(ratios):>11.2f}{max(ratios):>7.2f}{min(ratios):>7.2f}")
    if arguments.csv:
        with arguments.csv.open("w", newline="", encoding="utf-8") as file:
            file.write(f"# {machine}, fastest of {arguments.rounds} turns of {arguments.seconds} s\n")
            csv.writer(file, lineterminator="\n").writerows([("shape", "variant", "GB/s"), *rows])


if __name__ == "__main__":
    main()
