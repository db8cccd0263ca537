/* Template: copies of one row, or of a part of it. Include once per CPU target, with TARGET, copy16, line, load_line,
 * store_line, stream16, stream_line, prefetch_write and prefetch.h; and with rep_movsb and is_good_for_rep_movsb, if
 * REP_MOVSB is defined. */

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
copy_few_bytes(char *to, const char *from, int64_t bytes)
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
    copy_few_bytes(to, from, at);
    line next = load_line(from + at);
    for (; at + 128 <= bytes; at += 64) {
        const line v = next;
        prefetch_ahead(plan, from, at);
        next = load_line(from + at + 64);
        stream_line(to + at, v);
    }
    stream_line(to + at, next);
    at += 64;
    copy_few_bytes(to + at, from + at, bytes - at);
}

/* Copies a row with non-temporal stores of 16 bytes, of which several contiguous rows together write whole lines. */
INLINE TARGET void
stream_short(char *to, const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 16) {
        stream16(to + at, from + at);
    }
}
