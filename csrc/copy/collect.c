/* Collects tiles that follow each other in the destination in a buffer, from which whole lines are written by
 * non-temporal stores. */
#include "nest.h"

void
ssop_collector_begin(collector *all)
{
    all->bytes = 0;
}

/* Where the first byte is in the buffer: at the same place of a line as in the destination. */
static char *
first_of(collector *all)
{
    return all->buffer + (uintptr_t)all->dst % LINE_BYTES;
}

/* Writes what has been collected: all of it, or only what makes whole lines. The rest waits at the front. */
static void
flush(collector *all, const ssop_tile *tile, bool is_last)
{
    const int64_t rest = is_last ? 0 : (int64_t)(((uintptr_t)all->dst + (uintptr_t)all->bytes) % LINE_BYTES);
    const int64_t bytes = all->bytes - rest;
    const char *const from = first_of(all);
    const ssop_tile row = {
        .rows = 1, .columns = 1, .item_bytes = bytes, .policy = SSOP_STREAM, .policies = tile->policies};
    ssop_kernel_for(SSOP_PATTERN_ROWS, bytes)(all->dst, from, &row);
    all->dst += bytes;
    all->bytes = rest;
    memcpy(first_of(all), from + bytes, (size_t)rest);
}

char *
ssop_collector_place(collector *all, char *dst, const ssop_tile *tile)
{
    const bool adjoins = all->bytes > 0 && dst == all->dst + all->bytes;
    if (all->bytes > 0 && (!adjoins || all->bytes >= FLUSH_BYTES)) {
        flush(all, tile, !adjoins);
    }
    if (all->bytes == 0) {
        all->dst = dst;
    }
    char *const place = first_of(all) + all->bytes;
    all->bytes += tile->rows * tile->columns * tile->item_bytes;
    return place;
}

void
ssop_collector_end(collector *all, const ssop_tile *tile)
{
    SSOP_ASSERT(all->bytes > 0); /* there was a tile */
    flush(all, tile, true);
}
