/* Slices with offsets, of which not all is known: an offset must be the length of what is taken (tfl_c9), which the
 * ends of intervals do not decide. So all completions are tried, without those that do the same as another one. */
#include "partial_offsets.h"

#include "range.h"

enum { FAR = 256, MAX_COMPLETIONS = 1 << 17 };

/* True for an end that is far from 0, and not because nothing is known. */
static bool
is_far(int64_t end)
{
    return (end <= -FAR || end >= FAR) && end != INT64_MIN && end != INT64_MAX;
}

/* The distance from 0 of the farther end, not counting ends that are not known. */
static int64_t
reach(ssop_interval x)
{
    int64_t below = x.lo > -FAR && x.lo < 0 ? -x.lo : 0, above = x.hi < FAR && x.hi > 0 ? x.hi : 0;
    below = x.lo > 0 && x.lo < FAR ? x.lo : below;
    above = x.hi < 0 && x.hi > -FAR ? -x.hi : above;
    return max_int64(below, above);
}

static ssop_interval
within(ssop_interval x, int64_t low, int64_t high)
{
    return (ssop_interval){min_int64(max_int64(x.lo, low), high), min_int64(max_int64(x.hi, low), high)};
}

static int64_t
count_of(ssop_interval x)
{
    return x.hi - x.lo + 1;
}

/* The same axis without the numbers that have the effect of a nearer one. These are a begin outside the axis, a step
 * that passes it and the offset, and an offset of more steps than the axis has. The last of them is a dim that is
 * longer than all these reach. */
static partial_offset
without_far_numbers(const partial_offset *axis)
{
    partial_offset near = *axis;
    const int64_t reached = reach(axis->begin) + reach(axis->offset) + reach(axis->step) + 2;
    near.dim.hi = axis->dim.hi < FAR ? axis->dim.hi : axis->dim.lo + reached;
    const int64_t dim = near.dim.hi, step = max_int64(dim, reach(axis->offset)) + 1;
    near.begin = within(axis->begin, -dim - 1, dim);
    near.step = within(axis->step, -step, step);
    near.offset = within(axis->offset, -(step + 2) * dim - 2, (step + 2) * dim + 2);
    return near;
}

/* True if there are few enough numbers. An end of int64 that is known does the same as a nearer number as a begin or a
 * step, but not as a dim or an offset. */
static bool
can_be_tried(const partial_offset *axis)
{
    if (axis->dim.lo == INT64_MAX || axis->offset.lo == INT64_MAX || axis->offset.hi == INT64_MIN) {
        return false;
    }
    const ssop_interval all[4] = {axis->dim, axis->begin, axis->offset, axis->step};
    for (int i = 0; i < 4; i++) {
        if (is_far(all[i].lo) || is_far(all[i].hi)) {
            return false;
        }
    }
    const partial_offset near = without_far_numbers(axis);
    int64_t count = count_of(near.dim) * count_of(near.begin); /* at most 2^10 and 2^11 */
    count *= count_of(near.step);
    return count <= MAX_COMPLETIONS && count * count_of(near.offset) <= MAX_COMPLETIONS;
}

ssop_status
ssop_offset_counts(const partial_offset *axis, const ssop_dialect *dialect, ssop_interval *counts, ssop_error *error)
{
    *counts = (ssop_interval){0, axis->dim.hi};
    if (!can_be_tried(axis)) {
        return SSOP_OK;
    }
    const partial_offset near = without_far_numbers(axis);
    ssop_interval hull = {INT64_MAX, INT64_MIN};
    ssop_status status = SSOP_OK;
    for (int64_t dim = near.dim.lo; dim <= near.dim.hi; dim++) {
        for (int64_t begin = near.begin.lo; begin <= near.begin.hi; begin++) {
            for (int64_t offset = near.offset.lo; offset <= near.offset.hi; offset++) {
                for (int64_t step = near.step.lo; step <= near.step.hi; step++) {
                    range_entry entry = {begin, offset, step, axis->flags};
                    ssop_range range;
                    ssop_status tried = ssop_range_resolve(dim, &entry, dialect, &range, NULL, error);
                    hull = tried == SSOP_OK ? interval_hull(hull, (ssop_interval){range.count, range.count}) : hull;
                    status = tried != SSOP_OK ? tried : status;
                }
            }
        }
    }
    if (hull.lo > hull.hi) {
        return status;
    }
    if (near.dim.hi == axis->dim.hi) {
        *counts = hull;
    }
    return SSOP_OK;
}
