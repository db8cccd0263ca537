"""Reductions, windows, products and random numbers of StableHLO on the operations of `ssop.xla`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop import xla

Array = np.ndarray[Any, Any]


def halves(operands: tuple[Array, ...]) -> tuple[Any, Any]:
    """Operands and initial values: two arrays, or two tuples of several."""
    count = len(operands) // 2
    return (operands[0], operands[1]) if count == 1 else (operands[:count], operands[count:])


def reduce(*operands: Array, computation: Any, dimensions: list[int]) -> Any:
    return xla.reduce(*halves(operands), computation, dimensions)


def reduce_window(*operands: Array, padding: Any, **window: Any) -> Any:
    window["padding"] = [(0, 0)] * operands[0].ndim if padding is None else padding
    return xla.reduce_window(*halves(operands), **window)


def select_and_scatter(
    x: Array,
    source: Array,
    init: Array,
    *,
    select: Any,
    scatter: Any,
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
) -> Array:
    ones = [1] * x.ndim
    window = (window_dimensions or ones, window_strides or ones, padding or [(0, 0)] * x.ndim)
    return xla.select_and_scatter(x, select, *window, source, init, scatter)


def map_elements(*operands: Array, computation: Any, dimensions: list[int]) -> Any:
    return xla.map(operands, computation, dimensions)


def convolution(lhs: Array, rhs: Array, *, window_strides: Any, padding: Any, **numbers: Any) -> Any:
    rank = lhs.ndim - 2
    strides = [1] * rank if window_strides is None else window_strides
    return xla.conv_general_dilated(lhs, rhs, strides, [(0, 0)] * rank if padding is None else padding, **numbers)


def dynamic_convolution(lhs: Array, rhs: Array, padding: Array, **numbers: Any) -> Any:
    return convolution(lhs, rhs, padding=padding.tolist(), **numbers)


def rng(a: Array, b: Array, _: Array, *, distribution: str, shape: tuple[int, ...]) -> Any:
    """Other numbers in each run."""
    return (xla.rng_normal if distribution == "NORMAL" else xla.rng_uniform)(a, b, shape)


def rng_bit_generator(state: Array, *, algorithm: str, types: Any) -> Any:
    """The next state and the bits."""
    shape, dtype = types[1]
    return xla.rng_bit_generator(state, shape, dtype, algorithm.lower())
