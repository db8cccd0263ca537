"""XLA's operations that move data, and JAX's forms of the slices for one axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from ssop.reference._tensors import INT64_MAX, Rejected, Tensor, build
from ssop.reference._windows import (
    check_policy,
    check_read_policy,
    dynamic_slice,
    dynamic_update_slice,
    slice,
    slice_region,
)

__all__ = [
    "broadcast",
    "broadcast_in_dim",
    "clamp",
    "collapse",
    "concatenate",
    "dynamic_index_in_dim",
    "dynamic_slice",
    "dynamic_slice_in_dim",
    "dynamic_update_index_in_dim",
    "dynamic_update_slice",
    "dynamic_update_slice_in_dim",
    "index_in_dim",
    "pad",
    "reshape",
    "rev",
    "select",
    "slice",
    "slice_in_dim",
    "slice_region",
    "transpose",
]


def checked_shape(shape: Sequence[int]) -> tuple[int, ...]:
    """Return a shape that a caller gives. Raises `in_c9` and `in_c10`.

    >>> checked_shape([2, 0])
    (2, 0)
    """
    if len(shape) > 64:
        raise Rejected("in_c9", value=len(shape), allowed=(0, 64))
    for axis, dim in enumerate(shape):
        if dim < 0:
            raise Rejected("in_c10", axis=axis, value=dim, allowed=(0, INT64_MAX))
    return tuple(shape)


def pad(x: Tensor, padding_value: Tensor, padding_config: Sequence[Sequence[int]]) -> Tensor:
    """Return `x` spread out with `interior` values between its items and `low` and `high` of them at the ends.

    `padding_config` has one `(low, high, interior)` per axis; the interior comes first, so that negative edges crop it.
    Raises `pad_c7`, `pad_c1`, `pad_c2`, `pad_c4`, then `pad_c5` and `pad_c6` axis by axis.
    Source: XLA's `InferPadShape`, StableHLO's `pad`.

    >>> pad(tensor([1, 2, 3], (3,)), tensor(0, ()), [(-1, 2, 1)])
    Tensor(shape=(6,), items=[0, 2, 0, 3, 0, 0])
    """
    rank = len(x.shape)
    for entry, numbers in enumerate(padding_config):
        if len(numbers) != 3:
            raise Rejected("pad_c7", entry=entry, value=len(numbers), allowed=(3, 3))
    if padding_value.shape != ():
        raise Rejected("pad_c1", value=padding_value.shape)
    if len(padding_config) != rank:
        raise Rejected("pad_c2", value=len(padding_config), allowed=(rank, rank))
    for axis, (_, _, interior) in enumerate(padding_config):
        if interior < 0:
            raise Rejected("pad_c4", axis=axis, entry=axis, value=interior, allowed=(0, INT64_MAX))
    shape = []
    for axis, (dim, (low, high, interior)) in enumerate(zip(x.shape, padding_config, strict=True)):
        spread = dim + max(dim - 1, 0) * interior  # pad_s3
        size = low + spread + high
        if max(spread, size, ~size) > INT64_MAX:
            raise Rejected("pad_c5", axis=axis, entry=axis, value=interior)
        if size < 0:
            raise Rejected("pad_c6", axis=axis, entry=axis, value=size, allowed=(0, INT64_MAX))
        shape.append(size)

    def item(index: tuple[int, ...]) -> Any:  # pad_s1, pad_s2
        places = [divmod(i - low, interior + 1) for i, (low, _, interior) in zip(index, padding_config, strict=True)]
        if all(rest == 0 and 0 <= place < dim for (place, rest), dim in zip(places, x.shape, strict=True)):
            return x.at([place for place, _ in places])
        return padding_value.at(())

    return build(shape, item)


def rev(x: Tensor, dimensions: Sequence[int]) -> Tensor:
    """Return `x` with the order of its items turned round on each of these axes.

    Raises `rev_c1` and `rev_c2`. Source: XLA's `InferReverseShape`.

    >>> rev(tensor([[1, 2, 3], [4, 5, 6]], (2, 3)), [1])
    Tensor(shape=(2, 3), items=[3, 2, 1, 6, 5, 4])
    """
    rank = len(x.shape)
    for entry, axis in enumerate(dimensions):
        if axis in dimensions[:entry]:
            raise Rejected("rev_c1", entry=entry, value=axis)
    for entry, axis in enumerate(dimensions):
        if not 0 <= axis < rank:
            raise Rejected("rev_c2", entry=entry, value=axis, allowed=(0, rank - 1))
    # rev_s1
    return build(
        x.shape,
        lambda index: x.at([x.shape[axis] - 1 - i if axis in dimensions else i for axis, i in enumerate(index)]),
    )


def concatenate(operands: Sequence[Tensor], dimension: int) -> Tensor:
    """Return the operands one after the other along the axis `dimension`; all their other dims agree.

    Raises `cat_c1`, `cat_c2`, then `cat_c3`, `cat_c5` and `cat_c6` operand by operand.
    Source: XLA's `InferConcatOpShape`.

    >>> concatenate([tensor([1, 2], (2,)), tensor([], (0,)), tensor([3], (1,))], 0)
    Tensor(shape=(3,), items=[1, 2, 3])
    """
    if not operands:
        raise Rejected("cat_c1")
    first, rank = operands[0].shape, len(operands[0].shape)
    if not 0 <= dimension < rank:
        raise Rejected("cat_c2", value=dimension, allowed=(0, rank - 1))
    total = 0
    for entry, operand in enumerate(operands):
        if len(operand.shape) != rank:
            raise Rejected("cat_c3", entry=entry, value=len(operand.shape), allowed=(rank, rank))
        for axis, dim in enumerate(operand.shape):
            if axis != dimension and dim != first[axis]:
                raise Rejected("cat_c5", axis=axis, entry=entry, value=dim, allowed=(first[axis], first[axis]))
        total += operand.shape[dimension]
        if total > INT64_MAX:
            raise Rejected("cat_c6", axis=dimension, entry=entry, value=operand.shape[dimension])

    def item(index: tuple[int, ...]) -> Any:  # cat_s1
        place = list(index)
        for operand in operands:
            if place[dimension] < operand.shape[dimension]:
                return operand.at(place)
            place[dimension] -= operand.shape[dimension]

    return build((*first[:dimension], total, *first[dimension + 1 :]), item)


def broadcast(x: Tensor, sizes: Sequence[int]) -> Tensor:
    """Return `x` repeated along new axes of these sizes on the left.

    Raises `bc_c1` and `bc_c2`. Source: XLA's `InferBroadcastShape` of sizes.

    >>> broadcast(tensor([1, 2], (2,)), [2, 1])
    Tensor(shape=(2, 1, 2), items=[1, 2, 1, 2])
    """
    for entry, size in enumerate(sizes):
        if size < 0:
            raise Rejected("bc_c1", entry=entry, value=size, allowed=(0, INT64_MAX))
    if len(sizes) + len(x.shape) > 64:
        raise Rejected("bc_c2", value=len(sizes) + len(x.shape), allowed=(0, 64))
    return build((*sizes, *x.shape), lambda index: x.at(index[len(sizes) :]))  # bc_s1


def broadcast_in_dim(x: Tensor, shape: Sequence[int], broadcast_dimensions: Sequence[int]) -> Tensor:
    """Return `x` in `shape`: its axis `k` is axis `broadcast_dimensions[k]` of the result, repeated if its dim is 1.

    Raises `in_c9`, `in_c10`, `bid_c1`..`bid_c3`, then `bid_c4` and `bid_c5` entry by entry.
    Source: XLA's builder, its `InferBroadcastShape`, and StableHLO's `broadcast_in_dim`.

    >>> broadcast_in_dim(tensor([[1], [2]], (2, 1)), (3, 2), [1, 0])
    Tensor(shape=(3, 2), items=[1, 2, 1, 2, 1, 2])
    """
    shape, rank = checked_shape(shape), len(x.shape)
    if len(broadcast_dimensions) != rank:
        raise Rejected("bid_c1", value=len(broadcast_dimensions), allowed=(rank, rank))
    for entry, axis in enumerate(broadcast_dimensions):
        if not 0 <= axis < len(shape):
            raise Rejected("bid_c2", entry=entry, value=axis, allowed=(0, len(shape) - 1))
    if rank > len(shape):
        raise Rejected("bid_c3", value=rank, allowed=(0, len(shape)))
    for entry, axis in enumerate(broadcast_dimensions):
        if x.shape[entry] not in (1, shape[axis]):
            raise Rejected("bid_c4", axis=entry, entry=entry, value=x.shape[entry])
        if axis in broadcast_dimensions[:entry]:
            raise Rejected("bid_c5", entry=entry, value=axis)

    def item(index: tuple[int, ...]) -> Any:  # bid_s1, bid_s2
        pairs = zip(x.shape, broadcast_dimensions, strict=True)
        return x.at([0 if dim == 1 else index[axis] for dim, axis in pairs])

    return build(shape, item)


def transpose(x: Tensor, permutation: Sequence[int]) -> Tensor:
    """Return `x` with its axes in another order: axis `i` of the result is axis `permutation[i]` of `x`.

    Raises `tr_c1`..`tr_c3`. Source: XLA's `InferTransposeShape`.

    >>> transpose(tensor([[1, 2, 3], [4, 5, 6]], (2, 3)), [1, 0])
    Tensor(shape=(3, 2), items=[1, 4, 2, 5, 3, 6])
    """
    rank = len(x.shape)
    if len(permutation) != rank:
        raise Rejected("tr_c1", value=len(permutation), allowed=(rank, rank))
    for entry, axis in enumerate(permutation):
        if not 0 <= axis < rank:
            raise Rejected("tr_c2", entry=entry, value=axis, allowed=(0, rank - 1))
    for entry, axis in enumerate(permutation):
        if axis in permutation[:entry]:
            raise Rejected("tr_c3", entry=entry, value=axis)
    # tr_s1
    return build(
        [x.shape[axis] for axis in permutation],
        lambda index: x.at([index[permutation.index(axis)] for axis in range(rank)]),
    )


def reshape(x: Tensor, new_sizes: Sequence[int], dimensions: Sequence[int] | None = None) -> Tensor:
    """Return the items of `x` in another shape; `dimensions` is the order, slowest first, in which its axes are read.

    Raises `in_c9`, `in_c10`, `rs_c2`, `rs_c1` and `tr_c1`..`tr_c3`.
    Source: XLA's `InferReshapeShape`; its builder before 2025 for `dimensions`.

    >>> reshape(tensor([[1, 2, 3], [4, 5, 6]], (2, 3)), [6], [1, 0])
    Tensor(shape=(6,), items=[1, 4, 2, 5, 3, 6])
    """
    shape = checked_shape(new_sizes)
    if prod(shape) > INT64_MAX:
        raise Rejected("rs_c2")
    if prod(shape) != len(x.items):
        raise Rejected("rs_c1", value=prod(shape), allowed=(len(x.items), len(x.items)))
    if dimensions is not None:
        x = transpose(x, dimensions)  # rs_s2
    return Tensor(shape, x.items)  # rs_s1


def collapse(x: Tensor, dimensions: Sequence[int]) -> Tensor:
    """Return `x` with these axes, each the one after the last, made one.

    Raises `col_c1`..`col_c3`. Source: XLA's builder.

    >>> collapse(tensor([[[1, 2]], [[3, 4]]], (2, 1, 2)), [1, 2])
    Tensor(shape=(2, 2), items=[1, 2, 3, 4])
    """
    rank = len(x.shape)
    for entry, axis in enumerate(dimensions):
        next_axis = dimensions[0] + entry
        if axis != next_axis:
            raise Rejected("col_c1", entry=entry, value=axis, allowed=(next_axis, next_axis))
    for entry, axis in enumerate(dimensions):
        if not 0 <= axis < rank:
            raise Rejected("col_c2", entry=entry, value=axis, allowed=(0, rank - 1))
    if not dimensions:  # col_s2
        return x
    first, after = dimensions[0], dimensions[-1] + 1
    size = prod(x.shape[first:after])
    if size > INT64_MAX:
        raise Rejected("col_c3", axis=first)
    return Tensor((*x.shape[:first], size, *x.shape[after:]), x.items)  # col_s1


def select(pred: Tensor, on_true: Tensor, on_false: Tensor) -> Tensor:
    """Return the items of `on_true` where `pred` is true, and those of `on_false` elsewhere.

    Raises `sel_c1` and `sel_c4`. Source: XLA's `InferSelectShape`.

    >>> select(tensor([True, False], (2,)), tensor([1, 2], (2,)), tensor([3, 4], (2,)))
    Tensor(shape=(2,), items=[1, 4])
    """
    if on_true.shape != on_false.shape:
        raise Rejected("sel_c1", value=on_false.shape)
    if pred.shape not in ((), on_true.shape):
        raise Rejected("sel_c4", value=pred.shape)
    # sel_s1, sel_s2
    return build(on_true.shape, lambda index: (on_true if either(pred, index) else on_false).at(index))


def clamp(min: Tensor, x: Tensor, max: Tensor) -> Tensor:
    """Return `x`, its items raised to `min` and then lowered to `max`; a NaN in any of the three stays.

    Raises `cl_c2`. Source: XLA's `InferClampShape`, StableHLO's `clamp`.

    >>> clamp(tensor(0, ()), tensor([-1, 5, 9], (3,)), tensor(6, ()))
    Tensor(shape=(3,), items=[0, 5, 6])
    """
    for bound in (min, max):
        if bound.shape not in ((), x.shape):
            raise Rejected("cl_c2", value=bound.shape)

    def item(index: tuple[int, ...]) -> Any:  # cl_s1, cl_s2
        low, value, high = either(min, index), x.at(index), either(max, index)
        for number in (low, value, high):
            if number != number:
                return number
        raised = low if value < low else value
        return high if raised > high else raised

    return build(x.shape, item)


def either(x: Tensor, index: tuple[int, ...]) -> Any:
    """Return the item of `x` at `index`, or its only one.

    >>> either(tensor(5, ()), (1, 2))
    5
    """
    return x.at(index if x.shape else ())


# One axis


def checked_axis(x: Tensor, axis: int) -> int:
    """Return `axis`, counted from the end if negative. Raises `dim_c1`.

    >>> checked_axis(tensor([[1, 2]], (1, 2)), -1)
    1
    """
    rank = len(x.shape)
    if not -rank <= axis < rank:
        raise Rejected("dim_c1", value=axis, allowed=(-rank, rank - 1))
    return axis % rank  # dim_s1


def without_axis(x: Tensor, axis: int) -> Tensor:
    """Drop an axis whose dim is 1.

    >>> without_axis(tensor([[1, 2]], (1, 2)), 0)
    Tensor(shape=(2,), items=[1, 2])
    """
    return Tensor((*x.shape[:axis], *x.shape[axis + 1 :]), x.items)


def slice_in_dim(
    x: Tensor,
    start_index: int | None,
    limit_index: int | None,
    stride: int = 1,
    axis: int = 0,
    allow_negative_indices: bool = False,
) -> Tensor:
    """Return a slice along one axis; None is the axis' own end.

    Raises `dim_c1` and `sl_c4`..`sl_c7`. Source: JAX's `slice_in_dim`.

    >>> slice_in_dim(tensor([0, 1, 2, 3, 4], (5,)), -3, None, 2, allow_negative_indices=True)
    Tensor(shape=(2,), items=[2, 4])
    """
    axis = checked_axis(x, axis)
    dim = x.shape[axis]

    def counted(bound: int) -> int:  # dim_s2
        return bound + dim if allow_negative_indices and bound < 0 else bound

    # dim_s3
    start = 0 if start_index is None else counted(start_index)
    limit = dim if limit_index is None else counted(limit_index)
    if start < 0:
        raise Rejected("sl_c4", axis=axis, value=start_index, allowed=(0, dim))
    if limit > dim:
        raise Rejected("sl_c5", axis=axis, value=limit_index, allowed=(0, dim))
    if limit < start:
        raise Rejected("sl_c6", axis=axis, value=limit_index, allowed=(start, dim))
    if stride <= 0:
        raise Rejected("sl_c7", axis=axis, value=stride, allowed=(1, INT64_MAX))
    starts, limits, strides = [0] * len(x.shape), list(x.shape), [1] * len(x.shape)
    starts[axis], limits[axis], strides[axis] = start, limit, stride
    return slice(x, starts, limits, strides)


def index_in_dim(
    x: Tensor, index: int, axis: int = 0, keepdims: bool = True, allow_negative_indices: bool = False
) -> Tensor:
    """Return one place of an axis, which stays with dim 1 or goes.

    Raises `dim_c1` and `dim_c2`. Source: JAX's `index_in_dim`.

    >>> index_in_dim(tensor([[1, 2, 3], [4, 5, 6]], (2, 3)), 2, 1, keepdims=False)
    Tensor(shape=(2,), items=[3, 6])
    """
    axis = checked_axis(x, axis)
    dim = x.shape[axis]
    first = -dim if allow_negative_indices else 0
    if not first <= index < dim:
        raise Rejected("dim_c2", axis=axis, value=index, allowed=(first, dim - 1))
    taken = slice_in_dim(x, index % dim, index % dim + 1, 1, axis)
    return taken if keepdims else without_axis(taken, axis)  # dim_s4


def without_entry(operation: Callable[..., Tensor], *args: Any) -> Tensor:
    """Call `operation` and drop the entry from its rejection: the forms for one axis have no lists.

    >>> without_entry(dynamic_slice, tensor([1, 2, 3], (3,)), [1], [2])
    Tensor(shape=(2,), items=[2, 3])
    """
    try:
        return operation(*args)
    except Rejected as rejected:
        rejected.entry = None
        raise


def dynamic_slice_in_dim(
    x: Tensor,
    start_index: int,
    slice_size: int,
    axis: int = 0,
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool = False,
    fill_value: Any = None,
) -> Tensor:
    """Return a window along one axis, the other axes whole.

    Raises `ds_c6`, `ds_c8`, `dim_c1`, `ds_c3`, `ds_c4` and `ds_c5`. Source: JAX's `dynamic_slice_in_dim`.

    >>> dynamic_slice_in_dim(tensor([0, 1, 2, 3, 4], (5,)), 9, 3)
    Tensor(shape=(3,), items=[2, 3, 4])
    """
    check_read_policy(out_of_bounds, fill_value)
    axis = checked_axis(x, axis)
    starts, sizes = [0] * len(x.shape), list(x.shape)
    starts[axis], sizes[axis] = start_index, slice_size
    return without_entry(dynamic_slice, x, starts, sizes, out_of_bounds, allow_negative_indices, fill_value)


def dynamic_index_in_dim(
    x: Tensor,
    index: int,
    axis: int = 0,
    keepdims: bool = True,
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool = False,
    fill_value: Any = None,
) -> Tensor:
    """Return one place of an axis, which stays with dim 1 or goes.

    Raises `ds_c6`, `ds_c8`, `dim_c1`, `ds_c4` and `ds_c5`. Source: JAX's `dynamic_index_in_dim`.

    >>> dynamic_index_in_dim(tensor([0, 1, 2, 3, 4], (5,)), 9, keepdims=False)
    Tensor(shape=(), items=[4])
    """
    taken = dynamic_slice_in_dim(x, index, 1, axis, out_of_bounds, allow_negative_indices, fill_value)
    return taken if keepdims else without_axis(taken, checked_axis(x, axis))


def dynamic_update_slice_in_dim(
    x: Tensor,
    update: Tensor,
    start_index: int,
    axis: int,
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool = False,
) -> Tensor:
    """Return `x` with `update` in place of a window along one axis, at 0 of all others.

    Raises `ds_c6`, `dim_c1`, `dus_c2`, `dus_c3` and `dus_c5`. Source: JAX's `dynamic_update_slice_in_dim`.

    >>> dynamic_update_slice_in_dim(tensor([0, 1, 2, 3, 4], (5,)), tensor([70, 80], (2,)), 9, 0)
    Tensor(shape=(5,), items=[0, 1, 2, 70, 80])
    """
    check_policy(out_of_bounds)
    starts = [0] * len(x.shape)
    starts[checked_axis(x, axis)] = start_index
    return without_entry(dynamic_update_slice, x, update, starts, out_of_bounds, allow_negative_indices)


def dynamic_update_index_in_dim(
    x: Tensor,
    update: Tensor,
    index: int,
    axis: int,
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool = False,
) -> Tensor:
    """Return `x` with `update`, which may lack the axis, in place of one place of an axis, at 0 of all others.

    Raises what `dynamic_update_slice_in_dim` does. Source: JAX's `dynamic_update_index_in_dim`.

    >>> dynamic_update_index_in_dim(tensor([[1, 2], [3, 4]], (2, 2)), tensor([7, 8], (2,)), 0, 1)
    Tensor(shape=(2, 2), items=[7, 2, 8, 4])
    """
    check_policy(out_of_bounds)
    axis = checked_axis(x, axis)
    if len(update.shape) == len(x.shape) - 1:  # dim_s5
        update = Tensor((*update.shape[:axis], 1, *update.shape[axis:]), update.items)
    return dynamic_update_slice_in_dim(x, update, index, axis, out_of_bounds, allow_negative_indices)
