"""Errors of rules that only Python sees; all others are raised by the core with the same attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ssop._core import SliceError, SliceIndexError, SliceOverflowError, SliceTypeError, SliceValueError, read_lists

INT64 = (-(2**63), 2**63 - 1)


def type_error(op: str, label: str, message: str, *, entry: int | None = None, value: object = None) -> SliceTypeError:
    """A SliceTypeError that names its rule, to be raised by the caller."""
    error = SliceTypeError(f"{op}: {message} [{label}]")
    error.op, error.label, error.entry, error.value = op, label, entry, value
    return error


def value_error(
    op: str,
    label: str,
    message: str,
    *,
    axis: int | None = None,
    entry: int | None = None,
    value: object = None,
    allowed: tuple[int, int] | None = None,
) -> SliceValueError:
    """A SliceValueError that names its rule, to be raised by the caller."""
    error = SliceValueError(f"{op}: {message} [{label}]")
    error.op, error.label, error.axis, error.entry, error.value, error.allowed = op, label, axis, entry, value, allowed
    return error


def index_error(
    op: str, label: str, message: str, *, value: object = None, allowed: tuple[int, int] | None = None
) -> SliceIndexError:
    """A SliceIndexError that names its rule, to be raised by the caller."""
    error = SliceIndexError(f"{op}: {message} [{label}]")
    error.op, error.label, error.value, error.allowed = op, label, value, allowed
    return error


def overflow_error(op: str, parameter: str, value: int) -> SliceOverflowError:
    """A SliceOverflowError for an integer outside int64 (in_c2), which may have too many digits to be shown."""
    message = f"{op}: {parameter} does not fit int64: not in {INT64[0]}..{INT64[1]}: out of range for an int64 [in_c2]"
    error = SliceOverflowError(message)
    error.op, error.label, error.value, error.allowed = op, "in_c2", value, INT64
    return error


def renamed(error: SliceError, op: str) -> SliceError:
    """The same error under the name of the function that was called, which had another one resolve its arguments."""
    message = str(error)
    if error.op is not None:
        error.args = (f"{op}{message.removeprefix(error.op)}",)
    error.op = op
    return error


def unknown_operation(module: str, name: str, there_are: Sequence[str]) -> AttributeError:
    """The error for a name that a module lacks: the operations that it has, and the one with nearly that name."""
    message = f"module {module!r} has no attribute {name!r}"
    if name.startswith("__"):
        return AttributeError(message)
    from difflib import get_close_matches  # takes longer to import than most calls

    words = "".join(f"_{letter}" if letter.isupper() else letter for letter in name).lstrip("_").lower()
    near = get_close_matches(words, there_are, 1)  # XLA writes DynamicSlice
    hint = f": did you mean {near[0]}?" if near else "."
    return AttributeError(f"{message}{hint} It has {', '.join(there_are)}", name=name)


def kind_of(x: object, *, module: bool = False) -> str:
    """What `x` is, in words: "an int", "None"; with the name of its module before that of its type, if asked for."""
    if x is None:
        return "None"
    name = type(x).__name__
    if module and type(x).__module__ != "builtins":
        name = f"{type(x).__module__}.{name}"
    # As in errors.c: names of types that begin with a u are mostly uint, UUID, UserList and the like.
    return f"{'an' if name[:1] in tuple('aeioAEIO') else 'a'} {name}"


def conversion(name: str, value: Any, wanted: Any) -> str:
    """Return what converts an array called `name` to another dtype."""
    if not isinstance(wanted, np.dtype):
        return f"{name}.{'astype' if hasattr(value, 'astype') else 'to'}({wanted}) converts it"
    shown = repr(str(wanted)) if wanted.names is None else str(wanted)
    return f"{name}.astype({shown}) converts it"


def dtype_or_none(x: Any) -> np.dtype[Any] | None:
    """The dtype that NumPy makes of `x`; None where it raises.

    Some strings are a SyntaxError. An object whose attribute `dtype` is itself is a RecursionError of older NumPys.
    """
    try:
        found: np.dtype[Any] = np.dtype(read_lists(x) if isinstance(x, list) else x)  # which fields may clear
        return found
    except (TypeError, ValueError, SyntaxError, RecursionError):
        return None


def check_given(op: str, parameter: str, x: object, entry: int | None = None) -> None:
    """Raise for None, of which `numpy.asarray` would make an array that holds one object."""
    if x is None:
        raise type_error(op, "in_c12", f"{parameter} is None, not an array", entry=entry)


def check_gradient(op: str, given: tuple[int, ...], shape: tuple[int, ...]) -> None:
    """Raise if the shape of `dy` is not that of the operation's result, in the words of StridedSliceGrad."""
    if given != shape:
        pairs = enumerate(zip(given, shape, strict=True)) if len(given) == len(shape) else ()
        axis = next((axis for axis, (dim, wanted) in pairs if dim != wanted), None)
        message = f"dy has shape {given}, not {shape}: shape of dy was {list(given)} instead of {list(shape)}"
        raise value_error(op, "gr_c1", message, axis=axis, value=given)
