/* XLA's Pad: finds which part of the operand is kept, and the region of the result where it goes. */
#include "common.h"

/* The padding of one axis. */
typedef struct {
    int64_t low, high, interior;
} axis_padding;

/* The length of a padded axis is dim + low + high + (dim - 1) * interior (pad_s1); an empty axis has no interior
 * padding (pad_s3). False if this, or dim with interior padding alone, does not fit int64. The smaller of low and high
 * is added first: then no sum overflows unless the result does. */
static bool
padded_dim(int64_t dim, const axis_padding *axis, int64_t *out_dim)
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
place_elements(int64_t dim, const axis_padding *axis, ssop_range *kept, ssop_range *place)
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
    const int64_t count = first < end ? end - first : 0;
    *kept = (ssop_range){.start = count > 0 ? first : 0, .count = count, .step = 1};
    *place =
        (ssop_range){.start = count > 0 ? axis->low + first * step : 0, .count = count, .step = count > 1 ? step : 1};
}

static axis_padding
padding_of(const ssop_pad_spec *spec, int32_t axis)
{
    return (axis_padding){.low = spec->low[axis], .high = spec->high[axis], .interior = spec->interior[axis]};
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
    int64_t lengths[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        const int64_t dim = shape.dim[axis];
        const axis_padding padding = padding_of(spec, axis);
        if (!padded_dim(dim, &padding, &lengths[axis])) {
            return fail(error, SSOP_PAD_C5, at_axis_entry(axis, axis), numbers(padding.interior, dim, dim));
        }
        if (lengths[axis] < 0) {
            return fail(error, SSOP_PAD_C6, at_axis_entry(axis, axis), numbers(lengths[axis], 0, INT64_MAX));
        }
    }
    kept->in_rank = kept->out_rank = place->in_rank = place->out_rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        const axis_padding padding = padding_of(spec, axis);
        place_elements(shape.dim[axis], &padding, &kept->range[axis], &place->range[axis]);
        kept->out_axis[axis] = place->out_axis[axis] = (int8_t)axis;
        out_dims[axis] = lengths[axis];
    }
    return SSOP_OK;
}
