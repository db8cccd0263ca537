/* What could go wrong: views that share bytes are called disjoint, or views that share none are called overlapping. */
#include "view_oracle.h"

enum { MAX_VIEWS = 3000 };

static known_view known[MAX_VIEWS];
static int known_count;

static void
add_if_inside(const ssop_view *view, int64_t limit)
{
    known_view *next = &known[known_count];
    next->view = *view;
    if (list_bytes(view, limit, &next->bytes, &next->overlaps_itself)) {
        CHECK(known_count < MAX_VIEWS - 1, "more than %d views", MAX_VIEWS);
        known_count += known_count < MAX_VIEWS - 1 ? 1 : 0;
    }
}

static void
check_every_pair(const char *what)
{
    for (int i = 0; i < known_count; i++) {
        const known_view *a = &known[i];
        CHECK(ssop_view_overlaps_itself(&a->view) == a->overlaps_itself, "out_c5 %s: view %d", what, i);
        for (int k = 0; k < known_count; k++) {
            if (!is_chosen()) {
                continue;
            }
            const known_view *b = &known[k];
            ssop_relation right = relation_of(a, b), relation = ssop_views_relate(&a->view, &b->view);
            CHECK(relation == right, "out_s2 %s: views %d and %d: %d, not %d", what, i, k, (int)relation, (int)right);
        }
    }
}

/* E7 and more: every view of one axis within 8 items, for items of 1, 2 and 3 bytes; strides may split items. */
static void
test_every_pair_of_one_axis(void)
{
    const int64_t limits[4] = {0, 10, 12, 14};
    for (int64_t item_bytes = 1; item_bytes <= 3; item_bytes++) {
        known_count = 0;
        for (int64_t start = 0; start < limits[item_bytes]; start++) {
            for (int64_t dim = 0; dim <= 8; dim++) {
                for (int64_t stride = -5; stride <= 5; stride++) {
                    ssop_view view = {arena + start, item_bytes, 1, {dim}, {stride}};
                    add_if_inside(&view, limits[item_bytes]);
                }
            }
        }
        CHECK(known_count > 400, "one axis: %d views", known_count);
        check_every_pair("one axis");
    }
}

static void
test_every_pair_of_two_axes(void)
{
    const int64_t limit = 13;
    for (int64_t item_bytes = 1; item_bytes <= 2; item_bytes++) {
        known_count = 0;
        for (int64_t code = 0; code < 13 * 4 * 4 * 11 * 11; code++) {
            ssop_view view = {arena + code % 13, item_bytes, 2, {code / 13 % 4, code / 52 % 4}, {0, 0}};
            view.stride[0] = code / 208 % 11 - 5;
            view.stride[1] = code / 2288 - 5;
            bool empty = view.dim[0] == 0 || view.dim[1] == 0;
            if (view.dim[0] != 1 && view.dim[1] != 1 && (!empty || code % 97 == 0)) {
                add_if_inside(&view, limit);
            }
        }
        CHECK(known_count > 1000, "two axes: %d views", known_count);
        check_every_pair("two axes");
    }
}

/* Views of other ranks and of nothing: scalars, unit axes with wild strides, items of no bytes. */
static void
test_odd_views(void)
{
    known_count = 0;
    for (int64_t start = 0; start < 6; start++) {
        const ssop_view views[] = {
            {arena + start, 2, 0, {0}, {0}},
            {arena + start, 2, 1, {1}, {INT64_MIN}},
            {arena + start, 2, 1, {1}, {INT64_MAX}},
            {arena + start, 2, 2, {1, 3}, {INT64_MAX, 2}},
            {arena + start, 2, 2, {1, 3}, {-1, 2}},
            {arena + start, 2, 1, {3}, {2}},
            {arena + start, 2, 2, {0, 3}, {INT64_MAX, INT64_MIN}},
        };
        for (int i = 0; i < COUNT(views); i++) {
            ssop_view plain = views[i]; /* the bytes do not depend on a unit axis' stride */
            for (int32_t axis = 0; axis < plain.rank; axis++) {
                plain.stride[axis] = plain.dim[axis] > 1 ? plain.stride[axis] : 0;
            }
            add_if_inside(&plain, ARENA_BYTES);
            known[known_count - 1].view = views[i];
        }
    }
    check_every_pair("odd views");
    ssop_view no_bytes = {arena, 0, 1, {5}, {0}}, all = {arena, 1, 1, {5}, {1}};
    CHECK(ssop_views_relate(&no_bytes, &all) == SSOP_DISJOINT && ssop_views_relate(&all, &no_bytes) == SSOP_DISJOINT &&
              ssop_views_relate(&no_bytes, &no_bytes) == SSOP_DISJOINT,
          "out_s2: items of no bytes");
    CHECK(!ssop_view_overlaps_itself(&no_bytes), "out_c5: items of no bytes");
}

/* out_c5 on three axes. */
static void
test_self_overlap_of_three_axes(void)
{
    for (int64_t code = 0; code < 27 * 17 * 17 * 17; code++) {
        if (!is_chosen()) {
            continue;
        }
        int64_t rest = code / 27;
        ssop_view view = {arena, 1 + code % 3, 3, {1 + code % 3, 1 + code / 3 % 3, 1 + code / 9 % 3}, {0, 0, 0}};
        for (int axis = 0; axis < 3; axis++) {
            view.stride[axis] = rest % 17 - 8;
            view.data -= view.stride[axis] < 0 ? (view.dim[axis] - 1) * view.stride[axis] : 0;
            rest /= 17;
        }
        uint64_t bytes;
        bool overlaps_itself;
        bool inside = list_bytes(&view, ARENA_BYTES, &bytes, &overlaps_itself);
        CHECK(inside && ssop_view_overlaps_itself(&view) == overlaps_itself, "out_c5: strides %lld %lld %lld",
              LL(view.stride[0]), LL(view.stride[1]), LL(view.stride[2]));
    }
}

/* An address that no memory needs to be at. */
static char *
place(int64_t offset)
{
    return (char *)(uintptr_t)(0x10000000 + offset);
}

static ssop_view
table(int64_t start, int64_t rows, int64_t columns, int64_t row, int64_t column)
{
    return (ssop_view){place(start), 8, 2, {rows, columns}, {row, column}};
}

static void
check_relation(const char *what, const ssop_view *a, const ssop_view *b, ssop_relation right)
{
    CHECK(ssop_views_relate(a, b) == right && ssop_views_relate(b, a) == right, "out_s2: %s", what);
}

/* Views of gigabytes that interleave without touching are told apart exactly: no temporary copy is made for them. */
static void
test_large_views(void)
{
    const int64_t n = 10000, row = 8 * n;
    ssop_view even = {place(0), 8, 1, {n}, {16}}, odd = {place(8), 8, 1, {n}, {16}},
              split = {place(15), 8, 1, {n}, {16}};
    check_relation("even and odd items", &even, &odd, SSOP_DISJOINT);
    check_relation("odd and split items", &odd, &split, SSOP_OVERLAP);
    ssop_view left = table(0, n, n / 2, row, 8), right = table(row / 2, n, n / 2, row, 8);
    check_relation("left and right half", &left, &right, SSOP_DISJOINT);
    left.dim[1]++;
    check_relation("a half and one column more", &left, &right, SSOP_OVERLAP);
    ssop_view even_columns = table(0, n, n / 2, row, 16), odd_columns = table(8, n, n / 2, row, 16);
    check_relation("even and odd columns", &even_columns, &odd_columns, SSOP_DISJOINT);
    ssop_view turned = table(row * n - 8, n, n / 2, -row, -16), transposed = table(8, n / 2, n, 16, row);
    check_relation("even columns from the front, odd from the back", &even_columns, &turned, SSOP_DISJOINT);
    check_relation("even columns and odd ones transposed", &even_columns, &transposed, SSOP_DISJOINT);
    ssop_view diagonal = {place(0), 8, 1, {n}, {row + 8}}, neighbour = {place(row - 8), 8, 1, {n}, {row + 8}};
    check_relation("even columns and the diagonal", &even_columns, &diagonal, SSOP_OVERLAP);
    check_relation("two diagonals", &diagonal, &neighbour, SSOP_DISJOINT);
    ssop_view before = {place(8), 8, 1, {n}, {8}}, after = {place(8 + row), 8, 1, {n}, {8}};
    check_relation("neighbours", &before, &after, SSOP_DISJOINT);
    const ssop_view *plain[] = {&even, &odd, &split, &left, &right, &even_columns, &turned, &transposed, &diagonal};
    for (int i = 0; i < COUNT(plain); i++) {
        CHECK(!ssop_view_overlaps_itself(plain[i]), "out_c5: large view %d", i);
    }
    ssop_view sheared = table(0, n, n, row - 8, 8), twice = table(0, n, n, 8, 8);
    CHECK(ssop_view_overlaps_itself(&sheared) && ssop_view_overlaps_itself(&twice), "out_c5: sheared table");
}

/* Items gigabytes apart, byte by byte: multiples of a long stride meet at its common multiples alone. */
static void
test_strides_past_32_bits(void)
{
    const int64_t units[] = {(INT64_C(1) << 31) + 11, (INT64_C(1) << 32) + 3, (INT64_C(1) << 33) + 1}, count = 5;
    for (int code = 0; code < COUNT(units) * 6 * 6 * 3; code++) {
        const int64_t unit = units[code / 108], shift = code % 3 - 1;
        const int64_t a = unit * (1 + code / 3 % 6), b = unit * (1 + code / 18 % 6);
        ssop_view first = {place(0), 1, 1, {count}, {a}}, second = {place(shift), 1, 1, {count - 1}, {b}};
        bool meet = false;
        for (int64_t k = 0; k < count * (count - 1); k++) {
            meet = meet || k % count * a == shift + k / count * b;
        }
        check_relation("long strides", &first, &second, meet ? SSOP_OVERLAP : SSOP_DISJOINT);
        ssop_view both = {place(0), 2, 2, {2, 3}, {a, b + shift}};
        CHECK(ssop_view_overlaps_itself(&both) == (llabs(a - b - shift) < 2 || llabs(a - 2 * (b + shift)) < 2),
              "out_c5: strides %lld and %lld", LL(a), LL(b + shift));
        ssop_view items = {place(0), unit, 1, {2}, {unit + shift}};
        CHECK(ssop_view_overlaps_itself(&items) == (shift < 0), "out_c5: items of %lld bytes", LL(unit));
    }
}

/* The time does not depend on the number of rows: a search that tries each of 2^40 does not end. */
static void
test_many_rows(void)
{
    const int64_t rows = INT64_C(1) << 40;
    ssop_view many = {place(0), 1, 2, {rows, 3}, {1000, 3}}, between = {place(500), 1, 0, {0}, {0}};
    check_relation("an item between two rows", &many, &between, SSOP_DISJOINT);
    between.data = place(1006);
    check_relation("an item of the second row", &many, &between, SSOP_OVERLAP);
    ssop_view turned = {place(0), 1, 2, {3, rows}, {3, 1000}};
    CHECK(!ssop_view_overlaps_itself(&many) && !ssop_view_overlaps_itself(&turned), "out_c5: 2^40 rows");
}

/* The halves of an array of four axes, however these are ordered and turned. */
static void
test_large_views_in_every_order(void)
{
    const int64_t dim[4] = {9, 11, 12, 14}, stride[4] = {8 * 11 * 12 * 28, 8 * 12 * 28, 8 * 28, 16};
    for (int order = 0; order < 4 * 4 * 4 * 4; order++) {
        const int axes[4] = {order % 4, order / 4 % 4, order / 16 % 4, order / 64};
        bool used[4] = {false};
        ssop_view even = {place(0), 8, 4, {0}, {0}}, odd = {place(8), 8, 4, {0}, {0}};
        for (int axis = 0; axis < 4; axis++) {
            int from = axes[axis], other = 3 - from;
            used[from] = true;
            even.dim[axis] = dim[from];
            even.stride[axis] = stride[from];
            odd.dim[axis] = dim[other];
            odd.stride[axis] = -stride[other];
            odd.data += (dim[other] - 1) * stride[other];
        }
        if (used[0] && used[1] && used[2] && used[3]) {
            check_relation("halves of four axes", &even, &odd, SSOP_DISJOINT);
            CHECK(!ssop_view_overlaps_itself(&even) && !ssop_view_overlaps_itself(&odd), "out_c5: halves of four axes");
            odd.data++;
            check_relation("halves of four axes, shifted by a byte", &even, &odd, SSOP_OVERLAP);
        }
    }
}

/* As many axes and different strides as two views can have. */
static void
test_most_axes(void)
{
    ssop_view low = {place(0), 1, SSOP_MAX_RANK, {0}, {0}}, high = {place(0), 1, SSOP_MAX_RANK, {0}, {0}};
    int64_t reach = 0;
    for (int32_t axis = 0; axis < SSOP_MAX_RANK; axis++) {
        low.dim[axis] = high.dim[axis] = 2;
        low.stride[axis] = 1 + axis;
        high.stride[axis] = 100 + axis;
        reach += low.stride[axis];
    }
    high.data = place(reach);
    check_relation("64 axes that meet", &low, &high, SSOP_OVERLAP);
    high.data = place(reach + 1);
    check_relation("64 axes that do not", &low, &high, SSOP_DISJOINT);
    check_relation("64 axes and themselves", &low, &low, SSOP_SAME);
    CHECK(ssop_view_overlaps_itself(&low), "out_c5: 64 axes");
}

/* Even strides never meet an odd byte, which their common divisor tells without a search. */
static void
test_divisors(void)
{
    ssop_view even = {place(0), 1, 60, {0}, {0}}, odd = {place(0), 1, 0, {0}, {0}};
    int64_t sum = 0;
    for (int32_t axis = 0; axis < even.rank; axis++) {
        even.dim[axis] = 2;
        even.stride[axis] = 2000 + 2 * (axis * 37 % 61);
        sum += even.stride[axis];
    }
    odd.data = place(sum / 4 * 2 + 1);
    check_relation("even strides and an odd byte", &even, &odd, SSOP_DISJOINT);
    odd.item_bytes = even.item_bytes = 2;
    check_relation("even strides and an odd pair of bytes", &even, &odd, SSOP_OVERLAP);
    CHECK(ssop_view_overlaps_itself(&even), "out_c5: sixty axes that meet");
}

/* Views whose search takes more than ten thousand steps; NumPy's exact one found that no items of theirs share a
 * byte. */
static void
test_long_searches(void)
{
    const ssop_view views[] = {
        {place(0),
         1,
         12,
         {2, 2, 3, 3, 2, 2, 2, 2, 2, 3, 2, 3},
         {1244470, 84604, 2421518, 692035, 2620428, 1304296, 3581604, 2231416, 2843935, 1522714, 1738424, 3702059}},
        {place(0),
         1,
         11,
         {3, 2, 2, 3, 3, 2, 3, 3, 2, 3, 2},
         {2037743, 3279171, 4029236, 2959133, 603899, 1693276, 2302259, 2523729, 2716696, 4078826, 3020130}},
    };
    for (int i = 0; i < COUNT(views); i++) {
        CHECK(!ssop_view_overlaps_itself(&views[i]), "out_c5: view %d", i);
    }
}

/* Too hard to tell in bounded time counts as overlap: thousands never meet half a thousand, but the search is long. */
static void
test_hard_views(void)
{
    ssop_view hard = {place(0), 1, 60, {0}, {0}}, odd = {place(0), 1, 0, {0}, {0}};
    int64_t sum = 0;
    for (int32_t axis = 0; axis < hard.rank; axis++) {
        hard.dim[axis] = 2;
        hard.stride[axis] = axis == 0 ? 1 : 1000 * (2000 + axis * 37 % 61);
        sum += hard.stride[axis];
    }
    odd.data = place(sum / 2000 * 1000 + 500);
    check_relation("thousands and half a thousand", &hard, &odd, SSOP_OVERLAP);
    CHECK(ssop_view_overlaps_itself(&hard), "out_c5: sixty axes that may meet");
}

/* Strides and dims beyond all memory are called overlapping, whatever their sign, and never overflow. */
static void
test_absurd_views(void)
{
    const int64_t strides[] = {INT64_MIN, INT64_MIN + 1, INT64_MIN / 2, INT64_MAX / 2, INT64_MAX - 1, INT64_MAX};
    ssop_view one = {arena, 1, 1, {4}, {1}}, none = {arena, 1, 1, {0}, {1}};
    for (int i = 0; i < COUNT(strides); i++) {
        ssop_view far = {arena, 1, 1, {2}, {strides[i]}}, farther = {arena, 1, 2, {3, 5}, {strides[i], 1}};
        ssop_view repeated = {arena, 1, 2, {4, 3}, {strides[i], 0}}, inner = {arena, 1, 2, {4, 3}, {1, strides[i]}};
        check_relation("a far item", &far, &one, SSOP_OVERLAP);
        check_relation("far items", &farther, &one, SSOP_OVERLAP);
        check_relation("far items and themselves", &farther, &farther, SSOP_SAME);
        check_relation("far items and nothing", &farther, &none, SSOP_DISJOINT);
        CHECK(ssop_view_overlaps_itself(&far), "out_c5: two items %lld apart", LL(strides[i]));
        CHECK(ssop_view_overlaps_itself(&farther) && ssop_view_overlaps_itself(&repeated) &&
                  ssop_view_overlaps_itself(&inner),
              "out_c5: items %lld apart", LL(strides[i]));
    }
    ssop_view neighbour = {arena + 3, 1, 1, {2}, {1}}, endless_rows = {arena, 1, 2, {2, INT64_MAX}, {5, 1}};
    const int64_t most = INT64_MAX / 4, half = INT64_MAX / 2 + 1;
    ssop_view three = {arena, 1, 3, {2, 2, 2}, {most, most - 1, most - 2}},
              two = {arena, 1, 3, {2, 2, 2}, {1, half, half}};
    check_relation("far items in three directions", &three, &neighbour, SSOP_OVERLAP);
    CHECK(ssop_view_overlaps_itself(&three) && ssop_view_overlaps_itself(&two),
          "out_c5: far items in three directions");
    CHECK(ssop_view_overlaps_itself(&endless_rows), "out_c5: rows without end");
    const int64_t dims[] = {INT64_MAX / 4, INT64_MAX / 2, INT64_MAX / 2 + 2, INT64_MAX};
    for (int i = 0; i < COUNT(dims); i++) {
        ssop_view endless = {arena, 1, 1, {dims[i]}, {1}}, pair = {arena, 1, 2, {dims[i], dims[i]}, {7, 5}};
        ssop_view rows = {arena, 1, 3, {dims[i], dims[i], 2}, {-3, 3, 1}};
        check_relation("an endless view", &endless, &one, SSOP_OVERLAP);
        check_relation("an endless view of two axes", &pair, &one, SSOP_OVERLAP);
        CHECK(ssop_view_overlaps_itself(&pair) && ssop_view_overlaps_itself(&rows), "out_c5: %lld items", LL(dims[i]));
    }
}

int
main(void)
{
    test_every_pair_of_one_axis();
    test_every_pair_of_two_axes();
    test_odd_views();
    test_self_overlap_of_three_axes();
    test_large_views();
    test_strides_past_32_bits();
    test_many_rows();
    test_large_views_in_every_order();
    test_most_axes();
    test_divisors();
    test_long_searches();
    test_hard_views();
    test_absurd_views();
    return check_report("test_overlap");
}
