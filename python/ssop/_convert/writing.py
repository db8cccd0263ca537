"""Steps of one axis for a target: candidates, of which the first that is proved equal is taken."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from math import prod
from typing import NamedTuple

from ssop._convert.proofs import Lengths, result_lengths, valid_lengths
from ssop._convert.rules import INT32_MAX, INT64_MAX, INT64_MIN, RULES, Chain, Step, counted, taken
from ssop._convert.search import Refusal, far_length, first_equal
from ssop._core import SliceError


class Abilities(NamedTuple):
    """What a target can say of one axis."""

    rules: tuple[str, ...]
    """All engines of the target: the steps must be equal by each of these rules."""
    reverse: bool = True
    """Negative strides; without them, an axis is reversed by a call of its own, the step ("tf", None, None, -1)."""
    drops: bool = True
    """A dropped element; without it, a slice of one element and then the step "unit"."""
    squeezes: bool = False
    """A call of its own that drops an axis of length 1, and is an error on others, beside dropped elements."""
    open_bounds: bool = True
    """Masks; without them, bounds far outside the axis."""
    int32: bool = False
    """Dims and bounds are of int32; otherwise they are of int64."""
    windows: bool = False
    """Windows that are moved into the axis, whole."""
    exact: str | None = None
    """The rule of a slice that is an error where it leaves the axis: "xla" of tf.slice, "in_dim" of torch.narrow."""
    elements: bool = False
    """A slice of one element that is an error outside the axis, by calls that drop the axis and make it again.

    OpenVINO has these calls, but its CPU plugin reads what is no element there, and raises no error.
    """
    named_strides: bool = True
    """Strides may be known at run time only."""
    cuts_inputs: bool = False
    """Run-time values are cut to 32 bits before anything is computed with them: those of int32 alone are read."""

    @property
    def most(self) -> int:
        """The greatest dim and the greatest bound."""
        return INT32_MAX if self.int32 else INT64_MAX

    @property
    def most_at_run_time(self) -> int:
        """The same of calls that have run-time values."""
        return INT32_MAX if self.int32 or self.cuts_inputs else INT64_MAX


REVERSED = Step("tf", None, None, -1)
UNIT = Step("unit", 0, 1)


def write_chain(chain: Chain, abilities: Abilities, lengths: Lengths) -> Chain | Refusal:
    """The steps of a target that are equal to a chain for every length."""
    if not chain:
        return ()
    written = _candidates(chain, abilities, lengths)
    if abilities.int32:
        written = (tuple(map(_in_int32, candidate)) for candidate in written)

    def read(candidate: Chain) -> list[Chain]:
        return [as_read(candidate, rule) for rule in abilities.rules]

    return first_equal(chain, written, read, lengths)


def _in_int32(step: Step) -> Step:
    """The step with the nearest numbers of int32; whether it is equal is proved afterwards."""
    begin, end, stride = (x if x is None else max(-INT32_MAX - 1, min(INT32_MAX, x)) for x in step[1:4])
    assert stride is not None
    return step._replace(begin=begin, end=end, stride=stride)


def as_read(candidate: Chain, rule: str) -> Chain:
    """The steps of a target as its engine reads them that a rule describes."""
    own = (step in (REVERSED, UNIT) or has_own_rule(step) for step in candidate)
    return tuple(step if kept else step._replace(rule=rule) for step, kept in zip(candidate, own, strict=True))


def has_own_rule(step: Step) -> bool:
    """Whether a function of its own says a step: of a window, or of a slice that is an error outside the axis."""
    return RULES[step.rule].window or not RULES[step.rule].clamps


def _candidates(chain: Chain, abilities: Abilities, lengths: Lengths) -> Iterator[Chain]:
    *before, last = chain
    drops = any(step.drops or RULES[step.rule].whole for step in chain)
    if not drops and prod(step.stride for step in chain) == 1:
        yield ()  # nothing is to be done
    if not before:
        yield from islice(_of_step(last, abilities, lengths), 1)  # the same numbers are the easiest to compare
    if lengths.known:
        yield from of_region(chain, abilities, lengths.least)
    if not before:
        yield from islice(_of_step(last, abilities, lengths), 1, None)
        return
    if not drops:
        yield from _folded(chain, abilities, lengths)
    elif not any(step.drops or RULES[step.rule].whole for step in before):
        for begin in _firsts(chain, lengths):
            yield from _of_element(Step(abilities.rules[0], begin, None, 1, True), abilities, lengths)
    # Several steps are written one after the other: the lengths before the last one are those that the others give.
    prefix = write_chain(tuple(before), abilities, lengths)
    valid = valid_lengths(tuple(before), lengths)
    if valid is not None:
        between = result_lengths(tuple(before), valid)
        suffix = write_chain((last,), abilities, between)
        yield (
            *(prefix.chain if isinstance(prefix, Refusal) else prefix),
            *(suffix.chain if isinstance(suffix, Refusal) else suffix),
        )


def _folded(chain: Chain, abilities: Abilities, lengths: Lengths) -> Iterator[Chain]:
    """One step for several: with the product of their strides, and bounds that a long and a short axis suggest."""
    stride = prod(step.stride for step in chain)
    begins: dict[int | None, None] = {None: None}
    ends: dict[int | None, None] = {None: None}
    for dim, start, count in _probes(chain, lengths):
        last = start + (count - 1) * stride
        begins |= dict.fromkeys((start, start - dim))
        stops = [stop for stop in (last + stride, last + (1 if stride > 0 else -1)) if 0 <= stop < dim]
        ends |= dict.fromkeys([*stops, *(stop - dim for stop in stops)])
    for begin, end in product(begins, ends):
        step = Step(abilities.rules[0], begin, end, stride)
        yield (
            (range_of(begin, end, stride, abilities),)
            if stride > 0 or abilities.reverse
            else _forward_then_reversed(step, abilities)
        )


def _probes(chain: Chain, lengths: Lengths) -> Iterator[tuple[int, int, int]]:
    """Dim, start and count of what a chain takes of a long axis and of the shortest, if it takes something."""
    for dim in dict.fromkeys((min(far_length(chain), lengths.most), lengths.least)):
        result = taken(chain, dim)
        if not isinstance(result, SliceError) and result[1] > 0:
            yield dim, *result[:2]


def _firsts(chain: Chain, lengths: Lengths) -> list[int]:
    """The first element that a chain takes, from either end of the axis."""
    return [begin for dim, start, _ in _probes(chain, lengths) for begin in (start, start - dim)]


def _of_step(step: Step, abilities: Abilities, lengths: Lengths) -> Iterator[Chain]:
    rule = abilities.rules[0]
    if RULES[step.rule].whole:
        yield (UNIT,) if not abilities.drops else (Step(rule, 0, None, 1, True),)
        if abilities.squeezes:
            yield (UNIT,)
        elif abilities.drops:  # x[-1:1] is empty unless there is one element
            yield range_of(-1, 1, 1, abilities), Step(rule, 0, None, 1, True)
    elif step.drops:
        yield from _of_element(step, abilities, lengths)
    else:
        if RULES[step.rule].counts:
            yield from _of_counted(step, abilities)
        for begin, end in _bounds(step, lengths):
            if step.stride > 0 or abilities.reverse:
                yield (range_of(begin, end, step.stride, abilities),)
                if (begin, end) == (step.begin, step.end) and not RULES[step.rule].window:
                    yield from _exact(step, abilities)
        if step.stride < 0:
            for begin, end in _bounds(step, lengths):
                yield _forward_then_reversed(step._replace(begin=begin, end=end), abilities)
        elif step.begin is not None and step.end is not None and 0 <= step.begin < step.end:
            # An engine reads the ends of int32 and of int64 as open; the end behind a first slice is another number.
            yield range_of(step.begin, None, 1, abilities), range_of(0, step.end - step.begin, step.stride, abilities)
        elif step.end in (INT32_MAX, INT64_MAX):
            yield _counted_from_the_end(step, abilities)
        if RULES[step.rule].window and step.begin is not None and step.end is not None:
            if abilities.windows:
                first = max(step.begin, 0)  # a negative constant is an error in jax.lax
                yield (step._replace(begin=first, end=step.end - step.begin + first),)
            yield _last_of_the_first(step.begin, step.end, abilities)
            yield from _exact_window(step.begin, step.end, abilities)
        if abilities.elements:
            yield from _kept_element(step, abilities, lengths)
        yield (range_of(0, 0, 1, abilities),)  # some slices are empty on every axis
        if not abilities.reverse:
            yield from _strided_then_cut(step, abilities, lengths)


def _of_counted(step: Step, abilities: Abilities) -> Iterator[Chain]:
    """For a step whose end counts from its begin, the elements behind it, of which enough must be there."""
    count, size, begin = counted(step), abs(step.stride), step.begin
    if count == 0:
        yield (range_of(0, 0, 1, abilities),)
        return
    length, exact, strided = size * (count - 1) + 1, abilities.exact, _forwards(size, abilities)
    open_end, first = RULES[step.rule].open_end, begin or 0
    if step.stride > 0:
        if exact is not None and first >= 0:
            yield Step(exact, first, first + length), *strided
        end = None if open_end or (first < 0 and first + length >= 0) else first + length
        if exact is None:
            yield (range_of(begin, end, size, abilities),)
        behind: Chain = (range_of(begin, None, 1, abilities),) if first else ()
    elif abilities.reverse:
        behind = (range_of(begin, None, -1, abilities),)
    else:
        behind = _forward_then_reversed(Step(abilities.rules[0], begin, None, -1), abilities)
    # An end before the axis has its length added: there must be as many elements that it is not.
    needed = length if step.stride > 0 or open_end else 1 - (step.end or 0)
    enough = (Step(exact, 0, needed),) if exact is not None else ()
    cut = strided if needed == length and enough else (range_of(0, length, size, abilities),)
    yield *behind, *enough, *cut
    if open_end:  # of more elements than `most`, those before `length` are fewer than that
        most = size * count
        within = Step(exact, 0, length) if exact is not None else range_of(0, length, 1, abilities)
        yield *behind, range_of(-most, length, 1, abilities), within, *strided
        if step.stride > 0 and first < -most:  # then the axis is shorter than the begin counts back
            yield range_of(-most, length, 1, abilities), within, *strided
    yield (range_of(begin, None, step.stride, abilities),) if step.stride > 0 or abilities.reverse else ()


def _exact(step: Step, abilities: Abilities) -> Iterator[Chain]:
    """For a step that may be an error, slices by the target's function that has such errors.

    tf.slice has a begin that is not negative, and a size or the rest; torch.narrow a begin from either end, and a size.
    """
    begin, end = step.begin or 0, step.end
    if not has_own_rule(step) or abilities.exact is None:
        return
    if begin < 0 and end == 0:  # empty, and an error unless the axis has as many elements: of others, fewer are taken
        yield range_of(begin, -begin, 1, abilities), Step(abilities.exact, -begin, -begin)
    elif abilities.exact == "in_dim":
        if begin < 0 if end is None else (begin < 0) == (end < 0) and begin <= end:
            yield Step("in_dim", begin, end), *_forwards(step.stride, abilities)
    elif begin >= 0 and (end is None or end >= begin):
        yield Step("xla", begin, end), *_forwards(step.stride, abilities)
    elif begin < 0 and (end is None or end < 0):
        size = (end or 0) - begin
        last = (range_of(begin, end, 1, abilities), Step("xla", 0, size))  # on shorter axes, fewer elements
        empty = (range_of(begin, None, 1, abilities), Step("xla", -begin, -begin))
        yield *(last if size else empty), *_forwards(step.stride, abilities)
    elif end is not None and end < 0:
        first = (Step("xla", begin),) if begin else ()
        yield *first, *_backwards(1, abilities), Step("xla", -end), *_backwards(step.stride, abilities)


def element_of(index: int) -> Step:
    """One element with its axis, which is an error outside the axis."""
    return Step("in_dim", index, None if index == -1 else index + 1)


def _kept_element(step: Step, abilities: Abilities, lengths: Lengths) -> Iterator[Chain]:
    """For a step that is an error or takes one element: this one, or the same one of a slice that must have it."""
    begin, end, rule = step.begin or 0, step.end, RULES[step.rule]
    if rule.counts:
        yield from _counted_element(step, abilities)
        return
    probes = list(_probes((step,), lengths))
    if not any(count == 1 for _, _, count in probes):
        return
    for dim, start, _ in probes:
        for index in (start, start - dim):
            yield (element_of(index),)
    if rule.window and begin > 0 and end is not None:
        yield range_of(0, end, 1, abilities), element_of(-1)
    elif has_own_rule(step) and end is not None and 0 <= begin < end:  # up to an end that must be there
        yield range_of(end - 1, begin - 1 if begin else None, -1, abilities), element_of(end - 1 - begin)


def _counted_element(step: Step, abilities: Abilities) -> Iterator[Chain]:
    """The one element of a step whose end counts from its begin."""
    if counted(step) != 1:
        return
    direction, size = (1 if step.stride > 0 else -1), abs(step.stride)
    behind = range_of(step.begin, None, direction, abilities)
    if RULES[step.rule].open_end:  # as for `_of_counted`: of more than `size` elements, none is before 1
        within = range_of(-size, 1, 1, abilities), element_of(0)
        yield behind, *within
        yield within
    elif direction > 0:
        yield behind, element_of(0)
    else:
        yield behind, range_of(-(step.end or 0), None, -1, abilities), element_of(-(step.end or 0))


def _exact_window(begin: int, end: int, abilities: Abilities) -> Iterator[Chain]:
    """The last elements of those before the end of a window, which is an error on shorter axes."""
    size = end - begin
    if abilities.exact is None:
        return
    if begin <= 0 or size == 0:
        yield (Step(abilities.exact, 0, size),)
    elif abilities.exact == "in_dim":
        yield range_of(0, end, 1, abilities), Step("in_dim", -size)
    else:
        yield range_of(0, end, 1, abilities), range_of(-size, None, 1, abilities), Step("xla", 0, size)


def _strided_then_cut(step: Step, abilities: Abilities, lengths: Lengths) -> Iterator[Chain]:
    """Every so many elements of the whole axis, of which some are left out; or the one element that is ever taken."""
    rule, size = abilities.rules[0], abs(step.stride)
    backwards = (REVERSED,) if step.stride < 0 else ()
    for dim, start, count in _probes((step,), lengths):
        offset = dim - 1 - start if step.stride < 0 else start
        skipped, first = divmod(offset, size)
        behind = -(-(dim - first) // size) - skipped - count
        cuts = [(0, behind)]
        if step.end is not None and (step.end >= 0) == (step.stride < 0):
            left, rest = divmod(abs(step.end) + (step.stride < 0), size)  # elements behind the end
            cuts.append((rest, left))
        for end, behind in cuts:
            whole = (Step(rule, first or None, -end or None, size),) if (first, end, size) != (0, 0, 1) else ()
            cut = (Step(rule, skipped or None, -behind or None),) if skipped or behind else ()
            yield (*backwards, *whole, *cut)
        last = start + (count - 1) * step.stride
        if step.stride < 0 and count > 1:
            yield Step(rule, last, start + 1, size), REVERSED
            yield Step(rule, last - dim, start + 1 - dim or None, size), REVERSED
        if count == 1:
            yield (Step(rule, start, start + 1),)
            yield (Step(rule, start - dim, start + 1 - dim or None),)
            if abilities.windows:
                yield (Step("window", start, start + 1),)
                yield REVERSED, Step("window", dim - 1 - start, dim - start)


def _of_element(step: Step, abilities: Abilities, lengths: Lengths) -> Iterator[Chain]:
    """One element: by a dropping step, or a slice of it and then a step that drops the axis of length 1."""
    assert step.begin is not None
    rule = abilities.rules[0]
    ends = dict.fromkeys((step.begin, *_probed(step, lengths)))
    if abilities.drops:
        for begin in ends:
            yield (Step(rule, begin, None, 1, True),)
    first = Step(rule, 0, None, 1, True) if abilities.drops else UNIT
    for begin in ends:
        yield range_of(begin, None if begin == -1 else begin + 1, 1, abilities), first
    if abilities.windows and step.begin < 0:  # before the axis, the last element of the reversed axis
        yield REVERSED, Step("window", -1 - step.begin, -step.begin), first
    if abilities.drops:
        for begin in ends:
            yield range_of(begin, None, 1, abilities), first
    else:
        for begin in ends:
            yield range_of(begin, None, 1, abilities), range_of(0, 1, 1, abilities), first


def _probed(step: Step, lengths: Lengths) -> Iterator[int]:
    """Begins that take the same element of the shortest axis: from its start and from its end."""
    valid = valid_lengths((step,), lengths)
    if valid is not None:
        result = taken((step,), valid.least)
        if not isinstance(result, SliceError):
            yield from (result[0], result[0] - valid.least)


def _bounds(step: Step, lengths: Lengths) -> Iterator[tuple[int | None, int | None]]:
    """Bounds that may say the same: the given ones, and those of the shortest and of a long axis, from either end."""
    begins: dict[int | None, None] = {step.begin: None}
    ends: dict[int | None, None] = {step.end: None}
    if step.stride < 0 and step.end is not None and step.end >= 2**31 - 1:
        ends[min(step.end, INT64_MAX) - 1] = None  # an engine reads the ends of int32 and of int64 as open
    far = max((abs(bound) for bound in (step.begin, step.end) if bound is not None), default=0) + 2
    for dim in dict.fromkeys((lengths.least, lengths.least + 1, far, lengths.most)):
        if not lengths.least <= dim <= lengths.most:
            continue
        result = taken((step,), dim)
        if isinstance(result, SliceError):
            continue
        start, count, stride = result
        begins |= dict.fromkeys((start, start - dim, None))
        stop = start + count * (step.stride if count else 0)
        ends |= dict.fromkeys((stop, stop - dim) if 0 <= stop <= dim else (None,))
        ends[None] = None
    yield step.begin, step.end
    for begin, end in product(begins, ends):
        if (begin, end) != (step.begin, step.end):
            yield begin, end


def range_of(begin: int | None, end: int | None, stride: int, abilities: Abilities) -> Step:
    """A slice in the words of a target."""
    if not abilities.open_bounds:
        first, last = (0, INT64_MAX) if stride > 0 else (INT64_MAX, INT64_MIN)
        begin, end = first if begin is None else begin, last if end is None else end
    return Step(abilities.rules[0], begin, end, stride)


def _forward_then_reversed(step: Step, abilities: Abilities) -> Chain:
    """x[b:e:-s] is x[e + 1 : b + 1][::-s], for every length: both bounds are clamped to the axis one element later."""

    def next_to(bound: int | None) -> int | None:
        return None if bound in (None, -1, INT64_MAX) else bound + 1

    # An end of -1 is the last element: nothing is left behind it.
    begin = INT64_MAX if step.end in (-1, INT64_MAX) else next_to(step.end)
    chain = (range_of(begin, next_to(step.begin), 1, abilities),) if (begin, step.begin) != (None, None) else ()
    return chain + _backwards(-step.stride, abilities)


def _counted_from_the_end(step: Step, abilities: Abilities) -> Chain:
    """x[:e] is x[::-1][-e:][::-1], for every length: an end that an engine reads as open becomes a begin."""
    assert step.end is not None
    backwards = _backwards(1, abilities)
    end = -step.begin if step.begin else None
    strided = (range_of(None, None, step.stride, abilities),) if step.stride > 1 else ()
    return (*backwards, range_of(-step.end, end, 1, abilities), *backwards, *strided)


def _last_of_the_first(begin: int, end: int, abilities: Abilities) -> Chain:
    """A window that is moved into the axis: the last elements of those before its end, as many as it has."""
    size = end - begin
    if begin <= 0 or size == 0:
        return (range_of(0, size, 1, abilities),)
    return range_of(0, end, 1, abilities), range_of(-size, None, 1, abilities)


def _backwards(stride: int, abilities: Abilities) -> Chain:
    if abilities.reverse:
        return (range_of(None, None, -stride, abilities),)
    return (REVERSED, *_forwards(stride, abilities))


def _forwards(stride: int, abilities: Abilities) -> Chain:
    return () if stride == 1 else (range_of(None, None, stride, abilities),)


def of_region(chain: Chain, abilities: Abilities, dim: int) -> Iterator[Chain]:
    """The steps that take what the chain takes of an axis of known length, by its start, count and step."""
    result = taken(chain, dim)
    if isinstance(result, SliceError):
        return
    start, count, stride = result
    rule = abilities.rules[0]
    if chain[-1].drops or RULES[chain[-1].rule].whole:
        if abilities.drops:
            yield (Step(rule, start, None, 1, True),)
        yield Step(rule, start, start + 1), (Step(rule, 0, None, 1, True) if abilities.drops else UNIT)
    elif (start, count, stride) == (0, dim, 1):
        yield ()
    elif stride > 0:
        yield (Step(rule, start, start + (count - 1) * stride + 1 if count else start, stride),)
    else:
        last = start + (count - 1) * stride
        if abilities.reverse:
            yield (range_of(start, last - 1 if last else None, stride, abilities),)
        if abilities.reverse or count > 1:
            yield Step(rule, last, start + 1, -stride), REVERSED
