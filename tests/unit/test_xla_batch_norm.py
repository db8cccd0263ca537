"""Batch normalisation of ssop.xla against exact fractions, StableHLO's examples, and differences of training."""

import ml_dtypes
import numpy as np
import pytest

from ssop import xla
from ssop.reference import Tensor, xla_numbers
from unit.xla_arrays import label_of

X = np.array([[[1.0, 2.0], [3.0, 4.0]], [[3.0, 4.0], [1.0, 2.0]]])
ONES = np.ones(2)
SHAPES = [((5,), 0), ((4, 3), 1), ((4, 3), 0), ((2, 3, 4), 1), ((2, 1, 3, 2), 3)]
EPSILON = float(np.float32(1e-3))


def as_tensor(x):
    return Tensor(x.shape, [float(v) for v in x.ravel()])


def drawn(shape, axis, dtype):
    rng = np.random.default_rng(len(shape) + axis)
    x, dy = (rng.normal(3, 2, shape).astype(dtype) for _ in range(2))
    scale, offset, mean = (rng.normal(size=shape[axis]).astype(dtype) for _ in range(3))
    variance = rng.uniform(0.1, 2, shape[axis]).astype(dtype)
    return x, scale, offset, mean, variance, dy


def close(found, wanted, dtype):
    wanted = np.array(wanted.items, float).reshape(wanted.shape)
    few = {1: 0.3, 2: 8e-3, 4: 1e-6, 8: 1e-12}[np.dtype(dtype).itemsize]
    assert found.dtype == dtype and found.shape == wanted.shape and found.flags.c_contiguous
    return np.allclose(found.astype(float), wanted, rtol=few, atol=few)


@pytest.mark.parametrize(
    "dtype", ["f8", "f4", "f2", ml_dtypes.bfloat16, ml_dtypes.float8_e5m2], ids=lambda d: np.dtype(d).name
)
@pytest.mark.parametrize(("shape", "axis"), SHAPES, ids=str)
def test_bn_s1_bn_s2_bn_s3_against_fractions(shape, axis, dtype):
    x, scale, offset, mean, variance, dy = arrays = drawn(shape, axis, dtype)
    tensors = [as_tensor(array) for array in arrays]
    for found, wanted in zip(
        xla.batch_norm_training(x, scale, offset, 1e-3, axis),
        xla_numbers.batch_norm_training(*tensors[:3], EPSILON, axis),
        strict=True,
    ):
        assert close(found, wanted, dtype)
    found = xla.batch_norm_inference(x, scale, offset, mean, variance, 1e-3, axis)
    assert close(found, xla_numbers.batch_norm_inference(*tensors[:5], EPSILON, axis), dtype)
    out = np.empty_like(x)
    assert xla.batch_norm_inference(x, scale, offset, mean, variance, 1e-3, axis, out=out) is out
    assert np.array_equal(out, found)
    for found, wanted in zip(
        xla.batch_norm_grad(x, scale, mean, variance, dy, 1e-3, axis),
        xla_numbers.batch_norm_grad(tensors[0], tensors[1], tensors[3], tensors[4], tensors[5], EPSILON, axis),
        strict=True,
    ):
        assert close(found, wanted, dtype)


def test_examples_of_stablehlo():
    output, mean, variance = xla.batch_norm_training(X, ONES, ONES, 0.0, 2)
    wanted = [[[0.0, 0.0], [2.0, 2.0]], [[2.0, 2.0], [0.0, 0.0]]]
    assert (output.tolist(), mean.tolist(), variance.tolist()) == (wanted, [2.0, 3.0], [1.0, 1.0])
    assert xla.batch_norm_inference(X, ONES, ONES, mean, variance, 0.0, 2).tolist() == wanted
    dx, dscale, doffset = xla.batch_norm_grad(X, ONES, mean, variance, np.full(X.shape, 0.1), 0.0, 2)
    assert np.allclose(dx, 0) and np.allclose(dscale, 0) and np.allclose(doffset, 0.4)


@pytest.mark.parametrize(("shape", "axis"), SHAPES[1:], ids=str)
def test_bn_s3_is_the_derivative_of_training(shape, axis):
    x, scale, offset, _, _, dy = drawn(shape, axis, "f8")
    step = 1e-6

    def loss(x, scale, offset):
        return float((xla.batch_norm_training(x, scale, offset, 1e-3, axis)[0] * dy).sum())

    _, mean, variance = xla.batch_norm_training(x, scale, offset, 1e-3, axis)
    gradients = xla.batch_norm_grad(x, scale, mean, variance, dy, 1e-3, axis)
    for number, gradient in enumerate(gradients):
        for place in np.ndindex(gradient.shape):
            moved = [[np.array(part) for part in (x, scale, offset)] for _ in range(2)]
            moved[0][number][place] += step
            moved[1][number][place] -= step
            assert abs((loss(*moved[0]) - loss(*moved[1])) / (2 * step) - gradient[place]) < 1e-6


def test_no_elements_and_special_numbers():
    output, mean, variance = xla.batch_norm_training(np.zeros((0, 2)), ONES, ONES, 0.0, 1)
    assert output.shape == (0, 2) and np.isnan(mean).all() and np.isnan(variance).all()
    output, mean, variance = xla.batch_norm_training(np.zeros((2, 0)), [], [], 0.0, 1)
    assert (output.shape, mean.shape, variance.shape) == ((2, 0), (0,), (0,))
    dx, dscale, doffset = xla.batch_norm_grad(np.zeros((0, 2)), ONES, ONES, ONES, np.zeros((0, 2)), 0.0, 1)
    assert dx.shape == (0, 2) and dscale.tolist() == doffset.tolist() == [0, 0]
    output, _, variance = xla.batch_norm_training(np.array([[np.inf, 1], [2, 1]]), ONES, ONES, 0.0, 1)
    assert np.isnan(output).all() and np.isnan(variance[0]) and variance[1] == 0
    assert np.isnan(xla.batch_norm_inference([1.0], [1.0], [0.0], [0.0], [-1.0], 0.0, 0)).all()


def test_bn_s4_sums_are_accurate():
    many = np.full((100000, 1), 1 / 3, "f4")
    _, mean, variance = xla.batch_norm_training(many, [1.0], [0.0], 0.0, 1)
    assert mean[0] == np.float32(1 / 3) and variance[0] < 1e-12
    large = np.full((4, 1), 60000, "f2")
    assert xla.batch_norm_training(large, [1.0], [0.0], 1.0, 1)[1].tolist() == [60000.0]


def test_bn_s5_bn_c6_epsilon():
    one = xla.batch_norm_inference([0.1], [1.0], [0.0], [0.0], [0.0], 1e-3, 0)
    assert one.tolist() == [0.1 / np.sqrt(float(np.float32(1e-3)))]
    assert label_of(xla.batch_norm_inference, [0.1], [1.0], [0.0], [0.0], [0.0], [1e-3], 0) == "bn_c6"
    for wrong in ("x", np.void(b"ab"), np.zeros((), [("a", "i4")]), np.zeros((), [("a", "i4")])[()]):
        assert label_of(xla.batch_norm_inference, [0.1], [1.0], [0.0], [0.0], [0.0], wrong, 0) == "val_c1"


def test_the_reference_rejects_the_same():
    ranks = [(X, ONES, ONES, 0.0, 3), (X, ONES, ONES, 0.0, -1), (X, X, ONES, 0.0, 0), (X, ONES[:1], ONES, 0.0, 0)]
    for x, scale, offset, epsilon, axis in ranks:
        with pytest.raises(xla_numbers.Rejected) as own:
            xla_numbers.batch_norm_training(as_tensor(x), as_tensor(scale), as_tensor(offset), epsilon, axis)
        assert label_of(xla.batch_norm_training, x, scale, offset, epsilon, axis) == own.value.label
    for dy in (X[0], X[:1], X[:, :1]):
        with pytest.raises(xla_numbers.Rejected, match="bn_c5"):
            xla_numbers.batch_norm_grad(as_tensor(X), *[as_tensor(ONES)] * 3, as_tensor(dy), 0.0, 2)
        assert label_of(xla.batch_norm_grad, X, ONES, ONES, ONES, dy, 0.0, 2) == "bn_c5"
