"""Reading a region of an array whose chunks are known, one chunk after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ssop import _core


def read(
    elements: Callable[[Sequence[tuple[int, int, int]]], Any], region: _core.Region, grid: Sequence[int]
) -> np.ndarray[Any, Any]:
    """Return the elements of a region that has some; masked if those of a chunk are.

    `elements` gives those of (start, count, step) per axis. It is asked for blocks with step 1, one for each chunk
    that has elements of the region. There is never more than one block beside the result.
    """
    result: Any = None
    for index, part, place in region.chunks(grid):
        block, rest, _ = part.covering()
        corner = [number * size for number, size in zip(index, grid, strict=True)]
        found = elements([(at + start, count, 1) for at, (start, count, _) in zip(corner, block.ranges, strict=True)])
        if result is None:
            result = np.empty(region.shape, found.dtype)
        if isinstance(found, np.ma.MaskedArray) and not isinstance(result, np.ma.MaskedArray):
            result = np.ma.array(result, copy=False, fill_value=found.fill_value)
        result[place.index] = found[rest.index]
        del found  # before the next one is read
    return result  # type: ignore[no-any-return]
