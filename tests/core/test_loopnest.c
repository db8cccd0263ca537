/* What could go wrong: a copy that is reduced to its loops and divided into steps copies other bytes than the obvious
 * loop. */
#include "copy/kernels/kernels.h"
#include "random_policies.h"
#include "targets.h"

enum { ARENA_BYTES = 700000, GUARD_BYTES = 64, ITEM_MOST = 33, GAPS = 3 };

/* What is on both sides before a copy, both sides, and what the destination must hold after it. */
static unsigned char blank[ARENA_BYTES], pattern[ARENA_BYTES];
static unsigned char dst_memory[ARENA_BYTES], src_memory[ARENA_BYTES], expected[ARENA_BYTES];

static void
fill_arenas(void)
{
    for (int i = 0; i < ARENA_BYTES; i++) {
        blank[i] = (unsigned char)(random_bits() >> 32);
        pattern[i] = (unsigned char)(random_bits() >> 32);
    }
    memcpy(src_memory, pattern, ARENA_BYTES);
}

/* How a view lies in memory: the order of its axes, which of them run backwards, and where gaps are. */
typedef struct {
    int order;
    uint64_t signs;
    int item_gap, row_gap, offset; /* bytes */
} layout;

static void
nth_permutation(int n, int32_t rank, int32_t *order)
{
    for (int32_t k = 0; k < rank; k++) {
        order[k] = k;
    }
    for (int32_t k = 0; k < rank; k++) {
        int32_t other = k + n % (rank - k), kept = order[k];
        n /= rank - k;
        order[k] = order[other];
        order[other] = kept;
    }
}

/* Lays a view into an arena, behind its guard; returns how many bytes of the arena matter, guards and all. */
static size_t
lay_out(ssop_view *view, unsigned char *arena, int32_t rank, const int64_t *dims, int64_t item_bytes, layout how)
{
    int32_t order[SSOP_MAX_RANK];
    nth_permutation(how.order, rank, order);
    int64_t bytes = item_bytes + how.item_gap, start = 0;
    view->item_bytes = item_bytes;
    view->rank = rank;
    for (int32_t k = rank - 1; k >= 0; k--) {
        int32_t axis = order[k];
        bool backwards = (how.signs >> axis & 1) != 0;
        int64_t dim = dims[axis] > 0 ? dims[axis] : 1;
        view->dim[axis] = dims[axis];
        view->stride[axis] = backwards ? -bytes : bytes;
        start += backwards ? (dim - 1) * bytes : 0;
        bytes = bytes * dim + how.row_gap;
    }
    view->data = (char *)arena + GUARD_BYTES + how.offset + start;
    size_t used = (size_t)(2 * GUARD_BYTES + how.offset + bytes);
    if (used > ARENA_BYTES) {
        printf("a view of %lld bytes in an arena of %d\n", LL(used), ARENA_BYTES);
        exit(EXIT_FAILURE);
    }
    return used;
}

static int64_t
item_count(const ssop_view *view)
{
    int64_t items = 1;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        items *= view->dim[axis];
    }
    return items;
}

/* The item of a row-major number. */
static char *
item_at(const ssop_view *view, int64_t number)
{
    char *item = view->data;
    for (int32_t axis = view->rank - 1; axis >= 0; axis--) {
        item += number % view->dim[axis] * view->stride[axis];
        number /= view->dim[axis];
    }
    return item;
}

/* The obvious copy, or zero fill without a source, into `expected`. */
static void
plain_copy(const ssop_view *dst, const ssop_view *src, size_t used)
{
    memcpy(expected, blank, used);
    int64_t items = item_count(dst);
    for (int64_t i = 0; i < items; i++) {
        unsigned char *to = expected + (item_at(dst, i) - (char *)dst_memory);
        if (src != NULL) {
            memcpy(to, item_at(src, i), (size_t)dst->item_bytes);
        }
        else {
            memset(to, 0, (size_t)dst->item_bytes);
        }
    }
}

static bool
is_chained(const ssop_nest *nest, int32_t axis)
{
    return nest->dst_stride[axis] * nest->count[axis] == nest->dst_stride[axis - 1] &&
           (nest->src == NULL || nest->src_stride[axis] * nest->count[axis] == nest->src_stride[axis - 1]);
}

/* What the header says of a nest, and that no two of its loops could be one. */
static void
check_nest(const ssop_nest *nest, const ssop_view *dst)
{
    int64_t items = dst->item_bytes == 0 ? 0 : item_count(dst), loops = 1;
    CHECK(ssop_nest_bytes(nest) == items * dst->item_bytes, "%lld bytes", LL(ssop_nest_bytes(nest)));
    CHECK((ssop_nest_steps(nest) > 0) == (items > 0), "%lld steps", LL(ssop_nest_steps(nest)));
    if (items == 0) {
        return;
    }
    const int64_t step_bytes = 4 * ssop_policies_used()->step_bytes;
    CHECK(nest->rank >= 1 && ssop_nest_steps(nest) >= ssop_nest_bytes(nest) / step_bytes, "nest of rank %d, %lld steps",
          (int)nest->rank, LL(ssop_nest_steps(nest)));
    for (int32_t axis = 0; axis < nest->rank; axis++) {
        loops *= nest->count[axis];
        CHECK(nest->dst_stride[axis] > 0 && (nest->count[axis] > 1 || nest->rank == 1), "unit or backward axis %d",
              (int)axis);
        CHECK(axis == 0 || (nest->dst_stride[axis - 1] >= nest->dst_stride[axis] && !is_chained(nest, axis)),
              "axes %d and %d out of order or not joined", (int)axis - 1, (int)axis);
    }
    CHECK(loops * nest->item_bytes == items * dst->item_bytes, "%lld items in the loops", LL(loops));
    CHECK(nest->item_bytes == (nest->src != NULL ? dst->item_bytes : 1), "items of %lld bytes", LL(nest->item_bytes));
    CHECK(nest->src != NULL || nest->pattern == SSOP_PATTERN_ZERO || nest->pattern == SSOP_PATTERN_REPEAT, "pattern %d",
          (int)nest->pattern);
    CHECK(nest->src == NULL || nest->pattern != SSOP_PATTERN_ZERO, "zeros instead of a copy");
}

/* Every step once: all at once, one by one from the back, or odd pieces of random length before the even ones. */
static void
execute(const ssop_nest *nest, int way)
{
    int64_t steps = ssop_nest_steps(nest), edge[64] = {0};
    int pieces = 0;
    ssop_nest_execute(nest, steps, steps);
    if (way == 0) {
        ssop_nest_execute(nest, 0, steps);
    }
    else if (way == 1) {
        for (int64_t step = steps; step-- > 0;) {
            ssop_nest_execute(nest, step, step + 1);
        }
    }
    else {
        while (edge[pieces] < steps) {
            int64_t length = pieces + 2 < COUNT(edge) ? random_between(1, steps / 16 + 1) : steps - edge[pieces];
            edge[pieces + 1] = edge[pieces] + length < steps ? edge[pieces] + length : steps;
            pieces++;
        }
        for (int i = 0; i < 2 * pieces; i++) {
            int piece = i < pieces ? i : i - pieces;
            if (piece % 2 == (i < pieces ? 1 : 0)) {
                ssop_nest_execute(nest, edge[piece], edge[piece + 1]);
            }
        }
    }
}

/* Under the policies in use. */
static void
check_copy(const ssop_view *dst, const ssop_view *src, size_t used, int way)
{
    ssop_nest nest;
    plain_copy(dst, src, used);
    memcpy(dst_memory, blank, used);
    if (src != NULL) {
        ssop_nest_copy(&nest, dst, src, NULL);
    }
    else {
        ssop_nest_zero(&nest, dst, NULL);
    }
    check_nest(&nest, dst);
    execute(&nest, way);
    CHECK(memcmp(dst_memory, expected, used) == 0,
          "wrong bytes: %s, pattern %d, rank %d of %lld items of %lld bytes, way %d", ssop_cpu_target(),
          (int)nest.pattern, (int)dst->rank, LL(item_count(dst)), LL(dst->item_bytes), way);
}

static void
check_bytes(const ssop_view *dst, const ssop_view *src, size_t used, int way)
{
    if (is_chosen()) {
        use_random_policies();
        check_copy(dst, src, used, way);
    }
}

static layout
layout_of(int number, int32_t rank, int gap)
{
    int orders = rank == 3 ? 6 : rank == 2 ? 2 : 1;
    return (layout){number % orders, (uint64_t)(number / orders), gap == 1 ? 3 : 0, gap == 2 ? 5 : 0, number % 16};
}

/* Every shape of dims 0..3 up to rank 3, every order and direction of the axes of both sides, gaps, sizes in turn. */
static void
test_every_layout(void)
{
    const int layouts[4] = {1, 2, 2 * 4, 6 * 8};
    int turn = 0;
    for (int32_t rank = 0; rank <= 3; rank++) {
        for (int shape = 0; shape < 1 << 2 * rank; shape++) {
            const int64_t dims[3] = {shape & 3, shape >> 2 & 3, shape >> 4};
            for (int pair = 0; pair < layouts[rank] * layouts[rank] * GAPS; pair++) {
                int to = pair % layouts[rank], from = pair / layouts[rank] % layouts[rank];
                int64_t item_bytes = turn++ % (ITEM_MOST + 1); /* 0 among them */
                ssop_view dst, src;
                size_t used = lay_out(&dst, dst_memory, rank, dims, item_bytes, layout_of(to, rank, pair % GAPS));
                lay_out(&src, src_memory, rank, dims, item_bytes, layout_of(from, rank, turn / 7 % GAPS));
                check_bytes(&dst, &src, used, turn / 5 % 3);
            }
        }
    }
    CHECK(memcmp(src_memory, pattern, ARENA_BYTES) == 0, "a source was written");
}

/* Every item size, strided or not, from every alignment to every other; and zero fills. */
static void
test_every_item_size(void)
{
    const int64_t dims[2] = {3, 7};
    for (int64_t item_bytes = 1; item_bytes <= ITEM_MOST; item_bytes++) {
        for (int i = 0; i < 16 * 16 * GAPS * GAPS; i++) {
            int to = i % 16, from = i / 16 % 16, to_gap = i / 256 % GAPS, from_gap = i / 768;
            ssop_view dst, src;
            layout dst_layout = {i % 2, (uint64_t)i / 2 % 4, to_gap == 1 ? 1 : 0, to_gap == 2 ? 9 : 0, to};
            layout src_layout = {from_gap % 2, (uint64_t)i / 3 % 4, from_gap == 1 ? 7 : 0, from_gap == 2 ? 2 : 0, from};
            size_t used = lay_out(&dst, dst_memory, 2, dims, item_bytes, dst_layout);
            lay_out(&src, src_memory, 2, dims, item_bytes, src_layout);
            check_bytes(&dst, &src, used, i % 3);
            check_bytes(&dst, NULL, used, i % 3);
        }
    }
}

/* A source that repeats its items: stride 0 along any of the axes. */
static void
test_broadcast_sources(void)
{
    const int64_t dims[3] = {3, 2, 5};
    for (int repeated = 0; repeated < 8; repeated++) {
        for (int i = 0; i < 48 * 48; i++) {
            ssop_view dst, src;
            int64_t item_bytes = 1 + i % 9;
            size_t used = lay_out(&dst, dst_memory, 3, dims, item_bytes, layout_of(i % 48, 3, i % GAPS));
            lay_out(&src, src_memory, 3, dims, item_bytes, layout_of(i / 48, 3, 0));
            for (int axis = 0; axis < 3; axis++) {
                src.stride[axis] = repeated >> axis & 1 ? 0 : src.stride[axis];
            }
            check_bytes(&dst, &src, used, i % 3);
        }
    }
}

/* Ranks to 64, most axes of length 1 with strides that mean nothing. */
static void
test_many_axes(void)
{
    const int64_t wild[] = {INT64_MIN, INT64_MAX, 0, -1, 1};
    for (int i = 0; i < 3000; i++) {
        ssop_view dst, src;
        int64_t dims[SSOP_MAX_RANK], items = 1;
        int32_t rank = (int32_t)random_between(4, SSOP_MAX_RANK);
        for (int32_t axis = 0; axis < rank; axis++) {
            dims[axis] = items < 100 && random_between(0, rank / 4) == 0 ? random_between(2, 4) : 1;
            items *= dims[axis];
        }
        int order = (int)random_between(0, 1 << 30);
        layout to = {order, random_bits(), i % 2, i % 5, 0}, from = {order / 3, random_bits(), i % 3, i % 7, 0};
        size_t used = lay_out(&dst, dst_memory, rank, dims, i % 17, to);
        lay_out(&src, src_memory, rank, dims, i % 17, from);
        for (int32_t axis = 0; axis < rank; axis++) {
            if (dims[axis] == 1) {
                dst.stride[axis] = wild[random_between(0, COUNT(wild) - 1)];
                src.stride[axis] = wild[random_between(0, COUNT(wild) - 1)];
            }
        }
        check_bytes(&dst, i % 8 == 0 ? NULL : &src, used, i % 3);
    }
}

/* Axes long enough to be cut into many pieces. */
static void
test_long_axes(void)
{
    const int64_t shapes[][3] = {{300, 5, 2}, {2, 300, 5}, {257, 256, 1}, {1, 1, 7000}, {3, 3, 700}, {40, 40, 3}};
    for (int s = 0; s < COUNT(shapes); s++) {
        for (int i = 0; i < 36; i++) {
            int64_t item_bytes = 1 + i % 4;
            ssop_view dst, src;
            layout to = {i % 6, (uint64_t)i % 8, 0, i % 2, 0}, from = {i / 6, (uint64_t)i / 5, 0, i / 3 % 2, 1};
            size_t used = lay_out(&dst, dst_memory, 3, shapes[s], item_bytes, to);
            lay_out(&src, src_memory, 3, shapes[s], item_bytes, from);
            check_bytes(&dst, i % 7 == 0 ? NULL : &src, used, 2 - i % 2);
        }
    }
}

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

/* Of an axis that does not fit into a tile, the tile has a block, on one side only. The sources: an axis of which both
 * sides could have a block, and an axis that goes on where the block of another one ends, so that both read the same
 * items. */
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

/* An empty copy may name memory that is not there, by strides that no memory has. */
static void
test_nothing_to_do(void)
{
    const int64_t wild[] = {INT64_MIN, INT64_MIN / 2, -1, 0, INT64_MAX};
    for (int i = 0; i < COUNT(wild); i++) {
        ssop_view nowhere = {NULL, 8, 3, {5, 3, 0}, {wild[i], -8, 8}}, no_bytes = {NULL, 0, 2, {5, 3}, {wild[i], -8}};
        ssop_view scalar = {NULL, 0, 0, {0}, {0}};
        const ssop_view *views[3] = {&nowhere, &no_bytes, &scalar};
        for (int k = 0; k < 3; k++) {
            ssop_nest nest;
            ssop_nest_copy(&nest, views[k], views[k], NULL);
            CHECK(ssop_nest_steps(&nest) == 0 && ssop_nest_bytes(&nest) == 0, "nothing to copy, stride %lld",
                  LL(wild[i]));
            ssop_nest_execute(&nest, 0, 0);
            ssop_nest_rebase(&nest, NULL, NULL, NULL);
            CHECK(ssop_nest_steps(&nest) == 0, "still nothing, stride %lld", LL(wild[i]));
            ssop_nest_zero(&nest, views[k], NULL);
            CHECK(ssop_nest_steps(&nest) == 0 && ssop_nest_bytes(&nest) == 0, "nothing to clear, stride %lld",
                  LL(wild[i]));
            ssop_nest_execute(&nest, 0, 0);
        }
    }
}

static void
check_reduced(const char *what, int32_t rank, const int64_t *dims, const int64_t *dst_strides,
              const int64_t *src_strides, int32_t right_rank, const int64_t *right_counts)
{
    ssop_view dst = {(char *)dst_memory + ARENA_BYTES / 2, 8, rank, {0}, {0}};
    ssop_view src = {(char *)src_memory + ARENA_BYTES / 2, 8, rank, {0}, {0}};
    size_t bytes = sizeof(int64_t) * (size_t)rank;
    memcpy(dst.dim, dims, bytes);
    memcpy(src.dim, dims, bytes);
    memcpy(dst.stride, dst_strides, bytes);
    memcpy(src.stride, src_strides, bytes);
    ssop_nest nest;
    ssop_nest_copy(&nest, &dst, &src, NULL);
    CHECK(nest.rank == right_rank, "%s: %d loops", what, (int)nest.rank);
    for (int32_t axis = 0; axis < right_rank; axis++) {
        CHECK(nest.count[axis] == right_counts[axis], "%s: loop %d of %lld", what, (int)axis, LL(nest.count[axis]));
    }
}

#define LIST(...) ((const int64_t[]){__VA_ARGS__})

/* Loops that must vanish. */
static void
test_known_nests(void)
{
    check_reduced("a block", 3, LIST(2, 3, 4), LIST(96, 32, 8), LIST(96, 32, 8), 1, LIST(24));
    check_reduced("a transposed block", 3, LIST(2, 3, 4), LIST(8, 16, 48), LIST(8, 16, 48), 1, LIST(24));
    check_reduced("a block from the back", 2, LIST(3, 4), LIST(-32, -8), LIST(-32, -8), 1, LIST(12));
    check_reduced("rows turned round", 3, LIST(2, 3, 4), LIST(96, 32, 8), LIST(96, 32, -8), 2, LIST(6, 4));
    check_reduced("a transpose", 2, LIST(3, 4), LIST(32, 8), LIST(8, 24), 2, LIST(3, 4));
    check_reduced("a turned transpose", 2, LIST(3, 4), LIST(8, 24), LIST(32, 8), 2, LIST(4, 3));
    check_reduced("columns of a table", 2, LIST(5, 2), LIST(16, 8), LIST(32, 8), 2, LIST(5, 2));
    check_reduced("every other item", 2, LIST(5, 2), LIST(16, 8), LIST(32, 16), 1, LIST(10));
    check_reduced("a repeated row", 2, LIST(5, 2), LIST(16, 8), LIST(0, 8), 2, LIST(5, 2));
    check_reduced("a repeated item", 2, LIST(5, 2), LIST(16, 8), LIST(0, 0), 1, LIST(10));
    check_reduced("one item", 2, LIST(1, 1), LIST(16, 8), LIST(-1, 0), 1, LIST(1));
    check_reduced("unit axes", 4, LIST(1, 3, 1, 2), LIST(7, 32, -5, 8), LIST(0, 48, 1, 8), 2, LIST(3, 2));
    check_reduced("an absurd source", 2, LIST(3, 4), LIST(32, 8), LIST(8, INT64_MAX / 2), 2, LIST(3, 4));
}

/* Patterns are chosen by strides and sizes alone: no memory is looked at. */
static void
test_known_patterns(void)
{
    static const struct {
        int64_t count, item_bytes, dst_stride, src_stride;
        int32_t pattern;
    } known[] = {
        {1000, 4, 4, 4, SSOP_PATTERN_ROWS},
        {1000, 24, 24, 48, SSOP_PATTERN_ROWS},
        {50, 1, 1, 2, SSOP_PATTERN_PACK},
        {1000, 1, 1, 900, SSOP_PATTERN_PACK},
        {1000, 8, 16, 8, SSOP_PATTERN_MASKED_STORE},
        {1000, 8, 24, 8, SSOP_PATTERN_STRIDED},
        {10000000, 4, 8, 4, SSOP_PATTERN_STRIDED},
        {1000, 4, 8, 8, SSOP_PATTERN_STRIDED},
        {1000, 4, 5000, 4, SSOP_PATTERN_STRIDED},
        {1000, 4, 8, 4, SSOP_PATTERN_MASKED_STORE},
        {10000000, 2, 4, 2, SSOP_PATTERN_MASKED_STORE},
        {1000, 4, 4, 8, SSOP_PATTERN_PERMUTE},
        {1000, 1, 1, -1, SSOP_PATTERN_PERMUTE},
        {1000, 3, 3, 4, SSOP_PATTERN_PERMUTE},
    };
    for (int i = 0; i < COUNT(known); i++) {
        ssop_view dst = {(char *)dst_memory, known[i].item_bytes, 1, {known[i].count}, {known[i].dst_stride}};
        ssop_view src = {(char *)src_memory, known[i].item_bytes, 1, {known[i].count}, {known[i].src_stride}};
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        bool vectors = nest.vector_bytes > 0, masks = strncmp(ssop_cpu_target(), "avx512", 6) == 0;
        int32_t right = known[i].pattern;
        if (right == SSOP_PATTERN_PERMUTE && !vectors) {
            right = known[i].item_bytes == 3 ? SSOP_PATTERN_ROWS : SSOP_PATTERN_PACK;
        }
        right = right == SSOP_PATTERN_MASKED_STORE && !masks ? SSOP_PATTERN_STRIDED : right;
        right = known[i].item_bytes == 24 && masks ? SSOP_PATTERN_PERMUTE : right;
        CHECK(nest.pattern == right, "%s, case %d: pattern %d", ssop_cpu_target(), i, (int)nest.pattern);
    }
}

/* Transpositions with non-temporal stores, whose loops are in another order: every order of the axes of the source. */
static void
test_loop_orders(void)
{
    const int64_t dims[] = {16, 2, 3, 4, 64};
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.stream_bytes = 1;
    CHECK(ssop_policies_use(&policies), "policies within their bounds were rejected");
    for (int order = 0; order < 120; order++) {
        ssop_view dst, src;
        size_t used = lay_out(&dst, dst_memory, 5, dims, 8, (layout){0, 0, 0, 0, 0});
        lay_out(&src, src_memory, 5, dims, 8, (layout){order, (uint64_t)order, 0, 0, 0});
        check_copy(&dst, &src, used, order % 3);
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
        const int rows_inside = 2; /* the order (0, 2, 1) */
        const layout planes = {rows_inside, 0, 0, i % 7 == 6 ? 16 : 0, i % 4 == 3 ? i % 64 : 0};
        const layout packed = {0, 0, 0, 0, i % 5 == 4 ? i % 64 : 0};
        ssop_view dst, src;
        size_t used = lay_out(&dst, dst_memory, 3, dims, item_bytes, i % 2 == 0 ? packed : planes);
        lay_out(&src, src_memory, 3, dims, item_bytes, i % 2 == 0 ? planes : packed);
        check_bytes(&dst, &src, used, i % 3);
    }
}

/* Planes that become short rows are interleaved, if there are few of them and the rows have no gaps. Where lines are
 * permuted, longer rows are, too, and rows that become few planes are deinterleaved. */
static void
test_known_planes(void)
{
    static const struct {
        int64_t planes, rows, item_bytes, dst_row, src_row;
        bool interleaves, by_lines;
    } known[] = {
        {3, 1000, 1, 3, 1, true, true},   {2, 1000, 1, 2, 1, true, true},    {8, 1000, 1, 8, 1, true, false},
        {3, 400, 4, 12, 4, true, true},   {9, 1000, 1, 9, 1, false, false},  {2, 1000, 8, 16, 8, false, true},
        {4, 1000, 8, 32, 8, false, true}, {5, 1000, 4, 20, 4, false, false}, {3, 1000, 1, 4, 1, false, false},
        {3, 900, 1, 3, 2, false, false},  {3, 12, 1, 3, 1, false, false},    {3, 1000, 16, 48, 16, false, false},
        {3, 1000, 3, 9, 3, false, false},
    };
    const bool lines = strcmp(ssop_cpu_target(), "avx512") == 0;
    for (int i = 0; i < COUNT(known); i++) {
        int64_t item = known[i].item_bytes, planes = known[i].planes, rows = known[i].rows;
        ssop_view dst = {(char *)dst_memory, item, 2, {rows, planes}, {known[i].dst_row, item}};
        ssop_view src = {(char *)src_memory, item, 2, {rows, planes}, {known[i].src_row, 2 * rows * item + 5}};
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        bool right = (known[i].interleaves && nest.vector_bytes > 0) || (known[i].by_lines && lines);
        CHECK((nest.pattern == SSOP_PATTERN_INTERLEAVE) == right, "%s, case %d: pattern %d", ssop_cpu_target(), i,
              (int)nest.pattern);
        const ssop_view packed = {(char *)src_memory, item, 2, {planes, rows}, {item, known[i].dst_row}};
        const ssop_view apart = {
            (char *)dst_memory, item, 2, {planes, rows}, {rows * known[i].src_row, known[i].src_row}};
        ssop_nest_copy(&nest, &apart, &packed, NULL);
        CHECK((nest.pattern == SSOP_PATTERN_DEINTERLEAVE) == (known[i].by_lines && lines), "%s, case %d: pattern %d",
              ssop_cpu_target(), i, (int)nest.pattern);
    }
}

/* Where both loops of a kernel are a few items, a permutation would copy as few at a time: axes of length 2 are tiles
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

int
main(void)
{
    fill_arenas();
    for_every_target(test_every_layout);
    for_every_target(test_every_item_size);
    for_every_target(test_broadcast_sources);
    for_every_target(test_many_axes);
    for_every_target(test_long_axes);
    for_every_target(test_short_axes);
    for_every_target(test_blocks_of_axes);
    for_every_target(test_known_patterns);
    for_every_target(test_loop_orders);
    for_every_target(test_planes);
    for_every_target(test_known_planes);
    for_every_target(test_many_short_axes);
    ssop_cpu_choose(NULL); /* with the policies of this machine */
    test_nothing_to_do();
    test_known_nests();
    return check_report("test_loopnest");
}
