/* Template: rows of 2 to MAX_PLANES items that are contiguous in the destination, as the rows themselves are. Each item
 * of a row comes from a plane of its own, where the items of consecutive rows are contiguous. And the inverse, where
 * the planes are in the destination. Include once per CPU
 * target, with stream_end, WIDE_X, the widest type of vector, WIDE_IS_WIDER, if that is wider than x1, what
 * interleave_groups.h needs for both types, and PERMUTES_LINES, if the target has what plane_lines.h needs. */
#define plane_part KERNEL(plane_part)
#define groups_1 KERNEL(interleave_groups_x1)
#define groups_wide KERNEL(JOIN(interleave_groups, WIDE_X))
#define interleave_head KERNEL(interleave_head)
#define copy_planes KERNEL(copy_planes)
#define copy_any_planes KERNEL(copy_any_planes)
#define interleave_kernel KERNEL(interleave)
#define deinterleave_kernel KERNEL(deinterleave)

/* Bytes of each plane. */
typedef struct {
    int64_t begin, end;
    bool apart; /* the planes are in the destination, not in the source; a constant in every call */
} plane_part;

#define X x1
#include "interleave_groups.h"
#undef X
#ifdef WIDE_IS_WIDER
#define X WIDE_X
#include "interleave_groups.h"
#undef X
#endif

/* Bytes of each plane up to the place from which on lines get non-temporal stores: the first row that begins a line of
 * the destination, or, if the planes are there (`apart`), the first line of every plane. -1 if there are no such
 * stores, or no such place. */
INLINE TARGET int64_t
interleave_head(const char *dst, const ssop_tile *tile, const bool apart)
{
    enum { LINE_BYTES = 64 };
    const int64_t bytes = tile->rows * tile->columns * tile->item_bytes;
    if ((tile->policy & SSOP_STREAM) == 0 || bytes < MIN_STREAM_BYTES * MAX_PLANES) {
        return -1;
    }
    if (apart) {
        const int64_t head = (int64_t)(-(uintptr_t)dst % LINE_BYTES);
        return tile->dst_row % LINE_BYTES == 0 && head % tile->item_bytes == 0 ? head : -1;
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
copy_planes(char *dst, const char *src, const ssop_tile *tile, const int32_t planes, const bool apart)
{
    const int64_t end = (apart ? tile->columns : tile->rows) * tile->item_bytes;
    const int64_t head = interleave_head(dst, tile, apart);
    int64_t at = 0;
    if (head >= 0) {
        groups_1(dst, src, tile, (plane_part){0, head + 15, apart}, planes,
                 false); /* from the head on, written again */
        at = groups_wide(dst, src, tile, (plane_part){head, end, apart}, planes, true);
        stream_end();
    }
    else {
        at = groups_wide(dst, src, tile, (plane_part){0, end, apart}, planes, false);
    }
#ifdef WIDE_IS_WIDER
    at = groups_1(dst, src, tile, (plane_part){at, end, apart}, planes, false);
#endif
    if (at < end) {
        groups_1(dst, src, tile, (plane_part){end - 16, end, apart}, planes, false);
    }
}

#ifdef PERMUTES_LINES
#include "plane_lines.h"
#endif

INLINE TARGET void
copy_any_planes(char *dst, const char *src, const ssop_tile *tile, int64_t planes, const bool apart)
{
#ifdef PERMUTES_LINES
    if (planes <= MAX_LINE_PLANES) {
        KERNEL(copy_lines)(dst, src, tile, planes, apart);
    }
    else {
        copy_planes(dst, src, tile, (int32_t)planes, apart);
    }
#else
    switch (planes) {
    case 2:
        copy_planes(dst, src, tile, 2, apart);
        break;
    case 3:
        copy_planes(dst, src, tile, 3, apart);
        break;
    case 4:
        copy_planes(dst, src, tile, 4, apart);
        break;
    default:
        copy_planes(dst, src, tile, (int32_t)planes, apart);
    }
#endif
}

static TARGET void
interleave_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    SSOP_ASSERT(tile->rows * tile->item_bytes >= 16);
    copy_any_planes(dst, src, tile, tile->columns, false);
}

static TARGET void
deinterleave_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    SSOP_ASSERT(tile->columns * tile->item_bytes >= 16);
    copy_any_planes(dst, src, tile, tile->rows, true);
}

#undef plane_part
#undef groups_1
#undef groups_wide
#undef interleave_head
#undef copy_planes
#undef copy_any_planes
#undef interleave_kernel
#undef deinterleave_kernel
