/* XLA's Pad: finds which part of the operand is kept, and the region of the result where it goes. */
#include "common.h"

/* One axis: its padding, the length of the result, the range that is kept, and where that goes. */
typedef struct {
    int64_t low, high, interior;
    int64_t out_dim;
    ssop_range kept, place;
} padded_axis;

/* The length of a padded axis is dim + low + high + (dim - 1) * interior (pad_s1); an empty axis has no interior
 * padding (pad_s3). False if this, or dim with interior padding alone, does not fit int64. The smaller of low and high
 * is added first: then no sum overflows unless the result does. */
static bool
padded_dim(int64_t dim, const padded_axis *axis, int64_t *out_dim)
{
    int64_t gaps = dim > 1 ? dim - 1 : 0, inside, size;
    int64_t smaller = axis->low < axis->high ? axis->low : axis->high;
    int64_t larger = axis->low < axis->high ? axis->high : axis->low;
    return checked_mul(gaps, axis->interior, &inside) && checked_add(dim, inside, &size) &&
           checked_add(size, smaller, &size) && checked_add(size, larger, out_dim);
}

/* pad_s2: element k goes to index low + k * step. A negative low crops the elements before `first`, a negative high
 * those from `end` on. The length of the result fits int64, and so does every number here. */
static void
place_elements(int64_t dim, padded_axis *axis)
{
    int64_t step = dim > 1 ? axis->interior + 1 : 1, last = (dim - 1) * step;
    int64_t first = 0, end = dim;
    if (axis->low < 0) {
        int64_t cropped = -(axis->low + 1) / step; /* one less than the number of cropped elements */
        first = cropped < dim ? cropped + 1 : dim;
    }
    if (axis->high < 0) {
        end = last + axis->high < 0 ? 0 : (last + axis->high) / step + 1;
    }
    axis->kept = first < end ? ssop_range_between(first, end, 1) : (ssop_range){0, 0, 1};
    int64_t start = axis->kept.count > 0 ? axis->low + first * step : 0;
    axis->place = (ssop_range){start, axis->kept.count, axis->kept.count > 1 ? step : 1};
}

static ssop_status
resolve_axis(int32_t at, int64_t dim, padded_axis *axis, ssop_error *error)
{
    if (!padded_dim(dim, axis, &axis->out_dim)) {
        return fail(error, SSOP_PAD_C5, at_axis_entry(at, at), numbers(axis->interior, dim, dim));
    }
    if (axis->out_dim < 0) {
        return fail(error, SSOP_PAD_C6, at_axis_entry(at, at), numbers(axis->out_dim, 0, INT64_MAX));
    }
    place_elements(dim, axis);
    return SSOP_OK;
}

ssop_status
ssop_pad_resolve(const ssop_pad_spec *spec, ssop_shape shape, ssop_region *kept, ssop_region *place,
                 int64_t out_dims[SSOP_MAX_RANK], ssop_error *error)
{
    if (spec->count != shape.rank) {
        return fail(error, SSOP_PAD_C2, NOWHERE, numbers(spec->count, shape.rank, shape.rank));
    }
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        if (spec->interior[axis] < 0) {
            return fail(error, SSOP_PAD_C4, at_axis_entry(axis, axis), numbers(spec->interior[axis], 0, INT64_MAX));
        }
    }
    padded_axis padded[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        padded[axis] =
            (padded_axis){.low = spec->low[axis], .high = spec->high[axis], .interior = spec->interior[axis]};
        ssop_status status = resolve_axis(axis, shape.dim[axis], &padded[axis], error);
        if (status != SSOP_OK) {
            return status;
        }
    }
    kept->in_rank = kept->out_rank = place->in_rank = place->out_rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        out_dims[axis] = padded[axis].out_dim;
        kept->range[axis] = padded[axis].kept;
        place->range[axis] = padded[axis].place;
        kept->out_axis[axis] = place->out_axis[axis] = (int8_t)axis;
    }
    return SSOP_OK;
}
