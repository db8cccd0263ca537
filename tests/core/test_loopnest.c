/* What could go wrong: a copy that is reduced to its loops and divided into steps copies other bytes than the obvious
 * loop. */
#include "copies.h"

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

/* Ranks to 64, most axes of length 1 with strides that are ignored. */
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
        {10000000, 4, 8, 4, SSOP_PATTERN_MASKED_STORE},
        {1000, 4, 8, 8, SSOP_PATTERN_STRIDED},
        {1000, 4, 5000, 4, SSOP_PATTERN_STRIDED},
        {1000, 4, 8, 4, SSOP_PATTERN_MASKED_STORE},
        {10000000, 2, 4, 2, SSOP_PATTERN_MASKED_STORE},
        {1000, 4, 4, 8, SSOP_PATTERN_SHUFFLE},
        {1000, 1, 1, -1, SSOP_PATTERN_SHUFFLE},
        {1000, 3, 3, 4, SSOP_PATTERN_SHUFFLE},
    };
    for (int i = 0; i < COUNT(known); i++) {
        ssop_view dst = {(char *)dst_memory, known[i].item_bytes, 1, {known[i].count}, {known[i].dst_stride}};
        ssop_view src = {(char *)src_memory, known[i].item_bytes, 1, {known[i].count}, {known[i].src_stride}};
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        bool vectors = nest.vector_bytes > 0, masks = strncmp(ssop_cpu_target(), "avx512", 6) == 0;
        int32_t right = known[i].pattern;
        if (right == SSOP_PATTERN_SHUFFLE && !vectors) {
            right = known[i].item_bytes == 3 ? SSOP_PATTERN_ROWS : SSOP_PATTERN_PACK;
        }
        right = right == SSOP_PATTERN_MASKED_STORE && !masks ? SSOP_PATTERN_STRIDED : right;
        right = known[i].item_bytes == 24 && masks ? SSOP_PATTERN_SHUFFLE : right;
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

/* Steps first .. last - 1 alone: the bytes that they wrote. */
static int64_t
written_by(const ssop_nest *nest, size_t used, int64_t first, int64_t last)
{
    int64_t bytes = 0;
    memset(dst_memory, 0, used);
    ssop_nest_execute(nest, first, last);
    for (size_t at = 0; at < used; at++) {
        bytes += dst_memory[at] != 0 ? 1 : 0;
    }
    return bytes;
}

/* Threads share out ranges of steps: a range writes what its steps do, and no byte is written by two steps. Items are
 * divided, too. */
static void
test_ranges_of_steps(void)
{
    const int64_t dims[] = {2, 3}, item_bytes = 34000;
    ssop_view dst, src;
    ssop_nest nest;
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.step_bytes = 16384;
    CHECK(ssop_policies_use(&policies), "policies within their bounds were rejected");
    const size_t used = lay_out(&dst, dst_memory, 2, dims, item_bytes, (layout){0, 0, 40, 0, 0});
    const size_t from = lay_out(&src, src_memory, 2, dims, item_bytes, (layout){1, 0, 8, 0, 0});
    memset(src_memory, 1, from);
    ssop_nest_copy(&nest, &dst, &src, NULL);
    const int64_t steps = ssop_nest_steps(&nest);
    CHECK(steps > dims[0] * dims[1], "%lld steps", LL(steps));
    for (int64_t first = 0; first < steps; first++) {
        int64_t sum = 0;
        for (int64_t last = first + 1; last <= steps; last++) {
            sum += written_by(&nest, used, last - 1, last);
            const int64_t bytes = written_by(&nest, used, first, last);
            CHECK(bytes == sum, "steps %lld to %lld: %lld bytes, not %lld", LL(first), LL(last), LL(bytes), LL(sum));
        }
        CHECK(first > 0 || sum == dims[0] * dims[1] * item_bytes, "all steps: %lld bytes", LL(sum));
    }
    memcpy(src_memory, pattern, from);
}

int
main(void)
{
    fill_arenas();
    test_ranges_of_steps();
    for_every_target(test_every_layout);
    for_every_target(test_every_item_size);
    for_every_target(test_broadcast_sources);
    for_every_target(test_many_axes);
    for_every_target(test_long_axes);
    for_every_target(test_known_patterns);
    for_every_target(test_loop_orders);
    ssop_cpu_choose(NULL); /* with the policies of this machine */
    test_nothing_to_do();
    test_known_nests();
    return check_report("test_loopnest");
}
