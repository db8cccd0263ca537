/* Template: writes what stands between the items of a dilation: zero bytes, or one item again and again. Include once
 * per CPU target, with TARGET, tables.h, line, load_line, store_line, store_half_line, first_lane and store_lane16. */

/* The fill, in registers where there are enough of them. */
typedef struct {
    line all;
    char word[8];
    const gap_fill *fill;
} gap_filler;

INLINE TARGET gap_filler
load_gap_filler(const ssop_tile *tile)
{
    gap_filler filler;
    filler.fill = ((const dilate_table *)tile->table)->fill;
    filler.all = load_line(filler.fill->line);
    memcpy(filler.word, filler.fill->line, sizeof filler.word);
    return filler;
}

/* Larger gaps take a call of memset, or a loop. */
NOINLINE TARGET void
fill_large_gap(char *to, int64_t bytes, const gap_fill *fill)
{
    if (fill->is_one_byte) {
        memset(to, fill->line[0], (size_t)bytes);
        return;
    }
    const line all = load_line(fill->line);
    for (int64_t at = 0; at < bytes - LINE_BYTES; at += LINE_BYTES) {
        store_line(to + at, all);
    }
    store_line(to + bytes - LINE_BYTES, all);
}

#define FILL_ENDS(size) (memcpy(to, filler->word, size), memcpy(to + bytes - (size), filler->word, size))

/* Most often a gap has so few bytes that a call of memset would take longer than the stores. Up to 64 bytes are filled
 * by a store at each end; the two stores may overlap. A gap is a multiple of the item, and so is the distance of its
 * two stores, whose size is at least that of the item. 64: not measured; chosen because a store has at most 32 bytes
 * where vectors have that many. */
INLINE TARGET void
fill_gap(char *to, int64_t bytes, const gap_filler *filler)
{
    if (bytes > 64) {
        fill_large_gap(to, bytes, filler->fill);
    }
    else if (bytes >= 32) {
        store_half_line(to, filler->all);
        store_half_line(to + bytes - 32, filler->all);
    }
    else if (bytes >= 16) {
        store_lane16(to, first_lane(filler->all));
        store_lane16(to + bytes - 16, first_lane(filler->all));
    }
    else if (bytes >= 8) {
        FILL_ENDS(8);
    }
    else if (bytes >= 4) {
        FILL_ENDS(4);
    }
    else if (bytes >= 2) {
        FILL_ENDS(2);
    }
    else if (bytes == 1) {
        *to = filler->word[0];
    }
}

#undef FILL_ENDS

/* Fills the gap between a row of a dilation and the next one. */
INLINE TARGET void
fill_row_end(char *dst, const ssop_tile *tile, int64_t row, const gap_filler *filler)
{
    int64_t row_bytes = (tile->columns - 1) * tile->dst_column + tile->item_bytes;
    if (row + 1 < tile->rows) {
        fill_gap(dst + row * tile->dst_row + row_bytes, tile->dst_row - row_bytes, filler);
    }
}
