/* Template: transposition of few columns, or of small blocks of the destination: all columns of some rows, then those
 * of the next rows.
 * Include from transpose_size.h after transpose.h, with what that needs and its own names. */
#define MAX_NARROW_ITEM 2
#define transpose_narrow_ahead SIZED(transpose_narrow_ahead)

/* All columns of TILE_ROWS rows, then those of the next rows. `has_wide`: wide tiles first, as far as they go. */
INLINE TARGET void
transpose_all_columns(char *dst, const char *src, const ssop_tile *tile, const bool has_wide)
{
    (void)has_wide;
    for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
        int64_t column = 0;
        /* With vectors of a line, a wide tile has 64 columns of one byte, more than MAX_FEW_COLUMNS. */
#if defined(NARROW_X) && !(defined(VECTOR_IS_LINE) && SIZE == 1)
        for (; has_wide & (tile->columns - column >= TILE_COLUMNS); column += TILE_COLUMNS) {
            transpose_at_wide(dst, src, tile, row, column);
        }
#endif
        for (; column < tile->columns; column += FEW_COLUMNS) {
            transpose_at_few(dst, src, tile, row, column);
        }
    }
}

#ifndef ONLY_MANY_COLUMNS
NOINLINE TARGET void
transpose_side_by_side(char *dst, const char *src, const ssop_tile *tile)
{
    transpose_all_columns(dst, src, tile, true);
}
#endif

#ifdef VECTOR_IS_LINE
NOINLINE TARGET void
transpose_few(char *dst, const char *src, const ssop_tile *tile)
{
    transpose_all_columns(dst, src, tile, false);
}
#endif

#if defined(HAS_STREAM) && !defined(SHORT_ROW_KERNELS) && SIZE <= MAX_NARROW_ITEM
/* The same in narrow tiles only, and prefetches the next tile. */
NOINLINE TARGET void
transpose_narrow_ahead(char *dst, const char *src, const ssop_tile *tile)
{
    for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
        for (int64_t column = 0; column < tile->columns; column += FEW_COLUMNS) {
            if (row % LINE_ITEMS == 0) {
                const char *const next = address_after(tile->next_src, row * SIZE + column * tile->src_column);
                prefetch_tiles(NULL, next, tile, 0, FEW_COLUMNS, tile->columns - column);
            }
            transpose_at_few(dst, src, tile, row, column);
        }
    }
}
#endif

#undef MAX_NARROW_ITEM
