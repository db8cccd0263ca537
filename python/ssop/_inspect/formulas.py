"""The lengths of results as formulas of the names that the dims of the operand have (sh_s39)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ssop._convert.program import Axis, Program, lengths_of
from ssop._convert.proofs import difference
from ssop._convert.rules import INT32_MAX, INT64_MAX, RULES, Chain, counted
from ssop._convert.shape import Shape
from ssop._inspect.records import Dim
from ssop.shapes._formulas import length

MAX_FORMULA = 80
"""The characters of a formula; steps behind each other make it longer than the interval that it stands for is clear."""

Formulas = tuple[str | None, ...]


def formulas_of(
    programs: Mapping[str, Program | str], shapes: Mapping[str, tuple[Dim, ...] | str], where: Shape
) -> dict[str, Formulas]:
    """For each engine the formulas of the dims of its result, where they are neither numbers nor names.

    An axis on which an engine is proved to do what the first one does has the formula of the first.
    """
    found: dict[str, Formulas] = {}
    (first, *_) = programs.values()
    for name, program in programs.items():
        shape = shapes[name]
        if not isinstance(program, str) and not isinstance(shape, str) and not isinstance(first, str):
            axes = [_like(axis, first.kept, number, where) for number, axis in enumerate(program.kept)]
            found[name] = tuple(
                None if isinstance(dim, (int, str)) else _formula(axis, where)
                for dim, axis in zip(shape, axes, strict=False)  # behind them axes stay whole
            )
    return found


def _like(axis: Axis, others: Sequence[Axis], number: int, where: Shape) -> Axis:
    """The axis of the first engine at this place, if this one is equal."""
    other = others[number] if number < len(others) else axis
    if axis == other or axis.origin != other.origin:
        return axis
    try:
        return axis if difference(axis.chain, other.chain, lengths_of(axis, where.lengths)) is not None else other
    except ImportError:
        return axis


def _formula(axis: Axis, where: Shape) -> str | None:
    name = "" if axis.origin is None else where.names[axis.origin]
    return _after(name, axis.chain, lengths_of(axis, where.lengths).most) if name.isidentifier() else None


def _after(text: str, chain: Chain, most: int) -> str | None:
    """The length of what steps take of an axis of this length, one after the other."""
    for step in chain:
        rule = RULES[step.rule]
        if rule.whole or step.drops:
            return None
        if rule.counts:
            text = str(counted(step))
            continue
        if rule.window or rule.sized:
            if step.end is not None:
                text = str(step.end - (step.begin or 0))
            continue
        is_open = rule.max_end_is_open and step.end in (INT32_MAX, INT64_MAX)
        begin, end = (_far(bound, most) for bound in (step.begin, None if is_open else step.end))
        text = length(text, begin, end, step.stride, rule.reverse_clamps_begin_first)
        if len(text) > MAX_FORMULA:
            return None
    return text


def _far(bound: int | None, most: int) -> int | None:
    """The bound; one that lies outside every axis of at most this length is as far outside as can be."""
    if bound is None or -most <= bound < most:
        return bound
    return INT64_MAX if bound > 0 else -INT64_MAX
