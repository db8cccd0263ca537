/* From a reduced loop nest to the pattern, the kernel and how that treats memory. */
#include "nest.h"

#include "kernels/tables.h"

/* With fewer items a table costs more than it saves: many of one long row, whose loop is short, few of others. Measured on a
 * Zen 5 with test shapes of both kinds (ssop bench --classes stride-4B,blocks --sizes L1). */
enum { MIN_FLAT_ITEMS = 384, MIN_ITEMS = 64, MIN_COLUMNS = 16 };

/* Columns as short as these make a poor inner loop. */
enum { SHORT_COLUMNS = 8 };

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
    bool flat = nest->column_axis == 0 && kernel_size_column(bytes) < KERNEL_SIZE_COUNT - 1;
    bool gaps =
        nest->column_axis > 0 && nest->dst_stride[nest->column_axis - 1] != bytes * nest->count[nest->column_axis];
    bool short_rows = gaps && nest->count[nest->column_axis] < MIN_COLUMNS; /* and each by itself */
    return !short_rows && nest_bytes(nest) >= bytes * (flat ? MIN_FLAT_ITEMS : MIN_ITEMS);
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
        bool repeats =
            nest->src_stride[nest->column_axis] == 0; /* the kernel would take all of it for the end of a row */
        if (!repeats && nest_kernel_item(nest) <= vector_bytes && ssop_permute_fits(nest, vector_bytes)) {
            return true;
        }
    }
    set_item_axes(nest, folded);
    return false;
}

/* All columns are one item. */
static bool
can_repeat(const ssop_nest *nest)
{
    int64_t bytes = nest_kernel_item(nest), row_bytes = bytes * nest->count[nest->column_axis];
    return nest->src_stride[nest->column_axis] == 0 && is_packed(nest) && bytes < MAX_REPEATED_BYTES && row_bytes >= 64;
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

/* A longer axis makes a better inner loop than a short one, if its items are closer together in the source. */
static void
interchange(ssop_nest *nest)
{
    int32_t column = nest->column_axis, best = column;
    for (int32_t axis = 0; axis < column && nest->count[column] < SHORT_COLUMNS; axis++) {
        bool closer = magnitude(nest->src_stride[axis]) < magnitude(nest->src_stride[column]);
        best = closer && nest->count[axis] > nest->count[best] ? axis : best;
    }
    if (best != column) {
        nest->row_axis = column;
        nest->column_axis = best;
    }
}

static int64_t
hint_cache_bytes(const ssop_hints *hints)
{
    return hints != NULL && hints->cache_bytes > 0 ? hints->cache_bytes : ssop_cpu_last_cache_bytes();
}

static bool
can_scatter(const ssop_nest *nest, const kernel_table *kernels, int64_t cache_bytes)
{
    int32_t column = nest->column_axis;
    const ssop_tile tile = {.rows = 1,
                            .columns = nest->count[column],
                            .dst_column = nest->dst_stride[column],
                            .src_column = nest->src_stride[column],
                            .item_bytes = nest_kernel_item(nest)};
    /* From 4 bytes on, a store per item is as fast where the lines must come from far away, and from 8 on everywhere. */
    bool far = nest_bytes(nest) / tile.item_bytes * tile.dst_column > cache_bytes / 2;
    int64_t max_chunks = kernels->vector_bytes / tile.item_bytes / 4;
    bool long_rows = tile.columns * tile.item_bytes >= 2 * kernels->vector_bytes;
    return kernels->scatters && tile.item_bytes <= (far ? 2 : 4) && long_rows && is_worth_a_table(nest) &&
           ssop_spread_fits(&tile, kernels->vector_bytes, (int32_t)max_chunks);
}

static ssop_pattern
choose_pattern(ssop_nest *nest, int64_t cache_bytes)
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
    if (can_repeat(nest)) {
        return SSOP_PATTERN_REPEAT;
    }
    int64_t bytes = nest_kernel_item(nest);
    if (bytes <= 64 && try_transpose(nest)) {
        return SSOP_PATTERN_TRANSPOSE;
    }
    if (kernel_size_column(bytes) == KERNEL_SIZE_COUNT - 1) {
        return SSOP_PATTERN_ROWS;
    }
    interchange(nest);
    if (can_scatter(nest, kernels, cache_bytes)) {
        return SSOP_PATTERN_SCATTER;
    }
    return nest->dst_stride[nest->column_axis] == bytes ? SSOP_PATTERN_PACK : SSOP_PATTERN_STRIDED;
}

/* Inner axes that are all of the source and adjoin on both sides are one item, if it is a small one. Whole rows of more are
 * rows, which the kernels copy as well and which may be cut. */
static void
fold_dilated_items(ssop_nest *nest)
{
    enum { MAX_ITEM_BYTES = 64 };
    set_item_axes(nest, 0);
    int64_t bytes = nest->item_bytes;
    for (int32_t axis = nest->rank - 1; axis > 0; axis--) {
        bool whole = nest->place[axis].count == nest->count[axis];
        bool adjoin = nest->dst_stride[axis] == bytes && nest->src_stride[axis] == bytes;
        bytes *= nest->count[axis];
        if (!whole || !adjoin || bytes > MAX_ITEM_BYTES) {
            return;
        }
        set_item_axes(nest, nest->item_axes + 1);
    }
}

/* The kernel of a dilation takes the values of one axis, or of two if all bytes between their rows are the destination's. */
static ssop_pattern
choose_dilation_pattern(ssop_nest *nest)
{
    fold_dilated_items(nest);
    int32_t column = nest->column_axis, vector_bytes = ssop_kernels()->vector_bytes;
    int64_t item = nest_kernel_item(nest);
    const ssop_tile tile = {.columns = nest->place[column].count,
                            .dst_column = nest->place[column].step * nest->dst_stride[column],
                            .src_column = nest->src_stride[column],
                            .item_bytes = item};
    if (nest->dst_stride[column] != item) {
        nest->row_axis = -1;
        return SSOP_PATTERN_STRIDED;
    }
    if (column > 0 && !is_chained(nest->dst_stride[column - 1], item, nest->count[column])) {
        nest->row_axis = -1;
    }
    bool adjoin = tile.dst_column == item && (tile.src_column == item || tile.columns == 1);
    if (adjoin || kernel_size_column(item) == KERNEL_SIZE_COUNT - 1) {
        return SSOP_PATTERN_DILATE_ROWS;
    }
    /* With more chunks between two items, clearing everything first is faster than permuting zeros. */
    bool vectors = vector_bytes > 0 && tile.dst_column / item <= MAX_CHUNKS && tile.columns >= vector_bytes / item &&
                   ssop_spread_fits(&tile, vector_bytes, MAX_CHUNKS);
    return vectors ? SSOP_PATTERN_DILATE_VECTORS : SSOP_PATTERN_DILATE;
}

/* Use rep movsb where the CPU implements it well, but not for more than MAX_FRESH_BYTES of untouched pages: page faults
 * inside it are slow. */
static unsigned
choose_rep_movsb(const ssop_nest *nest, bool fresh_dst, int64_t bytes)
{
    enum { MAX_FRESH_BYTES = 512 * 1024 };
    bool rows = nest->pattern == SSOP_PATTERN_ROWS && nest_kernel_item(nest) >= LONG_ROW_BYTES;
    bool touched = !fresh_dst || bytes <= MAX_FRESH_BYTES;
    return rows && touched && ssop_kernels()->uses_rep_movsb ? (unsigned)SSOP_REP_MOVSB : 0u;
}

/* Bytes of the lines that are read and written, about: the lines of the source are counted, not its bytes. */
static int64_t
count_touched_bytes(const ssop_nest *nest, int64_t bytes)
{
    enum { LINE_BYTES = 64 };
    int64_t item = nest_kernel_item(nest), touched = item;
    int64_t stride = nest->column_axis < 0 ? 0 : (int64_t)magnitude(nest->src_stride[nest->column_axis]);
    if (nest->dilates || nest->pattern == SSOP_PATTERN_REPEAT) {
        return bytes;
    }
    if (nest->pattern != SSOP_PATTERN_TRANSPOSE && stride > item) {
        touched = stride < LINE_BYTES ? stride : item + LINE_BYTES;
    }
    return bytes + bytes / item * touched;
}

/* Regular stores without prefetch, unless the copy is larger than the caches: then what is written should not push out what is
 * to be read. Non-temporal stores do that, but rep movsb copes with a few times that size, and where the CPU is better with
 * regular stores and prefetchw (ssop_cpu_set_prefetchw), that is so from a smaller size on. */
static unsigned
choose_policy(const ssop_nest *nest, const ssop_hints *hints)
{
    enum { MAX_TIMES = 66 }; /* an item of one byte touches a line, and is written */
    int64_t cache_bytes = hint_cache_bytes(hints), bytes = nest_bytes(nest);
    int64_t prefetchw_bytes = ssop_cpu_prefetchw_bytes();
    bool fresh_dst = hints != NULL && hints->fresh_dst;
    unsigned rep_movsb = choose_rep_movsb(nest, fresh_dst, bytes);
    int64_t large = rep_movsb != 0 ? 2 * cache_bytes : cache_bytes / 2;
    bool early =
        prefetchw_bytes < large && nest->pattern != SSOP_PATTERN_REPEAT; /* fills are faster without up to there */
    int64_t far = prefetchw_bytes > 0 && early ? prefetchw_bytes : large;
    if (nest->src == NULL || bytes < far / MAX_TIMES) {
        return rep_movsb;
    }
    int64_t touched = count_touched_bytes(nest, bytes);
    if (prefetchw_bytes > 0) {
        unsigned writes = touched < far ? 0u : (unsigned)SSOP_PREFETCH_WRITE;
        return touched < large ? rep_movsb | writes : SSOP_PREFETCH | writes;
    }
    return touched < large ? rep_movsb : fresh_dst ? (unsigned)SSOP_PREFETCH : (unsigned)(SSOP_PREFETCH | SSOP_STREAM);
}

void
ssop_nest_choose_policy(ssop_nest *nest, const ssop_hints *hints)
{
    nest->policy = choose_policy(nest, hints);
}

void
ssop_nest_classify(ssop_nest *nest, const ssop_hints *hints)
{
    ssop_pattern pattern =
        nest->dilates ? choose_dilation_pattern(nest) : choose_pattern(nest, hint_cache_bytes(hints));
    nest->pattern = (int32_t)pattern;
    nest->vector_bytes = ssop_kernels()->vector_bytes;
    nest->kernel = ssop_kernel_for(pattern, nest_kernel_item(nest));
    ssop_nest_choose_policy(nest, hints);
}
