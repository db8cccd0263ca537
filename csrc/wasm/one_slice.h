/* A call with masks, written as one Slice of ONNX. */
#ifndef SSOP_WASM_ONE_SLICE_H
#define SSOP_WASM_ONE_SLICE_H

#include "../core/common.h"

/* Three vectors of `count` entries (-1: their lengths differ), and TensorFlow's five masks in their order. */
typedef struct {
    int64_t count;
    const int64_t *begin, *end, *step, *masks;
} masked_call;

/* The four lists of a Slice, and the entry of the call that each of their positions comes from. */
typedef struct {
    int32_t count;
    int64_t start[SSOP_MAX_RANK], stop[SSOP_MAX_RANK], step[SSOP_MAX_RANK], axes[SSOP_MAX_RANK];
    int32_t entry[SSOP_MAX_RANK];
} one_slice;

/* Masked bounds become the ends of int64, as converters write them; entries behind an ellipsis apply to the last axes.
 * Returns false if the call cannot be written so: it has a new axis, a shrunk axis, several ellipses or an entry
 * without an axis. Fills the entries of the trace. */
bool one_slice_write(const masked_call *call, int32_t rank, one_slice *out, ssop_trace *trace);

#endif /* SSOP_WASM_ONE_SLICE_H */
