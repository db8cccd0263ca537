/* The one-axis forms of dynamic_slice and dynamic_update_slice in ssop.xla; and their regions without data. */
#include "../args.h"
#include "../options.h"
#include "window.h"
#include "window_args.h"

/* ---- reading ----------------------------------------------------------------------------------------------------- */

/* An index is a size of 1; updates bring their own size. */
typedef struct {
    ssop_window_in_dim_spec spec;
    bool keepdims;
} in_dim_arguments;

static int
read_negative(const call_context *call, PyObject *object, ssop_window_in_dim_spec *into)
{
    return args_read_flag(call, "allow_negative_indices", object, false, &into->add_dim);
}

static int
read_policy(const call_context *call, PyObject *const *found, ssop_window_in_dim_spec *into)
{
    return window_args_read_policy(call, found[4], found[6], &into->out_of_bounds) < 0
             ? -1
             : read_negative(call, found[5], into);
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
                   args_read_optional(call, "axis", found[3], 0, &into->axis) < 0 ||
                   window_args_update_policy(call, found[4], &into->out_of_bounds) < 0
             ? -1
             : read_negative(call, found[5], into);
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

/* ---- resolving --------------------------------------------------------------------------------------------------- */

static ssop_status
resolve_slice(const void *arguments, ssop_shape operand, ssop_shape Py_UNUSED(update), placed_window *placed,
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

/* ---- dynamic_slice_in_dim ---------------------------------------------------------------------------------------- */

static const operation dynamic_slice_in_dim = {
    .name = "xla.dynamic_slice_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDEX, ARG_SLICE_SIZE, ARG_AXIS, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_FILL_VALUE, ARG_OUT),
                   .required = 3, .keyword_only = 4},
    .value = 6,
    .scalar_value = true,
    .optional_value = true,
    .read = read_slice,
    .family = &window_family,
    .resolve.window = resolve_slice,
};

SSOP_METHODS_OF(xla_dynamic_slice_in_dim, xla_dynamic_slice_in_dim_regions, dynamic_slice_in_dim, in_dim_arguments)
SSOP_INFERENCE_OF(infer_xla_dynamic_slice_in_dim, dynamic_slice_in_dim, in_dim_arguments)

/* ---- dynamic_index_in_dim ---------------------------------------------------------------------------------------- */

static const operation dynamic_index_in_dim = {
    .name = "xla.dynamic_index_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_INDEX, ARG_AXIS, ARG_KEEPDIMS, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_FILL_VALUE, ARG_OUT),
                   .required = 2, .keyword_only = 4},
    .value = 6,
    .scalar_value = true,
    .optional_value = true,
    .read = read_index,
    .family = &window_family,
    .resolve.window = resolve_slice,
};

SSOP_METHODS_OF(xla_dynamic_index_in_dim, xla_dynamic_index_in_dim_regions, dynamic_index_in_dim, in_dim_arguments)
SSOP_INFERENCE_OF(infer_xla_dynamic_index_in_dim, dynamic_index_in_dim, in_dim_arguments)

/* ---- dynamic_update_slice_in_dim --------------------------------------------------------------------------------- */

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

/* ---- dynamic_update_index_in_dim --------------------------------------------------------------------------------- */

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
