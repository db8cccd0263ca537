/* XLA's Slice: starts, limits and strides are checked; what is outside the operand is an error, not clamped. */
#include "common.h"

static ssop_status
check_axis(int32_t axis, int64_t start, int64_t limit, int64_t stride, int64_t dim, ssop_error *error)
{
    if (start < 0) {
        return fail(error, SSOP_SL_C4, at_axis_entry(axis, axis), numbers(start, 0, dim));
    }
    if (limit > dim) {
        return fail(error, SSOP_SL_C5, at_axis_entry(axis, axis), numbers(limit, 0, dim));
    }
    if (start > limit) {
        return fail(error, SSOP_SL_C6, at_axis_entry(axis, axis), numbers(limit, start, dim));
    }
    if (stride <= 0) {
        return fail(error, SSOP_SL_C7, at_axis_entry(axis, axis), numbers(stride, 1, INT64_MAX));
    }
    return SSOP_OK;
}

ssop_status
ssop_slice_resolve(const ssop_slice_spec *spec, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    if (spec->start_count != spec->limit_count) {
        return fail(error, SSOP_SL_C1, NOWHERE, numbers(spec->start_count, spec->limit_count, 0));
    }
    if (spec->stride != NULL && spec->start_count != spec->stride_count) {
        return fail(error, SSOP_SL_C2, NOWHERE, numbers(spec->start_count, spec->stride_count, 0));
    }
    if (spec->start_count != shape.rank) {
        return fail(error, SSOP_SL_C3, NOWHERE, numbers(spec->start_count, shape.rank, shape.rank));
    }
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        int64_t stride = spec->stride != NULL ? spec->stride[axis] : 1;
        ssop_status status = check_axis(axis, spec->start[axis], spec->limit[axis], stride, shape.dim[axis], error);
        if (status != SSOP_OK) {
            return status;
        }
    }
    for (int32_t axis = 0; axis < shape.rank; axis++) { /* nothing is written before all checks have passed */
        int64_t stride = spec->stride != NULL ? spec->stride[axis] : 1;
        region->range[axis] = ssop_range_between(spec->start[axis], spec->limit[axis], stride); /* sl_s1 */
        region->out_axis[axis] = (int8_t)axis;
    }
    region->in_rank = region->out_rank = shape.rank;
    return SSOP_OK;
}
