/* Rows that follow each other in the destination without gaps are copied by non-temporal stores of whole lines. What
 * could go wrong: bytes where two rows meet are wrong, missing, or written elsewhere. */
#include "copies.h"

enum { OFFSETS = 6, MAX_MATRIX_BYTES = 600000 };

static const int offsets[OFFSETS] = {0, 16, 48, 32, 5, 63}; /* bytes from a line to the first item */

/* As copies from and to memory, in one of four calls in small steps. */
static void
use_streams(void)
{
    use_random_policies();
    ssop_policies policies = *ssop_policies_used();
    policies.stream_bytes = policies.prefetch_bytes = 1;
    policies.prefetchw_bytes = policies.rep_movsb_row_bytes = policies.far_row_bytes = 0;
    policies.step_bytes = random_between(0, 3) == 0 ? 16384 : policies.step_bytes;
    CHECK(ssop_policies_use(&policies), "policies");
}

/* Rows of (outer, columns, rows) are read in the order (outer, rows, columns), forwards or backwards. They are whole
 * lines or others, in runs with and without gaps behind them, or with gaps between all rows. There are more of them
 * than fit in a block or a buffer. */
static void
test_rows(void)
{
    static const int64_t widths[] = {64, 128, 256, 448, 65, 100, 200, 250, 510, 80, 400};
    static const int64_t extents[][2] = {{2, 40}, {9, 70}, {70, 9}, {3, 300}, {33, 33}, {140, 5}}; /* rows, columns */
    int joined = 0;
    for (int i = 0; i < COUNT(widths) * COUNT(extents) * OFFSETS; i++) {
        if (!is_chosen()) {
            continue;
        }
        const int64_t width = widths[i % COUNT(widths)], *extent = extents[i / COUNT(widths) % COUNT(extents)];
        const int64_t outer = 1 + i % 2, rows = extent[0], columns = extent[1], line = i % 3 == 0 ? 64 : 0;
        const int64_t gap = i % 13 == 12 ? 64 : 0, column = rows * (width + gap) + line, sign = i % 5 == 4 ? -1 : 1;
        const int64_t from_row = columns * width + i % 4 * 32;
        ssop_view dst = {(char *)dst_memory + 64 + offsets[i / COUNT(widths) / COUNT(extents)],
                         1,
                         4,
                         {outer, columns, rows, width},
                         {columns * column, column, width + gap, 1}};
        ssop_view src = {
            (char *)src_memory, 1, 4, {outer, columns, rows, width}, {rows * from_row, sign * width, from_row, 1}};
        src.data += sign < 0 ? (columns - 1) * width : 0;
        use_streams();
        check_copy(&dst, &src, (size_t)(outer * columns * column + 192), i % 3);
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        const bool in_order = nest.pattern == SSOP_PATTERN_ROWS && nest.row_axis > nest.column_axis;
        CHECK(!in_order || (nest.policy & SSOP_STREAM) != 0, "%s: policy %u", ssop_cpu_target(), nest.policy);
        joined += in_order ? 1 : 0;
    }
    CHECK(joined > 0 || !ssop_kernels()->streams, "%s: no rows were joined", ssop_cpu_target());
}

/* Transpositions of matrices whose rows follow each other: few columns and many, rows of whole lines and others, up to
 * rows that are not joined. Some numbers of rows leave less than a tile after a block. */
static void
test_matrices(void)
{
    static const int64_t columns[] = {16, 17, 24, 32, 33, 60, 64, 100, 128, 200, 250, 256, 300, 520, 1030, 1100, 2100};
    static const int64_t rows[] = {40, 64, 129, 131, 137, 255, 259, 530, 1025};
    for (int i = 0; i < 4 * COUNT(columns) * COUNT(rows); i++) {
        const int64_t item = (int64_t)1 << i % 4, width = columns[i / 4 % COUNT(columns)];
        const int64_t height = rows[i / 4 / COUNT(columns)], matrices = 1 + i % 2, sign = i % 7 == 6 ? -1 : 1;
        const int64_t pitch = height * item + i % 3 * 24, bytes = matrices * width * height * item;
        if (!is_chosen() || matrices * width * pitch + 64 > MAX_MATRIX_BYTES || bytes + 192 > MAX_MATRIX_BYTES) {
            continue;
        }
        ssop_view dst = {(char *)dst_memory + 64 + offsets[i % OFFSETS],
                         item,
                         3,
                         {matrices, height, width},
                         {bytes / matrices, width * item, item}};
        ssop_view src = {(char *)src_memory, item, 3, {matrices, height, width}, {width * pitch, sign * item, pitch}};
        src.data += sign < 0 ? (height - 1) * item : 0;
        use_streams();
        check_copy(&dst, &src, (size_t)(bytes + 192), i % 3);
    }
}

/* Transpositions of many small matrices that follow each other in the destination, up to a gap in the middle of some.
 * Their source rows have gaps or not, and go forwards or backwards. There are few matrices or so many that they come
 * from memory, few columns, few rows, and rows of whole lines. */
static void
test_small_matrices(void)
{
    static const int64_t extents[][2] = {{64, 4}, {256, 3},  {100, 3},  {128, 2}, {32, 8},   {8, 32},  {200, 4},
                                         {12, 5}, {50, 30},  {36, 50},  {500, 3}, {1500, 3}, {400, 2}, {1200, 9},
                                         {3, 90}, {3, 400},  {2, 600},  {5, 210}, {4, 1500}, {64, 64}, {40, 37},
                                         {20, 8}, {3, 2000}, {16, 100}, {6, 100}, {32, 16},  {17, 72}, {28, 28}};
    int collected = 0;
    for (int i = 0; i < 5 * COUNT(extents) * OFFSETS; i++) {
        const int64_t item = (int64_t)1 << i % 5, *extent = extents[i / 5 % COUNT(extents)];
        const int64_t height = extent[0], width = extent[1], matrix = height * width * item;
        const int64_t gap = i % 11 == 10 ? 40 : 0, sign = i % 7 == 6 ? -1 : 1,
                      many = (i / 140 * 2 + i) % 3 == 0 ? 2200000 / matrix : 0;
        const int64_t inner = many > 0 ? many / 2 : 1 + 20000 / matrix, pitch = width * item + (i % 3 == 2 ? 24 : 0);
        const int64_t block = inner * matrix + gap;
        ssop_view dst = {(char *)dst_memory + 64 + offsets[i / 5 / COUNT(extents)],
                         item,
                         4,
                         {2, inner, width, height},
                         {block, matrix, height * item, item}};
        ssop_view src = {(char *)src_memory,
                         item,
                         4,
                         {2, inner, width, height},
                         {inner * height * pitch, height * pitch, sign * item, pitch}};
        src.data += sign < 0 ? (width - 1) * item : 0;
        if (2 * block + 192 > ARENA_BYTES || 2 * inner * height * pitch > ARENA_BYTES) {
            continue;
        }
        use_streams();
        use_small_last_cache();
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        collected += (nest.policy & SSOP_COLLECT) != 0 ? 1 : 0; /* of all cases, few of which may be chosen */
        if (is_chosen()) {
            check_copy(&dst, &src, (size_t)(2 * block + 192), i % 3);
        }
    }
    CHECK(collected > 0 || !ssop_kernels()->streams, "%s: nothing was collected", ssop_cpu_target());
}

/* Rows that are so long that they get non-temporal stores wherever they begin, and shorter ones. They are made of items
 * that lie apart, and of pixels whose parts are in reverse order or lie apart. */
static void
test_long_rows(void)
{
    static const int64_t steps[] = {2, 3, 5, 9, 15, 40, -1, -4};
    for (int i = 0; i < 5 * COUNT(steps) * OFFSETS; i++) {
        const int64_t item = (int64_t)1 << i % 5, step = steps[i / 5 % COUNT(steps)] * item;
        const int64_t columns = i % 3 == 2 ? 150 : 8192 / item + 37;
        const int64_t row = columns * (step < 0 ? -step : step) + 8;
        ssop_view dst = {
            (char *)dst_memory + 64 + offsets[i / 5 / COUNT(steps)], item, 2, {2, columns}, {columns * item, item}};
        ssop_view src = {(char *)src_memory, item, 2, {2, columns}, {row, step}};
        src.data += step < 0 ? (1 - columns) * step : 0;
        if (is_chosen()) {
            use_streams();
            check_copy(&dst, &src, (size_t)(2 * columns * item + 192), i % 3);
        }
    }
    for (int i = 0; i < 3 * 3 * 3 * OFFSETS; i++) {
        const int64_t item = (int64_t)1 << i % 3, parts = (int64_t)2 << i / 3 % 3, pixel = item * parts;
        const int64_t columns = 8192 / pixel + 37, row = columns * pixel;
        const int way = i / 9 % 3; /* forwards, backwards, or parts that lie apart */
        const int64_t step = way == 2 ? 4 * pixel : way == 1 ? -pixel : pixel, part = way == 2 ? 3 * item : -item;
        ssop_view dst = {(char *)dst_memory + 64 + offsets[i / 27], item, 3, {2, columns, parts}, {row, pixel, item}};
        ssop_view src = {(char *)src_memory, item, 3, {2, columns, parts}, {4 * row, step, part}};
        src.data += (step < 0 ? row - pixel : 0) + (part < 0 ? pixel - item : 0);
        if (is_chosen()) {
            use_streams();
            check_copy(&dst, &src, (size_t)(2 * row + 192), i % 3);
        }
    }
}

int
main(void)
{
    fill_arenas();
    for_every_target(test_rows);
    for_every_target(test_matrices);
    for_every_target(test_small_matrices);
    for_every_target(test_long_rows);
    return check_report("test_joined");
}
