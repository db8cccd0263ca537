/* Template: transposition of small matrices, of few columns, and of small blocks of the destination.
 * Include from transpose_size.h after transpose.h, with what that needs and its own names. */
#define transpose_narrow_ahead SIZED(transpose_narrow_ahead)
#define transpose_row_narrow SIZED(JOIN(transpose_row, NARROW_X))
#define transpose_row_middle SIZED(JOIN(transpose_row, MIDDLE_X))
#define transpose_at_few SIZED(JOIN(transpose_at, FEW_X))

/* Rows of tiles from front to back: all columns of TILE_ROWS rows, then those of the next rows. Bytes of small matrices
 * suit vectors of 32 bytes where there are longer ones (record middle-vectors). */
static TARGET void
transpose_small(char *dst, const char *src, const ssop_tile *tile)
{
#if defined(NARROW_X) && !defined(SHORT_ROW_KERNELS)
    if (tile->columns < TILE_COLUMNS) {
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            transpose_row_narrow(dst, src, tile, row, FEW_COLUMNS);
        }
        return;
    }
#endif
    for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
#if defined(MIDDLE_X) && SIZE == 1
        transpose_row_middle(dst, src, tile, row, MIDDLE_COLUMNS);
#else
        transpose_row_wide(dst, src, tile, row, TILE_COLUMNS);
#endif
    }
}

#if defined(HAS_STREAM) && !defined(SHORT_ROW_KERNELS) && SIZE <= 2
/* The same in narrow tiles only, and prefetches the next tile. */
static TARGET void
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

#undef transpose_narrow_ahead
#undef transpose_row_narrow
#undef transpose_row_middle
#undef transpose_at_few
