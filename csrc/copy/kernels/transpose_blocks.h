/* Template: transposition in blocks of rows that share lines of the source. Include from transpose_size.h after
 * transpose_staged.h, with what that needs. */
#define transpose_blocks SIZED(transpose_blocks)
#define transpose_prefetched_blocks SIZED(transpose_prefetched_blocks)
#define transpose_staged_blocks SIZED(transpose_staged_blocks)
#define transpose_lines_of_blocks SIZED(transpose_lines_of_blocks)

/* Prefetches the source, whatever the policy. */
NOINLINE TARGET void
transpose_prefetched(char *dst, const char *src, const ssop_tile *tile, const char *next_src)
{
    transpose_block_wide(dst, src, tile, true, next_src);
}

/* Begins a block of at most `most` rows at `row`. If it would have fewer than TILE_ROWS, it repeats some of the rows
 * before; returns where it begins. */
INLINE TARGET int64_t
begin_block(ssop_tile *block, const ssop_tile *tile, int64_t row, int64_t most)
{
    block->rows = tile->rows - row < most ? tile->rows - row : most;
    if (TILE_ROWS > 1 && block->rows < TILE_ROWS) {
        row = tile->rows - TILE_ROWS;
        block->rows = TILE_ROWS;
    }
    return row;
}

/* Goes in blocks of rows that share source lines. In `copy`, `to` and `from` are where a block begins, and `next_src`
 * is what is read after it. */
#define EACH_BLOCK_OF_ROWS(copy)                                                                                       \
    const int64_t most = ((const ssop_transposition *)tile->table)->block_rows;                                        \
    ssop_tile block = copy_tile(tile);                                                                                 \
    for (int64_t row = 0; row < tile->rows; row += most) {                                                             \
        row = begin_block(&block, tile, row, most);                                                                    \
        char *const to = dst + row * tile->dst_row;                                                                    \
        const char *const from = src + row * SIZE;                                                                     \
        const char *const next_src = row + most < tile->rows ? src + (row + most) * SIZE : tile->next_src;             \
        copy;                                                                                                          \
    }

static TARGET void
transpose_staged_blocks(char *dst, const char *src, const ssop_tile *tile)
{
    EACH_BLOCK_OF_ROWS((void)next_src; transpose_staged(to, from, &block))
}

#ifdef WRITES_LINES
static TARGET void
transpose_lines_of_blocks(char *dst, const char *src, const ssop_tile *tile)
{
    EACH_BLOCK_OF_ROWS(transpose_lines(to, from, &block, next_src))
}
#endif

static TARGET void
transpose_prefetched_blocks(char *dst, const char *src, const ssop_tile *tile)
{
    EACH_BLOCK_OF_ROWS(transpose_prefetched(to, from, &block, next_src))
}

static TARGET void
transpose_blocks(char *dst, const char *src, const ssop_tile *tile)
{
    EACH_BLOCK_OF_ROWS((void)next_src; transpose_block_wide(to, from, &block, false, NULL))
}

#undef EACH_BLOCK_OF_ROWS

#undef transpose_blocks
#undef transpose_prefetched_blocks
#undef transpose_staged_blocks
#undef transpose_lines_of_blocks
