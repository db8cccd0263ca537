"""Explains ONNX's Slice by each of its engines: what of each axis is taken is the trace of its resolver."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any

from ssop import _core, divergences
from ssop._core import PartialShape, Region, SliceError
from ssop._display import index_text
from ssop._errors import type_error
from ssop._explain.elsewhere import convertible, equal_calls
from ssop._explain.explanation import Explanation
from ssop._explain.facts import Answer, Stage, Table
from ssop._explain.others import ENGINES, rows_of
from ssop._explain.partial import MAX_RANK, known_or_partial, named_dims, shape_text
from ssop._explain.picture import Picture, axes_of_region, result_chips
from ssop._explain.sentences import (
    AxisAnswer,
    answer,
    cell,
    clamped,
    compared,
    of_empty,
    of_error,
    of_every_dim,
    taken,
    whole,
)
from ssop._explain.strided_stages import UNKNOWN

OP = "explain.onnx_slice"
NAMES = ("starts", "ends", "axes", "steps")
OPEN_ENDS = (2**31 - 1, 2**63 - 1)
"""What ONNX Runtime reads as an end that is masked (ort_s1)."""
FIELDS = ("wrapped_start", "wrapped_end", "clamped_start", "clamped_end", "start", "end", "first", "count", "step")
"""What the trace says of an axis, in its order: `start` and `end` are those that are used."""
MAX_REPAIRS = 400
"""More errors than a call can have one after the other: three lists that are too long, and three for each of 128
entries."""


@dataclass(frozen=True)
class Call:
    """The lists of a Slice as integers, the shape of its data, and the engine."""

    shape: PartialShape | tuple[int, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    axes: tuple[int, ...] | None
    steps: tuple[int, ...] | None
    engine: Any

    def lists(self) -> tuple[Any, ...]:
        return self.starts, self.ends, self.axes, self.steps

    def outcome(self, engine: Any = None) -> Region | PartialShape | SliceError:
        """What an engine takes; a partial shape where a dim is not known."""
        partial = isinstance(self.shape, PartialShape)
        engine = self.engine if engine is None else engine
        try:
            if partial:
                infer = import_module("ssop.shapes.onnx").slice
                return infer(self.shape, *self.lists(), engine=engine, mode="tight")  # type: ignore[no-any-return]
            return _core.onnx_slice_region(self.dims(), *self.lists(), engine=engine)  # type: ignore[arg-type]
        except SliceError as error:
            if error.label is None or error.label.startswith("in_") or error.label == "onx_c7":
                raise
            return error

    def dims(self) -> tuple[int | None, ...]:
        found = self.shape.dims if isinstance(self.shape, PartialShape) else self.shape
        assert found is not None
        return tuple(found)

    def text(self) -> str:
        """As it is written in source code."""
        starts, ends, axes, steps = (None if values is None else list(values) for values in self.lists())
        given = (("axes", axes), ("steps", steps), ("engine", None if self.engine == "spec" else self.engine))
        named = "".join(f", {name}={value!r}" for name, value in given if value is not None)
        return f"ssop.onnx.slice(x, {starts}, {ends}{named})"

    def axis(self, entry: int) -> int:
        """The axis of an entry, counted from the first one."""
        axis = entry if self.axes is None else self.axes[entry]
        return axis + len(self.dims()) if axis < 0 else axis

    def step(self, entry: int) -> int:
        return 1 if self.steps is None else self.steps[entry]

    def read(self) -> range:
        """The entries that are read: the reference ends with the shortest list (onr_s1)."""
        return range(min(len(values) for values in self.lists() if values is not None))

    def entries(self) -> dict[int, int]:
        """The entry of each axis that has one: of several, the reference uses the last (onr_s1)."""
        return {self.axis(entry): entry for entry in self.read()}


@dataclass(frozen=True)
class AxisTrace:
    """What the resolver wrote down of an axis that has an entry."""

    number: int
    entry: int
    dim: int | None
    values: dict[str, int | None]


def explain_onnx_slice(
    shape: Any, starts: Any, ends: Any, axes: Any, steps: Any, engine: Any
) -> Explanation:  # fmt: skip
    """See `ssop.explain.onnx_slice`."""
    given = zip(NAMES, (starts, ends, axes, steps), strict=True)
    lists: Any = [None if x is None and name in NAMES[2:] else _core.read_integers(OP, name, x) for name, x in given]
    known, partial = known_or_partial(OP, shape)
    least = None
    if partial is not None and partial.rank is None:
        least = _needed_axes(shape, lists)
        partial = PartialShape([None] * max(1, least))  # axis 0, which a scalar lacks
    dims = _core.read_shape(OP, "shape", known) if partial is None else partial
    call = Call(dims, lists[0], lists[1], lists[2], lists[3], engine)
    outcome = call.outcome()
    others = tuple(_others(call, outcome))
    in_shape = named_dims(call.shape) if least is None else None
    where = f"{call.text()}, where x has shape {shape_text(in_shape)}"
    arguments = {name: None if x is None else list(x) for name, x in zip(NAMES, call.lists(), strict=True)}
    details = {"dialect": "onnx", "engine": engine, "arguments": arguments}
    if isinstance(outcome, SliceError):
        repaired = _repair(call, outcome)
        found: dict[str, Any] = {
            "error": outcome,
            "failed": f"the check of {outcome.label}",
            "repair": None if repaired is None else repaired.text(),
        }
        answered = of_error(outcome, None if repaired is None else _changed(call, repaired))
        return Explanation(where, answered, "onnx.slice", in_shape, **found, others=others, details=details)
    traces = [_traced(call, axis, entry) for axis, entry in sorted(call.entries().items())]
    region = outcome if isinstance(outcome, Region) else None
    agreed = region is not None and all(other.same for other in others)
    empty = tuple(_empty_axes(call, traces, outcome))
    given_shape = call.shape if least is None else PartialShape(None)
    shape = outcome.shape if isinstance(outcome, Region) else outcome if least is None else PartialShape(None)
    own = "onnx" if agreed else ""  # where the engines differ, a call on which they agree
    return Explanation(
        where,
        of_empty(empty) if empty else answer(shape, list(_axis_answers(call, traces, outcome)), least=least),
        "onnx.slice",
        in_shape,
        shape=shape,
        index=_index(call, traces, least) if region is None else region.index,
        region=region,
        empty=empty,
        stages=tuple(_stages(call, traces, outcome if least is None else PartialShape(None))),
        tables=tuple(table for table in _tables(call, traces) if table.rows),
        others=others,
        details={**details, "axes": _axis_dicts(call, traces)},
        draw=None if region is None else lambda: _picture(call, traces, region),
        convert=lambda: equal_calls(lambda: _convertible(call), given_shape, own),
    )


def _needed_axes(shape: Any, lists: Sequence[Any]) -> int:
    """How many axes the entries need of a shape of unknown rank, of which none may count from the last axis."""
    starts, ends, axes, steps = lists
    read = min(len(values) for values in (starts, ends, axes, steps) if values is not None)
    if axes is None:
        return min(read, MAX_RANK)
    if any(axis < 0 for axis in axes[:read]):
        raise type_error(OP, "in_c5", "shape is of unknown rank, and axes are counted from the last one", value=shape)
    return min(max(axes[:read], default=-1) + 1, MAX_RANK)


def _open(call: Call, entry: int) -> bool:
    return call.engine == "ort" and call.ends[entry] in OPEN_ENDS


def _traced(call: Call, axis: int, entry: int) -> AxisTrace:
    """One axis: the reference has TensorFlow's rule of a range, the other engines have OpenVINO's (onx_s1)."""
    dim = call.dims()[axis]
    if dim is None:
        return AxisTrace(axis, entry, None, dict.fromkeys(FIELDS))
    vectors = [call.starts[entry]], [call.ends[entry]], [call.step(entry)]
    masks = int(_open(call, entry))
    if call.engine == "reference":
        _, ((_, *values),), _ = _core.strided_slice_trace((dim,), *vectors, 0, masks)
    else:
        _, ((_, *values),), _ = _core.openvino_strided_slice_trace((dim,), *vectors, [0], [masks])
    return AxisTrace(axis, entry, dim, dict(zip(FIELDS, values, strict=True)))


# ---- stages ---------------------------------------------------------------------------------------------------------


def _stages(call: Call, traces: list[AxisTrace], outcome: Region | PartialShape) -> Iterator[Stage]:
    yield Stage("entries that are read", "onr_s1", tuple(_unread(call)))
    yield Stage("axes", "onx_s1", tuple(_axes(call, traces)))
    opened = (trace for trace in traces if _open(call, trace.entry))
    changes = tuple(f"axis {trace.number}: end {call.ends[trace.entry]} is no end" for trace in opened)
    yield Stage("greatest ends", "ort_s1", changes)
    for bound, given in (("start", call.starts), ("end", call.ends)):
        yield Stage(f"clamp {bound}", "ss_s4", tuple(_clamped(call, traces, bound, given)))
    yield Stage("output shape", "ss_s6", (str(outcome.shape if isinstance(outcome, Region) else outcome),))
    if isinstance(outcome, Region):
        yield Stage("data", "rg_s4", (f"x{index_text(outcome.index)}",))


def _unread(call: Call) -> Iterator[str]:
    shortest, used = len(call.read()), set(call.entries().values())
    for name, values in zip(NAMES, call.lists(), strict=True):
        if values is not None and len(values) > shortest:
            yield f"{name} is read up to entry {shortest - 1}" if shortest else f"{name} is not read"
    for entry in call.read():
        if entry not in used:
            axis = call.axis(entry)
            yield f"entry {entry} is not used: entry {call.entries()[axis]} is about axis {axis}, too"


def _axes(call: Call, traces: list[AxisTrace]) -> Iterator[str]:
    if call.axes is None and traces:
        yield f"axes is absent: entries 0..{traces[-1].entry} are about the axes of these numbers"
    for entry, axis in enumerate(call.axes or ()):
        if axis < 0 and entry in call.read():
            yield f"entry {entry}: axis {axis} + rank {len(call.dims())} = {call.axis(entry)}"
    whole = [str(axis) for axis in range(len(call.dims())) if axis not in call.entries()]
    if whole:
        yield f"no entry for {'axis' if len(whole) == 1 else 'axes'} {', '.join(whole)}: kept whole"


def _clamped(call: Call, traces: list[AxisTrace], bound: str, values: Sequence[int]) -> Iterator[str]:
    for trace in traces:
        given = values[trace.entry]
        wrapped, used = trace.values[f"wrapped_{bound}"], trace.values[f"clamped_{bound}"]
        if bound == "end" and _open(call, trace.entry):
            continue
        if trace.dim is None:
            yield f"axis {trace.number}: {UNKNOWN}"
        elif given != used:
            assert wrapped is not None and used is not None
            first = wrapped < 0 and used == 0 and bound == "start" and call.step(trace.entry) < 0
            text = clamped(bound, given, trace.dim, wrapped, used)
            yield f"axis {trace.number}: {text}{' [onx_s1]' if first else ''}"


def _empty_axes(call: Call, traces: list[AxisTrace], outcome: Region | PartialShape) -> Iterator[str]:
    traced = {trace.number: trace for trace in traces}
    for axis, dim in enumerate(call.dims()):
        if dim == 0:
            yield f"axis {axis} is empty: its dim is 0"
        elif axis in traced and traced[axis].values["count"] == 0:
            start, end = traced[axis].values["start"], traced[axis].values["end"]
            assert start is not None and end is not None
            why = compared(start, end, call.step(traced[axis].entry), ("start", "end"))
            yield f"axis {axis} is empty: {why}"
        elif axis in traced and dim is None and str(outcome.dim(axis)) == "0":  # type: ignore[union-attr]
            yield f"axis {axis} is empty for every dim: its slice {_item(call, traced[axis])} has no element"


def _index(call: Call, traces: list[AxisTrace], rank: int | None) -> tuple[Any, ...] | None:
    """The index that takes the same for every length of the unknown axes; None if no index does."""
    items: dict[int, Any] = {}
    for trace in traces:
        if trace.dim is not None:
            first, count, apart = (trace.values[name] for name in ("first", "count", "step"))
            (items[trace.number],) = Region((trace.dim,), [(first, count, apart)], [0]).index  # type: ignore[list-item]
            continue
        if _is_clamped(call, trace):
            return None
        items[trace.number] = _slice(call, trace)
    return tuple(items.get(axis, slice(None)) for axis in range(len(call.dims()) if rank is None else rank))


def _is_clamped(call: Call, trace: AxisTrace) -> bool:
    """Whether a start below -dim of an axis of unknown length would be element 0, which no index of NumPy says."""
    backwards = call.step(trace.entry) < 0 and call.starts[trace.entry] < 0
    return trace.dim is None and backwards and call.engine != "reference"


def _slice(call: Call, trace: AxisTrace) -> slice:
    end = None if _open(call, trace.entry) else call.ends[trace.entry]
    return slice(call.starts[trace.entry], end, call.step(trace.entry))


def _item(call: Call, trace: AxisTrace) -> str:
    return index_text(_slice(call, trace))[1:-1]


def _axis_answers(call: Call, traces: list[AxisTrace], outcome: Region | PartialShape) -> Iterator[AxisAnswer]:
    """What is taken of each axis of a result that has elements."""
    traced = {trace.number: trace for trace in traces}
    for axis, dim in enumerate(call.dims()):
        if axis not in traced:
            yield whole(axis)
        elif isinstance(outcome, PartialShape) and dim is None:
            unless = ", where a start below -dim is element 0" if _is_clamped(call, traced[axis]) else ""
            yield of_every_dim(axis, _item(call, traced[axis]), str(outcome.dim(axis)), unless)
        else:
            first, count, step = (traced[axis].values[name] for name in ("first", "count", "step"))
            yield taken(axis, dim, first, count, step)  # type: ignore[arg-type]


# ---- tables and the picture -----------------------------------------------------------------------------------------


def _axis_dicts(call: Call, traces: list[AxisTrace]) -> list[dict[str, Any]]:
    traced = {trace.number: trace for trace in traces}
    rows = []
    for axis, dim in enumerate(call.dims()):
        trace = traced.get(axis)
        whole = {**dict.fromkeys(FIELDS), "first": 0, "count": dim, "step": 1}
        rows.append({
            "axis": axis, "dim": dim, "entry": None if trace is None else trace.entry,
            **(whole if trace is None else trace.values),
        })  # fmt: skip
    return rows


def _tables(call: Call, traces: list[AxisTrace]) -> Iterator[Table]:
    entries = [
        (str(entry), str(call.starts[entry]), str(call.ends[entry]),
         None if call.axes is None else str(call.axes[entry]),
         None if call.steps is None else str(call.steps[entry]),
         str(call.axis(entry)))
        for entry in call.read()
    ]  # fmt: skip
    yield Table("entries", ("entry", "start", "end", "axes", "steps", "input axis"), tuple(entries))
    rows, named = [], named_dims(call.shape) or ()
    for row in _axis_dicts(call, traces):
        bounds: tuple[int | str | None, ...] = (None,) * 6
        if row["entry"] is not None:
            start, end = call.starts[row["entry"]], call.ends[row["entry"]]
            used = [None if row[name] is None else cell(row[name]) for name in ("start", "end")]
            bounds = (start, row["wrapped_start"], used[0], end, row["wrapped_end"], used[1])
        dim = row["dim"] if row["dim"] is not None else named[row["axis"]] or "?"
        cells = (row["axis"], dim, row["entry"], *bounds, row["first"], row["count"], row["step"])
        rows.append(tuple(None if value is None else str(value) for value in cells))
    heads = ("start", "+ dim", "used start", "end", "+ dim", "used end")
    yield Table("axes", ("axis", "dim", "entry", *heads, "first", "count", "step"), tuple(rows))


def _picture(call: Call, traces: list[AxisTrace], region: Region) -> Picture:
    bounds = {trace.number: (trace.values["start"], trace.values["end"]) for trace in traces}
    masked = {trace.number: (False, _open(call, trace.entry)) for trace in traces}
    steps = {trace.number: call.step(trace.entry) for trace in traces}
    axes = axes_of_region(region, bounds, masked, steps)  # type: ignore[arg-type]
    return Picture.of_region(call.text(), axes, result_chips(region))


# ---- the other engines, and errors ----------------------------------------------------------------------------------


def _others(call: Call, own: Region | PartialShape | SliceError) -> Iterator[Answer]:
    """What the other engines do with the same lists, and by which rows of `ssop.divergences`."""
    mine = rows_of("onnx", call.engine)
    arguments = {name: values for name, values in zip(NAMES, call.lists(), strict=True) if values is not None}
    for engine, name in ENGINES:
        if engine == call.engine:
            continue
        other = call.outcome(engine)
        if isinstance(own, SliceError) and isinstance(other, SliceError):
            yield Answer(name, True, "an error too")
        elif own == other and not isinstance(own, PartialShape):
            yield Answer(name, True, "the same")
        elif not isinstance(call.shape, PartialShape):
            theirs = rows_of("onnx", engine)
            rows = [row for row in (*theirs, *mine) if (row in theirs) != (row in mine)]
            true = [row for row in rows if getattr(divergences, row["predicate"])(call.shape, arguments)]
            told = f"is an error: {other}" if isinstance(other, SliceError) else _taken(other)
            yield Answer(name, False, told, tuple(true))


def _taken(region: Any) -> str:
    return f"shape {region.shape}, x{index_text(region.index)}"


def _convertible(call: Call) -> Any:
    """The call as `ssop.convert` reads it: with the entries that are used."""
    used = list(call.entries().values())
    lists: dict[str, Any] = {"starts": [call.starts[e] for e in used], "ends": [call.ends[e] for e in used]}
    lists |= {"axes": [call.axis(e) for e in used], "steps": [call.step(e) for e in used]}
    return convertible("onnx.slice", {**lists, "engine": call.engine})


def _changed(call: Call, other: Call) -> str:
    """What another call has in place of this one's lists, in words."""
    pairs = zip(NAMES, call.lists(), other.lists(), strict=True)
    return " and ".join(f"{name}={list(new)}" for name, old, new in pairs if new is not None and old != new)


def _repair(call: Call, error: SliceError) -> Call | None:
    """The nearest call that works, by one repair after the other: the last one is resolved, and works."""
    for _ in range(MAX_REPAIRS):
        repaired = _repaired(call, error)
        if repaired is None:
            return None
        call, outcome = repaired, repaired.outcome()
        if not isinstance(outcome, SliceError):
            return call
        error = outcome
    return None


def _repaired(call: Call, error: SliceError) -> Call | None:
    """The call without this error: shorter lists, an axis or a step that is allowed, or without an entry."""
    rule, entry = str(error.label).partition("_")[2], error.entry
    reference = call.engine == "reference"
    if error.label in ("onx_c1", "onx_c2", "onx_c3", "ort_c2", "ort_c3", "ort_c4", "onr_c3", "onr_c4"):
        shortest = len(call.read()) if error.allowed is None else min(len(call.read()), error.allowed[1])
        return _with_entries(call, range(shortest))
    if entry is None:
        return None
    if rule == ("c2" if reference else "c6" if call.engine == "spec" else "c7"):
        steps = [1 if e == entry else call.step(e) for e in call.read()]
        return replace(call, steps=tuple(steps))
    if error.allowed is not None and call.axes is not None and error.allowed[0] <= error.allowed[1]:
        nearest = min(max(call.axes[entry], error.allowed[0]), error.allowed[1])
        return replace(call, axes=tuple(nearest if e == entry else axis for e, axis in enumerate(call.axes)))
    return _with_entries(call, [e for e in call.read() if e != entry])


def _with_entries(call: Call, entries: Sequence[int]) -> Call | None:
    if list(entries) == list(range(max(len(values) for values in call.lists() if values is not None))):
        return None
    starts, ends, axes, steps = (
        None if values is None else tuple(values[e] for e in entries) for values in call.lists()
    )
    return replace(call, starts=starts, ends=ends, axes=axes, steps=steps)  # type: ignore[arg-type]
