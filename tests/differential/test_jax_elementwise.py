"""XLA's element-wise operations against those of jax.lax on the CPU, on numbers that are hard to compute with."""

import jax
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jax import lax

import ssop
from scale import examples
from ssop._xla.elementwise import BINARY, UNARY
from ssop._xla.types import kind
from ssop.testing import strategies as slicing

jax.config.update("jax_enable_x64", True)

LEFT_OUT = ("int1", "uint1", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn")  # XLA's CPU code ends the process
NARROW = ("int2", "int4", "uint2", "uint4")
REJECTED = {  # by JAX
    **dict.fromkeys(("add", "mul"), ("bool",)),
    **dict.fromkeys(("abs", "sign", "div", "rem"), NARROW),
}
SHAPES = ((), (7,), (3, 1), (1, 4), (0, 2))
NAMES = {"logical_and": "bitwise_and", "logical_or": "bitwise_or", "logical_not": "bitwise_not"}
ROUNDED = {"cos", "exp", "log", "tanh"}
EACH = settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), derandomize=True)


def comparable(x):
    """Numbers of which both have the same notion: subnormal ones are zeros for XLA's code for the CPU (ew_s8).

    Where complex numbers are infinite, NaN or divided by zero, StableHLO does not say what their parts are.
    """
    if x.dtype.kind == "c":
        parts = np.ascontiguousarray(x).view(f"f{x.itemsize // 2}")
        parts = np.clip(np.nan_to_num(parts), -100, 100)
        parts[np.abs(parts) < 1e-3] = 0.5
        return parts.view(x.dtype).reshape(x.shape)
    return without_subnormals(x)


def without_subnormals(x):
    exponents = {"float16": -14, "bfloat16": -126, "float32": -126, "float64": -1022}
    if x.dtype.name not in exponents:
        return x
    least = 2.0 ** exponents[x.dtype.name]
    return np.where(np.abs(x) < least, np.copysign(np.zeros_like(x), x), x).astype(x.dtype)


def assert_same(row, got, expected):
    """Equal bit by bit, but for the bits of a NaN; functions that are rounded, within a few units of the last place."""
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    got, expected = without_subnormals(got), without_subnormals(expected)
    if kind(got.dtype) not in ("float", "complex"):
        assert np.array_equal(got, expected)
        return
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        one, other = got.astype(wide), expected.astype(wide)
    if row.name in ROUNDED or got.dtype.kind == "c":
        tolerance = {2: 2e-3, 4: 2e-6, 8: 1e-14}.get(got.dtype.itemsize // (2 if got.dtype.kind == "c" else 1), 0.3)
        np.testing.assert_allclose(one, other, rtol=4 * tolerance, atol=1e-30)
        return
    np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(np.signbit(one)[one == 0], np.signbit(other)[other == 0])


def types(row):
    return slicing.element_types(row.kinds).filter(
        lambda dtype: dtype.name not in (*LEFT_OUT, *REJECTED.get(row.name, ()))
    )


def jax_s(row, *operands):
    return np.asarray(getattr(lax, NAMES.get(row.name, row.name))(*operands))


@pytest.mark.parametrize("row", BINARY, ids=lambda row: row.name)
def test_two_operands(row):
    @settings(EACH, max_examples=examples(500))
    @given(data=st.data())
    def check(data):
        dtype = data.draw(types(row))
        shape = data.draw(st.sampled_from(SHAPES))
        lhs, rhs = (comparable(data.draw(slicing.numeric_arrays(shape, dtype))) for _ in range(2))
        assert_same(row, getattr(ssop.xla, row.name)(lhs, rhs), jax_s(row, lhs, rhs))

    check()


@pytest.mark.parametrize("row", UNARY, ids=lambda row: row.name)
def test_one_operand(row):
    @settings(EACH, max_examples=examples(500))
    @given(data=st.data())
    def check(data):
        dtype = data.draw(types(row))
        x = comparable(data.draw(slicing.numeric_arrays(data.draw(st.sampled_from(SHAPES)), dtype)))
        assert_same(row, getattr(ssop.xla, row.name)(x), jax_s(row, x))

    check()


def test_ew_s8_subnormal_numbers_are_zeros_for_xla_alone():
    x, one = np.array([1e-40], np.float32), np.array([1], np.float32)
    assert np.asarray(lax.div(x, one)) == 0 and ssop.xla.div(x, one) == x != 0
