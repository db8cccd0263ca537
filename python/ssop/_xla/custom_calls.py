"""XLA's CustomCall: functions of users, called by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ssop import _vectors
from ssop._errors import kind_of, type_error, value_error
from ssop._xla.computation import Value, as_value, check_callable, read_only, read_type
from ssop._xla.operands import public

_targets: dict[str, Callable[..., Any]] = {}


@public
def register_custom_call(target_name: str, f: Callable[[Value, tuple[Value, ...]], None]) -> None:
    """Give a function a name that `custom_call` finds it by.

    Parameters
    ----------
    target_name : str, which no other function has
    f : callable on the output, to which it writes, and on the tuple of the operands, which it only reads
        Both are arrays, or tuples of arrays and tuples. The function returns None.

    Returns
    -------
    None

    Raises
    ------
    SliceError : `label` names the rule (cc_*, cm_c1) in SPEC.md.

    Source: XLA's Operation Semantics: `void target_name(void* out, void** in)`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> def myfunc(out, operands):
    ...     x, y = operands
    ...     out[0, 0] = x[1] + y[1, 0]
    >>> ssop.xla.register_custom_call("register_custom_call.myfunc", myfunc)
    >>> ssop.xla.unregister_custom_call("register_custom_call.myfunc")
    """
    op = "xla.register_custom_call"
    check_callable(op, "f", f)
    name = _name(op, target_name)
    if _targets.setdefault(name, f) is not f:
        message = f"target_name {name!r} is taken: Duplicate custom call registration detected for symbol"
        raise value_error(op, "cc_c1", message, value=name)


@public
def unregister_custom_call(target_name: str) -> None:
    """Take the name from a function that `register_custom_call` gave it to.

    Parameters
    ----------
    target_name : str

    Returns
    -------
    None

    Raises
    ------
    SliceError : `label` names the rule (cc_*) in SPEC.md.

    Source: `register_custom_call`.

    Examples
    --------
    >>> import ssop
    >>> ssop.xla.register_custom_call("unregister_custom_call.f", print)
    >>> ssop.xla.unregister_custom_call("unregister_custom_call.f")
    """
    op = "xla.unregister_custom_call"
    find_target(op, target_name)
    _targets.pop(_name(op, target_name), None)


@public
def custom_call(target_name: str, operands: Sequence[Any], shape: Any) -> Value:
    """XLA's CustomCall: what a function that the user has registered writes to an array.

    Parameters
    ----------
    target_name : str, as it is registered with `register_custom_call`
    operands : sequence of array_like, or tuples of arrays and tuples
    shape : the output's shape and dtype: a pair of them, anything that has both, or a tuple of these

    Returns
    -------
    numpy.ndarray : new, C-ordered; zeros where the function writes nothing (cc_s1). If the shape is a tuple, a tuple.

    Raises
    ------
    SliceError : `label` names the rule (cc_*, cm_c7, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `custom_call`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> def total(out, operands):
    ...     out[...] = sum(x.sum() for x in operands)
    >>> ssop.xla.register_custom_call("custom_call.total", total)
    >>> ssop.xla.custom_call("custom_call.total", [np.array([1, 2]), np.array([[3]])], ((2,), np.int64))
    array([6, 6])
    >>> ssop.xla.unregister_custom_call("custom_call.total")
    """
    op = "xla.custom_call"
    f = find_target(op, target_name)
    given = _vectors.items(op, "operands", operands)
    values = tuple([read_only(as_value(op, f"operands[{number}]", x)) for number, x in enumerate(given)])
    output = _zeros(read_type(op, "shape", shape))
    with np.errstate(all="ignore"):
        returned = f(_views(output), values)  # cc_s1
    if returned is not None:
        message = f"{target_name!r} returned {kind_of(returned)}, not None: it writes to its first argument"
        raise type_error(op, "cc_c3", message)
    return output


def find_target(op: str, target_name: str) -> Callable[..., Any]:
    """Return the function of this name (cc_c2)."""
    name = _name(op, target_name)
    found = _targets.get(name)
    if found is None:
        message = f"target_name {name!r} is not registered: No registered implementation for custom call to {name}"
        raise value_error(op, "cc_c2", message, value=name)
    return found


def _name(op: str, target_name: str) -> str:
    if not isinstance(target_name, str):
        raise type_error(op, "cc_c4", f"target_name is {kind_of(target_name)}, not a str", value=target_name)
    return str.__str__(target_name)  # of a subclass, the text itself


def _zeros(types: Any) -> Value:
    if isinstance(types, tuple):
        return tuple([_zeros(item) for item in types])
    return np.zeros(types.shape, types.dtype)


def _views(value: Value) -> Value:
    """The same arrays as objects of their own: what the function does to their shapes does not show."""
    return tuple([_views(item) for item in value]) if isinstance(value, tuple) else value[...]
