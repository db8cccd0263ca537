/* Calls with masks as ONNX's Slice, which has none. */
#include "one_slice.h"

enum { BEGIN, END, ELLIPSIS, NEW_AXIS, SHRINK_AXIS };

static bool
has(const masked_call *call, int mask, int64_t entry)
{
    return entry < 32 && (call->masks[mask] >> entry & 1) != 0;
}

/* Counts the entries but the ellipsis, whose place is written (-1: there is none). Returns false if the call has no
 * equal. */
static bool
count_ranges(const masked_call *call, int32_t rank, int32_t *ranges, int32_t *ellipsis)
{
    *ranges = 0;
    *ellipsis = -1;
    for (int32_t i = 0; i < call->count; i++) {
        if (!has(call, ELLIPSIS, i)) {
            if (has(call, NEW_AXIS, i) || has(call, SHRINK_AXIS, i) || *ranges == rank) {
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
    return call->count >= 0 && rank > 0;
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
one_slice_write(const masked_call *call, int32_t rank, one_slice *out, ssop_trace *trace)
{
    int32_t ranges, ellipsis, axis = 0;
    if (!count_ranges(call, rank, &ranges, &ellipsis)) {
        return false;
    }
    out->count = 0;
    for (int32_t i = 0; i < call->count; i++) {
        if (i == ellipsis) {
            trace_entry(trace, SSOP_ELLIPSIS, axis, rank - ranges);
            axis += rank - ranges;
            continue;
        }
        const bool backward = call->step[i] < 0, begin = has(call, BEGIN, i), end = has(call, END, i);
        const int32_t k = out->count++;
        out->start[k] = !begin ? call->begin[i] : backward ? INT64_MAX : 0;
        out->stop[k] = !end ? call->end[i] : backward ? INT64_MIN : INT64_MAX;
        out->step[k] = call->step[i];
        out->axes[k] = axis;
        out->entry[k] = i;
        trace_entry(trace, (uint8_t)((begin ? SSOP_BEGIN_MASK : 0) | (end ? SSOP_END_MASK : 0)), axis++, 1);
    }
    return true;
}
