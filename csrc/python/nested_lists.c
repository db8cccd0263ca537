/* Lists that hold the same lists again and again. */
#include "nested_lists.h"

enum {
    MAX_VISITS = 1 << 26, /* up to here, lists are read whatever they store */
    MAX_REPETITIONS = 16, /* beyond, as long as an item is visited no more often than this on average */
    MAX_DEPTH = SSOP_MAX_RANK
};

static bool
is_list(PyObject *object)
{
    return PyList_CheckExact(object) || PyTuple_CheckExact(object);
}

/* Takes the number of items off `left`, until it is used up. */
static void
visit_items(PyObject *list, int depth, int64_t *left)
{
    PyObject *const *items = PySequence_Fast_ITEMS(list);
    Py_ssize_t count = PySequence_Fast_GET_SIZE(list);
    *left -= count;
    for (Py_ssize_t i = 0; depth<MAX_DEPTH && * left> 0 && i < count; i++) {
        if (is_list(items[i])) {
            visit_items(items[i], depth + 1, left);
        }
    }
}

/* The items that the lists store, those of a list in many places once; -1 on error. `seen` has addresses of lists. */
static int64_t
count_stored(PyObject *list, int depth, PyObject *seen)
{
    PyObject *address = PyLong_FromVoidPtr(list);
    int known = address != NULL ? PySet_Contains(seen, address) : -1;
    if (known == 0) {
        known = PySet_Add(seen, address);
    }
    else if (known > 0) {
        Py_DECREF(address);
        return 0;
    }
    Py_XDECREF(address);
    int64_t stored = known < 0 ? -1 : PySequence_Fast_GET_SIZE(list);
    PyObject *const *items = PySequence_Fast_ITEMS(list);
    for (Py_ssize_t i = 0; depth < MAX_DEPTH && stored >= 0 && i < PySequence_Fast_GET_SIZE(list); i++) {
        int64_t more = is_list(items[i]) ? count_stored(items[i], depth + 1, seen) : 0;
        stored = more < 0 ? -1 : stored + more;
    }
    return stored;
}

int
nested_lists_check(PyObject *object)
{
    int64_t left = MAX_VISITS;
    if (is_list(object)) {
        visit_items(object, 1, &left);
    }
    if (left > 0) {
        return 0;
    }
    PyObject *seen = PySet_New(NULL);
    int64_t stored = seen != NULL ? count_stored(object, 1, seen) : -1;
    Py_XDECREF(seen);
    if (stored >= 0 && stored < MAX_VISITS / MAX_REPETITIONS) {
        PyErr_SetString(PyExc_MemoryError, "the same lists are nested in each other too often to be read");
        stored = -1;
    }
    return stored < 0 ? -1 : 0;
}

PyObject *
nested_lists_to_array(PyObject *object)
{
    if (PyArray_Check(object)) {
        return Py_NewRef(object);
    }
    return nested_lists_check(object) == 0 ? PyArray_FROM_O(object) : NULL;
}
