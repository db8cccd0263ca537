/* What could go wrong: a policy does not suit the processor, a value outside its bounds is used, or a copy does not do
 * what the policies say. */
#include "copy/cpu.h"
#include "copy/nest.h"
#include "targets.h"

static const kernel_table plain = {.name = "plain"}, with_rep_movsb = {.name = "rep", .uses_rep_movsb = true};

/* The size of the last-level cache is bounded, because hypervisors report wrong ones. */
static void
test_last_cache(void)
{
    static const struct {
        int64_t told, taken;
    } rows[] = {
        {0, 32 << 20},
        {1, 8 << 20},
        {-1, 8 << 20},
        {(8 << 20) - 1, 8 << 20},
        {8 << 20, 8 << 20},
        {(8 << 20) + 1, (8 << 20) + 1},
        {48 << 20, 48 << 20},
        {64 << 20, 64 << 20},
        {(64 << 20) + 1, 64 << 20},
        {INT64_MAX, 64 << 20},
    };
    CHECK(ssop_policies_used()->last_cache_bytes == 32 << 20, "before any choice");
    for (int i = 0; i < COUNT(rows); i++) {
        ssop_policies policies;
        ssop_policies_of_machine(&policies, rows[i].told);
        CHECK(policies.last_cache_bytes == rows[i].taken, "%lld bytes: %lld", LL(rows[i].told),
              LL(policies.last_cache_bytes));
        CHECK(policies.prefetch_bytes == rows[i].taken / 2, "%lld bytes", LL(policies.prefetch_bytes));
    }
}

/* Older processors of Intel that can prefetch for writing do so from twice the L2 cache on, but not later than other
 * copies prefetch their source. They do not use non-temporal stores. A first Zen prefetches rows less far ahead. */
static void
test_processors(void)
{
    static const struct {
        ssop_cpu_facts facts;
        const kernel_table *kernels;
        int64_t prefetchw, stream, rep_movsb_row, distance, l2, strips;
    } rows[] = {
        {{.is_intel = true, .has_prefetchw = true, .second_cache_bytes = 1 << 20}, &plain, 2 << 20, 0, 0, 4096, 0, 0},
        {{.is_intel = true, .has_prefetchw = true, .second_cache_bytes = 16 << 20}, &plain, 16 << 20, 0, 0, 4096, 0, 0},
        {{.is_intel = true, .second_cache_bytes = 1 << 20}, &plain, 0, 16 << 20, 0, 4096, 0, 0},
        {{.is_intel = true, .has_prefetchw = true, .has_fsrm = true, .second_cache_bytes = 2 << 20},
         &with_rep_movsb,
         16 << 20,
         16 << 20,
         16384,
         4096,
         1,
         16 << 10},
        {{.has_prefetchw = true, .second_cache_bytes = 1 << 20}, &plain, 0, 16 << 20, 0, 4096, 1, 0},
        {{.vendor = "other"}, &with_rep_movsb, 0, 16 << 20, 4096, 4096, 1, 0},
        {{.is_amd = true, .model = 0x00800f12}, &plain, 0, 16 << 20, 0, 1024, 1, 0},             /* Zen */
        {{.is_amd = true, .model = 0x00820f01}, &plain, 0, 16 << 20, 0, 1024, 1, 0},             /* Zen+ */
        {{.is_amd = true, .model = 0x00830f10}, &plain, 0, 16 << 20, 0, 4096, 1, 0},             /* Zen 2 */
        {{.is_amd = true, .model = 0x00a00f11}, &plain, 0, 16 << 20, 0, 1024, 1, 0},             /* Zen 3 */
        {{.is_amd = true, .model = 0x00a20f10}, &plain, 0, 16 << 20, 0, 1024, 1, 0},             /* Zen 3 */
        {{.is_amd = true, .model = 0x00a10f11}, &with_rep_movsb, 0, 16 << 20, 0, 4096, 1, 0},    /* Zen 4 */
        {{.is_amd = true, .model = 0x00b40f40}, &with_rep_movsb, 0, 16 << 20, 4096, 4096, 1, 0}, /* Zen 5 */
        {{.is_amd = false, .model = 0x00800f12}, &plain, 0, 16 << 20, 0, 4096, 1, 0},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        ssop_policies policies = ssop_policies_for(&rows[i].facts, rows[i].kernels, 32 << 20);
        CHECK(policies.prefetchw_bytes == rows[i].prefetchw, "%d: %lld", i, LL(policies.prefetchw_bytes));
        CHECK(policies.stream_bytes == rows[i].stream, "%d: %lld", i, LL(policies.stream_bytes));
        CHECK(policies.rep_movsb_row_bytes == rows[i].rep_movsb_row, "%d: %lld", i, LL(policies.rep_movsb_row_bytes));
        CHECK(policies.rep_movsb_bytes == (rows[i].facts.is_intel ? 32 << 20 : 64 << 20), "%d: %lld", i,
              LL(policies.rep_movsb_bytes));
        CHECK(policies.row_prefetch_distance == rows[i].distance, "%d: %lld", i, LL(policies.row_prefetch_distance));
        CHECK(policies.l2_prefetch == rows[i].l2, "%d: %lld", i, LL(policies.l2_prefetch));
        CHECK(policies.strip_bytes == rows[i].strips, "%d: %lld", i, LL(policies.strip_bytes));
        CHECK(policies.far_tiles == (rows[i].strips == 0), "%d: %lld", i, LL(policies.far_tiles));
        CHECK(ssop_policies_use(&policies), "%d", i);
    }
}

/* The maker and the model, in a fixed form. */
static void
test_model(void)
{
    char text[SSOP_CPU_MODEL_BYTES];
    ssop_cpu_model(text);
    size_t length = strlen(text);
    CHECK(length >= 9 && length < sizeof text && text[length - 9] == ' ', "%s", text);
    CHECK(strspn(text + length - 8, "0123456789abcdef") == 8, "%s", text);
}

/* Every policy has a name of its own and a text, and a value outside its bounds changes nothing. */
static void
test_bounds(void)
{
    ssop_policies machine, policies;
    const ssop_policy *policy;
    ssop_cpu_choose(NULL);
    ssop_policies_of_machine(&machine, 0);
    CHECK(memcmp(&machine, ssop_policies_used(), sizeof machine) == 0, "a chosen target has the machine's policies");
    int32_t count = 0;
    for (; (policy = ssop_policy_at(count)) != NULL; count++) {
        CHECK(policy->low >= 0 && policy->low < policy->high && strlen(policy->about) > 10, "%s", policy->name);
        for (int32_t other = 0; other < count; other++) {
            CHECK(strcmp(policy->name, ssop_policy_at(other)->name) != 0, "%s stands there twice", policy->name);
        }
        policies = machine;
        *ssop_policy_field(&policies, count) = policy->low;
        CHECK(ssop_policies_use(&policies), "the lowest %s", policy->name);
        CHECK(memcmp(&policies, ssop_policies_used(), sizeof policies) == 0, "%s is used", policy->name);
        *ssop_policy_field(&policies, count) = policy->high;
        CHECK(ssop_policies_use(&policies), "the highest %s", policy->name);
        ssop_policies before = policies;
        *ssop_policy_field(&policies, count) = policy->low - 1;
        CHECK(!ssop_policies_use(&policies), "%s below its bounds", policy->name);
        if (policy->high < INT64_MAX) {
            *ssop_policy_field(&policies, count) = policy->high + 1;
            CHECK(!ssop_policies_use(&policies), "%s above its bounds", policy->name);
        }
        CHECK(memcmp(&before, ssop_policies_used(), sizeof before) == 0, "a rejected %s is not used", policy->name);
    }
    CHECK((size_t)count * sizeof(int64_t) == sizeof machine, "%d policies", (int)count);
    ssop_cpu_choose(NULL);
}

/* What a copy of rows or of repeated items does, by the number of bytes. */
static unsigned
policy_of(int64_t count, int64_t src_stride, const ssop_hints *hints)
{
    static _Alignas(64) char memory[64];
    const ssop_view dst = {.data = memory, .item_bytes = 1, .rank = 1, .dim = {count}, .stride = {1}};
    const ssop_view src = {.data = memory, .item_bytes = 1, .rank = 1, .dim = {count}, .stride = {src_stride}};
    ssop_nest nest;
    ssop_nest_copy(&nest, &dst, &src, hints);
    return nest.policy;
}

/* A copy touches each byte twice, once on each side. */
static void
test_thresholds(void)
{
    const int64_t size = 1 << 20;
    const ssop_hints fresh = {.fresh_dst = true}, part = {.whole_bytes = 2 * size},
                     large_part = {.whole_bytes = 5 * size};
    const ssop_hints fresh_part = {.fresh_dst = true, .whole_bytes = 4 * size + 1};
    ssop_policies policies;
    ssop_cpu_choose("portable");
    ssop_policies_of_machine(&policies, 0);
    policies.prefetch_bytes = 2 * size;
    policies.prefetchw_bytes = size;
    policies.stream_bytes = 4 * size;
    policies.rep_movsb_row_bytes = 3 * size;
    policies.rep_movsb_bytes = 10 * size;
    policies.rep_movsb_fresh_bytes = 4 * size;
    CHECK(ssop_policies_use(&policies), "policies");
    const unsigned reads = SSOP_PREFETCH, writes = SSOP_PREFETCH_WRITE;
    const struct {
        int64_t count, src_stride;
        const ssop_hints *hints;
        unsigned policy;
    } rows[] = {
        {1000, 1, NULL, 0},
        {size / 2 - 1, 1, NULL, 0},
        {size / 2, 1, NULL, writes},
        {size / 2, 0, NULL, 0},
        {size - 1, 1, NULL, writes},
        {size, 1, NULL, reads | writes},
        {2 * size - 1, 1, NULL, reads | writes},
        {2 * size, 1, NULL, reads | SSOP_STREAM},
        {2 * size, 1, &fresh, reads | writes},
        {3 * size, 1, NULL, SSOP_REP_MOVSB},
        {4 * size, 1, &fresh, SSOP_REP_MOVSB},
        {4 * size + 1, 1, &fresh, reads | writes},
        {5 * size - 1, 1, NULL, SSOP_REP_MOVSB},
        {5 * size, 1, NULL, reads | SSOP_STREAM},
        {2 * size, 0, NULL, reads | writes},
        {1024, 1, &part, reads | SSOP_STREAM},
        {3 * size, 1, &part, SSOP_REP_MOVSB},
        {3 * size, 1, &large_part, reads | SSOP_STREAM},
        {3 * size, 1, &fresh_part, reads | writes},
    };
    for (int i = 0; i < COUNT(rows); i++) {
        unsigned policy = policy_of(rows[i].count, rows[i].src_stride, rows[i].hints);
        CHECK(policy == rows[i].policy, "row %d: policy %u", i, policy);
    }
    policies.prefetch_bytes = policies.prefetchw_bytes = policies.stream_bytes = policies.rep_movsb_row_bytes = 0;
    CHECK(ssop_policies_use(&policies) && policy_of(1 << 30, 1, NULL) == 0, "0 is never");
    ssop_cpu_choose(NULL);
}

/* Another memory of the same layout has a policy of its own; short rows of zeros have none, longer ones are fills. */
static void
test_rebase(void)
{
    static _Alignas(64) char memory[64];
    const int64_t size = 1 << 20;
    const ssop_view view = {.data = memory, .item_bytes = 1, .rank = 1, .dim = {size}, .stride = {1}};
    const ssop_hints fresh = {.fresh_dst = true};
    ssop_policies policies;
    ssop_cpu_choose("portable");
    ssop_policies_of_machine(&policies, 0);
    policies.prefetch_bytes = policies.stream_bytes = size;
    CHECK(ssop_policies_use(&policies), "policies");
    ssop_nest nest;
    ssop_nest_copy(&nest, &view, &view, NULL);
    CHECK(nest.policy == (SSOP_PREFETCH | SSOP_STREAM), "policy %u", nest.policy);
    ssop_nest_rebase(&nest, memory + 1, memory + 2, &fresh);
    CHECK(nest.policy == SSOP_PREFETCH && nest.dst == memory + 1 && nest.src == memory + 2, "rebased: %u", nest.policy);
    ssop_nest_zero(&nest, &view, NULL);
    CHECK(nest.policy == (SSOP_PREFETCH | SSOP_STREAM), "policy %u of zeros", nest.policy);
    ssop_nest_rebase(&nest, memory + 1, NULL, &fresh);
    CHECK(nest.dst == memory + 1 && nest.src == NULL && nest.policy == SSOP_PREFETCH, "rebased zeros");
    const ssop_view gaps = {.data = memory, .item_bytes = 1, .rank = 1, .dim = {size}, .stride = {2}};
    ssop_nest_zero(&nest, &gaps, NULL);
    CHECK(nest.policy == 0, "policy %u of zeros with gaps", nest.policy);
    ssop_cpu_choose(NULL);
}

/* Transpositions go in the order of the source where they get stores that are non-temporal. */
static void
test_source_order(void)
{
    static _Alignas(64) char memory[64];
    const int64_t side = 1024;
    const ssop_view dst = {.data = memory, .item_bytes = 4, .rank = 2, .dim = {side, side}, .stride = {4 * side, 4}};
    const ssop_view src = {.data = memory, .item_bytes = 4, .rank = 2, .dim = {side, side}, .stride = {4, 4 * side}};
    const ssop_hints fresh = {.fresh_dst = true};
    const bool streams = strcmp(ssop_cpu_target(), "portable") != 0 && strcmp(ssop_cpu_target(), "neon") != 0;
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.stream_bytes = 2 * 4 * side * side;
    CHECK(ssop_policies_use(&policies), "policies");
    ssop_nest nest;
    ssop_nest_copy(&nest, &dst, &src, NULL);
    CHECK(((nest.policy & SSOP_SOURCE_ORDER) != 0) == streams, "%s: policy %u", ssop_cpu_target(), nest.policy);
    ssop_nest_rebase(&nest, memory, memory, &fresh);
    CHECK((nest.policy & SSOP_SOURCE_ORDER) == 0, "%s: policy %u, new memory", ssop_cpu_target(), nest.policy);
    ssop_nest_copy(&nest, &src, &src, NULL);
    CHECK((nest.policy & SSOP_SOURCE_ORDER) == 0, "%s: policy %u of rows", ssop_cpu_target(), nest.policy);
    policies.stream_bytes += 1;
    CHECK(ssop_policies_use(&policies), "policies");
    ssop_nest_copy(&nest, &dst, &src, NULL);
    CHECK((nest.policy & SSOP_SOURCE_ORDER) == 0, "%s: policy %u of a smaller copy", ssop_cpu_target(), nest.policy);
}

/* Transpositions of at least strip_bytes go in strips, unless they are copies from memory. */
static void
test_strips(void)
{
    static _Alignas(64) char memory[64];
    const int64_t side = 128, bytes = 4 * side * side;
    const ssop_view dst = {.data = memory, .item_bytes = 4, .rank = 2, .dim = {side, side}, .stride = {4 * side, 4}};
    const ssop_view src = {.data = memory, .item_bytes = 4, .rank = 2, .dim = {side, side}, .stride = {4, 4 * side}};
    const struct {
        int64_t strip_bytes, prefetch_bytes, prefetchw_bytes, stream_bytes;
        bool strips;
    } cases[] = {
        {bytes, 0, 0, 0, true},      {bytes + 1, 0, 0, 0, false}, {0, 0, 0, 0, false},
        {1, 2 * bytes, 0, 0, false}, {1, 0, 2 * bytes, 0, false}, {1, 0, 0, 2 * bytes, false},
        {1, 3 * bytes, 0, 0, true},  {1, 0, 3 * bytes, 0, true},  {1, 0, 0, 3 * bytes, true},
    };
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    for (int i = 0; i < COUNT(cases); i++) {
        policies.strip_bytes = cases[i].strip_bytes;
        policies.prefetch_bytes = cases[i].prefetch_bytes;
        policies.prefetchw_bytes = cases[i].prefetchw_bytes;
        policies.stream_bytes = cases[i].stream_bytes;
        CHECK(ssop_policies_use(&policies), "policies");
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        CHECK((nest.policy == SSOP_STRIPS) == cases[i].strips, "case %d: policy %u", i, nest.policy);
        ssop_nest_copy(&nest, &src, &src, NULL);
        CHECK((nest.policy & SSOP_STRIPS) == 0, "case %d: policy %u of rows", i, nest.policy);
    }
}

/* Rows of less than 512 bytes that are whole lines are read in the order of the source where they get stores that are
 * non-temporal. */
static void
test_order_of_rows(void)
{
    static _Alignas(64) char memory[64];
    const int64_t side = 64;
    const bool streams = strcmp(ssop_cpu_target(), "portable") != 0 && strcmp(ssop_cpu_target(), "neon") != 0;
    const ssop_hints fresh = {.fresh_dst = true}, part = {.whole_bytes = 1 << 20};
    const struct {
        int64_t row, gap, stream_bytes;
        const ssop_hints *hints;
        bool turned;
    } cases[] = {
        {64, 0, 2 * side * side * 64, NULL, true},
        {64, 0, 2 * side * side * 64 + 1, NULL, false},
        {64, 0, 2 * side * side * 64, &fresh, false},
        {448, 0, 1, NULL, true},
        {512, 0, 1, NULL, false},
        {96, 0, 1, NULL, false},
        {64, 32, 1, NULL, false},
        {64, 64, 1, NULL, true},
        {64, 0, 2 << 20, &part, true},
        {64, 0, 0, NULL, false},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        const int64_t row = cases[i].row, pitch = row + cases[i].gap;
        const ssop_view dst = {
            .data = memory, .item_bytes = 1, .rank = 3, .dim = {side, side, row}, .stride = {side * pitch, pitch, 1}};
        const ssop_view src = {
            .data = memory, .item_bytes = 1, .rank = 3, .dim = {side, side, row}, .stride = {row, side * row, 1}};
        ssop_policies policies;
        ssop_policies_of_machine(&policies, 0);
        policies.stream_bytes = cases[i].stream_bytes;
        policies.far_row_bytes = 0;
        CHECK(ssop_policies_use(&policies), "policies");
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, cases[i].hints);
        const bool turned = nest.row_axis > nest.column_axis, ordered = (nest.policy & SSOP_SOURCE_ORDER) != 0;
        CHECK(turned == (cases[i].turned && streams), "%s, case %d", ssop_cpu_target(), i);
        CHECK(ordered == turned, "%s, case %d: policy %u", ssop_cpu_target(), i, nest.policy);
        const int64_t least = ssop_nest_bytes(&nest) / (2 * policies.step_bytes);
        CHECK(ssop_nest_steps(&nest) >= least, "%s, case %d: large steps", ssop_cpu_target(), i);
    }
}

/* What is read in pieces far apart is prefetched into the L2 cache: rows of a line and more with a line between them,
 * and the columns of a transposition. */
static void
test_l2_prefetch(void)
{
    static _Alignas(64) char memory[64];
    const int64_t rows = 1 << 16;
    const struct {
        int64_t columns, src_row, src_column;
        bool far;
    } cases[] = {
        {64, 128, 1, true}, {64, -128, 1, true}, {64, 127, 1, false}, {63, 128, 1, false},  {128, 4096, 1, true},
        {64, 64, 1, false}, {64, 0, 1, false},   {64, 1, rows, true}, {128, 256, 2, false},
    };
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.prefetch_bytes = 1 << 20;
    policies.far_row_bytes = 0;
    policies.rep_movsb_row_bytes = 0;
    for (int i = 0; i < 2 * COUNT(cases); i++) {
        const int64_t columns = cases[i / 2].columns;
        const ssop_view dst = {
            .data = memory, .item_bytes = 1, .rank = 2, .dim = {rows, columns}, .stride = {columns, 1}};
        const ssop_view src = {.data = memory,
                               .item_bytes = 1,
                               .rank = 2,
                               .dim = {rows, columns},
                               .stride = {cases[i / 2].src_row, cases[i / 2].src_column}};
        policies.l2_prefetch = i % 2;
        CHECK(ssop_policies_use(&policies), "policies");
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        const bool far = (nest.policy & SSOP_PREFETCH_L2) != 0;
        CHECK(far == (cases[i / 2].far && i % 2 == 1), "%s, case %d: policy %u", ssop_cpu_target(), i / 2, nest.policy);
    }
    policies.prefetch_bytes = policies.stream_bytes = 0;
    CHECK(ssop_policies_use(&policies), "policies");
    const ssop_view packed = {.data = memory, .item_bytes = 128, .rank = 1, .dim = {rows}, .stride = {128}};
    const ssop_view gaps = {.data = memory, .item_bytes = 128, .rank = 1, .dim = {rows}, .stride = {256}};
    ssop_nest nest;
    ssop_nest_copy(&nest, &packed, &gaps, NULL);
    CHECK((nest.policy & SSOP_PREFETCH_L2) == 0, "nothing is prefetched");
}

/* Planes that are interleaved are read once, although the items of a row are in different lines. */
static void
test_planes(void)
{
    static _Alignas(64) char memory[64];
    const int64_t size = 100000, touched = 6 * size;
    const ssop_view dst = {.data = memory, .item_bytes = 1, .rank = 2, .dim = {size, 3}, .stride = {3, 1}};
    const ssop_view src = {.data = memory, .item_bytes = 1, .rank = 2, .dim = {size, 3}, .stride = {1, size}};
    for (int64_t less = 0; less < 2; less++) {
        ssop_policies policies;
        ssop_policies_of_machine(&policies, 0);
        policies.prefetch_bytes = touched + less;
        CHECK(ssop_policies_use(&policies), "policies");
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        bool right = ((nest.policy & SSOP_PREFETCH) != 0) == (less == 0);
        CHECK(right || nest.pattern != SSOP_PATTERN_INTERLEAVE, "%s: policy %u", ssop_cpu_target(), nest.policy);
    }
}

/* True if the CPU target has vectors that are shuffled, and stores with masks, so that no pattern is replaced. */
static bool
has_every_pattern(void)
{
    return strncmp(ssop_cpu_target(), "avx512", 6) == 0;
}

/* Lines are written by non-temporal stores or prefetched for writing, never both. Kernels that write no whole lines do
 * the latter. */
static void
test_lines(void)
{
    static _Alignas(64) char memory[64];
    const int64_t many = 1 << 16;
    const struct {
        int64_t rows, columns, item_bytes, dst_row, dst_column, src_row, src_column;
        int pattern;
        bool lines;
    } cases[] = {
        {many, 64, 1, 64, 1, 1, many, SSOP_PATTERN_TRANSPOSE, true},
        {many, 30, 4, 120, 4, 4, 4 * many, SSOP_PATTERN_TRANSPOSE, true},
        {many, 30, 4, 124, 4, 4, 4 * many, SSOP_PATTERN_TRANSPOSE, false},
        {many, 32, 4, 136, 4, 4, 4 * many, SSOP_PATTERN_TRANSPOSE, false},
        {many, 128, 4, 520, 4, 4, 4 * many, SSOP_PATTERN_TRANSPOSE, true},
        {1, many, 4, 4, 40, 4, 4, SSOP_PATTERN_STRIDED, false},
        {1, many, 2, 2, 4, 2, 2, SSOP_PATTERN_MASKED_STORE, false},
        {1, many, 4, 4, 4, 4, 8, SSOP_PATTERN_SHUFFLE, true},
        {1, many, 3, 3, 3, 3, 4, SSOP_PATTERN_SHUFFLE, false},
        {many, 100, 1, 100, 1, 300, 2, SSOP_PATTERN_SHUFFLE, false},
        {1, many, 4, 4, 4, 4, 400, SSOP_PATTERN_PACK, true},
        {many, 511, 1, 511, 1, 1, 0, SSOP_PATTERN_REPEAT, false},
        {many, 512, 1, 512, 1, 1, 0, SSOP_PATTERN_REPEAT, true},
        {many, 3, 1, 3, 1, 1, many, SSOP_PATTERN_INTERLEAVE, true},
        {1, many, 64, 64, 128, 64, 64, SSOP_PATTERN_ROWS, true},
        {1, many, 48, 48, 48, 48, 96, SSOP_PATTERN_ROWS, true},
        {1, many, 40, 40, 40, 40, 96, SSOP_PATTERN_ROWS, false},
        {1, many, 48, 48, 96, 48, 48, SSOP_PATTERN_ROWS, false},
        {1, many, 513, 513, 1026, 513, 513, SSOP_PATTERN_ROWS, true},
    };
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.prefetch_bytes = policies.prefetchw_bytes = policies.stream_bytes = 1;
    policies.rep_movsb_row_bytes = policies.far_row_bytes = 0;
    CHECK(ssop_policies_use(&policies), "policies");
    for (int i = 0; i < COUNT(cases); i++) {
        const int64_t rows = cases[i].rows, columns = cases[i].columns, item = cases[i].item_bytes;
        const ssop_view dst = {.data = memory,
                               .item_bytes = item,
                               .rank = 2,
                               .dim = {rows, columns},
                               .stride = {cases[i].dst_row, cases[i].dst_column}};
        const ssop_view src = {.data = memory,
                               .item_bytes = item,
                               .rank = 2,
                               .dim = {rows, columns},
                               .stride = {cases[i].src_row, cases[i].src_column}};
        const ssop_hints fresh = {.fresh_dst = true};
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        const unsigned stores = nest.policy & (SSOP_STREAM | SSOP_PREFETCH_WRITE);
        CHECK(stores == (cases[i].lines ? SSOP_STREAM : SSOP_PREFETCH_WRITE) || nest.pattern != cases[i].pattern,
              "%s, case %d: policy %u", ssop_cpu_target(), i, nest.policy);
        CHECK(nest.pattern == cases[i].pattern || !has_every_pattern(), "%s, case %d: pattern %d", ssop_cpu_target(), i,
              (int)nest.pattern);
        ssop_nest_rebase(&nest, memory, memory, &fresh);
        CHECK((nest.policy & (SSOP_STREAM | SSOP_PREFETCH_WRITE)) == SSOP_PREFETCH_WRITE, "%s, case %d: new memory",
              ssop_cpu_target(), i);
    }
    const ssop_view wide = {.data = memory, .item_bytes = 4, .rank = 1, .dim = {2 * many}, .stride = {4}};
    const ssop_view narrow = {.data = memory, .item_bytes = 4, .rank = 1, .dim = {many}, .stride = {4}};
    const ssop_region place = {.in_rank = 1, .out_rank = 1, .range = {{0, many, 2}}, .out_axis = {0}};
    ssop_nest nest;
    ssop_nest_dilate(&nest, &wide, &place, &narrow, NULL, NULL);
    CHECK((~nest.policy & (SSOP_STREAM | SSOP_PREFETCH_WRITE)) == 0, "items and zeros of a dilation: %u", nest.policy);
}

/* Planes that packed rows become get non-temporal stores where all of them begin at the same place of a line. Where
 * lines are shuffled, others in memory are made one by one. */
static void
test_deinterleaved_planes(void)
{
    static _Alignas(64) char memory[64];
    const int64_t size = 64 * 1500;
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.stream_bytes = 1;
    CHECK(ssop_policies_use(&policies), "policies");
    for (int64_t more = 0; more < 64; more += 16) {
        const int64_t pitch = size + more;
        const ssop_view dst = {.data = memory, .item_bytes = 1, .rank = 2, .dim = {3, size}, .stride = {pitch, 1}};
        const ssop_view src = {.data = memory, .item_bytes = 1, .rank = 2, .dim = {3, size}, .stride = {1, 3}};
        ssop_nest nest;
        ssop_nest_copy(&nest, &dst, &src, NULL);
        const bool streams = (nest.policy & SSOP_STREAM) != 0;
        CHECK(nest.pattern != SSOP_PATTERN_DEINTERLEAVE || streams == (more == 0), "%s: policy %u, pitch %lld",
              ssop_cpu_target(), nest.policy, LL(pitch));
        const int64_t large = policies.last_cache_bytes / 6 / 64 * 64 + 64; /* three are more than half of the cache */
        const ssop_view many = {
            .data = memory, .item_bytes = 1, .rank = 2, .dim = {3, large}, .stride = {large + more, 1}};
        const ssop_view rows = {.data = memory, .item_bytes = 1, .rank = 2, .dim = {3, large}, .stride = {1, 3}};
        const bool together = nest.pattern == SSOP_PATTERN_DEINTERLEAVE, lines = nest.used->shuffles_lines;
        ssop_nest_copy(&nest, &many, &rows, NULL);
        CHECK((nest.pattern == SSOP_PATTERN_DEINTERLEAVE) == (together && (more == 0 || !lines)),
              "%s: pattern %d, pitch %lld", ssop_cpu_target(), (int)nest.pattern, LL(pitch));
    }
}

/* The loops of two rows whose items lie near each other are chosen by the same sizes as stores and prefetches, and by
 * the bytes of the whole call. */
static void
test_memory(void)
{
    static char memory;
    enum { ITEM = 8, COLUMNS = 5000, BYTES = 2 * ITEM * COLUMNS };
    static const struct {
        int64_t stream, prefetch, whole;
        bool from_memory;
    } cases[] = {{0, 0, 0, false},        {2 * BYTES, 0, 0, true},      {2 * BYTES + 1, 0, 0, false},
                 {0, 2 * BYTES, 0, true}, {0, 2 * BYTES + 1, 0, false}, {2 * BYTES + 1, 0, BYTES + 1, true}};
    const ssop_view dst = {
        .data = &memory, .item_bytes = ITEM, .rank = 2, .dim = {2, COLUMNS}, .stride = {ITEM * COLUMNS, ITEM}};
    const ssop_view src = {.data = &memory, .item_bytes = ITEM, .rank = 2, .dim = {2, COLUMNS}, .stride = {16, 64}};
    for (int i = 0; i < COUNT(cases); i++) {
        ssop_policies policies;
        ssop_nest nest;
        const ssop_hints hints = {.whole_bytes = cases[i].whole};
        ssop_policies_of_machine(&policies, 0);
        policies.stream_bytes = cases[i].stream;
        policies.prefetch_bytes = cases[i].prefetch;
        CHECK(ssop_policies_use(&policies), "policies");
        ssop_nest_copy(&nest, &dst, &src, &hints);
        CHECK((nest.pattern == SSOP_PATTERN_STRIDED) == cases[i].from_memory, "%s, case %d: pattern %d",
              ssop_cpu_target(), i, (int)nest.pattern);
    }
}

static bool
is_shared(int64_t rows, int64_t columns, int64_t dst_step, int64_t src_step, bool awake)
{
    static char item; /* only distances are read */
    ssop_nest nest;
    ssop_view dst = {.data = &item,
                     .item_bytes = 1,
                     .rank = 2,
                     .dim = {rows, columns},
                     .stride = {columns * dst_step + 1, dst_step}};
    ssop_view src = dst;
    src.stride[0] = columns * src_step + 2;
    src.stride[1] = src_step;
    ssop_nest_copy(&nest, &dst, &src, NULL);
    return ssop_nest_is_shared(&nest, ssop_nest_bytes(&nest), awake);
}

/* Copies of long rows are shared from more bytes on, but not if a thread is awake. */
static void
test_sharing(void)
{
    ssop_policies policies;
    ssop_policies_of_machine(&policies, 0);
    policies.share_bytes = 1 << 19;
    policies.share_rows_bytes = 1 << 20;
    CHECK(ssop_policies_use(&policies), "policies");
    CHECK(ssop_bytes_are_shared(1 << 19) && !ssop_bytes_are_shared((1 << 19) - 1), "half a MiB");
    for (int awake = 0; awake < 2; awake++) {
        CHECK(is_shared(1 << 8, 1 << 12, 1, 1, awake == 1), "a MiB");
        CHECK(is_shared(1 << 7, 1 << 12, 1, 1, awake == 1) == (awake == 1), "long rows, awake %d", awake);
        CHECK(!is_shared(127, 1 << 12, 1, 1, awake == 1), "less than half a MiB, awake %d", awake);
        CHECK(is_shared(1 << 8, 1 << 11, 1, 1, awake == 1), "short rows, awake %d", awake);
        CHECK(is_shared(1 << 7, 1 << 12, 2, 1, awake == 1), "scattered, awake %d", awake);
        CHECK(is_shared(1 << 7, 1 << 12, 1, 2, awake == 1), "gathered, awake %d", awake);
    }
}

int
main(void)
{
    test_last_cache();
    test_processors();
    test_model();
    test_bounds();
    test_thresholds();
    test_rebase();
    test_sharing();
    for_every_target(test_source_order);
    for_every_target(test_strips);
    for_every_target(test_order_of_rows);
    for_every_target(test_l2_prefetch);
    for_every_target(test_planes);
    for_every_target(test_lines);
    for_every_target(test_deinterleaved_planes);
    for_every_target(test_memory);
    return check_report("test_policies");
}
