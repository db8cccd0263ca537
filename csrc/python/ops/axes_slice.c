/* Slices of named axes: ssop.openvino.slice and ssop.onnx.slice. */
#include "../args.h"
#include "../docs.h"
#include "../options.h"
#include "../take.h"

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
    return ssop_axes_slice_resolve(&spec, shape, given->dialect, region, error);
}

static int
read_openvino(const call_context *call, PyObject *const *found, void *arguments)
{
    axes_slice_arguments *into = arguments;
    into->dialect = &ssop_openvino_slice;
    return args_read_list(call, "start", found[1], SSOP_MAX_ENTRIES, &into->start) < 0 ||
                   args_read_list(call, "stop", found[2], SSOP_MAX_ENTRIES, &into->stop) < 0 ||
                   args_read_list(call, "step", found[3], SSOP_MAX_ENTRIES, &into->step) < 0
             ? -1
             : args_read_optional_list(call, "axes", found[4], SSOP_MAX_ENTRIES, &into->axes);
}

static int
read_onnx(const call_context *call, PyObject *const *found, void *arguments)
{
    static const char *const engines[] = {"spec", "reference", "ort", NULL};
    static const ssop_axes_dialect *const dialects[] = {&ssop_onnx_slice, &ssop_onnx_reference_slice,
                                                        &ssop_onnxruntime_slice};
    axes_slice_arguments *into = arguments;
    int engine = args_read_choice(call, "engine", found[5], engines, SSOP_ONX_C7);
    if (engine < 0 || args_read_list(call, "starts", found[1], SSOP_MAX_ENTRIES, &into->start) < 0 ||
        args_read_list(call, "ends", found[2], SSOP_MAX_ENTRIES, &into->stop) < 0 ||
        args_read_optional_list(call, "axes", found[3], SSOP_MAX_ENTRIES, &into->axes) < 0) {
        return -1;
    }
    into->dialect = dialects[engine];
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

const char py_openvino_slice_doc[] =
    "slice($module, /, data, start, stop, step, axes=None, *, out=None)\n--\n\n"
    "OpenVINO's Slice-8: slices of some axes, as a new array.\n\n" DOC_PARAMETERS
    "data : array_like of at least one axis, any dtype\n"
    "start, stop, step : sequences of n <= rank integers, in elements\n"
    "    As in ssop.openvino.strided_slice.\n"
    "axes : sequence of n different axes, -rank..rank-1; None: 0, 1, .. n-1\n"
    "    Axes that are not named are taken whole.\n" DOC_OUT DOC_NEW_OR_OUT "\n\n" DOC_RAISES
    "ovs_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: OpenVINO's Slice-8, its shape inference.\n\n" DOC_EXAMPLES
    ">>> ssop.openvino.slice(np.arange(12).reshape(3, 4), [-1], [-99], [-2], axes=[1])\n"
    "array([[ 3,  1],\n"
    "       [ 7,  5],\n"
    "       [11,  9]])\n";

const char py_onnx_slice_doc[] =
    "slice($module, /, data, starts, ends, axes=None, steps=None, *, engine='spec',\n"
    "      out=None)\n--\n\n"
    "ONNX's Slice: slices of some axes, as a new array.\n\n" DOC_PARAMETERS
    "data : array_like, any shape and dtype\n"
    "starts, ends : sequences of n integers, in elements\n"
    "    Negative ones count from the end; those outside are clamped.\n"
    "axes : sequence of n different axes, -rank..rank-1; None: 0, 1, .. n-1\n"
    "    Axes that are not named are taken whole.\n"
    "steps : sequence of n integers, none 0; None: all ones\n"
    "engine : 'spec', the operator's text; 'reference', the onnx package's reference\n"
    "    evaluator; 'ort', ONNX Runtime. They differ for starts below -dim with a\n"
    "    negative step, for ends that are the greatest int32 or int64, and in what\n"
    "    they refuse.\n" DOC_OUT DOC_NEW_OR_OUT "\n\n" DOC_RAISES
    "onx_*, onr_*, ort_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: ONNX's operator text and shape inference, onnx.reference, ONNX Runtime.\n\n" DOC_EXAMPLES
    ">>> x = np.arange(5)\n"
    ">>> [ssop.onnx.slice(x, [-9], [-9], steps=[-1], engine=e).tolist() for e in ('spec', 'reference', 'ort')]\n"
    "[[0], [], [0]]\n"
    ">>> [ssop.onnx.slice(x, [3], [2**31 - 1], steps=[-1], engine=e).tolist() for e in ('spec', 'reference', 'ort')]\n"
    "[[], [], [3, 2, 1, 0]]\n";
