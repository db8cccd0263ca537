/* Chooses the axes of SSOP_PATTERN_SHORT_AXES, and makes its table. */
#include "nest.h"

#include "kernels/short_axes_table.h"

/* Columns and runs are blocks of at least MIN_BYTES, which is what the kernels copy and transpose at a time. For
 * matrices, axes are added to the run and then to the columns until both have MIN_BYTES, then LINE_BYTES, then
 * LINES_BYTES, and last axes that belong to both until both have LINE_BYTES (record matrix-tiles). The run comes first
 * because a copy goes on along the destination, so that a line of columns is soon completed. If an axis does not fit
 * while LINE_BYTES are wanted, the tile gets a block of it that is enough (record axes-in-blocks).
 *
 * From memory, both get axes or blocks of axes until they have FAR_BYTES, or as much of them as fits the tile, the run
 * first (record far-tile-bytes).
 *
 * For units that are copied one by one, axes are added to the columns and then to the run until they have UNITS_BYTES,
 * a pair of lines (record unit-tiles). */
enum { MIN_BYTES = 16, UNITS_BYTES = 128, LINES_BYTES = 256, FAR_BYTES = 384 };

/* Only tiles of matrices have blocks of axes. What blocks these are follows from how many bytes are wanted. */
_Static_assert((int)UNITS_BYTES != (int)LINE_BYTES && (int)UNITS_BYTES != (int)FAR_BYTES, "units are in no blocks");
_Static_assert((int)LINES_BYTES != (int)FAR_BYTES, "LINES_BYTES are in no blocks");

static bool
has_axis(uint64_t set, int32_t axis)
{
    return (set >> axis & 1) != 0;
}

static void
choose_unit(ssop_short_axes *axes, const ssop_nest *nest)
{
    int32_t inner = nest->rank - 1;
    int64_t bytes = nest->item_bytes;
    bool block = nest->dst_stride[inner] == bytes && nest->src_stride[inner] == bytes;
    axes->unit_axes = block ? 1 : 0;
    axes->unit_bytes = block ? bytes * nest->count[inner] : bytes;
}

/* How many indices of an axis a tile has. */
static int64_t
tile_count(const ssop_short_axes *axes, const ssop_nest *nest, int32_t axis)
{
    return axis == axes->column_axis ? axes->column_block
         : axis == axes->row_axis    ? axes->row_block
                                     : nest->count[axis];
}

/* How many indices of an axis the tile gets until there are `enough` bytes, of which each index has `bytes`: all,
 * unless they do not fit and a block of fewer than half of them is enough. From memory, so many that there are as few
 * blocks as possible, and all of about one length. */
static int64_t
choose_axis_block(const ssop_short_axes *axes, int64_t count, int64_t bytes, int64_t enough)
{
    const int64_t needed = (enough + bytes - 1) / bytes, fits = MAX_SHORT_TILE_BYTES / axes->tile_bytes;
    if (enough == FAR_BYTES) {
        const int64_t most = needed < fits ? needed : fits, blocks = (count + most - 1) / most;
        return most == 1 ? count : (count + blocks - 1) / blocks;
    }
    const bool in_blocks = enough == LINE_BYTES && count > 2 * needed && count > fits;
    return in_blocks ? needed : count;
}

/* Makes the tile `count` times as large, if it fits. All runs of a tile together have as many bytes as the tile. */
static bool
enlarge(ssop_short_axes *axes, int64_t count)
{
    if (count > MAX_SHORT_TILE_BYTES / axes->tile_bytes) {
        return false;
    }
    axes->tile_bytes *= count;
    return true;
}

/* Adds the next axis of the destination to the columns, if these have less than `enough` bytes. An axis of the run is
 * added only if axes may be `shared`. Nothing adjoins the block of an axis, because no two items of the destination
 * share a byte. */
static bool
add_columns(ssop_short_axes *axes, const ssop_nest *nest, int64_t enough, bool shared)
{
    const int32_t axis = axes->outer_axes - 1;
    const int64_t bytes = axes->columns * axes->unit_bytes;
    if (axis < 0 || bytes >= enough || nest->dst_stride[axis] != bytes || axis == axes->row_axis) {
        return false;
    }
    const bool in_run = has_axis(axes->run, axis);
    const int64_t count = in_run ? nest->count[axis] : choose_axis_block(axes, nest->count[axis], bytes, enough);
    if (count > MAX_SHORT_COUNT / axes->columns || (in_run ? !shared : !enlarge(axes, count))) {
        return false;
    }
    if (count < nest->count[axis]) {
        axes->column_axis = axis;
        axes->column_block = count;
    }
    axes->columns *= count;
    axes->outer_axes = axis;
    return true;
}

/* The axis along which runs of the present length follow each other in the source; -1 if there is none. */
static int32_t
find_run_axis(const ssop_short_axes *axes, const ssop_nest *nest)
{
    int32_t axis = nest->rank - 1 - axes->unit_axes;
    while (axis >= 0 && (has_axis(axes->run, axis) || magnitude(nest->src_stride[axis]) != (uint64_t)axes->run_bytes)) {
        axis--;
    }
    return axis;
}

/* As add_columns, for the run; items of the source may be the same, so something may adjoin the block of an axis. */
static bool
add_run(ssop_short_axes *axes, const ssop_nest *nest, int64_t enough, bool shared)
{
    const int32_t axis = find_run_axis(axes, nest);
    if (axis < 0 || axes->run_bytes >= enough || axes->row_axis >= 0 || axis == axes->column_axis) {
        return false;
    }
    const bool is_column = axis >= axes->outer_axes;
    const int64_t count =
        is_column ? nest->count[axis] : choose_axis_block(axes, nest->count[axis], axes->run_bytes, enough);
    if (count > MAX_SHORT_COUNT / (axes->run_bytes / axes->unit_bytes) ||
        (is_column ? !shared : !enlarge(axes, count))) {
        return false;
    }
    if (count < nest->count[axis]) {
        axes->row_axis = axis;
        axes->row_block = count;
    }
    axes->run |= (uint64_t)1 << axis;
    axes->run_bytes *= count;
    return true;
}

static void
begin_tile(ssop_short_axes *axes, const ssop_nest *nest)
{
    axes->columns = 1;
    axes->run_bytes = axes->tile_bytes = axes->unit_bytes;
    axes->outer_axes = axes->inner_axes = nest->rank - axes->unit_axes;
    axes->run = 0;
    axes->column_axis = axes->row_axis = -1;
    axes->column_block = axes->row_block = 1;
}

/* Adds axes to both; always to the run first, unless the columns have fewer bytes. */
static void
add_axes(ssop_short_axes *axes, const ssop_nest *nest, int64_t enough, bool shared)
{
    while ((axes->columns * axes->unit_bytes < axes->run_bytes && add_columns(axes, nest, enough, shared)) ||
           add_run(axes, nest, enough, shared) || add_columns(axes, nest, enough, shared)) {
    }
}

static bool
has_columns(const ssop_short_axes *axes)
{
    return axes->columns > 1 && axes->columns * axes->unit_bytes >= MIN_BYTES;
}

/* Chooses the axes of a tile of matrices; false if their rows would be too short for vectors. */
static bool
choose_matrices(ssop_short_axes *axes, const ssop_nest *nest)
{
    int64_t row_bytes = axes->unit_bytes;
    begin_tile(axes, nest);
    add_axes(axes, nest, MIN_BYTES, false);
    if (!has_columns(axes)) {
        return false;
    }
    if (nest->from_memory) {
        add_axes(axes, nest, FAR_BYTES, false);
    }
    else {
        add_axes(axes, nest, LINE_BYTES, false);
        add_axes(axes, nest, LINES_BYTES, false);
    }
    add_axes(axes, nest, LINE_BYTES, true);
    while (axes->inner_axes > axes->outer_axes && !has_axis(axes->run, axes->inner_axes - 1)) {
        axes->inner_axes--;
        row_bytes *= tile_count(axes, nest, axes->inner_axes);
    }
    return row_bytes >= MIN_BYTES;
}

/* Chooses the axes of a tile whose units are copied one by one. None if the innermost axis of the destination is that
 * of the source too: both sides are read and written in short pieces anyway (record same-innermost-axis). */
static bool
choose_units(ssop_short_axes *axes, const ssop_nest *nest)
{
    begin_tile(axes, nest);
    if (find_run_axis(axes, nest) == axes->outer_axes - 1) {
        return false;
    }
    while (add_columns(axes, nest, UNITS_BYTES, true)) {
    }
    if (!has_columns(axes)) {
        return false;
    }
    while (add_run(axes, nest, UNITS_BYTES, true)) {
    }
    return true;
}

/* True if the lines of a matrix collide in the L1 cache on one side, as those of axes of 16 or 32 items do. Not if the
 * matrix is one block of the destination or read in long pieces, for which the kernels of matrices have means of their
 * own (record colliding-matrices). */
static bool
is_colliding_matrix(const ssop_nest *nest)
{
    enum { MAX_ROWS = 512, MAX_ROWS_8 = 128 };
    const int32_t column = nest->column_axis, row = nest->row_axis;
    const int64_t rows = nest->count[row], columns = nest->count[column], item = nest->kernel_item_bytes;
    const bool is_block = nest->dst_stride[row] == columns * item;
    const bool has_long_pieces = rows > (item < 8 ? MAX_ROWS : MAX_ROWS_8);
    return !is_block && !has_long_pieces &&
           (ssop_lines_collide(nest->src_stride[column], columns) || ssop_lines_collide(nest->dst_stride[row], rows));
}

/* The most items of two loops for which a tile is better whose items are copied one by one. */
enum { MAX_TRANSPOSED = 64 };

/* The most items that the two loops of the kernel may have if a tile of several axes is to be better. Tiles whose items
 * are copied one by one are better only for matrices of few items (record unit-matrices). Tiles whose items are
 * transposed are better for larger matrices too, if one side of these is at most a line (record transposed-matrices).
 * Where a shuffle takes any bytes of wide vectors, so are larger matrices of 4 and 8 bytes (record wide-matrices).
 *
 * From memory, tiles are better for matrices that are read in short pieces, unless their rows are whole lines, which
 * get non-temporal stores (record far-matrices). Whether this holds depends on the processor: see far_tiles in
 * policies.c. Without it, only matrices as small as those of vectors of a lane become tiles from memory. */
static int64_t
max_loop_items(const ssop_nest *nest, bool transposes)
{
    enum { MAX_MATRIX_BYTES = 800, MAX_BYTE_MATRIX = 2048, MAX_SIDE_BYTES = 64 };
    enum { MAX_WIDE_BYTES = 1600, MAX_WIDE_SIDE_BYTES = 96, MIN_WIDE_ITEM = 4 };
    enum { MAX_OTHERS = 256, MIN_MATRIX_AXIS = 3, MAX_FAR_BYTES = 256 };
    const int32_t column = nest->column_axis, row = nest->row_axis;
    const int64_t item = nest->kernel_item_bytes;
    if (!transposes) {
        return MAX_OTHERS;
    }
    if (nest->vector_bytes == 0) {
        return MAX_TRANSPOSED;
    }
    const int64_t rows = nest->count[row], columns = nest->count[column];
    const bool large = !nest->from_memory || ssop_policies_used()->far_tiles != 0;
    const bool lines = rows_have_lines((uintptr_t)nest->dst | (uintptr_t)nest->dst_stride[row], columns * item);
    const bool far = nest->from_memory && rows * item <= MAX_FAR_BYTES && column >= MIN_MATRIX_AXIS;
    if (large && (far || is_colliding_matrix(nest)) && !(nest->from_memory && lines)) {
        return rows * columns;
    }
    if (column < MIN_MATRIX_AXIS) {
        return MAX_TRANSPOSED;
    }
    const bool wide = large && nest->vector_bytes > LANE_BYTES && item >= MIN_WIDE_ITEM;
    if ((rows < columns ? rows : columns) * item > (wide ? MAX_WIDE_SIDE_BYTES : MAX_SIDE_BYTES)) {
        return MAX_TRANSPOSED;
    }
    return item == 1 ? MAX_BYTE_MATRIX : (wide ? MAX_WIDE_BYTES : MAX_MATRIX_BYTES) / item;
}

/* Units of 16 bytes are better copied by other patterns, which need no buffer (record lane-units). */
bool
ssop_short_axes_choose(ssop_short_axes *axes, const ssop_nest *nest, bool transposes)
{
    enum { MAX_UNIT_BYTES = 8 };
    const int64_t rows = nest->row_axis < 0 ? 1 : nest->count[nest->row_axis];
    const int64_t columns = nest->count[nest->column_axis];
    if (nest->column_axis < 2 || columns > max_loop_items(nest, transposes) / rows) {
        return false;
    }
    choose_unit(axes, nest);
    if (!has_kernel_size(axes->unit_bytes) || axes->unit_bytes > MAX_UNIT_BYTES) {
        return false;
    }
    axes->transposes = nest->vector_bytes > 0 && choose_matrices(axes, nest);
    const bool suits_units = !transposes || columns <= MAX_TRANSPOSED / rows;
    if (!axes->transposes && !(suits_units && choose_units(axes, nest))) {
        return false;
    }
    axes->rows = axes->run & (((uint64_t)1 << axes->outer_axes) - 1);
    return axes->run_bytes >= MIN_BYTES && axes->rows != 0;
}

/* Adds an axis to a list of offsets: what is there is repeated for each further index. */
#define ADD_AXIS(list, length, count, stride)                                                                          \
    for (int64_t at = (length); at < (length) * (count); at++) {                                                       \
        (list)[at] = (list)[at - (length)] + (stride);                                                                 \
    }

/* Adds an axis of the columns that is not in the run. */
static void
add_outer_axis(short_axes_table *table, const ssop_nest *nest, const ssop_short_axes *axes, int32_t axis)
{
    const int64_t count = tile_count(axes, nest, axis);
    ADD_AXIS(table->run_src, table->run_count, count, nest->src_stride[axis])
    table->run_count *= (int32_t)count;
}

static void
add_column_axis(short_axes_table *table, const ssop_nest *nest, const ssop_short_axes *axes, int32_t axis)
{
    int64_t count = nest->count[axis], stride = nest->src_stride[axis];
    if (!has_axis(axes->run, axis)) {
        stride = table->run_count * axes->run_bytes;
        add_outer_axis(table, nest, axes, axis);
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

static void
list_units(short_axes_table *table, const ssop_nest *nest, const ssop_short_axes *axes)
{
    table->column_count = 1;
    table->column_stage[0] = 0;
    table->row_stage[0] = (int32_t)-table->low;
    for (int32_t axis = nest->rank - 1 - axes->unit_axes; axis >= 0; axis--) {
        if (axis >= axes->outer_axes) {
            add_column_axis(table, nest, axes, axis);
        }
        else if (has_axis(axes->rows, axis)) {
            add_row_axis(table, nest, axis);
        }
    }
}

/* The rows of the matrices: the axes of the run, in the order of the source. Of an axis that runs backwards, the last
 * index comes first. */
static void
list_matrix_rows(short_axes_table *table, const ssop_nest *nest, const ssop_short_axes *axes)
{
    ssop_short_axes done = {.run_bytes = axes->unit_bytes, .unit_axes = axes->unit_axes};
    while (done.run_bytes < axes->run_bytes) {
        const int32_t axis = find_run_axis(&done, nest);
        const int64_t count = tile_count(axes, nest, axis), stride = nest->dst_stride[axis];
        const bool backwards = nest->src_stride[axis] < 0;
        for (int32_t row = 0; backwards && row < table->row_count; row++) {
            table->row_dst[row] += (count - 1) * stride;
        }
        ADD_AXIS(table->row_dst, table->row_count, count, backwards ? -stride : stride)
        table->row_count *= (int32_t)count;
        done.run |= (uint64_t)1 << axis;
        done.run_bytes *= count;
    }
}

/* Matrices are staged if the stage is what prefetches them, or if their columns collide; else the stage only costs time
 * (record staged-matrices). */
static bool
must_stage(const short_axes_table *table, const ssop_nest *nest)
{
    return (nest->policy & SSOP_PREFETCH) != 0 || ssop_places_collide(table->run_src, table->run_count);
}

/* There is a matrix for each index of the axes that are neither in the run nor columns of matrices. */
static void
list_matrices(short_axes_table *table, const ssop_nest *nest, const ssop_short_axes *axes)
{
    table->matrix_count = 1;
    table->matrix_dst[0] = 0;
    for (int32_t axis = nest->rank - 1 - axes->unit_axes; axis >= axes->outer_axes; axis--) {
        if (has_axis(axes->run, axis)) {
            continue;
        }
        add_outer_axis(table, nest, axes, axis);
        if (axis < axes->inner_axes) {
            const int64_t count = tile_count(axes, nest, axis);
            ADD_AXIS(table->matrix_dst, table->matrix_count, count, nest->dst_stride[axis])
            table->matrix_count *= (int32_t)count;
        }
    }
    table->matrix_columns = table->run_count / table->matrix_count;
    list_matrix_rows(table, nest, axes);
    table->staged = must_stage(table, nest);
}

void
ssop_short_axes_prepare(short_axes_table *table, const ssop_nest *nest)
{
    const ssop_short_axes *axes = &nest->short_axes;
    table->unit_bytes = (int32_t)axes->unit_bytes;
    table->run_bytes = (int32_t)axes->run_bytes;
    table->run_count = table->row_count = 1;
    table->run_src[0] = table->row_dst[0] = 0;
    table->column_block = axes->column_block;
    table->row_block = axes->row_block;
    table->matrix_count = 0;
    table->low = 0;
    for (int32_t axis = 0; axis < nest->rank; axis++) {
        bool backwards = has_axis(axes->run, axis) && nest->src_stride[axis] < 0;
        table->low += backwards ? (tile_count(axes, nest, axis) - 1) * nest->src_stride[axis] : 0;
    }
    if (axes->transposes) {
        list_matrices(table, nest, axes);
    }
    else {
        list_units(table, nest, axes);
    }
}
