"""Sort and TopK of StableHLO: a comparator that compares keys, one after the other, is a sort by these keys."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ssop import xla
from ssop.stablehlo._elementwise import total_order_key
from ssop.stablehlo._program import Block, Operation, Step
from ssop.stablehlo._regions import ScalarComputation

Array = np.ndarray[Any, Any]


class Key(NamedTuple):
    """A comparison of what is computed of two elements: by `left` of one, and by the same of the other."""

    left: int
    """The value's number."""
    descending: bool
    total: bool
    """Whether the order is that of all bits, also of zeros and NaN."""


Keys: TypeAlias = list[Key] | None


class Comparator(NamedTuple):
    """The comparator of a sort, and the keys that it compares, if it does no more than that."""

    computation: ScalarComputation
    keys: Keys
    of_keys: ScalarComputation | None
    """Computes all keys."""


def sort(*operands: Array, dimension: int, comparator: Comparator) -> Any:
    """Stable, as every sort here is (hlo_s3)."""
    keys = _ordered_keys(operands, comparator)
    if keys is None:
        results = xla.sort(list(operands), dimension, comparator=comparator.computation)
    else:
        order = np.argsort(keys[0], dimension, "stable") if len(keys) == 1 else np.lexsort(keys[::-1], dimension)
        results = [np.take_along_axis(x, order, dimension) for x in operands]
    return results[0] if len(operands) == 1 else results


def _ordered_keys(operands: tuple[Array, ...], comparator: Comparator) -> list[Array] | None:
    """Integers in whose ascending order the elements belong; None if they are not known, or NaN is in no order."""
    if comparator.keys is None or comparator.of_keys is None:
        return None
    found = comparator.of_keys(*[x for operand in operands for x in (operand, operand)])
    keys = []
    for key, values in zip(comparator.keys, found if isinstance(found, tuple) else (found,), strict=True):
        if values.dtype.kind not in "biu":
            if not key.total and np.isnan(values).any():
                return None
            values = total_order_key(values if key.total else values + values.dtype.type(0))  # -0 is +0
        keys.append(~values if key.descending else values)
    return keys


def read_comparator(operation: Operation) -> Comparator:
    """The comparator that the region of a sort is."""
    block, again = [Block(operation.mlir.regions[0].blocks[0], operation.function, True) for _ in range(2)]
    makers = {slot: step for step in again.steps for slot in step.results}
    keys = _keys(again.returned[0], again.parameters, makers)
    if keys is None:
        return Comparator(ScalarComputation(block), None, None)
    again.keep([key.left for key in keys])
    return Comparator(ScalarComputation(block), keys, ScalarComputation(again))


def _keys(slot: int, parameters: list[int], makers: dict[int, Step]) -> Keys:
    """What `a < b`, or `a < b or (a == b and ..)`, compares, first things first; None for other computations."""
    step = makers.get(slot)
    if step is None:
        return None
    if step.name == "stablehlo.compare":
        return _key(step, ("LT", "GT"), parameters, makers)
    if step.name != "stablehlo.or":
        return None
    for first, rest in (step.operands, step.operands[::-1]):
        key = _key(makers.get(first), ("LT", "GT"), parameters, makers)
        both = makers.get(rest)
        if key is None or both is None or both.name != "stablehlo.and":
            continue
        for equal, after in (both.operands, both.operands[::-1]):
            same = _key(makers.get(equal), ("EQ",), parameters, makers)
            keys = _keys(after, parameters, makers)
            if same is not None and keys is not None and same[0][::2] == key[0][::2]:  # one value, one order
                return key + keys
    return None


def _key(step: Step | None, directions: tuple[str, ...], parameters: list[int], makers: dict[int, Step]) -> Keys:
    """The key of a comparison of one direction, whose two sides are made alike of two elements; else None."""
    if step is None or step.name != "stablehlo.compare" or step.static["direction"] not in directions:
        return None
    left, right = [_expression(slot, parameters, makers) for slot in step.operands]
    sides = {side for side, _ in _leaves(left)}, {side for side, _ in _leaves(right)}
    if sides != ({0}, {1}) or _without_sides(left) != _without_sides(right):
        return None
    return [Key(step.operands[0], step.static["direction"] == "GT", step.static["compare_type"] == "TOTALORDER")]


def _expression(slot: int, parameters: list[int], makers: dict[int, Step]) -> Any:
    """How a value is made: the side and the number of an operand, or an operation of such values."""
    if slot in parameters:
        number = parameters.index(slot)
        return ("operand", number % 2, number // 2)
    if slot not in makers:  # of outside the region
        return ("value", slot)
    step = makers[slot]
    static = tuple([(name, x.tobytes() if isinstance(x, np.ndarray) else str(x)) for name, x in step.static.items()])
    made = tuple([_expression(x, parameters, makers) for x in step.operands])
    return (step.name, static, step.results.index(slot), made)


def _leaves(expression: Any) -> list[tuple[int, int]]:
    if expression[0] == "operand":
        return [expression[1:]]
    return [] if expression[0] == "value" else [leaf for part in expression[3] for leaf in _leaves(part)]


def _without_sides(expression: Any) -> Any:
    if expression[0] == "operand":
        return ("operand", expression[2])
    return expression if expression[0] == "value" else (*expression[:3], *map(_without_sides, expression[3]))


def top_k(x: Array, *, k: int) -> Any:
    """The greatest of each row, the first ones of equal ones first, and where they are. NaN is the greatest."""
    keys = x if x.dtype.kind in "biu" else total_order_key(x)
    order = np.argsort(~keys, -1, kind="stable")[..., :k]
    return np.take_along_axis(x, order, -1), order.astype(np.int32)
