/* What could go wrong: a region that is composed of two others, split, or turned into a view selects other elements
 * than it should. */
#include "region_oracle.h"

enum { MAX_INDEX = 8 };

/* rg_s2: the element that `both` names is the one that `first` names at the index that `second` names. */
static void
check_composed(const ssop_region *first, const ssop_region *second, const ssop_region *both)
{
    int64_t shape[SSOP_MAX_RANK], right_shape[SSOP_MAX_RANK];
    shape_of(both, shape);
    shape_of(second, right_shape);
    CHECK(both->in_rank == first->in_rank && both->out_rank == second->out_rank &&
              memcmp(shape, right_shape, sizeof(int64_t) * (size_t)second->out_rank) == 0,
          "rg_s2: shape");
    bool empty = has_no_element(second);
    CHECK(ssop_region_is_empty(both) == empty, "rg_s2: emptiness");
    int64_t at[SSOP_MAX_RANK] = {0}, middle[SSOP_MAX_RANK], from[SSOP_MAX_RANK], right[SSOP_MAX_RANK];
    do {
        bool named = !empty && look_up(second, at, middle) && look_up(first, middle, right) && look_up(both, at, from);
        CHECK(named != empty, "rg_s2: an element that comes from nowhere");
        CHECK(!named || memcmp(from, right, sizeof(int64_t) * (size_t)first->in_rank) == 0, "rg_s2: other element");
    } while (!empty && next_index(both, at));
}

/* Three regions one after the other: each pair, and both ways of joining all three. */
static void
check_chain(int32_t rank, const int64_t *dims)
{
    int64_t b_dims[SSOP_MAX_RANK], c_dims[SSOP_MAX_RANK];
    ssop_region a = random_region(rank, dims), ab, bc, ab_c, a_bc;
    shape_of(&a, b_dims);
    ssop_region b = random_region(a.out_rank, b_dims);
    shape_of(&b, c_dims);
    ssop_region c = random_region(b.out_rank, c_dims);
    ssop_error error;
    CHECK(ssop_region_compose(&a, &b, b_dims, &ab, &error) == SSOP_OK, "rg_s2: first pair");
    CHECK(ssop_region_compose(&b, &c, c_dims, &bc, NULL) == SSOP_OK, "rg_s2: second pair");
    check_composed(&a, &b, &ab);
    check_composed(&b, &c, &bc);
    CHECK(ssop_region_compose(&ab, &c, c_dims, &ab_c, &error) == SSOP_OK, "rg_s2: left");
    CHECK(ssop_region_compose(&a, &bc, b_dims, &a_bc, &error) == SSOP_OK, "rg_s2: right");
    CHECK(same_region(&ab_c, &a_bc), "rg_s2: not associative");
    CHECK(ssop_region_check(&ab_c, dims, &error) == SSOP_OK, "rg_s1: composition not canonical");
    ssop_region whole, again;
    ssop_region_whole(&whole, (ssop_shape){rank, dims});
    CHECK(ssop_region_compose(&whole, &a, dims, &again, NULL) == SSOP_OK && same_region(&again, &a),
          "rg_s2: of the whole");
}

static void
test_compose(void)
{
    for (int i = 0; i < 60000; i++) {
        int64_t dims[MAX_AXES];
        int32_t rank = (int32_t)random_between(0, MAX_AXES);
        for (int32_t axis = 0; axis < rank; axis++) {
            dims[axis] = random_between(0, 5);
        }
        check_chain(rank, dims);
    }
}

static void
test_rejections_of_compose(void)
{
    const int64_t dims[2] = {3, 4}, others[2] = {3, 5};
    ssop_region first, second, out;
    ssop_error error;
    ssop_region_whole(&first, (ssop_shape){2, dims});
    ssop_region_whole(&second, (ssop_shape){2, others});
    mark(&out, sizeof(out));
    CHECK(ssop_region_compose(&first, &second, others, &out, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_RG_C1, 1, -1, 5, 4, 4),
          "rg_c1: dims");
    const int64_t first_other[2] = {2, 5};
    CHECK(ssop_region_compose(&first, &second, first_other, &out, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_RG_C1, 0, -1, 2, 3, 3),
          "rg_c1: first of two dims");
    ssop_region_whole(&second, (ssop_shape){1, dims});
    CHECK(ssop_region_compose(&first, &second, dims, &out, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_RG_C1, -1, -1, 1, 2, 2),
          "rg_c1: rank");
    CHECK(ssop_region_compose(&first, &second, dims, &out, NULL) == SSOP_VALUE_ERROR, "rg_c1: no record");
    CHECK(is_marked(&out, sizeof(out)), "rg_c1: region written on failure");
}

/* rg_s2's own example: an empty slice of a new axis, then what becomes of it. */
static void
test_axis_from_nowhere(void)
{
    const ssop_region new_axis = {1, 2, {{0, 3, 1}}, {SSOP_NEW_AXIS, 0}}, none = {2, 2, {{0, 0, 1}, {0, 3, 1}}, {0, 1}};
    const int64_t dims[2] = {1, 3};
    ssop_region out, again;
    CHECK(ssop_region_compose(&new_axis, &none, dims, &out, NULL) == SSOP_OK && out.in_rank == 1 && out.out_rank == 2 &&
              out.out_axis[0] == SSOP_EMPTY_AXIS && out.out_axis[1] == 0 && same_range(out.range[0], none.range[1]),
          "rg_s2: emptied new axis");
    CHECK(ssop_region_dim(&out, 0) == 0 && ssop_region_dim(&out, 1) == 3 && ssop_region_dim(&new_axis, 0) == 1,
          "rg_s2: dims");
    CHECK(ssop_region_is_empty(&out) && !ssop_region_is_empty(&new_axis) && ssop_region_is_empty(&none),
          "rg_s2: empty");
    CHECK(ssop_region_check(&out, dims + 1, NULL) == SSOP_OK, "rg_c2: -2 is canonical");
    const ssop_region whole = {2, 2, {{0, 0, 1}, {0, 3, 1}}, {0, 1}};
    const int64_t shape[2] = {0, 3};
    CHECK(ssop_region_compose(&out, &whole, shape, &again, NULL) == SSOP_OK && same_region(&again, &out),
          "rg_s2: whole of an axis from nowhere");
}

static void
test_whole(void)
{
    int64_t dims[SSOP_MAX_RANK];
    for (int32_t rank = 0; rank <= SSOP_MAX_RANK; rank++) {
        bool empty = false;
        ssop_region region;
        for (int32_t axis = 0; axis < rank; axis++) {
            dims[axis] = axis == rank / 2 ? rank % 3 : axis + 1;
            empty = empty || dims[axis] == 0;
        }
        ssop_region_whole(&region, (ssop_shape){rank, dims});
        CHECK(region.in_rank == rank && region.out_rank == rank && ssop_region_is_empty(&region) == empty,
              "whole of rank %d", (int)rank);
        CHECK(ssop_region_check(&region, dims, NULL) == SSOP_OK, "rg_s1: whole of rank %d", (int)rank);
        for (int32_t axis = 0; axis < rank; axis++) {
            CHECK(same_range(region.range[axis], (ssop_range){0, dims[axis], 1}) && region.out_axis[axis] == axis &&
                      ssop_region_dim(&region, axis) == dims[axis],
                  "whole of rank %d, axis %d", (int)rank, (int)axis);
        }
    }
}

/* rg_s1, element by element. */
static bool
is_canonical(ssop_range range, int64_t dim)
{
    if (dim < 0 || range.count < 0 || range.step == 0 || range.count > MAX_INDEX) {
        return false;
    }
    int64_t pick[MAX_INDEX] = {0}, at = range.start;
    for (int64_t i = 0; i < range.count; i++) {
        if (at < 0 || at >= dim) {
            return false;
        }
        pick[i] = at;
        if (range.step > dim || range.step < -dim) {
            at = -1; /* outside; adding might overflow */
        }
        else {
            at += range.step;
        }
    }
    return same_range(range, range_of_picks(pick, range.count));
}

static void
test_check_of_ranges(void)
{
    int64_t number[64], dims[2] = {1, 0};
    int numbers = numbers_around_zero(6, number);
    for (dims[1] = -1; dims[1] <= 5; dims[1]++) {
        for (int i = 0; i < numbers * numbers * numbers; i++) {
            ssop_range range = {number[i % numbers], number[i / numbers % numbers], number[i / numbers / numbers]};
            ssop_region region = {2, 2, {{0, 1, 1}, range}, {0, 1}};
            ssop_error error = {.rule = SSOP_NO_RULE, .axis = 1, .entry = -1};
            bool legal = is_canonical(range, dims[1]);
            CHECK((ssop_region_check(&region, dims, &error) == SSOP_OK) == legal, "rg_c2: " RANGE " of dim %lld",
                  RANGE_VALUES(range), LL(dims[1]));
            CHECK(is_error(&error, legal ? SSOP_NO_RULE : SSOP_RG_C2, 1, -1, 0, 0, 0), "rg_c2: record of " RANGE,
                  RANGE_VALUES(range));
        }
    }
    const ssop_range longest = {0, INT64_MAX, 1}, backwards = {INT64_MAX - 1, INT64_MAX, -1}, over = {1, INT64_MAX, 1};
    const int64_t dim = INT64_MAX;
    CHECK(ssop_region_check(&(ssop_region){1, 1, {longest}, {0}}, &dim, NULL) == SSOP_OK &&
              ssop_region_check(&(ssop_region){1, 1, {backwards}, {0}}, &dim, NULL) == SSOP_OK &&
              ssop_region_check(&(ssop_region){1, 1, {over}, {0}}, &dim, NULL) == SSOP_VALUE_ERROR,
          "rg_c2: longest axis");
}

/* Output axes name input axes in order, each once, and those left out hold one element. */
static void
test_check_of_axes(void)
{
    const int64_t dims[3] = {2, 2, 2};
    for (int i = 0; i < 7 * 7 * 7 * 8; i++) {
        ssop_region region = {3, 3, {{0, 1, 1}}, {0}};
        int order = i / 8, last = -1;
        bool legal = true, named[3] = {false, false, false};
        for (int axis = 0; axis < 3; axis++) {
            int from = order % 7 - 3;
            order /= 7;
            region.range[axis] = i >> axis & 1 ? (ssop_range){0, 2, 1} : (ssop_range){1, 1, 1};
            region.out_axis[axis] = (int8_t)from;
            legal = legal && from >= -2 && from <= 2 && (from < 0 || from > last);
            if (from >= 0 && from <= 2) {
                named[from] = true;
                last = from;
            }
        }
        const bool in_order = legal;
        for (int axis = 0; axis < 3; axis++) {
            legal = legal && (named[axis] || region.range[axis].count == 1);
        }
        ssop_error error = {.rule = SSOP_NO_RULE, .axis = 0, .entry = -1};
        ssop_status status = ssop_region_check(&region, dims, &error);
        CHECK(error.entry == -1 && error.axis >= 0 && error.axis < 3 &&
                  error.rule == (legal ? SSOP_NO_RULE : SSOP_RG_C2),
              "rg_c2: record of axis %d", (int)error.axis);
        CHECK(legal || error.form == (in_order ? 0 : 1), "rg_c2: message %d", (int)error.form);
        CHECK((status == SSOP_OK) == legal, "rg_c2: axes %d %d %d counts %d", region.out_axis[0], region.out_axis[1],
              region.out_axis[2], i % 8);
    }
}

/* rg_s3: the same elements, none of them backwards, and turned round exactly where the flag says. */
static void
test_split(void)
{
    for (int i = 0; i < 20000; i++) {
        const int64_t dims[3] = {random_between(0, 5), random_between(1, 6), random_between(1, 6)};
        ssop_region region = random_region(3, dims), forward;
        bool flip[SSOP_MAX_RANK];
        ssop_region_split(&region, &forward, flip);
        CHECK(ssop_region_check(&forward, dims, NULL) == SSOP_OK && forward.out_rank == region.out_rank,
              "rg_s3: not canonical");
        for (int32_t axis = 0; axis < region.out_rank; axis++) {
            int32_t from = region.out_axis[axis];
            CHECK(flip[axis] == (from >= 0 && region.range[from].step < 0), "rg_s3: flip of axis %d", (int)axis);
            CHECK(from < 0 || forward.range[from].step > 0, "rg_s3: steps back");
        }
        if (has_no_element(&region)) {
            continue;
        }
        int64_t at[SSOP_MAX_RANK] = {0}, turned[SSOP_MAX_RANK], from[3], right[3];
        do {
            for (int32_t axis = 0; axis < region.out_rank; axis++) {
                turned[axis] = flip[axis] ? ssop_region_dim(&forward, axis) - 1 - at[axis] : at[axis];
            }
            CHECK(look_up(&region, at, right) && look_up(&forward, turned, from) &&
                      memcmp(from, right, sizeof(from)) == 0,
                  "rg_s3: other element");
        } while (next_index(&region, at));
    }
}

int
main(void)
{
    test_whole();
    test_compose();
    test_rejections_of_compose();
    test_axis_from_nowhere();
    test_check_of_ranges();
    test_check_of_axes();
    test_split();
    return check_report("test_region");
}
