"""What each engine that may run a node reads in it: the same numbers as calls by that engine's rules."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ssop._convert.calls import Call
from ssop._convert.rules import INT64_MAX
from ssop._convert.shape import Shape
from ssop._errors import value_error
from ssop._inspect.folding import progression, wrapped
from ssop._inspect.openvino_plugin import FUNCTION, Defect, converted_masks, in_plugin, plugin_defect
from ssop._inspect.records import OP, NodeCall, RunTime, SliceNode

Arguments = Mapping[str, Any]
Reading = Callable[[Arguments], list[Call]]


def _no_defect(calls: Sequence[Call], where: Shape) -> Defect | None:
    return None


class Engine(NamedTuple):
    """An engine that runs models of a format, and how it reads the functions for which it has its own rule."""

    name: str
    readings: Mapping[str, Reading]
    defect: Callable[[Sequence[Call], Shape], Defect | None] = _no_defect
    """Where it gives something undefined for calls on an operand of this shape."""


class NoSlice(Exception):
    """A call that is no slice with constant arguments; the argument says what it is instead."""


def calls_of(node: SliceNode, engine: Engine) -> list[Call]:
    """The calls of a node as the engine reads them; raises `NoSlice`, or the error of a call."""
    found: list[Call] = []
    for call in node.calls:
        reading = engine.readings.get(call.function)
        if reading is not None and not call.at_run_time:
            found += reading(call.arguments)
        else:
            found += as_call(call)
    return found


def as_call(call: NodeCall) -> list[Call]:
    """A call of a node as one that `ssop.convert` knows."""
    run_time = call.at_run_time
    if run_time:
        names = " and ".join(name for name, value in call.arguments.items() if isinstance(value, RunTime))
        raise NoSlice(f"{names}: known at run time only ({'; '.join(str(value) for value in run_time)})")
    other = _OTHERS.get(call.function)
    if other is not None:
        return other(call.arguments)
    if call.function in _SHOWN_ONLY:
        raise NoSlice(f"{call.function.partition('.')[2]} is shown, not compared")
    return [Call(call.function, **call.arguments)]


# ---- one reading for each function that engines read in their own way ----------------------------------------------


def _onnx(engine: str) -> Mapping[str, Reading]:
    return {"onnx.slice": lambda arguments: [Call("onnx.slice", **{**arguments, "engine": engine})]}


def _onnx_in_openvino(arguments: Arguments) -> list[Call]:
    starts, ends, axes, steps = (arguments.get(name) for name in ("starts", "ends", "axes", "steps"))
    steps = [1] * len(starts or ()) if steps is None else steps
    return [Call("openvino.slice", start=starts, stop=ends, step=steps, axes=axes)]


def _as_it_is(from_: str, to: str) -> Mapping[str, Reading]:
    return {f"{from_}.{name}": _renamed(f"{to}.{name}") for name in ("strided_slice", "slice")}


def _renamed(function: str) -> Reading:
    return lambda arguments: [Call(function, **arguments)]


def _tflite_in_tensorflow(arguments: Arguments) -> list[Call]:
    """TensorFlow has no `offset`: TFLite's converter makes it of an end that is the begin and a constant, in int32."""
    given = dict(arguments)
    if given.pop("offset", False):
        given["end"] = tuple(map(wrapped(operator.add, 32, True), given["begin"], given["end"]))
    return [Call("tf.strided_slice", **given)]


def _strided_in_openvino(arguments: Arguments) -> list[Call]:
    vectors = {name: arguments.get(name) for name in ("begin", "end", "strides")}
    return [in_plugin(vectors | converted_masks(arguments))]


def _slice_in_openvino(arguments: Arguments) -> list[Call]:
    """Its converter writes ends, which are not checked: begin + size, or the end of the axis."""
    begin, size = arguments["begin"], arguments["size"]
    ends = [INT64_MAX if count < 0 else first + count for first, count in zip(begin, size, strict=True)]
    return [Call("openvino.slice", start=begin, stop=[min(end, INT64_MAX) for end in ends], step=[1] * len(begin))]


def _reverse_in_litert(arguments: Arguments) -> list[Call]:
    """LiteRT's kernel reverses neighbouring axes only."""
    axes = sorted(arguments["axis"])
    if axes[:1] < [0] <= axes[-1:]:
        raise NoSlice(f"axes {axes} are counted from both ends, and LiteRT takes only neighbours")
    if any(second != first + 1 for first, second in pairwise(axes)):
        raise value_error(OP, "im_c2", f"axes {axes} are no neighbours, and LiteRT reverses only such", value=axes)
    return [Call("xla.rev", dimensions=axes)]


ENGINES: Mapping[str, Sequence[Engine]] = {
    "onnx": (
        Engine("ONNX's text", _onnx("spec")),
        Engine("onnx.reference", _onnx("reference")),
        Engine("ONNX Runtime", _onnx("ort")),
        Engine("OpenVINO", {"onnx.slice": _onnx_in_openvino}),
    ),
    "tflite": (
        Engine("LiteRT", {"tflite.reverse_v2": _reverse_in_litert}),
        Engine("TensorFlow", {**_as_it_is("tflite", "tf"), "tflite.strided_slice": _tflite_in_tensorflow}),
    ),
    "tensorflow": (
        Engine("TensorFlow", {}),
        Engine("LiteRT", {**_as_it_is("tf", "tflite"), "tf.reverse_v2": _reverse_in_litert}),
        Engine("OpenVINO", {"tf.strided_slice": _strided_in_openvino, "tf.slice": _slice_in_openvino}, plugin_defect),
    ),
    "stablehlo": (Engine("XLA", {}),),
    "openvino": (
        Engine("OpenVINO", {}),
        Engine("OpenVINO's CPU plugin", {FUNCTION: lambda arguments: [in_plugin(arguments)]}, plugin_defect),
    ),
}
"""The engines that may run a model of a format, or of what converters make of it; the format's own comes first."""


# ---- functions that are slices for some arguments ------------------------------------------------------------------


def _gather(data: str, negative: bool) -> Reading:
    """A gather of one constant index is an element; of indices with one difference, a slice."""

    def reading(arguments: Arguments) -> list[Call]:
        indices, axis = arguments[data], arguments.get("axis", 0)
        if isinstance(indices, int):
            if indices < 0 and not negative:
                raise NoSlice(f"index {indices} is negative: an error, or the last elements, by the engine")
            return [Call("xla.index_in_dim", index=indices, axis=axis)]
        return _arithmetic(indices, axis)

    return reading


def _arithmetic(indices: Sequence[int], axis: int) -> list[Call]:
    step = progression(indices)
    if step is None or min(indices) < 0 <= max(indices):
        raise NoSlice(f"indices {list(indices)} are no slice")
    low, high = min(indices), max(indices) + 1
    limit = None if high == 0 else high
    calls = [Call("xla.slice_in_dim", start_index=low, limit_index=limit, stride=abs(step), axis=axis)]
    return calls + ([Call("xla.rev", dimensions=[axis])] if step < 0 else [])


def _reverse(name: str) -> Reading:
    return lambda arguments: [Call("xla.rev", dimensions=arguments[name])]


def _part(arguments: Arguments) -> list[Call]:
    """One output of a split is a slice; an operand whose parts have another length in all is an error anyway."""
    axis, sizes, number = arguments["axis"], arguments["split"], arguments["output"]
    if sizes is None or axis is None or min(sizes, default=0) < 0 or number >= len(sizes):
        raise NoSlice("split: the sizes of its parts are not known")
    first = sum(sizes[:number])
    bounds = {"start_index": first, "limit_index": first + sizes[number]}
    return [Call("xla.slice_in_dim", **bounds, stride=1, axis=axis)]


def _element(arguments: Arguments) -> list[Call]:
    return [Call("xla.index_in_dim", index=arguments["output"], axis=arguments["axis"])]


_OTHERS: Mapping[str, Reading] = {
    "onnx.split": _part,
    "tflite.split": _part,
    "tflite.split_v": _part,
    "tflite.unpack": _element,
    "tf.split": _part,
    "tf.split_v": _part,
    "tf.unpack": _element,
    "openvino.split": _part,
    "openvino.variadic_split": _part,
    "onnx.gather": _gather("indices", True),
    "tf.gather_v2": _gather("indices", False),
    "tflite.gather": _gather("indices", False),
    "openvino.gather": _gather("indices", True),
    "tf.reverse_v2": _reverse("axis"),
    "tflite.reverse_v2": _reverse("axis"),
    "openvino.reverse": _reverse("axes"),
}
_SHOWN_ONLY = frozenset(
    f"{format_}.{operator}"
    for format_, operators in {
        "onnx": "pad scatter_nd tensor_scatter reverse_sequence",
        "tflite": "pad pad_v2 mirror_pad dynamic_update_slice",
        "tf": "pad pad_v2 mirror_pad strided_slice_grad strided_slice_assign tensor_strided_slice_update",
        "openvino": "pad reverse_sequence slice_scatter",
        "xla": "pad dynamic_update_slice real_dynamic_slice gather scatter",
    }.items()
    for operator in operators.split()
)
"""Functions that move other elements than one slice, or write: their meaning is not compared."""
