/* What the processor tells of itself, and the policies that follow from it. */
#ifndef SSOP_COPY_CPU_H
#define SSOP_COPY_CPU_H

#include "kernels/kernels.h"

typedef struct {
    char vendor[13]; /* as cpuid tells it, such as "GenuineIntel"; "other" where there is no such instruction */
    uint32_t model;  /* family, model and stepping, as cpuid encodes them; 0 where there is no such instruction */
    bool is_intel, is_amd, has_prefetchw;
    bool has_fsrm;              /* fast short rep movsb; of Intel's processors those from Ice Lake on have it */
    int64_t second_cache_bytes; /* the size of the L2 cache; 0: unknown */
} ssop_cpu_facts;

ssop_cpu_facts ssop_cpu_find_facts(void);

/* ssop_policies_of_machine for any processor and CPU target. */
ssop_policies ssop_policies_for(const ssop_cpu_facts *facts, const kernel_table *kernels, int64_t last_cache_bytes);

#endif /* SSOP_COPY_CPU_H */
