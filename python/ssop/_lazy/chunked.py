"""Regions with steps of arrays in HDF5 and netCDF files, which are read in blocks without steps.

Their libraries visit the elements of a selection with steps one by one. Where the file is an object of Python's, each
element is a read of its own. So what lies between near elements is read too, and the steps are taken in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ssop import _core

Range = tuple[int, int, int]

BLOCK_BYTES = 2**20
"""What is read at once of an array without chunks, at most, unless one element is larger."""

NEAR_BYTES = {"fileobj": 4096, "NETCDF3": 256, "sec2": 64, "HDF5": 16}
"""The largest distance of elements at which it is faster to read all between them, in a file without chunks.

By h5py's driver, or by netCDF4's format. A file object is called for each element, while the other drivers of HDF5 have
a buffer. netCDF4 looks for masked elements in all that is read.
"""


class Walk(NamedTuple):
    """How a region is read, block after block."""

    grid: Sequence[int]
    """The sizes of the blocks."""
    covered: Sequence[bool]
    """Whether what lies between the elements of an axis is read too."""

    def read(self, elements: Callable[[Sequence[Range]], Any], region: _core.Region) -> np.ndarray[Any, Any]:
        """Return the elements of a region that has some; masked if those of a block are.

        `elements` gives those of (start, count, step) per axis. It is asked for the part of each block that has
        elements of the region, with step 1 along the axes that are covered. There is never more than one part beside
        the result.
        """
        result: Any = None
        for index, part, place in region.chunks(self.grid):
            asked, taken = [], []
            for number, size, covered, (start, count, step) in zip(
                index, self.grid, self.covered, part.ranges, strict=True
            ):
                low, count, distance = _forwards((number * size + start, count, step))
                asked.append((low, (count - 1) * distance + 1, 1) if covered else (low, count, distance))
                taken.append(slice(None, None, step if covered else step // distance))
            found = elements(asked)
            if result is None:
                result = np.empty(region.shape, found.dtype)
            if isinstance(found, np.ma.MaskedArray) and not isinstance(result, np.ma.MaskedArray):
                result = np.ma.array(result, copy=False, fill_value=found.fill_value)
            result[place.index] = found[tuple(taken)].reshape(part.shape)
            del found  # before the next one is read
        return result  # type: ignore[no-any-return]


def walk_of(library: str, x: Any, region: _core.Region) -> Walk | None:
    """Return how an array of h5py or netCDF4 is read at a region; None if one index reads it well."""
    if 0 in region.shape or all(step in (1, -1) for _, _, step in region.ranges):
        return None
    if library == "netCDF4" and hasattr(x, "chunking"):
        chunks, kind = x.chunking(), x.group().disk_format
    elif library == "h5py" and hasattr(x, "chunks") and not x.is_virtual:
        chunks, kind = x.chunks, "fileobj" if x.file.driver == "fileobj" else "sec2"
    else:
        return None
    if isinstance(chunks, (tuple, list)):
        return Walk(chunks, [True] * len(chunks))
    near = NEAR_BYTES.get(kind)  # of a server none is known
    if near is None or not isinstance(x.dtype, np.dtype) or x.dtype.hasobject:  # strings of any length are elsewhere
        return None
    return through_one_piece(region, x.dtype.itemsize, near)


def through_one_piece(region: _core.Region, itemsize: int, near: int) -> Walk | None:
    """Return how to read an array in C order; None if its elements are far apart along every axis with steps."""
    grid, covered = [0] * len(region.ranges), [False] * len(region.ranges)
    distance, left = itemsize, BLOCK_BYTES // max(1, itemsize)  # of neighbours in bytes; of elements in a block
    for axis in reversed(range(len(grid))):
        low, count, step = _forwards(region.ranges[axis])
        covered[axis] = step * distance <= near
        length, each = ((count - 1) * step + 1, 1) if covered[axis] else (count, step)
        taken = min(length, max(1, left))
        grid[axis] = low + (count - 1) * step + 1 if taken == length else taken * each
        left //= taken
        distance *= region.in_shape[axis]
    steps = (step for _, _, step in region.ranges)
    return Walk(grid, covered) if any(of and abs(step) > 1 for of, step in zip(covered, steps, strict=True)) else None


def _forwards(of: Range) -> Range:
    """Return the same elements in rising order."""
    start, count, step = of
    return start + min(0, (count - 1) * step), count, abs(step)
