/* Chooses SSOP_PATTERN_INTERLEAVE and SSOP_PATTERN_DEINTERLEAVE: planes that become rows without gaps, and such rows
 * that become planes. */
#include "nest.h"

#include "kernels/tables.h"

static bool
uses_lines(const ssop_nest *nest)
{
    return nest->kernels->shuffles_lines && !nest_has_few_bytes(nest);
}

/* Coordinates of points: the largest items of which three are better shuffled by lanes than transposed, both ways
 * (record triples). */
static bool
is_triple(int64_t planes, int64_t bytes)
{
    return planes == 3 && bytes == 8;
}

/* True if there are few planes and the bytes of a lane, or of a line if `lines`, of each are shuffled together. Where
 * lanes are shuffled, one item of each plane is less than a lane, or one lane of at most MAX_LANE_PLANES items
 * (record lane-planes). */
static bool
shuffles_planes(const ssop_nest *nest, int64_t planes, int64_t bytes, bool lines)
{
    enum { MAX_LANE_PLANES = 4 };
    if (nest->vector_bytes == 0 || planes > MAX_PLANES || !has_kernel_size(bytes)) {
        return false;
    }
    const bool by_lines = interleave_bytes(lines, planes) > LANE_BYTES && bytes <= MAX_LINE_ITEM;
    const int64_t items = planes * bytes;
    return by_lines || items < LANE_BYTES || (items == LANE_BYTES && planes <= MAX_LANE_PLANES) ||
           is_triple(planes, bytes);
}

/* True if there are few columns, the rows have no gaps between them, and the items of consecutive rows are contiguous
 * in the source: planes, one for each column. Rows must fill a lane of each plane. */
bool
ssop_nest_interleaves(const ssop_nest *nest)
{
    int32_t column = nest->column_axis, row = column - 1;
    int64_t bytes = nest->kernel_item_bytes, planes = nest->count[column], items = bytes * planes;
    /* First, because it excludes most. */
    if (row < 0 || nest->dst_stride[column] != bytes || nest->dst_stride[row] != items ||
        nest->src_stride[row] != bytes) {
        return false;
    }
    return shuffles_planes(nest, planes, bytes, uses_lines(nest)) && nest->count[row] >= LANE_BYTES / bytes &&
           nest->count[row] * planes >= ssop_policies_used()->table_items;
}

/* True if planes of this size are worth a table. Where lines are shuffled, columns must fill one of each plane. Where
 * lanes are shuffled, planes of one lane and many planes of bytes are better made by other shuffles. Pairs that
 * fill a lane are better made by transpositions if they are short or in the L1 cache (record plane-sizes). */
static bool
suits_planes(const ssop_nest *nest, int64_t planes, bool lines)
{
    enum { MIN_PAIR_BYTES = 128, MAX_L1_BYTES = 16 * 1024, MAX_FEW_PLANES = 4 };
    const int64_t bytes = nest->kernel_item_bytes, row_bytes = nest->count[nest->column_axis] * bytes;
    const int64_t enough = bytes * ssop_policies_used()->table_items;
    if (lines) {
        return planes <= MAX_LINE_PLANES && row_bytes >= LINE_BYTES && planes * row_bytes >= enough;
    }
    const bool pairs = planes == 2 && row_bytes >= MIN_PAIR_BYTES && nest->bytes > MAX_L1_BYTES;
    const bool few = planes <= MAX_FEW_PLANES || (bytes == 2 && row_bytes >= LINE_BYTES);
    const bool by_lanes = planes * bytes < LANE_BYTES || pairs || is_triple(planes, bytes);
    return few && row_bytes > LANE_BYTES && nest->bytes >= enough && by_lanes;
}

/* The inverse of ssop_nest_interleaves: looks for an axis of planes whose items are the rows of the source. Where lines
 * are shuffled, planes in memory must begin at the same place of a line, for the sake of non-temporal stores; else they
 * are made plane by plane, which can have such stores (record plane-lines). Small planes of long rows are collected
 * (collect.c), wherever they begin. Whole lanes are better transposed if they are collected
 * (record collected-planes). */
bool
ssop_nest_deinterleaves(ssop_nest *nest)
{
    const int64_t items = nest->src_stride[nest->column_axis], bytes = nest->kernel_item_bytes;
    /* First, because it excludes most. */
    if (nest->column_axis == 0 || items < 2 * bytes || items > MAX_LINE_PLANES * MAX_LINE_ITEM) {
        return false;
    }
    const int64_t planes = items / bytes;
    const bool lines = uses_lines(nest);
    if (items % bytes != 0 || !shuffles_planes(nest, planes, bytes, lines) || !nest_is_packed(nest) ||
        !suits_planes(nest, planes, lines)) {
        return false;
    }
    const int64_t row_bytes = bytes * nest->count[nest->column_axis];
    const bool may_collect = nest->from_memory && planes * row_bytes <= MAX_COLLECTED_BYTES;
    if (may_collect && items == LANE_BYTES && bytes < 8) {
        return false;
    }
    const bool any = !nest->from_memory || !lines || (may_collect && row_bytes >= MIN_COLLECTED_ROW);
    for (int32_t axis = nest->column_axis - 1; axis >= 0; axis--) {
        const bool has_lines = any || nest->dst_stride[axis] % LINE_BYTES == 0;
        if (nest->src_stride[axis] == bytes && nest->count[axis] == planes && has_lines) {
            nest->row_axis = axis;
            return true;
        }
    }
    return false;
}
