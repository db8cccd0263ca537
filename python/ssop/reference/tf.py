"""TensorFlow's gradient, updates and Slice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ssop.reference._strided import strided_slice_region
from ssop.reference._tensors import Region, Rejected, Tensor, build, canonical, origin, region_shape, take


def strided_slice_grad(
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None,
    dy: Tensor,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    zero: Any = 0,
) -> Tensor:
    """Return zeros of `shape` with `dy` where the slice of them would be.

    Raises `ss_c1`..`ss_c8`, `gr_c1`. Source: TensorFlow's kernel of StridedSliceGrad.

    >>> strided_slice_grad((5,), [-1], [0], [-2], tensor([1, 2], (2,)))
    Tensor(shape=(5,), items=[0, 0, 2, 0, 1])
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    region = strided_slice_region(shape, begin, end, strides, *masks)
    taken = region_shape(*region)
    if dy.shape != taken:
        pairs = zip(dy.shape, taken, strict=True) if len(dy.shape) == len(taken) else ()
        raise Rejected("gr_c1", axis=next((i for i, (a, b) in enumerate(pairs) if a != b), None), value=dy.shape)

    def item(index: tuple[int, ...]) -> Any:  # gr_s1
        place = origin(index, *region)
        return zero if place is None else dy.at(place)

    return build(shape, item)


def tensor_strided_slice_update(
    x: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None,
    value: Tensor,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Return `x` with `value`, repeated where it is shorter, in place of a slice.

    Raises `ss_c1`..`ss_c8`, `as_c1`. Source: TensorFlow's kernels of StridedSliceAssign and TensorStridedSliceUpdate.

    >>> tensor_strided_slice_update(tensor([0, 1, 2, 3, 4], (5,)), [-1], [0], [-2], tensor([[7]], (1, 1)))
    Tensor(shape=(5,), items=[0, 1, 7, 3, 7])
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    region = strided_slice_region(x.shape, begin, end, strides, *masks)
    if any(count == 0 for _, count, _ in region[0]):  # as_s2
        return x
    taken = region_shape(*region)
    extra = len(value.shape) - len(taken)
    for axis, dim in enumerate(value.shape):
        if dim != 1 and (axis < extra or dim != taken[axis - extra]):
            raise Rejected("as_c1", axis=axis if axis < extra else axis - extra, value=value.shape)

    def item(index: tuple[int, ...]) -> Any:
        place = origin(index, *region)
        if place is None:
            return x.at(index)
        return value.at([0 if dim == 1 else place[axis - extra] for axis, dim in enumerate(value.shape)])  # as_s1

    return build(x.shape, item)


def slice_region(shape: Sequence[int], begin: Sequence[int], size: Sequence[int]) -> Region:
    """Return the region of `shape` that TensorFlow's Slice takes; both lists have one entry per axis.

    Raises `tsl_c1`..`tsl_c3`. Source: TensorFlow's kernel of Slice.

    >>> slice_region((5, 6), [1, 6], [3, -1])
    (((1, 3, 1), (0, 0, 1)), (0, 1))
    """
    rank = len(shape)
    if not len(begin) == len(size) == rank:
        raise Rejected("tsl_c1")
    ranges = []
    for axis, dim in enumerate(shape):
        first, length = begin[axis], size[axis]
        if not 0 <= first <= dim:
            raise Rejected("tsl_c2", axis=axis, entry=axis, value=first, allowed=(0, dim))
        if length != -1 and not 0 <= length <= dim - first:
            raise Rejected("tsl_c3", axis=axis, entry=axis, value=length, allowed=(0, dim - first))
        ranges.append(canonical(range(first, dim if length == -1 else first + length)))  # tsl_s1
    return tuple(ranges), tuple(range(rank))


def slice(x: Tensor, begin: Sequence[int], size: Sequence[int]) -> Tensor:
    """Return what TensorFlow's Slice takes of `x`, with the errors of `slice_region`.

    >>> slice(tensor([0, 1, 2, 3, 4], (5,)), [2], [-1])
    Tensor(shape=(3,), items=[2, 3, 4])
    """
    return take(x, *slice_region(x.shape, begin, size))
