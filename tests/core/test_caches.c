/* What could go wrong: the size of a cache is read wrongly, or another cache is taken for the last-level one. */
#include "runtime/platform.h"

#include "check.h"

#include "runtime/caches.h"

#if SSOP_HAS_PROC

#include "fake_root.h"

static void
put_cache(int cache, const char *level, const char *type, const char *size)
{
    const struct {
        const char *file, *text;
    } rows[] = {{"level", level}, {"type", type}, {"size", size}};
    for (int i = 0; i < COUNT(rows); i++) {
        char path[PATH_BYTES / 2];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", cache, rows[i].file);
        put(path, rows[i].text);
    }
}

static void
expect(int64_t kibibytes, const char *what)
{
    int64_t bytes = ssop_caches_listed_bytes(root);
    CHECK(bytes == kibibytes * 1024, "%s: %lld bytes instead of %lld KiB", what, LL(bytes), LL(kibibytes));
}

static void
test_which_cache(void)
{
    clear();
    expect(0, "no list");
    put_cache(0, "1\n", "Data\n", "48K\n");
    expect(48, "the only one");
    put_cache(1, "1\n", "Instruction\n", "64K\n");
    expect(48, "instructions");
    put_cache(2, "3\n", "Unified\n", "32768K\n");
    put_cache(3, "2\n", "Unified\n", "65536K\n");
    expect(32768, "a smaller one of a higher level");
    put_cache(4, "3\n", "Unified\n", "16384K\n");
    expect(32768, "two of a level, the smaller one second");
    put_cache(5, "3\n", "Unified\n", "49152K\n");
    expect(49152, "two of a level, the larger one second");
    put_cache(6, "4\n", "Unified\n", "131072K\n");
    expect(131072, "a fourth level");
    put_cache(6, "4\n", "Instruction\n", "131072K\n");
    expect(49152, "instructions in the last level");
    put_cache(2, "3\n", "Unified\n", "0K\n");
    expect(49152, "a cache of no size is no end of the list");
}

static void
test_sizes(void)
{
    static const struct {
        const char *level, *size;
        int64_t kibibytes;
    } rows[] = {
        {"3\n", "32768K\n", 32768},
        {"3", "1K", 1},
        {"3\n", "1073741824K\n", 1 << 30},
        {"3\n", "1073741825K\n", 0},
        {"3\n", "99999999999999999999999999K\n", 0},
        {"3\n", "0K\n", 0},
        {"3\n", "32M\n", 0},
        {"3\n", "32768\n", 0},
        {"3\n", "K\n", 0},
        {"3\n", "-1K\n", 0},
        {"3\n", "32768KB\n", 0},
        {"3\n", "\n", 0},
        {"3\n", "", 0},
        {"", "32768K\n", 0},
        {"0\n", "32768K\n", 0},
        {"L3\n", "32768K\n", 0},
        {"3rd\n", "32768K\n", 0},
    };
    clear();
    for (int i = 0; i < COUNT(rows); i++) {
        put_cache(0, rows[i].level, "Unified\n", rows[i].size);
        expect(rows[i].kibibytes, rows[i].size);
    }
}

int
main(void)
{
    make_root();
    test_which_cache();
    test_sizes();
    remove_root();
    int64_t listed = ssop_caches_listed_bytes(""), last = ssop_caches_last_bytes();
    CHECK(listed > 0 ? last == listed : last >= 0, "%lld bytes, %lld in the list", LL(last), LL(listed));
    return check_report("test_caches");
}

#else

int
main(void)
{
    const int64_t last = ssop_caches_last_bytes();
    CHECK(SSOP_HAS_SYSTEM ? last >= 0 : last == 0, "%lld bytes", LL(last));
    CHECK(ssop_caches_listed_bytes("") == 0, "a list");
    return check_report("test_caches");
}

#endif /* SSOP_HAS_PROC */
