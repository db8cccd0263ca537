"""What the integers of a StableHLO program are, as far as constants and static dims tell."""

# mypy: disable-error-code="import-not-found,import-untyped,unused-ignore"

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ssop._core import SliceError
from ssop._inspect.folding import (
    Folder,
    Unknown,
    Value,
    array_of,
    constant_of,
    elementwise,
    rearranged,
    safely,
    small,
    truncated_quotient,
    unknown_array,
    wrapped,
)
from ssop._inspect.mlir_dialects import CONSTANTS
from ssop._inspect.records import Dim
from ssop.stablehlo._parsing import jaxlib
from ssop.stablehlo._types import TensorType, constant, dtype_of


def short(operation: Any) -> str:
    """The name of an operation without that of the dialect."""
    return str(operation.name).removeprefix("stablehlo.")


def integers_of(attribute: Any) -> tuple[int, ...]:
    return tuple([int(item) for item in attribute])


def tensor_shape(value: Any) -> tuple[Dim, ...] | None:
    """The shape of a value's type: of a dim that is not static its interval, if the type has bounds."""
    kind = value.type
    if not isinstance(kind, jaxlib().ir.RankedTensorType):
        return None
    bounds = _bounds(kind)
    return tuple(
        [
            kind.get_dim_size(axis) if not kind.is_dynamic_dim(axis) else bounds[axis] if bounds else None
            for axis in range(kind.rank)
        ]
    )


def _bounds(kind: Any) -> list[Dim]:
    extensions = getattr(jaxlib().attributes, "TypeExtensions", None)
    if extensions is None or kind.encoding is None or not extensions.isinstance(kind.encoding):
        return []
    return [(0, int(bound)) if bound >= 0 else None for bound in extensions(kind.encoding).bounds]


class Values:
    """The integers of a module's values."""

    def __init__(self, module: Any) -> None:
        self.functions: dict[str, Any] = {}
        self.callers: dict[str, list[Any]] = {}
        self._find_calls(module)
        self._folder: Folder[Any] = Folder(self._operands, self._compute)

    def of(self, value: Any) -> Value:
        return self._folder.value(value)

    @staticmethod
    def name_of_function(operation: Any) -> str:
        return operation.attributes["sym_name"].value if "sym_name" in operation.attributes else "main"

    def _find_calls(self, module: Any) -> None:
        """Find the functions, and the operations that call them; only the first two calls of each are of interest."""
        stack = [module.operation]
        while stack:
            for region in stack.pop().regions:
                for block in region.blocks:
                    for child in block.operations:
                        operation = child.operation
                        name = str(operation.name)
                        if name == "func.func":
                            self.functions[self.name_of_function(operation)] = operation
                        elif name in ("func.call", "call") and "callee" in operation.attributes:
                            calls = self.callers.setdefault(operation.attributes["callee"].value, [])
                            calls += [operation] if len(calls) < 2 else []
                        if len(operation.regions):
                            stack.append(operation)

    def _callee(self, operation: Any) -> Any | None:
        """The function that is called here only, whose arguments are thus the operands of this call."""
        name = operation.attributes["callee"].value if "callee" in operation.attributes else ""
        return self.functions.get(name) if len(self.callers.get(name, ())) == 1 else None

    def _operands(self, value: Any) -> Sequence[Any]:
        ir = jaxlib().ir
        if isinstance(value, ir.BlockArgument):
            call = self._only_call(value)
            return [] if call is None else [call.operands[value.arg_number]]
        operation = value.owner
        if str(operation.name) == "func.call":
            return self._returned(operation, value)
        return list(operation.operands) if short(operation) in COMPUTED else []

    def _only_call(self, argument: Any) -> Any | None:
        function = argument.owner.owner.operation
        if str(function.name) != "func.func":
            return None
        calls = self.callers.get(self.name_of_function(function), [])
        public = "sym_visibility" not in function.attributes or "private" not in str(
            function.attributes["sym_visibility"]
        )
        if public or len(calls) != 1 or argument.arg_number >= len(calls[0].operands):
            return None
        return calls[0]

    def _returned(self, call: Any, value: Any) -> Sequence[Any]:
        function = self._callee(call)
        blocks = [] if function is None else list(function.regions[0].blocks)
        if len(blocks) != 1:
            return []
        *_, terminator = blocks[0].operations
        returned = list(terminator.operation.operands)
        return returned[value.result_number :][:1]

    def _compute(self, value: Any, operands: Sequence[Value]) -> Value:
        ir = jaxlib().ir
        shape = tensor_shape(value)
        if isinstance(value, ir.BlockArgument):
            if operands:
                return operands[0]
            owner = value.owner.owner.operation
            called = self.callers.get(self.name_of_function(owner))
            kind = (
                ("an argument of several calls" if called else "input") if owner.name == "func.func" else short(owner)
            )
            return unknown_array(shape, (kind,))
        operation = value.owner
        kind = short(operation)
        if kind == "func.call":
            callee = operation.attributes["callee"].value
            return operands[0] if operands else unknown_array(shape, (f"call @{callee}",))
        if kind == "constant" or kind in CONSTANTS:
            return _constant(operation)
        if kind == "get_dimension_size":
            return _dimension(operation)
        if kind not in COMPUTED:
            return unknown_array(shape, (kind,))
        found = COMPUTED[kind](operation, kind, *operands)
        return unknown_array(shape, found.chain) if isinstance(found, Unknown) else found


def _element(operation: Any) -> tuple[int, bool] | None:
    """The number of bits of the integers of the result, and whether they have a sign."""
    kind = operation.results[0].type
    element = kind.element_type if hasattr(kind, "element_type") else None
    if not isinstance(element, jaxlib().ir.IntegerType):
        return None
    return element.width, element.width > 1 and not element.is_unsigned


def _constant(operation: Any) -> Value:
    kind = operation.results[0].type
    shape = small(tensor_shape(operation.results[0]))
    if shape is None or _element(operation) is None:
        return Unknown(("constant",))
    try:
        return constant_of(constant(operation, TensorType(shape, dtype_of(kind.element_type, "")), ""))
    except (SliceError, ValueError, KeyError):
        return Unknown(("constant",))


def _dimension(operation: Any) -> Value:
    shape = tensor_shape(operation.operands[0])
    axis = int(operation.attributes["dimension"].value)
    dim = shape[axis] if shape is not None and axis < len(shape) else None
    return array_of([dim if isinstance(dim, int) else Unknown(("get_dimension_size",))], ())


def _arithmetic(compute: Callable[..., int]) -> Callable[..., Value]:
    def of_operation(operation: Any, kind: str, *values: Value) -> Value:
        element = _element(operation)
        if element is None:
            return Unknown((kind,))
        return elementwise(kind, wrapped(compute, *element), *values)

    return of_operation


def _compare(operation: Any, kind: str, *values: Value) -> Value:
    direction = str(operation.attributes["comparison_direction"]).rstrip(">").split()[-1]
    return elementwise(kind, getattr(operator, direction.lower()), *values)


def _reshape(operation: Any, kind: str, x: Value) -> Value:
    shape = tensor_shape(operation.results[0]) or ()
    return rearranged(kind, lambda array: array.reshape([dim if isinstance(dim, int) else -1 for dim in shape]), x)


def _broadcast(operation: Any, kind: str, x: Value, *_: Value) -> Value:
    shape = small(tensor_shape(operation.results[0]))
    axes = integers_of(operation.attributes["broadcast_dimensions"])
    if shape is None:
        return Unknown((kind,))

    def spread(array: Any) -> Any:
        ones = [1] * len(shape)
        for axis, dim in zip(axes, array.shape, strict=True):
            ones[axis] = dim
        return np.broadcast_to(array.reshape(ones), shape)

    return rearranged(kind, spread, x)


def _concatenate(operation: Any, kind: str, *values: Value) -> Value:
    axis = int(operation.attributes["dimension"].value)
    if small(tensor_shape(operation.results[0])) is None:
        return Unknown((kind,))
    pairs = zip(values, operation.operands, strict=True)
    parts = [unknown_array(tensor_shape(of), x.chain) if isinstance(x, Unknown) else x for x, of in pairs]
    return rearranged(kind, lambda *arrays: np.concatenate(arrays, axis), *parts)


def _sliced(operation: Any, kind: str, x: Value) -> Value:
    names = ("start_indices", "limit_indices", "strides")
    vectors = [integers_of(operation.attributes[name]) for name in names]
    return rearranged(kind, lambda array: array[tuple(map(slice, *vectors))], x)


def _iota(operation: Any, kind: str) -> Value:
    shape, element = small(tensor_shape(operation.results[0])), _element(operation)
    axis = int(operation.attributes["iota_dimension"].value)
    if shape is None or element is None or shape[axis] > 1 << (element[0] - element[1]):
        return Unknown((kind,))
    along = [dim if place == axis else 1 for place, dim in enumerate(shape)]
    return constant_of(np.broadcast_to(np.arange(shape[axis]).reshape(along), shape))


def _reverse(operation: Any, kind: str, x: Value) -> Value:
    return rearranged(kind, lambda array: np.flip(array, integers_of(operation.attributes["dimensions"])), x)


def _select(operation: Any, kind: str, chosen: Value, a: Value, b: Value) -> Value:
    """The operands in the order in which their producers are told."""
    return _arithmetic(lambda x, y, one: x if one else y)(operation, kind, a, b, chosen)


def _same(operation: Any, kind: str, x: Value) -> Value:
    return x.then(kind) if isinstance(x, Unknown) else x


COMPUTED: dict[str, Callable[..., Value]] = {
    "abs": _arithmetic(abs),
    "add": _arithmetic(operator.add),
    "and": _arithmetic(operator.and_),
    "broadcast_in_dim": _broadcast,
    "clamp": _arithmetic(lambda least, x, most: min(max(least, x), most)),
    "compare": _compare,
    "concatenate": _concatenate,
    "convert": _arithmetic(lambda x: x),
    "divide": _arithmetic(safely(truncated_quotient)),
    "dynamic_broadcast_in_dim": _broadcast,
    "iota": _iota,
    "maximum": _arithmetic(max),
    "minimum": _arithmetic(min),
    "multiply": _arithmetic(operator.mul),
    "negate": _arithmetic(operator.neg),
    "not": _arithmetic(operator.invert),
    "optimization_barrier": _same,
    "or": _arithmetic(operator.or_),
    "remainder": _arithmetic(safely(lambda a, b: a - b * truncated_quotient(a, b))),
    "reshape": _reshape,
    "reverse": _reverse,
    "select": _select,
    "sign": _arithmetic(lambda x: (x > 0) - (x < 0)),
    "slice": _sliced,
    "subtract": _arithmetic(operator.sub),
    "xor": _arithmetic(operator.xor),
}
"""How the value of an operation is found; optimization_barrier only if it has one operand."""
