/* Template: transposition of few columns, or of small blocks of the destination: all columns of some rows, then those
 * of the next rows.
 * Include from transpose_size.h after transpose.h, with what that needs and its own names. */
#define MAX_NARROW_ITEM 2
#define prefetch_tiles KERNEL(prefetch_tiles)
#define transpose_narrow_ahead SIZED(transpose_narrow_ahead)

/* Few columns are read side by side, as described at MAX_FEW_COLUMNS. */
INLINE TARGET bool
suits_side_by_side(const char *dst, const ssop_tile *tile)
{
    bool near = (int64_t)magnitude(tile->dst_row) <= MAX_FEW_COLUMNS * SIZE,
         same_set = tile->dst_row % SAME_SET_BYTES == 0, streams = streams_lines(dst, tile);
    return (near || same_set) & !streams;
}

/* The tile is one small block of the destination, and none of whole lines that get non-temporal stores. */
INLINE TARGET bool
is_small_block(const char *dst, const ssop_tile *tile)
{
    const bool contiguous = tile->dst_row == tile->columns * SIZE, lines = has_lines(dst, tile);
    const bool streams = lines & ((tile->policy & SSOP_STREAM) != 0);
    return (contiguous & !streams) && tile->rows * tile->dst_row <= MAX_BLOCK_BYTES;
}

/* All columns of TILE_ROWS rows, then those of the next rows. `has_wide`: wide tiles first, as far as they go.
 * No store is non-temporal: suits_side_by_side and is_small_block exclude rows that get such stores. */
NOINLINE TARGET void
transpose_side_by_side(char *dst, const char *src, const ssop_tile *tile, bool has_wide)
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

#if defined(HAS_STREAM) && !defined(SHORT_ROW_KERNELS)
#if SIZE <= MAX_NARROW_ITEM
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

/* Transposes a tile to the buffer of a collector (collect.c), and prefetches the next one unless its columns are short:
 * several of them share a line then, and going side by side is going from front to back, which processors prefetch. Of
 * one and two bytes, tiles of 16 columns read the source more evenly than wide ones (record collector-tiles). */
NOINLINE TARGET void
transpose_for_collector(char *dst, const char *src, const ssop_tile *tile)
{
    enum { MIN_COLUMN_BYTES = SIZE == 1 ? 32 : 64 };
    if (tile->rows * SIZE < MIN_COLUMN_BYTES) {
        transpose_side_by_side(dst, src, tile, true);
        return;
    }
#if SIZE <= MAX_NARROW_ITEM
    transpose_narrow_ahead(dst, src, tile);
#else
#ifdef NARROW_X
    if (tile->columns < TILE_COLUMNS) {
        transpose_narrow(dst, src, tile);
        return;
    }
#endif
    transpose_prefetched(dst, src, tile, tile->next_src);
#endif
}
#endif

/* Transposes what this file is for; false if the tile is something else. */
INLINE TARGET bool
try_side_by_side(char *dst, const char *src, const ssop_tile *tile)
{
    const bool prefetches = (tile->policy & PREFETCH_POLICIES) != 0;
#if defined(HAS_STREAM) && !defined(SHORT_ROW_KERNELS)
    if ((tile->policy & SSOP_COLLECT) != 0) {
        transpose_for_collector(dst, src, tile);
        return true;
    }
#endif
    if (HAS_FEW(tile->columns, MAX_FEW_COLUMNS) && prefetches && suits_side_by_side(dst, tile)) {
        transpose_side_by_side(dst, src, tile, true);
        return true;
    }
    if (prefetches && is_small_block(dst, tile)) {
        transpose_side_by_side(dst, src, tile, WIDE_IN_SMALL_BLOCKS);
        return true;
    }
    return false;
}

#undef MAX_NARROW_ITEM
#undef prefetch_tiles
#undef transpose_narrow_ahead
