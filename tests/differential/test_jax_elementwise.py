"""XLA's element-wise operations against those of jax.lax on the CPU, on numbers that are hard to compute with."""

import numpy as np
import pytest
from hypothesis import strategies as st
from jax import lax

import ssop
from differential.jax_calls import Calls, compare, drawn_sets, numbers, of_parts, types, without_subnormals
from ssop._xla.elementwise import BINARY, UNARY
from ssop._xla.types import kind
from ssop.testing import strategies as slicing

NARROW = ("int2", "int4", "uint2", "uint4")
REJECTED = {  # by JAX
    **dict.fromkeys(("add", "mul"), ("bool",)),
    **dict.fromkeys(("abs", "sign", "div", "rem"), NARROW),
}
NAMES = {"logical_and": "bitwise_and", "logical_or": "bitwise_or", "logical_not": "bitwise_not"}
ROUNDED = {"cos", "exp", "log", "tanh"}


def comparable(x):
    """Numbers of which both have the same notion.

    Where complex numbers are infinite, NaN or divided by zero, StableHLO does not say what their parts are.
    """

    def small(part):
        clipped = np.clip(np.nan_to_num(part), -100, 100)
        return np.where(np.abs(clipped) < 1e-3, 0.5, clipped)

    return of_parts(small, x) if kind(x.dtype) == "complex" else x


def assert_same(row, got, expected):
    """Equal bit by bit, but for the bits of a NaN; functions that are rounded, within a few units of the last place."""
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    if got.dtype.name == "float8_e8m0fnu":  # what XLA's CPU code takes for 0 becomes NaN
        with np.errstate(all="ignore"):
            expected = np.where(got.astype(np.float64) < 2.0**-126, got, expected)
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


@st.composite
def element_wise(draw, row, count):
    """Calls of an operation on so many operands. JAX broadcasts none of them."""
    dtype = draw(types(row.kinds, REJECTED.get(row.name, ())))
    lhs, rhs, dimensions = draw(slicing.broadcast_arguments())
    shapes, options = ((lhs, rhs), [dimensions]) if count == 2 else ((lhs,), [])
    whole = max(shapes, key=len)

    def prepare(*operands):
        if dimensions is None:
            return tuple(np.broadcast_to(x, whole) for x in operands)
        others = [axis for axis in range(len(whole)) if axis not in dimensions]
        return tuple(np.broadcast_to(x if x.shape == whole else np.expand_dims(x, others), whole) for x in operands)

    function, theirs = getattr(ssop.xla, row.name), getattr(lax, NAMES.get(row.name, row.name))
    return Calls(
        lambda *operands: function(*operands, *options),
        theirs,
        drawn_sets(draw, *[numbers(shape, dtype).map(comparable) for shape in shapes]),
        lambda got, expected, *_: assert_same(row, got, expected),
        prepare if count == 2 else lambda x: (x,),
    )


ROWS = {row.name: element_wise(row, count) for count, rows in ((1, UNARY), (2, BINARY)) for row in rows}


@pytest.mark.parametrize("name", ROWS)
def test_calls(name):
    compare(ROWS[name])


def test_ew_s8_subnormal_numbers_are_zeros_for_xla_alone():
    x, one = np.array([1e-40], np.float32), np.array([1], np.float32)
    assert np.asarray(lax.div(x, one)) == 0 and ssop.xla.div(x, one) == x != 0
