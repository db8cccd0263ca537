"""Explains the gradient of a strided slice: the stages of the slice, and where each value of dy lands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Any

from ssop import _core, shapes
from ssop._core import Region, SliceError
from ssop._display import index_text
from ssop._explain.explanation import Explanation
from ssop._explain.facts import Stage
from ssop._explain.picture import Panel, Picture, axes_of_region, whole_axes
from ssop._explain.sentences import landed, of_error
from ssop._explain.specs import DIALECTS
from ssop._explain.strided import explained, read
from ssop._explain.strided_answer import axis_answers, new_axes
from ssop._explain.trace import traced


def explain_strided_slice_grad(
    shape: Sequence[int], vectors: tuple[Any, Any, Any], dy_shape: Sequence[int], masks: tuple[Any, ...]
) -> Explanation:
    """See `ssop.explain.strided_slice_grad`."""
    spec, dims = read(shape, vectors, masks)
    given = _core.read_shape("explain.strided_slice_grad", "dy_shape", dy_shape)
    form = f"{{function}}({list(dims)}, {{vectors}}, dy{{masks}})"
    dialect = replace(DIALECTS["tf"], function="ssop.strided_slice_grad", form=form)
    trace = traced(dialect, spec, dims)
    forward = explained(trace, "tf")
    call, details = dialect.call(spec), {**forward.details, "dy_shape": list(given)}
    told = replace(forward, call=f"{call}, where dy has shape {given}", others=(), details=details, convert=None)
    if forward.region is None:
        return told
    region = forward.region
    before = tuple(stage for stage in forward.stages if stage.name not in ("output shape", "pick shape", "data"))
    fits = Stage("shape of dy", "gr_c1", (str(region.shape),))
    try:
        shapes.strided_slice_grad(dims, *vectors, given, *masks, mode="tight")
    except SliceError as error:
        found = replace(fits, changes=(*fits.changes, "finds the error"))
        repair = f"{call}, where dy has shape {region.shape}"
        nothing = replace(told, shape=None, index=None, region=None, draw=None)
        answer = of_error(error, f"dy of shape {region.shape}")
        return replace(nothing, answer=answer, error=error, failed=fits.name, repair=repair, stages=(*before, found))
    landing = Stage("gradient", "gr_s1", (_landing(region),))
    answer = landed(dims, *((None, []) if forward.empty else (axis_answers(trace), new_axes(trace))))
    return replace(
        told, answer=answer, shape=dims, stages=(*before, fits, landing), draw=lambda: _picture(call, region)
    )


def _landing(region: Region) -> str:
    taken, total = prod(region.shape), prod(region.in_shape)
    return f"the {taken} values of dy go to result{index_text(region.index)}; the other {total - taken} elements are 0"


def _picture(title: str, region: Region) -> Picture:
    axes = axes_of_region(region, {}, {}, {})
    panels = (Panel("dy", whole_axes(region.shape)), Panel("the gradient", axes, "values of dy", "padding"))
    return Picture(title, panels, ("hatched: 0",))
