"""Nodes as people paste them: ONNX's text and messages, and TFLite's and TensorFlow's dialects of MLIR."""

import pytest

import ssop
from ssop._inspect.pasted import model_of_node
from ssop._inspect.records import RunTime

onnx = pytest.importorskip("onnx")
pytest.importorskip("jaxlib")

NONE = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}


def given(*names):
    return {name: RunTime(name, "input") for name in names}


LISTS = {"starts": (-1,), "ends": (0,), "axes": (0,), "steps": None}
OF_GRAPH = {"starts": (1,), "ends": (3,), "axes": None, "steps": None}
INPUTS = {**given("starts", "ends", "axes"), "steps": None}
ONNX = {
    "y = Slice (x, starts, ends, axes)": (18, None, INPUTS),
    "y = Slice(x, starts, ends, axes);": (18, None, INPUTS),
    "[n1] y = Slice (x, starts, ends)": (18, None, {**INPUTS, "axes": None}),
    "y = Slice <axes = [0], starts = [-1], ends = [0]> (x)": (9, None, LISTS),
    "starts = Constant <value = int64[1] {-1}> ()\nends = Constant <value_ints = [0]> ()\n"
    "y = Slice (x, starts, ends)": (18, None, {**LISTS, "axes": None}),
    "g (float[N,4] x) => (float[M,4] y) <int64[1] s = {1}, int64[1] e = {3}> { y = Slice (x, s, e) }": (
        18, ("N", 4), OF_GRAPH,
    ),
    '<ir_version: 8, opset_import: ["" : 17]>\ng (float[N,4] x) => (float y) '
    "<int64[1] s = {1}, int64[1] e = {3}> { y = Slice (x, s, e) }": (17, ("N", 4), OF_GRAPH),
}  # fmt: skip


@pytest.mark.parametrize("text", ONNX, ids=range(len(ONNX)))
def test_onnx_text(text):
    opset, shape, arguments = ONNX[text]
    model = model_of_node(text)
    (node,) = model.nodes
    assert (model.format, node.operand, node.result, node.opset, node.input_shape) == ("onnx", "x", "y", opset, shape)
    assert dict(node.calls[0].arguments) == arguments


@pytest.mark.parametrize("opset", [9, 18])
def test_what_onnx_prints_of_a_node_is_understood(opset):
    if opset == 9:
        node = onnx.helper.make_node("Slice", ["x"], ["y"], name="n", axes=[0], starts=[-1], ends=[0])
        wanted = LISTS
    else:
        node = onnx.helper.make_node("Slice", ["x", "starts", "ends", "axes"], ["y"], name="n")
        wanted = INPUTS
    for text in (str(node), onnx.printer.to_text(node)):
        (found,) = model_of_node(text).nodes
        assert (found.name, found.opset, dict(found.calls[0].arguments)) == ("n", opset, wanted), text


MASKS = "begin_mask = 1 : i32, ellipsis_mask = 0 : i32, end_mask = 1 : i32, new_axis_mask = 0 : i32, offset = false"
KINDS = "(tensor<?x5xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>"
LINES = """%cst = arith.constant dense<[0, -1]> : tensor<2xi32>
%cst_0 = "tfl.pseudo_const"() <{value = dense<[0, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
%cst_1 = "tf.Const"() {device = "", value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
%0 = NODE : KINDS loc("a")"""
STRIDED = {**NONE, "begin": (0, -1), "end": (0, 0), "strides": (1, 1), "begin_mask": 1}
DIALECTS = {
    f'"tfl.strided_slice"(%arg0, %cst, %cst_0, %cst_1) <{{{MASKS}, shrink_axis_mask = 0 : i32}}>': (
        "tflite", "tflite.strided_slice", {**STRIDED, "end_mask": 1},
    ),
    f'"tfl.strided_slice"(%arg0, %cst, %cst_0, %cst_1) <{{{MASKS}}}> {{device = "a"}}': (
        "tflite", "tflite.strided_slice", {**STRIDED, "end_mask": 1},
    ),
    '"tf.StridedSlice"(%arg0, %cst, %cst_0, %cst_1) {begin_mask = 1 : i64, device = ""}': (
        "tensorflow", "tf.strided_slice", STRIDED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("node", DIALECTS, ids=range(3))
@pytest.mark.parametrize("whole", [False, True], ids=["lines", "function"])
def test_strided_slices_of_mlir(node, whole):
    format_, function, arguments = DIALECTS[node]
    text = LINES.replace("NODE", node).replace("KINDS", KINDS)
    if whole:
        text = f"func.func @main(%arg0: tensor<?x5xf32>) {{\n{text}\nreturn\n}}"
    model = model_of_node(text)
    (found,) = model.nodes
    assert (model.format, found.calls[0].function, found.input_shape) == (format_, function, (None, 5))
    assert dict(found.calls[0].arguments) == arguments


@pytest.mark.parametrize(
    "text, function, arguments",
    [
        ('"tfl.slice"(%x, %i, %i)', "tflite.slice", ("begin", "size")),
        ('"tf.Slice"(%x, %i, %i) {device = ""}', "tf.slice", ("begin", "size")),
        ('"tfl.reverse_v2"(%x, %i)', "tflite.reverse_v2", ("axis",)),
        ('"tf.ReverseV2"(%x, %i)', "tf.reverse_v2", ("axis",)),
    ],
)
def test_other_slices_of_mlir(text, function, arguments):
    kinds = ", ".join(["tensor<?x5xf32>", *["tensor<2xi32>"] * len(arguments)])
    (node,) = model_of_node(f"%0 = {text} : ({kinds}) -> tensor<?x2xf32>").nodes
    assert node.calls[0].function == function and tuple(node.calls[0].arguments) == arguments
    assert all(value.values == (None, None) for value in node.calls[0].arguments.values())


def test_gathers_of_mlir():
    constant = '%i = "tf.Const"() {value = dense<1> : tensor<i32>} : () -> tensor<i32>\n'
    lines = {
        "tflite.gather": '"tfl.gather"(%0, %i) <{axis = 1 : i32}> : (tensor<4x3xf32>, tensor<i32>)',
        "tf.gather_v2": '"tf.GatherV2"(%0, %i, %i) : (tensor<4x3xf32>, tensor<i32>, tensor<i32>)',
    }
    for function, operation in lines.items():
        line = f"%1 = {operation} -> tensor<4xf32>"
        (node,) = model_of_node(constant + line).nodes
        assert (node.calls[0].function, dict(node.calls[0].arguments)) == (function, {"indices": 1, "axis": 1})
        assert ssop.inspect.node(constant + line).nodes[0].index == "x[:, 1]"


@pytest.mark.parametrize(
    "text, reason",
    [
        ("y = Slice (x, a", "onnx.parser does not read the text"),
        ("y = Slice <axes = [0] (x)", "Expected character > not found"),
        ("y = Relu (x)", "no node slices in the graph"),
        ('op_type: "Slice" input: "x', "no NodeProto"),
        ('"tfl.slice"(%x, %b, %e)', "the types of %x, %b, %e are missing"),
        ("%1 = tfl.add %0, %0 : tensor<4xf32>", "Dialect `tfl' not found for custom op 'tfl.add'"),
        ('%1 = "tfl.slice"(%0) : (tensor<4xf32>) -> tensor<4xf32>', "line 2: tfl.slice: index out of range"),
        ('%1 = "tfl.gather"(%0, %0) {axis = [1]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>',
         "axis is no integer"),
        ('%1 = "tfl.reverse_v2"(%0, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n'
         '%2 = "tf.ReverseV2"(%1, %0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>', "slices of several dialects"),
        ('"tf.StridedSlice"(%0) : ' + "(" * 50_000, "types"),
    ],
    ids=range(10),
)  # fmt: skip
def test_what_is_unclear_is_one_line(text, reason):
    with pytest.raises(ssop.SliceValueError, match="im_c3") as caught:
        model_of_node(text)
    assert reason in str(caught.value) and "\n" not in str(caught.value) and len(str(caught.value)) < 500


def test_depth_ends_no_process():
    deep = "y = If (c) <a = " + "g () => () { y = If (c) <a = " * 300
    for text in (deep, '%1 = "tfl.slice"(%0) {a = ' + "[" * 49_000):
        with pytest.raises(ssop.SliceValueError, match="im_c3"):
            model_of_node(text)
