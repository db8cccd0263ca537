/* Chooses the loops of a transposition, for choose.c. What decides is whether lines are written as a whole, and whether
 * the lines that are used together displace each other from the L1 cache. */
#include "nest.h"

#include "kernels/transposition.h"

static bool
has_line_vectors(const kernel_table *used)
{
    return used->lanes == LINE_BYTES / LANE_BYTES;
}

static bool
comes_from_memory(const ssop_tile *tile)
{
    return (tile->policy & MEMORY_POLICIES) != 0;
}

/* From memory, lines that are only near a multiple wait longer for memory than for each other. */
static int64_t
conflict_unit(const ssop_tile *tile, int64_t pitch)
{
    return comes_from_memory(tile) ? ssop_offset_unit(pitch) : ssop_conflict_unit(pitch, tile->item_bytes);
}

/* True if lines that are used together compete for the same cache sets, because rows or columns collide. A set keeps
 * eight lines, so tiles of at most eight columns are staged only if the rows are in few sets, too
 * (record staged-collisions). Items of 16 bytes need no transposed tiles, so a staged transposition writes longer
 * pieces of each row, which pays if these collide in fewer than four sets (record staged-lanes). MIN_ITEMS, MIN_LANES:
 * not measured; chosen because smaller matrices fit the L1 and L2 caches, and 4 KiB every L1 cache. */
static bool
collides(const ssop_tile *tile, bool many_columns)
{
    enum { MIN_ITEMS = 16384, MIN_LANES = 256 };
    const int64_t item = tile->item_bytes, items = tile->rows * tile->columns;
    if (item == LANE_BYTES) {
        return items >= MIN_LANES && conflict_unit(tile, tile->dst_row) > CONFLICT_BYTES;
    }
    if (items < MIN_ITEMS) {
        return false;
    }
    const int64_t least = many_columns ? CONFLICT_BYTES : 512 * item;
    const int64_t dst = conflict_unit(tile, tile->dst_row), src = conflict_unit(tile, tile->src_column);
    const bool both = src >= PAGE_BYTES && dst >= 32 * item * item; /* 512 bytes for f4, 2048 for f8 */
    return dst >= least || (many_columns ? src >= least : both);
}

/* True if only tiles of more than eight columns must be staged, as vectors of a line have of items of four bytes
 * (record many-columns). */
static bool
only_many_columns_collide(const ssop_tile *tile)
{
    return tile->policy == 0 && collides(tile, true) && !collides(tile, false);
}

/* True if a staged transposition reads the source itself, because its columns are near each other or in so many sets
 * that an L1 cache keeps what a stage would have of them (record direct-reads). Columns near each other are so many
 * bytes apart at most (record unstaged-pitch). */
static bool
reads_directly(const kernel_table *used, const ssop_tile *tile)
{
    if (tile->item_bytes == LANE_BYTES) {
        return ssop_offset_unit(tile->src_column) < PAGE_BYTES;
    }
    const int64_t max_pitch = has_line_vectors(used) ? LINE_BYTES : LONG_STAGE;
    const bool near = (int64_t)magnitude(tile->src_column) <= max_pitch;
    return near || conflict_unit(tile, tile->src_column) < CONFLICT_BYTES / 2;
}

/* True if a transposition in the caches writes a line of each row at a time, not a vector. Then no line waits for its
 * other vectors while other rows are written, but lines of more columns are needed until their next rows are read. So
 * it depends on whose lines share fewer sets, and whether the 32 KiB of an L1 cache keep those of the columns
 * (record line-writes). */
static bool
writes_whole_lines(const ssop_tile *tile)
{
    const int64_t item = tile->item_bytes, dst = ssop_offset_unit(tile->dst_row),
                  src = ssop_offset_unit(tile->src_column);
    return item > 4 || dst > src || (item > 1 && dst == src) || (item > 2 && src < PAGE_BYTES);
}

/* How many bytes of each column the staging buffer has. Only as many lines can be fetched at the same time as a set of
 * the L1 cache has ways, so the side whose lines are in fewer sets gets the longer pieces (record stage-pieces). */
static int64_t
stage_bytes(const ssop_tile *tile)
{
    const int64_t item = tile->item_bytes;
    const int64_t dst = conflict_unit(tile, tile->dst_row), src = conflict_unit(tile, tile->src_column);
    if (item > 4 || dst < src || (dst == src && comes_from_memory(tile))) {
        return LONG_STAGE;
    }
    return item > 2 || dst == src ? MIDDLE_STAGE : WIDE_STAGE;
}

/* The most columns of a staged transposition at a time. Of those that are read directly, the lines must stay in an L1
 * cache of 64 sets of eight lines until the rows that share them are written (record stage-columns). */
static int64_t
stage_columns(const ssop_tile *tile, const ssop_transposition *how)
{
    enum { L1_BYTES = 32 * 1024 };
    const int64_t most = STAGE_BYTES / how->stage_bytes, unit = ssop_offset_unit(tile->src_column);
    const bool lanes = tile->item_bytes == LANE_BYTES && how->reads_directly;
    return lanes && L1_BYTES / unit < most ? L1_BYTES / unit : most;
}

/* What a staged transposition needs to know. */
static void
stage(ssop_transposition *how, const kernel_table *used, const ssop_tile *tile)
{
    how->reads_directly = reads_directly(used, tile);
    how->stage_bytes = stage_bytes(tile);
    how->stage_columns = stage_columns(tile, how);
    how->block_rows = how->stage_bytes / tile->item_bytes;
}

/* True if the 64 lines of a strip of bytes are in eight sets of an L1 cache of 64 sets (record colliding-strips). */
static bool
strips_collide(const ssop_tile *tile)
{
    enum { UNIT = 512 };
    return tile->src_column % UNIT == 0 || tile->dst_row % UNIT == 0;
}

/* What is known of a tile from its policy, its sizes and where its rows begin. */
typedef struct {
    bool prefetches;    /* source or destination is in memory */
    bool streams;       /* non-temporal stores are wanted */
    bool streams_lines; /* whole lines get them at their places */
    bool has_lines;     /* rows are whole lines, or so long that their ends do not matter */
    bool short_rows;    /* of less than a line */
    bool contiguous;    /* each row begins at the end of the one before */
} facts;

static facts
find_facts(const kernel_table *used, const char *dst, const ssop_tile *tile)
{
    const int64_t row_bytes = tile->columns * tile->item_bytes;
    const bool streams = used->streams & ((tile->policy & SSOP_STREAM) != 0), lines = tile_has_lines(dst, tile);
    const bool aligned = tile->dst_row % LINE_BYTES == 0 && (uintptr_t)dst % (uintptr_t)tile->item_bytes == 0;
    return (facts){
        .prefetches = (tile->policy & PREFETCH_POLICIES) != 0,
        .streams = streams,
        .streams_lines =
            streams && lines && aligned && has_variant(used, SSOP_VARIANT_TRANSPOSE_LINES, tile->item_bytes),
        .has_lines = lines,
        .short_rows = row_bytes < LINE_BYTES,
        .contiguous = tile->dst_row == row_bytes,
    };
}

static void
set_memory(ssop_transposition *how, const facts *known, const ssop_tile *tile)
{
    how->streams_lines = known->streams_lines;
    how->prefetches_rows = (tile->policy & SSOP_PREFETCH_WRITE) != 0 || (known->streams && known->has_lines);
}

/* True if the rows are joined and no whole lines. Longer ones are for TRANSPOSE_COLLECTED, or would be few in the
 * buffer (record joined-or-collected). */
static bool
is_joined(const facts *known, const ssop_tile *tile)
{
    const int64_t item = tile->item_bytes;
    const int64_t most = item >= MIN_COLLECTED_ITEM ? MIN_STREAM_BYTES - 1 : JOINED_BYTES / (LINE_BYTES / item);
    const bool better_collected = item == 2 && tile->dst_row > most / 2 && tile->rows <= COLLECTED_ROWS;
    return known->streams && known->contiguous && !known->streams_lines && tile->dst_row <= most && !better_collected;
}

/* True if lines are collected, because tiles at their places would write only parts of lines. */
static bool
is_collected(const facts *known, const ssop_tile *tile)
{
    return known->streams && known->has_lines && !known->streams_lines &&
           (tile->item_bytes >= MIN_COLLECTED_ITEM || tile->rows <= COLLECTED_ROWS);
}

/* Few columns are read from memory at the same time, each from front to back, if the rows of the destination are near
 * each other; with more columns, or with rows farther apart, going column by column is faster (record few-columns).
 * Column by column is slower, too, if the rows are multiples of SAME_SET_BYTES apart: the lines that they write belong
 * to one set of the L1 cache, which keeps at most 8 to 12 until the next columns are written (record same-set-rows). */
static bool
has_few_columns(const facts *known, const ssop_tile *tile)
{
    enum { SAME_SET_BYTES = 4096 };
    const bool near = (int64_t)magnitude(tile->dst_row) <= MAX_FEW_COLUMNS * tile->item_bytes;
    return tile->columns <= MAX_FEW_COLUMNS && (near || tile->dst_row % SAME_SET_BYTES == 0) && !known->streams_lines;
}

/* A tile that is one block of the destination, written by regular stores, goes from front to back while the lines of
 * the source stay in the L1 cache. Blocks whose rows are whole lines get non-temporal stores instead
 * (record blocks-of-lines). MAX_BLOCK_BYTES: not
 * measured; chosen because source and destination together then fill an L1 cache of 32 KiB. */
static bool
is_small_block(const facts *known, const ssop_tile *tile)
{
    enum { MAX_BLOCK_BYTES = 16 * 1024 };
    return known->contiguous && !(known->has_lines && known->streams) && tile->rows * tile->dst_row <= MAX_BLOCK_BYTES;
}

/* True if the source of a matrix fits the L1 cache and the sets of its lines, and there are few rows: then it is
 * written from front to back, without what only larger matrices need (record small-matrices). Targets with vectors of a
 * line transpose bytes like this in vectors of 32 bytes, whose matrices may be of any shape (record middle-vectors). */
static bool
is_small_matrix(const kernel_table *used, const ssop_tile *tile)
{
    enum { MAX_ROW_BYTES = 192, MAX_BYTES = 16 * 1024 };
    const int64_t item = tile->item_bytes, items = tile->rows * tile->columns;
    if (tile->policy != 0 || items > MAX_BYTES / item) {
        return false;
    }
    const bool any_shape = has_line_vectors(used) && item == 1;
    return any_shape ||
           (tile->rows <= MAX_ROW_BYTES / item && ssop_offset_unit(tile->src_column) * tile->columns <= MAX_BYTES);
}

/* Rows of fewer columns than a tile of the widest vectors has. */
static ssop_variant
choose_narrow(const ssop_tile *tile)
{
    const int64_t lane_columns = LANE_BYTES / tile->item_bytes; /* of a tile of vectors of 16 bytes */
    const bool plain = (tile->policy & (SSOP_STRIPS | PREFETCH_POLICIES)) == 0;
    if (plain && tile->columns > lane_columns) {
        return SSOP_VARIANT_TRANSPOSE_PAIRS;
    }
    return (tile->policy & SSOP_STRIPS) != 0 ? SSOP_VARIANT_TRANSPOSE_NARROW_STRIPS : SSOP_VARIANT_TRANSPOSE_NARROW;
}

static bool
is_narrow(const kernel_table *used, const ssop_tile *tile)
{
    return has_variant(used, SSOP_VARIANT_TRANSPOSE_NARROW, tile->item_bytes) &&
           tile->columns < used->lanes * (LANE_BYTES / tile->item_bytes);
}

/* Tiles for the buffer of a collector. The next one is prefetched unless columns are short: several of them share a
 * line then, and going from front to back reads what processors prefetch. Of one and two bytes, tiles
 * of 16 columns read the source more evenly than wide ones (record collector-tiles). */
static ssop_variant
choose_for_collector(const kernel_table *used, const ssop_tile *tile)
{
    const int64_t item = tile->item_bytes;
    if (tile->rows * item < (item == 1 ? 32 : LINE_BYTES)) {
        return SSOP_VARIANT_TRANSPOSE_SMALL;
    }
    if (has_variant(used, SSOP_VARIANT_TRANSPOSE_NARROW_AHEAD, item)) {
        return SSOP_VARIANT_TRANSPOSE_NARROW_AHEAD;
    }
    return is_narrow(used, tile) ? choose_narrow(tile) : SSOP_VARIANT_TRANSPOSE_PREFETCHED;
}

/* Matrices that are none of the above, in blocks of rows that share source lines: so few rows that the lines of the
 * columns of a tile stay in the L1 cache. */
static ssop_variant
choose_wide(ssop_transposition *how, const kernel_table *used, const facts *known, const ssop_tile *tile)
{
    const int64_t item = tile->item_bytes;
    const bool strips = (tile->policy & SSOP_STRIPS) != 0 && !(item == 1 && strips_collide(tile));
    if (strips && has_variant(used, SSOP_VARIANT_TRANSPOSE_STRIPS, item)) {
        return SSOP_VARIANT_TRANSPOSE_STRIPS;
    }
    const bool many_columns = item <= (has_line_vectors(used) ? 4 : 2);
    if (collides(tile, many_columns) && !(known->streams_lines && item >= MIN_UNSTAGED_ITEM)) {
        stage(how, used, tile);
        return SSOP_VARIANT_TRANSPOSE_STAGED;
    }
    how->block_rows = transpose_block_rows(tile->policies, item);
    if (known->streams_lines) {
        return SSOP_VARIANT_TRANSPOSE_LINES;
    }
    how->whole_lines = writes_whole_lines(tile);
    return known->prefetches ? SSOP_VARIANT_TRANSPOSE_PREFETCHED : SSOP_VARIANT_TRANSPOSE_BLOCKS;
}

/* Kernels for vectors of 32 bytes have means of their own for rows of less than a line in the caches, and keep the
 * addresses of columns in general registers (record transposed-short-rows). Rows of a line and more fill wide vectors.
 * */
const kernel_table *
ssop_transposing_kernels(const kernel_table *used, const ssop_tile *tile)
{
    const bool short_rows = tile->columns * tile->item_bytes < LINE_BYTES;
    const bool shorter = short_rows || (tile->item_bytes == 4 && only_many_columns_collide(tile));
    return used->shorter != NULL && has_kernel_size(tile->item_bytes) && shorter ? used->shorter : used;
}

/* What is better for tiles that are in memory, not in the caches; SSOP_VARIANT_COUNT if nothing is. */
static ssop_variant
choose_from_memory(const kernel_table *used, const facts *known, const ssop_tile *tile)
{
    const int64_t item = tile->item_bytes;
    if (is_joined(known, tile) && has_variant(used, SSOP_VARIANT_TRANSPOSE_JOINED, item)) {
        return SSOP_VARIANT_TRANSPOSE_JOINED;
    }
    if ((tile->policy & SSOP_COLLECT) != 0) {
        return choose_for_collector(used, tile);
    }
    if (known->prefetches && (has_few_columns(known, tile) || is_small_block(known, tile))) {
        return SSOP_VARIANT_TRANSPOSE_SMALL;
    }
    if (is_narrow(used, tile)) {
        return choose_narrow(tile);
    }
    if (known->prefetches && known->short_rows) { /* not in blocks (record short-rows-from-memory) */
        return SSOP_VARIANT_TRANSPOSE_PREFETCHED;
    }
    if (is_collected(known, tile)) {
        return SSOP_VARIANT_TRANSPOSE_COLLECTED;
    }
    return SSOP_VARIANT_COUNT;
}

ssop_variant
ssop_choose_transposition(ssop_transposition *how, const kernel_table *used, const char *dst, const ssop_tile *tile)
{
    static const facts in_caches = {0};
    *how = (ssop_transposition){.block_rows = tile->rows};
    if (!has_variant(used, SSOP_VARIANT_TRANSPOSE_BLOCKS, tile->item_bytes)) {
        return items_variant(tile);
    }
    if ((tile->policy & ~(unsigned)SSOP_STRIPS) != 0) {
        const facts known = find_facts(used, dst, tile);
        set_memory(how, &known, tile);
        const ssop_variant variant = choose_from_memory(used, &known, tile);
        return variant != SSOP_VARIANT_COUNT ? variant : choose_wide(how, used, &known, tile);
    }
    if (is_narrow(used, tile)) {
        return choose_narrow(tile);
    }
    return is_small_matrix(used, tile) ? SSOP_VARIANT_TRANSPOSE_SMALL : choose_wide(how, used, &in_caches, tile);
}

/* For a variant of that pattern. */
bool
ssop_transposition_fits(ssop_transposition *how, ssop_variant variant, const kernel_table *used, const char *dst,
                        const ssop_tile *tile)
{
    enum { HALF_LINE = LINE_BYTES / 2 };
    const int64_t item = tile->item_bytes, columns = tile->columns, lane = LANE_BYTES / item;
    const int64_t wide = used->lanes * lane, line = LINE_BYTES / item;
    const bool byte_lines = has_line_vectors(used) && item == 1;
    const facts known = find_facts(used, dst, tile);
    *how = (ssop_transposition){
        .block_rows = transpose_block_rows(tile->policies, item),
        .whole_lines = writes_whole_lines(tile),
    };
    set_memory(how, &known, tile);
    switch (variant) {
    case SSOP_VARIANT_TRANSPOSE_SMALL:
        return used->shorter == NULL || columns >= (byte_lines ? HALF_LINE : wide);
    case SSOP_VARIANT_TRANSPOSE_PAIRS:
        return columns > lane && columns <= 2 * lane;
    case SSOP_VARIANT_TRANSPOSE_NARROW:
    case SSOP_VARIANT_TRANSPOSE_NARROW_STRIPS:
    case SSOP_VARIANT_TRANSPOSE_NARROW_AHEAD:
        return true;
    case SSOP_VARIANT_TRANSPOSE_BLOCKS:
    case SSOP_VARIANT_TRANSPOSE_PREFETCHED:
    case SSOP_VARIANT_TRANSPOSE_STRIPS:
        return columns >= wide;
    case SSOP_VARIANT_TRANSPOSE_STAGED:
        stage(how, used, tile);
        return columns >= wide;
    case SSOP_VARIANT_TRANSPOSE_LINES:
        return known.streams_lines;
    case SSOP_VARIANT_TRANSPOSE_COLLECTED:
        return known.streams && columns >= wide && (item >= MIN_COLLECTED_ITEM || tile->rows <= COLLECTED_ROWS);
    default: /* SSOP_VARIANT_TRANSPOSE_JOINED */
        return known.streams && known.contiguous && columns * item <= JOINED_BYTES / line &&
               (columns >= wide || !byte_lines);
    }
}
