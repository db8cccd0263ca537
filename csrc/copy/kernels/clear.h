/* Clears the bytes between two items of a dilation. Most often these are so few that a call of memset would take longer
 * than the stores. Up to 64 bytes are cleared by a store at each end; the two stores may overlap. 64: not measured;
 * chosen because a store has at most 32 bytes where vectors have that many. */
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

/* Clears the bytes between a row of a dilation and the next one. */
INLINE void
clear_row_end(char *dst, const ssop_tile *tile, int64_t row)
{
    int64_t row_bytes = (tile->columns - 1) * tile->dst_column + tile->item_bytes;
    if (row + 1 < tile->rows) {
        clear_bytes(dst + row * tile->dst_row + row_bytes, tile->dst_row - row_bytes);
    }
}

#endif /* SSOP_COPY_CLEAR_H */
