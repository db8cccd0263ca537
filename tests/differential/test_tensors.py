"""Tensors of TensorFlow and JAX given to ssop: results stay in their library, and as indices they are integers."""

import inspect

import jax.numpy as jnp
import numpy as np
import pytest
import tensorflow as tf

import ssop

X = np.arange(24, dtype=np.int32).reshape(4, 6)
LIBRARIES = {"tensorflow": tf.constant, "jax": jnp.asarray}
every_library = pytest.mark.parametrize("make", LIBRARIES.values(), ids=LIBRARIES)


@every_library
def test_results_stay_in_their_library(make):
    x = make(X)
    for result, expected in [
        (ssop.strided_slice(x, [3, 0], [0, 6], [-1, 2]), X[3:0:-1, ::2]),
        (ssop.strided_slice(x, [0, 1], [0, 2], new_axis_mask=1), X[None, 1:2]),
        (ssop.strided_slice(x, [1, 2], [0, 0], shrink_axis_mask=3), X[1, 2]),
        (ssop.tf.slice(x, [1, 2], [-1, 2]), X[1:, 2:4]),
        (ssop.dynamic_slice(x, [9, -9], [2, 3]), X[2:, :3]),
        (ssop.xla.rev(x, [1]), X[:, ::-1]),
        (ssop.xla.transpose(x, [1, 0]), X.T),
        (ssop.xla.reshape(x, [8, 3]), X.reshape(8, 3)),
        (ssop.xla.concatenate([x, x], 0), np.concatenate([X, X])),
        (ssop.xla.broadcast(x, [2]), np.broadcast_to(X, (2, 4, 6))),
        (ssop.xla.clamp(2, x, 9), X.clip(2, 9)),
        (ssop.xla.select(x > 5, x, -x), np.where(X > 5, X, -X)),
        (ssop.copy(x), X),
    ]:
        assert type(result) is type(x)
        assert tuple(result.shape) == expected.shape and np.array_equal(np.asarray(result), expected)


def test_the_gradient_and_symbols_of_tensorflow_pass():
    x = tf.Variable(tf.constant([1.0, 2.0, 3.0]))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(ssop.strided_slice(x, [2], [0], [-1]) ** 2)
    assert tf.convert_to_tensor(tape.gradient(y, x)).numpy().tolist() == [0, 4, 6]
    assert tf.function(lambda x: ssop.tf.slice(x, [1], [-1]))(x).numpy().tolist() == [2, 3]


def test_tensors_of_unknown_rank_are_rejected():
    spec = tf.TensorSpec(None, X.dtype)
    sliced = tf.function(lambda x: ssop.slice(x, [1], [3]), input_signature=[spec], autograph=False)
    with pytest.raises(ssop.SliceTypeError, match="unknown number of axes") as info:
        sliced(tf.constant(X))
    assert info.value.label == "in_c7"


def test_updates_of_tensorflow_s_tensors_are_rejected():
    with pytest.raises(ssop.SliceTypeError, match=r"pass x\.numpy\(\)") as info:
        ssop.strided_slice_assign(tf.constant(X), [0], [1], [1], 7)
    assert info.value.label == "in_c7"


@every_library
def test_tensors_are_indices(make):
    begin, end, strides = make([1, 0]), make([4, 6]), make([2, 3])
    for x in (X, make(X)):
        assert np.array_equal(ssop.strided_slice(x, begin, end, strides), X[1:4:2, 0:6:3])
    assert np.array_equal(ssop.strided_slice(X, [make(1)], [make(3)]), X[1:3])
    assert ssop.StridedSliceSpec(begin, end, strides) == ssop.StridedSliceSpec([1, 0], [4, 6], [2, 3])
    assert np.array_equal(ssop.dynamic_slice(X, begin, make([2, 2])), X[1:3, :2])


@every_library
@pytest.mark.parametrize("wrong", [[0.5], [True], [[1]]], ids=str)
def test_other_tensors_are_no_indices(make, wrong):
    with pytest.raises(ssop.SliceError) as info:
        ssop.strided_slice(X, make(wrong), make([1]))
    assert info.value.label == ("in_c6" if wrong == [[1]] else "in_c1")
    if wrong == [0.5]:
        with pytest.raises(ssop.SliceTypeError) as info:
            ssop.strided_slice(X, [make(0.5)], [1])
        assert info.value.label == "in_c1"


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("slice", tf.slice),
        ("strided_slice", tf.strided_slice),
        ("strided_slice_grad", tf.raw_ops.StridedSliceGrad),
        ("strided_slice_assign", tf.raw_ops.StridedSliceAssign),
        ("tensor_strided_slice_update", tf.raw_ops.TensorStridedSliceUpdate),
    ],
)
def test_signatures_are_tensorflow_s(ours, theirs):
    own = {name: p.default for name, p in inspect.signature(getattr(ssop.tf, ours)).parameters.items() if name != "out"}
    assert own == {name: p.default for name, p in inspect.signature(theirs).parameters.items()}
