/*
 * ssop in a C program: resolves x[::-1, 1:3] of a 3 x 4 array from TensorFlow's begin, end, strides and masks, and
 * copies it. It also prints the message of a call that is an error. From the root of the repository:
 *
 * cc -std=c11 -O2 -Icsrc/include -o strided_slice examples/c/strided_slice.c $(find csrc/core csrc/copy -name '*.c')
 */
#include <stdio.h>

#include "ssop/ssop.h"

int
main(void)
{
    int32_t x[3][4] = {{0, 1, 2, 3}, {10, 11, 12, 13}, {20, 21, 22, 23}}, result[3][2];
    const int64_t dims[2] = {3, 4};
    const ssop_shape shape = {2, dims};
    const ssop_dialect *dialect = &ssop_dialect_tensorflow;
    ssop_error error;

    /* Bit 0 of begin_mask and end_mask: the first entry takes its whole axis, backwards as its stride is negative. */
    const ssop_masks masks = {.begin = 1, .end = 1};
    ssop_spec spec = {.begin = {0, 1}, .end = {0, 3}, .step = {-1, 1}};
    ssop_region region;
    ssop_status status = ssop_spec_init(&spec, (ssop_spec_counts){2, 2, 2}, &masks, dialect, &error);
    if (status != SSOP_OK || ssop_strided_slice_resolve(&spec, shape, dialect, &region, NULL, &error) != SSOP_OK) {
        return 1;
    }
    for (int axis = 0; axis < 2; axis++) {
        ssop_range range = region.range[axis];
        printf("axis %d: start %lld, count %lld, step %lld\n", axis, (long long)range.start, (long long)range.count,
               (long long)range.step);
    }

    const ssop_view from = {(char *)x, sizeof(int32_t), 2, {3, 4}, {sizeof x[0], sizeof(int32_t)}};
    const ssop_view to = {(char *)result, sizeof(int32_t), 2, {3, 2}, {sizeof result[0], sizeof(int32_t)}};
    ssop_view part;
    ssop_nest_room room;
    ssop_nest *nest = ssop_nest_in(&room);
    if (ssop_region_view(&region, &from, &part, &error) != SSOP_OK) {
        return 1;
    }
    ssop_cpu_choose(NULL); /* the best kernels of this machine */
    ssop_nest_copy(nest, &to, &part, NULL);
    ssop_nest_execute(nest, 0, ssop_nest_steps(nest));
    for (int row = 0; row < 3; row++) {
        printf("%d %d\n", (int)result[row][0], (int)result[row][1]);
    }

    spec.step[1] = 0; /* is an error */
    if (ssop_strided_slice_resolve(&spec, shape, dialect, &region, NULL, &error) != SSOP_OK) {
        char message[256];
        ssop_error_message(&error, NULL, message, sizeof message);
        printf("%s: %s\n", ssop_rule_label(error.rule), message);
    }
    return 0;
}
