/* The one-axis forms: complete the arguments for one axis to arguments for all axes, and call the full resolvers. */
#include "common.h"

int32_t
ssop_axis_resolve(int64_t axis, int32_t rank, ssop_error *error)
{
    if (axis < -(int64_t)rank || axis >= rank) {
        fail_form(error, SSOP_DIM_C1, rank == 0, NOWHERE, numbers(axis, -(int64_t)rank, rank - 1));
        return -1;
    }
    return (int32_t)(axis < 0 ? axis + rank : axis); /* dim_s1 */
}

static int64_t
add_dim_once(int64_t bound, bool add_dim, int64_t dim)
{
    return add_dim && bound < 0 ? bound + dim : bound;
}

/* Removes the entry from an error of a full resolver, because the caller of a one-axis form gave no entries. */
static ssop_status
without_entry(ssop_status status, ssop_error *error)
{
    if (status != SSOP_OK && error != NULL) {
        error->entry = -1;
    }
    return status;
}

ssop_status
ssop_slice_in_dim_resolve(const ssop_slice_in_dim_spec *spec, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    int32_t axis = ssop_axis_resolve(spec->axis, shape.rank, error);
    if (axis < 0) {
        return ssop_rule_status(SSOP_DIM_C1);
    }
    int64_t start[SSOP_MAX_RANK], limit[SSOP_MAX_RANK], stride[SSOP_MAX_RANK]; /* dim_s2 */
    for (int32_t other = 0; other < shape.rank; other++) {
        start[other] = 0;
        limit[other] = shape.dim[other];
        stride[other] = 1;
    }
    if (spec->has_start) { /* dim_s3 */
        start[axis] = add_dim_once(spec->start, spec->add_dim, shape.dim[axis]);
    }
    if (spec->has_limit) {
        limit[axis] = add_dim_once(spec->limit, spec->add_dim, shape.dim[axis]);
    }
    stride[axis] = spec->stride;
    ssop_slice_spec full = {shape.rank, shape.rank, shape.rank, start, limit, stride};
    ssop_status status = without_entry(ssop_slice_resolve(&full, shape, region, error), error);
    if (status != SSOP_OK && error != NULL &&
        error->rule != SSOP_SL_C7) { /* the message shows the bound that the caller gave */
        error->value = error->rule == SSOP_SL_C4 ? spec->start : spec->has_limit ? spec->limit : limit[axis];
    }
    return status;
}

ssop_status
ssop_index_in_dim_resolve(const ssop_index_in_dim_spec *spec, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    int32_t axis = ssop_axis_resolve(spec->axis, shape.rank, error);
    if (axis < 0) {
        return ssop_rule_status(SSOP_DIM_C1);
    }
    int64_t dim = shape.dim[axis], index = add_dim_once(spec->index, spec->add_dim, dim);
    if (index < 0 || index >= dim) {
        return fail(error, SSOP_DIM_C2, at_axis(axis), numbers(spec->index, spec->add_dim ? -dim : 0, dim - 1));
    }
    ssop_region_whole(region, shape);
    region->range[axis] = ssop_range_between(index, index + 1, 1);
    if (!spec->keepdims) {
        ssop_region_drop_out_axis(region, axis);
    }
    return SSOP_OK;
}

typedef ssop_status (*window_resolver)(const ssop_window_spec *spec, ssop_shape shape, ssop_window *window,
                                       ssop_error *error);

/* Resolves a window of these sizes that starts at 0 on every axis but spec->axis, which is not negative here. */
static ssop_status
resolve_window(const ssop_window_in_dim_spec *spec, window_resolver resolve, ssop_shape sizes, ssop_shape shape,
               ssop_window *window, ssop_error *error)
{
    ssop_start start[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        start[axis] = (ssop_start){0, false};
    }
    start[spec->axis] = spec->start;
    ssop_window_spec full = {
        .start_count = shape.rank,
        .size_count = sizes.rank,
        .start = start,
        .size = sizes.dim,
        .add_dim = &spec->add_dim, /* applies to all axes, but changes negative starts only */
        .add_dim_count = -1,
        .out_of_bounds = spec->out_of_bounds,
    };
    return without_entry(resolve(&full, shape, window, error), error);
}

/* Copies the spec, with a negative axis replaced by the one that it means. */
static ssop_status
resolve_axis_of(const ssop_window_in_dim_spec *spec, int32_t rank, ssop_window_in_dim_spec *resolved, ssop_error *error)
{
    *resolved = *spec;
    resolved->axis = ssop_axis_resolve(spec->axis, rank, error);
    return resolved->axis < 0 ? ssop_rule_status(SSOP_DIM_C1) : SSOP_OK;
}

ssop_status
ssop_dynamic_slice_in_dim_resolve(const ssop_window_in_dim_spec *spec, ssop_shape shape, ssop_window *window,
                                  ssop_error *error)
{
    ssop_window_in_dim_spec resolved;
    ssop_status status = resolve_axis_of(spec, shape.rank, &resolved, error);
    if (status != SSOP_OK) {
        return status;
    }
    int64_t size[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        size[axis] = axis == resolved.axis ? spec->size : shape.dim[axis];
    }
    ssop_shape sizes = {shape.rank, size};
    return resolve_window(&resolved, ssop_dynamic_slice_resolve, sizes, shape, window, error);
}

ssop_status
ssop_dynamic_update_slice_in_dim_resolve(const ssop_window_in_dim_spec *spec, ssop_shape update_shape, ssop_shape shape,
                                         ssop_window *window, ssop_error *error)
{
    ssop_window_in_dim_spec resolved;
    ssop_status status = resolve_axis_of(spec, shape.rank, &resolved, error);
    return status != SSOP_OK
             ? status
             : resolve_window(&resolved, ssop_dynamic_update_slice_resolve, update_shape, shape, window, error);
}

ssop_status
ssop_dynamic_update_index_in_dim_resolve(const ssop_window_in_dim_spec *spec, ssop_shape update_shape, ssop_shape shape,
                                         ssop_window *window, int32_t *missing, ssop_error *error)
{
    ssop_window_in_dim_spec resolved;
    ssop_status status = resolve_axis_of(spec, shape.rank, &resolved, error);
    if (status != SSOP_OK) {
        return status;
    }
    int32_t axis = (int32_t)resolved.axis;
    bool lacks_axis = update_shape.rank == shape.rank - 1;
    int64_t size[SSOP_MAX_RANK];
    for (int32_t other = 0; lacks_axis && other < shape.rank; other++) { /* dim_s5 */
        size[other] = other == axis ? 1 : update_shape.dim[other < axis ? other : other - 1];
    }
    ssop_shape sizes = lacks_axis ? (ssop_shape){shape.rank, size} : update_shape;
    status = resolve_window(&resolved, ssop_dynamic_update_slice_resolve, sizes, shape, window, error);
    if (status == SSOP_OK) {
        *missing = lacks_axis ? axis : -1;
    }
    return status;
}

void
ssop_region_drop_out_axis(ssop_region *region, int32_t axis)
{
    region->out_rank--;
    for (int32_t out = axis; out < region->out_rank; out++) {
        region->out_axis[out] = region->out_axis[out + 1];
    }
}

void
ssop_region_drop_in_axis(ssop_region *region, int32_t axis)
{
    region->in_rank--;
    for (int32_t in = axis; in < region->in_rank; in++) {
        region->range[in] = region->range[in + 1];
        region->out_axis[in + 1] = (int8_t)in;
    }
    region->out_axis[axis] = SSOP_NEW_AXIS;
}
