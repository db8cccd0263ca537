"""Products of matrices of any of XLA's element types, by BLAS: what dots and convolutions are made of (dot_s1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import numpy as np

from ssop._errors import kind_of, type_error, value_error
from ssop._xla.conversion import as_element_type, bit_width, convert
from ssop._xla.types import human_string, kind

Array = np.ndarray[Any, Any]

FLOATS: Final = {
    "float4_e2m1fn": (3, 2),
    "float6_e2m3fn": (3, 4),
    "float6_e3m2fn": (5, 3),
    "float8_e3m4": (4, 5),
    "float8_e4m3": (8, 4),
    "float8_e4m3b11fnuz": (5, 4),
    "float8_e4m3fn": (9, 4),
    "float8_e4m3fnuz": (8, 4),
    "float8_e5m2": (16, 3),
    "float8_e5m2fnuz": (16, 3),
    "float8_e8m0fnu": (128, 1),
    "bfloat16": (128, 8),
    "float16": (16, 11),
    "float32": (128, 24),
    "float64": (1024, 53),
}
"""The least power of 2 that overflows, and the bits of the significand: what XLA compares types by."""

PRECISIONS: Final = ("default", "high", "highest", "fastest", "float32", "tensorfloat32", "bfloat16", "bfloat16_3x")
"""Names of JAX; every one is met, as no product is computed in fewer bits than float32 has."""

SIDE: Final = 2**9
"""How many rows, columns and terms of a matrix are converted to another dtype at a time."""

DIGIT: Final = 22
"""The bits of the digits that integers are split into: float64 has the sums of SIDE products of two exactly."""


def strength(dtype: np.dtype[Any]) -> tuple[int, int, int, int, int]:
    """What XLA compares element types by, the greater one being that of the result (dot_s4)."""
    part = np.dtype(f"f{dtype.itemsize // 2}") if kind(dtype) == "complex" else dtype
    limits = FLOATS.get(part.name, (-1, -1))
    return kind(dtype) == "complex", *limits, _bits(part), kind(dtype) == "signed"


def _bits(dtype: np.dtype[Any]) -> int:
    return 1 if kind(dtype) == "pred" else bit_width(dtype)


def common_type(op: str, lhs: Array, rhs: Array) -> np.dtype[Any]:
    """Return the operands' dtype, or of two the one with more range, then more precision."""
    one, other = strength(lhs.dtype), strength(rhs.dtype)
    if one == other and lhs.dtype != rhs.dtype:
        message = (
            f"rhs has dtype {rhs.dtype}, lhs {lhs.dtype}, and neither has more range or precision: element types do "
            f"not match: {human_string(lhs.dtype, lhs.shape)} and {human_string(rhs.dtype, rhs.shape)}"
        )
        raise type_error(op, "dot_c9", message, value=rhs.dtype)
    stronger: np.dtype[Any] = lhs.dtype if one >= other else rhs.dtype
    return stronger


def result_type(op: str, common: np.dtype[Any], preferred: Any) -> np.dtype[Any]:
    """Return the dtype of the result: what is preferred, not narrower than integers or complex numbers (dot_s6)."""
    if preferred is None:
        return common
    dtype = as_element_type(op, "preferred_element_type", preferred)
    if kind(common) != "float" and _bits(dtype) < _bits(common):
        message = (
            f"preferred_element_type is {dtype}, narrower than {common}: `preferred_element_type` must not be narrower "
            f"than the original type."
        )
        raise type_error(op, "dot_c10", message, value=dtype)
    return dtype


def check_precision(op: str, precision: Any) -> None:
    """Raise for what JAX would not take as a precision (dot_c11)."""
    each = precision if isinstance(precision, tuple) and len(precision) == 2 else (precision,)
    for x in each:
        word = x if isinstance(x, str) else getattr(x, "name", None)
        if x is not None and (not isinstance(word, str) or word.lower() not in PRECISIONS):
            message = f"precision is {kind_of(precision)}, not None, a pair or one of {', '.join(PRECISIONS)}"
            raise value_error(op, "dot_c11", message, value=precision)


def working_type(common: np.dtype[Any], result: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype that products are summed in; int64 stands for integers modulo 2**64, float32 also for bools."""
    dtype = max(common, result, key=strength)
    if kind(dtype) in ("signed", "unsigned"):
        return np.dtype(np.int64)
    return dtype if strength(dtype) >= strength(np.dtype(np.float32)) else np.dtype(np.float32)  # dot_s3


def multiplied(lhs: Array, rhs: Array, common: np.dtype[Any], dtype: np.dtype[Any]) -> Array:
    """Return the products of matrices, (batch, rows, depth) times (batch, depth, columns), as a new array."""
    working = working_type(common, dtype)
    with np.errstate(all="ignore"):
        if lhs.dtype == rhs.dtype == working == dtype and kind(dtype) in ("float", "complex"):
            result: Array = np.matmul(_for_blas(lhs), _for_blas(rhs))
            result += 0  # dot_s1: a sum that starts at 0 is never -0
            return result
        batch, rows, depth = lhs.shape
        result = np.empty((batch, rows, rhs.shape[2]), dtype)
        at_once = max(SIDE**2 // max(min(rows, SIDE) * min(depth, SIDE), 1), 1)
        for n, i, j in product(spans(batch, at_once), spans(rows, SIDE), spans(rhs.shape[2], SIDE)):
            sums = np.zeros(result[n, i, j].shape, working)
            for k in spans(depth, SIDE):
                _add_product(sums, lhs[n, i, k], rhs[n, k, j], bit_width(dtype))
            result[n, i, j] = finished(sums, dtype)
    return result


def spans(count: int, size: int) -> list[slice]:
    """Cut a range into slices of this size.

    >>> spans(5, 3)
    [slice(0, 3, None), slice(3, 5, None)]
    """
    return [slice(start, min(start + size, count)) for start in range(0, count, size)]


def _for_blas(x: Array) -> Array:
    """Return matrices whose rows or columns lie in one piece: NumPy's loops for all others are slow."""
    rows, columns = x.shape[-2:]
    for (far, near), length in ((x.strides[-2:], columns), (x.strides[:-3:-1], rows)):
        if near == x.itemsize and far >= length * x.itemsize and far % x.itemsize == 0:
            return x
    return np.ascontiguousarray(x)


def _add_product(sums: Array, lhs: Array, rhs: Array, bits: int) -> None:
    """Add the product of matrices; of integers, only these lowest bits are right (dot_s2)."""
    if sums.dtype != np.int64:
        sums += np.matmul(*(x if x.dtype == sums.dtype else convert(x, sums.dtype) for x in (lhs, rhs)))
        return
    others = list(_digits(rhs))
    for place, x in _digits(lhs):
        for other, y in others:
            if (shift := DIGIT * (place + other)) < bits:
                sums += np.matmul(x, y).astype(np.int64) << shift


def _digits(x: Array) -> Iterator[tuple[int, Array]]:
    """Yield the digits of integers that are not all 0, in -2**(DIGIT - 1)..2**(DIGIT - 1) - 1, with their places."""
    if bit_width(x.dtype) <= 16:
        yield 0, convert(x, np.dtype(np.float64))
        return
    rest, half, place = convert(x, np.dtype(np.int64)), 2 ** (DIGIT - 1), 0
    while rest.any():
        digit = ((rest + half) & (2 * half - 1)) - half
        rest = (rest - digit) >> DIGIT
        yield place, digit.astype(np.float64)
        place += 1


def finished(sums: Array, dtype: np.dtype[Any]) -> Array:
    """Return sums in the result's dtype: rounded once, or modulo a power of 2; of bools, whether they are not 0."""
    if sums.dtype != np.int64 or kind(dtype) not in ("signed", "unsigned"):
        return convert(sums, dtype)
    if dtype.isbuiltin != 2:  # 2: of another package
        return sums.astype(dtype)
    bits = bit_width(dtype)
    low: Array = (sums & (2**bits - 1)).astype(np.int8)
    if kind(dtype) == "signed":
        low -= (low >> (bits - 1)) << bits
    return low.astype(dtype)
