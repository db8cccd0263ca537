/* What could go wrong: the shape of a result for partly known dims misses a completion, is too wide, or the search for
 * valid dims does not end (ss_s10, sh_s20). */
#include "check.h"

#define ANY_DIM ((ssop_interval){0, INT64_MAX})

/* Pad of every axis, and a limit that dims must reach, as two operations. */
typedef struct {
    int64_t low[2], high[2], interior[2];
} padding;

static ssop_status
pad(const void *arguments, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK], int8_t source[SSOP_MAX_RANK],
    ssop_error *error)
{
    const padding *given = arguments;
    const ssop_pad_spec spec = {shape.rank, given->low, given->high, given->interior};
    ssop_region kept, place;
    *rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        source[axis] = (int8_t)axis;
    }
    return ssop_pad_resolve(&spec, shape, &kept, &place, dims, error);
}

typedef struct {
    int64_t start[2], limit[2], stride[2];
} cut;

static ssop_status
slice(const void *arguments, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK], int8_t source[SSOP_MAX_RANK],
      ssop_error *error)
{
    const cut *given = arguments;
    const ssop_slice_spec spec = {shape.rank, shape.rank, shape.rank, given->start, given->limit, given->stride};
    ssop_region region;
    ssop_status status = ssop_slice_resolve(&spec, shape, &region, error);
    *rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        dims[axis] = status == SSOP_OK ? region.range[axis].count : 0;
        source[axis] = -1;
    }
    return status;
}

/* Two axes of intervals 0..5 against all completions. */
static void
check_two_axes(const ssop_shape_function *function, ssop_interval x, ssop_interval y)
{
    ssop_inference inference = {.last_id = 9, .tight = true};
    int64_t lo[2] = {0, 0}, hi[2] = {0, 0};
    bool legal = false, whole[2] = {true, true};
    for (int64_t i = 0; i < 36; i++) {
        const int64_t dim[2] = {i % 6, i / 6};
        int32_t rank;
        int64_t out[SSOP_MAX_RANK];
        int8_t source[SSOP_MAX_RANK];
        if (dim[0] < x.lo || dim[0] > x.hi || dim[1] < y.lo || dim[1] > y.hi ||
            function->resolve(function->arguments, (ssop_shape){2, dim}, &rank, out, source, NULL) != SSOP_OK) {
            continue;
        }
        for (int axis = 0; axis < 2; axis++) {
            lo[axis] = legal && lo[axis] < out[axis] ? lo[axis] : out[axis];
            hi[axis] = legal && hi[axis] > out[axis] ? hi[axis] : out[axis];
            whole[axis] = whole[axis] && out[axis] == dim[axis];
        }
        legal = true;
    }
    const ssop_partial_shape shape = {1, 2, {{x, x.lo < x.hi ? 1 : 0}, {y, y.lo < y.hi ? 2 : 0}}};
    ssop_partial_shape out = {.id = -7};
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = ssop_shape_function_infer(&inference, function, &shape, &out, &error);
    CHECK((status == SSOP_OK) == legal, "ss_s10: %lld..%lld %lld..%lld: %s", LL(x.lo), LL(x.hi), LL(y.lo), LL(y.hi),
          ssop_rule_label(error.rule));
    CHECK(legal ? out.id > 9 : out.id == -7 && error.axis >= 0, "ss_s10: written on failure");
    for (int axis = 0; legal && axis < 2; axis++) {
        ssop_dim got = out.dim[axis];
        CHECK(got.value.lo == lo[axis] && got.value.hi == hi[axis], "ss_s10: axis %d: %lld..%lld, not %lld..%lld", axis,
              LL(got.value.lo), LL(got.value.hi), LL(lo[axis]), LL(hi[axis]));
        CHECK(ssop_dim_is_known(got) || (got.id != axis + 1) || whole[axis], "sh_s20: wrong identity");
    }
}

static void
test_every_small_shape(void)
{
    const padding paddings[] = {
        {{0, 0}, {0, 0}, {0, 0}},   {{1, -2}, {0, 1}, {0, 0}}, {{-1, -3}, {-1, -1}, {0, 1}},
        {{-4, 0}, {0, -4}, {2, 3}}, {{-9, 2}, {0, 0}, {0, 1}}, {{-9, 0}, {8, -20}, {1, 0}},
    };
    const cut cuts[] = {
        {{0, 1}, {3, 5}, {1, 2}},
        {{0, 0}, {0, 6}, {1, 1}},
        {{2, -1}, {3, 3}, {1, 1}},
        {{0, 0}, {6, 6}, {1, 0}},
    };
    for (int64_t i = 0; i < 36 * 36; i++) {
        ssop_interval x = {i % 6, i / 6 % 6}, y = {i / 36 % 6, i / 216};
        if (x.lo > x.hi || y.lo > y.hi) {
            continue;
        }
        for (int k = 0; k < COUNT(paddings); k++) {
            const ssop_shape_function function = {&paddings[k], 2, SSOP_PAD_C5, pad};
            check_two_axes(&function, x, y);
        }
        for (int k = 0; k < COUNT(cuts); k++) {
            const ssop_shape_function function = {&cuts[k], 2, SSOP_NO_RULE, slice};
            check_two_axes(&function, x, y);
        }
    }
}

/* As they are. */
static ssop_status
keep(const void *arguments, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK], int8_t source[SSOP_MAX_RANK],
     ssop_error *error)
{
    (void)arguments, (void)error;
    *rank = shape.rank;
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        dims[axis] = shape.dim[axis];
        source[axis] = (int8_t)axis;
    }
    return SSOP_OK;
}

/* Dims past 32 bits, on as many axes as there can be, stay the same dims. */
static void
test_most_axes(void)
{
    ssop_inference inference = {.last_id = 999, .tight = true};
    ssop_partial_shape shape = {1, SSOP_MAX_RANK, {{{0, 0}, 0}}}, out;
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        shape.dim[axis] = (ssop_dim){{INT64_C(1) << 33, INT64_MAX - axis}, axis + 1};
    }
    const ssop_shape_function function = {NULL, SSOP_UNKNOWN_RANK, SSOP_NO_RULE, keep};
    CHECK(ssop_shape_function_infer(&inference, &function, &shape, &out, NULL) == SSOP_OK && out.rank == SSOP_MAX_RANK,
          "ss_s10: 64 axes");
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        CHECK(out.dim[axis].id == axis + 1 && out.dim[axis].value.hi == INT64_MAX - axis, "sh_s20: axis %d of 64",
              (int)axis);
    }
}

/* An error that names no axis, or one that the operand does not have. */
static ssop_status
fail_at(const void *arguments, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK],
        int8_t source[SSOP_MAX_RANK], ssop_error *error)
{
    (void)shape, (void)rank, (void)dims, (void)source;
    *error = (ssop_error){.rule = SSOP_PAD_C2, .axis = *(const int32_t *)arguments, .entry = -1};
    return SSOP_VALUE_ERROR;
}

static void
test_errors_of_no_axis(void)
{
    ssop_inference inference = {.last_id = 9, .tight = true};
    const ssop_partial_shape shape = {8, 1, {{ANY_DIM, 1}}};
    const int32_t axes[] = {-1, 1, 7};
    for (int i = 0; i < COUNT(axes); i++) {
        const ssop_shape_function function = {&axes[i], 1, SSOP_NO_RULE, fail_at};
        ssop_partial_shape out;
        ssop_error error;
        CHECK(ssop_shape_function_infer(&inference, &function, &shape, &out, &error) == SSOP_VALUE_ERROR &&
                  error.axis == axes[i],
              "ss_s10: an error at axis %d", (int)axes[i]);
    }
}

static void
test_limits(void)
{
    const padding wider = {{1, 0}, {0, 0}, {0, 1}}, none = {{0, 0}, {0, 0}, {0, 0}},
                  huge = {{INT64_MAX, 0}, {1, 0}, {0, 0}};
    const ssop_shape_function pad_wider = {&wider, 2, SSOP_PAD_C5, pad}, pad_none = {&none, 2, SSOP_PAD_C5, pad};
    const ssop_shape_function pad_huge = {&huge, 2, SSOP_PAD_C5, pad},
                              any_rank = {&none, SSOP_UNKNOWN_RANK, SSOP_PAD_C5, pad};
    ssop_inference inference = {.last_id = 9, .tight = true};
    const ssop_partial_shape unknown = {7, SSOP_UNKNOWN_RANK, {{{0, 0}, 0}}},
                             two = {8, 2, {{ANY_DIM, 1}, {ANY_DIM, 2}}};
    ssop_partial_shape out;
    ssop_error error;
    CHECK(ssop_shape_function_infer(&inference, &pad_wider, &two, &out, NULL) == SSOP_OK && out.dim[0].value.lo == 1 &&
              out.dim[0].value.hi == INT64_MAX && out.dim[1].value.lo == 0 && out.dim[1].value.hi == INT64_MAX,
          "ss_s10: limited by int64: %lld", LL(out.dim[1].value.hi));
    const padding cropping = {{-9, 0}, {0, 0}, {1, 0}};
    const ssop_shape_function crop = {&cropping, 2, SSOP_PAD_C5, pad};
    CHECK(ssop_shape_function_infer(&inference, &crop, &two, &out, NULL) == SSOP_OK && out.dim[0].value.lo == 0 &&
              out.dim[0].value.hi > INT64_MAX - 20,
          "ss_s10: too small and too large dims: %lld..%lld", LL(out.dim[0].value.lo), LL(out.dim[0].value.hi));
    CHECK(ssop_shape_function_infer(&inference, &pad_none, &two, &out, NULL) == SSOP_OK && out.dim[0].id == 1 &&
              out.dim[1].id == 2,
          "sh_s20: the dims themselves");
    CHECK(ssop_shape_function_infer(&inference, &pad_none, &unknown, &out, NULL) == SSOP_OK && out.rank == 2,
          "sh_s20: the rank of the arguments");
    CHECK(ssop_shape_function_infer(&inference, &any_rank, &unknown, &out, NULL) == SSOP_OK &&
              out.rank == SSOP_UNKNOWN_RANK,
          "sh_s20: unknown rank");
    CHECK(ssop_shape_function_infer(&inference, &pad_huge, &two, &out, &error) != SSOP_OK && error.rule == SSOP_PAD_C5,
          "pad_c5: every dim is too large");
    CHECK(ssop_shape_function_infer(&inference, &pad_huge, &two, &out, NULL) != SSOP_OK, "pad_c5: no record");
    inference.tight = false;
    CHECK(ssop_shape_function_infer(&inference, &pad_wider, &two, &out, NULL) == SSOP_OK && out.dim[0].value.lo == 0 &&
              out.dim[0].id != 1,
          "sh_s2: no intervals");
}

int
main(void)
{
    test_every_small_shape();
    test_most_axes();
    test_errors_of_no_axis();
    test_limits();
    return check_report("test_shape_function");
}
