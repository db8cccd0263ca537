/* The complement of a window, as regions: if something else is written to the window, only the complement needs to be
 * copied. */
#include "../core/common.h"
#include "../include/ssop/copying.h"

/* The window leaves gaps in the rows of the copy. Copying only the complement is worth it if the gaps have
 * MIN_GAP_BYTES each. Rows with a gap take longer per byte than whole ones, so smaller gaps must be at least half of
 * their rows and have at least MIN_SHORT_GAP_BYTES each. All together they must have MIN_SHORT_GAPS_BYTES, because
 * copying a few bytes too many costs little in the inner caches (record rows-with-gaps). */
enum { MIN_GAP_BYTES = 32 * 1024, MIN_SHORT_GAP_BYTES = 256, MIN_SHORT_GAPS_BYTES = 256 * 1024 };

static bool
has_gaps(ssop_range range)
{
    return range.step != 1 && range.step != -1;
}

/* In C order, the window is `rows` gaps of `gap` bytes, one in each row of `row` bytes: a row is the innermost axis
 * that the window does not cover as a whole, with the axes inside it. */
static bool
is_faster(const ssop_region *window, const int64_t *dims, int64_t item_bytes)
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
    bool short_gaps = gap >= MIN_SHORT_GAP_BYTES && gap >= row - gap && gap * rows >= MIN_SHORT_GAPS_BYTES;
    return gap == row || gap >= MIN_GAP_BYTES || short_gaps;
}

bool
ssop_complement_begin(ssop_complement *complement, const ssop_region *window, const int64_t *dims, int64_t item_bytes)
{
    if (item_bytes == 0 || ssop_region_is_empty(window) || !is_faster(window, dims, item_bytes)) {
        return false;
    }
    ssop_region_whole(&complement->left, (ssop_shape){window->in_rank, dims});
    complement->window = window;
    complement->cut = 0;
    return true;
}

/* Returns for each axis in turn what is before the window and what is after it. What is left then has the window's
 * indices on that axis. */
bool
ssop_complement_next(ssop_complement *complement, ssop_region *region)
{
    while (complement->cut < 2 * complement->window->in_rank) {
        int32_t axis = complement->cut / 2;
        bool after = complement->cut++ % 2 == 1;
        ssop_range window = complement->window->range[axis], *left = &complement->left.range[axis];
        int64_t low = window.step < 0 ? window.start - (window.count - 1) : window.start, high = low + window.count;
        int64_t begin = left->start, end = begin + left->count;
        ssop_range taken = after ? ssop_range_between(high, end, 1) : ssop_range_between(begin, low, 1);
        *left = after ? ssop_range_between(low, high, 1) : ssop_range_between(low, end, 1);
        if (taken.count > 0) {
            *region = complement->left;
            region->range[axis] = taken;
            return true;
        }
    }
    return false;
}
