/* Items of one value, one after the other, for repeat.h. */
#ifndef SSOP_COPY_REPEAT_PATTERN_H
#define SSOP_COPY_REPEAT_PATTERN_H

#include "kernels.h"

/* A pattern of whole items and whole lines, and one line more: it may be read from any place in its first period. */
enum { MAX_PATTERN_BYTES = 64 * MAX_REPEATED_BYTES };

/* The shortest number of bytes that is a multiple of a line and of an item: at most MAX_PATTERN_BYTES - 64, for the items
 * whose size is odd. */
INLINE int64_t
repeated_period(int64_t item_bytes)
{
    int64_t power_of_two = item_bytes & -item_bytes;
    return 64 / power_of_two * item_bytes;
}

/* Two words of items whose size is a power of two up to 16. */
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
