/* What could go wrong: Slice by begin and size adds the two before it checks them, reads -1 as a size, or names the
 * rule of the other framework. */
#include "slice_oracle.h"

static ssop_error
plain_check(int64_t dim, int64_t begin, int64_t size, bool tflite)
{
    ssop_error right = {.rule = SSOP_NO_RULE};
    if (begin < 0 || begin > dim) {
        right = error_of(tflite ? SSOP_TFS_C2 : SSOP_TSL_C2, 0, 0, begin, 0, dim);
    }
    else if (size < -1) {
        right = error_of(tflite ? SSOP_TFS_C3 : SSOP_TSL_C3, 0, 0, size, 0, dim - begin);
    }
    else if (size > 0 && size > dim - begin) {
        right = error_of(tflite ? SSOP_TFS_C4 : SSOP_TSL_C3, 0, 0, size, 0, dim - begin);
    }
    return right;
}

static void
check_dialect(int64_t dim, int64_t begin, int64_t size, bool tflite)
{
    const ssop_size_dialect *dialect = tflite ? &ssop_tflite_slice : &ssop_tensorflow_slice;
    ssop_error right = plain_check(dim, begin, size, tflite), error = {.rule = SSOP_NO_RULE};
    ssop_size_slice_spec spec = {1, 1, &begin, &size};
    ssop_region region;
    mark(&region, sizeof(region));
    ssop_status status = ssop_size_slice_resolve(&spec, (ssop_shape){1, &dim}, dialect, &region, &error);
    CHECK(status == ssop_rule_status(right.rule), "%s, not %s: dim %lld begin %lld size %lld",
          ssop_rule_label(error.rule), ssop_rule_label(right.rule), LL(dim), LL(begin), LL(size));
    if (status != SSOP_OK) {
        CHECK(is_error(&error, right.rule, 0, 0, right.value, right.low, right.high), "%s: record",
              ssop_rule_label(right.rule));
        CHECK(is_marked(&region, sizeof(region)), "%s: region written on failure", ssop_rule_label(right.rule));
        return;
    }
    int64_t count = size == -1 ? dim - begin : size;
    ssop_range range = region.range[0];
    CHECK(region.in_rank == 1 && region.out_rank == 1 && region.out_axis[0] == 0, "tsl_s1: ranks");
    CHECK(range.count == count && range.step == 1 && range.start == (count > 0 ? begin : 0),
          "tsl_s1: dim %lld begin %lld size %lld", LL(dim), LL(begin), LL(size));
}

static void
check_axis(int64_t dim, int64_t begin, int64_t size)
{
    check_dialect(dim, begin, size, false);
    check_dialect(dim, begin, size, true);
}

/* The first axis is right: nothing of it may be written when the second is not. */
static void
test_nothing_is_written(void)
{
    const int64_t dims[2] = {3, 4}, begin[2] = {0, 5}, size[2] = {1, 1};
    const ssop_size_slice_spec spec = {2, 2, begin, size};
    ssop_region region;
    mark(&region, sizeof(region));
    CHECK(ssop_size_slice_resolve(&spec, (ssop_shape){2, dims}, &ssop_tflite_slice, &region, NULL) ==
                  SSOP_VALUE_ERROR &&
              is_marked(&region, sizeof(region)),
          "tfs_c2: region written on failure");
}

/* tsl_c1 and tfs_c1 come first, whatever the values are. */
static void
test_lengths(void)
{
    const int64_t dims[2] = {3, 4}, numbers[3] = {-9, -9, -9};
    for (int64_t begins = 0; begins < 4; begins++) {
        for (int64_t sizes = 0; sizes < 4; sizes++) {
            ssop_size_slice_spec spec = {begins, sizes, numbers, numbers};
            ssop_error error;
            ssop_region region;
            bool right = begins == 2 && sizes == 2;
            CHECK(ssop_size_slice_resolve(&spec, (ssop_shape){2, dims}, &ssop_tensorflow_slice, &region, &error) ==
                          SSOP_VALUE_ERROR &&
                      error.rule == (right ? SSOP_TSL_C2 : SSOP_TSL_C1),
                  "tsl_c1: %lld begins, %lld sizes", LL(begins), LL(sizes));
            CHECK(ssop_size_slice_resolve(&spec, (ssop_shape){2, dims}, &ssop_tflite_slice, &region, &error) ==
                          SSOP_VALUE_ERROR &&
                      error.rule == (right ? SSOP_TFS_C2 : SSOP_TFS_C1),
                  "tfs_c1: %lld begins, %lld sizes", LL(begins), LL(sizes));
        }
    }
}

int
main(void)
{
    const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, INT32_MIN, INT32_MAX, INT64_MAX - 1, INT64_MAX};
    for (int64_t dim = 0; dim <= 6; dim++) {
        for (int64_t begin = -2; begin <= dim + 2; begin++) {
            for (int64_t size = -3; size <= dim + 2; size++) {
                check_axis(dim, begin, size);
            }
            for (int i = 0; i < COUNT(extremes); i++) {
                check_axis(dim, begin, extremes[i]);
                check_axis(dim, extremes[i], begin);
            }
        }
    }
    check_axis(INT64_MAX, 1, INT64_MAX);
    check_axis(INT64_MAX, 1, INT64_MAX - 1);
    test_lengths();
    test_nothing_is_written();
    return check_report("test_size_slice");
}
