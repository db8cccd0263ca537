"""XLA's Slice, DynamicSlice and DynamicUpdateSlice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ssop.reference._tensors import INT64_MAX, Region, Rejected, Tensor, build, canonical, take


def slice_region(
    shape: Sequence[int],
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Region:
    """Return the region of `shape` that XLA's Slice takes; the three lists have one entry per axis.

    Raises `sl_c1`..`sl_c7`. Source: XLA's `InferSliceShape`, StableHLO's `slice`.

    >>> slice_region((5, 6), [1, 6], [4, 6], [2, 1])
    (((1, 2, 2), (0, 0, 1)), (0, 1))
    """
    rank = len(shape)
    if strides is None:
        strides = [1] * len(start_indices)
    if len(start_indices) != len(limit_indices):
        raise Rejected("sl_c1")
    if len(start_indices) != len(strides):
        raise Rejected("sl_c2")
    if len(start_indices) != rank:
        raise Rejected("sl_c3", value=len(start_indices), allowed=(rank, rank))

    ranges = []
    for axis, dim in enumerate(shape):
        start, limit, stride = start_indices[axis], limit_indices[axis], strides[axis]
        if start < 0:
            raise Rejected("sl_c4", axis=axis, entry=axis, value=start, allowed=(0, dim))
        if limit > dim:
            raise Rejected("sl_c5", axis=axis, entry=axis, value=limit, allowed=(0, dim))
        if limit < start:
            raise Rejected("sl_c6", axis=axis, entry=axis, value=limit, allowed=(start, dim))
        if stride <= 0:
            raise Rejected("sl_c7", axis=axis, entry=axis, value=stride, allowed=(1, INT64_MAX))
        ranges.append(canonical(range(start, limit, stride)))  # sl_s1
    return tuple(ranges), tuple(range(rank))


def slice(
    x: Tensor,
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Tensor:
    """Return what XLA's Slice takes of `x`, with the errors of `slice_region`.

    >>> slice(tensor([0, 1, 2, 3, 4], (5,)), [1], [5], [2])
    Tensor(shape=(2,), items=[1, 3])
    """
    return take(x, *slice_region(x.shape, start_indices, limit_indices, strides))


# DynamicSlice and DynamicUpdateSlice


POLICIES = ("clamp", "wrap", "raise")
"""What happens to a window that does not fit; one that is read may also be filled."""


def check_policy(out_of_bounds: str, policies: Sequence[str] = POLICIES) -> None:
    """Raise `ds_c6` for a policy that does not exist.

    >>> check_policy("clamp")
    """
    if out_of_bounds not in policies:
        raise Rejected("ds_c6", value=out_of_bounds)


def check_read_policy(out_of_bounds: str, fill_value: Any) -> None:
    """Raise `ds_c6` or `ds_c8` for a window that is read; None stands for no `fill_value`.

    >>> check_read_policy("fill", None)
    """
    check_policy(out_of_bounds, (*POLICIES, "fill"))
    if out_of_bounds != "fill" and fill_value is not None:
        raise Rejected("ds_c8", value=fill_value)


def per_axis(allow_negative_indices: bool | Sequence[bool], rank: int) -> Sequence[bool]:
    """Return one bool per axis. Raises `ds_c7`.

    >>> per_axis(True, 2)
    [True, True]
    """
    if isinstance(allow_negative_indices, bool):
        return [allow_negative_indices] * rank
    if len(allow_negative_indices) != rank:
        raise Rejected("ds_c7", value=len(allow_negative_indices), allowed=(rank, rank))
    return allow_negative_indices


def window(dim: int, start: int, size: int, out_of_bounds: str) -> Sequence[int]:
    """Return the `size` indices of an axis that a window starting at `start` covers, in order.

    A start of any width does (ds_s4). For "fill" they may be outside; for the others, `size` is at most `dim`.
    Source: XLA today for "clamp", XLA before May 2018 for "wrap", jax.numpy.take for "fill".

    >>> list(window(8, 6, 4, "clamp")), window(8, 6, 4, "wrap"), list(window(8, 6, 4, "fill"))
    ([4, 5, 6, 7], [6, 7, 0, 1], [6, 7, 8, 9])
    """
    if out_of_bounds == "fill":
        return range(start, start + size)  # ds_s5
    if out_of_bounds == "wrap":
        return [(start + i) % dim for i in range(size)]  # ds_s2
    inside = min(max(start, 0), dim - size)  # ds_s1
    return range(inside, inside + size)


def dynamic_slice(
    x: Tensor,
    start_indices: Sequence[Any],
    slice_sizes: Sequence[int],
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool | Sequence[bool] = False,
    fill_value: Any = None,
) -> Tensor:
    """Return the window of shape `slice_sizes` at `start_indices`; both lists have one entry per axis.

    What is outside of `x` is `fill_value`, or 0 if that is None. Lists of starts give their windows one after the
    other, in an axis before those of a window. Raises `ds_c1`..`ds_c9`. Source: XLA's `InferDynamicSliceShape`,
    StableHLO's `dynamic_slice`.

    >>> dynamic_slice(tensor([0, 1, 2, 3, 4], (5,)), [4], [2])
    Tensor(shape=(2,), items=[3, 4])
    """
    rank = len(x.shape)
    check_read_policy(out_of_bounds, fill_value)
    if start_indices and isinstance(start_indices[0], (list, tuple)):
        options = out_of_bounds, allow_negative_indices, fill_value
        return _windows_of_rows(x, start_indices, slice_sizes, options)
    if len(start_indices) != rank:
        raise Rejected("ds_c1", value=len(start_indices), allowed=(rank, rank))
    if len(slice_sizes) != rank:
        raise Rejected("ds_c2", value=len(slice_sizes), allowed=(rank, rank))
    from_the_end = per_axis(allow_negative_indices, rank)

    windows = []
    for axis, dim in enumerate(x.shape):
        start, size = start_indices[axis], slice_sizes[axis]
        if size < 0:
            most = INT64_MAX if out_of_bounds == "fill" else dim
            raise Rejected("ds_c3", axis=axis, entry=axis, value=size, allowed=(0, most))
        if size > dim and out_of_bounds != "fill":
            raise Rejected("ds_c4", axis=axis, entry=axis, value=size, allowed=(0, dim))
        counted = start + dim if from_the_end[axis] and start < 0 else start  # ds_s3
        if out_of_bounds == "raise" and not 0 <= counted <= dim - size:
            raise Rejected("ds_c5", axis=axis, entry=axis, value=start, allowed=(0, dim - size))
        windows.append(window(dim, counted, size, out_of_bounds))

    def item(index: tuple[int, ...]) -> Any:
        place = [covered[i] for covered, i in zip(windows, index, strict=True)]
        inside = all(0 <= i < dim for i, dim in zip(place, x.shape, strict=True))
        return x.at(place) if inside else 0 if fill_value is None else fill_value

    return build(slice_sizes, item)


def _windows_of_rows(x: Tensor, rows: Any, slice_sizes: Sequence[int], options: tuple[str, Any, Any]) -> Tensor:
    """Return the window of each row of starts, one after the other (ds_s6). Raises `ds_c9`."""
    width = len(rows[0])
    for row, starts in enumerate(rows):
        if len(starts) != width:
            raise Rejected("ds_c9", entry=row, value=len(starts), allowed=(width, width))
    windows = [dynamic_slice(x, starts, slice_sizes, *options) for starts in rows]
    return Tensor((len(windows), *slice_sizes), [item for window in windows for item in window.items])


def dynamic_update_slice(
    x: Tensor,
    update: Tensor,
    start_indices: Sequence[int],
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool | Sequence[bool] = False,
) -> Tensor:
    """Return `x` with `update`, which has its rank, in place of the window of that shape at `start_indices`.

    Raises `ds_c6`, `dus_c1`, `dus_c2`, `ds_c7`, `dus_c3` and `dus_c5`.
    Source: XLA's `InferDynamicUpdateSliceShape`, StableHLO's `dynamic_update_slice`.

    >>> dynamic_update_slice(tensor([0, 1, 2, 3, 4], (5,)), tensor([70, 80], (2,)), [-1])
    Tensor(shape=(5,), items=[70, 80, 2, 3, 4])
    """
    rank = len(x.shape)
    check_policy(out_of_bounds)
    if len(start_indices) != rank:
        raise Rejected("dus_c1", value=len(start_indices), allowed=(rank, rank))
    if len(update.shape) != rank:
        raise Rejected("dus_c2", value=len(update.shape), allowed=(rank, rank))
    from_the_end = per_axis(allow_negative_indices, rank)

    windows = []
    for axis, (dim, size) in enumerate(zip(x.shape, update.shape, strict=True)):
        start = start_indices[axis]
        if size > dim:
            raise Rejected("dus_c3", axis=axis, entry=axis, value=size, allowed=(0, dim))
        counted = start + dim if from_the_end[axis] and start < 0 else start  # ds_s3
        if out_of_bounds == "raise" and not 0 <= counted <= dim - size:
            raise Rejected("dus_c5", axis=axis, entry=axis, value=start, allowed=(0, dim - size))
        windows.append(window(dim, counted, size, out_of_bounds))

    def item(index: tuple[int, ...]) -> Any:  # dus_s1
        pairs = list(zip(windows, index, strict=True))
        if all(i in covered for covered, i in pairs):
            return update.at([covered.index(i) for covered, i in pairs])
        return x.at(index)

    return build(x.shape, item)
