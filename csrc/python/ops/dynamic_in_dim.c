/* The one-axis forms of dynamic_slice and dynamic_update_slice in ssop.xla; and their regions without data. */
#include "../args.h"
#include "../docs.h"
#include "../options.h"
#include "window.h"
#include "window_args.h"

/* ---- reading -------------------------------------------------------------------------------------------------------- */

/* An index is a size of 1; updates bring their own size. */
typedef struct {
    ssop_window_in_dim_spec spec;
    bool keepdims;
} in_dim_arguments;

static int
read_policy(const call_context *call, PyObject *const *found, ssop_window_in_dim_spec *into)
{
    return window_args_policy(call, found[4], &into->out_of_bounds) < 0
             ? -1
             : args_read_flag(call, "allow_negative_indices", found[5], false, &into->add_dim);
}

static int
read_slice(const call_context *call, PyObject *const *found, void *arguments)
{
    in_dim_arguments *into = arguments;
    into->keepdims = true;
    return args_read_start(call, "start_index", found[1], &into->spec.start) < 0 ||
                   args_read_integer(call, "slice_size", found[2], &into->spec.size) < 0 ||
                   args_read_optional(call, "axis", found[3], 0, &into->spec.axis) < 0
             ? -1
             : read_policy(call, found, &into->spec);
}

static int
read_index(const call_context *call, PyObject *const *found, void *arguments)
{
    in_dim_arguments *into = arguments;
    into->spec.size = 1;
    return args_read_start(call, "index", found[1], &into->spec.start) < 0 ||
                   args_read_optional(call, "axis", found[2], 0, &into->spec.axis) < 0 ||
                   args_read_flag(call, "keepdims", found[3], true, &into->keepdims) < 0
             ? -1
             : read_policy(call, found, &into->spec);
}

static int
read_update(const call_context *call, PyObject *const *found, const char *start_name, ssop_window_in_dim_spec *into)
{
    return args_read_start(call, start_name, found[2], &into->start) < 0 ||
                   args_read_optional(call, "axis", found[3], 0, &into->axis) < 0
             ? -1
             : read_policy(call, found, into);
}

static int
read_update_slice(const call_context *call, PyObject *const *found, void *arguments)
{
    return read_update(call, found, "start_index", arguments);
}

static int
read_update_index(const call_context *call, PyObject *const *found, void *arguments)
{
    return read_update(call, found, "index", arguments);
}

/* ---- resolving ------------------------------------------------------------------------------------------------------ */

static ssop_status
resolve_taken(const void *arguments, ssop_shape operand, ssop_shape Py_UNUSED(update), placed_window *placed,
              ssop_error *error)
{
    const in_dim_arguments *given = arguments;
    ssop_status status = ssop_dynamic_slice_in_dim_resolve(&given->spec, operand, &placed->window, error);
    placed->missing_axis =
        status == SSOP_OK && !given->keepdims ? ssop_axis_resolve(given->spec.axis, operand.rank, NULL) : -1;
    return status;
}

static ssop_status
resolve_update_slice(const void *arguments, ssop_shape operand, ssop_shape update, placed_window *placed,
                     ssop_error *error)
{
    placed->missing_axis = -1;
    return ssop_dynamic_update_slice_in_dim_resolve(arguments, update, operand, &placed->window, error);
}

/* The update may lack the axis. */
static ssop_status
resolve_update_index(const void *arguments, ssop_shape operand, ssop_shape update, placed_window *placed,
                     ssop_error *error)
{
    return ssop_dynamic_update_index_in_dim_resolve(arguments, update, operand, &placed->window, &placed->missing_axis,
                                                    error);
}

/* ---- dynamic_slice_in_dim --------------------------------------------------------------------------------------------- */

static const operation dynamic_slice_in_dim = {
    .name = "xla.dynamic_slice_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDEX, ARG_SLICE_SIZE, ARG_AXIS, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 3, .keyword_only = 3},
    .read = read_slice,
    .family = &window_family,
    .resolve.window = resolve_taken,
};

SSOP_METHODS_OF(xla_dynamic_slice_in_dim, xla_dynamic_slice_in_dim_regions, dynamic_slice_in_dim, in_dim_arguments)

const char py_xla_dynamic_slice_in_dim_doc[] =
    "dynamic_slice_in_dim($module, /, operand, start_index, slice_size, axis=0, *,\n"
    "                     out_of_bounds='clamp', allow_negative_indices=False,\n"
    "                     out=None)\n--\n\n"
    "XLA's DynamicSlice of one axis, the others whole, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape but (), any dtype\n"
    "start_index : int, in elements\n"
    "slice_size : int, 0 <= size <= dim, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice\n"
    "allow_negative_indices : bool\n"
    "    A negative start has the dim added once, first (JAX's default).\n" DOC_OUT DOC_NEW_OR_OUT "\n\n" DOC_RAISES
    "dim_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.dynamic_slice_in_dim.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.dynamic_slice_in_dim(np.arange(8), 6, 4)\n"
    "array([4, 5, 6, 7])\n";

/* ---- dynamic_index_in_dim --------------------------------------------------------------------------------------------- */

static const operation dynamic_index_in_dim = {
    .name = "xla.dynamic_index_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_INDEX, ARG_AXIS, ARG_KEEPDIMS, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 2, .keyword_only = 3},
    .read = read_index,
    .family = &window_family,
    .resolve.window = resolve_taken,
};

SSOP_METHODS_OF(xla_dynamic_index_in_dim, xla_dynamic_index_in_dim_regions, dynamic_index_in_dim, in_dim_arguments)

const char py_xla_dynamic_index_in_dim_doc[] =
    "dynamic_index_in_dim($module, /, operand, index, axis=0, keepdims=True, *,\n"
    "                     out_of_bounds='clamp', allow_negative_indices=False,\n"
    "                     out=None)\n--\n\n"
    "XLA's DynamicSlice of one element of one axis, the others whole, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape but (), any dtype; the axis must not be empty\n"
    "index : int, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "keepdims : bool\n"
    "    False drops the axis; True keeps it with length 1.\n"
    "out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice\n"
    "allow_negative_indices : bool\n"
    "    A negative index has the dim added once, first (JAX's default).\n" DOC_OUT DOC_NEW_OR_OUT "\n\n" DOC_RAISES
    "dim_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.dynamic_index_in_dim.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.dynamic_index_in_dim(np.arange(12).reshape(3, 4), 9, "
    "keepdims=False)\n"
    "array([ 8,  9, 10, 11])\n";

/* ---- dynamic_update_slice_in_dim -------------------------------------------------------------------------------------- */

static const operation dynamic_update_slice_in_dim = {
    .name = "xla.dynamic_update_slice_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_UPDATE, ARG_START_INDEX, ARG_AXIS, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 4, .keyword_only = 3},
    .value = 1,
    .read = read_update_slice,
    .family = &window_update_family,
    .resolve.window = resolve_update_slice,
};

SSOP_METHODS_OF(xla_dynamic_update_slice_in_dim, xla_dynamic_update_slice_in_dim_regions, dynamic_update_slice_in_dim,
                ssop_window_in_dim_spec)

const char py_xla_dynamic_update_slice_in_dim_doc[] =
    "dynamic_update_slice_in_dim($module, /, operand, update, start_index, axis, *,\n"
    "                            out_of_bounds='clamp',\n"
    "                            allow_negative_indices=False, out=None)\n--\n\n"
    "XLA's DynamicUpdateSlice at a start on one axis, 0 on the others, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape but (), any dtype\n"
    "update : array_like of the operand's rank, nowhere larger than it\n"
    "    An array must have the operand's dtype; scalars and lists are converted.\n"
    "start_index : int, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice\n"
    "allow_negative_indices : bool\n"
    "    A negative start has the dim added once, first (JAX's default).\n"
    "out : numpy.ndarray of the operand's shape and dtype, optional\n"
    "    May be the operand itself: then only the window is written.\n\n" DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.\n\n" DOC_RAISES
    "dim_*, dus_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.dynamic_update_slice_in_dim.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.dynamic_update_slice_in_dim(np.zeros((2, 4), int), [[1, 2]], "
    "9, axis=1)\n"
    "array([[0, 0, 1, 2],\n"
    "       [0, 0, 0, 0]])\n";

/* ---- dynamic_update_index_in_dim -------------------------------------------------------------------------------------- */

static const operation dynamic_update_index_in_dim = {
    .name = "xla.dynamic_update_index_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_UPDATE, ARG_INDEX, ARG_AXIS, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 4, .keyword_only = 3},
    .value = 1,
    .read = read_update_index,
    .family = &window_update_family,
    .resolve.window = resolve_update_index,
};

SSOP_METHODS_OF(xla_dynamic_update_index_in_dim, xla_dynamic_update_index_in_dim_regions, dynamic_update_index_in_dim,
                ssop_window_in_dim_spec)

const char py_xla_dynamic_update_index_in_dim_doc[] =
    "dynamic_update_index_in_dim($module, /, operand, update, index, axis, *,\n"
    "                            out_of_bounds='clamp',\n"
    "                            allow_negative_indices=False, out=None)\n--\n\n"
    "XLA's DynamicUpdateSlice at an index of one axis, 0 on the others, as a new array.\n\n" DOC_PARAMETERS
    "operand : array_like, any shape but (), any dtype\n"
    "update : array_like of the operand's rank, or one axis less: without `axis`\n"
    "    An array must have the operand's dtype; scalars and lists are converted.\n"
    "index : int, in elements\n"
    "axis : int, -rank <= axis < rank\n"
    "out_of_bounds : 'clamp', 'wrap' or 'raise', as for dynamic_slice\n"
    "allow_negative_indices : bool\n"
    "    A negative index has the dim added once, first (JAX's default).\n"
    "out : numpy.ndarray of the operand's shape and dtype, optional\n"
    "    May be the operand itself: then only the window is written.\n\n" DOC_RETURNS
    "numpy.ndarray : new, C-ordered, of the operand's shape; or `out`.\n\n" DOC_RAISES
    "dim_*, dus_*, ds_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: jax.lax.dynamic_update_index_in_dim.\n\n" DOC_EXAMPLES
    ">>> ssop.xla.dynamic_update_index_in_dim(np.zeros((2, 3), int), [1, 2], 1, "
    "axis=-1)\n"
    "array([[0, 1, 0],\n"
    "       [0, 2, 0]])\n";
