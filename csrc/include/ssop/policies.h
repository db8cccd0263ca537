/* The policies of the copy engine: the sizes by which it decides how a copy treats memory. They change how fast a copy
 * is, never its result. What suits a machine is in one record, of which every field can be replaced. */
#ifndef SSOP_POLICIES_H
#define SSOP_POLICIES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
#define POLICY(name, low, high, about) int64_t name;
#include "policies.def"
#undef POLICY
} ssop_policies;

/* Fills in what suits the processor and the chosen CPU target. `last_cache_bytes` is the size of the last-level cache
 * as the system tells it, or 0 if it is unknown. It is clamped to the bounds of its policy, because some hypervisors
 * report wrong cache sizes. */
void ssop_policies_of_machine(ssop_policies *policies, int64_t last_cache_bytes);

/* The policies of all nests that are built or run from now on. If a policy is outside its bounds, ssop_policies_use
 * returns false and changes none of them. The policies of the machine are set by ssop_cpu_choose. Neither is safe to
 * call while another function runs. */
bool ssop_policies_use(const ssop_policies *policies);
const ssop_policies *ssop_policies_used(void);

/* Policy number `at` in the order of the record; NULL after the last one. */
typedef struct {
    const char *name;
    int64_t low, high;
    const char *about;
} ssop_policy;

const ssop_policy *ssop_policy_at(int32_t at);

/* The field of policy number `at`, which exists. */
int64_t *ssop_policy_field(ssop_policies *policies, int32_t at);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_POLICIES_H */
