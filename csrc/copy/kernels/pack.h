/* Template. Pack: items of 4 or 8 bytes from afar, put together to 16 bytes before they are stored.
 * Include once per tier and item size, with TIER, TARGET, SIZE and JOIN(pack, SIZE)(from, stride), which makes a lane. */

static TARGET void
SIZED(pack_items)(char *dst, const char *src, const ssop_tile *tile)
{
    enum { ITEMS = 16 / SIZE };
    const int64_t columns = tile->columns, stride = tile->src_column;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row;
        int64_t column = 0;
        for (; column + 2 * ITEMS <= columns; column += 2 * ITEMS) {
            lane a = JOIN(pack, SIZE)(from, stride), b = JOIN(pack, SIZE)(from + ITEMS * stride, stride);
            store_lane16(to, a);
            store_lane16(to + 16, b);
            to += 32;
            from += 2 * ITEMS * stride;
        }
        for (; column < columns; column++) {
            memcpy(to, from, SIZE);
            to += SIZE;
            from += stride;
        }
    }
}
