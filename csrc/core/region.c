/* Regions: shape, checks, composition, views of their elements, and the split into a region with positive steps and
 * axes to reverse. */
#include "range.h"

void
ssop_region_whole(ssop_region *region, ssop_shape shape)
{
    region->in_rank = region->out_rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        region->range[axis].start = 0;
        region->range[axis].count = shape.dim[axis];
        region->range[axis].step = 1;
        region->out_axis[axis] = (int8_t)axis;
    }
}

int64_t
ssop_region_dim(const ssop_region *region, int32_t axis)
{
    int32_t from = region->out_axis[axis];
    return from >= 0 ? region->range[from].count : from == SSOP_NEW_AXIS ? 1 : 0;
}

bool
ssop_region_is_empty(const ssop_region *region)
{
    for (int32_t axis = 0; axis < region->in_rank; axis++) {
        if (region->range[axis].count == 0) {
            return true;
        }
    }
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        if (region->out_axis[axis] == SSOP_EMPTY_AXIS) {
            return true;
        }
    }
    return false;
}

/* True if the first and the last element are inside 0..dim-1, and the range is canonical (rg_s1). */
static bool
is_canonical(ssop_range range, int64_t dim)
{
    if (range.count == 0) {
        return range.start == 0 && range.step == 1;
    }
    if (range.count < 0 || range.start < 0 || range.start >= dim || range.step == 0) {
        return false;
    }
    if (range.count == 1) {
        return range.step == 1;
    }
    uint64_t room = (uint64_t)(range.step > 0 ? dim - 1 - range.start : range.start);
    return (uint64_t)(range.count - 1) <= room / magnitude(range.step);
}

ssop_status
ssop_region_check(const ssop_region *region, const int64_t *dims, ssop_error *error)
{
    bool used[SSOP_MAX_RANK] = {false};
    int32_t last = -1; /* the input axes of a slice stay in order */
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        int32_t from = region->out_axis[axis];
        if (from < SSOP_EMPTY_AXIS || from >= region->in_rank || (from >= 0 && from <= last)) {
            return fail_form(error, SSOP_RG_C2, 1, at_axis(axis), NO_NUMBERS);
        }
        if (from >= 0) {
            used[from] = true;
            last = from;
        }
    }
    for (int32_t axis = 0; axis < region->in_rank; axis++) {
        bool fits = dims[axis] >= 0 && is_canonical(region->range[axis], dims[axis]);
        if (!fits || (!used[axis] && region->range[axis].count != 1)) {
            return fail(error, SSOP_RG_C2, at_axis(axis), NO_NUMBERS);
        }
    }
    return SSOP_OK;
}

ssop_status
ssop_region_compose(const ssop_region *first, const ssop_region *second, const int64_t *second_dims, ssop_region *out,
                    ssop_error *error)
{
    if (second->in_rank != first->out_rank) {
        return fail_form(error, SSOP_RG_C1, 1, NOWHERE, numbers(second->in_rank, first->out_rank, first->out_rank));
    }
    for (int32_t axis = 0; axis < first->out_rank; axis++) {
        int64_t dim = ssop_region_dim(first, axis);
        if (second_dims[axis] != dim) {
            return fail(error, SSOP_RG_C1, at_axis(axis), numbers(second_dims[axis], dim, dim));
        }
    }
    out->in_rank = first->in_rank;
    for (int32_t axis = 0; axis < first->in_rank; axis++) {
        out->range[axis] = first->range[axis];
    }
    for (int32_t axis = 0; axis < first->out_rank; axis++) {
        int32_t from = first->out_axis[axis];
        if (from >= 0) {
            out->range[from] = ssop_range_compose(first->range[from], second->range[axis]);
        }
    }
    out->out_rank = second->out_rank;
    for (int32_t axis = 0; axis < second->out_rank; axis++) {
        int32_t middle = second->out_axis[axis];
        if (middle < 0) {
            out->out_axis[axis] = (int8_t)middle;
            continue;
        }
        int32_t from = first->out_axis[middle];
        bool emptied = from < 0 && second->range[middle].count == 0;
        out->out_axis[axis] = (int8_t)(emptied ? SSOP_EMPTY_AXIS : from);
    }
    return SSOP_OK;
}

void
ssop_region_split(const ssop_region *region, ssop_region *forward, bool flip[SSOP_MAX_RANK])
{
    *forward = *region;
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        int32_t from = region->out_axis[axis];
        flip[axis] = from >= 0 && region->range[from].step < 0;
        if (flip[axis]) {
            ssop_range range = region->range[from];
            forward->range[from] = (ssop_range){range.start + (range.count - 1) * range.step, range.count, -range.step};
        }
    }
}

/* The first item of the region, its lowest byte and the byte after its highest, as offsets from the first item of the
 * input. */
typedef struct {
    int64_t offset, low, high;
} byte_extent;

/* Adds one axis; false if that overflows. The range is inside the axis, so only strides that no memory has can overflow
 * (mem_c1). */
static bool
extend(byte_extent *extent, ssop_range range, int64_t stride)
{
    int64_t first, step, reach = 0;
    bool fits =
        checked_mul(range.start, stride, &first) && checked_add(extent->offset, first, &extent->offset) &&
        (range.count < 2 || (checked_mul(range.step, stride, &step) && checked_mul(range.count - 1, step, &reach)));
    return fits && checked_add(extent->low, first, &extent->low) && checked_add(extent->high, first, &extent->high) &&
           (reach < 0 ? checked_add(extent->low, reach, &extent->low)
                      : checked_add(extent->high, reach, &extent->high));
}

ssop_status
ssop_region_view(const ssop_region *region, const ssop_view *in, ssop_view *out, ssop_error *error)
{
    SSOP_ASSERT(region->in_rank == in->rank);
    bool empty = ssop_region_is_empty(region), offsets_fit = view_offsets_fit(in);
    byte_extent extent = {0, 0, in->item_bytes};
    for (int32_t axis = 0; !empty && axis < region->in_rank; axis++) { /* strides do not matter if it is empty */
        if (offsets_fit) {
            extent.offset += region->range[axis].start * in->stride[axis];
            continue;
        }
        bool unit = in->dim[axis] == 1; /* its stride is ignored */
        if (!unit && !extend(&extent, region->range[axis], in->stride[axis])) {
            return fail(error, SSOP_MEM_C1, at_axis(axis), NO_NUMBERS);
        }
    }
    out->data = extent.offset != 0 ? in->data + extent.offset : in->data; /* which may be NULL */
    out->item_bytes = in->item_bytes;
    out->rank = region->out_rank;
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        int32_t from = region->out_axis[axis];
        out->dim[axis] = ssop_region_dim(region, axis);
        bool moves = !empty && from >= 0 && region->range[from].count > 1;
        out->stride[axis] = moves ? region->range[from].step * in->stride[from] : 0;
    }
    return SSOP_OK;
}
