/* Selections: items of two arrays by the bools of a third. */
#include "kernels/kernels.h"

/* Steps are multiples of so many items, so that the first item of each has the alignment of dst. */
enum { STEP_ITEMS = 64 };

bool
ssop_selection_begin(ssop_selection *selection, const ssop_hints *hints)
{
    if (!has_kernel_size(selection->item_bytes)) {
        return false;
    }
    const ssop_policies *policies = ssop_policies_used();
    const int64_t touched = 3 * ssop_selection_bytes(selection) + selection->count;
    const bool fresh = hints != NULL && hints->fresh_dst, aligned = (uintptr_t)selection->dst % LINE_BYTES == 0;
    selection->streams =
        ssop_kernels()->streams && policies->stream_bytes > 0 && touched >= policies->stream_bytes && !fresh && aligned;
    selection->kernel = ssop_kernels()->select[kernel_size_column(selection->item_bytes)];
    selection->step_items = policies->step_bytes / selection->item_bytes / STEP_ITEMS * STEP_ITEMS + STEP_ITEMS;
    return true;
}

int64_t
ssop_selection_bytes(const ssop_selection *selection)
{
    return selection->count * selection->item_bytes;
}

int64_t
ssop_selection_steps(const ssop_selection *selection)
{
    return selection->count / selection->step_items + (selection->count % selection->step_items != 0 ? 1 : 0);
}

void
ssop_selection_execute(const ssop_selection *selection, int64_t first, int64_t last)
{
    const int64_t end = last == ssop_selection_steps(selection) ? selection->count : last * selection->step_items;
    selection->kernel(selection, first * selection->step_items, end);
    if (selection->streams) {
        end_non_temporal_stores();
    }
}
