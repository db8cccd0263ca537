/* Slices whose vectors may be known in part: the path that their calls take. */
#include "infer.h"

#include "../args.h"
#include "../errors.h"
#include "../intervals.h"
#include "../types/dim.h"
#include "../types/partial_shape.h"

/* Not inlined, so that these large buffers are not on the stack while arguments are read. */
static SSOP_NOINLINE PyObject *
infer_result(const inferred_slice *slice, const call_context *call, const void *arguments, PyObject *operand,
             bool tight)
{
    ssop_partial_shape shape, out;
    ssop_error error;
    partial_shape_get(operand, &shape);
    return slice->infer(arguments, inference_of(call->state, tight), &shape, &out, &error) == SSOP_OK
             ? partial_shape_result(call->state, &out, (PyObject *const[]){operand, NULL})
             : errors_raise(call, &error, NULL);
}

static PyObject *
read_and_infer(const inferred_slice *slice, const call_context *call, PyObject *const *found, void *arguments)
{
    bool tight;
    if (slice->read(call, found, arguments) < 0 ||
        dim_read_mode(call, found[slice->parameters.count - 1], false, &tight) < 0) {
        return NULL;
    }
    PyObject *operand = partial_shape_from(call, "shape", found[0]);
    PyObject *result = operand != NULL ? infer_result(slice, call, arguments, operand, tight) : NULL;
    Py_XDECREF(operand);
    return result;
}

PyObject *
infer_slice_run(const inferred_slice *slice, PyObject *module, PyObject *const *args, Py_ssize_t positional,
                PyObject *kwnames)
{
    const call_context call = {.state = state_of(module), .op = slice->name};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &slice->parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    void *arguments = PyMem_Malloc(slice->arguments_bytes); /* too large for a stack that user code may stand on */
    if (arguments == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *result = read_and_infer(slice, &call, found, arguments);
    PyMem_Free(arguments);
    return result;
}

/* ---- a vector of its own ----------------------------------------------------------------------------------------- */

static PyObject *
end_of(int64_t value, int64_t open)
{
    return value != open ? PyLong_FromLongLong(value) : Py_NewRef(Py_None);
}

/* What intervals_read reads as this interval. */
static PyObject *
argument_of(ssop_interval interval)
{
    if (interval.lo == interval.hi) {
        return PyLong_FromLongLong(interval.lo);
    }
    if (interval.lo == INT64_MIN && interval.hi == INT64_MAX) {
        return Py_NewRef(Py_None);
    }
    PyObject *least = end_of(interval.lo, INT64_MIN);
    PyObject *greatest = least != NULL ? end_of(interval.hi, INT64_MAX) : NULL;
    return greatest != NULL ? Py_BuildValue("(NN)", least, greatest) : (Py_XDECREF(least), NULL);
}

/* Numbers beyond the capacity are one more None: a vector of so many is too long for every operation. */
static PyObject *
vector_argument(Py_ssize_t count, const ssop_interval *interval)
{
    count = count <= SSOP_MAX_ENTRIES ? count : SSOP_MAX_ENTRIES + 1;
    PyObject *items[SSOP_MAX_ENTRIES + 1];
    for (Py_ssize_t i = 0; i < count; i++) {
        items[i] = i < SSOP_MAX_ENTRIES ? argument_of(interval[i]) : Py_NewRef(Py_None);
        if (items[i] == NULL) {
            while (i-- > 0) {
                Py_DECREF(items[i]);
            }
            return NULL;
        }
    }
    PyObject *vector = PyTuple_New(count);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (vector != NULL) {
            PyTuple_SET_ITEM(vector, i, items[i]);
        }
        else {
            Py_DECREF(items[i]);
        }
    }
    return vector;
}

PyObject *
py_partial_vector(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OP, ARG_NAME, ARG_VALUES), .required = 3};
    call_context call = {.state = state_of(module), .op = "partial_vector"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    const char *name = PyUnicode_AsUTF8(found[1]);
    call.op = name != NULL ? PyUnicode_AsUTF8(found[0]) : NULL;
    if (call.op == NULL) {
        return NULL;
    }
    interval_list *vector = PyMem_Malloc(sizeof *vector); /* too large for a stack that user code may stand on */
    if (vector == NULL) {
        return PyErr_NoMemory();
    }
    int32_extremes extremes = {.name = {"start", "stop"}}; /* of OpenVINO's Slice: ov_s5 */
    call.extremes = strcmp(call.op, "openvino.slice") == 0 ? &extremes : NULL;
    int read = intervals_read_list(&call, name, found[2], vector);
    if (read == 0 && call.extremes != NULL) {
        args_open_extremes(&extremes, strcmp(name, "stop") == 0, vector->count, NULL, vector->value, NULL);
    }
    PyObject *result = read == 0 ? vector_argument((Py_ssize_t)vector->count, vector->value) : NULL;
    PyMem_Free(vector);
    return result;
}
