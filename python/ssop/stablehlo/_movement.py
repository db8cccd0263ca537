"""Data movement of StableHLO on the operations of `ssop.xla`; starts and shapes are values of the program."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop import xla

Array = np.ndarray[Any, Any]
INT64_MAX = 2**63 - 1


def iota(*, shape: tuple[int, ...], dtype: np.dtype[Any], dimension: int) -> Array:
    along = [-1 if axis == dimension else 1 for axis in range(len(shape))]
    numbers = np.arange(shape[dimension]).astype(dtype).reshape(along)
    return np.array(np.broadcast_to(numbers, shape), order="C")


def dynamic_iota(shape: Array, *, dtype: np.dtype[Any], dimension: int) -> Array:
    return iota(shape=tuple(shape.tolist()), dtype=dtype, dimension=dimension)


def starts_of(starts: tuple[Array, ...]) -> list[int]:
    """The starts as integers; an unsigned one beyond int64 is INT64_MAX, which is clamped like it."""
    return [min(int(start), INT64_MAX) for start in starts]


def dynamic_slice(x: Array, *starts: Array, slice_sizes: list[int]) -> Array:
    return xla.dynamic_slice(x, starts_of(starts), slice_sizes)


def dynamic_update_slice(x: Array, update: Array, *starts: Array) -> Array:
    return xla.dynamic_update_slice(x, update, starts_of(starts))


def real_dynamic_slice(x: Array, starts: Array, limits: Array, strides: Array) -> Array:
    return xla.slice(x, starts, limits, strides)


def concatenate(*xs: Array, dimension: int) -> Array:
    return xla.concatenate(xs, dimension)


def pad(x: Array, value: Array, *, low: list[int], high: list[int], interior: list[int]) -> Array:
    return xla.pad(x, value, list(zip(low, high, interior, strict=True)))


def dynamic_pad(x: Array, value: Array, low: Array, high: Array, interior: Array) -> Array:
    return pad(x, value, low=low.tolist(), high=high.tolist(), interior=interior.tolist())


def dynamic_reshape(x: Array, shape: Array) -> Array:
    return xla.reshape(x, shape)


def dynamic_broadcast_in_dim(x: Array, shape: Array, *, broadcast_dimensions: list[int]) -> Array:
    return xla.broadcast_in_dim(x, shape, broadcast_dimensions)


def get_dimension_size(x: Array, *, dimension: int) -> Array:
    return np.array(x.shape[dimension], np.int32)


def gather(x: Array, indices: Array, *, slice_sizes: list[int], numbers: dict[str, Any]) -> Array:
    return xla.gather(x, indices, slice_sizes, **numbers)


def dynamic_gather(x: Array, indices: Array, slice_sizes: Array, *, numbers: dict[str, Any]) -> Array:
    return gather(x, indices, slice_sizes=slice_sizes.tolist(), numbers=numbers)


def scatter(*operands: Array, computation: Any, numbers: dict[str, Any]) -> Any:
    """Scatter with N operands, the indices and N updates; one result is an array, several are a tuple."""
    count = len(operands) // 2
    if count == 1:
        x, indices, updates = operands
        return xla.scatter(x, indices, updates, computation, **numbers)
    return xla.scatter(operands[:count], operands[count], operands[count + 1 :], computation, **numbers)
