/* What could go wrong: kernels are chosen that this machine cannot run. */
#include "targets.h"

/* The names of the CPU targets; only a target that this machine can run can be chosen. */
static void
test_choice(void)
{
    static const unsigned bit[] = {0, SSOP_CPU_SSSE3, SSOP_CPU_AVX2, SSOP_CPU_AVX512BW, SSOP_CPU_AVX512, SSOP_CPU_NEON};
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

int
main(void)
{
    test_choice();
    test_list();
    return check_report("test_cpu");
}
