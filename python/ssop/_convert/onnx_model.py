"""ONNX models of calls. The only file of conversion that imports onnx."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop._convert.calls import Call
from ssop._convert.dtypes import IN_ONNX, name_of
from ssop._convert.errors import OP, optional_module
from ssop._convert.rules import INT64_MAX
from ssop._convert.shape import Shape
from ssop._convert.update_nodes import onnx_nodes
from ssop._convert.values import Value, names_in, values_in
from ssop._core import SliceError, read_integers
from ssop._errors import value_error

OPSETS = range(1, 25)
RUN_TIME_OPSET = 13
"""The first opset whose Unsqueeze has axes as an input; Min and Max have int64 from 12 on."""
INT64 = 7
"""TensorProto.INT64."""


def model_of(calls: tuple[Call, ...], to: str, shape: Shape, dtype: Any, opset: int) -> Any:
    """What `Conversion.to_onnx` gives."""
    if to != "onnx":
        raise value_error(OP, "cv_c6", f"the calls are those of {to}, not of onnx", value=to)
    (opset,) = read_integers(OP, "opset", [opset])
    if opset not in OPSETS:
        raise value_error(OP, "cv_c6", f"opset {opset} is not in 1..{OPSETS[-1]}", value=opset, allowed=(1, OPSETS[-1]))
    operands = [_operands(call, opset) for call in calls]
    is_update = any(call.function == "onnx.update" for call in calls)
    names = sorted({name for call in calls for name in names_in(tuple(call.arguments.values()))})
    if any(any(values_in(tuple(call.arguments.values()))) for call in calls) and opset < RUN_TIME_OPSET:
        raise value_error(OP, "cv_c6", f"opset {opset} has no run-time values; {RUN_TIME_OPSET} has", value=opset)
    if is_update and opset < RUN_TIME_OPSET:
        raise value_error(OP, "cv_c6", f"opset {opset} has no updates; {RUN_TIME_OPSET} has", value=opset)
    known = _element(dtype, opset)  # what is wrong is said without onnx, too
    helper, numpy_helper = (optional_module(name, "a model of ONNX") for name in ("onnx.helper", "onnx.numpy_helper"))
    element = helper.np_dtype_to_tensor_dtype(known)
    nodes: list[Any] = []
    tensors: list[Any] = []
    operand = "x"
    for number, (call, (inputs, attributes)) in enumerate(zip(calls, operands, strict=True)):
        name = f"y{number}" if number + 1 < len(calls) else "y"
        if call.function == "onnx.update":
            for node in onnx_nodes(call.arguments, "x", "y"):
                slices = node.operator == "Slice"
                vectors = node.arguments if slices else {}
                added = _inputs(vectors, f"_{node.output}", "x", nodes, tensors, helper, numpy_helper)
                attributes = {} if slices else node.arguments
                nodes.append(helper.make_node(node.operator, [*node.inputs, *added], [node.output], **attributes))
            continue
        fill = inputs.pop("constant_value", None)
        added = _inputs(inputs, str(number), operand, nodes, tensors, helper, numpy_helper)
        if fill is not None:  # a scalar of the operand's dtype, between two vectors
            tensors.append(numpy_helper.from_array(np.array(fill, known), f"constant_value{number}"))
            added.insert(1, tensors[-1].name)
        nodes.append(helper.make_node(_OPERATORS[call.function], [operand, *added], [name], **attributes))
        operand = name
    if not nodes:
        nodes.append(helper.make_node("Identity", ["x"], ["y"]))
    pairs = zip(shape.names, shape.lengths, strict=True)
    dims = [name or (dim.least if dim.known else None) for name, dim in pairs] if shape.known_rank else None
    found = None if dims is None else [None] * _rank(calls, len(dims))
    infos = [helper.make_tensor_value_info(name, element, of) for name, of in (("x", dims), ("y", found))]
    made = {output for node in nodes for output in node.output} | {tensor.name for tensor in tensors}
    for taken in made.intersection(names):
        raise value_error(OP, "cv_c6", f"a run-time value is called {taken}, as is a tensor of the model", value=taken)
    given = [helper.make_tensor_value_info(name, INT64, []) for name in names]
    if is_update:
        given.insert(0, helper.make_tensor_value_info("u", element, None))
    graph = helper.make_graph(nodes, "slices", [infos[0], *given], infos[1:], tensors)
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


def _rank(calls: tuple[Call, ...], rank: int) -> int:
    """The rank of the result: onnx.checker takes no model without it."""
    for call in calls:
        change = {"onnx.squeeze": -1, "onnx.unsqueeze": 1}.get(call.function, 0)
        rank += change * len(call.arguments["axes"]) if change else 0
    return rank


_OPERATORS = {
    "onnx.slice": "Slice",
    "onnx.squeeze": "Squeeze",
    "onnx.unsqueeze": "Unsqueeze",
    "onnx.transpose": "Transpose",
    "onnx.pad": "Pad",
}


def _inputs(
    inputs: dict[str, Any],
    suffix: str,
    operand: str,
    nodes: list[Any],
    tensors: list[Any],
    helper: Any,
    numpy_helper: Any,
) -> list[str]:
    """The names of vectors, which are added to `tensors`, or with run-time values made by nodes."""
    names = []
    for parameter, values in inputs.items():
        names.append(f"{parameter}{suffix}" if values is not None else "")
        if any(values_in(values)):
            nodes += _vector(values, operand, names[-1], tensors, helper, numpy_helper)
        elif values is not None:
            tensors.append(numpy_helper.from_array(np.array(values, np.int64), names[-1]))
    return names


def _vector(
    values: tuple[Any, ...], operand: str, name: str, tensors: list[Any], helper: Any, numpy_helper: Any
) -> list[Any]:
    """Nodes that make a vector of numbers and run-time values; constants are added to `tensors`."""
    nodes: list[Any] = []

    def constant(number: int) -> str:
        tensors.append(numpy_helper.from_array(np.array([number], np.int64), f"{name}_{len(tensors)}"))
        return str(tensors[-1].name)

    def node(operator: str, *inputs: str, **attributes: Any) -> str:
        nodes.append(helper.make_node(operator, list(inputs), [f"{name}_{operator}{len(nodes)}"], **attributes))
        return str(nodes[-1].output[0])

    def element(value: Any) -> str:
        if not isinstance(value, Value):
            return constant(value)
        found = node("Unsqueeze", value.base, constant(0)) if isinstance(value.base, str) else constant(value.base)
        if value.clamp is not None:
            axis, number = value.clamp
            most = constant(number)
            if axis is not None:
                most = node("Sub", node("Gather", node("Shape", operand), constant(axis)), most)
            found = node("Max", node("Min", found, most), constant(0))
        return node("Add", found, constant(value.offset)) if value.offset else found

    elements = [element(value) for value in values]
    nodes.append(helper.make_node("Concat", elements, [name], axis=0))
    return nodes


def _check_opset_of_pad(arguments: dict[str, Any], opset: int) -> None:
    """An error for an opset whose Pad has no such inputs."""
    needed = 11 if arguments["axes"] is None else 18
    if opset < needed:
        message = f"opset {opset} has no such Pad; {needed} has"
        raise value_error(OP, "cv_c6", message, value=opset, allowed=(needed, OPSETS[-1]))


def _operands(call: Call, opset: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """The inputs and attributes of a call: what is an input today was an attribute of older operators."""
    arguments = {name: value for name, value in call.arguments.items() if name != "engine"}
    if call.function == "onnx.transpose":
        return {}, {"perm": list(arguments["perm"])}
    if call.function == "onnx.pad":
        _check_opset_of_pad(arguments, opset)
        if arguments["axes"] is None:
            del arguments["axes"]
        return arguments, {}
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
