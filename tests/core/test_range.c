/* What could go wrong: for some dim, bounds, step and flags, one axis is resolved to a wrong element. */
#include "core/range.h"
#include "slice_oracle.h"

enum { MAX_DIM = 10, MAX_NUMBERS = 64 };

#define CASE "dim %lld begin %lld end %lld step %lld flags %d"
#define CASE_VALUES(dim, entry) LL(dim), LL((entry)->begin), LL((entry)->end), LL((entry)->step), (entry)->flags

static int64_t
into(int64_t x, int64_t low, int64_t high)
{
    return x > high ? high : x < low ? low : x;
}

/* The stages of a legal resolution (ss_s4, ss_s5, ss_s7), and that walking from begin to end gives the range. */
static void
check_trace(int64_t dim, const walk_entry *entry, const ssop_axis_trace *trace, ssop_range range)
{
    bool shrunk = (entry->flags & SSOP_SHRINK) != 0, forward = shrunk || entry->step > 0;
    int64_t low = forward ? 0 : -1, high = forward ? dim : dim - 1;
    int64_t wrapped_end = shrunk ? trace->wrapped_begin + 1 : walk_wrap(entry->end, dim);
    CHECK(trace->wrapped_begin == walk_wrap(entry->begin, dim) && trace->wrapped_end == wrapped_end,
          "ss_s4 wrapped: " CASE, CASE_VALUES(dim, entry));
    CHECK(trace->clamped_begin == into(trace->wrapped_begin, low, high) &&
              trace->clamped_end == into(wrapped_end, low, high),
          "ss_s4 clamped: " CASE, CASE_VALUES(dim, entry));
    bool begin_masked = !shrunk && (entry->flags & SSOP_BEGIN_MASK),
         end_masked = !shrunk && (entry->flags & SSOP_END_MASK);
    CHECK(trace->begin == (begin_masked ? (forward ? low : high) : trace->clamped_begin) &&
              trace->end == (end_masked ? (forward ? high : low) : trace->clamped_end),
          "ss_s5 masked: " CASE, CASE_VALUES(dim, entry));
    CHECK(same_range(trace->range, range), "trace's range: " CASE, CASE_VALUES(dim, entry));
}

static void
check_rejection(int64_t dim, const walk_entry *entry, ssop_rule rule, ssop_status status, const ssop_error *error)
{
    ssop_error right = {.rule = rule, .value = entry->step, .low = 1, .high = INT64_MAX};
    if (rule == SSOP_SS_C7) {
        right.value = entry->begin;
        right.low = -dim;
        right.high = dim - 1;
    }
    CHECK(status == ssop_rule_status(rule), "%s status %d: " CASE, ssop_rule_label(rule), (int)status,
          CASE_VALUES(dim, entry));
    CHECK(is_error(error, rule, -1, -1, right.value, right.low, right.high), "%s record: " CASE, ssop_rule_label(rule),
          CASE_VALUES(dim, entry));
    CHECK(error->form == (rule == SSOP_SS_C7 && entry->begin < 0), "%s form: " CASE, ssop_rule_label(rule),
          CASE_VALUES(dim, entry));
}

static void
check_entry(int64_t dim, const walk_entry *entry)
{
    walked right = walk_axis(dim, entry, &ssop_dialect_tensorflow);
    range_entry given = {entry->begin, entry->end, entry->step, entry->flags};
    ssop_range range = {77, 77, 77}, untraced = {77, 77, 77};
    ssop_axis_trace trace = {.entry = 77};
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = ssop_range_resolve(dim, &given, &ssop_dialect_tensorflow, &range, &trace, &error);
    ssop_status again = ssop_range_resolve(dim, &given, &ssop_dialect_tensorflow, &untraced, NULL, NULL);
    CHECK(status == again && same_range(range, untraced), "trace and error matter: " CASE, CASE_VALUES(dim, entry));
    if (right.broken != SSOP_NO_RULE) {
        check_rejection(dim, entry, right.broken, status, &error);
        CHECK(same_range(range, (ssop_range){77, 77, 77}), "written on failure: " CASE, CASE_VALUES(dim, entry));
        return;
    }
    CHECK(status == SSOP_OK && error.rule == SSOP_NO_RULE, "rejected with %s: " CASE, ssop_rule_label(error.rule),
          CASE_VALUES(dim, entry));
    CHECK(same_range(range, range_of_picks(right.pick, right.count)), "ss_s6 rg_s1 (%lld, %lld, %lld): " CASE,
          LL(range.start), LL(range.count), LL(range.step), CASE_VALUES(dim, entry));
    check_trace(dim, entry, &trace, range);
}

/* Equal elements in equal order make equal ranges, because the range is compared with the one made of the elements. */
static void
test_every_small_entry(void)
{
    for (int64_t dim = 0; dim <= MAX_DIM; dim++) {
        int64_t bound[MAX_NUMBERS], step[MAX_NUMBERS];
        int bounds = numbers_around_zero(dim + 2, bound), steps = numbers_around_zero(dim + 1, step);
        for (int b = 0; b < bounds; b++) {
            for (int e = 0; e < bounds; e++) {
                for (int s = 0; s < steps; s++) {
                    for (int masks = 0; masks < 8; masks++) {
                        int flags = (masks & 1) * SSOP_BEGIN_MASK + (masks >> 1 & 1) * SSOP_END_MASK +
                                    (masks >> 2) * SSOP_SHRINK;
                        walk_entry entry = {bound[b], bound[e], step[s], (uint8_t)flags};
                        check_entry(dim, &entry);
                    }
                }
            }
        }
    }
}

/* ss_s6 without walking: the last element lies before the end, and the one after it would not. */
static void
check_large_entry(int64_t dim, const walk_entry *entry)
{
    range_entry given = {entry->begin, entry->end, entry->step, entry->flags};
    ssop_range range;
    ssop_status status = ssop_range_resolve(dim, &given, &ssop_dialect_tensorflow, &range, NULL, NULL);
    CHECK(status == SSOP_OK, "rejected: " CASE, CASE_VALUES(dim, entry));
    int64_t at, stop;
    walk_ends(dim, entry, &ssop_dialect_tensorflow, &at, &stop);
    uint64_t step = magnitude(entry->step), span = 0;
    if (entry->step > 0 ? at < stop : at > stop) {
        span = entry->step > 0 ? (uint64_t)stop - (uint64_t)at : (uint64_t)at - (uint64_t)stop;
    }
    if (span == 0) {
        CHECK(same_range(range, (ssop_range){0, 0, 1}), "not empty: " CASE, CASE_VALUES(dim, entry));
        return;
    }
    uint64_t count = (uint64_t)range.count;
    CHECK(range.start == at && range.count > 0 && range.step == (range.count == 1 ? 1 : entry->step),
          "(%lld, %lld, %lld): " CASE, LL(range.start), LL(range.count), LL(range.step), CASE_VALUES(dim, entry));
    bool last_inside = count == 1 || step <= (span - 1) / (count - 1);
    bool next_outside = count > UINT64_MAX / step || count * step >= span;
    CHECK(last_inside && next_outside, "ss_s6 count %lld: " CASE, LL(range.count), CASE_VALUES(dim, entry));
}

/* Dims and steps near the ends of int32 and int64. 126322568 is the step with which TensorFlow's own loop ran over
 * (tensorflow pull request 124643). */
static void
test_large_axes(void)
{
    const int64_t dims[] = {INT32_MAX - 1,    INT32_MAX,     INT32_MAX + INT64_C(1),
                            INT64_C(1) << 40, INT64_MAX - 1, INT64_MAX};
    for (int d = 0; d < COUNT(dims); d++) {
        int64_t dim = dims[d], number[MAX_NUMBERS];
        int numbers = numbers_around_zero(3, number);
        const int64_t more[] = {dim - 1, dim, -dim, 1 - dim, dim / 2, -dim / 2, dim / 3, 126322568, -126322568};
        for (int i = 0; i < COUNT(more); i++) {
            number[numbers++] = more[i];
        }
        for (int b = 0; b < numbers; b++) {
            for (int e = 0; e < numbers; e++) {
                for (int s = 0; s < numbers; s++) {
                    for (int flags = 0; flags < 4 && number[s] != 0; flags++) {
                        walk_entry entry = {number[b], number[e], number[s], (uint8_t)flags};
                        check_large_entry(dim, &entry);
                    }
                }
            }
        }
    }
    range_entry entry = {0, INT32_MAX, 126322568, 0};
    ssop_range range;
    CHECK(ssop_range_resolve(INT32_MAX, &entry, &ssop_dialect_tensorflow, &range, NULL, NULL) == SSOP_OK &&
              same_range(range, (ssop_range){0, 17, 126322568}),
          "tensorflow pull request 124643: count %lld", LL(range.count));
}

/* ss_s7: one element of an axis that has more elements than int32 can count. */
static void
test_shrunk_large_axes(void)
{
    const int64_t dims[] = {INT32_MAX + INT64_C(2), INT64_C(1) << 40, INT64_MAX};
    for (int d = 0; d < COUNT(dims); d++) {
        int64_t dim = dims[d];
        const int64_t begins[] = {0, dim - 1, dim, -1, -dim, -dim - 1, INT32_MAX, INT32_MAX + INT64_C(1), INT64_MIN};
        for (int b = 0; b < COUNT(begins); b++) {
            walk_entry entry = {begins[b], 0, 1, SSOP_SHRINK};
            range_entry given = {begins[b], 0, 1, SSOP_SHRINK};
            int64_t at = walk_wrap(begins[b], dim);
            ssop_range range = {77, 77, 77};
            ssop_error error = {.rule = SSOP_NO_RULE};
            ssop_status status = ssop_range_resolve(dim, &given, &ssop_dialect_tensorflow, &range, NULL, &error);
            if (at < 0 || at >= dim) {
                check_rejection(dim, &entry, SSOP_SS_C7, status, &error);
            }
            else {
                CHECK(status == SSOP_OK && same_range(range, (ssop_range){at, 1, 1}), "ss_s7 %lld: " CASE,
                      LL(range.start), CASE_VALUES(dim, &entry));
            }
        }
    }
}

/* tfl_s4, tfl_c9: an end that counts from a begin beyond int32, also where their sum is too large for int64. */
static void
test_large_offsets(void)
{
    const int64_t dim = INT64_MAX, begin = INT64_C(1) << 40;
    const struct {
        int64_t offset, step, count; /* count 0: an error */
    } cases[] = {
        {5, 1, 5}, {5, 2, 3}, {INT64_MAX, INT64_MAX, 1}, {INT64_MAX, 1, 0}, {-5, -1, 5}, {INT64_MIN, -1, 0},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        range_entry entry = {begin, cases[i].offset, cases[i].step, 0};
        ssop_range range = {77, 77, 77};
        ssop_error error = {.rule = SSOP_NO_RULE};
        ssop_status status = ssop_range_resolve(dim, &entry, &ssop_dialect_tflite_offset, &range, NULL, &error);
        if (cases[i].count == 0) {
            CHECK(status == SSOP_VALUE_ERROR && is_error(&error, SSOP_TFL_C9, -1, -1, cases[i].offset, 0, 0),
                  "tfl_c9 offset %lld step %lld", LL(cases[i].offset), LL(cases[i].step));
        }
        else {
            ssop_range right = {begin, cases[i].count, cases[i].count == 1 ? 1 : cases[i].step};
            CHECK(status == SSOP_OK && same_range(range, right), "tfl_s4 offset %lld step %lld: count %lld",
                  LL(cases[i].offset), LL(cases[i].step), LL(range.count));
        }
    }
}

static void
test_range_between(void)
{
    for (int64_t begin = -1; begin <= MAX_DIM; begin++) {
        for (int64_t end = -1; end <= MAX_DIM; end++) {
            for (int64_t step = -MAX_DIM - 2; step <= MAX_DIM + 2; step++) {
                int64_t pick[MAX_PICKS] = {0}, count = 0;
                for (int64_t at = begin; step > 0 && at < end; at += step) {
                    pick[count++] = at;
                }
                for (int64_t at = begin; step < 0 && at > end; at += step) {
                    pick[count++] = at;
                }
                CHECK(step == 0 || same_range(ssop_range_between(begin, end, step), range_of_picks(pick, count)),
                      "ssop_range_between(%lld, %lld, %lld)", LL(begin), LL(end), LL(step));
            }
        }
    }
}

/* rg_s2 on one axis: every canonical range of every canonical range. */
static void
check_composition(ssop_range first)
{
    for (int64_t start = 0; start < first.count; start++) {
        for (int64_t end = -1; end <= first.count; end++) {
            for (int64_t step = -first.count - 1; step <= first.count + 1; step++) {
                ssop_range second = ssop_range_between(start, end, step != 0 ? step : 1);
                int64_t pick[MAX_PICKS] = {0};
                for (int64_t i = 0; i < second.count; i++) {
                    pick[i] = first.start + (second.start + i * second.step) * first.step;
                }
                CHECK(same_range(ssop_range_compose(first, second), range_of_picks(pick, second.count)),
                      "rg_s2: (%lld, %lld, %lld) of (%lld, %lld, %lld)", LL(second.start), LL(second.count),
                      LL(second.step), LL(first.start), LL(first.count), LL(first.step));
            }
        }
    }
    ssop_range none = {0, 0, 1};
    CHECK(same_range(ssop_range_compose(first, none), none), "rg_s2: nothing of (%lld, %lld, %lld)", LL(first.start),
          LL(first.count), LL(first.step));
}

static void
test_compose(void)
{
    for (int64_t begin = 0; begin <= 8; begin++) {
        for (int64_t end = -1; end <= 9; end++) {
            for (int64_t step = -4; step <= 4; step++) {
                if (step != 0) {
                    check_composition(ssop_range_between(begin, end, step));
                }
            }
        }
    }
}

int
main(void)
{
    test_every_small_entry();
    test_large_axes();
    test_shrunk_large_axes();
    test_large_offsets();
    test_range_between();
    test_compose();
    return check_report("test_range");
}
