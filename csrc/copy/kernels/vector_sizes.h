/* Template: what a CPU target with vectors has for each item size. Include once per CPU target, after the templates of
 * the other kernels, with TARGET, pack_4, pack_8 and pack_16, and what transpose_size.h needs. */
#include "prefetch_tiles.h"
#include "short_axes_table.h"
#include "transposition.h"

/* How a tile is transposed to a buffer, which is in the caches. */
static const ssop_transposition in_buffer = {0};

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

/* Rows have at least two items of 16 bytes, so no tile is as narrow as one lane. */
#ifdef MIDDLE_X
#undef MIDDLE_X
#undef NARROW_X
#define NARROW_X x2
#else
#undef NARROW_X
#endif
#define SIZE 16
#define STEPS 0
#include "transpose_size.h"
#include "pack.h"
#undef SIZE
#undef STEPS

/* The variants that every CPU target with vectors has in its table, and those that only some of them have. */
/* clang-format off */
#define OF_SIZES(name) {name##_1, name##_2, name##_4, name##_8, name##_16, NULL}
#define UP_TO_8(name) {name##_1, name##_2, name##_4, name##_8, NULL, NULL}

#ifdef HAS_STREAM
#define STREAMED_VARIANTS                                                                                              \
    [SSOP_VARIANT_TRANSPOSE_LINES] = LINES_OF_SIZES,                                                                   \
    [SSOP_VARIANT_TRANSPOSE_COLLECTED] = OF_SIZES(transpose_collected),                                                \
    [SSOP_VARIANT_TRANSPOSE_JOINED] = UP_TO_8(transpose_joined),
#else
#define STREAMED_VARIANTS
#endif

#ifdef VECTOR_IS_LINE
#define LINES_OF_SIZES OF_SIZES(transpose_lines_of_blocks)
#define STRIPS_OF_SIZES OF_SIZES(transpose_in_strips)
#else
#define LINES_OF_SIZES                                                                                                 \
    {NULL, transpose_lines_of_blocks_2, transpose_lines_of_blocks_4,                                                   \
     transpose_lines_of_blocks_8, transpose_lines_of_blocks_16, NULL}
#define STRIPS_OF_SIZES UP_TO_8(transpose_in_strips)
#endif

#if defined(HAS_STREAM) && !defined(SHORT_ROW_KERNELS)
#define AHEAD_VARIANTS                                                                                                 \
    [SSOP_VARIANT_TRANSPOSE_NARROW_AHEAD] = {transpose_narrow_ahead_1, transpose_narrow_ahead_2,                       \
                                             NULL, NULL, NULL, NULL},
#else
#define AHEAD_VARIANTS
#endif

#ifdef HAS_PAIRS
#define NARROW_VARIANTS                                                                                                \
    [SSOP_VARIANT_TRANSPOSE_PAIRS] = UP_TO_8(transpose_pairs),                                                         \
    [SSOP_VARIANT_TRANSPOSE_NARROW] = UP_TO_8(transpose_narrow),                                                       \
    [SSOP_VARIANT_TRANSPOSE_NARROW_STRIPS] = UP_TO_8(transpose_narrow_strips),
#else
#define NARROW_VARIANTS
#endif

#define VECTOR_VARIANTS                                                                                                \
    STREAMED_VARIANTS AHEAD_VARIANTS NARROW_VARIANTS                                                                   \
    [SSOP_VARIANT_ROWS] = EVERY_SIZE(rows_kernel),                                                                     \
    [SSOP_VARIANT_SHUFFLE] = EVERY_SIZE(shuffle_kernel),                                                               \
    [SSOP_VARIANT_SHORT_AXES] = EVERY_SIZE(short_axes_kernel),                                                         \
    [SSOP_VARIANT_INTERLEAVE] = EVERY_SIZE(interleave_kernel),                                                         \
    [SSOP_VARIANT_DEINTERLEAVE] = EVERY_SIZE(deinterleave_kernel),                                                     \
    [SSOP_VARIANT_REPEAT] = EVERY_SIZE(repeat_kernel),                                                                 \
    [SSOP_VARIANT_DILATE_ROWS] = EVERY_SIZE(dilate_rows_kernel),                                                       \
    [SSOP_VARIANT_DILATE_VECTORS] = EVERY_SIZE(dilate_vectors_kernel),                                                 \
    [SSOP_VARIANT_DILATE_BLOCKS] = EVERY_SIZE(dilate_blocks_kernel),                                                   \
    [SSOP_VARIANT_PACK] = {NULL, NULL, pack_items_4, pack_items_8, pack_items_16, NULL},                               \
    [SSOP_VARIANT_PACK_STREAMED] = {NULL, NULL, pack_streamed_4, pack_streamed_8, pack_streamed_16, NULL},             \
    [SSOP_VARIANT_TRANSPOSE_SMALL] = OF_SIZES(transpose_small),                                                        \
    [SSOP_VARIANT_TRANSPOSE_STRIPS] = STRIPS_OF_SIZES,                                                                 \
    [SSOP_VARIANT_TRANSPOSE_BLOCKS] = OF_SIZES(transpose_blocks),                                                      \
    [SSOP_VARIANT_TRANSPOSE_PREFETCHED] = OF_SIZES(transpose_prefetched_blocks),                                       \
    [SSOP_VARIANT_TRANSPOSE_STAGED] = OF_SIZES(transpose_staged_blocks)
/* clang-format on */

#include "short_axes.h"
