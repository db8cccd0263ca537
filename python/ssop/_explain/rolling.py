"""Explains NumPy's roll: the window of the whole array that it is, and the two parts of each axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import TYPE_CHECKING

from ssop import _core, _rolling
from ssop._explain.explanation import Explanation
from ssop._explain.facts import Stage
from ssop._explain.picture import Panel, Picture, PictureAxis, Range
from ssop._explain.sentences import answer, of_empty, window
from ssop._explain.windows import Call, as_dicts, table

if TYPE_CHECKING:
    from ssop._rolling import Integers

HEADS = ("axis", "dim", "first element", "indices")


def explain_roll(shape: Sequence[int], shift: Integers, axis: Integers | None) -> Explanation:
    """See `ssop.explain.roll`."""
    op = _rolling.OP
    dims = _core.read_shape(op, "shape", shape)
    shifts, axes = _rolling.integers(op, "shift", shift), None if axis is None else _rolling.integers(op, "axis", axis)
    call = Call(op, dims, {"shift": shifts, "axis": axes}, _core.dynamic_slice_regions)
    starts = _rolling.starts_of(op, dims, shifts, axes)
    flat = axis is None and len(dims) != 1
    rolled = (prod(dims),) if flat else dims
    regions = _core.dynamic_slice_regions(rolled, starts, rolled, out_of_bounds="wrap")
    parts = [tuple(dict.fromkeys(region.ranges[number] for region in regions)) for number in range(len(rolled))]
    columns = enumerate(zip(rolled, starts, parts, strict=True))
    rows = [(number, dim, start, _indices(of_axis)) for number, (dim, start, of_axis) in columns]
    told = [window(number, dim, start, parts[number], wraps=True) for number, dim, start, _ in rows]
    empty = [f"axis {number} is empty: its dim is 0" for number, dim in enumerate(dims) if dim == 0]
    whole = len(regions) == 1 and not flat
    drawn = tuple(
        PictureAxis(f"axis {number}", dim, tuple(Range(*part) for part in parts[number])) for number, dim, _, _ in rows
    )
    return Explanation(
        call.where(),
        of_empty(empty) if empty else answer(dims, told),
        op,
        dims,
        dims,
        regions[0].index if whole else None,
        regions[0] if whole else None,
        empty=tuple(empty),
        stages=tuple(_stages(dims, flat, rows)),
        tables=(table("axes", HEADS, rows),),
        details={"arguments": dict(call.arguments), "axes": as_dicts(HEADS, rows)},
        draw=lambda: Picture(call.text(), (Panel("the operand", drawn),)),
    )


def _indices(parts: Sequence[tuple[int, int, int]]) -> str | None:
    return " and ".join(f"{first}..{first + count - 1}" for first, count, _ in parts if count) or None


def _stages(dims: tuple[int, ...], flat: bool, rows: Sequence[tuple[int, int, int, str | None]]) -> Iterator[Stage]:
    yield Stage("flattened", "np_s5", (f"axis 0 is that of the {prod(dims)} elements in C order",) if flat else ())
    moved = [f"axis {number}: element {start} comes first" for number, _, start, _ in rows if start]
    yield Stage("shift", "np_s4", tuple(moved))
