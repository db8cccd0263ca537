"""XLA's element-wise operations, a row each: its kinds of elements, its checks, and what it computes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np

from ssop import _core
from ssop._errors import type_error
from ssop._xla import arithmetic
from ssop._xla.broadcasting import broadcast
from ssop._xla.operands import as_operand, as_operands, deliver, public
from ssop._xla.types import human_string, kind, primitive_type, words_for

Array = np.ndarray[Any, Any]
Function = TypeVar("Function", bound=Callable[..., Any])

ANY = ("pred", "signed", "unsigned", "float", "complex")
NUMBERS = ("signed", "unsigned", "float", "complex")
REAL = ("signed", "unsigned", "float")
ORDERED = ("pred", "signed", "unsigned", "float")
LOGICAL = ("pred", "signed", "unsigned")
FRACTIONS = ("float", "complex")
SIGNED = ("signed", "float", "complex")

ARITHMETIC = "Expected element type in shape to be arithmetic type for operation {opcode}; got PRED."
AND_OR = "Expected pred or integral type in argument to and/or operation; got {type}."
FLOATING_OR_COMPLEX = "Expected element type in shape to be floating or complex for {opcode} operation; got {type}."
FLOATING = "Expected element type in shape to be floating for {opcode} operation; got {type}."
NEGATE = "Expected element type in shape to be integral, floating or complex for {opcode} operation; got {type}."
SIGN = "Expected element type in shape to be signed or complex for {opcode} operation; got {type}."
NOT = "Expected pred or an integral element type in argument to Not operation; got {type}."
FINITE = "Expected element type in shape to be floating point for IsFinite operation; got {type}."


class Row(NamedTuple):
    """One operation: `kinds` are those of its elements, `words` are XLA's where the kind is another one."""

    name: str
    opcode: str
    kinds: tuple[str, ...]
    words: str
    evaluate: Callable[..., Any]
    summary: str
    example: str
    result: type[Any] | None = None
    """The dtype of the result, if it is not the operands'."""


class Binary(Protocol):
    """An operation on two operands."""

    def __call__(
        self, lhs: Any, rhs: Any, broadcast_dimensions: Sequence[int] | None = None, *, out: Array | None = None
    ) -> Array: ...


class Unary(Protocol):
    """An operation on one operand."""

    def __call__(self, operand: Any, *, out: Array | None = None) -> Array: ...


BINARY = (
    Row("add", "add", ANY, "", arithmetic.add, "Sums; of bools, or. Integers wrap round (ew_s2, ew_s4).",
        "ssop.xla.add(np.array([1, 2]), 3)\narray([4, 5])"),
    Row("sub", "subtract", NUMBERS, ARITHMETIC, np.subtract, "Differences. Integers wrap round (ew_s2).",
        "ssop.xla.sub(np.array([1, 2]), 3)\narray([-2, -1])"),
    Row("mul", "multiply", ANY, "", arithmetic.multiply, "Products; of bools, and. Integers wrap round (ew_s2, ew_s4).",
        "ssop.xla.mul(np.array([100], np.int8), 3)\narray([44], dtype=int8)"),
    Row("div", "divide", NUMBERS, ARITHMETIC, arithmetic.divide,
        "Quotients; of integers, towards zero. Divided by zero, an integer has every bit set (ew_s3).",
        "ssop.xla.div(np.array([-7, 7]), np.array([2, 0]))\narray([-3, -1])"),
    Row("rem", "remainder", REAL, ARITHMETIC, arithmetic.remainder,
        "Remainders, with the sign of the dividend; of an integer by zero, the dividend (ew_s3).",
        "ssop.xla.rem(np.array([-7, 7]), np.array([2, 0]))\narray([-1,  7])"),
    Row("max", "maximum", ANY, "", arithmetic.maximum, "The greater ones; NaN if one is NaN (ew_s5).",
        "ssop.xla.max(np.array([1, 5]), 3)\narray([3, 5])"),
    Row("min", "minimum", ANY, "", arithmetic.minimum, "The lesser ones; NaN if one is NaN (ew_s5).",
        "ssop.xla.min(np.array([1, 5]), 3)\narray([1, 3])"),
    Row("logical_and", "and", LOGICAL, AND_OR, arithmetic.bitwise_and, "And; of integers, bit by bit.",
        "ssop.xla.logical_and(np.array([6, 5]), 3)\narray([2, 1])"),
    Row("logical_or", "or", LOGICAL, AND_OR, arithmetic.bitwise_or, "Or; of integers, bit by bit.",
        "ssop.xla.logical_or(np.array([True, False]), False)\narray([ True, False])"),
    Row("eq", "compare", ANY, "", np.equal, "Whether they are equal. NaN is equal to nothing (ew_s6).",
        "ssop.xla.eq(np.array([1, 2]), 2)\narray([False,  True])", bool),
    Row("ne", "compare", ANY, "", np.not_equal, "Whether they differ (ew_s6).",
        "ssop.xla.ne(np.array([1, 2]), 2)\narray([ True, False])", bool),
    Row("ge", "compare", ORDERED, "", np.greater_equal, "Whether lhs is greater than or equal to rhs (ew_s6).",
        "ssop.xla.ge(np.array([1, 2]), 2)\narray([False,  True])", bool),
    Row("gt", "compare", ORDERED, "", np.greater, "Whether lhs is greater than rhs (ew_s6).",
        "ssop.xla.gt(np.array([1, 2]), 1)\narray([False,  True])", bool),
    Row("le", "compare", ORDERED, "", np.less_equal, "Whether lhs is less than or equal to rhs (ew_s6).",
        "ssop.xla.le(np.array([1, 2]), 1)\narray([ True, False])", bool),
    Row("lt", "compare", ORDERED, "", np.less, "Whether lhs is less than rhs (ew_s6).",
        "ssop.xla.lt(np.array([1, 2]), 2)\narray([ True, False])", bool),
)  # fmt: skip

UNARY = (
    Row("abs", "abs", SIGNED, FLOATING_OR_COMPLEX, np.abs,
        "Magnitudes; those of complex numbers are real. The smallest integer is its own (ew_s2).",
        "ssop.xla.abs(np.array([-3, 4]))\narray([3, 4])"),
    Row("ceil", "ceil", ("float",), FLOATING, np.ceil, "The least integers that are not less.",
        "ssop.xla.ceil(np.array([1.5, -1.5]))\narray([ 2., -1.])"),
    Row("cos", "cosine", FRACTIONS, FLOATING_OR_COMPLEX, np.cos, "Cosines, of angles in radians.",
        "ssop.xla.cos(np.array([0.0]))\narray([1.])"),
    Row("exp", "exponential", FRACTIONS, FLOATING_OR_COMPLEX, np.exp, "Powers of e.",
        "ssop.xla.exp(np.array([0.0]))\narray([1.])"),
    Row("floor", "floor", ("float",), FLOATING, np.floor, "The greatest integers that are not greater.",
        "ssop.xla.floor(np.array([1.5, -1.5]))\narray([ 1., -2.])"),
    Row("is_finite", "is-finite", ("float",), FINITE, np.isfinite, "Whether they are neither infinite nor NaN.",
        "ssop.xla.is_finite(np.array([1.0, np.inf]))\narray([ True, False])", bool),
    Row("log", "log", FRACTIONS, FLOATING_OR_COMPLEX, np.log, "Natural logarithms.",
        "ssop.xla.log(np.array([1.0]))\narray([0.])"),
    Row("logical_not", "not", LOGICAL, NOT, arithmetic.invert, "Not; of integers, bit by bit.",
        "ssop.xla.logical_not(np.array([True, False]))\narray([False,  True])"),
    Row("neg", "negate", NUMBERS, NEGATE, arithmetic.negate, "Opposites. Integers wrap round (ew_s2).",
        "ssop.xla.neg(np.array([1, -2]))\narray([-1,  2])"),
    Row("sign", "sign", SIGNED, SIGN, arithmetic.sign,
        "-1, 0 or 1; zeros and NaN are themselves. A complex number is divided by its magnitude (ew_s7).",
        "ssop.xla.sign(np.array([-3, 0, 4]))\narray([-1,  0,  1])"),
    Row("tanh", "tanh", FRACTIONS, FLOATING_OR_COMPLEX, np.tanh, "Hyperbolic tangents.",
        "ssop.xla.tanh(np.array([0.0]))\narray([0.])"),
)  # fmt: skip

BINARY_TEXT = """{summary}

Parameters
----------
lhs, rhs : array_like of one dtype, and of one shape, or one of them a scalar
    {kinds}.
    Axes of length 1 are repeated. A Python scalar or list takes the dtype of the other
    operand, if nothing is lost.
broadcast_dimensions : sequence of integers, for operands of different ranks, optional
    For each axis of the operand of lower rank, the axis of the other one that it is aligned with (ew_s1).
out : numpy.ndarray of the result's shape and dtype, any layout, optional

Returns
-------
numpy.ndarray : new, C-ordered, of the shape to which both are broadcast, and {dtype}; or `out`.

Raises
------
SliceError : `label` names the rule (ew_*, val_*, in_*, out_*) in SPEC.md.

Source: XLA's Operation Semantics and shape inference; StableHLO.

Examples
--------
>>> import numpy as np, ssop
>>> {example}
"""

UNARY_TEXT = """{summary}

Parameters
----------
operand : array_like, any shape
    {kinds}.
out : numpy.ndarray of the result's shape and dtype, any layout, optional

Returns
-------
numpy.ndarray : new, C-ordered, of the operand's shape and {dtype}; or `out`.

Raises
------
SliceError : `label` names the rule (ew_*, in_*, out_*) in SPEC.md.

Source: XLA's Operation Semantics and shape inference; StableHLO.

Examples
--------
>>> import numpy as np, ssop
>>> {example}
"""


def check_binary(row: Row, op: str, lhs: Array, rhs: Array) -> None:
    """XLA's checks of the element types, in XLA's order."""
    for x in (lhs, rhs):
        if row.words == ARITHMETIC and kind(x.dtype) == "pred":
            raise type_error(op, "ew_c1", f"dtype bool: {row.words.format(opcode=row.opcode)}", value=x.dtype)
    if row.words == AND_OR and kind(lhs.dtype) not in row.kinds:
        raise _kind_error(row, op, lhs.dtype)
    if lhs.dtype != rhs.dtype:
        types = f"{human_string(lhs.dtype, lhs.shape)} and {human_string(rhs.dtype, rhs.shape)}"
        message = (
            f"rhs has dtype {rhs.dtype}, not {lhs.dtype}; rhs.astype(..) converts it: "
            f"Binary op {row.opcode} with different element types: {types}."
        )
        raise type_error(op, "ew_c9", message, value=rhs.dtype)
    if kind(lhs.dtype) not in row.kinds:
        raise _kind_error(row, op, lhs.dtype)


def _kind_error(row: Row, op: str, dtype: np.dtype[Any]) -> Exception:
    words = row.words.format(opcode=row.opcode, type=primitive_type(dtype))
    told = f": {words}" if words else ""
    return type_error(op, "ew_c1", f"elements of dtype {dtype} are not {words_for(row.kinds)}{told}", value=dtype)


def _binary(row: Row) -> Binary:
    op = f"xla.{row.name}"

    def operation(
        lhs: Any, rhs: Any, broadcast_dimensions: Sequence[int] | None = None, *, out: Array | None = None
    ) -> Array:
        left, right = as_operands(op, lhs, rhs)
        given = () if broadcast_dimensions is None else broadcast_dimensions
        dimensions = _core.read_integers(op, "broadcast_dimensions", given)
        check_binary(row, op, left, right)
        left, right = broadcast(op, row.opcode, left, right, dimensions)  # ew_s1
        return deliver(op, evaluated(row, left, right), out)

    return _finished(operation, row, BINARY_TEXT)


def _unary(row: Row) -> Unary:
    op = f"xla.{row.name}"

    def operation(operand: Any, *, out: Array | None = None) -> Array:
        x = as_operand(op, "operand", operand)
        if kind(x.dtype) not in row.kinds:
            raise _kind_error(row, op, x.dtype)
        return deliver(op, evaluated(row, x), out)

    return _finished(operation, row, UNARY_TEXT)


def evaluated(row: Row, *operands: Array) -> Array:
    """The result as a new C-ordered array of its dtype; overflow and invalid operations have values, not warnings."""
    with np.errstate(all="ignore"):
        result = np.asarray(row.evaluate(*operands))
    dtype = operands[0].dtype if row.result is None else np.dtype(row.result)
    if row.name == "abs":
        dtype = result.dtype  # of complex numbers: that of their parts
    return result.astype(dtype, order="C", copy=False)


def _finished(operation: Function, row: Row, text: str) -> Function:
    """The function under its name, with its docstring."""
    dtype = "bools" if row.result is bool else "of their dtype" if text is BINARY_TEXT else "dtype"
    operation.__name__ = operation.__qualname__ = row.name
    operation.__doc__ = text.format(
        summary=row.summary, kinds=words_for(row.kinds).capitalize(), dtype=dtype, example=row.example
    )
    return public(operation)


add, sub, mul, div, rem, max, min, logical_and, logical_or, eq, ne, ge, gt, le, lt = map(_binary, BINARY)
abs, ceil, cos, exp, floor, is_finite, log, logical_not, neg, sign, tanh = map(_unary, UNARY)
bitwise_and, bitwise_or, bitwise_not = logical_and, logical_or, logical_not
