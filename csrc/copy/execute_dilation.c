/* Runs steps of a dilation: one sweep over the destination, from front to back, copies the items of the source and
 * fills the gaps between them. */
#include "nest.h"

#include "kernels/tables.h"

/* One sweep goes over the axes from `outermost` on, whose items are all the same stride apart in the destination. */
typedef struct {
    const ssop_nest *nest;
    int32_t outermost, inner;
    ssop_tile tile;  /* with all items of the inner axis that come from the source */
    int64_t unit;    /* the stride of the inner axis */
    bool contiguous; /* the items of the inner axis are, on both sides: they are copied as one item */
    ssop_kernel short_kernel;
    int64_t min_columns; /* with fewer columns, short_kernel runs instead of the nest's kernel */
    ssop_kernel row_kernel;
    int64_t min_rows; /* so many contiguous rows, or more, are the items of row_kernel; 0: no rows are */
    char *filled;     /* everything before this address has been written */
    const dilate_table *table;
    gap_fill fill; /* what the table points to, if it is not zero bytes */
} sweep;

/* The tile whose items are the rows of a tile. */
static ssop_tile
row_items(const ssop_tile *tile, int64_t rows)
{
    ssop_tile items = copy_tile(tile);
    items.rows = 1;
    items.columns = rows;
    items.item_bytes *= tile->columns;
    items.dst_column = tile->dst_row;
    items.src_column = tile->src_row;
    return items;
}

/* Rows that are small blocks, such as the columns of a window, without gaps between them in the source, become the
 * items of a kernel that shuffles vectors, several of them at a time (record rows-as-items). */
static void
try_rows_as_items(sweep *run, dilate_table *table)
{
    const ssop_nest *nest = run->nest;
    const int32_t vector_bytes = ssop_kernels()->vector_bytes;
    const ssop_tile rows = row_items(&run->tile, nest->row_axis < 0 ? 1 : nest->place[nest->row_axis].count);
    if (!run->contiguous || vector_bytes == 0 || rows.src_column != rows.item_bytes) {
        return;
    }
    if (!has_kernel_size(rows.item_bytes)) {
        if (ssop_blocks_fit(&rows)) {
            ssop_blocks_prepare(table, &rows);
            run->row_kernel = kernel_of(ssop_kernels(), SSOP_VARIANT_DILATE_BLOCKS, rows.item_bytes);
            run->min_rows = 1;
        }
    }
    else if (rows.dst_column % rows.item_bytes == 0 && rows.dst_column / rows.item_bytes <= MAX_CHUNKS &&
             has_dilated_items(&rows, ssop_kernels()) && ssop_dilate_fits(&rows, vector_bytes, MAX_CHUNKS)) {
        ssop_dilate_prepare(table, &rows, vector_bytes);
        run->row_kernel = kernel_of(ssop_kernels(), SSOP_VARIANT_DILATE_VECTORS, rows.item_bytes);
        run->min_rows = table->items;
    }
}

/* What the gaps become: lines of the nest's fill, or zero bytes. */
static const gap_fill *
prepare_fill(sweep *run)
{
    static const gap_fill zeros = {.is_one_byte = true, .is_zero = true};
    const char *item = run->nest->fill;
    const int64_t bytes = run->nest->item_bytes;
    if (item == NULL) {
        return &zeros;
    }
    run->fill.is_zero = false;
    run->fill.is_one_byte = true;
    for (int64_t at = 0; at < LINE_BYTES; at++) {
        run->fill.line[at] = item[at % bytes];
        run->fill.is_one_byte = run->fill.is_one_byte && run->fill.line[at] == run->fill.line[0];
    }
    return &run->fill;
}

static void
start_sweep(sweep *run, const ssop_nest *nest, dilate_table *table)
{
    int32_t inner = nest_inner_axis(nest), outermost = inner;
    ssop_range place = nest->place[inner];
    while (outermost > 0 &&
           can_coalesce(nest->dst_stride[outermost - 1], nest->dst_stride[outermost], nest->count[outermost])) {
        outermost--;
    }
    run->nest = nest;
    run->inner = inner;
    run->outermost = outermost;
    run->unit = nest->dst_stride[inner];
    run->tile = (ssop_tile){
        .rows = 1,
        .columns = place.count,
        .dst_row = nest->row_axis < 0 ? 0 : nest->dst_stride[nest->row_axis] * nest->place[nest->row_axis].step,
        .src_row = nest->row_axis < 0 ? 0 : nest->src_stride[nest->row_axis],
        .dst_column = place.step * run->unit,
        .src_column = nest->src_stride[inner],
        .item_bytes = nest->kernel_item_bytes,
        .table = table,
        .policy = nest->policy,
        .policies = ssop_policies_used(),
    };
    run->contiguous = nest->pattern == SSOP_PATTERN_DILATE_ROWS &&
                      (place.count == 1 ||
                       (run->tile.dst_column == run->tile.item_bytes && run->tile.src_column == run->tile.item_bytes));
    run->short_kernel = nest->kernel;
    run->min_columns = run->min_rows = 0;
    run->table = table;
    table->fill = prepare_fill(run);
    try_rows_as_items(run, table);
    if (nest->pattern == SSOP_PATTERN_DILATE_VECTORS) {
        ssop_dilate_prepare(table, &run->tile, nest->vector_bytes);
        run->short_kernel = kernel_of(&ssop_kernels_portable, SSOP_VARIANT_DILATE_ITEMS, run->tile.item_bytes);
        run->min_columns = table->items;
    }
}

/* Fills the destination from run->filled up to `end`. */
static void
fill_to(sweep *run, char *end)
{
    const gap_fill *fill = run->table->fill;
    const int64_t unit = run->tile.item_bytes, bytes = end - run->filled;
    const unsigned policy = bytes < MIN_STREAM_BYTES ? 0 : run->tile.policy;
    if (run->unit != unit) {
        for (; run->filled < end; run->filled += run->unit) {
            fill->is_zero ? memset(run->filled, 0, (size_t)unit) : memcpy(run->filled, fill->line, (size_t)unit);
        }
    }
    else if (policy == 0 && fill->is_one_byte) {
        memset(run->filled, fill->line[0], (size_t)bytes);
    }
    else if (bytes <= LINE_BYTES) {
        memcpy(run->filled, fill->line, (size_t)bytes);
    }
    else { /* MIN_STREAM_BYTES and more may get non-temporal stores */
        const int64_t item = fill->is_one_byte ? 1 : run->nest->item_bytes;
        ssop_tile items = {.rows = 1,
                           .columns = bytes / item,
                           .dst_column = item,
                           .item_bytes = item,
                           .policy = policy,
                           .policies = run->tile.policies};
        kernel_of(ssop_kernels(), SSOP_VARIANT_REPEAT, item)(run->filled, fill->line, &items);
    }
    run->filled = end;
}

/* Copies the items of whole rows, or of a part of one row, with `columns` items in each. */
static void
run_items(sweep *run, char *dst, const char *src, int64_t rows, int64_t columns)
{
    ssop_tile tile = copy_tile(&run->tile);
    char *end = dst + (rows - 1) * tile.dst_row + (columns - 1) * tile.dst_column + run->unit;
    tile.rows = rows;
    tile.columns = columns;
    if (run->nest->pattern == SSOP_PATTERN_STRIDED) {
        fill_to(run, end); /* this kernel writes only its items, so all bytes between them are filled first */
    }
    else {
        fill_to(run, dst); /* the kernels of dilations also fill the gaps between their items */
        run->filled = end;
    }
    if (run->min_rows > 0 && rows >= run->min_rows) { /* several rows are whole rows */
        SSOP_ASSERT(columns == run->tile.columns);
        const ssop_tile items = row_items(&run->tile, rows);
        run->row_kernel(dst, src, &items);
        return;
    }
    if (run->contiguous) {
        tile.item_bytes *= columns;
        tile.columns = 1;
    }
    if (run->nest->pattern == SSOP_PATTERN_STRIDED) {
        kernel_of(&ssop_kernels_portable, items_variant(&tile), tile.item_bytes)(dst, src, &tile);
        return;
    }
    (columns < run->min_columns ? run->short_kernel : run->nest->kernel)(dst, src, &tile);
}

/* Copies the items of axis `at` and of the axes inside it that lie in bytes low .. high - 1, counted from `dst`. */
static void
run_axis(sweep *run, int32_t at, char *dst, const char *src, int64_t low, int64_t high)
{
    const ssop_nest *nest = run->nest;
    const ssop_range place = nest->place[at];
    const int64_t extent = nest->dst_stride[at], step = place.step * extent, src_step = nest->src_stride[at];
    const int64_t origin = place.start * extent; /* of the first index that comes from the source */
    const bool inner = at == run->inner, rows = at == run->inner - 1 && nest->row_axis == at;
    /* Of these indices, the first that ends after `low`, and the first that begins at `high` or later. */
    int64_t k = low < origin + extent ? 0 : (low - origin - extent) / step + 1;
    int64_t stop = high <= origin                           ? 0
                 : high > origin + (place.count - 1) * step ? place.count
                                                            : (high - origin - 1) / step + 1;
    if (inner) {
        if (k < stop) {
            run_items(run, dst + origin + k * step, src + k * src_step, 1, stop - k);
        }
        return;
    }
    while (k < stop) {
        int64_t from = origin + k * step, whole = high < from + extent ? 0 : (high - from - extent) / step + 1;
        whole = low > from ? 0 : whole < stop - k ? whole : stop - k;
        if (rows && whole > 0) {
            int64_t first = nest->place[run->inner].start * run->unit;
            run_items(run, dst + from + first, src + k * src_step, whole, run->tile.columns);
            k += whole;
        }
        else {
            int64_t here = low > from ? low - from : 0;
            run_axis(run, at + 1, dst + from, src + k * src_step, here, high - from < extent ? high - from : extent);
            k++;
        }
    }
}

/* The offset of a step from the beginning of its sweep, in bytes. */
static int64_t
step_offset(const sweep *run, int64_t step, int64_t row_steps)
{
    const ssop_nest *nest = run->nest;
    int64_t row_bytes = nest->count[run->inner] * run->unit;
    return step / row_steps * row_bytes + step % row_steps * nest->column_block * run->unit;
}

/* Runs steps first .. last - 1 of the sweep at one position of the loops outside of it. */
static void
run_sweep(sweep *run, int64_t position, int64_t first, int64_t last)
{
    const ssop_nest *nest = run->nest;
    int64_t row_steps = block_count(nest->count[run->inner], nest->column_block);
    int64_t low = step_offset(run, first, row_steps), high = step_offset(run, last, row_steps);
    char *dst = nest->dst;
    const char *src = nest->src;
    bool has_items = true;
    for (int32_t axis = run->outermost - 1; axis >= 0; axis--) {
        int64_t index = position % nest->count[axis];
        ssop_range place = nest->place[axis];
        int64_t from = index - place.start;
        has_items = has_items && from >= 0 && from % place.step == 0 && from / place.step < place.count;
        dst += index * nest->dst_stride[axis];
        src += has_items ? from / place.step * nest->src_stride[axis] : 0;
        position /= nest->count[axis];
    }
    run->filled = dst + low;
    if (has_items) {
        run_axis(run, run->outermost, dst, src, low, high);
    }
    fill_to(run, dst + high);
}

void
ssop_dilation_execute(const ssop_nest *nest, int64_t first, int64_t last)
{
    sweep run;
    dilate_table table;
    start_sweep(&run, nest, &table);
    int64_t sweep_steps = block_count(nest->count[run.inner], nest->column_block);
    for (int32_t axis = run.outermost; axis < run.inner; axis++) {
        sweep_steps *= nest->count[axis];
    }
    while (first < last) {
        int64_t at = first % sweep_steps, left = last - first;
        int64_t steps = left < sweep_steps - at ? left : sweep_steps - at;
        run_sweep(&run, first / sweep_steps, at, at + steps);
        first += steps;
    }
}
