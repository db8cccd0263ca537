/* Builds the loop nest of a copy from two views of one shape: axes of length 1 are dropped, axes are sorted by the
 * stride of the destination and reversed where that is negative, and axes that can be coalesced on both sides become
 * one. */
#include "nest.h"

/* Longer destination strides come first, so that the destination is written from front to back. */
int32_t
ssop_nest_insert(ssop_nest *nest, const nest_loop *loop)
{
    int32_t at = nest->rank++;
    while (at > 0 && nest->dst_stride[at - 1] < loop->dst_stride) {
        nest->count[at] = nest->count[at - 1];
        nest->dst_stride[at] = nest->dst_stride[at - 1];
        nest->src_stride[at] = nest->src_stride[at - 1];
        at--;
    }
    nest->count[at] = loop->count;
    nest->dst_stride[at] = loop->dst_stride;
    nest->src_stride[at] = loop->src_stride;
    return at;
}

/* Adds an axis; if its destination stride is negative, reversed on both sides. */
static void
insert_axis(ssop_nest *nest, int64_t count, int64_t dst_stride, int64_t src_stride)
{
    nest_loop loop = {count, dst_stride, src_stride};
    if (dst_stride < 0) {
        nest->dst_offset += (count - 1) * dst_stride;
        nest->src_offset += (count - 1) * src_stride;
        loop.dst_stride = -dst_stride;
        loop.src_stride = -src_stride;
    }
    (void)ssop_nest_insert(nest, &loop);
}

static void
coalesce_axes(ssop_nest *nest)
{
    int32_t last = 0; /* axes 0..last are done */
    for (int32_t axis = 1; axis < nest->rank; axis++) {
        int64_t count = nest->count[axis];
        bool joins = can_coalesce(nest->dst_stride[last], nest->dst_stride[axis], count) &&
                     can_coalesce(nest->src_stride[last], nest->src_stride[axis], count);
        last += joins ? 0 : 1;
        nest->count[last] = joins ? nest->count[last] * count : count;
        nest->dst_stride[last] = nest->dst_stride[axis];
        nest->src_stride[last] = nest->src_stride[axis];
    }
    nest->rank = last + 1;
}

void
ssop_nest_begin(ssop_nest *nest, int64_t item_bytes)
{
    nest->item_bytes = item_bytes;
    nest->bytes = 0;
    nest->rank = 0;
    nest->dst_offset = nest->src_offset = 0;
    nest->steps = 0;
    nest->dilates = false;
}

void
ssop_nest_end(ssop_nest *nest, char *dst, const char *src, const ssop_hints *hints)
{
    nest->dst = dst + nest->dst_offset;
    nest->src = src != NULL ? src + nest->src_offset : NULL;
    nest->bytes = nest->item_bytes;
    for (int32_t axis = 0; axis < nest->rank; axis++) {
        nest->bytes *= nest->count[axis];
    }
    ssop_nest_classify(nest, hints);
    ssop_nest_cut(nest);
}

/* Without a source the items are single bytes and the source strides are 0, so that contiguous zeros are one loop,
 * which repeats a byte. There is room for the loop over the bytes of an item: 64 axes of two or more items of two or
 * more bytes are more than any memory holds. */
static void
build(ssop_nest *nest, const ssop_view *dst, const ssop_view *src, const ssop_hints *hints)
{
    ssop_nest_begin(nest, src != NULL ? dst->item_bytes : 1);
    if (view_is_empty(dst)) { /* the pointers may be invalid, and the strides may be anything */
        return;
    }
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        if (dst->dim[axis] > 1) {
            insert_axis(nest, dst->dim[axis], dst->stride[axis], src != NULL ? src->stride[axis] : 0);
        }
    }
    if (src == NULL && (dst->item_bytes > 1 || nest->rank == 0)) {
        insert_axis(nest, dst->item_bytes, 1, 0);
    }
    else if (nest->rank == 0) { /* a single item */
        insert_axis(nest, 1, dst->item_bytes, dst->item_bytes);
    }
    coalesce_axes(nest);
    ssop_nest_end(nest, dst->data, src != NULL ? src->data : NULL, hints);
}

void
ssop_nest_copy(ssop_nest *nest, const ssop_view *dst, const ssop_view *src, const ssop_hints *hints)
{
    SSOP_ASSERT(dst->rank == src->rank && dst->item_bytes == src->item_bytes);
    build(nest, dst, src, hints);
}

void
ssop_nest_zero(ssop_nest *nest, const ssop_view *dst, const ssop_hints *hints)
{
    build(nest, dst, NULL, hints);
}

void
ssop_nest_rebase(ssop_nest *nest, char *dst, const char *src, const ssop_hints *hints)
{
    if (nest->rank > 0) {
        nest->dst = dst + nest->dst_offset;
        nest->src = nest->src != NULL ? src + nest->src_offset : NULL;
        ssop_nest_choose_policy(nest, hints);
    }
}

int64_t
ssop_nest_steps(const ssop_nest *nest)
{
    return nest->steps;
}

int64_t
ssop_nest_bytes(const ssop_nest *nest)
{
    return nest->bytes;
}

/* Rows of so many bytes are copied faster, so copies of them must be larger to use several threads that sleep. Not
 * measured by itself. */
enum { LONG_ROW_BYTES = 4096 };

static bool
has_long_rows(const ssop_nest *nest)
{
    const int32_t inner = nest->rank - 1;
    return nest->dst_stride[inner] == nest->item_bytes && nest->src_stride[inner] == nest->item_bytes &&
           nest->count[inner] >= LONG_ROW_BYTES / nest->item_bytes;
}

bool
ssop_nest_is_shared(const ssop_nest *nest, int64_t bytes, bool awake)
{
    return ssop_bytes_are_shared(bytes) &&
           (awake || bytes >= ssop_policies_used()->share_rows_bytes || !has_long_rows(nest));
}
