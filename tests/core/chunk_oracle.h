/* What holds for covering regions and for walks over chunks, element by element. */
#ifndef SSOP_TESTS_CHUNK_ORACLE_H
#define SSOP_TESTS_CHUNK_ORACLE_H

#include "region_oracle.h"

enum { MAX_DIM = 7 };

/* rg_s5: unit steps, the first and the last element of every axis is taken, and the remainder takes what the region
 * takes. */
static inline void
check_covering(const ssop_region *region, const int64_t *dims)
{
    ssop_region covering, remainder, both;
    bool flip[SSOP_MAX_RANK];
    int64_t spans[SSOP_MAX_RANK];
    ssop_region_covering(region, &covering, &remainder, flip);
    shape_of(&covering, spans);
    CHECK(covering.in_rank == region->in_rank && covering.out_rank == region->in_rank &&
              ssop_region_check(&covering, dims, NULL) == SSOP_OK &&
              ssop_region_check(&remainder, spans, NULL) == SSOP_OK,
          "rg_s5: not canonical");
    for (int32_t axis = 0; axis < region->in_rank; axis++) {
        ssop_range range = region->range[axis], taken = covering.range[axis];
        int64_t last = range.start + (range.count - 1) * range.step;
        int64_t low = range.step > 0 ? range.start : last, high = range.step > 0 ? last : range.start;
        bool exact = range.count == 0 ? taken.count == 0 : taken.start == low && taken.count == high - low + 1;
        CHECK(exact && taken.step == 1 && covering.out_axis[axis] == axis, "rg_s5: span of " RANGE,
              RANGE_VALUES(range));
    }
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        int32_t from = region->out_axis[axis];
        CHECK(flip[axis] == (from >= 0 && region->range[from].step < 0), "rg_s5: flip of axis %d", (int)axis);
    }
    CHECK(ssop_region_compose(&covering, &remainder, spans, &both, NULL) == SSOP_OK && same_region(&both, region),
          "rg_s5: the remainder takes something else");
}

/* How many chunks there are along an axis, counted in parts of at most `most`. */
static inline int64_t
count_chunks(const ssop_chunk_walk *walk, int32_t axis, int64_t most)
{
    const int64_t elements = walk->region->range[axis].count;
    int64_t count = 0;
    for (int64_t first = 0; first < elements;) {
        const int64_t before = first, part = ssop_chunks_along(walk, axis, most, &first);
        CHECK(first > before && first <= elements && part > 0 && (walk->grid[axis].end == NULL || part <= most),
              "rg_s6: a part of %lld chunks up to element %lld", LL(part), LL(first));
        count += part;
    }
    int64_t end = elements;
    CHECK(ssop_chunks_along(walk, axis, most, &end) == 0 && end == elements, "rg_s6: chunks behind the last element");
    return count;
}

/* The element of the input that an index of the result names, through the present chunk. */
static inline void
check_elements(const ssop_chunk_walk *walk, const int64_t *shape, int *times)
{
    ssop_region of_chunk, of_result;
    ssop_chunks_regions(walk, &of_chunk, &of_result);
    int64_t at[SSOP_MAX_RANK] = {0}, place[SSOP_MAX_RANK], from[SSOP_MAX_RANK], right[SSOP_MAX_RANK];
    do {
        int64_t number = 0;
        bool named =
            look_up(&of_result, at, place) && look_up(&of_chunk, at, from) && look_up(walk->region, place, right);
        for (int32_t axis = 0; axis < walk->region->in_rank; axis++) {
            named = named && from[axis] + walk->part[axis].low == right[axis];
        }
        CHECK(named, "rg_s6: other element");
        for (int32_t axis = 0; axis < of_result.in_rank; axis++) {
            number = number * shape[axis] + place[axis];
        }
        times[number]++;
    } while (next_index(&of_result, at));
}

/* Row-major order, and as many chunks as the axes say. */
static inline void
check_walk(ssop_chunk_walk *walk)
{
    static int times[MAX_DIM * MAX_DIM * MAX_DIM];
    const ssop_region *region = walk->region;
    int64_t shape[SSOP_MAX_RANK], last[SSOP_MAX_RANK], visited = 0, expected = 1, elements = 1;
    shape_of(region, shape);
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        elements *= shape[axis];
    }
    memset(times, 0, sizeof(times));
    memset(last, -1, sizeof(last)); /* before every chunk */
    for (bool more = ssop_chunks_first(walk); more; more = ssop_chunks_next(walk)) {
        int order = 0;
        for (int32_t axis = 0; axis < region->in_rank; axis++) {
            int64_t index = walk->part[axis].index;
            order = order != 0 ? order : index > last[axis] ? 1 : index < last[axis] ? -1 : 0;
            last[axis] = index;
        }
        CHECK(order == 1 || region->in_rank == 0, "rg_s6: order of chunks");
        check_elements(walk, shape, times);
        visited++;
    }
    for (int32_t axis = 0; axis < region->in_rank; axis++) {
        expected *= count_chunks(walk, axis, 2);
    }
    CHECK(visited == (elements == 0 ? 0 : expected), "rg_s6: %lld chunks of %lld", LL(visited), LL(expected));
    for (int64_t k = 0; k < elements; k++) {
        CHECK(times[k] == 1, "rg_s6: element %lld comes %d times", LL(k), times[k]);
    }
}

#endif /* SSOP_TESTS_CHUNK_ORACLE_H */
