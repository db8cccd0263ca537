"""Damaged and hostile files: each reader gives a model or one clear error, in bounded time and memory."""

import os
import random
import time
import tracemalloc

import numpy as np
import pytest
from onnx import TensorProto, helper

import ssop
from differential import hostile_models
from differential.tflite_models import Op, Tensor, constant
from differential.tflite_models import model as tflite_model
from scale import examples
from ssop import SliceValueError
from ssop._inspect import folding, limits, listing, onnx_file, tflite_file, tflite_graph

READERS = {"onnx": onnx_file.read, "tflite": tflite_file.read}
MUTATIONS = 2_000
"""The number for each model at full scale; fuzz/models.py makes as many as one wants."""


def refused(read, source):
    """The message of the error, without the name of the source."""
    with pytest.raises(SliceValueError, match=r"^inspect: .*\[im_c1\]$") as caught:
        read(source)
    assert caught.value.label == "im_c1" and caught.value.op == "inspect"
    return str(caught.value).partition(": ")[2].partition(": ")[2].removesuffix(" [im_c1]")


@pytest.fixture(params=hostile_models.READERS)
def any_kind(request):
    """A format whose reader can run in this process; that of TensorFlow must find it imported as a whole."""
    if request.param == "tensorflow":
        pytest.importorskip("tensorflow")
    return request.param


def test_mutations(any_kind, report):
    """Bits, bytes, lengths and ends of good files are changed."""
    kind, read = any_kind, hostile_models.READERS[any_kind]
    found = hostile_models.campaign(kind, read, random.Random(20270109), examples(MUTATIONS))
    report(f"{kind}: {found}")
    assert found.models and found.errors


def test_each_end_of_a_file(any_kind):
    """A file that is cut anywhere is an error, or says less."""
    for model in hostile_models.models(any_kind):
        for end in range(0, len(model), max(1, len(model) // 200)):
            hostile_models.check(hostile_models.READERS[any_kind], model[:end])


def test_no_model_of_onnx(tmp_path):
    assert refused(onnx_file.read, b"") == "it is no model of ONNX: it has no graph"
    assert refused(onnx_file.read, b"\x08\x07") == "it is no model of ONNX: it has no graph"
    assert "begins no field of protobuf" in refused(onnx_file.read, b"GIF89a")
    assert refused(onnx_file.read, 3) == "it is an int, not a path, bytes or an onnx.ModelProto"
    os.mkfifo(tmp_path / "pipe")
    assert refused(onnx_file.read, tmp_path / "pipe") == "it is no regular file"
    assert refused(onnx_file.read, "a\0b") == "no file has this name: embedded null byte"
    assert refused(onnx_file.read, "/dev/zero") == "it is no regular file"
    with pytest.raises(OSError):
        onnx_file.read(tmp_path / "missing.onnx")
    with pytest.raises(OSError):
        onnx_file.read(tmp_path)


def test_no_pipe_is_waited_for(tmp_path):
    """Neither to see of which format it is, nor to read it."""
    for name in ("model", "model.onnx", "model.tflite", "model.mlir", "model.pb", "model.xml"):
        os.mkfifo(tmp_path / name)
        assert refused(ssop.inspect, tmp_path / name) == "it is no file"
    assert refused(ssop.inspect, "/dev/zero") == "it is no file"


@pytest.mark.parametrize("kind", READERS)
def test_bytes_that_do_not_lie_side_by_side(kind):
    model = hostile_models.models(kind)[0]
    spread = bytearray(2 * len(model))
    spread[::2] = model
    assert READERS[kind](memoryview(spread)[::2]).nodes == READERS[kind](model).nodes


def test_a_length_that_lies():
    model = hostile_models.models("onnx")[0]
    graph = model.index(b"\x3a")
    assert "claims to end at byte" in refused(onnx_file.read, model[: graph + 1] + b"\xff\xff\xff\xff\x7f")
    assert "begins no field" in refused(onnx_file.read, model[: graph + 1] + b"\xff" * 12)


def nested(depth):
    """A graph in an attribute of a node of a graph in an attribute .."""
    graph = helper.make_graph([], "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    for _ in range(depth):
        node = graph.node.add(op_type="If", output=["y"])
        outer = type(graph)(name="g", output=graph.output)
        outer.node.add(op_type="If", output=["y"]).attribute.add(name="then_branch", type=5).g.CopyFrom(graph)
        assert node.op_type == "If"
        graph = outer
    return helper.make_model(graph)


def test_deep_nesting():
    assert onnx_file.read(nested(20)).operators == 40
    assert "it is no model of ONNX, or a damaged one" in refused(onnx_file.read, nested(40).SerializeToString())
    assert refused(onnx_file.read, nested(70)) == "graphs are nested more than 60 deep"


def test_a_cycle_has_no_value():
    nodes = [
        helper.make_node("Add", ["a", "b"], ["b"]),
        helper.make_node("Add", ["b", "b"], ["a"]),
        helper.make_node("Slice", ["x", "a", "b"], ["y"]),
        helper.make_node("Squeeze", ["z", "one"], ["z"]),
        helper.make_node("Slice", ["x", "one", "one"], ["z"]),
        helper.make_node("Constant", [], ["one"], value_ints=[1]),
    ]
    graph = helper.make_graph(nodes, "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    first, second = onnx_file.read(helper.make_model(graph)).nodes
    assert first.calls[0].arguments["starts"].producer.startswith(".. -> Add")
    assert second.operator == "Slice"


@pytest.mark.parametrize("dims", [[0, 2**62, 2**62], [0] + [1024] * 7, [2**62, 2**62, 0, 0], [0] * 65])
def test_no_items_in_dims_that_numpy_does_not_have(dims):
    bounds = TensorProto(name="a", data_type=TensorProto.INT64, dims=dims)
    node = helper.make_node("Slice", ["x", "a", "a"], ["y"])
    graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], [bounds])
    (found,) = onnx_file.read(helper.make_model(graph)).nodes
    assert found.calls[0].arguments["starts"].producer == "constant"
    assert folding.small(dims) is None and folding.small([0, 3]) == (0, 3)


def test_splits_whose_parts_have_all_sizes(monkeypatch):
    """A file of 1.7 MB had 805 million integers to tell."""
    names = [f"y{number}" for number in range(40)]
    nodes = [helper.make_node("Split", ["x"], names, axis=0) for _ in range(3)]
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [40]) for name in "xy")
    model = helper.make_model(helper.make_graph(nodes, "g", [x], [y])).SerializeToString()
    monkeypatch.setattr(listing, "MAX_ARGUMENTS", 3 * 40 * (40 + 3))
    assert len(ssop.inspect(model).nodes) == 3 * 40
    monkeypatch.setattr(listing, "MAX_ARGUMENTS", 3 * 40 * (40 + 3) - 1)
    assert refused(ssop.inspect, model) == "its slices have more than 5159 integers as arguments"


def model_of(*nodes, inputs=()):
    """The bytes of a model with these nodes, from "x" to "y"."""
    infos = [helper.make_tensor_value_info(name, kind, dims) for name, kind, dims in inputs]
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, None)
    return helper.make_model(helper.make_graph(nodes, "g", infos, [y])).SerializeToString()


def test_bounds_at_run_time_are_told_in_bounds(monkeypatch):
    """A file of 6 MB had 200,000 slices with four lists of 1,024 integers that nobody knows."""
    nodes = [helper.make_node("Slice", ["x", "n", "n"], [f"y{number}"]) for number in range(10)]
    model = model_of(*nodes, inputs=[("n", TensorProto.INT64, [1_000])])
    found = ssop.inspect(model)
    assert found.nodes[9].node.calls[0].arguments["starts"].values == (None,) * 1_000
    monkeypatch.setattr(listing, "MAX_ARGUMENTS", 15_000)
    assert refused(ssop.inspect, model) == "its slices have more than 15000 integers as arguments"


def test_graphs_without_a_node_are_counted(monkeypatch):
    """Each has its names, which take a thousand times the two bytes of the graph."""
    node = helper.make_node("If", ["x"], ["y"])
    attribute = node.attribute.add(name="branches", type=10)
    for _ in range(20):
        attribute.graphs.add()
    assert onnx_file.read(model_of(node)).operators == 1
    monkeypatch.setattr(onnx_file, "MAX_GRAPHS", 20)
    assert refused(onnx_file.read, model_of(node)) == "it has more than 20 graphs"


def test_the_line_of_a_split_is_looked_for_once(monkeypatch):
    """All parts of a split have it, and its text may be as long as the names of all parts."""
    calls = []
    monkeypatch.setattr(onnx_file, "_source", lambda node: calls.append(node))
    node = helper.make_node("Split", ["x"], [f"y{number}" for number in range(40)], axis=0)
    assert len(onnx_file.read(model_of(node)).nodes) == 40 and len(calls) == 1


def bounded(read, source, megabytes, seconds):
    """The result, or the message of the error, in so much memory of Python and time of the processor."""
    before = time.process_time()
    tracemalloc.start()
    try:
        try:
            result = read(source)
        except SliceValueError as error:
            result = str(error)
        assert tracemalloc.get_traced_memory()[1] < megabytes << 20
    finally:
        tracemalloc.stop()
    assert time.process_time() - before < seconds
    return result


def test_more_operators_than_a_model_has(monkeypatch):
    monkeypatch.setattr(onnx_file, "MAX_OPERATORS", 1_000)
    nodes = [helper.make_node("Relu", ["x"], ["y"])] * 1_001
    graph = helper.make_graph(nodes, "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    assert refused(onnx_file.read, helper.make_model(graph)) == "it has more than 1000 operators"
    assert limits.MAX_OPERATORS == 1_000_000


def test_constants_that_grow_are_not_computed_without_end():
    """Each node doubles a vector; and each of many makes a long one."""
    nodes = [helper.make_node("Constant", [], ["v0"], value_ints=[1])]
    nodes += [helper.make_node("Concat", [f"v{i}"] * 2, [f"v{i + 1}"], axis=0) for i in range(60)]
    nodes += [helper.make_node("Concat", ["v10"], [f"w{i}"], axis=0) for i in range(2_500)]
    nodes += [helper.make_node("Concat", ["v10"] * 1_024, [f"u{i}"], axis=0) for i in range(100)]
    nodes += [helper.make_node("Max", ["v10"] * 1_024, [f"m{i}"]) for i in range(100)]
    nodes += [helper.make_node("Slice", ["x", "v60", "w2499"], ["y"])]
    graph = helper.make_graph(nodes, "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    model = bounded(onnx_file.read, helper.make_model(graph).SerializeToString(), 64, 10)
    arguments = model.nodes[0].calls[0].arguments
    assert arguments["starts"].values is None and arguments["ends"].values is None
    assert model.notes[-1] == "it has so many constants that not all bounds were computed"


def test_a_graph_that_is_larger_than_any(monkeypatch):
    from ssop._inspect import onnx_wire, wire

    model = hostile_models.models("onnx")[0]
    monkeypatch.setattr(onnx_wire, "MAX_GRAPH_BYTES", 100)
    assert refused(onnx_file.read, model) == "its graph has more than 100 bytes without weights"
    monkeypatch.setattr(wire, "MAX_FIELDS", 2)
    assert refused(onnx_file.read, model) == "it has more than 2 fields"


def test_names_are_shown_on_one_line():
    node = helper.make_node("Slice", ["x", "a", "b"], ["y"], name="a\nb\x1b[31m")
    graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    content = helper.make_model(graph).SerializeToString()
    assert onnx_file.read(content).nodes[0].name == "a\\nb\\x1b[31m"
    assert onnx_file.read(content.replace(b"a\nb", b"\xff\xfeb")).nodes[0].name == "\\xff\\xfeb\\x1b[31m"


# ---- TFLite --------------------------------------------------------------------------------------------------------


def test_no_model_of_tflite(tmp_path):
    nothing = "it is no model of TFLite: its bytes 4 to 7 are not TFL3"
    assert refused(tflite_file.read, b"") == refused(tflite_file.read, b"\x08" * 40) == nothing
    assert refused(tflite_file.read, None) == "it is None, not a path or bytes"
    assert "it is a damaged model of TFLite" in refused(tflite_file.read, b"\xff\xff\xff\xffTFL3")
    assert refused(tflite_file.read, b"\x08\0\0\0TFL3\0\0\0\0" + bytes(8)).startswith("it is")
    os.mkfifo(tmp_path / "pipe")
    assert refused(tflite_file.read, tmp_path / "pipe") == "it is no regular file"
    (tmp_path / "empty").touch()
    assert refused(tflite_file.read, tmp_path / "empty") == nothing


def one_slice(**fields):
    tensors = [Tensor("x", (3, 4)), constant("b", (0, 1)), Tensor("y", (3, 3))]
    op = Op("SLICE", (0, 1, 1), (2,))._replace(**fields)
    return tflite_model([op], tensors)


def test_tensors_and_operators_that_are_not_there():
    wanted = "main has no tensor 3: it has 3"
    assert refused(tflite_file.read, one_slice(outputs=(3,))) == wanted
    assert refused(tflite_file.read, one_slice(inputs=(3, 1, 1))) == wanted
    assert refused(tflite_file.read, one_slice(inputs=(0, 3, 1))) == wanted
    assert refused(tflite_file.read, one_slice(inputs=(-5, 1, 1))) == "main has no tensor -5: it has 3"
    assert tflite_file.read(one_slice(inputs=(0, -1))).nodes[0].calls[0].arguments == {"begin": None, "size": None}


def test_buffers_that_end_behind_the_file():
    tensors = [Tensor("x", (3, 4)), constant("b", (0, 1))._replace(behind=True), Tensor("y", (3, 3))]
    content = tflite_model([Op("SLICE", (0, 1, 1), (2,))], tensors)
    assert tflite_file.read(content).nodes[0].calls[0].arguments["begin"] == (0, 1)
    assert "behind the end of the file" in refused(tflite_file.read, content[:-1])


def test_an_operator_that_needs_its_own_result():
    tensors = [Tensor("x", (3, 4)), Tensor("a", (2,), "int32"), Tensor("b", (2,), "int32"), Tensor("y", (3, 4))]
    ops = [Op("ADD", (1, 2), (2,)), Op("ADD", (2, 2), (1,)), Op("SLICE", (0, 1, 2), (3,))]
    arguments = tflite_file.read(tflite_model(ops, tensors)).nodes[0].calls[0].arguments
    assert "cycle" in arguments["begin"].producer


def test_many_operators_in_the_same_bytes(monkeypatch):
    """A list of offsets may lead to one operator a million times; and a list may claim to have any length."""
    content = bytearray(one_slice())
    table = tflite_graph.Tables(memoryview(bytes(content)))
    graph = table.model.Subgraphs(0)._tab
    place = graph.Vector(graph.Offset(10)) - 4
    assert int.from_bytes(content[place : place + 4], "little") == 1  # the operators of the subgraph
    content[place : place + 4] = (2**31).to_bytes(4, "little")
    assert "a list of 2147483648 Operators is longer than the file" in refused(tflite_file.read, bytes(content))
    monkeypatch.setattr(tflite_graph, "MAX_OPERATORS", 0)
    assert "is longer than the file, or than 0" in refused(tflite_file.read, one_slice())
    monkeypatch.setattr(tflite_graph, "MAX_OPERATORS", 1_000_000)
    monkeypatch.setattr(tflite_graph, "MAX_ENTRIES", 10)
    assert refused(tflite_file.read, one_slice()) == "its lists have more than 10 entries"


def computing(operator, shapes, count, options=None):
    """A file with operators on two constants of these shapes, each of which gives the begin of a slice."""
    lists = [constant(f"c{number}", np.zeros(shape, int).tolist()) for number, shape in enumerate(shapes)]
    begins = [Tensor(f"b{number}", (2,), "int32") for number in range(count)]
    ops = [Op(operator, (1, 2), (4 + number,), *(options or ())) for number in range(count)]
    ops += [Op("SLICE", (0, 4 + number, 3), (0,)) for number in range(count)]
    return tflite_model(ops, [Tensor("x", (3, 4)), *lists, constant("one", (1, 1)), *begins])


@pytest.mark.parametrize(
    ("operator", "shapes", "options"),
    [("MUL", [(256, 1), (1, 256)], None), ("GATHER", [(1, 1_024), (1_024,)], ("Gather", {"Axis": 0}))],
)
def test_no_more_integers_are_computed_than_a_value_may_have(operator, shapes, options):
    """Two short constants are broadcast, or taken from, to far more integers than they have."""
    tflite_file.read(computing(operator, [(1,), (1,)], 1, options))  # imports the schema
    model = bounded(tflite_file.read, computing(operator, shapes, 1, options), 1, 10)
    assert model.nodes[0].calls[0].arguments["begin"].producer == operator


def test_computed_integers_are_counted(monkeypatch):
    """Operators may stand a million times in the same bytes: what each computes counts, not its operands alone."""
    source = computing("MUL", [(32, 1), (1, 32)], 5)
    monkeypatch.setattr(tflite_graph, "MAX_ENTRIES", 6_000)
    assert len(tflite_file.read(source).nodes) == 5
    monkeypatch.setattr(tflite_graph, "MAX_ENTRIES", 5_000)
    assert refused(tflite_file.read, source) == "its lists have more than 5000 entries"


def test_a_chain_of_computed_integers():
    """Two thousand additions: no recursion, and no end of the memory."""
    tensors = [Tensor("x", (3, 4)), *[Tensor(f"t{i}", (2,), "int32") for i in range(2_000)], constant("one", (1, 1))]
    last = len(tensors) - 1
    ops = [Op("ADD", (number or last, last), (number + 1,)) for number in range(2_000)]
    ops.append(Op("SLICE", (0, 2_000, last), (0,)))
    node = bounded(tflite_file.read, tflite_model(ops, tensors), 64, 10).nodes[0]
    assert node.calls[0].arguments["begin"] == (2_001, 2_001)
