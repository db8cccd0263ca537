"""What each dialect reads in the constants of one axis: as data, as a Presburger relation, and by the core's resolver.

The relation and the resolver are two descriptions of one rule. tests/exhaustive/test_axis_rules.py compares them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ssop import _core
from ssop._convert.values import Value, names_in
from ssop._core import Region, SliceError

INT32_MAX, INT64_MAX, INT64_MIN = 2**31 - 1, 2**63 - 1, -(2**63)


class Step(NamedTuple):
    """One entry on one axis: the elements `begin`, `begin + stride`, .. before `end`, as `rule` reads these numbers.

    None is an open bound. With `drops`, the element `begin` alone is taken, and the axis is dropped.
    Where a call has run-time values, a bound may be a `Value`; of this file, `bounds` and `relations` read these.
    """

    rule: str
    begin: int | None = None
    end: int | None = None
    stride: int = 1
    drops: bool = False


Chain = tuple[Step, ...]
"""Steps on one axis, one after the other."""


class Rule(NamedTuple):
    """How a dialect reads a `Step`; most fields are those of `ssop_dialect` in ssop/slices.h."""

    region: Callable[[int, Step], Region]
    """The core's resolver on an axis of a known length."""
    wraps: bool = True
    """A negative bound has the dim added once."""
    clamps: bool = True
    """Bounds outside the axis are moved to its ends; otherwise they are errors, as is a begin after the end."""
    window: bool = False
    """A window that leaves the axis is moved into it, whole."""
    sized: bool = False
    """A begin before which the dim is added, and a size that is `end - begin`."""
    reverse_clamps_begin_first: bool = False
    """With a negative stride, a begin before the axis is element 0."""
    max_end_is_open: bool = False
    """An end of INT32_MAX or INT64_MAX is open."""
    shrink_clamps_below: bool = False
    """A dropped element before the axis is element 0."""
    whole: bool = False
    """The axis is taken whole, and must have length 1."""
    counts: bool = False
    """The end counts from the begin that is used, and the result has as many elements as it says."""
    open_end: bool = False
    """All up to the end of the axis is taken, by a rule that counts."""


def _strided(step: Step) -> tuple[list[int], list[int], list[int]]:
    return [step.begin or 0], [step.end or 0], [step.stride]


def _open(step: Step) -> tuple[int, int]:
    return int(step.begin is None), int(step.end is None)


def _tensorflow(dim: int, step: Step) -> Region:
    return _core.strided_slice_region((dim,), *_strided(step), *_open(step), 0, 0, int(step.drops))


def _tflite(dim: int, step: Step) -> Region:
    return _core.tflite_strided_slice_region((dim,), *_strided(step), *_open(step), 0, 0, int(step.drops))


def _tflite_offset(open_end: bool) -> Callable[[int, Step], Region]:
    def region(dim: int, step: Step) -> Region:
        masks = int(step.begin is None), int(open_end), 0, 0, 0
        return _core.tflite_strided_slice_region((dim,), *_strided(step), *masks, True)

    return region


def _openvino(dim: int, step: Step) -> Region:
    begin, end = _open(step)
    return _core.openvino_strided_slice_region((dim,), *_strided(step), [begin], [end], [0], [int(step.drops)], [0])


def _onnx(engine: str) -> Callable[[int, Step], Region]:
    def region(dim: int, step: Step) -> Region:
        begin, end = spelled(step)
        return _core.onnx_slice_region((dim,), [begin], [end], [0], [step.stride], engine=engine)  # type: ignore[arg-type]

    return region


def _in_dim(wraps: bool) -> Callable[[int, Step], Region]:
    def region(dim: int, step: Step) -> Region:
        if step.drops:
            return _core.xla_index_in_dim_region((dim,), step.begin or 0, 0, False, allow_negative_indices=wraps)
        bounds = step.begin, step.end, step.stride
        return _core.xla_slice_in_dim_region((dim,), *bounds, allow_negative_indices=wraps)

    return region


def _window(dim: int, step: Step) -> Region:
    begin = step.begin or 0
    size = dim if step.end is None else step.end - begin
    (region,) = _core.dynamic_slice_regions((dim,), [begin], [size])
    return region


def _narrow(dim: int, step: Step) -> Region:
    begin, end = step.begin or 0, step.end or 0
    wrapped = begin + dim if begin < 0 else begin
    if wrapped < 0:  # also outside the axis, which the resolver says
        wrapped = dim + 1
    return _core.xla_slice_in_dim_region((dim,), wrapped, wrapped + end - begin)


def _unit(dim: int, step: Step) -> Region:
    return _core.slice_region((dim,), [0], [1]) if dim == 1 else _core.slice_region((dim,), [1], [0])


RULES = {
    "tf": Rule(_tensorflow),
    "tflite": Rule(_tflite, shrink_clamps_below=True),
    "tflite_offset": Rule(_tflite_offset(False), counts=True),
    "tflite_offset_open": Rule(_tflite_offset(True), counts=True, open_end=True),
    "openvino": Rule(_openvino, reverse_clamps_begin_first=True),
    "onnx": Rule(_onnx("spec"), reverse_clamps_begin_first=True),
    "onnx_reference": Rule(_onnx("reference")),
    "onnxruntime": Rule(_onnx("ort"), reverse_clamps_begin_first=True, max_end_is_open=True),
    "xla": Rule(_in_dim(False), wraps=False, clamps=False),
    "in_dim": Rule(_in_dim(True), clamps=False),
    "window": Rule(_window, wraps=False, window=True),
    "narrow": Rule(_narrow, clamps=False, sized=True),
    "unit": Rule(_unit, whole=True),
}
"""By name. "in_dim" is that of the one-axis functions of jax.lax and of torch.narrow, "window" that of dynamic_slice.
"narrow" is that of torch.narrow with a start known at run time, "unit" that of functions that drop axes of length 1."""


def spelled(step: Step) -> tuple[int, int]:
    """The bounds for a dialect that has no masks: open ones become the ends of int64, as converters write them."""
    if step.begin is not None and step.end is not None:
        return step.begin, step.end  # the stride may be a value
    first, last = (0, INT64_MAX) if step.stride > 0 else (INT64_MAX, INT64_MIN)
    return first if step.begin is None else step.begin, last if step.end is None else step.end


def taken(chain: Chain, dim: int) -> tuple[int, int, int] | SliceError:
    """Start, count and step of what a chain takes of an axis of length `dim`, or the error, as the core resolves it."""
    region = _core.slice_region((dim,), [0], [dim])
    try:
        for step in chain:
            (count,) = (length for _, length, _ in region.ranges)
            range_ = RULES[step.rule].region(count, step).ranges
            region = Region((count,), range_, [0]).of(region)
    except SliceError as error:
        return error
    return region.ranges[0]


# ---- as a relation -------------------------------------------------------------------------------------------------


def _number(bound: int | Value) -> str:
    return bound.term if isinstance(bound, Value) else str(bound)


def _position(bound: int | Value, direction: int = 0) -> str:
    """The element that a bound means, which may lie outside the axis; `direction` is that of a stride with open ends.

    A value becomes a variable, which `_bindings` defines.
    """
    if isinstance(bound, Value):
        return f"w{'mwp'[direction + 1]}{bound.term.encode().hex()}"
    return _number(bound) if bound >= 0 else f"N - {-bound}"


def _bindings(step: Step) -> dict[str, list[tuple[str, str]]]:
    """The variables of `_position`: what each is, and under which condition, as terms of isl."""
    rule = RULES[step.rule]
    found: dict[str, list[tuple[str, str]]] = {}
    if rule.counts:
        end = f"{_clamped_begin(step)} + {step.end}"
        return {_offset_variable(step): [(end, f"0 <= {end}"), (f"N + {end}", f"{end} < 0")]}
    for bound, direction in ((step.begin, 0), (step.end, _open_direction(step))):
        if isinstance(bound, Value) and rule.wraps:
            term = bound.term
            cases = [(term, f"0 <= {term}"), (f"N + {term}", f"{term} < 0")]
            if direction:
                is_open = f"({term} = {INT32_MAX} or {term} = {INT64_MAX})"
                last = "N" if direction > 0 else "-1"
                cases = [(last, is_open), *((value, f"not {is_open} and {condition}") for value, condition in cases)]
            found[_position(bound, direction)] = cases
    return found


def _open_direction(step: Step) -> int:
    """The sign of the stride if the greatest integers are open ends, else 0."""
    return (1 if step.stride > 0 else -1) if RULES[step.rule].max_end_is_open else 0


def bounds(step: Step) -> tuple[str, str, str]:
    """Begin, end and the condition under which there is no error, as terms of isl in the length N of the axis."""
    rule = RULES[step.rule]
    if rule.whole:
        return "0", "1", "N = 1"
    if step.drops:
        return _dropped(step, rule)
    if rule.counts:
        return _counted(step)
    open_end = step.end is None or (rule.max_end_is_open and step.end in (INT32_MAX, INT64_MAX))
    end = None if open_end else step.end
    if rule.window:
        size = "N" if end is None else str(end - (step.begin or 0))
        begin = f"max(0, min({_number(step.begin or 0)}, N - {size}))"
        return begin, f"{begin} + {size}", f"{size} <= N"
    if rule.sized:
        begin, count = _position(step.begin or 0), (step.end or 0) - (step.begin or 0)
        return begin, f"{begin} + {count}", f"0 <= {begin} and {begin} + {count} <= N"
    if not rule.clamps:
        wrap = _position if rule.wraps else _number
        begin, limit = wrap(step.begin or 0), "N" if end is None else wrap(end)
        return begin, limit, f"0 <= {begin} <= {limit} <= N"
    begin = _clamped_begin(step)
    if step.stride > 0:
        return begin, "N" if end is None else f"max(0, min(N, {_position(end, _open_direction(step))}))", "true"
    return begin, "-1" if end is None else f"max(-1, min(N - 1, {_position(end, _open_direction(step))}))", "true"


def _clamped_begin(step: Step) -> str:
    """The first element of a rule that clamps."""
    low, high = ("0", "N") if step.stride > 0 else ("-1", "N - 1")
    if step.begin is None:
        return low if step.stride > 0 else high
    if step.stride < 0 and RULES[step.rule].reverse_clamps_begin_first:
        low = "min(0, N - 1)"
    return f"max({low}, min({high}, {_position(step.begin)}))"


def _offset_variable(step: Step) -> str:
    """The variable of an end that counts from the begin; one before the axis has the length added, as each end has."""
    assert step.end is not None
    return f"we{'m' if step.end < 0 else 'p'}{abs(step.end)}"


def _counted(step: Step) -> tuple[str, str, str]:
    begin, low, high = _clamped_begin(step), *(("0", "N") if step.stride > 0 else ("-1", "N - 1"))
    end = f"max({low}, min({high}, {_offset_variable(step)}))"
    if RULES[step.rule].open_end:
        end = high if step.stride > 0 else low
    size, count = abs(step.stride), counted(step)
    span = f"{end} - {begin}" if step.stride > 0 else f"{begin} - {end}"
    valid = f"{size * (count - 1)} < {span} <= {size * count}" if count else f"{span} <= 0"
    return begin, end, valid


def counted(step: Step) -> int:
    """How many elements the result must have, of a rule that counts from the begin."""
    assert step.end is not None
    return max(0, -(-step.end // step.stride))


def _dropped(step: Step, rule: Rule) -> tuple[str, str, str]:
    index = step.begin or 0
    begin = _position(index) if rule.wraps else _number(index)
    if rule.shrink_clamps_below:
        begin = f"max(0, {begin})"
    return begin, f"{begin} + 1", f"0 <= {begin} < N"


def relations(step: Step) -> tuple[str, str]:
    """The length of the result by that of the axis, and its elements by those of the axis, as text of isl.

    >>> length, element = relations(Step("tf", 1, None, 2))
    >>> print(length)
    { [N] -> [M] : exists (p, q : N >= 0 and true and p = max(0, min(N, 1)) and q = N and \
((p >= q and M = 0) or (p < q and 2 * M - 2 < q - p <= 2 * M))) }
    """
    begin, end, valid = bounds(step)
    size = abs(step.stride)
    low, high = ("p", "q") if step.stride > 0 else ("q", "p")
    count = f"(({low} >= {high} and M = 0) or ({low} < {high} and {size} * M - {size} < {high} - {low} <= {size} * M))"
    variables = _bindings(step)
    defined = "".join(
        f" and ({' or '.join(f'({condition} and {variable} = {value})' for value, condition in cases)})"
        for variable, cases in variables.items()
    )
    which = ", ".join(["p", "q", *variables])
    taken_ = f"exists ({which} : N >= 0{defined} and {valid} and p = {begin} and q = {end} and {count}"
    element = f"{taken_} and i = p + {step.stride} * o) and 0 <= o < M"
    given = _given(step)
    return f"{given}{{ [N] -> [M] : {taken_}) }}", f"{given}{{ [M, o] -> [N, i] : {element} }}"


def _given(step: Step) -> str:
    names = sorted(names_in((step.begin, step.end)))
    return f"[{', '.join(f'v_{name}' for name in names)}] -> " if names else ""


class Functions(NamedTuple):
    """A step as text of isl, by the length N of the axis and variables for its run-time values."""

    begin: str
    end: str
    valid: str
    """The lengths that are no error."""
    variables: tuple[str, ...]
    """Each variable by N."""


def functions(step: Step) -> Functions:
    """What `relations` says, as functions.

    >>> functions(Step("tf", 1, None, 2))[:3]
    ('{ [N] -> [max(0, min(N, 1))] }', '{ [N] -> [N] }', '{ [N] : N >= 0 and true }')
    """
    begin, end, valid = bounds(step)
    bindings, given = _bindings(step), _given(step)
    place = ", ".join(["N", *bindings])
    variables = (
        "; ".join(f"[N] -> [{value}] : {condition}" for value, condition in cases) for cases in bindings.values()
    )
    return Functions(
        f"{given}{{ [{place}] -> [{begin}] }}",
        f"{given}{{ [{place}] -> [{end}] }}",
        f"{given}{{ [{place}] : N >= 0 and {valid} }}",
        tuple(f"{given}{{ {pieces} }}" for pieces in variables),
    )
