/* What could go wrong: a one-axis form changes another axis, counts from the wrong end, or misses an error that the
 * full form finds. */
#include "check.h"

enum { MAX_RANK = 3 };

static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -7, -1, 0, 1, 3, 7, INT64_MAX - 1, INT64_MAX};

static int64_t
random_number(void)
{
    return random_between(0, 9) == 0 ? extremes[random_between(0, COUNT(extremes) - 1)] : random_between(-6, 6);
}

static int32_t
random_dims(int64_t *dims)
{
    int32_t rank = (int32_t)random_between(0, MAX_RANK);
    for (int32_t axis = 0; axis < rank; axis++) {
        dims[axis] = random_between(0, 4);
    }
    return rank;
}

/* An axis, mostly a good one; `*plain` is its number from the front, or -1. */
static int64_t
random_axis(int32_t rank, int32_t *plain)
{
    int64_t axis = random_between(0, 99) == 0 ? random_number() : random_between(-rank - 1, rank);
    *plain = -1;
    for (int32_t k = 0; k < rank; k++) {
        *plain = axis == k || axis == k - rank ? k : *plain;
    }
    return axis;
}

/* The wrong axis is found before anything else. */
static bool
is_axis_error(ssop_status status, const ssop_error *error, int64_t axis, int32_t rank)
{
    return status == SSOP_VALUE_ERROR && is_error(error, SSOP_DIM_C1, -1, -1, axis, -rank, rank - 1) &&
           error->form == (rank == 0 ? 1 : 0);
}

static bool
same_error(const ssop_error *a, const ssop_error *b)
{
    return a->rule == b->rule && a->axis == b->axis && a->value == b->value && a->low == b->low && a->high == b->high &&
           a->huge == b->huge && a->form == b->form;
}

static bool
same_region(const ssop_region *a, const ssop_region *b)
{
    bool same = a->in_rank == b->in_rank && a->out_rank == b->out_rank;
    for (int32_t axis = 0; same && axis < a->in_rank; axis++) {
        same = memcmp(&a->range[axis], &b->range[axis], sizeof(a->range[axis])) == 0;
    }
    return same && memcmp(a->out_axis, b->out_axis, (size_t)a->out_rank) == 0;
}

/* Against Slice with all its vectors written out. */
static void
check_slice(void)
{
    int64_t dims[MAX_RANK], start[MAX_RANK], limit[MAX_RANK], stride[MAX_RANK];
    int32_t rank = random_dims(dims), axis;
    ssop_slice_in_dim_spec spec = {.start = random_number(), .limit = random_number(), .stride = random_between(-1, 3)};
    spec.axis = random_axis(rank, &axis);
    spec.has_start = random_between(0, 3) > 0;
    spec.has_limit = random_between(0, 3) > 0;
    spec.add_dim = random_between(0, 1) == 0;
    ssop_region region, right;
    ssop_error error, right_error;
    mark(&region, sizeof(region));
    ssop_status status = ssop_slice_in_dim_resolve(&spec, (ssop_shape){rank, dims}, &region, &error);
    if (axis < 0) {
        CHECK(is_axis_error(status, &error, spec.axis, rank), "dim_c1: axis %lld of rank %d", LL(spec.axis), rank);
        return;
    }
    for (int32_t k = 0; k < rank; k++) {
        start[k] = 0;
        limit[k] = dims[k];
        stride[k] = 1;
    }
    if (spec.has_start) {
        start[axis] = spec.start < 0 && spec.add_dim ? spec.start + dims[axis] : spec.start;
    }
    if (spec.has_limit) {
        limit[axis] = spec.limit < 0 && spec.add_dim ? spec.limit + dims[axis] : spec.limit;
    }
    stride[axis] = spec.stride;
    ssop_slice_spec full = {rank, rank, rank, start, limit, stride};
    ssop_status right_status = ssop_slice_resolve(&full, (ssop_shape){rank, dims}, &right, &right_error);
    CHECK(status == right_status, "dim_s2: axis %d of rank %d", axis, rank);
    if (status != SSOP_OK) {
        /* Errors show the bound as it was given. */
        right_error.value = right_error.rule == SSOP_SL_C4                   ? spec.start
                          : right_error.rule != SSOP_SL_C7 && spec.has_limit ? spec.limit
                                                                             : right_error.value;
        CHECK(same_error(&error, &right_error) && error.entry == -1 && error.axis == axis, "dim_s2: %s",
              ssop_rule_label(error.rule));
        CHECK(is_marked(&region, sizeof(region)), "dim: written on failure");
        return;
    }
    CHECK(same_region(&region, &right), "dim_s2, dim_s3: axis %d of rank %d", axis, rank);
}

static void
check_index(void)
{
    int64_t dims[MAX_RANK];
    int32_t rank = random_dims(dims), axis;
    ssop_index_in_dim_spec spec = {.index = random_number()};
    spec.axis = random_axis(rank, &axis);
    spec.keepdims = random_between(0, 1) == 0;
    spec.add_dim = random_between(0, 1) == 0;
    ssop_region region;
    ssop_error error;
    mark(&region, sizeof(region));
    ssop_status status = ssop_index_in_dim_resolve(&spec, (ssop_shape){rank, dims}, &region, &error);
    if (axis < 0) {
        CHECK(is_axis_error(status, &error, spec.axis, rank), "dim_c1: axis %lld of rank %d", LL(spec.axis), rank);
        return;
    }
    int64_t dim = dims[axis], picked = -1;
    for (int64_t k = 0; k < dim; k++) {
        picked = spec.index == k || (spec.add_dim && spec.index == k - dim) ? k : picked;
    }
    CHECK(ssop_axis_resolve(axis - 2 * rank, rank, NULL) == -1 && ssop_axis_resolve(rank, rank, NULL) == -1,
          "dim_c1: no axis");
    if (picked < 0) {
        CHECK(status == SSOP_INDEX_ERROR &&
                  is_error(&error, SSOP_DIM_C2, axis, -1, spec.index, spec.add_dim ? -dim : 0, dim - 1) &&
                  is_marked(&region, sizeof(region)),
              "dim_c2: index %lld of dim %lld", LL(spec.index), LL(dim));
        return;
    }
    CHECK(status == SSOP_OK && region.in_rank == rank && region.out_rank == rank - (spec.keepdims ? 0 : 1),
          "dim_s4: ranks");
    for (int32_t k = 0, out = 0; k < rank; k++) {
        ssop_range range = region.range[k];
        int64_t first = k == axis ? picked : 0, count = k == axis ? 1 : dims[k];
        CHECK(range.start == first && range.count == count && range.step == 1, "dim_s2: axis %d", k);
        if (k != axis || spec.keepdims) {
            CHECK(region.out_axis[out++] == k, "dim_s4: axis %d", k);
        }
    }
}

static ssop_window_in_dim_spec
random_window(int32_t rank, int32_t *axis)
{
    ssop_window_in_dim_spec spec = {.start = {random_number(), random_between(0, 9) == 0}};
    spec.size = random_between(-1, 5);
    spec.axis = random_axis(rank, axis);
    spec.add_dim = random_between(0, 1) == 0;
    spec.out_of_bounds = (ssop_out_of_bounds)random_between(SSOP_CLAMP, SSOP_RAISE);
    return spec;
}

typedef ssop_status (*full_resolver)(const ssop_window_spec *spec, ssop_shape shape, ssop_window *window,
                                     ssop_error *error);

/* What a one-axis form gave. */
typedef struct {
    ssop_status status;
    ssop_window window;
    ssop_error error;
} outcome;

/* One outcome against the full form's with these sizes and zeros for the other starts. */
static void
check_window(const outcome *got, full_resolver resolve, const ssop_window_in_dim_spec *spec, int32_t axis,
             ssop_shape sizes, ssop_shape shape)
{
    int32_t rank = shape.rank;
    ssop_start start[MAX_RANK] = {{0, false}};
    bool add_dim[MAX_RANK];
    for (int32_t k = 0; k < rank; k++) {
        add_dim[k] = k == axis && spec->add_dim;
    }
    start[axis] = spec->start;
    ssop_window_spec full = {rank, sizes.rank, start, sizes.dim, add_dim, rank, spec->out_of_bounds};
    ssop_window right;
    ssop_error right_error;
    CHECK(got->status == resolve(&full, shape, &right, &right_error), "dim_s2: axis %d of rank %d", axis, rank);
    if (got->status != SSOP_OK) {
        CHECK(same_error(&got->error, &right_error) && got->error.entry == -1, "dim_s2: %s",
              ssop_rule_label(got->error.rule));
        CHECK(is_marked(&got->window, sizeof(got->window)), "dim: written on failure");
        return;
    }
    CHECK(got->window.rank == rank && memcmp(got->window.part, right.part, (size_t)rank * sizeof(right.part[0])) == 0,
          "dim_s2: the window at axis %d of rank %d", axis, rank);
}

static void
check_dynamic(void)
{
    int64_t dims[MAX_RANK], size[MAX_RANK + 2];
    int32_t rank = random_dims(dims), axis, missing = 77;
    ssop_window_in_dim_spec spec = random_window(rank, &axis);
    ssop_shape shape = {rank, dims};
    outcome got;
    mark(&got.window, sizeof(got.window));
    got.status = ssop_dynamic_slice_in_dim_resolve(&spec, shape, &got.window, &got.error);
    if (axis < 0) {
        CHECK(is_axis_error(got.status, &got.error, spec.axis, rank), "dim_c1: slice");
        got.status = ssop_dynamic_update_slice_in_dim_resolve(&spec, shape, shape, &got.window, &got.error);
        CHECK(is_axis_error(got.status, &got.error, spec.axis, rank), "dim_c1: update slice");
        got.status = ssop_dynamic_update_index_in_dim_resolve(&spec, shape, shape, &got.window, &missing, &got.error);
        CHECK(is_axis_error(got.status, &got.error, spec.axis, rank) && missing == 77, "dim_c1: update index");
        return;
    }
    for (int32_t k = 0; k < rank; k++) {
        size[k] = k == axis ? spec.size : dims[k];
    }
    check_window(&got, ssop_dynamic_slice_resolve, &spec, axis, (ssop_shape){rank, size}, shape);

    int32_t update_rank = (int32_t)random_between(0, rank + 1);
    int64_t update_dims[MAX_RANK + 2];
    for (int32_t k = 0; k < update_rank; k++) {
        update_dims[k] = random_between(0, 3);
    }
    mark(&got.window, sizeof(got.window));
    got.status = ssop_dynamic_update_slice_in_dim_resolve(&spec, (ssop_shape){update_rank, update_dims}, shape,
                                                          &got.window, &got.error);
    check_window(&got, ssop_dynamic_update_slice_resolve, &spec, axis, (ssop_shape){update_rank, update_dims}, shape);

    mark(&got.window, sizeof(got.window));
    got.status = ssop_dynamic_update_index_in_dim_resolve(&spec, (ssop_shape){update_rank, update_dims}, shape,
                                                          &got.window, &missing, &got.error);
    CHECK(missing == (got.status != SSOP_OK ? 77 : update_rank < rank ? axis : -1), "dim_s5: the missing axis");
    if (update_rank == rank - 1) {
        for (int32_t k = rank - 1; k > axis; k--) {
            update_dims[k] = update_dims[k - 1];
        }
        update_dims[axis] = 1;
        update_rank = rank;
    }
    check_window(&got, ssop_dynamic_update_slice_resolve, &spec, axis, (ssop_shape){update_rank, update_dims}, shape);
}

/* A region over three axes, the middle one of one element. */
static void
test_dropped_axes(void)
{
    const int64_t dims[3] = {2, 1, 4};
    for (int32_t axis = 0; axis < 3; axis++) {
        ssop_region region, other;
        ssop_region_whole(&region, (ssop_shape){3, dims});
        other = region;
        ssop_region_drop_out_axis(&region, axis);
        CHECK(region.in_rank == 3 && region.out_rank == 2, "dim_s4: ranks");
        for (int32_t out = 0; out < 2; out++) {
            CHECK(region.out_axis[out] == (out < axis ? out : out + 1), "dim_s4: axis %d", axis);
        }
        ssop_region_drop_in_axis(&other, axis);
        CHECK(other.in_rank == 2 && other.out_rank == 3, "dim_s5: ranks");
        for (int32_t out = 0; out < 3; out++) {
            int32_t from = out == axis ? SSOP_NEW_AXIS : out < axis ? out : out - 1;
            CHECK(other.out_axis[out] == from, "dim_s5: axis %d", axis);
            CHECK(from < 0 || other.range[from].count == dims[out], "dim_s5: range of axis %d", axis);
        }
    }
    ssop_index_in_dim_spec no_axis = {0, 5, true, false};
    ssop_slice_in_dim_spec stepless = {.axis = 0, .stride = 0};
    ssop_region region;
    CHECK(ssop_index_in_dim_resolve(&no_axis, (ssop_shape){3, dims}, &region, NULL) == SSOP_VALUE_ERROR,
          "dim_c1: no record");
    CHECK(ssop_slice_in_dim_resolve(&stepless, (ssop_shape){3, dims}, &region, NULL) == SSOP_VALUE_ERROR,
          "sl_c7: no record");
}

/* As many axes as there can be, the longest ones among them. */
static void
test_most_axes(void)
{
    int64_t dims[SSOP_MAX_RANK], ones[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        dims[axis] = axis % 2 ? INT64_MAX : 3;
        ones[axis] = 1;
    }
    const ssop_shape shape = {SSOP_MAX_RANK, dims};
    ssop_region region;
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        const int64_t dim = dims[axis];
        const ssop_slice_in_dim_spec tail = {
            .axis = axis, .start = -2, .has_start = true, .stride = 1, .add_dim = true};
        const ssop_index_in_dim_spec last = {.axis = axis, .index = -1, .add_dim = true};
        const ssop_window_in_dim_spec window = {.axis = axis, .start = {-1, false}, .size = 1, .add_dim = true};
        CHECK(ssop_slice_in_dim_resolve(&tail, shape, &region, NULL) == SSOP_OK &&
                  region.range[axis].start == dim - 2 && region.range[axis].count == 2,
              "dim_s3: axis %d of 64", axis);
        CHECK(ssop_index_in_dim_resolve(&last, shape, &region, NULL) == SSOP_OK && region.out_rank == 63 &&
                  region.range[axis].start == dim - 1,
              "dim_s4: axis %d of 64", axis);
        for (int32_t out = 0; out < region.out_rank; out++) {
            CHECK(region.out_axis[out] == (out < axis ? out : out + 1), "dim_s4: output axis %d", out);
        }
        ssop_region_whole(&region, shape);
        ssop_region_drop_in_axis(&region, axis);
        CHECK(region.in_rank == 63 && region.out_rank == 64 && region.out_axis[axis] == SSOP_NEW_AXIS,
              "dim_s5: axis %d of 64", axis);
        ssop_window found;
        int32_t missing;
        CHECK(ssop_dynamic_slice_in_dim_resolve(&window, shape, &found, NULL) == SSOP_OK &&
                  found.part[axis][0].start == dim - 1,
              "dim_s2: window at axis %d of 64", axis);
        CHECK(ssop_dynamic_update_index_in_dim_resolve(&window, (ssop_shape){63, ones}, shape, &found, &missing,
                                                       NULL) == SSOP_OK &&
                  missing == axis && found.part[axis][0].start == dim - 1,
              "dim_s5: update at axis %d of 64", axis);
    }
}

int
main(void)
{
    for (int i = 0; i < 100000; i++) {
        if (!is_chosen()) {
            continue;
        }
        check_slice();
        check_index();
        check_dynamic();
    }
    test_dropped_axes();
    test_most_axes();
    return check_report("test_in_dim");
}
