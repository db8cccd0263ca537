"""What calls do to the axes of their operand: which remain, in which order, and which steps are done on each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ssop._convert.proofs import Difference, Lengths, difference, result_lengths, valid_lengths
from ssop._convert.rules import RULES, Chain, Step
from ssop._convert.runtime_proofs import NO_LIMITS, Assumed, Limits, RunTimeDifference, erroneous, run_time_difference
from ssop._convert.strides import stride_difference
from ssop._convert.values import has_stride_values, has_values


class Entry(NamedTuple):
    """One entry of a call: a step on an axis of its operand (None: it stays whole), or a new axis."""

    axis: int | None
    step: Step | None = None

    @property
    def drops(self) -> bool:
        return self.step is not None and (self.step.drops or RULES[self.step.rule].whole)


class Axis(NamedTuple):
    """An axis of the input, or a new one of length 1 (None), and the steps on it."""

    origin: int | None
    chain: Chain = ()


class Program(NamedTuple):
    """Calls, one after the other: the axes of their result, and the axes that are dropped on the way."""

    kept: tuple[Axis, ...]
    dropped: tuple[Axis, ...] = ()

    def then(self, entries: Iterable[Entry]) -> Program:
        """The program with a call behind it, whose entries are given in the order of its result."""
        kept, dropped = [], list(self.dropped)
        for entry in entries:
            if entry.axis is None:
                kept.append(Axis(None))
                continue
            origin, chain = self.kept[entry.axis]
            axis = Axis(origin, chain if entry.step is None else (*chain, entry.step))
            (dropped if entry.drops else kept).append(axis)
        return Program(tuple(kept), tuple(dropped))

    def of(self, origin: int) -> Axis:
        """The axis that comes from an axis of the input."""
        return next(axis for axis in (*self.kept, *self.dropped) if axis.origin == origin)


def whole(rank: int) -> Program:
    """The program of no call."""
    return Program(tuple(map(Axis, range(rank))))


def input_order(origins: Sequence[int | None]) -> list[int]:
    """The places of a result's axes in the order of those of the input; new axes stay, or go last if that must change.

    >>> input_order([0, None, 2]), input_order([2, None, 0])
    ([0, 1, 2], [2, 0, 1])
    """
    old = [origin for origin in origins if origin is not None]
    if old == sorted(old):
        return list(range(len(origins)))
    return sorted(range(len(origins)), key=lambda place: _new_last(origins[place]))


def _new_last(origin: int | None) -> tuple[bool, int]:
    return origin is None, origin or 0


def lengths_of(axis: Axis, shape: Sequence[Lengths]) -> Lengths:
    return Lengths(1, 1) if axis.origin is None else shape[axis.origin]


def erroneous_axis(program: Program, shape: Sequence[Lengths], assumed: Assumed = ()) -> int | None:
    """An axis on which the program is an error for every length, or None."""
    for axis in (*program.kept, *program.dropped):
        lengths = lengths_of(axis, shape)
        if has_values(axis.chain):
            error = erroneous(axis.chain, lengths, assumed)
        else:
            error = valid_lengths(axis.chain, lengths) is None
        if error:
            return -1 if axis.origin is None else axis.origin
    return None


class Inequality(NamedTuple):
    """Where two programs differ: on an axis of the input, or (None) in the axes of the result."""

    axis: int | None
    where: Difference | RunTimeDifference | None


def inequality(one: Program, two: Program, shape: Sequence[Lengths], assumed: Assumed = ()) -> Inequality | None:
    """None if both give the same for every shape, or are both errors. Neither may be an error for every shape.

    Where both leave nothing on some axis, only the lengths of the results count.
    """
    if [axis.origin for axis in one.kept] != [axis.origin for axis in two.kept]:
        one, two = (_with_units_last(program, shape) for program in (one, two))
        if [axis.origin for axis in one.kept] != [axis.origin for axis in two.kept]:
            return Inequality(None, None)
    kept = list(zip(one.kept, two.kept, strict=True))
    dropped = [sorted(filter(_matters, program.dropped), key=_key) for program in (one, two)]
    if len(dropped[0]) != len(dropped[1]):
        return Inequality(None, None)
    for a, b in (*kept, *zip(*dropped, strict=True)):
        if a.origin != b.origin:
            return Inequality(None, None)
        lengths = lengths_of(a, shape)
        where = difference_of(a.chain, b.chain, lengths, assumed)
        if where is not None and _both_empty(one, two, shape) and not _at_run_time(a.chain, b.chain):
            where = difference(a.chain, b.chain, lengths, counts=True)
        if where is not None:
            return Inequality(a.origin, where)
    return None


def _at_run_time(*chains: Chain) -> bool:
    return any(has_values(chain) or has_stride_values(chain) for chain in chains)


def difference_of(
    one: Chain, two: Chain, lengths: Lengths, assumed: Assumed, limits: Limits = NO_LIMITS
) -> Difference | RunTimeDifference | None:
    """None if two chains are equal on every length, for all run-time values."""
    if has_stride_values(one) or has_stride_values(two):

        def prove(a: Chain, b: Chain, rest: Assumed) -> Difference | RunTimeDifference | None:
            return difference_of(a, b, lengths, rest, limits)

        return stride_difference(one, two, assumed, prove)
    if has_values(one) or has_values(two):
        return run_time_difference(one, two, lengths, assumed, limits)
    return difference(one, two, lengths)


def _matters(axis: Axis) -> bool:
    """Whether dropping an axis may be an error: a new one has length 1, and can only fail at run time."""
    return axis.origin is not None or _at_run_time(axis.chain)


def _key(axis: Axis) -> tuple[int, Chain]:
    return -1 if axis.origin is None else axis.origin, () if axis.origin is not None else axis.chain


def _both_empty(one: Program, two: Program, shape: Sequence[Lengths]) -> bool:
    return all(any(_is_empty(axis, shape) for axis in program.kept) for program in (one, two))


def _is_empty(axis: Axis, shape: Sequence[Lengths]) -> bool:
    valid = valid_lengths(axis.chain, lengths_of(axis, shape))
    return valid is not None and result_lengths(axis.chain, valid).most == 0


def _with_units_last(program: Program, shape: Sequence[Lengths]) -> Program:
    """The same program, where the result's axes of length 1 are new axes, and what they came from is dropped."""
    kept, dropped = [], list(program.dropped)
    for axis in program.kept:
        lengths = lengths_of(axis, shape)
        valid = valid_lengths(axis.chain, lengths)
        if valid is not None and result_lengths(axis.chain, valid) == Lengths(1, 1):
            kept.append(Axis(None))
            if axis.origin is not None:
                dropped.append(axis)
        else:
            kept.append(axis)
    return Program(tuple(kept), tuple(dropped))
