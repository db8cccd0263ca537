/* Template: transposition by way of a staging buffer, where lines of the source would displace each other from the L1
 * cache. Include from transpose_size.h after transpose_lines.h, with what that needs, its own names and rows.h. */
#define copy_to_stage TRANSPOSE(copy_to_stage)
#define prefetch_next TRANSPOSE(prefetch_next)
#define columns_of_step SIZED(columns_of_step)
#define steps_at SIZED(steps_at)

/* What a step of a staged transposition is: a line of each of TILE_ROWS rows, if those are streamed, or a tile. The
 * first step has `first` columns that the next one does not write again. */
#ifdef STAGES_LINES
INLINE int64_t
columns_of_step(bool streams)
{
    return streams ? LINE_ITEMS : TILE_COLUMNS;
}

INLINE TARGET void
steps_at(char *dst, const char *src, const ssop_tile *tile, int64_t row, int64_t first, bool streams)
{
    if (!streams) {
        transpose_row_wide(dst, src, tile, row, first);
        return;
    }
    for (int64_t column = 0, next = first; column < tile->columns; column = next, next += LINE_ITEMS) {
        lines_at(dst, src, tile, row, column);
    }
}
#else
INLINE int64_t
columns_of_step(bool streams)
{
    (void)streams;
    return TILE_COLUMNS;
}

INLINE TARGET void
steps_at(char *dst, const char *src, const ssop_tile *tile, int64_t row, int64_t first, bool streams)
{
    (void)streams;
    transpose_row_wide(dst, src, tile, row, first);
}
#endif

/* Copies the source of some columns to the staging buffer, `bytes` for each. */
INLINE TARGET void
copy_to_stage(char *stage, const char *src, const ssop_tile *tile, int64_t bytes)
{
    for (int64_t column = 0; column < tile->columns; column++) {
        const char *from = src + column * tile->src_column;
        char *to = stage + column * bytes;
        if (tile->rows * SIZE == bytes) {
            copy64(to, from);
            if (SIZE > 2 || bytes > WIDE_STAGE) { /* stage_bytes gives no less for such items */
                copy64(to + 64, from + 64);
            }
            if (SIZE > 4 || bytes > MIDDLE_STAGE) {
                copy64(to + 128, from + 128);
                copy64(to + 192, from + 192);
            }
        }
        else {
            memcpy(to, from, (size_t)(tile->rows * SIZE));
        }
    }
}

/* Prefetches what is read and written next, while the rows from `row` on are transposed: the same share of the next
 * block's source as these rows are of their block, and the lines of the next TILE_ROWS rows of the destination. */
INLINE TARGET void
prefetch_next(const char *dst, const char *next_dst, const char *next_src, const ssop_tile *tile, int64_t row,
              int64_t bytes)
{
    int64_t columns = tile->columns * TILE_ROWS / tile->rows + 1, first = tile->columns * row / tile->rows;
    for (int64_t column = first; column < first + columns; column++) {
        prefetch_span(address_after(next_src, column * tile->src_column), bytes);
    }
    bool last = row + TILE_ROWS >= tile->rows;
    const char *to = last ? next_dst : address_after(dst, (row + TILE_ROWS) * tile->dst_row);
    prefetch_rows(to, tile->dst_row, TILE_ROWS, tile->columns * SIZE);
}

/* Transposes at most as many rows as the staging buffer has, TILE_ROWS at a time and each from front to back, because
 * the lines of more rows or columns would compete for the same cache sets. The source is first copied to a buffer
 * without gaps, unless it is read directly (record staged-near-columns). The next rows and columns are prefetched
 * (record staged-prefetches). */
NOINLINE TARGET void
transpose_staged(char *dst, const char *src, const ssop_tile *tile)
{
    char stage[STAGE_BYTES];
    const ssop_transposition *how = tile->table;
    const int64_t bytes = how->stage_bytes, most = how->stage_columns;
    const bool prefetches = (tile->policy & SSOP_PREFETCH_WRITE) != 0;
    const bool streams = how->streams_lines, direct = how->reads_directly;
    const int64_t step = columns_of_step(streams);
    int64_t first = columns_to_aligned(dst, tile, step), next = most - step + first;
    for (int64_t c = 0; c < tile->columns; c = next, next += most, first = step) {
        ssop_tile block = copy_tile(tile);
        block.columns = tile->columns - c < most ? tile->columns - c : most;
        if (TILE_COLUMNS > 1 && block.columns < step) {
            c = tile->columns - step;
            block.columns = step;
        }
        bool last = next >= tile->columns; /* then the next block begins at the next rows */
        const char *next_src = address_after(src, last ? bytes : next * tile->src_column);
        const char *next_dst = address_after(dst, last ? bytes / SIZE * tile->dst_row : next * SIZE);
        ssop_tile staged = copy_tile(&block);
        const char *from = src + c * tile->src_column;
        if (!direct) {
            copy_to_stage(stage, from, &block, bytes);
            staged.src_column = bytes;
            from = stage;
        }
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            if (prefetches) {
                prefetch_next(dst + c * SIZE, next_dst, next_src, &block, row, bytes);
            }
            steps_at(dst + c * SIZE, from, &staged, row, first, streams);
        }
    }
}

#undef copy_to_stage
#undef prefetch_next
#undef columns_of_step
#undef steps_at
