/* ssop.slice, its region without data, and the shape that it gives. */
#include "../args.h"
#include "../region_op.h"

typedef struct {
    args_list start, limit, stride;
} slice_arguments;

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    slice_arguments *into = arguments;
    return args_read_list(call, "start_indices", found[1], SSOP_MAX_RANK, &into->start) < 0 ||
                   args_read_list(call, "limit_indices", found[2], SSOP_MAX_RANK, &into->limit) < 0
             ? -1
             : args_read_optional_list(call, "strides", found[3], SSOP_MAX_RANK, &into->stride);
}

static ssop_status
resolve_arguments(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    const slice_arguments *given = arguments;
    const ssop_slice_spec spec = {given->start.count, given->limit.count, given->stride.count,
                                  given->start.list,  given->limit.list,  given->stride.list};
    return ssop_slice_resolve(&spec, shape, region, error);
}

static int64_t
rank_of_start(const void *arguments)
{
    return ((const slice_arguments *)arguments)->start.count;
}

static const operation slice = {
    .name = "slice",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDICES, ARG_LIMIT_INDICES, ARG_STRIDES, ARG_OUT), .required = 3,
                   .keyword_only = 1},
    .read = read_arguments,
    .rank = rank_of_start,
    .family = &region_family,
    .resolve.region = resolve_arguments,
};

SSOP_METHODS_OF(slice, slice_region, slice, slice_arguments)
SSOP_INFERENCE_OF(infer_slice, slice, slice_arguments)
