"""Damaged and hostile files: each reader gives a model or one clear error, in bounded time and memory."""

import os
import random
import time
import tracemalloc

import pytest
from onnx import TensorProto, helper

from differential import hostile_models
from scale import examples
from ssop import SliceValueError
from ssop._inspect import limits, onnx_file

READERS = {"onnx": onnx_file.read}
MUTATIONS = 2_000
"""The number for each model at full scale; fuzz/models.py makes as many as one wants."""


def refused(read, source):
    """The message of the error, without the name of the source."""
    with pytest.raises(SliceValueError, match=r"^inspect: .*\[im_c1\]$") as caught:
        read(source)
    assert caught.value.label == "im_c1" and caught.value.op == "inspect"
    return str(caught.value).partition(": ")[2].partition(": ")[2].removesuffix(" [im_c1]")


@pytest.mark.parametrize("kind", READERS)
def test_mutations(kind, report):
    """Bits, bytes, lengths and ends of good files are changed."""
    found = hostile_models.campaign(kind, READERS[kind], random.Random(20270109), examples(MUTATIONS))
    report(f"{kind}: {found}")
    assert found.models and found.errors


@pytest.mark.parametrize("kind", READERS)
def test_each_end_of_a_file(kind):
    """A file that is cut anywhere is an error, or says less."""
    for model in hostile_models.models(kind):
        for end in range(0, len(model), max(1, len(model) // 200)):
            hostile_models.check(READERS[kind], model[:end])


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
    nodes += [helper.make_node("Concat", ["v10"], [f"w{i}"], axis=0) for i in range(5_000)]
    nodes += [helper.make_node("Slice", ["x", "v60", "w4999"], ["y"])]
    graph = helper.make_graph(nodes, "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    model = bounded(onnx_file.read, helper.make_model(graph).SerializeToString(), 64, 10)
    arguments = model.nodes[0].calls[0].arguments
    assert arguments["starts"].values is None and arguments["ends"].values is None
    assert model.notes[-1] == "it has so many constants that not all bounds were computed"


def test_a_graph_that_is_larger_than_any(monkeypatch):
    from ssop._inspect import onnx_wire

    model = hostile_models.models("onnx")[0]
    monkeypatch.setattr(onnx_wire, "MAX_GRAPH_BYTES", 100)
    assert refused(onnx_file.read, model) == "its graph has more than 100 bytes without weights"
    monkeypatch.setattr(onnx_wire, "MAX_FIELDS", 2)
    assert refused(onnx_file.read, model) == "it has more than 2 fields"


def test_names_are_shown_on_one_line():
    node = helper.make_node("Slice", ["x", "a", "b"], ["y"], name="a\nb\x1b[31m")
    graph = helper.make_graph([node], "g", [], [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)])
    content = helper.make_model(graph).SerializeToString()
    assert onnx_file.read(content).nodes[0].name == "a\\nb\\x1b[31m"
    assert onnx_file.read(content.replace(b"a\nb", b"\xff\xfeb")).nodes[0].name == "\\xff\\xfeb\\x1b[31m"
