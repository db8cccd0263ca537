"""ssop._core: TensorFlow's StridedSlice and what belongs to it."""

# Parameters fill their lines, for every function has them twice.
# fmt: off

from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from numpy.typing import NDArray

from ssop._core_types import _T, Region, _Array, _Index, _Integers, _Trace

@overload
def strided_slice(
    input_: NDArray[_T], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TensorFlow's StridedSlice: a slice per axis, as a new array.

    Parameters
    ----------
    input_ : array_like, any shape and dtype
    begin, end, strides : sequences of n <= 31 integers, in elements
        Entry i takes begin[i], begin[i] + strides[i], .. up to but not including
        end[i]. Negative bounds count from the end; bounds outside are clamped.
        Axes without an entry are taken whole. strides=None means all ones.
    begin_mask, end_mask : int32, bit i: begin[i] (end[i]) is ignored, the range is
        as large as it can be in the direction of strides[i].
    ellipsis_mask : int32, at most one bit: entry i stands for all axes that no
        other entry needs.
    new_axis_mask : int32, bit i: entry i makes an output axis of length 1.
    shrink_axis_mask : int32, bit i: entry i takes the element begin[i] alone and
        its axis is dropped. The ellipsis beats a new axis, which beats a shrink.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : SliceValueError, SliceIndexError, SliceTypeError or
        SliceOverflowError; `label` names the rule (ss_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's StridedSlice OpDef and validator.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.arange(12).reshape(3, 4)
    >>> ssop.strided_slice(x, [0, 1], [2, 4], [1, 2])
    array([[1, 3],
           [5, 7]])
    >>> ssop.strided_slice(x, [-1, 0], [0, 0], [1, -1], begin_mask=2, end_mask=2, shrink_axis_mask=1)
    array([11, 10,  9,  8])
    """

@overload
def strided_slice(
    input_: Any, begin: _Integers, end: _Integers, strides: _Integers | None = None, begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0, *, out: NDArray[Any] | None = None
) -> Any: ...

def strided_slice_region(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0
) -> Region: ...

def strided_slice_trace(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0
) -> _Trace:
    """The stages of the resolver, as far as it got: (entries, axes, outcome).

    An entry is (flags without conflicts, first input axis, number of input axes). An axis is
    (entry or -1, begin and end after adding dim, both after clamping, both after the masks, start,
    count, step). The outcome is the Region, or the SliceError of rules ss_c4..ss_c8, not raised.
    """

def check_spec(
    begin: _Integers, end: _Integers, strides: _Integers | None = None, begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int, int, int, int, int]:
    """The eight arguments as tuples and integers, checked as far as that goes without a shape."""

def one_slice(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]] | None:
    """The strided slice as starts, ends, axes and steps of ONNX's Slice, or None if that cannot express it."""

@overload
def strided_slice_grad(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None, dy: NDArray[_T],
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TensorFlow's StridedSliceGrad: zeros, with dy where the slice of them would be.

    Parameters
    ----------
    shape : sequence of integers, the shape of the slice's input
    begin, end, strides : sequences of integers, as for strided_slice
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
    dy : array_like of exactly the slice's shape, any dtype
    out : numpy.ndarray of that shape and dy's dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of shape `shape` and dy's dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (gr_*, ss_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's StridedSliceGrad OpDef and kernel.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.strided_slice_grad([5], [0], [5], [2], np.array([1, 2, 3]))
    array([1, 0, 2, 0, 3])
    """

@overload
def strided_slice_grad(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None, dy: Any,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, *, out: NDArray[Any] | None = None
) -> Any: ...

def strided_slice_assign(
    ref: _Array, begin: _Integers, end: _Integers, strides: _Integers | None, value: Any,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0
) -> _Array:
    """TensorFlow's StridedSliceAssign: writes a value over a slice, in place.

    Parameters
    ----------
    ref : numpy.ndarray, writeable, any layout
    begin, end, strides : sequences of integers, as for strided_slice
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
    value : array_like that broadcasts to the slice's shape
        Missing leading axes and axes of length 1 repeat, extra leading axes of
        length 1 are dropped. An array must have ref's dtype; scalars and lists are
        converted if nothing is lost (val_*): 1.5 into an integer array is an error. For an
        empty slice its shape does not matter.

    Returns
    -------
    numpy.ndarray : ref

    Raises
    ------
    SliceError : `label` names the rule (as_*, ss_*, val_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's StridedSliceAssign and its value broadcasting since 2022.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.strided_slice_assign(np.zeros((2, 4), int), [0, 1], [2, 4], [1, 2], [[1], [2]])
    array([[0, 1, 0, 1],
           [0, 2, 0, 2]])
    """

@overload
def tensor_strided_slice_update(
    input: NDArray[_T], begin: _Integers, end: _Integers, strides: _Integers | None, value: Any,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TensorFlow's TensorStridedSliceUpdate: the input with a slice replaced, as a new array.

    Parameters
    ----------
    input : array_like, any shape and dtype
    begin, end, strides : sequences of integers, as for strided_slice
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
    value : as for strided_slice_assign
    out : numpy.ndarray of the input's shape and dtype, optional
        May be the input itself: then only the slice is written.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the input's shape and dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (as_*, ss_*, val_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's TensorStridedSliceUpdate.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.tensor_strided_slice_update(np.zeros(5, int), [-1], [0], [-2], 7)
    array([0, 0, 7, 0, 7])
    """

@overload
def tensor_strided_slice_update(
    input: Any, begin: _Integers, end: _Integers, strides: _Integers | None, value: Any, begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0, *, out: NDArray[Any] | None = None
) -> Any: ...

@overload
def index(x: NDArray[_T], index: _Index, *, out: NDArray[_T] | None = None) -> NDArray[_T]:
    """`x[index]` as a copy, by the rules of `strided_slice`: for those who think in NumPy indices (ix_s2).

    The result has the elements and the shape of NumPy's `x[index]`, but is always a new array, also
    if it has no axes.

    Parameters
    ----------
    x : array_like, any shape and dtype
    index : one item or a tuple of at most 31 integers, slices, None and `...`, as `numpy.s_[...]` gives it
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : SliceTypeError (ix_c1) for arrays, lists and bools in the index, SliceIndexError (ss_c7) for
        integers outside their axis. Where NumPy differs: SliceValueError for too many items (ss_c2, ss_c4),
        SliceOverflowError (in_c2) for bounds of slices outside int64.

    Source: NumPy's basic indexing.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.arange(12).reshape(3, 4)
    >>> ssop.index(x, np.s_[::-1, 1])
    array([9, 5, 1])
    """

@overload
def index(x: Any, index: _Index, *, out: Any = None) -> Any: ...

def index_assign(x: _Array, index: _Index, value: Any) -> _Array:
    """`x[index] = value` by the rules of `strided_slice_assign` (ix_s3).

    Parameters
    ----------
    x : numpy.ndarray, writeable, any layout
    index : as for `ssop.index`
    value : array_like that broadcasts to the slice's shape
        As for `strided_slice_assign`: never converted if it is an array of another dtype (as_c2).

    Returns
    -------
    numpy.ndarray : x

    Raises
    ------
    SliceError : what `ssop.index` and `ssop.strided_slice_assign` raise; x is as it was then.

    Source: NumPy's basic indexing.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.index_assign(np.arange(6).reshape(2, 3), np.s_[:, -1], [8, 9])
    array([[0, 1, 8],
           [3, 4, 9]])
    """

@overload
def index_update(x: NDArray[_T], index: _Index, value: Any, *, out: NDArray[_T] | None = None) -> NDArray[_T]:
    """A copy of `x` with `value` over `x[index]`; `x` is not changed (ix_s3).

    It is `x.at[index].set(value)` of JAX.

    Parameters
    ----------
    x : array_like, any shape and dtype
    index : as for `ssop.index`
    value : as for `ssop.tensor_strided_slice_update`
    out : numpy.ndarray of x's shape and dtype, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of x's shape and dtype; or `out`.

    Raises
    ------
    SliceError : what `ssop.index` and `ssop.tensor_strided_slice_update` raise.

    Source: NumPy's basic indexing.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.index_update(np.arange(4), np.s_[::-2], 9)
    array([0, 9, 2, 9])
    """

@overload
def index_update(x: Any, index: _Index, value: Any, *, out: Any = None) -> Any: ...

def index_spec(op: str, index: Any) -> tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...], int, int, int, int, int
]:
    """Begin, end, strides and the five masks of an index (ix_s1), for the function `op`."""

@overload
def tf_strided_slice(
    input_: NDArray[_T], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, var: object = None, name: object = None, *,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TensorFlow's StridedSlice: a slice per axis, as a new array.

    Parameters
    ----------
    input_ : array_like, any shape and dtype
    begin, end, strides : sequences of n <= 31 integers, in elements
        Entry i takes begin[i], begin[i] + strides[i], .. up to but not including
        end[i]. Negative bounds count from the end; bounds outside are clamped.
        Axes without an entry are taken whole. strides=None means all ones.
    begin_mask, end_mask : int32, bit i: begin[i] (end[i]) is ignored, the range is
        as large as it can be in the direction of strides[i].
    ellipsis_mask : int32, at most one bit: entry i stands for all axes that no
        other entry needs.
    new_axis_mask : int32, bit i: entry i makes an output axis of length 1.
    shrink_axis_mask : int32, bit i: entry i takes the element begin[i] alone and
        its axis is dropped. The ellipsis beats a new axis, which beats a shrink.
    var, name : anything. TensorFlow's front end has them; they are ignored here.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : SliceValueError, SliceIndexError, SliceTypeError or
        SliceOverflowError; `label` names the rule (ss_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's StridedSlice OpDef and validator.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.tf.strided_slice(np.arange(5), [-2], [0], [-1], name='reversed')
    array([3, 2, 1])
    """

@overload
def tf_strided_slice(
    input_: Any, begin: _Integers, end: _Integers, strides: _Integers | None = None, begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0, var: object = None, name: object = None, *, out: NDArray[Any] | None = None
) -> Any: ...

@overload
def tf_slice(
    input_: NDArray[_T], begin: _Integers, size: _Integers, name: object = None, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TensorFlow's Slice: begin and size per axis, as a new array.

    Parameters
    ----------
    input_ : array_like, any shape and dtype
    begin : sequence of one integer per axis, 0 <= begin <= dim, in elements
    size : sequence of one integer per axis, 0 <= size <= dim - begin, in elements
        A size of -1 reaches to the end.
    name : anything; TensorFlow's function has it, it is ignored here.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (tsl_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's Slice kernel.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.tf.slice(np.arange(12).reshape(3, 4), [1, 2], [-1, 2])
    array([[ 6,  7],
           [10, 11]])
    """

@overload
def tf_slice(
    input_: Any, begin: _Integers, size: _Integers, name: object = None, *, out: NDArray[Any] | None = None
) -> Any: ...

def tf_slice_region(
    shape: Sequence[SupportsIndex], begin: _Integers, size: _Integers, name: object = None
) -> Region: ...

@overload
def tf_strided_slice_grad(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None, dy: NDArray[_T],
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, name: object = None, *,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TensorFlow's StridedSliceGrad: zeros, with dy where the slice of them would be.

    Parameters
    ----------
    shape : sequence of integers, the shape of the slice's input
    begin, end, strides : sequences of integers, as for strided_slice
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
    dy : array_like of exactly the slice's shape, any dtype
    name : anything; TensorFlow's function has it, it is ignored here.
    out : numpy.ndarray of that shape and dy's dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of shape `shape` and dy's dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (gr_*, ss_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's StridedSliceGrad OpDef and kernel.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.tf.strided_slice_grad([5], [0], [5], [2], np.array([1, 2, 3]))
    array([1, 0, 2, 0, 3])
    """

@overload
def tf_strided_slice_grad(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None, dy: Any,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, name: object = None, *,
    out: NDArray[Any] | None = None
) -> Any: ...

def tf_strided_slice_assign(
    ref: _Array, begin: _Integers, end: _Integers, strides: _Integers | None, value: Any,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, name: object = None
) -> _Array:
    """TensorFlow's StridedSliceAssign: writes a value over a slice, in place.

    Parameters
    ----------
    ref : numpy.ndarray, writeable, any layout
    begin, end, strides : sequences of integers, as for strided_slice
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
    value : array_like that broadcasts to the slice's shape
        Missing leading axes and axes of length 1 repeat, extra leading axes of
        length 1 are dropped. An array must have ref's dtype; scalars and lists are
        converted. For an empty slice its shape does not matter.
    name : anything; TensorFlow's function has it, it is ignored here.

    Returns
    -------
    numpy.ndarray : ref

    Raises
    ------
    SliceError : `label` names the rule (as_*, ss_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's StridedSliceAssign and its value broadcasting since 2022.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.tf.strided_slice_assign(np.zeros((2, 4), int), [0, 1], [2, 4], [1, 2], [[1], [2]])
    array([[0, 1, 0, 1],
           [0, 2, 0, 2]])
    """

@overload
def tf_tensor_strided_slice_update(
    input: NDArray[_T], begin: _Integers, end: _Integers, strides: _Integers | None, value: Any,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, name: object = None, *,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TensorFlow's TensorStridedSliceUpdate: the input with a slice replaced, as a new array.

    Parameters
    ----------
    input : array_like, any shape and dtype
    begin, end, strides : sequences of integers, as for strided_slice
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int
    value : as for strided_slice_assign
    name : anything; TensorFlow's function has it, it is ignored here.
    out : numpy.ndarray of the input's shape and dtype, optional
        May be the input itself: then only the slice is written.

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the input's shape and dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (as_*, ss_*, in_*, out_*) in SPEC.md.

    Source: TensorFlow's TensorStridedSliceUpdate.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.tf.tensor_strided_slice_update(np.zeros(5, int), [-1], [0], [-2], 7)
    array([0, 0, 7, 0, 7])
    """

@overload
def tf_tensor_strided_slice_update(
    input: Any, begin: _Integers, end: _Integers, strides: _Integers | None, value: Any, begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0, name: object = None, *,
    out: NDArray[Any] | None = None
) -> Any: ...
