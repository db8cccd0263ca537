/* Template. The transposing kernel of a tier and item size.
 * Include with what transpose.h wants but X, and with WIDE_X, the widest vectors, and NARROW_X, if there are others. */
#define TILE_ROWS (16 / SIZE)
#define TILE_COLUMNS (JOIN(X, lanes) * TILE_ROWS)
#define TRANSPOSE(name) SIZED(JOIN(name, X))
#define BLOCK_ROWS (BLOCK_BYTES / SIZE < MOST_BLOCK_ROWS ? BLOCK_BYTES / SIZE : MOST_BLOCK_ROWS)
#define STAGE_ROWS (STAGE_BYTES / SIZE)

#ifdef NARROW_X
#define X NARROW_X
#include "transpose.h"
#undef X
#endif

#define X WIDE_X
#include "transpose.h"

/* Row by row, from a copy of the source without gaps: where the lines of many rows or columns would compete for the same few
 * places in a cache. */
INLINE TARGET void
TRANSPOSE(transpose_staged)(char *dst, const char *src, const ssop_tile *tile)
{
    char stage[STAGE_COLUMNS * STAGE_BYTES];
    ssop_tile part = *tile;
    int64_t first = TRANSPOSE(columns_to_aligned)(dst, tile);
    part.src_column = STAGE_BYTES;
    int64_t next = STAGE_COLUMNS - TILE_COLUMNS + first;
    for (int64_t c = 0; c < tile->columns; c = next, next += STAGE_COLUMNS, first = TILE_COLUMNS) {
        part.columns = tile->columns - c < STAGE_COLUMNS ? tile->columns - c : STAGE_COLUMNS;
        if (part.columns < TILE_COLUMNS) {
            c = tile->columns - TILE_COLUMNS;
            part.columns = TILE_COLUMNS;
        }
        for (int64_t column = 0; column < part.columns; column++) {
            const char *from = src + (c + column) * tile->src_column;
            char *to = stage + column * STAGE_BYTES;
            if (tile->rows == STAGE_ROWS) {
                copy64(to, from);
                copy64(to + 64, from + 64);
                copy64(to + 128, from + 128);
                copy64(to + 192, from + 192);
            }
            else {
                memcpy(to, from, (size_t)(tile->rows * SIZE));
            }
        }
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            for (int64_t column = 0, more = first; column < part.columns; column = more, more += TILE_COLUMNS) {
                TRANSPOSE(transpose_at)(dst + c * SIZE, stage, &part, row, column);
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
INLINE TARGET void
SIZED(transpose_wide)(char *dst, const char *src, const ssop_tile *tile)
{
    ssop_tile block = *tile;
    const bool staged = must_stage(tile);
    const int64_t most = staged ? STAGE_ROWS : BLOCK_ROWS;
    for (int64_t row = 0; row < tile->rows; row += most) {
        block.rows = tile->rows - row < most ? tile->rows - row : most;
        if (block.rows < TILE_ROWS) { /* the last rows, and once more some before them */
            row = tile->rows - TILE_ROWS;
            block.rows = TILE_ROWS;
        }
        if (staged) {
            TRANSPOSE(transpose_staged)(dst + row * tile->dst_row, src + row * SIZE, &block);
        }
        else if ((tile->policy & SSOP_PREFETCH) != 0) {
            SIZED(transpose_far)(dst + row * tile->dst_row, src + row * SIZE, &block);
        }
        else {
            TRANSPOSE(transpose_block)(dst + row * tile->dst_row, src + row * SIZE, &block, false);
        }
    }
}

static TARGET void
SIZED(transpose)(char *dst, const char *src, const ssop_tile *tile)
{
    if (tile->rows >= TILE_ROWS && tile->columns >= TILE_COLUMNS) {
        SIZED(transpose_wide)(dst, src, tile);
    }
#ifdef NARROW_X
    else if (tile->rows >= TILE_ROWS && tile->columns >= TILE_ROWS) {
        SIZED(JOIN(transpose_block, NARROW_X))(dst, src, tile, (tile->policy & SSOP_PREFETCH) != 0);
    }
#endif
    else { /* a small piece */
        ssop_kernels_portable.kernel[SSOP_PATTERN_TRANSPOSE][kernel_size_column(SIZE)](dst, src, tile);
    }
    if ((tile->policy & SSOP_STREAM) != 0) {
        stream_end();
    }
}

#undef X
#undef TILE_ROWS
#undef TILE_COLUMNS
#undef TRANSPOSE
#undef BLOCK_ROWS
#undef STAGE_ROWS
