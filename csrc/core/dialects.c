/* The record of each framework: the flags of what it does differently, and the rules that its errors name. */
#include "common.h"

/* ---- StridedSlice ------------------------------------------------------------------------------------------------ */

static const ssop_dialect_rules tensorflow_rules = {
    .lengths = SSOP_SS_C1,
    .max_entries = SSOP_SS_C2,
    .ellipses = SSOP_SS_C3,
    .no_axis = SSOP_SS_C4,
    .zero_step = SSOP_SS_C5,
    .shrunk_step = SSOP_SS_C6,
    .shrunk_index = SSOP_SS_C7,
};

const ssop_dialect ssop_dialect_tensorflow = {
    .rules = &tensorflow_rules,
    .max_entries = 31,
    .spare_bits_count = true,
    .infers_whole_vectors = true,
};

static const ssop_dialect_rules tflite_rules = {
    .lengths = SSOP_TFL_C1,
    .max_entries = SSOP_TFL_C2,
    .ellipses = SSOP_TFL_C3,
    .no_axis = SSOP_TFL_C4,
    .zero_step = SSOP_TFL_C5,
    .shrunk_step = SSOP_TFL_C6,
    .shrunk_index = SSOP_TFL_C7,
    .offset_layout = SSOP_TFL_C8,
    .offset_window = SSOP_TFL_C9,
};

#define TFLITE                                                                                                         \
    .rules = &tflite_rules, .max_entries = 31, .ellipsis_takes_one = true, .drops_spare_entries = true,                \
    .shrink_reads_begin_mask = true, .shrink_clamps_below = true

const ssop_dialect ssop_dialect_tflite = {TFLITE};
const ssop_dialect ssop_dialect_tflite_offset = {TFLITE, .end_is_offset = true};

static const ssop_dialect_rules openvino_rules = {
    .lengths = SSOP_OV_C3,
    .max_entries = SSOP_OV_C9,
    .ellipses = SSOP_OV_C5,
    .no_axis = SSOP_OV_C6,
    .zero_step = SSOP_OV_C7,
    .shrunk_index = SSOP_OV_C8,
};

const ssop_dialect ssop_dialect_openvino = {
    .rules = &openvino_rules,
    .max_entries = SSOP_MAX_ENTRIES,
    .shrink_ignores_step = true,
    .reverse_clamps_begin_first = true,
};

/* ---- Slice, by begin and size ------------------------------------------------------------------------------------ */

const ssop_size_dialect ssop_tensorflow_slice = {
    .lengths = SSOP_TSL_C1,
    .begin = SSOP_TSL_C2,
    .negative_size = SSOP_TSL_C3,
    .size = SSOP_TSL_C3,
    .infers_whole_vectors = true,
};

const ssop_size_dialect ssop_tflite_slice = {
    .lengths = SSOP_TFS_C1,
    .begin = SSOP_TFS_C2,
    .negative_size = SSOP_TFS_C3,
    .size = SSOP_TFS_C4,
};

/* ---- slices of named axes ---------------------------------------------------------------------------------------- */

static const ssop_dialect_rules openvino_slice_rules = {.zero_step = SSOP_OVS_C7};
static const ssop_dialect openvino_range = {.rules = &openvino_slice_rules, .reverse_clamps_begin_first = true};

const ssop_axes_dialect ssop_openvino_slice = {
    .range = &openvino_range,
    .scalar = SSOP_OVS_C1,
    .lengths = SSOP_OVS_C2,
    .step_length = SSOP_OVS_C2,
    .axes_length = SSOP_OVS_C3,
    .max_entries = SSOP_OVS_C4,
    .axis = SSOP_OVS_C5,
    .axis_twice = SSOP_OVS_C6,
};

static const ssop_dialect_rules onnx_rules = {.zero_step = SSOP_ONX_C6};
static const ssop_dialect onnx_range = {.rules = &onnx_rules, .reverse_clamps_begin_first = true};

const ssop_axes_dialect ssop_onnx_slice = {
    .range = &onnx_range,
    .lengths = SSOP_ONX_C1,
    .axes_length = SSOP_ONX_C2,
    .step_length = SSOP_ONX_C3,
    .axis = SSOP_ONX_C4,
    .axis_twice = SSOP_ONX_C5,
};

static const ssop_dialect_rules onnx_reference_rules = {.zero_step = SSOP_ONR_C2};
static const ssop_dialect onnx_reference_range = {.rules = &onnx_reference_rules};

const ssop_axes_dialect ssop_onnx_reference_slice = {
    .range = &onnx_reference_range,
    .zips = true,
    .max_length = SSOP_ONR_C4,
    .max_entries = SSOP_ONR_C3,
    .axis = SSOP_ONR_C1,
};

static const ssop_dialect_rules onnxruntime_rules = {.zero_step = SSOP_ORT_C7};
static const ssop_dialect onnxruntime_range = {
    .rules = &onnxruntime_rules,
    .reverse_clamps_begin_first = true,
    .max_end_is_open = true,
};

const ssop_axes_dialect ssop_onnxruntime_slice = {
    .range = &onnxruntime_range,
    .scalar = SSOP_ORT_C1,
    .lengths = SSOP_ORT_C2,
    .axes_length = SSOP_ORT_C3,
    .step_length = SSOP_ORT_C4,
    .axis = SSOP_ORT_C5,
    .axis_twice = SSOP_ORT_C6,
};
