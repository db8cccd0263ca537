/* XLA's Concatenate: each operand goes to one region of the result. */
#include "common.h"

ssop_status
ssop_concatenate_begin(ssop_concatenation *joined, int64_t operands, int64_t dimension, ssop_shape shape,
                       ssop_error *error)
{
    if (operands == 0) {
        return fail(error, SSOP_CAT_C1, NOWHERE, NO_NUMBERS);
    }
    if (dimension < 0 || dimension >= shape.rank) { /* always an error for rank 0 (cat_c2) */
        return fail_form(error, SSOP_CAT_C2, shape.rank == 0, NOWHERE, numbers(dimension, 0, shape.rank - 1));
    }
    joined->rank = shape.rank;
    joined->axis = (int32_t)dimension;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        joined->dim[axis] = axis == dimension ? 0 : shape.dim[axis];
    }
    return SSOP_OK;
}

ssop_status
ssop_concatenate_add(ssop_concatenation *joined, int32_t entry, ssop_shape shape, ssop_region *place, ssop_error *error)
{
    if (shape.rank != joined->rank) {
        return fail(error, SSOP_CAT_C3, at_entry(entry), numbers(shape.rank, joined->rank, joined->rank));
    }
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        if (axis != joined->axis && shape.dim[axis] != joined->dim[axis]) {
            return fail(error, SSOP_CAT_C5, at_axis_entry(axis, entry),
                        numbers(shape.dim[axis], joined->dim[axis], joined->dim[axis]));
        }
    }
    int64_t before = joined->dim[joined->axis], after;
    if (!checked_add(before, shape.dim[joined->axis], &after)) {
        return fail(error, SSOP_CAT_C6, at_axis_entry(joined->axis, entry),
                    numbers(shape.dim[joined->axis], 0, INT64_MAX - before));
    }
    if (place != NULL) {
        ssop_region_whole(place, shape);
        place->range[joined->axis] = ssop_range_between(before, after, 1); /* cat_s1 */
    }
    joined->dim[joined->axis] = after;
    return SSOP_OK;
}
