/* Template. What a tier with vectors has for each item size. Include once per tier, with TIER, TARGET, WIDE_X and
 * NARROW_X, pack_4 and pack_8. */

/* Of the transposing kernels: how far rows are taken together, by bytes of the source and lines of the destination, and
 * what a stage holds. */
enum { BLOCK_BYTES = 512, MOST_BLOCK_ROWS = 256, STAGE_BYTES = 256, STAGE_COLUMNS = 64 };

/* True if lines that are wanted together have the same few places in a cache. */
INLINE bool
must_stage(const ssop_tile *tile)
{
    enum { PITCH_BYTES = 1024, LEAST_ITEMS = 16384 };
    bool collide = tile->src_column % PITCH_BYTES == 0 || tile->dst_row % PITCH_BYTES == 0;
    return collide && tile->rows * tile->columns >= LEAST_ITEMS;
}

/* From and to memory: asks for a line of each of the next columns, and for the lines of `rows` rows that will be written next.
 */
NOINLINE TARGET void
KERNEL(prefetch_tiles)(const char *dst, const char *src, const ssop_tile *tile, int64_t rows, int64_t columns)
{
    enum { WRITE_AHEAD_BYTES = 128 };
    for (int64_t column = 0; column < columns; column++) {
        prefetch(address_after(src, column * tile->src_column));
    }
    for (int64_t row = 0; row < rows; row++) {
        prefetch(address_after(dst, row * tile->dst_row + WRITE_AHEAD_BYTES));
    }
    __asm__ volatile(""); /* else a compiler sees no effect, and no need for a call */
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
    [SSOP_PATTERN_DILATE_ROWS] = EVERY_SIZE(KERNEL(dilate_rows)),                                                      \
    [SSOP_PATTERN_DILATE_VECTORS] = EVERY_SIZE(KERNEL(dilate_vectors)),                                                \
    [SSOP_PATTERN_PACK] = {NULL, NULL, KERNEL(pack_items_4), KERNEL(pack_items_8), KERNEL(pack_items_16), NULL},       \
    [SSOP_PATTERN_TRANSPOSE] = {KERNEL(transpose_1), KERNEL(transpose_2), KERNEL(transpose_4), KERNEL(transpose_8),    \
                                NULL, NULL}
/* clang-format on */
