"""Updates and pads: the slice that an update writes to, and where a pad puts its operand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ssop._inspect.records import NodeCall, SliceNode

Triples = list[tuple[int, int, int]]

WRITTEN: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "tf.strided_slice_assign": ("tf.strided_slice", {}),
    "tf.tensor_strided_slice_update": ("tf.strided_slice", {}),
    "openvino.slice_scatter": ("openvino.slice", {}),
    "onnx.scatter_nd": ("onnx.gather", {}),
    "tflite.dynamic_update_slice": ("xla.dynamic_slice", {"sizes": "slice_sizes"}),
    "xla.scatter": ("xla.slice", {}),
    "xla.dynamic_update_slice": ("xla.dynamic_slice", {"update_shape": "slice_sizes"}),
}
"""For each update the function that takes what it writes to, and the arguments that have another name there."""

PADS = frozenset(
    ["onnx.pad", "tf.pad", "tf.pad_v2", "tf.mirror_pad", "tflite.pad", "tflite.pad_v2", "tflite.mirror_pad"]
    + ["openvino.pad", "xla.pad"]
)


def is_update(node: SliceNode) -> bool:
    return len(node.calls) == 1 and node.calls[0].function in WRITTEN


def written(node: SliceNode) -> SliceNode | None:
    """The node that takes the elements which this one writes, if it is an update."""
    if not is_update(node):
        return None
    (call,) = node.calls
    function, names = WRITTEN[call.function]
    arguments = {names.get(name, name): value for name, value in call.arguments.items()}
    return replace(node, calls=(NodeCall(function, arguments),))


def is_pad(node: SliceNode) -> bool:
    return len(node.calls) == 1 and node.calls[0].function in PADS


def padding_of(node: SliceNode) -> Triples | None:
    """For each axis what a pad puts before, behind and between its elements; None if that is not known."""
    (call,) = node.calls
    if call.at_run_time:
        return None
    arguments: Mapping[str, Any] = call.arguments
    if call.function == "onnx.pad":
        return _of_onnx(arguments, None if node.input_shape is None else len(node.input_shape))
    if call.function.startswith("tflite."):
        pairs = arguments.get("paddings")
        return None if pairs is None else _triples(pairs[::2], pairs[1::2])
    columns: list[Any] = [arguments.get(name) for name in COLUMNS[call.function.partition(".")[0]]]
    return None if any(column is None for column in columns) else _triples(*columns)


COLUMNS = {
    "tf": ("before", "after"),
    "openvino": ("pads_begin", "pads_end"),
    "xla": ("edge_padding_low", "edge_padding_high", "interior_padding"),
}


def _triples(low: Sequence[int], high: Sequence[int], interior: Sequence[int] | None = None) -> Triples | None:
    between = [0] * len(low) if interior is None else interior
    return list(zip(low, high, between, strict=True)) if len(low) == len(high) == len(between) else None


def _of_onnx(arguments: Mapping[str, Any], rank: int | None) -> Triples | None:
    """Those before all axes come first, and only `axes` are padded, if there are any."""
    pads, axes = arguments.get("pads"), arguments.get("axes")
    if pads is None or len(pads) % 2:
        return None
    half = len(pads) // 2
    listed = _triples(pads[:half], pads[half:])
    if axes is None or listed is None:
        return listed
    if rank is None or len(axes) != half or not all(-rank <= axis < rank for axis in axes):
        return None
    placed = dict(zip((axis % rank for axis in axes), listed, strict=True))
    return [placed.get(axis, (0, 0, 0)) for axis in range(rank)]


def mode_of(node: SliceNode) -> str:
    """What a pad fills with: "constant", "reflect", "symmetric", "edge", "wrap"."""
    mode = node.calls[0].arguments.get("mode")
    return mode.lower() if isinstance(mode, str) else "constant"
