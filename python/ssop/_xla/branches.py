"""XLA's Conditional, by a bool or by a number, and JAX's forms of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ssop import _vectors
from ssop._errors import type_error, value_error
from ssop._xla.computation import (
    PREDICATE,
    Computation,
    Type,
    Value,
    Words,
    as_value,
    call_values,
    check_arguments,
    text,
    type_of,
)
from ssop._xla.operands import as_operand, as_operand_of, public


@public
def conditional(
    predicate: Any,
    true_operand: Any,
    true_computation: Callable[[Any], Any],
    false_operand: Any,
    false_computation: Callable[[Any], Any],
) -> Value:
    """XLA's Conditional: one of two computations, each on an operand of its own.

    Parameters
    ----------
    predicate : bool, or array_like of one bool, of shape ()
    true_operand, false_operand : array_like or a tuple, the argument of the computation
    true_computation, false_computation : callable, or a Computation, on one argument
        Only the one that is chosen is called (cd_s1).

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays, if the computation returns a tuple.

    Raises
    ------
    SliceError : `label` names the rule (cd_*, cm_*, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics and InferConditionalShape; StableHLO `if`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.conditional(True, np.array([1, 2]), lambda x: x + 1, np.array([3, 4]), lambda x: x - 1)
    array([2, 3])
    """
    op = "xla.conditional"
    chosen = as_operand(op, "predicate", predicate)
    _check_predicate(op, "predicate", type_of(chosen))
    operands = (as_value(op, "true_operand", true_operand), as_value(op, "false_operand", false_operand))
    names = ("true_computation", "false_computation")
    return _branch(op, 0 if chosen else 1, names, (true_computation, false_computation), [(x,) for x in operands])


@public
def indexed_conditional(
    branch_index: Any, branch_computations: Sequence[Callable[[Any], Any]], branch_operands: Sequence[Any]
) -> Value:
    """XLA's Conditional by a number: one of several computations, each on an operand of its own.

    Parameters
    ----------
    branch_index : int, or array_like of one int32, of shape ()
        A number outside the branches, also a negative one, chooses the last branch (cd_s2).
    branch_computations : sequence of one or more callables, or Computations, on one argument
        Only the one that is chosen is called (cd_s1).
    branch_operands : sequence of array_like or tuples, one for each computation

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays, if the computation returns a tuple.

    Raises
    ------
    SliceError : `label` names the rule (cd_*, cm_*, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics and InferConditionalShape; StableHLO `case`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> branches = [np.sin, np.cos, lambda x: x]
    >>> ssop.xla.indexed_conditional(1, branches, [np.float32(0)] * 3)
    array(1., dtype=float32)
    """
    op = "xla.indexed_conditional"
    chosen = as_operand_of(op, "branch_index", branch_index, np.dtype(np.int32))
    if type_of(chosen) != Type((), np.dtype(np.int32)):
        raise _index_error(op, "branch_index", type_of(chosen), "s32[]")
    computations = _vectors.items(op, "branch_computations", branch_computations)
    given = _vectors.items(op, "branch_operands", branch_operands)
    check_branches(op, len(computations), len(given))
    operands = [as_value(op, f"branch_operands[{number}]", x) for number, x in enumerate(given)]
    names = [f"branch_computations[{number}]" for number in range(len(computations))]
    number = int(chosen) if 0 <= chosen < len(computations) else len(computations) - 1  # cd_s2
    return _branch(op, number, names, computations, [(x,) for x in operands])


@public
def cond(pred: Any, true_fun: Callable[..., Any], false_fun: Callable[..., Any], *operands: Any) -> Value:
    """One of two computations on the same operands: `jax.lax.cond`.

    Parameters
    ----------
    pred : bool or number, or array_like of one, of shape ()
        A number is true if it is not 0.
    true_fun, false_fun : callable, or a Computation, on the operands
        Only the one that is chosen is called (cd_s1).
    *operands : array_like, or tuples of arrays and tuples

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays, if the computation returns a tuple.

    Raises
    ------
    SliceError : `label` names the rule (cd_*, cm_*, et_*, in_*) in SPEC.md.

    Source: jax.lax.cond.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.cond(False, lambda x: x + 1, lambda x: x - 1, np.array([3, 4]))
    array([2, 3])
    """
    op = "xla.cond"
    chosen = as_operand(op, "pred", pred)
    _check_predicate(op, "pred", Type(chosen.shape, PREDICATE.dtype))
    values = [as_value(op, f"operand {number}", x) for number, x in enumerate(operands)]
    return _branch(op, 0 if chosen else 1, ("true_fun", "false_fun"), (true_fun, false_fun), [values] * 2)


@public
def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Value:
    """One of several computations on the same operands: `jax.lax.switch`.

    Parameters
    ----------
    index : int, or one integer of NumPy's
        A negative number chooses the first branch, one that is too large the last one (cd_s3).
    branches : sequence of one or more callables, or Computations, on the operands
        Only the one that is chosen is called (cd_s1).
    *operands : array_like, or tuples of arrays and tuples

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays, if the computation returns a tuple.

    Raises
    ------
    SliceError : `label` names the rule (cd_*, cm_*, et_*, in_*) in SPEC.md.

    Source: jax.lax.switch.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.switch(7, [np.sin, np.cos], np.float32(0))
    array(1., dtype=float32)
    """
    op = "xla.switch"
    chosen = _vectors.integer(op, "index", index)
    computations = _vectors.items(op, "branches", branches)
    check_branches(op, len(computations), len(computations))
    values = [as_value(op, f"operand {number}", x) for number, x in enumerate(operands)]
    names = [f"branches[{number}]" for number in range(len(computations))]
    number = min(max(chosen, 0), len(computations) - 1)  # cd_s3
    return _branch(op, number, names, computations, [values] * len(computations))


def _check_predicate(op: str, name: str, given: Type) -> None:
    if given != PREDICATE:
        raise _index_error(op, name, given, "pred[]")


def _index_error(op: str, name: str, given: Type, wanted: str) -> Exception:
    message = f"{name} is {given}, not {wanted}: branch_index must be bool or int32_t; got {given}."
    return type_error(op, "cd_c1", message, value=str(given))


def check_branches(op: str, computations: int, operands: int) -> None:
    """Raise if there are no branches, or not as many operands."""
    if not computations or computations != operands:
        message = f"there are {computations} branches and {operands} operands, not one or more of both"
        raise value_error(op, "cd_c2", message, value=operands)


def _branch(
    op: str, chosen: int, names: Sequence[str], computations: Sequence[Any], operands: Sequence[Sequence[Value]]
) -> Value:
    """The value of the branch that is chosen, after what XLA checks of each (cd_s1)."""
    first = computations[0]
    for number, (name, computation, values) in enumerate(zip(names, computations, operands, strict=True)):
        words = Words(
            f"branch computation {number} must take {{wanted}} argument; got {{given}}.",
            f"branch operand {number} must match the shape of the only parameter of branch computation {number}: "
            "got operand: {wanted}; computation: {given}.",
        )
        check_arguments(op, name, computation, [type_of(x) for x in values], words)
        if isinstance(first, Computation) and isinstance(computation, Computation):
            check_same_result(op, number, name, first.result, computation.result)
    return call_values(op, names[chosen], computations[chosen], operands[chosen])


def check_same_result(op: str, number: int, name: str, first: Any, given: Any) -> None:
    """Raise if two branches return values of different types."""
    if given != first:
        message = (
            f"{name} returns {text(given)}, the first branch {text(first)}: the result of branch 0 computation and "
            f"branch {number} computation must have the same shape: got branch 0 computation result: {text(first)}; "
            f"branch {number} computation result: {text(given)}."
        )
        raise type_error(op, "cd_c3", message, value=text(given))
