/* First include of every source file of core and copy: the public header, what freestanding C lacks, checked arithmetic. */
#ifndef SSOP_CORE_COMMON_H
#define SSOP_CORE_COMMON_H

#include "../include/ssop/ssop.h"

/* The three functions a compiler expects everywhere, also where no C library is. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);

/* Conditions that no input can break: checked in debug builds only. */
#ifdef SSOP_DEBUG
#define SSOP_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define SSOP_ASSERT(condition) ((void)0)
#endif

/* |x|, right for INT64_MIN too. */
static inline uint64_t
magnitude(int64_t x)
{
    return x < 0 ? (uint64_t)0 - (uint64_t)x : (uint64_t)x;
}

/* a * b and a + b; false if they do not fit int64. Plain 64-bit arithmetic: 32-bit targets lack the helpers that the
 * compilers' own overflow tests call. */
static inline bool
checked_mul(int64_t a, int64_t b, int64_t *product)
{
    uint64_t x = magnitude(a), y = magnitude(b);
    if (((x | y) >> 31) != 0) { /* else it fits for certain, without a division */
        uint64_t limit = (uint64_t)INT64_MAX + ((a < 0) != (b < 0) ? 1 : 0);
        if (x != 0 && y > limit / x) {
            return false;
        }
    }
    *product = (int64_t)((uint64_t)a * (uint64_t)b);
    return true;
}

static inline bool
checked_add(int64_t a, int64_t b, int64_t *sum)
{
    if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) {
        return false;
    }
    *sum = a + b;
    return true;
}

/* Where an error is: the axis, the entry, both or neither. */
typedef struct {
    int32_t axis, entry;
} error_place;

#define NOWHERE ((error_place){-1, -1})

static inline error_place
at_axis(int32_t axis)
{
    return (error_place){axis, -1};
}

static inline error_place
at_entry(int32_t entry)
{
    return (error_place){-1, entry};
}

static inline error_place
at_axis_entry(int32_t axis, int32_t entry)
{
    return (error_place){axis, entry};
}

/* What its message shows: the value as the caller gave it, and what is allowed. */
typedef struct {
    int64_t value, low, high;
} error_numbers;

#define NO_NUMBERS ((error_numbers){0, 0, 0})

static inline error_numbers
numbers(int64_t value, int64_t low, int64_t high)
{
    return (error_numbers){value, low, high};
}

/* Fills the error record, if there is one, and returns the status that belongs to the rule. */
static inline ssop_status
fail(ssop_error *error, ssop_rule rule, error_place place, error_numbers shown)
{
    if (error != NULL) {
        *error = (ssop_error){.rule = rule,
                              .axis = place.axis,
                              .entry = place.entry,
                              .value = shown.value,
                              .low = shown.low,
                              .high = shown.high};
    }
    return ssop_rule_status(rule);
}

/* True if a view has no bytes. */
static inline bool
view_is_empty(const ssop_view *view)
{
    bool empty = view->item_bytes == 0;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        empty = empty || view->dim[axis] == 0;
    }
    return empty;
}

/* True if no offset inside the view can come near the ends of int64: sums of SSOP_MAX_RANK products below 2^56. */
static inline bool
view_is_tame(const ssop_view *view)
{
    uint64_t bits = 0;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        bits |= magnitude(view->stride[axis]) | (uint64_t)view->dim[axis];
    }
    return bits >> 28 == 0;
}

#endif /* SSOP_CORE_COMMON_H */
