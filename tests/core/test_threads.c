/* What could go wrong: a thread of the pool runs a piece twice or not at all, reads a job that has ended, or the caller
 * waits for ever. */

/* A pool of this program's own, whose inside can be looked at. */
#define ssop_threads_count own_threads_count
#define ssop_threads_set_count own_threads_set_count
#define ssop_threads_run own_threads_run
#define ssop_threads_workers own_threads_workers
#define ssop_threads_awake own_threads_awake
#include "runtime/threads.c"

#include "check.h"
#include "copy/nest.h"

#if !SSOP_HAS_SYSTEM

static void
run_nothing(const void *work, int64_t first, int64_t last)
{
    *(int64_t *)(uintptr_t)work += last - first;
}

int
main(void)
{
    int64_t sum = 0;
    ssop_job job = {.run = run_nothing, .work = &sum, .steps = 100, .piece = 7};
    ssop_threads_set_count(8);
    CHECK(ssop_threads_run(&job) && sum == 100, "alone: %lld steps", LL(sum));
    CHECK(ssop_threads_count() == 1 && ssop_threads_workers() == 0 && !ssop_threads_awake(), "no threads");
    return check_report("test_threads");
}

#else

#include "counting.h"

static void
test_every_step_once(void)
{
    static const int64_t pieces[] = {1, 2, 3, 7, 64, 999, 1000, 1001, INT64_MAX};
    for (int threads = 1; threads <= 8; threads++) {
        ssop_threads_set_count(threads);
        CHECK(ssop_threads_count() == threads, "%d threads", threads);
        for (int64_t steps = 0; steps <= MAX_STEPS; steps += steps < 20 ? 1 : 98) {
            for (int i = 0; i < COUNT(pieces); i++) {
                if (!is_chosen()) {
                    continue;
                }
                counting count;
                reset(&count);
                bool done = run_counting(&count, steps, pieces[i], NULL, NULL);
                CHECK(done && ran(&count, steps, 1) == steps && atomic_load(&count.inside) == 0,
                      "%d threads, %lld steps by %lld", threads, LL(steps), LL(pieces[i]));
                CHECK(atomic_load(&count.most_inside) <= threads, "%d threads at once of %d",
                      atomic_load(&count.most_inside), threads);
            }
        }
    }
}

static void
test_workers_help(void)
{
    ssop_threads_set_count(3);
    int helped = 0;
    int64_t end = limit();
    for (int i = 0; helped < 20 && system_nanoseconds() < end; i++) {
        counting count;
        reset(&count);
        count.pauses = 1 + i; /* longer and longer */
        run_counting(&count, 200, 1, NULL, NULL);
        helped += atomic_load(&count.by_others) > 0 ? 1 : 0;
    }
    CHECK(helped == 20, "workers helped with %d jobs", helped);
    CHECK(ssop_threads_workers() == 2, "%d workers", ssop_threads_workers());
}

static _Atomic int64_t seen_steps, shortest;

static void
measure_piece(const void *work, int64_t first, int64_t last)
{
    (void)work;
    atomic_fetch_add(&seen_steps, last - first);
    int64_t shorter = atomic_load(&shortest);
    while (last - first < shorter && !atomic_compare_exchange_weak(&shortest, &shorter, last - first)) {
    }
}

static bool go_on_until(void *context);

/* Pieces become longer where there would be too many of them. */
static void
test_more_pieces_than_a_ticket_holds(void)
{
    static const int64_t steps[] = {MAX_PIECES + INT64_C(1), 100 * (int64_t)MAX_PIECES, INT64_MAX};
    ssop_threads_set_count(2);
    for (int i = 0; i < COUNT(steps); i++) {
        int asked = 1000;
        ssop_job job = {.run = measure_piece, .steps = steps[i], .piece = 1, .go_on = go_on_until, .context = &asked};
        atomic_store(&pool.alone_until, 0);
        atomic_store(&shortest, INT64_MAX);
        CHECK(!ssop_threads_run(&job), "not dropped");
        CHECK(atomic_load(&shortest) == (steps[i] - 1) / MAX_PIECES + 1, "%lld steps in a piece",
              LL(atomic_load(&shortest)));
    }
}

/* ---- never waiting for a worker to come
 * --------------------------------------------------------------------------------- */

/* A job starts no workers while one of them holds the lock, which it does for a moment before it sleeps: the next job
 * does. */
static void
start_all_workers(int threads)
{
    ssop_threads_set_count(threads);
    int64_t end = limit();
    do {
        counting count;
        reset(&count);
        run_counting(&count, 100, 1, NULL, NULL);
    } while (ssop_threads_workers() < threads - 1 && wait_before(end));
    CHECK(ssop_threads_workers() == threads - 1, "%d workers", ssop_threads_workers());
}

/* With the lock held, no worker that sleeps can get up, as if it had no processor: the caller must not care. */
static void
test_sleeping_workers_are_not_waited_for(void)
{
    counting count, later;
    start_all_workers(4);
    for (int64_t end = limit(); atomic_load(&pool.sleepers) < 3 && wait_before(end);) {
    }
    CHECK(atomic_load(&pool.sleepers) == 3 && !ssop_threads_awake(), "%d asleep", atomic_load(&pool.sleepers));
    system_take(&pool.lock);
    for (int i = 0; i < 100; i++) {
        reset(&count);
        bool done = run_counting(&count, 100, 1, NULL, NULL);
        CHECK(done && ran(&count, 100, 1) == 100 && atomic_load(&count.by_others) == 0, "alone");
    }
    system_release(&pool.lock);
    int64_t end = limit();
    do { /* until workers are awake again: they must not touch the jobs that they slept through */
        reset(&later);
        later.pauses = 100;
        run_counting(&later, 100, 1, NULL, NULL);
    } while (atomic_load(&later.by_others) == 0 && system_nanoseconds() < end);
    CHECK(atomic_load(&later.by_others) > 0, "no worker was woken");
    CHECK(ran(&count, 100, 1) == 100, "a worker came afterwards");
}

static _Atomic int latch; /* 0: closed, 1: someone waits, 2: open */

static void
wait_at_latch(const void *work, int64_t first, int64_t last)
{
    int closed = 0;
    atomic_compare_exchange_strong(&latch, &closed, 1);
    for (int64_t end = limit(); atomic_load(&latch) != 2 && wait_before(end);) {
    }
    count_steps(work, first, last);
}

static void *
run_at_latch(void *argument)
{
    ssop_job job = {.run = wait_at_latch, .work = argument, .steps = 2, .piece = 1};
    ssop_threads_run(&job);
    return NULL;
}

/* While one job has the pool, the next runs in its own thread alone. */
static void
test_a_second_job_does_not_wait(void)
{
    counting blocked, count;
    test_thread thread;
    reset(&blocked);
    atomic_store(&latch, 0);
    ssop_threads_set_count(2);
    start_thread(&thread, run_at_latch, &blocked);
    for (int64_t end = limit(); atomic_load(&latch) == 0 && wait_before(end);) {
    }
    reset(&count);
    bool done = run_counting(&count, 100, 1, NULL, NULL);
    CHECK(done && ran(&count, 100, 1) == 100 && atomic_load(&count.by_others) == 0, "the second job");
    CHECK(atomic_load(&latch) == 1 && atomic_load(&blocked.runs[0]) + atomic_load(&blocked.runs[1]) == 0, "the first");
    atomic_store(&latch, 2);
    join_thread(&thread);
    CHECK(ran(&blocked, 2, 1) == 2, "the first job afterwards");
}

static void
dawdle_elsewhere(const void *work, int64_t first, int64_t last)
{
    const counting *count = work;
    if (this_thread() != count->caller) {
        pause_microseconds(5000);
    }
    count_steps(work, first, last);
}

/* After a long wait for a worker that lost its processor, jobs run alone for a while. */
static void
test_long_waits_have_consequences(void)
{
    counting count;
    ssop_job job = {.run = dawdle_elsewhere, .work = &count, .steps = 100, .piece = 1};
    ssop_threads_set_count(2);
    bool alone = false;
    int64_t end = limit();
    for (int i = 0; !alone && system_nanoseconds() < end; i++) {
        reset(&count);
        count.pauses = 1 + i % 100;
        ssop_threads_run(&job);
        alone = atomic_load(&pool.alone_until) > system_nanoseconds();
    }
    CHECK(alone, "no consequence");
    int64_t until = system_nanoseconds() + INT64_C(3600) * 1000000000;
    reset(&count);
    atomic_store(&pool.alone_until, until);
    run_counting(&count, 100, 1, NULL, NULL);
    CHECK(atomic_load(&count.by_others) == 0 && ran(&count, 100, 1) == 100, "not alone");
    CHECK(atomic_load(&pool.alone_until) == until, "forgotten");
}

/* ---- dropping
 * ------------------------------------------------------------------------------------------------------------ */

static bool
go_on_until(void *context)
{
    int *asked = context;
    return --*asked > 0;
}

static void
test_dropped_pieces(void)
{
    for (int threads = 1; threads <= 4; threads++) {
        ssop_threads_set_count(threads);
        for (int answers = 1; answers <= 200; answers++) {
            if (!is_chosen()) {
                continue;
            }
            counting count;
            int asked = answers;
            reset(&count);
            bool done = run_counting(&count, 100, 1, go_on_until, &asked);
            int once = ran(&count, 100, 1), never = ran(&count, 100, 0);
            CHECK(once + never == 100 && done == (asked > 0) && (!done || never == 0), "%d threads, %d answers: %d run",
                  threads, answers, once);
            CHECK(threads > 1 || once == (answers < 100 ? answers : 100), "alone, %d answers: %d run", answers, once);
            CHECK(atomic_load(&count.inside) == 0 && pieces_left(atomic_load(&pool.ticket)) == 0, "still running");
        }
    }
}

static bool
end_thread(void *context)
{
    if (go_on_until(context)) {
        return true;
    }
    end_this_thread();
}

static void *
run_until_ended(void *argument)
{
    counting count; /* goes with the thread */
    reset(&count);
    ssop_job job = {
        .run = count_steps, .work = &count, .steps = MAX_STEPS, .piece = 1, .go_on = end_thread, .context = argument};
    ssop_threads_run(&job);
    return argument;
}

/* What happens to a daemon thread that wants the GIL while Python shuts down. */
static void
test_a_thread_may_end_in_its_question(void)
{
    ssop_threads_set_count(3);
    for (int i = 1; i <= 100; i++) {
        int asked = i;
        test_thread thread;
        start_thread(&thread, run_until_ended, &asked);
        join_thread(&thread);
        CHECK(!atomic_load(&pool.owned) && pieces_left(atomic_load(&pool.ticket)) == 0, "the pool is not free");
    }
    counting count;
    reset(&count);
    CHECK(run_counting(&count, 100, 1, NULL, NULL) && ran(&count, 100, 1) == 100, "no job afterwards");
}

/* ---- many callers
 * -------------------------------------------------------------------------------------------------------- */

enum { CALLERS = 4, JOBS = 2000 };

static void *
run_many(void *argument)
{
    int *wrong = argument;
    for (int i = 0; i < JOBS; i++) {
        counting count;
        memset((void *)&count, 0, sizeof count);
        count.caller = this_thread();
        int64_t steps = 1 + i % 50;
        bool done = run_counting(&count, steps, 1 + i % 3, NULL, NULL);
        *wrong += done && ran(&count, steps, 1) == steps ? 0 : 1;
    }
    return NULL;
}

static void
test_many_callers(void)
{
    test_thread thread[CALLERS];
    int wrong[CALLERS] = {0};
    ssop_threads_set_count(3);
    for (int i = 0; i < CALLERS; i++) {
        start_thread(&thread[i], run_many, &wrong[i]);
    }
    for (int threads = 1; threads < 200; threads++) {
        ssop_threads_set_count(1 + threads % 5); /* meanwhile */
        pause_microseconds(100);
    }
    for (int i = 0; i < CALLERS; i++) {
        join_thread(&thread[i]);
        CHECK(wrong[i] == 0, "caller %d: %d jobs", i, wrong[i]);
    }
}

static void
test_fewer_threads(void)
{
    counting count;
    start_all_workers(8);
    ssop_threads_set_count(2);
    for (int64_t end = limit(); ssop_threads_workers() > 1 && wait_before(end);) {
    }
    CHECK(ssop_threads_workers() == 1, "%d workers", ssop_threads_workers());
    for (int i = 0; i < 1000; i++) {
        reset(&count);
        bool done = run_counting(&count, 100, 1, NULL, NULL);
        CHECK(done && ran(&count, 100, 1) == 100 && atomic_load(&count.most_inside) <= 2, "two threads");
    }
}

/* ---- fork
 * ---------------------------------------------------------------------------------------------------------------- */

#if CAN_FORK

#if defined(__SANITIZE_THREAD__)
#define FORKS 0 /* that sanitizer does not follow a child that starts threads */
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define FORKS 0
#endif
#endif
#if !defined(FORKS)
#define FORKS 20
#endif

static void
test_a_child_has_no_pool(void)
{
    ssop_threads_set_count(3);
    for (int i = 0; i < FORKS; i++) {
        counting count;
        reset(&count);
        run_counting(&count, 100, 1, NULL, NULL);
        pid_t child = fork();
        if (child == 0) {
            bool fresh = ssop_threads_workers() == 0 && !ssop_threads_awake() && ssop_threads_count() == 3;
            for (int k = 0; k < 10; k++) {
                reset(&count);
                fresh &= run_counting(&count, 100, 1, NULL, NULL) && ran(&count, 100, 1) == 100;
            }
            _exit(fresh && ssop_threads_workers() == 2 ? 0 : 1);
        }
        CHECK(child > 0 && child_is_well(child), "the child");
    }
}

typedef struct {
    int asked;
    pid_t child;
} forking;

static bool
fork_meanwhile(void *context)
{
    forking *state = context;
    if (--state->asked == 0) {
        state->child = fork();
    }
    return true;
}

/* As a signal handler of Python's may do it: both processes finish the job. */
static void
test_fork_in_a_job(void)
{
    ssop_threads_set_count(3);
    int64_t end = limit();
    int forked = 0;
    while (forked < FORKS && system_nanoseconds() < end) {
        counting count;
        forking state = {1 + forked, -1};
        reset(&count);
        count.pauses = 10;
        bool done = run_counting(&count, 200, 1, fork_meanwhile, &state);
        if (state.child == 0) { /* steps may have run twice here */
            int missing = ran(&count, 200, 0);
            atomic_store(&count.over, false);
            reset(&count);
            done &= run_counting(&count, 200, 1, NULL, NULL) && ran(&count, 200, 1) == 200;
            _exit(done && missing == 0 ? 0 : 1);
        }
        CHECK(done && ran(&count, 200, 1) == 200, "the parent");
        if (state.child != -1) { /* the workers may have begun every piece before the question was due */
            CHECK(child_is_well(state.child), "the child");
            forked++;
        }
    }
    CHECK(forked == FORKS, "%d jobs were forked in", forked);
}

#else

/* ---- the end of the process
 * ----------------------------------------------------------------------------------------- */

enum { END_CODE = 7 };

static const char is_child[] = "SSOP_TEST_IS_CHILD"; /* an environment variable */

/* Workers never finish a piece. */
static void
stay_elsewhere(const void *work, int64_t first, int64_t last)
{
    const counting *count = work;
    count_steps(work, first, last);
    while (this_thread() != count->caller) {
        pause_microseconds(1000);
    }
}

static bool
end_process(void *context)
{
    const counting *count = context;
    for (int64_t end = limit(); atomic_load(&count->by_others) == 0 && wait_before(end);) {
    }
    ExitProcess(END_CODE);
}

static void
run_until_process_ends(void)
{
    counting count;
    reset(&count);
    ssop_job job = {
        .run = stay_elsewhere, .work = &count, .steps = 100, .piece = 1, .go_on = end_process, .context = &count};
    ssop_threads_set_count(2);
    ssop_threads_run(&job);
}

/* A process may end in a question while a worker has a piece: it does not wait for that worker, which is gone. */
static void
test_the_process_may_end_in_a_question(void)
{
    _putenv_s(is_child, "1");
    intptr_t child = _spawnl(_P_NOWAIT, __argv[0], __argv[0], NULL);
    DWORD code = 0;
    CHECK(child != -1, "no process");
    CHECK(WaitForSingleObject((HANDLE)child, LIMIT_SECONDS * 1000) == WAIT_OBJECT_0, "it does not end");
    TerminateProcess((HANDLE)child, 0); /* if it has not ended */
    CHECK(GetExitCodeProcess((HANDLE)child, &code) && code == END_CODE, "code %lu", code);
}

#endif /* CAN_FORK */

/* ---- copies
 * -------------------------------------------------------------------------------------------------------------- */

enum { SIDE = 300 };

static void
execute(const void *work, int64_t first, int64_t last)
{
    ssop_nest_execute(work, first, last);
}

static void
test_copies(void)
{
    static char from[SIDE * SIDE], to[SIDE * SIDE];
    for (int i = 0; i < SIDE * SIDE; i++) {
        from[i] = (char)random_bits();
    }
    ssop_view src = {from, 1, 2, {SIDE, SIDE}, {1, SIDE}}, dst = {to, 1, 2, {SIDE, SIDE}, {SIDE, 1}};
    ssop_nest nest;
    ssop_nest_copy(&nest, &dst, &src, NULL);
    for (int threads = 1; threads <= 8; threads++) {
        mark(to, sizeof to);
        ssop_threads_set_count(threads);
        ssop_job job = {.run = execute, .work = &nest, .steps = ssop_nest_steps(&nest), .piece = 7};
        atomic_store(&pool.alone_until, 0);
        bool right = ssop_threads_run(&job);
        for (int i = 0; i < SIDE; i++) {
            for (int j = 0; j < SIDE; j++) {
                right &= to[i * SIDE + j] == from[j * SIDE + i];
            }
        }
        CHECK(right, "a transposition by %d threads", threads);
    }
}

int
main(void)
{
#if !CAN_FORK
    if (getenv(is_child) != NULL) {
        run_until_process_ends();
    }
#endif
    int count = ssop_threads_count();
    CHECK(count >= 1 && count <= DEFAULT_MAX_THREADS && ssop_threads_workers() == 0, "%d threads at first", count);
    test_every_step_once();
    test_workers_help();
    test_more_pieces_than_a_ticket_holds();
    test_sleeping_workers_are_not_waited_for();
    test_a_second_job_does_not_wait();
    test_long_waits_have_consequences();
    test_dropped_pieces();
    test_a_thread_may_end_in_its_question();
    test_many_callers();
    test_fewer_threads();
#if CAN_FORK
    test_a_child_has_no_pool();
    test_fork_in_a_job();
#else
    test_the_process_may_end_in_a_question();
#endif
    test_copies();
    return check_report("test_threads");
}

#endif /* SSOP_HAS_SYSTEM */
