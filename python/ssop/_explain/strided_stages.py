"""The stages of a strided slice, what each changed, and what each mask bit did: read off the trace of the resolver.

A stage says what it changed in the columns of the table of axes; one that changed nothing has no changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod

from ssop._core import PartialShape
from ssop._display import index_text
from ssop._explain.facts import MaskBit, Stage
from ssop._explain.partial import shape_text
from ssop._explain.repair import SPEC_STAGE, stage_of
from ssop._explain.sentences import BEFORE, clamped, place
from ssop._explain.strided_tables import intermediate_axes
from ssop._explain.trace import Axis, Entry, Trace
from ssop._explain.words import BITS, STAGES, say

UNKNOWN = "depends on the dim, which is not known"


Change = tuple[str, str]
"""What a stage changed, in words, and the label of the rule by which it did; an empty one is that of the stage."""


def stages(trace: Trace) -> Iterator[Stage]:
    """The stages in their order, up to the one that finds the error."""
    failed = None if trace.error is None else stage_of(trace.error)
    for stage in _all_stages(trace) if failed != SPEC_STAGE else ():
        if stage.name == failed:
            yield replace(stage, changes=(*stage.changes, say("finds")))
            return
        yield stage


def _all_stages(trace: Trace) -> Iterator[Stage]:
    """Those of the blog that `tests/unit/test_document_blog.py` checks, by their names and in their order."""
    changes = (
        _conflicts(trace),
        _new_axes(trace),
        _ellipsis(trace),
        _missing(trace),
        *(_clamped(trace, bound) for bound in ("begin", "end")),
        *(_masked(trace, bound) for bound in ("begin", "end")),
        _shrunk(trace),
        _result(trace),
        *_taken(trace),
    )
    for (name, label), of_stage in zip(STAGES, changes, strict=False):
        yield _stage(name, trace.dialect.label(label), of_stage)


def _result(trace: Trace) -> Iterator[Change]:
    if trace.error is None:
        yield str(result_shape(trace)), ""


def _taken(trace: Trace) -> Iterator[Iterable[Change]]:
    """The changes of the last two stages, which need the region."""
    if trace.region is not None:
        pick = tuple(axis.count for axis in trace.axes)
        yield [(say("pick", shape=pick), "")]
        index = index_text(trace.region.index)
        yield [(say("data", taken=prod(pick), total=prod(trace.shape), index=index), "")]


def result_shape(trace: Trace) -> tuple[int, ...] | PartialShape:
    """For a trace without an error."""
    assert not isinstance(trace.outcome, Exception)
    if trace.any_rank:
        return PartialShape(None)
    return trace.outcome if isinstance(trace.outcome, PartialShape) else trace.outcome.shape


def _stage(name: str, label: str, changes: Iterable[Change]) -> Stage:
    """The stage; a change by another rule says by which one, unless that is the rule of all changes."""
    told = [(text, own or label) for text, own in changes]
    labels = {own for _, own in told}
    if len(labels) == 1:
        label = labels.pop()
    return Stage(name, label, tuple(text if own == label else f"{text} [{own}]" for text, own in told))


def _conflicts(trace: Trace) -> Iterator[Change]:
    for entry in trace.entries:
        lost = [name for name in trace.spec.bits(entry.number) if name not in entry.kept]
        if lost:
            winner = "the ellipsis" if entry.is_a("ellipsis") else "a new axis"
            verb = "is" if len(lost) == 1 else "are"
            yield say("conflict", entry=entry.number, winner=winner, lost=" and ".join(lost), verb=verb), ""


def _new_axes(trace: Trace) -> Iterator[Change]:
    new = [entry.number for entry in trace.entries if entry.is_a("new_axis")]
    for number in new:
        yield say("new", entry=number), ""
    if new and trace.error is None and not trace.any_rank:
        dims = ["1" if axis.axis is None else trace.dim_text(axis.axis) for axis in intermediate_axes(trace)]
        yield say("intermediate", shape=shape_text(dims)), ""


def _ellipsis(trace: Trace) -> Iterator[Change]:
    entry = trace.ellipsis()
    if entry is None:
        return
    if trace.any_rank:
        yield say("keeps others", entry=entry.number), ""
    elif entry.axes:
        yield say("keeps", entry=entry.number, axes=_axes_text(entry.axes)), ""
    else:
        yield say("covers", entry=entry.number), ""


def _axes_text(axes: Sequence[int]) -> str:
    return f"{'axis' if len(axes) == 1 else 'axes'} {', '.join(map(str, axes))}"


def _missing(trace: Trace) -> Iterator[Change]:
    axes = trace.missing()
    if trace.any_rank and trace.ellipsis() is None:
        yield say("keeps rest"), "ss_s2"
    elif axes:
        yield say("missing", axes=_axes_text(axes)), "ss_s2"
    for entry in range(len(trace.entries), len(trace.spec.begin)):
        if trace.error is None:
            yield say("spare", entry=entry), "tfl_s3"


def _clamped(trace: Trace, bound: str) -> Iterator[Change]:
    for axis, entry in trace.bounds(bound):
        given = getattr(trace.spec, bound)[entry.number]
        if axis.number in trace.unknown:
            if not entry.is_a(bound) or entry.is_a("shrink_axis"):
                yield f"axis {trace.name(axis.number)}: {UNKNOWN}", ""
            continue
        wrapped, used = getattr(axis, f"wrapped_{bound}"), getattr(axis, f"clamped_{bound}")
        if given != used:
            words = clamped(bound, given, axis.dim, wrapped, used)
            yield say("axis", axis=trace.name(axis.number), words=words), _clamp_label(trace, axis, entry, bound)


def _clamp_label(trace: Trace, axis: Axis, entry: Entry, bound: str) -> str:
    """The rule of a dialect that clamps a begin below -dim to element 0, where TensorFlow does not."""
    if bound == "end" or axis.wrapped_begin >= 0 or axis.clamped_begin != 0:
        return ""
    if entry.is_a("shrink_axis"):
        return "tfl_s2"
    return "ov_s2" if trace.spec.strides[entry.number] < 0 else ""


def _masked(trace: Trace, bound: str) -> Iterator[Change]:
    for axis, entry in trace.bounds(bound):
        if not entry.is_a(bound):
            continue
        shrunk = entry.is_a("shrink_axis")
        if axis.number in trace.unknown:
            if not shrunk or trace.dialect.shrink_reads_begin_mask:
                text = f"axis {trace.name(axis.number)}: {bound} is {_masked_place(trace, entry, bound)}"
                yield text, "tfl_s1" if shrunk else ""
            continue
        unmasked, used = getattr(axis, f"clamped_{bound}"), getattr(axis, bound)
        if used != unmasked:
            text = say("masked", axis=trace.name(axis.number), bound=bound, used=place(used), clamped=place(unmasked))
            yield text, "tfl_s1" if shrunk else ""


def _masked_place(trace: Trace, entry: Entry, bound: str) -> str:
    """Where a masked bound is on an axis of unknown length."""
    forward = entry.is_a("shrink_axis") or trace.spec.strides[entry.number] > 0
    if bound == "begin":
        return "0" if forward else "the last element"
    return "behind the last element" if forward else BEFORE


def _shrunk(trace: Trace) -> Iterator[Change]:
    for axis, entry in trace.shrunk():
        known = axis.number not in trace.unknown
        masked = entry.is_a("begin") and trace.dialect.shrink_reads_begin_mask
        taken = axis.start if known else 0 if masked else trace.spec.begin[entry.number]
        yield say("shrunk", entry=entry.number, index=taken, axis=trace.name(axis.number)), ""


# ---- mask bits ------------------------------------------------------------------------------------------------------


def mask_bits(trace: Trace) -> Iterator[MaskBit]:
    """Every bit that is set, by entry: whether it matters, and why."""
    axes = {axis.entry: axis for axis in trace.axes}
    for number in trace.spec.entries_with_bits():
        entry = trace.entries[number] if number < len(trace.entries) else None
        for name in trace.spec.bits(number):
            if number >= len(trace.spec.begin):
                why = say("no entry", entry=number)
                yield MaskBit(name, number, False, why, trace.dialect.label("ss_s8"))
            elif entry is not None:
                yield _bit(trace, entry, name, axes.get(number))


def _bit(trace: Trace, entry: Entry, name: str, axis: Axis | None) -> MaskBit:
    number, label = entry.number, trace.dialect.label
    if name not in entry.kept:
        winner = "ellipsis" if entry.is_a("ellipsis") else "new_axis"
        return MaskBit(name, number, False, say("precedence", winner=winner), label("ss_s1"))
    if name in BITS:
        why, rule = BITS[name]
        return MaskBit(name, number, True, why, label(rule))
    if axis is None:
        return MaskBit(name, number, False, say("unread"), "ss_s5")
    shrunk = entry.is_a("shrink_axis")
    if shrunk and not (name == "begin" and trace.dialect.shrink_reads_begin_mask):
        return MaskBit(name, number, False, say("shrunk axis"), label("ss_s7"))
    rule = "tfl_s1" if shrunk else "ss_s5"
    if axis.number in trace.unknown:
        return MaskBit(name, number, True, f"{name} is {_masked_place(trace, entry, name)}", rule)
    unmasked, used = getattr(axis, f"clamped_{name}"), getattr(axis, name)
    if unmasked == used:
        return MaskBit(name, number, False, say("no difference", bound=name, used=place(used)), rule)
    why = say("difference", bound=name, used=place(used), clamped=place(unmasked))
    return MaskBit(name, number, True, why, rule)
