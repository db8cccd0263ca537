/* The three functions that compilers call even where there is no C library. */
#include "../core/base.h"

void *
memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    return memmove(to, from, bytes);
}

void *
memmove(void *to, const void *from, size_t bytes)
{
    char *target = to;
    const char *source = from;
    if ((uintptr_t)target <= (uintptr_t)source) {
        for (size_t i = 0; i < bytes; i++) {
            target[i] = source[i];
        }
    }
    else {
        for (size_t i = bytes; i > 0; i--) {
            target[i - 1] = source[i - 1];
        }
    }
    return to;
}

void *
memset(void *to, int byte, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        ((char *)to)[i] = (char)byte;
    }
    return to;
}
