/* Template: rows of 2 to MAX_PLANES items without gaps, of which each item has a plane of its own, where the items of
 * consecutive rows are contiguous. Planes become rows, and rows become planes. Include once per CPU target, with
 * WIDE_X, the widest type of vector, WIDE_IS_WIDER, if that is wider than x1, what interleave_groups.h
 * needs for both types, and SHUFFLES_LINES, if the target has what plane_lines.h needs. */

/* Bytes of each plane. */
typedef struct {
    int64_t begin, end;
} plane_span;

#ifdef SHUFFLES_LINES
#include "plane_lines.h"
#endif

#define DIRECTION interleave
#define APART false
#include "interleave_planes.h"
#undef DIRECTION
#undef APART

#define DIRECTION deinterleave
#define APART true
#include "interleave_planes.h"
#undef DIRECTION
#undef APART
