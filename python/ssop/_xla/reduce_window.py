"""XLA's ReduceWindow: every window over an array joined to one element by a computation."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ssop._xla.operands import Array, public
from ssop._xla.reduction import (
    Combine,
    Operands,
    check_computation,
    check_out,
    combiner,
    delivered,
    read_operands,
    recognised,
    repeated,
)
from ssop._xla.windows import NOWHERE, Window, WindowAxis, read_window, window_counts


@public
def reduce_window(
    operand: Any,
    init_value: Any,
    computation: Any,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int] | None = None,
    padding: str | Sequence[tuple[int, int]] = "VALID",
    base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
    *,
    out: Array | None = None,
) -> Any:
    """XLA's ReduceWindow: the elements of each window joined to one by a computation, as pooling does.

    Parameters
    ----------
    operand : array_like, or a sequence of N arrays of one shape, if init_value is a sequence
    init_value : scalar of the operand's dtype, or a tuple or list of N of them
        It begins every window, and is what stands in padding and holes.
    computation : callable of 2 N arguments, as for `reduce`
    window_dimensions : sequence of int, one an axis, at least 1
    window_strides : sequence of int, at least 1: how far windows are apart; 1 on every axis by default
    padding : "VALID" (no padding), "SAME", "SAME_LOWER" (the operand's dims divided by the strides), or one pair
        (low, high) an axis: how many elements of padding there are before and after it; negative ones take away
    base_dilation, window_dilation : sequence of int, at least 1
        Neighbours of the operand, and those of a window, are so far apart; 1 on every axis by default.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional
        Only for one operand.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's dtype, an element for each window (win_s1); or `out`. A tuple of N
        if init_value is a sequence. Each is computation(init, e), where e joins the places of the window from left to
        right, those along the last axis first (rw_s1). Places at which no window has an element are joined by halves.

    Raises
    ------
    SliceError : `label` names the rule (win_*, red_*, cm_*, et_*, val_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `reduce_window`; jax.lax.reduce_window.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.arange(24).reshape(4, 6)
    >>> ssop.xla.reduce_window(x, -1, ssop.xla.max, (2, 3), (2, 3))
    array([[ 8, 11],
           [20, 23]])
    >>> ssop.xla.reduce_window(np.array([1, 2, 3]), 0, ssop.xla.add, (2,), padding="SAME")
    array([3, 5, 3])
    """
    op = "xla.reduce_window"
    read = read_operands(op, ("operand", "init_value"), operand, init_value)
    shape = read.arrays[0].shape
    window = read_window(op, shape, window_dimensions, window_strides, padding, base_dilation, window_dilation)
    check_computation(op, computation, read)
    window_counts(op, shape, window)
    check_out(op, read, out)
    known, joined = recognised(computation, read)
    if known is not None and _holes_do_not_count(known, read.inits[0]):
        results = [_by_ufunc(known, read.arrays[0], read.inits[0], window)]
    else:
        results = _by_calls(combiner(op, joined, read), read, window)
    return delivered(op, read, results, out)


def _holes_do_not_count(ufunc: np.ufunc, init: Array) -> bool:
    """True if the init value may be joined any number of times: it is neutral, or two of them are one."""
    if ufunc in (np.maximum, np.minimum, np.bitwise_and, np.bitwise_or):
        return True
    return bool(init == ufunc.identity)


def _by_ufunc(ufunc: np.ufunc, x: Array, init: Array, window: Window) -> Array:
    """Join by a function of NumPy's whose order does not matter: axes that become shorter come first."""
    counts = [axis.count(dim) for axis, dim in zip(window, x.shape, strict=True)]
    order = sorted(range(x.ndim), key=lambda a: (counts[a] / max(x.shape[a], 1), -a))
    with np.errstate(all="ignore"):
        for axis in order:
            x = _joined_along(ufunc, x, init, axis, window[axis])
        return np.asarray(ufunc(init, x), x.dtype)


def _joined_along(ufunc: np.ufunc, x: Array, init: Array, axis: int, window: WindowAxis) -> Array:
    if window.size == 1:
        return at_place(x, init, axis, window, 0)
    dim = x.shape[axis]
    result = np.full((*x.shape[:axis], window.count(dim), *x.shape[axis + 1 :]), init)
    for place in window.places(dim):
        windows, elements = (_along(axis, part) for part in window.meet(dim, place))
        ufunc(result[windows], x[elements], out=result[windows])
    return result


def _by_calls(combine: Combine, read: Operands, window: Window) -> list[Array]:
    """Join by a user's computation, the last axis first: so elements stay in the order of their indices (rw_s1)."""
    values, fills = read.arrays, read.inits
    for axis in reversed(range(len(window))):
        values = functools.reduce(combine, _rows(combine, values, fills, axis, window[axis]))
        if axis:  # what a window has along this axis where it is outside on another one
            fills = repeated(combine, fills, window[axis].size)
    return combine([np.broadcast_to(init, x.shape) for init, x in zip(read.inits, values, strict=True)], values)


def _rows(
    combine: Combine, values: list[Array], fills: list[Array], axis: int, window: WindowAxis
) -> Iterator[list[Array]]:
    """What all windows along an axis have at one place after the other; places without elements are joined (rw_s1)."""
    dim = values[0].shape[axis]
    behind = 0
    for place in (place for place in window.places(dim) if window.meet(dim, place)[0] != NOWHERE):
        if place > behind:
            yield _beside(values, repeated(combine, fills, place - behind), axis, window)
        yield [at_place(x, fill, axis, window, place) for x, fill in zip(values, fills, strict=True)]
        behind = place + 1
    if behind < window.size:
        yield _beside(values, repeated(combine, fills, window.size - behind), axis, window)


def _beside(values: list[Array], fills: list[Array], axis: int, window: WindowAxis) -> list[Array]:
    """The same element for all windows along an axis."""
    shape = list(values[0].shape)
    shape[axis] = window.count(shape[axis])
    return [np.broadcast_to(fill, shape) for fill in fills]


def at_place(x: Array, fill: Array, axis: int, window: WindowAxis, place: int) -> Array:
    """What all windows along an axis have at a place: an element, or `fill` in padding and holes (rw_s2)."""
    windows, elements = window.meet(x.shape[axis], place)
    count = window.count(x.shape[axis])
    found = x[_along(axis, elements)]
    if windows == slice(0, count, 1):
        return found
    result = np.full((*x.shape[:axis], count, *x.shape[axis + 1 :]), fill)
    result[_along(axis, windows)] = found
    return result


def _along(axis: int, part: slice) -> tuple[slice, ...]:
    return (*(slice(None),) * axis, part)
