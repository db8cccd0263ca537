"""TFLite's attribute `offset`: ends that count from the begins that are used (tfl_s4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ssop._convert.errors import OP
from ssop._convert.rules import INT32_MAX, Step
from ssop._convert.values import values_in
from ssop._core import SliceError
from ssop._errors import kind_of, type_error, value_error
from ssop._explain.specs import DIALECTS, Spec

OFFSET = "offset"
"""The kind of the argument, and its name."""


def read_offset(value: Any) -> bool:
    if not isinstance(value, bool):
        raise type_error(OP, "in_c8", f"offset is {kind_of(value)}, not a bool", value=value)
    return value


def check_offset(arguments: Mapping[str, Any], spec: Spec, rank: int) -> None:
    """Raise for run-time values, or entries that are not one for each axis (tfl_c8)."""
    value = next(values_in(tuple(arguments[name] for name in ("begin", "end", "strides"))), None)
    if value is not None:
        message = f"with offset, begin, end and strides are constants, and {value} is not"
        raise value_error(OP, "cv_c10", message, value=str(value))
    trace = DIALECTS["tflite"].trace
    _, _, outcome = trace((1,) * rank, spec.begin, spec.end, spec.strides, *spec.int32_masks(), True)
    if isinstance(outcome, SliceError) and outcome.label == "tfl_c8":
        raise outcome


def with_offset(step: Step, end: int) -> Step:
    """A step of TFLite whose end counts from its begin; a masked end counts, too. A dropped element has no end."""
    if step.drops:
        return step
    return step._replace(rule="tflite_offset_open" if step.end is None else "tflite_offset", end=end)


def says_itself(calls: tuple[Any, ...], to: str) -> bool:
    """Whether calls are those of TFLite already: some ends that count from begins have no other form."""
    counts = to == "tflite" and any(call.arguments.get(OFFSET) for call in calls)
    return counts and all(call.function.startswith("tflite.") and _in_int32(call.arguments) for call in calls)


def _in_int32(arguments: Mapping[str, Any]) -> bool:
    numbers = [number for vector in arguments.values() if isinstance(vector, tuple) for number in vector]
    return all(-INT32_MAX - 1 <= number <= INT32_MAX for number in numbers)
