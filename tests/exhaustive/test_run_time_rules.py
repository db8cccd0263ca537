"""E11 with run-time values: relations in which a bound is a name, against the core's resolvers, value by value."""

from itertools import product

import islpy
import pytest

from exhaustive.spaces import INT32, INT64
from exhaustive.test_axis_rules import DIMS, says_the_same, solved
from scale import all_in_the_long_tests
from ssop import SliceError
from ssop._convert.proofs import Lengths, _maps
from ssop._convert.rules import RULES, Step, taken
from ssop._convert.runtime_proofs import NO_LIMITS, run_time_difference
from ssop._convert.values import read_value

VALUES = (*range(-5, 6), INT32[1], *INT64)
TEXTS = (
    "i",
    "i + 2",
    "i - 1",
    "max(0, min(i, x.shape[0] - 2))",
    "max(0, min(i, 3)) + 2",
    "max(0, min(1, x.shape[0] - 1))",
)


def bounds_of(rule):
    """Pairs of bounds, at least one of which is a value."""
    values = [read_value("bound", text) for text in TEXTS]
    row = RULES[rule]
    if row.window or row.sized:
        return [(value, value + size) for value, size in product(values, range(4))]
    return [*product(values, (None, 2, -1)), *product((None, 1, -2), values), *((value, value + 2) for value in values)]


def steps_of(rule):
    row = RULES[rule]
    strides = (1,) if row.window or row.sized else (1, 2, -2) if row.clamps else (1, 2)
    steps = [Step(rule, *bounds, stride) for bounds, stride in product(bounds_of(rule), strides)]
    if row.window or row.sized or rule.startswith("onnx"):
        return steps
    return steps + [Step(rule, read_value("bound", text), None, 1, True) for text in TEXTS]


def at(bound, value, dim):
    return bound if bound is None or isinstance(bound, int) else bound.at({"i": value}, (dim,))


def with_value(relation, value):
    params = islpy.dim_type.param
    if relation.dim(params):
        relation = relation.fix_val(params, 0, value).project_out(params, 0, 1)
    return relation


@pytest.mark.parametrize("rule", [rule for rule, row in RULES.items() if not (row.whole or row.counts)])
@all_in_the_long_tests
def test_cv_s3_relations_and_resolvers_agree_for_every_value(rule, chosen):
    compared = 0
    steps = [*chosen(steps_of(rule))]
    for step in steps:
        assert says_the_same(step), step
        for value, dim in product(VALUES, DIMS):
            relations = [with_value(relation, value) for relation in _maps(step)]
            begin, end = at(step.begin, value, dim), at(step.end, value, dim)
            if not all(bound is None or INT64[0] <= bound <= INT64[1] for bound in (begin, end)):
                continue  # sums are int64
            wanted = taken((step._replace(begin=begin, end=end),), dim)
            if isinstance(wanted, SliceError):
                assert solved(relations, dim) is None, (step, value, dim)
            else:
                start, count, stride = wanted
                assert solved(relations, dim) == [start + k * stride for k in range(count)], (step, value, dim)
            compared += 1
    assert compared > 0.8 * len(steps) * len(VALUES) * len(DIMS) > 0


PAIRS = [
    ("window", "tf"),
    ("narrow", "tf"),
    ("xla", "onnxruntime"),
    ("narrow", "xla"),
    ("tf", "window"),
    ("tf", "tflite"),
]


@pytest.mark.parametrize(("one", "two"), PAIRS)
@pytest.mark.parametrize("size", range(4))
@pytest.mark.parametrize("clamped", [False, True])
def test_cv_s3_differences_are_those_that_brute_force_finds(one, two, size, clamped):
    """Beyond a dim of twice the size, and values beyond the dim, both sides repeat themselves."""
    start = read_value("start", "i")
    other = read_value("start", f"max(0, min(i, x.shape[0] - {size}))") if clamped else start
    chains = (Step(one, start, start + size),), (Step(two, other, other + size),)
    dims, values = range(2 * size + 3), range(-2 * size - 6, 2 * size + 7)
    differing = []
    for dim, value in product(dims, values):
        answers = [
            taken((step._replace(begin=at(step.begin, value, dim), end=at(step.end, value, dim)),), dim)
            for (step,) in chains
        ]
        if len({None if isinstance(answer, SliceError) else answer for answer in answers}) > 1:
            differing.append((dim, value))
    found = run_time_difference(*chains, Lengths(0, 2**31 - 2), (), NO_LIMITS)
    smallest = None if found is None else found.smallest
    assert smallest == (min(dim for dim, _ in differing) if differing else None)
    if found is not None:
        assert (found.smallest, found.values["i"]) in differing
        if found.bounds or found.precondition:
            lengths = (
                Lengths(found.precondition[0], found.precondition[1] or 2**31 - 2)
                if found.precondition
                else Lengths(0, 2**31 - 2)
            )
            assert run_time_difference(*chains, lengths, found.bounds, NO_LIMITS) is None
