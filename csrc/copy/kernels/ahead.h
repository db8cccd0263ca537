/* Template. Reading ahead, where the source comes from memory: processors guess little of what is not one adjoining stream,
 * and bring it into a far cache. Include once per tier, with TIER, TARGET and prefetch. */

/* Of rows, and of one stream of small items. */
enum { AHEAD_BYTES = 4096, SPAN_AHEAD_BYTES = 6144 };

/* The lines of so many bytes. */
INLINE TARGET void
KERNEL(prefetch_span)(const char *from, int64_t bytes)
{
    for (int64_t at = 0; at < bytes; at += 64) {
        prefetch(address_after(from, at));
    }
}

/* From a place in a row to the place that is wanted AHEAD_BYTES of rows later. */
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
