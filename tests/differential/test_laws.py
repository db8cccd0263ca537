"""The laws of `ssop.convert.laws` in JAX: what eager calls give, and what XLA makes of a law that is false."""

import random
from types import SimpleNamespace

import numpy as np
import pytest

import ssop
from scale import examples
from ssop.testing.chains.law_run import difftest_laws

LAWS = ssop.convert.laws
TEN = (
    "slice-merge",
    "slice-of-reverse",
    "slice-of-concatenate-split",
    "dynamic-slice-merge",
    "dynamic-slice-of-reverse",
    "update-window-merge",
    "update-is-concatenate",
    "pad-negative",
    "index-back-is-reverse",
    "broadcast-in-dim-merge",
)
DRAWS = 40


pytestmark = pytest.mark.usefixtures("without_x64")


@pytest.fixture(scope="module")
def lax():
    """The functions of jax.lax, with the starts of XLA, and NumPy's index."""
    from jax import lax, numpy

    functions = {name: getattr(lax, name) for name in ssop.xla.__all__ if hasattr(lax, name)}

    def dynamic_slice(x, starts, sizes):
        return lax.dynamic_slice(x, [numpy.int32(a) for a in starts], sizes, allow_negative_indices=False)

    def dynamic_update_slice(x, update, starts):
        starts = [numpy.int32(a) for a in starts]
        return lax.dynamic_update_slice(x, update, starts, allow_negative_indices=False)

    functions |= {"dynamic_slice": dynamic_slice, "dynamic_update_slice": dynamic_update_slice}
    return SimpleNamespace(**functions, index=lambda x, index: x[index])


def side(law, term, numbers, functions):
    from jax import numpy as jnp

    arrays = {name: jnp.asarray(x) for name, x in law._arrays(numbers).items()}
    return np.asarray(term.replaced(numbers).run(arrays, numbers, functions))


def valid_numbers(law, count):
    """Small numbers with which the left side is no error."""
    rng = random.Random(law.name)
    while count:
        numbers = {
            name: rng.choice(law.steps.get(name, range(1, 6) if name in law._dims else range(-2, 6)))
            for name in law.numbers
        }
        if law._row.left.replaced(numbers).valid.value(numbers):
            count -= 1
            yield numbers


@pytest.mark.parametrize("name", TEN)
def test_jax_gives_what_a_law_says(name, lax):
    law = LAWS[name]
    assert law.holds
    for numbers in valid_numbers(law, DRAWS):
        left, right = (side(law, term, numbers, lax) for term in (law._row.left, law._row.right))
        assert np.array_equal(left, right) and np.array_equal(left, law.run(**numbers)[0]), numbers


STARTS = ((9, 0), (3, 5), (12, -3), (-1, 2), (-5, -5), (2, 1), (7, 7))


@pytest.mark.parametrize("name", ["dynamic-slice-merge-late-clamp", "update-window-merge-adds"])
def test_xla_applies_laws_that_are_false(name, lax):
    """jax 40849 and xla 49121: jax.jit gives the right side of the law, and eager calls give the left one."""
    import jax

    law, different = LAWS[name], 0
    sizes = {key: value for key, value in {"N": 10, "s": 4, "t": 1, "U": 2}.items() if key in law.numbers}
    arrays = {name: jax.numpy.asarray(x) for name, x in law._arrays(sizes).items()}

    def left(arrays, a, b):
        if name == "update-window-merge-adds":
            window = lax.dynamic_update_slice(lax.dynamic_slice(arrays["x"], [a], [4]), arrays["u"], [b])
            return lax.dynamic_update_slice(arrays["x"], window, [a])
        return lax.dynamic_slice(lax.dynamic_slice(arrays["x"], [a], [4]), [b], [1])

    for a, b in STARTS:
        sides = law.run(**sizes, a=a, b=b)
        assert np.array_equal(left(arrays, a, b), sides[0])
        assert np.array_equal(jax.jit(left)(arrays, a, b), sides[1]), (a, b)
        different += not np.array_equal(*sides)
    assert different >= 2


RUN = {"jax-jit": (1, 20, 0.9), "ort": (1, 200, 0.85), "openvino": (4, 20, 0.8), "tensorflow": (4, 20, 0.6)}
"""For each engine: of how many laws one is run, how many cases of it, and the least share of laws that it has asked."""


@pytest.mark.parametrize("name", RUN)
def test_engines_give_the_same_for_both_sides(name, report):
    """Laws as rewritings of random chains: for a side, an engine gives what ssop gives, or a known defect."""
    every, cases, least = RUN[name]
    names = list(LAWS)[::every]
    result = difftest_laws(names, oracle=name, cases=max(examples(cases), 2), seed=1)
    report(f"{name}: {result.compared} cases, known {dict(result.known)}, not run {result.not_run}")
    assert result.passed, [(found.kind, str(found.sides.case), found.sides.case.name) for found in result.findings]
    assert sum(one.asked > 0 for one in result.laws) >= least * len(names)
    assert sum(one.asked for one in result.laws) > result.compared


def test_xla_applies_a_law_that_is_false_to_random_chains(report):
    result = difftest_laws("dynamic-slice-merge-late-clamp", oracle="jax-jit", cases=60, seed=1)
    (counts,) = result.laws
    report(f"{counts.rewritten} of {counts.different} cases that differ")
    assert result.passed and counts.rewritten >= 1 and result.known["merged_dynamic_slices"] >= counts.rewritten
