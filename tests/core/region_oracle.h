/* Regions at random, and which element of the input each index of the result names. */
#ifndef SSOP_TESTS_REGION_ORACLE_H
#define SSOP_TESTS_REGION_ORACLE_H

#include "slice_oracle.h"

enum { MAX_AXES = 4 };

#define RANGE "(%lld, %lld, %lld)"
#define RANGE_VALUES(range) LL((range).start), LL((range).count), LL((range).step)

/* The input index that output index `at` names; false if an axis that comes from nowhere makes it empty. */
static inline bool
look_up(const ssop_region *region, const int64_t *at, int64_t *from)
{
    for (int32_t axis = 0; axis < region->in_rank; axis++) {
        from[axis] = region->range[axis].start; /* right for dropped axes */
    }
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        int32_t in_axis = region->out_axis[axis];
        if (in_axis == SSOP_EMPTY_AXIS) {
            return false;
        }
        if (in_axis >= 0) {
            from[in_axis] = region->range[in_axis].start + at[axis] * region->range[in_axis].step;
        }
    }
    return true;
}

/* Moves an index on in row-major order; false after the last. */
static inline bool
next_index(const ssop_region *region, int64_t *at)
{
    for (int32_t axis = region->out_rank - 1; axis >= 0; axis--) {
        if (++at[axis] < ssop_region_dim(region, axis)) {
            return true;
        }
        at[axis] = 0;
    }
    return false;
}

static inline bool
has_no_element(const ssop_region *region)
{
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        if (ssop_region_dim(region, axis) == 0) {
            return true;
        }
    }
    return false;
}

/* A legal region of a shape, at random: all kinds of entries, empty results among them. */
static inline ssop_region
random_region(int32_t rank, const int64_t *dims)
{
    ssop_spec spec = {.count = 0};
    int32_t used = 0;
    while (spec.count < MAX_AXES + 2 && random_between(0, 5) > 0) {
        int32_t i = spec.count++;
        int64_t kind = random_between(0, 5);
        bool new_axis = kind == 0 || used == rank;
        bool shrunk = !new_axis && kind == 1 && dims[used] > 0;
        spec.flags[i] = new_axis ? SSOP_AXIS_NEW : shrunk ? SSOP_SHRINK : (uint8_t)random_between(0, 3);
        spec.begin[i] = shrunk ? random_between(0, dims[used] - 1) : random_between(-6, 6);
        spec.end[i] = random_between(-6, 6);
        int64_t step = random_between(-3, 3);
        spec.step[i] = shrunk || step == 0 ? 1 : step;
        used += new_axis ? 0 : 1;
    }
    ssop_region region;
    ssop_status status =
        ssop_strided_slice_resolve(&spec, (ssop_shape){rank, dims}, &ssop_dialect_tensorflow, &region, NULL, NULL);
    CHECK(status == SSOP_OK, "random region rejected: %d", (int)status);
    return region;
}

static inline void
shape_of(const ssop_region *region, int64_t *dims)
{
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        dims[axis] = ssop_region_dim(region, axis);
    }
}

static inline bool
same_region(const ssop_region *a, const ssop_region *b)
{
    bool same = a->in_rank == b->in_rank && a->out_rank == b->out_rank;
    for (int32_t axis = 0; same && axis < a->in_rank; axis++) {
        same = same_range(a->range[axis], b->range[axis]);
    }
    return same && memcmp(a->out_axis, b->out_axis, (size_t)a->out_rank) == 0;
}

#endif /* SSOP_TESTS_REGION_ORACLE_H */
