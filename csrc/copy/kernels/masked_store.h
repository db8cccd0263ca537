/* Template: contiguous items, or one item again and again, go to places with gaps between them that lie near each
 * other, a vector of items at a time.
 * The stores have masks, so the bytes of the gaps are not written, not even with the value they have: another thread
 * may be writing them. The last vector of a row is moved back so that it ends with the row. Include once per CPU target
 * whose stores have masks, with ISA, TARGET, VECTOR_BYTES, vector, load_part, store_masked, prefetch_write, and with
 * dilater, load_dilater and dilate_vector as for dilate_vectors.h. */
#define masked_store_chunks KERNEL(masked_store_chunks)
#define masked_store_kernel KERNEL(masked_store)

/* PREFETCHW_BYTES: on a Cascade Lake, assignments to every second item of 8 bytes ran at 5.2 to 5.8 GB/s in L3 without
 * prefetchw and at 7.8 with it 512 bytes ahead, and at 2.7 and 3.95 from memory (a prototype of this loop).
 * `chunks` is a constant in every call, except for rare large numbers of chunks. */
INLINE TARGET void
masked_store_chunks(char *dst, const char *src, const ssop_tile *tile, const int32_t chunks)
{
    enum { PREFETCHW_BYTES = 512 };
    const dilate_table *table = tile->table;
    const dilater all = load_dilater(table, chunks);
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
            vector v = load_part(from, loaded);
            for (int32_t k = 0; k < chunks; k++) {
                if (prefetches) {
                    prefetch_write(address_after(to, k * VECTOR_BYTES + PREFETCHW_BYTES));
                }
                store_masked(to + k * VECTOR_BYTES, table->mask[k], dilate_vector(&all, k, v));
            }
            to += to_step;
            from += from_step;
        }
    }
}

static TARGET void
masked_store_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const int32_t chunks = ((const dilate_table *)tile->table)->chunks;
    switch (chunks) {
    case 2:
        masked_store_chunks(dst, src, tile, 2);
        break;
    case 3:
        masked_store_chunks(dst, src, tile, 3);
        break;
    default:
        masked_store_chunks(dst, src, tile, chunks);
    }
}

#undef masked_store_chunks
#undef masked_store_kernel
