"""Proofs about csrc/core/interval.h and dim.c: intervals have every number that the numbers of their operands make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import z3

from proof.c_program import Program
from proof.c_source import Unit
from proof.c_values import Struct, constant
from proof.contracts import Term, same, terms
from proof.goals import prove, prove_defined, prove_possible

LARGEST = 2**63 - 1


def is_in(x: Term, interval: Struct) -> z3.BoolRef:
    low, high = terms(interval, "lo", "hi")
    return z3.And(low <= x, x <= high)


def is_dim(interval: Struct) -> z3.BoolRef:
    low, high = terms(interval, "lo", "hi")
    return z3.And(0 <= low, low <= high)


@dataclass
class Pair:
    """Two dims of any intervals and identities, and a number of each: dims of one identity are one number."""

    program: Program
    inference: Struct
    a: Struct
    b: Struct
    x: Term
    y: Term


# The kinds of divisors of a proof each. To divide evenly, three are decided much faster than all in one.
DIVISORS = {"SSOP_DIM_DIVIDE": ["any"], "SSOP_DIM_DIVIDE_EVENLY": ["known", "positive", "mixed"]}


def any_pair(sources: list[Unit], tight: bool, divisor: str | None = None) -> Pair:
    """b is a dim, or any interval, which a divisor may be. Its kinds: known, positive, or with numbers below 1."""
    program = Program(sources)
    inference = program.fresh(program.type_named("ssop_inference"), "inference")
    tight_or_not = constant(int(tight), inference.fields["tight"].type)
    inference = Struct(inference.type, inference.fields | {"tight": tight_or_not})
    a, b = (program.fresh(program.type_named("ssop_dim"), name) for name in ("a", "b"))
    x, y = z3.Ints("x y")
    low, high = terms(b.fields["value"], "lo", "hi")
    if divisor == "known":
        y, number = low, b.fields["value"].fields["lo"]
        b = Struct(b.type, b.fields | {"value": Struct(b.fields["value"].type, {"lo": number, "hi": number})})
    kinds = {"any": low <= high, "known": low >= 1}
    kinds |= {"positive": z3.And(low >= 1, low < high), "mixed": z3.And(low < 1, low < high)}
    program.assumptions += [is_dim(a.fields["value"]), kinds.get(divisor, is_dim(b.fields["value"]))]
    last = inference.fields["last_id"].term
    for one, number in ((a, x), (b, y)):
        identity, value = one.fields["id"].term, one.fields["value"]
        is_known = value.fields["lo"].term == value.fields["hi"].term
        program.assumptions += [is_in(number, value), z3.Implies(is_known, identity == 0)]
        program.assumptions += [identity >= 0, identity <= last]
    same_identity = z3.And(a.fields["id"].term == b.fields["id"].term, a.fields["id"].term != 0)
    alike = z3.And(x == y, same(a.fields["value"], b.fields["value"]))
    program.assumptions += [last < LARGEST - 2, z3.Implies(same_identity, alike)]
    return Pair(program, inference, a, b, x, y)


Meaning = Callable[[Term, Term, Term], z3.BoolRef]
"""Whether z is the result for x and y, of x, y and z."""

OPERATORS: dict[str, Meaning] = {
    "SSOP_DIM_ADD": lambda x, y, z: z == x + y,
    "SSOP_DIM_SUBTRACT": lambda x, y, z: z == x - y,
    "SSOP_DIM_MULTIPLY": lambda x, y, z: z == x * y,
    "SSOP_DIM_DIVIDE": lambda x, y, z: z3.And(y > 0, y * z <= x, x < y * z + y),
    "SSOP_DIM_DIVIDE_EVENLY": lambda x, y, z: z3.And(y > 0, y * z <= x, x < y * z + y, y * z == x),
    "SSOP_DIM_MIN": lambda x, y, z: z == z3.If(x < y, x, y),
    "SSOP_DIM_MAX": lambda x, y, z: z == z3.If(x > y, x, y),
}


def arithmetic_proof(name: str) -> Callable[[list[Unit]], None]:
    """sh_s5 .. sh_s7, in both modes: if the numbers have a result, it is no error and the result is in its interval.

    A result that has the identity of an operand is the number of that operand.
    """

    def proof(sources: list[Unit]) -> None:
        for tight in (False, True):
            for divisor in DIVISORS.get(name, [None]):
                prove_operator(any_pair(sources, tight, divisor), name, OPERATORS[name])

    proof.__name__ = f"arithmetic_{name}"
    return proof


def arithmetic(pair: Pair, name: str) -> tuple[Term, Struct]:
    """The status and the result of ssop_dim_arithmetic."""
    program = pair.program
    out, error = program.variable(pair.a), program.variable(program.fresh(program.type_named("ssop_error"), "error"))
    operator = constant(next(unit.constants[name] for unit in program.units if name in unit.constants))
    inference = program.variable(pair.inference)
    status = program.run("ssop_dim_arithmetic", inference, operator, pair.a, pair.b, out, error)
    return status.term, program.read(out)


def prove_operator(pair: Pair, name: str, meaning: Meaning) -> None:
    program, z = pair.program, z3.Int("z")
    status, made = arithmetic(pair, name)
    prove_defined(program)
    facts = [*program.facts, meaning(pair.x, pair.y, z), z >= 0, z <= LARGEST]
    prove_possible(z3.And(z > 2, pair.x != pair.y), facts, name)
    prove(status == 0, facts, f"{name}: no error")
    low, high = terms(made.fields["value"], "lo", "hi")
    for claim in (z3.And(low >= 0, high <= LARGEST), low <= z, z <= high):
        prove(claim, facts, f"{name}: sound")
    identity = made.fields["id"].term
    for one, number in ((pair.a, pair.x), (pair.b, pair.y)):
        is_same = z3.And(identity != 0, identity == one.fields["id"].term)
        prove(z3.Implies(is_same, z == number), facts, f"{name}: identity")


def prove_merge_and_relax(sources: list[Unit]) -> None:
    """sh_s3, sh_s4: the merged dim has the numbers of both, the relaxed dim those of either."""
    for tight in (False, True):
        pair = any_pair(sources, tight)
        program, value = pair.program, "value"
        out, error = (
            program.variable(pair.a),
            program.variable(program.fresh(program.type_named("ssop_error"), "error")),
        )
        status = program.run("ssop_dim_merge", program.variable(pair.inference), pair.a, pair.b, out, error).term
        relaxed = program.run("ssop_dim_relax", program.variable(pair.inference), pair.a, pair.b)
        prove_defined(program)
        merged, z = program.read(out).fields[value], z3.Int("z")
        both = z3.And(is_in(z, pair.a.fields[value]), is_in(z, pair.b.fields[value]))
        facts = program.facts
        prove(z3.Implies(both, status == 0), facts, "sh_s3: no error if the two have a number in common")
        prove(z3.Implies(status == 0, is_in(z, merged) == both), facts, "sh_s3: exactly the numbers of both")
        for number in (pair.x, pair.y):
            prove(is_in(number, relaxed.fields[value]), facts, "sh_s4: the numbers of either")


PROOFS = (*map(arithmetic_proof, OPERATORS), prove_merge_and_relax)
