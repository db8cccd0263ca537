/* Fear: a gradient is scattered to the wrong place, or a byte of the output is not written, or one beside it is. */
#include "tiers.h"

enum { MOST_RANK = 3, MOST_DIM = 5, GUARD = 16, MOST_BYTES = 24 * MOST_DIM * MOST_DIM * MOST_DIM, CASES = 20000 };

static unsigned char src_memory[MOST_BYTES], right[MOST_BYTES], got[GUARD + MOST_BYTES + GUARD];
static uint64_t state = 20260101;

static int64_t
random_below(int64_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((state >> 33) % (uint64_t)n);
}

/* A random spec against random dims, made by the resolver; returns the output's bytes. */
static int64_t
random_case(ssop_view *dst, ssop_region *region)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 16, 24, 0};
    ssop_spec spec;
    const ssop_masks masks = {(int32_t)random_below(8), (int32_t)random_below(8), 0,
                              random_below(4) == 0 ? (int32_t)random_below(8) : 0, 0};
    *dst = (ssop_view){
        (char *)got + GUARD, items[random_below(COUNT(items))], (int32_t)random_below(MOST_RANK + 1), {0}, {0}};
    int64_t count = random_below(dst->rank + 1), bytes = dst->item_bytes;
    for (int32_t axis = dst->rank - 1; axis >= 0; axis--) {
        dst->dim[axis] = random_below(8) == 0 ? 0 : 1 + random_below(MOST_DIM);
        dst->stride[axis] = dst->dim[axis] == 1 ? 77 : bytes; /* the stride of a unit axis means nothing */
        bytes *= dst->dim[axis];
    }
    CHECK(ssop_spec_init(&spec, (ssop_spec_counts){count, count, count}, &masks, &ssop_dialect_tensorflow, NULL) ==
              SSOP_OK,
          "spec");
    for (int64_t i = 0; i < count; i++) {
        spec.begin[i] = random_below(2 * MOST_DIM + 1) - MOST_DIM;
        spec.end[i] = random_below(2 * MOST_DIM + 1) - MOST_DIM;
        spec.step[i] = (1 + random_below(3)) * (random_below(2) ? 1 : -1);
        spec.flags[i] |= spec.begin[i] >= 0 && random_below(4) == 0 ? SSOP_SHRINK : 0;
    }
    ssop_error error;
    while (ssop_strided_slice_resolve(&spec, (ssop_shape){dst->rank, dst->dim}, &ssop_dialect_tensorflow, region, NULL,
                                      &error) != SSOP_OK) {
        spec.flags[error.entry] &= (uint8_t)~SSOP_SHRINK; /* an index outside, or a step backwards */
    }
    return bytes;
}

/* A source of the region's shape, C-ordered, but for a random axis that runs backwards. */
static void
make_source(const ssop_view *dst, const ssop_region *region, ssop_view *src)
{
    *src = (ssop_view){(char *)src_memory, dst->item_bytes, region->out_rank, {0}, {0}};
    int64_t stride = dst->item_bytes;
    for (int32_t axis = src->rank - 1; axis >= 0; axis--) {
        src->dim[axis] = ssop_region_dim(region, axis);
        src->stride[axis] = stride;
        stride *= src->dim[axis];
        if (src->dim[axis] > 1 && random_below(4) == 0) {
            src->data += (src->dim[axis] - 1) * src->stride[axis];
            src->stride[axis] = -src->stride[axis];
        }
    }
}

/* The plain way: all zero, then element by element through a view of the region. */
static void
plain_scatter(const ssop_view *dst, const ssop_region *region, const ssop_view *src, int64_t bytes)
{
    ssop_view whole = *dst, taken = whole;
    memset(right, 0, (size_t)bytes);
    whole.data = (char *)right;
    int64_t stride = dst->item_bytes;
    for (int32_t axis = dst->rank - 1; axis >= 0; axis--) {
        whole.stride[axis] = stride;
        stride *= dst->dim[axis];
    }
    CHECK(ssop_region_view(region, &whole, &taken, NULL) == SSOP_OK, "view");
    int64_t items = 1;
    for (int32_t axis = 0; axis < taken.rank; axis++) {
        items *= taken.dim[axis];
    }
    for (int64_t item = 0; item < items; item++) {
        int64_t rest = item, to = 0, from = 0;
        for (int32_t axis = taken.rank - 1; axis >= 0; axis--) {
            to += rest % taken.dim[axis] * taken.stride[axis];
            from += rest % taken.dim[axis] * src->stride[axis];
            rest /= taken.dim[axis];
        }
        memcpy(taken.data + to, src->data + from, (size_t)dst->item_bytes);
    }
}

static void
check_case(void)
{
    ssop_view dst, src;
    ssop_region region;
    int64_t bytes = random_case(&dst, &region);
    make_source(&dst, &region, &src);
    plain_scatter(&dst, &region, &src, bytes);
    memset(got, 0xA5, sizeof(got));
    int64_t steps = ssop_expand_steps(&dst), cut = steps > 0 ? random_below(steps + 1) : 0;
    CHECK((steps == 0) == (bytes == 0), "steps");
    ssop_expand(&dst, &region, &src, cut, steps); /* the pieces in the other order */
    ssop_expand(&dst, &region, &src, 0, cut);
    CHECK(memcmp(got + GUARD, right, (size_t)bytes) == 0, "gr_s1: rank %d, %lld bytes an item", dst.rank,
          LL(dst.item_bytes));
    for (int i = 0; i < GUARD; i++) {
        CHECK(got[i] == 0xA5 && got[GUARD + bytes + i] == 0xA5, "a byte outside");
    }
}

static void
check_cases(void)
{
    for (int i = 0; i < CASES; i++) {
        check_case();
    }
}

int
main(void)
{
    for (int i = 0; i < MOST_BYTES; i++) {
        src_memory[i] = (unsigned char)(1 + random_below(255));
    }
    for_every_tier(check_cases);
    return check_report("test_fill");
}
