"""Explains a strided slice: the stages are read off the trace of the resolver, none is computed again."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_int
from typing import Any

from ssop import _core
from ssop._core import PartialShape, Region, SliceError
from ssop._display import index_text
from ssop._errors import kind_of, value_error
from ssop._explain.elsewhere import convertible, equal_calls
from ssop._explain.explanation import Explanation
from ssop._explain.others import answers, documents
from ssop._explain.partial import (
    again,
    index_for_every_dim,
    known_or_partial,
    named_dims,
    shape_text,
    traced_for_every_rank,
    traced_partially,
)
from ssop._explain.picture import Picture, axes_of_region, new_axes, result_chips
from ssop._explain.repair import CONDITIONS, repaired, stage_of
from ssop._explain.specs import DIALECTS, OPENVINO_MASKS, Spec, bits_of_vector, is_integer
from ssop._explain.strided_answer import empty_axes, sentence
from ssop._explain.strided_stages import mask_bits, result_shape, stages
from ssop._explain.strided_tables import (
    axis_dicts,
    axis_table,
    entry_dicts,
    entry_table,
    intermediate_dicts,
    intermediate_table,
)
from ssop._explain.trace import Trace, traced
from ssop._masks import MASK_NAMES

MAX_REPAIRS = 200
"""More errors than a spec can have one after the other: 128 entries, and a few of the spec itself."""


def explain_strided_slice(
    dialect: str, shape: Sequence[int | None] | None, vectors: tuple[Any, Any, Any], masks: tuple[Any, ...]
) -> Explanation:
    """The explanation of a call; raises for arguments that are no spec at all (in_*, ex_c1)."""
    if not isinstance(dialect, str) or dialect not in DIALECTS:
        names = ", ".join(map(repr, DIALECTS))
        given = repr(dialect) if isinstance(dialect, str) else kind_of(dialect)
        raise value_error("explain", "ex_c1", f"dialect is {given}, not one of {names}", value=dialect)
    rules = DIALECTS[dialect]
    known, partial = known_or_partial("explain", shape)
    spec, dims = read(known if partial is None else (), vectors, masks, mask_vectors=rules.vectors)
    if partial is not None and partial.rank is None:
        trace = traced_for_every_rank(rules, spec)
    else:
        trace = traced(rules, spec, dims) if partial is None else traced_partially(rules, spec, partial)
    return explained(trace, dialect)


def read(
    shape: Sequence[int], vectors: tuple[Any, Any, Any], masks: tuple[Any, ...], *, mask_vectors: bool = False
) -> tuple[Spec, tuple[int, ...]]:
    """The arguments as Python's integers. The core's argument parsing raises for others.

    With `mask_vectors`, a mask may be a vector of 0 and 1, as OpenVINO's function takes it.
    """
    given = [bits_of_vector(mask) if mask_vectors and not is_integer(mask) else None for mask in masks]
    integers = [mask if bits is None else 0 for mask, bits in zip(masks, given, strict=True)]
    try:
        _core.check_spec(*vectors, *integers)
    except SliceError as error:
        if error.label not in CONDITIONS:
            raise
    begin, end = (
        _core.read_integers("explain", name, x) for name, x in zip(("begin", "end"), vectors[:2], strict=True)
    )
    strides = (1,) * len(begin) if vectors[2] is None else _core.read_integers("explain", "strides", vectors[2])
    words = [as_int(mask) & 0xFFFFFFFF for mask in integers]
    bits = [word if vector is None else vector for word, vector in zip(words, given, strict=True)]
    dims = _core.strided_slice_region(shape, (), ()).in_shape
    return Spec(begin, end, strides, (bits[0], bits[1], bits[2], bits[3], bits[4])), dims


def explained(trace: Trace, name: str) -> Explanation:
    """The explanation of a trace by the rules of the dialect of that name."""
    region, error = trace.region, trace.error
    lengths_differ = error is not None and CONDITIONS[str(error.label)] == "lengths"
    comparable = not (lengths_differ or trace.unknown or trace.spec.has_wide_masks())
    in_shape = None if trace.any_rank else named_dims(trace.shape if trace.partial is None else trace.partial)
    repair = None if error is None else _repaired(trace)
    empty, bits = tuple(empty_axes(trace)), tuple(mask_bits(trace))
    tables = [entry_table(trace), axis_table(trace)]
    if any(entry.is_a("new_axis") for entry in trace.entries) and not trace.any_rank:
        tables.append(intermediate_table(trace))
    return Explanation(
        answer=sentence(trace, repair, empty, bits),
        call=f"{trace.dialect.call(trace.spec)}, where x has shape {shape_text(in_shape)}",
        op=trace.dialect.function.removeprefix("ssop."),
        in_shape=in_shape,
        shape=result_shape(trace) if error is None else None,
        index=index_for_every_dim(trace) if region is None else region.index,
        region=region,
        error=error,
        failed=None if error is None else stage_of(error),
        repair=None if repair is None else trace.dialect.call(repair),
        empty=empty,
        stages=tuple(stages(trace)),
        tables=tuple(table for table in tables if table.rows),
        bits=bits,
        documents=tuple(documents(trace.spec, trace.shape, name)) if comparable else (),
        others=tuple(answers(trace.spec, trace.shape, name, trace.outcome)) if comparable else (),
        details={
            "dialect": name,
            "entries": entry_dicts(trace),
            "axes": axis_dicts(trace),
            "intermediate": intermediate_dicts(trace),
        },
        draw=None if region is None else lambda: _picture(trace, region),
        convert=lambda: equal_calls(lambda: _convertible(trace, name), _shape_given(trace), name),
    )


def _shape_given(trace: Trace) -> PartialShape | tuple[int, ...]:
    if trace.any_rank:
        return PartialShape(None)
    return trace.shape if trace.partial is None else trace.partial


def _convertible(trace: Trace, name: str) -> Any:
    """The call as `ssop.convert` reads it."""
    spec = trace.spec
    masks = dict(zip(MASK_NAMES, spec.int32_masks(), strict=True))
    if trace.dialect.vectors:
        names = (f"{mask}_mask" for mask in OPENVINO_MASKS)
        masks = dict(zip(names, trace.dialect.masks(spec), strict=True))
    vectors = {"begin": spec.begin, "end": spec.end, "strides": spec.strides}
    return convertible(f"{name}.strided_slice", vectors | masks)


def _repaired(trace: Trace) -> Spec | None:
    """The nearest spec that works, by one repair after the other; each is resolved, so the last one does work."""
    for _ in range(MAX_REPAIRS):
        if trace.error is None:
            return trace.spec
        spec = repaired(trace.spec, trace.error)
        if spec is None:
            return None
        trace = again(trace, spec)
    return None


# ---- the picture ----------------------------------------------------------------------------------------------------


def _picture(trace: Trace, region: Region) -> Picture:
    masked = {axis.number: (entry.is_a("begin"), entry.is_a("end")) for axis, entry in trace.ranges()}
    bounds = {axis.number: (axis.begin, axis.end) for axis, _ in trace.ranges()}
    strides = {axis.number: trace.spec.strides[entry.number] for axis, entry in trace.ranges()}
    axes = axes_of_region(region, bounds, masked, strides)
    title = f"x{index_text(region.index)} of shape {trace.shape}"
    return Picture.of_region(title, axes, result_chips(region), new_axes(region))
