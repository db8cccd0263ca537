/* Template: one item after the other. Include once per CPU target and item size, with SIZE: a constant, so that each
 * memcpy becomes one load and one store. */
#define copy_items SIZED(copy_items)
#define repeat_item SIZED(repeat_item)
#define scatter_8 SIZED(scatter_8)
#define scatter_items SIZED(scatter_items)

/* All columns of a row are one item of the source. */
static void
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

/* Eight items that are contiguous in the source. Small ones are loaded as words: a processor that begins three loads
 * and stores per cycle spends half of them on loads of single items. */
INLINE void
scatter_8(char *to, const char *from, int64_t dst_column)
{
    char *const half = to + 4 * dst_column;
#if SIZE < 4 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    uint64_t word[SIZE];
    memcpy(word, from, sizeof word);
    UNROLL
    for (int k = 0; k < 8; k++) {
        const uint64_t item = word[k * SIZE / 8] >> k * SIZE % 8 * 8;
        memcpy((k < 4 ? to : half) + k % 4 * dst_column, &item, SIZE);
    }
#else
    UNROLL
    for (int k = 0; k < 8; k++) {
        memcpy((k < 4 ? to : half) + k % 4 * dst_column, from + k * SIZE, SIZE);
    }
#endif
}

/* As the loop of strided_kernel, with fewer loads: those of scatter_8 (record scatter-words). */
static void
scatter_items(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t columns = tile->columns, dst_column = tile->dst_column;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        int64_t column = 0;
        for (; column + 8 <= columns; column += 8) {
            scatter_8(to, from, dst_column);
            to += 8 * dst_column;
            from += 8 * SIZE;
        }
        for (; column < columns; column++) {
            memcpy(to, from, SIZE);
            to += dst_column;
            from += SIZE;
        }
    }
}

/* One by one, four per round. */
static void
copy_items(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t columns = tile->columns, dst_column = tile->dst_column, src_column = tile->src_column;
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

#undef copy_items
#undef repeat_item
#undef scatter_8
#undef scatter_items
