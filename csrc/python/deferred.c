/* The Deferred type: a function of a library that gives the array, and its arguments. */
#include "deferred.h"

#include "docstrings.h"

typedef struct {
    PyObject_HEAD PyObject *function, *arguments;
} deferred_object;

void
deferred_dealloc(PyObject *self)
{
    deferred_object *deferred = (deferred_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(deferred->function);
    Py_XDECREF(deferred->arguments);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyObject *
deferred_construct(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    if (PyTuple_GET_SIZE(args) < 1 || (kwargs != NULL && PyDict_GET_SIZE(kwargs) > 0)) {
        PyErr_SetString(PyExc_TypeError, "Deferred() takes a function and its positional arguments");
        return NULL;
    }
    deferred_object *deferred = PyObject_New(deferred_object, type);
    if (deferred == NULL) {
        return NULL;
    }
    deferred->function = Py_NewRef(PyTuple_GET_ITEM(args, 0));
    deferred->arguments = PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args));
    if (deferred->arguments == NULL) {
        Py_CLEAR(deferred);
    }
    return (PyObject *)deferred;
}

PyObject *
deferred_array(PyObject *object)
{
    const deferred_object *deferred = (deferred_object *)object;
    return deferred_is(object) ? PyObject_Call(deferred->function, deferred->arguments, NULL) : Py_NewRef(object);
}

static PyType_Slot deferred_slots[] = {
    {Py_tp_doc, DOC_Deferred}, {Py_tp_new, deferred_construct}, {Py_tp_dealloc, deferred_dealloc}, {0, NULL}};

PyType_Spec ssop_deferred_spec = {
    .name = "ssop._core.Deferred",
    .basicsize = sizeof(deferred_object),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = deferred_slots,
};
