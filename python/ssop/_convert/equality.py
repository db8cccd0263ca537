"""Whether two lists of calls are equal on every shape, and whether calls give their operand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ssop._convert.calls import program_of, read_calls
from ssop._convert.conversion import source_program
from ssop._convert.program import inequality, whole
from ssop._convert.runtime_proofs import RunTimeDifference


@dataclass(frozen=True, eq=False)
class Equality:
    """Whether two lists of calls are equal on every shape: true or false as a condition.

    `axis` is the first axis on which they differ; None where the results have other axes. `smallest` is its smallest
    dim on which they do, `values` the run-time values. `text` says when they are equal; `assume` takes `precondition`.
    """

    __module__, __qualname__ = "ssop", "convert.Equality"

    equal: bool
    axis: int | None = None
    smallest: int | None = None
    text: str = ""
    precondition: dict[Any, Any] | None = None
    values: dict[str, int] | None = None

    def __bool__(self) -> bool:
        return self.equal

    def __str__(self) -> str:
        if self.equal:
            return "equal"
        if self.smallest is None:
            return "different: the results have other axes"
        values = "".join(f" and {name} is {value}" for name, value in (self.values or {}).items())
        return f"different if dim {self.axis} is {self.smallest}{values}; equal if {self.text}"


def equality(one: Any, two: Any, shape: Any, assume: Mapping[int, Any] | None) -> Equality:
    """What `ssop.convert.equal` says. The shape without a rank is that of the first calls."""
    where, program = source_program(read_calls(one), shape, assume)
    return _compared(program, program_of(read_calls(two), len(where.lengths)), where)


def identity(calls: Any, shape: Any, assume: Mapping[int, Any] | None) -> Equality:
    """What `ssop.convert.is_identity` says."""
    where, program = source_program(read_calls(calls), shape, assume)
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
