/* Vectors that Python code is given, read as the operations read theirs: once, and as far as one can have a meaning. */
#include "../args.h"
#include "../parse.h"

enum { MAX_READ = 1024 }; /* no operation takes half as many, so that one which gets these says what is wrong */

/* Parses (op, name, value); the call is then that of `op`. Returns the name, or NULL on error. */
static const char *
read_names(call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames, PyObject **value)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OP, ARG_NAME, ARG_VALUE), .required = 3};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    const char *name = PyUnicode_AsUTF8(found[1]);
    call->op = name != NULL ? PyUnicode_AsUTF8(found[0]) : NULL;
    *value = found[2];
    return call->op != NULL ? name : NULL;
}

PyObject *
py_read_integers(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    call_context call = {.state = state_of(module), .op = "read_integers"};
    PyObject *value;
    const char *name = read_names(&call, args, positional, kwnames, &value);
    if (name == NULL) {
        return NULL;
    }
    int64_t values[MAX_READ];
    Py_ssize_t count = args_read_vector(&call, name, value, values, MAX_READ);
    return count < 0 ? NULL : args_tuple(count < MAX_READ ? (int32_t)count : MAX_READ, values);
}

PyObject *
py_read_shape(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    call_context call = {.state = state_of(module), .op = "read_shape"};
    PyObject *value;
    const char *name = read_names(&call, args, positional, kwnames, &value);
    if (name == NULL) {
        return NULL;
    }
    int64_t dims[SSOP_MAX_RANK];
    int32_t rank = args_read_shape(&call, name, value, dims);
    return rank < 0 ? NULL : args_tuple(rank, dims);
}
