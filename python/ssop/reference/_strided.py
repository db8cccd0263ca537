"""TensorFlow's StridedSlice: a sparse spec with five masks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

from ssop.reference._tensors import INT64_MAX, Region, Rejected, Tensor, canonical, region_shape, take


def bit(mask: int, entry: int) -> bool:
    """Tell whether entry `entry` has its bit in an int32 mask; -1 has them all (ss_s9).

    >>> bit(0b100, 2), bit(-1, 30)
    (True, True)
    """
    return bool(mask >> entry & 1)


def dense_spec(
    rank: int,
    length: int,
    ellipsis_mask: int,
    new_axis_mask: int,
    shrink_axis_mask: int,
    no_axis: str = "ss_c4",
) -> Iterator[tuple[str, int, int | None]]:
    """Give `(kind, input axis, entry)` for every place of a spec of `length` entries whose ellipsis is spelt out.

    The kinds are "whole" (under the ellipsis, of no entry), "new" (of no axis: -1), "shrink" and "range".
    Raises `no_axis` for an entry without an axis. Source: the sparse-to-dense step of `ValidateStridedSliceOp`.

    >>> list(dense_spec(3, 2, 0b01, 0, 0b10))
    [('whole', 0, None), ('whole', 1, None), ('shrink', 2, 1)]
    """
    # ss_s2, ss_s8: without an ellipsis bit among its entries, the spec has one more entry, which is the ellipsis.
    ellipsis = next((entry for entry in range(length) if bit(ellipsis_mask, entry)), length)
    axis = 0
    for entry in range(max(length, ellipsis + 1)):
        if entry == ellipsis:  # ss_s1: before the bits that lose against it
            needed = sum(not bit(new_axis_mask, later) for later in range(entry + 1, length))
            for whole in range(axis, rank - needed):
                yield "whole", whole, None
            axis = max(axis, rank - needed)
        elif bit(new_axis_mask, entry):  # ss_s3
            yield "new", -1, entry
        elif axis == rank:
            raise Rejected(no_axis, axis=axis, entry=entry)
        else:
            yield "shrink" if bit(shrink_axis_mask, entry) else "range", axis, entry
            axis += 1


def axis_range(dim: int, begin: int, end: int, stride: int, begin_masked: bool, end_masked: bool) -> range:
    """Return the indices that `begin:end:stride` takes of an axis, in order; nothing is rejected.

    Source: the canonical begin and end of TensorFlow's `ValidateStridedSliceOp`.

    >>> list(axis_range(4, 9, -1, -2, False, True)), list(axis_range(4, 9, -1, -2, False, False))
    ([3, 1], [])
    """
    low, high = (0, dim) if stride > 0 else (-1, dim - 1)

    def clamped(bound: int) -> int:  # ss_s4
        return min(max(bound + dim if bound < 0 else bound, low), high)

    first, last = (low, high) if stride > 0 else (high, low)  # ss_s5
    return range(first if begin_masked else clamped(begin), last if end_masked else clamped(end), stride)  # ss_s6


def strided_slice_region(
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Region:
    """Return the region of `shape` that a spec takes: a range per input axis, and where each output axis comes from.

    `begin`, `end` and `strides` have one length, at most 31. Raises `ss_c1`..`ss_c8`.
    Source: TensorFlow's OpDef of StridedSlice and `ValidateStridedSliceOp`.

    >>> strided_slice_region((5, 6), [-1, 0], [0, 6], [1, 4], shrink_axis_mask=1)
    (((4, 1, 1), (0, 2, 4)), (1,))
    """
    if strides is None:
        strides = [1] * len(begin)
    if not len(begin) == len(end) == len(strides):
        raise Rejected("ss_c1")
    if len(begin) > 31:
        raise Rejected("ss_c2", value=len(begin), allowed=(0, 31))
    if (ellipsis_mask & 0xFFFFFFFF).bit_count() > 1:
        raise Rejected("ss_c3", value=ellipsis_mask)
    dense = list(dense_spec(len(shape), len(begin), ellipsis_mask, new_axis_mask, shrink_axis_mask))  # ss_c4
    out_axes = tuple(axis for kind, axis, _ in dense if kind != "shrink")
    if len(out_axes) > 64:
        raise Rejected("ss_c8", value=len(out_axes), allowed=(0, 64))

    ranges = []
    for kind, axis, i in dense:
        if kind == "new":
            continue
        dim = shape[axis]
        if i is None:
            ranges.append(canonical(range(dim)))
            continue
        if strides[i] == 0:
            raise Rejected("ss_c5", axis=axis, entry=i, value=0)
        if kind == "range":
            taken = axis_range(dim, begin[i], end[i], strides[i], bit(begin_mask, i), bit(end_mask, i))
            ranges.append(canonical(taken))
            continue
        if strides[i] < 0:
            raise Rejected("ss_c6", axis=axis, entry=i, value=strides[i], allowed=(1, INT64_MAX))
        if not -dim <= begin[i] < dim:
            raise Rejected("ss_c7", axis=axis, entry=i, value=begin[i], allowed=(-dim, dim - 1))
        ranges.append((begin[i] + dim if begin[i] < 0 else begin[i], 1, 1))  # ss_s7
    return tuple(ranges), out_axes


def strided_slice(
    x: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Return what a spec takes of `x`, of the shape of `strided_slice_region`, with the same errors.

    >>> strided_slice(tensor([[1, 2, 3], [4, 5, 6]], (2, 3)), [1, -1], [0, 0], [1, -2], end_mask=2, shrink_axis_mask=1)
    Tensor(shape=(2,), items=[6, 4])
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    return take(x, *strided_slice_region(x.shape, begin, end, strides, *masks))


Unknown: TypeAlias = int | tuple[int, int]
"""A number, or the inclusive pair `(low, high)` it is known to lie in."""


def strided_slice_counts(
    dims: Sequence[Unknown],
    begin: Sequence[Unknown],
    end: Sequence[Unknown],
    strides: Sequence[Unknown],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> tuple[tuple[int, int], ...]:
    """Return the least and the greatest count of each output axis, by trying every completion of the pairs (ss_s10).

    Illegal completions count for nothing; if all are illegal, the last one's error is raised.

    >>> strided_slice_counts([(0, 5)], [-3], [2], [1])
    ((0, 2),)
    """

    def completions(numbers: Sequence[Unknown]) -> Iterator[tuple[int, ...]]:
        pairs = [(number, number) if isinstance(number, int) else number for number in numbers]
        return product(*(range(low, high + 1) for low, high in pairs))

    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    shapes: list[tuple[int, ...]] = []
    rejected: Rejected | None = None
    for shape, begins, ends, steps in product(*map(completions, (dims, begin, end, strides))):
        try:
            shapes.append(region_shape(*strided_slice_region(shape, begins, ends, steps, *masks)))
        except Rejected as error:
            rejected = error
    if rejected is not None and not shapes:
        raise rejected
    return tuple((min(counts), max(counts)) for counts in zip(*shapes, strict=True))
