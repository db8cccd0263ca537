"""Values of C programs as z3 terms: integers are mathematical integers within the range of their type.

Arithmetic follows C11: integer promotions, the usual conversions, unsigned wrap-around. Whatever C leaves undefined
becomes an obligation, which the caller of an operation passes on to `Arithmetic.oblige`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import z3


class NotSupported(Exception):
    """The source uses what this subset of C does not have."""


# ---- types -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Integer:
    """`bits` 1 is _Bool. Ranks order types as in C11, 6.3.1.1."""

    bits: int
    signed: bool
    rank: int

    @property
    def low(self) -> int:
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << self.bits - self.signed) - 1


BOOL, INT = Integer(1, False, 0), Integer(32, True, 3)


@dataclass(frozen=True)
class StructType:
    fields: tuple[tuple[str, object], ...]


@dataclass(frozen=True)
class ArrayType:
    item: object
    length: int


@dataclass(frozen=True)
class PointerType:
    target: object  # None: void, or what is never read


@dataclass(frozen=True)
class FunctionType:
    pass


def size_of(kind: object) -> int:
    """Bytes, without padding: it is only used to count the items of memcpy."""
    if isinstance(kind, Integer):
        return max(kind.bits // 8, 1)
    if isinstance(kind, StructType):
        return sum(size_of(item) for _, item in kind.fields)
    if isinstance(kind, ArrayType):
        return kind.length * size_of(kind.item)
    return 8


# ---- values ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scalar:
    type: Integer
    term: z3.ArithRef
    truth: z3.BoolRef | None = None  # of a comparison, whose term is 0 or 1


@dataclass(frozen=True)
class Struct:
    type: StructType
    fields: dict[str, object]


@dataclass(frozen=True)
class Array:
    type: ArrayType
    items: tuple[object, ...]


@dataclass(frozen=True)
class Place:
    """A variable, and the way from it to one of its parts: names of fields and indices."""

    root: str
    path: tuple[str | int, ...] = ()


@dataclass(frozen=True)
class Pointer:
    """The places that it may point to, each with its condition; None is NULL."""

    type: object
    choices: tuple[tuple[z3.BoolRef, Place | None], ...]


@dataclass(frozen=True)
class Function:
    name: str
    unit: object


Value = Scalar | Struct | Array | Pointer | Function
TRUE, FALSE = z3.BoolVal(True), z3.BoolVal(False)


def constant(number: int, kind: Integer = INT) -> Scalar:
    return Scalar(kind, z3.IntVal(number))


def number_of(value: Scalar) -> int | None:
    """The number, if it is known."""
    term = value.term if z3.is_int_value(value.term) else z3.simplify(value.term)
    return term.as_long() if z3.is_int_value(term) else None


def is_true(value: Scalar) -> z3.BoolRef:
    return z3.simplify(value.truth if value.truth is not None else value.term != 0)


def from_truth(truth: z3.BoolRef, kind: Integer = INT) -> Scalar:
    truth = z3.simplify(truth)
    return Scalar(kind, z3.simplify(z3.If(truth, z3.IntVal(1), z3.IntVal(0))), truth)


def both(*conditions: z3.BoolRef) -> z3.BoolRef:
    kept = [one for one in conditions if not z3.is_true(one)]
    if any(z3.is_false(one) for one in kept):
        return FALSE
    return z3.And(kept) if len(kept) > 1 else kept[0] if kept else TRUE


def either(a: z3.BoolRef, b: z3.BoolRef) -> z3.BoolRef:
    if z3.is_true(a) or z3.is_false(b):
        return a
    return b if z3.is_true(b) or z3.is_false(a) else z3.Or(a, b)


def merge(condition: z3.BoolRef, a: Value, b: Value) -> Value:
    """`a` where the condition is true, else `b`."""
    if a is b or z3.is_true(condition) or a == b:
        return a
    if z3.is_false(condition):
        return b
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        truth = None if a.truth is None or b.truth is None else z3.If(condition, a.truth, b.truth)
        return Scalar(a.type, a.term if a.term.eq(b.term) else z3.If(condition, a.term, b.term), truth)
    if isinstance(a, Struct) and isinstance(b, Struct):
        return Struct(a.type, {name: merge(condition, a.fields[name], b.fields[name]) for name in a.fields})
    if isinstance(a, Array) and isinstance(b, Array):
        return Array(a.type, tuple(merge(condition, x, y) for x, y in zip(a.items, b.items, strict=True)))
    if isinstance(a, Pointer) and isinstance(b, Pointer):
        choices: dict[Place | None, z3.BoolRef] = {}
        for side, pointer in ((condition, a), (z3.Not(condition), b)):
            for chosen, place in pointer.choices:
                choices[place] = either(choices.get(place, FALSE), both(side, chosen))
        return Pointer(a.type if a.type is not None else b.type, tuple((c, place) for place, c in choices.items()))
    raise NotSupported(f"one of {a} and {b}")


# ---- arithmetic ------------------------------------------------------------------------------------------------------


def wrap(term: z3.ArithRef, kind: Integer, low: int, high: int) -> z3.ArithRef:
    """The number of the type that is equal to `term`, which is in low..high, modulo 2^bits."""
    period = 1 << kind.bits
    if kind.low <= low and high <= kind.high:
        return term
    if kind.low - period <= low and high <= kind.high + period:
        if low < kind.low:
            term = z3.If(term < kind.low, term + period, term)
        return z3.If(term > kind.high, term - period, term) if high > kind.high else term
    return (term - kind.low) % period + kind.low


def common_type(a: Integer, b: Integer) -> Integer:
    """C11, 6.3.1.8: the usual arithmetic conversions."""
    a, b = (INT if kind.rank < INT.rank else kind for kind in (a, b))
    if a.signed == b.signed:
        return a if a.rank >= b.rank else b
    signed, unsigned = (a, b) if a.signed else (b, a)
    if unsigned.rank >= signed.rank:
        return unsigned
    return signed if signed.bits > unsigned.bits else Integer(signed.bits, False, signed.rank)


@dataclass
class Arithmetic:
    """Operations, with what they define: `axioms` about the unknowns of `defined`.

    A quotient is an unknown q with an axiom about a - b * q, so no solver has to divide.
    """

    oblige: Callable[[z3.BoolRef, str], None]
    axioms: list[z3.BoolRef] = field(default_factory=list)
    defined: dict[z3.ArithRef, tuple[str, z3.ArithRef, z3.ArithRef]] = field(default_factory=dict)

    def convert(self, value: Value, kind: object) -> Value:
        if not isinstance(kind, Integer) or not isinstance(value, Scalar):
            return Pointer(kind.target, value.choices) if isinstance(kind, PointerType) else value
        if kind == BOOL:
            return from_truth(is_true(value), BOOL)
        if z3.is_int_value(value.term):
            return constant((value.term.as_long() - kind.low) % (1 << kind.bits) + kind.low, kind)
        return Scalar(kind, wrap(value.term, kind, value.type.low, value.type.high), value.truth)

    def of_one_type(self, a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
        """The two sides of a conditional expression. Its type is theirs even where one side is known to be taken."""
        kind = common_type(a.type, b.type)
        if any(one.type.signed and not kind.signed for one in (a, b)):
            raise NotSupported("a signed and an unsigned side of a conditional expression")
        return self.convert(a, kind), self.convert(b, kind)

    def unknown(self, operator: str, a: z3.ArithRef, b: z3.ArithRef) -> tuple[z3.ArithRef, bool]:
        """The unknown that stands for `a operator b`, and whether it is new."""
        for known, definition in self.defined.items():
            if definition[0] == operator and definition[1].eq(a) and definition[2].eq(b):
                return known, False
        new = z3.Int(f"{operator}{len(self.defined)}")
        self.defined[new] = (operator, a, b)
        return new, True

    def quotient(self, a: z3.ArithRef, b: z3.ArithRef) -> z3.ArithRef:
        """a / b, truncated to zero: what is left has the sign of a and is less than b."""
        a, b = z3.simplify(a), z3.simplify(b)
        q, is_new = self.unknown("div", a, b)
        if is_new:
            left, size = a - b * q, z3.If(b > 0, b, -b)
            positive, negative = z3.And(left >= 0, left < size), z3.And(left <= 0, -left < size)
            smaller = z3.If((a >= 0) == (b > 0), q >= 0, q <= 0)
            self.axioms.append(z3.Implies(b != 0, z3.And(z3.If(a >= 0, positive, negative), smaller)))
        return q

    def divide(self, a: Scalar, b: Scalar, kind: Integer) -> tuple[z3.ArithRef, z3.ArithRef]:
        """Quotient and remainder."""
        self.oblige(b.term != 0, "division by zero")
        if kind.signed:
            self.oblige(z3.Not(z3.And(a.term == kind.low, b.term == -1)), "overflow of a division")
        q = self.quotient(a.term, b.term)
        return q, a.term - b.term * q

    def bitwise_or(self, a: Scalar, b: Scalar) -> z3.ArithRef:
        """a and b are not negative. Shifts of the result by a constant add an axiom about both."""
        new, is_new = self.unknown("or", a.term, b.term)
        if is_new:
            self.axioms.append(z3.And(new >= a.term, new >= b.term, new <= a.term + b.term))
        return new

    def shift_right(self, a: Scalar, by: int) -> z3.ArithRef:
        if a.term in self.defined and self.defined[a.term][0] == "or":
            _, x, y = self.defined[a.term]
            self.axioms.append((a.term < 1 << by) == z3.And(x < 1 << by, y < 1 << by))
        return a.term / (1 << by)

    def binary(self, operator: str, left: Scalar, right: Scalar) -> Scalar:
        if operator in (">>", "<<"):
            kind = common_type(left.type, INT) if left.type.rank < INT.rank else left.type
        else:
            kind = common_type(left.type, right.type)
        a, b = self.convert(left, kind), self.convert(right, kind)
        compare = COMPARISONS.get(operator)
        if compare is not None:
            return from_truth(compare(a.term, b.term))
        if operator in ("/", "%"):
            return Scalar(kind, self.divide(a, b, kind)[operator == "%"])
        if operator in ("&", "|", ">>", "<<"):
            return Scalar(kind, self.bits(operator, a, b, kind))
        exact = {"+": a.term + b.term, "-": a.term - b.term, "*": a.term * b.term}[operator]
        if z3.is_int_value(a.term) and z3.is_int_value(b.term):
            exact = z3.simplify(exact)
        if kind.signed:
            self.oblige(z3.And(exact >= kind.low, exact <= kind.high), f"overflow of {operator}")
            return Scalar(kind, exact)
        low, high = {"+": (0, 2 * kind.high), "-": (-kind.high, kind.high), "*": (0, kind.high**2)}[operator]
        return Scalar(kind, wrap(exact, kind, low, high))

    def bits(self, operator: str, a: Scalar, b: Scalar, kind: Integer) -> z3.ArithRef:
        x, y = number_of(a), number_of(b)
        if operator == "|":
            return z3.IntVal(x | y) if x is not None and y is not None else self.bitwise_or(a, b)
        if operator == "&" and (x is not None or y is not None):
            term, mask = (a.term, y) if y is not None else (b.term, x)
            taken = [bit for bit in range(mask.bit_length()) if mask >> bit & 1]
            return z3.Sum([(term / (1 << bit)) % 2 * (1 << bit) for bit in taken]) if taken else z3.IntVal(0)
        if operator == ">>" and y is not None:
            return self.shift_right(a, y)
        if operator == "<<" and x is not None and y is not None:
            return z3.IntVal(x << y & kind.high)
        raise NotSupported(f"{operator} of unknown numbers")

    def unary(self, operator: str, value: Scalar) -> Scalar:
        if operator == "!":
            return from_truth(z3.Not(is_true(value)))
        promoted = self.convert(value, common_type(value.type, INT))
        if operator == "-":
            return self.binary("-", constant(0), promoted)
        if operator == "~":
            kind = promoted.type
            return Scalar(kind, z3.simplify((-1 if kind.signed else kind.high) - promoted.term))
        raise NotSupported(operator)


COMPARISONS: dict[str, Callable[[z3.ArithRef, z3.ArithRef], z3.BoolRef]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
