"""Integers of an ONNX graph that are known before it runs: constants, dims, and what follows from them."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod
from typing import Any, TypeAlias

import numpy as np

from ssop import onnx
from ssop._errors import INT64
from ssop._inspect.folding import Unknown, array_of, checked, elementwise, is_small, truncated_quotient
from ssop._inspect.limits import MAX_FOLDED, MAX_INTEGERS, MAX_RANK, text
from ssop._inspect.records import NEGATIVE_DIM, Dim

STANDARD = ("", "ai.onnx")
MAX_COMPUTED = 4 * MAX_INTEGERS
"""Integers that one Max or Min computes of all its inputs, which may be any number of one vector."""
MAX_CHAIN = 8
"""Operators of a producer chain that are named."""

# Number of the type, its dtype in a file, and the name of the list that holds it outside `raw_data`.
INTEGERS = {
    7: ("<i8", "int64_data"),
    6: ("<i4", "int32_data"),
    5: ("<i2", "int32_data"),
    3: ("<i1", "int32_data"),
    2: ("<u1", "int32_data"),
    4: ("<u2", "int32_data"),
    12: ("<u4", "uint64_data"),
    13: ("<u8", "uint64_data"),
}
ARITHMETIC: Mapping[str, Callable[[int, int], int]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mul": operator.mul,
    "Div": truncated_quotient,
    "Max": max,
    "Min": min,
}
Values: TypeAlias = "np.ndarray[Any, Any]"
"""An array of integers and unknown ones; unlike in folding.py, None stands for a value without a known shape."""

UNKNOWN = Unknown(("node",))
"""An integer that is not known; what computes it is found from the graph (`Scope.producer`)."""
INT32, INT64_TYPE, EXTERNAL = 6, 7, 1


class Scope:
    """The names of one graph, inside those of the graphs around it."""

    def __init__(self, path: str, opset: int | None, parent: Scope | None = None) -> None:
        self.path, self.opset, self.parent = path, opset, parent
        self.tensors: dict[str, Any] = {}
        self.producers: dict[str, Any] = {}
        self.inputs: set[str] = set()
        self.infos: dict[str, Any] = {}
        self.values: dict[str, Values | None] = {}
        self.uses: Counter[str] = Counter()
        """How often each name is used here and in graphs inside, or is an output."""
        self.readers: dict[str, Any] = {}
        """By the name of their input: the nodes that only change the number of axes."""
        self.claimed: set[str] = set()
        """Results of nodes that change the number of axes and are part of the slice before them."""
        self.inner: list[Scope] = []
        """The graphs in attributes of its nodes, in the order of the file."""

    def holding(self, name: str) -> Scope | None:
        """The innermost graph that defines this name."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.producers or name in scope.tensors or name in scope.inputs:
                return scope
            scope = scope.parent
        return None

    def value(self, name: str) -> Values | None:
        """The integers of this tensor as far as they are known."""
        scope = self.holding(name)
        if scope is None:
            return None
        if name in scope.tensors and name not in scope.values:
            scope.values[name] = integers(scope.tensors[name])
        found = scope.values.get(name)
        if found is None and name not in scope.tensors:  # their number may be declared
            kind, dims, _ = scope.info(name)
            if kind in INTEGERS and dims is not None and len(dims) < 2 and all(isinstance(dim, int) for dim in dims):
                (count,) = dims or (1,)
                if isinstance(count, int) and count <= MAX_INTEGERS:
                    return array_of([UNKNOWN] * count, dims)  # type: ignore[arg-type]
        return found

    def declared(self, name: str) -> tuple[int | None, tuple[Dim, ...] | None, list[str]]:
        """Type and dims of a tensor as the file declares them, and what is odd about these."""
        scope = self.holding(name) or self
        if name in scope.infos:
            return _declared(name, scope.infos[name])
        if name in scope.tensors:
            tensor = scope.tensors[name]
            return tensor.data_type, tuple(dim if dim >= 0 else None for dim in tensor.dims[:MAX_RANK]), []
        return None, None, []

    def info(self, name: str) -> tuple[int | None, tuple[Dim, ...] | None, list[str]]:
        """The same; if nothing is declared of a tensor of small integers, what follows from its operators."""
        kind, dims, notes = self.declared(name)
        scope = self.holding(name)
        found = None if scope is None else scope.values.get(name)
        dims = found.shape if dims is None and found is not None else dims
        return self._computed_type(name) if kind is None else kind, dims, notes

    def _computed_type(self, name: str) -> int | None:
        for _ in range(MAX_CHAIN):
            scope = self.holding(name)
            if scope is None or name not in scope.producers or name in scope.infos:
                return self.declared(name)[0]
            node = scope.producers[name]
            if node.op_type == "Constant":
                return next((x.t.data_type if x.HasField("t") else INT64_TYPE for x in node.attribute), None)
            if node.op_type in ("Shape", "Size"):
                return INT64_TYPE
            if node.op_type == "Cast":
                return integer(node, "to", 0) or None
            if node.op_type not in _RULES or not node.input:
                return None
            name = node.input[0]
        return None

    def producer(self, name: str) -> str:
        """The operators that compute a tensor, the first one first: "Shape -> Gather -> Sub"."""
        chain: list[str] = []
        scope: Scope | None = self
        while len(chain) < MAX_CHAIN:
            scope = scope.holding(name) if scope is not None else None
            if scope is None or name not in scope.producers:
                chain.append(_origin(scope, name))
                break
            node = scope.producers[name]
            chain.append(text(node.op_type))
            if node.op_type in ("Shape", "Size", "Constant"):
                break
            computed = [x for x in node.input[:MAX_RANK] if x and not _is_constant(scope, x)]
            if not computed:
                break
            name = computed[0]
        else:
            chain.append("..")
        return " -> ".join(reversed(chain))


def _origin(scope: Scope | None, name: str) -> str:
    if scope is None:
        return "undefined"
    return "input" if name in scope.inputs else "constant"


def _is_constant(scope: Scope, name: str) -> bool:
    holder = scope.holding(name)
    if holder is None or name in holder.inputs:
        return False
    if name in holder.producers:
        return bool(holder.producers[name].op_type == "Constant")
    return name in holder.tensors


def _declared(name: str, info: Any) -> tuple[int | None, tuple[Dim, ...] | None, list[str]]:
    if not info.type.HasField("tensor_type"):
        return None, None, []
    tensor = info.type.tensor_type
    if not tensor.HasField("shape"):
        return tensor.elem_type, None, []
    if len(tensor.shape.dim) > MAX_RANK:
        return tensor.elem_type, None, [f"{text(name)!r} is declared with {len(tensor.shape.dim)} dims"]
    dims: list[Dim] = []
    notes: list[str] = []
    for dim in tensor.shape.dim:
        if dim.HasField("dim_value") and dim.dim_value < 0:
            notes = [NEGATIVE_DIM]
            dims.append(None)
        elif dim.HasField("dim_value"):
            dims.append(dim.dim_value)
        else:
            dims.append(text(dim.dim_param) or None)
    return tensor.elem_type, tuple(dims), notes


# ---- constants -----------------------------------------------------------------------------------------------------


def integers(tensor: Any) -> Values | None:
    """The values of a small tensor of integers; None for any other, and for one whose values are not in the file."""
    dims = tuple(tensor.dims[: MAX_RANK + 1])
    if tensor.data_type not in INTEGERS or len(dims) > 8 or not is_small(dims, MAX_INTEGERS):
        return None
    if tensor.data_location == EXTERNAL:
        return None
    dtype, field = INTEGERS[tensor.data_type]
    if tensor.HasField("raw_data"):
        raw = tensor.raw_data
        if len(raw) != prod(dims) * np.dtype(dtype).itemsize:
            return None
        return np.frombuffer(raw, dtype).astype(object).reshape(dims)
    found = getattr(tensor, field)
    return array_of(found, dims) if len(found) == prod(dims) else None


def contradiction(tensor: Any) -> str | None:
    """What is wrong with a tensor of integers that says how many it has, and has another number of them."""
    if tensor.data_type not in INTEGERS or tensor.data_location == EXTERNAL or len(tensor.dims) > MAX_RANK:
        return None
    if not is_small(tensor.dims, MAX_INTEGERS) or integers(tensor) is not None:
        return None
    return f"{text(tensor.name)!r} has dims {list(tensor.dims)} and not that many values"


# ---- folding -------------------------------------------------------------------------------------------------------


class Folder:
    """Computes small integers in the order of the file, in which each node comes behind those that it needs."""

    def __init__(self) -> None:
        self.left = MAX_FOLDED

    def fold(self, scope: Scope, nodes: Iterable[Any]) -> None:
        for node in nodes:
            rule = _RULES.get(node.op_type) if node.domain in STANDARD and self.left > 0 else None
            if rule is None or len(node.input) > MAX_INTEGERS or not node.output:
                continue
            try:
                found = rule(scope, node)
            except (ValueError, TypeError, IndexError, OverflowError):  # its inputs do not fit each other
                found = None
            if found is not None:
                self.left -= found.size + 1
                if found.size <= MAX_INTEGERS:
                    scope.values[node.output[0]] = found


def attribute(node: Any, name: str) -> Any:
    """The attribute of this name, or None."""
    return next((each for each in node.attribute if each.name == name and not each.ref_attr_name), None)


def integer(node: Any, name: str, default: int) -> int:
    found = attribute(node, name)
    return found.i if found is not None and found.HasField("i") else default


def listed(node: Any, name: str) -> tuple[int, ...] | None:
    """An attribute that is a list of integers, or one."""
    found = attribute(node, name)
    if found is None:
        return None
    return tuple(found.ints) or ((found.i,) if found.HasField("i") else ())


def operand(scope: Scope, node: Any, number: int) -> Values:
    """The values of an input; raises TypeError if nothing is known of them."""
    found = scope.value(node.input[number])
    if found is None:
        raise TypeError("not known")
    return found


def axes_of(scope: Scope, node: Any) -> tuple[int, ...] | None:
    """The axes of Squeeze and Unsqueeze, which are an attribute or an input; None if they are not known."""
    if len(node.input) < 2 or not node.input[1]:
        return listed(node, "axes")
    found = scope.value(node.input[1])
    return None if found is None or not known(found) else tuple(found.ravel().tolist())


def known(values: Values) -> bool:
    """Whether all the integers are."""
    return not any(isinstance(item, Unknown) for item in values.ravel().tolist())


def _arithmetic(name: str, arrays: Sequence[Values]) -> Values:
    """The operator on all its inputs; no engine defines what leaves int64."""
    result = arrays[0]
    for array in arrays[1:]:
        size = np.broadcast(result, array).size
        if size > MAX_INTEGERS or size * len(arrays) > MAX_COMPUTED:
            raise ValueError("too many integers")
        found = elementwise(name, checked(name, ARITHMETIC[name], *INT64), result, array)
        assert not isinstance(found, Unknown)
        result = found
    return result


def _constant(scope: Scope, node: Any) -> Values | None:
    for each in node.attribute:
        if each.ref_attr_name:
            return None
        if each.name == "value" and each.HasField("t"):
            return integers(each.t)
        if each.name == "value_int" and each.HasField("i"):
            return array_of([each.i], ())
        if each.name == "value_ints" and len(each.ints) <= MAX_INTEGERS:
            return array_of(each.ints)
    return None


def _shape(scope: Scope, node: Any) -> Values | None:
    dims = scope.info(node.input[0])[1]
    if dims is None:
        return None
    items = [dim if isinstance(dim, int) else UNKNOWN for dim in dims]
    end = attribute(node, "end")
    return array_of(items[integer(node, "start", 0) : None if end is None else end.i])


def _cast(scope: Scope, node: Any) -> Values | None:
    row = INTEGERS.get(integer(node, "to", 0))
    if row is None:
        return None
    limits = np.iinfo(row[0])
    within = checked("Cast", int, int(limits.min), min(int(limits.max), INT64[1]))  # a cast that wraps is left unknown
    found = elementwise("Cast", within, operand(scope, node, 0))
    return None if isinstance(found, Unknown) else found


def _reshape(scope: Scope, node: Any) -> Values:
    target = listed(node, "shape") if len(node.input) < 2 else tuple(operand(scope, node, 1).tolist())
    array = operand(scope, node, 0)
    if target is None or len(target) > 8:
        raise ValueError
    dims = [array.shape[axis] if dim == 0 else dim for axis, dim in enumerate(target)]
    return array.reshape(dims)


def _squeeze(scope: Scope, node: Any) -> Values:
    array, axes = operand(scope, node, 0), axes_of(scope, node)
    return array.squeeze(None if axes is None else axes)


def _unsqueeze(scope: Scope, node: Any) -> Values:
    axes = axes_of(scope, node)
    if axes is None or len(axes) > 8:
        raise ValueError
    return np.expand_dims(operand(scope, node, 0), axes)


def _filled(scope: Scope, node: Any) -> Values:
    dims = [int(dim) for dim in operand(scope, node, 0).tolist()]
    found = attribute(node, "value")
    value = integers(found.t) if found is not None and found.HasField("t") else None
    if prod(dims) > MAX_INTEGERS or len(dims) > 8 or value is None or value.size != 1 or min(dims, default=0) < 0:
        raise ValueError
    return np.full(dims, value.ravel()[0], object)


def _sliced(scope: Scope, node: Any) -> Values:
    names = ("starts", "ends", "axes", "steps")
    data = operand(scope, node, 0)
    if len(node.input) == 1:
        lists: dict[str, Any] = {name: listed(node, name) for name in names[:3]}
    else:
        given = zip(names, node.input[1:5], strict=False)
        lists = {name: operand(scope, node, number).tolist() for number, (name, x) in enumerate(given, 1) if x}
    return np.asarray(onnx.slice(data, **{name: values for name, values in lists.items() if values is not None}))


def _concatenated(scope: Scope, node: Any) -> Values:
    arrays = _operands(scope, node)
    if sum(array.size for array in arrays) > MAX_INTEGERS:
        raise ValueError("too many integers")
    return np.concatenate(arrays, integer(node, "axis", 0))


def _gathered(scope: Scope, node: Any) -> Values:
    array, indices = operand(scope, node, 0), operand(scope, node, 1)
    if array.size * indices.size > MAX_INTEGERS**2 // 16:
        raise ValueError("too many integers")
    return np.asarray(array.take(indices.astype(np.int64), integer(node, "axis", 0)), object)


def _operands(scope: Scope, node: Any) -> list[Values]:
    return [operand(scope, node, number) for number in range(len(node.input))]


def _size(scope: Scope, node: Any) -> int | Unknown:
    dims = scope.info(node.input[0])[1]
    static = [dim for dim in dims or () if isinstance(dim, int)]
    return prod(static) if dims is not None and len(static) == len(dims) and prod(static) <= INT64[1] else UNKNOWN


_RULES: Mapping[str, Callable[[Scope, Any], Values | None]] = {
    "Constant": _constant,
    "ConstantOfShape": _filled,
    "Shape": _shape,
    "Size": lambda scope, node: array_of([_size(scope, node)], ()),
    "Identity": lambda scope, node: operand(scope, node, 0),
    "Cast": _cast,
    "Reshape": _reshape,
    "Squeeze": _squeeze,
    "Unsqueeze": _unsqueeze,
    "Concat": _concatenated,
    "Slice": _sliced,
    "Gather": _gathered,
    "Transpose": lambda scope, node: operand(scope, node, 0).transpose(listed(node, "perm")),
    "Neg": lambda scope, node: _arithmetic("Sub", [array_of([0], ()), operand(scope, node, 0)]),
    **dict.fromkeys(ARITHMETIC, lambda scope, node: _arithmetic(node.op_type, _operands(scope, node))),
}
