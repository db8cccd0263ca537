"""XLA's Dot and DotGeneral: sums of products over axes of two arrays."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from ssop import _core, _vectors
from ssop._errors import kind_of, type_error, value_error
from ssop._xla.operands import as_operands, deliver, public
from ssop._xla.products import check_precision, common_type, multiplied, result_type

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]

MAX_RANK = 64
PHRASE = (
    "dimension_numbers must be specified when not performing simple un-batched matrix-matrix, matrix-vector, or "
    "vector-vector products"
)


class Numbers(NamedTuple):
    """Which axes of lhs and rhs are summed over, and which are not but belong together."""

    lhs_contracting: Shape
    rhs_contracting: Shape
    lhs_batch: Shape
    rhs_batch: Shape


@public
def dot(
    lhs: Any,
    rhs: Any,
    *,
    dimension_numbers: Any = None,
    precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
    out: Array | None = None,
) -> Array:
    """XLA's Dot: the product of vectors or matrices, summed over the last axis of lhs and the first of rhs.

    Parameters
    ----------
    lhs : array_like of shape [k] or [m, k]; bools, integers, real or complex numbers
    rhs : array_like of shape [k] or [k, n]
        If the dtypes differ, the result has the one with more range, then more precision. A scalar or list takes the
        dtype of the other operand.
    dimension_numbers : None, or as for `dot_general`, for operands of any rank
    precision : None, or one of JAX's names, which change nothing here
    preferred_element_type : dtype of the result and of the sums, not narrower than integers and complex numbers
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered, of shape [], [m], [n] or [m, n]: `out`, if it is given.
        Integers wrap round, bools are combined by and and or, and real numbers of fewer bits than float32 are summed
        in float32 and rounded once.

    Raises
    ------
    SliceError : `label` names the rule (dot_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's Operation Semantics, builder and `InferDotOpShape`; `jax.lax.dot`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.dot(np.array([[1, 2], [3, 4]]), np.array([10, 100]))
    array([210, 430])
    """
    op = "xla.dot"
    left, right = as_operands(op, lhs, rhs)
    if dimension_numbers is None:
        numbers = simple_numbers(op, left.shape, right.shape)
    else:
        numbers = read_numbers(op, dimension_numbers)
    return deliver(op, _evaluated(op, left, right, numbers, precision, preferred_element_type), out)


@public
def dot_general(
    lhs: Any,
    rhs: Any,
    dimension_numbers: Any,
    precision: Any = None,
    preferred_element_type: DTypeLike | None = None,
    *,
    out: Array | None = None,
) -> Array:
    """XLA's DotGeneral: products summed over the contracting axes, for each index of the batch axes.

    Parameters
    ----------
    lhs, rhs : array_like, any shapes; as for `dot`
    dimension_numbers : ((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch)), sequences of axes
        The first contracting axis of lhs belongs to the first one of rhs, and so on.
    precision : None, or one of JAX's names, which change nothing here
    preferred_element_type : dtype of the result and of the sums, not narrower than integers and complex numbers
    out : array of the result's shape and dtype, or None

    Returns
    -------
    numpy.ndarray : new, C-ordered: `out`, if it is given. Its axes are the batch axes, then the other axes of lhs,
        then those of rhs.

    Raises
    ------
    SliceError : `label` names the rule (dot_*, et_*, in_*, out_*, val_*) in SPEC.md.

    Source: XLA's `InferDotOpShape`; StableHLO `dot_general`; `jax.lax.dot_general`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.arange(12).reshape(2, 3, 2)
    >>> ssop.xla.dot_general(x, x, (([1], [1]), ([0], [0]))).shape
    (2, 2, 2)
    """
    op = "xla.dot_general"
    left, right = as_operands(op, lhs, rhs)
    numbers = read_numbers(op, dimension_numbers)
    return deliver(op, _evaluated(op, left, right, numbers, precision, preferred_element_type), out)


def simple_numbers(op: str, lhs: Sequence[Any], rhs: Sequence[Any]) -> Numbers:
    """Return what Dot sums over, of vectors and matrices (dot_c1)."""
    for name, shape in (("lhs", lhs), ("rhs", rhs)):
        if not 1 <= len(shape) <= 2:
            message = f"{name} has rank {len(shape)}, not 1 or 2: {PHRASE}"
            raise value_error(op, "dot_c1", message, value=len(shape), allowed=(1, 2))
    return Numbers((len(lhs) - 1,), (0,), (), ())


def read_numbers(op: str, given: Any) -> Numbers:
    """Read JAX's form of the dimension numbers (dot_c2)."""
    sides = [_pair(op, "dimension_numbers", given)]
    sides = [_pair(op, f"dimension_numbers[{number}]", side) for number, side in enumerate(sides[0])]
    names = iter(Numbers._fields)
    return Numbers(*(_core.read_integers(op, next(names), axes) for side in sides for axes in side))


def _pair(op: str, name: str, given: Any) -> list[Any]:
    form = "((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch))"
    if isinstance(given, str) or not _vectors.has_items(given):
        raise type_error(op, "dot_c2", f"{name} is {kind_of(given)}, not a pair of {form}", value=given)
    pair = _vectors.items(op, name, given)
    if len(pair) != 2:
        raise type_error(op, "dot_c2", f"{name} has {len(pair)} entries, not the 2 of {form}", value=len(pair))
    return pair


def check_axes(op: str, lhs: Sequence[Any], rhs: Sequence[Any], numbers: Numbers) -> None:
    """XLA's checks that need no dims, in XLA's order."""
    sides = (("lhs", lhs, (0, 2)), ("rhs", rhs, (1, 3)))
    for name, shape, places in sides:
        for field in (Numbers._fields[place] for place in places):
            for entry, axis in enumerate(getattr(numbers, field)):
                if not 0 <= axis < len(shape):
                    message = (
                        f"{field} entry {entry} is {axis}, not in 0..{len(shape) - 1}: A dimension number is out of "
                        f"range in Dot: {name} has rank {len(shape)}"
                    )
                    allowed = (0, len(shape) - 1)
                    raise value_error(op, "dot_c3", message, entry=entry, value=axis, allowed=allowed)
    for name, _, places in sides:
        contracting, batch = (Numbers._fields[place] for place in places)
        axes = [axis for place in places for axis in numbers[place]]
        for entry, axis in enumerate(axes):
            if axis in axes[:entry]:
                message = (
                    f"{contracting} and then {batch} have axis {axis} of {name} as entry {axes.index(axis)} and as "
                    f"entry {entry}: A dimension number is not unique in Dot"
                )
                raise value_error(op, "dot_c4", message, entry=entry, value=axis)
    if len(numbers.lhs_contracting) != len(numbers.rhs_contracting):
        raise _length_error(
            op, "dot_c5", numbers, 0, "Must specify the same number of contracting dimensions for lhs and rhs."
        )


def _length_error(op: str, label: str, numbers: Numbers, first: int, phrase: str) -> Exception:
    names, (one, other) = Numbers._fields[first : first + 2], numbers[first : first + 2]
    message = f"{names[1]} has {len(other)} entries, {names[0]} {len(one)}: {phrase}"
    return value_error(op, label, message, value=len(other), allowed=(len(one), len(one)))


def check_batch_axes(op: str, numbers: Numbers) -> None:
    if len(numbers.lhs_batch) != len(numbers.rhs_batch):
        raise _length_error(op, "dot_c7", numbers, 2, "Must the same number of batch dimensions for lhs and rhs.")


def check_dims(op: str, lhs: Shape, rhs: Shape, numbers: Numbers, what: str) -> None:
    """Raise unless axes that belong together have one dim: what is "contracting" or "batch"."""
    contracting = what == "contracting"
    pairs = zip(*(numbers[:2] if contracting else numbers[2:]), strict=True)
    for entry, (one, other) in enumerate(pairs):
        if lhs[one] != rhs[other]:
            message = (
                f"axis {other} of rhs has dim {rhs[other]}, axis {one} of lhs {lhs[one]}: "
                f"{what.capitalize()} dimension sizes are not compatible."
            )
            raise value_error(
                op,
                "dot_c6" if contracting else "dot_c8",
                message,
                axis=other,
                entry=entry,
                value=rhs[other],
                allowed=(lhs[one], lhs[one]),
            )


def check_dot(op: str, lhs: Shape, rhs: Shape, numbers: Numbers) -> None:
    """XLA's checks, in XLA's order."""
    check_axes(op, lhs, rhs, numbers)
    check_dims(op, lhs, rhs, numbers, "contracting")
    check_batch_axes(op, numbers)
    check_dims(op, lhs, rhs, numbers, "batch")
    rank = len(lhs) + len(rhs) - 2 * len(numbers.lhs_contracting) - len(numbers.lhs_batch)
    if rank > MAX_RANK:
        raise value_error(
            op, "in_c9", f"the result has rank {rank}, not in 0..{MAX_RANK}", value=rank, allowed=(0, MAX_RANK)
        )


def other_axes(rank: int, contracting: Shape, batch: Shape) -> Shape:
    """Return the axes that are neither summed over nor batch axes.

    >>> other_axes(4, (2,), (0,))
    (1, 3)
    """
    return tuple(axis for axis in range(rank) if axis not in contracting and axis not in batch)


def _evaluated(op: str, lhs: Array, rhs: Array, numbers: Numbers, precision: Any, preferred: Any) -> Array:
    check_precision(op, precision)
    check_dot(op, lhs.shape, rhs.shape, numbers)
    common = common_type(op, lhs, rhs)
    return contracted(lhs, rhs, numbers, common, result_type(op, common, preferred))


def contracted(lhs: Array, rhs: Array, numbers: Numbers, common: np.dtype[Any], dtype: np.dtype[Any]) -> Array:
    """Return the result as a new array, of arguments that were checked (dot_s1, dot_s5)."""
    rows = other_axes(lhs.ndim, numbers.lhs_contracting, numbers.lhs_batch)
    columns = other_axes(rhs.ndim, numbers.rhs_contracting, numbers.rhs_batch)
    left = _matrices(lhs, numbers.lhs_batch, rows, numbers.lhs_contracting)
    right = _matrices(rhs, numbers.rhs_batch, numbers.rhs_contracting, columns)
    dims = [lhs.shape[axis] for axis in (*numbers.lhs_batch, *rows)] + [rhs.shape[axis] for axis in columns]
    return multiplied(left, right, common, dtype).reshape(dims)


def _matrices(x: Array, *groups: Shape) -> Array:
    """Return an array whose axes are these groups of axes, each merged: a view, where there is one."""
    dims = [prod(x.shape[axis] for axis in group) for group in groups]
    return x.transpose([axis for group in groups for axis in group]).reshape(dims)
