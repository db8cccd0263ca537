/* Broadcasts a value to the shape of the slice that it is assigned to, as a view. */
#include "common.h"

ssop_status
ssop_view_broadcast(const ssop_view *value, ssop_shape shape, ssop_view *out, ssop_error *error)
{
    int32_t extra = value->rank -
                    shape.rank; /* number of leading axes that only the value has; negative: that only the slice has */
    for (int32_t axis = 0; axis < extra; axis++) {
        if (value->dim[axis] != 1) {
            return fail(error, SSOP_AS_C1, at_axis(axis), numbers(value->dim[axis], 1, 1));
        }
    }
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        int32_t from = axis + extra;
        bool repeats = from < 0 || value->dim[from] == 1;
        if (!repeats && value->dim[from] != shape.dim[axis]) {
            return fail(error, SSOP_AS_C1, at_axis(axis), numbers(value->dim[from], 1, shape.dim[axis]));
        }
        out->dim[axis] = shape.dim[axis];
        out->stride[axis] = repeats ? 0 : value->stride[from];
    }
    out->data = value->data;
    out->item_bytes = value->item_bytes;
    out->rank = shape.rank;
    return SSOP_OK;
}
