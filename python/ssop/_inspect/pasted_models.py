"""Nodes that are pasted in a form that a library reads: MLIR, protobuf's text, ONNX's text; and lists of properties."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ssop._convert.errors import optional_module
from ssop._core import SliceValueError
from ssop._errors import value_error
from ssop._inspect.records import OP, PASTED, Argument, Model, NodeCall, RunTime

MAX_TEXT_LENGTH, MAX_CALL_LENGTH = 100_000, 10_000

_DIALECT = re.compile(r"\b(?:stablehlo|mhlo|tfl)\.[a-z_]+|\btf\.[A-Z]\w+")
_ONNX_NODE = re.compile(r"^\s*(?:\[[^\]\n]*\]\s*)?[\w.,\s]+=\s*[\w.]+\s*(?:<|\()", flags=re.S)


def model_of_text(text: str) -> Model | None:
    """The model of a text in one of these forms; None if it has none of them."""
    if len(text) <= MAX_TEXT_LENGTH and ("func.func" in text or ("%" in text and _DIALECT.search(text))):
        return _of_program(text)
    if re.search(r"\bop_type\s*:\s*[\"']", text):
        return _of_onnx_message(text)
    if re.search(r"\bop\s*:\s*[\"']", text):
        return _of_definition(text)
    if len(text) <= MAX_CALL_LENGTH:
        return _of_onnx_text(text)
    return None


def unclear(message: str) -> SliceValueError:
    return value_error(OP, "im_c3", message)


def _only(model: Model, what: str) -> Model:
    if len(model.nodes) != 1:
        names = ", ".join(node.name for node in model.nodes[:8])
        found = f"{len(model.nodes)} nodes slice ({names})" if model.nodes else "no node slices"
        raise unclear(f"{found} in the {what}: one node is needed")
    return Model(PASTED, model.format, "pasted", model.nodes, model.operators)


# ---- MLIR and NodeDef -----------------------------------------------------------------------------------------------


def _of_program(text: str) -> Model:
    """Lines of StableHLO as a program, whose parameters are the values that no line makes."""
    from ssop._inspect.stablehlo_file import read

    program = text if "func.func" in text else _wrapped(re.sub(r"\bmhlo\.", "stablehlo.", text))
    try:
        return _only(read(program if "\n" in program else program + "\n"), "program")
    except SliceValueError as error:
        if error.label == "im_c3":
            raise
        told = str(error).removeprefix("inspect: <text>: ").rpartition(" [")[0]
        raise unclear(f"{told}: {program.strip().splitlines()[0][:120]}") from None


_VALUE = re.compile(r"%[A-Za-z0-9_$.-]+(?:#\d+)?")


def _wrapped(text: str) -> str:
    made: set[str] = set()
    parameters: dict[str, str] = {}
    lines = []
    for line in filter(None, (line.strip() for line in text.splitlines())):
        line = line.partition("loc(")[0].rstrip() if line.endswith(")") else line
        left, equals, right = line.partition("=")
        results = _VALUE.findall(left) if equals and left.lstrip().startswith("%") else []
        body = right if results else line
        used = [value for value in _VALUE.findall(body)]
        types = _types(body)
        if used and len(types) == 1:
            types *= len(used)
        if len(types) < len(used):
            raise unclear(f"the types of {', '.join(used)} are missing: ' : (tensor<..>) -> tensor<..>' at the end")
        for value, kind in zip(used, types, strict=False):
            if value not in made:
                parameters.setdefault(value, kind)
        made.update(value.partition(":")[0] for value in results)
        lines.append(line if results or "return" in line else f"%result = {line}")
    lines = [re.sub(r"(%[\w$.-]+)#(\d+)", r"\1_\2", line) for line in lines if not re.match(r"(func\.)?return\b", line)]
    head = ", ".join(f"{value.replace('#', '_')}: {kind}" for value, kind in parameters.items())
    return f"func.func @main({head}) {{\n" + "\n".join(lines) + "\nreturn\n}"


def _types(line: str) -> list[str]:
    """The types of the operands, behind the last colon: "(tensor<4xf32>, tensor<i32>) -> tensor<2xf32>"."""
    found = re.search(r":\s*(\((?P<several>[^()]*)\)\s*->.*|(?P<one>tensor<[^:>]*>[^:]*))$", line)
    if found is None:
        return []
    return _split(found["several"] if found["several"] is not None else found["one"])


def _split(text: str) -> list[str]:
    """Parts between commas that are outside of brackets."""
    parts, depth = [""], 0
    for character in text:
        depth += (character in "<[") - (character in ">]")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def _of_definition(text: str) -> Model:
    """A NodeDef in protobuf's text form."""
    from ssop._inspect.tensorflow_file import read_text

    wrapped = text if re.match(r"node\s*\{", text) else f"node {{ {text} }}"
    model = _only(read_text(wrapped), "graph")
    (node,) = model.nodes
    call = NodeCall(node.calls[0].function, {name: _of_input(x) for name, x in node.calls[0].arguments.items()})
    return replace(model, nodes=(replace(node, calls=(call,)),), notes=())


def _of_input(argument: Argument) -> Argument:
    """An argument of a node whose inputs are not part of the text."""
    return replace(argument, producer="input") if isinstance(argument, RunTime) else argument


# ---- ONNX ----------------------------------------------------------------------------------------------------------

_OPSET = 18
"""The opset of a node whose text does not say it; that of one whose bounds are attributes is 9."""


def _of_onnx_message(text: str) -> Model:
    """A NodeProto, or the nodes of a GraphProto, in protobuf's text form."""
    onnx = optional_module("onnx.onnx_ml_pb2", "a node of ONNX")
    text_format = optional_module("google.protobuf.text_format", "a node of ONNX")
    wrapped = text if re.match(r"node\s*\{", text) else f"node {{ {text} }}"
    try:
        graph = text_format.Parse(wrapped, onnx.GraphProto())
    except (text_format.ParseError, RecursionError) as error:
        raise unclear(f"the text is no NodeProto: {_first_line(error)}") from None
    return _of_onnx_model(onnx.ModelProto(graph=graph))


def _of_onnx_text(text: str) -> Model | None:
    """Lines of the text form of onnx.parser and onnx.printer, such as `y = Slice (x, starts, ends, axes)`.

    Only a parser knows them: None for a text that it does not read, and for what Python reads in another way.
    """
    is_graph = "=>" in text and "{" in text
    lines = [line.strip().rstrip(";") for line in text.splitlines() if line.strip()]
    if not lines or not (is_graph or all(_ONNX_NODE.match(line) for line in lines)):
        return None
    if not is_graph and not any(_is_onnx_line(line) for line in lines):
        return None
    parser = optional_module("onnx.parser", "a node in ONNX's text form")
    try:
        if text.lstrip().startswith("<"):
            return _of_onnx_model(parser.parse_model(text))
        model = optional_module("onnx.onnx_ml_pb2", "a node of ONNX").ModelProto()
        if is_graph:
            model.graph.CopyFrom(parser.parse_graph(text))
        else:
            model.graph.node.extend([parser.parse_node(line) for line in lines])
        return _of_onnx_model(model)
    except parser.ParseError as error:
        raise unclear(f"onnx.parser does not read the text: {_first_line(error)}") from None


def _is_onnx_line(line: str) -> bool:
    """Whether a line is in ONNX's text form, and no call of Python, whose arguments may be those of any framework."""
    if line.startswith("[") or re.search(r"=\s*[\w.]+\s*<", line) or re.search(r"=\s*[A-Z]\w*\s+\(", line):
        return True
    found = re.fullmatch(r"[\w.]+\s*=\s*(Slice|Gather)\(([\w.,\s\"]+)\)", line)
    names = [] if found is None else [name.strip() for name in found[2].split(",")]
    return {"starts", "ends"} <= set(names) or (len(names) > 3 and not any(name.isdigit() for name in names))


def _of_onnx_model(model: Any) -> Model:
    """The one node that slices; what no node makes is an input."""
    from ssop._inspect.onnx_file import read

    made = {name for node in model.graph.node for name in node.output}
    given = {info.name for info in model.graph.input} | {tensor.name for tensor in model.graph.initializer}
    for name in dict.fromkeys(name for node in model.graph.node for name in node.input if name not in made | given):
        if name:
            model.graph.input.add().name = name
    old = any(node.op_type == "Slice" and node.attribute for node in model.graph.node)
    if not model.opset_import:
        model.opset_import.add().version = 9 if old else _OPSET
    return replace(_only(read(model), "graph"), notes=())


def _first_line(error: Exception) -> str:
    words = error.args[0] if error.args else ""
    words = words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)
    return " ".join(words.split())[:200]


# ---- forms that are written anew as a call -------------------------------------------------------------------------

_TRACE = re.compile(
    r"^(?:%[\w.]+\s*:.*?\)\s*=\s*)?(?P<name>\w+::\w+)(?:\[(?P<attributes>[^\n]*)\])?\((?P<inputs>[^()\n]*)\)"
)
"""A node as torch prints its graphs: `%3 : Float(2, strides=[1]) = onnx::Slice[axes=[0], ends=[2], starts=[0]](%0)`."""

_PROPERTY = re.compile(r"^\s*[\"']?(?P<key>[A-Za-z_]\w*)[\"']?\s*[:=](?P<value>.+)$")
_OPERATOR_KEYS = ("type", "operator", "op", "layer")
_OTHER_KEYS = ("name", "location", "input", "output", "inputs", "outputs", "version", "since", "category")


def as_call(text: str) -> str:
    """A node of torch's graphs, or a list of properties as viewers show it, as a call; other texts as they are."""
    graph = _TRACE.match(text)
    if graph is not None:
        inputs = [value.strip().replace("%", "_").replace(".", "_") for value in graph["inputs"].split(",")]
        given = [*filter(None, inputs), *([graph["attributes"]] if graph["attributes"] else [])]
        return f"{graph['name']}({', '.join(given)})"
    rows = [_PROPERTY.match(line) for line in text.splitlines() if line.strip()]
    if len(rows) < 2 or None in rows:
        return text
    pairs = [(row["key"], _value(row["value"])) for row in rows if row is not None]
    operators = [value.strip("\"'") for key, value in pairs if key.lower() in _OPERATOR_KEYS]
    if len(operators) != 1:
        found = "no type" if not operators else f"{len(operators)} types"
        raise unclear(f"the properties have {found}: one line such as 'type: Slice' is needed")
    modules = [value.strip("\"'") for key, value in pairs if key.lower() == "module"]
    return f"{_framework(modules)}{operators[0]}({', '.join(_arguments(pairs))})"


def _value(text: str) -> str:
    """What stands behind the sign, without the comma that ends the line."""
    stripped = text.strip()
    return stripped.removesuffix(",").rstrip() or stripped


def _framework(modules: list[str]) -> str:
    return "onnx." if any(module.startswith("ai.onnx") for module in modules) else ""


def _arguments(pairs: list[tuple[str, str]]) -> Iterator[str]:
    for key, value in pairs:
        if key.lower() in (*_OPERATOR_KEYS, *_OTHER_KEYS, "module"):
            continue
        several = "," in value and not value.startswith(("[", "("))
        yield f"{key}={f'[{value}]' if several else value}"
