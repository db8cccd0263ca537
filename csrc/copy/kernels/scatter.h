/* Template. Scatter: a vector of items goes to places near by; the bytes between them are not written, not even with what is
 * there: somebody else may be writing them. The last vector of a row is shifted back to end with it.
 * Include once per tier whose stores have masks, with TIER, TARGET, VECTOR_BYTES, vector, load_vector, load_part, spread. */

static TARGET void
KERNEL(scatter)(char *dst, const char *src, const ssop_tile *tile)
{
    const spread_table *table = tile->table;
    const int64_t items = table->items, to_step = items * tile->dst_column, from_step = items * tile->src_column;
    const bool full = table->bytes == VECTOR_BYTES;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row + table->low;
        for (int64_t left = tile->columns; left > 0; left -= items) {
            if (left < items) {
                to -= (items - left) * tile->dst_column;
                from -= (items - left) * tile->src_column;
            }
            vector v = full ? load_vector(from) : load_part(from, table->bytes);
            for (int32_t k = 0; k < table->chunks; k++) {
                store_masked(to + k * VECTOR_BYTES, table->mask[k], spread(table, k, v));
            }
            to += to_step;
            from += from_step;
        }
    }
}
