"""Verdicts and hazards on hand-made nodes: each hazard has a node that shows it, and one beside it that must not."""

import json
from dataclasses import replace

import numpy as np
import pytest

import ssop
from ssop._inspect.hazards import HAZARDS
from ssop._inspect.inspection import inspected
from ssop._inspect.meanings import NoSlice, as_call
from ssop._inspect.profiles import PROFILES
from ssop._inspect.records import NEGATIVE_DIM, Model, NodeCall, RunTime, SliceNode

INT64_MAX, INT64_MIN, INT32_MAX = 2**63 - 1, -(2**63), 2**31 - 1
RUN_TIME = RunTime("starts", "Shape -> Gather -> Sub", (None,))


def node(function, shape, declared=None, opset=17, name="n", notes=(), **arguments):
    call = NodeCall(function, arguments)
    return SliceNode(name, "Slice", (call,), "x", "y", shape, declared, "float32", opset=opset, notes=notes)


def onnx(start, end, step=1, shape=("n",), axes=(0,), **others):
    lists = {"starts": (start,), "ends": (end,), "axes": axes, "steps": (step,)}
    return node("onnx.slice", shape, **lists, **others)


def report(*nodes, format_="onnx", **options):
    return inspected(Model("m", format_, "made here", tuple(nodes), len(nodes)), **options)


def names(*nodes, **options):
    return {finding.hazard for finding in report(*nodes, **options).findings}


def strided(begin, end, step=1, shape=("n",), function="tf.strided_slice", **masks):
    return node(function, shape, begin=(begin,), end=(end,), strides=(step,), **masks)


SHOWN = {
    "hz_s1": (onnx(-3, INT64_MIN, -1), onnx(-1, INT64_MIN, -1)),
    "hz_s2": (onnx(0, 1, 0), onnx(0, 1, 1)),
    "hz_s3": (onnx(-1, INT64_MIN, -1), onnx(0, INT64_MAX, 2)),
    "hz_s4": (onnx(4, INT64_MAX, -1), onnx(4, INT64_MIN, -1)),
    "hz_s5": (node("onnx.slice", ("n",), starts=RUN_TIME, ends=(3,), axes=(0,)), onnx(1, 3)),
    "hz_s7": (onnx(-1, 0), onnx(-1, INT64_MAX)),
    "hz_s8": (onnx(1, 9, shape=(4,)), onnx(1, INT64_MAX, shape=(4,))),
    "hz_s9": (node("onnx.slice", (4,), starts=(1, 2), ends=(3,), axes=(0,)), onnx(1, 3, shape=(4,))),
    "hz_s10": (onnx(1, 3, axes=(-1,), opset=10), onnx(1, 3, axes=(-1,), opset=11)),
    "hz_s11": (onnx(2**32, INT64_MAX), onnx(2**31 - 2, INT64_MAX)),
    "hz_s13": (onnx(1, 3, shape=(None,), notes=(NEGATIVE_DIM,)), onnx(1, 3, shape=(None,))),
    "hz_s15": (onnx(0, INT64_MAX), onnx(1, INT64_MAX)),
    "hz_s16": (onnx(1, 3, shape=(4,), declared=(3,)), onnx(1, 3, shape=(4,), declared=(2,))),
}  # fmt: skip


@pytest.mark.parametrize("label", SHOWN)
def test_each_hazard_is_shown_by_one_node_and_not_by_another(label):
    (hazard,) = (hazard for hazard in HAZARDS if hazard.label == label)
    shown, silent = SHOWN[label]
    assert hazard.name in names(shown) and hazard.name not in names(silent)
    (finding,) = (finding for finding in report(shown).findings if finding.label == label)
    assert finding.severity == hazard.severity and finding.message


def test_hz_s12_marks_of_unknown_dims_in_programs():
    marked = node("xla.dynamic_slice", ("n",), start_indices=(0,), slice_sizes=(INT64_MIN,))
    assert "int64-min" in names(marked, format_="stablehlo")
    assert "int64-min" not in names(
        node("xla.dynamic_slice", ("n",), start_indices=(0,), slice_sizes=(2,)), format_="stablehlo"
    )


def test_hz_s14_the_second_of_two_equal_nodes_is_a_duplicate():
    first, second = onnx(1, 3, name="a"), onnx(1, 3, name="b")
    assert [(one.node, one.message) for one in report(first, second).findings] == [("b", "the same as a")]
    assert names(first, onnx(1, 4, name="b")) == set()
    run_time = [node("onnx.slice", ("n",), name=name, starts=RUN_TIME, ends=(3,), axes=(0,)) for name in "ab"]
    assert "duplicate" not in names(*run_time)


def test_every_hazard_can_be_silenced_by_name_and_by_label():
    shown = [pair[0] for pair in SHOWN.values()]
    for hazard in HAZARDS:
        for word in (hazard.name, hazard.label):
            assert hazard.name not in names(*shown, silent=[word])
    assert names(*shown, silent=[hazard.name for hazard in HAZARDS]) == set()


REJECTED = {
    "tflite-gpu": (strided(1, 3, shape=(4,)), strided(0, 0, 1, shape=(4, 5, 6), begin_mask=1, end_mask=1)),
    "xnnpack": (strided(1, 3, 2, shape=(4,)), strided(1, 3, 1, shape=(4,))),
    "tflm": (
        node("tflite.strided_slice", (4,), begin=RUN_TIME, end=(3,), strides=(1,)),
        strided(1, 3, function="tflite.strided_slice"),
    ),
    "ort-web": (onnx(1, 3, 2), onnx(1, 3)),
    "tensorrt": (
        node("onnx.slice", ("n",), starts=RUN_TIME, ends=(3,), axes=(0,)),
        node("onnx.slice", (4,), starts=RUN_TIME, ends=(3,), axes=(0,)),
    ),
    "openvino": (onnx(2**32, INT64_MAX), onnx(1, INT64_MAX)),
    "coreml": (onnx(2**32, INT64_MAX), onnx(1, INT64_MAX)),
    "opencv": (onnx(-1, INT64_MIN, -1), onnx(1, 3, 2)),
}


@pytest.mark.parametrize("target", PROFILES)
def test_hz_s17_a_target_rejects_one_node_and_takes_another(target):
    if target == "ort":  # takes everything that ONNX has
        assert "rejected-by-target" not in names(*(pair[0] for pair in SHOWN.values()), target="ort")
        return
    rejected, taken = REJECTED[target]
    format_ = (
        rejected.calls[0].function.partition(".")[0].replace("tf", "tensorflow").replace("tensorflowlite", "tflite")
    )
    assert "rejected-by-target" in names(rejected, format_=format_, target=target)
    assert "rejected-by-target" not in names(taken, format_=format_, target=target)
    assert "rejected-by-target" not in names(rejected, format_=format_, target=target, silent=["hz_s17"])


def test_what_a_gpu_rejects_is_rewritten_without_negative_steps_and_masks():
    (found,) = report(strided(-1, 0, -1, shape=(1, 9, 4), shrink_axis_mask=0, end_mask=1, begin_mask=1),
                      format_="tflite", target="tflite-gpu").nodes  # fmt: skip
    assert found.rewriting == "y = tf.reverse(x, axis=[0])"


@pytest.mark.parametrize(
    "one, format_, target",
    [
        (onnx(-1, INT64_MIN, -1), "onnx", "opencv"),
        (onnx(0, 8, 2), "onnx", "ort-web"),
        (strided(1, 2, shape=(4, 8, 8), function="tflite.strided_slice"), "tflite", "tflite-gpu"),
    ],
)
def test_what_no_call_can_mend_has_no_rewriting(one, format_, target):
    """A step or a part of the batch stays in every slice, and the format has no other call."""
    (found,) = report(one, format_=format_, target=target).nodes
    assert found.rewriting == f"none is known that {target} takes"


def test_hz_s6_is_found_between_two_exports_only():
    (hazard,) = (hazard for hazard in HAZARDS if hazard.label == "hz_s6")
    assert hazard.name == "frozen-bounds" and hazard.name not in names(onnx(3, 7, shape=(10,)))


# ---- verdicts ------------------------------------------------------------------------------------------------------


def test_im_s1_verdicts_say_where_engines_differ():
    (found,) = report(onnx(-3, INT64_MIN, -1)).nodes
    verdict = found.judged.verdict
    assert (verdict.kind, verdict.engines, verdict.smallest) == ("differs", ("ONNX's text", "onnx.reference"), (1,))
    x = np.arange(1)
    lists = {"starts": [-3], "ends": [INT64_MIN], "axes": [0], "steps": [-1]}
    given = [ssop.onnx.slice(x, **lists, engine=engine).size for engine in ("spec", "reference")]
    assert given == [1, 0]  # the counterexample is one


@pytest.mark.parametrize(
    "one, format_, kind, index, gives",
    [
        (onnx(1, INT64_MAX, 2), "onnx", "equal everywhere", "x[1::2]", (None,)),
        (onnx(1, INT64_MAX, 2, shape=(7,)), "onnx", "equal everywhere", "x[1::2]", (3,)),
        (onnx(0, 4, shape=("n", 3)), "onnx", "equal everywhere", "x[0:4]", ((0, 4), 3)),
        (onnx(0, INT64_MAX, shape=("n", 3), axes=(1,)), "onnx", "equal everywhere", "x", ("n", 3)),
        (onnx(1, 2, shape=None), "onnx", "equal everywhere", "x[1:2]", ((0, 1), "...")),
        (onnx(1, 2, shape=None, axes=(-1,)), "onnx", "unknown", None, None),
        (strided(-9, 0, shape=(5,), shrink_axis_mask=1), "tensorflow", "an error", None, None),
        (strided(-9, 0, shape=("n",), shrink_axis_mask=1), "tensorflow", "differs", "x[-9]", ()),
        (node("onnx.gather", ("n", 4), indices=(1, 3), axis=1), "onnx", "equal everywhere", "x[:, 1:4:2]", ("n", 2)),
        (node("onnx.gather", ("n", 4), indices=(3, 1), axis=1), "onnx", "equal everywhere", "x[:, 3:0:-2]", ("n", 2)),
        (node("onnx.gather", ("n", 4), indices=-1, axis=1), "onnx", "equal everywhere", "x[:, -1]", ("n",)),
        (node("onnx.gather", ("n", 4), indices=(0, 1, 3), axis=1), "onnx", "unknown", None, None),
        (node("onnx.pad", ("n", 4), pads=(0, 1, 0, 1)), "onnx", "unknown", None, None),
        (node("tf.slice", ("n",), begin=(1,), size=(2,)), "tensorflow", "differs", None, (2,)),
        (node("tf.slice", (3,), begin=(1,), size=(-1,)), "tensorflow", "equal everywhere", "x[1:]", (2,)),
        (node("tflite.slice", ("n",), begin=(1,), size=(2,)), "tflite", "equal everywhere", None, (2,)),
        (node("tf.reverse_v2", (2, 3, 4), axis=(2, 0)), "tensorflow", "differs", "x[::-1, :, ::-1]", (2, 3, 4)),
        (node("tf.reverse_v2", (2, 3, 4), axis=(-1, -2)), "tensorflow", "equal everywhere", "x[:, ::-1, ::-1]", None),
        (node("tflite.reverse_v2", (2, 3, 4), axis=(2, 0)), "tflite", "an error", None, None),
        (node("tflite.reverse_v2", (2, 3, 4), axis=(-1, 0)), "tflite", "unknown", None, None),
        (node("xla.rev", (2, 4), dimensions=(1,)), "stablehlo", "equal everywhere", "x[:, ::-1]", (2, 4)),
        (node("onnx.squeeze", ("n", 3), axes=(0,)), "onnx", "equal everywhere", "x.squeeze(0)", (3,)),
        (node("onnx.squeeze", ("n", "m"), axes=(0, 1)), "onnx", "equal everywhere", "x.squeeze((0, 1))", ()),
    ],
    ids=lambda value: None if isinstance(value, (SliceNode, tuple)) else str(value),
)  # fmt: skip
def test_what_is_said_of_a_node(one, format_, kind, index, gives):
    (found,) = report(one, format_=format_).nodes
    assert (found.judged.verdict.kind, found.index) == (kind, index)
    if gives is not None:
        assert next(iter(found.judged.shapes.values())) == gives


@pytest.mark.parametrize(
    "declared, message",
    [
        ((None, 3, 4), None),
        ((5, 3), "the file declares 5 for axis 0 of the result, the rule gives 0..2"),
        ((), "the file declares rank 0, the rule gives at least 1"),
    ],
)
def test_a_declared_shape_behind_an_operand_of_any_rank(declared, message):
    """The older exporter of torch declares no shapes between nodes, but that of the last result."""
    (found,) = report(replace(onnx(1, 3, shape=None), declared_shape=declared)).nodes
    assert [finding.message for finding in found.findings] == ([] if message is None else [message])


@pytest.mark.parametrize("stride", [0, -1])
@pytest.mark.parametrize("shape", [("n",), (4,), None], ids=str)
def test_a_stride_that_xla_rejects_is_an_error_on_every_shape(stride, shape):
    for name, call in {
        "xla.slice": {"start_indices": (0,), "limit_indices": (1,), "strides": (stride,)},
        "xla.slice_in_dim": {"start_index": 0, "limit_index": 1, "stride": stride, "axis": 0},
    }.items():
        (found,) = report(node(name, shape, **call), format_="stablehlo").nodes
        assert (found.judged.verdict.kind, found.judged.verdict.text) == (
            "an error",
            f"stride {stride} is not positive",
        )
        if shape is not None:
            with pytest.raises(ssop.SliceError, match="sl_c7"):
                ssop.convert(ssop.convert.Call(name, **call), to="numpy", shape=[None])


def test_dims_of_2_to_the_31_are_left_out_unless_any_dim_may_come():
    ends_at_int32_max = onnx(0, INT32_MAX)
    assert "no-op" in names(ends_at_int32_max)
    assert "no-op" not in names(ends_at_int32_max, any_dim=True)


def test_calls_of_one_node_are_one_after_the_other():
    calls = (
        NodeCall("onnx.slice", {"starts": (1,), "ends": (2,), "axes": (0,)}),
        NodeCall("onnx.squeeze", {"axes": (0,)}),
    )
    one = SliceNode("n", "Slice + Squeeze", calls, "x", "y", (4, 5), (5,))
    (found,) = report(one).nodes
    assert (found.index, found.judged.shapes["ONNX Runtime"], found.findings) == ("x[1]", (5,), ())


def test_an_error_on_an_axis_that_a_call_made():
    """tf2onnx writes Unsqueeze, Slice and Squeeze for a spec whose new axis it also slices."""
    calls = (
        NodeCall("onnx.unsqueeze", {"axes": (1,)}),
        NodeCall("onnx.slice", {"starts": (1,), "ends": (2,), "axes": (1,)}),
        NodeCall("onnx.squeeze", {"axes": (1,)}),
    )
    (found,) = report(SliceNode("n", "Unsqueeze + Slice + Squeeze", calls, "x", "y", ("n",))).nodes
    assert str(found.judged.verdict) == "an error: a new axis: it is dropped, and its length is not 1"


# ---- forms ---------------------------------------------------------------------------------------------------------


def test_a_report_as_text_json_and_sarif():
    nodes = [onnx(-1, 0, name="first"), onnx(1, 3, name="second")]
    found = report(*nodes)
    lines = str(found).splitlines()
    assert lines[0] == "m: made here; 2 of 2 operators slice"
    assert lines[3].split() == ["first", "x[-1:0]", "(n,)", "(0,)", "equal"]
    assert (
        "  warning: axis 0: from -1 to 0 is empty for every dim; an open end is 9223372036854775807 [zero-end hz_s7]"
        in lines
    )
    data = json.loads(json.dumps(found.to_dict()))
    assert [one["index"] for one in data["nodes"]] == ["x[-1:0]", "x[1:3]"]
    (result,) = json.loads(json.dumps(found.to_sarif()))["runs"][0]["results"]
    assert (result["ruleId"], result["level"]) == ("hz_s7", "warning")
    assert "rules     onx_s1" in str(report(*nodes, only="first"))


def test_one_node_shows_bounds_of_run_time_with_their_producer():
    text = str(report(SHOWN["hz_s5"][0]))
    assert "starts=[?] from Shape -> Gather -> Sub" in text


def test_axes_count_from_those_that_were_added():
    """A Slice behind an Unsqueeze in the same node has one axis more than the operand."""
    calls = (NodeCall("onnx.unsqueeze", {"axes": (1,)}), *onnx(1, 3, axes=(2,)).calls)
    assert "unequal-lists" not in names(replace(onnx(1, 3, shape=("n", "m")), calls=calls))
    assert "unequal-lists" in names(onnx(1, 3, axes=(2,), shape=("n", "m")))


PARTS = {
    "onnx.split": ({"axis": -1, "split": (2, 3), "output": 1, "outputs": 2}, np.s_[:, 2:5]),
    "tflite.split": ({"axis": 0, "split": (2, 2), "output": 0, "outputs": 2}, np.s_[0:2]),
    "tflite.split_v": ({"axis": 1, "split": (1, 4), "output": 1, "outputs": 2}, np.s_[:, 1:5]),
    "tflite.unpack": ({"axis": 1, "output": 3, "outputs": 5}, np.s_[:, 3]),
}


@pytest.mark.parametrize("function, row", PARTS.items(), ids=PARTS)
def test_an_output_of_a_split_is_a_slice(function, row):
    arguments, index = row
    x = np.arange(20).reshape(4, 5)
    for call in as_call(NodeCall(function, arguments)):
        x = call(x)
    np.testing.assert_array_equal(x, np.arange(20).reshape(4, 5)[index])


@pytest.mark.parametrize("sizes", [None, RUN_TIME, (-1, 2)], ids=["none", "run time", "negative"])
def test_a_split_without_sizes_is_unknown(sizes):
    with pytest.raises(NoSlice):
        as_call(NodeCall("onnx.split", {"axis": 0, "split": sizes, "output": 0, "outputs": 2}))


# ---- what a reader of the text stumbled over ------------------------------------------------------------------------


def test_a_declared_rank_is_no_hazard_where_the_operand_s_rank_is_not_known():
    """Exports without shapes between nodes: the operand may have more axes than the slice names."""
    assert "declared-shape" not in names(onnx(0, INT64_MAX, 2, shape=None, declared=(1, 2, 6, 4), axes=(1,)))


def test_a_target_that_needs_the_batch_rejects_a_scalar():
    one = node("tf.strided_slice", (1, 2), begin=(0, 0), end=(1, 1), strides=(1, 1), shrink_axis_mask=3)
    (found,) = report(one, format_="tensorflow", target="tflite-gpu").nodes
    assert "tflite-gpu: axis 0, the batch, must stay whole" in [finding.message for finding in found.findings]


def test_negative_axes_are_named_in_every_old_opset():
    for opset in (9, 10):
        assert "axes (-1,) are negative" in str(report(onnx(1, 3, axes=(-1,), opset=opset, shape=("n", 4))))


def test_engines_with_one_answer_share_a_line():
    same = str(report(onnx(1, 3, shape=(8,))))
    assert "  gives     (2,) in every engine\n" in same and "declared" not in same
    differ = str(report(onnx(-1, INT32_MAX, -1)))
    assert "  gives     (0,) in ONNX's text, onnx.reference, OpenVINO\n" in differ
    assert "  takes     nothing: it is an error\n" in str(report(onnx(0, 1, 0, shape=(4,))))
    assert "  takes     what its bounds say when it runs\n" in str(report(SHOWN["hz_s5"][0]))


def test_the_last_line_counts_the_hazards():
    lines = str(report(*(pair[0] for pair in SHOWN.values()))).splitlines()
    assert lines[-1].startswith("5 errors, ") and lines[-1].endswith(
        " notes. More: ssop inspect --about engines-differ"
    )


def test_masks_without_bits_are_left_out():
    assert "tf.strided_slice(begin=[1], end=[3], strides=[1])" in str(report(strided(1, 3), format_="tensorflow"))


NODES = {
    "onnx": ("Slice(starts=[-3], ends=[INT64_MAX], axes=[1], steps=[2], shape=['n', 5])", np.s_[:, -3::2]),
    "tflite": (
        "tfl.strided_slice(begin=[1, 4], end=[3, 2], strides=[1, -1], offset=0, shape=[4, 5])",
        np.s_[1:3, 4:2:-1],
    ),
    "tensorflow": ("tf.strided_slice(begin=[-1], end=[0], strides=[1], shrink_axis_mask=1, shape=[4, 5])", -1),
    "stablehlo": ("stablehlo.slice(x, start_indices=[1, 0], limit_indices=[3, 5], shape=[4, 5])", np.s_[1:3]),
    "openvino": ("opset8.slice(x, start=[0], stop=[9], step=[3], axes=[0], shape=['n', 5])", np.s_[:9:3]),
}


@pytest.mark.parametrize("format_", NODES)
@pytest.mark.parametrize("to", ["numpy", "onnx", "xla"])
def test_cv_s1_a_node_is_a_call_on_its_own_shape(format_, to):
    text, index = NODES[format_]
    report = ssop.inspect.node(text)
    (node,) = report.nodes
    x = np.arange(20).reshape(4, 5)
    if to == "xla" and format_ == "openvino":
        with pytest.raises(ssop.ConversionError) as caught:
            ssop.convert(node, to)
        assert caught.value.axis == 0
        return
    conversion = ssop.convert(node, to)
    assert report.model.format == format_ and conversion.shape == node.judged.where
    np.testing.assert_array_equal(conversion(x), x[index])
    np.testing.assert_array_equal(ssop.convert.compose(node)(x), x[index])
    assert ssop.convert.equal(node, index) and not ssop.convert.is_identity(node)
    with pytest.raises(ssop.SliceValueError, match="cv_c13"):
        conversion(x.T)
    assert ssop.convert(node, "torch", [6, 5]).shape.lengths[0] == (6, 6)  # unless another shape is given
    assert ssop.convert([node, np.s_[:1]], "numpy", [4, 5])(x).tolist() == x[index][:1].tolist()
