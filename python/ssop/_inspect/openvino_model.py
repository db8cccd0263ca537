"""The graphs of an `openvino.Model` in memory, in the form of those of a file. OpenVINO is not imported here."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ssop._inspect.folding import MAX_ITEMS, Unknown, Value, constant_of
from ssop._inspect.openvino_xml import MAX_BODIES, MAX_NAME, Graph, Layer, Network
from ssop._inspect.records import Dim

BODIES = {
    "If": (("then_body", "get_then_body"), ("else_body", "get_else_body")),
    "Loop": (("body", "get_function"),),
    "TensorIterator": (("body", "get_body"),),
}
"""By type of an operator the names of its bodies, as a file has them, and the methods that give them."""


class Constants:
    """The constants of a model in memory, by layer."""

    path = None

    def __init__(self) -> None:
        self.operators: dict[int, Any] = {}

    def constant(self, layer: Layer) -> Value:
        operator = self.operators.get(id(layer))
        if operator is None or layer.data.get("items", "") == "many":
            return Unknown(("Const",))
        return constant_of(np.asarray(operator.data))


def network_of(model: Any) -> tuple[Network, Constants]:
    """The graphs of a model and of the bodies of its operators, and its constants."""
    constants, waiting = Constants(), [("main", model)]
    graphs: list[Graph] = []
    while waiting and len(graphs) < MAX_BODIES:
        path, body = waiting.pop()
        graph = Graph(path)
        graphs.append(graph)
        for operator in body.get_ordered_ops():
            layer = _layer(operator)
            graph.layers[layer.key] = layer
            if layer.kind == "Const":
                constants.operators[id(layer)] = operator
            for target, source in _edges(operator, layer):
                graph.edges[layer.key, target] = source
                graph.users.setdefault(source, []).append((layer.key, target))
            waiting += [(f"{path}/{layer.name[:MAX_NAME]}.{name}", inner) for name, inner in _bodies(operator, layer)]
    return Network("model in memory", graphs), constants


def _layer(operator: Any) -> Layer:
    kind = operator.get_type_name()
    layer = Layer(operator.get_name(), operator.get_friendly_name(), "Const" if kind == "Constant" else kind)
    inputs = operator.get_input_size()
    layer.inputs = [str(number) for number in range(inputs)]
    for number, output in enumerate(operator.outputs(), inputs):
        port, shape = str(number), output.get_partial_shape()
        layer.outputs.append(port)
        layer.shapes[port] = () if shape.rank.is_dynamic else tuple(_dim(dim) for dim in shape)
        layer.precisions[port] = output.get_element_type().get_type_name()
    for number, source in enumerate(operator.input_values()):
        shape = source.get_partial_shape()
        layer.shapes[str(number)] = () if shape.rank.is_dynamic else tuple(_dim(dim) for dim in shape)
    data = {name: _text(value) for name, value in operator.get_attributes().items()}
    if kind == "Parameter":
        data["shape"] = str(operator.get_partial_shape()).strip("[]")
    elif kind == "Constant":
        data["items"] = "many" if np.prod(list(operator.shape), dtype=object) > MAX_ITEMS else ""
    layer.data = data
    return layer


def _text(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value).lower()


def _dim(dim: Any) -> Dim:
    if dim.is_static:
        return int(dim.get_length())
    least, most = int(dim.get_min_length()), int(dim.get_max_length())
    return None if least == 0 and most < 0 else (least, None if most < 0 else most)


def _edges(operator: Any, layer: Layer) -> Iterator[tuple[str, tuple[str, str]]]:
    for target, source in zip(layer.inputs, operator.input_values(), strict=True):
        node = source.get_node()
        yield target, (node.get_name(), str(source.get_index() + node.get_input_size()))


def _bodies(operator: Any, layer: Layer) -> Iterator[tuple[str, Any]]:
    for name, method in BODIES.get(layer.kind, ()):
        if hasattr(operator, method):
            yield name, getattr(operator, method)()
