/* Two views of few bytes: how they relate, and whether one overlaps itself, by the set of their bytes. */
#ifndef SSOP_FUZZ_OVERLAPS_H
#define SSOP_FUZZ_OVERLAPS_H

#include "input.h"
#include "view_oracle.h"

static inline bool
take_view(fuzz_input *input, int32_t rank, int64_t item_bytes, known_view *known)
{
    ssop_view *view = &known->view;
    *view = (ssop_view){arena + take_between(input, 0, ARENA_BYTES - 1), item_bytes, rank, {0}, {0}};
    for (int32_t axis = 0; axis < rank; axis++) {
        view->dim[axis] = take_between(input, 0, 7);
        view->stride[axis] = take_between(input, -20, 20);
    }
    return list_bytes(view, ARENA_BYTES, &known->bytes, &known->overlaps_itself);
}

static inline void
fuzz_overlaps(fuzz_input *input)
{
    known_view a, b;
    int32_t rank = (int32_t)take_between(input, 0, 3);
    int64_t item_bytes = take_between(input, 1, 5);
    if (!take_view(input, rank, item_bytes, &a) || !take_view(input, rank, item_bytes, &b)) {
        return;
    }
    CHECK(!a.overlaps_itself || ssop_view_overlaps_itself(&a.view), "out_c5: overlaps itself");
    CHECK(a.overlaps_itself || !ssop_view_overlaps_itself(&a.view), "out_c5: does not overlap itself");
    ssop_relation relation = ssop_views_relate(&a.view, &b.view), right = relation_of(&a, &b);
    CHECK(relation == right, "out_s2: %d, not %d", (int)relation, (int)right);
}

#endif /* SSOP_FUZZ_OVERLAPS_H */
