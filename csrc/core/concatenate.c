/* XLA's Concatenate: one region of the result per operand. */
#include "common.h"

ssop_status
ssop_concatenate_begin(ssop_concatenation *joined, int64_t operands, int64_t dimension, int32_t rank,
                       const int64_t *dims, ssop_error *error)
{
    if (operands == 0) {
        return fail(error, SSOP_CAT_C1, -1, -1, 0, 0, 0);
    }
    if (dimension < 0 || dimension >= rank) { /* so rank 0 has none (cat_c2) */
        return fail(error, SSOP_CAT_C2, -1, -1, dimension, 0, rank - 1);
    }
    joined->rank = rank;
    joined->axis = (int32_t)dimension;
    for (int32_t axis = 0; axis < rank; axis++) {
        joined->dim[axis] = axis == dimension ? 0 : dims[axis];
    }
    return SSOP_OK;
}

ssop_status
ssop_concatenate_add(ssop_concatenation *joined, int32_t entry, int32_t rank, const int64_t *dims, ssop_region *place,
                     ssop_error *error)
{
    if (rank != joined->rank) {
        return fail(error, SSOP_CAT_C3, -1, entry, rank, joined->rank, joined->rank);
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        if (axis != joined->axis && dims[axis] != joined->dim[axis]) {
            return fail(error, SSOP_CAT_C5, axis, entry, dims[axis], joined->dim[axis], joined->dim[axis]);
        }
    }
    int64_t before = joined->dim[joined->axis], after;
    if (!checked_add(before, dims[joined->axis], &after)) {
        return fail(error, SSOP_CAT_C6, joined->axis, entry, dims[joined->axis], 0, INT64_MAX - before);
    }
    ssop_region_whole(place, rank, dims);
    place->range[joined->axis] = ssop_range_between(before, after, 1); /* cat_s1 */
    joined->dim[joined->axis] = after;
    return SSOP_OK;
}
