/* The axes and the table of SSOP_PATTERN_SHORT_AXES. The tile of this pattern is all items along several axes: those
 * that are innermost in the destination, its columns, and those that are innermost in the source, whose items are a
 * run. Columns are one block of the destination and a run is one block of the source, so that whole cache lines are
 * used on both sides. Axes of a run that are not columns are the rows of the tile; there is a run for each index of the
 * axes of the columns that are not in a run. If a whole axis would make the tile too large, it has a block of that
 * axis, and the axis is one of the two loops of the kernel. */
#ifndef SSOP_COPY_SHORT_AXES_TABLE_H
#define SSOP_COPY_SHORT_AXES_TABLE_H

#include "kernels.h"

/* The axes. Sets of them are bits. A unit is an item, or all items along the innermost axis if they are one block on
 * both sides. */
typedef struct {
    int64_t unit_bytes, columns, run_bytes, tile_bytes;
    int32_t unit_axes;  /* how many axes are part of the unit, 0 or 1 */
    int32_t outer_axes; /* how many axes are neither columns nor part of the unit */
    int32_t inner_axes; /* how many axes are outside those of the columns of a matrix */
    bool transposes;    /* units are transposed as matrices, not copied one by one */
    uint64_t run, rows;
    /* A tile may have only a block of the indices of one axis of the columns, the outermost, and of one axis of the
     * run. If there is no such axis it is -1, and its block 1. */
    int32_t column_axis, row_axis;
    int64_t column_block, row_block;
} ssop_short_axes;

/* MAX_SHORT_COUNT: how many columns, rows or runs a tile has at most (record short-axes-count). MAX_SHORT_TILE_BYTES:
 * how many bytes (record short-axes-bytes). */
enum { MAX_SHORT_COUNT = 512, MAX_SHORT_TILE_BYTES = 32 * 1024 };

/* The runs of a tile are copied to a stage, one after the other. Its units are taken from there as matrices that are
 * transposed, or one by one if matrix_count is 0; matrices that are not `staged` are read where they are. The rows of a
 * matrix are the units of a run, its columns are the innermost columns of the tile, as far as each has a run of its
 * own. */
typedef struct {
    int32_t unit_bytes, run_bytes, run_count, row_count;
    int64_t column_block, row_block; /* what a tile has of the columns and rows of an ssop_tile */
    int64_t low; /* offset of the first byte of a run from its first unit; negative if a source stride is */
    int64_t run_src[MAX_SHORT_COUNT], row_dst[MAX_SHORT_COUNT];
    int32_t matrix_count, matrix_columns;
    bool staged;
    int64_t matrix_dst[MAX_SHORT_COUNT];
    int32_t column_count; /* what follows is for units that are taken one by one */
    int32_t row_stage[MAX_SHORT_COUNT], column_stage[MAX_SHORT_COUNT];
} short_axes_table;

/* A matrix of units: a column is units one after the other. Column k is at the offset places[k] of the source, or
 * `pitch` bytes after the one before if there is no such list. Row k goes to the offset row_dst[k] of the
 * destination. */
typedef struct {
    const char *src;
    const int64_t *places;
    int64_t pitch, rows, columns;
    const int64_t *row_dst;
} short_matrix;

/* False if there are no such axes, or if what the nest has now is better: two loops, whose items are transposed or
 * not. */
bool ssop_short_axes_choose(ssop_short_axes *axes, const ssop_nest *nest, bool transposes);
void ssop_short_axes_prepare(short_axes_table *table, const ssop_nest *nest);

#endif /* SSOP_COPY_SHORT_AXES_TABLE_H */
