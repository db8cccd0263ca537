/* Arrays of other libraries: recognised here, and left to Python. */
#include "foreign.h"

/* Decided by the names of the type's classes: that needs no memory, which may have run out, and does not read the
 * object's __class__, which may run user code. ssop._lazy tells a class that only shares the name from the real one. */
bool
foreign_is_masked(PyObject *object)
{
    PyObject *classes = Py_TYPE(object)->tp_mro;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(classes); i++) {
        if (strcmp(((PyTypeObject *)PyTuple_GET_ITEM(classes, i))->tp_name, "MaskedArray") == 0) {
            return true;
        }
    }
    return false;
}

bool
foreign_is_ours(PyObject *object)
{
    if (PyArray_CheckExact(object)) {
        return true;
    }
    if (PyArray_Check(object)) {
        return !foreign_is_masked(object);
    }
    return PyList_Check(object) || PyTuple_Check(object) || PyLong_Check(object) || PyFloat_Check(object) ||
           PyComplex_Check(object) || PyUnicode_Check(object) || PyBytes_Check(object) ||
           PyArray_IsScalar(object, Generic);
}

/* The function as it is to be called: torch.compile traces Python functions that C calls, with tensors that have no
 * memory, unless they are marked. Steals the reference, returns a new one. */
static PyObject *
outside_graphs(PyObject *function)
{
    PyObject *modules = PyImport_GetModuleDict(); /* borrowed */
    if (function == NULL || !PyDict_Check(modules) || PyDict_GetItemString(modules, "torch._dynamo") == NULL) {
        return function; /* which torch.compile imports first */
    }
    PyObject *tensors = PyImport_ImportModule("ssop._lazy.tensors");
    PyObject *mark = tensors == NULL ? NULL : PyObject_GetAttrString(tensors, "outside_graphs");
    PyObject *marked = mark == NULL ? NULL : PyObject_CallFunctionObjArgs(mark, function, NULL); /* may be a tuple */
    Py_XDECREF(mark);
    Py_XDECREF(tensors);
    Py_DECREF(function);
    return marked;
}

PyObject *
foreign_call(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames)
{
    if (call->state->lazy == NULL) {
        PyObject *lazy = PyImport_ImportModule("ssop._lazy.operations"); /* which may come through here, too */
        if (lazy == NULL) {
            return NULL;
        }
        Py_XSETREF(call->state->lazy, lazy);
    }
    char name[64]; /* the function for "tf.slice" is called tf_slice there */
    size_t length = 0;
    for (; call->op[length] != '\0' && length + 1 < sizeof name; length++) {
        name[length] = call->op[length] == '.' ? '_' : call->op[length];
    }
    name[length] = '\0';
    PyObject *function = outside_graphs(PyObject_GetAttrString(call->state->lazy, name));
    if (function == NULL) {
        return NULL;
    }
    PyObject *result = PyObject_Vectorcall(function, args, (size_t)positional, kwnames);
    Py_DECREF(function);
    return result;
}
