/* What could go wrong: padding puts an element in the wrong place, loses one at a cropped end, or overflows. */
#include "check.h"

enum { MAX_CELLS = 64 };

/* pad_s1 .. pad_s3, written out: the elements with their gaps in a row, cells before and behind it, or cut off. -1 is
 * the padding value. Returns the length, or -1 for a negative one. */
static int
plain_pad(int dim, int low, int high, int interior, int cells[MAX_CELLS])
{
    int row[MAX_CELLS], length = 0, out = 0;
    for (int k = 0; k < dim; k++) {
        for (int gap = 0; k > 0 && gap < interior; gap++) {
            row[length++] = -1;
        }
        row[length++] = k;
    }
    if (length + low + high < 0) {
        return -1;
    }
    for (int at = -low; at < length + high; at++) {
        cells[out++] = at >= 0 && at < length ? row[at] : -1;
    }
    return out;
}

static bool
is_canonical(ssop_range range)
{
    return range.count == 0 ? range.start == 0 && range.step == 1 : range.count > 1 || range.step == 1;
}

static void
check_axis(int dim, int low, int high, int interior)
{
    int cells[MAX_CELLS], length = plain_pad(dim, low, high, interior, cells);
    const int64_t dims[1] = {dim}, lows[1] = {low}, highs[1] = {high}, interiors[1] = {interior};
    ssop_pad_spec spec = {1, lows, highs, interiors};
    ssop_region kept, place;
    ssop_error error;
    int64_t out_dims[SSOP_MAX_RANK];
    mark(&kept, sizeof(kept));
    mark(&place, sizeof(place));
    mark(out_dims, sizeof(out_dims));
    ssop_status status = ssop_pad_resolve(&spec, (ssop_shape){1, dims}, &kept, &place, out_dims, &error);
    if (length < 0) {
        int64_t size = dim + low + high + (dim > 1 ? (dim - 1) * interior : 0);
        CHECK(status == SSOP_VALUE_ERROR && is_error(&error, SSOP_PAD_C6, 0, 0, size, 0, INT64_MAX),
              "pad_c6: dim %d low %d high %d interior %d", dim, low, high, interior);
        CHECK(is_marked(&kept, sizeof(kept)) && is_marked(&place, sizeof(place)) &&
                  is_marked(out_dims, sizeof(out_dims)),
              "pad_c6: written on failure");
        return;
    }
    CHECK(status == SSOP_OK && out_dims[0] == length, "pad_s1: dim %d low %d high %d interior %d", dim, low, high,
          interior);
    CHECK(kept.in_rank == 1 && kept.out_rank == 1 && kept.out_axis[0] == 0 && place.in_rank == 1 &&
              place.out_rank == 1 && place.out_axis[0] == 0,
          "pad: ranks");
    ssop_range from = kept.range[0], to = place.range[0];
    CHECK(from.count == to.count && is_canonical(from) && is_canonical(to), "pad: counts or form");
    int got[MAX_CELLS], next = 0;
    for (int i = 0; i < length; i++) {
        got[i] = -1;
    }
    for (int64_t k = 0; k < from.count; k++) {
        int64_t at = to.start + k * to.step;
        CHECK(at >= next && at < length, "pad: a place outside");
        got[at] = (int)(from.start + k * from.step);
        next = (int)at + 1;
    }
    for (int i = 0; i < length; i++) {
        CHECK(got[i] == cells[i], "pad_s2: dim %d low %d high %d interior %d: cell %d is %d, not %d", dim, low, high,
              interior, i, got[i], cells[i]);
    }
}

static ssop_status
pad_one(int64_t dim, int64_t low, int64_t high, int64_t interior, int64_t *out_dim, ssop_region *place,
        ssop_error *error)
{
    ssop_pad_spec spec = {1, &low, &high, &interior};
    ssop_region kept;
    int64_t out_dims[SSOP_MAX_RANK];
    ssop_status status = ssop_pad_resolve(&spec, (ssop_shape){1, &dim}, &kept, place, out_dims, error);
    *out_dim = status == SSOP_OK ? out_dims[0] : -1;
    return status;
}

/* Numbers near the ends of int64: legal wherever the result is. */
static void
test_extremes(void)
{
    static const struct {
        int64_t dim, low, high, interior, out_dim, start, count, step;
    } legal[] = {
        {1, 0, 0, INT64_MAX, 1, 0, 1, 1},
        {0, 5, 0, INT64_MAX, 5, 0, 0, 1},
        {1, INT64_MIN, INT64_MAX, 7, 0, 0, 0, 1},
        {1, INT64_MAX, INT64_MIN, 7, 0, 0, 0, 1},
        {2, INT64_MAX, -INT64_MAX, 0, 2, 0, 0, 1},
        {2, -INT64_MAX, INT64_MAX, 0, 2, 0, 0, 1},
        {0, INT64_MAX, 0, 0, INT64_MAX, 0, 0, 1},
        {0, 0, INT64_MAX, 0, INT64_MAX, 0, 0, 1},
        {2, 0, 0, INT64_MAX - 2, INT64_MAX, 0, 2, INT64_MAX - 1},
        {2, -1, 0, INT64_MAX - 2, INT64_MAX - 1, INT64_MAX - 2, 1, 1},
        {2, 0, -1, INT64_MAX - 2, INT64_MAX - 1, 0, 1, 1},
        {INT64_MAX, -INT64_MAX, 3, 0, 3, 0, 0, 1},
        {INT64_MAX, 1 - INT64_MAX, 3, 0, 4, 0, 1, 1},
        {INT64_MAX, 1, -1, 0, INT64_MAX, 1, INT64_MAX - 1, 1},
    };
    for (int i = 0; i < COUNT(legal); i++) {
        int64_t out_dim;
        ssop_region place;
        ssop_error error;
        ssop_status status =
            pad_one(legal[i].dim, legal[i].low, legal[i].high, legal[i].interior, &out_dim, &place, &error);
        ssop_range range = place.range[0];
        CHECK(status == SSOP_OK && out_dim == legal[i].out_dim, "row %d: size %lld", i, LL(out_dim));
        CHECK(range.start == legal[i].start && range.count == legal[i].count && range.step == legal[i].step,
              "row %d: (%lld, %lld, %lld)", i, LL(range.start), LL(range.count), LL(range.step));
    }
    static const int64_t illegal[][4] = {
        {2, 0, 0, INT64_MAX},         {3, 0, 0, INT64_MAX / 2 + 1}, {1, INT64_MAX, 0, 0},  {1, 0, INT64_MAX, 0},
        {INT64_MAX, 0, 0, 1},         {0, INT64_MAX, 1, 0},         {0, INT64_MIN, -1, 0}, {3, INT64_MIN, INT64_MIN, 0},
        {2, -1, -1, INT64_MAX - 1},   {INT64_MAX, 1, 0, 0},         {2, -1, 1, INT64_MAX}, {0, -1, INT64_MIN, 0},
        {1, INT64_MAX, INT64_MAX, 0},
    };
    for (int i = 0; i < COUNT(illegal); i++) {
        int64_t out_dim;
        ssop_region place;
        ssop_error error;
        ssop_status status =
            pad_one(illegal[i][0], illegal[i][1], illegal[i][2], illegal[i][3], &out_dim, &place, &error);
        CHECK(status == SSOP_OVERFLOW_ERROR && is_error(&error, SSOP_PAD_C5, 0, 0, illegal[i][3], 0, 0) &&
                  error.low == illegal[i][0],
              "pad_c5: row %d", i);
    }
}

/* The rank, then every interior, then sizes axis by axis; `error` may be NULL. */
static void
test_order(void)
{
    const int64_t dims[2] = {3, 3}, lows[2] = {-9, 0}, highs[2] = {0, 0}, interiors[2] = {0, -1}, zeros[2] = {0, 0};
    ssop_region kept, place;
    int64_t out_dims[SSOP_MAX_RANK];
    ssop_error error;
    for (int64_t count = 0; count < 4; count++) {
        ssop_pad_spec spec = {count, lows, highs, interiors};
        ssop_status status = ssop_pad_resolve(&spec, (ssop_shape){2, dims}, &kept, &place, out_dims, &error);
        bool right = count == 2 ? is_error(&error, SSOP_PAD_C4, 1, 1, -1, 0, INT64_MAX)
                                : is_error(&error, SSOP_PAD_C2, -1, -1, count, 2, 2);
        CHECK(status == SSOP_VALUE_ERROR && right, "pad_c2, pad_c4: %lld entries", LL(count));
    }
    ssop_pad_spec spec = {2, lows, highs, zeros};
    CHECK(ssop_pad_resolve(&spec, (ssop_shape){2, dims}, &kept, &place, out_dims, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_PAD_C6, 0, 0, -6, 0, INT64_MAX),
          "pad_c6: the first axis");
    CHECK(ssop_pad_resolve(&spec, (ssop_shape){2, dims}, &kept, &place, out_dims, NULL) == SSOP_VALUE_ERROR,
          "pad: no record");
    ssop_pad_spec none = {0, NULL, NULL, NULL};
    CHECK(ssop_pad_resolve(&none, (ssop_shape){0, NULL}, &kept, &place, out_dims, NULL) == SSOP_OK &&
              kept.in_rank == 0 && place.out_rank == 0,
          "pad: a scalar");
}

/* pad_c4 at the first axis; and an axis of which the least low leaves nothing. */
static void
test_first_axis(void)
{
    const int64_t longest = INT64_MAX, least = INT64_MIN, one = 1, zero = 0, negative = -1, two = 2;
    ssop_region kept, place;
    int64_t out_dims[SSOP_MAX_RANK];
    ssop_error error;
    ssop_pad_spec rejected = {1, &zero, &zero, &negative};
    CHECK(ssop_pad_resolve(&rejected, (ssop_shape){1, &two}, &kept, &place, out_dims, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_PAD_C4, 0, 0, -1, 0, INT64_MAX),
          "pad_c4: first axis");
    ssop_pad_spec spec = {1, &least, &one, &zero};
    CHECK(ssop_pad_resolve(&spec, (ssop_shape){1, &longest}, &kept, &place, out_dims, NULL) == SSOP_OK &&
              out_dims[0] == 0 && kept.range[0].count == 0 && place.range[0].count == 0,
          "pad_s2: least low");
}

int
main(void)
{
    for (int dim = 0; dim <= 5; dim++) {
        for (int interior = 0; interior <= 3; interior++) {
            for (int low = -18; low <= 4; low++) {
                for (int high = -18; high <= 4; high++) {
                    check_axis(dim, low, high, interior);
                }
            }
        }
    }
    test_extremes();
    test_first_axis();
    test_order();
    return check_report("test_pad");
}
