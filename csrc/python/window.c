/* Windows of arrays: taken, and replaced. What the dynamic operations and their one-axis forms share. */
#include "window.h"

#include "args.h"
#include "complement.h"
#include "ndarray.h"

/* ---- taken ---------------------------------------------------------------------------------------------------------- */

/* Fills `result` with a window that wraps, piece by piece. */
static int
fill_pieces(const call_context *call, PyArrayObject *result, PyArrayObject *source, const ssop_window *window)
{
    uint8_t choice[SSOP_MAX_RANK] = {0};
    bool more = PyArray_ITEMSIZE(source) > 0;
    while (more) {
        ssop_region of_operand, of_window;
        ssop_window_piece(window, choice, &of_operand, &of_window);
        if (ndarray_assign(call, result, &of_window, source, &of_operand) < 0) {
            return -1;
        }
        more = ssop_window_next(window, choice);
    }
    return 0;
}

/* The result of a window that wraps: a new array or `out`. */
static PyObject *
take_pieces(const call_context *call, PyArrayObject *operand, const ssop_window *window, PyObject *out)
{
    PyArrayObject *result, *source = NULL, *target = NULL;
    bool given = args_given(out);
    int64_t sizes[SSOP_MAX_RANK];
    for (int32_t axis = 0; axis < window->rank; axis++) {
        sizes[axis] = window->part[axis][0].count + window->part[axis][1].count;
    }
    if (given) {
        result = (PyArrayObject *)Py_XNewRef(ndarray_out(call, out, window->rank, sizes, PyArray_DESCR(operand)));
    }
    else {
        result = ndarray_new_like(operand, window->rank, sizes);
    }
    if (result != NULL) { /* out_s2 holds over all pieces together */
        bool shared = given && ndarray_share_memory(result, operand);
        source = shared ? (PyArrayObject *)ndarray_take_whole(call, operand, NULL) : ndarray_alias(operand);
    }
    if (source != NULL) {
        target = ndarray_alias(result);
    }
    if (target == NULL || fill_pieces(call, target, source, window) < 0) {
        Py_CLEAR(result);
    }
    Py_XDECREF(target);
    Py_XDECREF(source);
    return (PyObject *)result;
}

static bool
wraps(const ssop_window *window)
{
    uint8_t choice[SSOP_MAX_RANK] = {0};
    return ssop_window_next(window, choice);
}

PyObject *
window_take(const call_context *call, PyArrayObject *operand, const ssop_window *window, int32_t dropped, PyObject *out)
{
    if (wraps(window)) { /* which an axis of one element never does */
        return take_pieces(call, operand, window, out);
    }
    const uint8_t first[SSOP_MAX_RANK] = {0};
    ssop_region of_operand, of_window;
    ssop_window_piece(window, first, &of_operand, &of_window);
    if (dropped >= 0) {
        ssop_region_drop_out_axis(&of_operand, dropped);
    }
    return ndarray_take(call, operand, &of_operand, out);
}

/* ---- replaced ------------------------------------------------------------------------------------------------------- */

/* dus_s1: writes the update into its place in `result`, and nothing else. */
static int
write_window(const call_context *call, PyArrayObject *result, PyArrayObject *update, const ssop_window *window,
             int32_t missing)
{
    uint8_t choice[SSOP_MAX_RANK] = {0};
    bool more = PyArray_ITEMSIZE(result) > 0;
    while (more) {
        ssop_region of_operand, of_window;
        ssop_window_piece(window, choice, &of_operand, &of_window);
        if (missing >= 0) { /* dim_s5 */
            ssop_region_drop_in_axis(&of_window, missing);
        }
        if (ndarray_assign(call, result, &of_operand, update, &of_window) < 0) {
            return -1;
        }
        more = ssop_window_next(window, choice);
    }
    return 0;
}

/* The update as an array that stays as it is while `out` is written (new reference): a copy if they share memory (out_s2).
 * `out` is checked here, so that nothing is written for a call that fails. */
static PyArrayObject *
safe_update(const call_context *call, PyArrayObject *operand, PyArrayObject *update, PyObject *out)
{
    if (args_given(out)) {
        int64_t dims[SSOP_MAX_RANK];
        int32_t rank = ndarray_dims(operand, dims);
        PyArrayObject *target = ndarray_out(call, out, rank, dims, PyArray_DESCR(operand));
        if (target == NULL) {
            return NULL;
        }
        if (ndarray_share_memory(target, update)) {
            return (PyArrayObject *)ndarray_take_whole(call, update, NULL);
        }
    }
    return ndarray_alias(update);
}

/* A copy of the operand, in `out` if given, with the update in its place: only what lies around that (or around its first
 * piece, if there are more) is copied. */
static PyObject *
copy_and_write(const call_context *call, PyArrayObject *operand, PyArrayObject *update, const ssop_window *window,
               int32_t missing, PyObject *out)
{
    PyArrayObject *target = NULL;
    if (args_given(out)) { /* taken before the copy drops what out holds */
        target = ndarray_alias((PyArrayObject *)out);
        if (target == NULL) {
            return NULL;
        }
    }
    const uint8_t first[SSOP_MAX_RANK] = {0};
    ssop_region of_operand, of_window;
    ssop_window_piece(window, first, &of_operand, &of_window);
    PyObject *result = complement_take(call, operand, &of_operand, out);
    PyArrayObject *written = target != NULL ? target : (PyArrayObject *)result;
    if (result != NULL && write_window(call, written, update, window, missing) < 0) {
        Py_CLEAR(result);
    }
    Py_XDECREF(target);
    return result;
}

PyObject *
window_update(const call_context *call, PyArrayObject *operand, PyArrayObject *update, const ssop_window *window,
              int32_t missing, PyObject *out)
{
    PyArrayObject *source = safe_update(call, operand, update, out);
    PyObject *result = source != NULL ? copy_and_write(call, operand, source, window, missing, out) : NULL;
    Py_XDECREF(source);
    return result;
}
