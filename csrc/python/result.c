/* Results: the one place that makes or checks the array a call writes to, and that saves operands in its memory. */
#include "result.h"

#include "checks.h"
#include "memory.h"

/* ---- the array that is written ----------------------------------------------------------------------------------- */

static int
make_new(const private_view *like, ssop_shape shape, result_array *result)
{
    PyArrayObject *made = memory_new_array(like->dtype, shape);
    if (made == NULL) {
        return -1;
    }
    private_view_read(&result->made, made);
    result->to = &result->made;
    result->fresh = memory_is_fresh(made);
    return 0;
}

static int
check_out(const call_context *call, const private_view *like, ssop_shape shape, const private_out *out)
{
    return check_is_array(call, out) < 0 || check_shape(call, &out->own, call->out_name, shape, SSOP_OUT_C2) < 0 ||
                   check_dtype_rule(call, &out->own, call->out_name, like->dtype, SSOP_OUT_C3) < 0
             ? -1
             : check_writeable(call, out);
}

int
result_begin(const call_context *call, const private_view *like, ssop_shape shape, const private_out *out,
             enum result_steps steps, result_array *result)
{
    result->out = out;
    result->made.array = NULL;
    result->made.dtype = NULL;
    result->staged = false;
    if (out->object == NULL) {
        return make_new(like, shape, result);
    }
    if (check_out(call, like, shape, out) < 0) {
        return -1;
    }
    result->staged = steps == RESULT_IN_STEPS && !private_view_moves_as_bytes(like);
    if (result->staged) {
        return make_new(like, shape, result);
    }
    result->to = &out->own;
    result->fresh = false;
    return 0;
}

int
result_save(const result_array *result, private_view *operand)
{
    if (result->to == &result->made || !private_views_share_memory(result->to, operand)) {
        return 0;
    }
    PyArrayObject *copy = move_to_new(operand, &operand->view);
    if (copy == NULL) {
        return -1;
    }
    private_view shared = *operand;
    private_view_read(operand, copy);
    private_view_clear(&shared);
    return 0;
}

PyObject *
result_end(result_array *result, int status)
{
    PyObject *object = NULL;
    if (status == 0 && result->staged) {
        const private_view *own = &result->out->own;
        status = move_items((move_side){own, &own->view}, (move_side){result->to, &result->to->view}, false);
    }
    if (status == 0) {
        object = result->out->object != NULL ? Py_NewRef(result->out->object) : Py_NewRef(result->made.array);
    }
    private_view_clear(&result->made);
    return object;
}

/* ---- copied in one step ------------------------------------------------------------------------------------------ */

PyObject *
result_copy_to(const call_context *call, const private_view *operand, const ssop_view *seen, const private_out *out)
{
    result_array result;
    const ssop_shape shape = {seen->rank, seen->dim};
    if (result_begin(call, operand, shape, out, RESULT_IN_ONE_STEP, &result) < 0) {
        return NULL;
    }
    return result_end(&result, move_items((move_side){result.to, &result.to->view}, (move_side){operand, seen}, false));
}

static bool
has_shape(const ssop_view *view, ssop_shape shape)
{
    bool same = view->rank == shape.rank;
    for (int32_t axis = 0; same && axis < shape.rank; axis++) {
        same = view->dim[axis] == shape.dim[axis];
    }
    return same;
}

/* For a destination that has neither the shape of what is seen nor C order: through a copy in C order. */
static int
move_by_copy(const private_view *to, const private_view *operand, const ssop_view *seen)
{
    PyArrayObject *copy = move_to_new(operand, seen);
    if (copy == NULL) {
        return -1;
    }
    private_view own;
    ssop_view from;
    private_view_read(&own, copy);
    packed_view(private_view_shape(to), to->view.item_bytes, own.view.data, &from);
    int status = move_items((move_side){to, &to->view}, (move_side){&own, &from}, false);
    private_view_clear(&own);
    return status;
}

PyObject *
result_copy_reshaped(const call_context *call, const private_view *operand, const ssop_view *seen, ssop_shape shape,
                     const private_out *out)
{
    if (has_shape(seen, shape)) {
        return result_copy(call, operand, seen, out);
    }
    result_array result;
    if (result_begin(call, operand, shape, out, RESULT_IN_ONE_STEP, &result) < 0) {
        return NULL;
    }
    int status;
    if (result.to->c_order) {
        ssop_view packed;
        packed_view((ssop_shape){seen->rank, seen->dim}, seen->item_bytes, result.to->view.data, &packed);
        status = move_items((move_side){result.to, &packed}, (move_side){operand, seen}, result.fresh);
    }
    else {
        status = move_by_copy(result.to, operand, seen);
    }
    return result_end(&result, status);
}

/* ---- complement of a window -------------------------------------------------------------------------------------- */

int
result_copy_complement(const result_array *result, const private_view *operand, const ssop_region *window)
{
    const private_view *to = result->to;
    ssop_complement parts;
    ssop_region part;
    bool in_parts = private_view_moves_as_bytes(operand) && !private_views_share_memory(to, operand) &&
                    ssop_complement_begin(&parts, window, to->view.dim, to->view.item_bytes);
    if (!in_parts) { /* parts would overwrite the sources of others, or one copy of everything is faster */
        return move_items((move_side){to, &to->view}, (move_side){operand, &operand->view}, result->fresh);
    }
    int status = 0;
    while (status == 0 && ssop_complement_next(&parts, &part)) {
        ssop_view dst, src;
        (void)ssop_region_view(&part, &to->view, &dst, NULL); /* parts of arrays that exist: no address overflows */
        (void)ssop_region_view(&part, &operand->view, &src, NULL);
        status = move_items((move_side){to, &dst}, (move_side){operand, &src}, result->fresh);
    }
    return status;
}
