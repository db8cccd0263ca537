"""ssop._core: the slices of TFLite, OpenVINO and ONNX."""

# Parameters fill their lines, for every function has them twice.
# fmt: off

from collections.abc import Sequence
from typing import Any, SupportsIndex, overload

from numpy.typing import NDArray

from ssop._core_types import _T, Region, _Engine, _Integers, _Trace

@overload
def tflite_strided_slice(
    input_: NDArray[_T], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, offset: bool = False, *,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TFLite's StridedSlice: a slice per axis, as a new array.

    It differs from ssop.strided_slice in these rules:

    - A masked begin is element 0 also on a shrunk axis.
    - A shrunk begin below -dim is element 0.
    - The ellipsis covers at least one axis if one is left.
    - Entries without an axis are ignored.

    Parameters
    ----------
    input_ : array_like, any shape and dtype
    begin, end, strides : sequences of n <= 31 integers, in elements, as for
        ssop.strided_slice
    begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask : int32
    offset : bool, the op's attribute: end[i] counts from the begin that is really
        used; every axis needs an entry, and the window may not leave the axis.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (tfl_*, ss_c8, in_*, out_*) in SPEC.md. Where
        TFLite leaves its output unwritten, this is an error.

    Source: LiteRT's StridedSlice kernel.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.arange(10, 15)
    >>> ssop.tflite.strided_slice(x, [3], [0], begin_mask=1, shrink_axis_mask=1)
    array(10)
    >>> ssop.tflite.strided_slice(x, [-4], [3], offset=True)
    array([11, 12, 13])
    """

@overload
def tflite_strided_slice(
    input_: Any, begin: _Integers, end: _Integers, strides: _Integers | None = None, begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0, new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0, offset: bool = False, *, out: NDArray[Any] | None = None
) -> Any: ...

def tflite_strided_slice_region(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, offset: bool = False
) -> Region: ...

def tflite_strided_slice_trace(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0, end_mask: SupportsIndex = 0, ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0, shrink_axis_mask: SupportsIndex = 0, offset: bool = False
) -> _Trace:
    """The stages of TFLite's resolver; see strided_slice_trace."""

@overload
def tflite_slice(
    input_: NDArray[_T], begin: _Integers, size: _Integers, *, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """TFLite's Slice: begin and size per axis, as a new array.

    Parameters
    ----------
    input_ : array_like, any shape and dtype
    begin : sequence of one integer per axis, 0 <= begin <= dim, in elements
    size : sequence of one integer per axis, 0 <= size <= dim - begin, in elements
        A size of -1 reaches to the end.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (tfs_*, in_*, out_*) in SPEC.md.

    Source: LiteRT's Slice kernel.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.tflite.slice(np.arange(12).reshape(3, 4), [1, 2], [-1, 1])
    array([[ 6],
           [10]])
    """

@overload
def tflite_slice(input_: Any, begin: _Integers, size: _Integers, *, out: NDArray[Any] | None = None) -> Any: ...

def tflite_slice_region(shape: Sequence[SupportsIndex], begin: _Integers, size: _Integers) -> Region: ...

@overload
def openvino_strided_slice(
    data: NDArray[_T], begin: _Integers, end: _Integers, strides: _Integers | None = None, begin_mask: _Integers = (),
    end_mask: _Integers = (), new_axis_mask: _Integers = (), shrink_axis_mask: _Integers = (),
    ellipsis_mask: _Integers = (), *, strict: bool = False, out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """OpenVINO's StridedSlice-1: a slice per axis, as a new array.

    As ssop.strided_slice, but for its mask vectors and: a begin below -dim with a
    negative stride is element 0, and strides of shrunk entries are ignored.

    Parameters
    ----------
    data : array_like, any shape and dtype
    begin, end, strides : sequences of n <= 128 integers, in elements, as for
        ssop.strided_slice
    begin_mask, end_mask, new_axis_mask, shrink_axis_mask, ellipsis_mask : sequences
        of 0 and 1, of any length: missing elements are 0, those past n are ignored.
        1 in begin_mask or end_mask means that the bound is ignored.
    strict : bool, ask for what the operation's validation asks for: masks that are
        not empty are as long as begin_mask, and one ellipsis in all.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (ov_*, ss_c8, in_*, out_*) in SPEC.md.

    Source: OpenVINO's document of StridedSlice-1; where that contradicts the
    implementations, its shape inference and slice plan.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.arange(12).reshape(3, 4)
    >>> ssop.openvino.strided_slice(x, [1, 0], [0, 0], [1, -2], end_mask=[1, 1], begin_mask=[0, 1])
    array([[ 7,  5],
           [11,  9]])
    """

@overload
def openvino_strided_slice(
    data: Any, begin: _Integers, end: _Integers, strides: _Integers | None = None, begin_mask: _Integers = (),
    end_mask: _Integers = (), new_axis_mask: _Integers = (), shrink_axis_mask: _Integers = (),
    ellipsis_mask: _Integers = (), *, strict: bool = False, out: NDArray[Any] | None = None
) -> Any: ...

def openvino_strided_slice_region(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: _Integers = (), end_mask: _Integers = (), new_axis_mask: _Integers = (),
    shrink_axis_mask: _Integers = (), ellipsis_mask: _Integers = (), *, strict: bool = False
) -> Region: ...

def openvino_strided_slice_trace(
    shape: Sequence[SupportsIndex], begin: _Integers, end: _Integers, strides: _Integers | None = None,
    begin_mask: _Integers = (), end_mask: _Integers = (), new_axis_mask: _Integers = (),
    shrink_axis_mask: _Integers = (), ellipsis_mask: _Integers = (), *, strict: bool = False
) -> _Trace:
    """The stages of OpenVINO's resolver; see strided_slice_trace."""

@overload
def openvino_slice(
    data: NDArray[_T], start: _Integers, stop: _Integers, step: _Integers, axes: _Integers | None = None, *,
    out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """OpenVINO's Slice-8: slices of some axes, as a new array.

    Parameters
    ----------
    data : array_like of at least one axis, any dtype
    start, stop, step : sequences of n <= rank integers, in elements
        As in ssop.openvino.strided_slice.
    axes : sequence of n different axes, -rank..rank-1; None: 0, 1, .. n-1
        Axes that are not named are taken whole.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (ovs_*, in_*, out_*) in SPEC.md.

    Source: OpenVINO's Slice-8, its shape inference.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> ssop.openvino.slice(np.arange(12).reshape(3, 4), [-1], [-99], [-2], axes=[1])
    array([[ 3,  1],
           [ 7,  5],
           [11,  9]])
    """

@overload
def openvino_slice(
    data: Any, start: _Integers, stop: _Integers, step: _Integers, axes: _Integers | None = None, *,
    out: NDArray[Any] | None = None
) -> Any: ...

def openvino_slice_region(
    shape: Sequence[SupportsIndex], start: _Integers, stop: _Integers, step: _Integers, axes: _Integers | None = None
) -> Region: ...

@overload
def onnx_slice(
    data: NDArray[_T], starts: _Integers, ends: _Integers, axes: _Integers | None = None,
    steps: _Integers | None = None, *, engine: _Engine = 'spec', out: NDArray[_T] | None = None
) -> NDArray[_T]:
    """ONNX's Slice: slices of some axes, as a new array.

    Parameters
    ----------
    data : array_like, any shape and dtype
    starts, ends : sequences of n integers, in elements
        Negative ones count from the end; those outside are clamped.
    axes : sequence of n different axes, -rank..rank-1; None: 0, 1, .. n-1
        Axes that are not named are taken whole.
    steps : sequence of n integers, none 0; None: all ones
    engine : 'spec', the operator's text; 'reference', the onnx package's reference
        evaluator; 'ort', ONNX Runtime. They differ for starts below -dim with a
        negative step, for ends that are the greatest int32 or int64, and in what
        is an error.
    out : numpy.ndarray of the result's shape and dtype, any layout, optional

    Returns
    -------
    numpy.ndarray : new, C-ordered, of the same dtype; or `out`.

    Raises
    ------
    SliceError : `label` names the rule (onx_*, onr_*, ort_*, in_*, out_*) in SPEC.md.

    Source: ONNX's operator text and shape inference, onnx.reference, ONNX Runtime.

    Examples
    --------
    >>> import numpy as np, ssop
    >>> x = np.arange(5)
    >>> [ssop.onnx.slice(x, [-9], [-9], steps=[-1], engine=e).tolist() for e in ('spec', 'reference', 'ort')]
    [[0], [], [0]]
    >>> [ssop.onnx.slice(x, [3], [2**31 - 1], steps=[-1], engine=e).tolist() for e in ('spec', 'reference', 'ort')]
    [[], [], [3, 2, 1, 0]]
    """

@overload
def onnx_slice(
    data: Any, starts: _Integers, ends: _Integers, axes: _Integers | None = None, steps: _Integers | None = None, *,
    engine: _Engine = 'spec', out: NDArray[Any] | None = None
) -> Any: ...

def onnx_slice_region(
    shape: Sequence[SupportsIndex], starts: _Integers, ends: _Integers, axes: _Integers | None = None,
    steps: _Integers | None = None, *, engine: _Engine = 'spec'
) -> Region: ...
