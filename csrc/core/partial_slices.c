/* Slices with partial knowledge: dims, bounds and strides are known as intervals only, and so are the counts of the
 * result (ss_s10). A completion is one choice of known numbers from all intervals. Every count here comes from the
 * functions that resolve known slices. */
#include "axes.h"
#include "dim.h"
#include "layout.h"
#include "partial_offsets.h"
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
    if (!interval_has(interval, value)) {
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
    candidate_set set;
    set.count = 0; /* the values need no initialisation, which would take most of the time */
    add_candidate(&set, bound, bound.lo);
    add_candidate(&set, bound, bound.hi);
    add_candidate(&set, bound, -1);
    add_candidate(&set, bound, 0);
    return set;
}

/* In some dialects, two ends stand for the end of the axis. They are then not neighbours of the numbers next to them
 * (ort_s1). */
static candidate_set
end_candidates(ssop_interval end, const ssop_dialect *dialect)
{
    candidate_set set = bound_candidates(end);
    if (dialect->max_end_is_open) {
        const int64_t open[2] = {INT32_MAX, INT64_MAX};
        for (int32_t i = 0; i < 2; i++) {
            add_candidate(&set, end, open[i] - 1);
            add_candidate(&set, end, open[i]);
            if (open[i] < INT64_MAX) {
                add_candidate(&set, end, open[i] + 1);
            }
        }
    }
    return set;
}

static candidate_set
step_candidates(ssop_interval step)
{
    candidate_set set;
    set.count = 0; /* the values need no initialisation, which would take most of the time */
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

/* The dims next to one that is `reach` away from the end of the axis. */
static void
add_candidates_near(candidate_set *set, ssop_interval dim, int64_t reach)
{
    add_candidate(set, dim, reach);
    add_candidate(set, dim, reach > 0 ? reach - 1 : 0);
    if (reach < INT64_MAX) {
        add_candidate(set, dim, reach + 1);
    }
    if (reach < INT64_MAX - 1) {
        add_candidate(set, dim, reach + 2);
    }
}

/* For fixed bounds, the distance between begin and end is linear in the dim, except at the dims where a bound reaches
 * an end of the axis. These are |bound| and the dims next to it: a negative bound counts from the end, and a slice
 * backwards stops at -1. An offset with a masked end must be the length of what is left of the axis. Then the valid
 * dims are consecutive, and one of them is next to |begin| + |offset|. */
static candidate_set
dim_candidates(ssop_interval dim, const range_entry *entry, const ssop_dialect *dialect)
{
    candidate_set set;
    set.count = 0; /* the values need no initialisation, which would take most of the time */
    add_candidate(&set, dim, dim.lo);
    add_candidate(&set, dim, dim.hi);
    int64_t begin = entry->begin < 0 ? ~entry->begin : entry->begin; /* not -begin - 1: cannot overflow */
    int64_t end = entry->end < 0 ? ~entry->end : entry->end, both;
    add_candidates_near(&set, dim, begin);
    add_candidates_near(&set, dim, end);
    if (dialect->end_is_offset && checked_add(begin, end, &both)) {
        add_candidates_near(&set, dim, both);
    }
    return set;
}

typedef struct {
    bool found;
    ssop_interval counts;
} count_hull;

static void
extend_hull(count_hull *hull, ssop_interval counts)
{
    hull->counts = hull->found ? interval_hull(hull->counts, counts) : counts;
    hull->found = true;
}

/* One axis, and the part of a spec that applies to it. */
typedef struct {
    ssop_interval dim, begin, end, step;
    uint8_t flags;
} partial_axis;

/* Tries one begin, end and step with every candidate of the dim. Returns the last error, if there was one. */
static ssop_status
try_dims(const partial_axis *axis, const range_entry *entry, const ssop_dialect *dialect, count_hull *hull,
         ssop_error *error)
{
    ssop_status status = SSOP_OK;
    candidate_set dims = dim_candidates(axis->dim, entry, dialect);
    for (int32_t d = 0; d < dims.count; d++) {
        ssop_range range;
        ssop_status tried = ssop_range_resolve(dims.value[d], entry, dialect, &range, NULL, error);
        if (tried == SSOP_OK) {
            extend_hull(hull, (ssop_interval){range.count, range.count});
        }
        else {
            status = tried;
        }
    }
    return status;
}

/* The smallest and the largest count of one axis over all valid completions. */
static ssop_status
axis_counts(const partial_axis *axis, const ssop_dialect *dialect, ssop_interval *counts, ssop_error *error)
{
    candidate_set begins = bound_candidates(axis->begin), ends = end_candidates(axis->end, dialect);
    candidate_set steps = step_candidates(axis->step);
    count_hull hull = {0};
    ssop_error tried_error = {.rule = SSOP_NO_RULE, .axis = -1, .entry = -1};
    ssop_status status = SSOP_OK;
    for (int32_t b = 0; b < begins.count; b++) {
        for (int32_t e = 0; e < ends.count; e++) {
            for (int32_t s = 0; s < steps.count; s++) {
                range_entry entry = {begins.value[b], ends.value[e], steps.value[s], axis->flags};
                ssop_status tried = try_dims(axis, &entry, dialect, &hull, &tried_error);
                status = tried != SSOP_OK ? tried : status;
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

static bool
bounds_are_known(const partial_axis *axis)
{
    return interval_is_one(axis->begin) && interval_is_one(axis->end);
}

/* The same for offsets instead of ends. */
static ssop_status
offset_counts(const partial_axis *axis, const ssop_dialect *dialect, ssop_interval *counts, ssop_error *error)
{
    bool shrunk = (axis->flags & SSOP_SHRINK) != 0;
    if (shrunk || (bounds_are_known(axis) && interval_is_one(axis->step))) {
        return axis_counts(axis, dialect, counts, error);
    }
    const partial_offset offset = {axis->dim, axis->begin, axis->end, axis->step, axis->flags};
    return ssop_offset_counts(&offset, dialect, counts, error);
}

/* What TensorFlow's shape function says of one axis: nothing if the dim is unknown, and it reads begin and end only if
 * all elements of both are known (sh_s21). */
static ssop_status
tensorflow_counts(const partial_axis *axis, bool vectors_are_known, const ssop_dialect *dialect, ssop_interval *counts,
                  ssop_error *error)
{
    const int64_t step = axis->step.lo;
    bool both_masked = (axis->flags & SSOP_BEGIN_MASK) && (axis->flags & SSOP_END_MASK);
    bool shrunk = (axis->flags & SSOP_SHRINK) != 0;
    *counts = ANY_DIM;
    if (step == 0) {
        return fail(error, dialect->rules->zero_step, NOWHERE, NO_NUMBERS);
    }
    if (!interval_is_one(axis->dim)) {
        return SSOP_OK;
    }
    if (vectors_are_known || (both_masked && !shrunk)) {
        range_entry entry = {axis->begin.lo, axis->end.lo, step, axis->flags};
        ssop_range range;
        ssop_status status = ssop_range_resolve(axis->dim.lo, &entry, dialect, &range, NULL, error);
        if (status == SSOP_OK) {
            *counts = (ssop_interval){range.count, range.count};
        }
        return status;
    }
    if (shrunk && step < 0) {
        return fail(error, dialect->rules->shrunk_step, NOWHERE, numbers(step, 1, INT64_MAX));
    }
    return SSOP_OK;
}

/* A shape of so many unknown dims. */
static void
shape_of_unknown_dims(ssop_inference *inference, int32_t rank, ssop_partial_shape *shape)
{
    shape->rank = rank;
    shape->id = ++inference->last_id;
    for (int32_t axis = 0; axis < rank; axis++) {
        shape->dim[axis] = ssop_dim_new(inference, ANY_DIM);
    }
}

static void
add_place(ssop_error *error, int32_t axis, int32_t entry)
{
    if (error != NULL) {
        error->axis = axis;
        error->entry = entry;
    }
}

/* The dim of a result from its counts. It is the very dim of the input if the whole axis is taken. A slice with known
 * bounds takes at most the dim, and at most one element more where the dim is larger by one. So if the counts are all
 * of the dims, each is its own dim. */
static ssop_dim
sliced_dim(ssop_inference *inference, ssop_dim dim, ssop_interval counts, bool bounds_known)
{
    if (inference->tight && bounds_known && interval_equal(dim.value, counts)) {
        return dim;
    }
    return dim_in_mode(inference, ssop_dim_new(inference, counts));
}

/* ---- StridedSlice ------------------------------------------------------------------------------------------------ */

/* How a spec is read: as a whole, or number by number. */
typedef struct {
    const ssop_partial_spec *spec;
    const ssop_dialect *dialect;
    bool whole_vectors;     /* as TensorFlow's shape function does */
    bool vectors_are_known; /* begin and end, all of their elements */
} spec_reading;

static partial_axis
axis_of_spec(const spec_reading *reading, const ssop_partial_shape *shape, int32_t axis, int32_t entry)
{
    static const ssop_interval zero = {0, 0}, one = {1, 1};
    if (entry == LAYOUT_WHOLE) {
        return (partial_axis){shape->dim[axis].value, zero, zero, one, SSOP_BEGIN_MASK | SSOP_END_MASK};
    }
    const ssop_partial_spec *spec = reading->spec;
    uint8_t flags = spec->flags[entry];
    bool shrunk = (flags & SSOP_SHRINK) != 0;
    partial_axis made = {shape->dim[axis].value, spec->begin[entry], spec->end[entry], spec->step[entry], flags};
    if ((flags & SSOP_BEGIN_MASK) && !shrunk) {
        made.begin = zero; /* any number: it is ignored */
    }
    if (((flags & SSOP_END_MASK) && !reading->dialect->end_is_offset) || shrunk) { /* offsets: tfl_c9 reads them */
        made.end = zero;
    }
    return made;
}

static bool
all_known(int32_t count, const ssop_interval *interval)
{
    bool known = true;
    for (int32_t i = 0; i < count; i++) {
        known = known && interval_is_one(interval[i]);
    }
    return known;
}

static ssop_status
spec_axis_counts(const spec_reading *reading, const partial_axis *axis, ssop_interval *counts, ssop_error *error)
{
    if (reading->whole_vectors) {
        return tensorflow_counts(axis, reading->vectors_are_known, reading->dialect, counts, error);
    }
    if (reading->dialect->end_is_offset) {
        return offset_counts(axis, reading->dialect, counts, error);
    }
    return axis_counts(axis, reading->dialect, counts, error);
}

static ssop_status
infer_axes(ssop_inference *inference, const spec_reading *reading, const entry_layout *layout,
           const ssop_partial_shape *shape, ssop_dim dims[SSOP_MAX_RANK], ssop_error *error)
{
    for (int32_t axis = 0; axis < shape->rank; axis++) {
        int32_t i = layout->entry[axis];
        partial_axis one = axis_of_spec(reading, shape, axis, i);
        ssop_interval counts = ANY_DIM;
        ssop_status status = spec_axis_counts(reading, &one, &counts, error);
        if (status != SSOP_OK) {
            add_place(error, axis, i);
            return status;
        }
        dims[axis] =
            sliced_dim(inference, shape->dim[axis], counts, bounds_are_known(&one) && interval_is_one(one.step));
    }
    return SSOP_OK;
}

static ssop_status
infer_spec(ssop_inference *inference, const spec_reading *reading, const ssop_partial_shape *shape,
           ssop_partial_shape *out, ssop_error *error)
{
    const ssop_dialect *dialect = reading->dialect;
    entry_layout layout;
    ssop_dim dims[SSOP_MAX_RANK];
    entry_flags entries = {reading->spec->count, reading->spec->flags};
    ssop_status status = ssop_layout_resolve(entries, shape->rank, dialect, &layout, NULL, error);
    if (status == SSOP_OK && dialect->end_is_offset) {
        status = ssop_offset_layout_check(entries, &layout, shape->rank, dialect, error);
    }
    status = status == SSOP_OK ? infer_axes(inference, reading, &layout, shape, dims, error) : status;
    if (status != SSOP_OK) {
        return status;
    }
    out->rank = layout.out_rank;
    out->id = ++inference->last_id;
    for (int32_t axis = 0; axis < layout.out_rank; axis++) {
        int32_t from = layout.out_axis[axis];
        out->dim[axis] = from == SSOP_NEW_AXIS ? dim_known(1) : dims[from];
    }
    return SSOP_OK;
}

static ssop_status
infer_spec_of_rank(ssop_inference *inference, const spec_reading *reading, int32_t rank, ssop_error *error)
{
    ssop_partial_shape any, out;
    shape_of_unknown_dims(inference, rank, &any);
    return infer_spec(inference, reading, &any, &out, error);
}

/* A spec may fit no rank. The error is that of the rank that has an axis for each entry. */
ssop_status
ssop_strided_slice_infer(ssop_inference *inference, const ssop_partial_spec *spec, const ssop_partial_shape *shape,
                         const ssop_dialect *dialect, ssop_partial_shape *out, ssop_error *error)
{
    spec_reading reading = {.spec = spec, .dialect = dialect};
    reading.whole_vectors = dialect->infers_whole_vectors && !inference->tight;
    reading.vectors_are_known = all_known(spec->count, spec->begin) && all_known(spec->count, spec->end);
    bool steps_are_known = !reading.whole_vectors || all_known(spec->count, spec->step);
    if (shape->rank != SSOP_UNKNOWN_RANK && steps_are_known) {
        return infer_spec(inference, &reading, shape, out, error);
    }
    ssop_status status = SSOP_OK;
    if (!reading.whole_vectors) { /* TensorFlow's shape function checks nothing of an unknown rank */
        const int32_t first = spec->count < SSOP_MAX_RANK ? spec->count : SSOP_MAX_RANK;
        status = infer_spec_of_rank(inference, &reading, first, error);
        for (int32_t i = 1; status != SSOP_OK && i <= SSOP_MAX_RANK; i++) {
            bool is_slice = infer_spec_of_rank(inference, &reading, (first + i) % (SSOP_MAX_RANK + 1), NULL) == SSOP_OK;
            status = is_slice ? SSOP_OK : status;
        }
    }
    if (status == SSOP_OK) {
        ssop_shape_of_unknown_rank(inference, out);
    }
    return status;
}

/* ---- slices of listed axes --------------------------------------------------------------------------------------- */

static ssop_status
infer_listed(ssop_inference *inference, const ssop_partial_axes_slice_spec *spec, const ssop_partial_shape *shape,
             const ssop_axes_dialect *dialect, ssop_partial_shape *out, ssop_error *error)
{
    const axes_list list = {spec->start_count, spec->stop_count, spec->axes_count,
                            spec->step_count,  spec->axes,       spec->step != NULL};
    int32_t entry[SSOP_MAX_RANK];
    ssop_dim dims[SSOP_MAX_RANK];
    ssop_status status = ssop_axes_find_entries(&list, shape->rank, dialect, entry, error);
    for (int32_t axis = 0; status == SSOP_OK && axis < shape->rank; axis++) {
        int32_t i = entry[axis];
        dims[axis] = shape->dim[axis];
        if (i < 0) {
            continue;
        }
        ssop_interval step = spec->step != NULL ? spec->step[i] : (ssop_interval){1, 1}, counts = ANY_DIM;
        partial_axis one = {shape->dim[axis].value, spec->start[i], spec->stop[i], step, 0};
        status = axis_counts(&one, dialect->range, &counts, error);
        if (status != SSOP_OK) {
            add_place(error, axis, i);
            break;
        }
        dims[axis] = sliced_dim(inference, shape->dim[axis], counts, bounds_are_known(&one) && interval_is_one(step));
    }
    if (status != SSOP_OK) {
        return status;
    }
    memcpy(out->dim, dims, (size_t)shape->rank * sizeof *dims);
    out->rank = shape->rank;
    out->id = ++inference->last_id;
    return SSOP_OK;
}

/* The lists may fit no rank. The error is that of the greatest one, which has the most axes. */
ssop_status
ssop_axes_slice_infer(ssop_inference *inference, const ssop_partial_axes_slice_spec *spec,
                      const ssop_partial_shape *shape, const ssop_axes_dialect *dialect, ssop_partial_shape *out,
                      ssop_error *error)
{
    if (shape->rank != SSOP_UNKNOWN_RANK) {
        return infer_listed(inference, spec, shape, dialect, out, error);
    }
    ssop_partial_shape any;
    shape_of_unknown_dims(inference, SSOP_MAX_RANK, &any);
    ssop_status status = infer_listed(inference, spec, &any, dialect, out, error);
    for (int32_t rank = SSOP_MAX_RANK - 1; status != SSOP_OK && rank >= 0; rank--) {
        any.rank = rank;
        bool is_slice = infer_listed(inference, spec, &any, dialect, out, NULL) == SSOP_OK;
        status = is_slice ? SSOP_OK : status;
    }
    if (status == SSOP_OK) {
        ssop_shape_of_unknown_rank(inference, out);
    }
    return status;
}

/* ---- Slice by begin and size ------------------------------------------------------------------------------------- */

typedef struct {
    ssop_dim dim;
    ssop_interval begin, size;
} sized_axis;

/* The valid completions have 0 <= begin <= dim, and a size of -1, of which dim - begin elements are taken, or of at
 * most dim - begin. */
static ssop_status
size_counts(const sized_axis *axis, const ssop_size_dialect *dialect, ssop_interval *counts, ssop_error *error)
{
    const ssop_interval dim = axis->dim.value, begin = axis->begin;
    const ssop_interval inside = interval_common(begin, (ssop_interval){0, dim.hi});
    if (inside.lo > inside.hi) {
        return fail(error, dialect->begin, NOWHERE, numbers(begin.hi < 0 ? begin.hi : begin.lo, 0, dim.hi));
    }
    const int64_t room = dim.hi - inside.lo;
    const ssop_interval fitting = interval_common(axis->size, (ssop_interval){0, room});
    count_hull hull = {0};
    if (interval_has(axis->size, -1)) {
        extend_hull(&hull, (ssop_interval){max_int64(dim.lo - inside.hi, 0), room});
    }
    if (fitting.lo <= fitting.hi) {
        extend_hull(&hull, fitting);
    }
    if (!hull.found) {
        bool negative = axis->size.hi < -1;
        return fail(error, negative ? dialect->negative_size : dialect->size, NOWHERE,
                    numbers(negative ? axis->size.hi : axis->size.lo, 0, room));
    }
    *counts = hull.counts;
    return SSOP_OK;
}

/* True if dims are what TensorFlow's shape function says, not all that can be said. */
static bool
is_tensorflows(const ssop_inference *inference, const ssop_size_dialect *dialect)
{
    return dialect->infers_whole_vectors && !inference->tight;
}

/* The first element of a vector that is known and neither a dim nor -1; -1 for none. */
static int32_t
find_no_dim(const ssop_interval *vector, int64_t count)
{
    for (int32_t i = 0; i < count; i++) {
        if (interval_is_one(vector[i]) && vector[i].lo < -1) {
            return i;
        }
    }
    return -1;
}

/* TensorFlow's shape function reads all begins and then all sizes as shapes before it looks at an axis. So it reports
 * an element that is neither a dim nor -1 before all other errors (sh_s22). */
static ssop_status
check_vectors(const ssop_partial_size_slice_spec *spec, const ssop_partial_shape *shape,
              const ssop_size_dialect *dialect, ssop_error *error)
{
    const int32_t begin = find_no_dim(spec->begin, spec->begin_count);
    const int32_t size = find_no_dim(spec->size, spec->size_count);
    ssop_status status = SSOP_OK;
    if (begin >= 0) {
        status = fail(error, SSOP_SH_C17, NOWHERE, numbers(spec->begin[begin].lo, -1, INT64_MAX));
        add_place(error, begin, begin);
    }
    else if (size >= 0) {
        const int64_t most = shape->rank != SSOP_UNKNOWN_RANK ? shape->dim[size].value.hi : ANY_DIM.hi;
        status = fail(error, dialect->negative_size, NOWHERE, numbers(spec->size[size].lo, 0, most));
        add_place(error, size, size);
    }
    return status;
}

/* What TensorFlow's shape function says of one axis (sh_s22): a known size is the dim, whether it fits or not. */
static ssop_status
tensorflow_size_dim(ssop_inference *inference, const sized_axis *axis, bool sizes_are_known, ssop_dim *out,
                    ssop_error *error)
{
    *out = ssop_dim_new(inference, ANY_DIM);
    if (!interval_is_one(axis->size)) {
        return SSOP_OK;
    }
    if (axis->size.lo >= 0) {
        *out = dim_known(axis->size.lo);
        return SSOP_OK;
    }
    if (sizes_are_known && interval_is_one(axis->begin) && axis->begin.lo >= 0) {
        return ssop_dim_arithmetic(inference, SSOP_DIM_SUBTRACT, axis->dim, dim_known(axis->begin.lo), out, error);
    }
    return SSOP_OK;
}

static ssop_status
size_dim(ssop_inference *inference, const sized_axis *axis, bool sizes_are_known, const ssop_size_dialect *dialect,
         ssop_dim *out, ssop_error *error)
{
    if (is_tensorflows(inference, dialect)) {
        return tensorflow_size_dim(inference, axis, sizes_are_known, out, error);
    }
    ssop_interval counts = ANY_DIM;
    ssop_status status = size_counts(axis, dialect, &counts, error);
    bool known = interval_is_one(axis->begin) && interval_is_one(axis->size) && axis->size.lo == -1;
    *out = status == SSOP_OK ? sliced_dim(inference, axis->dim, counts, known) : axis->dim;
    return status;
}

ssop_status
ssop_size_slice_infer(ssop_inference *inference, const ssop_partial_size_slice_spec *spec,
                      const ssop_partial_shape *shape, const ssop_size_dialect *dialect, ssop_partial_shape *out,
                      ssop_error *error)
{
    const int64_t rank = shape->rank != SSOP_UNKNOWN_RANK ? shape->rank : spec->begin_count;
    if (spec->begin_count != rank || spec->size_count != rank) {
        int32_t form = spec->begin_count != spec->size_count;
        return fail_form(error, dialect->lengths, form, NOWHERE, numbers(spec->begin_count, rank, spec->size_count));
    }
    if (rank > SSOP_MAX_RANK) {
        return fail(error, SSOP_IN_C9, NOWHERE, numbers(rank, 0, SSOP_MAX_RANK));
    }
    ssop_status vectors = is_tensorflows(inference, dialect) ? check_vectors(spec, shape, dialect, error) : SSOP_OK;
    if (vectors != SSOP_OK) {
        return vectors;
    }
    bool sizes_are_known = all_known((int32_t)rank, spec->size);
    ssop_dim dims[SSOP_MAX_RANK];
    for (int32_t i = 0; i < rank; i++) {
        ssop_dim dim = shape->rank != SSOP_UNKNOWN_RANK ? shape->dim[i] : ssop_dim_new(inference, ANY_DIM);
        const sized_axis axis = {dim, spec->begin[i], spec->size[i]};
        ssop_status status = size_dim(inference, &axis, sizes_are_known, dialect, &dims[i], error);
        if (status != SSOP_OK) {
            add_place(error, i, i);
            return status;
        }
    }
    memcpy(out->dim, dims, (size_t)rank * sizeof *dims);
    out->rank = (int32_t)rank;
    out->id = ++inference->last_id;
    return SSOP_OK;
}
