/* Collects tiles that follow each other in the destination in a buffer, from which whole lines are written by
 * non-temporal stores. */
#include "nest.h"

#include "kernels/tables.h"

/* True if blocks of two axes may be collected. Blocks from memory that become rows are then interleaved, not shuffled
 * (record interleaved-blocks). */
bool
ssop_nest_has_collected_size(const ssop_nest *nest)
{
    const int64_t bytes = nest->kernel_item_bytes * nest->count[nest->column_axis] * nest->count[nest->row_axis];
    return bytes >= MIN_COLLECTED_BYTES && bytes <= MAX_COLLECTED_BYTES;
}

/* True if each tile is a block of the destination that is too small for non-temporal stores of its own, and whose lines
 * are written piece by piece or are shared with the next block: planes that are transposed, interleaved, or made from
 * rows (record small-blocks). Rows of whole lines have non-temporal stores of their own, which are better unless
 * several columns share a line of the source. Planes that are made from rows and begin lines have such stores, too
 * (record own-lines). */
bool
ssop_nest_collects(const ssop_nest *nest)
{
    const bool apart = nest->pattern == SSOP_PATTERN_DEINTERLEAVE, transposes = nest->pattern == SSOP_PATTERN_TRANSPOSE;
    if ((!apart && !transposes && nest->pattern != SSOP_PATTERN_INTERLEAVE) || !nest->kernels->streams) {
        return false;
    }
    const int32_t row = nest->row_axis;
    const int64_t item = nest->kernel_item_bytes, row_bytes = item * nest->count[nest->column_axis];
    const int64_t bytes = row_bytes * nest->count[row];
    if (nest->dst_stride[row] != row_bytes || bytes > MAX_COLLECTED_BYTES || bytes == nest->bytes) {
        return false;
    }
    if (apart) {
        return row_bytes >= MIN_COLLECTED_ROW && (bytes < MIN_STREAMED_PLANES || row_bytes % LINE_BYTES != 0);
    }
    const bool lines = ((uintptr_t)nest->dst | (uintptr_t)row_bytes) % LINE_BYTES == 0;
    const bool own = transposes && lines && item * nest->count[row] > LINE_BYTES;
    return !own && (bytes >= MIN_COLLECTED_BYTES || (transposes && row_bytes >= MIN_COLLECTED_ROW));
}

/* Where a tile is placed that has nothing before it. Few of its stores then cross from one line or page into the next,
 * wherever the destination begins. */
static char *
base_of(collector *all)
{
    return all->buffer + PAGE_BYTES;
}

void
ssop_collector_begin(collector *all)
{
    all->first = base_of(all);
    all->bytes = 0;
}

/* Writes what has been collected: all of it, or only what makes whole lines. The rest waits before the base. */
static void
flush(collector *all, const ssop_tile *tile, bool is_last)
{
    const int64_t rest = is_last ? 0 : (int64_t)(((uintptr_t)all->dst + (uintptr_t)all->bytes) % LINE_BYTES);
    const int64_t bytes = all->bytes - rest;
    const ssop_tile row = {
        .rows = 1, .columns = 1, .item_bytes = bytes, .policy = SSOP_STREAM, .policies = tile->policies};
    kernel_of(ssop_kernels(), SSOP_VARIANT_ROWS, bytes)(all->dst, all->first, &row);
    const char *const left = all->first + bytes;
    all->dst += bytes;
    all->bytes = rest;
    all->first = base_of(all) - rest;
    memcpy(all->first, left, (size_t)rest);
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
    char *const place = all->first + all->bytes;
    all->bytes += tile->rows * tile->columns * tile->item_bytes;
    return place;
}

void
ssop_collector_end(collector *all, const ssop_tile *tile)
{
    SSOP_ASSERT(all->bytes > 0); /* there was a tile */
    flush(all, tile, true);
}
