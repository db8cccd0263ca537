/* Template: items of any size, each one contiguous block on both sides; and their dilation, which fills the gaps
 * between them. Up to 256 bytes an item is two blocks of a fixed size, one at its beginning and one at its end, which
 * may overlap; 256 is not measured, but chosen because its eight vectors of 32 bytes fit into registers. The item size
 * is tested outside the loops over items, so that the loops have no branch that could be predicted wrongly. Include
 * once per CPU target, with TARGET, copy16, copy32, prefetch.h, gaps.h and what one_row.h needs. */
#include "one_row.h"

/* A copy of at most MAX_L1_COPY_BYTES may have its source in the L1 cache, where a prefetch only costs time
 * (record l1-prefetch). Not measured; chosen because source and destination together fill an L1 cache of 32 KiB.
 *
 * Each longer row prefetches the first NEXT_ROW_PREFETCH_BYTES of the next row, because no hardware prefetcher knows
 * where that begins. Not measured; chosen because it is one pair of lines, of which hardware prefetchers fetch both. */
enum { MAX_L1_COPY_BYTES = 16 * 1024, NEXT_ROW_PREFETCH_BYTES = 128 };

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
