"""What the resolver of a strided slice wrote down on its way, up to the first error. Nothing is computed again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from ssop import _core
from ssop._core import PartialShape, Region, SliceError, SliceValueError
from ssop._explain.repair import CONDITIONS
from ssop._explain.specs import Dialect, Spec
from ssop._masks import MASKS

FLAGS = {"begin": 1, "end": 2, "ellipsis": 4, "new_axis": 8, "shrink_axis": 16}
"""The bits of an entry's flag byte in the core."""


Outcome: TypeAlias = Region | PartialShape | SliceError
"""A partial shape where a dim is not known."""


@dataclass(frozen=True)
class Entry:
    """What the trace says of an entry."""

    number: int
    kept: tuple[str, ...]
    axes: range

    def is_a(self, kind: str) -> bool:
        return kind in self.kept


@dataclass(frozen=True)
class Axis:
    """What the trace says of an input axis; `entry` is -1 where it has none."""

    number: int
    dim: int
    entry: int
    wrapped_begin: int
    wrapped_end: int
    clamped_begin: int
    clamped_end: int
    begin: int
    end: int
    start: int
    count: int
    step: int

    def index(self) -> Any:
        """What is taken, as an item of a NumPy index with bounds inside the axis."""
        return _core.Region((self.dim,), [(self.start, self.count, self.step)], [0]).index[0]


@dataclass(frozen=True)
class Trace:
    """A spec and its trace. `unknown` has the axes whose dims are not known: of these, only the entry is told.

    `partial` is the shape with these dims, or None. With `any_rank`, the rank is the least one of those that the shape
    may have: the ellipsis, or the end of the entries, may stand for more axes.
    """

    dialect: Dialect
    spec: Spec
    shape: tuple[int, ...]
    entries: tuple[Entry, ...]
    axes: tuple[Axis, ...]
    outcome: Outcome
    unknown: frozenset[int] = frozenset()
    partial: PartialShape | None = None
    any_rank: bool = False

    @property
    def region(self) -> Region | None:
        return self.outcome if isinstance(self.outcome, Region) else None

    @property
    def error(self) -> SliceError | None:
        return self.outcome if isinstance(self.outcome, SliceError) else None

    def name(self, axis: int) -> int:
        """The number of an axis; counted from the last one where the ellipsis of an unknown rank is in front of it."""
        covered = self.ellipsis()
        behind = self.any_rank and covered is not None and axis >= covered.axes.start
        return axis - len(self.axes) if behind else axis

    def dim_text(self, axis: int) -> str:
        """The dim as a number, a name, an interval, or ?."""
        return str(self.shape[axis] if self.partial is None else self.partial.dim(axis))

    def entry_of(self, axis: Axis) -> Entry | None:
        return None if axis.entry < 0 else self.entries[axis.entry]

    def axis_of(self, entry: Entry) -> Axis | None:
        """The axis that the entry selects from; None for new axes, the ellipsis, and behind an error."""
        return next((axis for axis in self.axes if axis.entry == entry.number), None)

    def selections(self) -> Iterator[tuple[Axis, Entry]]:
        """The axes that have an entry of their own, with it."""
        for axis in self.axes:
            entry = self.entry_of(axis)
            if entry is not None:
                yield axis, entry

    def ranges(self) -> Iterator[tuple[Axis, Entry]]:
        return ((axis, entry) for axis, entry in self.selections() if not entry.is_a("shrink_axis"))

    def shrunk(self) -> Iterator[tuple[Axis, Entry]]:
        return ((axis, entry) for axis, entry in self.selections() if entry.is_a("shrink_axis"))

    def bounds(self, bound: str) -> Iterator[tuple[Axis, Entry]]:
        """The axes whose begin, or whose end, is read: a shrunk one has no end."""
        return self.selections() if bound == "begin" else self.ranges()

    def ellipsis(self) -> Entry | None:
        return next((entry for entry in self.entries if entry.is_a("ellipsis")), None)

    def missing(self) -> list[int]:
        """The axes for which no entry is left."""
        covered = self.ellipsis()
        return [
            axis.number for axis in self.axes if axis.entry < 0 and (covered is None or axis.number not in covered.axes)
        ]


def traced(dialect: Dialect, spec: Spec, shape: tuple[int, ...]) -> Trace:
    """What the resolver writes down; an error that does not depend on the shape leaves no stages."""
    try:
        traced = dialect.trace(shape, spec.begin, spec.end, spec.strides, *dialect.masks(spec))
    except SliceValueError as error:  # found before the shape matters
        if error.label not in CONDITIONS:
            raise
        return Trace(dialect, spec, shape, (), (), error)
    entries, axes, outcome = traced
    return Trace(
        dialect,
        spec,
        shape,
        tuple(
            Entry(number, tuple(name for name in MASKS if flags & FLAGS[name]), range(first, first + count))
            for number, (flags, first, count) in enumerate(entries)
        ),
        tuple(Axis(number, shape[number], *values) for number, values in enumerate(axes)),
        outcome,
    )


def written_item(trace: Trace, entry: Entry) -> Any:
    """What the entry says, as an item of a NumPy index: None for a new axis."""
    spec, number = trace.spec, entry.number
    if entry.is_a("ellipsis"):
        return ...
    if entry.is_a("new_axis"):
        return None
    if entry.is_a("shrink_axis"):
        masked = entry.is_a("begin") and trace.dialect.shrink_reads_begin_mask
        return 0 if masked else spec.begin[number]
    begin = None if entry.is_a("begin") else spec.begin[number]
    end = None if entry.is_a("end") else spec.end[number]
    return slice(begin, end, spec.strides[number])


def index_item(trace: Trace, entry: Entry) -> Any:
    """The item of a NumPy index that takes what the entry takes: as it is written, if NumPy reads it so."""
    written, axis = written_item(trace, entry), trace.axis_of(entry)
    if axis is None or axis.number in trace.unknown or _numpy_takes(written, axis):
        return written
    return axis.start if entry.is_a("shrink_axis") else axis.index()


def _numpy_takes(item: Any, axis: Axis) -> bool:
    if isinstance(item, int):
        return -axis.dim <= item < axis.dim and item % axis.dim == axis.start
    taken = range(axis.dim)[item]
    same_start = axis.count == 0 or taken[:1] == range(axis.start, axis.start + 1)
    return len(taken) == axis.count and same_start and (axis.count <= 1 or taken.step == axis.step)
