/* Runs steps of a loop nest: an odometer counts through the outer axes, and the kernel copies the others. */
#include "nest.h"

#include "kernels/short_axes_table.h"
#include "kernels/tables.h"

/* The loops that are not the kernel's. */
typedef struct {
    int32_t rank;
    nest_loop loop[SSOP_MAX_RANK];
    int64_t index[SSOP_MAX_RANK];
} odometer;

/* How tiles are copied. */
typedef struct {
    const ssop_nest *nest;
    bool plain;  /* all alike, each in one call of the kernel */
    bool blocks; /* they may be copied in blocks */
    /* Else: how the last tile was copied, its size, and where its first line begins. */
    ssop_kernel kernel;
    ssop_choice choice; /* of which transpositions also need the rest */
    int64_t rows, columns;
    uintptr_t place;
} tile_run;

/* The state of one call of ssop_nest_execute. The kernel has two axes, called the outer and the inner one by their
 * order in the nest; if it has only one axis, outer_axis is -1. At each position of the odometer there are tile_steps
 * steps. */
typedef struct {
    const ssop_nest *nest;
    tile_run *tiles;
    ssop_tile tile; /* with all rows, columns and bytes of an item */
    int32_t outer_axis, inner_axis;
    int64_t outer_count, inner_count, outer_block, inner_block;
    int64_t outer_blocks, inner_blocks, item_blocks;
    /* If other axes lie between the two, the blocks of the outer axis are counted by the odometer, as its digit
     * outer_digit, unless there is only one. */
    bool outer_in_odometer;
    int32_t outer_digit;
    int64_t tile_steps;
    collector *collector; /* NULL if tiles are written where they belong */
    odometer loops;
} execution;

/* What some consecutive steps of a tile are, in blocks. */
typedef struct {
    int64_t outer, outer_end, inner, inner_end, item, item_end;
} step_range;

static void
find_axes(execution *run)
{
    const ssop_nest *nest = run->nest;
    bool rows_inner = nest->row_axis > nest->column_axis;
    run->outer_axis = rows_inner ? nest->column_axis : nest->row_axis;
    run->inner_axis = rows_inner ? nest->row_axis : nest->column_axis;
    run->outer_count = rows_inner ? run->tile.columns : run->tile.rows;
    run->inner_count = rows_inner ? run->tile.rows : run->tile.columns;
    run->outer_block = rows_inner ? nest->column_block : nest->row_block;
    run->inner_block = rows_inner ? nest->row_block : nest->column_block;
    run->outer_blocks = block_count(run->outer_count, run->outer_block);
    run->inner_blocks = block_count(run->inner_count, run->inner_block);
    run->item_blocks = block_count(run->tile.item_bytes, nest->item_block);
    run->outer_in_odometer = run->outer_axis >= 0 && run->outer_axis < run->inner_axis - 1 && run->outer_blocks > 1;
    run->tile_steps = (run->outer_in_odometer ? 1 : run->outer_blocks) * run->inner_blocks * run->item_blocks;
}

/* Adds a loop inside the others; if `by_source`, only inside those whose strides in the source are not shorter. Returns
 * its digit. */
static int32_t
add_loop(odometer *loops, nest_loop loop, bool by_source)
{
    int32_t at = loops->rank++;
    for (; by_source && at > 0 && magnitude(loops->loop[at - 1].src_stride) < magnitude(loop.src_stride); at--) {
        loops->loop[at] = loops->loop[at - 1];
    }
    loops->loop[at] = loop;
    return at;
}

/* Makes the loop with the shortest stride in the destination the last but one of loops in the order of the source, so
 * that what is written within a short time is near each other too (record near-destination). */
static void
bring_destination_near(odometer *loops)
{
    const int32_t place = loops->rank - 2;
    int32_t nearest = loops->rank - 1;
    for (int32_t at = place; at >= 0; at--) {
        bool nearer = magnitude(loops->loop[at].dst_stride) < magnitude(loops->loop[nearest].dst_stride);
        nearest = nearer ? at : nearest;
    }
    if (nearest < place) {
        const nest_loop loop = loops->loop[nearest];
        for (int32_t at = nearest; at < place; at++) {
            loops->loop[at] = loops->loop[at + 1];
        }
        loops->loop[place] = loop;
    }
}

/* Fills in the odometer: all axes that are not the kernel's, and the blocks of the outer axis if they are counted here.
 * Transpositions with non-temporal stores read the source from front to back, because loads wait for memory and those
 * stores do not. With regular stores, as in the portable kernels, the order does not matter (record source-order). */
static void
make_odometer(execution *run)
{
    const ssop_nest *nest = run->nest;
    const bool by_source = (nest->policy & SSOP_SOURCE_ORDER) != 0;
    run->loops.rank = 0;
    run->outer_digit = -1;
    for (int32_t axis = 0; axis <= nest_inner_axis(nest); axis++) {
        bool blocks = run->outer_in_odometer && axis == run->outer_axis;
        if (axis == run->inner_axis || (axis == run->outer_axis && !blocks) || is_short_axis(nest, axis)) {
            continue;
        }
        int64_t step = blocks ? run->outer_block : 1;
        nest_loop loop = {blocks ? run->outer_blocks : nest->count[axis], step * nest->dst_stride[axis],
                          step * nest->src_stride[axis]};
        int32_t at = add_loop(&run->loops, loop, by_source);
        run->outer_digit = blocks ? at : at <= run->outer_digit ? run->outer_digit + 1 : run->outer_digit;
    }
    if (by_source && !run->outer_in_odometer) {
        bring_destination_near(&run->loops);
    }
}

static void
set_odometer(odometer *loops, int64_t position)
{
    for (int32_t at = loops->rank - 1; at >= 0; at--) {
        loops->index[at] = position == 0 ? 0 : position % loops->loop[at].count;
        position = position == 0 ? 0 : position / loops->loop[at].count;
    }
}

/* Copies a tile as the last one was, if it is as large. Non-temporal stores need whole lines, so where they are wanted
 * it must also lie as the last one does in its lines. */
static void
run_chosen(tile_run *run, char *dst, const char *src, const ssop_tile *tile)
{
    const bool streams = (tile->policy & SSOP_STREAM) != 0;
    const bool moved = streams && (((uintptr_t)dst ^ run->place) & (LINE_BYTES - 1)) != 0;
    if (tile->rows != run->rows || tile->columns != run->columns || moved) {
        ssop_choose(&run->choice, run->nest, dst, tile);
        run->kernel = run->choice.kernel;
        run->rows = tile->rows;
        run->columns = tile->columns;
        run->place = (uintptr_t)dst;
    }
    run->kernel(dst, src, tile);
}

/* Transposing kernels read the source forwards: if its rows run backwards, the destination is written backwards
 * instead. */
static void
run_transposition(tile_run *run, char *dst, const char *src, const ssop_tile *tile)
{
    if (!tile_is_backwards(run->nest, tile)) {
        run_chosen(run, dst, src, tile);
        return;
    }
    ssop_tile reversed = copy_tile(tile);
    reversed.dst_row = -tile->dst_row;
    reversed.src_row = -tile->src_row;
    reversed.next_src += (tile->rows - 1) * tile->src_row;
    run_chosen(run, dst + (tile->rows - 1) * tile->dst_row, src + (tile->rows - 1) * tile->src_row, &reversed);
}

/* Copies each long row of the source to all columns, block by block: a block stays in the L1 cache until it has been
 * copied to the last of them. */
static void
run_repeated_rows(const ssop_nest *nest, char *dst, const char *src, const ssop_tile *tile)
{
    ssop_tile cut = copy_tile(tile);
    cut.rows = 1;
    for (int64_t row = 0; row < tile->rows; row++) {
        char *const to = dst + row * tile->dst_row;
        const char *const from = src + row * tile->src_row;
        for (int64_t at = 0; at < tile->item_bytes; at += cut.item_bytes) {
            const int64_t block = at / REPEATED_BLOCK_BYTES;
            cut.item_bytes = block_end(tile->item_bytes, REPEATED_BLOCK_BYTES, block + 1) - at;
            nest->kernel(to + at, from + at, &cut);
        }
    }
}

static void
run_tile(tile_run *run, char *dst, const char *src, const ssop_tile *tile)
{
    const ssop_nest *nest = run->nest;
    if (run->plain) {
        nest->kernel(dst, src, tile);
        return;
    }
    if (nest_repeats_long_rows(nest)) {
        run_repeated_rows(nest, dst, src, tile);
        return;
    }
    const tile_block block = run->blocks ? ssop_choose_block(nest, tile) : (tile_block){tile->rows, tile->columns};
    if (block.rows >= tile->rows && block.columns >= tile->columns) {
        run_transposition(run, dst, src, tile);
        return;
    }
    ssop_tile cut = copy_tile(tile);
    for (int64_t row = 0; row < tile->rows; row += block.rows) {
        cut.rows = block.rows < tile->rows - row ? block.rows : tile->rows - row;
        char *const to = dst + row * tile->dst_row;
        const char *const from = src + row * tile->src_row;
        for (int64_t first = 0; first < tile->columns; first += block.columns) {
            cut.columns = block.columns < tile->columns - first ? block.columns : tile->columns - first;
            run_transposition(run, to + first * tile->dst_column, from + first * tile->src_column, &cut);
        }
    }
}

/* Sets the size of a tile to that of a range. */
static void
size_range(const execution *run, const step_range *range, ssop_tile *tile)
{
    const ssop_nest *nest = run->nest;
    const int64_t outer =
        block_end(run->outer_count, run->outer_block, range->outer_end) - range->outer * run->outer_block;
    const int64_t inner =
        block_end(run->inner_count, run->inner_block, range->inner_end) - range->inner * run->inner_block;
    const bool rows_inner = nest->row_axis > nest->column_axis;
    tile->rows = rows_inner ? inner : outer;
    tile->columns = rows_inner ? outer : inner;
    tile->item_bytes =
        block_end(run->tile.item_bytes, nest->item_block, range->item_end) - range->item * nest->item_block;
}

static void
run_range(execution *run, char *dst, const char *src, const step_range *range)
{
    const ssop_nest *nest = run->nest;
    int64_t outer = range->outer * run->outer_block, inner = range->inner * run->inner_block;
    int64_t item = range->item * nest->item_block;
    ssop_tile tile = copy_tile(&run->tile);
    size_range(run, range, &tile);
    if (run->outer_axis >= 0 && !run->outer_in_odometer) {
        dst += outer * nest->dst_stride[run->outer_axis];
        src += outer * nest->src_stride[run->outer_axis];
    }
    if (run->inner_axis >= 0) {
        dst += inner * nest->dst_stride[run->inner_axis];
        src += inner * nest->src_stride[run->inner_axis];
    }
    run_tile(run->tiles, dst + item, src + item, &tile);
}

/* The range that begins at step `first` of `last` at one position of the odometer, as large as it can be: blocks of one
 * item, or inner blocks of one outer block, or whole outer blocks. Returns how many steps it is. */
static int64_t
take_range(const execution *run, int64_t outer_here, int64_t first, int64_t last, step_range *range)
{
    const int64_t row_steps = run->inner_blocks * run->item_blocks, left = last - first;
    const int64_t outer = first / row_steps + outer_here, inner = first % row_steps / run->item_blocks;
    const int64_t item = first % run->item_blocks;
    *range = (step_range){outer, outer + 1, inner, inner + 1, item, item + 1};
    if (item != 0 || left < run->item_blocks) {
        const int64_t rest = run->item_blocks - item;
        range->item_end = item + (left < rest ? left : rest);
        return range->item_end - item;
    }
    range->item_end = run->item_blocks;
    if (inner != 0 || left < row_steps) {
        const int64_t blocks = left / run->item_blocks, rest = run->inner_blocks - inner;
        range->inner_end = inner + (blocks < rest ? blocks : rest);
        return (range->inner_end - inner) * run->item_blocks;
    }
    range->inner_end = run->inner_blocks;
    range->outer_end = outer + left / row_steps;
    return left / row_steps * row_steps;
}

/* Runs steps first .. last - 1 at one position of the odometer, in as few ranges as possible. */
static void
run_steps(execution *run, char *dst, const char *src, int64_t outer_here, int64_t first, int64_t last)
{
    while (first < last) {
        step_range range;
        first += take_range(run, outer_here, first, last, &range);
        run_range(run, dst, src, &range);
    }
}

/* Moves the odometer to its next position, and the two addresses with it. */
static inline void
advance(odometer *loops, char **dst, const char **src)
{
    int32_t axis = loops->rank - 1;
    while (++loops->index[axis] == loops->loop[axis].count) {
        const nest_loop *done = &loops->loop[axis];
        loops->index[axis] = 0;
        *dst -= (done->count - 1) * done->dst_stride;
        *src -= (done->count - 1) * done->src_stride;
        axis--;
    }
    *dst += loops->loop[axis].dst_stride;
    *src += loops->loop[axis].src_stride;
}

/* Runs `left` steps, from step `first` of the present position of the odometer on. */
static void
run_loops(execution *run, char *dst, const char *src, int64_t first, int64_t left)
{
    odometer *loops = &run->loops;
    const bool whole = run->tile_steps == 1 && !run->outer_in_odometer;
    while (left > 0) {
        int64_t steps = left < run->tile_steps - first ? left : run->tile_steps - first;
        int64_t outer_here = run->outer_in_odometer ? loops->index[run->outer_digit] : 0;
        char *const to = dst;
        const char *const from = src;
        left -= steps;
        if (left > 0) {
            advance(loops, &dst, &src);
        }
        run->tile.next_src = src;
        if (run->collector != NULL) {
            SSOP_ASSERT(whole); /* such tiles are smaller than a step can be */
            run_tile(run->tiles, ssop_collector_place(run->collector, to, &run->tile), from, &run->tile);
        }
        else if (whole) {
            run_tile(run->tiles, to, from, &run->tile);
        }
        else {
            run_steps(run, to, from, outer_here, first, first + steps);
        }
        first = 0;
    }
}

static const char *
source_of(const ssop_nest *nest)
{
    static const char zero = 0; /* what a nest without a source repeats */
    return nest->src != NULL ? nest->src : &zero;
}

/* Runs steps of a copy whose tile and table are made. One step is a single tile. */
static void
run_copy(execution *run, int64_t first, int64_t last)
{
    const ssop_nest *nest = run->nest;
    char *dst = nest->dst;
    const char *src = source_of(nest);
    if (nest->steps == 1) {
        run->tile.next_src = src;
        run_tile(run->tiles, dst, src, &run->tile);
        return;
    }
    find_axes(run);
    make_odometer(run);
    set_odometer(&run->loops, first == 0 ? 0 : first / run->tile_steps);
    for (int32_t axis = 0; axis < run->loops.rank; axis++) {
        dst += run->loops.index[axis] * run->loops.loop[axis].dst_stride;
        src += run->loops.index[axis] * run->loops.loop[axis].src_stride;
    }
    run_loops(run, dst, src, first == 0 ? 0 : first % run->tile_steps, last - first);
}

/* True if the kernel reads a table that is made from the whole tile. */
static bool
nest_has_table(const ssop_nest *nest)
{
    const int32_t pattern = nest->pattern;
    return pattern == SSOP_PATTERN_SHUFFLE || pattern == SSOP_PATTERN_MASKED_STORE ||
           pattern == SSOP_PATTERN_INTERLEAVE || pattern == SSOP_PATTERN_DEINTERLEAVE ||
           pattern == SSOP_PATTERN_SHORT_AXES;
}

/* Apart from the other patterns because its table is so large: in their stack frame it makes small copies slower
 * (record large-frame). */
static __attribute__((noinline)) void
run_short_axes(execution *run, int64_t first, int64_t last)
{
    short_axes_table table;
    ssop_short_axes_prepare(&table, run->nest);
    run->tile.table = &table;
    run_copy(run, first, last);
}

/* Apart from the others because of its buffer, for the same reason. */
static __attribute__((noinline)) void
run_collected(execution *run, int64_t first, int64_t last)
{
    collector all;
    ssop_collector_begin(&all);
    run->collector = &all;
    run_copy(run, first, last);
    ssop_collector_end(&all, &run->tile);
}

/* Sets the tile of a nest to all rows and columns, and how it and parts of it are copied. */
static void
begin_tiles(tile_run *tiles, ssop_tile *tile, const ssop_nest *nest)
{
    nest_tile(nest, tile);
    tiles->nest = nest;
    tiles->blocks = nest_has_blocks(nest, tile);
    tiles->plain = !tiles->blocks && !nest_has_variants(nest) && !nest_repeats_long_rows(nest);
    tiles->kernel = nest->kernel;
    tiles->rows = -1; /* no tile is like that */
    tile->table = &tiles->choice.transposition;
}

/* Copies the only tile of a nest. Apart from the other copies because the state of their loops, and their tables, make
 * the stack frame large, too (record large-frame). */
static void
execute_tile(const ssop_nest *nest)
{
    tile_run tiles;
    ssop_tile tile;
    begin_tiles(&tiles, &tile, nest);
    tile.next_src = source_of(nest);
    run_tile(&tiles, nest->dst, tile.next_src, &tile);
}

static void
execute_copy(const ssop_nest *nest, int64_t first, int64_t last)
{
    tile_run tiles;
    execution run; /* not cleared, because most of the odometer is never used */
    union {
        shuffle_table shuffle;
        dilate_table dilate;
        interleave_table interleave;
    } table;
    run.nest = nest;
    run.tiles = &tiles;
    run.collector = NULL;
    begin_tiles(&tiles, &run.tile, nest);
    if (nest_has_table(nest)) {
        run.tile.table = &table;
    }
    if (nest->pattern == SSOP_PATTERN_SHORT_AXES) {
        run_short_axes(&run, first, last);
        return;
    }
    if (nest->pattern == SSOP_PATTERN_SHUFFLE) {
        ssop_shuffle_prepare(&table.shuffle, nest, &run.tile, nest->vector_bytes);
    }
    else if (nest->pattern == SSOP_PATTERN_MASKED_STORE) {
        ssop_dilate_prepare(&table.dilate, &run.tile, nest->vector_bytes);
    }
    else if (nest->pattern == SSOP_PATTERN_INTERLEAVE || nest->pattern == SSOP_PATTERN_DEINTERLEAVE) {
        const bool apart = nest->pattern == SSOP_PATTERN_DEINTERLEAVE;
        ssop_interleave_prepare(&table.interleave, &run.tile, apart, nest->used->shuffles_lines);
    }
    if ((nest->policy & SSOP_COLLECT) != 0) {
        run_collected(&run, first, last);
        return;
    }
    run_copy(&run, first, last);
}

void
ssop_nest_execute(const ssop_nest *nest, int64_t first, int64_t last)
{
    SSOP_ASSERT(0 <= first && last <= ssop_nest_steps(nest));
    if (first >= last) {
        return;
    }
    if (nest->dilates) {
        ssop_dilation_execute(nest, first, last);
    }
    else if (nest->steps == 1 && !nest_has_table(nest)) { /* tiles that are collected are several steps */
        execute_tile(nest);
    }
    else {
        execute_copy(nest, first, last);
    }
    if ((nest->policy & (SSOP_STREAM | SSOP_COLLECT)) != 0 &&
        nest->vector_bytes > 0) { /* else the processor may be older than SSE */
        end_non_temporal_stores();
    }
}

void
ssop_nest_first_tile(const ssop_nest *nest, int64_t steps, ssop_tile *tile)
{
    execution run = {.nest = nest};
    nest_tile(nest, tile);
    if (nest->dilates || nest->steps == 1) {
        return;
    }
    run.tile = copy_tile(tile);
    find_axes(&run);
    step_range range;
    (void)take_range(&run, 0, 0, steps < run.tile_steps ? steps : run.tile_steps, &range);
    size_range(&run, &range, tile);
}
