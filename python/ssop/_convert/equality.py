"""Whether two lists of calls are equal on every shape, and whether calls give their operand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ssop._convert.calls import Call, program_of, read_calls
from ssop._convert.conversion import source_program
from ssop._convert.errors import OP, conversion_error
from ssop._convert.moved_proofs import are_errors, of_axis, text_of, unequal
from ssop._convert.moving import MOVING
from ssop._convert.program import inequality, whole
from ssop._convert.proofs import Difference, described
from ssop._convert.runtime_proofs import RunTimeDifference
from ssop._convert.shape import Shape, read_shape, shape_of
from ssop._convert.updates import check_no_update, is_update, same_kind
from ssop._errors import value_error


@dataclass(frozen=True, eq=False)
class Equality:
    """Whether two lists of calls are equal on every shape: true or false as a condition.

    `axis` is the first axis on which they differ; None where the results have other axes. `smallest` is its smallest
    dim on which they do, `values` the run-time values. `text` says when they are equal; `assume` takes `precondition`.
    `counterexample` is a shape on which calls that pad or exchange axes differ.
    """

    __module__, __qualname__ = "ssop", "convert.Equality"

    equal: bool
    axis: int | None = None
    smallest: int | None = None
    text: str = ""
    precondition: dict[Any, Any] | None = None
    values: dict[str, int] | None = None
    counterexample: tuple[int, ...] | None = None

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        if self.equal:
            return "equal"
        if self.counterexample is not None:
            return f"different on shape {self.counterexample}; equal if {self.text}"
        if self.smallest is None:
            return "different: the results have other axes"
        values = "".join(f" and {name} is {value}" for name, value in (self.values or {}).items())
        return f"different if dim {self.axis} is {self.smallest}{values}; equal if {self.text}"


def equality(one: Any, two: Any, shape: Any, assume: Mapping[int, Any] | None) -> Equality:
    """What `ssop.convert.equal` says. The shape without a rank is that of the first calls."""
    calls, shape = (read_calls(one), read_calls(two)), shape_of(one, shape)
    same_kind(*calls)
    if any(call.function in MOVING for chain in calls for call in chain):
        return _moved(*calls, shape, assume)
    where, program = source_program(calls[0], shape, assume, others=calls[1])
    return _compared(program, program_of(calls[1], len(where.lengths), is_update(calls[1])), where)


def identity(calls: Any, shape: Any, assume: Mapping[int, Any] | None) -> Equality:
    """What `ssop.convert.is_identity` says."""
    chain, shape = read_calls(calls), shape_of(calls, shape)
    check_no_update(chain)
    if any(call.function in MOVING for call in chain):
        return _moved(chain, (), shape, assume)
    where, program = source_program(chain, shape, assume)
    return _compared(program, whole(len(where.lengths)), where)


def _compared(one: Any, two: Any, where: Any) -> Equality:
    unequal = inequality(one, two, where.lengths, where.assumed)
    if unequal is None:
        return Equality(True)
    if unequal.where is None:
        return Equality(False, unequal.axis)
    if isinstance(unequal.where, RunTimeDifference):
        found = unequal.where
        return Equality(False, unequal.axis, found.smallest, found.text, found.assumption(unequal.axis), found.values)
    pair = unequal.where.precondition
    precondition = None if pair is None or unequal.axis is None else {unequal.axis: pair}
    return Equality(False, unequal.axis, unequal.where.smallest, unequal.where.text, precondition)


def _moved(one: tuple[Call, ...], two: tuple[Call, ...], shape: Any, assume: Mapping[Any, Any] | None) -> Equality:
    """The answer for calls that exchange axes or pad."""
    if shape is None:
        message = "calls that pad or exchange axes have one rank: give a shape, of which any dims may be unknown"
        raise value_error(OP, "cv_c4", message)
    if any(call._names for call in (*one, *two)):
        raise conversion_error("cv_c11", "run-time values of calls that pad or exchange axes are not compared")
    where = read_shape(shape).assuming(assume)
    where.check_assumed(())
    if are_errors(one, where.lengths):
        raise value_error(OP, "cv_c5", f"the calls are an error on every shape {where}")
    found = unequal(one, two, where.lengths)
    if found is None:
        return Equality(True)
    text, precondition = "never", None
    if found.equal is not None and not found.equal.is_empty():
        text, precondition = _in_words(found.equal, where)
    axis = next(iter(precondition), None) if precondition else None
    smallest = None if axis is None else found.counterexample[axis]
    return Equality(False, axis, smallest, text, precondition, counterexample=found.counterexample)


def _in_words(equal: Any, where: Shape) -> tuple[str, dict[Any, Any] | None]:
    """A set of dims in words, and as an assumption if it is a condition on one axis."""
    for axis in range(len(where.lengths)):
        one = of_axis(equal, axis, where.lengths)
        if one is not None:
            intervals, text = described(one)
            pair = Difference(0, intervals, text).precondition
            return text.replace("the dim", f"dim {axis}"), None if pair is None else {axis: pair}
    return text_of(equal, where.lengths), None
