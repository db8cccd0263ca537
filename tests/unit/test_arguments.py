"""What may stand where an argument asks for integers, masks, bools, a policy or a shape, and what may not."""

import array
import collections
import decimal
import enum
import fractions
from collections.abc import Sequence

import ml_dtypes
import numpy as np
import pytest

import ssop

X = np.arange(30).reshape(5, 6)
INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
TYPE_CODES = "bhilqpBHILQP"
SMALL_INTS = [ml_dtypes.int4, ml_dtypes.uint4]


class Indexed:
    """An integer to Python, and nothing more."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value


class Vector(Sequence):
    def __init__(self, items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class OldStyle:
    """A sequence by __len__ and __getitem__ alone."""

    def __init__(self, items):
        self.items = list(items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]


class Whole(int):
    def __index__(self):  # Python does not ask an int
        raise AssertionError


class ListOfOurs(list):
    pass


class ArrayOfOurs(np.ndarray):
    pass


def strided(values):
    wide = np.full((len(values), 3), 99)
    wide[:, 1] = values
    return wide[::-1, 1][::-1]


def frozen(values):
    made = np.array(values)
    made.flags.writeable = False
    return made


FORMS = {
    "list": list,
    "tuple": tuple,
    "list subclass": ListOfOurs,
    "tuple subclass": type("Ours", (tuple,), {}),
    "deque": collections.deque,
    "UserList": collections.UserList,
    "Sequence": Vector,
    "old style": OldStyle,
    "memoryview": lambda v: memoryview(array.array("q", v)),
    "__index__": lambda v: [Indexed(i) for i in v],
    "int subclass": lambda v: tuple(map(Whole, v)),
    "enum": lambda v: list(map(enum.IntEnum("E", {f"m{i}": i for i in range(9)}), v)),
    "object array": lambda v: np.array(v, object),
    "object array of __index__": lambda v: np.array([Indexed(i) for i in v], object),
    "0-d arrays": lambda v: [np.array(i, np.int16) for i in v],
    "strided": strided,
    "frozen": frozen,
    "array subclass": lambda v: np.array(v).view(ArrayOfOurs),
    "unaligned": lambda v: np.frombuffer(b"\0" + np.array(v, "<i8").tobytes(), "<i8", offset=1),
    **{f"array.array {code}": lambda v, code=code: array.array(code, v) for code in "bBhHiIlLqQ"},
    **{
        f"{order}{code}": lambda v, code=code, order=order: np.array(v, np.dtype(code).newbyteorder(order))
        for code in TYPE_CODES
        for order in "<>"
    },
    **{f"scalars {code}": lambda v, code=code: [np.dtype(code).type(i) for i in v] for code in TYPE_CODES},
    **{kind.__name__: lambda v, kind=kind: np.array(v, kind) for kind in SMALL_INTS},
}


def calls(form):
    """Each vector argument of each function in this form, with the result that lists give."""
    begin, end, stride, size = form([1, 2]), form([4, 6]), form([2, 3]), form([2, 1])
    assert len(begin) == 2  # the forms are what they claim
    yield ssop.strided_slice(X, begin, end, stride), X[1:4:2, 2:6:3]
    yield ssop.slice(X, begin, end, stride), X[1:4:2, 2:6:3]
    yield ssop.dynamic_slice(X, begin, size), X[1:3, 2:3]
    updated = X.copy()
    updated[1:3, 2:3] = 0
    yield ssop.dynamic_update_slice(X, X[:2, :1] * 0, begin), updated
    spec = ssop.StridedSliceSpec(begin, end, stride)
    yield np.array([spec.begin, spec.end, spec.strides]), np.array([[1, 2], [4, 6], [2, 3]])
    yield np.array(spec.resolve(form([5, 6])).shape), np.array([2, 2])
    yield ssop.plan(spec, form([5, 6]), X.dtype)(X), X[1:4:2, 2:6:3]
    region = ssop.Region(form([5, 6]), [form([1, 2, 2]), form([2, 2, 3])], form([0, 1]))
    yield np.array(region.index, object), np.array([np.s_[1:4:2], np.s_[2:6:3]])


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_vectors(form):
    for result, expected in calls(form):
        assert np.array_equal(result, expected)


def test_a_range_is_a_vector():
    assert np.array_equal(ssop.strided_slice(X, range(1, 3), range(4, 7, 2)), X[1:4, 2:6])


def test_empty_vectors():
    for empty in ([], (), range(0), np.zeros(0, int), np.zeros(0), collections.deque()):
        assert np.array_equal(ssop.strided_slice(X, empty, empty), X)
        assert ssop.dynamic_slice(7, empty, empty).item() == 7


def test_negative_values_of_every_signed_type():
    for code in "bhilqp":
        vector = np.array([-2], np.dtype(code))
        assert np.array_equal(ssop.strided_slice(X, vector, [5]), X[-2:])
        assert np.array_equal(ssop.strided_slice(X, list(vector), [5]), X[-2:])


# ---- entries that are no integers (in_c1) ----------------------------------------------------------------------------

NO_INTEGERS = {
    "bool": True,
    "np.bool": np.True_,
    "0-d bool array": np.array(True),
    "float": 1.0,
    "np.float64": np.float64(1),
    "0-d float array": np.array(1.0),
    "1-d array": np.array([1]),
    "nan": float("nan"),
    "complex": 1j,
    "None": None,
    "str": "1",
    "bytes": b"1",
    "list": [1],
    "slice": slice(1),
    "Decimal": decimal.Decimal(1),
    "Fraction": fractions.Fraction(1),
    "timedelta64": np.timedelta64(1, "ns"),
    "datetime64": np.datetime64(1, "ns"),
    "Ellipsis": ...,
    "type": int,
}


@pytest.mark.parametrize("bad", NO_INTEGERS.values(), ids=NO_INTEGERS)
def test_entries_that_are_no_integers(bad):
    broken = {
        "begin": lambda v: ssop.strided_slice(X, v, [5, 6]),
        "end": lambda v: ssop.strided_slice(X, [0, 0], v),
        "strides": lambda v: ssop.strided_slice(X, [0, 0], [5, 6], v),
        "start_indices": lambda v: ssop.dynamic_slice(X, v, [1, 1]),
        "slice_sizes": lambda v: ssop.dynamic_slice(X, [0, 0], v),
        "limit_indices": lambda v: ssop.slice(X, [0, 0], v),
        "shape": lambda v: ssop.StridedSliceSpec([], []).resolve(v),
    }
    for name, call in broken.items():
        for form in (list, tuple, Vector, collections.deque):
            label, message = "in_c1", rf"{name} entry 1 is (an? |None)"
            if name == "shape" and form in (list, tuple) and (bad is None or isinstance(bad, str)):
                label, message = "rg_c6", "dim 1.* is not known"
            with pytest.raises(ssop.SliceTypeError, match=message) as info:
                call(form([1, bad]))
            assert (info.value.label, info.value.axis if label == "rg_c6" else info.value.entry) == (label, 1)
            assert info.value.value is bad


@pytest.mark.parametrize(
    "vector",
    [
        np.array([True, False]),
        np.array([1.0, 2.0]),
        np.array([1.0, 2.0], np.float16),
        np.array([1, 2], complex),
        np.array(["1", "2"]),
        np.array([b"1", b"2"]),
        np.array([1, 2], "M8[D]"),
        np.array([1, 2], "M8[ns]"),
        np.array([1, 2], "m8[D]"),
        np.array([1, 2], "m8[ns]"),
        np.array([1, 2], "m8[us]"),
        np.array([(1,), (2,)], [("a", int)]),
        np.array([1, 2], ml_dtypes.bfloat16),
        np.array(["1", "2"], np.dtypes.StringDType()),
        np.array([b"1", b"2"], "V8"),
        array.array("d", [1, 2]),
    ],
    ids=lambda vector: str(getattr(vector, "dtype", getattr(vector, "typecode", ""))),
)
def test_arrays_of_no_integers(vector):
    for call in (
        lambda: ssop.strided_slice(X, vector, [5, 6]),
        lambda: ssop.strided_slice(X, [0, 0], vector),
        lambda: ssop.dynamic_slice(X, vector, [1, 1]),
        lambda: ssop.slice(X, [0, 0], vector),
    ):
        with pytest.raises(ssop.SliceTypeError) as info:
            call()
        assert (info.value.label, info.value.entry) == ("in_c1", 0)


# ---- things that are no vectors (in_c5, in_c6) -----------------------------------------------------------------------

NO_VECTORS = {
    "int": 1,
    "np.int64": np.int64(1),
    "None": None,
    "str": "12",
    "str subclass": np.str_("12"),
    "bytes": b"12",
    "bytearray": bytearray(b"12"),
    "dict": {0: 1, 1: 2},
    "ordered dict": collections.OrderedDict({0: 1}),
    "set": {1, 2},
    "frozenset": frozenset({1, 2}),
    "generator": (i for i in (1, 2)),
    "iterator": iter([1, 2]),
    "map": map(int, "12"),
    "dict keys": {1: 2}.keys(),
    "float": 1.0,
    "Ellipsis": ...,
    "object": object(),
    "__index__": Indexed(1),
    "slice": slice(1, 2),
    "type": list,
}


@pytest.mark.parametrize("bad", NO_VECTORS.values(), ids=NO_VECTORS)
def test_things_that_are_no_vectors(bad):
    broken = {
        "begin": lambda: ssop.strided_slice(X, bad, [1]),
        "end": lambda: ssop.strided_slice(X, [0], bad),
        "start_indices": lambda: ssop.dynamic_update_slice(X, X, bad),
        "slice_sizes": lambda: ssop.dynamic_slice(X, [0, 0], bad),
        "limit_indices": lambda: ssop.slice(X, [0, 0], bad),
        "shape": lambda: ssop.StridedSliceSpec([], []).resolve(bad),
    }
    for name, call in broken.items():
        with pytest.raises(ssop.SliceTypeError, match=rf"{name} is (an? |None)") as info:
            call()
        assert info.value.label == "in_c5"
        assert info.value.value is bad


@pytest.mark.parametrize("shape", [(), (1, 1), (2, 1), (1, 2), (0, 0), (2, 0), (1,) * 64], ids=str)
def test_index_arrays_have_one_axis(shape):
    for call in (
        lambda v: ssop.strided_slice(X, v, [1]),
        lambda v: ssop.strided_slice(X, [1], [1], v),
        lambda v: ssop.dynamic_update_slice(X, [[1]], v),
        lambda v: ssop.slice(X, [0, 0], v),
        lambda v: ssop.StridedSliceSpec([], []).resolve(v),
    ):
        with pytest.raises(ssop.SliceValueError) as info:
            call(np.zeros(shape, int))
        assert (info.value.label, info.value.value) == ("in_c6", shape)


# ---- width (in_c2) ---------------------------------------------------------------------------------------------------

TOO_WIDE = [2**63, -(2**63) - 1, 2**64 - 1, 2**64, -(2**64), 10**30, -(10**30), 1 << 100_000]


@pytest.mark.parametrize("wide", TOO_WIDE, ids=lambda wide: f"{wide.bit_length()} bits, {'-+'[wide > 0]}")
def test_integers_beyond_int64(wide):
    for call in (
        lambda v: ssop.strided_slice(X, v, [1]),
        lambda v: ssop.strided_slice(X, [1], v),
        lambda v: ssop.strided_slice(X, [1], [1], v),
        lambda v: ssop.dynamic_slice(X[0], v, [1]),
        lambda v: ssop.dynamic_slice(X[0], [1], v),
        lambda v: ssop.dynamic_update_slice(X[0], [1], v),
        lambda v: ssop.slice(X[0], [0], v),
        lambda v: ssop.StridedSliceSpec([], []).resolve(v),
    ):
        for made in ([wide], (Indexed(wide),), np.array([wide], object), Vector([Whole(wide)])):
            with pytest.raises(ssop.SliceOverflowError) as info:
                call(made)
            assert (info.value.label, info.value.entry) == ("in_c2", 0)
            assert info.value.allowed == (INT64_MIN, INT64_MAX)


def test_the_ends_of_int64_are_inside():
    for vector in ([INT64_MIN], (INT64_MIN,), np.array([INT64_MIN]), np.array([INT64_MIN], object)):
        assert np.array_equal(ssop.strided_slice(X, vector, [INT64_MAX]), X)
        assert np.array_equal(ssop.strided_slice(X, [INT64_MAX], vector, vector), X[-1:])
        assert ssop.dynamic_slice(X[0], vector, [1]).tolist() == [0]
    assert ssop.dynamic_slice(X[0], [INT64_MAX], [1]).tolist() == [5]


UINT64_STARTS = {
    "<u8": np.array([2**63 + 5], "<u8"),
    ">u8": np.array([2**63 + 5], ">u8"),
    "ulonglong": np.array([2**63 + 5], np.ulonglong),
    "list of scalars": [np.uint64(2**63 + 5)],
    "list of ulonglong scalars": [np.ulonglong(2**63 + 5)],
    "list of 0-d arrays": [np.array(2**63 + 5, np.uint64)],
    "object array of scalars": np.array([np.uint64(2**63 + 5)], object),
}


@pytest.mark.parametrize("start", UINT64_STARTS.values(), ids=UINT64_STARTS)
def test_uint64_start_indices_saturate(start):
    """ds_s4, in every way that a NumPy uint64 comes along."""
    x = np.arange(8)
    assert ssop.dynamic_slice(x, start, [2]).tolist() == [6, 7]
    assert ssop.dynamic_slice(x, start, [2], out_of_bounds="wrap").tolist() == [5, 6]
    assert ssop.dynamic_slice(x, start, [2], allow_negative_indices=True).tolist() == [6, 7]
    assert ssop.dynamic_update_slice(x, [9], start).tolist() == [0, 1, 2, 3, 4, 5, 6, 9]
    with pytest.raises(ssop.SliceIndexError) as info:
        ssop.dynamic_slice(x, start, [2], out_of_bounds="raise")
    assert info.value.value == 2**63 + 5


def test_uint64_elsewhere_does_not_saturate():
    wide = np.array([2**63], np.uint64)
    for call in (
        lambda: ssop.strided_slice(X, [0], wide),
        lambda: ssop.slice(X[0], wide, [1]),
        lambda: ssop.dynamic_slice(X[0], [0], wide),
    ):
        with pytest.raises(ssop.SliceOverflowError):
            call()
    assert ssop.strided_slice(X[0], np.array([1], np.uint64), np.array([3], np.uint64)).tolist() == [1, 2]


# ---- masks (in_c3, in_c4) --------------------------------------------------------------------------------------------

MASK_NAMES = ["begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"]


@pytest.mark.parametrize("name", MASK_NAMES)
def test_masks(name):
    expected = ssop.strided_slice(X, [1], [2], **{name: 1})
    ones = [1, Whole(1), Indexed(1), np.array(1, ">i2"), enum.IntEnum("E", "one").one]  # as entries of vectors
    ones += [np.dtype(code).type(1) for code in TYPE_CODES]
    for one in ones:
        assert np.array_equal(ssop.strided_slice(X, [1], [2], **{name: one}), expected)
        assert getattr(ssop.StridedSliceSpec([1], [2], **{name: one}), name) == 1


@pytest.mark.parametrize("name", MASK_NAMES)
@pytest.mark.parametrize("bad", NO_INTEGERS.values(), ids=NO_INTEGERS)
def test_masks_are_integers(name, bad):
    with pytest.raises(ssop.SliceTypeError, match=rf"{name} is (an? |None)") as info:
        ssop.strided_slice(X, [1], [2], **{name: bad})
    assert (info.value.label, info.value.entry) == ("in_c4", None)
    assert info.value.value is bad


@pytest.mark.parametrize("name", MASK_NAMES)
def test_masks_fit_int32(name):
    for wide in (*TOO_WIDE, 2**31, -(2**31) - 1, np.uint32(2**32 - 1), np.int64(-(2**40))):
        with pytest.raises(ssop.SliceOverflowError, match=name) as info:
            ssop.StridedSliceSpec([1], [2], **{name: wide})
        assert (info.value.label, info.value.allowed) == ("in_c3", (-(2**31), 2**31 - 1))
    for most in (2**31 - 1, -(2**31)):
        if name != "ellipsis_mask" or most < 0:
            assert getattr(ssop.StridedSliceSpec([1], [2], **{name: most}), name) == most


# ---- allow_negative_indices (ds_c7) and out_of_bounds (ds_c6) --------------------------------------------------------

ROW = np.arange(8)
FLAG_FORMS = {
    "bool": bool,
    "np.bool": np.bool_,
    "0-d array": np.array,
    "list": lambda flag: [flag],
    "tuple": lambda flag: (np.bool_(flag),),
    "array": lambda flag: np.array([flag]),
    "deque": lambda flag: collections.deque([flag]),
    "UserList": lambda flag: collections.UserList([flag]),
    "Sequence": lambda flag: Vector([flag]),
    "list subclass": lambda flag: ListOfOurs([flag]),
}


@pytest.mark.parametrize("form", FLAG_FORMS.values(), ids=FLAG_FORMS)
def test_allow_negative_indices(form):
    yes, no = form(True), form(False)
    assert ssop.dynamic_slice(ROW, [-2], [2], allow_negative_indices=yes).tolist() == [6, 7]
    assert ssop.dynamic_slice(ROW, [-2], [2], allow_negative_indices=no).tolist() == [0, 1]
    assert ssop.dynamic_update_slice(ROW, [9], [-1], allow_negative_indices=yes).tolist() == [0, 1, 2, 3, 4, 5, 6, 9]
    assert ssop.dynamic_update_slice(ROW, [9], [-1], allow_negative_indices=no).tolist() == [9, 1, 2, 3, 4, 5, 6, 7]


def test_allow_negative_indices_per_axis():
    for flags, row, column in (
        ((True, False), 4, 0),
        ((False, True), 0, 5),
        ((True, True), 4, 5),
        ((False,) * 2, 0, 0),
    ):
        for form in (tuple, list, np.array):
            taken = ssop.dynamic_slice(X, [-1, -1], [1, 1], allow_negative_indices=form(flags))
            assert taken.item() == X[row, column]


NO_BOOLS = {
    "str": "False",
    "empty str": "",
    "None": None,
    "float": 0.0,
    "object": object(),
    "list of str": ["no"],
    "list of None": [None],
    "2-d array": np.array([[True]]),
    "float array": np.array([0.5]),
    "dict": {},
    "set": {True},
}


@pytest.mark.parametrize("bad", NO_BOOLS.values(), ids=NO_BOOLS)
def test_allow_negative_indices_rejects_what_is_no_bool(bad):
    """What is merely true or false to Python is most likely a mistake: "False" would be taken for yes."""
    for call in (
        lambda: ssop.dynamic_slice(ROW, [-2], [2], allow_negative_indices=bad),
        lambda: ssop.dynamic_update_slice(ROW, [9], [-2], allow_negative_indices=bad),
    ):
        with pytest.raises(ssop.SliceError) as info:
            call()
        assert (type(info.value), info.value.label) == (ssop.SliceTypeError, "in_c8")


@pytest.mark.parametrize("length", [0, 1, 3, 64, 65, 1000])
def test_allow_negative_indices_has_one_bool_per_axis(length):
    for flags in ([True] * length, (False,) * length, np.ones(length, bool)):
        with pytest.raises(ssop.SliceValueError) as info:
            ssop.dynamic_slice(X, [0, 0], [1, 1], allow_negative_indices=flags)
        assert (info.value.label, info.value.value, info.value.allowed) == ("ds_c7", length, (2, 2))


def test_out_of_bounds_takes_any_kind_of_str():
    policy = enum.Enum("Policy", {"WRAP": "wrap"}, type=str)
    for wrap in ("wrap", "".join("wrap"), np.str_("wrap"), policy.WRAP):
        assert ssop.dynamic_slice(ROW, [6], [4], out_of_bounds=wrap).tolist() == [6, 7, 0, 1]


@pytest.mark.parametrize(
    "bad", [None, 0, b"wrap", "WRAP", "wrap ", "wrap\0", "", "wr", "\udc80", ["wrap"], ...], ids=repr
)
def test_out_of_bounds_rejects_the_rest(bad):
    for call in (
        lambda: ssop.dynamic_slice(ROW, [6], [4], out_of_bounds=bad),
        lambda: ssop.dynamic_update_slice(ROW, [6], [4], out_of_bounds=bad),
    ):
        with pytest.raises(ssop.SliceValueError) as info:
            call()
        assert info.value.label == "ds_c6"
        assert info.value.value is bad


# ---- the order of the checks -----------------------------------------------------------------------------------------


def label_of(function, *arguments, **keywords):
    with pytest.raises(ssop.SliceError) as info:
        function(*arguments, **keywords)
    return info.value.label


def test_order_of_checks_dynamic_slice():
    """SPEC.md: ds_c6, ds_c1, ds_c2, ds_c7, then ds_c3, ds_c4, ds_c5 axis by axis."""
    bad = {"out_of_bounds": "no", "allow_negative_indices": [True] * 9}
    good = {"out_of_bounds": "raise"}
    assert label_of(ssop.dynamic_slice, X, [0], [1], **bad) == "ds_c6"
    bad["out_of_bounds"] = "raise"
    assert label_of(ssop.dynamic_slice, X, [0], [1], **bad) == "ds_c1"
    assert label_of(ssop.dynamic_slice, X, [0, 9], [1], **bad) == "ds_c2"
    assert label_of(ssop.dynamic_slice, X, [9, 9], [-1, 9], **bad) == "ds_c7"
    assert label_of(ssop.dynamic_slice, X, [9, 9], [-1, 9], **good) == "ds_c3"
    assert label_of(ssop.dynamic_slice, X, [0, 9], [1, 9], **good) == "ds_c4"
    assert label_of(ssop.dynamic_slice, X, [9, 9], [1, 9], **good) == "ds_c5"


def test_order_of_checks_dynamic_update_slice():
    """SPEC.md: ds_c6, dus_c4, dus_c1, dus_c2, ds_c7, then dus_c3, dus_c5 axis by axis."""
    wrong, bad = np.zeros(9, np.float16), {"out_of_bounds": "no", "allow_negative_indices": [True] * 9}
    assert label_of(ssop.dynamic_update_slice, X, wrong, [0], **bad) == "ds_c6"
    bad["out_of_bounds"] = "raise"
    assert label_of(ssop.dynamic_update_slice, X, wrong, [0], **bad) == "dus_c4"
    assert label_of(ssop.dynamic_update_slice, X, X[0], [0], **bad) == "dus_c1"
    assert label_of(ssop.dynamic_update_slice, X, X[0], [9, 9], **bad) == "dus_c2"
    assert label_of(ssop.dynamic_update_slice, X, X[:1], [9, 9], **bad) == "ds_c7"
    bad["allow_negative_indices"] = True
    assert label_of(ssop.dynamic_update_slice, X, np.vstack([X, X]), [9, 9], **bad) == "dus_c3"
    assert label_of(ssop.dynamic_update_slice, X[:, :3], X, [9, 9], **bad) == "dus_c5"


# ---- shapes ----------------------------------------------------------------------------------------------------------


def test_shapes_of_resolve_and_plan():
    spec = ssop.StridedSliceSpec([], [])
    for bad, error in (((3, -1), ValueError), ((1,) * 65, ValueError), ((0.5,), TypeError), (3, TypeError)):
        for call in (spec.resolve, spec.to_index, lambda shape: ssop.plan(spec, shape, int)):
            with pytest.raises(error):
                call(bad)
    assert spec.resolve((1,) * 64).shape == (1,) * 64
    assert spec.resolve((INT64_MAX, 0)).shape == (INT64_MAX, 0)
    assert spec.resolve(()).shape == ()


def test_plan_takes_what_numpy_takes_for_a_dtype():
    spec = ssop.StridedSliceSpec([1], [3])
    for name in ("i4", np.int32, np.dtype("i4"), "int32"):
        assert ssop.plan(spec, (4,), name).dtype == np.int32
    for bad in ("nonsense", object(), [("a",)]):
        with pytest.raises(TypeError):
            ssop.plan(spec, (4,), bad)


class ItsOwnDtype:
    """An object whose dtype is itself: NumPy asks it again and again."""

    @property
    def dtype(self):
        return self

    shape = (2,)


@pytest.mark.parametrize(
    "call, label",
    [
        (lambda x: ssop.xla.transfer_from_outfeed(x), "cm_c7"),
        (lambda x: ssop.xla.convert_element_type(np.zeros(2), x), "cvt_c1"),
        (lambda x: ssop.shapes.ShapeAndType([2], x), "sh_c36"),
        (lambda x: ssop.convert(slice(1), "tf", dtype=x), "cv_c9"),
    ],
    ids=["outfeed", "conversion", "handle", "convert"],
)
def test_a_dtype_that_is_itself_is_no_dtype(call, label):
    with pytest.raises(ssop.SliceError) as info:
        call(ItsOwnDtype())
    assert info.value.label == label
