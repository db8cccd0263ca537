/* Families of operations on a window of an operand: what the dynamic operations and their one-axis forms share. */
#include "window.h"

#include "../checks.h"
#include "../errors.h"
#include "../hidden.h"
#include "../result.h"
#include "../types/region.h"

/* ---- pieces ------------------------------------------------------------------------------------------------------ */

/* A window that wraps is several regions of the operand, each with its place in the window. */
typedef struct {
    const placed_window *placed;
    uint8_t choice[SSOP_MAX_RANK];
    ssop_region of_operand, of_window; /* the present piece */
    bool is_first;
} window_pieces;

static void
first_piece(window_pieces *pieces, const placed_window *placed)
{
    pieces->placed = placed;
    memset(pieces->choice, 0, sizeof pieces->choice);
    pieces->is_first = true;
    ssop_window_piece(&placed->window, pieces->choice, &pieces->of_operand, &pieces->of_window);
}

/* False after the last piece. */
static bool
next_piece(window_pieces *pieces)
{
    if (!ssop_window_next(&pieces->placed->window, pieces->choice)) {
        return false;
    }
    ssop_window_piece(&pieces->placed->window, pieces->choice, &pieces->of_operand, &pieces->of_window);
    return true;
}

static bool
wraps(const ssop_window *window)
{
    uint8_t choice[SSOP_MAX_RANK] = {0};
    return ssop_window_next(window, choice);
}

/* Looks for signals between two pieces, of which a window may have as many as items. */
static bool
is_interrupted(window_pieces *pieces)
{
    bool looks = !pieces->is_first;
    pieces->is_first = false;
    return looks && PyErr_CheckSignals() < 0;
}

/* ---- copied ------------------------------------------------------------------------------------------------------ */

static int
fill_pieces(result_array *result, private_view *operand, const placed_window *placed)
{
    window_pieces pieces;
    first_piece(&pieces, placed);
    int status = result_save(result, operand);
    result_in_parts(result);
    for (bool more = operand->view.item_bytes > 0; status == 0 && more; more = next_piece(&pieces)) {
        status =
            is_interrupted(&pieces) ? -1 : result_move_region(result, &pieces.of_window, operand, &pieces.of_operand);
    }
    return status;
}

static PyObject *
copy_wrapped(const call_context *call, call_arrays *arrays, const placed_window *placed)
{
    const ssop_window *window = &placed->window;
    int64_t sizes[SSOP_MAX_RANK];
    result_array result;
    for (int32_t axis = 0; axis < window->rank; axis++) {
        sizes[axis] = window->part[axis][0].count + window->part[axis][1].count;
    }
    if (check_addressable(call, &arrays->operand) < 0 ||
        result_begin(call, &arrays->operand, (ssop_shape){window->rank, sizes}, &arrays->out, RESULT_IN_STEPS,
                     &result) < 0) {
        return NULL;
    }
    return result_end(&result, fill_pieces(&result, &arrays->operand, placed));
}

/* A window of one region, without the axis that the result lacks. */
static void
only_region(const placed_window *placed, ssop_region *region)
{
    window_pieces pieces;
    first_piece(&pieces, placed);
    *region = pieces.of_operand;
    if (placed->missing_axis >= 0) {
        ssop_region_drop_out_axis(region, placed->missing_axis);
    }
}

static PyObject *
run_window(const operation *op, const call_context *call, void *arguments, call_arrays *arrays)
{
    placed_window placed;
    ssop_region region;
    ssop_error error;
    if (op->resolve.window(arguments, private_view_shape(&arrays->operand), (ssop_shape){0, NULL}, &placed, &error) !=
        SSOP_OK) {
        return errors_raise(call, &error, NULL);
    }
    if (wraps(&placed.window)) { /* which an axis of one element never does */
        return copy_wrapped(call, arrays, &placed);
    }
    only_region(&placed, &region);
    return result_copy_region(call, &arrays->operand, &region, &arrays->out);
}

/* ---- replaced ---------------------------------------------------------------------------------------------------- */

/* The first piece is not copied before it is written; the others are, if there are any (dus_s1). */
static int
copy_and_write(result_array *result, call_arrays *arrays, const placed_window *placed)
{
    private_view *operand = &arrays->operand, *update = &arrays->value;
    window_pieces pieces;
    first_piece(&pieces, placed);
    const bool in_steps = result->out->object == NULL || wraps(&placed->window);
    int status = in_steps ? result_save(result, update) : result_save_value(result, operand, update);
    if (status == 0) {
        status = result_copy_complement(result, operand, &pieces.of_operand);
    }
    for (bool more = operand->view.item_bytes > 0; status == 0 && more; more = next_piece(&pieces)) {
        if (placed->missing_axis >= 0) { /* dim_s5 */
            ssop_region_drop_in_axis(&pieces.of_window, placed->missing_axis);
        }
        status =
            is_interrupted(&pieces) ? -1 : result_move_region(result, &pieces.of_operand, update, &pieces.of_window);
    }
    return status;
}

static PyObject *
run_window_update(const operation *op, const call_context *call, void *arguments, call_arrays *arrays)
{
    const private_view *operand = &arrays->operand, *update = &arrays->value;
    placed_window placed;
    ssop_error error;
    result_array result;
    if (!arrays->value_converted && check_dtype_rule(call, update, "update", operand->dtype, SSOP_DUS_C4) < 0) {
        return NULL;
    }
    if (op->resolve.window(arguments, private_view_shape(operand), private_view_shape(update), &placed, &error) !=
        SSOP_OK) {
        return errors_raise(call, &error, NULL);
    }
    if (check_addressable(call, operand) < 0 || check_addressable(call, update) < 0 ||
        result_begin(call, operand, private_view_shape(operand), &arrays->out, RESULT_IN_STEPS, &result) < 0) {
        return NULL;
    }
    return result_end(&result, copy_and_write(&result, arrays, &placed));
}

/* ---- without data ------------------------------------------------------------------------------------------------ */

/* A window that wraps on all of 64 axes is 2^64 regions, which fit into no memory. Not measured; chosen because nobody
 * reads a thousand regions. */
enum { MAX_REGIONS = 1024 };

static PyObject *
regions_of(module_state *state, const placed_window *placed, const int64_t *dims)
{
    window_pieces pieces;
    PyObject *list = hidden_list();
    first_piece(&pieces, placed);
    for (bool more = true; list != NULL && more; more = PyList_GET_SIZE(list) < MAX_REGIONS && next_piece(&pieces)) {
        if (hidden_list_append(list, region_new(state, &pieces.of_operand, dims)) < 0) {
            Py_CLEAR(list);
            break;
        }
    }
    return hidden_list_to_tuple(list);
}

static PyObject *
describe_window_update(const operation *op, const call_context *call, const void *arguments, const ssop_shape shapes[2])
{
    placed_window placed;
    ssop_error error;
    return op->resolve.window(arguments, shapes[0], shapes[1], &placed, &error) == SSOP_OK
             ? regions_of(call->state, &placed, shapes[0].dim)
             : errors_raise(call, &error, NULL);
}

static PyObject *
describe_window(const operation *op, const call_context *call, const void *arguments, const ssop_shape shapes[2])
{
    placed_window placed;
    ssop_region region;
    ssop_error error;
    if (op->resolve.window(arguments, shapes[0], shapes[1], &placed, &error) != SSOP_OK) {
        return errors_raise(call, &error, NULL);
    }
    if (placed.missing_axis < 0) {
        return regions_of(call->state, &placed, shapes[0].dim);
    }
    only_region(&placed, &region);
    return Py_BuildValue("(N)", region_new(call->state, &region, shapes[0].dim));
}

/* ---- of a shape that is known in part ---------------------------------------------------------------------------- */

static ssop_status
infer_window(const void *call, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK],
             int8_t source[SSOP_MAX_RANK], ssop_error *error)
{
    const operation_call *resolved = call;
    placed_window placed;
    ssop_status status =
        resolved->op->resolve.window(resolved->arguments, shape, (ssop_shape){0, NULL}, &placed, error);
    *rank = 0;
    for (int32_t axis = 0; status == SSOP_OK && axis < placed.window.rank; axis++) {
        if (axis != placed.missing_axis) {
            dims[*rank] = placed.window.part[axis][0].count + placed.window.part[axis][1].count;
            source[(*rank)++] = (int8_t)axis;
        }
    }
    return status;
}

const operation_family window_family = {.run = run_window, .describe = describe_window, .infer = infer_window};
const operation_family window_update_family = {.run = run_window_update, .describe = describe_window_update};
