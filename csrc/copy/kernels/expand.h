/* Template. Expand: the items of a row go dst_column bytes apart, with zero bytes between them, none before the first or after
 * the last. Include once per tier and item size, with TIER, SIZE and ITEM_BYTES. */

static void
SIZED(expand)(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t columns = tile->columns, gap = tile->dst_column - (ITEM_BYTES);
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        for (int64_t column = 0; column + 1 < columns; column++) {
            memcpy(to, from, (size_t)(ITEM_BYTES));
            memset(to + (ITEM_BYTES), 0, (size_t)gap);
            to += tile->dst_column;
            from += tile->src_column;
        }
        memcpy(to, from, (size_t)(ITEM_BYTES));
    }
}
