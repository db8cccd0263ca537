/* Vectors that Python code is given, read as the operations read theirs: once, and as far as one can have a meaning. */
#include "../args.h"
#include "../parse.h"

enum { MAX_READ = 1024 }; /* no operation takes half as many, so that one which gets these says what is wrong */

/* Parses (op, name, value), and reads the value for a call of `op`. */
static PyObject *
read_for(call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames,
         PyObject *(*read)(const call_context *call, const char *name, PyObject *value))
{
    static const parameter_list parameters = {PARAMETERS(ARG_OP, ARG_NAME, ARG_VALUE), .required = 3};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    const char *name = PyUnicode_AsUTF8(found[1]);
    call->op = name != NULL ? PyUnicode_AsUTF8(found[0]) : NULL;
    return call->op != NULL ? read(call, name, found[2]) : NULL;
}

static PyObject *
read_integers(const call_context *call, const char *name, PyObject *value)
{
    int64_t *values = PyMem_New(int64_t, MAX_READ); /* too large for a stack that user code may stand on */
    if (values == NULL) {
        return PyErr_NoMemory();
    }
    Py_ssize_t count = args_read_vector(call, name, value, values, MAX_READ);
    PyObject *tuple = count < 0 ? NULL : args_tuple(count < MAX_READ ? (int32_t)count : MAX_READ, values);
    PyMem_Free(values);
    return tuple;
}

static PyObject *
read_shape(const call_context *call, const char *name, PyObject *value)
{
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = args_read_shape(call, name, value, dims);
    return rank < 0 ? NULL : args_tuple(rank, dims);
}

PyObject *
py_read_integers(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    call_context call = {.state = state_of(module), .op = "read_integers"};
    return read_for(&call, args, positional, kwnames, read_integers);
}

PyObject *
py_read_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    call_context call = {.state = state_of(module), .op = "read_shape"};
    return read_for(&call, args, positional, kwnames, read_shape);
}
