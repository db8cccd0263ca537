"""Which function of `ssop.vjp` an operation's gradient is, by how its result is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ssop import _core, vjp
from ssop._errors import type_error
from ssop._lazy import results


class Linear(NamedTuple):
    """What is known of a call whose gradient is wanted: its arguments, and shapes in the place of its arrays."""

    op: str
    shape: tuple[int, ...]
    value_shape: tuple[int, ...] | None
    arguments: dict[str, Any]
    resolved: Any
    """What the core made of the arguments: a region, regions, or the shape of the result."""


Gradient = Callable[[Linear, Any], tuple[Any, ...]]


def of(taken: Callable[..., Any]) -> Gradient:
    """Return the gradient of an operation whose result this function of `results` takes."""
    return _GRADIENTS[taken]


def _of_copied(call: Linear, dy: Any) -> tuple[Any, ...]:
    return (_core.copy(dy),)


def _of_taken(call: Linear, dy: Any) -> tuple[Any, ...]:
    return (vjp.region(dy, call.resolved),)


def _of_placed(call: Linear, dy: Any) -> tuple[Any, ...]:
    arguments = {name: value for name, value in call.arguments.items() if name != "shape"}
    return (_core.strided_slice(dy, **arguments),)


def _of_window_taken(call: Linear, dy: Any) -> tuple[Any, ...]:
    if call.op == "dynamic_slice":
        return (vjp.dynamic_slice(dy, call.shape, **call.arguments),)
    return (vjp.region(dy, _only(call)),)


def _of_window_updated(call: Linear, dy: Any) -> tuple[Any, ...]:
    if call.op == "dynamic_update_slice":
        return vjp.dynamic_update_slice(dy, call.shape, _value_shape(call), **call.arguments)
    starts, sizes, _ = zip(*_only(call).ranges, strict=True)
    operand, update = vjp.dynamic_update_slice(dy, call.shape, sizes, starts)
    return operand, _core.xla_reshape(update, _value_shape(call))


def _of_slice_updated(call: Linear, dy: Any) -> tuple[Any, ...]:
    return vjp.tensor_strided_slice_update(dy, call.shape, _value_shape(call), **call.arguments)


def _of_padded(call: Linear, dy: Any) -> tuple[Any, ...]:
    return vjp.pad(dy, call.shape, **call.arguments)


def _of_shape(gradient: Callable[..., Any]) -> Gradient:
    return lambda call, dy: (gradient(dy, call.shape, **call.arguments),)


def _only(call: Linear) -> _core.Region:
    """Return the one region of a window: the gradient of a one-axis form that wraps round is not known."""
    if len(call.resolved) > 1:
        raise type_error(call.op, "in_c7", "a tensor that needs a gradient does not wrap round: dynamic_slice does")
    region: _core.Region = call.resolved[0]
    return region


def _value_shape(call: Linear) -> tuple[int, ...]:
    assert call.value_shape is not None
    return call.value_shape


_GRADIENTS: dict[Callable[..., Any], Gradient] = {
    results.copied: _of_copied,
    results.taken: _of_taken,
    results.placed: _of_placed,
    results.window_taken: _of_window_taken,
    results.window_updated: _of_window_updated,
    results.slice_updated: _of_slice_updated,
    results.padded: _of_padded,
    results.broadcast: _of_shape(vjp.broadcast),
    results.broadcast_in_dim: _of_shape(vjp.broadcast_in_dim),
    results.reshaped: _of_shape(vjp.reshape),
    results.collapsed: _of_shape(vjp.collapse),
    results.transposed: _of_shape(vjp.transpose),
}
