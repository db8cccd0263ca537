"""The search of `ssop.convert` for the first equal steps: what samples refute is what a proof refutes."""

import random

import pytest

from ssop._convert.proofs import Lengths, difference
from ssop._convert.rules import INT64_MAX, Step
from ssop._convert.search import Refusal, first_equal

INTERVALS = (Lengths(), Lengths(1), Lengths(4), Lengths(2, 9), Lengths(5, 5), Lengths(0, 2**31 - 1))


def by_proofs_alone(chain, candidates, read, lengths):
    """The first candidate without a difference, or the first of those that are equal on most lengths."""
    found = []
    for candidate in candidates:
        differences = [where for one in read(candidate) if (where := difference(chain, one, lengths)) is not None]
        if not differences:
            return candidate
        found.append(Refusal(candidate, differences[0]))
    return max(found, key=lambda refusal: sum(x.most - x.least + 1 for x in refusal.where.equal or ()))


def draw_step(rng, rule):
    bounds = (rng.choice([None, *range(-9, 10), 40, INT64_MAX]) for _ in range(2))
    stride = rng.choice([1, 1, 2, 3] if rule == "in_dim" else [1, 1, 2, 3, -1, -2])
    return Step(rule, *bounds, stride)


@pytest.mark.parametrize("rules", [["in_dim"], ["tf"], ["onnx", "onnx_reference", "onnxruntime"]], ids=len)
def test_samples_refute_what_proofs_refute(rules):
    def read(candidate):
        return [tuple(step._replace(rule=rule) for step in candidate) for rule in rules]

    rng = random.Random(41)
    equal = refused = 0
    for _ in range(80):
        chain = tuple(draw_step(rng, "tf") for _ in range(rng.choice([1, 1, 2])))
        candidates = [tuple(draw_step(rng, rules[0]) for _ in range(rng.choice([1, 2]))) for _ in range(12)]
        if rng.random() < 0.5 and all(step.stride > 0 or "in_dim" not in rules for step in chain):
            candidates.insert(rng.randrange(12), tuple(step._replace(rule=rules[0]) for step in chain))
        lengths = rng.choice(INTERVALS)
        found = first_equal(chain, candidates, read, lengths)
        assert found == by_proofs_alone(chain, candidates, read, lengths), (chain, lengths)
        refused += isinstance(found, Refusal)
        equal += not isinstance(found, Refusal)
    assert equal >= 5 and refused >= 10


def test_a_difference_at_one_length_that_is_no_sample_is_found_by_a_proof():
    """x[5000:] has one element where the dim is 5,001; x[0:0] never has one."""
    unit = Step("unit", 0, 1)
    chain, other = (Step("tf", 5000), unit), (Step("tf", 0, 0), unit)
    found = first_equal(chain, [other], lambda one: [one], Lengths(0, 10**5))
    assert isinstance(found, Refusal) and found.where.smallest == 5001
    assert first_equal(chain, [other], lambda one: [one], Lengths(0, 5000)) == other
