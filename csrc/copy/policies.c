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
    /* Measured on a Zen 5 by `ssop bench --classes rows-64B,stride-4B --sizes DRAM --threads 1`: the best of the powers
     * of two and the means between them. On a first Zen, contiguous copies of 64 MiB ran at 9.4 GB/s with this
     * distance, at 10.6 with 1 KiB and at 9.4 without prefetch, and rows of 512 to 4096 bytes of every second one at
     * 5.1 to 6.7, 5.0 to 6.9 and 3.5 to 5.3 (NumPy 10.2, and 3.4 to 4.6; ssop.copyto, medians of eleven interleaved
     * rounds). On a Zen 3, with 1 KiB instead of 4, copies of 64 and 256 MiB were 1.04 and 1.11 times as fast, joined
     * arrays 1.08, updates 1.12 and rows of 24 to 8192 bytes 1.00 (AVX2; classes huge-out, concatenate, update,
     * rows-64B, rows-512B and rows-1K, two processes in turns, medians of five rounds). */
    .row_prefetch_distance = 4096,
    .span_prefetch_distance = 6144,
    /* Fills of 64 MiB on a Cascade Lake ran at 8.3 GB/s without prefetch and at 10.7 with 1 KiB, copies at 5.6 and 6.15
     * (the loop alone, one thread); 256 bytes gained less, 2 KiB no more. */
    .prefetchw_distance = 1024,
    /* Non-temporal stores and prefetches into the L1 cache wait for the same few buffers, but a source that is read
     * from front to back must be in the L1 cache in time. On a Zen 4, 32 of HPTT's permutations had a geometric mean of
     * 8.1 GB/s with prefetches into the L1 cache and of 9.7 with those into the L2 cache; rows of 128 bytes of 256 ran
     * at 8.3 and 10.6, 1024 of 2048 at 7.5 and 8.6, 4096 of 7168 at 10.4 and 12.5; but every second item of 16 bytes at
     * 11.7 and 8.1, and a copy of 256 MiB at 20.2 and 13.6 (AVX-512, `ssop bench --sizes DRAM --threads 1`). */
    .l2_prefetch = 1,
    /* What limits the speed of short rows in pages of their own is how many of them the processor reads at the same
     * time, so that prefetch and non-temporal stores only cost time. On a Zen 3, in GB/s with both and without: f4 of
     * (48, 28, 28, 48, 32) permuted by (1, 3, 2, 0, 4) 4.3 and 7.7, (298, 28, 28, 8, 32) 4.1 and 7.4, (15, 15, 32, 15,
     * 10, 48) by (4, 1, 0, 3, 2, 5) 5.2 and 7.6; but with rows of 320 bytes, (96, 75, 96, 80) by (2, 1, 0, 3), 11.2
     * and 8.2 (AVX2, ssop.copyto, fastest of five to seven interleaved rounds). */
    .far_row_bytes = 256,
    .far_tiles = 1, /* max_loop_items in short_axes.c says by how much */
    .rep_movsb_row_bytes = 0,
    .rep_movsb_bytes = 2 * DEFAULT_LAST_CACHE_BYTES,
    /* Page faults inside rep movsb are slow. Measured on a Zen 5 by ssop bench --classes kept,huge-new --threads 1,
     * with results of 128 KiB, 1 MiB, 3 MiB and more; the limit is a size between the first two, not measured. */
    .rep_movsb_fresh_bytes = 512 << 10,
    /* With fewer items, making the table of a permutation costs more time than the permutation saves. Measured on a
     * Zen 5: ssop bench --classes stride-4B,blocks --sizes L1. */
    .table_items = 64,
    .table_row_items = 384,
    /* The best known on a Zen 5 (`ssop bench --classes transpose --threads 1`). On a Cascade Lake, blocks of 128 bytes
     * were not better, for items of 2, 4 and 8 bytes and planes of 31 x 300 to 5000 x 5000 (64 MiB in all; the kernels
     * alone, interleaved). */
    .transpose_block_bytes = 512,
    .strip_bytes = 0, /* not measured but on the processors that ssop_policies_for names */
    /* Not measured; chosen because a copy of 32 KiB takes about a microsecond, much longer than calling a kernel, and
     * because a copy of the size from which threads are used still has many steps. */
    .step_bytes = 32 << 10,
    /* Not measured; chosen because a sleeping thread takes 7 to 45 us to start (runtime/threads.c), and copying 512 KiB
     * takes about as long. Long rows are copied faster. */
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
 * caches both only cost time (10 to 30 % on a Zen 4, the kernels alone).
 *
 * Intel's processors without FSRM, which are older than Ice Lake, prefetch what they write instead, from twice the L2
 * cache on, because within it prefetchw only costs time (9 % on a Cascade Lake, the kernel alone). On that processor
 * prefetchw makes copies from memory 1.1 times as fast as non-temporal stores do, and transpositions twice (ssop bench
 * --classes huge-out,transpose --threads 1). Prefetches into the L2 cache were not measured there, so it prefetches
 * into the L1 cache.
 *
 * On a Zen 5, on a Zen 3 and on a Granite Rapids non-temporal stores are better: on the last, copies of 200 MiB ran at
 * 7.5 GB/s with regular stores, at 8.5 with prefetchw, at 10 with non-temporal stores and at 12.9 if the source was
 * also prefetched into the L2 cache; all four ran at 14 to 15 GB/s from 3 to 48 MiB (loops alone on a core). Kernels
 * that do not write whole lines prefetch for writing there, from memory only: in the L3 cache u1 of (146, 146, 146)
 * reversed ran at 9.4 GB/s with prefetchw and at 13.3 without (`ssop bench --classes order --sizes L3 --threads 1`).
 *
 * Transpositions in the L2 cache prefetch what they write only there, too: on a Granite Rapids f8 of 125 x 125 ran at
 * 19.5 GB/s without strips and at 38.7 with them, f4 of 177 x 177 at 16.6 and 33.9, and in the L1 cache, in 8 KiB,
 * strips were 0.9 times as fast. On a Cascade Lake prefetches cost 5 to 15 % in the L2 cache (prototypes of 64 x 64 to
 * 256 x 256). On a Zen 3 strips were 0.86 times as fast there (AVX2, class transpose, five rounds in turns); on other
 * processors of AMD they were not measured.
 *
 * Tiles of several axes write to many pages. Their stores wait on Intel's processors from Ice Lake on, perhaps because
 * these remember the places of 16 pages for stores (of others, 64 and more): on an Emerald Rapids planes from C to F
 * order ran, in GB/s as such tiles with prefetch and as planes without, f4 of (28, 28, 28, 28, 28) at 1.7 and 3.4, of
 * rank 6 with axes of 15 and 16 at 1.0 and 3.6, and at 2.5 and 6.9, f8 of rank 6 with axes of 14 at 1.5 and 4.0, of
 * rank 7 with axes of 9 at 1.1 and 4.6, two bytes of (30, 30, 30, 30, 40) at 1.1 and 3.5, geometric mean of 14 such
 * copies 1.7 (AVX-512, the kernels alone, in turns). On a Zen 4 it is the other way around (max_loop_items).
 *
 * rep movsb copied rows of pages at 82 GB/s instead of 69 in the L2 cache, and at 56 instead of 43 between 16 and 64
 * MiB, where non-temporal stores do not pay yet for such rows (Zen 5). So below rep_movsb_bytes these rows get neither
 * prefetch nor non-temporal stores, although stream_bytes is smaller. On a Zen 4 it is never the best: copies of 12 to
 * 24 MiB ran at 26 to 31 GB/s with it and at 43 with loops, rows of 8192 of 16384 bytes there at 23 to 30 and 40 to 45,
 * and smaller ones at the same speed or up to 0.93 of it (ssop.copyto, fastest of nine interleaved rounds). On a
 * Granite Rapids it is as fast as loops up to 24 MiB, and copied 48 MiB at 12.7 GB/s, non-temporal stores at 14.1
 * (loops alone); rows of 4096 of 8192 bytes in the L3 cache ran at 13.7 with it and at 14.3 with loops (`ssop bench
 * --classes rows-1K --sizes L3 --threads 1`). */
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
    policies.prefetchw_bytes = !prefetchw ? 0 : early_intel && early < cache / 2 ? early : cache / 2;
    policies.stream_bytes = prefetchw && early_intel ? 0 : cache / 2;
    policies.row_prefetch_distance = near ? NEAR_PREFETCH_DISTANCE : defaults.row_prefetch_distance;
    policies.l2_prefetch = early_intel ? 0 : defaults.l2_prefetch;
    policies.strip_bytes = prefetchw && !early_intel ? STRIP_BYTES : 0;
    policies.far_tiles = facts->is_intel && !early_intel ? 0 : defaults.far_tiles;
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
