/* Template: dilation with vectors. A vector of contiguous items becomes several vectors (chunks) in which the fill
 * stands between the items. The last vector of a row is moved back so that it ends with the last item; so each row must
 * have at least the items of the table: a vector of them or, if loads have masks, fewer. Include once per CPU target,
 * with gaps.h, TARGET, VECTOR_BYTES, vector, load_vector, load_items, dilater (the table, in registers or by its
 * address, which load_dilater fills in), dilate_vector (with zero bytes between the items), store_vector and
 * store_bytes. */

/* Chunk k of a vector of items. Where the shuffle makes zero bytes, exclusive or makes the fill; so the items were
 * combined with it before. `filled`, here and below: the fill is not zero bytes; a constant in every call. */
INLINE TARGET vector
dilate_chunk(const dilater *all, int32_t k, vector v, vector fill, const bool filled)
{
    vector chunk = dilate_vector(all, k, v);
    if (filled) {
        chunk ^= fill;
    }
    return chunk;
}

/* `chunks` is a constant in every call, except for rare large numbers of chunks. */
INLINE TARGET void
dilate_chunks(char *dst, const char *src, const ssop_tile *tile, const int32_t chunks, const bool filled)
{
    const dilate_table *table = tile->table;
    const vector fill = load_vector(table->fill->line);
    const gap_filler filler = load_gap_filler(tile);
    dilater all;
    load_dilater(&all, table, chunks);
    const int64_t items = table->items, to_step = items * tile->dst_column, from_step = items * tile->src_column;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *from = src + row * tile->src_row + table->low;
        char *const last_to = to + (tile->columns - items) * tile->dst_column;
        const char *const last_from = from + (tile->columns - items) * tile->src_column;
        for (; to < last_to; to += to_step, from += from_step) {
            vector v = load_vector(from);
            if (filled) {
                v ^= fill;
            }
            for (int32_t k = 0; k < chunks; k++) {
                store_vector(to + k * VECTOR_BYTES, dilate_chunk(&all, k, v, fill, filled));
            }
        }
        to = last_to;
        from = last_from;
        vector v = load_items(from, items * tile->item_bytes);
        if (filled) {
            v ^= fill;
        }
        const int32_t last = table->chunks - 1;
        for (int32_t k = 0; k < chunks; k++) { /* so that k is a constant wherever `chunks` is */
            const vector chunk = dilate_chunk(&all, k, v, fill, filled);
            if (k < last) {
                store_vector(to + k * VECTOR_BYTES, chunk);
            }
            else if (k == last) {
                store_bytes(to + k * VECTOR_BYTES, chunk, table->window - k * VECTOR_BYTES);
            }
        }
        fill_row_end(dst, tile, row, &filler);
    }
}

/* Items that fill a vector fill dst_column / item_bytes vectors with the gap after each. table->chunks may be less,
 * because it ends with the last item, or because a row has fewer items; it counts only for the last vector of a row. */
#define DILATE_CHUNKS(filled)                                                                                          \
    switch (tile->dst_column / tile->item_bytes) {                                                                     \
    case 2:                                                                                                            \
        dilate_chunks(dst, src, tile, 2, filled);                                                                      \
        break;                                                                                                         \
    case 3:                                                                                                            \
        dilate_chunks(dst, src, tile, 3, filled);                                                                      \
        break;                                                                                                         \
    case 4:                                                                                                            \
        dilate_chunks(dst, src, tile, 4, filled);                                                                      \
        break;                                                                                                         \
    default:                                                                                                           \
        dilate_chunks(dst, src, tile, (int32_t)(tile->dst_column / tile->item_bytes), filled);                         \
    }

static TARGET void
dilate_vectors_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    if (((const dilate_table *)tile->table)->fill->is_zero) {
        DILATE_CHUNKS(false)
    }
    else {
        DILATE_CHUNKS(true)
    }
}

#undef DILATE_CHUNKS
