/* Long copies: without the GIL, shared among threads, and interruptible by Ctrl-C. */
#include "run.h"

#include "../runtime/threads.h"

#include <time.h>

/* None of these was measured by itself; each was chosen for the reason that it gives. */
enum {
    /* Copies of so many bytes release the GIL: doing so costs about as much as copying 1 KiB, a sixteenth of the
     * smallest of them. */
    RELEASE_GIL_BYTES = 16 * 1024,
    /* The calling thread checks for signals after so many bytes of its own or after so long, whichever comes first: 50
     * ms are not felt after Ctrl-C. The clock is needed because bytes that miss the caches take up to a hundred times
     * as long as others. */
    POLL_BYTES = 32 * 1024 * 1024,
    POLL_NANOSECONDS = 50 * 1000 * 1000,
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

/* Runs steps of some work without the GIL. `shared`: it is worth several threads. */
static int
run_long(void (*run)(const void *work, int64_t first, int64_t last), const void *work, int64_t steps,
         int64_t step_bytes, bool shared)
{
    const int64_t piece = ssop_threads_piece(steps, step_bytes, shared);
    long_run context = {.piece_bytes = step_bytes * piece, .looked = piece < steps ? clock_nanoseconds() : 0};
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
    return run_long(execute_nest, nest, steps, bytes / steps, ssop_nest_is_shared(nest, bytes, ssop_threads_awake()));
}

int
run_nest_threads(const ssop_nest *nest, int64_t *piece)
{
    const int64_t steps = ssop_nest_steps(nest), bytes = ssop_nest_bytes(nest);
    if (bytes < RELEASE_GIL_BYTES) {
        *piece = steps;
        return 1;
    }
    const bool shared = ssop_nest_is_shared(nest, bytes, ssop_threads_awake());
    *piece = ssop_threads_piece(steps, bytes / steps, shared);
    const int64_t pieces = (steps + *piece - 1) / *piece, threads = shared ? ssop_threads_count() : 1;
    return (int)(pieces < threads ? pieces : threads);
}

/* In the calling thread: each step may overwrite what those before it have read. The bytes between two items of a row
 * count as well: each of their pages may be read from a disk. */
int
run_shift(const ssop_shift *shift)
{
    if (shift->steps < RELEASE_GIL_BYTES / shift->item_bytes) {
        ssop_shift_execute(shift, 0, shift->steps);
        return 0;
    }
    const int64_t piece = ssop_threads_piece(shift->steps, llabs(shift->stride[shift->rank - 1]), false);
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
    const int64_t steps = ssop_parts_steps(parts);
    return run_long(execute_parts, parts, steps, parts->bytes / steps, ssop_bytes_are_shared(parts->bytes));
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
    return run_long(execute_selection, selection, steps, bytes / steps, ssop_bytes_are_shared(bytes));
}
