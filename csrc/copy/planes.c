/* Chooses SSOP_PATTERN_INTERLEAVE and SSOP_PATTERN_DEINTERLEAVE: planes that become rows without gaps, and such rows
 * that become planes. */
#include "nest.h"

#include "kernels/tables.h"

static bool
permutes_lines(const ssop_nest *nest)
{
    return nest->kernels->permutes_lines && !nest_has_few_bytes(nest);
}

/* Coordinates of points: the largest items of which three are better permuted by lanes than transposed, both ways. In
 * GB/s, transposed and permuted: f8 of (3, 5000), exchanged, 41 and 51, (3, 4000000) 12 and 20, (5000, 3) 26 and 46,
 * (4000000, 3) 11.5 and 19.5, but (3, 100) 24 and 20 (Zen 4 with AVX2, the kernels alone, in turns; with SSSE3 32 and
 * 33, 11.5 and 18, 25 and 34, 10 and 11.5, 20 and 16). */
static bool
is_triple(int64_t planes, int64_t bytes)
{
    return planes == 3 && bytes == 8;
}

/* True if there are few planes and the bytes of a lane, or of a line if `lines`, of each are permuted together. Where
 * lanes are permuted, one item of each plane is less than a lane, or one lane of at most MAX_LANE_PLANES items: two
 * planes of f8 in the L2 cache ran at 34 GB/s and as a transposition at 15, four of f4 at 29 and 21, but eight of i2 at
 * 7.8 and 20 (Zen 3 with AVX2, ssop.copyto, fastest of 15). */
static bool
permutes_planes(const ssop_nest *nest, int64_t planes, int64_t bytes, bool lines)
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
    return permutes_planes(nest, planes, bytes, permutes_lines(nest)) && nest->count[row] >= LANE_BYTES / bytes &&
           nest->count[row] * planes >= ssop_policies_used()->table_items;
}

/* True if planes of this size are worth a table. Where lines are permuted, columns must fill one of each plane. Where
 * lanes are permuted, planes of one lane and many planes of bytes are better made by other permutations, and pairs that
 * fill a lane by transpositions, if they are short or in the L1 cache. In GB/s, without and with this pattern: 100
 * images of 24 x 3 bytes 2.1 and 4.0, of 64 x 3 5.2 and 11.2, of 16 x 4 7.3 and 3.0, of 5 x 3 f4 2.6 and 3.3, of 64 x
 * 3 f4 8.5 and 27, of 12 x 2 f8 16.0 and 14.7, of 16 x 2 f8 8.9 and 18.2, but 1024 x 2 f8 44 and 39; 26000 x 5 bytes
 * 14.4 and 12.9, 13000 x 5 i2 8.2 and 12.9 (Zen 3 with AVX2, the kernels alone, in turns). */
static bool
suits_planes(const ssop_nest *nest, int64_t planes, bool lines)
{
    enum { MIN_PAIR_BYTES = 128, MAX_L1_BYTES = 16 * 1024, MAX_FEW_PLANES = 4 };
    const int64_t bytes = nest->kernel_item_bytes, row_bytes = nest->count[nest->column_axis] * bytes;
    const int64_t enough = bytes * ssop_policies_used()->table_items;
    if (lines) {
        return planes <= MAX_LINE_PLANES && row_bytes >= LINE_BYTES && planes * row_bytes >= enough;
    }
    const bool pairs = planes == 2 && row_bytes >= MIN_PAIR_BYTES && nest_bytes(nest) > MAX_L1_BYTES;
    const bool few = planes <= MAX_FEW_PLANES || (bytes == 2 && row_bytes >= LINE_BYTES);
    const bool by_lanes = planes * bytes < LANE_BYTES || pairs || is_triple(planes, bytes);
    return few && row_bytes > LANE_BYTES && nest_bytes(nest) >= enough && by_lanes;
}

/* The inverse of ssop_nest_interleaves: looks for an axis of planes whose items are the rows of the source. Where lines
 * are permuted, planes in memory must begin at the same place of a line, for the sake of non-temporal stores: 250
 * images of 300 x 300 x 3 bytes became planes at 13.6 GB/s plane by plane, which can have such stores, and at 12.7
 * together (Zen 4, ssop.copyto, fastest of seven). Small planes of long rows are collected (collect.c), wherever they
 * begin: 500 x 3 f4 9.5 and 15.7 GB/s, 1500 x 3 bytes 9.4 and 12.8, 784 x 3 8.2 and 15.6, 300 x 3 two bytes 8.0 and
 * 12.7. Whole lanes are better transposed if they are collected: 64 x 4 f4 ran at 13.2 GB/s as planes and at 16.2
 * transposed (AVX-512, the kernels alone, in turns). */
bool
ssop_nest_deinterleaves(ssop_nest *nest)
{
    const int64_t items = nest->src_stride[nest->column_axis], bytes = nest->kernel_item_bytes;
    /* First, because it excludes most. */
    if (nest->column_axis == 0 || items < 2 * bytes || items > MAX_LINE_PLANES * MAX_LINE_ITEM) {
        return false;
    }
    const int64_t planes = items / bytes;
    const bool lines = permutes_lines(nest);
    if (items % bytes != 0 || !permutes_planes(nest, planes, bytes, lines) || !nest_is_packed(nest) ||
        !suits_planes(nest, planes, lines)) {
        return false;
    }
    const bool from_memory = nest_exceeds_caches(nest);
    const int64_t row_bytes = bytes * nest->count[nest->column_axis];
    const bool may_collect = from_memory && planes * row_bytes <= MAX_COLLECTED_BYTES;
    if (may_collect && items == LANE_BYTES && bytes < 8) {
        return false;
    }
    const bool any = !from_memory || !lines || (may_collect && row_bytes >= MIN_COLLECTED_ROW);
    for (int32_t axis = nest->column_axis - 1; axis >= 0; axis--) {
        const bool has_lines = any || nest->dst_stride[axis] % LINE_BYTES == 0;
        if (nest->src_stride[axis] == bytes && nest->count[axis] == planes && has_lines) {
            nest->row_axis = axis;
            return true;
        }
    }
    return false;
}
