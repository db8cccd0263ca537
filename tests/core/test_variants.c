/* What could go wrong: a variant copies other bytes than the obvious loop where it fits but is not chosen, or a name
 * cannot be forced. */
#include "copies.h"

static int32_t
count_variants(void)
{
    ssop_variant_text text;
    int32_t count = 0;
    while (ssop_variant_at(count, &text)) {
        count++;
    }
    return count;
}

static void
test_names(void)
{
    ssop_variant_text one, other;
    for (int32_t at = 0; ssop_variant_at(at, &one); at++) {
        CHECK(ssop_variant_force(one.name), "%s", one.name);
        CHECK(one.about[0] != '\0' && one.when[0] != '\0' && one.pattern[0] != '\0', "%s", one.name);
        for (int32_t before = 0; before < at; before++) {
            CHECK(ssop_variant_at(before, &other) && strcmp(one.name, other.name) != 0, "%s twice", one.name);
        }
    }
    CHECK(count_variants() == SSOP_VARIANT_COUNT && !ssop_variant_at(-1, &one), "%d variants", (int)count_variants());
    CHECK(!ssop_variant_force("") && !ssop_variant_force("rows "), "a name that is none");
    CHECK(ssop_variant_force(NULL), "none");
}

/* Draws a copy that some of the variants fit; returns how many bytes of the destination matter. By `kind` it is
 * transposed, has steps, rows or columns of a few items, or one item as its source. For `memory` it is transposed to
 * contiguous rows. */
static size_t
draw(ssop_view *dst, ssop_view *src, bool memory)
{
    static const int64_t sizes[] = {1, 2, 4, 8, 16};
    const int64_t item = sizes[random_between(0, 4)];
    const int kind = (int)random_between(0, memory ? 2 : 5);
    int64_t dims[] = {random_between(2, 3), random_between(2, kind == 1 ? 9 : 80),
                      random_between(2, kind == 2   ? 33
                                        : kind == 4 ? 7
                                                    : 140)};
    const bool packed = memory || random_between(0, 2) > 0;
    const int gap = (int)(item * random_between(0, 3)),
              offset = random_between(0, 1) == 0 ? 0 : (int)(item * random_between(0, 9));
    if (random_between(0, 3) == 0) {
        dims[2] = 64;
    }
    const layout to = {0, 0, packed ? 0 : gap, 0, offset},
                 from = {kind < 4 ? (int)random_between(1, 5) : 0, random_between(0, 3) == 0 ? random_bits() : 0,
                         kind == 3   ? gap
                         : kind == 4 ? (int)item
                                     : 0,
                         0, 0};
    const size_t used = lay_out(dst, dst_memory, 3, dims, item, to);
    lay_out(src, src_memory, 3, dims, item, from);
    if (kind == 5) {
        src->stride[2] = random_between(0, 1) == 0 ? 0 : 5 * item;
    }
    return used;
}

/* Policies under which a copy of a few KiB is in the caches, is transposed in strips, or comes from memory. */
static void
use_policies(int kind)
{
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.strip_bytes = kind == 1 ? 2048 : policies.strip_bytes;
    policies.prefetch_bytes = kind >= 2 ? 1024 : policies.prefetch_bytes;
    policies.stream_bytes = kind == 3 ? 1024 : policies.stream_bytes;
    CHECK(ssop_policies_use(&policies), "policies within their bounds were rejected");
}

static bool
has_any_size(int32_t variant)
{
    bool any = false;
    for (int size = 0; size < KERNEL_SIZE_COUNT; size++) {
        const kernel_table *kernels = ssop_kernels();
        any = any || kernels->kernel[variant][size] != NULL || ssop_kernels_portable.kernel[variant][size] != NULL ||
              (kernels->shorter != NULL && kernels->shorter->kernel[variant][size] != NULL);
    }
    return any;
}

/* Every variant of the patterns that have several, wherever it fits. */
static void
test_forced(void)
{
    enum { COPIES = 640 };
    for (int32_t at = 0; at < SSOP_VARIANT_COUNT; at++) {
        ssop_variant_text wanted;
        int ran = 0;
        CHECK(ssop_variant_at(at, &wanted) && ssop_variant_force(wanted.name), "%d", (int)at);
        for (int i = 0; i < COPIES; i++) {
            ssop_view dst, src;
            ssop_nest nest;
            ssop_copy_description found;
            const size_t used = draw(&dst, &src, i % 4 == 3);
            use_policies(i % 4);
            if (is_chosen()) {
                check_copy(&dst, &src, used, i / 4 % 3);
            }
            ssop_nest_copy(&nest, &dst, &src, NULL);
            ssop_nest_describe(&nest, ssop_nest_steps(&nest), &found);
            ran += strcmp(found.variant.name, wanted.name) == 0 ? 1 : 0;
        }
        const bool draws = strcmp(wanted.pattern, "TRANSPOSE") == 0 || strcmp(wanted.pattern, "STRIDED") == 0 ||
                           strcmp(wanted.pattern, "PACK") == 0 || strcmp(wanted.pattern, "ROWS") == 0;
        CHECK(!draws || ran > 0 || !has_any_size(at), "%s: no copy was forced to be %s", ssop_cpu_target(),
              wanted.name);
    }
    CHECK(ssop_variant_force(NULL), "none");
}

/* Rows of bytes that are shorter than a vector of a line are not joined by such vectors. */
static void
test_short_rows_of_bytes(void)
{
    const int64_t dims[] = {300, 40};
    const bool lines = strncmp(ssop_cpu_target(), "avx512", 6) == 0, streams = ssop_kernels()->streams;
    ssop_view dst, src;
    ssop_nest nest;
    ssop_copy_description found;
    use_policies(3);
    CHECK(ssop_variant_force("transpose-joined"), "transpose-joined");
    const size_t used = lay_out(&dst, dst_memory, 2, dims, 1, (layout){0});
    lay_out(&src, src_memory, 2, dims, 1, (layout){1, 0, 0, 0, 0});
    check_copy(&dst, &src, used, 0);
    ssop_nest_copy(&nest, &dst, &src, NULL);
    ssop_nest_describe(&nest, ssop_nest_steps(&nest), &found);
    const bool joined = strcmp(found.variant.name, "transpose-joined") == 0;
    CHECK(joined ? streams && (!lines || strcmp(found.target, "avx2") == 0) : lines || !streams, "%s: %s by %s",
          ssop_cpu_target(), found.variant.name, found.target);
    CHECK(ssop_variant_force(NULL), "none");
}

/* A dilation has one variant for each of its patterns. */
static void
test_dilation(void)
{
    ssop_view dst, src;
    ssop_nest nest;
    ssop_copy_description found;
    const int64_t to[] = {5, 40}, from[] = {5, 20};
    const ssop_region place = {.in_rank = 2, .out_rank = 2, .range = {{0, 5, 1}, {0, 20, 2}}, .out_axis = {0, 1}};
    lay_out(&dst, dst_memory, 2, to, 2, (layout){0});
    lay_out(&src, src_memory, 2, from, 2, (layout){0});
    ssop_nest_dilate(&nest, &dst, &place, &src, NULL, NULL);
    ssop_nest_describe(&nest, ssop_nest_steps(&nest), &found);
    CHECK(strncmp(found.variant.name, "dilate-", 7) == 0, "%s: %s", ssop_cpu_target(), found.variant.name);
}

/* Tiles that are copied block by block (choose.c): the description has the first block. */
static void
test_blocks(void)
{
    const int64_t dims[] = {200, 200};
    ssop_view dst, src;
    ssop_nest nest;
    ssop_copy_description found;
    CHECK(ssop_cpu_choose("portable"), "portable");
    use_policies(0);
    lay_out(&dst, dst_memory, 2, dims, 2, (layout){0});
    for (int gap = 0; gap < 2; gap++) { /* rows that share lines lie apart, if columns have gaps */
        lay_out(&src, src_memory, 2, dims, 2, (layout){1, 0, 6 * gap, 0, 0});
        ssop_nest_copy(&nest, &dst, &src, NULL);
        ssop_nest_describe(&nest, ssop_nest_steps(&nest), &found);
        const int64_t rows = gap ? 32 : 64, columns = gap ? 200 : 32;
        CHECK(found.rows == rows && found.columns == columns, "gap %d: %lld rows, %lld columns", gap, LL(found.rows),
              LL(found.columns));
    }
}

/* The first tile of one step is a part of that of all steps. */
static void
test_first_step(void)
{
    const int64_t dims[] = {100000};
    ssop_view dst, src;
    ssop_nest nest;
    ssop_copy_description one, all;
    use_policies(0);
    lay_out(&dst, dst_memory, 1, dims, 8, (layout){0});
    lay_out(&src, src_memory, 1, dims, 8, (layout){0, 0, 8, 0, 0});
    ssop_nest_copy(&nest, &dst, &src, NULL);
    const int64_t steps = ssop_nest_steps(&nest);
    ssop_nest_describe(&nest, 1, &one);
    ssop_nest_describe(&nest, steps, &all);
    CHECK(steps > 1 && all.columns == dims[0], "%s: %lld columns", ssop_cpu_target(), LL(all.columns));
    CHECK(0 < one.columns && one.columns < all.columns, "%s: %lld columns in a step", ssop_cpu_target(),
          LL(one.columns));
}

/* No variant with non-temporal stores is said to fit a copy with regular ones. */
static void
test_what_fits(void)
{
    const int64_t dims[] = {100, 100};
    ssop_view dst, src;
    ssop_nest nest;
    ssop_copy_description found;
    ssop_variant_text text;
    use_policies(0);
    lay_out(&dst, dst_memory, 2, dims, 8, (layout){0});
    lay_out(&src, src_memory, 2, dims, 8, (layout){0, 0, 16, 0, 0});
    ssop_nest_copy(&nest, &dst, &src, NULL);
    ssop_nest_describe(&nest, ssop_nest_steps(&nest), &found);
    CHECK(!found.streams, "%s: a copy of 80,000 bytes", ssop_cpu_target());
    for (int32_t at = 0; ssop_variant_at(at, &text); at++) {
        CHECK(strcmp(text.name, "pack-streamed") != 0 || (found.fits >> at & 1) == 0, "%s", ssop_cpu_target());
    }
}

/* True for a bit of what fits, by name. */
static bool
fits(const ssop_copy_description *found, ssop_variant variant)
{
    return (found->fits >> variant & 1) == 1;
}

/* Any strided tile can be copied item by item, and what is packed also with non-temporal stores, if they are wanted and
 * there is such a kernel. */
static void
check_what_fits(const ssop_nest *nest, const ssop_copy_description *found)
{
    const bool packs = fits(found, SSOP_VARIANT_PACK), streams = fits(found, SSOP_VARIANT_PACK_STREAMED);
    const bool has_it = kernel_of(ssop_kernels(), SSOP_VARIANT_PACK_STREAMED, found->item_bytes) != NULL;
    CHECK(nest->pattern != SSOP_PATTERN_STRIDED || fits(found, SSOP_VARIANT_ITEMS), "%s: items", ssop_cpu_target());
    CHECK(!packs || !has_it || streams == found->streams, "%s: %d, not %d", ssop_cpu_target(), streams, found->streams);
}

/* The kernel gets the last row first, if the source rows of a transposition run backwards. */
static void
check_backwards(const ssop_nest *nest, const ssop_copy_description *found)
{
    ssop_tile tile;
    ssop_choice choice;
    ssop_variant_text text;
    ssop_nest_first_tile(nest, ssop_nest_steps(nest), &tile);
    tile.rows = found->rows;
    tile.columns = found->columns;
    const char *const last = nest->dst + (tile.rows - 1) * tile.dst_row;
    tile.dst_row = -tile.dst_row;
    ssop_choose(&choice, nest, last, &tile);
    CHECK(ssop_variant_at((int32_t)choice.variant, &text) && strcmp(text.name, found->variant.name) == 0, "%s: %s, %s",
          ssop_cpu_target(), text.name, found->variant.name);
    for (int32_t at = 0; at < SSOP_VARIANT_COUNT; at++) {
        ssop_choice other;
        const bool right =
            at == (int32_t)choice.variant || ssop_variant_fits(&other, (ssop_variant)at, nest, last, &tile);
        CHECK(fits(found, (ssop_variant)at) == right, "%s: variant %d", ssop_cpu_target(), (int)at);
    }
}

/* The variants that are said to fit are those that a copy has if they are forced; the loops and the policy are the
 * nest's own. */
static void
test_descriptions(void)
{
    enum { COPIES = 320 };
    int backwards = 0;
    for (int i = 0; i < COPIES; i++) {
        ssop_view dst, src;
        ssop_nest nest;
        ssop_copy_description found, forced;
        ssop_variant_text text;
        (void)draw(&dst, &src, i % 4 == 3);
        use_policies(i / 4 % 4);
        ssop_nest_copy(&nest, &dst, &src, NULL);
        ssop_nest_describe(&nest, ssop_nest_steps(&nest), &found);
        CHECK(found.rank == nest.rank && found.fits >> SSOP_VARIANT_COUNT == 0, "%d", i);
        for (int32_t axis = 0; axis < nest.rank; axis++) {
            CHECK(found.count[axis] == nest.count[axis] && found.dst_stride[axis] == nest.dst_stride[axis] &&
                      found.src_stride[axis] == nest.src_stride[axis],
                  "copy %d, axis %d", i, (int)axis);
        }
        check_what_fits(&nest, &found);
        if (nest.pattern == SSOP_PATTERN_TRANSPOSE && nest.src_stride[nest.row_axis] < 0) {
            check_backwards(&nest, &found);
            backwards++;
        }
        for (int32_t at = 0; ssop_variant_at(at, &text); at++) {
            CHECK(ssop_variant_force(text.name), "%s", text.name);
            ssop_nest_describe(&nest, ssop_nest_steps(&nest), &forced);
            const bool is_taken = strcmp(forced.variant.name, text.name) == 0;
            CHECK((found.fits >> at & 1) == (is_taken ? 1 : 0), "%s: copy %d, %s", ssop_cpu_target(), i, text.name);
        }
        CHECK(ssop_variant_force(NULL), "none");
    }
    CHECK(backwards > 0, "no source runs backwards");
}

/* One bit of the policy after another, and no bit. */
static void
test_described_policies(void)
{
    const int64_t dims[] = {100};
    ssop_view dst, src;
    ssop_nest nest;
    use_policies(0);
    lay_out(&dst, dst_memory, 1, dims, 8, (layout){0});
    lay_out(&src, src_memory, 1, dims, 8, (layout){0});
    ssop_nest_copy(&nest, &dst, &src, NULL);
    for (unsigned bit = 1; bit <= 256; bit *= 2) {
        ssop_copy_description found;
        nest.policy = bit < 256 ? bit : 0;
        ssop_nest_describe(&nest, 1, &found);
        const unsigned told =
            (found.streams ? SSOP_STREAM : 0U) | (found.collects ? SSOP_COLLECT : 0U) |
            (found.prefetches_source ? SSOP_PREFETCH : 0U) | (found.prefetches_into_l2 ? SSOP_PREFETCH_L2 : 0U) |
            (found.prefetches_destination ? SSOP_PREFETCH_WRITE : 0U) | (found.source_order ? SSOP_SOURCE_ORDER : 0U) |
            (found.strips ? SSOP_STRIPS : 0U) | (found.rep_movsb ? SSOP_REP_MOVSB : 0U);
        CHECK(told == nest.policy, "%s: %u, not %u", ssop_cpu_target(), told, nest.policy);
    }
}

int
main(void)
{
    fill_arenas();
    test_names();
    for_every_target(test_descriptions);
    for_every_target(test_described_policies);
    for_every_target(test_forced);
    for_every_target(test_short_rows_of_bytes);
    for_every_target(test_dilation);
    for_every_target(test_what_fits);
    for_every_target(test_first_step);
    test_blocks();
    return check_report("test_variants");
}
