/* First include of every file of the runtime: what this system offers. Nothing else asks which system it is. */
#ifndef SSOP_RUNTIME_PLATFORM_H
#define SSOP_RUNTIME_PLATFORM_H

#if !defined(_GNU_SOURCE)
#define _GNU_SOURCE /* affinity masks, anonymous mappings */
#endif

#include "../core/common.h"

/* Threads and mappings, or neither: then everything runs in the calling thread, and nothing is kept. */
#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__) && !defined(__STDC_NO_ATOMICS__)
#define SSOP_HAS_SYSTEM 1
#else
#define SSOP_HAS_SYSTEM 0
#endif

#endif /* SSOP_RUNTIME_PLATFORM_H */
