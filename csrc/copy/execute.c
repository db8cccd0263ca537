/* Runs a piece of a loop nest: an odometer over the outer axes, the kernel on the others, in blocks where that helps the
 * caches. */
#include "classify.h"
#include "kernels/tables.h"

enum {
    LINE_BYTES = 64,
    /* What the processor is asked to fetch lies so many lines ahead, and is asked for in portions. */
    AHEAD_LINES = 128,
    PORTION_LINES = 16,
    /* Where rows are shorter than columns, so much of the destination is gone over row by row. */
    BLOCK_BYTES = 4096,
};

/* A clock of loops: the axes that the kernel does not see. */
typedef struct {
    int32_t rank;
    int64_t count[SSOP_MAX_RANK], index[SSOP_MAX_RANK], dst_stride[SSOP_MAX_RANK], src_stride[SSOP_MAX_RANK];
} odometer;

static void
start_odometer(odometer *outer, const ssop_nest *nest, int64_t steps)
{
    outer->rank = 0;
    for (int32_t axis = 0; axis < nest->rank - nest->item_axes; axis++) {
        if (axis != nest->column_axis && axis != nest->row_axis) {
            int32_t at = outer->rank++;
            outer->count[at] = axis == nest->cut_axis ? steps : nest->count[axis];
            outer->index[at] = 0;
            outer->dst_stride[at] = nest->dst_stride[axis];
            outer->src_stride[at] = nest->src_stride[axis];
        }
    }
}

static int64_t
span(int64_t stride)
{
    return stride < 0 ? -stride : stride;
}

/* Asks for the source lines of one tile. */
static void
prefetch(const char *src, const ssop_tile *tile)
{
    for (int64_t row = 0; row < tile->rows; row++) {
        for (int64_t column = 0; column < tile->columns; column++) {
            const char *item = address_after(src, row * tile->src_row + column * tile->src_column);
            for (int64_t at = 0; at < tile->item_bytes; at += LINE_BYTES) {
                __builtin_prefetch(address_after(item, at), 0, 2);
            }
        }
    }
}

/* A tile in portions of its columns or, with `by_rows`, its rows; each asks for the one that lies `ahead` of it, if any. */
static void
run_portions(ssop_kernel kernel, char *dst, const char *src, const ssop_tile *tile, int64_t portion, bool by_rows,
             int64_t ahead)
{
    int64_t all = by_rows ? tile->rows : tile->columns;
    int64_t dst_step = by_rows ? tile->dst_row : tile->dst_column, src_step = by_rows ? tile->src_row : tile->src_column;
    ssop_tile part = *tile;
    for (int64_t first = 0; first < all; first += portion) {
        *(by_rows ? &part.rows : &part.columns) = portion < all - first ? portion : all - first;
        if (ahead > 0) {
            prefetch(address_after(src, (first + ahead) * src_step), &part);
        }
        kernel(dst + first * dst_step, src + first * src_step, &part);
    }
}

static void
run_tile(const ssop_nest *nest, char *dst, const char *src, const ssop_tile *tile)
{
    bool turned = tile->rows > 1 && tile->dst_row < tile->dst_column; /* the row axis is the inner one */
    if (nest->pattern == SSOP_PATTERN_TRANSPOSE || !(turned || (tile->policy & SSOP_PREFETCH) != 0)) {
        nest->kernel(dst, src, tile);
    }
    else if (turned) {
        run_portions(nest->kernel, dst, src, tile, BLOCK_BYTES / tile->dst_column + 1, false, 0);
    }
    else {
        int64_t lines = (tile->item_bytes + LINE_BYTES - 1) / LINE_BYTES;
        bool by_rows = tile->columns * lines < PORTION_LINES;
        lines *= by_rows ? tile->columns : 1;
        int64_t portion = (PORTION_LINES + lines - 1) / lines;
        run_portions(nest->kernel, dst, src, tile, portion, by_rows, portion * (AHEAD_LINES / PORTION_LINES));
    }
}

/* True if most lines between the first and the last item are not touched. */
static bool
skips_lines(const ssop_nest *nest, const ssop_tile *tile)
{
    int64_t lines = (tile->item_bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    int64_t stride = span(tile->columns > 1 ? tile->src_column : tile->src_row);
    return nest->pattern == SSOP_PATTERN_TRANSPOSE || (stride > LINE_BYTES && lines < stride / 4 * 3);
}

/* Regular stores, unless the copy is larger than the caches; then what is to be written should not push out what is to be
 * read. The lines of the source are counted, not its bytes. */
static unsigned
choose_policy(const ssop_nest *nest, const ssop_tile *tile)
{
    int64_t bytes = ssop_nest_bytes(nest), stride = span(tile->src_column);
    int64_t reach = stride < LINE_BYTES ? stride : LINE_BYTES;
    int64_t footprint = bytes + bytes / tile->item_bytes * (reach > tile->item_bytes ? reach : tile->item_bytes);
    if (footprint < nest->cache_bytes / 2 || nest->src == NULL) {
        return 0;
    }
    return (nest->fresh_dst ? 0u : (unsigned)SSOP_STREAM) | (0 && skips_lines(nest, tile) ? (unsigned)SSOP_PREFETCH : 0u);
}

static ssop_tile
make_tile(const ssop_nest *nest, int64_t steps)
{
    int32_t column = nest->column_axis, row = nest->row_axis, inner = nest->rank - nest->item_axes;
    ssop_tile tile = {
        .rows = row < 0 ? 1 : row == nest->cut_axis ? steps : nest->count[row],
        .columns = column < 0 ? 1 : column == nest->cut_axis ? steps : nest->count[column],
        .dst_row = row < 0 ? 0 : nest->dst_stride[row],
        .src_row = row < 0 ? 0 : nest->src_stride[row],
        .dst_column = column < 0 ? 0 : nest->dst_stride[column],
        .src_column = column < 0 ? 0 : nest->src_stride[column],
        .item_bytes = nest_kernel_item(nest),
    };
    if (nest->cut_axis >= inner) { /* a part of each row */
        tile.item_bytes = tile.item_bytes / nest->count[nest->cut_axis] * steps;
    }
    return tile;
}

/* All tiles of a piece. `outer` is at zero, and is so again afterwards. */
static void
run_tiles(const ssop_nest *nest, char *dst, const char *src, const ssop_tile *tile, odometer *outer)
{
    for (;;) {
        run_tile(nest, dst, src, tile);
        int32_t axis = outer->rank - 1;
        while (axis >= 0 && ++outer->index[axis] == outer->count[axis]) {
            outer->index[axis] = 0;
            dst -= (outer->count[axis] - 1) * outer->dst_stride[axis];
            if (src != NULL) {
                src -= (outer->count[axis] - 1) * outer->src_stride[axis];
            }
            axis--;
        }
        if (axis < 0) {
            return;
        }
        dst += outer->dst_stride[axis];
        if (src != NULL) {
            src += outer->src_stride[axis];
        }
    }
}

void
ssop_nest_execute(const ssop_nest *nest, int64_t first, int64_t last)
{
    SSOP_ASSERT(0 <= first && last <= ssop_nest_steps(nest));
    if (first >= last) {
        return;
    }
    char *dst = nest->dst + first * nest->dst_stride[nest->cut_axis];
    const char *src = nest->src;
    if (src != NULL) {
        src += first * nest->src_stride[nest->cut_axis];
    }
    ssop_tile tile = make_tile(nest, last - first);
    tile.policy = choose_policy(nest, &tile);
    if (nest->pattern == SSOP_PATTERN_TRANSPOSE && tile.src_row < 0) { /* the source forwards, the destination backwards */
        dst += (tile.rows - 1) * tile.dst_row;
        src += (tile.rows - 1) * tile.src_row;
        tile.dst_row = -tile.dst_row;
        tile.src_row = -tile.src_row;
    }
    union {
        permute_table permute;
        spread_table spread;
    } table;
    tile.table = &table;
    if (nest->pattern == SSOP_PATTERN_PERMUTE) {
        ssop_permute_prepare(&table.permute, nest, &tile, nest->vector_bytes);
    }
    else if (nest->pattern == SSOP_PATTERN_SCATTER) {
        ssop_spread_prepare(&table.spread, &tile, nest->vector_bytes);
    }
    odometer outer;
    start_odometer(&outer, nest, last - first);
    run_tiles(nest, dst, src, &tile, &outer);
}
