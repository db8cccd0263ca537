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

/* Two dims without a common number (`rule`): both of them if they are known, else the largest and the smallest end. */
static inline ssop_status
report_contradiction(ssop_error *error, ssop_rule rule, error_place place, ssop_dim a, ssop_dim b)
{
    ssop_interval common = interval_common(a.value, b.value);
    bool both_known = ssop_dim_is_known(a) && ssop_dim_is_known(b);
    error_numbers shown =
        both_known ? numbers(a.value.lo, b.value.lo, b.value.lo) : numbers(common.hi, common.lo, INT64_MAX);
    return fail_form(error, rule, !both_known, place, shown);
}

#endif /* SSOP_CORE_DIM_H */
