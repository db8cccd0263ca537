"""Models of OpenVINO: the slices of an IR, read without OpenVINO and without its weights."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ssop._inspect import computing
from ssop._inspect.files import checked_file
from ssop._inspect.folding import Folder, Unknown, Value, argument, progression, rearranged, small, unknown_array
from ssop._inspect.limits import MAX_INTEGERS, Damaged, text
from ssop._inspect.listing import Slices
from ssop._inspect.openvino_model import Constants, network_of
from ssop._inspect.openvino_xml import Graph, Layer, Port, Weights, dims_of, parsed
from ssop._inspect.records import Argument, Dim, Model, NodeCall, SliceNode, unreadable
from ssop._inspect.splits import MAX_OUTPUTS, equal_sizes, given_sizes

Calls = tuple[NodeCall, ...]

MASKS = ("begin_mask", "end_mask", "new_axis_mask", "shrink_axis_mask", "ellipsis_mask")


def read(source: Any) -> Model:
    """The slices of an IR.

    Parameters
    ----------
    source : path of the .xml, its content as bytes, or an openvino.Model
        Of the .bin file beside it, the integers of small constants are read. Bytes have none: their bounds are unknown.

    Raises
    ------
    SliceValueError : for a file that is no IR (im_c1)
    """
    if isinstance(source, (bytes, bytearray, memoryview)):
        path, network = "<bytes>", parsed("<bytes>", bytes(source))
        weights: Weights | Constants = Weights(None)
    elif hasattr(source, "get_ordered_ops"):
        path = "<Model>"
        network, weights = network_of(source)
    else:
        path = checked_file(source)
        network, weights = parsed(path), Weights(os.path.splitext(path)[0] + ".bin")
    slices, operators, unseen = Slices(), 0, False
    for graph in sorted(network.graphs, key=lambda graph: graph.path):
        operators += sum(layer.kind not in NO_OPERATORS for layer in graph.layers.values())
        try:
            for node in GraphReader(graph, weights).nodes():
                slices.add(node)
        except Damaged as error:
            raise unreadable(path, str(error)) from None
        unseen = unseen or any(layer.kind == "Const" for layer in graph.layers.values())
    absent = unseen and isinstance(weights, Weights) and not os.path.isfile(weights.path or "")
    notes = ("the .bin file is missing, so that no constant is known",) if absent else ()
    return Model(path, "openvino", text(network.version), tuple(slices.nodes), operators, notes)


NO_OPERATORS = {"Const", "Parameter", "Result"}


class GraphReader:
    """The slices of one graph, and what the integers of its tensors are."""

    def __init__(self, graph: Graph, weights: Weights | Constants) -> None:
        self.graph, self.weights = graph, weights
        self.folder: Folder[Port] = Folder(self._operands, self._compute)
        self.absorbed: set[str] = set()
        self.numbers: dict[str, dict[str, int]] = {}

    def nodes(self) -> Iterator[SliceNode]:
        for layer in self.graph.layers.values():
            reader = READERS.get(layer.kind)
            if reader is None or layer.key in self.absorbed or not layer.inputs or not layer.outputs:
                continue
            reading = Reading(self, layer)
            outputs = len(layer.outputs) if layer.kind in SPLITS else 1
            for output in range(min(outputs, MAX_OUTPUTS)):
                reading.output = output
                calls = reader(reading)
                if calls is not None:
                    yield self._node(layer, calls, output)

    def _node(self, layer: Layer, calls: Calls, output: int) -> SliceNode:
        last, kinds = layer, [layer.kind]
        squeeze = self._squeeze_behind(layer) if layer.kind in SLICES else None
        if squeeze is not None:
            last, call = squeeze
            calls, kinds = (*calls, call), [*kinds, last.kind]
            self.absorbed.add(last.key)
        source = self.graph.edges.get((layer.key, layer.inputs[0]))
        given = self.shape(layer, 0)
        declared = last.shapes[last.outputs[output]]
        fused = [names for names in last.fused if names != last.name]
        return SliceNode(
            name=text(layer.name),
            operator=" + ".join(kinds),
            calls=calls,
            operand=self.tensor(source),
            result=self.tensor((last.key, last.outputs[output])),
            input_shape=given,
            declared_shape=None if given is None and not declared else declared,
            dtype=text(layer.precisions[layer.outputs[0]].lower()) or None,
            graph=text(self.graph.path),
            notes=tuple([f"stands for {text(names)}" for names in fused]),
        )

    def _squeeze_behind(self, layer: Layer) -> tuple[Layer, NodeCall] | None:
        """The Squeeze that alone uses the result of a slice."""
        users = self.graph.users.get((layer.key, layer.outputs[0]), [])
        found = self.graph.layers.get(users[0][0]) if len(users) == 1 else None
        if found is None or found.kind != "Squeeze" or len(found.inputs) != 2 or not found.outputs:
            return None
        axes = self.value(found, 1)
        items = [] if isinstance(axes, Unknown) else axes.reshape(-1).tolist()
        if not items or any(isinstance(item, Unknown) for item in items):
            return None
        return found, NodeCall("openvino.squeeze", {"axes": tuple(items)})

    def shape(self, layer: Layer, number: int) -> tuple[Dim, ...] | None:
        """The shape of an input: of a Parameter as it was given, with intervals."""
        if number >= len(layer.inputs):
            return None
        source = self.graph.edges.get((layer.key, layer.inputs[number]))
        producer = self.graph.layers.get(source[0]) if source is not None else None
        if producer is not None and producer.kind in ("Parameter", "Const") and "shape" in producer.data:
            return dims_of(producer.data["shape"])
        return layer.shapes[layer.inputs[number]] or None

    def tensor(self, port: Port | None) -> str:
        layer = self.graph.layers.get(port[0]) if port is not None else None
        if layer is None or port is None:
            return "?"
        number = self._number(layer, port[1]) if len(layer.outputs) > 1 else None
        return text(layer.name if number is None else f"{layer.name}.{number}")

    def _number(self, layer: Layer, output: str) -> int | None:
        """The place of an output among those of its layer, which may be many."""
        if layer.key not in self.numbers:
            numbered = list(enumerate(layer.outputs))
            self.numbers[layer.key] = {name: number for number, name in reversed(numbered)}
        return self.numbers[layer.key].get(output)

    def value(self, layer: Layer, number: int) -> Value:
        """The integers of an input."""
        source = self.graph.edges.get((layer.key, layer.inputs[number])) if number < len(layer.inputs) else None
        return Unknown(("no input",)) if source is None else self.folder.value(source)

    def _operands(self, port: Port) -> Sequence[Port]:
        layer = self.graph.layers.get(port[0])
        if layer is None or layer.kind not in COMPUTED:
            return []
        edges = [self.graph.edges.get((layer.key, name)) for name in layer.inputs]
        return [edge for edge in edges if edge is not None]

    def _compute(self, port: Port, values: Sequence[Value]) -> Value:
        layer = self.graph.layers.get(port[0])
        if layer is None or self._number(layer, port[1]) is None:
            return Unknown(("a layer that does not exist",))
        if layer.kind == "Const":
            return self.weights.constant(layer)
        shape = layer.shapes[port[1]]
        if layer.kind == "Parameter":
            return unknown_array(dims_of(layer.data.get("shape", "...")), ("input",))
        if layer.kind == "ShapeOf":
            return computing.dims(self.shape(layer, 0), "ShapeOf")
        least, most = INPUTS.get(layer.kind, (2, 2))
        if layer.kind in COMPUTED and len(values) == len(layer.inputs) and least <= len(values) <= most:
            found = COMPUTED[layer.kind](layer, *values)
            if not isinstance(found, Unknown):
                return found
            return unknown_array(shape or None, found.chain)
        return unknown_array(shape or None, (layer.kind,))


class Reading:
    """What the reader of a layer needs."""

    def __init__(self, reader: GraphReader, layer: Layer) -> None:
        self.reader, self.layer = reader, layer
        self.output = 0

    def vector(self, number: int) -> Argument:
        """An input that is a vector, as an argument of a call."""
        source = self.reader.graph.edges.get((self.layer.key, self.layer.inputs[number]))
        return argument(self.reader.value(self.layer, number), self.reader.tensor(source))

    def vectors(self, names: Sequence[str], first: int = 1) -> dict[str, Argument]:
        """The inputs from a number on that are there."""
        there = len(self.layer.inputs) - first
        return {name: self.vector(number) for number, name in enumerate(names[:there], first)}

    def producer(self, number: int) -> Layer | None:
        source = self.reader.graph.edges.get((self.layer.key, self.layer.inputs[number]))
        return None if source is None else self.reader.graph.layers.get(source[0])


def _masks(layer: Layer) -> dict[str, Argument]:
    return {name: _bits(layer.data.get(name, "")) for name in MASKS}


def _bits(text: str) -> tuple[int, ...]:
    bits = text.split(",")[:MAX_INTEGERS] if text.strip() else []
    return tuple([int(bit.strip() not in ("0", "")) for bit in bits])


# ---- readers of one kind of layer each -----------------------------------------------------------------------------


def _strided_slice(reading: Reading) -> Calls:
    vectors = reading.vectors(("begin", "end", "strides"))
    return (NodeCall("openvino.strided_slice", vectors | _masks(reading.layer)),)


def _slice(reading: Reading) -> Calls:
    return (NodeCall("openvino.slice", reading.vectors(("start", "stop", "step", "axes"))),)


def _slice_scatter(reading: Reading) -> Calls:
    return (NodeCall("openvino.slice_scatter", reading.vectors(("start", "stop", "step", "axes"), 2)),)


def _pad(reading: Reading) -> Calls:
    mode = text(reading.layer.data.get("pad_mode", "constant"))
    return (NodeCall("openvino.pad", {**reading.vectors(("pads_begin", "pads_end")), "mode": mode}),)


def _gather(reading: Reading) -> Calls | None:
    """A gather is shown if it takes constant indices at equal distances, and not the dims of a shape."""
    indices = reading.reader.value(reading.layer, 1) if len(reading.layer.inputs) > 2 else Unknown(())
    producer = reading.producer(0)
    if isinstance(indices, Unknown) or (producer is not None and producer.kind == "ShapeOf"):
        return None
    items = indices.reshape(-1).tolist()
    if indices.ndim > 1 or any(isinstance(item, Unknown) for item in items) or progression(items) is None:
        return None
    picked: Argument = tuple(items) if indices.ndim else items[0]
    return (NodeCall("openvino.gather", {"indices": picked, "axis": _one(reading.vector(2))}),)


def _one(vector: Argument) -> Argument:
    return vector[0] if isinstance(vector, tuple) and len(vector) == 1 and type(vector) is tuple else vector


def _reverse(reading: Reading) -> Calls:
    axes = reading.vector(1)
    if reading.layer.data.get("mode") == "mask" and type(axes) is tuple:
        axes = tuple([axis for axis, bit in enumerate(axes) if bit])
    return (NodeCall("openvino.reverse", {"axes": axes}),)


def _reverse_sequence(reading: Reading) -> Calls:
    """The whole axis is reversed if each length is that of the axis."""
    numbers = {name: _integer(reading.layer.data.get(name, "0")) for name in ("batch_axis", "seq_axis")}
    lengths, axis, shape = reading.vector(1), numbers["seq_axis"], reading.reader.shape(reading.layer, 0) or ()
    if type(lengths) is tuple and axis is not None and -len(shape) <= axis < len(shape) and lengths:
        if set(lengths) == {shape[axis]}:
            return (NodeCall("numpy.flip", {"axis": (axis,)}),)
    return (NodeCall("openvino.reverse_sequence", {"seq_lengths": lengths, **numbers}),)


def _split(reading: Reading) -> Calls:
    axis, count = _one(reading.vector(1)), len(reading.layer.outputs)
    shape = reading.reader.shape(reading.layer, 0)
    if _integer(reading.layer.data.get("num_splits", "")) == count:
        sizes: Argument = equal_sizes(shape, axis, count)
    else:  # a damaged file
        sizes = None
    arguments = {"axis": axis, "split": sizes, "output": reading.output, "outputs": count}
    return (NodeCall("openvino.split", arguments),)


def _variadic_split(reading: Reading) -> Calls:
    axis, count = _one(reading.vector(1)), len(reading.layer.outputs)
    sizes = given_sizes(reading.reader.shape(reading.layer, 0), axis, reading.vector(2))
    arguments = {"axis": axis, "split": sizes, "output": reading.output, "outputs": count}
    return (NodeCall("openvino.variadic_split", arguments),)


def _integer(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None


def _with_inputs(count: int, reader: Callable[[Reading], Calls | None]) -> Callable[[Reading], Calls | None]:
    """A reader that leaves layers alone that have too few inputs, of which no engine can make anything."""
    return lambda reading: reader(reading) if len(reading.layer.inputs) >= count else None


READERS: dict[str, Callable[[Reading], Calls | None]] = {
    "StridedSlice": _with_inputs(3, _strided_slice),
    "Slice": _with_inputs(4, _slice),
    "SliceScatter": _with_inputs(5, _slice_scatter),
    "Pad": _with_inputs(3, _pad),
    "Gather": _with_inputs(3, _gather),
    "Reverse": _with_inputs(2, _reverse),
    "ReverseSequence": _with_inputs(2, _reverse_sequence),
    "Split": _with_inputs(2, _split),
    "VariadicSplit": _with_inputs(3, _variadic_split),
}

SLICES, SPLITS = {"StridedSlice", "Slice"}, {"Split", "VariadicSplit"}


# ---- what layers compute -------------------------------------------------------------------------------------------


def _bits_of(layer: Layer) -> int:
    digits = layer.precisions[layer.outputs[0]].lstrip("IUiu")
    return min(int(digits), 64) if digits.isascii() and digits.isdigit() and len(digits) < 3 and int(digits) else 64


def _arithmetic(name: str) -> Callable[..., Value]:
    return lambda layer, *values: computing.arithmetic(name, layer.kind, _bits_of(layer), *values)


def _same(layer: Layer, x: Value, *_: Value) -> Value:
    return computing.arithmetic("same", layer.kind, _bits_of(layer), x)


def _divided(layer: Layer, *values: Value) -> Value:
    name = "truncatediv" if layer.data.get("m_pythondiv") == "false" else "floordiv"
    return computing.arithmetic(name, layer.kind, _bits_of(layer), *values)


def _squeezed(layer: Layer, x: Value, axes: Value | None = None) -> Value:
    listed = [] if axes is None or isinstance(axes, Unknown) else axes.reshape(-1).tolist()
    return axes.then(layer.kind) if isinstance(axes, Unknown) else computing.squeezed(layer.kind, x, listed)


def _concatenated(layer: Layer, *values: Value) -> Value:
    axis = _integer(layer.data.get("axis", "0")) or 0
    inputs = zip(values, layer.inputs, strict=True)
    parts = [unknown_array(layer.shapes[port] or None, x.chain) if isinstance(x, Unknown) else x for x, port in inputs]
    return computing.concatenated(layer.kind, axis, parts)


def _strided(layer: Layer, x: Value, *bounds: Value) -> Value:
    vectors = [_bits(layer.data.get(name, "")) for name in MASKS]
    bits = [sum(1 << place for place, bit in enumerate(vector) if bit) for vector in vectors]
    begin, end, new, shrink, ellipsis = [number & 0x7FFFFFFF for number in bits]
    return computing.strided(layer.kind, x, bounds, (begin, end, ellipsis, new, shrink))


def _broadcast(layer: Layer, x: Value, *_: Value) -> Value:
    shape = small(layer.shapes[layer.outputs[0]] or None)
    return rearranged(layer.kind, lambda array: np.broadcast_to(array, shape or ()), x)


COMPUTED: dict[str, Callable[..., Value]] = {
    **{
        kind: _arithmetic(name)
        for kind, name in {
            "Abs": "abs",
            "Add": "add",
            "Ceiling": "ceiling",
            "Equal": "equal",
            "Floor": "floor",
            "FloorMod": "floormod",
            "Greater": "greater",
            "GreaterEqual": "greater_equal",
            "Less": "less",
            "LessEqual": "less_equal",
            "LogicalAnd": "and",
            "LogicalNot": "not",
            "LogicalOr": "or",
            "Maximum": "maximum",
            "Minimum": "minimum",
            "Multiply": "multiply",
            "Negative": "negative",
            "NotEqual": "not_equal",
            "Sign": "sign",
            "Subtract": "subtract",
        }.items()
    },
    "Broadcast": _broadcast,
    "Concat": _concatenated,
    "Convert": _same,
    "ConvertLike": _same,
    "Divide": _divided,
    "Gather": lambda layer, x, indices, axis: computing.gathered(layer.kind, x, indices, axis),
    "Reshape": lambda layer, x, shape: computing.reshaped(layer.kind, x, shape),
    "Select": lambda layer, condition, a, b: computing.chosen(layer.kind, condition, a, b),
    "Squeeze": _squeezed,
    "StridedSlice": _strided,
    "Unsqueeze": lambda layer, x, axes: computing.unsqueezed(layer.kind, x, axes),
}

MANY = 1 << 30
INPUTS = {
    **dict.fromkeys(("Abs", "Ceiling", "Convert", "Floor", "LogicalNot", "Negative", "Sign"), (1, 1)),
    **dict.fromkeys(("Gather", "Select"), (3, 3)),
    "Broadcast": (1, 3),
    "Concat": (1, MANY),
    "Squeeze": (1, 2),
    "StridedSlice": (3, 4),
}
"""How many inputs a layer has at least and at most, if that is not two: one with others is damaged, and unknown."""
