"""Functions of frameworks as they run here, by those of this package and of NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ssop import xla
from ssop._core import strided_slice
from ssop._errors import value_error


def axes_of(value: Any) -> tuple[int, ...]:
    return value if isinstance(value, tuple) else (value,)


def flip(x: Any, axes: Sequence[int]) -> Any:
    return xla.rev(x, tuple(axes))


def _in_numpy(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy, of an array and axes, with an error of this package."""

    def run(x: Any, axes: Any) -> Any:
        try:
            return function(x, axes_of(axes)).copy()
        except ValueError as error:  # also for an axis that the array does not have
            raise value_error("convert", "cv_c2", str(error), value=axes) from None

    return run


squeeze, expand = _in_numpy(np.squeeze), _in_numpy(np.expand_dims)


def select(x: Any, dim: int, index: int) -> Any:
    return xla.index_in_dim(x, index, dim, False, allow_negative_indices=True)


def narrow(x: Any, dim: int, start: int, length: int) -> Any:
    dims = np.shape(x)
    first = start + dims[dim] if start < 0 and -len(dims) <= dim < len(dims) else start
    return xla.slice_in_dim(x, first, first + length, 1, dim)


def slice_in_dim(x: Any, start_index: Any, limit_index: Any, stride: int = 1, axis: int = 0) -> Any:
    return xla.slice_in_dim(x, start_index, limit_index, stride, axis, allow_negative_indices=True)


def dynamic_slice_in_dim(x: Any, start_index: int, slice_size: int, axis: int = 0) -> Any:
    sizes, starts = list(np.shape(x)), [0] * np.ndim(x)
    sizes[axis], starts[axis] = slice_size, start_index
    return xla.dynamic_slice(x, starts, sizes)


def index_in_dim(x: Any, index: int, axis: int = 0) -> Any:
    return xla.index_in_dim(x, index, axis, False, allow_negative_indices=True)


def coreml(x: Any, begin: Any, end: Any, stride: Any, begin_mask: Any, end_mask: Any, squeeze_mask: Any) -> Any:
    masks = (begin_mask, end_mask, squeeze_mask)
    begins, ends, dropped = (sum(1 << i for i, bit in enumerate(mask) if bit) for mask in masks)
    return strided_slice(x, begin, end, stride, begins, ends, 0, 0, dropped)
