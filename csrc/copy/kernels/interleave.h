/* Template: rows of 2 to MAX_PLANES items that are contiguous in the destination, as the rows themselves are. Each item
 * of a row comes from a plane of its own, where the items of consecutive rows are contiguous. Include once per CPU
 * target, with stream_end, WIDE_X, the widest type of vector, WIDE_IS_WIDER, if that is wider than x1, what
 * interleave_groups.h needs for both types, and PERMUTES_LINES, if the target has what plane_lines.h needs. */
#define plane_part KERNEL(plane_part)
#define groups_1 KERNEL(interleave_groups_x1)
#define groups_wide KERNEL(JOIN(interleave_groups, WIDE_X))
#define interleave_head KERNEL(interleave_head)
#define interleave_planes KERNEL(interleave_planes)
#define interleave_kernel KERNEL(interleave)

/* Bytes of each plane. */
typedef struct {
    int64_t begin, end;
} plane_part;

#define X x1
#include "interleave_groups.h"
#undef X
#ifdef WIDE_IS_WIDER
#define X WIDE_X
#include "interleave_groups.h"
#undef X
#endif

/* Bytes of each plane up to the first row from which on lines get non-temporal stores; -1 if there are no such stores,
 * or if none of the next rows begins a line of the destination. */
INLINE TARGET int64_t
interleave_head(const char *dst, const ssop_tile *tile)
{
    enum { LINE_BYTES = 64 };
    if ((tile->policy & SSOP_STREAM) == 0 || tile->rows * tile->dst_row < MIN_STREAM_BYTES * MAX_PLANES) {
        return -1;
    }
    for (int64_t row = 0; row < LINE_BYTES; row++) {
        if (((uintptr_t)dst + (uintptr_t)(row * tile->dst_row)) % LINE_BYTES == 0) {
            return row * tile->item_bytes;
        }
    }
    return -1;
}

/* `planes` is a constant in every call, except for rare large numbers of planes. The last group is moved back so that
 * it ends with the planes. */
INLINE TARGET void
interleave_planes(char *dst, const char *src, const ssop_tile *tile, const int32_t planes)
{
    const int64_t end = tile->rows * tile->item_bytes;
    const int64_t head = interleave_head(dst, tile);
    int64_t at = 0;
    if (head >= 0) {
        groups_1(dst, src, tile, (plane_part){0, head + 15}, planes, false); /* from the head on, written again */
        at = groups_wide(dst, src, tile, (plane_part){head, end}, planes, true);
        stream_end();
    }
    else {
        at = groups_wide(dst, src, tile, (plane_part){0, end}, planes, false);
    }
#ifdef WIDE_IS_WIDER
    at = groups_1(dst, src, tile, (plane_part){at, end}, planes, false);
#endif
    if (at < end) {
        groups_1(dst, src, tile, (plane_part){end - 16, end}, planes, false);
    }
}

#ifdef PERMUTES_LINES
#include "plane_lines.h"
#endif

static TARGET void
interleave_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    SSOP_ASSERT(tile->rows * tile->item_bytes >= 16);
#ifdef PERMUTES_LINES
    if (tile->columns <= MAX_LINE_PLANES) {
        KERNEL(interleave_lines)(dst, src, tile);
    }
    else {
        interleave_planes(dst, src, tile, (int32_t)tile->columns);
    }
#else
    switch (tile->columns) {
    case 2:
        interleave_planes(dst, src, tile, 2);
        break;
    case 3:
        interleave_planes(dst, src, tile, 3);
        break;
    case 4:
        interleave_planes(dst, src, tile, 4);
        break;
    default:
        interleave_planes(dst, src, tile, (int32_t)tile->columns);
    }
#endif
}

#undef plane_part
#undef groups_1
#undef groups_wide
#undef interleave_head
#undef interleave_planes
#undef interleave_kernel
