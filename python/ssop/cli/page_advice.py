"""What the kernel is told of a mapped input: whether pages beside those that a region takes are needed."""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from ssop import _core

FEW = 4
"""A region takes few pages if those between its first and its last element are so many times as many."""


def takes_few_pages(ranges: Sequence[tuple[int, int, int]], strides: Sequence[int], itemsize: int) -> bool:
    """True if most pages between the first and the last element of ranges have no element.

    >>> takes_few_pages([(0, 800, 500), (0, 1000, 1)], [1000, 1], 1), takes_few_pages([(0, 800, 2)], [1000], 1)
    (True, False)
    """
    piece = span = itemsize  # bytes of what has no page to leave out, and of everything
    pieces = 1
    for (_, count, step), stride in sorted(zip(ranges, strides, strict=True), key=lambda axis: abs(axis[1])):
        reach = abs(step * stride)
        if pieces == 1 and reach - piece < 2 * mmap.PAGESIZE:
            piece += (count - 1) * reach
        else:
            pieces *= count
        span += (count - 1) * reach
    return FEW * pieces * (piece + mmap.PAGESIZE) <= span


@contextmanager
def advised(x: Any, region: _core.Region) -> Iterator[None]:
    """Advise the kernel while a region of `x` is read, if that is a mapped file, and let its pages go afterwards."""
    mapped: Any = getattr(x.base, "_mmap", None) if isinstance(x, np.ndarray) else None  # of a np.memmap
    if not hasattr(mapped, "madvise") or 0 in region.shape:
        yield
        return
    if takes_few_pages(region.ranges, x.strides, x.itemsize):
        mapped.madvise(mmap.MADV_RANDOM)  # a fault reads one page, instead of those around it
    elif all(step > 0 for _, _, step in region.ranges):
        mapped.madvise(mmap.MADV_SEQUENTIAL)
    try:
        yield
    finally:
        mapped.madvise(mmap.MADV_NORMAL)
        mapped.madvise(mmap.MADV_DONTNEED)
