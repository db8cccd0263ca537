"""The picture of a node: which cells of its operand it takes, by the rule of the format's own engine."""

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
from ssop._inspect.records import OP, SliceNode, named, names_of
from ssop._inspect.reports import NodeReport, dims_text
from ssop._inspect.text import call_text
from ssop._inspect.verdicts import UNKNOWN

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
    """What a node takes of the shape that the model has, or of a small one that the model allows."""
    node, judged = report.node, report.judged
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
    notes = () if shape == node.input_shape else (f"drawn for shape {shape}; {_declared(node)}",)
    return replace(picture, title=title, notes=(*picture.notes, *notes))


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
