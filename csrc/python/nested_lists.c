/* Lists and other sequences that become arrays: read no further than they can mean. */
#include "nested_lists.h"

#include "dtypes.h"
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

/* Lists and tuples, also of subclasses that leave it to the base class what their items are. For NumPy, classes that
 * derive from its scalars as well are scalars. */
static bool
is_list(PyObject *object)
{
    const bool list = (PyList_Check(object) && Py_TYPE(object)->tp_iter == PyList_Type.tp_iter) ||
                      (PyTuple_Check(object) && Py_TYPE(object)->tp_iter == PyTuple_Type.tp_iter);
    return list && !PyArray_IsScalar(object, Generic);
}

/* Other objects that NumPy may read as sequences. */
static bool
makes_items(PyObject *object)
{
    return PySequence_Check(object) && !is_list(object) && !PyArray_Check(object) && !PyArray_IsAnyScalar(object);
}

static bool
is_exact_number_or_text(const PyTypeObject *type)
{
    return type == &PyFloat_Type || type == &PyLong_Type || type == &PyBool_Type || type == &PyComplex_Type ||
           type == &PyUnicode_Type || type == &PyBytes_Type;
}

/* True for objects that run no code while NumPy makes items of them. It asks all others for attributes such as
 * __array_interface__, and for their length or their value, and does not expect that they change the list which it
 * reads. It compares records by Python code, which calls the __eq__ of a field's title. */
static bool
is_inert(PyObject *object)
{
    if (PyArray_CheckExact(object)) {
        const PyArray_Descr *dtype = PyArray_DESCR((PyArrayObject *)object);
        return !PyDataType_REFCHK(dtype) && dtype->type_num != NPY_VOID;
    }
    const bool numpy_scalar = PyArray_IsScalar(object, Generic) && !PyArray_IsScalar(object, Void) &&
                              (PyType_GetFlags(Py_TYPE(object)) & Py_TPFLAGS_HEAPTYPE) == 0;
    return is_exact_number_or_text(Py_TYPE(object)) || object == Py_None || numpy_scalar;
}

typedef struct {
    int64_t most, left; /* items to be visited */
    bool runs_code;     /* one of the visited may */
} visit;

/* Takes the number of items off what is left, until it is used up. */
static void
visit_items(PyObject *list, int depth, visit *whole)
{
    PyObject *item;
    whole->left -= PySequence_Fast_GET_SIZE(list);
    whole->runs_code = whole->runs_code || depth >= MAX_DEPTH || !(PyList_CheckExact(list) || PyTuple_CheckExact(list));
    for (Py_ssize_t i = 0; depth < MAX_DEPTH && whole->left > 0 && (item = shared_borrow(list, i)) != NULL; i++) {
        if (is_list(item)) {
            visit_items(item, depth + 1, whole);
        }
        else {
            whole->runs_code = whole->runs_code || !is_inert(item);
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

/* Visits all lists; -1 with an exception if that is too much. */
static int
visit_all(PyObject *list, visit *whole)
{
    visit_items(list, 1, whole);
    if (whole->left > 0) {
        return 0;
    }
    PyObject *seen = PySet_New(NULL);
    int64_t stored = seen != NULL ? count_stored(list, 1, seen) : -1;
    Py_XDECREF(seen);
    if (stored < 0) {
        return -1;
    }
    whole->most = whole->left = stored < INT64_MAX / MAX_REPETITIONS ? MAX_REPETITIONS * stored : INT64_MAX;
    visit_items(list, 1, whole);
    if (whole->left <= 0) {
        PyErr_SetString(PyExc_MemoryError, "the same lists are nested in each other too often to be read");
    }
    return whole->left > 0 ? 0 : -1;
}

/* ---- other sequences --------------------------------------------------------------------------------------------- */

/* 1 with a new reference, 0 if the object does not have it, -1 on error. */
static int
find_attribute(PyObject *object, const char *name, PyObject **found)
{
    *found = PyObject_GetAttrString(object, name);
    if (*found == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
        return 0;
    }
    return *found != NULL ? 1 : -1;
}

/* In the order in which NumPy looks for them. */
static const char *const array_attributes[] = {"__array_struct__", "__array_interface__", "__array__"};

/* Whether NumPy makes an array of the object in another way than item by item: 1 or 0; -1 on error. */
static int
is_array_like(PyObject *object)
{
    int found = PyObject_CheckBuffer(object);
    for (size_t i = 0; found == 0 && i < Py_ARRAY_LENGTH(array_attributes); i++) {
        PyObject *attribute;
        found = find_attribute(object, array_attributes[i], &attribute);
        Py_XDECREF(attribute);
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

/* How objects are read. */
typedef struct {
    int64_t left;        /* items to be read */
    PyObject *originals; /* a dict: lists, by the address of what stands in their places; NULL: they are not noted, and
                          * other sequences are read, too */
} reading;

static PyObject *read_object(PyObject *object, int depth, reading *how);

/* Appends what is read of an item, whose reference is stolen. */
static int
append_item(PyObject *into, PyObject *item, int depth, reading *how)
{
    PyObject *read = spend(&how->left, 1) == 0 ? read_object(item, depth, how) : NULL;
    Py_DECREF(item);
    return hidden_list_append(into, read);
}

/* The items of a list, which other code may change meanwhile. */
static int
append_stored(PyObject *into, PyObject *list, int depth, reading *how)
{
    PyObject *item;
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && (item = shared_item(list, i)) != NULL; i++) {
        status = append_item(into, item, depth, how);
    }
    return status;
}

/* No more items than the sequence said that it has: its iterator need not end. */
static int
append_made(PyObject *into, PyObject *sequence, Py_ssize_t length, int depth, reading *how)
{
    PyObject *iterator = PyObject_GetIter(sequence), *item = NULL;
    int status = iterator != NULL ? 0 : -1;
    for (Py_ssize_t i = 0; status == 0 && i < length && (item = PyIter_Next(iterator)) != NULL; i++) {
        status = append_item(into, item, depth, how);
    }
    Py_XDECREF(iterator);
    return status == 0 && PyErr_Occurred() ? -1 : status;
}

/* The items; `length` is -1 for lists and tuples. Tuples stay tuples, which are what records are made of. */
static PyObject *
read_items(PyObject *sequence, Py_ssize_t length, int depth, reading *how)
{
    PyObject *list = hidden_list();
    int status = list == NULL ? -1
               : length < 0   ? append_stored(list, sequence, depth + 1, how)
                              : append_made(list, sequence, length, depth + 1, how);
    if (status < 0) {
        Py_CLEAR(list);
    }
    return length < 0 && PyTuple_Check(sequence) ? hidden_list_to_tuple(list) : list;
}

/* A sequence that makes its items. As NumPy: the object itself if its length raises, or its items a KeyError. */
static PyObject *
read_made(PyObject *object, int depth, reading *how)
{
    const int array_like = is_array_like(object);
    const Py_ssize_t length = array_like == 0 ? PySequence_Size(object) : 0;
    if (array_like < 0 || (length < 0 && clear_error_of_length() < 0)) {
        return NULL;
    }
    if (array_like > 0 || length < 0) {
        return Py_NewRef(object);
    }
    if (check_left(&how->left, length) < 0 || spend(&how->left, cost_at(depth)) < 0) {
        return NULL;
    }
    PyObject *items = read_items(object, length, depth, how);
    if (items == NULL && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear();
        items = Py_NewRef(object);
    }
    return items;
}

/* An object that has no more than this attribute, and keeps the list alive. The attribute is stolen. */
static PyObject *
only_with(PyObject *list, const char *name, PyObject *attribute)
{
    PyObject *types = PyImport_ImportModule("types"), *made = NULL;
    PyObject *class = types != NULL ? PyObject_GetAttrString(types, "SimpleNamespace") : NULL;
    PyObject *none = PyTuple_New(0), *attributes = Py_BuildValue("{s:N,s:O}", name, attribute, "owner", list);
    if (class != NULL && none != NULL && attributes != NULL) {
        made = PyObject_Call(class, none, attributes);
    }
    Py_XDECREF(attributes);
    Py_XDECREF(none);
    Py_XDECREF(class);
    Py_XDECREF(types);
    return made;
}

/* What NumPy makes an array of in the place of a list of a class that may have another way than item by item. NumPy
 * asks twice for an attribute that it does not find, and reads the items after it was not there once. NULL, without an
 * exception if the list has no such way. */
static PyObject *
read_as_array(PyObject *list)
{
    if (PyObject_CheckBuffer(list)) {
        PyObject *memory = PyMemoryView_FromObject(list);
        if (memory != NULL) {
            return memory;
        }
        PyErr_Clear();
    }
    for (size_t i = 0; i < Py_ARRAY_LENGTH(array_attributes); i++) {
        PyObject *attribute;
        const int found = find_attribute(list, array_attributes[i], &attribute);
        if (found != 0) {
            return found > 0 ? only_with(list, array_attributes[i], attribute) : NULL;
        }
    }
    return NULL;
}

/* A tuple without items stays itself: all exact ones are one object, whose address would stand for those of classes. */
static PyObject *
read_list(PyObject *list, int depth, reading *how)
{
    PyObject *array = PyList_CheckExact(list) || PyTuple_CheckExact(list) ? NULL : read_as_array(list);
    if (array != NULL || PyErr_Occurred()) {
        return array;
    }
    return PyTuple_Check(list) && PyTuple_GET_SIZE(list) == 0 ? Py_NewRef(list) : read_items(list, -1, depth, how);
}

/* Notes what `read` was read of; drops it on error, and passes one on. */
static PyObject *
note_original(PyObject *read, PyObject *list, reading *how)
{
    PyObject *address = read != NULL && how->originals != NULL ? PyLong_FromVoidPtr(read) : NULL;
    if (read != NULL && how->originals != NULL &&
        (address == NULL || PyDict_SetItem(how->originals, address, list) < 0)) {
        Py_CLEAR(read);
    }
    Py_XDECREF(address);
    return read;
}

/* Sequences as lists and tuples that no other code knows, other objects as they are. */
static PyObject *
read_object(PyObject *object, int depth, reading *how)
{
    if (depth <= MAX_DEPTH && is_list(object)) {
        return note_original(read_list(object, depth, how), object, how);
    }
    const bool reads = depth <= MAX_DEPTH && how->originals == NULL && makes_items(object);
    return reads ? read_made(object, depth, how) : Py_NewRef(object);
}

/* ---- both -------------------------------------------------------------------------------------------------------- */

/* Visits the lists of an object, if it is one; -1 with an exception if that is too much. */
static int
look_at(PyObject *object, visit *whole)
{
    const bool list = is_list(object);
    *whole = (visit){.most = MAX_VISITS, .left = MAX_VISITS, .runs_code = COPIES_LISTS && list};
    if (list) {
        return visit_all(object, whole);
    }
    whole->runs_code = makes_items(object);
    return 0;
}

/* The object, or what is read of it if NumPy would run code of one of its items. */
static PyObject *
read_bounded(PyObject *object, PyObject *originals)
{
    visit whole;
    if (look_at(object, &whole) < 0) {
        return NULL;
    }
    reading how = {whole.most - whole.left + MAX_MADE, originals};
    return whole.runs_code ? read_object(object, 1, &how) : Py_NewRef(object);
}

PyObject *
nested_lists_bounded(PyObject *object)
{
    return read_bounded(object, NULL);
}

PyObject *
nested_lists_make_array(PyObject *object)
{
    PyObject *bounded = nested_lists_bounded(object);
    PyObject *array = bounded != NULL ? PyArray_FROM_O(bounded) : NULL;
    Py_XDECREF(bounded);
    return array;
}

/* ---- lists as items ---------------------------------------------------------------------------------------------- */

/* Puts the caller's own lists in the places of those that were read, among these items. */
static int
put_back(PyObject **item, npy_intp count, PyObject *originals)
{
    for (npy_intp i = 0; PyDict_GET_SIZE(originals) > 0 && i < count; i++) {
        if (item[i] == NULL || is_inert(item[i])) {
            continue;
        }
        PyObject *address = PyLong_FromVoidPtr(item[i]);
        PyObject *original = address != NULL ? PyDict_GetItemWithError(originals, address) : NULL;
        Py_XDECREF(address);
        if (original != NULL) {
            Py_SETREF(item[i], Py_NewRef(original));
        }
        else if (PyErr_Occurred()) {
            return -1;
        }
    }
    return 0;
}

/* The object, or a copy of lists that run code, which are noted. `originals` is a new reference, or NULL on error. */
static PyObject *
copy_lists(PyObject *object, PyObject **originals)
{
    *originals = PyDict_New();
    return *originals != NULL ? read_bounded(object, *originals) : NULL;
}

int
nested_lists_to_dtype(PyObject *object, PyArray_Descr **dtype)
{
    PyObject *originals, *read = copy_lists(object, &originals);
    const int status = read != NULL && PyArray_DescrConverter(read, dtype) != NPY_FAIL ? 0 : -1;
    Py_XDECREF(read);
    Py_XDECREF(originals);
    return status;
}

/* 0 if the dtype of records, which NumPy has shown, is as it was; -1 on error. */
static int
check_shown(PyArrayObject *items, PyArray_Descr *own)
{
    return own->type_num == NPY_VOID ? dtype_check_layout(PyArray_DESCR(items), own) : 0;
}

PyArrayObject *
nested_lists_make_items(PyObject *object, PyArray_Descr *shown, PyArray_Descr *own, int flags)
{
    PyObject *originals, *read = copy_lists(object, &originals);
    PyArrayObject *items = NULL;
    const bool references = own->type_num == NPY_OBJECT || own->type_num == NPY_VOID;
    const npy_intp in_item = references ? PyDataType_ELSIZE(own) / (npy_intp)sizeof(PyObject *) : 0;
    if (read != NULL) {
        Py_INCREF(shown);
        items = (PyArrayObject *)PyArray_FromAny(read, shown, 0, 0, flags, NULL);
    }
    if (items != NULL &&
        (check_shown(items, own) < 0 || put_back(PyArray_DATA(items), PyArray_SIZE(items) * in_item, originals) < 0)) {
        Py_CLEAR(items);
    }
    Py_XDECREF(read);
    Py_XDECREF(originals);
    Py_DECREF(shown);
    return items;
}
