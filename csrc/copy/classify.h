/* From a reduced loop nest to the pattern, the kernel and the axis along which pieces are cut. */
#ifndef SSOP_COPY_CLASSIFY_H
#define SSOP_COPY_CLASSIFY_H

#include "../core/common.h"

void ssop_nest_classify(ssop_nest *nest);

/* Bytes of one item of the kernel: all of the item axes. */
static inline int64_t
nest_kernel_item(const ssop_nest *nest)
{
    int64_t bytes = nest->item_bytes;
    for (int32_t k = 1; k <= nest->item_axes; k++) {
        bytes *= nest->count[nest->rank - k];
    }
    return bytes;
}

#endif /* SSOP_COPY_CLASSIFY_H */
