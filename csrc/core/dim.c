/* Dims that are known as an interval: merge, relax, arithmetic (sh_s3 .. sh_s7). */
#include "dim.h"
#include "text.h"

bool
ssop_dim_is_known(ssop_dim dim)
{
    return interval_is_one(dim.value);
}

bool
ssop_dim_is_same(ssop_dim a, ssop_dim b)
{
    return (a.id != 0 && a.id == b.id) || (ssop_dim_is_known(a) && interval_equal(a.value, b.value));
}

ssop_dim
ssop_dim_new(ssop_inference *inference, ssop_interval value)
{
    SSOP_ASSERT(value.lo >= 0 && value.lo <= value.hi);
    return (ssop_dim){value, interval_is_one(value) ? 0 : ++inference->last_id};
}

size_t
ssop_dim_text(ssop_dim dim, char *text, size_t size)
{
    text_writer writer = {text, size, 0};
    bool open = dim.value.hi >= SSOP_NO_UPPER_END;
    if (ssop_dim_is_known(dim)) {
        put_number(&writer, dim.value.lo);
    }
    else if (open && dim.value.lo == 0) {
        put_text(&writer, "?");
    }
    else {
        put_number(&writer, dim.value.lo);
        put_text(&writer, "..");
        if (!open) {
            put_number(&writer, dim.value.hi);
        }
    }
    return finish_text(&writer);
}

/* ---- merge and relax --------------------------------------------------------------------------------------------- */

ssop_status
ssop_dim_merge(ssop_inference *inference, ssop_dim a, ssop_dim b, ssop_dim *out, ssop_error *error)
{
    ssop_interval common = interval_common(a.value, b.value);
    if (common.lo > common.hi) {
        return report_contradiction(error, SSOP_SH_C3, NOWHERE, a, b);
    }
    *out = ssop_dim_is_same(a, b) || interval_equal(common, a.value) ? a
         : interval_equal(common, b.value)                           ? b
                                                                     : ssop_dim_new(inference, common);
    return SSOP_OK;
}

ssop_dim
ssop_dim_relax(ssop_inference *inference, ssop_dim old, ssop_dim new_)
{
    if (ssop_dim_is_same(old, new_)) {
        return old;
    }
    if (inference->tight) { /* never one of the two: it may be either */
        return ssop_dim_new(inference, interval_hull(old.value, new_.value));
    }
    bool is_new = interval_equal(old.value, new_.value) || interval_equal(new_.value, ANY_DIM);
    return is_new ? new_ : ssop_dim_new(inference, ANY_DIM);
}

ssop_status
ssop_dim_with_value(ssop_inference *inference, ssop_dim dim, int64_t value, ssop_dim *out, ssop_error *error)
{
    if (value < 0) {
        return fail(error, SSOP_IN_C10, at_axis(0), numbers(value, 0, INT64_MAX));
    }
    if (!interval_has(dim.value, value)) {
        return fail_form(error, SSOP_SH_C8, !ssop_dim_is_known(dim), NOWHERE,
                         numbers(value, dim.value.lo, dim.value.hi));
    }
    *out = ssop_dim_new(inference, (ssop_interval){value, value});
    return SSOP_OK;
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

/* Sums and products of upper ends: what does not fit is as large as a dim can be. */
static int64_t
add_up_to_max(int64_t a, int64_t b)
{
    int64_t sum;
    return checked_add(a, b, &sum) ? sum : INT64_MAX;
}

static int64_t
multiply_up_to_max(int64_t a, int64_t b)
{
    int64_t product;
    return checked_mul(a, b, &product) ? product : INT64_MAX;
}

static ssop_status
add(ssop_interval a, ssop_interval b, ssop_interval *out, ssop_error *error)
{
    if (!checked_add(a.lo, b.lo, &out->lo)) {
        return fail(error, SSOP_SH_C13, NOWHERE, numbers(a.lo, b.lo, 0));
    }
    out->hi = add_up_to_max(a.hi, b.hi);
    return SSOP_OK;
}

static ssop_status
subtract(ssop_interval a, ssop_interval b, ssop_interval *out, ssop_error *error)
{
    if (a.hi < b.lo) {
        return fail(error, SSOP_SH_C12, NOWHERE, numbers(a.hi, b.lo, 0));
    }
    *out = (ssop_interval){max_int64(a.lo - b.hi, 0), a.hi - b.lo};
    return SSOP_OK;
}

static ssop_status
multiply(ssop_interval a, ssop_interval b, ssop_interval *out, ssop_error *error)
{
    if (!checked_mul(a.lo, b.lo, &out->lo)) {
        return fail(error, SSOP_SH_C14, NOWHERE, numbers(a.lo, b.lo, 0));
    }
    out->hi = multiply_up_to_max(a.hi, b.hi);
    return SSOP_OK;
}

static ssop_status
divide(ssop_interval a, ssop_interval b, bool evenly, ssop_interval *out, ssop_error *error)
{
    if (b.hi < 1) {
        return fail(error, SSOP_SH_C15, NOWHERE, numbers(b.hi, 1, INT64_MAX));
    }
    *out = (ssop_interval){a.lo / b.hi, a.hi / max_int64(b.lo, 1)};
    if (evenly && interval_is_one(b)) {
        out->lo += a.lo % b.hi != 0 ? 1 : 0;
        if (out->lo > out->hi) {
            return fail_form(error, SSOP_SH_C16, !interval_is_one(a), NOWHERE, numbers(a.lo, b.lo, a.hi));
        }
    }
    return SSOP_OK;
}

static bool
is_number(ssop_dim dim, int64_t number)
{
    return dim.value.lo == number && dim.value.hi == number;
}

/* The operand that is the result whatever the other one is, by TensorFlow's rules, or NULL. */
static const ssop_dim *
operand_that_stays(ssop_dim_operator operation, const ssop_dim *a, const ssop_dim *b)
{
    switch (operation) {
    case SSOP_DIM_ADD:
        return is_number(*a, 0) ? b : is_number(*b, 0) ? a : NULL;
    case SSOP_DIM_SUBTRACT:
        return is_number(*b, 0) ? a : NULL;
    case SSOP_DIM_MULTIPLY:
        return is_number(*a, 0) ? a : is_number(*b, 0) ? b : is_number(*a, 1) ? b : is_number(*b, 1) ? a : NULL;
    case SSOP_DIM_DIVIDE:
    case SSOP_DIM_DIVIDE_EVENLY:
        return is_number(*b, 1) ? a : NULL;
    case SSOP_DIM_MIN:
        return is_number(*a, 0) ? a : is_number(*b, 0) ? b : NULL;
    default:
        SSOP_ASSERT(operation == SSOP_DIM_MAX);
        return NULL;
    }
}

/* The operand that is the smaller one, or the larger one, in every completion; NULL if that depends. */
static const ssop_dim *
certain_extreme(ssop_dim_operator operation, const ssop_dim *a, const ssop_dim *b)
{
    bool a_is_less = a->value.hi <= b->value.lo || ssop_dim_is_same(*a, *b), b_is_less = b->value.hi <= a->value.lo;
    if (operation == SSOP_DIM_MIN) {
        return a_is_less ? a : b_is_less ? b : NULL;
    }
    return b_is_less || ssop_dim_is_same(*a, *b) ? a : a_is_less ? b : NULL;
}

/* A dim and itself: only one number is chosen, not two. */
static bool
combine_same(ssop_dim_operator operation, ssop_dim dim, ssop_interval *out)
{
    bool divides = (operation == SSOP_DIM_DIVIDE || operation == SSOP_DIM_DIVIDE_EVENLY) && dim.value.hi > 0;
    if (divides || operation == SSOP_DIM_SUBTRACT) {
        *out = divides ? (ssop_interval){1, 1} : (ssop_interval){0, 0};
        return true;
    }
    return false;
}

static ssop_status
combine(ssop_dim_operator operation, ssop_interval a, ssop_interval b, ssop_interval *out, ssop_error *error)
{
    switch (operation) {
    case SSOP_DIM_ADD:
        return add(a, b, out, error);
    case SSOP_DIM_SUBTRACT:
        return subtract(a, b, out, error);
    case SSOP_DIM_MULTIPLY:
        return multiply(a, b, out, error);
    case SSOP_DIM_DIVIDE:
    case SSOP_DIM_DIVIDE_EVENLY:
        return divide(a, b, operation == SSOP_DIM_DIVIDE_EVENLY, out, error);
    case SSOP_DIM_MIN:
        *out = (ssop_interval){min_int64(a.lo, b.lo), min_int64(a.hi, b.hi)};
        return SSOP_OK;
    default:
        SSOP_ASSERT(operation == SSOP_DIM_MAX);
        *out = (ssop_interval){max_int64(a.lo, b.lo), max_int64(a.hi, b.hi)};
        return SSOP_OK;
    }
}

ssop_status
ssop_dim_arithmetic(ssop_inference *inference, ssop_dim_operator operation, ssop_dim a, ssop_dim b, ssop_dim *out,
                    ssop_error *error)
{
    const ssop_dim *operand = operand_that_stays(operation, &a, &b);
    bool known = ssop_dim_is_known(a) && ssop_dim_is_known(b);
    bool is_extreme = operation == SSOP_DIM_MIN || operation == SSOP_DIM_MAX;
    if (operand == NULL && is_extreme && (known || inference->tight)) {
        operand = certain_extreme(operation, &a, &b);
    }
    if (operand != NULL) {
        *out = *operand;
        return SSOP_OK;
    }
    if (!known && !inference->tight) {
        *out = ssop_dim_new(inference, ANY_DIM);
        return SSOP_OK;
    }
    ssop_interval result = a.value;
    if (!ssop_dim_is_same(a, b) || !combine_same(operation, a, &result)) {
        ssop_status status = combine(operation, a.value, b.value, &result, error);
        if (status != SSOP_OK) {
            return status;
        }
    }
    *out = ssop_dim_new(inference, result);
    return SSOP_OK;
}
