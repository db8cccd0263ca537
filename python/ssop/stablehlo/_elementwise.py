"""Element-wise operations that StableHLO and CHLO have beside those of `ssop.xla`, by NumPy's functions."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ssop import xla
from ssop._xla.elementwise import BINARY, UNARY, evaluated
from ssop._xla.types import kind

Array = np.ndarray[Any, Any]

HALF_ROOT_PI = math.sqrt(math.pi) / 2


def real(function: Callable[..., Any], narrowest: type[Any] = np.float32) -> Callable[..., Array]:
    """The function for floats and complex numbers; those narrower than a dtype are computed in that dtype."""
    wide = {"float": np.dtype(narrowest), "complex": np.dtype(np.complex128)}

    def evaluate(*operands: Array) -> Array:
        dtype = operands[0].dtype
        computed = wide[kind(dtype) or "float"]
        if dtype.itemsize < computed.itemsize:
            operands = tuple([x.astype(computed) for x in operands])
        with np.errstate(all="ignore"):
            return np.asarray(function(*operands)).astype(dtype, copy=False)

    return evaluate


def double(function: Callable[..., Any]) -> Callable[..., Array]:
    """The function, computed in float64."""
    return real(function, np.float64)


def by_element(function: Callable[[float], float]) -> Callable[..., Array]:
    """The function of Python's `math` for arrays of floats, computed in float64."""
    many = np.frompyfunc(function, 1, 1)
    return double(lambda x: np.asarray(many(x)).astype(np.float64))


UNCHECKED: dict[Any, Callable[..., Any]] = {
    xla.select: np.where,
    **{getattr(xla, row.name): partial(evaluated, row) for row in (*BINARY, *UNARY)},
}
"""What functions of `ssop.xla` do after their checks, which the parser has made already."""


# ---- floats ----------------------------------------------------------------------------------------------------------


def rsqrt(x: Array) -> Any:
    return 1 / np.sqrt(x)


def cbrt(x: Array) -> Any:
    return np.power(x, 1 / 3) if x.dtype.kind == "c" else np.cbrt(x)


def atan2(y: Array, x: Array) -> Any:
    """The arc tangent of y / x; for complex numbers, -i log((x + i y) / sqrt(x^2 + y^2))."""
    return -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y)) if x.dtype.kind == "c" else np.arctan2(y, x)


def logistic(x: Array) -> Any:
    return 1 / (1 + np.exp(-x))


def round_half_away(x: Array) -> Any:
    """To the nearest integer, from the middle away from zero."""
    whole = np.trunc(x)
    return np.copysign(np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x), whole), x)


def power(x: Array, y: Array) -> Array:
    """x to the power of y. Negative powers of integers are 0, except those of 1, -1 (1 or -1) and 0 (-1)."""
    if kind(x.dtype) in ("float", "complex"):
        return real(np.power)(x, y)
    negative = y < 0
    with np.errstate(all="ignore"):
        result = np.power(x, np.where(negative, y.dtype.type(0), y))
        odd = (y & y.dtype.type(1)).astype(bool)
    of_negative = np.where(x == 1, 1, np.where(x == -1, np.where(odd, -1, 1), np.where(x == 0, -1, 0)))
    return np.where(negative, of_negative, result).astype(x.dtype)


_erf, _erfc = np.frompyfunc(math.erf, 1, 1), np.frompyfunc(math.erfc, 1, 1)


def erf_inv(x: Array) -> Array:
    """The inverse of erf: Halley's method on an approximation (its series; near 1, Winitzki's)."""
    size = np.abs(x)
    is_small, rest = size < 0.5, 1 - size  # exact near 1, where erf has lost its digits
    tail = np.log(rest * (1 + size))
    middle = 2 / (math.pi * 0.147) + tail / 2
    series = HALF_ROOT_PI * size * (1 + math.pi / 12 * size * size)
    y = np.where(is_small, series, np.sqrt(np.sqrt(middle * middle - tail / 0.147) - middle))
    for _ in range(3):
        missing = np.where(is_small, size - _floats(_erf(y)), _floats(_erfc(y)) - rest)
        step = missing * HALF_ROOT_PI * np.exp(y * y)
        y = y + step / (1 + y * step)
    return np.copysign(np.where(size == 1, np.inf, y), x)


def _floats(x: Any) -> Array:
    return np.asarray(x).astype(np.float64)


def lgamma(x: float) -> float:
    """Infinite at the integers that are not positive, where Python's function raises."""
    return math.inf if x <= 0 and x == math.floor(x) or math.isinf(x) else math.lgamma(x)


def square(x: Array) -> Array:
    return xla.mul(x, x)


def is_infinite(x: Array) -> Array:
    return np.asarray(np.isinf(x))


def is_positive_infinity(x: Array) -> Array:
    return np.asarray(x == np.inf)


def is_negative_infinity(x: Array) -> Array:
    return np.asarray(x == -np.inf)


# ---- complex numbers -------------------------------------------------------------------------------------------------


def real_part(x: Array) -> Array:
    return np.array(x.real)


def imaginary_part(x: Array) -> Array:
    return np.array(x.imag) if x.dtype.kind == "c" else np.zeros_like(x)


def complex_number(x: Array, y: Array) -> Array:
    result = np.empty(x.shape, np.result_type(x, np.complex64))
    result.real, result.imag = x, y
    return result


# ---- bits ------------------------------------------------------------------------------------------------------------


def bits_of(dtype: np.dtype[Any]) -> int:
    """How many bits an integer has.

    >>> bits_of(np.dtype("u2"))
    16
    """
    return int(dtype.name.lstrip("uint")) if dtype.isbuiltin == 2 else 8 * dtype.itemsize


def unsigned(x: Array) -> Array:
    """The bits of integers as unsigned integers of NumPy's own."""
    if x.dtype.isbuiltin == 2:
        return x.astype(np.int8).view(np.uint8) & np.uint8(2 ** bits_of(x.dtype) - 1)
    return x.view(f"u{x.dtype.itemsize}") if x.flags.c_contiguous else x.astype(f"u{x.dtype.itemsize}")


def xor(x: Array, y: Array) -> Array:
    return np.asarray(np.not_equal(x, y) if kind(x.dtype) == "pred" else np.bitwise_xor(x, y))


def shift_left(x: Array, y: Array) -> Array:
    """0 where the shift is not less than the number of bits."""
    fits = unsigned(y) < bits_of(x.dtype)
    return np.where(fits, np.left_shift(x, np.where(fits, y, y.dtype.type(0))), x.dtype.type(0))


def shift_right_logical(x: Array, y: Array) -> Array:
    """Filled with zeros; 0 where the shift is not less than the number of bits."""
    bits, by = unsigned(x), unsigned(y)
    fits = by < bits_of(x.dtype)
    zero = bits.dtype.type(0)
    return np.where(fits, np.right_shift(bits, np.where(fits, by, zero)), zero).astype(x.dtype)


def shift_right_arithmetic(x: Array, y: Array) -> Array:
    """Filled with the sign, also where the shift is not less than the number of bits."""
    bits = bits_of(x.dtype)
    signed = x.astype(np.int8) if x.dtype.isbuiltin == 2 else x.astype(f"i{x.dtype.itemsize}")
    by = np.minimum(unsigned(y), bits - 1).astype(signed.dtype)
    return np.asarray(np.right_shift(signed, by)).astype(x.dtype)


def popcnt(x: Array) -> Array:
    return np.asarray(np.bitwise_count(unsigned(x))).astype(x.dtype)


def count_leading_zeros(x: Array) -> Array:
    filled, width = np.array(unsigned(x)), bits_of(x.dtype)
    shift = 1
    while shift < width:
        filled |= filled >> filled.dtype.type(shift)
        shift *= 2
    return np.asarray(width - np.bitwise_count(filled).astype(np.int64)).astype(x.dtype)


def multiply_high(x: Array, y: Array) -> Array:
    """The upper half of the bits of a product, by the schoolbook method on halves."""
    bits = bits_of(x.dtype)
    if bits < 64:
        wide = np.int64 if kind(x.dtype) == "signed" else np.uint64
        return np.asarray((x.astype(wide) * y.astype(wide)) >> wide(bits)).astype(x.dtype)
    half, low = np.uint64(32), np.uint64(2**32 - 1)
    p, q = unsigned(x), unsigned(y)
    cross = (p & low) * (q >> half) + ((p & low) * (q & low) >> half)  # less than 2^64
    other = (p >> half) * (q & low) + (cross & low)
    result = (p >> half) * (q >> half) + (cross >> half) + (other >> half)
    if kind(x.dtype) == "signed":  # of negative numbers the unsigned ones have 2^64 more
        result = result - np.where(x < 0, q, 0).astype(np.uint64) - np.where(y < 0, p, 0).astype(np.uint64)
    return np.asarray(result).astype(x.dtype)


def bitcast(x: Array, new_element_type: np.dtype[Any]) -> Array:
    """A bool is one bit, the lowest ones first."""
    of_bools = [kind(dtype) == "pred" for dtype in (x.dtype, new_element_type)]
    if of_bools == [True, False]:
        packed = np.packbits(x, -1, bitorder="little")
        return packed.view(new_element_type).reshape(x.shape[:-1])
    if of_bools == [False, True]:
        octets = np.ascontiguousarray(x).reshape(-1, 1).view(np.uint8)
        return np.unpackbits(octets, -1, bitorder="little").astype(bool).reshape(*x.shape, -1)
    return xla.bitcast_convert_type(x, new_element_type)


def total_order_key(x: Array) -> Array:
    """Integers in the order of IEEE's totalOrder: -NaN < -inf < .. < -0 < +0 < .. < inf < NaN."""
    bits = np.ascontiguousarray(x).reshape(x.shape).view(f"i{x.dtype.itemsize}")
    return np.where(bits < 0, bits ^ np.iinfo(bits.dtype).max, bits)
