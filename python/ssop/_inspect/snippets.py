"""Programs that show what one engine makes of calls on a small array: to be pasted, and run."""

from __future__ import annotations

from collections.abc import Sequence

from ssop._convert.calls import Call

ONNX = """import numpy as np, onnxruntime
from onnx import TensorProto, helper
from onnx.numpy_helper import from_array

def run(operator, x, **inputs):
    tensors = [from_array(np.array(value, np.int64), name) for name, value in inputs.items()]
    node = helper.make_node(operator, ["x", *inputs], ["y"])
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in "xy"]
    graph = helper.make_graph([node], "g", infos[:1], infos[1:], tensors)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    return session.run(None, {"x": x})[0]
"""
OPENVINO = """import numpy as np, openvino
from openvino import opset8

def run(build, x):
    parameter = opset8.parameter(x.shape, np.float32)
    model = openvino.Model([build(parameter)], [parameter])
    return openvino.Core().compile_model(model, "CPU")(x)[0]
"""
PREAMBLES = {
    "onnx": ONNX,
    "openvino": OPENVINO,
    "tf": "import numpy as np, tensorflow as tf\n",
    "tflite": "import numpy as np, ssop  # which has LiteRT's rules: its own interpreter runs whole files only\n",
    "xla": "import numpy as np, jax\n",
}


def snippet(calls: Sequence[Call], shape: Sequence[int], framework: str) -> str:
    """A program that prints what the framework's engine gives for the numbers from 0 in an array of this shape."""
    size = 1
    for dim in shape:
        size *= dim
    array = f"x = np.arange({size}, dtype=np.float32).reshape({tuple(shape)})"
    lines = [_line(call, "y" if number else "x") for number, call in enumerate(calls)] or ["y = x"]
    return "\n".join([PREAMBLES[framework], array, *lines, "print(np.shape(y), np.asarray(y).tolist())", ""])


def _line(call: Call, x: str) -> str:
    framework, _, function = call.function.partition(".")
    if framework == "onnx":
        operator = {"slice": "Slice", "squeeze": "Squeeze", "unsqueeze": "Unsqueeze"}[function]
        given = [(name, value) for name, value in call.arguments.items() if name != "engine" and value is not None]
        order = "".join(f", {name}={list(value)}" for name, value in given)
        return f"y = run({operator!r}, {x}{order})"
    if framework == "openvino":
        return f"y = run(lambda x: {call._text('x')}, {x})"
    if framework == "tflite":
        given = [(name, value) for name, value in call.given.items()]
        arguments = ", ".join(f"{name}={list(value) if isinstance(value, tuple) else value}" for name, value in given)
        return f"y = ssop.tflite.{function}({x}, {arguments})"
    return f"y = {call._text(x)}"
