/* Memory functions, assertions and checked arithmetic, which freestanding C has no headers for. */
#ifndef SSOP_CORE_BASE_H
#define SSOP_CORE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Compilers call these three functions even where there is no C library, so they may be used.
 * Parentheses keep the macros out that <string.h> of macOS has by these names. */
void *(memcpy)(void *restrict to, const void *restrict from, size_t bytes);
void *(memmove)(void *to, const void *from, size_t bytes);
void *(memset)(void *to, int byte, size_t bytes);

/* For conditions that hold for every input; they are tested in debug builds only. */
#ifdef SSOP_DEBUG
#define SSOP_ASSERT(condition) ((condition) ? (void)0 : __builtin_trap())
#else
#define SSOP_ASSERT(condition) ((void)0)
#endif

/* |x|, also for INT64_MIN. */
static inline uint64_t
magnitude(int64_t x)
{
    return x < 0 ? (uint64_t)0 - (uint64_t)x : (uint64_t)x;
}

/* a * b and a + b; false if they do not fit int64. Uses 64-bit arithmetic only, because 32-bit targets lack the
 * helpers that the compilers' own overflow tests call. */
static inline bool
checked_mul(int64_t a, int64_t b, int64_t *product)
{
    uint64_t x = magnitude(a), y = magnitude(b);
    if (((x | y) >> 31) != 0) { /* products of smaller factors fit; the division is slow */
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

#endif /* SSOP_CORE_BASE_H */
