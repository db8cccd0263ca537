"""Operands of XLA's operations as arrays, read once, and results in the array that the user gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

import numpy as np

from ssop import _core
from ssop._core import SliceError
from ssop._errors import check_given, kind_of, renamed, type_error
from ssop._lazy import libraries, meanings
from ssop._xla.types import check_kind

Array = np.ndarray[Any, Any]
OF_JAX: Final = {
    "conditional": "jax.lax.cond",
    "cross_replica_sum": "jax.lax.psum",
    "custom_call": "jax.ffi.ffi_call",
    "indexed_conditional": "jax.lax.switch",
    "logical_and": "jax.lax.bitwise_and",
    "logical_not": "jax.lax.bitwise_not",
    "logical_or": "jax.lax.bitwise_or",
    "map": "jax.vmap",
    "rng_bernoulli": "jax.random.bernoulli",
    "rng_normal": "jax.random.normal",
    "while_": "jax.lax.while_loop",
    **dict.fromkeys(("batch_norm_grad", "batch_norm_inference", "batch_norm_training", "select_and_scatter"), ""),
    **dict.fromkeys(("call", "get_tuple_element", "tuple", "infeed", "outfeed", "recv", "send"), ""),
    "transfer_to_infeed": "",
}
"""JAX's functions that are not in jax.lax under the name that they have here; "" if JAX has no such function."""

Function = TypeVar("Function", bound=Callable[..., Any])


def public(function: Function) -> Function:
    """Mark a function as one of `ssop.xla`, where users and pickles find it."""
    function.__module__ = "ssop.xla"
    return function


def as_operand(op: str, name: str, x: Any) -> Array:
    """Return `x` as an array whose shape and dtype other code cannot change, in native byte order (et_c1, et_s1)."""
    check_own(op, name, x)
    array = _core.as_array(x)[...]
    check_kind(op, name, array.dtype)
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))  # et_s1


def as_operands(op: str, lhs: Any, rhs: Any) -> tuple[Array, Array]:
    """Return both as arrays. A Python scalar or list takes the dtype of the other one (val_c1..val_c4)."""
    for name, x in (("lhs", lhs), ("rhs", rhs)):
        check_own(op, name, x)
    typed_lhs, typed_rhs = libraries.has_dtype(lhs), libraries.has_dtype(rhs)
    if typed_lhs and not typed_rhs:
        left = as_operand(op, "lhs", lhs)
        return left, _core.convert_value(op, "rhs", rhs, left.dtype)
    if typed_rhs and not typed_lhs:
        right = as_operand(op, "rhs", rhs)
        return _core.convert_value(op, "lhs", lhs, right.dtype), right
    left, right = as_operand(op, "lhs", lhs), as_operand(op, "rhs", rhs)
    if typed_lhs or left.dtype == right.dtype:
        return left, right
    common = np.result_type(left, right)
    return left.astype(common), right.astype(common)


def as_operand_of(op: str, name: str, x: Any, dtype: np.dtype[Any]) -> Array:
    """Return `x` as an array; a Python scalar or list takes the dtype (val_c1..val_c4)."""
    check_own(op, name, x)
    return as_operand(op, name, x) if libraries.has_dtype(x) else _core.convert_value(op, name, x, dtype)


def check_own(op: str, name: str, x: Any) -> None:
    """Raise for arrays of other libraries, which have these operations themselves, and for what is no array (in_c7)."""
    check_given(op, name, x)
    meanings.check(op, name, x)
    if libraries.stays(x):
        message = f"{name} is {kind_of(x, module=True)}, not a NumPy array: call {own_function(op, x)}"
        raise type_error(op, "in_c7", message, value=x)


def own_function(op: str, x: Any) -> str:
    """Return how the library of an array calls an operation, as far as it is known: JAX's names are nearly XLA's."""
    name = op.removeprefix("xla.")
    known = OF_JAX.get(name, f"jax.lax.{name}") if libraries.library(x) == "jax" else ""
    return known or "that library's own function"


def deliver(op: str, result: Array, out: Any) -> Array:
    """Return a new array, or `out` with its elements (out_c1..out_c5)."""
    if out is None:
        return result
    try:
        return _core.copy(result, out=out)
    except SliceError as error:
        raise renamed(error, op) from None
