"""One broken call for every rule of SPEC.md and what its error must say."""

import numpy as np
from numpy import ma

import ssop
from ssop import _core
from unit.error_case import Case
from unit.error_cases_contexts import CONTEXTS
from unit.error_cases_convert import CONVERSIONS
from unit.error_cases_dialects import DIALECTS
from unit.error_cases_inspect import INSPECTIONS
from unit.error_cases_shapes import SHAPES
from unit.error_cases_xla import XLA_OPS
from unit.error_cases_xla_control import CASES as XLA_CONTROL
from unit.error_cases_xla_dots import CONVOLUTIONS, DOTS
from unit.error_cases_xla_elementwise import ELEMENT_WISE
from unit.error_cases_xla_gathering import CASES as GATHERING
from unit.error_cases_xla_numbers import NUMBERS
from unit.error_cases_xla_sorting import SORTING
from unit.error_cases_xla_windows import WINDOW_CASES

INT32, INT64 = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)

X = np.arange(12).reshape(3, 4)
FROZEN = np.empty_like(X)
FROZEN.flags.writeable = False
TWICE = np.lib.stride_tricks.as_strided(np.zeros(12, X.dtype), (3, 4), (8, 8))
HUGE_STRIDE = np.lib.stride_tricks.as_strided(np.zeros(1), (5,), (2**62,))
SPEC = ssop.StridedSliceSpec([1], [3])
PLAN = ssop.plan(SPEC, (3, 4), X.dtype)
MATRIX = np.zeros((1, 1), int)
UINT64 = np.array([0, 2**63 + 5], np.uint64)
MASKED = ma.array([1, 2])
NEW_AXIS = ssop.StridedSliceSpec.from_index(np.s_[None]).resolve((3,))
EMPTIED = ssop.StridedSliceSpec([0], [0]).resolve((1, 3)).of(NEW_AXIS)

strided_slice, xla_slice, spec = ssop.strided_slice, ssop.slice, ssop.StridedSliceSpec
dynamic_slice, update_slice = ssop.dynamic_slice, ssop.dynamic_update_slice
TENSORS = "Expected begin, end, and strides to be 1D equal size tensors"
STARTS = "start number of dimensions {} must match rank {} of slice input"

PAIRS = "it is one item, (before, after), or one of them per axis: operands could not be broadcast together"
INDEX = " (a NumPy index is an argument of ssop.index(x, index) or of StridedSliceSpec.from_index(index))"
VALID_INDICES = (
    "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tf.int32/tf.int64 tensors are valid "
    "indices"
)

INPUTS = [
    Case("in_c1", "strided_slice", (strided_slice, X, [0, 1.0], [3, 3]),
         "begin entry 1 is a float, not an integer", entry=1, value=1.0),
    Case("in_c1", "slice", (xla_slice, X, [0, 0], (3, True)),
         "limit_indices entry 1 is a bool, not an integer", entry=1, value=True),
    Case("in_c1", "dynamic_slice", (dynamic_slice, X, [0, 0], [None, 1]),
         "slice_sizes entry 0 is None, not an integer", entry=0),
    Case("in_c1", "dynamic_update_slice", (update_slice, X, X, ["0", 0]),
         "start_indices entry 0 is a str, not an integer", entry=0, value="0"),
    Case("in_c1", "StridedSliceSpec", (spec, [0], [1], [1j]),
         "strides entry 0 is a complex, not an integer", entry=0, value=1j),
    Case("in_c1", "strided_slice", (strided_slice, X, (0, np.s_[1:]), [1, 1]),
         f"begin entry 1 is a slice, not an integer{INDEX}", entry=1, value=np.s_[1:]),
    Case("in_c1", "strided_slice", (strided_slice, X, [0, None]),
         f"begin entry 1 is None, not an integer{INDEX}", entry=1),
    Case("in_c2", "strided_slice", (strided_slice, X, [0], [2**63]),
         "end entry 0 does not fit int64: 9223372036854775808 is not in -9223372036854775808..9223372036854775807: "
         "out of range for an int64",
         entry=0, value=2**63, allowed=INT64),
    Case("in_c2", "dynamic_slice", (dynamic_slice, X, [0, -(2**63) - 1], [1, 1]),
         "start_indices entry 1 does not fit int64: -9223372036854775809 is not in "
         "-9223372036854775808..9223372036854775807: out of range for an int64",
         entry=1, value=-(2**63) - 1, allowed=INT64),
    Case("in_c3", "strided_slice", (strided_slice, X, [0], [2], {"begin_mask": 2**31}),
         "begin_mask does not fit int32: 2147483648 is not in -2147483648..2147483647: out of range for an int32",
         value=2**31, allowed=INT32),
    Case("in_c4", "strided_slice", (strided_slice, X, [0], [2], {"end_mask": 1.0}),
         "end_mask is a float, not an integer", value=1.0),
    Case("in_c4", "StridedSliceSpec", (spec, [0], [2], None, 0, 0, 0, True),
         "new_axis_mask is a bool, not an integer", value=True),
    Case("in_c5", "Region.chunks", (SPEC.resolve((5,)).chunks, 5),
         "grid is an int, not a sequence of chunk sizes", value=5),
    Case("in_c1", "Region.chunks", (SPEC.resolve((5,)).chunks, ([2, "3"],)),
         "grid[0] entry 1 is a str, not an integer", entry=1, value="3"),
    Case("in_c5", "strided_slice", (strided_slice, X, 0, [2]),
         "begin is an int, not a sequence of integers", value=0),
    Case("in_c5", "strided_slice", (strided_slice, X, np.s_[1:]),
         f"begin is a slice, not a sequence of integers{INDEX}", value=np.s_[1:]),
    Case("in_c5", "StridedSliceSpec", (spec, ...),
         f"begin is an ellipsis, not a sequence of integers{INDEX}", value=...),
    Case("in_c5", "strided_slice", (_core.infer_strided_slice, [5], [0], 1),
         "end is an int, not a sequence of integers", value=1),
    Case("in_c5", "Region", (ssop.Region, (5,), 5, (0,)),
         "ranges is an int, not a sequence of (start, count, step)", value=5),
    Case("in_c5", "Region", (ssop.Region, (5,), (5,), (0,)),
         "ranges[0] is an int, not a sequence of integers", value=5),
    Case("in_c5", "dynamic_slice", (dynamic_slice, X, {0, 1}, [2, 2]),
         "start_indices is a set, not a sequence of integers", value={0, 1}),
    Case("in_c6", "strided_slice", (strided_slice, X, np.zeros((1, 1), int), [2]),
         f"begin has shape (1, 1), not that of a vector: {TENSORS}", value=(1, 1)),
    Case("in_c6", "strided_slice", (strided_slice, X, [0], np.array(2)),
         f"end has shape (), not that of a vector: {TENSORS}", value=()),
    Case("in_c6", "dynamic_slice", (dynamic_slice, X, np.zeros((1, 1, 1), int), [1, 1]),
         "start_indices has shape (1, 1, 1), not that of a vector: "
         "Dynamic slice start indices of rank 3 must be rank1.",
         value=(1, 1, 1)),
    *[
        Case("in_c6", op, call, f"{name} has shape (1, 1), not that of a vector{words}", value=(1, 1))
        for op, call, name, words in [
            ("tf.strided_slice", (ssop.tf.strided_slice, X, [0], MATRIX), "end", f": {TENSORS}"),
            ("StridedSliceSpec", (spec, [0], [1], MATRIX), "strides", f": {TENSORS}"),
            ("strided_slice", (SPEC.resolve, MATRIX), "shape", ""),
            ("strided_slice_grad", (ssop.strided_slice_grad, MATRIX, [0], [1], [1], X), "shape", ": shape must be 1-D"),
            ("strided_slice_grad", (ssop.strided_slice_grad, [3], MATRIX, [1], [1], X), "begin", f": {TENSORS}"),
            ("tf.slice", (ssop.tf.slice, X, [0], MATRIX), "size",
             ": Expected begin and size arguments to be 1-D tensors"),
            ("slice", (xla_slice, X, MATRIX, [1]), "start_indices", ""),
            ("dynamic_slice", (dynamic_slice, X, [0, 0], MATRIX), "slice_sizes", ""),
            ("dynamic_update_slice", (update_slice, X, X, MATRIX), "start_indices",
             ": Dynamic update slice start indices of rank 2 must be rank1."),
            ("tflite.strided_slice", (ssop.tflite.strided_slice, X, [0], MATRIX), "end",
             ": NumDimensions(op_context.end) != 1 (2 != 1)"),
            ("tflite.slice", (ssop.tflite.slice, X, MATRIX, [0]), "begin", ": NumDimensions(begin) != 1 (2 != 1)"),
            ("openvino.strided_slice", (ssop.openvino.strided_slice, X, MATRIX, [0]), "begin",
             ": Begin input must be 1D (has rank: 2)"),
            ("openvino.slice", (ssop.openvino.slice, X, [0], MATRIX, [1]), "stop",
             ": Slice `stop` input must be a 1D tensor. Got rank: 2"),
            ("onnx.slice", (ssop.onnx.slice, X, MATRIX, [1]), "starts", ": Starts must be a 1-D array"),
        ]
    ],
    Case("in_c7", "copy", (ssop.copy, MASKED, {"out": np.zeros(2, int)}),
         "a numpy.ma.MaskedArray takes no out=: the result stays in its own library", value=MASKED),
    Case("in_c7", "dynamic_update_slice", (update_slice, X[0], MASKED, [0]),
         "a numpy.ma.MaskedArray cannot update a NumPy array; update.filled(v) has v in the place of masked items",
         value=MASKED),
    Case("in_c7", "dynamic_slice", (dynamic_slice, MASKED, [1], [2], {"out_of_bounds": "wrap"}),
         "a numpy.ma.MaskedArray does not wrap round: that takes several indices", value=MASKED),
    Case("in_c7", "Plan", (ssop.plan(SPEC, (2,), int), MASKED),
         "the input is a MaskedArray: a plan runs on NumPy arrays (without masks), lists and scalars only",
         value=MASKED),
    Case("in_c8", "dynamic_slice", (dynamic_slice, X, [0, 0], [1, 1], {"allow_negative_indices": [True, "no"]}),
         "allow_negative_indices entry 1 is a str, not a bool", entry=1, value="no"),
    Case("in_c9", "strided_slice", (SPEC.resolve, [1] * 65),
         "the shape has 65 axes, at most 64 are allowed", value=65, allowed=(0, 64)),
    Case("in_c10", "strided_slice", (SPEC.resolve, [3, -1]),
         "axis 1: dim -1 is not in 0..9223372036854775807: Dimension -1 must be >= 0",
         axis=1, value=-1, allowed=(0, INT64[1])),
    Case("in_c11", "strided_slice", (_core.infer_strided_slice, [3], [(0, 1, 2)], [3]),
         "begin entry 0 has 3 numbers, not 2: an interval is (least, greatest)", entry=0, value=3),
    Case("in_c11", "strided_slice", (_core.infer_strided_slice, [3, (4, 2)], [0], [3]),
         "shape entry 1: (4, 2) is not an interval (least, greatest) of numbers from 0 on", entry=1, value=4),
    Case("in_c11", "Dim", (_core.Dim, ()), "value has 0 numbers, not 2: an interval is (least, greatest)", value=0),
    Case("in_c12", "copy", (ssop.copy, None), "a is None, not an array"),
    Case("in_c12", "dynamic_update_slice", (update_slice, X, None, [0, 0]), "update is None, not an array"),
    Case("in_c12", "copyto", (ssop.copyto, X, None), "src is None, not an array"),
    Case("in_c12", "xla.concatenate", (ssop.xla.concatenate, [X, None], 0),
         "operand entry 1 is None, not an array", entry=1),
    Case("val_c1", "strided_slice_assign", (ssop.strided_slice_assign, X, [0], [1], [1], 1.9),
         "value is a float, which does not convert to int64",
         value=1.9),
    Case("val_c1", "dynamic_update_slice", (update_slice, X, [[1, "7"]], [0, 0]),
         "update entry 1 is a str, which does not convert to int64",
         entry=1, value="7"),
    Case("val_c1", "xla.clamp", (ssop.xla.clamp, 0, X, None),
         "max is None, which does not convert to int64"),
    Case("val_c1", "tf.strided_slice_assign", (ssop.tf.strided_slice_assign, X, [0], [1], [1], 1.9),
         "value is a float, which does not convert to int64: Cannot convert 1.9 to EagerTensor of dtype int64",
         value=1.9),
    Case("val_c2", "copyto", (ssop.copyto, np.zeros(2, np.int8), [1, 300]),
         "src entry 1 is 300, out of bounds for int8, which holds -128..127", entry=1, value=300, allowed=(-128, 127)),
    Case("val_c2", "xla.pad", (ssop.xla.pad, np.zeros(2, np.uint64), -1, [(1, 0, 0)]),
         "padding_value is -1, out of bounds for uint64, which holds 0..18446744073709551615",
         value=-1, allowed=(0, 2**64 - 1)),
    Case("val_c2", "xla.select", (ssop.xla.select, True, np.float16(1), 70000.0),
         "on_false is 70000.0, out of bounds for float16", value=70000.0),
    Case("val_c3", "copyto", (ssop.copyto, np.zeros(1, "U3"), ["four"]),
         "src entry 0 is 'four', which does not fit <U3 without a loss", entry=0, value="four"),
    Case("val_c3", "copyto", (ssop.copyto, np.zeros((), "S3"), b"four"),
         "src is b'four', which does not fit |S3 without a loss", value=b"four"),
    Case("val_c4", "copyto", (ssop.copyto, np.zeros((2, 2)), [[1, 2], [3]]),
         "src entry 0 is a list, not an item of float64: The requested array has an inhomogeneous shape",
         entry=0, value=[1, 2]),
    Case("out_c1", "copy", (ssop.copy, X, {"out": [0]}), "out is a list, not a NumPy array", value=[0]),
    Case("out_c1", "copyto", (ssop.copyto, 5, X), "dst is an int, not a NumPy array", value=5),
    Case("out_c2", "copy", (ssop.copy, X, {"out": np.empty((3, 5), X.dtype)}),
         "out has shape (3, 5), not (3, 4)", axis=1, value=(3, 5)),
    Case("out_c2", "slice", (xla_slice, X, [0, 0], [3, 4], {"out": np.empty(12, X.dtype)}),
         "out has shape (12,), not (3, 4)", value=(12,)),
    Case("out_c3", "copy", (ssop.copy, X, {"out": np.empty((3, 4), np.float16)}),
         "out has dtype float16, not int64", value=np.dtype(np.float16)),
    Case("out_c3", "copyto", (ssop.copyto, X, np.zeros((3, 4), ">i8")),
         "src has dtype >i8, not int64: copyto never casts; src.astype('int64') converts it", value=np.dtype(">i8")),
    Case("out_c4", "copy", (ssop.copy, X, {"out": FROZEN}), "out is read-only"),
    Case("out_c4", "copyto", (ssop.copyto, FROZEN, X), "dst is read-only"),
    Case("out_c5", "copy", (ssop.copy, X, {"out": TWICE}), "elements of out share memory with each other"),
    Case("mem_c1", "strided_slice", (strided_slice, HUGE_STRIDE, [0], [5], [2]),
         "axis 0: the array's stride is too large to address its elements", axis=0),
]  # fmt: skip

STRIDED_SLICE = [
    Case("ss_c1", "strided_slice", (strided_slice, X, [0, 0], [3]),
         f"begin, end and strides differ in length: {TENSORS}, but got shapes [2], [1], and [2] instead."),
    Case("ss_c2", "strided_slice", (strided_slice, X, [0] * 32, [3] * 32),
         f"32 entries, at most 31 are allowed, though TensorFlow's message blames their shapes: "
         f"{TENSORS}, but got shapes [32], [32], and [32] instead.",
         value=32, allowed=(0, 31)),
    Case("ss_c3", "strided_slice", (strided_slice, X, [0], [3], {"ellipsis_mask": 5}),
         "ellipsis_mask 5 has more than one bit: Multiple ellipses in slice spec not allowed", value=5),
    Case("ss_c4", "strided_slice", (strided_slice, X, [0, 0, 0], [3, 4, 1]),
         "entry 2 has no axis: Index out of range using input dim 2; input has only 2 dims", axis=2, entry=2),
    Case("ss_c4", "strided_slice", (strided_slice, 5, [0], [1]),
         "the input has no axes, so entry 0 finds none: Attempting to slice scalar input.", axis=0, entry=0),
    Case("ss_c5", "strided_slice", (strided_slice, X, [0, 0], [3, 4], [1, 0]),
         "axis 1 (entry 1): stride 0: strides[1] must be non-zero", axis=1, entry=1, value=0),
    Case("ss_c6", "strided_slice", (strided_slice, X, [1], [0], [-1], {"shrink_axis_mask": 1}),
         "axis 0 (entry 0): stride -1 of a shrunk axis is not in 1..9223372036854775807, "
         "though TensorFlow's message names 1 alone: only stride 1 allowed on non-range indexing.",
         axis=0, entry=0, value=-1, allowed=(1, 2**63 - 1)),
    Case("ss_c7", "strided_slice", (strided_slice, X, [0, 9], [3, 0], [1, 1], {"shrink_axis_mask": 2}),
         "axis 1 (entry 1): index 9 is not in -4..3: slice index 9 of dimension 1 out of bounds.",
         axis=1, entry=1, value=9, allowed=(-4, 3)),
    Case("ss_c7", "plan", (ssop.plan, spec([-5], [0], shrink_axis_mask=1), (4,), int),
         "axis 0 (entry 0): index -5 is not in -4..3: with dim 4 added, slice index -1 of dimension 0 out of bounds.",
         axis=0, entry=0, value=-5, allowed=(-4, 3)),
    Case("ss_c8", "strided_slice", (strided_slice, np.zeros((1,) * 60), [0] * 5, [0] * 5, {"new_axis_mask": 31}),
         "the result would have 65 axes, at most 64 are allowed", value=65, allowed=(0, 64)),
]  # fmt: skip

TENSORFLOW = [
    Case("gr_c1", "strided_slice_grad", (ssop.strided_slice_grad, [5], [0], [3], [1], np.zeros(2)),
         "dy has shape (2,), not (3,): shape of dy was [2] instead of [3]", axis=0, value=(2,)),
    Case("gr_c1", "strided_slice_grad", (ssop.strided_slice_grad, [5], [0], [3], [1], np.zeros((3, 1))),
         "dy has shape (3, 1), not (3,): shape of dy was [3,1] instead of [3]", value=(3, 1)),
    Case("as_c1", "strided_slice_assign", (ssop.strided_slice_assign, X.copy(), [0, 0], [3, 3], None, [1, 2]),
         "value has shape (2,): Cannot broadcast input shape [2] into final shape [3,3]", axis=1, value=(2,)),
    Case("as_c1", "strided_slice_assign", (ssop.strided_slice_assign, np.zeros(3), [0], [3], None, [1, 2]),
         "value has shape (2,): Cannot broadcast input shape [2] into final shape [3]", axis=0, value=(2,)),
    Case("as_c1", "tensor_strided_slice_update",
         (ssop.tensor_strided_slice_update, X, [0, 0], [1, 1], None, [[[1], [2]]]),
         "value has shape (1, 2, 1): Cannot broadcast input shape [1,2,1] into final shape [1,1]",
         axis=0, value=(1, 2, 1)),
    Case("as_c2", "strided_slice_assign", (ssop.strided_slice_assign, X.copy(), [0], [1], None, np.ones(4, "f2")),
         "l-value dtype int64 does not match r-value dtype float16; value.astype('int64') converts it",
         value=np.dtype(np.float16)),
    Case("as_c2", "tensor_strided_slice_update",
         (ssop.tensor_strided_slice_update, X, [0], [1], None, np.zeros(4, ">i8")),
         "l-value dtype int64 does not match r-value dtype >i8; value.astype('int64') converts it",
         value=np.dtype(">i8")),
    Case("tsl_c1", "tf.slice", (ssop.tf.slice, X, [0], [1, 1]),
         "begin and size do not have one entry per axis: Expected begin and size arguments to be 1-D tensors of size "
         "2, but got shapes [1] and [2] instead."),
    Case("tsl_c2", "tf.slice", (ssop.tf.slice, X, [0, 5], [1, 1]),
         "axis 1: begin 5 is not in 0..4: Expected begin[1] in [0, 4], but got 5",
         axis=1, entry=1, value=5, allowed=(0, 4)),
    Case("tsl_c3", "tf.slice", (ssop.tf.slice, X, [0, 1], [1, 4]),
         "axis 1: size 4 is neither -1 nor in 0..3: Expected size[1] in [0, 3], but got 4",
         axis=1, entry=1, value=4, allowed=(0, 3)),
]  # fmt: skip

XLA = [
    Case("sl_c1", "slice", (xla_slice, X, [0], [3, 4]), "slice start and limit sizes differ: 1 vs 2"),
    Case("sl_c2", "slice", (xla_slice, X, [0, 0], [3, 4], [1]), "slice start and strides sizes differ: 2 vs 1"),
    Case("sl_c3", "slice", (xla_slice, X, [0], [3]),
         "start_indices has 1 entries for rank 2: Slice index count does not match argument rank: 1 vs 2.",
         value=1, allowed=(2, 2)),
    Case("sl_c4", "slice", (xla_slice, X, [0, -1], [3, 4]),
         "axis 1: start -1 is not in 0..4: Negative start index to slice: -1.",
         axis=1, entry=1, value=-1, allowed=(0, 4)),
    Case("sl_c5", "slice", (xla_slice, X, [0, 0], [3, 5]),
         "axis 1: limit 5 is not in 0..4: limit index (5) must be less than or equal to dimension size (4)",
         axis=1, entry=1, value=5, allowed=(0, 4)),
    Case("sl_c6", "slice", (xla_slice, X, [0, 2], [3, 1]),
         "axis 1: limit 1 is not in 2..4: limit index (1) must be greater or equal to start index (2) in slice with "
         "positive stride", axis=1, entry=1, value=1, allowed=(2, 4)),
    Case("sl_c7", "slice", (xla_slice, X, [0, 0], [3, 4], [1, 0]),
         "axis 1: stride 0 is not in 1..9223372036854775807: Stride (0) must be positive.",
         axis=1, entry=1, value=0, allowed=(1, 2**63 - 1)),
    Case("ds_c1", "dynamic_slice", (dynamic_slice, X, [0], [1, 1]),
         "start_indices has 1 entries for rank 2: Dynamic slice " + STARTS.format(1, 2), value=1, allowed=(2, 2)),
    Case("ds_c2", "dynamic_slice", (dynamic_slice, X, [0, 0], [1]),
         "slice_sizes has 1 entries for rank 2: Dynamic slice index count does not match argument rank: 1 vs 2.",
         value=1, allowed=(2, 2)),
    Case("ds_c3", "dynamic_slice", (dynamic_slice, X, [0, 0], [1, -1]),
         "axis 1: size -1 is not in 0..4: Negative size index to dynamic slice: -1.",
         axis=1, entry=1, value=-1, allowed=(0, 4)),
    Case("ds_c4", "dynamic_slice", (dynamic_slice, X, [0, 0], [1, 5]),
         "axis 1: size 5 is not in 0..4: Slice dim size 5 greater than dynamic slice dimension: 4.",
         axis=1, entry=1, value=5, allowed=(0, 4)),
    Case("ds_c5", "dynamic_slice", (dynamic_slice, X, [0, 3], [1, 2], {"out_of_bounds": "raise"}),
         "axis 1: start 3 is not in 0..2: the window does not fit", axis=1, entry=1, value=3, allowed=(0, 2)),
    Case("ds_c5", "dynamic_slice", (dynamic_slice, X, UINT64, [1, 2], {"out_of_bounds": "raise"}),
         "axis 1: start 9223372036854775813 is not in 0..2: the window does not fit",
         axis=1, entry=1, value=2**63 + 5, allowed=(0, 2)),
    Case("ds_c6", "dynamic_slice", (dynamic_slice, X, [0, 0], [1, 1], {"out_of_bounds": "none"}),
         "out_of_bounds is 'none', not 'clamp', 'wrap', 'raise' or 'fill'", value="none"),
    Case("ds_c6", "dynamic_update_slice", (update_slice, X, X, [0, 0], {"out_of_bounds": "fill"}),
         "out_of_bounds is 'fill', not 'clamp', 'wrap' or 'raise'", value="fill"),
    Case("ds_c7", "dynamic_slice", (dynamic_slice, X, [0, 0], [1, 1], {"allow_negative_indices": [True]}),
         "allow_negative_indices has 1 entries for rank 2", value=1, allowed=(2, 2)),
    Case("ds_c8", "dynamic_slice", (dynamic_slice, X, [0, 0], [1, 1], {"fill_value": 7}),
         "fill_value is an int, which has no effect: out_of_bounds is not 'fill'", value=7),
    Case("ds_c9", "dynamic_slice", (dynamic_slice, X, [[0, 0], [1]], [1, 1]),
         "start_indices entry 1 has 1 entries, the first one 2", entry=1, value=1, allowed=(2, 2)),
    Case("dus_c1", "dynamic_update_slice", (update_slice, X, X[:1], [0]),
         "start_indices has 1 entries for rank 2: Dynamic update slice " + STARTS.format(1, 2),
         value=1, allowed=(2, 2)),
    Case("dus_c2", "dynamic_update_slice", (update_slice, X, X[0], [0, 0]),
         "update has rank 1, the operand 2: Dynamic update slice update rank does not match argument rank: 1 vs 2.",
         value=1, allowed=(2, 2)),
    Case("dus_c3", "dynamic_update_slice", (update_slice, X[:, :3], X, [0, 0]),
         "axis 1: update dim 4 is not in 0..3: Update dim size 4 greater than dynamic slice dimension: 3.",
         axis=1, entry=1, value=4, allowed=(0, 3)),
    Case("dus_c4", "dynamic_update_slice", (update_slice, X, np.zeros((1, 1), np.float16), [0, 0]),
         "Dynamic update slice update element type does not match argument. "
         "operand.element_type: int64 vs update.element_type: float16. update.astype('int64') converts it",
         value=np.dtype(np.float16)),
    Case("dus_c5", "dynamic_update_slice", (update_slice, X, X[:2, :2], [0, 3], {"out_of_bounds": "raise"}),
         "axis 1: start 3 is not in 0..2: the window does not fit", axis=1, entry=1, value=3, allowed=(0, 2)),
]  # fmt: skip

VALUES = [
    Case("rg_c1", "Region.of", (spec([0], [1]).resolve((5,)).of, SPEC.resolve((5,))),
         "axis 0: the region expects 5 where the one before it gives 2", axis=0, value=5, allowed=(2, 2)),
    Case("rg_c1", "Region.of", (spec([0], [1]).resolve((5,)).of, SPEC.resolve((5, 5))),
         "the region expects 1 axes where the one before it gives 2", value=1, allowed=(2, 2)),
    Case("rg_c2", "Region", (ssop.Region, (5,), ((0, 2, 5),), (0,)),
         "input axis 0: its range is not canonical (rg_s1), leaves the axis, or takes several elements of a "
         "dropped axis", axis=0),
    Case("rg_c2", "Region", (ssop.Region, (5,), ((0, 5, 1),), (0, 0)),
         "output axis 1: out_axes names no input axis there, or one that is not after those before it", axis=1),
    Case("rg_c3", "Region.index", (lambda: EMPTIED.index,),
         "output axis 0 has length 0 and comes from no input axis: no NumPy index makes one", axis=0),
    Case("rg_c4", "Region", (ssop.Region, (5,), ((0, 5, 1),) * 2, (0,)),
         "ranges has 2 entries for rank 1", value=2, allowed=(1, 1)),
    Case("rg_c4", "Region", (ssop.Region, (5, 5), ((0, 5, 1), (0, 5)), (0,)),
         "ranges entry 1 has 2 numbers, not 3: start, count, step", entry=1, value=2, allowed=(3, 3)),
    Case("rg_c6", "resolve", (SPEC.resolve, (None,)),
         "dim 0 is not known, and a region has every dim: to_index, explain and infer_shape take such a shape", axis=0),
    Case("rg_c6", "resolve", (SPEC.resolve, ["n"]),
         "dim 0 (n) is not known, and a region has every dim: to_index, explain and infer_shape take such a shape",
         axis=0, value="n"),
    Case("rg_c5", "Region.of", (SPEC.resolve((5,)).of, None), "first is None, not a Region"),
    Case("rg_c5", "Region.of", (SPEC.resolve((5,)).of, "5"), "first is a str, not a Region", value="5"),
    Case("rg_c7", "Region.chunks", (SPEC.resolve((5,)).chunks, (2, 2)),
         "the grid has 2 entries for rank 1", value=2, allowed=(1, 1)),
    Case("rg_c8", "Region.chunks", (SPEC.resolve((5,)).chunks, (0,)),
         "axis 0: chunk size 0 is not in 1..9223372036854775807", axis=0, value=0, allowed=(1, 2**63 - 1)),
    Case("rg_c8", "Region.chunks", (SPEC.resolve((5,)).chunks, ([2, -1],)),
         "axis 0, entry 1: chunk size -1 is not in 0..5", axis=0, entry=1, value=-1, allowed=(0, 5)),
    Case("rg_c9", "Region.chunks", (SPEC.resolve((5,)).chunks, ([2, 2],)),
         "axis 0: the chunks have 4 elements, and the axis 5", axis=0, value=4, allowed=(5, 5)),
    Case("rg_c9", "Region.chunks", (SPEC.resolve((5,)).chunks, ([2**62, 2**62],)),
         "axis 0: the chunks up to entry 1 have more than 9223372036854775807 elements, and the axis 5",
         axis=0, entry=1, value=2**63 - 1, allowed=(5, 5)),
    Case("np_c1", "pad", (ssop.pad, X, 1, "mean"),
         "mode 'mean' is not supported: it may be 'constant', 'edge', 'reflect', 'symmetric', 'wrap'", value="mean"),
    Case("np_c1", "pad", (ssop.pad, X, 1, None),
         "mode None is not supported: it may be 'constant', 'edge', 'reflect', 'symmetric', 'wrap'"),
    Case("np_c1", "pad", (ssop.pad, X, 1, "reflect", {"reflect_type": "odd"}),
         "reflect_type is 'odd': only 'even' is supported", value="odd"),
    Case("np_c1", "pad", (ssop.pad, X, 1, "edge", 7),
         "constant_values has no effect: unsupported keyword arguments for mode 'edge'", value="edge"),
    Case("np_c2", "pad", (ssop.pad, X, [1, 2, 3]), f"pad_width has an entry of 3 items; {PAIRS}", value=3),
    Case("np_c2", "pad", (ssop.pad, X, [[1, 2]] * 3), f"pad_width has 3 entries; {PAIRS}", value=3),
    Case("np_c2", "pad", (ssop.pad, X, 1, "constant", [[1], 2]), f"constant_values has 2 entries; {PAIRS}", value=2),
    Case("np_c3", "pad", (ssop.pad, X, (1, -2)),
         "pad_width of axis 0 is (1, -2): index can't contain negative values",
         axis=0, value=-2, allowed=(0, 2**63 - 1)),
    Case("np_c4", "pad", (ssop.pad, X, {2: 1}, {}),
         "pad_width has axis 2, which is not in -2..1", value=2, allowed=(-2, 1)),
    Case("np_c5", "pad", (ssop.pad, X[:0], 1, "edge"),
         "axis 0 is empty and mode is 'edge': can't extend empty axis 0 using modes other than 'constant'",
         axis=0, value="edge"),
    Case("np_c6", "roll", (ssop.roll, X, 1, (0, 2)), "axis 2 is not in -2..1: axis is out of bounds",
         value=2, allowed=(-2, 1)),
    Case("np_c7", "roll", (ssop.roll, X, (1, 2, 3), (0, 1)),
         "shift has 3 entries and axis has 2: shape mismatch: objects cannot be broadcast to a single shape",
         value=3, allowed=(2, 2)),
    Case("ix_c1", "from_index", (spec.from_index, "foo"),
         f"entry 0 of the index is a str, not an integer, slice, None or ...: {VALID_INDICES}", entry=0, value="foo"),
    Case("ix_c1", "from_index", (spec.from_index, np.s_[0, [1, 2]]),
         f"entry 1 of the index is a list, not an integer, slice, None or ...: {VALID_INDICES}", entry=1, value=[1, 2]),
    Case("pl_c1", "Plan", (PLAN, X.T), "the array has shape (4, 3), not (3, 4)", axis=0, value=(4, 3)),
    Case("pl_c2", "Plan", (PLAN, X.astype(np.float32)), "the array has dtype float32, not int64",
         value=np.dtype(np.float32)),
    Case("ex_c2", "explain", (ssop.explain((None, 4), [0], [2]).to_svg,),
         "a picture needs every dim, and the shape is (?, 4)"),
    Case("ex_c1", "explain", (ssop.explain, (3,), [0], [1], {"dialect": "onnx"}),
         "dialect is 'onnx', not one of 'tf', 'tflite', 'openvino'", value="onnx"),
    Case("pl_c3", "plan", (ssop.plan, "1:", (3,), int),
         "spec is a str, not a StridedSliceSpec (StridedSliceSpec.from_index(index) makes one of a NumPy index)",
         value="1:"),
    Case("pl_c3", "plan", (ssop.plan, np.s_[1:], (3,), int),
         "spec is a slice, not a StridedSliceSpec (StridedSliceSpec.from_index(index) makes one of a NumPy index)",
         value=np.s_[1:]),
    Case("cfg_c1", "show_config", (ssop.show_config, "json"), "mode is 'json', not 'stdout' or 'dicts'", value="json"),
    Case("cfg_c1", "show_config", (ssop.show_config, {"mode": 1}), "mode is 1, not 'stdout' or 'dicts'", value=1),
    Case("th_c1", "set_num_threads", (ssop.set_num_threads, 0), "n 0 is not in 1..64", value=0, allowed=(1, 64)),
    Case("th_c1", "set_num_threads", (ssop.set_num_threads, 65), "n 65 is not in 1..64", value=65, allowed=(1, 64)),
    Case("th_c1", "set_num_threads", (ssop.set_num_threads, 10**30),
         f"n {10**30} is not in 1..64", value=10**30, allowed=(1, 64)),
    Case("th_c2", "set_num_threads", (ssop.set_num_threads, "2"), "n is a str, not an integer", value="2"),
    Case("th_c2", "set_num_threads", (ssop.set_num_threads, True), "n is a bool, not an integer", value=True),
]  # fmt: skip

GRADIENTS = [
    Case(
        "vjp_c1",
        "vjp.broadcast",
        (ssop.vjp.broadcast, np.array(["a", "b"]), [], [2]),
        "elements of dtype <U1 cannot be added",
        value=np.dtype("U1"),
    ),
]

CASES = (
    INPUTS
    + STRIDED_SLICE
    + TENSORFLOW
    + DIALECTS
    + XLA
    + XLA_OPS
    + NUMBERS
    + SORTING
    + ELEMENT_WISE
    + DOTS
    + CONVOLUTIONS
    + WINDOW_CASES
    + XLA_CONTROL
    + GATHERING
    + CONVERSIONS
    + INSPECTIONS
    + VALUES
    + GRADIENTS
    + SHAPES
    + CONTEXTS
)
