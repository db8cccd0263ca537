/* The thread pool. One job at a time owns it. An atomic word, the ticket, says how many pieces of the job have not been
 * started.
 *
 * Lifetime: a job lives in the stack frame of its caller. A thread takes a piece by decrementing the count in the
 * ticket, so each piece has one taker. The caller returns only when as many pieces have finished as were taken. So a
 * thread that holds a piece may read the job, and any other thread must not. A worker that wakes up late finds no piece
 * in the ticket and reads nothing else. The ticket also has a serial number, so that a compare-and-swap with the ticket
 * of an earlier job fails. */
#include "platform.h"

#include "threads.h"

static int64_t
end_of_piece(const ssop_job *job, int64_t first)
{
    return job->piece < job->steps - first ? first + job->piece : job->steps;
}

static bool
run_alone(const ssop_job *job)
{
    for (int64_t first = 0; first < job->steps;) {
        int64_t last = end_of_piece(job, first);
        job->run(job->work, first, last);
        if (last < job->steps && job->go_on != NULL && !job->go_on(job->context)) {
            return false;
        }
        first = last;
    }
    return true;
}

#if !SSOP_HAS_SYSTEM

int
ssop_threads_count(void)
{
    return 1;
}

void
ssop_threads_set_count(int count)
{
    (void)count;
}

bool
ssop_threads_run(const ssop_job *job)
{
    return run_alone(job);
}

int
ssop_threads_workers(void)
{
    return 0;
}

bool
ssop_threads_awake(void)
{
    return false;
}

#else

#include <stdatomic.h>

#include "processors.h"

/* A worker that spins starts a job at once. One that sleeps must be woken by the system, which takes some hundred times
 * as long, tens of microseconds. The constants below were chosen from these times. */
enum {
    DEFAULT_MAX_THREADS = 8,   /* not measured; chosen because few memories feed more threads */
    STACK_BYTES = 1024 * 1024, /* not measured; kernels need at most 64 KiB; only pages that are written are memory */
    /* How long a worker spins for the next job, and a caller for the end of its own, before they sleep. Not measured;
     * chosen because both are about as long as a wake-up. */
    WORKER_SPIN_NANOSECONDS = 50 * 1000,
    CALLER_SPIN_NANOSECONDS = 20 * 1000,
    PAUSES_PER_CLOCK = 32, /* pauses before a spinning thread looks again, also at the clock; not measured */
    /* After the caller has waited longer than LONG_WAIT and than 1 / LONG_WAIT_SHARE of the time of its job, jobs run
     * without workers for ALONE_FACTOR times as long. A wait longer than VERY_LONG_WAIT, which only a worker without a
     * processor causes, counts from a smaller share on. Not measured one by one; chosen because a worker without a
     * processor makes a short copy wait for a whole time slice of another process. */
    LONG_WAIT_NANOSECONDS = 40 * 1000,
    LONG_WAIT_SHARE = 2,
    VERY_LONG_WAIT_NANOSECONDS = 1000 * 1000,
    VERY_LONG_WAIT_SHARE = 8,
    ALONE_FACTOR = 16,
    /* Waking a worker that then finds no piece costs the caller time as well. After n such jobs in a row, the next
     * 2^n - 1 jobs wake nobody when they begin; n is at most MAX_USELESS_WAKES. A job that lasts longer than LONG_JOB
     * wakes a worker all the same. Not measured; LONG_JOB was chosen because 200 us are several times the wake-up, and
     * MAX_USELESS_WAKES so that a worker is tried at least every 64 jobs. */
    MAX_USELESS_WAKES = 6,
    LONG_JOB_NANOSECONDS = 200 * 1000,
    MAX_PIECES = (1 << 24) - 1, /* the bits of the count in the ticket */
};

static struct {
    /* Serial number << 32 | number of workers that may take part << 24 | number of pieces that have not been
     * started. */
    _Alignas(64) _Atomic uint64_t ticket;
    /* Written by the owner of the pool while the ticket has no piece, read by threads that hold a piece. */
    const ssop_job *job;
    uint32_t pieces, serial;
    int useless_wakes;     /* consecutive jobs that woke a worker and finished without it; of the owner only */
    int jobs_without_wake; /* how many of the next jobs wake nobody when they begin; of the owner only */
    _Alignas(64) _Atomic uint32_t finished; /* pieces of the job that workers have finished */
    _Atomic bool caller_sleeps;
    _Alignas(64) _Atomic bool owned;
    _Atomic bool spins; /* there is a processor for each thread, so waiting threads may spin */
    _Atomic int count;  /* of threads, the caller included; 0: not determined yet */
    _Atomic int workers, sleepers, spinners;
    _Atomic int caller_processor;
    _Atomic int64_t alone_until; /* time of the clock until which jobs run without workers */
    unsigned forks;              /* how many forks lie between this process and the one in which the pool began */
    bool is_prepared;            /* for forks, and for questions that end their thread */
    system_lock done_lock;       /* taken by the caller, and by workers that held a piece */
    system_condition done;
    system_lock lock; /* guards the fields that follow, and the way of a worker to sleep */
    system_condition wake;
    bool alive[SSOP_MAX_THREADS];
    bool out_of_threads; /* the system did not create another thread */
} pool = {
    .done_lock = SYSTEM_LOCK_INIT,
    .done = SYSTEM_CONDITION_INIT,
    .lock = SYSTEM_LOCK_INIT,
    .wake = SYSTEM_CONDITION_INIT,
};

/* ---- how many ---------------------------------------------------------------------------------------------------- */

static void
set_count(int count)
{
    atomic_store(&pool.spins, count <= ssop_processors());
    atomic_store(&pool.count, count);
}

int
ssop_threads_count(void)
{
    if (atomic_load(&pool.count) == 0) {
        int processors = ssop_processors();
        set_count(processors < DEFAULT_MAX_THREADS ? processors : DEFAULT_MAX_THREADS);
    }
    return atomic_load(&pool.count);
}

void
ssop_threads_set_count(int count)
{
    SSOP_ASSERT(count >= 1 && count <= SSOP_MAX_THREADS);
    set_count(count);
    system_take(&pool.lock);
    pool.out_of_threads = false;
    system_release(&pool.lock);
    system_wake_all(&pool.wake); /* workers beyond the new count end */
}

int
ssop_threads_workers(void)
{
    return atomic_load(&pool.workers);
}

bool
ssop_threads_awake(void)
{
    return atomic_load(&pool.spinners) > 0;
}

/* ---- taking pieces ----------------------------------------------------------------------------------------------- */

static uint32_t
pieces_left(uint64_t ticket)
{
    return (uint32_t)(ticket & MAX_PIECES);
}

static bool
admits(uint64_t ticket, int worker)
{
    return pieces_left(ticket) > 0 && worker < (int)(ticket >> 24 & 0xFF);
}

/* Takes a piece and runs it, or returns false without one. The caller is worker -1. */
static bool
run_piece(int worker)
{
    uint64_t ticket = atomic_load(&pool.ticket);
    do {
        if (!admits(ticket, worker)) {
            return false;
        }
    } while (!atomic_compare_exchange_weak(&pool.ticket, &ticket, ticket - 1));
    const ssop_job *job = pool.job;
    int64_t first = (int64_t)(pool.pieces - pieces_left(ticket)) * job->piece;
    job->run(job->work, first, end_of_piece(job, first));
    return true;
}

/* ---- spinning ---------------------------------------------------------------------------------------------------- */

/* Executes some pause instructions; false once the clock has reached `end`. */
static bool
pause_until(int64_t end)
{
    for (int i = 0; i < PAUSES_PER_CLOCK; i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#else
        atomic_thread_fence(memory_order_seq_cst);
#endif
    }
    return system_nanoseconds() < end;
}

/* ---- workers ----------------------------------------------------------------------------------------------------- */

static bool
has_piece(int worker)
{
    return admits(atomic_load(&pool.ticket), worker);
}

/* Wakes a worker, if one sleeps and the lock is free. A worker that is about to sleep increments `sleepers` before it
 * reads the ticket for the last time. So either this thread sees the increment, or the worker sees the ticket. */
static void
wake_worker(void)
{
    if (atomic_load(&pool.sleepers) > 0 && system_try(&pool.lock)) {
        system_release(&pool.lock);
        system_wake(&pool.wake);
    }
}

static void
end_piece(void)
{
    atomic_fetch_add(&pool.finished, 1); /* from here on the caller may return, and the job no longer exist */
    if (atomic_load(&pool.caller_sleeps)) {
        system_take(&pool.done_lock);
        system_release(&pool.done_lock);
        system_wake(&pool.done);
    }
}

static void
spin_for_work(int worker)
{
    if (!atomic_load(&pool.spins)) {
        return;
    }
    atomic_fetch_add(&pool.spinners, 1);
    int64_t end = system_nanoseconds() + WORKER_SPIN_NANOSECONDS;
    /* Never spins on the processor of the caller, which could not run there meanwhile. */
    while (!has_piece(worker) &&
           (system_processor() < 0 || system_processor() != atomic_load(&pool.caller_processor)) && pause_until(end)) {
    }
    atomic_fetch_sub(&pool.spinners, 1);
}

/* Sleeps until there is a piece to take; false if this worker is beyond the count of threads and must end. */
static bool
sleep_until_called(int worker)
{
    system_take(&pool.lock);
    atomic_fetch_add(&pool.sleepers, 1);
    while (!has_piece(worker) && worker < atomic_load(&pool.count) - 1) {
        system_wait(&pool.wake, &pool.lock);
    }
    atomic_fetch_sub(&pool.sleepers, 1);
    bool stays = worker < atomic_load(&pool.count) - 1;
    if (!stays) {
        pool.alive[worker] = false;
        atomic_fetch_sub(&pool.workers, 1);
    }
    system_release(&pool.lock);
    if (!stays || has_piece(worker)) {
        wake_worker(); /* the caller wakes only one worker, and that may be one that ends */
    }
    return stays;
}

static system_thread_result SYSTEM_THREAD
work(void *argument)
{
    int worker = (int)(intptr_t)argument;
    do {
        do {
            while (run_piece(worker)) {
                end_piece();
            }
            spin_for_work(worker);
        } while (has_piece(worker));
    } while (sleep_until_called(worker));
    return 0;
}

static void
start_workers(int wanted)
{
    if (atomic_load(&pool.workers) >= wanted || !system_try(&pool.lock)) {
        return;
    }
    for (int worker = 0; worker < wanted && !pool.out_of_threads; worker++) {
        if (!pool.alive[worker]) {
            pool.alive[worker] = system_start(work, (void *)(intptr_t)worker, STACK_BYTES);
            pool.out_of_threads = !pool.alive[worker];
            atomic_fetch_add(&pool.workers, pool.alive[worker] ? 1 : 0);
        }
    }
    system_release(&pool.lock);
}

/* ---- fork -------------------------------------------------------------------------------------------------------- */

/* The child of a fork has only the thread that forked. Its pool begins again: no workers, no job, no owner. */

static void
before_fork(void)
{
    system_take(&pool.done_lock);
    system_take(&pool.lock);
}

static void
after_fork_in_parent(void)
{
    system_release(&pool.lock);
    system_release(&pool.done_lock);
}

static void
after_fork_in_child(void)
{
    after_fork_in_parent();
    system_renew(&pool.wake); /* no thread waits there any more */
    system_renew(&pool.done);
    atomic_store(&pool.ticket, 0);
    atomic_store(&pool.finished, 0);
    atomic_store(&pool.caller_sleeps, false);
    atomic_store(&pool.workers, 0);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.spinners, 0);
    for (int worker = 0; worker < SSOP_MAX_THREADS; worker++) {
        pool.alive[worker] = false;
    }
    pool.out_of_threads = false;
    pool.forks++;
    atomic_store(&pool.owned, false);
}

static void
prepare(void)
{
    pool.is_prepared = system_at_fork(before_fork, after_fork_in_parent, after_fork_in_child) && system_begin_asking();
}

/* ---- jobs -------------------------------------------------------------------------------------------------------- */

/* Waiting: before and during its work, the caller takes a lock that workers use, but only if it is free at once. If it
 * is not, the caller does not wake a worker and does all the work itself. In the end it waits only for pieces that
 * workers have started. That takes long only if a worker lost its processor in the middle of a piece. Where other
 * processes want the processors, that happens again and again; so after a long wait, jobs run without workers for many
 * times as long. */

/* What the owner of the pool knows about its job. */
typedef struct {
    ssop_job job;
    uint32_t pieces, own; /* the number of all pieces, and of those that the caller ran */
    unsigned forks;
    int64_t begin;    /* on the clock */
    bool woke_worker; /* this job has called wake_worker */
} shared_job;

static void
publish_job(shared_job *shared)
{
    int workers = ssop_threads_count() - 1;
    shared->forks = pool.forks;
    shared->begin = system_nanoseconds();
    atomic_store(&pool.caller_processor, system_processor());
    start_workers(workers);
    pool.job = &shared->job;
    pool.pieces = shared->pieces;
    pool.serial++;
    atomic_store(&pool.finished, 0);
    atomic_store(&pool.ticket, (uint64_t)pool.serial << 32 | (uint64_t)workers << 24 | shared->pieces);
    shared->woke_worker = pool.jobs_without_wake == 0;
    if (shared->woke_worker) {
        wake_worker();
    }
    else {
        pool.jobs_without_wake--;
    }
}

/* Adjusts how many of the next jobs wake a worker, by whether one came in time for this job. */
static void
learn_from_wake(const shared_job *shared, uint32_t started)
{
    if (started > 0) {
        pool.useless_wakes = pool.jobs_without_wake = 0;
    }
    else if (shared->woke_worker) {
        pool.useless_wakes += pool.useless_wakes < MAX_USELESS_WAKES ? 1 : 0;
        pool.jobs_without_wake = (1 << pool.useless_wakes) - 1;
    }
}

/* Waits until the pieces that workers have started are finished. */
static void
wait_for_workers(const shared_job *shared, uint32_t started)
{
    if (atomic_load(&pool.finished) == started) {
        return;
    }
    int64_t begin = system_nanoseconds(), end = begin + CALLER_SPIN_NANOSECONDS;
    while (atomic_load(&pool.spins) && atomic_load(&pool.finished) != started && pause_until(end)) {
    }
    system_take(&pool.done_lock);
    atomic_store(&pool.caller_sleeps, true);
    while (atomic_load(&pool.finished) != started) {
        system_wait(&pool.done, &pool.done_lock);
    }
    atomic_store(&pool.caller_sleeps, false);
    system_release(&pool.done_lock);
    int64_t now = system_nanoseconds(), waited = now - begin, total = now - shared->begin;
    if ((waited > LONG_WAIT_NANOSECONDS && waited > total / LONG_WAIT_SHARE) ||
        (waited > VERY_LONG_WAIT_NANOSECONDS && waited > total / VERY_LONG_WAIT_SHARE)) {
        atomic_store(&pool.alone_until, now + ALONE_FACTOR * waited);
    }
}

/* Removes the pieces that have not been started from the ticket, waits for the others, and releases the pool. */
static void
close_job(void *argument)
{
    const shared_job *shared = argument;
    if (shared->forks != pool.forks) {
        return; /* in the child of a fork, whose pool never had the job */
    }
    uint64_t ticket = atomic_fetch_and(&pool.ticket, ~(uint64_t)MAX_PIECES);
    uint32_t started = shared->pieces - pieces_left(ticket) - shared->own;
    wait_for_workers(shared, started);
    learn_from_wake(shared, started);
    atomic_store(&pool.owned, false);
}

/* Calls go_on. If that ends the thread, the job is closed: Python ends threads that want the GIL while the interpreter
 * shuts down. */
static bool
ask_go_on(shared_job *shared)
{
    return system_ask(shared->job.go_on, shared->job.context, close_job, shared);
}

static bool
run_shared(shared_job *shared)
{
    bool answer = true;
    publish_job(shared);
    while (answer && shared->forks == pool.forks && run_piece(-1)) {
        shared->own++;
        if (!shared->woke_worker && system_nanoseconds() - shared->begin > LONG_JOB_NANOSECONDS) {
            shared->woke_worker = true;
            wake_worker();
        }
        if (shared->job.go_on != NULL && pieces_left(atomic_load(&pool.ticket)) > 0) {
            answer = ask_go_on(shared);
        }
    }
    if (shared->forks != pool.forks) { /* this is the child of a fork, without the workers: run all pieces again */
        return answer && run_alone(&shared->job);
    }
    close_job(shared);
    return answer;
}

bool
ssop_threads_run(const ssop_job *job)
{
    static system_once once = SYSTEM_ONCE_INIT;
    if (job->piece >= job->steps || ssop_threads_count() == 1 ||
        system_nanoseconds() < atomic_load(&pool.alone_until)) {
        return run_alone(job);
    }
    system_run_once(&once, prepare);
    if (!pool.is_prepared || atomic_exchange(&pool.owned, true)) {
        return run_alone(job);
    }
    shared_job shared = {.job = *job};
    int64_t min_piece = (job->steps - 1) / MAX_PIECES + 1;
    shared.job.piece = job->piece > min_piece ? job->piece : min_piece;
    shared.pieces = (uint32_t)((job->steps - 1) / shared.job.piece + 1);
    return run_shared(&shared);
}

#endif /* SSOP_HAS_SYSTEM */
