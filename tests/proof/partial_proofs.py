"""Proofs about csrc/core/partial_slices.c: no count is outside the interval that it finds.

It tries few numbers of each interval, its candidates. Between two of them that have no other one between them, the
count of a known slice lies between the counts at the two. So candidates can replace begin, end, step and dim of any
completion, one after the other. They lead to a count that is not less, and to one that is not greater.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3

from proof.c_program import Program
from proof.c_source import Unit
from proof.c_values import Scalar, Struct, Value
from proof.contracts import Term, between
from proof.goals import prove, prove_defined, prove_possible
from proof.range_proofs import NULL

SOURCES = ("range", "partial_slices")
FIELDS = ("dim", "begin", "end", "step")


class Calls:
    """Three calls of ssop_range_resolve that differ in one number, by one dialect and with the same flags.

    The numbers are low <= middle <= high of an interval. Low and high are next to each other among its candidates.
    """

    def __init__(self, sources: list[Unit], changing: str) -> None:
        self.added: list[tuple[z3.BoolRef, Term]] = []
        self.program = program = Program(sources, {"ssop_range_between": between, "add_candidate": self.add})
        number = program.type_named("int64_t")
        dialect = program.fresh(program.type_named("ssop_dialect"), "dialect")
        rules = program.variable(program.fresh(program.type_named("ssop_dialect_rules"), "rules"))
        self.dialect = program.variable(Struct(dialect.type, dialect.fields | {"rules": rules}))
        self.flags = program.fresh(program.type_named("uint8_t"), "flags")
        self.shared = {name: program.fresh(number, name) for name in FIELDS}
        self.interval = program.fresh(program.type_named("ssop_interval"), "interval")
        self.low, self.middle, self.high = (program.fresh(number, name) for name in ("low", "middle", "high"))
        tried = [self.shared | {changing: one} for one in (self.low, self.middle, self.high)]
        ends = [one.term for one in self.interval.fields.values()]
        order = [ends[0], self.low.term, self.middle.term, self.high.term, ends[1]]
        program.assumptions += [a <= b for a, b in zip(order, order[1:], strict=False)]
        # An entry that is shrunk has one element; one with an offset is not resolved by candidates, but by trying.
        program.assumptions += [self.flags.term < 16, dialect.fields["end_is_offset"].term == 0]
        program.assumptions += [one["step"].term != 0 for one in tried] + [one["dim"].term >= 0 for one in tried]
        if changing == "dim":
            program.assumptions.append(ends[0] >= 0)
        self.counts = [self.count(one) for one in tried]

    def entry(self, given: dict[str, Scalar]) -> Value:
        kind = self.program.type_named("range_entry")
        fields = {name: given[name] for name in FIELDS[1:]} | {"flags": self.flags}
        return self.program.variable(Struct(kind, fields))

    def count(self, given: dict[str, Scalar]) -> Term:
        program = self.program
        taken = program.variable(program.fresh(program.type_named("ssop_range"), "range"))
        program.run("ssop_range_resolve", given["dim"], self.entry(given), self.dialect, taken, NULL, NULL)
        return program.read(taken).fields["count"].term

    def add(self, program: Program, arguments: Sequence[Value]) -> None:
        """The contract of add_candidate: a number outside the interval is not added."""
        _, interval, value = arguments
        low, high = (interval.fields[name].term for name in ("lo", "hi"))
        self.added.append((z3.And(program.reached, low <= value.term, value.term <= high), value.term))

    def prove(self, function: str, *arguments: Value) -> None:
        self.program.run(function, self.interval, *arguments)
        prove_defined(self.program)
        low, middle, high = self.low.term, self.middle.term, self.high.term
        facts = self.program.facts
        for side in (lambda value: value <= middle, lambda value: value >= middle):
            reached = z3.Or([z3.And(added, side(value)) for added, value in self.added])
            prove(reached, facts, f"{function}: a candidate on either side of every number")
        facts = [*facts, *(z3.Implies(added, z3.Or(value <= low, value >= high)) for added, value in self.added)]
        at_low, count, at_high = self.counts
        for order in (at_low < at_high, at_low > at_high):
            prove_possible(z3.And(order, low < middle, middle < high), facts, f"{function}: different counts")
        claim = z3.Or(z3.And(at_low <= count, count <= at_high), z3.And(at_high <= count, count <= at_low))
        forward = self.shared["step"].term > 0
        for side in (forward, z3.Not(forward)):
            prove(claim, [*facts, side], f"{function}: between two candidates, the count is between theirs")


def prove_begins(sources: list[Unit]) -> None:
    Calls(sources, "begin").prove("bound_candidates")


def prove_ends(sources: list[Unit]) -> None:
    calls = Calls(sources, "end")
    calls.prove("end_candidates", calls.dialect)


def prove_steps(sources: list[Unit]) -> None:
    Calls(sources, "step").prove("step_candidates")


def prove_dims(sources: list[Unit]) -> None:
    calls = Calls(sources, "dim")
    calls.prove("dim_candidates", calls.entry(calls.shared), calls.dialect)


PROOFS = (prove_begins, prove_ends, prove_steps, prove_dims)
