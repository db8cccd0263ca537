/* ssop.dynamic_slice, of one window or of one for each row of starts; its regions without data, and the shape that it
 * gives. */
#include "../args.h"
#include "../errors.h"
#include "../hidden.h"
#include "../shared.h"
#include "window.h"
#include "window_args.h"

typedef struct {
    window_arguments window;
    args_list size;
    ssop_start *rows; /* a start per axis for each window, which the call frees; NULL for one window */
    int64_t row_count;
} dynamic_slice_arguments;

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool
is_array_of_rows(PyObject *starts)
{
    return PyArray_Check(starts) && PyArray_NDIM((PyArrayObject *)starts) == 2;
}

static bool
is_list_of_rows(PyObject *starts)
{
    PyObject *first = args_is_fast(starts) ? shared_borrow(starts, 0) : NULL;
    if (first == NULL) {
        return false;
    }
    const bool is_row = args_is_vector(first);
    shared_return(first);
    return is_row;
}

static int
make_rows(int64_t count, int64_t width, dynamic_slice_arguments *into)
{
    into->row_count = count;
    into->window.spec.start_count = width;
    const int64_t stored = width < SSOP_MAX_RANK ? width : SSOP_MAX_RANK;
    const size_t row_bytes = (size_t)stored * sizeof(ssop_start);
    into->rows = row_bytes > 0 && (size_t)count > (size_t)PY_SSIZE_T_MAX / row_bytes
                   ? NULL
                   : PyMem_Malloc((size_t)count * row_bytes + 1);
    if (into->rows == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

/* A copy that no other code knows, in C order: integers of any width and byte order as int64 or uint64, others as they
 * are. */
static PyArrayObject *
copy_rows(PyArrayObject *starts)
{
    PyArray_Descr *dtype = NULL;
    if (PyTypeNum_ISINTEGER(PyArray_TYPE(starts))) {
        dtype = PyArray_DescrFromType(PyTypeNum_ISUNSIGNED(PyArray_TYPE(starts)) ? NPY_UINT64 : NPY_INT64);
    }
    return (PyArrayObject *)PyArray_FromArray(
        starts, dtype, NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY | NPY_ARRAY_ENSUREARRAY | NPY_ARRAY_NOTSWAPPED);
}

static int
read_integer_rows(PyArrayObject *copy, dynamic_slice_arguments *into)
{
    const bool is_unsigned = PyArray_TYPE(copy) == NPY_UINT64;
    const int64_t width = into->window.spec.start_count, *values = PyArray_DATA(copy);
    const int64_t stored = width < SSOP_MAX_RANK ? width : SSOP_MAX_RANK;
    for (int64_t row = 0; stored > 0 && row < into->row_count; row++) {
        for (int64_t axis = 0; axis < stored; axis++) {
            const int64_t value = values[row * width + axis];
            into->rows[row * stored + axis] = (ssop_start){value, is_unsigned && value < 0};
        }
        if (args_is_interrupted(row)) {
            return -1;
        }
    }
    return 0;
}

static int
raise_uneven(const call_context *call, Py_ssize_t row, Py_ssize_t length, int64_t width)
{
    const ssop_error error = {
        .rule = SSOP_DS_C9, .axis = -1, .entry = (int32_t)row, .value = length, .low = width, .high = width};
    errors_raise(call, &error, NULL);
    return -1;
}

/* Rows of any kind, one after the other; no other code changes the `count` items of `rows`. */
static int
read_each_row(const call_context *call, PyObject *rows, Py_ssize_t count, dynamic_slice_arguments *into)
{
    ssop_start row[SSOP_MAX_RANK];
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = args_is_interrupted(i) ? NULL : PySequence_GetItem(rows, i);
        const Py_ssize_t length = item != NULL ? args_read_starts(call, "start_indices", item, row, SSOP_MAX_RANK) : -1;
        Py_XDECREF(item);
        if (length < 0 || (i == 0 && make_rows(count, length, into) < 0)) {
            return -1;
        }
        const int64_t width = into->window.spec.start_count;
        if (length != width) {
            return raise_uneven(call, i, length, width);
        }
        const int64_t stored = width < SSOP_MAX_RANK ? width : SSOP_MAX_RANK;
        memcpy(into->rows + i * stored, row, (size_t)stored * sizeof *row);
    }
    return 0;
}

static int
read_array_of_rows(const call_context *call, PyArrayObject *copy, dynamic_slice_arguments *into)
{
    const Py_ssize_t count = PyArray_DIM(copy, 0);
    if (count > 0 && !PyTypeNum_ISINTEGER(PyArray_TYPE(copy))) {
        return read_each_row(call, (PyObject *)copy, count, into);
    }
    return make_rows(count, PyArray_DIM(copy, 1), into) < 0 ? -1 : read_integer_rows(copy, into);
}

static int
read_list_of_rows(const call_context *call, PyObject *starts, dynamic_slice_arguments *into)
{
    PyObject *rows = hidden_items(starts);
    if (rows == NULL) {
        return -1;
    }
    const Py_ssize_t count = PyTuple_GET_SIZE(rows); /* 0 if other code cleared the list */
    int result = count > 0 ? read_each_row(call, rows, count, into) : make_rows(0, 0, into);
    Py_DECREF(rows);
    return result;
}

/* Rows have a start per axis each; allow_negative_indices is read after them, as it is after one start. */
static int
read_starts(const call_context *call, PyObject *starts, PyObject *allow_negative_indices, dynamic_slice_arguments *into)
{
    int result;
    if (is_array_of_rows(starts)) { /* a copy: see own_array */
        result = read_array_of_rows(call, (PyArrayObject *)starts, into);
    }
    else if (is_list_of_rows(starts)) {
        result = read_list_of_rows(call, starts, into);
    }
    else {
        return window_args_read(call, starts, allow_negative_indices, &into->window);
    }
    return result < 0 ? -1 : window_args_read_add_dim(call, allow_negative_indices, &into->window);
}

/* Starts that are an array or a tensor as an array, rows copied; NULL for others, and with an exception on error. */
static PyArrayObject *
own_array(PyObject *starts)
{
    if (args_is_fast(starts)) {
        return NULL;
    }
    PyArrayObject *array = PyArray_Check(starts) ? (PyArrayObject *)Py_NewRef(starts) : args_array_of_tensor(starts);
    if (array != NULL && is_array_of_rows((PyObject *)array)) {
        Py_SETREF(array, copy_rows(array));
    }
    return array;
}

static int
read_arguments(const call_context *call, PyObject *const *found, void *arguments)
{
    dynamic_slice_arguments *into = arguments;
    if (window_args_read_policy(call, found[3], found[5], &into->window.spec.out_of_bounds) < 0) {
        return -1;
    }
    PyArrayObject *array = own_array(found[1]);
    int result = array == NULL && PyErr_Occurred()
                   ? -1
                   : read_starts(call, array != NULL ? (PyObject *)array : found[1], found[4], into);
    Py_XDECREF(array);
    return result < 0 ? -1 : args_read_list(call, "slice_sizes", found[2], SSOP_MAX_RANK, &into->size);
}

/* ---- resolving --------------------------------------------------------------------------------------------------- */

static ssop_status
resolve_window(const void *arguments, ssop_shape operand, ssop_shape Py_UNUSED(update), placed_window *placed,
               ssop_error *error)
{
    const dynamic_slice_arguments *given = arguments;
    ssop_window_spec spec = given->window.spec;
    spec.size = given->size.list;
    spec.size_count = given->size.count;
    placed->missing_axis = -1;
    return ssop_dynamic_slice_resolve(&spec, operand, &placed->window, error);
}

static int64_t
rank_of_sizes(const void *arguments)
{
    return ((const dynamic_slice_arguments *)arguments)->size.count;
}

static const void *
arguments_of_row(void *arguments, int64_t row)
{
    static const ssop_start zeros[SSOP_MAX_RANK];
    dynamic_slice_arguments *given = arguments;
    const int64_t width = given->window.spec.start_count;
    given->window.spec.start = row < 0 ? zeros : given->rows + row * (width < SSOP_MAX_RANK ? width : SSOP_MAX_RANK);
    return given;
}

/* Whether a row after the first can be wrong if that one is not: rows without starts are all alike. */
static bool
each_may_fail(const dynamic_slice_arguments *given)
{
    return given->window.spec.out_of_bounds == SSOP_RAISE && given->window.spec.start_count > 0;
}

/* ---- the operation ----------------------------------------------------------------------------------------------- */

static PyObject *
run(const operation *op, const call_context *call, void *arguments, call_arrays *arrays)
{
    const dynamic_slice_arguments *given = arguments;
    if (given->rows == NULL) {
        return window_family.run(op, call, arguments, arrays);
    }
    const window_rows rows = {op,
                              arguments,
                              given->row_count,
                              arguments_of_row,
                              given->window.spec.out_of_bounds == SSOP_FILL,
                              each_may_fail(given)};
    return window_run_rows(call, &rows, arrays);
}

/* Of rows a tuple of what each of them gives. */
static PyObject *
describe(const operation *op, const call_context *call, const void *arguments, const ssop_shape shapes[2])
{
    dynamic_slice_arguments given = *(const dynamic_slice_arguments *)arguments;
    if (given.rows == NULL) {
        return window_family.describe(op, call, arguments, shapes);
    }
    PyObject *list = hidden_list();
    for (int64_t row = given.row_count > 0 ? 0 : -1; list != NULL && row < given.row_count; row++) {
        PyObject *regions =
            args_is_interrupted(row) ? NULL : window_family.describe(op, call, arguments_of_row(&given, row), shapes);
        if (row < 0 && regions != NULL) { /* looked at for its errors alone */
            Py_DECREF(regions);
        }
        else if (hidden_list_append(list, regions) < 0) {
            Py_CLEAR(list);
        }
    }
    return hidden_list_to_tuple(list);
}

static ssop_status
infer(const void *call, ssop_shape shape, int32_t *rank, int64_t dims[SSOP_MAX_RANK], int8_t source[SSOP_MAX_RANK],
      ssop_error *error)
{
    const operation_call *resolved = call;
    dynamic_slice_arguments given = *(const dynamic_slice_arguments *)resolved->arguments;
    if (given.rows == NULL) {
        return window_family.infer(call, shape, rank, dims, source, error);
    }
    ssop_status status = SSOP_OK;
    const int64_t count = each_may_fail(&given) || given.row_count == 0 ? given.row_count : 1;
    for (int64_t row = count > 0 ? 0 : -1; status == SSOP_OK && row < count; row++) {
        const operation_call of_row = {resolved->op, arguments_of_row(&given, row)};
        if (PyErr_Occurred() || args_is_interrupted(row)) { /* rows are looked at no more then */
            *error = (ssop_error){.rule = SSOP_IN_C9, .axis = -1, .entry = -1};
            return ssop_rule_status(SSOP_IN_C9);
        }
        status = window_family.infer(&of_row, shape, rank, dims, source, error);
    }
    if (status == SSOP_OK && *rank == SSOP_MAX_RANK) {
        *error = (ssop_error){
            .rule = SSOP_IN_C9, .axis = -1, .entry = -1, .value = SSOP_MAX_RANK + 1, .high = SSOP_MAX_RANK};
        status = ssop_rule_status(SSOP_IN_C9);
    }
    for (int32_t axis = status == SSOP_OK ? (*rank)++ : 0; axis > 0; axis--) {
        dims[axis] = dims[axis - 1];
        source[axis] = source[axis - 1];
    }
    dims[0] = given.row_count;
    source[0] = -1;
    return status;
}

static const operation_family dynamic_slice_family = {.run = run, .describe = describe, .infer = infer};

static const operation dynamic_slice = {
    .name = "dynamic_slice",
    .parameters = {PARAMETERS(ARG_OPERAND, ARG_START_INDICES, ARG_SLICE_SIZES, ARG_OUT_OF_BOUNDS,
                              ARG_ALLOW_NEGATIVE_INDICES, ARG_FILL_VALUE, ARG_OUT),
                   .required = 3, .keyword_only = 4},
    .value = 5,
    .scalar_value = true,
    .optional_value = true,
    .read = read_arguments,
    .rank = rank_of_sizes,
    .family = &dynamic_slice_family,
    .resolve.window = resolve_window,
};

/* The entries own the rows that the reader makes. */
static void *
begin(dynamic_slice_arguments *arguments)
{
    arguments->rows = NULL;
    return arguments;
}

static PyObject *
without_rows(PyObject *result, dynamic_slice_arguments *arguments)
{
    PyMem_Free(arguments->rows);
    return result;
}

PyObject *
py_dynamic_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dynamic_slice_arguments arguments;
    return without_rows(operation_run(&dynamic_slice, begin(&arguments), state_of(module), args, positional, kwnames),
                        &arguments);
}

PyObject *
py_dynamic_slice_regions(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dynamic_slice_arguments arguments;
    return without_rows(
        operation_describe(&dynamic_slice, begin(&arguments), state_of(module), args, positional, kwnames), &arguments);
}

PyObject *
py_infer_dynamic_slice(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    dynamic_slice_arguments arguments;
    return without_rows(operation_infer(&dynamic_slice, begin(&arguments), state_of(module), args, positional, kwnames),
                        &arguments);
}
