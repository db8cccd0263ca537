/* From a sparse spec to a dense one: finds the entry of every input axis and the input axis of every output axis. */
#include "layout.h"

/* ss_s1, ov_s1: if flags of an entry conflict, keeps only the one that takes precedence. */
static uint8_t
without_conflicts(uint8_t flags)
{
    if (flags & SSOP_ELLIPSIS) {
        return SSOP_ELLIPSIS;
    }
    if (flags & SSOP_AXIS_NEW) {
        return SSOP_AXIS_NEW;
    }
    return flags;
}

/* The end of the axes that the ellipsis at entry `at` covers: it leaves as many axes as the entries after it need
 * (ss_s2). */
static int32_t
ellipsis_end(entry_flags entries, int32_t at, int32_t rank)
{
    int32_t needed = 0;
    for (int32_t i = at + 1; i < entries.count; i++) {
        needed += (entries.flags[i] & SSOP_AXIS_NEW) ? 0 : 1;
    }
    return rank - needed;
}

/* True if an entry after `at` is a new axis. */
static bool
new_axis_follows(entry_flags entries, int32_t at)
{
    for (int32_t i = at + 1; i < entries.count; i++) {
        if (without_conflicts(entries.flags[i]) == SSOP_AXIS_NEW) {
            return true;
        }
    }
    return false;
}

/* Axes beyond SSOP_MAX_RANK are counted but not written (ss_c8). */
static void
add_out_axis(entry_layout *layout, int32_t out_axis)
{
    if (layout->out_rank < SSOP_MAX_RANK) {
        layout->out_axis[layout->out_rank] = (int8_t)out_axis;
    }
    layout->out_rank++;
}

/* Returns the next input axis. */
static int32_t
keep_whole_axes(entry_layout *layout, int32_t axis, int32_t stop)
{
    for (; axis < stop; axis++) {
        layout->entry[axis] = LAYOUT_WHOLE;
        add_out_axis(layout, axis);
    }
    return axis;
}

/* An entry has no axis left. The rule has a second message, for scalars. */
static ssop_status
fail_no_axis(ssop_error *error, const ssop_dialect *dialect, int32_t rank, int32_t entry)
{
    return fail_form(error, dialect->rules->no_axis, rank == 0, at_axis_entry(rank, entry), NO_NUMBERS);
}

ssop_status
ssop_layout_resolve(entry_flags entries, int32_t rank, const ssop_dialect *dialect, entry_layout *layout,
                    ssop_trace *trace, ssop_error *error)
{
    SSOP_ASSERT(entries.count >= 0 && entries.count <= SSOP_MAX_ENTRIES && rank >= 0 && rank <= SSOP_MAX_RANK);
    int32_t next_axis = 0; /* of the input */
    bool ellipsis_seen = false;
    layout->out_rank = 0;

    for (int32_t i = 0; i < entries.count; i++) {
        uint8_t kind = without_conflicts(entries.flags[i]);
        int32_t first_axis = next_axis;
        if (next_axis >= rank && kind != SSOP_AXIS_NEW && dialect->drops_spare_entries) { /* tfl_s3 */
            if (new_axis_follows(entries, i)) {
                return fail_no_axis(error, dialect, rank, i);
            }
            break;
        }
        if (kind & SSOP_ELLIPSIS) {
            if (ellipsis_seen) {
                return fail(error, dialect->rules->ellipses, at_entry(i), numbers(i, 0, 0));
            }
            ellipsis_seen = true;
            int32_t stop = ellipsis_end(entries, i, rank);
            stop = dialect->ellipsis_takes_one && stop <= next_axis ? next_axis + 1 : stop;
            next_axis = keep_whole_axes(layout, next_axis, stop);
        }
        else if (kind & SSOP_AXIS_NEW) {
            add_out_axis(layout, SSOP_NEW_AXIS); /* ss_s3 */
        }
        else {
            if (next_axis >= rank) {
                return fail_no_axis(error, dialect, rank, i);
            }
            layout->entry[next_axis] = (int16_t)i;
            if (!(kind & SSOP_SHRINK)) {
                add_out_axis(layout, next_axis);
            }
            next_axis++;
        }
        if (trace != NULL) {
            trace->entries = i + 1;
            trace->flags[i] = kind;
            trace->first_axis[i] = (int16_t)first_axis;
            trace->axis_count[i] = (int16_t)(next_axis - first_axis);
        }
    }
    (void)keep_whole_axes(layout, next_axis, rank);
    if (layout->out_rank > SSOP_MAX_RANK) {
        return fail(error, SSOP_SS_C8, NOWHERE, numbers(layout->out_rank, 0, SSOP_MAX_RANK));
    }
    return SSOP_OK;
}

ssop_status
ssop_offset_layout_check(entry_flags entries, const entry_layout *layout, int32_t rank, const ssop_dialect *dialect,
                         ssop_error *error)
{
    for (int32_t i = 0; i < entries.count; i++) {
        if (entries.flags[i] & (SSOP_ELLIPSIS | SSOP_AXIS_NEW)) {
            return fail_form(error, dialect->rules->offset_layout, 1, at_entry(i), NO_NUMBERS);
        }
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        if (layout->entry[axis] == LAYOUT_WHOLE) {
            return fail(error, dialect->rules->offset_layout, at_axis(axis), NO_NUMBERS);
        }
    }
    return SSOP_OK;
}
