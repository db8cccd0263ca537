/* What the policies are on which processor, with the measurement behind each, and which ones are in use (cfg_s2). */
#include "cpu.h"

enum { DEFAULT_LAST_CACHE_BYTES = 32 << 20 }; /* not measured; chosen because most processors have that much */

static const ssop_policy list[] = {
#define POLICY(name, low, high, about) {#name, low, high, about},
#include "../include/ssop/policies.def"
#undef POLICY
};

static const size_t offset[] = {
#define POLICY(name, low, high, about) offsetof(ssop_policies, name),
#include "../include/ssop/policies.def"
#undef POLICY
};

enum { POLICY_COUNT = sizeof list / sizeof *list };

static const ssop_policies defaults = {
    .last_cache_bytes = DEFAULT_LAST_CACHE_BYTES,
    .prefetch_bytes = DEFAULT_LAST_CACHE_BYTES / 2,
    .prefetchw_bytes = 0,
    .stream_bytes = DEFAULT_LAST_CACHE_BYTES / 2,
    /* The best of the powers of two and the means between them on a Zen 5. On the first Zen and on Zen 3 the distance
     * is shorter, see ssop_policies_for (record row-prefetch-distance). */
    .row_prefetch_distance = 4096,
    .span_prefetch_distance = 6144,
    /* A shorter distance gains less, a longer one no more (record prefetchw-distance). */
    .prefetchw_distance = 1024,
    /* Non-temporal stores and prefetches into the L1 cache wait for the same few buffers, but a source that is read
     * from front to back must be in the L1 cache in time (record l2-prefetch). */
    .l2_prefetch = 1,
    /* What limits the speed of short rows in pages of their own is how many of them the processor reads at the same
     * time, so that prefetch and non-temporal stores only cost time (record far-rows). */
    .far_row_bytes = 256,
    .far_tiles = 1, /* max_loop_items in short_axes.c says where this matters */
    .rep_movsb_row_bytes = 0,
    .rep_movsb_bytes = 2 * DEFAULT_LAST_CACHE_BYTES,
    /* Page faults inside rep movsb are slow. The limit is a size between those that were measured
     * (record rep-movsb-fresh). */
    .rep_movsb_fresh_bytes = 512 << 10,
    /* With fewer items, making the table of a shuffle costs more time than the shuffle saves
     * (record table-items). */
    .table_items = 64,
    .table_row_items = 384,
    /* The best known on a Zen 5; shorter blocks are not better on a Cascade Lake (record transpose-blocks). */
    .transpose_block_bytes = 512,
    .strip_bytes = 0, /* not measured but on the processors that ssop_policies_for names */
    /* Not measured; chosen because a copy of 32 KiB takes much longer than calling a kernel, and because a copy of the
     * size from which threads are used still has many steps. */
    .step_bytes = 32 << 10,
    /* Not measured; chosen because copying 512 KiB takes about as long as waking a sleeping thread
     * (record thread-wake). Long rows are copied faster. */
    .share_bytes = 512 << 10,
    .share_rows_bytes = 1 << 20,
};

static ssop_policies replaced;
static const ssop_policies *used = &defaults;

/* AMD's families, as cpuid encodes them in the model; 0 for others. */
static uint32_t
amd_family(const ssop_cpu_facts *facts)
{
    const uint32_t family = (facts->model >> 8 & 15) + (facts->model >> 20 & 255);
    return facts->is_amd ? family : 0;
}

/* The first digit of the two of a model, within its family. */
static uint32_t
high_digit(const ssop_cpu_facts *facts)
{
    return facts->model >> 16 & 15;
}

/* The first Zen and Zen+: family 17h with models below 30h, where Zen 2 begins. */
static bool
is_first_zen(const ssop_cpu_facts *facts)
{
    const uint32_t family = amd_family(facts), digit = high_digit(facts);
    return (family == 0x17) & (digit < 3);
}

/* Of family 19h, models 0xh and 2xh to 5xh; the others are Zen 4. */
static bool
is_zen_3(const ssop_cpu_facts *facts)
{
    enum { DIGITS = 1 << 0 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 5 };
    const uint32_t family = amd_family(facts), digit = high_digit(facts);
    return (family == 0x19) & ((DIGITS >> digit & 1) != 0);
}

/* Family 19h, which has VBMI, and so kernels that would use rep movsb, only in Zen 4. */
static bool
is_zen_4(const ssop_cpu_facts *facts)
{
    return amd_family(facts) == 0x19;
}

/* Copies from and to memory, rather than the caches, are those that touch more than half of the last-level cache. They
 * prefetch their source and use non-temporal stores, so that what is written does not evict what is to be read. In the
 * caches both only cost time (record memory-copies).
 *
 * Intel's processors without FSRM, which are older than Ice Lake, prefetch what they write instead, from twice the L2
 * cache on, because within it prefetchw only costs time (record early-intel). */
ssop_policies
ssop_policies_for(const ssop_cpu_facts *facts, const kernel_table *kernels, int64_t last_cache_bytes)
{
    enum { REP_MOVSB_ROW_BYTES = 4096, INTEL_REP_MOVSB_ROW_BYTES = 16384, STRIP_BYTES = 16 << 10 };
    enum { NEAR_PREFETCH_DISTANCE = 1024 };
    int64_t low = list[0].low, high = list[0].high, told = last_cache_bytes;
    int64_t cache = told == 0 ? DEFAULT_LAST_CACHE_BYTES : told < low ? low : told > high ? high : told;
    int64_t early = 2 * facts->second_cache_bytes;
    bool prefetchw = facts->is_intel && facts->has_prefetchw, early_intel = facts->is_intel && !facts->has_fsrm;
    int64_t rep_movsb_row = facts->is_intel ? INTEL_REP_MOVSB_ROW_BYTES : REP_MOVSB_ROW_BYTES;
    const bool first_zen = is_first_zen(facts), zen_3 = is_zen_3(facts), near = first_zen | zen_3;
    ssop_policies policies = defaults;
    policies.last_cache_bytes = cache;
    policies.prefetch_bytes = cache / 2;
    /* On other processors of Intel, kernels that do not write whole lines prefetch for writing, from memory only
     * (record prefetchw). */
    policies.prefetchw_bytes = !prefetchw ? 0 : early_intel && early < cache / 2 ? early : cache / 2;
    policies.stream_bytes = prefetchw && early_intel ? 0 : cache / 2;
    policies.row_prefetch_distance = near ? NEAR_PREFETCH_DISTANCE : defaults.row_prefetch_distance;
    /* Not compared on processors of Intel older than Ice Lake, which prefetch into the L1 cache. */
    policies.l2_prefetch = early_intel ? 0 : defaults.l2_prefetch;
    /* Transpositions in the L2 cache prefetch what they write only on Intel's processors from Ice Lake on
     * (record strips). */
    policies.strip_bytes = prefetchw && !early_intel ? STRIP_BYTES : 0;
    /* Tiles of several axes store to many pages at once. Intel's L1 TLB for stores has 16 entries from Ice Lake on,
     * which may be why matrices are faster there (record far-tiles). On a Zen 4 tiles are faster (max_loop_items). */
    policies.far_tiles = facts->is_intel && !early_intel ? 0 : defaults.far_tiles;
    /* Rows that rep movsb copies get neither prefetch nor non-temporal stores, although stream_bytes is smaller: on a
     * Zen 5 such stores do not pay yet for these rows. On a Zen 4 loops are as fast or faster (record rep-movsb). */
    policies.rep_movsb_row_bytes = kernels->uses_rep_movsb && !is_zen_4(facts) ? rep_movsb_row : 0;
    policies.rep_movsb_bytes = facts->is_intel ? cache : 2 * cache;
    return policies;
}

const ssop_policy *
ssop_policy_at(int32_t at)
{
    return at < POLICY_COUNT ? &list[at] : NULL;
}

int64_t *
ssop_policy_field(ssop_policies *policies, int32_t at)
{
    return (int64_t *)(void *)((char *)policies + offset[at]);
}

bool
ssop_policies_use(const ssop_policies *policies)
{
    ssop_policies copy = *policies;
    for (int32_t at = 0; at < POLICY_COUNT; at++) {
        int64_t value = *ssop_policy_field(&copy, at);
        if (value < list[at].low || value > list[at].high) {
            return false;
        }
    }
    replaced = copy;
    used = &replaced;
    return true;
}

const ssop_policies *
ssop_policies_used(void)
{
    return used;
}

bool
ssop_bytes_are_shared(int64_t bytes)
{
    return bytes >= used->share_bytes;
}
