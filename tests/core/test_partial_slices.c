/* What could go wrong: partial knowledge gives a count that no completion has, or misses one that some completion has
 * (ss_s10). */
#include "partial_hull.h"

enum { MAX_DIM = 11, MAX_BOUND = 4, MAX_STEP = 3, FLAG_SETS = 8, REJECTED = -1 };

static const ssop_dialect other_dialect = {
    .rules = &walk_rules,
    .max_entries = 31,
    .shrink_reads_begin_mask = true,
    .shrink_ignores_step = true,
    .shrink_clamps_below = true,
    .reverse_clamps_begin_first = true,
};

/* Two ends of this one stand for the end of the axis (ort_s1). */
static const ssop_dialect open_dialect = {.rules = &walk_rules, .max_entries = 31, .max_end_is_open = true};

/* The count of every completion of one entry on one axis, or REJECTED and the rule. */
static struct {
    int8_t count[MAX_DIM + 1][2 * MAX_BOUND + 1][2 * MAX_BOUND + 1][2 * MAX_STEP + 1];
    uint8_t broken[MAX_DIM + 1][2 * MAX_BOUND + 1][2 * MAX_BOUND + 1][2 * MAX_STEP + 1];
} known;

static unsigned records_written_on_success;

static uint8_t
flags_of(int set)
{
    return (uint8_t)((set & 3) + (set >> 2) * SSOP_SHRINK);
}

static void
learn_completions(uint8_t flags, const ssop_dialect *dialect)
{
    for (int d = 0; d <= MAX_DIM; d++) {
        for (int b = 0; b <= 2 * MAX_BOUND; b++) {
            for (int e = 0; e <= 2 * MAX_BOUND; e++) {
                for (int s = 0; s <= 2 * MAX_STEP; s++) {
                    walk_entry entry = {b - MAX_BOUND, e - MAX_BOUND, s - MAX_STEP, flags};
                    walked taken = walk_axis(d, &entry, dialect);
                    known.count[d][b][e][s] = (int8_t)(taken.broken != SSOP_NO_RULE ? REJECTED : taken.count);
                    known.broken[d][b][e][s] = (uint8_t)taken.broken;
                }
            }
        }
    }
}

typedef struct {
    count_hull of;
    unsigned broken; /* bit k: some completion breaks rule SSOP_SS_C5 + k */
    bool whole;      /* every valid completion has the whole axis */
} plain_hull;

static plain_hull
hull_of_completions(const partial_entry *partial)
{
    plain_hull hull = {.whole = true};
    for (int64_t d = partial->dim.lo; d <= partial->dim.hi; d++) {
        for (int64_t b = partial->begin.lo + MAX_BOUND; b <= partial->begin.hi + MAX_BOUND; b++) {
            for (int64_t e = partial->end.lo + MAX_BOUND; e <= partial->end.hi + MAX_BOUND; e++) {
                for (int64_t s = partial->step.lo + MAX_STEP; s <= partial->step.hi + MAX_STEP; s++) {
                    int count = known.count[d][b][e][s];
                    if (count == REJECTED) {
                        hull.broken |= 1u << (known.broken[d][b][e][s] - SSOP_SS_C5);
                        continue;
                    }
                    extend(&hull.of, count);
                    hull.whole = hull.whole && count == d;
                }
            }
        }
    }
    return hull;
}

#define FLAGGED CASE " flags %d"
#define FLAGGED_VALUES(p, flags) CASE_VALUES(p), (flags)

static ssop_status
resolve_one(const partial_entry *partial, uint8_t flags, const ssop_dialect *dialect, ssop_partial_shape *out,
            ssop_error *error)
{
    ssop_partial_spec spec;
    spec.count = 1;
    spec.flags[0] = flags;
    spec.begin[0] = partial->begin;
    spec.end[0] = partial->end;
    spec.step[0] = partial->step;
    ssop_inference inference = {.last_id = 1, .tight = true};
    ssop_partial_shape shape;
    shape.rank = 1;
    shape.dim[0] = (ssop_dim){partial->dim, partial->dim.lo < partial->dim.hi ? 1 : 0};
    return ssop_strided_slice_infer(&inference, &spec, &shape, dialect, out, error);
}

static void
check_hull(const partial_entry *partial, uint8_t flags, const ssop_dialect *dialect, const plain_hull *right)
{
    ssop_partial_shape out = {.rank = 77};
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = resolve_one(partial, flags, dialect, &out, &error);
    CHECK((status == SSOP_OK) == right->of.legal, "ss_s10: %s: " FLAGGED,
          right->of.legal ? ssop_rule_label(error.rule) : "legal", FLAGGED_VALUES(partial, flags));
    if (!right->of.legal) {
        bool explained = error.rule >= SSOP_SS_C5 && error.rule <= SSOP_SS_C7 &&
                         (right->broken >> (error.rule - SSOP_SS_C5) & 1) != 0;
        CHECK(explained && status == ssop_rule_status(error.rule) && error.axis == 0 && error.entry == 0,
              "ss_s10: rejected for %s: " FLAGGED, ssop_rule_label(error.rule), FLAGGED_VALUES(partial, flags));
        CHECK(out.rank == 77, "written on failure: " FLAGGED, FLAGGED_VALUES(partial, flags));
        return;
    }
    records_written_on_success += error.rule != SSOP_NO_RULE ? 1 : 0;
    if (flags & SSOP_SHRINK) {
        CHECK(out.rank == 0, "ss_s7: rank %d: " FLAGGED, (int)out.rank, FLAGGED_VALUES(partial, flags));
        return;
    }
    ssop_interval counts = out.dim[0].value;
    CHECK(out.rank == 1 && counts.lo == right->of.counts.lo && counts.hi == right->of.counts.hi,
          "ss_s10: %lld..%lld, not %lld..%lld: " FLAGGED, LL(counts.lo), LL(counts.hi), LL(right->of.counts.lo),
          LL(right->of.counts.hi), FLAGGED_VALUES(partial, flags));
    CHECK(out.dim[0].id != 1 || right->whole, "sh_s20: identity kept: " FLAGGED, FLAGGED_VALUES(partial, flags));
    CHECK((out.dim[0].id == 0) == (counts.lo == counts.hi), "sh_s1: id of a known dim: " FLAGGED,
          FLAGGED_VALUES(partial, flags));
}

/* Every interval of dims 0..4, bounds -3..3 and steps -2..2. Bounds that a mask hides are not varied. */
static void
test_every_small_interval(uint8_t flags, const ssop_dialect *dialect)
{
    ssop_interval dim[15], bound[28], step[15];
    int dims = intervals_within(0, 4, dim), bounds = intervals_within(-3, 3, bound),
        steps = intervals_within(-2, 2, step);
    bool shrunk = (flags & SSOP_SHRINK) != 0;
    int begins = !shrunk && (flags & SSOP_BEGIN_MASK) ? 1 : bounds;
    int ends = shrunk || (flags & SSOP_END_MASK) ? 1 : bounds;
    for (int d = 0; d < dims; d++) {
        for (int b = 0; b < begins; b++) {
            for (int e = 0; e < ends; e++) {
                for (int s = 0; s < steps; s++) {
                    if (!is_chosen()) {
                        continue;
                    }
                    partial_entry partial = {dim[d], bound[b], bound[e], step[s]};
                    plain_hull right = hull_of_completions(&partial);
                    check_hull(&partial, flags, dialect, &right);
                }
            }
        }
    }
}

/* Every interval of dims for each begin, end and step, so that every breakpoint of the count lies within some. */
static void
test_every_interval_of_dims(uint8_t flags, const ssop_dialect *dialect)
{
    ssop_interval dim[78];
    int dims = intervals_within(0, MAX_DIM, dim);
    for (int d = 0; d < dims; d++) {
        for (int64_t b = -MAX_BOUND; b <= MAX_BOUND; b++) {
            for (int64_t e = -MAX_BOUND; e <= MAX_BOUND; e++) {
                for (int64_t s = -MAX_STEP; s <= MAX_STEP; s++) {
                    if (!is_chosen()) {
                        continue;
                    }
                    partial_entry partial = {dim[d], {b, b}, {e, e}, {s, s}};
                    plain_hull right = hull_of_completions(&partial);
                    check_hull(&partial, flags, dialect, &right);
                }
            }
        }
    }
}

static ssop_interval
random_interval(int64_t center, int64_t low, int64_t high)
{
    int64_t lo = random_between(-3, 0), hi = random_between(0, 3);
    lo = center < low - lo ? low : center + lo;
    hi = center > high - hi ? high : center + hi;
    return (ssop_interval){lo, hi};
}

/* The hull by the exact resolver, for intervals of a few numbers anywhere in int64. */
static plain_hull
hull_by_resolver(const partial_entry *partial, uint8_t flags, const ssop_dialect *dialect)
{
    plain_hull hull = {.whole = true};
    int64_t dims = partial->dim.hi - partial->dim.lo + 1, begins = partial->begin.hi - partial->begin.lo + 1;
    int64_t ends = partial->end.hi - partial->end.lo + 1, steps = partial->step.hi - partial->step.lo + 1;
    for (int64_t i = 0; i < dims * begins * ends * steps; i++) {
        int64_t dim = partial->dim.lo + i % dims;
        ssop_spec spec = {.count = 1, .flags = {flags}};
        spec.begin[0] = partial->begin.lo + i / dims % begins;
        spec.end[0] = partial->end.lo + i / dims / begins % ends;
        spec.step[0] = partial->step.lo + i / dims / begins / ends;
        ssop_region region;
        ssop_error error = {.rule = SSOP_NO_RULE};
        if (ssop_strided_slice_resolve(&spec, (ssop_shape){1, &dim}, dialect, &region, NULL, &error) != SSOP_OK) {
            hull.broken |= 1u << (error.rule - SSOP_SS_C5);
            continue;
        }
        int64_t count = region.range[0].count;
        extend(&hull.of, count);
        hull.whole = hull.whole && count == dim;
    }
    return hull;
}

static void
test_random_intervals(int rounds)
{
    const int64_t dims[] = {0, 1, 5, 9, 1000, INT32_MAX, INT64_MAX - 2, INT64_MAX};
    const ssop_dialect *dialects[] = {&ssop_dialect_tensorflow, &other_dialect, &open_dialect};
    for (int i = 0; i < rounds; i++) {
        if (!is_chosen()) {
            continue;
        }
        int64_t dim = dims[random_between(0, COUNT(dims) - 1)];
        const int64_t bounds[] = {0, -1, 3, dim, -dim, dim / 2, -dim / 2, INT64_MIN, INT64_MAX, INT32_MIN, INT32_MAX};
        const int64_t steps[] = {0, 1, -1, 3, -3, dim / 2, -dim / 2, INT64_MIN, INT64_MAX};
        int64_t begin = bounds[random_between(0, COUNT(bounds) - 1)],
                end = bounds[random_between(0, COUNT(bounds) - 1)];
        int64_t step = steps[random_between(0, COUNT(steps) - 1)];
        uint8_t flags = flags_of((int)random_between(0, FLAG_SETS - 1));
        partial_entry partial = {
            random_interval(dim, 0, INT64_MAX),
            random_interval(begin, INT64_MIN, INT64_MAX),
            random_interval(end, INT64_MIN, INT64_MAX),
            random_interval(step, INT64_MIN, INT64_MAX),
        };
        const ssop_dialect *dialect = dialects[i % COUNT(dialects)];
        plain_hull right = hull_by_resolver(&partial, flags, dialect);
        check_hull(&partial, flags, dialect, &right);
    }
}

/* Intervals with each of the two ends that stand for the end of the axis, and the numbers next to it. */
static void
test_open_ends(void)
{
    const int64_t dims[] = {5, INT32_MAX, INT32_MAX + INT64_C(5), INT64_MAX}, begins[] = {0, 3, -1, INT64_MAX};
    const int64_t steps[] = {1, 2, -1, -2}, open[] = {INT32_MAX, INT64_MAX - 3};
    ssop_interval near[28];
    const int ends = intervals_within(-3, 3, near);
    for (int i = 0; i < COUNT(dims) * COUNT(begins) * COUNT(steps) * COUNT(open) * ends; i++) {
        const int64_t dim = dims[i % 4], begin = begins[i / 4 % 4], step = steps[i / 16 % 4], end = open[i / 64 % 2];
        const ssop_interval by = near[i / 128];
        partial_entry partial = {{dim, dim}, {begin, begin}, {end + by.lo, end + by.hi}, {step, step}};
        plain_hull right = hull_by_resolver(&partial, 0, &open_dialect);
        check_hull(&partial, 0, &open_dialect, &right);
    }
}

#define ANY_DIM ((ssop_interval){0, INT64_MAX})
#define ANY ((ssop_interval){INT64_MIN, INT64_MAX})
#define ONLY(x) ((ssop_interval){(x), (x)})

static void
check_example(const char *what, partial_entry partial, uint8_t flags, int64_t lo, int64_t hi)
{
    plain_hull right = {{true, {lo, hi}}, 0, true};
    ssop_partial_shape out;
    CHECK(resolve_one(&partial, flags, &ssop_dialect_tensorflow, &out, NULL) == SSOP_OK, "ss_s10: %s", what);
    check_hull(&partial, flags, &ssop_dialect_tensorflow, &right);
}

static void
test_examples(void)
{
    const uint8_t both = SSOP_BEGIN_MASK | SSOP_END_MASK;
    check_example("x[-3:2]", (partial_entry){{0, 5}, ONLY(-3), ONLY(2), ONLY(1)}, 0, 0, 2);
    check_example("x[-3:2], dim unknown", (partial_entry){ANY_DIM, ONLY(-3), ONLY(2), ONLY(1)}, 0, 0, 2);
    check_example("x[-3:2], dim 4 or 5", (partial_entry){{4, 5}, ONLY(-3), ONLY(2), ONLY(1)}, 0, 0, 1);
    check_example("x[1:]", (partial_entry){ANY_DIM, ONLY(1), ONLY(0), ONLY(1)}, SSOP_END_MASK, 0, INT64_MAX - 1);
    check_example("x[::-1]", (partial_entry){{3, 7}, ONLY(0), ONLY(0), ONLY(-1)}, both, 3, 7);
    check_example("x[::2]", (partial_entry){{3, 8}, ONLY(0), ONLY(0), ONLY(2)}, both, 2, 4);
    check_example("x[b:e:s]", (partial_entry){ANY_DIM, ANY, ANY, ANY}, 0, 0, INT64_MAX);
    check_example("x[b:e:s], dim 7", (partial_entry){ONLY(7), ANY, ANY, ANY}, 0, 0, 7);
    check_example("x[b:e:s], dim 7, step over 1", (partial_entry){ONLY(7), ANY, ANY, {2, INT64_MAX}}, 0, 0, 4);
    check_example("x[b], dim unknown", (partial_entry){ANY_DIM, ANY, ANY, ONLY(1)}, SSOP_SHRINK, 1, 1);
}

/* A bound that a mask hides is as good as known: the dim of a whole axis stays the same dim (sh_s20). */
static void
test_hidden_bounds(void)
{
    const uint8_t masks = SSOP_BEGIN_MASK | SSOP_END_MASK;
    const ssop_interval from_0 = ONLY(0);
    for (uint8_t flags = 0; flags <= masks; flags++) {
        bool begin_hidden = (flags & SSOP_BEGIN_MASK) != 0, end_hidden = (flags & SSOP_END_MASK) != 0;
        partial_entry partial = {{0, 5}, begin_hidden ? ANY : from_0, end_hidden ? ANY : ONLY(9), ONLY(1)};
        ssop_partial_shape out;
        CHECK(resolve_one(&partial, flags, &ssop_dialect_tensorflow, &out, NULL) == SSOP_OK && out.rank == 1 &&
                  out.dim[0].id == 1,
              "sh_s20: flags %d", flags);
        partial.step = (ssop_interval){1, 2};
        CHECK(resolve_one(&partial, flags, &ssop_dialect_tensorflow, &out, NULL) == SSOP_OK && out.dim[0].id != 1,
              "sh_s20: unknown step, flags %d", flags);
    }
}

/* Layout and errors are those of the exact resolver: x[..., None, i, a:b] of an unknown shape. */
static void
test_several_axes(void)
{
    ssop_inference inference = {.last_id = 9, .tight = true};
    const ssop_partial_shape shape = {8, 4, {{{2, 3}, 1}, {ANY_DIM, 2}, {{5, 9}, 3}, {ONLY(4), 0}}};
    const ssop_partial_shape first_axis = {9, 1, {{{2, 3}, 1}}};
    ssop_partial_spec spec = {.count = 4, .flags = {SSOP_ELLIPSIS, SSOP_AXIS_NEW, SSOP_SHRINK, 0}};
    for (int i = 0; i < 4; i++) {
        spec.begin[i] = (ssop_interval){-2, 6};
        spec.end[i] = ONLY(3);
        spec.step[i] = ONLY(1);
    }
    const ssop_dim right[4] = {{{2, 3}, 1}, {ANY_DIM, 2}, {ONLY(1), 0}, {{0, 3}, 10}};
    const ssop_dialect *dialect = &ssop_dialect_tensorflow;
    ssop_partial_shape out;
    ssop_error error;
    CHECK(ssop_strided_slice_infer(&inference, &spec, &shape, dialect, &out, NULL) == SSOP_OK && out.rank == 4 &&
              out.id > 9,
          "ss_s10: several axes");
    for (int axis = 0; axis < 4; axis++) {
        CHECK(out.dim[axis].value.lo == right[axis].value.lo && out.dim[axis].value.hi == right[axis].value.hi,
              "ss_s10: axis %d", axis);
        CHECK((axis < 2) == (out.dim[axis].id == shape.dim[axis].id), "sh_s20: identity of axis %d", axis);
    }
    spec.begin[2] = (ssop_interval){9, 11};
    CHECK(ssop_strided_slice_infer(&inference, &spec, &shape, dialect, &out, &error) == SSOP_INDEX_ERROR &&
              error.rule == SSOP_SS_C7 && error.axis == 2 && error.entry == 2,
          "ss_c7: no completion");
    CHECK(ssop_strided_slice_infer(&inference, &spec, &shape, dialect, &out, NULL) == SSOP_INDEX_ERROR,
          "ss_c7: no completion, no record");
    CHECK(ssop_strided_slice_infer(&inference, &spec, &first_axis, dialect, &out, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_SS_C4, 1, 3, 0, 0, 0),
          "ss_c4: of partial shapes");
}

/* Which rank decides if the rank is unknown: the spec may fit one of them alone. */
static void
test_unknown_rank(void)
{
    static const ssop_dialect longest = {.rules = &walk_rules, .max_entries = SSOP_MAX_ENTRIES};
    ssop_inference inference = {.last_id = 9, .tight = true};
    const ssop_partial_shape unknown = {9, SSOP_UNKNOWN_RANK, {{{0, 0}, 0}}};
    ssop_partial_spec spec = {.count = SSOP_MAX_RANK};
    for (int i = 0; i < SSOP_MAX_RANK; i++) {
        spec.flags[i] = i == 5 ? SSOP_AXIS_NEW : 0;
        spec.begin[i] = spec.step[i] = ONLY(1);
        spec.end[i] = ONLY(2);
    }
    ssop_partial_shape out;
    ssop_error error;
    CHECK(ssop_strided_slice_infer(&inference, &spec, &unknown, &longest, &out, NULL) == SSOP_OK && out.id > 9 &&
              out.rank == SSOP_UNKNOWN_RANK,
          "ss_c8: 63 axes and a new one");
    spec.count = 2;
    spec.flags[0] = SSOP_ELLIPSIS;
    spec.step[1] = ONLY(0);
    out.rank = 77;
    CHECK(ssop_strided_slice_infer(&inference, &spec, &unknown, &longest, &out, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_SS_C5, 1, 1, 0, 0, 0) && out.rank == 77,
          "ss_c5: an unknown rank has as many axes as entries");
}

/* Offsets take no new axes, no ellipsis and no axis without an entry, as in known shapes. */
static void
test_layout_of_offsets(void)
{
    const uint8_t flags[] = {SSOP_ELLIPSIS, SSOP_AXIS_NEW, 0, 0}; /* of the only entry; the last spec has none */
    for (int i = 0; i < COUNT(flags); i++) {
        ssop_inference inference = {.last_id = 9, .tight = true};
        const ssop_partial_shape shape = {9, 2, {{{0, 5}, 1}, {{0, 5}, 2}}};
        const int32_t count = i < 3 ? 1 : 0;
        ssop_partial_spec partial = {.count = count, .flags = {flags[i]}};
        ssop_spec spec = {.count = count, .flags = {flags[i]}};
        spec.step[0] = 1;
        partial.begin[0] = partial.end[0] = ONLY(0);
        partial.step[0] = ONLY(1);
        ssop_region region;
        ssop_partial_shape out;
        ssop_error right, error;
        const int64_t dims[2] = {5, 5};
        CHECK(ssop_strided_slice_resolve(&spec, (ssop_shape){2, dims}, &ssop_dialect_tflite_offset, &region, NULL,
                                         &right) != SSOP_OK &&
                  ssop_strided_slice_infer(&inference, &partial, &shape, &ssop_dialect_tflite_offset, &out, &error) !=
                      SSOP_OK &&
                  error.rule == right.rule && error.axis == right.axis && error.entry == right.entry,
              "tfl_c9: flags %d of an offset", flags[i]);
        CHECK(i < 2 || error.axis == (i == 2 ? 1 : 0), "tfl_c9: the first axis without an entry");
    }
}

/* ---- TensorFlow's own answers (sh_s21) --------------------------------------------------------------------------- */

/* The dim of x[begin:end:step] of one axis. It is -1 if the dim is unknown, -2 if the axis is dropped and -3 if the
 * rank is unknown. Lower numbers stand for the rule that is broken. */
static int64_t
tensorflow_says(ssop_interval dim, partial_entry entry, uint8_t flags)
{
    ssop_inference inference = {.last_id = 1};
    ssop_partial_shape shape = {1, 1, {{dim, 1}}};
    ssop_partial_spec spec = {.count = 1, .flags = {flags}};
    ssop_error error;
    spec.begin[0] = entry.begin;
    spec.end[0] = entry.end;
    spec.step[0] = entry.step;
    spec.begin[1] = spec.end[1] = spec.step[1] = ANY; /* past the last entry */
    if (ssop_strided_slice_infer(&inference, &spec, &shape, &ssop_dialect_tensorflow, &shape, &error) != SSOP_OK) {
        CHECK(error.rule != SSOP_SS_C6 || is_error(&error, SSOP_SS_C6, 0, 0, entry.step.lo, 1, INT64_MAX),
              "ss_c6: record");
        return -10 - (int64_t)error.rule;
    }
    if (shape.rank < 1) {
        return shape.rank == 0 ? -2 : -3;
    }
    ssop_dim out = shape.dim[0];
    CHECK(out.id != 1, "sh_s21: the identity of a dim is lost");
    CHECK(ssop_dim_is_known(out) || (out.value.lo == 0 && out.value.hi == INT64_MAX), "sh_s2: an interval");
    return ssop_dim_is_known(out) ? out.value.lo : -1;
}

static void
test_tensorflow_mode(void)
{
    const uint8_t both = SSOP_BEGIN_MASK | SSOP_END_MASK;
    const partial_entry from_1_to_3 = {.begin = ONLY(1), .end = ONLY(3), .step = ONLY(1)};
    const partial_entry from_any = {.begin = ANY, .end = ONLY(3), .step = ONLY(-1)};
    const partial_entry index_any = {.begin = ANY, .end = ANY, .step = ONLY(1)};
    const partial_entry step_0 = {.begin = ANY, .end = ANY, .step = ONLY(0)};
    const partial_entry far_apart = {.begin = ANY, .end = ANY, .step = ONLY(INT64_C(1) << 32)};
    const partial_entry step_any = {.begin = ONLY(1), .end = ONLY(3), .step = ANY};
    CHECK(tensorflow_says(ONLY(5), from_1_to_3, 0) == 2, "sh_s21: all known");
    CHECK(tensorflow_says(ANY_DIM, from_1_to_3, 0) == -1, "sh_s21: x[1:3] of an unknown dim");
    CHECK(tensorflow_says((ssop_interval){5, 6}, from_1_to_3, 0) == -1, "sh_s2: x[1:3] of an interval");
    CHECK(tensorflow_says(ONLY(5), from_any, 0) == -1, "sh_s21: unknown begin");
    CHECK(tensorflow_says(ONLY(5), from_any, both) == 5, "sh_s21: both masked, unknown begin");
    CHECK(tensorflow_says(ONLY(5), from_any, SSOP_BEGIN_MASK) == -1, "sh_s21: begin masked, unknown begin");
    CHECK(tensorflow_says(ONLY(5), from_any, SSOP_END_MASK) == -1, "sh_s21: end masked, unknown begin");
    CHECK(tensorflow_says(ONLY(5), far_apart, both) == 1, "sh_s21: a step past 32 bits");
    CHECK(tensorflow_says(ONLY(5), index_any, SSOP_SHRINK) == -2, "sh_s21: shrunk, unknown index");
    CHECK(tensorflow_says(ANY_DIM, from_1_to_3, both) == -1, "sh_s21: x[:] of an unknown dim");
    CHECK(tensorflow_says(ONLY(5), from_any, SSOP_SHRINK) == -10 - SSOP_SS_C6, "ss_c6: unknown index");
    CHECK(tensorflow_says(ANY_DIM, from_any, SSOP_SHRINK) == -2, "sh_s21: shrunk, nothing known");
    CHECK(tensorflow_says(ONLY(5), from_any, SSOP_SHRINK | both) == -10 - SSOP_SS_C6, "ss_c6: shrunk and masked");
    CHECK(tensorflow_says(ONLY(1), from_1_to_3, SSOP_SHRINK) == -10 - SSOP_SS_C7, "ss_c7: known dim");
    CHECK(tensorflow_says(ANY_DIM, from_1_to_3, SSOP_SHRINK) == -2, "ss_c7: unknown dim");
    CHECK(tensorflow_says(ANY_DIM, step_0, 0) == -10 - SSOP_SS_C5, "ss_c5: nothing known");
    CHECK(tensorflow_says(ONLY(5), step_any, 0) == -3, "sh_s21: unknown stride");
}

int
main(void)
{
    for (int set = 0; set < FLAG_SETS; set++) {
        const ssop_dialect *dialects[2] = {&ssop_dialect_tensorflow, &other_dialect};
        for (int i = 0; i < 2; i++) {
            learn_completions(flags_of(set), dialects[i]);
            test_every_small_interval(flags_of(set), dialects[i]);
            test_every_interval_of_dims(flags_of(set), dialects[i]);
        }
    }
    test_random_intervals(50000);
    test_open_ends();
    test_examples();
    test_hidden_bounds();
    test_several_axes();
    test_unknown_rank();
    test_layout_of_offsets();
    test_tensorflow_mode();
    CHECK(records_written_on_success == 0, "ss_s10: error record written by %u legal calls",
          records_written_on_success);
    return check_report("test_partial_slices");
}
