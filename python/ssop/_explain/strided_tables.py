"""The tables of a strided slice: its entries, the input's axes, and the axes between: the input's and the new ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ssop._core import Region
from ssop._display import index_text
from ssop._explain.facts import Table
from ssop._explain.sentences import cell
from ssop._explain.trace import Axis, Entry, Trace, index_item


def entry_dicts(trace: Trace) -> list[dict[str, Any]]:
    """What each entry says, which mask bits it keeps, and which axes it is about."""
    return [
        {
            "entry": entry.number,
            "begin": trace.spec.begin[entry.number],
            "end": trace.spec.end[entry.number],
            "stride": trace.spec.strides[entry.number],
            "bits": list(trace.spec.bits(entry.number)),
            "kept": list(entry.kept),
            "axes": list(entry.axes),
            "index": index_text(index_item(trace, entry))[1:-1],
        }
        for entry in trace.entries
    ]


def entry_table(trace: Trace) -> Table:
    heads = ("entry", "begin", "end", "stride", "mask bits", "after conflicts", "index", "input axes")
    rows = [
        (
            *(str(row[name]) for name in ("entry", "begin", "end", "stride")),
            ", ".join(row["bits"]) or None,
            ", ".join(row["kept"]) or None,
            row["index"],
            _axes_cell(trace, row) or "none",
        )
        for row in entry_dicts(trace)
    ]
    return Table("entries", heads, tuple(rows))


def _axes_cell(trace: Trace, row: dict[str, Any]) -> str:
    if trace.any_rank and "ellipsis" in row["kept"]:
        return "all others"
    return ", ".join(str(trace.name(axis)) for axis in row["axes"])


def axis_dicts(trace: Trace) -> list[dict[str, Any]]:
    """What the resolver wrote down of each axis; of an axis of unknown length, its number and entry."""
    rows = []
    for axis in trace.axes:
        row = {"axis": trace.name(axis.number), **vars(axis), "entry": None if axis.entry < 0 else axis.entry}
        del row["number"]
        if axis.number in trace.unknown:
            row |= dict.fromkeys(row.keys() - {"axis", "entry"})
        if trace.region is not None:
            row["output_axis"] = _output_axis(trace.region, axis.number)
        rows.append(row)
    return rows


def _output_axis(region: Region, axis: int) -> int | None:
    return region.out_axes.index(axis) if axis in region.out_axes else None


def axis_table(trace: Trace) -> Table:
    begins, ends = ("begin", "+ dim", "clamp begin", "begin mask"), ("end", "+ dim", "clamp end", "end mask")
    heads = ("axis", "dim", "entry", *begins, *ends, "start", "count", "step", "output axis")
    return Table("axes", heads, tuple(_axis_row(trace, axis) for axis in trace.axes))


def _axis_row(trace: Trace, axis: Axis) -> tuple[str | None, ...]:
    entry = trace.entry_of(axis)
    given: tuple[int | str | None, ...] = (None,) * 8
    if entry is not None:
        begin, end = trace.spec.begin[entry.number], trace.spec.end[entry.number]
        given = (begin, axis.wrapped_begin, cell(axis.clamped_begin), cell(axis.begin))
        shrunk = entry.is_a("shrink_axis")  # nothing of its end is read
        given += (None,) * 4 if shrunk else (end, axis.wrapped_end, cell(axis.clamped_end), cell(axis.end))
    values: tuple[int | str | None, ...] = (*given, axis.start, axis.count, axis.step)
    if axis.number in trace.unknown:
        values = (given[0], None, None, None, given[4], *(None,) * 6)
    dim = trace.dim_text(axis.number)
    output = None if trace.region is None else _output_axis(trace.region, axis.number)
    row = (trace.name(axis.number), dim, None if entry is None else entry.number, *values, output)
    return tuple(None if value is None else str(value) for value in row)


# ---- the intermediate shape -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class IntermediateAxis:
    """An axis of the input, or a new one, in the order in which the entries are about them; None is not known."""

    kind: str
    entry: int | None
    axis: int | None
    dim: int | None
    begin: int | None
    end: int | None
    stride: int | None
    output: int | None


def intermediate_axes(trace: Trace) -> list[IntermediateAxis]:
    """The axes of the input with the new ones between them, before anything is taken and dropped."""
    axes: list[IntermediateAxis] = []
    for entry in trace.entries:
        if entry.is_a("new_axis"):
            axes.append(IntermediateAxis("new", entry.number, None, 1, None, None, None, 1))
        axes.extend(_of_input(trace, trace.axes[axis], entry) for axis in entry.axes)
    axes.extend(_of_input(trace, trace.axes[axis], None) for axis in trace.missing())
    return axes


def _of_input(trace: Trace, axis: Axis, entry: Entry | None) -> IntermediateAxis:
    kind, number = "missing", None
    if entry is not None:
        kinds = {"ellipsis": "ellipsis", "shrink_axis": "shrunk"}
        kind, number = next((kinds[name] for name in entry.kept if name in kinds), "range"), entry.number
    if axis.number in trace.unknown:
        return IntermediateAxis(kind, number, axis.number, None, None, None, None, None)
    stride = trace.spec.strides[axis.entry] if kind == "range" else 1
    return IntermediateAxis(kind, number, axis.number, axis.dim, axis.begin, axis.end, stride, axis.count)


def intermediate_dicts(trace: Trace) -> list[dict[str, Any]]:
    if trace.error is not None or trace.any_rank:
        return []
    return [vars(axis).copy() for axis in intermediate_axes(trace)]


def intermediate_table(trace: Trace) -> Table:
    """The calculation of the blog: a column for each axis of the intermediate shape, also for the new ones."""
    columns = list(_columns(trace)) if trace.error is None else []
    heads = ("dim", "from", "begin", "end", "stride", "output")
    if not columns:
        return Table("intermediate shape", heads, ())
    head, *rows = zip(heads, *columns, strict=True)
    return Table("intermediate shape", tuple(map(str, head)), tuple(rows))


def _columns(trace: Trace) -> Iterator[tuple[str | None, ...]]:
    for axis in intermediate_axes(trace):
        words = {"new": "new", "ellipsis": "...", "missing": "no entry"}
        source = words.get(axis.kind, f"axis {axis.axis}")
        bounds = [None if n is None else cell(n) for n in (axis.begin, axis.end)]
        numbers = [*bounds, *(None if n is None else str(n) for n in (axis.stride, axis.output))]
        if axis.kind == "shrunk" and numbers[-1] is not None:
            numbers[-1] += ", dropped"
        yield ("1" if axis.axis is None else trace.dim_text(axis.axis), source, *numbers)
