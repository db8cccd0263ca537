/* First include of every file of the runtime: tests whether the system has threads and memory mappings, and declares
 * its extensions. A function with a call that only Linux has tests for Linux itself. */
#ifndef SSOP_RUNTIME_PLATFORM_H
#define SSOP_RUNTIME_PLATFORM_H

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* affinity masks, anonymous mappings */
#endif

#include "../core/common.h"

/* 1 if there are POSIX threads and memory mappings. Otherwise everything runs in the calling thread, and no blocks are
 * cached. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__) && !defined(__STDC_NO_ATOMICS__)
#define SSOP_HAS_SYSTEM 1
#else
#define SSOP_HAS_SYSTEM 0
#endif

#endif /* SSOP_RUNTIME_PLATFORM_H */
