/* Fear: TensorFlow's Slice adds begin and size before it looks, or reads -1 as a size. */
#include "walk.h"

static ssop_error
plain_check(int64_t dim, int64_t begin, int64_t size)
{
    ssop_error right = {.rule = SSOP_NO_RULE};
    if (begin < 0 || begin > dim) {
        right = (ssop_error){SSOP_TSL_C2, 0, 0, begin, 0, dim};
    }
    else if (size < -1 || (size > 0 && size > dim - begin)) {
        right = (ssop_error){SSOP_TSL_C3, 0, 0, size, 0, dim - begin};
    }
    return right;
}

static void
check_axis(int64_t dim, int64_t begin, int64_t size)
{
    ssop_error right = plain_check(dim, begin, size), error = {.rule = SSOP_NO_RULE};
    ssop_tf_slice_spec spec = {1, 1, &begin, &size};
    ssop_region region;
    mark(&region, sizeof(region));
    ssop_status status = ssop_tf_slice_resolve(&spec, 1, &dim, &region, &error);
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

/* tsl_c1 comes first, whatever the values are. */
static void
test_lengths(void)
{
    const int64_t dims[2] = {3, 4}, numbers[3] = {-9, -9, -9};
    for (int64_t begins = 0; begins < 4; begins++) {
        for (int64_t sizes = 0; sizes < 4; sizes++) {
            ssop_tf_slice_spec spec = {begins, sizes, numbers, numbers};
            ssop_error error;
            ssop_region region;
            ssop_rule rule = begins == 2 && sizes == 2 ? SSOP_TSL_C2 : SSOP_TSL_C1;
            CHECK(ssop_tf_slice_resolve(&spec, 2, dims, &region, &error) == SSOP_VALUE_ERROR && error.rule == rule,
                  "tsl_c1: %lld begins, %lld sizes", LL(begins), LL(sizes));
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
    return check_report("test_tf_slice");
}
