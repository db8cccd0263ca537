/* Several copies into one array, block by block: what they write to a block is written one after the other, while the
 * lines that they share are in the caches. */
#include "nest.h"

#include "../include/ssop/policies.h"

enum {
    /* Each part of a block takes a nest, so a block has several steps of other copies for each part, as long as it fits
     * the L2 cache (record steps-per-part). */
    STEPS_PER_PART = 4,
    /* Signals are handled between blocks, so they are no larger than the pieces of other copies. */
    MAX_BLOCK_BYTES = 512 << 10,
    /* Where rows are so long, parts share few lines. Not measured; chosen because it is a page. */
    MAX_ROW_BYTES = 4096,
    /* If axes outside of the one that is divided have several indices, a block has a run of bytes for each of them.
     * Shorter runs would share their first and last lines with the next block. Not measured; chosen because it is a
     * page. */
    MIN_RUN_BYTES = 4096,
    /* Smaller results fit the L2 cache of most processors together with their operands, where blocks only cost time
     * (record small-parts). */
    MIN_BYTES = 512 << 10,
};

/* True if every part has bytes in each few lines of the array, which has items. */
static bool
share_lines(const ssop_parts *parts)
{
    const int64_t dim = parts->array->dim[parts->across];
    return magnitude(parts->array->stride[parts->across]) <= (uint64_t)((MAX_ROW_BYTES - 1) / dim);
}

/* Divides the array along one axis; false if there are no blocks of a good size. */
static bool
divide(ssop_parts *parts, int32_t axis)
{
    const int64_t wanted = ssop_policies_used()->step_bytes * parts->count * STEPS_PER_PART;
    const int64_t index_bytes = parts->bytes / parts->array->dim[axis];
    parts->axis = axis;
    parts->block = (wanted < MAX_BLOCK_BYTES ? wanted : MAX_BLOCK_BYTES) / index_bytes;
    return parts->block > 0 && magnitude(parts->array->stride[axis]) > (uint64_t)((MIN_RUN_BYTES - 1) / parts->block);
}

bool
ssop_parts_begin(ssop_parts *parts)
{
    bool begun = false;
    const bool worth_it = parts->bytes >= MIN_BYTES && share_lines(parts);
    for (int32_t axis = 0; worth_it && !begun && axis < parts->across; axis++) {
        begun = divide(parts, axis);
    }
    return begun;
}

/* True if a copy as large as the array uses non-temporal stores. */
static bool
stream(const ssop_parts *parts)
{
    const int64_t stream_bytes = ssop_policies_used()->stream_bytes;
    return stream_bytes > 0 && 2 * parts->bytes >= stream_bytes && !parts->fresh_dst;
}

/* True if no part of a row of the array ends within a cache line, if the row begins at one. */
static bool
have_whole_lines(const ssop_parts *parts)
{
    const int64_t bytes = parts->array->stride[parts->across];
    bool lines = (uintptr_t)parts->array->data % LINE_BYTES == 0;
    for (int32_t k = 0; lines && k < parts->count; k++) {
        lines = parts->part[k].dst.dim[parts->across] * bytes % LINE_BYTES == 0;
    }
    return lines;
}

/* Parts from memory are better copied one after the other than in blocks (record streamed-parts). */
bool
ssop_parts_pay(const ssop_parts *parts)
{
    return !(stream(parts) && have_whole_lines(parts));
}

int64_t
ssop_parts_steps(const ssop_parts *parts)
{
    return block_count(parts->array->dim[parts->axis], parts->block);
}

/* Indices first .. last - 1 of a view along an axis. */
static void
cut_view(const ssop_view *view, int32_t axis, int64_t first, int64_t last, ssop_view *cut)
{
    cut->data = view->data + first * view->stride[axis];
    cut->item_bytes = view->item_bytes;
    cut->rank = view->rank;
    for (int32_t k = 0; k < view->rank; k++) {
        cut->dim[k] = k == axis ? last - first : view->dim[k];
        cut->stride[k] = view->stride[k];
    }
}

static void
copy_part(const ssop_parts *parts, const ssop_part *part, int64_t first, int64_t last)
{
    const ssop_hints hints = {.fresh_dst = parts->fresh_dst, .whole_bytes = parts->bytes};
    ssop_view dst, src;
    ssop_nest nest;
    cut_view(&part->dst, parts->axis, first, last, &dst);
    cut_view(&part->src, parts->axis, first, last, &src);
    ssop_nest_copy(&nest, &dst, &src, &hints);
    ssop_nest_execute(&nest, 0, ssop_nest_steps(&nest));
}

void
ssop_parts_execute(const ssop_parts *parts, int64_t first, int64_t last)
{
    for (int64_t at = first; at < last; at++) {
        const int64_t end = block_end(parts->array->dim[parts->axis], parts->block, at + 1);
        for (int32_t k = 0; k < parts->count; k++) {
            copy_part(parts, &parts->part[k], at * parts->block, end);
        }
    }
}
