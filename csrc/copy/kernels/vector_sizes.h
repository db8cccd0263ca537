/* Template. What a tier with vectors has for each item size. Include once per tier, with TIER, TARGET, WIDE_X and
 * NARROW_X, pack_4 and pack_8. */

/* Of the transposing kernels: source bytes of the rows that are taken together, and columns that a stage holds. */
enum { BLOCK_BYTES = 256, STAGE_COLUMNS = 64 };

/* True if lines that are wanted together have the same few places in a cache. */
INLINE bool
must_stage(const ssop_tile *tile)
{
    enum { PITCH_BYTES = 1024, LEAST_ITEMS = 16384 };
    bool collide = tile->src_column % PITCH_BYTES == 0 || tile->dst_row % PITCH_BYTES == 0;
    return collide && tile->rows * tile->columns >= LEAST_ITEMS;
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
    [SSOP_PATTERN_EXPAND] = EVERY_SIZE(KERNEL(expand_vectors)),                                                        \
    [SSOP_PATTERN_PACK] = {NULL, NULL, KERNEL(pack_items_4), KERNEL(pack_items_8), KERNEL(pack_items_16), NULL},       \
    [SSOP_PATTERN_TRANSPOSE] = {KERNEL(transpose_1), KERNEL(transpose_2), KERNEL(transpose_4), KERNEL(transpose_8),    \
                                NULL, NULL}
/* clang-format on */
