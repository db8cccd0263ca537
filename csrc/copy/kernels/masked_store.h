/* Template: contiguous items, or one item again and again, go to places with gaps between them that lie near each
 * other, a vector of items at a time.
 * The stores have masks, so the bytes of the gaps are not written, not even with the value they have: another thread
 * may be writing them. The last vector of a row is moved back so that it ends with the row. Include once per CPU target
 * whose stores have masks, with TARGET, VECTOR_BYTES, vector, load_vector, load_bytes, prefetch_write, with dilater
 * and load_dilater as for dilate_vectors.h, and with these:
 * - spread_vector: as dilate_vector there, but the bytes between the items may be anything;
 * - units_of_items, the mask of a chunk, and store_masked, for units of one byte or, if `words`, of two. */

/* PREFETCHW_BYTES: how far ahead lines are prefetched for writing (record masked-prefetchw). `chunks` is a constant in
 * every call, except for rare large numbers of chunks. */
INLINE TARGET void
masked_store_chunks(char *dst, const char *src, const ssop_tile *tile, const int32_t chunks, const bool words)
{
    enum { PREFETCHW_BYTES = 512 };
    const dilate_table *table = tile->table;
    dilater all;
    load_dilater(&all, table, chunks);
    uint64_t mask[MAX_CHUNKS];
    for (int32_t k = 0; k < chunks; k++) {
        mask[k] = units_of_items(load_vector((const char *)table->index + VECTOR_BYTES * k), words);
    }
    const bool prefetches = (tile->policy & SSOP_PREFETCH_WRITE) != 0;
    /* What lies behind the items need not be readable; an item that is repeated is there once. */
    const int64_t loaded = tile->src_column == 0 ? tile->item_bytes : table->items * tile->item_bytes;
    const int64_t items = table->items, to_step = items * tile->dst_column, from_step = items * tile->src_column;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row + table->low;
        for (int64_t left = tile->columns; left > 0; left -= items) {
            if (left < items) {
                to -= (items - left) * tile->dst_column;
                from -= (items - left) * tile->src_column;
            }
            vector v = load_bytes(from, loaded);
            for (int32_t k = 0; k < chunks; k++) {
                if (prefetches) {
                    prefetch_write(address_after(to, k * VECTOR_BYTES + PREFETCHW_BYTES));
                }
                store_masked(to + k * VECTOR_BYTES, mask[k], spread_vector(&all, k, v), words);
            }
            to += to_step;
            from += from_step;
        }
    }
}

INLINE TARGET void
masked_store_units(char *dst, const char *src, const ssop_tile *tile, const bool words)
{
    const int32_t chunks = ((const dilate_table *)tile->table)->chunks;
    switch (chunks) {
    case 2:
        masked_store_chunks(dst, src, tile, 2, words);
        break;
    case 3:
        masked_store_chunks(dst, src, tile, 3, words);
        break;
    case 4:
        masked_store_chunks(dst, src, tile, 4, words);
        break;
    default:
        masked_store_chunks(dst, src, tile, chunks, words);
    }
}

/* A store with a mask of bytes occupies the store port longer than one with a mask of words
 * (record masked-store-cycles). */
static TARGET void
masked_store_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    if (tile->item_bytes % 2 == 0 && tile->dst_column % 2 == 0) {
        masked_store_units(dst, src, tile, true);
    }
    else {
        masked_store_units(dst, src, tile, false);
    }
}
