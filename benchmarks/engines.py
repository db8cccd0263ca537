"""The copy engines of two source trees in turns, in one process, on one thread: is the new one as fast as the old?

    git worktree add /tmp/old f4a5e2b
    python benchmarks/engines.py /tmp/old . [--target avx2] [--seconds 300] [--mib 48] [--csv FILE]

Compiles csrc/core and csrc/copy of both trees with the flags of the package. Draws copies as random_copies.py does, of
4 KiB to 2 MiB, or with --mib of about so many MiB. Named shapes come first. Each round times both engines one after
the other, in an order that alternates; the ratio of a copy is that of the fastest rounds. It prints the processor, the
geometric mean of old time / new time, its spread between even and odd rounds, and the copies in which the new engine is
slowest. With the same tree twice it prints how much of that is noise.
"""

from __future__ import annotations

import argparse
import csv
import ctypes
import math
import random
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from random_copies import SECONDS_PER_TURN, SIZES, Copy, draw_copy, make

FLAGS = (
    "-std=gnu11 -O3 -fno-tree-vectorize -falign-functions=64 -falign-loops=64 -fPIC -fvisibility=hidden -pthread -w"
).split()
SLOW = 0.95
EVERYTHING = slice(None)
NAMED = tuple(
    Copy(dtype, shape, index + (EVERYTHING,) * (len(shape) - len(index)), axes, False)
    for dtype, shape, index, axes in (
        ("u1", (224, 224, 3), (), (2, 0, 1)),
        ("u1", (3, 224, 224), (), (1, 2, 0)),
        ("f4", (8, 64, 56, 56), (), (0, 2, 3, 1)),
        ("f4", (8, 56, 56, 64), (), (0, 3, 1, 2)),
        ("f4", (8, 12, 128, 64), (), (0, 2, 1, 3)),
        ("f4", (1000, 1000), (), (1, 0)),
        ("f4", (1024, 1024), (), (1, 0)),
        ("f8", (512, 512), (), (1, 0)),
        ("u1", (2048, 1000), (), (1, 0)),
        ("u2", (640, 1024), (), (1, 0)),
        ("c16", (300, 300), (), (1, 0)),
        ("f4", (16, 16), (), (1, 0)),
        ("f4", (40, 30, 20), (), (2, 1, 0)),
        ("f4", (4096, 64), (EVERYTHING, slice(None, None, 2)), (0, 1)),
        ("f4", (512, 512), (slice(None, None, 2), slice(None, None, 2)), (0, 1)),
        ("u1", (480, 640, 3), (EVERYTHING, slice(None, None, -1)), (0, 1, 2)),
        ("f4", (100000,), (slice(None, None, -1),), (0,)),
        ("f8", (100000,), (slice(None, None, 3),), (0,)),
        ("f4", (2048, 300), (EVERYTHING, slice(3, 259)), (0, 1)),
        ("f4", (300, 40), (EVERYTHING, slice(0, 5)), (0, 1)),
    )
)


@dataclass(frozen=True)
class Engine:
    library: ctypes.CDLL

    def seconds(self, to: np.ndarray[Any, Any], source: np.ndarray[Any, Any], rounds: int) -> float:
        numbers = ctypes.c_int64 * max(1, to.ndim)
        return float(
            self.library.engine_seconds(
                to.ndim, numbers(*to.shape), ctypes.c_int64(to.itemsize), ctypes.c_void_p(to.ctypes.data),
                numbers(*to.strides), ctypes.c_void_p(source.ctypes.data), numbers(*source.strides), rounds,
            )
        )  # fmt: skip


def build(tree: Path, target: str | None, into: Path) -> Engine:
    into.mkdir()
    csrc = tree.resolve() / "csrc"
    sources = [path for layer in ("core", "copy") for path in sorted(csrc.glob(f"{layer}/**/*.c"))]
    driver = Path(__file__).with_suffix(".c")
    jobs = [
        subprocess.Popen(["cc", *FLAGS, f"-I{csrc}", "-c", path, "-o", into / f"{path.parent.name}_{path.stem}.o"])
        for path in (*sources, driver)
    ]
    if any(job.wait() != 0 for job in jobs):
        raise SystemExit(f"{tree} does not compile")
    library = into / "engine.so"
    subprocess.run(
        ["cc", "-shared", "-Wl,-Bsymbolic", "-o", library, *sorted(into.glob("*.o")), "-pthread"], check=True
    )
    loaded = ctypes.CDLL(str(library))
    loaded.engine_seconds.restype = ctypes.c_double
    if not loaded.engine_begin(target.encode() if target else None):
        raise SystemExit(f"this processor cannot run {target}")
    return Engine(loaded)


def compare(engines: tuple[Engine, Engine], copy: Copy, rounds: int) -> tuple[float, float]:
    """Return old time / new time by the fastest of the even rounds, and of the odd ones."""
    to, source = make(copy)
    for engine in engines:
        to[...] = 0
        engine.seconds(to, source, 1)
        if to.tobytes() != source.tobytes():
            raise SystemExit(f"wrong bytes: {copy}")
    count = max(1, int(SECONDS_PER_TURN / engines[0].seconds(to, source, 1)))
    fastest = [[math.inf, math.inf], [math.inf, math.inf]]
    for number in range(2 * rounds):
        for which in (0, 1) if number // 2 % 2 else (1, 0):
            times = fastest[number % 2]
            times[which] = min(times[which], engines[which].seconds(to, source, count))
    return fastest[0][0] / fastest[0][1], fastest[1][0] / fastest[1][1]


def processor() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        known = dict(line.split(":", 1) for line in lines.read().partition("\n\n")[0].splitlines() if ":" in line)
    return ", ".join(f"{key.strip()} {value.strip()}" for key, value in known.items() if key.strip() in NAMES)


NAMES = ("model name", "cpu family", "model", "stepping")


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--target")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--mib", type=int, default=0)
    parser.add_argument("--show", type=int, default=15)
    parser.add_argument("--csv", type=Path)
    arguments = parser.parse_args()
    sizes = (arguments.mib * 2**20,) if arguments.mib > 0 else SIZES
    largest = max(64 * 2**20, 8 * sizes[-1])
    with tempfile.TemporaryDirectory() as folder:
        old, new = (build(tree, arguments.target, Path(folder, name)) for name, tree in
                    (("old", arguments.old), ("new", arguments.new)))  # fmt: skip
    rng, end = random.Random(arguments.seed), time.monotonic() + arguments.seconds
    named, rows = list(NAMED), []
    while named or time.monotonic() < end:
        copy = named.pop(0) if named else draw_copy(rng, sizes)
        if math.prod(copy.shape) * np.dtype(copy.dtype).itemsize <= largest:
            rows.append((*compare((old, new), copy, arguments.rounds), str(copy)))
    both = [math.sqrt(even * odd) for even, odd, _ in rows]
    slow = sum(ratio < SLOW for ratio in both)
    print(processor())
    print(
        f"{len(rows)} copies, old time / new time: geometric mean {mean(both):.3f} (even rounds "
        f"{mean([row[0] for row in rows]):.3f}, odd {mean([row[1] for row in rows]):.3f}), {slow} below {SLOW}"
    )
    for ratio, row in sorted(zip(both, rows, strict=True))[: arguments.show]:
        print(f"{ratio:5.2f} ({row[0]:.2f}, {row[1]:.2f}) {row[2]}")
    if arguments.csv:
        with arguments.csv.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([("even", "odd", "copy"), *rows])


if __name__ == "__main__":
    main()
