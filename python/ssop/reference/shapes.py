"""Partial shapes, merge, relax and the other rules of TensorFlow's shape inference.

A dim is an interval with an identity, a shape is dims with an identity. Every rule is a function; where TensorFlow
knows less than the arguments say, it has two modes (sh_s2): "tf" answers as TensorFlow does, "tight" with the smallest
interval that follows. Source: TensorFlow's `shape_inference.h` and `shape_inference.cc`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from ssop.reference._dims import (
    AsDim,
    Dim,
    Pair,
    add,
    dim,
    dim_text,
    divide,
    is_known,
    is_same,
    maximum,
    merge_dims,
    minimum,
    multiply,
    new_id,
    relax_dims,
    subtract,
    with_value,
)
from ssop.reference._strided import axis_range, bit, dense_spec
from ssop.reference._tensors import INT64_MAX, Rejected

__all__ = [
    "Dim", "Shape", "add", "completions", "concatenate", "dim", "dim_at", "divide", "from_tensor", "infer",
    "is_known", "is_same", "maximum", "merge", "merge_dims", "merge_prefix", "minimum", "multiply",
    "num_elements", "relax", "relax_dims", "replace_dim", "shape", "strided_slice", "subshape", "subtract",
    "text", "tf_slice", "vector_completions", "with_rank", "with_rank_at_least", "with_rank_at_most",
    "with_value",
]  # fmt: skip

MAX_RANK = 64


class Shape(NamedTuple):
    """Dims, or None for an unknown rank; shapes with the same id are the same handle (sh_s1)."""

    dims: tuple[Dim, ...] | None
    """The dims, or None for an unknown rank."""
    id: int
    """The same number for the same handle."""


AsShape: TypeAlias = "Sequence[AsDim] | Shape | None"


def shape(dims: AsShape = None) -> Shape:
    """Make a shape of anything that makes dims, or one of unknown rank. A Shape is returned as it is.

    >>> text(shape([2, None, (1, 4)])), text(shape())
    ('[2,?,1..4]', '?')
    """
    if isinstance(dims, Shape):
        return dims
    if dims is None:
        return Shape(None, new_id())
    if len(dims) > MAX_RANK:
        raise Rejected("in_c9", value=len(dims), allowed=(0, MAX_RANK))
    return Shape(tuple(map(dim, dims)), new_id())


def text(value: Dim | Shape) -> str:
    """Return a dim or a shape as TensorFlow's messages write it.

    >>> text(dim((2, None))), text(shape([]))
    ('2..', '[]')
    """
    if isinstance(value, Shape):
        return "?" if value.dims is None else f"[{','.join(map(text, value.dims))}]"
    return dim_text(value)


# Merge and relax


def merge(a: Shape, b: Shape) -> Shape:
    """Return what both shapes say together: one of the two if it says as much (sh_s3). Raises `sh_c1`, `sh_c2`.

    >>> text(merge(shape([2, None]), shape([None, 2])))
    '[2,2]'
    >>> merge(shape([2, 2]), shape([1, 2]))
    Traceback (most recent call last):
    ssop.reference._tensors.Rejected: Rejected('sh_c2', axis=0, entry=None, value=((2, 2), (1, 1)), allowed=None)
    """
    if a.id == b.id or b.dims is None:
        return a
    if a.dims is None:
        return b
    if len(a.dims) != len(b.dims):
        raise Rejected("sh_c1", value=(len(a.dims), len(b.dims)))
    merged = []
    for axis, (first, second) in enumerate(zip(a.dims, b.dims, strict=True)):
        try:
            merged.append(merge_dims(first, second))
        except Rejected as error:
            raise Rejected("sh_c2", axis=axis, value=error.value) from None
    intervals = [each[:2] for each in merged]
    given = (s for s in (a, b) if [each[:2] for each in s.dims or ()] == intervals)
    return next(given, None) or shape(merged)


def relax(old: Shape, new: Shape, mode: str = "tight") -> Shape:
    """Return what either shape allows (sh_s4).

    >>> text(relax(shape([2, 2]), shape([3, 2]))), text(relax(shape([2, 2]), shape([3, 2]), "tf"))
    ('[2..3,2]', '[?,2]')
    >>> text(relax(shape([2, 2]), shape([1, 2, 3])))
    '?'
    """
    if old.id == new.id:
        return old
    if new.dims is None:
        return new
    if old.dims is None or len(old.dims) != len(new.dims):
        return shape()
    relaxed = tuple(relax_dims(first, second, mode) for first, second in zip(old.dims, new.dims, strict=True))
    return old if relaxed == old.dims else shape(relaxed)


def merge_prefix(s: Shape, prefix: Shape) -> tuple[Shape, Shape]:
    """Merge `prefix` with the first dims of a shape; return the shape and the prefix. Raises `sh_c3`, `sh_c5`.

    >>> [text(each) for each in merge_prefix(shape([2, None, 4]), shape([None, 3]))]
    ['[2,3,4]', '[2,3]']
    """
    if s.dims is None or prefix.dims is None:
        return s, prefix
    with_rank_at_least(s, len(prefix.dims))
    merged = []
    for axis, (first, second) in enumerate(zip(s.dims, prefix.dims, strict=False)):
        try:
            merged.append(merge_dims(first, second))
        except Rejected as error:
            raise Rejected("sh_c3", axis=axis, value=error.value) from None
    return shape([*merged, *s.dims[len(merged) :]]), shape(merged)


# Ranks and values


def with_rank(s: Shape, rank: int) -> Shape:
    """Return the shape if it has this rank; unknown dims if its rank is unknown (sh_s8). Raises `sh_c4`, `sh_c7`.

    >>> text(with_rank(shape(), 2))
    '[?,?]'
    """
    if not 0 <= rank <= MAX_RANK:
        raise Rejected("sh_c7", value=rank, allowed=(0, MAX_RANK))
    if s.dims is not None and len(s.dims) != rank:
        raise Rejected("sh_c4", value=len(s.dims), allowed=(rank, rank))
    return shape([None] * rank) if s.dims is None else s


def with_rank_at_least(s: Shape, rank: int) -> Shape:
    """Return the shape unless it has fewer axes (sh_s8). Raises `sh_c5`.

    >>> text(with_rank_at_least(shape([2, 3]), 1)), text(with_rank_at_least(shape(), 1))
    ('[2,3]', '?')
    """
    if s.dims is not None and len(s.dims) < rank:
        raise Rejected("sh_c5", value=len(s.dims), allowed=(rank, MAX_RANK))
    return s


def with_rank_at_most(s: Shape, rank: int) -> Shape:
    """Return the shape unless it has more axes (sh_s8). Raises `sh_c6`.

    >>> text(with_rank_at_most(shape([2]), 1)), text(with_rank_at_most(shape(), 1))
    ('[2]', '?')
    """
    if s.dims is not None and len(s.dims) > rank:
        raise Rejected("sh_c6", value=len(s.dims), allowed=(0, rank))
    return s


# Axes


def dim_at(s: Shape, axis: int) -> Dim:
    """Return the dim of an axis; negative axes count from the end. Raises `sh_c11`.

    >>> text(dim_at(shape([2, 3]), -1)), text(dim_at(shape(), 9))
    ('3', '?')
    """
    if s.dims is None:
        return dim()
    if not -len(s.dims) <= axis < len(s.dims):
        raise Rejected("sh_c11", value=axis, allowed=(-len(s.dims), len(s.dims) - 1))
    return s.dims[axis]


def replace_dim(s: Shape, axis: int, new: Dim) -> Shape:
    """Return the shape with another dim on an axis. Raises `sh_c11`.

    >>> text(replace_dim(shape([2, 3]), -2, dim()))
    '[?,3]'
    """
    if s.dims is None:
        return shape()
    dim_at(s, axis)
    dims = list(s.dims)
    dims[axis] = new
    return shape(dims)


def subshape(s: Shape, start: int = 0, end: int | None = None, stride: int = 1) -> Shape:
    """Return the dims of the axes `start`, `start + stride`, .. before `end` (sh_s9). Raises `sh_c9`, `sh_c10`,
    `sh_c21`.

    A bound above the rank is the rank, and a bound below 0 counts from the end. A bound that is then still below 0 is
    an error, and so is an end on the wrong side of the start.

    >>> text(subshape(shape([1, 2, 3, 4]), 1, -1)), text(subshape(shape([1, 2, 3, 4]), -1, 0, -2))
    ('[2,3]', '[4,2]')
    """
    if stride == 0:
        raise Rejected("sh_c21", value=0)
    end_in = INT64_MAX if end is None else end
    if (start, stride, end_in) == (0, 1, INT64_MAX):
        return s
    if s.dims is None:
        return shape()
    rank = len(s.dims)
    if start == 0 and stride == 1 and end_in >= rank:
        return s
    first, last = min(start, rank), min(end_in, rank)
    if stride < 0 and first == rank:
        first -= 1
    for given, bound in ((start, first), (end_in, last)):
        if bound + rank < 0:
            raise Rejected("sh_c9", value=given, allowed=(-rank, rank))
    first, last = (bound + rank if bound < 0 else bound for bound in (first, last))
    if first < 0:  # of rank 0, a negative stride has nowhere to start
        raise Rejected("sh_c9", value=start, allowed=(-rank, rank))
    if first > last if stride > 0 else first < last:
        raise Rejected("sh_c10", value=(first, last))
    return shape([s.dims[axis] for axis in range(first, last, stride)])


def concatenate(a: Shape, b: Shape) -> Shape:
    """Return the dims of both shapes (sh_s10).

    >>> text(concatenate(shape([2]), shape([None, 3]))), text(concatenate(shape([2]), shape()))
    ('[2,?,3]', '?')
    """
    return shape() if a.dims is None or b.dims is None else shape(a.dims + b.dims)


# Arithmetic


def num_elements(s: Shape, mode: str = "tight") -> Dim:
    """Return the product of the dims (sh_s12). Raises `sh_c14`.

    >>> text(num_elements(shape([2, (1, 3)]))), text(num_elements(shape([2, None, 0]), "tf"))
    ('2..6', '0')
    """
    if s.dims is None:
        return dim()
    if any(each.hi == 0 for each in s.dims):
        return dim(0)
    if mode == "tf" and not all(map(is_known, s.dims)):
        return dim()
    result = dim(1)
    for each in sorted(s.dims):  # ascending, so that a 0 among the least numbers comes before any overflow
        result = multiply(result, each)
    return result


# Shapes from tensors


def from_tensor(values: Sequence[AsDim]) -> Shape:
    """Return the shape whose dims are the elements of a vector, -1 an unknown dim (sh_s11). Raises `sh_c17`.

    >>> text(from_tensor([2, -1, None, (1, 4), (-1, 3)]))
    '[2,?,?,1..4,?]'
    """
    dims: list[AsDim] = []
    for entry, value in enumerate(values):
        lo, hi = (-1, -1) if value is None else (value, value) if isinstance(value, int) else value[:2]
        if hi is not None and hi < -1:
            raise Rejected("sh_c17", entry=entry, value=hi)
        dims.append(None if lo <= -1 else (lo, hi))
    return shape(dims)


# Shape functions


Vector: TypeAlias = "Sequence[int | Pair | None]"


def infer(function: Callable[..., Sequence[int]], s: Shape, *vectors: Vector) -> tuple[Pair, ...]:
    """Return the least and the greatest dim of each axis of `function(dims, *vectors)`, by trying every completion.

    Dims of one identity have one number. Completions that the function rejects count for nothing; if it rejects all,
    the last one's error is raised. The shape's rank is known, and everything has an upper bound.

    >>> from ssop.reference import slice_region
    >>> from ssop.reference._tensors import region_shape
    >>> infer(lambda dims, *bounds: region_shape(*slice_region(dims, *bounds)), shape([(2, 5)]), [(0, 1)], [(3, 4)])
    ((2, 4),)
    """
    results: list[Sequence[int]] = []
    rejected: Rejected | None = None
    for dims, *numbers in product(completions(s), *map(vector_completions, vectors)):
        try:
            results.append(function(dims, *numbers))
        except Rejected as error:
            rejected = error
    if rejected is not None and not results:
        raise rejected
    return tuple((min(counts), max(counts)) for counts in zip(*results, strict=True))


def completions(s: Shape) -> Iterator[tuple[int, ...]]:
    """Yield every known shape that a shape of bounded dims may be.

    >>> x = dim((1, 2))
    >>> list(completions(shape([x, 3, x])))
    [(1, 3, 1), (2, 3, 2)]
    """
    if s.dims is None:
        raise ValueError("a shape of unknown rank has no end of completions")
    free = {each.id: each for each in s.dims if each.id}
    for numbers in product(*(range(each.lo, each.hi + 1) for each in free.values())):
        number = dict(zip(free, numbers, strict=True))
        yield tuple(number.get(each.id, each.lo) for each in s.dims)


def vector_completions(vector: Vector) -> Iterator[tuple[int, ...]]:
    """Yield every vector of known numbers that a vector of numbers and intervals may be.

    >>> list(vector_completions([1, (2, 3)]))
    [(1, 2), (1, 3)]
    """
    pairs: list[Any] = [(value, value) if isinstance(value, int) else value for value in vector]
    return product(*(range(lo, hi + 1) for lo, hi in pairs))


def _is_constant(vector: Vector) -> bool:
    return all(isinstance(value, int) for value in vector)


def strided_slice(
    s: Shape,
    begin: Vector,
    end: Vector,
    strides: Vector,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> Shape:
    """Return the shape that TensorFlow's shape function of StridedSlice gives. Raises `ss_c1`..`ss_c8`.

    A vector with an unknown element is unknown as a whole. Without strides, the rank of the result is unknown; without
    begin or end, a dim is known only if both masks are set. Of an unknown dim nothing is checked but a stride of 0.

    >>> text(strided_slice(shape([5, None, 7]), [3, 3, 4], [5, 4, 0], [1, 1, 1], shrink_axis_mask=4))
    '[2,?]'
    """
    if not len(begin) == len(end) == len(strides):
        raise Rejected("ss_c1")
    if len(begin) > 31:
        raise Rejected("ss_c2", value=len(begin), allowed=(0, 31))
    if (ellipsis_mask & 0xFFFFFFFF).bit_count() > 1:
        raise Rejected("ss_c3", value=ellipsis_mask)
    if s.dims is None or not _is_constant(strides):
        return shape()
    dense = list(dense_spec(len(s.dims), len(begin), ellipsis_mask, new_axis_mask, shrink_axis_mask))
    bounded = _is_constant(begin) and _is_constant(end)
    dims: list[AsDim] = []
    for kind, axis, i in dense:
        if kind == "new":
            dims.append(1)
            continue
        d = s.dims[axis]
        known = is_known(d)
        if i is None:
            dims.append(d.lo if known else None)
            continue
        first: Any = begin[i]
        last: Any = end[i]
        stride: Any = strides[i]
        if stride == 0:
            raise Rejected("ss_c5", axis=axis, entry=i, value=0)
        if kind == "shrink":
            if known and stride < 0:
                raise Rejected("ss_c6", axis=axis, entry=i, value=stride, allowed=(1, INT64_MAX))
            if known and bounded and not -d.lo <= first < d.lo:
                raise Rejected("ss_c7", axis=axis, entry=i, value=first, allowed=(-d.lo, d.lo - 1))
            continue
        masks = bit(begin_mask, i), bit(end_mask, i)
        if known and (bounded or all(masks)):
            first, last = (first, last) if bounded else (0, 0)
            dims.append(len(axis_range(d.lo, first, last, stride, *masks)))
        else:
            dims.append(None)
    if len(dims) > MAX_RANK:
        raise Rejected("ss_c8", value=len(dims), allowed=(0, MAX_RANK))
    return shape(dims)


def tf_slice(s: Shape, begin: Vector, size: Vector) -> Shape:
    """Return the shape that TensorFlow's shape function of Slice gives. Raises `tsl_c1`, `sh_c4`, `sh_c12`, `sh_c17`.

    Both vectors are read as shapes: an element of -1 is an unknown one. Only a size that is known as a whole says
    "to the end" by -1.

    >>> text(tf_slice(shape([5, 6]), [1, None], [-1, -1])), text(tf_slice(shape([5, 6]), [1, 2], [None, 3]))
    ('[4,?]', '[?,3]')
    """
    if len(begin) != len(size):
        raise Rejected("tsl_c1")
    s = with_rank(s, len(size))
    starts, sizes = (from_tensor([v if isinstance(v, int) else None for v in vector]) for vector in (begin, size))
    if not _is_constant(size):
        return sizes
    axes = zip(s.dims or (), starts.dims or (), size, sizes.dims or (), strict=True)
    return shape([subtract(d, start, "tf") if given == -1 else known for d, start, given, known in axes])
