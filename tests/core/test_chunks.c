/* What could go wrong: a covering region that is too large or too small, and a chunk that is left out, visited without
 * an element, or visited twice. An element of the result may come from the wrong place of its chunk. */
#include "chunk_oracle.h"

enum { MAX_CHUNKS = 9 };

/* ---- one axis, in all ways --------------------------------------------------------------------------------------- */

typedef struct {
    int64_t count, start[MAX_CHUNKS], size[MAX_CHUNKS];
} one_grid;

static int64_t
chunk_of(const one_grid *grid, int64_t element)
{
    for (int64_t i = 0; i < grid->count; i++) {
        if (element >= grid->start[i] && element < grid->start[i] + grid->size[i]) {
            return i;
        }
    }
    return -1;
}

/* How many chunks have elements of the range, element by element. */
static int64_t
chunks_touched(const one_grid *grid, ssop_range range)
{
    bool touched[MAX_CHUNKS] = {false};
    int64_t number = 0;
    for (int64_t k = 0; k < range.count; k++) {
        touched[chunk_of(grid, range.start + k * range.step)] = true;
    }
    for (int64_t i = 0; i < grid->count; i++) {
        number += touched[i] ? 1 : 0;
    }
    return number;
}

/* The present chunk has what the region in it says, and nothing else. */
static void
check_present(const ssop_chunk_walk *walk, const one_grid *grid, int *times)
{
    ssop_range range = walk->region->range[0];
    ssop_chunk_part part = walk->part[0];
    ssop_region of_chunk, of_result;
    ssop_chunks_regions(walk, &of_chunk, &of_result);
    const int64_t dims[1] = {part.high - part.low}, result[1] = {range.count};
    CHECK(part.index >= 0 && part.index < grid->count && part.low == grid->start[part.index] &&
              dims[0] == grid->size[part.index],
          "rg_s6: chunk %lld", LL(part.index));
    CHECK(ssop_region_check(&of_chunk, dims, NULL) == SSOP_OK && ssop_region_check(&of_result, result, NULL) == SSOP_OK,
          "rg_s6: not canonical");
    ssop_range in_chunk = of_chunk.range[0], in_result = of_result.range[0];
    CHECK(in_chunk.count == in_result.count && in_chunk.count > 0 && in_result.step == 1, "rg_s6: lengths");
    for (int64_t k = 0; k < in_chunk.count; k++) {
        int64_t at = in_result.start + k;
        CHECK(part.low + in_chunk.start + k * in_chunk.step == range.start + at * range.step, "rg_s6: other element");
        times[at]++;
    }
}

static void
check_one(const ssop_region *region, const int64_t *dim, const ssop_chunk_axis *chunks, const one_grid *grid)
{
    ssop_chunk_walk walk = {.region = region, .dims = dim, .grid = chunks};
    ssop_range range = region->range[0];
    int times[MAX_DIM + 1] = {0};
    int64_t visited = 0, last = -1, touched = chunks_touched(grid, range);
    for (bool more = ssop_chunks_first(&walk); more; more = ssop_chunks_next(&walk)) {
        CHECK(walk.part[0].index > last, "rg_s6: order");
        last = walk.part[0].index;
        check_present(&walk, grid, times);
        visited++;
    }
    CHECK(visited == touched, "rg_s6: %lld chunks of %lld", LL(visited), LL(touched));
    CHECK(count_chunks(&walk, 0, 1) == touched && count_chunks(&walk, 0, MAX_CHUNKS) == touched,
          "rg_s6: number of chunks of " RANGE, RANGE_VALUES(range));
    for (int64_t k = 0; k < range.count; k++) {
        CHECK(times[k] == 1, "rg_s6: element %lld of " RANGE " comes %d times", LL(k), RANGE_VALUES(range), times[k]);
    }
}

/* Every range of an axis. */
static void
check_ranges(const int64_t *dim, const ssop_chunk_axis *chunks, const one_grid *grid)
{
    for (int64_t start = -1; start < *dim; start++) {
        for (int64_t step = -*dim; step <= *dim; step++) {
            for (int64_t count = 0; count <= *dim; count++) {
                ssop_region region = {1, 1, {{start < 0 ? 0 : start, count, step}}, {0}};
                if (ssop_region_check(&region, dim, NULL) == SSOP_OK && is_chosen()) {
                    check_covering(&region, dim);
                    check_one(&region, dim, chunks, grid);
                }
            }
        }
    }
}

static void
test_regular_grids(void)
{
    for (int64_t dim = 0; dim <= MAX_DIM; dim++) {
        for (int64_t size = 1; size <= dim + 2; size++) {
            const ssop_chunk_axis chunks = {.size = size < dim + 2 ? size : INT64_MAX};
            one_grid grid = {0};
            for (int64_t start = 0; start < dim; start += size) {
                grid.start[grid.count] = start;
                grid.size[grid.count++] = start + size < dim ? size : dim - start;
            }
            CHECK(ssop_chunk_grid_check(1, &chunks, 1, NULL) == SSOP_OK, "rg_c8: size %lld", LL(chunks.size));
            check_ranges(&dim, &chunks, &grid);
        }
    }
}

/* Every list of at most MAX_CHUNKS sizes, of which one may be 0, with this sum. */
static void
test_lists_of_sizes(void)
{
    for (int64_t dim = 0; dim <= MAX_DIM; dim++) {
        const int cuts = dim > 0 ? 1 << (dim - 1) : 1;
        for (int cut = 0; cut < cuts; cut++) {
            for (int64_t zero = -1; zero <= dim; zero++) { /* a chunk without elements stands before chunk `zero` */
                one_grid grid = {0};
                int64_t ends[MAX_CHUNKS], start = 0;
                for (int64_t end = 1; end <= dim; end++) {
                    if (end < dim && !(cut >> (end - 1) & 1)) {
                        continue;
                    }
                    if (grid.count == zero) {
                        grid.start[grid.count++] = start;
                    }
                    grid.start[grid.count] = start;
                    grid.size[grid.count++] = end - start;
                    start = end;
                }
                memcpy(ends, grid.size, sizeof(ends));
                CHECK(ssop_chunk_ends(0, dim, grid.count, ends, NULL) == SSOP_OK, "rg_c9: legal");
                const ssop_chunk_axis chunks = {.count = grid.count, .end = ends};
                CHECK(ssop_chunk_grid_check(1, &chunks, 1, NULL) == SSOP_OK, "rg_c8: legal");
                check_ranges(&dim, &chunks, &grid);
            }
        }
    }
}

/* ---- several axes ------------------------------------------------------------------------------------------------ */

static void
test_several_axes(void)
{
    for (int i = 0; i < 20000; i++) {
        int64_t ends[3][MAX_DIM + 1] = {{0}};
        const int64_t dims[3] = {random_between(0, 5), random_between(1, 6), random_between(1, 6)};
        const int32_t rank = (int32_t)random_between(0, 3);
        ssop_chunk_axis grid[3];
        for (int32_t axis = 0; axis < rank; axis++) {
            grid[axis] = (ssop_chunk_axis){.size = random_between(1, 7)};
            if (random_between(0, 1) == 0) {
                int64_t left = dims[axis], count = 0;
                while (left > 0) {
                    left -= ends[axis][count++] = random_between(1, left);
                }
                CHECK(ssop_chunk_ends(axis, dims[axis], count, ends[axis], NULL) == SSOP_OK, "rg_c9: legal");
                grid[axis] = (ssop_chunk_axis){.count = count, .end = ends[axis]};
            }
        }
        ssop_region region = random_region(rank, dims);
        ssop_chunk_walk walk = {.region = &region, .dims = dims, .grid = grid};
        check_covering(&region, dims);
        check_walk(&walk);
    }
}

/* An output axis of length 0 that comes from nowhere: there is no chunk, but a remainder. */
static void
test_axis_from_nowhere(void)
{
    const int64_t dims[1] = {5};
    const ssop_chunk_axis grid[1] = {{.size = 2}};
    const ssop_region region = {1, 2, {{4, 3, -2}}, {SSOP_EMPTY_AXIS, 0}};
    ssop_chunk_walk walk = {.region = &region, .dims = dims, .grid = grid};
    check_covering(&region, dims);
    CHECK(!ssop_chunks_first(&walk), "rg_s6: an element that comes from nowhere");
}

/* As many axes as a region can have: some backwards, some in chunks, all others of one element. */
static void
test_most_axes(void)
{
    int64_t dims[SSOP_MAX_RANK];
    ssop_chunk_axis grid[SSOP_MAX_RANK];
    ssop_region region = {.in_rank = SSOP_MAX_RANK, .out_rank = SSOP_MAX_RANK};
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        bool several = axis % 21 == 0;
        dims[axis] = several ? 3 : 1;
        grid[axis] = (ssop_chunk_axis){.size = 2};
        region.range[axis] = !several ? (ssop_range){0, 1, 1}
                           : axis % 2 ? (ssop_range){2, 3, -1}
                                      : (ssop_range){0, 3, 1};
        region.out_axis[axis] = (int8_t)axis;
    }
    ssop_chunk_walk walk = {.region = &region, .dims = dims, .grid = grid};
    CHECK(ssop_chunk_grid_check(SSOP_MAX_RANK, grid, SSOP_MAX_RANK, NULL) == SSOP_OK, "rg_c8: 64 axes");
    check_covering(&region, dims);
    check_walk(&walk);
}

/* ---- large numbers ----------------------------------------------------------------------------------------------- */

/* The longest axis, in chunks of all sizes: the first chunks and those from the end. */
static void
test_longest_axis(void)
{
    const int64_t dim = INT64_MAX, sizes[] = {1, 2, 1000, INT64_MAX / 2, INT64_MAX - 1, INT64_MAX};
    const ssop_region regions[] = {
        {1, 1, {{0, INT64_MAX, 1}}, {0}},
        {1, 1, {{INT64_MAX - 1, INT64_MAX, -1}}, {0}},
        {1, 1, {{0, 2, INT64_MAX - 1}}, {0}},
        {1, 1, {{INT64_MAX - 1, 2, -(INT64_MAX - 1)}}, {0}},
        {1, 1, {{INT64_MAX - 1, INT64_MAX / 3, -3}}, {0}},
    };
    for (int i = 0; i < COUNT(regions) * COUNT(sizes); i++) {
        const ssop_region *region = &regions[i / COUNT(sizes)];
        const ssop_chunk_axis grid[1] = {{.size = sizes[i % COUNT(sizes)]}};
        ssop_chunk_walk walk = {.region = region, .dims = &dim, .grid = grid};
        ssop_region of_chunk, of_result;
        check_covering(region, &dim);
        bool more = ssop_chunks_first(&walk);
        CHECK(more && count_chunks(&walk, 0, 1) >= 1, "rg_s6: no chunk of the longest axis");
        for (int k = 0; more && k < 3; k++) {
            ssop_chunks_regions(&walk, &of_chunk, &of_result);
            const int64_t here[1] = {walk.part[0].high - walk.part[0].low}, result[1] = {region->range[0].count};
            CHECK(walk.part[0].low >= 0 && here[0] >= 1 && here[0] <= sizes[i % COUNT(sizes)] &&
                      ssop_region_check(&of_chunk, here, NULL) == SSOP_OK &&
                      ssop_region_check(&of_result, result, NULL) == SSOP_OK,
                  "rg_s6: chunk %d of the longest axis", k);
            more = ssop_chunks_next(&walk);
        }
    }
}

/* ---- rejections -------------------------------------------------------------------------------------------------- */

static void
check_ends(int64_t dim, const int64_t sizes[3], ssop_error expected, int form)
{
    int64_t ends[3];
    ssop_error error = {.rule = SSOP_NO_RULE};
    memcpy(ends, sizes, sizeof(ends));
    CHECK(
        ssop_chunk_ends(1, dim, 3, ends, &error) == SSOP_VALUE_ERROR && error.form == form &&
            is_error(&error, expected.rule, expected.axis, expected.entry, expected.value, expected.low, expected.high),
        "%s: sizes %lld %lld %lld", ssop_rule_label(expected.rule), LL(sizes[0]), LL(sizes[1]), LL(sizes[2]));
}

static void
test_rejections(void)
{
    check_ends(6, (const int64_t[]){3, -1, 4}, error_of(SSOP_RG_C8, 1, 1, -1, 0, 6), 1);
    check_ends(6, (const int64_t[]){3, 0, 4}, error_of(SSOP_RG_C9, 1, -1, 7, 6, 6), 0);
    check_ends(6, (const int64_t[]){3, 0, 2}, error_of(SSOP_RG_C9, 1, -1, 5, 6, 6), 0);
    check_ends(6, (const int64_t[]){3, INT64_MAX, 2}, error_of(SSOP_RG_C9, 1, 1, INT64_MAX, 6, 6), 1);
    const ssop_chunk_axis grid[3] = {{.size = 1}, {.size = 0}, {.size = -1}};
    ssop_error error = {.rule = SSOP_NO_RULE};
    CHECK(ssop_chunk_grid_check(3, grid, 2, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_RG_C7, -1, -1, 3, 2, 2),
          "rg_c7");
    CHECK(ssop_chunk_grid_check(3, grid, 3, &error) == SSOP_VALUE_ERROR && error.form == 0 &&
              is_error(&error, SSOP_RG_C8, 1, -1, 0, 1, INT64_MAX),
          "rg_c8: size 0");
    CHECK(ssop_chunk_grid_check(1, grid + 2, 1, NULL) == SSOP_VALUE_ERROR, "rg_c8: no record");
}

int
main(void)
{
    test_regular_grids();
    test_lists_of_sizes();
    test_several_axes();
    test_axis_from_nowhere();
    test_most_axes();
    test_longest_axis();
    test_rejections();
    return check_report("test_chunks");
}
