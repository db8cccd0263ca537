"""Which function of `ssop.vjp` an operation's gradient is, by how its result is taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ssop import _core, _windows, vjp
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
    rows = results.are_rows(call.resolved)
    of_operand = vjp.dynamic_slice(dy, call.shape, **call.arguments) if rows else _of_one_window(call, dy)
    if call.value_shape is None:
        return (of_operand,)
    pairs = zip(call.resolved, dy, strict=True) if rows else [(call.resolved, dy)]
    return of_operand, sum((_of_fill_value(call, of_one, regions) for regions, of_one in pairs), dy.new_zeros(()))


def _of_fill_value(call: Linear, dy: Any, regions: Any) -> Any:
    if len(regions) == 1:  # nothing is outside
        return dy.new_zeros(())
    kept, place = regions
    return vjp.pad(_core.xla_reshape(dy, place.in_shape), call.shape, _windows.padding_of(kept, place))[1]


def _of_one_window(call: Linear, dy: Any) -> Any:
    if len(call.resolved) == 2 and results.fills(call.arguments):
        kept, place = call.resolved
        return vjp.pad(_core.xla_reshape(dy, place.in_shape), call.shape, _windows.padding_of(kept, place))[0]
    return _of_window_inside(call, dy)


def _of_window_inside(call: Linear, dy: Any) -> Any:
    if call.op == "dynamic_slice":
        return vjp.dynamic_slice(dy, call.shape, **call.arguments)
    if len(call.resolved) == 1:
        return vjp.region(dy, call.resolved[0])
    starts, sizes = _window(call)
    return vjp.dynamic_slice(dy, call.shape, starts, sizes, out_of_bounds="wrap")


def _of_window_updated(call: Linear, dy: Any) -> tuple[Any, ...]:
    if call.op == "dynamic_update_slice":
        return vjp.dynamic_update_slice(dy, call.shape, _value_shape(call), **call.arguments)
    starts, sizes = _window(call)
    operand, update = vjp.dynamic_update_slice(dy, call.shape, sizes, starts, out_of_bounds="wrap")
    return operand, _core.xla_reshape(update, _value_shape(call))


def _window(call: Linear) -> tuple[list[int], list[int]]:
    """Return the start and the size of a one-axis window on every axis, from its pieces: several if it wraps round."""
    starts = [start for start, _, _ in call.resolved[0].ranges]
    pieces = zip(*(region.ranges for region in call.resolved), strict=True)
    return starts, [sum(count for _, count, _ in set(of_axis)) for of_axis in pieces]


def _of_slice_updated(call: Linear, dy: Any) -> tuple[Any, ...]:
    return vjp.tensor_strided_slice_update(dy, call.shape, _value_shape(call), **call.arguments)


def _of_padded(call: Linear, dy: Any) -> tuple[Any, ...]:
    return vjp.pad(dy, call.shape, **call.arguments)


def _of_shape(gradient: Callable[..., Any]) -> Gradient:
    return lambda call, dy: (gradient(dy, call.shape, **call.arguments),)


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
