/* ssop.xla.slice_in_dim and index_in_dim: Slice of one axis; and their regions without data. */
#include "../args.h"
#include "../options.h"
#include "../region_op.h"

/* ---- slice_in_dim ------------------------------------------------------------------------------------------------ */

/* None is the beginning of the axis for the start, and its end for the limit (dim_s3). */
static int
read_bound(const call_context *call, const char *name, PyObject *object, bool *given, int64_t *value)
{
    *given = object != Py_None;
    return *given ? args_read_integer(call, name, object, value) : 0;
}

static int
read_slice(const call_context *call, PyObject *const *found, void *arguments)
{
    ssop_slice_in_dim_spec *into = arguments;
    *into = (ssop_slice_in_dim_spec){0};
    return read_bound(call, "start_index", found[1], &into->has_start, &into->start) < 0 ||
                   read_bound(call, "limit_index", found[2], &into->has_limit, &into->limit) < 0 ||
                   args_read_optional(call, "stride", found[3], 1, &into->stride) < 0 ||
                   args_read_optional(call, "axis", found[4], 0, &into->axis) < 0 ||
                   args_read_flag(call, "allow_negative_indices", found[5], false, &into->add_dim) < 0
             ? -1
             : 0;
}

static ssop_status
resolve_slice(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    return ssop_slice_in_dim_resolve(arguments, shape, region, error);
}

/* On a long axis, a start that counts from the end lies behind a limit that counts from the beginning. So dims that are
 * too large break sl_c6 if the start counts from the end and the limit does not. */
static ssop_rule
rule_of_crossing(const void *arguments)
{
    const ssop_slice_in_dim_spec *spec = arguments;
    bool crosses = spec->add_dim && spec->has_start && spec->start < 0 && spec->has_limit && spec->limit >= 0;
    return crosses ? SSOP_SL_C6 : SSOP_NO_RULE;
}

static const operation slice_in_dim = {
    .name = "xla.slice_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDEX, ARG_LIMIT_INDEX, ARG_STRIDE, ARG_AXIS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 3, .keyword_only = 2},
    .read = read_slice,
    .too_large = rule_of_crossing,
    .family = &region_family,
    .resolve.region = resolve_slice,
};

SSOP_METHODS_OF(xla_slice_in_dim, xla_slice_in_dim_region, slice_in_dim, ssop_slice_in_dim_spec)
SSOP_INFERENCE_OF(infer_xla_slice_in_dim, slice_in_dim, ssop_slice_in_dim_spec)

/* ---- index_in_dim ------------------------------------------------------------------------------------------------ */

static int
read_index(const call_context *call, PyObject *const *found, void *arguments)
{
    ssop_index_in_dim_spec *into = arguments;
    return args_read_integer(call, "index", found[1], &into->index) < 0 ||
                   args_read_optional(call, "axis", found[2], 0, &into->axis) < 0 ||
                   args_read_flag(call, "keepdims", found[3], true, &into->keepdims) < 0 ||
                   args_read_flag(call, "allow_negative_indices", found[4], false, &into->add_dim) < 0
             ? -1
             : 0;
}

static ssop_status
resolve_index(const void *arguments, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    return ssop_index_in_dim_resolve(arguments, shape, region, error);
}

static const operation index_in_dim = {
    .name = "xla.index_in_dim",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_INDEX, ARG_AXIS, ARG_KEEPDIMS, ARG_ALLOW_NEGATIVE_INDICES, ARG_OUT),
                   .required = 2, .keyword_only = 2},
    .read = read_index,
    .family = &region_family,
    .resolve.region = resolve_index,
};

SSOP_METHODS_OF(xla_index_in_dim, xla_index_in_dim_region, index_in_dim, ssop_index_in_dim_spec)
SSOP_INFERENCE_OF(infer_xla_index_in_dim, index_in_dim, ssop_index_in_dim_spec)
