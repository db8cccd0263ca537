/* A strided slice without new axes and ellipsis, for `ssop difftest`; FAULT names the mistake that it has. */
#include "ssop/testing/subject.h"

#include <stdlib.h>
#include <string.h>

enum { NONE, WRITES_PAST, WRITES_BEFORE, READS_PAST, UNWRITTEN, CRASHES, HANGS, CHANGES_INPUT, SWAPPED, HANGS_TOO };

#ifdef SUPPORTS_IS_POINTER
const char *my_slice_supports =
#else
const char my_slice_supports[] =
#endif
    "ranks=1..3 dtypes=int8,float32,int64 masks=begin,end";

static int64_t
bound(int64_t value, int64_t dim, int64_t low, int64_t high)
{
    if (value < 0) {
        value += dim;
    }
    return value < low ? low : value > high ? high : value;
}

int
my_slice(ssop_subject_call *call)
{
    int64_t first[64], step[64], count[64], total = 1, size = call->item_bytes;
    int swaps = FAULT == SWAPPED || FAULT == HANGS_TOO;
    int32_t begin_mask = swaps ? call->end_mask : call->begin_mask;
    int32_t end_mask = swaps ? call->begin_mask : call->end_mask;

    if (call->entries > call->rank) {
        return 1;
    }
    for (int64_t axis = 0; axis < call->rank; axis++) {
        int64_t dim = call->dims[axis];
        int is_given = axis < call->entries;
        int64_t stride = is_given ? call->strides[axis] : 1;
        if (stride == 0) {
            return 1;
        }
        int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? dim : dim - 1;
        int64_t from = is_given && !(begin_mask >> axis & 1) ? bound(call->begin[axis], dim, low, high)
                                                             : (stride > 0 ? 0 : dim - 1);
        int64_t to =
            is_given && !(end_mask >> axis & 1) ? bound(call->end[axis], dim, low, high) : (stride > 0 ? dim : -1);
        uint64_t span = stride > 0 ? (to > from ? (uint64_t)(to - from) : 0) : (from > to ? (uint64_t)(from - to) : 0);
        uint64_t width = stride > 0 ? (uint64_t)stride : 0 - (uint64_t)stride;
        first[axis] = from;
        step[axis] = stride;
        count[axis] = span ? (int64_t)((span - 1) / width + 1) : 0;
        total *= count[axis];
        call->output_dims[axis] = count[axis];
    }
    call->output_rank = call->rank;
    for (int64_t place = 0; place < total; place++) {
        int64_t rest = place, from = 0, unit = 1;
        for (int64_t axis = call->rank - 1; axis >= 0; axis--) {
            from += (first[axis] + (rest % count[axis]) * step[axis]) * unit;
            rest /= count[axis];
            unit *= call->dims[axis];
        }
        if (FAULT == UNWRITTEN && place == total - 1 && total > 1) {
            break;
        }
        memcpy((char *)call->output + place * size, (const char *)call->input + from * size, (size_t)size);
    }
    if (FAULT == WRITES_PAST && total > 1) {
        memset((char *)call->output + total * size, 1, (size_t)size);
    }
    if (FAULT == WRITES_BEFORE && total > 1) {
        ((char *)call->output)[-1] = 1;
    }
    if (FAULT == READS_PAST && total > 1) {
        int64_t all = size;
        for (int64_t axis = 0; axis < call->rank; axis++) {
            all *= call->dims[axis];
        }
        volatile char next = ((const char *)call->input)[all];
        (void)next;
    }
    if (FAULT == CRASHES && total > 1) {
        abort();
    }
    while ((FAULT == HANGS && total > 1) || (FAULT == HANGS_TOO && total > 40)) {
    }
    if (FAULT == CHANGES_INPUT && total > 1) {
        ((char *)(uintptr_t)call->input)[0]++;
    }
    return 0;
}
