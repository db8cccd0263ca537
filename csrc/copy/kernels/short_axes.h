/* Template: tiles of several short axes (short_axes_table.h). Include once per CPU target, with TARGET, copy16, copy32,
 * prefetch and prefetch_l2; in vector_sizes.h also with WIDE_X and what transpose_size.h has made for each size. */

/* What a tile prefetches: the runs of the next one, none if that is NULL. */
typedef struct {
    const char *src;
    bool l2; /* SSOP_PREFETCH_L2 */
} next_runs;

/* A run that begins in the middle of a line ends in one more line than its bytes fill. The runs of a tile are as large
 * as an L1 cache, in which the stage is, too: prefetches into the L2 cache leave it there (record run-prefetches). */
INLINE TARGET void
prefetch_run(const char *from, int64_t bytes, const bool l2)
{
    for (int64_t at = 0; at < bytes + 63; at += 64) {
        const char *const place = address_after(from, at < bytes ? at : bytes - 1);
        if (l2) {
            prefetch_l2(place);
        }
        else {
            prefetch(place);
        }
    }
}

/* Copies the runs of a tile, which have at least 16 bytes, and prefetches those of the next tile, if there is one
 * (record next-runs). */
INLINE TARGET void
stage_runs(char *stage, const char *src, const short_axes_table *table, const next_runs *next)
{
    const int64_t bytes = table->run_bytes;
    for (int32_t run = 0; run < table->run_count; run++) {
        const char *from = src + table->run_src[run];
        if (next->src != NULL) {
            prefetch_run(address_after(next->src, table->run_src[run]), bytes, next->l2);
        }
        if (bytes < 32) {
            copy16(stage, from);
            copy16(stage + bytes - 16, from + bytes - 16);
        }
        else {
            for (int64_t at = 0; at + 32 < bytes; at += 32) {
                copy32(stage + at, from + at);
                NOT_MEMCPY();
            }
            copy32(stage + bytes - 32, from + bytes - 32);
        }
        stage += bytes;
    }
}

INLINE TARGET void
copy_units(char *dst, const char *stage, const short_axes_table *table, const size_t size)
{
    for (int32_t row = 0; row < table->row_count; row++) {
        char *to = dst + table->row_dst[row];
        const char *from = stage + table->row_stage[row];
        const int32_t *at = table->column_stage, *const end = at + table->column_count;
        for (; end - at >= 4; at += 4) {
            memcpy(to, from + at[0], size);
            memcpy(to + size, from + at[1], size);
            memcpy(to + 2 * size, from + at[2], size);
            memcpy(to + 3 * size, from + at[3], size);
            to += 4 * size;
        }
        for (; at < end; at++) {
            memcpy(to, from + *at, size);
            to += size;
        }
    }
}

#ifdef WIDE_X
/* `src`: the stage, or the first run of the source. */
INLINE TARGET void
transpose_matrices(char *dst, const char *src, const short_axes_table *table, const bool staged)
{
    const int64_t *const places = staged ? NULL : table->run_src;
    short_matrix matrix = {src, places, table->run_bytes, table->row_count, table->matrix_columns, table->row_dst};
    for (int32_t k = 0; k < table->matrix_count; k++) {
        char *to = dst + table->matrix_dst[k];
        switch (table->unit_bytes) {
        case 1:
            transpose_matrix_1(to, &matrix);
            break;
        case 2:
            transpose_matrix_2(to, &matrix);
            break;
        case 4:
            transpose_matrix_4(to, &matrix);
            break;
        default:
            transpose_matrix_8(to, &matrix);
        }
        if (staged) {
            matrix.src += matrix.columns * matrix.pitch;
        }
        else {
            matrix.places += matrix.columns;
        }
    }
}
#endif

NOINLINE TARGET void
copy_short_tile(char *dst, const char *src, const short_axes_table *table, const next_runs *next)
{
    _Alignas(64) char stage[MAX_SHORT_TILE_BYTES];
    stage_runs(stage, src + table->low, table, next);
#ifdef WIDE_X
    if (table->matrix_count > 0) {
        transpose_matrices(dst, stage, table, true);
        return;
    }
#endif
    switch (table->unit_bytes) {
    case 1:
        copy_units(dst, stage, table, 1);
        break;
    case 2:
        copy_units(dst, stage, table, 2);
        break;
    case 4:
        copy_units(dst, stage, table, 4);
        break;
    default:
        copy_units(dst, stage, table, 8);
    }
}

#ifdef WIDE_X
/* Copies block by block of the two axes of which a tile has only a part. The last blocks are moved back so that they
 * end with the axes. */
static TARGET void
short_axes_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const short_axes_table *table = tile->table;
    const int64_t rows = table->row_block, columns = table->column_block;
    const bool prefetches = (tile->policy & SSOP_PREFETCH) != 0, l2 = (tile->policy & SSOP_PREFETCH_L2) != 0;
    const bool direct = table->matrix_count > 0 && !table->staged;
    for (int64_t row = 0; row < tile->rows; row += rows) {
        row = row + rows <= tile->rows ? row : tile->rows - rows;
        const bool last_row = row + rows == tile->rows;
        const char *const after_row = last_row ? tile->next_src : address_after(src, (row + rows) * tile->src_row);
        for (int64_t column = 0; column < tile->columns; column += columns) {
            column = column + columns <= tile->columns ? column : tile->columns - columns;
            const char *const from = src + row * tile->src_row + column * tile->src_column;
            const bool last = column + columns == tile->columns;
            const char *const after = last ? after_row : address_after(from, columns * tile->src_column);
            const next_runs next = {prefetches ? address_after(after, table->low) : NULL, l2};
            char *const to = dst + row * tile->dst_row + column * tile->dst_column;
            if (direct) {
                transpose_matrices(to, from + table->low, table, false);
            }
            else {
                copy_short_tile(to, from, table, &next);
            }
        }
    }
}
#else
/* Only tiles of matrices have blocks of axes. */
static TARGET void
short_axes_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const short_axes_table *table = tile->table;
    const bool prefetches = (tile->policy & SSOP_PREFETCH) != 0;
    const next_runs next = {prefetches ? address_after(tile->next_src, table->low) : NULL,
                            (tile->policy & SSOP_PREFETCH_L2) != 0};
    copy_short_tile(dst, src, table, &next);
}
#endif
