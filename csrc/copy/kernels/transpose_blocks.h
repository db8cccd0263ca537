/* Template: transposition without vectors, in blocks so small that the lines of the source are still in the L1 cache
 * when their next items are read. Include once per CPU target, with ISA and strided_kernels. */
#define transpose_kernel KERNEL(transpose)

static void
transpose_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    /* Not measured; chosen because 32 columns read at most 32 lines at a time, and 64 rows of items of up to 8 bytes
     * use up at most 8 lines of each column: 256 lines, half of an L1 cache of 32 KiB. */
    enum { BLOCK_ROWS = 64, BLOCK_COLUMNS = 32 };
    ssop_kernel copy_items = strided_kernels[kernel_size_column(tile->item_bytes)];
    ssop_tile block = copy_tile(tile);
    for (int64_t row = 0; row < tile->rows; row += BLOCK_ROWS) {
        block.rows = tile->rows - row < BLOCK_ROWS ? tile->rows - row : BLOCK_ROWS;
        for (int64_t column = 0; column < tile->columns; column += BLOCK_COLUMNS) {
            block.columns = tile->columns - column < BLOCK_COLUMNS ? tile->columns - column : BLOCK_COLUMNS;
            copy_items(dst + row * tile->dst_row + column * tile->dst_column,
                       src + row * tile->src_row + column * tile->src_column, &block);
        }
    }
}

#undef transpose_kernel
