/* What could go wrong: a kernel reads or writes memory outside its items, where there may be no pages. */
#include "system.h"

#include "copy/nest.h"
#include "random_fill.h"
#include "random_policies.h"
#include "targets.h"

/* Pages that may be used, between two that may not. */
typedef struct {
    char *begin, *end;
} yard;

static yard dst_yard, src_yard;

static yard
fence_in(size_t bytes)
{
    size_t page = system_page_bytes(), inside = (bytes + page - 1) / page * page;
    char *all = new_pages(inside + 2 * page);
    allow_access(all + page, inside, true);
    return (yard){all + page, all + page + inside};
}

/* The first item at the beginning of the yard, or the last one at its end. */
static void
push_to_fence(ssop_view *view, const yard *where, bool to_end)
{
    int64_t below = 0, above = view->item_bytes;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        int64_t reach = (view->dim[axis] - 1) * view->stride[axis];
        below -= reach < 0 ? reach : 0;
        above += reach > 0 ? reach : 0;
    }
    view->data = to_end ? where->end - above : where->begin + below;
}

/* All four corners; that it ends is the check. */
static void
check_corners(ssop_view *dst, ssop_view *src)
{
    for (int corner = 0; corner < 4; corner++) {
        if (!is_chosen()) {
            continue;
        }
        push_to_fence(dst, &dst_yard, corner % 2 == 1);
        push_to_fence(src, &src_yard, corner / 2 == 1);
        ssop_nest nest;
        use_random_policies();
        ssop_nest_copy(&nest, dst, src, NULL);
        int64_t steps = ssop_nest_steps(&nest), cut = random_between(0, steps);
        ssop_nest_execute(&nest, 0, cut);
        ssop_nest_execute(&nest, cut, steps);
        CHECK(memcmp(dst->data, src->data, (size_t)dst->item_bytes) == 0, "first item");
    }
}

static void
test_lines(void)
{
    static const int64_t items[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24};
    for (int64_t item = 0; item < COUNT(items); item++) {
        int64_t bytes = items[item];
        for (int64_t step = -17; step <= 17; step++) {
            for (int64_t n = 1; n <= 300; n += n < 70 ? 1 : 19) {
                ssop_view dst = {NULL, bytes, 1, {n}, {bytes}}, src = {NULL, bytes, 1, {n}, {step * bytes}};
                check_corners(&dst, &src);
                if (step > 0) {
                    dst.stride[0] = step * bytes;
                    src.stride[0] = n % 2 == 0 ? bytes : -bytes;
                    check_corners(&dst, &src);
                    dst.stride[0] += n % 3; /* distances that are no multiple of the item */
                    check_corners(&dst, &src);
                    src.stride[0] = 0;
                    check_corners(&dst, &src);
                }
            }
        }
    }
}

static void
test_tables(void)
{
    for (int i = 0; i < 60000; i++) {
        int64_t item = (int64_t)1 << random_between(0, 4), most = i % 8 == 0 ? 300 : 40;
        int64_t rows = random_between(1, most), columns = random_between(1, most), gap = random_between(0, 2) * item;
        ssop_view dst = {NULL, item, 2, {rows, columns}, {columns * item + (i % 3 == 0 ? 5 : 0), item}};
        ssop_view src = {NULL, item, 2, {rows, columns}, {columns * item + gap, item}};
        if (i % 2 == 0) { /* transposed */
            src.stride[0] = i % 4 == 0 ? item : -item;
            src.stride[1] = rows * item + gap;
        }
        check_corners(&dst, &src);
    }
}

static void
test_planes(void)
{
    for (int i = 0; i < 3000; i++) {
        int64_t item = (int64_t)1 << i % 4, planes = random_between(2, 8),
                rows = random_between(1, i % 9 == 0 ? 900 : 90);
        ssop_view dst = {NULL, item, 2, {rows, planes}, {planes * item, item}};
        ssop_view src = {NULL, item, 2, {rows, planes}, {item, i % 3 == 0 ? -rows * item : rows * item + i % 4}};
        check_corners(&dst, &src);
        ssop_view apart = {NULL, item, 2, {planes, rows}, {rows * item + i % 4, item}};
        ssop_view packed = {NULL, item, 2, {planes, rows}, {item, planes * item}};
        check_corners(&apart, &packed);
    }
}

static void
test_blocks(void)
{
    for (int i = 0; i < 60000; i++) {
        int64_t item = random_between(1, 8), a = random_between(1, 4), b = random_between(1, 6),
                n = random_between(1, 80);
        int64_t row = item * b, block = row * a;
        ssop_view dst = {NULL, item, 3, {n, a, b}, {block, row, item}};
        ssop_view src = {
            NULL,
            item,
            3,
            {n, a, b},
            {random_between(-2 * block, 2 * block), random_between(-row, row), random_between(-2, 2) * item}};
        check_corners(&dst, &src);
    }
}

/* Short axes: C order on one side and F order on the other, forwards and backwards. */
static void
test_short_axes(void)
{
    for (int i = 0; i < 3000; i++) {
        int32_t rank = (int32_t)random_between(4, 6);
        int64_t item = (int64_t)1 << random_between(0, 4), c_bytes = item, f_bytes = item;
        ssop_view c_order = {NULL, item, rank, {0}, {0}}, f_order = c_order;
        for (int32_t axis = 0; axis < rank; axis++) {
            f_order.dim[axis] = c_order.dim[axis] = random_between(2, 5);
            f_order.stride[axis] = random_between(0, 3) == 0 ? -f_bytes : f_bytes;
            f_bytes *= f_order.dim[axis];
        }
        for (int32_t axis = rank - 1; axis >= 0; axis--) {
            c_order.stride[axis] = c_bytes;
            c_bytes *= c_order.dim[axis];
        }
        check_corners(i % 2 == 0 ? &c_order : &f_order, i % 2 == 0 ? &f_order : &c_order);
    }
}

/* The destination is the yard from its beginning, or to its end: 1-D, and rows with gaps. */
static void
test_dilations(void)
{
    for (int i = 0; i < 20000; i++) {
        if (!is_chosen()) {
            continue;
        }
        int64_t item = i % 7 == 0 ? random_between(1, 40) : (int64_t)1 << random_between(0, 4);
        int64_t n = random_between(1, 200), step = i % 4 == 0 ? 1 : random_between(1, 18), rows = random_between(1, 4);
        int64_t dim = n > 1 ? (n - 1) * step + 1 : 1, gap = random_between(0, 9) * item;
        if (i % 9 == 0) { /* pixels */
            dim = (int64_t)4 << random_between(0, 2);
            n = random_between(1, dim - 1);
            rows = random_between(1, 60);
            item = step = 1;
            gap = 0;
        }
        ssop_view dst = {NULL, item, 2, {rows, dim}, {dim * item + gap, item}};
        ssop_view src = {NULL, item, 2, {rows, n}, {n * item, i % 2 == 0 ? item : -item}};
        push_to_fence(&dst, &dst_yard, i % 3 == 0);
        push_to_fence(&src, &src_yard, i % 5 < 2);
        ssop_region place;
        ssop_region_whole(&place, (ssop_shape){2, dst.dim});
        place.range[1] = (ssop_range){0, n, n > 1 ? step : 1};
        ssop_nest nest;
        ssop_nest_dilate(&nest, &dst, &place, &src, random_fill(item), NULL);
        ssop_nest_execute(&nest, 0, ssop_nest_steps(&nest));
        CHECK(memcmp(dst.data, src.data, (size_t)item) == 0, "first item");
    }
}

/* Allows or forbids access to the window's pages of an array of 16 rows of 8 pages. */
static void
allow_window(char *data, const ssop_region *window, bool allowed)
{
    size_t page = system_page_bytes();
    for (int64_t row = 0; row < 16; row++) {
        for (int64_t column = 0; column < 8; column++) {
            bool inside = row >= window->range[0].start && row < window->range[0].start + window->range[0].count &&
                          column >= window->range[1].start && column < window->range[1].start + window->range[1].count;
            if (inside) {
                allow_access(data + (size_t)(row * 8 + column) * page, page, allowed);
            }
        }
    }
}

/* The complement of a window: the window's pages may neither be read nor written, on neither side. */
static void
test_complement(void)
{
    static const ssop_range windows[][2] = {
        {{5, 9, 1}, {0, 8, 1}}, {{0, 16, 1}, {1, 5, 1}}, {{2, 13, 1}, {3, 5, 1}}, {{0, 16, 1}, {0, 8, 1}}};
    int64_t page = (int64_t)system_page_bytes(), dims[] = {16, 8};
    yard to = fence_in((size_t)(16 * 8 * page)), from = fence_in((size_t)(16 * 8 * page));
    for (char *byte = from.begin; byte < from.end; byte++) {
        *byte = (char)random_bits();
    }
    const ssop_view dst = {to.begin, page, 2, {16, 8}, {8 * page, page}},
                    src = {from.begin, page, 2, {16, 8}, {8 * page, page}};
    for (int i = 0; i < COUNT(windows); i++) {
        ssop_region window, part;
        ssop_complement complement;
        ssop_region_whole(&window, (ssop_shape){2, dims});
        window.range[0] = windows[i][0];
        window.range[1] = windows[i][1];
        allow_window(to.begin, &window, false);
        allow_window(from.begin, &window, false);
        bool begun = ssop_complement_begin(&complement, &window, dims, page);
        CHECK(begun, "window %d", i);
        while (begun && ssop_complement_next(&complement, &part)) {
            ssop_view part_of_dst = dst, part_of_src = src;
            CHECK(ssop_region_view(&part, &dst, &part_of_dst, NULL) == SSOP_OK, "view");
            CHECK(ssop_region_view(&part, &src, &part_of_src, NULL) == SSOP_OK, "view");
            ssop_nest nest;
            ssop_nest_copy(&nest, &part_of_dst, &part_of_src, NULL);
            ssop_nest_execute(&nest, 0, ssop_nest_steps(&nest));
            CHECK(memcmp(part_of_dst.data, part_of_src.data, (size_t)page) == 0, "first item");
        }
        allow_window(to.begin, &window, true);
        allow_window(from.begin, &window, true);
    }
}

int
main(void)
{
    dst_yard = fence_in(3 << 20);
    src_yard = fence_in(3 << 20);
    for (char *byte = src_yard.begin; byte < src_yard.end; byte++) {
        *byte = (char)random_bits();
    }
    for_every_target(test_lines);
    for_every_target(test_tables);
    for_every_target(test_planes);
    for_every_target(test_blocks);
    for_every_target(test_short_axes);
    for_every_target(test_dilations);
    for_every_target(test_complement);
    return check_report("test_guard");
}
