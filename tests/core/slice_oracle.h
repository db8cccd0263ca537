/* An independent slice of one axis, in the obvious way: wrap, clamp, and visit element by element. Shares no code with
 * the library. */
#ifndef SSOP_TESTS_SLICE_ORACLE_H
#define SSOP_TESTS_SLICE_ORACLE_H

#include "check.h"

enum { MAX_PICKS = 16 };

typedef struct {
    ssop_rule broken; /* SSOP_NO_RULE if the entry is legal */
    int32_t count;
    int64_t pick[MAX_PICKS];
} walked;

typedef struct {
    int64_t begin, end, step;
    uint8_t flags;
} walk_entry;

/* Rejections for dialects made up by a test: StridedSlice's, and two that it has no words for. */
static const ssop_dialect_rules walk_rules = {
    SSOP_SS_C1, SSOP_SS_C2, SSOP_SS_C3, SSOP_SS_C4, SSOP_SS_C5, SSOP_SS_C6, SSOP_SS_C7, SSOP_TFL_C8, SSOP_TFL_C9,
};

static const int64_t far_away[] = {INT32_MIN - INT64_C(1), INT32_MIN,     INT32_MAX, INT32_MAX + INT64_C(1), INT64_MIN,
                                   INT64_MIN + 1,          INT64_MAX - 1, INT64_MAX};

/* Every number at most `margin` from zero, then those that are far away; returns how many. */
static inline int
numbers_around_zero(int64_t margin, int64_t *numbers)
{
    int count = 0;
    for (int64_t number = -margin; number <= margin; number++) {
        numbers[count++] = number;
    }
    for (int i = 0; i < COUNT(far_away); i++) {
        numbers[count++] = far_away[i];
    }
    return count;
}

static inline int64_t
walk_wrap(int64_t index, int64_t dim)
{
    return index >= 0 ? index : index + dim;
}

/* Numbers beyond any axis of a test are all alike; near enough to be added to. */
static inline int64_t
walk_near(int64_t number)
{
    const int64_t far = INT64_C(1) << 40;
    return number < -far ? -far : number > far ? far : number;
}

/* Where a walk starts and the first place it may not step on (ss_s4, ss_s5). */
static inline void
walk_ends(int64_t dim, const walk_entry *entry, const ssop_dialect *dialect, int64_t *at, int64_t *stop)
{
    bool open = (entry->flags & SSOP_END_MASK) != 0;
    if (dialect->max_end_is_open && (entry->end == INT32_MAX || entry->end == INT64_MAX)) {
        open = true;
    }
    *at = walk_wrap(entry->begin, dim);
    if (entry->step > 0) {
        *at = *at < 0 || (entry->flags & SSOP_BEGIN_MASK) ? 0 : *at > dim ? dim : *at;
    }
    else {
        if (*at < 0 && dialect->reverse_clamps_begin_first) {
            *at = 0;
        }
        *at = *at >= dim || (entry->flags & SSOP_BEGIN_MASK) ? dim - 1 : *at < -1 ? -1 : *at;
    }
    *stop = walk_wrap(dialect->end_is_offset ? walk_near(entry->end) + *at : entry->end, dim);
    if (entry->step > 0 && (*stop > dim || open)) {
        *stop = dim;
    }
    if (entry->step < 0 && (*stop < -1 || open)) {
        *stop = -1;
    }
}

/* How many elements an offset asks for, or more than any axis of a test has. */
static inline int64_t
walk_asked(int64_t offset, int64_t step)
{
    int64_t asked = 0;
    while (asked <= MAX_PICKS && (step > 0 ? offset > 0 : offset < 0)) {
        offset -= step;
        asked++;
    }
    return asked;
}

static inline walked
walk_shrunk(int64_t dim, const walk_entry *entry, const ssop_dialect *dialect)
{
    int64_t at = walk_wrap(entry->begin, dim);
    if (dialect->shrink_reads_begin_mask && (entry->flags & SSOP_BEGIN_MASK)) {
        at = 0;
    }
    if (dialect->shrink_clamps_below && at < 0) {
        at = 0;
    }
    if (!dialect->shrink_ignores_step && entry->step < 0) {
        return (walked){.broken = SSOP_SS_C6};
    }
    if (at < 0 || at >= dim) {
        return (walked){.broken = SSOP_SS_C7};
    }
    return (walked){.count = 1, .pick = {at}};
}

/* The elements that an entry takes of an axis, one by one; dim is at most MAX_PICKS. */
static inline walked
walk_axis(int64_t dim, const walk_entry *entry, const ssop_dialect *dialect)
{
    bool shrunk = (entry->flags & SSOP_SHRINK) != 0;
    if (entry->step == 0 && !(shrunk && dialect->shrink_ignores_step)) {
        return (walked){.broken = SSOP_SS_C5};
    }
    if (shrunk) {
        return walk_shrunk(dim, entry, dialect);
    }
    walked result = {.count = 0};
    int64_t at, stop;
    walk_ends(dim, entry, dialect, &at, &stop);
    while (at >= 0 && at < dim && (entry->step > 0 ? at < stop : at > stop)) {
        result.pick[result.count++] = at;
        if (entry->step > dim || entry->step < -dim) {
            break; /* the next one is outside, and might be outside int64 */
        }
        at += entry->step;
    }
    if (dialect->end_is_offset && result.count != walk_asked(entry->end, entry->step)) {
        return (walked){.broken = SSOP_TFL_C9};
    }
    return result;
}

/* The one range that says: these elements in this order (rg_s1). */
static inline ssop_range
range_of_picks(const int64_t *pick, int64_t count)
{
    if (count == 0) {
        return (ssop_range){0, 0, 1};
    }
    return (ssop_range){pick[0], count, count == 1 ? 1 : pick[1] - pick[0]};
}

static inline bool
same_range(ssop_range a, ssop_range b)
{
    return a.start == b.start && a.count == b.count && a.step == b.step;
}

#endif /* SSOP_TESTS_SLICE_ORACLE_H */
