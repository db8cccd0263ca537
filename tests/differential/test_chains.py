"""Chains of operations: ssop against engines that compile each as one program, and the files that chains print as."""

import time
from random import Random

import numpy as np
import pytest

import ssop
from scale import examples
from ssop.testing import difftest
from ssop.testing.chains.drawing import XLA, draw_chain
from ssop.testing.chains.engines import CHAIN_ORACLES, chain_oracle
from ssop.testing.chains.files import stablehlo_text

CASES = {"jax": 100, "tensorflow": 150, "tensorflow-jit": 60, "openvino": 200, "ort": 1500, "torch": 60}
FILLED, MET = 0.6, 0.5


@pytest.mark.parametrize("seed", [1, 2, 3][: examples(3)])
def test_merged_dynamic_slices_of_xla_are_found_and_shrunk(seed, report):
    """jax 40849: the only wrong results are those of known defects, and the smallest program has two operations."""
    result = difftest(oracle="jax-jit", chain=(2, 4), cases=1000, seed=seed)
    report(str(result))
    case = result.known_cases["merged_dynamic_slices"]
    assert not result.differences and result.comparison.compared == 1000
    call = case.difference.call
    assert call.operations == ("xla.dynamic_slice",) * 2 and max(array.size for array in call.arrays) <= 4
    assert result.filled_share > FILLED and len(result.comparison.pairs) > 0.8 * 20**2
    assert not result.rules_not_met


@pytest.mark.parametrize("name", CASES)
def test_chains_are_what_engines_make_of_them(name, report):
    result = difftest(oracle=name, chain=(2, 4), cases=examples(CASES[name]), seed=1, shrink=False)
    report(str(result))
    assert result.passed, result.differences[0]
    assert result.filled_share > FILLED
    possible = len(result.kinds.rules) ** 2
    assert len(result.comparison.pairs) > MET * possible * min(1, result.comparison.compared / 1500)


def test_the_printed_program_of_an_engine_gives_its_result(report):
    for name in CHAIN_ORACLES:
        engine = chain_oracle(name)
        chain = engine.ops["chain"][1](Random(5))
        printed = []
        exec(engine.code(chain), {"print": printed.append})
        assert np.array_equal(np.asarray(printed[0]), chain.run()), name
        engine.close()


def test_chains_are_stablehlo_programs():
    rng = Random(7)
    for _ in range(100):
        chain = draw_chain(rng, XLA)
        result = ssop.stablehlo.run(stablehlo_text(chain), *chain.arrays)
        assert np.array_equal(result, chain.run()) and result.dtype == chain.run().dtype


def test_little_time_is_spent_in_the_kit():
    """This process draws, asks ssop and compares; the engine, which compiles, is in another one."""
    started = time.process_time()
    result = difftest(oracle="jax-jit", chain=(2, 4), cases=100, seed=4, shrink=False)
    assert time.process_time() - started < 0.02 * result.seconds
