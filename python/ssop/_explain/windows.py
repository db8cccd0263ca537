"""Explains XLA's Slice, DynamicSlice, DynamicUpdateSlice and Pad: what is taken is read off the regions of the core."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ssop import _core, _vectors, divergences
from ssop._core import Region, SliceError
from ssop._display import index_text
from ssop._explain.elsewhere import convertible, equal_calls
from ssop._explain.explanation import Explanation
from ssop._explain.facts import Answer, EqualCall, Stage, Table
from ssop._explain.picture import Panel, Picture, PictureAxis, Range, axes_of_region, result_chips, whole_axes
from ssop._explain.sentences import AxisAnswer, answer, filled, of_empty, of_error, padded, replaced, taken, window
from ssop._windows import padding_of

NEIGHBOURS = {
    "sl_c4": "start_indices",
    "sl_c5": "limit_indices",
    "sl_c6": "limit_indices",
    "sl_c7": "strides",
    "ds_c3": "slice_sizes",
    "ds_c4": "slice_sizes",
    "ds_c5": "start_indices",
    "dus_c5": "start_indices",
}
"""Rules that one number breaks, and the argument that has it: the nearest call that works moves the number."""

MOST_ROWS = 64
"""Rows of an argument that a call is written with."""

DOCUMENTED = {
    "slice": ("Slice",),
    "dynamic_slice": ("Slice", "DynamicSlice"),
    "dynamic_update_slice": ("DynamicUpdateSlice",),
}
"""The operations of XLA's document of 2017 that say something of a function's calls."""


@dataclass(frozen=True)
class Call:
    """A call without data: the function that resolves it, and its arguments by name."""

    op: str
    shape: tuple[int, ...]
    arguments: Mapping[str, Any]
    resolve: Callable[..., Any]

    def regions(self) -> Any:
        return self.resolve(self.shape, **self.arguments)

    def text(self) -> str:
        """As it is written in source code."""
        shown = {name: value for name, value in self.arguments.items() if name != "update_shape" and value is not None}
        operands = "x, update" if "update_shape" in self.arguments else "x, 0" if self.op == "xla.pad" else "x"
        positional = [_written(value) for value in shown.values() if isinstance(value, list)]
        named = [f"{name}={value!r}" for name, value in shown.items() if not isinstance(value, list)]
        return f"ssop.{self.op}({', '.join([operands, *positional, *named])})"

    def where(self) -> str:
        update = self.arguments.get("update_shape")
        more = "" if update is None else f" and update has shape {tuple(update)}"
        return f"{self.text()}, where x has shape {self.shape}{more}"


def _written(value: list[Any]) -> str:
    """A list as it is written, of many rows the first ones."""
    rows = len(value) > MOST_ROWS and isinstance(value[0], list)
    return f"{str(value[:2])[:-1]}, ..]" if rows else str(value)


def explain_slice(
    shape: Sequence[int], start_indices: Sequence[int], limit_indices: Sequence[int], strides: Sequence[int] | None
) -> Explanation:
    """See `ssop.explain.slice`."""
    arguments = {"start_indices": start_indices, "limit_indices": limit_indices, "strides": strides}
    call, region = resolved("slice", shape, arguments, _core.slice_region)
    if isinstance(region, SliceError):
        return failed(call, region)
    starts, limits = call.arguments["start_indices"], call.arguments["limit_indices"]
    steps = call.arguments["strides"] or [1] * len(starts)
    rows = [
        (axis, dim, *given, *part)
        for axis, (dim, *given, part) in enumerate(zip(call.shape, starts, limits, steps, region.ranges, strict=True))
    ]
    heads = ("axis", "dim", "start index", "limit index", "stride", "start", "count", "step")
    bounds = dict(enumerate(zip(starts, limits, strict=True)))
    never = dict.fromkeys(bounds, (False, False))
    axes = axes_of_region(region, bounds, never, dict(enumerate(steps)))
    empty = tuple(_empty_slices(call, region))
    told = [taken(axis, dim, *part) for axis, (dim, part) in enumerate(zip(call.shape, region.ranges, strict=True))]
    return Explanation(
        call.where(),
        of_empty(empty) if empty else answer(region.shape, told),
        call.op,
        call.shape,
        region.shape,
        region.index,
        region,
        empty=empty,
        stages=(Stage("output shape", "sl_s1", (str(region.shape),)),),
        tables=(table("axes", heads, rows),),
        documents=_documents(call, call.arguments),
        details={"arguments": dict(call.arguments), "axes": as_dicts(heads, rows)},
        convert=lambda: equal_calls(lambda: convertible(f"xla.{call.op}", call.arguments), call.shape, "xla"),
        draw=lambda: Picture.of_region(call.text(), axes, result_chips(region)),
    )


def _empty_slices(call: Call, region: Region) -> Iterator[str]:
    for axis, (_, count, _) in enumerate(region.ranges):
        if count == 0:
            dim, start = call.shape[axis], call.arguments["start_indices"][axis]
            why = "its dim is 0" if dim == 0 else f"its start index and its limit index are {start}"
            yield f"axis {axis} is empty: {why}"


def explain_window(
    shape: Sequence[int], start_indices: Sequence[int], slice_sizes: Sequence[int], policy: Mapping[str, Any]
) -> Explanation:
    """See `ssop.explain.dynamic_slice`, of one window."""
    arguments = {"start_indices": start_indices, "slice_sizes": slice_sizes, **policy}
    call, regions = resolved("dynamic_slice", shape, arguments, _core.dynamic_slice_regions)
    if isinstance(regions, SliceError):
        return failed(call, regions)
    fills = call.arguments.get("out_of_bounds") == "fill"
    place = regions[1] if fills and len(regions) == 2 else None
    return _window(call, regions[:1] if fills else regions, call.arguments["slice_sizes"], place)


def explain_dynamic_update_slice(
    shape: Sequence[int], update_shape: Sequence[int], start_indices: Sequence[int], policy: Mapping[str, Any]
) -> Explanation:
    """See `ssop.explain.dynamic_update_slice`."""
    arguments = {"update_shape": update_shape, "start_indices": start_indices, **policy}
    call, regions = resolved("dynamic_update_slice", shape, arguments, _core.dynamic_update_slice_regions)
    if isinstance(regions, SliceError):
        return failed(call, regions)
    return _window(call, regions, call.arguments["update_shape"])


def explain_pad(shape: Sequence[int], padding_config: Sequence[Sequence[int]]) -> Explanation:
    """See `ssop.explain.pad`."""
    call, regions = resolved("xla.pad", shape, {"padding_config": padding_config}, _core.xla_pad_regions)
    if isinstance(regions, SliceError):
        return failed(call, regions)
    kept, place = regions
    heads = ("axis", "dim", "low", "high", "interior", "first kept", "kept", "padded dim", "first at", "apart")
    columns = zip(call.shape, call.arguments["padding_config"], kept.ranges, place.in_shape, place.ranges, strict=True)
    rows = [
        (axis, dim, *config, start, count, size, first, step)
        for axis, (dim, config, (start, count, _), size, (first, _, step)) in enumerate(columns)
    ]
    axes = axes_of_region(place, {}, {}, {})
    operand = axes_of_region(kept, {}, {}, {})
    empty = [f"axis {axis} is empty: its padded dim is 0" for axis, dim in enumerate(place.in_shape) if dim == 0]
    return Explanation(
        call.where(),
        of_empty(empty) if empty else answer(place.in_shape, list(_pad_answers(call, place))),
        call.op,
        call.shape,
        place.in_shape,
        place.index,
        place,
        empty=tuple(empty),
        stages=tuple(_pad_stages(call, kept, place)),
        tables=(table("axes", heads, rows),),
        details={"arguments": dict(call.arguments), "axes": as_dicts(heads, rows)},
        draw=lambda: Picture(
            call.text(),
            (Panel("the operand", operand, "kept"), Panel("the result", axes, "elements of the operand", "padding")),
            ("hatched: the padding value",),
        ),
    )


# ---- arguments and errors -------------------------------------------------------------------------------------------


def resolved(
    op: str, shape: Sequence[int], arguments: Mapping[str, Any], resolve: Callable[..., Any]
) -> tuple[Call, Any]:
    """The call with its arguments as lists of Python's integers, and its regions or its SliceError.

    Arguments that are no integers raise (in_*).
    """
    plain = {name: _plain(op, name, value) for name, value in arguments.items()}
    dims = _core.read_shape(op, "shape", shape)
    try:
        outcome = resolve(dims, **plain)
    except SliceError as error:
        if error.label is None or error.label.startswith("in_"):
            raise
        outcome = error
    return Call(op, dims, plain, resolve), outcome


def _plain(op: str, name: str, value: Any) -> Any:
    """The argument as lists of Python's integers, of bools, or as it is."""
    if name == "padding_config" or (name == "start_indices" and has_rows(value)):
        return [list(vector) for vector in _vectors.vectors(op, name, value)]
    if name == "allow_negative_indices" and not isinstance(value, (bool, np.bool_)):
        return _vectors.items(op, name, value)
    if name in ("out_of_bounds", "allow_negative_indices") or value is None:
        return value
    return list(_core.read_integers(op, name, value))


def has_rows(start_indices: Any) -> bool:
    """Whether they have rank 2, as `ssop.dynamic_slice` sees it.

    >>> has_rows([[1, 2]]), has_rows([1, 2]), has_rows(np.zeros((0, 2), int))
    (True, False, True)
    """
    if isinstance(start_indices, np.ndarray):
        return start_indices.ndim == 2
    first = next(iter(start_indices), None) if isinstance(start_indices, (list, tuple)) else None
    return isinstance(first, (list, tuple)) or (isinstance(first, np.ndarray) and first.ndim > 0)


def failed(call: Call, error: SliceError, *, mends: bool = True) -> Explanation:
    failed, repaired = f"the check of {error.label}", _repair(call, error) if mends else None
    remedy = None if repaired is None else _changed(call, repaired)
    return Explanation(
        call.where(), of_error(error, remedy), call.op, call.shape, error=error, failed=failed,
        repair=None if repaired is None else repaired.text(),
        details={"arguments": dict(call.arguments)},
    )  # fmt: skip


def _changed(call: Call, other: Call) -> str:
    """The lists that another call has in place of this one's, in words."""
    return " and ".join(f"{name}={new}" for name, new in other.arguments.items() if new != call.arguments[name])


def _repair(call: Call, error: SliceError) -> Call | None:
    """The call with every number that breaks a rule moved to the nearest one that is allowed; None if that fails."""
    for _ in range(4 * len(call.shape)):
        name = NEIGHBOURS.get(str(error.label))
        at = error.axis if error.axis is not None else error.entry
        if name is None or at is None or error.allowed is None or error.allowed[0] > error.allowed[1]:
            return None
        numbers = list(call.arguments[name])
        numbers[at] = min(max(numbers[at], error.allowed[0]), error.allowed[1])
        call = replace(call, arguments={**call.arguments, name: numbers})
        try:
            call.regions()
            return call
        except SliceError as another:
            error = another
    return None


# ---- windows --------------------------------------------------------------------------------------------------------


def _window(call: Call, regions: tuple[Region, ...], sizes: list[int], place: Region | None = None) -> Explanation:
    """A window of an operand: of "wrap" there may be two parts per axis, and so several regions.

    `place` is given if the window is filled: where its region of the operand goes.
    """
    starts = call.arguments["start_indices"]
    parts = [tuple(dict.fromkeys(region.ranges[axis] for region in regions)) for axis in range(len(call.shape))]
    asked = asked_starts(call, starts)
    rows = [
        (axis, dim, size, start, wanted, _indices(axis_parts))
        for axis, (dim, size, start, wanted, axis_parts) in enumerate(
            zip(call.shape, sizes, starts, asked, parts, strict=True)
        )
    ]
    heads = ("axis", "dim", "size", "start", "with dim", "indices")
    axes = tuple(
        PictureAxis(f"axis {axis}", dim, tuple(Range(*part) for part in parts[axis]), (), Range(asked[axis], size, 1))
        for axis, (dim, size) in enumerate(zip(call.shape, sizes, strict=True))
    )
    whole = len(regions) == 1 and place is None
    update = "update_shape" in call.arguments
    clamps = call.arguments.get("out_of_bounds", "clamp") == "clamp"
    empty = [] if update else [f"axis {axis} is empty: its size is 0" for axis, size in enumerate(sizes) if size == 0]
    return Explanation(
        call.where(),
        of_empty(empty) if empty else _window_answer(call, sizes, asked, parts, place),
        call.op,
        call.shape,
        call.shape if update else tuple(sizes),
        regions[0].index if whole else None,
        regions[0] if whole else None,
        empty=tuple(empty),
        stages=tuple(_window_stages(call, asked, parts) if place is None else _filled_stages(call, asked, place)),
        tables=(table("axes", heads, rows),),
        documents=_documents(call, {"start_indices": asked, "slice_sizes": sizes}) if clamps else (),
        others=tuple(_other_windows(call, regions if place is None else (*regions, place))),
        details={"arguments": dict(call.arguments), "axes": as_dicts(heads, rows)},
        convert=None if update else lambda: _windows_elsewhere(call, regions, place),
        draw=lambda: _window_picture(call, axes, sizes),
    )


def _window_answer(
    call: Call,
    sizes: list[int],
    asked: list[int],
    parts: list[tuple[tuple[int, int, int], ...]],
    place: Region | None,
) -> str:
    """What the window is, or which elements the update replaces."""
    if place is not None:
        ranges = zip(call.shape, sizes, parts, place.ranges, strict=True)
        axes = [filled(axis, dim, size, kept, at) for axis, (dim, size, (kept, *_), (at, *_)) in enumerate(ranges)]
        return answer(tuple(sizes), axes)
    wraps = call.arguments.get("out_of_bounds") == "wrap"
    columns = enumerate(zip(call.shape, asked, parts, strict=True))
    told = [window(axis, dim, wanted, axis_parts, wraps=wraps) for axis, (dim, wanted, axis_parts) in columns]
    if "update_shape" in call.arguments:
        return replaced(call.shape, told if 0 not in sizes else None)
    return answer(tuple(sizes), told)


def _windows_elsewhere(call: Call, regions: tuple[Region, ...], place: Region | None) -> tuple[EqualCall, ...]:
    """A window by other rules than XLA's is converted as the index that takes it of this shape."""
    if place is not None:
        config = padding_of(regions[0], place)
        reason = f"elements are outside x: ssop.xla.pad(x, fill_value, {config}) is the same"
        return (EqualCall("every framework", None, reason),)
    if call.arguments.keys() == {"start_indices", "slice_sizes"}:
        return equal_calls(lambda: convertible(f"xla.{call.op}", call.arguments), call.shape, "xla")
    if len(regions) == 1:
        return equal_calls(lambda: regions[0].index, call.shape, "")
    return (EqualCall("every framework", None, f"{len(regions)} slices: the window wraps around the end of an axis"),)


def _indices(parts: tuple[tuple[int, int, int], ...]) -> str | None:
    return " and ".join(f"{first}..{first + count - 1}" for first, count, _ in parts if count) or None


def asked_starts(call: Call, starts: Sequence[int]) -> list[int]:
    """Starts of a window, with the dim where the call adds it."""
    return [_with_dim(call, axis, start) for axis, start in enumerate(starts)]


def _with_dim(call: Call, axis: int, start: int) -> int:
    allowed = call.arguments.get("allow_negative_indices", False)
    adds = allowed[axis] if isinstance(allowed, list) else allowed
    return start + call.shape[axis] if adds and start < 0 else start


def _negative_starts(call: Call, asked: list[int]) -> Stage:
    added = [
        f"axis {axis}: start {start} + dim {call.shape[axis]} = {wanted}"
        for axis, (start, wanted) in enumerate(zip(call.arguments["start_indices"], asked, strict=True))
        if start != wanted
    ]
    return Stage("negative starts", "ds_s3", tuple(added))


def _window_stages(
    call: Call, asked: list[int], parts: list[tuple[tuple[int, int, int], ...]]
) -> Iterator[Stage]:  # fmt: skip
    yield _negative_starts(call, asked)
    wraps = call.arguments.get("out_of_bounds") == "wrap"
    moved = []
    for axis, (wanted, axis_parts) in enumerate(zip(asked, parts, strict=True)):
        used = axis_parts[0][0]
        if axis_parts[0][1] == 0:
            continue
        if len(axis_parts) == 2:
            moved.append(f"axis {axis}: the window from {wanted} on wraps: {used}.., then 0..")
        elif used != wanted:
            moved.append(f"axis {axis}: start {wanted} {'wraps' if wraps else 'is clamped'} to {used}")
    fills = call.arguments.get("out_of_bounds") == "fill"  # a window that fits
    name, rule = ("wrap", "ds_s2") if wraps else ("fill", "ds_s5") if fills else ("clamp", "ds_s1")
    yield Stage(name, rule, tuple(moved))
    if "update_shape" in call.arguments:
        yield Stage("update", "dus_s1", ("the elements at these indices are replaced",))


def _filled_stages(call: Call, asked: list[int], place: Region) -> Iterator[Stage]:
    yield _negative_starts(call, asked)
    moved = []
    for axis, (start, size, (first, count, _)) in enumerate(zip(asked, place.in_shape, place.ranges, strict=True)):
        if count < size:
            words = f"{first}..{first + count - 1} of {size} are elements" if count else f"all {size} are fill_value"
            moved.append(f"axis {axis}: the window from {start} on stays there: {words}")
    yield Stage("fill", "ds_s5", tuple(moved))


def _other_windows(call: Call, regions: tuple[Region, ...]) -> Iterator[Answer]:
    """What JAX's function does without options, and what XLA did before 2018."""
    plain = {name: value for name, value in call.arguments.items() if isinstance(value, list)}
    plain.pop("allow_negative_indices", None)
    for name, against, policy in (
        ("XLA", "", {}),
        ("JAX", "jax", {"allow_negative_indices": True}),
        ("XLA before 2018", "document", {"out_of_bounds": "wrap"}),
    ):
        try:
            other = call.resolve(call.shape, **plain, **policy)
        except SliceError as error:
            yield Answer(name, False, f"is an error: {error}")
            continue
        if other == regions:
            yield Answer(name, True, "the same")
            continue
        first = ", ".join(str(start) for start, *_ in other[0].ranges)
        sizes = plain.get("update_shape", plain.get("slice_sizes"))
        known = {"start_indices": plain["start_indices"], "slice_sizes": sizes}
        table = divergences.rows("document", of="xla") if against == "document" else divergences.rows("dialect")
        rows = [row for row in table if row.get("operation", "DynamicSlice") == "DynamicSlice"]
        rows = [row for row in rows if against in ("document", row.get("against"))]
        rows = [row for row in rows if row.get("predicate") in ("negative_start", "window_outside", "nothing_taken")]
        true = [row for row in rows if getattr(divergences, row["predicate"])(call.shape, known)]
        yield Answer(name, False, f"the window starts at ({first})", tuple(true))


def _documents(call: Call, arguments: Mapping[str, Any]) -> tuple[dict[str, str], ...]:
    """The rows where XLA's document of 2017 says something else about such a call."""
    rows = [row for row in divergences.rows("document", of="xla") if row["operation"] in DOCUMENTED[call.op]]
    rows = [row for row in rows if "predicate" in row]
    return tuple([row for row in rows if getattr(divergences, row["predicate"])(call.shape, arguments)])


def _window_picture(call: Call, axes: tuple[PictureAxis, ...], sizes: list[int]) -> Picture:
    notes = ("dashed line: the window that was asked for; dashed cells are outside the operand",)
    if "update_shape" not in call.arguments:
        return Picture(call.text(), (Panel("the operand", axes),), notes)
    before = tuple(replace(axis, parts=(), asked=None) for axis in axes)
    panels = (
        Panel("before: the operand", before, counts_left=True),
        Panel("the update", whole_axes(sizes), prefix="u"),
        Panel("after: the result", axes, "replaced", prefix="u", counts_left=True),
    )
    return Picture(call.text(), panels, ("u0, u1, ..: the elements of the update", *notes))


# ---- pad ------------------------------------------------------------------------------------------------------------


def _pad_stages(call: Call, kept: Region, place: Region) -> Iterator[Stage]:
    interior, edges = [], []
    for axis, (low, high, between) in enumerate(call.arguments["padding_config"]):
        if between:
            interior.append(f"axis {axis}: {_between(between)}")
        if low or high:
            edges.append(f"axis {axis}: {', '.join(_edges(low, high))}")
    yield Stage("interior", "pad_s1", tuple(interior))
    yield Stage("edges", "pad_s2", tuple(edges))
    yield Stage("output shape", "pad_s1", (str(place.in_shape),))
    yield Stage("data", "pad_s1", (f"x{_cut(kept)} goes to result{_cut(place)}",))


def _between(count: int) -> str:
    return f"{count} between any two elements"


def _edges(low: int, high: int) -> list[str]:
    numbers = (low, "before"), (high, "behind")
    return [f"{abs(n)} {'added' if n > 0 else 'removed'} {where}" for n, where in numbers if n]


def _pad_answers(call: Call, place: Region) -> Iterator[AxisAnswer]:
    for axis, (low, high, between) in enumerate(call.arguments["padding_config"]):
        changes = [*_edges(low, high), *([_between(between)] if between and call.shape[axis] > 1 else [])]
        yield padded(axis, call.shape[axis], place.in_shape[axis], changes)


def _cut(region: Region) -> str:
    return index_text(region.index)


# ---- tables ---------------------------------------------------------------------------------------------------------


def table(name: str, heads: tuple[str, ...], rows: Sequence[Sequence[Any]]) -> Table:
    return Table(name, heads, tuple(tuple(None if cell is None else str(cell) for cell in row) for row in rows))


def as_dicts(heads: tuple[str, ...], rows: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    return [dict(zip((head.replace(" ", "_") for head in heads), row, strict=True)) for row in rows]
