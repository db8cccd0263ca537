/* Copies between two views of the same strides that share memory: they run in place, in an order in which each item is
 * read before another one is written over it. If the items of a view lie in memory in the order of its loops, that is
 * the order towards the source: forwards if the destination comes before it, else backwards. */
#include "nest.h"

/* BUFFER_BYTES: items that are not in long rows are copied to a buffer and from there to their place, so many bytes at
 * a time; its size is not measured, but chosen because it is half of a small L1 cache. MIN_ROW: not measured; chosen
 * because shorter rows cost less as items of a permutation than as calls of memmove. ROWS_BYTES: a step of rows, after
 * which signals are looked for; memmove copies megabytes in a faster way than less. */
enum { BUFFER_BYTES = 16 * 1024, MIN_ROW = 64, ROWS_BYTES = 256 * 1024 };

/* Takes the loops of a copy, if both sides have the same strides and the items lie in the order of the loops. */
static bool
take_loops(ssop_shift *shift, const ssop_nest *nest)
{
    int64_t extent = nest->item_bytes; /* of all that is inside the present loop */
    for (int32_t axis = nest->rank - 1; axis >= 0; axis--) {
        const int64_t stride = nest->dst_stride[axis];
        if (stride != nest->src_stride[axis] || stride < extent) {
            return false;
        }
        shift->count[axis] = nest->count[axis];
        shift->stride[axis] = stride;
        extent += (nest->count[axis] - 1) * stride;
    }
    shift->dst = nest->dst;
    shift->src = nest->src;
    shift->item_bytes = nest->item_bytes;
    shift->rank = nest->rank;
    return true;
}

/* If rows are long, their bytes become the innermost loop. There is room for it, as in loopnest.c. */
static void
find_rows(ssop_shift *shift)
{
    const int32_t inner = shift->rank - 1;
    const bool contiguous = shift->stride[inner] == shift->item_bytes;
    const int64_t row_bytes = contiguous ? shift->count[inner] * shift->item_bytes : shift->item_bytes;
    shift->in_rows = row_bytes >= MIN_ROW;
    if (shift->in_rows) {
        shift->rank += contiguous ? 0 : 1;
        shift->count[shift->rank - 1] = row_bytes;
        shift->stride[shift->rank - 1] = 1;
        shift->item_bytes = 1;
    }
}

/* A step is a block of indices of one loop, with all that is inside it. */
static void
choose_steps(ssop_shift *shift)
{
    const int64_t most = shift->in_rows ? ROWS_BYTES : BUFFER_BYTES;
    int64_t bytes = shift->item_bytes;
    shift->axis = shift->rank - 1;
    while (shift->axis > 0 && bytes * shift->count[shift->axis] <= most) {
        bytes *= shift->count[shift->axis--];
    }
    shift->block = most / bytes;
    shift->blocks = (shift->count[shift->axis] - 1) / shift->block + 1;
    shift->steps = shift->blocks;
    shift->bytes = bytes * shift->count[shift->axis];
    for (int32_t axis = 0; axis < shift->axis; axis++) {
        shift->steps *= shift->count[axis];
        shift->bytes *= shift->count[axis];
    }
}

bool
ssop_shift_begin(ssop_shift *shift, const ssop_view *dst, const ssop_view *src)
{
    ssop_nest nest;
    ssop_nest_copy(&nest, dst, src, NULL); /* for its loops: it does not run */
    if (!take_loops(shift, &nest)) {
        return false;
    }
    find_rows(shift);
    choose_steps(shift);
    shift->backwards = (uintptr_t)shift->dst > (uintptr_t)shift->src;
    return true;
}

/* The first `count` indices of a loop, from `offset` on, and all that is inside it, row by row. */
static void
move_rows(const ssop_shift *shift, int32_t axis, int64_t count, int64_t offset)
{
    if (axis == shift->rank - 1) {
        memmove(shift->dst + offset, shift->src + offset, (size_t)count);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t index = shift->backwards ? count - 1 - i : i;
        move_rows(shift, axis + 1, shift->count[axis + 1], offset + index * shift->stride[axis]);
    }
}

static void
copy_all(const ssop_view *dst, const ssop_view *src)
{
    ssop_nest nest;
    ssop_nest_copy(&nest, dst, src, NULL);
    ssop_nest_execute(&nest, 0, ssop_nest_steps(&nest));
}

/* The same through a buffer. */
static void
move_block(const ssop_shift *shift, int64_t count, int64_t offset)
{
    _Alignas(LINE_BYTES) char buffer[BUFFER_BYTES];
    ssop_view part, packed;
    packed.data = buffer;
    packed.item_bytes = part.item_bytes = shift->item_bytes;
    packed.rank = part.rank = shift->rank - shift->axis;
    int64_t stride = shift->item_bytes;
    for (int32_t at = part.rank - 1; at >= 0; at--) {
        packed.dim[at] = part.dim[at] = at > 0 ? shift->count[shift->axis + at] : count;
        part.stride[at] = shift->stride[shift->axis + at];
        packed.stride[at] = stride;
        stride *= packed.dim[at];
    }
    part.data = (char *)(uintptr_t)shift->src + offset; /* which is only read */
    copy_all(&packed, &part);
    part.data = shift->dst + offset;
    copy_all(&part, &packed);
}

void
ssop_shift_execute(const ssop_shift *shift, int64_t first, int64_t last)
{
    for (int64_t step = first; step < last; step++) {
        int64_t place = shift->backwards ? shift->steps - 1 - step : step;
        const int64_t index = place % shift->blocks * shift->block, left = shift->count[shift->axis] - index;
        const int64_t count = shift->block < left ? shift->block : left;
        int64_t offset = index * shift->stride[shift->axis];
        place /= shift->blocks;
        for (int32_t axis = shift->axis - 1; axis >= 0; axis--) {
            offset += place % shift->count[axis] * shift->stride[axis];
            place /= shift->count[axis];
        }
        if (shift->in_rows) {
            move_rows(shift, shift->axis, count, offset);
        }
        else {
            move_block(shift, count, offset);
        }
    }
}
