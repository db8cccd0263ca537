/* What could go wrong: kernels are chosen that this machine cannot run, or a nest is built for another CPU target or
 * cache size than the chosen ones. */
#include "targets.h"

/* The names of the CPU targets; only a target that this machine can run can be chosen. */
static void
test_choice(void)
{
    static const unsigned bit[] = {0, SSOP_CPU_SSSE3, SSOP_CPU_AVX2, SSOP_CPU_AVX512, SSOP_CPU_NEON};
    unsigned features = ssop_cpu_features();
    for (int i = 0; i < COUNT(all_targets); i++) {
        bool here = (features & bit[i]) == bit[i];
        CHECK(ssop_cpu_choose(all_targets[i]) == here, "%s", all_targets[i]);
        CHECK((strcmp(ssop_cpu_target(), all_targets[i]) == 0) == here, "%s is chosen", ssop_cpu_target());
    }
    const char *before = ssop_cpu_target();
    CHECK(!ssop_cpu_choose("") && !ssop_cpu_choose("avx") && !ssop_cpu_choose("avx22"), "an unknown name was accepted");
    CHECK(ssop_cpu_target() == before, "a rejected choice changed something");
    CHECK(ssop_cpu_choose(NULL), "there is always a best target");
    bool best = strcmp(ssop_cpu_target(), "portable") != 0;
    CHECK(best == (features != 0), "%s is not the best", ssop_cpu_target());
}

/* The list has known names, each once, the best one first and portable C last. */
static void
test_list(void)
{
    const char *best = NULL, *last = NULL, *name;
    bool runs = false;
    int times[COUNT(all_targets)] = {0}, listed = 0, known = 0;
    ssop_cpu_choose(NULL);
    for (; (name = ssop_cpu_target_at(listed, &runs)) != NULL; listed++) {
        best = best == NULL && runs ? name : best;
        last = name;
        for (int i = 0; i < COUNT(all_targets); i++) {
            times[i] += strcmp(name, all_targets[i]) == 0;
        }
    }
    for (int i = 0; i < COUNT(all_targets); i++) {
        CHECK(times[i] <= 1, "%s stands there %d times", all_targets[i], times[i]);
        known += times[i];
    }
    CHECK(listed >= 1 && known == listed, "%d of %d names are known", known, listed);
    CHECK(last != NULL && strcmp(last, "portable") == 0 && runs, "%s is the last", last);
    CHECK(best != NULL && strcmp(best, ssop_cpu_target()) == 0, "%s is chosen", ssop_cpu_target());
    for (int at = 0; at < listed; at++) {
        name = ssop_cpu_target_at(at, &runs);
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
    CHECK(ssop_cpu_last_cache_bytes() == 32 << 20, "%lld before any choice", LL(ssop_cpu_last_cache_bytes()));
    for (int i = 0; i < COUNT(rows); i++) {
        ssop_cpu_set_last_cache(rows[i].told);
        CHECK(ssop_cpu_last_cache_bytes() == rows[i].taken, "%lld bytes: %lld", LL(rows[i].told),
              LL(ssop_cpu_last_cache_bytes()));
    }
}

static ssop_view
bytes_at(char *data, int64_t count)
{
    return (ssop_view){.data = data, .item_bytes = 1, .rank = 1, .dim = {count}, .stride = {1}};
}

static unsigned
copy_policy(int64_t count, const ssop_hints *hints)
{
    static char memory[4];
    const ssop_view view = bytes_at(memory, count);
    ssop_nest nest;
    ssop_nest_copy(&nest, &view, &view, hints);
    return nest.policy;
}

/* Large for the caches is what touches more than half of the last one, by default the machine's, else the caller's. */
static void
test_policy(void)
{
    static char memory[4];
    const int64_t half = 4 << 20;
    const ssop_hints larger = {.cache_bytes = 4 * half}, smaller = {.cache_bytes = 1};
    const ssop_hints fresh = {.fresh_dst = true, .cache_bytes = 1};
    ssop_cpu_choose("portable");
    ssop_cpu_set_prefetchw(0);
    ssop_cpu_set_last_cache(2 * half);
    unsigned near = copy_policy(half / 2 - 1, NULL), far = copy_policy(half / 2, NULL);
    CHECK(near == 0 && far != 0, "policies %u and %u", near, far);
    CHECK(copy_policy(half / 2, &larger) == near, "a larger cache");
    CHECK(copy_policy(half / 2 - 1, &smaller) == far, "a smaller cache");
    CHECK(copy_policy(half, &fresh) != far && copy_policy(half, &fresh) != near, "fresh pages");

    const ssop_view view = bytes_at(memory, half);
    ssop_nest nest;
    ssop_nest_copy(&nest, &view, &view, &smaller);
    ssop_nest_rebase(&nest, memory + 1, memory + 2, &fresh);
    CHECK(nest.policy == copy_policy(half, &fresh) && nest.dst == memory + 1 && nest.src == memory + 2, "rebased");
    ssop_nest_zero(&nest, &view, &smaller);
    CHECK(nest.policy == 0, "policy %u of zeros", nest.policy);
    ssop_nest_rebase(&nest, memory + 1, NULL, NULL);
    CHECK(nest.dst == memory + 1 && nest.src == NULL, "rebased zeros");
    ssop_cpu_set_last_cache(0);
}

/* With prefetchw there are three sizes, and no other treatment of fresh pages. */
static void
test_prefetchw(void)
{
    const int64_t half = 4 << 20;
    const ssop_hints fresh = {.fresh_dst = true};
    ssop_cpu_choose("portable");
    ssop_cpu_set_last_cache(2 * half);
    ssop_cpu_set_prefetchw(0);
    unsigned streams = copy_policy(half, NULL);
    ssop_cpu_set_prefetchw(half / 8);
    CHECK(ssop_cpu_prefetchw_bytes() == half / 8, "%lld", LL(ssop_cpu_prefetchw_bytes()));
    unsigned near = copy_policy(half / 16 - 1, NULL), middle = copy_policy(half / 16, NULL);
    unsigned far = copy_policy(half / 2, NULL);
    CHECK(near == 0 && middle != 0 && far != middle && far != streams, "policies %u, %u, %u", near, middle, far);
    CHECK(copy_policy(half / 2 - 1, NULL) == middle && copy_policy(half / 2, &fresh) == far, "bounds");
    ssop_cpu_set_prefetchw(4 * half);
    CHECK(copy_policy(half / 2 - 1, NULL) == near, "a second cache larger than the last one");
    ssop_cpu_set_last_cache(0);
    ssop_cpu_choose(NULL);
    CHECK(ssop_cpu_prefetchw_bytes() >= 0 && ssop_cpu_prefetchw_bytes() < INT32_MAX, "%lld bytes here",
          LL(ssop_cpu_prefetchw_bytes()));
}

int
main(void)
{
    test_choice();
    test_list();
    test_cache_size();
    test_policy();
    test_prefetchw();
    return check_report("test_cpu");
}
