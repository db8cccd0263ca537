"""Integer expressions and conditions over named parameters: as text, as numbers, and as data for a proof."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeAlias

Numbers: TypeAlias = Mapping[str, int]
"""A value for each parameter."""
Integer: TypeAlias = "Expression | int"


@dataclass(frozen=True)
class Expression:
    """A quasi-affine expression: a tree of an operation and its operands.

    The operations are "number", "name", "+", "-", "*", "max", "min", "ceil" (of a quotient), "floor", "mod" and "if".

    >>> a, k = names("a k")
    >>> print(maximum(0, a - 2 * k + 1), (a - 2 * k).value({"a": 9, "k": 2}))
    max(0, a - 2*k + 1) 5
    """

    operation: str
    operands: tuple[Any, ...]

    def __add__(self, other: Integer) -> Expression:
        return _binary("+", self, other)

    def __radd__(self, other: int) -> Expression:
        return _binary("+", other, self)

    def __sub__(self, other: Integer) -> Expression:
        return _binary("-", self, other)

    def __rsub__(self, other: int) -> Expression:
        return _binary("-", other, self)

    def __mul__(self, other: Integer) -> Expression:
        return _binary("*", self, other)

    def __rmul__(self, other: Integer) -> Expression:
        return _binary("*", other, self)

    def __floordiv__(self, other: Integer) -> Expression:
        return _binary("floor", self, other)

    def __mod__(self, other: Integer) -> Expression:
        return _binary("mod", self, other)

    def __le__(self, other: Integer) -> Condition:
        return Condition("<=", (self, expression(other)))

    def __ge__(self, other: Integer) -> Condition:
        return Condition("<=", (expression(other), self))

    def __lt__(self, other: Integer) -> Condition:
        return Condition("<", (self, expression(other)))

    def __gt__(self, other: Integer) -> Condition:
        return Condition("<", (expression(other), self))

    def equals(self, other: Integer) -> Condition:
        return Condition("=", (self, expression(other)))

    @property
    def number(self) -> int | None:
        """The value, if it is a number."""
        return self.operands[0] if self.operation == "number" else None

    def replaced(self, values: Mapping[str, Integer]) -> Expression:
        """The expression with these for the parameters of their names; what becomes a number is one."""
        operation, operands = self.operation, self.operands
        if operation == "name":
            return expression(values.get(operands[0], self))
        if operation == "number":
            return self
        made = [operand.replaced(values) for operand in operands]
        if operation == "if":
            return Expression("if", tuple(made))
        found: Expression = reduce(lambda one, two: _binary(operation, one, two), made)
        return found

    def value(self, numbers: Numbers) -> int:
        operation, operands = self.operation, self.operands
        if operation == "number":
            return int(operands[0])
        if operation == "name":
            return numbers[operands[0]]
        if operation == "if":
            condition, yes, no = operands
            return int((yes if condition.value(numbers) else no).value(numbers))
        return int(reduce(_FUNCTIONS[operation], (operand.value(numbers) for operand in operands)))

    def names(self) -> set[str]:
        if self.operation == "name":
            return {self.operands[0]}
        return set().union(*(x.names() for x in self.operands if not isinstance(x, int)))

    def __str__(self) -> str:
        operation, operands = self.operation, self.operands
        if operation in ("number", "name"):
            return str(operands[0])
        if operation in ("max", "min"):
            return f"{operation}({', '.join(map(str, operands))})"
        if operation == "if":
            condition, yes, no = operands
            return f"({yes} if {condition} else {no})"
        one, two = operands
        if operation == "+":
            return f"{one} + {two}"
        if operation == "-":
            return f"{one} - {_tight(two, '+-')}"
        if operation == "*" and one.number == -1:
            return f"-{_tight(two, '+-')}"
        if operation == "*":
            return f"{_tight(one, '+-')}*{_tight(two, '+-')}"
        return f"({one}) mod {two}" if operation == "mod" else f"{operation}({_tight(one, '+-')}/{_tight(two, '+-*')})"


def _tight(operand: Expression, weak: str) -> str:
    negative = operand.number is not None and operand.number < 0
    return f"({operand})" if operand.operation in weak or negative else str(operand)


_FUNCTIONS: dict[str, Any] = {
    "+": lambda one, two: one + two,
    "-": lambda one, two: one - two,
    "*": lambda one, two: one * two,
    "max": max,
    "min": min,
    "ceil": lambda one, two: -(-one // two),
    "floor": lambda one, two: one // two,
    "mod": lambda one, two: one % two,
}


def _binary(operation: str, one: Integer, two: Integer) -> Expression:
    first, second = expression(one), expression(two)
    if first.number is not None and second.number is not None:
        return expression(_FUNCTIONS[operation](first.number, second.number))
    if (operation in "+-" and second.number == 0) or (operation in ("*", "ceil", "floor") and second.number == 1):
        return first
    if (operation == "+" and first.number == 0) or (operation == "*" and first.number == 1):
        return second
    if operation in "+-" and second.number is not None and second.number < 0:
        return Expression("-" if operation == "+" else "+", (first, expression(-second.number)))
    if operation in ("max", "min") and first.operation == operation:
        return Expression(operation, (*first.operands, second))
    return Expression(operation, (first, second))


def expression(value: Integer) -> Expression:
    return value if isinstance(value, Expression) else Expression("number", (value,))


def names(text: str) -> list[Expression]:
    return [Expression("name", (name,)) for name in text.split()]


def maximum(*operands: Integer) -> Expression:
    return reduce(lambda one, two: _binary("max", one, two), map(expression, operands))


def minimum(*operands: Integer) -> Expression:
    return reduce(lambda one, two: _binary("min", one, two), map(expression, operands))


def ceiling(dividend: Integer, divisor: Integer) -> Expression:
    """The quotient, rounded up, for a positive divisor."""
    return _binary("ceil", dividend, divisor)


def if_(condition: Condition, yes: Integer, no: Integer) -> Expression:
    return Expression("if", (condition, expression(yes), expression(no)))


@dataclass(frozen=True)
class Condition:
    """A comparison "<=", "<" or "=" of two expressions, or "and", "or" or "not" of conditions."""

    operation: str
    operands: tuple[Any, ...]

    def __and__(self, other: Condition) -> Condition:
        if TRUE in (self, other):
            return other if self == TRUE else self
        return Condition("and", (*self._parts("and"), *other._parts("and")))

    def __or__(self, other: Condition) -> Condition:
        if TRUE in (self, other):
            return TRUE
        return Condition("or", (*self._parts("or"), *other._parts("or")))

    def _parts(self, operation: str) -> tuple[Condition, ...]:
        return self.operands if self.operation == operation else (self,)

    def replaced(self, values: Mapping[str, Integer]) -> Condition:
        return Condition(self.operation, tuple(operand.replaced(values) for operand in self.operands))

    def value(self, numbers: Numbers) -> bool:
        found = [operand.value(numbers) for operand in self.operands]
        if self.operation in ("and", "or"):
            return all(found) if self.operation == "and" else any(found)
        if self.operation == "not":
            return not found[0]
        one, two = found
        return bool(one <= two if self.operation == "<=" else one < two if self.operation == "<" else one == two)

    def names(self) -> set[str]:
        return set().union(*(operand.names() for operand in self.operands))

    def __str__(self) -> str:
        if self == TRUE:
            return "always"
        if self.operation in ("and", "or"):
            return f" {self.operation} ".join(
                f"({part})" if part.operation == "or" and self.operation == "and" else str(part)
                for part in _joined(self)
            )
        if self.operation == "not":
            return f"not ({self.operands[0]})"
        return f" {self.operation} ".join(map(str, self.operands))


TRUE = Condition("and", ())


def both(*conditions: Condition) -> Condition:
    return reduce(Condition.__and__, conditions, TRUE)


def any_of(*conditions: Condition) -> Condition:
    return reduce(Condition.__or__, conditions)


def negation(condition: Condition) -> Condition:
    return Condition("not", (condition,))


def between(*operands: Integer) -> Condition:
    """Each is at most the next one."""
    pairs = zip(operands, operands[1:], strict=False)
    return both(*(expression(one) <= two for one, two in pairs))


@dataclass(frozen=True)
class _Chain:
    """Comparisons that share their expressions, as one text."""

    text: str
    operation: str = "chain"

    def __str__(self) -> str:
        return self.text


def _joined(condition: Condition) -> list[Any]:
    """The parts of an "and", where `a <= b and b <= c` is `a <= b <= c`."""
    parts: list[Any] = []
    last: Condition | None = None
    for part in condition.operands:
        chains = condition.operation == "and" and part.operation in ("<=", "<", "=")
        if chains and last is not None and last.operands[1] == part.operands[0]:
            parts[-1] = _Chain(f"{parts[-1]} {part.operation} {part.operands[1]}")
        else:
            parts.append(part)
        last = part if chains else None
    return parts
