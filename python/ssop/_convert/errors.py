"""The error of a conversion that would not be equal."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ssop._core import SliceError

OP = "convert"


class ConversionError(SliceError, ValueError):
    """No calls of the target are equal to the given ones on every shape.

    Beside the attributes of `SliceError` it has those below; they are None where they have no meaning. `axis` is one of
    the operand, and `entry` that of a single call's lists, or of an index, which is about this axis.

    Attributes
    ----------
    reason : the message without the names of operation and label
    counterexample : the smallest shape on which the best candidate differs from the given calls
    precondition : for each axis without equal steps, the longest interval of dims on which there are some, as a pair
        whose second element is None if it has no end; `convert(.., assume=error.precondition)` takes it. For the name
        of a run-time value, the pair has its least and its greatest value, such as (0, "dim - 4")
    values : the run-time values of the counterexample

    Examples
    --------
    >>> import numpy as np, ssop
    >>> try:
    ...     ssop.convert(np.s_[-3:], to="xla")
    ... except ssop.ConversionError as error:
    ...     print(error.counterexample, error.precondition)
    (0,) {0: (3, None)}
    """

    __module__ = "ssop"
    reason: str
    counterexample: tuple[int, ...] | None
    precondition: dict[Any, Any] | None
    values: dict[str, int] | None


def conversion_error(
    label: str,
    reason: str,
    *,
    axis: int | None = None,
    value: Any = None,
    counterexample: tuple[int, ...] | None = None,
    precondition: dict[Any, Any] | None = None,
    values: dict[str, int] | None = None,
) -> ConversionError:
    """A ConversionError that names its rule, to be raised by the caller."""
    error = ConversionError(f"{OP}: {reason} [{label}]")
    error.op, error.label, error.axis, error.value, error.reason = OP, label, axis, value, reason
    error.counterexample, error.precondition, error.values = counterexample, precondition, values
    return error


def optional_module(name: str, why: str) -> Any:
    """A module of a package that only some calls need, or an error that says what to install."""
    try:
        return import_module(name)
    except ImportError:
        package = name.partition(".")[0]
        raise ImportError(f"{why} needs {package}: pip install {package}", name=package) from None
