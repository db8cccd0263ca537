/* What could go wrong: an axis that is not listed is reversed, moved or repeated, or a list that is not a list of axes
 * is accepted. */
#include "check.h"

enum { MAX_RANK = 4 };

static ssop_view
random_view(void)
{
    static char memory[1];
    ssop_view view = {memory, random_between(0, 16), (int32_t)random_between(0, MAX_RANK), {0}, {0}};
    for (int32_t axis = 0; axis < view.rank; axis++) {
        view.dim[axis] = random_between(0, 4);
        view.stride[axis] = random_between(-99, 99);
    }
    return view;
}

/* A list of axes: half of the time a shuffle of 0 .. rank-1, else anything near. Returns its length. */
static int64_t
random_axes(int32_t rank, int64_t *axes)
{
    for (int32_t i = 0; i < rank; i++) {
        int32_t j = (int32_t)random_between(0, i);
        axes[i] = axes[j];
        axes[j] = i;
    }
    if (random_between(0, 1) == 0) {
        return rank;
    }
    int64_t count = random_between(0, rank + 1);
    for (int64_t i = 0; i < count; i++) {
        axes[i] = random_between(-1, rank);
    }
    return count;
}

static bool
same_head(const ssop_view *seen, const ssop_view *operand)
{
    return seen->data == operand->data && seen->item_bytes == operand->item_bytes;
}

/* The first entry that is outside, and the first that repeats an earlier one; `count` stands for no such entry. */
static void
find_faults(int64_t count, const int64_t *axes, int32_t rank, int64_t *outside, int64_t *again)
{
    *outside = *again = count;
    for (int64_t i = count - 1; i >= 0; i--) {
        *outside = axes[i] < 0 || axes[i] >= rank ? i : *outside;
        for (int64_t j = 0; j < i; j++) {
            *again = axes[i] == axes[j] ? i : *again;
        }
    }
}

/* What tr_c1 .. tr_c3 say, or SSOP_NO_RULE. */
static ssop_error
permutation_fault(int64_t count, const int64_t *axes, int32_t rank)
{
    int64_t outside, again;
    find_faults(count, axes, rank, &outside, &again);
    if (count != rank) {
        return error_of(SSOP_TR_C1, -1, -1, count, rank, rank);
    }
    if (outside < count) {
        return error_of(SSOP_TR_C2, -1, (int32_t)outside, axes[outside], 0, rank - 1);
    }
    if (again < count) {
        return error_of(SSOP_TR_C3, -1, (int32_t)again, axes[again], 0, 0);
    }
    return (ssop_error){.rule = SSOP_NO_RULE};
}

/* True if a call did what `right` says: succeeded, or failed with that record. */
static bool
agrees(ssop_status status, const ssop_error *error, const ssop_error *right)
{
    return status == ssop_rule_status(right->rule) &&
           (status == SSOP_OK ||
            is_error(error, right->rule, right->axis, right->entry, right->value, right->low, right->high));
}

/* ---- rev --------------------------------------------------------------------------------------------------------- */

static void
check_reverse(void)
{
    int64_t axes[MAX_RANK + 1], dims[MAX_RANK], outside, again;
    int32_t rank = (int32_t)random_between(0, MAX_RANK);
    int64_t count = random_axes(rank, axes);
    count = count == rank ? random_between(0, rank) : count; /* a part of a shuffle */
    for (int32_t axis = 0; axis < rank; axis++) {
        dims[axis] = random_between(0, 4);
    }
    find_faults(count, axes, rank, &outside, &again);
    ssop_error right = {.rule = SSOP_NO_RULE}, error;
    if (outside < count) {
        right = error_of(SSOP_REV_C2, -1, (int32_t)outside, axes[outside], 0, rank - 1);
    }
    if (again < count) { /* looked for first */
        right = error_of(SSOP_REV_C1, -1, (int32_t)again, axes[again], 0, 0);
    }
    ssop_region region;
    mark(&region, sizeof(region));
    ssop_status status = ssop_reverse_resolve(count, axes, (ssop_shape){rank, dims}, &region, &error);
    CHECK(agrees(status, &error, &right), "%s: rank %d", ssop_rule_label(right.rule), rank);
    if (status != SSOP_OK) {
        CHECK(is_marked(&region, sizeof(region)), "rev: written on failure");
        return;
    }
    CHECK(region.in_rank == rank && region.out_rank == rank, "rev_s1: ranks");
    for (int32_t axis = 0; axis < rank; axis++) {
        bool turned = false;
        for (int64_t i = 0; i < count; i++) {
            turned = turned || axes[i] == axis;
        }
        ssop_range range = region.range[axis];
        bool plain = !turned || dims[axis] < 2;
        CHECK(region.out_axis[axis] == axis && range.count == dims[axis] && range.step == (plain ? 1 : -1) &&
                  range.start == (plain ? 0 : dims[axis] - 1),
              "rev_s1: axis %d", axis);
    }
}

/* ---- transpose --------------------------------------------------------------------------------------------------- */

static void
check_transpose(void)
{
    ssop_view operand = random_view(), seen;
    int64_t axes[MAX_RANK + 1], count = random_axes(operand.rank, axes);
    ssop_error right = permutation_fault(count, axes, operand.rank), error;
    mark(&seen, sizeof(seen));
    ssop_status status = ssop_transpose_view(count, axes, &operand, &seen, &error);
    CHECK(agrees(status, &error, &right), "%s: rank %d", ssop_rule_label(right.rule), operand.rank);
    if (status != SSOP_OK) {
        CHECK(is_marked(&seen, sizeof(seen)), "tr: written on failure");
        return;
    }
    CHECK(same_head(&seen, &operand) && seen.rank == operand.rank, "tr_s1: the view");
    for (int32_t axis = 0; axis < seen.rank; axis++) {
        CHECK(seen.dim[axis] == operand.dim[axes[axis]] && seen.stride[axis] == operand.stride[axes[axis]],
              "tr_s1: axis %d", axis);
    }
}

/* ---- broadcast --------------------------------------------------------------------------------------------------- */

static void
check_broadcast(void)
{
    ssop_view operand = random_view(), seen;
    int64_t sizes[MAX_RANK] = {0}, count = random_between(0, MAX_RANK), negative = -1;
    for (int64_t i = 0; i < count; i++) {
        sizes[i] = random_between(0, 30) == 0 ? INT64_MIN : random_between(0, 5);
        negative = negative < 0 && sizes[i] < 0 ? i : negative;
    }
    ssop_error error;
    mark(&seen, sizeof(seen));
    ssop_status status = ssop_broadcast_view(count, sizes, &operand, &seen, &error);
    if (negative >= 0) {
        CHECK(status == SSOP_VALUE_ERROR &&
                  is_error(&error, SSOP_BC_C1, -1, (int32_t)negative, INT64_MIN, 0, INT64_MAX) &&
                  is_marked(&seen, sizeof(seen)),
              "bc_c1: entry %lld", LL(negative));
        return;
    }
    CHECK(status == SSOP_OK && same_head(&seen, &operand) && seen.rank == operand.rank + count, "bc_s1: the view");
    for (int32_t axis = 0; axis < seen.rank; axis++) {
        bool added = axis < count;
        int32_t from = axis - (int32_t)count;
        CHECK(seen.dim[axis] == (added ? sizes[axis] : operand.dim[from]) &&
                  seen.stride[axis] == (added ? 0 : operand.stride[from]),
              "bc_s1: axis %d", axis);
    }
}

static void
test_broadcast_ranks(void)
{
    ssop_view operand = {NULL, 1, 3, {1, 1, 1}, {1, 1, 1}}, seen;
    int64_t sizes[SSOP_MAX_RANK] = {0};
    ssop_error error;
    CHECK(ssop_broadcast_view(61, sizes, &operand, &seen, &error) == SSOP_OK && seen.rank == 64, "bc_c2: 64 axes");
    const int64_t counts[] = {62, 64, 65, INT64_MAX - 3};
    for (int i = 0; i < COUNT(counts); i++) {
        CHECK(ssop_broadcast_view(counts[i], sizes, &operand, &seen, &error) == SSOP_VALUE_ERROR &&
                  is_error(&error, SSOP_BC_C2, -1, -1, counts[i] + 3, 0, 64),
              "bc_c2: %lld", LL(counts[i]));
    }
    sizes[63] = -1;
    CHECK(ssop_broadcast_view(100, sizes, &operand, &seen, NULL) == SSOP_VALUE_ERROR, "bc_c1: before the rank");
}

/* ---- broadcast in dim -------------------------------------------------------------------------------------------- */

static ssop_error
in_dim_fault(const ssop_view *operand, int32_t rank, const int64_t *dims, int64_t count, const int64_t *axes)
{
    int64_t outside, again;
    find_faults(count, axes, rank, &outside, &again);
    if (count != operand->rank) {
        return error_of(SSOP_BID_C1, -1, -1, count, operand->rank, operand->rank);
    }
    if (outside < count) {
        return error_of(SSOP_BID_C2, -1, (int32_t)outside, axes[outside], 0, rank - 1);
    }
    if (operand->rank > rank) {
        return error_of(SSOP_BID_C3, -1, -1, operand->rank, 0, rank);
    }
    for (int32_t axis = 0; axis < operand->rank; axis++) {
        int64_t dim = operand->dim[axis], wanted = dims[axes[axis]];
        if (dim != 1 && dim != wanted) {
            return error_of(SSOP_BID_C4, axis, axis, dim, axes[axis], wanted);
        }
    }
    if (again < count) {
        return error_of(SSOP_BID_C5, -1, (int32_t)again, axes[again], 0, 0);
    }
    return (ssop_error){.rule = SSOP_NO_RULE};
}

static void
check_broadcast_in_dim(void)
{
    ssop_view operand = random_view(), seen;
    int32_t rank = (int32_t)random_between(0, MAX_RANK + 1);
    int64_t dims[MAX_RANK + 1], axes[MAX_RANK + 2], count = operand.rank;
    for (int32_t axis = 0; axis < rank; axis++) {
        dims[axis] = random_between(0, 4);
    }
    random_axes(rank, axes);
    if (random_between(0, 9) == 0) {
        count = random_between(0, MAX_RANK);
    }
    for (int64_t i = rank; i < count; i++) {
        axes[i] = random_between(0, rank - (rank > 0));
    }
    for (int32_t axis = 0; axis < count && random_between(0, 9) > 0; axis++) { /* mostly dims that fit */
        if (axis < operand.rank && axes[axis] >= 0 && axes[axis] < rank && operand.dim[axis] != 1) {
            dims[axes[axis]] = operand.dim[axis];
        }
    }
    ssop_error right = in_dim_fault(&operand, rank, dims, count, axes), error;
    mark(&seen, sizeof(seen));
    ssop_status status = ssop_broadcast_in_dim_view((ssop_shape){rank, dims}, count, axes, &operand, &seen, &error);
    CHECK(agrees(status, &error, &right), "%s, not %s: rank %d to %d", ssop_rule_label(error.rule),
          ssop_rule_label(right.rule), operand.rank, rank);
    if (status != SSOP_OK) {
        CHECK(right.rule != SSOP_BID_C4 || (error.low == right.low && error.high == right.high), "bid_c4: the dims");
        CHECK(is_marked(&seen, sizeof(seen)), "bid: written on failure");
        return;
    }
    CHECK(same_head(&seen, &operand) && seen.rank == rank, "bid_s1: the view");
    for (int32_t axis = 0; axis < rank; axis++) {
        int64_t stride = 0;
        for (int32_t from = 0; from < operand.rank; from++) {
            stride = axes[from] == axis && operand.dim[from] != 1 ? operand.stride[from] : stride;
        }
        CHECK(seen.dim[axis] == dims[axis] && seen.stride[axis] == stride, "bid_s1, bid_s2: axis %d", axis);
    }
}

static void
test_in_dim_ranks(void)
{
    ssop_view operand = {NULL, 1, 3, {1, 1, 1}, {1, 1, 1}}, seen;
    const int64_t dims[2] = {4, 4}, axes[3] = {0, 1, 1}, twice[3] = {1, 1, 0}, wide[3] = {4, 4, 4};
    ssop_error error;
    CHECK(ssop_broadcast_in_dim_view((ssop_shape){2, dims}, 3, axes, &operand, &seen, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_BID_C3, -1, -1, 3, 0, 2),
          "bid_c3");
    CHECK(ssop_broadcast_in_dim_view((ssop_shape){3, wide}, 3, twice, &operand, &seen, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_BID_C5, -1, 1, 1, 0, 0),
          "bid_c5");
    const int64_t past = INT64_C(1) << 32, ones[3] = {1, 1, 1};
    CHECK(ssop_broadcast_in_dim_view((ssop_shape){3, wide}, past + 3, axes, &operand, &seen, &error) ==
                  SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_BID_C1, -1, -1, past + 3, 3, 3),
          "bid_c1: a count past 32 bits");
    ssop_view long_axis = {NULL, 1, 1, {past + 1}, {1}};
    CHECK(ssop_broadcast_in_dim_view((ssop_shape){3, ones}, 1, axes, &long_axis, &seen, &error) == SSOP_VALUE_ERROR &&
              error.rule == SSOP_BID_C4 && error.value == past + 1 && error.high == 1,
          "bid_c4: a dim past 32 bits");
}

/* ---- reshape and collapse ---------------------------------------------------------------------------------------- */

static int64_t
product(int32_t rank, const int64_t *dims)
{
    int64_t count = 1;
    for (int32_t axis = 0; axis < rank; axis++) {
        count *= dims[axis];
    }
    return count;
}

static void
check_reshape(void)
{
    ssop_view operand = random_view(), seen;
    int64_t sizes[MAX_RANK] = {0}, axes[MAX_RANK + 1], count = random_axes(operand.rank, axes);
    int32_t rank = (int32_t)random_between(0, MAX_RANK);
    bool moves = random_between(0, 1) == 0;
    for (int32_t axis = 0; axis < rank; axis++) {
        sizes[axis] = random_between(0, 4);
    }
    int64_t from = product(operand.rank, operand.dim), to = product(rank, sizes);
    if (from != to && rank > 0 && random_between(0, 3) > 0) { /* make it fit */
        for (int32_t axis = 0; axis < rank; axis++) {
            sizes[axis] = axis == rank - 1 ? from : 1;
        }
        to = from;
    }
    ssop_error right = {.rule = SSOP_NO_RULE}, error;
    if (moves) {
        right = permutation_fault(count, axes, operand.rank);
    }
    if (from != to) {
        right = error_of(SSOP_RS_C1, -1, -1, to, from, from);
    }
    ssop_reshape_spec spec = {{rank, sizes}, moves ? axes : NULL, count};
    mark(&seen, sizeof(seen));
    ssop_status status = ssop_reshape_view(&spec, &operand, &seen, &error);
    CHECK(agrees(status, &error, &right), "%s: rank %d to %d", ssop_rule_label(right.rule), operand.rank, rank);
    if (status != SSOP_OK) {
        CHECK(is_marked(&seen, sizeof(seen)), "rs: written on failure");
        return;
    }
    CHECK(same_head(&seen, &operand) && seen.rank == operand.rank, "rs_s1: the view");
    for (int32_t axis = 0; axis < seen.rank; axis++) {
        int64_t at = moves ? axes[axis] : axis;
        CHECK(seen.dim[axis] == operand.dim[at] && seen.stride[axis] == operand.stride[at], "rs_s1, rs_s2: axis %d",
              axis);
    }
}

static void
test_reshape_counts(void)
{
    const int64_t large[3] = {INT64_MAX, 3, 1}, empty[3] = {INT64_MAX, 3, 0}, whole[1] = {INT64_MAX};
    ssop_view operand = {NULL, 1, 1, {INT64_MAX}, {0}}, huge = {NULL, 1, 3, {INT64_MAX, 3, 1}, {0}},
              none = {NULL, 1, 3, {INT64_MAX, 3, 0}, {0}}, seen;
    ssop_reshape_spec to_large = {{3, large}, NULL, 0}, to_empty = {{3, empty}, NULL, 0};
    ssop_reshape_spec to_whole = {{1, whole}, NULL, 0};
    ssop_error error;
    CHECK(ssop_reshape_view(&to_large, &operand, &seen, &error) == SSOP_OVERFLOW_ERROR &&
              is_error(&error, SSOP_RS_C2, -1, -1, 0, 0, 0),
          "rs_c2: new sizes");
    CHECK(ssop_reshape_view(&to_whole, &huge, &seen, &error) == SSOP_OVERFLOW_ERROR, "rs_c2: the operand");
    CHECK(ssop_reshape_view(&to_empty, &none, &seen, &error) == SSOP_OK, "rs_c2: nothing is not too much");
    CHECK(ssop_reshape_view(&to_empty, &operand, &seen, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_RS_C1, -1, -1, 0, INT64_MAX, INT64_MAX) && error.form == 0,
          "rs_c1: nothing");
    const int64_t first[1] = {0};
    to_empty.permutation = first;
    CHECK(ssop_reshape_view(&to_empty, &operand, &seen, &error) == SSOP_VALUE_ERROR && error.rule == SSOP_RS_C1 &&
              error.form == 1,
          "rs_c1: with dimensions");
    CHECK(ssop_reshape_view(&to_whole, &operand, &seen, NULL) == SSOP_OK, "rs_s1: as it is");
}

static void
check_collapse(void)
{
    int64_t dims[MAX_RANK], axes[MAX_RANK + 2], out_dims[SSOP_MAX_RANK], first = random_between(-1, MAX_RANK);
    int32_t rank = (int32_t)random_between(0, MAX_RANK), out_rank = 77, broken = -1, outside = -1;
    int32_t count = (int32_t)random_between(0, rank + 1);
    for (int32_t axis = 0; axis < rank; axis++) {
        dims[axis] = random_between(0, 4);
    }
    for (int32_t i = 0; i < count; i++) {
        axes[i] = random_between(0, 30) == 0 ? random_between(-1, rank) : first + i;
    }
    for (int32_t i = count - 1; i >= 0; i--) {
        broken = i > 0 && axes[i] - axes[i - 1] != 1 ? i : broken;
        outside = axes[i] < 0 || axes[i] >= rank ? i : outside;
    }
    ssop_error right = {.rule = SSOP_NO_RULE}, error;
    if (outside >= 0) {
        right = error_of(SSOP_COL_C2, -1, outside, axes[outside], 0, rank - 1);
    }
    if (broken >= 0) {
        int64_t next = axes[broken - 1] + 1;
        right = error_of(SSOP_COL_C1, -1, broken, axes[broken], next, next);
    }
    mark(out_dims, sizeof(out_dims));
    ssop_status status = ssop_collapse_dims(count, axes, (ssop_shape){rank, dims}, &out_rank, out_dims, &error);
    CHECK(agrees(status, &error, &right), "%s: rank %d", ssop_rule_label(right.rule), rank);
    if (status != SSOP_OK) {
        CHECK(out_rank == 77 && is_marked(out_dims, sizeof(out_dims)), "col: written on failure");
        return;
    }
    int64_t expected[MAX_RANK];
    int32_t at = 0;
    for (int32_t axis = 0; axis < rank; axis++) {
        bool joins = count > 0 && axis > axes[0] && axis <= axes[count - 1];
        if (joins) {
            expected[at - 1] *= dims[axis];
        }
        else {
            expected[at++] = dims[axis];
        }
    }
    CHECK(out_rank == at, "col_s1, col_s2: rank %d", out_rank);
    for (int32_t axis = 0; axis < at; axis++) {
        CHECK(out_dims[axis] == expected[axis], "col_s1: axis %d", axis);
    }
}

static void
test_collapse_ends(void)
{
    const int64_t dims[3] = {2, INT64_MAX, 2}, empty[3] = {0, INT64_MAX, 2}, ends[2] = {INT64_MAX, INT64_MIN},
                  last[2] = {1, 2}, all[3] = {0, 1, 2};
    int64_t out_dims[SSOP_MAX_RANK];
    int32_t out_rank;
    ssop_error error;
    CHECK(ssop_collapse_dims(2, ends, (ssop_shape){3, dims}, &out_rank, out_dims, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_COL_C1, -1, 1, INT64_MIN, INT64_MAX, INT64_MAX),
          "col_c1: the end of int64");
    const int64_t far_axes[2] = {INT64_C(1) << 33, 7};
    CHECK(ssop_collapse_dims(2, far_axes, (ssop_shape){3, dims}, &out_rank, out_dims, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_COL_C1, -1, 1, 7, far_axes[0] + 1, far_axes[0] + 1),
          "col_c1: past 32 bits");
    CHECK(ssop_collapse_dims(0, NULL, (ssop_shape){3, dims}, &out_rank, out_dims, NULL) == SSOP_OK && out_rank == 3 &&
              memcmp(out_dims, dims, sizeof dims) == 0,
          "col_s2: nothing is collapsed");
    CHECK(ssop_collapse_dims(2, last, (ssop_shape){3, dims}, &out_rank, out_dims, &error) == SSOP_OVERFLOW_ERROR &&
              is_error(&error, SSOP_COL_C3, 1, -1, 0, 0, 0),
          "col_c3");
    CHECK(ssop_collapse_dims(3, all, (ssop_shape){3, empty}, &out_rank, out_dims, NULL) == SSOP_OK && out_dims[0] == 0,
          "col_c3: nothing is not too much");
}

/* No list is read past SSOP_MAX_RANK + 1 entries, however long it says it is. */
static void
test_long_lists(void)
{
    int64_t axes[SSOP_MAX_RANK + 1], dims[SSOP_MAX_RANK], out_dims[SSOP_MAX_RANK];
    for (int i = 0; i <= SSOP_MAX_RANK; i++) {
        axes[i] = i;
    }
    for (int i = 0; i < SSOP_MAX_RANK; i++) {
        dims[i] = 1;
    }
    ssop_region region;
    ssop_error error;
    int32_t out_rank;
    CHECK(ssop_reverse_resolve(INT64_MAX, axes, (ssop_shape){64, dims}, &region, &error) == SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_REV_C2, -1, 64, 64, 0, 63),
          "rev_c2: a long list");
    CHECK(ssop_collapse_dims(INT64_MAX, axes, (ssop_shape){64, dims}, &out_rank, out_dims, &error) ==
                  SSOP_VALUE_ERROR &&
              is_error(&error, SSOP_COL_C2, -1, 64, 64, 0, 63),
          "col_c2: a long list");
    CHECK(ssop_reverse_resolve(64, axes, (ssop_shape){64, dims}, &region, NULL) == SSOP_OK, "rev_s1: every axis");
    CHECK(ssop_collapse_dims(64, axes, (ssop_shape){64, dims}, &out_rank, out_dims, NULL) == SSOP_OK && out_rank == 1,
          "col_s1: every axis");
}

int
main(void)
{
    for (int i = 0; i < 30000; i++) {
        check_reverse();
        check_transpose();
        check_broadcast();
        check_broadcast_in_dim();
        check_reshape();
        check_collapse();
    }
    test_broadcast_ranks();
    test_in_dim_ranks();
    test_reshape_counts();
    test_collapse_ends();
    test_long_lists();
    return check_report("test_rearrange");
}
