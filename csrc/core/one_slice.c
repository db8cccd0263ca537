/* Strided slices as one slice of listed axes, which has no masks: what converters write for ONNX. */
#include "common.h"

static bool
has(int32_t mask, int32_t entry)
{
    return entry < 32 && ((uint32_t)mask >> entry & 1) != 0;
}

/* Counts the entries but the ellipsis, whose place is written, or -1 without an ellipsis. Returns false if the spec has
 * no equal. */
static bool
count_ranges(int32_t count, const ssop_masks *masks, int32_t rank, int32_t *ranges, int32_t *ellipsis)
{
    *ranges = 0;
    *ellipsis = -1;
    for (int32_t i = 0; i < count; i++) {
        if (!has(masks->ellipsis, i)) {
            if (has(masks->new_axis | masks->shrink_axis, i) || *ranges == rank) {
                return false;
            }
            *ranges += 1;
        }
        else if (*ellipsis >= 0) {
            return false;
        }
        else {
            *ellipsis = i;
        }
    }
    return rank > 0;
}

static void
trace_entry(ssop_trace *trace, uint8_t flags, int32_t first_axis, int32_t axis_count)
{
    int32_t entry = trace->entries++;
    trace->flags[entry] = flags;
    trace->first_axis[entry] = (int16_t)first_axis;
    trace->axis_count[entry] = (int16_t)axis_count;
}

bool
ssop_one_slice_write(const ssop_spec *spec, ssop_spec_counts counts, const ssop_masks *masks, int32_t rank,
                     ssop_one_slice *out, ssop_trace *trace)
{
    int32_t ranges, ellipsis, axis = 0;
    if (counts.begin != counts.end || counts.begin != counts.step || counts.begin > SSOP_MAX_ENTRIES ||
        !count_ranges((int32_t)counts.begin, masks, rank, &ranges, &ellipsis)) {
        return false;
    }
    out->count = 0;
    for (int32_t i = 0; i < (int32_t)counts.begin; i++) {
        if (i == ellipsis) {
            trace_entry(trace, SSOP_ELLIPSIS, axis, rank - ranges);
            axis += rank - ranges;
            continue;
        }
        const bool backward = spec->step[i] < 0, begin = has(masks->begin, i), end = has(masks->end, i);
        const int32_t k = out->count++;
        out->start[k] = !begin ? spec->begin[i] : backward ? INT64_MAX : 0;
        out->stop[k] = !end ? spec->end[i] : backward ? INT64_MIN : INT64_MAX;
        out->step[k] = spec->step[i];
        out->axes[k] = axis;
        out->entry[k] = i;
        trace_entry(trace, (uint8_t)((begin ? SSOP_BEGIN_MASK : 0) | (end ? SSOP_END_MASK : 0)), axis++, 1);
    }
    return true;
}
