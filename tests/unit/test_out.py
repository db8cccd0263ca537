"""out=, copyto and updates in place: every layout, every overlap, every rejection."""

import datetime
import itertools
import mmap
import sys

import numpy as np
import pytest
from numpy import ma
from numpy.lib.stride_tricks import as_strided

import child
import ssop

X = np.arange(24).reshape(4, 6)


def outs(shape, dtype):
    """Arrays of this shape in every layout, each with the whole memory it lies in."""
    rows, columns = shape
    whole = np.full((2 * rows + 1, 3 * columns + 2), -1, dtype)
    yield "C", whole[:rows, :columns].copy(), None
    yield "F", np.full(shape, -1, dtype, order="F"), None
    yield "inside", whole[1 : 1 + rows, 1 : 1 + columns], whole
    whole = whole.copy()
    yield "stepped", whole[1::2, 1::3][:rows, :columns], whole
    whole = whole.copy()
    yield "reversed", whole[-2::-2, -2::-3][:rows, :columns], whole
    whole = np.full((3 * columns, 2 * rows), -1, dtype)
    yield "transposed and reversed", whole[::-3, ::2].T, whole
    record = np.zeros(
        shape, np.dtype({"names": ["a"], "formats": [dtype], "offsets": [3], "itemsize": dtype.itemsize + 5})
    )
    yield "unaligned", record["a"], record
    record = np.zeros(shape, [("a", "i1"), ("b", dtype), ("c", "i1")])
    yield "field", record["b"], record
    yield "subclass", np.full(shape, -1, dtype).view(type("Ours", (np.ndarray,), {})), None


LAYOUTS = [name for name, _, _ in outs((4, 6), X.dtype)]


def layout(name, shape, dtype=X.dtype):
    return next((out, whole) for found, out, whole in outs(shape, dtype) if found == name)


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("dtype", ["i8", "i1", "c16", ">f4", "S5", object], ids=str)
def test_out_in_every_layout(name, dtype):
    x = X.astype(dtype)
    for run, expected in (
        (lambda out: ssop.copy(x, out=out), x),
        (lambda out: ssop.strided_slice(x, [3, 0], [-9, 6], [-1, 2], out=out), x[::-1, ::2]),
        (lambda out: ssop.slice(x, [1, 2], [3, 6], out=out), x[1:3, 2:6]),
        (lambda out: ssop.dynamic_slice(x, [9, 1], [2, 3], out=out), x[2:, 1:4]),
        (lambda out: ssop.dynamic_slice(x, [3, 5], [2, 3], out_of_bounds="wrap", out=out), x[[3, 0]][:, [5, 0, 1]]),
        (lambda out: ssop.plan(ssop.StridedSliceSpec([1], [3]), x.shape, x.dtype)(x, out=out), x[1:3]),
    ):
        out, whole = layout(name, expected.shape, x.dtype)
        held, around = out.copy(), None if whole is None else whole.tolist()
        assert run(out) is out
        assert np.array_equal(out, expected)
        if whole is not None:  # what lies between is left alone
            out[...] = held
            assert whole.tolist() == around


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("policy", ["clamp", "wrap"])
def test_updates_in_every_layout(name, policy):
    update = -X[:2, :3]
    expected = X.copy()
    rows, columns = ([3, 0], [5, 0, 1]) if policy == "wrap" else ([2, 3], [3, 4, 5])
    expected[np.ix_(rows, columns)] = update
    out, _ = layout(name, X.shape)
    assert ssop.dynamic_update_slice(X, update, [3, 5], out_of_bounds=policy, out=out) is out
    assert np.array_equal(out, expected)
    out[...] = X
    assert ssop.dynamic_update_slice(out, update, [3, 5], out_of_bounds=policy, out=out) is out
    assert np.array_equal(out, expected)


@pytest.mark.parametrize("name", LAYOUTS)
def test_copyto_in_every_layout(name):
    dst, _ = layout(name, X.shape)
    assert ssop.copyto(dst, X) is None
    assert np.array_equal(dst, X)
    ssop.copyto(dst, X.tolist())
    assert np.array_equal(dst, X)


def test_copyto_converts_lists_and_scalars_but_does_not_broadcast():
    dst = np.zeros(3, np.float32)
    ssop.copyto(dst, [1, 2, 3])
    assert dst.tolist() == [1, 2, 3]
    ssop.copyto(dst[:, None][1], (9,))
    assert dst.tolist() == [1, 9, 3]
    point = np.zeros((), "M8[s]")
    ssop.copyto(point, datetime.date(2020, 1, 1))
    with pytest.raises(ssop.SliceTypeError, match="val_c1"):
        ssop.copyto(point, "2020-01-01")
    assert point == np.datetime64("2020-01-01")
    for source in (5, [5], np.zeros((1, 3), np.float32), [[1, 2, 3]]):
        with pytest.raises(ssop.SliceValueError, match="not \\(3,\\): copyto never broadcasts") as info:
            ssop.copyto(dst, source)
        assert (info.value.op, info.value.label, info.value.value) == ("copyto", "out_c2", np.shape(source))


# ---- rejections ------------------------------------------------------------------------------------------------------


def label(function, *arguments, **keywords):
    with pytest.raises(ssop.SliceError) as info:
        function(*arguments, **keywords)
    return info.value.label


RUNS = {
    "copy": lambda out: ssop.copy(X, out=out),
    "copyto": lambda out: ssop.copyto(out, X),
    "strided_slice": lambda out: ssop.strided_slice(X, [], [], out=out),
    "slice": lambda out: ssop.slice(X, [0, 0], [4, 6], out=out),
    "dynamic_slice": lambda out: ssop.dynamic_slice(X, [0, 0], [4, 6], out=out),
    "wrap": lambda out: ssop.dynamic_slice(X, [1, 1], [4, 6], out_of_bounds="wrap", out=out),
    "dynamic_update_slice": lambda out: ssop.dynamic_update_slice(X, X[:1, :1], [0, 0], out=out),
    "spec": lambda out: ssop.StridedSliceSpec([], [])(X, out=out),
    "plan": lambda out: ssop.plan(ssop.StridedSliceSpec([], []), X.shape, X.dtype)(X, out=out),
}
every_run = pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)


@every_run
def test_rejects_what_is_no_array(run):
    for bad in (X.tolist(), bytearray(X.nbytes), memoryview(X.copy()), 5, "out", object(), X.dtype, ma.array(X)):
        assert label(run, bad) == "out_c1"


@every_run
def test_rejects_other_shapes(run):
    for shape in ((4, 5), (6, 4), (24,), (4, 6, 1), (1, 4, 6), (), (0, 6), (4, 0)):
        assert label(run, np.empty(shape, X.dtype)) == "out_c2"


@every_run
def test_rejects_other_dtypes(run):
    for dtype in ("u8", ">i8", "f8", "V8", "M8[s]", "m8[s]", "i4", object, "S8", [("a", "i8")]):
        # copyto converts nothing but lists and scalars: X is an array of another dtype then
        assert label(run, np.empty(X.shape, dtype)) == "out_c3"


@every_run
def test_takes_another_name_of_the_same_dtype(run):
    out = np.empty(X.shape, np.longlong)  # another type number than int64's, the same bytes
    run(out)
    assert sorted(out.ravel()) == sorted(X.ravel())


@every_run
def test_rejects_read_only(run, tmp_path):
    frozen = np.full(X.shape, 7, X.dtype)
    frozen.flags.writeable = False
    mapped = np.memmap(tmp_path / "x", X.dtype, "w+", shape=X.shape)
    mapped = np.memmap(tmp_path / "x", X.dtype, "r", shape=X.shape)
    for bad in (frozen, frozen.T.copy().T.view(), mapped, np.frombuffer(X.tobytes(), X.dtype).reshape(X.shape)):
        bad.flags.writeable = False
        assert label(run, bad) == "out_c4"
    assert (frozen == 7).all()
    assert (mapped == 0).all()


@every_run
def test_rejects_what_overlaps_itself(run):
    memory = np.zeros(200, X.dtype)
    for strides in ((8, 8), (0, 8), (48, 0), (40, 8), (8, 16), (-8, 8), (48, 4), (24, 8), (3, 48)):
        bad = as_strided(memory[100:], X.shape, strides)
        assert label(run, bad) == "out_c5"
    assert not memory.any()
    for strides in ((48, 8), (8, 32), (-48, 8), (48, -8), (64, 8), (8, 40), (-8, -32), (100, 9)):
        run(as_strided(memory[100:], X.shape, strides))


def test_rejects_the_same_layouts_for_objects():
    memory = np.zeros(50, object)
    x = X.astype(object)
    assert label(ssop.copy, x, out=as_strided(memory, x.shape, (8, 8))) == "out_c5"
    assert label(ssop.copy, x, out=np.broadcast_to(memory[:6], x.shape)) == "out_c4"


def test_an_empty_out_is_never_self_overlapping():
    out = as_strided(np.zeros(1), (0, 5), (0, 0))
    assert ssop.strided_slice(np.zeros((3, 5)), [2], [2], out=out) is out


# ---- overlap with inputs (out_s2) ------------------------------------------------------------------------------------


def views(n):
    """Every view of length `n` of eight items."""
    for start, step in itertools.product(range(8), (-3, -2, -1, 1, 2, 3)):
        if 0 <= start + (n - 1) * step < 8:
            stop = start + n * step
            yield slice(start, stop if stop >= 0 else None, step)


@pytest.mark.parametrize("dtype", ["i8", "u1", "S3", object, "T"], ids=str)
def test_copy_between_all_views_of_one_array(dtype):
    """`out` gets what the input held before the call."""
    base = np.arange(8).astype(dtype)
    compared = 0
    for n in (1, 2, 3, 4):
        for taken, written in itertools.product(list(views(n)), repeat=2):
            memory = base.copy()
            expected = base.copy()
            expected[written] = base[taken]
            out = memory[written]
            assert ssop.copy(memory[taken], out=out) is out
            assert memory.tolist() == expected.tolist(), (taken, written)
            compared += 1
    assert compared >= 2000


def test_an_empty_operand_has_no_address():
    """The stride of an axis of one element may be any number: three of these reach beyond the address space.

    The result is right even if such an address is computed: only the undefined-behaviour sanitizer, under which
    `in_flight` of .ci/run runs this test, reports it.
    """
    out = np.lib.stride_tricks.as_strided(np.zeros(3), (1, 3), (-(2**61), 8))
    row, empty = np.arange(3.0)[None], np.zeros((0, 3))
    assert ssop.xla.concatenate([row, empty, empty], 0, out=out) is out and out.tolist() == [[0, 1, 2]]


def test_overlaps_of_one_byte():
    raw = np.arange(64, dtype=np.uint8)
    for shift in range(-9, 10):
        memory, expected = raw.copy(), raw.copy()
        expected[20 + shift : 44 + shift] = raw[20:44]
        ssop.copy(memory[20:44].view(np.int64), out=memory[20 + shift : 44 + shift].view(np.int64))
        assert memory.tolist() == expected.tolist(), shift


def test_transposed_onto_itself():
    for n in (2, 5, 40, 100):
        square = np.arange(n * n).reshape(n, n)
        expected = square.T.copy()
        assert ssop.copy(square.T, out=square) is square
        assert np.array_equal(square, expected)
        assert ssop.strided_slice(square, [n], [-n - 1], [-1], out=square) is square
        assert np.array_equal(square, expected[::-1])


def test_window_that_wraps_into_its_own_operand():
    for n, start in itertools.product((1, 2, 7), range(-8, 9)):
        x = np.arange(n)
        expected = np.roll(x, -start)
        assert ssop.dynamic_slice(x, [start], [n], out_of_bounds="wrap", out=x) is x
        assert np.array_equal(x, expected)
    square = np.arange(36).reshape(6, 6)
    expected = np.roll(square.T, (-2, -5), (0, 1))
    ssop.dynamic_slice(square.T, [2, 5], [6, 6], out_of_bounds="wrap", out=square)
    assert np.array_equal(square, expected)


POLICIES = ["clamp", "wrap"]


def updated(operand, update, start, policy):
    """What dynamic_update_slice means, on copies."""
    result, n, u = operand.copy(), len(operand), len(update)
    first = start % n if policy == "wrap" else min(max(start, 0), n - u)
    for i in range(u):
        result[(first + i) % n] = update[i]
    return result


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("dtype", [int, object], ids=str)
def test_operand_update_and_out_in_one_array(policy, dtype):
    """Every way that the three can lie in ten items."""
    compared = 0
    places = [slice(0, 6), slice(2, 8), slice(9, 3, -1), slice(7, 1, -1), slice(4, 10)]
    parts = [slice(0, 3), slice(1, 4), slice(5, 8), slice(9, 6, -1), slice(2, 8, 2), slice(0, 0), slice(8, 2, -1)]
    for operand, out, part, start in itertools.product(places, places, parts, (-1, 0, 2, 5, 9)):
        memory = np.arange(10).astype(dtype)
        values = updated(memory[operand].copy(), memory[part].copy(), start, policy)
        expected = memory.copy()
        expected[out] = values
        target = memory[out]
        assert (
            ssop.dynamic_update_slice(memory[operand], memory[part], [start], out_of_bounds=policy, out=target)
            is target
        )
        assert memory.tolist() == expected.tolist(), (operand, out, part, start)
        compared += 1
    assert compared == 25 * 7 * 5


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("dtype", [np.int64, object, np.dtypes.StringDType()], ids=str)
def test_update_out_and_operand_are_one_array(policy, dtype):
    for start in (-3, 0, 2, 5):
        x = np.arange(5).astype(dtype)
        expected = updated(x.copy(), x.copy(), start, policy)
        assert ssop.dynamic_update_slice(x, x, [start], out_of_bounds=policy, out=x) is x
        assert x.tolist() == expected.tolist()


# ---- in place --------------------------------------------------------------------------------------------------------


def write_only_the_window():
    """Pages outside the window are made read-only: touching one ends the process."""
    import ctypes
    import mmap

    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 3 * page)
    x = np.frombuffer(memory, np.uint8)
    x[:] = 1
    libc = ctypes.CDLL(None, use_errno=True)
    for first in (0, 2):
        address = ctypes.c_void_p(x.ctypes.data + first * page)
        assert libc.mprotect(address, ctypes.c_size_t(page), mmap.PROT_READ) == 0
    for dtype in (np.uint8, np.int64):
        operand = x.view(dtype)
        n = page // operand.itemsize
        for update in (np.full(n, 2, dtype), np.full(1, 3, dtype), operand[:n], operand[n : 2 * n][::-1]):
            ssop.dynamic_update_slice(operand, update, [n], out=operand)
    square = x.reshape(3, page)
    ssop.dynamic_update_slice(square, square[2:, :7], [1, page], out=square)
    assert x[: 2 * page : page].tolist() == [1, 1]
    ssop.copy(x, out=x)  # the same items at the same places: nothing to write


@pytest.mark.skipif(not hasattr(mmap, "PROT_READ"), reason="this system has no mprotect")
def test_in_place_writes_only_the_window():
    child.run(write_only_the_window)


def test_in_place_is_as_fast_as_the_window_is_small():
    """An update in place looks at no other item: the operand may be far too large to be copied."""
    huge = as_strided(np.zeros(100, np.int8), (2**40, 10), (0, 1))
    assert label(ssop.dynamic_update_slice, huge, huge[:1], [0, 0], out=huge) == "out_c5"
    tall = np.zeros((2**20, 1), np.int8)
    for _ in range(2000):  # 2 GiB if each call copied
        ssop.dynamic_update_slice(tall, [[1]], [5, 0], out=tall)
    assert tall.sum() == 1


def test_out_of_objects_drops_what_it_held():
    class Item:
        pass

    item = Item()
    x = np.empty(3, object)
    out = np.full(3, item)
    before = sys.getrefcount(item)
    ssop.copy(x, out=out)
    assert sys.getrefcount(item) == before - 3
    x[:] = item
    ssop.dynamic_update_slice(x, x[:1], [2], out=out)
    assert sys.getrefcount(item) == before + 3
    ssop.dynamic_slice(x, [2], [3], out_of_bounds="wrap", out=out)
    assert sys.getrefcount(item) == before + 3
    del x, out
    assert sys.getrefcount(item) == before - 3
