/* Template. Expand: the items of a row go dst_column bytes apart, with zero bytes between them, none before the first or after
 * the last. First the zeros, then the items, in blocks that stay in the first cache in between.
 * Include once per tier, with TIER. */

static void
KERNEL(expand)(char *dst, const char *src, const ssop_tile *tile)
{
    enum { BLOCK_BYTES = 4096 };
    ssop_kernel kernel = ssop_kernels_portable.kernel[SSOP_PATTERN_STRIDED][kernel_size_column(tile->item_bytes)];
    const int64_t most = BLOCK_BYTES / tile->dst_column + 1;
    ssop_tile block = *tile;
    block.rows = 1;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        for (int64_t left = tile->columns; left > 0; left -= block.columns) {
            block.columns = left < most ? left : most;
            int64_t gap = left > block.columns ? tile->dst_column - tile->item_bytes : 0; /* after the block */
            memset(to, 0, (size_t)((block.columns - 1) * tile->dst_column + tile->item_bytes + gap));
            kernel(to, from, &block);
            to += block.columns * tile->dst_column;
            from += block.columns * tile->src_column;
        }
    }
}
