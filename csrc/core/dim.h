/* Functions on dims and partial shapes that are not public. */
#ifndef SSOP_CORE_DIM_H
#define SSOP_CORE_DIM_H

#include "interval.h"

static inline ssop_dim
dim_known(int64_t value)
{
    return (ssop_dim){{value, value}, 0};
}

/* In the mode of TensorFlow, a dim is one number or unknown: forgets intervals that are neither. */
static inline ssop_dim
dim_in_mode(ssop_inference *inference, ssop_dim dim)
{
    bool keeps = inference->tight || ssop_dim_is_known(dim) || interval_equal(dim.value, ANY_DIM);
    return keeps ? dim : ssop_dim_new(inference, ANY_DIM);
}

#endif /* SSOP_CORE_DIM_H */
