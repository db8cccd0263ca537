/* Slices of named axes: ssop.openvino.slice and ssop.onnx.slice. */
#include "take_op.h"

typedef struct {
    const ssop_axes_dialect *dialect;
    int64_t start[SSOP_MAX_ENTRIES], stop[SSOP_MAX_ENTRIES], step[SSOP_MAX_ENTRIES], axes[SSOP_MAX_ENTRIES];
    ssop_axes_slice_spec spec;
} axes_slice_arguments;

static ssop_status
resolve_arguments(const void *arguments, int32_t rank, const int64_t *dims, ssop_region *region, ssop_error *error)
{
    const axes_slice_arguments *given = arguments;
    return ssop_axes_slice_resolve(&given->spec, (ssop_shape){rank, dims}, given->dialect, region, error);
}

static int
read_required(const call_context *call, const char *name, PyObject *object, int64_t *values, int64_t *count)
{
    *count = args_read_vector(call, name, object, values, SSOP_MAX_ENTRIES);
    return *count < 0 ? -1 : 0;
}

/* A list that was not given stays NULL. */
static int
read_optional(const call_context *call, const char *name, PyObject *object, int64_t *values, int64_t *count,
              const int64_t **list)
{
    if (!args_given(object)) {
        return 0;
    }
    *list = values;
    return read_required(call, name, object, values, count);
}

static int
read_openvino(const call_context *call, PyObject *const *found, void *arguments)
{
    axes_slice_arguments *into = arguments;
    into->dialect = &ssop_openvino_slice;
    into->spec = (ssop_axes_slice_spec){.start = into->start, .stop = into->stop, .step = into->step};
    ssop_axes_slice_spec *spec = &into->spec;
    return read_required(call, "start", found[0], into->start, &spec->start_count) < 0 ||
                   read_required(call, "stop", found[1], into->stop, &spec->stop_count) < 0 ||
                   read_required(call, "step", found[2], into->step, &spec->step_count) < 0
             ? -1
             : read_optional(call, "axes", found[3], into->axes, &spec->axes_count, &spec->axes);
}

static int
read_onnx(const call_context *call, PyObject *const *found, void *arguments)
{
    static const char *const engines[] = {"spec", "reference", "ort", NULL};
    static const ssop_axes_dialect *const dialects[] = {&ssop_onnx_slice, &ssop_onnx_reference_slice,
                                                        &ssop_onnxruntime_slice};
    axes_slice_arguments *into = arguments;
    into->spec = (ssop_axes_slice_spec){.start = into->start, .stop = into->stop};
    ssop_axes_slice_spec *spec = &into->spec;
    int engine = args_read_choice(call, "engine", found[4], engines, SSOP_ONX_C7);
    if (engine < 0 || read_required(call, "starts", found[0], into->start, &spec->start_count) < 0 ||
        read_required(call, "ends", found[1], into->stop, &spec->stop_count) < 0 ||
        read_optional(call, "axes", found[2], into->axes, &spec->axes_count, &spec->axes) < 0 ||
        read_optional(call, "steps", found[3], into->step, &spec->step_count, &spec->step) < 0) {
        return -1;
    }
    into->dialect = dialects[engine];
    return 0;
}

static const take_op openvino_slice_op = {
    {"openvino.slice", 6, 5, 4, {ARG_DATA, ARG_START, ARG_STOP, ARG_STEP, ARG_AXES, ARG_OUT}},
    read_openvino,
    resolve_arguments,
};

static const take_op onnx_slice_op = {
    {"onnx.slice", 7, 5, 3, {ARG_DATA, ARG_STARTS, ARG_ENDS, ARG_AXES, ARG_STEPS, ARG_ENGINE, ARG_OUT}},
    read_onnx,
    resolve_arguments,
};

PyObject *
py_openvino_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    axes_slice_arguments arguments;
    return take_op_run(&openvino_slice_op, &arguments, module, args, positional, kwnames);
}

const char py_openvino_slice_doc[] =
    "slice($module, /, data, start, stop, step, axes=None, *, out=None)\n"
    "--\n\n"
    "OpenVINO's Slice-8: slices of some axes, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "data : array_like of at least one axis, any dtype\n"
    "start, stop, step : sequences of n <= rank integers, in elements\n"
    "    As in ssop.openvino.strided_slice.\n"
    "axes : sequence of n different axes, -rank..rank-1; None: 0, 1, .. n-1\n"
    "    Axes that are not named are taken whole.\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (ovs_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: OpenVINO's Slice-8, its shape inference.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.openvino.slice(np.arange(12).reshape(3, 4), [-1], [-99], [-2], axes=[1])\n"
    "array([[ 3,  1],\n"
    "       [ 7,  5],\n"
    "       [11,  9]])\n";

PyObject *
py_openvino_slice_region(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    axes_slice_arguments arguments;
    return take_op_region(&openvino_slice_op, &arguments, module, args, positional, kwnames);
}

const char py_openvino_slice_region_doc[] =
    "openvino_slice_region($module, /, shape, start, stop, step, axes=None)\n"
    "--\n\n"
    "The Region that ssop.openvino.slice takes of an input of this shape.";

PyObject *
py_onnx_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    axes_slice_arguments arguments;
    return take_op_run(&onnx_slice_op, &arguments, module, args, positional, kwnames);
}

const char py_onnx_slice_doc[] =
    "slice($module, /, data, starts, ends, axes=None, steps=None, *, engine='spec',\n"
    "      out=None)\n"
    "--\n\n"
    "ONNX's Slice: slices of some axes, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "data : array_like, any shape and dtype\n"
    "starts, ends : sequences of n integers, in elements\n"
    "    Negative ones count from the end; those outside are clamped.\n"
    "axes : sequence of n different axes, -rank..rank-1; None: 0, 1, .. n-1\n"
    "    Axes that are not named are taken whole.\n"
    "steps : sequence of n integers, none 0; None: all ones\n"
    "engine : 'spec', the operator's text; 'reference', the onnx package's reference\n"
    "    evaluator; 'ort', ONNX Runtime. They differ for starts below -dim with a\n"
    "    negative step, for ends that are the greatest int32 or int64, and in what\n"
    "    they refuse.\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (onx_*, onr_*, ort_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: ONNX's operator text and shape inference, onnx.reference, ONNX Runtime.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> x = np.arange(5)\n"
    ">>> [ssop.onnx.slice(x, [-9], [-9], steps=[-1], engine=e).tolist() for e in ('spec', 'reference', 'ort')]\n"
    "[[0], [], [0]]\n"
    ">>> [ssop.onnx.slice(x, [3], [2**31 - 1], steps=[-1], engine=e).tolist() for e in ('spec', 'reference', 'ort')]\n"
    "[[], [], [3, 2, 1, 0]]\n";

PyObject *
py_onnx_slice_region(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    axes_slice_arguments arguments;
    return take_op_region(&onnx_slice_op, &arguments, module, args, positional, kwnames);
}

const char py_onnx_slice_region_doc[] =
    "onnx_slice_region($module, /, shape, starts, ends, axes=None, steps=None, *,\n"
    "                  engine='spec')\n"
    "--\n\n"
    "The Region that ssop.onnx.slice takes of an input of this shape.";
