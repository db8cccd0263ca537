"""TFLite files that are made table by table."""

from importlib import import_module
from typing import NamedTuple

import flatbuffers
import numpy as np
import tflite

# The package has classes by the names of these modules.
Buffer, Model, Operator, OperatorCode, SubGraph, TensorTable = (
    import_module(f"tflite.{name}") for name in ("Buffer", "Model", "Operator", "OperatorCode", "SubGraph", "Tensor")
)

TYPES = {"float32": tflite.TensorType.FLOAT32, "int32": tflite.TensorType.INT32, "int64": tflite.TensorType.INT64}


class Tensor(NamedTuple):
    """A tensor; with values, a constant. `data` are other bytes than the values have."""

    name: str
    shape: tuple = ()
    dtype: str = "float32"
    values: tuple | None = None
    signature: tuple | None = None
    data: bytes | None = None
    behind: bool = False
    """Whether its bytes stand behind the tables, as in files of more than 2 GB."""


class Op(NamedTuple):
    """An operator: the numbers of its tensors, and the fields of its options."""

    name: str
    inputs: tuple
    outputs: tuple
    options: str | None = None
    fields: dict | None = None
    union: str = "BuiltinOptions"


def constant(name, values, dtype="int32"):
    return Tensor(name, np.shape(values), dtype, values)


def _vector(builder, start, items):
    start(builder, len(items))
    for item in reversed(items):
        builder.PrependUOffsetTRelative(item)
    return builder.EndVector()


def _options(builder, op):
    lists = {key: builder.CreateNumpyVector(np.array(v)) for key, v in op.fields.items() if isinstance(v, list)}
    module = import_module(f"tflite.{op.options}Options")
    module.Start(builder)
    for key, value in op.fields.items():
        getattr(module, f"Add{key}")(builder, lists.get(key, value))
    return module.End(builder)


def _operator(builder, codes, op):
    options = None if op.options is None else _options(builder, op)
    inputs, outputs = (builder.CreateNumpyVector(np.array(each, np.int32)) for each in (op.inputs, op.outputs))
    Operator.Start(builder)
    Operator.AddOpcodeIndex(builder, codes.index(op.name))
    Operator.AddInputs(builder, inputs)
    Operator.AddOutputs(builder, outputs)
    if options is not None:
        kinds = getattr(tflite, op.union)
        getattr(Operator, f"Add{op.union}Type")(builder, getattr(kinds, f"{op.options}Options"))
        getattr(Operator, f"Add{op.union}")(builder, options)
    return Operator.End(builder)


def _tensor(builder, tensor, buffer):
    shape = builder.CreateNumpyVector(np.array(tensor.shape, np.int32))
    signature = None if tensor.signature is None else builder.CreateNumpyVector(np.array(tensor.signature, np.int32))
    name = builder.CreateString(tensor.name)
    TensorTable.Start(builder)
    TensorTable.AddShape(builder, shape)
    TensorTable.AddType(builder, TYPES[tensor.dtype])
    TensorTable.AddBuffer(builder, buffer)
    TensorTable.AddName(builder, name)
    if signature is not None:
        TensorTable.AddShapeSignature(builder, signature)
    return TensorTable.End(builder)


def _buffer(builder, content, place):
    data = None if content is None or place else builder.CreateByteVector(content)
    Buffer.Start(builder)
    if data is not None:
        Buffer.AddData(builder, data)
    if place:
        Buffer.AddOffset(builder, place)
        Buffer.AddSize(builder, len(content))
    return Buffer.End(builder)


def _content(tensor):
    if tensor.data is not None:
        return tensor.data
    return None if tensor.values is None else np.array(tensor.values, tensor.dtype).tobytes()


def model(ops, tensors, inputs=(0,), others=()):
    """The bytes of a file whose main subgraph has these operators; `others` are pairs for further subgraphs."""
    graphs = [(ops, tensors), *others]
    contents = [None] + [_content(tensor) for _, listed in graphs for tensor in listed]
    behind = [False] + [tensor.behind for _, listed in graphs for tensor in listed]
    tail = b"".join(content for content, far in zip(contents, behind, strict=True) if far)
    length = len(_file(graphs, inputs, contents, [1 << 20 if far else 0 for far in behind]))
    places, place = [], length
    for content, far in zip(contents, behind, strict=True):
        places.append(place if far else 0)
        place += len(content) if far else 0
    return _file(graphs, inputs, contents, places) + tail


def _file(graphs, inputs, contents, places):
    builder = flatbuffers.Builder(1 << 12)
    codes = sorted({op.name for ops, _ in graphs for op in ops})
    made_codes = []
    for name in codes:
        OperatorCode.Start(builder)
        code = getattr(tflite.BuiltinOperator, name)
        OperatorCode.AddDeprecatedBuiltinCode(builder, min(code, 127))
        OperatorCode.AddBuiltinCode(builder, code)
        made_codes.append(OperatorCode.End(builder))
    buffers = [_buffer(builder, content, place) for content, place in zip(contents, places, strict=True)]
    subgraphs, first = [], 1
    for number, (ops, tensors) in enumerate(graphs):
        made = [_tensor(builder, tensor, first + place) for place, tensor in enumerate(tensors)]
        first += len(tensors)
        operators = [_operator(builder, codes, op) for op in ops]
        given = builder.CreateNumpyVector(np.array(inputs if number == 0 else (0,), np.int32))
        tables = _vector(builder, SubGraph.StartTensorsVector, made)
        listed = _vector(builder, SubGraph.StartOperatorsVector, operators)
        name = builder.CreateString(f"graph{number}")
        SubGraph.Start(builder)
        SubGraph.AddTensors(builder, tables)
        SubGraph.AddInputs(builder, given)
        SubGraph.AddOperators(builder, listed)
        SubGraph.AddName(builder, name)
        subgraphs.append(SubGraph.End(builder))
    vectors = {
        "OperatorCodes": _vector(builder, Model.StartOperatorCodesVector, made_codes),
        "Subgraphs": _vector(builder, Model.StartSubgraphsVector, subgraphs),
        "Buffers": _vector(builder, Model.StartBuffersVector, buffers),
    }
    description = builder.CreateString("made by hand")
    Model.Start(builder)
    Model.AddVersion(builder, 3)
    Model.AddDescription(builder, description)
    for name, vector in vectors.items():
        getattr(Model, f"Add{name}")(builder, vector)
    builder.Finish(Model.End(builder), file_identifier=b"TFL3")
    return bytes(builder.Output())
