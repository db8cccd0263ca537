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

/* With items of 16 bytes, a tile of less than a line is one row of one or two items, for which the prefetches of strips
 * take longer than the copy (record strip-prefetches). */
#if SIZE < 16 || defined(VECTOR_IS_LINE)
#define HAS_STRIPS true
#else
#define HAS_STRIPS false
#endif

/* Whether a row has at most so many columns. Rows of so few bytes have less than a line, which SHORT_ROW_KERNELS
 * transpose. */
#if defined(SHORT_ROW_KERNELS) && SIZE == 1
#define HAS_FEW(columns, most) false
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
#define streams_lines SIZED(streams_lines)
#define columns_of_step SIZED(columns_of_step)
#define steps_at SIZED(steps_at)
#define lines_at SIZED(lines_at)
#define transpose_lines SIZED(transpose_lines)
#define transpose_block_narrow SIZED(JOIN(transpose_block, NARROW_X))
#define transpose_at_few SIZED(JOIN(transpose_at, FEW_X))
#define FEW_COLUMNS (JOIN(FEW_X, lanes) * TILE_ROWS)
#define transpose_staged SIZED(transpose_staged)
#define transpose_prefetched SIZED(transpose_prefetched)
#define transpose_wide SIZED(transpose_wide)
#define transpose_narrow SIZED(transpose_narrow)
#define suits_side_by_side SIZED(suits_side_by_side)
#define is_small_block SIZED(is_small_block)
#define transpose_side_by_side SIZED(transpose_side_by_side)
#define transpose_for_collector SIZED(transpose_for_collector)
#define try_side_by_side SIZED(try_side_by_side)
#define MIDDLE_COLUMNS (JOIN(MIDDLE_X, lanes) * TILE_ROWS)
#define transpose_row_middle SIZED(JOIN(transpose_row, MIDDLE_X))
#define transpose_small_middle SIZED(transpose_small_middle)
#define transpose_strips_narrow SIZED(JOIN(transpose_strips, NARROW_X))
#define suits_middle SIZED(suits_middle)
#define has_short_rows SIZED(has_short_rows)
#define transpose_kernel SIZED(transpose)
#define is_small_plane SIZED(is_small_plane)
#define transpose_small SIZED(transpose_small)
#define begin_block SIZED(begin_block)
#define transpose_collected SIZED(transpose_collected)
#define must_collect SIZED(must_collect)
#define transpose_joined SIZED(transpose_joined)
#define must_join SIZED(must_join)
#define prefetch_span KERNEL(prefetch_span)
#define prefetch_rows KERNEL(prefetch_rows)

/* True if whole lines get non-temporal stores at their places. The parts of lines at the ends of a row get regular
 * stores, with the tiles that are moved back to end there, and the last line with non-temporal stores is then read from
 * memory again: see has_lines. */
INLINE TARGET bool
streams_lines(const char *dst, const ssop_tile *tile)
{
#ifdef WRITES_LINES
    const bool wanted = (tile->policy & SSOP_STREAM) != 0, pitch = tile->dst_row % 64 == 0,
               lines = has_lines(dst, tile);
    return wanted & pitch & lines & ((uintptr_t)dst % SIZE == 0); /* else no item begins at an aligned address */
#else
    (void)dst, (void)tile;
    return false;
#endif
}

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
 * without gaps, unless reads_directly (record staged-near-columns). The next rows and columns are prefetched
 * (record staged-prefetches). */
NOINLINE TARGET void
transpose_staged(char *dst, const char *src, const ssop_tile *tile)
{
    char stage[STAGE_BYTES];
    const int64_t bytes = stage_bytes(tile, SIZE), most = stage_columns(tile, SIZE);
    const bool prefetches = (tile->policy & SSOP_PREFETCH_WRITE) != 0;
    const bool streams = streams_lines(dst, tile);
    const int64_t step = columns_of_step(streams);
    const bool direct = reads_directly(tile, SIZE);
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

/* Goes in blocks of rows that share source lines: so few rows that the lines of the columns of a tile stay in the L1
 * cache. */
NOINLINE TARGET void
transpose_wide(char *dst, const char *src, const ssop_tile *tile)
{
    if (HAS_STRIPS && (tile->policy & SSOP_STRIPS) != 0 && !(SIZE == 1 && strips_collide(tile))) {
        transpose_strips_wide(dst, src, tile);
        return;
    }
    ssop_tile block = copy_tile(tile);
    const bool streams = streams_lines(dst, tile), prefetches = (tile->policy & PREFETCH_POLICIES) != 0;
    const bool staged = must_stage(tile, SIZE) & !(streams & (SIZE >= MIN_UNSTAGED_ITEM));
    const int64_t most = staged ? stage_bytes(tile, SIZE) / SIZE : transpose_block_rows(tile->policies, SIZE);
    for (int64_t row = 0; row < tile->rows; row += most) {
        row = begin_block(&block, tile, row, most);
        const char *const next_src = row + most < tile->rows ? src + (row + most) * SIZE : tile->next_src;
        if (staged) {
            transpose_staged(dst + row * tile->dst_row, src + row * SIZE, &block);
        }
#ifdef WRITES_LINES
        else if (streams) {
            transpose_lines(dst + row * tile->dst_row, src + row * SIZE, &block, next_src);
        }
#endif
        else if (prefetches) {
            transpose_prefetched(dst + row * tile->dst_row, src + row * SIZE, &block, next_src);
        }
        else {
            transpose_block_wide(dst + row * tile->dst_row, src + row * SIZE, &block, false, NULL);
        }
    }
}

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

NOINLINE TARGET void
transpose_narrow(char *dst, const char *src, const ssop_tile *tile)
{
#ifdef HAS_PAIRS
    if ((tile->policy & (SSOP_STRIPS | PREFETCH_POLICIES)) == 0 && tile->columns > FEW_COLUMNS) {
        transpose_pairs(dst, src, tile);
        return;
    }
#endif
    if ((tile->policy & SSOP_STRIPS) != 0) {
        transpose_strips_narrow(dst, src, tile);
        return;
    }
    transpose_block_narrow(dst, src, tile, (tile->policy & PREFETCH_POLICIES) != 0, tile->next_src);
}
#endif

#include "transpose_side_by_side.h"

#ifdef HAS_STREAM
#include "transpose_collected.h"
#endif

#if STEPS > 0 /* matrices have no items of 16 bytes */
#include "transpose_matrix.h"
#endif

#if defined(MIDDLE_X) && SIZE == 1
/* True if vectors of 32 bytes are best, for bytes in the L1 cache (record middle-vectors). */
INLINE bool
suits_middle(const ssop_tile *tile)
{
    enum { MAX_SMALL_PLANE = 16 * 1024 };
    const bool cached = (tile->policy & (SSOP_STRIPS | MEMORY_POLICIES)) == 0;
    return cached & (tile->rows * tile->columns <= MAX_SMALL_PLANE);
}

NOINLINE TARGET void
transpose_small_middle(char *dst, const char *src, const ssop_tile *tile)
{
    for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
        transpose_row_middle(dst, src, tile, row, MIDDLE_COLUMNS);
    }
}
#endif

#if !(defined(MIDDLE_X) && SIZE == 1)
/* True if the source of a plane fits the L1 cache and the sets of its lines, and there are few rows: then it is written
 * from front to back, without what only larger planes need (record small-matrices). */
INLINE bool
is_small_plane(const ssop_tile *tile)
{
    enum { MAX_ROW_BYTES = 192, MAX_BYTES = 16 * 1024 };
    return tile->policy == 0 && tile->rows <= MAX_ROW_BYTES / SIZE && tile->rows * tile->columns <= MAX_BYTES / SIZE &&
           offset_unit(tile->src_column) * tile->columns <= MAX_BYTES;
}

NOINLINE TARGET void
transpose_small(char *dst, const char *src, const ssop_tile *tile)
{
    for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
        transpose_row_wide(dst, src, tile, row, TILE_COLUMNS);
    }
}
#endif

/* True if rows have less than a line. Kernels for vectors of 32 bytes have means of their own for those in the caches
 * (transpose_pairs, transpose_small, and staging where columns collide), and keep the addresses of columns in general
 * registers (record transposed-short-rows). Rows of a line and more fill wide vectors, in which processors differ.
 *
 * From memory such rows are neither staged nor transposed in blocks of rows (record short-rows-from-memory). */
INLINE bool
has_short_rows(const ssop_tile *tile)
{
    enum { LINE_BYTES = 64 };
    return tile->columns * SIZE < LINE_BYTES;
}

/* Calls other functions, so that small planes do not save the registers that large ones need. There are at least
 * TILE_ROWS rows and as many columns: classify.c chooses this pattern only if both have 16 bytes, and cut.c makes no
 * shorter blocks. */
static TARGET void
transpose_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    SSOP_ASSERT(tile->rows >= TILE_ROWS && tile->columns >= TILE_ROWS);
#ifdef SHORT_ROW_KERNELS
    if (has_short_rows(tile) || (SIZE == 4 && only_many_columns_collide(tile, SIZE))) {
        SHORT_ROW_KERNELS.kernel[SSOP_PATTERN_TRANSPOSE][kernel_size_column(SIZE)](dst, src, tile);
        return;
    }
#endif
#if defined(HAS_STREAM) &&                                                                                             \
    STEPS > 0 /* items of 16 bytes are copied as well without: see writes_transposed_lines in classify.c */
    if (must_join(dst, tile)) {
        transpose_joined(dst, src, tile);
        return;
    }
#endif
    if (try_side_by_side(dst, src, tile)) {
        return;
    }
#if defined(MIDDLE_X) && SIZE == 1
    if (suits_middle(tile)) {
        transpose_small_middle(dst, src, tile);
        return;
    }
#endif
#ifndef SHORT_ROW_KERNELS
#ifdef NARROW_X
    if (tile->columns < TILE_COLUMNS) {
        transpose_narrow(dst, src, tile);
        return;
    }
#endif
    if ((tile->policy & PREFETCH_POLICIES) != 0 && has_short_rows(tile)) {
        transpose_prefetched(dst, src, tile, tile->next_src);
        return;
    }
#endif
#if !(defined(MIDDLE_X) && SIZE == 1) /* those suit vectors of 32 bytes */
    if (is_small_plane(tile)) {
        transpose_small(dst, src, tile);
        return;
    }
#endif
#ifdef HAS_STREAM
    if (must_collect(dst, tile)) {
        transpose_collected(dst, src, tile);
        return;
    }
#endif
    transpose_wide(dst, src, tile);
}

#undef HAS_STRIPS
#undef HAS_FEW
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
#undef streams_lines
#undef columns_of_step
#undef steps_at
#undef STAGES_LINES
#undef lines_at
#undef transpose_lines
#undef WRITES_LINES
#undef transpose_staged
#undef transpose_prefetched
#undef transpose_wide
#undef transpose_narrow
#undef suits_side_by_side
#undef is_small_block
#undef transpose_side_by_side
#undef transpose_for_collector
#undef try_side_by_side
#undef MIDDLE_COLUMNS
#undef transpose_row_middle
#undef transpose_small_middle
#undef transpose_strips_narrow
#undef suits_middle
#undef has_short_rows
#undef transpose_kernel
#undef is_small_plane
#undef transpose_small
#undef begin_block
#undef transpose_collected
#undef must_collect
#undef transpose_joined
#undef must_join
#undef prefetch_span
#undef prefetch_rows
#undef transpose_block_narrow
#undef transpose_at_few
#undef FEW_COLUMNS
