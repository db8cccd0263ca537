"""The rules of one axis hold for all int64 numbers: proved of the C sources themselves by z3.

`c_program.py` runs a function of csrc/core on unknown numbers, which gives terms for its results, and obligations: no
overflow, no division by zero, no failing assertion. `*_proofs.py` say what the results must be. test_translation.py
compares the terms with the compiled C, and test_seeded_faults.py shows that the proofs fail where the C is wrong.
"""

import pytest
import z3

from proof import interval_proofs, partial_proofs, range_proofs, window_proofs
from proof.c_program import Program
from proof.c_source import units
from proof.goals import Refuted, prove, prove_possible
from proof.window_proofs import SOURCES as WINDOW_SOURCES

PROOFS = [
    *((proof, ("range",)) for proof in range_proofs.PROOFS),
    *((proof, WINDOW_SOURCES) for proof in window_proofs.PROOFS),
    *((proof, ("dim",)) for proof in interval_proofs.PROOFS),
    *((proof, partial_proofs.SOURCES) for proof in partial_proofs.PROOFS),
]


@pytest.mark.parametrize(("proof", "names"), PROOFS, ids=lambda one: getattr(one, "__name__", ""))
def test_proof(proof, names):
    proof(units(names))


def test_a_false_claim_is_refuted():
    program = Program(units(["range"]))
    x = program.fresh(program.type_named("int64_t"), "x").term
    with pytest.raises(Refuted) as raised:
        prove(x != 77, program.facts, "no number is 77")
    assert raised.value.counterexample == {"x": 77}


def test_facts_that_exclude_everything_are_noticed():
    x = z3.Int("x")
    with pytest.raises(Refuted, match="must be possible"):
        prove_possible(x > 0, [x < 0], "a positive number")
