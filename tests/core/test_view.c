/* What could go wrong: the view of a region has wrong addresses, or addresses that overflowed. */
#include "slice_oracle.h"

enum { MAX_DIM = 5, ITEM_BYTES = 3 };

/* Address of element (i, j) of a view of rank 2, as the header defines it. */
static const char *
address(const ssop_view *view, int64_t i, int64_t j)
{
    return view->data + i * view->stride[0] + j * view->stride[1];
}

static void
check_addresses(const ssop_view *in, const ssop_region *region)
{
    ssop_view out;
    ssop_error error = {.rule = SSOP_NO_RULE};
    CHECK(ssop_region_view(region, in, &out, &error) == SSOP_OK && error.rule == SSOP_NO_RULE, "mem_c1: rejected");
    CHECK(out.rank == region->out_rank && out.item_bytes == ITEM_BYTES, "view: rank and item size");
    int64_t rows = region->range[0].count, columns = region->range[1].count;
    CHECK(out.dim[0] == rows && out.dim[1] == columns && out.dim[2] == 1, "view: dims");
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < columns; j++) {
            const char *right = address(in, region->range[0].start + i * region->range[0].step,
                                        region->range[1].start + j * region->range[1].step);
            CHECK(address(&out, i, j) == right, "view: element (%lld, %lld)", LL(i), LL(j));
        }
    }
}

/* Every pair of ranges of four layouts. */
static void
test_addresses(void)
{
    static char memory[1000];
    const int64_t strides[4][2] = {{15, 3}, {3, 12}, {-17, 3}, {40, -7}}, dims[4][2] = {{4, 5}, {4, 2}, {1, 5}, {2, 3}};
    for (int layout = 0; layout < 4; layout++) {
        ssop_view in = {
            memory + 500, ITEM_BYTES, 2, {dims[layout][0], dims[layout][1]}, {strides[layout][0], strides[layout][1]}};
        for (int i = 0; i < 5 * 7 * 6 * 5 * 7 * 6; i++) {
            int64_t step = i / 35 % 6 - 3, other_step = i / 7350 % 6 - 3;
            ssop_region region = {
                .in_rank = 2,
                .out_rank = 3,
                .range = {ssop_range_between(i % 5 % 4, i / 5 % 7 % 6 - 1, step < 0 ? step : step + 1),
                          ssop_range_between(i / 210 % 5, i / 1050 % 7 - 1,
                                             other_step < 0 ? other_step : other_step + 1)},
                .out_axis = {0, 1, SSOP_NEW_AXIS},
            };
            if (ssop_region_check(&region, dims[layout], NULL) == SSOP_OK) {
                check_addresses(&in, &region);
            }
        }
    }
}

/* A base in the middle of all addresses, which no offset of this file leaves. */
static char *
middle_of_memory(void)
{
    return (char *)(UINTPTR_MAX / 2 + 4096);
}

enum { UNIT_BITS = 58, MAX_UNITS = 31, MIN_UNITS = -32 }; /* an int64 counts -32..31 units of 2^58 bytes */

typedef struct {
    int64_t low, high; /* offsets in units */
} extent;

static extent
add_axis(extent so_far, ssop_range range, int64_t units)
{
    int64_t first = range.start * units, last = (range.start + (range.count - 1) * range.step) * units;
    return (extent){so_far.low + (first < last ? first : last), so_far.high + (first < last ? last : first)};
}

/* mem_c1: some offset beyond int64 must be rejected; offsets within half of it must pass. Strides count 2^58 bytes. */
static void
check_extent(const ssop_range range[2], const int64_t units[2])
{
    const int64_t unit = INT64_C(1) << UNIT_BITS;
    ssop_view in = {middle_of_memory(), 1, 2, {MAX_DIM, MAX_DIM}, {units[0] * unit, units[1] * unit}}, out;
    ssop_region region = {2, 2, {range[0], range[1]}, {0, 1}};
    extent first = add_axis((extent){0, 0}, range[0], units[0]), both = add_axis(first, range[1], units[1]);
    bool first_fits = first.low >= MIN_UNITS && first.high <= MAX_UNITS;
    bool fits = first_fits && both.low >= MIN_UNITS && both.high <= MAX_UNITS;
    if (range[0].count == 0 || range[1].count == 0) {
        both = first = (extent){0, 0};
        first_fits = fits = true;
    }
    bool fits_easily = both.low > MIN_UNITS / 2 && both.high < MAX_UNITS / 2 && first.low > MIN_UNITS / 2 &&
                       first.high < MAX_UNITS / 2;
    ssop_error error = {.rule = SSOP_NO_RULE};
    mark(&out, sizeof(out));
    ssop_status status = ssop_region_view(&region, &in, &out, &error);
    CHECK(fits || status == SSOP_VALUE_ERROR,
          "mem_c1: (%lld, %lld, %lld) of stride %lld * 2^58 and (%lld, %lld, %lld) of %lld * 2^58 accepted",
          LL(range[0].start), LL(range[0].count), LL(range[0].step), LL(units[0]), LL(range[1].start),
          LL(range[1].count), LL(range[1].step), LL(units[1]));
    CHECK(!fits_easily || status == SSOP_OK, "mem_c1: strides %lld and %lld rejected", LL(units[0]), LL(units[1]));
    CHECK(status == SSOP_OK || (is_error(&error, SSOP_MEM_C1, error.axis, -1, 0, 0, 0) && error.axis >= 0 &&
                                error.axis <= (first_fits ? 1 : 0) && is_marked(&out, sizeof(out))),
          "mem_c1: record of axis %d", (int)error.axis);
    CHECK(ssop_region_view(&region, &in, &out, NULL) == status, "mem_c1: without record");
}

/* Every range of five elements over strides from -16 to 16 units. */
static void
test_extents(void)
{
    ssop_range range[64];
    int ranges = 0;
    for (int i = 0; i < 5 * 7 * 9; i++) {
        int64_t step = i / 35 - 4;
        range[ranges] = ssop_range_between(i % 5, i / 5 % 7 - 1, step != 0 ? step : 5);
        bool known = range[ranges].count == 0;
        for (int k = 0; k < ranges; k++) {
            known = known || same_range(range[k], range[ranges]);
        }
        ranges += known || ranges == COUNT(range) - 1 ? 0 : 1;
    }
    CHECK(ranges == 39, "%d ranges of five elements", ranges);
    for (int a = 0; a < ranges; a++) {
        for (int b = 0; b < ranges; b++) {
            for (int64_t u = -16; u <= 16; u++) {
                for (int64_t v = -16; v <= 16; v += 4) {
                    check_extent((const ssop_range[2]){range[a], range[b]}, (const int64_t[2]){u, v});
                }
            }
        }
    }
}

/* As many axes as there can be, each with one item of three. */
static void
test_most_axes(void)
{
    static char memory[SSOP_MAX_RANK * 3];
    ssop_view in = {memory, 1, SSOP_MAX_RANK, {0}, {0}}, out;
    ssop_region region = {.in_rank = SSOP_MAX_RANK, .out_rank = SSOP_MAX_RANK};
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        in.dim[axis] = 3;
        in.stride[axis] = 1;
        region.range[axis] = (ssop_range){axis % 3, 1, 1};
        region.out_axis[axis] = (int8_t)axis;
    }
    CHECK(ssop_region_view(&region, &in, &out, NULL) == SSOP_OK && out.data == memory + 63 && out.rank == SSOP_MAX_RANK,
          "mem_c1: 64 axes");
}

/* Unit axes and empty results never break mem_c1, whatever their strides. */
static void
test_meaningless_strides(void)
{
    static char memory[4];
    const int64_t wild[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 5, INT64_MAX};
    for (int i = 0; i < COUNT(wild); i++) {
        ssop_view unit = {memory, 1, 2, {1, 4}, {wild[i], 1}}, empty = {memory, 1, 2, {3, 4}, {wild[i], wild[i]}}, out;
        ssop_region whole = {2, 2, {{0, 1, 1}, {3, 4, -1}}, {0, 1}}, none = {2, 2, {{2, 3, -1}, {0, 0, 1}}, {0, 1}};
        ssop_region nowhere = {2, 2, {{2, 1, 1}, {3, 1, 1}}, {SSOP_EMPTY_AXIS, SSOP_NEW_AXIS}};
        CHECK(ssop_region_view(&whole, &unit, &out, NULL) == SSOP_OK && out.data == memory + 3 && out.stride[1] == -1,
              "mem_c1: unit axis of stride %lld", LL(wild[i]));
        CHECK(ssop_region_view(&none, &empty, &out, NULL) == SSOP_OK && out.data == memory && out.dim[0] == 3 &&
                  out.dim[1] == 0,
              "mem_c1: empty, stride %lld", LL(wild[i]));
        CHECK(ssop_region_view(&nowhere, &empty, &out, NULL) == SSOP_OK && out.data == memory && out.dim[0] == 0 &&
                  out.dim[1] == 1,
              "mem_c1: empty from nowhere, stride %lld", LL(wild[i]));
    }
    ssop_view nothing = {NULL, 1, 1, {0}, {1}}, out;
    const ssop_region none = {1, 1, {{0, 0, 1}}, {0}};
    CHECK(ssop_region_view(&none, &nothing, &out, NULL) == SSOP_OK && out.data == NULL && out.dim[0] == 0,
          "a view of no memory");
}

/* The word-for-word cases of SPEC.md and of NumPy issue 32219. */
static void
test_examples(void)
{
    ssop_view huge = {middle_of_memory(), 8, 1, {5}, {INT64_C(1) << 62}}, out;
    const ssop_region steps = {1, 1, {{0, 3, 2}}, {0}}, one = {1, 1, {{1, 1, 1}}, {0}},
                      far_one = {1, 1, {{4, 1, 1}}, {0}};
    const ssop_region long_step = {1, 1, {{0, 2, 4}}, {0}};
    ssop_error error;
    CHECK(ssop_region_view(&steps, &huge, &out, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_MEM_C1, 0, -1, 0, 0, 0),
          "mem_c1: SPEC.md's example");
    CHECK(ssop_region_view(&one, &huge, &out, &error) == SSOP_OK && out.dim[0] == 1, "mem_c1: one element that fits");
    CHECK(ssop_region_view(&far_one, &huge, &out, &error) == SSOP_VALUE_ERROR, "mem_c1: one element that does not");
    CHECK(ssop_region_view(&long_step, &huge, &out, &error) == SSOP_VALUE_ERROR, "mem_c1: numpy issue 32219");
}

int
main(void)
{
    test_addresses();
    test_extents();
    test_most_axes();
    test_meaningless_strides();
    test_examples();
    return check_report("test_view");
}
