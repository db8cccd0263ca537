"""What every operation of the reference rests on: rejections, tensors, regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

INT64_MAX = 2**63 - 1

Range: TypeAlias = tuple[int, int, int]
"""Start, count and step: what is taken of one input axis."""

Region: TypeAlias = tuple[tuple[Range, ...], tuple[int, ...]]
"""A range per input axis, and per output axis the input axis it comes from, -1 for a new one."""


class Rejected(Exception):
    """The call breaks the rule `label`; the other attributes say where, as the table of errors in SPEC.md does.

    >>> Rejected("ss_c5", axis=1, entry=1, value=0)
    Rejected('ss_c5', axis=1, entry=1, value=0, allowed=None)
    """

    def __init__(
        self,
        label: str,
        *,
        axis: int | None = None,
        entry: int | None = None,
        value: Any = None,
        allowed: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(label)
        self.label, self.axis, self.entry, self.value, self.allowed = label, axis, entry, value, allowed

    def __repr__(self) -> str:
        fields = f"axis={self.axis}, entry={self.entry}, value={self.value!r}, allowed={self.allowed}"
        return f"Rejected({self.label!r}, {fields})"

    __str__ = __repr__


class Tensor(NamedTuple):
    """A shape, and in C order as many items as it has indices."""

    shape: tuple[int, ...]
    """The dims."""
    items: list[Any]
    """The elements in C order."""

    def at(self, index: Sequence[int]) -> Any:
        """The item at `index`, one int inside `0..dim-1` per axis.

        >>> tensor([[1, 2], [3, 4]], (2, 2)).at((1, 0))
        3
        """
        position = 0
        for i, dim in zip(index, self.shape, strict=True):
            if not 0 <= i < dim:
                raise IndexError(f"{index} is outside {self.shape}")
            position = position * dim + i
        return self.items[position]


def tensor(nested: Any, shape: Sequence[int]) -> Tensor:
    """Make a tensor of `shape` from lists nested as deep as the shape is long.

    >>> tensor([[1, 2, 3]], (1, 3))
    Tensor(shape=(1, 3), items=[1, 2, 3])
    """
    items = [nested]
    for dim in shape:
        if any(len(row) != dim for row in items):
            raise ValueError(f"the lists do not have shape {tuple(shape)}")
        items = [item for row in items for item in row]
    return Tensor(tuple(shape), items)


def build(shape: Sequence[int], item: Callable[[tuple[int, ...]], Any]) -> Tensor:
    """Make the tensor of `shape` whose item at each index is `item(index)`.

    >>> build((2, 2), sum)
    Tensor(shape=(2, 2), items=[0, 1, 1, 2])
    """
    return Tensor(tuple(shape), [item(index) for index in product(*map(range, shape))])


# Regions


def canonical(taken: range) -> Range:
    """Return the only range that takes the same indices in the same order (rg_s1).

    >>> canonical(range(7, 3, -2)), canonical(range(7, 3, -4)), canonical(range(7, 7, -1))
    ((7, 2, -2), (7, 1, 1), (0, 0, 1))
    """
    count = len(taken)
    if count == 0:
        return 0, 0, 1
    return taken.start, count, taken.step if count > 1 else 1


def region_shape(ranges: Sequence[Range], out_axes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of what a region takes.

    >>> region_shape([(0, 3, 1), (5, 1, 1)], [0, -1])
    (3, 1)
    """
    return tuple(1 if axis == -1 else ranges[axis][1] for axis in out_axes)


def take(x: Tensor, ranges: Sequence[Range], out_axes: Sequence[int]) -> Tensor:
    """Take a region of `x`: place `k` of an axis is `start + k * step`, and a dropped axis is at its start.

    >>> take(tensor([[1, 2, 3], [4, 5, 6]], (2, 3)), [(1, 1, 1), (2, 2, -2)], [-1, 1])
    Tensor(shape=(1, 2), items=[6, 4])
    """

    def item(index: tuple[int, ...]) -> Any:
        place = dict(zip(out_axes, index, strict=True))
        return x.at([start + place.get(axis, 0) * step for axis, (start, _, step) in enumerate(ranges)])

    return build(region_shape(ranges, out_axes), item)


def origin(index: Sequence[int], ranges: Sequence[Range], out_axes: Sequence[int]) -> list[int] | None:
    """Return where in what a region takes the item at `index` of its input comes out, None if it is not taken.

    >>> origin((1, 6), [(1, 1, 1), (8, 3, -2)], [-1, 1]), origin((1, 7), [(1, 1, 1), (8, 3, -2)], [-1, 1])
    ([0, 1], None)
    """
    taken = [range(start, start + count * step, step) for start, count, step in ranges]
    if not all(i in places for i, places in zip(index, taken, strict=True)):
        return None
    return [0 if axis == -1 else taken[axis].index(index[axis]) for axis in out_axes]
