"""What the proofs say of ranges, in terms of mathematical integers."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from proof.c_program import Program
from proof.c_values import Pointer, Scalar, Struct, Value, wrap

Term = z3.ArithRef
COUNT = z3.Function("count", *[z3.IntSort()] * 4)
"""The one number for which `counts` holds, of begin, end and step."""


def counts(n: Term, begin: Term, end: Term, step: Term) -> z3.BoolRef:
    """n is the number of begin, begin + step, .. before end: ss_s6 without a division.

    The last one is before the end, and the one after it is not.
    """
    product = n * step
    return z3.And(
        z3.If(
            z3.If(step > 0, begin >= end, begin <= end),
            n == 0,
            z3.If(
                step > 0,
                z3.And(begin + product - step < end, begin + product >= end),
                z3.And(begin + product - step > end, begin + product <= end),
            ),
        ),
        n >= 0,
    )


def last_of(one: Struct) -> Term:
    start, count, step = terms(one, "start", "count", "step")
    return start + count * step - step


def is_canonical(one: Struct) -> z3.BoolRef:
    """rg_s1."""
    start, count, step = terms(one, "start", "count", "step")
    return z3.And(
        count >= 0, z3.Implies(count == 0, z3.And(start == 0, step == 1)), z3.Implies(count == 1, step == 1), step != 0
    )


def is_inside(one: Struct, dim: Term) -> z3.BoolRef:
    """All elements of a range are inside an axis of this length, and the range is canonical."""
    start, count, last = *terms(one, "start", "count"), last_of(one)
    elements = z3.And(start >= 0, start < dim, last >= 0, last < dim)
    return z3.And(is_canonical(one), count <= dim, z3.Implies(count > 0, elements))


def terms(one: Struct, *names: str) -> tuple[Term, ...]:
    return tuple(one.fields[name].term for name in names)


def same(a: Value, b: Value) -> z3.BoolRef:
    if isinstance(a, Scalar):
        return a.term == b.term
    if isinstance(a, Struct):
        return z3.And([same(a.fields[name], b.fields[name]) for name in a.fields] or [z3.BoolVal(True)])
    if isinstance(a, Pointer):
        return z3.BoolVal(a == b)
    return z3.And([same(x, y) for x, y in zip(a.items, b.items, strict=True)])


def clamp(x: Term, low: Term | int, high: Term | int) -> Term:
    return z3.If(x < low, low, z3.If(x > high, high, x))


def between(program: Program, arguments: Sequence[Value]) -> Struct:
    """ssop_range_between, as proved in range_proofs.py; step must not be 0."""
    begin, end, step = (one.term for one in arguments)
    program.oblige(step != 0, "ssop_range_between with step 0")
    made = program.fresh(program.type_named("ssop_range"), f"between{next(program.counter)}")
    program.assumptions.append(z3.Implies(step != 0, between_holds(made, begin, end, step)))
    return made


def between_holds(made: Struct, begin: Term, end: Term, step: Term) -> z3.BoolRef:
    """The mathematical count may be too large for int64."""
    n = COUNT(begin, end, step)
    start, count, one_step = terms(made, "start", "count", "step")
    return z3.And(
        counts(n, begin, end, step),
        count == wrap(n, made.fields["count"].type, 0, 1 << 64),
        start == z3.If(n == 0, 0, begin),
        one_step == z3.If(n <= 1, 1, step),
    )
