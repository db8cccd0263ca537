"""Whether two chains of steps take the same of an axis, for every length in an interval. The only file with islpy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from ssop._convert.errors import OP, optional_module
from ssop._convert.rules import INT64_MAX, Chain, Step, bounds, functions, relations, taken
from ssop._convert.values import at_stride, has_stride_values, has_values
from ssop._core import SliceError
from ssop._errors import value_error

Isl: TypeAlias = Any
"""A set or a map of islpy."""

WHOLE = "{ [N] -> [M] : M = N >= 0 }", "{ [M, o] -> [N, i] : M = N and o = i and 0 <= i < N }"
"""The relations of no step at all."""

MAX_STEPS = 256
"""Steps on an axis of which something is proved: the time grows with the square of their number."""

MAX_OPERATIONS = 1_000_000
"""Isl stops behind so many for the texts of an axis: about a second. Those of conversions need fewer than 10,000."""


class Lengths(NamedTuple):
    """The lengths that an axis may have: from `least` to `most`."""

    least: int = 0
    most: int = INT64_MAX

    @property
    def known(self) -> bool:
        return self.least == self.most

    def __str__(self) -> str:
        if self.known:
            return str(self.least)
        return f"{self.least}.." if self.most == INT64_MAX else f"{self.least}..{self.most}"


class Difference(NamedTuple):
    """Where two chains differ: the smallest length, and the lengths on which they are equal, in words and intervals."""

    smallest: int
    equal: tuple[Lengths, ...] | None
    """None: these lengths are no union of a few intervals."""
    text: str

    def __str__(self) -> str:
        return self.text

    @property
    def precondition(self) -> tuple[int, int | None] | None:
        """The longest interval of lengths on which they are equal; its second element is None if it has no end."""
        longest = max(self.equal or (), key=lambda lengths: lengths.most - lengths.least, default=None)
        if longest is None:
            return None
        return longest.least, None if longest.most == INT64_MAX else longest.most


@lru_cache(maxsize=16384)
def difference(one: Chain, two: Chain, lengths: Lengths, counts: bool = False) -> Difference | None:
    """None if both take the same elements in the same order, or are both errors, on every length.

    With `counts`, only their number is compared.
    """
    if one == two or [_terms(step) for step in one] == [_terms(step) for step in two]:
        return None
    if lengths.known:
        results = [_key(taken(chain, lengths.least)) for chain in (one, two)]
        if counts:
            results = [result and (0, result[1], 1) for result in results]
        return None if results[0] == results[1] else Difference(lengths.least, (), "never")
    differ = differing(one, two, counts).intersect(interval(lengths))
    if differ.is_empty():
        return None
    equal = interval(lengths).subtract(differ)
    return Difference(least(differ), *described(equal))


def _terms(step: Step) -> tuple[Any, ...]:
    """What a step's relations are written with."""
    return *bounds(step), step.stride


def _key(result: tuple[int, int, int] | SliceError) -> tuple[int, int, int] | None:
    """What is compared: errors are alike, whatever they say."""
    return None if isinstance(result, SliceError) else result


@lru_cache(maxsize=16384)
def valid_lengths(chain: Chain, lengths: Lengths) -> Lengths | None:
    """The smallest interval around the lengths that are no error; None if all are errors."""
    if has_stride_values(chain):
        chain = at_stride(chain, 1)
    if lengths.known and not has_values(chain):
        return None if isinstance(taken(chain, lengths.least), SliceError) else lengths
    if not has_values(chain) and all(bounds(step)[2] == "true" for step in chain):
        return lengths
    valid = _without_values(functions_of(chain).count.domain()).intersect(interval(lengths))
    return None if valid.is_empty() else Lengths(least(valid), min(_most(valid), lengths.most))


@lru_cache(maxsize=16384)
def result_lengths(chain: Chain, lengths: Lengths) -> Lengths:
    """The smallest interval around the lengths that the result may have; some length must be no error."""
    if has_stride_values(chain):
        return Lengths(0, lengths.most)
    if lengths.known and not has_values(chain):
        result = taken(chain, lengths.least)
        assert not isinstance(result, SliceError)
        return Lengths(result[1], result[1])
    results = _without_values(_as_map(functions_of(chain).count).intersect_domain(interval(lengths)).range())
    return Lengths(least(results), _most(results))


def small_length(chains: Sequence[Chain], lengths: Lengths) -> int:
    """The least length that is no error by any chain, and leaves elements by all of them, or by one, or is not 0."""
    if lengths.known:
        return lengths.least
    valid = every = interval(lengths)
    one = interval(lengths).subtract(interval(lengths))
    for chain in chains:
        count = functions_of(chain).count
        filled = count.ge_set(_constant(1))
        valid, every, one = valid.intersect(count.domain()), every.intersect(filled), one.union(filled)
    wanted = (every, valid.intersect(one), valid.intersect(interval(Lengths(1))), valid)
    found = next((lengths for lengths in wanted if not lengths.is_empty()), None)
    return min(max(lengths.least, 1), lengths.most) if found is None else least(found)


def _without_values(lengths: Isl) -> Isl:
    """The lengths that occur for some values."""
    params = load().dim_type.param
    return lengths.project_out(params, 0, lengths.dim(params))


def load() -> Any:
    """The module islpy, or an error that says what to install."""
    return optional_module("islpy", "a shape with dims that are not known")


@lru_cache(maxsize=1024)
def interval(lengths: Lengths) -> Isl:
    return load().Set(f"{{ [N] : {lengths.least} <= N <= {lengths.most} }}")


def texts(chain: Chain, lengths: Lengths) -> list[Any]:
    """What a chain does to an axis, as data: the relations of isl, or for a known length start, count and step."""
    if lengths.known:
        result = taken(chain, lengths.least)
        assert not isinstance(result, SliceError)
        return list(result)
    valid = interval(lengths)
    element = element_map(chain)
    return [str(length_map(chain).intersect_domain(valid)), str(element.intersect_range(elements_of(valid)))]


def equal_texts(one: Any, two: Any) -> bool:
    """Whether what `texts` gave of two chains is the same; ValueError for a text of somebody else that isl rejects.

    The operations of isl are bounded: a text of 1 KB may need hours, during which isl looks at no signal.
    """
    if not all(isinstance(text, str) for text in (*one, *two)):
        return bool(one == two)
    islpy = load()
    context = islpy.Context()
    context.set_max_operations(MAX_OPERATIONS)
    read = islpy.Map.read_from_str
    try:
        return all(bool(read(context, a).is_equal(read(context, b))) for a, b in zip(one, two, strict=True))
    except islpy._isl.Error as error:
        reason = f"is no relation of isl, or one that needs more than {MAX_OPERATIONS:,} operations"
        raise ValueError(f"a text {reason}: {error}") from None


def elements_of(lengths: Isl) -> Isl:
    """All pairs of a length and an index."""
    islpy = load()
    return islpy.Set("{ [N, i] }").intersect(lengths.add_dims(islpy.dim_type.set, 1))


# ---- relations: what certificates state ----------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _maps(step: Step) -> tuple[Isl, Isl]:
    islpy = load()
    length, element = relations(step)
    return islpy.Map(length), islpy.Map(element)


def _check_steps(chain: Chain) -> None:
    if len(chain) > MAX_STEPS:
        message = f"{len(chain)} steps on an axis whose length is not known, of which at most {MAX_STEPS} are proved"
        raise value_error(OP, "cv_c4", f"{message}: give a shape", value=len(chain), allowed=(0, MAX_STEPS))


def length_map(chain: Chain) -> Isl:
    _check_steps(chain)
    length = load().Map(WHOLE[0])
    for step in chain:
        length = length.apply_range(_maps(step)[0])
    return length


def element_map(chain: Chain) -> Isl:
    element = load().Map(WHOLE[1])
    for step in chain:
        element = _maps(step)[1].apply_range(element)
    return element


# ---- the same as functions: what proofs compare --------------------------------------------------------------------


class Taken(NamedTuple):
    """What steps take of an axis: functions of its length, which are defined where there is no error."""

    start: Isl
    count: Isl
    stride: int


@lru_cache(maxsize=4096)
def _parsed(kind: str, text: str) -> Isl:
    return getattr(load(), kind)(text)


@lru_cache(maxsize=4096)
def _of_step(step: Step) -> Taken:
    begin, end, valid, variables = functions(step)
    start, stop, lengths = _parsed("PwAff", begin), _parsed("PwAff", end), _parsed("Set", valid)
    if variables:
        place = _parsed("PwMultiAff", "{ [N] -> [N] }")
        for variable in variables:
            place = place.flat_range_product(_parsed("PwMultiAff", variable))
        start, stop = (bound.pullback_pw_multi_aff(place).coalesce() for bound in (start, stop))
        lengths = lengths.preimage_pw_multi_aff(place)
    span = stop.sub(start) if step.stride > 0 else start.sub(stop)
    if step.stride not in (1, -1):
        span = span.scale_down_val(_value(abs(step.stride))).ceil()
    span = span.coalesce().intersect_domain(lengths)
    some, none = span.pos_set().coalesce(), span.neg().nonneg_set().coalesce()  # max compares all pairs of pieces
    count = span.intersect_domain(some).union_add(_constant(0).intersect_domain(none))
    return Taken(start.intersect_domain(lengths).coalesce(), count.coalesce(), step.stride)


def _constant(number: int) -> Isl:
    return _parsed("PwAff", f"{{ [N] -> [{number}] }}")


def _value(number: int) -> Isl:
    """As text: islpy's own integers end at int64, and the stride of -2^63 is 2^63 here."""
    return load().Val(str(number))


@lru_cache(maxsize=16384)
def functions_of(chain: Chain) -> Taken:
    """What a chain takes of an axis."""
    _check_steps(chain)
    if not chain:
        return Taken(_parsed("PwAff", "{ [N] -> [0] : N >= 0 }"), _parsed("PwAff", "{ [N] -> [N] : N >= 0 }"), 1)
    last = _of_step(chain[-1])
    if len(chain) == 1:
        return last
    start, count, stride = functions_of(chain[:-1])
    between = load().PwMultiAff.from_pw_aff(count)
    begin = last.start.pullback_pw_multi_aff(between).scale_val(_value(stride))
    return Taken(
        start.add(begin).coalesce(), last.count.pullback_pw_multi_aff(between).coalesce(), stride * last.stride
    )


def _as_map(function: Isl) -> Isl:
    return load().Map.from_pw_aff(function)


def _unequal(one: Isl, two: Isl) -> Isl:
    """The lengths with different values; ne_set compares each pair of pieces three times."""
    return one.sub(two).non_zero_set()


def differing(one: Chain, two: Chain, counts: bool = False) -> Isl:
    """The lengths on which two chains differ.

    They are equal where both are errors, or both take as many elements; the same first one, if there is one; and with
    the same stride, if there are two. With `counts`, only the number of elements counts.
    """
    ours, theirs = functions_of(one), functions_of(two)
    valid = ours.count.domain(), theirs.count.domain()
    differ = valid[0].subtract(valid[1]).union(valid[1].subtract(valid[0])).union(_unequal(ours.count, theirs.count))
    if counts:
        return differ.coalesce()
    differ = differ.union(_unequal(ours.start, theirs.start).intersect(ours.count.ge_set(_constant(1))))
    if ours.stride != theirs.stride:
        differ = differ.union(ours.count.ge_set(_constant(2)).intersect(valid[1]))
    return differ.coalesce()


def least(lengths: Isl) -> int:
    return int(lengths.dim_min_val(0).to_python())


def _most(lengths: Isl) -> int:
    most = lengths.dim_max_val(0)
    return INT64_MAX if most.is_infty() else int(most.to_python())


MOST_INTERVALS = 3
"""A precondition of more is not shown as intervals."""


def described(equal: Isl) -> tuple[tuple[Lengths, ...] | None, str]:
    """A set of lengths as intervals, and in words."""
    found: list[Lengths] = []
    rest = equal
    while not rest.is_empty():
        if len(found) == MOST_INTERVALS:
            return None, str(equal)
        first = least(rest)
        gaps = interval(Lengths(first, INT64_MAX)).subtract(rest)
        most = INT64_MAX if gaps.is_empty() else least(gaps) - 1
        found.append(Lengths(first, most))
        rest = rest.subtract(interval(found[-1]))
    return tuple(found), " or ".join(map(_in_words, found)) or "never"


def _in_words(lengths: Lengths) -> str:
    if lengths.known:
        return f"the dim is {lengths.least}"
    if lengths.most == INT64_MAX:
        return f"the dim is at least {lengths.least}" if lengths.least else "always"
    if lengths.least == 0:
        return f"the dim is at most {lengths.most}"
    return f"the dim is in {lengths}"
