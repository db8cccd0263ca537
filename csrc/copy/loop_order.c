/* Chooses which axes are the two loops of the kernel, where items are copied one by one or rows by shuffles. */
#include "nest.h"

/* With fewer columns, another axis may be the inner loop. Not measured; chosen because a loop of fewer rounds costs
 * more than its items. */
enum { SHORT_COLUMNS = 8 };

/* Of the axes outside the columns with at least SHORT_COLUMNS items, the one with the shortest stride in the source; -1
 * for none. */
static int32_t
find_nearest_axis(const ssop_nest *nest)
{
    int32_t nearest = -1;
    for (int32_t axis = nest->column_axis - 1; axis >= 0; axis--) {
        const bool longer = nest->count[axis] >= SHORT_COLUMNS;
        if (longer && (nearest < 0 || magnitude(nest->src_stride[axis]) < magnitude(nest->src_stride[nearest]))) {
            nearest = axis;
        }
    }
    return nearest;
}

/* The innermost axis outside the columns with at least `least` items; -1 for none. */
static int32_t
find_innermost_axis(const ssop_nest *nest, int64_t least)
{
    int32_t axis = nest->column_axis - 1;
    while (axis >= 0 && nest->count[axis] < least) {
        axis--;
    }
    return axis;
}

/* For tiny rows the inner loop is the innermost axis of LONG_COLUMNS items, or else of SHORT_COLUMNS, for others the
 * nearest one. If lines collide along one of them, it is the other; if along both, the innermost
 * (record inner-loop). */
static int32_t
choose_inner_loop(const ssop_nest *nest, bool tiny, int32_t nearest)
{
    enum { LONG_COLUMNS = 16 };
    const int32_t long_axis = find_innermost_axis(nest, LONG_COLUMNS);
    const int32_t innermost = long_axis >= 0 ? long_axis : find_innermost_axis(nest, SHORT_COLUMNS);
    if (innermost == nearest) {
        return nearest;
    }
    const bool far = ssop_lines_collide(nest->src_stride[innermost], nest->count[innermost]);
    const bool apart = ssop_lines_collide(nest->dst_stride[nearest], nest->count[nearest]);
    return apart || (tiny && !far) ? innermost : nearest;
}

/* True if a copy from memory keeps the order of the destination, rather than having the axis `outer` as its inner loop.
 * It does if the loops between that axis and the columns are nearer in the source: their lines would be fetched once
 * per outer iteration. The innermost of these need not be nearer, because it is a loop of the kernel, too. Four things
 * speak against it: a far axis between them, few items to each call of a kernel, indices of the axis that share lines,
 * and indices far apart, where only loads of several of them at a time hide the latency of memory
 * (record destination-order). */
static bool
would_visit_lines_again(const ssop_nest *nest, int32_t outer)
{
    enum { MIN_TILE_BYTES = 48, MIN_STRIDE = LINE_BYTES / 2, MAX_STRIDE = 1024 };
    const int32_t column = nest->column_axis, innermost = column - 1;
    const int64_t stride = (int64_t)magnitude(nest->src_stride[outer]);
    const int64_t tile_bytes = nest->kernel_item_bytes * nest->count[column] * nest->count[innermost];
    bool any = false, others = true;
    for (int32_t axis = outer + 1; axis <= innermost; axis++) {
        const bool nearer = (int64_t)magnitude(nest->src_stride[axis]) < stride;
        any = any || nearer;
        others = others && (nearer || axis == innermost);
    }
    const bool apart = stride >= MIN_STRIDE && (stride < MAX_STRIDE || stride < tile_bytes);
    return any && others && apart && tile_bytes >= MIN_TILE_BYTES && nest_is_packed(nest) && nest->from_memory;
}

/* If there are few columns, makes a longer axis the inner loop, if there are at most MAX_TINY, or its items are nearer
 * to each other in the source than the columns. If there are many that are far apart, looks for rows that share their
 * lines. execute.c goes in blocks of both (record nearest-inner-loop). */
void
ssop_nest_interchange(ssop_nest *nest)
{
    enum { MAX_TINY = 4 };
    const int32_t column = nest->column_axis, nearest = find_nearest_axis(nest);
    if (nearest < 0) {
        return;
    }
    const bool tiny = nest->count[column] <= MAX_TINY;
    const bool nearer = magnitude(nest->src_stride[nearest]) < magnitude(nest->src_stride[column]);
    if (tiny || (nearer && nest->count[column] < SHORT_COLUMNS)) {
        const int32_t inner = choose_inner_loop(nest, tiny, nearest);
        if (would_visit_lines_again(nest, inner)) {
            return;
        }
        nest->row_axis = column;
        nest->column_axis = inner;
    }
    else if (rows_share_lines(nest->src_stride[nearest], nest->src_stride[column])) {
        nest->row_axis = nearest;
    }
}

/* If a tile has few rows, gives it those of a longer axis, so that the kernel is called less often. Not if the rows are
 * nearer to each other in the source than the columns, whose lines they then share (record longer-rows). */
void
ssop_nest_take_longer_rows(ssop_nest *nest)
{
    enum { MAX_ROWS = 7, MAX_BYTES = 2048 };
    const int32_t column = nest->column_axis, row = nest->row_axis;
    if (row < 1 || row != column - 1 || nest->count[row] > MAX_ROWS ||
        nest->kernel_item_bytes * nest->count[column] > MAX_BYTES / nest->count[row] ||
        magnitude(nest->src_stride[row]) < magnitude(nest->src_stride[column])) {
        return;
    }
    for (int32_t axis = row - 1; axis >= 0 && nest->count[nest->row_axis] <= MAX_ROWS; axis--) {
        nest->row_axis = nest->count[axis] > nest->count[nest->row_axis] ? axis : nest->row_axis;
    }
}
