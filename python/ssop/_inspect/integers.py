"""Small integers that a model computes from constants and dims, as NumPy would: arrays of int, and None if unknown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ssop._errors import INT64
from ssop._inspect.folding import truncated_quotient
from ssop._inspect.limits import MAX_INTEGERS
from ssop._inspect.records import RunTime

Values = NDArray[np.object_]


def values_of(found: Any) -> Values:
    """Integers, or None where they are not known, in an array of objects."""
    if isinstance(found, np.ndarray):
        return found.astype(object)
    array = np.empty(len(found), object)
    array[:] = found
    return array


def scalar(value: int | None) -> Values:
    array = np.empty((), object)
    array[()] = value
    return array


def _elementwise(operation: Callable[[int, int], int | None], bits: tuple[int, int] = INT64) -> Any:
    def of_two(one: int | None, two: int | None) -> int | None:
        if one is None or two is None:
            return None
        result = operation(one, two)
        return result if result is not None and bits[0] <= result <= bits[1] else None

    return np.frompyfunc(of_two, 2, 1)


_OPERATIONS = {
    "Add": _elementwise(lambda one, two: one + two),
    "Sub": _elementwise(lambda one, two: one - two),
    "Mul": _elementwise(lambda one, two: one * two),
    "Div": _elementwise(lambda one, two: truncated_quotient(one, two) if two else None),
    "FloorDiv": _elementwise(lambda one, two: one // two if two else None),
    "Max": _elementwise(max),
    "Min": _elementwise(min),
}


def arithmetic(name: str, inputs: Sequence[Values]) -> Values:
    """Add, Sub, Mul, Div, FloorDiv, Max or Min of all inputs."""
    result = inputs[0]
    for array in inputs[1:]:
        if np.broadcast(result, array).size > MAX_INTEGERS:
            raise ValueError("too many integers")
        result = np.asarray(_OPERATIONS[name](result, array), object)
    return result


def cast(array: Values, bits: tuple[int, int]) -> Values:
    """The same integers where they fit; a cast that wraps is left unknown."""
    fits = [x if x is not None and bits[0] <= x <= bits[1] else None for x in array.ravel()]
    return values_of(fits).reshape(array.shape)


def argument(array: Values | None, tensor: str, producer: Callable[[], str]) -> tuple[int, ...] | RunTime:
    """The integers of an argument; if not all are known, with what computes them."""
    if array is None:
        return RunTime(tensor, producer())
    found = tuple(array.ravel().tolist())
    return RunTime(tensor, producer(), found) if None in found else found
