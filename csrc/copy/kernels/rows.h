/* Template. Rows: items of any size, each one block on both sides; and their dilation, which clears the bytes between them.
 * Up to 256 bytes an item is a few blocks, of which the last ends with it and overlaps the one before; the size is looked at
 * outside the loops.
 * Include once per tier, with TIER, TARGET, copy16, copy32, copy64, stream16, stream64, stream_end,
 * prefetch_write, and prefetch.h;
 * rep_movsb and is_good_for_rep_movsb, if REP_MOVSB is defined. */

/* A copy of up to NEAR_BYTES may well have its source in the first cache. EARLY_BYTES of the next row are prefetched with
 * each row: no hardware prefetcher guesses where that begins. */
enum { MIN_STREAM_BYTES = 512, NEAR_BYTES = 16 * 1024, EARLY_BYTES = 128 };

/* How long rows are read. */
typedef struct {
    KERNEL(lookahead) look;
    int64_t pitch, early; /* bytes of the next row that are prefetched first */
    bool far, write_far;  /* prefetch line by line: the source, and what is written */
#ifdef REP_MOVSB
    bool uses_rep_movsb;
#endif
} KERNEL(reading);

INLINE TARGET void
KERNEL(copy_long)(char *to, const char *from, int64_t bytes, const KERNEL(reading) * reading)
{
    KERNEL(prefetch_span)(address_after(from, reading->pitch), reading->early);
    copy64(to, from);
    int64_t at = 64 - (int64_t)((uintptr_t)to & 63);
#ifdef REP_MOVSB
    if (reading->uses_rep_movsb && is_good_for_rep_movsb(to, from)) {
        rep_movsb(to + at, from + at, bytes - at);
        return;
    }
#endif
    for (; at + 256 <= bytes; at += 256) {
        for (int64_t k = 0; reading->far && k < 256; k += 64) {
            KERNEL(prefetch_later)(&reading->look, from, at + k);
        }
        for (int64_t k = 0; reading->write_far && k < 256; k += 64) {
            prefetch_write(address_after(to, at + k + WRITE_AHEAD_BYTES));
        }
        copy64(to + at, from + at);
        copy64(to + at + 64, from + at + 64);
        copy64(to + at + 128, from + at + 128);
        copy64(to + at + 192, from + at + 192);
        NOT_MEMCPY();
    }
    for (; at + 64 <= bytes; at += 64) {
        copy64(to + at, from + at);
        NOT_MEMCPY();
    }
    copy64(to + bytes - 64, from + bytes - 64);
}

/* Fewer than 64 bytes, and not one more: a line with non-temporal stores must not get regular ones, too. */
INLINE TARGET void
KERNEL(copy_part)(char *to, const char *from, int64_t bytes)
{
    int64_t at = 0;
    for (; at + 16 <= bytes; at += 16) {
        copy16(to + at, from + at);
        NOT_MEMCPY();
    }
    for (; at < bytes; at++) {
        to[at] = from[at];
        NOT_MEMCPY();
    }
}

/* Whole lines with non-temporal stores. */
INLINE TARGET void
KERNEL(stream_long)(char *to, const char *from, int64_t bytes, const KERNEL(lookahead) * look)
{
    int64_t at = (int64_t)(-(uintptr_t)to & 63);
    at = at < bytes ? at : bytes;
    KERNEL(copy_part)(to, from, at);
    for (; at + 64 <= bytes; at += 64) {
        KERNEL(prefetch_later)(look, from, at);
        stream64(to + at, from + at);
    }
    KERNEL(copy_part)(to + at, from + at, bytes - at);
}

/* Shorter rows that adjoin: together they are whole lines. */
INLINE TARGET void
KERNEL(stream_short)(char *to, const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 16) {
        stream16(to + at, from + at);
    }
}

/* True if each row is so many bytes or a multiple, and so are their places. */
INLINE TARGET bool
KERNEL(is_aligned)(const char *dst, const ssop_tile *tile, int64_t bytes)
{
    int64_t places = tile->dst_row | tile->dst_column | tile->item_bytes;
    return (((uintptr_t)dst | (uintptr_t)places) & (uintptr_t)(bytes - 1)) == 0;
}

/* A block at the beginning, and one at the end: for bytes in size .. 2 * size. */
#define COPY_ENDS(copy, size) (copy(to, from), copy(to + bytes - (size), from + bytes - (size)))
#define COPY2(to, from) memcpy(to, from, 2)
#define COPY4(to, from) memcpy(to, from, 4)
#define COPY8(to, from) memcpy(to, from, 8)
#define COPY128(to, from) (copy64(to, from), copy64((to) + 64, (from) + 64))

#define EACH_ROW(copy)                                                                                                 \
    for (int64_t row = 0; row < tile->rows; row++) {                                                                   \
        char *to = dst + row * tile->dst_row;                                                                          \
        const char *from = src + row * tile->src_row;                                                                  \
        for (int64_t left = columns;;) {                                                                               \
            copy;                                                                                                      \
            NOT_MEMCPY();                                                                                              \
            if (--left == 0) { /* no pointer beyond the row: the next one might wrap around the address space */       \
                break;                                                                                                 \
            }                                                                                                          \
            to += dst_column;                                                                                          \
            from += src_column;                                                                                        \
        }                                                                                                              \
    }

#define EACH_ITEM(copy) EACH_ROW(if (far) { KERNEL(prefetch_row)(&look, from, bytes); } copy)

/* Items of 2 to 256 bytes. */
#define EACH_SHORT_ITEM(each)                                                                                          \
    if (bytes > 128) {                                                                                                 \
        each(COPY_ENDS(COPY128, 128))                                                                                  \
    }                                                                                                                  \
    else if (bytes > 64) {                                                                                             \
        each(COPY_ENDS(copy64, 64))                                                                                    \
    }                                                                                                                  \
    else if (bytes > 32) {                                                                                             \
        each(COPY_ENDS(copy32, 32))                                                                                    \
    }                                                                                                                  \
    else if (bytes >= 16) {                                                                                            \
        each(COPY_ENDS(copy16, 16))                                                                                    \
    }                                                                                                                  \
    else if (bytes >= 8) {                                                                                             \
        each(COPY_ENDS(COPY8, 8))                                                                                      \
    }                                                                                                                  \
    else if (bytes >= 4) {                                                                                             \
        each(COPY_ENDS(COPY4, 4))                                                                                      \
    }                                                                                                                  \
    else {                                                                                                             \
        each(COPY_ENDS(COPY2, 2))                                                                                      \
    }

static TARGET void
KERNEL(rows)(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t bytes = tile->item_bytes, columns = tile->columns;
    const int64_t dst_column = tile->dst_column, src_column = tile->src_column;
    const bool stream = (tile->policy & SSOP_STREAM) != 0, adjoin = dst_column == bytes && columns > 1;
    const bool lines = bytes >= MIN_STREAM_BYTES || KERNEL(is_aligned)(dst, tile, 64);
    const bool far = (tile->policy & SSOP_PREFETCH) != 0;
    KERNEL(lookahead) look = {0, 0};
    if (far) { /* for what is near, a division would take a good part of the time */
        look = KERNEL(look_ahead)(bytes, src_column);
    }
    if (stream && lines) {
        EACH_ROW(KERNEL(stream_long)(to, from, bytes, &look))
        stream_end();
    }
    else if (stream && adjoin && KERNEL(is_aligned)(dst, tile, 16)) {
        EACH_ROW((KERNEL(prefetch_row)(&look, from, bytes), KERNEL(stream_short)(to, from, bytes)))
        stream_end();
    }
    else if (bytes > 256 && bytes * columns <= NEAR_BYTES &&
             !far) { /* with a constant for all that is of no use there */
        const KERNEL(reading) reading = {.early = 0};
        EACH_ROW(KERNEL(copy_long)(to, from, bytes, &reading))
    }
    else if (bytes > 256) {
        const KERNEL(reading) reading = {
            .look = look,
            .pitch = src_column,
            .early = EARLY_BYTES,
            .far = far,
            .write_far = (tile->policy & SSOP_PREFETCH_WRITE) != 0,
#ifdef REP_MOVSB
            .uses_rep_movsb = (tile->policy & SSOP_REP_MOVSB) != 0,
#endif
        };
        EACH_ROW(KERNEL(copy_long)(to, from, bytes, &reading))
    }
    else if (bytes == 1) { /* a copy of one byte: others of its size have kernels of their own */
        SSOP_ASSERT(tile->rows == 1 && columns == 1);
        *dst = *src;
    }
    else
        EACH_SHORT_ITEM(EACH_ITEM)
}

/* As EACH_ROW, with zero bytes from each item to the next one. */
#define EACH_DILATED_ITEM(copy)                                                                                        \
    for (int64_t row = 0; row < tile->rows; row++) {                                                                   \
        char *to = dst + row * tile->dst_row;                                                                          \
        const char *from = src + row * tile->src_row;                                                                  \
        for (int64_t left = columns;;) {                                                                               \
            copy;                                                                                                      \
            NOT_MEMCPY();                                                                                              \
            if (--left == 0) {                                                                                         \
                break;                                                                                                 \
            }                                                                                                          \
            clear_bytes(to + bytes, gap);                                                                              \
            to += dst_column;                                                                                          \
            from += src_column;                                                                                        \
        }                                                                                                              \
        if (row + 1 < tile->rows) {                                                                                    \
            clear_bytes(to + bytes, row_gap);                                                                          \
        }                                                                                                              \
    }

static TARGET void
KERNEL(dilate_rows)(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t bytes = tile->item_bytes, columns = tile->columns;
    const int64_t dst_column = tile->dst_column, src_column = tile->src_column;
    const int64_t gap = dst_column - bytes, row_gap = tile->dst_row - (columns - 1) * dst_column - bytes;
    if (bytes > 256) {
        const KERNEL(reading) reading = {.pitch = columns > 1 ? src_column : tile->src_row,
                                         .early = EARLY_BYTES,
                                         .write_far = (tile->policy & SSOP_PREFETCH_WRITE) != 0};
        EACH_DILATED_ITEM(KERNEL(copy_long)(to, from, bytes, &reading))
    }
    else if (bytes == 1) { /* one in each row */
        SSOP_ASSERT(columns == 1);
        for (int64_t row = 0; row < tile->rows; row++) {
            dst[row * tile->dst_row] = src[row * tile->src_row];
            clear_row_end(dst, tile, row);
        }
    }
    else
        EACH_SHORT_ITEM(EACH_DILATED_ITEM)
}
