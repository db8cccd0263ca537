/* Copies between views in two arenas, compared with the obvious loop. */
#ifndef SSOP_TESTS_COPIES_H
#define SSOP_TESTS_COPIES_H

#include "copy/nest.h"
#include "random_policies.h"
#include "targets.h"

enum { ARENA_BYTES = 2300000, GUARD_BYTES = 64, ITEM_MOST = 33, GAPS = 3 };

/* What is on both sides before a copy, both sides, and what the destination must hold after it. */
static unsigned char blank[ARENA_BYTES], pattern[ARENA_BYTES], expected[ARENA_BYTES];
static _Alignas(64) unsigned char dst_memory[ARENA_BYTES], src_memory[ARENA_BYTES];

static inline void
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

static inline void
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
static inline size_t
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

static inline int64_t
item_count(const ssop_view *view)
{
    int64_t items = 1;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        items *= view->dim[axis];
    }
    return items;
}

/* The item of a row-major number. */
static inline char *
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
static inline void
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

static inline bool
is_chained(const ssop_nest *nest, int32_t axis)
{
    return nest->dst_stride[axis] * nest->count[axis] == nest->dst_stride[axis - 1] &&
           (nest->src == NULL || nest->src_stride[axis] * nest->count[axis] == nest->src_stride[axis - 1]);
}

/* What the header says of a nest, and that no two of its loops could be one. */
static inline void
check_nest(const ssop_nest *nest, const ssop_view *dst)
{
    int64_t items = dst->item_bytes == 0 ? 0 : item_count(dst), loops = 1;
    CHECK(ssop_nest_bytes(nest) == items * dst->item_bytes, "%lld bytes", LL(ssop_nest_bytes(nest)));
    CHECK((ssop_nest_steps(nest) > 0) == (items > 0), "%lld steps", LL(ssop_nest_steps(nest)));
    if (items == 0) {
        return;
    }
    const int64_t four_steps = 4 * ssop_policies_used()->step_bytes;
    const int64_t tiles = (nest->kernel_item_bytes > 8 ? 256 : 128) * 1024; /* whatever the policy is */
    const int64_t most = four_steps > tiles ? four_steps : tiles;
    CHECK(nest->rank >= 1 && ssop_nest_steps(nest) >= ssop_nest_bytes(nest) / most, "nest of rank %d, %lld steps",
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
static inline void
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
static inline void
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

static inline void
check_bytes(const ssop_view *dst, const ssop_view *src, size_t used, int way)
{
    if (is_chosen()) {
        use_random_policies();
        check_copy(dst, src, used, way);
    }
}

#endif /* SSOP_TESTS_COPIES_H */
