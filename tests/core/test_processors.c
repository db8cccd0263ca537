/* What could go wrong: the CPU quota of a container is not found, or is read as another number of processors. */
#include "runtime/platform.h"

#include "check.h"

#include "runtime/processors.h"

#if SSOP_HAS_PROC

#include "fake_root.h"

static void
expect(int processors, const char *what)
{
    int found = ssop_processors_quota(root);
    CHECK(found == processors, "%s: %d processors instead of %d", what, found, processors);
}

static void
test_second_version(void)
{
    static const struct {
        const char *text;
        int processors;
    } rows[] = {
        {"max 100000\n", 0},
        {"200000 100000\n", 2},
        {"150000 100000\n", 2},
        {"1 100000\n", 1},
        {"100000 100000\n", 1},
        {"100001 100000\n", 2},
        {"0 100000\n", 0},
        {"-1 100000\n", 0},
        {"100000 0\n", 0},
        {"100000\n", 0},
        {"", 0},
        {"many\n", 0},
        {"6400000 100000", 64},
        {"9223372036854775807 1\n", 1 << 20},
    };
    clear();
    expect(0, "no list of groups");
    put("/proc/self/cgroup", "0::/a/b\n");
    expect(0, "no groups");
    for (int i = 0; i < COUNT(rows); i++) {
        put("/sys/fs/cgroup/a/b/cpu.max", rows[i].text);
        expect(rows[i].processors, rows[i].text);
    }
    put("/sys/fs/cgroup/a/b/cpu.max", "400000 100000\n");
    put("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
    expect(3, "the group around it has less");
    put("/sys/fs/cgroup/cpu.max", "max 100000\n");
    expect(3, "the top has no limit");
    put("/proc/self/cgroup", "0::/elsewhere/unseen\n");
    put("/sys/fs/cgroup/cpu.max", "500000 100000\n");
    expect(5, "a group that cannot be seen from inside");
    put("/proc/self/cgroup", "0::/\n");
    expect(5, "the top itself");
}

static void
test_first_version(void)
{
    clear();
    put("/proc/self/cgroup", "3:cpuset:/\n2:cpuacct,cpu:/job\n1:name=systemd:/x\n");
    expect(0, "no quota");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "250000\n");
    expect(0, "no period");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
    expect(3, "two and a half");
    put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "-1\n");
    expect(0, "without a limit");
    put("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "100000\n");
    put("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "50000\n");
    expect(2, "the top");
    put("/proc/self/cgroup", "2:cpuacct:/job\n4:cpuset:/job\n");
    expect(0, "other controllers");
    put("/sys/fs/cgroup/job/cpu.max", "700000 100000\n");
    put("/proc/self/cgroup", "2:cpu:/job\n0::/job\n");
    expect(2, "both versions: the least");
    put("/proc/self/cgroup", "nonsense\n\n::\n2:cpu\n");
    expect(0, "no such lines");
}

int
main(void)
{
    make_root();
    test_second_version();
    test_first_version();
    remove_root();
    CHECK(ssop_processors() >= 1, "%d processors", ssop_processors());
    return check_report("test_processors");
}

#else

int
main(void)
{
    const int processors = ssop_processors();
    CHECK(SSOP_HAS_SYSTEM ? processors >= 1 : processors == 1, "%d processors", processors);
    CHECK(ssop_processors_quota("") == 0, "a quota");
    return check_report("test_processors");
}

#endif /* SSOP_HAS_PROC */
