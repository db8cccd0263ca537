"""Directives that compute: lists of `ssop.divergences`, the help of the command line, the variants of a copy."""

from __future__ import annotations

import ast
import io
import re
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import ssop
from ssop import _core, cli
from ssop._display import index_text
from ssop.divergences import rows

TARGETS = ("avx512", "avx512bw", "avx2", "ssse3", "portable")
"""The columns of tests/core/variants.txt."""
SIDES = ("TensorFlow", "TFLite", "OpenVINO", "ONNX", "onnx.reference", "ONNX Runtime")
NO_SUCH_CALL = "has no such call"
AGAINST = {"tf": "TensorFlow", "numpy": "NumPy", "jax": "JAX"}
DIALECTS = {"tf": "TensorFlow", "tflite": "TFLite", "openvino": "OpenVINO"}


def code(text: str) -> str:
    return f"`{text}`"


def answer(text: str) -> str:
    """A result in code style, the label of an error, other words as they are."""
    if re.fullmatch(r"[a-z]+_c\d+", text):
        return f"error {code(text)}"
    return code(text) if re.match(r"array|\(|\[|\d|Partial|inf|True|False", text) else text


def entry(row: dict[str, str], example: str, answers: dict[str, list[str]]) -> str:
    """A list item in Markdown: a difference, its example, and the results with those that give them."""
    source = f"[source]({row['link']})"
    lines = [f"- {capital(row['reason'])}. ({rule(row['label'])}, {source})", "", f"  {code(example)}", ""]
    return "\n".join([*lines, *(f"  - {', '.join(who)}: {result}" for result, who in answers.items()), ""])


def capital(text: str) -> str:
    """The text as a sentence begins; the name of an argument stays as it is."""
    return text if "_" in text.split()[0] else text[0].upper() + text[1:]


def side_by_side() -> str:
    """What every dialect of StridedSlice does with the smallest example of each row."""
    entries = []
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
        answers: dict[str, list[str]] = {}
        for side in SIDES:
            answers.setdefault(outcomes.get(side, NO_SUCH_CALL), []).append(side)
        written = ", ".join([ast.unparse(call.args[0]), *map(str, vectors), *(f"{k}={v}" for k, v in masks.items())])
        entries.append(entry(row, written, answers))
    return "\n".join(entries)


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


def between_dialects(dialect: str) -> str:
    return "\n".join(
        entry(
            row,
            row["example"],
            {answer(row["here"]): [f"`ssop.{dialect}`"], answer(row["there"]): [AGAINST[row["against"]]]},
        )
        for row in rows("dialect", of=dialect)
    )


def of_engine(kind: str, engine: str) -> str:
    return "\n".join(
        entry(row, row["example"], {answer(row["here"]): ["ssop"], answer(row["there"]): [engine]})
        for row in rows(kind, of=engine)
    )


def rule(label: str) -> str:
    return code(label) if re.fullmatch(r"\w+_[cs]\d+", label) else label


class Divergences(SphinxDirective):
    """`{divergences} side-by-side`, or a kind of rows and whose: `dialect openvino`, `divergence litert`."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        kind, *of = self.arguments
        if kind == "side-by-side":
            return self.parse_text_to_nodes(side_by_side())
        return self.parse_text_to_nodes(between_dialects(*of) if kind == "dialect" else of_engine(kind, *of))


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


def spaced(pattern: str) -> str:
    return pattern.lower().replace("_", " ")


def variants() -> str:
    """Every variant of the copy engine as a Markdown list by pattern, with the first shape of the golden table."""
    table = Path(__file__).resolve().parents[2] / "tests" / "core" / "variants.txt"
    lines = [line.split("|") for line in table.read_text(encoding="utf-8").splitlines() if line.count("|") > 8]
    example: dict[str, str] = {}
    for name, _, _, _, _, *cells in lines:
        for target, cell in zip(TARGETS, cells, strict=True):
            if (words := cell.split()) and words[0] != "=":
                on = "" if target == TARGETS[0] else f", {target}"
                example.setdefault(words[0], f"{code(name.strip())}{on}")
    rows = ["| pattern | variant | its loops | is taken if | for example |", "| --- | --- | --- | --- | --- |"]
    rows += [
        f"| {spaced(pattern)} | {code(name)} | {about} | {when} | {example.get(name, '-')} |"
        for name, pattern, about, when in _core.variants()
    ]
    return "\n".join(rows)


class Variants(SphinxDirective):
    """`{variants}`: the table of `csrc/copy/variants.def`."""

    def run(self) -> list[nodes.Node]:
        return self.parse_text_to_nodes(variants())


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("divergences", Divergences)
    app.add_directive("command-help", CommandLine)
    app.add_directive("variants", Variants)
    return {"parallel_read_safe": True}
