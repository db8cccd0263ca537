/* What could go wrong: XLA's Slice accepts a bad bound, or clamps one that is an error. */
#include "slice_oracle.h"

static ssop_status
resolve(const ssop_slice_spec *spec, int32_t rank, const int64_t *dims, ssop_region *region, ssop_error *error)
{
    ssop_status status = ssop_slice_resolve(spec, (ssop_shape){rank, dims}, region, error);
    ssop_region other;
    CHECK(ssop_slice_resolve(spec, (ssop_shape){rank, dims}, &other, NULL) == status, "without error record");
    return status;
}

/* The checks of one axis as SPEC.md lists them. */
static ssop_error
plain_check(int64_t dim, int64_t start, int64_t limit, int64_t stride)
{
    ssop_error right = {.rule = SSOP_NO_RULE, .axis = 0, .entry = 0};
    if (!(0 <= start)) {
        right = error_of(SSOP_SL_C4, 0, 0, start, 0, dim);
    }
    else if (!(limit <= dim)) {
        right = error_of(SSOP_SL_C5, 0, 0, limit, 0, dim);
    }
    else if (!(start <= limit)) {
        right = error_of(SSOP_SL_C6, 0, 0, limit, start, dim);
    }
    else if (!(1 <= stride)) {
        right = error_of(SSOP_SL_C7, 0, 0, stride, 1, INT64_MAX);
    }
    return right;
}

static void
check_axis(int64_t dim, int64_t start, int64_t limit, int64_t stride)
{
    ssop_error right = plain_check(dim, start, limit, stride), error = {.rule = SSOP_NO_RULE};
    ssop_slice_spec spec = {1, 1, 1, &start, &limit, &stride};
    ssop_region region;
    ssop_status status = resolve(&spec, 1, &dim, &region, &error);
    CHECK(status == ssop_rule_status(right.rule), "%s, not %s: dim %lld [%lld:%lld:%lld]", ssop_rule_label(error.rule),
          ssop_rule_label(right.rule), LL(dim), LL(start), LL(limit), LL(stride));
    CHECK(is_error(&error, right.rule, 0, 0, right.value, right.low, right.high),
          "%s record: dim %lld [%lld:%lld:%lld]", ssop_rule_label(right.rule), LL(dim), LL(start), LL(limit),
          LL(stride));
    if (status != SSOP_OK || right.rule != SSOP_NO_RULE) {
        return;
    }
    int64_t pick[MAX_PICKS] = {0}, count = 0;
    for (int64_t at = start; at < limit; at += stride) {
        pick[count++] = at;
        if (stride > dim) {
            break;
        }
    }
    CHECK(region.in_rank == 1 && region.out_rank == 1 && region.out_axis[0] == 0 &&
              same_range(region.range[0], range_of_picks(pick, count)),
          "sl_s1: dim %lld [%lld:%lld:%lld]", LL(dim), LL(start), LL(limit), LL(stride));
}

static void
test_every_small_axis(void)
{
    for (int64_t dim = 0; dim <= 12; dim++) {
        int64_t number[64];
        int numbers = numbers_around_zero(dim + 2, number);
        for (int s = 0; s < numbers; s++) {
            for (int l = 0; l < numbers; l++) {
                for (int t = 0; t < numbers; t++) {
                    check_axis(dim, number[s], number[l], number[t]);
                }
            }
        }
    }
}

/* sl_s1 where XLA's own (limit - start + stride - 1) / stride would overflow. */
static void
test_long_axes(void)
{
    const int64_t dim = INT64_MAX, start = 1, limit = INT64_MAX;
    const struct {
        int64_t stride, count;
    } cases[] = {{1, INT64_MAX - 1}, {2, INT64_MAX / 2}, {INT64_MAX / 2, 2}, {INT64_MAX / 2 + 1, 2},
                 {INT64_MAX - 2, 2}, {INT64_MAX - 1, 1}, {INT64_MAX, 1}};
    for (int i = 0; i < COUNT(cases); i++) {
        ssop_slice_spec spec = {1, 1, 1, &start, &limit, &cases[i].stride};
        ssop_region region;
        CHECK(resolve(&spec, 1, &dim, &region, NULL) == SSOP_OK && region.range[0].count == cases[i].count,
              "sl_s1: stride %lld takes %lld", LL(cases[i].stride), LL(region.range[0].count));
    }
}

static void
check_rejected(const char *name, const ssop_slice_spec *spec, int32_t rank, const int64_t *dims, ssop_error right)
{
    ssop_region region;
    ssop_error error;
    mark(&region, sizeof(region));
    ssop_status status = ssop_slice_resolve(spec, (ssop_shape){rank, dims}, &region, &error);
    CHECK(status == SSOP_VALUE_ERROR, "%s: status %d", name, (int)status);
    CHECK(is_error(&error, right.rule, right.axis, right.entry, right.value, right.low, right.high), "%s: %s", name,
          ssop_rule_label(error.rule));
    CHECK(is_marked(&region, sizeof(region)), "%s: region written on failure", name);
}

/* Lengths first, in the order of the labels, then axis by axis. */
static void
test_rejections(void)
{
    const int64_t dims[2] = {3, 4}, zeros[3] = {0, 0, 0}, ends[2] = {3, 4}, ones[2] = {1, 1};
    const int64_t bad_start[2] = {0, -1}, bad_limit[2] = {4, 4}, bad_stride[2] = {1, 0};
    check_rejected("sl_c1", &(ssop_slice_spec){1, 2, 3, zeros, ends, ones}, 2, dims,
                   error_of(SSOP_SL_C1, -1, -1, 1, 2, 0));
    check_rejected("sl_c2", &(ssop_slice_spec){3, 3, 1, zeros, zeros, ones}, 2, dims,
                   error_of(SSOP_SL_C2, -1, -1, 3, 1, 0));
    check_rejected("sl_c3 too many", &(ssop_slice_spec){3, 3, 3, zeros, zeros, zeros}, 2, dims,
                   error_of(SSOP_SL_C3, -1, -1, 3, 2, 2));
    check_rejected("sl_c3 too few", &(ssop_slice_spec){1, 1, 1, zeros, ends, NULL}, 2, dims,
                   error_of(SSOP_SL_C3, -1, -1, 1, 2, 2));
    check_rejected("sl_c4 of axis 1", &(ssop_slice_spec){2, 2, 2, bad_start, ends, bad_stride}, 2, dims,
                   error_of(SSOP_SL_C4, 1, 1, -1, 0, 4));
    check_rejected("sl_c5 before sl_c4 of axis 1", &(ssop_slice_spec){2, 2, 0, bad_start, bad_limit, NULL}, 2, dims,
                   error_of(SSOP_SL_C5, 0, 0, 4, 0, 3));
    check_rejected("sl_c6", &(ssop_slice_spec){2, 2, 0, ends, ones, NULL}, 2, dims,
                   error_of(SSOP_SL_C6, 0, 0, 1, 3, 3));
    check_rejected("sl_c7", &(ssop_slice_spec){2, 2, 2, zeros, ends, bad_stride}, 2, dims,
                   error_of(SSOP_SL_C7, 1, 1, 0, 1, INT64_MAX));
}

static void
test_ranks(void)
{
    int64_t start[SSOP_MAX_RANK], limit[SSOP_MAX_RANK];
    for (int32_t rank = 0; rank <= SSOP_MAX_RANK; rank++) {
        for (int32_t axis = 0; axis < rank; axis++) {
            start[axis] = axis;
            limit[axis] = 2 * axis;
        }
        ssop_slice_spec spec = {rank, rank, 99, start, limit, NULL}; /* no strides: their count is not read */
        ssop_region region;
        CHECK(resolve(&spec, rank, limit, &region, NULL) == SSOP_OK && region.in_rank == rank &&
                  region.out_rank == rank,
              "rank %d", (int)rank);
        for (int32_t axis = 0; axis < rank; axis++) {
            ssop_range right = axis == 0 ? (ssop_range){0, 0, 1} : (ssop_range){axis, axis, 1};
            CHECK(same_range(region.range[axis], right) && region.out_axis[axis] == axis, "rank %d axis %d", (int)rank,
                  (int)axis);
        }
    }
}

int
main(void)
{
    test_every_small_axis();
    test_long_axes();
    test_rejections();
    test_ranks();
    return check_report("test_slice");
}
