"""Numbers that are known only at run time: their names, sums, and clamps, as text, as terms of isl, and in calls."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ssop._convert.errors import OP
from ssop._core import read_integers
from ssop._display import index_text
from ssop._errors import value_error
from ssop._sequences import plain
from ssop._spec import StridedSliceSpec


class Clamp(NamedTuple):
    """To 0..most, where `most` counts back from the dim of an axis of the operand, or is a number (axis None)."""

    axis: int | None
    most: int

    def __str__(self) -> str:
        return str(self.most) if self.axis is None else f"x.shape[{self.axis}] - {self.most}"


@dataclass(frozen=True, repr=False)
class Value:
    """A name, or a number that is to be clamped; clamped, if it is; and then `offset` is added."""

    base: str | int
    offset: int = 0
    clamp: Clamp | None = None

    def __add__(self, number: Any) -> Value:
        return replace(self, offset=self.offset + number)

    def __sub__(self, other: Any) -> Any:
        """The difference to a number, or to the same value with another offset."""
        if not isinstance(other, Value):
            return self + -other
        if replace(other, offset=self.offset) != self:
            raise value_error(OP, "cv_c10", f"the size is that of {other} to {self}, which is no number")
        return self.offset - other.offset

    def __str__(self) -> str:
        return _sum(f"max(0, min({self.base}, {self.clamp}))" if self.clamp else str(self.base), self.offset)

    __repr__ = __str__

    @property
    def term(self) -> str:
        """The value as a term of isl, where N is the length of the axis."""
        base = f"v_{self.base}" if isinstance(self.base, str) else str(self.base)
        if self.clamp is None:
            return _sum(base, self.offset)
        most = str(self.clamp.most) if self.clamp.axis is None else f"N - {self.clamp.most}"
        return _sum(f"max(0, min({base}, {most}))", self.offset)

    def at(self, values: Mapping[str, int], shape: tuple[int, ...]) -> int:
        """The number, for an operand of this shape."""
        number = values[self.base] if isinstance(self.base, str) else self.base
        if self.clamp is not None:
            most = self.clamp.most if self.clamp.axis is None else shape[self.clamp.axis] - self.clamp.most
            number = max(0, min(number, most))
        return number + self.offset


def _sum(text: str, number: int) -> str:
    return f"{text} {'+' if number > 0 else '-'} {abs(number)}" if number else text


OFFSET = r"(?: ([+-]) (\d{1,19}))?"
NAME = re.compile(rf"([A-Za-z_]\w*){OFFSET}", re.ASCII)
CLAMPED = re.compile(
    rf"max\(0, min\((-?\d{{1,19}}|[A-Za-z_]\w*), (?:x\.shape\[(\d{{1,9}})\] - )?(-?\d{{1,19}})\)\){OFFSET}", re.ASCII
)
RUN_TIME_ARGUMENTS = {
    *("begin", "end", "start", "stop", "starts", "ends"),
    *("start_indices", "limit_indices", "start_index", "limit_index", "index"),
}
"""The arguments of functions that may have values."""

STRIDES = {"stride", "strides", "step", "steps"}
NAMED_STRIDES = {
    *("tf.strided_slice", "tflite.strided_slice", "openvino.strided_slice", "openvino.slice", "onnx.slice"),
    *("numpy.index", "torch.index"),
}
"""The functions whose strides may be names, of slices that keep the axis."""

TAKEN_NAMES = ("x", "y", "u")
"""Names of arrays in the source code of calls."""


def read_value(name: str, text: str) -> Value:
    """A value from its text, such as "i", "i + 4" or "max(0, min(i, x.shape[0] - 4))"."""
    plain, clamped = NAME.fullmatch(text), CLAMPED.fullmatch(text)
    if plain is not None:
        base, sign, offset = plain.groups()
        found = Value(base, _signed(sign, offset))
    elif clamped is not None:
        base, axis, most, sign, offset = clamped.groups()
        clamp = Clamp(None if axis is None else int(axis), int(most))
        found = Value(int(base) if base.lstrip("-").isdigit() else base, _signed(sign, offset), clamp)
    else:
        message = f"{name} has {text!r}, which is neither a name, nor a name and a number such as 'i + 4'"
        raise value_error(OP, "cv_c10", message, value=text)
    if isinstance(found.base, str) and (keyword.iskeyword(found.base) or found.base in TAKEN_NAMES):
        raise value_error(OP, "cv_c10", f"{name} has a value with the name {found.base!r}, which is taken", value=text)
    return found


def _signed(sign: str | None, digits: str | None) -> int:
    return int(digits or 0) * (-1 if sign == "-" else 1)


def read_numbers(name: str, vector: Any) -> tuple[Any, ...]:
    """Integers, among which texts are values."""
    vector = plain(vector)
    if isinstance(vector, (list, tuple)) and any(isinstance(item, (str, Value)) for item in vector):
        return tuple(read_number(name, item) for item in vector)
    return tuple(read_integers(OP, name, vector))


def read_number(name: str, item: Any) -> Any:
    if isinstance(item, Value):
        return item
    return read_value(name, item) if isinstance(item, str) else read_integers(OP, name, [item])[0]


CLAMPS = {
    "tf": "tf.maximum(tf.minimum({first}, {second}), 0)",
    "tflite": "tf.maximum(tf.minimum({first}, {second}), 0)",
    "onnx": "Max(0, Min({base}, {most}))",
    "xla": "jax.numpy.clip({base}, 0, {most})",
    "openvino": "opset8.maximum(opset8.minimum({first}, {second}), 0)",
    "coreml": "mb.maximum(x=mb.minimum(x={base}, y={most}), y=0)",
}
"""How a framework writes a clamp; others as Python does. The operand `first` is no number."""
DIMS = {
    "tf": "tf.shape({x}, tf.int64)[{axis}]",
    "tflite": "tf.shape({x}, tf.int64)[{axis}]",
    "onnx": "Shape({x})[{axis}]",
    "openvino": "opset8.gather(opset8.shape_of({x}), {axis}, 0)",
    "coreml": "mb.shape(x={x})[{axis}]",
}


def clamp_text(framework: str, value: Value, x: str) -> str:
    """The clamp of a value in source code of a framework, where `x` is the operand."""
    assert value.clamp is not None
    axis, number = value.clamp
    most = str(number)
    if axis is not None:
        most = _sum(DIMS.get(framework, "{x}.shape[{axis}]").format(x=x, axis=axis), -number)
    # TensorFlow makes a number in front of a tensor one of int32, in a graph.
    first, second = (value.base, most) if isinstance(value.base, str) else (most, value.base)
    text = CLAMPS.get(framework, "max(0, min({base}, {most}))")
    return text.format(base=value.base, most=most, first=first, second=second)


# ---- in arguments of calls -----------------------------------------------------------------------------------------


def replaced(item: Any, by: Callable[[Value], Any]) -> Any:
    """An argument of a call with each of its values replaced."""
    if isinstance(item, Value):
        return by(item)
    if isinstance(item, tuple):
        return tuple(replaced(one, by) for one in item)
    if isinstance(item, builtins.slice):
        return builtins.slice(*(replaced(one, by) for one in (item.start, item.stop, item.step)))
    return item


def has_values(chain: tuple[Any, ...]) -> bool:
    """Whether a chain of steps has values as bounds or strides."""
    return any(isinstance(number, Value) for step in chain for number in (step.begin, step.end, step.stride))


def has_stride_values(chain: tuple[Any, ...]) -> bool:
    return any(isinstance(step.stride, Value) for step in chain)


def at_stride(chain: tuple[Any, ...], stride: int) -> tuple[Any, ...]:
    """The chain with a number for the strides that are values."""
    return tuple(step._replace(stride=stride) if isinstance(step.stride, Value) else step for step in chain)


def values_in(item: Any) -> Iterator[Value]:
    """The values of an argument of a call, from left to right."""
    if isinstance(item, Value):
        yield item
    elif isinstance(item, tuple):
        for one in item:
            yield from values_in(one)
    elif isinstance(item, builtins.slice):
        for one in (item.start, item.stop, item.step):
            yield from values_in(one)


def names_in(item: Any) -> set[str]:
    return {value.base for value in values_in(item) if isinstance(value.base, str)}


def read_stride(name: str, item: Any) -> Any:
    """A stride, which may be a name and nothing else."""
    found = read_number(name, item)
    if isinstance(found, Value) and found != Value(found.base):
        message = f"stride unknown: {name} has {str(found)!r}; a stride is an integer or a name"
        raise value_error(OP, "cv_c10", message, value=str(found))
    return found


def read_index(index: Any) -> tuple[StridedSliceSpec, tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]]:
    """The spec of an index, and its bounds and strides, among which may be values; in the spec, these are 0 and 1."""
    index = plain(index)
    items = index if isinstance(index, tuple) else (index,)
    if not any(isinstance(number, (str, Value)) for item in items for number in (*_bounds(item), _stride(item))):
        spec = StridedSliceSpec.from_index(index)
        return spec, (spec.begin, spec.end, spec.strides)
    spec = StridedSliceSpec.from_index(tuple(map(_without_values, items)))
    begins, ends, strides = list(spec.begin), list(spec.end), list[Any](spec.strides)
    for entry, item in enumerate(items):
        if isinstance(_stride(item), (str, Value)):
            strides[entry] = read_stride("index", _stride(item))
        begin, end = _bounds(item)
        if isinstance(begin, (str, Value)):
            begins[entry] = read_number("index", begin)
        if isinstance(end, (str, Value)):
            ends[entry] = read_number("index", end)
    return spec, (tuple(begins), tuple(ends), tuple(strides))


def text_of_index(index: Any) -> str:
    """An index in source code."""
    if not any(values_in(index)):
        return index_text(index)
    return f"[{', '.join(_item_text(item) for item in index)}]"


def _item_text(item: Any) -> str:
    if not isinstance(item, builtins.slice):
        return "..." if item is Ellipsis else str(item)
    begin, end, step = ("" if bound is None else str(bound) for bound in (item.start, item.stop, item.step))
    return f"{begin}:{end}:{step}" if step else f"{begin}:{end}"


def index_to_json(index: Any) -> Any:
    """An index as text; with values, as a list of its items."""
    if not any(values_in(index)):
        return index_text(index)
    return [
        [replaced(bound, str) for bound in (item.start, item.stop, item.step)]
        if isinstance(item, builtins.slice)
        else "..."
        if item is Ellipsis
        else replaced(item, str)
        for item in index
    ]


def index_from_json(index: Any) -> Any:
    from ssop.cli.parse import parse_index

    if isinstance(index, str):
        return parse_index(index)
    return tuple(
        builtins.slice(*item) if isinstance(item, list) else Ellipsis if item == "..." else item for item in index
    )


def _bounds(item: Any) -> tuple[Any, Any]:
    return (item.start, item.stop) if isinstance(item, builtins.slice) else (item, None)


def _stride(item: Any) -> Any:
    return item.step if isinstance(item, builtins.slice) else None


def _without_values(item: Any) -> Any:
    """The item of an index with 0 for a value, and 1 for a stride."""
    if isinstance(item, builtins.slice):
        begin, end = (0 if isinstance(bound, (str, Value)) else bound for bound in _bounds(item))
        return builtins.slice(begin, end, 1 if isinstance(item.step, (str, Value)) else item.step)
    return 0 if isinstance(item, (str, Value)) else item


def check_positive(stride: int | Value) -> None:
    """Raise for a stride that XLA rejects on every axis (sl_c7)."""
    if isinstance(stride, int) and stride < 1:
        raise value_error(OP, "sl_c7", f"stride {stride} is not positive", value=stride)
