/* Views: strided memory and parts of it. No function of this header reads or writes the memory. */
#ifndef SSOP_VIEWS_H
#define SSOP_VIEWS_H

#include "slices.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strided memory: element (i, j, ..) is at data + i * stride[0] + j * stride[1] ..; strides are bytes of any sign. */
typedef struct {
    char *data;
    int64_t item_bytes;
    int32_t rank;
    int64_t dim[SSOP_MAX_RANK], stride[SSOP_MAX_RANK];
} ssop_view;

/* out = the part of `in` that `region` selects (mem_c1). */
ssop_status ssop_region_view(const ssop_region *region, const ssop_view *in, ssop_view *out, ssop_error *error);

/* out = `value` broadcast to this shape: missing leading axes are added and axes of length 1 are repeated, extra
 * leading axes of length 1 are dropped (as_c1, as_s1). */
ssop_status ssop_view_broadcast(const ssop_view *value, ssop_shape shape, ssop_view *out, ssop_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SSOP_VIEWS_H */
