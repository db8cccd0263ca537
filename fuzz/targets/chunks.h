/* The chunks that have elements of a region: each element once, no chunk without one. Grids of any size end. */
#ifndef SSOP_FUZZ_CHUNKS_H
#define SSOP_FUZZ_CHUNKS_H

#include "chunk_oracle.h"
#include "regions.h"

enum { FUZZ_CHUNKS = 7, FUZZ_STEPS = 1000 };

/* Chunks along an axis: of one size, or ends of chunks of any sizes, with empty ones among them. */
static inline ssop_chunk_axis
take_chunks(fuzz_input *input, int64_t dim, int64_t ends[FUZZ_CHUNKS])
{
    int64_t count = take_between(input, 0, FUZZ_CHUNKS), left = dim;
    if (count == 0) {
        int64_t size = take_number(input);
        return (ssop_chunk_axis){.size = size < 1 ? 1 : size};
    }
    for (int64_t i = 0; i < count; i++) {
        int64_t size = take_between(input, 0, left < 255 ? left : 255);
        left -= ends[i] = i == count - 1 ? left : size;
    }
    CHECK(ssop_chunk_ends(0, dim, count, ends, NULL) == SSOP_OK, "rg_c9: sizes whose sum is the dim");
    return (ssop_chunk_axis){.count = count, .end = ends};
}

static inline void
fuzz_chunks(fuzz_input *input)
{
    int64_t dims[MAX_AXES], ends[MAX_AXES][FUZZ_CHUNKS];
    bool small = take_between(input, 0, 3) > 0;
    int32_t rank = take_shape(input, MAX_DIM, dims);
    rank = rank > 3 ? 3 : rank;
    ssop_chunk_axis grid[MAX_AXES];
    for (int32_t axis = 0; axis < rank; axis++) {
        dims[axis] = small && dims[axis] > MAX_DIM ? MAX_DIM : dims[axis];
        small = small || dims[axis] <= MAX_DIM;
        grid[axis] = take_chunks(input, dims[axis], ends[axis]);
    }
    ssop_region region;
    if (!take_region(input, (ssop_shape){rank, dims}, &region)) {
        return;
    }
    ssop_chunk_walk walk = {.region = &region, .dims = dims, .grid = grid};
    int64_t largest = 0;
    for (int32_t axis = 0; axis < rank; axis++) {
        largest = dims[axis] > largest ? dims[axis] : largest;
    }
    if (largest <= MAX_DIM) {
        check_covering(&region, dims);
        check_walk(&walk);
        return;
    }
    bool more = ssop_chunks_first(&walk);
    for (int32_t steps = 0; more && steps < FUZZ_STEPS; steps++) {
        ssop_region of_chunk, of_result;
        int64_t sizes[SSOP_MAX_RANK], counts[SSOP_MAX_RANK];
        ssop_chunks_regions(&walk, &of_chunk, &of_result);
        for (int32_t axis = 0; axis < rank; axis++) {
            sizes[axis] = walk.part[axis].high - walk.part[axis].low;
        }
        shape_of(&region, counts);
        CHECK(ssop_region_check(&of_chunk, sizes, NULL) == SSOP_OK &&
                  ssop_region_check(&of_result, counts, NULL) == SSOP_OK && !has_no_element(&of_chunk),
              "rg_s6: a chunk of a large grid");
        more = ssop_chunks_next(&walk);
    }
}

#endif /* SSOP_FUZZ_CHUNKS_H */
