"""Claims about all values of the arguments, and the search for values that contradict them."""

from __future__ import annotations

from collections.abc import Iterable

import z3

from proof.c_program import Program

SOON_MILLISECONDS = 2_000
TIMEOUT_MILLISECONDS = 120_000  # of one claim, which takes a second or less; a loaded machine is slower


class Refuted(AssertionError):
    """A claim that does not hold, with numbers that contradict it, or one that the solver did not decide."""

    def __init__(self, text: str, counterexample: dict[str, int] | None = None) -> None:
        super().__init__(text if counterexample is None else f"{text}: {counterexample}")
        self.counterexample = counterexample


def decide(facts: Iterable[z3.BoolRef]) -> tuple[z3.CheckSatResult, z3.Solver]:
    """Whether all facts can be true, and the solver that found it.

    In contexts of their own: how long it takes does not depend on what was done before. The first solver is the faster
    one wherever it ends soon.
    """
    written = z3.Solver()
    written.add(*facts)
    text = written.to_smt2()
    for make, limit in ((z3.SimpleSolver, SOON_MILLISECONDS), (z3.Solver, TIMEOUT_MILLISECONDS)):
        made = make(ctx=z3.Context())
        made.set("timeout", limit)
        made.from_string(text)
        found = made.check()
        if found != z3.unknown:
            break
    return found, made


def prove(claim: z3.BoolRef, facts: Iterable[z3.BoolRef], text: str) -> None:
    """Raise Refuted unless the claim follows from the facts."""
    found, solver = decide([*facts, z3.Not(claim)])
    if found == z3.sat:
        model = solver.model()
        names = sorted((one for one in model.decls() if one.arity() == 0), key=str)
        numbers = {str(name): model[name] for name in names if not str(name).startswith("undefined.")}
        raise Refuted(text, {name: number.as_long() for name, number in numbers.items() if z3.is_int_value(number)})
    if found == z3.unknown:
        raise Refuted(f"{text}: {solver.reason_unknown()}")


def prove_possible(condition: z3.BoolRef, facts: Iterable[z3.BoolRef], text: str) -> None:
    """Raise Refuted if the facts exclude the condition: then claims about it say nothing."""
    if decide([*facts, condition])[0] != z3.sat:
        raise Refuted(f"{text}, which must be possible")


def prove_defined(program: Program, facts: Iterable[z3.BoolRef] = ()) -> int:
    """No call so far did what C leaves undefined, and no assertion failed. Returns the number of obligations."""
    known = [*program.facts, *facts]
    for one in program.obligations:
        prove(z3.Implies(one.reached, one.condition), known, one.text)
    return len(program.obligations)
