/* Resolving with partial knowledge: dims, bounds and strides are known as intervals only, and so are the counts of the
 * result (ss_s10). A completion is one choice of known numbers from all intervals. */
#include "layout.h"
#include "range.h"

enum { MAX_CANDIDATES = 32 };

/* The values of an interval at which the count can be smallest or largest. */
typedef struct {
    int32_t count;
    int64_t value[MAX_CANDIDATES];
} candidate_set;

static void
add_candidate(candidate_set *set, ssop_interval interval, int64_t value)
{
    if (value < interval.lo || value > interval.hi) {
        return;
    }
    for (int32_t i = 0; i < set->count; i++) {
        if (set->value[i] == value) {
            return;
        }
    }
    SSOP_ASSERT(set->count < MAX_CANDIDATES);
    set->value[set->count++] = value;
}

/* For a fixed dim, the count is monotone in begin and in end below 0 and from 0 on, and in the step below 0 and above
 * 0. So only the ends of these pieces need to be tried. */
static candidate_set
bound_candidates(ssop_interval bound)
{
    candidate_set set = {0};
    add_candidate(&set, bound, bound.lo);
    add_candidate(&set, bound, bound.hi);
    add_candidate(&set, bound, -1);
    add_candidate(&set, bound, 0);
    return set;
}

static candidate_set
step_candidates(ssop_interval step)
{
    candidate_set set = {0};
    if (step.lo == 0 && step.hi == 0) {
        add_candidate(&set, step, 0); /* every completion is an error (ss_c5) */
        return set;
    }
    add_candidate(&set, step, step.lo != 0 ? step.lo : 1);
    add_candidate(&set, step, step.hi != 0 ? step.hi : -1);
    add_candidate(&set, step, -1);
    add_candidate(&set, step, 1);
    return set;
}

/* For fixed bounds, the distance between begin and end is linear in the dim, except at the dims where a bound reaches
 * an end of the axis. These are |bound| and the dims next to it: a negative bound counts from the end, and a slice
 * backwards stops at -1. */
static candidate_set
dim_candidates(ssop_interval dim, int64_t begin, int64_t end)
{
    candidate_set set = {0};
    add_candidate(&set, dim, dim.lo);
    add_candidate(&set, dim, dim.hi);
    const int64_t bounds[2] = {begin, end};
    for (int32_t i = 0; i < 2; i++) {
        int64_t reach = bounds[i] < 0 ? -(bounds[i] + 1) : bounds[i]; /* ~bound: cannot overflow */
        add_candidate(&set, dim, reach);
        add_candidate(&set, dim, reach > 0 ? reach - 1 : 0);
        if (reach < INT64_MAX) {
            add_candidate(&set, dim, reach + 1);
        }
        if (reach < INT64_MAX - 1) {
            add_candidate(&set, dim, reach + 2);
        }
    }
    return set;
}

typedef struct {
    bool found;
    ssop_interval counts;
} count_hull;

/* Resolves one completion. If it is valid, extends the interval of counts so that its count is in it. */
static ssop_status
try_completion(int64_t dim, const range_entry *entry, const ssop_dialect *dialect, count_hull *hull, ssop_error *error)
{
    ssop_range range;
    ssop_status status = ssop_range_resolve(dim, entry, dialect, &range, NULL, error);
    if (status != SSOP_OK) {
        return status;
    }
    if (!hull->found || range.count < hull->counts.lo) {
        hull->counts.lo = range.count;
    }
    if (!hull->found || range.count > hull->counts.hi) {
        hull->counts.hi = range.count;
    }
    hull->found = true;
    return SSOP_OK;
}

/* One axis, and the part of a spec that applies to it. */
typedef struct {
    ssop_interval dim, begin, end, step;
    uint8_t flags;
} partial_axis;

/* The smallest and the largest count of one axis over all valid completions. */
static ssop_status
axis_counts(const partial_axis *axis, const ssop_dialect *dialect, ssop_interval *counts, ssop_error *error)
{
    candidate_set begins = bound_candidates(axis->begin), ends = bound_candidates(axis->end);
    candidate_set steps = step_candidates(axis->step);
    count_hull hull = {0};
    ssop_error tried_error = {.rule = SSOP_NO_RULE, .axis = -1, .entry = -1};
    ssop_status status = SSOP_OK;
    for (int32_t b = 0; b < begins.count; b++) {
        for (int32_t e = 0; e < ends.count; e++) {
            candidate_set dims = dim_candidates(axis->dim, begins.value[b], ends.value[e]);
            for (int32_t s = 0; s < steps.count; s++) {
                range_entry entry = {begins.value[b], ends.value[e], steps.value[s], axis->flags};
                for (int32_t d = 0; d < dims.count; d++) {
                    ssop_status tried = try_completion(dims.value[d], &entry, dialect, &hull, &tried_error);
                    status = tried != SSOP_OK ? tried : status;
                }
            }
        }
    }
    if (!hull.found) {
        if (error != NULL) {
            *error = tried_error;
        }
        return status;
    }
    *counts = hull.counts;
    return SSOP_OK;
}

ssop_status
ssop_strided_slice_counts(const ssop_partial_spec *spec, const ssop_partial_shape *shape, const ssop_dialect *dialect,
                          ssop_partial_shape *out, ssop_error *error)
{
    SSOP_ASSERT(!dialect->end_is_offset &&
                !dialect->max_end_is_open); /* with these flags, other values would have to be tried */
    entry_layout layout;
    entry_flags entries = {spec->count, spec->flags};
    ssop_status status = ssop_layout_resolve(entries, shape->rank, dialect, &layout, NULL, error);
    if (status != SSOP_OK) {
        return status;
    }
    ssop_interval counts[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < shape->rank; axis++) {
        int32_t i = layout.entry[axis];
        if (i == LAYOUT_WHOLE) {
            counts[axis] = shape->dim[axis];
            continue;
        }
        partial_axis one = {shape->dim[axis], spec->begin[i], spec->end[i], spec->step[i], spec->flags[i]};
        status = axis_counts(&one, dialect, &counts[axis], error);
        if (status != SSOP_OK) {
            if (error != NULL) {
                error->axis = axis;
                error->entry = i;
            }
            return status;
        }
    }
    out->rank = layout.out_rank;
    for (int32_t axis = 0; axis < layout.out_rank; axis++) {
        int32_t from = layout.out_axis[axis];
        out->dim[axis] = from == SSOP_NEW_AXIS ? (ssop_interval){1, 1} : counts[from];
    }
    return SSOP_OK;
}
