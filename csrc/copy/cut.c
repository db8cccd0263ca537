/* Cuts a loop nest into steps: blocks of the kernel's rows, columns and items, at each index of the other loops. Steps are
 * numbered in the order of the loops, so that pieces of any number of steps are compact in the destination. */
#include "nest.h"

#include "kernels/kernels.h"

/* A step has about this many bytes where there are that many, and at most four times as many: enough to hide the cost of
 * calling a kernel, and few enough for many pieces. */
enum { STEP_BYTES = 32 * 1024 };

/* Blocks of so many columns begin where their row does within a cache line, whatever the size of the items. */
enum { COLUMN_UNIT = 64 };

/* A multiple of `unit` indices of an axis that has about STEP_BYTES. */
static int64_t
choose_block(int64_t count, int64_t index_bytes, int64_t unit)
{
    int64_t block = STEP_BYTES / index_bytes / unit * unit;
    block = block > unit ? block : unit;
    return block < count ? block : count;
}

/* Rows of a transposition that share source lines stay together: those of the kernels' blocks. */
static int64_t
choose_row_unit(const ssop_nest *nest, int64_t item)
{
    enum { BLOCK_BYTES = 512, MIN_ROWS = 64, MAX_ROWS = 256 };
    int64_t rows = BLOCK_BYTES / item;
    return nest->pattern != SSOP_PATTERN_TRANSPOSE ? 1 : rows < MIN_ROWS ? MIN_ROWS : rows > MAX_ROWS ? MAX_ROWS : rows;
}

/* Rows and columns of the kernel, of which the row may be the inner one: then it is short, and only columns are cut. */
static void
cut_tile(ssop_nest *nest, int64_t rows, int64_t columns, int64_t item)
{
    int64_t column_unit = item > STEP_BYTES / COLUMN_UNIT ? 1 : COLUMN_UNIT;
    if (nest->row_axis > nest->column_axis) {
        nest->column_block = choose_block(columns, item * rows, column_unit);
        return;
    }
    int64_t row_unit = choose_row_unit(nest, item);
    row_unit = row_unit < rows ? row_unit : rows;
    nest->column_block = choose_block(columns, item * row_unit, column_unit);
    nest->row_block = nest->column_block < columns ? row_unit : choose_block(rows, item * columns, row_unit);
}

static void
cut_copy(ssop_nest *nest)
{
    int64_t rows = nest->row_axis < 0 ? 1 : nest->count[nest->row_axis], item = nest_kernel_item(nest);
    int64_t columns = nest->column_axis < 0 ? 1 : nest->count[nest->column_axis];
    nest->row_block = rows;
    nest->column_block = columns;
    nest->item_block = item <= 2 * STEP_BYTES ? item : STEP_BYTES;
    if (item > 2 * STEP_BYTES) {
        nest->row_block = nest->column_block = 1;
    }
    else if (nest_bytes(nest) > STEP_BYTES) {
        cut_tile(nest, rows, columns, item);
    }
    nest->steps = block_count(item, nest->item_block);
    for (int32_t axis = nest_inner_axis(nest); axis >= 0; axis--) {
        int64_t block = axis == nest->column_axis ? nest->column_block : axis == nest->row_axis ? nest->row_block : 1;
        nest->steps *= block_count(nest->count[axis], block);
    }
}

/* Rows of the destination, zeros and all, which are cut if they are long. */
static void
cut_dilation(ssop_nest *nest)
{
    int32_t inner = nest_inner_axis(nest);
    int64_t count = nest->count[inner];
    nest->row_block = 1;
    nest->column_block = choose_block(count, nest_kernel_item(nest), COLUMN_UNIT);
    nest->item_block = nest_kernel_item(nest);
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
