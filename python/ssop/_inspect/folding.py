"""Integers that the nodes of a model compute from constants and dims, folded as far as they are known.

A value is an array of objects, each an integer or an `Unknown`; or one `Unknown`, if not even its shape is known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from math import prod
from typing import Any, Generic, TypeAlias, TypeVar

import numpy as np

from ssop._inspect.limits import MAX_RANK
from ssop._inspect.records import RunTime

MAX_ITEMS = 1 << 16
"""Constants and computed vectors with more integers are treated as unknown: no slice needs so many."""

MAX_ITEMS_IN_ALL = 1 << 22
"""All integers of a file together after which nothing more is computed."""

MAX_SHOWN = 8
"""Operators of a chain of producers that are shown; of more, the ones in the middle are left out."""


class Unknown:
    """An integer that is known at run time only, and the operators that compute it."""

    __slots__ = ("chain",)

    def __init__(self, chain: tuple[str, ...]) -> None:
        if len(chain) > MAX_SHOWN:
            chain = (*chain[: MAX_SHOWN // 2 - 1], "..", *chain[-MAX_SHOWN // 2 :])
        self.chain = chain

    def then(self, operator: str) -> Unknown:
        return Unknown((*self.chain, operator))


Value: TypeAlias = "np.ndarray[Any, Any] | Unknown"
Key = TypeVar("Key", bound=Hashable)


def array_of(items: Iterable[Any], shape: Sequence[int] | None = None) -> np.ndarray[Any, Any]:
    """The items, integers and unknown ones, as a value: a vector, if no shape is given."""
    listed = [item if isinstance(item, Unknown) else int(item) for item in items]
    array = np.empty(len(listed), object)
    array[:] = listed
    return array if shape is None else array.reshape(shape)


def is_small(dims: Sequence[int], most: int = MAX_ITEMS) -> bool:
    """Whether NumPy can make an array of these dims, of at most so many items; without a 0, they would have no more."""
    return len(dims) <= MAX_RANK and min(dims, default=0) >= 0 and prod(max(dim, 1) for dim in dims) <= most


def small(shape: Sequence[Any] | None) -> tuple[int, ...] | None:
    """The shape, if all its dims are known and it has few items; else None."""
    if shape is None or not all(isinstance(dim, int) for dim in shape) or not is_small(shape):
        return None
    return tuple(shape)


def unknown_array(shape: Sequence[Any] | None, chain: tuple[str, ...]) -> Value:
    """A value of this shape of which no integer is known."""
    dims = small(shape)
    return Unknown(chain) if dims is None else array_of([Unknown(chain)] * prod(dims), dims)


def constant_of(array: np.ndarray[Any, Any]) -> Value:
    """A constant; unknown if it has too many items, or no integers."""
    if array.size > MAX_ITEMS or array.dtype.kind not in "biu":
        return Unknown(("constant",))
    return array_of(array.reshape(-1).tolist(), array.shape)


def elementwise(operator: str, compute: Callable[..., int | Unknown], *values: Value, most: int = MAX_ITEMS) -> Value:
    """A function of integers on values that are broadcast; unknown where an operand is, or the function."""
    for value in values:
        if isinstance(value, Unknown):
            return value.then(operator)

    def of_items(*items: Any) -> Any:
        for item in items:
            if isinstance(item, Unknown):
                return item.then(operator)
        result = compute(*items)
        return result if isinstance(result, Unknown) else int(result)

    try:
        shape = np.broadcast_shapes(*[value.shape for value in values])  # type: ignore[union-attr]
    except ValueError:
        return Unknown(("operands of different shapes", operator))
    if prod(shape) > most:
        return Unknown((operator,))
    arrays = [np.broadcast_to(value, shape).reshape(-1) for value in values]  # type: ignore[arg-type]
    return array_of([of_items(*items) for items in zip(*arrays, strict=True)], shape)


def rearranged(operator: str, move: Callable[..., np.ndarray[Any, Any]], *values: Value) -> Value:
    """A function that moves items, such as `numpy.concatenate`; unknown if an operand is, or if it is an error."""
    for value in values:
        if isinstance(value, Unknown):
            return value.then(operator)
    try:
        moved = np.asarray(move(*values), object)
    except (IndexError, TypeError, ValueError, OverflowError):
        return Unknown((operator,))
    return moved if moved.size <= MAX_ITEMS else Unknown((operator,))


def wrapped(compute: Callable[..., int], bits: int, signed: bool) -> Callable[..., int]:
    """The same function in the arithmetic of a fixed number of bits."""
    offset = 1 << (bits - 1) if signed else 0
    return lambda *items: ((int(compute(*items)) + offset) & ((1 << bits) - 1)) - offset


def truncated_quotient(a: int, b: int) -> int:
    """C's division; raises ZeroDivisionError as Python does."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def checked(operator: str, compute: Callable[..., int], least: int, most: int) -> Callable[..., int | Unknown]:
    """The same function, unknown where its result is outside these numbers, or a division by 0."""

    def computed(*items: int) -> int | Unknown:
        try:
            result = int(compute(*items))
        except ZeroDivisionError:
            return Unknown((operator,))
        return result if least <= result <= most else Unknown((operator,))

    return computed


def safely(compute: Callable[..., int]) -> Callable[..., int]:
    """The same function with 0 for a division by 0, whose result no framework defines."""

    def divided(a: int, b: int) -> int:
        return compute(a, b) if b else 0

    return divided


class Folder(Generic[Key]):
    """Finds the values of tensors from those of the operands of the nodes that make them.

    Parameters
    ----------
    operands : the tensors from which a tensor is computed
    compute : its value from theirs
    """

    def __init__(
        self, operands: Callable[[Key], Sequence[Key]], compute: Callable[[Key, Sequence[Value]], Value]
    ) -> None:
        self._operands, self._compute = operands, compute
        self._known: dict[Key, Value] = {}
        self._items = 0

    def value(self, start: Key) -> Value:
        """The value of a tensor; unknown if it depends on itself. The stack is a list: files may have long chains."""
        stack, under_way = [start], set()
        while stack:
            key = stack[-1]
            if key in self._known:
                stack.pop()
                continue
            needed = self._operands(key)
            missing = [operand for operand in needed if operand not in self._known]
            if missing and key not in under_way:
                under_way.add(key)
                stack.extend([operand for operand in missing if operand not in under_way])
                continue
            self._known[key] = self._bounded(key, needed)
            stack.pop()
        return self._known[start]

    def _bounded(self, key: Key, needed: Sequence[Key]) -> Value:
        if self._items > MAX_ITEMS_IN_ALL:
            return Unknown(("too many integers",))
        cycle: Value = Unknown(("cycle",))
        value = self._compute(key, [self._known.get(operand, cycle) for operand in needed])
        self._items += 1 if isinstance(value, Unknown) else value.size
        return value


def argument(value: Value, tensor: str, producer: Callable[[], str] | None = None) -> tuple[int, ...] | RunTime:
    """A vector as an argument of a call: its integers, or what is known of them, and what computes the others."""
    if isinstance(value, Unknown):
        return RunTime(tensor, " -> ".join(value.chain) if producer is None else producer())
    items = value.reshape(-1).tolist()
    for item in items:
        if isinstance(item, Unknown):
            known = tuple([None if isinstance(each, Unknown) else each for each in items])
            return RunTime(tensor, " -> ".join(item.chain) if producer is None else producer(), known)
    return tuple(items)


def progression(items: Sequence[int]) -> int | None:
    """The step from each integer to the next one, if it is the same for all and not 0; 1 for a single integer."""
    if not items:
        return None
    step = items[1] - items[0] if len(items) > 1 else 1
    steps = {after - before for before, after in zip(items, items[1:], strict=False)}
    return step if step and steps <= {step} else None
