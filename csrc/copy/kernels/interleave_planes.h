/* Template: copies between packed rows and planes in one direction. Include from interleave.h, once per DIRECTION, with
 * APART: true if the planes are in the destination, false if they are in the source. */
#define PLANES(name) JOIN(DIRECTION, name)
#define plane_head PLANES(head)
#define copy_planes PLANES(planes)
#define plane_kernel PLANES(kernel)
#define groups_1 PLANES(groups_x1)
#define groups_wide PLANES(JOIN(groups, WIDE_X))

/* Bytes of each plane up to the place from which on lines get non-temporal stores: the first row that begins a line of
 * the destination, or, if the planes are there, the first line of every plane. -1 if there are no such stores, or no
 * such place. */
INLINE TARGET int64_t
plane_head(const char *dst, const ssop_tile *tile)
{
    const int64_t bytes = tile->rows * tile->columns * tile->item_bytes;
    if ((tile->policy & SSOP_STREAM) == 0 || bytes < MIN_STREAMED_PLANES) {
        return -1;
    }
    if (APART) {
        const int64_t head = (int64_t)(-(uintptr_t)dst % LINE_BYTES);
        const bool lines = (tile->dst_row % LINE_BYTES == 0) & (head % tile->item_bytes == 0);
        return lines ? head : -1;
    }
    for (int64_t row = 0; row < LINE_BYTES; row++) {
        if (((uintptr_t)dst + (uintptr_t)(row * tile->dst_row)) % LINE_BYTES == 0) {
            return row * tile->item_bytes;
        }
    }
    return -1;
}

/* Where lines are shuffled, all planes that are in the destination are copied by plane_lines.h. */
#if !(defined(SHUFFLES_LINES) && APART)
#define X x1
#include "interleave_groups.h"
#undef X
#ifdef WIDE_IS_WIDER
#define X WIDE_X
#include "interleave_groups.h"
#undef X
#endif

/* `planes` is a constant in every call, except for rare large numbers of planes. The last group is moved back so that
 * it ends with the planes. */
INLINE TARGET void
copy_planes(char *dst, const char *src, const ssop_tile *tile, const int32_t planes)
{
    const int64_t end = (APART ? tile->columns : tile->rows) * tile->item_bytes, head = plane_head(dst, tile);
    int64_t at = 0;
    if (head >= 0) {
        groups_1(dst, src, tile, (plane_span){0, head + 15}, planes, false); /* from the head on, written again */
        at = groups_wide(dst, src, tile, (plane_span){head, end}, planes, true);
    }
    else {
        at = groups_wide(dst, src, tile, (plane_span){0, end}, planes, false);
    }
#ifdef WIDE_IS_WIDER
    at = groups_1(dst, src, tile, (plane_span){at, end}, planes, false);
#endif
    if (at < end) {
        groups_1(dst, src, tile, (plane_span){end - 16, end}, planes, false);
    }
}
#endif

static TARGET void
plane_kernel(char *dst, const char *src, const ssop_tile *tile)
{
    const int64_t planes = APART ? tile->rows : tile->columns;
    SSOP_ASSERT((APART ? tile->columns : tile->rows) * tile->item_bytes >= 16);
#if defined(SHUFFLES_LINES) && APART
    copy_lines(dst, src, tile, planes, plane_head(dst, tile), true);
#elif defined(SHUFFLES_LINES)
    if (planes <= MAX_LINE_PLANES) {
        copy_lines(dst, src, tile, planes, plane_head(dst, tile), false);
    }
    else {
        copy_planes(dst, src, tile, (int32_t)planes);
    }
#else
    switch (planes) {
    case 2:
        copy_planes(dst, src, tile, 2);
        break;
    case 3:
        copy_planes(dst, src, tile, 3);
        break;
    case 4:
        copy_planes(dst, src, tile, 4);
        break;
    default:
        copy_planes(dst, src, tile, (int32_t)planes);
    }
#endif
}

#undef PLANES
#undef plane_head
#undef copy_planes
#undef plane_kernel
#undef groups_1
#undef groups_wide
