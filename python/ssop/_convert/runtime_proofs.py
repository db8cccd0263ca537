"""Whether two chains of steps take the same of an axis, for every length and all run-time values (cv_s3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, TypeAlias

from ssop._convert.errors import OP
from ssop._convert.proofs import (
    Isl,
    Lengths,
    differing,
    element_map,
    elements_of,
    functions_of,
    least,
    length_map,
    load,
)
from ssop._convert.rules import INT64_MAX, INT64_MIN, RULES, Chain, Step
from ssop._convert.values import Value, at_stride, has_stride_values, names_in, values_in
from ssop._core import SliceValueError, read_integers
from ssop._errors import value_error
from ssop._vectors import items

Bound: TypeAlias = int | str | None
"""A number, "dim", "dim - 4", or (None) an end of int64."""
Assumed: TypeAlias = tuple[tuple[str, tuple[Bound, Bound]], ...]
"""For names of values the least and the greatest that they may be; "dim" is that of each axis with this value."""


class Limits(NamedTuple):
    """The run-time values that a target reads: those in -most - 1..most."""

    most: int = INT64_MAX
    of_names: bool = False
    """Also what a sum or a clamp is computed from is one of these."""


NO_LIMITS = Limits()


class RunTimeDifference(NamedTuple):
    """Where two chains differ: a length and values, and the precondition under which they are equal."""

    smallest: int
    values: dict[str, int]
    text: str
    precondition: tuple[int, int | None] | None
    """The lengths of the longest case in `text`, None if it has all."""
    bounds: tuple[tuple[str, tuple[Bound, Bound]], ...]
    """The bounds of the values in the same case."""
    size: int
    """How many values the largest case in `text` has."""

    def assumption(self, axis: int | None) -> dict[Any, Any] | None:
        """The largest case for `assume`, or None if it has no such form."""
        found: dict[Any, Any] = dict(self.bounds)
        if self.precondition is not None and axis is not None:
            found[axis] = self.precondition
        return found or None


# ---- assumptions ---------------------------------------------------------------------------------------------------

OF_DIM = re.compile(r"-?dim(?: [+-] \d{1,18})?", re.ASCII)


def read_assumed(assume: Mapping[str, Any]) -> Assumed:
    """What is assumed of values: an integer, or a pair of bounds."""
    found = []
    for name, bounds in assume.items():
        pair = items(OP, "assume", bounds) if isinstance(bounds, (tuple, list)) else (bounds, bounds)
        if len(pair) != 2:
            message = f"assume has {bounds!r} for {name}, not a number or a pair (at least, at most)"
            raise value_error(OP, "cv_c10", message, value=bounds)
        low, high = _bound(pair[0]), _bound(pair[1])
        if isinstance(low, int) and isinstance(high, int) and low > high:
            message = f"assume has {bounds!r} for {name}, and no number is at least {low} and at most {high}"
            raise value_error(OP, "cv_c10", message, value=bounds)
        found.append((name, (low, high)))
    return tuple(found)


def _bound(bound: Any) -> Bound:
    if bound is None:
        return None
    if isinstance(bound, str):
        if OF_DIM.fullmatch(bound) is None:
            message = f"assume has the bound {bound!r}, which is not like 'dim', 'dim - 4' or 3"
            raise value_error(OP, "cv_c10", message, value=bound)
        return bound
    return read_integers(OP, "assume", [bound])[0]


def _domain(source: Chain, names: set[str], lengths: Lengths, assumed: Assumed) -> Isl:
    """The lengths and values that are meant: those of int64, for which also the sums of the source are of int64."""
    terms = {value.term for step in source for value in _written(step)}
    limits = [f"{INT64_MIN} <= {term} <= {INT64_MAX}" for term in sorted(terms | {f"v_{name}" for name in names})]
    for name, pair in assumed:
        if name in names:
            low, high = (bound.replace("dim", "N") if isinstance(bound, str) else bound for bound in pair)
            limits += [f"{low} <= v_{name}"] if low is not None else []
            limits += [f"v_{name} <= {high}"] if high is not None else []
    return _set(names, " and ".join([f"{lengths.least} <= N <= {lengths.most}", *limits]))


def _set(names: set[str], condition: str) -> Isl:
    return load().Set(f"[{', '.join(f'v_{name}' for name in sorted(names))}] -> {{ [N] : {condition} }}")


class Strides(NamedTuple):
    """The name of a stride, and the strides that are meant, of which 0 is an error everywhere."""

    name: str
    least: int = INT64_MIN
    most: int = INT64_MAX

    def nearest(self) -> Iterator[int]:
        """The stride of each sign that is nearest to 0."""
        if self.most > 0:
            yield max(self.least, 1)
        if self.least < 0:
            yield min(self.most, -1)


def strides_of(chain: Chain, assumed: Assumed) -> Strides:
    """The strides of a chain, which is a single slice."""
    strides: list[Any] = [step.stride for step in chain]
    name = next(stride.base for stride in strides if isinstance(stride, Value))
    if len(chain) > 1:
        raise unknown(f"{name} is that of one of several slices of an axis")
    found = Strides(str(name))
    for low, high in (pair for which, pair in assumed if which == name):
        if isinstance(low, str) or isinstance(high, str):
            raise unknown(f"{name} is bounded by a dim")
        ends = INT64_MIN if low is None else low or 1, INT64_MAX if high is None else high or -1
        found = Strides(found.name, *ends)  # a stride of 0 is an error of all
    return found


def unknown(why: str) -> SliceValueError:
    """An error that says why nothing is proved of a stride, to be raised by the caller."""
    return value_error(OP, "cv_c10", f"stride unknown: {why}, of which no proof is known")


# ---- proofs --------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def run_time_difference(
    one: Chain, two: Chain, lengths: Lengths, assumed: Assumed, limits: Limits
) -> RunTimeDifference | None:
    """None if both take the same elements in the same order, or are both errors, on every length, for all values.

    A value of the second chain outside the limits is a difference.
    """
    names = _names(one) | _names(two)
    domain = _domain(one, names, lengths, assumed)
    differ = _differing(one, two, domain, names, limits)
    if differ.is_empty():
        return None
    equal = domain.subtract(differ)
    return _described(differ, equal, domain, sorted(names))


def _differing(one: Chain, two: Chain, domain: Isl, names: set[str], limits: Limits) -> Isl:
    differ = differing(one, two).intersect(domain)
    terms = {value.term for step in two for value in _written(step)}
    if limits.of_names:
        terms |= {f"v_{name}" for name in _names(two)}
    for term in sorted(terms):
        differ = differ.union(domain.subtract(_set(names, f"{-limits.most - 1} <= {term} <= {limits.most}")))
    return differ


def _written(step: Step) -> list[Value]:
    """The values that a call has; where it has a size, its end is no number that is computed."""
    sized = RULES[step.rule].window or RULES[step.rule].sized or step.rule == "xla" or step.drops
    return list(values_in((step.begin,) if sized else (step.begin, step.end)))


def _names(chain: Chain) -> set[str]:
    return {name for step in chain for name in names_in((step.begin, step.end))}


def erroneous(chain: Chain, lengths: Lengths, assumed: Assumed) -> bool:
    """Whether a chain is an error for every length and all values."""
    if has_stride_values(chain):
        chain = at_stride(chain, 1)
    valid = functions_of(chain).count.domain().intersect(_domain(chain, _names(chain), lengths, assumed))
    return bool(valid.is_empty())


def texts(chain: Chain, lengths: Lengths, assumed: Assumed) -> list[str]:
    """What a chain does to an axis, as relations of isl; with a stride that is a name, for one stride of each sign."""
    if has_stride_values(chain):
        strides = strides_of(chain, assumed).nearest()
        return [text for stride in strides for text in texts(at_stride(chain, stride), lengths, assumed)]
    domain = _domain(chain, _names(chain), lengths, assumed)
    return [
        str(length_map(chain).intersect_domain(domain)),
        str(element_map(chain).intersect_range(elements_of(domain))),
    ]


# ---- in words ------------------------------------------------------------------------------------------------------

MOST_CASES = 3
"""A precondition of more is shown as isl writes it."""
SAMPLED = 50
"""The length for which the values of cases are counted, if it is meant."""


def _described(differ: Isl, equal: Isl, domain: Isl, names: list[str]) -> RunTimeDifference:
    smallest, values = _example(differ, names)
    if equal.is_empty():
        return RunTimeDifference(smallest, values, "never", None, (), 0)
    parts = equal.coalesce().make_disjoint().coalesce().get_basic_sets()
    cases = sorted((_case(part, domain, names) for part in parts), key=lambda case: (-case.size, case.text[:1] == "-"))
    shown = [case.text for case in cases if case.text][:MOST_CASES]
    others = [] if len(shown) == len(cases) else ["in other cases" if shown else "in some cases"]
    text = " or ".join(shown + others)
    largest = cases[0]
    return RunTimeDifference(smallest, values, text, largest.lengths, largest.bounds, largest.size)


def _example(differ: Isl, names: list[str]) -> tuple[int, dict[str, int]]:
    """The smallest length on which there is a difference, and values near 0."""
    kinds = load().dim_type
    rest = _joined(differ)
    numbers: list[int] = []
    for place in range(len(names) + 1):
        sides = rest.lower_bound_val(kinds.set, place, 0), rest.upper_bound_val(kinds.set, place, -1)
        ends = [sides[0].dim_min_val(place)] if not sides[0].is_empty() else []
        ends += [sides[1].dim_max_val(place)] if not sides[1].is_empty() else []
        numbers.append(min((int(end.to_python()) for end in ends), key=abs))
        rest = rest.fix_val(kinds.set, place, numbers[-1])
    return numbers[0], dict(zip(names, numbers[1:], strict=True))


def _joined(lengths: Isl) -> Isl:
    """Lengths and values as elements of one set, without parameters."""
    kinds = load().dim_type
    return lengths.move_dims(kinds.set, 1, kinds.param, 0, lengths.dim(kinds.param))


class _Case(NamedTuple):
    """A convex set of lengths and values."""

    text: str
    """Empty if its bounds are no sums of the dim and a number."""
    lengths: tuple[int, int | None] | None
    bounds: tuple[tuple[str, tuple[Bound, Bound]], ...]
    """As in `RunTimeDifference`, where each bound is one number or sum."""
    size: int


def _case(part: Isl, domain: Isl, names: list[str]) -> _Case:
    whole = load().Set.from_basic_set(part)
    size = _size(_joined(whole.align_params(domain.get_space())), domain)
    lows: dict[str, list[Bound]] = {name: [] for name in [*names, "dim"]}
    highs: dict[str, list[Bound]] = {name: [] for name in [*names, "dim"]}
    for condition in whole.gist(domain).coalesce().get_basic_sets():
        if not all([_add_bound(constraint, lows, highs) for constraint in condition.get_constraints()]):
            return _Case("", None, (), size)
    words = [_between(name, lows[name], highs[name]) for name in lows if lows[name] or highs[name]]
    text = " and ".join(words) or "always"
    if any(len(found) > 1 for found in (*lows.values(), *highs.values())):
        return _Case(text, None, (), size)
    pairs = {name: ((lows[name] or [None])[0], (highs[name] or [None])[0]) for name in lows}
    low, high = pairs.pop("dim")
    lengths = None if low is high is None else (int(low or 0), None if high is None else int(high))
    return _Case(text, lengths, tuple((name, pair) for name, pair in pairs.items() if pair != (None, None)), size)


def _size(case: Isl, domain: Isl) -> int:
    """How many values near the axis a case has for one length: the product of the ranges of all of them."""
    kinds = load().dim_type
    lengths = _joined(domain)
    length = min(max(SAMPLED, least(lengths)), int(lengths.dim_max_val(0).to_python()))
    there = case.fix_val(kinds.set, 0, length)
    places = range(1, there.dim(kinds.set))
    for at in places:
        there = there.lower_bound_val(kinds.set, at, -length).upper_bound_val(kinds.set, at, length)
    if there.is_empty():
        return 0
    return prod(int(there.dim_max_val(at).to_python()) - int(there.dim_min_val(at).to_python()) + 1 for at in places)


def _between(name: str, lows: list[Bound], highs: list[Bound]) -> str:
    if lows == highs:
        return f"{name} is {lows[0]}"
    low, high = (
        str(found[0]) if len(found) == 1 else f"{function}({', '.join(map(str, found))})" if found else ""
        for found, function in ((lows, "max"), (highs, "min"))
    )
    return (f"{low} <= " if low else "") + name + (f" <= {high}" if high else "")


def _add_bound(constraint: Any, lows: dict[str, list[Bound]], highs: dict[str, list[Bound]]) -> bool:
    """Add a constraint of one value and the length to the bounds; False if it has another form."""
    kinds = load().dim_type
    factors = {"dim": int(constraint.get_coefficient_val(kinds.set, 0).to_python())}
    for place in range(constraint.dim(kinds.param)):
        name = constraint.get_dim_name(kinds.param, place)[len("v_") :]
        factors[name] = int(constraint.get_coefficient_val(kinds.param, place).to_python())
    constant = int(constraint.get_constant_val().to_python())
    used = [name for name, factor in factors.items() if factor and name != "dim"] or ["dim"]
    if len(used) > 1 or constraint.dim(kinds.div) or any(abs(factor) > 1 for factor in factors.values()):
        return False
    (name,) = used
    factor, of_dim = factors[name], 0 if name == "dim" else -factors[name] * factors["dim"]
    # factor * value + factors["dim"] * dim + constant >= 0 is a bound of the value: of_dim * dim - factor * constant
    bound: Bound = -factor * constant
    if of_dim:
        sign = "-" if factor * constant > 0 else "+"
        bound = ("dim" if of_dim > 0 else "-dim") + (f" {sign} {abs(constant)}" if constant else "")
    if factor > 0 or constraint.is_equality():
        lows[name].append(bound)
    if factor < 0 or constraint.is_equality():
        highs[name].append(bound)
    return True
