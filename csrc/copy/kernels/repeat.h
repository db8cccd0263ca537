/* Template: all columns of a row are one item of the source. A pattern of these items is made once per row and stored
 * again and again; all 64-byte stores of a row but the first and the last are aligned. Include once per CPU target,
 * with ISA, TARGET, copy64, stream64, stream_end, prefetch_write, rows.h and repeat_pattern.h. */
#define repeat_row KERNEL(repeat_row)
#define stream_repeated KERNEL(stream_repeated)
#define repeat_kernel KERNEL(repeat)

/* `ahead`: how far ahead is prefetched for writing; 0: nothing is. */
INLINE TARGET void
repeat_row(char *to, const char *pattern, int64_t bytes, int64_t period, const int64_t ahead)
{
    copy64(to, pattern);
    int64_t at = 64 - (int64_t)((uintptr_t)to & 63), phase = at;
    for (; period == 64 && ahead == 0 && at + 256 <= bytes; at += 256) {
        copy64(to + at, pattern + phase);
        copy64(to + at + 64, pattern + phase);
        copy64(to + at + 128, pattern + phase);
        copy64(to + at + 192, pattern + phase);
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
        stream64(to + at, pattern + phase);
        phase = phase + 64 <= period ? phase + 64 : phase + 64 - period;
    }
    memcpy(to + at, pattern + phase, (size_t)(bytes - at));
}

/* Rows have at least 64 bytes. */
static TARGET void
repeat_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t item_bytes = tile->item_bytes, bytes = tile->columns * item_bytes;
    const int64_t period = repeated_period(item_bytes);
    const int64_t ahead = (tile->policy & SSOP_PREFETCH_WRITE) != 0 ? tile->policies->prefetchw_distance : 0;
    const bool streams = (tile->policy & SSOP_STREAM) != 0 && bytes >= MIN_STREAM_BYTES;
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

#undef repeat_row
#undef stream_repeated
#undef repeat_kernel
