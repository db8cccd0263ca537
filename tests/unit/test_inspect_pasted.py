"""Nodes pasted as text: what is understood, and what is said of the rest."""

import random
from importlib.util import find_spec

import pytest

import ssop
from ssop._inspect.inspection import inspected
from ssop._inspect.pasted import model_of_node, parse_node
from ssop._inspect.records import RunTime
from ssop.cli import main

NONE = {"begin_mask": 0, "end_mask": 0, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 0}


@pytest.mark.parametrize(
    ("text", "format_", "function", "arguments"),
    [
        ("Slice(starts=[0], ends=[-1], axes=[1])", "onnx", "onnx.slice", {"starts": (0,), "ends": (-1,), "axes": (1,)}),
        ("onnx::Slice(x, [0], [2])", "onnx", "onnx.slice", {"starts": (0,), "ends": (2,)}),
        ("Slice(begin=[0], size=[1])", "tensorflow", "tf.slice", {"begin": (0,), "size": (1,)}),
        (
            "Slice(start=[0], stop=[1], step=[1])",
            "openvino",
            "openvino.slice",
            {"start": (0,), "stop": (1,), "step": (1,)},
        ),
        (
            "y = tf.raw_ops.StridedSlice(input=x, begin=[0], end=[2**31 - 1], strides=[-1], begin_mask=1, Index=t)",
            "tensorflow",
            "tf.strided_slice",
            {"begin": (0,), "end": (2**31 - 1,), "strides": (-1,), **NONE, "begin_mask": 1},
        ),
        (
            "STRIDED_SLICE(begin=[0], end=[5], strides=[1], shrink_axis_mask=1)",
            "tflite",
            "tflite.strided_slice",
            {"begin": (0,), "end": (5,), "strides": (1,), **NONE, "shrink_axis_mask": 1},
        ),
        (
            "StridedSlice(begin=[0], end=[5], strides=[1], begin_mask=[1], end_mask=[0])",
            "openvino",
            "openvino.strided_slice",
            {
                "begin": (0,),
                "end": (5,),
                "strides": (1,),
                **dict.fromkeys(NONE, ()),
                "begin_mask": (1,),
                "end_mask": (0,),
            },
        ),
        ("lax.slice(x, (0,), (2,))", "stablehlo", "xla.slice", {"start_indices": (0,), "limit_indices": (2,)}),
        ("GatherV2(indices=[0, 2], axis=1)", "tensorflow", "tf.gather_v2", {"indices": (0, 2), "axis": 1}),
        ("Gather(x, indices=3)", "onnx", "onnx.gather", {"indices": 3}),
        ("tf.reverse(x, axis=[0])", "tensorflow", "tf.reverse_v2", {"axis": (0,)}),
        (
            "Slice(starts=[-1], ends=[np.iinfo(np.int64).min], axes=[0], steps=[-1])",
            "onnx",
            "onnx.slice",
            {"starts": (-1,), "ends": (-(2**63),), "axes": (0,), "steps": (-1,)},
        ),
        ("onnx.Slice(x, np.array([0]), INT64_MAX)", "onnx", "onnx.slice", {"starts": (0,), "ends": (2**63 - 1,)}),
        (
            "%3 : Float(2, strides=[1]) = onnx::Slice[axes=[0], ends=[2], starts=[0]](%0) # f.py:3:0",
            "onnx",
            "onnx.slice",
            {"starts": (0,), "ends": (2,), "axes": (0,)},
        ),
        (
            "type: Slice\nname: /Slice_3\nstarts: [0]\nends: [-1]\naxes: 0, 1",
            "onnx",
            "onnx.slice",
            {"starts": (0,), "ends": (-1,), "axes": (0, 1)},
        ),
        (
            "type: Gather\nmodule: ai.onnx v11\n'axis' = 1,\n'indices' = 2,",
            "onnx",
            "onnx.gather",
            {"indices": 2, "axis": 1},
        ),
        (
            "type: STRIDED_SLICE\nbegin: [0]\nend: [3]\nstrides: [1]\nbegin_mask: 1\nlocation: 7",
            "tflite",
            "tflite.strided_slice",
            {**NONE, "begin": (0,), "end": (3,), "strides": (1,), "begin_mask": 1},
        ),
        ("Pad(x, pads=[0, 1], mode='edge')", "onnx", "onnx.pad", {"pads": (0, 1), "mode": "edge"}),
        ("tf.pad(x, [[1, 2], (0, -1)])", "tensorflow", "tf.pad", {"before": (1, 0), "after": (2, -1)}),
        ("PAD(paddings=[[1, 2], [0, 3]])", "tflite", "tflite.pad", {"paddings": (1, 2, 0, 3)}),
        (
            "Pad(pads_begin=[1], pads_end=[0], pad_mode='constant', pad_value=0)",
            "openvino",
            "openvino.pad",
            {"pads_begin": (1,), "pads_end": (0,), "mode": "constant"},
        ),
        (
            "lax.dynamic_update_slice(operand=x, start_indices=[5, i], update_shape=[3, 2])",
            "stablehlo",
            "xla.dynamic_update_slice",
            {"start_indices": RunTime("i", "input", (5, None)), "update_shape": (3, 2)},
        ),
        (
            "tf.pad(x, paddings=p)",
            "tensorflow",
            "tf.pad",
            {"before": RunTime("p", "input"), "after": RunTime("p", "input")},
        ),
    ],
)
def test_calls_are_understood(text, format_, function, arguments):
    model = model_of_node(text)
    (node,) = model.nodes
    assert model.format == format_ and node.calls == ((function, arguments),)
    assert str(inspected(model))


def test_shape_opset_and_names_of_tensors():
    node = parse_node("y = Slice(features, starts=[0, n], ends=stop, axes=[0, 1], shape=['N', 5, None, -1], opset=9)")
    assert (node.name, node.operand, node.opset) == ("y", "features", 9)
    assert node.input_shape == ("N", 5, None, None)
    arguments = node.calls[0].arguments
    assert arguments["starts"] == RunTime("n", "input", (0, None)) and arguments["ends"] == RunTime("stop", "input")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no call"),
        ("Slice(", "no call"),
        ("tf.pad(x, [1, 2])", "no list of pairs"),
        ("tf.pad(x, [[1, 2, 3]])", "no list of pairs"),
        ("Pad(pads=[1, 2], mode=3)", "mode is no text"),
        (
            "Pad(x)",
            "onnx.pad(pads, axes, mode) or openvino.pad(pads_begin, pads_end, pad_mode) or tf.pad(paddings, mode)",
        ),
        ("Slice(starts=[0], ends=[-1], ...)", "leaves arguments out"),
        ("Slice(starts=[0], ends=[-1], \u2026)", "leaves arguments out"),
        ("x[1:2]", "`ssop explain`"),
        ("slice", "no call"),
        ("f()(1)", "no name"),
        ("foo(1)", "no operator that can be pasted"),
        ("torch.narrow(x, 0, 1, 2)", "no framework is called torch"),
        ("Slice(x, [0], [1])", "by name, or the framework before it"),
        ("Slice(starts=[0], axes=[1])", "ends missing for onnx.slice"),
        ("Slice(starts=[0], ends=[2], strides=[2])", "there is no argument strides for onnx.slice"),
        ("onnx.Slice(starts=[0])", "ends missing"),
        ("onnx.Slice(x, [0], [1], [0], [1], [2])", "5 arguments"),
        ("onnx.Slice(x, [0], starts=[1], ends=[2])", "starts is given twice"),
        ("onnx.Slice(*x)", "not by * or **"),
        ("onnx.Slice(x, **y)", "not by * or **"),
        ("Slice(starts=[1.5], ends=[2])", "no integer and no name"),
        ("Slice(starts=[10**80], ends=[2])", "no integer and no name"),
        (f"Slice(starts=[{'9' * 100}], ends=[2])", "no integer and no name"),
        (f"Slice(starts=[{'0,' * 2000}], ends=[2])", "more than 1024 integers"),
        ("Slice(starts=[0], ends=[2], shape=5)", "no list of dims"),
        ("xla.slice(x, 0, [1])", "needs a list"),
        ("Slice(starts=[" + "-" * 9000 + "1], ends=[2])", ""),
        ("Slice(starts=[" + "1+" * 4000 + "1], ends=[2])", ""),
        ("a" + ".a" * 4500 + "()", ""),
        ("Slice(starts=" + "[" * 4000, "no call"),
        ("1" * 20_000, "20000 characters"),
        ("1" * 200_000, "200000 characters"),
        ("starts: 0\nends: 1", "no type: one line such as 'type: Slice' is needed"),
        ("type: Slice\ntype: Gather\nstarts: 0", "2 types"),
        ("type: StridedSlice\nbegin_mask: 1\nend_mask: 0", "by name, or the framework before it"),
        ("type: Slice\nstarts: [0]", "ends missing"),
        ("y = Slice(x, begin, size)", "by name, or the framework before it"),
        (3, "an int, not a text"),
    ],
)
def test_what_is_unclear_is_named(text, reason):
    with pytest.raises(ssop.SliceValueError) as caught:
        parse_node(text)
    assert caught.value.label == "im_c3" and reason in str(caught.value) and len(str(caught.value)) < 100_000


@pytest.mark.parametrize(
    "text",
    [
        "type: Slice\nstarts: 0" + " " * 5_000 + "1",
        "%0 = stablehlo.slice %x" + " " * 90_000 + "y",
        "%0 = stablehlo.slice %x : tensor<" + ">" * 90_000 + ":",
    ],
    ids=["property", "location", "type"],
)
def test_long_texts_need_no_more_time_than_their_length(text):
    """Regular expressions tried each split of a run of characters into two or three parts, which takes hours."""
    with pytest.raises((ssop.SliceValueError, ImportError)):
        parse_node(text)


def test_values_of_properties_may_end_with_a_comma():
    node = parse_node("type: Slice\nstarts: [0] , \nends: [ 2 ],\ninputs: \naxes: 0,")
    assert node.calls[0].arguments == {"starts": (0,), "ends": (2,), "axes": (0,)}


def test_no_mutation_of_a_call_does_anything_else():
    generator, errors = random.Random(42), 0
    whole = "y = Slice(x, starts=[0, n], ends=[-1, 2**31 - 1], axes=[0, 1], shape=['N', 5], opset=9)"
    for _ in range(2000):
        text = list(whole)
        for _ in range(generator.choice([1, 2, 8])):
            text[generator.randrange(len(text))] = generator.choice("[](),=-*.x1' :\0\n")
        try:
            parse_node("".join(text))
        except ssop.SliceValueError as error:
            assert error.label == "im_c3"
            errors += 1
        except ImportError as error:  # it has become a node in ONNX's text form
            assert error.name == "onnx" and find_spec("onnx") is None
    assert 200 < errors < 2000


def test_the_command_takes_a_node(capsys):
    assert main(["inspect", "--node", "Slice(starts=[0], ends=[-1], axes=[1])"]) == 0
    assert "x[:, 0:-1]" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["inspect"], ["inspect", "m.onnx", "--node", "Slice(starts=[0], ends=[1])"]])
def test_the_command_takes_a_model_or_a_node(arguments, capsys):
    assert main(arguments) == 2
    assert "inspect needs a model, or --node" in capsys.readouterr().err


def test_tfl_s4_ends_that_count_from_begins():
    """TFLite's converter makes them of begin + constant, which TensorFlow reads as any end, modulo 2**32."""
    text = "tfl.strided_slice(begin={}, end={}, strides={}, offset={}, shape={})"
    report = ssop.inspect.node(text.format([-2], [2], [1], "true", ["n"])).nodes[0]
    assert dict(report.node.calls[0].arguments)["offset"] is True and "tfl_s4" in report.rules
    assert report.judged.shapes == {"LiteRT": (2,), "TensorFlow": (0,)}
    assert report.rewriting is not None and report.rewriting.endswith("y = tf.slice(y, begin=[0], size=[2])")
    for begin, end, stride, dim, kind, index in [
        (2, 3, 1, 9, "equal everywhere", "x[2:5]"),
        (5, -3, -1, 9, "equal everywhere", "x[5::-1][0:3]"),
        (-1, 0, 1, 9, "equal everywhere", "x[0:0]"),  # as an end, 0 would be a hazard
        (8, 3, 1, 9, "an error", None),
        (1, 2**31 - 1, 1, 9, "an error", None),
    ]:
        report = ssop.inspect.node(text.format([begin], [end], [stride], 1, [dim])).nodes[0]
        assert (report.judged.verdict.kind, report.index) == (kind, index), report
        assert {finding.hazard for finding in report.findings} <= {"negative-step", "always-an-error"}
    assert report.judged.shapes["TensorFlow"] == (0,)  # 1 + (2**31 - 1) is -2**31 there
    plain = ssop.inspect.node(text.format([2], [3], [1], "false", [9])).nodes[0]
    assert "offset" not in plain.node.calls[0].arguments and plain.index == "x[2:3]"
    unknown = ssop.inspect.node(text.format("begin", [3], [1], "true", [9])).nodes[0]
    assert unknown.judged.verdict.kind == "unknown" and "begin: known at run time only" in str(unknown.judged.verdict)


@pytest.mark.parametrize(
    "text",
    ["tfl.strided_slice(begin=[1], end=[1], offset=2)", "tfl.strided_slice(begin=[1], end=[1], offset=flag)"],
)
def test_an_offset_is_true_or_false(text):
    with pytest.raises(ssop.SliceValueError, match=r"offset is neither true nor false.*im_c3"):
        parse_node(text)
