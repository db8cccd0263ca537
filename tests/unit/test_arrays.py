"""What goes in and what comes out: every dtype, subclass, layout and shape, and the flags of results."""

import collections
import itertools
import threading
import warnings

import ml_dtypes
import numpy as np
import pytest
from numpy import ma
from numpy.lib.stride_tricks import as_strided

import ssop

STRINGS = np.dtypes.StringDType
ML_DTYPES = [
    name for name in dir(ml_dtypes) if isinstance(getattr(ml_dtypes, name), type) and name not in ("finfo", "iinfo")
]
NUMPY_CODES = "?" + np.typecodes["AllInteger"] + np.typecodes["AllFloat"] + "SUVMmO"

PLAIN = {
    **{f"{order}{code}": np.dtype(code).newbyteorder(order) for code in "hilqHILQefdgFDG" for order in "<>"},
    **{code: np.dtype(code) for code in "?bBcp"},
    **{name: np.dtype(getattr(ml_dtypes, name)) for name in ML_DTYPES},
    **{name: np.dtype(name) for name in ("S1", "S3", "S16", "S17", "U1", "<U5", ">U5", "V1", "V3", "V16", "V200")},
    **{f"{kind}{unit}": np.dtype(f"{kind}8[{unit}]") for kind in "Mm" for unit in ("ns", "D", "25s", "Y")},
    "M8": np.dtype("M8"),
    "m8": np.dtype("m8"),
    ">M8": np.dtype(">M8[us]"),
    "record": np.dtype([("a", "i4"), ("b", "f8")]),
    "padded": np.dtype({"names": ["a", "b"], "formats": ["i1", "f8"], "offsets": [1, 9], "itemsize": 24}),
    "overlapping": np.dtype({"names": ["a", "b"], "formats": ["i4", "i2"], "offsets": [0, 2]}),
    "aligned": np.dtype([("a", "i1"), ("b", "f8")], align=True),
    "titles": np.dtype([(("title", "a"), ">i2"), ("b", "S5")]),
    "nested": np.dtype([("a", [("b", "i2"), ("c", "f4", (2, 3))]), ("d", "M8[ms]")]),
    "sub-array": np.dtype([("a", "i2", (3,))]),
    "odd size": np.dtype([("a", "i1", (7,))]),
    "empty record": np.dtype([]),
    "metadata": np.dtype("i4", metadata={"unit": "metre"}),
    "record with metadata": np.dtype([("a", np.dtype("f4", metadata={"k": 1}))], metadata={"of": "all"}),
}
NO_BYTES = {name: np.dtype(name) for name in ("S0", "U0", "V0")}
WITH_REFERENCES = {
    "object": np.dtype(object),
    "record of objects": np.dtype([("a", "i4"), ("b", object)]),
    "nested objects": np.dtype([("a", [("b", object, (2,)), ("c", "i1")]), ("d", "S3")]),
    "unaligned objects": np.dtype({"names": ["a"], "formats": ["O"], "offsets": [3], "itemsize": 11}),
    "object with metadata": np.dtype(object, metadata={"kind": "graph"}),
}
STRING_DTYPES = {
    "StringDType": STRINGS(),
    "StringDType(na=None)": STRINGS(na_object=None),
    "StringDType(na=nan)": STRINGS(na_object=np.nan),
    "StringDType(na=str)": STRINGS(na_object="missing"),
    "StringDType(coerce=False)": STRINGS(coerce=False),
}
ALL = {**PLAIN, **NO_BYTES, **WITH_REFERENCES, **STRING_DTYPES}
LONG = "a string too long to be kept inside its sixteen bytes"


def fill_with_objects(view):
    """Every object in it, however deep, becomes one of its own."""
    if view.dtype.names is not None:
        for name in view.dtype.names:
            fill_with_objects(view[name])
    elif view.dtype.hasobject:
        objects = np.empty(view.size, object)
        objects[:] = [(i, str(i)) for i in range(view.size)]
        view[...] = objects.reshape(view.shape)


def filled(dtype, shape=(3, 4)):
    """An array whose items differ: random bytes where bytes are all there is."""
    count = int(np.prod(shape))
    if isinstance(dtype, STRINGS):
        made = np.array([f"{LONG} {i}" if i % 2 else LONG[: 3 * i] for i in range(count)], dtype)
        if hasattr(dtype, "na_object"):
            made[-1] = dtype.na_object
        return made.reshape(shape)
    if dtype.hasobject:
        made = np.zeros(shape, dtype)
        fill_with_objects(made)
        return made
    if dtype.itemsize == 0:  # np.empty would make S0 an S1
        return np.zeros(shape, [("field", dtype)])["field"]
    if dtype.kind == "U":
        letters = np.arange(65, 65 + count * dtype.itemsize // 4, dtype="u4")
        return letters.astype(np.dtype("u4").newbyteorder(dtype.byteorder)).view(dtype).reshape(shape)
    data = np.random.default_rng(7).integers(0, 2 if dtype.kind == "b" else 256, count * dtype.itemsize, np.uint8)
    return np.frombuffer(data.tobytes(), dtype).reshape(shape)


def as_bytes(x):
    """Plain items as opaque bytes: NumPy leaves out the padding when it copies a record."""
    opaque = x.dtype.names and not x.dtype.hasobject and x.dtype.itemsize
    return x.view(f"V{x.dtype.itemsize}") if opaque else x


def equal(a, b):
    """Same shape and items: by bytes where items are bytes."""
    assert a.shape == b.shape
    if a.dtype.hasobject or isinstance(a.dtype, STRINGS) or 0 in (a.itemsize, b.itemsize):
        return repr(a.tolist()) == repr(b.tolist())
    return as_bytes(a).ravel().tobytes() == as_bytes(b).ravel().tobytes()  # NumPy 2.2: at most 32 axes


def assert_fresh(result, *inputs):
    """out_s1: a base array that owns its memory, if it needs any (NumPy allocates no S0: it would make it an S1)."""
    assert type(result) is np.ndarray
    assert result.flags.c_contiguous
    assert result.flags.writeable
    assert result.flags.aligned
    if result.itemsize > 0:
        assert result.flags.owndata or not result.itemsize
        assert result.base is None
    assert not any(np.may_share_memory(result, np.asarray(x)) for x in inputs)


def takes(x):
    """Every operation on a (3, 4) array, and what NumPy says."""
    given, x = x, as_bytes(x)
    yield ssop.copy(given), x
    yield ssop.strided_slice(given, [0, 3], [3, 0], [2, -2]), x[::2, 3:0:-2]
    yield ssop.strided_slice(given, [1, 1], [0, 0], shrink_axis_mask=3), x[1, 1, ...]
    yield ssop.strided_slice(given, [2], [2]), x[2:2]
    yield ssop.slice(given, [1, 0], [3, 4], [1, 3]), x[1:3, 0:4:3]
    yield ssop.dynamic_slice(given, [9, 1], [2, 2]), x[1:3, 1:3]
    yield ssop.dynamic_slice(given, [2, 3], [2, 2], out_of_bounds="wrap"), x[[2, 0]][:, [3, 0]]
    yield ssop.plan(ssop.StridedSliceSpec([2], [0], [-1]), x.shape, given.dtype)(given), x[2:0:-1]
    updated = x.copy()
    updated[1:, 2:] = x[:2, :2]
    yield ssop.dynamic_update_slice(given, given[:2, :2], [1, 2]), updated


# ---- dtypes ----------------------------------------------------------------------------------------------------------


def test_the_dtypes_are_all_there():
    assert {dtype.char for dtype in ALL.values()} >= {np.dtype(code).char for code in NUMPY_CODES}
    assert all(filled(dtype).dtype == dtype for dtype in ALL.values())
    assert len(ML_DTYPES) >= 15
    assert len(ALL) >= 90


@pytest.mark.parametrize("dtype", ALL.values(), ids=ALL)
def test_every_operation_on_every_dtype(dtype):
    x = filled(dtype)
    before = as_bytes(x).copy()
    for result, expected in takes(x):
        assert equal(result, expected)
        assert_fresh(result, x)
        if isinstance(dtype, STRINGS):  # each array has a dtype object of its own, with the store of its strings
            assert result.dtype == x.dtype
        else:
            assert result.dtype is x.dtype
    assert equal(x, before)


@pytest.mark.parametrize("dtype", ALL.values(), ids=ALL)
def test_every_dtype_with_out(dtype):
    x = filled(dtype)
    empty = filled if dtype.itemsize == 0 else lambda dtype, shape: np.empty(shape, dtype)
    for out in (empty(dtype, (3, 4)), empty(dtype, (4, 3)).T, empty(dtype, (6, 8))[::-2, ::2]):
        assert ssop.copy(x, out=out) is out
        assert equal(out, x)
        assert ssop.dynamic_slice(x, [2, 3], [3, 4], out_of_bounds="wrap", out=out) is out
        assert equal(as_bytes(out), as_bytes(x)[[2, 0, 1]][:, [3, 0, 1, 2]])
        ssop.copyto(out, x)
        assert equal(out, x)
        assert ssop.dynamic_update_slice(out, x[:2, :2], [1, 2], out=out) is out
        assert equal(out[1:, 2:], x[:2, :2])
        assert equal(out[0], x[0])


@pytest.mark.parametrize("dtype", ALL.values(), ids=ALL)
def test_every_dtype_at_rank_0_and_empty(dtype):
    scalar = filled(dtype, (1,)).reshape(())
    for result in (ssop.copy(scalar), ssop.strided_slice(scalar, [], []), ssop.dynamic_slice(scalar, [], [])):
        assert equal(result, scalar)
        assert_fresh(result, scalar)
    assert ssop.dynamic_update_slice(scalar, scalar, []).shape == ()
    assert ssop.strided_slice(scalar, [0], [0], new_axis_mask=1).shape == (1,)
    empty = filled(dtype, (3, 0, 2)) if dtype.itemsize == 0 else np.empty((3, 0, 2), dtype)
    for result in (
        ssop.copy(empty),
        ssop.strided_slice(empty, [0], [3]),
        ssop.dynamic_update_slice(empty, empty, [0] * 3),
    ):
        assert result.shape == (3, 0, 2)
        assert result.dtype == dtype
        assert_fresh(result)


def test_bytes_are_moved_never_interpreted():
    patterns = np.array([0x7FF0000000000001, 0xFFF8DEADBEEF0000, 0x8000000000000000, 0x7FF8000000000000, 1], np.uint64)
    for dtype in (np.float64, np.complex64, "M8[ns]", "<U2", "S8", np.void(8).dtype):
        x = patterns.view(dtype)
        for result in (ssop.copy(x), ssop.strided_slice(x, [4], [-9], [-1])[::-1], ssop.dynamic_slice(x, [0], [5])):
            assert result.tobytes() == patterns.tobytes()
    booleans = np.array([0, 1, 2, 255], np.uint8).view(bool)
    assert ssop.strided_slice(booleans, [0], [4]).view(np.uint8).tolist() == [0, 1, 2, 255]
    padding = np.dtype({"names": ["a"], "formats": ["i1"], "offsets": [2], "itemsize": 5})
    raw = np.arange(20, dtype=np.uint8)
    assert ssop.copy(raw.view(padding)).tobytes() == raw.tobytes()


def test_metadata_and_titles_are_kept():
    for name in ("metadata", "record with metadata", "titles", "object with metadata"):
        x = filled(ALL[name])
        result = ssop.strided_slice(x, [1], [2])
        assert result.dtype.metadata == ALL[name].metadata
        assert result.dtype.fields == ALL[name].fields
    assert ssop.copy(filled(ALL["record with metadata"])).dtype["a"].metadata == {"k": 1}


def test_strings_of_a_result_are_its_own():
    x = filled(STRING_DTYPES["StringDType(na=nan)"])
    expected = [repr(item) for item in x.ravel()]
    result = ssop.copy(x)
    x[...] = "gone"
    del x
    assert [repr(item) for item in result.ravel()] == expected


def test_objects_are_shared_not_copied():
    item = [1]
    x = np.empty(3, object)
    x[:] = [item, item, None]
    result = ssop.strided_slice(x, [0], [3])
    assert result[0] is item
    assert result[2] is None
    null = np.empty(2, object)  # NumPy's null references read as None
    assert ssop.copy(null).tolist() == [None, None]


# ---- classes ---------------------------------------------------------------------------------------------------------


class Ours(np.ndarray):
    finalized = collections.Counter()  # by thread: the nightly checks run this in several at once

    def __array_finalize__(self, parent):
        Ours.finalized[threading.get_ident()] += 1

    def __array_wrap__(self, *arguments):
        raise AssertionError

    def __getitem__(self, index):
        raise AssertionError


def subclasses(tmp_path):
    x = np.arange(12).reshape(3, 4)
    mapped = np.memmap(tmp_path / "x.dat", x.dtype, "w+", shape=x.shape)
    mapped[...] = x
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PendingDeprecationWarning)
        matrix = np.matrix(x)
    yield matrix
    yield x.view(np.recarray)
    yield mapped
    yield np.memmap(tmp_path / "x.dat", x.dtype, "r", shape=x.shape)
    yield x.view(Ours)


def test_subclasses_give_base_arrays(tmp_path):
    x = np.arange(12).reshape(3, 4)
    count = 0
    for special in subclasses(tmp_path):
        before = Ours.finalized[threading.get_ident()]
        for result, (_, expected) in zip(
            (
                ssop.copy(special),
                ssop.strided_slice(special, [0, 3], [3, 0], [2, -2]),
                ssop.strided_slice(special, [1, 1], [0, 0], shrink_axis_mask=3),
                ssop.strided_slice(special, [2], [2]),
                ssop.slice(special, [1, 0], [3, 4], [1, 3]),
                ssop.dynamic_slice(special, [9, 1], [2, 2]),
            ),
            takes(x),
            strict=False,
        ):
            assert equal(result, expected)
            assert_fresh(result, special)
        assert_fresh(ssop.dynamic_update_slice(special, special, [0, 0]), special)
        assert_fresh(ssop.dynamic_update_slice(x, special, [0, 0]), special, x)
        assert Ours.finalized[threading.get_ident()] == before
        count += 1
    assert count == 5


def test_subclasses_of_records():
    records = np.rec.array([(1, 2.0), (3, 4.0)], names="a,b")
    result = ssop.strided_slice(records, [1], [2])
    assert type(result) is np.ndarray
    assert result.dtype is records.dtype
    assert ssop.copy(records[0]).item() == (1, 2.0)  # a scalar of a record


def test_masked_arrays_keep_their_mask():
    x = ma.array(np.arange(12).reshape(3, 4), mask=np.arange(12).reshape(3, 4) % 5 == 0, fill_value=-7)
    for result, expected in (
        (ssop.copy(x), x),
        (ssop.strided_slice(x, [0, 3], [3, 0], [2, -2]), x[::2, 3:0:-2]),
        (ssop.strided_slice(x, [1], [0], shrink_axis_mask=1), x[1]),
        (ssop.strided_slice(x, [1, 1], [0, 0], shrink_axis_mask=3), x[1, 1, ...]),
        (ssop.strided_slice(x, [0, 0], [1, 0], shrink_axis_mask=2), x[0:1, 0]),
        (ssop.strided_slice(x, [0], [0], new_axis_mask=1), x[None]),
        (ssop.slice(x, [1, 0], [3, 4], [1, 3]), x[1:3, ::3]),
        (ssop.dynamic_slice(x, [9, 1], [2, 2]), x[1:, 1:3]),
    ):
        assert type(result) is ma.MaskedArray
        assert result.shape == expected.shape
        assert np.array_equal(ma.getmaskarray(result), ma.getmaskarray(expected))
        assert result.filled().tolist() == expected.filled().tolist()
        assert result.fill_value == -7
        assert not np.may_share_memory(result.data, x.data)
        result[...] = 99
        assert x.sum() == sum(i for i in range(12) if i % 5)


def test_masked_scalars_and_records():
    masked = ssop.strided_slice(ma.array([1, 2], mask=[1, 0]), [0], [0], shrink_axis_mask=1)
    assert type(masked) is ma.MaskedArray
    assert masked.shape == ()
    assert masked.mask
    records = ma.array([(1, 2.0), (3, 4.0)], mask=[(1, 0), (0, 1)], dtype=[("a", int), ("b", float)])
    assert ssop.strided_slice(records, [1], [2]).mask.tolist() == [(False, True)]
    assert ssop.strided_slice(records, [0], [0], shrink_axis_mask=1).mask.tolist() == (True, False)


def test_a_masked_array_is_updated_as_a_masked_array():
    x = ma.array([1, 2, 3, 4], mask=[1, 0, 0, 0])
    result = ssop.dynamic_update_slice(x, [9, 9], [2])
    assert (result.tolist(), x.tolist()) == ([None, 2, 9, 9], [None, 2, 3, 4])
    assert ssop.dynamic_update_slice(x, ma.array([7, 8], mask=[0, 1]), [0]).tolist() == [7, None, 3, 4]
    assert ssop.dynamic_update_slice(x, [9], [0]).tolist() == [9, 2, 3, 4]


def test_lists_and_scalars_become_arrays():
    for given in ([[1, 2], [3, 4]], ((1.5, 2), (3, 4)), [["a", "bc"], ["d", "e"]], [[True, 2.5], [1j, 0]]):
        expected = np.asarray(given)
        result = ssop.strided_slice(given, [1, 0], [2, 1])
        assert equal(result, expected[1:2, 0:1])
        assert result.dtype == expected.dtype
        assert_fresh(result)
    for scalar in (
        5,
        5.5,
        5j,
        True,
        "text",
        b"bytes",
        np.float32(5),
        np.datetime64(5, "s"),
        10**30,
        np.void(b"ab"),
    ):
        result = ssop.copy(scalar)
        assert equal(result, np.asarray(scalar))
        assert result.dtype == np.asarray(scalar).dtype
        assert_fresh(result)
    for buffer in (bytearray(b"abc"), memoryview(b"abc"), range(97, 100)):
        assert ssop.copy(buffer).tolist() == [97, 98, 99]


def test_in_c12_none_is_no_array():
    x = np.arange(3)
    for op, call in {
        "strided_slice": lambda: ssop.strided_slice(None, [0], [1]),
        "xla.rev": lambda: ssop.xla.rev(None, [0]),
        "strided_slice_grad": lambda: ssop.strided_slice_grad([3], [0], [1], [1], None),
        "strided_slice_assign": lambda: ssop.strided_slice_assign(x, [0], [1], [1], None),
        "xla.pad": lambda: ssop.xla.pad(x, None, [(0, 0, 0)]),
        "copyto": lambda: ssop.copyto(x, None),
    }.items():
        with pytest.raises(ssop.SliceTypeError, match="is None, not an array") as info:
            call()
        assert (info.value.op, info.value.label) == (op, "in_c12")


def test_none_is_an_object_among_objects():
    x = np.array([1, 2], object)
    assert ssop.strided_slice([None, 1], [0], [1]).tolist() == [None]
    assert ssop.tensor_strided_slice_update(x, [0], [1], [1], None).tolist() == [None, 2]
    assert ssop.tensor_strided_slice_update([None, 5], [1], [2], [1], None).tolist() == [None, None]
    assert ssop.xla.pad(x, None, [(1, 0, 0)]).tolist() == [None, 1, 2]
    ssop.strided_slice_assign(x, [0], [1], [1], None)
    assert x.tolist() == [None, 2]


# ---- shapes and layouts ----------------------------------------------------------------------------------------------


def test_rank_64():
    shape = tuple(2 if axis in (0, 30, 63) else 1 for axis in range(64))
    x = np.arange(8).reshape(shape)
    assert equal(ssop.copy(x), x)
    reverse = ssop.strided_slice(x, [-1] * 31, [-9] * 31, [-1] * 31)
    assert equal(reverse, x[(slice(None, None, -1),) * 31])
    assert ssop.dynamic_slice(x, [1] * 64, [1] * 64).item() == 7
    assert ssop.dynamic_slice(x, [1] * 64, shape, out_of_bounds="wrap").ravel().tolist() == [7, 6, 5, 4, 3, 2, 1, 0]
    assert ssop.dynamic_update_slice(x, np.full((1,) * 64, 9), [1] * 64).ravel().tolist() == [0, 1, 2, 3, 4, 5, 6, 9]
    assert ssop.slice(x, [0] * 64, shape).shape == shape
    assert ssop.slice(x.astype(object), [0] * 64, shape).ravel().tolist() == [*range(8)]
    assert ssop.strided_slice(x[(0,) * 31], [0] * 31, [0] * 31, new_axis_mask=2**31 - 1).ndim == 64


@pytest.mark.parametrize(
    "shape", [(0,), (0, 5), (5, 0), (0, 2**40), (2**31, 0, 2**31), (1, 0, 1), (0,) * 64, (0, 2**62)], ids=str
)
def test_empty_shapes(shape):
    x = np.empty(shape, np.int8)
    assert ssop.copy(x).shape == shape
    assert ssop.strided_slice(x, [0], [shape[0]], [-1], begin_mask=1, end_mask=1).shape == shape
    assert ssop.dynamic_slice(x, [5] * x.ndim, shape).shape == shape
    assert ssop.dynamic_update_slice(x, x, [0] * x.ndim).shape == shape
    assert ssop.slice(x, [0] * x.ndim, shape).shape == shape
    out = np.empty(shape, np.int8)
    assert ssop.copy(x, out=out) is out


def layouts():
    base = np.arange(3 * 4 * 5).reshape(3, 4, 5)
    yield "F", np.asfortranarray(base)
    for axes in itertools.permutations(range(3)):
        yield f"transposed {axes}", np.ascontiguousarray(base.transpose(axes)).transpose(np.argsort(axes))
    yield "negative", base[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1]
    yield "stepped", np.repeat(base, 3, axis=1)[:, ::3]
    yield "broadcast rows", np.broadcast_to(base[:1], base.shape)
    yield "broadcast one", np.broadcast_to(base[0, 0, 0], base.shape)
    frozen = base.copy()
    frozen.flags.writeable = False
    yield "read-only", frozen
    raw = np.zeros(base.nbytes + 1, np.uint8)
    unaligned = raw[1:].view(base.dtype).reshape(base.shape)
    unaligned[...] = base
    yield "unaligned", unaligned
    yield "swapped", base.astype(base.dtype.newbyteorder())
    yield "field", np.rec.fromarrays([base, base * 0], names="a,b").view(np.ndarray)["a"]
    yield "overlapping windows", as_strided(np.arange(20), (3, 4, 5), (8, 16, 8))
    yield "buffer", np.frombuffer(base.tobytes(), base.dtype).reshape(base.shape)


LAYOUTS = dict(layouts())


@pytest.mark.parametrize("x", LAYOUTS.values(), ids=LAYOUTS)
def test_every_operation_on_every_layout(x):
    before = x.copy()
    for result, expected in (
        (ssop.copy(x), x),
        (ssop.strided_slice(x, [2, 0, 9], [0, 4, -9], [-1, 2, -3]), x[2:0:-1, 0:4:2, ::-3]),
        (ssop.slice(x, [0, 1, 2], [3, 4, 5], [2, 2, 1]), x[0:3:2, 1:4:2, 2:]),
        (ssop.dynamic_slice(x, [1, 9, -9], [2, 2, 2]), x[1:, 2:, :2]),
        (ssop.dynamic_slice(x, [2, 3, 4], [2, 2, 2], out_of_bounds="wrap"), x[[2, 0]][:, [3, 0]][:, :, [4, 0]]),
        (ssop.plan(ssop.StridedSliceSpec([2], [0], [-1]), x.shape, x.dtype)(x), x[2:0:-1]),
    ):
        assert equal(result, np.ascontiguousarray(expected))
        assert result.dtype is x.dtype
        assert_fresh(result, x)
    updated = ssop.dynamic_update_slice(x, x[:2, :2, :2], [1, 2, 3])
    expected = x.copy()
    expected[1:, 2:, 3:] = x[:2, :2, :2]
    assert equal(updated, np.ascontiguousarray(expected))
    assert equal(np.ascontiguousarray(x), np.ascontiguousarray(before))


def test_strides_of_unit_axes_are_ignored():
    """The lesson of bottleneck issue 381: a unit axis may have any stride."""
    for stride in (2**62, -(2**62), -(2**63), 2**63 - 1, 1, 0):
        x = as_strided(np.arange(6), (1, 6, 1), (stride, 8, stride))
        assert ssop.copy(x).ravel().tolist() == [0, 1, 2, 3, 4, 5]
        assert ssop.strided_slice(x, [0, 5, 0], [1, 0, 1], [1, -2, 1]).ravel().tolist() == [5, 3, 1]
        out = as_strided(np.zeros(6, int), (1, 6, 1), (stride, 8, stride))
        assert ssop.copy(x, out=out) is out
        assert out.ravel().tolist() == [0, 1, 2, 3, 4, 5]
