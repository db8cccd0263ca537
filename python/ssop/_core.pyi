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
_Padding: TypeAlias = Sequence[Sequence[SupportsIndex]] | NDArray[np.integer[Any]]
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

# XLA's other operations; each is also there for shapes alone.
@overload
def xla_slice_in_dim(
    operand: NDArray[_T],
    start_index: SupportsIndex | None,
    limit_index: SupportsIndex | None,
    stride: SupportsIndex = 1,
    axis: SupportsIndex = 0,
    *,
    allow_negative_indices: bool = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_slice_in_dim(
    operand: Any,
    start_index: SupportsIndex | None,
    limit_index: SupportsIndex | None,
    stride: SupportsIndex = 1,
    axis: SupportsIndex = 0,
    *,
    allow_negative_indices: bool = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_slice_in_dim_region(
    shape: Sequence[SupportsIndex],
    start_index: SupportsIndex | None,
    limit_index: SupportsIndex | None,
    stride: SupportsIndex = 1,
    axis: SupportsIndex = 0,
    *,
    allow_negative_indices: bool = False,
) -> Region: ...
@overload
def xla_index_in_dim(
    operand: NDArray[_T],
    index: SupportsIndex,
    axis: SupportsIndex = 0,
    keepdims: bool = True,
    *,
    allow_negative_indices: bool = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_index_in_dim(
    operand: Any,
    index: SupportsIndex,
    axis: SupportsIndex = 0,
    keepdims: bool = True,
    *,
    allow_negative_indices: bool = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_index_in_dim_region(
    shape: Sequence[SupportsIndex],
    index: SupportsIndex,
    axis: SupportsIndex = 0,
    keepdims: bool = True,
    *,
    allow_negative_indices: bool = False,
) -> Region: ...
@overload
def xla_dynamic_slice_in_dim(
    operand: NDArray[_T],
    start_index: SupportsIndex,
    slice_size: SupportsIndex,
    axis: SupportsIndex = 0,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_dynamic_slice_in_dim(
    operand: Any,
    start_index: SupportsIndex,
    slice_size: SupportsIndex,
    axis: SupportsIndex = 0,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_dynamic_slice_in_dim_regions(
    shape: Sequence[SupportsIndex],
    start_index: SupportsIndex,
    slice_size: SupportsIndex,
    axis: SupportsIndex = 0,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
) -> tuple[Region, ...]: ...
@overload
def xla_dynamic_index_in_dim(
    operand: NDArray[_T],
    index: SupportsIndex,
    axis: SupportsIndex = 0,
    keepdims: bool = True,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_dynamic_index_in_dim(
    operand: Any,
    index: SupportsIndex,
    axis: SupportsIndex = 0,
    keepdims: bool = True,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_dynamic_index_in_dim_regions(
    shape: Sequence[SupportsIndex],
    index: SupportsIndex,
    axis: SupportsIndex = 0,
    keepdims: bool = True,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
) -> tuple[Region, ...]: ...
@overload
def xla_dynamic_update_slice_in_dim(
    operand: NDArray[_T],
    update: Any,
    start_index: SupportsIndex,
    axis: SupportsIndex,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_dynamic_update_slice_in_dim(
    operand: Any,
    update: Any,
    start_index: SupportsIndex,
    axis: SupportsIndex,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_dynamic_update_slice_in_dim_regions(
    shape: Sequence[SupportsIndex],
    update_shape: Sequence[SupportsIndex],
    start_index: SupportsIndex,
    axis: SupportsIndex,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
) -> tuple[Region, ...]: ...
@overload
def xla_dynamic_update_index_in_dim(
    operand: NDArray[_T],
    update: Any,
    index: SupportsIndex,
    axis: SupportsIndex,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_dynamic_update_index_in_dim(
    operand: Any,
    update: Any,
    index: SupportsIndex,
    axis: SupportsIndex,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_dynamic_update_index_in_dim_regions(
    shape: Sequence[SupportsIndex],
    update_shape: Sequence[SupportsIndex],
    index: SupportsIndex,
    axis: SupportsIndex,
    *,
    out_of_bounds: _OutOfBounds = "clamp",
    allow_negative_indices: bool = False,
) -> tuple[Region, ...]: ...
@overload
def xla_pad(
    operand: NDArray[_T],
    padding_value: Any,
    padding_config: _Padding,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_pad(
    operand: Any,
    padding_value: Any,
    padding_config: _Padding,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_pad_regions(
    shape: Sequence[SupportsIndex],
    padding_config: _Padding,
) -> tuple[Region, Region]: ...
@overload
def xla_rev(
    operand: NDArray[_T],
    dimensions: _Integers,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_rev(
    operand: Any,
    dimensions: _Integers,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_rev_region(
    shape: Sequence[SupportsIndex],
    dimensions: _Integers,
) -> Region: ...
@overload
def xla_broadcast(
    operand: NDArray[_T],
    sizes: _Integers,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_broadcast(
    operand: Any,
    sizes: _Integers,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_broadcast_shape(
    shape: Sequence[SupportsIndex],
    sizes: _Integers,
) -> tuple[int, ...]: ...
@overload
def xla_broadcast_in_dim(
    operand: NDArray[_T],
    shape: _Integers,
    broadcast_dimensions: _Integers,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_broadcast_in_dim(
    operand: Any,
    shape: _Integers,
    broadcast_dimensions: _Integers,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_broadcast_in_dim_shape(
    in_shape: Sequence[SupportsIndex],
    shape: _Integers,
    broadcast_dimensions: _Integers,
) -> tuple[int, ...]: ...
@overload
def xla_reshape(
    operand: NDArray[_T],
    new_sizes: _Integers,
    dimensions: _Integers | None = None,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_reshape(
    operand: Any,
    new_sizes: _Integers,
    dimensions: _Integers | None = None,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_reshape_shape(
    shape: Sequence[SupportsIndex],
    new_sizes: _Integers,
    dimensions: _Integers | None = None,
) -> tuple[int, ...]: ...
@overload
def xla_collapse(
    operand: NDArray[_T],
    dimensions: _Integers,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_collapse(
    operand: Any,
    dimensions: _Integers,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_collapse_shape(
    shape: Sequence[SupportsIndex],
    dimensions: _Integers,
) -> tuple[int, ...]: ...
@overload
def xla_transpose(
    operand: NDArray[_T],
    permutation: _Integers,
    *,
    out: NDArray[_T] | None = None,
) -> NDArray[_T]: ...
@overload
def xla_transpose(
    operand: Any,
    permutation: _Integers,
    *,
    out: NDArray[Any] | None = None,
) -> Any: ...
def xla_transpose_shape(
    shape: Sequence[SupportsIndex],
    permutation: _Integers,
) -> tuple[int, ...]: ...
@overload
def xla_concatenate(
    operands: Sequence[NDArray[_T]], dimension: SupportsIndex, *, out: NDArray[_T] | None = None
) -> NDArray[_T]: ...
@overload
def xla_concatenate(operands: Any, dimension: SupportsIndex, *, out: NDArray[Any] | None = None) -> Any: ...
def xla_concatenate_shape(shapes: Sequence[Sequence[SupportsIndex]], dimension: SupportsIndex) -> tuple[int, ...]: ...
def set_num_threads(n: SupportsIndex) -> None: ...
def get_num_threads() -> int: ...
def trim_memory() -> int: ...
def cpu_features() -> dict[str, bool]: ...
def core_config() -> dict[str, dict[str, Any]]: ...
