"""XLA's operations on tuples, which are Python tuples of arrays and tuples."""

from __future__ import annotations

import builtins
from typing import Any

from ssop import _core
from ssop._errors import index_error, type_error
from ssop._xla.computation import PREDICATE, Value, as_value, new_value, text, type_of
from ssop._xla.operands import public


@public
def tuple(*elements: Any) -> Value:
    """XLA's Tuple: a Python tuple of arrays.

    Parameters
    ----------
    *elements : array_like, or tuples of arrays and tuples

    Returns
    -------
    tuple of numpy.ndarray : new, C-ordered, of the shapes and dtypes of the elements (tup_s1).

    Raises
    ------
    SliceError : `label` names the rule (et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `tuple`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.tuple(np.array([0, 1, 2]), np.int32(5))
    (array([0, 1, 2]), array(5, dtype=int32))
    """
    return new_value(as_value("xla.tuple", "elements", elements))  # tup_s1


@public
def get_tuple_element(tuple_data: Any, index: int) -> Value:
    """XLA's GetTupleElement: one element of a tuple.

    Parameters
    ----------
    tuple_data : tuple of arrays and tuples
    index : int, not negative

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays, if the element is a tuple.

    Raises
    ------
    SliceError : `label` names the rule (tup_*, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics and InferGetTupleElementShape; StableHLO `get_tuple_element`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.get_tuple_element((np.array([0, 1, 2]), np.int32(5)), 1)
    array(5, dtype=int32)
    """
    op = "xla.get_tuple_element"
    (number,) = _core.read_integers(op, "index", (index,))
    value = as_value(op, "tuple_data", tuple_data)
    if not isinstance(value, builtins.tuple):
        told = text(type_of(value))
        message = f"tuple_data is {told}, not a tuple: Cannot infer shape: attempting to index into non-tuple: {told}."
        raise type_error(op, "tup_c1", message, value=told)
    return new_value(value[check_element(op, number, len(value), text(type_of(value)))])


def check_element(op: str, number: int, count: int, told: str) -> int:
    """Return the number of an element of a tuple of `count` elements."""
    if not 0 <= number < count:
        message = (
            f"index {number} is not in 0..{count - 1}: Cannot infer shape: attempt to index out of tuple bounds: "
            f"{number} >= {count} in shape {told}."
        )
        raise index_error(op, "tup_c2", message, value=number, allowed=(0, count - 1))
    return number


def select_tuple(pred: Any, on_true: Any, on_false: Any) -> Value:
    """One of two tuples, as XLA's TupleSelect and today's builder do it (tup_s2).

    >>> import numpy as np
    >>> select_tuple(False, (np.array([1, 2]), 3), (np.array([4, 5]), 6))
    (array([4, 5]), array(6))
    """
    op = "xla.select"
    chosen, values = as_value(op, "pred", pred), as_value(op, "operands", (on_true, on_false))
    first, second = type_of(values[0]), type_of(values[1])
    if first != second:
        message = (
            f"on_false is {text(second)}, not {text(first)}: Operands to tuple-select must be the same shape; "
            f"got {text(first)} and {text(second)}."
        )
        raise type_error(op, "tup_c3", message, value=text(second))
    if (given := type_of(chosen)) != PREDICATE:
        message = (
            f"pred is {text(given)}, not pred[]: TupleSelect's pred operand must have PRED element type; "
            f"TupleSelect operation with non-scalar predicate: {text(given)}."
        )
        raise type_error(op, "tup_c4", message, value=text(given))
    return new_value(values[0 if chosen else 1])
