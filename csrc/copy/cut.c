/* Divides a loop nest into steps, which threads share out and between which signals are checked. A step is a block of
 * the kernel's rows, columns and items at one index of the other loops. Steps are numbered in the order in which
 * execute.c counts the loops, so that consecutive steps are close together in the destination, or in the source. */
#include "nest.h"

#include "kernels/kernels.h"

/* Blocks are multiples of this many columns: whatever the item size, these are whole cache lines, so all blocks of a
 * row are aligned as the first one is. Items larger than step_bytes / COLUMN_UNIT are not grouped into whole lines. */
static int64_t
choose_column_unit(int64_t item)
{
    enum { COLUMN_UNIT = 64 };
    return item > ssop_policies_used()->step_bytes / COLUMN_UNIT ? 1 : COLUMN_UNIT;
}

/* The block size of an axis: a multiple of `unit` indices that has about as many bytes as a step. */
static int64_t
choose_block(int64_t count, int64_t index_bytes, int64_t unit)
{
    int64_t block = ssop_policies_used()->step_bytes / index_bytes / unit * unit;
    block = block > unit ? block : unit;
    return block < count ? block : count;
}

/* Rows of a transposition that share source lines stay in one step: as many as the kernels transpose together, at
 * least MIN_ROWS (those of kernels/transpose_blocks.h). Rows that are interleaved are divided at multiples of
 * LINE_ROWS: these are whole lines, whatever the item size. Of planes that are deinterleaved there are fewer. */
static int64_t
choose_row_unit(const ssop_nest *nest, int64_t item)
{
    enum { MIN_ROWS = 64, LINE_ROWS = 64 };
    int64_t rows = transpose_block_rows(ssop_policies_used(), item);
    if (nest->pattern == SSOP_PATTERN_INTERLEAVE || nest->pattern == SSOP_PATTERN_DEINTERLEAVE) {
        return LINE_ROWS;
    }
    return nest->pattern != SSOP_PATTERN_TRANSPOSE ? 1 : rows < MIN_ROWS ? MIN_ROWS : rows;
}

/* Divides joined rows, whose columns are next to each other in the source: only the rows, if one of all columns fits a
 * step, so that the source is read from front to back; else also the columns, and the runs of a step have up to twice
 * RUN_BYTES, of which only the ends are parts of lines. RUN_BYTES: not measured; chosen because a step then has several
 * columns. */
static void
cut_joined_rows(ssop_nest *nest, int64_t rows, int64_t columns, int64_t item)
{
    enum { RUN_BYTES = 8 * 1024 };
    if (columns * item <= ssop_policies_used()->step_bytes) {
        nest->row_block = choose_block(rows, item * columns, 1);
        return;
    }
    nest->row_block = rows * item <= RUN_BYTES ? rows : RUN_BYTES / item;
    nest->column_block = choose_block(columns, item * nest->row_block, 1);
}

/* Divides the rows and columns of the kernel. If the rows are the inner loop of the destination there are few of them,
 * and only columns are divided; but those of a copy in the order of the source (ssop_nest_read_rows_in_order) may
 * be many, and a step reads its columns from front to back. */
static void
cut_tile(ssop_nest *nest, int64_t rows, int64_t columns, int64_t item)
{
    int64_t column_unit = choose_column_unit(item);
    if (nest_has_joined_rows(nest)) {
        cut_joined_rows(nest, rows, columns, item);
        return;
    }
    if (nest->row_axis > nest->column_axis && nest->pattern == SSOP_PATTERN_ROWS) {
        nest->column_block = choose_block(columns, item, 1);
        nest->row_block = choose_block(rows, item * nest->column_block, 1);
        return;
    }
    if (nest->row_axis > nest->column_axis) {
        nest->column_block = choose_block(columns, item * rows, column_unit);
        return;
    }
    int64_t row_unit = choose_row_unit(nest, item);
    row_unit = row_unit < rows ? row_unit : rows;
    nest->column_block = choose_block(columns, item * row_unit, column_unit);
    nest->row_block = nest->column_block < columns ? row_unit : choose_block(rows, item * columns, row_unit);
}

/* A step of long rows that are repeated has a part of up to REPEATED_COLUMNS of them, so that it is read from memory
 * once for all of these. */
static void
cut_copy(ssop_nest *nest)
{
    enum { REPEATED_COLUMNS = 8 };
    int64_t rows = nest->row_axis < 0 ? 1 : nest->count[nest->row_axis], item = nest->kernel_item_bytes;
    int64_t columns = nest->column_axis < 0 ? 1 : nest->count[nest->column_axis];
    const int64_t step_bytes = ssop_policies_used()->step_bytes;
    nest->row_block = rows;
    nest->column_block = columns;
    nest->item_block = item <= 2 * step_bytes ? item : step_bytes;
    if (nest->pattern == SSOP_PATTERN_SHORT_AXES) {
        nest->row_block = nest->short_axes.row_block;
        nest->column_block = nest->short_axes.column_block;
    }
    else if (nest_repeats_long_rows(nest)) {
        nest->row_block = 1;
        nest->column_block = columns < REPEATED_COLUMNS ? columns : REPEATED_COLUMNS;
        nest->item_block = step_bytes / nest->column_block / LINE_BYTES * LINE_BYTES;
    }
    else if (item > 2 * step_bytes) {
        nest->row_block = nest->column_block = 1;
    }
    else if (nest->bytes > step_bytes) {
        cut_tile(nest, rows, columns, item);
    }
    nest->steps = block_count(item, nest->item_block);
    for (int32_t axis = nest_inner_axis(nest); axis >= 0; axis--) {
        if (is_short_axis(nest, axis)) {
            continue;
        }
        int64_t block = axis == nest->column_axis ? nest->column_block : axis == nest->row_axis ? nest->row_block : 1;
        nest->steps *= block_count(nest->count[axis], block);
    }
}

/* The steps of a dilation are rows of the destination, with the gaps between the items, or blocks of long rows. */
static void
cut_dilation(ssop_nest *nest)
{
    int32_t inner = nest_inner_axis(nest);
    int64_t count = nest->count[inner], item = nest->kernel_item_bytes;
    nest->row_block = 1;
    nest->column_block = choose_block(count, item, choose_column_unit(item));
    nest->item_block = item;
    nest->steps = block_count(count, nest->column_block);
    for (int32_t axis = 0; axis < inner; axis++) {
        nest->steps *= nest->count[axis];
    }
}

void
ssop_nest_cut(ssop_nest *nest)
{
    if (nest->dilates) {
        cut_dilation(nest);
    }
    else {
        cut_copy(nest);
    }
}
