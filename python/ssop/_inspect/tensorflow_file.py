"""Models of TensorFlow: SavedModels and GraphDefs, by the schema of TensorFlow, which is not started for it."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from ssop._inspect.child import read_in_child
from ssop._inspect.files import checked_file
from ssop._inspect.folding import Unknown, argument, progression
from ssop._inspect.limits import Damaged, text
from ssop._inspect.listing import Slices
from ssop._inspect.records import Argument, Model, NodeCall, SliceNode, unreadable
from ssop._inspect.splits import MAX_OUTPUTS, equal_sizes, given_sizes
from ssop._inspect.tensorflow_lines import PLACE, keys_of, lines_beside, lines_of, source_of
from ssop._inspect.tensorflow_values import MASKS, Scope, Tensor, Values, integer
from ssop._inspect.wire import Bytes

Calls = tuple[NodeCall, ...]

MAX_BYTES = (1 << 31) - 1
"""Of a message of protobuf."""


def read(source: Any) -> Model:
    """The slices of a model, with the lines that made them, if it was saved with debug info; variables are not read.

    Parameters
    ----------
    source : path, bytes, or an object of TensorFlow
        The folder of a SavedModel, its saved_model.pb, the file of a GraphDef (binary, or .pbtxt), or the content of
        one; a GraphDef, a graph or a concrete function.

    Raises
    ------
    SliceValueError : for a file that is neither (im_c1)
    ImportError : without tensorflow
    """
    _check_installed()
    source = getattr(source, "graph", source)
    if hasattr(source, "as_graph_def"):
        source = source.as_graph_def()
    if hasattr(source, "SerializeToString"):
        return read_in_child("tensorflow_file", "<GraphDef>", source.SerializeToString())
    if isinstance(source, (bytes, bytearray, memoryview)):
        return read_in_child("tensorflow_file", "<bytes>", bytes(source))
    path = os.fsdecode(source)
    if os.path.isdir(path):
        names = [name for name in ("saved_model.pb", "saved_model.pbtxt") if os.path.exists(os.path.join(path, name))]
        if not names:
            raise unreadable(path, "the folder has no saved_model.pb")
        path = os.path.join(path, names[0])
    return read_in_child("tensorflow_file", checked_file(path, MAX_BYTES))


def read_text(definition: str) -> Model:
    """The slices of a GraphDef in protobuf's text form."""
    _check_installed()
    return read_in_child("tensorflow_file", "<text>.pbtxt", definition.encode())


def _check_installed() -> None:
    if find_spec("tensorflow") is None:
        message = "a model of TensorFlow needs its schema: pip install tensorflow"
        raise ImportError(message, name="tensorflow")


def model_of(data: bytes, path: str) -> Model:
    """The slices of a file's content; runs in the child."""
    graphs, version = _graphs(data, path)
    scopes: list[Scope] = []
    for name, graph in graphs:
        scopes.append(Scope(len(scopes), name, graph.node))
        for function in graph.library.function:
            path_of_function = f"{name}/{text(function.signature.name)}"
            scopes.append(Scope(len(scopes), path_of_function, function.node_def, function))
    values = Values(scopes)
    slices = Slices()
    keys: list[list[str]] = []
    try:
        for scope in scopes:
            for node, traced_as in _slices(scope, values):
                slices.add(node)
                keys.append(traced_as)
    except Damaged as error:
        raise unreadable(path, str(error)) from None
    nodes = slices.nodes
    operators = sum(len(scope.nodes) for scope in scopes)
    blind = bool(nodes) and all(node.input_shape is None for node in nodes)
    notes = ("the file declares no shapes between nodes",) if blind else ()
    lines, failed = _lines(path, [graph for _, graph in graphs], {key for each in keys for key in each})
    sources = [replace(node, source=source_of(each, lines)) for node, each in zip(nodes, keys, strict=True)]
    return Model(path, "tensorflow", version, tuple(sources), operators, notes + failed)


def _lines(path: str, graphs: Sequence[Any], keys: set[str]) -> tuple[dict[str, str], tuple[str, ...]]:
    """The lines of nodes by their keys, and a note if they cannot be read."""
    found: dict[str, str] = {}
    try:
        for graph in graphs:
            if "debug_info" in graph.DESCRIPTOR.fields_by_name and graph.HasField("debug_info"):
                found |= lines_of(Bytes.of_buffer(graph.debug_info.SerializeToString()), keys)
        return lines_beside(path, keys) | found, ()
    except Damaged as error:
        return found, (f"lines of the program are not told: {PLACE}: {error}",)


def _schema() -> tuple[Any, Any]:
    """The messages SavedModel and GraphDef, imported without the rest of TensorFlow, which takes seconds to start."""
    if "tensorflow" not in sys.modules:
        found = find_spec("tensorflow")
        if found is None or found.submodule_search_locations is None:
            raise ImportError("a model of TensorFlow needs its schema: pip install tensorflow", name="tensorflow")
        package = ModuleType("tensorflow")
        package.__path__ = list(found.submodule_search_locations)
        sys.modules["tensorflow"] = package
    from tensorflow.core.framework.graph_pb2 import GraphDef
    from tensorflow.core.protobuf.saved_model_pb2 import SavedModel

    return SavedModel, GraphDef


def _graphs(data: bytes, path: str) -> tuple[list[tuple[str, Any]], str]:
    """The graphs of a file with their names, and the version of the format."""
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    saved, graph = (message() for message in _schema())
    reason = "it is neither a SavedModel nor a GraphDef"
    for message in (saved, graph):
        try:
            if path.endswith("txt"):
                text_format.Parse(data.decode(), message)
            else:
                message.ParseFromString(data)
        except (DecodeError, UnicodeDecodeError, text_format.ParseError, RecursionError) as error:
            reason = f"it is neither a SavedModel nor a GraphDef: {text(' '.join(str(error).split()))}"
            continue
        if message is saved and any(len(meta.graph_def.node) for meta in saved.meta_graphs):
            metas = [(_name(meta, number), meta) for number, meta in enumerate(saved.meta_graphs)]
            made_by = saved.meta_graphs[0].meta_info_def.tensorflow_version
            return [(name, meta.graph_def) for name, meta in metas], f"SavedModel of TensorFlow {text(made_by)}"
        if message is graph and len(graph.node) and all(node.op for node in graph.node):
            return [("main", graph)], f"GraphDef of producer {graph.versions.producer}"
    raise unreadable(path, reason)


def _name(meta: Any, number: int) -> str:
    return "main" if number == 0 else f"main[{text(', '.join(meta.meta_info_def.tags))}]"


TYPES = {"float": "float32", "double": "float64", "half": "float16"}


def _slices(scope: Scope, values: Values) -> Iterator[tuple[SliceNode, list[str]]]:
    """The slices of a graph or function, with the keys of their traces."""
    function = "" if scope.function is None else scope.function.signature.name
    for node in scope.nodes.values():
        row = READERS.get(node.op)
        inputs = scope.inputs(node) if row is not None else []
        if row is None or len(inputs) < row[1]:
            continue
        reading = Reading(scope, values, node)
        for output in range(min(_outputs(node), MAX_OUTPUTS)):
            reading.output = output
            calls = row[0](reading)
            if calls is None:
                continue
            result = Tensor(scope.number, node.name, output)
            found = SliceNode(
                name=text(node.name),
                operator=node.op,
                calls=calls,
                operand=reading.name(row[2]),
                result=text(f"{node.name}:{output}" if output else node.name),
                input_shape=values.shape(inputs[row[2]]),
                declared_shape=values.shape(result),
                dtype=_dtype(node),
                graph=scope.path,
            )
            yield found, keys_of(node, function)


def _outputs(node: Any) -> int:
    """How many outputs are slices of the operand: more than one of a node that splits."""
    name = {"Split": "num_split", "SplitV": "num_split", "Unpack": "num"}.get(node.op)
    return 1 if name is None else integer(node, name, 1)


def _dtype(node: Any) -> str | None:
    for name in ("T", "Tparams"):
        if name in node.attr:
            from tensorflow.core.framework.types_pb2 import DataType

            number = node.attr[name].type
            word = DataType.Name(number).removeprefix("DT_").lower() if number in DataType.values() else str(number)
            return TYPES.get(word, word)
    return None


class Reading:
    """What the reader of a node needs."""

    def __init__(self, scope: Scope, values: Values, node: Any) -> None:
        self.scope, self.values, self.node = scope, values, node
        self.inputs = scope.inputs(node)
        self.output = 0

    def name(self, number: int) -> str:
        """The name of an input, without the number of its output if that is 0."""
        tensor = self.inputs[number]
        return text(f"{tensor.node}:{tensor.output}" if tensor.output else tensor.node)

    def vector(self, number: int) -> Argument:
        return argument(self.values.of(self.inputs[number]), self.name(number))

    def vectors(self, *names: str, first: int = 1) -> dict[str, Argument]:
        return {name: self.vector(number) for number, name in enumerate(names, first)}

    def one(self, number: int) -> Argument:
        """An input that is a scalar."""
        vector = self.vector(number)
        return vector[0] if type(vector) is tuple and len(vector) == 1 else vector

    def masks(self) -> dict[str, Argument]:
        return {name: integer(self.node, name) for name in MASKS}


# ---- readers of one operator each ----------------------------------------------------------------------------------


def _strided(function: str, first: int) -> Callable[[Reading], Calls]:
    def read_node(reading: Reading) -> Calls:
        vectors = reading.vectors("begin", "end", "strides", first=first)
        return (NodeCall(function, vectors | reading.masks()),)

    return read_node


def _gradient(reading: Reading) -> Calls:
    vectors = reading.vectors("shape", "begin", "end", "strides", first=0)
    return (NodeCall("tf.strided_slice_grad", vectors | reading.masks()),)


def _slice(reading: Reading) -> Calls:
    return (NodeCall("tf.slice", reading.vectors("begin", "size")),)


def _reverse(reading: Reading) -> Calls:
    axes = reading.vector(1)
    if reading.node.op == "Reverse" and type(axes) is tuple:
        axes = tuple([axis for axis, bit in enumerate(axes) if bit])
    return (NodeCall("tf.reverse_v2", {"axis": axes}),)


def _pad(reading: Reading) -> Calls:
    """The rows of the matrix of paddings, as two vectors."""
    function = {"Pad": "tf.pad", "PadV2": "tf.pad_v2", "MirrorPad": "tf.mirror_pad"}[reading.node.op]
    found = reading.values.of(reading.inputs[1])
    if isinstance(found, Unknown) or found.ndim != 2 or found.shape[1] != 2:
        arguments = {"before": reading.vector(1), "after": reading.vector(1)}
    else:
        columns = (argument(found[:, column], reading.name(1)) for column in range(2))
        arguments = dict(zip(("before", "after"), columns, strict=True))
    if "mode" in reading.node.attr:
        arguments["mode"] = text(reading.node.attr["mode"].s)
    return (NodeCall(function, arguments),)


def _gather(reading: Reading) -> Calls | None:
    """A gather is shown if it takes constant indices at equal distances, and not the dims of a shape."""
    indices = reading.values.of(reading.inputs[1])
    producer = reading.scope.nodes.get(reading.inputs[0].node)
    if isinstance(indices, Unknown) or indices.ndim > 1 or (producer is not None and producer.op == "Shape"):
        return None
    items = indices.reshape(-1).tolist()
    if any(isinstance(item, Unknown) for item in items) or progression(items) is None:
        return None
    axis = reading.one(2) if len(reading.inputs) > 2 else 0
    return (NodeCall("tf.gather_v2", {"indices": tuple(items) if indices.ndim else items[0], "axis": axis}),)


def _split(reading: Reading) -> Calls:
    axis, count = reading.one(0), _outputs(reading.node)
    sizes = equal_sizes(reading.values.shape(reading.inputs[1]), axis, count)
    return (NodeCall("tf.split", {"axis": axis, "split": sizes, "output": reading.output, "outputs": count}),)


def _split_v(reading: Reading) -> Calls:
    axis, count = reading.one(2), _outputs(reading.node)
    sizes = given_sizes(reading.values.shape(reading.inputs[0]), axis, reading.vector(1))
    return (NodeCall("tf.split_v", {"axis": axis, "split": sizes, "output": reading.output, "outputs": count}),)


def _unpack(reading: Reading) -> Calls:
    axis = integer(reading.node, "axis")
    return (NodeCall("tf.unpack", {"axis": axis, "output": reading.output, "outputs": _outputs(reading.node)}),)


READERS: dict[str, tuple[Callable[[Reading], Calls | None], int, int]] = {
    "StridedSlice": (_strided("tf.strided_slice", 1), 4, 0),
    "StridedSliceGrad": (_gradient, 5, 4),
    "TensorStridedSliceUpdate": (_strided("tf.tensor_strided_slice_update", 1), 5, 0),
    "StridedSliceAssign": (_strided("tf.strided_slice_assign", 1), 5, 0),
    "ResourceStridedSliceAssign": (_strided("tf.strided_slice_assign", 1), 5, 0),
    "Slice": (_slice, 3, 0),
    "Reverse": (_reverse, 2, 0),
    "ReverseV2": (_reverse, 2, 0),
    "Pad": (_pad, 2, 0),
    "PadV2": (_pad, 3, 0),
    "MirrorPad": (_pad, 2, 0),
    "Gather": (_gather, 2, 0),
    "GatherV2": (_gather, 3, 0),
    "Split": (_split, 2, 1),
    "SplitV": (_split_v, 3, 0),
    "Unpack": (_unpack, 1, 0),
}
"""By operator: its reader, the inputs that it needs, and which of them is sliced."""
