"""Random calls of XLA's Slice, DynamicSlice and DynamicUpdateSlice, in the ways in which JAX runs them."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from ssop.testing.calls.call import Array, Call
from ssop.testing.calls.numbers import EXTREMES, bound, broken, dtypes_of, random_array, random_shape

JAX_DTYPES = "f4 i1 i8 c16 ? f2 u2 bfloat16 float8_e5m2"
RANKS = (0, 1, 1, 2, 2, 3, 3, 4, 5)
STARTS = tuple(np.dtype(kind + size) for kind in "iu" for size in "1248")
Args = dict[str, Any]


def random_operand(rng: Random) -> Array:
    """An array of any of JAX's dtypes."""
    return random_array(rng, random_shape(rng, RANKS), rng.choice(dtypes_of(JAX_DTYPES)))


def sorted_pair(rng: Random, dim: int) -> list[int]:
    """A start and a limit; one pair in eight is equal."""
    if dim == 0 or rng.random() < 0.08:
        return [rng.randint(0, dim)] * 2
    return sorted(rng.sample(range(dim + 1), 2))


def xla_slice(rng: Random) -> Call:
    """For `xla.slice`."""
    x = random_operand(rng)
    dims = x.shape if rng.random() < 0.97 else rng.choice((x.shape[1:], (*x.shape, 3)))
    pairs = [sorted_pair(rng, d) for d in dims]
    args: Args = {"start_indices": [a for a, _ in pairs], "limit_indices": [b for _, b in pairs], "strides": None}
    names = ["start_indices", "limit_indices"]
    if rng.random() < 0.7:
        args["strides"] = [rng.randint(1, d + 1) if rng.random() < 0.9 else rng.choice(EXTREMES[6:]) for d in dims]
        names.append("strides")
    if rng.random() < 0.15:
        args = broken(rng, args, names)
    return Call("xla.slice", (x,), args, rng.choice(("eager", "jit")))


def random_starts(rng: Random, shape: tuple[int, ...]) -> tuple[str, Any]:
    """Starts in a form and a type of JAX's, near the axes and at the type's ends, and the way to run them."""
    how = rng.choices(("eager", "on device", "jit", "jit constant"), (40, 35, 20, 5))[0]
    if how == "eager" and rng.random() < 0.7:
        return how, [bound(rng, d) for d in shape]
    info = np.iinfo(rng.choice(STARTS))
    ends = (info.min, info.min + 1, info.max // 2, info.max // 2 + 1, info.max - 1, info.max)
    starts = [rng.choice(ends) if rng.random() < 0.2 else max(rng.randint(-d - 2, d + 2), int(info.min)) for d in shape]
    return how, np.array(starts, info.dtype)


def random_flag(rng: Random, rank: int) -> Any:
    """Whether a negative start counts from the end: one bool, or one for each axis."""
    return rng.choice((True, True, False, [rng.random() < 0.5 for _ in range(rank)]))


def random_window(rng: Random, op: str) -> Call:
    """A window that fits, or does so but for one number, or for the number of starts."""
    x = random_operand(rng)
    sizes = tuple(rng.randint(rng.random() < 0.9 and d > 0, d) if rng.random() < 0.3 else (d + 1) // 2 for d in x.shape)
    if rng.random() < 0.09:
        sizes = broken(rng, {"sizes": sizes}, ["sizes"])["sizes"]
        sizes = tuple(min(n, 7) for n in sizes) if op == "dynamic_slice" else tuple(n % 8 for n in sizes)
    if rng.random() < 0.03:
        sizes = tuple(d + 1 for d in x.shape)
    shape = x.shape if rng.random() < 0.97 else rng.choice((x.shape[1:], (*x.shape, 3)))
    how, starts = random_starts(rng, shape)
    flag = (how == "eager" and rng.random() < 0.8) or random_flag(rng, x.ndim + (rng.random() < 0.05))
    args: Args = {"start_indices": starts, "allow_negative_indices": flag}
    if op == "dynamic_slice":
        return Call("xla.dynamic_slice", (x,), args | {"slice_sizes": sizes}, how)
    dtype = x.dtype if rng.random() < 0.95 else rng.choice(dtypes_of(JAX_DTYPES))
    return Call("xla.dynamic_update_slice", (x, random_array(rng, sizes, dtype)), args, how)


def xla_dynamic_slice(rng: Random) -> Call:
    """For `xla.dynamic_slice`."""
    return random_window(rng, "dynamic_slice")


def xla_dynamic_update_slice(rng: Random) -> Call:
    """For `xla.dynamic_update_slice`."""
    return random_window(rng, "dynamic_update_slice")
