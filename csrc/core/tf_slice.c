/* TensorFlow's Slice: begin and size per axis, -1 = to the end; checked, never adjusted. */
#include "common.h"

static ssop_status
check_axis(int32_t axis, int64_t begin, int64_t size, int64_t dim, ssop_error *error)
{
    if (dim == 0) {
        if (begin != 0) {
            return fail(error, SSOP_TSL_C2, axis, axis, begin, 0, 0);
        }
        return size == 0 || size == -1 ? SSOP_OK : fail(error, SSOP_TSL_C3, axis, axis, size, 0, 0);
    }
    if (begin < 0 || begin > dim) {
        return fail(error, SSOP_TSL_C2, axis, axis, begin, 0, dim);
    }
    /* Not begin + size <= dim: that sum can overflow, and did. */
    if (size != -1 && (size < 0 || size > dim - begin)) {
        return fail(error, SSOP_TSL_C3, axis, axis, size, 0, dim - begin);
    }
    return SSOP_OK;
}

ssop_status
ssop_tf_slice_resolve(const ssop_tf_slice_spec *spec, int32_t rank, const int64_t *dims, ssop_region *region,
                      ssop_error *error)
{
    if (spec->begin_count != rank || spec->size_count != rank) {
        return fail(error, SSOP_TSL_C1, -1, -1, spec->begin_count, rank, spec->size_count);
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        int64_t begin = spec->begin[axis], size = spec->size[axis];
        ssop_status status = check_axis(axis, begin, size, dims[axis], error);
        if (status != SSOP_OK) {
            return status;
        }
        region->range[axis] = ssop_range_between(begin, size == -1 ? dims[axis] : begin + size, 1); /* tsl_s1 */
        region->out_axis[axis] = (int8_t)axis;
    }
    region->in_rank = region->out_rank = rank;
    return SSOP_OK;
}
