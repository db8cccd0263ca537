/* Template: one item after the other, whatever the strides. Include once per CPU target and item size, with ISA and
 * SIZE: a constant, so that each memcpy becomes one load and one store. */
#define strided_kernel SIZED(strided)
#define repeat_item SIZED(repeat_item)

/* All columns of a row are one item of the source. */
NOINLINE void
repeat_item(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t columns = tile->columns, dst_column = tile->dst_column;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        char item[SIZE]; /* in a register: what is written cannot change it */
        memcpy(item, src + row * tile->src_row, SIZE);
        int64_t column = 0;
        for (; column + 4 <= columns; column += 4) {
            memcpy(to, item, SIZE);
            memcpy(to + dst_column, item, SIZE);
            memcpy(to + 2 * dst_column, item, SIZE);
            memcpy(to + 3 * dst_column, item, SIZE);
            to += 4 * dst_column;
        }
        for (; column < columns; column++) {
            memcpy(to, item, SIZE);
            to += dst_column;
        }
    }
}

static void
strided_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t columns = tile->columns, dst_column = tile->dst_column, src_column = tile->src_column;
    if (src_column == 0) {
        repeat_item(dst, src, tile);
        return;
    }
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        int64_t column = 0;
        for (; column + 4 <= columns; column += 4) {
            memcpy(to, from, SIZE);
            memcpy(to + dst_column, from + src_column, SIZE);
            memcpy(to + 2 * dst_column, from + 2 * src_column, SIZE);
            memcpy(to + 3 * dst_column, from + 3 * src_column, SIZE);
            to += 4 * dst_column;
            from += 4 * src_column;
        }
        for (; column < columns; column++) {
            memcpy(to, from, SIZE);
            to += dst_column;
            from += src_column;
        }
    }
}

#undef strided_kernel
#undef repeat_item
