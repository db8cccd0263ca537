"""XLA's ConvertElementType and BitcastConvertType."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from ssop import _core
from ssop._errors import dtype_or_none, kind_of, type_error, value_error
from ssop._xla.operands import as_operand, deliver, public
from ssop._xla.types import human_string, kind, primitive_type

Array = np.ndarray[Any, Any]


@public
def convert_element_type(operand: Any, new_element_type: DTypeLike, *, out: Array | None = None) -> Array:
    """XLA's ConvertElementType: the same numbers, as far as another dtype has them, as a new array.

    Parameters
    ----------
    operand : array_like, any shape; bools, integers, real or complex numbers
    new_element_type : dtype, or anything that numpy.dtype takes
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape: `out`, if it is given.
        Bools are True but for 0. Integers lose their upper bits. A real number becomes an integer by
        truncation; one that is too large for the integers becomes the nearest of them, and NaN becomes 0.
        Floating-point results are rounded to nearest, ties to even. Imaginary parts are dropped.

    Raises
    ------
    SliceError : `label` names the rule (cvt_*, et_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `convert`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.convert_element_type([-1.5, 300.0, np.nan], np.int8)
    array([ -1, 127,   0], dtype=int8)
    """
    op = "xla.convert_element_type"
    array = as_operand(op, "operand", operand)
    dtype = as_element_type(op, "new_element_type", new_element_type)
    return deliver(op, convert(array, dtype), out)


@public
def bitcast_convert_type(operand: Any, new_element_type: DTypeLike, *, out: Array | None = None) -> Array:
    """XLA's BitcastConvertType: the same bits as elements of another dtype, as a new array.

    Parameters
    ----------
    operand : array_like, any shape
    new_element_type : dtype, or anything that numpy.dtype takes
        Its number of bits must be a multiple or a part of that of the operand's.
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered: `out`, if it is given. An element of more bits than the new ones becomes a last
        axis of them, the lowest bits first; a last axis of that length becomes one element.

    Raises
    ------
    SliceError : `label` names the rule (cvt_*, et_*, in_*, out_*) in SPEC.md.

    Source: XLA's shape inference; StableHLO `bitcast_convert`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.bitcast_convert_type(np.float32(1), np.uint16)
    array([    0, 16256], dtype=uint16)
    """
    op = "xla.bitcast_convert_type"
    array = as_operand(op, "operand", operand)
    dtype = as_element_type(op, "new_element_type", new_element_type)
    check_bitcast(op, array, dtype)
    return deliver(op, bitcast(array, dtype), out)


def as_element_type(op: str, name: str, x: Any) -> np.dtype[Any]:
    """Return a dtype that XLA has an element type for, in native byte order (cvt_c1)."""
    dtype = None if x is None else dtype_or_none(x)
    if dtype is None:
        raise type_error(op, "cvt_c1", f"{name} is {kind_of(x)}, of which NumPy makes no dtype", value=x)
    if kind(dtype) is None:
        raise type_error(op, "cvt_c1", f"{name} is {dtype}, which XLA has no element type for", value=dtype)
    element_type: np.dtype[Any] = dtype if dtype.isnative else dtype.newbyteorder("=")
    return element_type


def convert(x: Array, dtype: np.dtype[Any]) -> Array:
    """Return a new array of the numbers that are nearest to those of `x`."""
    target = kind(dtype)
    if x.dtype == dtype:
        return _core.copy(x)
    if kind(x.dtype) == "complex" and target != "complex":
        x = x.real  # cvt_s5
    with np.errstate(all="ignore"):
        if target == "pred":
            return np.asarray(np.not_equal(x, 0, order="C"), bool)  # cvt_s1
        x = _widened(x)
        if kind(x.dtype) == "float" and target in ("signed", "unsigned"):
            return _saturated(x, dtype)
        return x.astype(dtype, order="C")  # cvt_s3, cvt_s4


def _widened(x: Array) -> Array:
    """Return numbers of another package's dtype as NumPy's, which can be converted to every dtype."""
    if x.dtype.isbuiltin != 2:
        return x
    return x.astype({"float": np.float32, "signed": np.int8, "unsigned": np.uint8}[kind(x.dtype) or "float"])


def _saturated(x: Array, dtype: np.dtype[Any]) -> Array:
    """Return real numbers, truncated, as the nearest integers of a dtype, and NaN as 0 (cvt_s2)."""
    low, high = integer_range(dtype)
    x = x.astype(np.float32, copy=False) if x.dtype == np.float16 else x  # which has no 2**16
    too_small, too_large = x <= low, x >= high + 1.0
    wide = np.dtype(np.int8 if kind(dtype) == "signed" else np.uint8) if dtype.isbuiltin == 2 else dtype
    result = np.where(too_small | too_large | np.isnan(x), x.dtype.type(0), x).astype(wide, order="C")
    result[too_small] = low
    result[too_large] = high
    return result.astype(dtype, copy=False)


def integer_range(dtype: np.dtype[Any]) -> tuple[int, int]:
    """Return the least and the greatest integer of a dtype.

    >>> integer_range(np.dtype("i1"))
    (-128, 127)
    """
    bits = bit_width(dtype)
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if kind(dtype) == "signed" else (0, 2**bits - 1)


def bit_width(dtype: np.dtype[Any]) -> int:
    """Return the number of bits of an element, which may be fewer than it takes in memory.

    >>> bit_width(np.dtype("f4"))
    32
    """
    if dtype.isbuiltin != 2 or dtype.itemsize > 1:
        return 8 * dtype.itemsize
    return int("".join(filter(str.isdigit, dtype.name.partition("_")[0])))  # float8_e5m2, int4


def check_bitcast(op: str, x: Array, dtype: np.dtype[Any]) -> None:
    """XLA's checks, in XLA's order; bools are bits of nothing else, as in JAX."""
    if "complex" in (kinds := {kind(x.dtype), kind(dtype)}) and len(kinds) == 2:
        message = (
            f"the operand has dtype {x.dtype}, new_element_type is {dtype}: Conversion between complex and real type "
            f"{human_string(x.dtype, x.shape)} => {primitive_type(dtype)}."
        )
        raise type_error(op, "cvt_c2", message, value=dtype)
    one, other = bit_width(x.dtype), bit_width(dtype)
    if max(one, other) % min(one, other) or ("pred" in kinds and len(kinds) == 2):
        message = (
            f"the operand has dtype {x.dtype}, new_element_type is {dtype}: Cannot bitcast types with undivisible "
            f"bit-widths: {primitive_type(x.dtype)} => {primitive_type(dtype)}."
        )
        raise type_error(op, "cvt_c3", message, value=dtype)
    ratio = other // one
    if ratio > 1 and x.shape[-1:] != (ratio,):
        message = (
            f"the operand has shape {x.shape}, whose last axis is not of length {ratio}: Last dimension of input "
            f"shape={x.shape[-1] if x.shape else None} is not equal to ratio of bit-widths={ratio} for bitcast-convert "
            f"from {human_string(x.dtype, x.shape)} to {primitive_type(dtype)}"
        )
        raise value_error(op, "cvt_c4", message, value=x.shape)


def bitcast(x: Array, dtype: np.dtype[Any]) -> Array:
    """Return a new array of the same bits (cvt_s6)."""
    x, one, other = _core.copy(x), bit_width(x.dtype), bit_width(dtype)
    if one == other:
        return x.view(dtype)
    shape = (*x.shape, one // other) if one > other else x.shape[:-1]
    if other < 8 and other < one:
        parts = x.reshape(-1).view(np.uint8).reshape(-1, 1) >> np.arange(0, min(one, 8), other, dtype=np.uint8)
        return (parts & np.uint8(2**other - 1)).view(dtype).reshape(shape)
    if one < 8:
        parts = x.view(np.uint8).reshape(-1, min(other, 8) // one) & np.uint8(2**one - 1)
        parts <<= np.arange(0, min(other, 8), one, dtype=np.uint8)
        joined: Array = np.bitwise_or.reduce(parts, axis=1)
        return joined.view(dtype).reshape(shape)
    return x.reshape(-1, 1).view(dtype).reshape(shape) if one > other else x.view(dtype).reshape(shape)
