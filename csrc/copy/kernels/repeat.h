/* Template: all columns of a row are one item of the source. A pattern of these items is made once per row and stored
 * again and again; all 64-byte stores of a row but the first and the last are aligned. Include once per CPU target,
 * with ISA, TARGET, load_line, stream_line, stream_end, prefetch_write, rows.h and repeat_pattern.h. */
#define repeat_words KERNEL(repeat_words)
#define repeat_short_rows KERNEL(repeat_short_rows)
#define repeat_row KERNEL(repeat_row)
#define stream_repeated KERNEL(stream_repeated)
#define repeat_kernel KERNEL(repeat)

/* `item_bytes` is a constant in every call, so that its choice is not in the loop. */
INLINE TARGET void
repeat_words(char *dst, const char *src, const ssop_tile *tile, const int64_t item_bytes)
{
    const int64_t last = tile->columns * item_bytes - 16;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const repeated_words words = make_words(src + row * tile->src_row, item_bytes);
        for (int64_t at = 0; at < last; at += 16) {
            memcpy(to + at, &words, sizeof words);
        }
        memcpy(to + last, &words, sizeof words);
    }
}

/* Rows of at most MAX_SHORT_ROW_BYTES, for which making a pattern takes longer than storing them: AVX2's loads of 32
 * bytes cannot be forwarded from the stores of 16 that made it. On a Zen 4, 128 KiB of f8 repeated 8 times each
 * ran at 7.1 GB/s with a pattern and at 43 without (`ssop bench --classes broadcast`). MAX_SHORT_ROW_BYTES: not
 * measured; chosen because the pattern is 128 bytes. */
enum { MAX_SHORT_ROW_BYTES = 256 };

NOINLINE TARGET void
repeat_short_rows(char *dst, const char *src, const ssop_tile *tile)
{
    switch (tile->item_bytes) {
    case 1:
        repeat_words(dst, src, tile, 1);
        break;
    case 2:
        repeat_words(dst, src, tile, 2);
        break;
    case 4:
        repeat_words(dst, src, tile, 4);
        break;
    case 8:
        repeat_words(dst, src, tile, 8);
        break;
    default:
        repeat_words(dst, src, tile, 16);
    }
}

/* `ahead`: how far ahead is prefetched for writing; 0: nothing is. */
INLINE TARGET void
repeat_row(char *to, const char *pattern, int64_t bytes, int64_t period, const int64_t ahead)
{
    copy64(to, pattern);
    int64_t at = 64 - (int64_t)((uintptr_t)to & 63), phase = at;
    const line first = load_line(pattern + phase); /* every line, if the period is one */
    for (; period == 64 && ahead == 0 && at + 256 <= bytes; at += 256) {
        store_line(to + at, first);
        store_line(to + at + 64, first);
        store_line(to + at + 128, first);
        store_line(to + at + 192, first);
        NOT_MEMCPY();
    }
    for (; at + 64 <= bytes; at += 64) {
        if (ahead != 0) {
            prefetch_write(address_after(to, at + ahead));
        }
        copy64(to + at, pattern + phase);
        NOT_MEMCPY();
        phase = phase + 64 <= period ? phase + 64 : phase + 64 - period;
    }
    copy64(to + bytes - 64, pattern + (bytes - 64) % period);
}

/* Non-temporal stores of whole lines, which need not be read first; the parts of lines at the ends get regular stores.
 * Fills of 64 MiB of f4 on a Zen 3 ran at 20.5 GB/s instead of 13.7 (ssop.copyto, fastest of seven interleaved
 * rounds). */
INLINE TARGET void
stream_repeated(char *to, const char *pattern, int64_t bytes, int64_t period)
{
    int64_t at = (int64_t)(-(uintptr_t)to & 63), phase = at;
    memcpy(to, pattern, (size_t)at);
    for (; at + 64 <= bytes; at += 64) {
        stream_line(to + at, load_line(pattern + phase));
        phase = phase + 64 <= period ? phase + 64 : phase + 64 - period;
    }
    memcpy(to + at, pattern + phase, (size_t)(bytes - at));
}

/* Rows have at least 16 bytes where is_repeated_as_words, and at least 64 else. */
static TARGET void
repeat_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t item_bytes = tile->item_bytes, bytes = tile->columns * item_bytes;
    const int64_t period = repeated_period(item_bytes);
    const int64_t ahead = (tile->policy & SSOP_PREFETCH_WRITE) != 0 ? tile->policies->prefetchw_distance : 0;
    const bool streams = (tile->policy & SSOP_STREAM) != 0 && bytes >= MIN_STREAM_BYTES;
    if (bytes <= MAX_SHORT_ROW_BYTES && is_repeated_as_words(item_bytes)) {
        repeat_short_rows(dst, src, tile);
        return;
    }
    char pattern[MAX_PATTERN_BYTES];
    for (int64_t row = 0; row < tile->rows; row++) {
        char *to = dst + row * tile->dst_row;
        const char *item = src + row * tile->src_row;
        /* memset reached 101 GB/s for 8 KiB on a Cascade Lake, loops of 32-byte stores 47 (kernels alone). */
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
    if (streams) {
        stream_end();
    }
}

#undef repeat_words
#undef repeat_short_rows
#undef repeat_row
#undef stream_repeated
#undef repeat_kernel
