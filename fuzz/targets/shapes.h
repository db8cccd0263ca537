/* What is inferred of a shape that is known in part holds for the shape of a completion. */
#ifndef SSOP_FUZZ_SHAPES_H
#define SSOP_FUZZ_SHAPES_H

#include "regions.h"

/* An interval, and one of its numbers. */
static inline ssop_interval
take_interval(fuzz_input *input, int64_t low, int64_t *number)
{
    int64_t a = take_number(input), b = a, kind = take_between(input, 0, 7);
    if (kind >= 4) {
        b = take_number(input);
    }
    if (kind == 7) {
        a = low;
        b = INT64_MAX;
    }
    a = a < low ? low : a;
    b = b < low ? low : b;
    ssop_interval interval = {a < b ? a : b, a < b ? b : a};
    int64_t by = take_between(input, 0, 7);
    by = (uint64_t)by <= (uint64_t)interval.hi - (uint64_t)interval.lo ? by : 0;
    *number = take_between(input, 0, 1) == 1 ? interval.hi - by : interval.lo + by;
    return interval;
}

static inline void
fuzz_shapes(fuzz_input *input)
{
    static const ssop_dialect *const dialects[] = {&ssop_dialect_tensorflow, &ssop_dialect_tflite,
                                                   &ssop_dialect_tflite_offset, &ssop_dialect_openvino};
    const ssop_dialect *dialect = dialects[take_between(input, 0, COUNT(dialects) - 1)];
    ssop_inference inference = {.last_id = 100, .tight = take_between(input, 0, 1) == 1};
    ssop_partial_shape shape = {.id = 1, .rank = (int32_t)take_between(input, 0, MAX_AXES)}, out;
    int64_t dims[MAX_AXES];
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        ssop_interval value = take_interval(input, 0, &dims[axis]);
        shape.dim[axis] = (ssop_dim){value, value.lo < value.hi ? axis + 2 : 0};
    }
    ssop_partial_spec partial;
    ssop_spec spec = {.no_flags = false};
    spec.count = partial.count = (int32_t)take_between(input, 0, FUZZ_ENTRIES);
    for (int32_t i = 0; i < spec.count; i++) {
        spec.flags[i] = partial.flags[i] = (uint8_t)take_between(input, 0, 31);
        partial.begin[i] = take_interval(input, INT64_MIN, &spec.begin[i]);
        partial.end[i] = take_interval(input, INT64_MIN, &spec.end[i]);
        partial.step[i] = take_interval(input, INT64_MIN, &spec.step[i]);
    }
    ssop_region region;
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status inferred = ssop_strided_slice_infer(&inference, &partial, &shape, dialect, &out, &error);
    ssop_status status =
        ssop_strided_slice_resolve(&spec, (ssop_shape){shape.rank, dims}, dialect, &region, NULL, NULL);
    if (inferred != SSOP_OK) {
        check_rejection("shape", inferred, &error);
        CHECK(status != SSOP_OK, "ss_s10: %s, but a completion is valid", ssop_rule_label(error.rule));
        return;
    }
    if (status == SSOP_OK && out.rank != SSOP_UNKNOWN_RANK) {
        CHECK(out.rank == region.out_rank, "ss_s10: rank %d, not %d", (int)out.rank, (int)region.out_rank);
        for (int32_t axis = 0; axis < out.rank; axis++) {
            ssop_interval value = out.dim[axis].value;
            int64_t dim = ssop_region_dim(&region, axis), id = out.dim[axis].id;
            CHECK(value.lo <= dim && dim <= value.hi, "ss_s10: dim %lld of axis %d is not in %lld..%lld", LL(dim),
                  (int)axis, LL(value.lo), LL(value.hi));
            CHECK(id < 2 || id > MAX_AXES + 1 || dims[id - 2] == dim, "sh_s20: axis %d is another dim", (int)axis);
        }
    }
}

#endif /* SSOP_FUZZ_SHAPES_H */
