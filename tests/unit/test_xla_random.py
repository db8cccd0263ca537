"""The random numbers of ssop.xla: their distributions, within bounds that hold for the seed, and their bits."""

import math

import ml_dtypes
import numpy as np
import pytest

from ssop import xla
from ssop.reference import xla_numbers
from unit.xla_arrays import label_of

COUNT = 20000
LIMIT = 1.95 / math.sqrt(COUNT)  # of the Kolmogorov-Smirnov statistic, for one in a thousand


def largest_gap(sample, cumulative):
    """The Kolmogorov-Smirnov statistic: the largest gap between the shares of a sample and of its distribution."""
    ordered = np.sort(np.asarray(sample, float))
    expected = np.array([cumulative(x) for x in ordered])
    places = np.arange(len(ordered) + 1) / len(ordered)
    return max(np.abs(places[1:] - expected).max(), np.abs(expected - places[:-1]).max())


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", ml_dtypes.bfloat16], ids=lambda d: np.dtype(d).name)
@pytest.mark.parametrize(("a", "b"), [(0, 1), (-3, 5), (100, 1000)])
def test_rng_s1_real_numbers_are_uniform(a, b, dtype):
    x = xla.rng_uniform(np.array(a, dtype), np.array(b, dtype), [100, COUNT // 100], seed=1)
    assert x.shape == (100, COUNT // 100) and x.dtype == dtype
    assert ((x >= np.array(a, dtype)) & (x < np.array(b, dtype))).all()
    rounding = float(ml_dtypes.finfo(dtype).eps) * max(abs(a), abs(b)) / (b - a)
    assert largest_gap(x.ravel(), lambda v: (v - a) / (b - a)) < LIMIT + rounding


@pytest.mark.parametrize("dtype", ["i1", "u1", "i4", "u4", "i8", "u8", ml_dtypes.int4], ids=lambda d: np.dtype(d).name)
def test_rng_s1_integers_are_uniform(dtype):
    x = xla.rng_uniform(np.array(1, dtype), np.array(7, dtype), [COUNT], seed=2)
    counts = np.bincount(x.astype(int), minlength=7)
    assert x.dtype == dtype and counts[0] == 0 and len(counts) == 7
    assert ((counts[1:] - COUNT / 6) ** 2).sum() / (COUNT / 6) < 20.5  # chi-squared, one in a thousand


def test_rng_s1_the_ends_of_the_interval():
    high = np.float32(1) + np.finfo("f4").eps
    assert (xla.rng_uniform(np.float32(1), high, [1000], seed=3) == 1).all()
    largest = np.finfo("f8").max
    wide = xla.rng_uniform(-largest, np.float64(largest), [1000], seed=3)
    assert np.isfinite(wide).all() and (wide < 0).any() and (wide > 0).any()
    least, greatest = np.iinfo("i8").min, np.iinfo("i8").max
    assert xla.rng_uniform(np.int64(least), np.int64(greatest), [10], seed=3).dtype == np.int64
    for a, b in ((1.0, 1.0), (2.0, 1.0), (0.0, np.inf), (np.nan, 1.0)):
        assert label_of(xla.rng_uniform, a, b, [3]) == "rng_c3"


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", ml_dtypes.bfloat16], ids=lambda d: np.dtype(d).name)
def test_rng_s2_normal_numbers(dtype):
    x = xla.rng_normal(np.array(1, dtype), np.array(2, dtype), [COUNT], seed=4)
    rounding = 4 * float(ml_dtypes.finfo(dtype).eps)
    assert x.dtype == dtype
    assert largest_gap(x, lambda v: (1 + math.erf((v - 1) / 2 / math.sqrt(2))) / 2) < LIMIT + rounding
    assert (xla.rng_normal(np.array(1, dtype), np.array(0, dtype), [3]) == 1).all()


@pytest.mark.parametrize("mean", [0.0, 0.1, 0.5, 1.0])
def test_rng_s3_bernoulli(mean):
    x = xla.rng_bernoulli(mean, [COUNT], seed=5)
    assert x.dtype == np.uint32 and set(x.tolist()) <= {0, 1}
    assert abs(x.mean() - mean) <= 3.3 * math.sqrt(mean * (1 - mean) / COUNT)


def test_rng_s4_dtypes():
    for a, b, dtype in ((0, 2, "i4"), (0.0, 2, "f4"), (0, np.float16(2), "f2"), (np.uint8(0), 2, "u1")):
        assert xla.rng_uniform(a, b, [2, 0]).dtype == dtype
    assert xla.rng_normal(0, 1, []).dtype == np.float32 and xla.rng_normal(0, 1, []).shape == ()
    assert label_of(xla.rng_uniform, True, np.bool_(True), [1]) == "rng_c2"
    assert label_of(xla.rng_uniform, 0, 1j, [1]).startswith("val_")


def test_rng_s5_seeds():
    functions = (lambda **k: xla.rng_uniform(0.0, 1.0, [9], **k), lambda **k: xla.rng_normal(0.0, 1.0, [9], **k))
    for function in (*functions, lambda **k: xla.rng_bernoulli(0.5, [99], **k)):
        assert np.array_equal(function(seed=7), function(seed=np.int16(7)))
        assert not np.array_equal(function(seed=7), function(seed=8))
        assert not np.array_equal(function(), function())
        generator = np.random.default_rng(7)
        first = function(seed=generator)
        assert np.array_equal(first, function(seed=7)) and not np.array_equal(first, function(seed=generator))
        out = np.empty_like(first)
        assert function(seed=7, out=out) is out and np.array_equal(out, first)
    for seed in (True, 1.0, "x", [1], -1):
        assert label_of(functions[0], seed=seed) == "rng_c4"


def split(number):
    return [number & 2**32 - 1, number >> 32]


@pytest.mark.parametrize("counter", [0, 5, 2**32 - 2, 2**64 - 3])
def test_rng_s6_three_fry_by_blocks(counter):
    key = 0x123456789ABCDEF0
    state = np.array([key, counter], np.uint64)
    after, bits = xla.rng_bit_generator(state, [5], np.uint64, "three_fry")
    blocks = [xla_numbers.three_fry_2x32(split(key), split((counter + i) % 2**64)) for i in range(5)]
    assert bits.tolist() == [low | high << 32 for low, high in blocks]
    assert after.tolist() == [key, (counter + 5) % 2**64]
    after, bits = xla.rng_bit_generator(state, [3, 4], np.uint32, "three_fry")  # halves side by side on the even axis
    blocks = [xla_numbers.three_fry_2x32(split(key), split((counter + i) % 2**64)) for i in range(6)]
    assert bits.tolist() == [[*blocks[2 * row], *blocks[2 * row + 1]] for row in range(3)]
    assert after.tolist() == [key, (counter + 6) % 2**64]
    assert np.array_equal(xla.rng_bit_generator(state, [3, 4], "u1", "three_fry")[1], bits.astype("u1"))


@pytest.mark.parametrize("counter", [(0, 0), (2**64 - 1, 7), (2**64 - 1, 2**64 - 1)])
def test_rng_s7_philox_by_blocks(counter):
    key, (low, high) = 0x123456789ABCDEF0, counter
    state = np.array([key, low, high], np.uint64)
    after, bits = xla.rng_bit_generator(state, [10], np.uint32, "philox")
    counters = [(low + (high << 64) + i) % 2**128 for i in range(3)]
    flat = [
        w for c in counters for w in xla_numbers.philox_4x32(split(key), [c >> 32 * n & 2**32 - 1 for n in range(4)])
    ]
    assert bits.tolist() == flat[:10]
    following = (low + (high << 64) + 3) % 2**128
    assert after.tolist() == [key, following & 2**64 - 1, following >> 64]
    _, wide = xla.rng_bit_generator(state, [5], np.uint64, "philox")
    assert wide.tolist() == [flat[2 * i] | flat[2 * i + 1] << 32 for i in range(5)]
    short = np.array([key, low], np.uint64)
    same = np.array([key, low, key], np.uint64)
    assert np.array_equal(*[xla.rng_bit_generator(x, [9], "u4", "philox")[1] for x in (short, same)])


def test_rng_s7_default_and_states_of_jax():
    state = np.array([3, 2**63], np.uint64)
    for algorithm in ("default", "philox", "three_fry"):
        after, bits = xla.rng_bit_generator(state, [7], algorithm=algorithm)
        after_4, bits_4 = xla.rng_bit_generator(state.view(np.uint32), [7], algorithm=algorithm)
        assert after_4.dtype == np.uint32 and np.array_equal(after_4.view(np.uint64), after)
        assert bits.dtype == np.uint32 and np.array_equal(bits, bits_4)
    assert np.array_equal(*[xla.rng_bit_generator(state, [7], algorithm=a)[1] for a in ("default", "philox")])
    floats = xla.rng_bit_generator(state, [7], np.float32)[1]
    assert floats.dtype == np.float32 and np.array_equal(floats.view(np.uint32), xla.rng_bit_generator(state, [7])[1])
    for shape in ([], [0], [3, 0], [1, 1]):
        assert xla.rng_bit_generator(state, shape, algorithm="three_fry")[1].shape == tuple(shape)
    assert state.tolist() == [3, 2**63]


@pytest.mark.parametrize("dim", [2**59, 2**60, 2**63 - 1])
def test_a_shape_beyond_any_memory_is_a_memory_error(dim):
    key = np.array([1, 2], np.uint64)
    for function, arguments in [
        (xla.rng_normal, (0.0, 1.0, [dim])),
        (xla.rng_uniform, (0.0, 1.0, [dim])),
        (xla.rng_uniform, (0, 5, [dim])),
        (xla.rng_bernoulli, (0.5, [dim])),
        (xla.rng_bit_generator, (key, [dim], np.uint64, "three_fry")),
        (xla.rng_bit_generator, (key, [dim], np.uint64, "philox")),
    ]:
        with pytest.raises(MemoryError):
            function(*arguments)
