/* Template. Transpose without vectors: in blocks small enough for the source lines to be there still when their next item is
 * wanted. Include once per tier, with TIER and strided_kernels. */

static void
KERNEL(transpose)(char *dst, const char *src, const ssop_tile *tile)
{
    enum { BLOCK_ROWS = 64, BLOCK_COLUMNS = 32 };
    ssop_kernel kernel = strided_kernels[kernel_size_column(tile->item_bytes)];
    ssop_tile block = *tile;
    for (int64_t row = 0; row < tile->rows; row += BLOCK_ROWS) {
        block.rows = tile->rows - row < BLOCK_ROWS ? tile->rows - row : BLOCK_ROWS;
        for (int64_t column = 0; column < tile->columns; column += BLOCK_COLUMNS) {
            block.columns = tile->columns - column < BLOCK_COLUMNS ? tile->columns - column : BLOCK_COLUMNS;
            kernel(dst + row * tile->dst_row + column * tile->dst_column,
                   src + row * tile->src_row + column * tile->src_column, &block);
        }
    }
}
