/* TensorFlow's and TFLite's Slice: begin and size for each axis; size -1 means up to the end. Bounds outside the axis
 * are errors. */
#include "common.h"

static ssop_status
check_axis(int32_t axis, int64_t begin, int64_t size, int64_t dim, const ssop_size_dialect *dialect, ssop_error *error)
{
    if (begin < 0 || begin > dim) {
        return fail(error, dialect->begin, at_axis_entry(axis, axis), numbers(begin, 0, dim));
    }
    if (size < -1) {
        return fail(error, dialect->negative_size, at_axis_entry(axis, axis), numbers(size, 0, dim - begin));
    }
    if (size > dim - begin) { /* not begin + size > dim: that sum can overflow */
        return fail(error, dialect->size, at_axis_entry(axis, axis), numbers(size, 0, dim - begin));
    }
    return SSOP_OK;
}

ssop_status
ssop_size_slice_resolve(const ssop_size_slice_spec *spec, ssop_shape shape, const ssop_size_dialect *dialect,
                        ssop_region *region, ssop_error *error)
{
    if (spec->begin_count != shape.rank || spec->size_count != shape.rank) {
        int32_t form =
            spec->begin_count != spec->size_count; /* 1: the two lengths differ; 0: they differ from the rank */
        return fail_form(error, dialect->lengths, form, NOWHERE,
                         numbers(spec->begin_count, shape.rank, spec->size_count));
    }
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        ssop_status status = check_axis(axis, spec->begin[axis], spec->size[axis], shape.dim[axis], dialect, error);
        if (status != SSOP_OK) {
            return status;
        }
    }
    for (int32_t axis = 0; axis < shape.rank; axis++) { /* nothing is written before all checks have passed */
        int64_t begin = spec->begin[axis], size = spec->size[axis];
        region->range[axis] =
            ssop_range_between(begin, size == -1 ? shape.dim[axis] : begin + size, 1); /* tsl_s1, tfs_s1 */
        region->out_axis[axis] = (int8_t)axis;
    }
    region->in_rank = region->out_rank = shape.rank;
    return SSOP_OK;
}
