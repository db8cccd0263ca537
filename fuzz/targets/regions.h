/* Specs of every dialect become canonical regions inside the array, or a rule rejects them. On short axes the elements
 * are those of a walk. */
#ifndef SSOP_FUZZ_REGIONS_H
#define SSOP_FUZZ_REGIONS_H

#include "input.h"
#include "region_oracle.h"

enum { FUZZ_ENTRIES = 6 };

static inline int32_t
take_shape(fuzz_input *input, int64_t most, int64_t *dims)
{
    int32_t rank = (int32_t)take_between(input, 0, MAX_AXES);
    for (int32_t axis = 0; axis < rank; axis++) {
        dims[axis] = take_dim(input, most);
    }
    return rank;
}

static inline int64_t
take_numbers(fuzz_input *input, int64_t *numbers)
{
    int64_t count = take_between(input, 0, FUZZ_ENTRIES);
    for (int64_t i = 0; i < count; i++) {
        numbers[i] = take_number(input);
    }
    return count;
}

static inline void
take_spec(fuzz_input *input, ssop_spec *spec)
{
    spec->no_flags = false;
    spec->count = (int32_t)take_between(input, 0, FUZZ_ENTRIES);
    for (int32_t i = 0; i < spec->count; i++) {
        spec->flags[i] = (uint8_t)take_between(input, 0, 31);
        spec->begin[i] = take_number(input);
        spec->end[i] = take_number(input);
        spec->step[i] = take_number(input);
    }
}

/* What TensorFlow's StridedSlice takes of an array by such a spec; false if it rejects it. */
static inline bool
take_region(fuzz_input *input, ssop_shape shape, ssop_region *region)
{
    ssop_spec spec;
    take_spec(input, &spec);
    return ssop_strided_slice_resolve(&spec, shape, &ssop_dialect_tensorflow, region, NULL, NULL) == SSOP_OK;
}

static inline void
check_rejection(const char *what, ssop_status status, const ssop_error *error)
{
    CHECK(error->rule != SSOP_NO_RULE && status == ssop_rule_status(error->rule), "%s: rejected by %s", what,
          ssop_rule_label(error->rule));
}

/* What holds for every region: it is canonical, and its parts make the whole again (rg_s2, rg_s3, rg_s5). */
static inline void
check_region(const char *what, const ssop_region *region, const int64_t *dims)
{
    ssop_region first, second, both;
    bool flip[SSOP_MAX_RANK];
    int64_t spans[SSOP_MAX_RANK];
    CHECK(ssop_region_check(region, dims, NULL) == SSOP_OK, "%s: not canonical", what);
    ssop_region_covering(region, &first, &second, flip);
    shape_of(&first, spans);
    CHECK(ssop_region_check(&first, dims, NULL) == SSOP_OK &&
              ssop_region_compose(&first, &second, spans, &both, NULL) == SSOP_OK && same_region(&both, region),
          "%s: covering and remainder are another region", what);
    ssop_region_split(region, &first, flip);
    CHECK(ssop_region_check(&first, dims, NULL) == SSOP_OK, "%s: what is split off is not canonical", what);
    for (int32_t axis = 0; axis < region->in_rank; axis++) {
        CHECK(first.range[axis].count == region->range[axis].count && first.range[axis].step > 0, "%s: split", what);
    }
}

/* An entry whose axis is known, against the walk. */
static inline void
check_entry(const char *what, int64_t dim, const walk_entry *entry, const ssop_dialect *dialect, ssop_range range)
{
    if (dim <= MAX_PICKS) {
        walked right = walk_axis(dim, entry, dialect);
        CHECK(right.broken == SSOP_NO_RULE && same_range(range, range_of_picks(right.pick, right.count)),
              "%s: " RANGE " of %lld elements: %lld:%lld:%lld, flags %d", what, RANGE_VALUES(range), LL(dim),
              LL(entry->begin), LL(entry->end), LL(entry->step), (int)entry->flags);
    }
}

static inline void
fuzz_strided_slice(fuzz_input *input, ssop_shape shape)
{
    static const ssop_dialect *const dialects[] = {&ssop_dialect_tensorflow, &ssop_dialect_tflite,
                                                   &ssop_dialect_tflite_offset, &ssop_dialect_openvino};
    const ssop_dialect *dialect = dialects[take_between(input, 0, COUNT(dialects) - 1)];
    ssop_spec spec;
    ssop_region region;
    ssop_trace trace = {.entries = 0};
    ssop_error error = {.rule = SSOP_NO_RULE};
    take_spec(input, &spec);
    ssop_status status = ssop_strided_slice_resolve(&spec, shape, dialect, &region, &trace, &error);
    if (status != SSOP_OK) {
        check_rejection("strided slice", status, &error);
        return;
    }
    check_region("strided slice", &region, shape.dim);
    for (int32_t i = 0; i < trace.entries; i++) {
        int32_t axis = trace.first_axis[i];
        walk_entry entry = {spec.begin[i], spec.end[i], spec.step[i], trace.flags[i]};
        if (trace.axis_count[i] == 1 && !(entry.flags & (SSOP_ELLIPSIS | SSOP_AXIS_NEW))) {
            check_entry("strided slice", shape.dim[axis], &entry, dialect, region.range[axis]);
        }
    }
}

static inline void
fuzz_axes_slice(fuzz_input *input, ssop_shape shape)
{
    static const ssop_axes_dialect *const dialects[] = {&ssop_openvino_slice, &ssop_onnx_slice,
                                                        &ssop_onnx_reference_slice, &ssop_onnxruntime_slice};
    const ssop_axes_dialect *dialect = dialects[take_between(input, 0, COUNT(dialects) - 1)];
    int64_t start[FUZZ_ENTRIES], stop[FUZZ_ENTRIES], step[FUZZ_ENTRIES], axes[FUZZ_ENTRIES];
    int64_t given = take_between(input, 0, 3);
    ssop_axes_slice_spec spec = {.start = start, .stop = stop};
    spec.start_count = take_numbers(input, start);
    spec.stop_count = take_numbers(input, stop);
    if (given & 1) {
        spec.step = step;
        spec.step_count = take_numbers(input, step);
    }
    if (given & 2) {
        spec.axes = axes;
        spec.axes_count = take_numbers(input, axes);
    }
    ssop_region region;
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = ssop_axes_slice_resolve(&spec, shape, dialect, &region, NULL, &error);
    if (status != SSOP_OK) {
        check_rejection("slice of axes", status, &error);
        return;
    }
    check_region("slice of axes", &region, shape.dim);
    for (int32_t axis = 0; spec.axes == NULL && axis < spec.start_count && axis < spec.stop_count; axis++) {
        if (spec.step == NULL || axis < spec.step_count) {
            walk_entry entry = {start[axis], stop[axis], spec.step == NULL ? 1 : step[axis], 0};
            check_entry("slice of axes", shape.dim[axis], &entry, dialect->range, region.range[axis]);
        }
    }
}

static inline void
fuzz_size_slice(fuzz_input *input, ssop_shape shape)
{
    const ssop_size_dialect *dialect = take_between(input, 0, 1) == 0 ? &ssop_tensorflow_slice : &ssop_tflite_slice;
    int64_t begin[FUZZ_ENTRIES], size[FUZZ_ENTRIES];
    ssop_size_slice_spec spec = {.begin = begin, .size = size};
    spec.begin_count = take_numbers(input, begin);
    spec.size_count = take_numbers(input, size);
    ssop_region region;
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = ssop_size_slice_resolve(&spec, shape, dialect, &region, &error);
    if (status != SSOP_OK) {
        check_rejection("slice of sizes", status, &error);
        return;
    }
    check_region("slice of sizes", &region, shape.dim);
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        int64_t count = size[axis] < 0 ? shape.dim[axis] - begin[axis] : size[axis];
        ssop_range right = {count == 0 ? 0 : begin[axis], count, 1};
        CHECK(same_range(region.range[axis], right), "slice of sizes: " RANGE, RANGE_VALUES(region.range[axis]));
    }
}

static inline void
fuzz_slice(fuzz_input *input, ssop_shape shape)
{
    int64_t start[FUZZ_ENTRIES], limit[FUZZ_ENTRIES], stride[FUZZ_ENTRIES];
    ssop_slice_spec spec = {.start = start, .limit = limit};
    spec.start_count = take_numbers(input, start);
    spec.limit_count = take_numbers(input, limit);
    if (take_between(input, 0, 1) == 1) {
        spec.stride = stride;
        spec.stride_count = take_numbers(input, stride);
    }
    ssop_region region;
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = ssop_slice_resolve(&spec, shape, &region, &error);
    if (status != SSOP_OK) {
        check_rejection("slice", status, &error);
        return;
    }
    check_region("slice", &region, shape.dim);
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        ssop_range range = region.range[axis];
        int64_t step = spec.stride == NULL ? 1 : stride[axis], room = limit[axis] - start[axis];
        CHECK(range.count == 0 ? room == 0
                               : range.start == start[axis] && (range.count == 1 || range.step == step) &&
                                     (range.count - 1) <= (room - 1) / step && (room - 1) / step < range.count,
              "slice: " RANGE " of %lld:%lld:%lld", RANGE_VALUES(range), LL(start[axis]), LL(limit[axis]), LL(step));
    }
}

static inline void
fuzz_regions(fuzz_input *input)
{
    static void (*const kinds[])(fuzz_input *, ssop_shape) = {fuzz_strided_slice, fuzz_axes_slice, fuzz_size_slice,
                                                              fuzz_slice};
    int64_t dims[MAX_AXES];
    int64_t kind = take_between(input, 0, 7);
    int32_t rank = take_shape(input, MAX_PICKS, dims);
    kinds[kind < 4 ? 0 : kind - 4](input, (ssop_shape){rank, dims});
}

#endif /* SSOP_FUZZ_REGIONS_H */
