/* Template. Rows: items of any size, each one block on both sides. Up to 256 bytes an item is a few blocks, of which the
 * last ends with it and overlaps the one before; the size is looked at outside the loops.
 * Include once per tier, with TIER, TARGET, copy16, copy32, copy64, stream16, stream64, stream_end, and ahead.h;
 * copy_string, if STRING_COPY is defined. */

/* What is not more than NEAR_BYTES may well be in the first cache. */
enum { LEAST_STREAM_BYTES = 512, NEAR_BYTES = 16 * 1024, EARLY_BYTES = 128 };

/* How long rows are read. */
typedef struct {
    KERNEL(lookahead) look;
    int64_t pitch, early; /* bytes of the next row that are asked for at once: no processor guesses where it begins */
    bool ahead;           /* line by line */
#ifdef STRING_COPY
    bool string; /* by the processor's own loop */
#endif
} KERNEL(reading);

INLINE TARGET void
KERNEL(copy_long)(char *to, const char *from, int64_t bytes, const KERNEL(reading) * reading)
{
    KERNEL(prefetch_span)(address_after(from, reading->pitch), reading->early);
    copy64(to, from);
    int64_t at = 64 - (int64_t)((uintptr_t)to & 63);
#ifdef STRING_COPY
    if (reading->string && is_good_for_string(to, from)) {
        copy_string(to + at, from + at, bytes - at);
        return;
    }
#endif
    for (; at + 256 <= bytes; at += 256) {
        for (int64_t k = 0; reading->ahead && k < 256; k += 64) {
            KERNEL(prefetch_later)(&reading->look, from, at + k);
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

/* Fewer than 64 bytes, and not one more: a line that is written past the caches may not be in them. */
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

/* Whole lines past the caches. */
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
#define COPY1(to, from) memcpy(to, from, 1)
#define COPY2(to, from) memcpy(to, from, 2)
#define COPY4(to, from) memcpy(to, from, 4)
#define COPY8(to, from) memcpy(to, from, 8)
#define COPY128(to, from) (copy64(to, from), copy64((to) + 64, (from) + 64))

#define EACH_ROW(copy)                                                                                                 \
    for (int64_t row = 0; row < tile->rows; row++) {                                                                   \
        char *to = dst + row * tile->dst_row;                                                                          \
        const char *from = src + row * tile->src_row;                                                                  \
        for (int64_t column = 0; column < columns; column++) {                                                         \
            copy;                                                                                                      \
            to += dst_column;                                                                                          \
            from += src_column;                                                                                        \
            NOT_MEMCPY();                                                                                              \
        }                                                                                                              \
    }

#define EACH_ITEM(copy) EACH_ROW(if (far) { KERNEL(prefetch_row)(&look, from, bytes); } copy)

static TARGET void
KERNEL(rows)(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t bytes = tile->item_bytes, columns = tile->columns;
    const int64_t dst_column = tile->dst_column, src_column = tile->src_column;
    const bool stream = (tile->policy & SSOP_STREAM) != 0, adjoin = dst_column == bytes && columns > 1;
    const bool lines = bytes >= LEAST_STREAM_BYTES || KERNEL(is_aligned)(dst, tile, 64);
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
            .ahead = far,
#ifdef STRING_COPY
            .string = (tile->policy & SSOP_STRING) != 0,
#endif
        };
        EACH_ROW(KERNEL(copy_long)(to, from, bytes, &reading))
    }
    else if (bytes > 128) {
        EACH_ITEM(COPY_ENDS(COPY128, 128))
    }
    else if (bytes > 64) {
        EACH_ITEM(COPY_ENDS(copy64, 64))
    }
    else if (bytes > 32) {
        EACH_ITEM(COPY_ENDS(copy32, 32))
    }
    else if (bytes >= 16) {
        EACH_ITEM(COPY_ENDS(copy16, 16))
    }
    else if (bytes >= 8) {
        EACH_ITEM(COPY_ENDS(COPY8, 8))
    }
    else if (bytes >= 4) {
        EACH_ITEM(COPY_ENDS(COPY4, 4))
    }
    else if (bytes >= 2) {
        EACH_ITEM(COPY_ENDS(COPY2, 2))
    }
    else {
        EACH_ITEM(COPY1(to, from))
    }
}
