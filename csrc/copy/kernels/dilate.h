/* Template: dilation without vectors. The items of a row go dst_column bytes apart, with the fill between them, and
 * after each row but the last up to where the next one begins. A block is filled first and then gets its items; it is
 * small enough to stay in the L1 cache in between. Include once per CPU target, with gaps.h and items_kernel, which
 * gives the kernel that copies the items of a tile one by one. */

static void
dilate_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    enum { BLOCK_BYTES = 4096 }; /* not measured; chosen because it is a small part of every L1 cache */
    const int64_t max_columns = BLOCK_BYTES / tile->dst_column + 1;
    const gap_filler filler = load_gap_filler(tile);
    ssop_tile block = copy_tile(tile);
    block.rows = 1;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        for (int64_t left = tile->columns;; left -= block.columns) {
            block.columns = left < max_columns ? left : max_columns;
            int64_t gap = left > block.columns ? tile->dst_column - tile->item_bytes : 0; /* after the block */
            fill_gap(to, (block.columns - 1) * tile->dst_column + tile->item_bytes + gap, &filler);
            ssop_kernel copy = items_kernel(&block);
            copy(to, from, &block);
            if (left == block.columns) {
                break;
            }
            to += block.columns * tile->dst_column;
            from += block.columns * tile->src_column;
        }
        fill_row_end(dst, tile, row, &filler);
    }
}
