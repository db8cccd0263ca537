"""Proofs about csrc/core/range.c: one axis."""

from __future__ import annotations

from dataclasses import dataclass

import z3

from proof.c_program import Program
from proof.c_source import Unit
from proof.c_values import TRUE, Pointer, Scalar, Struct
from proof.contracts import (
    COUNT,
    Term,
    between,
    between_holds,
    clamp,
    counts,
    is_canonical,
    is_inside,
    last_of,
    same,
    terms,
)
from proof.goals import prove, prove_defined, prove_possible

BEGIN_MASK, END_MASK, SHRINK = 1, 2, 16
NULL = Pointer(None, ((TRUE, None),))


def prove_count(sources: list[Unit]) -> None:
    """There is exactly one number for which `counts` holds."""
    q, n, m, begin, end, step = z3.Ints("q n m begin end step")
    facts = [step != 0, counts(n, begin, end, step), counts(m, begin, end, step)]
    prove_possible(n > 2, facts, "counts")
    prove(n == m, facts, "the count is unique")
    distance, size = z3.If(step > 0, end - begin, begin - end), z3.If(step > 0, step, -step)
    facts = [step != 0, size * q <= distance - 1, distance - 1 < size * q + size]
    prove(counts(z3.If(distance <= 0, 0, q + 1), begin, end, step), facts, "the count exists")


def prove_between(sources: list[Unit]) -> None:
    """ss_s6 for any begin, end and step but 0, also where the count is too large for int64."""
    program = Program(sources)
    begin, end, step = (program.fresh(program.type_named("int64_t"), name) for name in ("begin", "end", "step"))
    made = program.run("ssop_range_between", begin, end, step)
    program.assumptions.append(step.term != 0)
    prove_defined(program)
    bounds = (begin.term, end.term, step.term)
    n = COUNT(*bounds)
    facts = [*program.facts, counts(n, *bounds)]
    prove_possible(n > 2**63, facts, "a count that does not fit")
    prove(between_holds(made, *bounds), facts, "ss_s6")
    count = made.fields["count"].term
    prove(z3.Implies(n < 2**63, z3.And(is_canonical(made), count == n)), facts, "rg_s1")


def element_is_inside(one: Struct, dim: Term, k: Term) -> z3.BoolRef:
    start, count, step = terms(one, "start", "count", "step")
    return z3.Implies(z3.And(k >= 0, k < count), z3.And(start + k * step >= 0, start + k * step < dim))


def prove_elements_are_inside(sources: list[Unit]) -> None:
    """If the first and the last element of a range are inside an axis, all are."""
    program = Program(sources)
    dim, k = z3.Ints("dim k")
    one = program.fresh(program.type_named("ssop_range"), "one")
    facts = [*program.facts, dim >= 0, is_inside(one, dim)]
    prove(element_is_inside(one, dim, k), facts, "elements between the first and the last")


def prove_compose(sources: list[Unit]) -> None:
    """rg_s2 on one axis: element i of the result is element second[i] of first, and no number is too large."""
    program = Program(sources)
    dim, i = z3.Ints("dim i")
    first, second = (program.fresh(program.type_named("ssop_range"), name) for name in ("first", "second"))
    made = program.run("ssop_range_compose", first, second)
    (s1, n1, d1), (s2, n2, d2) = (terms(one, "start", "count", "step") for one in (first, second))
    facts = [dim >= 0, dim < 2**63, is_inside(first, dim), is_inside(second, n1)]
    facts += [element_is_inside(first, dim, k) for k in (s2, last_of(second))]
    prove_possible(z3.And(n2 > 2, d1 < -1, d2 < -1), [*program.facts, *facts], "two ranges")
    prove_defined(program, facts)
    start, count, step = terms(made, "start", "count", "step")
    facts = [*program.facts, *facts]
    prove(z3.And(count == n2, is_inside(made, dim)), facts, "rg_s1 of the composition")
    element = z3.Implies(z3.And(i >= 0, i < n2), start + i * step == s1 + (s2 + i * d2) * d1)
    prove(element, facts, "rg_s2")


# ---- one entry of a spec ---------------------------------------------------------------------------------------------


@dataclass
class Resolution:
    """One symbolic call of ssop_range_resolve, for any dialect: every flag may be set or not."""

    program: Program
    dim: Term
    entry: Struct
    flags: Struct
    rules: Struct
    before: Struct
    status: Term
    range: Struct
    trace: Struct | None
    error: Struct | None

    @property
    def ok(self) -> z3.BoolRef:
        return self.status == 0

    def has(self, mask: int) -> z3.BoolRef:
        return (self.entry.fields["flags"].term / mask) % 2 == 1

    def flag(self, name: str) -> z3.BoolRef:
        return self.flags.fields[name].term != 0


def resolution(program: Program, records: bool = True) -> Resolution:
    """`records`: with a trace and an error record."""

    def any_of(name: str, kind: str | None = None) -> Struct | Scalar:
        return program.fresh(program.type_named(kind or f"ssop_{name}"), name)

    dim, entry, rules, flags = any_of("dim", "int64_t"), any_of("entry", "range_entry"), any_of("dialect_rules"), None
    flags = any_of("dialect")
    dialect = Struct(flags.type, flags.fields | {"rules": program.variable(rules)})
    before, written = any_of("range"), {}
    for name in ("range", "axis_trace", "error"):
        given = records or name == "range"
        written[name] = program.variable(before if name == "range" else any_of(name)) if given else NULL
    status = program.run(
        "ssop_range_resolve", dim, program.variable(entry), program.variable(dialect), *written.values()
    )
    program.assumptions.append(dim.term >= 0)
    results = [program.read(one) if one is not NULL else None for one in written.values()]
    return Resolution(program, dim.term, entry, flags, rules, before, status.term, *results)


@dataclass
class Bounds:
    """What the rules say of one entry that is not shrunk, as mathematical integers."""

    begin: Term
    end: Term
    wrapped: tuple[Term, Term]
    clamped: tuple[Term, Term]


def bounds_of(one: Resolution) -> Bounds:
    """ss_s4 and ss_s5, with ov_s2, ort_s1 and tfl_s4 for the dialects that have them."""
    dim, (begin, end, step) = one.dim, terms(one.entry, "begin", "end", "step")
    forward = step > 0
    low, high = z3.If(forward, 0, -1), z3.If(forward, dim, dim - 1)
    begin_low = z3.If(z3.And(z3.Not(forward), one.flag("reverse_clamps_begin_first"), dim > 0), 0, low)
    wrapped_begin = begin + z3.If(begin < 0, dim, 0)
    clamped_begin = clamp(wrapped_begin, begin_low, high)
    first = z3.If(one.has(BEGIN_MASK), z3.If(forward, low, high), clamped_begin)
    given = z3.If(one.flag("end_is_offset"), first + end, end)
    wrapped_end = given + z3.If(given < 0, dim, 0)
    clamped_end = clamp(wrapped_end, low, high)
    largest = z3.And(one.flag("max_end_is_open"), z3.Or(end == 2**31 - 1, end == 2**63 - 1))
    is_open = z3.Or(one.has(END_MASK), largest)
    last = z3.If(is_open, z3.If(forward, high, low), clamped_end)
    return Bounds(first, last, (wrapped_begin, wrapped_end), (clamped_begin, clamped_end))


def shrunk_element(one: Resolution) -> Term:
    """ss_s7; tfl_s1 and tfl_s2 for TFLite."""
    begin = one.entry.fields["begin"].term
    wrapped = begin + z3.If(begin < 0, one.dim, 0)
    at = z3.If(z3.And(one.flag("shrink_clamps_below"), wrapped < 0), 0, wrapped)
    return z3.If(z3.And(one.flag("shrink_reads_begin_mask"), one.has(BEGIN_MASK)), 0, at)


def prove_resolve(sources: list[Unit]) -> None:
    """One axis of a strided slice, in every dialect: errors exactly where the rules say, else the range they say."""
    program = Program(sources, {"ssop_range_between": between})
    one = resolution(program)
    prove_defined(program)
    facts, shrunk, step, rule = program.facts, one.has(SHRINK), one.entry.fields["step"].term, one.error.fields["rule"]
    for side in (shrunk, z3.Not(shrunk)):
        for outcome in (one.ok, z3.Not(one.ok)):
            prove_possible(z3.And(side, outcome, one.dim > 9), facts, "a resolution")
    prove(z3.Implies(z3.Not(one.ok), same(one.range, one.before)), facts, "nothing is written after an error")
    prove(z3.Implies(one.ok, is_inside(one.range, one.dim)), facts, "the range is inside the axis")
    prove_shrunk(one, facts, shrunk)

    is_read = z3.Not(z3.And(shrunk, one.flag("shrink_ignores_step")))
    zero = z3.And(step == 0, is_read)
    prove(z3.Implies(zero, z3.And(z3.Not(one.ok), rule.term == one.rules.fields["zero_step"].term)), facts, "zero step")
    prove_taken(one, [*facts, z3.Not(shrunk), step != 0])


def prove_shrunk(one: Resolution, facts: list[z3.BoolRef], shrunk: z3.BoolRef) -> None:
    begin, step = terms(one.entry, "begin", "step")
    at, rules = shrunk_element(one), one.rules.fields
    is_read = z3.Not(one.flag("shrink_ignores_step"))
    facts = [*facts, shrunk, z3.Not(z3.And(step == 0, is_read))]
    backwards, outside = z3.And(step < 0, is_read), z3.Or(at < 0, at >= one.dim)
    prove(one.ok == z3.Not(z3.Or(backwards, outside)), facts, "ss_c6, ss_c7: which shrunk entries are errors")
    rule, value, low, high, form = terms(one.error, "rule", "value", "low", "high", "form")
    prove(z3.Implies(backwards, z3.And(rule == rules["shrunk_step"].term, value == step)), facts, "ss_c6")
    index = z3.And(rule == rules["shrunk_index"].term, value == begin, low == -one.dim, high == one.dim - 1)
    negative = form == z3.If(begin < 0, 1, 0)
    prove(z3.Implies(z3.And(outside, z3.Not(backwards)), z3.And(index, negative)), facts, "ss_c7")
    start, count, step = terms(one.range, "start", "count", "step")
    prove(z3.Implies(one.ok, z3.And(start == at, count == 1, step == 1)), facts, "ss_s7")
    trace = terms(one.trace, "begin", "end", "clamped_end", "wrapped_end")
    prove(z3.Implies(one.ok, z3.And(trace[0] == at, *(end == at + 1 for end in trace[1:]))), facts, "trace of ss_s7")


def prove_taken(one: Resolution, facts: list[z3.BoolRef]) -> None:
    end, step = terms(one.entry, "end", "step")
    right, offset = bounds_of(one), one.flag("end_is_offset")
    n, asked = COUNT(right.begin, right.end, step), COUNT(0, end, step)
    facts = [*facts, counts(n, right.begin, right.end, step), counts(asked, 0, end, step)]
    fails = z3.And(offset, n != asked)
    prove(z3.Implies(z3.Not(offset), one.ok), facts, "every other entry is valid")
    prove(one.ok == z3.Not(fails), facts, "tfl_c9")
    rule = one.error.fields["rule"].term == one.rules.fields["offset_window"].term
    prove(z3.Implies(fails, rule), facts, "tfl_c9's rule")
    facts.append(one.ok)
    prove(one.range.fields["count"].term == n, facts, "ss_s6: the count")
    start, stepped = terms(one.range, "start", "step")
    prove(z3.And(start == z3.If(n == 0, 0, right.begin), stepped == z3.If(n <= 1, 1, step)), facts, "ss_s6: elements")
    trace = one.trace
    shown = terms(trace, "begin", "end", "wrapped_begin", "clamped_begin", "clamped_end")
    said = (right.begin, right.end, right.wrapped[0], *right.clamped)
    prove(z3.And([a == b for a, b in zip(shown, said, strict=True)]), facts, "ss_s4, ss_s5: the trace")
    prove(same(trace.fields["range"], one.range), facts, "the range of the trace")


def prove_records_are_ignored(sources: list[Unit]) -> None:
    """The result is the same without a trace and an error record."""
    program = Program(sources)
    one, other = resolution(program), resolution(program, records=False)
    claim = z3.And((one.status == 0) == (other.status == 0), same(one.range, other.range))
    prove(claim, program.facts, "a trace or an error record matters")


PROOFS = (
    prove_count,
    prove_between,
    prove_elements_are_inside,
    prove_compose,
    prove_resolve,
    prove_records_are_ignored,
)
