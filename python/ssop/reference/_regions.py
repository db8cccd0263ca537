"""Regions of stored arrays: what covers a region, and which chunks have elements of it."""

from __future__ import annotations

import builtins
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate, product

from ssop.reference._tensors import INT64_MAX, Range, Region, Rejected, canonical, region_shape


def region_covering(ranges: Sequence[Range], out_axes: Sequence[int]) -> tuple[Region, Region, tuple[int, ...]]:
    """Return the least region of unit steps, what to take of it, and the output axes that run backwards (rg_s5).

    >>> region_covering([(9, 3, -4)], [0])
    ((((1, 9, 1),), (0,)), (((8, 3, -4),), (0,)), (0,))
    """
    covering, remainder = [], []
    for taken in _elements(ranges):
        low, high = (min(taken), max(taken) + 1) if taken else (0, 0)
        covering.append(canonical(range(low, high)))
        remainder.append(canonical(range(taken.start - low, taken.start - low + len(taken) * taken.step, taken.step)))
    backwards = tuple(k for k, axis in enumerate(out_axes) if axis >= 0 and ranges[axis][2] < 0)
    return (tuple(covering), tuple(range(len(ranges)))), (tuple(remainder), tuple(out_axes)), backwards


def region_chunks(
    in_shape: Sequence[int], ranges: Sequence[Range], out_axes: Sequence[int], grid: Sequence[int | Sequence[int]]
) -> Iterator[tuple[tuple[int, ...], Region, Region]]:
    """Yield each chunk that has elements of a region: its index, the region in it, the region in the result (rg_s6).

    >>> list(region_chunks([10], [(9, 3, -4)], [0], [3]))[-1]
    ((3,), (((0, 1, 1),), (0,)), (((0, 1, 1),), (0,)))
    """
    if len(grid) != len(in_shape):
        raise Rejected("rg_c7", value=len(grid), allowed=(len(in_shape), len(in_shape)))
    bounds = [_bounds(axis, dim, sizes) for axis, (dim, sizes) in enumerate(zip(in_shape, grid, strict=True))]
    for axis, sizes in enumerate(grid):
        if isinstance(sizes, int) and sizes < 1:
            raise Rejected("rg_c8", axis=axis, value=sizes, allowed=(1, INT64_MAX))
    if 0 in region_shape(ranges, [axis for axis in out_axes if axis >= 0]) or -2 in out_axes:
        return
    axes = [_parts(taken, starts) for taken, starts in zip(_elements(ranges), bounds, strict=True)]
    for parts in product(*axes):
        index = tuple(number for number, _, _ in parts)
        of_chunk = tuple(here for _, here, _ in parts)
        places = tuple((0, 1, 1) if axis == -1 else parts[axis][2] for axis in out_axes)
        yield index, (of_chunk, tuple(out_axes)), (places, tuple(range(len(out_axes))))


def _elements(ranges: Sequence[Range]) -> list[builtins.range]:
    return [range(start, start + count * step, step) for start, count, step in ranges]


def _bounds(axis: int, dim: int, sizes: int | Sequence[int]) -> Sequence[int]:
    """Return where the chunks along an axis begin, and where the last one ends."""
    if isinstance(sizes, int):
        return [*range(0, dim, sizes), dim] if sizes > 0 else []
    end = 0
    for number, size in enumerate(sizes):
        if size < 0:
            raise Rejected("rg_c8", axis=axis, entry=number, value=size, allowed=(0, dim))
        end += size
        if end > INT64_MAX:
            raise Rejected("rg_c9", axis=axis, entry=number, value=INT64_MAX, allowed=(dim, dim))
    if end != dim:
        raise Rejected("rg_c9", axis=axis, value=end, allowed=(dim, dim))
    return [0, *accumulate(sizes)]


def _parts(taken: builtins.range, bounds: Sequence[int]) -> list[tuple[int, Range, Range]]:
    """Return (number of the chunk, range in the chunk, range in the result) of the chunks along an axis."""
    places: dict[int, list[int]] = {}
    for place, element in enumerate(taken):
        places.setdefault(bisect_right(bounds, element) - 1, []).append(place)
    parts = []
    for number, here in sorted(places.items()):
        start = taken[here[0]] - bounds[number]
        in_chunk = canonical(range(start, start + len(here) * taken.step, taken.step))
        parts.append((number, in_chunk, canonical(range(here[0], here[-1] + 1))))
    return parts
