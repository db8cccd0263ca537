"""The operations of `ssop.xla` on arrays that are not NumPy's: by the functions of their own library.

Shapes and regions are the core's, which checks the arguments. A library that lacks a function refuses (in_c7). Results
of masked arrays are new masked arrays.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy import ma

from ssop import _core, lazy
from ssop._elementwise import check_clamp, check_select
from ssop._errors import value_error

# Where the functions of these libraries are; others say it by __array_namespace__.
NAMESPACES = {"cupy": "cupy", "dask": "dask.array", "jax": "jax.numpy", "jaxlib": "jax.numpy", "torch": "torch"}


def xla_slice_in_dim(operand: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return lazy._sliced("xla.slice_in_dim", operand, args, out, kwargs)


def xla_index_in_dim(operand: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return lazy._sliced("xla.index_in_dim", operand, args, out, kwargs)


def xla_dynamic_slice_in_dim(operand: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    if not lazy._stays(operand):
        return _core.xla_dynamic_slice_in_dim(np.asarray(operand), *args, out=out, **kwargs)
    regions = _core.xla_dynamic_slice_in_dim_regions(operand.shape, *args, **kwargs)
    return lazy._take(
        operand, lazy._only(regions, operand, "xla.dynamic_slice_in_dim"), out, "xla.dynamic_slice_in_dim"
    )


def xla_dynamic_index_in_dim(operand: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    if not lazy._stays(operand):
        return _core.xla_dynamic_index_in_dim(np.asarray(operand), *args, out=out, **kwargs)
    (region,) = _core.xla_dynamic_index_in_dim_regions(operand.shape, *args, **kwargs)  # one element never wraps
    return lazy._take(operand, region, out, "xla.dynamic_index_in_dim")


def xla_dynamic_update_slice_in_dim(operand: Any, update: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    op = "xla.dynamic_update_slice_in_dim"
    if not lazy._stays(operand):
        lazy._refuse_foreign(update, op, "cannot update a NumPy array: the rest of it would be lost")
        update = lazy._numpy_or_plain(update)
        return _core.xla_dynamic_update_slice_in_dim(np.asarray(operand), update, *args, out=out, **kwargs)
    lazy._refuse_out(operand, out, op)
    update = lazy._of_dtype(operand, update, op, "dus_c4")
    regions = _core.xla_dynamic_update_slice_in_dim_regions(operand.shape, update.shape, *args, **kwargs)
    return lazy._updated(operand, lazy._only(regions, operand, op).index, update)


def xla_dynamic_update_index_in_dim(operand: Any, update: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    op = "xla.dynamic_update_index_in_dim"
    if not lazy._stays(operand):
        lazy._refuse_foreign(update, op, "cannot update a NumPy array: the rest of it would be lost")
        update = lazy._numpy_or_plain(update)
        return _core.xla_dynamic_update_index_in_dim(np.asarray(operand), update, *args, out=out, **kwargs)
    lazy._refuse_out(operand, out, op)
    update = lazy._of_dtype(operand, update, op, "dus_c4")
    regions = _core.xla_dynamic_update_index_in_dim_regions(operand.shape, update.shape, *args, **kwargs)
    region = lazy._only(regions, operand, op)
    if len(update.shape) < len(operand.shape):
        update = _reshaped(update, region.shape, op)
    return lazy._updated(operand, region.index, update)


def xla_pad(operand: Any, padding_value: Any, padding_config: Any, *, out: Any = None) -> Any:
    if not lazy._stays(operand):
        lazy._refuse_foreign(padding_value, "xla.pad", "cannot pad a NumPy array")
        value = lazy._numpy_or_plain(padding_value)
        return _core.xla_pad(np.asarray(operand), value, padding_config, out=out)
    lazy._refuse_out(operand, out, "xla.pad")
    value = lazy._of_dtype(operand, padding_value, "xla.pad", "pad_c3")
    if value.shape != ():
        message = f"padding_value has shape {value.shape}: Pad operation does not support non-scalar padding values."
        raise value_error("xla.pad", "pad_c1", message, value=tuple(value.shape))
    kept, place = _core.xla_pad_regions(operand.shape, padding_config)
    padded = _filled(operand, place.in_shape, value)
    return lazy._updated(padded, place.index, operand[kept.index]) if 0 not in kept.shape else padded


def xla_rev(operand: Any, dimensions: Any, *, out: Any = None) -> Any:
    return lazy._sliced("xla.rev", operand, (dimensions,), out, {})


def xla_concatenate(operands: Any, dimension: Any, *, out: Any = None) -> Any:
    operands = list(operands)
    if not any(map(lazy._stays, operands)):
        return _core.xla_concatenate([np.asarray(x) for x in operands], dimension, out=out)
    first = _leading("xla.concatenate", *operands)
    lazy._refuse_out(first, out, "xla.concatenate")
    operands = [lazy._of_dtype(first, x, "xla.concatenate", "cat_c4") for x in operands]
    _core.xla_concatenate_shape([x.shape for x in operands], dimension)
    return _function(first, "xla.concatenate", "concat", "concatenate")(operands, axis=dimension)


def xla_broadcast(operand: Any, sizes: Any, *, out: Any = None) -> Any:
    if not lazy._stays(operand):
        return _core.xla_broadcast(np.asarray(operand), sizes, out=out)
    lazy._refuse_out(operand, out, "xla.broadcast")
    return _repeated(operand, _core.xla_broadcast_shape(operand.shape, sizes), "xla.broadcast")


def xla_broadcast_in_dim(operand: Any, shape: Any, broadcast_dimensions: Any, *, out: Any = None) -> Any:
    op = "xla.broadcast_in_dim"
    if not lazy._stays(operand):
        return _core.xla_broadcast_in_dim(np.asarray(operand), shape, broadcast_dimensions, out=out)
    lazy._refuse_out(operand, out, op)
    shape = _core.xla_broadcast_in_dim_shape(operand.shape, shape, broadcast_dimensions)
    axis_of = {int(dimension): axis for axis, dimension in enumerate(broadcast_dimensions)}
    ordered = _transposed(operand, tuple(axis_of[dimension] for dimension in sorted(axis_of)), op)
    ones = tuple(operand.shape[axis_of[axis]] if axis in axis_of else 1 for axis in range(len(shape)))
    return _repeated(_reshaped(ordered, ones, op), shape, op)


def xla_reshape(operand: Any, new_sizes: Any, dimensions: Any = None, *, out: Any = None) -> Any:
    if not lazy._stays(operand):
        return _core.xla_reshape(np.asarray(operand), new_sizes, dimensions, out=out)
    lazy._refuse_out(operand, out, "xla.reshape")
    shape = _core.xla_reshape_shape(operand.shape, new_sizes, dimensions)
    if dimensions is not None:
        operand = _transposed(operand, tuple(map(int, dimensions)), "xla.reshape")
    return _reshaped(operand, shape, "xla.reshape")


def xla_collapse(operand: Any, dimensions: Any, *, out: Any = None) -> Any:
    if not lazy._stays(operand):
        return _core.xla_collapse(np.asarray(operand), dimensions, out=out)
    lazy._refuse_out(operand, out, "xla.collapse")
    return _reshaped(operand, _core.xla_collapse_shape(operand.shape, dimensions), "xla.collapse")


def xla_transpose(operand: Any, permutation: Any, *, out: Any = None) -> Any:
    if not lazy._stays(operand):
        return _core.xla_transpose(np.asarray(operand), permutation, out=out)
    lazy._refuse_out(operand, out, "xla.transpose")
    _core.xla_transpose_shape(operand.shape, permutation)
    return _transposed(operand, tuple(map(int, permutation)), "xla.transpose")


def xla_select(pred: Any, on_true: Any, on_false: Any) -> Any:
    first = _leading("xla.select", on_true, on_false, pred)
    on_true, on_false = (lazy._of_dtype(first, x, "xla.select", "sel_c2") for x in (on_true, on_false))
    pred = lazy._of_dtype(pred, pred, "xla.select", "sel_c3") if lazy._stays(pred) else _like(first, pred)
    check_select(pred, on_true, on_false)
    return _function(first, "xla.select", "where")(pred, on_true, on_false)


def xla_clamp(min: Any, operand: Any, max: Any) -> Any:
    first = _leading("xla.clamp", operand, min, max)
    low, operand, high = (lazy._of_dtype(first, x, "xla.clamp", "cl_c1") for x in (min, operand, max))
    check_clamp(low, operand, high)
    least, greatest = (_function(first, "xla.clamp", name) for name in ("minimum", "maximum"))
    return least(greatest(operand, low), high)


def _leading(op: str, *values: Any) -> Any:
    """The first array that stays in its library; the others must be of that library, or no arrays at all."""
    first = next(x for x in values if lazy._stays(x))
    for x in values:
        if hasattr(x, "dtype") and _home(x) != _home(first):
            raise lazy._foreign_error(op, first, "does not mix with arrays of another library")
    return first


def _home(x: Any) -> str:
    """The library of an array. NumPy's mix with masked arrays: they have no mask to be lost."""
    root = type(x).__module__.partition(".")[0]
    return "numpy" if isinstance(x, (np.ndarray, np.generic)) else "jax" if root == "jaxlib" else root


def _like(first: Any, x: Any) -> Any:
    return np.asarray(x) if lazy.is_masked(first) else lazy._library(first).asarray(x)


def _function(x: Any, op: str, *names: str) -> Any:
    """The first of these functions that the library of `x` has."""
    if lazy.is_masked(x):
        space: Any = ma
    elif hasattr(x, "__array_namespace__"):
        space = x.__array_namespace__()
    else:
        space = sys.modules.get(NAMESPACES.get(type(x).__module__.partition(".")[0], ""))
    for name in names:
        if hasattr(space, name):
            return getattr(space, name)
    raise lazy._foreign_error(op, x, f"has no function {names[0]}")


def _filled(like: Any, shape: tuple[int, ...], value: Any) -> Any:
    """An array in the library of `like` that holds the scalar everywhere."""
    if lazy.is_masked(like):
        return _repeated(ma.asarray(value), shape, "xla.pad")
    if lazy._stays(value):
        return _repeated(value, shape, "xla.pad")
    return _function(like, "xla.pad", "full")(shape, value[()], dtype=value.dtype)


def _transposed(x: Any, axes: tuple[int, ...], op: str) -> Any:
    if lazy.is_masked(x):
        return x.transpose(axes).copy()
    return _function(x, op, "permute_dims", "permute", "transpose")(x, axes)


def _reshaped(x: Any, shape: tuple[int, ...], op: str) -> Any:
    if lazy.is_masked(x):
        return x.reshape(shape).copy()
    reshape = _function(x, op, "reshape")
    try:
        return reshape(x, shape)
    except NotImplementedError:  # dask joins axes or splits them, not both at once
        return reshape(reshape(x, (-1,)), shape)


def _repeated(x: Any, shape: tuple[int, ...], op: str) -> Any:
    if lazy.is_masked(x):
        return ma.array(np.broadcast_to(x.data, shape), mask=np.broadcast_to(ma.getmaskarray(x), shape)).copy()
    return _function(x, op, "broadcast_to")(x, shape)
