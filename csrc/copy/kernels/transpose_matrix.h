/* Template: transposition of the matrices of SSOP_PATTERN_SHORT_AXES, whose rows have places of their own, as their
 * columns may have. Include from transpose_size.h. */
#define transpose_to_rows_wide TRANSPOSE(transpose_to_rows)
#define transpose_to_rows_middle SIZED(JOIN(transpose_to_rows, MIDDLE_X))
#define transpose_to_rows_few SIZED(JOIN(transpose_to_rows, FEW_X))
#define widest_tile SIZED(widest_tile)
#define narrowest_tile SIZED(narrowest_tile)
#define transpose_matrix_columns SIZED(transpose_matrix_columns)
#define transpose_matrix SIZED(transpose_matrix)

/* The most columns of a tile that are no more than `columns`, and the least that are no fewer. */
INLINE int64_t
widest_tile(int64_t columns)
{
#ifdef NARROW_X
    if (columns >= TILE_COLUMNS) {
        return TILE_COLUMNS;
    }
#endif
#ifdef MIDDLE_X
    if (columns >= MIDDLE_COLUMNS) {
        return MIDDLE_COLUMNS;
    }
#endif
    (void)columns;
    return FEW_COLUMNS;
}

INLINE int64_t
narrowest_tile(int64_t columns)
{
#ifdef NARROW_X
    if (columns <= FEW_COLUMNS) {
        return FEW_COLUMNS;
    }
#endif
#ifdef MIDDLE_X
    if (columns <= MIDDLE_COLUMNS) {
        return MIDDLE_COLUMNS;
    }
#endif
    (void)columns;
    return TILE_COLUMNS;
}

/* Columns from `first` on, as many as are a multiple of `width`, in tiles of that width. */
INLINE TARGET void
transpose_matrix_columns(char *dst, const short_matrix *matrix, int64_t width, int64_t first, int64_t columns)
{
#ifdef NARROW_X
    if (width == TILE_COLUMNS) {
        transpose_to_rows_wide(dst, matrix, first, columns);
        return;
    }
#endif
#ifdef MIDDLE_X
    if (width == MIDDLE_COLUMNS) {
        transpose_to_rows_middle(dst, matrix, first, columns);
        return;
    }
#endif
    (void)width;
    transpose_to_rows_few(dst, matrix, first, columns);
}

/* Transposes a matrix of SSOP_PATTERN_SHORT_AXES: in the widest tiles that fit, and what is left of its columns in one
 * tile that is moved back to end with them. */
static TARGET void
transpose_matrix(char *dst, const short_matrix *matrix)
{
    const int64_t columns = matrix->columns, width = widest_tile(columns), left = columns % width;
    transpose_matrix_columns(dst, matrix, width, 0, columns - left);
    if (left > 0) {
        const int64_t last = narrowest_tile(left);
        transpose_matrix_columns(dst, matrix, last, columns - last, last);
    }
}

#undef transpose_to_rows_wide
#undef transpose_to_rows_middle
#undef transpose_to_rows_few
#undef widest_tile
#undef narrowest_tile
#undef transpose_matrix_columns
#undef transpose_matrix
