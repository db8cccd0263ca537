import builtins
from collections.abc import Sequence
from typing import Any, Literal, SupportsIndex, TypeAlias, TypeVar, final, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

_T = TypeVar("_T", bound=np.generic)
_Array = TypeVar("_Array")
_Integers: TypeAlias = Sequence[SupportsIndex] | NDArray[np.integer[Any]]
_OutOfBounds: TypeAlias = Literal["clamp", "wrap", "raise"]
_Engine: TypeAlias = Literal["spec", "reference", "ort"]
_Bools: TypeAlias = bool | Sequence[bool]
_Interval: TypeAlias = SupportsIndex | tuple[SupportsIndex, SupportsIndex] | None

class SliceError(Exception):
    op: str | None
    label: str | None
    axis: int | None
    entry: int | None
    value: Any
    allowed: tuple[int, int] | None

class SliceValueError(SliceError, ValueError): ...
class SliceIndexError(SliceError, IndexError): ...
class SliceTypeError(SliceError, TypeError): ...
class SliceOverflowError(SliceError, OverflowError): ...

@final
class Region:
    def __new__(
        cls,
        in_shape: Sequence[SupportsIndex],
        ranges: Sequence[Sequence[SupportsIndex]],
        out_axes: Sequence[SupportsIndex],
    ) -> Region: ...
    @property
    def in_shape(self) -> tuple[int, ...]: ...
    @property
    def ranges(self) -> tuple[tuple[int, int, int], ...]: ...
    @property
    def out_axes(self) -> tuple[int, ...]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def index(self) -> tuple[int | builtins.slice | None, ...]: ...
    def of(self, first: Region, /) -> Region: ...
    def split(self) -> tuple[Region, tuple[int, ...]]: ...
    def __hash__(self) -> int: ...
    def _repr_html_(self) -> str: ...

@final
class Plan:
    def __new__(
        cls,
        shape: Sequence[SupportsIndex],
        dtype: DTypeLike,
        begin: _Integers,
        end: _Integers,
        strides: _Integers | None = None,
        begin_mask: SupportsIndex = 0,
        end_mask: SupportsIndex = 0,
        ellipsis_mask: SupportsIndex = 0,
        new_axis_mask: SupportsIndex = 0,
        shrink_axis_mask: SupportsIndex = 0,
    ) -> Plan: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def region(self) -> Region: ...
    def __call__(self, input_: NDArray[_T], out: NDArray[_T] | None = None) -> NDArray[_T]: ...

# An array keeps its dtype; lists become arrays; arrays of other libraries stay theirs.
@overload
def strided_slice(
    input_: NDArray[_T],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def strided_slice(
    input_: Any,
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def strided_slice_region(
    shape: Sequence[SupportsIndex],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
) -> Region: ...
def strided_slice_counts(
    shape: Sequence[_Interval],
    begin: Sequence[_Interval],
    end: Sequence[_Interval],
    strides: Sequence[_Interval],
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
) -> tuple[tuple[int, int], ...]: ...
def check_spec(
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], int, int, int, int, int]: ...
@overload
def strided_slice_grad(
    shape: Sequence[SupportsIndex],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None,
    dy: NDArray[_T],
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def strided_slice_grad(
    shape: Sequence[SupportsIndex],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None,
    dy: Any,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...

# What it writes to is given back: of its own type, NumPy's or another library's.
def strided_slice_assign(
    ref: _Array,
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None,
    value: Any,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
) -> _Array: ...
@overload
def tensor_strided_slice_update(
    input: NDArray[_T],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None,
    value: Any,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def tensor_strided_slice_update(
    input: Any,
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None,
    value: Any,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
@overload
def tf_strided_slice(
    input_: NDArray[_T],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    var: object = None,
    name: object = None,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def tf_strided_slice(
    input_: Any,
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    var: object = None,
    name: object = None,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
@overload
def tf_slice(
    input_: NDArray[_T],
    begin: _Integers,
    size: _Integers,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def tf_slice(
    input_: Any,
    begin: _Integers,
    size: _Integers,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def tf_slice_region(shape: Sequence[SupportsIndex], begin: _Integers, size: _Integers) -> Region: ...
@overload
def tflite_strided_slice(
    input_: NDArray[_T],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    offset: bool = False,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def tflite_strided_slice(
    input_: Any,
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    offset: bool = False,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def tflite_strided_slice_region(
    shape: Sequence[SupportsIndex],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: SupportsIndex = 0,
    end_mask: SupportsIndex = 0,
    ellipsis_mask: SupportsIndex = 0,
    new_axis_mask: SupportsIndex = 0,
    shrink_axis_mask: SupportsIndex = 0,
    offset: bool = False,
) -> Region: ...
@overload
def tflite_slice(
    input_: NDArray[_T],
    begin: _Integers,
    size: _Integers,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def tflite_slice(
    input_: Any,
    begin: _Integers,
    size: _Integers,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def tflite_slice_region(
    shape: Sequence[SupportsIndex],
    begin: _Integers,
    size: _Integers,
) -> Region: ...
@overload
def openvino_strided_slice(
    data: NDArray[_T],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: _Integers = (),
    end_mask: _Integers = (),
    new_axis_mask: _Integers = (),
    shrink_axis_mask: _Integers = (),
    ellipsis_mask: _Integers = (),
    *,
    strict: bool = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def openvino_strided_slice(
    data: Any,
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: _Integers = (),
    end_mask: _Integers = (),
    new_axis_mask: _Integers = (),
    shrink_axis_mask: _Integers = (),
    ellipsis_mask: _Integers = (),
    *,
    strict: bool = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def openvino_strided_slice_region(
    shape: Sequence[SupportsIndex],
    begin: _Integers,
    end: _Integers,
    strides: _Integers | None = None,
    begin_mask: _Integers = (),
    end_mask: _Integers = (),
    new_axis_mask: _Integers = (),
    shrink_axis_mask: _Integers = (),
    ellipsis_mask: _Integers = (),
    *,
    strict: bool = False,
) -> Region: ...
@overload
def openvino_slice(
    data: NDArray[_T],
    start: _Integers,
    stop: _Integers,
    step: _Integers,
    axes: _Integers | None = None,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def openvino_slice(
    data: Any,
    start: _Integers,
    stop: _Integers,
    step: _Integers,
    axes: _Integers | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def openvino_slice_region(
    shape: Sequence[SupportsIndex],
    start: _Integers,
    stop: _Integers,
    step: _Integers,
    axes: _Integers | None = None,
) -> Region: ...
@overload
def onnx_slice(
    data: NDArray[_T],
    starts: _Integers,
    ends: _Integers,
    axes: _Integers | None = None,
    steps: _Integers | None = None,
    *,
    engine: _Engine = "spec",
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def onnx_slice(
    data: Any,
    starts: _Integers,
    ends: _Integers,
    axes: _Integers | None = None,
    steps: _Integers | None = None,
    *,
    engine: _Engine = "spec",
    out: NDArray[Any] | None = None,
) -> Any: ...
def onnx_slice_region(
    shape: Sequence[SupportsIndex],
    starts: _Integers,
    ends: _Integers,
    axes: _Integers | None = None,
    steps: _Integers | None = None,
    *,
    engine: _Engine = "spec",
) -> Region: ...
@overload
def slice(
    operand: NDArray[_T],
    start_indices: _Integers,
    limit_indices: _Integers,
    strides: _Integers | None = None,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def slice(
    operand: Any,
    start_indices: _Integers,
    limit_indices: _Integers,
    strides: _Integers | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def slice_region(
    shape: Sequence[SupportsIndex],
    start_indices: _Integers,
    limit_indices: _Integers,
    strides: _Integers | None = None,
) -> Region: ...
@overload
def dynamic_slice(
    operand: NDArray[_T],
    start_indices: _Integers,
    slice_sizes: _Integers,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: _Bools = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def dynamic_slice(
    operand: Any,
    start_indices: _Integers,
    slice_sizes: _Integers,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: _Bools = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def dynamic_slice_regions(
    shape: Sequence[SupportsIndex],
    start_indices: _Integers,
    slice_sizes: _Integers,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: _Bools = False,
) -> tuple[Region, ...]: ...
@overload
def dynamic_update_slice(
    operand: NDArray[_T],
    update: Any,
    start_indices: _Integers,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: _Bools = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def dynamic_update_slice(
    operand: Any,
    update: Any,
    start_indices: _Integers,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: _Bools = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def dynamic_update_slice_regions(
    shape: Sequence[SupportsIndex],
    update_shape: Sequence[SupportsIndex],
    start_indices: _Integers,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: _Bools = False,
) -> tuple[Region, ...]: ...
@overload
def copy(a: NDArray[_T], *, out: NDArray[_T] | None = None) -> NDArray[_T]: ...
@overload
def copy(a: Any, *, out: NDArray[Any] | None = None) -> Any: ...
def copyto(dst: NDArray[Any], src: Any) -> None: ...
def set_num_threads(n: SupportsIndex) -> None: ...
def get_num_threads() -> int: ...
def trim_memory() -> int: ...
