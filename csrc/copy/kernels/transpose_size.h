/* Template: the transposing kernel of a CPU target and item size.
 * Include after rows.h and with what transpose.h needs except X, with WIDE_X, the widest type of vector, and, if there
 * are these: NARROW_X, a narrower one for rows of few columns, and MIDDLE_X, one between the two; HAS_STREAM, if
 * stream_long writes by non-temporal stores; VECTOR_IS_LINE, if WIDE_X has 64 bytes, so that its non-temporal stores
 * write whole lines; SHORT_ROW_KERNELS, a kernel_table for shorter vectors, whose kernel transposes rows of less than a
 * line and columns of which it needs fewer at a time. */
#define TILE_ROWS (16 / SIZE)
#define TILE_COLUMNS (JOIN(X, lanes) * TILE_ROWS)
#define TRANSPOSE(name) SIZED(JOIN(name, X))

#if defined(HAS_STREAM) && (defined(VECTOR_IS_LINE) || SIZE >= MIN_LINE_ITEM)
#define WRITES_LINES
#endif
#if defined(WRITES_LINES) && SIZE < MIN_UNSTAGED_ITEM
#define STAGES_LINES
#endif

#define LINE_ITEMS (64 / SIZE)
#define BLOCK_TILES 1
#ifdef NARROW_X
#define X NARROW_X
#include "transpose.h"
#ifndef SHORT_ROW_KERNELS
#include "transpose_tiles.h"
#endif
#undef X
#define FEW_X NARROW_X
#else
#define FEW_X WIDE_X
#endif

#ifdef MIDDLE_X
#define X MIDDLE_X
#include "transpose.h"
#undef X
#endif

#undef BLOCK_TILES
#define BLOCK_TILES (LINE_ITEMS / TILE_COLUMNS)
#define X WIDE_X
#include "transpose.h"
#include "transpose_tiles.h"
#ifdef WRITES_LINES
#include "transpose_lines.h"
#endif

#define transposed_wide TRANSPOSE(transposed)
#define store_pair_wide JOIN(WIDE_X, store_apart)
#define transpose_pairs SIZED(transpose_pairs)
#define transpose_row_wide TRANSPOSE(transpose_row)
#define transpose_block_wide TRANSPOSE(transpose_block)
#define transpose_strips_wide TRANSPOSE(transpose_strips)
#define columns_to_aligned TRANSPOSE(columns_to_aligned)
#define lines_at SIZED(lines_at)
#define transpose_lines SIZED(transpose_lines)
#define transpose_block_narrow SIZED(JOIN(transpose_block, NARROW_X))
#define FEW_COLUMNS (JOIN(FEW_X, lanes) * TILE_ROWS)
#define transpose_staged SIZED(transpose_staged)
#define transpose_prefetched SIZED(transpose_prefetched)
#define transpose_narrow SIZED(transpose_narrow)
#define transpose_narrow_strips SIZED(transpose_narrow_strips)
#define transpose_in_strips SIZED(transpose_in_strips)
#define MIDDLE_COLUMNS (JOIN(MIDDLE_X, lanes) * TILE_ROWS)
#define transpose_strips_narrow SIZED(JOIN(transpose_strips, NARROW_X))
#define transpose_small SIZED(transpose_small)
#define begin_block SIZED(begin_block)
#define transpose_collected SIZED(transpose_collected)
#define transpose_joined SIZED(transpose_joined)

#include "transpose_staged.h"

#include "transpose_blocks.h"

#if SIZE < 16 || defined(VECTOR_IS_LINE) /* else prefetches take longer (record strip-prefetches) */
static TARGET void
transpose_in_strips(char *dst, const char *src, const ssop_tile *tile)
{
    transpose_strips_wide(dst, src, tile);
}
#endif

#if defined(NARROW_X) && !defined(SHORT_ROW_KERNELS)
#ifdef HAS_PAIRS
/* Rows of more columns than a narrow tile has, and of fewer than a wide one: the two lanes of a wide tile are the first
 * and the last columns of a row, which both may write some of. */
NOINLINE TARGET void
transpose_pairs(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t apart = tile->columns - FEW_COLUMNS, last = tile->rows - TILE_ROWS;
    const int64_t dst_row = tile->dst_row, pitch = tile->src_column;
    WIDE_X v[2][TILE_ROWS];
    for (int64_t row = 0; row < last + TILE_ROWS; row += TILE_ROWS) {
        const int64_t at = row < last ? row : last;
        const WIDE_X *made = transposed_wide(v, src + at * SIZE, pitch, apart * pitch);
        char *to = dst + at * dst_row;
        UNROLL
        for (int k = 0; k < TILE_ROWS; k++) {
            store_pair_wide(to, made[k], apart * SIZE, false);
            STEP_POINTER(to, dst_row);
        }
    }
}
#endif

static TARGET void
transpose_narrow(char *dst, const char *src, const ssop_tile *tile)
{
    transpose_block_narrow(dst, src, tile, (tile->policy & PREFETCH_POLICIES) != 0, tile->next_src);
}

static TARGET void
transpose_narrow_strips(char *dst, const char *src, const ssop_tile *tile)
{
    transpose_strips_narrow(dst, src, tile);
}
#endif

#include "transpose_small.h"

#ifdef HAS_STREAM
#include "transpose_collected.h"
#endif

#if STEPS > 0 /* matrices have no items of 16 bytes */
#include "transpose_matrix.h"
#endif

#undef LINE_ITEMS
#undef BLOCK_TILES
#undef FEW_X
#undef X
#undef TILE_ROWS
#undef TILE_COLUMNS
#undef TRANSPOSE
#undef transposed_wide
#undef store_pair_wide
#undef transpose_pairs
#undef transpose_row_wide
#undef transpose_block_wide
#undef transpose_strips_wide
#undef columns_to_aligned
#undef STAGES_LINES
#undef lines_at
#undef transpose_lines
#undef WRITES_LINES
#undef transpose_staged
#undef transpose_prefetched
#undef transpose_narrow
#undef transpose_narrow_strips
#undef transpose_in_strips
#undef MIDDLE_COLUMNS
#undef transpose_strips_narrow
#undef transpose_small
#undef begin_block
#undef transpose_collected
#undef transpose_joined
#undef transpose_block_narrow
#undef FEW_COLUMNS
