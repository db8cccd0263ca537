/* Threads, memory and processors of Windows. The functions do what system_posix.h says. Included by platform.h. */
#ifndef SSOP_RUNTIME_SYSTEM_WINDOWS_H
#define SSOP_RUNTIME_SYSTEM_WINDOWS_H

#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#include <malloc.h>
#include <stdlib.h>
#include <windows.h>
#undef far /* ordinary names, which that header takes */
#undef near

/* ---- threads ----------------------------------------------------------------------------------------------------- */

typedef SRWLOCK system_lock;
typedef CONDITION_VARIABLE system_condition;
typedef INIT_ONCE system_once;
#define SYSTEM_LOCK_INIT SRWLOCK_INIT
#define SYSTEM_CONDITION_INIT CONDITION_VARIABLE_INIT
#define SYSTEM_ONCE_INIT INIT_ONCE_STATIC_INIT

static inline void
system_take(system_lock *lock)
{
    AcquireSRWLockExclusive(lock);
}

static inline bool
system_try(system_lock *lock)
{
    return TryAcquireSRWLockExclusive(lock) != 0;
}

static inline void
system_release(system_lock *lock)
{
    ReleaseSRWLockExclusive(lock);
}

static inline void
system_wait(system_condition *condition, system_lock *lock)
{
    SleepConditionVariableSRW(condition, lock, INFINITE, 0);
}

static inline void
system_wake(system_condition *condition)
{
    WakeConditionVariable(condition);
}

static inline void
system_wake_all(system_condition *condition)
{
    WakeAllConditionVariable(condition);
}

static inline void
system_renew(system_condition *condition)
{
    InitializeConditionVariable(condition);
}

static inline void
system_run_once(system_once *once, void (*run)(void))
{
    BOOL first;
    if (InitOnceBeginInitialize(once, 0, &first, NULL) && first) {
        run();
        InitOnceComplete(once, 0, NULL);
    }
}

/* There are no forks. */
static inline bool
system_at_fork(void (*before)(void), void (*in_parent)(void), void (*in_child)(void))
{
    (void)before;
    (void)in_parent;
    (void)in_child;
    return true;
}

typedef DWORD system_thread_result;
#define SYSTEM_THREAD WINAPI

static inline bool
system_start(system_thread_result(SYSTEM_THREAD *run)(void *argument), void *argument, size_t stack_bytes)
{
    HANDLE thread = CreateThread(NULL, stack_bytes, run, argument, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    if (thread == NULL) {
        return false;
    }
    CloseHandle(thread);
    return true;
}

/* What is to run if a question ends its thread. */
typedef struct {
    void (*run)(void *argument);
    void *argument;
} lost_answer;

/* Runs at the end of a thread that is in the middle of a question. The end of the process comes here as well, when its
 * other threads are gone already, so that nobody could wait for them. */
static inline void WINAPI
lose_answer(void *lost)
{
    HMODULE system = GetModuleHandleW(L"ntdll.dll");
    void (*found)(void) = (void (*)(void))GetProcAddress(system, "RtlDllShutdownInProgress");
    if (found == NULL || !((BOOLEAN(NTAPI *)(void))found)()) {
        ((lost_answer *)lost)->run(((lost_answer *)lost)->argument);
    }
}

/* The slot of each thread that points to its lost_answer. */
static DWORD answer_slot;

static inline bool
system_begin_asking(void)
{
    answer_slot = FlsAlloc(lose_answer);
    return answer_slot != FLS_OUT_OF_INDEXES;
}

static inline bool
system_ask(bool (*question)(void *context), void *context, void (*answer_lost)(void *argument), void *argument)
{
    lost_answer lost = {answer_lost, argument};
    FlsSetValue(answer_slot, &lost);
    bool answer = question(context);
    FlsSetValue(answer_slot, NULL);
    return answer;
}

static inline int64_t
system_nanoseconds(void)
{
    const int64_t second = 1000000000;
    LARGE_INTEGER now, frequency;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&frequency);
    return now.QuadPart / frequency.QuadPart * second + now.QuadPart % frequency.QuadPart * second / frequency.QuadPart;
}

/* ---- processors -------------------------------------------------------------------------------------------------- */

static inline int
system_processor(void)
{
    PROCESSOR_NUMBER number;
    GetCurrentProcessorNumberEx(&number);
    return number.Group * 64 + number.Number;
}

static inline int
system_processors(void)
{
    DWORD_PTR mine = 0, all = 0; /* both 0 if the process has threads in several groups of 64 processors */
    GetProcessAffinityMask(GetCurrentProcess(), &mine, &all);
    return mine != 0 ? __builtin_popcountll(mine) : (int)GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
}

static inline int64_t
system_cache_bytes(void)
{
    DWORD bytes = 0, largest = 0;
    GetLogicalProcessorInformation(NULL, &bytes);
    SYSTEM_LOGICAL_PROCESSOR_INFORMATION *parts = malloc(bytes);
    if (parts != NULL && GetLogicalProcessorInformation(parts, &bytes)) {
        BYTE level = 0;
        for (const SYSTEM_LOGICAL_PROCESSOR_INFORMATION *part = parts; part < parts + bytes / sizeof *parts; part++) {
            const CACHE_DESCRIPTOR *cache = &part->Cache;
            if (part->Relationship == RelationCache && cache->Type != CacheInstruction &&
                (cache->Level > level || (cache->Level == level && cache->Size > largest))) {
                level = cache->Level;
                largest = cache->Size;
            }
        }
    }
    free(parts);
    return largest;
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static inline size_t
system_page_bytes(void)
{
    SYSTEM_INFO facts;
    GetSystemInfo(&facts);
    return facts.dwPageSize;
}

static inline size_t
system_memory_pages(void)
{
    MEMORYSTATUSEX memory = {.dwLength = sizeof memory};
    return GlobalMemoryStatusEx(&memory) ? (size_t)(memory.ullTotalPhys / system_page_bytes()) : 0;
}

/* A part of a reservation cannot be released, so the unused addresses stay reserved; they have no memory. */
static inline char *
system_map(size_t before, size_t bytes, size_t alignment, char **map)
{
    char *all = VirtualAlloc(NULL, before + bytes + alignment, MEM_RESERVE, PAGE_NOACCESS);
    if (all == NULL) {
        return NULL;
    }
    const size_t past = ((uintptr_t)all + before) % alignment, unused = past > 0 ? alignment - past : 0;
    if (VirtualAlloc(all + unused, before + bytes, MEM_COMMIT, PAGE_READWRITE) == NULL) {
        VirtualFree(all, 0, MEM_RELEASE);
        return NULL;
    }
    *map = all;
    return all + unused + before;
}

static inline void
system_unmap(char *map, size_t bytes)
{
    (void)bytes;
    VirtualFree(map, 0, MEM_RELEASE);
}

static inline bool
system_allow_reclaim(void *pages, size_t bytes)
{
    return VirtualAlloc(pages, bytes, MEM_RESET, PAGE_READWRITE) != NULL;
}

static inline void *
system_allocate(size_t alignment, size_t bytes)
{
    return _aligned_malloc(bytes, alignment);
}

static inline void
system_free(void *memory)
{
    _aligned_free(memory);
}

static inline void
system_trim(void)
{
    _heapmin();
}

#endif /* SSOP_RUNTIME_SYSTEM_WINDOWS_H */
