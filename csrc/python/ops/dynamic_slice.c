/* ssop.dynamic_slice, its regions without data, and the shape that it gives. */
#include "../args.h"
#include "window.h"
#include "window_args.h"

typedef struct {
    window_arguments window;
    args_list size;
} dynamic_slice_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    dynamic_slice_arguments *into = arguments;
    return window_args_read_policy(call, found[3], found[5], &into->window.spec.out_of_bounds) < 0 ||
                   window_args_read(call, found[1], found[4], &into->window) < 0
             ? -1
             : args_read_list(call, "slice_sizes", found[2], SSOP_MAX_RANK, &into->size);
}

static ssop_status
resolve_window(const void *arguments, ssop_shape operand, ssop_shape Py_UNUSED(update), placed_window *placed,
               ssop_error *error)
{
    const dynamic_slice_arguments *given = arguments;
    ssop_window_spec spec = given->window.spec;
    spec.size = given->size.list;
    spec.size_count = given->size.count;
    placed->missing_axis = -1;
    return ssop_dynamic_slice_resolve(&spec, operand, &placed->window, error);
}

static int64_t
rank_of_sizes(const void *arguments)
{
    return ((const dynamic_slice_arguments *)arguments)->size.count;
}

static const operation dynamic_slice = {
    .name = "dynamic_slice",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDICES, ARG_SLICE_SIZES, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_FILL_VALUE, ARG_OUT),
                   .required = 3, .keyword_only = 4},
    .value = 5,
    .scalar_value = true,
    .optional_value = true,
    .read = read_arguments,
    .rank = rank_of_sizes,
    .family = &window_family,
    .resolve.window = resolve_window,
};

SSOP_METHODS_OF(dynamic_slice, dynamic_slice_regions, dynamic_slice, dynamic_slice_arguments)
SSOP_INFERENCE_OF(infer_dynamic_slice, dynamic_slice, dynamic_slice_arguments)
