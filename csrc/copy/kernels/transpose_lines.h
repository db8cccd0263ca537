/* Template: transposition by non-temporal stores of whole lines. A line of a row is BLOCK_TILES tiles, one after the
 * other, so TILE_ROWS lines are partly written at the same time.
 * Include from transpose_size.h after transpose.h, with what that needs. */
#define transpose_tiles TRANSPOSE(transpose_tiles)
#define columns_to_aligned TRANSPOSE(columns_to_aligned)
#define lines_at SIZED(lines_at)
#define columns_ahead SIZED(columns_ahead)
#define prefetch_lines SIZED(prefetch_lines)
#define transpose_lines SIZED(transpose_lines)

/* Transposes a line of each of TILE_ROWS rows. Lines that would reach beyond the last row or column are moved back to
 * end there; if they then are no lines of the cache, they get regular stores. */
INLINE TARGET void
lines_at(char *dst, const char *src, const ssop_tile *tile, int64_t row, int64_t column)
{
    row = TILE_ROWS == 1 || row + TILE_ROWS <= tile->rows ? row : tile->rows - TILE_ROWS;
    column = column + LINE_ITEMS <= tile->columns ? column : tile->columns - LINE_ITEMS;
    char *to = dst + row * tile->dst_row + column * SIZE;
    const char *from = src + row * SIZE + column * tile->src_column;
    const bool stream = (uintptr_t)to % 64 == 0;
    transpose_tiles(to, from, tile->dst_row, tile->src_column, BLOCK_TILES, stream);
}

/* How many columns lie between those that are transposed and those that are prefetched meanwhile: so many that
 * AHEAD_BYTES of the source are read before they are needed, or all others of a smaller tile (record columns-ahead). */
INLINE int64_t
columns_ahead(const ssop_tile *tile)
{
    enum { AHEAD_BYTES = 8 * 1024 };
    const int64_t wanted = AHEAD_BYTES / (tile->rows * SIZE) / LINE_ITEMS * LINE_ITEMS;
    const int64_t ahead = wanted > LINE_ITEMS ? wanted : LINE_ITEMS;
    return (ahead < tile->columns ? ahead : tile->columns) - LINE_ITEMS;
}

/* Prefetches a line of each of the columns that follow `ahead` columns after column `next`. Beyond the last column the
 * next tile follows. */
INLINE TARGET void
prefetch_lines(const char *src, const char *next_src, const ssop_tile *tile, int64_t next, int64_t ahead)
{
    const int64_t at = next + ahead, beyond = at - tile->columns;
    const int64_t column = beyond < 0 ? at : beyond / LINE_ITEMS * LINE_ITEMS;
    const char *from = beyond < 0 ? src : next_src;
    prefetch_tiles(NULL, address_after(from, column * tile->src_column), tile, 0, LINE_ITEMS, tile->columns - column);
}

/* Goes column by column, so that each source line is used up at once, and prefetches the source, whatever the policy.
 * `next_src`: what is read after the tile. */
NOINLINE TARGET void
transpose_lines(char *dst, const char *src, const ssop_tile *tile, const char *next_src)
{
    const int64_t ahead = columns_ahead(tile);
    int64_t next = columns_to_aligned(dst, tile, LINE_ITEMS);
    for (int64_t column = 0; column < tile->columns; column = next, next += LINE_ITEMS) {
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            if (row % LINE_ITEMS == 0) {
                prefetch_lines(src + row * SIZE, address_after(next_src, row * SIZE), tile, next, ahead);
            }
            lines_at(dst, src, tile, row, column);
        }
    }
}

#undef transpose_tiles
#undef columns_to_aligned
#undef lines_at
#undef columns_ahead
#undef prefetch_lines
#undef transpose_lines
