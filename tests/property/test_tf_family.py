"""TensorFlow's gradient, update and Slice: laws between them and strided_slice, the reference, NumPy's broadcasting."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ssop
from property.calls import answer, as_tensor, assert_same, call, counting, with_shape
from ssop import reference
from ssop._masks import MASK_NAMES
from ssop.testing import strategies as slicing


def illegal(shape):
    return slicing.specs(shape, legal=False)


def parts(spec):
    """The three vectors; the five masks."""
    return (spec.begin, spec.end, spec.strides), [getattr(spec, name) for name in MASK_NAMES]


def gradient(shape, spec, dy):
    vectors, masks = parts(spec)
    return call(ssop.strided_slice_grad, shape, *vectors, dy, *masks)


def update(x, spec, value):
    vectors, masks = parts(spec)
    return call(ssop.tensor_strided_slice_update, x, *vectors, value, *masks)


@st.composite
def repeating_to(draw, shape):
    """A shape that broadcasts to `shape`: fewer axes, axes of 1, more axes of 1 in front."""
    kept = list(shape[draw(st.integers(0, len(shape))) :])
    kept = [draw(st.sampled_from((1, dim))) for dim in kept]
    return (1,) * (draw(st.integers(0, 2)) if len(kept) == len(shape) else 0) + tuple(kept)


@given(with_shape(slicing.specs))
def test_the_gradient_is_the_transpose_of_the_slice(case):
    shape, spec = case
    x = counting(shape) + 1
    taken = spec(x)
    dy = counting(taken.shape) * 3 + 2
    assert (taken * dy).sum() == (gradient(shape, spec, dy) * x).sum()


@given(with_shape(slicing.specs))
def test_the_gradient_keeps_what_was_taken_and_nothing_else(case):
    shape, spec = case
    x = counting(shape) + 1
    taken = spec(x)
    assert_same(gradient(shape, spec, taken), np.where(np.isin(x, taken), x, 0))
    assert_same(spec(gradient(shape, spec, taken)), taken)


@given(with_shape(slicing.specs), st.data())
def test_a_slice_of_the_update_is_the_value_repeated(case, data):
    shape, spec = case
    x = counting(shape)
    taken = spec(x).shape
    value = -1 - counting(data.draw(repeating_to(taken), "value's shape"))
    updated = update(x, spec, value)
    extra = max(value.ndim - len(taken), 0)
    assert_same(spec(updated), np.broadcast_to(value.reshape(value.shape[extra:]), taken).copy())
    assert_same(updated[updated >= 0], x[~np.isin(x, spec(x))])  # the rest is as it was


@given(with_shape(slicing.specs), st.data())
def test_assignment_in_place_is_the_update(case, data):
    shape, spec = case
    ref = counting(shape)
    value = -1 - counting(data.draw(repeating_to(spec(ref).shape), "value's shape"))
    expected = update(ref, spec, value)
    vectors, masks = parts(spec)
    assert call(ssop.strided_slice_assign, ref, *vectors, value, *masks) is ref
    assert_same(ref, expected)


@given(with_shape(slicing.specs))
def test_update_with_what_is_there_changes_nothing(case):
    shape, spec = case
    x = counting(shape)
    assert_same(update(x, spec, spec(x)), x)


@given(with_shape(illegal), slicing.shapes(max_rank=3, max_dim=3))
def test_equals_the_reference(case, other):
    shape, spec = case
    x, any_value = counting(shape), counting(other) - 100
    vectors, masks = parts(spec)
    taken = answer(spec, x)
    fitting = counting(taken.shape) - 100 if isinstance(taken, reference.Tensor) else any_value
    for value in (any_value, fitting):
        expected = answer(reference.strided_slice_grad, shape, *vectors, as_tensor(value), *masks)
        assert answer(ssop.strided_slice_grad, shape, *vectors, value, *masks) == expected
        expected = answer(reference.tensor_strided_slice_update, as_tensor(x), *vectors, as_tensor(value), *masks)
        assert answer(ssop.tensor_strided_slice_update, x, *vectors, value, *masks) == expected


@st.composite
def begins_and_sizes(draw, shape):
    """A begin and a size per axis, at times one outside, at times of another length."""
    begin = [draw(st.integers(0, dim) | slicing.bounds(dim)) for dim in shape]
    size = [
        draw(st.integers(-1, max(dim - first, 0)) | slicing.bounds(dim))
        for dim, first in zip(shape, begin, strict=True)
    ]
    return begin[draw(st.sampled_from((0, 0, 0, 0, 1))) :], size


@given(with_shape(begins_and_sizes))
def test_tf_slice_equals_the_reference(case):
    shape, (begin, size) = case
    x = counting(shape)
    assert answer(ssop.tf.slice, x, begin, size) == answer(reference.tf.slice, as_tensor(x), begin, size)


@given(with_shape(lambda shape: st.tuples(*(st.integers(0, dim) for dim in shape)), max_rank=5), st.data())
def test_tf_slice_is_xlas_slice(case, data):
    shape, begin = case
    sizes = [data.draw(st.integers(-1, dim - first)) for first, dim in zip(begin, shape, strict=True)]
    limits = [dim if n == -1 else first + n for n, first, dim in zip(sizes, begin, shape, strict=True)]
    x = counting(shape)
    assert_same(call(ssop.tf.slice, x, begin, sizes), call(ssop.slice, x, begin, limits))
