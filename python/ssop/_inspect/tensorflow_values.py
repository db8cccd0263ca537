"""What the integers and the shapes of TensorFlow's tensors are, as far as constants and attributes tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np

from ssop._inspect import computing
from ssop._inspect.folding import (
    MAX_ITEMS,
    Folder,
    Unknown,
    Value,
    array_of,
    constant_of,
    is_small,
    rearranged,
    unknown_array,
)
from ssop._inspect.records import Dim

MASKS = ("begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask")

INT32, INT64 = 3, 9
INTEGERS = {
    1: "",  # float: never read
    INT32: "<i4",
    4: "u1",
    5: "<i2",
    6: "i1",
    INT64: "<i8",
    10: "?",
    17: "<u2",
    22: "<u4",
    23: "<u8",
}
"""NumPy's dtypes of TensorFlow's integer types, by number."""

FIELDS = {INT64: "int64_val", 10: "bool_val", 22: "uint32_val", 23: "uint64_val"}
"""Where the items of a constant stand; of all other types in int_val."""


class Tensor(NamedTuple):
    """An output of a node, or an argument of a function."""

    scope: int
    """The number of the graph or function."""
    node: str
    output: int


class Scope:
    """The graph of a file, or a function of it."""

    def __init__(self, number: int, path: str, nodes: Any, function: Any = None) -> None:
        self.number, self.path, self.function = number, path, function
        self.nodes = {node.name: node for node in nodes}
        names = () if function is None else [argument.name for argument in function.signature.input_arg]
        self.arguments = {name: place for place, name in enumerate(names)}
        self.returned: list[str] = []
        if function is not None:
            self.returned = [function.ret.get(output.name, "") for output in function.signature.output_arg]

    def tensor(self, text: str) -> Tensor:
        """What an input of a node names: "node", "node:1", or in a function "node:output:1"."""
        node, _, rest = text.partition(":")
        number = rest.rpartition(":")[2]
        return Tensor(
            self.number, node, int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0
        )

    def inputs(self, node: Any) -> list[Tensor]:
        """Those that are tensors, and not only nodes that run before."""
        return [self.tensor(text) for text in node.input if not text.startswith("^")]


class Values:
    """The integers and the shapes of all tensors of a file."""

    def __init__(self, scopes: Sequence[Scope]) -> None:
        self.scopes = scopes
        self.by_name = {scope.function.signature.name: scope for scope in scopes if scope.function is not None}
        self.callers: dict[str, list[tuple[Scope, Any, int]]] = {}
        for scope in scopes:
            for node in scope.nodes.values():
                self._find_calls(scope, node)
        self._folder: Folder[Tensor] = Folder(self._operands, self._compute)

    def of(self, tensor: Tensor) -> Value:
        return self._folder.value(tensor)

    def _find_calls(self, scope: Scope, node: Any) -> None:
        for name, skipped in CALLS.get(node.op, ()):
            if name in node.attr:
                calls = self.callers.setdefault(node.attr[name].func.name, [])
                calls += [(scope, node, skipped)] if len(calls) < 2 else []

    def _given(self, scope: Scope, argument: str) -> Tensor | None:
        """What the only call of a function has for an argument."""
        calls = self.callers.get(scope.function.signature.name, []) if scope.function is not None else []
        if len(calls) != 1 or argument not in scope.arguments:
            return None
        caller, node, skipped = calls[0]
        inputs = caller.inputs(node)[skipped:]
        place = scope.arguments[argument]
        return inputs[place] if place < len(inputs) and node.op not in LOOPS else None

    def _result(self, node: Any, output: int) -> Tensor | None:
        """What the function returns that is called by this node only."""
        if node.op not in ("PartitionedCall", "StatefulPartitionedCall") or "f" not in node.attr:
            return None
        name = node.attr["f"].func.name
        called = self.by_name.get(name)
        if called is None or len(self.callers.get(name, [])) != 1 or output >= len(called.returned):
            return None
        return called.tensor(called.returned[output])

    def source(self, tensor: Tensor) -> Tensor | None:
        """The tensor that this one is, seen through calls and identities; None if a node makes it here."""
        scope = self.scopes[tensor.scope]
        node = scope.nodes.get(tensor.node)
        if node is None:
            return self._given(scope, tensor.node)
        if node.op in SAME and len(node.input):
            return scope.tensor(node.input[0])
        return self._result(node, tensor.output)

    # ---- shapes ----------------------------------------------------------------------------------------------------

    def shape(self, tensor: Tensor) -> tuple[Dim, ...] | None:
        """The shape that the file declares; None if it declares none."""
        seen: set[Tensor] = set()
        found: Tensor | None = tensor
        while found is not None and found not in seen and len(seen) < 64:
            seen.add(found)
            shape = self._declared(found)
            if shape is not None:
                return shape
            found = self.source(found)
        return None

    def _declared(self, tensor: Tensor) -> tuple[Dim, ...] | None:
        scope = self.scopes[tensor.scope]
        node = scope.nodes.get(tensor.node)
        if node is None:
            return self._of_argument(scope, tensor.node)
        if "_output_shapes" in node.attr:
            shapes = node.attr["_output_shapes"].list.shape
            if tensor.output < len(shapes):
                return _dims(shapes[tensor.output])
        if node.op == "Const" and "value" in node.attr:
            return _dims(node.attr["value"].tensor.tensor_shape)
        if node.op in ("Placeholder", "VarHandleOp", "VariableV2") and "shape" in node.attr:
            return _dims(node.attr["shape"].shape)
        return None

    @staticmethod
    def _of_argument(scope: Scope, name: str) -> tuple[Dim, ...] | None:
        place = scope.arguments.get(name)
        if place is None or place not in scope.function.arg_attr:
            return None
        attributes = scope.function.arg_attr[place].attr
        shapes = list(attributes["_output_shapes"].list.shape[:1]) if "_output_shapes" in attributes else []
        return _dims(shapes[0]) if shapes else None

    # ---- integers --------------------------------------------------------------------------------------------------

    def _operands(self, tensor: Tensor) -> Sequence[Tensor]:
        source = self.source(tensor)
        if source is not None:
            return [source]
        scope = self.scopes[tensor.scope]
        node = scope.nodes.get(tensor.node)
        return scope.inputs(node) if node is not None and node.op in COMPUTED else []

    def _origin(self, scope: Scope, name: str) -> str:
        """What is told of a tensor that no node of its graph makes."""
        if name not in scope.arguments:
            return "a node that does not exist"
        calls = self.callers.get(scope.function.signature.name, [])
        if any(node.op in LOOPS for _, node, _ in calls):
            return "a loop"
        return "an argument of several calls" if calls else "input"

    def _compute(self, tensor: Tensor, values: Sequence[Value]) -> Value:
        scope = self.scopes[tensor.scope]
        node = scope.nodes.get(tensor.node)
        if self.source(tensor) is not None and values:
            return values[0]
        if node is None:
            return unknown_array(self.shape(tensor), (self._origin(scope, tensor.node),))
        if node.op == "Const":
            return _constant(node)
        if node.op == "Shape" and len(node.input):
            return computing.dims(self.shape(scope.inputs(node)[0]), "Shape")
        if node.op == "ShapeN" and tensor.output < len(node.input):
            return computing.dims(self.shape(scope.inputs(node)[tensor.output]), "ShapeN")
        if node.op == "Rank" and len(node.input):
            shape = self.shape(scope.inputs(node)[0])
            return Unknown(("Rank",)) if shape is None else array_of([len(shape)], ())
        shape = self._declared(tensor)
        if node.op.startswith("Placeholder"):
            return unknown_array(shape, ("input",))
        least = LEAST_INPUTS.get(node.op, 1)
        if node.op in COMPUTED and len(values) >= least:
            found = COMPUTED[node.op](node, *values[: MOST_INPUTS.get(node.op)])
            return found if not isinstance(found, Unknown) else unknown_array(shape, found.chain)
        return unknown_array(shape, (str(node.op),))


def _dims(shape: Any) -> tuple[Dim, ...] | None:
    if shape.unknown_rank:
        return None
    return tuple([dim.size if dim.size >= 0 else None for dim in shape.dim])


def integer(node: Any, name: str, default: int = 0) -> int:
    return int(node.attr[name].i) if name in node.attr else default


def _constant(node: Any) -> Value:
    """A constant of integers: its bytes, or a list whose last item stands for the rest."""
    if "value" not in node.attr:
        return Unknown(("Const",))
    tensor = node.attr["value"].tensor
    kind, shape = INTEGERS.get(tensor.dtype), _dims(tensor.tensor_shape)
    if not kind or shape is None or any(not isinstance(dim, int) for dim in shape):
        return Unknown(("Const",))
    sizes = [dim for dim in shape if isinstance(dim, int)]
    count = prod(sizes)
    if not is_small(sizes):
        return Unknown(("Const",))
    if tensor.tensor_content:
        if len(tensor.tensor_content) != count * np.dtype(kind).itemsize:
            return Unknown(("Const whose size is not that of its shape",))
        return constant_of(np.frombuffer(tensor.tensor_content, kind).reshape(sizes))
    items = getattr(tensor, FIELDS.get(tensor.dtype, "int_val"))
    listed = [int(item) for item in items[:count]]
    return array_of(listed + [listed[-1] if listed else 0] * (count - len(listed)), sizes)


CALLS: dict[str, tuple[tuple[str, int], ...]] = {
    "PartitionedCall": (("f", 0),),
    "StatefulPartitionedCall": (("f", 0),),
    **dict.fromkeys(("If", "StatelessIf"), (("then_branch", 1), ("else_branch", 1))),
    **dict.fromkeys(("While", "StatelessWhile"), (("cond", 0), ("body", 0))),
}
"""The attributes that name functions, and how many inputs of the node are no arguments of them."""

LOOPS = {"While", "StatelessWhile"}
SAME = {"Identity", "StopGradient", "Snapshot", "PreventGradient", "ReadVariableOp", "EnsureShape"}
BITS = {INT32: 32, INT64: 64, 4: 8, 5: 16, 6: 8}


def _arithmetic(name: str, attribute: str = "T") -> Callable[..., Value]:
    def compute(node: Any, *values: Value) -> Value:
        bits = BITS.get(node.attr[attribute].type, 64) if attribute in node.attr else 64
        return computing.arithmetic(name, node.op, bits, *values)

    return compute


def _last_is_axis(node: Any, *values: Value) -> Value:
    *parts, axis = values
    if isinstance(axis, Unknown) or axis.size != 1 or isinstance(axis.reshape(-1)[0], Unknown):
        return Unknown((node.op,))
    return computing.concatenated(node.op, int(axis.reshape(-1)[0]), parts)


def _strided(node: Any, x: Value, *bounds: Value) -> Value:
    return computing.strided(node.op, x, bounds, [integer(node, name) & 0x7FFFFFFF for name in MASKS])


def _sliced(node: Any, x: Value, begin: Value, size: Value) -> Value:
    vectors = [value.reshape(-1).tolist() for value in (begin, size) if not isinstance(value, Unknown)]
    if isinstance(x, Unknown) or len(vectors) != 2:
        return Unknown((node.op,)) if not isinstance(x, Unknown) else x.then(node.op)
    pairs = list(zip(*vectors, strict=False))
    if any(isinstance(item, Unknown) or item < -1 for pair in pairs for item in pair):
        return Unknown((node.op,))
    index = tuple([slice(first, None if count < 0 else first + count) for first, count in pairs])
    return rearranged(node.op, lambda array: array[index], x)


def _squeezed(node: Any, x: Value) -> Value:
    axes = list(node.attr["squeeze_dims"].list.i) if "squeeze_dims" in node.attr else []
    return computing.squeezed(node.op, x, axes)


def _range(node: Any, start: Value, limit: Value, delta: Value) -> Value:
    items = [value.reshape(-1)[0] for value in (start, limit, delta) if not isinstance(value, Unknown) and value.size]
    unknown = [item for item in items if isinstance(item, Unknown)]
    if len(items) < 3 or unknown:
        return unknown[0].then(node.op) if unknown else Unknown((node.op,))
    if items[2] == 0 or (items[1] - items[0]) // items[2] > MAX_ITEMS:
        return Unknown((node.op,))
    return array_of(range(*items))


COMPUTED: dict[str, Callable[..., Value]] = {
    **{
        kind: _arithmetic(name)
        for kind, name in {
            "Abs": "abs",
            "Add": "add",
            "AddV2": "add",
            "Equal": "equal",
            "FloorDiv": "floordiv",
            "FloorMod": "floormod",
            "Greater": "greater",
            "GreaterEqual": "greater_equal",
            "Less": "less",
            "LessEqual": "less_equal",
            "LogicalAnd": "and",
            "LogicalNot": "not",
            "LogicalOr": "or",
            "Maximum": "maximum",
            "Minimum": "minimum",
            "Mul": "multiply",
            "Neg": "negative",
            "NotEqual": "not_equal",
            "Sign": "sign",
            "Sub": "subtract",
            "TruncateDiv": "truncatediv",
        }.items()
    },
    "Cast": _arithmetic("same", "DstT"),
    "ConcatV2": _last_is_axis,
    "ExpandDims": lambda node, x, axes: computing.unsqueezed(node.op, x, axes),
    "GatherV2": lambda node, x, indices, axis: computing.gathered(node.op, x, indices, axis),
    "Pack": lambda node, *values: computing.packed(node.op, integer(node, "axis"), values),
    "Range": _range,
    "Reshape": lambda node, x, shape: computing.reshaped(node.op, x, shape),
    "Select": lambda node, condition, a, b: computing.chosen(node.op, condition, a, b),
    "SelectV2": lambda node, condition, a, b: computing.chosen(node.op, condition, a, b),
    "Slice": _sliced,
    "Squeeze": _squeezed,
    "StridedSlice": _strided,
}

UNARY = ("Abs", "LogicalNot", "Neg", "Sign", "Cast", "Squeeze")
TERNARY = ("GatherV2", "Range", "Select", "SelectV2", "Slice")
LEAST_INPUTS = {
    **dict.fromkeys(set(COMPUTED) - set(UNARY), 2),
    **dict.fromkeys(TERNARY, 3),
    "Pack": 1,
    "StridedSlice": 4,
}
MOST_INPUTS = {
    **{name: LEAST_INPUTS.get(name, 1) for name in COMPUTED},
    "Pack": None,
    "ConcatV2": None,
}
"""Nodes with other numbers of inputs are damaged: too few make a value unknown, those beyond are left out."""
