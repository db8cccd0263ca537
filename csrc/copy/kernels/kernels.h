/* The kernel table: one row per pattern, one column per item size. A CPU tier is one such table. */
#ifndef SSOP_COPY_KERNELS_H
#define SSOP_COPY_KERNELS_H

#include "../../core/common.h"

/* Columns: items of 1, 2, 4, 8, 16 and any other number of bytes. */
enum { KERNEL_SIZE_COUNT = 6 };

typedef struct {
    ssop_kernel kernel[SSOP_PATTERN_COUNT][KERNEL_SIZE_COUNT];
} kernel_table;

extern const kernel_table ssop_kernels_portable;

static inline int
kernel_size_column(int64_t item_bytes)
{
    switch (item_bytes) {
    case 1:
        return 0;
    case 2:
        return 1;
    case 4:
        return 2;
    case 8:
        return 3;
    case 16:
        return 4;
    default:
        return 5;
    }
}

#endif /* SSOP_COPY_KERNELS_H */
