"""`ssop.xla.select` and `ssop.xla.clamp`, element by element."""

import itertools

import ml_dtypes
import numpy as np
import pytest

from ssop import xla
from unit.xla_arrays import EMPTY, X, assert_same, label_of

PREDS = [True, False, np.bool_(True), np.array(False), X % 2 == 0, (X % 3 == 0).T.copy().T, X[::-1] > 7, X < 0]


@pytest.mark.parametrize("dtype", ["i8", "f4", ">f4", "c16", "S3", "M8[s]", object, "T", "?"], ids=str)
@pytest.mark.parametrize("pred", PREDS, ids=range(len(PREDS)))
def test_sel_s1_sel_s2(pred, dtype):
    a, b = (X % 7).astype(dtype), (X[::-1] % 5).astype(dtype)
    result = xla.select(pred, a.T.copy().T, b)
    rows = zip(np.broadcast_to(pred, X.shape), a, b, strict=True)
    expected = [[t if p else f for p, t, f in zip(*row, strict=True)] for row in rows]
    assert_same(result, np.array(expected, a.dtype))


def test_sel_s1_scalars_and_lists():
    assert_same(xla.select(True, 1, 2), np.array(1))
    assert_same(xla.select([True, False], [1, 2], [3, 4]), np.array([1, 4]))
    assert_same(xla.select([True, False], np.array([1, 2], "f4"), [3, 4]), np.array([1, 4], "f4"))
    assert_same(xla.select([True, False], [1, 2], np.array([3, 4], "f4")), np.array([1, 4], "f4"))
    assert_same(xla.select(np.zeros((0, 3), bool), EMPTY, EMPTY), EMPTY)
    nan = np.array([0x7FF0000000000001], "u8").view("f8")
    assert xla.select([True], nan, nan).view("u8") == nan.view("u8")


@pytest.mark.parametrize("dtype", ["?", "u1", "f2", ">u2", "f4", "f8", "c8", "c16"], ids=str)
@pytest.mark.parametrize("count", [2**16, 2**17 + 5, 3])
def test_sel_s1_of_large_arrays(dtype, count):
    rng = np.random.default_rng(count)
    dtype = np.dtype(dtype)
    a, b = (rng.integers(0, 2 if dtype.kind == "b" else 256, (2, 2 * count * dtype.itemsize), "u1")).view(dtype)
    a, b = a.reshape(2, count), b.reshape(2, count)
    pred = rng.integers(0, 3, (2, count), "u1").view("?")  # any byte but 0 is true
    result = xla.select(pred, a, b)
    assert result.dtype == dtype and result.flags.c_contiguous and not np.shares_memory(result, b)
    p, one, other, found = (x.view("u1").reshape(2 * count, -1) for x in (pred, a, b, result))
    assert np.array_equal(found, np.where(p > 0, one, other))


BOUNDS = [(0, 5), (3, 3), (9, 2), (-5, 50), (np.int64(4), 9), (0, np.array(7)), (X - 1, 10), (3, X + 1), (X, X[::-1])]


@pytest.mark.parametrize("dtype", ["i8", "f4", ">f4", "u2", "f2"], ids=str)
@pytest.mark.parametrize(("low", "high"), BOUNDS, ids=range(len(BOUNDS)))
def test_cl_s1_cl_s2(low, high, dtype):
    """cl_s1, cl_s2: min(max(low, x), high), element by element."""
    x = X[::-1].astype(dtype)
    low, high = (
        np.asarray(abs(v)).astype(dtype) if isinstance(v, (np.ndarray, np.generic)) else abs(v) for v in (low, high)
    )
    lows, highs = np.broadcast_to(low, x.shape), np.broadcast_to(high, x.shape)
    expected = [
        min(max(int(a), int(b)), int(c)) for a, b, c in zip(lows.ravel(), x.ravel(), highs.ravel(), strict=True)
    ]
    assert_same(xla.clamp(low, x, high), np.array(expected).astype(dtype).reshape(x.shape))


def test_cl_s1_nan_scalars_and_dates():
    nan = float("nan")
    for low, x, high in itertools.product([0.0, nan], [0.5, nan], [1.0, nan]):
        result = xla.clamp(low, np.array([x]), high)
        assert np.isnan(result).all() == any(v != v for v in (low, x, high))
    assert_same(xla.clamp(0, 9, 6), np.array(6))
    assert_same(xla.clamp(False, [True, False], True), np.array([True, False]))
    days = np.array(["2020-01-01", "2021-01-01", "2022-01-01"], "M8[D]")
    assert_same(xla.clamp(days[1], days, days[1]), days[[1, 1, 1]])
    assert_same(xla.clamp(0, EMPTY, 1), EMPTY)
    words = np.array(["a", "m", "z"], "T")
    assert_same(xla.clamp("c", words, "p"), np.array(["c", "m", "p"], "T"))
    numbers = np.array([3, 2**70, -5], object)
    assert_same(xla.clamp(0, numbers, 2**65), np.array([3, 2**65, 0], object))
    for dtype in ("c8", "c16", "V3"):
        x = np.zeros(2, dtype)
        assert label_of(xla.clamp, x[0], x, x[1]) == "cl_c3"


def test_clamp_of_signalling_nans_is_silent():
    """ml_dtypes' comparison warned of them: an exception where warnings are errors, as here."""
    x = np.array([0x7F81, 0x3F80], np.uint16).view(ml_dtypes.bfloat16)
    assert (xla.clamp(x[0], x, x[0]).view(np.uint16) & 0x7FFF > 0x7F80).all()
    assert xla.clamp(x[1], x, x[1]).view(np.uint16)[1] == 0x3F80


SIGNALLING = {"f2": (np.uint16, 0x7D01), "f4": (np.uint32, 0x7FA00001), "f8": (np.uint64, 0x7FF4000000000001)}


@pytest.mark.parametrize("dtype", SIGNALLING)
@pytest.mark.parametrize("size", [1, 3, 64, 1000])
def test_clamp_of_plain_signalling_nans_is_silent(dtype, size):
    kind, bits = SIGNALLING[dtype]
    x, one = np.ones(size, dtype), np.array(1, dtype)
    x.view(kind)[size // 2] = bits
    nan = np.array(bits, kind).view(dtype)
    with np.errstate(all="raise"):
        for low, high in ((one, one), (nan, one), (one, nan), (x, x), (one, x)):
            assert np.isnan(xla.clamp(low, x, high)[size // 2])


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "f2", "f4", "g", ">i4", "c8", "M8[s]", "S3", "O"])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 5)])
@pytest.mark.parametrize("order", "CF")
def test_select_is_where_for_every_dtype_and_order(dtype, shape, order):
    """Plain arrays take another way than the rest."""
    rng = np.random.default_rng(len(shape))
    on_true, on_false = (np.asarray(rng.integers(0, 2, shape)).astype(dtype, order=order) for _ in range(2))
    pred = np.asarray(rng.integers(0, 2, shape).astype(bool), order=order)
    expected = np.array(np.where(pred, on_true, on_false), on_true.dtype, order="C")
    assert_same(xla.select(pred, on_true, on_false), expected)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "f2", "f4", "g", ">i4", "M8[s]"])
@pytest.mark.parametrize("shape", [(), (0,), (7,), (3, 5)])
@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("bound_shape", ["scalar", "same"])
def test_clamp_is_clip_for_every_dtype_and_order(dtype, shape, order, bound_shape):
    rng = np.random.default_rng(len(shape))
    x = np.asarray(rng.integers(0, 9, shape)).astype(dtype, order=order)
    bounds = shape if bound_shape == "same" else ()
    low, high = (np.asarray(rng.integers(start, 9, bounds)).astype(dtype, order=order) for start in (0, 4))
    result = xla.clamp(low, x, high)
    assert_same(result, np.asarray(np.minimum(np.maximum(x, low), high)).astype(dtype))
    assert result.flags.c_contiguous
