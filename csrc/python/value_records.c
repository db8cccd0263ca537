/* Records as values: each field is converted by the rules of its own dtype. */
#include "value_records.h"

#include "dtypes.h"
#include "hidden.h"
#include "nested_lists.h"

/* ---- dtypes ------------------------------------------------------------------------------------------------------ */

static PyArray_Descr *copy_dtype(PyArray_Descr *dtype);

/* The fields with copies of their dtypes, and without titles. Names may be of a subclass of str, whose methods run. */
static PyObject *
copy_fields(PyObject *names, PyObject *fields)
{
    PyObject *copy = PyDict_New();
    for (Py_ssize_t i = 0; copy != NULL && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i), *field = PyObject_GetItem(fields, name);
        PyArray_Descr *dtype = field != NULL ? copy_dtype((PyArray_Descr *)PyTuple_GET_ITEM(field, 0)) : NULL;
        PyObject *pair = dtype != NULL ? PyTuple_Pack(2, dtype, PyTuple_GET_ITEM(field, 1)) : NULL;
        if (pair == NULL || PyDict_SetItem(copy, name, pair) < 0) {
            Py_CLEAR(copy);
        }
        Py_XDECREF(pair);
        Py_XDECREF(dtype);
        Py_XDECREF(field);
    }
    return copy;
}

/* Replaces what a new descriptor shares with the caller's: dtypes of fields, which are live objects too. */
static int
copy_parts(PyArray_Descr *made)
{
    if (PyDataType_HASSUBARRAY(made)) {
        PyArray_Descr *base = copy_dtype(PyDataType_SUBARRAY(made)->base);
        if (base == NULL) {
            return -1;
        }
        Py_SETREF(PyDataType_SUBARRAY(made)->base, base);
    }
    if (PyDataType_HASFIELDS(made)) {
        PyObject *fields = copy_fields(PyDataType_NAMES(made), PyDataType_FIELDS(made));
        if (fields == NULL) {
            return -1;
        }
        Py_SETREF(((_PyArray_LegacyDescr *)made)->fields, fields);
    }
    return 0;
}

/* A private dtype of the same layout, all the way down: assigning dtype.names frees the fields of the caller's while
 * they are read. Dtypes that have no fields do not change, and are shared. */
static PyArray_Descr *
copy_dtype(PyArray_Descr *dtype)
{
    if (!PyDataType_HASFIELDS(dtype) && !PyDataType_HASSUBARRAY(dtype)) {
        return (PyArray_Descr *)Py_NewRef(dtype);
    }
    if (Py_EnterRecursiveCall(" while reading a dtype")) {
        return NULL;
    }
    PyArray_Descr *made = PyArray_DescrNew(dtype);
    if (made != NULL && copy_parts(made) < 0) {
        Py_CLEAR(made);
    }
    Py_LeaveRecursiveCall();
    return made;
}

/* Gives a new array another dtype of the same layout. */
static void
set_dtype(PyArrayObject *made, PyArray_Descr *dtype)
{
    PyArray_Descr *before = PyArray_DESCR(made);
    ((PyArrayObject_fields *)made)->descr = (PyArray_Descr *)Py_NewRef(dtype);
    Py_DECREF(before);
}

/* What numpy.dtype makes the dtype of: that of records with the same fields whose items are all objects. */
static PyObject *
spec_of_objects(PyArray_Descr *dtype)
{
    if (PyDataType_HASSUBARRAY(dtype)) {
        PyObject *items = spec_of_objects(PyDataType_SUBARRAY(dtype)->base);
        return items != NULL ? Py_BuildValue("(NO)", items, PyDataType_SUBARRAY(dtype)->shape) : NULL;
    }
    if (!PyDataType_HASFIELDS(dtype)) {
        return PyUnicode_FromString("O");
    }
    PyObject *names = PyDataType_NAMES(dtype), *fields = PyList_New(0);
    for (Py_ssize_t i = 0; fields != NULL && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        PyObject *field = PyDict_GetItemWithError(PyDataType_FIELDS(dtype), name);
        PyObject *items = field != NULL ? spec_of_objects((PyArray_Descr *)PyTuple_GET_ITEM(field, 0)) : NULL;
        PyObject *pair = items != NULL ? Py_BuildValue("(ON)", name, items) : NULL;
        if (hidden_list_append(fields, pair) < 0) {
            Py_CLEAR(fields);
        }
    }
    return fields;
}

static PyArray_Descr *
dtype_of_objects(PyArray_Descr *dtype)
{
    PyArray_Descr *made = NULL;
    PyObject *spec = spec_of_objects(dtype);
    int status = spec != NULL ? PyArray_DescrConverter(spec, &made) : NPY_FAIL;
    Py_XDECREF(spec);
    return status == NPY_FAIL ? NULL : made;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

/* `object` as records of objects with the fields of `dtype`. NumPy shows __array__ the dtype that it wants, so that the
 * array gets one which nobody has seen. */
static PyArrayObject *
read_records(PyArray_Descr *dtype, PyObject *object)
{
    const int flags = NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY | NPY_ARRAY_ENSUREARRAY | NPY_ARRAY_FORCECAST;
    PyArray_Descr *objects = dtype_of_objects(dtype);
    PyArray_Descr *shown = objects != NULL ? copy_dtype(objects) : NULL;
    PyArrayObject *items = shown != NULL ? nested_lists_make_items(object, shown, objects, flags) : NULL;
    if (items != NULL) {
        set_dtype(items, objects);
    }
    Py_XDECREF(objects);
    return items;
}

static PyArrayObject *convert_records(const conversion *to, PyArrayObject *items);

/* One field of the records in `items`, converted and put in its place in `result`. */
static int
convert_field(const conversion *to, PyArrayObject *items, PyArrayObject *result, PyObject *name)
{
    PyObject *part = PyObject_GetItem((PyObject *)items, name);
    PyArrayObject *field = part != NULL ? (PyArrayObject *)PyArray_NewCopy((PyArrayObject *)part, NPY_CORDER) : NULL;
    PyObject *place = field != NULL ? PyObject_GetItem((PyObject *)result, name) : NULL;
    int status = -1;
    if (place != NULL) {
        conversion of_field = *to;
        of_field.dtype = PyArray_DESCR((PyArrayObject *)place); /* kept alive by `place` */
        of_field.kind = kind_of_dtype(of_field.dtype);
        PyArrayObject *converted =
            of_field.kind == KIND_RECORD ? convert_records(&of_field, field) : value_convert_items(&of_field, field);
        if (converted != NULL) {
            status = PyArray_CopyInto((PyArrayObject *)place, converted);
            Py_DECREF(converted);
        }
    }
    Py_XDECREF(place);
    Py_XDECREF(field);
    Py_XDECREF(part);
    return status;
}

/* Records of objects, field by field. */
static PyArrayObject *
convert_records(const conversion *to, PyArrayObject *items)
{
    PyObject *names = PyDataType_NAMES(to->dtype);
    PyArrayObject *result = (PyArrayObject *)PyArray_Zeros(PyArray_NDIM(items), PyArray_DIMS(items),
                                                           (PyArray_Descr *)Py_NewRef(to->dtype), 0);
    for (Py_ssize_t i = 0; result != NULL && i < PyTuple_GET_SIZE(names); i++) {
        if (convert_field(to, items, result, PyTuple_GET_ITEM(names, i)) < 0) {
            Py_CLEAR(result);
        }
    }
    return result;
}

PyArrayObject *
value_convert_records(const conversion *to, PyObject *object)
{
    conversion own = *to;
    own.dtype = copy_dtype(to->dtype);
    PyArrayObject *items = own.dtype != NULL ? read_records(own.dtype, object) : NULL, *result = NULL;
    if (items != NULL) {
        own.is_list = PyArray_NDIM(items) > 0;
        result = convert_records(&own, items);
        Py_DECREF(items);
    }
    if (result != NULL && dtype_check_layout(to->dtype, own.dtype) < 0) {
        Py_CLEAR(result);
    }
    if (result != NULL) {
        set_dtype(result, to->dtype);
    }
    Py_XDECREF(own.dtype);
    return result;
}
