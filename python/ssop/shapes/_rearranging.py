"""Shapes of XLA's Broadcast, BroadcastInDim, Reshape, Collapse and Transpose."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ssop import _core, _vectors
from ssop._core import Dim, PartialShape, SliceError
from ssop.shapes._arguments import (
    MAX_RANK,
    Mode,
    ShapeLike,
    axis_of,
    check_mode,
    dims_of,
    in_mode,
    least,
    raise_as,
)


def broadcast(operand_shape: ShapeLike, sizes: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Broadcast of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    sizes : the lengths of the new axes: a shape, of which not all need be known
    mode : "tight" or "tf"; they differ only in intervals among `sizes`.

    Returns
    -------
    PartialShape : the shape of the result: sizes, then the operand's dims, which keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (bc_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Broadcast (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.broadcast([None, 3], [2])
    PartialShape([2, None, 3])
    """
    check_mode("xla.broadcast", mode)
    operand, entries = PartialShape(operand_shape), _entries(sizes)
    known = [0 if _is_partial(size) else size for size in entries]
    _core.xla_broadcast_shape(() if operand.rank is None else least(operand), known)
    new = PartialShape(sizes if sizes is None or isinstance(sizes, PartialShape) else entries)  # read once
    return in_mode(mode, new.concatenate(operand), new, operand)


def _entries(shape: ShapeLike) -> Sequence[Any]:
    if isinstance(shape, PartialShape):
        return shape.dims or ()
    return () if shape is None else _vectors.items("xla.broadcast", "sizes", shape)


def _is_partial(dim: object) -> bool:
    return dim is None or isinstance(dim, (tuple, Dim))


def broadcast_in_dim(
    operand_shape: ShapeLike, shape: ShapeLike, broadcast_dimensions: Sequence[int], *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's BroadcastInDim of an operand of this shape: its argument `shape`.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    shape : the shape of the result, of which not all need be known
    broadcast_dimensions : sequence of int, one per axis of the operand, as for ssop.xla.broadcast_in_dim
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result: a dim that is not known is the operand's, unless that may be 1.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (bid_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of BroadcastInDim (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.broadcast_in_dim([3, None], [2, None, 4], [1, 2])
    PartialShape([2, 3, 4])
    """
    check_mode("xla.broadcast_in_dim", mode)
    given, operand = PartialShape(shape), PartialShape(operand_shape)
    result = given
    if result.rank is None:
        return result
    axes = _core.read_integers("xla.broadcast_in_dim", "broadcast_dimensions", broadcast_dimensions)
    if operand.rank is None:
        operand = PartialShape([1] * min(len(axes), MAX_RANK))
    operand_dims, target_dims = dims_of(operand), dims_of(result)
    small, large = list(least(operand)), list(least(result))
    for entry in range(min(len(axes), len(operand_dims))):
        axis = axis_of(axes[entry], len(target_dims))
        if axis is not None:
            target = _broadcast_target(operand_dims[entry], target_dims[axis])
            if target is not None:
                result = result.replace_dim(axis, target)
                small[entry] = large[axis] = target.interval[0]
    _core.xla_broadcast_in_dim_shape(small, large, axes)
    return in_mode(mode, result, given, operand)


def _broadcast_target(dim: Dim, target: Dim) -> Dim | None:
    """The dim that a dim of the operand becomes; None if there is no such dim."""
    low, high = dim.interval
    if low <= 1 and (high is None or high >= 1):
        return target  # a dim of 1 becomes any
    try:
        return target.merge(dim)
    except SliceError:
        return None


def reshape(
    operand_shape: ShapeLike, new_sizes: ShapeLike, dimensions: Sequence[int] | None = None, *, mode: Mode = "tf"
) -> PartialShape:
    """The shape of XLA's Reshape of an operand of this shape: its argument `new_sizes`.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    new_sizes : the shape of the result, of which not all need be known; bounded dims are intervals
    dimensions : sequence of int, every axis of the operand once, optional
    mode : "tight" bounds the sizes that are not known by the number of elements, "tf" keeps those bounds only that are
        one number.

    Returns
    -------
    PartialShape : the shape of the result. If there is one unknown size and one unknown dim, and the others have equal
        products, the size is that very dim.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (rs_*, tr_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Reshape and DynamicReshape (sh_s28).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.reshape([2, 6], [None, 3])
    PartialShape([4, 3])
    >>> ssop.shapes.xla.reshape([(0, 8), 6], [None, 3], mode="tight")
    PartialShape([(0, 16), 3])
    """
    check_mode("xla.reshape", mode)
    operand, sizes = PartialShape(operand_shape), PartialShape(new_sizes)
    if operand.is_fully_known and sizes.is_fully_known:
        return PartialShape(_core.xla_reshape_shape(least(operand), least(sizes), dimensions))
    if operand.rank is not None:
        _core.xla_reshape_shape((1,) * operand.rank, (1,), dimensions)
    if operand.rank is None or sizes.rank is None:
        return sizes
    try:
        result = _with_elements(operand, sizes)
    except (SliceError, ArithmeticError) as error:
        examples = _example(operand), _example(sizes)
        raise raise_as(lambda: _core.xla_reshape_shape(*examples), error) from None
    return in_mode(mode, result, operand, sizes)


def _with_elements(operand: PartialShape, result: PartialShape) -> PartialShape:
    """The result, each of whose sizes is such that it may have as many elements as the operand."""
    count = operand.num_elements()
    for axis, size in enumerate(dims_of(result)):
        others = _product(dim for k, dim in enumerate(dims_of(result)) if k != axis)
        result = result.replace_dim(axis, size.merge(0 if others is None else _quotient(count, others)))
    elements = result.num_elements().merge(count)
    for known in (_known_product(operand), _known_product(result)):
        if known is None:
            elements.merge(0)
        elif known:
            elements.divide(known, evenly=True)
    unknown_dims = [dim for dim in dims_of(operand) if dim.value is None]
    unknown_sizes = [axis for axis, size in enumerate(dims_of(result)) if size.value is None]
    if len(unknown_dims) == len(unknown_sizes) == 1:
        axis = unknown_sizes[0]
        if _known_product(operand) == _known_product(result) not in (0, None):
            return result.replace_dim(axis, unknown_dims[0].merge(result.dim(axis)))
    return result


def _quotient(count: Dim, others: Dim) -> tuple[int, int | None]:
    """The numbers of which `others` times one may be `count`."""
    (low, high), (least_other, greatest_other) = count.interval, others.interval
    if count.value is not None and others.value:
        return count.divide(others, evenly=True).interval
    if low > 0 and greatest_other == 0:
        raise ArithmeticError("there are elements, but no place for them")
    greatest = None if high is None or least_other == 0 else high // least_other
    lowest = 1 if low > 0 else 0
    return -(-low // greatest_other) if greatest_other else lowest, greatest


def _example(shape: PartialShape) -> tuple[int, ...]:
    """A known shape that a shape of known rank may be, if possible one that is not empty."""
    return tuple(dim.interval[0] if dim.value is not None else max(1, dim.interval[0]) for dim in dims_of(shape))


def _known_product(shape: PartialShape) -> int | None:
    """The product of the dims that are known, as `_product`."""
    product = _product(dim for dim in dims_of(shape) if dim.value is not None)
    return None if product is None else product.value


def _product(dims: Iterable[Dim]) -> Dim | None:
    """The product of dims; None if it is no int64 in any completion: with another factor than 0, no shape has it."""
    try:
        return PartialShape([*dims]).num_elements()
    except SliceError:
        return None


def collapse(operand_shape: ShapeLike, dimensions: Sequence[int], *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Collapse of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    dimensions : sequence of int, consecutive ascending axes, as for ssop.xla.collapse
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; the dims that are not collapsed keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (col_*, in_*, sh_*) in SPEC.md.

    Source: XLA's builder (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.collapse([None, 2, (1, 4)], [1, 2], mode="tight")
    PartialShape([None, (2, 8)])
    """
    check_mode("xla.collapse", mode)
    operand = PartialShape(operand_shape)
    axes = _core.read_integers("xla.collapse", "dimensions", dimensions)
    if operand.rank is None:
        _core.xla_collapse_shape((0,) * max(0, min(MAX_RANK, 1 + max(axes, default=0))), axes)
        return operand
    _core.xla_collapse_shape(least(operand), axes)
    if len(axes) < 2:
        return operand
    dims = dims_of(operand)
    size = PartialShape(dims[axes[0] : axes[-1] + 1]).num_elements()
    return in_mode(mode, PartialShape([*dims[: axes[0]], size, *dims[axes[-1] + 1 :]]), operand)


def transpose(operand_shape: ShapeLike, permutation: Sequence[int], *, mode: Mode = "tf") -> PartialShape:
    """The shape of XLA's Transpose of an operand of this shape.

    Parameters
    ----------
    operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
    permutation : sequence of int, every axis once, as for ssop.xla.transpose
    mode : "tight" or "tf"; only in the former does the permutation say the rank of an operand of unknown rank.

    Returns
    -------
    PartialShape : the shape of the result; all dims keep their identity.

    Raises
    ------
    SliceError : `label` names the rule (tr_*, in_*, sh_*) in SPEC.md.

    Source: XLA's shape inference of Transpose (sh_s23).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.xla.transpose([None, 3], [1, 0])
    PartialShape([3, None])
    """
    check_mode("xla.transpose", mode)
    operand = PartialShape(operand_shape)
    order = _core.read_integers("xla.transpose", "permutation", permutation)
    if operand.rank is None:
        _core.xla_transpose_shape((0,) * min(len(order), MAX_RANK), order)
        return operand.with_rank(len(order)) if mode == "tight" else operand
    _core.xla_transpose_shape(least(operand), order)
    dims = dims_of(operand)
    return PartialShape([dims[axis] for axis in order])
