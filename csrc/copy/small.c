/* Copies a few bytes into C order, without a loop nest: making one would take longer than the copy. */
#include "../core/common.h"
#include "../include/ssop/copying.h"

/* Copies rows as blocks of 16, 8, 4 or 1 bytes; the last block ends with the row and may overlap the one before. The
 * size is tested outside the loops over rows, so that these have no branch that could be predicted wrongly. */
static inline void
copy_rows(char *to, const char *from, int64_t rows, int64_t stride, int64_t bytes)
{
    const char *end = to + rows * bytes;
    if (bytes >= 16) {
        for (; to < end; to += bytes, from += stride) {
            for (int64_t at = 0; at + 16 < bytes; at += 16) {
                memcpy(to + at, from + at, 16);
            }
            memcpy(to + bytes - 16, from + bytes - 16, 16);
        }
    }
    else if (bytes >= 8) {
        for (; to < end; to += bytes, from += stride) {
            memcpy(to, from, 8);
            memcpy(to + bytes - 8, from + bytes - 8, 8);
        }
    }
    else if (bytes >= 4) {
        for (; to < end; to += bytes, from += stride) {
            memcpy(to, from, 4);
            memcpy(to + bytes - 4, from + bytes - 4, 4);
        }
    }
    else {
        for (; to < end; to += bytes, from += stride) {
            for (int64_t at = 0; at < bytes; at++) {
                to[at] = from[at];
            }
        }
    }
}

/* A loop with a constant item size, for the common sizes. */
#define COPY_ITEMS(size)                                                                                               \
    for (int64_t i = 0; i < count; i++) {                                                                              \
        memcpy(to + i * (size), from + i * stride, size);                                                              \
    }                                                                                                                  \
    break

static inline void
copy_small_items(char *to, const char *from, int64_t count, int64_t stride, int64_t item_bytes)
{
    switch (item_bytes) {
    case 1:
        COPY_ITEMS(1);
    case 2:
        COPY_ITEMS(2);
    case 4:
        COPY_ITEMS(4);
    case 8:
        COPY_ITEMS(8);
    default:
        copy_rows(to, from, count, stride, item_bytes);
    }
}

void
ssop_copy_small(char *dst, const char *src, const ssop_view *like)
{
    SSOP_ASSERT(!view_is_empty(like));
    int32_t outer = like->rank > 2 ? like->rank - 2 : 0; /* axes before the two innermost loops */
    int64_t rows = 1, row_stride = 0, count = 1, stride = like->item_bytes, index[SSOP_MAX_RANK];
    if (like->rank > 1) {
        rows = like->dim[like->rank - 2];
        row_stride = rows > 1 ? like->stride[like->rank - 2] : 0; /* that of an axis of length 1 may be anything */
    }
    if (like->rank > 0) {
        count = like->dim[like->rank - 1];
        stride = like->stride[like->rank - 1];
    }
    for (int32_t axis = 0; axis < outer; axis++) {
        index[axis] = 0;
    }
    bool contiguous = stride == like->item_bytes || count == 1;
    int64_t bytes = count * like->item_bytes;
    for (;;) {
        if (contiguous) {
            copy_rows(dst, src, rows, row_stride, bytes);
        }
        else {
            for (int64_t row = 0; row < rows; row++) {
                copy_small_items(dst + row * bytes, src + row * row_stride, count, stride, like->item_bytes);
            }
        }
        dst += rows * bytes;
        int32_t axis = outer - 1;
        while (axis >= 0 && ++index[axis] == like->dim[axis]) {
            index[axis] = 0;
            src -= (like->dim[axis] - 1) * like->stride[axis];
            axis--;
        }
        if (axis < 0) {
            return;
        }
        src += like->stride[axis];
    }
}
