/* Template: rows that are joined in the destination, where each begins at the end of the one before, but come from far
 * apart: they are read in the order of the source, and yet each line of the destination is written once and as a whole,
 * by a non-temporal store. In a tile of such rows, `rows` counts those that follow each other in the destination, and
 * `columns` those that follow each other in the source.
 * Include from rows.h after one_row.h, with what that needs. */

/* Writes the whole lines of `bytes` bytes at `from` to `to`. What is left after the last of them waits in the line
 * before `from` for the bytes that follow in the destination, and what waits there from before is written first; so
 * only the first and the last bytes of all get regular stores. */
INLINE TARGET void
flush_lines(char *to, char *from, int64_t bytes, bool is_first, bool is_last)
{
    const prefetch_plan no_prefetch = {0, 0, 0, false};
    const int64_t waiting = is_first ? 0 : (int64_t)((uintptr_t)to % LINE_BYTES);
    const int64_t waits = is_last ? 0 : (int64_t)(((uintptr_t)to + (uintptr_t)bytes) % LINE_BYTES);
    const int64_t written = waiting + bytes - waits;
    if (written >= 2 * LINE_BYTES) { /* so that there is a whole line */
        stream_long(to - waiting, from - waiting, written, &no_prefetch);
    }
    else {
        copy_few_bytes(to - waiting, from - waiting, written);
    }
    copy64(from - LINE_BYTES, from + bytes - LINE_BYTES); /* of no use after the last bytes, and cheaper than a test */
}

INLINE bool
are_joined_rows(const ssop_tile *tile)
{
    return tile->rows > 1 && tile->dst_row == tile->item_bytes;
}

/* Copies a row of whole lines to an address that is `shift` bytes before a line, but not these bytes. The last line
 * ends with as many of `next`; if that is NULL, it is written in part. */
INLINE TARGET void
stream_shifted_row(char *to, const char *from, const char *next, int64_t bytes, int64_t shift)
{
    const int64_t whole = bytes - 64 + shift;
    for (int64_t at = shift; at < whole; at += 64) {
        stream_line(to + at, load_line(from + at));
        NOT_MEMCPY();
    }
    if (next == NULL) {
        copy_few_bytes(to + whole, from + whole, 64 - shift);
        return;
    }
    for (int64_t at = whole; at < bytes; at += LANE_BYTES) {
        stream16(to + at, from + at);
    }
    for (int64_t at = 0; at < shift; at += LANE_BYTES) {
        stream16(to + bytes + at, next + at);
    }
}

/* Rows of whole lines, to addresses that are no multiple of a line, as those of arrays that NumPy allocated: the last
 * line of a row ends with the first bytes of the next one. They go in blocks of BLOCK_BYTES of each row, so that these
 * bytes are read from the caches again, and prefetch the next block (record shifted-rows). */
NOINLINE TARGET void
stream_shifted(char *dst, const char *src, const ssop_tile *tile)
{
    enum { BLOCK_BYTES = 16 * 1024 };
    const int64_t bytes = tile->item_bytes, most = BLOCK_BYTES / bytes, columns = tile->columns;
    const int64_t shift = (int64_t)(-(uintptr_t)dst % LINE_BYTES), last_row = tile->rows - 1;
    const bool wraps = tile->dst_column == tile->rows * bytes; /* the next column to the last row */
    for (int64_t first = 0; first < columns; first += most) {
        const int64_t end = columns - first < most ? columns : first + most;
        for (int64_t row = 0; row <= last_row; row++) {
            for (int64_t column = first; column < end; column++) {
                const char *from = src + row * tile->src_row + column * tile->src_column;
                const char *next = row < last_row                ? from + tile->src_row
                                 : wraps && column + 1 < columns ? src + (column + 1) * tile->src_column
                                                                 : NULL;
                char *to = dst + row * bytes + column * tile->dst_column;
                for (int64_t at = 0; at < bytes; at += LINE_BYTES) {
                    prefetch_l2(address_after(from, (end - first) * tile->src_column + at));
                }
                if (row == 0 && (!wraps || column == 0)) {
                    copy_few_bytes(to, from, shift);
                }
                stream_shifted_row(to, from, next, bytes, shift);
            }
        }
    }
}

/* Copies at least a line to a buffer. */
INLINE TARGET void
copy_row(char *to, const char *from, int64_t bytes)
{
    for (int64_t at = 0; at + 64 < bytes; at += 64) {
        copy64(to + at, from + at);
    }
    copy64(to + bytes - 64, from + bytes - 64);
}

/* Rows of any size: collects about RUN_BYTES of some columns in a buffer, and prefetches the next row meanwhile
 * (record joined-row-buffer). */
NOINLINE TARGET void
collect_rows(char *dst, const char *src, const ssop_tile *tile)
{
    enum { RUN_BYTES = 2048, BUFFER_BYTES = 64 * 1024 };
    _Alignas(LINE_BYTES) char buffer[BUFFER_BYTES];
    const int64_t bytes = tile->item_bytes, fitting = RUN_BYTES / bytes;
    const int64_t run = fitting < tile->rows ? fitting : tile->rows;
    const int64_t pitch = (LINE_BYTES + run * bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
    const int64_t most = BUFFER_BYTES / pitch;
    for (int64_t first = 0; first < tile->columns; first += most) {
        const int64_t left = tile->columns - first, columns = left < most ? left : most;
        for (int64_t row = 0; row < tile->rows; row += run) {
            const int64_t end = row + run < tile->rows ? row + run : tile->rows;
            for (int64_t at = row; at < end; at++) {
                const char *from = src + at * tile->src_row + first * tile->src_column;
                const int64_t ahead =
                    at + 1 < tile->rows ? tile->src_row : columns * tile->src_column - at * tile->src_row;
                for (int64_t k = 0; k < columns; k++) {
                    for (int64_t byte = 0; byte < bytes; byte += LINE_BYTES) {
                        prefetch_l2(address_after(from, ahead + byte));
                    }
                    copy_row(buffer + k * pitch + LINE_BYTES + (at - row) * bytes, from, bytes);
                    from = address_after(from, tile->src_column);
                }
            }
            for (int64_t k = 0; k < columns; k++) {
                flush_lines(dst + row * bytes + (first + k) * tile->dst_column, buffer + k * pitch + LINE_BYTES,
                            (end - row) * bytes, row == 0, end == tile->rows);
            }
        }
    }
}

NOINLINE TARGET void
stream_joined_rows(char *dst, const char *src, const ssop_tile *tile)
{
    const uintptr_t lines = (uintptr_t)tile->item_bytes | (uintptr_t)tile->dst_column;
    SSOP_ASSERT(tile->item_bytes >= 64 && tile->item_bytes < MIN_STREAM_BYTES); /* see makes_lines in memory.c */
    if (lines % 64 == 0 && (uintptr_t)dst % LANE_BYTES == 0) {
        stream_shifted(dst, src, tile);
    }
    else {
        collect_rows(dst, src, tile);
    }
}
