/* The pool. One job at a time owns it. One word, the ticket, says how many pieces of it nobody has begun.
 *
 * Lifetime: a job lives in its caller's frame. A piece is taken by counting the ticket down, so it has one taker, and the
 * caller returns only after as many pieces have ended as were taken. Who holds a piece may read the job; who holds none
 * must not. A worker that wakes up late finds nothing left in the ticket and looks at nothing else. The serial number
 * keeps a ticket that was read long ago from passing for today's.
 *
 * Waiting: the caller takes no lock that a worker without a piece may hold, unless it is free at once. Where it is not, the
 * worker sleeps on, and the caller does its work. What is left to wait for is a worker that lost its processor in the
 * middle of a piece. Where others want the processors too, that happens again and again: so after such a wait jobs run
 * alone for a while, many times as long.
 */
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

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "processors.h"

enum {
    DEFAULT_MOST_THREADS = 8,
    STACK_BYTES = 1024 * 1024,
    /* So long a worker looks out for the next job, and a caller for the end of its own, before they sleep: about what it
     * takes to be woken. */
    LOOK_OUT_NANOSECONDS = 50 * 1000,
    AWAIT_NANOSECONDS = 20 * 1000,
    PAUSES = 32, /* between two looks at the clock */
    /* A wait of so long, and of more than this part of its job, is answered by so many times that of running alone; a
     * longer one, as only a lost processor makes it, where it is a smaller part, too. */
    LONG_WAIT_NANOSECONDS = 40 * 1000,
    LONG_WAIT_PART = 2,
    VERY_LONG_WAIT_NANOSECONDS = 1000 * 1000,
    VERY_LONG_WAIT_PART = 8,
    ALONE_TIMES = 16,
    /* Waking a worker that comes too late costs the caller something, too: after each such time, twice as many jobs wake
     * nobody unless they last this long. */
    MOST_VAIN_CALLS = 6,
    LONG_JOB_NANOSECONDS = 200 * 1000,
    MOST_PIECES = (1 << 24) - 1,
};

static struct {
    /* Serial number << 32 | workers that may take part << 24 | pieces that nobody has begun. */
    _Alignas(64) _Atomic uint64_t ticket;
    /* Written by the owner while nothing is left in the ticket, read by those who hold a piece. */
    const ssop_job *job;
    uint32_t pieces, serial;
    int vain_calls, quiet_jobs; /* the owner's: calls that nobody came to, and jobs to come that wake nobody at once */
    _Alignas(64) _Atomic uint32_t finished; /* pieces of the job that workers have ended */
    _Atomic bool caller_sleeps;
    _Alignas(64) _Atomic bool owned;
    _Atomic bool spins; /* there is a processor for each thread */
    _Atomic int count;  /* threads wanted; 0: nobody has asked yet */
    _Atomic int workers, sleepers, spinners;
    _Atomic int caller_processor;
    _Atomic int64_t alone_until; /* on the clock */
    unsigned forks;              /* that lie between this process and the one that made the pool */
    bool can_fork;               /* the handlers are in place */
    pthread_mutex_t done_lock;   /* taken by the caller, and by workers that held a piece */
    pthread_cond_t done;
    pthread_mutex_t lock; /* guards what follows, and falling asleep */
    pthread_cond_t wake;
    bool alive[SSOP_MAX_THREADS];
    bool refused; /* the system gave no more threads */
} pool = {
    .done_lock = PTHREAD_MUTEX_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .wake = PTHREAD_COND_INITIALIZER,
};

/* ---- how many ------------------------------------------------------------------------------------------------------- */

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
        set_count(processors < DEFAULT_MOST_THREADS ? processors : DEFAULT_MOST_THREADS);
    }
    return atomic_load(&pool.count);
}

void
ssop_threads_set_count(int count)
{
    SSOP_ASSERT(count >= 1 && count <= SSOP_MAX_THREADS);
    set_count(count);
    pthread_mutex_lock(&pool.lock);
    pool.refused = false;
    pthread_mutex_unlock(&pool.lock);
    pthread_cond_broadcast(&pool.wake); /* those that are too many end */
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

/* ---- taking pieces -------------------------------------------------------------------------------------------------- */

static uint32_t
left_in(uint64_t ticket)
{
    return (uint32_t)(ticket & MOST_PIECES);
}

static bool
admits(uint64_t ticket, int worker)
{
    return left_in(ticket) > 0 && worker < (int)(ticket >> 24 & 0xFF);
}

/* The caller is worker -1. Runs one piece and says so, or does nothing. */
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
    int64_t first = (int64_t)(pool.pieces - left_in(ticket)) * job->piece;
    job->run(job->work, first, end_of_piece(job, first));
    return true;
}

/* ---- looking out ---------------------------------------------------------------------------------------------------- */

static int64_t
now_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* The one that this thread runs on, or -1. */
static int
processor(void)
{
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

/* Passes a moment; false once it is `end`. */
static bool
pause_until(int64_t end)
{
    for (int i = 0; i < PAUSES; i++) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#elif defined(__aarch64__)
        __asm__ volatile("yield");
#else
        atomic_thread_fence(memory_order_seq_cst);
#endif
    }
    return now_nanoseconds() < end;
}

/* ---- workers -------------------------------------------------------------------------------------------------------- */

static bool
has_piece(int worker)
{
    return admits(atomic_load(&pool.ticket), worker);
}

/* Wakes a worker, if one sleeps and the lock is free. Who is about to sleep has counted itself before it looks at the ticket
 * for the last time, so either this thread sees it or it sees the ticket. */
static void
wake_worker(void)
{
    if (atomic_load(&pool.sleepers) > 0 && pthread_mutex_trylock(&pool.lock) == 0) {
        pthread_mutex_unlock(&pool.lock);
        pthread_cond_signal(&pool.wake);
    }
}

static void
end_piece(void)
{
    atomic_fetch_add(&pool.finished, 1); /* from here on the job may be gone */
    if (atomic_load(&pool.caller_sleeps)) {
        pthread_mutex_lock(&pool.done_lock);
        pthread_mutex_unlock(&pool.done_lock);
        pthread_cond_signal(&pool.done);
    }
}

static void
look_out(int worker)
{
    if (!atomic_load(&pool.spins)) {
        return;
    }
    atomic_fetch_add(&pool.spinners, 1);
    int64_t end = now_nanoseconds() + LOOK_OUT_NANOSECONDS;
    /* On the caller's own processor it would keep the caller from coming back. */
    while (!has_piece(worker) && (processor() < 0 || processor() != atomic_load(&pool.caller_processor)) &&
           pause_until(end)) {
    }
    atomic_fetch_sub(&pool.spinners, 1);
}

/* Until there is a piece to take; false if this worker is one too many. */
static bool
sleep_until_called(int worker)
{
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.sleepers, 1);
    while (!has_piece(worker) && worker < atomic_load(&pool.count) - 1) {
        pthread_cond_wait(&pool.wake, &pool.lock);
    }
    atomic_fetch_sub(&pool.sleepers, 1);
    bool stays = worker < atomic_load(&pool.count) - 1;
    if (!stays) {
        pool.alive[worker] = false;
        atomic_fetch_sub(&pool.workers, 1);
    }
    pthread_mutex_unlock(&pool.lock);
    if (!stays || has_piece(worker)) {
        wake_worker(); /* the caller wakes only one, who may be one too many */
    }
    return stays;
}

static void *
work(void *argument)
{
    int worker = (int)(intptr_t)argument;
    do {
        do {
            while (run_piece(worker)) {
                end_piece();
            }
            look_out(worker);
        } while (has_piece(worker));
    } while (sleep_until_called(worker));
    return NULL;
}

/* Signals are for the threads of the program, but for those that this thread itself may raise. */
static void
block_signals(sigset_t *before)
{
    sigset_t blocked;
    sigfillset(&blocked);
    sigdelset(&blocked, SIGSEGV);
    sigdelset(&blocked, SIGBUS);
    sigdelset(&blocked, SIGILL);
    sigdelset(&blocked, SIGFPE);
    pthread_sigmask(SIG_SETMASK, &blocked, before);
}

static bool
start_worker(int worker)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED); /* ends with the process */
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigset_t before;
    block_signals(&before);
    pthread_t thread;
    bool started = pthread_create(&thread, &attributes, work, (void *)(intptr_t)worker) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

static void
start_workers(int wanted)
{
    if (atomic_load(&pool.workers) >= wanted || pthread_mutex_trylock(&pool.lock) != 0) {
        return;
    }
    for (int worker = 0; worker < wanted && !pool.refused; worker++) {
        if (!pool.alive[worker]) {
            pool.alive[worker] = start_worker(worker);
            pool.refused = !pool.alive[worker];
            atomic_fetch_add(&pool.workers, pool.alive[worker] ? 1 : 0);
        }
    }
    pthread_mutex_unlock(&pool.lock);
}

/* ---- fork ----------------------------------------------------------------------------------------------------------- */

/* A child has one thread, and no pool: no worker, no job, no owner, no sleeper. */

static void
before_fork(void)
{
    pthread_mutex_lock(&pool.done_lock);
    pthread_mutex_lock(&pool.lock);
}

static void
after_fork_in_parent(void)
{
    pthread_mutex_unlock(&pool.lock);
    pthread_mutex_unlock(&pool.done_lock);
}

static void
after_fork_in_child(void)
{
    after_fork_in_parent();
    pthread_cond_init(&pool.wake, NULL); /* nobody waits there any more */
    pthread_cond_init(&pool.done, NULL);
    atomic_store(&pool.ticket, 0);
    atomic_store(&pool.finished, 0);
    atomic_store(&pool.caller_sleeps, false);
    atomic_store(&pool.workers, 0);
    atomic_store(&pool.sleepers, 0);
    atomic_store(&pool.spinners, 0);
    for (int worker = 0; worker < SSOP_MAX_THREADS; worker++) {
        pool.alive[worker] = false;
    }
    pool.refused = false;
    pool.forks++;
    atomic_store(&pool.owned, false);
}

static void
prepare_for_forks(void)
{
    pool.can_fork = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
}

/* ---- jobs ----------------------------------------------------------------------------------------------------------- */

/* What the owner of the pool knows of its job. */
typedef struct {
    ssop_job job;
    uint32_t pieces, own; /* all, and those that the caller ran */
    unsigned forks;
    int64_t begin; /* on the clock */
    bool called;   /* a worker was woken, or did not sleep */
} shared_job;

static void
open_job(shared_job *shared)
{
    int workers = ssop_threads_count() - 1;
    shared->forks = pool.forks;
    shared->begin = now_nanoseconds();
    atomic_store(&pool.caller_processor, processor());
    start_workers(workers);
    pool.job = &shared->job;
    pool.pieces = shared->pieces;
    pool.serial++;
    atomic_store(&pool.finished, 0);
    atomic_store(&pool.ticket, (uint64_t)pool.serial << 32 | (uint64_t)workers << 24 | shared->pieces);
    shared->called = pool.quiet_jobs == 0;
    if (shared->called) {
        wake_worker();
    }
    else {
        pool.quiet_jobs--;
    }
}

/* Whether it was worth while to wake a worker. */
static void
learn_from_calls(const shared_job *shared, uint32_t begun)
{
    if (begun > 0) {
        pool.vain_calls = pool.quiet_jobs = 0;
    }
    else if (shared->called) {
        pool.vain_calls += pool.vain_calls < MOST_VAIN_CALLS ? 1 : 0;
        pool.quiet_jobs = (1 << pool.vain_calls) - 1;
    }
}

/* Until the pieces that workers have begun are done. */
static void
await_workers(const shared_job *shared, uint32_t begun)
{
    if (atomic_load(&pool.finished) == begun) {
        return;
    }
    int64_t begin = now_nanoseconds(), end = begin + AWAIT_NANOSECONDS;
    while (atomic_load(&pool.spins) && atomic_load(&pool.finished) != begun && pause_until(end)) {
    }
    pthread_mutex_lock(&pool.done_lock);
    atomic_store(&pool.caller_sleeps, true);
    while (atomic_load(&pool.finished) != begun) {
        pthread_cond_wait(&pool.done, &pool.done_lock);
    }
    atomic_store(&pool.caller_sleeps, false);
    pthread_mutex_unlock(&pool.done_lock);
    int64_t now = now_nanoseconds(), waited = now - begin, total = now - shared->begin;
    if ((waited > LONG_WAIT_NANOSECONDS && waited > total / LONG_WAIT_PART) ||
        (waited > VERY_LONG_WAIT_NANOSECONDS && waited > total / VERY_LONG_WAIT_PART)) {
        atomic_store(&pool.alone_until, now + ALONE_TIMES * waited);
    }
}

/* Lets nobody begin another piece, waits for those that have begun, and leaves the pool to others. */
static void
close_job(void *argument)
{
    const shared_job *shared = argument;
    if (shared->forks != pool.forks) {
        return; /* the pool of this process never had the job */
    }
    uint64_t ticket = atomic_fetch_and(&pool.ticket, ~(uint64_t)MOST_PIECES);
    uint32_t begun = shared->pieces - left_in(ticket) - shared->own;
    await_workers(shared, begun);
    learn_from_calls(shared, begun);
    atomic_store(&pool.owned, false);
}

/* Also if the question ends this thread: Python ends those that want the GIL while the interpreter shuts down. */
static bool
goes_on(shared_job *shared)
{
    bool answer;
    pthread_cleanup_push(close_job, shared);
    answer = shared->job.go_on(shared->job.context);
    pthread_cleanup_pop(0);
    return answer;
}

static bool
run_shared(shared_job *shared)
{
    bool answer = true;
    open_job(shared);
    while (answer && shared->forks == pool.forks && run_piece(-1)) {
        shared->own++;
        if (!shared->called && now_nanoseconds() - shared->begin > LONG_JOB_NANOSECONDS) {
            shared->called = true;
            wake_worker();
        }
        if (shared->job.go_on != NULL && left_in(atomic_load(&pool.ticket)) > 0) {
            answer = goes_on(shared);
        }
    }
    if (shared->forks != pool.forks) { /* pieces that workers had begun have no worker here: all of it once more */
        return answer && run_alone(&shared->job);
    }
    close_job(shared);
    return answer;
}

bool
ssop_threads_run(const ssop_job *job)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (job->piece >= job->steps || ssop_threads_count() == 1 || now_nanoseconds() < atomic_load(&pool.alone_until)) {
        return run_alone(job);
    }
    pthread_once(&once, prepare_for_forks);
    if (!pool.can_fork || atomic_exchange(&pool.owned, true)) {
        return run_alone(job);
    }
    shared_job shared = {.job = *job};
    int64_t least = (job->steps - 1) / MOST_PIECES + 1;
    shared.job.piece = job->piece > least ? job->piece : least;
    shared.pieces = (uint32_t)((job->steps - 1) / shared.job.piece + 1);
    return run_shared(&shared);
}

#endif /* SSOP_HAS_SYSTEM */
