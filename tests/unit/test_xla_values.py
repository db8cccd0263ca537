"""What the operations of `ssop.xla` that only move data return: against NumPy and formulas, element by element."""

import itertools

import ml_dtypes
import numpy as np
import pytest

import ssop
from ssop import xla
from unit.xla_arrays import CUBE, EMPTY, SCALAR, VECTOR, X, assert_same, label_of

INT64_MAX = 2**63 - 1


def short(value):
    return "x".join(map(str, value.shape)) if isinstance(value, np.ndarray) else str(value)[:40].replace("\n", "")


# ---- formulas, element by element ------------------------------------------------------------------------------------


def pad_by_lists(x, value, config):
    """pad_s1 .. pad_s3: axis by axis, a list of slices with the value between and around them."""
    for axis, (low, high, interior) in enumerate(config):
        rows = [x.take([k], axis) for k in range(x.shape[axis])]
        gap = np.full_like(x.take([], axis), value, shape=(*x.shape[:axis], 1, *x.shape[axis + 1 :]))
        spread = [row for k, row in enumerate(rows) for row in ([gap] * interior if k else []) + [row]]
        spread = [gap] * low + spread if low >= 0 else spread[-low:]
        crops = low < 0 and -low > len(rows) + max(len(rows) - 1, 0) * interior
        missing = -low - (len(rows) + max(len(rows) - 1, 0) * interior) if crops else 0
        spread = spread + [gap] * high if high >= 0 else spread[: len(spread) + high]
        spread = spread[missing:]
        shape = (*x.shape[:axis], 0, *x.shape[axis + 1 :])
        x = np.concatenate([np.empty(shape, x.dtype), *spread], axis)
    return x


def broadcast_by_elements(x, shape, dimensions):
    """bid_s1, element by element."""
    result = np.empty(shape, x.dtype)
    for index in np.ndindex(*shape):
        at = tuple(0 if dim == 1 else index[d] for d, dim in zip(dimensions, x.shape, strict=True))
        result[index] = x[at]
    return result


# ---- values ----------------------------------------------------------------------------------------------------------

EDGES = [(0, 0), (1, 0), (0, 2), (2, 3), (-1, 0), (0, -2), (-2, -1), (3, -2), (-3, 4), (-7, 9), (9, -7), (-4, 5)]
PADS = [(VECTOR, [(low, high, interior)]) for low, high in EDGES for interior in (0, 1, 3)] + [
    (X, [(1, 2, 0), (0, 0, 0)]), (X, [(0, 0, 0), (1, 2, 1)]), (X, [(1, 1, 1), (2, 2, 2)]), (X, [(-1, -1, 0)] * 2),
    (X, [(-1, 2, 1), (3, -4, 2)]), (X, [(-4, 0, 0), (1, 1, 1)]), (X, [(2, -6, 0), (0, 0, 5)]), (X.T, [(1, 0, 1)] * 2),
    (CUBE, [(1, 0, 0), (0, 1, 1), (2, 2, 0)]), (CUBE, [(0, 0, 0)] * 3), (CUBE, [(-1, 0, 2), (0, -1, 0), (1, 1, 1)]),
    (SCALAR, []), (EMPTY, [(1, 2, 5), (1, 1, 1)]), (EMPTY, [(0, 0, 3), (-1, 0, 0)]), (EMPTY, [(2, 0, 0), (-3, 0, 0)]),
    (np.zeros((2, 0), int), [(1, 1, 1), (0, 3, 7)]), (np.zeros((2, 1), int), [(0, 0, 0), (2, 1, INT64_MAX)]),
]  # fmt: skip


@pytest.mark.parametrize("value", [0, 9], ids=["zero", "nine"])
@pytest.mark.parametrize(("x", "config"), PADS, ids=short)
def test_pad_s1_pad_s2_pad_s3(x, config, value):
    expected = pad_by_lists(x, value, config) if config else np.array(5)
    assert_same(xla.pad(x, value, config), expected)
    assert_same(xla.pad(x, np.array(value), np.array(config, np.int64).reshape(len(config), 3)), expected)
    if all(min(triple) >= 0 and triple[2] == 0 for triple in config) and config:
        assert_same(xla.pad(x, value, config), np.pad(x, [t[:2] for t in config], constant_values=value))


SUBSETS = [(x, axes) for x in (X, CUBE, VECTOR, SCALAR, EMPTY) for n in range(x.ndim + 1)
           for axes in itertools.permutations(range(x.ndim), n)] + [
    (X.T, [0]), (X[::-1, ::2], [0, 1]), (np.broadcast_to(VECTOR, (3, 7)), [0]), (np.broadcast_to(VECTOR, (3, 7)), [1]),
    (np.zeros((2, 1, 3), int), [1]), (np.arange(2), [0]), (np.arange(1), [0]), (np.arange(0), [0]),
    (np.arange(16).reshape((2,) * 4), [3, 0]), (np.arange(16).reshape((2,) * 4), [1, 2, 0, 3]),
    (X[1:, 2:], [1]), (X[:, ::-3], [0]), (CUBE[1], [1]),
]  # fmt: skip


@pytest.mark.parametrize(("x", "axes"), SUBSETS, ids=short)
def test_rev_s1(x, axes):
    assert_same(xla.rev(x, axes), np.flip(x, tuple(axes)).copy(order="C"))
    assert_same(xla.rev(x, np.array(axes, "u1")), np.flip(x, tuple(axes)).copy(order="C"))


JOINS = [
    ([x[..., :k, :] if axis == x.ndim - 2 else x.take(range(k), axis) for k in counts], axis)
    for x in (X, CUBE)
    for axis in range(x.ndim)
    for counts in ([1], [1, 2], [0, 2], [3, 0, 1], [0], [2, 2, 2], [1] * 9)
] + [
    ([VECTOR, VECTOR[::-1], VECTOR[:0]], 0), ([X.T, X.T], 1), ([X, X.T[:4, :4].T], 1), ([EMPTY, EMPTY], 0),
    ([EMPTY, np.ones((2, 3), int)], 0), ([np.zeros((2, 0), int)] * 2, 0), ([np.broadcast_to(7, (2, 3)), X[:2, :3]], 1),
    ([[1, 2], [3], []][:2], 0),
]  # fmt: skip


@pytest.mark.parametrize(("operands", "axis"), JOINS, ids=short)
def test_cat_s1(operands, axis):
    expected = np.concatenate(operands, axis)
    assert_same(xla.concatenate(operands, axis), expected)
    assert_same(xla.concatenate(tuple(operands), np.int8(axis)), expected)


SIZES = [(x, sizes) for x in (X, VECTOR, SCALAR, EMPTY, CUBE, X.T[::2], np.broadcast_to(VECTOR, (2, 7)))
         for sizes in ([], [1], [3], [2, 3], [0], [4, 0, 1])]  # fmt: skip


@pytest.mark.parametrize(("x", "sizes"), SIZES, ids=short)
def test_bc_s1(x, sizes):
    assert_same(xla.broadcast(x, sizes), np.broadcast_to(x, (*sizes, *x.shape)).copy())


ONES = np.arange(3).reshape(3, 1)
PLACES = [
    (x, shape, dimensions)
    for x, outs in ((VECTOR, [(7,), (7, 2), (2, 7), (3, 7, 2)]), (X, [(4, 6), (6, 4), (4, 6, 2), (6, 2, 4), (4, 1, 6)]),
                    (ONES, [(3, 4), (3, 1), (4, 3), (2, 3, 5), (3, 2, 2), (1, 3)]), (SCALAR, [(), (2,), (2, 0)]),
                    (CUBE[:, :3, :3], [(3, 3, 3), (3, 2, 3, 3), (3, 3, 3, 0)]))
    for shape in outs
    for dimensions in itertools.permutations(range(len(shape)), x.ndim)
    if all(dim in (1, shape[d]) for dim, d in zip(x.shape, dimensions, strict=True))
] + [
    (EMPTY, (3, 0), [1, 0]), (EMPTY, (0, 2, 3), [0, 2]), (X.T, (4, 6), [1, 0]), (X[:, :1], (9, 4), [1, 0]),
]  # fmt: skip


@pytest.mark.parametrize(("x", "shape", "dimensions"), PLACES, ids=short)
def test_bid_s1_bid_s2(x, shape, dimensions):
    assert_same(xla.broadcast_in_dim(x, shape, dimensions), broadcast_by_elements(x, shape, dimensions))


SHAPES = [
    (x, new, dimensions)
    for x, news in ((X, [(24,), (6, 4), (4, 6), (2, 3, 4), (1, 24, 1), (2, 2, 2, 3), (8, 3)]),
                    (CUBE, [(60,), (5, 12), (12, 5), (3, 4, 5), (5, 4, 3)]), (VECTOR, [(7,), (1, 7), (7, 1, 1)]))
    for new in news
    for dimensions in (None, *itertools.permutations(range(x.ndim)))
] + [
    (SCALAR, (1, 1, 1), None), (SCALAR, (), []), (np.array([[5]]), (), [1, 0]), (EMPTY, (3, 0), None),
    (EMPTY, (0,), [1, 0]), (np.zeros((6, 0), int), (2, 3, 0, 0), None), (X.T, (24,), None),
    (X[::-1, ::2], (3, 4), None), (np.broadcast_to(VECTOR, (2, 7)), (14,), None), (X[:, ::-1], (2, 12), [1, 0]),
]  # fmt: skip


@pytest.mark.parametrize(("x", "new", "dimensions"), SHAPES, ids=short)
def test_rs_s1_rs_s2(x, new, dimensions):
    expected = (x if dimensions is None else x.transpose(dimensions)).reshape(new).copy()
    assert_same(xla.reshape(x, new, dimensions), expected)
    assert_same(xla.reshape(operand=x, new_sizes=np.array(new, int), dimensions=dimensions), expected)


FIVE = np.arange(120).reshape(1, 2, 3, 4, 5)
RUNS = [(x, list(range(first, stop))) for x in (X, CUBE, FIVE, FIVE.T, EMPTY, X.T)
        for first in range(x.ndim) for stop in range(first, x.ndim + 1)] + [(SCALAR, []), (VECTOR, [0])]  # fmt: skip


@pytest.mark.parametrize(("x", "axes"), RUNS, ids=short)
def test_col_s1_col_s2(x, axes):
    shape = list(x.shape)
    if axes:
        shape[axes[0] : axes[-1] + 1] = [int(np.prod(shape[axes[0] : axes[-1] + 1]))]
    assert_same(xla.collapse(x, axes), x.reshape(shape).copy())


ORDERS = [(x, order) for x in (X, CUBE, VECTOR, SCALAR, EMPTY, X[::-1, ::2], X.T, FIVE[0])
          for order in itertools.permutations(range(x.ndim))]  # fmt: skip


@pytest.mark.parametrize(("x", "order"), ORDERS, ids=short)
def test_tr_s1(x, order):
    assert_same(xla.transpose(x, order), np.transpose(x, order).copy())


def bounds(dim):
    return [None, *range(-dim - 1, dim + 2)]


@pytest.mark.parametrize("negative", [False, True])
@pytest.mark.parametrize(("x", "axis"), [(X, 0), (X, -1), (CUBE, 1), (CUBE, -3), (VECTOR, 0), (EMPTY, 0)], ids=short)
def test_dim_s1_dim_s2_dim_s3_slices(x, axis, negative):
    """dim_s1, dim_s2, dim_s3: a NumPy slice wherever it is legal."""
    dim, legal = x.shape[axis], 0
    moved = np.moveaxis(x, axis, 0)
    for start, limit, stride in itertools.product(bounds(dim), bounds(dim), (1, 2, 3)):
        numbers = [n + dim if negative and n is not None and n < 0 else n for n in (start, limit)]
        first, last = 0 if numbers[0] is None else numbers[0], dim if numbers[1] is None else numbers[1]
        if 0 <= first <= last <= dim:
            expected = np.moveaxis(moved[first:last:stride], 0, axis).copy()
            assert_same(xla.slice_in_dim(x, start, limit, stride, axis, allow_negative_indices=negative), expected)
            legal += 1
        else:
            label = label_of(xla.slice_in_dim, x, start, limit, stride, axis, allow_negative_indices=negative)
            assert label == ("sl_c4" if first < 0 else "sl_c5" if last > dim else "sl_c6")
    assert legal >= 12 or dim == 0


@pytest.mark.parametrize("keepdims", [True, False])
@pytest.mark.parametrize(("x", "axis"), [(X, 0), (X, -1), (CUBE, 1), (CUBE, -3), (VECTOR, 0)], ids=short)
def test_dim_s4_indices(x, axis, keepdims):
    dim = x.shape[axis]
    for index in range(-dim - 2, dim + 2):
        expected = {i: x.take([i] if keepdims else i, axis) for i in range(dim)}
        if index in expected:
            assert_same(xla.index_in_dim(x, index, axis, keepdims), np.asarray(expected[index]))
        else:
            assert label_of(xla.index_in_dim, x, index, axis, keepdims) == "dim_c2"
        near = min(max(index, 0), dim - 1)
        assert_same(xla.dynamic_index_in_dim(x, index, axis, keepdims), np.asarray(expected[near]))
        wrapped = xla.dynamic_index_in_dim(x, index, axis, keepdims, out_of_bounds="wrap")
        assert_same(wrapped, np.asarray(expected[index % dim]))
        if -dim <= index < 0:
            got = xla.index_in_dim(x, index, axis, keepdims, allow_negative_indices=True)
            assert_same(got, np.asarray(expected[index + dim]))


@pytest.mark.parametrize("policy", ["clamp", "wrap"])
@pytest.mark.parametrize(("x", "axis"), [(X, 0), (X, -1), (CUBE, 1), (VECTOR, -1), (EMPTY, 0)], ids=short)
def test_dim_s2_windows(x, axis, policy):
    dim = x.shape[axis]
    for size, start in itertools.product(range(dim + 1), range(-dim - 2, dim + 3)):
        first = min(max(start, 0), dim - size) if policy == "clamp" else start
        taken = [(first + i) % dim for i in range(size)]
        window = x.take(taken, axis)
        assert_same(xla.dynamic_slice_in_dim(x, start, size, axis, out_of_bounds=policy), window)
        expected, update = x.copy(), -1 - window
        np.moveaxis(expected, axis, 0)[taken] = np.moveaxis(update, axis, 0)
        assert_same(xla.dynamic_update_slice_in_dim(x, update, start, axis, out_of_bounds=policy), expected)
    if dim:
        assert_same(xla.dynamic_slice_in_dim(x, -1, 1, axis, allow_negative_indices=True), x.take([dim - 1], axis))
        huge = np.uint64(2**64 - 1)
        assert_same(xla.dynamic_slice_in_dim(x, huge, 1, axis), x.take([dim - 1], axis))


def test_dim_s5_updates_without_the_axis():
    for x, axis in ((X, 0), (X, -1), (CUBE, 1), (CUBE, 0), (CUBE, -1), (VECTOR, 0)):
        for index in range(x.shape[axis]):
            expected = x.copy()
            row = -1 - x.take(index, axis)
            np.moveaxis(expected, axis, 0)[index] = row
            assert_same(xla.dynamic_update_index_in_dim(x, row, index, axis), expected)
            assert_same(xla.dynamic_update_index_in_dim(x, row.tolist(), index, axis), expected)
            assert_same(xla.dynamic_update_index_in_dim(x, np.expand_dims(row, axis), index, axis), expected)
    smaller = xla.dynamic_update_index_in_dim(X * 0, [7, 8], 9, 0)  # the other axes start at 0
    assert smaller.nonzero()[0].tolist() == [3, 3] and smaller[3, :2].tolist() == [7, 8]
    assert label_of(xla.dynamic_update_index_in_dim, X, [[[1]]], 0, 0) == "dus_c2"


def test_enough_cases():
    assert all(len(cases) >= 40 for cases in (PADS, SUBSETS, JOINS, SIZES, PLACES, SHAPES, RUNS, ORDERS))


# ---- the dialect -----------------------------------------------------------------------------------------------------


def test_the_top_levels_functions_are_here():
    for name in ("slice", "dynamic_slice", "dynamic_update_slice"):
        assert getattr(xla, name) is getattr(ssop, name)


def test_divergences_of_the_module_docstring():
    """Each row of the table in ssop/xla.py."""
    assert label_of(xla.index_in_dim, VECTOR, -1) == "dim_c2"
    assert xla.index_in_dim(VECTOR, -1, allow_negative_indices=True).tolist() == [6]
    assert xla.index_in_dim(X, 1, -1).shape == (4, 1)
    assert xla.dynamic_slice_in_dim(VECTOR, 6, 3).tolist() == [4, 5, 6]
    assert xla.dynamic_slice_in_dim(VECTOR, 6, 3, out_of_bounds="wrap").tolist() == [6, 0, 1]
    assert xla.slice(VECTOR, [3], [3]).size == xla.dynamic_slice(VECTOR, [3], [0]).size == 0
    assert xla.broadcast_in_dim([[1, 2], [3, 4]], [2, 2], [1, 0]).tolist() == [[1, 3], [2, 4]]
    assert xla.collapse(CUBE, [0, 1]).shape == (12, 5)
    assert label_of(xla.collapse, CUBE, [3]) == "col_c2"
    assert xla.collapse(np.zeros((4, 2, 3)), [0, 1]).shape == (8, 3)
    assert xla.collapse(np.zeros((4, 2, 3)), [1, 2]).shape == (4, 6)
    assert label_of(xla.reshape, X, [-1]) == "in_c10"
    assert xla.reshape(X, [6, 4], [1, 0]).tolist() == X.T.tolist()
    assert label_of(xla.transpose, X, [0, -1]) == "tr_c2" and label_of(xla.rev, X, [-1]) == "rev_c2"
    assert xla.pad(VECTOR, 0, [(-2, -1, 1)]).tolist() == [1, 0, 2, 0, 3, 0, 4, 0, 5, 0]
    assert xla.clamp(9, VECTOR, 3).tolist() == [3] * 7
    assert label_of(xla.concatenate, [VECTOR, VECTOR / 2], 0) == "cat_c4"


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "g", ">f4", "bfloat16", "float8_e5m2"])
def test_clamp_puts_the_negative_zero_below_the_positive_one(dtype):
    """cl_s1, as ew_s5"""
    dtype = np.dtype(getattr(ml_dtypes, dtype, dtype))
    zeros = np.array([0.0, -0.0]).astype(dtype)
    for low, x, high in itertools.product(zeros, zeros, zeros):
        negative = np.signbit(high) or (np.signbit(x) and np.signbit(low))
        for shape in ((), (1,), (40,)):
            for bounds in ((), shape):
                least, most = np.full(bounds, low, dtype), np.full(bounds, high, dtype)
                found = xla.clamp(least, np.full(shape, x, dtype), most)
                assert found.dtype == dtype and found.shape == shape
                assert (np.signbit(found.astype(np.float64)) == negative).all(), (low, x, high)
    assert not np.signbit(xla.clamp(zeros[0], -zeros, dtype.type(6)).astype(np.float64)).any()


def test_examples_of_the_2018_text():
    """Of the Operation Semantics this package was asked for."""
    v = np.array([[[10, 11, 12], [15, 16, 17]], [[20, 21, 22], [25, 26, 27]],
                  [[30, 31, 32], [35, 36, 37]], [[40, 41, 42], [45, 46, 47]]], "f4")  # fmt: skip
    assert xla.reshape(v, [24], [0, 1, 2]).tolist() == v.ravel().tolist()
    assert xla.reshape(v, [8, 3], [0, 1, 2]).tolist() == v.reshape(8, 3).tolist()
    turned = [10, 20, 30, 40, 11, 21, 31, 41, 12, 22, 32, 42, 15, 25, 35, 45, 16, 26, 36, 46, 17, 27, 37, 47]
    assert xla.reshape(v, [24], [1, 2, 0]).tolist() == turned
    assert xla.reshape(v, [8, 3], [1, 2, 0])[0].tolist() == [10, 20, 30]
    assert xla.reshape(v, [2, 6, 2], [1, 2, 0])[0, :2].tolist() == [[10, 20], [30, 40]]
    assert xla.reshape(np.array([[5.0]]), [], [0, 1]) == 5 and xla.reshape(5, [1, 1], []).tolist() == [[5]]
    assert xla.collapse(v, [0, 1, 2]).tolist() == v.ravel().tolist()
    assert xla.concatenate([[2, 3], [4, 5], [6, 7]], 0).tolist() == [2, 3, 4, 5, 6, 7]
    assert xla.concatenate([[[1, 2], [3, 4], [5, 6]], [[7, 8]]], 0).tolist() == [[1, 2], [3, 4], [5, 6], [7, 8]]
    assert xla.clamp(0, [-1, 5, 9], 6).tolist() == [0, 5, 6]
    v1, v2 = [1, 2, 3, 4], [100, 200, 300, 400]
    assert xla.select([True, False, False, True], v1, v2).tolist() == [1, 200, 300, 4]
    assert xla.select(True, v1, v2).tolist() == v1
    assert xla.broadcast(np.float32(2), [2, 3]).tolist() == [[2.0] * 3] * 2


def test_select_and_clamp_write_into_out():
    x, y = np.arange(6.0).reshape(2, 3), np.full((2, 3), -1.0)
    out = np.empty((3, 2)).T
    assert xla.select(x > 2, x, y, out=out) is out and out.tolist() == [[-1, -1, -1], [3, 4, 5]]
    assert xla.select(True, x, y, out=y) is y and np.array_equal(x, y)  # the operands are read first
    assert xla.clamp(1, x[:, ::-1], 4, out=x) is x and x.tolist() == [[2, 1, 1], [4, 4, 3]]
    assert label_of(xla.clamp, 0, x, 1, out=np.empty(3)) == "out_c2"
    assert label_of(xla.select, True, x, y, out=np.empty((2, 3), "f4")) == "out_c3"
    assert label_of(xla.select, True, (x,), (y,), out=x) == "in_c7"
    assert label_of(xla.clamp, 0, x, 1, out=[1]) == "out_c1"


@pytest.mark.parametrize("size", [1, 7, 36, 1000])
def test_clamp_does_not_warn_of_nan_in_its_bounds(size):
    """NumPy warns where it asks whether a signalling NaN is zero."""
    bounds = np.full(size, 0x7F800001, np.uint32).view(np.float32)
    assert np.isnan(ssop.xla.clamp(bounds, np.ones(size, np.float32), bounds)).all()
