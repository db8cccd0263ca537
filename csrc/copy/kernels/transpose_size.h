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

/* Whether a row has at most so many columns. Rows of so few bytes have less than a line, which SHORT_ROW_KERNELS
 * transpose. */
#if defined(SHORT_ROW_KERNELS) && SIZE == 1
#define HAS_FEW(columns, most) false
#define ONLY_MANY_COLUMNS
#else
#define HAS_FEW(columns, most) ((columns) <= (most))
#endif

#define LINE_ITEMS (64 / SIZE)
#define BLOCK_TILES 1
#ifdef NARROW_X
#define X NARROW_X
#include "transpose.h"
#ifndef SHORT_ROW_KERNELS
#include "transpose_planes.h"
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
#include "transpose_planes.h"
#ifdef WRITES_LINES
#include "transpose_lines.h"
#endif

#define copy_to_stage TRANSPOSE(copy_to_stage)
#define prefetch_next TRANSPOSE(prefetch_next)
#define transposed_wide TRANSPOSE(transposed)
#define store_pair_wide JOIN(WIDE_X, store_apart)
#define transpose_pairs SIZED(transpose_pairs)
#define transpose_at_wide TRANSPOSE(transpose_at)
#define transpose_row_wide TRANSPOSE(transpose_row)
#define transpose_block_wide TRANSPOSE(transpose_block)
#define transpose_strips_wide TRANSPOSE(transpose_strips)
#define columns_to_aligned TRANSPOSE(columns_to_aligned)
#define columns_of_step SIZED(columns_of_step)
#define steps_at SIZED(steps_at)
#define lines_at SIZED(lines_at)
#define transpose_lines SIZED(transpose_lines)
#define transpose_block_narrow SIZED(JOIN(transpose_block, NARROW_X))
#define transpose_at_few SIZED(JOIN(transpose_at, FEW_X))
#define FEW_COLUMNS (JOIN(FEW_X, lanes) * TILE_ROWS)
#define transpose_staged SIZED(transpose_staged)
#define transpose_prefetched SIZED(transpose_prefetched)
#define transpose_narrow SIZED(transpose_narrow)
#define transpose_narrow_strips SIZED(transpose_narrow_strips)
#define transpose_in_strips SIZED(transpose_in_strips)
#define transpose_blocks SIZED(transpose_blocks)
#define transpose_prefetched_blocks SIZED(transpose_prefetched_blocks)
#define transpose_staged_blocks SIZED(transpose_staged_blocks)
#define transpose_lines_of_blocks SIZED(transpose_lines_of_blocks)
#define transpose_all_columns SIZED(transpose_all_columns)
#define transpose_side_by_side SIZED(transpose_side_by_side)
#define transpose_few SIZED(transpose_few)
#define MIDDLE_COLUMNS (JOIN(MIDDLE_X, lanes) * TILE_ROWS)
#define transpose_row_middle SIZED(JOIN(transpose_row, MIDDLE_X))
#define transpose_strips_narrow SIZED(JOIN(transpose_strips, NARROW_X))
#define transpose_small SIZED(transpose_small)
#define begin_block SIZED(begin_block)
#define transpose_collected SIZED(transpose_collected)
#define transpose_joined SIZED(transpose_joined)

/* What a step of a staged transposition is: a line of each of TILE_ROWS rows, if those are streamed, or a tile. The
 * first step has `first` columns that the next one does not write again. */
#ifdef STAGES_LINES
INLINE int64_t
columns_of_step(bool streams)
{
    return streams ? LINE_ITEMS : TILE_COLUMNS;
}

INLINE TARGET void
steps_at(char *dst, const char *src, const ssop_tile *tile, int64_t row, int64_t first, bool streams)
{
    if (!streams) {
        transpose_row_wide(dst, src, tile, row, first);
        return;
    }
    for (int64_t column = 0, next = first; column < tile->columns; column = next, next += LINE_ITEMS) {
        lines_at(dst, src, tile, row, column);
    }
}
#else
INLINE int64_t
columns_of_step(bool streams)
{
    (void)streams;
    return TILE_COLUMNS;
}

INLINE TARGET void
steps_at(char *dst, const char *src, const ssop_tile *tile, int64_t row, int64_t first, bool streams)
{
    (void)streams;
    transpose_row_wide(dst, src, tile, row, first);
}
#endif

/* Copies the source of some columns to the staging buffer, `bytes` for each. */
INLINE TARGET void
copy_to_stage(char *stage, const char *src, const ssop_tile *tile, int64_t bytes)
{
    for (int64_t column = 0; column < tile->columns; column++) {
        const char *from = src + column * tile->src_column;
        char *to = stage + column * bytes;
        if (tile->rows * SIZE == bytes) {
            copy64(to, from);
            if (SIZE > 2 || bytes > WIDE_STAGE) { /* stage_bytes gives no less for such items */
                copy64(to + 64, from + 64);
            }
            if (SIZE > 4 || bytes > MIDDLE_STAGE) {
                copy64(to + 128, from + 128);
                copy64(to + 192, from + 192);
            }
        }
        else {
            memcpy(to, from, (size_t)(tile->rows * SIZE));
        }
    }
}

/* Prefetches what is read and written next, while the rows from `row` on are transposed: the same share of the next
 * block's source as these rows are of their block, and the lines of the next TILE_ROWS rows of the destination. */
INLINE TARGET void
prefetch_next(const char *dst, const char *next_dst, const char *next_src, const ssop_tile *tile, int64_t row,
              int64_t bytes)
{
    int64_t columns = tile->columns * TILE_ROWS / tile->rows + 1, first = tile->columns * row / tile->rows;
    for (int64_t column = first; column < first + columns; column++) {
        prefetch_span(address_after(next_src, column * tile->src_column), bytes);
    }
    bool last = row + TILE_ROWS >= tile->rows;
    const char *to = last ? next_dst : address_after(dst, (row + TILE_ROWS) * tile->dst_row);
    prefetch_rows(to, tile->dst_row, TILE_ROWS, tile->columns * SIZE);
}

/* Transposes at most as many rows as the staging buffer has, TILE_ROWS at a time and each from front to back, because
 * the lines of more rows or columns would compete for the same cache sets. The source is first copied to a buffer
 * without gaps, unless it is read directly (record staged-near-columns). The next rows and columns are prefetched
 * (record staged-prefetches). */
NOINLINE TARGET void
transpose_staged(char *dst, const char *src, const ssop_tile *tile)
{
    char stage[STAGE_BYTES];
    const ssop_transposition *how = tile->table;
    const int64_t bytes = how->stage_bytes, most = how->stage_columns;
    const bool prefetches = (tile->policy & SSOP_PREFETCH_WRITE) != 0;
    const bool streams = how->streams_lines, direct = how->reads_directly;
    const int64_t step = columns_of_step(streams);
    int64_t first = columns_to_aligned(dst, tile, step), next = most - step + first;
    for (int64_t c = 0; c < tile->columns; c = next, next += most, first = step) {
        ssop_tile block = copy_tile(tile);
        block.columns = tile->columns - c < most ? tile->columns - c : most;
        if (TILE_COLUMNS > 1 && block.columns < step) {
            c = tile->columns - step;
            block.columns = step;
        }
        bool last = next >= tile->columns; /* then the next block begins at the next rows */
        const char *next_src = address_after(src, last ? bytes : next * tile->src_column);
        const char *next_dst = address_after(dst, last ? bytes / SIZE * tile->dst_row : next * SIZE);
        ssop_tile staged = copy_tile(&block);
        const char *from = src + c * tile->src_column;
        if (!direct) {
            copy_to_stage(stage, from, &block, bytes);
            staged.src_column = bytes;
            from = stage;
        }
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            if (prefetches) {
                prefetch_next(dst + c * SIZE, next_dst, next_src, &block, row, bytes);
            }
            steps_at(dst + c * SIZE, from, &staged, row, first, streams);
        }
    }
}

/* Prefetches the source, whatever the policy. */
NOINLINE TARGET void
transpose_prefetched(char *dst, const char *src, const ssop_tile *tile, const char *next_src)
{
    transpose_block_wide(dst, src, tile, true, next_src);
}

/* Begins a block of at most `most` rows at `row`. If it would have fewer than TILE_ROWS, it repeats some of the rows
 * before; returns where it begins. */
INLINE TARGET int64_t
begin_block(ssop_tile *block, const ssop_tile *tile, int64_t row, int64_t most)
{
    block->rows = tile->rows - row < most ? tile->rows - row : most;
    if (TILE_ROWS > 1 && block->rows < TILE_ROWS) {
        row = tile->rows - TILE_ROWS;
        block->rows = TILE_ROWS;
    }
    return row;
}

/* Goes in blocks of rows that share source lines. In `copy`, `to` and `from` are where a block begins, and `next_src`
 * is what is read after it. */
#define EACH_BLOCK_OF_ROWS(copy)                                                                                       \
    const int64_t most = ((const ssop_transposition *)tile->table)->block_rows;                                        \
    ssop_tile block = copy_tile(tile);                                                                                 \
    for (int64_t row = 0; row < tile->rows; row += most) {                                                             \
        row = begin_block(&block, tile, row, most);                                                                    \
        char *const to = dst + row * tile->dst_row;                                                                    \
        const char *const from = src + row * SIZE;                                                                     \
        const char *const next_src = row + most < tile->rows ? src + (row + most) * SIZE : tile->next_src;             \
        copy;                                                                                                          \
    }

static TARGET void
transpose_staged_blocks(char *dst, const char *src, const ssop_tile *tile)
{
    EACH_BLOCK_OF_ROWS((void)next_src; transpose_staged(to, from, &block))
}

#ifdef WRITES_LINES
static TARGET void
transpose_lines_of_blocks(char *dst, const char *src, const ssop_tile *tile)
{
    EACH_BLOCK_OF_ROWS(transpose_lines(to, from, &block, next_src))
}
#endif

static TARGET void
transpose_prefetched_blocks(char *dst, const char *src, const ssop_tile *tile)
{
    EACH_BLOCK_OF_ROWS(transpose_prefetched(to, from, &block, next_src))
}

static TARGET void
transpose_blocks(char *dst, const char *src, const ssop_tile *tile)
{
    EACH_BLOCK_OF_ROWS((void)next_src; transpose_block_wide(to, from, &block, false, NULL))
}

#undef EACH_BLOCK_OF_ROWS

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

#include "transpose_side_by_side.h"

#ifdef HAS_STREAM
#include "transpose_collected.h"
#endif

#if STEPS > 0 /* matrices have no items of 16 bytes */
#include "transpose_matrix.h"
#endif

/* Bytes of small planes suit vectors of 32 bytes where there are longer ones (record middle-vectors). */
static TARGET void
transpose_small(char *dst, const char *src, const ssop_tile *tile)
{
    for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
#if defined(MIDDLE_X) && SIZE == 1
        transpose_row_middle(dst, src, tile, row, MIDDLE_COLUMNS);
#else
        transpose_row_wide(dst, src, tile, row, TILE_COLUMNS);
#endif
    }
}

#undef HAS_FEW
#undef ONLY_MANY_COLUMNS
#undef LINE_ITEMS
#undef BLOCK_TILES
#undef FEW_X
#undef X
#undef TILE_ROWS
#undef TILE_COLUMNS
#undef TRANSPOSE
#undef copy_to_stage
#undef prefetch_next
#undef transposed_wide
#undef store_pair_wide
#undef transpose_pairs
#undef transpose_at_wide
#undef transpose_row_wide
#undef transpose_block_wide
#undef transpose_strips_wide
#undef columns_to_aligned
#undef columns_of_step
#undef steps_at
#undef STAGES_LINES
#undef lines_at
#undef transpose_lines
#undef WRITES_LINES
#undef transpose_staged
#undef transpose_prefetched
#undef transpose_narrow
#undef transpose_narrow_strips
#undef transpose_in_strips
#undef transpose_blocks
#undef transpose_prefetched_blocks
#undef transpose_staged_blocks
#undef transpose_lines_of_blocks
#undef transpose_all_columns
#undef transpose_side_by_side
#undef transpose_few
#undef MIDDLE_COLUMNS
#undef transpose_row_middle
#undef transpose_strips_narrow
#undef transpose_small
#undef begin_block
#undef transpose_collected
#undef transpose_joined
#undef transpose_block_narrow
#undef transpose_at_few
#undef FEW_COLUMNS
