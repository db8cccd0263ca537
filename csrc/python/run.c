/* Long copies: without the GIL, shared among threads, and interruptible by Ctrl-C. */
#include "run.h"

#include "../runtime/threads.h"

#include <time.h>

/* None of these was measured by itself; each was chosen for the reason that it gives. */
enum {
    /* Copies of so many bytes release the GIL: doing so costs about as much as copying 1 KiB, a sixteenth of the
     * smallest of them. */
    RELEASE_GIL_BYTES = 16 * 1024,
    /* Rows of so many bytes are copied faster, so copies of them must be larger to use several threads, unless a thread
     * is still awake (the policies share_bytes and share_rows_bytes). */
    LONG_ROW_BYTES = 4096,
    /* The calling thread checks for signals after so many bytes of its own or after so long, whichever comes first: 50
     * ms are not felt after Ctrl-C. The clock is needed because bytes that miss the caches take up to a hundred times
     * as long as others. */
    POLL_BYTES = 32 * 1024 * 1024,
    POLL_NANOSECONDS = 50 * 1000 * 1000,
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

/* The calling thread, which has released the GIL. */
typedef struct {
    PyThreadState *thread;
    int64_t piece_bytes;
    int64_t bytes;  /* that it has copied since it last checked for signals */
    int64_t looked; /* when that was, on the clock */
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
    const ssop_policies *policies = ssop_policies_used();
    bool large = !long_rows || bytes >= policies->share_rows_bytes || ssop_threads_awake();
    bool shared = bytes >= policies->share_bytes && large;
    int64_t threads = shared ? ssop_threads_count() : 1;
    int64_t piece_bytes = threads == 1 ? LONE_PIECE_BYTES
                                       : clamp(bytes / (threads * PIECES_PER_THREAD), MIN_PIECE_BYTES, MAX_PIECE_BYTES);
    int64_t piece = clamp(piece_bytes / (bytes / steps), 1, steps);
    return piece > PIECE_STEPS ? piece / PIECE_STEPS * PIECE_STEPS : piece;
}

/* Without the GIL. `work` is what `run` runs steps of, which write so many bytes. */
static int
run_long(void (*run)(const void *work, int64_t first, int64_t last), const void *work, int64_t steps, int64_t bytes,
         bool long_rows)
{
    int64_t piece = choose_piece(steps, bytes, long_rows);
    long_run context = {.piece_bytes = bytes / steps * piece, .looked = piece < steps ? clock_nanoseconds() : 0};
    ssop_job job = {.run = run, .work = work, .steps = steps, .piece = piece, .go_on = no_signal, .context = &context};
    context.thread = PyEval_SaveThread();
    bool done = ssop_threads_run(&job);
    PyEval_RestoreThread(context.thread);
    return done ? 0 : -1;
}

static void
execute_nest(const void *work, int64_t first, int64_t last)
{
    ssop_nest_execute(work, first, last);
}

int
run_nest(const ssop_nest *nest)
{
    int64_t steps = ssop_nest_steps(nest), bytes = ssop_nest_bytes(nest);
    if (bytes < RELEASE_GIL_BYTES) {
        ssop_nest_execute(nest, 0, steps);
        return 0;
    }
    int32_t inner = nest->rank - 1;
    bool long_rows = nest->dst_stride[inner] == nest->item_bytes && nest->src_stride[inner] == nest->item_bytes &&
                     nest->count[inner] >= LONG_ROW_BYTES / nest->item_bytes;
    return run_long(execute_nest, nest, steps, bytes, long_rows);
}

/* In the calling thread: each step may overwrite what those before it have read. A piece has as many items as a row in
 * MAX_PIECE_BYTES of memory: each of its pages may be read from a disk. */
int
run_shift(const ssop_shift *shift)
{
    if (shift->steps < RELEASE_GIL_BYTES / shift->item_bytes) {
        ssop_shift_execute(shift, 0, shift->steps);
        return 0;
    }
    const int64_t piece = clamp(MAX_PIECE_BYTES / llabs(shift->stride[shift->rank - 1]), 1, shift->steps);
    long_run context = {.piece_bytes = shift->item_bytes * piece, .looked = clock_nanoseconds()};
    bool go_on = true;
    context.thread = PyEval_SaveThread();
    for (int64_t first = 0; go_on && first < shift->steps; first += piece) {
        const int64_t last = piece < shift->steps - first ? first + piece : shift->steps;
        ssop_shift_execute(shift, first, last);
        go_on = last == shift->steps || no_signal(&context);
    }
    PyEval_RestoreThread(context.thread);
    return go_on ? 0 : -1;
}

static void
execute_parts(const void *work, int64_t first, int64_t last)
{
    ssop_parts_execute(work, first, last);
}

int
run_parts(const ssop_parts *parts)
{
    return run_long(execute_parts, parts, ssop_parts_steps(parts), parts->bytes, false);
}

static void
execute_selection(const void *work, int64_t first, int64_t last)
{
    ssop_selection_execute(work, first, last);
}

int
run_selection(const ssop_selection *selection)
{
    int64_t steps = ssop_selection_steps(selection), bytes = ssop_selection_bytes(selection);
    if (bytes < RELEASE_GIL_BYTES) {
        ssop_selection_execute(selection, 0, steps);
        return 0;
    }
    return run_long(execute_selection, selection, steps, bytes, false);
}
