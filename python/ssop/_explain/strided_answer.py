"""The answer about a strided slice: what is taken of each axis, or why an axis is empty, or what the error is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ssop._core import PartialShape
from ssop._display import index_text
from ssop._explain.facts import MaskBit
from ssop._explain.partial import again, begin_is_clamped
from ssop._explain.repair import changed, with_end_bit, with_stride
from ssop._explain.sentences import (
    AxisAnswer,
    answer,
    compared,
    dropped,
    of_empty,
    of_error,
    of_every_dim,
    taken,
    whole,
)
from ssop._explain.specs import Spec
from ssop._explain.strided_stages import result_shape
from ssop._explain.strided_tables import intermediate_axes
from ssop._explain.trace import Axis, Entry, Trace, written_item
from ssop._explain.words import say


def sentence(trace: Trace, repaired: Spec | None, empty: Sequence[str], bits: Sequence[MaskBit]) -> str:
    """The answer in one sentence."""
    if trace.error is not None:
        return of_error(trace.error, None if repaired is None else changed(trace.spec, repaired))
    if empty:
        return of_empty(empty)
    axes, new = axis_answers(trace), new_axes(trace)
    return answer(result_shape(trace), axes, new=new, bits=bits, least=len(axes) if trace.any_rank else None)


def axis_answers(trace: Trace) -> list[AxisAnswer]:
    """What is taken of each input axis. For a trace without an error, whose result has elements."""
    covered = trace.ellipsis()
    counts = _output_dims(trace)
    answers = []
    for axis in trace.axes:
        entry = trace.entry_of(axis)
        if entry is None:
            answers.append(whole(trace.name(axis.number), ellipsis=covered is not None and axis.number in covered.axes))
        elif axis.number in trace.unknown:
            answers.append(_of_every_dim(trace, axis, entry, counts))
        elif entry.is_a("shrink_axis"):
            answers.append(dropped(trace.name(axis.number), axis.start))
        else:
            answers.append(taken(trace.name(axis.number), axis.dim, axis.start, axis.count, axis.step))
    return answers


def new_axes(trace: Trace) -> list[int]:
    """The axes of the result that are new."""
    kept = [axis for axis in intermediate_axes(trace) if axis.kind != "shrunk"]
    new = [output for output, axis in enumerate(kept) if axis.axis is None]
    covered = trace.ellipsis() if trace.any_rank else None
    if covered is None:
        return new
    entries = [kept[output].entry for output in new]  # behind the ellipsis they are counted from the last axis
    pairs = zip(new, entries, strict=True)
    return [output - len(kept) if entry is not None and entry > covered.number else output for output, entry in pairs]


def _output_dims(trace: Trace) -> dict[int, str]:
    """For each input axis that the result has, the dim of the result; for a result that is a partial shape."""
    if not isinstance(trace.outcome, PartialShape):
        return {}
    kept = [axis.axis for axis in intermediate_axes(trace) if axis.kind != "shrunk"]
    return {axis: str(trace.outcome.dim(output)) for output, axis in enumerate(kept) if axis is not None}


def _of_every_dim(trace: Trace, axis: Axis, entry: Entry, counts: dict[int, str]) -> AxisAnswer:
    if entry.is_a("shrink_axis"):
        return _dropped(trace, axis, entry)
    unless = ", where a begin below -dim is element 0" if begin_is_clamped(trace, axis, entry) else ""
    return of_every_dim(trace.name(axis.number), _written(trace, entry), counts[axis.number], unless)


def _dropped(trace: Trace, axis: Axis, entry: Entry) -> AxisAnswer:
    """The element of an axis of unknown length, and which lengths are too short for it."""
    element = written_item(trace, entry)
    needed = -element if element < 0 else element + 1
    assert trace.partial is not None and trace.partial.intervals is not None
    least = trace.partial.intervals[axis.number][0]
    if least >= needed:
        unless = ""
    elif element < 0 and trace.dialect.shrink_clamps_below:
        unless = f", or element 0 if the dim is less than {needed}{'' if least else ' (an error if it is 0)'}"
    else:
        unless = f" (an error if the dim is less than {needed})"
    return dropped(trace.name(axis.number), element, unless)


def _written(trace: Trace, entry: Entry) -> str:
    return index_text(written_item(trace, entry))[1:-1]


# ---- empty results --------------------------------------------------------------------------------------------------


def empty_axes(trace: Trace) -> Iterator[str]:
    """Why an axis of the result is empty, and which bit of end_mask, or which sign of the stride, would fill it."""
    dims = {} if trace.error is not None else _output_dims(trace)
    for axis in trace.axes:
        entry = trace.entry_of(axis)
        if axis.number in trace.unknown:
            if entry is not None and dims.get(axis.number) == "0":
                yield _empty_for_every_dim(trace, axis, entry)
        elif axis.dim == 0 or (axis.count == 0 and entry is None):
            yield say("empty dim", axis=trace.name(axis.number))
        elif axis.count == 0 and entry is not None:
            why = compared(axis.begin, axis.end, trace.spec.strides[entry.number])
            hints = list(_ways_to_fill(trace, axis, entry))
            would = f"; {', '.join(hints)}" if hints else ""
            yield say("empty", axis=trace.name(axis.number), why=why, hints=would)


def _empty_for_every_dim(trace: Trace, axis: Axis, entry: Entry) -> str:
    reason = f"axis {trace.name(axis.number)} is empty for every dim: its slice {_written(trace, entry)} has no element"
    if entry.is_a("end") or entry.number >= 31:
        return reason
    other = again(trace, with_end_bit(trace.spec, entry.number))
    if other.error is not None or _output_dims(other)[axis.number] == "0":
        return reason
    filled = _written(other, other.entries[entry.number])
    return f"{reason}; {say('end bit', entry=entry.number, filled=filled)}"


def _ways_to_fill(trace: Trace, axis: Axis, entry: Entry) -> Iterator[str]:
    """Changes of one entry with which its axis has elements; only for a begin inside the axis."""
    if not 0 <= axis.wrapped_begin < axis.dim or entry.is_a("begin") or entry.is_a("end"):
        return
    number, stride = entry.number, -trace.spec.strides[entry.number]
    filled = _filled(trace, with_end_bit(trace.spec, number), axis)
    if filled is not None and number < 31:
        yield say("end bit", entry=number, filled=filled)
    filled = _filled(trace, with_stride(trace.spec, number, stride), axis) if stride < 2**63 else None
    if filled is not None:
        yield say("other stride", stride=stride, filled=filled)


def _filled(trace: Trace, spec: Spec, axis: Axis) -> str | None:
    """The first and the last element of the axis with another spec; None if that takes no element."""
    other = again(trace, spec)
    if axis.number >= len(other.axes) or other.axes[axis.number].count == 0:
        return None
    found = other.axes[axis.number]
    return f"{found.start}..{found.start + (found.count - 1) * found.step}"
