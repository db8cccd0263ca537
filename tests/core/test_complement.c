/* What could go wrong: an element outside the window is not copied, or is copied twice; or an element of the window is
 * copied. */
#include "check.h"

enum { MAX_RANK = 3, MAX_DIM = 5, MAX_ITEMS = MAX_DIM * MAX_DIM * MAX_DIM, CASES = 100000 };

typedef struct {
    int32_t rank;
    int64_t dim[MAX_RANK], item_bytes, items;
} array;

/* How often each element was a part's. */
static int taken[MAX_ITEMS];

/* True if the region has this element, by its index on each axis. */
static bool
has(const ssop_region *region, const array *shape, int64_t item)
{
    for (int32_t axis = shape->rank - 1; axis >= 0; axis--) {
        bool found = false;
        for (int64_t k = 0; k < region->range[axis].count; k++) {
            found = found || item % shape->dim[axis] == region->range[axis].start + k * region->range[axis].step;
        }
        if (!found) {
            return false;
        }
        item /= shape->dim[axis];
    }
    return true;
}

static array
random_array(void)
{
    static const int64_t item_bytes[] = {1, 100, 4096, 40000, 300000, 0};
    array shape = {
        .rank = (int32_t)random_between(0, MAX_RANK), .item_bytes = item_bytes[random_between(0, 5)], .items = 1};
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        shape.dim[axis] = random_between(0, 40) == 0 ? 0 : random_between(1, MAX_DIM);
        shape.items *= shape.dim[axis];
    }
    return shape;
}

/* Ranges of either direction, now and then with gaps, empty, or whole. */
static void
random_window(const array *shape, ssop_region *window)
{
    ssop_region_whole(window, (ssop_shape){shape->rank, shape->dim});
    for (int32_t axis = 0; axis < shape->rank; axis++) {
        int64_t a = random_between(0, shape->dim[axis]), b = random_between(0, shape->dim[axis]);
        int64_t low = a < b ? a : b, high = a < b ? b : a, step = random_between(0, 4) == 0 ? 2 : 1;
        if (random_between(0, 2) > 0) {
            window->range[axis] = random_between(0, 1) == 0 ? ssop_range_between(low, high, step)
                                                            : ssop_range_between(high - 1, low - 1, -step);
        }
    }
}

/* Runs through the parts; returns how many there are, or -1 if all is to be copied. */
static int
take_parts(const array *shape, const ssop_region *window)
{
    ssop_complement complement;
    ssop_region part;
    int parts = 0;
    memset(taken, 0, sizeof taken);
    if (!ssop_complement_begin(&complement, window, shape->dim, shape->item_bytes)) {
        return -1;
    }
    while (ssop_complement_next(&complement, &part)) {
        parts++;
        CHECK(ssop_region_check(&part, shape->dim, NULL) == SSOP_OK && !ssop_region_is_empty(&part), "part");
        for (int64_t item = 0; item < shape->items; item++) {
            taken[item] += has(&part, shape, item) ? 1 : 0;
        }
    }
    return parts;
}

static void
test_random_windows(void)
{
    int begun = 0, most_parts = 0;
    for (int i = 0; i < CASES; i++) {
        array shape = random_array();
        ssop_region window;
        random_window(&shape, &window);
        int parts = take_parts(&shape, &window);
        for (int64_t item = 0; item < shape.items && parts >= 0; item++) {
            int right = has(&window, &shape, item) ? 0 : 1;
            CHECK(taken[item] == right, "element %lld: %d times, not %d", LL(item), taken[item], right);
        }
        begun += parts >= 0 ? 1 : 0;
        most_parts = parts > most_parts ? parts : most_parts;
        CHECK(parts <= 2 * shape.rank, "%d parts", parts);
    }
    CHECK(begun > CASES / 8 && begun < CASES && most_parts == 2 * MAX_RANK, "%d, %d", begun, most_parts);
}

/* True if it pays to leave a window of `size` out of an array of float32. */
static bool
pays(int32_t rank, const int64_t *dims, const int64_t *start, const int64_t *size)
{
    ssop_region window;
    ssop_complement complement;
    ssop_region_whole(&window, (ssop_shape){rank, dims});
    for (int32_t axis = 0; axis < rank; axis++) {
        window.range[axis] = ssop_range_between(start[axis], start[axis] + size[axis], 1);
    }
    return ssop_complement_begin(&complement, &window, dims, 4);
}

#define DIMS(...) ((const int64_t[]){__VA_ARGS__})

/* Everything does, many whole rows, half of many rows that are not too short; not a few columns, nor little of
 * anything. */
static void
test_what_pays(void)
{
    CHECK(pays(0, DIMS(0), DIMS(0), DIMS(0)), "a scalar");
    CHECK(pays(1, DIMS(10), DIMS(0), DIMS(10)), "all of a small array");
    CHECK(!pays(1, DIMS(10), DIMS(0), DIMS(9)), "most of a small array");
    CHECK(!pays(1, DIMS(10), DIMS(3), DIMS(0)), "nothing");
    CHECK(pays(2, DIMS(1024, 1024), DIMS(256, 0), DIMS(512, 1024)), "half of the rows");
    CHECK(pays(2, DIMS(1024, 1024), DIMS(0, 256), DIMS(1024, 512)), "half of the columns");
    CHECK(!pays(2, DIMS(1024, 1024), DIMS(0, 256), DIMS(1024, 511)), "less than half");
    CHECK(!pays(2, DIMS(1024, 1024), DIMS(0, 500), DIMS(1024, 16)), "16 columns");
    CHECK(!pays(2, DIMS(1024, 1024), DIMS(256, 500), DIMS(512, 16)), "16 columns of half of the rows");
    CHECK(!pays(2, DIMS(1024, 1024), DIMS(500, 500), DIMS(1, 1)), "one item");
    CHECK(!pays(2, DIMS(16384, 64), DIMS(0, 0), DIMS(16384, 63)), "short rows");
    CHECK(!pays(2, DIMS(64, 1024), DIMS(0, 256), DIMS(64, 512)), "rows that the inner caches hold");
    CHECK(pays(2, DIMS(4, 1 << 20), DIMS(0, 9), DIMS(4, 1 << 16)), "a small part of long rows");
    CHECK(!pays(3, DIMS(8, 1024, 128), DIMS(0, 512, 0), DIMS(8, 1, 128)), "one row of each block");
    CHECK(pays(3, DIMS(8, 1024, 128), DIMS(0, 256, 0), DIMS(8, 512, 128)), "half of each block");
}

/* A dim above 2^32, whose parts no memory has to hold. */
static void
test_far_parts(void)
{
    const int64_t dims[] = {(int64_t)5 << 30, 1024};
    const ssop_range rows = ssop_range_between((int64_t)1 << 31, (int64_t)4 << 30, 1),
                     columns = ssop_range_between(256, 768, 1);
    const struct {
        ssop_range rows, columns;
    } expected[] = {{ssop_range_between(0, rows.start, 1), ssop_range_between(0, dims[1], 1)},
                    {ssop_range_between((int64_t)4 << 30, dims[0], 1), ssop_range_between(0, dims[1], 1)},
                    {rows, ssop_range_between(0, columns.start, 1)},
                    {rows, ssop_range_between(768, dims[1], 1)}};
    ssop_region window, part;
    ssop_complement complement;
    ssop_region_whole(&window, (ssop_shape){2, dims});
    window.range[0] = rows;
    window.range[1] = columns;
    CHECK(ssop_complement_begin(&complement, &window, dims, 1), "it pays");
    for (int i = 0; i < COUNT(expected); i++) {
        CHECK(ssop_complement_next(&complement, &part), "%d parts", i);
        CHECK(part.range[0].start == expected[i].rows.start && part.range[0].count == expected[i].rows.count &&
                  part.range[1].start == expected[i].columns.start && part.range[1].count == expected[i].columns.count,
              "part %d", i);
    }
    CHECK(!ssop_complement_next(&complement, &part), "a fifth part");
}

int
main(void)
{
    test_far_parts();
    test_random_windows();
    test_what_pays();
    return check_report("test_complement");
}
