"""XLA's Gather and Scatter, index by index as StableHLO's specification writes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, NamedTuple

from ssop.reference._tensors import Rejected, Tensor, build

__all__ = ["gather", "scatter"]

Index = tuple[int, ...]


class Names(NamedTuple):
    """The labels of the checks that both operations make."""

    index_vector: str
    window: str
    dropped: str
    count_label: str
    index_map: str
    batching: str


GATHER = Names("ga_c2", "ga_c3", "ga_c6", "ga_c4", "ga_c5", "ga_c7")
SCATTER = Names("sct_c2", "sct_c7", "sct_c8", "sct_c11", "sct_c14", "sct_c9")


def gather(
    operand: Tensor,
    start_indices: Tensor,
    slice_sizes: Sequence[int],
    *,
    offset_dims: Sequence[int],
    collapsed_slice_dims: Sequence[int],
    start_index_map: Sequence[int],
    index_vector_dim: int,
    operand_batching_dims: Sequence[int] = (),
    start_indices_batching_dims: Sequence[int] = (),
) -> Tensor:
    """Return slices of `operand`, each at its own start, moved so that the slice fits (ga_s1, ga_s2, ga_s3).

    Raises `ga_c1` (items that are no integers), `ga_c2` .. `ga_c12`. Source: StableHLO `gather`.

    >>> rows = dict(offset_dims=[1], collapsed_slice_dims=[0], start_index_map=[0], index_vector_dim=1)
    >>> gather(tensor([[1, 2], [3, 4]], (2, 2)), tensor([1, 9], (2,)), [1, 2], **rows)
    Tensor(shape=(2, 2), items=[3, 4, 3, 4])
    """
    if any(type(item) is not int for item in start_indices.items):
        raise Rejected("ga_c1")
    rank, at = len(operand.shape), index_vector_dim
    check_index_vector(GATHER, start_indices.shape, at)
    slices = without(start_indices.shape, at)
    result_rank = len(slices) + len(offset_dims)
    check_ascending(GATHER.window, offset_dims, result_rank)
    check_map(GATHER, start_index_map, start_indices.shape, at, rank, operand_batching_dims)
    check_ascending(GATHER.dropped, collapsed_slice_dims, rank)
    batching = check_batching(
        GATHER, operand, start_indices, at, operand_batching_dims, start_indices_batching_dims, collapsed_slice_dims
    )
    if len(slice_sizes) != rank:
        raise Rejected("ga_c8", value=len(slice_sizes), allowed=(rank, rank))
    named = len(offset_dims) + len(collapsed_slice_dims) + len(operand_batching_dims)
    if named != rank:
        raise Rejected("ga_c9", value=named, allowed=(rank, rank))
    for axis, (size, dim) in enumerate(zip(slice_sizes, operand.shape, strict=True)):
        if not 0 <= size <= dim:
            raise Rejected("ga_c10", axis=axis, entry=axis, value=size, allowed=(0, dim))
    for axis in (*collapsed_slice_dims, *operand_batching_dims):
        if slice_sizes[axis] > 1:
            raise Rejected("ga_c11", axis=axis, entry=axis, value=slice_sizes[axis], allowed=(0, 1))

    kept = [axis for axis in range(rank) if axis not in (*collapsed_slice_dims, *operand_batching_dims)]
    for axis in collapsed_slice_dims:
        if slice_sizes[axis] == 0 and 0 not in (*slices, *(slice_sizes[other] for other in kept)):
            raise Rejected("ga_c12", axis=axis, entry=axis, value=0, allowed=(1, 1))
    of_slices = [axis for axis in range(result_rank) if axis not in offset_dims]
    lengths = dict(zip(of_slices, slices, strict=True)) | {
        place: slice_sizes[axis] for place, axis in zip(offset_dims, kept, strict=True)
    }

    def item(index: Index) -> Any:
        which = tuple(index[axis] for axis in of_slices)
        place = start(start_indices, which, at, start_index_map, rank)
        for axis in start_index_map:
            place[axis] = min(max(place[axis], 0), operand.shape[axis] - slice_sizes[axis])  # ga_s2
        for axis, other in batching:
            place[axis] += which[other - (other > at)]  # ga_s3
        for offset, axis in zip(offset_dims, kept, strict=True):
            place[axis] += index[offset]
        return operand.at(place)

    return build([lengths[axis] for axis in range(result_rank)], item)


def scatter(
    operands: Sequence[Tensor],
    scatter_indices: Tensor,
    updates: Sequence[Tensor],
    computation: Callable[..., Sequence[Any]],
    *,
    update_window_dims: Sequence[int],
    inserted_window_dims: Sequence[int],
    scatter_dims_to_operand_dims: Sequence[int],
    index_vector_dim: int,
    input_batching_dims: Sequence[int] = (),
    scatter_indices_batching_dims: Sequence[int] = (),
) -> list[Tensor]:
    """Return `operands` with the items of `updates` combined into them (sct_s1, sct_s2, sct_s3).

    `computation` takes an item of each operand, then one of each update, and returns the new items. Raises `sct_c1`
    (items that are no integers) .. `sct_c4` and `sct_c6` .. `sct_c14`; dtypes (`sct_c5`) are not the business of
    numbers. Source: StableHLO `scatter`.

    >>> one = dict(update_window_dims=[], inserted_window_dims=[0], scatter_dims_to_operand_dims=[0])
    >>> x, indices, update = tensor([0, 0], (2,)), tensor([1, 5, 1], (3,)), tensor([3, 4, 5], (3,))
    >>> scatter([x], indices, [update], lambda old, new: [old + new], index_vector_dim=1, **one)
    [Tensor(shape=(2,), items=[0, 8])]
    """
    if len(operands) != len(updates):
        raise Rejected("sct_c3", value=len(updates), allowed=(len(operands), len(operands)))
    for number, (x, update) in enumerate(zip(operands, updates, strict=True)):
        for tensor, first in ((x, operands[0]), (update, updates[0])):
            if tensor.shape != first.shape:
                raise Rejected("sct_c4", entry=number, value=tensor.shape)
    if any(type(item) is not int for item in scatter_indices.items):
        raise Rejected("sct_c1")
    shape, rank, at = operands[0].shape, len(operands[0].shape), index_vector_dim
    check_index_vector(SCATTER, scatter_indices.shape, at)
    slices = without(scatter_indices.shape, at)
    lengths = updates[0].shape
    if len(lengths) != len(slices) + len(update_window_dims):
        wanted = len(slices) + len(update_window_dims)
        raise Rejected("sct_c6", value=len(lengths), allowed=(wanted, wanted))
    check_ascending(SCATTER.window, update_window_dims, len(lengths))
    check_ascending(SCATTER.dropped, inserted_window_dims, rank)
    batching = check_batching(
        SCATTER,
        operands[0],
        scatter_indices,
        at,
        input_batching_dims,
        scatter_indices_batching_dims,
        inserted_window_dims,
    )
    named = len(update_window_dims) + len(inserted_window_dims) + len(input_batching_dims)
    if named != rank:
        raise Rejected("sct_c10", value=named, allowed=(rank, rank))
    check_map(SCATTER, scatter_dims_to_operand_dims, scatter_indices.shape, at, rank, input_batching_dims)
    kept = [axis for axis in range(rank) if axis not in (*inserted_window_dims, *input_batching_dims)]
    for axis, operand_axis in zip(update_window_dims, kept, strict=True):
        if lengths[axis] > shape[operand_axis]:
            raise Rejected("sct_c12", axis=axis, value=lengths[axis], allowed=(0, shape[operand_axis]))
    of_slices = [axis for axis in range(len(lengths)) if axis not in update_window_dims]
    for axis, dim in zip(of_slices, slices, strict=True):
        if lengths[axis] != dim:
            raise Rejected("sct_c13", axis=axis, value=lengths[axis], allowed=(dim, dim))

    results = [list(x.items) for x in operands]
    for which in product(*map(range, slices)):  # slice by slice: sct_s3
        for window in product(*(range(lengths[axis]) for axis in update_window_dims)):
            place = start(scatter_indices, which, at, scatter_dims_to_operand_dims, rank)
            for axis, other in batching:
                place[axis] += which[other - (other > at)]
            for offset, axis in zip(window, kept, strict=True):
                place[axis] += offset
            if all(0 <= i < dim for i, dim in zip(place, shape, strict=True)):  # sct_s2
                index = dict(zip(of_slices, which, strict=True)) | dict(zip(update_window_dims, window, strict=True))
                new = [x.at([index[axis] for axis in range(len(lengths))]) for x in updates]
                flat = 0
                for i, dim in zip(place, shape, strict=True):
                    flat = flat * dim + i
                for items, item in zip(results, computation(*[x[flat] for x in results], *new), strict=True):
                    items[flat] = item
    return [Tensor(shape, items) for items in results]


# What both have in common


def without(shape: Sequence[int], axis: int) -> Index:
    return tuple(dim for number, dim in enumerate(shape) if number != axis)


def start(indices: Tensor, which: Index, at: int, index_map: Sequence[int], rank: int) -> list[int]:
    """Where the slice begins that the indices have at `which`."""
    place = [0] * rank
    for number, axis in enumerate(index_map):
        index = [*which[:at], number, *which[at:]] if at < len(indices.shape) else which
        place[axis] = indices.at(index)
    return place


def check_index_vector(names: Names, shape: Index, at: int) -> None:
    if not 0 <= at <= len(shape):
        raise Rejected(names.index_vector, value=at, allowed=(0, len(shape)))


def check_ascending(label: str, axes: Sequence[int], rank: int) -> None:
    for entry in range(1, len(axes)):
        if axes[entry] <= axes[entry - 1]:
            raise Rejected(label, entry=entry, value=axes[entry])
    check_inside(label, axes, rank)


def check_inside(label: str, axes: Sequence[int], rank: int) -> None:
    for entry, axis in enumerate(axes):
        if not 0 <= axis < rank:
            raise Rejected(label, entry=entry, value=axis, allowed=(0, rank - 1))


def check_map(
    names: Names, index_map: Sequence[int], shape: Index, at: int, rank: int, batching: Sequence[int]
) -> None:
    bound = shape[at] if at < len(shape) else 1
    if len(index_map) != bound:
        raise Rejected(names.count_label, value=len(index_map), allowed=(bound, bound))
    check_inside(names.index_map, index_map, rank)
    for entry, axis in enumerate(index_map):
        if axis in index_map[:entry]:
            raise Rejected(names.index_map, entry=entry, value=axis)
    shared = [axis for axis in index_map if axis in batching]
    if shared:
        raise Rejected(names.index_map, value=min(shared))


def check_batching(
    names: Names,
    operand: Tensor,
    indices: Tensor,
    at: int,
    batching: Sequence[int],
    indices_batching: Sequence[int],
    dropped: Sequence[int],
) -> list[tuple[int, int]]:
    """Return the pairs of axes that are walked together."""
    check_ascending(names.batching, batching, len(operand.shape))
    check_inside(names.batching, indices_batching, len(indices.shape))
    for entry, axis in enumerate(indices_batching):
        if axis in indices_batching[:entry]:
            raise Rejected(names.batching, entry=entry, value=axis)
    if len(batching) != len(indices_batching):
        raise Rejected(names.batching, value=len(indices_batching), allowed=(len(batching), len(batching)))
    shared = [axis for axis in batching if axis in dropped]
    if shared:
        raise Rejected(names.batching, value=min(shared))
    if at in indices_batching:
        raise Rejected(names.batching, value=at)
    pairs = list(zip(batching, indices_batching, strict=True))
    for axis, other in pairs:
        if operand.shape[axis] != indices.shape[other]:
            raise Rejected(names.batching, axis=axis, value=operand.shape[axis])
    return pairs
