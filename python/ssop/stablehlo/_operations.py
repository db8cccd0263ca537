"""The operations of StableHLO, and those of CHLO that JAX writes, a row each: what evaluates it, and what it needs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ssop import xla
from ssop.stablehlo import _attributes as read
from ssop.stablehlo import _control as control
from ssop.stablehlo import _elementwise as more
from ssop.stablehlo import _linear_algebra as algebra
from ssop.stablehlo import _movement as move
from ssop.stablehlo import _windows as windows
from ssop.stablehlo._attributes import Reader
from ssop.stablehlo._elementwise import by_element, double, real
from ssop.stablehlo._program import Row
from ssop.stablehlo._sorting import read_comparator, sort, top_k


def row(evaluate: Callable[..., Any], **static: Reader) -> Row:
    return Row(evaluate, static)


def elementwise(evaluate: Callable[..., Any], **static: Reader) -> Row:
    return Row(more.UNCHECKED.get(evaluate, evaluate), static, elementwise=True)


CONVERT = elementwise(xla.convert_element_type, new_element_type=read.result_dtype)
SELECT = elementwise(xla.select)

STABLEHLO = {
    # values
    "constant": elementwise(lambda value: value, value=read.value),
    "iota": row(move.iota, shape=read.result_shape, dtype=read.result_dtype, dimension=read.integer("iota_dimension")),
    # element by element
    "abs": elementwise(xla.abs),
    "add": elementwise(xla.add),
    "and": elementwise(xla.logical_and),
    "atan2": elementwise(real(more.atan2)),
    "bitcast_convert": row(more.bitcast, new_element_type=read.result_dtype),
    "cbrt": elementwise(real(more.cbrt)),
    "ceil": elementwise(xla.ceil),
    "clamp": elementwise(xla.clamp),
    "compare": elementwise(
        control.compare, direction=read.word("comparison_direction"), compare_type=read.word("compare_type")
    ),
    "complex": elementwise(more.complex_number),
    "convert": CONVERT,
    "cosine": elementwise(xla.cos),
    "count_leading_zeros": elementwise(more.count_leading_zeros),
    "divide": elementwise(xla.div),
    "exponential": elementwise(xla.exp),
    "exponential_minus_one": elementwise(real(np.expm1)),
    "floor": elementwise(xla.floor),
    "imag": elementwise(more.imaginary_part),
    "is_finite": elementwise(xla.is_finite),
    "log": elementwise(xla.log),
    "log_plus_one": elementwise(real(np.log1p)),
    "logistic": elementwise(real(more.logistic)),
    "maximum": elementwise(xla.max),
    "minimum": elementwise(xla.min),
    "multiply": elementwise(xla.mul),
    "negate": elementwise(xla.neg),
    "not": elementwise(xla.logical_not),
    "or": elementwise(xla.logical_or),
    "popcnt": elementwise(more.popcnt),
    "power": elementwise(more.power),
    "real": elementwise(more.real_part),
    "reduce_precision": elementwise(
        xla.reduce_precision, exponent_bits=read.integer("exponent_bits"), mantissa_bits=read.integer("mantissa_bits")
    ),
    "remainder": elementwise(xla.rem),
    "round_nearest_afz": elementwise(real(more.round_half_away)),
    "round_nearest_even": elementwise(real(np.rint)),
    "rsqrt": elementwise(real(more.rsqrt)),
    "select": SELECT,
    "shift_left": elementwise(more.shift_left),
    "shift_right_arithmetic": elementwise(more.shift_right_arithmetic),
    "shift_right_logical": elementwise(more.shift_right_logical),
    "sign": elementwise(xla.sign),
    "sine": elementwise(real(np.sin)),
    "sqrt": elementwise(real(np.sqrt)),
    "subtract": elementwise(xla.sub),
    "tan": elementwise(real(np.tan)),
    "tanh": elementwise(xla.tanh),
    "xor": elementwise(more.xor),
    # data movement
    "broadcast": row(xla.broadcast, sizes=read.integers("broadcast_sizes")),
    "broadcast_in_dim": row(
        xla.broadcast_in_dim, shape=read.result_shape, broadcast_dimensions=read.integers("broadcast_dimensions")
    ),
    "concatenate": row(move.concatenate, dimension=read.integer("dimension")),
    "dynamic_broadcast_in_dim": row(
        move.dynamic_broadcast_in_dim, broadcast_dimensions=read.integers("broadcast_dimensions")
    ),
    "dynamic_gather": row(move.dynamic_gather, numbers=read.gather_numbers),
    "dynamic_iota": row(move.dynamic_iota, dtype=read.result_dtype, dimension=read.integer("iota_dimension")),
    "dynamic_pad": row(move.dynamic_pad),
    "dynamic_reshape": row(move.dynamic_reshape),
    "dynamic_slice": row(move.dynamic_slice, slice_sizes=read.integers("slice_sizes")),
    "dynamic_update_slice": row(move.dynamic_update_slice),
    "gather": row(move.gather, slice_sizes=read.integers("slice_sizes"), numbers=read.gather_numbers),
    "get_dimension_size": row(move.get_dimension_size, dimension=read.integer("dimension")),
    "pad": row(
        move.pad,
        low=read.integers("edge_padding_low"),
        high=read.integers("edge_padding_high"),
        interior=read.integers("interior_padding"),
    ),
    "real_dynamic_slice": row(move.real_dynamic_slice),
    "reshape": row(xla.reshape, new_sizes=read.result_shape),
    "reverse": row(xla.rev, dimensions=read.integers("dimensions")),
    "scatter": row(move.scatter, computation=read.computation(), numbers=read.scatter_numbers),
    "slice": row(
        xla.slice,
        start_indices=read.integers("start_indices"),
        limit_indices=read.integers("limit_indices"),
        strides=read.integers("strides"),
    ),
    "sort": row(sort, dimension=read.integer("dimension", -1), comparator=read_comparator),
    "transpose": row(xla.transpose, permutation=read.integers("permutation")),
    # reductions, windows, products
    "batch_norm_grad": row(
        xla.batch_norm_grad, epsilon=read.number("epsilon"), feature_index=read.integer("feature_index")
    ),
    "batch_norm_inference": row(
        xla.batch_norm_inference, epsilon=read.number("epsilon"), feature_index=read.integer("feature_index")
    ),
    "batch_norm_training": row(
        xla.batch_norm_training, epsilon=read.number("epsilon"), feature_index=read.integer("feature_index")
    ),
    "convolution": row(
        windows.convolution,
        window_strides=read.integers("window_strides"),
        padding=read.pairs("padding"),
        lhs_dilation=read.integers("lhs_dilation"),
        rhs_dilation=read.integers("rhs_dilation"),
        window_reversal=read.booleans("window_reversal"),
        dimension_numbers=read.convolution_numbers,
        feature_group_count=read.integer("feature_group_count", 1),
        batch_group_count=read.integer("batch_group_count", 1),
        preferred_element_type=read.result_dtype,
    ),
    "dot_general": row(xla.dot_general, dimension_numbers=read.dot_numbers, preferred_element_type=read.result_dtype),
    "dynamic_conv": row(
        windows.dynamic_convolution,
        window_strides=read.integers("window_strides"),
        lhs_dilation=read.integers("lhs_dilation"),
        rhs_dilation=read.integers("rhs_dilation"),
        window_reversal=read.booleans("window_reversal"),
        dimension_numbers=read.convolution_numbers,
        feature_group_count=read.integer("feature_group_count", 1),
        batch_group_count=read.integer("batch_group_count", 1),
        preferred_element_type=read.result_dtype,
    ),
    "map": row(windows.map_elements, computation=read.computation(), dimensions=read.integers("dimensions")),
    "reduce": row(windows.reduce, computation=read.computation(), dimensions=read.integers("dimensions")),
    "reduce_window": row(
        windows.reduce_window,
        computation=read.computation(),
        window_dimensions=read.integers("window_dimensions"),
        window_strides=read.integers("window_strides"),
        base_dilation=read.integers("base_dilations"),
        window_dilation=read.integers("window_dilations"),
        padding=read.pairs("padding"),
    ),
    "select_and_scatter": row(
        windows.select_and_scatter,
        select=read.computation(0),
        scatter=read.computation(1),
        window_dimensions=read.integers("window_dimensions"),
        window_strides=read.integers("window_strides"),
        padding=read.pairs("padding"),
    ),
    # linear algebra
    "cholesky": row(algebra.cholesky, lower=read.boolean("lower")),
    "fft": row(algebra.fft, kind=read.word("fft_type"), lengths=read.integers("fft_length")),
    "triangular_solve": row(
        algebra.triangular_solve,
        left_side=read.boolean("left_side"),
        lower=read.boolean("lower"),
        unit_diagonal=read.boolean("unit_diagonal"),
        transpose_a=read.word("transpose_a"),
    ),
    # random numbers
    "rng": row(windows.rng, distribution=read.word("rng_distribution"), shape=read.result_shape),
    "rng_bit_generator": row(windows.rng_bit_generator, algorithm=read.word("rng_algorithm"), types=read.result_types),
    # control
    "after_all": row(control.token),
    "case": row(control.case, branches=read.blocks),
    "composite": row(control.call, function=read.function("decomposition")),
    "create_token": row(control.token),
    "custom_call": row(
        control.custom_call,
        target=read.word("call_target_name"),
        types=read.result_types,
        limits=read.limits,
    ),
    "get_tuple_element": row(control.get_tuple_element, index=read.integer("index")),
    "if": row(control.case_if, branches=read.blocks),
    "optimization_barrier": row(control.barrier),
    "partition_id": row(control.first_replica),
    "replica_id": row(control.first_replica),
    "tuple": row(control.make_tuple),
    "while": row(control.loop, condition=read.block(0), body=read.block(1)),
}

CHLO = {
    "acos": elementwise(real(np.arccos)),
    "acosh": elementwise(real(np.arccosh)),
    "asin": elementwise(real(np.arcsin)),
    "asinh": elementwise(real(np.arcsinh)),
    "atan": elementwise(real(np.arctan)),
    "atanh": elementwise(real(np.arctanh)),
    "conj": elementwise(np.conjugate),
    "cosh": elementwise(double(np.cosh)),
    "erf": elementwise(by_element(math.erf)),
    "erf_inv": elementwise(double(more.erf_inv)),
    "erfc": elementwise(by_element(math.erfc)),
    "is_inf": elementwise(more.is_infinite),
    "is_neg_inf": elementwise(more.is_negative_infinity),
    "is_pos_inf": elementwise(more.is_positive_infinity),
    "mulhi": elementwise(more.multiply_high),
    "lgamma": elementwise(by_element(more.lgamma)),
    "next_after": elementwise(np.nextafter),
    "sinh": elementwise(double(np.sinh)),
    "square": elementwise(more.square),
    "tan": elementwise(real(np.tan)),
    "top_k": row(top_k, k=read.integer("k")),
}

ROWS = {
    **{f"stablehlo.{name}": found for name, found in STABLEHLO.items()},
    **{f"chlo.{name}": found for name, found in CHLO.items()},
    "sdy.sharding_constraint": row(control.barrier),
    "func.call": row(control.call, function=read.function("callee")),
    **{
        f"check.{name}": row(control.check, name=read.of_check, expected=read.expected, limits=read.limits)
        for name in ("expect_eq", "expect_almost_eq", "expect_close")
    },
    **{
        f"check.{name}_const": row(control.check, name=read.of_check, expected=read.expected, limits=read.limits)
        for name in ("expect_eq", "expect_almost_eq")
    },
}
