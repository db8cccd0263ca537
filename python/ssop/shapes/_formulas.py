"""Lengths of slices of named dims, as formulas (sh_s39): expressions of Python in the names, with min and max."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ssop import _core
from ssop._core import Dim, PartialShape, SliceError
from ssop._sequences import plain

INT64_MAX = 2**63 - 1


class Amount(NamedTuple):
    """A number of elements: an integer, and perhaps a dim that is added to it."""

    number: int
    text: str = ""

    def __str__(self) -> str:
        return f"{self.text} + {self.number}" if self.text and self.number else self.text or str(self.number)

    def plus(self, other: Amount) -> Amount:
        text = " + ".join(filter(None, (self.text, other.text)))
        return Amount(self.number + other.number, text)

    def is_zero(self) -> bool:
        return self == ZERO

    def at_most(self, other: Amount) -> bool:
        """Whether it is certainly not more."""
        return self.text == other.text and self.number <= other.number


ZERO = Amount(0)


class Place(NamedTuple):
    """A place on an axis: so many elements behind its first one, or before its end, and never outside of it."""

    amount: Amount
    from_end: bool = False
    element: bool = False
    """With `from_end`: it is not before the end of the first element, if there is one."""


START, END = Place(ZERO), Place(ZERO, True)


def length(dim: str, begin: Any, end: Any, stride: int, first_element: bool = False) -> str:
    """The length of a range of an axis of length `dim`, which is a formula itself.

    `begin` and `end` are integers, None, or formulas of numbers that are not negative. With `first_element`, a begin
    below -dim with a negative stride is element 0.

    >>> length("n", 0, 8, 1), length("n", 1, -2, 2), length("n", -3, None, 1), length("n", None, None, -1)
    ('min(8, n)', '(max(0, n - 3) + 1) // 2', 'min(3, n)', 'n')
    """
    if stride > 0:
        text = _between(dim, _place(dim, begin, START), _place(dim, end, END))
    else:  # the same elements in the other order: behind the end, up to behind the begin
        last = _behind(dim, begin, END)
        if first_element and isinstance(begin, int) and begin < 0 and last.amount != ZERO:
            last = last._replace(element=True)
        if first_element and isinstance(begin, int) and begin <= -INT64_MAX:
            last = Place(Amount(INT64_MAX), True, True)
        text = _between(dim, _behind(dim, end, START), last)
    apart = abs(stride)
    return text if apart == 1 or text == "0" else f"({text} + {apart - 1}) // {apart}"


def _place(dim: str, bound: Any, unbound: Place) -> Place:
    if bound is None:
        return unbound
    if isinstance(bound, str):
        return END if bound == dim else Place(Amount(0, _operand(bound)))
    if bound >= 0:
        return END if bound >= INT64_MAX else Place(Amount(bound))
    return START if -bound >= INT64_MAX else Place(Amount(-bound), True)


def _behind(dim: str, bound: Any, unbound: Place) -> Place:
    """The place one element later than a bound that is clamped to -1 .. dim - 1."""
    place = _place(dim, bound, unbound)
    if bound is None or place == END:
        return place
    if place.from_end:
        return Place(Amount(place.amount.number - 1), True)
    return START if isinstance(bound, int) and bound < 0 else Place(place.amount.plus(Amount(1)))


def _between(dim: str, first: Place, last: Place) -> str:
    """How many elements are between two places; 0 if the second is before the first."""
    a, b, n = first.amount, last.amount, _operand(dim)
    if last.element:
        return _up_to_an_element(dim, first, b)
    if not first.from_end and last.from_end:
        total = a.plus(b)
        return dim if total.is_zero() else f"max(0, {_minus(n, total)})"
    if not first.from_end:
        if a.is_zero():
            return "0" if b.is_zero() else f"min({b}, {dim})"
        return "0" if b.at_most(a) else f"max(0, {_minus(f'min({b}, {dim})', a)})"
    if a.is_zero() or (not last.from_end and b.is_zero()):
        return "0"
    if last.from_end:
        if b.is_zero():
            return f"min({a}, {dim})"
        return "0" if a.at_most(b) else f"max(0, {_minus(f'min({a}, {dim})', b)})"
    least = [str(min(a.number, b.number))] if not b.text else [str(a), str(b)]
    return f"max(0, min({', '.join(least)}, {dim}, {a.plus(b)} - {n}))"


def _up_to_an_element(dim: str, first: Place, b: Amount) -> str:
    a, n = first.amount, _operand(dim)
    far = b.number >= INT64_MAX
    if not first.from_end:
        if a.is_zero():
            return f"min(1, {dim})" if far else f"max(min(1, {dim}), {_minus(n, b)})"
        return "0" if far else f"max(0, {_minus(n, a.plus(b))})"
    if a.is_zero():
        return "0"
    if b.number < a.number:
        return f"min({a.number - b.number}, max(min(1, {dim}), {_minus(n, b)}))"
    return f"max(0, min(1, {dim}, {a.number + 1} - {n}))"


def _minus(text: str, amount: Amount) -> str:
    parts = [part for part in (amount.text, str(amount.number) if amount.number else "") if part]
    return " - ".join([text, *(part.replace(" + ", " - ") for part in parts)])


def _operand(text: str) -> str:
    return text if text.isidentifier() or text.isdigit() else f"({text})"


# ---- of shapes ------------------------------------------------------------------------------------------------------

TRACES: dict[str, Callable[..., Any]] = {
    "tf": _core.strided_slice_trace,
    "tflite": _core.tflite_strided_slice_trace,
    "openvino": _core.openvino_strided_slice_trace,
}


def has_names(*values: Any) -> bool:
    """Whether a shape or a vector has a dim with a name or a formula: most have none."""
    return any(_has_name(value) for value in values)


def _has_name(value: Any) -> bool:
    if isinstance(value, PartialShape):
        return any(
            text is not None and dim is None for text, dim in zip(value.formulas or (), value.dims or (), strict=True)
        )
    return isinstance(value, (list, tuple)) and any(isinstance(item, (str, Dim)) for item in plain(value))


def strided(
    result: PartialShape, dialect: str, shape: Any, vectors: Sequence[Any], masks: Sequence[Any]
) -> PartialShape:
    """The shape that inference gave for a strided slice, with formulas; `masks` are as the trace takes them."""
    given = PartialShape(shape)
    if (
        given.rank is None
        or result.rank is None
        or not all(isinstance(vector, (list, tuple)) for vector in vectors[:2])
    ):
        return result
    begin, end, strides = vectors
    entries = [0] * len(begin)
    try:
        flags, _, _ = TRACES[dialect]((1,) * given.rank, entries, entries, [1] * len(begin), *masks)
    except SliceError:  # found before the axes of entries are
        return result
    strides = [1] * len(begin) if strides is None else strides
    lengths: list[Any] = []
    for entry, (bits, first, count) in enumerate(flags):
        if bits & 8:
            lengths.append(None)
        elif bits & 4:
            lengths += [(axis, None, None, 1) for axis in range(first, first + count)]
        elif count and not bits & 16:
            bounds = (None if bits & 1 else _bound(begin[entry]), None if bits & 2 else _bound(end[entry]))
            lengths.append((first, *bounds, strides[entry]))
    behind = max((first + count for _, first, count in flags), default=0)
    lengths += [(axis, None, None, 1) for axis in range(behind, given.rank)]
    return listed(result, given, lengths, dialect == "openvino")


def listed(
    result: PartialShape, given: PartialShape, lengths: Iterable[Any], first_element: bool
) -> PartialShape:  # fmt: skip
    """The result with formulas: for each of its axes there is None, or the axis, begin, end and stride.

    An open bound is None, one that is not known `UNKNOWN`.
    """
    found = list(lengths)
    if result.rank != len(found):
        return result
    return PartialShape(list(_dims(result, given, found, first_element)))


def _dims(result: PartialShape, given: PartialShape, lengths: list[Any], first_element: bool) -> Iterator[Any]:
    assert given.formulas is not None
    for axis, of in enumerate(lengths):
        dim = result.dim(axis)
        text = None if of is None or dim.value is not None else given.formulas[of[0]]
        begin, end, stride = (None, None, None) if of is None else of[1:]
        if text is None or not isinstance(stride, int) or not stride or UNKNOWN in (begin, end):
            yield dim
            continue
        formula = length(text, begin, end, stride, first_element)
        yield given.dim(of[0]) if formula == text else Dim(dim.interval, formula)


UNKNOWN = "?"


def _bound(value: Any) -> Any:
    """An integer, the formula of a dim, or `UNKNOWN`."""
    if isinstance(value, Dim):
        return value.value if value.value is not None else value.formula or UNKNOWN
    return value if isinstance(value, int) else UNKNOWN


def onnx_slice(result: PartialShape, shape: Any, lists: Sequence[Any], engine: str) -> PartialShape:
    """The shape that inference gave for a Slice of ONNX, with formulas; its lists are known to be valid."""
    given, (starts, ends, axes, steps) = PartialShape(shape), lists
    if given.rank is None:
        return result
    found: list[Any] = [(axis, None, None, 1) for axis in range(given.rank)]
    axes = range(given.rank) if axes is None else axes
    steps = [1] * given.rank if steps is None else steps
    for axis, start, end, step in zip(axes, starts, ends, steps):  # noqa: B905 - the reference ends with the shortest
        open_end = engine == "ort" and end in (2**31 - 1, INT64_MAX)
        found[axis] = (axis % given.rank, _bound(start), None if open_end else _bound(end), step)
    return listed(result, given, found, engine != "reference")
