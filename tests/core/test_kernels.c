/* What could go wrong: a kernel of some CPU target copies a wrong byte or writes outside its items, for some item size,
 * step, length or alignment. With the argument "targets" it prints the CPU targets that this machine can run. */
#include "copy/nest.h"
#include "random_fill.h"
#include "random_policies.h"
#include "targets.h"

/* The largest view: 9 rows of 20,681 items of 24 bytes, in test_dilations. */
enum { ARENA_BYTES = 5 << 20, GUARD_BYTES = 128 };

static _Alignas(64) unsigned char src_memory[ARENA_BYTES], dst_memory[ARENA_BYTES], expected[ARENA_BYTES];
static const int64_t item_sizes[] = {1, 2, 3, 4, 5, 6, 8, 12, 16, 24};

/* Lets a view begin as far into an arena as its negative strides ask for; returns the bytes from there to its end. */
static size_t
place(ssop_view *view, unsigned char *arena, int64_t offset)
{
    int64_t below = 0, above = view->item_bytes;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        int64_t reach = (view->dim[axis] - 1) * view->stride[axis];
        below -= reach < 0 ? reach : 0;
        above += reach > 0 ? reach : 0;
    }
    view->data = (char *)arena + GUARD_BYTES + offset + below;
    size_t used = (size_t)(2 * GUARD_BYTES + offset + below + above);
    if (used > ARENA_BYTES) {
        printf("a view of %zu bytes\n", used);
        exit(EXIT_FAILURE);
    }
    return used;
}

static void
copy_items(const ssop_view *dst, const ssop_view *src)
{
    int64_t index[SSOP_MAX_RANK] = {0};
    for (;;) {
        int64_t to = dst->data - (char *)dst_memory, from = 0;
        for (int32_t axis = 0; axis < dst->rank; axis++) {
            to += index[axis] * dst->stride[axis];
            from += index[axis] * src->stride[axis];
        }
        memcpy(expected + to, src->data + from, (size_t)dst->item_bytes);
        int32_t axis = dst->rank - 1;
        while (axis >= 0 && ++index[axis] == dst->dim[axis]) {
            index[axis--] = 0;
        }
        if (axis < 0) {
            return;
        }
    }
}

/* One copy, in up to three pieces out of order, with the policies in use. */
static void
check_pieces(ssop_view *dst, ssop_view *src, int64_t offset)
{
    size_t used = place(dst, dst_memory, offset);
    place(src, src_memory, random_between(0, 70));
    memset(dst_memory, 0xA5, used);
    memset(expected, 0xA5, used);
    copy_items(dst, src);
    ssop_nest nest;
    const ssop_hints hints = {.fresh_dst = random_between(0, 9) == 0};
    ssop_nest_copy(&nest, dst, src, &hints);
    int64_t steps = ssop_nest_steps(&nest);
    int64_t a = random_between(0, 2) == 0 ? random_between(0, steps) : 0, b = random_between(0, 2) == 0 ? a : steps;
    ssop_nest_execute(&nest, b, steps);
    ssop_nest_execute(&nest, 0, a);
    ssop_nest_execute(&nest, a, b);
    CHECK(memcmp(dst_memory, expected, used) == 0,
          "%s, pattern %d, rank %d, items of %lld, innermost %lld from stride %lld to %lld", ssop_cpu_target(),
          (int)nest.pattern, (int)dst->rank, LL(dst->item_bytes), LL(dst->dim[dst->rank - 1]),
          LL(src->stride[dst->rank - 1]), LL(dst->stride[dst->rank - 1]));
}

/* A copy with policies at random, in a memory that fits the caches or does not. */
static void
check_copy(ssop_view *dst, ssop_view *src, int64_t offset, bool huge)
{
    if (!is_chosen()) {
        return;
    }
    use_random_policies();
    if (huge) {
        ssop_policies policies = *ssop_policies_used();
        policies.prefetch_bytes = 1;
        policies.prefetchw_bytes = random_between(0, 1);
        policies.stream_bytes = 1 - policies.prefetchw_bytes;
        CHECK(ssop_policies_use(&policies), "policies");
    }
    check_pieces(dst, src, offset);
}

static const int64_t lengths[] = {1,  2,  3,  4,  5,  7,  8,  9,  12, 15,  16,  17,  21,  31,  32,  33,
                                  47, 48, 49, 63, 64, 65, 66, 80, 96, 127, 128, 129, 200, 257, 520, 1031};
static const int64_t steps[] = {-40, -17, -16, -11, -8, -7, -5, -4, -3, -2, -1, 0,  1,  2,
                                3,   4,   5,   6,   7,  8,  9,  10, 11, 13, 15, 16, 17, 33};

/* Steps in the source, in the destination, in both; alone and as rows that adjoin, have gaps, or overlap in the
 * source. */
static void
test_steps(void)
{
    for (int s = 0; s < COUNT(item_sizes); s++) {
        int64_t item = item_sizes[s];
        for (int i = 0; i < COUNT(steps) * COUNT(lengths); i++) {
            int64_t step = steps[i / COUNT(lengths)], n = lengths[i % COUNT(lengths)], rows = 1 + i % 3;
            for (int way = 0; way < 8; way++) {
                bool scatter = way >= 4 && step > 0, both = way == 7 && step > 1;
                int64_t to = scatter ? step : 1, from = both ? 2 : scatter ? (way == 5 ? -1 : 1) : step;
                int64_t gap = way % 2 * 7;
                ssop_view dst = {NULL, item, 2, {rows, n}, {n * to * item + gap, to * item}};
                ssop_view src = {NULL, item, 2, {rows, n}, {way == 2 ? 3 : n * item + 1, from * item}};
                check_copy(&dst, &src, random_between(0, 63), i % 5 == 0);
            }
        }
    }
}

/* One item over and over: items of every size, in rows of any length, each of one item or all of the same. */
static void
test_repeats(void)
{
    for (int64_t item = 1; item <= 80; item++) {
        for (int i = 0; i < 40; i++) {
            int64_t n = random_between(1, i % 4 == 0 ? 5000 / item + 1 : 70), rows = random_between(1, 4);
            ssop_view dst = {NULL, 1, 3, {rows, n, item}, {n * item + i % 3, item, 1}};
            ssop_view src = {NULL, 1, 3, {rows, n, item}, {i % 2 == 0 ? 0 : item + 1, 0, 1}};
            check_copy(&dst, &src, random_between(0, 63), i % 5 == 0);
        }
    }
}

/* Rows of every length, with gaps on one side, the other, or both. */
static void
test_rows(void)
{
    for (int64_t bytes = 1; bytes <= 1200; bytes += bytes < 300 ? 1 : 37) {
        for (int way = 0; way < 12; way++) {
            int64_t rows = way % 4 == 0 ? 3
                         : way % 4 == 1 ? 17
                                        : 6,
                    wide = way % 3 == 0 ? 0
                         : way % 3 == 1 ? bytes
                                        : 300;
            ssop_view dst = {NULL, 1, 3, {2, rows, bytes}, {(bytes + way / 6) * rows, bytes + way / 6, 1}};
            ssop_view src = {NULL, 1, 3, {2, rows, bytes}, {70, way == 5 ? -bytes - 9 : bytes + wide, 1}};
            check_copy(&dst, &src, random_between(0, 63), way % 2 == 0);
        }
    }
}

/* Rows of pages: a few, as many as the second cache holds, and more. */
static void
test_long_rows(void)
{
    static const int64_t counts[] = {2, 9, 150};
    for (int i = 0; i < 60; i++) {
        int64_t bytes = random_between(4000, 6000), rows = counts[i % COUNT(counts)], gap = i % 4 == 0 ? 0 : i;
        ssop_view dst = {NULL, 1, 2, {rows, bytes}, {bytes, 1}};
        ssop_view src = {NULL, 1, 2, {rows, bytes}, {i % 5 == 0 ? -bytes : bytes + gap, 1}};
        check_copy(&dst, &src, random_between(0, 63), i % 7 == 0);
    }
}

/* Long rows that are repeated along one axis or two: shorter and longer than the blocks that they are copied in. */
static void
test_repeated_rows(void)
{
    for (int i = 0; i < 36; i++) {
        const int64_t item = i % 4 == 0 ? 3 : 16,
                      row = random_between(20000, i % 3 == 0 ? 100000 : 40000) / item * item;
        const int64_t rows = i % 2 == 0 ? 1 : 3, repeats = random_between(2, 12), gap = i % 5 == 0 ? 0 : 64;
        ssop_view dst = {NULL, item, 3, {rows, repeats, row / item}, {repeats * (row + gap), row + gap, item}};
        ssop_view src = {NULL, item, 3, {rows, repeats, row / item}, {i % 7 == 0 ? 0 : row + 32, 0, item}};
        check_copy(&dst, &src, random_between(0, 63), i % 6 == 0);
    }
}

/* Small inner blocks: pixels, corners of small tables, axes in any direction. */
static void
test_blocks(void)
{
    for (int i = 0; i < 40000; i++) {
        int64_t item = item_sizes[random_between(0, COUNT(item_sizes) - 1)], a = random_between(1, 5);
        int64_t b = random_between(1, 9), n = random_between(1, 90), row = item * b, block = row * a;
        int64_t step = random_between(-3, 3), pitch = random_between(0, 3 * row), far = random_between(-2 * block, 99);
        ssop_view dst = {NULL, item, 4, {2, n, a, b}, {n * block + i % 2, block, row, item}};
        ssop_view src = {NULL, item, 4, {2, n, a, b}, {11, far, i % 3 == 0 ? -pitch : pitch, step * item}};
        check_copy(&dst, &src, random_between(0, 63), i % 4 == 0);
    }
}

/* Fields of records: contiguous items go to places whose distance is no multiple of their size. */
static void
test_fields(void)
{
    for (int i = 0; i < 4000; i++) {
        int64_t item = 1 << random_between(0, 4), record = item + random_between(1, 9), n = random_between(1, 600);
        ssop_view dst = {NULL, item, 2, {2, n}, {n * record + i % 5, record}};
        ssop_view src = {NULL, item, 2, {2, n}, {n * item + 1, i % 3 == 0 ? -item : item}};
        check_copy(&dst, &src, random_between(0, 63), i % 4 == 0);
    }
}

/* Rows that adjoin in the source while columns adjoin in the destination; pitches that collide in the caches. */
static void
test_transpositions(void)
{
    static const int64_t extents[] = {1, 2, 3, 8, 13, 16, 17, 31, 32, 33, 64, 65, 100, 128, 130, 257};
    for (int s = 0; s < COUNT(item_sizes); s++) {
        int64_t item = item_sizes[s];
        for (int i = 0; i < COUNT(extents) * COUNT(extents) * 4; i++) {
            int64_t rows = extents[i / 4 % COUNT(extents)], columns = extents[i / 4 / COUNT(extents)];
            int64_t dst_pitch = columns * item, src_pitch = rows * item;
            if (i % 4 >= 2 && rows * columns >= 4096 && dst_pitch <= 1024 && src_pitch <= 1024) {
                dst_pitch = i % 4 == 2 ? 1024 : dst_pitch;
                src_pitch = i % 8 == 6 ? src_pitch : 1024;
            }
            if (i % 4 == 1 && dst_pitch < 64) {
                dst_pitch = 64;
            }
            bool back = i % 8 == 5;
            ssop_view dst = {NULL, item, 3, {2, rows, columns}, {rows * dst_pitch + i % 2, dst_pitch, item}};
            ssop_view src = {NULL, item, 3, {2, rows, columns}, {24, back ? -item : item, src_pitch}};
            check_copy(&dst, &src, i % 3 == 0 ? 0 : random_between(0, 15) * item, i % 2 == 0);
        }
    }
}

/* Planes become the items of short rows: rows that fill a line of the destination, or never begin at one; any number of
 * planes. */
static void
test_planes(void)
{
    for (int i = 0; i < 1800; i++) {
        int64_t item = (int64_t)1 << i % 4, planes = random_between(2, 9), far = i % 7 == 0;
        int64_t rows = random_between(far ? 1000 : 1, far ? 3000 : 150), plane = rows * item + i % 5;
        ssop_view dst = {NULL, item, 3, {2, rows, planes}, {rows * planes * item + i % 2, planes * item, item}};
        ssop_view src = {NULL, item, 3, {2, rows, planes}, {planes * plane + 3, item, i % 11 == 0 ? -plane : plane}};
        check_copy(&dst, &src, i % 3 == 0 ? 0 : random_between(0, 63), i % 2 == 0);
    }
}

/* One dilation of rows that adjoin or not, in two pieces, the last one first. */
static void
check_dilation(ssop_view *dst, const ssop_region *place_in_dst, ssop_view *src, int64_t offset)
{
    ssop_view taken;
    ssop_nest nest;
    const char *fill = random_fill(dst->item_bytes);
    size_t used = place(dst, dst_memory, offset);
    place(src, src_memory, random_between(0, 7));
    memset(dst_memory, 0xA5, used);
    memset(expected, 0xA5, used);
    for (int64_t row = 0; row < dst->dim[0]; row++) {
        write_fill(expected + (dst->data - (char *)dst_memory) + row * dst->stride[0], fill, dst->item_bytes,
                   dst->dim[1]);
    }
    CHECK(ssop_region_view(place_in_dst, dst, &taken, NULL) == SSOP_OK, "view");
    copy_items(&taken, src);
    use_random_policies();
    ssop_nest_dilate(&nest, dst, place_in_dst, src, fill, NULL);
    int64_t all = ssop_nest_steps(&nest), cut = random_between(0, all);
    ssop_nest_execute(&nest, cut, all);
    ssop_nest_execute(&nest, 0, cut);
    CHECK(memcmp(dst_memory, expected, used) == 0, "%s, pattern %d: %lld items of %lld in rows of %lld",
          ssop_cpu_target(), (int)nest.pattern, LL(src->dim[1]), LL(dst->item_bytes), LL(dst->dim[1]));
}

/* Few rows of the source whose lines in the destination compete for the same places: they are not copied first. */
static void
test_near_columns(void)
{
    for (int i = 0; i < 96; i++) {
        int64_t item = (int64_t)1 << i % 4, most = i % 3 == 0 ? 256 : 64; /* bytes from column to column */
        int64_t rows = random_between(16 / item, most / item), columns = 16384 / rows + 64;
        int64_t pitch = (columns * item / 1024 + 1) * 1024;
        ssop_view dst = {NULL, item, 2, {rows, columns}, {pitch, item}};
        ssop_view src = {NULL, item, 2, {rows, columns}, {item, rows * item}};
        check_copy(&dst, &src, random_between(0, 15) * item, i % 2 == 0);
    }
}

/* Each way to treat memory: in the caches, in strips, with prefetches of both sides, with prefetches of the source and
 * non-temporal stores, and with these only. */
static void
use_policy(int kind)
{
    use_random_policies();
    ssop_policies policies = *ssop_policies_used();
    policies.prefetch_bytes = kind == 2 || kind == 3;
    policies.prefetchw_bytes = kind == 2;
    policies.stream_bytes = kind >= 3;
    policies.strip_bytes = kind == 1;
    CHECK(ssop_policies_use(&policies), "policies");
}

/* Planes, rows that are reversed, and an item at every second place, under each memory policy: with columns or rows
 * that compete for cache sets. */
static void
test_each_policy(void)
{
    static const int64_t extents[][2] = {{70, 130}, {130, 70}, {260, 64}, {64, 260},
                                         {66, 257}, {40, 500}, {17, 33},  {40, 6}};
    static const int64_t units[] = {1, 512, 1024, 4096}; /* of pitches */
    for (int i = 0; i < 5 * 4 * COUNT(extents) * COUNT(units) * COUNT(units); i++) {
        if (!is_chosen()) {
            continue;
        }
        const int64_t item = (int64_t)1 << i / 5 % 4, *extent = extents[i / 20 % COUNT(extents)];
        const int pitches = i / 20 / COUNT(extents);
        int64_t pitch[] = {extent[1] * item, extent[0] * item}; /* of the destination, of the source */
        for (int side = 0; side < 2; side++) {
            const int64_t unit = units[side == 0 ? pitches % COUNT(units) : pitches / COUNT(units)];
            pitch[side] = (pitch[side] + unit - 1) / unit * unit;
        }
        use_policy(i % 5);
        ssop_view dst = {NULL, item, 2, {extent[0], extent[1]}, {pitch[0], item}};
        ssop_view src = {NULL, item, 2, {extent[0], extent[1]}, {item, pitch[1]}};
        check_pieces(&dst, &src, i % 3 == 0 ? 0 : random_between(0, 63));
        ssop_view rows = {NULL, item, 2, {17, 128}, {128 * item, item}};
        ssop_view reversed = {NULL, item, 2, {17, 128}, {130 * item, -item}};
        check_pieces(&rows, &reversed, i % 2 == 0 ? 0 : random_between(1, 63));
        ssop_view places = {NULL, item, 2, {3, 300}, {700 * item, 2 * item}};
        ssop_view one = {NULL, item, 2, {3, 300}, {item, 0}};
        check_pieces(&places, &one, random_between(0, 63));
    }
}

/* Planes of items of 16 bytes, under each memory policy: few rows or columns, whose pitches collide or not. */
static void
test_planes_of_lanes(void)
{
    static const int64_t extents[][2] = {{70, 130}, {260, 64}, {12, 100}, {90, 2}, {40, 3}, {3, 40}, {40, 6}, {16, 50}};
    static const int64_t units[] = {16, 1024, 2048, 4096};
    for (int i = 0; i < 5 * COUNT(extents) * COUNT(units) * COUNT(units); i++) {
        const int64_t *extent = extents[i / 5 % COUNT(extents)];
        const int pitches = i / 5 / COUNT(extents);
        const int64_t dst_unit = units[pitches % COUNT(units)], src_unit = units[pitches / COUNT(units)];
        use_policy(i % 5);
        ssop_view dst = {
            NULL, 16, 2, {extent[0], extent[1]}, {(extent[1] * 16 + dst_unit - 1) / dst_unit * dst_unit, 16}};
        ssop_view src = {
            NULL, 16, 2, {extent[0], extent[1]}, {16, (extent[0] * 16 + src_unit - 1) / src_unit * src_unit}};
        check_pieces(&dst, &src, i % 3 == 0 ? 0 : random_between(0, 63));
    }
}

/* Rows of few items, where another axis becomes the inner loop. Their lines collide in the caches on one side, on both
 * sides or not at all. Many rows share lines of the source. */
static void
test_short_rows_of_far_axes(void)
{
    for (int i = 0; i < 240; i++) {
        const int64_t item = (int64_t)1 << i % 5, few = i % 24 == 0 ? 300 : random_between(2, 7);
        const int64_t a = random_between(9, 40), b = random_between(2, few > 7 ? 5 : 40), row = few * item;
        const int64_t block = b * row;
        const int64_t far = (b * a * item + 63) / 64 * 64 + 64;
        ssop_view dst = {NULL, item, 3, {a, b, few}, {i % 2 == 0 ? (block + 4095) / 4096 * 4096 : block, row, item}};
        ssop_view src = {NULL, item, 3, {a, b, few}, {item, a * item, far}};
        if (i % 3 == 0) {
            src.stride[1] = 1024;
            src.stride[2] = 1024 * b + 64;
        }
        check_copy(&dst, &src, random_between(0, 63), i % 4 == 0);
    }
}

/* Packed rows become planes, with and without non-temporal stores. The planes all begin at the same place of a line, or
 * not. An item of them begins a line, or no item does. */
static void
test_planes_from_rows(void)
{
    for (int i = 0; i < 3 * 4 * 2 * 3 * 2; i++) {
        const int64_t planes = 2 + i % 3, item = (int64_t)1 << i / 3 % 4, columns = 4500 / item;
        const int64_t unit = i / 12 % 2 == 0 ? item : 64, offset = i / 24 % 3 * item / 2;
        use_random_policies();
        ssop_policies policies = *ssop_policies_used();
        policies.stream_bytes = i / 72 % 2;
        CHECK(ssop_policies_use(&policies), "policies");
        ssop_view dst = {NULL, item, 2, {planes, columns}, {(columns * item + unit - 1) / unit * unit, item}};
        ssop_view src = {NULL, item, 2, {planes, columns}, {item, planes * item}};
        check_pieces(&dst, &src, offset);
    }
}

/* Under each memory policy: the first tile begins at a line of the destination, the next one behind it. */
static void
test_tiles_off_lines(void)
{
    for (int i = 0; i < 4 * 5 * 8; i++) {
        const int64_t item = (int64_t)1 << i % 5, columns = 256 / item, row = columns * item, gap = i % 8 < 4 ? 4 : 8;
        use_random_policies();
        ssop_policies policies = *ssop_policies_used();
        policies.prefetch_bytes = i % 4 != 0;
        policies.prefetchw_bytes = i % 4 == 1;
        policies.stream_bytes = i % 4 >= 2;
        policies.far_row_bytes = policies.rep_movsb_row_bytes = 0;
        CHECK(ssop_policies_use(&policies), "policies");
        ssop_view dst = {NULL, item, 3, {2, 4, columns}, {4 * row + (gap > item ? gap : item), row, item}};
        ssop_view far = {NULL, item, 3, {2, 4, columns}, {5 * 41 * row, 41 * row, 40 * item}};
        ssop_view near = {NULL, item, 3, {2, 4, columns}, {9 * row, 2 * row, -item}};
        check_pieces(&dst, &far, 0);
        check_pieces(&dst, &near, 0);
        ssop_view third = {NULL, item, 3, {2, 4, columns}, {13 * row, 3 * row + item, 3 * item}};
        check_pieces(&dst, &third, 0);
        for (int64_t block = 48; block <= 64; block += 16) {
            for (int64_t pitch = block; pitch <= 128; pitch += 128 - block) {
                const int64_t plane = (9 * pitch / 64 + 1) * 64;
                ssop_view rows = {NULL, block, 3, {2, 4, 9}, {4 * plane + gap, plane, pitch}};
                ssop_view from = {NULL, block, 3, {2, 4, 9}, {5000, 1000, 96}};
                check_pieces(&rows, &from, 0);
            }
        }
    }
}

/* Few columns, and the rows of the destination near each other or not, or a multiple of a page apart. */
static void
test_few_columns(void)
{
    for (int i = 0; i < 720; i++) {
        int64_t item = (int64_t)1 << i % 4, far = i % 3 == 1;
        int64_t rows = random_between(16 / item, far ? 40 : 400);
        int64_t columns = i % 5 == 0 ? 32 : random_between(16 / item, i % 5 < 3 ? 32 / item : 33);
        int64_t pitch = columns * item + (i % 3 == 0 ? random_between(0, 8) * 100 : 0);
        ssop_view dst = {NULL, item, 2, {rows, columns}, {far ? 4096 : pitch, item}};
        ssop_view src = {NULL, item, 2, {rows, columns}, {item, rows * item + i % 2}};
        check_copy(&dst, &src, random_between(0, 63), i % 4 != 1);
    }
}

/* Rows that adjoin in the source, with other axes between them and the columns in the destination. Often all rows of
 * the destination are whole lines. */
static void
test_rows_apart(void)
{
    for (int i = 0; i < 240; i++) {
        int64_t item = (int64_t)1 << i % 4, rows = random_between(16 / item, 1600 / item);
        int64_t a = random_between(1, 3), b = random_between(1, 3);
        int64_t columns = i % 3 == 0 ? random_between(16 / item, 100) : random_between(1, 4) * 64 / item;
        int64_t pitch = columns * item, plane = rows * item, from_a = i % 5 == 0 ? -plane : plane;
        ssop_view dst = {NULL, item, 4, {rows, a, b, columns}, {a * b * pitch, b * pitch, pitch, item}};
        ssop_view src = {NULL, item, 4, {rows, a, b, columns}, {item, from_a, a * columns * plane, a * plane}};
        check_copy(&dst, &src, i % 4 == 0 ? random_between(0, 63) : 0, i % 8 < 6);
    }
}

/* Rows of a few lines, whose order on the two sides differs. */
static void
test_shuffled_rows(void)
{
    for (int i = 0; i < 240; i++) {
        int64_t row = i % 5 == 0 ? random_between(9, 90) : 8 * random_between(1, 9), gap = i % 7 == 0 ? 8 : 0;
        int64_t a = random_between(1, 9), b = random_between(1, 9), c = random_between(1, 9), bytes = 8 * row;
        int64_t from_a = bytes + gap, from_b = a * b * from_a, from_c = i % 3 == 0 ? -a * from_a : a * from_a;
        ssop_view dst = {NULL, 8, 4, {a, b, c, row}, {b * c * bytes, c * bytes, bytes, 8}};
        ssop_view src = {NULL, 8, 4, {a, b, c, row}, {from_a, c * from_b, from_c, 8}};
        check_copy(&dst, &src, i % 4 == 0 ? random_between(0, 63) : 0, i % 8 < 6);
    }
}

/* Long rows of the destination that begin anywhere in a line: their whole lines are collected. */
static void
test_long_transposed_rows(void)
{
    for (int i = 0; i < 160; i++) {
        int64_t item = (int64_t)4 << i % 2, rows = random_between(16 / item, 300);
        int64_t columns = random_between(480, 1400) / item, gap = i % 3 == 0 ? random_between(0, 99) : 0;
        ssop_view dst = {NULL, item, 2, {rows, columns}, {columns * item + gap, item}};
        ssop_view src = {NULL, item, 2, {rows, columns}, {i % 5 == 0 ? -item : item, rows * item + i % 7}};
        check_copy(&dst, &src, random_between(0, 63), true);
    }
}

/* Blocks of any size with the fill between them. */
static void
test_dilated_blocks(void)
{
    static const int64_t blocks[] = {1, 2, 3, 5, 9, 17, 33, 65, 129, 257, 300};
    for (int i = 0; i < COUNT(blocks) * 24; i++) {
        int64_t item = blocks[i % COUNT(blocks)], n = random_between(1, 9), rows = random_between(1, 5);
        int64_t step = random_between(1, 3), dim = (n - 1) * step + 1 + random_between(0, 2);
        ssop_view dst = {NULL, item, 2, {rows + 1, dim}, {dim * item, item}};
        ssop_view src = {NULL, item, 2, {rows, n}, {n * item + 3, item}};
        ssop_region where;
        ssop_region_whole(&where, (ssop_shape){2, dst.dim});
        where.range[0] = (ssop_range){random_between(0, 1), rows, 1};
        where.range[1] = (ssop_range){0, n, n > 1 ? step : 1};
        check_dilation(&dst, &where, &src, random_between(0, 63));
    }
}

/* Blocks of a few items in many rows, with gaps that are multiples of them or not. */
static void
test_dilated_columns(void)
{
    for (int i = 0; i < 600; i++) {
        const int64_t item = (int64_t)1 << i % 4,
                      n = i % 3 == 0 ? random_between(2, 9) : 16 / item >> random_between(0, 1);
        const int64_t rows = random_between(1, 300),
                      gap = i % 5 == 0 ? random_between(1, 9) : n * random_between(1, 18);
        const int64_t dim = n + gap, start = random_between(0, gap), pitch = n * item + (i % 7 == 0 ? item : 0);
        ssop_view dst = {NULL, item, 2, {rows, dim}, {dim * item, item}};
        ssop_view src = {NULL, item, 2, {rows, n}, {pitch, item}};
        ssop_region where;
        ssop_region_whole(&where, (ssop_shape){2, dst.dim});
        where.range[1] = (ssop_range){start, n, 1};
        check_dilation(&dst, &where, &src, random_between(0, 63));
    }
}

/* Pixels: a few of the items of each 4, 8 or 16 bytes. */
static void
test_dilated_pixels(void)
{
    for (int i = 0; i < 600; i++) {
        const int64_t item = (int64_t)1 << i % 4, dim = (4 << random_between(0, 2)) / item;
        if (dim < 2) {
            continue;
        }
        const int64_t n = random_between(1, dim - 1), rows = random_between(1, 300);
        ssop_view dst = {NULL, item, 2, {rows, dim}, {dim * item, item}};
        ssop_view src = {NULL, item, 2, {rows, n}, {n * item, item}};
        ssop_region where;
        ssop_region_whole(&where, (ssop_shape){2, dst.dim});
        where.range[1] = (ssop_range){random_between(0, dim - n), n, 1};
        check_dilation(&dst, &where, &src, random_between(0, 63));
    }
}

/* The fill between items, and between rows. The place is [row::row_step, start::step]. */
static void
test_dilations(void)
{
    for (int s = 0; s < COUNT(item_sizes); s++) {
        int64_t item = item_sizes[s];
        for (int i = 0; i < COUNT(lengths) * 20 * 4; i++) {
            if (!is_chosen()) {
                continue;
            }
            int64_t n = lengths[i / 4 % COUNT(lengths)], step = 1 + i / 4 / COUNT(lengths), rows = 1 + i % 3;
            int64_t dim = (n - 1) * step + 1 + random_between(0, 80),
                    start = random_between(0, dim - (n - 1) * step - 1);
            int64_t row_step = random_between(1, 3), from = i % 2 == 0 ? item : i % 5 == 0 ? -2 * item : -item;
            int64_t all_rows = (rows - 1) * row_step + 1 + random_between(0, 2);
            ssop_view dst = {NULL, item, 2, {all_rows, dim}, {dim * item + (i % 4 == 3 ? item : 0), item}};
            ssop_view src = {NULL, item, 2, {rows, n}, {2 * n * item, from}};
            ssop_region where;
            ssop_region_whole(&where, (ssop_shape){2, dst.dim});
            where.range[0] = (ssop_range){all_rows - 1 - (rows - 1) * row_step, rows, rows > 1 ? row_step : 1};
            where.range[1] = (ssop_range){start, n, n > 1 ? step : 1};
            check_dilation(&dst, &where, &src, random_between(0, 63));
        }
    }
}

static void
print_target(void)
{
    puts(ssop_cpu_target());
}

int
main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], "targets") == 0) {
        for_every_target(print_target);
        return EXIT_SUCCESS;
    }
    for (int i = 0; i < ARENA_BYTES; i++) {
        src_memory[i] = (unsigned char)(random_bits() >> 32);
    }
    for_every_target(test_steps);
    for_every_target(test_repeats);
    for_every_target(test_rows);
    for_every_target(test_long_rows);
    for_every_target(test_blocks);
    for_every_target(test_fields);
    for_every_target(test_transpositions);
    for_every_target(test_each_policy);
    for_every_target(test_planes_of_lanes);
    for_every_target(test_short_rows_of_far_axes);
    for_every_target(test_planes_from_rows);
    for_every_target(test_tiles_off_lines);
    for_every_target(test_near_columns);
    for_every_target(test_few_columns);
    for_every_target(test_rows_apart);
    for_every_target(test_shuffled_rows);
    for_every_target(test_long_transposed_rows);
    for_every_target(test_planes);
    for_every_target(test_dilations);
    for_every_target(test_dilated_blocks);
    for_every_target(test_dilated_columns);
    for_every_target(test_dilated_pixels);
    for_every_target(test_repeated_rows);
    return check_report("test_kernels");
}
