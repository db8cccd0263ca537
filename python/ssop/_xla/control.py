"""XLA's operations that call computations: Call, Map, While. Reduce, Sort and the like have files of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ssop import _core, _vectors
from ssop._errors import kind_of, type_error, value_error
from ssop._xla.computation import (
    CALL,
    MAP,
    PREDICATE,
    Computation,
    Type,
    Value,
    Words,
    apply,
    as_value,
    call_values,
    check_arguments,
    new_value,
    text,
    type_of,
)
from ssop._xla.operands import Array, as_operand, deliver, public

SAME = "The parameter of condition and body, the result of the body, and init must all have the same shape; got "
CONDITION = Words("Condition must take 1 arguments; got {given}.", SAME + "condition: {given}; init: {wanted}.")
BODY = Words("Body must take 1 arguments; got {given}.", SAME + "body: {given}; init: {wanted}.")


@public
def call(computation: Callable[..., Any], *operands: Any) -> Value:
    """XLA's Call: the value of a computation.

    Parameters
    ----------
    computation : callable on as many arrays as there are operands, or a Computation
        It gets read-only arrays, and tuples of them where an operand is a tuple.
    *operands : array_like, any shape and dtype of XLA's, or tuples of these

    Returns
    -------
    numpy.ndarray : new, C-ordered; or a tuple of such arrays, if the computation returns a tuple (ca_s1).

    Raises
    ------
    SliceError : `label` names the rule (cm_*, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics and InferCallShape.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.call(lambda x, y: (x + y, x - y), np.array([5, 7]), np.array([1, 2]))
    (array([6, 9]), array([4, 5]))
    """
    op = "xla.call"
    values = [as_value(op, f"operand {number}", x) for number, x in enumerate(operands)]
    check_arguments(op, "computation", computation, [type_of(x) for x in values], CALL)
    return call_values(op, "computation", computation, values)  # ca_s1


@public
def map(
    operands: Sequence[Any],
    computation: Callable[..., Any],
    dimensions: Sequence[int] | None = None,
    static_operands: Sequence[Any] = (),
    *,
    out: Array | None = None,
) -> Array:
    """XLA's Map: a computation on scalars for each element of arrays. `jax.lax.map` is another function.

    Parameters
    ----------
    operands : sequence of one or more array_like of one shape
        A scalar of the same dtype as the arrays is used with every element.
    computation : callable, or a Computation, on scalars: one element of each operand, and the static operands
        It is called once on vectors, where that gives the same; else once for each element (cm_s1).
    dimensions : 0, 1, .. rank - 1, which is the default
    static_operands : sequence of array_like or tuples, further arguments of every call
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operands' shape and the dtype that the computation returns; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (map_*, cm_*, et_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and InferMapShape; StableHLO `map`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.map([np.array([1, 5]), np.array([4, 3])], lambda x, y: x if x > y else y)
    array([4, 5])
    >>> ssop.xla.map([np.array([1, 5])], lambda x, offset: x + offset, static_operands=[np.int64(10)])
    array([11, 15])
    """
    op = "xla.map"
    if callable(operands):
        message = (
            f"operands is {kind_of(operands)}, not a sequence of arrays: jax.lax.map's order of arguments; "
            "write map(operands, computation)"
        )
        raise type_error(op, "in_c5", message, value=operands)
    given = [operands] if isinstance(operands, np.ndarray) else _vectors.items(op, "operands", operands)
    arrays = [as_operand(op, f"operand {number}", x) for number, x in enumerate(given)]
    static = [
        as_value(op, f"static operand {number}", x)
        for number, x in enumerate(_vectors.items(op, "static_operands", static_operands))
    ]
    shape = map_shape([type_of(x) for x in arrays])
    if dimensions is not None:
        check_map_dimensions(len(shape), _core.read_integers(op, "dimensions", dimensions))
    arrays = [np.broadcast_to(x, shape) for x in arrays]
    (result,) = apply(op, "computation", computation, arrays, [None], MAP, static)  # map_s1, map_s2
    return deliver(op, result, out)


def map_shape(types: Sequence[Type]) -> tuple[int, ...]:
    """Return the shape of all operands, after XLA's checks (map_c1, map_c2)."""
    if not types:
        raise value_error("xla.map", "map_c1", "operands is empty: Map expects at least one argument.")
    chosen = types[0]
    for one in types[1:]:
        if one.shape == chosen.shape or (one.dtype == chosen.dtype and not one.shape):
            continue
        if one.dtype == chosen.dtype and not chosen.shape:
            chosen = one
            continue
        message = (
            f"an operand has shape {one.shape}, another {chosen.shape}: Map operation requires all operands to have "
            f"the same shape; got: {', '.join([str(x) for x in types])}."
        )
        raise value_error("xla.map", "map_c2", message, value=one.shape)
    return chosen.shape


def check_map_dimensions(rank: int, dimensions: Sequence[int]) -> None:
    """Raise if these are not all axes in order, in the words of XLA."""
    if len(dimensions) != rank:
        message = (
            f"dimensions has {len(dimensions)} entries, not {rank}: Map applied to a subset of dimensions currently "
            f"not supported: arg_dimension_size: {rank}, requested_map_dimensions_size: {len(dimensions)}."
        )
        raise value_error("xla.map", "map_c3", message, value=len(dimensions), allowed=(rank, rank))
    for entry, axis in enumerate(dimensions):
        if axis != entry:
            message = (
                f"dimensions entry {entry} is {axis}, not {entry}: Map requires monotonically increasing dimension "
                f"numbers; got: {', '.join([str(x) for x in dimensions])}."
            )
            raise value_error("xla.map", "map_c4", message, entry=entry, value=axis, allowed=(entry, entry))


# ---- While -----------------------------------------------------------------------------------------------------------


@public
def while_(condition: Callable[[Any], Any], body: Callable[[Any], Any], init: Any) -> Value:
    """XLA's While: the body again and again, as long as the condition is true.

    Parameters
    ----------
    condition : callable, or a Computation, from a value of init's type to one bool
    body : callable, or a Computation, from a value of init's type to another one
    init : array_like, or a tuple of arrays and tuples

    Returns
    -------
    numpy.ndarray, or a tuple as deep as init : new, C-ordered, of the shapes and dtypes of init: what the body
        returned last, or a copy of init (wh_s1).

    Raises
    ------
    SliceError : `label` names the rule (wh_*, cm_*, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics and InferWhileShape; StableHLO `while`; jax.lax.while_loop.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> init = (np.int32(0), np.zeros(3, np.float32))
    >>> ssop.xla.while_(lambda state: state[0] < 1000, lambda state: (state[0] + 1, state[1] + 0.5), init)
    (array(1000, dtype=int32), array([500., 500., 500.], dtype=float32))
    """
    return _loop("xla.while_", ("condition", "body", "init"), condition, body, init)


@public
def while_loop(cond_fun: Callable[[Any], Any], body_fun: Callable[[Any], Any], init_val: Any) -> Value:
    """XLA's While under the name of `jax.lax.while_loop`: the body again and again, as long as the condition is true.

    Parameters
    ----------
    cond_fun : callable, or a Computation, from a value of init_val's type to one bool
    body_fun : callable, or a Computation, from a value of init_val's type to another one
    init_val : array_like, or a tuple of arrays and tuples

    Returns
    -------
    numpy.ndarray, or a tuple as deep as init_val : new, C-ordered, of the shapes and dtypes of init_val: what the body
        returned last, or a copy of init_val (wh_s1).

    Raises
    ------
    SliceError : `label` names the rule (wh_*, cm_*, et_*, in_*) in SPEC.md.

    Source: jax.lax.while_loop.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.while_loop(lambda n: n < 100, lambda n: n * 2, np.int32(3))
    array(192, dtype=int32)
    """
    return _loop("xla.while_loop", ("cond_fun", "body_fun", "init_val"), cond_fun, body_fun, init_val)


def _loop(op: str, names: tuple[str, str, str], condition: Any, body: Any, init: Any) -> Value:
    state = as_value(op, names[2], init)
    wanted = type_of(state)
    _check_loop(op, names, condition, body, wanted)
    state = new_value(state)
    while _holds(op, names[0], condition, state):
        state = call_values(op, names[1], body, [state], wanted)
        if (given := type_of(state)) != wanted:
            raise _body_error(op, names[1], given, wanted)
    return state  # wh_s1


def _check_loop(op: str, names: tuple[str, str, str], condition: Any, body: Any, wanted: Any) -> None:
    """What is known of the computations before one is called, in XLA's order."""
    check_arguments(op, names[0], condition, [wanted], CONDITION)
    check_arguments(op, names[1], body, [wanted], BODY)
    if isinstance(condition, Computation) and condition.result != PREDICATE:
        raise _condition_error(op, names[0], condition.result)
    if isinstance(body, Computation) and body.result != wanted:
        raise _body_error(op, names[1], body.result, wanted)


def _holds(op: str, name: str, condition: Any, state: Value) -> bool:
    holds = call_values(op, name, condition, [state], PREDICATE)
    if type_of(holds) != PREDICATE:
        raise _condition_error(op, name, type_of(holds))
    return bool(holds)


def _condition_error(op: str, name: str, given: Any) -> Exception:
    message = f"{name} returned {text(given)}, not pred[]: Condition must return a boolean; got {text(given)}."
    return type_error(op, "wh_c1", message, value=text(given))


def _body_error(op: str, name: str, given: Any, wanted: Any) -> Exception:
    told = f"{SAME}body: {text(given)}; init: {text(wanted)}."
    return type_error(op, "wh_c2", f"{name} returned {text(given)}, not {text(wanted)}: {told}", value=text(given))
