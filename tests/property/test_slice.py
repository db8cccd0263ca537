"""XLA's Slice: against the reference and NumPy, and every rule broken alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import answer, as_tensor, assert_same, call, counting, with_shape
from ssop import reference
from ssop.testing import strategies as slicing


@given(with_shape(slicing.slice_arguments))
def test_equals_the_reference(case):
    shape, arguments = case
    x = counting(shape)
    assert answer(ssop.slice, x, *arguments) == answer(reference.slice, as_tensor(x), *arguments)


@given(with_shape(slicing.slice_arguments))
def test_equals_numpy(case):
    shape, arguments = case
    x = counting(shape)
    index = tuple(map(slice, *arguments))
    assert_same(call(ssop.slice, x, *arguments), x[(..., *index)])


@given(with_shape(slicing.slice_arguments))
def test_is_a_strided_slice(case):
    shape, arguments = case
    x = counting(shape)
    assert_same(call(ssop.slice, x, *arguments), call(ssop.strided_slice, x, *arguments))


@given(with_shape(slicing.broken_slice_arguments))
def test_one_broken_rule_is_the_one_named(case):
    shape, (label, axis, arguments) = case
    x = counting(shape)
    rejected = answer(ssop.slice, x, *arguments)
    assert rejected == answer(reference.slice, as_tensor(x), *arguments)
    assert rejected[:3] == (label, axis, axis)


@st.composite
def cuts(draw, shape):
    """An axis, and three places on it in order."""
    axis = draw(st.integers(0, len(shape) - 1))
    return axis, sorted(draw(st.integers(0, shape[axis])) for _ in range(3))


@given(with_shape(cuts, min_rank=1))
def test_adjoining_slices_concatenate(case):
    shape, (axis, (first, middle, last)) = case
    x = counting(shape)

    def between(start, limit):
        starts, limits = [0] * len(shape), list(shape)
        starts[axis], limits[axis] = start, limit
        return call(ssop.slice, x, starts, limits)

    assert_same(np.concatenate([between(first, middle), between(middle, last)], axis), between(first, last))


@given(with_shape(lambda shape: st.none()))
def test_the_whole_is_a_copy(case):
    x = counting(case[0])
    assert_same(call(ssop.slice, x, [0] * x.ndim, x.shape), x)
