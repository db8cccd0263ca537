"""Slices of ONNX models, read with the `onnx` package's schema: no runtime, no checker, no shape inference, no weights.

Integers that are constants, or follow from constants and declared dims, are computed; of all others it is said which
operators compute them. External data is never opened.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from ssop._convert.errors import optional_module
from ssop._errors import kind_of
from ssop._inspect.files import open_file
from ssop._inspect.limits import MAX_GRAPHS, MAX_NESTING, MAX_OPERATORS, MAX_TEXT, Damaged, text
from ssop._inspect.listing import Slices
from ssop._inspect.onnx_nodes import Found, is_slicing, moved_axes, read_node
from ssop._inspect.onnx_values import EXTERNAL, STANDARD, Folder, Scope
from ssop._inspect.onnx_wire import without_weights
from ssop._inspect.records import Model, SliceNode, unreadable
from ssop._inspect.wire import Bytes

STACK_TRACE = "pkg.torch.onnx.stack_trace"
FRAME = re.compile(r'File "([^"\n]{1,500})", line (\d{1,9})')
LEGACY_FRAME = re.compile(r"^([^\n():]{1,500})\((\d{1,9})\): ", flags=re.M)
"""How torch's older exporter writes a line of the program in the doc_string of a node."""


def read(source: Any) -> Model:
    """The slices of a model: of a file, of the bytes of one, or of an onnx.ModelProto or an onnx_ir.Model."""
    schema = optional_module("onnx.onnx_ml_pb2", "a model of ONNX")
    path = text(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else f"<{type(source).__name__}>"
    try:
        model = source if isinstance(source, schema.ModelProto) else _parsed(source, schema.ModelProto)
        return _Reader(model).read(path)
    except Damaged as error:
        raise unreadable(path, str(error)) from None


def _parsed(source: Any, message: Any) -> Any:
    if type(source).__module__.partition(".")[0] == "onnx_ir":
        return optional_module("onnx_ir", "a model of onnx_ir").to_proto(source)
    decode_error = optional_module("google.protobuf.message", "a model of ONNX").DecodeError
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = without_weights(Bytes.of_buffer(source), message)
    elif isinstance(source, (str, os.PathLike)):
        with open_file(source) as opened:
            content = without_weights(Bytes.of_file(opened), message)
    else:
        wanted = "a path, bytes or an onnx.ModelProto"
        raise Damaged(f"it is {kind_of(source)}, not {wanted}")
    try:
        return message.FromString(content)
    except decode_error as error:
        raise Damaged(f"it is no model of ONNX, or a damaged one: {text(str(error))}") from None


class _Reader:
    def __init__(self, model: Any) -> None:
        self.model = model
        self.folder = Folder()
        self.operators = self.graphs = 0
        self.slices = Slices()
        self.external = self.outside = self.without_rank = 0
        self.sequence = 0

    def read(self, path: str) -> Model:
        model = self.model
        if not model.HasField("graph") or not (model.graph.node or model.graph.output):
            raise Damaged("it is no model of ONNX: it has no graph")
        opset = _opset(model.opset_import)
        scope = self._scope(model.graph, "main", opset, None, 0)
        self._read_graph(scope, model.graph)
        for function in model.functions:
            inside = self._opened(f"function {text(function.name)}", _opset(function.opset_import) or opset)
            inside.inputs.update(function.input)
            inside.infos.update((info.name, info) for info in function.value_info)
            self._define(inside, function.node, function.output, 0)
            self._read_graph(inside, function)
        version = f"IR {model.ir_version}, opset {'?' if opset is None else opset}"
        producer = text(f"{model.producer_name} {model.producer_version}".strip())
        return Model(
            path,
            "onnx",
            f"{version}, {producer}" if producer else version,
            tuple(self.slices.nodes),
            self.operators,
            tuple(self._notes(opset)),
        )

    def _notes(self, opset: int | None) -> Iterator[str]:
        if opset is None:
            yield "it does not say which opset of ONNX it is of"
        if self.without_rank and not self.model.graph.value_info:
            yield f"it declares no shapes between nodes, so that {self.without_rank} slices have operands of any shape"
        if self.external:
            yield f"external data of {self.external} tensors was not read"
        if self.outside:
            yield f"{self.outside} tensors name external data outside of the folder of the model"
        if self.folder.left <= 0:
            yield "it has so many constants that not all bounds were computed"

    # ---- names -----------------------------------------------------------------------------------------------------

    def _opened(self, path: str, opset: int | None, parent: Scope | None = None) -> Scope:
        self.graphs += 1
        if self.graphs > MAX_GRAPHS:
            raise Damaged(f"it has more than {MAX_GRAPHS} graphs")
        return Scope(path, opset, parent)

    def _scope(self, graph: Any, path: str, opset: int | None, parent: Scope | None, depth: int) -> Scope:
        scope = self._opened(path, opset, parent)
        scope.inputs.update(info.name for info in graph.input)
        for infos in (graph.value_info, graph.output, graph.input):
            scope.infos.update((info.name, info) for info in infos)
        for tensor in graph.initializer:
            scope.tensors[tensor.name] = tensor
            self._look_at_data(tensor)
        scope.inputs -= scope.tensors.keys()  # before IR 4 each initializer was listed among the inputs, too
        self._define(scope, graph.node, [info.name for info in graph.output], depth)
        return scope

    def _look_at_data(self, tensor: Any) -> None:
        if tensor.data_location == EXTERNAL:
            self.external += 1
            place = next((entry.value for entry in tensor.external_data if entry.key == "location"), "")
            parts = re.split(r"[/\\]", text(place))
            self.outside += parts[0] == "" or ".." in parts or parts[0].endswith(":")

    def _define(self, scope: Scope, nodes: Iterable[Any], outputs: Iterable[str], depth: int) -> None:
        """Note who makes and who uses each name, in the graphs inside, too; compute small integers."""
        if depth > MAX_NESTING:
            raise Damaged(f"graphs are nested more than {MAX_NESTING} deep")
        scope.uses.update(outputs)
        for node in nodes:
            self.operators += 1
            if self.operators > MAX_OPERATORS:
                raise Damaged(f"it has more than {MAX_OPERATORS} operators")
            for name in node.output:
                scope.producers[name] = node
            scope.uses.update(node.input)
            if node.op_type in ("Squeeze", "Unsqueeze") and node.domain in STANDARD and node.input:
                scope.readers[node.input[0]] = node
        scope.producers.pop("", None)
        self.folder.fold(scope, nodes)
        for node in nodes:
            for name, graph in _graphs(node):
                path = f"{scope.path[:MAX_TEXT]}/{_name(node)}.{name}"
                inner = self._scope(graph, path, scope.opset, scope, depth + 1)
                scope.inner.append(inner)
                scope.uses.update(inner.uses)

    # ---- slices ----------------------------------------------------------------------------------------------------

    def _read_graph(self, scope: Scope, graph: Any) -> None:
        inner = iter(scope.inner)
        for node in graph.node:
            if node.domain in STANDARD and is_slicing(node):
                source = _source(node)
                for found in read_node(scope, node):
                    self._add(scope, node, found, source)
            for _, inside in _graphs(node):
                self._read_graph(next(inner), inside)

    def _add(self, scope: Scope, node: Any, found: Found, source: str | None) -> None:
        calls, operators, operand, result = moved_axes(scope, node, found)
        kind, dims, notes = scope.info(operand)
        declared = scope.declared(result)[1]
        self.without_rank += dims is None
        self.slices.add(
            SliceNode(
                name=_name(node),
                operator=" + ".join(operators),
                calls=tuple(calls),
                operand=text(operand),
                result=text(result),
                input_shape=dims,
                declared_shape=declared,
                dtype=_dtype(kind),
                graph=scope.path,
                source=source,
                opset=scope.opset,
                index_dtype=found.index_dtype,
                notes=(*notes, *found.notes),
            )
        )


def _opset(imports: Iterable[Any]) -> int | None:
    return max((each.version for each in imports if each.domain in STANDARD), default=None)


def _graphs(node: Any) -> Iterator[tuple[str, Any]]:
    for each in node.attribute:
        if each.HasField("g"):
            yield text(each.name), each.g
        for number, graph in enumerate(each.graphs):
            yield f"{text(each.name)}[{number}]", graph


def _name(node: Any) -> str:
    return text(node.name or next(iter(node.output), "") or node.op_type)


def _source(node: Any) -> str | None:
    """The line of the program, as torch's exporters write it."""
    trace = next((each.value for each in node.metadata_props if each.key == STACK_TRACE), None)
    if trace is not None:
        frames = FRAME.findall(trace if isinstance(trace, str) else text(trace))
        return text(f"{frames[-1][0]}:{frames[-1][1]}") if frames else None
    frame = LEGACY_FRAME.search(node.doc_string) if isinstance(node.doc_string, str) else None
    return text(f"{frame[1]}:{frame[2]}") if frame else None


_DTYPES = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32", 7: "int64", 8: "str", 9: "bool",
    10: "float16", 11: "float64", 12: "uint32", 13: "uint64", 14: "complex64", 15: "complex128", 16: "bfloat16",
}  # fmt: skip


def _dtype(kind: int | None) -> str | None:
    if kind is None or kind in _DTYPES:
        return _DTYPES.get(kind or 0)
    return f"type {kind}"
