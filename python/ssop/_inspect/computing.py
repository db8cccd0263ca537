"""Operators of graphs on integers: those that TensorFlow and OpenVINO have in common."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ssop._core import SliceError, strided_slice
from ssop._inspect.folding import (
    MAX_ITEMS,
    Unknown,
    Value,
    array_of,
    elementwise,
    rearranged,
    safely,
    truncated_quotient,
    wrapped,
)

Array = np.ndarray[Any, Any]

ARITHMETIC: dict[str, Callable[..., int]] = {
    "abs": abs,
    "add": operator.add,
    "and": operator.and_,
    "ceiling": lambda x: x,
    "equal": operator.eq,
    "floor": lambda x: x,
    "floordiv": safely(operator.floordiv),
    "floormod": safely(operator.mod),
    "greater": operator.gt,
    "greater_equal": operator.ge,
    "less": operator.lt,
    "less_equal": operator.le,
    "maximum": max,
    "minimum": min,
    "multiply": operator.mul,
    "negative": operator.neg,
    "not": operator.not_,
    "not_equal": operator.ne,
    "or": operator.or_,
    "same": lambda x: x,
    "sign": lambda x: (x > 0) - (x < 0),
    "subtract": operator.sub,
    "truncatediv": safely(truncated_quotient),
}


def arithmetic(name: str, shown: str, bits: int, *values: Value) -> Value:
    """An element-wise function, in the arithmetic of signed integers of so many bits."""
    return elementwise(shown, wrapped(ARITHMETIC[name], bits, True), *values)


def chosen(shown: str, condition: Value, a: Value, b: Value) -> Value:
    """`a` where the condition is true, else `b`, whose producers are told before that of the condition."""
    return elementwise(shown, lambda x, y, one: x if one else y, a, b, condition)


def _too_large(values: Sequence[Value]) -> bool:
    return sum(1 if isinstance(value, Unknown) else value.size for value in values) > MAX_ITEMS


def concatenated(shown: str, axis: int, values: Sequence[Value]) -> Value:
    if _too_large(values):
        return Unknown((shown,))
    return rearranged(shown, lambda *arrays: np.concatenate(arrays, axis), *values)


def packed(shown: str, axis: int, values: Sequence[Value]) -> Value:
    """Scalars, or vectors, as one array with a new axis."""
    if _too_large(values):
        return Unknown((shown,))
    scalars = [_scalar(value, shown) for value in values]
    return rearranged(shown, lambda *arrays: np.stack(arrays, axis), *scalars)


def _scalar(value: Value, shown: str) -> Value:
    return array_of([value], ()) if isinstance(value, Unknown) else value


def gathered(shown: str, x: Value, indices: Value, axis: Value) -> Value:
    def take(array: Array, places: Array, along: Array) -> Array:
        return np.asarray(np.take(array, places.astype(np.int64), int(along.reshape(-1)[0])))

    for value in (x, indices):
        if isinstance(value, Unknown):
            return value.then(shown)
        if value.ndim > 1:  # neither a shape nor a place in one
            return Unknown((shown,))
    return _through(shown, rearranged(shown, take, x, indices, axis))


def _through(shown: str, value: Value) -> Value:
    """The value, whose unknown integers tell that they passed through an operator."""
    if isinstance(value, Unknown):
        return value
    items = [item.then(shown) if isinstance(item, Unknown) else item for item in value.reshape(-1)]
    return array_of(items, value.shape)


def reshaped(shown: str, x: Value, shape: Value) -> Value:
    return rearranged(shown, lambda array, dims: array.reshape(dims.astype(np.int64).tolist()), x, shape)


def squeezed(shown: str, x: Value, axes: Sequence[int]) -> Value:
    return rearranged(shown, lambda array: array.squeeze(tuple(axes) or None), x)


def unsqueezed(shown: str, x: Value, axes: Value) -> Value:
    if isinstance(axes, Unknown):
        return axes.then(shown)
    return rearranged(shown, lambda array: np.expand_dims(array, tuple(map(int, axes.reshape(-1)))), _scalar(x, shown))


def strided(shown: str, x: Value, bounds: Sequence[Value], masks: Sequence[int]) -> Value:
    """A slice of a value, by TensorFlow's rules."""
    if isinstance(x, Unknown):
        return x.then(shown)
    for value in bounds:
        if isinstance(value, Unknown):
            return value.then(shown)
    vectors: list[Any] = [value.reshape(-1).tolist() for value in bounds]  # type: ignore[union-attr]
    for item in [item for vector in vectors for item in vector]:
        if isinstance(item, Unknown):
            return item.then(shown)
    places = np.arange(x.size).reshape(x.shape)
    begin, end, *strides = vectors
    try:
        found = strided_slice(places, begin, end, *(strides or [None]), *masks)
    except SliceError:
        return Unknown((shown,))
    return _through(shown, array_of(x.reshape(-1)[np.asarray(found).reshape(-1)], found.shape))


def dims(shape: Sequence[Any] | None, shown: str) -> Value:
    """What an operator that asks for a shape gives."""
    if shape is None:
        return Unknown((shown,))
    return array_of([dim if isinstance(dim, int) else Unknown((shown,)) for dim in shape])
