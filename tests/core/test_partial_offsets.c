/* What could go wrong: with an offset instead of an end, partial knowledge gives a count that no completion has, or
 * misses one that some completion has (tfl_s4, tfl_c9). */
#include "core/range.h"
#include "partial_hull.h"

enum { WIDE = 40, FAR_OFFSET = 1000000 };

static ssop_status
resolve_offset(const partial_entry *partial, uint8_t flags, ssop_partial_shape *out, ssop_error *error)
{
    ssop_inference inference = {.last_id = 1, .tight = true};
    ssop_partial_spec spec = {.count = 1, .flags = {flags}};
    spec.begin[0] = partial->begin;
    spec.end[0] = partial->end;
    spec.step[0] = partial->step;
    const ssop_partial_shape shape = {1, 1, {{partial->dim, 1}}};
    return ssop_strided_slice_infer(&inference, &spec, &shape, &ssop_dialect_tflite_offset, out, error);
}

/* With WIDE instead of an end that is not known: farther numbers have the effect of this one on dims of up to 4. */
static ssop_interval
completed(ssop_interval x)
{
    const bool one = x.lo == x.hi;
    return (ssop_interval){!one && x.lo == INT64_MIN ? -WIDE : x.lo, !one && x.hi == INT64_MAX ? WIDE : x.hi};
}

static void
check_offset(const partial_entry *partial, uint8_t flags)
{
    count_hull right = {.legal = false};
    unsigned broken = 0;
    const ssop_interval dim = completed(partial->dim), begin = completed(partial->begin), end = completed(partial->end),
                        step = completed(partial->step);
    int64_t dims = dim.hi - dim.lo + 1, begins = begin.hi - begin.lo + 1, ends = end.hi - end.lo + 1;
    for (int64_t i = 0; i < dims * begins * ends * (step.hi - step.lo + 1); i++) {
        const int64_t d = dim.lo + i % dims;
        const range_entry entry = {begin.lo + i / dims % begins, end.lo + i / dims / begins % ends,
                                   step.lo + i / dims / begins / ends, flags};
        ssop_range range;
        ssop_error error;
        if (ssop_range_resolve(d, &entry, &ssop_dialect_tflite_offset, &range, NULL, &error) == SSOP_OK) {
            extend(&right, range.count);
        }
        else {
            broken |= error.rule == SSOP_TFL_C5 ? 1 : error.rule == SSOP_TFL_C9 ? 2 : 4;
        }
    }
    ssop_partial_shape out;
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = resolve_offset(partial, flags, &out, &error);
    CHECK((status == SSOP_OK) == right.legal, "tfl_s4: " CASE, CASE_VALUES(partial));
    CHECK(right.legal || (broken & (error.rule == SSOP_TFL_C5   ? 1u
                                    : error.rule == SSOP_TFL_C9 ? 2u
                                                                : 0u)) != 0,
          "tfl_s4: %s: " CASE, ssop_rule_label(error.rule), CASE_VALUES(partial));
    const ssop_interval counts = out.dim[0].value;
    const bool exact = partial->dim.hi != INT64_MAX;
    CHECK(!right.legal || (exact ? counts.lo == right.counts.lo && right.counts.hi == counts.hi
                                 : counts.lo <= right.counts.lo && right.counts.hi <= counts.hi),
          "tfl_s4: %lld..%lld, not %lld..%lld: " CASE, LL(counts.lo), LL(counts.hi), LL(right.counts.lo),
          LL(right.counts.hi), CASE_VALUES(partial));
}

static void
test_offsets(void)
{
    ssop_interval dim[28];
    int dims = intervals_within(0, 6, dim);
    for (int i = 0; i < dims; i++) {
        for (int64_t k = 0; k < 13 * 13 * 5; k++) {
            if (!is_chosen()) {
                continue;
            }
            int64_t begin = k % 13 - 6, offset = k / 13 % 13 - 6, step = k / 169 - 2;
            partial_entry partial = {dim[i], ONLY(begin), ONLY(offset), ONLY(step)};
            for (uint8_t flags = 0; flags <= (SSOP_BEGIN_MASK | SSOP_END_MASK); flags++) {
                check_offset(&partial, flags);
            }
        }
    }
    for (int i = 0; i < dims; i++) { /* intervals of up to three numbers */
        for (int64_t k = 0; k < 7 * 7 * 5 * 27; k++) {
            if (!is_chosen()) {
                continue;
            }
            int64_t begin = k % 7 - 3, offset = k / 7 % 7 - 3, step = k / 49 % 5 - 2, widths = k / 245;
            partial_entry partial = {
                dim[i], {begin, begin + widths % 3}, {offset, offset + widths / 3 % 3}, {step, step + widths / 9 % 3}};
            for (uint8_t flags = 0; flags <= (SSOP_BEGIN_MASK | SSOP_END_MASK); flags++) {
                check_offset(&partial, flags);
            }
        }
    }
}

/* Ends of which nothing is known, on dims of up to 4, so that all can be tried; and dims of which nothing is known. */
static void
test_offsets_without_ends(int rounds)
{
    for (int i = 0; i < rounds; i++) {
        if (!is_chosen()) {
            continue;
        }
        ssop_interval x[3]; /* begin, offset, step */
        for (int k = 0; k < 3; k++) {
            const bool open_below = random_between(0, 5) == 0, open_above = random_between(0, 5) == 0;
            x[k].lo = random_between(-5, 5);
            x[k].hi = open_above ? INT64_MAX : x[k].lo + random_between(0, 2);
            x[k].lo = open_below ? INT64_MIN : x[k].lo;
        }
        partial_entry partial = {{0, random_between(0, 4)}, x[0], x[1], x[2]};
        partial.dim.lo = random_between(0, partial.dim.hi);
        check_offset(&partial, (uint8_t)random_between(0, SSOP_BEGIN_MASK | SSOP_END_MASK));
        for (int k = 0; k < 3; k++) {
            x[k].lo = random_between(-5, 5);
            x[k].hi = random_between(0, 1) == 0 ? x[k].lo : random_between(x[k].lo, 5);
        }
        partial = (partial_entry){{partial.dim.lo, INT64_MAX}, x[0], x[1], x[2]};
        check_offset(&partial, (uint8_t)random_between(0, SSOP_BEGIN_MASK | SSOP_END_MASK));
    }
    const partial_entry huge = {{2, 5}, ONLY(INT64_MAX), ONLY(INT64_MAX), ONLY(1)};
    check_offset(&huge, 0);
}

/* If all completions are tried, lo and hi are those of their counts, otherwise no more is known than of the axis. */
static void
check_counts(const partial_entry *partial, uint8_t flags, int64_t lo, int64_t hi)
{
    ssop_partial_shape out = {.rank = 0};
    const bool valid = resolve_offset(partial, flags, &out, NULL) == SSOP_OK;
    const ssop_interval counts = out.dim[0].value;
    CHECK(valid && counts.lo == lo && counts.hi == hi, "tfl_s4: %lld..%lld: " CASE, LL(counts.lo), LL(counts.hi),
          CASE_VALUES(partial));
}

static void
check_offset_counts(ssop_interval dim, ssop_interval begin, ssop_interval offset, ssop_interval step, int64_t lo,
                    int64_t hi)
{
    check_counts(&(partial_entry){dim, begin, offset, step}, 0, lo, hi);
}

/* Numbers of 256 and more, and more than 2^17 completions, are not tried. */
static void
test_far_offsets(void)
{
    const ssop_interval dim = {2, 5}, zero = ONLY(0), one = ONLY(1);
    const int64_t far[] = {256, 257, FAR_OFFSET, (int64_t)1 << 32, INT64_MAX - 1};
    for (int i = 0; i < COUNT(far); i++) {
        const ssop_interval above = {1, far[i]}, below = {-far[i], 1}, farther = {far[i], INT64_MAX};
        check_offset_counts((ssop_interval){2, far[i]}, zero, one, (ssop_interval){1, 2}, 0, far[i]);
        check_offset_counts(dim, above, one, one, 0, 5);
        check_offset_counts(dim, below, one, one, 0, 5);
        check_offset_counts(dim, zero, above, one, 0, 5);
        check_offset_counts(dim, zero, below, one, 0, 5);
        check_offset_counts(dim, zero, one, above, 0, 5);
        check_offset_counts(dim, zero, one, below, 0, 5);
        check_offset_counts(dim, zero, one, farther, 0, 5);
        check_offset_counts((ssop_interval){1, far[i]}, (ssop_interval){-2, -1}, (ssop_interval){5, 6}, one, 0, far[i]);
    }
    const ssop_interval near_above = {1, 255}, near_below = {-255, 1};
    check_offset_counts((ssop_interval){2, 255}, zero, one, (ssop_interval){1, 2}, 1, 1);
    check_offset_counts(dim, near_above, one, one, 1, 1);
    check_offset_counts(dim, near_below, one, one, 1, 1);
    check_offset_counts(dim, zero, near_above, one, 1, 5);
    check_offset_counts(dim, zero, near_below, one, 0, 1);
    check_offset_counts(dim, zero, one, near_above, 1, 1);
    check_offset_counts(dim, zero, one, near_below, 0, 1);
    /* 2^7 dims, 2^7 begins, and 2^3 or more of another number */
    const ssop_interval some = {0, 127};
    check_offset_counts(some, some, (ssop_interval){1, 8}, one, 1, 8);
    check_offset_counts(some, some, (ssop_interval){1, 9}, one, 0, 127);
    check_offset_counts(some, some, one, (ssop_interval){1, 8}, 1, 1);
    check_offset_counts(some, some, one, (ssop_interval){1, 9}, 0, 127);
}

/* An end of int64 that is known is far, too. As an offset it is taken in one element by a step as long; as a dim it is
 * one to which nothing can be added. */
static void
test_known_ends_of_int64(void)
{
    const ssop_interval dim = {2, 5}, zero = {0, 1}, low = ONLY(INT64_MIN), high = ONLY(INT64_MAX);
    check_offset_counts((ssop_interval){0, 82}, ONLY(191), low, (ssop_interval){INT64_MIN, 81}, 0, 82);
    check_offset_counts(dim, zero, low, low, 0, 5);
    check_offset_counts(dim, zero, high, high, 0, 5);
    check_offset_counts(dim, zero, high, ANY, 0, 5);
    check_offset_counts(dim, low, zero, ONLY(1), 0, 1);
    check_offset_counts(dim, high, zero, ONLY(1), 0, 0);
    check_offset_counts(high, ONLY(-100), ANY, ONLY(-100), 0, INT64_MAX);
}

/* How many completions there are, of ends that are not known: just few enough to be tried, or just too many. */
static void
test_number_of_completions(void)
{
    const struct {
        partial_entry partial;
        uint8_t flags;
        ssop_interval counts;
    } known[] = {
        {{{2, 9}, {3, 5}, ANY, ANY}, SSOP_END_MASK, {0, 6}},
        {{{4, 14}, {-4, 1}, {INT64_MIN, -2}, {-8, -1}}, 0, {1, 13}},
        {{{0, 2}, {INT64_MIN, 12}, {-123, -74}, {INT64_MIN, 7}}, SSOP_BEGIN_MASK | SSOP_END_MASK, {0, 1}},
        {{{6, 14}, ANY, {1, INT64_MAX}, {1, 2}}, 0, {1, 14}},
        {{{1, 13}, {-5, 0}, {INT64_MIN, -1}, {-8, -1}}, 0, {1, 12}},
        {{{4, 10}, ANY, {1, INT64_MAX}, {1, 6}}, 0, {1, 10}},
        {{{2, 11}, {-1, 5}, {1, INT64_MAX}, {1, 12}}, 0, {1, 11}},
        {{{4, 18}, {-1, 2}, {INT64_MIN, -1}, {-7, -1}}, 0, {0, 18}},
        {{{28, INT64_MAX}, {INT64_MIN, 1}, {INT64_MIN, 1}, ONLY(0)}, 0, {0, INT64_MAX}},
        {{{22, INT64_MAX}, {1, INT64_MAX}, ANY, ONLY(0)}, 0, {0, INT64_MAX}},
        {{{42, 46}, {-230, -217}, {-186, INT64_MAX}, {2, 4}}, SSOP_END_MASK, {0, 46}},
        {{{0, 5}, {INT64_MIN, 11}, {INT64_MIN, 239}, {3, 7}}, 0, {0, 5}},
        {{{19, 28}, {INT64_MIN, 3}, {-6, INT64_MAX}, ONLY(-1)}, SSOP_END_MASK, {0, 28}},
    };
    for (int i = 0; i < COUNT(known); i++) {
        check_counts(&known[i].partial, known[i].flags, known[i].counts.lo, known[i].counts.hi);
    }
    ssop_partial_shape out;
    const partial_entry begins = {{14, INT64_MAX}, {INT64_MIN, -3}, ANY, ONLY(0)};
    const partial_entry both = {ANY_DIM, {INT64_MIN, 7}, {INT64_MIN, 6}, ONLY(0)};
    CHECK(resolve_offset(&begins, SSOP_END_MASK, &out, NULL) != SSOP_OK, "tfl_c5: no step is valid");
    CHECK(resolve_offset(&both, 0, &out, NULL) != SSOP_OK, "tfl_c5: no step is valid");
}

static void
test_unknown_offsets(void)
{
    const ssop_interval dim = {2, 5}, zero = ONLY(0), one = ONLY(1);
    check_offset_counts(dim, zero, ANY, one, 0, 5);
    check_offset_counts(dim, ONLY(INT64_MAX), (ssop_interval){0, 1}, one, 0, 0);
    check_offset_counts(dim, ONLY(INT64_MIN), (ssop_interval){0, 1}, one, 0, 1);
    check_offset_counts(dim, zero, ONLY(2), (ssop_interval){1, 2}, 1, 2);
    check_offset_counts((ssop_interval){0, 200}, ANY, ANY, ANY, 0, 200);
    check_offset_counts((ssop_interval){0, 20}, ANY, ANY, one, 0, 20);
    check_offset_counts(ANY_DIM, (ssop_interval){-2, -1}, (ssop_interval){1, 6}, one, 0, INT64_MAX);
    ssop_partial_shape out;
    const partial_entry no_step = {ANY_DIM, ANY, ANY, ONLY(0)}, unknown = {dim, zero, ANY, one};
    const partial_entry too_long = {ANY_DIM, {-2, -1}, {5, 6}, ONLY(1)};
    CHECK(resolve_offset(&no_step, 0, &out, NULL) != SSOP_OK, "tfl_c5: nothing else is known");
    CHECK(resolve_offset(&too_long, 0, &out, NULL) != SSOP_OK, "tfl_c9: of every dim");
    CHECK(resolve_offset(&unknown, SSOP_SHRINK, &out, NULL) == SSOP_OK && out.rank == 0, "tfl_s4: shrunk");
    CHECK(resolve_offset(&unknown, SSOP_AXIS_NEW, &out, NULL) == SSOP_VALUE_ERROR, "tfl_c8: a new axis");
}

int
main(void)
{
    test_offsets();
    test_offsets_without_ends(20000);
    test_far_offsets();
    test_known_ends_of_int64();
    test_number_of_completions();
    test_unknown_offsets();
    return check_report("test_partial_offsets");
}
