"""Explains NumPy's pad: where the operand is in the result, and which of its elements the padding repeats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ssop import _core, _padding
from ssop._core import SliceError
from ssop._explain.explanation import Explanation
from ssop._explain.facts import Stage
from ssop._explain.picture import Panel, Picture, axes_of_region
from ssop._explain.sentences import answer, elements, of_empty, padded
from ssop._explain.windows import Call, as_dicts, failed, table

if TYPE_CHECKING:
    from ssop._padding import PadMode, PadWidth

HEADS = ("axis", "dim", "before", "behind", "padded dim", "elements before", "elements behind")


def explain_numpy_pad(shape: Sequence[int], pad_width: PadWidth, mode: PadMode) -> Explanation:
    """See `ssop.explain.numpy_pad`."""
    op = _padding.OP
    dims = _core.read_shape(op, "shape", shape)
    _padding.check_mode(op, mode)
    widths = _padding.widths_of(op, pad_width, len(dims))
    call = Call(op, dims, {"pad_width": widths, "mode": mode}, _core.xla_pad_regions)
    try:
        _padding.check_axes(op, dims, widths, mode)
        kept, place = _core.xla_pad_regions(dims, [(low, high, 0) for low, high in widths])
    except SliceError as error:
        return failed(call, error)
    told = [_told(dim, low, high, mode) for dim, (low, high) in zip(dims, widths, strict=True)]
    rows = [
        (axis, dim, low, high, size, before or None, behind or None)
        for axis, (dim, (low, high), size, (before, behind)) in enumerate(
            zip(dims, widths, place.in_shape, told, strict=True)
        )
    ]
    empty = [f"axis {axis} is empty: its padded dim is 0" for axis, dim in enumerate(place.in_shape) if dim == 0]
    changes = [padded(axis, dim, size, _changes(low, high, words)) for (axis, dim, low, high, size, *words) in rows]
    return Explanation(
        call.where(),
        of_empty(empty) if empty else answer(place.in_shape, changes),
        op,
        dims,
        place.in_shape,
        place.index,
        place,
        empty=tuple(empty),
        stages=(
            Stage("output shape", "np_s1", (str(place.in_shape),)),
            Stage("order of the axes", "np_s2", tuple(_order(widths, mode))),
        ),
        tables=(table("axes", HEADS, rows),),
        details={"arguments": dict(call.arguments), "axes": as_dicts(HEADS, rows)},
        draw=lambda: Picture(
            call.text(),
            (
                Panel("the operand", axes_of_region(kept, {}, {}, {}), "kept"),
                Panel("the result", axes_of_region(place, {}, {}, {}), "elements of the operand", "padding"),
            ),
            ("hatched: the padding",),
        ),
    )


def _told(dim: int, low: int, high: int, mode: str) -> tuple[str, str]:
    """What is before the elements of an axis, and behind them, in the order of the result; "" where nothing is."""
    if mode == "constant" or not (low or high):
        return "a constant" if low else "", "a constant" if high else ""
    first, *more = islice(_padding.rounds(dim, low, high, mode), 2)
    further = more[0] if more else (None, None)
    return _band(low, first[0], further[0]), _band(low, first[1], further[1])


def _band(low: int, band: _padding.Band, further: _padding.Band | None) -> str:
    if band.size == 0:
        return ""
    if band.step == 0:
        return f"its element {band.source - low}{', repeated' if band.size > 1 else ''}"
    repeated = ", repeated" if further is not None and further.size else ""
    return elements(band.source - low, band.size, band.step) + repeated


def _changes(low: int, high: int, words: Sequence[Any]) -> list[str]:
    sides = zip((low, high), ("before", "behind"), words, strict=True)
    return [f"{width} added {where} ({what})" for width, where, what in sides if width]


def _order(widths: Sequence[tuple[int, int]], mode: str) -> Iterator[str]:
    axes = [axis for axis, pair in enumerate(widths) if any(pair)]
    if len(axes) > 1:
        yield f"axis {axes[-1]} is padded last: its padding has the {mode} padding of the axes before it, too"
