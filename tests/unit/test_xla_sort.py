"""`ssop.xla.sort`, by the default order and by users' comparators."""

import random

import ml_dtypes
import numpy as np
import pytest

from ssop import xla
from ssop.reference import Tensor, xla_sorting
from unit.xla_arrays import label_of

NAN = float("nan")
DTYPES = ["?", "i1", "u2", "i8", "f2", "f4", "f8", "c8", "bfloat16", "float8_e5m2", "int4", "uint4"]


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)


def some(rng, dtype, shape):
    """Few different numbers, among them both zeros and NaN if there are any."""
    if dtype.kind == "c":
        parts = rng.choice([0.0, -0.0, 1.0, -1.0, np.nan, np.inf], (2, *shape))
        z = np.empty(shape, dtype)
        z.real, z.imag = parts
        return z
    if dtype.kind == "f" or "float" in dtype.name:
        return rng.choice([0.0, -0.0, 1.0, -1.5, 2.0, np.nan, -np.inf], shape).astype(dtype)
    return rng.integers(0, 2 if dtype.kind == "b" else 5, shape).astype(dtype)


def as_tensor(x):
    return Tensor(x.shape, [v.item() if x.dtype.isbuiltin == 1 else float(v) for v in x.ravel()])


def marked(items):
    """What tells -0.0 from 0.0, and makes NaN equal to itself."""
    return [str(v) for v in items]


@pytest.mark.parametrize("name", DTYPES)
def test_srt_s1_one_operand(name):
    rng, dtype = np.random.default_rng(3), dtype_of(name)
    for shape in ((0,), (1,), (7,), (3, 5), (4, 0), (2, 3, 4)):
        for dimension in range(-len(shape), len(shape)):
            x = some(rng, dtype, shape)
            for given in (x, np.asfortranarray(x)):
                result = xla.sort(given, dimension)
                assert (result.shape, result.dtype) == (shape, dtype) and result.flags.c_contiguous
                (expected,) = xla_sorting.sort([as_tensor(x)], dimension)
                assert marked(as_tensor(result).items) == marked(expected.items)
    out = np.empty_like(x)
    assert xla.sort(x, out=out) is out


def test_srt_s1_large_arrays_keep_zeros_and_the_bits_of_nan():
    rng = np.random.default_rng(4)
    x = rng.choice(np.array([0.0, -0.0, 1.0, -1.0]), (3, 5000)).astype("f4")
    x.view("u4")[:, ::7] = rng.integers(0x7F800001, 0x7FFFFFFF, x[:, ::7].shape, "u4")
    order = np.argsort(x, -1, kind="stable")
    assert np.array_equal(xla.sort(x).view("u4"), np.take_along_axis(x.view("u4"), order, -1))


@pytest.mark.parametrize("is_stable", [True, False])
@pytest.mark.parametrize("num_keys", [1, 2, 3])
def test_srt_s2_several_operands(num_keys, is_stable):
    rng = np.random.default_rng(num_keys)
    for keys in (("i4", "f4"), ("f8", "c16"), ("bfloat16", "u1"), ("c8", "?")):
        for shape, dimension in (((9,), 0), ((3, 6), 0), ((3, 6), -1), ((2, 0), 1)):
            arrays = [some(rng, dtype_of(name), shape) for name in keys]
            arrays.append(np.arange(np.prod(shape, dtype=int)).reshape(shape))
            results = xla.sort(arrays, dimension, is_stable, num_keys)
            expected = xla_sorting.sort([as_tensor(x) for x in arrays], dimension, True, num_keys)
            assert type(results) is tuple and [x.dtype for x in results] == [x.dtype for x in arrays]
            compared = (
                zip(results, expected, strict=True) if is_stable else zip(results[:num_keys], expected, strict=False)
            )
            for found, wanted in compared:
                if is_stable or num_keys == 3:
                    assert marked(as_tensor(found).items) == marked(wanted.items)
            assert sorted(results[2].ravel().tolist()) == arrays[2].ravel().tolist()


@pytest.mark.parametrize("count", [0, 1, 2, 3, 5, 8, 13, 31, 32, 33, 100])
def test_srt_s3_comparators(count):
    rng = np.random.default_rng(count)
    x, y = rng.integers(0, 10, (3, count)), np.arange(3 * count).reshape(3, count)
    for comparator in (lambda a, b, c, d: a < b, lambda a, b, c, d: a % 5 > b % 5):
        for given in (
            comparator,
            lambda *values, f=comparator: bool(f(*values)) if np.ndim(values[0]) == 0 else f(*values),
        ):
            for dimension in (0, 1):
                results = xla.sort([x, y], dimension, comparator=given)
                expected = xla_sorting.sort([as_tensor(x), as_tensor(y)], dimension, comparator=comparator)
                assert [part.ravel().tolist() for part in results] == [part.items for part in expected]
        loose = xla.sort([x, y], is_stable=False, comparator=comparator)
        strict = xla.sort([x, y], comparator=comparator)
        key = (lambda v: v) if comparator(1, 6, 0, 0) else (lambda v: v % 5)
        assert np.array_equal(key(loose[0]), key(strict[0])) and np.array_equal(np.sort(loose[1]), y)


def test_known_comparators():
    x = np.array([[3, 1, 2, 1], [0, 5, 5, 9]])
    places = np.broadcast_to(np.arange(4), x.shape)
    for dtype in ("i4", "f4"):
        for ascending in (xla.lt, np.less):
            assert np.array_equal(xla.sort(x.astype(dtype), comparator=ascending), np.sort(x.astype(dtype)))
        for descending in (xla.gt, np.greater):
            assert np.array_equal(xla.sort(x.astype(dtype), comparator=descending), -np.sort(-x.astype(dtype)))
    swapped = xla.sort(x.astype("f4"), 0, comparator=xla.gt)
    assert swapped.tolist() == [[3, 5, 5, 9], [0, 1, 2, 1]]
    values, indices = xla.sort([x, places], comparator=lambda a, b, c, d: a > b)
    assert values.tolist() == [[3, 2, 1, 1], [9, 5, 5, 0]] and indices.tolist() == [[0, 2, 1, 3], [3, 1, 2, 0]]
    with_nan = np.array([2.0, NAN, 1.0, NAN, 0.0])
    assert sorted(map(str, xla.sort(with_nan, comparator=xla.lt).tolist())) == ["0.0", "1.0", "2.0", "nan", "nan"]


def test_any_answers_give_a_permutation():
    rng, x = random.Random(1), np.arange(50)
    for is_stable in (True, False):
        result = xla.sort(x, is_stable=is_stable, comparator=lambda a, b: rng.random() < 0.5)
        assert sorted(result.tolist()) == x.tolist()


def test_errors_of_comparators():
    x = np.arange(4)
    for broken in (lambda a: a, lambda a, b: a - b, lambda a, b: (a < b, a < b), 7):
        assert label_of(xla.sort, x, comparator=broken).startswith("cm_c")
        assert label_of(xla.sort, x[:0], comparator=broken).startswith("cm_c")
    assert label_of(xla.sort, x, lambda a, b: a < b) == "srt_c5"
    assert label_of(xla.sort, [3, 1, 2]) == "srt_c3"  # three scalars


def test_a_comparator_that_equals_everything_is_still_called():
    class Greater:
        def __eq__(self, other):
            return True

        __hash__ = None

        def __call__(self, a, b):
            return np.greater(a, b)

    assert xla.sort(np.array([2, 1, 3]), comparator=Greater()).tolist() == [3, 2, 1]
