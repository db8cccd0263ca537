/* Template. Transpose: the columns of a row adjoin in the destination, the rows of a column in the source. A tile is 16
 * bytes of TILE_COLUMNS columns of the source, which become whole vectors of TILE_ROWS rows. The last tiles are shifted back
 * to end with the rows and columns.
 * Include from transpose_size.h, once per vector, with TIER, TARGET, SIZE, STEPS = log2(16 / SIZE) and X, the vector: a type
 * with the functions X_load, X_low_SIZE, X_high_SIZE, X_put (stream: by a non-temporal store) and X_streams (whether it may
 * be one, under a policy and at places that are multiples of these), and X_lanes. */

/* A square matrix of items, in which the bits of the row number followed by those of the column number are an item's address:
 * interleaving the two halves of the rows rotates the address by one bit, and half a turn exchanges rows and columns. */
INLINE TARGET void
TRANSPOSE(transpose_tile)(char *dst, const char *src, const ssop_tile *tile, bool stream)
{
    const int64_t pitch = tile->src_column;
    X v[2][TILE_ROWS]; /* in turn what a step reads and what it writes */
    UNROLL
    for (int k = 0; k < TILE_ROWS; k++) {
        v[0][k] = JOIN(X, load)(src, TILE_ROWS * pitch);
        STEP_POINTER(src, pitch);
    }
    UNROLL
    for (int step = 0; step < STEPS; step++) {
        const X *in = v[step % 2];
        X *out = v[(step + 1) % 2];
        UNROLL
        for (int k = 0; k < TILE_ROWS / 2; k++) {
            out[2 * k] = JOIN(JOIN(X, low), SIZE)(in[k], in[k + TILE_ROWS / 2]);
            out[2 * k + 1] = JOIN(JOIN(X, high), SIZE)(in[k], in[k + TILE_ROWS / 2]);
        }
    }
    UNROLL
    for (int k = 0; k < TILE_ROWS; k++) {
        JOIN(X, put)(dst, v[STEPS % 2][k], stream);
        STEP_POINTER(dst, tile->dst_row);
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
    bool stream = JOIN(X, streams)(tile->policy, (uintptr_t)to | (uintptr_t)tile->dst_row);
    TRANSPOSE(transpose_tile)(to, src + row * SIZE + column * tile->src_column, tile, stream);
}

/* Column by column: each source line is used up at once. `far`: from and to memory. */
INLINE TARGET void
TRANSPOSE(transpose_block)(char *dst, const char *src, const ssop_tile *tile, const bool far)
{
    enum { LINE_ROWS = 64 / SIZE };
    const bool streams = JOIN(X, streams)(tile->policy, (uintptr_t)tile->dst_row);
    const bool writes = (tile->policy & (SSOP_STREAM | SSOP_PREFETCH_WRITE)) != 0;
    const int64_t written = (writes & !streams) * LINE_ROWS;
    int64_t next = TRANSPOSE(columns_to_aligned)(dst, tile);
    for (int64_t column = 0; column < tile->columns; column = next, next += TILE_COLUMNS) {
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            if (far && row % LINE_ROWS == 0) {
                const char *later = address_after(src, row * SIZE + next * tile->src_column);
                KERNEL(prefetch_tiles)(dst + row * tile->dst_row + column * SIZE, later, tile, written, TILE_COLUMNS);
            }
            TRANSPOSE(transpose_at)(dst, src, tile, row, column);
        }
    }
}
