"""How XLA brings two operands to one shape: by broadcast_dimensions, then along axes of length 1.

The checks read of an array its shape and dtype only.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ssop._errors import value_error
from ssop._xla.types import human_string

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


def broadcast(op: str, opcode: str, lhs: Array, rhs: Array, dimensions: Sequence[int]) -> tuple[Array, Array]:
    """Return both with as many axes as the operand of higher rank, so that NumPy broadcasts them as XLA does."""
    left, right = aligned(op, opcode, lhs, rhs, dimensions)
    return lhs.reshape(left), rhs.reshape(right)


def aligned(op: str, opcode: str, lhs: Any, rhs: Any, dimensions: Sequence[int]) -> tuple[Shape, Shape]:
    """Return the shapes of both with axes of length 1 where an operand of lower rank has none (ew_s1)."""
    if lhs.ndim == rhs.ndim:
        _check_identity(op, lhs.ndim, dimensions)
        _check_compatible(op, opcode, lhs, rhs)
        return lhs.shape, rhs.shape
    if lhs.ndim < rhs.ndim:
        return _expanded(op, lhs, rhs, dimensions), rhs.shape
    return lhs.shape, _expanded(op, rhs, lhs, dimensions)


def _check_identity(op: str, rank: int, dimensions: Sequence[int]) -> None:
    if dimensions and tuple(dimensions) != tuple(range(rank)):
        message = (
            f"broadcast_dimensions is {tuple(dimensions)}, not {tuple(range(rank))}: Broadcast dimensions field must "
            "either be not set or be the identity on binary operations with operands of the same rank."
        )
        raise value_error(op, "ew_c7", message, value=tuple(dimensions))


def _check_compatible(op: str, opcode: str, lhs: Any, rhs: Any) -> None:
    for axis, (one, other) in enumerate(zip(lhs.shape, rhs.shape, strict=True)):
        if one != other and 1 not in (one, other):
            message = (
                f"axis {axis} of shapes {lhs.shape} and {rhs.shape} has lengths {one} and {other}, and neither is 1: "
                f"Binary op {opcode} with incompatible shapes: {_types(lhs, rhs)}."
            )
            raise value_error(op, "ew_c8", message, axis=axis, value=rhs.shape)


def _expanded(op: str, small: Any, large: Any, dimensions: Sequence[int]) -> Shape:
    """Return the shape of the operand of lower rank with an axis of length 1 where no dimension maps to."""
    if small.shape and not dimensions:
        message = (
            f"the operands have shapes {small.shape} and {large.shape}, and there are no broadcast_dimensions: "
            f"Shapes must be equal rank, but are {_types(small, large)}"
        )
        raise value_error(op, "ew_c2", message, value=small.shape)
    if len(dimensions) != small.ndim:
        message = (
            f"broadcast_dimensions has {len(dimensions)} entries, not {small.ndim}: Size of broadcast_dimensions has "
            f"to match lower-rank operand's rank;  lower-rank operand's rank is {small.ndim}, size of "
            f"broadcast_dimensions is {len(dimensions)}."
        )
        raise value_error(op, "ew_c3", message, value=len(dimensions))
    shape = [1] * large.ndim
    for entry, axis in enumerate(dimensions):
        _check_entry(op, entry, small, large, dimensions)
        shape[axis] = small.shape[entry]
    return tuple(shape)


def _check_entry(op: str, entry: int, small: Any, large: Any, dimensions: Sequence[int]) -> None:
    """XLA's checks of one entry, in XLA's order."""
    axis = dimensions[entry]
    start, low, high = f"broadcast_dimensions entry {entry}", 0, large.ndim - 1
    if not low <= axis <= high:
        words = "cannot be negative." if axis < 0 else f"too large; higher-rank operand has rank {large.ndim}."
        message = f"{start}: {axis} is not in {low}..{high}: Broadcast dimension number ({axis}) {words}"
        raise value_error(op, "ew_c4", message, entry=entry, value=axis, allowed=(low, high))
    one, other = small.shape[entry], large.shape[axis]
    if one != other and 1 not in (one, other):
        message = (
            f"{start}: an axis of length {one} is aligned with axis {axis} of length {other}, and neither is 1: "
            f"Broadcast dimension {entry} mismatch: {one} != {other}; {_types(small, large)}."
        )
        raise value_error(op, "ew_c5", message, axis=axis, entry=entry, value=one)
    if entry > 0 and dimensions[entry - 1] >= axis:
        message = (
            f"{start}: {axis} is not greater than the one before it: "
            f"Broadcast dimensions order is wrong: {axis} comes after {dimensions[entry - 1]}."
        )
        raise value_error(op, "ew_c6", message, entry=entry, value=axis)


def _types(one: Any, other: Any) -> str:
    return f"{human_string(one.dtype, one.shape)} and {human_string(other.dtype, other.shape)}"
