"""Shapes of XLA's Gather and Scatter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ssop import _core, _vectors
from ssop._core import Dim, PartialShape
from ssop._xla.gathering import check_gather, check_scatter
from ssop._xla.indexing import INT64_MAX, Numbers
from ssop.shapes._arguments import Mode, ShapeLike, dims_of, in_mode
from ssop.shapes._rules import ShapeRules

INTEGERS = np.dtype(np.int64)


def gather(
    operand_shape: ShapeLike,
    start_indices_shape: ShapeLike,
    slice_sizes: Sequence[int],
    *,
    offset_dims: Sequence[int],
    collapsed_slice_dims: Sequence[int],
    start_index_map: Sequence[int],
    index_vector_dim: int,
    operand_batching_dims: Sequence[int] = (),
    start_indices_batching_dims: Sequence[int] = (),
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's Gather of operands of these shapes.

    Parameters
    ----------
    operand_shape, start_indices_shape : None (unknown rank), or a sequence of dims: int, None (unknown), a pair, Dim
    slice_sizes, offset_dims, collapsed_slice_dims, start_index_map, index_vector_dim : as for ssop.xla.gather
    operand_batching_dims, start_indices_batching_dims : as for ssop.xla.gather
    mode : "tight" gives the smallest interval of every dim, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result: slice sizes, and dims of start_indices, which keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (ga_*, in_*, sh_*) in SPEC.md.

    Source: XLA's InferGatherShape (sh_s37).

    Examples
    --------
    >>> import ssop
    >>> rows = dict(offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1)
    >>> ssop.shapes.xla.gather([9, 4], [None], [1, 4], **rows)
    PartialShape([None, 4])
    """
    return gathered(
        ShapeRules(mode),
        operand_shape,
        start_indices_shape,
        slice_sizes,
        offset_dims=offset_dims,
        collapsed_slice_dims=collapsed_slice_dims,
        start_index_map=start_index_map,
        index_vector_dim=index_vector_dim,
        operand_batching_dims=operand_batching_dims,
        start_indices_batching_dims=start_indices_batching_dims,
    )


def gathered(
    rules: ShapeRules,
    operand_shape: ShapeLike,
    start_indices_shape: ShapeLike,
    slice_sizes: Sequence[int],
    *,
    offset_dims: Sequence[int],
    collapsed_slice_dims: Sequence[int],
    start_index_map: Sequence[int],
    index_vector_dim: int,
    operand_batching_dims: Sequence[int] = (),
    start_indices_batching_dims: Sequence[int] = (),
) -> PartialShape:
    """The same with the rules of a context."""
    op = "xla.gather"
    operand, indices = PartialShape(operand_shape), PartialShape(start_indices_shape)
    sizes = _core.read_integers(op, "slice_sizes", slice_sizes)
    numbers = Numbers(
        window=_core.read_integers(op, "offset_dims", offset_dims),
        dropped=_core.read_integers(op, "collapsed_slice_dims", collapsed_slice_dims),
        index_map=_core.read_integers(op, "start_index_map", start_index_map),
        batching=_core.read_integers(op, "operand_batching_dims", operand_batching_dims),
        indices_batching=_core.read_integers(op, "start_indices_batching_dims", start_indices_batching_dims),
        index_vector_dim=_vectors.integer(op, "index_vector_dim", index_vector_dim),
    )
    if indices.rank is None or (operand.rank is None and rules.mode == "tf"):
        return PartialShape(None)
    ranked = operand.with_rank(len(sizes)) if operand.rank is None else operand
    large, small = _greatest(ranked), _least(indices)
    _choose_index_vector(small, indices, numbers)
    for axis, other in _within(numbers.batching, numbers.indices_batching, large, small):
        wanted = sizes[axis] if axis < len(sizes) else 0
        large[axis], small[other] = _common([ranked.dim(axis), indices.dim(other)], wanted, large[axis], small[other])
    check_gather(large, small, INTEGERS, numbers, sizes)

    slices = [dim for axis, dim in enumerate(dims_of(indices)) if axis != numbers.index_vector_dim]
    for axis, other in zip(numbers.batching, numbers.indices_batching, strict=True):
        place = other - (other > numbers.index_vector_dim)
        merged = rules.merge(PartialShape([slices[place]]), PartialShape([ranked.dim(axis)])).dim(0)
        slices[place] = merged.merge((sizes[axis], None))
    rank, dims = len(slices) + len(numbers.window), list(slices)
    kept = [Dim(sizes[axis]) for axis in numbers.kept(len(sizes))]
    for place, dim in zip(numbers.window, kept, strict=True):
        dims.insert(place, dim)
    assert len(dims) == rank
    return in_mode(rules.mode, PartialShape(dims), indices, ranked)


def scatter(
    operand_shape: ShapeLike,
    scatter_indices_shape: ShapeLike,
    updates_shape: ShapeLike,
    *,
    update_window_dims: Sequence[int],
    inserted_window_dims: Sequence[int],
    scatter_dims_to_operand_dims: Sequence[int],
    index_vector_dim: int,
    input_batching_dims: Sequence[int] = (),
    scatter_indices_batching_dims: Sequence[int] = (),
    mode: Mode = "tf",
) -> PartialShape:
    """The shape of XLA's Scatter of operands of these shapes: that of the operand.

    Parameters
    ----------
    operand_shape, scatter_indices_shape, updates_shape : None (unknown rank), or a sequence of dims
    update_window_dims, inserted_window_dims, scatter_dims_to_operand_dims, index_vector_dim : as for ssop.xla.scatter
    input_batching_dims, scatter_indices_batching_dims : as for ssop.xla.scatter
    mode : "tight" also says of every dim that the updates fit into it, "tf" a dim only where that is one number.

    Returns
    -------
    PartialShape : the shape of the result; dims keep their identity.

    Raises
    ------
    SliceError : if every completion is an error; `label` names the rule (sct_*, in_*, sh_*) in SPEC.md.

    Source: XLA's InferScatterShape (sh_s37).

    Examples
    --------
    >>> import ssop
    >>> one = dict(update_window_dims=[], inserted_window_dims=[0], scatter_dims_to_operand_dims=[0])
    >>> ssop.shapes.xla.scatter([None], [4], [4], index_vector_dim=1, **one)
    PartialShape([None])
    """
    return scattered(
        ShapeRules(mode),
        operand_shape,
        scatter_indices_shape,
        updates_shape,
        update_window_dims=update_window_dims,
        inserted_window_dims=inserted_window_dims,
        scatter_dims_to_operand_dims=scatter_dims_to_operand_dims,
        index_vector_dim=index_vector_dim,
        input_batching_dims=input_batching_dims,
        scatter_indices_batching_dims=scatter_indices_batching_dims,
    )


def scattered(
    rules: ShapeRules,
    operand_shape: ShapeLike,
    scatter_indices_shape: ShapeLike,
    updates_shape: ShapeLike,
    *,
    update_window_dims: Sequence[int],
    inserted_window_dims: Sequence[int],
    scatter_dims_to_operand_dims: Sequence[int],
    index_vector_dim: int,
    input_batching_dims: Sequence[int] = (),
    scatter_indices_batching_dims: Sequence[int] = (),
) -> PartialShape:
    """The same with the rules of a context."""
    op = "xla.scatter"
    operand, indices = PartialShape(operand_shape), PartialShape(scatter_indices_shape)
    updates = PartialShape(updates_shape)
    numbers = Numbers(
        window=_core.read_integers(op, "update_window_dims", update_window_dims),
        dropped=_core.read_integers(op, "inserted_window_dims", inserted_window_dims),
        index_map=_core.read_integers(op, "scatter_dims_to_operand_dims", scatter_dims_to_operand_dims),
        batching=_core.read_integers(op, "input_batching_dims", input_batching_dims),
        indices_batching=_core.read_integers(op, "scatter_indices_batching_dims", scatter_indices_batching_dims),
        index_vector_dim=_vectors.integer(op, "index_vector_dim", index_vector_dim),
    )
    if operand.rank is None or indices.rank is None or updates.rank is None:
        return operand
    large, small, new = _greatest(operand), _least(indices), _least(updates)
    _choose_index_vector(small, indices, numbers)
    of_indices = [axis for axis in range(indices.rank) if axis != numbers.index_vector_dim]
    of_updates = [axis for axis in range(updates.rank) if axis not in numbers.window]
    together = dict(zip(of_indices, of_updates, strict=False))
    for other, axis in together.items():
        small[other], new[axis] = _common([indices.dim(other), updates.dim(axis)], 0, small[other], new[axis])
    for axis, other in _within(numbers.batching, numbers.indices_batching, large, small):
        if other in together:
            place = together[other]
            dims = [operand.dim(axis), indices.dim(other), updates.dim(place)]
            large[axis], small[other], new[place] = _common(dims, 0, large[axis], small[other], new[place])
    check_scatter(large, small, INTEGERS, new, numbers)

    result = operand
    for axis, window_axis in zip(numbers.kept(operand.rank), numbers.window, strict=True):
        result = result.replace_dim(axis, result.dim(axis).merge((new[window_axis], None)))
    for axis, other in zip(numbers.batching, numbers.indices_batching, strict=True):
        for dim in (indices.dim(other), updates.dim(together[other])):
            merged = rules.merge(PartialShape([result.dim(axis)]), PartialShape([dim]))
            result = result.replace_dim(axis, merged.dim(0))
    return in_mode(rules.mode, result, operand, indices, updates)


# The most favourable completion: if it is an error, each one is.


def _greatest(shape: PartialShape) -> list[int]:
    return [INT64_MAX if high is None else high for _, high in shape.intervals or ()]


def _least(shape: PartialShape) -> list[int]:
    return [low for low, _ in shape.intervals or ()]


def _choose_index_vector(dims: list[int], indices: PartialShape, numbers: Numbers) -> None:
    """Let there be as many numbers of a start as the map has, if there can be."""
    at = numbers.index_vector_dim
    if 0 <= at < len(dims) and _allows(indices.dim(at), len(numbers.index_map)):
        dims[at] = len(numbers.index_map)


def _allows(dim: Dim, number: int) -> bool:
    low, high = dim.interval
    return low <= number and (high is None or number <= high)


def _within(axes: Sequence[int], others: Sequence[int], a: list[int], b: list[int]) -> Iterable[tuple[int, int]]:
    """The pairs of axes of two shapes that there are."""
    return [(x, y) for x, y in zip(axes, others, strict=False) if 0 <= x < len(a) and 0 <= y < len(b)]


def _common(dims: Sequence[Dim], wanted: int, *otherwise: int) -> Any:
    """For each dim the number nearest to the wanted one that all dims may be; `otherwise` if they share no number."""
    low = max(dim.interval[0] for dim in dims)
    high = min(INT64_MAX if dim.interval[1] is None else dim.interval[1] for dim in dims)
    return otherwise if low > high else (min(max(wanted, low), high),) * len(dims)
