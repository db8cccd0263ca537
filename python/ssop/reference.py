"""The contract once more in plain Python: one formula per operation, to be read, and to hold the C core against.

It shares no code with the C core and needs nothing but the standard library. Every operation makes the checks of
SPEC.md in SPEC.md's order, each under its label, and then walks over the indices of the *result* and says for each of
them where its item comes from. Speed is no aim.

Indices and masks are taken to be ints here, and items have neither dtype nor memory: the rules `in_*`, `out_*`,
`mem_*`, `as_c2` and `dus_c4` have nothing to say about this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

INT64_MAX = 2**63 - 1

Range: TypeAlias = tuple[int, int, int]
"""Start, count and step: what is taken of one input axis."""

Region: TypeAlias = tuple[tuple[Range, ...], tuple[int, ...]]
"""A range per input axis, and per output axis the input axis it comes from, -1 for a new one."""


class Refused(Exception):
    """The call breaks the rule `label`; the other attributes say where, as the table of errors in SPEC.md does.

    >>> Refused("ss_c5", axis=1, entry=1, value=0)
    Refused('ss_c5', axis=1, entry=1, value=0, allowed=None)
    """

    def __init__(
        self,
        label: str,
        *,
        axis: int | None = None,
        entry: int | None = None,
        value: Any = None,
        allowed: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(label)
        self.label, self.axis, self.entry, self.value, self.allowed = label, axis, entry, value, allowed

    def __repr__(self) -> str:
        fields = f"axis={self.axis}, entry={self.entry}, value={self.value!r}, allowed={self.allowed}"
        return f"Refused({self.label!r}, {fields})"

    __str__ = __repr__


class Tensor(NamedTuple):
    """A shape, and in C order as many items as it has indices."""

    shape: tuple[int, ...]
    items: list[Any]

    def at(self, index: Sequence[int]) -> Any:
        """The item at `index`, one int inside `0..dim-1` per axis.

        >>> tensor([[1, 2], [3, 4]], (2, 2)).at((1, 0))
        3
        """
        position = 0
        for i, dim in zip(index, self.shape, strict=True):
            if not 0 <= i < dim:
                raise IndexError(f"{index} is outside {self.shape}")
            position = position * dim + i
        return self.items[position]


def tensor(nested: Any, shape: Sequence[int]) -> Tensor:
    """Make a tensor of `shape` from lists nested as deep as the shape is long.

    >>> tensor([[1, 2, 3]], (1, 3))
    Tensor(shape=(1, 3), items=[1, 2, 3])
    """
    items = [nested]
    for dim in shape:
        if any(len(row) != dim for row in items):
            raise ValueError(f"the lists do not have shape {tuple(shape)}")
        items = [item for row in items for item in row]
    return Tensor(tuple(shape), items)


def build(shape: Sequence[int], item: Callable[[tuple[int, ...]], Any]) -> Tensor:
    """Make the tensor of `shape` whose item at each index is `item(index)`.

    >>> build((2, 2), sum)
    Tensor(shape=(2, 2), items=[0, 1, 1, 2])
    """
    return Tensor(tuple(shape), [item(index) for index in product(*map(range, shape))])


# Regions


def canonical(taken: range) -> Range:
    """Return the only range that takes the same indices in the same order (rg_s1).

    >>> canonical(range(7, 3, -2)), canonical(range(7, 3, -4)), canonical(range(7, 7, -1))
    ((7, 2, -2), (7, 1, 1), (0, 0, 1))
    """
    count = len(taken)
    if count == 0:
        return 0, 0, 1
    return taken.start, count, taken.step if count > 1 else 1


def region_shape(ranges: Sequence[Range], out_axes: Sequence[int]) -> tuple[int, ...]:
    """Return the shape of what a region takes.

    >>> region_shape([(0, 3, 1), (5, 1, 1)], [0, -1])
    (3, 1)
    """
    return tuple(1 if axis == -1 else ranges[axis][1] for axis in out_axes)


def take(x: Tensor, ranges: Sequence[Range], out_axes: Sequence[int]) -> Tensor:
    """Take a region of `x`: place `k` of an axis is `start + k * step`, and a dropped axis is at its start.

    >>> take(tensor([[1, 2, 3], [4, 5, 6]], (2, 3)), [(1, 1, 1), (2, 2, -2)], [-1, 1])
    Tensor(shape=(1, 2), items=[6, 4])
    """

    def item(index: tuple[int, ...]) -> Any:
        place = dict(zip(out_axes, index, strict=True))
        return x.at([start + place.get(axis, 0) * step for axis, (start, _, step) in enumerate(ranges)])

    return build(region_shape(ranges, out_axes), item)


# StridedSlice


def bit(mask: int, entry: int) -> bool:
    """Tell whether entry `entry` has its bit in an int32 mask; -1 has them all (ss_s9).

    >>> bit(0b100, 2), bit(-1, 30)
    (True, True)
    """
    return bool(mask >> entry & 1)


def dense_spec(
    rank: int, length: int, ellipsis_mask: int, new_axis_mask: int, shrink_axis_mask: int
) -> Iterator[tuple[str, int, int | None]]:
    """Give `(kind, input axis, entry)` for every place of a spec of `length` entries whose ellipsis is spelt out.

    The kinds are "whole" (under the ellipsis, of no entry), "new" (of no axis: -1), "shrink" and "range".
    Raises `ss_c4`. Source: the sparse-to-dense step of TensorFlow's `ValidateStridedSliceOp`.

    >>> list(dense_spec(3, 2, 0b01, 0, 0b10))
    [('whole', 0, None), ('whole', 1, None), ('shrink', 2, 1)]
    """
    # ss_s2, ss_s8: without an ellipsis bit among its entries, the spec has one more entry, which is the ellipsis.
    ellipsis = next((entry for entry in range(length) if bit(ellipsis_mask, entry)), length)
    axis = 0
    for entry in range(max(length, ellipsis + 1)):
        if entry == ellipsis:  # ss_s1: before the bits that lose against it
            needed = sum(not bit(new_axis_mask, later) for later in range(entry + 1, length))
            for whole in range(axis, rank - needed):
                yield "whole", whole, None
            axis = max(axis, rank - needed)
        elif bit(new_axis_mask, entry):  # ss_s3
            yield "new", -1, entry
        elif axis == rank:
            raise Refused("ss_c4", axis=axis, entry=entry)
        else:
            yield "shrink" if bit(shrink_axis_mask, entry) else "range", axis, entry
            axis += 1


def axis_range(dim: int, begin: int, end: int, stride: int, begin_masked: bool, end_masked: bool) -> range:
    """Return the indices that `begin:end:stride` takes of an axis, in order; nothing is refused.

    Source: the canonical begin and end of TensorFlow's `ValidateStridedSliceOp`.

    >>> list(axis_range(4, 9, -1, -2, False, True)), list(axis_range(4, 9, -1, -2, False, False))
    ([3, 1], [])
    """
    low, high = (0, dim) if stride > 0 else (-1, dim - 1)

    def clamped(bound: int) -> int:  # ss_s4
        return min(max(bound + dim if bound < 0 else bound, low), high)

    first, last = (low, high) if stride > 0 else (high, low)  # ss_s5
    return range(first if begin_masked else clamped(begin), last if end_masked else clamped(end), stride)  # ss_s6


def strided_slice_region(
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Region:
    """Return the region of `shape` that a spec takes: a range per input axis, and where each output axis comes from.

    `begin`, `end` and `strides` have one length, at most 31. Raises `ss_c1`..`ss_c8`.
    Source: TensorFlow's OpDef of StridedSlice and `ValidateStridedSliceOp`.

    >>> strided_slice_region((5, 6), [-1, 0], [0, 6], [1, 4], shrink_axis_mask=1)
    (((4, 1, 1), (0, 2, 4)), (1,))
    """
    if strides is None:
        strides = [1] * len(begin)
    if not len(begin) == len(end) == len(strides):
        raise Refused("ss_c1")
    if len(begin) > 31:
        raise Refused("ss_c2", value=len(begin), allowed=(0, 31))
    if (ellipsis_mask & 0xFFFFFFFF).bit_count() > 1:
        raise Refused("ss_c3", value=ellipsis_mask)
    dense = list(dense_spec(len(shape), len(begin), ellipsis_mask, new_axis_mask, shrink_axis_mask))  # ss_c4
    out_axes = tuple(axis for kind, axis, _ in dense if kind != "shrink")
    if len(out_axes) > 64:
        raise Refused("ss_c8", value=len(out_axes), allowed=(0, 64))

    ranges = []
    for kind, axis, i in dense:
        if kind == "new":
            continue
        dim = shape[axis]
        if i is None:
            ranges.append(canonical(range(dim)))
            continue
        if strides[i] == 0:
            raise Refused("ss_c5", axis=axis, entry=i, value=0)
        if kind == "range":
            taken = axis_range(dim, begin[i], end[i], strides[i], bit(begin_mask, i), bit(end_mask, i))
            ranges.append(canonical(taken))
            continue
        if strides[i] < 0:
            raise Refused("ss_c6", axis=axis, entry=i, value=strides[i], allowed=(1, INT64_MAX))
        if not -dim <= begin[i] < dim:
            raise Refused("ss_c7", axis=axis, entry=i, value=begin[i], allowed=(-dim, dim - 1))
        ranges.append((begin[i] + dim if begin[i] < 0 else begin[i], 1, 1))  # ss_s7
    return tuple(ranges), out_axes


def strided_slice(
    x: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Return what a spec takes of `x`, of the shape of `strided_slice_region`, with the same errors.

    >>> strided_slice(tensor([[1, 2, 3], [4, 5, 6]], (2, 3)), [1, -1], [0, 0], [1, -2], end_mask=2, shrink_axis_mask=1)
    Tensor(shape=(2,), items=[6, 4])
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    return take(x, *strided_slice_region(x.shape, begin, end, strides, *masks))


Unknown: TypeAlias = int | tuple[int, int]
"""A number, or the inclusive pair `(low, high)` it is known to lie in."""


def strided_slice_counts(
    dims: Sequence[Unknown],
    begin: Sequence[Unknown],
    end: Sequence[Unknown],
    strides: Sequence[Unknown],
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> tuple[tuple[int, int], ...]:
    """Return the least and the greatest count of each output axis, by trying every completion of the pairs (ss_s10).

    Illegal completions count for nothing; if all are illegal, the last one's error is raised.

    >>> strided_slice_counts([(0, 5)], [-3], [2], [1])
    ((0, 2),)
    """

    def completions(numbers: Sequence[Unknown]) -> Iterator[tuple[int, ...]]:
        pairs = [(number, number) if isinstance(number, int) else number for number in numbers]
        return product(*(range(low, high + 1) for low, high in pairs))

    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    shapes: list[tuple[int, ...]] = []
    refused: Refused | None = None
    for shape, begins, ends, steps in product(*map(completions, (dims, begin, end, strides))):
        try:
            shapes.append(region_shape(*strided_slice_region(shape, begins, ends, steps, *masks)))
        except Refused as error:
            refused = error
    if refused is not None and not shapes:
        raise refused
    return tuple((min(counts), max(counts)) for counts in zip(*shapes, strict=True))


# TensorFlow's gradient, update and Slice


def origin(index: Sequence[int], ranges: Sequence[Range], out_axes: Sequence[int]) -> list[int] | None:
    """Return where in what a region takes the item at `index` of its input comes out, None if it is not taken.

    >>> origin((1, 6), [(1, 1, 1), (8, 3, -2)], [-1, 1]), origin((1, 7), [(1, 1, 1), (8, 3, -2)], [-1, 1])
    ([0, 1], None)
    """
    taken = [range(start, start + count * step, step) for start, count, step in ranges]
    if not all(i in places for i, places in zip(index, taken, strict=True)):
        return None
    return [0 if axis == -1 else taken[axis].index(index[axis]) for axis in out_axes]


def strided_slice_grad(
    shape: Sequence[int],
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None,
    dy: Tensor,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    zero: Any = 0,
) -> Tensor:
    """Return zeros of `shape` with `dy` where the slice of them would be.

    Raises `ss_c1`..`ss_c8`, `gr_c1`. Source: TensorFlow's kernel of StridedSliceGrad.

    >>> strided_slice_grad((5,), [-1], [0], [-2], tensor([1, 2], (2,)))
    Tensor(shape=(5,), items=[0, 0, 2, 0, 1])
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    region = strided_slice_region(shape, begin, end, strides, *masks)
    taken = region_shape(*region)
    if dy.shape != taken:
        pairs = zip(dy.shape, taken, strict=True) if len(dy.shape) == len(taken) else ()
        raise Refused("gr_c1", axis=next((i for i, (a, b) in enumerate(pairs) if a != b), None), value=dy.shape)

    def item(index: tuple[int, ...]) -> Any:  # gr_s1
        place = origin(index, *region)
        return zero if place is None else dy.at(place)

    return build(shape, item)


def tensor_strided_slice_update(
    x: Tensor,
    begin: Sequence[int],
    end: Sequence[int],
    strides: Sequence[int] | None,
    value: Tensor,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Tensor:
    """Return `x` with `value`, repeated where it is shorter, in place of a slice.

    Raises `ss_c1`..`ss_c8`, `as_c1`. Source: TensorFlow's kernels of StridedSliceAssign and TensorStridedSliceUpdate.

    >>> tensor_strided_slice_update(tensor([0, 1, 2, 3, 4], (5,)), [-1], [0], [-2], tensor([[7]], (1, 1)))
    Tensor(shape=(5,), items=[0, 1, 7, 3, 7])
    """
    masks = begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask
    region = strided_slice_region(x.shape, begin, end, strides, *masks)
    if any(count == 0 for _, count, _ in region[0]):  # as_s2
        return x
    taken = region_shape(*region)
    extra = len(value.shape) - len(taken)
    for axis, dim in enumerate(value.shape):
        if dim != 1 and (axis < extra or dim != taken[axis - extra]):
            raise Refused("as_c1", axis=axis if axis < extra else axis - extra, value=value.shape)

    def item(index: tuple[int, ...]) -> Any:
        place = origin(index, *region)
        if place is None:
            return x.at(index)
        return value.at([0 if dim == 1 else place[axis - extra] for axis, dim in enumerate(value.shape)])  # as_s1

    return build(x.shape, item)


def tf_slice_region(shape: Sequence[int], begin: Sequence[int], size: Sequence[int]) -> Region:
    """Return the region of `shape` that TensorFlow's Slice takes; both lists have one entry per axis.

    Raises `tsl_c1`..`tsl_c3`. Source: TensorFlow's kernel of Slice.

    >>> tf_slice_region((5, 6), [1, 6], [3, -1])
    (((1, 3, 1), (0, 0, 1)), (0, 1))
    """
    rank = len(shape)
    if not len(begin) == len(size) == rank:
        raise Refused("tsl_c1")
    ranges = []
    for axis, dim in enumerate(shape):
        first, length = begin[axis], size[axis]
        if not 0 <= first <= dim:
            raise Refused("tsl_c2", axis=axis, entry=axis, value=first, allowed=(0, dim))
        if length != -1 and not 0 <= length <= dim - first:
            raise Refused("tsl_c3", axis=axis, entry=axis, value=length, allowed=(0, dim - first))
        ranges.append(canonical(range(first, dim if length == -1 else first + length)))  # tsl_s1
    return tuple(ranges), tuple(range(rank))


def tf_slice(x: Tensor, begin: Sequence[int], size: Sequence[int]) -> Tensor:
    """Return what TensorFlow's Slice takes of `x`, with the errors of `tf_slice_region`.

    >>> tf_slice(tensor([0, 1, 2, 3, 4], (5,)), [2], [-1])
    Tensor(shape=(3,), items=[2, 3, 4])
    """
    return take(x, *tf_slice_region(x.shape, begin, size))


# Slice


def slice_region(
    shape: Sequence[int],
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Region:
    """Return the region of `shape` that XLA's Slice takes; the three lists have one entry per axis.

    Raises `sl_c1`..`sl_c7`. Source: XLA's `InferSliceShape`, StableHLO's `slice`.

    >>> slice_region((5, 6), [1, 6], [4, 6], [2, 1])
    (((1, 2, 2), (0, 0, 1)), (0, 1))
    """
    rank = len(shape)
    if strides is None:
        strides = [1] * len(start_indices)
    if len(start_indices) != len(limit_indices):
        raise Refused("sl_c1")
    if len(start_indices) != len(strides):
        raise Refused("sl_c2")
    if len(start_indices) != rank:
        raise Refused("sl_c3", value=len(start_indices), allowed=(rank, rank))

    ranges = []
    for axis, dim in enumerate(shape):
        start, limit, stride = start_indices[axis], limit_indices[axis], strides[axis]
        if start < 0:
            raise Refused("sl_c4", axis=axis, entry=axis, value=start, allowed=(0, dim))
        if limit > dim:
            raise Refused("sl_c5", axis=axis, entry=axis, value=limit, allowed=(0, dim))
        if limit < start:
            raise Refused("sl_c6", axis=axis, entry=axis, value=limit, allowed=(start, dim))
        if stride <= 0:
            raise Refused("sl_c7", axis=axis, entry=axis, value=stride, allowed=(1, INT64_MAX))
        ranges.append(canonical(range(start, limit, stride)))  # sl_s1
    return tuple(ranges), tuple(range(rank))


def slice(
    x: Tensor,
    start_indices: Sequence[int],
    limit_indices: Sequence[int],
    strides: Sequence[int] | None = None,
) -> Tensor:
    """Return what XLA's Slice takes of `x`, with the errors of `slice_region`.

    >>> slice(tensor([0, 1, 2, 3, 4], (5,)), [1], [5], [2])
    Tensor(shape=(2,), items=[1, 3])
    """
    return take(x, *slice_region(x.shape, start_indices, limit_indices, strides))


# DynamicSlice and DynamicUpdateSlice


def check_policy(out_of_bounds: str) -> None:
    """Raise `ds_c6` for a policy that does not exist.

    >>> check_policy("clamp")
    """
    if out_of_bounds not in ("clamp", "wrap", "raise"):
        raise Refused("ds_c6", value=out_of_bounds)


def per_axis(allow_negative_indices: bool | Sequence[bool], rank: int) -> Sequence[bool]:
    """Return one bool per axis. Raises `ds_c7`.

    >>> per_axis(True, 2)
    [True, True]
    """
    if isinstance(allow_negative_indices, bool):
        return [allow_negative_indices] * rank
    if len(allow_negative_indices) != rank:
        raise Refused("ds_c7", value=len(allow_negative_indices), allowed=(rank, rank))
    return allow_negative_indices


def window(dim: int, start: int, size: int, out_of_bounds: str) -> Sequence[int]:
    """Return the `size` indices of an axis that a window starting at `start` covers, in order; `size` is at most `dim`.

    A start of any width does (ds_s4). Source: XLA today for "clamp", XLA before May 2018 for "wrap".

    >>> list(window(8, 6, 4, "clamp")), window(8, 6, 4, "wrap")
    ([4, 5, 6, 7], [6, 7, 0, 1])
    """
    if out_of_bounds == "wrap":
        return [(start + i) % dim for i in range(size)]  # ds_s2
    inside = min(max(start, 0), dim - size)  # ds_s1
    return range(inside, inside + size)


def dynamic_slice(
    x: Tensor,
    start_indices: Sequence[int],
    slice_sizes: Sequence[int],
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool | Sequence[bool] = False,
) -> Tensor:
    """Return the window of shape `slice_sizes` at `start_indices`; both lists have one entry per axis.

    Raises `ds_c1`..`ds_c7`. Source: XLA's `InferDynamicSliceShape`, StableHLO's `dynamic_slice`.

    >>> dynamic_slice(tensor([0, 1, 2, 3, 4], (5,)), [4], [2])
    Tensor(shape=(2,), items=[3, 4])
    """
    rank = len(x.shape)
    check_policy(out_of_bounds)
    if len(start_indices) != rank:
        raise Refused("ds_c1", value=len(start_indices), allowed=(rank, rank))
    if len(slice_sizes) != rank:
        raise Refused("ds_c2", value=len(slice_sizes), allowed=(rank, rank))
    from_the_end = per_axis(allow_negative_indices, rank)

    windows = []
    for axis, dim in enumerate(x.shape):
        start, size = start_indices[axis], slice_sizes[axis]
        if size < 0:
            raise Refused("ds_c3", axis=axis, entry=axis, value=size, allowed=(0, dim))
        if size > dim:
            raise Refused("ds_c4", axis=axis, entry=axis, value=size, allowed=(0, dim))
        counted = start + dim if from_the_end[axis] and start < 0 else start  # ds_s3
        if out_of_bounds == "raise" and not 0 <= counted <= dim - size:
            raise Refused("ds_c5", axis=axis, entry=axis, value=start, allowed=(0, dim - size))
        windows.append(window(dim, counted, size, out_of_bounds))
    return build(slice_sizes, lambda index: x.at([covered[i] for covered, i in zip(windows, index, strict=True)]))


def dynamic_update_slice(
    x: Tensor,
    update: Tensor,
    start_indices: Sequence[int],
    out_of_bounds: str = "clamp",
    allow_negative_indices: bool | Sequence[bool] = False,
) -> Tensor:
    """Return `x` with `update`, which has its rank, in place of the window of that shape at `start_indices`.

    Raises `ds_c6`, `dus_c1`, `dus_c2`, `ds_c7`, `dus_c3` and `dus_c5`.
    Source: XLA's `InferDynamicUpdateSliceShape`, StableHLO's `dynamic_update_slice`.

    >>> dynamic_update_slice(tensor([0, 1, 2, 3, 4], (5,)), tensor([70, 80], (2,)), [-1])
    Tensor(shape=(5,), items=[70, 80, 2, 3, 4])
    """
    rank = len(x.shape)
    check_policy(out_of_bounds)
    if len(start_indices) != rank:
        raise Refused("dus_c1", value=len(start_indices), allowed=(rank, rank))
    if len(update.shape) != rank:
        raise Refused("dus_c2", value=len(update.shape), allowed=(rank, rank))
    from_the_end = per_axis(allow_negative_indices, rank)

    windows = []
    for axis, (dim, size) in enumerate(zip(x.shape, update.shape, strict=True)):
        start = start_indices[axis]
        if size > dim:
            raise Refused("dus_c3", axis=axis, entry=axis, value=size, allowed=(0, dim))
        counted = start + dim if from_the_end[axis] and start < 0 else start  # ds_s3
        if out_of_bounds == "raise" and not 0 <= counted <= dim - size:
            raise Refused("dus_c5", axis=axis, entry=axis, value=start, allowed=(0, dim - size))
        windows.append(window(dim, counted, size, out_of_bounds))

    def item(index: tuple[int, ...]) -> Any:  # dus_s1
        pairs = list(zip(windows, index, strict=True))
        if all(i in covered for covered, i in pairs):
            return update.at([covered.index(i) for covered, i in pairs])
        return x.at(index)

    return build(x.shape, item)
