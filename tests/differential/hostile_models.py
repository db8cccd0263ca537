"""Good models, and changes of their bytes: for tests and for fuzz/models.py."""

import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from onnx import ModelProto, TensorProto, helper, numpy_helper

from differential.tflite_models import Op, Tensor, constant
from differential.tflite_models import model as tflite_model
from ssop import SliceValueError
from ssop._inspect import onnx_file, openvino_file, tensorflow_file, tflite_file
from ssop._inspect.inspection import inspected
from ssop._inspect.records import Model
from unit.ir_files import SLICED, WEIGHTS


def _onnx():
    """A graph with what the reader looks at: constants, shapes, a graph inside, a function, external data."""
    lists = {"s": [1], "e": [2**63 - 1], "a": [-1], "t": [-2], "z": [0]}
    tensors = [numpy_helper.from_array(np.array(value), name) for name, value in lists.items()]
    tensors += [helper.make_tensor("w", TensorProto.INT32, [2, 2], [1, 2, 3, 4])]
    outside = TensorProto(name="far", data_type=TensorProto.FLOAT, dims=[4], data_location=TensorProto.EXTERNAL)
    outside.external_data.add(key="location", value="../weights")
    branch = helper.make_graph(
        [helper.make_node("Slice", ["x", "s", "n"], ["b"]), helper.make_node("Squeeze", ["b", "z"], ["c"])],
        "branch",
        [],
        [helper.make_tensor_value_info("c", TensorProto.FLOAT, None)],
    )
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Gather", ["shape", "z"], ["n"]),
        helper.make_node("Constant", [], ["two"], value=numpy_helper.from_array(np.array([2]), "")),
        helper.make_node("Sub", ["n", "two"], ["m"]),
        helper.make_node("Concat", ["m", "z"], ["o"], axis=0),
        helper.make_node("Slice", ["x", "o", "w", "a", "t"], ["y"], name="first"),
        helper.make_node("Slice", ["y", "s", "e", "a", "t"], ["y1"], name="second"),
        helper.make_node("Squeeze", ["y1", "z"], ["y2"]),
        helper.make_node("If", ["x"], ["y3"], then_branch=branch, else_branch=branch),
        helper.make_node("Split", ["y3"], ["y4", "y5"], axis=0, num_outputs=2),
        helper.make_node("Pad", ["y4", "w"], ["y6"], mode="edge"),
        helper.make_node("Gather", ["y6", "w"], ["y7"], axis=1),
        helper.make_node("Gather", ["y7", "two"], ["y8"], axis=1),
        helper.make_node("ReverseSequence", ["y8", "s"], ["y9"], time_axis=0),
        helper.make_node("ScatterND", ["y9", "s", "x"], ["y10"]),
        helper.make_node("Crop", ["y10"], ["out"], domain="local"),
    ]
    inner = helper.make_node("Slice", ["a", "a", "a"], ["b"])
    function = helper.make_function("local", "Crop", ["a"], ["b"], [inner], [helper.make_opsetid("", 18)])
    graph = helper.make_graph(
        nodes,
        "graph",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, "n", -1])],
        [helper.make_tensor_value_info("out", TensorProto.FLOAT, None)],
        [*tensors, outside],
        value_info=[helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 2, None])],
    )
    imports = [helper.make_opsetid("", 18), helper.make_opsetid("local", 1)]
    new = helper.make_model(graph, opset_imports=imports, functions=[function])
    old = helper.make_model(
        helper.make_graph(
            [helper.make_node("Slice", ["x"], ["y"], starts=[1, 0], ends=[-1, 4], axes=[0, 1])],
            "old",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, 4])],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 4])],
        ),
        opset_imports=[helper.make_opsetid("", 9)],
    )
    return [model.SerializeToString() for model in (new, old)]


def _tflite():
    """Two subgraphs with most operators that the reader knows, integers that are computed, and buffers at the end."""
    tensors = [
        Tensor("x", (1, 4, 6), signature=(-1, 4, 6)),
        constant("begin", (0, 1, -1)),
        constant("end", (0, 2**31 - 1, 0))._replace(behind=True),
        constant("strides", (1, 2, -1)),
        Tensor("shape", (3,), "int32"),
        constant("one", (1,)),
        constant("two", (2,)),
        Tensor("dim", (), "int32"),
        Tensor("size", (3,), "int32"),
        constant("axis", 1),
        constant("indices", (0, 1, 2)),
        constant("pads", ((0, 0), (1, 2), (0, 0)), "int64"),
        *[Tensor(f"y{number}", (1, 4, 6)) for number in range(10)],
    ]
    fields = {"BeginMask": 1, "EndMask": 4, "EllipsisMask": 0, "NewAxisMask": 0, "ShrinkAxisMask": 2, "Offset": False}
    ops = [
        Op("SHAPE", (0,), (4,)),
        Op("STRIDED_SLICE", (4, 5, 6, 5), (7,), "StridedSlice", {"ShrinkAxisMask": 1}),
        Op("SUB", (7, 9), (7,)),
        Op("PACK", (9, 7, 9), (8,), "Pack", {"Axis": 0, "ValuesCount": 3}),
        Op("STRIDED_SLICE", (0, 1, 2, 3), (12,), "StridedSlice", fields),
        Op("SLICE", (12, 1, 8), (13,)),
        Op("GATHER", (13, 10), (14,), "Gather", {"Axis": 1}),
        Op("PADV2", (14, 11, 0), (15,)),
        Op("REVERSE_V2", (15, 5), (16,)),
        Op("SPLIT", (9, 16), (17, 18)),
        Op("UNPACK", (18,), (19, 20), "Unpack", {"Axis": 0, "Num": 2}),
        Op("DYNAMIC_UPDATE_SLICE", (19, 20, 1), (21,)),
    ]
    lists = {"StartIndices": [0, 1, 2], "LimitIndices": [1, 3, 4], "Strides": [1, 1, 2]}
    inner = [
        Op("STABLEHLO_SLICE", (0,), (12,), "StablehloSlice", lists, "BuiltinOptions2"),
        Op("CONCATENATION", (4, 5, 6), (8,), "Concatenation", {"Axis": 0}),
        Op("SLICE", (12, 8, 8), (13,)),
    ]
    return [tflite_model(ops, tensors, others=[(inner, tensors)])]


def _openvino():
    """A slice whose bounds are computed from dims and constants; the .bin file beside it is whole."""
    return [SLICED.encode()]


def _tensorflow():
    """A graph with a slice of computed bounds, and one that has it in a function that is called."""
    saved, graph = (message() for message in tensorflow_file._schema())
    rows = [
        ("Placeholder", [], {"shape": [2, -1]}),
        ("Const", [], {"value": [1, 0]}),
        ("Shape", ["n0"], {}),
        ("Const", [], {"value": [1, 1]}),
        ("Sub", ["n2", "n3"], {"T": 3}),
        ("StridedSlice", ["n0", "n1", "n4", "n3"], {"T": 1, "begin_mask": 2}),
        ("Split", ["n1", "n5"], {"num_split": 2}),
        ("Slice", ["n5", "n1", "n4"], {"T": 1}),
    ]
    function = graph.library.function.add()
    function.signature.name = "f"
    for nodes in (graph.node, function.node_def):
        for number, (op, inputs, attributes) in enumerate(rows):
            node = nodes.add(name=f"n{number}", op=op, input=inputs)
            for name, value in attributes.items():
                _set(node.attr[name], name, value)
    call = graph.node.add(name="call", op="PartitionedCall", input=["n0"])
    call.attr["f"].func.name = "f"
    saved.meta_graphs.add().graph_def.CopyFrom(graph)
    return [graph.SerializeToString(), saved.SerializeToString()]


def _set(attribute, name, value):
    if name == "shape":
        for dim in value:
            attribute.shape.dim.add(size=dim)
    elif name == "value":
        attribute.tensor.dtype = 3
        attribute.tensor.tensor_shape.dim.add(size=len(value))
        attribute.tensor.tensor_content = np.array(value, np.int32).tobytes()
    elif name == "T":
        attribute.type = value
    else:
        attribute.i = value


MAKERS = {"onnx": _onnx, "tflite": _tflite, "openvino": _openvino, "tensorflow": _tensorflow}


def read_openvino(content):
    """The model of an .xml file beside a whole .bin file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.xml")
        path.write_bytes(content)
        path.with_suffix(".bin").write_bytes(WEIGHTS)
        return openvino_file.read(path)


def read_tensorflow(content):
    """The model of a file, read in this process."""
    return tensorflow_file.model_of(content, "file")


READERS = {
    "onnx": onnx_file.read,
    "tflite": tflite_file.read,
    "openvino": read_openvino,
    "tensorflow": read_tensorflow,
}


def models(kind):
    """The bytes of some good models of a format."""
    return MAKERS[kind]()


def mutated(rng: random.Random, content: bytes) -> bytes:
    """The bytes with some of them changed: bits, values that are extreme, numbers of 32 bits, parts moved or gone."""
    data = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        place = rng.randrange(len(data)) if data else 0
        kind = rng.randrange(7)
        if not data:
            break
        if kind == 0:
            data[place] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[place] = rng.choice((0, 1, 127, 128, 254, 255))
        elif kind == 2:
            value = rng.choice((0, 1, 2**31 - 1, 2**31, 2**32 - 1, 2**32 - 4, len(data), rng.randrange(2**32)))
            data[place : place + 4] = value.to_bytes(4, "little")
        elif kind == 3:
            del data[place : place + rng.choice((1, 2, 4, 8, 64))]
        elif kind == 4:
            other = rng.randrange(len(data))
            data[place:place] = data[other : other + rng.choice((1, 4, 16, 256))]
        elif kind == 5:
            other = rng.randrange(len(data))
            data[place : place + 4] = data[other : other + 4]
        else:
            del data[place:]
    return bytes(data)


def restructured(rng: random.Random, content: bytes) -> bytes:
    """A model of ONNX with names, numbers and parts changed: protobuf still reads it, whatever it means."""
    model = ModelProto.FromString(content)
    for _ in range(rng.choice((1, 2, 4, 8))):
        graph = model.graph
        node = rng.choice(graph.node)
        names = [name for each in graph.node for name in (*each.input, *each.output)] + ["", "nobody"]
        kind = rng.randrange(9)
        if kind == 0 and node.input:
            node.input[rng.randrange(len(node.input))] = rng.choice(names)
        elif kind == 1 and node.output:
            node.output[rng.randrange(len(node.output))] = rng.choice(names)
        elif kind == 2:
            node.op_type = rng.choice(OPERATORS)
        elif kind == 3:
            (node.input if rng.random() < 0.7 else node.output).append(rng.choice(names))
        elif kind == 4 and node.attribute:
            _change(rng, rng.choice(node.attribute))
        elif kind == 5 and graph.initializer:
            tensor = rng.choice(graph.initializer)
            tensor.dims.append(rng.choice(NUMBERS))
            tensor.data_type = rng.choice((1, 6, 7, 13, 99))
        elif kind == 6:
            graph.value_info.add(name=rng.choice(names)).type.tensor_type.shape.dim.add(dim_value=rng.choice(NUMBERS))
        elif kind == 7:
            node.attribute.add(name=rng.choice(("axis", "axes", "perm", "to", "split")), i=rng.choice(NUMBERS), type=2)
        else:
            graph.node.insert(rng.randrange(len(graph.node)), node)
    return model.SerializeToString()


NUMBERS = (0, 1, -1, 2, 7, 2**31, 2**62, -(2**63), 2**63 - 1)
OPERATORS = (
    "Slice Squeeze Unsqueeze Gather Pad Split ScatterND ReverseSequence TensorScatter Concat Constant ConstantOfShape "
    "Reshape Transpose Cast Shape Size Add Div Max Neg Identity If"
).split()


def _change(rng, attribute):
    attribute.i = rng.choice(NUMBERS)
    if rng.random() < 0.5:
        attribute.ints.append(rng.choice(NUMBERS))
    if rng.random() < 0.3:
        attribute.name = rng.choice(("axis", "axes", "value", "value_ints", "mode", "starts"))
    if attribute.HasField("t") and rng.random() < 0.5:
        attribute.t.dims.append(rng.choice(NUMBERS))


@dataclass
class Outcome:
    """How many files were read as models, and how many were errors."""

    models: int = 0
    errors: int = 0
    messages: set[str] = field(default_factory=set)

    def __str__(self):
        return f"{self.models} models, {self.errors} errors"


def check(read, content) -> bool:
    """Whether the file is a model; raises for anything but a model or an error that names its rule."""
    try:
        found = read(content)
    except SliceValueError as error:
        assert error.label == "im_c1" and "\n" not in str(error) and len(str(error)) < 1_000, error
        return False
    assert isinstance(found, Model) and str(inspected(found))
    return True


def campaign(kind, read, rng, count) -> Outcome:
    """Reads so many changed files of each good model."""
    found = Outcome()
    for model in models(kind):
        assert check(read, model)
        for _ in range(count):
            changed = restructured if kind == "onnx" and rng.random() < 0.5 else mutated
            content = changed(rng, model)
            try:
                good = check(read, content)
            except Exception as error:
                raise AssertionError(f"{kind}: bytes.fromhex({content.hex()!r})") from error
            found.models += good
            found.errors += not good
    return found
