"""Integers of a TFLite graph that are known before it runs: constants, dims, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ssop import tflite
from ssop._inspect.folding import Folder, Unknown, Value, array_of, elementwise, rearranged, safely, wrapped
from ssop._inspect.limits import MAX_INTEGERS
from ssop._inspect.tflite_graph import Graph, Operator

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")
BITS = {"int8": 8, "int16": 16, "int32": 32, "int64": 64}


def folder(graph: Graph) -> Folder[int]:
    """Finds the values of the tensors of a graph, by their numbers."""

    def operands(number: int) -> Sequence[int]:
        operator = _producer(graph, number)
        return [] if operator is None or operator.name not in _RULES else [x for x in operator.inputs if x >= 0]

    def compute(number: int, values: Sequence[Value]) -> Value:
        constant = graph.constant(number)
        if constant is not None:
            return constant
        operator = _producer(graph, number)
        if operator is None:
            return graph.unknown(number, ("input",) if number in graph.inputs else ("undefined",))
        graph.tables.spend(sum(1 if isinstance(value, Unknown) else value.size for value in values))
        rule = _RULES.get(operator.name)
        found = rule(graph, operator, list(values)) if rule is not None and values else None
        if isinstance(found, Unknown):
            return found
        if found is not None:
            graph.tables.spend(found.size)
        if found is None or found.size > MAX_INTEGERS:
            return graph.unknown(number, (operator.name,))
        return found

    return Folder(operands, compute)


def _producer(graph: Graph, number: int) -> Operator | None:
    found = graph.producers.get(number)
    return None if found is None else graph.operator(found)


def masks(graph: Graph, operator: Operator) -> dict[str, int]:
    """The masks of a StridedSlice, and whether its ends are lengths."""
    options = graph.tables.options(operator.table, "StridedSlice")
    if options is None:
        return dict.fromkeys(MASKS, 0)
    names = ("BeginMask", "EndMask", "EllipsisMask", "NewAxisMask", "ShrinkAxisMask")
    found = {mask: getattr(options, name)() for mask, name in zip(MASKS, names, strict=True)}
    return found | ({"offset": True} if options.Offset() else {})


Rule = Callable[[Graph, Operator, "list[Value]"], "Value | None"]


def _arithmetic(compute: Callable[..., int]) -> Rule:
    def rule(graph: Graph, operator: Operator, values: list[Value]) -> Value | None:
        bits = BITS.get(graph.tensor(operator.outputs[0]).dtype)
        if bits is None:
            return None
        return elementwise(operator.name, wrapped(compute, bits, True), *values, most=MAX_INTEGERS)

    return rule


def _shape(graph: Graph, operator: Operator, values: list[Value]) -> Value | None:
    dims = graph.tensor(operator.inputs[0]).dims
    if dims is None:
        return None
    return array_of([dim if isinstance(dim, int) else Unknown((operator.name,)) for dim in dims])


def _pack(graph: Graph, operator: Operator, values: list[Value]) -> Value:
    options = graph.tables.options(operator.table, "Pack")
    axis = options.Axis() if options is not None else 0
    return rearranged(operator.name, lambda *arrays: np.stack(arrays, axis), *values)


def _concatenation(graph: Graph, operator: Operator, values: list[Value]) -> Value:
    options = graph.tables.options(operator.table, "Concatenation")
    axis = options.Axis() if options is not None else 0
    return rearranged(operator.name, lambda *arrays: np.concatenate(arrays, axis), *values)


def _reshaped(graph: Graph, operator: Operator, values: list[Value]) -> Value | None:
    """Reshape, Squeeze and ExpandDims have the shape that is declared."""
    dims = graph.tensor(operator.outputs[0]).dims
    if dims is None or not all(isinstance(dim, int) for dim in dims):
        return None
    return rearranged(operator.name, lambda array: array.reshape(dims), values[0])


def _gather(graph: Graph, operator: Operator, values: list[Value]) -> Value | None:
    options = graph.tables.options(operator.table, "Gather")
    if len(values) != 2 or (options is not None and options.BatchDims()):
        return None
    axis = options.Axis() if options is not None else 0

    def taken(x: Any, indices: Any) -> Any:
        if x.size // max(x.shape[axis], 1) * indices.size > MAX_INTEGERS:
            raise ValueError("too many integers")
        return x.take(indices.astype(np.int64), axis)

    return rearranged(operator.name, taken, *values)


def _strided_slice(graph: Graph, operator: Operator, values: list[Value]) -> Value | None:
    bits: dict[str, Any] = masks(graph, operator)
    if len(values) != 4:
        return None
    return rearranged(
        operator.name, lambda x, *lists: tflite.strided_slice(x, *(each.tolist() for each in lists), **bits), *values
    )


def _slice(graph: Graph, operator: Operator, values: list[Value]) -> Value | None:
    if len(values) != 3:
        return None
    return rearranged(operator.name, lambda x, begin, size: tflite.slice(x, begin.tolist(), size.tolist()), *values)


def _cast(graph: Graph, operator: Operator, values: list[Value]) -> Value | None:
    given = graph.tensor(operator.inputs[0]).dtype
    return _arithmetic(lambda x: x)(graph, operator, values) if given in BITS else None


_RULES: Mapping[str, Rule] = {
    "SHAPE": _shape,
    "PACK": _pack,
    "CONCATENATION": _concatenation,
    "RESHAPE": _reshaped,
    "SQUEEZE": _reshaped,
    "EXPAND_DIMS": _reshaped,
    "GATHER": _gather,
    "STRIDED_SLICE": _strided_slice,
    "SLICE": _slice,
    "CAST": _cast,
    "NEG": _arithmetic(lambda x: -x),
    "ADD": _arithmetic(lambda x, y: x + y),
    "SUB": _arithmetic(lambda x, y: x - y),
    "MUL": _arithmetic(lambda x, y: x * y),
    "FLOOR_DIV": _arithmetic(safely(lambda x, y: x // y)),
    "MAXIMUM": _arithmetic(max),
    "MINIMUM": _arithmetic(min),
}


def integers_of(value: Value) -> list[int] | None:
    """All integers of a value, if they are known."""
    if isinstance(value, Unknown):
        return None
    found: list[Any] = value.ravel().tolist()
    return None if any(isinstance(each, Unknown) for each in found) else found
