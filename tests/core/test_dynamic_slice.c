/* What could go wrong: a window is clamped, wrapped or rejected wrongly, or its pieces miss or repeat a part of it. */
#include "slice_oracle.h"

enum { MAX_DIM = 12, POLICIES = 3 };

static const ssop_out_of_bounds policies[POLICIES] = {SSOP_CLAMP, SSOP_WRAP, SSOP_RAISE};

typedef ssop_status (*resolver)(const ssop_window_spec *, ssop_shape, ssop_window *, ssop_error *);

typedef struct {
    resolver resolve;
    ssop_rule start_count, size_count, negative, too_large, outside;
} operation;

static const operation operations[2] = {
    {ssop_dynamic_slice_resolve, SSOP_DS_C1, SSOP_DS_C2, SSOP_DS_C3, SSOP_DS_C4, SSOP_DS_C5},
    {ssop_dynamic_update_slice_resolve, SSOP_DUS_C1, SSOP_DUS_C2, SSOP_DUS_C3, SSOP_DUS_C3, SSOP_DUS_C5},
};

#define CASE "dim %lld size %lld start %lld%s add_dim %d policy %d"
#define CASE_VALUES(c)                                                                                                 \
    LL((c)->dim), LL((c)->size), LL((c)->start.value), (c)->start.huge ? " huge" : "", (c)->add_dim, (int)(c)->policy

typedef struct {
    int64_t dim, size;
    ssop_start start;
    bool add_dim;
    ssop_out_of_bounds policy;
} window_case;

/* The remainder that counts upwards, for any start (ds_s2, ds_s4). */
static int64_t
modulo(ssop_start start, int64_t dim)
{
    if (start.huge || start.value >= 0) {
        return (int64_t)((uint64_t)start.value % (uint64_t)dim);
    }
    uint64_t below = (0 - (uint64_t)start.value) % (uint64_t)dim;
    return below == 0 ? 0 : dim - (int64_t)below;
}

typedef struct {
    ssop_rule broken;
    int64_t first; /* where the window's first element lies */
} plain_window;

static plain_window
place_window(const window_case *c, const operation *op)
{
    if (c->size < 0 || c->size > c->dim) {
        return (plain_window){c->size < 0 ? op->negative : op->too_large, 0};
    }
    ssop_start start = c->start;
    if (c->add_dim && !start.huge && start.value < 0) {
        start.value += c->dim; /* ds_s3 */
    }
    if (c->policy == SSOP_WRAP) {
        return (plain_window){SSOP_NO_RULE, c->dim > 0 ? modulo(start, c->dim) : 0};
    }
    int64_t first = start.huge ? INT64_MAX : start.value, most = c->dim - c->size; /* ds_s4 saturates */
    if (c->policy == SSOP_RAISE && (start.huge || first < 0 || first > most)) {
        return (plain_window){op->outside, 0};
    }
    first = first > most ? most : first;
    return (plain_window){SSOP_NO_RULE, first < 0 ? 0 : first};
}

static bool
is_canonical_step_1(ssop_range range, int64_t dim)
{
    return range.step == 1 &&
           (range.count == 0 ? range.start == 0
                             : range.count > 0 && range.start >= 0 && range.start <= dim - range.count);
}

/* ds_s1, ds_s2, dus_s1: element i of the window is element (first + i) mod dim of the operand. */
static void
check_parts(const window_case *c, const plain_window *right, const ssop_range part[2])
{
    CHECK(is_canonical_step_1(part[0], c->dim) && is_canonical_step_1(part[1], c->dim), "rg_s1: " CASE, CASE_VALUES(c));
    int64_t before_end = c->size < c->dim - right->first ? c->size : c->dim - right->first;
    CHECK(part[0].count == before_end && part[1].count == c->size - before_end, "%lld + %lld elements: " CASE,
          LL(part[0].count), LL(part[1].count), CASE_VALUES(c));
    CHECK(part[0].start == (before_end > 0 ? right->first : 0) && part[1].start == 0, "at %lld: " CASE,
          LL(part[0].start), CASE_VALUES(c));
}

static void
check_window(const window_case *c, const operation *op)
{
    plain_window right = place_window(c, op);
    ssop_window_spec spec = {1, 1, &c->start, &c->size, &c->add_dim, 1, c->policy};
    ssop_window window;
    ssop_error error = {.rule = SSOP_NO_RULE, .axis = 0, .entry = 0};
    ssop_status status = op->resolve(&spec, (ssop_shape){1, &c->dim}, &window, &error);
    CHECK(status == ssop_rule_status(right.broken), "%s, not %s: " CASE, ssop_rule_label(error.rule),
          ssop_rule_label(right.broken), CASE_VALUES(c));
    CHECK(op->resolve(&spec, (ssop_shape){1, &c->dim}, &window, NULL) == status, "without error record: " CASE,
          CASE_VALUES(c));
    bool outside = right.broken == op->outside;
    int64_t given = outside ? c->start.value : c->size;
    CHECK(is_error(&error, right.broken, 0, 0, given, 0, outside ? c->dim - c->size : c->dim), "%s record: " CASE,
          ssop_rule_label(right.broken), CASE_VALUES(c));
    CHECK(!outside || error.huge == c->start.huge, "%s record, huge: " CASE, ssop_rule_label(right.broken),
          CASE_VALUES(c));
    if (status == SSOP_OK && right.broken == SSOP_NO_RULE) {
        CHECK(window.rank == 1 && !ssop_window_is_filled(&window), "rank, filled: " CASE, CASE_VALUES(c));
        check_parts(c, &right, window.part[0]);
    }
}

static void
check_every_way(int64_t dim, int64_t size, ssop_start start)
{
    for (int k = 0; k < POLICIES * 4; k++) {
        window_case c = {dim, size, start, (k & 1) != 0, policies[k / 4]};
        check_window(&c, &operations[k >> 1 & 1]);
    }
}

/* The bits of uint64 starts from 2^63 on. */
static const uint64_t huge_starts[] = {(uint64_t)INT64_MAX + 1, (uint64_t)INT64_MAX + 6, UINT64_MAX - 4, UINT64_MAX};

static void
test_every_small_axis(void)
{
    for (int64_t dim = 0; dim <= MAX_DIM; dim++) {
        int64_t number[64];
        int numbers = numbers_around_zero(dim + 3, number);
        for (int64_t size = -2; size <= dim + 2; size++) {
            for (int i = 0; i < numbers; i++) {
                check_every_way(dim, size, (ssop_start){number[i], false});
            }
            for (int i = 0; i < COUNT(huge_starts); i++) {
                check_every_way(dim, size, (ssop_start){(int64_t)huge_starts[i], true});
            }
        }
    }
}

/* begin + size overflowed int64 in TensorFlow (issue 126125) on a huge dim beside an empty one. */
static void
test_huge_axes(void)
{
    const int64_t dims[] = {INT32_MAX, INT64_C(1) << 33, INT64_MAX - 1, INT64_MAX};
    for (int d = 0; d < COUNT(dims); d++) {
        int64_t dim = dims[d];
        const int64_t numbers[] = {0,        1,         5,         dim / 2,   dim - 5,      dim - 1,
                                   dim,      -1,        -5,        -dim,      1 - dim,      INT64_MIN,
                                   -dim - 1, INT64_MAX, INT32_MIN, INT32_MAX, INT64_MIN + 1};
        for (int i = 0; i < COUNT(numbers); i++) {
            for (int k = 0; k < COUNT(numbers); k++) {
                check_every_way(dim, numbers[i], (ssop_start){numbers[k], false});
            }
            for (int k = 0; k < COUNT(huge_starts); k++) {
                check_every_way(dim, numbers[i], (ssop_start){(int64_t)huge_starts[k], true});
            }
        }
    }
}

/* The examples of SPEC.md, and those where clamping, wrapping and adding the dim part ways. */
static void
test_examples(void)
{
    const struct {
        int64_t start, first, size;
        bool huge, add_dim;
        ssop_out_of_bounds policy;
    } cases[] = {
        {6, 4, 4, false, false, SSOP_CLAMP},
        {6, 6, 4, false, false, SSOP_WRAP},
        {-2, 0, 2, false, false, SSOP_CLAMP},
        {-2, 6, 2, false, true, SSOP_CLAMP},
        {-20, 0, 2, false, true, SSOP_CLAMP},
        {-20, 4, 2, false, false, SSOP_WRAP},
        {INT64_MIN + 5, 6, 2, true, false, SSOP_CLAMP},
        {INT64_MIN + 5, 5, 2, true, true, SSOP_WRAP},
        {INT64_MIN + 5, 5, 2, false, true, SSOP_WRAP},
        {-2, 6, 2, false, true, SSOP_RAISE},
    };
    const int64_t dim = 8;
    for (int i = 0; i < COUNT(cases); i++) {
        ssop_start start = {cases[i].start, cases[i].huge};
        ssop_window_spec spec = {1, 1, &start, &cases[i].size, &cases[i].add_dim, -1, cases[i].policy};
        ssop_window window;
        CHECK(ssop_dynamic_slice_resolve(&spec, (ssop_shape){1, &dim}, &window, NULL) == SSOP_OK &&
                  window.part[0][0].start == cases[i].first,
              "ds_s1..ds_s4: example %d", i);
    }
}

static void
check_rejected(const char *name, const operation *op, const ssop_window_spec *spec, ssop_rule rule, int32_t axis,
               int64_t value, int64_t low, int64_t high)
{
    const int64_t dims[2] = {3, 4};
    ssop_window window;
    ssop_error error;
    mark(&window, sizeof(window));
    ssop_status status = op->resolve(spec, (ssop_shape){2, dims}, &window, &error);
    CHECK(status == ssop_rule_status(rule) && is_error(&error, rule, axis, axis, value, low, high), "%s: %s", name,
          ssop_rule_label(error.rule));
    CHECK(is_marked(&window, sizeof(window)), "%s: window written on failure", ssop_rule_label(rule));
}

/* What the window has of the axis: what is below it and what lies ahead in it are counted apart, without signs. */
static void
check_filled(int64_t dim, int64_t size, ssop_start start, bool add_dim)
{
    const window_case c = {dim, size, start, add_dim, SSOP_FILL};
    ssop_window_spec spec = {1, 1, &start, &size, &add_dim, -1, SSOP_FILL};
    ssop_window window;
    const uint64_t length = (uint64_t)dim, asked = (uint64_t)size;
    uint64_t below = !start.huge && start.value < 0 ? 0 - (uint64_t)start.value : 0;
    uint64_t first = below > 0 ? 0 : (uint64_t)start.value;
    if (add_dim && below > 0) {
        first = length > below ? length - below : 0;
        below = below > length ? below - length : 0;
    }
    const uint64_t ahead = first < length ? length - first : 0, inside = asked > below ? asked - below : 0;
    const int64_t count = (int64_t)(ahead < inside ? ahead : inside);
    CHECK(ssop_dynamic_slice_resolve(&spec, (ssop_shape){1, &dim}, &window, NULL) == SSOP_OK, "ds_s5: " CASE,
          CASE_VALUES(&c));
    const ssop_range kept = window.part[0][0], right = {count > 0 ? (int64_t)first : 0, count, 1};
    CHECK(kept.start == right.start && kept.count == right.count && kept.step == 1 && window.part[0][1].count == 0,
          "ds_s5: %lld from %lld: " CASE, LL(kept.count), LL(kept.start), CASE_VALUES(&c));
    CHECK(window.size[0] == size && window.before[0] == (count > 0 ? (int64_t)below : 0), "ds_s5: %lld before: " CASE,
          LL(window.before[0]), CASE_VALUES(&c));
    CHECK(ssop_window_is_filled(&window) == (right.count < size), "ds_s5: filled: " CASE, CASE_VALUES(&c));
    const uint8_t choice[SSOP_MAX_RANK] = {0};
    ssop_region of_operand, of_window;
    ssop_window_piece(&window, choice, &of_operand, &of_window);
    CHECK(of_window.range[0].count == right.count && of_window.range[0].start == window.before[0] &&
              of_operand.range[0].start == right.start,
          "ds_s5: piece: " CASE, CASE_VALUES(&c));
}

/* ds_s5: the window stays where it is, also one larger than the axis. */
static void
test_filled(void)
{
    const int64_t numbers[] = {0,  1,  2,  3,  5,  7,  8,  INT32_MAX, INT64_MAX - 1, INT64_MAX,
                               -1, -2, -3, -5, -7, -8, -9, INT64_MIN, INT64_MIN + 1, -INT64_MAX + 8};
    for (int d = 0; d < 10; d++) { /* the first ten are not negative */
        for (int s = 0; s < 10; s++) {
            for (int i = 0; i < COUNT(numbers) * 2; i++) {
                check_filled(numbers[d], numbers[s], (ssop_start){numbers[i / 2], false}, i % 2 != 0);
            }
            for (int i = 0; i < COUNT(huge_starts); i++) {
                check_filled(numbers[d], numbers[s], (ssop_start){(int64_t)huge_starts[i], true}, true);
            }
        }
    }
    const ssop_start starts[2] = {{0, false}, {0, false}};
    const int64_t negative[2] = {9, -1}, dims[2] = {3, 4}, wide[3][2] = {{4, 4}, {3, 5}, {3, 4}};
    const bool add = false;
    for (int i = 0; i < 3; i++) {
        ssop_window_spec one = {2, 2, starts, wide[i], &add, -1, SSOP_FILL};
        ssop_window window;
        CHECK(ssop_dynamic_slice_resolve(&one, (ssop_shape){2, dims}, &window, NULL) == SSOP_OK &&
                  ssop_window_is_filled(&window) == (i < 2),
              "ds_s5: one axis of two is filled, %d", i);
    }
    ssop_window_spec spec = {2, 2, starts, negative, &add, -1, SSOP_FILL};
    check_rejected("filled, negative size", &operations[0], &spec, SSOP_DS_C3, 1, -1, 0, INT64_MAX);
}

/* ds_c1, ds_c2, ds_c7, then axis by axis; the same for updates. */
static void
test_rejections(void)
{
    const ssop_start starts[3] = {{0, false}, {3, false}, {0, false}};
    const int64_t sizes[2] = {1, 2}, large[2] = {1, 5}, negative[2] = {1, -1};
    const bool add[2] = {true, false};
    for (int i = 0; i < 2; i++) {
        const operation *op = &operations[i];
        ssop_window_spec short_starts = {1, 1, starts, sizes, add, 1, SSOP_RAISE};
        check_rejected("few starts", op, &short_starts, op->start_count, -1, 1, 2, 2);
        ssop_window_spec long_starts = {3, 1, starts, sizes, add, -1, SSOP_CLAMP};
        check_rejected("many starts", op, &long_starts, op->start_count, -1, 3, 2, 2);
        ssop_window_spec short_sizes = {2, 1, starts, sizes, add, 1, SSOP_CLAMP};
        check_rejected("few sizes", op, &short_sizes, op->size_count, -1, 1, 2, 2);
        ssop_window_spec short_add = {2, 2, starts, negative, add, 1, SSOP_CLAMP};
        check_rejected("few bools", op, &short_add, SSOP_DS_C7, -1, 1, 2, 2);
        ssop_window_spec no_add = {2, 2, starts, sizes, add, 0, SSOP_CLAMP};
        check_rejected("no bools", op, &no_add, SSOP_DS_C7, -1, 0, 2, 2);
        ssop_window_spec negative_size = {2, 2, starts, negative, add, -1, SSOP_CLAMP};
        check_rejected("negative size", op, &negative_size, op->negative, 1, -1, 0, 4);
        ssop_window_spec large_size = {2, 2, starts, large, add, 2, SSOP_RAISE};
        check_rejected("large size", op, &large_size, op->too_large, 1, 5, 0, 4);
        ssop_window_spec outside = {2, 2, starts, sizes, add, 2, SSOP_RAISE};
        check_rejected("outside", op, &outside, op->outside, 1, 3, 0, 2);
    }
}

/* ds_s3: one bool for each axis, or one for all. */
static void
test_add_dim_of_several_axes(void)
{
    const int64_t dims[3] = {5, 6, 7}, sizes[3] = {1, 1, 1};
    const ssop_start starts[3] = {{-1, false}, {-2, false}, {-3, false}};
    const bool add[3] = {true, false, true};
    const int64_t each[3] = {4, 0, 4}, all[3] = {4, 4, 4};
    ssop_window_spec per_axis = {3, 3, starts, sizes, add, 3, SSOP_CLAMP},
                     one = {3, 3, starts, sizes, add, -1, SSOP_CLAMP};
    ssop_window by_axis, by_one;
    CHECK(ssop_dynamic_slice_resolve(&per_axis, (ssop_shape){3, dims}, &by_axis, NULL) == SSOP_OK &&
              ssop_dynamic_slice_resolve(&one, (ssop_shape){3, dims}, &by_one, NULL) == SSOP_OK,
          "ds_s3: several axes");
    for (int axis = 0; axis < 3; axis++) {
        CHECK(by_axis.part[axis][0].start == each[axis], "ds_s3: one bool for each, axis %d", axis);
        CHECK(by_one.part[axis][0].start == all[axis], "ds_s3: one bool for all, axis %d", axis);
    }
}

enum { PIECE_AXES = 3, MAX_ITEMS = 5 * 5 * 5 };

/* Every element of a piece lands at its own place of the window, and comes from the right one of the operand. */
static void
visit_piece(const int64_t *dims, const int64_t *sizes, const int64_t *first, const ssop_region *operand,
            const ssop_region *window, int *visits)
{
    int64_t items = 1;
    for (int axis = 0; axis < PIECE_AXES; axis++) {
        ssop_range from = operand->range[axis], to = window->range[axis];
        CHECK(from.count == to.count && from.step == 1 && to.step == 1 && operand->out_axis[axis] == axis &&
                  window->out_axis[axis] == axis,
              "piece, axis %d", axis);
        CHECK(from.start >= 0 && from.start <= dims[axis] - from.count && to.start >= 0 &&
                  to.start <= sizes[axis] - to.count,
              "piece outside, axis %d", axis);
        CHECK(from.count == sizes[axis] || (sizes[0] > 0 && sizes[1] > 0 && sizes[2] > 0),
              "piece of a window of nothing, axis %d", axis);
        items *= from.count;
    }
    CHECK(operand->in_rank == PIECE_AXES && operand->out_rank == PIECE_AXES && window->in_rank == PIECE_AXES &&
              window->out_rank == PIECE_AXES,
          "piece, ranks");
    for (int64_t item = 0; item < items; item++) {
        int64_t rest = item, place = 0;
        bool right = true;
        for (int axis = 0; axis < PIECE_AXES; axis++) {
            int64_t i = rest % operand->range[axis].count, to = window->range[axis].start + i;
            rest /= operand->range[axis].count;
            right = right && operand->range[axis].start + i == (first[axis] + to) % dims[axis];
            place = place * sizes[axis] + to;
        }
        right = right && place >= 0 && place < MAX_ITEMS;
        CHECK(right, "ds_s2: element %lld of a piece", LL(item));
        visits[right ? place : 0]++;
    }
}

static void
check_pieces(const int64_t *dims, const int64_t *sizes, const int64_t *first)
{
    const bool add = false;
    ssop_start start[PIECE_AXES];
    int64_t items = 1;
    int pieces = 0, right_pieces = 1, visits[MAX_ITEMS] = {0};
    for (int axis = 0; axis < PIECE_AXES; axis++) {
        start[axis] = (ssop_start){first[axis] - dims[axis], false};
        items *= sizes[axis];
        right_pieces *= sizes[axis] > 0 && first[axis] + sizes[axis] > dims[axis] ? 2 : 1;
    }
    right_pieces = items > 0 ? right_pieces : 1; /* a window of nothing is one piece, however many axes wrap */
    ssop_window_spec spec = {PIECE_AXES, PIECE_AXES, start, sizes, &add, -1, SSOP_WRAP};
    ssop_window window; /* what stands past its rank must not be read */
    memset(&window, 1, sizeof(window));
    CHECK(ssop_dynamic_slice_resolve(&spec, (ssop_shape){PIECE_AXES, dims}, &window, NULL) == SSOP_OK, "pieces");
    uint8_t choice[SSOP_MAX_RANK] = {0};
    ssop_region of_operand, of_window;
    do {
        ssop_window_piece(&window, choice, &of_operand, &of_window);
        visit_piece(dims, sizes, first, &of_operand, &of_window, visits);
        pieces++;
    } while (ssop_window_next(&window, choice));
    CHECK(pieces == right_pieces, "%d pieces, not %d", pieces, right_pieces);
    bool once = true;
    for (int64_t i = 0; i < items; i++) {
        once = once && visits[i] == 1;
    }
    CHECK(once, "pieces cover the window of (%lld, %lld, %lld) not once", LL(sizes[0]), LL(sizes[1]), LL(sizes[2]));
}

/* Every window of an operand of (4, 5, 2). */
/* Nothing beyond the last axis of the highest rank is read or written. */
static void
test_highest_rank(void)
{
    const ssop_out_of_bounds every[] = {SSOP_CLAMP, SSOP_WRAP, SSOP_RAISE, SSOP_FILL};
    for (int k = 0; k < 2 * COUNT(every); k++) {
        const bool empty = k >= COUNT(every), wraps = every[k % COUNT(every)] == SSOP_WRAP, add = false;
        int64_t dims[SSOP_MAX_RANK + 1], sizes[SSOP_MAX_RANK + 1];
        ssop_start starts[SSOP_MAX_RANK + 1];
        for (int axis = 0; axis <= SSOP_MAX_RANK; axis++) {
            dims[axis] = 3;
            sizes[axis] = empty && axis == SSOP_MAX_RANK - 1 ? 0 : 2;
            starts[axis] = (ssop_start){wraps ? 2 : 1, false};
        }
        ssop_window_spec spec = {
            SSOP_MAX_RANK, SSOP_MAX_RANK, starts, sizes, &add, -1, every[k % COUNT(every)],
        };
        ssop_window window;
        ssop_status status = ssop_dynamic_slice_resolve(&spec, (ssop_shape){SSOP_MAX_RANK, dims}, &window, NULL);
        CHECK(status == SSOP_OK, "rank 64, case %d", k);
        const uint8_t choice[SSOP_MAX_RANK] = {0};
        ssop_region of_operand, of_window;
        ssop_window_piece(&window, choice, &of_operand, &of_window);
        ssop_range right = wraps ? (empty ? (ssop_range){0, 2, 1} : (ssop_range){2, 1, 1}) : (ssop_range){1, 2, 1};
        for (int axis = 0; axis < SSOP_MAX_RANK; axis++) {
            CHECK(window.size[axis] == sizes[axis] && window.before[axis] == 0, "rank 64, case %d axis %d", k, axis);
            CHECK(sizes[axis] == 0 ||
                      (window.part[axis][0].start == right.start && window.part[axis][0].count == right.count),
                  "rank 64, case %d axis %d: starts at %lld", k, axis, LL(window.part[axis][0].start));
            CHECK(of_operand.out_axis[axis] == axis && of_window.out_axis[axis] == axis, "rank 64, case %d axis %d", k,
                  axis);
        }
    }
}

static void
test_pieces(void)
{
    const int64_t dims[PIECE_AXES] = {4, 5, 2};
    for (int64_t i = 0; i < 4 * 5 * 5 * 6 * 2 * 3; i++) {
        const int64_t first[PIECE_AXES] = {i % 4, i / 4 % 5, i / 20 % 2};
        const int64_t sizes[PIECE_AXES] = {i / 40 % 5, i / 200 % 6, i / 1200 % 3};
        check_pieces(dims, sizes, first);
    }
    ssop_window scalar = {.rank = 0};
    uint8_t choice[SSOP_MAX_RANK] = {0};
    CHECK(!ssop_window_next(&scalar, choice), "a scalar is one piece");
}

int
main(void)
{
    test_every_small_axis();
    test_huge_axes();
    test_examples();
    test_rejections();
    test_filled();
    test_add_dim_of_several_axes();
    test_pieces();
    test_highest_rank();
    return check_report("test_dynamic_slice");
}
