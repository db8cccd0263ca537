/* Policies at random: no result may depend on them. */
#ifndef SSOP_TESTS_RANDOM_POLICIES_H
#define SSOP_TESTS_RANDOM_POLICIES_H

#include "check.h"

/* Any value within the bounds, small ones as often as large ones, and often the lowest one, which may mean "never". */
static inline int64_t
random_policy(const ssop_policy *policy)
{
    const int64_t low = policy->low, span = policy->high - low;
    int64_t top = (int64_t)1 << random_between(0, 40);
    return random_between(0, 3) == 0 ? low : low + random_between(0, top < span ? top : span);
}

/* Uses the policies of this machine, each of which is replaced in half of the calls. What suits the machine is asked
 * once, because a hypervisor may take long to answer for the processor. */
static inline void
use_random_policies(void)
{
    static ssop_policies machine;
    if (machine.step_bytes == 0) {
        ssop_policies_of_machine(&machine, 0);
    }
    ssop_policies policies = machine;
    const ssop_policy *policy;
    for (int32_t at = 0; (policy = ssop_policy_at(at)) != NULL; at++) {
        if (random_between(0, 1) == 1) {
            *ssop_policy_field(&policies, at) = random_policy(policy);
        }
    }
    CHECK(ssop_policies_use(&policies), "policies within their bounds were rejected");
}

/* Replaces the last-level cache of the policies in use by the smallest there may be, so that a copy of 2 MiB is one
 * from memory. */
static inline void
use_small_last_cache(void)
{
    ssop_policies policies = *ssop_policies_used();
    policies.last_cache_bytes = 8 << 20;
    CHECK(ssop_policies_use(&policies), "policies within their bounds were rejected");
}

#endif /* SSOP_TESTS_RANDOM_POLICIES_H */
