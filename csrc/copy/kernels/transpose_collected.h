/* Template: transposition by way of a buffer, of which whole lines are written by non-temporal stores, where tiles at
 * their places would write only parts of lines. There are two shapes of such tiles: long rows, and joined rows, where
 * each begins at the end of the one before.
 * Include from transpose_size.h after transpose_small.h, with what that needs and flush_lines of joined_rows.h. */
#define collect_block SIZED(collect_block)

/* Whether a row has at most so many columns. Rows of so few bytes have less than a line, which SHORT_ROW_KERNELS
 * transpose. */
#if defined(SHORT_ROW_KERNELS) && SIZE == 1
#define HAS_FEW(columns, most) false
#define ONLY_MANY_COLUMNS
#else
#define HAS_FEW(columns, most) ((columns) <= (most))
#endif

/* Transposes at most COLLECTED_ROWS rows to the buffer, COLLECTED_BYTES of each at a time. */
NOINLINE TARGET void
collect_block(char *dst, const char *src, const ssop_tile *tile)
{
    enum { PITCH = LINE_BYTES + COLLECTED_BYTES, BLOCK_COLUMNS = COLLECTED_BYTES / SIZE };
    _Alignas(LINE_BYTES) char buffer[COLLECTED_ROWS * PITCH];
    ssop_tile block = copy_tile(tile);
    block.dst_row = PITCH;
    /* The buffer is in the caches, so for items of less than 8 bytes the source is prefetched into the L2 cache
     * (record collected-prefetches). */
    block.table = &in_buffer;
    block.policy = SIZE < 8 ? tile->policy & SSOP_PREFETCH_L2 : 0;
    for (int64_t c = 0; c < tile->columns; c += BLOCK_COLUMNS) {
        const int64_t left = tile->columns - c, columns = left < BLOCK_COLUMNS ? left : BLOCK_COLUMNS;
        /* Columns before the last ones. They write again what waits in the buffer. */
        const int64_t again = TILE_COLUMNS > 1 && columns < TILE_COLUMNS ? TILE_COLUMNS - columns : 0;
        block.columns = columns + again;
        transpose_prefetched(buffer + LINE_BYTES - again * SIZE, src + (c - again) * tile->src_column, &block,
                             left > columns ? address_after(src, (c + columns) * tile->src_column) : tile->next_src);
        for (int64_t row = 0; row < tile->rows; row++) {
            flush_lines(dst + row * tile->dst_row + c * SIZE, buffer + row * PITCH + LINE_BYTES, columns * SIZE, c == 0,
                        left <= BLOCK_COLUMNS);
        }
    }
}

NOINLINE TARGET void
transpose_collected(char *dst, const char *src, const ssop_tile *tile)
{
#if SIZE < MIN_COLLECTED_ITEM /* no more rows than a block has */
    collect_block(dst, src, tile);
#else
    ssop_tile block = copy_tile(tile);
    for (int64_t row = 0; row < tile->rows; row += COLLECTED_ROWS) {
        row = begin_block(&block, tile, row, COLLECTED_ROWS);
        block.next_src = row + COLLECTED_ROWS < tile->rows ? src + (row + COLLECTED_ROWS) * SIZE : tile->next_src;
        collect_block(dst + row * tile->dst_row, src + row * SIZE, &block);
    }
#endif
}

#if STEPS > 0 /* items of 16 bytes are as fast without: see writes_transposed_lines in memory.c */
/* Transposes as many rows at a time as the buffer has room for; fewer if less than a tile would be left. */
NOINLINE TARGET void
transpose_joined(char *dst, const char *src, const ssop_tile *tile)
{
    enum { MAX_FEW = TILE_COLUMNS > MAX_FEW_COLUMNS ? TILE_COLUMNS - 1 : MAX_FEW_COLUMNS };
    _Alignas(LINE_BYTES) char buffer[LINE_BYTES + JOINED_BYTES];
    const int64_t row_bytes = tile->dst_row,
                  wanted = (HAS_FEW(tile->columns, MAX_FEW) ? FEW_PIECE : JOINED_PIECE) / SIZE;
    const int64_t fitting = JOINED_BYTES / row_bytes / LINE_ITEMS * LINE_ITEMS;
    const int64_t most = fitting < wanted ? fitting : wanted;
    ssop_tile block = copy_tile(tile);
    block.table = &in_buffer;
    block.policy = tile->policy & SSOP_PREFETCH_L2;
    for (int64_t row = 0; row < tile->rows; row += block.rows) {
        const int64_t left = tile->rows - row, beyond = left - most;
        block.rows = beyond <= 0 ? left : beyond < TILE_ROWS ? most - TILE_ROWS : most;
        const bool is_last = block.rows == left;
        const char *const next_src = is_last ? tile->next_src : src + (row + block.rows) * SIZE;
#ifdef ONLY_MANY_COLUMNS
        transpose_prefetched(buffer + LINE_BYTES, src + row * SIZE, &block, next_src);
#else
        if (HAS_FEW(tile->columns, MAX_FEW)) {
            transpose_small(buffer + LINE_BYTES, src + row * SIZE, &block);
        }
        else {
            transpose_prefetched(buffer + LINE_BYTES, src + row * SIZE, &block, next_src);
        }
#endif
        flush_lines(dst + row * row_bytes, buffer + LINE_BYTES, block.rows * row_bytes, row == 0, is_last);
    }
}
#endif

#undef collect_block
#undef HAS_FEW
#undef ONLY_MANY_COLUMNS
