"""Computations: how the functions that users give to XLA's operations are called, and what is checked of them."""

import math
import operator
import warnings

import numpy as np
import pytest

import ssop
from ssop import xla
from ssop._xla.computation import COMPARATOR, MAP, REDUCTION, apply

F32 = np.dtype(np.float32)
X = np.array([[3, 1, 4], [1, 5, 9]], np.float32)
Y = np.array([[2, 7, 1], [8, 2, 8]], np.float32)
GREATER = np.maximum(X, Y)


def reduced(f, *arrays, dtype=F32):
    (result,) = apply("xla.reduce", "computation", f, arrays or (X, Y), [dtype], REDUCTION)
    return result


# ---- one call or many ------------------------------------------------------------------------------------------------

MAXIMA = {
    "ufunc": np.maximum,
    "if": lambda x, y: x if x > y else y,
    "max": max,
    "where": lambda x, y: np.where(x > y, x, y),
    "of both": lambda x, y: np.max([x, y]),
    "list": lambda x, y: sorted([x, y])[-1],
    "python": lambda x, y: max(float(x), float(y)),
    "tuple": lambda x, y: (np.maximum(x, y),),
    "computation": xla.Computation(np.maximum, ((), np.float32), ((), np.float32)),
    "operation": xla.Computation(lambda x, y: x + y - min(x, y), X[0, 0], X[0, 0]),
}


@pytest.mark.parametrize("name", MAXIMA)
def test_cm_s1_any_way_to_write_a_function_gives_the_same(name):
    for x, y in ((X, Y), (X[:1, :1], Y[:1, :1]), (X[0, 0], Y[0, 0]), (X[:, :0], Y[:, :0]), (X.T, Y.T)):
        result = reduced(MAXIMA[name], np.asarray(x), np.asarray(y))
        assert (result.shape, result.dtype) == (x.shape, F32)
        assert np.array_equal(result, np.maximum(x, y))
        assert result.flags.c_contiguous
        assert result.flags.owndata or result.base.flags.owndata


def test_cm_s1_a_vector_is_no_scalar():
    """What reduces a vector gives one number for all elements: the function is called for each element instead."""
    for f in (lambda x, y: np.dot(x, y), lambda x, y: x @ y if x.ndim else x * y, lambda x, y: np.sum(x * y)):
        assert np.array_equal(reduced(f), X * Y)
    assert np.array_equal(reduced(lambda x, y: np.float32(2.0)), np.full((2, 3), 2))
    assert np.array_equal(reduced(lambda x, y: 2.0), np.full((2, 3), 2))


def test_cm_s1_functions_are_called_once_where_they_can():
    calls = []

    def add(x, y):
        calls.append((x.shape, y.shape))
        return x + y

    assert np.array_equal(reduced(add), X + Y)
    assert calls == [((6,), (6,)), ((), ()), ((), ())]  # and the first and the last element


WITHOUT_NEIGHBOURS = {
    "mean": (lambda x, y: x - x.mean() + y, lambda x, y: y),
    "greatest": (lambda x, y: x / np.max(x) + y, lambda x, y: y + 1),
    "sum": (lambda x, y: y - np.sum(x), lambda x, y: y - x),
    "two": (lambda x, y: x + y - np.max([x.mean(), y.mean()]), lambda x, y: np.minimum(x, y)),
}


@pytest.mark.parametrize("name", WITHOUT_NEIGHBOURS)
def test_cm_s1_no_element_knows_the_others(name):
    """A vector of the right length is not enough: what a mean, say, adds to it is not there for a scalar."""
    f, expected = WITHOUT_NEIGHBOURS[name]
    assert np.array_equal(reduced(f), expected(X, Y))


def test_cm_s1_sums_along_a_vector_are_no_scalars():
    with pytest.raises(ssop.SliceValueError, match=r"returned an array of shape \(1,\).*cm_c4"):
        reduced(lambda x, y: np.cumsum(x))


def test_cm_s1_functions_of_arrays_only():
    def greater(x, y):
        result = np.array(x)
        result[y > x] = y[y > x]
        return result

    assert np.array_equal(reduced(greater), GREATER)
    noise = np.random.default_rng(1).normal(size=1000).astype(np.float32)
    calls = []
    result = reduced(lambda x, y: calls.append(1) or np.exp(x) * np.tanh(y), noise, noise[::-1])
    assert np.allclose(result, np.exp(noise) * np.tanh(noise[::-1]))
    assert len(calls) == 3  # however scalars and vectors are rounded


def test_cm_s1_errors_are_those_of_the_first_element():
    def broken(x, y):
        raise ValueError(f"{np.ndim(x)} axes")

    with pytest.raises(ValueError, match="0 axes"):
        reduced(broken)

    def lost(x, y):
        raise LookupError(f"{np.ndim(x)} axis")

    with pytest.raises(LookupError, match="1 axis"):
        reduced(lost)


def test_cm_s1_several_results():
    two = apply("xla.reduce", "computation", divmod, (X, Y), [F32, F32], REDUCTION)
    assert all(map(np.array_equal, two, np.divmod(X, Y)))
    by_element = apply(
        "xla.reduce", "computation", lambda x, y: [x, y] if x > y else [y, x], (X, Y), [F32, F32], REDUCTION
    )
    assert all(map(np.array_equal, by_element, (GREATER, np.minimum(X, Y))))


def test_cm_s1_the_dtype_of_a_map_is_that_of_its_results():
    def mapped(f, x=X):
        (result,) = apply("xla.map", "computation", f, [x], [None], MAP)
        return result

    assert mapped(lambda x: x > 3).dtype == bool
    assert mapped(lambda x: x if x > 3 else 0).tolist() == [[0, 0, 4], [0, 5, 9]]
    assert mapped(lambda x: 0 if x > 3 else x).dtype == F32  # the first result decides nothing
    assert mapped(lambda x: int(x)).dtype == np.int64
    assert mapped(lambda x: math.sqrt(x)).dtype == np.float64
    assert mapped(lambda x: x > 3, X[:0]).dtype == bool
    assert mapped(lambda x: 1j if x > 3 else 0).tolist()[0] == [0, 0, 1j]
    with pytest.raises(ssop.SliceTypeError, match="returned dtypes float32 and float64 .*cm_c5"):
        mapped(lambda x: x if x < 4 else np.float64(x))


def test_cm_s2_arrays_are_read_only():
    before = X.copy()

    def writing(x, y):
        x[...] = 0
        return x

    for x in (X, X[::-1]):
        with pytest.raises((ValueError, TypeError)):
            reduced(writing, x, Y)
        with pytest.raises(ValueError, match="read-only"):
            xla.call(writing, x, Y)
    assert np.array_equal(X, before)


def test_cm_s2_results_are_new_arrays():
    buffer = np.zeros(6, np.float32)
    result = reduced(lambda x, y: np.add(x, y, out=buffer[: np.size(x)]))
    buffer[:] = -1
    assert np.array_equal(result, X + Y)
    kept = xla.call(lambda x: x, X)
    assert not np.shares_memory(kept, X)
    assert kept.flags.writeable


def test_cm_s3_python_numbers_take_the_dtype_that_is_expected():
    assert reduced(lambda x, y: 1).dtype == F32
    assert xla.while_(lambda n: n < 3, lambda n: int(n) + 1, np.int8(0)).dtype == np.int8
    with pytest.raises(ssop.SliceTypeError, match="val_c1"):
        xla.while_(lambda n: n < 3, lambda n: 1.5, np.int8(0))
    with pytest.raises(ssop.SliceOverflowError, match="val_c2"):
        xla.while_(lambda n: n < 3, lambda n: 300, np.int8(0))


def test_no_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isinf(reduced(lambda x, y: x / (y * 0))).all()
        assert np.isinf(reduced(lambda x, y: x / (y * 0) if x > 0 else x)).all()
        assert xla.call(lambda x: x + x, np.int8(100)) == -56
        xla.Computation(lambda x: 1 / x, X)


def test_byte_order_and_layout_are_not_seen():
    swapped = X.astype(">f4")[:, ::-1]
    seen = []
    result = xla.map([swapped], lambda x: seen.append(x.dtype) or x + 1)
    assert (result.dtype, result.dtype.isnative) == (F32, True)
    assert np.array_equal(result, X[:, ::-1] + 1)
    assert all(dtype.isnative for dtype in seen)
    assert xla.map([X], lambda x: x.astype(">f4")).dtype.isnative
    assert xla.call(lambda x: x.astype(">f4"), X).dtype.isnative


# ---- what is checked -------------------------------------------------------------------------------------------------


class Callable:
    def __call__(self, x, y):
        return x + y


@pytest.mark.parametrize(
    "f",
    [np.add, operator.add, Callable(), Callable().__call__, lambda *x: sum(x), lambda x, y, z=1: x + y, xla.add],
    ids=["ufunc", "operator", "object", "method", "starred", "optional", "operation"],
)
def test_cm_c2_callables_that_take_two(f):
    assert np.array_equal(reduced(f), X + Y)


@pytest.mark.parametrize("f", [np.negative, lambda x: x, lambda x, y, z: x, lambda x, *, y: x, abs, lambda: 0])
def test_cm_c2_callables_that_do_not(f):
    with pytest.raises(ssop.SliceTypeError, match=r"Reduction function must take 2 parameters, but takes \d .*cm_c2"):
        reduced(f)


def test_cm_c2_is_checked_of_empty_arrays_too():
    with pytest.raises(ssop.SliceTypeError, match="cm_c2"):
        reduced(np.negative, X[:0], Y[:0])
    with pytest.raises(ssop.SliceTypeError, match="cm_c5"):
        reduced(np.greater, X[:0], Y[:0])


def test_cm_c5_promotion_is_an_error():
    with pytest.raises(ssop.SliceTypeError, match=r"returned dtype float64, not int32.*s32\[\] vs f64\[\] \[cm_c5\]"):
        reduced(np.divide, X.astype(np.int32), Y.astype(np.int32), dtype=np.dtype(np.int32))


def test_cm_c6_comparators():
    less = xla.Computation(lambda x, y: x < y, ((), np.float32), ((), np.float32))
    (result,) = apply("xla.sort", "comparator", less, (X, Y), [np.dtype(bool)], COMPARATOR)
    assert np.array_equal(result, X < Y)
    with pytest.raises(ssop.SliceTypeError, match=r"Expected the 0-th parameter .* s32\[\], but got f32\[\] \[cm_c6\]"):
        apply("xla.sort", "comparator", less, (X.astype("i4"),) * 2, [np.dtype(bool)], COMPARATOR)


# ---- Computation -----------------------------------------------------------------------------------------------------


class Struct:
    shape, dtype = [2], "f4"


def test_computation_types():
    built = xla.Computation(lambda x, state: (x + state[0], x > 0), Struct(), (np.ones(2, np.float32), ((), "i8")))
    assert repr(built) == "Computation(<lambda>: (f32[2], (f32[2], s64[])) -> (f32[2], pred[2]))"
    assert (built.parameters[0].shape, built.parameters[0].dtype) == ((2,), F32)
    assert built.result[1].dtype == bool
    with pytest.raises(AttributeError):
        built.parameters[0].shape = (3,)


def test_computation_calls():
    built = xla.Computation(np.negative, ((2,), np.float32))
    assert built(np.ones(2, np.float32)).tolist() == [-1, -1]
    assert built(np.ones(2, ">f4")).dtype == F32
    for argument in (np.ones(2), np.ones(3, np.float32), np.ones((), np.float32)):
        with pytest.raises(ssop.SliceTypeError, match="Call parameter must match argument; got parameter 0 .*cm_c6"):
            built(argument)
    with pytest.raises(ssop.SliceTypeError, match="arity: 1, arguments: 2.*cm_c2"):
        built(X, X)


def test_computation_checks_when_it_is_built():
    for arguments, label in (((3,), "cm_c1"), ((np.add, X), "cm_c2"), ((abs, 3), "cm_c7"), ((abs, [X]), "cm_c7")):
        with pytest.raises(ssop.SliceTypeError, match=label):
            xla.Computation(*arguments)
    with pytest.raises(ssop.SliceTypeError, match="returned None.*cm_c3"):
        xla.Computation(lambda x: None, X)
    with pytest.raises(ssop.SliceTypeError, match="et_c1"):
        xla.Computation(abs, ((), object))
    with pytest.raises(ssop.SliceValueError, match="in_c10"):
        xla.Computation(abs, ((-1,), "f4"))


def test_cm_c8_values_that_do_not_end():
    deep, wide = X, X
    for _ in range(100_000):
        deep = (deep,)
    for _ in range(30):
        wide = (wide, wide)
    for value in (deep, wide):
        for call in (xla.outfeed, lambda x: xla.call(lambda: x), xla.infeed, lambda x: xla.Computation(abs, x)):  # noqa: B023
            with pytest.raises(ssop.SliceValueError, match="cm_c8"):
                call(value)


class Endless(tuple):
    def __iter__(self):
        return iter(int, 1)

    def __len__(self):
        return 2**60

    def __getitem__(self, place):
        return X


def test_subclasses_of_tuples_are_what_they_hold():
    found = xla.call(lambda pair: pair, Endless([X, 1]))
    assert type(found) is tuple and len(found) == 2 and found[1] == 1
    assert len(xla.call(lambda: Endless([X, 1]))) == 2


def test_computation_that_changes_its_type():
    types = iter([np.float32, np.float64])
    built = xla.Computation(lambda x: x.astype(next(types)), X)
    with pytest.raises(ssop.SliceTypeError, match=r"returned f64\[2,3\], not f32\[2,3\] as when it was built.*cm_c5"):
        xla.call(built, X)
