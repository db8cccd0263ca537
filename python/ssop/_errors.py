"""Errors of rules that only Python sees; all others are raised by the core with the same attributes."""

from __future__ import annotations

from ssop._core import SliceTypeError, SliceValueError


def type_error(op: str, label: str, message: str, *, entry: int | None = None, value: object = None) -> SliceTypeError:
    """A SliceTypeError that names its rule, to be raised by the caller."""
    error = SliceTypeError(f"{op}: {message}")
    error.op, error.label, error.entry, error.value = op, label, entry, value
    return error


def value_error(op: str, label: str, message: str, *, value: object = None) -> SliceValueError:
    """A SliceValueError that names its rule, to be raised by the caller."""
    error = SliceValueError(f"{op}: {message}")
    error.op, error.label, error.value = op, label, value
    return error
