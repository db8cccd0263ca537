"""What converters write, compared with its source by `ssop.inspect`: the engines agree with each verdict.

The converters are wrong on many of these indices. A pair that the engines show unequal must be reported different, and
a pair that they show equal must not be.
"""

import io
import random
import subprocess
import sys

import numpy as np
import pytest

import ssop
from scale import examples
from ssop.testing._differential.predicates import dangers
from ssop.testing.calls import Call
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
    """`rows` has the index, the verdict, whether the engine gave NumPy's answer, whether it reads outside memory."""
    missed = [index for index, kind, right, _ in rows if not right and kind == "equal"]
    alarms = [index for index, kind, right, lucky in rows if right and kind == "different" and not lucky]
    unknown = [index for index, kind, _, _ in rows if kind == "unknown"]
    wrong = sum(not right for _, _, right, _ in rows)
    luck = sum(right and lucky and kind == "different" for _, kind, right, lucky in rows)
    report(f"{converter}: {len(rows)} indices, {wrong} wrong, {luck} right by luck; {len(unknown)} unknown")
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
        rows.append((index, verdict(source, made), same(expected, given), False))
    assert judge(rows, report, "tf2onnx") or len(rows) < 10


CHILD = """
import sys
import numpy as np, openvino

core = openvino.Core()
for line in sys.stdin:
    path = line.rstrip()
    compiled = core.compile_model(path + ".xml", "CPU")
    np.save(path + ".npy", compiled([np.load(path + "-x.npy")])[0])
    print("done", flush=True)
"""


class Plugin:
    """OpenVINO's CPU plugin in a child, which it may end: it reads and writes outside of its memory."""

    child = None

    def run(self, model, x, path):
        """The result of a model; None if the process has died."""
        import openvino

        openvino.save_model(model, f"{path}.xml")
        np.save(f"{path}-x.npy", x)
        if self.child is None:
            command = [sys.executable, "-c", CHILD]
            self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.child.stdin.write(f"{path}\n")
        self.child.stdin.flush()
        if self.child.stdout.readline() == "done\n":
            return np.load(f"{path}.npy")
        self.close()
        return None

    def close(self):
        if self.child is not None:
            self.child.communicate()
            self.child = None


@pytest.fixture
def plugin():
    made = Plugin()
    yield made
    made.close()


def is_dangerous(model, x):
    """Whether the plugin reads memory outside, by the table of what the tests against the engine do not send."""
    calls = [call for node in ssop.inspect(model).nodes for call in node.node.calls]
    strided = [call for call in calls if call.function == "openvino.strided_slice"]
    return any(dangers("openvino", Call(call.function, (x,), dict(call.arguments), "cpu")) for call in strided)


def openvino_row(index, x, expected, function, plugin, path):
    import openvino

    made = openvino.convert_model(function, input=[openvino.PartialShape(list(x.shape))])
    given = plugin.run(made, x, path)
    dangerous = is_dangerous(f"{path}.xml", x)
    if dangerous:  # the process goes on with damaged memory
        plugin.close()
    source = function.get_concrete_function().graph.as_graph_def()
    return (index, x.shape), verdict(source, f"{path}.xml"), same(expected, given), dangerous


def test_every_bad_conversion_of_openvino_is_found(report, tmp_path, plugin):
    pytest.importorskip("openvino")
    rows = [
        openvino_row(index, x, expected, function, plugin, tmp_path / "made")
        for index, x, expected, function, _ in programs(1)
    ]
    judge(rows, report, "OpenVINO")


ENTRIES = (None, ..., 0, slice(1, 3), slice(-3, 7, 2))


def test_new_axes_dropped_ones_and_ellipses_of_no_axis_are_found(report, tmp_path, plugin):
    """Those entries side by side, for which the plugin has too few masks, or too few entries."""
    pytest.importorskip("openvino")
    rng, rows, met = random.Random(2), [], 0
    while len(rows) < examples(40):
        index = tuple(rng.choice(ENTRIES) for _ in range(rng.randint(2, 4)))
        shape = tuple(rng.randint(3, 6) for _ in range(rng.randint(1, 3)))
        if index.count(...) > 1 or sum(entry not in (None, ...) for entry in index) > len(shape):
            continue
        x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
        function = traced(index, tf.TensorSpec(shape, tf.float32, name="x"))
        rows.append(openvino_row(index, x, x[index], function, plugin, tmp_path / "made"))
        met += rows[-1][-1]
    assert met > 0 and judge(rows, report, "OpenVINO, entries side by side") > 0


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
