/* Builds the loop nest of a dilation: the items of the source go to a region of the destination, and all other items of
 * the destination become one and the same. The gradient of a slice and padding are dilations. The loops are those of
 * the destination; nest->place says which indices of each axis come from the source. */
#include "nest.h"

/* Larger items are an axis of bytes, which is divided into steps as every long row is, so that a signal need not wait
 * for the end of an item of up to 2 GiB. Not measured; chosen because it is twice the default of the policy step_bytes,
 * and cut.c divides the items of other copies above twice step_bytes, too. */
enum { MAX_ITEM_BYTES = 64 * 1024 };

/* One axis of the destination, before the axes are sorted. Here and in ssop_range, what was stored field by field is
 * copied field by field: a compiler would load two fields at a time, and a load that is wider than the stores that
 * wrote its bytes waits until those have reached the cache. */
typedef struct {
    nest_loop loop; /* src_stride: bytes between two indices of the range */
    ssop_range place;
} dilated_axis;

/* Fills in the axes of dst, with ranges whose steps are positive. Strides of axes of length 1 may be anything and
 * become 0. Returns the offset from src->data of the item that is then the first one. */
static int64_t
match_axes(dilated_axis axes[SSOP_MAX_RANK], const ssop_view *dst, const ssop_region *place, const ssop_view *src)
{
    int64_t src_offset = 0;
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        const int64_t dim = dst->dim[axis];
        const ssop_range *range = &place->range[axis];
        axes[axis] = (dilated_axis){
            .loop = {.count = dim, .dst_stride = dim > 1 ? dst->stride[axis] : 0, .src_stride = 0},
            .place = {.start = range->start, .count = range->count, .step = range->step},
        };
    }
    for (int32_t out = 0; out < place->out_rank; out++) {
        int32_t axis = place->out_axis[out];
        if (axis < 0 || src->dim[out] <= 1) {
            continue;
        }
        dilated_axis *one = &axes[axis];
        one->loop.src_stride = src->stride[out];
        if (one->place.step < 0) { /* reversing the range reverses the source, too */
            int64_t last = one->place.count - 1;
            src_offset += last * one->loop.src_stride;
            one->loop.src_stride = -one->loop.src_stride;
            one->place.start += last * one->place.step;
            one->place.step = -one->place.step;
        }
    }
    return src_offset;
}

/* A dilation in which every index of every axis comes from the source is a copy; `first` is the first item of that. */
static void
build_copy(ssop_nest *nest, const ssop_view *dst, char *first, const dilated_axis axes[SSOP_MAX_RANK],
           const ssop_hints *hints)
{
    ssop_view src;
    src.data = first;
    src.item_bytes = dst->item_bytes;
    src.rank = dst->rank;
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        src.dim[axis] = dst->dim[axis];
        src.stride[axis] = axes[axis].loop.src_stride;
    }
    ssop_nest_copy(nest, dst, &src, hints);
}

/* A dilation without a source: only the fill is written. */
static void
build_fill(ssop_nest *nest, const ssop_view *dst, const char *fill, const ssop_hints *hints)
{
    if (fill == NULL) {
        ssop_nest_zero(nest, dst, hints);
        return;
    }
    ssop_view item;
    item.data = (char *)(uintptr_t)fill; /* only read */
    item.item_bytes = dst->item_bytes;
    item.rank = dst->rank;
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        item.dim[axis] = dst->dim[axis];
        item.stride[axis] = 0;
    }
    ssop_nest_copy(nest, dst, &item, hints);
}

/* Adds an axis. If its destination stride is negative, the axis is reversed: its source stride and its range, too. */
static void
insert_dilated_axis(ssop_nest *nest, const dilated_axis *axis)
{
    nest_loop loop = {axis->loop.count, axis->loop.dst_stride, axis->loop.src_stride};
    int64_t start = axis->place.start;
    if (loop.dst_stride < 0) {
        nest->dst_offset += (loop.count - 1) * loop.dst_stride;
        loop.dst_stride = -loop.dst_stride;
        nest->src_offset += (axis->place.count - 1) * loop.src_stride;
        loop.src_stride = -loop.src_stride;
        start = loop.count - 1 - (start + (axis->place.count - 1) * axis->place.step);
    }
    int32_t at = ssop_nest_insert(nest, &loop);
    for (int32_t k = nest->rank - 1; k > at; k--) {
        nest->place[k] = nest->place[k - 1];
    }
    nest->place[at] = (ssop_range){.start = start, .count = axis->place.count, .step = axis->place.step};
}

/* Coalesces an axis with the next one, if they can be coalesced in the destination and the indices that come from the
 * source are one range of the common axis. */
static bool
try_coalesce(ssop_nest *nest, int32_t outer, int32_t inner)
{
    int64_t count = nest->count[inner];
    ssop_range *to = &nest->place[outer], from = nest->place[inner];
    bool whole =
        from.count == count && to->step == 1 && can_coalesce(nest->src_stride[outer], nest->src_stride[inner], count);
    if (!can_coalesce(nest->dst_stride[outer], nest->dst_stride[inner], count) || (to->count > 1 && !whole)) {
        return false;
    }
    *to = to->count > 1 ? (ssop_range){to->start * count, to->count * count, 1}
                        : (ssop_range){to->start * count + from.start, from.count, from.step};
    nest->count[outer] *= count;
    nest->dst_stride[outer] = nest->dst_stride[inner];
    nest->src_stride[outer] = nest->src_stride[inner];
    return true;
}

static void
coalesce_dilated_axes(ssop_nest *nest)
{
    int32_t last = 0; /* axes 0..last are done */
    for (int32_t axis = 1; axis < nest->rank; axis++) {
        if (!try_coalesce(nest, last, axis)) {
            last++;
            nest->count[last] = nest->count[axis];
            nest->dst_stride[last] = nest->dst_stride[axis];
            nest->src_stride[last] = nest->src_stride[axis];
            nest->place[last] = nest->place[axis];
        }
    }
    nest->rank = last + 1;
}

bool
ssop_can_fill(int64_t item_bytes)
{
    return has_kernel_size(item_bytes);
}

/* True if the items of the source lie side by side along another axis than the last. A sweep over the destination would
 * read one of each cache line, again and again; a copy of the source alone is divided into tiles. Inner axes that are
 * contiguous and not padded, such as the channels of pixels, are one item. */
static bool
reads_columns(const ssop_view *dst, const ssop_region *place, const ssop_view *src)
{
    int64_t item = src->item_bytes;
    uint64_t least = UINT64_MAX, last = 0;
    bool inner = true;
    for (int32_t out = src->rank - 1; out >= 0; out--) {
        const int32_t axis = place->out_axis[out];
        const int64_t dim = src->dim[out], stride = src->stride[out];
        if (axis < 0 || dim <= 1) {
            continue;
        }
        if (place->range[axis].step != 1) {
            return false;
        }
        if (inner && stride == item && dim == dst->dim[axis]) {
            item *= dim;
            continue;
        }
        last = inner ? magnitude(stride) : last;
        inner = false;
        least = stride != 0 && magnitude(stride) < least ? magnitude(stride) : least;
    }
    return least < last;
}

bool
ssop_dilation_pays(const ssop_view *dst, const ssop_region *place, const ssop_view *src, const void *fill)
{
    return (fill == NULL || ssop_can_fill(src->item_bytes)) && !reads_columns(dst, place, src);
}

void
ssop_nest_dilate(ssop_nest *nest, const ssop_view *dst, const ssop_region *place, const ssop_view *src,
                 const void *fill, const ssop_hints *hints)
{
    SSOP_ASSERT(dst->rank == place->in_rank && src->rank == place->out_rank && dst->item_bytes == src->item_bytes);
    SSOP_ASSERT(fill == NULL || ssop_can_fill(dst->item_bytes));
    if (view_is_empty(dst) || ssop_region_is_empty(place)) {
        build_fill(nest, dst, fill, hints);
        return;
    }
    dilated_axis axes[SSOP_MAX_RANK];
    char *first = src->data + match_axes(axes, dst, place, src);
    bool whole = true;
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        whole = whole && axes[axis].place.count == dst->dim[axis];
    }
    if (whole) {
        build_copy(nest, dst, first, axes, hints);
        return;
    }
    bool divided = dst->item_bytes > MAX_ITEM_BYTES;
    ssop_nest_begin(nest, divided ? 1 : dst->item_bytes);
    nest->dilates = true;
    nest->fill = fill;
    for (int32_t axis = 0; axis < dst->rank; axis++) {
        if (dst->dim[axis] > 1) {
            insert_dilated_axis(nest, &axes[axis]);
        }
    }
    if (divided) { /* there is room: 64 axes of two or more such items are more than any memory holds */
        insert_dilated_axis(nest, &(dilated_axis){{dst->item_bytes, 1, 1}, {0, dst->item_bytes, 1}});
    }
    coalesce_dilated_axes(nest);
    ssop_nest_end(nest, dst->data, first, hints);
}
