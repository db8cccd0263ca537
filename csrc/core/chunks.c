/* Regions of arrays that are stored elsewhere: the covering region with unit steps, and the chunks of a grid that have
 * elements of a region. */
#include "common.h"

void
ssop_region_covering(const ssop_region *region, ssop_region *covering, ssop_region *remainder, bool flip[SSOP_MAX_RANK])
{
    *remainder = *region;
    covering->in_rank = covering->out_rank = region->in_rank;
    for (int32_t axis = 0; axis < region->in_rank; axis++) {
        ssop_range range = region->range[axis];
        int64_t reach = range.count > 1 ? (range.count - 1) * range.step : 0;
        int64_t span = range.count == 0 ? 0 : (reach < 0 ? -reach : reach) + 1;
        covering->range[axis] = (ssop_range){reach < 0 ? range.start + reach : range.start, span, 1};
        covering->out_axis[axis] = (int8_t)axis;
        remainder->range[axis].start = reach < 0 ? span - 1 : 0;
    }
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        int32_t from = region->out_axis[axis];
        flip[axis] = from >= 0 && region->range[from].step < 0;
    }
}

/* ---- grids ------------------------------------------------------------------------------------------------------- */

ssop_status
ssop_chunk_ends(int32_t axis, int64_t dim, int64_t count, int64_t *sizes, ssop_error *error)
{
    int64_t end = 0;
    for (int64_t i = 0; i < count; i++) {
        if (sizes[i] < 0) {
            return fail_form(error, SSOP_RG_C8, 1, at_axis_entry(axis, (int32_t)i), numbers(sizes[i], 0, dim));
        }
        if (!checked_add(end, sizes[i], &end)) {
            return fail_form(error, SSOP_RG_C9, 1, at_axis_entry(axis, (int32_t)i), numbers(INT64_MAX, dim, dim));
        }
        sizes[i] = end;
    }
    return end == dim ? SSOP_OK : fail(error, SSOP_RG_C9, at_axis(axis), numbers(end, dim, dim));
}

ssop_status
ssop_chunk_grid_check(int32_t rank, const ssop_chunk_axis *grid, int32_t in_rank, ssop_error *error)
{
    if (rank != in_rank) {
        return fail(error, SSOP_RG_C7, NOWHERE, numbers(rank, in_rank, in_rank));
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        if (grid[axis].end == NULL && grid[axis].size < 1) {
            return fail(error, SSOP_RG_C8, at_axis(axis), numbers(grid[axis].size, 1, INT64_MAX));
        }
    }
    return SSOP_OK;
}

/* ---- the walk ---------------------------------------------------------------------------------------------------- */

/* Number of the first chunk from `index` on that ends after `element`. Steps of doubled length find an interval, whose
 * halves find the chunk: time for the logarithm of the chunks that are passed. */
static int64_t
find_chunk(const int64_t *end, int64_t index, int64_t count, int64_t element)
{
    int64_t low = index, reach = 1; /* every chunk before `low` ends too early */
    while (reach < count - low && end[low + reach - 1] <= element) {
        low += reach;
        reach *= 2;
    }
    int64_t high = reach < count - low ? low + reach - 1 : count - 1; /* this one ends after it */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (end[middle] <= element) {
            low = middle + 1;
        }
        else {
            high = middle;
        }
    }
    return low;
}

static int64_t
lowest(ssop_range range)
{
    return range.step < 0 ? range.start + (range.count - 1) * range.step : range.start;
}

/* The part with element number `first` of the axis, in ascending order; the chunk is not before number `index`. */
static ssop_chunk_part
part_from(const ssop_chunk_walk *walk, int32_t axis, int64_t first, int64_t index)
{
    const ssop_chunk_axis *chunks = &walk->grid[axis];
    ssop_range range = walk->region->range[axis];
    int64_t step = (int64_t)magnitude(range.step), element = lowest(range) + first * step;
    ssop_chunk_part part = {.first = first};
    if (chunks->end != NULL) {
        part.index = find_chunk(chunks->end, index, chunks->count, element);
        part.low = part.index > 0 ? chunks->end[part.index - 1] : 0;
        part.high = chunks->end[part.index];
    }
    else {
        part.index = element / chunks->size;
        part.low = part.index * chunks->size;
        int64_t room = walk->dims[axis] - part.low; /* the sum of `low` and the size may be past int64 */
        part.high = part.low + (room < chunks->size ? room : chunks->size);
    }
    int64_t here = (part.high - 1 - element) / step + 1, left = range.count - first;
    part.count = here < left ? here : left;
    return part;
}

bool
ssop_chunks_first(ssop_chunk_walk *walk)
{
    if (ssop_region_is_empty(walk->region)) {
        return false;
    }
    for (int32_t axis = 0; axis < walk->region->in_rank; axis++) {
        walk->part[axis] = part_from(walk, axis, 0, 0);
    }
    return true;
}

/* Goes to the next chunk along an axis; false after the last. */
static bool
advance(const ssop_chunk_walk *walk, int32_t axis, ssop_chunk_part *part)
{
    int64_t first = part->first + part->count;
    if (first == walk->region->range[axis].count) {
        return false;
    }
    *part = part_from(walk, axis, first, part->index + 1);
    return true;
}

bool
ssop_chunks_next(ssop_chunk_walk *walk)
{
    for (int32_t axis = walk->region->in_rank - 1; axis >= 0; axis--) {
        if (advance(walk, axis, &walk->part[axis])) {
            return true;
        }
        walk->part[axis] = part_from(walk, axis, 0, 0);
    }
    return false;
}

void
ssop_chunks_regions(const ssop_chunk_walk *walk, ssop_region *of_chunk, ssop_region *of_result)
{
    const ssop_region *region = walk->region;
    *of_chunk = *region;
    ssop_range in_result[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < region->in_rank; axis++) {
        ssop_range range = region->range[axis];
        ssop_chunk_part part = walk->part[axis];
        bool backwards = range.step < 0;
        int64_t first = backwards ? range.count - part.first - part.count : part.first;
        int64_t start = range.start + first * range.step - part.low;
        of_chunk->range[axis] = (ssop_range){start, part.count, part.count == 1 ? 1 : range.step};
        in_result[axis] = (ssop_range){first, part.count, 1};
    }
    of_result->in_rank = of_result->out_rank = region->out_rank;
    for (int32_t axis = 0; axis < region->out_rank; axis++) {
        int32_t from = region->out_axis[axis];
        of_result->range[axis] = from >= 0 ? in_result[from] : (ssop_range){0, 1, 1};
        of_result->out_axis[axis] = (int8_t)axis;
    }
}

int64_t
ssop_chunks_along(const ssop_chunk_walk *walk, int32_t axis, int64_t most, int64_t *first)
{
    ssop_range range = walk->region->range[axis];
    int64_t size = walk->grid[axis].size, low = lowest(range), step = (int64_t)magnitude(range.step);
    if (walk->grid[axis].end == NULL && *first < range.count) {
        *first = range.count; /* no chunk is between two elements, or none has two of them */
        return step >= size ? range.count : (low + (range.count - 1) * step) / size - low / size + 1;
    }
    int64_t along = 0, index = 0;
    while (*first < range.count && along < most) {
        const ssop_chunk_part part = part_from(walk, axis, *first, index);
        *first = part.first + part.count;
        index = part.index + 1;
        along++;
    }
    return along;
}
