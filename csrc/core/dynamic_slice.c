/* DynamicSlice and DynamicUpdateSlice: place a window of fixed size in an operand, by one of four policies if it does
 * not fit. */
#include "common.h"

/* The two operations make the same checks, but their errors name different rules. */
typedef struct {
    ssop_rule start_count, size_count, size_negative, size_too_large, outside;
} window_rules;

/* Adds the dim to a negative start, once, if that is requested (ds_s3). */
static ssop_start
add_dim_once(ssop_start start, bool add_dim, int64_t dim)
{
    if (add_dim && !start.huge && start.value < 0) {
        start.value += dim;
    }
    return start;
}

/* ds_s2: start mod dim, in 0..dim-1, also for negative starts and for those larger than int64. dim > 0. */
static int64_t
wrapped_start(ssop_start start, int64_t dim)
{
    if (start.huge) {
        return (int64_t)((uint64_t)start.value % (uint64_t)dim);
    }
    int64_t remainder = start.value % dim;
    return remainder < 0 ? remainder + dim : remainder;
}

/* The part of a spec that applies to one axis. */
typedef struct {
    int64_t dim, size;
    ssop_start start;
} axis_window;

/* ds_s5: what the axis has of a window that stays where it is. A start that leaves nothing of the axis may be moved as
 * long as it leaves nothing; then no sum overflows. Returns the elements of the window before the part. */
static int64_t
resolve_filled_axis(axis_window window, ssop_range part[2])
{
    int64_t dim = window.dim, size = window.size, start = window.start.huge ? dim : window.start.value;
    start = start > dim ? dim : start < -size ? -size : start;
    const int64_t before = start < 0 ? -start : 0, first = start < 0 ? 0 : start;
    const int64_t count = size - before < dim - first ? size - before : dim - first;
    part[0] = ssop_range_between(first, first + count, 1);
    part[1] = ssop_range_between(0, 0, 1);
    return count > 0 ? before : 0;
}

/* Places one axis of the window. The caller adds axis, entry and the given start to an error. */
static ssop_status
resolve_axis(axis_window window, ssop_out_of_bounds out_of_bounds, ssop_rule outside, ssop_range part[2],
             ssop_error *error)
{
    int64_t dim = window.dim, size = window.size;
    part[0] = part[1] = (ssop_range){0, 0, 1};
    if (out_of_bounds == SSOP_WRAP) {
        if (size > 0) {
            int64_t first = wrapped_start(window.start, dim);
            int64_t before_end = size < dim - first ? size : dim - first;
            part[0] = ssop_range_between(first, first + before_end, 1);
            part[1] = ssop_range_between(0, size - before_end, 1);
        }
        return SSOP_OK;
    }
    /* ds_s4, ds_s1: saturate first, then clamp; only then can sums not overflow. size <= dim, so the room is not
     * negative; of an empty window, it can be INT64_MAX. */
    int64_t room = dim - size, wanted = window.start.huge ? INT64_MAX : window.start.value;
    if (out_of_bounds == SSOP_RAISE && (wanted < 0 || wanted > room || window.start.huge)) {
        return fail(error, outside, NOWHERE, numbers(wanted, 0, room));
    }
    int64_t first = wanted < 0 ? 0 : wanted > room ? room : wanted;
    part[0] = ssop_range_between(first, first + size, 1);
    return SSOP_OK;
}

/* Makes an empty window a single piece, even if axes wrap: nothing is read, so it may start anywhere. */
static void
join_if_empty(ssop_window *window, const int64_t *size)
{
    bool empty = false;
    for (int32_t axis = 0; axis < window->rank; axis++) {
        empty = empty || size[axis] == 0;
    }
    for (int32_t axis = 0; empty && axis < window->rank; axis++) {
        if (window->part[axis][1].count > 0) {
            window->part[axis][0] = ssop_range_between(0, size[axis], 1);
            window->part[axis][1] = ssop_range_between(0, 0, 1);
        }
    }
}

static ssop_status
resolve_window(const ssop_window_spec *spec, ssop_shape shape, const window_rules *rules, ssop_window *window,
               ssop_error *error)
{
    int32_t rank = shape.rank;
    if (spec->start_count != rank) {
        return fail(error, rules->start_count, NOWHERE, numbers(spec->start_count, rank, rank));
    }
    if (spec->size_count != rank) {
        return fail(error, rules->size_count, NOWHERE, numbers(spec->size_count, rank, rank));
    }
    if (spec->add_dim_count >= 0 && spec->add_dim_count != rank) {
        return fail(error, SSOP_DS_C7, NOWHERE, numbers(spec->add_dim_count, rank, rank));
    }
    ssop_range parts[SSOP_MAX_RANK][2]; /* the caller's window is written on success only */
    int64_t before[SSOP_MAX_RANK];
    const bool fills = spec->out_of_bounds == SSOP_FILL;
    for (int32_t axis = 0; axis < rank; axis++) {
        int64_t dim = shape.dim[axis], size = spec->size[axis];
        if (size < 0) {
            return fail(error, rules->size_negative, at_axis_entry(axis, axis),
                        numbers(size, 0, fills ? INT64_MAX : dim));
        }
        if (size > dim && !fills) {
            return fail(error, rules->size_too_large, at_axis_entry(axis, axis), numbers(size, 0, dim));
        }
        ssop_start start = add_dim_once(spec->start[axis], spec->add_dim[spec->add_dim_count < 0 ? 0 : axis], dim);
        axis_window one = {dim, size, start};
        before[axis] = 0;
        if (fills) {
            before[axis] = resolve_filled_axis(one, parts[axis]);
            continue;
        }
        ssop_status status = resolve_axis(one, spec->out_of_bounds, rules->outside, parts[axis], error);
        if (status != SSOP_OK) {
            if (error != NULL) {
                error->axis = error->entry = axis;
                error->value = spec->start[axis].value; /* as given */
                error->huge = spec->start[axis].huge;
            }
            return status;
        }
    }
    memcpy(window->part, parts, (size_t)rank * sizeof *parts);
    for (int32_t axis = 0; axis < rank; axis++) {
        window->size[axis] = spec->size[axis];
        window->before[axis] = before[axis];
    }
    window->rank = rank;
    join_if_empty(window, spec->size);
    return SSOP_OK;
}

ssop_status
ssop_dynamic_slice_resolve(const ssop_window_spec *spec, ssop_shape shape, ssop_window *window, ssop_error *error)
{
    static const window_rules rules = {
        .start_count = SSOP_DS_C1,
        .size_count = SSOP_DS_C2,
        .size_negative = SSOP_DS_C3,
        .size_too_large = SSOP_DS_C4,
        .outside = SSOP_DS_C5,
    };
    return resolve_window(spec, shape, &rules, window, error);
}

ssop_status
ssop_dynamic_update_slice_resolve(const ssop_window_spec *spec, ssop_shape shape, ssop_window *window,
                                  ssop_error *error)
{
    /* The dims of an update cannot be negative, so one rule serves for both ends of their range. */
    static const window_rules rules = {
        .start_count = SSOP_DUS_C1,
        .size_count = SSOP_DUS_C2,
        .size_negative = SSOP_DUS_C3,
        .size_too_large = SSOP_DUS_C3,
        .outside = SSOP_DUS_C5,
    };
    return resolve_window(spec, shape, &rules, window, error);
}

void
ssop_window_piece(const ssop_window *window, const uint8_t choice[SSOP_MAX_RANK], ssop_region *of_operand,
                  ssop_region *of_window)
{
    of_operand->in_rank = of_operand->out_rank = of_window->in_rank = of_window->out_rank = window->rank;
    for (int32_t axis = 0; axis < window->rank; axis++) {
        ssop_range part = window->part[axis][choice[axis]];
        int64_t before = choice[axis] ? window->part[axis][0].count : window->before[axis];
        of_operand->range[axis] = part;
        of_window->range[axis] = ssop_range_between(before, before + part.count, 1);
        of_operand->out_axis[axis] = of_window->out_axis[axis] = (int8_t)axis;
    }
}

bool
ssop_window_next(const ssop_window *window, uint8_t choice[SSOP_MAX_RANK])
{
    for (int32_t axis = window->rank - 1; axis >= 0; axis--) {
        if (choice[axis] == 0 && window->part[axis][1].count > 0) {
            choice[axis] = 1;
            return true;
        }
        choice[axis] = 0;
    }
    return false;
}

bool
ssop_window_is_filled(const ssop_window *window)
{
    bool filled = false;
    for (int32_t axis = 0; axis < window->rank; axis++) {
        filled = filled || window->part[axis][0].count + window->part[axis][1].count < window->size[axis];
    }
    return filled;
}
