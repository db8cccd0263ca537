/* Runs a piece of a loop nest: an odometer over the outer axes, the kernel on the others, in blocks where that helps the
 * caches. */
#include "classify.h"
#include "kernels/tables.h"

enum {
    LINE_BYTES = 64,
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

/* Where the row axis is the inner one of the destination, in blocks that stay in the first cache from row to row. */
static void
run_tile(const ssop_nest *nest, char *dst, const char *src, const ssop_tile *tile)
{
    bool turned = tile->rows > 1 && tile->dst_row < tile->dst_column && nest->pattern != SSOP_PATTERN_TRANSPOSE;
    if (!turned) {
        nest->kernel(dst, src, tile);
        return;
    }
    int64_t block = BLOCK_BYTES / tile->dst_column + 1;
    ssop_tile part = *tile;
    for (int64_t first = 0; first < tile->columns; first += block) {
        part.columns = block < tile->columns - first ? block : tile->columns - first;
        nest->kernel(dst + first * tile->dst_column, src + first * tile->src_column, &part);
    }
}

/* Processors that copy long strings by themselves do that best, but for many pages that are not there yet. */
static unsigned
choose_string(const ssop_nest *nest, const ssop_tile *tile, int64_t bytes)
{
    enum { MOST_FRESH_BYTES = 512 * 1024 };
    bool rows = nest->pattern == SSOP_PATTERN_ROWS && tile->item_bytes >= LONG_ROW_BYTES;
    bool there = !nest->fresh_dst || bytes <= MOST_FRESH_BYTES;
    return rows && there && ssop_kernels()->copies_strings ? (unsigned)SSOP_STRING : 0u;
}

/* Regular stores, unless the copy is larger than the caches; then what is to be written should not push out what is to be
 * read, which strings of a few times that size do not yet. The lines of the source are counted, not its bytes. */
static unsigned
choose_policy(const ssop_nest *nest, const ssop_tile *tile)
{
    enum { MOST_TIMES = 1 + LINE_BYTES }; /* an item of one byte touches a line */
    int64_t bytes = ssop_nest_bytes(nest), stride = span(tile->src_column), touched = tile->item_bytes;
    unsigned string = choose_string(nest, tile, bytes);
    int64_t most = string != 0 ? 2 * nest->cache_bytes : nest->cache_bytes / 2;
    if (bytes < most / (MOST_TIMES + 1)) {
        return string;
    }
    if (nest->pattern != SSOP_PATTERN_TRANSPOSE && stride > touched) {
        touched = stride < LINE_BYTES ? stride : touched + LINE_BYTES;
    }
    bool fits = bytes + bytes / tile->item_bytes * touched < most;
    return fits || nest->src == NULL ? string
         : nest->fresh_dst           ? (unsigned)SSOP_PREFETCH
                                     : (unsigned)(SSOP_PREFETCH | SSOP_STREAM);
}

static ssop_tile
make_tile(const ssop_nest *nest, int64_t steps)
{
    int32_t column = nest->column_axis, row = nest->row_axis, inner = nest->rank - nest->item_axes;
    ssop_tile tile = {
        .rows = row < 0               ? 1
              : row == nest->cut_axis ? steps
                                      : nest->count[row],
        .columns = column < 0               ? 1
                 : column == nest->cut_axis ? steps
                                            : nest->count[column],
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
    if (nest->pattern == SSOP_PATTERN_TRANSPOSE &&
        tile.src_row < 0) { /* the source forwards, the destination backwards */
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
