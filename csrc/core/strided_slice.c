/* StridedSlice: resolves a sparse spec with five masks against a shape, to a region. */
#include "layout.h"
#include "range.h"

/* `flag` if the bit of the entry is set. Masks have 32 bits, but a dialect may allow more entries than that. */
static uint8_t
flag_of(int32_t mask, int32_t entry, uint8_t flag)
{
    return entry < 32 && ((uint32_t)mask >> entry & 1) ? flag : 0;
}

static bool
has_many_bits(int32_t mask)
{
    uint32_t bits = (uint32_t)mask;
    return (bits & (bits - 1)) != 0;
}

ssop_status
ssop_spec_init(ssop_spec *spec, ssop_spec_counts counts, const ssop_masks *masks, const ssop_dialect *dialect,
               ssop_error *error)
{
    if (counts.begin != counts.end || counts.begin != counts.step) {
        int32_t form = counts.begin != counts.end; /* 1: begin and end differ; 0: only the strides do */
        return fail_form(error, dialect->rules->lengths, form, NOWHERE, numbers(counts.begin, counts.end, counts.step));
    }
    if (counts.begin > dialect->max_entries) {
        return fail(error, dialect->rules->max_entries, NOWHERE, numbers(counts.begin, 0, dialect->max_entries));
    }
    int32_t spare = dialect->spare_bits_count || counts.begin >= 32 ? 0 : (int32_t)(UINT32_MAX << counts.begin);
    if (has_many_bits(masks->ellipsis & ~spare)) {
        return fail(error, dialect->rules->ellipses, NOWHERE, numbers(masks->ellipsis, 0, 0));
    }
    spec->count = (int32_t)counts.begin;
    spec->no_flags = (masks->begin | masks->end | masks->ellipsis | masks->new_axis | masks->shrink_axis) == 0;
    if (spec->no_flags) {
        memset(spec->flags, 0, (size_t)spec->count); /* no masks: the most common case */
        return SSOP_OK;
    }
    for (int32_t i = 0; i < spec->count; i++) { /* bits of entries that do not exist are ignored (ss_s8) */
        spec->flags[i] =
            (uint8_t)(flag_of(masks->begin, i, SSOP_BEGIN_MASK) | flag_of(masks->end, i, SSOP_END_MASK) |
                      flag_of(masks->ellipsis, i, SSOP_ELLIPSIS) | flag_of(masks->new_axis, i, SSOP_AXIS_NEW) |
                      flag_of(masks->shrink_axis, i, SSOP_SHRINK));
    }
    return SSOP_OK;
}

/* A short path for the most common case: no flags, bounds inside their axes, steps of 1. Then entry i belongs to axis
 * i, and no bound needs to be adjusted. For other specs, returns false and writes nothing. */
static bool
resolve_common_case(const ssop_spec *spec, ssop_shape shape, ssop_region *region)
{
    if (!spec->no_flags || spec->count > shape.rank) {
        return false;
    }
    for (int32_t i = 0; i < spec->count; i++) {
        if (spec->step[i] != 1 || spec->begin[i] < 0 || spec->begin[i] >= spec->end[i] || spec->end[i] > shape.dim[i]) {
            return false;
        }
    }
    region->in_rank = region->out_rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        bool whole = axis >= spec->count;
        region->range[axis] = whole ? ssop_range_between(0, shape.dim[axis], 1)
                                    : (ssop_range){spec->begin[axis], spec->end[axis] - spec->begin[axis], 1};
        region->out_axis[axis] = (int8_t)axis;
    }
    return true;
}

ssop_status
ssop_strided_slice_resolve(const ssop_spec *spec, ssop_shape shape, const ssop_dialect *dialect, ssop_region *region,
                           ssop_trace *trace, ssop_error *error)
{
    if (trace == NULL && !dialect->end_is_offset && resolve_common_case(spec, shape, region)) {
        return SSOP_OK;
    }
    entry_layout layout;
    ssop_range ranges[SSOP_MAX_RANK]; /* the caller's region is written on success only */
    const entry_flags entries = {spec->count, spec->flags};
    ssop_status status = ssop_layout_resolve(entries, shape.rank, dialect, &layout, trace, error);
    if (status != SSOP_OK) {
        return status;
    }
    if (dialect->end_is_offset) {
        status = ssop_offset_layout_check(entries, &layout, shape.rank, dialect, error);
        if (status != SSOP_OK) {
            return status;
        }
    }
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        int32_t i = layout.entry[axis];
        /* An axis without an entry is resolved as one with both masks. */
        range_entry entry = i == LAYOUT_WHOLE
                              ? (range_entry){.step = 1, .flags = SSOP_BEGIN_MASK | SSOP_END_MASK}
                              : (range_entry){spec->begin[i], spec->end[i], spec->step[i], spec->flags[i]};
        ssop_axis_trace *axis_trace = trace != NULL ? &trace->axis[axis] : NULL;
        status = ssop_range_resolve(shape.dim[axis], &entry, dialect, &ranges[axis], axis_trace, error);
        if (status != SSOP_OK) {
            if (error != NULL) {
                error->axis = axis;
                error->entry = i;
            }
            return status;
        }
        if (trace != NULL) {
            trace->axis[axis].entry = i;
            trace->axes = axis + 1;
        }
    }
    memcpy(region->range, ranges, (size_t)shape.rank * sizeof *ranges);
    region->in_rank = shape.rank;
    region->out_rank = layout.out_rank;
    for (int32_t axis = 0; axis < layout.out_rank; axis++) {
        region->out_axis[axis] = layout.out_axis[axis];
    }
    return SSOP_OK;
}
