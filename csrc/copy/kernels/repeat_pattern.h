/* Fills a buffer with copies of one item, for repeat.h. Include with TARGET. */
#ifndef SSOP_COPY_REPEAT_PATTERN_H
#define SSOP_COPY_REPEAT_PATTERN_H

#include "kernels.h"

/* A pattern is one period, which is a multiple of an item and of a line, and one more line: so 64 bytes can be read
 * from any offset in its first period. */
enum { MAX_PATTERN_BYTES = 64 * MIN_ROW_BYTES };

/* The least common multiple of a line and of an item: at most MAX_PATTERN_BYTES - 64, for items of 63 bytes. */
INLINE int64_t
repeated_period(int64_t item_bytes)
{
    int64_t power_of_two = item_bytes & -item_bytes;
    return 64 / power_of_two * item_bytes;
}

/* A vector of a type that every compiler for which there are kernels has; both halves are equal but for items of 16
 * bytes. */
typedef uint64_t repeated_words __attribute__((vector_size(16)));

/* Makes a vector of copies of an item whose size is a power of two up to 16. Every store to the pattern is then as wide
 * as the loads that follow: a vector load that spans several recent narrower stores cannot be forwarded from the store
 * buffer and stalls. */
INLINE TARGET repeated_words
make_words(const char *item, int64_t item_bytes)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    repeated_words words;
    switch (item_bytes) {
    case 1:
        memcpy(&one, item, sizeof one);
        eight = one * UINT64_C(0x0101010101010101);
        break;
    case 2:
        memcpy(&two, item, sizeof two);
        eight = two * UINT64_C(0x0001000100010001);
        break;
    case 4:
        memcpy(&four, item, sizeof four);
        eight = four * UINT64_C(0x0000000100000001);
        break;
    case 8:
        memcpy(&eight, item, sizeof eight);
        break;
    default:
        memcpy(&words, item, sizeof words);
        return words;
    }
    return (repeated_words){eight, eight};
}

INLINE TARGET void
make_pattern(char *pattern, const char *item, int64_t item_bytes, int64_t size)
{
    if (size == 128 && item_bytes <= 16) {
        repeated_words words = make_words(item, item_bytes);
        for (int k = 0; k < 128; k += 16) {
            memcpy(pattern + k, &words, sizeof words);
        }
        return;
    }
    memcpy(pattern, item, (size_t)item_bytes);
    for (int64_t done = item_bytes; done < size; done *= 2) {
        memcpy(pattern + done, pattern, (size_t)(done < size - done ? done : size - done));
    }
}

#endif /* SSOP_COPY_REPEAT_PATTERN_H */
