"""Whether all engines do the same on a node, for every shape that the model allows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ssop._convert.calls import Call, program_of
from ssop._convert.conversion import of_any_dims
from ssop._convert.functions import RankNeeded
from ssop._convert.program import Axis, Program, inequality, lengths_of
from ssop._convert.proofs import Lengths, result_lengths, small_length, valid_lengths
from ssop._convert.rules import INT32_MAX, INT64_MAX, taken
from ssop._convert.search import is_equal
from ssop._convert.shape import Shape
from ssop._core import SliceError
from ssop._inspect.formulas import Formulas, formulas_of
from ssop._inspect.meanings import ENGINES, Engine, NoSlice, calls_of
from ssop._inspect.records import Dim, SliceNode

UNBOUNDED = 2**24
"""A result of this length or a greater one has no limit that says something."""

OTHERS = "..."
"""The last of the dims of a result whose operand may have more axes than the calls name."""

UNPROVED = "dims are not known, and islpy is not installed: pip install islpy"

EQUAL, DIFFERS, UNKNOWN, ERROR = "equal everywhere", "differs", "unknown", "an error"


class Verdict(NamedTuple):
    """What is known of a node."""

    kind: str
    """`EQUAL`, `DIFFERS`, `UNKNOWN` or `ERROR` (by the format's own rule, on every shape)."""
    text: str = ""
    """Where and for which shape it differs, or why nothing is known."""
    engines: tuple[str, str] | None = None
    """The two that differ; the first one is the format's own."""
    smallest: tuple[int, ...] | None = None
    """The smallest shape on which they differ."""
    precondition: dict[int, tuple[int, int | None]] | None = None
    """Dims for which they do not."""

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}" if self.text else self.kind


class Judged(NamedTuple):
    """The verdict, and the shape of the result by each engine."""

    verdict: Verdict
    shapes: Mapping[str, tuple[Dim, ...] | str]
    """By the name of the engine: dims, or the words of an error."""
    calls: tuple[Call, ...] = ()
    """The node as the format's own engine reads it; () if it has no meaning as a slice."""
    where: Shape | None = None
    program: Program | None = None
    """What it does to each axis by the format's own engine; None if it is an error, or no slice."""
    formulas: Mapping[str, Formulas] = {}
    """For each engine that gives a shape, the formula of each dim that is neither a number nor a name, or None."""


def judged(node: SliceNode, format_: str, any_dim: bool = False) -> Judged:
    """What all engines of the format do on a node; dims are below 2**31 unless `any_dim`."""
    engines = ENGINES[format_]
    try:
        own = tuple(calls_of(node, engines[0]))
        where = shape_of(node, own, any_dim)
        readings = {engine.name: _reading(node, engine) for engine in engines}
        outcomes = {name: outcome(calls, where) for name, calls in readings.items()}
        verdict = _compared(outcomes, where)
        verdict = _defects(engines, readings, where) if verdict.kind == EQUAL else verdict
    except NoSlice as reason:
        return Judged(Verdict(UNKNOWN, str(reason)), {})
    except RankNeeded as reason:
        return Judged(Verdict(UNKNOWN, f"{reason}, and the file has no shape"), {})
    except SliceError as error:
        return Judged(Verdict(ERROR, plain(error)), {})
    except ImportError:
        outcomes = {name: _program(calls, where) for name, calls in readings.items()}
        verdict = _unproved(list(outcomes.values()), where)
        verdict = _defects(engines, readings, where) if verdict.kind == EQUAL else verdict
    shapes = {
        name: outcome if isinstance(outcome, str) else result_shape(outcome, where)
        for name, outcome in outcomes.items()
    }
    program = outcomes[engines[0].name]
    formulas = formulas_of(outcomes, shapes, where)
    return Judged(verdict, shapes, own, where, None if isinstance(program, str) else program, formulas)


def written_by(place: SliceNode) -> Judged:
    """The same of the slice that an update writes to, by the rule of its function alone."""
    return judged(place, "stablehlo")


def _defects(engines: Sequence[Engine], readings: Mapping[str, Sequence[Call] | str], where: Shape) -> Verdict:
    """The verdict on a node that all engines read alike."""
    for engine in engines:
        calls = readings[engine.name]
        try:
            defect = None if isinstance(calls, str) else engine.defect(calls, where)
        except ImportError:
            return Verdict(UNKNOWN, UNPROVED)
        if defect is not None:
            text = f"{engine.name} {defect.text}, as on shape {defect.smallest}"
            return Verdict(DIFFERS, text, (engines[0].name, engine.name), defect.smallest)
    return Verdict(EQUAL)


def _reading(node: SliceNode, engine: Engine) -> tuple[Call, ...] | str:
    """The calls of a node as an engine reads it, or the words of its error."""
    try:
        return tuple(calls_of(node, engine))
    except SliceError as error:
        return plain(error)


def plain(error: SliceError) -> str:
    """The message of an error without the name of the operation and the label."""
    return str(error).partition(": ")[2].rpartition(" [")[0] or str(error)


def uncapped(text: str) -> str:
    """Intervals of dims in words, without the end that only says that dims are below 2**31."""
    text = text.replace(f" in 0..{INT32_MAX}", "")
    return re.sub(rf"\bin (\d+)\.\.{INT32_MAX}\b", r"at least \1", text)


def shape_of(node: SliceNode, calls: Sequence[Call], any_dim: bool) -> Shape:
    """The shape of the operand as lengths, capped unless any dim may come."""
    cap = INT64_MAX if any_dim else INT32_MAX
    if node.input_shape is None:
        shape = of_any_dims(calls)
        return shape._replace(lengths=tuple(Lengths(0, cap) for _ in shape.lengths))
    names = tuple(dim if isinstance(dim, str) else "" for dim in node.input_shape)
    return Shape(tuple(_lengths(dim, cap) for dim in node.input_shape), names)


def _lengths(dim: Dim, cap: int) -> Lengths:
    if isinstance(dim, int):
        return Lengths(dim, dim)
    if isinstance(dim, tuple):
        return Lengths(dim[0], cap if dim[1] is None else dim[1])
    return Lengths(0, cap)


def outcome(calls: Sequence[Call] | str, where: Shape) -> Program | str:
    """What calls do, or the words of the error that they are for every shape; raises ImportError without islpy."""
    program = _program(calls, where)
    if isinstance(program, str):
        return program
    for axis in (*program.kept, *program.dropped):
        lengths = lengths_of(axis, where.lengths)
        if valid_lengths(axis.chain, lengths) is None:
            name = "a new axis" if axis.origin is None else f"axis {axis.origin}"
            if axis.chain[-1].rule == "unit" and valid_lengths(axis.chain[:-1], lengths) is not None:
                return f"{name}: it is dropped, and its length is not 1"
            reason = taken(axis.chain, lengths.least) if lengths.known else None
            if not isinstance(reason, SliceError):
                return uncapped(f"{name}: no dim in {lengths} allows it")
            return f"{name}: {re.sub(r'^axis 0( .entry 0.)?: ', '', plain(reason))}"
    return program


def _program(calls: Sequence[Call] | str, where: Shape) -> Program | str:
    if isinstance(calls, str):
        return calls
    try:
        return program_of(calls, len(where.lengths))
    except SliceError as error:
        return plain(error)


def _unproved(programs: Sequence[Program | str], where: Shape) -> Verdict:
    """The verdict without islpy: programs that are written alike are equal, and of others nothing is known."""
    first, *others = programs
    if isinstance(first, str):
        return Verdict(ERROR, first)
    try:
        alike = all(not isinstance(other, str) and inequality(first, other, where.lengths) is None for other in others)
    except ImportError:
        alike = False
    return Verdict(EQUAL) if alike else Verdict(UNKNOWN, UNPROVED)


def _compared(outcomes: Mapping[str, Program | str], where: Shape) -> Verdict:
    (own, first), *others = outcomes.items()
    if isinstance(first, str):
        return Verdict(ERROR, first)
    for name, other in others:
        if isinstance(other, str):
            return Verdict(DIFFERS, f"{name} gives an error: {other}", (own, name), some_shape(where, first))
        unequal = inequality(first, other, where.lengths)
        if unequal is None:
            continue
        smallest = list(some_shape(where, first, other))
        if unequal.where is None or unequal.axis is None:
            return Verdict(DIFFERS, f"{name} from {own}: its result has other axes", (own, name), tuple(smallest))
        smallest[unequal.axis] = unequal.where.smallest
        pair = unequal.where.precondition
        text = f"{name} from {own} on shape {tuple(smallest)}"
        precondition = None
        if pair is not None:
            text += f"; equal if, on axis {unequal.axis}, {uncapped(unequal.where.text)}"
            precondition = {unequal.axis: (pair[0], None if pair[1] == INT32_MAX else pair[1])}
        return Verdict(DIFFERS, text, (own, name), tuple(smallest), precondition)
    return Verdict(EQUAL)


def some_shape(where: Shape, *programs: Program) -> tuple[int, ...]:
    """A small shape on which no program is an error or leaves nothing, as far as there is one."""
    return tuple(_small_length(axis, lengths, programs) for axis, lengths in enumerate(where.lengths))


def _small_length(axis: int, lengths: Lengths, programs: Sequence[Program]) -> int:
    chains = [program.of(axis).chain for program in programs]
    try:
        return small_length(chains, lengths)
    except ImportError:  # no islpy
        return min(max(lengths.least, 1), lengths.most)


def result_shape(program: Program, where: Shape) -> tuple[Dim, ...]:
    """The lengths of the result, with names of axes that stay whole; behind them `OTHERS`, if any axes may follow."""
    found: list[Dim] = []
    for axis in program.kept:
        try:
            found.append(_result_dim(axis, where))
        except ImportError:
            found.append(None)
    return (*found, *([] if where.known_rank else [OTHERS]))


def _result_dim(axis: Axis, where: Shape) -> Dim:
    lengths = lengths_of(axis, where.lengths)
    name = where.names[axis.origin] if axis.origin is not None else ""
    if name and is_equal(axis.chain, (), lengths):
        return name
    valid = valid_lengths(axis.chain, lengths) if axis.chain else lengths
    assert valid is not None
    least, most = result_lengths(axis.chain, valid) if axis.chain else valid
    if least == most:
        return least
    if most < UNBOUNDED or lengths.most < UNBOUNDED:
        return least, most
    return (least, None) if least else None
