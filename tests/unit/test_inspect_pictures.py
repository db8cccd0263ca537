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
    "'n' has no picture: its widths are not known": [node([("onnx.pad", {})], (4,))],
    "'n' has no picture: its operand has 2 axes": [node([("tf.pad", {"before": (1,), "after": (1,)})], (4, 4))],
    "'n' has no picture: axis 0: the padded size -2 is not in 0..9223372036854775807": [
        node([("tf.pad", {"before": (-3,), "after": (-3,)})], (4,))],
    "'n' has no picture: pads: known at run time only ([?] from input)": [
        node([("onnx.pad", {"pads": RunTime("p", "input", (None,)), "axes": None, "mode": "constant"})], (4,))],
    "'n' has no picture: start_indices: known at run time only ([?] from input)": [
        node([("xla.dynamic_update_slice", {"start_indices": RunTime("p", "input", (None,)), "update_shape": (2,)})],
             (4,))],
    "'n' has no picture: reverse_sequence is shown, not compared": [node([("onnx.reverse_sequence", {})], (4,))],
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


UPDATES = [
    ("stablehlo", ("xla.dynamic_update_slice", {"start_indices": (5, 1), "update_shape": (3, 2)}), np.s_[3:6, 1:3]),
    ("tflite", ("tflite.dynamic_update_slice", {"start_indices": (-5, 1), "sizes": (3, 2)}), np.s_[:3, 1:3]),
    ("tensorflow", ("tf.strided_slice_assign", strided((1, 0), (4, 5), (2, 1))[0][1]), np.s_[1:4:2]),
    ("tensorflow", ("tf.tensor_strided_slice_update", strided((-2,), (0,), end_mask=1)[0][1]), np.s_[-2:]),
    ("onnx", ("onnx.scatter_nd", {"indices": (1, 3, 5), "axis": 0}), np.s_[1:6:2]),
    ("openvino", ("openvino.slice_scatter", {"start": (1,), "stop": (4,), "step": (1,), "axes": (1,)}), np.s_[:, 1:4]),
]


@pytest.mark.parametrize("format_, call, index", UPDATES)
def test_the_cells_of_an_update_are_those_that_it_writes(format_, call, index):
    found = inspected(model(node([call], (6, 5)), format_=format_))
    drawn, words = cells(found.to_svg())
    x = np.arange(30).reshape(6, 5)
    assert [x[cell] for cell in drawn] == x[index].ravel().tolist()
    (one,) = found.nodes
    assert f"n: {one.index} is written" in words and "cells are written" in words
    assert (eval(one.index, {"x": x}) == x[index]).all()
    assert f"  writes    {one.index}\n" in str(found)


PADS = [
    ("onnx", "onnx.pad", {"pads": (0, 1, 2, 3), "axes": None, "mode": "constant"}, ((0, 2), (1, 3))),
    ("onnx", "onnx.pad", {"pads": (1, 2), "axes": (-1,), "mode": "reflect"}, ((0, 0), (1, 2))),
    ("tflite", "tflite.pad", {"paddings": (1, 2, 3, 0)}, ((1, 2), (3, 0))),
    ("tflite", "tflite.mirror_pad", {"paddings": (1, 2, 3, 0), "mode": "reflect"}, ((1, 2), (3, 0))),
    ("tensorflow", "tf.pad_v2", {"before": (1, 3), "after": (2, 0)}, ((1, 2), (3, 0))),
    ("openvino", "openvino.pad", {"pads_begin": (1, 3), "pads_end": (2, 0), "mode": "edge"}, ((1, 2), (3, 0))),
]


@pytest.mark.parametrize("format_, function, arguments, widths", PADS)
def test_the_cells_of_a_pad_are_where_its_operand_is_in_the_result(format_, function, arguments, widths):
    report = inspected(model(node([(function, arguments)], (4, 5)), format_=format_)).nodes[0]
    picture = picture_of(report)
    operand, result = picture.panels
    assert [axis.dim for axis in operand.axes] == [4, 5]
    x = np.pad(np.arange(1, 21).reshape(4, 5), widths)
    assert tuple(axis.dim for axis in result.axes) == x.shape
    places = [[index for index in range(axis.dim) if axis.place(index) is not None] for axis in result.axes]
    assert x[np.ix_(*places)].ravel().tolist() == list(range(1, 21))
    mode = arguments.get("mode", "constant")
    assert any(f"by the mode {mode}" in note for note in picture.notes) == (mode != "constant")


def test_a_pad_may_remove_elements_and_part_them():
    call = ("xla.pad", {"edge_padding_low": (-1,), "edge_padding_high": (0,), "interior_padding": (1,)})
    operand, result = picture_of(inspected(model(node([call], (4,)), format_="stablehlo")).nodes[0]).panels
    assert [index for index in range(4) if operand.axes[0].place(index) is not None] == [1, 2, 3]
    assert [result.axes[0].place(index) for index in range(6)] == [None, 0, None, 1, None, 2]
    (axis,) = picture_of(inspected(model(node([call], ("n",)), format_="stablehlo")).nodes[0]).panels[0].axes
    assert axis.dim == 8


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
