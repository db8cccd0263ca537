"""Shapes of XLA's element-wise operations, a function for each row of their table."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ssop import _core
from ssop._core import Dim, PartialShape, SliceError
from ssop._xla.broadcasting import aligned
from ssop._xla.elementwise import BINARY, UNARY, Row
from ssop.shapes._arguments import Mode, ShapeLike, check_mode, dims_of, in_mode, ones, raise_as, stand_in
from ssop.shapes._rules import ShapeRules


class BinaryShape(Protocol):
    """The shape function of an operation on two operands."""

    def __call__(
        self,
        lhs_shape: ShapeLike,
        rhs_shape: ShapeLike,
        broadcast_dimensions: Sequence[int] | None = None,
        *,
        mode: Mode = "tf",
    ) -> PartialShape: ...


class UnaryShape(Protocol):
    """The shape function of an operation on one operand."""

    def __call__(self, operand_shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape: ...


BINARY_TEXT = """The shape of XLA's `{name}` of operands of these shapes: that to which both are broadcast.

Parameters
----------
lhs_shape, rhs_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
broadcast_dimensions : sequence of int, as for ssop.xla.{name}
mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

Returns
-------
PartialShape : the shape of the result; a dim that may not be 1 keeps its identity.

Raises
------
SliceError : if every completion is an error; `label` names the rule (ew_*, in_*, sh_*) in SPEC.md.

Source: XLA's shape inference of binary operations (sh_s32).

Examples
--------
>>> import ssop
>>> ssop.shapes.xla.{name}([2, None], [1, 3])
PartialShape([2, 3])
"""

UNARY_TEXT = """The shape of XLA's `{name}` of an operand: its own.

Parameters
----------
operand_shape : None (unknown rank), or a sequence of dims: int, None (unknown), (least, greatest), Dim
mode : "tight" or "tf"

Returns
-------
PartialShape : the shape of the result; all dims keep their identity.

Raises
------
SliceError : `label` names the rule (in_*, sh_*) in SPEC.md.

Source: XLA's shape inference of unary operations (sh_s32).

Examples
--------
>>> import ssop
>>> ssop.shapes.xla.{name}([2, None])
PartialShape([2, None])
"""


def merging(row: Row) -> Callable[..., PartialShape]:
    """The function of a row that is given the rules of a context."""

    def merge(rules: ShapeRules, **arguments: Any) -> PartialShape:
        return _merged(rules, row, **arguments)

    return merge


def _merged(
    rules: ShapeRules, row: Row, lhs_shape: ShapeLike, rhs_shape: ShapeLike, broadcast_dimensions: Any = None
) -> PartialShape:
    """The shape to which both are broadcast (sh_s32)."""
    op = f"xla.{row.name}"
    lhs, rhs = PartialShape(lhs_shape), PartialShape(rhs_shape)
    given = () if broadcast_dimensions is None else broadcast_dimensions
    dimensions = _core.read_integers(op, "broadcast_dimensions", given)
    if lhs.rank is None or rhs.rank is None:
        return PartialShape(None)
    small, large = (lhs, rhs) if lhs.rank < rhs.rank else (rhs, lhs)
    try:
        aligned(op, row.opcode, ones(lhs), ones(rhs), dimensions)
        places = dict(zip(dimensions if lhs.rank != rhs.rank else range(lhs.rank), dims_of(small), strict=True))
        dims = [_broadcast(rules, dim, places.get(axis, Dim(1))) for axis, dim in enumerate(dims_of(large))]
    except SliceError as error:
        raise raise_as(lambda: aligned(op, row.opcode, stand_in(lhs), stand_in(rhs), dimensions), error) from None
    return in_mode(rules.mode, PartialShape(dims), lhs, rhs)


def _broadcast(rules: ShapeRules, one: Dim, other: Dim) -> Dim:
    """The dim of an axis that two operands share: a dim that cannot be 1 is that of the result."""
    if one.value == 1 or (one.id and one.id == other.id):
        return other
    if other.value == 1:
        return one
    may_be_1 = [low <= 1 and (high is None or high >= 1) for low, high in (one.interval, other.interval)]
    if not any(may_be_1):
        return rules.merge(one, other)
    if not all(may_be_1):
        return other if may_be_1[0] else one
    (low, high), (other_low, other_high) = one.interval, other.interval
    highest = None if high is None or other_high is None else builtins.max(high, other_high)
    return Dim((builtins.min(low, other_low), highest))


def _binary(row: Row) -> BinaryShape:
    def infer(
        lhs_shape: ShapeLike,
        rhs_shape: ShapeLike,
        broadcast_dimensions: Sequence[int] | None = None,
        *,
        mode: Mode = "tf",
    ) -> PartialShape:
        check_mode(f"xla.{row.name}", mode)
        return _merged(ShapeRules(mode), row, lhs_shape, rhs_shape, broadcast_dimensions)

    _finish(infer, row, BINARY_TEXT)
    return infer


def _unary(row: Row) -> UnaryShape:
    def infer(operand_shape: ShapeLike, *, mode: Mode = "tf") -> PartialShape:
        check_mode(f"xla.{row.name}", mode)
        return PartialShape(operand_shape)

    _finish(infer, row, UNARY_TEXT)
    return infer


def _finish(infer: Any, row: Row, text: str) -> None:
    """Give a function its name and its docstring."""
    infer.__name__ = infer.__qualname__ = row.name
    infer.__doc__ = text.format(name=row.name)
    infer.__module__ = "ssop.shapes.xla"


add, sub, mul, div, rem, max, min, logical_and, logical_or, eq, ne, ge, gt, le, lt = map(_binary, BINARY)
abs, ceil, cos, exp, floor, is_finite, log, logical_not, neg, sign, tanh = map(_unary, UNARY)
bitwise_and, bitwise_or, bitwise_not = logical_and, logical_or, logical_not
