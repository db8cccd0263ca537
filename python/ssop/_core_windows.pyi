"""ssop._core: XLA's slices and dynamic slices, and their one-axis forms."""

# Parameters fill their lines, for every function has them twice.
# fmt: off

from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from numpy.typing import NDArray

from ssop._core_types import _T, Region, _Bools, _Integers, _OrFill, _OutOfBounds, _Starts

@overload
def slice(
    operand: NDArray[_T], start_indices: _Integers, limit_indices: _Integers, strides: _Integers | None = None, *,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's Slice: explicit bounds per axis, checked and never adjusted, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    start_indices, limit_indices : sequences of one integer per axis, in elements
        0 <= start <= limit <= dim.
    strides : sequence of one positive integer per axis, in elements, optional
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`. Axis k has length
        ceil((limit - start) / stride).

    Raises
    ------
    SliceError : `label` names the rule (sl_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics and shape inference; StableHLO `slice`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.slice(np.arange(12).reshape(4, 3), [2, 1], [4, 3])
    array([[ 7,  8],
           [10, 11]])
    """

@overload
def slice(
    operand: Any, start_indices: _Integers, limit_indices: _Integers, strides: _Integers | None = None, *,
    out: NDArray[Any] | None = None
) -> Any: ...

def slice_region(
    shape: Sequence[SupportsIndex], start_indices: _Integers, limit_indices: _Integers,
    strides: _Integers | None = None
) -> Region: ...

@overload
def dynamic_slice(
    operand: NDArray[_T], start_indices: _Starts, slice_sizes: _Integers, *, out_of_bounds: _OrFill = 'clamp',
    allow_negative_indices: _Bools = False, fill_value: Any = None, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's DynamicSlice: a window of fixed size, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    start_indices : sequence of one integer per axis, in elements
        Several rows of them, as a sequence or an array, give one window each.
    slice_sizes : sequence of one integer per axis, 0 <= size <= dim
    out_of_bounds : what happens to a window that does not fit
        'clamp' moves it inside (XLA), 'wrap' takes element (start + i) mod dim
        (XLA before May 2018), 'raise' is an error, 'fill' takes fill_value outside
        and allows sizes beyond the dim.
    allow_negative_indices : bool, or one bool per axis
        A negative start has the dim added once, first (JAX's default).
    fill_value : scalar, for 'fill' alone; None is the zero of the operand's dtype
        It is converted if nothing is lost (val_*).
    out : numpy.ndarray of the result's shape and the operand's dtype, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of shape slice_sizes, or rows and slice_sizes; or
        `out`.

    Raises
    ------
    SliceError : `label` names the rule (ds_*, pad_*, val_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `dynamic_slice`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.dynamic_slice(np.arange(8), [6], [4])
    array([4, 5, 6, 7])
    >>> ssop.dynamic_slice(np.arange(8), [6], [4], out_of_bounds='wrap')
    array([6, 7, 0, 1])
    >>> ssop.dynamic_slice(np.arange(8), [6], [4], out_of_bounds='fill', fill_value=-1)
    array([ 6,  7, -1, -1])
    >>> ssop.dynamic_slice(np.arange(8), [[6], [1]], [2])
    array([[6, 7],
           [1, 2]])
    """

@overload
def dynamic_slice(
    operand: Any, start_indices: _Starts, slice_sizes: _Integers, *, out_of_bounds: _OrFill = 'clamp',
    allow_negative_indices: _Bools = False, fill_value: Any = None, out: NDArray[Any] | None = None
) -> Any: ...

def dynamic_slice_regions(
    shape: Sequence[SupportsIndex], start_indices: _Starts, slice_sizes: _Integers, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: _Bools = False
) -> tuple[Region, ...]: ...

@overload
def dynamic_update_slice(
    operand: NDArray[_T], update: Any, start_indices: _Integers, *, out_of_bounds: _OutOfBounds = 'clamp',
    allow_negative_indices: _Bools = False, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's DynamicUpdateSlice: the operand with a window replaced, as a new array.

    Parameters
    ----------
    operand : array_like, any shape and dtype
    update : array_like of the operand's rank, nowhere larger than it
        An array must have the operand's dtype; scalars and lists are converted if
        nothing is lost (val_*).
    start_indices : sequence of one integer per axis, in elements
    out_of_bounds, allow_negative_indices : as for dynamic_slice
    out : numpy.ndarray of the operand's shape and dtype, optional
        May be the operand itself: then only the window is written.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (dus_*, ds_*, val_*, in_*, out_*) in SPEC.md.

    Source: XLA's Operation Semantics; StableHLO `dynamic_update_slice`.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.dynamic_update_slice(np.zeros((2, 4), int), [[1, 2]], [1, 9])
    array([[0, 0, 0, 0],
           [0, 0, 1, 2]])
    """

@overload
def dynamic_update_slice(
    operand: Any, update: Any, start_indices: _Integers, *, out_of_bounds: _OutOfBounds = 'clamp',
    allow_negative_indices: _Bools = False, out: NDArray[Any] | None = None
) -> Any: ...

def dynamic_update_slice_regions(
    shape: Sequence[SupportsIndex], update_shape: Sequence[SupportsIndex], start_indices: _Integers, *,
    out_of_bounds: _OutOfBounds = 'clamp', allow_negative_indices: _Bools = False
) -> tuple[Region, ...]: ...

@overload
def xla_slice_in_dim(
    operand: NDArray[_T], start_index: SupportsIndex | None, limit_index: SupportsIndex | None,
    stride: SupportsIndex = 1, axis: SupportsIndex = 0, *, allow_negative_indices: bool = False,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's Slice of one axis, the others whole, as a new array.

    Parameters
    ----------
    operand : array_like, any shape but (), any dtype
    start_index, limit_index : int or None, in elements
        0 <= start <= limit <= dim; None is the end of the axis.
    stride : int, positive, in elements
    axis : int, -rank <= axis < rank
    allow_negative_indices : bool
        A negative start or limit has the dim added once (JAX always does).
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`. The axis has length
        ceil((limit - start) / stride).

    Raises
    ------
    SliceError : `label` names the rule (dim_*, sl_*, in_*, out_*) in SPEC.md.

    Source: jax.lax.slice_in_dim; XLA's SliceInDim.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.slice_in_dim(np.arange(12).reshape(3, 4), 1, None, 2, axis=-1)
    array([[ 1,  3],
           [ 5,  7],
           [ 9, 11]])
    """

@overload
def xla_slice_in_dim(
    operand: Any, start_index: SupportsIndex | None, limit_index: SupportsIndex | None, stride: SupportsIndex = 1,
    axis: SupportsIndex = 0, *, allow_negative_indices: bool = False, out: NDArray[Any] | None = None
) -> Any: ...

def xla_slice_in_dim_region(
    shape: Sequence[SupportsIndex], start_index: SupportsIndex | None, limit_index: SupportsIndex | None,
    stride: SupportsIndex = 1, axis: SupportsIndex = 0, *, allow_negative_indices: bool = False
) -> Region: ...

@overload
def xla_index_in_dim(
    operand: NDArray[_T], index: SupportsIndex, axis: SupportsIndex = 0, keepdims: bool = True, *,
    allow_negative_indices: bool = False, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """One element of one axis, the other axes whole, as a new array.

    Parameters
    ----------
    operand : array_like, any shape but (), any dtype
    index : int, 0 <= index < dim, in elements
    axis : int, -rank <= axis < rank
    keepdims : bool
        False drops the axis; True keeps it with length 1.
    allow_negative_indices : bool
        A negative index has the dim added once (JAX always does).
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceIndexError : the index lies outside the axis (dim_c2).
    SliceError : `label` names the rule (dim_*, in_*, out_*) in SPEC.md.

    Source: jax.lax.index_in_dim.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.index_in_dim(np.arange(12).reshape(3, 4), 1, keepdims=False)
    array([4, 5, 6, 7])
    """

@overload
def xla_index_in_dim(
    operand: Any, index: SupportsIndex, axis: SupportsIndex = 0, keepdims: bool = True, *,
    allow_negative_indices: bool = False, out: NDArray[Any] | None = None
) -> Any: ...

def xla_index_in_dim_region(
    shape: Sequence[SupportsIndex], index: SupportsIndex, axis: SupportsIndex = 0, keepdims: bool = True, *,
    allow_negative_indices: bool = False
) -> Region: ...

@overload
def xla_dynamic_slice_in_dim(
    operand: NDArray[_T], start_index: SupportsIndex, slice_size: SupportsIndex, axis: SupportsIndex = 0, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: bool = False, fill_value: Any = None,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's DynamicSlice of one axis, the others whole, as a new array.

    Parameters
    ----------
    operand : array_like, any shape but (), any dtype
    start_index : int, in elements
    slice_size : int, 0 <= size <= dim, in elements
    axis : int, -rank <= axis < rank
    out_of_bounds, fill_value : as for dynamic_slice
    allow_negative_indices : bool
        A negative start has the dim added once, first (JAX's default).
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (dim_*, ds_*, pad_*, val_*, in_*, out_*) in
        SPEC.md.

    Source: jax.lax.dynamic_slice_in_dim.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.dynamic_slice_in_dim(np.arange(8), 6, 4)
    array([4, 5, 6, 7])
    """

@overload
def xla_dynamic_slice_in_dim(
    operand: Any, start_index: SupportsIndex, slice_size: SupportsIndex, axis: SupportsIndex = 0, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: bool = False, fill_value: Any = None,
    out: NDArray[Any] | None = None
) -> Any: ...

def xla_dynamic_slice_in_dim_regions(
    shape: Sequence[SupportsIndex], start_index: SupportsIndex, slice_size: SupportsIndex, axis: SupportsIndex = 0, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: bool = False
) -> tuple[Region, ...]: ...

@overload
def xla_dynamic_index_in_dim(
    operand: NDArray[_T], index: SupportsIndex, axis: SupportsIndex = 0, keepdims: bool = True, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: bool = False, fill_value: Any = None,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's DynamicSlice of one element of one axis, the others whole, as a new array.

    Parameters
    ----------
    operand : array_like, any shape but (), any dtype; the axis must not be empty, but
        for 'fill'
    index : int, in elements
    axis : int, -rank <= axis < rank
    keepdims : bool
        False drops the axis; True keeps it with length 1.
    out_of_bounds, fill_value : as for dynamic_slice
    allow_negative_indices : bool
        A negative index has the dim added once, first (JAX's default).
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (dim_*, ds_*, pad_*, val_*, in_*, out_*) in
        SPEC.md.

    Source: jax.lax.dynamic_index_in_dim.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.dynamic_index_in_dim(np.arange(12).reshape(3, 4), 9, keepdims=False)
    array([ 8,  9, 10, 11])
    """

@overload
def xla_dynamic_index_in_dim(
    operand: Any, index: SupportsIndex, axis: SupportsIndex = 0, keepdims: bool = True, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: bool = False, fill_value: Any = None,
    out: NDArray[Any] | None = None
) -> Any: ...

def xla_dynamic_index_in_dim_regions(
    shape: Sequence[SupportsIndex], index: SupportsIndex, axis: SupportsIndex = 0, keepdims: bool = True, *,
    out_of_bounds: _OrFill = 'clamp', allow_negative_indices: bool = False
) -> tuple[Region, ...]: ...

@overload
def xla_dynamic_update_slice_in_dim(
    operand: NDArray[_T], update: Any, start_index: SupportsIndex, axis: SupportsIndex, *,
    out_of_bounds: _OutOfBounds = 'clamp', allow_negative_indices: bool = False, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's DynamicUpdateSlice at a start on one axis, 0 on the others, as a new array.

    Parameters
    ----------
    operand : array_like, any shape but (), any dtype
    update : array_like of the operand's rank, nowhere larger than it
        An array must have the operand's dtype; scalars and lists are converted if
        nothing is lost (val_*).
    start_index : int, in elements
    axis : int, -rank <= axis < rank
    out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice
    allow_negative_indices : bool
        A negative start has the dim added once, first (JAX's default).
    out : numpy.ndarray of the operand's shape and dtype, optional
        May be the operand itself: then only the window is written.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (dim_*, dus_*, ds_*, val_*, in_*, out_*)
        in SPEC.md.

    Source: jax.lax.dynamic_update_slice_in_dim.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.dynamic_update_slice_in_dim(np.zeros((2, 4), int), [[1, 2]], 9, axis=1)
    array([[0, 0, 1, 2],
           [0, 0, 0, 0]])
    """

@overload
def xla_dynamic_update_slice_in_dim(
    operand: Any, update: Any, start_index: SupportsIndex, axis: SupportsIndex, *,
    out_of_bounds: _OutOfBounds = 'clamp', allow_negative_indices: bool = False, out: NDArray[Any] | None = None
) -> Any: ...

def xla_dynamic_update_slice_in_dim_regions(
    shape: Sequence[SupportsIndex], update_shape: Sequence[SupportsIndex], start_index: SupportsIndex,
    axis: SupportsIndex, *, out_of_bounds: _OutOfBounds = 'clamp', allow_negative_indices: bool = False
) -> tuple[Region, ...]: ...

@overload
def xla_dynamic_update_index_in_dim(
    operand: NDArray[_T], update: Any, index: SupportsIndex, axis: SupportsIndex, *,
    out_of_bounds: _OutOfBounds = 'clamp', allow_negative_indices: bool = False, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """XLA's DynamicUpdateSlice at an index of one axis, 0 on the others, as a new array.

    Parameters
    ----------
    operand : array_like, any shape but (), any dtype
    update : array_like of the operand's rank, or one axis less: without `axis`
        An array must have the operand's dtype; scalars and lists are converted if
        nothing is lost (val_*).
    index : int, in elements
    axis : int, -rank <= axis < rank
    out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice
    allow_negative_indices : bool
        A negative index has the dim added once, first (JAX's default).
    out : numpy.ndarray of the operand's shape and dtype, optional
        May be the operand itself: then only the window is written.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (dim_*, dus_*, ds_*, val_*, in_*, out_*)
        in SPEC.md.

    Source: jax.lax.dynamic_update_index_in_dim.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.xla.dynamic_update_index_in_dim(np.zeros((2, 3), int), [1, 2], 1, axis=-1)
    array([[0, 1, 0],
           [0, 2, 0]])
    """

@overload
def xla_dynamic_update_index_in_dim(
    operand: Any, update: Any, index: SupportsIndex, axis: SupportsIndex, *, out_of_bounds: _OutOfBounds = 'clamp',
    allow_negative_indices: bool = False, out: NDArray[Any] | None = None
) -> Any: ...

def xla_dynamic_update_index_in_dim_regions(
    shape: Sequence[SupportsIndex], update_shape: Sequence[SupportsIndex], index: SupportsIndex, axis: SupportsIndex,
    *, out_of_bounds: _OutOfBounds = 'clamp', allow_negative_indices: bool = False
) -> tuple[Region, ...]: ...
