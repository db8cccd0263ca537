/* Template. Software prefetch of a source that comes from memory: hardware prefetchers do little for what is not one
 * sequential stream, and bring it only into the outer caches. Include once per tier, with TIER, TARGET and prefetch. */

/* How far ahead: rows, and one stream of small items. Best of the powers of two and their means in ssop bench --classes
 * rows-64B,stride-4B --sizes DRAM --threads 1 on a Zen 5. */
enum { AHEAD_BYTES = 4096, SPAN_AHEAD_BYTES = 6144 };

/* The lines of so many bytes. */
INLINE TARGET void
KERNEL(prefetch_span)(const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 64) {
        prefetch(address_after(from, at));
    }
}

/* From a place in a row to the place that is read AHEAD_BYTES of rows later. */
typedef struct {
    int64_t turn, jump; /* from `turn` on that is in a later row, `jump` bytes away */
} KERNEL(lookahead);

INLINE TARGET
KERNEL(lookahead) KERNEL(look_ahead)(int64_t row_bytes, int64_t pitch)
{
    KERNEL(lookahead) look = {0, AHEAD_BYTES / row_bytes * pitch};
    if (row_bytes > AHEAD_BYTES) {
        look.turn = row_bytes - AHEAD_BYTES;
        look.jump = pitch - look.turn;
    }
    return look;
}

INLINE TARGET void
KERNEL(prefetch_later)(const KERNEL(lookahead) * look, const char *from, int64_t at)
{
    prefetch(address_after(from, at + (at < look->turn ? AHEAD_BYTES : look->jump)));
}

INLINE TARGET void
KERNEL(prefetch_row)(const KERNEL(lookahead) * look, const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 64) {
        KERNEL(prefetch_later)(look, from, at);
    }
}
