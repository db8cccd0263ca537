/* What kind of thing a dtype holds, and of what kind an item of a list is. */
#include "value_kinds.h"

#include <datetime.h>

static bool
casts_safely(PyArray_Descr *dtype, int type_num)
{
    PyArray_Descr *wide = PyArray_DescrFromType(type_num); /* a static object */
    bool result = PyArray_CanCastTypeTo(dtype, wide, NPY_SAFE_CASTING);
    Py_DECREF(wide);
    return result;
}

static value_kind
kind_of_registered(PyArray_Descr *dtype)
{
    return casts_safely(dtype, NPY_INT64)   ? KIND_INTEGER
         : casts_safely(dtype, NPY_DOUBLE)  ? KIND_FLOAT
         : casts_safely(dtype, NPY_CDOUBLE) ? KIND_COMPLEX
                                            : KIND_ANY;
}

value_kind
kind_of_dtype(PyArray_Descr *dtype)
{
    int type_num = dtype->type_num;
    switch (type_num) {
    case NPY_BOOL:
        return KIND_BOOL;
    case NPY_UNICODE:
    case NPY_VSTRING:
        return KIND_STRING;
    case NPY_STRING:
        return KIND_BYTES;
    case NPY_VOID:
        return PyDataType_HASFIELDS(dtype) ? KIND_RECORD : KIND_BYTES;
    case NPY_DATETIME:
        return KIND_DATE;
    case NPY_TIMEDELTA:
        return KIND_DURATION;
    case NPY_OBJECT:
        return KIND_ANY;
    default:
        return PyTypeNum_ISINTEGER(type_num) ? KIND_INTEGER
             : PyTypeNum_ISFLOAT(type_num)   ? KIND_FLOAT
             : PyTypeNum_ISCOMPLEX(type_num) ? KIND_COMPLEX
                                             : kind_of_registered(dtype);
    }
}

int
value_kinds_init(void)
{
    PyDateTime_IMPORT;
    return PyDateTimeAPI != NULL ? 0 : -1;
}

static int
kind_of_object(PyObject *item)
{
    if (PyArray_IsScalar(item, Generic)) {
        PyArray_Descr *dtype = PyArray_DescrFromScalar(item);
        value_kind kind = dtype != NULL ? kind_of_dtype(dtype) : KIND_ANY;
        Py_XDECREF(dtype);
        return dtype != NULL ? (int)kind : -1;
    }
    if (PyList_Check(item) || PyTuple_Check(item) || PyArray_Check(item)) {
        return KIND_LIST;
    }
    return PyDate_Check(item)  ? KIND_DATE
         : PyDelta_Check(item) ? KIND_DURATION
         : PyIndex_Check(item) ? KIND_INTEGER /* as among indices (in_c1) */
                               : KIND_ANY;
}

int
kind_of_item(PyObject *item)
{
    return PyBool_Check(item)    ? KIND_BOOL
         : PyLong_Check(item)    ? KIND_INTEGER
         : PyFloat_Check(item)   ? KIND_FLOAT
         : PyComplex_Check(item) ? KIND_COMPLEX
         : PyUnicode_Check(item) ? KIND_STRING
         : PyBytes_Check(item)   ? KIND_BYTES
                                 : kind_of_object(item);
}

/* An exact int: subclasses are copied by int's own method. */
static PyObject *
exact_integer(PyObject *item)
{
    PyObject *integer = PyIndex_Check(item) ? PyNumber_Index(item) : PyNumber_Long(item);
    if (integer != NULL && !PyLong_CheckExact(integer)) {
        Py_SETREF(integer, PyLong_Type.tp_as_number->nb_int(integer));
    }
    return integer;
}

PyObject *
exact_number(PyObject *item, value_kind kind)
{
    if (PyLong_CheckExact(item) || PyFloat_CheckExact(item) || PyBool_Check(item) ||
        PyArray_IsScalar(item, LongDouble) || PyArray_IsScalar(item, CLongDouble)) {
        return Py_NewRef(item);
    }
    if (kind == KIND_BOOL) {
        int truth = PyObject_IsTrue(item);
        return truth < 0 ? NULL : PyBool_FromLong(truth);
    }
    if (kind == KIND_INTEGER) {
        return exact_integer(item);
    }
    if (kind == KIND_FLOAT) {
        double number = PyFloat_Check(item) ? PyFloat_AS_DOUBLE(item) : PyFloat_AsDouble(item);
        return number == -1.0 && PyErr_Occurred() ? NULL : PyFloat_FromDouble(number);
    }
    Py_complex number = PyComplex_AsCComplex(item);
    return number.real == -1.0 && PyErr_Occurred() ? NULL : PyComplex_FromCComplex(number);
}
