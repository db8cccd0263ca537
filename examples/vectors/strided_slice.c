/* TensorFlow's strided_slice by the C core, with the signature of subject.h. It is also a subject for `ssop difftest`:
 * cc -shared -fPIC -O2 -Icsrc/include -Ipython examples/vectors/strided_slice.c csrc/core/?*.c -o libexample.so
 * ssop difftest --subject ./libexample.so:my_strided_slice */
#include <string.h>

#include "ssop/ssop.h"
#include "ssop/testing/subject.h"

int
my_strided_slice(ssop_subject_call *call)
{
    ssop_spec spec;
    ssop_region region;
    ssop_error error;
    ssop_view x = {(char *)call->input, call->item_bytes, (int32_t)call->rank, {0}, {0}}, part;
    int64_t stride = call->item_bytes, count = 1;

    for (int64_t axis = call->rank - 1; axis >= 0; stride *= call->dims[axis--]) {
        x.dim[axis] = call->dims[axis];
        x.stride[axis] = stride;
    }
    for (int64_t i = 0; i < call->entries && i < SSOP_MAX_ENTRIES; i++) {
        spec.begin[i] = call->begin[i];
        spec.end[i] = call->end[i];
        spec.step[i] = call->strides != NULL ? call->strides[i] : 1;
    }
    const ssop_masks masks = {call->begin_mask, call->end_mask, call->ellipsis_mask, call->new_axis_mask,
                              call->shrink_axis_mask};
    const ssop_spec_counts counts = {call->entries, call->entries, call->entries};
    const ssop_dialect *tf = &ssop_dialect_tensorflow;
    const ssop_shape shape = {x.rank, x.dim};
    if (ssop_spec_init(&spec, counts, &masks, tf, &error) != SSOP_OK ||
        ssop_strided_slice_resolve(&spec, shape, tf, &region, NULL, &error) != SSOP_OK ||
        ssop_region_view(&region, &x, &part, &error) != SSOP_OK) {
        return 1;
    }
    call->output_rank = part.rank;
    for (int32_t axis = 0; axis < part.rank; axis++) {
        call->output_dims[axis] = part.dim[axis];
        count *= part.dim[axis];
    }
    for (int64_t item = 0; item < count; item++) { /* csrc/copy does this faster */
        const char *from = part.data;
        for (int64_t axis = part.rank - 1, rest = item; axis >= 0; rest /= part.dim[axis--]) {
            from += rest % part.dim[axis] * part.stride[axis];
        }
        memcpy((char *)call->output + item * call->item_bytes, from, (size_t)call->item_bytes);
    }
    return 0;
}
