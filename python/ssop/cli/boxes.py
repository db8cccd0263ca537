"""How a result is cut into boxes, which are copied one after another or by several processes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from ssop import _core

Box: TypeAlias = tuple[slice, ...]


class Grid(NamedTuple):
    """Where an array of some shape may be cut: per axis behind `first` elements, and then behind every `grain`."""

    shape: tuple[int, ...]
    first: tuple[int, ...]
    grain: tuple[int, ...]


class Boxes(NamedTuple):
    """The boxes of an array in C order, by number: per axis `first` elements, then `size` in each box.

    >>> boxes = Boxes((5,), (2,), (3,))
    >>> len(boxes), boxes.box(0), boxes.box(1)
    (2, (slice(0, 2, None),), (slice(2, 5, None),))
    """

    shape: tuple[int, ...]
    first: tuple[int, ...]
    size: tuple[int, ...]

    def __len__(self) -> int:
        return math.prod(self._counts())

    def box(self, number: int) -> Box:
        slices = []
        for dim, first, size, count in zip(*map(reversed, (*self, self._counts())), strict=True):
            number, place = divmod(number, count)
            start = 0 if place == 0 else first + (place - 1) * size
            slices.append(slice(start, min(dim, first + place * size)))
        return tuple(reversed(slices))

    def _counts(self) -> tuple[int, ...]:
        return tuple(
            0 if dim == 0 else 1 + max(0, -((first - dim) // size))
            for dim, first, size in zip(self.shape, self.first, self.size, strict=True)
        )


def in_rows(shape: Sequence[int], itemsize: int, limit: int) -> Boxes:
    """Cut a C-ordered array into boxes that lie in one piece of at most `limit` bytes, or are one element."""
    size = [1] * len(shape)
    bytes_ = itemsize
    for axis in reversed(range(len(shape))):
        size[axis] = max(1, min(shape[axis], limit // bytes_ if bytes_ else shape[axis]))
        if size[axis] < shape[axis]:
            break
        bytes_ *= shape[axis]
    return Boxes(tuple(shape), tuple(size), tuple(size))


def in_cells(grid: Grid, itemsize: int, limit: int) -> Boxes:
    """Join the cells of a grid to boxes of at most `limit` bytes, or of one cell, that are about as long on every axis.

    A long and thin box would have more neighbours, with which it shares chunks of the input.
    """
    size = [max(1, min(grain, dim)) for dim, grain in zip(grid.shape, grid.grain, strict=True)]
    joined = [1] * len(size)
    bytes_ = math.prod(size) * itemsize
    growing = True
    while growing:
        growing = False
        for axis in sorted(range(len(size)), key=lambda axis: (joined[axis], -axis)):
            if size[axis] < grid.shape[axis] and 2 * bytes_ <= limit:
                size[axis] *= 2
                joined[axis] *= 2
                bytes_ *= 2
                growing = True
                break
    first = [cut + (cells - 1) * grain for cut, cells, grain in zip(grid.first, joined, grid.grain, strict=True)]
    return Boxes(grid.shape, tuple(first), tuple(size))


def of_chunks(region: _core.Region, chunks: Sequence[int]) -> Grid:
    """Return where the result of a region crosses from one chunk of the input to the next.

    If a step does not divide the chunks, the borders drift: all but the first are places near such crossings.
    """
    first, grain = [], []
    for axis in region.out_axes:
        if axis < 0:
            first.append(1)
            grain.append(1)
            continue
        (start, _, step), chunk = region.ranges[axis], chunks[axis]
        offset = start % chunk
        room = (chunk - 1 - offset if step > 0 else offset) // abs(step)
        first.append(room + 1)
        grain.append(-(-chunk // abs(step)))
    return Grid(region.shape, tuple(first), tuple(grain))


def region_of(box: Box, shape: Sequence[int]) -> _core.Region:
    """Return the region that takes a box of an array of this shape."""
    ranges = [(part.start, part.stop - part.start, 1) for part in box]
    return _core.Region(shape, ranges, range(len(ranges)))
