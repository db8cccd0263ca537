/* Template: rows of 2 to MAX_SHORT_ROW items, whatever the strides. All items of a row are copied before those of the
 * next one, without an inner loop, so that lines of the destination, or of the source, are visited once. Include once
 * per CPU target and item size, with ISA and SIZE: a constant, so that each memcpy becomes one load and one store.
 *
 * As ratios to what it was before, with a loop for each of the few rows or columns (geometric means; Zen 4 with
 * AVX-512, the kernels alone, in turns): 277 random copies of up to 4 MiB whose few items are near each other in the
 * destination 1.25, 104 others 1.05, 258 of 50 to 150 MiB 1.2. In GB/s, before, since, and NumPy: every second of the
 * last axis of (544691, 8) in items of 16 bytes, reversed, 3.1, 9.4 and 8.4; f8 of (7, 296130, 3) with its axes in
 * reverse order, the first two reversed, 3.4, 6.2 and 6.0; two bytes of (6615232, 7) transposed, every second row,
 * reversed, 1.6, 5.2 and 1.8. */
#define short_rows SIZED(short_rows)
#define copy_short_rows SIZED(copy_short_rows)

/* `items` is a constant wherever this is inlined, and so is `contiguous`: true if the items of a row are contiguous in
 * the destination. */
INLINE void
copy_short_rows(char *dst, const char *src, const ssop_tile *tile, bool exchanged, const int items,
                const bool contiguous)
{
    const int64_t rows = exchanged ? tile->columns : tile->rows;
    const int64_t dst_row = exchanged ? tile->dst_column : tile->dst_row;
    const int64_t src_row = exchanged ? tile->src_column : tile->src_row;
    const int64_t dst_item = contiguous ? SIZE : exchanged ? tile->dst_row : tile->dst_column;
    const int64_t src_item = exchanged ? tile->src_row : tile->src_column;
    for (int64_t row = 0; row < rows; row++) {
        char *to = dst;
        const char *from = src;
        UNROLL
        for (int item = 0; item < items; item++) {
            memcpy(to, from, SIZE);
            to += dst_item;
            from += src_item;
        }
        dst += dst_row;
        src += src_row;
    }
}

/* Contiguous rows apart from the others: with the constant, offsets are part of the stores (1.02 times as fast). */
#define SHORT_ROWS_OF(items)                                                                                           \
    if (contiguous) {                                                                                                  \
        copy_short_rows(dst, src, tile, exchanged, items, true);                                                       \
    }                                                                                                                  \
    else {                                                                                                             \
        copy_short_rows(dst, src, tile, exchanged, items, false);                                                      \
    }                                                                                                                  \
    break

/* `exchanged`: the short rows are the columns of the tile. Not a tile made for this kernel, because the stores of its
 * fields would wait in the same queue as those of the items: f4 of (2, 157216, 15, 32) permuted by (2, 1, 3, 0), in
 * tiles of 16 by 2, ran at 0.59 GB/s with such a tile and at 0.92 without (Zen 4, as above). */
NOINLINE void
short_rows(char *dst, const char *src, const ssop_tile *tile, bool exchanged)
{
    const bool contiguous = (exchanged ? tile->dst_row : tile->dst_column) == SIZE;
    switch (exchanged ? tile->rows : tile->columns) {
    case 2:
        SHORT_ROWS_OF(2);
    case 3:
        SHORT_ROWS_OF(3);
    case 4:
        SHORT_ROWS_OF(4);
    case 5:
        SHORT_ROWS_OF(5);
    case 6:
        SHORT_ROWS_OF(6);
    default:
        SHORT_ROWS_OF(7); /* MAX_SHORT_ROW */
    }
}

#undef SHORT_ROWS_OF
#undef short_rows
#undef copy_short_rows
