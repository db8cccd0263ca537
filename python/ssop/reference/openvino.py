"""OpenVINO's StridedSlice-1 and Slice-8."""

from __future__ import annotations

from collections.abc import Sequence

from ssop.reference._axes import entries_of_axes, inclusive_range, region_of_ranges
from ssop.reference._strided import bit, dense_spec
from ssop.reference._tensors import Region, Rejected, Tensor, canonical, take

INT32_EXTREMES = {2**31 - 1: 2**63 - 1, -(2**31): -(2**63)}


def _bounds(vector: Sequence[int]) -> list[int]:
    """The entries, of which the extremes of int32 are those of int64 (ov_s5). A shrunk entry's begin is not one."""
    return [INT32_EXTREMES.get(int(x), int(x)) if str(getattr(x, "dtype", "")) == "int32" else x for x in vector]


def strided_slice_region(
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
    begin_mask: Sequence[int] = (),
    end_mask: Sequence[int] = (),
    new_axis_mask: Sequence[int] = (),
    shrink_axis_mask: Sequence[int] = (),
    ellipsis_mask: Sequence[int] = (),
    strict: bool = False,
) -> Region:
    """Return the region of `shape` that OpenVINO's StridedSlice-1 takes; a mask has an element 0 or 1 per entry.

    Raises `ov_c3`, `ov_c4`, `ov_c9`, `ov_c1`, `ov_c2`, `ov_c5`, `ov_c6`, `ss_c8`, then `ov_c7`, `ov_c8` axis by axis.
    Source: OpenVINO's operation, its shape inference and its slice plan.

    >>> strided_slice_region((5, 6), [-1, -9], [0, 0], [0, -1], end_mask=[0, 1], shrink_axis_mask=[1])
    (((4, 1, 1), (0, 1, 1)), (1,))
    """
    length = len(begin)
    if strides is None:
        strides = [1] * length
    if len(end) != length:
        raise Rejected("ov_c3")
    if len(strides) != length:
        raise Rejected("ov_c4")
    if length > 128:
        raise Rejected("ov_c9", value=length, allowed=(0, 128))
    masks = begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask
    for mask in masks:
        for entry, element in enumerate(mask):
            if element not in (0, 1):
                raise Rejected("ov_c1", entry=entry, value=element)
    if strict:
        for mask in masks:
            if len(mask) not in (0, len(begin_mask)):
                raise Rejected("ov_c2", value=len(mask))
    ellipses = [entry for entry, element in enumerate(ellipsis_mask) if element and (strict or entry < length)]
    if len(ellipses) > 1:
        raise Rejected("ov_c5", entry=ellipses[1])
    # ov_s4: with a bit per element, what a mask lacks is 0 and what it has too much is never looked at.
    begin_bits, end_bits, new_bits, shrink_bits, ellipsis_bits = (
        sum(element << entry for entry, element in enumerate(mask)) for mask in masks
    )
    dense = list(dense_spec(len(shape), length, ellipsis_bits, new_bits, shrink_bits, no_axis="ov_c6"))  # ov_s1
    out_axes = tuple(axis for kind, axis, _ in dense if kind != "shrink")
    if len(out_axes) > 64:
        raise Rejected("ss_c8", value=len(out_axes), allowed=(0, 64))

    ranges = []
    for kind, axis, i in dense:
        if kind == "new":
            continue
        dim = shape[axis]
        if i is None:
            taken = range(dim)
        elif kind == "shrink":  # ov_s3
            index = int(begin[i])
            if not -dim <= index < dim:
                raise Rejected("ov_c8", axis=axis, entry=i, value=index, allowed=(-dim, dim - 1))
            taken = range(index % dim, index % dim + 1)
        else:
            if strides[i] == 0:
                raise Rejected("ov_c7", axis=axis, entry=i, value=0)
            first, last = _bounds([begin[i], end[i]])
            taken = inclusive_range(dim, first, last, strides[i], bit(begin_bits, i), bit(end_bits, i))  # ov_s2
        ranges.append(canonical(taken))
    return tuple(ranges), out_axes


def strided_slice(
    x: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
    begin_mask: Sequence[int] = (),
    end_mask: Sequence[int] = (),
    new_axis_mask: Sequence[int] = (),
    shrink_axis_mask: Sequence[int] = (),
    ellipsis_mask: Sequence[int] = (),
    strict: bool = False,
) -> Tensor:
    """Return what OpenVINO's StridedSlice-1 takes of `x`, with the errors of `strided_slice_region`.

    >>> x = tensor([[1, 2, 3], [4, 5, 6]], (2, 3))
    >>> strided_slice(x, [1, 0, 9], [0, 0, -9], [0, 0, -2], new_axis_mask=[0, 1], shrink_axis_mask=[1])
    Tensor(shape=(1, 2), items=[6, 4])
    """
    masks = begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask
    return take(x, *strided_slice_region(x.shape, begin, end, strides, *masks, strict))


def slice_region(
    shape: Sequence[int],
    start: Sequence[int],
    stop: Sequence[int],
    step: Sequence[int],
    axes: Sequence[int] | None = None,
) -> Region:
    """Return the region of `shape` that OpenVINO's Slice-8 takes; without `axes`, of the first axes.

    Raises `ovs_c1`..`ovs_c7`. Source: OpenVINO's operation and its shape inference.

    >>> slice_region((5, 6), [-9], [9], [2], [-1])
    (((0, 5, 1), (0, 3, 2)), (0, 1))
    """
    rank, length = len(shape), len(start)
    if rank == 0:
        raise Rejected("ovs_c1")
    if not length == len(stop) == len(step):
        raise Rejected("ovs_c2")
    if axes is not None and len(axes) != length:
        raise Rejected("ovs_c3")
    if length > rank:
        raise Rejected("ovs_c4", value=length, allowed=(0, rank))
    entries = entries_of_axes(rank, range(length) if axes is None else axes, "ovs_c5", "ovs_c6")
    taken = {}
    for axis, i in sorted(entries.items()):
        if step[i] == 0:
            raise Rejected("ovs_c7", axis=axis, entry=i, value=0)
        first, last = _bounds([start[i], stop[i]])
        taken[axis] = inclusive_range(shape[axis], first, last, step[i], False, False)  # ovs_s1
    return region_of_ranges(shape, taken)


def slice(
    x: Tensor,
    start: Sequence[int],
    stop: Sequence[int],
    step: Sequence[int],
    axes: Sequence[int] | None = None,
) -> Tensor:
    """Return what OpenVINO's Slice-8 takes of `x`, with the errors of `slice_region`.

    >>> slice(tensor([0, 1, 2, 3, 4], (5,)), [-9], [-9], [-1])
    Tensor(shape=(1,), items=[0])
    """
    return take(x, *slice_region(x.shape, start, stop, step, axes))
