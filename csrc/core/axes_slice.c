/* Slices of listed axes: every axis in the list has an entry, the others are kept whole (ovs_s1, onx_s1). */
#include "axes.h"
#include "range.h"

/* Checks that the lists have the same length, and counts the entries. */
static ssop_status
count_entries(const axes_list *list, int32_t rank, const ssop_axes_dialect *dialect, int64_t *count, ssop_error *error)
{
    bool steps_differ = list->has_step && list->step_count != list->start_count;
    *count = list->start_count;
    if (!dialect->zips) {
        if (list->stop_count != list->start_count) {
            return fail(error, dialect->lengths, NOWHERE, numbers(list->start_count, list->stop_count, 0));
        }
        if (steps_differ &&
            dialect->step_length == dialect->lengths) { /* this dialect has one rule for the three lists */
            return fail(error, dialect->lengths, NOWHERE, numbers(list->step_count, list->start_count, 0));
        }
        if (list->axes != NULL && list->axes_count != list->start_count) {
            return fail(error, dialect->axes_length, NOWHERE, numbers(list->axes_count, list->start_count, 0));
        }
        if (steps_differ) {
            return fail(error, dialect->step_length, NOWHERE, numbers(list->step_count, list->start_count, 0));
        }
    }
    else { /* onr_s1 */
        *count = list->stop_count < *count ? list->stop_count : *count;
        *count = list->axes != NULL && list->axes_count < *count ? list->axes_count : *count;
        *count = list->has_step && list->step_count < *count ? list->step_count : *count;
    }
    bool needs_axes = list->axes == NULL || !dialect->zips;
    if (*count > rank && needs_axes && dialect->max_entries != SSOP_NO_RULE) {
        return fail(error, dialect->max_entries, NOWHERE, numbers(*count, 0, rank));
    }
    if (*count > SSOP_MAX_ENTRIES && dialect->zips) {
        return fail(error, dialect->max_length, NOWHERE, numbers(*count, 0, SSOP_MAX_ENTRIES));
    }
    return SSOP_OK;
}

/* Finds the entry of each axis, -1 if it has none. If an axis is listed twice and that is allowed, the last entry
 * wins. */
static ssop_status
match_entries(const axes_list *list, int32_t rank, int64_t count, const ssop_axes_dialect *dialect,
              int32_t entry[SSOP_MAX_RANK], ssop_error *error)
{
    for (int32_t axis = 0; axis < rank; axis++) {
        entry[axis] = -1;
    }
    for (int32_t i = 0; i < count; i++) {
        int64_t axis = list->axes != NULL ? list->axes[i] : i;
        if (axis < -rank || axis >= rank) {
            return fail(error, dialect->axis, at_entry(i), numbers(axis, -rank, rank - 1));
        }
        axis += axis < 0 ? rank : 0;
        if (entry[axis] >= 0 && !dialect->zips) {
            return fail(error, dialect->axis_twice, at_axis_entry((int32_t)axis, i), numbers(list->axes[i], 0, 0));
        }
        entry[axis] = i;
    }
    return SSOP_OK;
}

ssop_status
ssop_axes_find_entries(const axes_list *list, int32_t rank, const ssop_axes_dialect *dialect,
                       int32_t entry[SSOP_MAX_RANK], ssop_error *error)
{
    if (rank == 0 && dialect->scalar != SSOP_NO_RULE) {
        return fail(error, dialect->scalar, NOWHERE, NO_NUMBERS);
    }
    int64_t count = 0;
    ssop_status status = count_entries(list, rank, dialect, &count, error);
    return status == SSOP_OK ? match_entries(list, rank, count, dialect, entry, error) : status;
}

ssop_status
ssop_axes_slice_resolve(const ssop_axes_slice_spec *spec, ssop_shape shape, const ssop_axes_dialect *dialect,
                        ssop_region *region, ssop_trace *trace, ssop_error *error)
{
    const axes_list list = {spec->start_count, spec->stop_count, spec->axes_count,
                            spec->step_count,  spec->axes,       spec->step != NULL};
    int32_t entry[SSOP_MAX_RANK];
    ssop_status status = ssop_axes_find_entries(&list, shape.rank, dialect, entry, error);
    ssop_range ranges[SSOP_MAX_RANK]; /* the caller's region is written on success only */
    for (int32_t axis = 0; status == SSOP_OK && axis < shape.rank; axis++) {
        int32_t i = entry[axis];
        /* An axis without an entry is resolved as one with both masks. */
        range_entry one = i < 0
                            ? (range_entry){.step = 1, .flags = SSOP_BEGIN_MASK | SSOP_END_MASK}
                            : (range_entry){spec->start[i], spec->stop[i], spec->step != NULL ? spec->step[i] : 1, 0};
        ssop_axis_trace *axis_trace = trace != NULL ? &trace->axis[axis] : NULL;
        status = ssop_range_resolve(shape.dim[axis], &one, dialect->range, &ranges[axis], axis_trace, error);
        if (status != SSOP_OK && error != NULL) {
            error->axis = axis;
            error->entry = i;
        }
        if (status == SSOP_OK && trace != NULL) {
            trace->axis[axis].entry = i;
            trace->axes = axis + 1;
        }
    }
    if (status != SSOP_OK) {
        return status;
    }
    region->in_rank = region->out_rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        region->range[axis] = ranges[axis];
        region->out_axis[axis] = (int8_t)axis;
    }
    return SSOP_OK;
}
