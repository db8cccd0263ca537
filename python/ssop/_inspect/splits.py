"""The sizes of the parts of a split, of which each output is a slice."""

from __future__ import annotations

from collections.abc import Sequence

from ssop._inspect.records import Argument, Dim, RunTime

MAX_OUTPUTS = 4_096
"""Outputs of one node that are told; a file may claim any number."""


def equal_sizes(shape: Sequence[Dim] | None, axis: Argument, count: int) -> tuple[int, ...] | None:
    """So many equal parts of an axis; None if its dim is not known, or is no multiple."""
    dim = _dim(shape, axis)
    if dim is None or not 0 < count <= MAX_OUTPUTS or dim % count:
        return None
    return (dim // count,) * count


def given_sizes(shape: Sequence[Dim] | None, axis: Argument, sizes: Argument) -> Argument:
    """The sizes that a node has, of which one may be -1: what the others leave of the dim."""
    if not isinstance(sizes, tuple) or -1 not in sizes:
        return sizes
    dim = _dim(shape, axis)
    rest = None if dim is None else dim - sum(size for size in sizes if size != -1)
    if rest is None or rest < 0 or sizes.count(-1) > 1:
        return RunTime("the rest of the axis", "the dim", tuple([None if size == -1 else size for size in sizes]))
    return tuple([rest if size == -1 else size for size in sizes])


def _dim(shape: Sequence[Dim] | None, axis: Argument) -> int | None:
    if shape is None or not isinstance(axis, int) or not -len(shape) <= axis < len(shape):
        return None
    dim = shape[axis]
    return dim if isinstance(dim, int) else None
