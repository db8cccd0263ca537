"""E11: the relations of the one-axis rules, as islpy reads them, against the core's resolvers, element by element."""

from itertools import product

import islpy
import pytest

from exhaustive.spaces import INT32, INT64
from scale import ONE_CASE_IN, all_in_the_long_tests, sampled
from ssop import SliceError
from ssop._convert.proofs import _maps, functions_of
from ssop._convert.rules import RULES, Step, taken

DIMS = range(4)
BOUNDS = (None, *range(-5, 6), INT32[1], *INT64)
STRIDES = (1, 2, 3, -1, -2)


def steps_of(rule):
    """Every step of a rule whose numbers are near the dims, or ends of an integer type."""
    row = RULES[rule]
    if row.whole:
        return [Step(rule, 0, 1)]
    if row.window or row.sized:
        return [Step(rule, begin, begin + size) for begin, size in product(range(-6, 7), range(6))]
    strides = STRIDES if row.clamps else STRIDES[:3]
    ends = BOUNDS[1:] if row.counts else BOUNDS
    slices = [Step(rule, *numbers) for numbers in product(BOUNDS, ends, strides)]
    dropping = [] if rule.startswith("onnx") or row.counts else BOUNDS[1:]
    return slices + [Step(rule, begin, None, 1, True) for begin in dropping]


def solved(relations, dim):
    """The elements of an axis, as the relations of its length and of its elements say it; None for an error."""
    length, element = relations
    counts = length.intersect_domain(islpy.Set(f"{{ [{dim}] }}")).range()
    if counts.is_empty():
        return None
    count = int(counts.dim_max_val(0).to_python())
    assert counts.dim_min_val(0).to_python() == count
    found = []

    def add(point):
        found.append([int(point.get_coordinate_val(islpy.dim_type.set, place).to_python()) for place in range(4)])

    element.intersect_range(islpy.Set(f"{{ [{dim}, i] }}")).wrap().foreach_point(add)
    assert [place for *place, _ in sorted(found)] == [[count, index, dim] for index in range(count)]
    return [i for *_, i in sorted(found)]


def says_the_same(step):
    """Whether a step as functions, which proofs compare, is the same as its relations, for every dim and value."""
    start, count, stride = functions_of((step,))
    length, element = _maps(step)
    dims = islpy.Map("{ [N] -> [N] }")
    for function in (count, start):
        dims = dims.flat_range_product(islpy.Map.from_pw_aff(function))
    of_functions = islpy.Map(f"{{ [N, M, s] -> [M, o, N, s + {stride} * o] : 0 <= o < M }}")
    same = element.wrap().flatten().is_equal(dims.range().apply(of_functions))
    return same and length.is_equal(islpy.Map.from_pw_aff(count))


@all_in_the_long_tests
@pytest.mark.parametrize("rule", RULES)
def test_relations_and_resolvers_agree(rule, chosen):
    compared = errors = 0
    steps = [*chosen(steps_of(rule))]
    for step in steps:
        assert says_the_same(step), step
        for dim in DIMS:
            wanted = taken((step,), dim)
            if isinstance(wanted, SliceError):
                assert solved(_maps(step), dim) is None, (step, dim)
                errors += 1
            else:
                start, count, stride = wanted
                assert solved(_maps(step), dim) == [start + index * stride for index in range(count)], (step, dim)
            compared += 1
    assert compared == len(steps) * len(DIMS) > 0
    rejects = not RULES[rule].clamps or RULES[rule].window or RULES[rule].whole or "onnx" not in rule
    few = chosen is sampled and ONE_CASE_IN > 1  # of which none may be an error
    assert (errors > 0) == rejects or (few and errors == 0)
