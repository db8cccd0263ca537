/* What could go wrong: arithmetic of partly known dims misses a number that some completion gives, or its interval is
 * too wide. Or its answer in mode "tf" knows more than TensorFlow's (sh_s2 .. sh_s7). */
#include "check.h"

#define ANY_DIM ((ssop_interval){0, INT64_MAX})

enum { MAX_VALUE = 4, OPERATORS = 7 };

static const char *const operator_names[OPERATORS] = {"add",           "subtract", "multiply", "divide",
                                                      "divide evenly", "min",      "max"};

static bool
is_interval(ssop_dim dim, int64_t lo, int64_t hi)
{
    return dim.value.lo == lo && dim.value.hi == hi && (dim.id == 0) == (lo == hi);
}

/* The operator on numbers. False where it is an error. */
static bool
calculate(ssop_dim_operator operation, int64_t a, int64_t b, int64_t *result)
{
    bool divides = operation == SSOP_DIM_DIVIDE || operation == SSOP_DIM_DIVIDE_EVENLY;
    if ((operation == SSOP_DIM_SUBTRACT && a < b) || (divides && b < 1) ||
        (operation == SSOP_DIM_DIVIDE_EVENLY && a % b != 0)) {
        return false;
    }
    *result = operation == SSOP_DIM_ADD      ? a + b
            : operation == SSOP_DIM_SUBTRACT ? a - b
            : operation == SSOP_DIM_MULTIPLY ? a * b
            : divides                        ? a / b
            : operation == SSOP_DIM_MIN      ? (a < b ? a : b)
                                             : (a > b ? a : b);
    return true;
}

/* The tight result of two dims against all completions; of one dim and itself if `same`. */
static void
check_completions(ssop_dim_operator operation, ssop_dim a, ssop_dim b, bool same)
{
    ssop_inference inference = {.last_id = 9, .tight = true};
    bool legal = false, is_a = true, is_b = true;
    int64_t lo = 0, hi = 0, result = 0;
    for (int64_t x = a.value.lo; x <= a.value.hi; x++) {
        for (int64_t y = same ? x : b.value.lo; y <= (same ? x : b.value.hi); y++) {
            if (calculate(operation, x, y, &result)) {
                lo = legal && lo < result ? lo : result;
                hi = legal && hi > result ? hi : result;
                legal = true;
                is_a = is_a && result == x;
                is_b = is_b && result == y;
            }
        }
    }
    ssop_dim out = {{-1, -1}, -1};
    ssop_status status = ssop_dim_arithmetic(&inference, operation, a, b, &out, NULL);
    const char *name = operator_names[operation];
    /* The even divisions by one of several numbers are not told apart. */
    bool exact = operation != SSOP_DIM_DIVIDE_EVENLY || ssop_dim_is_known(b) || same;
    CHECK(legal ? status == SSOP_OK : status != SSOP_OK || !exact, "%s %lld..%lld %lld..%lld: status %d", name,
          LL(a.value.lo), LL(a.value.hi), LL(b.value.lo), LL(b.value.hi), (int)status);
    if (!legal) {
        return;
    }
    CHECK(exact ? is_interval(out, lo, hi) : out.value.lo <= lo && out.value.hi >= hi,
          "%s %lld..%lld %lld..%lld: %lld..%lld, not %lld..%lld", name, LL(a.value.lo), LL(a.value.hi), LL(b.value.lo),
          LL(b.value.hi), LL(out.value.lo), LL(out.value.hi), LL(lo), LL(hi));
    CHECK((out.id != a.id || is_a || ssop_dim_is_known(out)) && (out.id != b.id || is_b || ssop_dim_is_known(out)),
          "%s: keeps a wrong identity", name);
    bool is_extreme = operation == SSOP_DIM_MIN || operation == SSOP_DIM_MAX;
    CHECK(!is_extreme || !(is_a || is_b) || ssop_dim_is_same(out, a) || ssop_dim_is_same(out, b),
          "%s: loses the identity", name);
}

static void
test_every_small_interval(void)
{
    for (int operation = 0; operation < OPERATORS; operation++) {
        for (int64_t i = 0; i < 25 * 25; i++) {
            ssop_interval x = {i % 5, i / 5 % 5}, y = {i / 25 % 5, i / 125};
            if (x.lo <= x.hi && y.lo <= y.hi) {
                ssop_dim a = {x, x.lo < x.hi ? 1 : 0}, b = {y, y.lo < y.hi ? 2 : 0};
                check_completions((ssop_dim_operator)operation, a, b, false);
                check_completions((ssop_dim_operator)operation, a, a, ssop_dim_is_same(a, a));
            }
        }
    }
}

/* ---- TensorFlow's own answers ------------------------------------------------------------------------------------ */

static const ssop_dim unknown_1 = {{0, INT64_MAX}, 1}, unknown_2 = {{0, INT64_MAX}, 2};

static ssop_dim
number(int64_t value)
{
    return (ssop_dim){{value, value}, 0};
}

/* What TensorFlow makes of the two: a number, -1 for the dim `unknown_1`, -2 for another unknown dim. */
static int64_t
tensorflow_says(ssop_dim_operator operation, ssop_dim a, ssop_dim b)
{
    ssop_inference inference = {.last_id = 9};
    ssop_dim out;
    if (ssop_dim_arithmetic(&inference, operation, a, b, &out, NULL) != SSOP_OK) {
        return -3;
    }
    CHECK(ssop_dim_is_known(out) || (out.value.lo == 0 && out.value.hi == INT64_MAX), "sh_s2: an interval");
    return ssop_dim_is_known(out) ? out.value.lo : out.id == 1 ? -1 : -2;
}

static void
test_tensorflow_mode(void)
{
    const struct {
        ssop_dim_operator operation;
        ssop_dim a, b;
        int64_t right;
    } examples[] = {
        {SSOP_DIM_ADD, number(0), unknown_1, -1},      {SSOP_DIM_ADD, unknown_1, number(0), -1},
        {SSOP_DIM_ADD, unknown_1, number(2), -2},      {SSOP_DIM_ADD, number(2), number(3), 5},
        {SSOP_DIM_SUBTRACT, unknown_1, number(0), -1}, {SSOP_DIM_SUBTRACT, unknown_1, unknown_1, -2},
        {SSOP_DIM_SUBTRACT, number(0), unknown_1, -2}, {SSOP_DIM_SUBTRACT, number(2), number(3), -3},
        {SSOP_DIM_MULTIPLY, number(0), unknown_1, 0},  {SSOP_DIM_MULTIPLY, unknown_1, number(0), 0},
        {SSOP_DIM_MULTIPLY, number(1), unknown_1, -1}, {SSOP_DIM_MULTIPLY, unknown_1, number(1), -1},
        {SSOP_DIM_MULTIPLY, unknown_1, unknown_2, -2}, {SSOP_DIM_DIVIDE, unknown_1, number(1), -1},
        {SSOP_DIM_DIVIDE, unknown_1, number(2), -2},   {SSOP_DIM_DIVIDE, unknown_1, number(-2), -2},
        {SSOP_DIM_DIVIDE, number(7), number(2), 3},    {SSOP_DIM_DIVIDE, number(7), number(0), -3},
        {SSOP_DIM_DIVIDE, number(7), number(-2), -3},  {SSOP_DIM_DIVIDE_EVENLY, number(7), number(2), -3},
        {SSOP_DIM_MIN, number(0), unknown_1, 0},       {SSOP_DIM_MIN, unknown_1, number(0), 0},
        {SSOP_DIM_MIN, unknown_1, unknown_1, -2},      {SSOP_DIM_MIN, number(2), number(3), 2},
        {SSOP_DIM_MAX, number(0), unknown_1, -2},      {SSOP_DIM_MAX, number(2), number(3), 3},
    };
    for (int i = 0; i < COUNT(examples); i++) {
        int64_t got = tensorflow_says(examples[i].operation, examples[i].a, examples[i].b);
        CHECK(got == examples[i].right, "example %d: %lld, not %lld", i, LL(got), LL(examples[i].right));
    }
}

/* ---- limits and messages ----------------------------------------------------------------------------------------- */

static void
check_error(ssop_dim_operator operation, ssop_dim a, ssop_dim b, ssop_rule rule, int32_t form)
{
    ssop_inference inference = {.last_id = 9, .tight = true};
    ssop_dim out = {{-1, -1}, -1};
    ssop_error error = {.rule = SSOP_NO_RULE};
    ssop_status status = ssop_dim_arithmetic(&inference, operation, a, b, &out, &error);
    CHECK(status == ssop_rule_status(rule) && error.rule == rule && error.form == form && out.id == -1,
          "%s: %s, not %s", operator_names[operation], ssop_rule_label(error.rule), ssop_rule_label(rule));
}

static void
test_limits(void)
{
    ssop_inference inference = {.last_id = 9, .tight = true};
    const ssop_dim large = {{INT64_MAX - 1, INT64_MAX}, 3}, several = {{5, 6}, 4};
    ssop_dim out;
    check_error(SSOP_DIM_ADD, large, number(2), SSOP_SH_C13, 0);
    check_error(SSOP_DIM_MULTIPLY, large, number(2), SSOP_SH_C14, 0);
    check_error(SSOP_DIM_SUBTRACT, several, number(7), SSOP_SH_C12, 0);
    check_error(SSOP_DIM_DIVIDE, several, number(0), SSOP_SH_C15, 0);
    check_error(SSOP_DIM_DIVIDE, several, number(INT64_MIN), SSOP_SH_C15, 0);
    check_error(SSOP_DIM_DIVIDE_EVENLY, several, number(7), SSOP_SH_C16, 1);
    check_error(SSOP_DIM_DIVIDE_EVENLY, number(8), number(7), SSOP_SH_C16, 0);
    CHECK(ssop_dim_arithmetic(&inference, SSOP_DIM_ADD, unknown_1, large, &out, NULL) == SSOP_OK &&
              is_interval(out, INT64_MAX - 1, INT64_MAX),
          "sh_s5: the sum is limited by int64");
    CHECK(ssop_dim_arithmetic(&inference, SSOP_DIM_MULTIPLY, unknown_1, unknown_2, &out, NULL) == SSOP_OK &&
              is_interval(out, 0, INT64_MAX),
          "sh_s6: the product is limited by int64");
    CHECK(ssop_dim_with_value(&inference, unknown_1, 3, &out, NULL) == SSOP_OK && is_interval(out, 3, 3) &&
              ssop_dim_with_value(&inference, unknown_1, 0, &out, NULL) == SSOP_OK && is_interval(out, 0, 0),
          "sh_s3: with_value");
    ssop_error error;
    CHECK(ssop_dim_with_value(&inference, number(4), 3, &out, &error) != SSOP_OK && error.rule == SSOP_SH_C8 &&
              error.form == 0 && error.value == 3 && error.low == 4,
          "sh_c8: a known dim");
    CHECK(ssop_dim_with_value(&inference, several, 3, &out, &error) != SSOP_OK && error.rule == SSOP_SH_C8 &&
              error.form == 1,
          "sh_c8: an interval");
    CHECK(ssop_dim_with_value(&inference, several, -3, &out, &error) != SSOP_OK &&
              is_error(&error, SSOP_IN_C10, 0, -1, -3, 0, INT64_MAX),
          "in_c10: a negative value");
}

/* ---- merge and relax --------------------------------------------------------------------------------------------- */

static void
check_merge_and_relax(ssop_interval x, ssop_interval y)
{
    ssop_inference inference = {.last_id = 9, .tight = true};
    ssop_dim a = {x, x.lo < x.hi ? 1 : 0}, b = {y, y.lo < y.hi ? 2 : 0}, merged, relaxed;
    int64_t lo = x.lo > y.lo ? x.lo : y.lo, hi = x.hi < y.hi ? x.hi : y.hi;
    ssop_error error;
    ssop_status status = ssop_dim_merge(&inference, a, b, &merged, &error);
    CHECK((status == SSOP_OK) == (lo <= hi), "sh_s3: merge");
    if (status == SSOP_OK) {
        bool is_a = lo == x.lo && hi == x.hi, is_b = lo == y.lo && hi == y.hi;
        CHECK(is_interval(merged, lo, hi), "sh_s3: what both say");
        CHECK(merged.id == (is_a   ? a.id
                            : is_b ? b.id
                                   : merged.id) &&
                  (is_a || is_b || merged.id != 1),
              "sh_s3: the dim that says as much");
    }
    else {
        CHECK(error.rule == SSOP_SH_C3 && error.form == (x.lo < x.hi || y.lo < y.hi), "sh_c3");
    }
    relaxed = ssop_dim_relax(&inference, a, b);
    lo = x.lo < y.lo ? x.lo : y.lo;
    hi = x.hi > y.hi ? x.hi : y.hi;
    CHECK(is_interval(relaxed, lo, hi), "sh_s4: tight: the hull");
    CHECK(relaxed.id == 0 || relaxed.id > 2, "sh_s4: tight: neither of the two");
    CHECK(ssop_dim_relax(&inference, a, a).id == a.id, "sh_s4: a dim and itself");
    inference.tight = false;
    relaxed = ssop_dim_relax(&inference, a, b);
    bool equal = x.lo == y.lo && x.hi == y.hi;
    CHECK(equal ? is_interval(relaxed, x.lo, x.hi) && relaxed.id == b.id
                : is_interval(relaxed, 0, INT64_MAX) && relaxed.id != a.id,
          "sh_s4: TensorFlow: equal or unknown");
}

static void
test_merge_and_relax(void)
{
    for (int64_t i = 0; i < 25 * 25; i++) {
        ssop_interval x = {i % 5, i / 5 % 5}, y = {i / 25 % 5, i / 125};
        if (x.lo <= x.hi && y.lo <= y.hi) {
            check_merge_and_relax(x, y);
        }
    }
    ssop_inference inference = {.last_id = 9};
    CHECK(ssop_dim_relax(&inference, number(2), unknown_1).id == 1, "sh_s4: an unknown new dim");
    CHECK(ssop_dim_relax(&inference, unknown_1, number(2)).id == 10, "sh_s4: an unknown old dim");
}

static void
test_texts(void)
{
    const struct {
        ssop_interval value;
        const char *right;
    } examples[] = {
        {{3, 3}, "3"},
        {ANY_DIM, "?"},
        {{0, INT64_MAX - 3}, "?"},
        {{1, 4}, "1..4"},
        {{2, INT64_MAX}, "2.."},
        {{0, 7}, "0..7"},
        {{2, SSOP_NO_UPPER_END}, "2.."},
        {{2, SSOP_NO_UPPER_END - 1}, "2..4611686018427387902"},
    };
    for (int i = 0; i < COUNT(examples); i++) {
        char text[32];
        size_t length = ssop_dim_text((ssop_dim){examples[i].value, 1}, text, sizeof text);
        CHECK(strcmp(text, examples[i].right) == 0 && length == strlen(text), "sh_s1: text %s", text);
    }
    char text[3];
    CHECK(ssop_dim_text((ssop_dim){{10, 20}, 1}, text, sizeof text) == 6 && strcmp(text, "10") == 0, "sh_s1: cut text");
    CHECK(ssop_dim_text((ssop_dim){{10, 20}, 1}, NULL, 0) == 6, "sh_s1: length alone");
}

int
main(void)
{
    test_every_small_interval();
    test_tensorflow_mode();
    test_limits();
    test_merge_and_relax();
    test_texts();
    return check_report("test_dim");
}
