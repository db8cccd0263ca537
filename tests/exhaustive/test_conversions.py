"""E2 converted: strided slices with every set of masks as calls of every target, and run on each of several shapes."""

from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.brute_force import calls_for
from exhaustive.spaces import mask_patterns
from scale import sampled
from ssop import SliceError
from ssop._convert.proofs import Lengths
from ssop._convert.rules import Step
from ssop._convert.search import Refusal
from ssop._convert.targets import TARGETS
from ssop._convert.writing import write_chain
from ssop._masks import MASK_NAMES

ENTRIES = [(-3, 2, 1), (4, -6, -2), (1, 3, 1)]  # begin, end, stride
SHAPES = [(1, 4, 2), (2, 1, 3), (5, 3, 7), (6, 7, 1)]
UNKNOWN = [None, (1, None), "n"]


def answer(function, *arguments):
    """Shape and elements, or None for an error."""
    try:
        result = function(*arguments)
    except (SliceError, ValueError):  # NumPy's squeeze raises ValueError
        return None
    return result.shape, result.tolist()


def converted(spec, to):
    """(what became of it, how many shapes were compared)."""
    try:
        conversion = ssop.convert(spec, to, UNKNOWN)
    except SliceError as error:
        return error.label, 0
    for shape in SHAPES:
        x = np.arange(np.prod(shape)).reshape(shape)
        assert answer(conversion, x) == answer(spec, x), (spec, shape, str(conversion))
    return "converted", len(SHAPES)


def compare(length, to, patterns):
    begin, end, strides = zip(*ENTRIES[:length], strict=True)
    outcomes = {}
    for masks in patterns:
        try:
            spec = ssop.StridedSliceSpec(begin, end, strides, **dict(zip(MASK_NAMES, masks, strict=True)))
        except ssop.SliceValueError as error:
            outcome, compared = error.label, 0
        else:
            outcome, compared = converted(spec, to)
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    return outcomes


@pytest.mark.parametrize("to", TARGETS)
def test_one_entry(to):
    outcomes = compare(1, to, mask_patterns(1))
    # x[-3:2] may be an error of XLA; a shrunk entry, an ellipsis and a new axis have calls everywhere
    assert sum(outcomes.values()) == 32 and outcomes["converted"] >= (25 if to == "xla" else 32)


@pytest.mark.long
@pytest.mark.parametrize("to", TARGETS)
@pytest.mark.parametrize("length", [2, 3])
def test_two_and_three_entries(length, to, report):
    patterns = list(sampled(mask_patterns(length)) if length == 2 else sampled(list(mask_patterns(3))[::16]))
    outcomes = compare(length, to, patterns)
    assert set(outcomes) <= {"converted", "ss_c3", "ss_c6", "cv_c5"} | ({"cv_c7"} if to == "xla" else set())
    assert outcomes["converted"] > len(patterns) / (40 if to == "xla" else 10)
    report(f"{length} entries to {to}: {outcomes}")


@pytest.mark.parametrize("least", [0, 1, pytest.param(2, marks=pytest.mark.long)])
def test_xla_has_calls_where_brute_force_finds_some(least):
    bounds = (None, *range(-5, 6))
    found = 0
    for begin, end, stride in product(bounds, bounds, (1, 2, 3, -1, -2, -3)):
        chain = (Step("tf", begin, end, stride),)
        calls = calls_for(chain, least)
        written = write_chain(chain, TARGETS["xla"].abilities, Lengths(least)) if calls is not None else None
        assert not isinstance(written, Refusal), (chain, calls)
        found += calls is not None
    assert found >= 200
