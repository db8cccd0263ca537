"""Models of the frameworks' exporters: the calls that are read give what the engine gives that runs the model."""

import io
import random
import warnings

import numpy as np
import onnx
import pytest

import ssop
from differential import inspected
from scale import examples
from ssop._inspect import onnx_file, tflite_file
from ssop._inspect.records import RunTime
from unit.test_convert import draw_index

DIMS = [(4, 5, 6), (2, 3, 7), (6, 6, 1)]
"""The dims of the operand when a model runs."""


def indices(seed, count, torch=False):
    """Different indices that are no error on any of the dims; torch has no negative steps."""
    rng, found = random.Random(seed), {}
    while len(found) < count:
        index = draw_index(rng, 3)
        steps = [item.step or 1 for item in index if isinstance(item, slice)]
        if not (torch and min(steps, default=1) < 0) and all(_good(index, dims) for dims in DIMS):
            found[str(index)] = index
    return list(found.values())


def _good(index, dims):
    try:
        np.empty(dims)[index]
    except IndexError:
        return False
    return True


def operand(dims):
    return np.arange(np.prod(dims), dtype=np.float32).reshape(dims)


def by_onnxruntime(content, x):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, {session.get_inputs()[0].name: x}), strict=True))


def compare(content, dims):
    """How many outputs of a model the read calls give, which must be those of ONNX Runtime."""
    found = onnx_file.read(content)
    x = operand(dims)
    name = onnx.load_from_string(content).graph.input[0].name
    answers = by_onnxruntime(content, x)  # raises for what is an error there
    known = inspected.run(found, {name: x})
    compared = 0
    for output, wanted in answers.items():
        if output in known:
            assert known[output].shape == wanted.shape, (output, found)
            np.testing.assert_array_equal(known[output], wanted, err_msg=str(found))
            compared += 1
    return compared


def exported(listed, **options):
    """A model of torch that takes all these slices."""
    import torch

    class Slices(torch.nn.Module):
        def forward(self, x):
            return tuple(x[index] for index in listed)

    names = dict(input_names=["x"], output_names=[f"y{number}" for number in range(len(listed))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        content = io.BytesIO()
        made = torch.onnx.export(Slices(), (torch.zeros(DIMS[0]),), None if options["dynamo"] else content,
                                 **names, **options)  # fmt: skip
    return made.model_proto.SerializeToString() if options["dynamo"] else content.getvalue()


def test_torchs_older_exporter(report):
    listed = indices(1, examples(60), torch=True)
    content = exported(listed, dynamo=False, dynamic_axes={"x": [0, 1, 2]}, opset_version=17)
    compared = sum(compare(content, dims) for dims in DIMS)
    report(f"torch.onnx, dynamo=False: {len(listed)} indices, {compared} results")
    assert compared > 2 * len(listed)


def test_a_model_of_onnx_ir():
    import onnx_ir

    content = exported(indices(5, 3, torch=True), dynamo=False, opset_version=17)
    wanted = onnx_file.read(content)
    found = onnx_file.read(onnx_ir.from_proto(onnx.load_from_string(content)))
    assert [node.calls for node in found.nodes] == [node.calls for node in wanted.nodes]
    assert found.path == "<Model>"


def test_torchs_exporter(report):
    import torch

    listed = indices(2, examples(60), torch=True)
    dims = {axis: torch.export.Dim.AUTO for axis in range(3)}
    content = exported(listed, dynamo=True, dynamic_shapes={"x": dims})
    found = onnx_file.read(content)
    compared = compare(content, DIMS[0])
    report(f"torch.onnx, dynamo=True: {len(listed)} indices, {compared} results")
    assert compared > len(listed) / 2
    sources = [node.source for node in found.nodes]
    assert all(source is not None and source.partition(":")[0].endswith(".py") for source in sources), sources


@pytest.mark.parametrize("width, bounds", [(None, None), (10, (3, 7))], ids=["any width", "a fixed width"])
def test_a_centre_crop(width, bounds):
    """Its bounds are computed from the width, and frozen if the exporter knows it."""
    import torch

    class Crop(torch.nn.Module):
        def forward(self, x):
            first = (x.shape[-1] - 4) // 2
            return x[..., first : first + 4]

    axes = {} if width else {"dynamic_axes": {"x": {2: "width"}}}
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(Crop(), (torch.zeros(1, 3, 10),), content, dynamo=False, input_names=["x"], **axes)
    (node,) = [each for each in onnx_file.read(content.getvalue()).nodes if each.operand == "x"]
    starts, ends = node.calls[0].arguments["starts"], node.calls[0].arguments["ends"]
    if bounds:
        assert (starts, ends) == ((bounds[0],), (bounds[1],))
    else:
        assert isinstance(starts, RunTime) and isinstance(ends, RunTime)
        assert starts.producer.startswith("Shape -> Gather -> Sub -> Div")
        assert node.input_shape == (1, 3, "width")


def _taking(index):
    return lambda x: x[index]


def test_tf2onnx(report):
    import tensorflow as tf
    import tf2onnx

    listed = indices(3, examples(60))
    compared = refused = 0
    for index in listed:
        function = tf.function(_taking(index), autograph=False)
        signature = [tf.TensorSpec([None, None, 6], tf.float32, name="x")]
        model, _ = tf2onnx.convert.from_function(function, signature, opset=17)
        content = model.SerializeToString()
        assert onnx_file.read(content).version.startswith("IR ")
        try:
            compared += compare(content, DIMS[0])
        except Exception as error:
            assert type(error).__module__.startswith("onnxruntime"), error
            refused += 1
    report(f"tf2onnx: {len(listed)} indices, {compared} equal results, {refused} models that ONNX Runtime rejects")
    assert compared > len(listed) / 2


def test_the_tflite_converter(report):
    import tensorflow as tf
    from ai_edge_litert.interpreter import Interpreter

    listed = indices(4, examples(100))

    class Slices(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([None, 5, 6], tf.float32, name="x")], autograph=False)
        def take(self, x):
            return [x[index] for index in listed] + [tf.reverse(x, [1])]

    module = Slices()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([module.take.get_concrete_function()], module)
    content = converter.convert()
    interpreter = Interpreter(model_content=content, num_threads=1)
    given = interpreter.get_input_details()[0]
    interpreter.resize_tensor_input(given["index"], DIMS[0])
    interpreter.allocate_tensors()
    x = operand(DIMS[0])
    interpreter.set_tensor(given["index"], x)
    interpreter.invoke()
    found = tflite_file.read(content)
    known = inspected.run(found, {given["name"]: x})
    compared = 0
    for output in interpreter.get_output_details():
        if output["name"] in known:
            answer = interpreter.get_tensor(output["index"])
            np.testing.assert_array_equal(known[output["name"]], answer, err_msg=output["name"])
            compared += 1
    report(f"the TFLite converter: {len(listed)} indices, {len(found.nodes)} nodes, {compared} equal results")
    assert compared > len(listed) / 2
    assert {node.operator for node in found.nodes} >= {"STRIDED_SLICE", "REVERSE_V2"}


def test_an_offset_of_the_tflite_converter():
    """An end that is begin + a constant becomes the constant (tfl_s4), and another result for begins such as -2."""
    import tensorflow as tf
    from ai_edge_litert.interpreter import Interpreter

    class Window(tf.Module):
        @tf.function(
            input_signature=[tf.TensorSpec([9], tf.float32, name="x"), tf.TensorSpec([1], tf.int32, name="begin")],
            autograph=False,
        )
        def take(self, x, begin):
            return tf.strided_slice(x, begin, begin + [2], [1])

    module = Window()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([module.take.get_concrete_function()], module)
    content = converter.convert()
    (node,) = ssop.inspect(content).nodes
    arguments = node.node.calls[0].arguments
    assert (arguments["end"], arguments["offset"]) == ((2,), True)
    assert isinstance(arguments["begin"], RunTime) and node.judged.verdict.kind == "unknown"
    interpreter = Interpreter(model_content=content, num_threads=1)
    x = np.arange(9, dtype=np.float32)
    for begin in (-9, -3, -2, -1, 0, 3, 7):
        text = f"tfl.strided_slice(begin=[{begin}], end=[2], strides=[1], offset=true, shape=[9])"
        shapes = ssop.inspect.node(text).nodes[0].judged.shapes
        interpreter.allocate_tensors()
        for given in interpreter.get_input_details():
            name = given["name"].rpartition("_")[2].partition(":")[0]
            interpreter.set_tensor(given["index"], {"x": x, "begin": np.array([begin], np.int32)}[name])
        assert module.take(x, tf.constant([begin])).shape == shapes["TensorFlow"]
        if isinstance(shapes["LiteRT"], str):
            assert begin == -1 and "leaves the axis" in shapes["LiteRT"]  # where LiteRT gives what it never wrote
            continue
        interpreter.invoke()
        got = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])
        assert got.shape == shapes["LiteRT"] and np.array_equal(got, x[begin : begin + 2 or None])
    assert shapes["TensorFlow"] == (2,)
