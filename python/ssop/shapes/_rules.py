"""The rules for shapes and dims that a context offers to shape functions; it remembers which ones were merged."""

from __future__ import annotations

from typing import Any, overload

from ssop._core import Dim, PartialShape
from ssop.shapes._arguments import DimLike, Mode, ShapeLike, check_mode, dims_of


class ShapeRules:
    """TensorFlow's rules for shapes and dims in one of the two modes, and a record of what they made equal.

    Wherever a dim is expected, an integer, None (unknown), a pair (least, greatest) or a `Dim` may be given; wherever a
    shape is, anything that `PartialShape` takes.
    """

    def __init__(self, mode: Mode = "tf") -> None:
        check_mode(type(self).__name__, mode)
        self.mode: Mode = mode
        self._merged_shapes: list[tuple[PartialShape, PartialShape]] = []
        self._merged_dims: list[tuple[Dim, Dim]] = []

    # ---- making shapes and dims ----

    def make_dim(self, dim: DimLike = None) -> Dim:
        """A dim of a value, of an interval, or an unknown one; a `Dim` itself."""
        return Dim(dim)

    def unknown_dim(self) -> Dim:
        """A dim of which nothing is known, unequal to all others as far as anyone knows."""
        return Dim()

    def make_shape(self, dims: ShapeLike) -> PartialShape:
        """A shape of these dims; None is a shape of unknown rank."""
        return PartialShape(dims)

    def unknown_shape(self) -> PartialShape:
        """A shape of unknown rank."""
        return PartialShape(None)

    def unknown_shape_of_rank(self, rank: int) -> PartialShape:
        """A shape of so many unknown dims. Raises `SliceValueError` (sh_c7) for a rank above 64."""
        return PartialShape(None).with_rank(rank)

    def scalar(self) -> PartialShape:
        """The shape of a scalar."""
        return PartialShape([])

    def vector(self, dim: DimLike) -> PartialShape:
        """The shape of a vector of this length."""
        return PartialShape([dim])

    def matrix(self, rows: DimLike, columns: DimLike) -> PartialShape:
        """The shape of a matrix."""
        return PartialShape([rows, columns])

    # ---- what is known ----

    def rank(self, shape: ShapeLike) -> int | None:
        """The rank, or None if it is unknown."""
        return PartialShape(shape).rank

    def rank_known(self, shape: ShapeLike) -> bool:
        """True if the rank is known."""
        return PartialShape(shape).rank is not None

    def fully_defined(self, shape: ShapeLike) -> bool:
        """True if the rank and all dims are known."""
        return PartialShape(shape).is_fully_known

    def dim(self, shape: ShapeLike, axis: int) -> Dim:
        """The dim of an axis, which may count from the end; an unknown dim if the rank is unknown.

        Raises `SliceIndexError` (sh_c11) for an axis that the shape does not have.
        """
        return PartialShape(shape).dim(axis)

    def value(self, dim: DimLike) -> int | None:
        """The value of a dim, or None if it is unknown."""
        return Dim(dim).value

    def value_known(self, dim: DimLike) -> bool:
        """True if the value of a dim is known."""
        return Dim(dim).value is not None

    def num_elements(self, shape: ShapeLike) -> Dim:
        """The product of the dims; unknown if the rank is (sh_s12)."""
        return PartialShape(shape).num_elements(mode=self.mode)

    # ---- merge and relax ----

    @property
    def merged_shapes(self) -> tuple[tuple[PartialShape, PartialShape], ...]:
        """The pairs of shapes that merges showed to be equal, in order (sh_s14)."""
        return tuple(self._merged_shapes)

    @property
    def merged_dims(self) -> tuple[tuple[Dim, Dim], ...]:
        """The pairs of dims that merges showed to be equal, in order (sh_s14)."""
        return tuple(self._merged_dims)

    @overload
    def merge(self, a: Dim | int, b: DimLike) -> Dim: ...
    @overload
    def merge(self, a: ShapeLike, b: Dim | int) -> Dim: ...
    @overload
    def merge(self, a: ShapeLike, b: ShapeLike) -> PartialShape: ...
    def merge(self, a: Any, b: Any) -> Dim | PartialShape:
        """What two shapes, or two dims, say together: one of the two itself if it says as much (sh_s3).

        If one of the two is an integer or a `Dim`, they are dims. Raises `SliceValueError` (sh_c1, sh_c2, sh_c3) if
        they contradict each other; nothing is recorded then.

        >>> import ssop
        >>> c = ssop.shapes.InferenceContext("Op", [])
        >>> c.merge([2, None], [None, 2])
        PartialShape([2, 2])
        """
        if _is_dim(a) or _is_dim(b):
            return self._merge_dims(Dim(a), Dim(b))
        first, second = PartialShape(a), PartialShape(b)
        merged = first.merge(second)
        if first.id == second.id:
            return merged
        self._merged_shapes.append((first, second))
        if merged.id not in (first.id, second.id):
            for pair in zip(dims_of(first), dims_of(second), strict=True):
                self._merge_dims(*pair)
            self._merged_shapes.append((first, merged))
        return merged

    def _merge_dims(self, a: Dim, b: Dim) -> Dim:
        merged = a.merge(b)
        if not a.same_as(b):
            self._merged_dims.append((a, b))
        return merged

    @overload
    def relax(self, old: Dim | int, new: DimLike) -> Dim: ...
    @overload
    def relax(self, old: ShapeLike, new: Dim | int) -> Dim: ...
    @overload
    def relax(self, old: ShapeLike, new: ShapeLike) -> PartialShape: ...
    def relax(self, old: Any, new: Any) -> Dim | PartialShape:
        """What two shapes, or two dims, both allow (sh_s4). Never fails; forgets all merges if the result is not `old`.

        If one of the two is an integer or a `Dim`, they are dims.

        >>> import ssop
        >>> c = ssop.shapes.InferenceContext("Op", [])
        >>> c.relax([2, 2], [3, 2])
        PartialShape([None, 2])
        """
        if _is_dim(old) or _is_dim(new):
            first, second = Dim(old), Dim(new)
            if not first.same_as(second):
                self._forget_merges()
            return first.relax(second, mode=self.mode)
        shape, other = PartialShape(old), PartialShape(new)
        if not _same_dims(shape, other):
            self._forget_merges()
        return shape.relax(other, mode=self.mode)

    def _forget_merges(self) -> None:
        self._merged_shapes.clear()
        self._merged_dims.clear()

    # ---- checks, which may say more ----

    def with_rank(self, shape: ShapeLike, rank: int) -> PartialShape:
        """The shape if it has this rank, and unknown dims if it may have it. Raises `SliceValueError` (sh_c4, sh_c7).

        >>> import ssop
        >>> c = ssop.shapes.InferenceContext("Op", [])
        >>> c.with_rank(None, 2)
        PartialShape([None, None])
        """
        before = PartialShape(shape)
        after = before.with_rank(rank)
        if after.id != before.id:
            self._merged_shapes.append((before, after))
        return after

    def with_rank_at_least(self, shape: ShapeLike, rank: int) -> PartialShape:
        """The shape, if its rank may be this or more. Raises `SliceValueError` (sh_c5)."""
        return PartialShape(shape).with_rank_at_least(rank)

    def with_rank_at_most(self, shape: ShapeLike, rank: int) -> PartialShape:
        """The shape, if its rank may be this or less. Raises `SliceValueError` (sh_c6)."""
        return PartialShape(shape).with_rank_at_most(rank)

    def with_value(self, dim: DimLike, value: int) -> Dim:
        """The dim if it has this value, and the value if it may have it. Raises `SliceValueError` (sh_c8)."""
        before = Dim(dim)
        after = before.with_value(value)
        if not after.same_as(before):
            self._merged_dims.append((before, after))
        return after

    def merge_prefix(self, shape: ShapeLike, prefix: ShapeLike) -> tuple[PartialShape, PartialShape]:
        """Both shapes, after the first dims of one are merged with the other; if a rank is unknown, unchanged.

        Raises `SliceValueError` (sh_c3, sh_c5).

        >>> import ssop
        >>> c = ssop.shapes.InferenceContext("Op", [])
        >>> c.merge_prefix([None, 3, 4], [2, None])
        (PartialShape([2, 3, 4]), PartialShape([2, 3]))
        """
        whole, first = PartialShape(shape), PartialShape(prefix)
        merged = whole.merge_prefix(first)
        if whole.rank is not None and first.rank is not None:
            for pair in zip(dims_of(whole), dims_of(first), strict=False):
                self._merge_dims(*pair)
        return merged

    # ---- parts of shapes ----

    def subshape(self, shape: ShapeLike, start: int = 0, end: int | None = None, stride: int = 1) -> PartialShape:
        """The dims start, start + stride, .. before end; negative numbers count from the end (sh_s9).

        Raises `SliceValueError` (sh_c9, sh_c10, sh_c21).

        >>> import ssop
        >>> c = ssop.shapes.InferenceContext("Op", [])
        >>> c.subshape([1, 2, 3, 4], 1, -1)
        PartialShape([2, 3])
        """
        return PartialShape(shape).subshape(start, end, stride)

    def concatenate(self, a: ShapeLike, b: ShapeLike) -> PartialShape:
        """The dims of both, one after the other; unknown if a rank is (sh_s10)."""
        return PartialShape(a).concatenate(b)

    def replace_dim(self, shape: ShapeLike, axis: int, dim: DimLike) -> PartialShape:
        """The shape with another dim at an axis, which may count from the end. Raises `SliceIndexError` (sh_c11)."""
        return PartialShape(shape).replace_dim(axis, dim)

    # ---- arithmetic of dims ----

    def add(self, a: DimLike, b: DimLike) -> Dim:
        """The sum (sh_s5). Raises `SliceOverflowError` (sh_c13)."""
        return Dim(a).add(b, mode=self.mode)

    def subtract(self, a: DimLike, b: DimLike) -> Dim:
        """The difference (sh_s5). Raises `SliceValueError` (sh_c12) if it is negative."""
        return Dim(a).subtract(b, mode=self.mode)

    def multiply(self, a: DimLike, b: DimLike) -> Dim:
        """The product (sh_s6). Raises `SliceOverflowError` (sh_c14)."""
        return Dim(a).multiply(b, mode=self.mode)

    def divide(self, dividend: DimLike, divisor: DimLike, evenly_divisible: bool = False) -> Dim:
        """The quotient, rounded down (sh_s6). Raises `SliceValueError` (sh_c15, sh_c16)."""
        return Dim(dividend).divide(divisor, evenly=evenly_divisible, mode=self.mode)

    def min(self, a: DimLike, b: DimLike) -> Dim:
        """The lesser of two dims (sh_s7)."""
        return Dim(a).minimum(b, mode=self.mode)

    def max(self, a: DimLike, b: DimLike) -> Dim:
        """The greater of two dims (sh_s7)."""
        return Dim(a).maximum(b, mode=self.mode)


def _is_dim(x: object) -> bool:
    return isinstance(x, Dim) or (hasattr(x, "__index__") and getattr(x, "ndim", 0) == 0)


def _same_dims(a: PartialShape, b: PartialShape) -> bool:
    """True if the shapes are one handle, or have the same dims."""
    if a.id == b.id:
        return True
    if a.rank is None or a.rank != b.rank:
        return False
    return all(x.same_as(y) for x, y in zip(dims_of(a), dims_of(b), strict=True))
