/* Numbers out of the bytes that a fuzzer makes up. Where the bytes end, every number is the lowest one. */
#ifndef SSOP_FUZZ_INPUT_H
#define SSOP_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *at;
    size_t left;
} fuzz_input;

static inline uint64_t
take_bytes(fuzz_input *input, size_t count)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < count && input->left > 0; i++) {
        bits |= (uint64_t)*input->at++ << 8 * i;
        input->left--;
    }
    return bits;
}

/* In low..high. A byte is enough for most of them, so that a fuzzer that changes one byte changes one number. */
static inline int64_t
take_between(fuzz_input *input, int64_t low, int64_t high)
{
    uint64_t numbers = (uint64_t)high - (uint64_t)low + 1;
    uint64_t bits = take_bytes(input, numbers <= 256 ? 1 : 8);
    return numbers == 0 ? (int64_t)bits : (int64_t)((uint64_t)low + bits % numbers);
}

/* Any number: mostly a small one, often one at an end of int32 or int64. */
static inline int64_t
take_number(fuzz_input *input)
{
    static const int64_t ends[] = {INT32_MIN, INT32_MAX, INT64_MIN, INT64_MAX, INT64_MAX / 2, INT64_MIN / 2};
    int64_t kind = take_between(input, 0, 255);
    if (kind < 200) {
        return kind - 100;
    }
    if (kind < 250) {
        int64_t end = ends[kind % 6], by = (kind - 200) / 6 - 4;
        return (end < 0) == (by < 0) && (end == INT64_MIN || end == INT64_MAX) ? end - by : end + by;
    }
    return take_between(input, INT64_MIN, INT64_MAX);
}

/* A length: mostly less than `most`, seldom a long one. */
static inline int64_t
take_dim(fuzz_input *input, int64_t most)
{
    int64_t kind = take_between(input, 0, 255);
    if (kind < 240) {
        return kind % (most + 1);
    }
    int64_t dim = take_number(input);
    return dim < 0 ? -(dim + 1) : dim;
}

#endif /* SSOP_FUZZ_INPUT_H */
