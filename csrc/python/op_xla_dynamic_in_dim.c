/* The one-axis forms of dynamic_slice and dynamic_update_slice in ssop.xla; and their regions without data. */
#include "errors.h"
#include "ndarray.h"
#include "region.h"
#include "window.h"
#include "window_args.h"

/* ---- reading -------------------------------------------------------------------------------------------------------- */

static int
read_policy(const call_context *call, PyObject *out_of_bounds, PyObject *allow_negative_indices,
            ssop_window_in_dim_spec *into)
{
    return window_args_policy(call, out_of_bounds, &into->out_of_bounds) < 0
             ? -1
             : args_read_flag(call, "allow_negative_indices", allow_negative_indices, false, &into->add_dim);
}

/* ---- taken ---------------------------------------------------------------------------------------------------------- */

/* The arguments of a form that takes; an index is a size of 1. */
typedef struct {
    ssop_window_in_dim_spec spec;
    bool keepdims;
} taken_window;

typedef int (*take_reader)(const call_context *call, PyObject *const *found, taken_window *into);

static int
read_slice(const call_context *call, PyObject *const *found, taken_window *into)
{
    into->keepdims = true;
    return args_read_start(call, "start_index", found[1], &into->spec.start) < 0 ||
                   args_read_integer(call, "slice_size", found[2], &into->spec.size) < 0 ||
                   args_read_optional(call, "axis", found[3], 0, &into->spec.axis) < 0 ||
                   read_policy(call, found[4], found[5], &into->spec) < 0
             ? -1
             : 0;
}

static int
read_index(const call_context *call, PyObject *const *found, taken_window *into)
{
    into->spec.size = 1;
    return args_read_start(call, "index", found[1], &into->spec.start) < 0 ||
                   args_read_optional(call, "axis", found[2], 0, &into->spec.axis) < 0 ||
                   args_read_flag(call, "keepdims", found[3], true, &into->keepdims) < 0 ||
                   read_policy(call, found[4], found[5], &into->spec) < 0
             ? -1
             : 0;
}

/* The window, and the axis that goes from the result, or -1 for none. */
static int
resolve_taken(const call_context *call, const taken_window *taken, int32_t rank, const int64_t *dims,
              ssop_window *window, int32_t *dropped)
{
    ssop_error error;
    if (ssop_dynamic_slice_in_dim_resolve(&taken->spec, (ssop_shape){rank, dims}, window, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    *dropped = taken->keepdims ? -1 : ssop_axis_resolve(taken->spec.axis, rank, NULL);
    return 0;
}

/* Apart from the caller, whose frame stands on the stack while user code runs. */
static SSOP_NOINLINE PyObject *
resolve_and_take(const call_context *call, const taken_window *taken, PyArrayObject *operand, PyObject *out)
{
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(operand, dims), dropped = -1;
    ssop_window window;
    return resolve_taken(call, taken, rank, dims, &window, &dropped) < 0
             ? NULL
             : window_take(call, operand, &window, dropped, out);
}

static PyObject *
run_take(const args_signature *signature, take_reader read, PyObject *module, PyObject *const *args,
         Py_ssize_t positional, PyObject *kwnames)
{
    call_context call = {.state = state_of(module), .op = signature->function};
    PyObject *found[MAX_ARGUMENTS];
    taken_window taken;
    if (args_parse(call.state, signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (read(&call, found, &taken) < 0) {
        return NULL;
    }
    PyArrayObject *operand = ndarray_operand(found[0]);
    if (operand == NULL) {
        return NULL;
    }
    PyObject *result = resolve_and_take(&call, &taken, operand, found[6]);
    Py_DECREF(operand);
    return result;
}

/* Like window_regions, with an output axis dropped where that was asked for: such a window is one region. */
static PyObject *
regions_of(const call_context *call, const taken_window *taken, int32_t rank, const int64_t *dims)
{
    ssop_window window;
    int32_t dropped = -1;
    if (resolve_taken(call, taken, rank, dims, &window, &dropped) < 0) {
        return NULL;
    }
    if (dropped < 0) {
        return window_regions(call->state, &window, dims);
    }
    const uint8_t first[SSOP_MAX_RANK] = {0};
    ssop_region of_operand, of_window;
    ssop_window_piece(&window, first, &of_operand, &of_window);
    ssop_region_drop_out_axis(&of_operand, dropped);
    PyObject *region = region_new(call->state, &of_operand, dims);
    PyObject *tuple = region != NULL ? PyTuple_Pack(1, region) : NULL;
    Py_XDECREF(region);
    return tuple;
}

static PyObject *
take_regions(const args_signature *signature, take_reader read, PyObject *module, PyObject *const *args,
             Py_ssize_t positional, PyObject *kwnames)
{
    args_signature without_data = *signature;
    without_data.name[0] = ARG_SHAPE;
    without_data.count--;
    call_context call = {.state = state_of(module), .op = signature->function};
    PyObject *found[MAX_ARGUMENTS];
    int64_t dims[SSOP_MAX_RANK];
    taken_window taken;
    if (args_parse(call.state, &without_data, args, positional, kwnames, found) < 0 || read(&call, found, &taken) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    return rank < 0 ? NULL : regions_of(&call, &taken, rank, dims);
}

static const args_signature slice_signature = {
    "xla.dynamic_slice_in_dim",
    7,
    4,
    3,
    {ARG_OPERAND, ARG_START_INDEX, ARG_SLICE_SIZE, ARG_AXIS, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT}};
static const args_signature index_signature = {
    "xla.dynamic_index_in_dim",
    7,
    4,
    2,
    {ARG_OPERAND, ARG_INDEX, ARG_AXIS, ARG_KEEPDIMS, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT}};

PyObject *
py_xla_dynamic_slice_in_dim(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    return run_take(&slice_signature, read_slice, module, args, positional, kwnames);
}

const char py_xla_dynamic_slice_in_dim_doc[] =
    "dynamic_slice_in_dim($module, /, operand, start_index, slice_size, axis=0, *,\n"
    "                     out_of_bounds='clamp', allow_negative_indices=False,\n"
    "                     out=None)\n"
    "--\n\n"
    "XLA's DynamicSlice of one axis, the others whole, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape but (), any dtype\n"
    "start_index : int, in elements\n"
    "slice_size : int, 0 <= size <= dim, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice\n"
    "allow_negative_indices : bool\n"
    "    A negative start has the dim added once, first (JAX's default).\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (dim_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.dynamic_slice_in_dim.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.dynamic_slice_in_dim(np.arange(8), 6, 4)\n"
    "array([4, 5, 6, 7])\n";

PyObject *
py_xla_dynamic_slice_in_dim_regions(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    return take_regions(&slice_signature, read_slice, module, args, positional, kwnames);
}

const char py_xla_dynamic_slice_in_dim_regions_doc[] =
    "xla_dynamic_slice_in_dim_regions($module, /, shape, start_index, slice_size,\n"
    "                                 axis=0, *, out_of_bounds='clamp',\n"
    "                                 allow_negative_indices=False)\n"
    "--\n\n"
    "The Regions that xla.dynamic_slice_in_dim takes of an operand of this shape.";

PyObject *
py_xla_dynamic_index_in_dim(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    return run_take(&index_signature, read_index, module, args, positional, kwnames);
}

const char py_xla_dynamic_index_in_dim_doc[] =
    "dynamic_index_in_dim($module, /, operand, index, axis=0, keepdims=True, *,\n"
    "                     out_of_bounds='clamp', allow_negative_indices=False,\n"
    "                     out=None)\n"
    "--\n\n"
    "XLA's DynamicSlice of one element of one axis, the others whole, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape but (), any dtype; the axis must not be empty\n"
    "index : int, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "keepdims : bool\n"
    "    False drops the axis; True keeps it with length 1.\n"
    "out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice\n"
    "allow_negative_indices : bool\n"
    "    A negative index has the dim added once, first (JAX's default).\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (dim_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.dynamic_index_in_dim.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.dynamic_index_in_dim(np.arange(12).reshape(3, 4), 9, keepdims=False)\n"
    "array([ 8,  9, 10, 11])\n";

PyObject *
py_xla_dynamic_index_in_dim_regions(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    return take_regions(&index_signature, read_index, module, args, positional, kwnames);
}

const char py_xla_dynamic_index_in_dim_regions_doc[] =
    "xla_dynamic_index_in_dim_regions($module, /, shape, index, axis=0,\n"
    "                                 keepdims=True, *, out_of_bounds='clamp',\n"
    "                                 allow_negative_indices=False)\n"
    "--\n\n"
    "The Regions that xla.dynamic_index_in_dim takes of an operand of this shape.";

/* ---- replaced ------------------------------------------------------------------------------------------------------- */

static int
read_update(const call_context *call, PyObject *const *found, const char *start_name, ssop_window_in_dim_spec *into)
{
    return args_read_start(call, start_name, found[2], &into->start) < 0 ||
                   args_read_optional(call, "axis", found[3], 0, &into->axis) < 0 ||
                   read_policy(call, found[4], found[5], into) < 0
             ? -1
             : 0;
}

/* `by_index`: the update may lack the axis, which `missing` then names. */
static int
resolve_update(const call_context *call, const ssop_window_in_dim_spec *spec, bool by_index, int32_t update_rank,
               const int64_t *update_dims, int32_t rank, const int64_t *dims, ssop_window *window, int32_t *missing)
{
    ssop_error error;
    *missing = -1;
    ssop_status status = by_index
                           ? ssop_dynamic_update_index_in_dim_resolve(spec, (ssop_shape){update_rank, update_dims},
                                                                      (ssop_shape){rank, dims}, window, missing, &error)
                           : ssop_dynamic_update_slice_in_dim_resolve(spec, (ssop_shape){update_rank, update_dims},
                                                                      (ssop_shape){rank, dims}, window, &error);
    if (status != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

/* Operand and update are arrays now. Apart from the caller, whose frame stands on the stack while user code runs. */
static SSOP_NOINLINE PyObject *
resolve_and_update(const call_context *call, const ssop_window_in_dim_spec *spec, bool by_index, PyArrayObject *operand,
                   PyArrayObject *update, PyObject *out)
{
    int64_t dims[SSOP_MAX_RANK], update_dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(operand, dims), update_rank = ndarray_dims(update, update_dims), missing;
    ssop_window window;
    return resolve_update(call, spec, by_index, update_rank, update_dims, rank, dims, &window, &missing) < 0
             ? NULL
             : window_update(call, operand, update, &window, missing, out);
}

static PyObject *
run_update(const args_signature *signature, bool by_index, PyObject *module, PyObject *const *args,
           Py_ssize_t positional, PyObject *kwnames)
{
    call_context call = {.state = state_of(module), .op = signature->function};
    PyObject *found[MAX_ARGUMENTS];
    ssop_window_in_dim_spec spec;
    if (args_parse(call.state, signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0]) || !ndarray_is_ours(found[1])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (read_update(&call, found, by_index ? "index" : "start_index", &spec) < 0) {
        return NULL;
    }
    PyArrayObject *operand = ndarray_operand(found[0]);
    if (operand == NULL) {
        return NULL;
    }
    PyArrayObject *update = ndarray_value(&call, found[1], operand, SSOP_DUS_C4);
    PyObject *result = update != NULL ? resolve_and_update(&call, &spec, by_index, operand, update, found[6]) : NULL;
    Py_XDECREF(update);
    Py_DECREF(operand);
    return result;
}

static PyObject *
update_regions(const args_signature *signature, bool by_index, PyObject *module, PyObject *const *args,
               Py_ssize_t positional, PyObject *kwnames)
{
    args_signature without_data = *signature;
    without_data.name[0] = ARG_SHAPE;
    without_data.name[1] = ARG_UPDATE_SHAPE;
    without_data.count--;
    call_context call = {.state = state_of(module), .op = signature->function};
    PyObject *found[MAX_ARGUMENTS];
    int64_t dims[SSOP_MAX_RANK], update_dims[SSOP_MAX_RANK];
    ssop_window_in_dim_spec spec;
    if (args_parse(call.state, &without_data, args, positional, kwnames, found) < 0 ||
        read_update(&call, found, by_index ? "index" : "start_index", &spec) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims), missing;
    int32_t update_rank = rank < 0 ? -1 : args_read_shape(&call, "update_shape", found[1], update_dims);
    ssop_window window;
    return update_rank < 0 ||
                   resolve_update(&call, &spec, by_index, update_rank, update_dims, rank, dims, &window, &missing) < 0
             ? NULL
             : window_regions(call.state, &window, dims);
}

static const args_signature update_slice_signature = {
    "xla.dynamic_update_slice_in_dim",
    7,
    4,
    4,
    {ARG_OPERAND, ARG_UPDATE, ARG_START_INDEX, ARG_AXIS, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT}};
static const args_signature update_index_signature = {
    "xla.dynamic_update_index_in_dim",
    7,
    4,
    4,
    {ARG_OPERAND, ARG_UPDATE, ARG_INDEX, ARG_AXIS, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT}};

PyObject *
py_xla_dynamic_update_slice_in_dim(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    return run_update(&update_slice_signature, false, module, args, positional, kwnames);
}

const char py_xla_dynamic_update_slice_in_dim_doc[] =
    "dynamic_update_slice_in_dim($module, /, operand, update, start_index, axis, *,\n"
    "                            out_of_bounds='clamp',\n"
    "                            allow_negative_indices=False, out=None)\n"
    "--\n\n"
    "XLA's DynamicUpdateSlice at a start on one axis, 0 on the others, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape but (), any dtype\n"
    "update : array_like of the operand's rank, nowhere larger than it\n"
    "    An array must have the operand's dtype; scalars and lists are converted.\n"
    "start_index : int, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice\n"
    "allow_negative_indices : bool\n"
    "    A negative start has the dim added once, first (JAX's default).\n"
    "out : numpy.ndarray of the operand's shape and dtype, optional\n"
    "    May be the operand itself: then only the window is written.\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (dim_*, dus_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.dynamic_update_slice_in_dim.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.dynamic_update_slice_in_dim(np.zeros((2, 4), int), [[1, 2]], 9, axis=1)\n"
    "array([[0, 0, 1, 2],\n"
    "       [0, 0, 0, 0]])\n";

PyObject *
py_xla_dynamic_update_slice_in_dim_regions(PyObject *module, PyObject *const *args, Py_ssize_t positional,
                                           PyObject *kwnames)
{
    return update_regions(&update_slice_signature, false, module, args, positional, kwnames);
}

const char py_xla_dynamic_update_slice_in_dim_regions_doc[] =
    "xla_dynamic_update_slice_in_dim_regions($module, /, shape, update_shape,\n"
    "                                        start_index, axis, *,\n"
    "                                        out_of_bounds='clamp',\n"
    "                                        allow_negative_indices=False)\n"
    "--\n\n"
    "The Regions of an operand of this shape that xla.dynamic_update_slice_in_dim writes.";

PyObject *
py_xla_dynamic_update_index_in_dim(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    return run_update(&update_index_signature, true, module, args, positional, kwnames);
}

const char py_xla_dynamic_update_index_in_dim_doc[] =
    "dynamic_update_index_in_dim($module, /, operand, update, index, axis, *,\n"
    "                            out_of_bounds='clamp',\n"
    "                            allow_negative_indices=False, out=None)\n"
    "--\n\n"
    "XLA's DynamicUpdateSlice at an index of one axis, 0 on the others, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape but (), any dtype\n"
    "update : array_like of the operand's rank, or one axis less: without `axis`\n"
    "    An array must have the operand's dtype; scalars and lists are converted.\n"
    "index : int, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice\n"
    "allow_negative_indices : bool\n"
    "    A negative index has the dim added once, first (JAX's default).\n"
    "out : numpy.ndarray of the operand's shape and dtype, optional\n"
    "    May be the operand itself: then only the window is written.\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (dim_*, dus_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.dynamic_update_index_in_dim.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.dynamic_update_index_in_dim(np.zeros((2, 3), int), [1, 2], 1, axis=-1)\n"
    "array([[0, 1, 0],\n"
    "       [0, 2, 0]])\n";

PyObject *
py_xla_dynamic_update_index_in_dim_regions(PyObject *module, PyObject *const *args, Py_ssize_t positional,
                                           PyObject *kwnames)
{
    return update_regions(&update_index_signature, true, module, args, positional, kwnames);
}

const char py_xla_dynamic_update_index_in_dim_regions_doc[] =
    "xla_dynamic_update_index_in_dim_regions($module, /, shape, update_shape, index,\n"
    "                                        axis, *, out_of_bounds='clamp',\n"
    "                                        allow_negative_indices=False)\n"
    "--\n\n"
    "The Regions of an operand of this shape that xla.dynamic_update_index_in_dim writes.";
