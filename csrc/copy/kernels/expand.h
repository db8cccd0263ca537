/* Template. Expand: the items of a row go dst_column bytes apart, a multiple of the item size, with zero bytes between
 * them, none before the first or after the last.
 * Include once per tier and item size, with KERNEL(name) giving the function's full name and ITEM_BYTES the size. */

static void
KERNEL(expand)(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t gap_items = tile->dst_column / (ITEM_BYTES)-1;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        for (int64_t column = 0; column < tile->columns; column++) {
            memcpy(to, from, (size_t)(ITEM_BYTES));
            to += ITEM_BYTES;
            from += tile->src_column;
            if (column + 1 < tile->columns) {
                for (int64_t gap = 0; gap < gap_items; gap++) {
                    memset(to, 0, (size_t)(ITEM_BYTES));
                    to += ITEM_BYTES;
                }
            }
        }
    }
}
