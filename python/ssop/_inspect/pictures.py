"""The picture of a node: which cells it takes or writes, by the rule of the format's own engine, or what it pads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from ssop._convert.offsets import OFFSET
from ssop._convert.program import Program
from ssop._convert.proofs import Lengths, valid_lengths
from ssop._convert.rules import INT32_MAX, Chain, taken
from ssop._core import Region, SliceError
from ssop._errors import value_error
from ssop._explain import explain
from ssop._explain.picture import Picture, axes_of_region, result_chips
from ssop._explain.rendering import render_svg
from ssop._inspect.moved import is_pad, mode_of, padding_of, written
from ssop._inspect.records import OP, SliceNode, named, names_of
from ssop._inspect.reports import NodeReport, dims_text
from ssop._inspect.text import call_text
from ssop._inspect.verdicts import UNKNOWN, plain, shape_of, written_by

TYPICAL = 8
"""The length of an axis that is drawn for one that is not known, if nothing says that it should be longer."""

EXPLAINED: dict[str, Callable[..., Any]] = {
    "tf.strided_slice": partial(explain, dialect="tf"),
    "tflite.strided_slice": partial(explain, dialect="tflite"),
    "openvino.strided_slice": partial(explain, dialect="openvino"),
    "onnx.slice": explain.onnx_slice,
    "xla.slice": explain.slice,
    "xla.dynamic_slice": explain.dynamic_slice,
}
"""Functions whose pictures have more than the cells: bounds, masks, and the window that was asked for."""


def svg_of(reports: Sequence[NodeReport]) -> str:
    """The picture of the only node, as SVG; an error (im_c4) for several, and for one that is no constant slice."""
    if len(reports) != 1:
        nodes = [report.node for report in reports]
        known = ", ".join(_only_name(node, nodes) for node in nodes[:8]) or "none"
        message = f"a picture is of one node, and there are {len(nodes)}; `only` says which: {known}"
        raise value_error(OP, "im_c4", message)
    (report,) = reports
    return render_svg(picture_of(report))


def _only_name(node: SliceNode, nodes: Sequence[SliceNode]) -> str:
    return next((name for name in names_of(node) if len(named(nodes, name)) == 1), node.result)


def picture_of(report: NodeReport) -> Picture:
    """What a node takes or writes of the shape that the model has, or of a small one that the model allows."""
    node, judged = report.node, report.judged
    place = written(node)
    if place is not None:
        return _of_update(report, place)
    if is_pad(node):
        return _of_pad(report)
    if judged.program is None or judged.where is None:
        reason = judged.verdict.text if judged.verdict.kind == UNKNOWN else str(judged.verdict)
        raise value_error(OP, "im_c4", f"{node.name!r} has no picture: {reason}")
    shape = _drawn_shape(node, judged.program, judged.where.lengths)
    call = judged.calls[0] if len(judged.calls) == 1 else None
    if call is not None and call.function in EXPLAINED and OFFSET not in call.given:
        picture: Picture = EXPLAINED[call.function](shape, **call.given).draw()
    else:
        region = _region(judged.program, shape)
        picture = Picture.of_region("", axes_of_region(region, {}, {}, {}), result_chips(region))
    title = f"{node.name}: {report.index or ' + '.join(map(call_text, node.calls))}"
    return _entitled(picture, node, title, shape, picture.notes)


def _of_update(report: NodeReport, place: SliceNode) -> Picture:
    """The elements that an update writes; `place` is the slice of them."""
    picture = picture_of(replace(report, node=place, judged=written_by(place)))
    panels = tuple(replace(panel, verb="written") for panel in picture.panels)
    return replace(picture, title=f"{picture.title} is written", panels=panels)


def _of_pad(report: NodeReport) -> Picture:
    """The operand, and where its elements are in the result."""
    node, widths = report.node, padding_of(report.node)
    if widths is None:
        reason = report.judged.verdict.text if node.calls[0].at_run_time else "its widths are not known"
        raise value_error(OP, "im_c4", f"{node.name!r} has no picture: {reason}")
    allowed = [Lengths(0, INT32_MAX)] * len(widths) if node.input_shape is None else shape_of(node, (), False).lengths
    typical = [max(TYPICAL, 1 - low - high) for low, high, _ in widths]
    if len(allowed) != len(widths):
        raise value_error(OP, "im_c4", f"{node.name!r} has no picture: its operand has {len(allowed)} axes")
    shape = tuple(min(max(length, dim.least), dim.most) for length, dim in zip(typical, allowed, strict=True))
    made = explain.pad(shape, widths)
    if made.error is not None:
        raise value_error(OP, "im_c4", f"{node.name!r} has no picture: {plain(made.error)}")
    assert made.draw is not None
    picture, mode = made.draw(), mode_of(node)
    notes = picture.notes if mode == "constant" else (f"hatched: elements of the operand, by the mode {mode}",)
    return _entitled(picture, node, f"{node.name}: {call_text(node.calls[0])}", shape, notes)


def _entitled(picture: Picture, node: SliceNode, title: str, shape: Sequence[int], notes: tuple[str, ...]) -> Picture:
    drawn = () if tuple(shape) == node.input_shape else (f"drawn for shape {tuple(shape)}; {_declared(node)}",)
    return replace(picture, title=title, notes=(*notes, *drawn))


def _declared(node: SliceNode) -> str:
    shape = node.input_shape
    return "the model declares none" if shape is None else f"the model declares {dims_text(shape)}"


def _region(program: Program, shape: Sequence[int]) -> Region:
    """What a program takes of this shape."""
    ranges: dict[int | None, tuple[int, int, int]] = {}
    for axis in (*program.kept, *program.dropped):
        found = taken(axis.chain, 1 if axis.origin is None else shape[axis.origin])
        assert not isinstance(found, SliceError)  # or the shape would not be drawn
        ranges[axis.origin] = found
    origins = [-1 if axis.origin is None else axis.origin for axis in program.kept]
    return Region(tuple(shape), tuple(ranges[axis] for axis in range(len(shape))), origins)


def _drawn_shape(node: SliceNode, program: Program, lengths: Sequence[Lengths]) -> tuple[int, ...]:
    """The shape of the model; for dims that are not known, lengths that hold the bounds, and are no error."""
    shape = []
    for axis, allowed in enumerate(lengths):
        length = _drawn_length(program.of(axis).chain, allowed)
        if length is None:
            raise value_error(
                OP, "im_c4", f"{node.name!r} has no picture: no length of axis {axis} is known to be legal"
            )
        shape.append(length)
    return tuple(shape)


def _drawn_length(chain: Chain, allowed: Lengths) -> int | None:
    bounds = [abs(x) for step in chain for x in (step.begin, step.end) if isinstance(x, int) and abs(x) < INT32_MAX]
    wanted = [max(TYPICAL, *(bound + 1 for bound in bounds)) if bounds else TYPICAL, TYPICAL, *bounds, sum(bounds), 1]
    with suppress(ImportError):  # without islpy, these lengths must do
        legal = valid_lengths(chain, allowed)
        wanted += () if legal is None else legal
    lengths = [min(max(length, allowed.least), allowed.most) for length in wanted]
    counts = {length: found[1] for length in lengths if not isinstance(found := taken(chain, length), SliceError)}
    return next((length for length, count in counts.items() if count), next(iter(counts), None))
