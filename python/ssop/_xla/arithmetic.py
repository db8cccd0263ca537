"""What XLA's element-wise operations compute, where NumPy's functions of that name compute something else (ew_s8)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ssop._xla.types import kind

Array = np.ndarray[Any, Any]


def add(x: Array, y: Array) -> Any:
    """Integers wrap round; bools are combined by or (ew_s2, ew_s4)."""
    return np.logical_or(x, y) if x.dtype == bool else np.add(x, y)


def multiply(x: Array, y: Array) -> Any:
    """Integers wrap round; bools are combined by and."""
    return np.logical_and(x, y) if x.dtype == bool else np.multiply(x, y)


def divide(x: Array, y: Array) -> Any:
    """Integers are divided towards zero; by zero, every bit of the quotient is set (ew_s3)."""
    if kind(x.dtype) in ("float", "complex"):
        return np.divide(x, y)
    wide = _wide(x.dtype)
    x, y = x.astype(wide, copy=False), y.astype(wide, copy=False)
    by_zero = np.equal(y, 0)
    divisor = np.where(by_zero, wide.type(1), y) if by_zero.any() else y
    quotient = _truncated(x, divisor, wide)
    return np.where(by_zero, ~wide.type(0), quotient) if divisor is not y else quotient


def _truncated(x: Array, divisor: Array, wide: np.dtype[Any]) -> Any:
    if wide.kind == "u":
        return np.floor_divide(x, divisor)
    if wide.itemsize <= 4:  # the nearest float64 is on the same side of every integer as the quotient
        return np.divide(x, divisor, dtype=np.float64).astype(np.int64).astype(wide)
    quotient, rest = np.divmod(x, divisor)  # rounds down
    return quotient + ((rest != 0) & ((x < 0) != (divisor < 0)))


def remainder(x: Array, y: Array) -> Any:
    """With the sign of the dividend; of an integer by zero, the dividend itself (ew_s3)."""
    if kind(x.dtype) == "float":
        return np.fmod(x, y)
    wide = _wide(x.dtype)
    x, y = x.astype(wide, copy=False), y.astype(wide, copy=False)
    by_zero = np.equal(y, 0)
    if not by_zero.any():
        return np.fmod(x, y)
    return np.where(by_zero, x, np.fmod(x, np.where(by_zero, wide.type(1), y)))


def maximum(x: Array, y: Array) -> Any:
    """NaN if one is NaN; +0 is greater than -0 (ew_s5)."""
    return _with_signs_of_zeros(np.maximum(x, y), x, y, lambda p, q: p + q)


def minimum(x: Array, y: Array) -> Any:
    """NaN if one is NaN; -0 is less than +0 (ew_s5)."""
    return _with_signs_of_zeros(np.minimum(x, y), x, y, lambda p, q: -(-p + -q))


def _with_signs_of_zeros(result: Any, x: Array, y: Array, joined: Callable[[Any, Any], Any]) -> Any:
    """NumPy's maximum and minimum return either of two zeros, whatever their signs."""
    is_float = x.dtype.kind == "f" or kind(x.dtype) == "float"  # long doubles, too: Clamp takes them
    if not is_float or not (zeros := np.equal(result, 0)).any():
        return result
    both = zeros & np.equal(x, y)
    return np.where(both, joined(x, y), result) if both.any() else result


def negate(x: Array) -> Any:
    """Integers wrap round: the smallest one is its own opposite."""
    return np.negative(x) if kind(x.dtype) in ("float", "complex") else np.subtract(x.dtype.type(0), x)


def sign(x: Array) -> Any:
    """-1, 0 or 1; zeros and NaN are themselves, and a complex number is divided by its magnitude (ew_s7)."""
    if kind(x.dtype) == "complex":
        size = np.abs(x)
        return np.where(x == 0, 0, np.where(np.isnan(x), complex(np.nan, np.nan), x / size))
    if kind(x.dtype) == "float":
        if x.dtype.isbuiltin != 2:
            return np.copysign(np.sign(x), x)
        one = x.dtype.type(1)  # formats without a zero have no NumPy sign
        return np.where((x == 0) | np.isnan(x), x, np.where(x < 0, -one, one))
    return (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)


def invert(x: Array) -> Any:
    return np.logical_not(x) if x.dtype == bool else np.invert(x.astype(_wide(x.dtype), copy=False))


def bitwise_and(x: Array, y: Array) -> Any:
    wide = _wide(x.dtype)
    return np.bitwise_and(x.astype(wide, copy=False), y.astype(wide, copy=False))


def bitwise_or(x: Array, y: Array) -> Any:
    wide = _wide(x.dtype)
    return np.bitwise_or(x.astype(wide, copy=False), y.astype(wide, copy=False))


def _wide(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of NumPy's that holds the integers of one of a few bits; results are cut to these bits afterwards."""
    if dtype.isbuiltin == 1 and dtype.isnative:
        return dtype
    if dtype.isbuiltin == 2:
        return np.dtype(np.int8 if kind(dtype) == "signed" else np.uint8)
    return dtype.newbyteorder("=")
