/* ssop.dynamic_slice, and its regions without data. */
#include "ndarray.h"
#include "window.h"
#include "window_args.h"

/* Sizes after window_args_read; `found` points at slice_sizes. */
static int
read_sizes(const call_context *call, PyObject *slice_sizes, window_arguments *into)
{
    into->spec.size_count = args_read_vector(call, "slice_sizes", slice_sizes, into->size, SSOP_MAX_RANK);
    return into->spec.size_count < 0 ? -1 : 0;
}

/* Apart from the caller, whose frame stands on the stack while user code runs. */
static SSOP_NOINLINE PyObject *
take_window(const call_context *call, PyArrayObject *operand, window_arguments *arguments, PyObject *out)
{
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(operand, dims);
    ssop_window window;
    if (window_args_resolve(call, arguments, ssop_dynamic_slice_resolve, rank, dims, &window) < 0) {
        return NULL;
    }
    return window_take(call, operand, &window, -1, out);
}

PyObject *
py_dynamic_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "dynamic_slice",
        6,
        3,
        3,
        {ARG_OPERAND, ARG_START_INDICES, ARG_SLICE_SIZES, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT}};
    call_context call = {.state = state_of(module), .op = "dynamic_slice"};
    PyObject *found[MAX_ARGUMENTS];
    window_arguments arguments;
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (window_args_read(&call, found[1], found[3], found[4], &arguments) < 0 ||
        read_sizes(&call, found[2], &arguments) < 0) {
        return NULL;
    }
    PyArrayObject *operand = ndarray_operand(found[0]);
    if (operand == NULL) {
        return NULL;
    }
    PyObject *result = take_window(&call, operand, &arguments, found[5]);
    Py_DECREF(operand);
    return result;
}

const char py_dynamic_slice_doc[] =
    "dynamic_slice($module, /, operand, start_indices, slice_sizes, *,\n"
    "              out_of_bounds='clamp', allow_negative_indices=False, out=None)\n"
    "--\n\n"
    "XLA's DynamicSlice: a window of fixed size, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "start_indices : sequence of one integer per axis, in elements\n"
    "slice_sizes : sequence of one integer per axis, 0 <= size <= dim\n"
    "out_of_bounds : what happens to a window that does not fit\n"
    "    'clamp' moves it inside (XLA), 'wrap' takes element (start + i) mod dim\n"
    "    (XLA before May 2018), 'raise' raises SliceIndexError.\n"
    "allow_negative_indices : bool, or one bool per axis\n"
    "    A negative start has the dim added once, first (JAX's default).\n"
    "out : numpy.ndarray of shape slice_sizes and the operand's dtype, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of shape slice_sizes; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `dynamic_slice`.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.dynamic_slice(np.arange(8), [6], [4])\n"
    "array([4, 5, 6, 7])\n"
    ">>> ssop.dynamic_slice(np.arange(8), [6], [4], out_of_bounds='wrap')\n"
    "array([6, 7, 0, 1])\n";

PyObject *
py_dynamic_slice_regions(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "dynamic_slice_regions",
        5,
        3,
        3,
        {ARG_SHAPE, ARG_START_INDICES, ARG_SLICE_SIZES, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES}};
    call_context call = {.state = state_of(module), .op = "dynamic_slice"};
    PyObject *found[MAX_ARGUMENTS];
    window_arguments arguments;
    ssop_window window;
    int64_t dims[SSOP_MAX_RANK];
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0 ||
        window_args_read(&call, found[1], found[3], found[4], &arguments) < 0 ||
        read_sizes(&call, found[2], &arguments) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    if (rank < 0 || window_args_resolve(&call, &arguments, ssop_dynamic_slice_resolve, rank, dims, &window) < 0) {
        return NULL;
    }
    return window_regions(call.state, &window, dims);
}

const char py_dynamic_slice_regions_doc[] =
    "dynamic_slice_regions($module, /, shape, start_indices, slice_sizes, *,\n"
    "                      out_of_bounds='clamp', allow_negative_indices=False)\n"
    "--\n\n"
    "The Regions that dynamic_slice takes of an operand of this shape: one, or several where it wraps.";
