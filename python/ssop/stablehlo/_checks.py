"""The checks of StableHLO's own tests: operations of the dialect `check`, and custom calls of these names."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop._errors import value_error

Array = np.ndarray[Any, Any]


def expect_eq(actual: Array, expected: Array) -> None:
    """Raise if some elements are not the same; NaN is equal to nothing, as in StableHLO's interpreter."""
    _check(actual, expected, actual == expected, "equal to")


def expect_almost_eq(actual: Array, expected: Array, tolerance: float = 1e-4) -> None:
    """Raise if some elements differ by more than the tolerance; NaN is equal to NaN."""
    alike = [_are_near(x, y, tolerance) for x, y in zip(_parts(actual), _parts(expected), strict=True)]
    _check(actual, expected, np.logical_and.reduce(alike), f"within {tolerance:g} of")


def expect_close(actual: Array, expected: Array, max_ulp_difference: int = 3, min_ulp_difference: int = 0) -> None:
    """Raise if there are more floating-point numbers between some elements, or fewer between all of them."""
    steps = [_distance(x, y) for x, y in zip(_parts(actual), _parts(expected), strict=True)]
    most = np.maximum.reduce(steps)
    _check(actual, expected, most <= max_ulp_difference, f"within {max_ulp_difference} units in the last place of")
    if most.size and most.max() < min_ulp_difference:
        far = f"at least {min_ulp_difference} units in the last place away from"
        _check(actual, expected, most >= min_ulp_difference, far)


CHECKS = {"expect_eq": expect_eq, "eq": expect_eq, "expect_almost_eq": expect_almost_eq, "expect_close": expect_close}


def _check(actual: Array, expected: Array, alike: Array, word: str) -> None:
    if np.all(alike):
        return
    place = np.unravel_index(np.flatnonzero(~np.atleast_1d(alike))[0], actual.shape)
    index = f" at {[int(x) for x in place]}" if actual.ndim else ""
    wrong = np.count_nonzero(~np.atleast_1d(alike))
    message = (
        f"{wrong} of {actual.size} elements are not {word} what is expected: the first one{index} is {actual[place]}, "
        f"not {expected[place]}"
    )
    raise value_error("check", "hlo_c9", message, value=actual[place])


def _parts(x: Array) -> list[Array]:
    return [x.real, x.imag] if x.dtype.kind == "c" else [x]


def _are_near(x: Array, y: Array, tolerance: float) -> Array:
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64), y.astype(np.float64)
        near = np.abs(wide[0] - wide[1]) <= tolerance
    return np.asarray(near | (x == y) | (np.isnan(wide[0]) & np.isnan(wide[1])))


def _distance(x: Array, y: Array) -> Array:
    """How many floating-point numbers one is away from the other; from infinities and NaN, the greatest number."""
    word = np.uint64(2 ** (8 * x.dtype.itemsize - 1))
    bits = [part.view(f"u{x.dtype.itemsize}").astype(np.uint64) for part in map(np.ascontiguousarray, (x, y))]
    sizes = [np.where(part < word, part, part - word).reshape(x.shape) for part in bits]
    greater, lesser = np.maximum(*sizes), np.minimum(*sizes)
    signs_differ = ((bits[0] < word) != (bits[1] < word)).reshape(x.shape)
    steps = np.where(signs_differ, greater + lesser, greater - lesser)
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64), y.astype(np.float64)
    same = (x == y) | (np.isnan(wide[0]) & np.isnan(wide[1]))
    finite = np.isfinite(wide[0]) & np.isfinite(wide[1])
    return np.where(same, np.uint64(0), np.where(finite, steps, np.uint64(2**64 - 1)))
