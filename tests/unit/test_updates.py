"""Large windows replaced in a copy: what lies around them is copied, and nothing twice."""

import itertools
import mmap

import numpy as np
import pytest

import child
import ssop

SHAPE = (40, 30, 520)
RNG = np.random.default_rng(11)
NUMBERS = RNG.integers(-100, 100, SHAPE)
DTYPES = ["i1", "f4", ">i8", "c16", "S5", "i2,f4", object]

# Nothing, everything, whole rows, columns, a box, and windows that are too small to be left out.
WINDOWS = {
    "all": ((0, 0, 0), SHAPE),
    "none": ((9, 9, 9), (0, 3, 3)),
    "first axis": ((11, 0, 0), (20, 30, 520)),
    "first axis from the start": ((0, 0, 0), (7, 30, 520)),
    "second axis to the end": ((0, 13, 0), (40, 17, 520)),
    "columns": ((0, 0, 99), (40, 30, 400)),
    "box": ((3, 5, 7), (30, 20, 500)),
    "few columns": ((0, 0, 260), (40, 30, 2)),
    "one item": ((20, 15, 260), (1, 1, 1)),
}


def layouts(x):
    """The same elements in other places."""
    yield "C", x.copy()
    yield "F", x.copy(order="F")
    yield "transposed", np.ascontiguousarray(x.transpose(1, 2, 0)).transpose(2, 0, 1)
    yield "reversed", np.ascontiguousarray(x[::-1, :, ::-1])[::-1, :, ::-1]
    wide = np.zeros((*x.shape[:2], x.shape[2] + 3), x.dtype)
    wide[..., 2:-1] = x
    yield "inside", wide[..., 2:-1]
    record = np.zeros(x.shape, [("a", "i1"), ("b", x.dtype)])
    record["b"] = x
    yield "unaligned", record["b"]


LAYOUTS = [name for name, _ in layouts(np.zeros((1, 1, 1)))]


def updated(x, value, starts, sizes):
    expected = x.copy()
    expected[tuple(slice(start, start + size) for start, size in zip(starts, sizes, strict=True))] = value
    return expected


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and (a == b).all()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("window", WINDOWS)
def test_every_layout_of_operand_update_and_out(layout, window):
    starts, sizes = WINDOWS[window]
    x = dict(layouts(NUMBERS.astype("i2")))[layout]
    update = dict(layouts(1000 + NUMBERS[tuple(map(slice, sizes))].astype("i2")))[layout]
    expected = updated(x, update, starts, sizes)
    result = ssop.dynamic_update_slice(x, update, starts)
    assert same(result, expected) and result.flags.c_contiguous and result.base is None
    for _, out in layouts(np.full(SHAPE, -7, "i2")):
        assert ssop.dynamic_update_slice(x, update, starts, out=out) is out
        assert same(out, expected)
    assert ssop.dynamic_update_slice(x, update, starts, out=x) is x
    assert same(x, expected)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("window", WINDOWS)
def test_every_dtype(dtype, window):
    starts, sizes = WINDOWS[window]
    x = NUMBERS.astype(dtype)
    update = NUMBERS[::-1, ::-1, ::-1][tuple(map(slice, sizes))].astype(dtype)
    expected = updated(x, update, starts, sizes)
    assert same(ssop.dynamic_update_slice(x, update, starts), expected)
    out = np.empty(SHAPE, dtype)
    assert same(ssop.dynamic_update_slice(x, update, starts, out=out), expected)


@pytest.mark.parametrize("starts", [*itertools.product((0, 25), (0, 19), (0, 300))])
def test_windows_that_wrap(starts):
    update = 1000 + NUMBERS[:30, :20, :400]
    places = np.ix_(*(np.arange(s, s + n) % dim for s, n, dim in zip(starts, update.shape, SHAPE, strict=True)))
    expected = NUMBERS.copy()
    expected[places] = update
    assert same(ssop.dynamic_update_slice(NUMBERS, update, starts, out_of_bounds="wrap"), expected)


@pytest.mark.parametrize("axis", range(3))
def test_one_axis(axis):
    half = SHAPE[axis] // 2
    update = 1000 + NUMBERS.take(range(half), axis)
    expected = updated(NUMBERS, update, [3 * (axis == k) for k in range(3)], update.shape)
    assert same(ssop.xla.dynamic_update_slice_in_dim(NUMBERS, update, 3, axis), expected)
    for single in (update.take(0, axis), update.take([0], axis)):
        expected = NUMBERS.copy()
        expected[(slice(None),) * axis + (5,)] = update.take(0, axis)
        assert same(ssop.xla.dynamic_update_index_in_dim(NUMBERS, single, 5, axis), expected)


@pytest.mark.parametrize("shift", [1, -1, 520, -520, 30 * 520])
def test_out_s2_out_overlaps_operand_or_update(shift):
    """Parts that are copied one after another must not spoil each other's sources."""
    count, low, high = NUMBERS.size, max(shift, 0), max(-shift, 0)
    memory = np.arange(count + abs(shift))
    x, out = (memory[at : at + count].reshape(SHAPE) for at in (low, high))
    update = -1 - np.arange(20 * 30 * 520).reshape(20, 30, 520)
    expected = updated(x, update, (11, 0, 0), update.shape)
    assert same(ssop.dynamic_update_slice(x, update, [11, 0, 0], out=out), expected)
    memory[:] = np.arange(len(memory))
    update = x[:20]
    expected = updated(NUMBERS, update, (11, 0, 0), update.shape)
    assert same(ssop.dynamic_update_slice(NUMBERS, update, [11, 0, 0], out=out), expected)


SLICES = {
    "rows": np.s_[5:30],
    "rows backwards": np.s_[30:5:-1],
    "every other row": np.s_[::2],
    "columns": np.s_[:, :, 10:500],
    "columns backwards": np.s_[:, ::-1, 500:10:-1],
    "box": np.s_[30:3:-1, 2:25, 5:515],
    "one row": np.s_[7],
    "none": np.s_[5:5],
}


@pytest.mark.parametrize("dtype", ["f4", object], ids=str)
@pytest.mark.parametrize("name", SLICES)
def test_tensor_strided_slice_update(name, dtype):
    spec, x = ssop.StridedSliceSpec.from_index(SLICES[name]), NUMBERS.astype(dtype)
    part = x[SLICES[name]]
    for value in (1000 + part, np.array(1000, dtype), 1000 + part[..., :1]):
        expected = x.copy()
        expected[SLICES[name]] = value
        arguments = (spec.begin, spec.end, spec.strides, value)
        masks = {name: getattr(spec, name) for name in ("begin_mask", "end_mask", "shrink_axis_mask")}
        assert same(ssop.tensor_strided_slice_update(x, *arguments, **masks), expected)
        out = np.empty(SHAPE, dtype, order="F")
        assert ssop.tensor_strided_slice_update(x, *arguments, **masks, out=out) is out
        assert same(out, expected)


PADDINGS = {
    "around": [(2, 3, 0), (1, 0, 0), (0, 700, 0)],
    "cropped": [(-2, -3, 0), (-1, 0, 0), (0, -20, 0)],
    "both": [(-2, 30, 0), (40, -3, 0), (-1, 5, 0)],
    "between": [(1, 0, 0), (0, 0, 2), (3, 3, 1)],
    "as it is": [(0, 0, 0)] * 3,
}


@pytest.mark.parametrize("dtype", ["f4", "S5", object], ids=str)
@pytest.mark.parametrize("name", PADDINGS)
def test_pad_with_a_value(name, dtype):
    """Against padding, interior first, then cropping: never both at once."""
    x, value = NUMBERS.astype(dtype), np.array(7).astype(dtype)
    expected = x
    for axis, (low, high, interior) in enumerate(PADDINGS[name]):
        dims = list(expected.shape)
        dims[axis] += (dims[axis] - 1) * interior
        spread = np.full(dims, value)
        spread[(slice(None),) * axis + (slice(None, None, interior + 1),)] = expected
        dims[axis] += max(low, 0) + max(high, 0)
        padded = np.full(dims, value)
        inside = slice(max(low, 0), max(low, 0) + spread.shape[axis])
        padded[(slice(None),) * axis + (inside,)] = spread
        kept = slice(max(-low, 0), dims[axis] - max(-high, 0))
        expected = padded[(slice(None),) * axis + (kept,)]
    assert same(ssop.xla.pad(x, value, PADDINGS[name]), expected)
    out = np.empty(expected.shape, dtype, order="F")
    assert ssop.xla.pad(x, value, PADDINGS[name], out=out) is out
    assert same(out, expected)


@pytest.mark.skipif(not hasattr(mmap, "PROT_READ"), reason="no pages to take away")
@pytest.mark.parametrize("columns", [False, True])
def test_what_is_replaced_is_not_read(columns):
    """The operand's window is memory that may not be touched."""

    def update_hole(columns):
        import ctypes
        import mmap

        page = mmap.PAGESIZE
        memory = mmap.mmap(-1, 64 * 8 * page)
        operand = np.frombuffer(memory, np.uint8).reshape(64, 8 * page)
        operand[...] = np.arange(8 * page) % 251
        expected = operand.copy()
        window = np.s_[:, page : 6 * page] if columns else np.s_[5:60]
        expected[window] = 255
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        for hole in operand[window]:
            assert protect(hole.ctypes.data, hole.nbytes, 0) == 0
        update, start = np.full_like(expected[window], 255), [0, page] if columns else [5, 0]
        assert (ssop.dynamic_update_slice(operand, update, start) == expected).all()
        out = np.empty_like(expected)
        assert (ssop.dynamic_update_slice(operand, update, start, out=out) == expected).all()

    child.run(update_hole, columns)
