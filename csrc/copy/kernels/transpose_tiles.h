/* Template: transposition of matrices, tile by tile, along the columns or in strips along the rows. Include from
 * transpose_size.h after transpose.h, with what that needs, BLOCK_TILES (the most tiles that are transposed side by
 * side), and prefetch_write. */
#define transpose_tile TRANSPOSE(transpose_tile)
#define transpose_at TRANSPOSE(transpose_at)
#define columns_to_aligned TRANSPOSE(columns_to_aligned)
#define transpose_tiles TRANSPOSE(transpose_tiles)
#define transpose_all_rows TRANSPOSE(transpose_all_rows)
#define transpose_columns TRANSPOSE(transpose_columns)
#define transpose_block TRANSPOSE(transpose_block)
#define transpose_strips TRANSPOSE(transpose_strips)

/* Transposes as many columns as `tiles` tiles have in TILE_ROWS rows. `tiles` is a constant in every call. */
INLINE TARGET void
transpose_tiles(char *dst, const char *src, int64_t dst_row, int64_t pitch, const int64_t tiles, bool stream)
{
    UNROLL
    for (int64_t k = 0; k < tiles; k++) {
        transpose_tile(dst + k * TILE_COLUMNS * SIZE, src + k * TILE_COLUMNS * pitch, dst_row, pitch, stream);
    }
}

/* The same in all rows, from front to back. */
INLINE TARGET void
transpose_all_rows(char *dst, const char *src, const ssop_tile *tile, const int64_t tiles, const tiles_ahead *ahead)
{
    const int64_t last = tile->rows - TILE_ROWS, dst_row = tile->dst_row, pitch = tile->src_column;
    char *to = dst;
    const char *from = src;
    for (int64_t row = 0;; row += TILE_ROWS) {
        if (ahead != NULL && row % LINE_ITEMS == 0) {
            prefetch_tiles(to, address_after(ahead->src, row * SIZE), tile, ahead->rows, tiles * TILE_COLUMNS,
                           ahead->columns);
        }
        if (row >= last) {
            break;
        }
        transpose_tiles(to, from, dst_row, pitch, tiles, false);
        to += TILE_ROWS * dst_row;
        from += TILE_ROWS * SIZE;
    }
    transpose_tiles(dst + last * dst_row, src + last * SIZE, dst_row, pitch, tiles, false);
}

/* BLOCK_TILES tiles side by side, or one. If there is something `ahead`, source and destination are in memory, not in a
 * cache. */
NOINLINE TARGET void
transpose_columns(char *dst, const char *src, const ssop_tile *tile, bool many, const tiles_ahead *ahead)
{
    if (BLOCK_TILES > 1 && many) {
        transpose_all_rows(dst, src, tile, BLOCK_TILES, ahead);
    }
    else {
        transpose_all_rows(dst, src, tile, 1, ahead);
    }
}

/* Goes column by column, so that each source line is used up at once, with regular stores: BLOCK_TILES tiles at a time,
 * or one tile where those would be too many. `next_src`: what is read after the tile. Under SSOP_STREAM, short rows are
 * not prefetched for writing (record short-row-prefetches). */
INLINE TARGET void
transpose_block(char *dst, const char *src, const ssop_tile *tile, const bool prefetches, const char *next_src)
{
    const int64_t columns = tile->columns, pitch = tile->src_column;
    const ssop_transposition *how = tile->table;
    const bool whole_lines = BLOCK_TILES > 1 && !prefetches && (SIZE > 4 || how->whole_lines);
    const int64_t most = (whole_lines ? BLOCK_TILES : 1) * TILE_COLUMNS;
    const int64_t aligned = columns_to_aligned(dst, tile, most) % most;
    int64_t width;
    for (int64_t column = 0; column < columns; column += width) {
        width = column < aligned         ? (aligned - column - 1) % TILE_COLUMNS + 1
              : columns - column >= most ? most
                                         : TILE_COLUMNS;
        const int64_t left = columns - column - width;
        const tiles_ahead ahead = {.src = left > 0 ? address_after(src, (column + width) * pitch) : next_src,
                                   .columns = left > 0 ? left : most,
                                   .rows = how->prefetches_rows * LINE_ITEMS};
        const int64_t at = TILE_COLUMNS == 1 || column + TILE_COLUMNS <= columns ? column : columns - TILE_COLUMNS;
        transpose_columns(dst + at * SIZE, src + at * pitch, tile, width > TILE_COLUMNS, prefetches ? &ahead : NULL);
    }
}

/* Goes along the rows, as many at a time as the source has in a line, and prefetches for writing what the next tile
 * writes in these rows: a store that crosses the boundary of two lines waits for both. */
INLINE TARGET void
transpose_strips(char *dst, const char *src, const ssop_tile *tile)
{
    enum { STRIP_ROWS = LINE_ITEMS, VECTOR = TILE_COLUMNS * SIZE };
    int64_t next = columns_to_aligned(dst, tile, TILE_COLUMNS);
    for (int64_t first = 0; first < tile->rows; first += STRIP_ROWS) {
        const int64_t end = first + STRIP_ROWS < tile->rows ? first + STRIP_ROWS : tile->rows;
        for (int64_t column = 0, after = next; column < tile->columns; column = after, after += TILE_COLUMNS) {
            for (int64_t row = first; row < end; row += TILE_ROWS) {
                const char *later = address_after(dst, row * tile->dst_row + after * SIZE + VECTOR - 1);
                UNROLL
                for (int k = 0; k < TILE_ROWS; k++) {
                    prefetch_write(later);
                    later = address_after(later, tile->dst_row);
                    __asm__("" : "+r"(later)); /* as in STEP_POINTER */
                }
                transpose_at(dst, src, tile, row, column);
            }
        }
    }
}

#undef transpose_tile
#undef transpose_at
#undef columns_to_aligned
#undef transpose_tiles
#undef transpose_all_rows
#undef transpose_columns
#undef transpose_block
#undef transpose_strips
