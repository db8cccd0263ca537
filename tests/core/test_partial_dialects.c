/* What could go wrong: with unknown numbers, TensorFlow's rules are applied to another framework. The differences are
 * ends that stand for the end of the axis, and sizes instead of ends (ss_s10, ort_s1, sh_s22). */
#include "partial_hull.h"

/* ---- slices of listed axes --------------------------------------------------------------------------------------- */

/* Slices of one listed axis: every interval of small numbers, against all completions. */
static void
check_axes_slice(const partial_entry *partial, const ssop_axes_dialect *dialect)
{
    ssop_inference inference = {.last_id = 1, .tight = true};
    count_hull right = {.legal = false};
    int64_t dims = partial->dim.hi - partial->dim.lo + 1, begins = partial->begin.hi - partial->begin.lo + 1;
    int64_t ends = partial->end.hi - partial->end.lo + 1, steps = partial->step.hi - partial->step.lo + 1;
    for (int64_t i = 0; i < dims * begins * ends * steps; i++) {
        int64_t dim = partial->dim.lo + i % dims, begin = partial->begin.lo + i / dims % begins;
        int64_t end = partial->end.lo + i / dims / begins % ends, step = partial->step.lo + i / dims / begins / ends;
        ssop_axes_slice_spec spec = {1, 1, 1, 0, &begin, &end, &step, NULL};
        ssop_region region;
        if (ssop_axes_slice_resolve(&spec, (ssop_shape){1, &dim}, dialect, &region, NULL, NULL) == SSOP_OK) {
            extend(&right, region.range[0].count);
        }
    }
    ssop_partial_axes_slice_spec spec = {1, 1, 1, 0, &partial->begin, &partial->end, &partial->step, NULL};
    ssop_partial_shape shape = {1, 1, {{partial->dim, 1}}};
    ssop_status status = ssop_axes_slice_infer(&inference, &spec, &shape, dialect, &shape, NULL);
    CHECK((status == SSOP_OK) == right.legal, "ss_s10: " CASE, CASE_VALUES(partial));
    CHECK(!right.legal || (shape.dim[0].value.lo == right.counts.lo && shape.dim[0].value.hi == right.counts.hi),
          "ss_s10: %lld..%lld, not %lld..%lld: " CASE, LL(shape.dim[0].value.lo), LL(shape.dim[0].value.hi),
          LL(right.counts.lo), LL(right.counts.hi), CASE_VALUES(partial));
}

static void
test_axes_slices(void)
{
    ssop_interval dim[10], bound[21];
    int dims = intervals_within(0, 3, dim), bounds = intervals_within(-3, 2, bound);
    const ssop_interval steps[] = {ONLY(0), ONLY(1), ONLY(-1), ONLY(2), {-2, 2}, {0, 3}};
    const ssop_axes_dialect *dialects[] = {&ssop_openvino_slice, &ssop_onnx_slice, &ssop_onnxruntime_slice,
                                           &ssop_onnx_reference_slice};
    for (int k = 0; k < COUNT(dialects) * COUNT(steps); k++) {
        for (int i = 0; i < dims * bounds * bounds; i++) {
            if (!is_chosen()) {
                continue;
            }
            partial_entry partial = {dim[i % dims], bound[i / dims % bounds], bound[i / dims / bounds],
                                     steps[k / COUNT(dialects)]};
            check_axes_slice(&partial, dialects[k % COUNT(dialects)]);
        }
    }
    /* ort_s1: INT32_MAX and INT64_MAX are the end of the axis, and their neighbours are not. */
    const int64_t around[2] = {INT32_MAX, INT64_MAX - 1};
    for (int i = 0; i < 2; i++) {
        for (int64_t k = 0; k < 16; k++) {
            int64_t lo = around[i] - 2 + k / 4, hi = around[i] - 2 + k % 4;
            if (lo <= hi) {
                const int64_t dim_near = i == 0 ? (int64_t)INT32_MAX + 4 : 5;
                partial_entry partial = {{dim_near, dim_near + 1}, ONLY(-1), {lo, hi}, {-1, -1}};
                check_axes_slice(&partial, &ssop_onnxruntime_slice);
                partial = (partial_entry){{dim_near, dim_near + 1}, ONLY(0), {lo, hi}, {1, 1}};
                check_axes_slice(&partial, &ssop_onnxruntime_slice);
            }
        }
    }
}

static void
test_axes_slice_of_several_axes(void)
{
    ssop_inference inference = {.last_id = 9, .tight = true};
    const ssop_interval start[1] = {ONLY(0)}, stop[1] = {ANY}, zero[1] = {ONLY(0)};
    const int64_t axes[1] = {-1};
    const ssop_partial_axes_slice_spec without_step = {1, 1, 0, 1, start, stop, NULL, axes};
    const ssop_partial_axes_slice_spec with_step_0 = {1, 1, 1, 1, start, stop, zero, axes};
    const ssop_partial_shape shape = {8, 2, {{ANY_DIM, 1}, {{2, 3}, 2}}},
                             unknown = {9, SSOP_UNKNOWN_RANK, {{{0, 0}, 0}}};
    ssop_partial_shape out;
    ssop_error error;
    CHECK(ssop_axes_slice_infer(&inference, &without_step, &shape, &ssop_onnx_slice, &out, &error) == SSOP_OK &&
              out.rank == 2 && out.dim[0].id == 1 && out.dim[1].value.lo == 0 && out.dim[1].value.hi == 3,
          "ss_s10: the last axis");
    CHECK(ssop_axes_slice_infer(&inference, &with_step_0, &shape, &ssop_onnx_slice, &out, &error) != SSOP_OK &&
              error.rule == SSOP_ONX_C6 && error.axis == 1 && error.entry == 0,
          "onx_c6: place");
    const int64_t no_axis[1] = {2};
    const ssop_partial_axes_slice_spec of_no_axis = {1, 1, 0, 1, start, stop, NULL, no_axis};
    CHECK(ssop_axes_slice_infer(&inference, &of_no_axis, &shape, &ssop_onnx_slice, &out, &error) != SSOP_OK &&
              error.rule == SSOP_ONX_C4,
          "onx_c4: no axis 2");
    CHECK(ssop_axes_slice_infer(&inference, &without_step, &unknown, &ssop_onnx_slice, &out, &error) == SSOP_OK &&
              out.rank == SSOP_UNKNOWN_RANK,
          "sh_s20: unknown rank");
    CHECK(ssop_strided_slice_infer(&inference, &(ssop_partial_spec){.count = 0}, &unknown, &ssop_dialect_openvino, &out,
                                   &error) == SSOP_OK &&
              out.rank == SSOP_UNKNOWN_RANK,
          "sh_s20: unknown rank");
}

/* If the rank is unknown, a slice is an error if it is one for every rank. The oracle tries each rank. */
static void
check_axes_of_unknown_rank(int64_t first, int64_t second, int64_t step, const ssop_axes_dialect *dialect)
{
    const ssop_interval bound[2] = {ONLY(0), ONLY(0)}, steps[2] = {ONLY(step), ONLY(1)};
    const int64_t axes[2] = {first, second}, begin[2] = {0, 0}, step_of[2] = {step, 1}, dims[SSOP_MAX_RANK] = {0};
    const ssop_partial_axes_slice_spec spec = {2, 2, 2, 2, bound, bound, steps, axes};
    const ssop_axes_slice_spec known = {2, 2, 2, 2, begin, begin, step_of, axes};
    const ssop_partial_shape unknown = {9, SSOP_UNKNOWN_RANK, {{{0, 0}, 0}}};
    ssop_inference inference = {.last_id = 9, .tight = true};
    ssop_partial_shape out;
    ssop_region region;
    ssop_error error = {.rule = SSOP_NO_RULE}, right = {.rule = SSOP_NO_RULE};
    bool legal = false;
    for (int32_t rank = 0; rank <= SSOP_MAX_RANK; rank++) { /* the last error is that of the greatest rank */
        legal |= ssop_axes_slice_resolve(&known, (ssop_shape){rank, dims}, dialect, &region, NULL, &right) == SSOP_OK;
    }
    ssop_status status = ssop_axes_slice_infer(&inference, &spec, &unknown, dialect, &out, &error);
    CHECK((status == SSOP_OK) == legal, "sh_s20: axes %lld and %lld, step %lld", LL(first), LL(second), LL(step));
    CHECK(legal ? out.rank == SSOP_UNKNOWN_RANK : error.rule == right.rule && error.entry == right.entry,
          "sh_s20: axes %lld and %lld, step %lld: the error", LL(first), LL(second), LL(step));
}

static void
test_unknown_ranks(void)
{
    static const int64_t axis[] = {0, 1, -1, 63, -63, -64, 64, -65};
    for (unsigned i = 0; i < sizeof axis / sizeof *axis; i++) {
        for (unsigned k = 0; k < sizeof axis / sizeof *axis; k++) {
            check_axes_of_unknown_rank(axis[i], axis[k], 1, &ssop_onnx_slice);
            check_axes_of_unknown_rank(axis[i], axis[k], 0, &ssop_openvino_slice);
        }
    }
    ssop_inference inference = {.last_id = 9};
    const ssop_partial_shape unknown = {9, SSOP_UNKNOWN_RANK, {{{0, 0}, 0}}};
    ssop_partial_spec spec = {.count = 1, .begin = {ONLY(0)}, .end = {ONLY(1)}, .step = {ONLY(0)}};
    ssop_partial_shape out;
    ssop_error error;
    CHECK(ssop_strided_slice_infer(&inference, &spec, &unknown, &ssop_dialect_openvino, &out, &error) != SSOP_OK &&
              is_error(&error, SSOP_OV_C7, 0, 0, 0, 0, 0),
          "ov_c7: of every rank");
    CHECK(ssop_strided_slice_infer(&inference, &spec, &unknown, &ssop_dialect_tensorflow, &out, &error) == SSOP_OK &&
              out.rank == SSOP_UNKNOWN_RANK,
          "sh_s21: TensorFlow checks nothing of an unknown rank");
    spec.count = SSOP_MAX_RANK + 1;
    for (int32_t i = 0; i < spec.count; i++) {
        spec.flags[i] = SSOP_AXIS_NEW;
    }
    CHECK(ssop_strided_slice_infer(&inference, &spec, &unknown, &ssop_dialect_openvino, &out, &error) != SSOP_OK &&
              error.rule == SSOP_SS_C8,
          "ss_c8: of every rank");
    spec.flags[0] = SSOP_ELLIPSIS;
    CHECK(ssop_strided_slice_infer(&inference, &spec, &unknown, &ssop_dialect_openvino, &out, &error) == SSOP_OK &&
              out.rank == SSOP_UNKNOWN_RANK,
          "ss_c8: not of a scalar");
}

/* ---- Slice by begin and size ------------------------------------------------------------------------------------- */

static void
check_size_slice(ssop_interval dim, ssop_interval begin, ssop_interval size)
{
    ssop_inference inference = {.last_id = 1, .tight = true};
    count_hull right = {.legal = false};
    for (int64_t d = dim.lo; d <= dim.hi; d++) {
        for (int64_t b = begin.lo; b <= begin.hi; b++) {
            for (int64_t s = size.lo; s <= size.hi; s++) {
                ssop_size_slice_spec spec = {1, 1, &b, &s};
                ssop_region region;
                if (ssop_size_slice_resolve(&spec, (ssop_shape){1, &d}, &ssop_tensorflow_slice, &region, NULL) ==
                    SSOP_OK) {
                    extend(&right, region.range[0].count);
                }
            }
        }
    }
    ssop_partial_size_slice_spec spec = {1, 1, &begin, &size};
    ssop_partial_shape shape = {1, 1, {{dim, dim.lo < dim.hi ? 1 : 0}}};
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = ssop_size_slice_infer(&inference, &spec, &shape, &ssop_tensorflow_slice, &shape, &error);
    CHECK((status == SSOP_OK) == right.legal && (right.legal || (error.axis == 0 && error.entry == 0)),
          "ss_s10: size slice %lld..%lld of %lld..%lld", LL(begin.lo), LL(begin.hi), LL(dim.lo), LL(dim.hi));
    ssop_interval counts = shape.dim[0].value;
    CHECK(!right.legal || (counts.lo == right.counts.lo && counts.hi == right.counts.hi),
          "ss_s10: %lld..%lld, not %lld..%lld: begin %lld..%lld size %lld..%lld of %lld..%lld", LL(counts.lo),
          LL(counts.hi), LL(right.counts.lo), LL(right.counts.hi), LL(begin.lo), LL(begin.hi), LL(size.lo), LL(size.hi),
          LL(dim.lo), LL(dim.hi));
    bool whole = begin.lo == 0 && begin.hi == 0 && size.lo == -1 && size.hi == -1 && dim.lo < dim.hi;
    CHECK(!right.legal || shape.dim[0].id != 1 || whole, "sh_s20: identity of a size slice");
    CHECK(!whole || shape.dim[0].id == 1, "sh_s20: identity of a size slice is lost");
}

/* TensorFlow's own answer for one axis, as tensorflow_says. */
static int64_t
tensorflow_says_of_size(ssop_interval dim, ssop_interval begin, ssop_interval size)
{
    ssop_inference inference = {.last_id = 1};
    ssop_partial_size_slice_spec spec = {1, 1, &begin, &size};
    ssop_partial_shape shape = {1, 1, {{dim, dim.lo < dim.hi ? 1 : 0}}};
    ssop_error error;
    if (ssop_size_slice_infer(&inference, &spec, &shape, &ssop_tensorflow_slice, &shape, &error) != SSOP_OK) {
        return -10 - (int64_t)error.rule;
    }
    return ssop_dim_is_known(shape.dim[0]) ? shape.dim[0].value.lo : shape.dim[0].id == 1 ? -2 : -1;
}

static void
test_size_slices(void)
{
    ssop_interval dim[15], begin[21], size[28];
    int dims = intervals_within(0, 4, dim), begins = intervals_within(-1, 4, begin),
        sizes = intervals_within(-2, 4, size);
    for (int i = 0; i < dims * begins * sizes; i++) {
        if (!is_chosen()) {
            continue;
        }
        check_size_slice(dim[i % dims], begin[i / dims % begins], size[i / dims / begins]);
    }
    check_size_slice((ssop_interval){0, 5}, ONLY(0), ONLY(-1));
    check_size_slice((ssop_interval){0, 5}, ONLY(0), ONLY(5));
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(2), ONLY(0)) == 0, "sh_s22: a size of 0");
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(2), (ssop_interval){1, 2}) == -1, "sh_s22: a size of 1 or 2");
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(2), ONLY(9)) == 9, "sh_s22: a size that does not fit");
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(2), ONLY(-1)) == 3, "sh_s22: to the end");
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(6), ONLY(-1)) == -10 - SSOP_SH_C12, "sh_c12: behind the end");
    CHECK(tensorflow_says_of_size(ANY_DIM, ONLY(0), ONLY(-1)) == -2, "sh_s22: the dim itself");
    CHECK(tensorflow_says_of_size(ANY_DIM, ONLY(1), ONLY(-1)) == -1, "sh_s22: unknown dim");
    CHECK(tensorflow_says_of_size(ONLY(5), ANY, ONLY(-1)) == -1, "sh_s22: unknown begin");
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(-1), ONLY(-1)) == -1, "sh_s22: begin -1 is unknown");
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(-2), ONLY(3)) == -10 - SSOP_SH_C17, "sh_c17: begin -2");
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(1), ANY) == -1, "sh_s22: unknown size");
    CHECK(tensorflow_says_of_size(ONLY(5), ONLY(1), ONLY(-2)) == -10 - SSOP_TSL_C3, "tsl_c3: size -2");

    ssop_inference inference = {.last_id = 9, .tight = true};
    const ssop_interval two[2] = {ONLY(0), ONLY(0)}, end[2] = {ONLY(-1), ONLY(3)};
    const ssop_partial_shape unknown = {9, SSOP_UNKNOWN_RANK, {{{0, 0}, 0}}}, one_axis = {9, 1, {{ANY_DIM, 1}}};
    ssop_partial_size_slice_spec spec = {2, 2, two, end};
    ssop_partial_shape out;
    ssop_error error;
    CHECK(ssop_size_slice_infer(&inference, &spec, &unknown, &ssop_tensorflow_slice, &out, &error) == SSOP_OK &&
              out.rank == 2 && out.dim[0].value.hi == INT64_MAX && out.dim[1].value.lo == 3,
          "sh_s22: rank from the length of begin");
    CHECK(ssop_size_slice_infer(&inference, &spec, &one_axis, &ssop_tensorflow_slice, &out, &error) != SSOP_OK &&
              error.rule == SSOP_TSL_C1,
          "tsl_c1: two entries for one axis");
    inference.tight = false;
    const ssop_interval some[2] = {ONLY(-1), ANY};
    const ssop_partial_size_slice_spec some_sizes = {2, 2, two, some};
    CHECK(ssop_size_slice_infer(&inference, &some_sizes, &unknown, &ssop_tensorflow_slice, &out, &error) == SSOP_OK &&
              out.dim[0].value.hi == INT64_MAX && out.dim[1].value.hi == INT64_MAX,
          "sh_s22: -1 beside an unknown size");
    const ssop_interval no_dim[2] = {ONLY(-1), ONLY(-2)};
    const ssop_partial_size_slice_spec bad_size = {2, 2, two, no_dim}, bad_begin = {2, 2, no_dim, no_dim};
    CHECK(ssop_size_slice_infer(&inference, &bad_size, &unknown, &ssop_tensorflow_slice, &out, &error) != SSOP_OK &&
              error.rule == SSOP_TSL_C3 && error.entry == 1,
          "sh_s22: a size of -2, of an unknown rank");
    CHECK(ssop_size_slice_infer(&inference, &bad_begin, &unknown, &ssop_tensorflow_slice, &out, &error) != SSOP_OK &&
              error.rule == SSOP_SH_C17 && error.entry == 1,
          "sh_s22: begins before sizes");
    const ssop_partial_size_slice_spec one_size = {1, 1, two, end};
    CHECK(ssop_size_slice_infer(&inference, &one_size, &one_axis, &ssop_tflite_slice, &out, &error) == SSOP_OK &&
              out.dim[0].value.hi == INT64_MAX,
          "sh_s22: TFLite's Slice");
    spec.size_count = 1;
    CHECK(ssop_size_slice_infer(&inference, &spec, &unknown, &ssop_tensorflow_slice, &out, &error) != SSOP_OK &&
              error.rule == SSOP_TSL_C1 && error.form == 1,
          "tsl_c1: lengths differ");
    static ssop_interval many[SSOP_MAX_RANK + 1];
    spec = (ssop_partial_size_slice_spec){SSOP_MAX_RANK + 1, SSOP_MAX_RANK + 1, many, many};
    CHECK(ssop_size_slice_infer(&inference, &spec, &unknown, &ssop_tensorflow_slice, &out, &error) != SSOP_OK &&
              error.rule == SSOP_IN_C9,
          "in_c9: too many axes");
}

/* What the records of the tight mode say: the number nearest to what is legal. */
static void
test_records_of_sizes(void)
{
    enum { BEGIN, SIZE, NEGATIVE_SIZE };
    const ssop_size_dialect *dialects[] = {&ssop_tensorflow_slice, &ssop_tflite_slice};
    const struct {
        ssop_interval dim, begin, size;
        int rule;
        int64_t value, high;
    } examples[] = {
        {{0, 5}, {6, 7}, ONLY(1), BEGIN, 6, 5},           {{0, 5}, {-3, -2}, ONLY(1), BEGIN, -2, 5},
        {{0, 5}, ONLY(-2), ONLY(1), BEGIN, -2, 5},        {ONLY(5), ONLY(1), {9, 12}, SIZE, 9, 4},
        {{2, 5}, {1, 2}, {-4, -2}, NEGATIVE_SIZE, -2, 4},
    };
    for (int k = 0; k < 2 * COUNT(examples); k++) {
        const int i = k / 2;
        const ssop_size_dialect *of = dialects[k % 2];
        const ssop_rule rules[] = {of->begin, of->size, of->negative_size};
        ssop_inference inference = {.last_id = 1, .tight = true};
        const ssop_partial_size_slice_spec spec = {1, 1, &examples[i].begin, &examples[i].size};
        ssop_partial_shape shape = {1, 1, {{examples[i].dim, 1}}};
        ssop_error error;
        CHECK(ssop_size_slice_infer(&inference, &spec, &shape, of, &shape, &error) != SSOP_OK &&
                  error.rule == rules[examples[i].rule] && error.axis == 0 && error.entry == 0 &&
                  error.value == examples[i].value && error.low == 0 && error.high == examples[i].high,
              "ss_s10: record %d: %s", i, ssop_rule_label(error.rule));
    }
}

/* As many axes as there can be, more than 32 bits can count, and what stands after the last number. */
static void
test_counts_of_sizes(void)
{
    ssop_inference inference = {.last_id = 9};
    ssop_interval begin[SSOP_MAX_RANK + 1], size[SSOP_MAX_RANK + 1];
    for (int i = 0; i <= SSOP_MAX_RANK; i++) {
        begin[i] = i < SSOP_MAX_RANK ? ONLY(0) : ONLY(-5);
        size[i] = i < SSOP_MAX_RANK ? ONLY(3) : ONLY(-5);
    }
    const ssop_partial_shape unknown = {9, SSOP_UNKNOWN_RANK, {{{0, 0}, 0}}},
                             two = {8, 2, {{ONLY(7), 0}, {ONLY(5), 0}}};
    const int64_t past = (INT64_C(1) << 32) + 1;
    ssop_partial_size_slice_spec spec = {SSOP_MAX_RANK, SSOP_MAX_RANK, begin, size};
    ssop_partial_shape out;
    ssop_error error;
    for (int tight = 0; tight < 2; tight++) {
        inference.tight = tight != 0;
        CHECK(ssop_size_slice_infer(&inference, &spec, &unknown, &ssop_tensorflow_slice, &out, NULL) == SSOP_OK &&
                  out.rank == SSOP_MAX_RANK && out.id > 9 && out.dim[SSOP_MAX_RANK - 1].value.lo == 3,
              "sh_s22: 64 axes");
    }
    spec.begin_count = spec.size_count = past;
    CHECK(ssop_size_slice_infer(&inference, &spec, &unknown, &ssop_tensorflow_slice, &out, &error) != SSOP_OK &&
              is_error(&error, SSOP_IN_C9, -1, -1, past, 0, SSOP_MAX_RANK),
          "in_c9: more axes than 32 bits count");
    inference.tight = false;
    size[1] = ONLY(-2);
    spec.begin_count = spec.size_count = 2;
    for (int known = 0; known < 2; known++) {
        const int64_t most = known ? 5 : INT64_MAX;
        CHECK(ssop_size_slice_infer(&inference, &spec, known ? &two : &unknown, &ssop_tensorflow_slice, &out, &error) !=
                      SSOP_OK &&
                  is_error(&error, SSOP_TSL_C3, 1, 1, -2, 0, most) && error.low == 0 && error.high == most,
              "tsl_c3: a size of -2");
    }
}

/* Lists of axes without steps, whose steps are 1, and lists that fit no rank. */
static void
test_lists_without_steps(void)
{
    const int64_t axis = 0;
    const ssop_interval starts[] = {ONLY(0), {0, 1}}, stop = ONLY(9), zero = ONLY(0);
    for (int i = 0; i < COUNT(starts); i++) {
        ssop_inference inference = {.last_id = 9, .tight = true};
        const ssop_partial_axes_slice_spec spec = {1, 1, 0, 1, &starts[i], &stop, NULL, &axis};
        ssop_partial_shape shape = {8, 1, {{{0, 5}, 1}}};
        CHECK(ssop_axes_slice_infer(&inference, &spec, &shape, &ssop_onnx_slice, &shape, NULL) == SSOP_OK &&
                  shape.dim[0].value.lo == 0 && shape.dim[0].value.hi == 5 && shape.id > 9 &&
                  (shape.dim[0].id == 1) == (i == 0),
              "sh_s20: no steps, start %d", i);
    }
    ssop_inference inference = {.last_id = 9, .tight = true};
    const ssop_partial_shape unknown = {9, SSOP_UNKNOWN_RANK, {{{0, 0}, 0}}};
    const ssop_partial_axes_slice_spec spec = {1, 1, 1, 1, &starts[0], &stop, &zero, &axis};
    ssop_partial_shape out = {.id = -7, .rank = 77};
    CHECK(ssop_axes_slice_infer(&inference, &spec, &unknown, &ssop_onnx_slice, &out, NULL) != SSOP_OK && out.id == -7 &&
              out.rank == 77,
          "onx_c6: written on failure");
}

int
main(void)
{
    test_axes_slices();
    test_axes_slice_of_several_axes();
    test_unknown_ranks();
    test_size_slices();
    test_records_of_sizes();
    test_counts_of_sizes();
    test_lists_without_steps();
    return check_report("test_partial_dialects");
}
