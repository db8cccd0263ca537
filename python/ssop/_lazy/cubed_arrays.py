"""Arrays of cubed, whose chunks along an axis have one size, but for the last one.

cubed's own functions make chunks of several sizes of some arrays, which they then reject or mix up (0.27).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt, prod
from typing import Any


def with_equal_chunks(arrays: Sequence[Any], axis: int) -> list[Any]:
    """Return the arrays with chunks of one size along the axis that joins them."""
    size = max(x.chunksize[axis] for x in arrays)
    return [x if x.chunksize[axis] == size else x.rechunk({axis: size}) for x in arrays]


def reshaped(x: Any, shape: tuple[int, ...]) -> Any:
    """Return an array in another shape: by cubed's own function if that can, otherwise through one axis."""
    reshape = x.__array_namespace__().reshape
    try:
        return reshape(x, shape)
    except (NotImplementedError, ValueError):  # axes that are merged and split, or chunks of several sizes
        x = x.rechunk(_runs(x.shape, prod(x.chunksize)))
    while len(x.shape) > 1:
        *first, rows, columns = x.shape
        x = reshape(x, (*first, rows * columns))
    row = prod(shape[1:])
    size = x.chunksize[0]
    return reshape(x.rechunk((max(row, size - size % row),)), shape)


def _runs(shape: tuple[int, ...], limit: int) -> tuple[int, ...]:
    """Return the largest chunks of at most so many elements that are next to each other in C order.

    They divide the axes but for the first one, so that all have one size when the axes are merged.
    """
    sizes: list[int] = []
    for axis in reversed(range(len(shape))):
        size = min(shape[axis], limit)
        sizes.append(size if axis == 0 else _divisor(shape[axis], size))
        limit = limit // size if size == shape[axis] else 1
    return tuple(reversed(sizes))


def _divisor(number: int, limit: int) -> int:
    """Return the largest divisor of a number that is not larger than a limit."""
    low = [divisor for divisor in range(1, isqrt(number) + 1) if number % divisor == 0]
    return max(divisor for divisor in (*low, *(number // divisor for divisor in low)) if divisor <= limit)
