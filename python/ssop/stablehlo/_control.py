"""Control flow, calls, tuples and comparisons of StableHLO."""

from __future__ import annotations

from typing import Any

import numpy as np

from ssop import xla
from ssop._errors import type_error
from ssop.stablehlo._checks import CHECKS
from ssop.stablehlo._elementwise import UNCHECKED, total_order_key
from ssop.stablehlo._parsing import OP
from ssop.stablehlo._program import Block, Function
from ssop.stablehlo._regions import DIRECTIONS

Array = np.ndarray[Any, Any]

IDENTITIES = {"Sharding", "annotate_device_placement"}
"""Custom calls that only tell a compiler something."""


def compare(lhs: Array, rhs: Array, *, direction: str, compare_type: str) -> Array:
    if compare_type == "TOTALORDER" and lhs.dtype.kind not in "biu":
        lhs, rhs = total_order_key(lhs), total_order_key(rhs)
    result: Array = UNCHECKED[getattr(xla, DIRECTIONS[direction])](lhs, rhs)
    return result


def one_or_all(values: list[Any]) -> Any:
    return values[0] if len(values) == 1 else values


def loop(*state: Any, condition: Block, body: Block) -> Any:
    values = list(state)
    while condition(*values)[0]:
        values = body(*values)
    return one_or_all(values)


def case(index: Array, *, branches: list[Block]) -> Any:
    """An index outside the branches takes the last one."""
    return one_or_all(branches[int(index) if 0 <= index < len(branches) else -1]())


def case_if(pred: Array, *, branches: list[Block]) -> Any:
    return one_or_all(branches[0 if pred else 1]())


def call(*arguments: Any, function: Function) -> Any:
    return one_or_all(function(*arguments))


def make_tuple(*values: Any) -> Any:
    return values


def get_tuple_element(values: Any, *, index: int) -> Any:
    return values[index]


def barrier(*values: Any) -> Any:
    return one_or_all(list(values))


def token(*_: Any) -> None:
    """Tokens only order the operations, which run in the order of the text."""


def first_replica() -> Array:
    return np.array(0, np.uint32)


def check(*operands: Array, name: str, expected: Any, limits: dict[str, Any]) -> None:
    operands = operands if expected is None else (*operands, expected)
    CHECKS[name](*operands, **limits)


def custom_call(*operands: Any, target: str, types: Any, limits: dict[str, Any]) -> Any:
    """A check (hlo_s5), what a compiler would only be told, or a function that the user has registered."""
    if target.startswith("check."):
        name = target.removeprefix("check.")
        if name not in CHECKS:
            raise type_error(OP, "hlo_c4", f"there is no check {target}; there are {', '.join(CHECKS)}", value=target)
        CHECKS[name](*operands, **limits)
        return np.array(True)
    if target in IDENTITIES:
        return one_or_all(list(operands))
    return xla.custom_call(target, operands, types[0] if len(types) == 1 else types)
