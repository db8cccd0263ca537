"""What other frameworks and documents say of the same strided slice: rows of `ssop.divergences`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from ssop import _core, divergences
from ssop._core import Region, SliceError
from ssop._display import index_text
from ssop._explain.facts import Answer
from ssop._explain.specs import DIALECTS, Spec
from ssop._explain.trace import Outcome

ENGINES: tuple[tuple[Literal["spec", "reference", "ort"], str], ...] = (
    ("spec", "ONNX"),
    ("reference", "onnx.reference"),
    ("ort", "ONNX Runtime"),
)

EXPLORED: dict[str, Literal["spec", "reference", "ort"]] = {
    "onnx": "spec",
    "onnx_reference": "reference",
    "onnxruntime": "ort",
}
"""The engines by the names that the explorer has for them."""

UNWRITTEN = "cannot be written as one Slice: that has no new axes and no shrunk axes, and needs an axis per entry"


DOCUMENTS = {"tf": ("tensorflow", "blog"), "openvino": ("openvino",), "tflite": ()}
"""The documents about the function of each dialect, by their keys in `ssop.divergences.DOCUMENTS`."""

SAME_QUIRK = {"far_negative_start": "far_negative_begin"}
"""Predicates of one difference, by the names that ONNX's arguments have and by those of StridedSlice."""

QUIRKS_OF_SPECS = {"spare_ellipsis_bits", "entries_past_31"}
"""What a Slice of ONNX does not depend on: bits without an entry are not written into it."""


def quirk(row: dict[str, str]) -> str:
    """The name of what a row is about: two frameworks that have it do not differ by it."""
    return SAME_QUIRK.get(row["predicate"], row["predicate"])


@cache
def rows_of(dialect: str, engine: str | None = None) -> tuple[dict[str, str], ...]:
    """What a dialect, or one of its engines, does differently from TensorFlow; nothing for TensorFlow itself."""
    rows = divergences.rows("dialect", of=dialect)
    return tuple(row for row in rows if engine is None or engine in row["engines"].split(", "))


def quirks() -> dict[str, list[tuple[str, str]]]:
    """What the explorer page says of each dialect: the name of each quirk, and the reason with its label."""
    rows = {name: rows_of(name) for name in DIALECTS}
    rows |= {name: rows_of("onnx", engine) for name, engine in EXPLORED.items()}
    return {name: [(quirk(row), f"{row['reason']} [{row['label']}]") for row in of] for name, of in rows.items()}


def answers(spec: Spec, shape: tuple[int, ...], dialect: str, own: Outcome) -> Iterator[Answer]:
    """The answers of all dialects but `dialect`, whose own outcome is given. For a spec of vectors of one length."""
    for name, other in DIALECTS.items():
        if name != dialect:
            try:
                outcome = other.trace(shape, spec.begin, spec.end, spec.strides, *other.masks(spec))[2]
            except SliceError as error:
                outcome = error
            arguments = spec.arguments()
            rows = _only_one_has((name, None), dialect)
            yield _answer(other.framework, own, outcome, (row for row in rows if _is_true(row, shape, arguments)))
    yield from _onnx_answers(spec, shape, dialect, own)


def documents(spec: Spec, shape: tuple[int, ...], dialect: str) -> Iterator[dict[str, str]]:
    """Where a document of the dialect says something else about such a call. For a spec of vectors of one length."""
    arguments = spec.arguments()
    for name in DOCUMENTS[dialect]:
        rows = (row for row in divergences.rows("document", of=name) if "predicate" in row)
        yield from (row for row in rows if _is_true(row, shape, arguments))


def _answer(
    framework: str, own: Outcome, other: Region | SliceError, rows: Iterator[dict[str, str]], call: str | None = None
) -> Answer:
    """What `other` is compared with `own`; `rows`, the reasons, are made only where they differ."""
    if isinstance(own, SliceError) and isinstance(other, SliceError):
        return Answer(framework, True, "an error too", call=call)
    if own == other:
        return Answer(framework, True, "the same", call=call)
    if isinstance(other, SliceError):
        return Answer(framework, False, f"is an error: {other}", tuple(rows), call)
    return Answer(framework, False, f"shape {other.shape}, x{index_text(other.index)}", tuple(rows), call)


@cache
def _only_one_has(other: tuple[str, str | None], dialect: str) -> tuple[dict[str, str], ...]:
    """The rows of what only one of the two does: `other`, a dialect and its engine, or `dialect`."""
    one, two = rows_of(*other), rows_of(dialect)
    both = {quirk(row) for row in one} & {quirk(row) for row in two}
    return tuple(row for row in (*one, *two) if quirk(row) not in both)


def _is_true(row: dict[str, str], shape: tuple[int, ...], arguments: dict[str, Any]) -> bool:
    return bool(getattr(divergences, row["predicate"])(shape, arguments))


def _onnx_answers(spec: Spec, shape: tuple[int, ...], dialect: str, own: Outcome) -> Iterator[Answer]:
    """ONNX's Slice has no masks: masked bounds are written as the ends of int64, as converters do."""
    lists = _core.one_slice(shape, spec.begin, spec.end, spec.strides, *spec.int32_masks())
    if lists is None:
        yield Answer("ONNX", False, UNWRITTEN)
        return
    arguments = dict(zip(("starts", "ends", "axes", "steps"), lists, strict=True))
    call = f"Slice(x, {', '.join(f'{name}={list(values)}' for name, values in arguments.items())})"
    for engine, name in ENGINES:
        try:
            outcome: Region | SliceError = _core.onnx_slice_region(shape, *lists, engine=engine)
        except SliceError as error:
            outcome = error
        rows = [row for row in _only_one_has(("onnx", engine), dialect) if quirk(row) not in QUIRKS_OF_SPECS]
        given = {"onnx": arguments, dialect: spec.arguments()}
        yield _answer(name, own, outcome, (row for row in rows if _is_true(row, shape, given[row["dialect"]])), call)
