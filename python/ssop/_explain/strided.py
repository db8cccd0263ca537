"""Explains a strided slice: the stages are read off the trace of the resolver, none is computed again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from operator import index as as_int
from typing import Any

from ssop import _core
from ssop._core import Region, SliceError, SliceValueError
from ssop._display import index_text
from ssop._errors import value_error
from ssop._explain.explanation import Explanation
from ssop._explain.facts import MaskBit, Stage, Table
from ssop._explain.others import answers
from ssop._explain.picture import Picture, axes_of_region, result_chips
from ssop._explain.repair import CONDITIONS, SPEC_STAGE, repaired, stage_of
from ssop._explain.specs import DIALECTS, Dialect, Spec
from ssop._masks import MASKS

FLAGS = {"begin": 1, "end": 2, "ellipsis": 4, "new_axis": 8, "shrink_axis": 16}
"""Of the flag byte of an entry, as the core has it."""

MAX_REPAIRS = 200
"""More errors than a spec can have one after the other: 128 entries, and a few of the spec itself."""


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


@dataclass(frozen=True)
class Trace:
    """A spec, and what its resolver wrote down on its way: up to the first error."""

    dialect: Dialect
    spec: Spec
    shape: tuple[int, ...]
    entries: tuple[Entry, ...]
    axes: tuple[Axis, ...]
    outcome: Region | SliceError

    def entry_of(self, axis: Axis) -> Entry | None:
        return None if axis.entry < 0 else self.entries[axis.entry]

    def ranges(self) -> Iterator[tuple[Axis, Entry]]:
        """The axes that an entry of their own takes a range of, with it."""
        for axis in self.axes:
            entry = self.entry_of(axis)
            if entry is not None and not entry.is_a("shrink_axis"):
                yield axis, entry

    def shrunk(self) -> Iterator[tuple[Axis, Entry]]:
        for axis in self.axes:
            entry = self.entry_of(axis)
            if entry is not None and entry.is_a("shrink_axis"):
                yield axis, entry

    def ellipsis(self) -> Entry | None:
        return next((entry for entry in self.entries if entry.is_a("ellipsis")), None)


def explain_strided_slice(
    dialect: str, shape: Sequence[int], vectors: tuple[Any, Any, Any], masks: tuple[Any, ...]
) -> Explanation:
    """The explanation of a call; raises for arguments that are no spec at all (in_*, ex_c1)."""
    if not isinstance(dialect, str) or dialect not in DIALECTS:
        names = ", ".join(map(repr, DIALECTS))
        raise value_error("explain", "ex_c1", f"dialect is {dialect!r}, not one of {names}", value=dialect)
    return explained(traced(DIALECTS[dialect], *read(shape, vectors, masks)), dialect)


def read(shape: Sequence[int], vectors: tuple[Any, Any, Any], masks: tuple[Any, ...]) -> tuple[Spec, tuple[int, ...]]:
    """The arguments as Python's integers. Those that are none are errors of the core's argument parsing."""
    try:
        _core.check_spec(*vectors, *masks)
    except SliceError as error:
        if error.label not in CONDITIONS:
            raise
    begin, end = (tuple(map(as_int, vector)) for vector in vectors[:2])
    strides = (1,) * len(begin) if vectors[2] is None else tuple(map(as_int, vectors[2]))
    bits = [as_int(mask) & 0xFFFFFFFF for mask in masks]
    dims = _core.strided_slice_region(shape, (), ()).in_shape
    return Spec(begin, end, strides, (bits[0], bits[1], bits[2], bits[3], bits[4])), dims


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


def explained(trace: Trace, name: str) -> Explanation:
    """The explanation of a trace by the rules of the dialect of that name."""
    region = trace.outcome if isinstance(trace.outcome, Region) else None
    error = trace.outcome if isinstance(trace.outcome, SliceError) else None
    lengths_differ = error is not None and CONDITIONS[str(error.label)] == "lengths"
    return Explanation(
        call=f"{trace.dialect.call(trace.spec)}, where x has shape {trace.shape}",
        op=trace.dialect.function.removeprefix("ssop."),
        in_shape=trace.shape,
        shape=None if region is None else region.shape,
        index=None if region is None else region.index,
        region=region,
        error=error,
        failed=None if error is None else stage_of(error),
        repair=None if error is None else _repair(trace),
        stages=tuple(_stages(trace)),
        tables=tuple(table for table in (_entry_table(trace), _axis_table(trace)) if table.rows),
        bits=tuple(_bits(trace)),
        others=() if lengths_differ else tuple(answers(trace.spec, trace.shape, name, trace.outcome)),
        details={"dialect": name, "entries": _entry_dicts(trace), "axes": _axis_dicts(trace)},
        draw=None if region is None else lambda: _picture(trace, region),
    )


def _repair(trace: Trace) -> str | None:
    """The nearest call that works, by one repair after the other; each is resolved, so the last one does work."""
    for _ in range(MAX_REPAIRS):
        if not isinstance(trace.outcome, SliceError):
            return trace.dialect.call(trace.spec)
        spec = repaired(trace.spec, trace.outcome)
        if spec is None:
            return None
        trace = traced(trace.dialect, spec, trace.shape)
    return None


# ---- tables ---------------------------------------------------------------------------------------------------------


def _item(trace: Trace, entry: Entry) -> Any:
    """What stands at the entry in the NumPy index that takes the same elements."""
    spec, number = trace.spec, entry.number
    if entry.is_a("ellipsis"):
        return ...
    if entry.is_a("new_axis"):
        return None
    if entry.is_a("shrink_axis"):
        return spec.begin[number]
    begin = None if entry.is_a("begin") else spec.begin[number]
    end = None if entry.is_a("end") else spec.end[number]
    return slice(begin, end, spec.strides[number])


def _entry_dicts(trace: Trace) -> list[dict[str, Any]]:
    return [
        {
            "entry": entry.number,
            "begin": trace.spec.begin[entry.number],
            "end": trace.spec.end[entry.number],
            "stride": trace.spec.strides[entry.number],
            "bits": list(trace.spec.bits(entry.number)),
            "kept": list(entry.kept),
            "axes": list(entry.axes),
            "index": index_text(_item(trace, entry))[1:-1],
        }
        for entry in trace.entries
    ]


def _axis_dicts(trace: Trace) -> list[dict[str, Any]]:
    region = trace.outcome if isinstance(trace.outcome, Region) else None
    rows = []
    for axis in trace.axes:
        row = {"axis": axis.number, **vars(axis), "entry": None if axis.entry < 0 else axis.entry}
        del row["number"]
        if region is not None:
            row["output_axis"] = _output_axis(region, axis.number)
        rows.append(row)
    return rows


def _output_axis(region: Region, axis: int) -> int | None:
    return region.out_axes.index(axis) if axis in region.out_axes else None


def _entry_table(trace: Trace) -> Table:
    heads = ("entry", "begin", "end", "stride", "mask bits", "after conflicts", "index", "input axes")
    rows = [
        (
            *(str(row[name]) for name in ("entry", "begin", "end", "stride")),
            ", ".join(row["bits"]) or None,
            ", ".join(row["kept"]) or None,
            row["index"],
            ", ".join(map(str, row["axes"])) or "none",
        )
        for row in _entry_dicts(trace)
    ]
    return Table("entries", heads, tuple(rows))


def _axis_table(trace: Trace) -> Table:
    begins, ends = ("begin", "+ dim", "clamp begin", "begin mask"), ("end", "+ dim", "clamp end", "end mask")
    heads = ("axis", "dim", "entry", *begins, *ends, "start", "count", "step", "output axis")
    return Table("axes", heads, tuple(_axis_row(trace, axis) for axis in trace.axes))


def _axis_row(trace: Trace, axis: Axis) -> tuple[str | None, ...]:
    entry = trace.entry_of(axis)
    given: tuple[int | None, ...] = (None,) * 8
    if entry is not None:
        begin, end = trace.spec.begin[entry.number], trace.spec.end[entry.number]
        given = (begin, axis.wrapped_begin, axis.clamped_begin, axis.begin)
        shrunk = entry.is_a("shrink_axis")  # nothing of its end is read
        given += (None,) * 4 if shrunk else (end, axis.wrapped_end, axis.clamped_end, axis.end)
    region = trace.outcome if isinstance(trace.outcome, Region) else None
    output = None if region is None else _output_axis(region, axis.number)
    numbers = (axis.number, axis.dim, None if entry is None else entry.number, *given)
    values = (*numbers, axis.start, axis.count, axis.step, output)
    return tuple(None if value is None else str(value) for value in values)


# ---- stages ---------------------------------------------------------------------------------------------------------


def _stages(trace: Trace) -> Iterator[Stage]:
    """The stages in their order, up to the one that finds the error."""
    failed = stage_of(trace.outcome) if isinstance(trace.outcome, SliceError) else None
    for stage in _all_stages(trace) if failed != SPEC_STAGE else ():
        if stage.name == failed:
            yield replace(stage, changes=(*stage.changes, "finds the error"))
            return
        yield stage


def _all_stages(trace: Trace) -> Iterator[Stage]:
    """Those of the blog that `tests/unit/test_document_blog.py` checks, by their names and in their order."""
    yield Stage("remove_conflict", "ss_s1", tuple(_conflicts(trace)))
    new = (f"entry {entry.number} adds an axis of length 1" for entry in trace.entries if entry.is_a("new_axis"))
    yield Stage("new axis", "ss_s3", tuple(new))
    yield Stage("ellipsis", "ss_s2", tuple(_ellipsis(trace)))
    yield Stage("missing entries", "ss_s2", tuple(_missing(trace)))
    for bound in ("begin", "end"):
        yield Stage(f"clamp {bound}", "ss_s4", tuple(_clamped(trace, bound)))
    for bound in ("begin", "end"):
        yield Stage(f"{bound} mask", "ss_s5", tuple(_masked(trace, bound)))
    shrunk = (
        f"entry {entry.number} takes index {axis.start} of axis {axis.number}, which is dropped"
        for axis, entry in trace.shrunk()
    )
    yield Stage("shrink", "ss_s7", tuple(shrunk))
    yield Stage("output shape", "ss_s6", (str(trace.outcome.shape),) if isinstance(trace.outcome, Region) else ())
    if isinstance(trace.outcome, Region):
        pick = tuple(axis.count for axis in trace.axes)
        taken, total = prod(pick), prod(trace.shape)
        yield Stage("pick shape", "ss_s6", (f"{pick}: of every input axis, without new axes",))
        yield Stage("data", "rg_s4", (f"{taken} of {total} elements: x{index_text(trace.outcome.index)}",))


def _conflicts(trace: Trace) -> Iterator[str]:
    for entry in trace.entries:
        lost = [name for name in trace.spec.bits(entry.number) if name not in entry.kept]
        if lost:
            winner = "the ellipsis" if entry.is_a("ellipsis") else "a new axis"
            yield f"entry {entry.number} is {winner}: {' and '.join(lost)} {'is' if len(lost) == 1 else 'are'} ignored"


def _ellipsis(trace: Trace) -> Iterator[str]:
    entry = trace.ellipsis()
    if entry is None:
        return
    if entry.axes:
        yield f"entry {entry.number} keeps {_axes_text(entry.axes)} whole"
    else:
        yield f"entry {entry.number} covers no axis: the other entries need all of them"


def _axes_text(axes: Sequence[int]) -> str:
    return f"{'axis' if len(axes) == 1 else 'axes'} {', '.join(map(str, axes))}"


def _missing(trace: Trace) -> Iterator[str]:
    covered = trace.ellipsis()
    axes = [
        axis.number for axis in trace.axes if axis.entry < 0 and (covered is None or axis.number not in covered.axes)
    ]
    if axes:
        yield f"no entry is left for {_axes_text(axes)}: kept whole"
    for entry in range(len(trace.entries), len(trace.spec.begin)):
        if isinstance(trace.outcome, Region):
            yield f"entry {entry} has no axis and is ignored [tfl_s3]"


def _clamped(trace: Trace, bound: str) -> Iterator[str]:
    for axis, entry in trace.ranges():
        given = getattr(trace.spec, bound)[entry.number]
        wrapped, clamped = getattr(axis, f"wrapped_{bound}"), getattr(axis, f"clamped_{bound}")
        if entry.is_a(bound) or given == clamped:
            continue
        added = f" + dim {axis.dim} = {wrapped}" if given < 0 else ""
        moved = "" if wrapped == clamped else f", clamped to {clamped}"
        yield f"axis {axis.number}: {bound} {given}{added}{moved}"


def _masked(trace: Trace, bound: str) -> Iterator[str]:
    for axis, entry in trace.ranges():
        if entry.is_a(bound):
            given = getattr(trace.spec, bound)[entry.number]
            yield f"axis {axis.number}: {bound} is {getattr(axis, bound)}, not {given}"


# ---- mask bits ------------------------------------------------------------------------------------------------------


def _bits(trace: Trace) -> Iterator[MaskBit]:
    """Every bit that is set, by entry: whether it matters, and why."""
    axes = {axis.entry: axis for axis in trace.axes}
    for number in trace.spec.entries_with_bits():
        entry = trace.entries[number] if number < len(trace.entries) else None
        for name in trace.spec.bits(number):
            if number >= len(trace.spec.begin):
                yield MaskBit(name, number, False, f"the spec has no entry {number}", "ss_s8")
            elif entry is not None:
                yield _bit(trace, entry, name, axes.get(number))


def _bit(trace: Trace, entry: Entry, name: str, axis: Axis | None) -> MaskBit:
    number = entry.number
    if name not in entry.kept:
        winner = "ellipsis" if entry.is_a("ellipsis") else "new_axis"
        return MaskBit(name, number, False, f"{winner} has precedence", "ss_s1")
    if name == "ellipsis":
        return MaskBit(name, number, True, "keeps whole every axis that no other entry needs", "ss_s2")
    if name == "new_axis":
        return MaskBit(name, number, True, "adds an axis of length 1; begin, end and stride are ignored", "ss_s3")
    if name == "shrink_axis":
        return MaskBit(name, number, True, "takes one element and drops its axis; end is ignored", "ss_s7")
    if axis is None:
        return MaskBit(name, number, False, "the error is found before this bit is read", "ss_s5")
    if entry.is_a("shrink_axis"):
        reads = name == "begin" and axis.begin != axis.wrapped_begin
        why = "the masked begin is element 0" if reads else "the axis is shrunk"
        return MaskBit(name, number, reads, why, "tfl_s1" if reads else "ss_s7")
    clamped, used = getattr(axis, f"clamped_{name}"), getattr(axis, name)
    if clamped == used:
        return MaskBit(name, number, False, f"makes no difference: {name} would be {used} without it, too", "ss_s5")
    return MaskBit(name, number, True, f"{name} is {used}; without it, it would be {clamped}", "ss_s5")


# ---- the picture ----------------------------------------------------------------------------------------------------


def _picture(trace: Trace, region: Region) -> Picture:
    masked = {axis.number: (entry.is_a("begin"), entry.is_a("end")) for axis, entry in trace.ranges()}
    bounds = {axis.number: (axis.begin, axis.end) for axis, _ in trace.ranges()}
    strides = {axis.number: trace.spec.strides[entry.number] for axis, entry in trace.ranges()}
    axes = axes_of_region(region, bounds, masked, strides)
    return Picture.of_region(
        title=f"x{index_text(region.index)} of shape {trace.shape}", axes=axes, chips=result_chips(region)
    )
