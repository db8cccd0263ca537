/* What the processor tells of itself: which kernels it can run, and what the policies depend on. */
#include "cpu.h"

#ifdef SSOP_X86

/* 1 if all wanted bits are set. */
static unsigned
has(uint32_t bits, uint32_t wanted)
{
    return (bits & wanted) == wanted;
}

typedef struct {
    uint32_t a, b, c, d;
} registers;

static registers
cpuid_subleaf(uint32_t leaf, uint32_t subleaf)
{
    registers r;
    __asm__ volatile("cpuid" : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d) : "a"(leaf), "c"(subleaf));
    return r;
}

static registers
cpuid(uint32_t leaf)
{
    return cpuid_subleaf(leaf, 0);
}

/* Bits of what cpuid returns, by leaf and register. */
enum { LEAF_1_C_SSSE3 = 1 << 9, LEAF_1_C_XGETBV = 1 << 27 };
enum { LEAF_7_B_AVX2 = 1 << 5, LEAF_7_C_VBMI = 1 << 1, LEAF_7_D_FSRM = 1 << 4 };
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
    unsigned avx512bw = avx2 & has(state, state_avx512) & has(more.b, f_bw_vl);
    unsigned avx512 = avx512bw & has(more.c, LEAF_7_C_VBMI);
    return ssse3 * SSOP_CPU_SSSE3 | avx2 * SSOP_CPU_AVX2 | avx512bw * SSOP_CPU_AVX512BW | avx512 * SSOP_CPU_AVX512;
}

/* The leaf that describes one cache in each of its subleaves: on processors of other makers, and on Intel's. On both,
 * subleaf 2 is the L2 cache, after the two L1 caches. Register b has the size of a line, the partitions and the ways,
 * and c the number of sets, each less one. */
static const uint32_t cache_leaf[] = {0x8000001d, 4};

ssop_cpu_facts
ssop_cpu_find_facts(void)
{
    registers vendor = cpuid(0);
    bool intel = (vendor.b == 0x756e6547) & (vendor.d == 0x49656e69) & (vendor.c == 0x6c65746e); /* GenuineIntel */
    bool amd = (vendor.b == 0x68747541) & (vendor.d == 0x69746e65) & (vendor.c == 0x444d4163);   /* AuthenticAMD */
    const uint32_t max_leaf[] = {cpuid(0x80000000).a, vendor.a};
    registers l2 = cpuid_subleaf(cache_leaf[intel], 2);
    int64_t line = (l2.b & 0xfff) + 1, partitions = (l2.b >> 12 & 0x3ff) + 1, ways = (l2.b >> 22) + 1;
    int64_t l2_bytes = line * partitions * ways * ((int64_t)l2.c + 1);
    ssop_cpu_facts facts = {
        .model = cpuid(1).a,
        .is_intel = intel,
        .is_amd = amd,
        .has_prefetchw = (max_leaf[0] > 0x80000000) & has(cpuid(0x80000001).c, EXTENDED_LEAF_1_C_PREFETCHW),
        .has_fsrm = (vendor.a >= 7) & has(cpuid(7).d, LEAF_7_D_FSRM),
        .second_cache_bytes = (max_leaf[intel] >= cache_leaf[intel]) * l2_bytes,
    };
    memcpy(facts.vendor, &vendor.b, 4);
    memcpy(facts.vendor + 4, &vendor.d, 4);
    memcpy(facts.vendor + 8, &vendor.c, 4);
    return facts;
}

#else

ssop_cpu_facts
ssop_cpu_find_facts(void)
{
    return (ssop_cpu_facts){.vendor = "other"};
}

#ifdef SSOP_NEON
enum { FEATURES = SSOP_CPU_NEON };
#else
enum { FEATURES = 0 };
#endif

unsigned
ssop_cpu_features(void)
{
    return FEATURES;
}

#endif

void
ssop_cpu_model(char text[SSOP_CPU_MODEL_BYTES])
{
    const ssop_cpu_facts facts = ssop_cpu_find_facts();
    char *to = text;
    for (const char *from = facts.vendor; *from != '\0'; from++) {
        *to++ = *from;
    }
    *to++ = ' ';
    for (int shift = 28; shift >= 0; shift -= 4) {
        *to++ = "0123456789abcdef"[facts.model >> shift & 15];
    }
    *to = '\0';
}
