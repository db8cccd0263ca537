"""Where two terms are equal, for all numbers: their elements as relations of isl, which islpy compares."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from ssop._convert.expressions import TRUE, Condition, Expression, Numbers
from ssop._convert.proofs import Isl, load
from ssop._convert.terms import Term, indices


class _Undecided(Exception):
    """A condition of an expression that is true for some of the numbers in question; the argument is it."""


class Space:
    """Sets of numbers for the parameters, and relations between indices that depend on them.

    >>> from ssop._convert.expressions import names
    >>> from ssop._convert.terms import array, index
    >>> N, a = names("N a")
    >>> legal, equal = Space(["N", "a"]).equal(index(array("x", N), 0, a), array("x", N))
    >>> print(legal)
    [N, a] -> {  : N >= 0 }
    >>> equal.is_equal(type(equal)("[N, a] -> { : a >= N > 0 or N = 0 }"))
    True
    """

    def __init__(self, parameters: Sequence[str], known: Condition = TRUE) -> None:
        """`known` is true for all numbers in question."""
        self._isl = load()
        self._parameters = list(parameters)
        self._prefix = f"[{', '.join(parameters)}] -> "
        self._context = self._isl.Set(f"{self._prefix}{{ : }}")
        self._context = self.numbers(known)

    def numbers(self, condition: Condition) -> Isl:
        """The numbers under a condition, as a set of parameters."""
        return self._set(condition, self._points([])).params().intersect(self._context)

    def equal(self, left: Term, right: Term) -> tuple[Isl, Isl]:
        """The numbers with which `left` is no error, and those of them with which `right` is equal to it."""
        try:
            return self._equal(left, right)
        except _Undecided as undecided:
            (condition,) = undecided.args
        whole, cases = self._context, []
        under = self.numbers(condition)
        for context in (under, whole.subtract(under)):
            self._context = context
            cases.append(self.equal(left, right))
        self._context = whole
        (valid, equal), (others, equal_others) = cases
        return valid.union(others).coalesce(), equal.union(equal_others).coalesce()

    def _equal(self, left: Term, right: Term) -> tuple[Isl, Isl]:
        valid = self.numbers(left.valid)
        both = valid.intersect(self.numbers(right.valid))
        for one, two in zip(left.shape, right.shape, strict=True):
            both = both.intersect(self.numbers(one.equals(two)))
        first, second = self.elements(left), self.elements(right)
        differ = first.subtract(second).union(second.subtract(first)).intersect_params(both)
        return valid, both if differ.is_empty() else both.subtract(differ.params()).coalesce()

    def elements(self, term: Term) -> Isl:
        """The relation from the indices of the result to elements of the operands, for numbers without an error."""
        shape = term.shape
        outs = indices(len(shape))
        points = self._points(outs).intersect_params(self.numbers(term.valid))
        for o, dim in zip(outs, shape, strict=True):
            points = points.intersect(self._set((0 <= o) & (o < dim), points))
        if term.operation == "array":
            place = f"[{', '.join(map(str, outs))}]"
            whole = self._isl.Map(f"{self._prefix}{{ {place} -> {term}{place} }}")
            return self._isl.UnionMap.from_map(whole.intersect_domain(points))
        operands = [self.elements(operand) for operand in term.operands]
        found = self._isl.UnionMap(f"{self._prefix}{{ }}")
        for piece in term.pieces:
            under = points.intersect(self._set(piece.condition, points))
            found = found.union(self._places(piece.place, under).apply_range(operands[piece.operand]))
        return found

    def point(self, numbers: Isl) -> Numbers:
        """Some numbers of a set that is not empty."""
        point, kind = numbers.sample_point(), self._isl.dim_type.param
        values = (point.get_coordinate_val(kind, place) for place in range(len(self._parameters)))
        return {name: int(value.to_python()) for name, value in zip(self._parameters, values, strict=True)}

    def _points(self, outs: Sequence[Expression]) -> Isl:
        points = self._isl.Set(f"{self._prefix}{{ [{', '.join(map(str, outs))}] }}")
        return points.intersect_params(self._context)

    def _places(self, index: Sequence[Expression], points: Isl) -> Isl:
        """The relation from points to an index."""
        places = self._isl.Map.from_domain(points)
        for expression in index:
            places = places.flat_range_product(self._isl.Map.from_pw_aff(self._affine(expression, points)))
        return self._isl.UnionMap.from_map(places)

    def _affine(self, expression: Expression, points: Isl) -> Isl:
        """An expression as a function of points."""
        operation, operands = expression.operation, expression.operands
        if operation in ("number", "name"):
            return self._leaf(operation, operands[0], points)
        if operation == "if":
            condition, yes, no = operands
            under = self.numbers(condition)
            if not (under.is_empty() or self._context.is_subset(under)):
                raise _Undecided(condition)
            return self._affine(no if under.is_empty() else yes, points)
        made = [self._affine(operand, points) for operand in operands]
        if operation in _DIVISIONS:
            divisor = self._isl.Val.int_from_si(self._isl.DEFAULT_CONTEXT, operands[1].number)
            return _DIVISIONS[operation](made[0], divisor)
        return reduce(_FUNCTIONS[operation], made).coalesce()

    def _leaf(self, operation: str, value: Any, points: Isl) -> Isl:
        isl = self._isl
        space = isl.LocalSpace.from_space(points.get_space())
        if operation == "number":
            number = isl.Val.int_from_si(isl.DEFAULT_CONTEXT, value)
            return isl.PwAff.from_aff(isl.Aff.val_on_domain(space, number))
        if value in self._parameters:
            kind, place = isl.dim_type.param, self._parameters.index(value)
        else:
            kind, place = isl.dim_type.set, int(value.removeprefix("o"))
        return isl.PwAff.from_aff(isl.Aff.var_on_domain(space, kind, place))

    def _set(self, condition: Condition, points: Isl) -> Isl:
        """The points of the same space under a condition."""
        operation, operands = condition.operation, condition.operands
        universe = self._isl.Set.universe(points.get_space())
        if operation in _COMPARISONS:
            one, two = (self._affine(operand, points) for operand in operands)
            return _COMPARISONS[operation](one, two)
        sets = [self._set(operand, points) for operand in operands]
        if operation == "not":
            return universe.subtract(sets[0])
        return reduce(_SETS[operation], sets) if sets else universe


_FUNCTIONS: dict[str, Any] = {
    "+": lambda one, two: one.add(two),
    "-": lambda one, two: one.sub(two),
    "*": lambda one, two: one.mul(two),
    "max": lambda one, two: one.max(two),
    "min": lambda one, two: one.min(two),
}
_DIVISIONS: dict[str, Any] = {
    "ceil": lambda dividend, divisor: dividend.scale_down_val(divisor).ceil(),
    "floor": lambda dividend, divisor: dividend.scale_down_val(divisor).floor(),
    "mod": lambda dividend, divisor: dividend.mod_val(divisor),
}
_COMPARISONS: dict[str, Any] = {
    "<=": lambda one, two: one.le_set(two),
    "<": lambda one, two: one.lt_set(two),
    "=": lambda one, two: one.eq_set(two),
}
_SETS: dict[str, Any] = {
    "and": lambda one, two: one.intersect(two),
    "or": lambda one, two: one.union(two),
}
