"""XLA's dots and convolutions against those of jax.lax on the CPU."""

import jax
import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax import lax

import ssop
from scale import SCALE, examples
from ssop.testing.strategies import convolution_arguments, dot_arguments

jax.config.update("jax_enable_x64", True)

EXACT = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
ROUNDED = {
    "float64": 1e-13, "complex128": 1e-13, "float32": 1e-5, "complex64": 1e-5, "float16": 2e-3, "bfloat16": 2e-2,
    "float8_e4m3fn": 0.2, "float8_e5m2": 0.3, "float8_e4m3": 0.2,
}  # fmt: skip
CHECK = settings(
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    max_examples=examples(500 * min(SCALE, 1)),  # XLA compiles each
)
dtypes = st.sampled_from([*EXACT, *ROUNDED])


def array_of(seed, shape, dtype, special=0.0):
    """Integers of the whole range; or numbers near 1, a share of them infinite or NaN."""
    rng = np.random.default_rng(seed)
    if dtype in EXACT[1:]:
        info = np.iinfo(dtype)
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(bool)
    x = np.asarray(rng.standard_normal(shape))
    x[rng.random(shape) < special] = np.inf
    x[rng.random(shape) < special] = np.nan
    if dtype.startswith("complex"):
        x = x + 1j * rng.standard_normal(shape)
    return x.astype(getattr(ml_dtypes, dtype, dtype))


def assert_near(got, expected, dtype, terms):
    """Equal, or as near as sums of so many terms in another order are."""
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    if dtype in EXACT:
        assert np.array_equal(got, expected)
        return
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    with np.errstate(invalid="ignore"):
        one, other = got.astype(wide), expected.astype(wide)
    tolerance = ROUNDED[dtype]
    np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * max(terms, 1) ** 0.5)


def calls(function, jitted, *operands):
    return np.asarray(jax.jit(function)(*operands) if jitted else function(*operands))


@CHECK
@given(dot_arguments(), dtypes, st.integers(0, 2**32), st.booleans(), st.sampled_from([0.0, 0.0, 0.05]))
def test_dot_general(arguments, dtype, seed, jitted, special):
    lhs, rhs, numbers = arguments
    x, y = array_of(seed, lhs, dtype, special), array_of(seed + 1, rhs, dtype, special)
    got = ssop.xla.dot_general(x, y, numbers)
    expected = calls(lambda a, b: lax.dot_general(a, b, numbers), jitted, x, y)
    assert_near(got, expected, dtype, int(np.prod([lhs[axis] for axis in numbers[0][0]])))


@CHECK
@given(st.data(), dtypes, st.integers(0, 2**32), st.booleans())
def test_dot(data, dtype, seed, jitted):
    m, k, n = (data.draw(st.integers(0, 40)) for _ in range(3))
    lhs, rhs = data.draw(st.sampled_from([((k,), (k,)), ((m, k), (k,)), ((k,), (k, n)), ((m, k), (k, n))]))
    x, y = array_of(seed, lhs, dtype), array_of(seed + 1, rhs, dtype)
    assert_near(ssop.xla.dot(x, y), calls(lax.dot, jitted, x, y), dtype, k)


@CHECK
@given(convolution_arguments(), dtypes, st.integers(0, 2**32), st.booleans())
def test_conv_general_dilated(arguments, dtype, seed, jitted):
    lhs, rhs, options = arguments
    x, kernel = array_of(seed, lhs, dtype), array_of(seed + 1, rhs, dtype)
    got = ssop.xla.conv_general_dilated(x, kernel, **options)
    expected = calls(lambda a, b: lax.conv_general_dilated(a, b, **options), jitted, x, kernel)
    assert_near(got, expected, dtype, kernel.size)


@CHECK
@given(st.data(), dtypes, st.integers(0, 2**32), st.booleans())
def test_conv_and_conv_with_general_padding(data, dtype, seed, jitted):
    rank = data.draw(st.integers(1, 2))
    batch, features, outputs = (data.draw(st.integers(1, 3)) for _ in range(3))
    dims, sizes = ([data.draw(st.integers(1, most)) for _ in range(rank)] for most in (9, 4))
    strides = [data.draw(st.integers(1, 3)) for _ in range(rank)]
    x = array_of(seed, (batch, features, *dims), dtype)
    kernel = array_of(seed + 1, (outputs, features, *sizes), dtype)
    padding = data.draw(st.sampled_from(["SAME", "VALID", "SAME_LOWER"]))
    got = ssop.xla.conv(x, kernel, strides, padding)
    assert_near(got, calls(lambda a, b: lax.conv(a, b, strides, padding), jitted, x, kernel), dtype, kernel.size)
    pairs = [(data.draw(st.integers(-1, 3)), data.draw(st.integers(0, 3))) for _ in range(rank)]
    dilations = [[data.draw(st.integers(1, 3)) for _ in range(rank)] for _ in range(2)]
    got = ssop.xla.conv_with_general_padding(x, kernel, strides, pairs, *dilations)
    expected = calls(lambda a, b: lax.conv_with_general_padding(a, b, strides, pairs, *dilations), jitted, x, kernel)
    assert_near(got, expected, dtype, kernel.size)


@pytest.mark.parametrize(
    ("dtype", "preferred"),
    [
        ("int8", "int32"), ("uint8", "int32"), ("int16", "int64"), ("float16", "float32"), ("bfloat16", "float32"),
        ("float32", "float64"), ("int32", "float64"), ("float32", "complex64"), ("float8_e4m3fn", "float32"),
    ],
)  # fmt: skip
def test_preferred_element_type(dtype, preferred):
    x, y = array_of(1, (7, 9), dtype), array_of(2, (9, 5), dtype)
    x, y = (np.asarray(a) if dtype != "int32" else a >> 16 for a in (x, y))  # no rounding in float64
    got = ssop.xla.dot(x, y, preferred_element_type=preferred)
    expected = np.asarray(lax.dot(x, y, preferred_element_type=preferred))
    assert_near(got, expected, preferred if preferred in ROUNDED else "int8", 9)
    image, kernel = x.reshape(1, 7, 9), y.reshape(5, 9, 1)[:, :7]
    got = ssop.xla.conv(image, kernel, [1], "VALID", preferred_element_type=preferred)
    if preferred == "complex64":  # jaxlib cannot compile this one
        return
    expected = np.asarray(lax.conv(image, kernel, [1], "VALID", preferred_element_type=preferred))
    assert_near(got, expected, preferred if preferred in ROUNDED else "int8", 7)


@pytest.mark.parametrize("dtypes", [("f4", "f8"), ("i4", "i1"), ("i4", "f4"), ("u4", "i4"), ("f2", "f4")], ids=str)
def test_two_element_types(dtypes):
    x, y = array_of(1, (7, 9), np.dtype(dtypes[0]).name), array_of(2, (9, 5), np.dtype(dtypes[1]).name)
    got, expected = ssop.xla.dot(x, y), np.asarray(lax.dot(x, y))
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-4)


def test_what_xla_rejects_is_an_error_here():
    x = np.zeros((2, 3, 4), np.float32)
    rejected = 0
    for numbers in [
        (([1], [-1]), ([], [])), (([3], [0]), ([], [])), (([1, 1], [1, 2]), ([], [])), (([1], [1]), ([1], [0])),
        (([0, 1], [0]), ([], [])), (([1], [2]), ([], [])), (([1], [1]), ([0], [])), (([1], [1]), ([0], [2])),
    ]:  # fmt: skip
        with pytest.raises((TypeError, ValueError)):
            lax.dot_general(x, x, numbers)
        with pytest.raises(ssop.SliceError):
            ssop.xla.dot_general(x, x, numbers)
        rejected += 1
    assert rejected == 8
