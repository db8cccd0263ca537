/* Intervals of numbers, and what the files on partial shapes share. */
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

/* The numbers of both; lo > hi if there are none. */
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

static inline ssop_dim
dim_known(int64_t value)
{
    return (ssop_dim){{value, value}, 0};
}

/* In the mode of TensorFlow, a dim is one number or unknown: forgets intervals that are neither. */
static inline ssop_dim
dim_in_mode(ssop_inference *inference, ssop_dim dim)
{
    bool keeps = inference->tight || ssop_dim_is_known(dim) || interval_equal(dim.value, ANY_DIM);
    return keeps ? dim : ssop_dim_new(inference, ANY_DIM);
}

/* Copies what a shape has; the dims beyond its rank are not touched. */
void ssop_shape_copy(ssop_partial_shape *out, const ssop_partial_shape *shape);

#endif /* SSOP_CORE_INTERVAL_H */
