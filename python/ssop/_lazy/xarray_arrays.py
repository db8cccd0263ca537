"""Arrays of xarray: what it expresses with names of axes and coordinates, by its own operations.

The functions have the names of the array API standard, so that this module stands for the library's namespace; they
get the name of the operation first. It is imported where there is an array of xarray: then xarray is loaded.
"""

# mypy: disable-error-code="import-not-found,import-untyped,no-untyped-call,misc,unused-ignore"

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import xarray

from ssop import _core
from ssop._errors import type_error


def concat(op: str, arrays: Sequence[Any], axis: int) -> Any:
    """Join arrays along an axis, whose coordinates are joined too; those of the other axes must be equal."""
    _check_names(op, arrays)
    return _aligned(
        op,
        lambda: xarray.concat(
            arrays, arrays[0].dims[axis], coords="minimal", compat="override", join="exact", combine_attrs="override"
        ),
    )


def where(op: str, pred: Any, on_true: Any, on_false: Any) -> Any:
    # In this order, since the attributes are those of the first array.
    return _elementwise(op, _select, on_true, on_false, pred)


def _select(on_true: Any, on_false: Any, pred: Any) -> Any:
    if any(hasattr(x, "__dask_graph__") for x in (on_true, on_false, pred)):
        from ssop._lazy import dask_arrays  # which imports dask

        return dask_arrays.where(pred, on_true, on_false)
    return np.where(pred, on_true, on_false)


def minimum(op: str, x: Any, y: Any) -> Any:
    return _elementwise(op, np.minimum, x, y)


def maximum(op: str, x: Any, y: Any) -> Any:
    return _elementwise(op, np.maximum, x, y)


def padded(op: str, x: Any, fill: Any, region: _core.Region, data: Any = None) -> Any:
    """Return an array with `x` at a region and `fill` around it; where `x` has no coordinate, it is NaN.

    If the elements of the result are known, they are `data`.
    """
    forward, flips = region.split()
    whole = tuple(range(len(region.in_shape)))
    if region.out_axes != whole or any(step != 1 for _, _, step in forward.ranges):
        raise type_error(
            op, "in_c7", "an array of xarray is padded at its ends alone; x.data is the array without names"
        )
    if isinstance(fill, xarray.DataArray):
        fill = fill.data
    if not isinstance(fill, (np.ndarray, np.generic)):
        raise type_error(op, "in_c7", f"an array of xarray is padded with a number, not {type(fill).__name__}")
    x = x[tuple(slice(None, None, -1 if axis in flips else 1) for axis in whole)]
    ends = zip(x.dims, forward.ranges, region.in_shape, strict=True)
    lengths = {name: (start, dim - start - count) for name, (start, count, _), dim in ends}
    if data is not None:
        return x.copy(data=np.zeros(x.shape, bool)).pad(lengths, constant_values=False).copy(data=data)
    try:
        return x.pad(lengths, constant_values=np.asarray(fill)[()])
    except TypeError as error:  # dask pads with numbers alone
        message = f"this array of xarray cannot be padded with elements of dtype {x.dtype}: {error}"
        raise type_error(op, "in_c7", f"{message}; x.data is the array without names") from error


def _elementwise(op: str, function: Callable[..., Any], *arrays: Any) -> Any:
    _check_names(op, [x for x in arrays if x.ndim])
    return _aligned(
        op, lambda: xarray.apply_ufunc(function, *arrays, join="exact", dask="allowed", keep_attrs="override")
    )


def _check_names(op: str, arrays: Sequence[Any]) -> None:
    """Raise unless all arrays have the same names of axes, in the same order; xarray would transpose or broadcast."""
    names = [getattr(x, "dims", None) for x in arrays]
    if any(other != names[0] for other in names):
        message = f"arrays of xarray need axes of the same names, not {', '.join(map(str, names))}"
        raise type_error(op, "in_c7", f"{message}; x.data is the array without names")


def _aligned(op: str, function: Callable[[], Any]) -> Any:
    try:
        return function()
    except ValueError as error:  # of join="exact"; any other way to align would change the shape
        message = f"arrays of xarray need equal coordinates; x.data is the array without them: {error}"
        raise type_error(op, "in_c7", message) from error
