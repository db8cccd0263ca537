"""What the shape functions are given: shapes, vectors of which not all is known, and the mode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from types import SimpleNamespace
from typing import Any, Final, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ssop import _core
from ssop._core import Dim, PartialShape, SliceError
from ssop._errors import kind_of, value_error
from ssop.shapes._checks import count_of

Mode: TypeAlias = Literal["tf", "tight"]
OutOfBounds: TypeAlias = Literal["clamp", "wrap", "raise"]
OrFill: TypeAlias = Literal["clamp", "wrap", "raise", "fill"]
Engine: TypeAlias = Literal["spec", "reference", "ort"]
DimLike: TypeAlias = "SupportsIndex | tuple[SupportsIndex | None, SupportsIndex | None] | str | Dim | None"
ShapeLike: TypeAlias = "Sequence[DimLike] | NDArray[Any] | PartialShape | None"
VectorLike: TypeAlias = (
    "Sequence[SupportsIndex | tuple[SupportsIndex | None, SupportsIndex | None] | Dim | None] | NDArray[Any]"
)


MAX_RANK: Final = 64
MAX_ENTRIES: Final = 128
OPTIONAL_VECTORS: Final = ("strides", "axes", "steps")


class _UnknownVector:
    """A vector of which not even the length is known; `unknown(None)` gives the only one."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "unknown(None)"


UNKNOWN_VECTOR: Final[Any] = _UnknownVector()


def unknown(n: int | None) -> VectorLike:
    """A vector of unknown values, to be given to a shape function as begin, end, strides and the like.

    Parameters
    ----------
    n : int or None
        The length; None if that is unknown, too. If another vector of the call has a known length, it is that one.

    Returns
    -------
    tuple of n times None, or an object that stands for a vector of unknown length.

    Raises
    ------
    nothing

    Source: tensors that are no constants in TensorFlow's graphs (sh_s20).

    Examples
    --------
    >>> import ssop
    >>> ssop.shapes.strided_slice([4, 5], ssop.shapes.unknown(1), [3], [1])
    PartialShape([None, 5])
    >>> ssop.shapes.strided_slice([4, 5], ssop.shapes.unknown(None), ssop.shapes.unknown(None))
    PartialShape(None)
    """
    if n is None:
        vector: VectorLike = UNKNOWN_VECTOR
        return vector
    return (None,) * count_of("unknown", "n", n)


def has_unknown_length(*vectors: Any) -> bool:
    """True if a vector is one of unknown length."""
    return any(vector is UNKNOWN_VECTOR for vector in vectors)


def read_vectors(op: str, **vectors: Any) -> list[Any]:
    """The vectors as tuples; one of unknown length stays as it is, and one that need not be given stays None.

    Errors are those of the operation, which calls the vectors by these names (in_c1, in_c2, in_c5, in_c6, in_c11).
    """
    return [
        vector
        if vector is UNKNOWN_VECTOR or (vector is None and name in OPTIONAL_VECTORS)
        else _core.partial_vector(op, name, vector)
        for name, vector in vectors.items()
    ]


def same_length(op: str, length: int | None = None, /, **vectors: Any) -> list[Any] | None:
    """The vectors, those of unknown length being as long as the first of known length, or `length`.

    None if nothing says how long they are. A missing vector (None) stays missing.
    """
    for vector in read_vectors(op, **vectors):
        if vector is not None and vector is not UNKNOWN_VECTOR:
            length = len(vector)
            break
    if length is None:
        return None
    return [(None,) * length if vector is UNKNOWN_VECTOR else vector for vector in vectors.values()]


def of_unknown_rank(op: str, mode: Mode) -> PartialShape:
    """The shape of a result of which nothing is known, for a call whose mode is checked."""
    check_mode(op, mode)
    return PartialShape(None)


def check_mode(op: str, mode: Mode) -> None:
    """Raise for a mode that does not exist."""
    if not isinstance(mode, str) or mode not in ("tf", "tight"):
        given = repr(mode) if isinstance(mode, str) else kind_of(mode)
        raise value_error(op, "sh_c25", f"mode is {given}, not 'tf' or 'tight'", value=mode)


def in_mode(mode: Mode, shape: PartialShape, *given: PartialShape) -> PartialShape:
    """The shape itself in the tight mode; in TensorFlow's, without the intervals that no given shape has (sh_s2)."""
    if mode == "tight" or shape.rank is None:
        return shape
    kept = {dim.id for other in given if other.rank is not None for dim in dims_of(other)}
    dims = [shape.dim(axis) for axis in range(shape.rank)]
    if not any(is_interval(dim) and dim.id not in kept for dim in dims):
        return shape
    return PartialShape([Dim() if is_interval(dim) and dim.id not in kept else dim for dim in dims])


def is_interval(dim: Dim) -> bool:
    """True if something is known of a dim, but not its value."""
    return dim.value is None and dim.interval != (0, None)


def dims_of(shape: PartialShape) -> list[Dim]:
    """The dims of a shape of known rank, with their identities."""
    assert shape.rank is not None
    return [shape.dim(axis) for axis in range(shape.rank)]


def least(shape: PartialShape) -> tuple[int, ...]:
    """The smallest known shape that a shape of known rank may be."""
    assert shape.intervals is not None
    return tuple(low for low, _ in shape.intervals)


def stand_in(shape: PartialShape, dtype: DTypeLike = int) -> Any:
    """What the checks of execution read of an array: here that of the smallest shape."""
    dims = least(shape)
    return SimpleNamespace(shape=dims, ndim=len(dims), dtype=np.dtype(dtype))


def ones(shape: PartialShape, dtype: DTypeLike = int) -> Any:
    """The same with dims of 1, which break only those rules that are broken whatever the dims are."""
    return stand_in(PartialShape((1,) * (shape.rank or 0)), dtype)


def raise_as(execution: Callable[[], object], error: Exception) -> Exception:
    """The error that execution raises for shapes that contradict each other; `error` if it raises none.

    So a contradiction is reported in the words, and with the label, of the operation.
    """
    try:
        execution()
    except SliceError as raised:
        return raised
    return error


def axis_of(axis: object, rank: int) -> int | None:
    """Return an integer as an axis of a shape of this rank; None for others, which the core rejects."""
    if isinstance(axis, (bool, np.bool_)) or not hasattr(axis, "__index__"):
        return None
    try:
        number = index(axis)
    except TypeError:  # arrays have __index__, but may not mean it
        return None
    return number if 0 <= number < rank else None
