"""What gradients have in common: checked gradients of results, zeros, sums, in any library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ssop import _core, _vectors
from ssop._core import SliceError
from ssop._errors import check_given, check_gradient, renamed, type_error
from ssop._lazy import libraries, meanings
from ssop._lazy.calls import Chunks
from ssop._sequences import plain
from ssop._spec import StridedSliceSpec

Integers: TypeAlias = "Sequence[SupportsIndex] | NDArray[np.integer[Any]]"
Bools: TypeAlias = "bool | Sequence[bool]"
Dims: TypeAlias = "Sequence[SupportsIndex] | Sequence[Sequence[SupportsIndex]]"
"""A shape, or the chunks of an array of that shape."""
Policy: TypeAlias = Literal["clamp", "wrap", "raise"]
OrFill: TypeAlias = Literal["clamp", "wrap", "raise", "fill"]

MAX_ENTRIES = 31  # of a spec (ss_c2)


def array(op: str, dy: Any) -> Any:
    check_given(op, "dy", dy)
    meanings.check(op, "dy", dy)
    libraries.check_storage(op, dy, slices=False, assigns=False)
    return libraries.accepted(op, dy) if libraries.stays(dy) else libraries.as_numpy(op, dy)[...]


def checked(op: str, dy: Any, shape: tuple[int, ...]) -> Any:
    """Return dy as an array of its library, which must have this shape (gr_c1)."""
    dy = array(op, dy)
    check_gradient(op, tuple(dy.shape), shape)
    return dy


def shape_and_chunks(op: str, name: str, dims: Dims) -> tuple[Any, Chunks | None]:
    """Return a shape, which is not checked yet, and the chunks if those were given in its place (vjp_s3)."""
    items = plain(dims) if isinstance(dims, (tuple, list)) else ()
    if not items or not all(isinstance(of, (tuple, list)) for of in items):
        return dims, None
    chunks = [_core.read_integers(op, name, of) for of in items]
    _core.read_shape(op, name, [min(of, default=0) for of in chunks])  # raises for a negative length
    return tuple(map(sum, chunks)), _without_empty(chunks)


def chunks_for(op: str, region: _core.Region, chunks: Sequence[Sequence[SupportsIndex]] | None) -> Chunks | None:
    """Return the chunks of a region's operand, checked as a grid (rg_c7..rg_c9); None for None."""
    if chunks is None:
        return None
    lengths = _vectors.vectors(op, "chunks", chunks)
    try:
        region.chunks(lengths)
    except SliceError as error:
        raise renamed(error, op) from None
    return _without_empty(lengths)


def _without_empty(chunks: Sequence[Sequence[int]]) -> Chunks:
    return tuple(tuple(filter(None, of)) or (0,) for of in chunks)


def in_chunks(x: Any, chunks: Chunks | None) -> Any:
    """Return an array of dask in these chunks, if there are any; others as they are (vjp_s3)."""
    return x if chunks is None else libraries.rechunked(x, chunks)


def placed(op: str, dy: Any, region: _core.Region, chunks: Chunks | None = None) -> Any:
    dy = checked(op, dy, region.shape)
    if 0 in region.shape:  # an empty slice of a new axis has no index (rg_c3)
        return zeros(op, dy, region.in_shape, chunks)
    if chunks is not None and libraries.chunks_of(dy) is not None:
        return libraries.spread(op, dy, dy, libraries.zero(dy), region, chunks)
    index = region.index
    if len(index) > MAX_ENTRIES:
        return libraries.updated(op, zeros(op, dy, region.in_shape), region, dy)
    begin, end, strides, *masks = StridedSliceSpec.from_index(index).arguments
    return _core.strided_slice_grad(region.in_shape, begin, end, strides, dy, *masks)


def zeros(op: str, dy: Any, shape: tuple[int, ...], chunks: Chunks | None = None) -> Any:
    """Return zeros in the library of dy; those of dask have these chunks."""
    if not libraries.stays(dy):
        return np.zeros(shape, dy.dtype)
    return libraries.filled(op, dy, shape, libraries.zero(dy), chunks)


def spread_zero(op: str, dy: Any, shape: tuple[int, ...]) -> Any:
    """Return zeros that may be one zero in memory, for what only reads them."""
    if libraries.library(dy) == "xarray":  # whose arrays of this shape have these names; others have none
        data = dy.data if shape == tuple(dy.shape) else np.zeros((), dy.dtype)
        spread = spread_zero(op, data, shape)
        return dy.copy(data=spread) if shape == tuple(dy.shape) else spread
    zero = zeros(op, dy, ())
    return libraries.repeated(op, zero, shape) if libraries.stays(dy) else np.broadcast_to(zero, shape)


def summed(op: str, dy: Any, axes: Sequence[int]) -> Any:
    """Return a new array: dy without these axes, summed over them (vjp_c1)."""
    axes = tuple(axes)  # vjp_s2
    if not axes:
        return _core.copy(dy)
    if libraries.stays(dy):
        check_addable(op, dy.dtype)
        total = libraries.function(op, dy, "sum")(dy, axis=axes, dtype=dy.dtype)
        return libraries.as_array(dy, total, dy.dtype) if libraries.is_masked(dy) else total  # which may be a scalar
    dtype = dy.dtype
    try:
        wide = wide_dtype(dtype)
        total = np.asarray(np.sum(dy, axis=axes, dtype=wide))
    except TypeError:
        raise _not_addable(op, dtype) from None
    return _core.copy(total.astype(dtype, copy=False))


def check_addable(op: str, dtype: Any) -> None:
    """Raise for a dtype of NumPy's whose elements cannot be added, before a library finds out when it computes."""
    if isinstance(dtype, np.dtype):
        try:
            np.sum(np.zeros(1, dtype), dtype=wide_dtype(dtype))
        except TypeError:
            raise _not_addable(op, dtype) from None


def _not_addable(op: str, dtype: Any) -> Exception:
    return type_error(op, "vjp_c1", f"elements of dtype {dtype} cannot be added", value=dtype)


def wide_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype in which elements are added; an int64 keeps the low bits of every sum of narrower integers."""
    if dtype.kind in "biu" or dtype.itemsize >= 4:
        return dtype
    return np.dtype(np.int64) if np.can_cast(dtype, np.int64) else np.result_type(dtype, np.float32)


def inverse(permutation: tuple[int, ...]) -> list[int]:
    return sorted(range(len(permutation)), key=permutation.__getitem__)
