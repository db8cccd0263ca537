"""Calls of `ssop.xla` beside those of JAX: how many, how they are compared, and what all such tests share.

A test module has a dict ROWS, from names of operations to strategies for `Calls`. `test_jax_table.py` joins them.
JAX compiles for each configuration, the shapes, dtypes and other arguments of a call, which takes longer than all else.
So each configuration is called with several sets of operands; by a share of the calls, fewer are configured.
"""

import os
from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings

from scale import SCALE, examples
from ssop._xla.types import kind
from ssop.testing import strategies as slicing
from ssop.testing.numeric import ALL_KINDS

jax.config.update("jax_enable_x64", True)

EAGER, COMPILED = 500, 200
"""Calls of each operation, one by one and under `jax.jit`, at scale 1."""
SETS = 4 if SCALE >= 1 else 12
"""Sets of operands for each configuration."""
SEED = int(os.environ.get("SSOP_SEED", "20170109"))

LEFT_OUT = ("int1", "uint1", "float4_e2m1fn", "float6_e2m3fn", "float6_e3m2fn")  # XLA's CPU code ends the process
EXPONENTS = {"float16": -14, "bfloat16": -126, "float32": -126, "float64": -1022}


class Calls(NamedTuple):
    """One configuration. JAX's function takes what `prepare` makes of the operands, if they are not the same."""

    ours: Callable[..., Any]
    theirs: Callable[..., Any]
    sets: list[tuple[Any, ...]]
    assert_same: Callable[..., None]
    """Takes both results, and then the operands."""
    prepare: Callable[..., tuple[Any, ...]] = lambda *operands: operands
    is_compiled: bool = False
    """Whether `theirs` is a compiled program already, as JAX has no function."""


def some(count):
    """Settings for so many examples."""
    return settings(
        deadline=None,
        database=None,
        max_examples=examples(count),
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


def compare(strategy):
    """Compare as many calls as the scale asks for, and count them."""
    counts, goal, compiled_goal = Counter(), examples(EAGER), examples(COMPILED)

    @seed(SEED)
    @settings(some(1), max_examples=-(-goal // SETS))
    @given(strategy)
    def check(calls):
        is_compiled = counts["compiled"] * goal <= counts["eager"] * compiled_goal
        compiled = jax.jit(calls.theirs) if is_compiled and not calls.is_compiled else None
        for operands in calls.sets:
            got, prepared = calls.ours(*operands), calls.prepare(*operands)
            calls.assert_same(got, as_numpy(calls.theirs(*prepared)), *operands)
            counts["eager"] += not calls.is_compiled
            counts["compiled"] += calls.is_compiled
            if compiled is not None:
                calls.assert_same(got, as_numpy(compiled(*prepared)), *operands)
                counts["compiled"] += 1

    check()
    jax.clear_caches()
    assert counts["eager"] >= goal or counts["compiled"] >= goal, counts
    assert counts["compiled"] >= compiled_goal, counts


def as_numpy(results):
    return jax.tree.map(np.asarray, results)


def drawn_sets(draw, *operands):
    """Sets of operands, each from its strategy."""
    return [tuple(draw(operand) for operand in operands) for _ in range(SETS)]


def types(kinds=ALL_KINDS, but=()):
    """Element types of which XLA's code for the CPU can compute."""
    return slicing.element_types(kinds).filter(lambda dtype: dtype.name not in (*LEFT_OUT, *but))


def parts(x):
    return [x.real, x.imag] if kind(x.dtype) == "complex" else [x]


def of_parts(function, x):
    """What a function on real numbers makes of both parts of complex ones."""
    result = np.empty(x.shape, x.dtype)
    result.real, result.imag = function(x.real), function(x.imag)
    return result


def without_subnormals(x):
    """Zeros in place of subnormal numbers, which they are for XLA's code for the CPU (ew_s8)."""
    if kind(x.dtype) == "complex":
        return of_parts(without_subnormals, x)
    if x.dtype.name == "float8_e8m0fnu":  # it has no 0
        with np.errstate(all="ignore"):
            return np.where(x.astype(np.float64) < 2.0**-126, x.dtype.type(1), x)
    if x.dtype.name not in EXPONENTS:
        return x
    least = 2.0 ** EXPONENTS[x.dtype.name]
    with np.errstate(all="ignore"):
        return np.where(np.abs(x) < least, np.copysign(np.zeros_like(x), x), x).astype(x.dtype)


def numbers(shape, dtype, contents=("hard", "small", "any bits")):
    """Arrays of which both have the same notion."""
    return slicing.numeric_arrays(shape, dtype, contents).map(without_subnormals)


def assert_exact(got, expected, *operands, but=False):
    """Equal in all of a tree, and the signs of zeros; except where `but` is true, and the bits of a NaN."""
    if isinstance(expected, (tuple, list)):
        assert isinstance(got, (tuple, list)) and len(got) == len(expected), (got, expected)
        for one, other in zip(got, expected, strict=True):
            assert_exact(one, other)
        return
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape), (got, expected)
    for one, other in zip(parts(got), parts(expected), strict=True):
        if kind(got.dtype) not in ("float", "complex"):
            same = one == other
        else:
            with np.errstate(all="ignore"):
                one, other = one.astype(np.float64), other.astype(np.float64)
            same = ((one == other) & (np.signbit(one) == np.signbit(other))) | (np.isnan(one) & np.isnan(other))
        assert (same | but).all(), (got.dtype, one[~(same | but)], other[~(same | but)])


TOLERANCES = {
    "float64": 1e-13, "complex128": 1e-13, "float32": 1e-5, "complex64": 1e-5, "float16": 2e-3, "bfloat16": 2e-2,
    "float8_e4m3fn": 0.2, "float8_e5m2": 0.3, "float8_e4m3": 0.2,
}  # fmt: skip


def assert_near(got, expected, terms):
    """Equal, or for rounded numbers as near as sums of so many terms in another order are."""
    if got.dtype.name not in TOLERANCES:
        assert_exact(got, expected)
        return
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape), (got, expected)
    wide = np.complex128 if got.dtype.kind == "c" else np.float64
    with np.errstate(invalid="ignore"):
        one, other = got.astype(wide), expected.astype(wide)
    tolerance = TOLERANCES[got.dtype.name]
    np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance * max(terms, 1) ** 0.5)
