/* Families of operations on a window of an operand: what the dynamic operations and their one-axis forms share. */
#include "window.h"

#include "../args.h"
#include "../checks.h"
#include "../errors.h"
#include "../hidden.h"
#include "../memory.h"
#include "../result.h"
#include "../types/region.h"
#include "fill.h"

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
    result_array result;
    if (check_addressable(call, &arrays->operand) < 0 ||
        result_begin(call, &arrays->operand, (ssop_shape){window->rank, window->size}, &arrays->out, RESULT_IN_STEPS,
                     &result) < 0) {
        return NULL;
    }
    return result_end(&result, fill_pieces(&result, &arrays->operand, placed));
}

/* The shape of the result, and, unless it is NULL, which axis of the window each of its axes is. */
static int32_t
window_sizes(const placed_window *placed, int64_t sizes[SSOP_MAX_RANK], int8_t axes[SSOP_MAX_RANK])
{
    int32_t rank = 0;
    for (int32_t axis = 0; axis < placed->window.rank; axis++) {
        if (axis != placed->missing_axis) {
            sizes[rank] = placed->window.size[axis];
            if (axes != NULL) {
                axes[rank] = (int8_t)axis;
            }
            rank++;
        }
    }
    return rank;
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

/* ---- filled ------------------------------------------------------------------------------------------------------ */

/* What numpy.zeros has, if no value was given. NumPy's own function loses a reference to a dtype of no bytes. */
static int
make_value(call_arrays *arrays)
{
    if (arrays->value.array != NULL) {
        return 0;
    }
    PyArray_Descr *dtype = arrays->operand.dtype;
    PyArrayObject *zero = PyDataType_ELSIZE(dtype) == 0
                            ? memory_new_array(dtype, 0, (ssop_shape){0, NULL})
                            : (PyArrayObject *)PyArray_Zeros(0, NULL, (PyArray_Descr *)Py_NewRef(dtype), 0);
    if (zero == NULL) {
        return -1;
    }
    private_view_read(&arrays->value, zero);
    return 0;
}

/* A window without one of its axes is filled if that element is outside: then it has nothing of the operand. */
static PyObject *
copy_filled(const call_context *call, call_arrays *arrays, const placed_window *placed)
{
    window_pieces only;
    int64_t sizes[SSOP_MAX_RANK];
    result_array result;
    first_piece(&only, placed);
    const int32_t rank = window_sizes(placed, sizes, NULL);
    if (make_value(arrays) < 0 || check_addressable(call, &arrays->operand) < 0 ||
        result_begin(call, &arrays->operand, (ssop_shape){rank, sizes}, &arrays->out, RESULT_IN_STEPS, &result) < 0) {
        return NULL;
    }
    return result_end(&result, placed->missing_axis >= 0
                                   ? fill_whole(&result, arrays)
                                   : fill_around(&result, &only.of_operand, &only.of_window, arrays));
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
    if (arrays->value.array != NULL && fill_check_value(call, "fill_value", arrays, true) < 0) {
        return NULL;
    }
    if (ssop_window_is_filled(&placed.window)) {
        return copy_filled(call, arrays, &placed);
    }
    if (wraps(&placed.window)) { /* which an axis of one element never does */
        return copy_wrapped(call, arrays, &placed);
    }
    only_region(&placed, &region);
    return result_copy_region(call, &arrays->operand, &region, &arrays->out);
}

/* ---- one for each row of starts ---------------------------------------------------------------------------------- */

static ssop_status
place_row(const window_rows *rows, int64_t row, const private_view *operand, placed_window *placed, ssop_error *error)
{
    return rows->op->resolve.window(rows->arguments_of(rows->arguments, row), private_view_shape(operand),
                                    (ssop_shape){0, NULL}, placed, error);
}

/* Raises for what is wrong with a row: with one of them for what all have in common. */
static int
check_rows(const call_context *call, const window_rows *rows, const private_view *operand, placed_window *placed)
{
    ssop_error error;
    ssop_status status = place_row(rows, rows->count > 0 ? 0 : -1, operand, placed, &error);
    for (int64_t row = 1; status == SSOP_OK && rows->may_fail && row < rows->count; row++) {
        if (args_is_interrupted(row)) {
            return -1;
        }
        status = place_row(rows, row, operand, placed, &error);
    }
    if (status == SSOP_OK && operand->view.rank == SSOP_MAX_RANK) {
        error = (ssop_error){
            .rule = SSOP_IN_C9, .axis = -1, .entry = -1, .value = SSOP_MAX_RANK + 1, .high = SSOP_MAX_RANK};
        status = ssop_rule_status(SSOP_IN_C9);
    }
    if (status != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

/* The first row of the result, as a result of its own. It is new to the operand and the value, which share no memory
 * with the result. */
static void
begin_rows(const result_array *result, result_array *of_row)
{
    const ssop_view *all = &result->to->view;
    *of_row = *result;
    of_row->made = *result->to;
    of_row->to = &of_row->made;
    ssop_view *row = &of_row->made.view;
    row->rank = all->rank - 1;
    for (int32_t axis = 0; axis < row->rank; axis++) {
        row->dim[axis] = all->dim[axis + 1];
        row->stride[axis] = all->stride[axis + 1];
    }
}

/* A window of one piece has the strides of the operand. */
static int
copy_piece(const result_array *of_row, const private_view *operand, const ssop_window *window)
{
    ssop_view seen;
    seen.data = operand->view.data;
    seen.item_bytes = operand->view.item_bytes;
    seen.rank = window->rank;
    for (int32_t axis = 0; axis < window->rank; axis++) {
        seen.dim[axis] = window->size[axis];
        seen.stride[axis] = operand->view.stride[axis];
        seen.data += window->part[axis][0].start * seen.stride[axis];
    }
    return result_move(of_row, &of_row->to->view, operand, &seen);
}

static int
copy_row(result_array *of_row, call_arrays *arrays, const placed_window *placed)
{
    window_pieces only;
    if (ssop_window_is_filled(&placed->window)) {
        first_piece(&only, placed);
        return fill_around(of_row, &only.of_operand, &only.of_window, arrays);
    }
    return wraps(&placed->window) ? fill_pieces(of_row, &arrays->operand, placed)
                                  : copy_piece(of_row, &arrays->operand, &placed->window);
}

static int
copy_rows(const window_rows *rows, result_array *result, call_arrays *arrays)
{
    result_array of_row;
    placed_window placed;
    if (result_save(result, &arrays->operand) < 0 ||
        (arrays->value.array != NULL && result_save(result, &arrays->value) < 0)) {
        return -1;
    }
    begin_rows(result, &of_row);
    const bool some = view_bytes(&result->to->view) > 0;
    int status = 0;
    for (int64_t row = 0; some && status == 0 && row < rows->count; row++) {
        (void)place_row(rows, row, &arrays->operand, &placed, NULL);
        status = copy_row(&of_row, arrays, &placed);
        of_row.made.view.data += result->to->view.stride[0];
        status = status == 0 && PyErr_CheckSignals() < 0 ? -1 : status;
    }
    return status;
}

PyObject *
window_run_rows(const call_context *call, const window_rows *rows, call_arrays *arrays)
{
    placed_window placed;
    int64_t dims[SSOP_MAX_RANK + 1];
    result_array result;
    if (check_rows(call, rows, &arrays->operand, &placed) < 0 ||
        (arrays->value.array != NULL && fill_check_value(call, "fill_value", arrays, true) < 0) ||
        (rows->fills && make_value(arrays) < 0)) {
        return NULL;
    }
    dims[0] = rows->count;
    const int32_t rank = 1 + window_sizes(&placed, dims + 1, NULL);
    if (check_addressable(call, &arrays->operand) < 0 ||
        result_begin(call, &arrays->operand, (ssop_shape){rank, dims}, &arrays->out, RESULT_IN_STEPS, &result) < 0) {
        return NULL;
    }
    result_in_parts(&result);
    return result_end(&result, copy_rows(rows, &result, arrays));
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

/* What the window has of the operand, and where; both with the axis that the result lacks. */
static PyObject *
regions_of_filled(module_state *state, const placed_window *placed, const int64_t *dims)
{
    window_pieces only;
    first_piece(&only, placed);
    PyObject *kept = region_new(state, &only.of_operand, dims);
    PyObject *place = kept != NULL ? region_new(state, &only.of_window, placed->window.size) : NULL;
    PyObject *both = place != NULL ? PyTuple_Pack(2, kept, place) : NULL;
    Py_XDECREF(place);
    Py_XDECREF(kept);
    return both;
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
    if (ssop_window_is_filled(&placed.window)) {
        return regions_of_filled(call->state, &placed, shapes[0].dim);
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
    *rank = status == SSOP_OK ? window_sizes(&placed, dims, source) : 0;
    return status;
}

const operation_family window_family = {.run = run_window, .describe = describe_window, .infer = infer_window};
const operation_family window_update_family = {.run = run_window_update, .describe = describe_window_update};
