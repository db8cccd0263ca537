"""The operations of `ssop.xla` that only move data: every layout and dtype, `out`, sizes, arrays that code changes."""

from itertools import permutations, product

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

from ssop import xla
from unit.xla_arrays import X, assert_same, label_of

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
    assert {label: label_of(call, out) for label, out in outs.items()} == {label: label for label in outs}
    assert not any(np.any(out) for label, out in outs.items() if label != "out_c1")


def test_results_are_copies():
    for name, (call, _) in operations(X).items():
        assert not np.shares_memory(call(), X), name


@pytest.mark.parametrize("name", operations(X))
def test_mem_c1(name):
    far = as_strided(np.zeros(1, np.int8), (4, 6), (2**61, 2**61))
    assert label_of(operations_on_far(far)[name]) == "mem_c1"


def test_an_out_that_cannot_be_addressed():
    memory = np.full(2, 7, np.int8)
    out = as_strided(memory, (5,), (2**61,))
    assert label_of(xla.concatenate, [np.zeros(1, np.int8), np.zeros(4, np.int8)], 0, out=out) == "out_c5"
    assert label_of(xla.pad, np.zeros(1, np.int8), 1, [(0, 4, 0)], out=out) == "out_c5"
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


@pytest.mark.parametrize("dtype", ["u1", "f4", "c16", "V3", object])
@pytest.mark.parametrize("channels", [1, 2, 3, 4, 9, 33])
def test_padding_of_views_with_exchanged_axes(dtype, channels):
    """Inner axes that are contiguous and not padded are one item; every order of the axes, and padding of each."""
    x = (np.arange(7 * 5 * channels) % 100).reshape(7, 5, channels)
    x = x.astype("u1").view("V1").repeat(3, -1).view("V3") if dtype == "V3" else x.astype(dtype)
    value = x[3, 2, 0]
    for axes in permutations(range(3)):
        for view in (x.transpose(axes), x.transpose(axes)[::-1], np.broadcast_to(x[..., :1], x.shape).transpose(axes)):
            for pads in product([(0, 0, 0), (2, 1, 0), (-1, 1, 0)], repeat=3):
                shape = [dim + low + high for dim, (low, high, _) in zip(view.shape, pads, strict=True)]
                wanted = np.empty(shape, dtype)
                wanted[...] = value
                kept = [slice(max(-low, 0), None) for low, _, _ in pads]
                place = [slice(max(low, 0), dim - high) for dim, (low, high, _) in zip(shape, pads, strict=True)]
                wanted[tuple(place)] = view[tuple(kept)]
                assert_same(xla.pad(view, value, pads), wanted)


# ---- sizes and ranks -------------------------------------------------------------------------------------------------


def test_items_of_no_bytes():
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


def test_results_that_are_too_large_raise():
    for call in (
        lambda: xla.broadcast(X, [2**40, 2**40]),
        lambda: xla.pad(X, 0, [(2**61, 0, 0), (0, 0, 0)]),
        lambda: xla.broadcast_in_dim(5, [2**62, 8], []),
    ):
        with pytest.raises((ValueError, MemoryError)):
            call()
    assert xla.broadcast(X, [0]).shape == (0, 4, 6)


def test_long_copies_in_pieces():
    """More than one piece of work each, so that Ctrl-C can end them."""
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


# ---- arrays that code changes ----------------------------------------------------------------------------------------


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
        assert label_of(call) == label
    x = np.arange(24.0).reshape(4, 6)
    assert label_of(xla.pad, x, [Reading(flatten)], [(1, 0, 0)]) == "pad_c1" and x.shape == (24,)
    x = np.arange(24.0).reshape(4, 6)
    assert xla.dynamic_update_index_in_dim(x, [Reading(flatten)] * 6, 0, 0).shape == (24,)


def test_operands_that_change_each_other_while_they_are_converted():
    x = np.arange(12.0).reshape(2, 6)
    assert xla.concatenate([x, [x, x][0].tolist()], 0).shape == (4, 6)

    def widen():
        x.dtype = "S16"

    assert label_of(xla.concatenate, [x, [[Reading(widen)] * 6]], 0) in ("cat_c4", "cat_c5")
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


CONFIGS = [(1, 2, 0), (0, 3, 0), (-1, 1, 0), (2, -1, 0)]


def padded(operand, fill):
    """What NumPy makes of CONFIGS."""
    dims, kept, place = [], [], []
    for dim, (low, high, _) in zip(operand.shape, CONFIGS, strict=False):
        dims.append(dim + low + high)
        kept.append(slice(max(-low, 0), dim + min(high, 0)))
        place.append(slice(max(low, 0), dims[-1] - max(high, 0)))
    wanted = np.full(dims, fill)
    wanted[tuple(place)] = operand[tuple(kept)]
    return wanted


@pytest.mark.parametrize("kind", ["u1", "u2", "u4", "f8", "c16", "V3", "S5", "V40", "O"])
@pytest.mark.parametrize("byte", [0, 7], ids=["zero", "value"])
def test_pad_s2_transposed_operands(kind, byte):
    """Rows of the result are columns of the operand: what lies around them is filled on its own."""
    rng = np.random.default_rng(0)
    width = np.dtype(kind).itemsize
    for shape, axes in (((70, 33), (1, 0)), ((5, 9, 3), (2, 0, 1)), ((2, 64, 2, 16), (0, 3, 2, 1))):
        items = rng.integers(1, 99, (int(np.prod(shape)), width), "u1")
        x = (items[:, 0].astype(kind) if kind == "O" else items.view(kind)).reshape(shape)
        fill = np.array(byte, kind) if kind == "O" else np.full(width, byte, "u1").view(kind).reshape(())
        for operand in (x.transpose(axes), x[::-1, ::2].transpose(axes)):
            wanted = padded(operand, fill)
            for order in "CF":
                out = np.empty(wanted.shape, kind, order)
                assert xla.pad(operand, fill, CONFIGS[: operand.ndim], out=out) is out
                np.testing.assert_array_equal(out, wanted)
            np.testing.assert_array_equal(xla.pad(operand, fill, CONFIGS[: operand.ndim]), wanted)
