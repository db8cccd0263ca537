/* Template. Strided: one item after the other, whatever the strides.
 * Include once per tier and item size, with KERNEL(name) giving the function's full name and ITEM_BYTES the size:
 * a constant, so that each memcpy becomes one load and one store, or tile->item_bytes. */

static void
KERNEL(strided)(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t rows = tile->rows, columns = tile->columns;
    const int64_t dst_column = tile->dst_column, src_column = tile->src_column;
    for (int64_t row = 0; row < rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        for (int64_t column = 0; column < columns; column++) {
            memcpy(to, from, (size_t)(ITEM_BYTES));
            to += dst_column;
            from += src_column;
        }
    }
}
