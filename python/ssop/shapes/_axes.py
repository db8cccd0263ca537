"""Slices of listed axes, of which some may be unknown: ONNX's Slice and OpenVINO's Slice-8 (sh_s22).

A completion of such a list gives every unknown entry an axis. Which axes an entry can have does not depend on its
bounds, for the only error of a bound is a step of 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, SupportsIndex, TypeAlias, TypeGuard

from ssop._core import Dim, PartialShape, SliceError
from ssop.shapes._arguments import (
    MAX_ENTRIES,
    MAX_RANK,
    UNKNOWN_VECTOR,
    Mode,
    ShapeLike,
    VectorLike,
    dims_of,
    in_mode,
)

Infer: TypeAlias = Callable[[ShapeLike, "Vectors"], PartialShape]
"""The shape of a slice whose axes are known, in the tight mode."""


class Vectors(NamedTuple):
    """The lists of a slice; None for axes and steps that are not given. The first of known length says how long."""

    axes: Any
    starts: Any
    stops: Any
    steps: Any

    def of_length(self, count: int | None) -> Vectors:
        """The same, unknown lengths being this one; the others are cut to it unless it is None."""
        return Vectors(*((None,) * (count or 0) if v is UNKNOWN_VECTOR else v and v[:count] for v in self))

    def on_all_axes(self, entry: int, rank: int) -> Vectors:
        """One entry for each axis of a shape."""
        starts, stops, steps = (vector and vector[entry : entry + 1] * rank for vector in self[1:])
        return Vectors(None, starts, stops, steps)

    def lengths(self) -> list[int | None]:
        """How long the lists are that are given; None if that is unknown."""
        return [None if vector is UNKNOWN_VECTOR else len(vector) for vector in self if vector is not None]


def axes_slice(infer: Infer, shape: ShapeLike, vectors: Vectors, mode: Mode) -> PartialShape:
    """The shape of a slice whose lists have one length, and no axis twice."""
    data, lengths = PartialShape(shape), vectors.lengths()
    length = next((length for length in lengths if length is not None), None)
    if length is None:
        return _any_part(infer, data, mode)
    known = Vectors(*((None,) * length if vector is UNKNOWN_VECTOR else vector for vector in vectors))
    if has_unknown(known.axes):
        return _of_each_rank(partial(_with_distinct_axes, infer, known), data, mode)
    return in_mode(mode, infer(data, known), data)


def zipped_slice(infer: Infer, shape: ShapeLike, vectors: Vectors, mode: Mode) -> PartialShape:
    """The shape of a slice that takes as many entries as its shortest list has; the last entry of an axis counts."""
    data, lengths = PartialShape(shape), vectors.lengths()
    most = min(length for length in [*lengths, MAX_ENTRIES] if length is not None)
    if None not in lengths:
        known = vectors.of_length(most) if has_unknown(vectors.axes) else vectors
        return _of_each_rank(partial(_with_last_axes, infer, known), data, mode)
    if data.rank is None:
        return data  # for it may be that no entry counts
    result = data
    for count in range(1, most + 1):
        try:
            result = _hull(result, _with_last_axes(infer, vectors.of_length(count), data))
        except SliceError:
            continue
    return in_mode(mode, result, data)


def has_unknown(axes: Sequence[object] | None) -> bool:
    """True for a list of axes, as it was read, that are not all known."""
    return axes is not None and None in axes


def are_known(axes: VectorLike | None) -> TypeGuard[Sequence[SupportsIndex] | None]:
    """True for axes that need not be read to tell that none is unknown; missing ones are known."""
    return axes is None or (type(axes) in (tuple, list) and all(axis is not None for axis in axes))


def _hull(a: PartialShape, b: PartialShape) -> PartialShape:
    """The smallest intervals that have the dims of both shapes, which have one rank."""
    return PartialShape([_either(x, y) for x, y in zip(dims_of(a), dims_of(b), strict=True)])


def _either(a: Dim | None, b: Dim) -> Dim:
    return b if a is None or a.same_as(b) else a.relax(b, mode="tight")


def _any_part(infer: Infer, data: PartialShape, mode: Mode) -> PartialShape:
    """What a slice of unknown entries gives: of every dim, any part."""
    infer(data, Vectors(None, (), (), ()))  # raises where there is no slice of a scalar
    if data.intervals is None:
        return data
    return in_mode(mode, PartialShape([(0, high) for _, high in data.intervals]))


def _of_each_rank(slice_of: Callable[[PartialShape], PartialShape], data: PartialShape, mode: Mode) -> PartialShape:
    """The slice of a shape; if its rank is unknown, an error if every rank gives one, else an unknown rank."""
    if data.rank is not None:
        return in_mode(mode, slice_of(data), data)
    first: SliceError | None = None
    for rank in range(MAX_RANK, -1, -1):
        try:
            slice_of(data.with_rank(rank))
        except SliceError as error:
            first = first or error
        else:
            return data
    assert first is not None
    raise first


def _with_distinct_axes(infer: Infer, vectors: Vectors, data: PartialShape) -> PartialShape:
    """The slice of a shape of known rank: each unknown entry is on one of the axes that are not listed."""
    rank = data.rank
    assert rank is not None
    listed = {axis % rank for axis in vectors.axes if isinstance(axis, int) and -rank <= axis < rank}
    free = [axis for axis in range(rank) if axis not in listed]
    wild = [entry for entry, axis in enumerate(vectors.axes) if axis is None]
    chosen = dict(zip(wild, free, strict=False))  # if entries are left, axis 0 is there twice, or no axis of a scalar
    one = infer(data, _with_axes(vectors, chosen))  # raises if there is no completion
    return _joined(infer, data, vectors, one, dict.fromkeys(free, wild), free if len(wild) < len(free) else ())


def _with_last_axes(infer: Infer, vectors: Vectors, data: PartialShape) -> PartialShape:
    """The slice of a shape of known rank where the last of the entries of an axis counts, and others are not read.

    An entry of step 0 is an error unless a later one has its axis.
    """
    rank, axes = data.rank, vectors.axes
    assert rank is not None
    if rank < 2 or not has_unknown(axes):
        return infer(data, vectors if axes is None else _with_axes(vectors, {}))
    bad = {entry for entry, step in enumerate(vectors.steps or ()) if step == 0}
    wild = [entry for entry, axis in enumerate(axes) if axis is None and entry not in bad]
    last = {axis % rank: entry for entry, axis in enumerate(axes) if isinstance(axis, int) and -rank <= axis < rank}
    hidden = {axis: entry for axis, entry in last.items() if entry in bad}
    cover = _covered(hidden, wild) or {}
    final = cover.get(len(axes) - 1, 0) if axes[-1] is None else axes[-1]
    others = dict.fromkeys((entry for entry, axis in enumerate(axes) if axis is None), final)
    one = infer(data, _with_axes(vectors, others | cover))  # raises if there is no completion
    winners = {axis: [entry] for axis, entry in last.items() if entry not in bad}
    for axis in range(rank):
        rest = {other: entry for other, entry in hidden.items() if other != axis}
        later = [entry for entry in wild if entry > last.get(axis, -1) and _covered(rest, wild, entry) is not None]
        winners[axis] = [*winners.get(axis, ()), *later]
    return _joined(infer, data, vectors, one, winners, [axis for axis in range(rank) if axis not in last])


def _covered(hidden: Mapping[int, int], wild: Sequence[int], taken: int = -1) -> dict[int, int] | None:
    """An axis for some of the entries, such that each of the hidden ones has a later one on its axis; None if no way.

    The latest hidden entry comes first: what may cover it may cover the others, too.
    """
    free, chosen = [entry for entry in wild if entry != taken], dict[int, int]()
    for axis, entry in sorted(hidden.items(), key=lambda item: -item[1]):
        if not free or free[-1] < entry:
            return None
        chosen[free.pop()] = axis
    return chosen


def _with_axes(vectors: Vectors, chosen: Mapping[int, int]) -> Vectors:
    """The lists with the chosen axes for entries, and axis 0 for other unknown ones."""
    axes = [chosen.get(entry, 0) if axis is None else axis for entry, axis in enumerate(vectors.axes)]
    return vectors._replace(axes=axes)


def _joined(
    infer: Infer,
    data: PartialShape,
    vectors: Vectors,
    one: PartialShape,
    winners: Mapping[int, Sequence[int]],
    whole: Iterable[int],
) -> PartialShape:
    """The result, where an axis has one of the entries in `winners`, or is whole; other axes are as in `one`."""
    dims = {axis: data.dim(axis) for axis in whole}
    for entry in sorted({entry for entries in winners.values() for entry in entries}):
        counts = infer(data, vectors.on_all_axes(entry, len(dims_of(data))))
        for axis, entries in winners.items():
            if entry in entries:
                dims[axis] = _either(dims.get(axis), counts.dim(axis))
    return PartialShape([dims.get(axis, dim) for axis, dim in enumerate(dims_of(one))])
