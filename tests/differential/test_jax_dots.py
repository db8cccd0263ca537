"""XLA's dots and convolutions against those of jax.lax on the CPU."""

import ml_dtypes
import numpy as np
import pytest
from hypothesis import strategies as st
from jax import lax

import ssop
from differential.jax_calls import SETS, TOLERANCES, Calls, assert_near, compare
from ssop.testing.strategies import convolution_arguments, dot_arguments

EXACT = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")
dtypes = st.sampled_from([*EXACT, *TOLERANCES])


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


def some_calls(draw, lhs, rhs, terms, ours, theirs, special=0.0):
    """Calls on arrays of two shapes, a share of whose elements is infinite or NaN."""
    dtype = draw(dtypes)
    if dtype.startswith("complex"):  # StableHLO does not say what the parts of their products are
        special = 0.0
    seeds = [draw(st.integers(0, 2**32)) for _ in range(SETS)]
    sets = [(array_of(seed, lhs, dtype, special), array_of(seed + 1, rhs, dtype, special)) for seed in seeds]
    return Calls(ours, theirs, sets, lambda got, expected, *_: assert_near(got, expected, terms))


@st.composite
def dots_general(draw):
    lhs, rhs, numbers = draw(dot_arguments())
    terms = int(np.prod([lhs[axis] for axis in numbers[0][0]]))
    ours, theirs = (lambda x, y, f=f: f(x, y, numbers) for f in (ssop.xla.dot_general, lax.dot_general))
    return some_calls(draw, lhs, rhs, terms, ours, theirs, draw(st.sampled_from([0.0, 0.0, 0.05])))


@st.composite
def dots(draw):
    m, k, n = (draw(st.integers(0, 40)) for _ in range(3))
    lhs, rhs = draw(st.sampled_from([((k,), (k,)), ((m, k), (k,)), ((k,), (k, n)), ((m, k), (k, n))]))
    return some_calls(draw, lhs, rhs, k, ssop.xla.dot, lax.dot)


@st.composite
def general_convolutions(draw):
    lhs, rhs, options = draw(convolution_arguments())
    functions = ssop.xla.conv_general_dilated, lax.conv_general_dilated
    ours, theirs = (lambda x, y, f=f: f(x, y, **options) for f in functions)
    return some_calls(draw, lhs, rhs, int(np.prod(rhs)), ours, theirs)


@st.composite
def convolutions(draw, name):
    """Convolutions of the default dimension numbers."""
    rank = draw(st.integers(1, 2))
    batch, features, outputs = (draw(st.integers(1, 3)) for _ in range(3))
    dims, sizes = ([draw(st.integers(1, most)) for _ in range(rank)] for most in (9, 4))
    lhs, rhs = (batch, features, *dims), (outputs, features, *sizes)
    if name == "conv":
        given = [[draw(st.integers(1, 3)) for _ in dims], draw(st.sampled_from(["SAME", "VALID", "SAME_LOWER"]))]
    else:
        pairs = [(draw(st.integers(-1, 3)), draw(st.integers(0, 3))) for _ in dims]
        strides, *dilations = ([draw(st.integers(1, 3)) for _ in dims] for _ in range(3))
        given = [strides, pairs, *dilations]
    ours, theirs = (lambda x, y, f=f: f(x, y, *given) for f in (getattr(ssop.xla, name), getattr(lax, name)))
    return some_calls(draw, lhs, rhs, int(np.prod(rhs)), ours, theirs)


ROWS = {
    "dot": dots(),
    "dot_general": dots_general(),
    "conv_general_dilated": general_convolutions(),
    "conv": convolutions("conv"),
    "conv_with_general_padding": convolutions("conv_with_general_padding"),
}


@pytest.mark.parametrize("name", ROWS)
def test_calls(name):
    compare(ROWS[name])


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
    assert_near(got, expected, 9)
    image, kernel = x.reshape(1, 7, 9), y.reshape(5, 9, 1)[:, :7]
    got = ssop.xla.conv(image, kernel, [1], "VALID", preferred_element_type=preferred)
    if preferred == "complex64":  # jaxlib cannot compile this one
        return
    expected = np.asarray(lax.conv(image, kernel, [1], "VALID", preferred_element_type=preferred))
    assert_near(got, expected, 7)


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
