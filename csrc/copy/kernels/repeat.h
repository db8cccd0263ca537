/* Template: all columns of a row are one item of the source. A pattern of these items is made once per row and stored
 * again and again; all 64-byte stores of a row but the first and the last are aligned. Include once per CPU target,
 * with TARGET, lane, store_lane16, line and its functions, prefetch_write, rows.h, repeat_pattern.h and, if the target
 * makes a line of an item at once, HAS_BROADCASTS and broadcast_item. */

/* Stores the first 16, 32 or 64 bytes of a line. */
INLINE TARGET void
store_first(char *to, line v, const int64_t width)
{
    if (width == 64) {
        store_line(to, v);
    }
    else if (width == 32) {
        store_half_line(to, v);
    }
    else {
        store_lane16(to, first_lane(v));
    }
}

/* A line of copies of an item of 1, 2, 4, 8, 16 or 32 bytes. */
INLINE TARGET line
repeat_in_line(const char *item, const int64_t item_bytes)
{
    if (item_bytes == 32) {
        return repeat_half_line(item);
    }
#ifdef HAS_BROADCASTS
    return broadcast_item(item, item_bytes);
#else
    return repeat_lane((lane)make_words(item, item_bytes));
#endif
}

/* Rows of at least `width` bytes, which is a constant in every call, as `item_bytes` is: their choice is not in the
 * loop. Nor are loads of the tile, which the stores to rows might change for all that a compiler knows. */
INLINE TARGET void
repeat_in_lines(char *dst, const char *src, const ssop_tile *tile, const int64_t item_bytes, const int64_t width)
{
    const int64_t rows = tile->rows, dst_row = tile->dst_row, src_row = tile->src_row;
    const int64_t last = tile->columns * item_bytes - width;
    for (int64_t row = 0; row < rows; row++) {
        char *to = dst + row * dst_row;
        const line v = repeat_in_line(src + row * src_row, item_bytes);
        for (int64_t at = 0; at < last; at += width) {
            store_first(to + at, v, width);
        }
        store_first(to + last, v, width);
    }
}

INLINE TARGET void
repeat_items(char *dst, const char *src, const ssop_tile *tile, const int64_t item_bytes)
{
    const int64_t bytes = tile->columns * item_bytes;
    if (bytes >= 64) {
        repeat_in_lines(dst, src, tile, item_bytes, 64);
    }
    else if (bytes >= 32) {
        repeat_in_lines(dst, src, tile, item_bytes, 32);
    }
    else {
        repeat_in_lines(dst, src, tile, item_bytes, 16);
    }
}

/* Rows of at most MAX_SHORT_ROW_BYTES, for which making a pattern takes longer than storing them: loads of a line
 * cannot be forwarded from the narrower stores that made it. Longer rows gain nothing, because their lines are not
 * aligned (record repeat-patterns). MAX_UNPREFETCHED_BYTES: longer rows are prefetched for writing where the policy
 * asks for it. Not measured; chosen because prefetching costs a loop over lines. */
enum { MAX_SHORT_ROW_BYTES = 1024, MAX_UNPREFETCHED_BYTES = 256 };

NOINLINE TARGET void
repeat_short_rows(char *dst, const char *src, const ssop_tile *tile)
{
    switch (tile->item_bytes) {
    case 1:
        repeat_items(dst, src, tile, 1);
        break;
    case 2:
        repeat_items(dst, src, tile, 2);
        break;
    case 4:
        repeat_items(dst, src, tile, 4);
        break;
    case 8:
        repeat_items(dst, src, tile, 8);
        break;
    case 16:
        repeat_items(dst, src, tile, 16);
        break;
    default:
        repeat_in_lines(dst, src, tile, 32, 64);
    }
}

/* Where a line of the pattern begins that follows the one at `phase`. */
INLINE int64_t
next_phase(int64_t phase, int64_t period)
{
    return phase + 64 <= period ? phase + 64 : phase + 64 - period;
}

/* `ahead`: how far ahead is prefetched for writing; 0: nothing is. Patterns of one or three lines stay in registers, as
 * those of pixels (record patterns-in-registers). */
INLINE TARGET void
repeat_row(char *to, const char *pattern, int64_t bytes, int64_t period, const int64_t ahead)
{
    copy64(to, pattern);
    int64_t at = 64 - (int64_t)((uintptr_t)to & 63), phase = at;
    const int64_t second_phase = next_phase(phase, period);
    const line first = load_line(pattern + phase), second = load_line(pattern + second_phase),
               third = load_line(pattern + next_phase(second_phase, period));
    for (; period <= 192 && ahead == 0 && at + 192 <= bytes; at += 192) {
        store_line(to + at, first);
        store_line(to + at + 64, second);
        store_line(to + at + 128, third);
        NOT_MEMCPY();
    }
    for (; at + 64 <= bytes; at += 64) {
        if (ahead != 0) {
            prefetch_write(address_after(to, at + ahead));
        }
        copy64(to + at, pattern + phase);
        NOT_MEMCPY();
        phase = next_phase(phase, period);
    }
    copy64(to + bytes - 64, pattern + (bytes - 64) % period);
}

/* Non-temporal stores of whole lines, which need not be read first (record streamed-fills); the parts of lines at the
 * ends get regular stores. */
INLINE TARGET void
stream_repeated(char *to, const char *pattern, int64_t bytes, int64_t period)
{
    int64_t at = (int64_t)(-(uintptr_t)to & 63), phase = at;
    memcpy(to, pattern, (size_t)at);
    for (; at + 64 <= bytes; at += 64) {
        stream_line(to + at, load_line(pattern + phase));
        phase = next_phase(phase, period);
    }
    memcpy(to + at, pattern + phase, (size_t)(bytes - at));
}

/* Rows have at least min_repeated_bytes. */
static TARGET void
repeat_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t item_bytes = tile->item_bytes, bytes = tile->columns * item_bytes;
    const int64_t period = repeated_period(item_bytes);
    const int64_t ahead = (tile->policy & SSOP_PREFETCH_WRITE) != 0 ? tile->policies->prefetchw_distance : 0;
    const bool streams = (tile->policy & SSOP_STREAM) != 0;
    SSOP_ASSERT(!streams || bytes >= MIN_STREAM_BYTES);
    const int64_t most = streams ? 0 : ahead != 0 ? MAX_UNPREFETCHED_BYTES : MAX_SHORT_ROW_BYTES;
    if (bytes <= most && is_repeated_in_lines(item_bytes)) {
        repeat_short_rows(dst, src, tile);
        return;
    }
    char pattern[MAX_PATTERN_BYTES];
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *item = src + row * tile->src_row;
        /* memset is faster than loops of stores in the caches (record memset-fills) */
        if (item_bytes == 1 && ahead == 0 && !streams) {
            memset(to, *item, (size_t)bytes);
            continue;
        }
        if (row == 0 || tile->src_row != 0) {
            make_pattern(pattern, item, item_bytes, period + 64);
        }
        if (streams) {
            stream_repeated(to, pattern, bytes, period);
        }
        else {
            repeat_row(to, pattern, bytes, period, ahead);
        }
    }
}
