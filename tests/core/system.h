/* Pages that may not be touched, threads that end, and pauses, for the tests that need them from the system. */
#ifndef SSOP_TESTS_SYSTEM_H
#define SSOP_TESTS_SYSTEM_H

#include "runtime/platform.h"

#include "check.h"

/* What a thread runs, and what it returned; NULL if it ended otherwise. */
typedef struct {
    void *(*run)(void *argument);
    void *argument, *result;
#if defined(_WIN32)
    HANDLE handle;
#else
    pthread_t handle;
#endif
} test_thread;

#if defined(_WIN32)

#include <process.h>

#define CAN_FORK 0

/* Whole pages, which may be neither read nor written. */
static inline char *
new_pages(size_t bytes)
{
    char *pages = VirtualAlloc(NULL, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS);
    CHECK(pages != NULL, "no memory");
    return pages;
}

static inline void
allow_access(char *pages, size_t bytes, bool allowed)
{
    DWORD before;
    CHECK(VirtualProtect(pages, bytes, allowed ? PAGE_READWRITE : PAGE_NOACCESS, &before), "no protection");
}

static inline DWORD WINAPI
run_thread(void *argument)
{
    test_thread *thread = argument;
    thread->result = thread->run(thread->argument);
    return 0;
}

static inline void
start_thread(test_thread *thread, void *(*run)(void *argument), void *argument)
{
    *thread = (test_thread){.run = run, .argument = argument};
    thread->handle = CreateThread(NULL, 0, run_thread, thread, 0, NULL);
    CHECK(thread->handle != NULL, "no thread");
}

static inline void *
join_thread(test_thread *thread)
{
    WaitForSingleObject(thread->handle, INFINITE);
    CloseHandle(thread->handle);
    return thread->result;
}

static inline _Noreturn void
end_this_thread(void)
{
    ExitThread(0);
}

static inline uintptr_t
this_thread(void)
{
    return GetCurrentThreadId();
}

static inline void
pause_microseconds(unsigned microseconds)
{
    Sleep((microseconds + 999) / 1000);
}

#else

#include <errno.h>
#include <sys/wait.h>

#define CAN_FORK 1

static inline char *
new_pages(size_t bytes)
{
    char *pages = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED, "no memory");
    return pages;
}

static inline void
allow_access(char *pages, size_t bytes, bool allowed)
{
    CHECK(mprotect(pages, bytes, allowed ? PROT_READ | PROT_WRITE : PROT_NONE) == 0, "no protection");
}

static inline void
start_thread(test_thread *thread, void *(*run)(void *argument), void *argument)
{
    *thread = (test_thread){.run = run, .argument = argument};
    CHECK(pthread_create(&thread->handle, NULL, run, argument) == 0, "no thread");
}

static inline void *
join_thread(test_thread *thread)
{
    pthread_join(thread->handle, &thread->result);
    return thread->result;
}

static inline _Noreturn void
end_this_thread(void)
{
    pthread_exit(NULL);
}

static inline uintptr_t
this_thread(void)
{
    return (uintptr_t)pthread_self();
}

static inline void
pause_microseconds(unsigned microseconds)
{
    usleep(microseconds);
}

/* Whether the child of a fork ended by itself, with code 0. */
static inline bool
child_is_well(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) {
            return false;
        }
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

#endif

#endif /* SSOP_TESTS_SYSTEM_H */
