"""XLA's element-wise operations: against the reference, and what their rules say of the corners."""

import itertools
import warnings
from contextlib import contextmanager

import numpy as np
import pytest

import ssop
from ssop import reference, xla
from ssop._xla.elementwise import BINARY, UNARY
from ssop._xla.types import KINDS, human_string, kind, primitive_type
from unit.against_reference import as_tensor
from unit.xla_arrays import label_of

INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
DTYPES = ["bool", *INTEGERS, "float16", "float32", "float64", "complex64", "complex128"]
INEXACT = {"cos", "exp", "log", "tanh"}  # rounded by a library, not by a rule
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.25, np.inf, -np.inf, np.nan]


def values(dtype):
    """The extremes of a dtype, and a few numbers between."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        return np.array(sorted({info.min, info.max, *(n for n in (-7, -2, -1, 0, 1, 2, 7) if n >= info.min)}), dtype)
    if dtype.kind == "c":
        return np.array([0, 1, -1, 1j, 3 + 4j, -2.5 + 1j], dtype)
    return np.array(SPECIAL, dtype)


def same(got, expected):
    """Whether items are equal; NaN is equal to NaN, and zeros have their signs."""
    if isinstance(expected, float):
        return repr(float(got)) == repr(expected)
    return got == expected


def assert_reference(row, got, expected, name):
    assert got.shape == expected.shape, name
    if row.name in INEXACT or name.startswith("complex"):
        near = np.array(expected.items, got.dtype).reshape(got.shape)
        np.testing.assert_allclose(got, near, rtol=2e-3 if got.dtype == "f2" else 1e-5)
        return
    assert all(map(same, got.ravel().tolist(), expected.items)), (row.name, name, got, expected.items)


@contextmanager
def errors_for_warnings():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def takes(row, dtype):
    return kind(np.dtype(dtype)) in row.kinds


def dtype_of_result(row, dtype):
    if row.result is bool:
        return np.dtype(bool)
    if row.name == "abs" and dtype.startswith("complex"):
        return np.dtype(f"float{int(dtype[7:]) // 2}")
    return np.dtype(dtype)


@pytest.mark.parametrize("row", BINARY, ids=lambda row: row.name)
def test_ew_s2_to_ew_s6_two_operands_are_the_reference(row):
    """Every pair of a few numbers of each dtype: ew_s2, ew_s3, ew_s4, ew_s5, ew_s6. The dtype is the one XLA infers."""
    for dtype in DTYPES:
        x = values(dtype)
        operands = x[:, None], x[None, dtype.startswith("complex") :]  # no complex number is divided by zero
        if not takes(row, dtype):
            assert label_of(getattr(xla, row.name), *operands) == "ew_c1"
            continue
        with errors_for_warnings():
            got = getattr(xla, row.name)(*operands)
        assert got.dtype == dtype_of_result(row, dtype) and got.flags.c_contiguous and got.base is None
        if row.name in ("max", "min") and dtype.startswith("complex"):
            continue  # Python's complex numbers have no order
        name = None if row.result is bool else dtype
        expected = getattr(reference.xla, row.name)(*map(as_tensor, operands), dtype=name)
        assert_reference(row, got, expected, dtype)


@pytest.mark.parametrize("row", UNARY, ids=lambda row: row.name)
def test_ew_s2_ew_s7_one_operand_is_the_reference(row):
    for dtype in DTYPES:
        x = values(dtype)
        if not takes(row, dtype):
            assert label_of(getattr(xla, row.name), x) == "ew_c1"
            continue
        with errors_for_warnings():
            got = getattr(xla, row.name)(x)
        assert got.dtype == dtype_of_result(row, dtype) and got.flags.c_contiguous and got.base is None
        name = None if row.result else dtype
        assert_reference(row, got, getattr(reference.xla, row.name)(as_tensor(x), dtype=name), dtype)


SHAPES = [dims for rank in range(4) for dims in itertools.product((0, 1, 2), repeat=rank)]
DIMENSIONS = [None, *(list(d) for count in range(4) for d in itertools.product(range(-1, 3), repeat=count))]


def outcome(function, *args):
    try:
        got = function(*args)
    except (ssop.SliceError, reference.Rejected) as error:
        return error.label, error.axis, error.entry, error.value, error.allowed
    return got if isinstance(got, reference.Tensor) else (got.shape, got.ravel().tolist())


def test_ew_s1_ew_c2_to_ew_c8_every_broadcast_of_small_shapes():
    """All pairs of shapes, each with broadcast_dimensions of which most are wrong."""
    outcomes = {}
    for i, (one, other) in enumerate(itertools.product(SHAPES, SHAPES)):
        x, y = np.arange(np.prod(one, dtype=int)).reshape(one), np.arange(np.prod(other, dtype=int)).reshape(other)
        for dimensions in DIMENSIONS[i % 7 :: 7]:
            got = outcome(xla.add, x, y, dimensions)
            assert got == outcome(reference.xla.add, as_tensor(x), as_tensor(y), dimensions or ())
            outcomes[got[0]] = outcomes.get(got[0], 0) + 1
    assert {f"ew_c{n}" for n in range(2, 9)} <= set(outcomes)
    assert sum(count for shape, count in outcomes.items() if isinstance(shape, tuple)) > 300


# ---- operands --------------------------------------------------------------------------------------------------------


def test_et_s1_the_other_byte_order_is_converted():
    x = np.array([1, -2], ">i4")
    for got in (xla.neg(x), xla.add(x, 1), xla.mul(x, np.array([-1, -1], "<i4"))):
        assert got.dtype == np.dtype("=i4") and got.dtype.isnative
    assert xla.neg(x).tolist() == [-1, 2]


def test_scalars_and_lists_take_the_dtype_of_the_other_operand():
    x = np.array([1, 2], np.int8)
    assert xla.add(x, 3).dtype == xla.add(3, x).dtype == xla.add([1, 1], x).dtype == np.int8
    assert xla.add([1, 2], 0.5).tolist() == [1.5, 2.5]
    assert label_of(xla.add, x, 0.5) == "val_c1"
    assert label_of(xla.add, 300, x) == "val_c2"


def test_operands_of_any_layout_give_c_ordered_results():
    x = np.asfortranarray(np.arange(12.0).reshape(3, 4))
    for operand in (x, x.T, x[::-1, ::2], np.broadcast_to(x, (2, 3, 4))):
        assert xla.neg(operand).flags.c_contiguous
        assert np.array_equal(xla.add(operand, operand), 2 * operand)


def test_out_takes_the_result():
    x = np.arange(6.0).reshape(2, 3)
    out = np.empty((3, 2)).T
    assert xla.exp(x, out=out) is out and np.array_equal(out, np.exp(x))
    assert xla.add(x, x, out=x) is x and x[1, 2] == 10  # the operands are read first
    assert label_of(xla.add, x, x, out=np.empty((2, 3), "f4")) == "out_c3"
    assert label_of(xla.lt, x, x, out=np.empty(3, bool)) == "out_c2"
    with pytest.raises(ssop.SliceError, match=r"^xla\.lt: "):
        xla.lt(x, x, out=np.empty(3, bool))


def test_ew_s5_zeros_keep_their_signs_in_any_layout():
    x = np.array([[0.0, -0.0], [-0.0, 1.0]])
    for one, other, positive in ((x, x[::-1].T, [[False, True], [False, False]]), (x, 0.0, None), (-0.0, x, None)):
        greatest, least = np.signbit(xla.max(one, other)), np.signbit(xla.min(one, other))
        both = np.signbit(np.broadcast_arrays(one, other))
        zero = np.equal(*np.broadcast_arrays(one, other))
        assert np.array_equal(greatest[zero], both.all(0)[zero]) and np.array_equal(least[zero], both.any(0)[zero])
        assert positive is None or greatest.shape == (2, 2)


def test_ml_dtypes():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    x = np.array([-3, 1.5, np.inf], ml_dtypes.bfloat16)
    assert xla.neg(x).dtype == x.dtype and xla.neg(x).tolist() == [3, -1.5, -np.inf]
    assert xla.max(x, np.zeros(3, x.dtype)).tolist() == [0, 1.5, np.inf]
    assert xla.lt(x, x).dtype == bool
    four = np.array([7, -8], ml_dtypes.int4)
    assert xla.add(four, four).astype(int).tolist() == [-2, 0]  # 14 and -16 in 4 bits
    assert xla.logical_not(four).astype(int).tolist() == [-8, 7]
    assert primitive_type(x.dtype) == "BF16" and human_string(np.dtype(ml_dtypes.float8_e4m3fn), (2,)) == "f8e4m3fn[2]"
    assert label_of(xla.add, x, x.astype("f4")) == "ew_c9"


def test_kinds_of_all_dtypes():
    assert {kind(np.dtype(char)) for char in "?bBhHiIlLqQefdFD"} == set(KINDS.values())
    assert all(kind(np.dtype(text)) is None for text in ("g", "G", "U1", "S1", "M8", "m8", "O", "V4"))
