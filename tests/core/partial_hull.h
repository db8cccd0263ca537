/* What the completions of an axis of which not all is known have in common. */
#ifndef SSOP_TESTS_PARTIAL_HULL_H
#define SSOP_TESTS_PARTIAL_HULL_H

#include "slice_oracle.h"

#define ANY_DIM ((ssop_interval){0, INT64_MAX})
#define ANY ((ssop_interval){INT64_MIN, INT64_MAX})
#define ONLY(x) ((ssop_interval){(x), (x)})

typedef struct {
    ssop_interval dim, begin, end, step;
} partial_entry;

#define CASE "dim %lld..%lld begin %lld..%lld end %lld..%lld step %lld..%lld"
#define CASE_VALUES(p)                                                                                                 \
    LL((p)->dim.lo), LL((p)->dim.hi), LL((p)->begin.lo), LL((p)->begin.hi), LL((p)->end.lo), LL((p)->end.hi),          \
        LL((p)->step.lo), LL((p)->step.hi)

/* The counts of the completions that are legal. */
typedef struct {
    bool legal;
    ssop_interval counts;
} count_hull;

static inline void
extend(count_hull *hull, int64_t count)
{
    hull->counts.lo = hull->legal && hull->counts.lo < count ? hull->counts.lo : count;
    hull->counts.hi = hull->legal && hull->counts.hi > count ? hull->counts.hi : count;
    hull->legal = true;
}

/* All intervals within low..high. */
static inline int
intervals_within(int64_t low, int64_t high, ssop_interval *interval)
{
    int count = 0;
    for (int64_t lo = low; lo <= high; lo++) {
        for (int64_t hi = lo; hi <= high; hi++) {
            interval[count++] = (ssop_interval){lo, hi};
        }
    }
    return count;
}

#endif /* SSOP_TESTS_PARTIAL_HULL_H */
