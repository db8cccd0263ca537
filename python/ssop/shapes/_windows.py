"""Shapes of XLA's DynamicUpdateSlice and of its forms for one axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from ssop import _core, _vectors
from ssop._core import PartialShape, SliceError
from ssop.shapes._arguments import (
    MAX_RANK,
    UNKNOWN_VECTOR,
    Mode,
    OutOfBounds,
    ShapeLike,
    VectorLike,
    check_mode,
    dims_of,
    least,
)

INT64_MAX = 2**63 - 1


def dynamic_update_slice(
    operand_shape: ShapeLike,
    update_shape: ShapeLike,
    start_indices: VectorLike,
    *,
    out_of_bounds: OutOfBounds = "clamp",
    allow_negative_indices: bool | Sequence[bool] = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's DynamicUpdateSlice of an operand of this shape: its own.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    update_shape : the shape of the update
    start_indices : sequence of int or None (unknown), one per axis; or `unknown(n)`
    out_of_bounds, allow_negative_indices : as for ssop.dynamic_update_slice
    mode : "tight" also says of every dim that the update fits into it, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; the operand's itself if the update says no more.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dus_*, ds_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of DynamicUpdateSlice (sh_s29).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.dynamic_update_slice([None, 8], [3, 2], ssop.shapes.unknown(2), mode="tight")
    PartialShape([(3, None), 8])
    """
    check_mode("dynamic_update_slice", mode)
    operand, update = PartialShape(operand_shape), PartialShape(update_shape)
    rank = update.rank if operand.rank is None else operand.rank
    starts = _read_starts(start_indices)
    if len(starts) > MAX_RANK:
        some = (0,) * (MAX_RANK if rank is None else rank)
        _core.dynamic_update_slice_regions(some, some, starts)  # raises
    if rank is None and start_indices is not UNKNOWN_VECTOR:
        rank = len(starts)
    if rank is None:
        return operand
    starts = (0,) * rank if start_indices is UNKNOWN_VECTOR else starts
    window = (0,) * rank if update.rank is None else least(update)
    options: dict[str, Any] = {"out_of_bounds": out_of_bounds, "allow_negative_indices": allow_negative_indices}
    return _updated(
        operand, rank, lambda dims: _core.dynamic_update_slice_regions(dims, window, starts, **options), mode
    )


def _read_starts(start_indices: VectorLike) -> Any:
    """The start indices, 0 for unknown ones; an array stays one, for the core to read (ds_s4, in_c6)."""
    if start_indices is UNKNOWN_VECTOR:
        return ()
    if isinstance(start_indices, np.ndarray) and start_indices.ndim > 0 and start_indices.dtype != object:
        return start_indices
    read = _vectors.items("dynamic_update_slice", "start_indices", start_indices)
    return [0 if start is None else start for start in read]


Resolve: TypeAlias = Callable[[Sequence[int]], object]


def _updated(operand: PartialShape, rank: int, resolve: Resolve, mode: Mode) -> PartialShape:
    """The operand, every dim at least so large that there is a window (sh_s29); in TensorFlow's mode without intervals.

    `resolve` raises if an operand of these dims has no such window. If an operand has one, larger operands have one,
    too: the largest operand tells whether any is valid, and bisection finds the smallest.
    """
    greatest = (INT64_MAX,) * rank
    if operand.intervals is not None:
        greatest = tuple(INT64_MAX if high is None else high for _, high in operand.intervals)
    resolve(greatest)
    if operand.rank is None and mode == "tf":
        return operand
    result = operand.with_rank(rank)
    for axis, dim in enumerate(dims_of(result)):
        low, high = dim.interval[0], greatest[axis]
        middle = low
        while low < high:
            if _is_valid(resolve, (*greatest[:axis], middle, *greatest[axis + 1 :])):
                high = middle
            else:
                low = middle + 1
            middle = (low + high) // 2
        if low > dim.interval[0] and (mode == "tight" or low == greatest[axis]):
            result = result.replace_dim(axis, dim.merge((low, None)))
    return result


def _is_valid(resolve: Resolve, dims: Sequence[int]) -> bool:
    try:
        resolve(dims)
    except SliceError:
        return False
    return True


def dynamic_update_slice_in_dim(
    operand_shape: ShapeLike,
    update_shape: ShapeLike,
    start_index: int | None,
    axis: int,
    *,
    out_of_bounds: OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's DynamicUpdateSlice at a start on one axis: that of the operand.

    Parameters
    ----------
    operand_shape, update_shape : the shapes of operand and update
    start_index : int, or None (unknown)
    axis, out_of_bounds, allow_negative_indices : as for ssop.xla.dynamic_update_slice_in_dim
    mode : as for dynamic_update_slice

    Returns
    -------
    PartialShape : the shape of the result; the operand's itself if the update says no more.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dim_*, dus_*, ds_*, in_*, sh_*) in SPEC.md.

    Source: jax.lax.dynamic_update_slice_in_dim (sh_s29).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.dynamic_update_slice_in_dim([None, 8], [3, 2], None, axis=1)
    PartialShape([None, 8])
    """
    options: dict[str, Any] = {"out_of_bounds": out_of_bounds, "allow_negative_indices": allow_negative_indices}
    check_mode("xla.dynamic_update_slice_in_dim", mode)
    operand, update = PartialShape(operand_shape), PartialShape(update_shape)
    rank = update.rank if operand.rank is None else operand.rank
    if rank is None:
        return operand
    window, start = (0,) * rank if update.rank is None else least(update), 0 if start_index is None else start_index
    resolve = _core.xla_dynamic_update_slice_in_dim_regions
    return _updated(operand, rank, lambda dims: resolve(dims, window, start, axis, **options), mode)


def dynamic_update_index_in_dim(
    operand_shape: ShapeLike,
    update_shape: ShapeLike,
    index: int | None,
    axis: int,
    *,
    out_of_bounds: OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's DynamicUpdateSlice at an index of one axis: that of the operand.

    Parameters
    ----------
    operand_shape, update_shape : the shapes of operand and update; the latter may lack the axis
    index : int, or None (unknown)
    axis, out_of_bounds, allow_negative_indices : as for ssop.xla.dynamic_update_index_in_dim
    mode : as for dynamic_update_slice

    Returns
    -------
    PartialShape : the shape of the result; the operand's itself if the update says no more.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dim_*, dus_*, ds_*, in_*, sh_*) in SPEC.md.

    Source: jax.lax.dynamic_update_index_in_dim (sh_s29).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.dynamic_update_index_in_dim([None, 8], [8], None, axis=0, mode="tight")
    PartialShape([(1, None), 8])
    """
    options: dict[str, Any] = {"out_of_bounds": out_of_bounds, "allow_negative_indices": allow_negative_indices}
    check_mode("xla.dynamic_update_index_in_dim", mode)
    operand, update = PartialShape(operand_shape), PartialShape(update_shape)
    if operand.rank is None:
        return operand  # the update may have as many axes, or one less
    window, start = (0,) * operand.rank if update.rank is None else least(update), 0 if index is None else index
    resolve = _core.xla_dynamic_update_index_in_dim_regions
    return _updated(operand, operand.rank, lambda dims: resolve(dims, window, start, axis, **options), mode)
