"""Operations on dask arrays: ssop against dask's own functions, interleaved.

`python benchmarks/dask_slices.py` prints ssop's time over dask's for building the graph of an operation on 1,000
chunks. It also prints how many times as fast ssop computes it for arrays of 1 GiB (`--mib`). The computation goes into
one NumPy array (compute), is reduced (sum), or goes into a zarr array in memory (store).

Each cell has the median, the smallest and the largest ratio of the turns (`--turns`). `--only rev` runs the operations
with that word in their names.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any, NamedTuple

import dask.array as da
import numpy as np
import zarr

import ssop

CHUNKS = 1000


class Case(NamedTuple):
    """An operation on an array of one axis, or of two."""

    name: str
    rank: int
    ours: Callable[[Any], Any]
    theirs: Callable[[Any], Any]


def dask_updated(x: Any, value: Any, index: Any) -> Any:
    result = x.copy()
    result[index] = value
    return result


def half(x: Any) -> Any:
    return x[: x.shape[0] // 2]


def padded(x: Any) -> Any:
    return da.pad(x, ((3, 5), (1, 2)), constant_values=7)


def place(x: Any) -> int:
    return int(x.size) // 4 + 5


CASES = [
    Case(
        "strided_slice",
        1,
        lambda x: ssop.strided_slice(x, [x.size - 7], [100], [-3]),
        lambda x: x[x.size - 7 : 100 : -3],
    ),
    Case("rev", 1, lambda x: ssop.xla.rev(x, [0]), lambda x: x[::-1]),
    Case("rev of both axes", 2, lambda x: ssop.xla.rev(x, [0, 1]), lambda x: x[::-1, ::-1]),
    Case("transpose", 2, lambda x: ssop.xla.transpose(x, [1, 0]), lambda x: x.T),
    Case("concatenate", 1, lambda x: ssop.xla.concatenate(2 * [half(x)], 0), lambda x: da.concatenate(2 * [half(x)])),
    Case(
        "dynamic_update_slice",
        1,
        lambda x: ssop.dynamic_update_slice(x, half(x), [place(x)]),
        lambda x: dask_updated(x, half(x), slice(place(x), place(x) + x.size // 2)),
    ),
    Case(
        "update of every second",
        1,
        lambda x: ssop.tensor_strided_slice_update(x, [0], [x.size], [2], half(x)),
        lambda x: dask_updated(x, half(x), slice(0, None, 2)),
    ),
    Case("pad", 2, lambda x: ssop.xla.pad(x, 7, [(3, 5, 0), (1, 2, 0)]), padded),
]


def seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    result = function()
    stop = time.perf_counter()
    del result  # outside of what is measured
    return stop - start


def ratios(one: Callable[[], Any], other: Callable[[], Any], turns: int) -> list[float]:
    """Return the time of one function over that of another; which one runs first alternates."""
    seconds(one), seconds(other)
    found = []
    for turn in range(turns):
        if turn % 2:
            first, second = seconds(one), seconds(other)
        else:
            second, first = seconds(other), seconds(one)
        found.append(first / second)
    return found


def text(found: list[float]) -> str:
    return f"{median(found):.2f} ({min(found):.2f}..{max(found):.2f})"


def stored(x: Any) -> None:
    chunks = tuple(map(max, x.chunks))
    target = zarr.create_array(
        zarr.storage.MemoryStore(), shape=x.shape, chunks=chunks, dtype=x.dtype, compressors=None, fill_value=None
    )
    x.rechunk(chunks).store(target, lock=False) if irregular(x) else x.store(target, lock=False)


def irregular(x: Any) -> bool:
    """Whether blocks would meet in one chunk of a store."""
    return any(len(set(lengths[:-1])) > 1 or lengths[-1] > lengths[0] for lengths in x.chunks)


CONSUMERS: dict[str, Callable[[Any], Any]] = {
    "compute": lambda y: y.compute(),
    "sum": lambda y: y.sum().compute(),
    "store": stored,
}


def source(rank: int, mib: int) -> Any:
    """Return an array of 16 MiB chunks, which are in memory."""
    n = mib * 2**17
    x = np.arange(n, dtype=np.float64)
    if rank == 1:
        return da.from_array(x, chunks=2**21).persist()
    return da.from_array(x.reshape(-1, 2**13), chunks=(2**10, 2**11)).persist()


def main() -> None:
    parser = argparse.ArgumentParser(description="ssop on dask arrays against dask's own functions")
    parser.add_argument("--mib", type=int, default=1024)
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--only", default="")
    parser.add_argument("--consumers", nargs="+", default=list(CONSUMERS), choices=list(CONSUMERS))
    arguments = parser.parse_args()
    print("| operation | graph, ssop / dask |" + "".join(f" {name}, dask / ssop |" for name in arguments.consumers))
    print("| --- | --- |" + " --- |" * len(arguments.consumers))
    for case in CASES:
        if arguments.only in case.name:
            print(f"| {case.name} | {' | '.join(map(text, measured(case, arguments)))} |", flush=True)


def measured(case: Case, arguments: argparse.Namespace) -> Iterator[list[float]]:
    """Give the ratios of building graphs, and of each consumer."""
    many = da.zeros(8 * CHUNKS, chunks=8) if case.rank == 1 else da.zeros((400, 1600), chunks=(20, 32))
    yield ratios(lambda: case.ours(many).dask, lambda: case.theirs(many).dask, max(15, arguments.turns))
    x = source(case.rank, arguments.mib)
    for name in arguments.consumers:
        consume = CONSUMERS[name]
        yield ratios(partial(take, consume, case.theirs, x), partial(take, consume, case.ours, x), arguments.turns)


def take(consume: Callable[[Any], Any], operation: Callable[[Any], Any], x: Any) -> Any:
    return consume(operation(x))


if __name__ == "__main__":
    main()
