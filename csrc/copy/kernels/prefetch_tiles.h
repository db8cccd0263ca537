/* Template: what transpositions of every item size prefetch. Include once per CPU target, with TARGET, prefetch,
 * prefetch_l2 and prefetch_write. */

/* What a transposition prefetches while it transposes some columns: the next `columns` columns at `src`, at most, and
 * `rows` rows of the destination. */
typedef struct {
    const char *src;
    int64_t columns, rows;
} tiles_ahead;

/* Prefetches a line of each of the next `columns` columns, of which there are `left`, and the lines of `rows` rows that
 * will be written next. Those are prefetched as for reading, because this also runs under SSOP_STREAM, where the
 * processor need not have prefetchw. `columns` is a constant in every call, so that compilers unroll the loop
 * (record unrolled-prefetches). TILE_PREFETCH_DISTANCE: how far ahead (record tile-prefetches). */
NOINLINE TARGET void
prefetch_tiles(const char *dst, const char *src, const ssop_tile *tile, int64_t rows, int64_t columns, int64_t left)
{
    enum { TILE_PREFETCH_DISTANCE = 128 };
    const bool l2 = (tile->policy & SSOP_PREFETCH_L2) != 0;
    for (int64_t column = 0; l2 && column < columns && column < left; column++) {
        prefetch_l2(address_after(src, column * tile->src_column));
    }
    for (int64_t column = 0; !l2 && column < columns && column < left; column++) {
        prefetch(address_after(src, column * tile->src_column));
    }
    for (int64_t row = 0; row < rows; row++) {
        prefetch(address_after(dst, row * tile->dst_row + TILE_PREFETCH_DISTANCE));
    }
    __asm__ volatile(""); /* an effect: a compiler may remove calls of functions that have none */
}

/* Prefetches `bytes` bytes of each of some rows for writing. */
INLINE TARGET void
prefetch_rows(const char *dst, int64_t pitch, int64_t rows, int64_t bytes)
{
    for (int64_t row = 0; row < rows; row++) {
        for (int64_t at = 0; at < bytes; at += 64) {
            prefetch_write(address_after(dst, row * pitch + at));
        }
    }
}
