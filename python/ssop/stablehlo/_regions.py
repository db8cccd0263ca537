"""Regions on scalars as functions on whole arrays: what Reduce, Sort, Map, .. call."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop import xla
from ssop._xla.gathering import replace
from ssop.stablehlo._program import Block, Operation, Step

Array = np.ndarray[Any, Any]

KNOWN = {
    "stablehlo.add": "add",
    "stablehlo.multiply": "mul",
    "stablehlo.maximum": "max",
    "stablehlo.minimum": "min",
    "stablehlo.and": "logical_and",
    "stablehlo.or": "logical_or",
    "stablehlo.subtract": "sub",
}
"""Functions of `ssop.xla`, which operations that are given them know."""

DIRECTIONS = {"EQ": "eq", "NE": "ne", "GE": "ge", "GT": "gt", "LE": "le", "LT": "lt"}

OF_SCALARS = {
    "stablehlo.broadcast_in_dim",
    "stablehlo.reshape",
    "stablehlo.transpose",
    "stablehlo.optimization_barrier",
}
"""Of scalars these are the identity."""


class ScalarComputation:
    """A region on scalars. Called with arrays of one shape, it gives what it gives for each of their elements."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self._is_elementwise = all([step.is_elementwise for step in block.steps])

    @classmethod
    def read(cls, operation: Operation, region: int) -> Any:
        """The computation of a region, or the function that is known to compute the same."""
        block = Block(operation.mlir.regions[region].blocks[0], operation.function, True)
        return known(block) or cls(block)

    def __call__(self, *arguments: Any) -> Any:
        arrays = [np.asarray(x) for x in arguments]
        shape = np.broadcast_shapes(*[x.shape for x in arrays])
        if shape and not self._is_elementwise:
            raise TypeError("this region has operations on more than elements: it is called with scalars")
        results = [np.broadcast_to(x, shape) for x in self.block(*arrays)]
        return results[0] if len(results) == 1 else tuple(results)


def known(block: Block) -> Any:
    """The function that a region of one operation, or of none, is; else None."""
    if not block.steps:
        return replace if block.returned == block.parameters[1:] and len(block.parameters) == 2 else None
    step = block.steps[0]
    if len(block.steps) > 1 or step.operands != block.parameters or step.results != block.returned:
        return None
    name = KNOWN.get(step.name) or compared(step)
    return None if name is None else getattr(xla, name)


def compared(step: Step) -> str | None:
    """The name of a comparison, unless it is of another order than that of numbers."""
    if step.name != "stablehlo.compare" or step.static["compare_type"] == "TOTALORDER":
        return None
    return DIRECTIONS[step.static["direction"]]
