"""ONNX models of calls. The only file of conversion that imports onnx."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop._convert.calls import Call
from ssop._convert.dtypes import IN_ONNX, name_of
from ssop._convert.errors import OP, optional_module
from ssop._convert.rules import INT64_MAX
from ssop._convert.shape import Shape
from ssop._core import SliceError, read_integers
from ssop._errors import value_error

OPSETS = range(1, 25)


def model_of(calls: tuple[Call, ...], to: str, shape: Shape, dtype: Any, opset: int) -> Any:
    """What `Conversion.to_onnx` gives."""
    if to != "onnx":
        raise value_error(OP, "cv_c6", f"the calls are those of {to}, not of onnx", value=to)
    (opset,) = read_integers(OP, "opset", [opset])
    if opset not in OPSETS:
        raise value_error(OP, "cv_c6", f"opset {opset} is not in 1..{OPSETS[-1]}", value=opset, allowed=(1, OPSETS[-1]))
    operands = [_operands(call, opset) for call in calls]
    helper, numpy_helper = (optional_module(name, "a model of ONNX") for name in ("onnx.helper", "onnx.numpy_helper"))
    element = helper.np_dtype_to_tensor_dtype(_element(dtype, opset))
    nodes, tensors, operand = [], [], "x"
    for number, (call, (inputs, attributes)) in enumerate(zip(calls, operands, strict=True)):
        name = f"y{number}" if number + 1 < len(calls) else "y"
        names = [operand]
        for parameter, values in inputs.items():
            names.append(f"{parameter}{number}" if values is not None else "")
            if values is not None:
                tensors.append(numpy_helper.from_array(np.array(values, np.int64), names[-1]))
        nodes.append(helper.make_node(_OPERATORS[call.function], names, [name], **attributes))
        operand = name
    if not nodes:
        nodes.append(helper.make_node("Identity", ["x"], ["y"]))
    pairs = zip(shape.names, shape.lengths, strict=True)
    dims = [name or (dim.least if dim.known else None) for name, dim in pairs] if shape.known_rank else None
    infos = [helper.make_tensor_value_info(name, element, of) for name, of in (("x", dims), ("y", None))]
    graph = helper.make_graph(nodes, "slices", infos[:1], infos[1:], tensors)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=min(9, 3 + opset))


def _element(dtype: Any, opset: int) -> np.dtype[Any]:
    """The dtype that onnx's helper knows; strings are objects there."""
    try:
        name = "string" if dtype is object else name_of(dtype)
    except SliceError:
        name = ""
    if name not in IN_ONNX:
        raise value_error(OP, "cv_c6", f"ONNX has no slices of dtype {dtype}", value=dtype) from None
    if name == "bfloat16" and opset < 13:
        raise value_error(OP, "cv_c6", f"opset {opset} has no bfloat16, which Slice has from opset 13 on", value=opset)
    return np.dtype(object if name == "string" else name)


_OPERATORS = {"onnx.slice": "Slice", "onnx.squeeze": "Squeeze", "onnx.unsqueeze": "Unsqueeze"}


def _operands(call: Call, opset: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The inputs and attributes of a call: what is an input today was an attribute of older operators."""
    arguments = {name: value for name, value in call.arguments.items() if name != "engine"}
    if call.function != "onnx.slice":
        return (arguments, {}) if opset >= 13 else ({}, {"axes": list(arguments["axes"])})
    if opset >= 10:
        while arguments and arguments[list(arguments)[-1]] is None:
            del arguments[list(arguments)[-1]]
        return arguments, {}
    steps = arguments["steps"] or ()
    if any(step != 1 for step in steps):
        raise value_error(OP, "cv_c6", f"opset {opset} has no steps, which Slice has from opset 10 on", value=opset)
    ends = [min(end, INT64_MAX) for end in arguments["ends"]]
    return {}, {"starts": list(arguments["starts"]), "ends": ends, "axes": list(arguments["axes"])}
