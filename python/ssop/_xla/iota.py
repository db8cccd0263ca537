"""XLA's Iota."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ssop import _core
from ssop._errors import index_error, type_error, value_error
from ssop._vectors import integer
from ssop._xla.conversion import as_element_type, convert
from ssop._xla.operands import deliver, public
from ssop._xla.types import kind

Array = np.ndarray[Any, Any]


@public
def iota(dtype: DTypeLike, size: int, *, out: Array | None = None) -> Array:
    """XLA's Iota of one axis: 0, 1, 2, ..

    Parameters
    ----------
    dtype : dtype of integers, real or complex numbers
    size : int, how many
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, of shape (size,) and this dtype: `out`, if it is given. Numbers that the dtype lacks are those
        that convert_element_type makes of them.

    Raises
    ------
    SliceError : `label` names the rule (io_*, cvt_c1, in_*, out_*) in SPEC.md.

    Source: XLA's builder; `jax.lax.iota`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.iota(np.float32, 3)
    array([0., 1., 2.], dtype=float32)
    """
    op = "xla.iota"
    element_type = _numbers(op, dtype)
    size = integer(op, "size", size)
    if size < 0:
        raise value_error(op, "io_c2", f"size is {size}, not at least 0", value=size)
    return deliver(op, convert(np.arange(size), element_type), out)


@public
def broadcasted_iota(dtype: DTypeLike, shape: Sequence[int], dimension: int, *, out: Array | None = None) -> Array:
    """XLA's Iota: an array whose elements are their own index on one axis.

    Parameters
    ----------
    dtype : dtype of integers, real or complex numbers
    shape : sequence of int, at least one
    dimension : int, the axis
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, of this shape and dtype: `out`, if it is given.

    Raises
    ------
    SliceError : `label` names the rule (io_*, cvt_c1, in_*, out_*) in SPEC.md.

    Source: XLA's builder and shape inference; StableHLO `iota`; `jax.lax.broadcasted_iota`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.broadcasted_iota(np.int32, [2, 3], 0)
    array([[0, 0, 0],
           [1, 1, 1]], dtype=int32)
    """
    op = "xla.broadcasted_iota"
    element_type = _numbers(op, dtype)
    dims, dimension = _core.read_shape(op, "shape", shape), integer(op, "dimension", dimension)
    check_iota(op, dims, dimension)
    numbers = convert(np.arange(dims[dimension]), element_type)  # io_s1
    return deliver(op, _core.xla_broadcast_in_dim(numbers, dims, [dimension]), out)


def check_iota(op: str, shape: tuple[int, ...], dimension: int) -> None:
    """StableHLO's check: a scalar has no axis."""
    if not 0 <= dimension < len(shape):
        message = (
            f"dimension {dimension} is not in 0..{len(shape) - 1}: iota dimension cannot go beyond the output rank or "
            "be negative."
        )
        raise index_error(op, "io_c3", message, value=dimension, allowed=(0, len(shape) - 1))


def _numbers(op: str, dtype: Any) -> np.dtype[Any]:
    element_type = as_element_type(op, "dtype", dtype)
    if kind(element_type) == "pred":
        raise type_error(op, "io_c1", "dtype is bool, not of integers, real or complex numbers", value=element_type)
    return element_type
