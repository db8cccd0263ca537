/* What the core does with lists and scalars that are given as values, for the operations that Python code makes. */
#include "../nested_lists.h"
#include "../parse.h"
#include "../values.h"

PyObject *
py_convert_value(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_OP, ARG_NAME, ARG_VALUE, ARG_DTYPE), .required = 4};
    call_context call = {.state = state_of(module), .op = "convert_value"};
    PyObject *found[MAX_PARAMETERS];
    if (parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0) {
        return NULL;
    }
    const char *name = PyUnicode_AsUTF8(found[1]);
    PyArray_Descr *dtype;
    call.op = name != NULL ? PyUnicode_AsUTF8(found[0]) : NULL;
    if (call.op == NULL || nested_lists_to_dtype(found[3], &dtype) < 0) {
        return NULL;
    }
    PyObject *result = (PyObject *)values_convert(&call, name, found[2], dtype);
    Py_DECREF(dtype);
    return result;
}

PyObject *
py_as_array(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_VALUE), .required = 1};
    const call_context call = {.state = state_of(module), .op = "as_array"};
    PyObject *found[MAX_PARAMETERS];
    return parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0
             ? NULL
             : PyArray_EnsureArray(nested_lists_to_array(found[0]));
}

PyObject *
py_read_lists(PyObject *module, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    static const parameter_list parameters = {PARAMETERS(ARG_VALUE), .required = 1};
    const call_context call = {.state = state_of(module), .op = "read_lists"};
    PyObject *found[MAX_PARAMETERS];
    return parse_arguments(&call, &parameters, args, positional, kwnames, found) < 0 ? NULL
                                                                                     : nested_lists_bounded(found[0]);
}
