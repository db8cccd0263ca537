/* What could go wrong: a tile of several short axes, or of few planes, copies other bytes than the obvious loop. */
#include "copies.h"

/* The number of the layout whose axes are in reverse order. */
static int
reversed_order(int32_t rank)
{
    int number = 0, orders = 1;
    for (int32_t k = 0; k < rank; k++) {
        number += k < rank / 2 ? orders * (rank - 1 - 2 * k) : 0;
        orders *= rank - k;
    }
    return number;
}

/* Returns 1 if the pattern is SSOP_PATTERN_SHORT_AXES. */
static int
check_short_axes(int32_t rank, const int64_t *dims, int64_t item_bytes, layout to, layout from)
{
    ssop_view dst, src;
    ssop_nest nest;
    size_t used = lay_out(&dst, dst_memory, rank, dims, item_bytes, to);
    lay_out(&src, src_memory, rank, dims, item_bytes, from);
    for (int way = 0; way < 3; way++) {
        check_bytes(&dst, &src, used, way);
    }
    ssop_nest_copy(&nest, &dst, &src, NULL);
    return nest.pattern == SSOP_PATTERN_SHORT_AXES ? 1 : 0;
}

/* Many short axes, in C order on one side and in another order on the other side, forwards and backwards; and axes of
 * lengths at the limits of a tile. */
static void
test_short_axes(void)
{
    enum { LARGE = 5 }; /* of items of one byte without gaps */
    static const int64_t known[][5] = {
        {15, 17, 2, 17, 15}, {17, 12, 2, 19, 17}, {36, 24, 1, 3, 40}, {45, 17, 1, 9, 45},
        {45, 17, 2, 9, 45},  {12, 9, 3, 9, 12},   {260, 2, 4, 8, 2},  {8, 4, 2, 260, 2},
        {4, 2, 3, 5, 4},     {2, 16, 2, 9, 9},    {129, 3, 2, 5, 3},  {5, 3, 2, 3, 129},
        {7, 5, 3, 5, 7},     {11, 3, 2, 3, 5},    {5, 24, 1, 24, 5},  {4, 27, 3, 27, 4},
    };
    int tiles = 0, total = 0;
    for (int i = 0; i < COUNT(known); i++) {
        for (int k = 0; k < (i < LARGE ? 4 : 24); k++) {
            int64_t item_bytes = i < LARGE ? 1 : (int64_t)1 << k % 4;
            layout to = {0, (uint64_t)k, k % 5 == 4 ? 1 : 0, k % 7 == 6 ? 3 : 0, k},
                   from = {reversed_order(5), 0, 0, 0, 1};
            from.signs = random_bits();
            tiles += check_short_axes(5, known[i], item_bytes, to, from);
            total++;
        }
    }
    for (int i = 0; i < 600; i++) {
        int64_t dims[8], items = 1;
        int32_t rank = (int32_t)random_between(3, 8);
        for (int32_t axis = 0; axis < rank; axis++) {
            dims[axis] = random_between(2, items < 300 ? 5 : 2);
            items *= dims[axis];
        }
        int order = i % 2 == 0 ? reversed_order(rank) : (int)random_between(0, 40319);
        layout c_order = {0, random_bits(), i % 11 == 10 ? 1 : 0, 0, i % 16},
               other = {order, random_bits(), 0, 0, i % 5};
        int64_t item_bytes = i % 3 == 0 ? 1 + i % 17 : (int64_t)1 << i % 5;
        bool gathers = i % 4 < 2;
        tiles += check_short_axes(rank, dims, item_bytes, gathers ? c_order : other, gathers ? other : c_order);
        total++;
    }
    CHECK(tiles > total / 10, "%s: %d of %d copies had tiles of short axes", ssop_cpu_target(), tiles, total);
}

/* A tile has only a block of an axis that does not fit into it, on one side only. In one source, both sides could have
 * a block of an axis. In another one, an axis continues where the block of another axis ends, so that both read the
 * same items. */
static void
test_blocks_of_axes(void)
{
    static const int64_t dims[][4] = {{2, 36, 24, 40}, {2, 40, 24, 36}, {3, 36, 24, 40}};
    static const int64_t strides[][4] = {{34560, 1, 36, 864}, {34560, 1, 40, 960}, {72, 1, 36, 1000}};
    for (int i = 0; i < COUNT(dims); i++) {
        ssop_view dst, src = {(char *)src_memory, 1, 4, {0}, {0}};
        size_t used = lay_out(&dst, dst_memory, 4, dims[i], 1, (layout){0, 0, 0, 0, 0});
        memcpy(src.dim, dims[i], sizeof dims[i]);
        memcpy(src.stride, strides[i], sizeof strides[i]);
        for (int way = 0; way < 3; way++) {
            check_bytes(&dst, &src, used, way);
        }
    }
}

/* Copies from memory, where a tile has an axis whole, in blocks, or not at all. The last are matrices as they are in
 * the caches, because their rows are whole lines or are read in long pieces. */
static void
test_tiles_from_memory(void)
{
    static const struct {
        int64_t item, dims[5];
    } known[] = {
        {1, {39, 1, 38, 38, 38}}, {1, {20, 20, 17, 19, 17}}, {2, {33, 1, 32, 33, 32}},  {2, {2, 79, 79, 9, 10}},
        {4, {27, 1, 27, 28, 27}}, {4, {130, 5, 3, 17, 17}},  {8, {13, 13, 13, 11, 11}}, {8, {17, 1, 130, 11, 11}},
        {4, {16, 31, 3, 23, 16}}, {8, {40, 1, 21, 20, 17}},  {4, {33, 1, 171, 1, 97}},
    };
    const layout to = {0, 0, 0, 0, 0}, from = {reversed_order(5), 0, 0, 0, 1};
    for (int i = 0; i < COUNT(known); i++) {
        if (!is_chosen()) {
            continue;
        }
        ssop_view dst, src;
        const size_t used = lay_out(&dst, dst_memory, 5, known[i].dims, known[i].item, to);
        lay_out(&src, src_memory, 5, known[i].dims, known[i].item, from);
        use_random_policies();
        use_small_last_cache();
        check_copy(&dst, &src, used, i % 3);
    }
}

/* Rows of a few items that lie apart, in two axes of any order in the source. The inner loop is the nearest of these
 * axes that is long, or the columns. */
static void
test_few_items_in_rows(void)
{
    for (int i = 0; i < 600; i++) {
        const int64_t dims[] = {random_between(1, 2), random_between(1, 12), random_between(1, 12),
                                random_between(2, i % 3 == 0 ? 60 : 6)};
        const int64_t item_bytes = i % 4 == 0 ? random_between(1, 16) : (int64_t)1 << i % 5;
        const int64_t step = item_bytes * random_between(2, i % 3 == 0 ? 2 : 4),
                      row = step * dims[3] + random_between(0, 40);
        const bool swapped = i % 2 == 0;
        ssop_view dst, src = {(char *)src_memory, item_bytes, 4, {0}, {0, 0, 0, step}};
        size_t used = lay_out(&dst, dst_memory, 4, dims, item_bytes, (layout){0, 0, 0, 0, i % 5});
        memcpy(src.dim, dims, sizeof dims);
        src.stride[1] = swapped ? row : row * dims[2];
        src.stride[2] = swapped ? row * dims[1] : row;
        src.stride[0] = row * dims[1] * dims[2];
        if (i % 3 == 1) {
            src.data += (dims[3] - 1) * step;
            src.stride[3] = -step;
        }
        check_bytes(&dst, &src, used, i % 3);
    }
}

/* Rows of three items, of which the source has lines that collide in the caches along the innermost long axis, and none
 * along the other one. */
static void
test_colliding_lines(void)
{
    static const int64_t dims[] = {20, 17, 3}, strides[] = {8, 4096, 4096 * 17 + 64};
    ssop_view dst, src = {(char *)src_memory, 4, 3, {0}, {0}};
    const size_t used = lay_out(&dst, dst_memory, 3, dims, 4, (layout){0, 0, 0, 0, 0});
    memcpy(src.dim, dims, sizeof dims);
    memcpy(src.stride, strides, sizeof strides);
    check_copy(&dst, &src, used, 0);
}

/* Two to nine rows that share lines of the source with many others, which are copied together with the columns unless
 * their tile would be small. */
static void
test_few_rows_that_share_lines(void)
{
    for (int few = 2; few <= 9; few++) {
        const int64_t dims[] = {few, 512, 8}, strides[] = {8, 8 * few - 4, 20480 + 64 * few};
        ssop_view dst, src = {(char *)src_memory, 4, 3, {0}, {0}};
        const size_t used = lay_out(&dst, dst_memory, 3, dims, 4, (layout){0, 0, 0, 0, 0});
        memcpy(src.dim, dims, sizeof dims);
        memcpy(src.stride, strides, sizeof strides);
        check_copy(&dst, &src, used, few % 3);
    }
}

/* Many matrices that are each too small for non-temporal stores, which the copy as a whole has. */
static void
test_small_matrices_from_memory(void)
{
    static const int64_t dims[] = {40, 50, 4};
    ssop_view dst, src;
    ssop_nest nest;
    ssop_policies policies = *ssop_policies_used();
    policies.stream_bytes = 1;
    CHECK(ssop_policies_use(&policies), "policies");
    const bool lines = strcmp(ssop_cpu_target(), "avx512") == 0;
    const size_t used = lay_out(&dst, dst_memory, 3, dims, 4, (layout){0, 0, 0, 0, 0});
    lay_out(&src, src_memory, 3, dims, 4, (layout){3, 0, 0, 0, 0});
    ssop_nest_copy(&nest, &dst, &src, NULL);
    CHECK(!lines || nest.pattern == SSOP_PATTERN_INTERLEAVE, "pattern %d", (int)nest.pattern);
    CHECK(!lines || (nest.policy & (SSOP_STREAM | SSOP_COLLECT)) == SSOP_STREAM, "policy %u", nest.policy);
    check_copy(&dst, &src, used, 0);
}

/* Rows of two to four items from memory, of which a far axis is made the inner loop, unless those between are nearer to
 * each other in the source. */
static void
test_near_axes_from_memory(void)
{
    static const struct {
        int64_t item_bytes, dims[4], strides[4];
        int gap;
        bool exchanged;
    } known[] = {
        {16, {2090, 3, 7, 3}, {400, 128, 16, 600000}, 0, false},
        {16, {2090, 3, 7, 3}, {400, -128, 16, 600000}, 0, false},
        {16, {2090, 3, 7, 3}, {400, 128, 16, 600000}, 1, true},  /* items with gaps in the destination */
        {16, {2090, 7, 3, 3}, {400, 1600, 48, 600000}, 0, true}, /* not all between are nearer */
        {16, {2090, 3, 7, 3}, {400, 48, 100000, 144}, 0, false}, /* all but the innermost are */
        {16, {11000, 3, 2, 2}, {48, 300000, 900000, 24}, 0, true},
        {16, {820, 16, 5, 2}, {160, 4096, 16, 8192}, 0, true}, /* so far apart that several are better */
        {8, {57, 3, 513, 3}, {1920, 64, 4096, 192}, 0, false}, /* the innermost is long */
        {4, {1, 88000, 3, 2}, {0, 16, 4, 700000}, 0, true},    /* few items */
        {8, {1, 23000, 3, 4}, {0, 28, 8, 550000}, 0, true},    /* which share lines */
    };
    for (int i = 0; i < COUNT(known); i++) {
        ssop_view dst, src = {(char *)src_memory, known[i].item_bytes, 4, {0}, {0}};
        const layout packed = {0, 0, known[i].gap, 0, 0};
        const size_t used = lay_out(&dst, dst_memory, 4, known[i].dims, known[i].item_bytes, packed);
        for (int axis = 0; axis < 4; axis++) {
            src.dim[axis] = known[i].dims[axis];
            src.stride[axis] = known[i].strides[axis];
            src.data -= src.stride[axis] < 0 ? (src.dim[axis] - 1) * src.stride[axis] : 0;
        }
        use_random_policies();
        use_small_last_cache();
        const ssop_policies random = *ssop_policies_used();
        ssop_policies usual;
        ssop_policies_of_machine(&usual, 0);
        usual.last_cache_bytes = 8 << 20;
        usual.stream_bytes = 4 << 20; /* all copies reach it, some by little */
        CHECK(ssop_policies_use(&usual), "policies within their bounds were rejected");
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        CHECK(ssop_policies_use(&random), "policies within their bounds were rejected");
        const bool exchanged = nest.row_axis > nest.column_axis;
        CHECK(exchanged == known[i].exchanged, "%s, case %d: pattern %d, rows %d, columns %d", ssop_cpu_target(), i,
              (int)nest.pattern, (int)nest.row_axis, (int)nest.column_axis);
        if (is_chosen()) {
            check_copy(&dst, &src, used, i % 3);
        }
    }
}

/* Planes become packed rows and packed rows become planes, of every small number and item size, with and without gaps
 * behind each plane. */
static void
test_planes(void)
{
    for (int i = 0; i < 900; i++) {
        const int64_t dims[] = {random_between(1, 3), random_between(1, i % 3 == 0 ? 2500 : 200), random_between(2, 5)};
        const int64_t item_bytes = (int64_t)1 << i % 5;
        const int rows_inside = 3; /* the order (0, 2, 1) */
        const layout planes = {rows_inside, 0, 0, i % 7 == 6 ? 16 : 0, i % 4 == 3 ? i % 64 : 0};
        const layout packed = {0, 0, 0, 0, i % 5 == 4 ? i % 64 : 0};
        ssop_view dst, src;
        size_t used = lay_out(&dst, dst_memory, 3, dims, item_bytes, i % 2 == 0 ? packed : planes);
        lay_out(&src, src_memory, 3, dims, item_bytes, i % 2 == 0 ? planes : packed);
        check_bytes(&dst, &src, used, i % 3);
    }
}

/* Few planes are interleaved if their rows have no gaps, and have less than a lane, a lane of up to four items, or
 * three items of eight bytes. Where lines are shuffled, planes are interleaved to longer rows, too. Such rows are
 * deinterleaved if they become up to four planes, or more planes of two bytes. Where lanes are shuffled, rows of a
 * whole lane are deinterleaved only if they are many pairs. */
static void
test_known_planes(void)
{
    static const struct {
        int64_t planes, rows, item_bytes, dst_row, src_row;
        bool by_lanes, by_lines, apart_by_lanes;
    } known[] = {
        {3, 1000, 1, 3, 1, true, true, true},       {2, 1000, 1, 2, 1, true, true, true},
        {8, 1000, 1, 8, 1, true, false, false},     {3, 400, 4, 12, 4, true, true, true},
        {9, 1000, 1, 9, 1, false, false, false},    {2, 1000, 8, 16, 8, true, true, false},
        {2, 1100, 8, 16, 8, true, true, true},      {4, 1000, 8, 32, 8, false, true, false},
        {5, 1000, 4, 20, 4, false, false, false},   {3, 1000, 1, 4, 1, false, false, false},
        {3, 900, 1, 3, 2, false, false, false},     {3, 12, 1, 3, 1, false, false, false},
        {3, 1000, 16, 48, 16, false, false, false}, {3, 1000, 3, 9, 3, false, false, false},
        {4, 1000, 4, 16, 4, true, true, false},     {8, 1000, 2, 16, 2, false, false, false},
        {5, 1000, 2, 10, 2, true, false, true},     {3, 1000, 8, 24, 8, true, true, true},
    };
    const bool lines = strcmp(ssop_cpu_target(), "avx512") == 0;
    for (int i = 0; i < COUNT(known); i++) {
        int64_t item = known[i].item_bytes, planes = known[i].planes, rows = known[i].rows;
        ssop_view dst = {(char *)dst_memory, item, 2, {rows, planes}, {known[i].dst_row, item}};
        ssop_view src = {(char *)src_memory, item, 2, {rows, planes}, {known[i].src_row, 2 * rows * item + 5}};
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        bool right = (known[i].by_lanes && nest.vector_bytes > 0) || (known[i].by_lines && lines);
        CHECK((nest.pattern == SSOP_PATTERN_INTERLEAVE) == right, "%s, case %d: pattern %d", ssop_cpu_target(), i,
              (int)nest.pattern);
        const ssop_view packed = {(char *)src_memory, item, 2, {planes, rows}, {item, known[i].dst_row}};
        const ssop_view apart = {
            (char *)dst_memory, item, 2, {planes, rows}, {rows * known[i].src_row, known[i].src_row}};
        ssop_nest_copy(&nest, &apart, &packed, NULL);
        right = lines ? known[i].by_lines : known[i].apart_by_lanes && nest.vector_bytes > 0;
        CHECK((nest.pattern == SSOP_PATTERN_DEINTERLEAVE) == right, "%s, case %d: pattern %d", ssop_cpu_target(), i,
              (int)nest.pattern);
    }
}

/* Planes whose columns are a lane apart are transposed, not shuffled; columns that overlap are shuffled. */
static void
test_planes_of_whole_lanes(void)
{
    for (int64_t item = 1; item <= 2; item *= 2) {
        const ssop_view dst = {(char *)dst_memory, item, 2, {16 / item, 600}, {600 * item, item}};
        const ssop_view planes = {(char *)src_memory, item, 2, {16 / item, 600}, {item, 16}};
        const ssop_view windows = {(char *)src_memory, item, 2, {16 / item, 600}, {item, 2 * item}};
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &planes, NULL);
        CHECK(nest.pattern == SSOP_PATTERN_TRANSPOSE, "%s: pattern %d", ssop_cpu_target(), (int)nest.pattern);
        ssop_nest_copy(&nest, &dst, &windows, NULL);
        CHECK(nest.pattern == SSOP_PATTERN_SHUFFLE || nest.vector_bytes == 0, "%s: pattern %d", ssop_cpu_target(),
              (int)nest.pattern);
    }
}

/* Many items of 16 bytes in reverse order are copied one by one. */
static void
test_many_lanes(void)
{
    enum { MANY = 70000 };
    const ssop_view dst = {(char *)dst_memory + GUARD_BYTES, 16, 1, {MANY}, {16}};
    const ssop_view src = {(char *)src_memory + GUARD_BYTES + 16 * (MANY - 1), 16, 1, {MANY}, {-16}};
    ssop_nest nest;
    ssop_nest_copy(&nest, &dst, &src, NULL);
    CHECK(nest.pattern != SSOP_PATTERN_SHUFFLE, "%s: pattern %d", ssop_cpu_target(), (int)nest.pattern);
    check_copy(&dst, &src, 16 * MANY + 2 * GUARD_BYTES, 0);
}

/* Where both loops of a kernel are a few items, a shuffle would copy as few at a time: axes of length 2 are tiles
 * of several axes instead. */
static void
test_many_short_axes(void)
{
    enum { RANK = 24 };
    static const int32_t order[RANK] = {1,  3,  13, 10, 9,  16, 17, 8, 7, 0,  4,  14,
                                        15, 23, 11, 2,  21, 19, 20, 6, 5, 18, 12, 22};
    ssop_view dst = {(char *)dst_memory, 4, RANK, {0}, {0}}, src = {(char *)src_memory, 4, RANK, {0}, {0}};
    for (int32_t axis = 0; axis < RANK; axis++) {
        dst.dim[axis] = src.dim[axis] = 2;
        dst.stride[axis] = (int64_t)4 << (RANK - 1 - axis);
        src.stride[axis] = (int64_t)4 << (RANK - 1 - order[axis]);
    }
    ssop_nest nest;
    ssop_nest_copy(&nest, &dst, &src, NULL);
    CHECK(nest.pattern == SSOP_PATTERN_SHORT_AXES, "%s: pattern %d", ssop_cpu_target(), (int)nest.pattern);
}

/* A nest keeps the kernels that were chosen when it was made. */
static void
test_nests_of_other_targets(void)
{
    static const int64_t dims[] = {2, 700, 3};
    char chosen[16];
    snprintf(chosen, sizeof chosen, "%s", ssop_cpu_target());
    for (int i = 0; i < 2 * COUNT(all_targets); i++) {
        const layout planes = {3, 0, 0, 0, 0}, packed = {0, 0, 0, 0, 0};
        ssop_view dst, src;
        ssop_nest nest;
        size_t used = lay_out(&dst, dst_memory, 3, dims, 1, i % 2 == 0 ? packed : planes);
        lay_out(&src, src_memory, 3, dims, 1, i % 2 == 0 ? planes : packed);
        plain_copy(&dst, &src, used);
        memcpy(dst_memory, blank, used);
        ssop_nest_copy(&nest, &dst, &src, NULL);
        (void)ssop_cpu_choose(all_targets[i / 2]);
        execute(&nest, 0);
        CHECK(memcmp(dst_memory, expected, used) == 0, "made by %s, run by %s", chosen, ssop_cpu_target());
        CHECK(ssop_cpu_choose(chosen), "%s", chosen);
    }
}

int
main(void)
{
    fill_arenas();
    for_every_target(test_short_axes);
    for_every_target(test_blocks_of_axes);
    for_every_target(test_many_short_axes);
    for_every_target(test_few_items_in_rows);
    for_every_target(test_planes);
    for_every_target(test_known_planes);
    for_every_target(test_planes_of_whole_lanes);
    for_every_target(test_many_lanes);
    for_every_target(test_nests_of_other_targets);
    for_every_target(test_tiles_from_memory);
    for_every_target(test_near_axes_from_memory);
    for_every_target(test_colliding_lines);
    for_every_target(test_few_rows_that_share_lines);
    for_every_target(test_small_matrices_from_memory);
    return check_report("test_tiles");
}
