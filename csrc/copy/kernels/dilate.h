/* Template. Dilate: the items of a row go dst_column bytes apart, with zero bytes between them, and after each row but the
 * last up to where the next one begins. First the zeros, then the items, in blocks that stay in the first cache in between.
 * Include once per tier, with TIER, strided_kernels and clear.h. */

static void
KERNEL(dilate)(char *dst, const char *src, const ssop_tile *tile)
{
    enum { BLOCK_BYTES = 4096 };
    ssop_kernel kernel = strided_kernels[kernel_size_column(tile->item_bytes)];
    const int64_t most = BLOCK_BYTES / tile->dst_column + 1;
    ssop_tile block = *tile;
    block.rows = 1;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        for (int64_t left = tile->columns;; left -= block.columns) {
            block.columns = left < most ? left : most;
            int64_t gap = left > block.columns ? tile->dst_column - tile->item_bytes : 0; /* after the block */
            memset(to, 0, (size_t)((block.columns - 1) * tile->dst_column + tile->item_bytes + gap));
            kernel(to, from, &block);
            if (left == block.columns) {
                break;
            }
            to += block.columns * tile->dst_column;
            from += block.columns * tile->src_column;
        }
        clear_row_end(dst, tile, row);
    }
}
