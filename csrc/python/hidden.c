/* Containers that nobody else can find while they are filled. */
#include "hidden.h"

PyObject *
hidden_tuple(Py_ssize_t count)
{
    PyObject *tuple = PyTuple_New(count);
    if (tuple != NULL && count > 0) { /* all code shares the empty one */
        PyObject_GC_UnTrack(tuple);
    }
    return tuple;
}

PyObject *
hidden_list(void)
{
    PyObject *list = PyList_New(0);
    if (list != NULL) {
        PyObject_GC_UnTrack(list);
    }
    return list;
}

PyObject *
hidden_tuple_of(int32_t count, const void *from, PyObject *(*make)(const void *from, int32_t part))
{
    PyObject *tuple = hidden_tuple(count);
    for (int32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *item = make(from, i);
        if (item == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, i, item);
    }
    return tuple;
}

PyObject *
hidden_list_to_tuple(PyObject *list)
{
    PyObject *tuple = list != NULL ? PyList_AsTuple(list) : NULL;
    Py_XDECREF(list);
    return tuple;
}

/* The new tuple may start the garbage collector, whose finalizers may shorten the list. PyList_AsTuple crashes then,
 * since it looks for the items before it makes the tuple (Python 3.11). Without the GIL it holds the lock of the list,
 * and the collector does not start there. */
PyObject *
hidden_items(PyObject *fast)
{
    if (PyTuple_CheckExact(fast)) {
        return Py_NewRef(fast);
    }
#if defined(Py_GIL_DISABLED)
    return PyList_AsTuple(fast);
#else
    Py_ssize_t count = PyList_GET_SIZE(fast);
    PyObject *tuple = PyTuple_New(count);
    if (tuple == NULL) {
        return NULL;
    }
    Py_ssize_t left = PyList_GET_SIZE(fast) < count ? PyList_GET_SIZE(fast) : count;
    for (Py_ssize_t i = 0; i < left; i++) {
        PyTuple_SET_ITEM(tuple, i, Py_NewRef(PyList_GET_ITEM(fast, i)));
    }
    if (left < count) {
        (void)_PyTuple_Resize(&tuple, left); /* NULL on error */
    }
    return tuple;
#endif
}

int
hidden_list_append(PyObject *list, PyObject *item)
{
    int result = item != NULL ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return result;
}
