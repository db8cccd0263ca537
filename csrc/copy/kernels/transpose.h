/* Template. Transpose: the columns of a row adjoin in the destination, the rows of a column in the source. A tile is 16
 * bytes of LANES * 16 / SIZE columns of the source, which become whole vectors of 16 / SIZE rows. The last
 * tiles are shifted back to end with the rows and columns.
 * Include once per tier, vector and item size, with TIER, TARGET, SIZE, STEPS = log2(16 / SIZE) and X, the vector: a type
 * with the functions X_load, X_low_SIZE, X_high_SIZE, X_store and X_stream, and X_lanes. */

/* Rows whose source lines are used as a whole: few enough for the lines of a tile's columns to stay in the first cache. */
#define BLOCK_ROWS (256 / SIZE)
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

/* The source lines of the next tile's columns, a sixteenth of them with each of the sixteen tiles of a block. */
INLINE TARGET void
TRANSPOSE(prefetch_next)(const char *block, int64_t part, int64_t column, const ssop_tile *tile)
{
    for (int64_t next = column + TILE_COLUMNS + part; next < column + 2 * TILE_COLUMNS; next += 16) {
        const char *line = address_after(block, next * tile->src_column);
        prefetch_l2(line);
        prefetch_l2(address_after(line, 64));
        prefetch_l2(address_after(line, 128));
        prefetch_l2(address_after(line, 192));
    }
}

static TARGET void
TRANSPOSE(transpose_vectors)(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t rows = tile->rows, columns = tile->columns;
    bool stream = (tile->policy & SSOP_STREAM) != 0 && ((uintptr_t)dst | (uintptr_t)tile->dst_row) % sizeof(X) == 0;
    bool prefetch = (tile->policy & SSOP_PREFETCH) != 0;
    for (int64_t block = 0; block < rows; block += BLOCK_ROWS) {
        int64_t block_end = block + BLOCK_ROWS < rows ? block + BLOCK_ROWS : rows;
        for (int64_t c = 0; c < columns; c += TILE_COLUMNS) {
            int64_t column = c + TILE_COLUMNS <= columns ? c : columns - TILE_COLUMNS;
            bool whole = column == c;
            for (int64_t r = block; r < block_end; r += TILE_ROWS) {
                int64_t row = r + TILE_ROWS <= rows ? r : rows - TILE_ROWS;
                if (prefetch) {
                    TRANSPOSE(prefetch_next)(src + block * SIZE, (r - block) / TILE_ROWS, column, tile);
                }
                TRANSPOSE(transpose_tile)
                (dst + row * tile->dst_row + column * SIZE,
                 src + row * SIZE + column * tile->src_column, tile, stream && whole);
            }
        }
    }
    if (stream) {
        stream_end();
    }
}

#undef BLOCK_ROWS
#undef TILE_ROWS
#undef TILE_COLUMNS
#undef TRANSPOSE
