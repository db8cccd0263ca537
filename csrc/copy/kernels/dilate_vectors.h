/* Template. Dilate with vectors: a vector of items goes to the chunks of a step, zeros and all. The last step is shifted back
 * to end with the last item, so each row has at least one vector of items.
 * Include once per tier, with clear.h, TIER, TARGET, VECTOR_BYTES, vector, load_vector, spread, store_vector and store_part. */

/* `chunks` is a constant wherever this is called. */
INLINE TARGET void
KERNEL(dilate_chunks)(char *dst, const char *src, const ssop_tile *tile, const int32_t chunks)
{
    const spread_table *table = tile->table;
    const int64_t items = table->items, to_step = items * tile->dst_column, from_step = items * tile->src_column;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row + table->low;
        int64_t left = tile->columns;
        for (; left > items; left -= items) {
            vector v = load_vector(from);
            for (int32_t k = 0; k < chunks; k++) {
                store_vector(to + k * VECTOR_BYTES, spread(table, k, v));
            }
            to += to_step;
            from += from_step;
        }
        to -= (items - left) * tile->dst_column;
        from -= (items - left) * tile->src_column;
        vector v = load_vector(from); /* items fill it, for their sizes are powers of two */
        int32_t last = table->chunks - 1;
        for (int32_t k = 0; k < last; k++) {
            store_vector(to + k * VECTOR_BYTES, spread(table, k, v));
        }
        store_part(to + last * VECTOR_BYTES, spread(table, last, v), table->window - last * VECTOR_BYTES);
        clear_row_end(dst, tile, row);
    }
}

static TARGET void
KERNEL(dilate_vectors)(char *dst, const char *src, const ssop_tile *tile)
{
    int64_t chunks = tile->dst_column / tile->item_bytes;
    switch (chunks) {
    case 2:
        KERNEL(dilate_chunks)(dst, src, tile, 2);
        break;
    case 3:
        KERNEL(dilate_chunks)(dst, src, tile, 3);
        break;
    case 4:
        KERNEL(dilate_chunks)(dst, src, tile, 4);
        break;
    default:
        KERNEL(dilate_chunks)(dst, src, tile, (int32_t)chunks);
    }
}
