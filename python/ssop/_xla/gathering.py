"""XLA's Gather and Scatter: slices of an array at starts that another array holds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ssop import _core
from ssop._errors import type_error, value_error
from ssop._lazy.libraries import has_dtype
from ssop._sequences import plain
from ssop._vectors import integer, items
from ssop._xla import elementwise
from ssop._xla.computation import REDUCTION, Type, apply, check_arguments
from ssop._xla.indexing import GATHER, SCATTER, Numbers, starts_of
from ssop._xla.operands import Array, as_operand, deliver, public
from ssop._xla.types import human_string, kind


@public
def gather(
    operand: Any,
    start_indices: Any,
    slice_sizes: Sequence[int],
    *,
    offset_dims: Sequence[int],
    collapsed_slice_dims: Sequence[int],
    start_index_map: Sequence[int],
    index_vector_dim: int,
    operand_batching_dims: Sequence[int] = (),
    start_indices_batching_dims: Sequence[int] = (),
    out: Array | None = None,
) -> Array:
    """XLA's Gather: slices of one size, each at its own start, which is moved so that the slice fits.

    Parameters
    ----------
    operand : array_like, any shape
    start_indices : array_like of integers
        Along axis index_vector_dim it holds the starts of one slice; its other axes are those of the slices.
    slice_sizes : sequence of integers, one for each axis of the operand
    offset_dims : axes of the result that are those of a slice, in ascending order
    collapsed_slice_dims : axes of the operand that a slice drops, in ascending order; its size there is 0 or 1
    start_index_map : for each number of a start, the axis of the operand that it is for
    index_vector_dim : integer
        The rank of start_indices if a start is one number.
    operand_batching_dims, start_indices_batching_dims : axes of equal lengths that are walked together
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's dtype; or `out`. The axes of the slices that
        are kept are at offset_dims, those of start_indices at the others.

    Raises
    ------
    SliceError : `label` names the rule (ga_*, in_*, et_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `gather`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.arange(12).reshape(4, 3)
    >>> rows = dict(offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1)
    >>> ssop.xla.gather(x, np.array([2, 0, 99]), [1, 3], **rows)
    array([[ 6,  7,  8],
           [ 0,  1,  2],
           [ 9, 10, 11]])
    """
    op = GATHER.op
    x, indices = as_operand(op, "operand", operand), as_operand(op, "start_indices", start_indices)
    sizes = _core.read_integers(op, "slice_sizes", slice_sizes)
    numbers = Numbers(
        window=_core.read_integers(op, "offset_dims", offset_dims),
        dropped=_core.read_integers(op, "collapsed_slice_dims", collapsed_slice_dims),
        index_map=_core.read_integers(op, "start_index_map", start_index_map),
        batching=_core.read_integers(op, "operand_batching_dims", operand_batching_dims),
        indices_batching=_core.read_integers(op, "start_indices_batching_dims", start_indices_batching_dims),
        index_vector_dim=integer(op, "index_vector_dim", index_vector_dim),
    )
    check_gather(x.shape, indices.shape, indices.dtype, numbers, sizes)
    return deliver(op, _gathered(x, indices, numbers, sizes), out)


def check_gather(
    shape: Sequence[int],
    indices_shape: Sequence[int],
    indices_dtype: np.dtype[Any],
    numbers: Numbers,
    sizes: Sequence[int],
) -> None:
    """XLA's checks, in XLA's order."""
    op = GATHER.op
    if kind(indices_dtype) not in ("signed", "unsigned"):
        told = f"Gather indices parameter must be an integral tensor; got {human_string(indices_dtype, indices_shape)}."
        raise type_error(
            op, "ga_c1", f"start_indices has dtype {indices_dtype}, not integers: {told}", value=indices_dtype
        )
    numbers.check_index_vector(GATHER, indices_shape)
    rank = len(numbers.window) + len(numbers.slices_shape(indices_shape))
    numbers.check_window(GATHER, rank)
    numbers.check_map(GATHER, indices_shape, len(shape))
    numbers.check_dropped(GATHER, len(shape))
    numbers.check_batching(GATHER, indices_shape, shape)
    if len(sizes) != len(shape):
        told = (
            "Gather op must have one slice size for every input dimension; "
            f"got: len(slice_sizes)={len(sizes)}, input_shape.rank={len(shape)}."
        )
        message = f"slice_sizes has {len(sizes)} entries, not {len(shape)}: {told}"
        raise value_error(op, "ga_c8", message, value=len(sizes), allowed=(len(shape), len(shape)))
    if len(sizes) != len(numbers.window) + len(numbers.dropped) + len(numbers.batching):
        told = (
            "All components of the offset index in a gather op must either be a offset dimension or explicitly "
            f"collapsed/batching; got len(slice_sizes)={len(sizes)}, output_slice_sizes={_joined(numbers.window)}, "
            f"collapsed_slice_dims={_joined(numbers.dropped)}, operand_batching_dims={_joined(numbers.batching)}."
        )
        count = len(numbers.window) + len(numbers.dropped) + len(numbers.batching)
        message = f"the operand has {len(sizes)} axes, and offset_dims, collapsed_slice_dims and operand_batching_dims"
        raise value_error(op, "ga_c9", f"{message} name {count}: {told}", value=count, allowed=(len(sizes), len(sizes)))
    for axis, (size, dim) in enumerate(zip(sizes, shape, strict=True)):
        if not 0 <= size <= dim:
            told = (
                f"Slice size at index {axis} in gather op is out of range, must be within [0, {dim + 1}), got {size}."
            )
            message = f"slice_sizes entry {axis}, of axis {axis}, is {size}, not in 0..{dim}: {told}"
            raise value_error(op, "ga_c10", message, axis=axis, entry=axis, value=size, allowed=(0, dim))
    for name, axes in (("collapse", numbers.dropped), ("batching", numbers.batching)):
        for position, axis in enumerate(axes):
            if sizes[axis] > 1:
                words = "collapse slice dims" if name == "collapse" else "have operand batching dims"
                told = (
                    f"Gather op can only {words} with bound 1 or 0, but bound is {sizes[axis]} for index {axis} "
                    f"at position {position}."
                )
                message = f"slice_sizes entry {axis}, of axis {axis}, is {sizes[axis]}, not 0 or 1: {told}"
                raise value_error(op, "ga_c11", message, axis=axis, entry=axis, value=sizes[axis], allowed=(0, 1))
    if 0 not in [*numbers.slices_shape(indices_shape), *[sizes[axis] for axis in numbers.kept(len(shape))]]:
        for axis in numbers.dropped:
            if sizes[axis] == 0:
                message = f"slice_sizes entry {axis}, of axis {axis}, is 0, not 1, and the result is not empty"
                raise value_error(op, "ga_c12", message, axis=axis, entry=axis, value=0, allowed=(1, 1))


def _gathered(x: Array, indices: Array, numbers: Numbers, sizes: Sequence[int]) -> Array:
    """ga_s1: one slice for each start."""
    slices = numbers.slices_shape(indices.shape)
    kept = [sizes[axis] for axis in numbers.kept(x.ndim)]
    rank = len(slices) + len(kept)
    of_slices = [axis for axis in range(rank) if axis not in numbers.window]
    order = np.argsort([*of_slices, *numbers.window]).tolist()
    if 0 in slices or 0 in kept:
        shape = [(*slices, *kept)[axis] for axis in order]
        return np.empty(shape, x.dtype)
    starts = starts_of(indices, numbers, x.ndim)
    limited = [
        None if start is None else _clamped(start, x.shape[axis] - sizes[axis]) for axis, start in starts.items()
    ]
    wide = [axis for axis in range(x.ndim) if sizes[axis] > 1]
    windows = (
        sliding_window_view(x, [sizes[axis] for axis in wide], tuple(wide)) if wide else x
    )  # every slice, as a view
    index = tuple([0 if start is None else start for start in limited])
    found = windows[index] if index else windows
    if not any([isinstance(start, np.ndarray) for start in index]):
        found = np.broadcast_to(found, (*slices, *found.shape))
    return np.array(found.reshape((*slices, *kept)).transpose(order), order="C")


def _clamped(starts: Array, greatest: int) -> Array:
    """ga_s2"""
    return np.clip(starts, 0, greatest)


def replace(old: Any, new: Any) -> Any:
    """The computation of a scatter that stores its updates.

    >>> replace(1, 2)
    2
    """
    return new


@public
def scatter(
    operands: Any,
    scatter_indices: Any,
    updates: Any,
    computation: Any = None,
    *,
    update_window_dims: Sequence[int],
    inserted_window_dims: Sequence[int],
    scatter_dims_to_operand_dims: Sequence[int],
    index_vector_dim: int,
    input_batching_dims: Sequence[int] = (),
    scatter_indices_batching_dims: Sequence[int] = (),
) -> Any:
    """XLA's Scatter: a copy of an array in which slices, each at its own start, are combined with updates.

    Parameters
    ----------
    operands : array_like, or a tuple or list of arrays of one shape
    scatter_indices : array_like of integers
        Along axis index_vector_dim it holds the starts of one slice; its other axes are those of the slices.
    updates : array_like, or as many arrays as operands, of their dtypes and of one shape
    computation : callable, optional
        Called with elements of the operands, then with elements of the updates; returns the new elements. Without it,
        updates replace elements. `ssop.xla.add` and the like are fast.
    update_window_dims : axes of the updates that are those of a slice, in ascending order
    inserted_window_dims : axes of the operand that a slice lacks, in ascending order
    scatter_dims_to_operand_dims : for each number of a start, the axis of the operand that it is for
    index_vector_dim : integer
        The rank of scatter_indices if a start is one number.
    input_batching_dims, scatter_indices_batching_dims : axes of equal lengths that are walked together

    Returns
    -------
    numpy.ndarray, or a tuple of them for a tuple or list of operands : new, C-ordered, of the
        operands' shape and dtypes. Elements of updates that lie outside the operand are skipped.
        Several for one element are combined in the order of their slices.

    Raises
    ------
    SliceError : `label` names the rule (sct_*, cm_*, in_*, et_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `scatter`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> one = dict(update_window_dims=[], inserted_window_dims=[0], scatter_dims_to_operand_dims=[0])
    >>> counts, where = np.zeros(4, int), np.array([1, 3, 1, 9])
    >>> ssop.xla.scatter(counts, where, np.ones(4, int), ssop.xla.add, index_vector_dim=1, **one)
    array([0, 2, 0, 1])
    """
    op = SCATTER.op
    several = _are_several(operands)
    xs = _arrays(op, "operands", operands, several)
    indices, new = as_operand(op, "scatter_indices", scatter_indices), _arrays(op, "updates", updates, several)
    numbers = Numbers(
        window=_core.read_integers(op, "update_window_dims", update_window_dims),
        dropped=_core.read_integers(op, "inserted_window_dims", inserted_window_dims),
        index_map=_core.read_integers(op, "scatter_dims_to_operand_dims", scatter_dims_to_operand_dims),
        batching=_core.read_integers(op, "input_batching_dims", input_batching_dims),
        indices_batching=_core.read_integers(op, "scatter_indices_batching_dims", scatter_indices_batching_dims),
        index_vector_dim=integer(op, "index_vector_dim", index_vector_dim),
    )
    computation = replace if computation is None else computation
    check_operands(xs, new)
    check_scatter(xs[0].shape, indices.shape, indices.dtype, new[0].shape, numbers)
    check_arguments(op, "computation", computation, [Type((), x.dtype) for x in (*xs, *new)], REDUCTION)
    results = [np.array(x, order="C") for x in xs]  # sct_s1: the operands stay as they are
    places, taken = _places(results[0].shape, indices, new[0].shape, numbers)
    in_slices = [x.transpose(numbers.order(x.ndim)).reshape(-1)[taken] for x in new]
    _combine([x.reshape(-1) for x in results], places, in_slices, computation)
    return tuple(results) if several else results[0]


def _are_several(x: Any) -> bool:
    held = plain(x) if isinstance(x, (tuple, list)) else ()
    return len(held) > 0 and all([has_dtype(item) for item in held])


def _arrays(op: str, name: str, x: Any, several: bool) -> list[Array]:
    if not several:
        return [as_operand(op, name, x)]
    return [as_operand(op, f"{name}[{number}]", item) for number, item in enumerate(items(op, name, x))]


def check_operands(operands: Sequence[Array], updates: Sequence[Array]) -> None:
    """XLA's checks of what belongs together."""
    op = SCATTER.op
    if len(operands) != len(updates):
        given, wanted = 1 + len(operands) + len(updates), 2 * len(operands) + 1
        message = f"{len(operands)} operands and {len(updates)} updates"
        told = f"Invalid argument count of scatter op: Expected {wanted}, saw {given}"
        raise value_error(op, "sct_c3", f"{message}: {told}", value=len(updates), allowed=(len(operands),) * 2)
    for number, (x, update) in enumerate(zip(operands, updates, strict=True)):
        for name, array, first in (("operands", x, operands[0]), ("updates", update, updates[0])):
            if array.shape != first.shape:
                message = (
                    f"{name} entry {number} has shape {array.shape}, and entry 0 {first.shape}, which must be the same"
                )
                raise value_error(op, "sct_c4", message, entry=number, value=array.shape)
        if x.dtype != update.dtype:
            message = f"updates entry {number} has dtype {update.dtype}, not {x.dtype}; updates.astype(..) converts it"
            raise type_error(op, "sct_c5", message, entry=number, value=update.dtype)


def check_scatter(
    shape: Sequence[int],
    indices_shape: Sequence[int],
    indices_dtype: np.dtype[Any],
    updates_shape: Sequence[int],
    numbers: Numbers,
) -> None:
    """XLA's checks, in XLA's order."""
    op = SCATTER.op
    if kind(indices_dtype) not in ("signed", "unsigned"):
        text = human_string(indices_dtype, indices_shape)
        told = f"Scatter indices parameter must be an integral tensor; got {text}."
        message = f"scatter_indices has dtype {indices_dtype}, not integers: {told}"
        raise type_error(op, "sct_c1", message, value=indices_dtype)
    numbers.check_index_vector(SCATTER, indices_shape)
    slices = numbers.slices_shape(indices_shape)
    wanted = len(slices) + len(numbers.window)
    if len(updates_shape) != wanted:
        told = f"Updates tensor must be of rank {wanted}; got {len(updates_shape)}."
        message = f"updates has {len(updates_shape)} axes, not {wanted}: {told}"
        raise value_error(op, "sct_c6", message, value=len(updates_shape), allowed=(wanted, wanted))
    numbers.check_window(SCATTER, len(updates_shape))
    numbers.check_dropped(SCATTER, len(shape))
    numbers.check_batching(SCATTER, indices_shape, shape)
    size = len(numbers.window) + len(numbers.dropped) + len(numbers.batching)
    if size != len(shape):
        told = f"Scatter op has window of size {size}; doesn't match operand of rank {len(shape)}."
        message = f"the operand has {len(shape)} axes, and update_window_dims, inserted_window_dims and"
        message = f"{message} input_batching_dims name {size}: {told}"
        raise value_error(op, "sct_c10", message, value=size, allowed=(len(shape), len(shape)))
    numbers.check_map(SCATTER, indices_shape, len(shape))
    for axis, operand_axis in zip(numbers.window, numbers.kept(len(shape)), strict=True):
        if updates_shape[axis] > shape[operand_axis]:
            told = (
                "Bounds of the window dimensions of updates must not exceed the bounds of the corresponding dimensions "
                f"of operand. For dimension {axis}, updates bound is {updates_shape[axis]}, operand bound is "
                f"{shape[operand_axis]}."
            )
            message = f"axis {axis} of updates has length {updates_shape[axis]}: {told}"
            allowed = (0, shape[operand_axis])
            raise value_error(op, "sct_c12", message, axis=axis, value=updates_shape[axis], allowed=allowed)
    of_slices = [axis for axis in range(len(updates_shape)) if axis not in numbers.window]
    for axis, dim in zip(of_slices, slices, strict=True):
        if updates_shape[axis] != dim:
            told = (
                "Bounds of the scatter dimensions of updates must be same as the bounds of the corresponding "
                f"dimensions of scatter indices. For scatter dimension {axis}, updates bound is {updates_shape[axis]}, "
                f"scatter_indices bound is {dim}."
            )
            message = f"axis {axis} of updates has length {updates_shape[axis]}, not {dim}: {told}"
            raise value_error(op, "sct_c13", message, axis=axis, value=updates_shape[axis], allowed=(dim, dim))


def _places(
    shape: tuple[int, ...], indices: Array, updates_shape: tuple[int, ...], numbers: Numbers
) -> tuple[Array, Array]:
    """The places in the flat operand of all elements of the updates that lie in it, and which these are (sct_s2)."""
    slices, rank = numbers.slices_shape(indices.shape), len(shape)
    kept = numbers.kept(rank)
    sizes = dict(zip(kept, [updates_shape[axis] for axis in numbers.window], strict=True))
    grid = (*slices, *sizes.values())
    places, inside = np.zeros(grid, np.int64), np.ones(grid, bool)
    for axis, start in starts_of(indices, numbers, rank).items():
        size, dim = sizes.get(axis, 1), shape[axis]
        position = np.zeros((1,) * len(grid), np.int64)
        if axis in sizes:
            along = [1] * len(grid)
            along[len(slices) + kept.index(axis)] = size
            position = np.arange(size).reshape(along)
        if start is not None:  # clipped so that the sums do not overflow
            position = position + np.clip(start, -size, dim).reshape((*start.shape, *(1,) * len(sizes)))
        inside &= (position >= 0) & (position < dim)
        places *= dim
        places += position
    taken = inside.reshape(-1)
    return places.reshape(-1)[taken], taken


def _combine(results: list[Array], places: Array, updates: list[Array], computation: Any) -> None:
    """Combine elements with updates, several for one place in their order (sct_s3)."""
    if computation is replace:
        for result, update in zip(results, updates, strict=True):
            result[places] = update  # of several, NumPy stores the last one
        return
    if len(results) == 1 and (ufunc := _ufunc(computation, results[0].dtype)) is not None:
        with np.errstate(all="ignore"):
            ufunc.at(results[0], places, updates[0])
        return
    order = np.argsort(places, kind="stable")
    ordered = places[order]
    numbers = np.arange(ordered.size)
    is_first = np.append(True, ordered[1:] != ordered[:-1])[: ordered.size]
    turn = numbers - np.maximum.accumulate(np.where(is_first, numbers, 0))  # the how manieth for its place
    by_turn = order[np.argsort(turn, kind="stable")]
    dtypes = [x.dtype for x in results]
    for chosen in np.split(by_turn, np.cumsum(np.bincount(turn))[:-1]) if by_turn.size else [by_turn]:
        where = places[chosen]
        arguments = [*[x[where] for x in results], *[x[chosen] for x in updates]]
        for result, new in zip(
            results, apply(SCATTER.op, "computation", computation, arguments, dtypes, REDUCTION), strict=True
        ):
            result[where] = new


def _ufunc(computation: Any, dtype: np.dtype[Any]) -> np.ufunc | None:
    """NumPy's function for one of ssop.xla's, if both compute the same for the dtype."""
    if computation is elementwise.add:
        return np.logical_or if kind(dtype) == "pred" else np.add
    if computation is elementwise.mul:
        return np.logical_and if kind(dtype) == "pred" else np.multiply
    if kind(dtype) not in ("signed", "unsigned") or dtype.isbuiltin == 2:
        return None  # of floats, these let either zero be the greater one
    return np.maximum if computation is elementwise.max else np.minimum if computation is elementwise.min else None


def _joined(axes: Sequence[int]) -> str:
    return ",".join(map(str, axes))
