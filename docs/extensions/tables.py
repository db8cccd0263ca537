"""Directives that compute: tables of `ssop.divergences`, and the help of the command line."""

from __future__ import annotations

import ast
import io
import re
from contextlib import redirect_stdout
from typing import Any

import numpy as np
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import ssop
from ssop import cli
from ssop._display import index_text
from ssop.divergences import rows

SIDES = ("TensorFlow", "TFLite", "OpenVINO", "ONNX", "onnx.reference", "ONNX Runtime")
NO_SUCH_CALL = "cannot be written"
DIALECTS = {"tf": "TensorFlow", "tflite": "TFLite", "openvino": "OpenVINO"}


def table(head: list[str], body: list[list[str]]) -> str:
    """A table in Markdown."""
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in body)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def code(text: str) -> str:
    return f"`{text}`"


def answer(text: str) -> str:
    """A result or a label in code style; other words as they are."""
    return code(text) if re.match(r"[a-z]+_c\d+$|array|\(|\[|\d|Partial|inf|True|False", text) else text


def side_by_side() -> str:
    """What every dialect of StridedSlice does with the smallest example of each row."""
    body = []
    for row in rows("dialect"):
        call = ast.parse(row["example"], mode="eval").body
        if not isinstance(call, ast.Call) or not ast.unparse(call.func).endswith(".strided_slice"):
            continue
        arguments = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
        if "offset" in arguments:  # of TFLite alone
            continue
        masks = {name: as_bits(value) for name, value in arguments.items()}
        vectors = [ast.literal_eval(argument) for argument in call.args[1:]]
        shape = eval(ast.unparse(call.args[0]), {"np": np}).shape
        explanation = ssop.explain(shape, *vectors, **masks, dialect=row["dialect"])
        outcomes = {DIALECTS[row["dialect"]]: own(explanation)}
        outcomes |= {other.framework: own(explanation) if other.same else short(other.outcome)
                     for other in explanation.others}  # fmt: skip
        written = ", ".join([ast.unparse(call.args[0]), *map(str, vectors), *(f"{k}={v}" for k, v in masks.items())])
        body.append(
            [f"{row['reason']} ({code(row['label'])})", code(written), *(outcomes.get(s, NO_SUCH_CALL) for s in SIDES)]
        )
    return table(["difference", "call", *SIDES], body)


def as_bits(mask: Any) -> int:
    """OpenVINO's lists of mask elements as the bits of the other frameworks."""
    return sum(bool(element) << i for i, element in enumerate(mask)) if isinstance(mask, list) else mask


def own(explanation: Any) -> str:
    if explanation.error is not None:
        return f"error {code(explanation.error.label)}"
    return code(f"x{index_text(explanation.index)}")


def short(outcome: str) -> str:
    """The outcome of another dialect in a cell: its index, or the label of its error."""
    index = re.search(r"x(\[.*\])$", outcome)
    label = re.search(r"\[(\w+_c\d+)\]$", outcome)
    if index:
        return code(f"x{index[1]}")
    return f"error {code(label[1])}" if label else NO_SUCH_CALL


def between_dialects() -> str:
    body = [
        [f"{row['reason']} ({code(row['label'])})", code(row["example"]), answer(row["here"]),
         f"{row['against']}: {answer(row['there'])}", f"[source]({row['link']})"]
        for row in rows("dialect")
    ]  # fmt: skip
    return table(["difference", "example", "result", "compared with", ""], body)


def of_document() -> str:
    body = [
        [row["operation"], f"{row['reason']} ({code(row['label'])})", code(row["example"]), answer(row["here"]),
         answer(row["there"])]
        for row in sorted(rows("document"), key=lambda row: row["operation"])
    ]  # fmt: skip
    return table(["operation", "difference", "example", "ssop and today's XLA", "the document"], body)


def of_engines(kind: str) -> str:
    body = [
        [row["engine"], f"{row['reason']} ({rule(row['label'])})", code(row["example"]), answer(row["here"]),
         answer(row["there"]), f"[source]({row['link']})"]
        for row in sorted(rows(kind), key=lambda row: row["engine"])
    ]  # fmt: skip
    return table(["engine", "difference", "example", "ssop", "engine", ""], body)


def rule(label: str) -> str:
    return code(label) if re.fullmatch(r"\w+_[cs]\d+", label) else label


class Divergences(SphinxDirective):
    """`{divergences} side-by-side`, `dialect`, `document`, `divergence`, `not_sent` or `shapes`."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        kind = self.arguments[0]
        makers = {"side-by-side": side_by_side, "dialect": between_dialects, "document": of_document}
        return self.parse_text_to_nodes(makers[kind]() if kind in makers else of_engines(kind))


class CommandLine(SphinxDirective):
    """`{command-help} COMMAND`: what `ssop COMMAND --help` prints."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        out = io.StringIO()
        with redirect_stdout(out):
            if cli.main([*self.arguments, "--help"]) != 0:
                raise self.error(f"no help of {self.arguments}")
        block = nodes.literal_block(out.getvalue(), out.getvalue(), language="text")
        return [block]


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("divergences", Divergences)
    app.add_directive("command-help", CommandLine)
    return {"parallel_read_safe": True}
