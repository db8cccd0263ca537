"""XLA's operations that call computations, and CrossReplicaSum.

A value is a tensor, or a tuple of values. Computations are Python functions: those of While, Call and Conditional on
values, those of Map on items.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from ssop.reference._tensors import Rejected, Tensor, build

Value: TypeAlias = Any


def shapes(value: Value) -> Any:
    """Return the shape of a tensor, or a list of those of a tuple's elements.

    >>> shapes((Tensor((), [1]), Tensor((2,), [1, 2])))
    [(), (2,)]
    """
    return value.shape if isinstance(value, Tensor) else [shapes(item) for item in value]


def only(value: Tensor) -> Any:
    """Return the item of a tensor without axes.

    >>> only(Tensor((), [5]))
    5
    """
    return value.at(())


def call(computation: Callable[..., Value], *operands: Value) -> Value:
    """Return what the computation returns (ca_s1).

    >>> call(lambda x, y: (y, x), 1, 2)
    (2, 1)
    """
    return computation(*operands)


def map(
    operands: Sequence[Tensor],
    computation: Callable[..., Any],
    dimensions: Sequence[int] | None = None,
    static_operands: Sequence[Value] = (),
) -> Tensor:
    """Return the results for the items at each place, a scalar's item being at all of them (map_s1, map_s2).

    Raises `map_c1` and `map_c2`, then `map_c3` and `map_c4`. Source: XLA's `InferMapShape`.

    >>> map([Tensor((2,), [1, 5]), Tensor((), [4])], lambda x, y: x + y)
    Tensor(shape=(2,), items=[5, 9])
    """
    if not operands:
        raise Rejected("map_c1")
    shape = operands[0].shape
    for x in operands[1:]:
        if shape != x.shape and () not in (shape, x.shape):
            raise Rejected("map_c2", value=x.shape)
        shape = shape or x.shape
    if dimensions is not None:
        if len(dimensions) != len(shape):
            raise Rejected("map_c3", value=len(dimensions), allowed=(len(shape), len(shape)))
        for entry, axis in enumerate(dimensions):
            if axis != entry:
                raise Rejected("map_c4", entry=entry, value=axis, allowed=(entry, entry))

    def item(index: builtins.tuple[int, ...]) -> Any:
        return computation(*[x.at(index if x.shape else ()) for x in operands], *static_operands)

    return build(shape, item)


def while_(condition: Callable[[Value], Tensor], body: Callable[[Value], Value], init: Value) -> Value:
    """Return the first of init, body(init), body(body(init)), .. for which the condition is false (wh_s1).

    Raises `wh_c1` for a condition that is not one bool, and `wh_c2` for a value of other shapes.
    Source: XLA's `InferWhileShape`.

    >>> while_(lambda n: Tensor((), [only(n) < 5]), lambda n: Tensor((), [only(n) + 2]), Tensor((), [0]))
    Tensor(shape=(), items=[6])
    """
    value = init
    while holds(condition(value)):
        value = body(value)
        if shapes(value) != shapes(init):
            raise Rejected("wh_c2")
    return value


def while_loop(cond_fun: Callable[[Value], Tensor], body_fun: Callable[[Value], Value], init_val: Value) -> Value:
    """JAX's name of `while_`.

    >>> while_loop(lambda n: Tensor((), [only(n) < 5]), lambda n: Tensor((), [only(n) + 2]), Tensor((), [0]))
    Tensor(shape=(), items=[6])
    """
    return while_(cond_fun, body_fun, init_val)


def holds(value: Value) -> bool:
    """Return the bool of what a condition returns.

    >>> holds(Tensor((), [True]))
    True
    """
    if not isinstance(value, Tensor) or value.shape != () or not isinstance(only(value), bool):
        raise Rejected("wh_c1")
    return bool(only(value))


def conditional(
    predicate: Tensor,
    true_operand: Value,
    true_computation: Callable[[Value], Value],
    false_operand: Value,
    false_computation: Callable[[Value], Value],
) -> Value:
    """Return what one of two computations returns for its operand (cd_s1). Raises `cd_c1`.

    >>> conditional(Tensor((), [True]), 1, lambda n: n + 1, 2, lambda n: n - 1)
    2
    """
    if predicate.shape != () or not isinstance(only(predicate), bool):
        raise Rejected("cd_c1")
    return true_computation(true_operand) if only(predicate) else false_computation(false_operand)


def indexed_conditional(
    branch_index: Tensor, branch_computations: Sequence[Callable[[Value], Value]], branch_operands: Sequence[Value]
) -> Value:
    """Return what the computation of this number returns for its operand, or the last one (cd_s2).

    Raises `cd_c1`, then `cd_c2`. A branch's result is not known before it is called, so that `cd_c3` is not checked.

    >>> indexed_conditional(Tensor((), [-1]), [lambda n: n + 1, lambda n: n - 1], [1, 2])
    1
    """
    if branch_index.shape != ():
        raise Rejected("cd_c1")
    count = len(branch_computations)
    if count == 0 or count != len(branch_operands):
        raise Rejected("cd_c2", value=len(branch_operands))
    number = only(branch_index) if only(branch_index) in range(count) else count - 1
    return branch_computations[number](branch_operands[number])


def cond(pred: Tensor, true_fun: Callable[..., Value], false_fun: Callable[..., Value], *operands: Value) -> Value:
    """Return what one of two computations returns; a number that is not 0 is true. Raises `cd_c1`.

    >>> cond(Tensor((), [0]), lambda n: n + 1, lambda n: n - 1, 5)
    4
    """
    if pred.shape != ():
        raise Rejected("cd_c1")
    return (true_fun if only(pred) != 0 else false_fun)(*operands)


def switch(index: Tensor, branches: Sequence[Callable[..., Value]], *operands: Value) -> Value:
    """Return what the computation of this number returns, or the nearest one (cd_s3). Raises `cd_c1`, then `cd_c2`.

    >>> switch(Tensor((), [-1]), [lambda n: n + 1, lambda n: n - 1], 5)
    6
    """
    if index.shape != () or isinstance(only(index), bool):
        raise Rejected("cd_c1")
    if not branches:
        raise Rejected("cd_c2", value=0)
    return branches[min(max(only(index), 0), len(branches) - 1)](*operands)


def cross_replica_sum(operands: Sequence[Tensor]) -> list[Tensor]:
    """Return for each replica the sum of the items at each place, added from the first replica on (crs_s1).

    Raises `crs_c1`, then `crs_c2`.

    >>> cross_replica_sum([Tensor((2,), [1, 2]), Tensor((2,), [3, 4])])
    [Tensor(shape=(2,), items=[4, 6]), Tensor(shape=(2,), items=[4, 6])]
    """
    if not operands:
        raise Rejected("crs_c1")
    for entry, x in enumerate(operands):
        if x.shape != operands[0].shape:
            raise Rejected("crs_c2", entry=entry)

    def total(index: builtins.tuple[int, ...]) -> Any:
        first, *rest = [x.at(index) for x in operands]
        for item in rest:
            first = first or item if isinstance(first, bool) else first + item
        return first

    return [build(operands[0].shape, total) for _ in operands]
