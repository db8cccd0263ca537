/* What could go wrong: a block is given out twice, is too small, loses bytes, or is cached beyond the cap. */
#include "runtime/platform.h"

#include "check.h"

#include "runtime/blocks.h"
#include "runtime/poison.h"

#define KIB ((size_t)1024)
#define MIB (1024 * KIB)

static void
fill(char *block, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i += 509) {
        block[i] = (char)(i * 31 + seed);
    }
    block[bytes - 1] = (char)seed;
}

/* The first bytes of what was filled, but its last one. */
static bool
begins(const char *block, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i += 509) {
        if (block[i] != (char)(i * 31 + seed)) {
            return false;
        }
    }
    return true;
}

static bool
holds(const char *block, size_t bytes, unsigned seed)
{
    return begins(block, bytes - 1, seed) && block[bytes - 1] == (char)seed;
}

static bool
is_zero(const char *block, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        if (block[i] != 0) {
            return false;
        }
    }
    return true;
}

static void
test_sizes(void)
{
    static const size_t sizes[] = {0,
                                   1,
                                   1000,
                                   SSOP_CACHED_MIN_BYTES - 1,
                                   SSOP_CACHED_MIN_BYTES,
                                   SSOP_CACHED_MIN_BYTES + 1,
                                   MIB - 1,
                                   3 * MIB + 12345,
                                   SSOP_BLOCK_MIN_BYTES - 1,
                                   SSOP_BLOCK_MIN_BYTES,
                                   SSOP_BLOCK_MIN_BYTES + 1,
                                   6 * MIB,
                                   7 * MIB + 12345,
                                   16 * MIB - 1,
                                   33 * MIB + 1};
    for (int round = 0; round < 3; round++) { /* the later ones out of what the earlier ones left */
        for (int i = 0; i < COUNT(sizes); i++) {
            for (int zeroed = 0; zeroed < 2; zeroed++) {
                char *block = ssop_block_new(sizes[i], zeroed != 0);
                CHECK(block != NULL && (uintptr_t)block % 16 == 0, "%zu bytes", sizes[i]);
                CHECK(zeroed == 0 || is_zero(block, sizes[i]), "%zu bytes: not zero", sizes[i]);
                if (sizes[i] > 0) {
                    fill(block, sizes[i], 7);
                    CHECK(holds(block, sizes[i], 7), "%zu bytes: lost", sizes[i]);
                }
                ssop_block_free(block);
            }
        }
    }
    ssop_block_free(NULL);
    CHECK(ssop_block_new(SIZE_MAX, false) == NULL && ssop_block_new(SIZE_MAX / 2 + 1, false) == NULL &&
              ssop_block_new(SIZE_MAX - 100, true) == NULL,
          "more than there is");
}

static void
test_resize(void)
{
    static const size_t sizes[] = {1,        100,       70 * KIB, 65 * KIB, 40 * KIB, 3 * MIB,
                                   2 * MIB,  300 * KIB, 3 * MIB,  4 * MIB,  5 * MIB,  40 * MIB,
                                   39 * MIB, 4 * MIB,   64 * KIB, 1000,     1};
    char *block = ssop_block_resize(NULL, 1);
    CHECK(block != NULL, "from nothing");
    fill(block, 1, 1);
    for (int i = 1; i < COUNT(sizes); i++) {
        size_t both = sizes[i] < sizes[i - 1] ? sizes[i] : sizes[i - 1];
        char last = block[both - 1] = 99;
        char *moved = ssop_block_resize(block, sizes[i]);
        CHECK(moved != NULL && moved[both - 1] == last, "%zu to %zu bytes", sizes[i - 1], sizes[i]);
        block = moved;
        CHECK(begins(block, both - 1, (unsigned)i), "%zu to %zu bytes: lost", sizes[i - 1], sizes[i]);
        fill(block, sizes[i], (unsigned)i + 1);
    }
    CHECK(ssop_block_resize(block, SIZE_MAX - MIB) == NULL && block[0] == (char)COUNT(sizes),
          "one that cannot grow stays");
    ssop_block_free(block);
}

#if SSOP_HAS_SYSTEM

#include "system.h"

static void
test_kept_large(void)
{
    ssop_blocks_set_cap(64 * MIB);
    ssop_blocks_trim();
    char *first = ssop_block_new(8 * MIB, false);
    CHECK((uintptr_t)first % (2 * MIB) == 0, "not at a huge page");
    CHECK(!ssop_block_is_warm(first), "warm at once");
    void *written = ssop_block_new(SSOP_BLOCK_MIN_BYTES, false);
    ssop_block_set_warm(written);
    CHECK(ssop_block_is_warm(written), "not warm when written");
    ssop_block_free(written);
    fill(first, 8 * MIB, 1);
    ssop_block_free(first);
    char *again = ssop_block_new(8 * MIB - 100, false);
    CHECK(again == first && ssop_block_is_warm(again), "not the same block");
    char *other = ssop_block_new(8 * MIB, false);
    CHECK(other != again && !ssop_block_is_warm(other), "the same block twice");
    ssop_block_free(again);
    ssop_block_free(other);
    CHECK(ssop_block_new(8 * MIB, false) == (void *)other, "not the one freed last");
    char *small = ssop_block_new(4 * MIB, false);
    CHECK(small != again, "half of a block wasted");
    ssop_block_free(small);
    ssop_block_free(other);
    CHECK(ssop_blocks_trim() == 20 * MIB && ssop_blocks_trim() == 0, "trim");
    char *fresh = ssop_block_new(8 * MIB, false);
    CHECK(!ssop_block_is_warm(fresh), "warm after trim");
    ssop_block_free(fresh);
    ssop_blocks_trim();
}

/* Frees `count` blocks that live at the same time. */
static void
free_together(int count, size_t bytes)
{
    void *block[80];
    for (int i = 0; i < count; i++) {
        block[i] = ssop_block_new(bytes, false);
    }
    for (int i = 0; i < count; i++) {
        ssop_block_free(block[i]);
    }
}

static void
test_kept_medium(void)
{
    ssop_blocks_set_cap(64 * MIB);
    ssop_blocks_trim();
    for (size_t bytes = SSOP_CACHED_MIN_BYTES; bytes < SSOP_BLOCK_MIN_BYTES; bytes += 331 * KIB) {
        char *first = ssop_block_new(bytes, false);
        CHECK((uintptr_t)first % 64 == 0 && !ssop_block_is_warm(first), "%zu bytes: not at a cache line, or warm",
              bytes);
        fill(first, bytes, 3);
        ssop_block_free(first);
        char *again = ssop_block_new(bytes, true);
        CHECK(again == first && ssop_block_is_warm(again), "%zu bytes: not the same block", bytes);
        CHECK(is_zero(again, bytes), "%zu bytes: not zero", bytes);
        char *other = ssop_block_new(bytes, false);
        CHECK(other != again && !ssop_block_is_warm(other), "%zu bytes: the same block twice", bytes);
        ssop_block_free(again);
        ssop_block_free(other);
        CHECK(ssop_block_new(bytes, false) == (void *)other, "%zu bytes: not the one freed last", bytes);
        size_t kept = ssop_blocks_trim();
        CHECK(bytes <= kept && kept <= bytes + bytes / 8 && ssop_blocks_trim() == 0, "%zu bytes: %zu kept", bytes,
              kept);
        ssop_block_free(other);
        ssop_blocks_trim();
    }
    ssop_block_free(ssop_block_new(SSOP_CACHED_MIN_BYTES - 1, false));
    CHECK(ssop_blocks_trim() == 0, "a small block was kept");
}

/* Medium blocks take an eighth of the cap, and share the cap with large ones. */
static void
test_cap_of_medium(void)
{
    ssop_blocks_set_cap(64 * MIB);
    free_together(12, MIB);
    CHECK(ssop_blocks_trim() == 8 * MIB, "an eighth of the cap");
    free_together(4, MIB);
    free_together(8, 512 * KIB);
    void *used = ssop_block_new(MIB, false);
    ssop_block_free(used);
    free_together(2, 256 * KIB); /* one of 512 KiB goes, because their class was used longest ago */
    CHECK(ssop_block_new(MIB, false) == used, "the block of a class that was used last");
    ssop_block_free(used);
    CHECK(ssop_blocks_trim() == 8 * MIB, "up to the cap again");

    free_together(8, MIB);
    ssop_blocks_set_cap(16 * MIB);
    CHECK(ssop_blocks_trim() == 2 * MIB, "a lower cap holds at once");
    ssop_blocks_set_cap(8 * MIB - 1);
    free_together(2, MIB);
    CHECK(ssop_blocks_trim() == 0, "a block larger than an eighth of the cap");
    ssop_blocks_set_cap(0);
    free_together(2, MIB);
    CHECK(ssop_blocks_trim() == 0, "off");

    ssop_blocks_set_cap(64 * MIB);
    ssop_block_free(ssop_block_new(60 * MIB, false));
    free_together(6, MIB);
    CHECK(ssop_blocks_trim() == 64 * MIB, "medium blocks evicted the only large one");
    free_together(8, MIB);
    ssop_block_free(ssop_block_new(60 * MIB, false));
    CHECK(ssop_blocks_trim() == 64 * MIB, "a large block evicts medium ones");
    void *older = ssop_block_new(30 * MIB, false), *newer = ssop_block_new(32 * MIB, false);
    ssop_block_free(older);
    ssop_block_free(newer);
    free_together(8, MIB);
    CHECK(ssop_blocks_trim() == 40 * MIB, "medium blocks evict an older large one");
}

#if SSOP_HAS_POISON

int __asan_address_is_poisoned(const volatile void *address);

/* The sanitizer knows what may be used: nothing of a cached block, and of others what was asked for. */
static void
test_poison(void)
{
    static const size_t sizes[] = {65 * KIB, MIB - 8, 3 * MIB + 8, 5 * MIB + 8};
    ssop_blocks_set_cap(64 * MIB);
    for (int i = 0; i < COUNT(sizes); i++) {
        for (int round = 0; round < 2; round++) {
            char *block = ssop_block_new(sizes[i], false);
            CHECK(!__asan_address_is_poisoned(block) && !__asan_address_is_poisoned(block + sizes[i] - 1) &&
                      __asan_address_is_poisoned(block + sizes[i]),
                  "%zu bytes", sizes[i]);
            CHECK(ssop_block_resize(block, sizes[i] - 64) == (void *)block &&
                      !__asan_address_is_poisoned(block + sizes[i] - 65) &&
                      __asan_address_is_poisoned(block + sizes[i] - 64),
                  "%zu bytes, smaller", sizes[i]);
            ssop_block_free(block);
            CHECK(__asan_address_is_poisoned(block) && __asan_address_is_poisoned(block + sizes[i] - 65),
                  "%zu bytes, cached", sizes[i]);
        }
    }
    ssop_blocks_trim();
}

#endif

static void
test_cap(void)
{
    char *block[20];
    ssop_blocks_set_cap(21 * MIB);
    for (int i = 0; i < COUNT(block); i++) {
        block[i] = ssop_block_new(4 * MIB, false);
    }
    for (int i = 0; i < COUNT(block); i++) {
        ssop_block_free(block[i]);
    }
    for (int i = 0; i < 5; i++) {
        CHECK(ssop_block_new(4 * MIB, false) == (void *)block[COUNT(block) - 1 - i], "the newest %d", i);
    }
    CHECK(ssop_blocks_trim() == 0, "five were kept");
    for (int i = 0; i < 5; i++) {
        ssop_block_free(block[COUNT(block) - 1 - i]);
    }
    ssop_block_free(ssop_block_new(22 * MIB, false)); /* more than all that may be kept */
    CHECK(ssop_blocks_cap() == 21 * MIB, "the cap");
    ssop_blocks_set_cap(10 * MIB);
    CHECK(ssop_blocks_trim() == 8 * MIB, "a lower cap holds at once");
    ssop_blocks_set_cap(0);
    ssop_block_free(ssop_block_new(4 * MIB, false));
    CHECK(ssop_blocks_trim() == 0, "off");
    ssop_blocks_set_cap(1000 * MIB);
    char *many[40];
    for (int i = 0; i < COUNT(many); i++) {
        many[i] = ssop_block_new(4 * MIB, false);
    }
    for (int i = 0; i < COUNT(many); i++) {
        ssop_block_free(many[i]);
    }
    CHECK(ssop_blocks_trim() == 32 * 4 * MIB, "at most 32 blocks");
    size_t usual = ssop_blocks_default_cap();
    CHECK(usual > 0 && usual <= 512 * MIB, "%zu bytes by default", usual);
}

enum { THREADS = 4, ROUNDS = 200 };

static void *
use_blocks(void *argument)
{
    unsigned seed = (unsigned)(uintptr_t)argument;
    uintptr_t wrong = 0;
    for (unsigned i = 0; i < ROUNDS; i++) {
        size_t bytes = i % 2 == 0 ? (4 + i % 3) * MIB : (1 + i % 5) * 200 * KIB;
        char *block = ssop_block_new(bytes, false);
        for (size_t at = 0; at < bytes; at += 64 * KIB) {
            block[at] = (char)(seed + i);
        }
        for (size_t at = 0; at < bytes; at += 64 * KIB) {
            wrong += block[at] == (char)(seed + i) ? 0 : 1;
        }
        ssop_block_free(block);
    }
    return (void *)wrong;
}

static void
test_threads(void)
{
    test_thread thread[THREADS];
    ssop_blocks_set_cap(16 * MIB);
    for (uintptr_t i = 0; i < THREADS; i++) {
        start_thread(&thread[i], use_blocks, (void *)(i * 50));
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK(join_thread(&thread[i]) == NULL, "thread %d: another one's bytes", i);
    }
    CHECK(ssop_blocks_trim() <= 16 * MIB, "more than the cap");
}

#if CAN_FORK

/* A child may free and take what its parent left. */
static void
test_fork(void)
{
    ssop_blocks_set_cap(64 * MIB);
    char *block = ssop_block_new(8 * MIB, false);
    fill(block, 8 * MIB, 5);
    ssop_block_free(ssop_block_new(4 * MIB, false));
    ssop_block_free(ssop_block_new(2 * MIB, false));
    pid_t child = fork();
    if (child == 0) {
        bool well = holds(block, 8 * MIB, 5);
        ssop_block_free(block);
        char *other = ssop_block_new(8 * MIB, false);
        fill(other, 8 * MIB, 6);
        well &= other == block && ssop_blocks_trim() == 6 * MIB;
        _exit(well ? 0 : 1);
    }
    CHECK(child > 0 && child_is_well(child), "the child");
    CHECK(holds(block, 8 * MIB, 5), "the parent's bytes");
    ssop_block_free(block);
    CHECK(ssop_blocks_trim() == 14 * MIB, "the parent's cache");
}

#endif /* CAN_FORK */

#endif /* SSOP_HAS_SYSTEM */

int
main(void)
{
    test_sizes(); /* without a cache */
    test_resize();
    ssop_blocks_set_cap(128 * MIB);
    test_sizes();
    test_resize();
    ssop_blocks_trim();
#if SSOP_HAS_SYSTEM
    test_kept_large();
    test_kept_medium();
    test_cap();
    test_cap_of_medium();
#if SSOP_HAS_POISON
    test_poison();
#endif
    test_threads();
#if CAN_FORK
    test_fork();
#endif
#else
    CHECK(ssop_blocks_cap() == 0 && ssop_blocks_default_cap() == 0, "nothing is kept");
#endif
    return check_report("test_blocks");
}
