/* What could go wrong: an item goes to the wrong place, a byte of the output is not written, or a byte outside the
 * output is. */
#include "copy/nest.h"
#include "random_fill.h"
#include "targets.h"

enum { MAX_RANK = 4, ARENA_BYTES = 1 << 21, GUARD = 64, CASES = 20000 };

static unsigned char src_memory[ARENA_BYTES], right[ARENA_BYTES], got[ARENA_BYTES];

/* How the destination lies in memory. */
typedef enum {
    C_ORDER,
    ROW_GAPS,  /* foreign bytes between the rows */
    ITEM_GAPS, /* and between the items */
    SHUFFLED,  /* axes in any order and direction */
    LAYOUTS,
} layout;

/* A view of such a layout, its dims given, in the arena; returns how many bytes of the arena it is in. */
static size_t
lay_out(ssop_view *view, unsigned char *arena, layout how)
{
    int32_t order[SSOP_MAX_RANK];
    int64_t stride = view->item_bytes * (how == ITEM_GAPS ? 2 : 1), start = 0;
    for (int32_t k = 0; k < view->rank; k++) {
        order[k] = k;
    }
    for (int32_t k = 0; how == SHUFFLED && k < view->rank; k++) {
        int32_t other = (int32_t)random_between(k, view->rank - 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    for (int32_t k = view->rank - 1; k >= 0; k--) {
        int32_t axis = order[k];
        int64_t dim = view->dim[axis] > 0 ? view->dim[axis] : 1;
        bool backwards = how == SHUFFLED && random_between(0, 1) == 0;
        view->stride[axis] = backwards ? -stride : stride;
        start += backwards ? (dim - 1) * stride : 0;
        stride *= dim;
        stride += how != C_ORDER && random_between(0, 1) == 0 ? view->item_bytes : 0;
    }
    view->data = (char *)arena + GUARD + start;
    size_t used = (size_t)(2 * GUARD + stride);
    if (used > ARENA_BYTES) {
        printf("a view of %zu bytes\n", used);
        exit(EXIT_FAILURE);
    }
    return used;
}

/* The strides of unit axes are anything: no address may be made with them. */
static void
make_wild(ssop_view *view)
{
    static const int64_t wild[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, 0, -1};
    for (int32_t axis = 0; axis < view->rank; axis++) {
        if (view->dim[axis] == 1) {
            view->stride[axis] = wild[random_between(0, COUNT(wild) - 1)];
        }
    }
}

/* A random spec against the dims, made by the resolver. */
static void
random_place(const ssop_view *dst, ssop_region *place)
{
    ssop_spec spec;
    const ssop_masks masks = {(int32_t)random_between(0, 7), (int32_t)random_between(0, 7), 0,
                              random_between(0, 3) == 0 ? (int32_t)random_between(0, 7) : 0, 0};
    int64_t count = random_between(0, dst->rank), most = 2;
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        most = dst->dim[axis] > most ? dst->dim[axis] : most;
    }
    CHECK(ssop_spec_init(&spec, (ssop_spec_counts){count, count, count}, &masks, &ssop_dialect_tensorflow, NULL) ==
              SSOP_OK,
          "spec");
    for (int64_t i = 0; i < count; i++) {
        spec.begin[i] = random_between(-most, most);
        spec.end[i] = random_between(-most, most);
        spec.step[i] = random_between(1, 3) * (random_between(0, 1) == 0 ? 1 : -1);
        spec.flags[i] |= spec.begin[i] >= 0 && random_between(0, 3) == 0 ? SSOP_SHRINK : 0;
    }
    ssop_error error;
    while (ssop_strided_slice_resolve(&spec, (ssop_shape){dst->rank, dst->dim}, &ssop_dialect_tensorflow, place, NULL,
                                      &error) != SSOP_OK) {
        spec.flags[error.entry] &= (uint8_t)~SSOP_SHRINK; /* an index outside, or a step backwards */
    }
}

/* The obvious way: all zero, then item by item through a view of the region. */
static void
copy_plainly(const ssop_view *dst, const ssop_region *place, const ssop_view *src, const char *fill)
{
    ssop_view whole = *dst, taken;
    whole.data = (char *)right + (dst->data - (char *)got);
    for (int32_t axis = 0; axis < whole.rank; axis++) {
        whole.stride[axis] = whole.dim[axis] == 1 ? 0 : whole.stride[axis];
    }
    CHECK(ssop_region_view(place, &whole, &taken, NULL) == SSOP_OK, "view");
    const ssop_view *views[] = {&whole, &taken};
    for (int pass = 0; pass < 2; pass++) {
        int64_t items = 1;
        for (int32_t axis = 0; axis < views[pass]->rank; axis++) {
            items *= views[pass]->dim[axis];
        }
        for (int64_t item = 0; item < items; item++) {
            int64_t rest = item, to = 0, from = 0;
            for (int32_t axis = views[pass]->rank - 1; axis >= 0; axis--) {
                int64_t index = rest % views[pass]->dim[axis];
                to += index * views[pass]->stride[axis];
                from += pass == 0 || index == 0 ? 0 : index * src->stride[axis];
                rest /= views[pass]->dim[axis];
            }
            if (pass == 0) {
                write_fill(whole.data + to, fill, dst->item_bytes, 1);
            }
            else {
                memcpy(taken.data + to, src->data + from, (size_t)dst->item_bytes);
            }
        }
    }
}

/* Dims and item size are given. */
static void
check_case(ssop_view *dst, layout how)
{
    ssop_view src = {.item_bytes = dst->item_bytes};
    ssop_region place;
    const char *fill = random_fill(dst->item_bytes);
    size_t used = lay_out(dst, got, how);
    random_place(dst, &place);
    src.rank = place.out_rank;
    for (int32_t axis = 0; axis < src.rank; axis++) {
        src.dim[axis] = ssop_region_dim(&place, axis);
    }
    lay_out(&src, src_memory, random_between(0, 2) == 0 ? SHUFFLED : C_ORDER);
    make_wild(dst);
    make_wild(&src);
    memset(got, 0xA5, used);
    memset(right, 0xA5, used);
    copy_plainly(dst, &place, &src, fill);
    ssop_nest nest;
    ssop_nest_dilate(&nest, dst, &place, &src, fill, NULL);
    int64_t steps = ssop_nest_steps(&nest), cut = random_between(0, steps), other = random_between(0, cut);
    ssop_nest_execute(&nest, cut, steps); /* in another order */
    ssop_nest_execute(&nest, 0, other);
    ssop_nest_execute(&nest, other, cut);
    CHECK(memcmp(got, right, used) == 0,
          "gr_s1, pad_s1, %s: pattern %d, rank %d, %lld bytes an item, layout %d, cut at %lld, %lld", ssop_cpu_target(),
          (int)nest.pattern, (int)dst->rank, LL(dst->item_bytes), (int)how, LL(cut), LL(other));
    CHECK(steps >= ssop_nest_bytes(&nest) / (128 * 1024),
          "%lld steps: pattern %d, rank %d, %lld bytes an item, layout %d", LL(steps), (int)nest.pattern,
          (int)dst->rank, LL(dst->item_bytes), (int)how);
}

static void
test_small(void)
{
    static const int64_t items[] = {1, 2, 3, 4, 8, 16, 24, 0};
    for (int i = 0; i < CASES; i++) {
        ssop_view dst = {.item_bytes = items[random_between(0, COUNT(items) - 1)],
                         .rank = (int32_t)random_between(0, MAX_RANK)};
        for (int32_t axis = 0; axis < dst.rank; axis++) {
            dst.dim[axis] = random_between(0, 12) == 0 ? 0 : random_between(1, 5);
        }
        check_case(&dst, (layout)(i % LAYOUTS));
    }
}

/* Rows that are cut, and rows of every length. */
static void
test_long_rows(void)
{
    static const int64_t items[] = {1, 3, 4, 16, 40};
    for (int i = 0; i < 600; i++) {
        int64_t item = items[i % COUNT(items)], bytes = i % 3 == 0 ? 200000 : random_between(100, 9000);
        ssop_view dst = {.item_bytes = item, .rank = 3, .dim = {1, random_between(1, 3), bytes / item / 3}};
        if (random_between(0, 2) == 0) { /* the values of all rows are one */
            dst.dim[0] = dst.dim[2];
            dst.dim[2] = 1;
        }
        check_case(&dst, (layout)(i % 7 % LAYOUTS));
    }
}

/* Items that are cut. */
static void
test_long_items(void)
{
    for (int i = 0; i < 200; i++) {
        bool few = random_between(0, 1) == 0;
        ssop_view dst = {.item_bytes = few ? 250000 : random_between(65000, 66000),
                         .rank = 2,
                         .dim = {few ? 1 : random_between(1, 2), random_between(1, few ? 2 : 3)}};
        check_case(&dst, (layout)(i % LAYOUTS));
    }
}

/* A row of bytes that is cut, and whose first values are the last few of a step: too few for a vector. */
static void
test_values_at_the_end_of_a_step(void)
{
    const int64_t dim = 200000, block = 32 * 1024;
    for (int64_t before = 1; before < 100; before += 7) {
        ssop_view dst = {.data = (char *)got + GUARD, .item_bytes = 1, .rank = 1, .dim = {dim}, .stride = {1}};
        ssop_region place;
        const char *fill = random_fill(1);
        ssop_region_whole(&place, (ssop_shape){1, dst.dim});
        place.range[0] = (ssop_range){block - before, (dim - block + before - 1) / 5 + 1, 5};
        ssop_view src = {
            .data = (char *)src_memory, .item_bytes = 1, .rank = 1, .dim = {place.range[0].count}, .stride = {1}};
        memset(got, 0xA5, (size_t)(dim + 2 * GUARD));
        memset(right, 0xA5, (size_t)(dim + 2 * GUARD));
        copy_plainly(&dst, &place, &src, fill);
        ssop_nest nest;
        ssop_nest_dilate(&nest, &dst, &place, &src, fill, NULL);
        for (int64_t step = ssop_nest_steps(&nest); step-- > 0;) {
            ssop_nest_execute(&nest, step, step + 1);
        }
        CHECK(memcmp(got, right, (size_t)(dim + 2 * GUARD)) == 0, "%s: %lld before the end of a step",
              ssop_cpu_target(), LL(before));
    }
}

/* A batch of one image is cut into as many steps as the image alone. */
static void
test_steps(void)
{
    ssop_view image = {.data = (char *)got, .item_bytes = 1, .rank = 2, .dim = {1024, 1024}, .stride = {1024, 1}};
    ssop_view batch = {.data = (char *)got, .item_bytes = 1, .rank = 3, .dim = {1, 1024, 1024}, .stride = {7, 1024, 1}};
    ssop_view src = {.data = (char *)src_memory, .item_bytes = 1, .rank = 2, .dim = {1022, 1022}, .stride = {1022, 1}};
    ssop_view src_batch = {
        .data = (char *)src_memory, .item_bytes = 1, .rank = 3, .dim = {1, 1022, 1022}, .stride = {7, 1022, 1}};
    ssop_region place, batch_place;
    ssop_nest nest, batch_nest;
    ssop_region_whole(&place, (ssop_shape){2, image.dim});
    place.range[0] = place.range[1] = (ssop_range){1, 1022, 1};
    ssop_region_whole(&batch_place, (ssop_shape){3, batch.dim});
    batch_place.range[1] = batch_place.range[2] = (ssop_range){1, 1022, 1};
    ssop_nest_dilate(&nest, &image, &place, &src, NULL, NULL);
    ssop_nest_dilate(&batch_nest, &batch, &batch_place, &src_batch, NULL, NULL);
    CHECK(ssop_nest_steps(&nest) >= 32 && ssop_nest_steps(&nest) == ssop_nest_steps(&batch_nest), "%lld and %lld steps",
          LL(ssop_nest_steps(&nest)), LL(ssop_nest_steps(&batch_nest)));
}

/* An image of 8 x 8 pixels of `channels` items, with a border; its rows and columns have these strides. */
static bool
pays(int64_t channels, int64_t row, int64_t column, int64_t step)
{
    const int64_t room = 8 * step + 4;
    const ssop_view dst = {.item_bytes = 4, .rank = 3, .dim = {room, room, channels}};
    const ssop_view src = {.item_bytes = 4, .rank = 3, .dim = {8, 8, channels}, .stride = {row, column, 4}};
    ssop_region place;
    ssop_region_whole(&place, (ssop_shape){3, dst.dim});
    place.range[0] = place.range[1] = (ssop_range){2, 8, step};
    return ssop_dilation_pays(&dst, &place, &src, "fill");
}

/* A source whose columns are contiguous is read in tiles, not row by row. */
static void
test_what_pays(void)
{
    CHECK(pays(3, 96, 12, 1) && !pays(3, 12, 96, 1), "pixels in rows, or in columns");
    CHECK(pays(1, 32, 4, 1) && !pays(1, 4, 32, 1) && !pays(1, -4, -32, 1), "one channel, which is an axis of one item");
    CHECK(pays(1, 4, 32, 2) && pays(1, 0, 32, 1) && pays(1, 32, 32, 1), "columns with holes, repeated rows, no order");
    const ssop_view dst = {.item_bytes = 4, .rank = 3, .dim = {8, 9, 3}};
    const ssop_view src = {.item_bytes = 4, .rank = 3, .dim = {1, 8, 2}, .stride = {7, 4, 32}};
    ssop_region place;
    ssop_region_whole(&place, (ssop_shape){3, dst.dim});
    place.range[0] = (ssop_range){3, 1, 1};
    place.range[1] = place.range[2] = (ssop_range){1, 8, 1};
    place.range[2].count = 2;
    CHECK(!ssop_dilation_pays(&dst, &place, &src, NULL), "columns");
    place.out_axis[0] = -1; /* a new axis */
    CHECK(!ssop_dilation_pays(&dst, &place, &src, NULL), "columns behind a new axis");
    ssop_view wide = src;
    wide.item_bytes = 3;
    wide.stride[1] = 64;
    CHECK(ssop_dilation_pays(&dst, &place, &wide, NULL) && !ssop_dilation_pays(&dst, &place, &wide, "fill"),
          "zeros have any number of bytes");
}

int
main(void)
{
    for (int i = 0; i < ARENA_BYTES; i++) {
        src_memory[i] = (unsigned char)(1 + (random_bits() >> 32) % 255);
    }
    for_every_target(test_small);
    for_every_target(test_long_rows);
    for_every_target(test_long_items);
    for_every_target(test_values_at_the_end_of_a_step);
    test_steps();
    test_what_pays();
    return check_report("test_dilate");
}
