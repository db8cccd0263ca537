/* Runs a test once with the kernels of every CPU target that this machine can run. */
#ifndef SSOP_TESTS_TARGETS_H
#define SSOP_TESTS_TARGETS_H

#include "check.h"

static const char *const all_targets[] = {"portable", "ssse3", "avx2", "avx512bw", "avx512", "neon"};

static inline void
for_every_target(void (*test)(void))
{
    for (int i = 0; i < COUNT(all_targets); i++) {
        if (ssop_cpu_choose(all_targets[i])) {
            test();
        }
    }
}

#endif /* SSOP_TESTS_TARGETS_H */
