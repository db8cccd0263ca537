/* Runs a piece of a loop nest: an odometer over the outer axes, the kernel on the two innermost. */
#include "../core/common.h"

void
ssop_nest_execute(const ssop_nest *nest, int64_t first, int64_t last)
{
    SSOP_ASSERT(0 <= first && last <= ssop_nest_steps(nest));
    if (first >= last) {
        return;
    }
    int64_t count[SSOP_MAX_RANK], index[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < nest->rank; axis++) {
        count[axis] = nest->count[axis];
        index[axis] = 0;
    }
    count[nest->cut_axis] = last - first;
    char *dst = nest->dst + first * nest->dst_stride[nest->cut_axis];
    const char *src = nest->src;
    if (src != NULL) {
        src += first * nest->src_stride[nest->cut_axis];
    }

    int32_t column = nest->rank - 1, row = nest->rank - 2;
    ssop_tile tile = {
        .rows = row >= 0 ? count[row] : 1,
        .columns = count[column],
        .dst_row = row >= 0 ? nest->dst_stride[row] : 0,
        .src_row = row >= 0 ? nest->src_stride[row] : 0,
        .dst_column = nest->dst_stride[column],
        .src_column = nest->src_stride[column],
        .item_bytes = nest->item_bytes,
    };
    for (;;) {
        nest->kernel(dst, src, &tile);
        int32_t axis = row - 1;
        while (axis >= 0 && ++index[axis] == count[axis]) {
            index[axis] = 0;
            dst -= (count[axis] - 1) * nest->dst_stride[axis];
            if (src != NULL) {
                src -= (count[axis] - 1) * nest->src_stride[axis];
            }
            axis--;
        }
        if (axis < 0) {
            return;
        }
        dst += nest->dst_stride[axis];
        if (src != NULL) {
            src += nest->src_stride[axis];
        }
    }
}
