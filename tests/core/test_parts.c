/* What could go wrong: an item of a part is not copied, or to another place; blocks are made where they do not pay. */
#include "random_policies.h"
#include "targets.h"

enum { BYTES = 3 << 19, MAX_PARTS = 5 };

static unsigned char dst_memory[BYTES], expected[BYTES], src_memory[MAX_PARTS][BYTES];

static void
copy_items(const ssop_view *dst, const ssop_view *src)
{
    for (int64_t i = 0; i < dst->dim[0]; i++) {
        for (int64_t j = 0; j < dst->dim[1]; j++) {
            memcpy(dst->data + i * dst->stride[0] + j * dst->stride[1],
                   src->data + i * src->stride[0] + j * src->stride[1], (size_t)dst->item_bytes);
        }
    }
}

/* A part of an array of `rows` x `columns` items: some of its columns, from anywhere. */
static ssop_part
make_part(const ssop_view *whole, int64_t first, int64_t last, unsigned char *memory)
{
    ssop_part part = {.dst = *whole};
    part.dst.dim[1] = last - first;
    part.dst.data += first * whole->stride[1];
    part.src = part.dst;
    part.src.data = (char *)memory;
    part.src.stride[0] = random_between(0, 3) == 0 ? 0 : (last - first) * whole->item_bytes;
    part.src.stride[1] = whole->item_bytes;
    return part;
}

/* All blocks, in two pieces, the last one first. */
static void
test_random_parts(void)
{
    for (int i = 0; i < 24; i++) {
        if (!is_chosen()) {
            continue;
        }
        const int64_t item = (int64_t)1 << random_between(0, 4), columns = random_between(MAX_PARTS, 100);
        const int64_t rows = random_between(BYTES / 3, BYTES) / (item * columns);
        const ssop_view whole = {.data = (char *)dst_memory,
                                 .item_bytes = item,
                                 .rank = 2,
                                 .dim = {rows, columns},
                                 .stride = {columns * item, item}};
        ssop_part part[MAX_PARTS];
        ssop_parts parts = {.part = part,
                            .array = &whole,
                            .bytes = rows * columns * item,
                            .count = (int32_t)random_between(1, MAX_PARTS),
                            .across = 1,
                            .fresh_dst = random_between(0, 1) == 1};
        use_random_policies();
        memset(dst_memory, 0xA5, sizeof dst_memory);
        memset(expected, 0xA5, sizeof expected);
        int64_t first = 0; /* columns that no part has stay as they are */
        for (int32_t k = 0; k < parts.count; k++) {
            const int64_t last = random_between(first + 1, columns - parts.count + k + 1);
            part[k] = make_part(&whole, first, last, src_memory[k]);
            first = last;
            ssop_view to = part[k].dst;
            to.data += (char *)expected - (char *)dst_memory;
            copy_items(&to, &part[k].src);
        }
        if (!ssop_parts_begin(&parts)) {
            parts.block = random_between(1, rows);
        }
        const int64_t steps = ssop_parts_steps(&parts), cut = random_between(0, steps);
        ssop_parts_execute(&parts, cut, steps);
        ssop_parts_execute(&parts, 0, cut);
        CHECK(memcmp(dst_memory, expected, sizeof expected) == 0,
              "%s: %d parts of %lld x %lld items of %lld in blocks of %lld", ssop_cpu_target(), (int)parts.count,
              LL(rows), LL(columns), LL(item), LL(parts.block));
    }
}

/* No two blocks write one item: threads share them out. */
static void
test_blocks_are_apart(void)
{
    enum { ROWS = 50, COLUMNS = 8, BLOCK = 7 };
    const ssop_view whole = {
        .data = (char *)dst_memory, .item_bytes = 1, .rank = 2, .dim = {ROWS, COLUMNS}, .stride = {COLUMNS, 1}};
    memset(src_memory, 1, ROWS * COLUMNS);
    ssop_part part[] = {make_part(&whole, 0, 3, src_memory[0]), make_part(&whole, 3, COLUMNS, src_memory[0])};
    const ssop_parts parts = {
        .part = part, .array = &whole, .bytes = ROWS * COLUMNS, .count = 2, .across = 1, .block = BLOCK};
    int written = 0;
    for (int64_t at = 0; at < ssop_parts_steps(&parts); at++) {
        memset(dst_memory, 0, ROWS * COLUMNS);
        ssop_parts_execute(&parts, at, at + 1);
        for (int i = 0; i < ROWS * COLUMNS; i++) {
            written += dst_memory[i];
        }
    }
    CHECK(ssop_parts_steps(&parts) == ROWS / BLOCK && written == ROWS * COLUMNS, "%d written", written);
}

/* Two axes, of which the outer one is divided. */
static bool
pays(int64_t dim, int64_t stride, int64_t bytes, int32_t count, int64_t row_bytes)
{
    const ssop_view array = {.item_bytes = 1, .rank = 2, .dim = {dim, row_bytes}, .stride = {stride, -1}};
    ssop_parts parts = {.array = &array, .bytes = bytes, .count = count, .across = 1};
    return ssop_parts_begin(&parts);
}

/* A block of two parts has 256 KiB. */
static void
test_what_pays(void)
{
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.step_bytes = 32 << 10;
    CHECK(ssop_policies_use(&policies), "policies");
    CHECK(pays(8192, 64, 512 << 10, 2, 64), "half a MiB in short rows");
    CHECK(!pays(8191, 64, 8191 * 64, 2, 64), "less");
    CHECK(pays(8192, -64, 512 << 10, 2, 64), "backwards");
    CHECK(pays(1024, 4096, 1 << 22, 2, 4095) && !pays(1024, 4096, 1 << 22, 2, 4096), "rows of a page");
    CHECK(!pays(0, 64, 0, 2, 64) && !pays(1024, 64, 0, 2, 0), "no items");
    CHECK(!pays(2, 1 << 19, 1 << 20, 2, 64), "an index has more than a block");
    CHECK(pays(2, 1 << 19, 1 << 20, 64, 64) && !pays(2, 1 << 20, 1 << 21, 300, 64),
          "no block has more than half a MiB");
    CHECK(pays(1024, 16, 1 << 20, 2, 64) && !pays(1024, 15, 1 << 20, 2, 64), "256 indices in a block");
}

/* An index of the first axis has more than a block, so the second one is divided, but never the axis of the parts. */
static void
test_which_axis_is_divided(void)
{
    const ssop_view array = {.item_bytes = 1, .rank = 3, .dim = {2, 8192, 64}, .stride = {1 << 19, 64, 1}};
    ssop_parts parts = {.array = &array, .bytes = 1 << 20, .count = 2, .across = 2};
    CHECK(ssop_parts_begin(&parts) && parts.axis == 1 && parts.block == 4096 / 2, "axis %d", (int)parts.axis);
    parts.across = 1;
    CHECK(!ssop_parts_begin(&parts), "long rows");
    parts.across = 0;
    CHECK(!ssop_parts_begin(&parts), "no axis before that of the parts");
}

/* Two parts side by side in rows of 256 bytes, the first of `first` bytes, in an array that begins `off` bytes after a
 * cache line. */
static bool
pays_in_blocks(int64_t first, int64_t off, bool fresh)
{
    const ssop_view array = {
        .data = (char *)64 + off, .item_bytes = 4, .rank = 2, .dim = {1000, 64}, .stride = {256, 4}};
    ssop_part part[2] = {{.dst = array}, {.dst = array}};
    part[0].dst.dim[1] = first / 4;
    part[1].dst.dim[1] = 64 - first / 4;
    const ssop_parts parts = {
        .part = part, .array = &array, .bytes = 256000, .count = 2, .across = 1, .fresh_dst = fresh};
    return ssop_parts_pay(&parts);
}

/* Non-temporal stores are decided by the bytes that are read and written, unless nobody has touched the memory. */
static void
test_whole_lines_are_not_streamed_in_blocks(void)
{
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    for (int64_t least = 0; least < 3; least++) {
        policies.stream_bytes = least == 0 ? 0 : 512000 + least - 1;
        CHECK(ssop_policies_use(&policies), "policies");
        for (int fresh = 0; fresh < 2; fresh++) {
            const bool streams = least == 1 && fresh == 0;
            CHECK(pays_in_blocks(128, 0, fresh == 1) == !streams, "%d, fresh %d", (int)least, fresh);
            CHECK(pays_in_blocks(124, 0, fresh == 1), "a line of both parts: %d, fresh %d", (int)least, fresh);
            CHECK(pays_in_blocks(128, 4, fresh == 1), "rows begin in lines: %d, fresh %d", (int)least, fresh);
        }
    }
}

int
main(void)
{
    for (int k = 0; k < MAX_PARTS; k++) {
        for (int i = 0; i < BYTES; i++) {
            src_memory[k][i] = (unsigned char)(random_bits() >> 32);
        }
    }
    for_every_target(test_random_parts);
    test_blocks_are_apart();
    test_what_pays();
    test_which_axis_is_divided();
    test_whole_lines_are_not_streamed_in_blocks();
    return check_report("test_parts");
}
