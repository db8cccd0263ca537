/* Template: rows of 2 to MAX_SHORT_ROW items, whatever the strides. All items of a row are copied before those of the
 * next one, without an inner loop, so that lines of the destination, or of the source, are visited once
 * (record short-rows). Include once per CPU target and item size, with SIZE: a constant, so that each memcpy becomes
 * one load and one store. */
#define short_rows SIZED(short_rows)
#define short_columns SIZED(short_columns)
#define copy_few SIZED(copy_few)
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

/* Contiguous rows have a loop of their own: with the constant, offsets are part of the stores
 * (record contiguous-short-rows). */
#define SHORT_ROWS_OF(items)                                                                                           \
    if (contiguous) {                                                                                                  \
        copy_short_rows(dst, src, tile, exchanged, items, true);                                                       \
    }                                                                                                                  \
    else {                                                                                                             \
        copy_short_rows(dst, src, tile, exchanged, items, false);                                                      \
    }                                                                                                                  \
    break

/* `exchanged`: the short rows are the columns of the tile. No tile is made for this kernel, because the stores of its
 * fields would wait in the same queue as those of the items (record short-rows-tile). */
NOINLINE void
copy_few(char *dst, const char *src, const ssop_tile *tile, bool exchanged)
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

static void
short_rows(char *dst, const char *src, const ssop_tile *tile)
{
    copy_few(dst, src, tile, false);
}

static void
short_columns(char *dst, const char *src, const ssop_tile *tile)
{
    copy_few(dst, src, tile, true);
}

#undef SHORT_ROWS_OF
#undef short_rows
#undef short_columns
#undef copy_few
#undef copy_short_rows
