/* Fear: kernels are chosen that are not there, or a nest believes in another machine than the one that was chosen. */
#include "tiers.h"

/* Names, and that nothing but a tier that is there can be chosen. */
static void
test_choice(void)
{
    static const unsigned bit[] = {0, SSOP_CPU_SSSE3, SSOP_CPU_AVX2, SSOP_CPU_AVX512, SSOP_CPU_NEON};
    unsigned features = ssop_cpu_features();
    for (int i = 0; i < COUNT(all_tiers); i++) {
        bool here = (features & bit[i]) == bit[i];
        CHECK(ssop_cpu_choose(all_tiers[i]) == here, "%s", all_tiers[i]);
        CHECK((strcmp(ssop_cpu_tier(), all_tiers[i]) == 0) == here, "%s is chosen", ssop_cpu_tier());
    }
    const char *before = ssop_cpu_tier();
    CHECK(!ssop_cpu_choose("") && !ssop_cpu_choose("avx") && !ssop_cpu_choose("avx22"), "a tier that is none");
    CHECK(ssop_cpu_tier() == before, "a refused choice changed something");
    CHECK(ssop_cpu_choose(NULL), "there is always a best tier");
    bool best = strcmp(ssop_cpu_tier(), "portable") != 0;
    CHECK(best == (features != 0), "%s is not the best", ssop_cpu_tier());
}

/* The list has known names, each once, the best one first and portable C last. */
static void
test_list(void)
{
    const char *best = NULL, *last = NULL, *name;
    bool runs = false;
    int times[COUNT(all_tiers)] = {0}, listed = 0, known = 0;
    ssop_cpu_choose(NULL);
    for (; (name = ssop_cpu_tier_at(listed, &runs)) != NULL; listed++) {
        best = best == NULL && runs ? name : best;
        last = name;
        for (int i = 0; i < COUNT(all_tiers); i++) {
            times[i] += strcmp(name, all_tiers[i]) == 0;
        }
    }
    for (int i = 0; i < COUNT(all_tiers); i++) {
        CHECK(times[i] <= 1, "%s stands there %d times", all_tiers[i], times[i]);
        known += times[i];
    }
    CHECK(listed >= 1 && known == listed, "%d of %d names are known", known, listed);
    CHECK(last != NULL && strcmp(last, "portable") == 0 && runs, "%s is the last", last);
    CHECK(best != NULL && strcmp(best, ssop_cpu_tier()) == 0, "%s is chosen", ssop_cpu_tier());
    for (int at = 0; at < listed; at++) {
        name = ssop_cpu_tier_at(at, &runs);
        CHECK(ssop_cpu_choose(name) == runs, "%s", name);
    }
}

static void
test_cache_size(void)
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
        {0, 32 << 20},
    };
    char dst[4], src[4];
    const ssop_view to = {.data = dst, .item_bytes = 1, .rank = 1, .dim = {4}, .stride = {1}};
    const ssop_view from = {.data = src, .item_bytes = 1, .rank = 1, .dim = {4}, .stride = {1}};
    CHECK(ssop_cpu_last_cache_bytes() == 32 << 20, "%lld before any choice", LL(ssop_cpu_last_cache_bytes()));
    for (int i = 0; i < COUNT(rows); i++) {
        ssop_nest copy, zero;
        ssop_cpu_set_last_cache(rows[i].told);
        ssop_nest_copy(&copy, &to, &from);
        ssop_nest_zero(&zero, &to);
        CHECK(ssop_cpu_last_cache_bytes() == rows[i].taken && copy.cache_bytes == rows[i].taken &&
                  zero.cache_bytes == rows[i].taken,
              "%lld bytes: a nest has %lld", LL(rows[i].told), LL(copy.cache_bytes));
    }
}

int
main(void)
{
    test_choice();
    test_list();
    test_cache_size();
    return check_report("test_cpu");
}
