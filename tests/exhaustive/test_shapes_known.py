"""One code path: the shape that is inferred of known shapes and arguments is the shape that execution gives.

For every operation, over small spaces of calls, and over every pattern of the five masks.
"""

from functools import partial
from itertools import product

import numpy as np
import pytest

import ssop
from exhaustive.spaces import mask_patterns
from scale import count_of_sampled, sampled
from shape_operations import OPERATIONS
from shape_spaces import MASKS, choices, count_of, inferred, known_shape
from ssop import shapes

DEFAULT, LONG = 400, 10**6
SHAPE = (3, 4, 2)
SPEC = {"begin": (1, -1, -4), "end": (3, -9, 9), "strides": (1, -1, 2)}


def as_vectors(masks, length):
    return {name: [bits >> entry & 1 for entry in range(length)] for name, bits in masks.items()}


MASKED = {
    "strided_slice": (shapes.strided_slice, ssop.strided_slice, lambda masks, length: masks),
    "tflite": (shapes.tflite.strided_slice, ssop.tflite.strided_slice, lambda masks, length: masks),
    "openvino": (shapes.openvino.strided_slice, ssop.openvino.strided_slice, as_vectors),
}


def outcome(function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
        return result.shape if isinstance(result, np.ndarray) else result.dims
    except ssop.SliceError as error:
        return error.label, error.axis, error.entry


def compare(operation, operands, args):
    """Both modes with execution; returns whether it is an error."""
    expected = known_shape(operation, operands, args)
    for mode in ("tight", "tf"):
        got = inferred(operation, operands, args, mode)
        if isinstance(expected, str) and mode == "tf" and not operation.checks_in_tf:
            continue
        assert (got if isinstance(got, str) else got.dims) == expected, (operands, args, mode)
    return isinstance(expected, str)


def compare_all(name, most):
    operation = OPERATIONS[name]
    errors = [compare(operation, *operation.call(*chosen)) for chosen in choices(operation.space, most)]
    assert len(errors) == min(most, count_of(operation.space))
    assert not all(errors) and (any(errors) or len(errors) < 100), name


@pytest.mark.parametrize("name", OPERATIONS)
def test_sh_s2_inferred_shapes_are_those_of_execution(name):
    compare_all(name, DEFAULT)


@pytest.mark.long
@pytest.mark.parametrize("name", OPERATIONS)
def test_sh_s2_all_inferred_shapes_are_those_of_execution(name):
    compare_all(name, LONG)


def compare_masks(dialect, rank, length, patterns):
    infer, execute, form = MASKED[dialect]
    x, spec = np.zeros(SHAPE[:rank], np.int8), {name: vector[:length] for name, vector in SPEC.items()}
    compared = 0
    for pattern in patterns:
        masks = form(dict(zip(MASKS, pattern, strict=True)), length)
        expected = outcome(execute, x, **spec, **masks)
        for mode in ("tight", "tf"):
            assert outcome(infer, x.shape, **spec, **masks, mode=mode) == expected, (x.shape, masks, mode)
        compared += 1
    return compared


@pytest.mark.parametrize("dialect", MASKED)
@pytest.mark.parametrize("rank", range(4))
def test_ss_s10_every_pattern_of_masks(dialect, rank):
    for length in range(3):
        assert compare_masks(dialect, rank, length, mask_patterns(length)) == 1 << 5 * length


@pytest.mark.long
@pytest.mark.parametrize("dialect, rank", list(product(MASKED, range(4))))
def test_ss_s10_every_pattern_of_masks_of_three_entries(dialect, rank):
    patterns = partial(sampled, mask_patterns(3))
    assert compare_masks(dialect, rank, 3, patterns()) == count_of_sampled(1 << 15)
