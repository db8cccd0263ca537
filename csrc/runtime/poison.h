/* Tells AddressSanitizer which bytes of a block nobody may use: those of cached blocks, and those past the end of a
 * request. Without that sanitizer, the functions do nothing. */
#ifndef SSOP_RUNTIME_POISON_H
#define SSOP_RUNTIME_POISON_H

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__) /* GCC */
#define SSOP_HAS_POISON 1
#elif defined(__has_feature) /* Clang */
#define SSOP_HAS_POISON __has_feature(address_sanitizer)
#else
#define SSOP_HAS_POISON 0
#endif

#if SSOP_HAS_POISON

/* Of the sanitizer's own library. */
void __asan_poison_memory_region(const volatile void *address, size_t bytes);
void __asan_unpoison_memory_region(const volatile void *address, size_t bytes);

static inline void
poison(const void *address, size_t bytes)
{
    __asan_poison_memory_region(address, bytes);
}

static inline void
unpoison(const void *address, size_t bytes)
{
    __asan_unpoison_memory_region(address, bytes);
}

#else

static inline void
poison(const void *address, size_t bytes)
{
    (void)address;
    (void)bytes;
}

static inline void
unpoison(const void *address, size_t bytes)
{
    (void)address;
    (void)bytes;
}

#endif

#endif /* SSOP_RUNTIME_POISON_H */
