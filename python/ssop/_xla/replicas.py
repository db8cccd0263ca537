"""XLA's CrossReplicaSum, over a list of replicas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ssop import _vectors
from ssop._errors import type_error, value_error
from ssop._xla.arithmetic import add
from ssop._xla.computation import Type, type_of
from ssop._xla.operands import Array, as_operand, public


@public
def cross_replica_sum(operands: Sequence[Any]) -> list[Array]:
    """XLA's CrossReplicaSum: for each replica, the sum of what all have. `jax.lax.psum` is its name in JAX.

    Parameters
    ----------
    operands : sequence of array_like of one shape and dtype, one for each replica
        The program of each replica has one operand in XLA; here the operands of all replicas stand side by side.

    Returns
    -------
    list of numpy.ndarray : new, C-ordered, of the operands' shape and dtype; one for each replica, all equal (crs_s1).

    Raises
    ------
    SliceError : `label` names the rule (crs_*, et_*, in_*) in SPEC.md.

    Source: XLA's Operation Semantics and InferAllReduceShape; StableHLO `all_reduce`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.cross_replica_sum([np.array([1.0, 2.5]), np.array([3.0, 5.1])])
    [array([4. , 7.6]), array([4. , 7.6])]
    """
    op = "xla.cross_replica_sum"
    given = _vectors.items(op, "operands", operands)
    arrays = [as_operand(op, f"operands[{number}]", x) for number, x in enumerate(given)]
    check_replicas([type_of(x) for x in arrays])
    total = np.array(arrays[0], order="C")
    with np.errstate(all="ignore"):
        for x in arrays[1:]:
            total = np.asarray(add(total, x), total.dtype)  # crs_s1
    return [total.copy() for _ in arrays]


def check_replicas(types: Sequence[Type]) -> None:
    """Raise unless there are replicas, whose operands all have one type."""
    op = "xla.cross_replica_sum"
    if not types:
        raise value_error(op, "crs_c1", "operands is empty: there are no replicas")
    for entry, given in enumerate(types):
        if given != types[0]:
            message = f"entry {entry} of operands is {given}, not {types[0]}: all replicas run the same program"
            raise type_error(op, "crs_c2", message, entry=entry, value=str(given))
