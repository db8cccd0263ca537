"""Arrays of JAX: the functions of `jax.lax`, of which one knows what they compile to, also under jit, vmap and grad.

This module is imported where there is an array of JAX: then JAX is loaded.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,misc,unused-ignore"

from __future__ import annotations

import operator
from typing import Any

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp

from ssop import _core
from ssop._errors import type_error
from ssop._lazy.calls import Call
from ssop._sequences import plain

STARTS = ("start_indices", "start_index", "index")
"""What operations on windows call the parameter that may be traced."""


def taken(x: Any, region: _core.Region) -> Any:
    """Return a region by lax.slice and lax.rev."""
    if 0 in region.shape:
        return jnp.zeros(region.shape, x.dtype)
    forward, flips = region.split()
    starts = [start for start, _, _ in forward.ranges]
    limits = [start + (count - 1) * step + 1 for start, count, step in forward.ranges]
    found = lax.slice(x, starts, limits, [step for _, _, step in forward.ranges])
    found = lax.reshape(found, region.shape)
    return lax.rev(found, flips) if flips else found


def updated(x: Any, region: _core.Region, value: Any) -> Any:
    """Return `x` with a value over a region: by lax.dynamic_update_slice, or a scatter if there are larger steps."""
    forward, flips = region.split()
    value = lax.rev(jnp.broadcast_to(value, region.shape), flips)
    value = lax.reshape(value, [count for _, count, _ in forward.ranges])
    if all(step == 1 or count == 1 for _, count, step in forward.ranges):
        return lax.dynamic_update_slice(x, value, [start for start, _, _ in forward.ranges])
    index = tuple(slice(start, start + (count - 1) * step + 1, step) for start, count, step in forward.ranges)
    return x.at[index].set(value)


# ---- windows whose start is traced -----------------------------------------------------------------------------------


def has_traced_start(call: Call) -> bool:
    """True if jit, vmap or grad know of a start only its shape and dtype."""
    return any(isinstance(entry, jax.core.Tracer) for entry in _entries(call.arguments[_parameter(call)]))


def check_known(call: Call) -> None:
    """Raise for a traced argument that must be a number: the shape or the place of the result depends on its value."""
    for name, given in call.arguments.items():
        for number, entry in enumerate(_entries(given)):
            if isinstance(entry, jax.core.Tracer) and not (name in STARTS and "dynamic_" in call.op):
                where = f"{name} entry {number}" if isinstance(given, (list, tuple)) else name
                instead = "dynamic_slice and dynamic_update_slice take traced starts, with sizes that are numbers"
                message = f"{where} is {type(entry).__name__}, a traced value of JAX, not an integer: {instead}"
                raise type_error(call.op, "in_c1", message, value=entry)


def with_known_starts(call: Call) -> Call:
    """Return a call with zeros in the place of traced starts, by which all other arguments can be checked."""
    policy = call.arguments.get("out_of_bounds")
    if isinstance(policy, str) and policy in ("raise", "wrap", "fill"):
        raise type_error(call.op, "in_c7", "a traced start is clamped: what else to do depends on its value")
    name = _parameter(call)
    given = call.arguments[name]
    known = [_known(entry) for entry in given] if isinstance(given, (list, tuple)) else _known(given)
    return call._replace(arguments=call.arguments | {name: known})


def window_taken(call: Call, region: _core.Region) -> Any:
    sizes = [count for _, count, _ in region.ranges]
    return lax.reshape(lax.dynamic_slice(call.x, _starts(call, sizes), sizes), region.shape)


def windows_taken(call: Call, region: _core.Region) -> Any:
    """Return a window of this shape for each row of starts, which are traced as a whole."""

    def taken_at(start: Any) -> Any:
        return window_taken(call._replace(arguments=call.arguments | {"start_indices": start}), region)

    return jax.vmap(taken_at)(call.arguments["start_indices"])


def window_updated(call: Call, region: _core.Region, value: Any) -> Any:
    sizes = [count for _, count, _ in region.ranges]
    return lax.dynamic_update_slice(call.x, lax.reshape(value, sizes), _starts(call, sizes))


def _parameter(call: Call) -> str:
    return next(name for name in STARTS if name in call.arguments)


def _entries(given: Any) -> list[Any]:
    return list(plain(given)) if isinstance(given, (list, tuple)) else [given]


def _known(start: Any) -> Any:
    return np.zeros(start.shape, start.dtype) if isinstance(start, jax.core.Tracer) else start


def _starts(call: Call, sizes: list[int]) -> list[Any]:
    """Return the starts of a window that is inside: of each axis an integer, which may be traced."""
    rank = len(sizes)
    add_dim = call.arguments.get("allow_negative_indices", False)
    if _parameter(call) == "start_indices":
        given = call.arguments["start_indices"]
        entries = [given[axis] for axis in range(rank)]
    else:
        entries = [0] * rank
        entries[operator.index(call.arguments.get("axis", 0)) % rank] = call.arguments[_parameter(call)]
    adds = [bool(add_dim)] * rank if np.ndim(add_dim) == 0 else [bool(add) for add in add_dim]
    integer = jnp.result_type(int)
    return [
        jnp.asarray(_inside(start, dim, size, add), integer)
        for start, dim, size, add in zip(entries, call.x.shape, sizes, adds, strict=True)
    ]


def _inside(start: Any, dim: int, size: int, add_dim: bool) -> Any:
    """Return a start, with the dim added to a negative one if asked for, moved to where the window fits (ds_s1, ds_s3).

    Not left to XLA: it takes unsigned starts beyond the signed ones for negative, and JAX adds the dim by itself.
    """
    if not isinstance(start, jax.core.Tracer):
        start = operator.index(start)
        return min(max(start + dim if add_dim and start < 0 else start, 0), dim - size)
    if jnp.issubdtype(start.dtype, jnp.signedinteger):
        start = start.astype(jnp.result_type(int))
        start = jnp.where(start < 0, start + dim, start) if add_dim else start
    return jnp.clip(start, 0, min(dim - size, int(jnp.iinfo(start.dtype).max)))
