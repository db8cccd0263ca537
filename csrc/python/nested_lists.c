/* Lists and other sequences that become arrays: read no further than they can mean. */
#include "nested_lists.h"

#include "hidden.h"
#include "shared.h"

enum {
    MAX_VISITS = 1 << 26, /* up to here, lists are read whatever they store */
    MAX_REPETITIONS = 16, /* beyond, as long as an item is visited no more often than this on average */
    MAX_MADE = 1 << 24,   /* items of sequences that make them when they are asked */
    MAX_DEPTH = SSOP_MAX_RANK
};

/* NumPy reads lists while other threads may change them, and does not expect that: without the GIL it gets copies that
 * only this call knows. */
#if defined(Py_GIL_DISABLED)
enum { COPIES_LISTS = true };
#else
enum { COPIES_LISTS = false };
#endif

/* ---- lists ------------------------------------------------------------------------------------------------------- */

/* Lists and tuples, also of subclasses that leave it to the base class what their items are. */
static bool
is_list(PyObject *object)
{
    return (PyList_Check(object) && Py_TYPE(object)->tp_iter == PyList_Type.tp_iter) ||
           (PyTuple_Check(object) && Py_TYPE(object)->tp_iter == PyTuple_Type.tp_iter);
}

/* Other objects that NumPy may read as sequences. */
static bool
makes_items(PyObject *object)
{
    return PySequence_Check(object) && !is_list(object) && !PyArray_Check(object) && !PyArray_IsAnyScalar(object);
}

typedef struct {
    int64_t left;     /* items to be visited */
    bool makes_items; /* one of the visited does */
} visit;

/* Takes the number of items off what is left, until it is used up. */
static void
visit_items(PyObject *list, int depth, visit *whole)
{
    PyObject *item;
    whole->left -= PySequence_Fast_GET_SIZE(list);
    for (Py_ssize_t i = 0; depth < MAX_DEPTH && whole->left > 0 && (item = shared_borrow(list, i)) != NULL; i++) {
        if (is_list(item)) {
            visit_items(item, depth + 1, whole);
        }
        else {
            whole->makes_items = whole->makes_items || makes_items(item);
        }
        shared_return(item);
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
    PyObject *item;
    for (Py_ssize_t i = 0; depth < MAX_DEPTH && stored >= 0 && (item = shared_borrow(list, i)) != NULL; i++) {
        int64_t more = is_list(item) ? count_stored(item, depth + 1, seen) : 0;
        stored = more < 0 ? -1 : stored + more;
        shared_return(item);
    }
    return stored;
}

static int
check_stored(PyObject *list)
{
    PyObject *seen = PySet_New(NULL);
    int64_t stored = seen != NULL ? count_stored(list, 1, seen) : -1;
    Py_XDECREF(seen);
    if (stored >= 0 && stored < MAX_VISITS / MAX_REPETITIONS) {
        PyErr_SetString(PyExc_MemoryError, "the same lists are nested in each other too often to be read");
        stored = -1;
    }
    return stored < 0 ? -1 : 0;
}

/* ---- other sequences --------------------------------------------------------------------------------------------- */

static int
has_attribute(PyObject *object, const char *name)
{
    PyObject *found = PyObject_GetAttrString(object, name);
    Py_XDECREF(found);
    if (found == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        return 0;
    }
    return found != NULL ? 1 : -1;
}

/* Whether NumPy makes an array of the object in another way than item by item: 1 or 0; -1 on error. */
static int
is_array_like(PyObject *object)
{
    static const char *const names[] = {"__array_struct__", "__array_interface__", "__array__"};
    int found = PyObject_CheckBuffer(object);
    for (size_t i = 0; found == 0 && i < Py_ARRAY_LENGTH(names); i++) {
        found = has_attribute(object, names[i]);
    }
    return found;
}

/* As in NumPy, an object that raises here is not a sequence. */
static int
clear_error_of_length(void)
{
    bool clears = PyErr_ExceptionMatches(PyExc_Exception) && !PyErr_ExceptionMatches(PyExc_MemoryError) &&
                  !PyErr_ExceptionMatches(PyExc_RecursionError);
    if (clears) {
        PyErr_Clear();
    }
    return clears ? 0 : -1;
}

/* What is left to be read suffices for `count` items; else -1. */
static int
check_left(const int64_t *left, int64_t count)
{
    if (count <= *left) {
        return 0;
    }
    PyErr_Format(PyExc_MemoryError,
                 "a sequence other than a list, tuple or array has too many items to be read, more than %d; "
                 "numpy.asarray makes an array of it",
                 (int)MAX_MADE);
    return -1;
}

/* Takes `count` off what is left to be read; -1 if that is too much, or if a signal's handler raised. */
static int
spend(int64_t *left, int64_t count)
{
    enum { POLL = 1 << 12 };
    if (check_left(left, count) < 0) {
        return -1;
    }
    const bool polls = *left / POLL != (*left - count) / POLL;
    *left -= count;
    return polls ? PyErr_CheckSignals() : 0;
}

/* What reading a sequence costs beside its items. The deeper it lies, the more: one which holds itself ends soon. */
static int64_t
cost_at(int depth)
{
    enum { FLAT = 4, COST = 4, FACTOR = 4, MAX_COST = 1 << 12 };
    int64_t cost = COST;
    for (int level = FLAT; level < depth && cost < MAX_COST; level++) {
        cost *= FACTOR;
    }
    return cost;
}

static PyObject *read_object(PyObject *object, int depth, int64_t *left);

/* Appends what is read of an item, whose reference is stolen. */
static int
append_item(PyObject *into, PyObject *item, int depth, int64_t *left)
{
    PyObject *read = spend(left, 1) == 0 ? read_object(item, depth, left) : NULL;
    Py_DECREF(item);
    return hidden_list_append(into, read);
}

/* The items of a list, which other code may change meanwhile. */
static int
append_stored(PyObject *into, PyObject *list, int depth, int64_t *left)
{
    PyObject *item;
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && (item = shared_item(list, i)) != NULL; i++) {
        status = append_item(into, item, depth, left);
    }
    return status;
}

/* No more items than the sequence said that it has: its iterator need not end. */
static int
append_made(PyObject *into, PyObject *sequence, Py_ssize_t length, int depth, int64_t *left)
{
    PyObject *iterator = PyObject_GetIter(sequence), *item = NULL;
    int status = iterator != NULL ? 0 : -1;
    for (Py_ssize_t i = 0; status == 0 && i < length && (item = PyIter_Next(iterator)) != NULL; i++) {
        status = append_item(into, item, depth, left);
    }
    Py_XDECREF(iterator);
    return status == 0 && PyErr_Occurred() ? -1 : status;
}

/* The items; `length` is -1 for lists and tuples. */
static PyObject *
read_items(PyObject *sequence, Py_ssize_t length, int depth, int64_t *left)
{
    PyObject *list = hidden_list();
    int status = list == NULL ? -1
               : length < 0   ? append_stored(list, sequence, depth + 1, left)
                              : append_made(list, sequence, length, depth + 1, left);
    if (status < 0) {
        Py_CLEAR(list);
    }
    return COPIES_LISTS && length < 0 && PyTuple_Check(sequence) ? hidden_list_to_tuple(list) : list;
}

/* A sequence that makes its items. As NumPy: the object itself if its length raises, or its items a KeyError. */
static PyObject *
read_made(PyObject *object, int depth, int64_t *left)
{
    const int array_like = is_array_like(object);
    const Py_ssize_t length = array_like == 0 ? PySequence_Size(object) : 0;
    if (array_like < 0 || (length < 0 && clear_error_of_length() < 0)) {
        return NULL;
    }
    if (array_like > 0 || length < 0) {
        return Py_NewRef(object);
    }
    if (check_left(left, length) < 0 || spend(left, cost_at(depth)) < 0) {
        return NULL;
    }
    PyObject *items = read_items(object, length, depth, left);
    if (items == NULL && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear();
        items = Py_NewRef(object);
    }
    return items;
}

/* Sequences of all kinds as lists, other objects as they are. */
static PyObject *
read_object(PyObject *object, int depth, int64_t *left)
{
    if (depth <= MAX_DEPTH && is_list(object)) {
        return read_items(object, -1, depth, left);
    }
    return depth <= MAX_DEPTH && makes_items(object) ? read_made(object, depth, left) : Py_NewRef(object);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

PyObject *
nested_lists_bounded(PyObject *object)
{
    visit whole = {.left = MAX_VISITS, .makes_items = makes_items(object)};
    if (is_list(object)) {
        visit_items(object, 1, &whole);
    }
    if (whole.left <= 0 && check_stored(object) < 0) {
        return NULL;
    }
    int64_t left = MAX_VISITS - whole.left + MAX_MADE;
    return whole.makes_items || (COPIES_LISTS && is_list(object)) ? read_object(object, 1, &left) : Py_NewRef(object);
}

PyObject *
nested_lists_make_array(PyObject *object)
{
    PyObject *bounded = nested_lists_bounded(object);
    PyObject *array = bounded != NULL ? PyArray_FROM_O(bounded) : NULL;
    Py_XDECREF(bounded);
    return array;
}
