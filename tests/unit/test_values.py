"""Lists and scalars that are given as values: what they become, and that nothing is lost (val_c1..val_c4, val_s1).

Oracles: NumPy's own promotion of Python scalars (NEP 50) for kinds, its conversion for results, and ssop.reference.
"""

import datetime
import itertools
import math
import warnings
from collections import UserList, deque
from decimal import Decimal
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest

import ssop
from ssop import reference
from ssop.reference import Rejected

NUMBERS = ("bool", "int8", "uint8", "int16", "uint32", "int64", "uint64", "float16", "float32", "float64", "complex64")
INTS = (0, 1, -1, 127, 128, -128, -129, 255, 256, 65519, -65520, 2**31, 2**53 + 1, 2**60 + 2**36 + 1, 2**63 - 1, 2**63,
        -(2**63), 2**64 - 1, 2**64, 10**30, 10**400)  # fmt: skip
FLOATS = (0.0, -0.0, 1.0, 1.9, 0.1, 1e-30, 1e-310, 1e-45, 1e-39, 3e-8, 65504.0, 65519.9, 65520.0, 70000.0,
          3.4028235677973364e38, 3.4028235677973366e38, 1e300, math.inf, -math.inf, math.nan)  # fmt: skip
SCALARS = (True, False, *INTS, *FLOATS, 1j, 3 + 0j, 1e39j, "7", "", b"7", None)


def outcome(function, *arguments):
    """The result, or what the error says."""
    try:
        return function(*arguments)
    except (ssop.SliceError, Rejected) as error:
        label = "val_c1" if error.label == "in_c12" else error.label  # None that is given alone
        return label, error.entry, error.allowed


def converted(value, dtype, shape=None):
    """What is written to an array of `dtype`, by the shortest way: copyto."""
    dst = np.zeros(np.shape(value) if shape is None else shape, dtype)
    ssop.copyto(dst, value)
    return dst


def same(a, b):
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def reference_array(value, dtype):
    result = reference.convert_value(value, dtype)
    return np.array(result.items, dtype).reshape(result.shape)


# ---- scalars ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", NUMBERS)
def test_scalars_equal_the_reference(dtype):
    for value in SCALARS:
        ours = outcome(converted, value, dtype, ())
        theirs = outcome(reference_array, value, dtype)
        if isinstance(theirs, tuple):
            assert ours == theirs, value
        else:
            assert same(ours, theirs), value


@pytest.mark.parametrize("dtype", NUMBERS)
def test_lists_equal_the_reference(dtype):
    """Any two scalars beside each other: neither changes what becomes of the other."""
    for value in map(list, itertools.product(SCALARS, repeat=2)):
        ours = outcome(converted, value, dtype, 2)
        theirs = outcome(reference_array, value, dtype)
        if isinstance(theirs, tuple):
            assert ours == theirs, value
        else:
            assert same(ours, theirs), value


@pytest.mark.parametrize("dtype", ["f2", "f4", ">f4", "i1", ">i4", "u8"])
def test_lists_that_fit_convert_under_every_floating_point_setting(dtype):
    """Also those whose cast by NumPy would report an overflow, an underflow or a NaN."""
    numbers = INTS if np.dtype(dtype).kind in "iu" else FLOATS
    for value in itertools.product(numbers, repeat=2):
        quiet = outcome(converted, list(value), dtype, 2)
        with np.errstate(all="raise"):
            strict = outcome(converted, list(value), dtype, 2)
        assert strict == quiet if isinstance(quiet, tuple) else same(strict, quiet)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_val_s1_kinds_are_those_of_numpy(dtype):
    """NEP 50: a Python scalar changes the dtype of an array where ssop raises val_c1, and nowhere else."""
    for value in (True, 1, 1.5, 1j):
        weak = np.result_type(np.dtype(dtype), value) == np.dtype(dtype)
        result = outcome(converted, value, dtype, ())
        assert weak == (not isinstance(result, tuple) or result[0] != "val_c1"), value


@pytest.mark.parametrize("dtype", NUMBERS[1:])
def test_val_c2_integers_out_of_range_are_those_of_numpy(dtype):
    for value in INTS[:-1]:
        with warnings.catch_warnings(), np.errstate(over="raise"):
            try:
                theirs = np.full((), value, dtype)
            except (OverflowError, FloatingPointError):
                theirs = None
        ours = outcome(converted, value, dtype, ())
        assert ours[0] == "val_c2" if theirs is None or not np.isfinite(theirs) else same(ours, theirs)


# ---- every operation -------------------------------------------------------------------------------------------------

X = np.arange(6, dtype=np.int16)
OPERATIONS = {
    "strided_slice_assign": lambda x, v: ssop.strided_slice_assign(x, [0], [1], [1], [v]),
    "tensor_strided_slice_update": lambda x, v: ssop.tensor_strided_slice_update(x, [0], [1], [1], [v]),
    "dynamic_update_slice": lambda x, v: ssop.dynamic_update_slice(x, [v], [0]),
    "xla.dynamic_update_slice_in_dim": lambda x, v: ssop.xla.dynamic_update_slice_in_dim(x, [v], 0, 0),
    "xla.dynamic_update_index_in_dim": lambda x, v: ssop.xla.dynamic_update_index_in_dim(x, v, 0, 0),
    "xla.pad": lambda x, v: ssop.xla.pad(x, v, [(1, 0, 0)]),
    "xla.clamp": lambda x, v: ssop.xla.clamp(v, x, v),
    "xla.select": lambda x, v: ssop.xla.select(True, [v] * 6, x),
    "copyto": lambda x, v: ssop.copyto(x, [v] * 6) or x,
}
BAD = [(1.9, "val_c1"), ("7", "val_c1"), (None, "val_c1"), (math.nan, "val_c1"), (1j, "val_c1"), (2**15, "val_c2"),
       (10**5000, "val_c2"), ([[1], [2, 3]], "val_c4")]  # fmt: skip


@pytest.mark.parametrize("op", OPERATIONS)
@pytest.mark.parametrize(("value", "label"), BAD, ids=range(len(BAD)))
def test_every_operation_follows_the_rules(op, value, label):
    x = X.copy()
    with pytest.raises(ssop.SliceError) as info:
        OPERATIONS[op](x, value)
    assert info.value.op == op
    assert info.value.label == label or (value is None and info.value.label == "in_c12")
    assert np.array_equal(x, X)


@pytest.mark.parametrize("op", OPERATIONS)
def test_every_operation_takes_what_fits(op):
    assert OPERATIONS[op](X.copy(), -7).dtype == X.dtype
    assert OPERATIONS[op](X.copy(), -7)[0] == -7
    assert OPERATIONS[op](X.astype("f4"), 0.1)[0] == np.float32(0.1)


def test_arrays_have_a_dtype():
    """The rules of values are not theirs."""
    for value, label in ((bytearray(b"1"), "pad_c1"), (memoryview(b"1"), "pad_c1"), (np.void(b"ab"), "pad_c3")):
        with pytest.raises(ssop.SliceError) as info:
            ssop.xla.pad(X, value, [(1, 0, 0)])
        assert info.value.label == label
    for op in ("strided_slice_assign", "tensor_strided_slice_update", "dynamic_update_slice", "copyto"):
        with pytest.raises(ssop.SliceTypeError, match=r"\.astype\('int16'\) converts it \[(as_c2|dus_c4|out_c3)\]$"):
            getattr(ssop, op)(
                *{"copyto": (X, X.astype("i4")), "dynamic_update_slice": (X, X.astype("i4"), [0])}.get(
                    op, (X.copy(), [0], [6], [1], X.astype("i4"))
                )
            )


# ---- scalars of NumPy's, and arrays without axes ---------------------------------------------------------------------

NUMPY_SCALARS = [
    kind(value) for kind in (np.bool_, np.int8, np.uint8, np.int32, np.int64, np.uint64) for value in (0, 1)
]
NUMPY_SCALARS += [np.int8(-128), np.int32(2**31 - 1), np.int64(-(2**63)), np.uint64(2**64 - 1), np.int64(2**53 + 1)]
NUMPY_SCALARS += [
    kind(value) for kind in (np.float16, np.float32, np.float64) for value in (0.5, -0.0, math.inf, math.nan)
]
NUMPY_SCALARS += [
    np.float64(0.1),
    np.float64(1e300),
    np.float32(65520.0),
    np.float16(1),
    np.complex64(1j),
    np.complex128(2),
]
NUMPY_SCALARS += [np.str_("7"), np.bytes_(b"7"), np.datetime64("2020"), np.timedelta64(3, "s")]


@pytest.mark.parametrize("dtype", NUMBERS)
def test_val_s2_numpy_scalars_equal_the_reference(dtype):
    """Alone, as arrays without axes, in either byte order, and as arrays of one object."""
    for value in NUMPY_SCALARS:
        theirs = outcome(reference_array, value, dtype)
        swapped = np.array(value).astype(value.dtype.newbyteorder())
        for given in (value, np.array(value), swapped, np.array(value, object)):
            ours = outcome(converted, given, dtype, ())
            if isinstance(theirs, tuple):
                assert ours == theirs, (given, dtype)
            else:
                assert same(ours, theirs), (given, dtype)


@pytest.mark.parametrize("dtype", NUMBERS)
def test_val_s2_numpy_scalars_are_those_of_numpy_if_they_fit(dtype):
    """NumPy's own assignment, where it keeps the kind and is finite; what it would cut off is an error."""
    for value in NUMPY_SCALARS:
        ours = outcome(converted, value, dtype, ())
        kept = "biufc".find(value.dtype.kind.replace("u", "i")) in range("biufc".find(np.dtype(dtype).kind) + 1)
        if not isinstance(ours, tuple):
            with np.errstate(all="ignore"):
                assert kept and same(ours, np.array(value).astype(dtype)), (value, dtype)
        elif kept:
            with np.errstate(all="ignore"):
                cut = np.array(value).astype(dtype)
            assert ours[0] == "val_c2" and (cut != value or not np.isfinite(cut)), (value, dtype)


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        ("M8[s]", np.datetime64("NaT")), ("M8[s]", np.datetime64("NaT", "ns")), ("M8[s]", np.datetime64("2020-02-03")),
        ("M8[ns]", np.array("2020", "M8[Y]")), ("m8[s]", np.timedelta64("NaT")), ("m8[s]", np.timedelta64(2, "D")),
        ("m8[s]", np.int32(4)), ("U3", np.str_("ab")), ("S3", np.bytes_(b"ab")), ("V2", np.void(b"ab")),
        (ml_dtypes.bfloat16, np.float64(0.5)), ("f4", ml_dtypes.bfloat16(0.5)), (ml_dtypes.int4, np.int64(7)),
        ("i1", ml_dtypes.int4(-8)), ("c16", np.float32(2)), ("O", np.datetime64("2020-01-01", "ns")),
        (np.longdouble, np.longdouble(1) / 3),
        ([("a", "i4"), ("b", "f4")], np.array((1, 2), [("a", "i4"), ("b", "f4")])),
    ],
)  # fmt: skip
def test_val_s2_what_is_taken(dtype, value):
    """As NumPy's assignment, in every operation that takes a value."""
    expected = np.zeros(2, dtype)
    expected[...] = value
    for given in (value, np.array(value), np.array(value)[()]):
        x = np.zeros(2, dtype)
        assert repr(ssop.strided_slice_assign(x, [0], [2], [1], given)) == repr(expected)
        assert repr(ssop.tensor_strided_slice_update(x, [0], [2], [1], given)) == repr(expected)
        assert repr(ssop.xla.pad(x[:0], given, [(1, 1, 0)])) == repr(expected)
        assert repr(ssop.xla.dynamic_update_index_in_dim(np.zeros(1, dtype), given, 0, 0)) == repr(expected[:1])


@pytest.mark.parametrize(
    ("dtype", "value", "label"),
    [
        ("M8[s]", np.datetime64(5, "ns"), "val_c3"), ("M8[s]", np.timedelta64("NaT"), "val_c1"),
        ("m8[s]", np.datetime64("NaT"), "val_c1"), ("i8", np.timedelta64(1), "val_c1"),
        ("M8[s]", np.int64(1), "val_c1"),
        ("U1", np.str_("ab"), "val_c3"), ("S3", np.str_("a"), "val_c1"), ("i4", np.str_("1"), "val_c1"),
        (ml_dtypes.int4, np.int64(8), "val_c2"), (ml_dtypes.float8_e4m3fn, np.float32(1e5), "val_c2"),
        ("V2", np.void(b"a"), "as_c2"), ("i4", np.void(b"abcd"), "as_c2"), ("f4", np.array(None, object), "val_c1"),
        ([("a", "i4")], np.array((1,), [("a", "i8")])[()], "as_c2"), ("f8", np.longdouble("1e400"), "val_c2"),
    ],
)  # fmt: skip
def test_val_s2_what_is_an_error(dtype, value, label):
    for given in (value, np.array(value)):
        x = np.zeros(2, dtype)
        with pytest.raises(ssop.SliceError) as info:
            ssop.strided_slice_assign(x, [0], [2], [1], given)
        assert info.value.label == label
        assert x.tobytes() == np.zeros(2, dtype).tobytes()


def test_val_s2_select_and_clamp():
    x = np.arange(3, dtype=np.float32)
    assert ssop.xla.clamp(np.float64(0.5), x, np.array(1)).tolist() == [0.5, 1.0, 1.0]
    with pytest.raises(ssop.SliceTypeError, match="val_c1"):
        ssop.xla.clamp(np.float64(0.5), np.arange(3), 2)
    small = np.array(2, np.float32)
    assert ssop.xla.select(True, small, 3.5).dtype == ssop.xla.select(False, 1, small).dtype == np.float32
    with pytest.raises(ssop.SliceTypeError, match="sel_c2"):  # neither is an array
        ssop.xla.select(True, small, np.float64(3))


# ---- items -----------------------------------------------------------------------------------------------------------


class Index:
    def __index__(self):
        return 5


class Whole:
    def __int__(self):
        return 5


class Real:
    def __float__(self):
        return 5.0


class Liar(int):
    """Its own methods say something else than its value."""

    def __int__(self):
        return 99

    __index__ = __float__ = __int__


class LyingFloat(float):
    def __float__(self):
        return 99.0


@pytest.mark.parametrize("number", [Whole(), Real(), Decimal(5), Fraction(5), object(), {1: 2}, {1}, ...])
def test_val_c1_objects_that_are_no_numbers(number):
    for value in (number, [number]):
        for dtype in ("i2", "f4", "c16", "U9", "M8[s]"):
            assert outcome(converted, value, dtype, np.shape(value) if value is not number else ())[0] == "val_c1"


@pytest.mark.parametrize("dtype", ["i2", "i8", "u8", "f4", "f8", "c16"])
def test_an_index_is_an_integer_and_subclasses_count_by_value(dtype):
    assert converted(Index(), dtype, ()) == 5
    assert converted([Index(), Liar(3)], dtype, 2).tolist() == [5, 3]
    assert converted([4, Liar(3)], dtype, 2).tolist() == [4, 3]
    if dtype[0] in "fc":
        assert converted(LyingFloat(2.5), dtype, ()) == 2.5
        assert converted([LyingFloat(2.5), 1.0], dtype, 2).tolist() == [2.5, 1.0]
    assert outcome(converted, Index(), "?", ()) == ("val_c1", None, None)


def test_numpy_numbers_inside_lists_count_as_numbers():
    assert converted([np.int64(3), np.bool_(True)], "i1", 2).tolist() == [3, 1]
    assert outcome(converted, [np.int64(300)], "i1", 1) == ("val_c2", 0, (-128, 127))
    assert outcome(converted, [np.float32(3)], "i1", 1) == ("val_c1", 0, None)
    assert converted([np.array([1, 2]), [3, 4]], "i2", (2, 2)).tolist() == [[1, 2], [3, 4]]
    assert outcome(converted, [np.longdouble("1e400")], "f8", 1)[0] == "val_c2"
    assert converted([np.longdouble("1e400")], np.longdouble, 1) == np.longdouble("1e400")


@pytest.mark.parametrize(
    ("dtype", "other"),
    [(np.longdouble, 0), (np.longdouble, 0.5), (np.longdouble, -1), (np.clongdouble, 0.5), (np.clongdouble, 2j)],
)
def test_ints_beside_other_numbers_keep_the_digits_of_long_double(dtype, other):
    numbers = [2**63 + 1, other]
    assert np.array_equal(converted(numbers, dtype, 2), np.array([dtype(number) for number in numbers]))


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_ints_are_rounded_as_by_numpy(dtype):
    """By way of float64, so that this one, just above the middle of two float32, becomes the lower one."""
    number = 2**15 + 2**4 + 1 if dtype == "float16" else 2**60 + 2**36 + 1
    for value in (number, [number], [number, 0.5]):
        assert np.array_equal(converted(value, dtype, np.shape(value)), np.array(value, dtype))


@pytest.mark.parametrize("dtype", ["int8", "int32", "uint16", "float16", "float32"])
@pytest.mark.parametrize("order", "<>")
def test_lists_of_arrays_of_either_byte_order(order, dtype):
    """A list of one array has its byte order: 2**56 of the other order would look like 1."""
    assert converted([np.array([1], f"{order}i8")], dtype, (1, 1)).tolist() == [[1]]
    assert converted([np.array([1], f"{order}f8")], "float32", (1, 1)).tolist() == [[1.0]]
    if dtype != "float32":
        assert outcome(converted, [np.array([2**56], f"{order}i8")], dtype, (1, 1))[0] == "val_c2"


@pytest.mark.parametrize("make", [tuple, range, deque, UserList])
def test_sequences_are_lists(make):
    value = range(3) if make is range else make([0, 1, 2])
    assert converted(value, "i1", 3).tolist() == [0, 1, 2]
    assert converted(value, "f4", 3).tolist() == [0, 1, 2]


def test_empty_lists_have_no_kind():
    for dtype in ("?", "i1", "f4", "U3", "M8[s]", "i4,f8", object):
        assert converted([], dtype, 0).size == 0
        assert converted([[]], dtype, (1, 0)).size == 0


RAGGED = [[[1, 2], [3]], [1, [2]], [[1], 2], [[[1]], [[1, 2]]], [np.zeros(2), 1]]


@pytest.mark.parametrize("value", RAGGED, ids=range(len(RAGGED)))
def test_val_c4_ragged_lists(value):
    with pytest.raises(ssop.SliceValueError) as info:
        ssop.copyto(np.zeros((2, 2)), value)
    assert info.value.label == "val_c4"
    if not isinstance(value[0], np.ndarray):
        assert outcome(reference.convert_value, value, "float64")[:2] == ("val_c4", info.value.entry)


def test_val_c4_lists_nested_too_deeply():
    value = 1
    for _ in range(65):
        value = [value]
    assert outcome(ssop.copyto, np.zeros(1), value)[0] == "val_c4"


# ---- strings, dates, records -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["str3", "bytes3"])
def test_val_c3_strings_equal_the_reference(dtype):
    for value in ("", "abc", "abcd", "éé", b"", b"abc", b"abcd", b"ab\0", 7, 1.5, None, ["a", "abcd"], [b"a", "a"]):
        ours = outcome(converted, value, {"str3": "U3", "bytes3": "S3"}[dtype], np.shape(value))
        theirs = outcome(reference.convert_value, value, dtype)
        assert (
            ours == theirs
            if type(theirs) is tuple
            else ours.ravel().tolist()
            == [item.rstrip(b"\0") if isinstance(item, bytes) else item for item in theirs.items]
        )


def test_variable_width_strings():
    strings = np.dtypes.StringDType
    assert converted(["a", "long " * 20], strings(), 2).tolist() == ["a", "long " * 20]
    assert outcome(converted, [5], strings(), 1) == ("val_c1", 0, None)
    assert outcome(converted, [None], strings(), 1) == ("val_c1", 0, None)
    assert converted([None, "a"], strings(na_object=None), 2).tolist() == [None, "a"]


def test_bytes_without_fields():
    assert converted(b"ab", "V4", ()).tobytes() == b"ab\0\0"
    assert outcome(converted, b"abcde", "V4", ())[0] == "val_c3"
    assert outcome(converted, 5, "V4", ())[0] == "val_c1"


DAY, MOMENT = datetime.date(2020, 1, 2), datetime.datetime(2020, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("value", "dtype", "expected"),
    [
        (DAY, "M8[D]", np.datetime64("2020-01-02")),
        (DAY, "M8[ns]", np.datetime64("2020-01-02", "ns")),
        (MOMENT, "M8[s]", np.datetime64("2020-01-02T03:04:05")),
        (MOMENT, "M8[D]", "val_c3"),
        (datetime.datetime(2020, 1, 2), "M8[D]", np.datetime64("2020-01-02")),
        ("2020-01-02", "M8[D]", "val_c1"),
        (5, "M8[D]", "val_c1"),
        (None, "M8[D]", "val_c1"),
        (datetime.timedelta(1), "M8[D]", "val_c1"),
        (datetime.timedelta(1), "m8[D]", np.timedelta64(1, "D")),
        (datetime.timedelta(seconds=1.5), "m8[s]", "val_c3"),
        (datetime.timedelta(seconds=1.5), "m8[ms]", np.timedelta64(1500, "ms")),
        (5, "m8[s]", np.timedelta64(5, "s")),
        (-(2**63), "m8[s]", "val_c2"),
        (1.5, "m8[s]", "val_c1"),
        ("5", "m8[s]", "val_c1"),
        (DAY, "m8[s]", "val_c1"),
        (DAY, "i8", "val_c1"),
        (datetime.timedelta(1), "i8", "val_c1"),
    ],
)
def test_dates(value, dtype, expected):
    for given in (value, [value]):
        result = outcome(converted, given, dtype, (1,) if given is not value else ())
        assert result[0] == expected if isinstance(expected, str) else (result == expected).all()


def test_numpy_dates_inside_lists():
    value = [np.datetime64("NaT"), np.datetime64("2020", "ns")]
    assert np.array_equal(converted(value, "M8[s]", 2), np.array(["NaT", "2020"], "M8[s]"), equal_nan=True)
    assert outcome(converted, [np.datetime64("2020-01-01T01")], "M8[D]", 1) == ("val_c3", 0, None)
    assert outcome(converted, [np.timedelta64(5, "ns")], "i8", 1) == ("val_c1", 0, None)


RECORD = np.dtype([("a", "i1"), ("b", [("c", "f4"), ("d", "U2")]), ("e", "i2", (2,))])


def test_records_field_by_field():
    value = (1, (2.5, "xy"), (3, 4))
    assert converted(value, RECORD, ()) == np.array(value, RECORD)
    assert np.array_equal(converted([value] * 3, RECORD, 3), np.array([value] * 3, RECORD))
    for wrong, label in (
        ((1.5, (2.5, "xy"), (3, 4)), "val_c1"),
        ((300, (2.5, "xy"), (3, 4)), "val_c2"),
        ((1, (2.5, "xyz"), (3, 4)), "val_c3"),
        ((1, (1e39, "xy"), (3, 4)), "val_c2"),
        ((1, (2.5, "xy"), (3, 2**15)), "val_c2"),
    ):
        assert outcome(converted, wrong, RECORD, ())[0] == label
        assert outcome(converted, [wrong], RECORD, 1)[0] == label
    assert converted(0, "i4,f8", ()).tolist() == (0, 0.0)


def test_objects_stay_as_they_are():
    value = [1, "a", None, [2]]
    result = converted(value, object, 4)
    assert all(ours is theirs for ours, theirs in zip(result, value, strict=True))


# ---- dtypes of other libraries ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["int4", "uint4", "int2", "uint2"])
def test_small_integers(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    info = ml_dtypes.iinfo(dtype)
    for value in range(-300, 300):
        result = outcome(converted, value, dtype, ())
        assert result == value if info.min <= value <= info.max else result == ("val_c2", None, None)
    assert outcome(converted, 2**70, dtype, ())[0] == "val_c2"
    assert outcome(converted, [1.0], dtype, 1) == ("val_c1", 0, None)
    assert outcome(converted, "1", dtype, ())[0] == "val_c1"


@pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e3m4"])
def test_small_floats(name):
    dtype = np.dtype(getattr(ml_dtypes, name))
    largest = float(ml_dtypes.finfo(dtype).max)
    for value in (0, 1, -3, 0.1, True, largest, -largest, largest * 0.9, 1e-30):
        assert same(converted([value], dtype, 1), np.array([value], np.float64).astype(dtype))
    assert outcome(converted, 4 * largest, dtype, ())[0] == "val_c2"
    assert outcome(converted, [10**400], dtype, 1)[0] == "val_c2"
    if np.isinf(np.array(np.inf).astype(dtype).astype(float)):
        assert np.isinf(converted(math.inf, dtype, ()).astype(float))
    else:
        assert outcome(converted, math.inf, dtype, ()) == ("val_c2", None, None)
    assert np.isnan(converted(math.nan, dtype, ()).astype(float))
    assert outcome(converted, 1j, dtype, ())[0] == "val_c1"
    assert converted([dtype.type(1.5), ml_dtypes.int4(3)], "f4", 2).tolist() == [1.5, 3]


# ---- Python code that runs meanwhile ---------------------------------------------------------------------------------


def test_a_list_that_changes_while_it_is_read_is_read_once():
    """What was checked is what is written: __index__ cannot put a float into the place of an int that was seen."""
    value = [1, None, 3]

    class Changes:
        def __index__(self):
            value[0] = value[2] = 1.9
            return 7

    value[1] = Changes()
    assert converted(value, "i2", 3).tolist() == [1, 7, 3]


def test_exceptions_of_items_come_out():
    class Stops:
        def __index__(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ssop.copyto(np.zeros(2, int), [1, Stops()])


def test_long_values_are_not_shown():
    for value in ("x" * 1000, 10**1000, 10**5000):
        with pytest.raises(ssop.SliceError) as info:
            ssop.copyto(np.zeros((), np.int8), value)
        assert len(str(info.value)) < 200 and info.value.value is value


class IntOfNumber(int, np.signedinteger):
    """Derives from NumPy's scalars, but lies in memory as an int."""


class ListOfNumber(list, np.number):
    """The same as a list."""


def test_classes_that_only_derive_from_numpys_scalars_count_by_what_they_are():
    padding = [(1, 0, 0)]
    for value in (3, 2**40):
        assert ssop.xla.pad(np.zeros(1, np.int64), IntOfNumber(value), padding).tolist() == [value, 0]
    assert ssop.xla.pad(np.zeros(1, object), ListOfNumber([1]), padding).tolist() == [[1], 0]
    with pytest.raises(ssop.SliceTypeError, match="val_c1"):
        ssop.xla.pad(np.zeros(1, np.float32), ListOfNumber([1]), padding)


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "g", "F", "G"])
def test_scalars_of_the_operands_own_type(dtype):
    operand = np.ones(2, dtype)
    value = operand.dtype.type(0)
    assert ssop.xla.pad(operand, value, [(1, 0, 1)]).tolist() == [0, 1, 0, 1]
    assert ssop.xla.pad(operand, operand[0], [(1, 0, 1)]).tolist() == [1, 1, 1, 1]
