"""One broken call for every rule of TFLite, OpenVINO and ONNX, and what its error must say."""

import numpy as np

import ssop
from unit.error_case import Case

INT64_MAX = 2**63 - 1
X = np.arange(12).reshape(3, 4)

lite, lite_slice = ssop.tflite.strided_slice, ssop.tflite.slice
vino, vino_slice, onnx = ssop.openvino.strided_slice, ssop.openvino.slice, ssop.onnx.slice

TFLITE = [
    Case("tfl_c1", "tflite.strided_slice", (lite, X, [0, 0], [3]),
         "begin and end differ in length: NumElements(op_context.begin) != NumElements(op_context.end) (2 != 1)"),
    Case("tfl_c1", "tflite.strided_slice", (lite, X, [0], [3], [1, 1]),
         "begin, end and strides differ in length: 1, 1 and 2"),
    Case("tfl_c2", "tflite.strided_slice", (lite, X, [0] * 32, [3] * 32),
         "32 entries, at most 31 are allowed: StridedSlice op only supports up to 31 indices.",
         value=32, allowed=(0, 31)),
    Case("tfl_c3", "tflite.strided_slice", (lite, X, [0, 0], [3, 3], {"ellipsis_mask": 7}),
         "ellipsis_mask 7 has more than one bit", value=7),
    Case("tfl_c4", "tflite.strided_slice", (lite, X, [0] * 4, [3] * 4, {"new_axis_mask": 8}),
         "entry 2 finds no axis 2, and a new axis follows", axis=2, entry=2),
    Case("tfl_c5", "tflite.strided_slice", (lite, X, [0, 0], [3, 3], [1, 0], {"shrink_axis_mask": 2}),
         "axis 1 (entry 1): stride 0: stride value has to be non-zero", axis=1, entry=1, value=0),
    Case("tfl_c6", "tflite.strided_slice", (lite, X, [0], [3], [-1], {"shrink_axis_mask": 1}),
         f"axis 0 (entry 0): stride -1 of a shrunk axis is not in 1..{INT64_MAX}: TFLite would write nothing",
         axis=0, entry=0, value=-1, allowed=(1, INT64_MAX)),
    Case("tfl_c7", "tflite.strided_slice", (lite, X, [0, 4], [3, 5], {"shrink_axis_mask": 2}),
         "axis 1 (entry 1): index 4 is not in -4..3: TFLite would write nothing",
         axis=1, entry=1, value=4, allowed=(-4, 3)),
    Case("tfl_c8", "tflite.strided_slice", (lite, X, [0], [3], {"offset": True}),
         "axis 1 has no entry: offset takes one of its own for every axis", axis=1),
    Case("tfl_c8", "tflite.strided_slice", (lite, X, [0, 0], [3, 3], {"offset": True, "ellipsis_mask": 2}),
         "entry 1 is an ellipsis or a new axis: offset takes an entry of its own for every axis", entry=1),
    Case("tfl_c9", "tflite.strided_slice", (lite, X, [0, 3], [3, 2], {"offset": True}),
         "axis 1 (entry 1): offset 2 leaves the axis: TFLite would not write what it allocates",
         axis=1, entry=1, value=2),
    Case("in_c8", "tflite.strided_slice", (lite, X, [0], [3], {"offset": 1}), "offset is an int, not a bool", value=1),
    Case("tfs_c1", "tflite.slice", (lite_slice, X, [0], [1, 1]),
         "begin and size differ in length: NumElements(begin) != NumElements(size) (1 != 2)"),
    Case("tfs_c1", "tflite.slice", (lite_slice, X, [0], [1]),
         "begin has 1 entries for rank 2: NumElements(begin) != input_dims (1 != 2)"),
    Case("tfs_c2", "tflite.slice", (lite_slice, X, [0, -1], [1, 1]),
         "axis 1: begin -1 is not in 0..4: Invalid begin.", axis=1, entry=1, value=-1, allowed=(0, 4)),
    Case("tfs_c3", "tflite.slice", (lite_slice, X, [1, 0], [-2, 1]),
         "axis 0: size -2 is neither -1 nor in 0..2: Invalid size.", axis=0, entry=0, value=-2, allowed=(0, 2)),
    Case("tfs_c4", "tflite.slice", (lite_slice, X, [1, 1], [1, 4]),
         "axis 1: size 4 is neither -1 nor in 0..3: Invalid begin and size.", axis=1, entry=1, value=4, allowed=(0, 3)),
]  # fmt: skip

OPENVINO = [
    Case("ov_c1", "openvino.strided_slice", (vino, X, [0], [3], {"shrink_axis_mask": [0, 0, 2]}),
         "shrink_axis_mask entry 2 is 2, not 0 or 1: All masks of StridedSlice must have be 0 or 1", entry=2, value=2),
    Case("ov_c2", "openvino.strided_slice", (vino, X, [0], [3], {"end_mask": [0], "strict": True}),
         "end_mask has 1 entries, begin_mask 0: All masks of StridedSlice must have the same size", value=1),
    Case("ov_c3", "openvino.strided_slice", (vino, X, [0, 0], [3]),
         "begin has 2 entries, end 1: Begin and end need to have same number of values."),
    Case("ov_c4", "openvino.strided_slice", (vino, X, [0], [3], [1, 1]),
         "strides has 2 entries, begin 1: Stride needs to have same number of values as begin and end."),
    Case("ov_c5", "openvino.strided_slice", (vino, X, [0] * 3, [3] * 3, {"ellipsis_mask": [1, 0, 1]}),
         "entry 2 is a second ellipsis: At most one ellipsis is allowed.", entry=2),
    Case("ov_c6", "openvino.strided_slice", (vino, X, [0] * 3, [3] * 3),
         "entry 2 finds no axis 2: Input rank plus number of new axis has to be at least the size of Lower and Upper "
         "bounds vector.", axis=2, entry=2),
    Case("ov_c7", "openvino.strided_slice", (vino, X, [0, 0], [3, 3], [1, 0]),
         "axis 1 (entry 1): stride 0: Stride must be non-zero", axis=1, entry=1, value=0),
    Case("ov_c8", "openvino.strided_slice", (vino, X, [0, -5], [3, 3], {"shrink_axis_mask": [0, 1]}),
         "axis 1 (entry 1): index -5 is not in -4..3", axis=1, entry=1, value=-5, allowed=(-4, 3)),
    Case("ov_c9", "openvino.strided_slice", (vino, X, [0] * 129, [3] * 129),
         "129 entries, at most 128 are allowed", value=129, allowed=(0, 128)),
    Case("in_c8", "openvino.strided_slice", (vino, X, [0], [3], {"strict": "yes"}),
         "strict is a str, not a bool", value="yes"),
    Case("ovs_c1", "openvino.slice", (vino_slice, 5, [], [], []), "Slice `data` input can't be a scalar."),
    Case("ovs_c2", "openvino.slice", (vino_slice, X, [0], [1, 2], [1]),
         "lists of 1 and 2 entries: Slice `start`, `stop`, `step` inputs must have compatible shapes."),
    Case("ovs_c2", "openvino.slice", (vino_slice, X, [0], [1], []),
         "lists of 0 and 1 entries: Slice `start`, `stop`, `step` inputs must have compatible shapes."),
    Case("ovs_c3", "openvino.slice", (vino_slice, X, [0], [1], [1], [0, 1]),
         "axes has 2 entries, start 1: Slice `axes` input must have compatible shape with `start`, `stop`, `step` "
         "inputs."),
    Case("ovs_c4", "openvino.slice", (vino_slice, X, [0] * 3, [1] * 3, [1] * 3),
         "3 entries, at most 2 are allowed: Slice `start` input dim size can't be bigger than `data` rank.",
         value=3, allowed=(0, 2)),
    Case("ovs_c5", "openvino.slice", (vino_slice, X, [0], [1], [1], [2]),
         "axes entry 0: 2 is not in -2..1: Axis 2 out of the tensor rank range [-2, 1].",
         entry=0, value=2, allowed=(-2, 1)),
    Case("ovs_c6", "openvino.slice", (vino_slice, X, [0, 0], [1, 1], [1, 1], [1, -1]),
         "axes entry 1: -1 is axis 1 again: Slice values in `axes` input must be unique.", axis=1, entry=1, value=-1),
    Case("ovs_c7", "openvino.slice", (vino_slice, X, [0], [1], [0], [1]),
         "axis 1 (entry 0): step 0: Step must be non-zero", axis=1, entry=0, value=0),
]  # fmt: skip


def by(engine: str) -> dict[str, object]:
    return {"engine": engine}


ONNX = [
    Case("onx_c1", "onnx.slice", (onnx, X, [0], [1, 2]),
         "starts has 1 entries, ends 2: Incorrect or missing input value for starts and ends"),
    Case("onx_c2", "onnx.slice", (onnx, X, [0], [1], [0, 1]),
         "axes has 2 entries, starts 1: Input axes has incorrect length"),
    Case("onx_c3", "onnx.slice", (onnx, X, [0], [1], None, []),
         "steps has 0 entries, starts 1: Input steps has incorrect length"),
    Case("onx_c4", "onnx.slice", (onnx, X, [0], [1], [2]),
         "axes entry 0: 2 is not in -2..1: Unexpected axis value: 2. Expected range [-2, 2)",
         entry=0, value=2, allowed=(-2, 1)),
    Case("onx_c4", "onnx.slice", (onnx, 5, [0], [1]),
         "axes entry 0: 0 is not in 0..-1: Unexpected axis value: 0. Expected range [0, 0)",
         entry=0, value=0, allowed=(0, -1)),
    Case("onx_c5", "onnx.slice", (onnx, X, [0, 0], [1, 1], [1, -1]),
         "axes entry 1: -1 is axis 1 again: Axis 1 is referred to more than once.", axis=1, entry=1, value=-1),
    Case("onx_c6", "onnx.slice", (onnx, X, [0], [1], [-1], [0]),
         "axis 1 (entry 0): step 0: 'step' cannot be 0 for Slice", axis=1, entry=0, value=0),
    Case("onx_c7", "onnx.slice", (onnx, X, [0], [1], by("tensorrt")),
         "engine is 'tensorrt', not 'spec', 'reference' or 'ort'", value="tensorrt"),
    Case("onx_c7", "onnx.slice", (onnx, X, [0], [1], {"engine": None}),
         "engine is None, not 'spec', 'reference' or 'ort'"),
    Case("onr_c1", "onnx.slice", (onnx, X, [0], [1], [-3], by("reference")),
         "axes entry 0: -3 is not in -2..1: list assignment index out of range", entry=0, value=-3, allowed=(-2, 1)),
    Case("onr_c2", "onnx.slice", (onnx, X, [0], [1], [1], [0], by("reference")),
         "axis 1 (entry 0): step 0: slice step cannot be zero", axis=1, entry=0, value=0),
    Case("onr_c3", "onnx.slice", (onnx, X, [0] * 3, [1] * 3, by("reference")),
         "too many indices for array: array is 2-dimensional, but 3 were indexed", value=3, allowed=(0, 2)),
    Case("onr_c4", "onnx.slice", (onnx, X, [0] * 129, [1] * 129, [0] * 129, by("reference")),
         "129 entries, at most 128 are allowed", value=129, allowed=(0, 128)),
    Case("ort_c1", "onnx.slice", (onnx, 5, [], [], by("ort")), "Cannot slice scalars"),
    Case("ort_c2", "onnx.slice", (onnx, X, [0], [1, 2], by("ort")),
         "starts has 1 entries, ends 2: Starts and ends shape mismatch"),
    Case("ort_c3", "onnx.slice", (onnx, X, [0], [1], [0, 1], by("ort")),
         "axes has 2 entries, starts 1: Starts and axes shape mismatch"),
    Case("ort_c4", "onnx.slice", (onnx, X, [0], [1], None, [1, 1], by("ort")),
         "steps has 2 entries, starts 1: Starts and steps shape mismatch"),
    Case("ort_c5", "onnx.slice", (onnx, X, [0] * 3, [1] * 3, by("ort")),
         "axes entry 2: 2 is not in -2..1: 'axes' has an axis outside of the tensor dimension count",
         entry=2, value=2, allowed=(-2, 1)),
    Case("ort_c6", "onnx.slice", (onnx, X, [0, 0], [1, 1], [1, -1], by("ort")),
         "axes entry 1: -1 is axis 1 again: 'axes' has duplicates", axis=1, entry=1, value=-1),
    Case("ort_c7", "onnx.slice", (onnx, X, [0], [1], None, [0], by("ort")),
         "axis 0 (entry 0): step 0: 'step' value cannot be 0", axis=0, entry=0, value=0),
]  # fmt: skip

DIALECTS = TFLITE + OPENVINO + ONNX
