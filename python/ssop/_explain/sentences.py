"""The answer of an explanation in one sentence: each kind of result has its words here, and nowhere else.

`taken`, `dropped`, `of_every_dim` and `whole` say what becomes of one axis; `answer` makes the sentence of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ssop._core import SliceError
from ssop._explain.facts import MaskBit
from ssop._explain.words import say
from ssop._masks import MASKS

MAX_CLAUSES = 8
"""What a sentence says of axes; the tables have the others."""
MAX_BITS = 4
"""Bits of masks that a sentence names; of more it gives the number."""
BEFORE = say("before")


@dataclass(frozen=True)
class AxisAnswer:
    """What becomes of one axis of the input: "whole" or "reversed", or what it `is`, with a verb.

    `axis` is its number; with an unknown rank, those behind the ellipsis are counted from the last one.
    """

    axis: int
    words: str

    @property
    def groups(self) -> bool:
        """Whether a clause may be about several such axes."""
        return self.words in (WHOLE, REVERSED, ELLIPSIS)


WHOLE, REVERSED, ELLIPSIS = "whole", "reversed", "whole, by the ellipsis"
DROPPED = "is dropped, leaving "


def taken(axis: int, dim: int, first: int, count: int, step: int) -> AxisAnswer:
    """A range of an axis, which has elements.

    >>> [taken(0, 5, *values).words for values in ((0, 5, 1), (4, 5, -1), (3, 1, 7), (1, 3, 1), (4, 3, -2))]
    ['whole', 'reversed', 'is its element 3', 'is 1..3', 'is 4..0 in steps of -2']
    """
    if count == dim and (dim == 1 or step == 1):
        return whole(axis)
    if count == dim and step == -1:
        return AxisAnswer(axis, REVERSED)
    return AxisAnswer(axis, f"is {elements(first, count, step)}")


def elements(first: int, count: int, step: int) -> str:
    """One element, or the first and the last one, and how far they are apart."""
    if count == 1:
        return f"its element {first}"
    apart = "" if step == 1 else f" in steps of {step}"
    return f"{first}..{first + (count - 1) * step}{apart}"


def window(axis: int, dim: int, start: int, parts: Sequence[tuple[int, int, int]], *, wraps: bool) -> AxisAnswer:
    """A window of an axis: in two parts where it wraps around; `start` is where it was asked for.

    >>> window(0, 5, 4, [(3, 2, 1)], wraps=False).words, window(0, 5, 4, [(4, 1, 1), (0, 2, 1)], wraps=True).words
    ('is 3..4 (start 4 is clamped to 3)', 'is its element 4, then 0..1')
    """
    first, count, step = parts[0]
    if len(parts) == 2:
        rest = elements(*parts[1]).removeprefix("its ")
        return AxisAnswer(axis, f"is {elements(first, count, step)}, then {rest}")
    if first == start:
        return taken(axis, dim, first, count, step)
    verb = "wraps" if wraps else "is clamped"
    words = "is whole" if count == dim else f"is {elements(first, count, step)}"
    return AxisAnswer(axis, f"{words} (start {start} {verb} to {first})")


def filled(axis: int, dim: int, size: int, kept: tuple[int, int, int], before: int) -> AxisAnswer:
    """A window of an axis of which a part may be outside: `kept` has the elements of the axis, from `before` on.

    >>> filled(0, 5, 4, (3, 2, 1), 0).words, filled(0, 5, 3, (0, 0, 1), 0).words
    ('is 3..4, 2 filled behind', 'is outside: 3 filled')
    """
    first, count, step = kept
    if count == 0 or count == size:
        return taken(axis, dim, first, count, step) if size == count else AxisAnswer(axis, f"is outside: {size} filled")
    numbers = (before, "before"), (size - before - count, "behind")
    words = "is whole" if count == dim else f"is {elements(first, count, step)}"
    return AxisAnswer(axis, f"{words}, {', '.join(f'{n} filled {where}' for n, where in numbers if n)}")


def replaced(shape: Any, axes: Sequence[AxisAnswer] | None) -> str:
    """The sentence of an update, of which None has no elements.

    >>> replaced((5,), [taken(0, 5, 1, 2, 1)])
    'shape (5,): the update replaces the elements where axis 0 is 1..2'
    """
    if axes is None:
        return f"shape {shape}: the update has no elements, and the result equals x"
    if all(axis.words == WHOLE for axis in axes):
        return f"shape {shape}: the update replaces every element"
    return f"shape {shape}: the update replaces the elements where {takes(axes)}"


def of_rows(shape: Any, count: int, changed: int, policy: str) -> str:
    """The sentence of windows for rows of starts, of which some are not taken where they were asked for.

    >>> of_rows((3, 2), 3, 0, "clamp")
    'shape (3, 2): a window for each of 3 rows'
    >>> of_rows((1, 2), 1, 1, "fill")
    'shape (1, 2): a window for each of 1 row, 1 of which has filled elements'
    """
    one, more = {"wrap": ("wraps", "wrap"), "fill": ("has filled elements", "have filled elements")}.get(
        policy, ("is clamped", "are clamped")
    )
    of_which = f", {changed} of which {one if changed == 1 else more}" if changed else ""
    return f"shape {shape}: a window for each of {count} {'row' if count == 1 else 'rows'}{of_which}"


def padded(axis: int, dim: int, result: int, changes: Sequence[str]) -> AxisAnswer:
    """An axis that is padded, or cut."""
    return AxisAnswer(axis, f"goes from {dim} to {result}: {', '.join(changes)}") if changes else whole(axis)


def landed(shape: Any, axes: Sequence[AxisAnswer] | None, new: Sequence[int]) -> str:
    """The sentence of a gradient, whose dy has elements unless `axes` is None."""
    if axes is None:
        return f"shape {shape}: dy has no elements, and every element is 0"
    if not new and all(axis.words in (WHOLE, ELLIPSIS) for axis in axes):
        return f"shape {shape}: the result equals dy"
    places = [replace(axis, words=axis.words.replace(DROPPED, "is ")) for axis in axes]
    return f"shape {shape}: dy goes where {takes(places, new, 'dy')}; every other element is 0"


def whole(axis: int, *, ellipsis: bool = False) -> AxisAnswer:
    return AxisAnswer(axis, ELLIPSIS if ellipsis else WHOLE)


def dropped(axis: int, element: int, unless: str = "") -> AxisAnswer:
    """One element of an axis that is dropped; `unless` says for which dims it is another one, or an error."""
    return AxisAnswer(axis, f"{DROPPED}its element {element}{unless}")


def of_every_dim(axis: int, item: str, count: str, unless: str = "") -> AxisAnswer:
    """A range of an axis whose dim is not known: an item of NumPy's index, and how many elements it may have."""
    if item in (":", "0:"):
        return whole(axis)
    if item == "::-1":
        return AxisAnswer(axis, REVERSED)
    many = "an unknown number of" if count == "?" else count
    return AxisAnswer(axis, f"is its slice {item}, of {many} {'element' if count == '1' else 'elements'}{unless}")


def place(bound: int | None) -> str:
    """A bound that is in use, in words: -1 is no index that counts from the end, but the place before the axis.

    >>> place(3), place(-1)
    ('3', 'before element 0')
    """
    return BEFORE if bound == -1 else str(bound)


def cell(bound: int) -> str:
    """The same in a table."""
    return say("before in a cell") if bound == -1 else str(bound)


def clamped(name: str, given: int, dim: int, wrapped: int, used: int) -> str:
    """How a bound outside its axis is moved.

    >>> clamped("begin", -9, 5, -4, 0), clamped("end", -1, 5, 4, 4), clamped("end", -6, 5, -1, -1)
    ('begin -9 + dim 5 = -4, clamped to 0', 'end -1 + dim 5 = 4', 'end -6 + dim 5 = -1, before element 0')
    """
    added = say("added", dim=dim, wrapped=wrapped) if given < 0 and wrapped != given else ""
    if wrapped != used:
        return say("clamped", name=name, given=given, added=added, used=place(used))
    return say("inside", name=name, given=given, added=added) + (f", {BEFORE}" if used == -1 else "")


def compared(begin: int, end: int, step: int, names: tuple[str, str] = ("begin", "end")) -> str:
    """Why a range has no elements: bounds that are in use, and the sign of the step.

    >>> compared(3, 0, 1), compared(1, 6, -2), compared(-1, -1, -1)
    ('begin 3 >= end 0', 'begin 1 <= end 6 with stride -2', 'begin is before element 0, and stride -1 leads away')
    """
    first, last = names
    stride = "stride" if first == "begin" else "step"
    if step < 0 and begin == -1:
        return say("away", first=first, before=BEFORE, stride=stride, step=step)
    sign = "forward" if step > 0 else "backward"
    return say(sign, first=first, begin=begin, last=last, end=end, stride=stride, step=step)


def of_error(error: SliceError, remedy: str | None = None) -> str:
    """The sentence of a call that is an error, and the smallest change with which it works."""
    return f"the call is an error: {error}" + ("" if remedy is None else f"; with {remedy} it works")


def of_empty(reasons: Sequence[str]) -> str:
    """The sentence of a result that has no elements: why the first axis is empty, and which others are, too."""
    first, *more = reasons
    others = [int(reason.split()[1]) for reason in more]
    return f"{first}; {_axes(others)} {'is' if len(others) == 1 else 'are'} empty, too" if others else first


def answer(
    shape: Any,
    axes: Sequence[AxisAnswer],
    *,
    new: Sequence[int] = (),
    bits: Sequence[MaskBit] = (),
    least: int | None = None,
) -> str:
    """The sentence of a result that has elements: its shape, what it takes of each axis, and which bits do nothing.

    `least` is given if the rank of the input is not known: how many axes the entries need.

    >>> answer((3, 1, 2), [whole(0), taken(1, 9, 4, 2, 3)], new=[1])
    'shape (3, 1, 2): axis 0 is whole; axis 1 is 4..7 in steps of 3; axis 1 of the result is new'
    >>> answer((3, 4), [whole(0), whole(1)])
    'shape (3, 4): every axis is whole, and the result equals x'
    """
    ignored = _ignored(bits)
    head = f"shape {shape}"
    if least is not None:
        needs = f" (x has {least} {'axis' if least == 1 else 'axes'} or more)" if least else ""
        head = f"shape of unknown rank{needs}"
    return f"{head}: {takes(axes, new, others=least is not None)}{'; ' + ignored if ignored else ''}"


def takes(
    axes: Sequence[AxisAnswer], new: Sequence[int] = (), result: str = "the result", *, others: bool = False
) -> str:
    """What becomes of each axis, and which axes of the result are new."""
    if not axes and not new and not others:
        return f"x has no axes, and {result} equals x"
    if not new and all(axis.words in (WHOLE, ELLIPSIS) for axis in axes):
        return f"every axis is whole, and {result} equals x"
    clauses = list(_clauses(axes))
    if len(clauses) > MAX_CLAUSES:
        more = len(clauses) - MAX_CLAUSES
        clauses = [*clauses[:MAX_CLAUSES], f"the table of axes has {more} more"]
    if others:
        clauses.append("every other axis is whole")
    if new:
        clauses.append(f"{_axes(new)} of {result} {'is' if len(new) == 1 else 'are'} new")
    return "; ".join(clauses)


def _clauses(axes: Sequence[AxisAnswer]) -> Iterator[str]:
    """Each kind of axis that may be told of several at once is told where the first of them is."""
    told = set()
    for axis in axes:
        if not axis.groups:
            yield f"axis {axis.axis} {axis.words}"
        elif axis.words not in told:
            told.add(axis.words)
            alike = [other.axis for other in axes if other.words == axis.words]
            yield f"{_axes(alike)} {'is' if len(alike) == 1 else 'are'} {axis.words}"


def _axes(numbers: Sequence[int]) -> str:
    """
    >>> _axes([2]), _axes([0, 2]), _axes([1, 2, 3, 4])
    ('axis 2', 'axes 0 and 2', 'axes 1..4')
    """
    return f"{'axis' if len(numbers) == 1 else 'axes'} {run_or_list(numbers)}"


def run_or_list(numbers: Sequence[int]) -> str:
    """Three numbers and more that follow each other as the first and the last one, others as they are.

    >>> run_or_list([1, 2, 3, 4]), run_or_list([1, 2]), run_or_list([0, 2, 5])
    ('1..4', '1 and 2', '0, 2 and 5')
    """
    follow = len(numbers) > 2 and list(numbers) == list(range(numbers[0], numbers[0] + len(numbers)))
    return f"{numbers[0]}..{numbers[-1]}" if follow else _listed(map(str, numbers))


def _listed(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _ignored(bits: Sequence[MaskBit]) -> str:
    """Which bits that are set change nothing, by mask."""
    idle = [bit for bit in bits if not bit.matters]
    if len(idle) > MAX_BITS:
        return f"{len(idle)} of {len(bits)} mask bits change nothing"
    by_mask = [(name, [bit.entry for bit in idle if bit.mask == name]) for name in MASKS]
    named = [
        f"{'bit' if len(entries) == 1 else 'bits'} {run_or_list(entries)} of {name}_mask"
        for name, entries in by_mask
        if entries
    ]
    return f"{_listed(named)} {'changes' if len(idle) == 1 else 'change'} nothing" if named else ""
