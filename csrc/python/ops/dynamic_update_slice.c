/* ssop.dynamic_update_slice, and its regions without data. */
#include "window.h"
#include "window_args.h"

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    window_arguments *into = arguments;
    return window_args_update_policy(call, found[3], &into->spec.out_of_bounds) < 0
             ? -1
             : window_args_read(call, found[2], found[4], into);
}

/* The window has the update's shape. */
static ssop_status
resolve_window(const void *arguments, ssop_shape operand, ssop_shape update, placed_window *placed, ssop_error *error)
{
    ssop_window_spec spec = ((const window_arguments *)arguments)->spec;
    spec.size = update.dim;
    spec.size_count = update.rank;
    placed->missing_axis = -1;
    return ssop_dynamic_update_slice_resolve(&spec, operand, &placed->window, error);
}

static const operation dynamic_update_slice = {
    .name = "dynamic_update_slice",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_UPDATE, ARG_START_INDICES, ARG_OUT_OF_BOUNDS, ARG_ALLOW_NEGATIVE_INDICES,
                              ARG_OUT),
                   .required = 3, .keyword_only = 3},
    .value = 1,
    .read = read_arguments,
    .family = &window_update_family,
    .resolve.window = resolve_window,
};

SSOP_METHODS_OF(dynamic_update_slice, dynamic_update_slice_regions, dynamic_update_slice, window_arguments)
