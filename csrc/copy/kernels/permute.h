/* Template. Permute: small items whose bytes adjoin in the destination and lie in a narrow window of the source. A vector
 * of items is made of the window's chunks; the last vector of a row is shifted back to end with it. Where the items do not
 * fill a vector, the next one overwrites what is too much, and the last ones are stored exactly.
 * Include once per tier, with TIER, TARGET and these:
 *   VECTOR_BYTES                        of the vector that one table describes
 *   VECTORS                             such vectors that are made at once
 *   vector_maker, start_maker           what a table says, in registers
 *   make_vector, make_last, make_wide   a vector from a window, from the last one of a row, VECTORS of them `step` bytes apart
 *   store_vector, store_part, store_wide, stream_wide, stream_end */

/* Items up to the next place where whole vectors are aligned, if an item begins there. */
INLINE TARGET int64_t
KERNEL(items_to_aligned)(const char *to, int64_t vector_items)
{
    int64_t bytes = (int64_t)(-(uintptr_t)to & (VECTORS * VECTOR_BYTES - 1));
    int64_t items = bytes * vector_items / VECTOR_BYTES;
    return items * VECTOR_BYTES == bytes * vector_items ? items : 0;
}

/* The items at the upper end of a row's source for which whole chunks would reach beyond it. */
INLINE TARGET int64_t
KERNEL(items_near_end)(const ssop_tile *tile, const permute_table *table, int32_t chunks)
{
    int64_t stride = tile->src_column < 0 ? -tile->src_column : tile->src_column;
    int64_t beyond = chunks * VECTOR_BYTES - table->window;
    int64_t items = beyond == 0 ? 0 : (beyond - 1) / stride + 1; /* no stride is 0: see classify.c */
    return items < tile->columns ? items : tile->columns;
}

INLINE TARGET void
KERNEL(prefetch_windows)(const char *from, int64_t step, int64_t window)
{
    for (int64_t k = 0; k < VECTORS; k++) {
        KERNEL(prefetch_span)(address_after(from, k * step), window);
    }
}

/* What all rows have in common. */
typedef struct {
    vector_maker maker;
    int64_t item_bytes, stride, items;
    int64_t step, ahead, window;    /* bytes of the source: from vector to vector, to prefetch, to make a vector */
    int64_t bytes, wide_bytes;      /* that a vector counts for, that a wide step writes */
    int64_t head, tail;             /* items at the ends of a row that have to be loaded with care */
    bool full, streams, prefetches; /* with more lines at once prefetching is no help */
} permutation;

INLINE TARGET permutation
KERNEL(start_permutation)(const ssop_tile *tile, const int32_t chunks)
{
    const permute_table *table = tile->table;
    const int64_t stride = tile->src_column, step = table->items * stride;
    const int64_t near_end = KERNEL(items_near_end)(tile, table, chunks), head = stride < 0 ? near_end : 0;
    const bool full = table->bytes == VECTOR_BYTES;
    return (permutation){
        .maker = start_maker(table, chunks),
        .item_bytes = tile->item_bytes,
        .stride = stride,
        .items = table->items,
        .step = step,
        .ahead = step < 0 ? -SPAN_AHEAD_BYTES : SPAN_AHEAD_BYTES,
        .window = table->window,
        .bytes = table->bytes,
        .wide_bytes = (VECTORS - 1) * (int64_t)table->bytes + VECTOR_BYTES,
        .head = head,
        .tail = near_end - head,
        .full = full,
        .streams = full && (tile->policy & SSOP_STREAM) != 0,
        .prefetches = chunks <= 2 && (tile->policy & SSOP_PREFETCH) != 0,
    };
}

/* Moves `left` items. Once inlined, `chunks` and the fields of `all` are constants of the loops. */
INLINE TARGET void
KERNEL(permute_row)(const permutation *all, char *to, const char *from, int64_t left, const int32_t chunks)
{
    const int64_t items = all->items, step = all->step, bytes = all->bytes;
    char *const end = to + left * all->item_bytes, *const stop = end - all->tail * all->item_bytes;
    for (int64_t done = 0; done < all->head && left >= items; done += items) {
        store_part(to, make_last(&all->maker, from, chunks), bytes);
        to += bytes;
        from += step;
        left -= items;
    }
    int64_t skip = all->full && left >= 8 * items + all->tail ? KERNEL(items_to_aligned)(to, items) : 0;
    while (skip > 0) {
        int64_t done = skip < items ? skip : items;
        store_vector(to, make_vector(&all->maker, from, chunks));
        to += done * all->item_bytes;
        from += done * all->stride;
        left -= done;
        skip -= done;
    }
    const bool streams = all->streams && ((uintptr_t)to & (VECTORS * VECTOR_BYTES - 1)) == 0;
    for (; streams && stop - to >= all->wide_bytes; left -= VECTORS * items) {
        if (all->prefetches) {
            KERNEL(prefetch_windows)(address_after(from, all->ahead), step, all->window);
        }
        stream_wide(to, make_wide(&all->maker, from, step, chunks));
        to += VECTORS * VECTOR_BYTES;
        from += VECTORS * step;
    }
    for (; stop - to >= all->wide_bytes; left -= VECTORS * items) {
        if (all->prefetches) {
            KERNEL(prefetch_windows)(address_after(from, all->ahead), step, all->window);
        }
        store_wide(to, make_wide(&all->maker, from, step, chunks), bytes);
        to += VECTORS * bytes;
        from += VECTORS * step;
    }
#if VECTORS > 1
    for (; stop - to >= VECTOR_BYTES; left -= items) {
        store_vector(to, make_vector(&all->maker, from, chunks));
        to += bytes;
        from += step;
    }
#endif
    while (left > 0) {
        int64_t back = left < items ? items - left : 0;
        to -= back * all->item_bytes;
        from -= back * all->stride;
        store_part(to, make_last(&all->maker, from, chunks), bytes);
        to += bytes;
        from += step;
        left -= items;
    }
}

/* `chunks` is a constant wherever this is called. */
INLINE TARGET void
KERNEL(permute_rows)(char *dst, const char *src, const ssop_tile *tile, const int32_t chunks)
{
    const permutation all = KERNEL(start_permutation)(tile, chunks);
    const int64_t low = ((const permute_table *)tile->table)->low;
    for (int64_t row = 0; row < tile->rows; row++) {
        const char *from = src + row * tile->src_row + low;
        KERNEL(permute_row)(&all, dst + row * tile->dst_row, from, tile->columns, chunks);
    }
    if (all.streams) {
        stream_end();
    }
}

static TARGET void
KERNEL(permute)(char *dst, const char *src, const ssop_tile *tile)
{
    int32_t chunks = ((const permute_table *)tile->table)->chunks;
    switch (chunks) {
    case 1:
        KERNEL(permute_rows)(dst, src, tile, 1);
        break;
    case 2:
        KERNEL(permute_rows)(dst, src, tile, 2);
        break;
    case 3:
        KERNEL(permute_rows)(dst, src, tile, 3);
        break;
    case 4:
        KERNEL(permute_rows)(dst, src, tile, 4);
        break;
    default:
        KERNEL(permute_rows)(dst, src, tile, chunks);
    }
}
