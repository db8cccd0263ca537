/* From a reduced loop nest to the pattern, the kernel and the axis along which pieces are cut. */
#include "classify.h"

#include "kernels/kernels.h"

/* Enough steps for any number of threads, and for pieces short enough to answer Ctrl-C. */
enum { ENOUGH_STEPS = 256 };

/* The outermost axis that is long enough, so that pieces stay compact; else the longest. */
static int32_t
choose_cut_axis(const ssop_nest *nest)
{
    int32_t longest = 0;
    for (int32_t axis = 0; axis < nest->rank; axis++) {
        if (nest->count[axis] >= ENOUGH_STEPS) {
            return axis;
        }
        if (nest->count[axis] > nest->count[longest]) {
            longest = axis;
        }
    }
    return longest;
}

void
ssop_nest_classify(ssop_nest *nest)
{
    int32_t inner = nest->rank - 1;
    if (nest->src == NULL) {
        nest->pattern = SSOP_PATTERN_ZERO;
    }
    else if (nest->dst_stride[inner] == nest->item_bytes && nest->src_stride[inner] == nest->item_bytes) {
        nest->pattern = SSOP_PATTERN_ROWS;
    }
    else {
        nest->pattern = SSOP_PATTERN_STRIDED;
    }
    nest->kernel = ssop_kernels_portable.kernel[nest->pattern][kernel_size_column(nest->item_bytes)];
    nest->cut_axis = choose_cut_axis(nest);
}
