"""TensorFlow Lite's StridedSlice and Slice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ssop.reference._strided import axis_range, bit
from ssop.reference._tensors import INT64_MAX, Region, Rejected, Tensor, canonical, take


def entry_kinds(length: int, ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int) -> list[str]:
    """Return the kind of each of `length` entries; bits past them are ignored.

    >>> entry_kinds(4, 0b10001, 0b0011, 0b0111)
    ['ellipsis', 'new', 'shrink', 'range']
    """
    masks = {"ellipsis": ellipsis_mask, "new": new_axis_mask, "shrink": shrink_axis_mask, "range": -1}
    return [next(kind for kind, mask in masks.items() if bit(mask, entry)) for entry in range(length)]


def dense_spec(rank: int, kinds: Sequence[str]) -> Iterator[tuple[str, int, int | None]]:
    """Give `(kind, input axis, entry)` as TensorFlow's `dense_spec` does, for TensorFlow Lite's rules.

    Raises `tfl_c4`. Source: `BuildStridedSliceParams` of TensorFlow Lite's kernel.

    >>> list(dense_spec(2, ["range", "ellipsis", "range"]))
    [('range', 0, 0), ('whole', 1, None)]
    """
    axis = 0
    for entry, kind in enumerate(kinds):
        after = kinds[entry + 1 :]
        if kind == "new":
            yield "new", -1, entry
        elif axis == rank:
            if "new" in after:
                raise Rejected("tfl_c4", axis=axis, entry=entry)
            return  # tfl_s3
        elif kind == "ellipsis":  # tfl_s3: one axis at least, even if the entries after it lose theirs
            stop = max(axis + 1, rank - sum(later != "new" for later in after))
            for whole in range(axis, stop):
                yield "whole", whole, None
            axis = stop
        else:
            yield kind, axis, entry
            axis += 1
    for whole in range(axis, rank):
        yield "whole", whole, None


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
    offset: bool = False,
) -> Region:
    """Return the region of `shape` that TensorFlow Lite's StridedSlice takes.

    Raises `tfl_c1`..`tfl_c4`, `ss_c8`, `tfl_c8`, then `tfl_c5`, `tfl_c6`, `tfl_c7` and `tfl_c9` axis by axis.
    Source: TensorFlow Lite's kernel and its reference implementation.

    >>> strided_slice_region((5, 6), [-9, 1], [0, 3], begin_mask=1, shrink_axis_mask=1, offset=True)
    (((0, 1, 1), (1, 3, 1)), (1,))
    """
    if strides is None:
        strides = [1] * len(begin)
    if not len(begin) == len(end) == len(strides):
        raise Rejected("tfl_c1")
    if len(begin) > 31:
        raise Rejected("tfl_c2", value=len(begin), allowed=(0, 31))
    kinds = entry_kinds(len(begin), ellipsis_mask, new_axis_mask, shrink_axis_mask)
    if kinds.count("ellipsis") > 1:
        raise Rejected("tfl_c3", value=ellipsis_mask)
    dense = list(dense_spec(len(shape), kinds))  # tfl_c4
    out_axes = tuple(axis for kind, axis, _ in dense if kind != "shrink")
    if len(out_axes) > 64:
        raise Rejected("ss_c8", value=len(out_axes), allowed=(0, 64))
    if offset:
        for entry, kind in enumerate(kinds):
            if kind in ("ellipsis", "new"):
                raise Rejected("tfl_c8", entry=entry)
        if len(kinds) < len(shape):
            raise Rejected("tfl_c8", axis=len(kinds))

    ranges = []
    for kind, axis, i in dense:
        if kind == "new":
            continue
        dim = shape[axis]
        if i is None:
            ranges.append(canonical(range(dim)))
            continue
        if strides[i] == 0:
            raise Rejected("tfl_c5", axis=axis, entry=i, value=0)
        begin_masked, end_masked = bit(begin_mask, i), bit(end_mask, i)
        first = axis_range(dim, begin[i], 0, strides[i], begin_masked, True).start
        if kind == "shrink":
            if strides[i] < 0:
                raise Rejected("tfl_c6", axis=axis, entry=i, value=strides[i], allowed=(1, INT64_MAX))
            if first == dim:
                raise Rejected("tfl_c7", axis=axis, entry=i, value=begin[i], allowed=(-dim, dim - 1))
            ranges.append((first, 1, 1))  # tfl_s1, tfl_s2
            continue
        stop = first + end[i] if offset else end[i]  # tfl_s4
        taken = axis_range(dim, begin[i], stop, strides[i], begin_masked, end_masked)
        if offset and len(taken) != max(-(-end[i] // strides[i]), 0):
            raise Rejected("tfl_c9", axis=axis, entry=i, value=end[i])
        ranges.append(canonical(taken))
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
    offset: bool = False,
) -> Tensor:
    """Return what TensorFlow Lite's StridedSlice takes of `x`, with the errors of `strided_slice_region`.

    >>> strided_slice(tensor([0, 1, 2, 3, 4], (5,)), [-4], [3], offset=True)
    Tensor(shape=(3,), items=[1, 2, 3])
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    return take(x, *strided_slice_region(x.shape, begin, end, strides, *masks, offset))


def slice_region(shape: Sequence[int], begin: Sequence[int], size: Sequence[int]) -> Region:
    """Return the region of `shape` that TensorFlow Lite's Slice takes; both lists have one entry per axis.

    Raises `tfs_c1`, then `tfs_c2`, `tfs_c3` and `tfs_c4` axis by axis. Source: TensorFlow Lite's kernel of Slice.

    >>> slice_region((5, 6), [1, 6], [3, -1])
    (((1, 3, 1), (0, 0, 1)), (0, 1))
    """
    rank = len(shape)
    if not len(begin) == len(size) == rank:
        raise Rejected("tfs_c1")
    ranges = []
    for axis, dim in enumerate(shape):
        first, length = begin[axis], size[axis]
        if not 0 <= first <= dim:
            raise Rejected("tfs_c2", axis=axis, entry=axis, value=first, allowed=(0, dim))
        if length < -1:
            raise Rejected("tfs_c3", axis=axis, entry=axis, value=length, allowed=(0, dim - first))
        if length > dim - first:
            raise Rejected("tfs_c4", axis=axis, entry=axis, value=length, allowed=(0, dim - first))
        ranges.append(canonical(range(first, dim if length == -1 else first + length)))  # tfs_s1
    return tuple(ranges), tuple(range(rank))


def slice(x: Tensor, begin: Sequence[int], size: Sequence[int]) -> Tensor:
    """Return what TensorFlow Lite's Slice takes of `x`, with the errors of `slice_region`.

    >>> slice(tensor([0, 1, 2, 3, 4], (5,)), [2], [-1])
    Tensor(shape=(3,), items=[2, 3, 4])
    """
    return take(x, *slice_region(x.shape, begin, size))
