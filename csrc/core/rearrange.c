/* XLA's operations on whole operands: Rev, Transpose, Broadcast, BroadcastInDim, Reshape, Collapse. */
#include "common.h"

/* The first entry that has the value of an earlier entry, or `count` without one. */
static int32_t
find_duplicate(int32_t count, const int64_t *dimensions)
{
    for (int32_t i = 1; i < count; i++) {
        for (int32_t before = 0; before < i; before++) {
            if (dimensions[before] == dimensions[i]) {
                return i;
            }
        }
    }
    return count;
}

/* The first entry that is not an axis of an array of this rank, or `count` without one. */
static int32_t
find_outside(int32_t count, const int64_t *dimensions, int32_t rank)
{
    int32_t i = 0;
    while (i < count && dimensions[i] >= 0 && dimensions[i] < rank) {
        i++;
    }
    return i;
}

ssop_status
ssop_reverse_resolve(int64_t count, const int64_t *dimensions, ssop_shape shape, ssop_region *region, ssop_error *error)
{
    int32_t read = (int32_t)(count < SSOP_MAX_AXES_READ ? count : SSOP_MAX_AXES_READ);
    int32_t duplicate = find_duplicate(read, dimensions);
    if (duplicate < read) {
        return fail(error, SSOP_REV_C1, at_entry(duplicate), numbers(dimensions[duplicate], 0, 0));
    }
    int32_t outside = find_outside(read, dimensions, shape.rank);
    if (outside < read) {
        return fail(error, SSOP_REV_C2, at_entry(outside), numbers(dimensions[outside], 0, shape.rank - 1));
    }
    ssop_region_whole(region, shape);
    for (int32_t i = 0; i < read; i++) { /* rev_s1 */
        region->range[dimensions[i]] = ssop_range_between(shape.dim[dimensions[i]] - 1, -1, -1);
    }
    return SSOP_OK;
}

ssop_status
ssop_transpose_view(int64_t count, const int64_t *permutation, const ssop_view *operand, ssop_view *seen,
                    ssop_error *error)
{
    int32_t rank = operand->rank;
    if (count != rank) {
        return fail(error, SSOP_TR_C1, NOWHERE, numbers(count, rank, rank));
    }
    int32_t outside = find_outside(rank, permutation, rank);
    if (outside < rank) {
        return fail(error, SSOP_TR_C2, at_entry(outside), numbers(permutation[outside], 0, rank - 1));
    }
    int32_t duplicate = find_duplicate(rank, permutation);
    if (duplicate < rank) {
        return fail(error, SSOP_TR_C3, at_entry(duplicate), numbers(permutation[duplicate], 0, 0));
    }
    seen->data = operand->data;
    seen->item_bytes = operand->item_bytes;
    seen->rank = rank;
    for (int32_t axis = 0; axis < rank; axis++) { /* tr_s1 */
        seen->dim[axis] = operand->dim[permutation[axis]];
        seen->stride[axis] = operand->stride[permutation[axis]];
    }
    return SSOP_OK;
}

ssop_status
ssop_broadcast_view(int64_t count, const int64_t *sizes, const ssop_view *operand, ssop_view *seen, ssop_error *error)
{
    for (int32_t i = 0; i < count && i < SSOP_MAX_RANK; i++) {
        if (sizes[i] < 0) {
            return fail(error, SSOP_BC_C1, at_entry(i), numbers(sizes[i], 0, INT64_MAX));
        }
    }
    if (count > SSOP_MAX_RANK - operand->rank) {
        return fail(error, SSOP_BC_C2, NOWHERE, numbers(count + operand->rank, 0, SSOP_MAX_RANK));
    }
    int32_t added = (int32_t)count;
    seen->data = operand->data;
    seen->item_bytes = operand->item_bytes;
    seen->rank = added + operand->rank;
    for (int32_t axis = 0; axis < seen->rank; axis++) { /* bc_s1 */
        seen->dim[axis] = axis < added ? sizes[axis] : operand->dim[axis - added];
        seen->stride[axis] = axis < added ? 0 : operand->stride[axis - added];
    }
    return SSOP_OK;
}

static ssop_status
check_broadcast_dimensions(ssop_shape shape, int64_t count, const int64_t *dimensions, const ssop_view *operand,
                           ssop_error *error)
{
    int32_t from_rank = operand->rank;
    if (count != from_rank) {
        return fail(error, SSOP_BID_C1, NOWHERE, numbers(count, from_rank, from_rank));
    }
    int32_t outside = find_outside(from_rank, dimensions, shape.rank);
    if (outside < from_rank) {
        return fail(error, SSOP_BID_C2, at_entry(outside), numbers(dimensions[outside], 0, shape.rank - 1));
    }
    if (from_rank > shape.rank) {
        return fail(error, SSOP_BID_C3, NOWHERE, numbers(from_rank, 0, shape.rank));
    }
    for (int32_t axis = 0; axis < from_rank; axis++) {
        int64_t dim = operand->dim[axis], out_dim = shape.dim[dimensions[axis]];
        if (dim != 1 && dim != out_dim) {
            return fail(error, SSOP_BID_C4, at_axis_entry(axis, axis), numbers(dim, dimensions[axis], out_dim));
        }
    }
    int32_t duplicate = find_duplicate(from_rank, dimensions);
    if (duplicate < from_rank) {
        return fail(error, SSOP_BID_C5, at_entry(duplicate), numbers(dimensions[duplicate], 0, 0));
    }
    return SSOP_OK;
}

ssop_status
ssop_broadcast_in_dim_view(ssop_shape shape, int64_t count, const int64_t *dimensions, const ssop_view *operand,
                           ssop_view *seen, ssop_error *error)
{
    ssop_status status = check_broadcast_dimensions(shape, count, dimensions, operand, error);
    if (status != SSOP_OK) {
        return status;
    }
    seen->data = operand->data;
    seen->item_bytes = operand->item_bytes;
    seen->rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        seen->dim[axis] = shape.dim[axis];
        seen->stride[axis] = 0;
    }
    for (int32_t axis = 0; axis < operand->rank; axis++) { /* bid_s1; the dimensions may be in any order (bid_s2) */
        seen->stride[dimensions[axis]] = operand->dim[axis] == 1 ? 0 : operand->stride[axis];
    }
    return SSOP_OK;
}

/* Counts the elements of an array of this shape; false if the number does not fit int64. */
static bool
count_elements(ssop_shape shape, int64_t *count)
{
    bool fits = true;
    *count = 1;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        if (shape.dim[axis] == 0) {
            *count = 0;
            return true;
        }
        fits = fits && checked_mul(*count, shape.dim[axis], count);
    }
    return fits;
}

ssop_status
ssop_reshape_view(const ssop_reshape_spec *spec, const ssop_view *operand, ssop_view *seen, ssop_error *error)
{
    int64_t from, to;
    if (!count_elements((ssop_shape){operand->rank, operand->dim}, &from) || !count_elements(spec->shape, &to)) {
        return fail(error, SSOP_RS_C2, NOWHERE, NO_NUMBERS);
    }
    if (from != to) {
        return fail_form(error, SSOP_RS_C1, spec->permutation != NULL, NOWHERE, numbers(to, from, from));
    }
    if (spec->permutation != NULL) { /* rs_s2 */
        return ssop_transpose_view(spec->permutation_count, spec->permutation, operand, seen, error);
    }
    *seen = *operand; /* rs_s1 */
    return SSOP_OK;
}

ssop_status
ssop_collapse_dims(int64_t count, const int64_t *dimensions, ssop_shape shape, int32_t *out_rank,
                   int64_t out_dims[SSOP_MAX_RANK], ssop_error *error)
{
    int32_t read = (int32_t)(count < SSOP_MAX_AXES_READ ? count : SSOP_MAX_AXES_READ);
    for (int32_t i = 1; i < read; i++) {
        if (dimensions[i - 1] == INT64_MAX || dimensions[i] != dimensions[i - 1] + 1) {
            int64_t next = dimensions[i - 1] < INT64_MAX ? dimensions[i - 1] + 1 : INT64_MAX;
            return fail(error, SSOP_COL_C1, at_entry(i), numbers(dimensions[i], next, next));
        }
    }
    int32_t outside = find_outside(read, dimensions, shape.rank);
    if (outside < read) {
        return fail(error, SSOP_COL_C2, at_entry(outside), numbers(dimensions[outside], 0, shape.rank - 1));
    }
    int32_t first = read > 0 ? (int32_t)dimensions[0] : 0, removed = read > 0 ? read - 1 : 0; /* col_s2 */
    int64_t joined = 1;
    if (!count_elements((ssop_shape){read, shape.dim + first}, &joined)) {
        return fail(error, SSOP_COL_C3, at_axis(first), NO_NUMBERS);
    }
    *out_rank = shape.rank - removed;
    for (int32_t axis = 0; axis < *out_rank; axis++) {
        out_dims[axis] = shape.dim[axis <= first ? axis : axis + removed];
    }
    if (read > 0) { /* col_s1 */
        out_dims[first] = joined;
    }
    return SSOP_OK;
}
