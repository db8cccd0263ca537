/* ssop.xla.pad; and its regions without data. */
#include "args.h"
#include "complement.h"
#include "errors.h"
#include "ndarray.h"
#include "region.h"

/* ---- reading -------------------------------------------------------------------------------------------------------- */

typedef struct {
    Py_ssize_t count;
    int64_t low[SSOP_MAX_RANK], high[SSOP_MAX_RANK], interior[SSOP_MAX_RANK];
} pad_config;

/* One (low, high, interior) of them (pad_c7). */
static int
read_triple(const call_context *call, PyObject *object, Py_ssize_t entry, pad_config *into)
{
    char name[48];
    int64_t triple[3];
    snprintf(name, sizeof name, "padding_config[%lld]", (long long)entry);
    Py_ssize_t length = args_read_vector(call, name, object, triple, 3);
    if (length < 0) {
        return -1;
    }
    if (length != 3) {
        ssop_error error = {
            .rule = SSOP_PAD_C7, .axis = -1, .entry = (int32_t)entry, .value = length, .low = 3, .high = 3};
        errors_raise(call, &error, NULL);
        return -1;
    }
    into->low[entry] = triple[0];
    into->high[entry] = triple[1];
    into->interior[entry] = triple[2];
    return 0;
}

static int
read_config(const call_context *call, PyObject *object, pad_config *into)
{
    bool scalar = PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object) == 0;
    if (!args_is_vector(object) || scalar) {
        ssop_error error = {.rule = SSOP_IN_C5, .axis = -1, .entry = -1};
        errors_raise_type(call, &error, "padding_config", object, "(low, high, interior)");
        return -1;
    }
    into->count = PySequence_Size(object);
    int result = into->count < 0 ? -1 : 0;
    for (Py_ssize_t i = 0; result == 0 && i < into->count && i < SSOP_MAX_RANK; i++) {
        PyObject *item = PySequence_GetItem(object, i);
        result = item != NULL ? read_triple(call, item, i, into) : -1;
        Py_XDECREF(item);
    }
    return result;
}

static bool
is_array(PyObject *object)
{
    return PyArray_Check(object) || PyArray_IsScalar(object, Generic);
}

/* An array as it is, to be checked in XLA's order; the rest converted to the operand's dtype. */
static PyArrayObject *
read_value(const call_context *call, PyObject *object, PyArrayObject *operand)
{
    return is_array(object) ? ndarray_operand(object) : ndarray_value(call, object, operand, SSOP_PAD_C3);
}

/* ---- checks --------------------------------------------------------------------------------------------------------- */

/* Where everything goes. */
typedef struct {
    ssop_region kept, place;
    int32_t rank;
    int64_t out_dim[SSOP_MAX_RANK];
} padding;

static int
refuse_value_shape(const call_context *call, PyArrayObject *value)
{
    ssop_error error = {.rule = SSOP_PAD_C1, .axis = -1, .entry = -1};
    PyObject *shape = PyArray_IntTupleFromIntp(PyArray_NDIM(value), PyArray_DIMS(value));
    if (shape != NULL) {
        errors_raise_pair(call, &error, "padding_value", shape, NULL);
        Py_DECREF(shape);
    }
    return -1;
}

static int
resolve_shape(const call_context *call, const pad_config *config, int32_t rank, const int64_t *dims, padding *plan)
{
    ssop_pad_spec spec = {config->count, config->low, config->high, config->interior};
    ssop_error error;
    plan->rank = rank;
    if (ssop_pad_resolve(&spec, (ssop_shape){rank, dims}, &plan->kept, &plan->place, plan->out_dim, &error) ==
        SSOP_OK) {
        return 0;
    }
    errors_raise(call, &error, NULL);
    return -1;
}

/* XLA's order: the value's shape, the rank, the dtype of a value that was not converted, the numbers. */
static int
resolve(const call_context *call, const pad_config *config, PyArrayObject *operand, PyArrayObject *value,
        bool converted, padding *plan)
{
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = ndarray_dims(operand, dims);
    if (PyArray_NDIM(value) != 0) {
        return refuse_value_shape(call, value);
    }
    if (!converted && config->count == rank &&
        ndarray_check_dtype(call, value, "padding_value", PyArray_DESCR(operand), SSOP_PAD_C3) < 0) {
        return -1;
    }
    return resolve_shape(call, config, rank, dims, plan);
}

/* ---- moving --------------------------------------------------------------------------------------------------------- */

static bool
is_all_zero(PyArrayObject *value)
{
    const char *bytes = PyArray_BYTES(value);
    for (npy_intp i = 0; i < PyArray_ITEMSIZE(value); i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

/* The value around the operand's place, then the operand: for what no single sweep can write. All views are made before
 * anything moves. */
static int
fill_then_place(const call_context *call, PyArrayObject *result, const padding *plan, PyArrayObject *operand,
                const ssop_view *seen, PyArrayObject *value)
{
    ssop_view whole, place, one, repeated;
    ssop_error error;
    ndarray_view(value, &one);
    if (ndarray_checked_view(call, result, &whole) < 0) {
        return -1;
    }
    if (ssop_region_view(&plan->place, &whole, &place, &error) != SSOP_OK ||
        ssop_broadcast_view(whole.rank, whole.dim, &one, &repeated, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return complement_move(result, &whole, value, &repeated, &plan->place) < 0
             ? -1
             : ndarray_move(result, &place, operand, seen);
}

/* The three arrays are nobody else's, or hold plain bytes; the result shares no memory with the others. */
static int
fill(const call_context *call, PyArrayObject *result, const padding *plan, PyArrayObject *operand, PyArrayObject *value)
{
    ssop_view whole, seen;
    ssop_error error;
    ndarray_view(operand, &whole);
    if (ssop_region_view(&plan->kept, &whole, &seen, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    if (PyArray_ITEMSIZE(result) == 0) { /* NumPy converts to at least one byte */
        return 0;
    }
    if (!ndarray_moves_as_bytes(PyArray_DESCR(result)) || !is_all_zero(value)) {
        return fill_then_place(call, result, plan, operand, &seen, value);
    }
    ndarray_view(result, &whole);
    return ndarray_dilate(&whole, &plan->place, &seen);
}

/* An input for as long as `out` is written (new reference): a copy if they share memory (out_s2). */
static PyArrayObject *
saved_input(const call_context *call, PyArrayObject *input, PyArrayObject *target, bool given)
{
    return given && ndarray_share_memory(target, input) ? (PyArrayObject *)ndarray_take_whole(call, input, NULL)
                                                        : ndarray_alias(input);
}

/* Apart from the caller, whose frame stands on the stack while user code runs. */
static SSOP_NOINLINE PyObject *
pad_into(const call_context *call, PyArrayObject *operand, PyArrayObject *value, bool converted,
         const pad_config *config, PyObject *out)
{
    padding plan;
    if (resolve(call, config, operand, value, converted, &plan) < 0) {
        return NULL;
    }
    bool given = args_given(out);
    PyArrayObject *target =
        given ? (PyArrayObject *)Py_XNewRef(ndarray_out(call, out, plan.rank, plan.out_dim, PyArray_DESCR(operand)))
              : ndarray_new_like(operand, plan.rank, plan.out_dim);
    PyArrayObject *source = target != NULL ? saved_input(call, operand, target, given) : NULL;
    PyArrayObject *one = source != NULL ? saved_input(call, value, target, given) : NULL;
    PyArrayObject *result = one != NULL ? ndarray_alias(target) : NULL;
    if (result == NULL || fill(call, result, &plan, source, one) < 0) {
        Py_CLEAR(target);
    }
    Py_XDECREF(result);
    Py_XDECREF(one);
    Py_XDECREF(source);
    return (PyObject *)target;
}

PyObject *
py_xla_pad(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {
        "xla.pad", 4, 3, 3, {ARG_OPERAND, ARG_PADDING_VALUE, ARG_PADDING_CONFIG, ARG_OUT}};
    call_context call = {.state = state_of(module), .op = signature.function};
    PyObject *found[MAX_ARGUMENTS];
    pad_config config;
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    if (!ndarray_is_ours(found[0]) || !ndarray_is_ours(found[1])) {
        return ndarray_leave_to_lazy(&call, args, positional, kwnames);
    }
    if (read_config(&call, found[2], &config) < 0) {
        return NULL;
    }
    PyArrayObject *operand = ndarray_operand(found[0]);
    if (operand == NULL) {
        return NULL;
    }
    PyArrayObject *value = read_value(&call, found[1], operand);
    PyObject *result = value != NULL ? pad_into(&call, operand, value, !is_array(found[1]), &config, found[3]) : NULL;
    Py_XDECREF(value);
    Py_DECREF(operand);
    return result;
}

const char py_xla_pad_doc[] =
    "pad($module, /, operand, padding_value, padding_config, *, out=None)\n"
    "--\n\n"
    "XLA's Pad: the operand with padding around it and between its elements, as a new array.\n\n"
    "Parameters\n"
    "----------\n"
    "operand : array_like, any shape and dtype\n"
    "padding_value : scalar, or array of shape ()\n"
    "    An array must have the operand's dtype; a Python scalar is converted.\n"
    "padding_config : sequence of one (low, high, interior) per axis, in elements\n"
    "    interior >= 0 values go between any two neighbours first; then low are added\n"
    "    before and high behind. Negative low and high remove elements instead.\n"
    "out : numpy.ndarray of the result's shape and dtype, any layout, optional\n\n"
    "Returns\n"
    "-------\n"
    "numpy.ndarray : new, C-ordered, of the same dtype; or `out`. Axis k has length\n"
    "    dim + low + high + max(dim - 1, 0) * interior.\n\n"
    "Raises\n"
    "------\n"
    "SliceError : `label` names the rule (pad_*, in_*, out_*) in SPEC.md.\n\n"
    "Source: XLA's Operation Semantics and shape inference; StableHLO `pad`.\n\n"
    "Examples\n"
    "--------\n"
    ">>> import numpy as np, ssop\n"
    ">>> ssop.xla.pad(np.array([1, 2, 3]), 0, [(1, -1, 2)])\n"
    "array([0, 1, 0, 0, 2, 0, 0])\n";

PyObject *
py_xla_pad_regions(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const args_signature signature = {"xla_pad_regions", 2, 2, 2, {ARG_SHAPE, ARG_PADDING_CONFIG}};
    call_context call = {.state = state_of(module), .op = "xla.pad"};
    PyObject *found[MAX_ARGUMENTS];
    pad_config config;
    padding plan;
    int64_t dims[SSOP_MAX_RANK];
    if (args_parse(call.state, &signature, args, positional, kwnames, found) < 0 ||
        read_config(&call, found[1], &config) < 0) {
        return NULL;
    }
    int32_t rank = args_read_shape(&call, "shape", found[0], dims);
    if (rank < 0 || resolve_shape(&call, &config, rank, dims, &plan) < 0) {
        return NULL;
    }
    PyObject *kept = region_new(call.state, &plan.kept, dims);
    PyObject *place = kept != NULL ? region_new(call.state, &plan.place, plan.out_dim) : NULL;
    PyObject *both = place != NULL ? PyTuple_Pack(2, kept, place) : NULL;
    Py_XDECREF(place);
    Py_XDECREF(kept);
    return both;
}

const char py_xla_pad_regions_doc[] =
    "xla_pad_regions($module, /, shape, padding_config)\n"
    "--\n\n"
    "Two Regions: what xla.pad keeps of an operand of this shape, and where that lands in the result.";
