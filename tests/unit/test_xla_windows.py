"""`ssop.xla.reduce`, `reduce_window` and `select_and_scatter`: the reference, and every kind of element and window."""

import itertools
import operator
import random

import ml_dtypes
import numpy as np
import pytest

from ssop import xla
from ssop.reference import Rejected, Tensor
from ssop.reference import xla as reference
from unit.xla_arrays import X, assert_same, label_of

DTYPES = ["?", "i1", "u1", "i4", "u8", "f2", "f4", "f8", "c8", "c16", ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn]
KNOWN = [xla.add, xla.mul, xla.max, xla.min, xla.logical_and, xla.logical_or]


def tensor(x):
    return Tensor(x.shape, x.ravel().tolist())


def same_as_reference(name, args, ours, theirs):
    """Both give the same arrays, or the same error; `ours` and `theirs` are the operands and so on before `args`."""
    try:
        expected = getattr(reference, name)(*theirs, *args)
    except Rejected as error:
        assert label_of(getattr(xla, name), *ours, *args) == error.label
        return error.label
    found = getattr(xla, name)(*ours, *args)
    found = found if isinstance(found, tuple) else (found,)
    expected = expected if isinstance(expected, list) else [expected]
    for x, y in zip(found, expected, strict=True):
        assert (x.shape, x.ravel().tolist()) == y, (args, ours)
        assert x.flags.c_contiguous and x.base is None
    return None


def any_order(a, b):
    """Not associative: every order of evaluation gives something else."""
    return 3 * a - 5 * b + 1


def any_order_of_two(a, b, c, d):
    return 3 * a - 5 * c + b, 7 * b + 2 * d - a


def some_operands(rng, rank):
    """One or two arrays of one shape, their init values, and the computation for us and for the reference."""
    shape = [rng.choice([0, 1, 2, 3, 5] if rng.random() < 0.2 else [1, 2, 3, 5]) for _ in range(rank)]
    arrays = [np.array([rng.randint(-9, 9) for _ in range(int(np.prod(shape)))], "i8") for _ in range(2)]
    arrays = [x.reshape(shape) for x in arrays]
    if rng.random() < 0.7:
        return ((arrays[0], 4, any_order), ([tensor(arrays[0])], [Tensor((), [4])], lambda a, b: [any_order(a, b)]))
    inits = (np.int64(4), np.int64(-2))
    return (
        (arrays, inits, any_order_of_two),
        ([tensor(x) for x in arrays], [Tensor((), [4]), Tensor((), [-2])], any_order_of_two),
    )


def some_window(rng, rank):
    def vector(numbers):
        return [rng.choice(numbers) for _ in range(rank)]

    padding = rng.choice(["VALID", "SAME", "SAME_LOWER", None, None])
    if padding is None:
        padding = [(rng.randint(-2, 3), rng.randint(-2, 3)) for _ in range(rank)]
    sizes = vector([1, 2, 3, 3, 0] if rng.random() < 0.05 else [1, 2, 3])
    strides = None if rng.random() < 0.2 else vector([1, 2, 3, 0] if rng.random() < 0.05 else [1, 2, 3])
    base, holes = (None if rng.random() < 0.5 else vector([1, 1, 2, 3]) for _ in range(2))
    return sizes, strides, padding, base, holes


def assert_equal(x, y):
    """Also where both are NaN."""
    assert x.dtype == y.dtype
    np.testing.assert_array_equal(x.astype("c16"), y.astype("c16"))


# ---- Reduce ----------------------------------------------------------------------------------------------------------


def test_red_s1_order_of_the_reference():
    """red_s1, red_s2, red_s3, red_s4: neighbours first, whatever the computation."""
    rng = random.Random(1)
    labels = set()
    for _ in range(600):
        rank = rng.randint(0, 3)
        ours, theirs = some_operands(rng, rank)
        axes = rng.sample(range(rank), rng.randint(0, rank))
        if rng.random() < 0.1:
            axes.append(rng.randint(-1, rank))
        labels.add(same_as_reference("reduce", (axes,), ours, theirs))
    assert labels == {None, "red_c3", "red_c6"}


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: np.dtype(dtype).name)
@pytest.mark.parametrize("function", KNOWN, ids=lambda function: function.__name__)
def test_red_s2_recognised_computations_are_those_they_are_called(function, dtype):
    """red_s2: what NumPy computes at once is what the calls would compute."""
    rng = np.random.default_rng(2)
    x = np.asarray(rng.integers(0, 4, (3, 5, 4))).astype(dtype)
    if function in KNOWN[4:] and np.dtype(dtype).kind not in "biu":
        assert label_of(xla.reduce, x, x[0, 0, 0], function, [0]).startswith("e")
        return
    init = x[0, 0, 0]
    for axes in ([0], [1, 2], [2, 0], [0, 1, 2], []):
        once = xla.reduce(x, init, function, axes)
        called = xla.reduce(x, init, lambda a, b: function(a, b), axes)
        assert_equal(once, called)
        for window in ((2, 3, 1), (1, 1, 4)):
            once = xla.reduce_window(x, init, function, window, (1, 2, 1), "SAME", None, (1, 1, 2))
            called = xla.reduce_window(x, init, lambda a, b: function(a, b), window, (1, 2, 1), "SAME", None, (1, 1, 2))
            assert_equal(once, called)


@pytest.mark.parametrize(
    ("given", "same"),
    [
        (operator.add, xla.add), (np.add, xla.add), (operator.mul, xla.mul), (np.multiply, xla.mul),
        (np.maximum, xla.max), (np.minimum, xla.min), (operator.and_, xla.logical_and), (np.bitwise_or, xla.logical_or),
    ],
    ids=lambda function: function.__name__,
)  # fmt: skip
def test_functions_that_are_recognised(given, same):
    assert_same(xla.reduce(X, 3, given, [1]), xla.reduce(X, 3, same, [1]))


@pytest.mark.parametrize(
    ("function", "zero"), [(xla.max, 0.0), (xla.min, -0.0), (np.maximum, 0.0)], ids=["max", "min", "maximum"]
)
def test_the_greater_zero_is_plus_zero(function, zero):
    for order in itertools.permutations([0.0, -0.0, -0.0, -0.0]):
        x = np.array(order * 5, "f4")
        found = xla.reduce(x, x[0], function, [0]), xla.reduce_window(x, x[0], function, (4,))
        for each in found:
            assert (np.signbit(each) == np.signbit(zero)).all()


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", ml_dtypes.bfloat16], ids=lambda dtype: np.dtype(dtype).name)
def test_nan_stays(dtype):
    x = np.array([[1, np.nan, 2], [3, 4, 5]]).astype(dtype)
    for function in KNOWN[:4]:
        assert np.isnan(xla.reduce(x, x[0, 0], function, [1]).astype(float)).tolist() == [True, False]
        found = xla.reduce_window(x, x[0, 0], function, (1, 2))
        assert np.isnan(found.astype(float)).tolist() == [[True, True], [False, False]]


def test_integers_wrap_round():
    x = np.full(5, 100, np.int8)
    assert_same(xla.reduce(x, 0, xla.add, [0]), np.array(-12, np.int8))
    assert_same(xla.reduce_window(x, 0, xla.add, (3,)), np.full(3, 44, np.int8))
    assert_same(xla.reduce(x, 1, xla.mul, [0]), np.array(100**5 % 256, np.int8))


def test_small_floats_are_rounded_at_every_step():
    """Each call of the computation gives an element of the dtype: neighbours first loses least (red_s1)."""
    ones = np.ones(1024, ml_dtypes.bfloat16)
    assert xla.reduce(ones, 0, xla.add, [0]) == 1024
    assert xla.reduce_window(ones, 0, xla.add, (1024,))[0] == 256  # from left to right (rw_s1)
    assert xla.reduce(np.full(4, 60000, np.float16), 0, xla.add, [0]) == np.inf
    thirds = np.full(3, 1 / 3, np.float16)
    assert xla.reduce(thirds, 0, xla.add, [0]) == np.float16(np.float16(thirds[0] + thirds[1]) + thirds[2])


def test_red_s3_of_no_element_is_the_init_value():
    for function in (xla.add, xla.max, lambda a, b: a - b):
        assert_same(xla.reduce(np.zeros((0, 3), "f4"), 7, function, [0]), np.full(3, 7, "f4"))
        assert_same(xla.reduce(np.zeros((0, 3), "f4"), 7, function, [1]), np.zeros(0, "f4"))
    assert_same(xla.reduce(np.array(5), 7, xla.add, []), np.array(12))
    assert_same(xla.reduce(np.array([5, 6]), 7, xla.add, []), np.array([12, 13]))


def test_red_s4_argmax_of_two_operands():
    x = np.array([[3, 9, 9], [7, 2, 1]], "f4")
    places = np.broadcast_to(np.arange(3, dtype="i4"), x.shape)

    def greater(value, place, other, there):
        left = (value > other) | ((value == other) & (place < there))
        return np.where(left, value, other), np.where(left, place, there)

    values, found = xla.reduce((x, places), (np.float32(-np.inf), np.int32(0)), greater, [1])
    assert_same(values, np.array([9, 7], "f4"))
    assert_same(found, np.array([1, 0], "i4"))
    values, found = xla.reduce_window([x, places], [-np.inf, 0], greater, (1, 2))
    assert found.tolist() == [[1, 1], [0, 1]]
    assert (values.dtype, found.dtype) == (np.float32, np.int32)


def test_layouts_byte_orders_lists_and_out():
    for x in (X, X.T.copy().T, X[::-1, ::-1][::-1, ::-1], X.astype(">i8"), X.tolist()):
        for function in (xla.add, lambda a, b: a + b):
            assert_same(xla.reduce(x, 0, function, [0]), X.sum(0))
            out = np.zeros((6, 2), int).T[0]
            assert xla.reduce(x, 0, function, [0], out=out) is out and out.tolist() == X.sum(0).tolist()
            assert_same(xla.reduce_window(x, 0, function, (4, 1)), X.sum(0, keepdims=True))
    assert_same(xla.reduce([1, 2], np.float32(0), xla.add, [0]), np.array(3, "f4"))
    out = np.zeros((1, 6), int)
    assert xla.reduce_window(X, 0, xla.add, (4, 1), out=out) is out and out.tolist() == [X.sum(0).tolist()]
    source, out = np.ones((4, 1), int), np.zeros(X.shape, int)
    args = (xla.ge, (1, 6), (1, 1), "VALID", source, 0, xla.add)
    assert (
        xla.select_and_scatter(X, *args, out=out) is out and out.tolist() == xla.select_and_scatter(X, *args).tolist()
    )


def test_operands_are_not_changed():
    x = np.array([1.0, 2.0])
    for function in (xla.add, lambda a, b: a + b, lambda a, b: a):
        for args in (([0],), ([],)):
            result = xla.reduce(x, 0, function, *args)
            assert not np.shares_memory(result, x)
        assert not np.shares_memory(xla.reduce_window(x, 0, function, (1,)), x)
    assert x.tolist() == [1, 2]


# ---- ReduceWindow ----------------------------------------------------------------------------------------------------


def test_rw_s1_order_of_the_reference():
    """rw_s1, rw_s2, win_s1, win_s2, win_s3, win_s4: every place of every window, from left to right."""
    rng = random.Random(3)
    labels = []
    for _ in range(800):
        rank = rng.choice([0, 1, 1, 2, 2, 3])
        ours, theirs = some_operands(rng, rank)
        labels.append(same_as_reference("reduce_window", some_window(rng, rank), ours, theirs))
    assert set(labels) == {None, "win_c5", "win_c6"} and labels.count(None) > 650


def test_rw_s2_recognised_computations_count_padding_and_holes():
    """rw_s2: also where NumPy computes, and whatever the init value."""
    rng = random.Random(4)
    compared = 0
    for _ in range(400):
        rank = rng.randint(1, 3)
        (x, *_), _ = some_operands(rng, rank)
        if not isinstance(x, np.ndarray):
            continue
        function, init = rng.choice(KNOWN), rng.choice([0, 1, -1, 5])
        if function is xla.mul:
            x = x % 3
        theirs = ([tensor(x)], [Tensor((), [init])], lambda a, b, f=function: [int(f(np.int64(a), np.int64(b)))])
        compared += same_as_reference("reduce_window", some_window(rng, rank), (x, init, function), theirs) is None
    assert compared > 200


def test_win_s1_a_window_larger_than_the_array_gives_an_empty_result():
    assert_same(xla.reduce_window(X, 0, xla.add, (5, 1)), np.zeros((0, 6), int))
    assert_same(xla.reduce_window(X, 0, lambda a, b: a + b, (5, 1)), np.zeros((0, 6), int))
    assert_same(xla.reduce_window(np.zeros((0, 2)), 1, xla.add, (2, 1), padding=[(1, 1), (0, 0)]), np.full((1, 2), 3.0))


def test_win_s4_more_is_cropped_than_there_is():
    assert xla.reduce_window(X, 0, xla.add, (1, 1), padding=[(-5, 0), (0, 0)]).shape == (0, 6)
    assert_same(xla.reduce_window(np.arange(3), 7, xla.max, (1,), padding=[(-5, 4)]), np.array([7, 7]))


def test_win_s2_padding_in_words():
    for padding in ("SAME", "same", "kSame", "Padding::kSame", "Padding.kSame"):
        assert_same(xla.reduce_window(np.arange(4), 0, xla.add, (2,), padding=padding), np.array([1, 3, 5, 3]))
    for padding in ("VALID", "valid", "kValid", (), [(0, 0)], np.zeros((1, 2), int)):
        assert_same(xla.reduce_window(np.arange(4), 0, xla.add, (2,), padding=padding), np.array([1, 3, 5]))
    assert_same(xla.reduce_window(np.arange(4), 0, xla.add, (2,), padding="SAME_LOWER"), np.array([0, 1, 3, 5]))


def test_much_padding_and_dilation_take_no_memory():
    """Nothing is padded or spread: a billion of places are looked for by arithmetic."""
    x = np.arange(1, 4)
    far = 10**9
    assert_same(xla.reduce_window(x, 0, xla.add, (2,), (far,), [(far, far)], (far,), (far,)), np.array([1, 3, 5, 3]))


# ---- SelectAndScatter ------------------------------------------------------------------------------------------------


def test_sas_s1_sas_s2_of_the_reference():
    """sas_s1, sas_s2, sas_s3: whatever the computations, in the order of places and of windows."""
    rng = random.Random(5)
    labels = []
    for _ in range(500):
        rank = rng.choice([0, 1, 1, 2, 2, 3])
        (x, *_), _ = some_operands(rng, rank)
        x = x if isinstance(x, np.ndarray) else x[0]
        sizes, strides, padding, _, _ = some_window(rng, rank)
        try:
            counts = reference.reduce_window([tensor(x)], [Tensor((), [0])], lambda a, b: [a], sizes, strides, padding)[
                0
            ].shape
        except Rejected:
            counts = x.shape
        if rng.random() < 0.1 and rank:
            counts = (*counts[:-1], counts[-1] + 1)
        source = np.array([rng.randint(-9, 9) for _ in range(int(np.prod(counts)))], "i8").reshape(counts)
        select = rng.choice([(xla.ge, operator.ge), (xla.lt, operator.lt), (lambda a, b: (a * 7 - b) % 3 > 0,) * 2])
        scatter = rng.choice([(xla.add, operator.add), (any_order, any_order), (xla.max, max)])
        args = (sizes, strides, padding)
        labels.append(
            same_as_reference(
                "select_and_scatter",
                (),
                (x, select[0], *args, source, 3, scatter[0]),
                (tensor(x), select[1], *args, tensor(source), Tensor((), [3]), scatter[1]),
            )
        )
    assert set(labels) == {None, "win_c5", "win_c6", "sas_c1"} and labels.count(None) > 350


def test_sas_s1_nan_is_left_for_what_comes_next():
    """sas_s1: NaN >= b is false, so the second is chosen, as by XLA's loop over the places."""
    x = np.array([1, np.nan, 0, 5, 4], "f4")
    found = xla.select_and_scatter(x, xla.ge, (3,), (1,), "VALID", np.array([1, 10, 100], "f4"), 0, xla.add)
    assert found.tolist() == [0, 0, 1, 110, 0]


def test_sas_s3_padding_is_never_chosen():
    x = np.array([-5, -6])
    found = xla.select_and_scatter(x, xla.ge, (2,), (2,), [(3, 2)], np.array([1, 10, 100]), 0, xla.add)
    assert found.tolist() == [10, 100]


def test_sas_many_places():
    """The numbers of the places outgrow one byte."""
    rng = np.random.default_rng(6)
    x = rng.permutation(40 * 50).reshape(40, 50)
    found = xla.select_and_scatter(x, xla.ge, (20, 25), (20, 25), "VALID", np.array([[1, 2], [3, 4]]), 0, xla.add)
    expected = np.zeros_like(x)
    for (row, column), value in zip(itertools.product((0, 20), (0, 25)), (1, 2, 3, 4), strict=True):
        block = x[row : row + 20, column : column + 25]
        expected[row : row + 20, column : column + 25][block == block.max()] = value
    assert_same(found, expected)


def test_sas_s1_few_windows_of_many_places():
    """sas_s1, sas_s3: they are looked at one by one, and choose what places that are looked at one by one choose."""
    rng = np.random.default_rng(8)
    for _ in range(40):
        shape = tuple(rng.integers(1, 7, rng.integers(1, 4)))
        x = rng.integers(0, 4, shape).astype(rng.choice(["i4", "f4"]))
        window = tuple(int(size) for size in rng.integers(2, 6, x.ndim)), (int(rng.integers(2, 5)),) * x.ndim
        padding = [(int(low), int(high)) for low, high in rng.integers(-1, 5, (x.ndim, 2))]
        source = rng.integers(1, 9, xla.reduce_window(x, x.dtype.type(0), xla.max, *window, padding).shape)
        args = *window, padding, source.astype(x.dtype), 0
        for select in (xla.ge, xla.gt, xla.le, xla.lt):
            called = xla.select_and_scatter(x, lambda a, b, f=select: f(a, b), *args, xla.add)
            assert_same(xla.select_and_scatter(x, select, *args, xla.add), called)
    big = rng.permutation(300 * 200).reshape(1, 300, 200).astype("f4")
    found = xla.select_and_scatter(
        big, xla.ge, (1, 300, 200), (1, 1, 1), "VALID", np.full((1, 1, 1), 7, "f4"), 0, xla.add
    )
    assert_same(found, np.where(big == big.max(), np.float32(7), np.float32(0)))


def test_large_arrays_are_taken_in_parts(monkeypatch):
    rng = np.random.default_rng(7)
    x = rng.integers(-9, 9, (3, 5, 7, 4))
    pooling = (1, 3, 2, 1), (1, 2, 1, 1), "SAME"
    source = rng.integers(0, 9, xla.reduce_window(x, 0, xla.add, *pooling).shape)

    def results():
        for axes in ([0], [1, 2], [3, 0], [0, 1, 2, 3], []):
            yield xla.reduce(x, 3, any_order, axes)
            yield from xla.reduce((x, -x), (3, 1), any_order_of_two, axes)
        yield xla.select_and_scatter(x, xla.ge, *pooling, source, 1, xla.add)

    whole = list(results())
    monkeypatch.setattr("ssop._xla.reduction.PART", 100)
    monkeypatch.setattr("ssop._xla.select_and_scatter.PART", 1)
    for part, expected in zip(results(), whole, strict=True):
        assert_same(part, expected)
