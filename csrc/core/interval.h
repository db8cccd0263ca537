/* Intervals of numbers. */
#ifndef SSOP_CORE_INTERVAL_H
#define SSOP_CORE_INTERVAL_H

#include "common.h"

#define ANY_DIM ((ssop_interval){0, INT64_MAX})

static inline int64_t
min_int64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t
max_int64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline bool
interval_is_one(ssop_interval x)
{
    return x.lo == x.hi;
}

static inline bool
interval_has(ssop_interval x, int64_t number)
{
    return x.lo <= number && number <= x.hi;
}

static inline bool
interval_equal(ssop_interval a, ssop_interval b)
{
    return a.lo == b.lo && a.hi == b.hi;
}

/* The numbers that are in both; lo > hi if they share no number. */
static inline ssop_interval
interval_common(ssop_interval a, ssop_interval b)
{
    return (ssop_interval){max_int64(a.lo, b.lo), min_int64(a.hi, b.hi)};
}

/* The smallest interval that has all numbers of both. */
static inline ssop_interval
interval_hull(ssop_interval a, ssop_interval b)
{
    return (ssop_interval){min_int64(a.lo, b.lo), max_int64(a.hi, b.hi)};
}

#endif /* SSOP_CORE_INTERVAL_H */
