"""Slices of dask arrays of 1,000 chunks: ssop.strided_slice against dask's own indexing, interleaved.

`python benchmarks/dask_slices.py` prints the medians of ssop's time over dask's: of building the graph, of computing.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import Any

import dask.array as da
import numpy as np

import ssop

CHUNKS, LENGTH, TURNS = 1000, 8000, 15


def seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def ratio(ours: Callable[[], Any], theirs: Callable[[], Any]) -> float:
    return median(seconds(ours) / seconds(theirs) for _ in range(TURNS))


def main() -> None:
    x = da.from_array(np.random.default_rng(0).random(CHUNKS * LENGTH), chunks=LENGTH)
    begin, end = x.size - 7, 100

    def ours() -> Any:
        return ssop.strided_slice(x, [begin], [end], [-3])

    def theirs() -> Any:
        return x[begin:end:-3]

    assert np.array_equal(ours().compute(), theirs().compute())
    graph = ratio(lambda: ours().__dask_graph__(), lambda: theirs().__dask_graph__())
    computed = ratio(lambda: ours().compute(scheduler="synchronous"), lambda: theirs().compute(scheduler="synchronous"))
    print(f"{x.npartitions} chunks, ssop / dask: graph {graph:.2f}, computed {computed:.2f}")


if __name__ == "__main__":
    main()
