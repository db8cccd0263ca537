/* Long copies: without the GIL, shared among threads, and interruptible by Ctrl-C. */
#include "run.h"

#include "../runtime/threads.h"

#include <time.h>

enum {
    /* From here on the GIL is given up; one round trip costs about as much as copying 1 KiB. */
    RELEASE_GIL_BYTES = 16 * 1024,
    /* From here on threads help; but copies of long rows of less than the second are over before a sleeping thread is
     * awake. */
    SHARE_BYTES = 512 * 1024,
    SHARE_LONG_ROWS_BYTES = 1024 * 1024,
    LONG_ROW_BYTES = 4096,
    /* The calling thread looks for signals after so much of its own, and after so long: bytes that miss the caches take
     * up to a hundred times as long as others. */
    POLL_BYTES = 32 * 1024 * 1024,
    POLL_NANOSECONDS = 50 * 1000 * 1000,
    /* Pieces: several for each thread, but large enough for the kernels' stride, and no larger than a huge page, which
     * two threads should not fetch both. */
    PIECES_PER_THREAD = 4,
    MIN_PIECE_BYTES = 128 * 1024,
    MAX_PIECE_BYTES = 2 * 1024 * 1024,
    /* Without other threads: 50 ms where each byte comes from another page. */
    LONE_PIECE_BYTES = 512 * 1024,
    PIECE_STEPS = 64, /* of many steps a piece has a multiple of so many: then it begins at a cache line */
};

/* The calling thread, which has given up the GIL. */
typedef struct {
    PyThreadState *thread;
    int64_t piece_bytes, bytes; /* since it looked for signals */
    int64_t looked;             /* when that was, on the clock */
} long_run;

/* The time of day, which is in every C library; it may jump. */
static int64_t
clock_nanoseconds(void)
{
    struct timespec now = {0, 0};
    (void)timespec_get(&now, TIME_UTC);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static bool
no_signal(void *context)
{
    long_run *run = context;
    int64_t passed = clock_nanoseconds() - run->looked;
    run->bytes += run->piece_bytes;
    if (run->bytes < POLL_BYTES && 0 <= passed && passed < POLL_NANOSECONDS) {
        return true;
    }
    run->bytes = 0;
    PyEval_RestoreThread(run->thread);
    bool none = PyErr_CheckSignals() == 0;
    run->thread = PyEval_SaveThread();
    run->looked = clock_nanoseconds();
    return none;
}

static int64_t
clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

/* How many steps are one piece. */
static int64_t
choose_piece(int64_t steps, int64_t bytes, bool long_rows)
{
    bool shared = bytes >= SHARE_BYTES && (!long_rows || bytes >= SHARE_LONG_ROWS_BYTES || ssop_threads_awake());
    int64_t threads = shared ? ssop_threads_count() : 1;
    int64_t piece_bytes = threads == 1 ? LONE_PIECE_BYTES
                                       : clamp(bytes / (threads * PIECES_PER_THREAD), MIN_PIECE_BYTES, MAX_PIECE_BYTES);
    int64_t piece = clamp(piece_bytes / (bytes / steps), 1, steps);
    return piece > PIECE_STEPS ? piece / PIECE_STEPS * PIECE_STEPS : piece;
}

static void
run_piece(const void *work, int64_t first, int64_t last)
{
    ssop_nest_execute(work, first, last);
}

static int
run_long(const ssop_nest *nest, int64_t steps, int64_t bytes)
{
    int32_t inner = nest->rank - 1;
    bool long_rows = nest->dst_stride[inner] == nest->item_bytes && nest->src_stride[inner] == nest->item_bytes &&
                     nest->count[inner] >= LONG_ROW_BYTES / nest->item_bytes;
    int64_t piece = choose_piece(steps, bytes, long_rows);
    long_run context = {.piece_bytes = bytes / steps * piece, .looked = clock_nanoseconds()};
    ssop_job job = {
        .run = run_piece, .work = nest, .steps = steps, .piece = piece, .go_on = no_signal, .context = &context};
    context.thread = PyEval_SaveThread();
    bool done = ssop_threads_run(&job);
    PyEval_RestoreThread(context.thread);
    return done ? 0 : -1;
}

int
run_nest(const ssop_nest *nest)
{
    int64_t steps = ssop_nest_steps(nest), bytes = ssop_nest_bytes(nest);
    if (bytes < RELEASE_GIL_BYTES) {
        ssop_nest_execute(nest, 0, steps);
        return 0;
    }
    return run_long(nest, steps, bytes);
}
