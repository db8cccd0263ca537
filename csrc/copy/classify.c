/* From a reduced loop nest to the pattern, the kernel and the axis along which pieces are cut. */
#include "classify.h"

#include "kernels/tables.h"

/* Enough steps for any number of threads, and for pieces short enough to answer Ctrl-C. */
enum { ENOUGH_STEPS = 256 };

/* With fewer items a table costs more than it saves: many of one long row, whose loop is short, few of others. */
enum { LEAST_PLAIN_ITEMS = 384, LEAST_ITEMS = 64, LEAST_COLUMNS = 16 };

/* Columns as short as these make a poor inner loop. */
enum { SHORT_COLUMNS = 8 };

/* The outermost axis that is long enough, so that pieces stay compact; else the longest. */
static int32_t
choose_cut_axis(const ssop_nest *nest)
{
    /* Only to rows is a part of an item as good as a whole one. */
    bool any = nest->pattern == SSOP_PATTERN_ROWS || nest->pattern == SSOP_PATTERN_ZERO;
    int32_t axes = any ? nest->rank : nest->rank - nest->item_axes, longest = 0;
    for (int32_t axis = 0; axis < axes; axis++) {
        if (nest->count[axis] >= ENOUGH_STEPS) {
            return axis;
        }
        if (nest->count[axis] > nest->count[longest]) {
            longest = axis;
        }
    }
    return longest;
}

static void
set_item_axes(ssop_nest *nest, int32_t axes)
{
    nest->item_axes = axes;
    nest->column_axis = nest->rank - axes - 1;
    nest->row_axis = nest->rank - axes - 2 >= 0 ? nest->rank - axes - 2 : -1;
}

/* The columns adjoin in the destination. */
static bool
is_packed(const ssop_nest *nest)
{
    return nest->dst_stride[nest->column_axis] == nest_kernel_item(nest);
}

static bool
is_worth_a_table(const ssop_nest *nest)
{
    int64_t bytes = nest_kernel_item(nest);
    bool plain = nest->column_axis == 0 && kernel_size_column(bytes) < KERNEL_SIZE_COUNT - 1;
    bool gaps =
        nest->column_axis > 0 && nest->dst_stride[nest->column_axis - 1] != bytes * nest->count[nest->column_axis];
    bool short_rows = gaps && nest->count[nest->column_axis] < LEAST_COLUMNS; /* and each by itself */
    return !short_rows && ssop_nest_bytes(nest) >= bytes * (plain ? LEAST_PLAIN_ITEMS : LEAST_ITEMS);
}

/* Small inner axes, as those of a pixel or of the rows of a small block, become one item whose bytes a permutation puts in
 * order, as many as fit into a vector. */
static bool
try_permute(ssop_nest *nest, int32_t vector_bytes)
{
    int32_t folded = nest->item_axes;
    if (vector_bytes == 0 || !is_packed(nest) || !is_worth_a_table(nest)) {
        return false;
    }
    int64_t bytes = nest_kernel_item(nest);
    while (nest->column_axis > 0 && bytes <= vector_bytes / nest->count[nest->column_axis] &&
           nest->dst_stride[nest->column_axis - 1] == bytes * nest->count[nest->column_axis]) {
        bytes *= nest->count[nest->column_axis];
        set_item_axes(nest, nest->item_axes + 1);
    }
    for (; nest->item_axes >= folded; set_item_axes(nest, nest->item_axes - 1)) {
        if (nest_kernel_item(nest) <= vector_bytes && ssop_permute_fits(nest, vector_bytes)) {
            return true;
        }
    }
    set_item_axes(nest, folded);
    return false;
}

/* Rows that adjoin in the source, or do so backwards, where the columns adjoin in the destination. */
static bool
try_transpose(ssop_nest *nest)
{
    int64_t bytes = nest_kernel_item(nest);
    for (int32_t axis = nest->column_axis - 1; axis >= 0 && is_packed(nest); axis--) {
        int64_t stride = nest->src_stride[axis];
        bool adjoin = stride == bytes || stride == -bytes;
        if (adjoin && bytes * nest->count[axis] >= 16 && bytes * nest->count[nest->column_axis] >= 16) {
            nest->row_axis = axis;
            return true;
        }
    }
    return false;
}

static int64_t
distance(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* A longer axis makes a better inner loop than a short one, if its items are closer together in the source. */
static void
interchange(ssop_nest *nest)
{
    int32_t column = nest->column_axis, best = column;
    for (int32_t axis = 0; axis < column && nest->count[column] < SHORT_COLUMNS; axis++) {
        bool closer = distance(nest->src_stride[axis]) < distance(nest->src_stride[column]);
        best = closer && nest->count[axis] > nest->count[best] ? axis : best;
    }
    if (best != column) {
        nest->row_axis = column;
        nest->column_axis = best;
    }
}

static bool
can_scatter(const ssop_nest *nest, const kernel_table *kernels)
{
    int32_t column = nest->column_axis;
    const ssop_tile tile = {.rows = 1,
                            .columns = nest->count[column],
                            .dst_column = nest->dst_stride[column],
                            .src_column = nest->src_stride[column],
                            .item_bytes = nest_kernel_item(nest)};
    /* From 4 bytes on, a store per item is as fast where the lines must come from far away, and from 8 on everywhere. */
    bool far = ssop_nest_bytes(nest) / tile.item_bytes * tile.dst_column > nest->cache_bytes / 2;
    int64_t most_chunks = kernels->vector_bytes / tile.item_bytes / 4;
    bool long_rows = tile.columns * tile.item_bytes >= 2 * kernels->vector_bytes;
    return kernels->scatters && tile.item_bytes <= (far ? 2 : 4) && long_rows && is_worth_a_table(nest) &&
           ssop_spread_fits(&tile, kernels->vector_bytes, (int32_t)most_chunks);
}

static ssop_pattern
choose_pattern(ssop_nest *nest)
{
    const kernel_table *kernels = ssop_kernels();
    int32_t inner = nest->rank - 1;
    set_item_axes(nest, 0);
    if (nest->src == NULL) {
        return SSOP_PATTERN_ZERO;
    }
    if (nest->dst_stride[inner] == nest->item_bytes && nest->src_stride[inner] == nest->item_bytes) {
        set_item_axes(nest, 1);
    }
    if (nest->column_axis < 0) {
        return SSOP_PATTERN_ROWS;
    }
    if (try_permute(nest, kernels->vector_bytes)) {
        return SSOP_PATTERN_PERMUTE;
    }
    int64_t bytes = nest_kernel_item(nest);
    if (bytes <= 64 && try_transpose(nest)) {
        return SSOP_PATTERN_TRANSPOSE;
    }
    if (kernel_size_column(bytes) == KERNEL_SIZE_COUNT - 1) {
        return SSOP_PATTERN_ROWS;
    }
    interchange(nest);
    if (can_scatter(nest, kernels)) {
        return SSOP_PATTERN_SCATTER;
    }
    return nest->dst_stride[nest->column_axis] == bytes ? SSOP_PATTERN_PACK : SSOP_PATTERN_STRIDED;
}

void
ssop_nest_classify(ssop_nest *nest)
{
    ssop_pattern pattern = choose_pattern(nest);
    nest->pattern = (int32_t)pattern;
    nest->vector_bytes = ssop_kernels()->vector_bytes;
    nest->kernel = ssop_kernel_for(pattern, nest_kernel_item(nest));
    nest->cut_axis = choose_cut_axis(nest);
}
