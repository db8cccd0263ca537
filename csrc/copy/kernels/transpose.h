/* Template: transposition with vectors of one type. The columns of a row are contiguous in the destination, the rows of
 * a column in the source. A tile is 16 bytes of each of TILE_COLUMNS columns of the source; it becomes one vector in
 * each of TILE_ROWS rows of the destination. The last tiles are moved back so that they end with the rows and columns.
 * Include from transpose_size.h, once per type of vector, with ISA, TARGET, SIZE, STEPS = log2(16 / SIZE), has_lines
 * of rows.h, prefetch_write, and X, the type, which has these functions:
 * - X_load loads 16 bytes from each of X_lanes columns.
 * - X_low_SIZE and X_high_SIZE interleave the lower or upper halves of two vectors, in each lane of 16 bytes.
 * - X_put stores, with a non-temporal store if its last argument is true. */
#define transposed TRANSPOSE(transposed)
#define transpose_tile TRANSPOSE(transpose_tile)
#define transpose_to_rows TRANSPOSE(transpose_to_rows)
#define columns_to_aligned TRANSPOSE(columns_to_aligned)
#define transpose_at TRANSPOSE(transpose_at)
#define transpose_block TRANSPOSE(transpose_block)
#define transpose_strips TRANSPOSE(transpose_strips)
#define prefetch_tiles KERNEL(prefetch_tiles)
#define x_load JOIN(X, load)
#define x_low JOIN(JOIN(X, low), SIZE)
#define x_high JOIN(JOIN(X, high), SIZE)
#define x_put JOIN(X, put)

/* Loads a tile and transposes it: square matrices of items, one in each lane. The bits of the row number followed by
 * those of the column number are the address of an item; interleaving the two halves of the rows rotates all addresses
 * by one bit. Rotating them by half of their bits exchanges rows and columns. Returns the one of the two arrays of
 * vectors that has the rows; each step reads one of the two and writes the other. */
INLINE TARGET const X *
transposed(X v[2][TILE_ROWS], const char *src, int64_t pitch)
{
    UNROLL
    for (int k = 0; k < TILE_ROWS; k++) {
        v[0][k] = x_load(src, TILE_ROWS * pitch);
        STEP_POINTER(src, pitch);
    }
    UNROLL
    for (int step = 0; step < STEPS; step++) {
        const X *in = v[step % 2];
        X *out = v[(step + 1) % 2];
        UNROLL
        for (int k = 0; k < TILE_ROWS / 2; k++) {
            out[2 * k] = x_low(in[k], in[k + TILE_ROWS / 2]);
            out[2 * k + 1] = x_high(in[k], in[k + TILE_ROWS / 2]);
        }
    }
    return v[STEPS % 2];
}

INLINE TARGET void
transpose_tile(char *dst, const char *src, const ssop_tile *tile, bool stream)
{
    X v[2][TILE_ROWS];
    const X *rows = transposed(v, src, tile->src_column);
    UNROLL
    for (int k = 0; k < TILE_ROWS; k++) {
        x_put(dst, rows[k], stream);
        STEP_POINTER(dst, tile->dst_row);
    }
}

/* Transposes columns of a matrix whose rows have places of their own in the destination. `columns` is a multiple of
 * TILE_COLUMNS. */
NOINLINE TARGET void
transpose_to_rows(char *dst, const char *src, const short_matrix *matrix, int64_t columns)
{
    const int64_t rows = matrix->rows, pitch = matrix->pitch;
    X v[2][TILE_ROWS];
    for (int64_t row = 0; row < rows; row += TILE_ROWS) {
        row = row + TILE_ROWS <= rows ? row : rows - TILE_ROWS;
        const int64_t *row_dst = matrix->row_dst + row;
        const char *from = src + row * SIZE;
        for (int64_t at = 0; at < columns * SIZE; at += TILE_COLUMNS * SIZE) {
            const X *made = transposed(v, from, pitch);
            UNROLL
            for (int k = 0; k < TILE_ROWS; k++) {
                x_put(dst + row_dst[k] + at, made[k], false);
            }
            from += TILE_COLUMNS * pitch;
        }
    }
}

/* How many columns come before the first one that begins a group of `step` columns, aligned to its size in every row:
 * 1 to `step`; `step` if there is no such column, or if it is the first one. */
INLINE TARGET int64_t
columns_to_aligned(const char *dst, const ssop_tile *tile, int64_t step)
{
    const int64_t unit = step * SIZE, bytes = (int64_t)(-(uintptr_t)dst & (uintptr_t)(unit - 1));
    bool aligned = bytes > 0 && bytes % SIZE == 0 && (tile->dst_row & (unit - 1)) == 0;
    return aligned ? bytes / SIZE : step;
}

/* Transposes the tile at a row and column. A tile that would reach beyond the last row or column is moved back to end
 * there. */
INLINE TARGET void
transpose_at(char *dst, const char *src, const ssop_tile *tile, int64_t row, int64_t column)
{
    row = row + TILE_ROWS <= tile->rows ? row : tile->rows - TILE_ROWS;
    column = column + TILE_COLUMNS <= tile->columns ? column : tile->columns - TILE_COLUMNS;
    transpose_tile(dst + row * tile->dst_row + column * SIZE, src + row * SIZE + column * tile->src_column, tile,
                   false);
}

/* Goes column by column, so that each source line is used up at once, with regular stores. `prefetches`: source and
 * destination are in memory, not in a cache. `next_src`: what is read after the tile. Under SSOP_STREAM, short rows are
 * not prefetched for writing: on a Zen 4, f4 of (30, 18, 20, 12, 24, 16) permuted by (5, 1, 3, 0, 4, 2), in rows of 80
 * bytes, ran at 3.0 GB/s with that and at 3.65 without (AVX2, ssop.copyto, fastest of five interleaved rounds). */
INLINE TARGET void
transpose_block(char *dst, const char *src, const ssop_tile *tile, const bool prefetches, const char *next_src)
{
    enum { LINE_ROWS = 64 / SIZE };
    const bool lines = has_lines(dst, tile);
    const bool writes = (tile->policy & (lines * SSOP_STREAM | SSOP_PREFETCH_WRITE)) != 0;
    const int64_t written = writes * LINE_ROWS;
    int64_t next = columns_to_aligned(dst, tile, TILE_COLUMNS);
    for (int64_t column = 0; column < tile->columns; column = next, next += TILE_COLUMNS) {
        for (int64_t row = 0; row < tile->rows; row += TILE_ROWS) {
            if (prefetches && row % LINE_ROWS == 0) {
                const int64_t left = tile->columns - next;
                const char *later = left > 0 ? address_after(src, next * tile->src_column) : next_src;
                prefetch_tiles(dst + row * tile->dst_row + column * SIZE, address_after(later, row * SIZE), tile,
                               written, TILE_COLUMNS, left > 0 ? left : TILE_COLUMNS);
            }
            transpose_at(dst, src, tile, row, column);
        }
    }
}

/* Goes along the rows, as many at a time as the source has in a line, and prefetches for writing what the next tile
 * writes in these rows: a store that crosses the boundary of two lines waits for both. */
INLINE TARGET void
transpose_strips(char *dst, const char *src, const ssop_tile *tile)
{
    enum { STRIP_ROWS = 64 / SIZE, VECTOR = TILE_COLUMNS * SIZE };
    int64_t next = columns_to_aligned(dst, tile, TILE_COLUMNS);
    for (int64_t first = 0; first < tile->rows; first += STRIP_ROWS) {
        const int64_t end = first + STRIP_ROWS < tile->rows ? first + STRIP_ROWS : tile->rows;
        for (int64_t column = 0, after = next; column < tile->columns; column = after, after += TILE_COLUMNS) {
            for (int64_t row = first; row < end; row += TILE_ROWS) {
                const char *later = address_after(dst, row * tile->dst_row + after * SIZE + VECTOR - 1);
                UNROLL
                for (int k = 0; k < TILE_ROWS; k++) {
                    prefetch_write(later);
                    later = address_after(later, tile->dst_row);
                    __asm__("" : "+r"(later)); /* as in STEP_POINTER */
                }
                transpose_at(dst, src, tile, row, column);
            }
        }
    }
}

#undef transposed
#undef transpose_strips
#undef transpose_tile
#undef transpose_to_rows
#undef columns_to_aligned
#undef transpose_at
#undef transpose_block
#undef prefetch_tiles
#undef x_load
#undef x_low
#undef x_high
#undef x_put
