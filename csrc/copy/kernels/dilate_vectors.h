/* Template: dilation with vectors. A vector of contiguous items becomes several vectors (chunks) in which zero bytes
 * stand between the items. The last vector of a row is moved back so that it ends with the last item; so each row must
 * have at least the items of the table: a vector of them or, if loads have masks, fewer. Include once per CPU target,
 * with clear.h, ISA, TARGET, VECTOR_BYTES, vector, load_vector, load_items, dilater (the table, in registers or by its
 * address, which load_dilater fills in), dilate_vector, store_vector and store_part. */
#define dilate_chunks KERNEL(dilate_chunks)
#define dilate_vectors_kernel KERNEL(dilate_vectors)

/* `chunks` is a constant in every call, except for rare large numbers of chunks. */
INLINE TARGET void
dilate_chunks(char *dst, const char *src, const ssop_tile *tile, const int32_t chunks)
{
    const dilate_table *table = tile->table;
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
            for (int32_t k = 0; k < chunks; k++) {
                store_vector(to + k * VECTOR_BYTES, dilate_vector(&all, k, v));
            }
        }
        to = last_to;
        from = last_from;
        vector v = load_items(from, items * tile->item_bytes);
        const int32_t last = table->chunks - 1;
        for (int32_t k = 0; k < chunks; k++) { /* so that k is a constant wherever `chunks` is */
            if (k < last) {
                store_vector(to + k * VECTOR_BYTES, dilate_vector(&all, k, v));
            }
            else if (k == last) {
                store_part(to + k * VECTOR_BYTES, dilate_vector(&all, k, v), table->window - k * VECTOR_BYTES);
            }
        }
        clear_row_end(dst, tile, row);
    }
}

static TARGET void
dilate_vectors_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    /* Items that fill a vector fill dst_column / item_bytes vectors with the gap after each. table->chunks may be less,
     * because it ends with the last item, or because a row has fewer items; it counts only for the last vector of a
     * row. */
    int64_t chunks = tile->dst_column / tile->item_bytes;
    switch (chunks) {
    case 2:
        dilate_chunks(dst, src, tile, 2);
        break;
    case 3:
        dilate_chunks(dst, src, tile, 3);
        break;
    case 4:
        dilate_chunks(dst, src, tile, 4);
        break;
    default:
        dilate_chunks(dst, src, tile, (int32_t)chunks);
    }
}

#undef dilate_chunks
#undef dilate_vectors_kernel
