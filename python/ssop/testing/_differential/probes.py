"""Calls for each row of the engines in the table of divergences.

Each run sends them. It so notices a row that no engine follows any more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ssop.testing.calls import Call
from ssop.testing.calls.numbers import EXTREMES, INT32_MAX, INT32_MIN, INT64_MAX
from ssop.testing.calls.specs import MASKS

Probe = tuple[str, Call]
"""A predicate, and a call that it is for."""


def counting(*shape: int) -> Any:
    """An array of 0, 1, 2, ..."""
    return np.arange(int(np.prod(shape))).reshape(shape)


def tensorflow() -> Iterator[Probe]:
    """Eager TensorFlow."""

    def call(shape: tuple[int, ...], begin: Any, end: Any, strides: Any, **masks: Any) -> Call:
        args = {"begin": begin, "end": end, "strides": strides, **masks}
        return Call("tf.strided_slice", (counting(*shape),), args, "eager")

    yield "rank_above_8", call((2,) * 9, [0, 0], [2, 2], [1, 2])
    yield "rank_above_32", call((3,) + (1,) * 32, [1], [2], [1])
    yield "more_axes_than_numpy", call((1,) * 60, [0] * 5, [0] * 5, [1] * 5, new_axis_mask=31)
    yield "mask_converted", call((4,), [1], [2], [1], begin_mask=1.5)
    yield "index_converted", call((4,), [True], [2], [1])
    yield "index_converted", call((4,), [1], [2], np.array([1.0]))
    yield "index_type_rejected", call((4,), *np.array([[1], [2], [1]], np.uint8))
    args = {"begin": [1], "size": [INT64_MAX]}
    yield "begin_plus_size_overflows", Call("tf.slice", (counting(4),), args, "eager")


def tensorflow_graph() -> Iterator[Probe]:
    """TensorFlow's shape inference."""
    args = {"begin": [9, 0], "end": [0, 2], "strides": [1, 0], "shrink_axis_mask": 1}
    yield "graph_order", Call("tf.strided_slice", (counting(4, 4),), args, "eager")


def tensorflow_jit() -> Iterator[Probe]:
    """TensorFlow compiled by XLA."""
    yield from tensorflow_graph()
    args = {"begin": [3], "end": [0], "strides": [-INT64_MAX]}
    yield "unsent_stride", Call("tf.strided_slice", (counting(4),), args, "eager")


def litert() -> Iterator[Probe]:
    """LiteRT."""

    def spec(shape: tuple[int, ...], begin: Any, end: Any, strides: Any, offset: bool = False, **masks: int) -> Call:
        args = {"begin": begin, "end": end, "strides": strides, "offset": offset, **dict.fromkeys(MASKS, 0), **masks}
        return Call("tflite.strided_slice", (counting(*shape),), args, "constant")

    spare = spec((3, 4), [0], [2], [1], new_axis_mask=6)
    yield "spare_bits", Call(spare.op, spare.arrays, spare.args, "spare bits")
    yield "second_ellipsis", spec((2, 3, 4), [0, 0, 1], [0, 0, 2], [1, 1, 1], ellipsis_mask=3)
    yield "more_than_32_axes", spec((2, 2), [0] * 31, [1] * 31, [1] * 31, new_axis_mask=INT32_MAX)
    yield "longer_strides", spec((4,), [0], [2], [1, 1])
    yield "unwritten_shrink", spec((4,), [4], [0], [1], shrink_axis_mask=1)
    yield "unwritten_shrink", spec((4,), [1], [0], [-1], shrink_axis_mask=1)
    yield "least_stride", spec((4,), [0], [2], [INT32_MIN])
    yield "litert_order", spec((4, 4), [9, 0], [0, 2], [1, 0], shrink_axis_mask=1)
    yield "int64_indices", spec((4,), *np.array([[1], [2], [1]], np.int64))
    yield "strides_missing", spec((3, 4), [0, 1], [2, 3], [1])
    yield "new_axis_after_spare_entries", spec((3, 4), [0, 1, 0, 0], [2, 3, 1, 1], [1] * 4, new_axis_mask=8)
    yield "offset_of_another_entry", spec((3, 4), [1], [1], [1], offset=True)
    yield "offset_outside_axis", spec((4,), [1], [-2], [1], offset=True)


def openvino() -> Iterator[Probe]:
    """OpenVINO."""

    def spec(shape: tuple[int, ...], begin: Any, end: Any, strides: Any, **masks: Any) -> Call:
        given = {name: masks.get(name, [0] * len(begin)) for name in MASKS}
        args = {"begin": begin, "end": end, "strides": strides, "strict": True, **given}
        return Call("openvino.strided_slice", (counting(*shape),), args, "cpu")

    yield "plugin_masks_shrunk_begin", spec((4,), [2], [3], [1], begin_mask=[1], shrink_axis_mask=[1])
    yield "stride_before_entries", spec((4, 4), [7, 0], [0, 4], [1, 0], shrink_axis_mask=[1, 0])
    masks = {"shrink_axis_mask": [1, 0], "new_axis_mask": [0, 1]}
    yield "plugin_reads_outside", spec((2, 3, 4), [1, 0], [0, 0], [1, 1], **masks)
    short = {name: [int(name == "ellipsis_mask")] for name in MASKS}
    yield "plugin_reads_behind_masks", spec((4,), [0, -3], [0, 7], [1, 2], **short)
    yield "plugin_cuts_strides", spec((4,), [3], [-5], [-(2**32)])
    late = spec((4,), [0], [2**32 + 1], [1])
    yield "plugin_cuts_bounds", Call(late.op, late.arrays, late.args, "run time")
    late_args = {"start": [0], "stop": [2**63 - 1], "step": [1]}
    yield "plugin_cuts_bounds", Call("openvino.slice", (counting(4),), late_args, "run time")
    scalar = spec((), [0, 0], [0, 0], [1, 1], shrink_axis_mask=[1, 0], ellipsis_mask=[0, 1])
    yield "shrunk_entry_of_no_axis", Call(scalar.op, scalar.arrays, scalar.args, "shape")
    args = {"start": [0, 0], "stop": [1], "step": [1]}
    yield "rank_before_lengths", Call("openvino.slice", (counting(4),), args, "folded")


def onnx() -> Iterator[Probe]:
    """ONNX's shape inference."""
    args = {"starts": [0], "ends": [1], "axes": [5], "steps": [1, 1], "engine": "spec"}
    yield "inference_order", Call("onnx.slice", (counting(2, 2),), args, "run time")


def onnxruntime() -> Iterator[Probe]:
    """ONNX Runtime."""
    args = {"starts": [0, 0], "ends": [1, 1], "axes": [0, 5], "steps": [0, 1], "engine": "ort"}
    yield "runtime_order", Call("onnx.slice", (counting(2, 2),), args, "run time")


def jax() -> Iterator[Probe]:
    """JAX's three slices."""

    def dynamic(dim: int, starts: Any, how: str, negative: bool = True) -> Call:
        sizes = {"slice_sizes": (1,) * len(starts)}
        args = {"start_indices": starts, "allow_negative_indices": negative, **sizes}
        return Call("xla.dynamic_slice", (counting(*(dim,) * len(starts)),), args, how)

    def cut(start: int, limit: int, strides: Any) -> Call:
        args = {"start_indices": [start], "limit_indices": [limit], "strides": strides}
        return Call("xla.slice", (counting(10),), args, "eager")

    one = {"start_indices": [], "allow_negative_indices": True}
    yield "scalar_converted", Call("xla.dynamic_update_slice", (np.array(0, "f4"), np.array(1, "f8")), one, "eager")
    yield "eager_slice_unchecked", cut(9, 12, None)
    yield "length_overflows", cut(0, 5, [EXTREMES[-2]])
    yield "static_negative_start", dynamic(10, [-1], "eager", negative=False)
    yield "mixed_start_types", dynamic(3, [np.int32(1), np.int64(2)], "eager")
    for how in ("jit constant", "jit"):
        yield "unsigned_constant", dynamic(300, np.array([200], np.uint8), how)
        yield "unsigned_constant", dynamic(10, np.array([2**63], np.uint64), how)
    for how in ("on device", "eager"):
        yield "narrow_start", dynamic(200, np.array([-1], np.int8), how)
    yield "python_start_beyond_int64", dynamic(10, [2**63], "eager")
    args: dict[str, Any] = {"start_indices": [0], "allow_negative_indices": True}
    yield "nan_payload", Call("xla.dynamic_update_slice", (small_nans(), small_nans()[:1]), args, "eager")
    for dtype, dim, start in ((np.uint8, 300, 200), (np.int8, 130, 127)):
        args = {"start_indices": np.array([start], dtype), "allow_negative_indices": False}
        yield "narrow_update", Call("xla.dynamic_update_slice", (counting(dim), np.array([-1])), args, "on device")


def small_nans() -> Any:
    """Two NaNs of bfloat16 with payloads."""
    import ml_dtypes

    return np.array([0x7FC1, 0xFFC2], np.uint16).view(ml_dtypes.bfloat16)


def torch() -> Iterator[Probe]:
    """PyTorch."""

    def spec(shape: tuple[int, ...], begin: Any, end: Any, strides: Any, **masks: int) -> Call:
        args = {"begin": begin, "end": end, "strides": strides, **dict.fromkeys(MASKS, 0), **masks}
        return Call("tf.strided_slice", (counting(*shape),), args, "eager")

    yield "step_overflows", spec((4,), [1], [4], [INT64_MAX])
    yield "several_ellipses", spec((2, 2), [0, 0], [1, 1], [1, 1], ellipsis_mask=3)


def jax_ops() -> Iterator[Probe]:
    """JAX's operations that move data."""

    def call(name: str, *arrays: Any, **args: Any) -> Call:
        return Call(f"xla.{name}", arrays, args, "jit")

    yield "scalar_converted", call("pad", np.zeros(2, "f4"), np.array(1, "i1"), padding_config=[(1, 0, 0)])
    yield "scalar_converted", call("clamp", np.array(0, "i1"), np.zeros(2, "i8"), np.array(1, "i8"))
    yield "small_nan", call("concatenate", small_nans(), small_nans(), dimension=0)
    yield "complex_clamp", call("clamp", np.array(1j), np.ones(2, complex), np.array(2j))
    yield "clamp_flushes", call("clamp", np.array(0, "f4"), np.array([1e-40], "f4"), np.array(1, "f4"))
    yield "mixed_precision", call("concatenate", np.ones((2, 2), "f2"), np.ones((2, 3), "f4"), dimension=0)
    square = counting(2, 2)
    yield "broadcast_to_itself", call("broadcast_in_dim", square, shape=[2, 2], broadcast_dimensions=[1, 0])
    yield "broadcast_to_itself", call("broadcast_in_dim", square[:1, 0], shape=[3], broadcast_dimensions=[])
    yield (
        "length_in_dim_overflows",
        call("slice_in_dim", counting(10), start_index=0, limit_index=5, stride=INT64_MAX - 1),
    )
    for entry in ((INT64_MAX, INT64_MAX, 0), (INT64_MAX, 0, 0), (0, 0, INT64_MAX)):
        yield "padding_overflows", call("pad", square[0], np.array(square[0, 0]), padding_config=[entry])


PROBES = {
    "tensorflow": tensorflow,
    "tensorflow-graph": tensorflow_graph,
    "tensorflow-jit": tensorflow_jit,
    "litert": litert,
    "openvino": openvino,
    "onnx": onnx,
    "onnxruntime": onnxruntime,
    "jax": jax,
    "jax-ops": jax_ops,
    "torch": torch,
}


def probes_of(engine: str) -> list[Probe]:
    """Those of one engine."""
    return list(PROBES[engine]()) if engine in PROBES else []
