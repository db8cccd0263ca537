"""Operations on several operands whose shapes must agree: what each shape says of the others (sh_s24 .. sh_s26).

Every function takes the rules of the call first, which record what was merged. A contradiction is the error that
execution raises.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ssop import _core, _vectors
from ssop._core import Dim, PartialShape, SliceError
from ssop._elementwise import check_clamp, check_select
from ssop._errors import value_error
from ssop.shapes._arguments import MAX_RANK, ShapeLike, axis_of, in_mode, least, raise_as, stand_in
from ssop.shapes._rules import ShapeRules


def concatenate(rules: ShapeRules, operand_shapes: Sequence[ShapeLike], dimension: Any) -> PartialShape:
    """The shape of operands that are joined along an axis (sh_s24)."""
    given = _vectors.items("xla.concatenate", "operand_shapes", operand_shapes)
    shapes = [PartialShape(shape) for shape in given]
    known = [shape for shape in shapes if shape.rank is not None]
    stand_in = least(known[0]) if known else (0,) * MAX_RANK

    def execution() -> object:
        ranked = [stand_in if shape.rank is None else least(shape) for shape in shapes]
        return _core.xla_concatenate_shape(ranked, dimension)

    agree = all(shape.rank == len(stand_in) for shape in known)
    axis = axis_of(dimension, len(stand_in))
    if not shapes or not agree or axis is None:
        execution()  # raises cat_c1, cat_c2, cat_c3 or in_c1
    if axis is None or not known:
        return PartialShape(None)
    try:
        joined = Dim(0)
        for shape in shapes:
            joined = joined.add(None if shape.rank is None else shape.dim(axis))
        merged = known[0].replace_dim(axis, joined)
        for shape in known[1:]:
            merged = rules.merge(merged, shape.replace_dim(axis, joined))
    except SliceError as error:
        raise raise_as(execution, error) from None
    return in_mode(rules.mode, merged, *known)


def select(
    rules: ShapeRules, pred_shape: ShapeLike, on_true_shape: ShapeLike, on_false_shape: ShapeLike
) -> PartialShape:
    """The shape of both operands, and of the predicate unless that is a scalar (sh_s25)."""
    pred, on_true, on_false = PartialShape(pred_shape), PartialShape(on_true_shape), PartialShape(on_false_shape)
    scalar = stand_in(PartialShape(()), bool)
    both = _merged(rules, on_true, on_false, lambda: check_select(scalar, stand_in(on_true), stand_in(on_false)))
    if pred.rank:
        both = _merged(rules, both, pred, _select_execution(pred, both))
    return in_mode(rules.mode, both, pred, on_true, on_false)


def _select_execution(pred: PartialShape, both: PartialShape) -> Callable[[], object]:
    return lambda: check_select(stand_in(pred, bool), stand_in(both), stand_in(both))


def clamp(rules: ShapeRules, min_shape: ShapeLike, operand_shape: ShapeLike, max_shape: ShapeLike) -> PartialShape:
    """The shape of the operand, and of those bounds that are no scalars (sh_s25)."""
    operand, bounds = PartialShape(operand_shape), (PartialShape(min_shape), PartialShape(max_shape))
    result = operand
    for bound in bounds:
        if bound.rank:
            result = _merged(rules, result, bound, _clamp_execution(bound, result))
    return in_mode(rules.mode, result, operand, *bounds)


def _clamp_execution(bound: PartialShape, operand: PartialShape) -> Callable[[], object]:
    return lambda: check_clamp(stand_in(bound), stand_in(operand), stand_in(bound))


def strided_slice_grad(
    rules: ShapeRules, shape: PartialShape, taken: PartialShape, dy_shape: ShapeLike
) -> PartialShape:
    """The shape itself, if dy may have the shape of the slice that is taken of it (sh_s26)."""
    dy = PartialShape(dy_shape)
    try:
        rules.merge(taken, dy)
    except SliceError:
        message = f"dy has shape {dy}, not {taken}: shape of dy was {dy} instead of {taken}"
        raise value_error("strided_slice_grad", "gr_c1", message, value=dy.dims) from None
    return shape


def _merged(rules: ShapeRules, a: PartialShape, b: PartialShape, execution: Callable[[], object]) -> PartialShape:
    try:
        return rules.merge(a, b)
    except SliceError as error:
        raise raise_as(execution, error) from None
