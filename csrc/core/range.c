/* Resolves one axis: from an entry of a spec and the length of the axis to start, count and step. Every slice uses
 * it. */
#include "range.h"

/* ss_s6: if the distance from begin to end is positive, there are (distance - 1) / |step| + 1 elements. This cannot
 * overflow, unlike (distance + step - 1) / step. */
ssop_range
ssop_range_between(int64_t begin, int64_t end, int64_t step)
{
    SSOP_ASSERT(step != 0);
    if (step > 0 ? begin >= end : begin <= end) {
        return (ssop_range){0, 0, 1};
    }
    uint64_t distance = step > 0 ? (uint64_t)end - (uint64_t)begin : (uint64_t)begin - (uint64_t)end;
    uint64_t count = step == 1 ? distance : (distance - 1) / magnitude(step) + 1;
    return (ssop_range){begin, (int64_t)count, count == 1 ? 1 : step};
}

ssop_range
ssop_range_compose(ssop_range first, ssop_range second)
{
    if (second.count == 0) {
        return (ssop_range){0, 0, 1};
    }
    /* Both lie inside their axes, so nothing overflows: second.start and second.step stay below first.count. */
    return (ssop_range){
        .start = first.start + second.start * first.step,
        .count = second.count,
        .step = second.count == 1 ? 1 : first.step * second.step,
    };
}

static int64_t
clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* A negative bound counts from the end: dim is added to it, once (ss_s4). dim >= 0, so nothing overflows. */
static int64_t
add_dim_once(int64_t bound, int64_t dim)
{
    return bound < 0 ? bound + dim : bound;
}

/* A shrunk axis (ss_s7): begin selects one element; end and the masks are ignored. */
static ssop_status
resolve_shrunk(int64_t dim, const range_entry *entry, const ssop_dialect *dialect, ssop_range *range,
               ssop_axis_trace *trace, ssop_error *error)
{
    if (entry->step <= 0 && !dialect->shrink_ignores_step) {
        return fail(error, dialect->rules->shrunk_step, NOWHERE, numbers(entry->step, 1, INT64_MAX));
    }
    bool masked = dialect->shrink_reads_begin_mask && (entry->flags & SSOP_BEGIN_MASK);
    int64_t wrapped = add_dim_once(entry->begin, dim);
    int64_t clamped = dialect->shrink_clamps_below && wrapped < 0 ? 0 : wrapped;
    int64_t begin = masked ? 0 : clamped;
    if (begin < 0 || begin >= dim) {
        return fail_form(error, dialect->rules->shrunk_index, entry->begin < 0, NOWHERE,
                         numbers(entry->begin, -dim, dim - 1));
    }
    *range = (ssop_range){begin, 1, 1};
    if (trace != NULL) {
        *trace = (ssop_axis_trace){.wrapped_begin = wrapped,
                                   .wrapped_end = begin + 1,
                                   .clamped_begin = clamped,
                                   .clamped_end = begin + 1,
                                   .begin = begin,
                                   .end = begin + 1,
                                   .range = *range};
    }
    return SSOP_OK;
}

/* True if the end is masked (ss_s5), or has a value that the dialect treats as masked (ort_s1). */
static bool
end_is_open(const range_entry *entry, const ssop_dialect *dialect)
{
    return (entry->flags & SSOP_END_MASK) ||
           (dialect->max_end_is_open && (entry->end == INT32_MAX || entry->end == INT64_MAX));
}

/* begin + offset, or the end of int64 that it would pass (tfl_s4). */
static int64_t
add_offset(int64_t begin, int64_t offset)
{
    int64_t end;
    return checked_add(begin, offset, &end) ? end : offset > 0 ? INT64_MAX : INT64_MIN;
}

ssop_status
ssop_range_resolve(int64_t dim, const range_entry *entry, const ssop_dialect *dialect, ssop_range *range,
                   ssop_axis_trace *trace, ssop_error *error)
{
    bool shrunk = (entry->flags & SSOP_SHRINK) != 0;
    if (entry->step == 0 && !(shrunk && dialect->shrink_ignores_step)) {
        return fail(error, dialect->rules->zero_step, NOWHERE, NO_NUMBERS);
    }
    if (shrunk) {
        return resolve_shrunk(dim, entry, dialect, range, trace, error);
    }
    /* ss_s4: bounds are clamped to 0..dim for positive steps, to -1..dim-1 for negative ones. */
    bool forward = entry->step > 0;
    int64_t low = forward ? 0 : -1, high = forward ? dim : dim - 1;
    int64_t begin_low = !forward && dialect->reverse_clamps_begin_first && dim > 0 ? 0 : low;

    int64_t wrapped_begin = add_dim_once(entry->begin, dim);
    int64_t clamped_begin = clamp(wrapped_begin, begin_low, high);
    int64_t begin = !(entry->flags & SSOP_BEGIN_MASK) ? clamped_begin : forward ? low : high; /* ss_s5 */

    int64_t given_end = dialect->end_is_offset ? add_offset(begin, entry->end) : entry->end;
    int64_t wrapped_end = add_dim_once(given_end, dim);
    int64_t clamped_end = clamp(wrapped_end, low, high);
    int64_t end = !end_is_open(entry, dialect) ? clamped_end : forward ? high : low;

    ssop_range selected = ssop_range_between(begin, end, entry->step);
    if (dialect->end_is_offset && selected.count != ssop_range_between(0, entry->end, entry->step).count) { /* tfl_c9 */
        return fail(error, dialect->rules->offset_window, NOWHERE, numbers(entry->end, 0, 0));
    }
    *range = selected;
    if (trace != NULL) {
        *trace = (ssop_axis_trace){.wrapped_begin = wrapped_begin,
                                   .wrapped_end = wrapped_end,
                                   .clamped_begin = clamped_begin,
                                   .clamped_end = clamped_end,
                                   .begin = begin,
                                   .end = end,
                                   .range = *range};
    }
    return SSOP_OK;
}
