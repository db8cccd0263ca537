/*
 * Runs the conformance vectors of TensorFlow's strided_slice against a C function with the signature of subject.h. From
 * the root of the repository, with the function of strided_slice.c, or yours in place of it and of csrc/core:
 *
 * cc -std=c11 -Icsrc/include -Ipython -o run examples/vectors/run.c examples/vectors/strided_slice.c csrc/core/[a-z]*.c
 * ./run tests/vectors/tf.strided_slice.jsonl
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ssop/testing/subject.h"

enum { MOST = 128 }; /* numbers of a list: vectors have at most 60 elements */

extern ssop_subject_function my_strided_slice;

/* Reads the integers behind "key": in a line of JSON, up to the character `end`; returns how many there are. Those
 * beyond 2**53 are strings: what is no digit is passed over, quotes too. */
static int64_t
numbers(const char *line, const char *key, char end, int64_t *out)
{
    char quoted[32], *after = NULL;
    int64_t count = 0;
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *found = strstr(line, quoted), *at = found ? found + strlen(quoted) : "";
    for (; *at != end && *at != '\0' && count < MOST; at = after == at ? at + 1 : after) {
        out[count] = strtoll(at, &after, 10);
        count += after != at;
    }
    return count;
}

/* Whether the function does what a line says. */
static int
agrees(const char *line)
{
    static int64_t input[MOST], dims[MOST], lists[3][MOST], masks[5][MOST], shape[MOST], items[MOST], output[MOST],
        out[MOST];
    for (int64_t i = 0; i < MOST; i++) {
        input[i] = i;
    }
    const int64_t rank = numbers(line, "shape", ']', shape), count = numbers(line, "items", ']', items);
    const char *const names[] = {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"};
    for (int i = 0; i < 5; i++) {
        numbers(line, names[i], i < 4 ? ',' : '}', masks[i]);
    }
    ssop_subject_call call = {
        .struct_bytes = sizeof call,
        .input = input,
        .item_bytes = sizeof *input,
        .rank = numbers(line, "shapes", ']', dims),
        .dims = dims,
        .entries = numbers(line, "begin", ']', lists[0]),
        .begin = lists[0],
        .end = lists[1],
        .strides = lists[2],
        .begin_mask = (int32_t)masks[0][0],
        .end_mask = (int32_t)masks[1][0],
        .ellipsis_mask = (int32_t)masks[2][0],
        .new_axis_mask = (int32_t)masks[3][0],
        .shrink_axis_mask = (int32_t)masks[4][0],
        .output = output,
        .output_bytes = count * 8,
        .output_dims = out,
    };
    numbers(line, "end", ']', lists[1]);
    numbers(line, "strides", ']', lists[2]);
    const int rejected = my_strided_slice(&call) != 0;
    if (rejected || strstr(line, "\"error\"") != NULL) {
        return rejected && strstr(line, "\"error\"") != NULL;
    }
    return call.output_rank == rank && memcmp(out, shape, sizeof *out * (size_t)rank) == 0 &&
           memcmp(output, items, sizeof *output * (size_t)count) == 0;
}

int
main(int argc, char **argv)
{
    static char line[1 << 16];
    int total = 0, failed = 0;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    if (file == NULL || fgets(line, sizeof line, file) == NULL || strstr(line, "\"format\": 2,") == NULL) {
        fprintf(stderr, "usage: %s FILE, where FILE is tests/vectors/tf.strided_slice.jsonl of format 2\n", argv[0]);
        return 2;
    }
    for (; fgets(line, sizeof line, file) != NULL; total++) {
        if (!agrees(line)) {
            static const char before[] = "{\"id\": \"";
            const char *id = line + sizeof before - 1;
            printf("failed: %.*s\n", (int)strcspn(id, "\""), id);
            failed++;
        }
    }
    printf("%d cases, %d failed\n", total, failed);
    return failed > 0;
}
