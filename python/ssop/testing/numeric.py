"""Hypothesis strategies for arrays of numbers that are hard to compute with; `ssop.testing.strategies` has them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st

from ssop._xla.types import kind
from ssop.testing.arrays import Array, DType, every_dtype

ALL_KINDS: Final = ("pred", "signed", "unsigned", "float", "complex")
SPECIAL: Final = (0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -3.0, 7.0, 1e-5, 1e-40, 3e38, 6e4, np.inf, -np.inf, np.nan)
HARD, SMALL, ANY_BITS = "hard", "small", "any bits"


def element_types(kinds: Sequence[str] = ALL_KINDS) -> st.SearchStrategy[DType]:
    """XLA's element types of these kinds, in the machine's byte order; those of ml_dtypes where it is installed.

    >>> from hypothesis import find
    >>> find(element_types(["complex"]), lambda dtype: dtype.itemsize == 16)
    dtype('complex128')
    """
    return st.deferred(
        lambda: st.sampled_from([dtype for dtype in every_dtype() if dtype.isnative and kind(dtype) in kinds])
    )


@st.composite
def numeric_arrays(
    draw: st.DrawFn, shape: Sequence[int], dtype: Any, contents: Sequence[str] = (HARD, SMALL, ANY_BITS)
) -> Array:
    """C-ordered arrays of `shape` and `dtype`, one of XLA's element types, with one of the named contents.

    - `"hard"`: the extremes of integers, NaN, infinities, zeros of both signs, subnormal numbers
    - `"small"`: integers of 0..7, and multiples of 0.5 between -4 and 4
    - `"any bits"`

    >>> from hypothesis import find
    >>> find(numeric_arrays((2,), np.float16), lambda x: np.isnan(x).all())
    array([nan, nan], dtype=float16)
    """
    dtype, rng = np.dtype(dtype), np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    chosen = draw(st.sampled_from(tuple(contents)))
    found = kind(dtype)
    with np.errstate(all="ignore"):
        if found == "complex":
            parts = [_real(rng, chosen, shape, np.dtype(f"f{dtype.itemsize // 2}")) for _ in range(2)]
            number: Array = np.stack(parts, axis=-1).reshape(*shape, 2).view(dtype)[..., 0]
            return number
        if found == "float":
            return _real(rng, chosen, shape, dtype)
        return _integers(rng, chosen, shape, dtype)


def _real(rng: np.random.Generator, contents: str, shape: Sequence[int], dtype: DType) -> Array:
    if contents == SMALL:
        return (rng.integers(-8, 9, shape) / 2).astype(dtype)
    if contents == ANY_BITS and dtype.itemsize > 1:
        return rng.integers(0, 256, (*shape, dtype.itemsize), np.uint8).view(dtype)[..., 0]
    return rng.choice(SPECIAL, shape).astype(dtype)


def _integers(rng: np.random.Generator, contents: str, shape: Sequence[int], dtype: DType) -> Array:
    if contents == SMALL or dtype.kind == "b":
        return rng.integers(0, 2 if dtype.kind == "b" else 8, shape).astype(np.int8).astype(dtype)
    if dtype.isbuiltin == 2:  # of a few bits, which are the lowest of a byte
        return rng.integers(-8, 8, shape).astype(np.int8).astype(dtype)
    info = np.iinfo(dtype)
    if contents == ANY_BITS:
        return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
    extremes = np.array([info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2], dtype)
    return rng.choice(np.append(extremes, dtype.type(0) - dtype.type(1)), shape)
