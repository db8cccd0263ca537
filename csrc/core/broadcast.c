/* Views that repeat: how a value meets the slice it is assigned to. */
#include "common.h"

ssop_status
ssop_view_broadcast(const ssop_view *value, int32_t rank, const int64_t *dims, ssop_view *out, ssop_error *error)
{
    int32_t extra = value->rank - rank; /* leading axes of the value without a partner, negative if it lacks some */
    for (int32_t axis = 0; axis < extra; axis++) {
        if (value->dim[axis] != 1) {
            return fail(error, SSOP_AS_C1, axis, -1, value->dim[axis], 1, 1);
        }
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        int32_t from = axis + extra;
        bool repeats = from < 0 || value->dim[from] == 1;
        if (!repeats && value->dim[from] != dims[axis]) {
            return fail(error, SSOP_AS_C1, axis, -1, value->dim[from], 1, dims[axis]);
        }
        out->dim[axis] = dims[axis];
        out->stride[axis] = repeats ? 0 : value->stride[from];
    }
    out->data = value->data;
    out->item_bytes = value->item_bytes;
    out->rank = rank;
    return SSOP_OK;
}
