"""What other frameworks do with the same strided slice, and the rows of `ssop.divergences` that say why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from ssop import _core, divergences
from ssop._core import Region, SliceError
from ssop._display import index_text
from ssop._explain.facts import Answer
from ssop._explain.specs import DIALECTS, Spec

INT64_MIN, INT64_MAX = -(2**63), 2**63 - 1
ENGINES: tuple[tuple[Literal["spec", "reference", "ort"], str], ...] = (
    ("spec", "ONNX"),
    ("reference", "onnx.reference"),
    ("ort", "ONNX Runtime"),
)


def answers(spec: Spec, shape: tuple[int, ...], dialect: str, own: Region | SliceError) -> Iterator[Answer]:
    """The answers of all dialects but `dialect`, whose own outcome is given. For a spec of vectors of one length."""
    for name, other in DIALECTS.items():
        if name != dialect:
            try:
                outcome = other.trace(shape, spec.begin, spec.end, spec.strides, *other.masks(spec))[2]
            except SliceError as error:
                outcome = error
            rows = [*divergences.rows("dialect", of=name), *divergences.rows("dialect", of=dialect)]
            rows = [row for row in rows if row["against"] == "tf"]
            yield _answer(other.framework, own, outcome, _true_rows(rows, shape, spec.arguments()))
    yield from _onnx_answers(spec, shape, own)


def _answer(framework: str, own: Region | SliceError, other: Region | SliceError, rows: list[dict[str, str]]) -> Answer:
    if isinstance(own, SliceError) and isinstance(other, SliceError):
        return Answer(framework, True, "an error too")
    if own == other:
        return Answer(framework, True, "the same")
    if isinstance(other, SliceError):
        return Answer(framework, False, f"is an error: {other}", tuple(rows))
    return Answer(framework, False, f"shape {other.shape}, x{index_text(other.index)}", tuple(rows))


def _true_rows(rows: list[dict[str, str]], shape: tuple[int, ...], arguments: dict[str, Any]) -> list[dict[str, str]]:
    """The rows whose predicates are true of the call."""
    return [row for row in rows if getattr(divergences, row["predicate"])(shape, arguments)]


def _onnx_answers(spec: Spec, shape: tuple[int, ...], own: Region | SliceError) -> Iterator[Answer]:
    """ONNX's Slice has no masks: masked bounds are written as the ends of int64, as converters do."""
    arguments = _onnx_arguments(spec, shape)
    if arguments is None:
        why = "cannot be written as one Slice: that has no new axes and no shrunk axes, and needs an axis per entry"
        yield Answer("ONNX", False, why)
        return
    rows = divergences.rows("dialect", of="onnx")
    for engine, name in ENGINES:
        try:
            outcome: Region | SliceError = _core.onnx_slice_region(shape, **arguments, engine=engine)
        except SliceError as error:
            outcome = error
        yield _answer(name, own, outcome, _true_rows(rows, shape, arguments))


def _onnx_arguments(spec: Spec, shape: tuple[int, ...]) -> dict[str, Any] | None:
    ellipses = [entry for entry in range(len(spec.begin)) if spec.has("ellipsis", entry)]
    ranges = [entry for entry in range(len(spec.begin)) if entry not in ellipses]
    if len(ellipses) > 1 or len(ranges) > len(shape) or not shape:
        return None
    if any(spec.has(name, entry) for name in ("new_axis", "shrink_axis") for entry in ranges):
        return None
    after = [entry for entry in ranges if ellipses and entry > ellipses[0]]
    before = ranges[: len(ranges) - len(after)]
    starts, ends = zip(*(_onnx_bounds(spec, entry) for entry in ranges), strict=True) if ranges else ((), ())
    axes = [*range(len(before)), *range(len(shape) - len(after), len(shape))]
    return {"starts": starts, "ends": ends, "axes": axes, "steps": [spec.strides[entry] for entry in ranges]}


def _onnx_bounds(spec: Spec, entry: int) -> tuple[int, int]:
    backward = spec.strides[entry] < 0
    begin = (INT64_MAX if backward else 0) if spec.has("begin", entry) else spec.begin[entry]
    end = (INT64_MIN if backward else INT64_MAX) if spec.has("end", entry) else spec.end[entry]
    return begin, end
