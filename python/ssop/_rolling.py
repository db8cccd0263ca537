"""`ssop.roll`, NumPy's roll: a window of the whole array that wraps round, two parts per axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, SupportsIndex, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from ssop import _core, _vectors
from ssop._core import SliceError
from ssop._errors import index_error, renamed, value_error
from ssop._lazy import libraries
from ssop._padding import is_list, operand_of

Integers: TypeAlias = "SupportsIndex | Sequence[SupportsIndex] | NDArray[np.integer[Any]]"
_T = TypeVar("_T", bound=np.generic)
OP = "roll"


def starts_of(op: str, shape: Sequence[int], shift: Any, axis: Any) -> list[int]:
    """Return the element of each axis that comes first; without `axis`, that of the flattened array (np_c6, np_c7)."""
    dims = [prod(shape)] if axis is None else list(shape)
    shifts, axes = integers(op, "shift", shift), [0] if axis is None else integers(op, "axis", axis)
    if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
        words = "shape mismatch: objects cannot be broadcast to a single shape"
        message = f"shift has {len(shifts)} entries and axis has {len(axes)}: {words}"
        raise value_error(op, "np_c7", message, value=len(shifts), allowed=(len(axes), len(axes)))
    total = [0] * len(dims)
    for number in range(max(len(shifts), len(axes)) if shifts and axes else 0):
        by, at = shifts[number % len(shifts)], axes[number % len(axes)]
        if not -len(dims) <= at < len(dims):
            message = f"axis {at} is not in {-len(dims)}..{len(dims) - 1}: axis is out of bounds"
            raise index_error(op, "np_c6", message, value=at, allowed=(-len(dims), len(dims) - 1))
        total[at] += by  # np_s4: shifts of one axis add up
    return [-by % dim if dim else 0 for by, dim in zip(total, dims, strict=True)]


def integers(op: str, name: str, given: Any) -> list[int]:
    """Return the entries of a sequence, or one integer as the only one."""
    items = _vectors.items(op, name, given) if is_list(given) else [given]
    return [_vectors.integer(op, name, item) for item in items]


@overload
def roll(
    x: NDArray[_T], shift: Integers, axis: Integers | None = None, *, out: NDArray[_T] | None = None
) -> NDArray[_T]: ...
@overload
def roll(x: Any, shift: Integers, axis: Integers | None = None, *, out: Any = None) -> Any: ...
def roll(x: Any, shift: Any, axis: Any = None, *, out: Any = None) -> Any:
    """NumPy's roll: each element moved by `shift` places, those that leave at one end entering at the other.

    Parameters
    ----------
    x : array_like, any dtype
    shift : int, or a sequence of one for each axis
    axis : int, or a sequence of int; one of both repeats for the entries of the other. Without it, the elements move
        through the whole array in C order (np_s5).
    out : numpy.ndarray of the shape and dtype of `x`, any layout, optional
        It may overlap `x`.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the shape and dtype of `x`; or `out`; or an array of the library of `x`.

    Raises
    ------
    SliceError : `label` names the rule (np_c6, np_c7, out_*, in_*) in SPEC.md.

    Source: numpy.roll.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.roll(np.arange(5), 2)
    array([3, 4, 0, 1, 2])
    >>> ssop.roll(np.array([[1, 2, 3], [4, 5, 6]]), (1, -1), (0, 1))
    array([[5, 6, 4],
           [2, 3, 1]])
    """
    x = operand_of(OP, x)
    shape = tuple(x.shape)
    starts = starts_of(OP, shape, shift, axis)
    try:
        if len(starts) == len(shape):
            return _rolled(x, starts, out)
        if libraries.stays(x) or out is not None:
            flat = _core.xla_reshape(x, [prod(shape)])
            return _core.xla_reshape(_rolled(flat, starts, None), shape, out=out)
        result = np.empty(shape, x.dtype)
        _rolled((x if x.flags.c_contiguous else _core.copy(x)).reshape(-1), starts, result.reshape(-1))
        return result
    except SliceError as error:
        raise renamed(error, OP) from None


roll.__module__ = "ssop"  # where users and pickles find it


def _rolled(x: Any, starts: list[int], out: Any) -> Any:
    if not libraries.stays(x):
        return _core.dynamic_slice(x, starts, x.shape, out_of_bounds="wrap", out=out)
    moved = [(axis, start) for axis, start in enumerate(starts) if start]
    if not moved:
        return _core.copy(x, out=out)
    for number, (axis, start) in enumerate(moved, 1):
        parts = [*_parts(x, axis, start)]
        x = _core.xla_concatenate(parts, axis, out=out if number == len(moved) else None)
    return x


def _parts(x: Any, axis: int, start: int) -> Iterator[Any]:
    yield _core.xla_slice_in_dim(x, start, None, 1, axis)
    yield _core.xla_slice_in_dim(x, 0, start, 1, axis)
