/* ssop.slice, and its region without data. */
#include "args.h"
#include "errors.h"
#include "ndarray.h"
#include "region.h"

typedef struct {
    int64_t start[SSOP_MAX_RANK], limit[SSOP_MAX_RANK], stride[SSOP_MAX_RANK];
    ssop_slice_spec spec;
} slice_arguments;

/* `found` points at start_indices. */
static int
read_arguments(const call_context *call, PyObject *const *found, slice_arguments *into)
{
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

PyObject *
py_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "slice", 5, 4, 3, {ARG_OPERAND, ARG_START_INDICES, ARG_LIMIT_INDICES, ARG_STRIDES, ARG_OUT}};
    call_context call = {.state = state_of(module), .op = "slice"};
    PyObject *found[MAX_ARGUMENTS];
    slice_arguments arguments;
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (read_arguments(&call, found + 1, &arguments) < 0) {
        return NULL;
    }
    PyArrayObject *operand = ndarray_operand(found[0]);
    if (operand == NULL) {
        return NULL;
    }
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(operand, dims);
    ssop_region region;
    ssop_error error;
    PyObject *result = NULL;
    if (ssop_slice_resolve(&arguments.spec, rank, dims, &region, &error) != SSOP_OK) {
        errors_raise(&call, &error, NULL);
    }
    else {
        result = ndarray_take(&call, operand, &region, found[4]);
    }
    Py_DECREF(operand);
    return result;
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
    static const args_signature signature = {
        "slice_region", 4, 4, 3, {ARG_SHAPE, ARG_START_INDICES, ARG_LIMIT_INDICES, ARG_STRIDES}};
    call_context call = {.state = state_of(module), .op = "slice"};
    PyObject *found[MAX_ARGUMENTS];
    slice_arguments arguments;
    int64_t dims[SSOP_MAX_RANK];
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0 ||
        read_arguments(&call, found + 1, &arguments) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    if (rank < 0) {
        return NULL;
    }
    ssop_region region;
    ssop_error error;
    if (ssop_slice_resolve(&arguments.spec, rank, dims, &region, &error) != SSOP_OK) {
        return errors_raise(&call, &error, NULL);
    }
    return region_new(call.state, &region, dims);
}

const char py_slice_region_doc[] =
    "slice_region($module, /, shape, start_indices, limit_indices, strides=None)\n"
    "--\n\n"
    "The Region that slice takes of an operand of this shape.";
