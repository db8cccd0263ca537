/* Shapes whose dims and rank may be unknown: the rules of TensorFlow's shape inference (sh_s3, sh_s4, sh_s8 ..
 * sh_s12). */
#include "dim.h"
#include "text.h"

static bool
rank_is_known(const ssop_partial_shape *shape)
{
    return shape->rank != SSOP_UNKNOWN_RANK;
}

/* Copies what a shape has; the dims beyond its rank are not touched. */
static void
copy_shape(ssop_partial_shape *out, const ssop_partial_shape *shape)
{
    size_t dims = rank_is_known(shape) ? (size_t)shape->rank : 0;
    out->id = shape->id;
    out->rank = shape->rank;
    memmove(out->dim, shape->dim, dims * sizeof *shape->dim);
}

void
ssop_shape_of_unknown_rank(ssop_inference *inference, ssop_partial_shape *out)
{
    out->id = ++inference->last_id;
    out->rank = SSOP_UNKNOWN_RANK;
}

void
ssop_shape_of_rank(ssop_inference *inference, int32_t rank, ssop_partial_shape *out)
{
    SSOP_ASSERT(rank >= 0 && rank <= SSOP_MAX_RANK);
    out->id = ++inference->last_id;
    out->rank = rank;
    for (int32_t axis = 0; axis < rank; axis++) {
        out->dim[axis] = ssop_dim_new(inference, ANY_DIM);
    }
}

size_t
ssop_shape_text(const ssop_partial_shape *shape, char *text, size_t size)
{
    text_writer writer = {text, size, 0};
    if (!rank_is_known(shape)) {
        put_text(&writer, "?");
        return finish_text(&writer);
    }
    put_text(&writer, "[");
    for (int32_t axis = 0; axis < shape->rank; axis++) {
        char dim[48];
        ssop_dim_text(shape->dim[axis], dim, sizeof dim);
        put_text(&writer, axis > 0 ? "," : "");
        put_text(&writer, dim);
    }
    put_text(&writer, "]");
    return finish_text(&writer);
}

/* ---- merge and relax --------------------------------------------------------------------------------------------- */

/* Whether each shape says all that the two say together. */
typedef struct {
    bool a, b;
} says_all;

static ssop_status
compare_dims(const ssop_partial_shape *a, const ssop_partial_shape *b, says_all *all, ssop_error *error)
{
    *all = (says_all){true, true};
    for (int32_t axis = 0; axis < a->rank; axis++) {
        ssop_dim x = a->dim[axis], y = b->dim[axis];
        ssop_interval common = interval_common(x.value, y.value);
        if (common.lo > common.hi) {
            return report_contradiction(error, SSOP_SH_C2, at_axis(axis), x, y);
        }
        all->a = all->a && interval_equal(common, x.value);
        all->b = all->b && interval_equal(common, y.value);
    }
    return SSOP_OK;
}

ssop_status
ssop_shape_merge(ssop_inference *inference, const ssop_partial_shape *a, const ssop_partial_shape *b,
                 ssop_partial_shape *out, ssop_error *error)
{
    says_all all = {.a = a->id == b->id || !rank_is_known(b), .b = !rank_is_known(a)};
    if (!all.a && !all.b) {
        if (a->rank != b->rank) {
            return fail(error, SSOP_SH_C1, NOWHERE, numbers(a->rank, b->rank, b->rank));
        }
        ssop_status status = compare_dims(a, b, &all, error);
        if (status != SSOP_OK) {
            return status;
        }
    }
    if (all.a || all.b) {
        copy_shape(out, all.a ? a : b);
        return SSOP_OK;
    }
    int32_t rank = a->rank;
    for (int32_t axis = 0; axis < rank; axis++) { /* no dims conflict: nothing fails */
        ssop_dim_merge(inference, a->dim[axis], b->dim[axis], &out->dim[axis], NULL);
    }
    out->rank = rank;
    out->id = ++inference->last_id;
    return SSOP_OK;
}

void
ssop_shape_relax(ssop_inference *inference, const ssop_partial_shape *old, const ssop_partial_shape *new_,
                 ssop_partial_shape *out)
{
    if (old->id == new_->id || !rank_is_known(new_)) {
        copy_shape(out, old->id == new_->id ? old : new_);
        return;
    }
    if (old->rank != new_->rank) {
        ssop_shape_of_unknown_rank(inference, out);
        return;
    }
    int32_t rank = old->rank;
    bool stays = true;
    for (int32_t axis = 0; axis < rank; axis++) {
        stays = stays && ssop_dim_is_same(old->dim[axis], new_->dim[axis]);
    }
    if (stays) {
        copy_shape(out, old);
        return;
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        out->dim[axis] = ssop_dim_relax(inference, old->dim[axis], new_->dim[axis]);
    }
    out->rank = rank;
    out->id = ++inference->last_id;
}

ssop_status
ssop_shape_merge_prefix(ssop_inference *inference, const ssop_partial_shape *shape, const ssop_partial_shape *prefix,
                        ssop_partial_shape out[2], ssop_error *error)
{
    if (rank_is_known(shape) && rank_is_known(prefix)) {
        ssop_status status = ssop_shape_check_rank_at_least(shape, prefix->rank, error);
        ssop_dim merged[SSOP_MAX_RANK]; /* nothing is written before all dims are merged */
        for (int32_t axis = 0; status == SSOP_OK && axis < prefix->rank; axis++) {
            status = ssop_dim_merge(inference, shape->dim[axis], prefix->dim[axis], &merged[axis], error);
            if (status != SSOP_OK && error != NULL) {
                error->axis = axis;
            }
        }
        if (status != SSOP_OK) {
            return status;
        }
        copy_shape(&out[0], shape);
        memcpy(out[0].dim, merged, (size_t)prefix->rank * sizeof *merged);
        memcpy(out[1].dim, merged, (size_t)prefix->rank * sizeof *merged);
        out[1].rank = prefix->rank;
        out[0].id = ++inference->last_id;
        out[1].id = ++inference->last_id;
        return SSOP_OK;
    }
    copy_shape(&out[0], shape);
    copy_shape(&out[1], prefix);
    return SSOP_OK;
}

/* ---- ranks ------------------------------------------------------------------------------------------------------- */

ssop_status
ssop_shape_with_rank(ssop_inference *inference, const ssop_partial_shape *shape, int64_t rank, ssop_partial_shape *out,
                     ssop_error *error)
{
    if (rank < 0 || rank > SSOP_MAX_RANK) {
        return fail(error, SSOP_SH_C7, NOWHERE, numbers(rank, 0, SSOP_MAX_RANK));
    }
    if (!rank_is_known(shape)) {
        ssop_shape_of_rank(inference, (int32_t)rank, out);
        return SSOP_OK;
    }
    if (shape->rank != rank) {
        return fail(error, SSOP_SH_C4, NOWHERE, numbers(shape->rank, rank, rank));
    }
    copy_shape(out, shape);
    return SSOP_OK;
}

ssop_status
ssop_shape_check_rank_at_least(const ssop_partial_shape *shape, int64_t rank, ssop_error *error)
{
    if (rank_is_known(shape) && shape->rank < rank) {
        return fail(error, SSOP_SH_C5, NOWHERE, numbers(shape->rank, rank, SSOP_MAX_RANK));
    }
    return SSOP_OK;
}

ssop_status
ssop_shape_check_rank_at_most(const ssop_partial_shape *shape, int64_t rank, ssop_error *error)
{
    if (rank_is_known(shape) && shape->rank > rank) {
        return fail(error, SSOP_SH_C6, NOWHERE, numbers(shape->rank, 0, rank));
    }
    return SSOP_OK;
}

/* ---- single dims, parts, sums of shapes -------------------------------------------------------------------------- */

static ssop_status
resolve_axis(const ssop_partial_shape *shape, int64_t axis, int32_t *resolved, ssop_error *error)
{
    if (axis < -shape->rank || axis >= shape->rank) {
        return fail(error, SSOP_SH_C11, NOWHERE, numbers(axis, -shape->rank, shape->rank - 1));
    }
    *resolved = (int32_t)(axis < 0 ? axis + shape->rank : axis);
    return SSOP_OK;
}

ssop_status
ssop_shape_dim(ssop_inference *inference, const ssop_partial_shape *shape, int64_t axis, ssop_dim *out,
               ssop_error *error)
{
    if (!rank_is_known(shape)) {
        *out = ssop_dim_new(inference, ANY_DIM);
        return SSOP_OK;
    }
    int32_t resolved = 0;
    ssop_status status = resolve_axis(shape, axis, &resolved, error);
    if (status == SSOP_OK) {
        *out = shape->dim[resolved];
    }
    return status;
}

ssop_status
ssop_shape_replace_dim(ssop_inference *inference, const ssop_partial_shape *shape, int64_t axis, ssop_dim dim,
                       ssop_partial_shape *out, ssop_error *error)
{
    if (!rank_is_known(shape)) {
        ssop_shape_of_unknown_rank(inference, out);
        return SSOP_OK;
    }
    int32_t resolved = 0;
    ssop_status status = resolve_axis(shape, axis, &resolved, error);
    if (status == SSOP_OK) {
        copy_shape(out, shape);
        out->dim[resolved] = dim;
        out->id = ++inference->last_id;
    }
    return status;
}

/* sh_s9: bounds larger than the rank are the rank; then the rank is added once to negative ones. */
static ssop_status
resolve_axes(int32_t rank, ssop_axes_range *axes, ssop_error *error)
{
    const ssop_axes_range given = *axes;
    bool forward = given.stride > 0;
    axes->start = min_int64(axes->start, rank);
    axes->end = min_int64(axes->end, rank);
    axes->start -= !forward && axes->start == rank ? 1 : 0;
    axes->start += axes->start < 0 ? rank : 0;
    axes->end += axes->end < 0 ? rank : 0;
    if (axes->start < 0 || axes->end < 0) {
        bool is_end = axes->start >= 0;
        return fail_form(error, SSOP_SH_C9, is_end, NOWHERE, numbers(is_end ? given.end : given.start, 0, rank));
    }
    if (forward ? axes->start > axes->end : axes->start < axes->end) {
        return fail_form(error, SSOP_SH_C10, !forward, NOWHERE, numbers(axes->start, axes->end, rank));
    }
    return SSOP_OK;
}

ssop_status
ssop_shape_subshape(ssop_inference *inference, const ssop_partial_shape *shape, ssop_axes_range axes,
                    ssop_partial_shape *out, ssop_error *error)
{
    if (axes.stride == 0) {
        return fail(error, SSOP_SH_C21, NOWHERE, NO_NUMBERS);
    }
    bool to_the_end = axes.end == INT64_MAX || (rank_is_known(shape) && axes.end >= shape->rank);
    if (axes.start == 0 && axes.stride == 1 && to_the_end) {
        copy_shape(out, shape);
        return SSOP_OK;
    }
    if (!rank_is_known(shape)) {
        ssop_shape_of_unknown_rank(inference, out);
        return SSOP_OK;
    }
    ssop_status status = resolve_axes(shape->rank, &axes, error);
    if (status != SSOP_OK) {
        return status;
    }
    ssop_range taken = ssop_range_between(axes.start, axes.end, axes.stride);
    ssop_dim dims[SSOP_MAX_RANK]; /* `out` may be `shape` */
    for (int32_t axis = 0; axis < taken.count; axis++) {
        dims[axis] = shape->dim[taken.start + axis * taken.step];
    }
    memcpy(out->dim, dims, (size_t)taken.count * sizeof *dims);
    out->rank = (int32_t)taken.count;
    out->id = ++inference->last_id;
    return SSOP_OK;
}

ssop_status
ssop_shape_concatenate(ssop_inference *inference, const ssop_partial_shape *a, const ssop_partial_shape *b,
                       ssop_partial_shape *out, ssop_error *error)
{
    if (!rank_is_known(a) || !rank_is_known(b)) {
        ssop_shape_of_unknown_rank(inference, out);
        return SSOP_OK;
    }
    int32_t first = a->rank, rank = a->rank + b->rank;
    if (rank > SSOP_MAX_RANK) {
        return fail(error, SSOP_IN_C9, NOWHERE, numbers(rank, 0, SSOP_MAX_RANK));
    }
    memmove(out->dim + first, b->dim, (size_t)b->rank * sizeof *b->dim); /* first, as `out` may be `b` */
    memmove(out->dim, a->dim, (size_t)first * sizeof *a->dim);
    out->rank = rank;
    out->id = ++inference->last_id;
    return SSOP_OK;
}

ssop_status
ssop_shape_num_elements(ssop_inference *inference, const ssop_partial_shape *shape, ssop_dim *out, ssop_error *error)
{
    bool unknown = !rank_is_known(shape), empty = false;
    for (int32_t axis = 0; axis < shape->rank; axis++) {
        unknown = unknown || !ssop_dim_is_known(shape->dim[axis]);
        empty = empty || shape->dim[axis].value.hi == 0;
    }
    if (empty || !rank_is_known(shape) || (unknown && !inference->tight)) {
        *out = empty ? dim_known(0) : ssop_dim_new(inference, ANY_DIM);
        return SSOP_OK;
    }
    ssop_dim product = dim_known(1);
    /* Dims that may be 0 come first: then the smallest product is 0, however large the other dims are. */
    for (int32_t i = 0; i < 2 * shape->rank; i++) {
        ssop_dim dim = shape->dim[i % shape->rank];
        if ((dim.value.lo == 0) != (i < shape->rank)) {
            continue;
        }
        ssop_status status = ssop_dim_arithmetic(inference, SSOP_DIM_MULTIPLY, product, dim, &product, error);
        if (status != SSOP_OK) {
            return status;
        }
    }
    *out = product;
    return SSOP_OK;
}

/* sh_s11: -1 is an unknown dim. */
static ssop_status
dim_of_element(ssop_inference *inference, int64_t entry, ssop_interval element, ssop_dim *dim, ssop_error *error)
{
    if (element.hi < -1) {
        return fail(error, SSOP_SH_C17, at_entry((int32_t)entry), numbers(element.hi, -1, INT64_MAX));
    }
    *dim = ssop_dim_new(inference, element.lo < 0 ? ANY_DIM : element);
    *dim = dim_in_mode(inference, *dim);
    return SSOP_OK;
}

ssop_status
ssop_shape_from_tensor(ssop_inference *inference, int64_t count, const ssop_interval *element, ssop_partial_shape *out,
                       ssop_error *error)
{
    if (count > SSOP_MAX_RANK) {
        return fail(error, SSOP_IN_C9, NOWHERE, numbers(count, 0, SSOP_MAX_RANK));
    }
    for (int32_t i = 0; i < count; i++) {
        ssop_dim dim;
        ssop_status status = dim_of_element(inference, i, element[i], &dim, error);
        if (status != SSOP_OK) {
            return status;
        }
        out->dim[i] = dim;
    }
    out->rank = (int32_t)count;
    out->id = ++inference->last_id;
    return SSOP_OK;
}
