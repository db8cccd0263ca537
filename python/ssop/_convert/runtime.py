"""Steps with run-time bounds for a target: candidates, of which the first that is proved equal is taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ssop._convert.program import difference_of
from ssop._convert.proofs import Difference, Lengths, result_lengths, valid_lengths
from ssop._convert.rules import INT64_MAX, Chain, Step
from ssop._convert.runtime_proofs import Assumed, Limits, RunTimeDifference
from ssop._convert.search import Refusal, first_or_nearest
from ssop._convert.strides import write_stride
from ssop._convert.values import Clamp, Value, has_stride_values, has_values
from ssop._convert.writing import UNIT, Abilities, as_read, has_own_rule, range_of, write_chain
from ssop._core import SliceValueError


def write_run_time(
    chain: Chain, abilities: Abilities, lengths: Lengths, assumed: Assumed, clamps: bool
) -> Chain | Difference | RunTimeDifference:
    """The steps of a target that are equal to a chain for every length and all values, or where the nearest differ.

    With `clamps`, values may be clamped.
    """
    candidates: Iterator[Chain] | Difference | RunTimeDifference
    if has_stride_values(chain):
        candidates = write_stride(chain, abilities, lengths, assumed)
        if isinstance(candidates, (Difference, RunTimeDifference)):
            return candidates
    else:
        candidates = _of_chain(chain, abilities, lengths, assumed, clamps)
    return first_or_nearest(
        candidates, lambda candidate: _first_difference(chain, candidate, abilities, lengths, assumed)
    )


def _first_difference(
    chain: Chain, candidate: Chain, abilities: Abilities, lengths: Lengths, assumed: Assumed
) -> Difference | RunTimeDifference | None:
    limits = Limits(abilities.most_at_run_time, abilities.cuts_inputs)
    for rule in abilities.rules:
        where = difference_of(chain, as_read(candidate, rule), lengths, assumed, limits)
        if where is not None:
            return where
    return None


def _of_chain(chain: Chain, abilities: Abilities, lengths: Lengths, assumed: Assumed, clamps: bool) -> Iterator[Chain]:
    """One step after the other: the lengths before each are those that the steps before it give."""
    *before, last = chain
    if not before:
        yield from candidates_of(last, abilities, lengths, clamps)
        return
    first = _written(tuple(before), abilities, lengths, assumed, clamps)
    valid = valid_lengths(tuple(before), lengths)
    if first is None or valid is None:
        return
    between = result_lengths(tuple(before), valid)
    if has_values((last,)):
        for second in candidates_of(last, abilities, between, clamps):
            yield (*first, *second)
    else:
        yield (*first, *(_written((last,), abilities, between, (), clamps) or ()))


def _written(chain: Chain, abilities: Abilities, lengths: Lengths, assumed: Assumed, clamps: bool) -> Chain | None:
    if not has_values(chain):
        static = write_chain(chain, abilities, lengths)
        return static.chain if isinstance(static, Refusal) else static
    found = write_run_time(chain, abilities, lengths, assumed, clamps)
    if not isinstance(found, (Difference, RunTimeDifference)):
        return found
    return next(_of_chain(chain, abilities, lengths, assumed, clamps), None)


def candidates_of(step: Step, abilities: Abilities, lengths: Lengths, clamps: bool) -> Iterator[Chain]:
    """Steps of the target that may be equal to a step on these lengths."""
    rule, (_, begin, end, stride, drops) = abilities.rules[0], step
    if drops:
        yield from _of_element(step, abilities)
        return
    size = size_of(step)
    if abilities.windows and size is not None and stride == 1:
        first = max(begin, 0) if isinstance(begin, int) else begin  # a negative constant is an error in jax.lax
        assert first is not None
        yield (Step("window", first, first + size),)
    if abilities.windows:
        return  # other slices have constant bounds there
    if stride > 0 or abilities.reverse:
        yield (range_of(begin, end, stride, abilities),)
    if has_own_rule(step) and stride == 1:
        yield from _exact(begin, end, size, abilities)
    if size is None or stride != 1:
        return
    yield range_of(begin, None, 1, abilities), range_of(0, size, 1, abilities)
    if clamps:
        room = Clamp(None, lengths.least - size) if lengths.known else Clamp(0, size)
        base = begin.base if isinstance(begin, Value) else begin
        assert begin is not None and base is not None
        start: Any = Value(base, 0, room)
        if isinstance(begin, Value) and (begin.offset or begin.clamp):
            return  # a sum is not clamped: it may leave int64
        yield (Step(rule, start, start + size),)
        if has_own_rule(step):
            yield from _exact(start, start + size, size, abilities)
        yield range_of(start, None, 1, abilities), range_of(0, size, 1, abilities)


def _exact(begin: Any, end: Any, size: int | None, abilities: Abilities) -> Iterator[Chain]:
    """A slice that is an error where it leaves the axis, by the target's function that has such errors."""
    if abilities.exact == "xla" and (size is not None or end is None):
        yield (Step("xla", begin, end),)
    elif abilities.exact == "in_dim" and size is not None:
        yield (Step("narrow", begin, end),)


def size_of(step: Step) -> int | None:
    """The number of elements from begin to end, if it is known."""
    if step.begin is None or step.end is None:
        return None
    try:
        size = step.end - step.begin
    except (SliceValueError, TypeError):  # of two values
        return None
    return size if isinstance(size, int) and 0 <= size <= INT64_MAX else None


def _of_element(step: Step, abilities: Abilities) -> Iterator[Chain]:
    rule, begin = abilities.rules[0], step.begin
    assert begin is not None
    first = Step(rule, 0, None, 1, True) if abilities.drops else UNIT
    if abilities.windows:
        yield Step("window", begin, begin + 1), first
        return
    if abilities.drops:
        yield (Step(rule, begin, None, 1, True),)
    if abilities.exact == "xla":
        yield Step("xla", begin, begin + 1), first
    yield (range_of(begin, begin + 1, 1, abilities), first)
    yield range_of(begin, None, 1, abilities), range_of(0, 1, 1, abilities), first
