/* Views of few bytes, with the set of their bytes: how two of them relate. */
#ifndef SSOP_TESTS_VIEW_ORACLE_H
#define SSOP_TESTS_VIEW_ORACLE_H

#include "check.h"

enum { ARENA_BYTES = 64 };

static char arena[ARENA_BYTES];

typedef struct {
    ssop_view view;
    uint64_t bytes; /* bit k: arena[k] is touched */
    bool overlaps_itself;
} known_view;

/* The bytes of a view of rank 3 at most, one after the other; false if some lie outside the first `limit`. */
static inline bool
list_bytes(const ssop_view *view, int64_t limit, uint64_t *bytes, bool *overlaps_itself)
{
    int64_t dim[3] = {1, 1, 1}, stride[3] = {0, 0, 0};
    for (int32_t axis = 0; axis < view->rank; axis++) {
        dim[axis] = view->dim[axis];
        stride[axis] = view->stride[axis];
    }
    *bytes = 0;
    *overlaps_itself = false;
    for (int64_t item = 0; item < dim[0] * dim[1] * dim[2]; item++) {
        int64_t first = view->data - arena + item % dim[0] * stride[0] + item / dim[0] % dim[1] * stride[1] +
                        item / dim[0] / dim[1] * stride[2];
        for (int64_t byte = first; byte < first + view->item_bytes; byte++) {
            if (byte < 0 || byte >= limit) {
                return false;
            }
            *overlaps_itself = *overlaps_itself || (*bytes >> byte & 1) != 0;
            *bytes |= UINT64_C(1) << byte;
        }
    }
    return true;
}

/* The same items at the same places: equal shape, and equal strides where they matter. */
static inline bool
is_same(const ssop_view *a, const ssop_view *b)
{
    bool same = a->data == b->data && a->rank == b->rank;
    for (int32_t axis = 0; same && axis < a->rank; axis++) {
        same = a->dim[axis] == b->dim[axis] && (a->dim[axis] == 1 || a->stride[axis] == b->stride[axis]);
    }
    return same;
}

static inline ssop_relation
relation_of(const known_view *a, const known_view *b)
{
    if ((a->bytes & b->bytes) == 0) {
        return SSOP_DISJOINT;
    }
    return is_same(&a->view, &b->view) ? SSOP_SAME : SSOP_OVERLAP;
}

#endif /* SSOP_TESTS_VIEW_ORACLE_H */
