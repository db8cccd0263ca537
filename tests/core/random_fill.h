/* What dilations write between their items. */
#ifndef SSOP_TESTS_RANDOM_FILL_H
#define SSOP_TESTS_RANDOM_FILL_H

#include "check.h"

/* An item of random bytes, one of equal bytes, or NULL: zero bytes, and always for sizes that cannot fill. */
static inline const char *
random_fill(int64_t item_bytes)
{
    static char item[16];
    const int64_t kind = random_between(0, 3);
    for (int k = 0; k < 16; k++) {
        item[k] = (char)(kind == 1 && k > 0 ? item[0] : (char)random_between(0, 255));
    }
    return kind == 0 || !ssop_can_fill(item_bytes) ? NULL : item;
}

/* Writes `count` items of it. */
static inline void
write_fill(void *to, const char *fill, int64_t item_bytes, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        char *at = (char *)to + i * item_bytes;
        fill == NULL ? memset(at, 0, (size_t)item_bytes) : memcpy(at, fill, (size_t)item_bytes);
    }
}

#endif /* SSOP_TESTS_RANDOM_FILL_H */
