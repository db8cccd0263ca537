/* A slicing function in C as `ssop difftest --subject ./libmine.so:my_strided_slice` calls it.
 *
 * The function gets one struct, and returns 0 if it accepts the call and any other number if it rejects it. When it
 * accepts, it has written the elements of the result in C order to `output`, its rank to `output_rank` and its dims to
 * `output_dims`. These have room for SSOP_SUBJECT_MAX_RANK dims.
 *
 * `output` has room for exactly the result that is right. Memory that may not be touched lies directly behind or before
 * `output`, `input` and every list: reading or writing outside is found and reported.
 *
 * Build it with: cc -shared -fPIC -O2 -I"$(python -m ssop difftest --include)" mine.c -o libmine.so
 */
#ifndef SSOP_TESTING_SUBJECT_H
#define SSOP_TESTING_SUBJECT_H

#include <stdint.h>

#define SSOP_SUBJECT_MAX_RANK 64

typedef struct {
    int64_t struct_bytes; /* sizeof(ssop_subject_call): later versions append members */

    const void *input; /* C order, unaligned items are possible */
    int64_t item_bytes;
    int64_t rank;
    const int64_t *dims;

    /* strided_slice: begin, end, strides. tf.slice: begin, size, null. xla.slice: starts, limits, strides.
     * dynamic_slice: starts, sizes, null. Each list has `entries` numbers; `strides` is null where they are left out,
     * too. */
    int64_t entries;
    const int64_t *begin;
    const int64_t *end;
    const int64_t *strides;

    int32_t begin_mask; /* 0 unless the operation is a strided_slice */
    int32_t end_mask;
    int32_t ellipsis_mask;
    int32_t new_axis_mask;
    int32_t shrink_axis_mask;
    int32_t allow_negative_indices; /* dynamic_slice: whether a negative start counts from the end */

    void *output;
    int64_t output_bytes;
    int64_t output_rank;
    int64_t *output_dims;
} ssop_subject_call;

typedef int ssop_subject_function(ssop_subject_call *call);

/* What the function supports, if that is not everything: a string named like the function with `_supports` behind it, a
 * char array or a pointer.
 *
 *     const char my_strided_slice_supports[] = "ranks=1..4 dtypes=float32,int8 masks=begin,end negative-steps=no";
 */

#endif
