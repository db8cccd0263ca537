"""Readers of what the table of operations needs to know before it evaluates: attributes, types and regions."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ssop.stablehlo._parsing import jaxlib
from ssop.stablehlo._program import Block, Function, Operation
from ssop.stablehlo._regions import ScalarComputation
from ssop.stablehlo._types import constant

Reader = Callable[[Operation], Any]


def integers(name: str, default: Any = None) -> Reader:
    """A vector; `default` without one."""

    def read(operation: Operation) -> Any:
        attribute = operation.attribute(name)
        return default if attribute is None else [int(x) for x in attribute]

    return read


def booleans(name: str) -> Reader:
    """A vector; None without one."""

    def read(operation: Operation) -> Any:
        attribute = operation.attribute(name)
        return None if attribute is None else [bool(x) for x in attribute]

    return read


def pairs(name: str) -> Reader:
    """The rows of a matrix of two columns, such as padding; None without one."""

    def read(operation: Operation) -> Any:
        attribute = operation.attribute(name)
        return None if attribute is None else [(int(low), int(high)) for low, high in np.array(attribute)]

    return read


def integer(name: str, default: int | None = None) -> Reader:
    def read(operation: Operation) -> Any:
        attribute = operation.attribute(name)
        return default if attribute is None else int(attribute.value)

    return read


def number(name: str, default: float | None = None) -> Reader:
    def read(operation: Operation) -> Any:
        attribute = operation.attribute(name)
        return default if attribute is None else float(attribute.value)

    return read


def boolean(name: str) -> Reader:
    def read(operation: Operation) -> bool:
        attribute = operation.attribute(name)
        return attribute is not None and bool(attribute.value)

    return read


def word(name: str) -> Reader:
    """The last word of an enumeration, LT of `#stablehlo<comparison_direction LT>`, or a string."""

    def read(operation: Operation) -> str:
        if hasattr(attribute := operation.attribute(name), "value"):
            return str(attribute.value)
        return re.split(r"[ <]", str(attribute).rstrip(">"))[-1]

    return read


def result_shape(operation: Operation) -> tuple[int, ...]:
    """The shape of the result, which must be known."""
    shape = operation.result_type.shape
    if None in shape:
        raise operation.unsupported(f"a result of the unknown shape {operation.mlir.results[0].type} is not supported")
    return tuple([dim for dim in shape if dim is not None])


def result_dtype(operation: Operation) -> np.dtype[Any]:
    return operation.result_type.dtype


def result_types(operation: Operation) -> tuple[Any, ...]:
    """The types of all results as pairs (shape, dtype)."""
    from ssop.stablehlo._types import tensor_type

    kinds = [tensor_type(x.type, operation.where) for x in operation.mlir.results]
    return tuple([(kind.shape, kind.dtype) for kind in kinds])


def value(operation: Operation) -> Any:
    """The array of a constant."""
    kind = operation.result_type if len(operation.mlir.results) else operation.operand_type(0)
    array = constant(operation.mlir, kind, operation.where)
    array.flags.writeable = False
    return array


def block(region: int) -> Callable[[Operation], Block]:
    """A region that is evaluated as it stands."""
    return lambda operation: operation.block(region)


def blocks(operation: Operation) -> list[Block]:
    """All regions."""
    return [operation.block(region) for region in range(len(operation.mlir.regions))]


def computation(region: int = 0) -> Reader:
    """A region on scalars as a function on whole arrays, or the function of `ssop.xla` that it is."""
    return lambda operation: ScalarComputation.read(operation, region)


def function(name: str) -> Callable[[Operation], Function]:
    """The function that an attribute names."""

    def read(operation: Operation) -> Function:
        callee = str(operation.attribute(name).value)
        functions = operation.function.program.functions
        if callee not in functions:
            raise operation.unsupported(f"there is no function @{callee}")
        return functions[callee]

    return read


def gather_numbers(operation: Operation) -> dict[str, Any]:
    found = jaxlib().attributes.GatherDimensionNumbers(operation.attribute("dimension_numbers"))
    of_slices = ("offset_dims", "collapsed_slice_dims", "start_index_map")
    names = (*of_slices, "operand_batching_dims", "start_indices_batching_dims")
    return {**{name: list(getattr(found, name)) for name in names}, "index_vector_dim": found.index_vector_dim}


def scatter_numbers(operation: Operation) -> dict[str, Any]:
    found = jaxlib().attributes.ScatterDimensionNumbers(operation.attribute("scatter_dimension_numbers"))
    return {
        "update_window_dims": list(found.update_window_dims),
        "inserted_window_dims": list(found.inserted_window_dims),
        "scatter_dims_to_operand_dims": list(found.scattered_dims_to_operand_dims),
        "input_batching_dims": list(found.input_batching_dims),
        "scatter_indices_batching_dims": list(found.scatter_indices_batching_dims),
        "index_vector_dim": found.index_vector_dim,
    }


def dot_numbers(operation: Operation) -> Any:
    """((lhs_contracting, rhs_contracting), (lhs_batch, rhs_batch))"""
    found = jaxlib().attributes.DotDimensionNumbers(operation.attribute("dot_dimension_numbers"))
    contracting = (list(found.lhs_contracting_dimensions), list(found.rhs_contracting_dimensions))
    return contracting, (list(found.lhs_batching_dimensions), list(found.rhs_batching_dimensions))


def convolution_numbers(operation: Operation) -> Any:
    """Three strings such as NHWC, HWIO and NHWC in JAX's form, with digits for the spatial axes: "N01C"."""
    found = jaxlib().attributes.ConvDimensionNumbers(operation.attribute("dimension_numbers"))
    spatial = list(found.input_spatial_dimensions), list(found.kernel_spatial_dimensions)
    lhs = (found.input_batch_dimension, found.input_feature_dimension, *spatial[0])
    rhs = (found.kernel_output_feature_dimension, found.kernel_input_feature_dimension, *spatial[1])
    out = (found.output_batch_dimension, found.output_feature_dimension, *found.output_spatial_dimensions)
    return lhs, rhs, out


LIMITS = {"tolerance": float, "max_ulp_difference": int, "min_ulp_difference": int}


def limits(operation: Operation) -> dict[str, Any]:
    """What a check allows, where it says so: in its attributes, or as a custom call in a dictionary."""
    found = {name: operation.attribute(name) for name in LIMITS}
    return {name: LIMITS[name](x.value) for name, x in found.items() if x is not None}


def of_check(operation: Operation) -> str:
    """The name of a check: expect_eq of check.expect_eq_const."""
    return operation.name.removeprefix("check.").removesuffix("_const")


def expected(operation: Operation) -> Any:
    """The constant that a check compares with; None if it has two operands."""
    return value(operation) if operation.name.endswith("_const") else None
