"""Chains as files that other tools read: a StableHLO module, and an ONNX model in ONNX's text form.

Both are None where an operation of the chain has no form there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ssop.testing.calls import Array
from ssop.testing.chains.operations import Args
from ssop.testing.chains.program import At, Chain, Step
from ssop.testing.chains.texts import fields

MLIR_TYPES = {"int32": "i32", "int64": "i64", "float32": "f32", "float16": "f16", "uint8": "ui8", "bool": "i1"}
ONNX_TYPES = {"float32": "float"}
"""Of the dtypes whose names in ONNX are not NumPy's."""


def file_texts(chain: Chain) -> dict[str, str]:
    """The texts that there are, by the names of their formats."""
    texts = {"StableHLO": stablehlo_text(chain), "ONNX": onnx_text(chain)}
    return {name: text for name, text in texts.items() if text is not None}


# ---- StableHLO ------------------------------------------------------------------------------------------------------


def mlir_type(array: Array) -> str:
    """The type of a value.

    >>> import numpy as np
    >>> mlir_type(np.zeros((2, 3), np.float32)), mlir_type(np.array(True))
    ('tensor<2x3xf32>', 'tensor<i1>')
    """
    return f"tensor<{''.join(f'{dim}x' for dim in array.shape)}{MLIR_TYPES[array.dtype.name]}>"


class _Module:
    """The lines of a module in the making."""

    def __init__(self, values: Mapping[str, Array]) -> None:
        self.values, self.lines, self.count = values, [], 0  # type: ignore[var-annotated]

    def type_of(self, name: str) -> str:
        return mlir_type(self.values[name])

    def signature(self, step: Step, operands: Sequence[str] | None = None) -> str:
        """The types of operands and result."""
        types = ", ".join(map(self.type_of, step.operands if operands is None else operands))
        return f"({types}) -> {self.type_of(step.name)}"

    def add(self, text: str, name: str = "") -> str:
        """A line that makes a value; its name."""
        if not name:
            name, self.count = f"t{self.count}", self.count + 1
        self.lines.append(f"    %{name} = stablehlo.{text}")
        return f"%{name}"

    def zeros(self, shape: Sequence[int], like: Array) -> tuple[str, str]:
        """An array of zeros, and its type."""
        element = MLIR_TYPES[like.dtype.name]
        kind = f"tensor<{''.join(f'{dim}x' for dim in shape)}{element}>"
        return self.add(f"constant dense<{'0.0' if element[0] == 'f' else '0'}> : {kind}"), kind

    def starts(self, step: Step, shape: Sequence[int]) -> tuple[str, str]:
        """The starts as scalars, wrapped where the step wraps negative ones, and their types."""
        given, wraps = step.args["start_indices"], step.args["allow_negative_indices"]
        if not isinstance(given, At):
            numbers = [n + dim if wraps and n < 0 else n for n, dim in zip(given, shape, strict=True)]
            return self.scalars([self.add(f"constant dense<{n}> : tensor<i64>") for n in numbers], "tensor<i64>")
        vector = self.values[given.name]
        element = MLIR_TYPES[vector.dtype.name]
        kind, names = f"tensor<{element}>", []
        for axis, dim in enumerate(shape):
            types = f"({mlir_type(vector)}) -> tensor<1x{element}>"
            part = self.add(f"slice %{given.name} [{axis}:{axis + 1}] : {types}")
            start = self.add(f"reshape {part} : (tensor<1x{element}>) -> {kind}")
            if wraps:
                zero = self.add(f"constant dense<0> : {kind}")
                more = self.add(f"constant dense<{dim}> : {kind}")
                below = self.add(f"compare LT, {start}, {zero} : ({kind}, {kind}) -> tensor<i1>")
                moved = self.add(f"add {start}, {more} : {kind}")
                start = self.add(f"select {below}, {moved}, {start} : tensor<i1>, {kind}")
            names.append(start)
        return self.scalars(names, kind)

    def scalars(self, names: Sequence[str], kind: str) -> tuple[str, str]:
        return "".join(f", {name}" for name in names), f", {kind}" * len(names)


def _slice(module: _Module, step: Step) -> str:
    bounds = zip(step.args["start_indices"], step.args["limit_indices"], step.args["strides"], strict=True)
    ranges = ", ".join(f"{start}:{limit}:{stride}" for start, limit, stride in bounds)
    return f"slice %{step.operands[0]} [{ranges}] : {module.signature(step)}"


def _dynamic_slice(module: _Module, step: Step) -> str:
    (x,) = step.operands
    starts, types = module.starts(step, module.values[x].shape)
    signature = f"({module.type_of(x)}{types}) -> {module.type_of(step.name)}"
    return f"dynamic_slice %{x}{starts}, sizes = {step.args['slice_sizes']} : {signature}"


def _dynamic_update_slice(module: _Module, step: Step) -> str:
    x, update = step.operands
    starts, types = module.starts(step, module.values[x].shape)
    signature = f"({module.type_of(x)}, {module.type_of(update)}{types}) -> {module.type_of(step.name)}"
    return f"dynamic_update_slice %{x}, %{update}{starts} : {signature}"


def _pad(module: _Module, step: Step) -> str:
    config = step.args["padding_config"]
    lists = ", ".join(
        f"{name} = {[entry[i] for entry in config]}" for i, name in enumerate(("low", "high", "interior"))
    )
    return f"pad %{step.operands[0]}, %{step.operands[1]}, {lists} : {module.signature(step)}"


def _listed(name: str, key: str, word: str) -> Callable[[_Module, Step], str]:
    def text(module: _Module, step: Step) -> str:
        operands = ", ".join(f"%{operand}" for operand in step.operands)
        return f"{name} {operands}, {word} = {step.args[key]} : {module.signature(step)}"

    return text


def _select(module: _Module, step: Step) -> str:
    operands = ", ".join(f"%{operand}" for operand in step.operands)
    return f"select {operands} : {module.type_of(step.operands[0])}, {module.type_of(step.name)}"


def _slice_gradient(module: _Module, step: Step) -> str:
    (dy,) = step.operands
    names = (
        ("shape", "begin", "end") if step.op.startswith("tf") else ("operand_shape", "start_indices", "limit_indices")
    )
    shape, starts, limits = (step.args[name] for name in names)
    zero, kind = module.zeros((), module.values[dy])
    dims, strides = module.values[dy].shape, step.args["strides"]
    ends = [n + (dim - 1) * stride + 1 if dim else n for n, dim, stride in zip(starts, dims, strides, strict=True)]
    high = [whole - end for whole, end in zip(shape, ends, strict=True)]
    lists = f"low = {starts}, high = {high}, interior = {[stride - 1 for stride in strides]}"
    return f"pad %{dy}, {zero}, {lists} : ({module.type_of(dy)}, {kind}) -> {module.type_of(step.name)}"


def _window_gradient(module: _Module, step: Step) -> str:
    (dy,) = step.operands
    zeros, kind = module.zeros(step.args["operand_shape"], module.values[dy])
    starts, types = module.starts(step, step.args["operand_shape"])
    return f"dynamic_update_slice {zeros}, %{dy}{starts} : ({kind}, {module.type_of(dy)}{types}) -> {kind}"


STABLEHLO: dict[str, Callable[[_Module, Step], str]] = {
    "xla.slice": _slice,
    "xla.dynamic_slice": _dynamic_slice,
    "xla.dynamic_update_slice": _dynamic_update_slice,
    "xla.pad": _pad,
    "xla.rev": lambda module, step: (
        f"reverse %{step.operands[0]}, dims = {step.args['dimensions']} : {module.type_of(step.name)}"
    ),
    "xla.transpose": _listed("transpose", "permutation", "dims"),
    "xla.reshape": lambda module, step: f"reshape %{step.operands[0]} : {module.signature(step)}",
    "xla.concatenate": _listed("concatenate", "dimension", "dim"),
    "xla.broadcast_in_dim": _listed("broadcast_in_dim", "broadcast_dimensions", "dims"),
    "xla.select": _select,
    "vjp.slice": _slice_gradient,
    "vjp.dynamic_slice": _window_gradient,
    "tf.strided_slice_grad": _slice_gradient,
}


def stablehlo_text(chain: Chain) -> str | None:
    """The chain as a StableHLO module, whose function `main` takes its inputs; `ssop stablehlo run` evaluates it."""
    if not set(chain.operations) <= set(STABLEHLO):
        return None
    module = _Module(chain.values)
    for step in chain.steps:
        module.add(STABLEHLO[step.op](module, step), step.name)
    parameters = ", ".join(f"%{name}: {module.type_of(name)}" for name in chain.inputs)
    result = chain.steps[-1].name
    lines = [f"  func.func public @main({parameters}) -> {module.type_of(result)} {{", *module.lines]
    lines += [f"    return %{result} : {module.type_of(result)}", "  }"]
    return "\n".join(["module @chain {", *lines, "}", ""])


# ---- ONNX -----------------------------------------------------------------------------------------------------------


class _Graph:
    """The nodes of a graph in the making, and its constants."""

    def __init__(self, values: Mapping[str, Array]) -> None:
        self.values, self.nodes, self.constants, self.count = values, [], [], 0  # type: ignore[var-annotated]

    def vector(self, numbers: Sequence[int] | At) -> str:
        """A list as an int64 vector: a constant, or an input of run time."""
        if isinstance(numbers, At):
            if self.values[numbers.name].dtype == "int64":
                return numbers.name
            return self.node("Cast <to = 7>", numbers.name)
        self.constants.append(f"int64[{len(numbers)}] c{len(self.constants)} = {{{', '.join(map(str, numbers))}}}")
        return f"c{len(self.constants) - 1}"

    def node(self, kind: str, *operands: str, name: str = "") -> str:
        """A node; the name of its result."""
        if not name:
            name, self.count = f"t{self.count}", self.count + 1
        self.nodes.append(f"    {name} = {kind} ({', '.join(operands)})")
        return name


def onnx_nodes(graph: _Graph, step: Step) -> None:
    """The nodes of a step."""
    args, x = step.args, step.operands[0]
    shape = graph.values[x].shape
    derived = dict(fields(step, graph.values))
    match step.op:
        case "xla.slice":
            lists = [args["start_indices"], args["limit_indices"], list(range(len(shape))), args["strides"]]
            graph.node("Slice", x, *map(graph.vector, lists), name=step.name)
        case "onnx.slice":
            lists = [args[name] for name in ("starts", "ends", "axes", "steps")]
            graph.node("Slice", x, *map(graph.vector, lists), name=step.name)
        case "xla.dynamic_slice":
            low = graph.node("Min", graph.vector(args["start_indices"]), graph.vector(derived["most"]))
            start = graph.node("Max", low, graph.vector(derived["zeros"]))
            stop = graph.node("Add", start, graph.vector(args["slice_sizes"]))
            graph.node("Slice", x, start, stop, graph.vector(list(range(len(shape)))), name=step.name)
        case "xla.pad":
            pads = graph.vector([*derived["lows"], *derived["highs"]])
            graph.node("Pad", x, pads, step.operands[1], name=step.name)
        case "xla.rev":
            _reversed(graph, step, args)
        case "xla.transpose":
            graph.node(f"Transpose <perm = {args['permutation']}>", x, name=step.name)
        case "xla.reshape":
            graph.node("Reshape <allowzero = 1>", x, graph.vector(args["new_sizes"]), name=step.name)
        case "xla.concatenate":
            graph.node(f"Concat <axis = {args['dimension']}>", *step.operands, name=step.name)
        case "xla.broadcast_in_dim":
            expanded = graph.node("Reshape <allowzero = 1>", x, graph.vector(derived["expanded"]))
            graph.node("Expand", expanded, graph.vector(args["shape"]), name=step.name)
        case "xla.select":
            graph.node("Where", *step.operands, name=step.name)


def _reversed(graph: _Graph, step: Step, args: Args) -> None:
    axes = args["dimensions"]
    lists = ([-1] * len(axes), [-(2**63)] * len(axes), axes, [-1] * len(axes))
    graph.node("Slice", step.operands[0], *map(graph.vector, lists), name=step.name)


ONNX_OPS = (
    "onnx.slice", "xla.slice", "xla.dynamic_slice", "xla.pad", "xla.rev", "xla.transpose", "xla.reshape",
    "xla.concatenate", "xla.broadcast_in_dim", "xla.select",
)  # fmt: skip
"""The operations that have nodes; padding without interior, dimensions that increase and starts that do not wrap."""


def onnx_text(chain: Chain) -> str | None:
    """The chain as an ONNX model in text form, which `onnx.parser.parse_model` reads."""
    for step in chain.steps:
        lists: Any = step.args.get("broadcast_dimensions", [])
        interior = any(entry[2] for entry in step.args.get("padding_config", ()))
        wraps = step.args.get("allow_negative_indices", False)
        if step.op not in ONNX_OPS or interior or wraps or lists != sorted(lists):
            return None
    graph = _Graph(chain.values)
    for step in chain.steps:
        onnx_nodes(graph, step)
    inputs = ", ".join(f"{_onnx_type(array)} {name}" for name, array in chain.inputs.items())
    result = chain.steps[-1].name
    unknown = _onnx_type(chain.values[result], [f"d{axis}" for axis in range(chain.values[result].ndim)])
    head = '<ir_version: 9, opset_import: ["" : 18]>'
    constants = f"  <{', '.join(graph.constants)}>" if graph.constants else ""
    lines = [head, f"chain ({inputs}) => ({unknown} {result})", *([constants] if constants else []), "{"]
    return "\n".join([*lines, *graph.nodes, "}", ""])


def _onnx_type(array: Array, dims: Sequence[Any] | None = None) -> str:
    listed = ",".join(map(str, array.shape if dims is None else dims))
    element = ONNX_TYPES.get(array.dtype.name, array.dtype.name)
    return f"{element}[{listed}]" if listed else element
