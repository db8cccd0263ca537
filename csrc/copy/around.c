/* What lies around a window, as regions: all that is to be copied where something else goes to the window. */
#include "../core/common.h"

/* A gap of this length is worth two copies instead of one. Rows cut in two take up to half as long again as whole ones, so
 * shorter gaps must be half of their rows, and together larger than the inner caches, where a byte more costs little. */
enum { LEAST_GAP_BYTES = 32 * 1024, LEAST_SHORT_GAP_BYTES = 256, LEAST_SHORT_GAPS_BYTES = 256 * 1024 };

static bool
has_gaps(ssop_range range)
{
    return range.step != 1 && range.step != -1;
}

/* In C order the window is `rows` gaps in rows that are copied otherwise: those of the innermost axis it does not have all
 * of. */
static bool
is_worth_it(const ssop_region *window, const int64_t *dims, int64_t item_bytes)
{
    int64_t gap = item_bytes, row = item_bytes, rows = 1;
    for (int32_t axis = window->in_rank - 1; axis >= 0; axis--) {
        ssop_range range = window->range[axis];
        if (range.count < dims[axis] && has_gaps(range)) {
            return false;
        }
        if (gap == row) {
            gap *= range.count;
            row *= dims[axis];
        }
        else {
            rows *= range.count;
        }
    }
    bool short_gaps = gap >= LEAST_SHORT_GAP_BYTES && gap >= row - gap && gap * rows >= LEAST_SHORT_GAPS_BYTES;
    return gap == row || gap >= LEAST_GAP_BYTES || short_gaps;
}

bool
ssop_around_begin(ssop_around *around, const ssop_region *window, const int64_t *dims, int64_t item_bytes)
{
    if (item_bytes == 0 || ssop_region_is_empty(window) || !is_worth_it(window, dims, item_bytes)) {
        return false;
    }
    ssop_region_whole(&around->left, (ssop_shape){window->in_rank, dims});
    around->window = window;
    around->cut = 0;
    return true;
}

/* Axis by axis what lies before the window and what lies behind it; what is left has the window's indices there. */
bool
ssop_around_next(ssop_around *around, ssop_region *part)
{
    while (around->cut < 2 * around->window->in_rank) {
        int32_t axis = around->cut / 2;
        bool behind = around->cut++ % 2 == 1;
        ssop_range window = around->window->range[axis], *left = &around->left.range[axis];
        int64_t low = window.step < 0 ? window.start - (window.count - 1) : window.start, high = low + window.count;
        int64_t begin = left->start, end = begin + left->count;
        ssop_range taken = behind ? ssop_range_between(high, end, 1) : ssop_range_between(begin, low, 1);
        *left = behind ? ssop_range_between(low, high, 1) : ssop_range_between(low, end, 1);
        if (taken.count > 0) {
            *part = around->left;
            part->range[axis] = taken;
            return true;
        }
    }
    return false;
}
