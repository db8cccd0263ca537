"""Conversions on the engines: what `ssop.convert` writes gives NumPy's answer there, for every size, or its error."""

import random
from functools import cache

import numpy as np
import pytest

import ssop
from scale import examples
from ssop import SliceError
from ssop.testing.calls import Call
from ssop.testing.oracles import oracle
from unit.test_convert import draw_index

INDICES = 1_000
"""At full scale; SSOP_TEST_SCALE=10 is the campaign. Each is run on six shapes, if dims are unknown."""


def as_text(**names):
    """Runs the statements that `str()` gives in a program of the engine."""

    def run(conversion, x, made):
        scope = {"x": made(x), **names}
        exec(str(conversion), scope)
        return np.asarray(scope["y"])

    return run


def with_tensorflow(conversion, x):
    import tensorflow as tf

    return as_text(tf=tf)(conversion, x, tf.constant)


def with_torch(conversion, x):
    import torch

    return as_text(torch=torch)(conversion, x, torch.tensor)


def with_jax(conversion, x):
    import jax

    return as_text(jax=jax)(conversion, x, jax.numpy.asarray)


def with_openvino(conversion, x):
    import openvino
    from openvino import opset8

    class Vectors:
        """The functions of opset8, with lists as constants of int64."""

        def __getattr__(self, name):
            def call(node, **arguments):
                lists = ("begin", "end", "strides", "start", "stop", "step", "axes")
                given = {key: np.array(v, np.int64) if key in lists else v for key, v in arguments.items()}
                return getattr(opset8, name)(node, **given)

            return call

    scope = {"x": opset8.parameter(openvino.PartialShape([-1] * x.ndim), np.float32), "opset8": Vectors()}
    exec(str(conversion), scope)
    model = openvino.Model([opset8.result(scope["y"])], [scope["x"]])
    return next(iter(compiled(model)([x]).values()))


def compiled(model):
    import openvino

    return openvino.compile_model(model, "CPU", {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"})


def with_onnxruntime(conversion, x):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    content = conversion.to_onnx(x.dtype).SerializeToString()
    return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"]).run(None, {"x": x})[0]


def with_the_reference(conversion, x):
    from onnx.reference import ReferenceEvaluator

    return ReferenceEvaluator(conversion.to_onnx(x.dtype)).run(None, {"x": x})[0]


@cache
def litert():
    return oracle("litert")


@pytest.fixture(scope="module", autouse=True)
def a_child_that_starts_before_threads():
    litert()
    yield
    litert().close()


def with_litert(conversion, x):
    for call in conversion.calls:
        answer = litert().answer(Call(call.function, (x,), dict(call.given)))
        if answer.error is not None:
            raise answer.error
        x = answer.array
    return x


ENGINES = {
    "litert": ("tflite", with_litert, 0.5),
    "tensorflow": ("tf", with_tensorflow, 1),
    "torch": ("torch", with_torch, 1),
    "onnxruntime": ("onnx", with_onnxruntime, 1),
    "onnx.reference": ("onnx", with_the_reference, 0.5),
    "openvino": ("openvino", with_openvino, 0.1),
    "openvino Slice-8": ("openvino.slice", with_openvino, 0.1),
    "jax": ("xla", with_jax, 0.1),
}
"""The target, how its calls run, and the share of the indices: some engines compile each call."""

NEVER_WRITTEN = {"litert", "openvino", "openvino Slice-8"}
"""Engines that give memory which they never wrote where a dropped index is outside its axis; docs/engine-defects.md."""

SQUEEZES_TO_ZERO = "openvino Slice-8"
"""OpenVINO's Squeeze of an empty array gives 0 for other dims, too: (2, 0, 1) becomes (0, 0)."""


def answer_of(function, *arguments):
    """The result as an array, or None for an error."""
    try:
        return function(*arguments)
    except Exception as error:  # each engine has its own
        assert not isinstance(error, (NameError, SyntaxError, AttributeError)), error
        return None


def numpy_answer(index, x):
    return np.asarray(x[index])


@pytest.mark.parametrize("engine", ENGINES)
def test_conversions_of_plain_indices(engine, report):
    to, run, share = ENGINES[engine]
    rng = random.Random(20260101)
    indices = max(1, int(examples(INDICES) * share))
    equal = errors = refused = 0
    for _ in range(indices):
        rank = rng.randint(1, 3)
        index = draw_index(rng, rank)
        shape = [rng.randint(1, 6) if rng.random() < 0.5 else None for _ in range(rank)]
        try:
            conversion = ssop.convert(index, to, shape)
        except SliceError as error:
            assert error.label == "cv_c5" or (to == "xla" and error.label == "cv_c7"), (index, shape)
            refused += 1
            continue
        for _ in range(1 if None not in shape else 6):
            dims = [rng.randint(1, 9) if dim is None else dim for dim in shape]
            x = np.arange(np.prod(dims), dtype=np.float32).reshape(dims)
            wanted = answer_of(numpy_answer, index, x)
            if wanted is None and engine in NEVER_WRITTEN:
                continue
            got = answer_of(run, conversion, x)
            if wanted is None:
                assert got is None, (index, dims, str(conversion), got)
                errors += 1
            elif wanted.size == 0 and engine == SQUEEZES_TO_ZERO:
                assert got is not None and got.size == 0, (index, dims, str(conversion), got)
                equal += 1
            else:
                assert got is not None and got.shape == wanted.shape, (index, dims, str(conversion), got, wanted)
                np.testing.assert_array_equal(got, wanted, err_msg=str((index, dims, str(conversion))))
                equal += 1
    assert equal > indices / 2 and refused < indices * 0.8
    report(f"{engine}: {indices} indices, {equal} equal results, {errors} errors on both sides, {refused} refused")
