/* What could go wrong: a rule of shape inference returns a new shape although an argument is as precise. Or it changes
 * something when it fails, or reads axes that do not exist (sh_s3, sh_s4, sh_s8 .. sh_s12). */
#include "check.h"

#define ANY_DIM ((ssop_interval){0, INT64_MAX})

static ssop_inference inference = {.last_id = 1000};

/* A shape from a text: a digit, '?' for an unknown dim, '+' for 1 and more; "*" is an unknown rank. */
static ssop_partial_shape
shape_of(const char *text)
{
    ssop_partial_shape shape;
    if (*text == '*') {
        ssop_shape_of_unknown_rank(&inference, &shape);
        return shape;
    }
    ssop_shape_of_rank(&inference, (int32_t)strlen(text), &shape);
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        if (text[axis] != '?') {
            int64_t number = text[axis] - '0';
            ssop_interval value = text[axis] == '+' ? (ssop_interval){1, INT64_MAX} : (ssop_interval){number, number};
            shape.dim[axis] = ssop_dim_new(&inference, value);
        }
    }
    return shape;
}

/* Whether nothing had this identity before. */
static bool
is_fresh(int64_t id, int64_t last_id_before)
{
    return id > last_id_before && id <= inference.last_id;
}

static ssop_dim
dim_of(int64_t value)
{
    return ssop_dim_new(&inference, (ssop_interval){value, value});
}

static bool
has_text(const ssop_partial_shape *shape, const char *right)
{
    char text[SSOP_MAX_RANK * 24];
    size_t length = ssop_shape_text(shape, text, sizeof text);
    if (strcmp(text, right) != 0) {
        printf("%s, not %s\n", text, right);
    }
    return strcmp(text, right) == 0 && length == strlen(text);
}

/* ---- merge and relax --------------------------------------------------------------------------------------------- */

typedef enum { IS_FIRST, IS_SECOND, IS_NEW } which;

static void
check_which(const char *what, const ssop_partial_shape *out, const ssop_partial_shape *a, const ssop_partial_shape *b,
            int64_t last_id_before, which right)
{
    which got = out->id == a->id ? IS_FIRST : out->id == b->id ? IS_SECOND : IS_NEW;
    CHECK(got == right && (got != IS_NEW || is_fresh(out->id, last_id_before)), "%s: shape %d, not %d", what, (int)got,
          (int)right);
}

static void
test_merge(void)
{
    const struct {
        const char *a, *b, *right;
        which which;
    } examples[] = {
        {"2?", "?2", "[2,2]", IS_NEW},    {"22", "??", "[2,2]", IS_FIRST}, {"??", "22", "[2,2]", IS_SECOND},
        {"??", "??", "[?,?]", IS_FIRST},  {"*", "2?", "[2,?]", IS_SECOND}, {"2?", "*", "[2,?]", IS_FIRST},
        {"*", "*", "?", IS_FIRST},        {"", "", "[]", IS_FIRST},        {"?+", "2?", "[2,1..]", IS_NEW},
        {"??", "?5", "[?,5]", IS_SECOND},
    };
    for (int i = 0; i < COUNT(examples); i++) {
        ssop_partial_shape a = shape_of(examples[i].a), b = shape_of(examples[i].b), out;
        const int64_t before = inference.last_id;
        CHECK(ssop_shape_merge(&inference, &a, &b, &out, NULL) == SSOP_OK && has_text(&out, examples[i].right),
              "sh_s3: merge %s %s", examples[i].a, examples[i].b);
        check_which("sh_s3: merge", &out, &a, &b, before, examples[i].which);
        CHECK(ssop_shape_merge(&inference, &a, &b, &a, NULL) == SSOP_OK && has_text(&a, examples[i].right),
              "sh_s3: merge in place");
    }
    ssop_partial_shape a = shape_of("2?"), b = shape_of("?2"), out;
    CHECK(ssop_shape_merge(&inference, &a, &a, &out, NULL) == SSOP_OK && out.id == a.id, "sh_s3: the same shape");
    CHECK(ssop_shape_merge(&inference, &a, &b, &out, NULL) == SSOP_OK, "sh_s3: merge");
}

static void
test_merge_errors(void)
{
    ssop_partial_shape a = shape_of("22"), b = shape_of("12"), three = shape_of("123"), some = shape_of("2+"),
                       zero = shape_of("20"), out = {.id = -7};
    ssop_error error;
    CHECK(ssop_shape_merge(&inference, &a, &b, &out, &error) != SSOP_OK && out.id == -7 &&
              is_error(&error, SSOP_SH_C2, 0, -1, 2, 1, 1) && error.form == 0,
          "sh_c2: dims");
    CHECK(ssop_shape_merge(&inference, &some, &zero, &out, &error) != SSOP_OK && out.id == -7 &&
              is_error(&error, SSOP_SH_C2, 1, -1, 0, 1, INT64_MAX) && error.form == 1,
          "sh_c2: intervals");
    CHECK(ssop_shape_merge(&inference, &zero, &some, &out, &error) != SSOP_OK && error.form == 1,
          "sh_c2: a known dim and an interval");
    CHECK(ssop_shape_merge(&inference, &a, &three, &out, &error) != SSOP_OK &&
              is_error(&error, SSOP_SH_C1, -1, -1, 2, 3, 3),
          "sh_c1: ranks");
    char text[256];
    error = (ssop_error){.rule = SSOP_SH_C2, .value = 2, .low = 1};
    ssop_error_message(&error, (const char *const[]){"[2,2]", "[1,2]"}, text, sizeof text);
    CHECK(strcmp(text,
                 "Dimension 0 in both shapes must be equal, but are 2 and 1. Shapes are [2,2] and [1,2]. [sh_c2]") == 0,
          "sh_c2: %s", text);
}

static void
test_relax(void)
{
    const struct {
        const char *old, *new_, *tensorflow, *tight;
        which by_tensorflow, when_tight;
    } examples[] = {
        {"2?", "?2", "[?,?]", "[?,?]", IS_NEW, IS_NEW}, {"22", "32", "[?,2]", "[2..3,2]", IS_NEW, IS_NEW},
        {"22", "123", "?", "?", IS_NEW, IS_NEW},        {"*", "22", "?", "?", IS_NEW, IS_NEW},
        {"22", "*", "?", "?", IS_SECOND, IS_SECOND},    {"22", "22", "[2,2]", "[2,2]", IS_FIRST, IS_FIRST},
        {"??", "??", "[?,?]", "[?,?]", IS_NEW, IS_NEW}, {"2?", "23", "[2,?]", "[2,?]", IS_NEW, IS_NEW},
        {"23", "2?", "[2,?]", "[2,?]", IS_NEW, IS_NEW}, {"", "", "[]", "[]", IS_FIRST, IS_FIRST},
    };
    for (int tight = 0; tight < 2; tight++) {
        inference.tight = tight != 0;
        for (int i = 0; i < COUNT(examples); i++) {
            ssop_partial_shape old = shape_of(examples[i].old), new_ = shape_of(examples[i].new_), out;
            const int64_t before = inference.last_id;
            ssop_shape_relax(&inference, &old, &new_, &out);
            CHECK(has_text(&out, tight ? examples[i].tight : examples[i].tensorflow), "sh_s4: relax %s %s",
                  examples[i].old, examples[i].new_);
            check_which("sh_s4: relax", &out, &old, &new_, before,
                        tight ? examples[i].when_tight : examples[i].by_tensorflow);
            ssop_shape_relax(&inference, &old, &old, &out);
            CHECK(out.id == old.id, "sh_s4: the same shape");
        }
    }
    inference.tight = false;
}

static void
test_merge_prefix(void)
{
    const struct {
        const char *shape, *prefix, *right[2];
    } examples[] = {
        {"?34", "2?", {"[2,3,4]", "[2,3]"}},
        {"7?9", "?8", {"[7,8,9]", "[7,8]"}},
        {"5", "5", {"[5]", "[5]"}},
        {"?6", "", {"[?,6]", "[]"}},
        {"", "", {"[]", "[]"}},
        {"?", "+", {"[1..]", "[1..]"}},
    };
    ssop_partial_shape shape, prefix, unknown = shape_of("*"), out[2];
    ssop_error error;
    for (int i = 0; i < COUNT(examples); i++) {
        shape = shape_of(examples[i].shape);
        prefix = shape_of(examples[i].prefix);
        const int64_t before = inference.last_id;
        CHECK(ssop_shape_merge_prefix(&inference, &shape, &prefix, out, NULL) == SSOP_OK &&
                  has_text(&out[0], examples[i].right[0]) && has_text(&out[1], examples[i].right[1]),
              "sh_s8: merge_prefix %s %s", examples[i].shape, examples[i].prefix);
        CHECK(is_fresh(out[0].id, before) && is_fresh(out[1].id, before) && out[0].id != out[1].id,
              "sh_s8: merge_prefix is another shape");
    }
    shape = shape_of("?34");
    prefix = shape_of("2?");
    CHECK(ssop_shape_merge_prefix(&inference, &unknown, &prefix, out, NULL) == SSOP_OK && out[0].id == unknown.id &&
              out[1].id == prefix.id,
          "sh_s8: unknown rank");
    CHECK(ssop_shape_merge_prefix(&inference, &shape, &unknown, out, NULL) == SSOP_OK && out[0].id == shape.id &&
              out[1].id == unknown.id,
          "sh_s8: prefix of unknown rank");
    out[0].id = -7;
    CHECK(ssop_shape_merge_prefix(&inference, &prefix, &shape, out, &error) != SSOP_OK && error.rule == SSOP_SH_C5 &&
              out[0].id == -7,
          "sh_c5: prefix too long");
    ssop_partial_shape other = shape_of("25");
    CHECK(ssop_shape_merge_prefix(&inference, &shape, &other, out, &error) != SSOP_OK && out[0].id == -7 &&
              is_error(&error, SSOP_SH_C3, 1, -1, 3, 5, 5),
          "sh_c3: prefix differs");
    CHECK(ssop_shape_merge_prefix(&inference, &shape, &other, out, NULL) != SSOP_OK, "sh_c3: no record");
}

/* ---- ranks, axes, parts ------------------------------------------------------------------------------------------ */

static void
test_ranks(void)
{
    ssop_partial_shape shape = shape_of("2?"), unknown = shape_of("*"), out;
    ssop_error error;
    CHECK(ssop_shape_with_rank(&inference, &shape, 2, &out, NULL) == SSOP_OK && out.id == shape.id, "sh_s8: with_rank");
    CHECK(ssop_shape_with_rank(&inference, &unknown, 2, &out, NULL) == SSOP_OK && has_text(&out, "[?,?]") &&
              out.dim[0].id != out.dim[1].id,
          "sh_s8: with_rank of unknown rank");
    CHECK(ssop_shape_with_rank(&inference, &shape, 3, &out, &error) != SSOP_OK &&
              is_error(&error, SSOP_SH_C4, -1, -1, 2, 3, 3),
          "sh_c4: with_rank");
    for (int64_t rank = -1; rank <= SSOP_MAX_RANK + 1; rank++) {
        const int64_t before = inference.last_id;
        bool legal = rank >= 0 && rank <= SSOP_MAX_RANK;
        out.id = -7;
        CHECK((ssop_shape_with_rank(&inference, &unknown, rank, &out, &error) == SSOP_OK) == legal &&
                  (legal ? out.rank == rank && is_fresh(out.id, before)
                         : out.id == -7 && is_error(&error, SSOP_SH_C7, -1, -1, rank, 0, SSOP_MAX_RANK)),
              "sh_c7: rank %d", (int)rank);
    }
    CHECK(ssop_shape_check_rank_at_least(&shape, 2, NULL) == SSOP_OK &&
              ssop_shape_check_rank_at_least(&unknown, 9, NULL) == SSOP_OK,
          "sh_s8: at least");
    CHECK(ssop_shape_check_rank_at_least(&shape, 3, &error) != SSOP_OK &&
              is_error(&error, SSOP_SH_C5, -1, -1, 2, 3, SSOP_MAX_RANK),
          "sh_c5: at least");
    CHECK(ssop_shape_check_rank_at_most(&shape, 2, NULL) == SSOP_OK &&
              ssop_shape_check_rank_at_most(&unknown, 0, NULL) == SSOP_OK,
          "sh_s8: at most");
    CHECK(ssop_shape_check_rank_at_most(&shape, 1, &error) != SSOP_OK && is_error(&error, SSOP_SH_C6, -1, -1, 2, 0, 1),
          "sh_c6: at most");
}

static void
test_axes(void)
{
    ssop_partial_shape shape = shape_of("2?4"), unknown = shape_of("*"), out;
    ssop_dim dim, five = {{5, 5}, 0};
    ssop_error error;
    for (int64_t axis = -3; axis < 3; axis++) {
        CHECK(ssop_shape_dim(&inference, &shape, axis, &dim, NULL) == SSOP_OK &&
                  memcmp(&dim, &shape.dim[(axis + 3) % 3], sizeof dim) == 0,
              "sh_s8: dim %d", (int)axis);
    }
    const int64_t before = inference.last_id;
    CHECK(ssop_shape_dim(&inference, &unknown, 99, &dim, NULL) == SSOP_OK && is_fresh(dim.id, before) &&
              dim.value.lo == 0 && dim.value.hi == INT64_MAX,
          "sh_s8: unknown rank");
    const int64_t beyond[] = {3, -4, INT64_C(1) << 32, -(INT64_C(1) << 32) - 1, INT64_MAX, INT64_MIN};
    for (int i = 0; i < COUNT(beyond); i++) {
        dim = five;
        out.id = -7;
        CHECK(ssop_shape_dim(&inference, &shape, beyond[i], &dim, &error) != SSOP_OK && dim.value.lo == 5 &&
                  is_error(&error, SSOP_SH_C11, -1, -1, beyond[i], -3, 2),
              "sh_c11: dim %lld", LL(beyond[i]));
        CHECK(ssop_shape_replace_dim(&inference, &shape, beyond[i], five, &out, &error) != SSOP_OK && out.id == -7 &&
                  is_error(&error, SSOP_SH_C11, -1, -1, beyond[i], -3, 2),
              "sh_c11: replace_dim %lld", LL(beyond[i]));
    }
    CHECK(ssop_shape_replace_dim(&inference, &shape, -1, five, &out, NULL) == SSOP_OK && has_text(&out, "[2,?,5]") &&
              out.id != shape.id,
          "sh_s8: replace_dim");
    CHECK(ssop_shape_replace_dim(&inference, &unknown, 0, five, &out, NULL) == SSOP_OK && has_text(&out, "?") &&
              is_fresh(out.id, before),
          "sh_s8: replace_dim of unknown rank");
}

static void
test_subshape(void)
{
    const struct {
        const char *shape;
        ssop_axes_range axes;
        const char *right; /* NULL: the error sh_c<error> with this form */
        ssop_rule rule;
        int32_t form;
        int64_t value, low; /* that the message shows */
    } examples[] = {
        {"2345", {1, 3, 1}, "[3,4]", 0, 0, 0, 0},
        {"2345", {1, INT64_MAX, 1}, "[3,4,5]", 0, 0, 0, 0},
        {"2345", {-3, -1, 1}, "[3,4]", 0, 0, 0, 0},
        {"2345", {0, 4, 2}, "[2,4]", 0, 0, 0, 0},
        {"2345", {4, 0, -1}, "[5,4,3]", 0, 0, 0, 0},
        {"2345", {3, 1, -2}, "[5]", 0, 0, 0, 0},
        {"2345", {9, 9, 1}, "[]", 0, 0, 0, 0},
        {"2345", {0, 9, INT64_MAX}, "[2]", 0, 0, 0, 0},
        {"2345", {2, 2, 1}, "[]", 0, 0, 0, 0},
        {"2345", {2, 2, -1}, "[]", 0, 0, 0, 0},
        {"2345", {0, 3, 1}, "[2,3,4]", 0, 0, 0, 0},
        {"*", {1, 3, 1}, "?", 0, 0, 0, 0},
        {"2345", {-5, 3, 1}, NULL, SSOP_SH_C9, 0, -5, 0},
        {"2345", {0, -5, 1}, NULL, SSOP_SH_C9, 1, -5, 0},
        {"2345", {3, 1, 1}, NULL, SSOP_SH_C10, 0, 3, 1},
        {"2345", {1, 3, -1}, NULL, SSOP_SH_C10, 1, 1, 3},
        {"2345", {0, 1, 0}, NULL, SSOP_SH_C21, 0, 0, 0},
        {"", {0, 0, -1}, NULL, SSOP_SH_C9, 0, 0, 0},
    };
    for (int i = 0; i < COUNT(examples); i++) {
        ssop_partial_shape shape = shape_of(examples[i].shape);
        ssop_error error = {.rule = SSOP_NO_RULE};
        const int64_t before = inference.last_id, id = shape.id;
        ssop_status status = ssop_shape_subshape(&inference, &shape, examples[i].axes, &shape, &error);
        bool shown = error.form == examples[i].form && error.value == examples[i].value && error.low == examples[i].low;
        CHECK(examples[i].right != NULL
                  ? status == SSOP_OK && has_text(&shape, examples[i].right) && is_fresh(shape.id, before)
                  : status != SSOP_OK && error.rule == examples[i].rule && shown && shape.id == id,
              "sh_s9: example %d: %s", i, ssop_rule_label(error.rule));
    }
    ssop_partial_shape shape = shape_of("23"), unknown = shape_of("*"), out;
    CHECK(ssop_shape_subshape(&inference, &shape, (ssop_axes_range){0, 2, 1}, &out, NULL) == SSOP_OK &&
              out.id == shape.id,
          "sh_s9: all axes");
    CHECK(ssop_shape_subshape(&inference, &unknown, (ssop_axes_range){0, INT64_MAX, 1}, &out, NULL) == SSOP_OK &&
              out.id == unknown.id,
          "sh_s9: all axes of an unknown rank");
}

static void
test_concatenate(void)
{
    ssop_partial_shape a = shape_of("2?"), b = shape_of("45"), unknown = shape_of("*"), out;
    int64_t before = inference.last_id;
    CHECK(ssop_shape_concatenate(&inference, &a, &b, &out, NULL) == SSOP_OK && has_text(&out, "[2,?,4,5]") &&
              is_fresh(out.id, before),
          "sh_s10: concatenate");
    before = inference.last_id;
    CHECK(ssop_shape_concatenate(&inference, &a, &unknown, &out, NULL) == SSOP_OK && has_text(&out, "?") &&
              is_fresh(out.id, before),
          "sh_s10: unknown rank");
    out = b;
    before = inference.last_id;
    CHECK(ssop_shape_concatenate(&inference, &unknown, &a, &out, NULL) == SSOP_OK && has_text(&out, "?") &&
              is_fresh(out.id, before),
          "sh_s10: unknown rank, then a known one");
    CHECK(ssop_shape_concatenate(&inference, &a, &b, &b, NULL) == SSOP_OK && has_text(&b, "[2,?,4,5]"),
          "sh_s10: in place of the second");
    CHECK(ssop_shape_concatenate(&inference, &a, &b, &a, NULL) == SSOP_OK && has_text(&a, "[2,?,2,?,4,5]"),
          "sh_s10: in place of the first");
    ssop_partial_shape all;
    ssop_error error;
    ssop_shape_of_rank(&inference, SSOP_MAX_RANK, &all);
    CHECK(ssop_shape_concatenate(&inference, &all, &a, &out, &error) != SSOP_OK &&
              is_error(&error, SSOP_IN_C9, -1, -1, SSOP_MAX_RANK + a.rank, 0, SSOP_MAX_RANK),
          "in_c9: too many axes");
}

/* ---- as many axes as there can be ------------------------------------------------------------------------------- */

static bool
has_dims(const ssop_partial_shape *shape, int32_t rank, int64_t all, int64_t last)
{
    bool has = shape->rank == rank;
    for (int32_t axis = 0; has && axis < rank; axis++) {
        const int64_t right = axis < rank - 1 ? all : last;
        has = shape->dim[axis].value.lo == right && shape->dim[axis].value.hi == right;
    }
    return has;
}

static void
test_most_axes(void)
{
    enum { HALF = SSOP_MAX_RANK / 2 };
    const ssop_dim three = dim_of(3);
    ssop_interval twos[SSOP_MAX_RANK];
    for (int i = 0; i < SSOP_MAX_RANK; i++) {
        twos[i] = (ssop_interval){2, 2};
    }
    ssop_partial_shape any, all, half, out, both[2];
    ssop_dim number;
    ssop_shape_of_rank(&inference, SSOP_MAX_RANK, &any);
    CHECK(ssop_shape_from_tensor(&inference, SSOP_MAX_RANK, twos, &all, NULL) == SSOP_OK &&
              has_dims(&all, SSOP_MAX_RANK, 2, 2),
          "sh_s11: 64 dims");
    CHECK(ssop_shape_replace_dim(&inference, &any, -1, three, &any, NULL) == SSOP_OK, "sh_s8: the last of 64 dims");
    all.dim[SSOP_MAX_RANK - 1] = ssop_dim_new(&inference, ANY_DIM);
    CHECK(ssop_shape_merge(&inference, &any, &all, &out, NULL) == SSOP_OK && has_dims(&out, SSOP_MAX_RANK, 2, 3),
          "sh_s3: merge 64 dims");
    CHECK(ssop_shape_merge_prefix(&inference, &any, &all, both, NULL) == SSOP_OK &&
              has_dims(&both[0], SSOP_MAX_RANK, 2, 3) && has_dims(&both[1], SSOP_MAX_RANK, 2, 3),
          "sh_s8: a prefix of 64 dims");
    ssop_shape_relax(&inference, &out, &both[0], &both[1]);
    CHECK(both[1].id == out.id && has_dims(&both[1], SSOP_MAX_RANK, 2, 3), "sh_s4: relax 64 equal dims");
    ssop_shape_relax(&inference, &out, &any, &both[1]);
    CHECK(both[1].rank == SSOP_MAX_RANK && both[1].dim[0].value.hi == INT64_MAX &&
              both[1].dim[SSOP_MAX_RANK - 1].value.hi == 3,
          "sh_s4: relax 64 dims");
    CHECK(ssop_shape_subshape(&inference, &out, (ssop_axes_range){HALF, INT64_MAX, 1}, &half, NULL) == SSOP_OK &&
              has_dims(&half, HALF, 2, 3),
          "sh_s9: the last 32 of 64 dims");
    CHECK(ssop_shape_concatenate(&inference, &half, &half, &half, NULL) == SSOP_OK && half.rank == SSOP_MAX_RANK &&
              half.dim[HALF - 1].value.lo == 3 && half.dim[HALF].value.lo == 2,
          "sh_s10: 32 and 32 dims");
    out.dim[0] = out.dim[1] = out.dim[2] = dim_of(1);
    CHECK(ssop_shape_num_elements(&inference, &out, &number, NULL) == SSOP_OK &&
              number.value.lo == 3 * (INT64_C(1) << 60) && ssop_dim_is_known(number),
          "sh_s12: 64 dims");
}

/* ---- numbers of elements, shape tensors -------------------------------------------------------------------------- */

static void
test_num_elements(void)
{
    const struct {
        const char *shape;
        int64_t tensorflow, lo, hi; /* -1: unknown */
    } examples[] = {
        {"?", -1, 0, INT64_MAX},  {"1?", -1, 0, INT64_MAX},  {"234", 24, 24, 24},      {"", 1, 1, 1},
        {"2?0", 0, 0, 0},         {"0?2", 0, 0, 0},          {"2?", -1, 0, INT64_MAX}, {"*", -1, 0, INT64_MAX},
        {"3+", -1, 3, INT64_MAX}, {"?+2", -1, 0, INT64_MAX},
    };
    for (int i = 0; i < COUNT(examples); i++) {
        ssop_partial_shape shape = shape_of(examples[i].shape);
        ssop_dim out;
        const int64_t before = inference.last_id;
        inference.tight = false;
        CHECK(ssop_shape_num_elements(&inference, &shape, &out, NULL) == SSOP_OK &&
                  (examples[i].tensorflow < 0 ? out.value.hi == INT64_MAX && is_fresh(out.id, before)
                                              : out.value.hi == examples[i].tensorflow),
              "sh_s12: TensorFlow: %s", examples[i].shape);
        inference.tight = true;
        CHECK(ssop_shape_num_elements(&inference, &shape, &out, NULL) == SSOP_OK && out.value.lo == examples[i].lo &&
                  out.value.hi == examples[i].hi,
              "sh_s12: tight: %s", examples[i].shape);
    }
    const ssop_dim large = {{INT64_MAX, INT64_MAX}, 0};
    ssop_partial_shape shape = shape_of("22?");
    shape.dim[0] = shape.dim[1] = large;
    ssop_dim out;
    ssop_error error;
    CHECK(ssop_shape_num_elements(&inference, &shape, &out, NULL) == SSOP_OK && out.value.lo == 0,
          "sh_s12: one dim may be 0");
    shape.rank = 2;
    CHECK(ssop_shape_num_elements(&inference, &shape, &out, &error) != SSOP_OK && error.rule == SSOP_SH_C14,
          "sh_c14: too many elements");
    inference.tight = false;
}

static void
test_from_tensor(void)
{
    const ssop_interval elements[5] = {{2, 2}, {-1, -1}, {INT64_MIN, INT64_MAX}, {1, 3}, {0, 3}};
    const ssop_interval negative[2] = {{1, 1}, {-5, -2}};
    static const ssop_interval many[SSOP_MAX_RANK + 1];
    ssop_partial_shape out = {.id = -7};
    ssop_error error;
    const int64_t before = inference.last_id;
    CHECK(ssop_shape_from_tensor(&inference, 5, elements, &out, NULL) == SSOP_OK && has_text(&out, "[2,?,?,?,?]") &&
              is_fresh(out.id, before),
          "sh_s11: TensorFlow");
    inference.tight = true;
    CHECK(ssop_shape_from_tensor(&inference, 5, elements, &out, NULL) == SSOP_OK && has_text(&out, "[2,?,?,1..3,0..3]"),
          "sh_s11: tight");
    inference.tight = false;
    CHECK(ssop_shape_from_tensor(&inference, 2, negative, &out, &error) != SSOP_OK &&
              is_error(&error, SSOP_SH_C17, -1, 1, -2, 0, 0),
          "sh_c17: negative");
    CHECK(ssop_shape_from_tensor(&inference, SSOP_MAX_RANK + 1, many, &out, &error) != SSOP_OK &&
              is_error(&error, SSOP_IN_C9, -1, -1, SSOP_MAX_RANK + 1, 0, SSOP_MAX_RANK),
          "in_c9: too many elements");
}

int
main(void)
{
    test_merge();
    test_merge_errors();
    test_relax();
    test_merge_prefix();
    test_ranks();
    test_axes();
    test_subshape();
    test_concatenate();
    test_most_axes();
    test_num_elements();
    test_from_tensor();
    return check_report("test_partial_shape");
}
