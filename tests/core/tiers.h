/* Runs a test once with the kernels of every tier that this machine has. */
#ifndef SSOP_TESTS_TIERS_H
#define SSOP_TESTS_TIERS_H

#include "check.h"

static const char *const all_tiers[] = {"portable", "ssse3", "avx2", "avx512", "neon"};

static inline void
for_every_tier(void (*test)(void))
{
    for (int i = 0; i < COUNT(all_tiers); i++) {
        if (ssop_cpu_choose(all_tiers[i])) {
            test();
        }
    }
}

#endif /* SSOP_TESTS_TIERS_H */
