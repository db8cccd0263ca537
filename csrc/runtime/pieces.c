/* How much of a job is one piece. */
#include "threads.h"

/* None of these was measured by itself; each was chosen for the reason that it gives. */
enum {
    /* Several pieces for each thread, so that a thread that starts late or is interrupted delays only a part of the
     * work. A piece is at least four steps (the policy step_bytes), and at most a huge page, so that two threads
     * rarely cause the page fault of the same one. */
    PIECES_PER_THREAD = 4,
    MIN_PIECE_BYTES = 128 * 1024,
    MAX_PIECE_BYTES = 2 * 1024 * 1024,
    /* A piece in a single thread. It takes longest, tens of milliseconds, where each byte comes from another page. */
    LONE_PIECE_BYTES = 512 * 1024,
    /* A piece of more steps has a multiple of so many: if the first piece begins at a cache line, the others do. */
    PIECE_STEPS = 64,
};

static int64_t
clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

int64_t
ssop_threads_piece(int64_t steps, int64_t step_bytes, bool shared)
{
    const int64_t threads = shared ? ssop_threads_count() : 1;
    const int64_t piece_bytes =
        threads == 1 ? LONE_PIECE_BYTES
                     : clamp(steps * step_bytes / (threads * PIECES_PER_THREAD), MIN_PIECE_BYTES, MAX_PIECE_BYTES);
    const int64_t piece = clamp(piece_bytes / step_bytes, 1, steps);
    return piece > PIECE_STEPS ? piece / PIECE_STEPS * PIECE_STEPS : piece;
}
