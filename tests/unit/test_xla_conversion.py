"""`convert_element_type`, `bitcast_convert_type`, `reduce_precision` and Iota of ssop.xla against exact arithmetic."""

import ml_dtypes
import numpy as np
import pytest

from ssop import xla
from ssop.reference import Tensor, xla_numbers
from unit.xla_arrays import assert_same, label_of

FORMATS = {
    "f2": (5, 10),
    "f4": (8, 23),
    "f8": (11, 52),
    "bfloat16": (8, 7),
    "float8_e5m2": (5, 2),
    "float8_e4m3": (4, 3),
}
INTEGERS = ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "int4", "uint4", "int2", "uint2"]


def dtype_of(name):
    return np.dtype(getattr(ml_dtypes, name) if hasattr(ml_dtypes, name) else name)


def bits_of(name):
    return int(name.strip("uint")) if "int" in name else 8 * int(name[1:])


def numbers_of(name, count=200):
    """Numbers of all magnitudes, and halfway between those of smaller formats."""
    rng, dtype = np.random.default_rng(5), dtype_of(name)
    word = np.dtype(f"u{dtype.itemsize}")
    bits = np.frombuffer(rng.bytes(count * dtype.itemsize), word)
    few = bits & ~word.type((1 << FORMATS[name][1] // 2) - 1)
    small = (rng.integers(-700, 700, count) / 2).astype(dtype)
    with np.errstate(all="ignore"):
        special = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1, 127.5, 128, 255.5, 256, 2.0**31, -(2.0**63)]).astype(
            dtype
        )
    return np.concatenate([bits.view(dtype), few.view(dtype), small, special])


def same_numbers(got, expected):
    """Equal as floats, with the sign of zeros, or both NaN."""
    got, expected = np.asarray(got, float), np.asarray(expected, float)
    equal = (got == expected) & (np.signbit(got) == np.signbit(expected))
    return bool((equal | (np.isnan(got) & np.isnan(expected))).all())


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", FORMATS)
def test_cvt_s2_real_numbers_to_integers(source, target):
    x, dtype = numbers_of(source), dtype_of(target)
    result = xla.convert_element_type(x, dtype)
    expected = [xla_numbers.to_integer(float(v), bits_of(target), not target.startswith("u")) for v in x]
    assert result.dtype == dtype and [int(v) for v in result] == expected


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("source", [*FORMATS, *INTEGERS])
def test_cvt_s4_to_real_numbers(source, target):
    if source in FORMATS:
        x = numbers_of(source)
    else:
        x = xla.convert_element_type(np.concatenate([numbers_of("f8"), np.arange(-300.0, 300)]), dtype_of(source))
    result = xla.convert_element_type(x, dtype_of(target))
    exact = [float(v) if source in FORMATS else int(v) for v in x]
    if target == "bfloat16":  # other numbers become float32 first
        exact = [xla_numbers.to_float(v, 8, 23) for v in exact]
    assert same_numbers(result.astype(float), [xla_numbers.to_float(v, *FORMATS[target]) for v in exact])


@pytest.mark.parametrize("target", INTEGERS)
@pytest.mark.parametrize("source", INTEGERS)
def test_cvt_s3_integers_keep_their_lowest_bits(source, target):
    wide = np.array([0, 1, 3, 7, 8, 127, 128, 255, 256, 65535, 2**31, 2**32 - 1, 2**40 + 5, -1, -2, -128, -(2**63)])
    x = xla.convert_element_type(wide, dtype_of(source))
    result = xla.convert_element_type(x, dtype_of(target))
    expected = [xla_numbers.to_integer(int(v), bits_of(target), not target.startswith("u")) for v in x]
    assert result.dtype == dtype_of(target) and [int(v) for v in result] == expected


def test_cvt_s1_cvt_s5_bools_and_complex_numbers():
    assert_same(xla.convert_element_type([0.0, -0.0, 5e-324, np.nan], bool), np.array([False, False, True, True]))
    assert_same(xla.convert_element_type([1j, 2 + 1j, complex(np.nan, 0)], bool), np.array([False, True, True]))
    assert_same(xla.convert_element_type([1j, 2.7 + 1j], "i4"), np.array([0, 2], "i4"))
    assert_same(xla.convert_element_type([True, False], "c8"), np.array([1, 0], "c8"))
    assert_same(xla.convert_element_type(np.array([1 + 2j]), "c8"), np.array([1 + 2j], "c8"))
    assert xla_numbers.to_bool(1j) is False and xla_numbers.to_integer(2.7 + 1j, 32, True) == 2
    assert not np.isnan(xla.convert_element_type(complex(1, np.nan), "f4"))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (2, 3)], ids=str)
def test_shapes_and_layouts(shape):
    x = np.full(shape, 2.5, ">f8", order="F")
    for dtype in ("i4", "f4", "?", "c16", "f8", ml_dtypes.bfloat16):
        result = xla.convert_element_type(x, dtype)
        assert result.shape == shape and result.dtype == dtype and result.flags.c_contiguous
        assert not np.shares_memory(result, x)
        out = np.empty(shape, dtype)
        assert xla.convert_element_type(x, dtype, out=out) is out and (out == result).all()
    assert (
        xla.convert_element_type(x, ">f4").dtype == np.dtype("f4") and xla.convert_element_type(x, ">f4").dtype.isnative
    )
    assert xla.reduce_precision(x, 5, 1).shape == shape and (xla.reduce_precision(x, 5, 1) == 2).all()
    assert xla.bitcast_convert_type(x, "u1").shape == (*shape, 8)


def test_a_result_is_never_the_operand():
    x = np.arange(3.0)
    for result in (
        xla.convert_element_type(x, "f8"),
        xla.bitcast_convert_type(x, "f8"),
        xla.reduce_precision(x, 11, 52),
    ):
        result[0] = 9
    assert x[0] == 0


BITS = {"u1": 8, "i2": 16, "f2": 16, "f4": 32, "u8": 64, "uint4": 4, "uint2": 2, "bfloat16": 16, "float4_e2m1fn": 4}


@pytest.mark.parametrize("target", BITS)
@pytest.mark.parametrize("source", BITS)
def test_cvt_s6_cvt_c4_bits(source, target):
    one, other = BITS[source], BITS[target]
    rng = np.random.default_rng(one + other)
    for shape in ((), (3,), (2, max(other // one, 1)), (0, max(other // one, 1))):
        words = [int(v) for v in rng.integers(0, 2**one, shape, np.uint64).ravel()] if one < 64 else [
            int(v) for v in rng.integers(0, 2**63, shape).ravel()
        ]  # fmt: skip
        x = np.array(words, f"u{max(one // 8, 1)}").view(dtype_of(source)).reshape(shape)
        try:
            expected = xla_numbers.bitcast_convert_type(Tensor(shape, words), one, other)
        except xla_numbers.Rejected as rejected:
            assert label_of(xla.bitcast_convert_type, x, dtype_of(target)) == rejected.label == "cvt_c4"
            continue
        result = xla.bitcast_convert_type(x, dtype_of(target))
        found = [int(v) & 2**other - 1 for v in result.ravel().view(f"u{max(other // 8, 1)}")]
        assert (result.dtype, result.shape, found) == (dtype_of(target), expected.shape, expected.items)


def test_bits_of_small_integers_keep_their_signs():
    x = np.array([0x21, -2], np.int8)
    halves = xla.bitcast_convert_type(x, ml_dtypes.int4)
    assert halves.astype(int).tolist() == [[2 - 1, 2], [-2, -1]]
    assert_same(xla.bitcast_convert_type(halves, np.int8)[...].copy(), x)


@pytest.mark.parametrize("exponent_bits", [1, 2, 3, 4, 5, 8, 11, 40])
@pytest.mark.parametrize("name", FORMATS)
def test_rp_s1_rp_s2_rp_s3_against_fractions(name, exponent_bits):
    x = numbers_of(name, 60)
    for mantissa_bits in (0, 1, 2, 3, 7, 10, 22, 23, 51, 52, 80):
        result = xla.reduce_precision(x, exponent_bits, mantissa_bits)
        given = Tensor(x.shape, [float(v) for v in x])
        expected = xla_numbers.reduce_precision(given, exponent_bits, mantissa_bits, FORMATS[name])
        assert result.dtype == x.dtype and same_numbers(result, expected.items)


def test_reduce_precision_of_examples():
    x = np.array([np.inf, np.nan, 5e-324, 0.0, 65519.0, 65520.0])  # StableHLO's example
    assert same_numbers(xla.reduce_precision(x, 5, 10), [np.inf, np.nan, 0, 0, 65504, np.inf])
    assert same_numbers(xla.reduce_precision(x, mantissa_bits=10, exponent_bits=5), xla.reduce_precision(x, 5, 10))
    payload = np.array([0x7FF0000000000001, 0xFFF8000000000123], "u8").view("f8")
    assert xla.reduce_precision(payload, 2, 1).view("u8").tolist() == payload.view("u8").tolist()
    assert xla.reduce_precision(-payload, 2, 0).tolist() == [np.inf, np.inf]
    with pytest.raises(ValueError, match="exponent_bits, the argument before mantissa_bits, is 0"):
        xla.reduce_precision(x, 0, 8)  # in the order of the seed


@pytest.mark.parametrize("dtype", ["i1", "u8", "f2", "f4", "c8", "bfloat16", "int4"])
def test_io_s1_io_c3(dtype):
    dtype = dtype_of(dtype)
    expected = xla.convert_element_type(np.arange(300), dtype)
    assert np.array_equal(xla.iota(dtype, 300), expected) and xla.iota(dtype, 300).dtype == dtype
    assert np.array_equal(xla.broadcasted_iota(dtype, [2, 300], 1), np.stack([expected] * 2))
    assert xla.broadcasted_iota(dtype, [0, 3], 0).shape == (0, 3) and xla.iota(dtype, 0).shape == (0,)
    for shape, dimension in (((2, 3), 1), ((2, 3), 0), ((4,), 0), ((2, 0), 0)):
        reference = xla_numbers.broadcasted_iota(shape, dimension)
        assert xla.broadcasted_iota("i4", shape, dimension).ravel().tolist() == reference.items
    assert label_of(xla.broadcasted_iota, dtype, [], 0) == label_of(xla.broadcasted_iota, dtype, [2], -1) == "io_c3"
    out = np.empty(3, "f4")
    assert xla.iota("f4", 3, out=out) is out and out.tolist() == [0, 1, 2]
