/* Template: items of any size, each one contiguous block on both sides; and their dilation, which fills the gaps
 * between them. Up to 256 bytes an item is two blocks of a fixed size, one at its beginning and one at its end, which
 * may overlap; 256 is not measured, but chosen because its eight vectors of 32 bytes fit into registers. The item size
 * is tested outside the loops over items, so that the loops have no branch that could be predicted wrongly. Include
 * once per CPU target, with TARGET, copy16, copy32, line, load_line, store_line, stream16, stream_line, prefetch_write,
 * prefetch.h and gaps.h; and with rep_movsb and is_good_for_rep_movsb, if REP_MOVSB is defined. */

/* A copy of at most MAX_L1_COPY_BYTES may have its source in the L1 cache, where a prefetch only costs time
 * (record l1-prefetch). Not measured; chosen because source and destination together fill an L1 cache of 32 KiB.
 *
 * Each longer row prefetches the first NEXT_ROW_PREFETCH_BYTES of the next row, because no hardware prefetcher knows
 * where that begins. Not measured; chosen because it is one pair of lines, of which hardware prefetchers fetch both. */
enum { MAX_L1_COPY_BYTES = 16 * 1024, NEXT_ROW_PREFETCH_BYTES = 128 };

INLINE TARGET void
copy64(char *to, const char *from)
{
    store_line(to, load_line(from));
}

/* How rows of more than 256 bytes are copied. */
typedef struct {
    prefetch_plan plan;
    int64_t write_distance;              /* from a store to the prefetch for writing that is issued with it */
    int64_t pitch, next_row_bytes;       /* how far away the next row is, and how much of it is prefetched first */
    bool prefetches_src, prefetches_dst; /* line by line, while the row is copied */
#ifdef REP_MOVSB
    bool uses_rep_movsb;
#endif
} long_row_options;

/* True if the destination begins in its page more than a line and less than ALIAS_BYTES further than the source in its
 * own, in a row that is worth the test: loads may wait for the stores of several lines before
 * (record aliasing-backwards). MIN_BYTES: not measured; chosen because a wrong prediction of the branch costs about as
 * much as copying a fifth of that. */
INLINE bool
aliases(const char *to, const char *from, int64_t bytes)
{
    enum { ALIAS_BYTES = 448, MIN_BYTES = 2048 };
    const uintptr_t behind = ((uintptr_t)to - (uintptr_t)from) % PAGE_BYTES;
    return bytes >= MIN_BYTES && behind >= LINE_BYTES && behind < ALIAS_BYTES;
}

/* Copies a row of at least 256 bytes from its end to its beginning, where no load aliases a store before it. */
NOINLINE TARGET void
copy_backwards(char *to, const char *from, int64_t bytes)
{
    copy64(to + bytes - 64, from + bytes - 64);
    int64_t end = bytes - (int64_t)((uintptr_t)(to + bytes) & 63);
    for (; end >= 256; end -= 256) {
        UNROLL
        for (int64_t k = 64; k <= 256; k += 64) {
            copy64(to + end - k, from + end - k);
        }
        NOT_MEMCPY();
    }
    for (; end >= 64; end -= 64) {
        copy64(to + end - 64, from + end - 64);
        NOT_MEMCPY();
    }
    copy64(to, from);
}

/* Copies a row of more than 256 bytes. Each line is loaded before the one before it is stored, here and in stream_long:
 * a load may wait until an earlier store is done if their offsets in their pages overlap, as they do where the
 * destination begins up to a line further in its page than the source (record aliasing-load-first). */
INLINE TARGET void
copy_long(char *to, const char *from, int64_t bytes, const long_row_options *options)
{
    prefetch_span(address_after(from, options->pitch), options->next_row_bytes);
    copy64(to, from);
    int64_t at = 64 - (int64_t)((uintptr_t)to & 63);
#ifdef REP_MOVSB
    if (options->uses_rep_movsb && is_good_for_rep_movsb(to, from)) {
        rep_movsb(to + at, from + at, bytes - at);
        return;
    }
#endif
    if (!options->prefetches_src && !options->prefetches_dst && aliases(to, from, bytes)) {
        copy_backwards(to, from, bytes);
        return;
    }
    line next = load_line(from + at);
    for (; at + 320 <= bytes; at += 256) {
        for (int64_t k = 0; options->prefetches_src && k < 256; k += 64) {
            prefetch_ahead(&options->plan, from, at + k);
        }
        for (int64_t k = 0; options->prefetches_dst && k < 256; k += 64) {
            prefetch_write(address_after(to, at + k + options->write_distance));
        }
        UNROLL
        for (int64_t k = 0; k < 256; k += 64) {
            const line v = next;
            next = load_line(from + at + k + 64);
            store_line(to + at + k, v);
        }
        NOT_MEMCPY();
    }
    for (; at + 64 < bytes; at += 64) {
        copy64(to + at, from + at);
        NOT_MEMCPY();
    }
    copy64(to + bytes - 64, from + bytes - 64);
}

/* Copies a few bytes and stores to no other byte: a line that gets non-temporal stores must not get regular ones as
 * well. */
INLINE TARGET void
copy_part(char *to, const char *from, int64_t bytes)
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

/* Copies a row that has a whole line. Whole lines get non-temporal stores, and the parts of lines at the ends regular
 * ones. */
INLINE TARGET void
stream_long(char *to, const char *from, int64_t bytes, const prefetch_plan *plan)
{
    int64_t at = (int64_t)(-(uintptr_t)to & 63);
    SSOP_ASSERT(at + 64 <= bytes);
    copy_part(to, from, at);
    line next = load_line(from + at);
    for (; at + 128 <= bytes; at += 64) {
        const line v = next;
        prefetch_ahead(plan, from, at);
        next = load_line(from + at + 64);
        stream_line(to + at, v);
    }
    stream_line(to + at, next);
    at += 64;
    copy_part(to + at, from + at, bytes - at);
}

/* Copies a row with non-temporal stores of 16 bytes, of which several contiguous rows together write whole lines. */
INLINE TARGET void
stream_short(char *to, const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 16) {
        stream16(to + at, from + at);
    }
}

/* True if the address and the size of every row is a multiple of `bytes`. */
INLINE TARGET bool
is_aligned(const char *dst, const ssop_tile *tile, int64_t bytes)
{
    int64_t places = tile->dst_row | tile->dst_column | tile->item_bytes;
    return (((uintptr_t)dst | (uintptr_t)places) & (uintptr_t)(bytes - 1)) == 0;
}

/* Copies a block of `size` bytes at the beginning and one at the end: all of an item of size .. 2 * size bytes. */
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
            if (--left == 0) { /* a pointer beyond the row might wrap around the address space */                      \
                break;                                                                                                 \
            }                                                                                                          \
            to += dst_column;                                                                                          \
            from += src_column;                                                                                        \
        }                                                                                                              \
    }

#define EACH_ITEM(copy) EACH_ROW(if (prefetches) { prefetch_row(&plan, from, bytes); } copy)

/* Runs a loop over items of 2 to 256 bytes, with blocks of the size that suits them. */
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

#ifdef HAS_STREAM
#include "joined_rows.h"
#endif

static TARGET void
rows_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t bytes = tile->item_bytes, columns = tile->columns;
    const int64_t dst_column = tile->dst_column, src_column = tile->src_column;
    const bool stream = (tile->policy & SSOP_STREAM) != 0, contiguous = dst_column == bytes && columns > 1;
    const bool lines = bytes >= MIN_STREAM_BYTES || is_aligned(dst, tile, 64);
    const bool prefetches = (tile->policy & SSOP_PREFETCH) != 0;
    prefetch_plan plan = {0, 0, 0, false};
    if (prefetches) { /* only then: the division in plan_prefetch takes a good part of the time of a small copy */
        plan = plan_prefetch(tile, bytes, src_column);
    }
#ifdef HAS_STREAM
    if (stream && !lines && are_joined_rows(tile)) {
        stream_joined_rows(dst, src, tile);
        return;
    }
#endif
    if (stream && lines) {
        EACH_ROW(stream_long(to, from, bytes, &plan))
    }
    else if (stream && contiguous && is_aligned(dst, tile, 16)) {
        EACH_ROW((prefetch_row(&plan, from, bytes), stream_short(to, from, bytes)))
    }
    else if (bytes > 256 && bytes * columns <= MAX_L1_COPY_BYTES && !prefetches) {
        /* Constant options, so that the compiler drops the code of all that they switch off. */
        const long_row_options options = {.next_row_bytes = 0};
        EACH_ROW(copy_long(to, from, bytes, &options))
    }
    else if (bytes > 256) {
        const long_row_options options = {
            .plan = plan,
            .write_distance = tile->policies->prefetchw_distance,
            .pitch = src_column,
            .next_row_bytes = NEXT_ROW_PREFETCH_BYTES,
            .prefetches_src = prefetches,
            .prefetches_dst = (tile->policy & SSOP_PREFETCH_WRITE) != 0,
#ifdef REP_MOVSB
            .uses_rep_movsb = (tile->policy & SSOP_REP_MOVSB) != 0,
#endif
        };
        EACH_ROW(copy_long(to, from, bytes, &options))
    }
    else if (bytes == 1) { /* one item only: several items of one byte have kernels of their own */
        SSOP_ASSERT(tile->rows == 1 && columns == 1);
        *dst = *src;
    }
    else
        EACH_SHORT_ITEM(EACH_ITEM)
}

/* As EACH_ROW; also fills the gap between each item and the next one. */
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
            fill_gap(to + bytes, gap, &filler);                                                                        \
            to += dst_column;                                                                                          \
            from += src_column;                                                                                        \
        }                                                                                                              \
        if (row + 1 < tile->rows) {                                                                                    \
            fill_gap(to + bytes, row_gap, &filler);                                                                    \
        }                                                                                                              \
    }

static TARGET void
dilate_rows_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t bytes = tile->item_bytes, columns = tile->columns;
    const int64_t dst_column = tile->dst_column, src_column = tile->src_column;
    const int64_t gap = dst_column - bytes, row_gap = tile->dst_row - (columns - 1) * dst_column - bytes;
    const gap_filler filler = load_gap_filler(tile);
    if (bytes > 256) {
        const long_row_options options = {.write_distance = tile->policies->prefetchw_distance,
                                          .pitch = columns > 1 ? src_column : tile->src_row,
                                          .next_row_bytes = NEXT_ROW_PREFETCH_BYTES,
                                          .prefetches_dst = (tile->policy & SSOP_PREFETCH_WRITE) != 0};
        EACH_DILATED_ITEM(copy_long(to, from, bytes, &options))
    }
    else if (bytes == 1) { /* one item in each row */
        SSOP_ASSERT(columns == 1);
        for (int64_t row = 0; row < tile->rows; row++) {
            dst[row * tile->dst_row] = src[row * tile->src_row];
            fill_row_end(dst, tile, row, &filler);
        }
    }
    else
        EACH_SHORT_ITEM(EACH_DILATED_ITEM)
}
