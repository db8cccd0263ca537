/* Chooses the axes of SSOP_PATTERN_SHORT_AXES, and makes its table. */
#include "kernels/short_axes_table.h"

/* Columns and runs are blocks of at least MIN_BYTES; axes are added until they are LINES_BYTES, a pair of lines. On a
 * Zen 3, f8 of many axes of length 2, in reverse order, ran at 8.5 GB/s with 64 bytes, at 10.9 with 128 and at 11.7
 * with 256 in the L2 cache, but f4 of (10, 5, 5, 5, 5, 5) at 7.7, 7.7 and 4.6 (AVX2, ssop.copyto, fastest of 15
 * interleaved rounds). MIN_BYTES: not measured; chosen because it is half a line, and what the kernel copies at a
 * time. */
enum { MIN_BYTES = 32, LINES_BYTES = 128 };

static bool
has_axis(uint64_t set, int32_t axis)
{
    return (set >> axis & 1) != 0;
}

static void
choose_unit(short_axes *axes, const ssop_nest *nest)
{
    int32_t inner = nest->rank - 1;
    int64_t bytes = nest->item_bytes;
    bool block = nest->dst_stride[inner] == bytes && nest->src_stride[inner] == bytes;
    axes->unit_axes = block ? 1 : 0;
    axes->unit_bytes = block ? bytes * nest->count[inner] : bytes;
}

static void
choose_columns(short_axes *axes, const ssop_nest *nest)
{
    int32_t axis = nest->rank - 1 - axes->unit_axes;
    int64_t bytes = axes->unit_bytes;
    axes->columns = 1;
    while (axis >= 0 && nest->dst_stride[axis] == bytes && bytes < LINES_BYTES &&
           nest->count[axis] <= MAX_SHORT_COUNT / axes->columns) {
        axes->columns *= nest->count[axis--];
        bytes = axes->columns * axes->unit_bytes;
    }
    axes->outer_axes = axis + 1;
}

/* The axis along which runs of the present length follow each other in the source; -1 if there is none. */
static int32_t
find_run_axis(const short_axes *axes, const ssop_nest *nest)
{
    int32_t axis = nest->rank - 1 - axes->unit_axes;
    while (axis >= 0 && (has_axis(axes->run, axis) || magnitude(nest->src_stride[axis]) != (uint64_t)axes->run_bytes)) {
        axis--;
    }
    return axis;
}

/* All runs of a tile together have as many bytes as the tile. */
static void
choose_run(short_axes *axes, const ssop_nest *nest)
{
    int32_t axis;
    int64_t tile_bytes = axes->columns * axes->unit_bytes;
    axes->run = axes->rows = 0;
    axes->run_bytes = axes->unit_bytes;
    axes->row_count = 1;
    while (axes->run_bytes < LINES_BYTES && (axis = find_run_axis(axes, nest)) >= 0) {
        int64_t count = nest->count[axis];
        if (axis < axes->outer_axes) {
            if (count > MAX_SHORT_COUNT / axes->row_count || count > MAX_SHORT_TILE_BYTES / tile_bytes) {
                return;
            }
            axes->rows |= (uint64_t)1 << axis;
            axes->row_count *= count;
            tile_bytes *= count;
        }
        axes->run |= (uint64_t)1 << axis;
        axes->run_bytes *= count;
    }
}

bool
ssop_short_axes_choose(short_axes *axes, const ssop_nest *nest)
{
    choose_unit(axes, nest);
    if (!has_kernel_size(axes->unit_bytes)) {
        return false;
    }
    choose_columns(axes, nest);
    choose_run(axes, nest);
    return axes->columns * axes->unit_bytes >= MIN_BYTES && axes->run_bytes >= MIN_BYTES && axes->rows != 0;
}

/* Adds an axis to a list of offsets: what is there is repeated for each further index. */
#define ADD_AXIS(list, length, count, stride)                                                                          \
    for (int64_t at = (length); at < (length) * (count); at++) {                                                       \
        (list)[at] = (list)[at - (length)] + (stride);                                                                 \
    }

static void
add_column_axis(short_axes_table *table, const ssop_nest *nest, const short_axes *axes, int32_t axis)
{
    int64_t count = nest->count[axis], stride = nest->src_stride[axis];
    if (!has_axis(axes->run, axis)) {
        ADD_AXIS(table->part_src, table->part_count, count, stride)
        stride = table->part_count * axes->run_bytes;
        table->part_count *= (int32_t)count;
    }
    ADD_AXIS(table->column_stage, table->column_count, count, (int32_t)stride)
    table->column_count *= (int32_t)count;
}

static void
add_row_axis(short_axes_table *table, const ssop_nest *nest, int32_t axis)
{
    ADD_AXIS(table->row_dst, table->row_count, nest->count[axis], nest->dst_stride[axis])
    ADD_AXIS(table->row_stage, table->row_count, nest->count[axis], (int32_t)nest->src_stride[axis])
    table->row_count *= (int32_t)nest->count[axis];
}

void
ssop_short_axes_prepare(short_axes_table *table, const ssop_nest *nest)
{
    short_axes axes;
    (void)ssop_short_axes_choose(&axes, nest); /* the same axes as when the pattern was chosen */
    table->unit_bytes = (int32_t)axes.unit_bytes;
    table->run_bytes = (int32_t)axes.run_bytes;
    table->part_count = table->row_count = table->column_count = 1;
    table->low = 0;
    for (int32_t axis = 0; axis < nest->rank; axis++) {
        bool backwards = has_axis(axes.run, axis) && nest->src_stride[axis] < 0;
        table->low += backwards ? (nest->count[axis] - 1) * nest->src_stride[axis] : 0;
    }
    table->part_src[0] = table->row_dst[0] = 0;
    table->column_stage[0] = 0;
    table->row_stage[0] = (int32_t)-table->low;
    for (int32_t axis = nest->rank - 1 - axes.unit_axes; axis >= 0; axis--) {
        if (axis >= axes.outer_axes) {
            add_column_axis(table, nest, &axes, axis);
        }
        else if (has_axis(axes.rows, axis)) {
            add_row_axis(table, nest, axis);
        }
    }
}
