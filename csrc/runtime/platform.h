/* First include of every file of the runtime: tests which system this is, and gives all systems the same functions.
 * Nothing else in the runtime tests for a system. */
#ifndef SSOP_RUNTIME_PLATFORM_H
#define SSOP_RUNTIME_PLATFORM_H

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* affinity masks, anonymous mappings */
#endif

#include "../core/common.h"

/* SSOP_HAS_SYSTEM is 1 if there are threads and memory mappings. Otherwise everything runs in the calling thread, and
 * no blocks are cached. SSOP_HAS_PROC is 1 if the folders /proc and /sys may tell of processors and caches. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__) && !defined(__STDC_NO_ATOMICS__)
#define SSOP_HAS_SYSTEM 1
#define SSOP_HAS_PROC 1
#include "system_posix.h"
#elif defined(_WIN32) && !defined(__STDC_NO_ATOMICS__)
#define SSOP_HAS_SYSTEM 1
#define SSOP_HAS_PROC 0
#include "system_windows.h"
#else
#define SSOP_HAS_SYSTEM 0
#define SSOP_HAS_PROC 0

static inline int
system_processors(void)
{
    return 1;
}

static inline int64_t
system_cache_bytes(void)
{
    return 0;
}

#endif

#endif /* SSOP_RUNTIME_PLATFORM_H */
