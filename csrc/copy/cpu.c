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

/* The registers that the operating system saves. */
static uint32_t
saved_state(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool
has(uint32_t bits, uint32_t wanted)
{
    return (bits & wanted) == wanted;
}

unsigned
ssop_cpu_features(void)
{
    enum { SSSE3 = 1 << 9, AVX_AND_XGETBV = 1 << 28 | 1 << 27, AVX2 = 1 << 5, VBMI = 1 << 1 };
    enum { STATE_AVX = 0x06, STATE_AVX512 = 0xE6 };
    const uint32_t f_bw_vl = 1u << 16 | 1u << 30 | 1u << 31;
    uint32_t most = cpuid(0).a, basic = cpuid(1).c;
    registers more = most >= 7 ? cpuid(7) : (registers){0, 0, 0, 0};
    uint32_t state = has(basic, AVX_AND_XGETBV) ? saved_state() : 0;
    bool avx2 = has(state, STATE_AVX) && has(more.b, AVX2);
    bool avx512 = avx2 && has(state, STATE_AVX512) && has(more.b, f_bw_vl) && has(more.c, VBMI);
    return (has(basic, SSSE3) ? SSOP_CPU_SSSE3 : 0u) | (avx2 ? SSOP_CPU_AVX2 : 0u) | (avx512 ? SSOP_CPU_AVX512 : 0u);
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
        if ((tier == NULL || is_same_text(tier, tiers[i]->name)) && (features & tiers[i]->feature) == tiers[i]->feature) {
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
