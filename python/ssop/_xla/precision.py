"""XLA's ReducePrecision: numbers rounded to those of a format of fewer bits."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ssop import _core
from ssop._errors import type_error, value_error
from ssop._vectors import integer
from ssop._xla.operands import as_operand, deliver, public
from ssop._xla.types import primitive_type

Array = np.ndarray[Any, Any]

FORMATS: Final = {
    "bfloat16": (8, 7),
    "float16": (5, 10),
    "float32": (8, 23),
    "float64": (11, 52),
    "float8_e3m4": (3, 4),
    "float8_e4m3": (4, 3),
    "float8_e5m2": (5, 2),
}
"""The bits of the exponent and of the mantissa of the formats that have an infinity."""


@public
def reduce_precision(operand: Any, exponent_bits: int, mantissa_bits: int, *, out: Array | None = None) -> Array:
    """XLA's ReducePrecision: what remains of numbers that go through a format of fewer bits, as a new array.

    Parameters
    ----------
    operand : array_like of real floating-point numbers, any shape
    exponent_bits, mantissa_bits : int
        The bits of the format: at least 1, and at least 0. As many as the dtype has, or more, change nothing. XLA's old
        text has mantissa_bits first; as keywords they cannot be confused.
    out : array of the operand's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape and dtype: `out`, if it is given.
        The mantissa is rounded to nearest, ties to even. What is too large for the exponent becomes an
        infinity, and what is less than the format's least normal number a zero, both with the sign. NaN
        stays as it is, but for mantissa_bits=0, which have no NaN: there it becomes +inf.

    Raises
    ------
    SliceError : `label` names the rule (rp_*, et_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `reduce_precision` and its interpreter.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.reduce_precision(np.array([1.1, 65520.0, 1e-9]), exponent_bits=5, mantissa_bits=10)
    array([1.09960938,        inf, 0.        ])
    """
    op = "xla.reduce_precision"
    array = as_operand(op, "operand", operand)
    exponent_bits = integer(op, "exponent_bits", exponent_bits)
    mantissa_bits = integer(op, "mantissa_bits", mantissa_bits)
    check_bits(op, array, exponent_bits, mantissa_bits)
    return deliver(op, reduced(array, exponent_bits, mantissa_bits), out)


def check_bits(op: str, x: Array, exponent_bits: int, mantissa_bits: int) -> None:
    """XLA's checks, in XLA's order."""
    if x.dtype.name not in FORMATS:
        message = (
            f"the operand has dtype {x.dtype}, not one of {', '.join(FORMATS)}: Expected element type in shape to be "
            f"floating point for ReducePrecision operation; got {primitive_type(x.dtype)}."
        )
        raise type_error(op, "rp_c1", message, value=x.dtype)
    if exponent_bits < 1:
        message = (
            f"exponent_bits, the argument before mantissa_bits, is {exponent_bits}: "
            f"Expected exponent_bits >= 1; got {exponent_bits}."
        )
        raise value_error(op, "rp_c2", message, value=exponent_bits)
    if mantissa_bits < 0:
        message = f"mantissa_bits is {mantissa_bits}: Expected non-negative mantissa_bits; got {mantissa_bits}."
        raise value_error(op, "rp_c3", message, value=mantissa_bits)


def reduced(x: Array, exponent_bits: int, mantissa_bits: int) -> Array:
    """Return a new array of the numbers of the format that are nearest to those of `x`."""
    all_exponent_bits, all_mantissa_bits = FORMATS[x.dtype.name]
    result = _core.copy(x)
    bits = result.view(f"u{x.itemsize}")
    word = bits.dtype.type
    exponent_mask = word((1 << all_exponent_bits) - 1 << all_mantissa_bits)
    is_nan = bits << word(1) > exponent_mask << word(1)
    if mantissa_bits < all_mantissa_bits:
        _round(bits, all_mantissa_bits - mantissa_bits)
    if exponent_bits < all_exponent_bits:
        bias, reduced_bias = (1 << all_exponent_bits - 1) - 1, (1 << exponent_bits - 1) - 1
        sign, exponent = bits & word(1 << 8 * x.itemsize - 1), bits & exponent_mask
        overflows = exponent > word(bias + reduced_bias << all_mantissa_bits)
        np.copyto(bits, sign, where=exponent <= word(bias - reduced_bias << all_mantissa_bits))  # rp_s2
        np.copyto(bits, sign | exponent_mask, where=overflows)
    np.copyto(bits, x.view(bits.dtype) if mantissa_bits > 0 else exponent_mask, where=is_nan)  # rp_s3
    return result


def _round(bits: Array, dropped: int) -> None:
    """Round the lowest bits away, in place, to nearest, ties to even: a carry increments the exponent (rp_s1)."""
    word = bits.dtype.type
    last = (bits >> word(dropped)) & word(1)
    last += word((1 << dropped - 1) - 1)
    bits += last
    bits &= ~word((1 << dropped) - 1)
