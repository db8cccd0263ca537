/* Detects which kernels this processor can run, and keeps which were chosen and which cache sizes the memory policy
 * assumes. */
#include "kernels/kernels.h"

/* 1 if all wanted bits are set. */
static unsigned
has(uint32_t bits, uint32_t wanted)
{
    return (bits & wanted) == wanted;
}

#ifdef SSOP_X86

static const kernel_table *const targets[] = {&ssop_kernels_avx512, &ssop_kernels_avx2, &ssop_kernels_ssse3,
                                              &ssop_kernels_portable};

typedef struct {
    uint32_t a, b, c, d;
} registers;

static registers
cpuid_part(uint32_t leaf, uint32_t part)
{
    registers r;
    __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(part));
    return r;
}

static registers
cpuid(uint32_t leaf)
{
    return cpuid_part(leaf, 0);
}

/* Bits of what cpuid returns, by leaf and register. */
enum { LEAF_1_C_SSSE3 = 1 << 9, LEAF_1_C_XGETBV = 1 << 27, LEAF_7_B_AVX2 = 1 << 5, LEAF_7_C_VBMI = 1 << 1 };
enum { EXTENDED_LEAF_1_C_PREFETCHW = 1 << 8 };

/* Which vector registers the operating system saves, as the bits of XCR0; 0 if the processor cannot tell. */
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

unsigned
ssop_cpu_features(void)
{
    const uint32_t state_avx = 0x06, state_avx512 = 0xE6, f_bw_vl = 1u << 16 | 1u << 30 | 1u << 31;
    uint32_t max_leaf = cpuid(0).a, basic = cpuid(1).c, state = saved_state(basic & LEAF_1_C_XGETBV);
    registers more = cpuid(7);
    unsigned ssse3 = has(basic, LEAF_1_C_SSSE3);
    unsigned avx2 = (max_leaf >= 7) & has(state, state_avx) & has(more.b, LEAF_7_B_AVX2);
    unsigned avx512 = avx2 & has(state, state_avx512) & has(more.b, f_bw_vl) & has(more.c, LEAF_7_C_VBMI);
    return ssse3 * SSOP_CPU_SSSE3 | avx2 * SSOP_CPU_AVX2 | avx512 * SSOP_CPU_AVX512;
}

/* From which size on copies prefetch their destination (ssop_cpu_set_prefetchw): for Intel processors that have
 * prefetchw, twice the L2 cache, whose size leaf 4 tells, because prefetchw only costs time for a copy from and to the
 * L2 cache (9 % on a Cascade Lake, the kernel alone). On that processor prefetchw makes copies from memory 1.1 times as
 * fast as non-temporal stores do, and transpositions twice (ssop bench --classes huge-out,transpose --threads 1). On a
 * Zen 5 non-temporal stores are better, so other vendors' processors get 0: never. */
static int64_t
find_prefetchw_bytes(void)
{
    registers vendor = cpuid(0), l2 = cpuid_part(4, 2);
    bool intel = (vendor.b == 0x756e6547) & (vendor.d == 0x49656e69) & (vendor.c == 0x6c65746e); /* GenuineIntel */
    bool has_it = (cpuid(0x80000000).a > 0x80000000) & has(cpuid(0x80000001).c, EXTENDED_LEAF_1_C_PREFETCHW);
    int64_t line = (l2.b & 0xfff) + 1, parts = (l2.b >> 12 & 0x3ff) + 1, ways = (l2.b >> 22) + 1;
    int64_t bytes = line * parts * ways * ((int64_t)l2.c + 1);
    return (intel & has_it) * (int64_t)(vendor.a >= 4) * 2 * bytes;
}

#else

static int64_t
find_prefetchw_bytes(void)
{
    return 0;
}

#ifdef SSOP_NEON
static const kernel_table *const targets[] = {&ssop_kernels_neon, &ssop_kernels_portable};
#else
static const kernel_table *const targets[] = {&ssop_kernels_portable};
#endif

unsigned
ssop_cpu_features(void)
{
    return targets[0]->feature;
}

#endif

static struct {
    const kernel_table *kernels;
    int64_t last_cache_bytes, prefetchw_bytes;
} chosen = {&ssop_kernels_portable, SSOP_DEFAULT_LAST_CACHE_BYTES, 0};

static bool
is_same_text(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

const char *
ssop_cpu_target_at(int32_t at, bool *runs)
{
    if (at >= (int32_t)(sizeof targets / sizeof *targets)) {
        return NULL;
    }
    *runs = has(ssop_cpu_features(), targets[at]->feature);
    return targets[at]->name;
}

bool
ssop_cpu_choose(const char *target)
{
    const char *name;
    bool runs;
    for (int32_t at = 0; (name = ssop_cpu_target_at(at, &runs)) != NULL; at++) {
        if (runs & (target == NULL || is_same_text(target, name))) {
            chosen.kernels = targets[at];
            chosen.prefetchw_bytes = find_prefetchw_bytes();
            return true;
        }
    }
    return false;
}

const char *
ssop_cpu_target(void)
{
    return chosen.kernels->name;
}

void
ssop_cpu_set_last_cache(int64_t bytes)
{
    int64_t min = SSOP_MIN_LAST_CACHE_BYTES, max = SSOP_MAX_LAST_CACHE_BYTES;
    chosen.last_cache_bytes = bytes == 0  ? SSOP_DEFAULT_LAST_CACHE_BYTES
                            : bytes < min ? min
                            : bytes > max ? max
                                          : bytes;
}

int64_t
ssop_cpu_last_cache_bytes(void)
{
    return chosen.last_cache_bytes;
}

void
ssop_cpu_set_prefetchw(int64_t bytes)
{
    chosen.prefetchw_bytes = bytes;
}

int64_t
ssop_cpu_prefetchw_bytes(void)
{
    return chosen.prefetchw_bytes;
}

const kernel_table *
ssop_kernels(void)
{
    return chosen.kernels;
}

ssop_kernel
ssop_kernel_for(ssop_pattern pattern, int64_t item_bytes)
{
    int column = kernel_size_column(item_bytes);
    ssop_kernel kernel = chosen.kernels->kernel[pattern][column];
    return kernel != NULL ? kernel : ssop_kernels_portable.kernel[pattern][column];
}
