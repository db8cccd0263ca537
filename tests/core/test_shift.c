/* What could go wrong: an item is overwritten before it is read, or steps miss items or copy them out of order. */
#include "check.h"

#include <string.h>

enum { ARENA_BYTES = 2 << 20 };

static unsigned char arena[ARENA_BYTES], expected[ARENA_BYTES], before[ARENA_BYTES];

/* The offset of an item of a view, counted in C order. */
static int64_t
offset_of(const ssop_view *view, int64_t item)
{
    int64_t offset = 0;
    for (int32_t axis = view->rank - 1; axis >= 0; axis--) {
        offset += item % view->dim[axis] * view->stride[axis];
        item /= view->dim[axis];
    }
    return offset;
}

/* Copies item by item as if the source had been copied first, and in `pieces` runs of steps. */
static void
check_shift(const char *name, const ssop_view *src, int64_t distance, int pieces)
{
    ssop_view dst = *src;
    int64_t items = 1, first = src->data - (char *)arena;
    dst.data += distance;
    for (int32_t axis = 0; axis < src->rank; axis++) {
        items *= src->dim[axis];
    }
    memcpy(arena, before, sizeof arena);
    memcpy(expected, before, sizeof arena);
    for (int64_t item = 0; item < items; item++) {
        int64_t at = first + offset_of(src, item);
        memcpy(expected + at + distance, before + at, (size_t)src->item_bytes);
    }
    ssop_shift shift;
    CHECK(ssop_shift_begin(&shift, &dst, src), "out_s2: %s, by %lld", name, LL(distance));
    CHECK(shift.steps * shift.item_bytes == items * src->item_bytes, "out_s2: %s: %lld steps", name, LL(shift.steps));
    for (int64_t piece = 0; piece < pieces; piece++) {
        ssop_shift_execute(&shift, shift.steps * piece / pieces, shift.steps * (piece + 1) / pieces);
    }
    CHECK(memcmp(arena, expected, sizeof arena) == 0, "out_s2: %s, by %lld, in %d", name, LL(distance), pieces);
}

static void
check_distances(const char *name, ssop_view view, int64_t row_bytes)
{
    const int64_t item = view.item_bytes;
    const int64_t distances[] = {1, item, 3 * item, 7 * item + 1, row_bytes, row_bytes + item, 2 * row_bytes - item};
    view.data = (char *)arena + ARENA_BYTES / 8 * 3;
    for (int32_t axis = 0; axis < view.rank; axis++) {
        view.data -= view.stride[axis] < 0 ? (view.dim[axis] - 1) * view.stride[axis] : 0;
    }
    for (int i = 0; i < COUNT(distances); i++) {
        check_shift(name, &view, distances[i], 1 + i % 3);
        check_shift(name, &view, -distances[i], 1 + i % 3);
    }
}

static void
test_shifts(void)
{
    const int64_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 24, 40};
    for (int i = 0; i < COUNT(sizes); i++) {
        const int64_t n = sizes[i];
        check_distances("a single item", (ssop_view){NULL, n, 0, {0}, {0}}, n);
        check_distances("a short row", (ssop_view){NULL, n, 1, {3}, {n}}, 3 * n);
        check_distances("a row", (ssop_view){NULL, n, 1, {1000}, {n}}, 1000 * n);
        check_distances("every second item", (ssop_view){NULL, n, 1, {1000}, {2 * n}}, 2000 * n);
        check_distances("backwards", (ssop_view){NULL, n, 1, {1000}, {-3 * n}}, 3000 * n);
        check_distances("many items", (ssop_view){NULL, n, 1, {9000}, {2 * n}}, 2 * n);
        check_distances("rows", (ssop_view){NULL, n, 2, {20, 100}, {110 * n, n}}, 110 * n);
        check_distances("columns", (ssop_view){NULL, n, 2, {100, 20}, {n, -110 * n}}, 110 * n);
        check_distances("short rows", (ssop_view){NULL, n, 3, {40, 30, 3}, {150 * n, 5 * n, n}}, 150 * n);
        check_distances("planes", (ssop_view){NULL, n, 3, {5, 7, 50}, {1500 * n, 200 * n, 3 * n}}, 1500 * n);
    }
    check_distances("large items", (ssop_view){NULL, 1000, 1, {50}, {1200}}, 1200);
    check_distances("long rows", (ssop_view){NULL, 4, 2, {2, 70000}, {290000, 4}}, 290000);
    check_distances("one long row", (ssop_view){NULL, 8, 1, {130000}, {8}}, 8);
}

static void
test_what_is_none(void)
{
    char *at = (char *)arena + 1000;
    const ssop_view row = {at, 4, 1, {10}, {4}}, turned = {at + 8, 4, 1, {10}, {-4}}, other = {at, 4, 1, {10}, {8}};
    const ssop_view interleaved = {at, 1, 2, {2, 3}, {3, 2}}, moved = {at + 1, 1, 2, {2, 3}, {3, 2}};
    const ssop_view table = {at, 4, 2, {4, 4}, {16, 4}}, transposed = {at + 4, 4, 2, {4, 4}, {4, 16}};
    ssop_shift shift;
    CHECK(!ssop_shift_begin(&shift, &row, &turned), "out_s2: a row and one that is turned");
    CHECK(!ssop_shift_begin(&shift, &other, &row), "out_s2: a row and a longer one");
    CHECK(!ssop_shift_begin(&shift, &moved, &interleaved), "out_s2: interleaved loops");
    CHECK(!ssop_shift_begin(&shift, &table, &transposed), "out_s2: a table and its transpose");
}

int
main(void)
{
    for (int i = 0; i < ARENA_BYTES; i++) {
        before[i] = (unsigned char)(random_bits() >> 32);
    }
    test_shifts();
    test_what_is_none();
    return check_report("test_shift");
}
