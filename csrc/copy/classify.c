/* Chooses the pattern of a loop nest and the loops of its kernel. */
#include "nest.h"

#include "kernels/short_axes_table.h"
#include "kernels/tables.h"

/* Rows of fewer than MIN_COLUMNS columns with gaps between them are not worth a table of a shuffle: a vector of
 * items cannot go on into the next row (record table-columns). */
enum { MIN_COLUMNS = 16 };

static void
set_item_axes(ssop_nest *nest, int32_t axes)
{
    nest->item_axes = axes;
    nest->kernel_item_bytes = nest->item_bytes;
    for (int32_t k = 1; k <= axes; k++) {
        nest->kernel_item_bytes *= nest->count[nest->rank - k];
    }
    nest->column_axis = nest->rank - axes - 1;
    nest->row_axis = nest->rank - axes - 2 >= 0 ? nest->rank - axes - 2 : -1;
}

static bool
is_worth_a_table(const ssop_nest *nest)
{
    int64_t bytes = nest->kernel_item_bytes;
    int64_t columns = nest->count[nest->column_axis];
    bool flat = nest->column_axis == 0 && has_kernel_size(bytes);
    bool gaps = nest->column_axis > 0 && nest->dst_stride[nest->column_axis - 1] != bytes * columns;
    bool short_rows = gaps && columns < MIN_COLUMNS; /* a vector of items cannot go on into the next row */
    const ssop_policies *policies = ssop_policies_used();
    return !short_rows && nest->bytes >= bytes * (flat ? policies->table_row_items : policies->table_items);
}

/* Folds small inner axes, such as the channels of a pixel or the rows of a small block, into the item of the kernel, as
 * many as fit into a vector: the shuffle puts all their bytes in order. Of these numbers of axes, the largest is
 * taken for which a shuffle is worth it. Items of a whole lane are copied one by one if they are many
 * (record shuffled-lanes). */
static bool
try_shuffle(ssop_nest *nest, int32_t vector_bytes)
{
    enum { MAX_LANES_BYTES = 1024 * 1024 };
    int32_t folded = nest->item_axes;
    int64_t bytes = nest->kernel_item_bytes;
    const bool many_lanes = bytes == LANE_BYTES && nest->bytes > MAX_LANES_BYTES;
    if (vector_bytes == 0 || many_lanes || !nest_is_packed(nest) || !is_worth_a_table(nest)) {
        return false;
    }
    while (nest->column_axis > 0 && bytes <= vector_bytes / nest->count[nest->column_axis] &&
           nest->dst_stride[nest->column_axis - 1] == bytes * nest->count[nest->column_axis]) {
        bytes *= nest->count[nest->column_axis];
        set_item_axes(nest, nest->item_axes + 1);
    }
    for (; nest->item_axes >= folded; set_item_axes(nest, nest->item_axes - 1)) {
        /* With stride 0 all windows of a row overlap its end, where the kernel is slow. */
        bool repeats = nest->src_stride[nest->column_axis] == 0;
        if (!repeats && nest->kernel_item_bytes <= vector_bytes &&
            ssop_shuffle_fits(nest, vector_bytes, nest->item_axes > folded)) {
            return true;
        }
    }
    set_item_axes(nest, folded);
    return false;
}

/* True if all columns of a row are one item of the source, and the row is at least as large as the kernel's stores. */
static bool
can_repeat(const ssop_nest *nest)
{
    int64_t bytes = nest->kernel_item_bytes, row_bytes = bytes * nest->count[nest->column_axis];
    return nest->src_stride[nest->column_axis] == 0 && nest_is_packed(nest) && row_bytes >= min_repeated_bytes(bytes);
}

/* Looks for a row axis that is contiguous in the source, forwards or backwards, if the columns are contiguous in the
 * destination. The kernels transpose tiles of TILE_BYTES by TILE_BYTES, so both axes must have that many. Smaller
 * matrices of large items than MIN_MATRIX or MIN_MATRIX_8 are copied one by one instead, as rows of one tile of more
 * axes (record few-item-matrices). */
static bool
try_transpose(ssop_nest *nest)
{
    enum { TILE_BYTES = 16, MIN_MATRIX = 16, MIN_MATRIX_8 = 24 };
    const int64_t columns = nest->count[nest->column_axis];
    int64_t bytes = nest->kernel_item_bytes, row_bytes = bytes * columns;
    const int64_t least = bytes == 8 ? MIN_MATRIX_8 : bytes >= TILE_BYTES ? MIN_MATRIX : 1;
    if (row_bytes < TILE_BYTES || !nest_is_packed(nest)) {
        return false;
    }
    for (int32_t axis = nest->column_axis - 1; axis >= 0; axis--) {
        int64_t stride = nest->src_stride[axis];
        bool contiguous = stride == bytes || stride == -bytes;
        if (contiguous && bytes * nest->count[axis] >= TILE_BYTES &&
            nest->count[axis] >= (least + columns - 1) / columns) {
            nest->row_axis = axis;
            return true;
        }
    }
    return false;
}

static bool
can_store_masked(const ssop_nest *nest, const kernel_table *kernels)
{
    int32_t column = nest->column_axis;
    const int64_t bytes = nest->kernel_item_bytes, src_column = nest->src_stride[column];
    const ssop_tile tile = {.rows = 1,
                            .columns = nest->count[column],
                            .dst_column = nest->dst_stride[column],
                            .src_column = src_column == 0 ? bytes : src_column, /* one item is as good as several */
                            .item_bytes = bytes};
    /* A mask stores several items at a time. An item of another size takes two stores without one, so masks gain more
     * there (record masked-stores). */
    const bool one_store = has_kernel_size(bytes);
    const int64_t most = one_store ? 8 : 16;
    /* At least 4 items per masked store, or 2 that take two stores each, and rows of at least two vectors. Not
     * measured; chosen because a masked store costs more than a store of one item, and the last vector of a short row
     * is mostly written twice. */
    int64_t max_chunks = kernels->vector_bytes / tile.item_bytes / (one_store ? 4 : 2);
    bool long_rows = tile.columns * tile.item_bytes >= 2 * kernels->vector_bytes;
    return kernels->has_masks && bytes <= most && long_rows && is_worth_a_table(nest) &&
           ssop_dilate_fits(&tile, kernels->vector_bytes, (int32_t)max_chunks);
}

/* If the two loops of the kernel are short, gives it further axes. */
static bool
try_short_axes(ssop_nest *nest, bool transposes)
{
    ssop_short_axes *axes = &nest->short_axes;
    if (!ssop_short_axes_choose(axes, nest, transposes)) {
        return false;
    }
    set_item_axes(nest, nest->rank - axes->outer_axes - (axes->column_axis >= 0 ? 1 : 0));
    nest->column_axis = axes->column_axis;
    nest->row_axis = axes->row_axis;
    return true;
}

/* True if a tile is so small that a tile of several axes is better, if there is one: it is copied by fewer calls of
 * kernels (record small-tiles). MIN_BYTES: not measured; chosen because a call of a kernel costs about as much as
 * copying so many. */
static bool
is_small_tile(const ssop_nest *nest)
{
    enum { MIN_BYTES = 256 };
    int64_t rows = nest->row_axis < 0 ? 1 : nest->count[nest->row_axis];
    return nest->kernel_item_bytes * nest->count[nest->column_axis] * rows < MIN_BYTES;
}

/* True if the kernel has few rows, which are copied from memory column by column (kernels/short_rows.h), because all
 * items of a column come before the next one in the source: row by row, its lines would be read once for each row
 * (record column-by-column). */
static bool
copies_column_by_column(const ssop_nest *nest)
{
    const int32_t row = nest->row_axis;
    return row >= 0 && is_short_row(nest->count[row]) && nest->from_memory &&
           rows_are_nested(nest->count[row], nest->src_stride[row], nest->src_stride[nest->column_axis]);
}

/* Makes the loops of a pattern whose items are copied one by one or under a mask, if it fits. */
static bool
try_items(ssop_nest *nest, ssop_pattern pattern)
{
    const bool sized = has_kernel_size(nest->kernel_item_bytes);
    if (sized) {
        ssop_nest_interchange(nest);
    }
    if (pattern == SSOP_PATTERN_MASKED_STORE) {
        return can_store_masked(nest, ssop_kernels());
    }
    return sized && (pattern == SSOP_PATTERN_STRIDED || nest_is_packed(nest));
}

/* Makes the loops of a pattern, if it fits, for a variant that is forced. */
static bool
try_pattern(ssop_nest *nest, ssop_pattern pattern)
{
    switch (pattern) {
    case SSOP_PATTERN_ROWS:
        return nest->kernel_item_bytes > 1;
    case SSOP_PATTERN_STRIDED:
    case SSOP_PATTERN_PACK:
    case SSOP_PATTERN_MASKED_STORE:
        return try_items(nest, pattern);
    case SSOP_PATTERN_SHUFFLE:
        return try_shuffle(nest, ssop_kernels()->vector_bytes);
    case SSOP_PATTERN_REPEAT:
        return can_repeat(nest);
    case SSOP_PATTERN_TRANSPOSE:
        return try_transpose(nest);
    case SSOP_PATTERN_INTERLEAVE:
        return ssop_nest_interleaves(nest);
    case SSOP_PATTERN_SHORT_AXES:
        return try_short_axes(nest, try_transpose(nest));
    default: /* DEINTERLEAVE is taken wherever it fits; the others have no source, or are dilations */
        return false;
    }
}

static ssop_pattern
forced_pattern(void)
{
    return ssop_variant_pattern((ssop_variant)ssop_variant_forced);
}

static bool
try_forced(ssop_nest *nest)
{
    if (ssop_variant_forced < 0) {
        return false;
    }
    const bool fits = try_pattern(nest, forced_pattern());
    if (!fits) {
        set_item_axes(nest, nest->item_axes);
    }
    return fits;
}

static ssop_pattern
choose_pattern(ssop_nest *nest, const ssop_hints *hints)
{
    const kernel_table *kernels = ssop_kernels();
    int32_t inner = nest->rank - 1;
    set_item_axes(nest, 0);
    if (nest->src == NULL) {
        return can_repeat(nest) ? SSOP_PATTERN_REPEAT : SSOP_PATTERN_ZERO;
    }
    if (nest->dst_stride[inner] == nest->item_bytes && nest->src_stride[inner] == nest->item_bytes) {
        set_item_axes(nest, 1);
    }
    if (nest->column_axis < 0 || nest->kernel_item_bytes >= MIN_ROW_BYTES) {
        return SSOP_PATTERN_ROWS;
    }
    nest->from_memory = ssop_nest_comes_from_memory(nest, hints);
    if (try_forced(nest)) {
        return forced_pattern();
    }
    if (ssop_nest_deinterleaves(nest)) {
        return SSOP_PATTERN_DEINTERLEAVE;
    }
    const bool interleaves = ssop_nest_interleaves(nest);
    if (interleaves && (nest_has_few_bytes(nest) || (nest->from_memory && ssop_nest_has_collected_size(nest)))) {
        return SSOP_PATTERN_INTERLEAVE;
    }
    /* If columns are a lane apart, and the other items of a lane are rows, a vector of a shuffle would be one item
     * of each lane. Transposed, all items of a lane are used when it is read (record lanes-apart). */
    const bool lanes_apart = magnitude(nest->src_stride[nest->column_axis]) >= LANE_BYTES;
    bool transposes = lanes_apart && try_transpose(nest);
    if (!transposes && try_shuffle(nest, kernels->vector_bytes)) {
        return is_small_tile(nest) && try_short_axes(nest, false) ? SSOP_PATTERN_SHORT_AXES : SSOP_PATTERN_SHUFFLE;
    }
    if (can_repeat(nest)) {
        return SSOP_PATTERN_REPEAT;
    }
    if (interleaves) {
        return SSOP_PATTERN_INTERLEAVE;
    }
    int64_t bytes = nest->kernel_item_bytes;
    transposes = transposes || (!lanes_apart && try_transpose(nest));
    if (try_short_axes(nest, transposes)) {
        return SSOP_PATTERN_SHORT_AXES;
    }
    if (transposes) {
        return SSOP_PATTERN_TRANSPOSE;
    }
    if (has_kernel_size(bytes)) {
        ssop_nest_interchange(nest);
    }
    if (can_store_masked(nest, kernels)) {
        return SSOP_PATTERN_MASKED_STORE;
    }
    if (!has_kernel_size(bytes)) {
        return SSOP_PATTERN_ROWS;
    }
    const bool packs = nest->dst_stride[nest->column_axis] == bytes && !copies_column_by_column(nest);
    return packs ? SSOP_PATTERN_PACK : SSOP_PATTERN_STRIDED;
}

/* Folds inner axes that come from the source as a whole and are contiguous on both sides into the item of the kernel,
 * up to MAX_ITEM_BYTES. Larger ones stay rows, which the kernels copy as fast and which can be divided into steps. Not
 * measured; chosen because it is one line. */
static void
fold_dilated_items(ssop_nest *nest)
{
    enum { MAX_ITEM_BYTES = 64 };
    set_item_axes(nest, 0);
    int64_t bytes = nest->item_bytes;
    for (int32_t axis = nest->rank - 1; axis > 0; axis--) {
        bool whole = nest->place[axis].count == nest->count[axis];
        bool contiguous = nest->dst_stride[axis] == bytes && nest->src_stride[axis] == bytes;
        bytes *= nest->count[axis];
        if (!whole || !contiguous || bytes > MAX_ITEM_BYTES) {
            return;
        }
        set_item_axes(nest, nest->item_axes + 1);
    }
}

/* The kernel of a dilation has the column axis as its loop, and the axis outside as a second one if there are no gaps
 * in the destination between the rows: then the kernel fills all bytes from row to row. */
static ssop_pattern
choose_dilation_pattern(ssop_nest *nest)
{
    fold_dilated_items(nest);
    int32_t column = nest->column_axis, vector_bytes = ssop_kernels()->vector_bytes;
    int64_t item = nest->kernel_item_bytes;
    const ssop_tile tile = {.columns = nest->place[column].count,
                            .dst_column = nest->place[column].step * nest->dst_stride[column],
                            .src_column = nest->src_stride[column],
                            .item_bytes = item};
    if (nest->dst_stride[column] != item) {
        nest->row_axis = -1;
        return SSOP_PATTERN_STRIDED;
    }
    if (column > 0 && !can_coalesce(nest->dst_stride[column - 1], item, nest->count[column])) {
        nest->row_axis = -1;
    }
    bool contiguous = tile.dst_column == item && (tile.src_column == item || tile.columns == 1);
    if (contiguous || !has_kernel_size(item)) {
        return SSOP_PATTERN_DILATE_ROWS;
    }
    /* With a larger step, filling everything first is faster than shuffles that mostly make the fill. */
    bool vectors = vector_bytes > 0 && tile.dst_column / item <= MAX_CHUNKS &&
                   has_dilated_items(&tile, ssop_kernels()) && ssop_dilate_fits(&tile, vector_bytes, MAX_CHUNKS);
    return vectors ? SSOP_PATTERN_DILATE_VECTORS : SSOP_PATTERN_DILATE;
}

void
ssop_nest_classify(ssop_nest *nest, const ssop_hints *hints)
{
    nest->kernels = ssop_kernels();
    nest->vector_bytes = nest->kernels->vector_bytes;
    ssop_pattern pattern = nest->dilates ? choose_dilation_pattern(nest) : choose_pattern(nest, hints);
    nest->pattern = (int32_t)pattern;
    if (pattern == SSOP_PATTERN_ROWS) {
        ssop_nest_read_rows_in_order(nest, hints);
    }
    else if (pattern == SSOP_PATTERN_SHUFFLE || pattern == SSOP_PATTERN_PACK || pattern == SSOP_PATTERN_STRIDED ||
             pattern == SSOP_PATTERN_MASKED_STORE) {
        ssop_nest_take_longer_rows(nest);
    }
    ssop_nest_choose_policy(nest, hints);
}
