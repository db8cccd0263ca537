/* The CPU targets of this build, which one is chosen, and the policies that go with it. */
#include "cpu.h"

#include "../core/text.h"

#ifdef SSOP_X86
static const kernel_table *const targets[] = {&ssop_kernels_avx512, &ssop_kernels_avx512bw, &ssop_kernels_avx2,
                                              &ssop_kernels_ssse3, &ssop_kernels_portable};
#elif defined(SSOP_NEON)
static const kernel_table *const targets[] = {&ssop_kernels_neon, &ssop_kernels_portable};
#else
static const kernel_table *const targets[] = {&ssop_kernels_portable};
#endif

static const kernel_table *chosen = &ssop_kernels_portable;

const char *
ssop_cpu_target_at(int32_t at, bool *runs)
{
    if (at >= (int32_t)(sizeof targets / sizeof *targets)) {
        return NULL;
    }
    *runs = (ssop_cpu_features() & targets[at]->feature) == targets[at]->feature;
    return targets[at]->name;
}

void
ssop_policies_of_machine(ssop_policies *policies, int64_t last_cache_bytes)
{
    const ssop_cpu_facts facts = ssop_cpu_find_facts();
    *policies = ssop_policies_for(&facts, chosen, last_cache_bytes);
}

bool
ssop_cpu_choose(const char *target)
{
    const char *name;
    bool runs;
    for (int32_t at = 0; (name = ssop_cpu_target_at(at, &runs)) != NULL; at++) {
        if (runs & (target == NULL || is_same_text(target, name))) {
            ssop_policies policies;
            chosen = targets[at];
            ssop_policies_of_machine(&policies, 0);
            return ssop_policies_use(&policies);
        }
    }
    return false;
}

const char *
ssop_cpu_target(void)
{
    return chosen->name;
}

const kernel_table *
ssop_kernels(void)
{
    return chosen;
}
