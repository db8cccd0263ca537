"""Calls on a known shape as one step: for each axis of the result, where elements of the input stand and which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd, prod
from typing import NamedTuple

from ssop import _core
from ssop._convert import rules
from ssop._convert.calls import Call
from ssop._convert.errors import OP, conversion_error
from ssop._convert.moving import Padding, padding_of, value_of
from ssop._convert.rules import Step
from ssop._core import SliceError
from ssop._errors import value_error

MAX_RANK = 64


class Placed(NamedTuple):
    """An axis of the result: for each k below `taken`, its element `first + k * gap` is the element `start + k * step`
    of an axis of the input. All other elements are padding. With `taken` below 2, step and gap are 1."""

    origin: int | None
    """The axis of the input; None for a new axis."""
    length: int
    start: int
    taken: int
    step: int = 1
    first: int = 0
    gap: int = 1

    def sliced(self, start: int, length: int, step: int) -> Placed:
        """The axis of which only elements are taken: `length` of them, from `start` on, `step` apart."""
        # Element o of the result is element start + step * o of this axis: of the input, if that is first + gap * k.
        common = gcd(step, self.gap)
        gap, stride = self.gap // common, step // common
        if self.taken == 0 or (self.first - start) % common:
            return self._with(length, range(0), 0)
        one = (self.first - start) // common * pow(stride, -1, gap) % gap  # the solutions are one + gap * t
        k = (start + step * one - self.first) // self.gap  # .. and k + stride * t
        last = (length - 1 - one) // gap
        low, high = (-k, self.taken - 1 - k) if stride > 0 else (k - self.taken + 1, k)
        times = range(max(0, -(-low // abs(stride))), min(last, high // abs(stride)) + 1)
        if not times:
            return self._with(length, range(0), 0)
        kept = range(k + stride * times.start, k + stride * times.stop, stride)
        return self._with(length, kept, one + gap * times.start, gap)

    def padded(self, low: int, interior: int, length: int) -> Placed:
        """The axis with padding: its element o becomes element `low + (interior + 1) * o`, if there is one."""
        first, gap = low + (interior + 1) * self.first, (interior + 1) * self.gap
        begin = max(0, -(first // gap))
        end = min(self.taken, (length - 1 - first) // gap + 1)
        return self._with(length, range(begin, max(begin, end)), first + gap * begin, gap)

    def _with(self, length: int, kept: range, first: int, gap: int = 1) -> Placed:
        """The axis with those of its elements of the input that are kept, by their k."""
        count = len(kept)
        if count == 0:
            return Placed(self.origin, length, 0, 0)
        start = self.start + self.step * kept.start
        if count == 1:
            return Placed(self.origin, length, start, 1, 1, first)
        return Placed(self.origin, length, start, count, self.step * kept.step, first, gap)


class Folded(NamedTuple):
    """Calls on a shape: the axes of their result, the axes that were dropped, and what was padded on the way."""

    kept: tuple[Placed, ...]
    dropped: tuple[Placed, ...] = ()
    values: tuple[complex, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(axis.length for axis in self.kept)

    @property
    def elements(self) -> int:
        """How many elements of the result are elements of the input."""
        return prod(axis.taken for axis in (*self.kept, *self.dropped))

    @property
    def is_padded(self) -> bool:
        """Whether an axis of the result has other elements than those of the input; the result may be empty."""
        return any(axis.taken < axis.length for axis in self.kept) or any(axis.taken == 0 for axis in self.dropped)


def with_numbers(calls: Sequence[Call], numbers: Mapping[str, int], shape: Sequence[int]) -> tuple[Call, ...]:
    """The calls on an operand of this shape, with numbers for their run-time values."""
    found: list[Call] = []
    dims = tuple(shape)
    for call in calls:
        found.append(Call(call.function, **call._at(numbers, dims)))
        dims = fold(found[-1:], dims)[-1].shape
    return tuple(found)


def fold(calls: Sequence[Call], shape: Sequence[int]) -> list[Folded]:
    """What the calls have made of an operand of this shape after 0, 1, .. of them."""
    found = [Folded(tuple(Placed(axis, dim, 0, dim) for axis, dim in enumerate(shape)))]
    for number, call in enumerate(calls):
        last = found[-1]
        padding = padding_of(call.function, call.arguments, len(last.kept))
        try:
            found.append(_sliced(call, last) if padding is None else _padded(padding, last))
        except _Erroneous as erroneous:
            message = f"call {number}, {call}, is an error on shape {last.shape}: {erroneous}"
            raise value_error(OP, "cv_c5", message, axis=erroneous.axis) from None
    return found


class _Erroneous(Exception):
    """A call is an error on its operand; the argument says why."""

    def __init__(self, why: object, axis: int | None = None) -> None:
        super().__init__(str(why))
        self.axis = axis


def _sliced(call: Call, last: Folded) -> Folded:
    kept: list[Placed] = []
    dropped = list(last.dropped)
    for entry in call._entries(len(last.kept)):
        if entry.axis is None:
            kept.append(Placed(None, 1, 0, 1))
            continue
        axis = last.kept[entry.axis]
        if entry.step is not None:
            axis = axis.sliced(*_range(entry.step, axis, entry.axis))
        (dropped if entry.drops else kept).append(axis)
    if len(kept) > MAX_RANK:
        raise _Erroneous(f"the result has {len(kept)} axes, more than {MAX_RANK}")
    return Folded(tuple(kept), tuple(dropped), last.values)


def _range(step: Step, axis: Placed, number: int) -> tuple[int, int, int]:
    result = rules.taken((step,), axis.length)
    if isinstance(result, SliceError):
        raise _Erroneous(result, number)
    return result


def _padded(padding: Padding, last: Folded) -> Folded:
    try:
        _, place = _core.xla_pad_regions(last.shape, padding.config)
    except SliceError as error:
        raise _Erroneous(error, error.axis) from None
    kept = tuple(
        axis.padded(low, interior if axis.length > 1 else 0, length)
        for axis, (low, _, interior), length in zip(last.kept, padding.config, place.in_shape, strict=True)
    )
    return Folded(kept, last.dropped, (*last.values, padding.value))


def visible_values(calls: Sequence[Call], states: Sequence[Folded]) -> list[complex]:
    """The different values of padding that the result shows, those of the last calls first."""
    found: dict[str, complex] = {}
    for number in reversed(range(len(calls))):
        before, after = states[number : number + 2]
        if len(after.values) == len(before.values):
            continue
        # What the later calls show of the operand of this one, and of its result.
        inner = fold(calls[number:], before.shape)[-1]
        outer = fold(calls[number + 1 :], after.shape)[-1]
        if inner.elements < outer.elements:
            found.setdefault(repr(after.values[-1]), after.values[-1])
    return list(found.values())


def fill_value(calls: Sequence[Call], states: Sequence[Folded]) -> complex | None:
    """The value of padding of the result, or None; raises if it shows several."""
    if not states[-1].is_padded:
        return None
    values = visible_values(calls, states)
    if len(values) > 1:
        raise _several("the result shows", values)
    return values[0] if values else states[-1].values[-1]  # an empty result


def check_values(calls: Sequence[Call]) -> None:
    """Raise unless the calls pad with one value only: then there is one copy on every shape."""
    found = [value for call in calls if (value := value_of(call.function, call.arguments)) is not None]
    values = {repr(value): value for value in found}
    if len(values) > 1:
        raise _several("a dim is not known, and there is", list(values.values()))


def _several(what: str, values: Sequence[complex]) -> SliceError:
    shown = " and ".join(map(repr, values[:2]))
    return conversion_error("cv_c12", f"{what} padding of {shown}: one copy writes one value of padding")
