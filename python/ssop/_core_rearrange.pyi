"""ssop._core: XLA's other operations that only move data."""

# Parameters fill their lines, for every function has them twice.
# fmt: off

from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from numpy.typing import NDArray

from ssop._core_types import _T, Region, _Integers, _Padding

@overload
def xla_pad(
    operand: NDArray[_T], padding_value: Any, padding_config: _Padding, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's Pad: the operand with padding around it and between its elements, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    padding_value : scalar, or array of shape ()
        An array must have the operand's dtype; a Python scalar is converted if nothing is
        lost (val_*).
    padding_config : sequence of one (low, high, interior) per axis, in elements
        interior >= 0 values go between any two neighbours first; then low are added
        before and high behind. Negative low and high remove elements instead.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`. Axis k has length
        dim + low + high + max(dim - 1, 0) * interior.

    Raises
    ------
    SliceError : `label` names the rule (pad_*, val_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `pad`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.pad(np.array([1, 2, 3]), 0, [(1, -1, 2)])
    array([0, 1, 0, 0, 2, 0, 0])
    """

@overload
def xla_pad(operand: Any, padding_value: Any, padding_config: _Padding, *, out: NDArray[Any] | None = None) -> Any: ...

def xla_pad_regions(shape: Sequence[SupportsIndex], padding_config: _Padding) -> tuple[Region, Region]: ...

@overload
def xla_rev(operand: NDArray[_T], dimensions: _Integers, *, out: NDArray[_T] | None = None) -> NDArray[_T]:
    """XLA's Rev: the elements in reverse order along some axes, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    dimensions : sequence of integers, each an axis, 0 <= axis < rank, none twice
    out : numpy.ndarray of the operand's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape and dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (rev_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `reverse`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.rev(np.arange(6).reshape(2, 3), [1])
    array([[2, 1, 0],
           [5, 4, 3]])
    """

@overload
def xla_rev(operand: Any, dimensions: _Integers, *, out: NDArray[Any] | None = None) -> Any: ...

def xla_rev_region(shape: Sequence[SupportsIndex], dimensions: _Integers) -> Region: ...

@overload
def xla_broadcast(operand: NDArray[_T], sizes: _Integers, *, out: NDArray[_T] | None = None) -> NDArray[_T]:
    """XLA's Broadcast: the operand repeated along new leading axes, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    sizes : sequence of integers >= 0, the lengths of the new axes
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of shape sizes + operand.shape; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (bc_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.broadcast(np.array([1, 2, 3]), [2])
    array([[1, 2, 3],
           [1, 2, 3]])
    """

@overload
def xla_broadcast(operand: Any, sizes: _Integers, *, out: NDArray[Any] | None = None) -> Any: ...

def xla_broadcast_shape(shape: Sequence[SupportsIndex], sizes: _Integers) -> tuple[int, ...]: ...

@overload
def xla_broadcast_in_dim(
    operand: NDArray[_T], shape: _Integers, broadcast_dimensions: _Integers, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's BroadcastInDim: each axis at a place of its own in the result, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    shape : sequence of integers >= 0, the shape of the result
    broadcast_dimensions : sequence of integers, one per axis of the operand
        Axis k of the operand becomes axis broadcast_dimensions[k] of the result,
        which is as long, or repeats an axis of length 1. None twice; an order that
        does not increase transposes.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of shape `shape` and the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (bid_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `broadcast_in_dim`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.broadcast_in_dim(np.array([1, 2]), [2, 3], [0])
    array([[1, 1, 1],
           [2, 2, 2]])
    """

@overload
def xla_broadcast_in_dim(
    operand: Any, shape: _Integers, broadcast_dimensions: _Integers, *, out: NDArray[Any] | None = None
) -> Any: ...

def xla_broadcast_in_dim_shape(
    in_shape: Sequence[SupportsIndex], shape: _Integers, broadcast_dimensions: _Integers
) -> tuple[int, ...]: ...

@overload
def xla_reshape(
    operand: NDArray[_T], new_sizes: _Integers, dimensions: _Integers | None = None, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's Reshape: the same elements in another shape, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    new_sizes : sequence of integers >= 0, with as many elements; -1 has no meaning
    dimensions : sequence of integers, every axis 0 .. rank-1 once, optional
        The operand is transposed by it first; without it the elements keep their
        C order, whatever the operand's memory looks like.
    out : numpy.ndarray of shape new_sizes and the same dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of shape new_sizes and the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (rs_*, tr_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics; `dimensions` as until February 2025.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.reshape(np.arange(6).reshape(2, 3), [3, 2], [1, 0])
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """

@overload
def xla_reshape(
    operand: Any, new_sizes: _Integers, dimensions: _Integers | None = None, *, out: NDArray[Any] | None = None
) -> Any: ...

def xla_reshape_shape(
    shape: Sequence[SupportsIndex], new_sizes: _Integers, dimensions: _Integers | None = None
) -> tuple[int, ...]: ...

@overload
def xla_collapse(operand: NDArray[_T], dimensions: _Integers, *, out: NDArray[_T] | None = None) -> NDArray[_T]:
    """XLA's Collapse: neighbouring axes become one, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    dimensions : sequence of integers, consecutive ascending axes, 0 <= axis < rank
        None or one of them leaves the shape as it is. A list of axes, as in XLA; not
        JAX's start and stop.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (col_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and its builder.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.collapse(np.zeros((4, 2, 3)), [0, 1]).shape
    (8, 3)
    """

@overload
def xla_collapse(operand: Any, dimensions: _Integers, *, out: NDArray[Any] | None = None) -> Any: ...

def xla_collapse_shape(shape: Sequence[SupportsIndex], dimensions: _Integers) -> tuple[int, ...]: ...

@overload
def xla_transpose(operand: NDArray[_T], permutation: _Integers, *, out: NDArray[_T] | None = None) -> NDArray[_T]:
    """XLA's Transpose: the axes in another order, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    permutation : sequence of integers, every axis 0 .. rank-1 once
        Axis i of the result is axis permutation[i] of the operand.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (tr_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `transpose`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.transpose(np.arange(6).reshape(2, 3), [1, 0])
    array([[0, 3],
           [1, 4],
           [2, 5]])
    """

@overload
def xla_transpose(operand: Any, permutation: _Integers, *, out: NDArray[Any] | None = None) -> Any: ...

def xla_transpose_shape(shape: Sequence[SupportsIndex], permutation: _Integers) -> tuple[int, ...]: ...

@overload
def xla_concatenate(
    operands: Sequence[NDArray[_T]], dimension: SupportsIndex, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's Concatenate: arrays joined along an axis they have, as a new array.

    Parameters
    ----------
    operands : sequence of one or more array_like, all of one dtype and rank
        Their shapes differ in no axis but `dimension`.
    dimension : int, the axis, 0 <= dimension < rank
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the first operand's dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (cat_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `concatenate`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.concatenate([np.array([[1], [2]]), np.array([[3, 4], [5, 6]])], 1)
    array([[1, 3, 4],
           [2, 5, 6]])
    """

@overload
def xla_concatenate(operands: Any, dimension: SupportsIndex, *, out: NDArray[Any] | None = None) -> Any: ...

def xla_concatenate_shape(shapes: Sequence[Sequence[SupportsIndex]], dimension: SupportsIndex) -> tuple[int, ...]:
    """The shape of xla.concatenate's result for operands of these shapes."""
