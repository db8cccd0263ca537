"""What arrays of other libraries can do, each by the functions of its own library.

No library is imported here: where there is an array, its library is loaded. A library that lacks what an operation
needs raises `SliceTypeError` (in_c7).
"""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ssop import _core
from ssop._errors import conversion, kind_of, type_error

if TYPE_CHECKING:
    from ssop._lazy import chunked
    from ssop._lazy.calls import Chunks


class Library(NamedTuple):
    """What ssop must know of a library; what its functions are called, `function` looks up."""

    namespace: str = ""
    """The module with its functions, for arrays without __array_namespace__."""
    reads_forward: bool = False
    """Whether a negative step is an error where elements are read: they are read forwards, and then reversed."""
    writes_forward: bool = False
    """The same where they are written: the value is reversed first."""
    stored: bool = False
    """Whether its elements are in a file or elsewhere: an index reads or writes them, and nothing else is there."""
    instead: str = ""
    """What the user can do where the library lacks what an operation needs."""


# Arrays of these libraries are never converted to NumPy arrays, with or without __array_namespace__.
LIBRARIES = {
    "cubed": Library(reads_forward=True, instead="x.compute() is a NumPy array"),
    "cupy": Library("cupy"),
    "dask": Library("dask.array", writes_forward=True),  # it fails at a negative step behind an integer
    "jax": Library("jax.numpy"),
    "tensorflow": Library("tensorflow"),
    "scipy": Library(  # sparse arrays
        reads_forward=True, writes_forward=True, stored=True, instead="it is sliced; x.toarray() is a NumPy array"
    ),
    "torch": Library("torch", reads_forward=True, writes_forward=True),
    "xarray": Library(instead="x.data is the array without names"),
    "zarr": Library(
        reads_forward=True,
        writes_forward=True,
        stored=True,
        instead="it is sliced and assigned to; x[...] reads it as a NumPy array, dask.array.from_zarr(x) is lazy",
    ),
}

_ROOTS = {*LIBRARIES, "jaxlib"}  # the packages of their classes

# What is known of an array in an unknown library without __array_namespace__, such as a dataset of h5py.
_STORED = Library(
    reads_forward=True,
    writes_forward=True,
    stored=True,
    instead="it is sliced and assigned to; x[...] reads it as a NumPy array",
)

ARRAY_PROTOCOLS = ("dtype", "__array__", "__array_interface__", "__array_struct__")


# ---- which library ---------------------------------------------------------------------------------------------------


def library(x: object) -> str:
    """Return the name of the library of an array, also where its class is derived from one of the library's."""
    if isinstance(x, (np.ndarray, np.generic)):
        return "numpy"
    root = root_of(x, _ROOTS)
    return "jax" if root == "jaxlib" else root


def root_of(x: object, known: Container[str]) -> str:
    """Return the library of the first class of `x` that is one of the `known` ones, else that of its own class."""
    roots = [cls.__module__.partition(".")[0] for cls in type(x).__mro__]
    for root in roots:  # not a generator: CPython 3.12 and 3.13 crash in one that gets no memory
        if root in known:
            return root
    return roots[0]


def properties(x: object) -> Library:
    """Return what is known of the library of an array."""
    known = LIBRARIES.get(library(x))
    return known if known is not None else _STORED if _is_of_unknown_storage(x) else Library()


def is_stored(x: object) -> bool:
    """True for an array whose elements only an index reads: never all of them where few are asked for (in_s3)."""
    return properties(x).stored and hasattr(type(x), "__getitem__") and hasattr(x, "shape")


def _is_of_unknown_storage(x: object) -> bool:
    if isinstance(x, (np.ndarray, np.generic)) or hasattr(x, "__array_namespace__"):
        return False
    if not (hasattr(type(x), "__getitem__") and hasattr(x, "shape")):
        return False
    return (hasattr(x, "dtype") or hasattr(x, "__array__")) and not _is_in_memory(x)


def _is_in_memory(x: object) -> bool:
    """True for what NumPy makes an array of without reading any element."""
    return hasattr(x, "__array_interface__") or hasattr(x, "__array_struct__") or _has_buffer(x)


def _has_buffer(x: Any) -> bool:
    try:
        memoryview(x)
    except TypeError:
        return False
    return True


def is_array(x: object) -> bool:
    """True for an array of NumPy's as C sees it, whatever an object says of its class."""
    return issubclass(type(x), np.ndarray)


def is_masked(x: object) -> bool:
    """True for a numpy.ma.MaskedArray. No such object exists before numpy.ma is imported."""
    ma = sys.modules.get("numpy.ma")
    return ma is not None and isinstance(x, ma.MaskedArray)


def has_masks(x: Any) -> bool:
    """True for a masked array, and for one of dask whose blocks are masked arrays."""
    return is_masked(x) or library(x) == "dask" and is_masked(getattr(x, "_meta", None))


def stays(x: object) -> bool:
    """True for an array that is never converted to a plain NumPy array."""
    if isinstance(x, (np.ndarray, np.generic)):  # which have __array_namespace__ too
        return is_masked(x)
    return has_library(x) or is_stored(x)


def has_library(x: object) -> bool:
    """True for an array of a library that is known, or that follows the array API standard."""
    if hasattr(type(x), "__array_namespace__"):  # not of a class of arrays, or of an object that has any attribute
        return True
    known = LIBRARIES.get(library(x))
    return known is not None and hasattr(x, "shape") and (not known.stored or hasattr(type(x), "__getitem__"))


def leading(op: str, values: Iterable[Any]) -> Any:
    """Return the first array that stays in its library; all arrays must be of that library."""
    values = list(values)
    first = next(x for x in values if stays(x))
    for x in values:
        if hasattr(x, "dtype") and library(x) != library(first):
            raise foreign_error(op, first, "does not mix with arrays of another library")
    return first


def foreign_error(op: str, x: object, why: str) -> Exception:
    return type_error(op, "in_c7", f"{kind_of(x, module=True)} {why}", value=x)


def function(op: str, x: Any, *names: str) -> Any:
    """Return the first of these functions that the library of `x` has."""
    namespace = _namespace(x)
    for name in names:
        if hasattr(namespace, name):
            found = getattr(namespace, name)
            return partial(found, op) if library(x) == "xarray" else found
    raise foreign_error(op, x, _lacks(x, f"has no function {names[0]}"))


def check_storage(op: str, x: Any, *, slices: bool, assigns: bool) -> None:
    """Raise for an array in a storage, which is sliced and perhaps assigned to, before any element is read."""
    if not is_stored(x):
        return
    if not slices and not (assigns and hasattr(type(x), "__setitem__")):
        raise foreign_error(op, x, _lacks(x, "cannot be assigned to" if assigns else "only has slices"))


def _lacks(x: Any, what: str) -> str:
    instead = properties(x).instead
    return f"{what}; {instead}" if instead else what


def check_known_shape(op: str, x: Any) -> None:
    """Raise for null dataspaces, TensorFlow's unknown ranks, shapes that may not end, and dask's unknown lengths."""
    if (shape := x.shape) is None or getattr(shape, "rank", 0) is None:
        raise foreign_error(op, x, "has no elements, or an unknown number of axes")
    if library(x) not in LIBRARIES and getattr(type(shape), "__iter__", None) not in (tuple.__iter__, list.__iter__):
        raise foreign_error(op, x, f"has {kind_of(shape)} for a shape, not a tuple")
    if any(isinstance(dim, float) for dim in shape):  # nan; while torch traces, dims are tensors
        raise foreign_error(op, x, "has an axis of unknown length; x.compute_chunk_sizes() finds it out")


def accepted(op: str, x: Any) -> Any:
    """Return an array of another library as all operations take it: of known shape, without empty blocks of dask.

    dask's own functions have wrong shapes or fail where an axis has empty blocks beside others.
    """
    check_known_shape(op, x)
    data = x
    if library(x) == "xarray":
        if getattr(x, "chunks", None) is None:  # without blocks of dask; x.data might read a file
            return x
        data = getattr(x, "data", x)
    if not _has_graph(data):
        return x
    joined = _dask_arrays().without_empty_blocks(data)
    return joined if data is x else x if joined is data else x.copy(data=joined)


def check_memory(op: str, *arrays: Any) -> None:
    """Raise for a tensor of torch that has no memory for all its elements, where torch's own function is to read it."""
    if library(arrays[0]) == "torch":
        _tensors().check_memory(op, arrays)


def check_updatable(op: str, x: Any, *, in_place: bool) -> None:
    """Raise for arrays whose elements cannot be assigned to: of cubed and TensorFlow, and of JAX in place."""
    if in_place and library(x) == "jax":
        raise foreign_error(op, x, "is immutable; tensor_strided_slice_update returns a new array")
    if library(x) == "cubed":
        raise foreign_error(op, x, _lacks(x, "has no elements to assign to"))
    if library(x) == "tensorflow":
        raise foreign_error(op, x, "has no elements to assign to; pass x.numpy(), or call TensorFlow's own function")


def _namespace(x: Any) -> Any:
    """Return the module, or what else has the functions of the library of `x`; None if that is unknown."""
    if is_masked(x):
        return sys.modules["numpy.ma"]
    if hasattr(x, "__array_namespace__"):
        return x.__array_namespace__()
    if library(x) == "xarray":
        return _xarray_arrays()
    return sys.modules.get(properties(x).namespace)


# ---- conversion ------------------------------------------------------------------------------------------------------


def has_dtype(x: object) -> bool:
    """True for what NumPy takes for an array or an item of one; other values take the dtype that is wanted (val_c1)."""
    if isinstance(x, (np.ndarray, np.generic)) or any(hasattr(x, name) for name in ARRAY_PROTOCOLS):
        return True
    if isinstance(x, (list, tuple, int, float, complex, str, bytes)):
        return False
    return _has_buffer(x)


def as_numpy(op: str, x: Any) -> np.ndarray[Any, Any]:
    """Return what `numpy.asarray` makes of `x`; raise if that is the whole array as one object."""
    result = _core.as_array(x)
    if result.shape == () and result.dtype == object and not isinstance(x, np.ndarray) and hasattr(x, "shape"):
        raise foreign_error(op, x, _lacks(x, "does not convert to a NumPy array"))
    return result


def is_scalar(x: object) -> bool:
    """True for NumPy's scalars and arrays without axes, but for records: they take the dtype wanted (val_s2)."""
    return isinstance(x, (np.generic, np.ndarray)) and x.ndim == 0 and x.dtype.kind != "V"


def as_array(like: Any, x: Any, dtype: Any = None) -> Any:
    """Return `x` as an array of the library of `like`."""
    x = _core.read_lists(x)
    if library(like) == "dask" and library(x) != "dask":
        return _dask_arrays().as_array(x, dtype, masked=has_masks(like))
    namespace = _namespace(like)
    if hasattr(namespace, "convert_to_tensor"):  # TensorFlow
        return namespace.convert_to_tensor(x, dtype=dtype)
    return (namespace if hasattr(namespace, "asarray") else np).asarray(x, dtype=dtype, **_device(like))


def zero(like: Any) -> Any:
    """Return the zero of an array's dtype, in its library: what numpy.zeros gives, '' for strings (gr_s1)."""
    is_numpy_s = isinstance(like.dtype, np.dtype)
    return as_array(like, np.zeros((), like.dtype) if is_numpy_s else 0, like.dtype)


def _device(like: Any) -> dict[str, Any]:
    """Return the keyword that makes a new array where `like` is, or is computed, for libraries that need it."""
    name = {"torch": "device", "cubed": "spec"}.get(library(like))
    return {} if name is None else {name: getattr(like, name)}


def match_operand(op: str, operand: Any, value: Any, dtype_rule: str, name: str = "value") -> Any:
    """Return `value` in the library of `operand`: an array with axes must have its dtype, the rest is converted to it.

    Lists and scalars follow the rules of values (val_c1..val_c4) as for NumPy's arrays, and are then made arrays of the
    library. Dtypes that NumPy has no name for, such as torch's bfloat16, are left to the library.
    """
    if stays(value) and library(value) != library(operand):
        raise foreign_error(op, value, "does not mix with arrays of another library")
    if has_masks(value) and not has_masks(operand):
        raise foreign_error(op, value, f"has masked elements, and does not mix with {kind_of(operand)} without a mask")
    wanted = getattr(operand, "dtype", None)
    scalar = is_scalar(value) and wanted is not None
    dtype = None if scalar else getattr(value, "dtype", None)
    if isinstance(wanted, np.dtype) and isinstance(dtype, np.dtype) and dtype != wanted:
        raise _dtype_error(op, dtype_rule, name, value, wanted)  # before a library converts, and narrows on the way
    if scalar or not (stays(value) if stays(operand) else isinstance(value, np.ndarray)):
        if wanted is not None and (scalar or not has_dtype(value)):
            value = _converted_value(op, name, operand, value)
        value = as_array(operand, value, wanted if dtype is None else None)
        dtype = getattr(value, "dtype", None)
    if wanted is not None and dtype != wanted:
        raise _dtype_error(op, dtype_rule, name, value, wanted)
    return value


def _converted_value(op: str, name: str, operand: Any, value: Any) -> Any:
    """Return a list or a scalar as a NumPy array of the operand's dtype; as it is if NumPy has no such dtype."""
    dtype = numpy_dtype(operand.dtype)
    if dtype is None:
        return value
    if not has_masks(operand):
        return _core.convert_value(op, name, value, dtype)
    from ssop._lazy import masks  # which imports numpy.ma

    return masks.converted(op, name, value, dtype)


def numpy_dtype(dtype: Any) -> np.dtype[Any] | None:
    """Return NumPy's dtype of the same name, for torch.int8 and the like; None if NumPy has no such dtype."""
    if isinstance(dtype, np.dtype):
        return dtype
    try:
        named = np.dtype(str(dtype).rpartition(".")[2])
    except TypeError:
        return None
    return named if named.isbuiltin == 1 else None  # others, such as ml_dtypes', have a name after their import


def _dtype_error(op: str, rule: str, name: str, value: Any, wanted: object) -> Exception:
    message = f"{name} has dtype {value.dtype}, not {wanted}; {conversion(name, value, wanted)}"
    return type_error(op, rule, message, value=value.dtype)


# ---- indexing --------------------------------------------------------------------------------------------------------


def view(op: str, x: Any, region: _core.Region) -> Any:
    """Return the elements of a region; many libraries return views of `x`."""
    if is_masked(x):
        return x[region.index] if region.shape else x[(..., *region.index)]
    if library(x) == "jax":
        return jax_arrays().taken(x, region)
    if is_stored(x):
        return _read(op, x, region)
    if 0 in region.shape and library(x) == "cubed":  # which fails at an integer beside an empty slice
        return filled(op, x, region.shape, zero(x))
    flips: tuple[int, ...] = ()
    if properties(x).reads_forward:
        region, flips = region.split()
    if None in region.index and library(x) == "xarray":  # whose axes have names
        raise foreign_error(op, x, _lacks(x, "takes no new axes"))
    return _flipped(x[region.index], flips)


def _read(op: str, x: Any, region: _core.Region) -> Any:
    """Return the elements of a region, forwards and with all axes from a storage, then as they were asked for."""
    walk = walk_of(x, region)
    if walk is not None:
        return walk.read(partial(_elements, op, x), region)
    forward, flips = region.split()
    read = _elements(op, x, forward.ranges)
    if isinstance(read, np.ndarray):
        return _flipped(read.reshape(region.shape), flips)
    dropped = set(range(len(forward.ranges))) - set(region.out_axes)
    if min(region.out_axes, default=0) < 0:
        raise foreign_error(op, x, _lacks(x, "takes no new axes"))
    read = read[tuple(0 if axis in dropped else slice(None) for axis in range(len(read.shape)))] if dropped else read
    _check_read(op, x, tuple(getattr(read, "shape", ())), region.shape)
    return _flipped(read, flips) if region.shape else np.asarray(read) if np.isscalar(read) else read


def _elements(op: str, x: Any, ranges: Sequence[tuple[int, int, int]]) -> Any:
    """Return what one index of a storage gives for ranges without negative steps, with all axes."""
    parts = tuple(
        slice(start, start + (count - 1) * step + 1 if count else start, step) for start, count, step in ranges
    )
    read = x[parts or Ellipsis]
    if not hasattr(read, "shape"):  # an item
        read = np.asarray(read, dtype=numpy_dtype(getattr(x, "dtype", None)))
    _check_read(op, x, tuple(read.shape), tuple(count for _, count, _ in ranges))
    return np.asarray(read) if isinstance(read, np.generic) else read


def walk_of(x: Any, region: _core.Region) -> chunked.Walk | None:
    """Return how a region of an HDF5 dataset is read in blocks; None if one index reads it well.

    What is read in blocks is in memory of its own.
    """
    if library(x) not in ("h5py", "netCDF4"):
        return None
    from ssop._lazy import chunked  # which few calls need

    return chunked.walk_of(library(x), x, region)


def _check_read(op: str, x: Any, found: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    if found != wanted:
        raise foreign_error(op, x, _lacks(x, f"gave an array of shape {found} for slices of shape {wanted}"))


def assign(x: Any, region: _core.Region, value: Any) -> None:
    """Write `value`, which broadcasts to a region of `x`, over that region."""
    if _has_graph(x):
        _dask_arrays().assign(x, region, value)
        return
    index, value = _index_and_value(x, region, value)
    x[index] = value


def _index_and_value(x: Any, region: _core.Region, value: Any) -> tuple[tuple[Any, ...], Any]:
    """Return both without what few libraries assign to: new axes, and negative steps where they are an error."""
    if is_stored(value):
        value = value[...]
    value = without_names(value)  # by which xarray would align axes
    missing = len(region.shape) - len(value.shape)  # leading axes: those of the value are aligned with the last ones
    if properties(x).writes_forward:
        region, flips = region.split()
        value = _flipped(value, [axis - missing for axis in flips if axis >= missing])
    new = {axis - missing for axis, source in enumerate(region.out_axes) if source < 0}
    if any(axis >= 0 for axis in new):
        value = value[tuple(0 if axis in new else slice(None) for axis in range(len(value.shape)))]
    if is_stored(x):  # which may not broadcast
        dims = zip(region.shape, region.out_axes, strict=True)
        value = np.broadcast_to(value, tuple(dim for dim, source in dims if source >= 0))
    return _without_new_axes(region.index), value


def without_names(x: Any) -> Any:
    """Return what an array of xarray holds; others as they are."""
    return x.data if library(x) == "xarray" else x


def _without_new_axes(index: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(item for item in index if item is not None)


def _flipped(x: Any, axes: Sequence[int]) -> Any:
    if not axes:
        return x
    if hasattr(x, "flip"):  # torch
        return x.flip(tuple(axes))
    if library(x) == "cubed":
        return x.__array_namespace__().flip(x, axis=tuple(axes))
    return x[tuple(slice(None, None, -1 if axis in axes else 1) for axis in range(len(x.shape)))]


# ---- results of their own --------------------------------------------------------------------------------------------


def copied(op: str, x: Any) -> Any:
    if library(x) == "tensorflow":
        return function(op, x, "identity")(x)
    result = _copy_if_possible(x)
    if result is None:
        raise foreign_error(op, x, _lacks(x, "cannot be copied"))
    return result


def own(x: Any) -> Any:
    """Return an array that may be a view as one that shares no memory with another (out_s1)."""
    result = None if library(x) == "jax" else _copy_if_possible(x)  # JAX's arrays are never written to
    return x if result is None else result


def _copy_if_possible(x: Any) -> Any:
    if _has_graph(x):
        return _dask_arrays().moved(x)
    if hasattr(x, "clone"):  # torch
        return x.clone()
    if hasattr(x, "copy"):
        return x.copy()
    return x.__array_namespace__().asarray(x, copy=True) if hasattr(x, "__array_namespace__") else None


def updated(op: str, x: Any, region: _core.Region, value: Any) -> Any:
    """Return a copy of `x` with `value` over a region."""
    if 0 in region.shape:  # which dask rejects
        return copied(op, x)
    if library(x) == "jax":
        return jax_arrays().updated(x, region, value)
    if _has_graph(x):
        return _dask_arrays().updated(x, region, value)
    check_updatable(op, x, in_place=False)  # a gradient has had no such check
    result = _writable(op, x, value)
    assign(result, region, value)
    return result


def _writable(op: str, x: Any, value: Any) -> Any:
    """Return a copy of `x` that the value can be written into: under torch's vmap, a batched one if the value is."""
    torch = _namespace(x) if library(x) == "torch" else None
    if torch is not None and torch._C._are_functorch_transforms_active():
        return torch.where(value.new_ones((), dtype=torch.bool), x, x)
    return copied(op, x)


def spread(op: str, like: Any, x: Any, fill: Any, region: _core.Region, chunks: Chunks | None = None) -> Any:
    """Return an array of the library of `like`: `x` at a region, the scalar `fill` elsewhere; dask has these chunks."""
    if library(x) == "xarray":
        empty = 0 in region.shape  # which dask cannot pad
        data = spread(op, x.data, x.data, as_array(x.data, without_names(fill)), region) if empty else None
        return _xarray_arrays().padded(op, x, fill, region, data)
    if 0 in region.shape:
        return filled(op, like, region.in_shape, fill, chunks)
    if _has_graph(x):
        return _dask_arrays().spread(x, fill, region, chunks)
    return updated(op, filled(op, like, region.in_shape, fill), region, x)


def chunks_of(x: Any) -> Chunks | None:
    """Return the chunks of an array of dask; None of all others."""
    chunks: Chunks | None = x.chunks if _has_graph(x) else None
    return chunks


def rechunked(x: Any, chunks: Chunks) -> Any:
    """Return an array of dask in these chunks; all others as they are."""
    return _dask_arrays().moved(x.rechunk(chunks)) if _has_graph(x) and x.chunks != chunks else x


def _has_graph(x: Any) -> bool:
    return library(x) == "dask" and bool(_dask_arrays().has_graph(x))


# What is known of the arrays of one library is imported with the first of them.
jax_arrays = partial(import_module, "ssop._lazy.jax_arrays")
_cubed_arrays = partial(import_module, "ssop._lazy.cubed_arrays")
_dask_arrays = partial(import_module, "ssop._lazy.dask_arrays")
_tensors = partial(import_module, "ssop._lazy.tensors")
_xarray_arrays = partial(import_module, "ssop._lazy.xarray_arrays")


# ---- other shapes: views, in many libraries --------------------------------------------------------------------------


def filled(op: str, like: Any, shape: tuple[int, ...], value: Any, chunks: Chunks | None = None) -> Any:
    """Return a new array in the library of `like` with the scalar `value` everywhere; one of dask has these chunks."""
    if _has_graph(value):
        return _dask_arrays().filled(value, shape, chunks)
    if is_masked(like):
        ma = sys.modules["numpy.ma"]
        return own(repeated(op, ma.asarray(value), shape))
    if stays(value):
        return own(repeated(op, value, shape))
    return function(op, like, "full")(shape, value[()], dtype=value.dtype)


def transposed(op: str, x: Any, axes: tuple[int, ...]) -> Any:
    if library(x) == "xarray":
        return x.transpose(*(x.dims[axis] for axis in axes))
    return x.transpose(axes) if is_masked(x) else function(op, x, "permute_dims", "permute", "transpose")(x, axes)


def reshaped(op: str, x: Any, shape: tuple[int, ...]) -> Any:
    if is_masked(x):
        return x.reshape(shape)
    if 0 in shape and (_has_graph(x) or library(x) == "cubed"):  # which they cannot
        return filled(op, x, shape, zero(x))
    if library(x) == "cubed":
        return _cubed_arrays().reshaped(x, shape)
    reshape = function(op, x, "reshape")
    try:
        return reshape(x, shape)
    except NotImplementedError:  # dask merges axes or splits them, but not both at once
        return reshape(reshape(x, (-1,)), shape)


def repeated(op: str, x: Any, shape: tuple[int, ...]) -> Any:
    if is_masked(x):
        from ssop._lazy import masks  # which imports numpy.ma

        return masks.repeated(x, shape)
    return _dask_arrays().repeated(x, shape) if _has_graph(x) else function(op, x, "broadcast_to")(x, shape)


def where(op: str, like: Any, pred: Any, on_true: Any, on_false: Any) -> Any:
    """Return element by element one of two arrays in the library of `like`."""
    select = _dask_arrays().where if _has_graph(like) else function(op, like, "where")
    return select(pred, on_true, on_false)


def joined(op: str, arrays: Sequence[Any], axis: int) -> Any:
    if library(arrays[0]) == "cubed":
        arrays = _cubed_arrays().with_equal_chunks(arrays, axis)
    result = function(op, arrays[0], "concat", "concatenate")(arrays, axis=axis)
    return own(result) if library(result) == "dask" or result is arrays[0] else result
