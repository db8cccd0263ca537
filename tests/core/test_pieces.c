/* What could go wrong: a piece is so long that Ctrl-C waits, so short that threads only start, or no step at all. */
#include "check.h"
#include "runtime/threads.h"

enum { KIB = 1024, MIB = 1024 * 1024 };

static void
test_alone(void)
{
    CHECK(ssop_threads_piece(1, 16 * KIB, false) == 1, "one step");
    CHECK(ssop_threads_piece(10, 16 * KIB, false) == 10, "fewer steps than half a MiB has");
    CHECK(ssop_threads_piece(1000, 16 * KIB, false) == 32, "half a MiB");
    CHECK(ssop_threads_piece(1000, 4 * MIB, false) == 1, "a step that is longer than a piece");
    CHECK(ssop_threads_piece(100000, 5000, false) == 64, "104 steps become whole lines");
    CHECK(ssop_threads_piece(100000, 1, false) == 100000 / 64 * 64, "all steps, in whole lines");
}

static void
test_shared(void)
{
    ssop_threads_set_count(4);
    if (ssop_threads_count() == 4) { /* there is a pool */
        CHECK(ssop_threads_piece(64, 32 * KIB, true) == 4, "at least 128 KiB");
        CHECK(ssop_threads_piece(256, 32 * KIB, true) == 16, "a sixteenth");
        CHECK(ssop_threads_piece(1 << 20, 32 * KIB, true) == 64, "at most 2 MiB");
    }
    ssop_threads_set_count(1);
    CHECK(ssop_threads_piece(1000, 16 * KIB, true) == 32, "a single thread");
}

int
main(void)
{
    test_alone();
    test_shared();
    return check_report("test_pieces");
}
