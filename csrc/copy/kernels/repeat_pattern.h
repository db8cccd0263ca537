/* Fills a buffer with copies of one item, for repeat.h. */
#ifndef SSOP_COPY_REPEAT_PATTERN_H
#define SSOP_COPY_REPEAT_PATTERN_H

#include "kernels.h"

/* A pattern is one period, which is a multiple of an item and of a line, and one more line: so 64 bytes can be read
 * from any offset in its first period. */
enum { MAX_PATTERN_BYTES = 64 * MAX_REPEATED_BYTES };

/* The least common multiple of a line and of an item: at most MAX_PATTERN_BYTES - 64, for items of 63 bytes. */
INLINE int64_t
repeated_period(int64_t item_bytes)
{
    int64_t power_of_two = item_bytes & -item_bytes;
    return 64 / power_of_two * item_bytes;
}

/* Fills two words with copies of an item whose size is a power of two up to 16. Every store to the pattern is then as
 * wide as the loads that follow: a vector load that spans several recent narrower stores cannot be forwarded from the
 * store buffer and stalls. */
INLINE void
make_words(uint64_t words[2], const char *item, int64_t item_bytes)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    switch (item_bytes) {
    case 1:
        memcpy(&one, item, sizeof one);
        words[0] = one * UINT64_C(0x0101010101010101);
        break;
    case 2:
        memcpy(&two, item, sizeof two);
        words[0] = two * UINT64_C(0x0001000100010001);
        break;
    case 4:
        memcpy(&four, item, sizeof four);
        words[0] = four * UINT64_C(0x0000000100000001);
        break;
    case 8:
        memcpy(words, item, sizeof *words);
        break;
    default:
        memcpy(words, item, 2 * sizeof *words);
        return;
    }
    words[1] = words[0];
}

INLINE void
make_pattern(char *pattern, const char *item, int64_t item_bytes, int64_t size)
{
    if (size == 128 && item_bytes <= 16) {
        uint64_t words[2];
        make_words(words, item, item_bytes);
        for (int k = 0; k < 128; k += 16) {
            memcpy(pattern + k, words, sizeof words);
        }
        return;
    }
    memcpy(pattern, item, (size_t)item_bytes);
    for (int64_t done = item_bytes; done < size; done *= 2) {
        memcpy(pattern + done, pattern, (size_t)(done < size - done ? done : size - done));
    }
}

#endif /* SSOP_COPY_REPEAT_PATTERN_H */
