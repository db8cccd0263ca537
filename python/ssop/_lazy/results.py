"""How the results of operations are taken from arrays of other libraries.

Each function gets the call and what the core resolved it to: regions, or the shape of the result. The call's value
already has the operand's library and dtype.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ssop import _core
from ssop._errors import check_gradient, value_error
from ssop._lazy import libraries
from ssop._lazy.calls import Call

Regions: TypeAlias = tuple[_core.Region, ...]
Shape: TypeAlias = tuple[int, ...]


def copied(call: Call, resolved: None) -> Any:
    return libraries.copied(call.op, call.x)


# ---- regions ---------------------------------------------------------------------------------------------------------


def taken(call: Call, region: _core.Region) -> Any:
    found = libraries.view(call.op, call.x, region)
    return found if libraries.walk_of(call.x, region) is not None else libraries.own(found)


def window_taken(call: Call, regions: Any) -> Any:
    if are_rows(regions):
        return _windows_taken(call, regions)
    if len(regions) == 2 and fills(call.arguments):
        return _window_filled(call, regions)
    region = _only(call, regions)
    if has_traced_start(call) and 0 not in region.shape:
        return libraries.jax_arrays().window_taken(call, region)
    return taken(call, region)


def are_rows(regions: Any) -> bool:
    """Whether these are the regions of several windows, one for each row of starts (ds_s6)."""
    return not regions or isinstance(regions[0], tuple)


def _windows_taken(call: Call, rows: tuple[Regions, ...]) -> Any:
    """Return the windows one after the other, each of them taken as a single one is."""
    if not rows:
        sizes = _core.read_integers(call.op, "slice_sizes", call.arguments["slice_sizes"])
        return libraries.filled(call.op, call.x, (0, *sizes), libraries.zero(call.x))
    if has_traced_start(call) and 0 not in rows[0][0].shape:
        return libraries.jax_arrays().windows_taken(call, rows[0][0])
    windows = [window_taken(call, regions) for regions in rows]
    return libraries.joined(call.op, [libraries.reshaped(call.op, x, (1, *x.shape)) for x in windows], 0)


def fills(arguments: Mapping[str, Any]) -> bool:
    """Whether these are the arguments of a window that may have elements outside the operand."""
    policy = arguments.get("out_of_bounds")
    return isinstance(policy, str) and policy == "fill"


def _window_filled(call: Call, regions: Regions) -> Any:
    """Return a window of which a part is outside; of an index without its axis, that is the whole window."""
    kept, place = regions
    found = libraries.view(call.op, call.x, kept)
    value = libraries.zero(call.x) if call.value is None else call.value
    filled = libraries.spread(call.op, found, found, value, place)
    if call.arguments.get("keepdims", True):
        return filled
    axis = int(call.arguments.get("axis", 0))
    return libraries.view(call.op, filled, _core.xla_index_in_dim_region(filled.shape, 0, axis, False))


def window_updated(call: Call, regions: Regions) -> Any:
    region, value = _only(call, regions), call.value
    if len(value.shape) < len(region.shape):  # dynamic_update_index_in_dim takes a value without the axis
        value = libraries.reshaped(call.op, libraries.without_names(value), region.shape)
    if has_traced_start(call) and 0 not in region.shape:
        return libraries.jax_arrays().window_updated(call, region, value)
    return libraries.updated(call.op, call.x, region, value)


def slice_updated(call: Call, region: _core.Region) -> Any:
    if 0 in region.shape:  # as_s2
        return libraries.copied(call.op, call.x)
    return libraries.updated(call.op, call.x, region, _broadcastable(call, region.shape))


def slice_assigned(call: Call, region: _core.Region) -> Any:
    if 0 not in region.shape:  # as_s2
        libraries.assign(call.x, region, _broadcastable(call, region.shape))
    return call.x


def placed(call: Call, region: _core.Region) -> Any:
    check_gradient(call.op, tuple(call.x.shape), region.shape)
    return libraries.spread(call.op, call.x, call.x, libraries.zero(call.x), region)


def padded(call: Call, regions: Regions) -> Any:
    kept, place = regions
    return libraries.spread(call.op, call.x, libraries.view(call.op, call.x, kept), call.value, place)


def has_traced_start(call: Call) -> bool:
    return libraries.library(call.x) == "jax" and bool(libraries.jax_arrays().has_traced_start(call))


def _only(call: Call, regions: Regions) -> _core.Region:
    if len(regions) > 1:
        raise libraries.foreign_error(call.op, call.x, "does not wrap round: that takes several indices")
    return regions[0]


def _broadcastable(call: Call, shape: Shape) -> Any:
    """Return the value without its extra axes, for a slice of this shape (as_c1, as_s1)."""
    given = tuple(call.value.shape)
    check_broadcast(call.op, given, shape)
    extra = max(0, len(given) - len(shape))
    return call.value[(0,) * extra + (Ellipsis,)] if extra else call.value


def check_broadcast(op: str, given: Shape, shape: Shape) -> None:
    """Raise if a value of the shape `given` cannot be broadcast to a slice of `shape` (as_c1)."""
    extra = max(0, len(given) - len(shape))
    pairs = zip(reversed(given[extra:]), reversed(shape), strict=False)
    if any(dim != 1 for dim in given[:extra]) or any(dim not in (1, wanted) for dim, wanted in pairs):
        message = f"value has shape {given}: Cannot broadcast input shape {list(given)} into final shape {list(shape)}"
        raise value_error(op, "as_c1", message, value=given)


# ---- shapes ----------------------------------------------------------------------------------------------------------


def broadcast(call: Call, shape: Shape) -> Any:
    return libraries.own(libraries.repeated(call.op, call.x, shape))


def broadcast_in_dim(call: Call, shape: Shape) -> Any:
    op, x = call.op, call.x
    axis_of = {int(dimension): axis for axis, dimension in enumerate(call.arguments["broadcast_dimensions"])}
    ordered = libraries.transposed(op, x, tuple(axis_of[dimension] for dimension in sorted(axis_of)))
    ones = tuple(x.shape[axis_of[axis]] if axis in axis_of else 1 for axis in range(len(shape)))
    return libraries.own(libraries.repeated(op, libraries.reshaped(op, ordered, ones), shape))


def reshaped(call: Call, shape: Shape) -> Any:
    x, dimensions = call.x, call.arguments.get("dimensions")
    if dimensions is not None:
        x = libraries.transposed(call.op, x, tuple(map(int, dimensions)))
    return libraries.own(libraries.reshaped(call.op, x, shape))


def collapsed(call: Call, shape: Shape) -> Any:
    return libraries.own(libraries.reshaped(call.op, call.x, shape))


def transposed(call: Call, shape: Shape) -> Any:
    axes = tuple(map(int, call.arguments["permutation"]))
    return libraries.own(libraries.transposed(call.op, call.x, axes))
