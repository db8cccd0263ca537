/* Work that counts how often each of its steps runs, and limits of waiting. Included by test_threads.c after the pool,
 * whose inside it resets. */
#ifndef SSOP_TESTS_COUNTING_H
#define SSOP_TESTS_COUNTING_H

#include "system.h"

enum { MAX_STEPS = 1000, LIMIT_SECONDS = 300 };

/* ---- waiting
 * --------------------------------------------------------------------------------------------------------- */

/* The tests wait for a state, however long this machine takes to reach it. The limit only ends a test that would
 * hang. */
static inline int64_t
limit(void)
{
    return system_nanoseconds() + LIMIT_SECONDS * INT64_C(1000000000);
}

static inline bool
wait_before(int64_t end)
{
    pause_microseconds(100);
    return system_nanoseconds() < end;
}

/* ---- work that counts
 * ------------------------------------------------------------------------------------------------ */

/* Stands in the caller's frame, as the work of real jobs does. */
typedef struct {
    _Atomic int runs[MAX_STEPS];
    _Atomic int inside, most_inside, by_others;
    uintptr_t caller;
    _Atomic bool over; /* nobody may come any more */
    int pauses;        /* in each piece */
} counting;

static inline void
count_steps(const void *work, int64_t first, int64_t last)
{
    counting *count = (counting *)(uintptr_t)work;
    int inside = atomic_fetch_add(&count->inside, 1) + 1, most = atomic_load(&count->most_inside);
    while (inside > most && !atomic_compare_exchange_weak(&count->most_inside, &most, inside)) {
    }
    if (this_thread() != count->caller) {
        atomic_fetch_add(&count->by_others, 1);
    }
    for (int64_t step = first; step < last; step++) {
        atomic_fetch_add(&count->runs[step], atomic_load(&count->over) ? 1000 : 1);
    }
    for (int i = 0; i < count->pauses; i++) {
        pause_until(INT64_MAX);
    }
    atomic_fetch_sub(&count->inside, 1);
}

static inline void
reset(counting *count)
{
    memset((void *)count, 0, sizeof *count);
    count->caller = this_thread();
    atomic_store(&pool.alone_until, 0); /* whatever this machine did meanwhile */
    pool.useless_wakes = pool.jobs_without_wake = 0;
}

/* Steps that ran `times` times. */
static inline int
ran(counting *count, int64_t steps, int times)
{
    int found = 0;
    for (int64_t step = 0; step < steps; step++) {
        found += atomic_load(&count->runs[step]) == times ? 1 : 0;
    }
    return found;
}

static inline bool
run_counting(counting *count, int64_t steps, int64_t piece, bool (*go_on)(void *context), void *context)
{
    ssop_job job = {
        .run = count_steps, .work = count, .steps = steps, .piece = piece, .go_on = go_on, .context = context};
    bool done = ssop_threads_run(&job);
    atomic_store(&count->over, true);
    return done;
}

#endif /* SSOP_TESTS_COUNTING_H */
