/* What could go wrong: an offset, a stride or an index of the copy engine is cut to 32 bits. Items lie gigabytes apart,
 * in memory of which only the pages with items may be used; of long copies only the last steps run. */
#include "system.h"

#include "copy/nest.h"
#include "targets.h"

enum { SPAN = 16, ITEMS = 4, ROW = 1000 };

/* More than 2^32 where addresses have 64 bits, and not a multiple of it. */
static int64_t
far_stride(void)
{
    return sizeof(void *) > 4 ? INT64_C(5) << 30 : INT64_C(1) << 22;
}

/* Addresses for ITEMS rows that lie far apart, and one page more on both sides. */
static char *
new_range(void)
{
    const size_t page = system_page_bytes();
    return new_pages((size_t)(ITEMS * far_stride()) + SPAN * page) + page;
}

/* Lets `bytes` at an address be used, and fills them with numbers. */
static void
use(char *at, int64_t bytes, unsigned seed)
{
    const uintptr_t page = system_page_bytes(), begin = (uintptr_t)at / page * page;
    const uintptr_t end = ((uintptr_t)at + (uintptr_t)bytes + page - 1) / page * page;
    allow_access(at - ((uintptr_t)at - begin), end - begin, true);
    for (int64_t i = 0; i < bytes; i++) {
        at[i] = (char)(seed + (unsigned)i * 7 + (unsigned)(i >> 8));
    }
}

static void
run_all(ssop_nest *nest)
{
    ssop_nest_execute(nest, 0, ssop_nest_steps(nest));
}

/* Rows that are far apart in the source, in the destination, or in both, forwards and backwards. */
static void
test_copies(char *dst_range, char *src_range)
{
    const int64_t far = far_stride();
    for (int way = 0; way < 8; way++) {
        const int64_t dst_stride = (way & 1) != 0 ? far : ROW, src_stride = (way & 2) != 0 ? far : ROW;
        const bool backwards = (way & 4) != 0;
        char *const src_first = src_range + (backwards ? (ITEMS - 1) * src_stride : 0);
        const ssop_view dst = {dst_range, 1, 2, {ITEMS, ROW}, {dst_stride, 1}};
        const ssop_view src = {src_first, 1, 2, {ITEMS, ROW}, {backwards ? -src_stride : src_stride, 1}};
        for (int64_t k = 0; k < ITEMS; k++) {
            use(dst_range + k * dst_stride, ROW, 0);
            use(src_range + k * src_stride, ROW, (unsigned)k * 31 + 5);
        }
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        run_all(&nest);
        for (int64_t k = 0; k < ITEMS; k++) {
            CHECK(memcmp(dst.data + k * dst.stride[0], src.data + k * src.stride[0], ROW) == 0, "way %d: row %d", way,
                  (int)k);
        }
        const ssop_view column = {src.data, 8, 1, {ITEMS}, {src.stride[0]}};
        char small[8 * ITEMS];
        ssop_copy_small(small, column.data, &column);
        for (int64_t k = 0; k < ITEMS; k++) {
            CHECK(memcmp(small + 8 * k, column.data + k * column.stride[0], 8) == 0, "way %d: item %d", way, (int)k);
        }
    }
}

/* Columns whose distance could be taken for that of planes of four items. */
static void
test_far_columns(char *dst_range, char *src_range)
{
    enum { ITEM = 4, ROWS = 100 };
    const int64_t far = far_stride() / 5 * 4 + ITEMS * ITEM;
    const ssop_view dst = {dst_range, ITEM, 2, {ROWS, ITEMS}, {ITEMS * ITEM, ITEM}};
    const ssop_view src = {src_range, ITEM, 2, {ROWS, ITEMS}, {ITEM, far}};
    use(dst_range, ROWS * ITEMS * ITEM, 0);
    for (int64_t k = 0; k < ITEMS; k++) {
        use(src_range + k * far, ROWS * ITEM, (unsigned)k * 31 + 5);
    }
    ssop_nest nest;
    ssop_nest_copy(&nest, &dst, &src, NULL);
    run_all(&nest);
    int right = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        for (int64_t k = 0; k < ITEMS; k++) {
            right += memcmp(dst_range + (i * ITEMS + k) * ITEM, src_range + i * ITEM + k * far, ITEM) == 0;
        }
    }
    CHECK(right == ROWS * ITEMS, "far columns: %d items", right);
}

/* A place, forwards and backwards, of rows that are far apart on both sides. */
static void
test_dilations(char *dst_range, char *src_range)
{
    const int64_t far = far_stride();
    for (int way = 0; way < 4; way++) {
        const int64_t step = (way & 1) != 0 ? -2 : 2, start = step < 0 ? 3 : 1, sign = (way & 2) != 0 ? -1 : 1;
        char *const first = dst_range + (sign < 0 ? (ITEMS - 1) * far : 0);
        const ssop_view dst = {first, 1, 2, {ITEMS, ROW}, {sign * far, 1}};
        const ssop_view src = {src_range, 1, 2, {2, ROW}, {far, 1}};
        ssop_region place;
        ssop_region_whole(&place, (ssop_shape){2, dst.dim});
        place.range[0] = (ssop_range){start, 2, step};
        for (int64_t k = 0; k < ITEMS; k++) {
            use(dst_range + k * far, ROW, 1);
            use(src_range + k * far, ROW, (unsigned)k * 31 + 5);
        }
        ssop_nest nest;
        ssop_nest_dilate(&nest, &dst, &place, &src, NULL, NULL);
        run_all(&nest);
        for (int64_t k = 0; k < 2; k++) {
            const char *to = first + (start + k * step) * sign * far, *none = first + (2 * k) * sign * far;
            CHECK(memcmp(to, src.data + k * far, ROW) == 0, "way %d: row %d", way, (int)k);
            CHECK(none[0] == 0 && memcmp(none, none + 1, ROW - 1) == 0, "way %d: gap %d", way, (int)k);
        }
    }
}

/* The last steps of one long row, which begins where its pages may not be used. */
static void
test_last_steps(char *dst_range, char *src_range)
{
    const int64_t bytes = far_stride() * 3 / 4, tail = 256 * 1024;
    const ssop_view dst = {dst_range, 1, 1, {bytes}, {1}}, src = {src_range, 1, 1, {bytes}, {1}};
    ssop_nest nest;
    use(dst_range + bytes - tail, tail, 0);
    use(src_range + bytes - tail, tail, 3);
    ssop_nest_copy(&nest, &dst, &src, NULL);
    int64_t steps = ssop_nest_steps(&nest);
    CHECK(steps > bytes / (128 * 1024), "steps of a long row: %lld", LL(steps));
    ssop_nest_execute(&nest, steps - 1, steps);
    CHECK(memcmp(dst_range + bytes - 4096, src_range + bytes - 4096, 4096) == 0, "the last step of a copy");

    /* one byte for each two of the destination, but for the first ones */
    const int64_t start = bytes - tail, count = tail / 2;
    const ssop_view few = {src_range, 1, 1, {count}, {1}};
    ssop_region place;
    ssop_region_whole(&place, (ssop_shape){1, dst.dim});
    place.range[0] = (ssop_range){start, count, 2};
    use(src_range, count, 9);
    use(dst_range + bytes - tail, tail, 1);
    ssop_nest_dilate(&nest, &dst, &place, &few, NULL, NULL);
    steps = ssop_nest_steps(&nest);
    ssop_nest_execute(&nest, steps - 1, steps);
    int right = 0;
    for (int64_t i = 1; i <= 2048; i++) {
        right += dst_range[bytes - 2 * i] == src_range[count - i] && dst_range[bytes - 2 * i + 1] == 0;
    }
    CHECK(right == 2048, "the last step of a dilation: %d", right);
}

/* The same in the second of two rows, each longer than 2^31, without gaps between them. */
static void
test_last_step_of_rows(char *dst_range, char *src_range)
{
    enum { COUNT_PER_ROW = 65536 };
    const int64_t row = far_stride() / 2, start = row - 2 * COUNT_PER_ROW;
    const ssop_view dst = {dst_range, 1, 2, {2, row}, {row, 1}};
    const ssop_view src = {src_range, 1, 2, {2, COUNT_PER_ROW}, {COUNT_PER_ROW, 1}};
    ssop_region place;
    ssop_region_whole(&place, (ssop_shape){2, dst.dim});
    place.range[1] = (ssop_range){start, COUNT_PER_ROW, 2};
    use(src_range, 2 * COUNT_PER_ROW, 9);
    use(dst_range + row + start, row - start, 1);
    ssop_nest nest;
    ssop_nest_dilate(&nest, &dst, &place, &src, NULL, NULL);
    const int64_t steps = ssop_nest_steps(&nest);
    ssop_nest_execute(&nest, steps - 1, steps);
    int right = 0;
    for (int64_t i = 1; i <= 2048; i++) {
        right += dst_range[2 * row - 2 * i] == src_range[2 * COUNT_PER_ROW - i] && dst_range[2 * row - 2 * i + 1] == 0;
    }
    CHECK(right == 2048, "the last step of a dilation of rows: %d", right);
}

/* The last of more than 2^31 rows, each of two items from the source and one of the fill. */
static void
test_last_rows(char *dst_range, char *src_range)
{
    enum { LAST = 4096 };
    const int64_t rows = far_stride() / 2;
    const ssop_view dst = {dst_range, 1, 2, {rows, 3}, {3, 1}}, src = {src_range, 1, 2, {rows, 2}, {2, 1}};
    ssop_region place;
    ssop_region_whole(&place, (ssop_shape){2, dst.dim});
    place.range[1].count = 2;
    use(dst_range + 3 * (rows - LAST), 3 * LAST, 1);
    use(src_range + 2 * (rows - LAST), 2 * LAST, 9);
    ssop_nest nest;
    ssop_nest_dilate(&nest, &dst, &place, &src, NULL, NULL);
    const int64_t steps = ssop_nest_steps(&nest);
    CHECK(steps == rows, "a step for each row: %lld", LL(steps));
    ssop_nest_execute(&nest, steps - LAST, steps);
    int right = 0;
    for (int64_t i = rows - LAST; i < rows; i++) {
        right += memcmp(dst_range + 3 * i, src_range + 2 * i, 2) == 0 && dst_range[3 * i + 2] == 0;
    }
    CHECK(right == LAST, "the last rows: %d", right);
}

/* More than 2^31 items that are not contiguous, and two rows of 2^32 + 8 bytes with a gap, of a
 * size that could be taken for 8 bytes. */
static void
test_last_step_of_items(char *dst_range, char *src_range)
{
    enum { TAIL = 512 * 1024, COMPARED = 2048, GAP = 64 };
    const int64_t items = far_stride() / 2, row = far_stride() / 5 * 4 + 8, pitch = row + GAP;
    const ssop_view dst = {dst_range, 1, 1, {items}, {1}}, src = {src_range, 1, 1, {items}, {2}};
    ssop_nest nest;
    use(dst_range + items - TAIL, TAIL, 0);
    use(src_range + 2 * (items - TAIL), 2 * TAIL, 3);
    ssop_nest_copy(&nest, &dst, &src, NULL);
    int64_t steps = ssop_nest_steps(&nest);
    ssop_nest_execute(&nest, steps - 1, steps);
    int right = 0;
    for (int64_t i = items - COMPARED; i < items; i++) {
        right += dst_range[i] == src_range[2 * i];
    }
    CHECK(right == COMPARED, "the last step of items: %d", right);

    const ssop_view rows = {dst_range, 1, 2, {2, row}, {pitch, 1}}, from = {src_range, 1, 2, {2, row}, {pitch, 1}};
    use(dst_range + pitch + row - TAIL, TAIL, 0);
    use(src_range + pitch + row - TAIL, TAIL, 3);
    ssop_nest_copy(&nest, &rows, &from, NULL);
    steps = ssop_nest_steps(&nest);
    ssop_nest_execute(&nest, steps - 1, steps);
    const int64_t last = pitch + row - COMPARED;
    CHECK(memcmp(dst_range + last, src_range + last, COMPARED) == 0, "the last step of long rows");
}

/* The last block of two parts, bytes that alternate, of more than 2^31 each: the first and the last of 64 axes. */
static void
test_parts(char *dst_range, char *src_range)
{
    enum { LAST = 1024 * 1024, COMPARED = 2048, ACROSS = SSOP_MAX_RANK - 1 };
    const int64_t rows = far_stride() / 2;
    ssop_view whole = {dst_range, 1, SSOP_MAX_RANK, {0}, {0}};
    for (int32_t axis = 0; axis < ACROSS; axis++) {
        whole.dim[axis] = 1;
    }
    whole.dim[0] = rows;
    whole.stride[0] = whole.dim[ACROSS] = 2;
    whole.stride[ACROSS] = 1;
    ssop_part both[2];
    for (int k = 0; k < 2; k++) {
        both[k].dst = both[k].src = whole;
        both[k].dst.data += k;
        both[k].src.data = src_range + k * rows;
        both[k].dst.dim[ACROSS] = both[k].src.dim[ACROSS] = both[k].src.stride[0] = 1;
        use(both[k].src.data + rows - LAST, LAST, (unsigned)k * 31 + 5);
    }
    use(dst_range + 2 * (rows - LAST), 2 * LAST, 1);
    ssop_parts parts = {.part = both, .array = &whole, .bytes = 2 * rows, .count = 2, .across = ACROSS};
    CHECK(ssop_parts_begin(&parts) && parts.axis == 0, "blocks of rows");
    const int64_t steps = ssop_parts_steps(&parts);
    ssop_parts_execute(&parts, steps - 1, steps);
    int right = 0;
    for (int64_t i = rows - COMPARED; i < rows; i++) {
        right += dst_range[2 * i] == src_range[i] && dst_range[2 * i + 1] == src_range[rows + i];
    }
    CHECK(right == COMPARED, "the last block of parts: %d", right);
    whole.dim[ACROSS] = INT64_C(1) << 32;
    whole.stride[0] = whole.dim[ACROSS];
    CHECK(!ssop_parts_begin(&parts), "parts of far rows share no lines");
}

/* In place: rows that are far apart, moved by some bytes either way. */
static void
test_shifts(char *range)
{
    enum { BY = 24 };
    const int64_t far = far_stride();
    static char before[ITEMS][ROW + BY];
    for (int up = 0; up < 2; up++) {
        for (int64_t k = 0; k < ITEMS; k++) {
            use(range + k * far, ROW + BY, (unsigned)k * 31 + 5);
            memcpy(before[k], range + k * far, ROW + BY);
        }
        const ssop_view low = {range, 1, 2, {ITEMS, ROW}, {far, 1}}, high = {range + BY, 1, 2, {ITEMS, ROW}, {far, 1}};
        const ssop_view *dst = up ? &high : &low, *src = up ? &low : &high;
        ssop_shift shift;
        const bool begun = ssop_shift_begin(&shift, dst, src);
        CHECK(begun, "rows in the order of memory");
        ssop_shift_execute(&shift, 0, shift.steps);
        for (int64_t k = 0; k < ITEMS; k++) {
            CHECK(memcmp(dst->data + k * far, before[k] + (up ? 0 : BY), ROW) == 0, "up %d: row %d", up, (int)k);
        }
    }
    /* Nothing is moved here: the inner items reach beyond the next outer one, far or near. */
    const int64_t stride = far * 3 / 5, inner[] = {far, 16}, outer[] = {stride, 40}, counts[] = {2, 4};
    for (int k = 0; k < 2; k++) {
        ssop_shift shift;
        const ssop_view dst = {range, 8, 2, {3, counts[k]}, {outer[k], inner[k]}};
        ssop_view src = dst;
        src.data += 8;
        CHECK(!ssop_shift_begin(&shift, &dst, &src), "loops that are interleaved in memory: %d", k);
    }
}

static void
test_all(void)
{
    static char *dst_range, *src_range;
    if (dst_range == NULL) {
        dst_range = new_range();
        src_range = new_range();
    }
    test_copies(dst_range, src_range);
    test_far_columns(dst_range, src_range);
    test_dilations(dst_range, src_range);
    test_last_steps(dst_range, src_range);
    test_last_step_of_rows(dst_range, src_range);
    test_last_rows(dst_range, src_range);
    test_last_step_of_items(dst_range, src_range);
    test_parts(dst_range, src_range);
    test_shifts(src_range);
}

int
main(void)
{
    for_every_target(test_all);
    return check_report("test_far");
}
