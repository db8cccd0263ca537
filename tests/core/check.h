/* What every program of this folder needs: counted checks, and numbers that are random but the same in every run. */
#ifndef SSOP_TESTS_CHECK_H
#define SSOP_TESTS_CHECK_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/ssop/ssop.h"

/* Builds that run slowly check one case in this many of the large enumerations; run.py says which builds do. */
#if !defined(ONE_CASE_IN)
#define ONE_CASE_IN 1
#endif

static struct {
    unsigned long long done, failed;
    unsigned long long cases, chosen; /* of large enumerations */
} checks;

enum { MAX_FAILURES = 20 };

/* Whether to check this case of a large enumeration. The multiplier, 2^64 divided by the golden ratio, spreads the
 * chosen ones, so that they do not follow the period of any loop. */
static inline bool
is_chosen(void)
{
    bool chosen = (checks.cases++ * UINT64_C(0x9E3779B97F4A7C15) >> 32) % ONE_CASE_IN == 0;
    checks.chosen += chosen ? 1 : 0;
    return chosen;
}

static inline int
check_report(const char *program)
{
    printf("%s: %llu checks", program, checks.done);
    if (checks.chosen < checks.cases) {
        printf(", %llu of %llu cases", checks.chosen, checks.cases);
    }
    putchar('\n');
    bool complete = checks.done > 0 && (checks.cases == 0 || checks.chosen >= checks.cases / ONE_CASE_IN / 2);
    return complete && checks.failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#if defined(__MINGW_PRINTF_FORMAT)
#define FORMAT_OF_PRINTF __MINGW_PRINTF_FORMAT
#else
#define FORMAT_OF_PRINTF printf
#endif

__attribute__((format(FORMAT_OF_PRINTF, 3, 4))) static void
check_failed(const char *file, int line, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    printf("%s:%d: ", file, line);
    vprintf(format, values);
    putchar('\n');
    va_end(values);
    if (++checks.failed == MAX_FAILURES) {
        printf("%llu checks, stopped after %d failures\n", checks.done, MAX_FAILURES);
        exit(EXIT_FAILURE);
    }
}

/* CHECK(condition, format, ..): the text names the rule and the input. */
#define CHECK(condition, ...) (checks.done++, (condition) ? (void)0 : check_failed(__FILE__, __LINE__, __VA_ARGS__))

#define LL(x) ((long long)(x)) /* for %lld */
#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* True if the record says exactly this. Value, low and high count only where the rule gives them a meaning. */
static inline bool
is_error(const ssop_error *error, ssop_rule rule, int32_t axis, int32_t entry, int64_t value, int64_t low, int64_t high)
{
    int shows = ssop_rule_shows(rule);
    return error->rule == rule && error->axis == axis && error->entry == entry &&
           (!(shows & SSOP_SHOWS_VALUE) || error->value == value) &&
           (!(shows & SSOP_SHOWS_ALLOWED) || (error->low == low && error->high == high));
}

/* The record that a call should have filled. */
static inline ssop_error
error_of(ssop_rule rule, int32_t axis, int32_t entry, int64_t value, int64_t low, int64_t high)
{
    return (ssop_error){.rule = rule, .axis = axis, .entry = entry, .value = value, .low = low, .high = high};
}

/* For what a call must leave alone: marked before it, still marked after it. */
static inline void
mark(void *memory, size_t bytes)
{
    memset(memory, 0xA5, bytes);
}

static inline bool
is_marked(const void *memory, size_t bytes)
{
    const unsigned char *byte = memory;
    for (size_t i = 0; i < bytes; i++) {
        if (byte[i] != 0xA5) {
            return false;
        }
    }
    return true;
}

/* xorshift64* */
static inline uint64_t
random_bits(void)
{
    static uint64_t state = 0x9E3779B97F4A7C15;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return state * 0x2545F4914F6CDD1D;
}

/* In low..high. */
static inline int64_t
random_between(int64_t low, int64_t high)
{
    return low + (int64_t)((random_bits() >> 11) % (uint64_t)(high - low + 1));
}

#endif /* SSOP_TESTS_CHECK_H */
