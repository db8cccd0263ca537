/* Template. The transposing kernel of a tier and item size.
 * Include with what transpose.h wants but X, and with WIDE_X, the widest vectors, and NARROW_X, if there are others. */
#define TILE_ROWS (16 / SIZE)
#define TILE_COLUMNS (JOIN(X, lanes) * TILE_ROWS)
#define TRANSPOSE(name) SIZED(JOIN(name, X))
#define BLOCK_ROWS (BLOCK_BYTES / SIZE < MAX_BLOCK_ROWS ? BLOCK_BYTES / SIZE : MAX_BLOCK_ROWS)
#define STAGE_ROWS (STAGE_BYTES / SIZE)

#ifdef NARROW_X
#define X NARROW_X
#include "transpose.h"
#undef X
#endif

#define X WIDE_X
#include "transpose.h"

/* Copies the source of some columns to the stage. */
INLINE TARGET void
TRANSPOSE(fill_stage)(char *stage, const char *src, const ssop_tile *tile)
{
    for (int64_t column = 0; column < tile->columns; column++) {
        const char *from = src + column * tile->src_column;
        char *to = stage + column * STAGE_BYTES;
        if (tile->rows == STAGE_ROWS) {
            UNROLL
            for (int at = 0; at < STAGE_BYTES; at += 64) {
                copy64(to + at, from + at);
            }
        }
        else {
            memcpy(to, from, (size_t)(tile->rows * SIZE));
        }
    }
}

/* Prefetches what a block reads and writes next, while its rows from `row` on are transposed: as large a part of the next
 * block's source as these are of the rows, and the lines of the next TILE_ROWS rows. */
INLINE TARGET void
TRANSPOSE(prefetch_next)(const char *dst, const char *next_dst, const char *next_src, const ssop_tile *tile,
                         int64_t row)
{
    int64_t columns = tile->columns * TILE_ROWS / tile->rows + 1, first = tile->columns * row / tile->rows;
    for (int64_t column = first; column < first + columns; column++) {
        KERNEL(prefetch_span)(address_after(next_src, column * tile->src_column), STAGE_BYTES);
    }
    bool last = row + TILE_ROWS >= tile->rows;
    const char *to = last ? next_dst : address_after(dst, (row + TILE_ROWS) * tile->dst_row);
    KERNEL(prefetch_rows)(to, tile->dst_row, TILE_ROWS, tile->columns * SIZE);
}

/* At most STAGE_ROWS rows, TILE_ROWS at a time and each front to back: where the lines of many rows or columns would compete
 * for the same few places in a cache. From a copy of the source without gaps, unless its columns are near each other as they
 * are: f4 of (64, 256, 256, 12) permuted by (0, 3, 1, 2) 2.5 GB/s with copies and 5.9 without (Cascade Lake, the kernel
 * alone). Prefetching made planes of f4 of 1024 x 1024 3.4 times as fast (2.1 and 7.1 GB/s; a prototype, alone on a core). */
NOINLINE TARGET void
SIZED(transpose_staged)(char *dst, const char *src, const ssop_tile *tile)
{
    char stage[STAGE_COLUMNS * STAGE_BYTES];
    const bool far = (tile->policy & SSOP_PREFETCH_WRITE) != 0;
    const bool direct = (int64_t)magnitude(tile->src_column) <= DIRECT_BYTES;
    int64_t first = TRANSPOSE(columns_to_aligned)(dst, tile), next = STAGE_COLUMNS - TILE_COLUMNS + first;
    for (int64_t c = 0; c < tile->columns; c = next, next += STAGE_COLUMNS, first = TILE_COLUMNS) {
        ssop_tile block = *tile;
        block.columns = tile->columns - c < STAGE_COLUMNS ? tile->columns - c : STAGE_COLUMNS;
        if (block.columns < TILE_COLUMNS) {
            c = tile->columns - TILE_COLUMNS;
            block.columns = TILE_COLUMNS;
        }
        bool last = next >= tile->columns; /* then the next block is that of the next rows */
        const char *next_src = address_after(src, last ? STAGE_BYTES : next * tile->src_column);
        const char *next_dst = address_after(dst, last ? STAGE_ROWS * tile->dst_row : next * SIZE);
        ssop_tile staged = block;
        const char *from = src + c * tile->src_column;
        if (!direct) {
            TRANSPOSE(fill_stage)(stage, from, &block);
            staged.src_column = STAGE_BYTES;
            from = stage;
        }
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            if (far) {
                TRANSPOSE(prefetch_next)(dst + c * SIZE, next_dst, next_src, &block, row);
            }
            for (int64_t column = 0, more = first; column < block.columns; column = more, more += TILE_COLUMNS) {
                TRANSPOSE(transpose_at)(dst + c * SIZE, from, &staged, row, column);
            }
        }
    }
}

NOINLINE TARGET void
SIZED(transpose_far)(char *dst, const char *src, const ssop_tile *tile)
{
    TRANSPOSE(transpose_block)(dst, src, tile, true);
}

/* In blocks of rows that share source lines: few enough for the lines of a tile's columns to stay in the first cache. */
NOINLINE TARGET void
SIZED(transpose_wide)(char *dst, const char *src, const ssop_tile *tile)
{
    ssop_tile block = *tile;
    const bool staged = must_stage(tile), far = (tile->policy & FAR_POLICY) != 0;
    const int64_t most = staged ? STAGE_ROWS : BLOCK_ROWS;
    for (int64_t row = 0; row < tile->rows; row += most) {
        block.rows = tile->rows - row < most ? tile->rows - row : most;
        if (block.rows < TILE_ROWS) { /* the last rows, and once more some before them */
            row = tile->rows - TILE_ROWS;
            block.rows = TILE_ROWS;
        }
        if (staged) {
            SIZED(transpose_staged)(dst + row * tile->dst_row, src + row * SIZE, &block);
        }
        else if (far) {
            SIZED(transpose_far)(dst + row * tile->dst_row, src + row * SIZE, &block);
        }
        else {
            TRANSPOSE(transpose_block)(dst + row * tile->dst_row, src + row * SIZE, &block, false);
        }
    }
}

#ifdef NARROW_X
#define FEW_X NARROW_X

NOINLINE TARGET void
SIZED(transpose_narrow)(char *dst, const char *src, const ssop_tile *tile)
{
    SIZED(JOIN(transpose_block, NARROW_X))(dst, src, tile, (tile->policy & FAR_POLICY) != 0);
}
#else
#define FEW_X WIDE_X
#endif

INLINE bool
SIZED(has_few)(const ssop_tile *tile)
{
    return (tile->policy & FAR_POLICY) != 0 && tile->columns <= MAX_FEW_COLUMNS &&
           (int64_t)magnitude(tile->dst_row) <= MAX_FEW_COLUMNS * SIZE;
}

/* All columns for TILE_ROWS rows, then for the next rows. */
NOINLINE TARGET void
SIZED(transpose_few)(char *dst, const char *src, const ssop_tile *tile)
{
    for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
        for (int64_t column = 0; column < tile->columns; column += JOIN(FEW_X, lanes) * TILE_ROWS) {
            SIZED(JOIN(transpose_at, FEW_X))(dst, src, tile, row, column);
        }
    }
}

/* Calls others, so that small planes do not pay for the registers that large ones need. There are at least TILE_ROWS rows and
 * as many columns: classify.c asks for 16 bytes of both, and cut.c makes no shorter blocks. */
static TARGET void
SIZED(transpose)(char *dst, const char *src, const ssop_tile *tile)
{
    SSOP_ASSERT(tile->rows >= TILE_ROWS && tile->columns >= TILE_ROWS);
    if (SIZED(has_few)(tile)) {
        SIZED(transpose_few)(dst, src, tile);
        return;
    }
#ifdef NARROW_X
    if (tile->columns < TILE_COLUMNS) {
        SIZED(transpose_narrow)(dst, src, tile);
        return;
    }
#endif
    SIZED(transpose_wide)(dst, src, tile);
#ifdef WHOLE_LINES
    if ((tile->policy & SSOP_STREAM) != 0) {
        stream_end();
    }
#endif
}

#undef FEW_X
#undef X
#undef TILE_ROWS
#undef TILE_COLUMNS
#undef TRANSPOSE
#undef BLOCK_ROWS
#undef STAGE_ROWS
