/* Chooses the variant of its pattern (variants.def) by which a tile is copied. */
#include "nest.h"

/* What a pattern is copied by that has one variant; of the others, the one that copies any tile. */
static const ssop_variant plain_variant[SSOP_PATTERN_COUNT] = {
    [SSOP_PATTERN_ROWS] = SSOP_VARIANT_ROWS,
    [SSOP_PATTERN_STRIDED] = SSOP_VARIANT_ITEMS,
    [SSOP_PATTERN_PACK] = SSOP_VARIANT_ITEMS,
    [SSOP_PATTERN_SHUFFLE] = SSOP_VARIANT_SHUFFLE,
    [SSOP_PATTERN_REPEAT] = SSOP_VARIANT_REPEAT,
    [SSOP_PATTERN_TRANSPOSE] = SSOP_VARIANT_ITEMS,
    [SSOP_PATTERN_INTERLEAVE] = SSOP_VARIANT_INTERLEAVE,
    [SSOP_PATTERN_DEINTERLEAVE] = SSOP_VARIANT_DEINTERLEAVE,
    [SSOP_PATTERN_SHORT_AXES] = SSOP_VARIANT_SHORT_AXES,
    [SSOP_PATTERN_MASKED_STORE] = SSOP_VARIANT_ITEMS,
    [SSOP_PATTERN_ZERO] = SSOP_VARIANT_ZERO,
    [SSOP_PATTERN_DILATE_ROWS] = SSOP_VARIANT_DILATE_ROWS,
    [SSOP_PATTERN_DILATE] = SSOP_VARIANT_DILATE_ITEMS,
    [SSOP_PATTERN_DILATE_VECTORS] = SSOP_VARIANT_DILATE_VECTORS,
    [SSOP_PATTERN_DILATE_BLOCKS] = SSOP_VARIANT_DILATE_BLOCKS,
};

/* Vectors of 16 bytes do not pay where the items themselves decide the time: in rows of a few, and where each has a
 * line of its own, unless stores are non-temporal and items have more than MAX_REGULAR bytes. A line of smaller items
 * waits for 16 of the source, and regular stores are faster (record pack-regular-stores). */
static ssop_variant
choose_packing(const kernel_table *used, const char *dst, const ssop_tile *tile)
{
    enum { MAX_REGULAR = 4 };
    const int64_t item = tile->item_bytes;
    const bool far = magnitude(tile->src_column) >= LINE_BYTES;
    const bool streams = (tile->policy & SSOP_STREAM) != 0 && tile_has_lines(dst, tile);
    const bool loads_lines = far && (!streams || item <= MAX_REGULAR);
    if (loads_lines || is_short_row(tile->columns) || !has_variant(used, SSOP_VARIANT_PACK, item)) {
        return items_variant(tile);
    }
    return streams ? SSOP_VARIANT_PACK_STREAMED : SSOP_VARIANT_PACK;
}

/* Targets that shuffle words, not bytes, need words of the destination that get their bytes from one word. Items of
 * one byte are at least a word apart, and items of two bytes have a gap after each. Larger items at odd distances, and
 * items of an odd number of bytes, are copied one by one. */
static ssop_variant
choose_masked(const kernel_table *used, const ssop_tile *tile)
{
    const int64_t item = tile->item_bytes;
    const bool whole_words = item <= 2 || (item % 2 == 0 && tile->dst_column % 2 == 0);
    if (whole_words || used->shuffles_lines) {
        return SSOP_VARIANT_MASKED_STORE;
    }
    return has_kernel_size(item) ? items_variant(tile) : SSOP_VARIANT_ROWS;
}

void
ssop_choose(ssop_choice *choice, const ssop_nest *nest, const char *dst, const ssop_tile *tile)
{
    const kernel_table *used = nest->used;
    ssop_variant variant = plain_variant[nest->pattern];
    switch ((ssop_pattern)nest->pattern) {
    case SSOP_PATTERN_STRIDED:
        variant = items_variant(tile);
        break;
    case SSOP_PATTERN_PACK:
        variant = choose_packing(used, dst, tile);
        break;
    case SSOP_PATTERN_MASKED_STORE:
        variant = choose_masked(used, tile);
        break;
    case SSOP_PATTERN_TRANSPOSE:
        used = ssop_transposing_kernels(used, tile);
        variant = ssop_choose_transposition(&choice->transposition, used, dst, tile);
        break;
    default:
        break;
    }
    choice->variant = variant;
    choice->target = kernels_with(used, variant, tile->item_bytes);
    choice->kernel = choice->target->kernel[variant][kernel_size_column(tile->item_bytes)];
    if (ssop_variant_forced >= 0) {
        ssop_force(choice, nest, dst, tile);
    }
}

/* Rows that are the inner loop of the destination write the same lines. Then the columns are divided into blocks of
 * BLOCK_BYTES that stay in the L1 cache from row to row; not if the kernel goes along the columns once, or rows
 * are read in the order of the source. BLOCK_BYTES: not measured; chosen because it is a small part
 * of every L1 cache. MIN_COLUMNS keeps blocks from being single columns (record tile-columns). */
static bool
revisits_lines(const ssop_nest *nest, const ssop_tile *tile)
{
    const bool once = nest->pattern == SSOP_PATTERN_STRIDED && has_short_columns(tile);
    return nest->row_axis > nest->column_axis && !once && (nest->policy & SSOP_SOURCE_ORDER) == 0;
}

/* A transposition without vectors goes in blocks so small that the lines of the source are still in the L1 cache when
 * their next items are read: SCALAR_COLUMNS read as many lines at a time, of which SCALAR_ROWS use up at most eight
 * each. Not measured; chosen because that is half of an L1 cache of 32 KiB.
 *
 * If items are copied one by one from columns far apart, a block of FAR_COLUMNS lines of the source stays in the L1
 * cache for the rows that are in these lines, and FAR_ROWS keep few pages of the destination in use
 * (record far-blocks). A block of columns that share lines has NEAR_BYTES of the source (record near-blocks). */
tile_block
ssop_choose_block(const ssop_nest *nest, const ssop_tile *tile)
{
    enum { BLOCK_BYTES = 4096, MIN_COLUMNS = 32, FAR_COLUMNS = 256, FAR_ROWS = 32, NEAR_BYTES = 16 * 1024 };
    enum { SCALAR_ROWS = 64, SCALAR_COLUMNS = 32 };
    const tile_block whole = {tile->rows, tile->columns};
    if (nest->pattern == SSOP_PATTERN_TRANSPOSE) {
        return (tile_block){SCALAR_ROWS, SCALAR_COLUMNS};
    }
    if (revisits_lines(nest, tile)) {
        return (tile_block){tile->rows, BLOCK_BYTES / tile->dst_column + MIN_COLUMNS};
    }
    const bool packs = nest->pattern == SSOP_PATTERN_PACK, one_by_one = packs || nest->pattern == SSOP_PATTERN_STRIDED;
    if (!one_by_one || tile->rows == 1 || nest->row_axis > nest->column_axis) {
        return whole;
    }
    if (rows_share_lines(tile->src_row, tile->src_column)) {
        return (tile_block){FAR_ROWS, FAR_COLUMNS};
    }
    const bool near = packs && rows_are_nested(tile->rows, tile->src_row, tile->src_column);
    return near ? (tile_block){tile->rows, NEAR_BYTES / (int64_t)magnitude(tile->src_column)} : whole;
}

void
ssop_nest_choose(ssop_nest *nest)
{
    nest->kernel = kernel_of(nest->used, plain_variant[nest->pattern], nest->kernel_item_bytes);
}
