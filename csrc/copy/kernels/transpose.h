/* Template. Transpose: the columns of a row adjoin in the destination, the rows of a column in the source. A tile is 16
 * bytes of LANES * 16 / SIZE columns of the source, which become whole vectors of 16 / SIZE rows. The last
 * tiles are shifted back to end with the rows and columns.
 * Include once per tier, vector and item size, with TIER, TARGET, SIZE, STEPS = log2(16 / SIZE) and X, the vector: a type
 * with the functions X_load, X_low_SIZE, X_high_SIZE, X_store and X_stream, and X_lanes. */

/* Rows that share source lines, taken together: few enough for the lines of a tile's columns to stay in the first cache. */
#define BLOCK_ROWS (BLOCK_BYTES / SIZE)
#define TILE_ROWS (16 / SIZE)
#define TILE_COLUMNS (JOIN(X, lanes) * TILE_ROWS)
#define TRANSPOSE(name) SIZED(JOIN(name, X))

/* Rows and columns of a square matrix of items, row number and column number as one string of bits: interleaving the two
 * halves of the rows turns the string by one bit, and half a turn exchanges rows and columns. */
INLINE TARGET void
TRANSPOSE(transpose_tile)(char *dst, const char *src, const ssop_tile *tile, bool stream)
{
    X a[TILE_ROWS], b[TILE_ROWS];
    for (int k = 0; k < TILE_ROWS; k++) {
        a[k] = JOIN(X, load)(src + k * tile->src_column, TILE_ROWS * tile->src_column);
    }
    for (int step = 0; step < STEPS; step++) {
        for (int k = 0; k < TILE_ROWS / 2; k++) {
            b[2 * k] = JOIN(JOIN(X, low), SIZE)(a[k], a[k + TILE_ROWS / 2]);
            b[2 * k + 1] = JOIN(JOIN(X, high), SIZE)(a[k], a[k + TILE_ROWS / 2]);
        }
        memcpy(a, b, sizeof a);
    }
    for (int k = 0; k < TILE_ROWS; k++) {
        if (stream) {
            JOIN(X, stream)(dst + k * tile->dst_row, a[k]);
        }
        else {
            JOIN(X, store)(dst + k * tile->dst_row, a[k]);
        }
    }
}

/* The columns before the first that is aligned in every row, if there is one: 1 to TILE_COLUMNS. */
INLINE TARGET int64_t
TRANSPOSE(columns_to_aligned)(const char *dst, const ssop_tile *tile)
{
    int64_t bytes = (int64_t)(-(uintptr_t)dst % sizeof(X));
    bool aligned = bytes > 0 && bytes % SIZE == 0 && tile->dst_row % (int64_t)sizeof(X) == 0;
    return aligned ? bytes / SIZE : TILE_COLUMNS;
}

/* The tile at a row and column, or the last one that ends with the rows or columns. */
INLINE TARGET void
TRANSPOSE(transpose_at)(char *dst, const char *src, const ssop_tile *tile, int64_t row, int64_t column)
{
    row = row + TILE_ROWS <= tile->rows ? row : tile->rows - TILE_ROWS;
    column = column + TILE_COLUMNS <= tile->columns ? column : tile->columns - TILE_COLUMNS;
    char *to = dst + row * tile->dst_row + column * SIZE;
    bool stream = (tile->policy & SSOP_STREAM) != 0 && (uintptr_t)to % sizeof(X) == 0;
    TRANSPOSE(transpose_tile)(to, src + row * SIZE + column * tile->src_column, tile, stream);
}

/* Column by column: each source line is done with at once. */
INLINE TARGET void
TRANSPOSE(transpose_block)(char *dst, const char *src, const ssop_tile *tile)
{
    int64_t next = TRANSPOSE(columns_to_aligned)(dst, tile);
    for (int64_t column = 0; column < tile->columns; column = next, next += TILE_COLUMNS) {
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            TRANSPOSE(transpose_at)(dst, src, tile, row, column);
        }
    }
}

/* Row by row, from a copy of the source without gaps: where the lines of many rows or columns would compete for the same few
 * places in a cache. */
INLINE TARGET void
TRANSPOSE(transpose_staged)(char *dst, const char *src, const ssop_tile *tile)
{
    char stage[STAGE_COLUMNS * BLOCK_BYTES];
    ssop_tile part = *tile;
    int64_t first = TRANSPOSE(columns_to_aligned)(dst, tile);
    part.src_column = BLOCK_BYTES;
    int64_t next = STAGE_COLUMNS - TILE_COLUMNS + first;
    for (int64_t c = 0; c < tile->columns; c = next, next += STAGE_COLUMNS, first = TILE_COLUMNS) {
        part.columns = tile->columns - c < STAGE_COLUMNS ? tile->columns - c : STAGE_COLUMNS;
        if (part.columns < TILE_COLUMNS) {
            c = tile->columns - TILE_COLUMNS;
            part.columns = TILE_COLUMNS;
        }
        for (int64_t column = 0; column < part.columns; column++) {
            const char *from = src + (c + column) * tile->src_column;
            char *to = stage + column * BLOCK_BYTES;
            if (tile->rows == BLOCK_ROWS) {
                copy64(to, from);
                copy64(to + 64, from + 64);
                copy64(to + 128, from + 128);
                copy64(to + 192, from + 192);
            }
            else {
                memcpy(to, from, (size_t)(tile->rows * SIZE));
            }
        }
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            for (int64_t column = 0, more = first; column < part.columns; column = more, more += TILE_COLUMNS) {
                TRANSPOSE(transpose_at)(dst + c * SIZE, stage, &part, row, column);
            }
        }
    }
}

static TARGET void
TRANSPOSE(transpose_vectors)(char *dst, const char *src, const ssop_tile *tile)
{
    ssop_tile block = *tile;
    if (tile->dst_row % (int64_t)sizeof(X) != 0) { /* then hardly a vector is aligned */
        block.policy = 0;
    }
    bool staged = must_stage(tile);
    for (int64_t row = 0; row < tile->rows; row += BLOCK_ROWS) {
        block.rows = tile->rows - row < BLOCK_ROWS ? tile->rows - row : BLOCK_ROWS;
        if (block.rows < TILE_ROWS) { /* the last rows, and once more some before them */
            row = tile->rows - TILE_ROWS;
            block.rows = TILE_ROWS;
        }
        if (staged) {
            TRANSPOSE(transpose_staged)(dst + row * tile->dst_row, src + row * SIZE, &block);
        }
        else {
            TRANSPOSE(transpose_block)(dst + row * tile->dst_row, src + row * SIZE, &block);
        }
    }
    if ((block.policy & SSOP_STREAM) != 0) {
        stream_end();
    }
}

#undef BLOCK_ROWS
#undef TILE_ROWS
#undef TILE_COLUMNS
#undef TRANSPOSE
