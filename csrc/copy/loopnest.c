/* Two views of one shape become the shortest loop nest: unit axes dropped, axes sorted and flipped by the destination,
 * chained axes joined. */
#include "classify.h"

typedef struct {
    int64_t count, dst_stride, src_stride;
} loop;

/* Destination strides become positive; both sides turn round together. */
static loop
flipped_forward(ssop_nest *nest, loop axis)
{
    if (axis.dst_stride < 0) {
        nest->dst += (axis.count - 1) * axis.dst_stride;
        axis.dst_stride = -axis.dst_stride;
        if (nest->src != NULL) {
            nest->src += (axis.count - 1) * axis.src_stride;
            axis.src_stride = -axis.src_stride;
        }
    }
    return axis;
}

/* Longest destination stride outermost: the destination is written front to back. */
static void
insert_sorted(ssop_nest *nest, loop axis)
{
    int32_t at = nest->rank++;
    while (at > 0 && nest->dst_stride[at - 1] < axis.dst_stride) {
        nest->count[at] = nest->count[at - 1];
        nest->dst_stride[at] = nest->dst_stride[at - 1];
        nest->src_stride[at] = nest->src_stride[at - 1];
        at--;
    }
    nest->count[at] = axis.count;
    nest->dst_stride[at] = axis.dst_stride;
    nest->src_stride[at] = axis.src_stride;
}

/* True if one step of the outer axis is all of the inner axis, on one side. */
static bool
is_chained(int64_t outer_stride, int64_t inner_stride, int64_t inner_count)
{
    int64_t span;
    return checked_mul(inner_stride, inner_count, &span) && span == outer_stride;
}

static void
join_chained(ssop_nest *nest)
{
    int32_t last = 0; /* axes 0..last are done */
    for (int32_t axis = 1; axis < nest->rank; axis++) {
        int64_t count = nest->count[axis];
        bool joins = is_chained(nest->dst_stride[last], nest->dst_stride[axis], count) &&
                     is_chained(nest->src_stride[last], nest->src_stride[axis], count);
        last += joins ? 0 : 1;
        nest->count[last] = joins ? nest->count[last] * count : count;
        nest->dst_stride[last] = nest->dst_stride[axis];
        nest->src_stride[last] = nest->src_stride[axis];
    }
    nest->rank = last + 1;
}

/* `src` is NULL for a fill: its strides are then 0, which chain with each other. */
static void
build(ssop_nest *nest, const ssop_view *dst, const ssop_view *src)
{
    nest->dst = dst->data;
    nest->src = src != NULL ? src->data : NULL;
    nest->item_bytes = dst->item_bytes;
    nest->rank = 0;
    nest->fresh_dst = false;
    nest->cache_bytes = ssop_cpu_last_cache_bytes();
    if (view_is_empty(dst)) { /* the pointers may point nowhere, and the strides may say anything */
        return;
    }
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        if (dst->dim[axis] > 1) {
            loop axis_loop = {dst->dim[axis], dst->stride[axis], src != NULL ? src->stride[axis] : 0};
            insert_sorted(nest, flipped_forward(nest, axis_loop));
        }
    }
    if (nest->rank == 0) { /* a single item */
        insert_sorted(nest, (loop){1, dst->item_bytes, dst->item_bytes});
    }
    join_chained(nest);
    ssop_nest_classify(nest);
}

void
ssop_nest_copy(ssop_nest *nest, const ssop_view *dst, const ssop_view *src)
{
    SSOP_ASSERT(dst->rank == src->rank && dst->item_bytes == src->item_bytes);
    build(nest, dst, src);
}

void
ssop_nest_zero(ssop_nest *nest, const ssop_view *dst)
{
    build(nest, dst, NULL);
}

int64_t
ssop_nest_steps(const ssop_nest *nest)
{
    return nest->rank == 0 ? 0 : nest->count[nest->cut_axis];
}

int64_t
ssop_nest_bytes(const ssop_nest *nest)
{
    int64_t bytes = nest->rank == 0 ? 0 : nest->item_bytes;
    for (int32_t axis = 0; axis < nest->rank; axis++) {
        bytes *= nest->count[axis];
    }
    return bytes;
}
