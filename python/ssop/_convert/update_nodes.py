"""Functions that replace a region of their operand by an array `u`: how they run here, and their source code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ssop import onnx, tf, xla
from ssop._convert.errors import OP
from ssop._convert.rules import INT64_MAX
from ssop._convert.values import text_of_index
from ssop._errors import value_error

Arguments: TypeAlias = Mapping[str, Any]


def needs_update(x: Any, arguments: Arguments) -> Any:
    """What runs without the array `u`."""
    raise value_error(OP, "cv_c15", "an update is called with two arrays: the operand and u")


def run_tensorflow(x: Any, u: Any, arguments: Arguments) -> Any:
    """By TensorStridedSliceUpdate."""
    return tf.tensor_strided_slice_update(x, value=u, **arguments)


def run_xla(x: Any, u: Any, arguments: Arguments) -> Any:
    """By DynamicUpdateSlice."""
    return xla.dynamic_update_slice(x, u, arguments["start_indices"])


def run_assigned(x: Any, u: Any, arguments: Arguments) -> Any:
    """By an assignment to a copy."""
    y = np.array(x)
    y[arguments["index"]] = u
    return y


def run_onnx(x: Any, u: Any, arguments: Arguments) -> Any:
    """By the nodes of ONNX."""
    tensors = {"x": np.asarray(x), "u": np.asarray(u)}
    for operator, inputs, output, given in onnx_nodes(arguments, "x", "y"):
        operands = [tensors[name] for name in inputs]
        if operator == "Slice":
            tensors[output] = onnx.slice(*operands, **given)
        else:
            tensors[output] = np.concatenate(operands, **given) if given else operands[0].copy()
    return tensors["y"]


# ---- source code ---------------------------------------------------------------------------------------------------


def numpy_lines(x: str, arguments: Arguments) -> list[str]:
    """An assignment of NumPy."""
    return [f"y = {x}.copy()", f"y{text_of_index(arguments['index'])} = u"]


def torch_lines(x: str, arguments: Arguments) -> list[str]:
    """An assignment of torch."""
    return [f"y = {x}.clone()", f"y{text_of_index(arguments['index'])} = u"]


def xla_lines(x: str, arguments: Arguments) -> list[str]:
    """A call of jax.lax, where the update says the size of the window."""
    starts = ", ".join(map(str, arguments["start_indices"]))
    return [f"y = jax.lax.dynamic_update_slice({x}, u, start_indices=[{starts}], allow_negative_indices=False)"]


def onnx_lines(x: str, arguments: Arguments) -> list[str]:
    """The nodes of ONNX."""
    lines = []
    for operator, inputs, output, given in onnx_nodes(arguments, x, "y"):
        names = ", ".join(
            f"{name}={list(value) if isinstance(value, tuple) else value}" for name, value in given.items()
        )
        lines.append(f"{output} = {operator}({', '.join([*inputs, names] if names else inputs)})")
    return lines


class Node(NamedTuple):
    """A Slice, with starts, ends and axes; or a Concat of several, with an axis."""

    operator: str
    inputs: tuple[str, ...]
    output: str
    arguments: dict[str, Any]


def onnx_nodes(arguments: Arguments, x: str, y: str) -> list[Node]:
    """An update as nodes: on each axis, what is before the region, the region, and what is behind it."""
    regions = list(zip(*(arguments[name] for name in ("axes", "starts", "ends")), strict=True))
    nodes, operands = [], [x]
    for number, region in enumerate(regions[:-1]):
        operands.append(f"region{number}")
        nodes.append(_slice(operands[-2], operands[-1], *region))
    inner = "u"
    for number, (axis, start, end) in reversed(list(enumerate(regions))):
        before, behind = f"before{number}", f"behind{number}"
        nodes.append(_slice(operands[number], before, axis, 0, start))
        nodes.append(_slice(operands[number], behind, axis, end, INT64_MAX))
        output = f"updated{number}" if number else y
        nodes.append(Node("Concat", (before, inner, behind), output, {"axis": axis}))
        inner = output
    return nodes or [Node("Identity", ("u",), y, {})]


def _slice(operand: str, output: str, axis: int, start: Any, end: Any) -> Node:
    return Node("Slice", (operand,), output, {"starts": (start,), "ends": (end,), "axes": (axis,)})
