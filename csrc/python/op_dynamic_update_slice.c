/* ssop.dynamic_update_slice, and its regions without data. */
#include "ndarray.h"
#include "window.h"
#include "window_args.h"

/* Operand and update are arrays now. Apart from the caller, whose frame stands on the stack while user code runs. */
static SSOP_NOINLINE PyObject *
update_window(const call_context *call, PyArrayObject *operand, PyArrayObject *update, window_arguments *arguments,
              PyObject *out)
{
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(operand, dims);
    ssop_window window;
    arguments->spec.size_count = ndarray_dims(update, arguments->size);
    if (window_args_resolve(call, arguments, ssop_dynamic_update_slice_resolve, rank, dims, &window) < 0) {
        return NULL;
    }
    return window_update(call, operand, update, &window, -1, out);
}

PyObject *
py_dynamic_update_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "dynamic_update_slice",
        6,
        3,
        3,
        {ARG_OPERAND, ARG_UPDATE, ARG_START_INDICES, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT}};
    call_context call = {.state = state_of(module), .op = "dynamic_update_slice"};
    PyObject *found[MAX_ARGUMENTS];
    window_arguments arguments;
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0]) || !ndarray_is_ours(found[1])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (window_args_read(&call, found[2], found[3], found[4], &arguments) < 0) {
        return NULL;
    }
    PyArrayObject *operand = ndarray_operand(found[0]);
    if (operand == NULL) {
        return NULL;
    }
    PyArrayObject *update = ndarray_value(&call, found[1], operand, SSOP_DUS_C4);
    PyObject *result = update != NULL ? update_window(&call, operand, update, &arguments, found[5]) : NULL;
    Py_XDECREF(update);
    Py_DECREF(operand);
    return result;
}

const char py_dynamic_update_slice_doc[] =
    "dynamic_update_slice($module, /, operand, update, start_indices, *,\n"
    "                     out_of_bounds='clamp', allow_negative_indices=False,\n"
    "                     out=None)\n"
    "--\n\n"
    "XLA's DynamicUpdateSlice: the operand with a window replaced, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "update : array_like of the operand's rank, nowhere larger than it\n"
    "    An array must have the operand's dtype; scalars and lists are converted.\n"
    "start_indices : sequence of one integer per axis, in elements\n"
    "out_of_bounds, allow_negative_indices : as for dynamic_slice\n"
    "out : numpy.ndarray of the operand's shape and dtype, optional\n"
    "    May be the operand itself: then only the window is written.\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (dus_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics; StableHLO `dynamic_update_slice`.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.dynamic_update_slice(np.zeros((2, 4), int), [[1, 2]], [1, 9])\n"
    "array([[0, 0, 0, 0],\n"
    "       [0, 0, 1, 2]])\n";

PyObject *
py_dynamic_update_slice_regions(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "dynamic_update_slice_regions",
        5,
        3,
        3,
        {ARG_SHAPE, ARG_UPDATE_SHAPE, ARG_START_INDICES, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES}};
    call_context call = {.state = state_of(module), .op = "dynamic_update_slice"};
    PyObject *found[MAX_ARGUMENTS];
    window_arguments arguments;
    ssop_window window;
    int64_t dims[SSOP_MAX_RANK];
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0 ||
        window_args_read(&call, found[2], found[3], found[4], &arguments) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    arguments.spec.size_count = rank < 0 ? -1 : args_read_shape(&call, "update_shape", found[1], arguments.size);
    if (arguments.spec.size_count < 0 ||
        window_args_resolve(&call, &arguments, ssop_dynamic_update_slice_resolve, rank, dims, &window) < 0) {
        return NULL;
    }
    return window_regions(call.state, &window, dims);
}

const char py_dynamic_update_slice_regions_doc[] =
    "dynamic_update_slice_regions($module, /, shape, update_shape, start_indices, *,\n"
    "                             out_of_bounds='clamp', allow_negative_indices=False)\n"
    "--\n\n"
    "The Regions of an operand of this shape that dynamic_update_slice writes.";
