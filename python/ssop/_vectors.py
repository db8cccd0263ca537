"""Sequences and integers that users give, read once and no further than one can have a meaning.

An object may claim any length, and an iterator need not end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from operator import index
from typing import Any

import numpy as np

from ssop import _core
from ssop._errors import INT64, kind_of, overflow_error, type_error

MAX_ITEMS = 1024
"""The most items of a sequence that is not a list, tuple or array: more than any operation takes."""


def has_items(x: object) -> bool:
    """Return whether it has a length and items: what the metaclass of its class has, does not count.

    >>> has_items(range(3)), has_items(3)
    (True, False)
    """
    if isinstance(x, np.ndarray) and x.ndim == 0:
        return False
    names = [set(vars(cls)) for cls in type(x).__mro__]
    return all(any(name in own for own in names) for name in ("__len__", "__getitem__"))


def items(op: str, name: str, x: Any) -> list[Any]:
    """Return the items of a sequence (in_c5): of a list, tuple or array all, of another object at most MAX_ITEMS.

    >>> items("xla.pad", "padding_config", ((1, 0, 0), (0, 2, 0)))
    [(1, 0, 0), (0, 2, 0)]
    """
    if type(x) in (list, tuple):
        return list(x)
    if isinstance(x, (list, tuple)) or (isinstance(x, np.ndarray) and x.ndim > 0):
        return _iterated(x)
    if isinstance(x, (str, bytes, bytearray, Mapping, np.ndarray)) or not has_items(x):
        raise type_error(op, "in_c5", f"{name} is {kind_of(x)}, not a sequence", value=x)
    return [x[number] for number in range(min(len(x), MAX_ITEMS))]


def _iterated(x: Any) -> list[Any]:
    """Return the items that an iterator gives: of a subclass it need not end. No more than are stored, or MAX_ITEMS."""
    kinds: tuple[Any, ...] = (list, tuple, np.ndarray)  # whose own lengths say what is stored
    stored = next(kind.__len__(x) for kind in kinds if isinstance(x, kind))
    return [item for item in islice(x, max(stored, MAX_ITEMS))]  # noqa: C416 - where signals are polled


def entries(x: Mapping[Any, Any]) -> dict[Any, Any]:
    """Return the entries of a mapping: of a dict all, of another object at most MAX_ITEMS.

    >>> entries({"axis": 1})
    {'axis': 1}
    """
    return dict(x) if type(x) is dict else {key: x[key] for key in islice(x, MAX_ITEMS)}


def shapes(op: str, name: str, x: Sequence[Any]) -> list[tuple[int, ...]]:
    """Return the shapes that a sequence has.

    >>> shapes("xla.concatenate", "shapes", [[2, 3], (1, 3)])
    [(2, 3), (1, 3)]
    """
    return [_core.read_shape(op, f"{name}[{number}]", shape) for number, shape in enumerate(items(op, name, x))]


def vectors(op: str, name: str, x: Sequence[Any]) -> list[tuple[int, ...]]:
    """Return the vectors of integers that a sequence has.

    >>> vectors("xla.pad", "padding_config", [[0, 1, 2]])
    [(0, 1, 2)]
    """
    return [_core.read_integers(op, f"{name}[{number}]", vector) for number, vector in enumerate(items(op, name, x))]


def integer(op: str, name: str, given: Any) -> int:
    """Return an integer (in_c1) of int64 (in_c2).

    >>> integer("xla.sort", "dimension", np.int8(-1))
    -1
    """
    if isinstance(given, (bool, np.bool_)) or not hasattr(given, "__index__"):
        raise type_error(op, "in_c1", f"{name} is {kind_of(given)}, not an integer", value=given)
    try:
        number = index(given)
    except TypeError:
        raise type_error(op, "in_c1", f"{name} is {kind_of(given)}, not an integer", value=given) from None
    if not INT64[0] <= number <= INT64[1]:
        raise overflow_error(op, name, number)
    return number
