/* Template. Transpose without vectors: in blocks small enough for the source lines to be there still when their next item is
 * wanted. Include once per item size, with TIER, SIZE and ITEM_BYTES. */

static void
SIZED(transpose)(char *dst, const char *src, const ssop_tile *tile)
{
    enum { BLOCK_ROWS = 64, BLOCK_COLUMNS = 16 };
    for (int64_t block = 0; block < tile->rows; block += BLOCK_ROWS) {
        int64_t rows = tile->rows - block < BLOCK_ROWS ? tile->rows - block : BLOCK_ROWS;
        for (int64_t first = 0; first < tile->columns; first += BLOCK_COLUMNS) {
            int64_t columns = tile->columns - first < BLOCK_COLUMNS ? tile->columns - first : BLOCK_COLUMNS;
            for (int64_t row = block; row < block + rows; row++) {
                char *to = dst + row * tile->dst_row + first * tile->dst_column;
                const char *from = src + row * tile->src_row + first * tile->src_column;
                for (int64_t column = 0; column < columns; column++) {
                    memcpy(to, from, (size_t)(ITEM_BYTES));
                    to += tile->dst_column;
                    from += tile->src_column;
                }
            }
        }
    }
}
