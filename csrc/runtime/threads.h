/* A small pool of threads that help the calling one. There are none before the first job that is shared. */
#ifndef SSOP_RUNTIME_THREADS_H
#define SSOP_RUNTIME_THREADS_H

#include <stdbool.h>
#include <stdint.h>

enum { SSOP_MAX_THREADS = 64 };

/* How many threads a job may have, its caller included; 1 .. SSOP_MAX_THREADS. At first as many as there are processors
 * for this process, but at most eight: few memories feed more. */
int ssop_threads_count(void);
void ssop_threads_set_count(int count);

/* Steps 0 .. steps - 1 of some work, in pieces that may run in any order and at the same time. A piece may run a second
 * time after it has ended, in the child of a fork: so it must not read what it writes. */
typedef struct {
    void (*run)(const void *work, int64_t first, int64_t last);
    const void *work;
    int64_t steps, piece; /* in all; in one piece, at least 1 */
    /* Asked in the caller's thread between pieces of its own, if not NULL. On false the pieces that nobody has begun are
     * dropped. It may end the thread instead of returning, and it may fork. */
    bool (*go_on)(void *context);
    void *context;
} ssop_job;

/* True once every step is done, false if go_on said so. The caller runs all pieces that no worker has begun, and waits only
 * for those that one has: never for a worker to come. One job has the pool; others that come meanwhile run in their own
 * thread alone. */
bool ssop_threads_run(const ssop_job *job);

/* How many workers there are, and whether one of them would begin a job at once, being still awake from the last. */
int ssop_threads_workers(void);
bool ssop_threads_awake(void);

#endif /* SSOP_RUNTIME_THREADS_H */
