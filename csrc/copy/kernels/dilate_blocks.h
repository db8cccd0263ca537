/* Template: dilation of small blocks that no register holds, such as pixels of three bytes that become four. The blocks
 * are contiguous in the source, and a lane of the destination is one or more of them with the gap after each. Include
 * once per CPU target, with gaps.h, rows.h, TARGET, lane, load_lane, and WIDE_X with its operations `load`, `shuffle`
 * and `store`. */
#define wide_lanes JOIN(WIDE_X, lanes)
#define wide_load JOIN(WIDE_X, load)
#define wide_shuffle JOIN(WIDE_X, shuffle)
#define wide_store JOIN(WIDE_X, store)

/* A lane is loaded with bytes behind its blocks, so the blocks at the end of the row are copied one by one. The fill is
 * combined as in dilate_vectors.h. */
static TARGET void
dilate_blocks_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const dilate_table *table = tile->table;
    const lane index = load_lane((const char *)table->index);
    const WIDE_X fill = wide_load(table->fill->line, 0);
    const int64_t step = wide_lanes * table->items, from_step = table->items * tile->item_bytes;
    const int64_t end = tile->columns * tile->item_bytes - (wide_lanes - 1) * from_step - 16;
    SSOP_ASSERT(tile->rows == 1 && tile->src_column == tile->item_bytes);
    int64_t column = 0;
    for (; column * tile->item_bytes <= end; column += step) {
        const WIDE_X v = wide_load(src + column * tile->item_bytes, from_step) ^ fill;
        wide_store(dst + column * tile->dst_column, wide_shuffle(v, index) ^ fill);
    }
    ssop_tile rest = copy_tile(tile);
    rest.columns -= column;
    dilate_rows_kernel(dst + column * tile->dst_column, src + column * tile->src_column, &rest);
}

#undef wide_lanes
#undef wide_load
#undef wide_shuffle
#undef wide_store
