"""Explains XLA's DynamicSlice with a window for each row of starts: each of the first rows as the call of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from ssop import _core
from ssop._core import Region, SliceError
from ssop._explain.explanation import Explanation
from ssop._explain.facts import EqualCall, Stage
from ssop._explain.picture import Picture
from ssop._explain.sentences import of_empty, of_rows
from ssop._explain.windows import Call, as_dicts, asked_starts, explain_window, failed, resolved, table

OP = "dynamic_slice"
EXPLAINED = 8
"""Rows that have stages, and a place in the tables."""
DRAWN = 4
REASON = "a call has one start for each axis: each row is a call of its own"


def explain_rows(
    shape: Sequence[int], start_indices: Any, slice_sizes: Sequence[int], policy: Mapping[str, Any]
) -> Explanation:
    """See `ssop.explain.dynamic_slice`."""
    arguments = {"start_indices": start_indices, "slice_sizes": slice_sizes, **policy}
    call, regions = resolved(OP, shape, arguments, _regions)
    if isinstance(regions, SliceError):
        return failed(call, regions, mends=False)
    rows, sizes = call.arguments["start_indices"], call.arguments["slice_sizes"]
    policy = {name: value for name, value in call.arguments.items() if name in policy}
    of_each = [explain_window(call.shape, row, sizes, policy) for row in islice(rows, EXPLAINED)]
    result = (len(rows), *sizes)
    empty = tuple(f"axis {axis} is empty: {_why(axis)}" for axis, count in enumerate(result) if count == 0)
    changed = sum(_is_changed(call, row, windows) for row, windows in zip(rows, regions, strict=True))
    heads = ("row", "axis", "dim", "size", "start", "with dim", "indices")
    cells = [(number, *row.values()) for number, each in enumerate(of_each) for row in each.details["axes"]]
    return Explanation(
        call.where(),
        of_empty(empty) if empty else of_rows(result, len(rows), changed, policy.get("out_of_bounds", "clamp")),
        OP,
        call.shape,
        result,
        empty=empty,
        stages=_stages(of_each),
        tables=(table("windows", heads, cells),),
        details={"arguments": dict(call.arguments), "windows": as_dicts(heads, cells)},
        convert=lambda: (EqualCall("every framework", None, REASON),),
        draw=lambda: _picture(call, of_each),
    )


def _regions(dims: tuple[int, ...], start_indices: list[list[int]], **others: Any) -> Any:
    return _core.dynamic_slice_regions(dims, start_indices or np.empty((0, len(dims)), np.int64), **others)


def _why(axis: int) -> str:
    return "start_indices has no rows" if axis == 0 else "its size is 0"


def _is_changed(call: Call, row: Sequence[int], windows: Sequence[Region]) -> bool:
    """Whether a window is not where it was asked for, or has parts, or elements that are filled."""
    ranges = zip(windows[0].ranges, asked_starts(call, row), strict=True)
    return len(windows) > 1 or any(count and start != wanted for (start, count, _), wanted in ranges)


def _stages(of_each: Sequence[Explanation]) -> tuple[Stage, ...]:
    """Those of the rows, which have the same ones, with the row before each change."""
    return tuple(
        Stage(
            stages[0].name,
            stages[0].label,
            tuple(f"row {number}, {change}" for number, stage in enumerate(stages) for change in stage.changes),
        )
        for stages in zip(*(each.stages for each in of_each), strict=True)
    )


def _picture(call: Call, of_each: Sequence[Explanation]) -> Picture:
    pictures = [each.draw() for each in islice(of_each, DRAWN) if each.draw is not None]
    panels = [replace(picture.panels[0], caption=f"the operand, row {n}") for n, picture in enumerate(pictures)]
    return Picture(call.text(), tuple(panels), pictures[0].notes if pictures else ())
