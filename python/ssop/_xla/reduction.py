"""XLA's Reduce: the elements along some axes joined by a computation, pairs of neighbours first."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from math import prod
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from ssop import _core, _vectors
from ssop._errors import kind_of, type_error, value_error
from ssop._lazy import libraries
from ssop._sequences import plain
from ssop._xla import elementwise
from ssop._xla.computation import REDUCTION, Type, apply, check_arguments
from ssop._xla.operands import Array, as_operand, as_operand_of, deliver, public
from ssop._xla.types import human_string

Combine: TypeAlias = Callable[[list[Array], list[Array]], list[Array]]
"""Joins what stands left with what stands right, element by element; one array for each operand."""

RECOGNISED: Final[tuple[tuple[np.ufunc, Any, tuple[Any, ...]], ...]] = (
    (np.add, elementwise.add, (np.add, operator.add)),
    (np.multiply, elementwise.mul, (np.multiply, operator.mul)),
    (np.maximum, elementwise.max, (np.maximum,)),
    (np.minimum, elementwise.min, (np.minimum,)),
    (np.bitwise_and, elementwise.logical_and, (np.bitwise_and, operator.and_, elementwise.bitwise_and)),
    (np.bitwise_or, elementwise.logical_or, (np.bitwise_or, operator.or_, elementwise.bitwise_or)),
)
"""What NumPy computes at once: its function, the operation of `ssop.xla`, and others that mean the same."""

PART: Final = 2**21
"""How many bytes of operands are copied at a time."""


class Operands(NamedTuple):
    """Operands of one shape, and as many scalars of their dtypes; `several` if the result is a tuple."""

    arrays: list[Array]
    inits: list[Array]
    several: bool


@public
def reduce(
    operands: Any, init_values: Any, computation: Any, dimensions: Sequence[int], *, out: Array | None = None
) -> Any:
    """XLA's Reduce: the elements along some axes joined to one by a computation.

    Parameters
    ----------
    operands : array_like, or a sequence of N arrays of one shape, if init_values is a sequence
    init_values : scalar of the operand's dtype, or a tuple or list of N of them
        A Python number takes the operand's dtype, if nothing is lost.
    computation : callable of 2 N arguments, the left elements and then the right ones
        It returns the joined element, or N of them. It must be associative, with init_values for its neutral elements.
        It is called with arrays; with scalars only if it cannot take those. `ssop.xla.add`, `mul`, `max`, `min`,
        `logical_and`, `logical_or` and NumPy's functions of that kind are not called: NumPy reduces by them.
    dimensions : sequence of int, the axes that go, each 0..rank-1
    out : numpy.ndarray of the result's shape and dtype, any layout, optional
        Only for one operand.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's dtype and its other axes; or `out`. A tuple of N if init_values is
        a sequence. Each element is computation(init, e), where e joins the elements in the order of their indices, in
        pairs of neighbours, then pairs of pairs (red_s1). Without elements to reduce it is init (red_s3).

    Raises
    ------
    SliceError : `label` names the rule (red_*, cm_*, et_*, val_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `reduce`; jax.lax.reduce.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.array([[1, 2, 3], [4, 5, 6]])
    >>> ssop.xla.reduce(x, 0, ssop.xla.add, [0])
    array([5, 7, 9])
    >>> ssop.xla.reduce(x, 1, lambda a, b: a * b, [0, 1])
    array(720)
    """
    op = "xla.reduce"
    axes = _core.read_integers(op, "dimensions", dimensions)
    read = read_operands(op, ("operands", "init_values"), operands, init_values)
    shape = read.arrays[0].shape
    check_axes(op, axes, len(shape), human_string(read.arrays[0].dtype, shape))
    check_computation(op, computation, read)
    check_distinct(op, axes)
    check_out(op, read, out)
    return delivered(op, read, _reduced(op, computation, read, sorted(axes)), out)


def _reduced(op: str, computation: Any, read: Operands, axes: list[int]) -> list[Array]:
    known, joined = recognised(computation, read)
    if known is not None and axes:
        x, init = read.arrays[0], read.inits[0]
        with np.errstate(all="ignore"):
            total = known.reduce(x, axis=tuple(axes), dtype=x.dtype, initial=init[()])
        return [np.asarray(total, x.dtype)]
    shape = read.arrays[0].shape
    kept = [axis for axis in range(len(shape)) if axis not in axes]
    rest = tuple(shape[axis] for axis in kept)
    count = prod(shape[axis] for axis in axes)
    if not count:  # red_s3
        return [np.full(rest, init) for init in read.inits]
    combine = combiner(op, joined, read)
    views = [x.transpose([*axes, *kept]) for x in read.arrays]
    results = [np.empty(rest, x.dtype) for x in read.arrays]
    for part in _parts(rest, sum(x.nbytes for x in views)):
        rows = [x[part].reshape(count, -1) for x in views]
        inits = [np.broadcast_to(init, x.shape[1:]) for init, x in zip(read.inits, rows, strict=True)]
        for result, x in zip(results, combine(inits, [x[0] for x in fold(combine, rows)]), strict=True):
            result[part] = x.reshape(result[part].shape)
    return results


def _parts(shape: tuple[int, ...], size: int) -> list[Any]:
    """Parts of what results from arrays of so many bytes, so that copies of what a part results from are small."""
    if 0 in shape or not shape:
        return [(..., *(slice(None),) * len(shape))]  # one, for the computation is called, whose result is checked
    axis = shape.index(max(shape))
    step = max(shape[axis] * PART // max(size, 1), 1)
    after = (slice(None),) * (len(shape) - axis - 1)
    return [(..., slice(start, start + step), *after) for start in range(0, shape[axis], step)]


def fold(combine: Combine, rows: list[Array]) -> list[Array]:
    """Join the rows of arrays to one: neighbours first (red_s1)."""
    while (count := len(rows[0])) > 1:
        last = count - count % 2
        joined = combine([x[:last:2] for x in rows], [x[1:last:2] for x in rows])
        rows = joined if last == count else [np.concatenate([x, y[last:]]) for x, y in zip(joined, rows, strict=True)]
    return rows


def repeated(combine: Combine, row: list[Array], count: int) -> list[Array]:
    """Join equal rows, at least one, as `fold` does, with a call for each time that their number is halved."""
    behind = None  # what waited at an odd number
    while count:
        if count % 2:
            behind = row if behind is None else combine(row, behind)
        count //= 2
        if count:
            row = combine(row, row)
    assert behind is not None
    return behind


def check_axes(op: str, axes: Sequence[int], rank: int, described: str) -> None:
    """Raise for a dimension that is no axis (red_c3)."""
    for entry, axis in enumerate(axes):
        if not 0 <= axis < rank:
            message = (
                f"dimensions entry {entry} is {axis}, not in 0..{rank - 1}: Reducing out-of-bounds dimension {axis} in "
                f"shape {described}."
            )
            raise value_error(op, "red_c3", message, entry=entry, value=axis, allowed=(0, rank - 1))


def check_distinct(op: str, axes: Sequence[int]) -> None:
    """Raise for a dimension that is there twice (red_c6)."""
    for entry, axis in enumerate(axes):
        if axis in axes[:entry]:
            message = f"dimensions entry {entry} is {axis} once more: Duplicate reduction dimension: {axis}"
            raise value_error(op, "red_c6", message, entry=entry, value=axis)


# What Reduce and ReduceWindow have in common


def read_operands(op: str, names: tuple[str, str], operands: Any, init_values: Any) -> Operands:
    """The operands and the values to begin with, after XLA's checks of their shapes."""
    several = isinstance(init_values, (tuple, list))
    given = _vectors.items(op, names[0], operands) if several else [operands]
    begins = plain(init_values) if several else [init_values]
    if len(given) != len(begins) or not given:
        message = (
            f"{names[0]} has {len(given)} arrays, {names[1]} {len(begins)}, not one each: Must have same total number "
            f"of operands as init_values: {len(given)} vs. {len(begins)}"
        )
        raise value_error(op, "red_c1", message, value=len(begins), allowed=(len(given), len(given)))
    arrays, inits = [], []
    for entry, (x, init) in enumerate(zip(given, begins, strict=True)):
        label = [f"{name}[{entry}]" if several else name for name in names]
        if libraries.has_dtype(init) and not libraries.has_dtype(x):
            inits.append(as_operand(op, label[1], init))
            arrays.append(as_operand_of(op, label[0], x, inits[-1].dtype))
        else:
            arrays.append(as_operand(op, label[0], x))
            inits.append(as_operand_of(op, label[1], init, arrays[-1].dtype))
    for entry, x in enumerate(arrays):
        if x.shape != arrays[0].shape:
            first, other = (human_string(y.dtype, y.shape) for y in (arrays[0], x))
            message = (
                f"{names[0]} entry {entry} has shape {x.shape}, not {arrays[0].shape}: All reduced tensors must have "
                f"the same dimension. Tensor 0 has shape {first}, Tensor {entry} has shape {other}"
            )
            raise value_error(op, "red_c2", message, entry=entry, value=x.shape)
    return Operands(arrays, inits, several)


def check_computation(op: str, computation: Any, read: Operands, parameter: str = "computation") -> None:
    """XLA's checks of a reducer, in XLA's order (cm_c1, cm_c2, cm_c6, red_c4, red_c5)."""
    types = [Type((), x.dtype) for x in read.arrays]
    check_arguments(op, parameter, computation, types * 2, REDUCTION)
    for entry, (x, init) in enumerate(zip(read.arrays, read.inits, strict=True)):
        name = f"the init value of entry {entry}" if read.several else "the init value"
        words = (
            f"Reduction function's accumulator shape at index {entry} differs from the init_value shape: "
            f"{human_string(x.dtype, ())} vs {human_string(init.dtype, init.shape)}"
        )
        place = entry if read.several else None
        if init.ndim:
            message = f"{name} has shape {init.shape}, not (): {words}"
            raise value_error(op, "red_c4", message, entry=place, value=init.shape)
        if init.dtype != x.dtype:
            message = f"{name} has dtype {init.dtype}, not {x.dtype}: {words}"
            raise type_error(op, "red_c5", message, entry=place, value=init.dtype)


def recognised(computation: Any, read: Operands) -> tuple[np.ufunc | None, Any]:
    """NumPy's function that computes the same on these arrays, or None; and the computation to call otherwise.

    NumPy's functions round a sum of float16 once, and let either zero be the greater one: then they are not the same.
    """
    rows = (row for row in RECOGNISED if any(computation is known for known in (row[1], *row[2])))
    ufunc, operation, _ = next(rows, (None, computation, ()))
    x, init = read.arrays[0], read.inits[0]
    if ufunc is None or len(read.arrays) > 1 or x.dtype.isbuiltin == 2:
        return None, operation
    if ufunc in (np.maximum, np.minimum):
        exact = x.dtype.kind != "f" or not (has_negative_zero(x) or has_negative_zero(init))
    elif ufunc in (np.add, np.multiply):
        exact = x.dtype != np.float16
    else:
        exact = x.dtype.kind in "biu"
    return (ufunc if exact else None), operation


def has_negative_zero(x: Array) -> bool:
    """True if an element is -0.0.

    >>> has_negative_zero(np.array([1.0, -0.0])), has_negative_zero(np.array([-1.0, 0.0]))
    (True, False)
    """
    bits = x.view(f"u{x.dtype.itemsize}")
    return bool((bits == bits.dtype.type(1 << 8 * x.dtype.itemsize - 1)).any())


def combiner(op: str, computation: Any, read: Operands, parameter: str = "computation") -> Combine:
    """A function that joins arrays element by element by a user's computation (red_s2)."""
    return partial(_combined, op, parameter, computation, [x.dtype for x in read.arrays])


def _combined(
    op: str, parameter: str, computation: Any, dtypes: list[Any], left: list[Array], right: list[Array]
) -> list[Array]:
    return apply(op, parameter, computation, [*left, *right], dtypes, REDUCTION)


def check_out(op: str, read: Operands, out: Any) -> None:
    """Raise for an array to write the results of several operands to (red_c7)."""
    if read.several and out is not None:
        raise type_error(op, "red_c7", f"out is {kind_of(out)}, but there are several results", value=out)


def delivered(op: str, read: Operands, results: list[Array], out: Any) -> Any:
    """The results as new arrays: a tuple if there are several operands (red_s4)."""
    results = [x if x.base is None and x.flags.c_contiguous else np.array(x, order="C") for x in results]
    return tuple(results) if read.several else deliver(op, results[0], out)
