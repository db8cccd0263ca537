/* ssop.slice, and its region without data. */
#include "take_op.h"

typedef struct {
    int64_t start[SSOP_MAX_RANK], limit[SSOP_MAX_RANK], stride[SSOP_MAX_RANK];
    ssop_slice_spec spec;
} slice_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    slice_arguments *into = arguments;
    into->spec = (ssop_slice_spec){.start = into->start, .limit = into->limit};
    into->spec.start_count = args_read_vector(call, "start_indices", found[0], into->start, SSOP_MAX_RANK);
    if (into->spec.start_count < 0) {
        return -1;
    }
    into->spec.limit_count = args_read_vector(call, "limit_indices", found[1], into->limit, SSOP_MAX_RANK);
    if (into->spec.limit_count < 0) {
        return -1;
    }
    if (args_given(found[2])) {
        into->spec.stride = into->stride;
        into->spec.stride_count = args_read_vector(call, "strides", found[2], into->stride, SSOP_MAX_RANK);
    }
    return into->spec.stride_count < 0 ? -1 : 0;
}

static ssop_status
resolve_arguments(const void *arguments, int32_t rank, const int64_t *dims, ssop_region *region, ssop_error *error)
{
    return ssop_slice_resolve(&((const slice_arguments *)arguments)->spec, (ssop_shape){rank, dims}, region, error);
}

static const take_op slice_op = {
    {"slice", 5, 4, 3, {ARG_OPERAND, ARG_START_INDICES, ARG_LIMIT_INDICES, ARG_STRIDES, ARG_OUT}},
    read_arguments,
    resolve_arguments,
};

PyObject *
py_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    slice_arguments arguments;
    return take_op_run(&slice_op, &arguments, module, args, positional, kwnames);
}

const char py_slice_doc[] =
    "slice($module, /, operand, start_indices, limit_indices, strides=None, *,\n"
    "      out=None)\n"
    "--\n\n"
    "XLA's Slice: explicit bounds per axis, checked and never adjusted, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "start_indices, limit_indices : sequences of one integer per axis, in elements\n"
    "    0 <= start <= limit <= dim.\n"
    "strides : sequence of one positive integer per axis, in elements, optional\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`. Axis k has length\n"
    "    ceil((limit - start) / stride).\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (sl_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics and shape inference; StableHLO `slice`.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.slice(np.arange(12).reshape(4, 3), [2, 1], [4, 3])\n"
    "array([[ 7,  8],\n"
    "       [10, 11]])\n";

PyObject *
py_slice_region(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    slice_arguments arguments;
    return take_op_region(&slice_op, &arguments, module, args, positional, kwnames);
}

const char py_slice_region_doc[] =
    "slice_region($module, /, shape, start_indices, limit_indices, strides=None)\n"
    "--\n\n"
    "The Region that slice takes of an operand of this shape.";
