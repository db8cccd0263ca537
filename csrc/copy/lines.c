/* Which cache lines displace each other: a model of an L1 cache of L1_SETS sets, which begin again at each page, of at
 * least L1_WAYS lines each. Most L1 caches are like that or larger. */
#include "nest.h"

enum { L1_SETS = PAGE_BYTES / LINE_BYTES, L1_WAYS = 8 };

/* They do if a few strides are nearly a multiple of PAGE_BYTES. */
bool
ssop_lines_collide(int64_t stride, int64_t count)
{
    enum { MAX_STRIDES = 4 };
    const int64_t lines = count < L1_SETS ? count : L1_SETS;
    bool collide = false;
    for (uint64_t strides = 1; strides <= MAX_STRIDES; strides *= 2) {
        const int64_t after = (int64_t)(strides * (uint64_t)stride % PAGE_BYTES);
        const int64_t off = after < PAGE_BYTES / 2 ? after : PAGE_BYTES - after;
        collide = collide || lines > L1_WAYS * ((int64_t)strides + lines * off / LINE_BYTES);
    }
    return magnitude(stride) >= LINE_BYTES && collide;
}

/* A line at such a place is soon done with, so a few more than L1_WAYS do not collide yet (record colliding-runs). */
bool
ssop_places_collide(const int64_t *offsets, int32_t count)
{
    enum { MAX_PER_SET = L1_WAYS + 4 };
    uint64_t used = 0;
    int32_t sets = 0;
    for (int32_t at = 0; at < count; at++) {
        const uint64_t set = (uint64_t)1 << (uint64_t)offsets[at] / LINE_BYTES % L1_SETS;
        sets += (used & set) == 0 ? 1 : 0;
        used |= set;
    }
    return count > MAX_PER_SET * sets;
}

int64_t
ssop_offset_unit(int64_t pitch)
{
    const uint64_t bits = (uint64_t)pitch | PAGE_BYTES;
    return (int64_t)(bits & -bits);
}

/* Off by one item, or by two from a multiple of a page (record near-conflicts). A pitch a little off 0 is no multiple
 * (record near-zero-pitch). */
int64_t
ssop_conflict_unit(int64_t pitch, int64_t item_bytes)
{
    const bool near = magnitude(pitch) < CONFLICT_BYTES / 2;
    for (int64_t unit = PAGE_BYTES; !near && unit >= CONFLICT_BYTES; unit /= 2) {
        const int64_t above = pitch & (unit - 1), off = above < unit / 2 ? above : unit - above;
        if (off <= (unit == PAGE_BYTES ? 2 * item_bytes : item_bytes)) {
            return unit;
        }
    }
    return ssop_offset_unit(pitch);
}
