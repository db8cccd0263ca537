"""XLA's SelectAndScatter: an element of each window chosen, and values added up where it came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from ssop._errors import type_error, value_error
from ssop._xla import elementwise
from ssop._xla.computation import REDUCTION, SELECTION, Type, apply, check_arguments
from ssop._xla.operands import Array, as_operand, as_operand_of, deliver, public
from ssop._xla.reduction import Operands, check_computation, recognised
from ssop._xla.types import human_string
from ssop._xla.windows import Window, read_window, window_counts

COMPARISONS = (
    (np.greater_equal, elementwise.ge),
    (np.greater, elementwise.gt),
    (np.less_equal, elementwise.le),
    (np.less, elementwise.lt),
)
"""What NumPy compares at once: its function, and the operation of `ssop.xla`."""

PART = 2**15
"""How many windows scatter at a time."""

SOURCE = "Source shape does not match the shape of window-reduced operand: source({}), window-reduced operand({})."


@public
def select_and_scatter(
    operand: Any,
    select: Any,
    window_dimensions: Sequence[int],
    window_strides: Sequence[int],
    padding: str | Sequence[tuple[int, int]],
    source: Any,
    init_value: Any,
    scatter: Any,
    *,
    out: Array | None = None,
) -> Array:
    """XLA's SelectAndScatter: each window chooses one of its elements, which gets the source's element of that window.

    It is the gradient of max-pooling: the gradient of every window goes to the element that was the greatest.

    Parameters
    ----------
    operand : array_like over which windows slide
    select : callable of two arguments that returns a bool: whether the first is chosen rather than the second
        It must be transitive. It is called with arrays of arguments, as the computation of `reduce` is.
    window_dimensions, window_strides, padding : as for `reduce_window`
        Padding is never chosen: a window outside the operand scatters nothing.
    source : array_like of the operand's dtype, an element for each window
    init_value : scalar of that dtype: what elements have that no window chose, and what the others begin with
    scatter : callable of two arguments: what an element has, and the source's element that it gets; the new element
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape and dtype; or `out`. A window's places are compared in the
        order of their indices (sas_s1), and an element gets what windows scatter in the order of the windows (sas_s2).

    Raises
    ------
    SliceError : `label` names the rule (sas_*, win_*, red_*, cm_*, et_*, val_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `select_and_scatter`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.array([[7, 2, 5, 3], [3, 8, 9, 3], [1, 5, 7, 5]])
    >>> source = np.array([[2, 6], [3, 1]])
    >>> ssop.xla.select_and_scatter(x, ssop.xla.ge, (2, 3), (1, 1), "VALID", source, 0, ssop.xla.add)
    array([[ 0,  0,  0,  0],
           [ 0,  0, 12,  0],
           [ 0,  0,  0,  0]])
    """
    op = "xla.select_and_scatter"
    x = as_operand(op, "operand", operand)
    given = as_operand_of(op, "source", source, x.dtype)
    init = as_operand_of(op, "init_value", init_value, x.dtype)
    window = read_window(op, x.shape, window_dimensions, window_strides, padding)
    check_arguments(op, "select", select, [Type((), x.dtype)] * 2, SELECTION)
    read = Operands([given], [init], several=False)
    check_computation(op, scatter, read, "scatter")
    counts = window_counts(op, x.shape, window)
    types = human_string(given.dtype, given.shape), human_string(x.dtype, counts)
    check_source(op, given.shape, counts, types)
    if given.dtype != x.dtype:
        message = f"source has dtype {given.dtype}, not {x.dtype}: {SOURCE.format(*types)}"
        raise type_error(op, "sas_c2", message, value=given.dtype)
    chosen = _chosen(op, select, x, counts, window)
    result = np.full(x.shape, init)
    known, scatter = recognised(scatter, read)
    if known is not None and x.ndim:
        _scatter_at(known, result, given, chosen, window)
    else:
        _scatter_by_calls(op, scatter, result, given, chosen, window)
    return deliver(op, result, out)


def check_source(op: str, shape: tuple[int, ...], counts: tuple[int, ...], types: tuple[str, str]) -> None:
    """Raise for a source that has not one element for each window (sas_c1)."""
    if shape != counts:
        message = f"source has shape {shape}, not {counts}: {SOURCE.format(*types)}"
        raise value_error(op, "sas_c1", message, value=shape)


def _chosen(op: str, select: Any, x: Array, counts: tuple[int, ...], window: Window) -> Array:
    """The number of the place that each window chooses; -1 if it has no element (sas_s1, sas_s3)."""
    ufunc = next((known for known, operation in COMPARISONS if select is operation or select is known), None)
    places = prod(axis.size for axis in window)
    chosen = np.full(counts, -1, np.min_scalar_type(-max(places, 1)))
    if ufunc is not None and chosen.size < places and x.dtype.isbuiltin != 2 and not (x != x).any():
        _choose_by_windows(ufunc, x, chosen, window)
        return chosen
    best = np.empty(counts, x.dtype)
    full = False  # whether every window has met an element
    for number in _numbers(x.shape, window):
        windows, elements = _meet(x.shape, window, number)
        there, old, new = chosen[windows], best[windows], x[elements]
        if not full:
            np.copyto(old, new, where=there < 0)
        if ufunc is not None:
            taken = ~ufunc(old, new)
        else:
            taken = ~apply(op, "select", select, [old, new], [np.dtype(bool)], SELECTION)[0]
        if not full:
            taken |= there < 0
        best[windows] = np.where(taken, new, old)
        np.maximum(there, np.multiply(taken, number, dtype=there.dtype), out=there)  # numbers grow
        full = full or bool((chosen >= 0).all())
    return chosen


def _scatter_at(ufunc: np.ufunc, result: Array, source: Array, chosen: Array, window: Window) -> None:
    """Join the source to the chosen elements by a function of NumPy's, window by window (sas_s2)."""
    steps = [prod(result.shape[a + 1 :]) for a in range(result.ndim)]
    starts = [
        ((np.arange(count) * axis.stride - axis.low) * step).reshape(-1, *(1,) * (len(window) - a - 1))
        for a, (count, axis, step) in enumerate(zip(chosen.shape, window, steps, strict=True))
    ]
    rows = max(PART // max(chosen[:1].size, 1), 1)
    for begin in range(0, len(chosen), rows):
        some = slice(begin, begin + rows)
        met = chosen[some] >= 0
        index = _offsets(chosen[some], window, steps)
        for start in (starts[0][some], *starts[1:]):
            index += start
        with np.errstate(all="ignore"):
            ufunc.at(result.reshape(-1), index[met], source[some][met])


def _offsets(chosen: Array, window: Window, steps: Sequence[int]) -> Array:
    """How far the places of these numbers are from the first element of a window, where the axes have these steps."""
    places = prod(axis.size for axis in window)
    if places < chosen.size:  # a table of all is faster; its last one also stands for -1
        return _offsets(np.arange(places), window, steps)[chosen]
    rest, offset = chosen, np.zeros(chosen.shape, np.intp)
    for axis, step in zip(reversed(window), reversed(steps), strict=True):
        rest, place = np.divmod(rest, np.asarray(axis.size, np.int64))
        offset += place.astype(np.intp) * step
    return offset


def _scatter_by_calls(op: str, scatter: Any, result: Array, source: Array, chosen: Array, window: Window) -> None:
    """Join the source to the chosen elements by a user's computation, called for all windows that chose one place.

    These have different elements. If several windows chose one element, the window of a later place comes earlier
    (sas_s2).
    """
    for number in np.unique(chosen[chosen >= 0])[::-1]:
        windows, elements = _meet(result.shape, window, int(number))
        here = chosen[windows] == number
        old, new = result[elements][here], source[windows][here]
        result[elements][here] = apply(op, "scatter", scatter, [old, new], [result.dtype], REDUCTION)[0]


def _choose_by_windows(ufunc: np.ufunc, x: Array, chosen: Array, window: Window) -> None:
    """The same for few windows of many places, whose elements have an order: each window has a greatest or a least."""
    find = np.argmax if ufunc in (np.greater_equal, np.greater) else np.argmin
    for n in np.ndindex(chosen.shape):
        starts = [i * axis.stride - axis.low for i, axis in zip(n, window, strict=True)]
        rows = zip(starts, window, x.shape, strict=True)
        block = x[tuple([slice(max(start, 0), max(start + axis.size, 0)) for start, axis, _ in rows])]
        if not block.size:  # sas_s3
            continue
        if ufunc in (np.greater_equal, np.less_equal):
            found = find(block)
        else:  # the last one of equal ones
            found = block.size - 1 - find(block.ravel()[::-1])
        number = 0
        for place, start, axis in zip(np.unravel_index(found, block.shape), starts, window, strict=True):
            number = number * axis.size + int(place) + max(-start, 0)
        chosen[n] = number


def _numbers(shape: Sequence[int], window: Window) -> Iterator[int]:
    """The numbers of the places at which windows may have elements, in order; a place is an index of the window."""
    axes = [axis.places(dim) for axis, dim in zip(window, shape, strict=True)]
    for place in product(*axes):
        number = 0
        for axis, at in zip(window, place, strict=True):
            number = number * axis.size + at
        yield number


def _meet(shape: Sequence[int], window: Window, number: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The windows that have an element at the place of this number, and these elements."""
    pairs: list[tuple[slice, slice]] = []
    for axis, dim in zip(reversed(window), reversed(shape), strict=True):
        number, place = divmod(number, axis.size)
        pairs.insert(0, axis.meet(dim, place))
    return (*[windows for windows, _ in pairs], ...), (*[elements for _, elements in pairs], ...)
