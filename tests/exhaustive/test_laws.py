"""E12: the laws of `ssop.convert.laws` with small numbers, run on arrays, against what the table and its proofs say."""

import random
from itertools import product
from math import prod

import numpy as np
import pytest

import ssop
from ssop import SliceError
from ssop._convert.laws import LAWS

DIMS, NUMBERS = range(5), range(-3, 6)
MOST = 3_000
"""Assignments for a law; of more there is a sample by seed."""
DRAWS, MOST_VALID = 20_000, 1_000
"""How many are drawn, and how many of them are run whose left side is no error."""


def assignments(law):
    """Numbers for a law: all small ones, or a sample that has few errors of the left side."""
    spaces = [law.steps.get(name, DIMS if name in law._dims else NUMBERS) for name in law.numbers]
    if prod(map(len, spaces)) <= MOST:
        yield from (dict(zip(law.numbers, values, strict=True)) for values in product(*spaces))
        return
    rng = random.Random(law.name)
    terms = {steps: left_with(law, steps) for steps in product(*law.steps.values())}
    valid = 0
    for draw in range(DRAWS):
        numbers = {name: rng.choice(space) for name, space in zip(law.numbers, spaces, strict=True)}
        claimed = terms[tuple(numbers[name] for name in law.steps)].value(numbers)
        if claimed or draw % 50 == 0:
            yield numbers
        valid += claimed
        if valid == MOST_VALID:
            return


def left_with(law, steps):
    """When the left side is no error, with constant steps."""
    return law._row.left.replaced(dict(zip(law.steps, steps, strict=True))).valid


@pytest.mark.parametrize("name", LAWS)
def test_cv_s7_sides_are_equal_exactly_under_the_precondition(name):
    law = LAWS[name]
    equal = unequal = 0
    for numbers in assignments(law):
        if not law._row.where.value(numbers):
            continue
        try:
            same = law.check(**numbers)
        except SliceError:
            with pytest.raises(SliceError):
                law.run(**numbers)
            assert not law._row.left.replaced(numbers).valid.value(numbers), numbers
            continue
        assert law._row.left.replaced(numbers).valid.value(numbers), numbers
        allowed = law._row.precondition.value(numbers)
        assert same if allowed else not (same and law.weakest), numbers
        equal += same
        unequal += not same
    assert equal >= 2 and (law.holds or unequal >= 2), (equal, unequal)


@pytest.mark.parametrize("name", LAWS)
def test_cv_s7_proofs_say_what_the_table_says(name):
    law = LAWS[name]
    proof = law.prove()
    assert proof.suffices and proof.weakest == law.weakest
    assert len(proof.cases) == prod(map(len, law.steps.values()))
    assert (proof.counterexample is None) == law.holds
    if not law.holds:
        assert not law.check(**proof.counterexample)


@pytest.mark.parametrize("name", [law.name for law in LAWS.values() if law.status == "false"])
def test_cv_s7_counterexamples_refute_the_laws_that_products_apply(name):
    law = LAWS[name]
    assert law.applied_by and not law.holds and not law.check(**law.counterexample)
    assert law._row.where.value(law.counterexample) and not law._row.precondition.value(law.counterexample)
    assert law.example() == law.counterexample


@pytest.mark.parametrize("name", [law.name for law in LAWS.values() if law.status != "false"])
def test_cv_s7_examples_show_equal_sides(name):
    law = LAWS[name]
    left, right = law.run(**law.example())
    assert (left.size > 0 or name == "dynamic-slice-empty") and np.array_equal(left, right)


def test_cv_s7_every_rule_of_tensorright_that_moves_data_is_among_the_laws():
    """Its files with such rules, and which of their rules compute, or speak of iota."""
    rules = {"broadcast": range(3, 9), "concat": range(1, 8), "dyslice": range(1, 6), "dyupslice": range(2, 5),
             "pad": range(1, 5), "relabel": range(1, 3), "reverse": range(1, 4), "slice": range(1, 14)}  # fmt: skip
    wanted = {f"{file} {number}" for file, numbers in rules.items() for number in numbers} - {"broadcast 7"}
    found = set()
    for law in LAWS.values():
        file = None
        for word in law.source.partition("which")[0].replace(",", " ").split():
            if word.isdigit():
                found.add(f"{file} {word}")
            else:
                file = word
    assert len(wanted) >= 38 and wanted <= found, sorted(wanted - found)


def test_a_law_is_looked_up_by_its_name():
    assert len(ssop.convert.laws) == len(LAWS) >= 100 and set(ssop.convert.laws) == set(LAWS)
    with pytest.raises(KeyError):
        ssop.convert.laws["nothing"]
    assert all(line.split()[1] in LAWS for line in str(LAWS).splitlines())
