/* What the binding asks of dtypes: how their items lie in memory. */
#include "dtypes.h"

/* Field `i` as (dtype, offset, ...), or NULL without an exception. New reference. To look a name up may run code, which
 * may assign other names. */
static PyObject *
field_at(PyArray_Descr *dtype, Py_ssize_t i)
{
    PyObject *names = Py_NewRef(PyDataType_NAMES(dtype)), *fields = Py_NewRef(PyDataType_FIELDS(dtype));
    PyObject *field = i < PyTuple_GET_SIZE(names) ? PyObject_GetItem(fields, PyTuple_GET_ITEM(names, i)) : NULL;
    PyErr_Clear();
    Py_DECREF(fields);
    Py_DECREF(names);
    return field;
}

/* __setstate__ takes what it is given as fields. */
static bool
is_field(PyObject *field)
{
    return field != NULL && PyTuple_Check(field) && PyTuple_GET_SIZE(field) >= 2 &&
           PyArray_DescrCheck(PyTuple_GET_ITEM(field, 0)) && PyLong_CheckExact(PyTuple_GET_ITEM(field, 1));
}

static bool lies_as(PyArray_Descr *dtype, PyArray_Descr *as);

static bool
is_same_field(PyObject *a, PyObject *b)
{
    return is_field(a) && is_field(b) &&
           PyLong_AsLong(PyTuple_GET_ITEM(a, 1)) == PyLong_AsLong(PyTuple_GET_ITEM(b, 1)) &&
           lies_as((PyArray_Descr *)PyTuple_GET_ITEM(a, 0), (PyArray_Descr *)PyTuple_GET_ITEM(b, 0));
}

static bool
have_same_fields(PyArray_Descr *dtype, PyArray_Descr *as)
{
    const Py_ssize_t count = PyTuple_GET_SIZE(PyDataType_NAMES(as));
    bool same = PyTuple_GET_SIZE(PyDataType_NAMES(dtype)) == count;
    for (Py_ssize_t i = 0; same && i < count; i++) {
        PyObject *a = PyDataType_HASFIELDS(dtype) ? field_at(dtype, i) : NULL;
        PyObject *b = a != NULL ? field_at(as, i) : NULL;
        same = is_same_field(a, b);
        Py_XDECREF(b);
        Py_XDECREF(a);
    }
    return same;
}

static bool
lies_as(PyArray_Descr *dtype, PyArray_Descr *as)
{
    if (dtype == as || PyDataType_ELSIZE(dtype) != PyDataType_ELSIZE(as)) {
        return dtype == as;
    }
    if (PyDataType_HASSUBARRAY(as)) {
        return PyDataType_HASSUBARRAY(dtype) &&
               lies_as(PyDataType_SUBARRAY(dtype)->base, PyDataType_SUBARRAY(as)->base);
    }
    if (PyDataType_HASFIELDS(as)) {
        return PyDataType_HASFIELDS(dtype) && have_same_fields(dtype, as);
    }
    return dtype->type_num == as->type_num && !PyDataType_HASFIELDS(dtype);
}

int
dtype_check_layout(PyArray_Descr *dtype, PyArray_Descr *as)
{
    if (lies_as(dtype, as)) {
        return 0;
    }
    PyErr_SetString(PyExc_RuntimeError, "the dtype has got another layout");
    return -1;
}
