"""XLA's element-wise operations: one formula for each, on Python's numbers.

Bools, integers and complex numbers are Python's. `dtype` says to what integers are wrapped round, such as "int8", and
which precision results have, subnormal numbers included (ew_s8); without it they are exact.
"""

from __future__ import annotations

import builtins
import cmath
import math
from collections.abc import Callable, Sequence
from typing import Any

from ssop.reference._tensors import Rejected, Tensor, build
from ssop.reference._values import KINDS, kind_and_bits, rounded

BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x or y if isinstance(x, bool) else x + y,  # ew_s4
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x and y if isinstance(x, bool) else x * y,
    "div": lambda x, y: divided(x, y),
    "rem": lambda x, y: remainder(x, y),
    "max": lambda x, y: greater(x, y),
    "min": lambda x, y: -greater(-x, -y) if isinstance(x, float) else builtins.min(x, y),  # ew_s5
    "logical_and": lambda x, y: x & y,
    "logical_or": lambda x, y: x | y,
    "eq": lambda x, y: x == y,  # ew_s6
    "ne": lambda x, y: x != y,
    "ge": lambda x, y: x >= y,
    "gt": lambda x, y: x > y,
    "le": lambda x, y: x <= y,
    "lt": lambda x, y: x < y,
}
UNARY: dict[str, Callable[[Any], Any]] = {
    "abs": builtins.abs,
    "ceil": lambda x: float(math.ceil(x)) if math.isfinite(x) and x != 0 else x,
    "cos": lambda x: cmath.cos(x) if isinstance(x, complex) else math.cos(x) if math.isfinite(x) else math.nan,
    "exp": lambda x: exponential(x),
    "floor": lambda x: float(math.floor(x)) if math.isfinite(x) and x != 0 else x,
    "is_finite": math.isfinite,
    "log": lambda x: logarithm(x),
    "logical_not": lambda x: not x if isinstance(x, bool) else ~x,
    "neg": lambda x: -x,
    "sign": lambda x: sign_of(x),
    "tanh": lambda x: cmath.tanh(x) if isinstance(x, complex) else math.tanh(x),
}


def divided(x: Any, y: Any) -> Any:
    """Divide integers towards zero, and by zero to -1, which has every bit set (ew_s3); IEEE 754 for real numbers.

    >>> divided(-7, 2), divided(7, 0), divided(-1.0, 0.0)
    (-3, -1, -inf)
    """
    if isinstance(x, int):
        quotient = -1 if y == 0 else builtins.abs(x) // builtins.abs(y)
        return -quotient if y != 0 and (x < 0) != (y < 0) else quotient
    if y != 0:
        return x / y
    if isinstance(x, complex):
        return complex(math.nan, math.nan)
    return math.nan if x == 0 or x != x else math.copysign(math.inf, x) * math.copysign(1, y)


def remainder(x: Any, y: Any) -> Any:
    """The remainder of the division towards zero; of an integer by zero, the dividend (ew_s3).

    >>> remainder(-7, 2), remainder(7, 0), remainder(-7.5, 2.0)
    (-1, 7, -1.5)
    """
    if isinstance(x, int):
        return x if y == 0 else x - y * divided(x, y)
    return math.nan if y == 0 or math.isinf(x) or x != x or y != y else math.fmod(x, y)


def greater(x: Any, y: Any) -> Any:
    """The greater of two; NaN if one is NaN, and +0 is greater than -0 (ew_s5).

    >>> greater(1.0, float("nan")), greater(-0.0, 0.0)
    (nan, 0.0)
    """
    if isinstance(x, float):
        if x != x or y != y:
            return math.nan
        if x == y == 0:
            return x + y
    return builtins.max(x, y)


def exponential(x: Any) -> Any:
    """The power of e, infinite where it is too large."""
    if isinstance(x, complex):
        return cmath.exp(x)
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def logarithm(x: Any) -> Any:
    """The natural logarithm: -inf of zero, NaN of a negative number."""
    if isinstance(x, complex):
        return cmath.log(x) if x != 0 else complex(-math.inf, 0)
    return math.log(x) if x > 0 else -math.inf if x == 0 else math.nan


def sign_of(x: Any) -> Any:
    """-1, 0 or 1; zeros and NaN are themselves, a complex number is divided by its magnitude (ew_s7)."""
    if isinstance(x, complex):
        return x / builtins.abs(x) if x != 0 else x
    if x == 0 or x != x:
        return x
    return type(x)(1 if x > 0 else -1)


def in_dtype(x: Any, dtype: str | None) -> Any:
    """The number as elements of a dtype have it (ew_s2).

    >>> in_dtype(200, "int8"), in_dtype(True, "int8")
    (-56, True)
    """
    if dtype is None or isinstance(x, (bool, complex)):
        return x
    kind, bits = kind_and_bits(dtype)
    if isinstance(x, int) and kind == KINDS[int]:
        wrapped = x % 2**bits
        return wrapped - 2**bits if not dtype.startswith("u") and wrapped >= 2 ** (bits - 1) else wrapped
    try:
        return rounded(x, bits // 2 if kind == KINDS[complex] else bits) if isinstance(x, float) else x
    except OverflowError:
        return math.copysign(math.inf, x)


def aligned(lhs: Tensor, rhs: Tensor, dimensions: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Both with as many axes as the one of higher rank (ew_s1). Raises `ew_c2`..`ew_c8`.

    >>> aligned(Tensor((2, 3), list(range(6))), Tensor((2,), [7, 8]), [0])[1].shape
    (2, 1)
    """
    if len(lhs.shape) == len(rhs.shape):
        if dimensions and list(dimensions) != list(range(len(lhs.shape))):
            raise Rejected("ew_c7", value=tuple(dimensions))
        for axis, (one, other) in enumerate(zip(lhs.shape, rhs.shape, strict=True)):
            if one != other and 1 not in (one, other):
                raise Rejected("ew_c8", axis=axis, value=rhs.shape)
        return lhs, rhs
    if len(lhs.shape) < len(rhs.shape):
        return expanded(lhs, rhs.shape, dimensions), rhs
    return lhs, expanded(rhs, lhs.shape, dimensions)


def expanded(small: Tensor, large: Sequence[int], dimensions: Sequence[int]) -> Tensor:
    """The tensor of lower rank with axes of length 1 where no dimension maps to."""
    rank, allowed = len(small.shape), (0, len(large) - 1)
    if rank and not dimensions:
        raise Rejected("ew_c2", value=small.shape)
    if len(dimensions) != rank:
        raise Rejected("ew_c3", value=len(dimensions))
    for entry, axis in enumerate(dimensions):
        if not 0 <= axis < len(large):
            raise Rejected("ew_c4", entry=entry, value=axis, allowed=allowed)
        if small.shape[entry] != large[axis] and 1 not in (small.shape[entry], large[axis]):
            raise Rejected("ew_c5", axis=axis, entry=entry, value=small.shape[entry])
        if entry and dimensions[entry - 1] >= axis:
            raise Rejected("ew_c6", entry=entry, value=axis)
    places = dict(zip(dimensions, small.shape, strict=True))
    return Tensor(tuple(places.get(axis, 1) for axis in range(len(large))), small.items)


def of_two(name: str) -> Callable[..., Tensor]:
    """The operation of this name on two operands.

    >>> of_two("add")(Tensor((2,), [100, 1]), Tensor((), [100]), dtype="int8")
    Tensor(shape=(2,), items=[-56, 101])
    """

    def operation(
        lhs: Tensor, rhs: Tensor, broadcast_dimensions: Sequence[int] = (), *, dtype: str | None = None
    ) -> Tensor:
        left, right = aligned(lhs, rhs, broadcast_dimensions)
        shape = [y if x == 1 else x for x, y in zip(left.shape, right.shape, strict=True)]

        def item(index: tuple[int, ...]) -> Any:
            x, y = (
                part.at([0 if dim == 1 else i for i, dim in zip(index, part.shape, strict=True)])
                for part in (left, right)
            )
            return in_dtype(BINARY[name](x, y), dtype)

        return build(shape, item)

    return operation


def of_one(name: str) -> Callable[..., Tensor]:
    """The operation of this name on one operand.

    >>> of_one("sign")(Tensor((2,), [-5.0, 0.0]))
    Tensor(shape=(2,), items=[-1.0, 0.0])
    """

    def operation(operand: Tensor, *, dtype: str | None = None) -> Tensor:
        return Tensor(operand.shape, [in_dtype(UNARY[name](x), dtype) for x in operand.items])

    return operation


add, sub, mul, div, rem, max, min, logical_and, logical_or, eq, ne, ge, gt, le, lt = map(of_two, BINARY)
abs, ceil, cos, exp, floor, is_finite, log, logical_not, neg, sign, tanh = map(of_one, UNARY)
bitwise_and, bitwise_or, bitwise_not = logical_and, logical_or, logical_not
