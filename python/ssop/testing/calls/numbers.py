"""Random shapes, arrays and integers, as the calls of all operations need them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from ssop.testing.calls.call import Array

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
INT32_MIN, INT32_MAX = -(2**31), 2**31 - 1
EXTREMES = (
    INT64_MIN, INT64_MIN + 1, -(2**62), -(2**32), INT32_MIN - 1, INT32_MIN,
    INT32_MAX, 2**31, 2**32, 2**62, INT64_MAX - 1, INT64_MAX,
)  # fmt: skip
RANKS = (0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6)
Shape = tuple[int, ...]


def dtypes_of(names: str) -> tuple[np.dtype[Any], ...]:
    """The dtypes of these names; those of ml_dtypes are left out where it is not installed."""
    small = {"bfloat16", "float8_e5m2"}
    try:
        import ml_dtypes
    except ImportError:
        return tuple(np.dtype(name) for name in names.split() if name not in small)
    return tuple(np.dtype(getattr(ml_dtypes, name) if name in small else name) for name in names.split())


def random_shape(rng: Random, ranks: Sequence[int] = RANKS, empty: float = 0.06) -> Shape:
    """Small: at most a few hundred elements, one array in sixteen empty."""
    rank = rng.choice(ranks)
    largest = 6 if rank < 4 else 3 if rank < 7 else 2
    return tuple(0 if rng.random() < empty / max(rank, 1) else rng.randint(1, largest) for _ in range(rank))


def random_array(rng: Random, shape: Sequence[int], dtype: np.dtype[Any]) -> Array:
    """Random bits, NaNs of every payload among them, so that equal results are equal bytes; in any memory layout."""
    size = math.prod(shape)
    if dtype.hasobject:
        array: Array = np.empty(size, object)
        array[:] = [rng.randbytes(rng.randint(0, 4)) for _ in range(size)]
    elif dtype.kind == "b":
        array = np.frombuffer(rng.randbytes(size), np.uint8) > 127
    else:
        array = np.frombuffer(rng.randbytes(size * dtype.itemsize), dtype)
    array = array.reshape(shape)
    return array if rng.random() < 0.5 else strewn(rng, array)


def strewn(rng: Random, array: Array) -> Array:
    """The same array in another memory layout: axes in any order, gaps between elements, axes running backwards."""
    order = rng.sample(range(array.ndim), array.ndim)
    moved = array.transpose(order)
    steps = tuple(slice(None, None, rng.choice((1, -1, 2, -2))) for _ in order)
    dims = [d * abs(s.step) for d, s in zip(moved.shape, steps, strict=True)]
    index: Any = (*steps, ...)
    view: Array = np.empty(dims, array.dtype)[index]
    view[...] = moved
    return view.transpose(np.argsort(order))


def near(rng: Random, dim: int) -> int:
    """An integer within two of the axis."""
    return rng.randint(-dim - 2, dim + 2)


def bound(rng: Random, dim: int) -> int:
    """An integer near the axis or, one in seven, an extreme one."""
    return rng.choice(EXTREMES) if rng.random() < 0.15 else near(rng, dim)


def broken(rng: Random, args: dict[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """The same arguments with one element of one of the vectors `names` replaced or, less often, added or dropped."""
    name = rng.choice(names)
    vector = list(args[name])
    at = rng.randint(0, len(vector))
    old, new = rng.choice(((1, 1), (1, 1), (1, 0), (0, 1)))
    vector[at : at + old] = [bound(rng, 6)] * new
    return args | {name: type(args[name])(vector)}


def int32(bits: int) -> int:
    """The signed integer of a mask's 32 bits."""
    return bits - 2**32 if bits >= 2**31 else bits


def clamp32(value: int) -> int:
    """The closest integer of 32 bits."""
    return max(INT32_MIN, min(INT32_MAX, value))
