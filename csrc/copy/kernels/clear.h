/* Clears the bytes between two items of a dilation: most often so few that a call of memset would take longer than they do.
 * Each size is one or two stores at either end, which overlap. */
#ifndef SSOP_COPY_CLEAR_H
#define SSOP_COPY_CLEAR_H

#include "kernels.h"

#define CLEAR_ENDS(size) (memset(to, 0, size), memset(to + bytes - (size), 0, size))

INLINE void
clear_bytes(char *to, int64_t bytes)
{
    if (bytes > 64) {
        memset(to, 0, (size_t)bytes);
    }
    else if (bytes >= 32) {
        CLEAR_ENDS(32);
    }
    else if (bytes >= 16) {
        CLEAR_ENDS(16);
    }
    else if (bytes >= 8) {
        CLEAR_ENDS(8);
    }
    else if (bytes >= 4) {
        CLEAR_ENDS(4);
    }
    else if (bytes >= 2) {
        CLEAR_ENDS(2);
    }
    else if (bytes == 1) {
        *to = 0;
    }
}

/* After a row of a dilation, up to where the next one begins. */
INLINE void
clear_row_end(char *dst, const ssop_tile *tile, int64_t row)
{
    int64_t row_bytes = (tile->columns - 1) * tile->dst_column + tile->item_bytes;
    if (row + 1 < tile->rows) {
        clear_bytes(dst + row * tile->dst_row + row_bytes, tile->dst_row - row_bytes);
    }
}

#endif /* SSOP_COPY_CLEAR_H */
