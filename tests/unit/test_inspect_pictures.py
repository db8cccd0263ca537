"""Pictures of inspected nodes: their cells are what NumPy takes, and what cannot be drawn is one clear line."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

import ssop
from ssop._inspect.inspection import inspected
from ssop._inspect.pictures import picture_of
from ssop._inspect.records import Model, NodeCall, RunTime, SliceNode
from ssop.cli import main

INT64_MIN = -(2**63)


def node(calls, shape, name="n", graph="main", result="y"):
    calls = tuple(NodeCall(function, arguments) for function, arguments in calls)
    return SliceNode(name, "Slice", calls, "x", result, shape, graph=graph)


def model(*nodes, format_="onnx"):
    return Model("m", format_, "made here", nodes, len(nodes))


def strided(begin, end, strides=None, **masks):
    return [("tf.strided_slice", {"begin": begin, "end": end, "strides": strides, **masks})]


def onnx(starts, ends, axes=None, steps=None):
    return [("onnx.slice", {"starts": starts, "ends": ends, "axes": axes, "steps": steps})]


def cells(svg):
    """The elements that are numbered, in the order of their numbers, and the words of the picture."""
    titles = re.findall(r"<title>\[([-\d, ]*)\] is (\d+)</title>", svg)
    found = {int(number): tuple(map(int, where.split(", "))) for where, number in titles}
    return [found[number] for number in range(len(found))], " ".join(ElementTree.fromstring(svg).itertext())


DRAWN = [
    ("tensorflow", strided((1, 0), (4, 5), (2, 3)), (6, 5), np.s_[1:4:2, ::3]),
    ("tensorflow", strided((0, -1), (0, 0), begin_mask=1, end_mask=1, shrink_axis_mask=2), (6, 5), np.s_[:, -1]),
    ("tensorflow", [("tf.slice", {"begin": (2, 1), "size": (3, -1)})], (6, 5), np.s_[2:5, 1:]),
    ("tflite", [("tflite.strided_slice", {"begin": (-2,), "end": (9,), "strides": (1,)})], (6, 5), np.s_[-2:]),
    ("tflite", [("tflite.unpack", {"axis": 1, "output": 3, "outputs": 5})], (6, 5), np.s_[:, 3]),
    ("onnx", onnx((-1,), (INT64_MIN,), (1,), (-2,)), (6, 5), np.s_[:, ::-2]),
    ("onnx", [*onnx((2,), (3,)), ("numpy.squeeze", {"axis": (0,)})], (6, 5), np.s_[2]),
    ("onnx", [("onnx.gather", {"indices": (5, 3, 1), "axis": 0})], (6, 5), np.s_[5:0:-2]),
    ("onnx", [*onnx((2,), (4,)), ("onnx.unsqueeze", {"axes": (0,)})], (6, 5), np.s_[None, 2:4]),
    ("openvino", [("openvino.slice", {"start": (1,), "stop": (4,), "step": (1,)})], (6, 5), np.s_[1:4]),
    ("stablehlo", [("xla.slice", {"start_indices": (1, 0), "limit_indices": (4, 5)})], (6, 5), np.s_[1:4, :5]),
    ("stablehlo", [("xla.dynamic_slice", {"start_indices": (5, 1), "slice_sizes": (3, 2)})], (6, 5), np.s_[3:6, 1:3]),
    ("stablehlo", [("xla.rev", {"dimensions": (1,)})], (6, 5), np.s_[:, ::-1]),
]  # fmt: skip


@pytest.mark.parametrize("format_, calls, shape, index", DRAWN)
def test_the_cells_are_what_numpy_takes(format_, calls, shape, index):
    found, words = cells(inspected(model(node(calls, shape), format_=format_)).to_svg())
    x = np.arange(np.prod(shape)).reshape(shape)
    assert [x[cell] for cell in found] == x[index].ravel().tolist()
    assert "n: " in words and "drawn for shape" not in words


@pytest.mark.parametrize(
    "calls, shape, drawn, index, declared",
    [
        (onnx((1,), (-1,)), ("n", 3), (8, 3), np.s_[1:-1], "the model declares (n, 3)"),
        (onnx((2,), (12,)), (None,), (13,), np.s_[2:12], "the model declares (?,)"),
        (onnx((2,), (12,)), ((1, 9),), (9,), np.s_[2:12], "the model declares (1..9,)"),
        (onnx((-3, 0), (2**63 - 1, 2)), None, (8, 8), np.s_[-3:, :2], "the model declares none"),
        (onnx((10**6,), (10**6 + 2,)), ("n",), (10**6 + 3,), np.s_[10**6 : 10**6 + 2], "the model declares (n,)"),
    ],
)  # fmt: skip
def test_dims_that_are_not_known_have_a_length_that_holds_the_bounds(calls, shape, drawn, index, declared):
    found, words = cells(inspected(model(node(calls, shape))).to_svg())
    x = np.arange(np.prod(drawn)).reshape(drawn)
    assert [x[cell] for cell in found] == x[index].ravel().tolist()
    assert f"drawn for shape {drawn}; {declared}" in words


@pytest.mark.parametrize(
    "calls, drawn",
    [
        ([("xla.slice", {"start_indices": (5,), "limit_indices": (900,)})], 901),
        ([("numpy.squeeze", {"axis": (0,)})], 1),
        (onnx((3,), (3,)), 8),
    ],
)
def test_a_length_that_is_an_error_is_not_drawn(calls, drawn):
    (axis,) = picture_of(inspected(model(node(calls, ("n",)), format_="onnx")).nodes[0]).panels[0].axes
    assert axis.dim == drawn


RUN_TIME = [("onnx.slice", {"starts": RunTime("s", "Shape -> Sub", (None,)), "ends": (3,)})]
NOT_DRAWN = {
    "'n' has no picture: starts: known at run time only ([?] from Shape -> Sub)": [node(RUN_TIME, (4,))],
    "'n' has no picture: an error: axis 0 (entry 0): stride 0: strides[0] must be non-zero": [
        node(strided((0,), (1,), (0,)), (4,))],
    "'n' has no picture: pad is shown, not compared": [node([("onnx.pad", {})], (4,))],
    "a picture is of one node, and there are 0; `only` says which: none": [],
    "a picture is of one node, and there are 2; `only` says which: main/n, main/If/n": [
        node(onnx((1,), (2,)), (4,)), node(onnx((1,), (2,)), (4,), graph="main/If")],
    "a picture is of one node, and there are 2; `only` says which: y, y1": [
        node(onnx((1,), (2,)), (4,)), node(onnx((1,), (2,)), (4,), result="y1")],
}  # fmt: skip


@pytest.mark.parametrize("message", NOT_DRAWN)
def test_im_c4_what_has_no_picture_is_one_clear_line(message):
    with pytest.raises(ssop.SliceValueError) as info:
        inspected(model(*NOT_DRAWN[message])).to_svg()
    assert str(info.value).startswith(f"inspect: {message}") and str(info.value).endswith(" [im_c4]")


def test_a_node_is_named_also_by_its_graph_and_by_its_result():
    nodes = [
        node(onnx((1,), (2,)), (4,), "a", result="r"),
        node(onnx((1,), (3,)), (4,), "a", "main/If", "s"),
        node(onnx((1,), (4,)), (4,), "r", result="t"),
    ]
    found = {name: [one.index for one in inspected(model(*nodes), only=name).nodes] for name in
             ("a", "main/a", "main/If/a", "s", "r")}  # fmt: skip
    first, second, third = "x[1:2]", "x[1:3]", "x[1:4]"
    assert found == {"a": [first, second], "main/a": [first], "main/If/a": [second], "s": [second], "r": [third]}


def test_without_proofs_the_picture_is_the_same(monkeypatch):
    calls = onnx((1,), (-1,))
    with_proofs = inspected(model(node(calls, ("n", 3)))).to_svg()
    monkeypatch.setattr("ssop._inspect.pictures.valid_lengths", _missing)
    assert inspected(model(node(calls, ("n", 3)))).to_svg() == with_proofs


def _missing(*_):
    raise ImportError("islpy")


SLICE = "tf.strided_slice(begin=[1], end=[-1])"


def test_the_command_prints_the_picture_of_one_node(capsys):
    assert main(["inspect", "--node", SLICE, "--svg"]) == 0
    printed = capsys.readouterr().out
    assert printed == ssop.inspect.node(SLICE).to_svg() + "\n"
    assert cells(printed)[0] == [(index,) for index in range(1, 7)]


@pytest.mark.parametrize(
    "words, message",
    [
        (["--node", SLICE, "--node", SLICE, "--svg"], "--svg is of one model"),
        (["m.onnx", "other.onnx", "--svg"], "--svg is of one model"),
        (["--each", "m.onnx", "other.onnx", "--svg"], "--svg is of one model"),
        (["--node", "xla.rev(dimensions=[-1])", "--svg"], "has no picture: dimensions -1 counts from the last axis"),
    ],
)
def test_the_command_tells_what_has_no_picture(capsys, words, message):
    assert main(["inspect", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and message in printed.err and printed.err.count("\n") == 1
