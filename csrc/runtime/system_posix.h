/* Threads, memory and processors of POSIX systems. A call that only Linux has is tested for, and so is one of glibc.
 * Included by platform.h. */
#ifndef SSOP_RUNTIME_SYSTEM_POSIX_H
#define SSOP_RUNTIME_SYSTEM_POSIX_H

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

/* ---- threads ----------------------------------------------------------------------------------------------------- */

typedef pthread_mutex_t system_lock;
typedef pthread_cond_t system_condition;
typedef pthread_once_t system_once;
#define SYSTEM_LOCK_INIT PTHREAD_MUTEX_INITIALIZER
#define SYSTEM_CONDITION_INIT PTHREAD_COND_INITIALIZER
#define SYSTEM_ONCE_INIT PTHREAD_ONCE_INIT

static inline void
system_take(system_lock *lock)
{
    pthread_mutex_lock(lock);
}

/* Takes the lock and returns true, if it is free. */
static inline bool
system_try(system_lock *lock)
{
    return pthread_mutex_trylock(lock) == 0;
}

static inline void
system_release(system_lock *lock)
{
    pthread_mutex_unlock(lock);
}

/* Releases the lock, waits, and takes it again. It may also return without a call of system_wake. */
static inline void
system_wait(system_condition *condition, system_lock *lock)
{
    pthread_cond_wait(condition, lock);
}

static inline void
system_wake(system_condition *condition)
{
    pthread_cond_signal(condition);
}

static inline void
system_wake_all(system_condition *condition)
{
    pthread_cond_broadcast(condition);
}

/* Makes a condition new on which no thread of this process waits. */
static inline void
system_renew(system_condition *condition)
{
    pthread_cond_init(condition, NULL);
}

/* Runs the function once in the life of the process; other callers wait for it. */
static inline void
system_run_once(system_once *once, void (*run)(void))
{
    pthread_once(once, run);
}

/* Installs handlers that run before each fork, and after it in either process; false if there is no memory. */
static inline bool
system_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    return pthread_atfork(before, in_parent, in_child) == 0;
}

/* What the function of a thread returns: 0. SYSTEM_THREAD stands before its name. */
typedef void *system_thread_result;
#define SYSTEM_THREAD

/* Signals are handled by the threads of the program. Only those that a worker's own instructions raise are not
 * blocked. */
static inline void
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

/* Starts a thread that nobody joins; it ends with the process. False if the system does not create another one. */
static inline bool
system_start(system_thread_result (*run)(void *argument), void *argument, size_t stack_bytes)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) {
        return false;
    }
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    sigset_t before;
    block_signals(&before);
    pthread_t thread;
    bool started = pthread_create(&thread, &attributes, run, argument) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

/* To be called once before system_ask; false if that cannot work. */
static inline bool
system_begin_asking(void)
{
    return true;
}

/* Returns question(context). If that ends the thread instead, answer_lost(argument) runs first. */
static inline bool
system_ask(bool (*question)(void *context), void *context, void (*answer_lost)(void *argument), void *argument)
{
    bool answer;
    pthread_cleanup_push(answer_lost, argument);
    answer = question(context);
    pthread_cleanup_pop(0);
    return answer;
}

/* A clock that never jumps. */
static inline int64_t
system_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- processors -------------------------------------------------------------------------------------------------- */

/* The number of the processor that this thread runs on; -1 if unknown. */
static inline int
system_processor(void)
{
#if defined(__linux__)
    return sched_getcpu();
#else
    return -1;
#endif
}

/* How many processors this process may run on; at least 1. */
static inline int
system_processors(void)
{
#if defined(__linux__)
    cpu_set_t mask;
    if (sched_getaffinity(0, sizeof mask, &mask) == 0) {
        return CPU_COUNT(&mask);
    }
#endif
    /* Comes here also on machines with more than 1024 processors, where sched_getaffinity fails. */
    const long count = sysconf(_SC_NPROCESSORS_ONLN), most = 1 << 20;
    return count < 1 ? 1 : (int)(count < most ? count : most);
}

/* The size of the last-level cache, as the C library knows it; not positive if it does not. */
static inline int64_t
system_cache_bytes(void)
{
#if defined(_SC_LEVEL3_CACHE_SIZE)
    return sysconf(_SC_LEVEL3_CACHE_SIZE);
#else
    return 0;
#endif
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static inline size_t
system_page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Of the machine; 0 if unknown, or if system_allow_reclaim does not work. */
static inline size_t
system_memory_pages(void)
{
#if defined(MADV_FREE)
    long pages = sysconf(_SC_PHYS_PAGES);
    return pages > 0 ? (size_t)pages : 0;
#else
    return 0;
#endif
}

/* Maps fresh pages and returns an address in them that is a multiple of `alignment`, with `before` bytes in front of it
 * and `bytes` bytes from it on. All three are multiples of a page. Sets *map to what system_unmap is to unmap. */
static inline char *
system_map(size_t before, size_t bytes, size_t alignment, char **map)
{
    const size_t reserved = before + bytes + alignment;
    char *all = mmap(NULL, reserved, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) {
        return NULL;
    }
    const size_t past = ((uintptr_t)all + before) % alignment, unused = past > 0 ? alignment - past : 0;
    if (unused > 0) {
        munmap(all, unused);
        all += unused;
    }
    if (alignment > unused) {
        munmap(all + before + bytes, alignment - unused);
    }
#if defined(MADV_HUGEPAGE)
    madvise(all, before + bytes, MADV_HUGEPAGE); /* may fail: then the pages are small ones */
#endif
    *map = all;
    return all + before;
}

static inline void
system_unmap(char *map, size_t bytes)
{
    munmap(map, bytes);
}

/* Allows the system to take mapped pages when it is short of memory; until then they stay mapped. The contents may be
 * lost. False if there is no such call. MADV_FREE is fast, because the pages are only marked. */
static inline bool
system_allow_reclaim(void *pages, size_t bytes)
{
#if defined(MADV_FREE)
    return madvise(pages, bytes, MADV_FREE) == 0;
#else
    (void)pages;
    (void)bytes;
    return false;
#endif
}

/* As malloc and free, for an address that is a multiple of `alignment`. */
static inline void *
system_allocate(size_t alignment, size_t bytes)
{
    void *made;
    return posix_memalign(&made, alignment, bytes) == 0 ? made : NULL;
}

static inline void
system_free(void *memory)
{
    free(memory);
}

/* Returns freed memory of malloc's to the system. */
static inline void
system_trim(void)
{
#if defined(__GLIBC__)
    malloc_trim(0); /* glibc keeps freed memory that is not at the end of its heap */
#endif
}

#endif /* SSOP_RUNTIME_SYSTEM_POSIX_H */
