/* Slices of named axes: ssop.openvino.slice and ssop.onnx.slice; and the shapes that they give. */
#include "../args.h"
#include "../intervals.h"
#include "../options.h"
#include "../region_op.h"
#include "infer.h"

typedef struct {
    const ssop_axes_dialect *dialect;
    args_list start, stop, step, axes;
} axes_slice_arguments;

static ssop_status
resolve_arguments(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    const axes_slice_arguments *given = arguments;
    const ssop_axes_slice_spec spec = {
        .start_count = given->start.count,
        .stop_count = given->stop.count,
        .step_count = given->step.count,
        .axes_count = given->axes.count,
        .start = given->start.list,
        .stop = given->stop.list,
        .step = given->step.list,
        .axes = given->axes.list,
    };
    return ssop_axes_slice_resolve(&spec, shape, given->dialect, region, NULL, error);
}

static int
read_openvino(const call_context *call, PyObject *const *found, void *arguments)
{
    axes_slice_arguments *into = arguments;
    into->dialect = &ssop_openvino_slice;
    int32_extremes extremes = {.name = {"start", "stop"}};
    call_context bounds = *call;
    bounds.extremes = &extremes;
    if (args_read_list(&bounds, "start", found[1], SSOP_MAX_ENTRIES, &into->start) < 0 ||
        args_read_list(&bounds, "stop", found[2], SSOP_MAX_ENTRIES, &into->stop) < 0 ||
        args_read_list(call, "step", found[3], SSOP_MAX_ENTRIES, &into->step) < 0) {
        return -1;
    }
    args_open_extremes(&extremes, 0, into->start.count, NULL, NULL, into->start.value);
    args_open_extremes(&extremes, 1, into->stop.count, NULL, NULL, into->stop.value);
    return args_read_optional_list(call, "axes", found[4], SSOP_MAX_ENTRIES, &into->axes);
}

/* NULL on error. */
static const ssop_axes_dialect *
read_engine(const call_context *call, PyObject *object)
{
    static const char *const engines[] = {"spec", "reference", "ort", NULL};
    static const ssop_axes_dialect *const dialects[] = {&ssop_onnx_slice, &ssop_onnx_reference_slice,
                                                        &ssop_onnxruntime_slice};
    int engine = args_read_choice(call, "engine", object, engines, SSOP_ONX_C7);
    return engine >= 0 ? dialects[engine] : NULL;
}

static int
read_onnx(const call_context *call, PyObject *const *found, void *arguments)
{
    axes_slice_arguments *into = arguments;
    into->dialect = read_engine(call, found[5]);
    if (into->dialect == NULL || args_read_list(call, "starts", found[1], SSOP_MAX_ENTRIES, &into->start) < 0 ||
        args_read_list(call, "ends", found[2], SSOP_MAX_ENTRIES, &into->stop) < 0 ||
        args_read_optional_list(call, "axes", found[3], SSOP_MAX_ENTRIES, &into->axes) < 0) {
        return -1;
    }
    return args_read_optional_list(call, "steps", found[4], SSOP_MAX_ENTRIES, &into->step);
}

static const operation openvino_slice = {
    .name = "openvino.slice",
    .parameters = {PARAMETERS(ARG_DATA, ARG_START, ARG_STOP, ARG_STEP, ARG_AXES, ARG_OUT), .required = 4,
                   .keyword_only = 1},
    .read = read_openvino,
    .family = &region_family,
    .resolve.region = resolve_arguments,
};

static const operation onnx_slice = {
    .name = "onnx.slice",
    .parameters = {PARAMETERS(ARG_DATA, ARG_STARTS, ARG_ENDS, ARG_AXES, ARG_STEPS, ARG_ENGINE, ARG_OUT), .required = 3,
                   .keyword_only = 2},
    .read = read_onnx,
    .family = &region_family,
    .resolve.region = resolve_arguments,
};

SSOP_METHODS_OF(openvino_slice, openvino_slice_region, openvino_slice, axes_slice_arguments)
SSOP_METHODS_OF(onnx_slice, onnx_slice_region, onnx_slice, axes_slice_arguments)

/* ---- of a shape that is known in part ---------------------------------------------------------------------------- */

typedef struct {
    const ssop_axes_dialect *dialect;
    interval_list start, stop, step;
    args_list axes;
} partial_arguments;

static ssop_status
infer_arguments(const void *arguments, ssop_inference *inference, const ssop_partial_shape *shape,
                ssop_partial_shape *out, ssop_error *error)
{
    const partial_arguments *given = arguments;
    const ssop_partial_axes_slice_spec spec = {
        .start_count = given->start.count,
        .stop_count = given->stop.count,
        .step_count = given->step.count,
        .axes_count = given->axes.count,
        .start = given->start.list,
        .stop = given->stop.list,
        .step = given->step.list,
        .axes = given->axes.list,
    };
    return ssop_axes_slice_infer(inference, &spec, shape, given->dialect, out, error);
}

static int
read_partial_openvino(const call_context *call, PyObject *const *found, void *arguments)
{
    partial_arguments *into = arguments;
    into->dialect = &ssop_openvino_slice;
    int32_extremes extremes = {.name = {"start", "stop"}};
    call_context bounds = *call;
    bounds.extremes = &extremes;
    if (intervals_read_list(&bounds, "start", found[1], &into->start) < 0 ||
        intervals_read_list(&bounds, "stop", found[2], &into->stop) < 0 ||
        intervals_read_list(call, "step", found[3], &into->step) < 0) {
        return -1;
    }
    args_open_extremes(&extremes, 0, into->start.count, NULL, into->start.value, NULL);
    args_open_extremes(&extremes, 1, into->stop.count, NULL, into->stop.value, NULL);
    return args_read_optional_list(call, "axes", found[4], SSOP_MAX_ENTRIES, &into->axes);
}

static int
read_partial_onnx(const call_context *call, PyObject *const *found, void *arguments)
{
    partial_arguments *into = arguments;
    into->dialect = read_engine(call, found[5]);
    return into->dialect == NULL || intervals_read_list(call, "starts", found[1], &into->start) < 0 ||
                   intervals_read_list(call, "ends", found[2], &into->stop) < 0 ||
                   args_read_optional_list(call, "axes", found[3], SSOP_MAX_ENTRIES, &into->axes) < 0
             ? -1
             : intervals_read_optional_list(call, "steps", found[4], &into->step);
}

static const inferred_slice inferred_openvino = {
    .name = "openvino.slice",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_START, ARG_STOP, ARG_STEP, ARG_AXES, ARG_MODE), .required = 4,
                   .keyword_only = 1},
    .arguments_bytes = sizeof(partial_arguments),
    .read = read_partial_openvino,
    .infer = infer_arguments,
};

static const inferred_slice inferred_onnx = {
    .name = "onnx.slice",
    .parameters = {PARAMETERS(ARG_SHAPE, ARG_STARTS, ARG_ENDS, ARG_AXES, ARG_STEPS, ARG_ENGINE, ARG_MODE),
                   .required = 3, .keyword_only = 2},
    .arguments_bytes = sizeof(partial_arguments),
    .read = read_partial_onnx,
    .infer = infer_arguments,
};

SSOP_INFERRED_SLICE(infer_openvino_slice, inferred_openvino)
SSOP_INFERRED_SLICE(infer_onnx_slice, inferred_onnx)
