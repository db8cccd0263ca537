/* Partial shapes of the results of operations whose arguments are known: the function that resolves known shapes is
 * asked for the smallest and the largest dims that are valid (ss_s10). */
#include "dim.h"

/* A known shape, and what the function says of it. */
typedef struct {
    int64_t dim[SSOP_MAX_RANK];
    int32_t out_rank;
    int64_t out_dim[SSOP_MAX_RANK];
    int8_t source[SSOP_MAX_RANK];
} shape_answer;

static ssop_status
ask(const ssop_shape_function *function, int32_t rank, shape_answer *answer, ssop_error *error)
{
    ssop_shape shape = {rank, answer->dim};
    return function->resolve(function->arguments, shape, &answer->out_rank, answer->out_dim, answer->source, error);
}

/* True if this dim of an axis is not an error of the kind: too large, or else too small. */
static bool
dim_is_valid(const ssop_shape_function *function, int32_t rank, shape_answer *answer, int32_t axis, int64_t dim,
             bool too_large)
{
    ssop_error error = {.rule = SSOP_NO_RULE, .axis = -1, .entry = -1};
    answer->dim[axis] = dim;
    return ask(function, rank, answer, &error) == SSOP_OK || error.axis != axis ||
           (error.rule == function->too_large) != too_large;
}

/* Moves the dim of an axis away from `invalid` to the nearest valid one, by bisection. False if not even `limit` is
 * valid. */
static bool
move_to_valid(const ssop_shape_function *function, int32_t rank, shape_answer *answer, int32_t axis, int64_t limit,
              bool too_large)
{
    int64_t invalid = answer->dim[axis], valid = limit;
    if (invalid == limit || !dim_is_valid(function, rank, answer, axis, limit, too_large)) {
        return false;
    }
    while (max_int64(invalid, valid) - min_int64(invalid, valid) > 1) { /* dims: the distance fits */
        int64_t middle = invalid + (valid - invalid) / 2;
        if (dim_is_valid(function, rank, answer, axis, middle, too_large)) {
            valid = middle;
        }
        else {
            invalid = middle;
        }
    }
    answer->dim[axis] = valid;
    return true;
}

/* Finds the smallest valid dims (`upper` false) or the largest ones, from the ends of the intervals on. Every step
 * moves one axis further; an axis may be moved again, after errors of other axes have hidden another one of its own. */
static ssop_status
find_extreme(const ssop_shape_function *function, const ssop_partial_shape *shape, bool upper, shape_answer *answer,
             ssop_error *error)
{
    ssop_error found = {.rule = SSOP_NO_RULE, .axis = -1, .entry = -1};
    for (int32_t axis = 0; axis < shape->rank; axis++) {
        answer->dim[axis] = upper ? shape->dim[axis].value.hi : shape->dim[axis].value.lo;
    }
    ssop_status status = ask(function, shape->rank, answer, &found);
    while (status != SSOP_OK) {
        bool too_large = found.rule == function->too_large;
        if (found.axis < 0 || found.axis >= shape->rank || too_large != upper) {
            break;
        }
        const ssop_interval dim = shape->dim[found.axis].value;
        bool moved = move_to_valid(function, shape->rank, answer, found.axis, upper ? dim.lo : dim.hi, too_large);
        /* If no dim is valid, this gives the error of the most favourable one. */
        status = ask(function, shape->rank, answer, &found);
        if (!moved) {
            break;
        }
    }
    if (status != SSOP_OK && error != NULL) {
        *error = found;
    }
    return status;
}

/* True if the dim of the result is `dim` in every completion. It is if both ends of the interval are valid and are
 * their own results. The reason is that the results rise by steps that are all at most 1 or all at least 1. */
static bool
is_unchanged(ssop_interval dim, int64_t low_dim, int64_t high_dim, ssop_interval counts)
{
    return low_dim == dim.lo && high_dim == dim.hi && interval_equal(dim, counts);
}

static ssop_dim
result_dim(ssop_inference *inference, const ssop_partial_shape *shape, const shape_answer *low,
           const shape_answer *high, int32_t axis)
{
    const ssop_interval counts = interval_hull((ssop_interval){low->out_dim[axis], low->out_dim[axis]},
                                               (ssop_interval){high->out_dim[axis], high->out_dim[axis]});
    int32_t source = low->source[axis];
    bool unchanged = source >= 0 && is_unchanged(shape->dim[source].value, low->dim[source], high->dim[source], counts);
    return dim_in_mode(inference, unchanged ? shape->dim[source] : ssop_dim_new(inference, counts));
}

ssop_status
ssop_shape_function_infer(ssop_inference *inference, const ssop_shape_function *function,
                          const ssop_partial_shape *shape, ssop_partial_shape *out, ssop_error *error)
{
    ssop_partial_shape of_rank;
    if (shape->rank == SSOP_UNKNOWN_RANK) {
        if (function->rank == SSOP_UNKNOWN_RANK) {
            ssop_shape_of_unknown_rank(inference, out);
            return SSOP_OK;
        }
        ssop_shape_of_rank(inference, function->rank, &of_rank);
        shape = &of_rank;
    }
    shape_answer low, high;
    ssop_status status = find_extreme(function, shape, false, &low, error);
    status = status == SSOP_OK ? find_extreme(function, shape, true, &high, error) : status;
    if (status != SSOP_OK) {
        return status;
    }
    ssop_dim dims[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < low.out_rank; axis++) {
        dims[axis] = result_dim(inference, shape, &low, &high, axis);
    }
    memcpy(out->dim, dims, (size_t)low.out_rank * sizeof *dims);
    out->rank = low.out_rank;
    out->id = ++inference->last_id;
    return SSOP_OK;
}
