/* A pool of worker threads, which help the calling thread. They are created by the first job that has several
 * pieces. */
#ifndef SSOP_RUNTIME_THREADS_H
#define SSOP_RUNTIME_THREADS_H

#include <stdbool.h>
#include <stdint.h>

/* Not measured; chosen because it is several times what any copy can use, and below the 255 that the ticket counts. */
enum { SSOP_MAX_THREADS = 64 };

/* How many threads a job may use, its caller included; 1 .. SSOP_MAX_THREADS. The default is the number of processors
 * that this process may use, but at most eight. */
int ssop_threads_count(void);
void ssop_threads_set_count(int count);

/* Steps 0 .. steps - 1 of some work, divided into pieces that may run in any order and at the same time. In the child
 * of a fork a piece may run a second time after it has ended, so a piece must not read what it writes. */
typedef struct {
    void (*run)(const void *work, int64_t first, int64_t last);
    const void *work;
    int64_t steps, piece; /* the number of all steps, and of the steps in one piece (at least 1) */
    /* If not NULL, called in the caller's thread between its pieces. If it returns false, the pieces that have not been
     * started are dropped. It may end the thread instead of returning, and it may fork. */
    bool (*go_on)(void *context);
    void *context;
} ssop_job;

/* Runs a job. Returns true when all steps are done, false if go_on returned false. The caller runs all pieces that no
 * worker has started, and waits only for those that a worker has started. Only one job uses the pool at a time;
 * concurrent jobs run on their own thread. */
bool ssop_threads_run(const ssop_job *job);

/* How many steps of so many bytes are one piece of a job, which uses all threads if it is `shared`, else only the
 * caller's. A piece is as long as go_on may wait. */
int64_t ssop_threads_piece(int64_t steps, int64_t step_bytes, bool shared);

/* How many workers there are, and whether one of them is still spinning after its last job, so that it would start the
 * next at once. */
int ssop_threads_workers(void);
bool ssop_threads_awake(void);

#endif /* SSOP_RUNTIME_THREADS_H */
