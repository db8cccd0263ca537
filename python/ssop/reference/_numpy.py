"""NumPy's operations that move data: pad and roll."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ssop.reference._tensors import INT64_MAX, Rejected, Tensor, build

MODES = ("constant", "edge", "reflect", "symmetric", "wrap")


def pad(x: Tensor, pad_width: Any, mode: str = "constant", constant_values: Any = 0) -> Tensor:
    """Return `x` with constants, or items of its own, before and behind each axis.

    `pad_width` and `constant_values` are one item, (before, after), or one of either per axis; a dict has the widths of
    some axes. Raises `np_c1`, `np_c2`, `np_c4`, `np_c3`, `np_c5`. Source: numpy.pad.

    >>> pad(tensor([1, 2, 3], (3,)), (2, 1), "reflect")
    Tensor(shape=(6,), items=[3, 2, 1, 2, 3, 2])
    """
    rank = len(x.shape)
    if mode not in MODES:
        raise Rejected("np_c1", value=mode)
    if isinstance(pad_width, dict):
        widths = [(0, 0)] * rank
        for axis, width in pad_width.items():  # np_s3
            if not -rank <= axis < rank:
                raise Rejected("np_c4", value=axis, allowed=(-rank, rank - 1))
            widths[axis] = pair(width)
    else:
        widths = pairs(pad_width, rank)
    for axis, width in enumerate(widths):
        if min(width) < 0:
            raise Rejected("np_c3", axis=axis, value=min(width), allowed=(0, INT64_MAX))
    if mode != "constant":
        for axis, (dim, width) in enumerate(zip(x.shape, widths, strict=True)):
            if dim == 0 and any(width):
                raise Rejected("np_c5", axis=axis, value=mode)
    values = pairs(constant_values, rank)

    def item(index: tuple[int, ...]) -> Any:
        if mode != "constant":
            places = zip(index, x.shape, widths, strict=True)
            return x.at([source(i - low, dim, mode) for i, dim, (low, _) in places])
        for i, dim, (low, _), (before, after) in reversed([*zip(index, x.shape, widths, values, strict=True)]):  # np_s2
            if not low <= i < low + dim:
                return before if i < low else after
        return x.at([i - low for i, (low, _) in zip(index, widths, strict=True)])

    return build([low + dim + high for dim, (low, high) in zip(x.shape, widths, strict=True)], item)


def roll(x: Tensor, shift: int | Sequence[int], axis: int | Sequence[int] | None = None) -> Tensor:
    """Return `x` with its items moved by `shift` along `axis`, round the ends; without `axis`, in C order.

    Raises `np_c7` and `np_c6`. Source: numpy.roll.

    >>> roll(tensor([1, 2, 3, 4], (4,)), 1)
    Tensor(shape=(4,), items=[4, 1, 2, 3])
    """
    if axis is None:  # np_s5
        count = len(x.items)
        flat = Tensor((count,), x.items)
        return Tensor(x.shape, roll(flat, shift, 0).items)
    rank = len(x.shape)
    shifts = [shift] if isinstance(shift, int) else list(shift)
    axes = [axis] if isinstance(axis, int) else list(axis)
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        raise Rejected("np_c7", value=len(shifts), allowed=(len(axes), len(axes)))
    moved = [0] * rank
    for number in range(max(len(shifts), len(axes)) if shifts and axes else 0):
        at = axes[number % len(axes)]
        if not -rank <= at < rank:
            raise Rejected("np_c6", value=at, allowed=(-rank, rank - 1))
        moved[at] += shifts[number % len(shifts)]  # np_s4
    return build(
        x.shape, lambda index: x.at([(i - by) % dim for i, by, dim in zip(index, moved, x.shape, strict=True)])
    )


def source(i: int, dim: int, mode: str) -> int:
    """Return the element of an axis that stands at `i`, counted from its first element (np_s1).

    >>> [[source(i, 3, mode) for i in range(-4, 7)] for mode in ("edge", "reflect", "symmetric", "wrap")]
    [[0, 0, 0, 0, 0, 1, 2, 2, 2, 2, 2], [0, 1, 2, 1, 0, 1, 2, 1, 0, 1, 2], [2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0], \
[2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0]]
    """
    if mode == "edge" or (mode == "reflect" and dim == 1):
        return min(max(i, 0), dim - 1)
    if mode == "wrap":
        return i % dim
    skipped = int(mode == "reflect")
    inside = i % (2 * (dim - skipped))
    return inside if inside < dim else 2 * dim - 1 - skipped - inside


def pairs(given: Any, rank: int) -> list[tuple[Any, Any]]:
    """Return (before, after) of every axis (np_c2).

    >>> pairs(1, 2), pairs([1, 2], 2), pairs([[1], [2, 3]], 2)
    ([(1, 1), (1, 1)], [(1, 2), (1, 2)], [(1, 1), (2, 3)])
    """
    if not isinstance(given, (list, tuple)) or not any(isinstance(row, (list, tuple)) for row in given):
        return [pair(given)] * rank
    if len(given) not in (1, rank) or not all(isinstance(row, (list, tuple)) for row in given):
        raise Rejected("np_c2", value=len(given))
    rows = [pair(row) for row in given]
    return rows * rank if len(rows) == 1 else rows


def pair(given: Any) -> tuple[Any, Any]:
    """Return both items of a pair, or one item twice.

    >>> pair(3), pair((1, 2))
    ((3, 3), (1, 2))
    """
    items: Sequence[Any] = given if isinstance(given, (list, tuple)) else [given]
    if len(items) not in (1, 2):
        raise Rejected("np_c2", value=len(items))
    return items[0], items[-1]
