"""The operations of `ssop.xla` that only move data: against NumPy and formulas, on every layout and dtype."""

import itertools

import ml_dtypes
import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import ssop
from ssop import xla

X = np.arange(24).reshape(4, 6)
CUBE = np.arange(60).reshape(3, 4, 5)
VECTOR = np.arange(7)
EMPTY = np.zeros((0, 3), int)
SCALAR = np.array(5)
INT64_MAX = 2**63 - 1


def assert_same(got, expected):
    assert type(got) is np.ndarray and got.flags.c_contiguous and got.base is None
    assert (got.shape, got.dtype, got.tolist()) == (expected.shape, expected.dtype, expected.tolist())


def broken(function, *args, **kwargs):
    with pytest.raises(ssop.SliceError) as info:
        function(*args, **kwargs)
    return info.value.label


def short(value):
    return "x".join(map(str, value.shape)) if isinstance(value, np.ndarray) else str(value)[:40].replace("\n", "")


# ---- formulas, element by element ------------------------------------------------------------------------------------


def plain_pad(x, value, config):
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


def plain_broadcast_in_dim(x, shape, dimensions):
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
    expected = plain_pad(x, value, config) if config else np.array(5)
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
    assert_same(xla.broadcast_in_dim(x, shape, dimensions), plain_broadcast_in_dim(x, shape, dimensions))


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
    """dim_s1, dim_s2, dim_s3: a plain NumPy slice wherever it is legal."""
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
            label = broken(xla.slice_in_dim, x, start, limit, stride, axis, allow_negative_indices=negative)
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
            assert broken(xla.index_in_dim, x, index, axis, keepdims) == "dim_c2"
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
    assert broken(xla.dynamic_update_index_in_dim, X, [[[1]]], 0, 0) == "dus_c2"


def test_enough_cases():
    assert all(len(cases) >= 40 for cases in (PADS, SUBSETS, JOINS, SIZES, PLACES, SHAPES, RUNS, ORDERS))


# ---- dtypes, layouts, out --------------------------------------------------------------------------------------------

DTYPES = ["i8", "i1", "c16", ">f4", "S5", "V3", "M8[s]", "?", object, "T", [("a", ">i2"), ("b", "S3")]]


def array_of(dtype):
    if dtype == "V3":
        return (X % 7).astype("u1").view("V1").repeat(3).reshape(4, 18).view("V3").reshape(4, 6)
    if isinstance(dtype, list):
        x = np.zeros((4, 6), dtype)
        x["a"], x["b"] = X, X.astype("S3")
        return x
    return (X % 7).astype(dtype)


def operations(x):
    """Every operation with what it gives: `x` is any (4, 6) array; names, calls that take out, results."""
    one = x[1, 2]
    padded = np.empty((6, 8), x.dtype)
    padded[...] = one
    padded[1:5, :6] = x
    spread = np.zeros((7, 6), x.dtype)
    spread[::2] = x
    updated = x.copy()
    updated[:, 2] = x[:, 0]
    windowed = x.copy()
    windowed[2:] = x[:2]
    value = np.array(one, x.dtype)  # a NumPy scalar may have lost the byte order
    zero = np.zeros((), x.dtype)
    return {
        "pad": (lambda out=None: xla.pad(x, value, [(1, 1, 0), (0, 2, 0)], out=out), padded),
        "pad with zero": (lambda out=None: xla.pad(x, zero, [(0, 0, 1), (0, 0, 0)], out=out), spread),
        "crop": (lambda out=None: xla.pad(x, value, [(-1, 0, 0), (0, -2, 0)], out=out), x[1:, :4]),
        "rev": (lambda out=None: xla.rev(x, [1], out=out), x[:, ::-1]),
        "concatenate": (lambda out=None: xla.concatenate([x, x[1:], x[:0]], 0, out=out), np.concatenate([x, x[1:]])),
        "broadcast": (lambda out=None: xla.broadcast(x, [2], out=out), np.stack([x, x])),
        "broadcast_in_dim": (
            lambda out=None: xla.broadcast_in_dim(x, [6, 2, 4], [2, 0], out=out),
            np.stack([x.T, x.T], 1),
        ),
        "reshape": (lambda out=None: xla.reshape(x, [3, 8], out=out), x.copy().reshape(3, 8)),
        "reshape transposed": (lambda out=None: xla.reshape(x, [3, 8], [1, 0], out=out), x.T.copy().reshape(3, 8)),
        "collapse": (lambda out=None: xla.collapse(x, [0, 1], out=out), x.copy().reshape(24)),
        "transpose": (lambda out=None: xla.transpose(x, [1, 0], out=out), x.T),
        "slice_in_dim": (lambda out=None: xla.slice_in_dim(x, 1, 6, 2, -1, out=out), x[:, 1::2]),
        "index_in_dim": (lambda out=None: xla.index_in_dim(x, 3, 0, False, out=out), x[3]),
        "dynamic_slice_in_dim": (lambda out=None: xla.dynamic_slice_in_dim(x, 9, 2, 0, out=out), x[2:]),
        "wrap": (
            lambda out=None: xla.dynamic_slice_in_dim(x, 3, 4, 0, out_of_bounds="wrap", out=out),
            np.roll(x, 1, 0),
        ),
        "dynamic_index_in_dim": (lambda out=None: xla.dynamic_index_in_dim(x, 9, 1, out=out), x[:, 5:]),
        "update_slice": (lambda out=None: xla.dynamic_update_slice_in_dim(x, x[:2], 9, 0, out=out), windowed),
        "update_index": (lambda out=None: xla.dynamic_update_index_in_dim(x, x[:, 0], 2, 1, out=out), updated),
    }


def input_layouts(x):
    yield x.copy()
    yield x.copy(order="F")
    yield x[::-1, ::-1].copy()[::-1, ::-1]
    wide = np.empty((8, 12), x.dtype)
    wide[::2, ::2] = x
    yield wide[::2, ::2]
    frozen = x.copy()
    frozen.flags.writeable = False
    yield frozen
    if not x.dtype.hasobject and x.dtype.kind != "T":
        unaligned = np.ndarray(x.shape, x.dtype, bytearray(x.nbytes + 1), 1)
        unaligned[...] = x
        yield unaligned
    yield x.view(type("Ours", (np.ndarray,), {}))


def out_layouts(like):
    yield np.full(like.shape, np.zeros((), like.dtype), like.dtype, order="C")
    yield np.full(like.shape, np.zeros((), like.dtype), like.dtype, order="F")
    yield np.zeros((2 * len(like), *like.shape[1:]), like.dtype)[::-2]
    yield np.zeros((*like.shape, 3), like.dtype)[..., 1]
    yield np.zeros((*like.shape[:-1], 2 * like.shape[-1]), like.dtype)[..., ::-2]
    if not like.dtype.hasobject and like.dtype.kind != "T":
        yield np.ndarray(like.shape, like.dtype, bytearray(like.nbytes + 1), 1)
    yield np.zeros(like.shape, like.dtype).view(type("Ours", (np.ndarray,), {}))


@pytest.mark.parametrize("name", operations(X))
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_and_layout(name, dtype):
    x = array_of(dtype)
    for given in input_layouts(x):
        call, expected = operations(given)[name]
        result = call()
        assert type(result) is np.ndarray and result.base is None and result.flags.c_contiguous
        assert result.dtype == x.dtype and result.shape == expected.shape
        assert (result == expected).all()
    call, expected = operations(x)[name]
    for out in out_layouts(expected.astype(x.dtype)):
        assert call(out) is out
        assert (out == expected).all()


@pytest.mark.parametrize("name", operations(X))
def test_the_very_dtype_object(name):
    dtype = np.dtype("f4", metadata={"unit": "m"})
    assert operations(X.astype(dtype))[name][0]().dtype.metadata == {"unit": "m"}


@pytest.mark.parametrize("dtype", ["i8", object, "T"], ids=str)
@pytest.mark.parametrize("name", operations(X))
def test_out_s2_inputs_in_the_memory_of_out(name, dtype):
    """Every way in which a C-ordered input and out can overlap, and reversed ones."""
    length = 24 + operations(X)[name][1].size
    for shift in (0, 1, 5, 24):
        for backwards in (False, True):
            memory = (np.arange(length + 24) % 11).astype(dtype)
            x = memory[shift : shift + 24][:: -1 if backwards else 1].reshape(4, 6)
            assert np.shares_memory(x, memory)
            call, expected = operations(x)[name]
            expected = expected.copy()
            out = memory[: expected.size].reshape(expected.shape)
            assert call(out) is out
            assert (out == expected).all(), (shift, backwards)


def test_out_may_be_the_operand():
    for name, expected in (("rev", X[:, ::-1]), ("update_slice", None), ("update_index", None)):
        x = X.copy()
        call, wanted = operations(x)[name]
        assert call(x) is x
        assert (x == (wanted if expected is None else expected)).all()
    square = np.arange(9).reshape(3, 3)
    assert xla.transpose(square, [1, 0], out=square).tolist() == np.arange(9).reshape(3, 3).T.tolist()
    assert xla.reshape(square, [9], out=square.reshape(9)).tolist() == square.ravel().tolist()


@pytest.mark.parametrize("name", operations(X))
def test_out_is_checked_and_left_alone(name):
    call, expected = operations(X)[name]
    frozen = np.zeros_like(expected)
    frozen.flags.writeable = False
    outs = {
        "out_c1": expected.tolist(),
        "out_c2": np.zeros((*expected.shape, 1), int),
        "out_c3": np.zeros(expected.shape, ">i8"),
        "out_c4": frozen,
        "out_c5": as_strided(np.zeros(100, int), expected.shape, (4,) * expected.ndim),
    }
    assert {label: broken(call, out) for label, out in outs.items()} == {label: label for label in outs}
    assert not any(np.any(out) for label, out in outs.items() if label != "out_c1")


def test_results_are_copies():
    for name, (call, _) in operations(X).items():
        assert not np.shares_memory(call(), X), name


@pytest.mark.parametrize("name", operations(X))
def test_mem_c1(name):
    far = as_strided(np.zeros(1, np.int8), (4, 6), (2**61, 2**61))
    assert broken(operations_on_far(far)[name]) == "mem_c1"


def test_an_out_that_cannot_be_addressed():
    memory = np.full(2, 7, np.int8)
    out = as_strided(memory, (5,), (2**61,))
    assert broken(xla.concatenate, [np.zeros(1, np.int8), np.zeros(4, np.int8)], 0, out=out) == "out_c5"
    assert broken(xla.pad, np.zeros(1, np.int8), 1, [(0, 4, 0)], out=out) == "out_c5"
    assert memory.tolist() == [7, 7]


def operations_on_far(far):
    return {
        "pad": lambda: xla.pad(far, 1, [(1, 1, 0), (0, 2, 0)]),
        "pad with zero": lambda: xla.pad(far, 0, [(0, 0, 1), (0, 0, 0)]),
        "crop": lambda: xla.pad(far, 1, [(0, 0, 0), (0, -1, 0)]),
        "rev": lambda: xla.rev(far, [1]),
        "concatenate": lambda: xla.concatenate([far, far], 0),
        "broadcast": lambda: xla.broadcast(far, [2]),
        "broadcast_in_dim": lambda: xla.broadcast_in_dim(far, [6, 2, 4], [2, 0]),
        "reshape": lambda: xla.reshape(far, [3, 8]),
        "reshape transposed": lambda: xla.reshape(far, [3, 8], [1, 0]),
        "collapse": lambda: xla.collapse(far, [0, 1]),
        "transpose": lambda: xla.transpose(far, [1, 0]),
        "slice_in_dim": lambda: xla.slice_in_dim(far, 1, 6, 2, -1),
        "index_in_dim": lambda: xla.index_in_dim(far, 3, 0, False),
        "dynamic_slice_in_dim": lambda: xla.dynamic_slice_in_dim(far, 9, 2, 0),
        "wrap": lambda: xla.dynamic_slice_in_dim(far, 3, 4, 0, out_of_bounds="wrap"),
        "dynamic_index_in_dim": lambda: xla.dynamic_index_in_dim(far, 9, 1),
        "update_slice": lambda: xla.dynamic_update_slice_in_dim(far, far[:2], 9, 0),
        "update_index": lambda: xla.dynamic_update_index_in_dim(far, far[:, 0], 2, 1),
    }


# ---- sizes and ranks -------------------------------------------------------------------------------------------------


def test_items_of_no_bytes():
    x = np.zeros((4, 6), "S0")
    x = np.ndarray((4, 6), "S0", bytearray(1))
    for name, (call, expected) in operations_without_bytes(x).items():
        result = call()
        assert (result.dtype, result.shape) == (np.dtype("S0"), expected), name


def operations_without_bytes(x):
    return {
        "pad": (lambda: xla.pad(x, b"", [(1, 1, 0), (0, 2, 0)]), (6, 8)),
        "rev": (lambda: xla.rev(x, [1]), (4, 6)),
        "concatenate": (lambda: xla.concatenate([x, x], 0), (8, 6)),
        "broadcast": (lambda: xla.broadcast(x, [2]), (2, 4, 6)),
        "reshape": (lambda: xla.reshape(x, [3, 8]), (3, 8)),
        "transpose": (lambda: xla.transpose(x, [1, 0]), (6, 4)),
    }


@pytest.mark.parametrize("rank", [0, 1, 33, 64])
def test_every_rank(rank):
    shape = (2,) * min(rank, 5) + (1,) * max(rank - 5, 0)
    x = np.arange(2 ** min(rank, 5)).reshape(shape)
    axes = list(range(rank))
    assert_same(xla.rev(x, axes), np.flip(x).copy() if rank else x)
    assert_same(xla.transpose(x, axes[::-1]), np.transpose(x).copy())
    assert_same(xla.reshape(x, [x.size]), x.ravel().copy())
    assert_same(xla.collapse(x, axes), x.reshape(-1).copy() if rank else x)
    assert_same(xla.pad(x, 0, [(0, 0, 0)] * rank), x)
    assert_same(xla.broadcast_in_dim(x, shape, axes), x)
    assert_same(xla.broadcast(x, [1] * (64 - rank)), x.reshape((1,) * (64 - rank) + shape))
    if rank:
        assert_same(xla.concatenate([x, x], rank - 1), np.concatenate([x, x], -1))
        assert_same(xla.index_in_dim(x, 0, -1), x[..., :1].copy())


def test_results_too_large_are_refused():
    for call in (
        lambda: xla.broadcast(X, [2**40, 2**40]),
        lambda: xla.pad(X, 0, [(2**61, 0, 0), (0, 0, 0)]),
        lambda: xla.broadcast_in_dim(5, [2**62, 8], []),
    ):
        with pytest.raises((ValueError, MemoryError)):
            call()
    assert xla.broadcast(X, [0]).shape == (0, 4, 6)


def test_long_copies_in_pieces():
    """More than one piece of work each, so that Ctrl-C is answered."""
    x = np.arange(6_000_000)
    assert np.array_equal(xla.pad(x, 0, [(1, 2, 1)])[1:-2:2], x)
    assert np.array_equal(xla.pad(x, 1, [(1, 2, 0)])[1:-2], x)
    assert np.array_equal(xla.rev(x, [0]), x[::-1])
    assert np.array_equal(xla.concatenate([x[:5], x], 0), np.concatenate([x[:5], x]))
    assert np.array_equal(xla.reshape(x, [2000, 3000], [0]), x.reshape(2000, 3000))
    assert np.array_equal(xla.transpose(x.reshape(2000, 3000), [1, 0]), x.reshape(2000, 3000).T)


def test_bytes_are_never_interpreted():
    """NaN payloads and -0.0 survive; a padding value of -0.0 is not zero."""
    nan = np.array([0x7FF0000000000001], "u8").view("f8")
    x = np.concatenate([nan, [-0.0, 1.0]])
    for result in (xla.rev(x, [0]), xla.reshape(x, [3, 1]), xla.concatenate([x[:1], x[1:]], 0)):
        assert sorted(result.view("u8").ravel().tolist()) == sorted(x.view("u8").tolist())
    assert xla.pad(x, -0.0, [(1, 0, 0)]).view("u8")[0] == 2**63
    assert xla.pad(x, nan[0], [(1, 0, 0)]).view("u8")[:2].tolist() == nan.view("u8").tolist() * 2


# ---- hostile calls ---------------------------------------------------------------------------------------------------


class Reading:
    """A number that changes something when it is read."""

    def __init__(self, change, value=0):
        self.change, self.value = change, value

    def __index__(self):
        self.change()
        return self.value

    def __float__(self):
        self.change()
        return float(self.value)


def test_an_operand_that_is_reshaped_while_arguments_are_read():
    def flatten():
        x.shape = (24,)

    calls = {
        "tr_c1": lambda: xla.transpose(x, [1, Reading(flatten)]),
        "rev_c2": lambda: xla.rev(x, [1, Reading(flatten)]),
        "pad_c2": lambda: xla.pad(x, 0, [(0, 0, Reading(flatten)), (0, 0, 0)]),
        "dim_c1": lambda: xla.slice_in_dim(x, 0, Reading(flatten), 1, 1),
        "bid_c1": lambda: xla.broadcast_in_dim(x, [4, Reading(flatten, 6)], [0, 1]),
    }
    for label, call in calls.items():
        x = np.arange(24.0).reshape(4, 6)
        assert broken(call) == label
    x = np.arange(24.0).reshape(4, 6)
    assert broken(xla.pad, x, [Reading(flatten)], [(1, 0, 0)]) == "pad_c1" and x.shape == (24,)
    x = np.arange(24.0).reshape(4, 6)
    assert xla.dynamic_update_index_in_dim(x, [Reading(flatten)] * 6, 0, 0).shape == (24,)


def test_operands_that_change_each_other_while_they_are_converted():
    x = np.arange(12.0).reshape(2, 6)
    assert xla.concatenate([x, [x, x][0].tolist()], 0).shape == (4, 6)

    def widen():
        x.dtype = "S16"

    assert broken(xla.concatenate, [x, [[Reading(widen)] * 6]], 0) in ("cat_c4", "cat_c5")
    operands = []

    def empty():
        operands.clear()

    operands += [np.ones((1, 6)), [[1.0] * 6], [[2.0] * 6]]
    assert xla.concatenate(operands, Reading(empty, 0)).shape == (3, 6)


def test_objects_that_reshape_arrays_when_they_die():
    class Dying:
        def __del__(self):
            for array in touched:
                array.shape = (array.size,)

    for name in operations(X):
        x = np.empty((4, 6), object)
        x[...] = "kept"
        call, expected = operations(x)[name]
        out = np.empty(expected.shape, object)
        for index in np.ndindex(*expected.shape):
            out[index] = Dying()
        touched = [x, out]
        result = call(out)
        assert result is out and out.ravel().tolist() == ["kept" if v == "kept" else v for v in expected.ravel()], name
        touched = []


# ---- select and clamp ------------------------------------------------------------------------------------------------

PREDS = [True, False, np.bool_(True), np.array(False), X % 2 == 0, (X % 3 == 0).T.copy().T, X[::-1] > 7, X < 0]


@pytest.mark.parametrize("dtype", ["i8", "f4", ">f4", "c16", "S3", "M8[s]", object, "T", "?"], ids=str)
@pytest.mark.parametrize("pred", PREDS, ids=range(len(PREDS)))
def test_sel_s1_sel_s2(pred, dtype):
    a, b = (X % 7).astype(dtype), (X[::-1] % 5).astype(dtype)
    result = xla.select(pred, a.T.copy().T, b)
    expected = [[(p and t) or (not p and f) or f * 0 if dtype == "never" else (t if p else f)
                 for p, t, f in zip(*rows, strict=True)]
                for rows in zip(np.broadcast_to(pred, X.shape), a, b, strict=True)]  # fmt: skip
    assert_same(result, np.array(expected, a.dtype))


def test_sel_s1_scalars_and_lists():
    assert_same(xla.select(True, 1, 2), np.array(1))
    assert_same(xla.select([True, False], [1, 2], [3, 4]), np.array([1, 4]))
    assert_same(xla.select([True, False], np.array([1, 2], "f4"), [3, 4]), np.array([1, 4], "f4"))
    assert_same(xla.select([True, False], [1, 2], np.array([3, 4], "f4")), np.array([1, 4], "f4"))
    assert_same(xla.select(np.zeros((0, 3), bool), EMPTY, EMPTY), EMPTY)
    nan = np.array([0x7FF0000000000001], "u8").view("f8")
    assert xla.select([True], nan, nan).view("u8") == nan.view("u8")


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
        assert broken(xla.clamp, x[0], x, x[1]) == "cl_c3"


# ---- the dialect -----------------------------------------------------------------------------------------------------


def test_the_top_levels_functions_are_here():
    for name in ("slice", "dynamic_slice", "dynamic_update_slice"):
        assert getattr(xla, name) is getattr(ssop, name)


def test_divergences_of_the_module_docstring():
    """Each row of the table in ssop/xla.py."""
    assert broken(xla.index_in_dim, VECTOR, -1) == "dim_c2"
    assert xla.index_in_dim(VECTOR, -1, allow_negative_indices=True).tolist() == [6]
    assert xla.index_in_dim(X, 1, -1).shape == (4, 1)
    assert xla.dynamic_slice_in_dim(VECTOR, 6, 3).tolist() == [4, 5, 6]
    assert xla.dynamic_slice_in_dim(VECTOR, 6, 3, out_of_bounds="wrap").tolist() == [6, 0, 1]
    assert xla.slice(VECTOR, [3], [3]).size == xla.dynamic_slice(VECTOR, [3], [0]).size == 0
    assert xla.broadcast_in_dim([[1, 2], [3, 4]], [2, 2], [1, 0]).tolist() == [[1, 3], [2, 4]]
    assert xla.collapse(CUBE, [0, 1]).shape == (12, 5)
    assert broken(xla.collapse, CUBE, [3]) == "col_c2"
    assert xla.collapse(np.zeros((4, 2, 3)), [0, 1]).shape == (8, 3)
    assert xla.collapse(np.zeros((4, 2, 3)), [1, 2]).shape == (4, 6)
    assert broken(xla.reshape, X, [-1]) == "in_c10"
    assert xla.reshape(X, [6, 4], [1, 0]).tolist() == X.T.tolist()
    assert broken(xla.transpose, X, [0, -1]) == "tr_c2" and broken(xla.rev, X, [-1]) == "rev_c2"
    assert xla.pad(VECTOR, 0, [(-2, -1, 1)]).tolist() == [1, 0, 2, 0, 3, 0, 4, 0, 5, 0]
    assert xla.clamp(9, VECTOR, 3).tolist() == [3] * 7
    assert broken(xla.concatenate, [VECTOR, VECTOR / 2], 0) == "cat_c4"


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


def test_clamp_of_signalling_nans_is_silent():
    """ml_dtypes' comparison warned of them: an exception where warnings are errors, as here."""
    x = np.array([0x7F81, 0x3F80], np.uint16).view(ml_dtypes.bfloat16)
    assert (xla.clamp(x[0], x, x[0]).view(np.uint16) & 0x7FFF > 0x7F80).all()
    assert xla.clamp(x[1], x, x[1]).view(np.uint16)[1] == 0x3F80
