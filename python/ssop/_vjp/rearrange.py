"""Gradients of XLA's other operations that only move data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from ssop import _core, _elementwise, _vectors
from ssop._lazy import libraries
from ssop._vjp.common import array, checked, inverse, spread_zero, summed, zeros

if TYPE_CHECKING:
    from ssop._vjp.common import Integers

# Each function is the transpose of its operation (vjp_s1), which the dot product of tests/property/test_vjp.py shows.


def pad(
    dy: Any, operand_shape: Sequence[SupportsIndex], padding_config: Sequence[Sequence[SupportsIndex]]
) -> tuple[Any, Any]:
    """The gradients of `ssop.xla.pad`: dy at the elements of the operand, and the sum of dy at the padding.

    Parameters
    ----------
    dy : array_like of the result's shape; numbers
    operand_shape : sequence of integers
    padding_config : as for `ssop.xla.pad`; elements that were cut off have the gradient zero

    Returns
    -------
    tuple of two numpy.ndarray : new, of shapes operand_shape and () and dy's dtype; or arrays of
        dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, vjp_c1, pad_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Pad; `jax.vjp` of `jax.lax.pad`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.pad(np.array([1, 2, 3, 4]), [2], [(1, 0, 1)])
    (array([2, 4]), array(4))
    """
    op = "vjp.pad"
    config = _vectors.vectors(op, "padding_config", padding_config)
    kept, place = _core.xla_pad_regions(operand_shape, config)
    dy = checked(op, dy, place.in_shape)
    inside = _elementwise.select(_in_padding(op, dy, kept, place), dy, spread_zero(op, dy, dy.shape))
    return _unpadded(dy, kept.in_shape, config), summed(op, inside, range(len(place.in_shape)))


def _unpadded(dy: Any, shape: tuple[int, ...], triples: Sequence[Sequence[int]]) -> Any:
    """Undo the edges, with zeros where the operand was cut off, then the interior padding."""
    limits = [dim + max(dim - 1, 0) * gap for dim, (_, _, gap) in zip(shape, triples, strict=True)]
    whole = _core.xla_pad(dy, zeros("vjp.pad", dy, ()), [(-low, -high, 0) for low, high, _ in triples])
    return _core.slice(whole, [0] * len(shape), limits, [gap + 1 for _, _, gap in triples])


def _in_padding(op: str, dy: Any, kept: _core.Region, place: _core.Region) -> Any:
    """Return bools of dy's shape, library and chunks: whether an element of the result is padding."""
    if not libraries.stays(dy):
        result = np.ones(place.in_shape, bool)
        if 0 not in place.shape:
            result[place.index] = False
        return result
    false = libraries.repeated(op, libraries.as_array(dy, False), place.shape)
    return libraries.spread(op, dy, false, libraries.as_array(dy, True), place, libraries.chunks_of(dy))


def rev(dy: Any, operand_shape: Sequence[SupportsIndex], dimensions: Integers) -> Any:
    """The gradient of `ssop.xla.rev`: dy in reverse order along the same axes.

    Parameters
    ----------
    dy : array_like of shape operand_shape, any dtype
    operand_shape : sequence of integers
    dimensions : as for `ssop.xla.rev`

    Returns
    -------
    numpy.ndarray : new, of the shape and dtype of dy; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, rev_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Rev, which is Rev.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.rev(np.array([1, 2, 3]), [3], [0])
    array([3, 2, 1])
    """
    return _core.xla_rev(checked("vjp.rev", dy, _core.xla_rev_region(operand_shape, dimensions).shape), dimensions)


def concatenate(dy: Any, shapes: Sequence[Sequence[SupportsIndex]], dimension: SupportsIndex) -> tuple[Any, ...]:
    """The gradients of `ssop.xla.concatenate`: the parts of dy that come from each operand.

    Parameters
    ----------
    dy : array_like of the result's shape, any dtype
    shapes : sequence of the operands' shapes
    dimension : int, as for `ssop.xla.concatenate`

    Returns
    -------
    tuple of numpy.ndarray : new, one per operand, of its shape and dy's dtype; or arrays of dy's
        library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, cat_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Concatenate.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.concatenate(np.array([1, 2, 3]), [[1], [2]], 0)
    (array([1]), array([2, 3]))
    """
    op = "vjp.concatenate"
    dims = _vectors.shapes(op, "shapes", shapes)
    dy = checked(op, dy, _core.xla_concatenate_shape(dims, dimension))
    axis = int(dimension)
    sizes = [shape[axis] for shape in dims]
    ends = accumulate(sizes)
    return tuple(_core.xla_slice_in_dim(dy, end - size, end, 1, axis) for size, end in zip(sizes, ends, strict=True))


def broadcast(dy: Any, operand_shape: Sequence[SupportsIndex], sizes: Integers) -> Any:
    """The gradient of `ssop.xla.broadcast`: the sum of dy over the new axes.

    Parameters
    ----------
    dy : array_like of the result's shape; numbers
    operand_shape : sequence of integers
    sizes : as for `ssop.xla.broadcast`

    Returns
    -------
    numpy.ndarray : new, of shape operand_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, vjp_c1, bc_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Broadcast.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.broadcast(np.array([[1, 2], [3, 4]]), [2], [2])
    array([4, 6])
    """
    op = "vjp.broadcast"
    operand_shape = _core.read_shape(op, "operand_shape", operand_shape)
    shape = _core.xla_broadcast_shape(operand_shape, sizes)
    return summed(op, checked(op, dy, shape), range(len(shape) - len(operand_shape)))


def broadcast_in_dim(
    dy: Any, operand_shape: Sequence[SupportsIndex], shape: Integers, broadcast_dimensions: Integers
) -> Any:
    """The gradient of `ssop.xla.broadcast_in_dim`: the sum of dy over the axes that were repeated.

    Parameters
    ----------
    dy : array_like of shape `shape`; numbers
    operand_shape : sequence of integers
    shape, broadcast_dimensions : as for `ssop.xla.broadcast_in_dim`

    Returns
    -------
    numpy.ndarray : new, of shape operand_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, vjp_c1, bid_*, in_*) in SPEC.md.

    Source: the transpose of XLA's BroadcastInDim.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.broadcast_in_dim(np.array([[1, 2, 3], [4, 5, 6]]), [2], [2, 3], [0])
    array([ 6, 15])
    """
    op = "vjp.broadcast_in_dim"
    operand_shape = _core.read_shape(op, "operand_shape", operand_shape)
    dimensions = _core.read_integers(op, "broadcast_dimensions", broadcast_dimensions)
    result_shape = _core.xla_broadcast_in_dim_shape(operand_shape, shape, dimensions)
    kept = [axis for dim, axis in zip(operand_shape, dimensions, strict=True) if dim == result_shape[axis]]
    dy = checked(op, dy, result_shape)
    total = summed(op, dy, [axis for axis in range(len(result_shape)) if axis not in kept])
    return _core.xla_reshape(_core.xla_transpose(total, [sorted(kept).index(axis) for axis in kept]), operand_shape)


def reshape(
    dy: Any, operand_shape: Sequence[SupportsIndex], new_sizes: Integers, dimensions: Integers | None = None
) -> Any:
    """The gradient of `ssop.xla.reshape`: dy in the operand's shape.

    Parameters
    ----------
    dy : array_like of shape new_sizes, any dtype
    operand_shape : sequence of integers
    new_sizes, dimensions : as for `ssop.xla.reshape`

    Returns
    -------
    numpy.ndarray : new, of shape operand_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, rs_*, tr_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Reshape.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.reshape(np.array([1, 2, 3, 4]), [2, 2], [4], [1, 0])
    array([[1, 3],
           [2, 4]])
    """
    op = "vjp.reshape"
    operand_shape = _core.read_shape(op, "operand_shape", operand_shape)
    order = None if dimensions is None else _core.read_integers(op, "dimensions", dimensions)
    dy = checked(op, dy, _core.xla_reshape_shape(operand_shape, new_sizes, order))
    if order is None:
        return _core.xla_reshape(dy, operand_shape)
    return _core.xla_transpose(_core.xla_reshape(dy, [operand_shape[axis] for axis in order]), inverse(order))


def collapse(dy: Any, operand_shape: Sequence[SupportsIndex], dimensions: Integers) -> Any:
    """The gradient of `ssop.xla.collapse`: dy in the operand's shape.

    Parameters
    ----------
    dy : array_like of the result's shape, any dtype
    operand_shape : sequence of integers
    dimensions : as for `ssop.xla.collapse`

    Returns
    -------
    numpy.ndarray : new, of shape operand_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, col_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Collapse.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.collapse(np.array([1, 2, 3, 4]), [2, 2], [0, 1])
    array([[1, 2],
           [3, 4]])
    """
    operand_shape = _core.read_shape("vjp.collapse", "operand_shape", operand_shape)
    dy = checked("vjp.collapse", dy, _core.xla_collapse_shape(operand_shape, dimensions))
    return _core.xla_reshape(dy, operand_shape)


def transpose(dy: Any, operand_shape: Sequence[SupportsIndex], permutation: Integers) -> Any:
    """The gradient of `ssop.xla.transpose`: the axes of dy in the operand's order.

    Parameters
    ----------
    dy : array_like of the result's shape, any dtype
    operand_shape : sequence of integers
    permutation : as for `ssop.xla.transpose`

    Returns
    -------
    numpy.ndarray : new, of shape operand_shape and dy's dtype; or an array of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (gr_c1, tr_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Transpose, whose permutation is the inverse one.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.transpose(np.zeros((4, 2, 3)), [2, 3, 4], [2, 0, 1]).shape
    (2, 3, 4)
    """
    order = _core.read_integers("vjp.transpose", "permutation", permutation)
    dy = checked("vjp.transpose", dy, _core.xla_transpose_shape(operand_shape, order))
    return _core.xla_transpose(dy, inverse(order))


def select(dy: Any, pred: Any) -> tuple[Any, Any]:
    """The gradients of `ssop.xla.select`: dy where pred is true, dy where it is false, and zeros elsewhere.

    Parameters
    ----------
    dy : array_like of the result's shape, any dtype
    pred : bool, or array_like of bools, of shape () or the shape of dy

    Returns
    -------
    tuple of two numpy.ndarray : new, of the shape and dtype of dy, for on_true and on_false; or
        arrays of dy's library.

    Raises
    ------
    SliceError : `label` names the rule (sel_*, in_*) in SPEC.md.

    Source: the transpose of XLA's Select.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.vjp.select(np.array([1, 2]), [True, False])
    (array([1, 0]), array([0, 2]))
    """
    dy = array("vjp.select", dy)
    zeros = spread_zero("vjp.select", dy, tuple(dy.shape))
    return _elementwise.select(pred, dy, zeros), _elementwise.select(pred, zeros, dy)
