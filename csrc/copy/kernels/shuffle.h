/* Template: small items that are contiguous in the destination and lie in a narrow window of the source. The window is
 * loaded as vectors (chunks), and byte shuffles of the chunks give a vector of items. The last vector of a row is
 * moved back so that it ends with the row. Where whole items do not fill a vector, each store overwrites some bytes
 * after its items; the next store puts the right bytes there, and the last store of a row writes its items only, unless
 * another row follows at once. */

/* Include once per CPU target, with TARGET, prefetch.h and these:
 * - VECTOR_BYTES: bytes of the vector that one table describes; VECTORS: how many of these are made in one round;
 * - window_shuffler: a table in registers, which load_shuffler makes;
 * - shuffle_window makes a vector from a window; shuffle_last_window does so with loads of only the window and of the
 *   bytes from `low` to `high`; shuffle_windows makes VECTORS vectors from windows `step` bytes apart;
 * - store_vector, store_bytes; for VECTORS vectors store_wide, stream_wide and, `bytes` bytes from one to the next,
 *   store_apart;
 * - MASKED_ENDS, if parts of vectors are loaded and stored by masks: then the ends of rows cost little, and a test
 *   whether they need care costs more.
 * A CPU target that shuffles in several ways includes it once for each, with METHOD, which becomes a part of the names,
 * and with a kernel of its own that chooses among the shuffle_kernel_METHOD. */
#ifdef METHOD
#define SHUFFLE(name) JOIN(name, METHOD)
#else
#define SHUFFLE(name) name
#endif
#define items_to_aligned SHUFFLE(items_to_aligned)
#define items_near_end SHUFFLE(items_near_end)
#define prefetch_windows SHUFFLE(prefetch_windows)
#define shuffle_round SHUFFLE(shuffle_round)
#define start_shuffling SHUFFLE(start_shuffling)
#define shuffle_position SHUFFLE(shuffle_position)
#define shuffle_rounds SHUFFLE(shuffle_rounds)
#define shuffle_to_aligned SHUFFLE(shuffle_to_aligned)
#define shuffle_row SHUFFLE(shuffle_row)
#define has_joined_rows SHUFFLE(has_joined_rows)
#define shuffle_rows SHUFFLE(shuffle_rows)
#define row_extent SHUFFLE(row_extent)
#define has_few_vectors SHUFFLE(has_few_vectors)
#define shuffle_short_rows SHUFFLE(shuffle_short_rows)
#define shuffling SHUFFLE(shuffling)
#define shuffle_kernel SHUFFLE(shuffle_kernel)

/* One pass of the loop makes WIDES times VECTORS vectors: a line, or more where vectors are wider. */
#define WIDES (VECTORS * VECTOR_BYTES < 64 ? 64 / (VECTORS * VECTOR_BYTES) : 1)

/* The number of items up to the next address that is a multiple of `alignment`, if an item begins there; otherwise
 * 0. */
INLINE TARGET int64_t
items_to_aligned(const char *to, int64_t vector_items, int64_t alignment)
{
    int64_t bytes = (int64_t)(-(uintptr_t)to & (uintptr_t)(alignment - 1));
    int64_t items = bytes * vector_items / VECTOR_BYTES;
    return items * VECTOR_BYTES == bytes * vector_items ? items : 0;
}

/* The number of items at the upper end of a row's source for which loads of whole chunks would reach beyond the row. */
INLINE TARGET int64_t
items_near_end(const ssop_tile *tile, const shuffle_table *table, int32_t chunks)
{
    const int64_t column = tile->src_column, stride = column < 0 ? -column : column; /* magnitude() is slower here */
    int64_t beyond = chunks * VECTOR_BYTES - table->window;
    int64_t items = beyond == 0 ? 0 : (beyond - 1) / stride + 1; /* the stride is not 0: see try_shuffle */
    return items < tile->columns ? items : tile->columns;
}

INLINE TARGET void
prefetch_windows(const char *from, int64_t step, int64_t window)
{
    for (int64_t k = 0; k < VECTORS; k++) {
        prefetch_span(address_after(from, k * step), window);
    }
}

/* What is the same for all rows of a tile. */
typedef struct {
    window_shuffler shuffler;
    int64_t item_bytes, stride, items;
    int64_t step;       /* bytes of the source from vector to vector */
    int64_t window;     /* bytes of the source that make a vector */
    int64_t distance;   /* prefetch distance, in bytes of the source; 0: nothing is prefetched */
    int64_t bytes;      /* of the items of a vector */
    int64_t head, tail; /* items at the two ends of a row whose loads must not reach beyond it */
    bool full;          /* the items fill the vector */
    bool streams, prefetches;
} shuffling;

/* How many bytes of the source a row extends over. */
INLINE int64_t
row_extent(const ssop_tile *tile, const shuffle_table *table)
{
    const int64_t stride = tile->src_column < 0 ? -tile->src_column : tile->src_column;
    return table->window + (tile->columns - table->items) * stride;
}

INLINE TARGET shuffling
start_shuffling(const char *dst, const ssop_tile *tile, const int32_t chunks)
{
    const shuffle_table *table = tile->table;
    const int64_t stride = tile->src_column, step = table->items * stride;
    const int64_t near_end = items_near_end(tile, table, chunks), head = stride < 0 ? near_end : 0;
    const int64_t distance = span_distance(tile, row_extent(tile, table));
    const bool full = table->bytes == VECTOR_BYTES;
    return (shuffling){
        .shuffler = load_shuffler(table, chunks),
        .item_bytes = tile->item_bytes,
        .stride = stride,
        .items = table->items,
        .step = step,
        .distance = distance,
        .window = table->window,
        .bytes = table->bytes,
        .head = head,
        .tail = near_end - head,
        .full = full,
        .streams = full && (tile->policy & SSOP_STREAM) != 0 && tile_has_lines(dst, tile),
        /* Not measured for each number of chunks; chosen because more than two lines per round were no faster with
         * it. */
        .prefetches = chunks <= 2 && distance != 0 && (tile->policy & SSOP_PREFETCH) != 0,
    };
}

/* The two sides of a row, as far as it has been copied. */
typedef struct {
    char *to;
    const char *from;
} shuffle_position;

/* Makes VECTORS vectors. */
INLINE TARGET shuffle_position
shuffle_round(const shuffling *all, shuffle_position at, const int32_t chunks, const bool full, const bool streams)
{
    const int64_t bytes = full ? VECTOR_BYTES : all->bytes;
    const wide v = shuffle_windows(&all->shuffler, at.from, all->step, chunks);
    if (streams) {
        stream_wide(at.to, v);
    }
    else if (full) {
        store_wide(at.to, v);
    }
    else {
        store_apart(at.to, v, bytes);
    }
    return (shuffle_position){at.to + VECTORS * bytes, at.from + VECTORS * all->step};
}

/* What the loop over rounds does: constants in every call, so that it tests nothing but its end. FULL: as in
 * shuffling. STREAMS: only with FULL. */
#define FULL 1
#define STREAMS 2
#define PREFETCHES 4

/* Copies rounds of VECTORS vectors while they end before `stop`. */
INLINE TARGET shuffle_position
shuffle_rounds(const shuffling *all, shuffle_position at, const char *stop, const int32_t chunks, const int flags)
{
    const bool full = (flags & FULL) != 0, streams = (flags & STREAMS) != 0, prefetches = (flags & PREFETCHES) != 0;
    const int64_t bytes = full ? VECTOR_BYTES : all->bytes, round = VECTORS * bytes;
    int64_t left = stop - at.to - round - (VECTOR_BYTES - bytes);
    for (; left >= (WIDES - 1) * round; left -= WIDES * round) {
        UNROLL
        for (int32_t k = 0; k < WIDES; k++) {
            if (prefetches) {
                prefetch_windows(address_after(at.from, all->distance), all->step, all->window);
            }
            at = shuffle_round(all, at, chunks, full, streams);
        }
    }
#if VECTORS * VECTOR_BYTES < 64 /* WIDES is more than 1 */
    for (; left >= 0; left -= round) {
        at = shuffle_round(all, at, chunks, full, false);
    }
#endif
    return at;
}

/* Copies items up to the next aligned address: that of a line, if stores of whole lines follow that are non-temporal.
 * Such stores of half a line are worse than none (record half-line-streams). Aligning the stores of less than
 * MIN_ALIGNED vectors costs more than it saves. Not measured; chosen because it costs about one vector. */
INLINE TARGET shuffle_position
shuffle_to_aligned(const shuffling *all, shuffle_position at, const char *stop, const int32_t chunks)
{
    enum { MIN_ALIGNED = 8 };
    const bool aligns = all->full && stop - at.to >= MIN_ALIGNED * all->bytes;
    int64_t skip = aligns ? items_to_aligned(at.to, all->items, all->streams ? 64 : VECTORS * VECTOR_BYTES) : 0;
    while (skip > 0) {
        int64_t items = skip < all->items ? skip : all->items;
        store_vector(at.to, shuffle_window(&all->shuffler, at.from, chunks));
        at.to += items * all->item_bytes;
        at.from += items * all->stride;
        skip -= items;
    }
    return at;
}

/* Constants where the ends of all rows are copied with masks. FITS: whether a row has as many bytes left as a vector:
 * see has_few_vectors. */
#ifdef MASKED_ENDS
#define INSIDE(row) false
#define FITS(bytes, left) true
#else
#define INSIDE(row) (row)
#define FITS(bytes, left) ((bytes) <= (left))
#endif

/* Copies `columns` items, at least as many as a vector has. `inside`: loads and stores of whole vectors may reach
 * beyond the row. The function is inlined where `chunks` and the fields of `all` are known, so they are constants of
 * its loops. */
INLINE TARGET void
shuffle_row(const shuffling *all, char *to, const char *from, int64_t columns, bool inside, const int32_t chunks)
{
    (void)inside;
    shuffle_position at = {to, from};
    const int64_t bytes = all->bytes, head = INSIDE(inside) ? 0 : all->head;
    char *const end = to + columns * all->item_bytes;
    char *const stop = end + (INSIDE(inside) ? VECTOR_BYTES - bytes : -all->tail * all->item_bytes);
    const char *const last = from + (columns - all->items) * all->stride; /* the last vector's window */
    const bool forwards = from < last;
    const char *const low = forwards ? from : last, *const high = (forwards ? last : from) + all->window;
    for (int64_t done = 0; done < head && FITS(bytes, end - at.to); done += all->items) {
        store_bytes(at.to, shuffle_last_window(&all->shuffler, at.from, chunks, low, high), bytes);
        at.to += bytes;
        at.from += all->step;
    }
    at = shuffle_to_aligned(all, at, stop, chunks);
    const bool aligned = ((uintptr_t)at.to & 63) == 0;
    const bool full = all->full, streams = all->streams && aligned;
    if (full && !streams && !all->prefetches) {
        at = shuffle_rounds(all, at, stop, chunks, FULL);
    }
    else if (full && !streams) {
        at = shuffle_rounds(all, at, stop, chunks, FULL | PREFETCHES);
    }
    else if (streams && all->prefetches) {
        at = shuffle_rounds(all, at, stop, chunks, FULL | STREAMS | PREFETCHES);
    }
    else if (streams) {
        at = shuffle_rounds(all, at, stop, chunks, FULL | STREAMS);
    }
    else if (all->prefetches) {
        at = shuffle_rounds(all, at, stop, chunks, PREFETCHES);
    }
    else {
        at = shuffle_rounds(all, at, stop, chunks, 0);
    }
#if VECTORS > 1
    for (; stop - at.to >= VECTOR_BYTES; at.to += bytes, at.from += all->step) {
        store_vector(at.to, shuffle_window(&all->shuffler, at.from, chunks));
    }
#endif
    if (INSIDE(inside)) {
        if (at.to < end) {
            store_vector(end - bytes, shuffle_window(&all->shuffler, last, chunks));
        }
        return;
    }
    while (at.to < end) {
        at = end - at.to < bytes ? (shuffle_position){end - bytes, last} : at;
        store_bytes(at.to, shuffle_last_window(&all->shuffler, at.from, chunks, low, high), bytes);
        at.to += bytes;
        at.from += all->step;
    }
}

#ifndef MASKED_ENDS
/* True if what whole vectors read beyond the end of a row belongs to the next row of the tile, or to the one before if
 * they run backwards, and what they write there to the next row. The ends of such rows need no care
 * (record shuffled-joined-rows). */
INLINE TARGET bool
has_joined_rows(const shuffling *all, const ssop_tile *tile, const int32_t chunks)
{
    const int64_t pitch = tile->src_row < 0 ? -tile->src_row : tile->src_row, extent = row_extent(tile, tile->table);
    const int64_t row_bytes = tile->columns * all->item_bytes, beyond = VECTOR_BYTES - all->bytes;
    const bool reads = (pitch <= extent) & (pitch >= chunks * VECTOR_BYTES - all->window);
    const bool writes = (tile->dst_row == row_bytes) & (row_bytes >= beyond);
    return reads & (all->full | writes);
}
#endif

#ifdef MASKED_ENDS
/* True if a row has so few vectors that what shuffle_row tests before its loop takes longer than what it gains
 * (record few-vectors).
 *
 * Fewer than NEAR_END items are near the end of a row (items_near_end), so in other rows vectors of those fit; they do
 * as well where stores are non-temporal, because these write whole lines. */
INLINE bool
has_few_vectors(const shuffling *all, const ssop_tile *tile)
{
    enum { MAX_FEW_VECTORS = 16, NEAR_END = 64 };
    return !all->streams && (tile->columns <= MAX_FEW_VECTORS * all->items || tile->columns <= NEAR_END);
}

/* All vectors of a row with the masks of its end; the last one is moved back to end with the row. */
INLINE TARGET void
shuffle_short_rows(char *dst, const char *src, const ssop_tile *tile, const shuffling *all, const int32_t chunks)
{
    const int64_t last = tile->columns - all->items, bytes = all->bytes;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row, *const last_to = to + last * all->item_bytes;
        const char *from = src + row * tile->src_row, *const last_from = from + last * all->stride;
        for (; to < last_to; to += bytes, from += all->step) {
            store_bytes(to, shuffle_last_window(&all->shuffler, from, chunks, NULL, NULL), bytes);
        }
        store_bytes(last_to, shuffle_last_window(&all->shuffler, last_from, chunks, NULL, NULL), bytes);
    }
}
#endif

/* Rows inside a tile need no care at their ends. `chunks` is a constant in every call, except for rare large numbers of
 * chunks. */
INLINE TARGET void
shuffle_rows(char *dst, const char *src, const ssop_tile *tile, const int32_t chunks)
{
    const shuffling all = start_shuffling(dst, tile, chunks);
    const int64_t low = ((const shuffle_table *)tile->table)->low;
#ifdef MASKED_ENDS
    if (has_few_vectors(&all, tile)) {
        shuffle_short_rows(dst, src + low, tile, &all, chunks);
        return;
    }
#else
    const int64_t first = has_joined_rows(&all, tile, chunks) ? tile->src_row < 0 : tile->rows;
#endif
    for (int64_t row = 0; row < tile->rows; row++) {
        const char *from = src + row * tile->src_row + low;
        const bool inside = INSIDE(row >= first && row + 1 < tile->rows);
        shuffle_row(&all, dst + row * tile->dst_row, from, tile->columns, inside, chunks);
    }
}

static TARGET void
shuffle_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    int32_t chunks = ((const shuffle_table *)tile->table)->chunks;
    switch (chunks) {
    case 1:
        shuffle_rows(dst, src, tile, 1);
        break;
    case 2:
        shuffle_rows(dst, src, tile, 2);
        break;
    case 3:
        shuffle_rows(dst, src, tile, 3);
        break;
    case 4:
        shuffle_rows(dst, src, tile, 4);
        break;
    default:
        shuffle_rows(dst, src, tile, chunks);
    }
}

#undef SHUFFLE
#undef WIDES
#undef FULL
#undef STREAMS
#undef PREFETCHES
#undef items_to_aligned
#undef items_near_end
#undef prefetch_windows
#undef shuffle_round
#undef start_shuffling
#undef shuffle_position
#undef shuffle_rounds
#undef shuffle_to_aligned
#undef shuffle_row
#undef has_joined_rows
#undef INSIDE
#undef FITS
#undef shuffle_rows
#undef row_extent
#undef has_few_vectors
#undef shuffle_short_rows
#undef shuffling
#undef shuffle_kernel
