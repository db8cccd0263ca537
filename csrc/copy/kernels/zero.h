/* Template. Zero: writes zero bytes and never looks at the source.
 * Include once per tier, with TIER. */

static void
KERNEL(zero)(char *dst, const char *src, const ssop_tile *tile)
{
    (void)src;
    bool block = tile->dst_column == tile->item_bytes;
    int64_t runs = block ? 1 : tile->columns;
    size_t run_bytes = (size_t)(block ? tile->columns * tile->item_bytes : tile->item_bytes);
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        for (int64_t run = 0; run < runs; run++) {
            memset(to, 0, run_bytes);
            to += tile->dst_column;
        }
    }
}
