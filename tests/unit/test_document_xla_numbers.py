"""XLA's operation semantics (in Chinese, of about 2017): conversions, normalisation, random numbers and Sort.

Each example and each sentence that can be tested. Where the document has been overtaken, the test shows both.
"""

import numpy as np
import pytest

import ssop
from ssop import xla


def label_of(f, *args):
    with pytest.raises(ssop.SliceError) as caught:
        f(*args)
    return caught.value.label


def test_convert_element_type():
    """Element by element, as static_cast in C++: s32 elements become f32 elements; to a tuple it is an error."""
    x = np.array([[1, -2], [2**24 + 1, 2**24 + 3]], np.int32)
    result = xla.convert_element_type(x, np.float32)
    assert result.dtype == np.float32 and result.shape == x.shape
    assert result.tolist() == [[1, -2], [2**24, 2**24 + 4]]  # round-to-nearest-even
    assert label_of(xla.convert_element_type, x, np.dtype([("a", "i4")])) == "cvt_c1"


def features(shape, axis):
    rng = np.random.default_rng(1)
    return rng.normal(size=shape), *(rng.normal(size=shape[axis]) for _ in range(2))


def test_batch_norm_training():
    """Mean and variance of each feature over all other dimensions; normalise, scale and shift."""
    x, scale, offset = features((4, 3, 2, 5), 3)
    output, mean, variance = xla.batch_norm_training(x, scale, offset, 0.25, 3)
    m, w, h = 4, 3, 2
    mu = x.sum((0, 1, 2)) / (m * w * h)
    sigma2 = ((x - mu) ** 2).sum((0, 1, 2)) / (m * w * h)
    assert np.allclose(mean, mu) and np.allclose(variance, sigma2)
    assert np.allclose(output, scale * (x - mu) / np.sqrt(sigma2 + 0.25) + offset)
    assert output.shape == x.shape and mean.shape == variance.shape == (5,)
    assert label_of(xla.batch_norm_training, x, scale, offset, 0.25, 4) == "bn_c1"
    zeros = np.zeros((3, 1))
    assert np.isfinite(xla.batch_norm_training(zeros, [1.0], [0.0], 1e-3, 1)[0]).all()  # epsilon: no division by zero


def test_batch_norm_inference():
    """It is BatchNormTraining without computing mean and variance of each batch: it uses the given ones."""
    x, scale, offset = features((4, 3), 1)
    output, mean, variance = xla.batch_norm_training(x, scale, offset, 0.25, 1)
    assert np.allclose(xla.batch_norm_inference(x, scale, offset, mean, variance, 0.25, 1), output)


def test_batch_norm_grad():
    """Three gradients, of operand, scale and offset, by formulas of which only that of offset is the gradient."""
    x, scale, _ = features((4, 3), 1)
    dy = np.cos(x)
    _, mean, variance = xla.batch_norm_training(x, scale, scale, 0.25, 1)
    grad_operand, grad_scale, grad_offset = xla.batch_norm_grad(x, scale, mean, variance, dy, 0.25, 1)
    deviation = np.sqrt(variance + 0.25)
    assert np.allclose(grad_offset, dy.sum(0))
    assert np.allclose(grad_scale, (dy * (x - mean) / deviation).sum(0))  # bn_s3
    assert not np.allclose(grad_scale, (dy * (x - mean) * deviation).sum(0))
    assert not np.allclose(grad_operand, dy * scale * deviation)
    assert label_of(xla.batch_norm_grad, x, scale, mean, variance, dy, 0.25, 2) == "bn_c1"


def test_reduce_precision():
    """Nearest values, ties to even; beyond the exponents infinities; NaN stays. More bits than T's are a no-op."""
    x = np.array([1.00048828125, 1.00146484375, 65520.0, -1e6, np.nan], np.float32)
    as_half = xla.reduce_precision(x, mantissa_bits=10, exponent_bits=5)
    assert as_half.dtype == np.float32
    with np.errstate(over="ignore"):
        assert np.array_equal(as_half, x.astype(np.float16).astype(np.float32), equal_nan=True)
    assert np.array_equal(xla.reduce_precision(x, 40, 99), x, equal_nan=True)
    assert label_of(xla.reduce_precision, x, 0, 10) == "rp_c2"  # at least one bit is of the exponent
    assert label_of(xla.reduce_precision, x, 5, -1) == "rp_c3"
    assert xla.reduce_precision(x, 1, 0)[[0, 2]].tolist() == [0, np.inf]  # all that one bit tells apart
    assert label_of(xla.reduce_precision, np.arange(3), 5, 10) == "rp_c1"


def test_rng_bernoulli():
    """A scalar F32 parameter, the mean of the numbers; an output shape of U32."""
    drawn = xla.rng_bernoulli(np.float32(0.25), [100, 100], seed=1)
    assert drawn.dtype == np.uint32 and drawn.shape == (100, 100) and abs(drawn.mean() - 0.25) < 0.02
    assert label_of(xla.rng_bernoulli, np.zeros(1, np.float32), [3]) == "rng_c1"


def test_rng_normal():
    """Numbers of N(mu, sigma); scalar parameters of F32, and an output of F32."""
    drawn = xla.rng_normal(np.float32(3), np.float32(2), [10000], seed=1)
    assert drawn.dtype == np.float32 and abs(drawn.mean() - 3) < 0.1 and abs(drawn.std() - 2) < 0.1
    assert label_of(xla.rng_normal, np.zeros(1, np.float32), np.float32(1), [3]) == "rng_c1"


@pytest.mark.parametrize("dtype", [np.float32, np.int32, np.uint32])
def test_rng_uniform(dtype):
    """Numbers of [a, b) of F32, S32 or U32; parameters are scalars of that type; b <= a is left open."""
    drawn = xla.rng_uniform(dtype(2), dtype(9), [1000], seed=1)
    assert drawn.dtype == dtype and drawn.min() >= 2 and drawn.max() < 9
    assert label_of(xla.rng_uniform, dtype(2), np.int64(9), [3]) == "rng_c2"
    assert label_of(xla.rng_uniform, np.array([2], dtype), dtype(9), [3]) == "rng_c1"
    assert label_of(xla.rng_uniform, dtype(9), dtype(9), [3]) == "rng_c3"


def test_sort():
    """Sorts the elements in the operand."""
    assert xla.sort(np.array([3, 1, 2])).tolist() == [1, 2, 3]
