"""What `_inspect.onnx_file` reads in models that are made node by node; test_inspect_exported.py has other ones."""

import time
import tracemalloc

import numpy as np
import pytest
from onnx import StringStringEntryProto, TensorProto, helper, numpy_helper

from ssop._inspect import onnx_file
from ssop._inspect.records import NEGATIVE_DIM, NodeCall, RunTime

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


def vector(name, *values, dtype=np.int64):
    return numpy_helper.from_array(np.array(values, dtype), name)


def graph(nodes, inputs, tensors=(), outputs=("y",), infos=()):
    given = [helper.make_tensor_value_info(name, FLOAT, dims) for name, dims in inputs.items()]
    made = [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs]
    return helper.make_graph(nodes, "g", given, made, list(tensors), value_info=list(infos))


def read(*arguments, opset=17, functions=(), **named):
    imports = [helper.make_opsetid("", opset), helper.make_opsetid("local", 1)]
    model = helper.make_model(graph(*arguments, **named), opset_imports=imports, functions=list(functions))
    found = onnx_file.read(model.SerializeToString())
    assert onnx_file.read(model).nodes == found.nodes
    return found


def one(*arguments, **named):
    (node,) = read(*arguments, **named).nodes
    return node


SLICE = helper.make_node("Slice", ["x", "starts", "ends", "axes", "steps"], ["y"], name="crop")
LISTS = [vector("starts", 0, -1), vector("ends", 5, INT64_MIN), vector("axes", 1, -1), vector("steps", 1, -2)]


def test_a_slice_with_its_lists_dims_and_types():
    node = one([SLICE], {"x": [2, "height", None]}, LISTS)
    assert (node.name, node.operator, node.operand, node.result) == ("crop", "Slice", "x", "y")
    lists = {"starts": (0, -1), "ends": (5, INT64_MIN), "axes": (1, -1), "steps": (1, -2)}
    assert node.calls == (NodeCall("onnx.slice", lists),)
    assert (node.input_shape, node.declared_shape) == ((2, "height", None), None)
    assert (node.dtype, node.index_dtype, node.opset, node.graph, node.notes) == ("float32", "int64", 17, "main", ())


def test_lists_are_attributes_before_opset_10():
    node = helper.make_node("Slice", ["x"], ["y"], starts=[1], ends=[INT64_MAX], axes=[2])
    found = one([node], {"x": [2, 3, 4]}, opset=9)
    assert found.calls[0].arguments == {"starts": (1,), "ends": (INT64_MAX,), "axes": (2,), "steps": None}
    assert found.notes == () and found.name == "y"
    assert one([node], {"x": [2, 3, 4]}, opset=10).notes == (
        "opset 10 has starts and ends as inputs, and this node has them as attributes",
    )
    assert one([SLICE], {"x": [9, 9]}, LISTS, opset=9).notes == (
        "opset 9 has starts and ends as attributes, and this node has them as inputs",
    )


@pytest.mark.parametrize(
    "given",
    [
        {"value": vector("", 3)},
        {"value": helper.make_tensor("", TensorProto.INT32, [1], [3])},
        {"value_ints": [3]},
        {"value_int": 3},
    ],
    ids=["raw", "int32_data", "value_ints", "value_int"],
)
def test_constant_nodes(given):
    nodes = [helper.make_node("Constant", [], ["starts"], **given), SLICE]
    node = one(nodes, {"x": [2, 9, 4]}, LISTS[1:])
    assert node.calls[0].arguments["starts"] == (3,)


def centre_crop():
    """x[..., (width - 4) // 2 : (width - 4) // 2 + 4], as torch's older exporter writes it."""
    return [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Gather", ["shape", "last"], ["width"], axis=0),
        helper.make_node("Sub", ["width", "four"], ["border"]),
        helper.make_node("Div", ["border", "two"], ["first"]),
        helper.make_node("Add", ["first", "four"], ["behind"]),
        helper.make_node("Unsqueeze", ["first", "zero"], ["first_1"]),
        helper.make_node("Unsqueeze", ["behind", "zero"], ["behind_1"]),
        helper.make_node("Concat", ["zero", "first_1"], ["starts"], axis=0),
        helper.make_node("Concat", ["dim", "behind_1"], ["ends"], axis=0),
        helper.make_node("Slice", ["x", "starts", "ends", "axes"], ["y"]),
    ]


def crop_constants():
    scalars = {"last": 1, "four": 4, "two": 2}
    made = [numpy_helper.from_array(np.array(value), name) for name, value in scalars.items()]
    return [*made, vector("zero", 0), vector("dim", 8), vector("axes", 0, 1)]


def test_bounds_that_follow_from_known_dims_are_computed():
    node = one(centre_crop(), {"x": [8, 10]}, crop_constants())
    assert node.calls[0].arguments == {"starts": (0, 3), "ends": (8, 7), "axes": (0, 1), "steps": None}


def test_other_bounds_have_a_producer_and_what_is_known():
    node = one(centre_crop(), {"x": [8, "width"]}, crop_constants())
    starts, ends = node.calls[0].arguments["starts"], node.calls[0].arguments["ends"]
    first = "Shape -> Gather -> Sub -> Div -> Unsqueeze -> Concat"
    assert starts == RunTime("starts", first, (0, None))
    assert ends == RunTime("ends", first.replace("Div", "Div -> Add"), (8, None))
    assert str(starts) == "[0, ?] from " + first


def test_bounds_that_are_inputs():
    start = helper.make_tensor_value_info("starts", INT64, [2])
    made = graph([SLICE], {"x": [2, 3]}, LISTS[1:])
    made.input.append(start)
    found = onnx_file.read(helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)])).nodes[0]
    assert found.calls[0].arguments["starts"] == RunTime("starts", "input", (None, None))


def test_an_axis_that_is_dropped_or_added_belongs_to_the_slice():
    nodes = [
        helper.make_node("Unsqueeze", ["x", "two"], ["w"]),
        helper.make_node("Slice", ["w", "one", "two", "one"], ["s"]),
        helper.make_node("Squeeze", ["s", "one"], ["t"]),
        helper.make_node("Relu", ["t"], ["y"]),
    ]
    node = one(nodes, {"x": [3, 4]}, [vector("one", 1), vector("two", 2)])
    assert node.operator == "Unsqueeze + Slice + Squeeze"
    assert [call.function for call in node.calls] == ["onnx.unsqueeze", "onnx.slice", "onnx.squeeze"]
    assert (node.operand, node.result, node.input_shape) == ("x", "t", (3, 4))


@pytest.mark.parametrize("outputs", [("y",), ("y", "s")], ids=["used twice", "an output"])
def test_a_result_that_others_use_is_not_hidden(outputs):
    nodes = [helper.make_node("Slice", ["x", "one", "two"], ["s"]), helper.make_node("Squeeze", ["s", "zero"], ["t"])]
    nodes.append(helper.make_node("Add", ["t", "s" if len(outputs) == 1 else "t"], ["y"]))
    constants = [vector("zero", 0), vector("one", 1), vector("two", 2)]
    assert one(nodes, {"x": [3]}, constants, outputs=outputs).operator == "Slice"


GATHERED = {
    "one element": (np.array(-1), -1),
    "a vector of one": (np.array([2]), (2,)),
    "equally far apart": (np.array([1, 3, 5]), (1, 3, 5)),
    "backwards": (np.array([2, 1, 0]), (2, 1, 0)),
    "anything": (np.array([1, 3, 4]), None),
    "the same": (np.array([1, 1]), None),
    "a matrix": (np.array([[1, 2]]), None),
}


@pytest.mark.parametrize("indices, wanted", GATHERED.values(), ids=GATHERED)
def test_a_gather_that_is_a_slice(indices, wanted):
    node = helper.make_node("Gather", ["x", "i"], ["y"], axis=1)
    nodes = read([node], {"x": [3, 9]}, [numpy_helper.from_array(indices, "i")]).nodes
    calls = [each.calls for each in nodes]
    assert calls == ([] if wanted is None else [(NodeCall("onnx.gather", {"axis": 1, "indices": wanted}),)])


def test_a_dim_of_a_shape_is_no_slice():
    nodes = [helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Gather", ["s", "i"], ["y"])]
    assert read(nodes, {"x": [3, None]}, [vector("i", 1)]).nodes == ()


def test_pads():
    node = helper.make_node("Pad", ["x", "pads", "", "axes"], ["y"], mode="reflect")
    found = one([node], {"x": [3, 9]}, [vector("pads", 1, -2), vector("axes", 1)], opset=18)
    assert found.calls == (NodeCall("onnx.pad", {"pads": (1, -2), "axes": (1,), "mode": "reflect"}),)
    old = helper.make_node("Pad", ["x"], ["y"], pads=[0, -1, 0, 2])
    assert one([old], {"x": [3, 9]}, opset=2).calls[0].arguments["pads"] == (0, -1, 0, 2)


@pytest.mark.parametrize("lengths, whole", [((4, 4), True), ((4, 3), False)], ids=["whole", "in part"])
def test_a_reversed_sequence_if_it_is_whole(lengths, whole):
    node = helper.make_node("ReverseSequence", ["x", "n"], ["y"], time_axis=1, batch_axis=0)
    nodes = read([node], {"x": [2, 4]}, [vector("n", *lengths)]).nodes
    assert [each.calls for each in nodes] == ([(NodeCall("numpy.flip", {"axis": (1,)}),)] if whole else [])


def test_an_update_of_rows():
    node = helper.make_node("ScatterND", ["x", "i", "u"], ["y"])
    rows = numpy_helper.from_array(np.array([[1], [3]]), "i")
    found = one([node], {"x": [5, 2], "u": [2, 2]}, [rows])
    assert found.calls == (NodeCall("onnx.scatter_nd", {"axis": 0, "indices": (1, 3)}),)
    added = helper.make_node("ScatterND", ["x", "i", "u"], ["y"], reduction="add")
    assert read([added], {"x": [5, 2], "u": [2, 2]}, [rows]).nodes == ()


SPLITS = {
    "sizes": (helper.make_node("Split", ["x", "n"], ["y", "", "z"], axis=-1), 17, 7, (4, 2, 1)),
    "an attribute": (helper.make_node("Split", ["x"], ["y", "", "z"], axis=-1, split=[4, 2, 1]), 11, 7, (4, 2, 1)),
    "equal parts": (helper.make_node("Split", ["x"], ["y", "", "z"], axis=-1), 13, 9, (3, 3, 3)),
    "a shorter one": (helper.make_node("Split", ["x"], ["y", "", "z"], axis=-1, num_outputs=3), 18, 7, (3, 3, 1)),
    "an unknown dim": (helper.make_node("Split", ["x"], ["y", "", "z"], axis=-1), 13, None, None),
}


@pytest.mark.parametrize("node, opset, dim, sizes", SPLITS.values(), ids=SPLITS)
def test_each_output_of_a_split_is_a_slice(node, opset, dim, sizes):
    nodes = read([node], {"x": [2, dim]}, [vector("n", 4, 2, 1)], outputs=("y", "z"), opset=opset).nodes
    assert [each.result for each in nodes] == ["y", "z"]
    for each, number in zip(nodes, (0, 2), strict=True):
        arguments = {"axis": -1, "split": sizes, "output": number, "outputs": 3}
        assert each.calls == (NodeCall("onnx.split", arguments),)


def test_graphs_in_graphs_see_the_names_around_them():
    def branch(name, end):
        nodes = [helper.make_node("Slice", ["x", "one", end], [name])]
        return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(name, FLOAT, None)])

    made = helper.make_node("Concat", ["two"], ["computed"], axis=0)
    chosen = helper.make_node(
        "If", ["b"], ["y"], "choice", then_branch=branch("t", "computed"), else_branch=branch("e", "n")
    )
    model = read([chosen, made], {"x": [3], "b": [1], "n": [1]}, [vector("one", 1), vector("two", 2)])
    assert model.operators == 4
    assert [node.graph for node in model.nodes] == ["main/choice.else_branch", "main/choice.then_branch"]
    ends = [node.calls[0].arguments["ends"] for node in model.nodes]
    assert ends == [RunTime("n", "input"), (2,)]
    assert all(node.input_shape == (3,) for node in model.nodes)


def test_local_functions():
    nodes = [
        helper.make_node("Constant", [], ["one"], value_ints=[1]),
        helper.make_node("Slice", ["a", "one", "b"], ["c"]),
    ]
    function = helper.make_function("local", "Crop", ["a", "b"], ["c"], nodes, [helper.make_opsetid("", 17)])
    call = helper.make_node("Crop", ["x", "n"], ["y"], domain="local")
    node = one([call], {"x": [3], "n": [1]}, functions=[function])
    assert node.graph == "function Crop" and node.input_shape is None
    assert node.calls[0].arguments["starts"] == (1,)
    assert node.calls[0].arguments["ends"] == RunTime("b", "input")


def test_operators_of_other_domains_are_not_read():
    assert read([helper.make_node("Slice", ["x", "x"], ["y"], domain="local")], {"x": [3]}).nodes == ()


def test_a_dim_of_minus_one_is_unknown_and_said():
    node = one([SLICE], {"x": [-1, 4]}, LISTS)
    assert node.input_shape == (None, 4)
    assert node.notes == (NEGATIVE_DIM,)


def test_lists_of_several_types_and_names_that_nothing_makes():
    node = one([SLICE], {"x": [3, 4]}, [vector("starts", 0, dtype=np.int32), *LISTS[1:3]])
    assert node.index_dtype is None
    assert node.notes == (
        "no node and no input makes 'steps'",
        "starts, ends, axes and steps have one type in ONNX, and here they are of several "
        "(starts: int32, ends: int64, axes: int64)",
    )
    assert node.calls[0].arguments["steps"] == RunTime("steps", "undefined")


def test_a_constant_that_is_not_as_long_as_it_says():
    damaged = vector("starts", 0, 1)
    damaged.raw_data = b"123"
    node = one([SLICE], {"x": [3, 4]}, [damaged, *LISTS[1:]])
    assert node.notes == ("'starts' has dims [2] and not that many values",)
    assert node.calls[0].arguments["starts"] == RunTime("starts", "constant")


def test_the_line_of_the_program():
    node = helper.make_node("Slice", ["x", "starts", "ends"], ["y"])
    trace = 'File "/a/lib.py", line 3, in call\n    f()\nFile "/a/model.py", line 12, in forward\n    x[1:]'
    node.metadata_props.append(StringStringEntryProto(key="pkg.torch.onnx.stack_trace", value=trace))
    assert one([node], {"x": [3, 4]}, LISTS).source == "/a/model.py:12"
    node.ClearField("metadata_props")
    node.doc_string = "/a/model.py(12): forward\n/a/lib.py(3): call\n"
    assert one([node], {"x": [3, 4]}, LISTS).source == "/a/model.py:12"


def test_what_is_said_of_the_whole_model(tmp_path):
    slices = [SLICE, helper.make_node("Slice", ["y", "starts", "ends"], ["z"])]
    model = helper.make_model(graph(slices, {"x": [3, 4]}, LISTS), producer_name="pytorch", producer_version="2.13")
    model.opset_import[0].version = 17
    for name, place in (("w", "weights.bin"), ("v", "../../etc/passwd"), ("u", "/etc/passwd")):
        tensor = model.graph.initializer.add(name=name, data_type=FLOAT, dims=[10**9], data_location=1)
        tensor.external_data.add(key="location", value=place)
    path = tmp_path / "model.onnx"
    path.write_bytes(model.SerializeToString())
    found = onnx_file.read(path)
    assert (found.path, found.format, found.operators) == (str(path), "onnx", 2)
    assert found.version == f"IR {model.ir_version}, opset 17, pytorch 2.13"
    assert found.notes == (
        "it declares no shapes between nodes, so that 1 slices have operands of any shape",
        "external data of 3 tensors was not read",
        "2 tensors name external data outside of the folder of the model",
    )


def many_slices(count):
    nodes, tensors = [], []
    for number in range(count):
        nodes.append(helper.make_node("Slice", [f"x{number}", f"s{number}", f"e{number}", "a"], [f"x{number + 1}"]))
        tensors += [vector(f"s{number}", number % 7), vector(f"e{number}", -1)]
    return graph(nodes, {"x0": [3, "n"]}, [*tensors, vector("a", 1)], outputs=[f"x{count}"])


def test_3000_slices_take_less_than_two_seconds(tmp_path, report):
    model = helper.make_model(many_slices(3_000), opset_imports=[helper.make_opsetid("", 17)])
    before = time.process_time()
    assert len(onnx_file.read(model.SerializeToString()).nodes) == 3_000
    seconds = time.process_time() - before
    report(f"3,000 slices: {seconds:.2f} s")
    assert seconds < 2


def test_weights_are_not_loaded(tmp_path):
    """A GiB of weights in the file, which has holes there."""
    model = helper.make_model(many_slices(10), opset_imports=[helper.make_opsetid("", 17)])
    rest = model.graph.SerializeToString()
    size = 2**30
    tensor = b"\x08" + varint(size // 4) + b"\x10\x01\x42\x01w\x4a" + varint(size)
    initializer = b"\x2a" + varint(len(tensor) + size) + tensor
    model.ClearField("graph")
    path = tmp_path / "large.onnx"
    with open(path, "wb") as file:
        file.write(model.SerializeToString() + b"\x3a" + varint(len(initializer) + size + len(rest)) + initializer)
        file.seek(size, 1)
        file.write(rest)
    tracemalloc.start()
    try:
        assert len(onnx_file.read(path).nodes) == 10
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def varint(value):
    found = []
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])
