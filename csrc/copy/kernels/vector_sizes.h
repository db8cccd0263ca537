/* Template. What a tier with vectors has for each item size. Include once per tier, with TIER, TARGET, WIDE_X and
 * NARROW_X, pack_4 and pack_8. */

/* How the transposing kernels go over rows and columns: how many rows are taken together, by bytes of the source and lines of
 * the destination, and what a stage holds. Best on a Zen 5, and on a Cascade Lake, where bands of 128 bytes, stages of 128
 * bytes and stages everywhere were not better for 2, 4 and 8 bytes and planes of 31 x 300 to 5000 x 5000 (all of 64 MiB; the
 * kernels alone, interleaved). */
enum { BLOCK_BYTES = 512, MAX_BLOCK_ROWS = 256, STAGE_BYTES = 256, STAGE_COLUMNS = 64 };

/* So many columns at most are read from memory side by side, each from front to back, if as many items would fill the distance
 * of the destination's rows: with more of them that is slower, and where the rows are far from each other as well. On a
 * Cascade Lake, f4 of (6, 925925, 9) permuted by (1, 2, 0): 2.5 GB/s column by column, 5.6 side by side; (24, 300000, 6): 4.3
 * and 5.4; but u1 of (40, 800000, 6): 2.7 and 2.6, u1 of (100, 300000, 6): 2.75 and 2.4 (AVX2, ssop.copyto, medians of four
 * processes). Where whole lines are streamed, only those columns are few that have less than a line. */
#ifdef WHOLE_LINES
#define MAX_FEW_COLUMNS (TILE_COLUMNS - 1)
#else
#define MAX_FEW_COLUMNS 31
#endif

/* The policies of copies from and to memory; and how near columns are that need no stage, where that was measured. */
#ifdef WHOLE_LINES
enum { FAR_POLICY = SSOP_PREFETCH, DIRECT_BYTES = 0 };
#else
enum { FAR_POLICY = SSOP_PREFETCH | SSOP_PREFETCH_WRITE, DIRECT_BYTES = STAGE_BYTES };
#endif

/* True if lines that are wanted together have the same few places in a cache. */
INLINE bool
must_stage(const ssop_tile *tile)
{
    enum { PITCH_BYTES = 1024, MIN_ITEMS = 16384 };
    bool collide = tile->src_column % PITCH_BYTES == 0 || tile->dst_row % PITCH_BYTES == 0;
    return collide && tile->rows * tile->columns >= MIN_ITEMS;
}

/* Prefetches a line of each of the next columns, and the lines of `rows` rows that will be written next. */
NOINLINE TARGET void
KERNEL(prefetch_tiles)(const char *dst, const char *src, const ssop_tile *tile, int64_t rows, int64_t columns)
{
    enum { TILE_AHEAD_BYTES = 128 };
    for (int64_t column = 0; column < columns; column++) {
        prefetch(address_after(src, column * tile->src_column));
    }
    for (int64_t row = 0; row < rows; row++) {
        prefetch(address_after(dst, row * tile->dst_row + TILE_AHEAD_BYTES));
    }
    __asm__ volatile(""); /* else a compiler sees no effect, and no need for a call */
}

/* Prefetches `bytes` of each of some rows for writing. */
INLINE TARGET void
KERNEL(prefetch_rows)(const char *dst, int64_t pitch, int64_t rows, int64_t bytes)
{
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t at = 0; at < bytes; at += 64) {
            prefetch_write(address_after(dst, row * pitch + at));
        }
    }
}

#define SIZE 1
#define STEPS 4
#include "transpose_size.h"
#undef SIZE
#undef STEPS

#define SIZE 2
#define STEPS 3
#include "transpose_size.h"
#undef SIZE
#undef STEPS

#define SIZE 4
#define STEPS 2
#include "transpose_size.h"
#include "pack.h"
#undef SIZE
#undef STEPS

#define SIZE 8
#define STEPS 1
#include "transpose_size.h"
#include "pack.h"
#undef SIZE
#undef STEPS

#define SIZE 16
#include "pack.h"
#undef SIZE

/* What every tier with vectors has in its table. */
/* clang-format off */
#define VECTOR_ROWS                                                                                                    \
    [SSOP_PATTERN_ROWS] = EVERY_SIZE(KERNEL(rows)),                                                                    \
    [SSOP_PATTERN_PERMUTE] = EVERY_SIZE(KERNEL(permute)),                                                              \
    [SSOP_PATTERN_REPEAT] = EVERY_SIZE(KERNEL(repeat)),                                                                \
    [SSOP_PATTERN_DILATE_ROWS] = EVERY_SIZE(KERNEL(dilate_rows)),                                                      \
    [SSOP_PATTERN_DILATE_VECTORS] = EVERY_SIZE(KERNEL(dilate_vectors)),                                                \
    [SSOP_PATTERN_PACK] = {NULL, NULL, KERNEL(pack_items_4), KERNEL(pack_items_8), KERNEL(pack_items_16), NULL},       \
    [SSOP_PATTERN_TRANSPOSE] = {KERNEL(transpose_1), KERNEL(transpose_2), KERNEL(transpose_4), KERNEL(transpose_8),    \
                                NULL, NULL}
/* clang-format on */
