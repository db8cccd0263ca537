/* Slices whose vectors may be known in part: the path that their calls take. */
#include "infer.h"

#include "../errors.h"
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
