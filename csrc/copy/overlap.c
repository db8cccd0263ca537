/* Do two views, or two items of one view, share bytes? Exact wherever the answer is found in a bounded number of steps. */
#include "../core/common.h"
#include "../include/ssop/copying.h"

/* Search steps before giving up: ordinary layouts need about one per axis, and a search may take about as long as a copy of
 * the items, within bounds: at 20 to 40 ns each (Cascade Lake; out= arrays of random strides below 4 MiB and rank 3 to 15) at
 * most some 40 ms. */
enum { MIN_SEARCH_STEPS = 10000, STEPS_PER_ITEM = 16, MAX_SEARCH_ITEMS = 65536 };

/* One unknown of the sum: `stride` times a whole number in 0..most. Strides are made positive. */
typedef struct {
    int64_t stride, most;
} overlap_term;

/* Is there a sum of terms in low..high? Terms are sorted, longest stride first; reach[k] is the largest sum of the terms
 * from k on, and divisor[k] the greatest common divisor of their strides, 0 if there are none. */
typedef struct {
    int32_t count;
    overlap_term term[2 * SSOP_MAX_RANK];
    uint64_t reach[2 * SSOP_MAX_RANK + 1];
    int64_t divisor[2 * SSOP_MAX_RANK + 1];
    int32_t steps_left;
} overlap_search;

/* Terms of one stride are one term: that keeps the search short for views of the same array. */
static void
add_term(overlap_search *search, int64_t stride, int64_t most)
{
    for (int32_t k = 0; k < search->count; k++) {
        if (search->term[k].stride == stride) {
            int64_t room = INT64_MAX - search->term[k].most;
            search->term[k].most += most < room ? most : room;
            return;
        }
    }
    int32_t at = search->count++;
    while (at > 0 && search->term[at - 1].stride < stride) {
        search->term[at] = search->term[at - 1];
        at--;
    }
    search->term[at] = (overlap_term){stride, most};
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

/* Real memory is far below 2^62 bytes; views made by hand that are larger are called overlapping. */
static bool
compute_reach(overlap_search *search)
{
    search->reach[search->count] = 0;
    search->divisor[search->count] = 0;
    for (int32_t k = search->count - 1; k >= 0; k--) {
        int64_t reach;
        if (!checked_mul(search->term[k].stride, search->term[k].most, &reach) || reach > INT64_MAX / 4 ||
            search->reach[k + 1] > (uint64_t)INT64_MAX / 4) {
            return false;
        }
        search->reach[k] = search->reach[k + 1] + (uint64_t)reach;
        search->divisor[k] = common_divisor(search->term[k].stride, search->divisor[k + 1]);
    }
    return true;
}

/* |stride|, at most INT64_MAX: the largest stride is as absurd as INT64_MIN. */
static int64_t
positive(int64_t stride)
{
    uint64_t bytes = magnitude(stride);
    return bytes <= (uint64_t)INT64_MAX ? (int64_t)bytes : INT64_MAX;
}

static int64_t
floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* Depth-first over the terms, each only where the rest can still reach the target: low <= sum <= high. */
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
    int64_t least = -floor_div(-(low - rest), term.stride), most = floor_div(high, term.stride);
    least = least < 0 ? 0 : least;
    most = most > term.most ? term.most : most;
    for (int64_t n = least; n <= most; n++) {
        if (search_sum(search, k + 1, low - n * term.stride, high - n * term.stride)) {
            return true;
        }
    }
    return false;
}

/* Adds the axes of a view, turned so that all strides are positive; returns the lowest address. */
static uint64_t
add_view(overlap_search *search, const ssop_view *view)
{
    uint64_t lowest = (uint64_t)(uintptr_t)view->data;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        int64_t most = view->dim[axis] - 1, stride = view->stride[axis];
        if (most > 0 && stride != 0) {
            if (stride < 0) {
                lowest += (uint64_t)most * (uint64_t)stride;
            }
            add_term(search, positive(stride), most);
        }
    }
    return lowest;
}

/* What a search over the items of a view may take. */
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

/* The addresses of the view's first byte and of the one after its last. */
static void
find_ends(const ssop_view *view, uint64_t *begin, uint64_t *end)
{
    *begin = (uint64_t)(uintptr_t)view->data;
    *end = *begin + (uint64_t)view->item_bytes;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        int64_t reach = (view->dim[axis] - 1) * view->stride[axis];
        uint64_t *moved = reach < 0 ? begin : end;
        *moved += (uint64_t)reach;
    }
}

/* True if all of one view lies before all of the other, as two arrays do: that needs no search. */
static bool
lie_apart(const ssop_view *a, const ssop_view *b)
{
    if (!view_is_tame(a) || !view_is_tame(b)) {
        return false;
    }
    uint64_t begin_a, end_a, begin_b, end_b;
    find_ends(a, &begin_a, &end_a);
    find_ends(b, &begin_b, &end_b);
    return end_a <= begin_b || end_b <= begin_a;
}

/* Items at a + sum(i) and b + sum(j) share a byte if their distance is below the item size. With j replaced by most - j,
 * all unknowns count upwards: sum(i) + sum(j') = (lowest b + reach b) - lowest a + distance. */
ssop_relation
ssop_views_relate(const ssop_view *a, const ssop_view *b)
{
    if (view_is_empty(a) || view_is_empty(b)) {
        return SSOP_DISJOINT;
    }
    if (lie_apart(a, b)) {
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

/* Two different items share a byte if some axis can be the first in which they differ, by n >= 1 steps, and the others
 * make up for it. */
bool
ssop_view_overlaps_itself(const ssop_view *view)
{
    if (view_is_empty(view)) {
        return false;
    }
    int64_t slack = view->item_bytes - 1;
    int32_t steps_left = allowed_steps(view);
    for (int32_t first = 0; first < view->rank; first++) {
        int64_t most = view->dim[first] - 1, stride = view->stride[first];
        if (most == 0) {
            continue;
        }
        /* stride * (1 + n) + sum(+-stride_k * d_k) within slack of 0, over the axes after `first`: each difference d_k in
         * -most_k..most_k is shifted to count from 0. */
        overlap_search search = {.steps_left = steps_left};
        int64_t shift = 0;
        for (int32_t axis = first + 1; axis < view->rank; axis++) {
            int64_t difference = view->dim[axis] - 1, bytes = view->stride[axis], reach;
            if (difference == 0 || bytes == 0) {
                if (difference > 0) {
                    return true; /* a repeated axis: all its items are at one place */
                }
                continue;
            }
            bytes = positive(bytes);
            if (difference > INT64_MAX / 2 || !checked_mul(bytes, difference, &reach) ||
                !checked_add(shift, reach, &shift)) {
                return true;
            }
            add_term(&search, bytes, 2 * difference);
        }
        if (stride == 0) {
            return true;
        }
        stride = positive(stride);
        if (most > 1) {
            add_term(&search, stride, most - 1);
        }
        if (!compute_reach(&search) || stride > INT64_MAX / 4) {
            return true;
        }
        int64_t target = shift - stride; /* both small by now */
        if (search_sum(&search, 0, target - slack, target + slack)) {
            return true;
        }
        steps_left = search.steps_left;
    }
    return false;
}
