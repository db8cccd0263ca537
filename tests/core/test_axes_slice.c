/* What could go wrong: an entry is applied to the wrong axis, a list is read beyond its end, or an error names the rule
 * of another framework. */
#include "slice_oracle.h"

enum { RANK = 3, MAX_LISTED = 4 };

static const int64_t dims[RANK] = {4, 0, 3};

typedef struct {
    const char *name;
    const ssop_axes_dialect *dialect;
    ssop_rule scalar, lengths, axes_length, step_length, too_many, axis, twice, zero_step;
} framework;

static const framework frameworks[] = {
    {"openvino", &ssop_openvino_slice, SSOP_OVS_C1, SSOP_OVS_C2, SSOP_OVS_C3, SSOP_OVS_C2, SSOP_OVS_C4, SSOP_OVS_C5,
     SSOP_OVS_C6, SSOP_OVS_C7},
    {"spec", &ssop_onnx_slice, SSOP_NO_RULE, SSOP_ONX_C1, SSOP_ONX_C2, SSOP_ONX_C3, SSOP_ONX_C4, SSOP_ONX_C4,
     SSOP_ONX_C5, SSOP_ONX_C6},
    {"reference", &ssop_onnx_reference_slice, SSOP_NO_RULE, SSOP_NO_RULE, SSOP_NO_RULE, SSOP_NO_RULE, SSOP_ONR_C3,
     SSOP_ONR_C1, SSOP_NO_RULE, SSOP_ONR_C2},
    {"ort", &ssop_onnxruntime_slice, SSOP_ORT_C1, SSOP_ORT_C2, SSOP_ORT_C3, SSOP_ORT_C4, SSOP_ORT_C5, SSOP_ORT_C5,
     SSOP_ORT_C6, SSOP_ORT_C7},
};

static ssop_rule
resolve(const framework *of, const ssop_axes_slice_spec *spec, int32_t rank, ssop_region *region, ssop_error *error)
{
    error->rule = SSOP_NO_RULE;
    mark(region, sizeof(*region));
    ssop_trace trace = {.entries = 0};
    ssop_region traced;
    ssop_status with_trace =
        ssop_axes_slice_resolve(spec, (ssop_shape){rank, dims}, of->dialect, &traced, &trace, error);
    ssop_status status = ssop_axes_slice_resolve(spec, (ssop_shape){rank, dims}, of->dialect, region, NULL, error);
    CHECK(status == with_trace, "%s: %d, but %d with a trace", of->name, (int)status, (int)with_trace);
    for (int32_t axis = 0; status == SSOP_OK && axis < rank; axis++) {
        const ssop_range range = trace.axis[axis].range, right = region->range[axis];
        CHECK(trace.axes == rank && range.start == right.start && range.count == right.count &&
                  range.step == right.step,
              "%s: trace of axis %d", of->name, (int)axis);
    }
    CHECK(status == ssop_rule_status(error->rule), "%s: status %d of %s", of->name, (int)status,
          ssop_rule_label(error->rule));
    CHECK(status == SSOP_OK || is_marked(region, sizeof(*region)), "%s: region written on failure", of->name);
    return error->rule;
}

/* Entry i is (start, stop, step)[i] on axes[i]; the right ranges are walked element by element. */
static void
check_values(const framework *of, const ssop_axes_slice_spec *spec, int count, const int *axis_of)
{
    ssop_region region;
    ssop_error error;
    ssop_rule broken = resolve(of, spec, RANK, &region, &error);
    ssop_rule right = SSOP_NO_RULE;
    walked taken[RANK];
    for (int axis = 0; axis < RANK; axis++) {
        walk_entry entry = {0, 0, 1, SSOP_BEGIN_MASK | SSOP_END_MASK};
        for (int i = 0; i < count; i++) {
            if (axis_of[i] == axis) {
                entry = (walk_entry){spec->start[i], spec->stop[i], spec->step != NULL ? spec->step[i] : 1, 0};
            }
        }
        taken[axis] = walk_axis(dims[axis], &entry,
                                &(ssop_dialect){.rules = &walk_rules,
                                                .reverse_clamps_begin_first = of->dialect != &ssop_onnx_reference_slice,
                                                .max_end_is_open = of->dialect == &ssop_onnxruntime_slice});
        if (taken[axis].broken != SSOP_NO_RULE) {
            right = of->zero_step;
        }
    }
    CHECK(broken == right, "%s: %s, not %s", of->name, ssop_rule_label(broken), ssop_rule_label(right));
    ssop_trace trace = {.axes = 0};
    ssop_region traced;
    CHECK(ssop_axes_slice_resolve(spec, (ssop_shape){RANK, dims}, of->dialect, &traced, &trace, NULL) ==
              ssop_rule_status(broken),
          "%s: traced", of->name);
    for (int axis = 0; axis < trace.axes; axis++) {
        int right_entry = -1;
        for (int i = 0; i < count; i++) {
            right_entry = axis_of[i] == axis ? i : right_entry;
        }
        CHECK(trace.axis[axis].entry == right_entry, "%s: entry of axis %d", of->name, axis);
    }
    for (int axis = 0; broken == SSOP_NO_RULE && axis < RANK; axis++) {
        CHECK(same_range(region.range[axis], range_of_picks(taken[axis].pick, taken[axis].count)) &&
                  region.out_axis[axis] == axis && region.in_rank == RANK && region.out_rank == RANK,
              "%s: axis %d", of->name, axis);
    }
}

static void
test_values(void)
{
    int64_t bound[32], axes[2];
    int bounds = numbers_around_zero(5, bound);
    const int64_t steps[] = {1, -1, 2, -2, 0, INT64_MIN, INT64_MAX};
    for (int f = 0; f < COUNT(frameworks); f++) {
        for (int b = 0; b < bounds; b++) {
            for (int e = 0; e < bounds; e++) {
                for (int s = 0; s < COUNT(steps); s++) {
                    for (int a = -RANK; a < RANK; a++) { /* the second entry is always 1:2 of the next axis */
                        int axis_of[2] = {(a + RANK) % RANK, (a + RANK + 1) % RANK};
                        int64_t start[2] = {bound[b], 1}, stop[2] = {bound[e], 2}, step[2] = {steps[s], 1};
                        axes[0] = a;
                        axes[1] = axis_of[1];
                        ssop_axes_slice_spec spec = {2, 2, 2, 2, start, stop, step, axes};
                        check_values(&frameworks[f], &spec, 2, axis_of);
                        ssop_axes_slice_spec first = {1, 1, 1, 0, start, stop, step, NULL};
                        int zero = 0;
                        check_values(&frameworks[f], &first, 1, &zero);
                    }
                }
            }
        }
    }
}

/* Lists of every length, given and not: which dialects raise, and what the zipping one reads. */
static void
test_lengths(void)
{
    const int64_t start[MAX_LISTED] = {1, 1, 1, 1}, stop[MAX_LISTED] = {2, 2, 2, 2}, step[MAX_LISTED] = {1, 1, 1, 1},
                  axes[MAX_LISTED] = {2, 1, 0, 0};
    for (int number = 0; number < 5 * 5 * 6 * 6; number++) {
        int starts = number % 5, stops = number / 5 % 5, steps = number / 25 % 6 - 1, of_axes = number / 150 - 1;
        ssop_axes_slice_spec spec = {
            starts, stops, steps, of_axes, start, stop, steps < 0 ? NULL : step, of_axes < 0 ? NULL : axes};
        for (int f = 0; f < COUNT(frameworks); f++) {
            const framework *of = &frameworks[f];
            ssop_rule right = SSOP_NO_RULE;
            int count = starts;
            if (of->lengths == SSOP_NO_RULE) {
                count = stops < count ? stops : count;
                count = steps >= 0 && steps < count ? steps : count;
                count = of_axes >= 0 && of_axes < count ? of_axes : count;
                right = of_axes < 0 && count > RANK ? of->too_many : SSOP_NO_RULE;
            }
            else if (stops != starts) {
                right = of->lengths;
            }
            else if (of->step_length == of->lengths && steps >= 0 && steps != starts) {
                right = of->lengths;
            }
            else if (of_axes >= 0 && of_axes != starts) {
                right = of->axes_length;
            }
            else if (steps >= 0 && steps != starts) {
                right = of->step_length;
            }
            else if (count > RANK) {
                right = of_axes < 0 || of->too_many == SSOP_OVS_C4 ? of->too_many : of->twice;
            }
            ssop_region region;
            ssop_error error;
            ssop_rule broken = resolve(of, &spec, RANK, &region, &error);
            CHECK(broken == right, "%s: %s, not %s: %d starts, %d stops, %d steps, %d axes", of->name,
                  ssop_rule_label(broken), ssop_rule_label(right), starts, stops, steps, of_axes);
            CHECK(broken != SSOP_ONR_C3 || is_error(&error, SSOP_ONR_C3, -1, -1, count, 0, RANK), "onr_c3: record");
            for (int axis = 0; broken == SSOP_NO_RULE && axis < RANK; axis++) {
                bool listed = false; /* for one element, unless the axis has none */
                for (int i = 0; i < count; i++) {
                    listed = listed || axis == (of_axes < 0 ? i : axes[i]);
                }
                CHECK(region.range[axis].count == (listed && dims[axis] > 0 ? 1 : dims[axis]),
                      "onr_s1 %s: axis %d of %d entries", of->name, axis, count);
            }
        }
    }
}

static void
test_rejections(void)
{
    const int64_t start[2] = {0, 0}, stop[2] = {1, 1};
    for (int f = 0; f < COUNT(frameworks); f++) {
        const framework *of = &frameworks[f];
        ssop_region region;
        ssop_error error;
        ssop_axes_slice_spec empty = {0, 0, 0, 0, start, stop, NULL, NULL};
        CHECK(resolve(of, &empty, 0, &region, &error) == of->scalar, "%s: scalar", of->name);
        ssop_axes_slice_spec one = {1, 1, 0, 0, start, stop, NULL, NULL};
        CHECK(resolve(of, &one, 0, &region, &error) == (of->scalar != SSOP_NO_RULE ? of->scalar : of->too_many),
              "%s: an entry for a scalar", of->name);
        const int64_t wrong[] = {RANK, -RANK - 1, INT64_MIN, INT64_MAX};
        for (int i = 0; i < COUNT(wrong); i++) {
            int64_t axes[2] = {0, wrong[i]};
            ssop_axes_slice_spec outside = {2, 2, 0, 2, start, stop, NULL, axes};
            CHECK(resolve(of, &outside, RANK, &region, &error) == of->axis &&
                      is_error(&error, of->axis, -1, 1, wrong[i], -RANK, RANK - 1),
                  "%s: axis %lld", of->name, LL(wrong[i]));
        }
        int64_t same[2] = {1, 1 - RANK};
        ssop_axes_slice_spec twice = {2, 2, 0, 2, start, stop, NULL, same};
        CHECK(resolve(of, &twice, RANK, &region, &error) == of->twice &&
                  (of->twice == SSOP_NO_RULE || is_error(&error, of->twice, 1, 1, 1 - RANK, 0, 0)),
              "%s: axis twice", of->name);
        const int64_t zero[2] = {1, 0};
        ssop_axes_slice_spec stuck = {2, 2, 2, 0, start, stop, zero, NULL};
        CHECK(resolve(of, &stuck, RANK, &region, &error) == of->zero_step &&
                  is_error(&error, of->zero_step, 1, 1, 0, 0, 0),
              "%s: step 0", of->name);
        CHECK(ssop_axes_slice_resolve(&stuck, (ssop_shape){RANK, dims}, of->dialect, &region, NULL, NULL) ==
                  SSOP_VALUE_ERROR,
              "%s: step 0, without a record", of->name);
        ssop_axes_slice_spec endless = {INT64_MAX, INT64_MAX, 0, 0, start, stop, NULL, NULL};
        CHECK(resolve(of, &endless, RANK, &region, &error) == of->too_many, "%s: endless lists", of->name);
    }
}

/* onr_s1, onr_c4: where the last of several entries holds, lists may be longer than the rank, to a limit. */
static void
test_long_lists(void)
{
    int64_t start[SSOP_MAX_ENTRIES], stop[SSOP_MAX_ENTRIES], axes[SSOP_MAX_ENTRIES];
    for (int i = 0; i < SSOP_MAX_ENTRIES; i++) {
        start[i] = 0;
        stop[i] = i % 3;
        axes[i] = 0;
    }
    for (int64_t count = 1; count <= SSOP_MAX_ENTRIES + 2; count++) {
        ssop_axes_slice_spec spec = {count, count, 0, count, start, stop, NULL, axes};
        ssop_region region;
        ssop_error error;
        if (count > SSOP_MAX_ENTRIES) {
            CHECK(resolve(&frameworks[2], &spec, RANK, &region, &error) == SSOP_ONR_C4 &&
                      is_error(&error, SSOP_ONR_C4, -1, -1, count, 0, SSOP_MAX_ENTRIES),
                  "onr_c4: %lld entries", LL(count));
        }
        else {
            CHECK(resolve(&frameworks[2], &spec, RANK, &region, &error) == SSOP_NO_RULE &&
                      region.range[0].count == (count - 1) % 3,
                  "onr_s1: the last of %lld", LL(count));
        }
    }
}

int
main(void)
{
    test_values();
    test_lengths();
    test_rejections();
    test_long_lists();
    return check_report("test_axes_slice");
}
