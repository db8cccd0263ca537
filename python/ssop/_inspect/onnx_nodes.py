"""What the slicing operators of ONNX are given: a function for each, which reads a node into a call or several."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ssop._inspect.folding import argument, progression
from ssop._inspect.limits import text
from ssop._inspect.onnx_values import (
    INT32,
    INT64_TYPE,
    STANDARD,
    UNKNOWN,
    Scope,
    attribute,
    axes_of,
    contradiction,
    integer,
    known,
    listed,
)
from ssop._inspect.records import Argument, NodeCall, RunTime

MAX_OUTPUTS = 4_096
INDEX_TYPES = {INT32: "int32", INT64_TYPE: "int64"}


class Found(NamedTuple):
    """A slice that a node takes; a Split takes one for each of its outputs."""

    call: NodeCall
    result: str
    operand: str
    notes: list[str]
    index_dtype: str | None = None


def read_node(scope: Scope, node: Any) -> list[Found]:
    """The slices that a node takes: none if it takes none that can be named."""
    if not node.input or not node.output:
        return []
    return list(_READERS[node.op_type](scope, node))


def is_slicing(node: Any) -> bool:
    """Whether an operator of the standard may be a slice."""
    return node.op_type in _READERS


def moved_axes(scope: Scope, node: Any, found: Found) -> tuple[list[NodeCall], list[str], str, str]:
    """The calls of a slice with those around it that only add or drop axes and that nothing else uses.

    Beside the calls: the names of their operators, the operand of the first, and the result of the last.
    """
    operand, result = found.operand, found.result
    calls, operators = [found.call], [node.op_type]
    holder = scope.holding(operand)
    if holder is not None and operand in holder.producers and holder.uses[operand] == 1:
        before = holder.producers[operand]
        call = _axes_call(holder, before)
        if before.op_type == "Unsqueeze" and call is not None and operand not in holder.claimed:
            calls.insert(0, call)
            operators.insert(0, before.op_type)
            operand = before.input[0]
    while len(calls) < 6 and scope.uses[result] == 1 and result in scope.readers:
        behind = scope.readers[result]
        call = _axes_call(scope, behind)
        if call is None or behind.output[0] == result:
            break
        calls.append(call)
        operators.append(behind.op_type)
        result = behind.output[0]
        scope.claimed.add(result)
    return calls, operators, operand, result


def _axes_call(scope: Scope, node: Any) -> NodeCall | None:
    """A Squeeze or an Unsqueeze as a call, if its axes are known."""
    if node.op_type not in ("Squeeze", "Unsqueeze") or node.domain not in STANDARD or not (node.input and node.output):
        return None
    axes = axes_of(scope, node)
    return None if axes is None else NodeCall(f"onnx.{node.op_type.lower()}", {"axes": axes})


def _given(scope: Scope, node: Any, number: int, notes: list[str]) -> tuple[int, ...] | RunTime | None:
    """The integers of an input; None if the node does not have it."""
    name = node.input[number] if number < len(node.input) else ""
    if not name:
        return None
    holder = scope.holding(name)
    if holder is None:
        notes.append(f"no node and no input makes {text(name)!r}")
    values = scope.value(name)
    if values is None and holder is not None and name in holder.tensors:
        wrong = contradiction(holder.tensors[name])
        notes += [wrong] if wrong else []
    return argument(UNKNOWN if values is None else values, text(name), lambda: scope.producer(name))


def _lists(scope: Scope, node: Any, names: tuple[str, ...], notes: list[str]) -> dict[str, Argument]:
    """Arguments that are inputs behind the operand from some opset on, and were attributes before."""
    if len(node.input) > 1:
        return {name: _given(scope, node, number, notes) for number, name in enumerate(names, 1)}
    return {name: listed(node, name) for name in names}


def _slice(scope: Scope, node: Any) -> Iterator[Found]:
    notes: list[str] = []
    names = ("starts", "ends", "axes", "steps")
    arguments = _lists(scope, node, names, notes)
    as_inputs = len(node.input) > 1
    if scope.opset is not None and as_inputs != (scope.opset >= 10):
        where = ("attributes", "inputs") if as_inputs else ("inputs", "attributes")
        notes.append(f"opset {scope.opset} has starts and ends as {where[0]}, and this node has them as {where[1]}")
    for name in ("starts", "ends"):
        if arguments[name] is None:
            notes.append(f"{name} is missing")
    types = {name: scope.info(x)[0] for name, x in zip(names, node.input[1:5], strict=False) if x}
    known = {INDEX_TYPES.get(kind, f"type {kind}") for kind in types.values() if kind is not None}
    if len(known) > 1:
        shown = ", ".join(f"{name}: {INDEX_TYPES.get(kind, kind)}" for name, kind in types.items() if kind is not None)
        notes.append(f"starts, ends, axes and steps have one type in ONNX, and here they are of several ({shown})")
    dtype = known.pop() if len(known) == 1 else None
    yield Found(NodeCall("onnx.slice", arguments), node.output[0], node.input[0], notes, dtype)


def _gather(scope: Scope, node: Any) -> Iterator[Found]:
    """A Gather of one element, or of elements that are equally far apart, is a slice; any other is not read."""
    if len(node.input) < 2 or _is_a_shape(scope, node.input[0]):
        return
    array = scope.value(node.input[1])
    if array is None or array.ndim > 1:
        return
    found = array.ravel().tolist()
    if not known(array) or progression(found) is None:
        return
    axis = integer(node, "axis", 0)
    indices = found[0] if array.ndim == 0 else tuple(found)
    dtype = INDEX_TYPES.get(scope.info(node.input[1])[0] or 0)
    yield Found(NodeCall("onnx.gather", {"axis": axis, "indices": indices}), node.output[0], node.input[0], [], dtype)


def _is_a_shape(scope: Scope, name: str) -> bool:
    """Whether the tensor is the shape of another one: an element of it is a dim, and no data is sliced."""
    holder = scope.holding(name)
    return holder is not None and name in holder.producers and holder.producers[name].op_type in ("Shape", "Constant")


def _pad(scope: Scope, node: Any) -> Iterator[Found]:
    notes: list[str] = []
    if len(node.input) > 1:
        pads, axes = (_given(scope, node, number, notes) for number in (1, 3))
    else:
        pads, axes = listed(node, "pads" if attribute(node, "pads") is not None else "paddings"), None
    mode = attribute(node, "mode")
    arguments: dict[str, Argument] = {"pads": pads, "axes": axes, "mode": "constant" if mode is None else text(mode.s)}
    yield Found(NodeCall("onnx.pad", arguments), node.output[0], node.input[0], notes)


def _reverse_sequence(scope: Scope, node: Any) -> Iterator[Found]:
    """The whole axis is reversed if each length is that of the axis; others are no slices."""
    time = integer(node, "time_axis", 0)
    dims = scope.info(node.input[0])[1]
    lengths = scope.value(node.input[1]) if len(node.input) > 1 else None
    if dims is None or lengths is None or not 0 <= time < len(dims) or not isinstance(dims[time], int):
        return
    if all(length == dims[time] for length in lengths.ravel().tolist()):
        call = NodeCall("numpy.flip", {"axis": (time,)})
        yield Found(call, node.output[0], node.input[0], ["each sequence is as long as its axis"])


def _scatter_nd(scope: Scope, node: Any) -> Iterator[Found]:
    """An update of the first axis at places that are equally far apart is the update of a slice."""
    array = scope.value(node.input[1]) if len(node.input) > 2 else None
    if array is None or array.ndim == 0 or array.shape[-1] != 1:
        return
    found = array.ravel().tolist()
    reduction = attribute(node, "reduction")
    if not known(array) or progression(found) is None or (reduction is not None and reduction.s not in (b"", b"none")):
        return
    call = NodeCall("onnx.scatter_nd", {"axis": 0, "indices": tuple(found)})
    yield Found(call, node.output[0], node.input[0], [])


def _split(scope: Scope, node: Any) -> Iterator[Found]:
    notes: list[str] = []
    axis = integer(node, "axis", 0)
    count = len(node.output)
    if count > MAX_OUTPUTS:
        return
    sizes = _given(scope, node, 1, notes) if len(node.input) > 1 else listed(node, "split")
    if sizes is None:
        sizes = _equal_sizes(scope, node.input[0], axis, count)
    for number, result in enumerate(node.output):
        if result:
            arguments: dict[str, Argument] = {"axis": axis, "split": sizes, "output": number, "outputs": count}
            yield Found(NodeCall("onnx.split", arguments), result, node.input[0], notes)


def _equal_sizes(scope: Scope, name: str, axis: int, count: int) -> tuple[int, ...] | None:
    """Parts of one size, of which only the last may be shorter; None if the dim is not known."""
    dims = scope.info(name)[1]
    dim = dims[axis] if dims is not None and -len(dims) <= axis < len(dims) else None
    if not isinstance(dim, int) or (dim % count and (scope.opset or 0) < 18):
        return None
    size = -(-dim // count)
    sizes = (size,) * (count - 1) + (dim - size * (count - 1),)
    return sizes if sizes[-1] >= 0 else None


def _tensor_scatter(scope: Scope, node: Any) -> Iterator[Found]:
    """The update of a cache, from opset 24 on: at a place along one axis, for each batch."""
    notes: list[str] = []
    mode = attribute(node, "mode")
    arguments: dict[str, Argument] = {
        "axis": integer(node, "axis", -2),
        "write_indices": _given(scope, node, 2, notes),
        "mode": "linear" if mode is None else text(mode.s),
    }
    yield Found(NodeCall("onnx.tensor_scatter", arguments), node.output[0], node.input[0], notes)


_READERS: Mapping[str, Callable[[Scope, Any], Iterator[Found]]] = {
    "Slice": _slice,
    "Gather": _gather,
    "Pad": _pad,
    "ReverseSequence": _reverse_sequence,
    "ScatterND": _scatter_nd,
    "Split": _split,
    "TensorScatter": _tensor_scatter,
}
