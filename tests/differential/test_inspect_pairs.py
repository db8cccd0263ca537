"""What converters write, compared with its source by `ssop.inspect`: the engines agree with each verdict.

The converters are wrong on many of these indices. A pair that the engines show unequal must be reported different, and
a pair that they show equal must not be.
"""

import io
import random

import numpy as np
import pytest

import ssop
from scale import examples
from unit.test_convert import draw_index

tf = pytest.importorskip("tensorflow")
INDICES = 60
"""At full scale; SSOP_TEST_SCALE=2.5 is the campaign."""


def programs(seed):
    """Functions of one index on a shape, with NumPy's answer; those that are an error there are left out."""
    rng = random.Random(seed)
    found = 0
    while found < examples(INDICES):
        rank = rng.randint(1, 3)
        index = draw_index(rng, rank)
        shape = tuple(rng.randint(1, 6) for _ in range(rank))
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        try:
            expected = x[index]
        except IndexError:
            continue
        found += 1
        spec = tf.TensorSpec(shape, tf.float32, name="x")
        yield index, x, expected, traced(index, spec), spec


def traced(index, spec):
    return tf.function(lambda x: tf.identity(x[index]), input_signature=[spec])


def same(expected, given):
    return given is not None and given.shape == expected.shape and np.array_equal(given, expected)


def verdict(first, second):
    """One verdict for a model of one slice: the pairs of what is left out and of what was added say the same."""
    kinds = {pair.kind for pair in ssop.inspect(first, second).pairs}
    return "different" if "different" in kinds else "unknown" if "unknown" in kinds else "equal"


def judge(rows, report, converter):
    """`rows` has the index, the verdict, and whether the engine gave NumPy's answer."""
    missed = [index for index, kind, right in rows if not right and kind == "equal"]
    alarms = [index for index, kind, right in rows if right and kind == "different"]
    unknown = [index for index, kind, _ in rows if kind == "unknown"]
    wrong = sum(not right for _, _, right in rows)
    report(f"{converter}: {len(rows)} indices, {wrong} wrong; {len(unknown)} unknown")
    assert missed == [] and alarms == [] and unknown == []
    return wrong


def test_every_bad_conversion_of_tf2onnx_is_found(report):
    tf2onnx = pytest.importorskip("tf2onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    rows = []
    for index, x, expected, function, spec in programs(0):
        made, _ = tf2onnx.convert.from_function(function, input_signature=[spec], opset=17)
        try:
            session = onnxruntime.InferenceSession(
                made.SerializeToString(), options, providers=["CPUExecutionProvider"]
            )
            given = session.run(None, {session.get_inputs()[0].name: x})[0]
        except Exception:  # a model that the runtime does not take
            given = None
        source = function.get_concrete_function().graph.as_graph_def()
        if any(node.op_type == "StridedSlice" for node in made.graph.node):
            assert given is None and verdict(source, made) == "unknown"  # it was left as it is: no model of ONNX
            continue
        rows.append((index, verdict(source, made), same(expected, given)))
    assert judge(rows, report, "tf2onnx") or len(rows) < 10


def test_every_bad_conversion_of_openvino_is_found(report, tmp_path):
    openvino = pytest.importorskip("openvino")
    core, rows = openvino.Core(), []
    for index, x, expected, function, _ in programs(1):
        made = openvino.convert_model(function, input=[openvino.PartialShape(list(x.shape))])
        given = core.compile_model(made, "CPU")([x])[0]
        openvino.save_model(made, tmp_path / "made.xml")
        source = function.get_concrete_function().graph.as_graph_def()
        rows.append((index, verdict(source, tmp_path / "made.xml"), same(expected, given)))
    judge(rows, report, "OpenVINO")


def exported(width):
    """A model that crops the middle of its rows, exported by way of a trace, which keeps the numbers of this width."""
    torch = pytest.importorskip("torch")
    onnx = pytest.importorskip("onnx")

    class Crop(torch.nn.Module):
        def forward(self, x):
            height, wide = x.shape[-2:]
            top, left = (height - 4) // 2, (wide - 4) // 2
            y = x[..., top : top + 4, left : left + 4]
            return y, x[:, 1:3]  # the latter is the same in every export

    file = io.BytesIO()
    x = torch.zeros(1, 3, width + 2, width)
    torch.onnx.export(Crop(), (x,), file, dynamo=False, opset_version=17, input_names=["x"], output_names=["y", "z"])
    return onnx.load_from_string(file.getvalue())


@pytest.mark.filterwarnings("ignore")  # the exporter says that it is an old one
def test_the_frozen_bounds_of_a_crop_are_named_and_constants_are_left_alone():
    comparison = ssop.inspect(exported(10), exported(14))
    frozen = {pair.second.result: pair.frozen for pair in comparison.pairs}
    assert frozen["z"] == ()
    assert len(frozen["y"]) == 4 and all("axis" in bound for bound in frozen["y"])
