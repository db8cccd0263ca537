/* Finds out whether two views, or two items of one view, share bytes. The answer is exact if the search ends within a
 * bounded number of steps; otherwise it is that they do. */
#include "../core/common.h"
#include "../include/ssop/copying.h"

/* The search gives up after MIN_SEARCH_STEPS steps and STEPS_PER_ITEM for each item, of which at most MAX_SEARCH_ITEMS
 * count. Ordinary layouts need about one step per axis. The limits are not measured; chosen because a search that gives
 * up has then taken some milliseconds (record overlap-search). */
enum { MIN_SEARCH_STEPS = 10000, STEPS_PER_ITEM = 16, MAX_SEARCH_ITEMS = 65536 };

/* One unknown of the sum: `stride` times an integer in 0..max. The stride is positive. */
typedef struct {
    int64_t stride, max;
} overlap_term;

/* The question is whether some sum of the terms is in low..high. Terms are sorted, longest stride first. reach[k] is
 * the largest sum of the terms from k on, and divisor[k] the greatest common divisor of their strides, 0 if there are
 * none. */
typedef struct {
    int32_t count;
    overlap_term term[2 * SSOP_MAX_RANK];
    uint64_t reach[2 * SSOP_MAX_RANK + 1];
    int64_t divisor[2 * SSOP_MAX_RANK + 1];
    int32_t steps_left;
} overlap_search;

/* Adds a term. Terms of the same stride become one: that keeps the search short for two views of the same array. */
static void
add_term(overlap_search *search, int64_t stride, int64_t max)
{
    for (int32_t k = 0; k < search->count; k++) {
        if (search->term[k].stride == stride) {
            int64_t room = INT64_MAX - search->term[k].max;
            search->term[k].max += max < room ? max : room;
            return;
        }
    }
    int32_t at = search->count++;
    while (at > 0 && search->term[at - 1].stride < stride) {
        search->term[at] = search->term[at - 1];
        at--;
    }
    search->term[at] = (overlap_term){stride, max};
}

static int64_t
common_divisor(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Fills in reach and divisor. False if a sum comes near 2^63: no memory is that large, and such views count as
 * overlapping. */
static bool
compute_reach(overlap_search *search)
{
    search->reach[search->count] = 0;
    search->divisor[search->count] = 0;
    for (int32_t k = search->count - 1; k >= 0; k--) {
        int64_t reach;
        if (!checked_mul(search->term[k].stride, search->term[k].max, &reach) || reach > INT64_MAX / 4 ||
            search->reach[k + 1] > (uint64_t)INT64_MAX / 4) {
            return false;
        }
        search->reach[k] = search->reach[k + 1] + (uint64_t)reach;
        search->divisor[k] = common_divisor(search->term[k].stride, search->divisor[k + 1]);
    }
    return true;
}

/* |stride|, or INT64_MAX for INT64_MIN: no memory has such strides. */
static int64_t
capped_magnitude(int64_t stride)
{
    uint64_t bytes = magnitude(stride);
    return bytes <= (uint64_t)INT64_MAX ? (int64_t)bytes : INT64_MAX;
}

static int64_t
floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Depth-first search for a sum in low..high of the terms from k on. Of each term only those multiples are tried with
 * which the other terms can still reach low..high. */
static bool
search_sum(overlap_search *search, int32_t k, int64_t low, int64_t high)
{
    if (high < 0 || low > (int64_t)search->reach[k]) {
        return false;
    }
    if (k == search->count || --search->steps_left < 0) {
        return true;
    }
    int64_t divisor = search->divisor[k];
    if (high - low < divisor - 1 && floor_div(high, divisor) * divisor < low) { /* every sum is a multiple of it */
        return false;
    }
    overlap_term term = search->term[k];
    int64_t rest = (int64_t)search->reach[k + 1];
    int64_t min = -floor_div(-(low - rest), term.stride), max = floor_div(high, term.stride);
    min = min < 0 ? 0 : min;
    max = max > term.max ? term.max : max;
    for (int64_t n = min; n <= max; n++) {
        if (search_sum(search, k + 1, low - n * term.stride, high - n * term.stride)) {
            return true;
        }
    }
    return false;
}

/* Adds the axes of a view, with the absolute values of the strides; returns the lowest address of an item. */
static uint64_t
add_view(overlap_search *search, const ssop_view *view)
{
    uint64_t lowest = (uint64_t)(uintptr_t)view->data;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        int64_t max = view->dim[axis] - 1, stride = view->stride[axis];
        if (max > 0 && stride != 0) {
            if (stride < 0) {
                lowest += (uint64_t)max * (uint64_t)stride;
            }
            add_term(search, capped_magnitude(stride), max);
        }
    }
    return lowest;
}

/* How many steps a search over the items of a view may take. */
static int32_t
allowed_steps(const ssop_view *view)
{
    int64_t items = 1;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        items = view->dim[axis] < MAX_SEARCH_ITEMS / items ? items * view->dim[axis] : MAX_SEARCH_ITEMS;
    }
    return MIN_SEARCH_STEPS + STEPS_PER_ITEM * (int32_t)items;
}

static bool
is_same(const ssop_view *a, const ssop_view *b)
{
    if (a->data != b->data || a->rank != b->rank) {
        return false;
    }
    for (int32_t axis = 0; axis < a->rank; axis++) {
        if (a->dim[axis] != b->dim[axis] || (a->dim[axis] > 1 && a->stride[axis] != b->stride[axis])) {
            return false;
        }
    }
    return true;
}

/* The addresses of the lowest byte of a view and of the byte after the highest, which are right if the offsets inside
 * the view fit, and if it is not empty. */
typedef struct {
    uint64_t begin, end;
    bool empty, fits;
} extent;

/* In one loop over the axes, as every call of an operation asks for it: see view_is_empty and view_offsets_fit. */
static extent
find_extent(const ssop_view *view)
{
    uint64_t begin = (uint64_t)(uintptr_t)view->data, end = begin + (uint64_t)view->item_bytes, bits = 0;
    bool empty = view->item_bytes == 0;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        const int64_t dim = view->dim[axis], stride = view->stride[axis];
        const uint64_t reach = ((uint64_t)dim - 1) * (uint64_t)stride;
        begin += stride < 0 ? reach : 0;
        end += stride < 0 ? 0 : reach;
        bits |= magnitude(stride) | (uint64_t)dim;
        empty |= dim == 0;
    }
    return (extent){begin, end, empty, offset_bits_fit(bits)};
}

/* Items at a + sum(i) and b + sum(j) share a byte if their distance is below the item size. Replacing j by j' = max - j
 * gives all unknowns the same sign: sum(i) + sum(j') = (lowest b + reach b) - lowest a + distance. */
ssop_relation
ssop_views_relate(const ssop_view *a, const ssop_view *b)
{
    const extent x = find_extent(a), y = find_extent(b);
    const bool apart = (x.end <= y.begin) | (y.end <= x.begin);
    if (x.empty || y.empty || (x.fits && y.fits && apart)) { /* two different arrays need no search */
        return SSOP_DISJOINT;
    }
    if (is_same(a, b)) {
        return SSOP_SAME;
    }
    overlap_search search = {.steps_left = allowed_steps(b)};
    uint64_t lowest_b = add_view(&search, b);
    if (!compute_reach(&search)) {
        return SSOP_OVERLAP;
    }
    uint64_t reach_b = search.reach[0];
    uint64_t lowest_a = add_view(&search, a);
    if (!compute_reach(&search)) {
        return SSOP_OVERLAP;
    }
    int64_t distance = (int64_t)(lowest_b + reach_b - lowest_a), slack = a->item_bytes - 1;
    bool found = search_sum(&search, 0, distance - slack, distance + slack);
    return found ? SSOP_OVERLAP : SSOP_DISJOINT;
}

/* Two different items differ first in some axis, by n >= 1 indices. They share a byte if the axes after it can
 * compensate for that distance. Each axis is tried as the first. */
bool
ssop_view_overlaps_itself(const ssop_view *view)
{
    if (view_is_empty(view)) {
        return false;
    }
    int64_t slack = view->item_bytes - 1;
    int32_t steps_left = allowed_steps(view);
    for (int32_t first = 0; first < view->rank; first++) {
        int64_t max = view->dim[first] - 1, stride = view->stride[first];
        if (max == 0) {
            continue;
        }
        /* stride * (1 + n) + sum(+-stride_k * d_k) within slack of 0, over the axes after `first`: each difference d_k
         * in -max_k..max_k is shifted so that it counts from 0. */
        overlap_search search = {.steps_left = steps_left};
        int64_t shift = 0;
        for (int32_t axis = first + 1; axis < view->rank; axis++) {
            int64_t difference = view->dim[axis] - 1, bytes = view->stride[axis], reach;
            if (difference == 0 || bytes == 0) {
                if (difference > 0) {
                    return true; /* all items of this axis are at one address */
                }
                continue;
            }
            bytes = capped_magnitude(bytes);
            if (difference > INT64_MAX / 2 || !checked_mul(bytes, difference, &reach) ||
                !checked_add(shift, reach, &shift)) {
                return true;
            }
            add_term(&search, bytes, 2 * difference);
        }
        if (stride == 0) {
            return true;
        }
        stride = capped_magnitude(stride);
        if (max > 1) {
            add_term(&search, stride, max - 1);
        }
        if (!compute_reach(&search) || stride > INT64_MAX / 4) {
            return true;
        }
        int64_t target = shift - stride; /* neither can overflow: both were compared with smaller limits */
        if (search_sum(&search, 0, target - slack, target + slack)) {
            return true;
        }
        steps_left = search.steps_left;
    }
    return false;
}
