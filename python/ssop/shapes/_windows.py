"""Shapes of XLA's DynamicUpdateSlice and of its forms for one axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ssop import _core
from ssop._core import Dim, PartialShape, SliceError
from ssop.shapes._arguments import UNKNOWN_VECTOR, ShapeLike, VectorLike, check_mode, dims_of, in_mode, least

INT64_MAX = 2**63 - 1


def dynamic_update_slice(
    operand_shape: ShapeLike,
    update_shape: ShapeLike,
    start_indices: VectorLike,
    *,
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool | Sequence[bool] = False,
    mode: str = "tf",
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
    rank = _rank(operand, update)
    if start_indices is UNKNOWN_VECTOR:
        start_indices = (None,) * (rank or 0)
        if rank is None:
            return operand
    if rank is None:
        rank = len(start_indices)  # type: ignore[arg-type]
    starts = _starts(start_indices, out_of_bounds)
    options = {"out_of_bounds": out_of_bounds, "allow_negative_indices": allow_negative_indices}
    windows = (0,) * rank if update.rank is None else least(update)
    _core.dynamic_update_slice_regions(_greatest(operand, rank), windows, starts, **options)  # type: ignore[arg-type]
    if operand.rank is None and mode == "tf":
        return operand
    needed = _least_dims(operand.with_rank(rank), windows, lambda dims: _fits(dims, windows, starts, options))
    return in_mode(mode, needed)


def _rank(operand: PartialShape, update: PartialShape) -> int | None:
    return update.rank if operand.rank is None else operand.rank


def _starts(start_indices: Any, out_of_bounds: str) -> list[Any]:
    """The starts; unknown ones are 0, with which every window fits that fits with any start."""
    del out_of_bounds
    return [0 if start is None else start for start in start_indices]


def _greatest(shape: PartialShape, rank: int) -> tuple[int, ...]:
    """The largest known shape that a shape may be."""
    if shape.intervals is None:
        return (INT64_MAX,) * rank
    return tuple(INT64_MAX if high is None else high for _, high in shape.intervals)


def _fits(dims: Sequence[int], windows: Sequence[int], starts: Sequence[Any], options: dict[str, Any]) -> bool:
    try:
        _core.dynamic_update_slice_regions(dims, windows, starts, **options)
    except SliceError:
        return False
    return True


def _least_dims(operand: PartialShape, windows: Sequence[int], fits: Any) -> PartialShape:
    """The operand, every dim of it at least so large that the update fits.

    If an update fits into a dim, it fits into every larger one, so the smallest such dim is found by bisection.
    """
    greatest = _greatest(operand, len(windows))
    for axis, dim in enumerate(dims_of(operand)):
        low, high = max(dim.interval[0], windows[axis]), greatest[axis]
        while low < high:
            middle = (low + high) // 2
            if fits((*greatest[:axis], middle, *greatest[axis + 1 :])):
                high = middle
            else:
                low = middle + 1
        if low > dim.interval[0]:
            operand = operand.replace_dim(axis, dim.merge((low, None)))
    return operand


def dynamic_update_slice_in_dim(
    operand_shape: ShapeLike,
    update_shape: ShapeLike,
    start_index: int | None,
    axis: int,
    *,
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool = False,
    mode: str = "tf",
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
    options = {"out_of_bounds": out_of_bounds, "allow_negative_indices": allow_negative_indices}
    check_mode("xla.dynamic_update_slice_in_dim", mode)
    return _updated(
        _core.xla_dynamic_update_slice_in_dim_regions, operand_shape, update_shape, start_index, axis, options, mode
    )


def dynamic_update_index_in_dim(
    operand_shape: ShapeLike,
    update_shape: ShapeLike,
    index: int | None,
    axis: int,
    *,
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool = False,
    mode: str = "tf",
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
    options = {"out_of_bounds": out_of_bounds, "allow_negative_indices": allow_negative_indices}
    check_mode("xla.dynamic_update_index_in_dim", mode)
    return _updated(
        _core.xla_dynamic_update_index_in_dim_regions, operand_shape, update_shape, index, axis, options, mode
    )
