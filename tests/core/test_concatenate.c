/* What could go wrong: an operand goes to the wrong place, or shapes that do not fit are accepted. */
#include "check.h"

enum { MAX_OPERANDS = 5, MAX_RANK = 4 };

/* Random shapes, most of which fit; every check recomputed the plain way. */
static void
check_random(void)
{
    int64_t dims[MAX_OPERANDS][SSOP_MAX_RANK];
    int32_t rank = (int32_t)random_between(1, MAX_RANK), axis = (int32_t)random_between(0, rank - 1);
    int operands = (int)random_between(1, MAX_OPERANDS);
    int64_t sum = 0;
    for (int i = 0; i < operands; i++) {
        for (int32_t k = 0; k < rank; k++) {
            dims[i][k] = i > 0 && k != axis && random_between(0, 20) > 0 ? dims[0][k] : random_between(0, 5);
        }
    }
    ssop_concatenation joined = {0}; /* compared as a whole */
    ssop_error error;
    CHECK(ssop_concatenate_begin(&joined, operands, axis, (ssop_shape){rank, dims[0]}, &error) == SSOP_OK, "begin");
    for (int i = 0; i < operands; i++) {
        int32_t bad = -1;
        for (int32_t k = rank - 1; k >= 0; k--) {
            bad = k != axis && dims[i][k] != dims[0][k] ? k : bad;
        }
        ssop_region place;
        mark(&place, sizeof(place));
        ssop_concatenation before = joined, other = joined;
        ssop_status status = ssop_concatenate_add(&joined, i, (ssop_shape){rank, dims[i]}, &place, &error);
        if (bad >= 0) {
            CHECK(status == SSOP_VALUE_ERROR &&
                      is_error(&error, SSOP_CAT_C5, bad, i, dims[i][bad], dims[0][bad], dims[0][bad]),
                  "cat_c5: axis %d", bad);
            CHECK(is_marked(&place, sizeof(place)) && memcmp(&before, &joined, sizeof(joined)) == 0,
                  "cat_c5: written on failure");
            return;
        }
        CHECK(ssop_concatenate_add(&other, i, (ssop_shape){rank, dims[i]}, NULL, &error) == SSOP_OK &&
                  memcmp(&other, &joined, sizeof(joined)) == 0,
              "cat_s1: no place is asked");
        CHECK(status == SSOP_OK && place.in_rank == rank && place.out_rank == rank, "cat_s1: ranks");
        for (int32_t k = 0; k < rank; k++) {
            int64_t count = dims[i][k], start = k == axis && count > 0 ? sum : 0;
            ssop_range range = place.range[k];
            CHECK(range.start == start && range.count == count && range.step == 1 && place.out_axis[k] == k,
                  "cat_s1: operand %d axis %d", i, k);
        }
        sum += dims[i][axis];
    }
    for (int32_t k = 0; k < rank; k++) {
        CHECK(joined.dim[k] == (k == axis ? sum : dims[0][k]), "cat_s1: the joined dim of axis %d", k);
    }
}

static void
test_rejections(void)
{
    const int64_t dims[2] = {3, 4}, many[2] = {INT64_MAX - 5, 4};
    ssop_concatenation joined;
    ssop_region place;
    ssop_error error;
    CHECK(ssop_concatenate_begin(&joined, 0, 9, (ssop_shape){0, NULL}, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_CAT_C1, -1, -1, 0, 0, 0),
          "cat_c1 comes first");
    const int64_t outside[] = {-1, 2, INT64_MIN, INT64_MAX};
    for (int i = 0; i < COUNT(outside); i++) {
        CHECK(ssop_concatenate_begin(&joined, 1, outside[i], (ssop_shape){2, dims}, &error) == SSOP_VALUE_ERROR &&
                  is_error(&error, SSOP_CAT_C2, -1, -1, outside[i], 0, 1) && error.form == 0,
              "cat_c2: %lld", LL(outside[i]));
    }
    CHECK(ssop_concatenate_begin(&joined, 1, 0, (ssop_shape){0, NULL}, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_CAT_C2, -1, -1, 0, 0, -1) && error.form == 1,
          "cat_c2: a scalar has no axis");
    CHECK(ssop_concatenate_begin(&joined, 1, 1, (ssop_shape){1, dims}, &error) == SSOP_VALUE_ERROR && error.form == 0,
          "cat_c2: a vector has one");
    CHECK(ssop_concatenate_begin(&joined, 1, 0, (ssop_shape){2, many}, &error) == SSOP_OK, "begin");
    for (int32_t rank = 0; rank < 5; rank++) {
        const int64_t shape[5] = {9, 9, 9, 9, 9};
        ssop_status status = ssop_concatenate_add(&joined, 7, (ssop_shape){rank, shape}, &place, &error);
        bool right =
            rank == 2 ? is_error(&error, SSOP_CAT_C5, 1, 7, 9, 4, 4) : is_error(&error, SSOP_CAT_C3, -1, 7, rank, 2, 2);
        CHECK(status == SSOP_VALUE_ERROR && right, "cat_c3: rank %d", rank);
    }
    const int64_t five[2] = {5, 4}, six[2] = {6, 4};
    CHECK(ssop_concatenate_add(&joined, 0, (ssop_shape){2, many}, &place, &error) == SSOP_OK, "cat_c6: still fits");
    CHECK(ssop_concatenate_add(&joined, 1, (ssop_shape){2, six}, &place, &error) == SSOP_OVERFLOW_ERROR &&
              is_error(&error, SSOP_CAT_C6, 0, 1, 6, 0, 0),
          "cat_c6");
    CHECK(ssop_concatenate_add(&joined, 1, (ssop_shape){2, five}, &place, NULL) == SSOP_OK &&
              joined.dim[0] == INT64_MAX,
          "cat_c6: just fits");
    CHECK(ssop_concatenate_add(&joined, 2, (ssop_shape){2, five}, &place, NULL) == SSOP_OVERFLOW_ERROR,
          "cat_c6: no record");
}

int
main(void)
{
    for (int i = 0; i < 20000; i++) {
        check_random();
    }
    test_rejections();
    return check_report("test_concatenate");
}
