/* Results: the one place that makes or checks the array a call writes to, and that saves operands in its memory. */
#include "result.h"

#include "checks.h"
#include "memory.h"

/* ---- the array that is written ----------------------------------------------------------------------------------- */

static int
make_new(const private_view *like, ssop_shape shape, result_array *result)
{
    PyArrayObject *made = memory_new_array(like->dtype, like->view.item_bytes, shape);
    if (made == NULL) {
        return -1;
    }
    private_view_read(&result->made, made);
    result->made.is_new = true;
    result->to = &result->made;
    result->hints.fresh_dst = memory_is_fresh(made);
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

void
result_begin_in_place(const private_out *out, result_array *result)
{
    result->to = &out->own;
    result->out = out;
    result->made.array = NULL;
    result->made.dtype = NULL;
    result->hints = (ssop_hints){.fresh_dst = false};
    result->staged = false;
}

int
result_begin(const call_context *call, const private_view *like, ssop_shape shape, const private_out *out,
             enum result_steps steps, result_array *result)
{
    result_begin_in_place(out, result);
    if (out->object == NULL) {
        return make_new(like, shape, result);
    }
    if (check_out(call, like, shape, out) < 0) {
        return -1;
    }
    result->staged = steps == RESULT_IN_STEPS && !private_view_moves_as_bytes(like);
    return result->staged ? make_new(like, shape, result) : 0;
}

void
result_in_parts(result_array *result)
{
    result->hints.whole_bytes = view_bytes(&result->to->view);
}

bool
result_begin_parts(const result_array *result, ssop_parts *parts)
{
    parts->array = &result->to->view;
    parts->bytes = result->hints.whole_bytes;
    parts->fresh_dst = result->hints.fresh_dst;
    return private_view_moves_as_bytes(result->to) && ssop_parts_begin(parts);
}

/* ---- moving ------------------------------------------------------------------------------------------------------ */

/* True if nothing that the caller knows is in the result's memory. */
static bool
is_new(const result_array *result)
{
    return result->to == &result->made;
}

/* `apart`: the operand shares no memory with the result. */
static int
move_part(const result_array *result, const ssop_view *part, const private_view *operand, const ssop_view *items,
          bool apart)
{
    const move_side dst = {result->to, part}, src = {operand, items};
    return apart ? move_apart(dst, src, &result->hints) : move_items(dst, src, &result->hints);
}

static int
move_region(const result_array *result, const ssop_region *part, const private_view *operand, const ssop_region *region,
            bool apart)
{
    ssop_view to, from;
    (void)ssop_region_view(part, &result->to->view, &to, NULL);
    (void)ssop_region_view(region, &operand->view, &from, NULL);
    return move_part(result, &to, operand, &from, apart);
}

int
result_move(const result_array *result, const ssop_view *part, const private_view *operand, const ssop_view *items)
{
    return move_part(result, part, operand, items, is_new(result) || operand->apart);
}

int
result_move_region(const result_array *result, const ssop_region *part, const private_view *operand,
                   const ssop_region *region)
{
    return move_region(result, part, operand, region, is_new(result) || operand->apart);
}

int
result_save(const result_array *result, private_view *operand)
{
    if (is_new(result) || !private_views_share_memory(result->to, operand)) {
        operand->apart = true;
        return 0;
    }
    PyArrayObject *copy = move_to_new(operand, &operand->view);
    if (copy == NULL) {
        return -1;
    }
    private_view shared = *operand;
    private_view_read(operand, copy);
    operand->apart = true;
    private_view_clear(&shared);
    return 0;
}

int
result_save_value(const result_array *result, const private_view *operand, private_view *value)
{
    return !is_new(result) && ssop_views_relate(&result->to->view, &operand->view) == SSOP_SAME
             ? 0
             : result_save(result, value);
}

PyObject *
result_end(result_array *result, int status)
{
    PyObject *object = NULL;
    if (status == 0 && result->staged) {
        const private_view *own = &result->out->own;
        status = move_items((move_side){own, &own->view}, (move_side){result->to, &result->to->view}, NULL);
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
    return result_end(&result, result_move(&result, &result.to->view, operand, seen));
}

/* For a destination that has neither the shape of what is seen nor C order: through a copy in C order. */
static int
move_by_copy(const result_array *result, const private_view *operand, const ssop_view *seen)
{
    const private_view *to = result->to;
    PyArrayObject *copy = move_to_new(operand, seen);
    if (copy == NULL) {
        return -1;
    }
    private_view own;
    ssop_view from;
    private_view_read(&own, copy);
    packed_view(private_view_shape(to), to->view.item_bytes, own.view.data, &from);
    int status = result_move(result, &to->view, &own, &from);
    private_view_clear(&own);
    return status;
}

PyObject *
result_copy_reshaped(const call_context *call, const private_view *operand, const ssop_view *seen, ssop_shape shape,
                     const private_out *out)
{
    if (view_has_shape(seen, shape)) {
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
        status = result_move(&result, &packed, operand, seen);
    }
    else {
        status = move_by_copy(&result, operand, seen);
    }
    return result_end(&result, status);
}

/* ---- complement of a window -------------------------------------------------------------------------------------- */

int
result_copy_complement(result_array *result, const private_view *operand, const ssop_region *window)
{
    const private_view *to = result->to;
    ssop_complement parts;
    ssop_region part;
    const bool apart = is_new(result) || operand->apart || !private_views_share_memory(to, operand);
    bool in_parts = private_view_moves_as_bytes(operand) && apart &&
                    ssop_complement_begin(&parts, window, to->view.dim, to->view.item_bytes);
    if (!in_parts) { /* parts would overwrite the sources of others, or one copy of everything is faster */
        return move_part(result, &to->view, operand, &operand->view, apart);
    }
    int status = 0;
    result_in_parts(result);
    while (status == 0 && ssop_complement_next(&parts, &part)) {
        status = move_region(result, &part, operand, &part, true);
    }
    return status;
}
