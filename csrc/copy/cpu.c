/* Which tiers of kernels this processor can run, and which one is chosen. */
#include "kernels/kernels.h"

#ifdef SSOP_X86

static const kernel_table *const tiers[] = {&ssop_kernels_avx512, &ssop_kernels_avx2, &ssop_kernels_ssse3,
                                            &ssop_kernels_portable};

typedef struct {
    uint32_t a, b, c, d;
} registers;

static registers
cpuid(uint32_t leaf)
{
    registers r;
    __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(0));
    return r;
}

/* Bits of cpuid. */
enum { LEAF_1_C_SSSE3 = 1 << 9, LEAF_1_C_XGETBV = 1 << 27, LEAF_7_B_AVX2 = 1 << 5, LEAF_7_C_VBMI = 1 << 1 };

/* The registers that the operating system saves, as bits; none if it cannot tell. */
static uint32_t
saved_state(uint32_t has_xgetbv)
{
    uint32_t low = 0, high;
    __asm__ volatile(
        "test %2, %2\n\t"
        "jz 1f\n\t"
        "xorl %%ecx, %%ecx\n\t"
        "xgetbv\n"
        "1:"
        : "+a"(low), "=d"(high)
        : "r"(has_xgetbv)
        : "ecx", "cc");
    return low;
}

/* 1 if all the wanted bits are there. */
static unsigned
has(uint32_t bits, uint32_t wanted)
{
    return (bits & wanted) == wanted;
}

unsigned
ssop_cpu_features(void)
{
    const uint32_t state_avx = 0x06, state_avx512 = 0xE6, f_bw_vl = 1u << 16 | 1u << 30 | 1u << 31;
    uint32_t most = cpuid(0).a, basic = cpuid(1).c, state = saved_state(basic & LEAF_1_C_XGETBV);
    registers more = cpuid(7);
    unsigned ssse3 = has(basic, LEAF_1_C_SSSE3);
    unsigned avx2 = (most >= 7) & has(state, state_avx) & has(more.b, LEAF_7_B_AVX2);
    unsigned avx512 = avx2 & has(state, state_avx512) & has(more.b, f_bw_vl) & has(more.c, LEAF_7_C_VBMI);
    return ssse3 * SSOP_CPU_SSSE3 | avx2 * SSOP_CPU_AVX2 | avx512 * SSOP_CPU_AVX512;
}

#else

#ifdef SSOP_NEON
static const kernel_table *const tiers[] = {&ssop_kernels_neon, &ssop_kernels_portable};
#else
static const kernel_table *const tiers[] = {&ssop_kernels_portable};
#endif

unsigned
ssop_cpu_features(void)
{
    return tiers[0]->feature;
}

#endif

static const kernel_table *chosen = &ssop_kernels_portable;

static bool
is_same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

bool
ssop_cpu_choose(const char *tier)
{
    unsigned features = ssop_cpu_features();
    for (size_t i = 0; i < sizeof tiers / sizeof *tiers; i++) {
        bool here = (features & tiers[i]->feature) == tiers[i]->feature;
        if (here & (tier == NULL || is_same_text(tier, tiers[i]->name))) {
            chosen = tiers[i];
            return true;
        }
    }
    return false;
}

const char *
ssop_cpu_tier(void)
{
    return chosen->name;
}

const kernel_table *
ssop_kernels(void)
{
    return chosen;
}

ssop_kernel
ssop_kernel_for(ssop_pattern pattern, int64_t item_bytes)
{
    int column = kernel_size_column(item_bytes);
    ssop_kernel kernel = chosen->kernel[pattern][column];
    return kernel != NULL ? kernel : ssop_kernels_portable.kernel[pattern][column];
}
