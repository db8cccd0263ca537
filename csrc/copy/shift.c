/* Copies between two views of the same strides that share memory: they run in place, in an order in which each item is
 * read before another one is written over it. If the items of a view lie in memory in the order of its loops, that is
 * the order towards the source: forwards if the destination comes before it, else backwards. */
#include "nest.h"

/* Rows of at most so many bytes are items of the next loop. Not measured; chosen because a call for each longer row
 * costs little beside its bytes. */
enum { MAX_ROW_ITEM = 256 };

/* Takes the loops of a copy, if both sides have the same strides and the items lie in the order of the loops. */
static bool
take_loops(ssop_shift *shift, const ssop_nest *nest)
{
    int64_t extent = nest->item_bytes; /* of all that is inside the present loop */
    shift->steps = 1;
    for (int32_t axis = nest->rank - 1; axis >= 0; axis--) {
        const int64_t stride = nest->dst_stride[axis];
        if (stride != nest->src_stride[axis] || stride < extent) {
            return false;
        }
        shift->count[axis] = nest->count[axis];
        shift->stride[axis] = stride;
        shift->steps *= nest->count[axis];
        extent += (nest->count[axis] - 1) * stride;
    }
    shift->dst = nest->dst;
    shift->src = nest->src;
    shift->item_bytes = nest->item_bytes;
    shift->rank = nest->rank;
    return true;
}

bool
ssop_shift_begin(ssop_shift *shift, const ssop_view *dst, const ssop_view *src)
{
    ssop_nest nest;
    ssop_nest_copy(&nest, dst, src, NULL); /* for its loops: it does not run */
    if (!take_loops(shift, &nest)) {
        return false;
    }
    const int32_t inner = shift->rank - 1;
    const int64_t count = shift->count[inner];
    if (inner > 0 && shift->stride[inner] == shift->item_bytes && count * shift->item_bytes <= MAX_ROW_ITEM) {
        shift->item_bytes *= count;
        shift->steps /= count;
        shift->rank--;
    }
    for (int32_t axis = 0; (uintptr_t)dst->data > (uintptr_t)src->data && axis < shift->rank; axis++) {
        const int64_t last = (shift->count[axis] - 1) * shift->stride[axis];
        shift->dst += last;
        shift->src += last;
        shift->stride[axis] = -shift->stride[axis];
    }
    return true;
}

/* A loop with a constant item size, for the common sizes. Several items are read before the first is written: nothing
 * overwrites an item before its turn, and the loads need not wait for the stores. */
#define MOVE_BY(items, size)                                                                                           \
    for (; count >= (items); count -= (items), dst += (items)*stride, src += (items)*stride) {                         \
        char held[items][size];                                                                                        \
        for (int i = 0; i < (items); i++) {                                                                            \
            memcpy(held[i], src + i * stride, size);                                                                   \
        }                                                                                                              \
        for (int i = 0; i < (items); i++) {                                                                            \
            memcpy(dst + i * stride, held[i], size);                                                                   \
        }                                                                                                              \
    }
#define MOVE_ITEMS(size)                                                                                               \
    MOVE_BY(4, size)                                                                                                   \
    MOVE_BY(1, size)                                                                                                   \
    break

static void
move_items(char *dst, const char *src, int64_t count, int64_t stride, int64_t item_bytes)
{
    if (stride == item_bytes || stride == -item_bytes) {
        const int64_t lowest = stride < 0 ? (count - 1) * stride : 0;
        memmove(dst + lowest, src + lowest, (size_t)(count * item_bytes));
        return;
    }
    switch (item_bytes) {
    case 1:
        MOVE_ITEMS(1);
    case 2:
        MOVE_ITEMS(2);
    case 4:
        MOVE_ITEMS(4);
    case 8:
        MOVE_ITEMS(8);
    case 16:
        MOVE_ITEMS(16);
    default:
        for (int64_t i = 0; i < count; i++) {
            memmove(dst + i * stride, src + i * stride, (size_t)item_bytes);
        }
    }
}

void
ssop_shift_execute(const ssop_shift *shift, int64_t first, int64_t last)
{
    const int32_t inner = shift->rank - 1;
    int64_t count;
    for (; first < last; first += count) {
        const int64_t index = first % shift->count[inner];
        int64_t row = first / shift->count[inner], offset = index * shift->stride[inner];
        count = shift->count[inner] - index < last - first ? shift->count[inner] - index : last - first;
        for (int32_t axis = inner - 1; axis >= 0; axis--) {
            offset += row % shift->count[axis] * shift->stride[axis];
            row /= shift->count[axis];
        }
        move_items(shift->dst + offset, shift->src + offset, count, shift->stride[inner], shift->item_bytes);
    }
}
