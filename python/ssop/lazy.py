"""Arrays that are not NumPy's: the result stays in its library, by that library's own indexing.

The C functions come here, under their own names, for everything but plain NumPy arrays, lists and scalars. Masked
arrays keep their mask; objects that are no arrays of a known kind are converted as `numpy.asarray` does. Nothing here
computes an index: the regions are the core's.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ssop import _core
from ssop._errors import type_error

# Libraries whose arrays are never turned into NumPy arrays, with or without __array_namespace__.
LIBRARIES = frozenset({"cupy", "dask", "jax", "jaxlib", "torch", "xarray", "zarr"})


def is_foreign(x: object) -> bool:
    """True for an array of another library."""
    if isinstance(x, (np.ndarray, np.generic)):  # which have __array_namespace__ too
        return False
    return hasattr(x, "__array_namespace__") or type(x).__module__.partition(".")[0] in LIBRARIES


def is_masked(x: object) -> bool:
    """True for a numpy.ma.MaskedArray; without numpy.ma imported there are none."""
    ma = sys.modules.get("numpy.ma")
    return ma is not None and isinstance(x, ma.MaskedArray)


def strided_slice(input_: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return _sliced("strided_slice", input_, args, out, kwargs)


def tf_strided_slice(input_: Any, *args: Any, var: Any = None, name: Any = None, out: Any = None, **kwargs: Any) -> Any:
    return strided_slice(input_, *args[:8], out=out, **kwargs)


def tf_slice(input_: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return _sliced("tf.slice", input_, args, out, kwargs)


def tflite_strided_slice(input_: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return _sliced("tflite.strided_slice", input_, args, out, kwargs)


def tflite_slice(input_: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return _sliced("tflite.slice", input_, args, out, kwargs)


def openvino_strided_slice(data: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return _sliced("openvino.strided_slice", data, args, out, kwargs)


def openvino_slice(data: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return _sliced("openvino.slice", data, args, out, kwargs)


def onnx_slice(data: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return _sliced("onnx.slice", data, args, out, kwargs)


def strided_slice_grad(
    shape: Any, begin: Any, end: Any, strides: Any, dy: Any, *masks: Any, out: Any = None, **kwargs: Any
) -> Any:
    _refuse_foreign(dy, "strided_slice_grad", "cannot be scattered over a NumPy array")
    return _core.strided_slice_grad(shape, begin, end, strides, np.asarray(dy), *masks, out=out, **kwargs)


def strided_slice_assign(ref: Any, begin: Any, end: Any, strides: Any, value: Any, *masks: Any, **kwargs: Any) -> Any:
    if not _stays(ref):
        _refuse_foreign(value, "strided_slice_assign", "cannot be assigned to a NumPy array")
        if not isinstance(ref, np.ndarray):
            message = f"ref is a {type(ref).__name__}, not a NumPy array"
            raise type_error("strided_slice_assign", "out_c1", message, value=ref)
        return _core.strided_slice_assign(ref, begin, end, strides, np.asarray(value), *masks, **kwargs)
    ref[_core.strided_slice_region(ref.shape, begin, end, strides, *masks, **kwargs).index] = value
    return ref


def tensor_strided_slice_update(
    input: Any, begin: Any, end: Any, strides: Any, value: Any, *masks: Any, out: Any = None, **kwargs: Any
) -> Any:
    op = "tensor_strided_slice_update"
    if not _stays(input):
        _refuse_foreign(value, op, "cannot be assigned to a NumPy array")
        args = (begin, end, strides, np.asarray(value), *masks)
        return _core.tensor_strided_slice_update(np.asarray(input), *args, out=out, **kwargs)
    _refuse_out(input, out, op)
    return _updated(input, _core.strided_slice_region(input.shape, begin, end, strides, *masks, **kwargs).index, value)


def slice(operand: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    return _sliced("slice", operand, args, out, kwargs)


def dynamic_slice(operand: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    if not _stays(operand):
        return _core.dynamic_slice(np.asarray(operand), *args, out=out, **kwargs)
    region = _only(_core.dynamic_slice_regions(operand.shape, *args, **kwargs), operand, "dynamic_slice")
    return _take(operand, region, out, "dynamic_slice")


def dynamic_update_slice(operand: Any, update: Any, *args: Any, out: Any = None, **kwargs: Any) -> Any:
    if not _stays(operand):
        _refuse_foreign(update, "dynamic_update_slice", "cannot update a NumPy array: the rest of it would be lost")
        return _core.dynamic_update_slice(np.asarray(operand), _numpy_or_plain(update), *args, out=out, **kwargs)
    _refuse_out(operand, out, "dynamic_update_slice")
    update = _of_dtype(operand, update, "dynamic_update_slice", "dus_c4")
    regions = _core.dynamic_update_slice_regions(operand.shape, update.shape, *args, **kwargs)
    return _updated(operand, _only(regions, operand, "dynamic_update_slice").index, update)


def copy(a: Any, *, out: Any = None) -> Any:
    if not _stays(a):
        return _core.copy(np.asarray(a), out=out)
    _refuse_out(a, out, "copy")
    return _copied(a)


def copyto(dst: Any, src: Any) -> None:
    _refuse_foreign(src, "copyto", "cannot be copied into a NumPy array: the rest of it would be lost")
    _core.copyto(dst, _numpy_or_plain(src))


def _stays(x: object) -> bool:
    return is_foreign(x) or is_masked(x)


def _sliced(op: str, x: Any, args: tuple[Any, ...], out: Any, kwargs: dict[str, Any]) -> Any:
    """What an operation takes that has one region of its first argument."""
    name = op.replace(".", "_")
    if not _stays(x):
        return getattr(_core, name)(np.asarray(x), *args, out=out, **kwargs)
    return _take(x, getattr(_core, name + "_region")(x.shape, *args, **kwargs), out, op)


def _take(x: Any, region: _core.Region, out: Any, op: str) -> Any:
    _refuse_out(x, out, op)
    if is_masked(x):
        return x[region.index].copy() if region.shape else x[(..., *region.index)].copy()
    if type(x).__module__.partition(".")[0] == "torch":  # no negative steps there: slice forward, then flip
        forward, flips = region.split()
        return x[forward.index].flip(flips) if flips else x[forward.index]
    return x[region.index]


def _numpy_or_plain(x: Any) -> Any:
    """What the core takes: arrays as NumPy's, anything else as it is, to be converted to the dtype it meets."""
    return x if isinstance(x, (list, tuple, int, float, complex, str, bytes)) else np.asarray(x)


def _of_dtype(operand: Any, value: Any, op: str, label: str) -> Any:
    """`value` for `operand`: arrays must have its dtype, anything else is converted to it by its library."""
    wanted = getattr(operand, "dtype", None)
    dtype = getattr(value, "dtype", None)
    if isinstance(wanted, np.dtype) and isinstance(dtype, np.dtype) and dtype != wanted:
        raise _dtype_error(op, label, dtype, wanted)  # before a library converts, and narrows on the way
    if not isinstance(value, type(operand)):
        value = _library(operand).asarray(value, dtype=wanted if dtype is None else None)
        dtype = getattr(value, "dtype", None)
    if wanted is not None and dtype != wanted:
        raise _dtype_error(op, label, dtype, wanted)
    return value


def _library(x: Any) -> Any:
    if hasattr(x, "__array_namespace__"):
        return x.__array_namespace__()
    library = sys.modules.get(type(x).__module__.partition(".")[0])
    return library if hasattr(library, "asarray") else np


def _dtype_error(op: str, label: str, dtype: object, wanted: object) -> Exception:
    return type_error(op, label, f"the array has dtype {dtype}, not {wanted}", value=dtype)


def _only(regions: tuple[_core.Region, ...], operand: object, op: str) -> _core.Region:
    if len(regions) > 1:
        raise _foreign_error(op, operand, "does not wrap round: that takes several indices")
    return regions[0]


def _refuse_foreign(x: object, op: str, why: str) -> None:
    if _stays(x):
        raise _foreign_error(op, x, why)


def _refuse_out(x: object, out: object, op: str) -> None:
    if out is not None:
        raise _foreign_error(op, x, "takes no out=: the result stays in its own library")


def _foreign_error(op: str, x: object, why: str) -> Exception:
    return type_error(op, "in_c7", f"a {type(x).__module__}.{type(x).__name__} {why}", value=x)


def _updated(x: Any, index: Any, value: Any) -> Any:
    if hasattr(x, "at"):  # JAX: immutable, updated by name
        return x.at[index].set(value)
    result = _copied(x)
    result[index] = value
    return result


def _copied(x: Any) -> Any:
    if hasattr(x, "clone"):  # torch
        return x.clone()
    if hasattr(x, "copy"):
        return x.copy()
    return x.__array_namespace__().asarray(x, copy=True)


def __getattr__(name: str) -> Any:
    if name.startswith("xla_"):  # the functions of ssop.xla, in a file of their own that needs what stands above
        from ssop import lazy_xla

        return getattr(lazy_xla, name)
    raise AttributeError(f"module 'ssop.lazy' has no attribute {name!r}")
