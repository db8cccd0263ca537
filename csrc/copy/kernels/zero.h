/* Template: writes zero bytes; the source is never read. Include once per CPU target. */

static void
zero_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    (void)src;
    bool contiguous = tile->dst_column == tile->item_bytes;
    int64_t runs = contiguous ? 1 : tile->columns;
    size_t run_bytes = (size_t)(contiguous ? tile->columns * tile->item_bytes : tile->item_bytes);
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        for (int64_t run = 0; run < runs; run++) {
            memset(to, 0, run_bytes);
            to += tile->dst_column;
        }
    }
}
