"""Slices whose stride is known only at run time: equal for all strides if they are for 1 and -1 (cv_s3).

Begin and end of a slice, once they are moved into the axis, depend on the sign of its stride alone. With a stride of 1
or -1, start and length of the result give both back: slices that are equal then are so for every stride of this sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from ssop._convert.errors import conversion_error
from ssop._convert.proofs import Difference, Lengths
from ssop._convert.rules import INT64_MAX, Chain, Step
from ssop._convert.runtime_proofs import SAMPLED, Assumed, Bound, RunTimeDifference, Strides, strides_of, unknown
from ssop._convert.values import at_stride, has_stride_values
from ssop._convert.writing import Abilities, range_of

Where: TypeAlias = Difference | RunTimeDifference
Prove: TypeAlias = Callable[[Chain, Chain, Assumed], "Where | None"]


def stride_difference(one: Chain, two: Chain, assumed: Assumed, prove: Prove) -> Where | None:
    """None if two chains are equal for all strides, or where they differ; an error if neither is proved."""
    strides = strides_of(one if has_stride_values(one) else two, assumed)
    names = {step.stride for step in (*one, *two) if not isinstance(step.stride, int)}
    if len(names) > 1:
        raise unknown(f"{' and '.join(sorted(map(str, names)))} are two strides")
    same = len(one) == len(two) == 1 and one[0].stride == two[0].stride
    rest = tuple(pair for pair in assumed if pair[0] != strides.name)

    def difference_at(stride: int) -> Where | None:
        return prove(at_stride(one, stride), at_stride(two, stride), rest)

    found = {stride: difference_at(stride) for stride in strides.nearest()}
    for stride, where in found.items():
        if where is not None:
            equal = same and abs(stride) == 1 and found.get(-stride, where) is None
            return _with_stride(where, strides.name, stride, equal)
    if strides.least == strides.most:
        return None
    if not same:
        raise unknown(f"{strides.name} is the stride of one side alone")
    for stride in strides.nearest():
        if abs(stride) > 1 and difference_at(1 if stride > 0 else -1) is not None:
            raise unknown(f"the slices differ where {strides.name} is {1 if stride > 0 else -1}, which is not meant")
    return None


def _with_stride(where: Where, name: str, stride: int, equal: bool) -> RunTimeDifference:
    """Where slices differ with a stride; `equal` is whether they are equal with all strides of the other sign."""
    values = {**(where.values if isinstance(where, RunTimeDifference) else {}), name: stride}
    if equal:
        text = f"1 <= {name}" if stride < 0 else f"{name} <= -1"
        pair: tuple[Bound, Bound] = (1, None) if stride < 0 else (None, -1)
        return RunTimeDifference(where.smallest, values, text, None, ((name, pair),), SAMPLED)
    text = where.text if where.text == "never" else f"{where.text}, and {name} is {stride}"
    bounds = (*(where.bounds if isinstance(where, RunTimeDifference) else ()), (name, (stride, stride)))
    return RunTimeDifference(where.smallest, values, text, where.precondition, bounds, 1)


def write_stride(chain: Chain, abilities: Abilities, lengths: Lengths, assumed: Assumed) -> Iterator[Chain] | Where:
    """Candidates for a slice with a stride that has a name, or why a target has none."""
    strides = strides_of(chain, assumed)
    if not abilities.named_strides:
        message = f"stride unknown: the target has constant strides only, and {strides.name} is known at run time"
        raise conversion_error("cv_c7", message)
    least = max(strides.least, -abilities.most_at_run_time - 1 if abilities.reverse else 1)
    most = min(strides.most, abilities.most_at_run_time)
    if (least, most) == strides[1:]:
        return _candidates(chain[0], abilities, strides)
    outside = min(least - 1 or -1, strides.most) if least > strides.least else most + 1
    if least > most:
        return RunTimeDifference(lengths.least, {strides.name: outside}, "never", None, (), 0)
    pair: tuple[Bound, Bound] = least, None if most == INT64_MAX else most
    text = f"{least} <= {strides.name}" + ("" if most == INT64_MAX else f" <= {most}")
    return RunTimeDifference(lengths.least, {strides.name: outside}, text, None, ((strides.name, pair),), 0)


def _candidates(step: Step, abilities: Abilities, strides: Strides) -> Iterator[Chain]:
    for sign in strides.nearest():
        range_ = range_of(step.begin, step.end, sign, abilities)
        yield (range_._replace(stride=step.stride),)
