/* How a nest is copied, for explanations and tests. */
#include "nest.h"

/* The first tile as its kernel gets it; returns where its first row begins in the destination. */
static const char *
first_tile(const ssop_nest *nest, int64_t steps, ssop_tile *tile)
{
    ssop_nest_first_tile(nest, steps, tile);
    if (!nest->dilates && nest_has_blocks(nest, tile)) {
        const tile_block block = ssop_choose_block(nest, tile);
        tile->rows = block.rows < tile->rows ? block.rows : tile->rows;
        tile->columns = block.columns < tile->columns ? block.columns : tile->columns;
    }
    if (!tile_is_backwards(nest, tile)) {
        return nest->dst;
    }
    tile->dst_row = -tile->dst_row;
    return nest->dst - (tile->rows - 1) * tile->dst_row;
}

void
ssop_nest_describe(const ssop_nest *nest, int64_t steps, ssop_copy_description *out)
{
    const unsigned policy = nest->policy;
    ssop_tile tile;
    ssop_choice choice;
    const char *const dst = first_tile(nest, steps, &tile);
    ssop_choose(&choice, nest, dst, &tile);
    *out = (ssop_copy_description){
        .target = choice.target->name,
        .rank = nest->rank,
        .item_axes = nest->item_axes,
        .column_axis = nest->column_axis,
        .row_axis = nest->row_axis,
        .item_bytes = tile.item_bytes,
        .rows = tile.rows,
        .columns = tile.columns,
        .streams = (policy & SSOP_STREAM) != 0,
        .collects = (policy & SSOP_COLLECT) != 0,
        .prefetches_source = (policy & SSOP_PREFETCH) != 0,
        .prefetches_into_l2 = (policy & SSOP_PREFETCH_L2) != 0,
        .prefetches_destination = (policy & SSOP_PREFETCH_WRITE) != 0,
        .source_order = (policy & SSOP_SOURCE_ORDER) != 0,
        .strips = (policy & SSOP_STRIPS) != 0,
        .rep_movsb = (policy & SSOP_REP_MOVSB) != 0,
    };
    for (int32_t axis = 0; axis < nest->rank; axis++) {
        out->count[axis] = nest->count[axis];
        out->dst_stride[axis] = nest->dst_stride[axis];
        out->src_stride[axis] = nest->src_stride[axis];
    }
    ssop_variant_at((int32_t)choice.variant, &out->variant);
    for (int32_t at = 0; at < SSOP_VARIANT_COUNT; at++) {
        ssop_choice other;
        const bool fits =
            at == (int32_t)choice.variant || ssop_variant_fits(&other, (ssop_variant)at, nest, dst, &tile);
        out->fits |= (uint64_t)fits << at;
    }
}
