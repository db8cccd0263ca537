"""The engines of the targets of `ssop.convert`: each makes a function of arrays of what a conversion says."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ssop.testing.calls import Call
from ssop.testing.oracles import oracle


class Engine(NamedTuple):
    """Whose calls it runs, how, and its share of the indices: some engines compile each call, or each shape."""

    to: str
    build: Callable[[Any, Any], Callable[[Any], Any]]
    """(conversion, an array of the rank and dtype) -> function of arrays."""
    share: float = 1


def as_text(made, **names):
    """Runs the statements that `str()` gives in a program of the engine."""

    def build(conversion, _):
        code = compile(str(conversion), "conversion", "exec")

        def run(x):
            scope = {"x": made(x), **names}
            exec(code, scope)
            y = scope["y"]
            return y.numpy() if hasattr(y, "numpy") else np.asarray(y)

        return run

    return build


def tensorflow(conversion, x):
    import tensorflow as tf

    return as_text(tf.constant, tf=tf)(conversion, x)


def torch(conversion, x):
    import torch

    return as_text(torch.tensor, torch=torch)(conversion, x)


def jax(conversion, x):
    import jax

    return as_text(jax.numpy.asarray, jax=jax)(conversion, x)


class OpenvinoFunctions:
    """The functions of opset8, with lists as constants of int64, or as vectors of nodes."""

    LISTS = ("begin", "end", "strides", "start", "stop", "step", "axes", "input_order")

    def __getattr__(self, name):
        from openvino import opset8

        def call(*operands, **arguments):
            given = {key: self.vector(value) if key in self.LISTS else value for key, value in arguments.items()}
            return getattr(opset8, name)(*operands, **given)

        return call

    @staticmethod
    def vector(numbers):
        from openvino import opset8

        if all(isinstance(number, int) for number in numbers):
            return np.array(numbers, np.int64)
        nodes = [opset8.constant(x, np.int64) if isinstance(x, int) else x for x in numbers]
        return opset8.concat([opset8.reshape(node, np.array([1]), False) for node in nodes], 0)


def openvino(conversion, x, names=(), dims=None):
    """A function of arrays, and of run-time values by name; `dims` are those of the model, of which -1 is unknown."""
    import openvino
    from openvino import opset8

    operand = opset8.parameter(openvino.PartialShape(dims or [-1] * x.ndim), x.dtype)
    values = {name: opset8.parameter([], np.int64) for name in names}
    scope = {"x": operand, "opset8": OpenvinoFunctions(), **values}
    exec(str(conversion), scope)
    model = openvino.Model([opset8.result(scope["y"])], [operand, *values.values()])
    options = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}
    compiled = openvino.compile_model(model, "CPU", options)

    def run(x, **numbers):
        given = [np.array(numbers[name], np.int64) for name in names]
        return next(iter(compiled([x, *given]).values())).copy()

    return run


def onnxruntime(conversion, x):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    content = conversion.to_onnx(x.dtype).SerializeToString()
    session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    return lambda x: session.run(None, {"x": x})[0]


def onnx_reference(conversion, x):
    from onnx.reference import ReferenceEvaluator

    evaluator = ReferenceEvaluator(conversion.to_onnx(x.dtype))
    return lambda x: evaluator.run(None, {"x": x})[0]


@cache
def litert_child():
    return oracle("litert")


def litert(conversion, _):
    def run(x):
        for call in conversion.calls:
            answer = litert_child().answer(Call(call.function, (x,), dict(call.given)))
            if answer.error is not None:
                raise answer.error
            x = answer.array
        return x

    return run


ENGINES = {
    "litert": Engine("tflite", litert, 0.5),
    "tensorflow": Engine("tf", tensorflow),
    "torch": Engine("torch", torch),
    "onnxruntime": Engine("onnx", onnxruntime),
    "onnx.reference": Engine("onnx", onnx_reference, 0.5),
    "openvino": Engine("openvino", openvino, 0.2),
    "openvino Slice-8": Engine("openvino.slice", openvino, 0.2),
    "jax": Engine("xla", jax, 0.2),
}

NEVER_WRITTEN = {"litert", "openvino", "openvino Slice-8"}
"""Engines that give memory which they never wrote where a dropped index is outside its axis; docs/engine-defects.md."""

SQUEEZES_TO_ZERO = ("openvino", "openvino Slice-8")
"""OpenVINO's Squeeze and Unsqueeze of an empty array give 0 for other dims, too: (2, 0, 1) becomes (0, 0)."""
