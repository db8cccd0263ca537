"""Shapes of XLA's operations, by the names of `ssop.xla`.

XLA has no unknown ranks; here a shape of unknown rank gives one, unless the arguments say the rank and the mode is
"tight".

>>> import ssop
>>> ssop.shapes.xla.pad([None, 3], [(1, 1, 0), (0, -1, 2)], mode="tight")
PartialShape([(2, None), 6])
"""

from __future__ import annotations

from collections.abc import Sequence

from ssop import _core
from ssop._core import PartialShape
from ssop.shapes import _merging
from ssop.shapes._arguments import UNKNOWN_VECTOR, Mode, OrFill, ShapeLike, VectorLike, check_mode
from ssop.shapes._rearranging import broadcast, broadcast_in_dim, collapse, reshape, transpose
from ssop.shapes._rules import ShapeRules
from ssop.shapes._windows import dynamic_update_index_in_dim, dynamic_update_slice, dynamic_update_slice_in_dim
from ssop.shapes._xla_control import (
    call,
    cond,
    conditional,
    cross_replica_sum,
    custom_call,
    get_tuple_element,
    indexed_conditional,
    infeed,
    map,
    recv,
    switch,
    transfer_from_outfeed,
    tuple,
    while_,
    while_loop,
)
from ssop.shapes._xla_dots import conv, conv_general_dilated, conv_with_general_padding, dot, dot_general
from ssop.shapes._xla_elementwise import (
    abs,
    add,
    bitwise_and,
    bitwise_not,
    bitwise_or,
    ceil,
    cos,
    div,
    eq,
    exp,
    floor,
    ge,
    gt,
    is_finite,
    le,
    log,
    logical_and,
    logical_not,
    logical_or,
    lt,
    max,
    min,
    mul,
    ne,
    neg,
    rem,
    sign,
    sub,
    tanh,
)
from ssop.shapes._xla_gathering import gather, scatter
from ssop.shapes._xla_numbers import (
    batch_norm_grad,
    batch_norm_inference,
    batch_norm_training,
    bitcast_convert_type,
    broadcasted_iota,
    convert_element_type,
    iota,
    reduce_precision,
    rng_bernoulli,
    rng_bit_generator,
    rng_normal,
    rng_uniform,
    sort,
)
from ssop.shapes._xla_windows import reduce, reduce_window, select_and_scatter

__all__ = [
    "abs",
    "add",
    "batch_norm_grad",
    "batch_norm_inference",
    "batch_norm_training",
    "bitcast_convert_type",
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "broadcast",
    "broadcast_in_dim",
    "broadcasted_iota",
    "call",
    "ceil",
    "clamp",
    "collapse",
    "concatenate",
    "cond",
    "conditional",
    "conv",
    "conv_general_dilated",
    "conv_with_general_padding",
    "convert_element_type",
    "cos",
    "cross_replica_sum",
    "custom_call",
    "div",
    "dot",
    "dot_general",
    "dynamic_index_in_dim",
    "dynamic_slice",
    "dynamic_slice_in_dim",
    "dynamic_update_index_in_dim",
    "dynamic_update_slice",
    "dynamic_update_slice_in_dim",
    "eq",
    "exp",
    "floor",
    "gather",
    "ge",
    "get_tuple_element",
    "gt",
    "index_in_dim",
    "indexed_conditional",
    "infeed",
    "iota",
    "is_finite",
    "le",
    "log",
    "logical_and",
    "logical_not",
    "logical_or",
    "lt",
    "map",
    "max",
    "min",
    "mul",
    "ne",
    "neg",
    "pad",
    "recv",
    "reduce",
    "reduce_precision",
    "reduce_window",
    "rem",
    "reshape",
    "rev",
    "rng_bernoulli",
    "rng_bit_generator",
    "rng_normal",
    "rng_uniform",
    "scatter",
    "select",
    "select_and_scatter",
    "sign",
    "slice",
    "slice_in_dim",
    "sort",
    "sub",
    "switch",
    "tanh",
    "transfer_from_outfeed",
    "transpose",
    "tuple",
    "while_",
    "while_loop",
]


def slice(
    operand_shape: ShapeLike,
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
    *,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's Slice of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    start_indices, limit_indices, strides : sequences of int, one per axis, as for ssop.slice
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (sl_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Slice (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.slice([None, 8], [0, 1], [4, 8], [1, 3])
    PartialShape([4, 3])
    """
    return _core.infer_slice(operand_shape, start_indices, limit_indices, strides, mode=mode)


def dynamic_slice(
    operand_shape: ShapeLike,
    start_indices: VectorLike,
    slice_sizes: Sequence[int],
    *,
    out_of_bounds: OrFill = "clamp",
    allow_negative_indices: bool | Sequence[bool] = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's DynamicSlice of an operand of this shape: `slice_sizes`.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    start_indices : sequence of int or None (unknown), one per axis; or `unknown(n)`
    slice_sizes : sequence of int, one per axis
    out_of_bounds, allow_negative_indices : as for ssop.dynamic_slice
    mode : "tight" or "tf"; the sizes are known in both, but not the rank, if the operand's is not, in the latter.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (ds_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of DynamicSlice (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.dynamic_slice([None, 8], ssop.shapes.unknown(2), [2, 4])
    PartialShape([2, 4])
    """
    if start_indices is UNKNOWN_VECTOR:
        start_indices = (None,) * len(_core.read_integers("dynamic_slice", "slice_sizes", slice_sizes))
    return _core.infer_dynamic_slice(
        operand_shape,
        start_indices,
        slice_sizes,
        out_of_bounds=out_of_bounds,
        allow_negative_indices=allow_negative_indices,
        mode=mode,
    )


def slice_in_dim(
    operand_shape: ShapeLike,
    start_index: int | None,
    limit_index: int | None,
    stride: int = 1,
    axis: int = 0,
    *,
    allow_negative_indices: bool = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's Slice of one axis of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    start_index, limit_index, stride, axis, allow_negative_indices : as for ssop.xla.slice_in_dim
        None is an end of the axis, not an unknown number.
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; in the tight mode, the other dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dim_*, sl_*, in_*, sh_*) in SPEC.md.

    Source: jax.lax.slice_in_dim (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.slice_in_dim([None, 8], 1, None, 3, axis=1)
    PartialShape([None, 3])
    """
    return _core.infer_xla_slice_in_dim(
        operand_shape,
        start_index,
        limit_index,
        stride,
        axis,
        allow_negative_indices=allow_negative_indices,
        mode=mode,
    )


def index_in_dim(
    operand_shape: ShapeLike,
    index: int,
    axis: int = 0,
    keepdims: bool = True,
    *,
    allow_negative_indices: bool = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of one element of one axis of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    index, axis, keepdims, allow_negative_indices : as for ssop.xla.index_in_dim
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; in the tight mode, the other dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dim_*, in_*, sh_*) in SPEC.md.

    Source: jax.lax.index_in_dim (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.index_in_dim([None, 8], 3, keepdims=False)
    PartialShape([8])
    """
    return _core.infer_xla_index_in_dim(
        operand_shape, index, axis, keepdims, allow_negative_indices=allow_negative_indices, mode=mode
    )


def dynamic_slice_in_dim(
    operand_shape: ShapeLike,
    start_index: int | None,
    slice_size: int,
    axis: int = 0,
    *,
    out_of_bounds: OrFill = "clamp",
    allow_negative_indices: bool = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's DynamicSlice of one axis of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    start_index : int, or None (unknown)
    slice_size, axis, out_of_bounds, allow_negative_indices : as for ssop.xla.dynamic_slice_in_dim
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; in the tight mode, the other dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dim_*, ds_*, in_*, sh_*) in SPEC.md.

    Source: jax.lax.dynamic_slice_in_dim (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.dynamic_slice_in_dim([None, 8], None, 3, axis=1)
    PartialShape([None, 3])
    """
    return _core.infer_xla_dynamic_slice_in_dim(
        operand_shape,
        start_index,
        slice_size,
        axis,
        out_of_bounds=out_of_bounds,
        allow_negative_indices=allow_negative_indices,
        mode=mode,
    )


def dynamic_index_in_dim(
    operand_shape: ShapeLike,
    index: int | None,
    axis: int = 0,
    keepdims: bool = True,
    *,
    out_of_bounds: OrFill = "clamp",
    allow_negative_indices: bool = False,
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's DynamicSlice of one element of one axis of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    index : int, or None (unknown)
    axis, keepdims, out_of_bounds, allow_negative_indices : as for ssop.xla.dynamic_index_in_dim
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; in the tight mode, the other dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (dim_*, ds_*, in_*, sh_*) in SPEC.md.

    Source: jax.lax.dynamic_index_in_dim (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.dynamic_index_in_dim([None, 8], None, keepdims=False)
    PartialShape([8])
    """
    return _core.infer_xla_dynamic_index_in_dim(
        operand_shape,
        index,
        axis,
        keepdims,
        out_of_bounds=out_of_bounds,
        allow_negative_indices=allow_negative_indices,
        mode=mode,
    )


def pad(operand_shape: ShapeLike, padding_config: Sequence[Sequence[int]], *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Pad of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    padding_config : sequence of one (low, high, interior) per axis, as for ssop.xla.pad
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (pad_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Pad (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.pad([None, 3], [(0, 0, 0), (1, -1, 2)])
    PartialShape([None, 7])
    """
    return _core.infer_xla_pad(operand_shape, padding_config, mode=mode)


def rev(operand_shape: ShapeLike, dimensions: Sequence[int], *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Rev of an operand: its own.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    dimensions : sequence of int, the axes, as for ssop.xla.rev
    mode : "tight" or "tf"

    Returns
    -------
    PartialShape : the shape of the result; all dims keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (rev_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Rev (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.rev([None, 3], [0])
    PartialShape([None, 3])
    """
    return _core.infer_xla_rev(operand_shape, dimensions, mode=mode)


def concatenate(operand_shapes: Sequence[ShapeLike], dimension: int, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Concatenate of operands of these shapes.

    Parameters
    ----------
    operand_shapes : sequence of one or more shapes
    dimension : int, the axis, as for ssop.xla.concatenate
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result: the other dims are those of all operands, merged.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (cat_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Concatenate (sh_s24).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.concatenate([[2, None], [None, 3]], 0)
    PartialShape([None, 3])
    >>> ssop.shapes.xla.concatenate([[2, None], [None, 3]], 0, mode="tight")
    PartialShape([(2, None), 3])
    """
    check_mode("xla.concatenate", mode)
    return _merging.concatenate(ShapeRules(mode), operand_shapes, dimension)


def select(
    pred_shape: ShapeLike, on_true_shape: ShapeLike, on_false_shape: ShapeLike, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's Select of operands of these shapes: that of all, merged.

    Parameters
    ----------
    pred_shape : the shape of the predicate: that of the operands, or ()
    on_true_shape, on_false_shape : the shapes of the operands
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (sel_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Select (sh_s25).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.select([], [2, None], [None, 3])
    PartialShape([2, 3])
    """
    check_mode("xla.select", mode)
    return _merging.select(ShapeRules(mode), pred_shape, on_true_shape, on_false_shape)


def clamp(min_shape: ShapeLike, operand_shape: ShapeLike, max_shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Clamp: that of the operand and of those bounds that are no scalars, merged.

    Parameters
    ----------
    min_shape, max_shape : the shapes of the bounds: that of the operand, or ()
    operand_shape : the shape of the operand
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (cl_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Clamp (sh_s25).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.clamp([], [2, None], [None, 3])
    PartialShape([2, 3])
    """
    check_mode("xla.clamp", mode)
    return _merging.clamp(ShapeRules(mode), min_shape, operand_shape, max_shape)
