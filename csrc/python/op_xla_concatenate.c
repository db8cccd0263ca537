/* ssop.xla.concatenate; and the shape it would give. */
#include "args.h"
#include "errors.h"
#include "ndarray.h"

/* ---- operands in ---------------------------------------------------------------------------------------------------- */

/* The operands as a tuple of whatever they are (cat_c7). Runs user code. */
static PyObject *
read_operands(const call_context *call, PyObject *operands)
{
    bool scalar = PyArray_Check(operands) && PyArray_NDIM((PyArrayObject *)operands) == 0;
    if (args_is_vector(operands) && !scalar) {
        return PySequence_Tuple(operands);
    }
    ssop_error error = {.rule = SSOP_CAT_C7, .axis = -1, .entry = -1};
    errors_raise_type(call, &error, "operands", operands, NULL);
    return NULL;
}

static bool
are_ours(PyObject *operands)
{
    bool ours = true;
    for (Py_ssize_t i = 0; ours && i < PyTuple_GET_SIZE(operands); i++) {
        ours = ndarray_is_ours(PyTuple_GET_ITEM(operands, i));
    }
    return ours;
}

static PyArrayObject *
operand_at(PyObject *arrays, Py_ssize_t entry)
{
    return (PyArrayObject *)PyTuple_GET_ITEM(arrays, entry);
}

/* The operands as arrays: all conversions first, for they run user code, which may change arrays that are done. */
static PyObject *
convert_all(PyObject *operands)
{
    Py_ssize_t count = PyTuple_GET_SIZE(operands);
    PyObject *arrays = PyTuple_New(count);
    for (Py_ssize_t i = 0; arrays != NULL && i < count; i++) {
        PyArrayObject *array = ndarray_operand(PyTuple_GET_ITEM(operands, i));
        if (array == NULL) {
            Py_CLEAR(arrays);
            break;
        }
        PyTuple_SET_ITEM(arrays, i, (PyObject *)array);
    }
    return arrays;
}

/* Views of them that nobody else has: their shapes and dtypes stay as they are now. */
static PyObject *
private_views(const call_context *call, PyObject *arrays)
{
    Py_ssize_t count = PyTuple_GET_SIZE(arrays);
    PyObject *views = PyTuple_New(count);
    for (Py_ssize_t i = 0; views != NULL && i < count; i++) {
        ssop_view whole;
        PyArrayObject *array = operand_at(arrays, i), *view = NULL;
        if (ndarray_checked_view(call, array, &whole) == 0) {
            view = ndarray_of_view(array, &whole);
        }
        if (view == NULL) {
            Py_CLEAR(views);
            break;
        }
        PyTuple_SET_ITEM(views, i, (PyObject *)view);
    }
    return views;
}

/* ---- checks --------------------------------------------------------------------------------------------------------- */

static int
check_dtype(const call_context *call, PyObject *arrays, Py_ssize_t entry)
{
    PyArray_Descr *wanted = PyArray_DESCR(operand_at(arrays, 0)), *given = PyArray_DESCR(operand_at(arrays, entry));
    Py_INCREF(given); /* comparing and formatting run user code, which may give the arrays other dtypes */
    Py_INCREF(wanted);
    bool same = PyArray_EquivTypes(given, wanted);
    if (!same) {
        ssop_error error = {.rule = SSOP_CAT_C4, .axis = -1, .entry = (int32_t)entry};
        errors_raise_pair(call, &error, "operands", (PyObject *)given, (PyObject *)wanted);
    }
    Py_DECREF(wanted);
    Py_DECREF(given);
    return same ? 0 : -1;
}

static int
begin(const call_context *call, PyObject *arrays, int64_t dimension, ssop_concatenation *joined)
{
    int64_t dims[SSOP_MAX_RANK];
    Py_ssize_t count = PyTuple_GET_SIZE(arrays);
    int32_t rank = count > 0 ? ndarray_dims(operand_at(arrays, 0), dims) : 0;
    ssop_error error;
    if (ssop_concatenate_begin(joined, count, dimension, (ssop_shape){rank, dims}, &error) == SSOP_OK) {
        return 0;
    }
    errors_raise(call, &error, NULL);
    return -1;
}

static int
add(const call_context *call, PyObject *arrays, Py_ssize_t entry, ssop_concatenation *joined, ssop_region *place)
{
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(operand_at(arrays, entry), dims);
    if (rank == joined->rank && check_dtype(call, arrays, entry) < 0) { /* between ranks and dims, as in XLA */
        return -1;
    }
    ssop_error error;
    if (ssop_concatenate_add(joined, (int32_t)entry, (ssop_shape){rank, dims}, place, &error) == SSOP_OK) {
        return 0;
    }
    errors_raise(call, &error, NULL);
    return -1;
}

static int
join_shapes(const call_context *call, PyObject *arrays, int64_t dimension, ssop_concatenation *joined)
{
    ssop_region place;
    int result = begin(call, arrays, dimension, joined);
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(arrays); i++) {
        result = add(call, arrays, i, joined, &place);
    }
    return result;
}

/* ---- moving --------------------------------------------------------------------------------------------------------- */

/* Operands that share memory with `out` are copied before anything is written (out_s2). */
static int
save_shared(const call_context *call, PyObject *views, PyArrayObject *target)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(views); i++) {
        PyArrayObject *view = operand_at(views, i);
        if (ndarray_share_memory(target, view)) {
            PyObject *copy = ndarray_take_whole(call, view, NULL);
            if (copy == NULL) {
                return -1;
            }
            PyTuple_SET_ITEM(views, i, copy);
            Py_DECREF(view);
        }
    }
    return 0;
}

static int
place_all(const call_context *call, PyArrayObject *target, PyObject *views, int64_t dimension)
{
    ssop_concatenation joined;
    ssop_view whole;
    ssop_error error;
    if (ndarray_checked_view(call, target, &whole) < 0 || begin(call, views, dimension, &joined) < 0) {
        return -1;
    }
    int result = 0;
    for (Py_ssize_t i = 0; result == 0 && i < PyTuple_GET_SIZE(views); i++) {
        ssop_region place;
        ssop_view from, to;
        if (add(call, views, i, &joined, &place) < 0) {
            return -1;
        }
        if (ssop_region_view(&place, &whole, &to, &error) != SSOP_OK) {
            errors_raise(call, &error, NULL);
            return -1;
        }
        ndarray_view(operand_at(views, i), &from);
        result = ndarray_move(target, &to, operand_at(views, i), &from);
    }
    return result;
}

/* Apart from the caller, whose frame stands on the stack while user code runs. */
static SSOP_NOINLINE PyObject *
join(const call_context *call, PyObject *views, int64_t dimension, PyObject *out)
{
    ssop_concatenation joined;
    if (join_shapes(call, views, dimension, &joined) < 0) {
        return NULL;
    }
    PyArrayObject *first = operand_at(views, 0), *result;
    bool given = args_given(out);
    if (given) {
        result = (PyArrayObject *)Py_XNewRef(ndarray_out(call, out, joined.rank, joined.dim, PyArray_DESCR(first)));
    }
    else {
        result = ndarray_new_like(first, joined.rank, joined.dim);
    }
    if (result == NULL || (given && save_shared(call, views, result) < 0)) {
        Py_XDECREF(result);
        return NULL;
    }
    PyArrayObject *target = ndarray_alias(result);
    if (target == NULL || place_all(call, target, views, dimension) < 0) {
        Py_CLEAR(result);
    }
    Py_XDECREF(target);
    return (PyObject *)result;
}

PyObject *
py_xla_concatenate(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {"xla.concatenate", 3, 2, 2, {ARG_OPERANDS, ARG_DIMENSION, ARG_OUT}};
    call_context call = {.state = state_of(module), .op = signature.function};
    PyObject *found[MAX_ARGUMENTS], *result = NULL;
    int64_t dimension;
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *operands = read_operands(&call, found[0]);
    if (operands == NULL) {
        return NULL;
    }
    if (!are_ours(operands)) {
        result = ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    else if (args_read_integer(&call, "dimension", found[1], &dimension) == 0) {
        PyObject *arrays = convert_all(operands);
        PyObject *views = arrays != NULL ? private_views(&call, arrays) : NULL;
        result = views != NULL ? join(&call, views, dimension, found[2]) : NULL;
        Py_XDECREF(views);
        Py_XDECREF(arrays);
    }
    Py_DECREF(operands);
    return result;
}

const char py_xla_concatenate_doc[] =
    "concatenate($module, /, operands, dimension, *, out=None)\n"
    "--\n\n"
    "XLA's Concatenate: arrays joined along an axis they have, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operands : sequence of one or more array_like, all of one dtype and rank\n"
    "    Their shapes differ in no axis but `dimension`.\n"
    "dimension : int, the axis, 0 <= dimension < rank\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the first operand's dtype; or `out`.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (cat_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics and shape inference; StableHLO `concatenate`.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.concatenate([np.array([[1], [2]]), np.array([[3, 4], [5, 6]])], 1)\n"
    "array([[1, 3, 4],\n"
    "       [2, 5, 6]])\n";

/* ---- without data --------------------------------------------------------------------------------------------------- */

static PyObject *
join_plain_shapes(const call_context *call, PyObject *shapes, int64_t dimension)
{
    ssop_concatenation joined;
    ssop_error error;
    int64_t dims[SSOP_MAX_RANK] = {0};
    Py_ssize_t count = PyTuple_GET_SIZE(shapes);
    for (Py_ssize_t i = 0; i == 0 || i < count; i++) {
        int32_t rank = count > 0 ? args_read_shape(call, "shapes", PyTuple_GET_ITEM(shapes, i), dims) : 0;
        if (rank < 0) {
            return NULL;
        }
        ssop_region place;
        if ((i == 0 &&
             ssop_concatenate_begin(&joined, count, dimension, (ssop_shape){rank, dims}, &error) != SSOP_OK) ||
            ssop_concatenate_add(&joined, (int32_t)i, (ssop_shape){rank, dims}, &place, &error) != SSOP_OK) {
            return errors_raise(call, &error, NULL);
        }
    }
    return args_tuple(joined.rank, joined.dim);
}

PyObject *
py_xla_concatenate_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {"xla_concatenate_shape", 2, 2, 2, {ARG_SHAPES, ARG_DIMENSION}};
    call_context call = {.state = state_of(module), .op = "xla.concatenate"};
    PyObject *found[MAX_ARGUMENTS];
    int64_t dimension;
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    PyObject *shapes = read_operands(&call, found[0]), *result = NULL;
    if (shapes != NULL && args_read_integer(&call, "dimension", found[1], &dimension) == 0) {
        result = join_plain_shapes(&call, shapes, dimension);
    }
    Py_XDECREF(shapes);
    return result;
}

const char py_xla_concatenate_shape_doc[] =
    "xla_concatenate_shape($module, /, shapes, dimension)\n"
    "--\n\n"
    "The shape of xla.concatenate's result for operands of these shapes.";
