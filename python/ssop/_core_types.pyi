"""ssop._core: its types, and those of its parameters."""

# Parameters fill their lines, for every function has them twice.
# fmt: off

import builtins
from collections.abc import Callable, Sequence
from types import EllipsisType
from typing import Any, Literal, SupportsIndex, TypeAlias, TypeVar, final

import numpy as np
from numpy.typing import DTypeLike, NDArray

_T = TypeVar("_T", bound=np.generic)
_Array = TypeVar("_Array")
_Integers: TypeAlias = Sequence[SupportsIndex] | NDArray[np.integer[Any]]
_Starts: TypeAlias = _Integers | Sequence[_Integers]
_OutOfBounds: TypeAlias = Literal["clamp", "wrap", "raise"]
_OrFill: TypeAlias = Literal["clamp", "wrap", "raise", "fill"]
_Engine: TypeAlias = Literal["spec", "reference", "ort"]
_Bools: TypeAlias = bool | Sequence[bool]
_Item: TypeAlias = SupportsIndex | builtins.slice | EllipsisType | None
_Index: TypeAlias = _Item | tuple[_Item, ...]
_Padding: TypeAlias = Sequence[Sequence[SupportsIndex]] | NDArray[np.integer[Any]]

class SliceError(Exception):
    op: str | None
    label: str | None
    axis: int | None
    entry: int | None
    value: Any
    allowed: tuple[int, int] | None

class SliceValueError(SliceError, ValueError): ...

class SliceIndexError(SliceError, IndexError): ...

class SliceTypeError(SliceError, TypeError): ...

class SliceOverflowError(SliceError, OverflowError): ...

@final
class Region:
    """What a slice takes of an input: the canonical form of every spec.

    Immutable, hashable, comparable, picklable. Made by StridedSliceSpec.resolve(); the
    constructor checks its parts (rg_c2).

    >>> import ssop
    >>> region = ssop.StridedSliceSpec([1, 0], [9, 0], [1, 1], shrink_axis_mask=2).resolve((4, 3))
    >>> region
    Region((4, 3), ((1, 3, 1), (0, 1, 1)), (0,))
    >>> region.shape, region.index
    ((3,), (slice(1, 4, 1), 0))
    """

    def __new__(
        cls, in_shape: Sequence[SupportsIndex], ranges: Sequence[Sequence[SupportsIndex]],
        out_axes: Sequence[SupportsIndex]
    ) -> Region: ...
    @property
    def in_shape(self) -> tuple[int, ...]:
        """Shape of the input."""
    @property
    def ranges(self) -> tuple[tuple[int, int, int], ...]:
        """(start, count, step) per input axis, in elements."""
    @property
    def out_axes(self) -> tuple[int, ...]:
        """Input axis of each output axis; -1 for a new axis, -2 for an empty slice of one."""
    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the result."""
    @property
    def index(self) -> tuple[int | builtins.slice | None, ...]:
        """The NumPy index that names every axis with bounds inside it."""
    def of(self, first: Region, /) -> Region:
        """The region that takes what this one takes of what `first` takes.

        >>> import ssop
        >>> every_second = ssop.StridedSliceSpec([0], [10], [2]).resolve((10,))
        >>> ssop.StridedSliceSpec([1], [3]).resolve((5,)).of(every_second)
        Region((10,), ((2, 2, 2),), (0,))
        """
    def split(self) -> tuple[Region, tuple[int, ...]]:
        """A region without negative steps, and the output axes to flip afterwards.

        >>> import ssop
        >>> ssop.StridedSliceSpec([9], [0], [-4]).resolve((10,)).split()
        (Region((10,), ((1, 3, 4),), (0,)), (0,))
        """
    def covering(self) -> tuple[Region, Region, tuple[int, ...]]:
        """For stored arrays: what to read, what to take of that, and the output axes that run backwards.

        The first region has unit steps, all input axes and the least spans (rg_s5). The
        second one takes of its result what this region takes: second.of(first) == region.

        >>> import ssop
        >>> region = ssop.StridedSliceSpec([9], [0], [-4]).resolve((10,))
        >>> first, second, backwards = region.covering()
        >>> first.index, second.index, backwards
        ((slice(1, 10, 1),), (slice(8, None, -4),), (0,))
        """
    def chunks(self, grid: Sequence[SupportsIndex | _Integers], /) -> Chunks:
        """The chunks of a grid that have elements of this region, in C order of their indices.

        `grid` has an entry per input axis. A number is the size of all chunks, of which the
        last one is cut off at the end of the axis. A sequence has their sizes. Items are
        (index of the chunk, region in the chunk, region in the result) (rg_s6). They are made
        one at a time, and chunks without an element take no time. The attribute `total` of
        the iterator is the number of chunks.
        Raises SliceValueError for other grids (rg_c7, rg_c8, rg_c9).

        >>> import ssop
        >>> for index, part, place in ssop.StridedSliceSpec([9], [0], [-4]).resolve((10,)).chunks((3,)):
        ...     print(index, part.in_shape, part.index, place.index)
        (0,) (3,) (slice(1, 2, 1),) (slice(2, 3, 1),)
        (1,) (3,) (slice(2, 3, 1),) (slice(1, 2, 1),)
        (3,) (1,) (slice(0, 1, 1),) (slice(0, 1, 1),)
        """
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Chunks:
    """The chunks that have elements of a region: an iterator, made by Region.chunks().

    >>> import ssop
    >>> chunks = ssop.StridedSliceSpec([], []).resolve((10**12, 10**6)).chunks((10, 3))
    >>> chunks.total, next(chunks)[0], next(chunks)[0]
    (33333400000000000, (0, 0), (0, 1))
    """

    @property
    def total(self) -> int:
        """Number of chunks that have elements of the region, also of those that were given already."""
    def __iter__(self) -> Chunks: ...
    def __next__(self) -> tuple[tuple[int, ...], Region, Region]: ...

@final
class Deferred:
    """An array in the place of which C functions take function(*arguments), after they have read all other arguments.

    The code of these arguments may free memory that another library has exported to NumPy.
    """

    def __new__(cls, function: Callable[..., Any], /, *arguments: Any) -> Deferred: ...

@final
class Plan:
    """A strided slice resolved once for a shape and a dtype; made by ssop.plan().

    plan(x, out=None) runs it: no parsing, and for a C-ordered x nothing to decide.
    Raises SliceValueError (pl_c1) for another shape, SliceTypeError (pl_c2) for another dtype.

    >>> import numpy as np, ssop
    >>> plan = ssop.plan(ssop.StridedSliceSpec([1], [3]), (4,), np.int64)
    >>> plan(np.arange(4))
    array([1, 2])
    """

    def __new__(
        cls, shape: Sequence[SupportsIndex], dtype: DTypeLike, begin: _Integers, end: _Integers,
        strides: _Integers | None = None, begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0,
        ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0
    ) -> Plan: ...
    @property
    def dtype(self) -> np.dtype[Any]:
        """dtype of the arrays it runs on."""
    @property
    def region(self) -> Region:
        """The Region that it takes."""
    def __call__(self, input_: NDArray[_T], out: NDArray[_T] | None = None) -> NDArray[_T]: ...

_Trace: TypeAlias = tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...], Region | SliceError]
