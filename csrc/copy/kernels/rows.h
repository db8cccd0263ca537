/* Template. Rows: the items of a row adjoin on both sides, so each row is one block.
 * Include once per tier, with KERNEL(name) giving the function's full name. */

static void
KERNEL(rows_any)(char *dst, const char *src, const ssop_tile *tile)
{
    size_t row_bytes = (size_t)(tile->columns * tile->item_bytes);
    for (int64_t row = 0; row < tile->rows; row++) {
        memcpy(dst, src, row_bytes);
        dst += tile->dst_row;
        src += tile->src_row;
    }
}
