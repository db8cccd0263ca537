/* Template: transposition with vectors of one type. The columns of a row are contiguous in the destination, the rows of
 * a column in the source. A tile is 16 bytes of each of TILE_COLUMNS columns of the source; it becomes one vector in
 * each of TILE_ROWS rows of the destination. The last tiles are moved back so that they end with the rows and columns.
 * Include from transpose_size.h, once per type of vector, with TARGET, SIZE, STEPS = log2(16 / SIZE), and X, the
 * type, which has these functions:
 * - X_load loads 16 bytes from each of X_lanes columns, so many bytes apart.
 * - X_load_places does so from columns that have any places; those of the lanes are so many numbers apart in the list.
 * - X_low_SIZE and X_high_SIZE interleave the lower or upper halves of two vectors, in each lane of 16 bytes.
 * - X_put stores, with a non-temporal store if its last argument is true. */
#define rows_of_columns TRANSPOSE(rows_of_columns)
#define transposed TRANSPOSE(transposed)
#define transpose_tile TRANSPOSE(transpose_tile)
#define transposed_places TRANSPOSE(transposed_places)
#define transpose_listed_rows TRANSPOSE(transpose_listed_rows)
#define transpose_to_rows TRANSPOSE(transpose_to_rows)
#define columns_to_aligned TRANSPOSE(columns_to_aligned)
#define transpose_at TRANSPOSE(transpose_at)
#define transpose_row TRANSPOSE(transpose_row)
#define x_load JOIN(X, load)
#define x_load_places JOIN(X, load_places)
#define x_low JOIN(JOIN(X, low), SIZE)
#define x_high JOIN(JOIN(X, high), SIZE)
#define x_put JOIN(X, put)

/* Transposes a tile whose columns are in the first array: square matrices of items, one in each lane. The bits of the
 * row number followed by those of the column number are the address of an item; interleaving the two halves of the rows
 * rotates all addresses by one bit. Rotating them by half of their bits exchanges rows and columns. Returns the one of
 * the two arrays of vectors that has the rows; each step reads one of the two and writes the other. */
INLINE TARGET const X *
rows_of_columns(X v[2][TILE_ROWS])
{
#if STEPS > 0 /* an item of 16 bytes is a lane */
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
#endif
    return v[STEPS % 2];
}

/* Loads a tile, whose lanes are `apart` bytes apart, and transposes it. */
INLINE TARGET const X *
transposed(X v[2][TILE_ROWS], const char *src, int64_t pitch, int64_t apart)
{
    UNROLL
    for (int k = 0; k < TILE_ROWS; k++) {
        v[0][k] = x_load(src, apart);
        STEP_POINTER(src, pitch);
    }
    return rows_of_columns(v);
}

INLINE TARGET void
transpose_tile(char *dst, const char *src, int64_t dst_row, int64_t pitch, bool stream)
{
    X v[2][TILE_ROWS];
    const X *rows = transposed(v, src, pitch, TILE_ROWS * pitch);
    UNROLL
    for (int k = 0; k < TILE_ROWS; k++) {
        x_put(dst, rows[k], stream);
        STEP_POINTER(dst, dst_row);
    }
}

#if STEPS > 0
/* Loads a tile of columns that have places of their own, and transposes it. */
INLINE TARGET const X *
transposed_places(X v[2][TILE_ROWS], const char *src, const int64_t *places)
{
    UNROLL
    for (int k = 0; k < TILE_ROWS; k++) {
        v[0][k] = x_load_places(src, places + k, TILE_ROWS);
    }
    return rows_of_columns(v);
}

INLINE TARGET void
transpose_listed_rows(char *dst, const short_matrix *matrix, int64_t first, int64_t columns, const bool places)
{
    const int64_t rows = matrix->rows, pitch = matrix->pitch;
    X v[2][TILE_ROWS];
    for (int64_t row = 0; row < rows; row += TILE_ROWS) {
        row = row + TILE_ROWS <= rows ? row : rows - TILE_ROWS;
        const int64_t *row_dst = matrix->row_dst + row;
        const char *const from = matrix->src + row * SIZE;
        for (int64_t at = first; at < first + columns; at += TILE_COLUMNS) {
            const X *made = places ? transposed_places(v, from, matrix->places + at)
                                   : transposed(v, from + at * pitch, pitch, TILE_ROWS * pitch);
            UNROLL
            for (int k = 0; k < TILE_ROWS; k++) {
                x_put(dst + row_dst[k] + at * SIZE, made[k], false);
            }
        }
    }
}

/* Transposes columns of a matrix whose rows have places of their own in the destination. `columns` is a multiple of
 * TILE_COLUMNS. */
NOINLINE TARGET void
transpose_to_rows(char *dst, const short_matrix *matrix, int64_t first, int64_t columns)
{
    if (matrix->places != NULL) {
        transpose_listed_rows(dst, matrix, first, columns, true);
    }
    else {
        transpose_listed_rows(dst, matrix, first, columns, false);
    }
}
#endif

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
    row = TILE_ROWS == 1 || row + TILE_ROWS <= tile->rows ? row : tile->rows - TILE_ROWS;
    column = TILE_COLUMNS == 1 || column + TILE_COLUMNS <= tile->columns ? column : tile->columns - TILE_COLUMNS;
    transpose_tile(dst + row * tile->dst_row + column * SIZE, src + row * SIZE + column * tile->src_column,
                   tile->dst_row, tile->src_column, false);
}

/* Transposes all columns of the TILE_ROWS rows at `row`; the second tile is the one at column `first`. */
INLINE TARGET void
transpose_row(char *dst, const char *src, const ssop_tile *tile, int64_t row, int64_t first)
{
    const int64_t last = tile->columns - TILE_COLUMNS, dst_row = tile->dst_row, pitch = tile->src_column;
    const int64_t at = TILE_ROWS == 1 || row + TILE_ROWS <= tile->rows ? row : tile->rows - TILE_ROWS;
    dst += at * dst_row;
    src += at * SIZE;
    for (int64_t column = 0, next = first; column < last; column = next, next += TILE_COLUMNS) {
        transpose_tile(dst + column * SIZE, src + column * pitch, dst_row, pitch, false);
    }
    transpose_tile(dst + last * SIZE, src + last * pitch, dst_row, pitch, false);
}

#undef rows_of_columns
#undef transposed
#undef transpose_tile
#undef transposed_places
#undef transpose_listed_rows
#undef transpose_to_rows
#undef columns_to_aligned
#undef transpose_at
#undef transpose_row
#undef x_load
#undef x_load_places
#undef x_low
#undef x_high
#undef x_put
