"""Shapes of TensorFlow's StridedSlice and of its gradient and updates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ssop import _core
from ssop._core import Dim, PartialShape, SliceError
from ssop._errors import value_error
from ssop.shapes import _formulas, _merging
from ssop.shapes._arguments import (
    UNKNOWN_VECTOR,
    DimLike,
    Mode,
    ShapeLike,
    VectorLike,
    check_mode,
    dims_of,
    of_unknown_rank,
    same_length,
)
from ssop.shapes._rules import ShapeRules


def strided_slice(
    input_shape: ShapeLike,
    begin: VectorLike,
    end: VectorLike,
    strides: VectorLike | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of TensorFlow's StridedSlice of an input of this shape.

    Parameters
    ----------
    input_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    begin, end, strides : sequences of int, None (unknown) or (least, greatest); or `unknown(n)`
        strides=None means all ones.
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int32, as for ssop.strided_slice
    mode : "tf" answers as TensorFlow does, which reads begin and end only if every entry is known, and gives an
        unknown rank if an entry of strides is not; "tight" gives the smallest interval of every dim.

    Returns
    -------
    PartialShape : the shape of the result; in the tight mode, dims that are taken whole keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (ss_*, in_*, sh_*) in SPEC.md.

    Source: TensorFlow's shape function of StridedSlice (sh_s20, sh_s21).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.strided_slice([5, None, 7], [3, 0, 4], [5, 0, 5], None, 2, 2, shrink_axis_mask=4)
    PartialShape([2, None])
    >>> ssop.shapes.strided_slice([None], [2], [5]), ssop.shapes.strided_slice([None], [2], [5], mode="tight")
    (PartialShape([None]), PartialShape([(0, 3)]))
    """
    if begin is UNKNOWN_VECTOR or end is UNKNOWN_VECTOR or strides is UNKNOWN_VECTOR:
        vectors = same_length("strided_slice", begin=begin, end=end, strides=strides)
        if vectors is None:
            return of_unknown_rank("strided_slice", mode)
        begin, end, strides = vectors
    result = _core.infer_strided_slice(  # no tuple of masks, which would cost as much as a third of the call
        input_shape,
        begin,
        end,
        strides,
        begin_mask,
        end_mask,
        ellipsis_mask,
        new_axis_mask,
        shrink_axis_mask,
        mode=mode,
    )
    if mode != "tight" or not _formulas.has_names(input_shape):
        return result
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _formulas.strided(result, "tf", input_shape, (begin, end, strides), masks)


def strided_slice_grad(
    shape: ShapeLike | VectorLike,
    begin: VectorLike,
    end: VectorLike,
    strides: VectorLike | None,
    dy_shape: ShapeLike,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of TensorFlow's StridedSliceGrad: that which its argument `shape` says.

    Parameters
    ----------
    shape : a shape; or a vector of dims, in which -1 is unknown; or `unknown(n)`
    begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : as for strided_slice
    dy_shape : the shape of the gradient
    mode : "tf" reads `shape` only, as TensorFlow's shape function does; "tight" also checks that the slice of it may
        have the shape of dy.

    Returns
    -------
    PartialShape : `shape` itself if it is a PartialShape.

    Raises
    ------
    SliceError : `label` names the rule (gr_*, ss_*, in_*, sh_*) in SPEC.md.

    Source: TensorFlow's shape function of StridedSliceGrad (sh_s26).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.strided_slice_grad([5, -1], [0], [5], [2], [3, None])
    PartialShape([5, None])
    """
    check_mode("strided_slice_grad", mode)
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return grad(ShapeRules(mode), shape, begin, end, strides, dy_shape, *masks)


def grad(
    rules: ShapeRules,
    shape: ShapeLike | VectorLike,
    begin: VectorLike,
    end: VectorLike,
    strides: VectorLike | None,
    dy_shape: ShapeLike,
    *masks: int,
    **named_masks: int,
) -> PartialShape:
    """`strided_slice_grad`, recording what is merged."""
    result = _shape_of_values(shape)
    if rules.mode == "tf":
        return result
    taken = strided_slice(result, begin, end, strides, *masks, **named_masks, mode="tight")
    return _merging.strided_slice_grad(rules, result, taken, dy_shape)


def _shape_of_values(shape: Any) -> PartialShape:
    if shape is None or shape is UNKNOWN_VECTOR:
        return PartialShape(None)
    if isinstance(shape, PartialShape):
        return shape
    dims = shape if type(shape) in (list, tuple) else _core.partial_vector("strided_slice_grad", "shape", shape)
    return PartialShape([None if _is_minus_one(dim) else dim for dim in dims])


def _is_minus_one(dim: DimLike) -> bool:
    return isinstance(dim, (int, np.integer)) and dim == -1


def strided_slice_assign(
    ref_shape: ShapeLike,
    begin: VectorLike,
    end: VectorLike,
    strides: VectorLike | None,
    value_shape: ShapeLike,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of TensorFlow's StridedSliceAssign: that of its reference.

    Parameters
    ----------
    ref_shape : the shape that is assigned to
    begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : as for strided_slice
    value_shape : the shape of the value
    mode : "tf" checks nothing, as TensorFlow's shape function; "tight" also checks that the slice exists and that
        the value can be broadcast to it.

    Returns
    -------
    PartialShape : `ref_shape` itself if it is a PartialShape.

    Raises
    ------
    SliceError : `label` names the rule (as_*, ss_*, in_*, sh_*) in SPEC.md.

    Source: TensorFlow's shape function of ResourceStridedSliceAssign (sh_s27).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.strided_slice_assign([None, 4], [0], [2], [1], [3, 4])
    PartialShape([None, 4])
    >>> ssop.shapes.strided_slice_assign([5, 4], [0], [2], [1], [3, 4], mode="tight")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ssop.SliceValueError: ...value has shape [3,4]: Cannot broadcast input shape [3,4] into final shape [2,4] [as_c1]
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _assigned("strided_slice_assign", mode, ref_shape, (begin, end, strides, *masks), value_shape)


def tensor_strided_slice_update(
    input_shape: ShapeLike,
    begin: VectorLike,
    end: VectorLike,
    strides: VectorLike | None,
    value_shape: ShapeLike,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of TensorFlow's TensorStridedSliceUpdate: that of its input.

    Parameters
    ----------
    input_shape : the shape of the input
    begin, end, strides, begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : as for strided_slice
    value_shape : the shape of the value
    mode : as for strided_slice_assign

    Returns
    -------
    PartialShape : `input_shape` itself if it is a PartialShape.

    Raises
    ------
    SliceError : `label` names the rule (as_*, ss_*, in_*, sh_*) in SPEC.md.

    Source: TensorFlow's shape function of TensorStridedSliceUpdate (sh_s27).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.tensor_strided_slice_update([None], [0], [9], [1], [3], mode="tight")
    PartialShape([None])
    """
    masks = (begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask)
    return _assigned("tensor_strided_slice_update", mode, input_shape, (begin, end, strides, *masks), value_shape)


def _assigned(op: str, mode: Mode, shape: ShapeLike, arguments: Sequence[Any], value_shape: ShapeLike) -> PartialShape:
    check_mode(op, mode)
    target, value = PartialShape(shape), PartialShape(value_shape)
    if mode == "tf":
        return target
    taken = strided_slice(target, *arguments, mode="tight")
    if not _may_broadcast(value, taken):
        message = f"value has shape {value}: Cannot broadcast input shape {value} into final shape {taken}"
        raise value_error(op, "as_c1", message, value=value.dims)
    return target


def _may_broadcast(value: PartialShape, taken: PartialShape) -> bool:
    """False if no completion of a value can be broadcast to the slice, nor is the slice empty (as_s1, as_s2)."""
    if value.rank is None or taken.rank is None:
        return True
    to = dims_of(taken)
    if any(dim.interval[0] == 0 for dim in to):
        return True
    extra = value.rank - taken.rank
    return all(
        _may_be_equal(dim, Dim(1)) or (axis >= extra and _may_be_equal(dim, to[axis - extra]))
        for axis, dim in enumerate(dims_of(value))
    )


def _may_be_equal(a: Dim, b: Dim) -> bool:
    try:
        a.merge(b)
    except SliceError:
        return False
    return True
