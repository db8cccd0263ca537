/* Values: lists and scalars that are given where an array of a certain dtype is needed (val_c1..val_c4). */
#include "values.h"

#include <float.h>
#include <math.h>

#include "nested_lists.h"
#include "value_items.h"
#include "value_records.h"

/* `object` as an array of objects, or of what the dtype makes of it, that nobody else knows. */
static PyArrayObject *
read_items(const conversion *to, PyObject *object)
{
    const int flags = NPY_ARRAY_CARRAY | NPY_ARRAY_ENSURECOPY | NPY_ARRAY_ENSUREARRAY | NPY_ARRAY_FORCECAST;
    return to->kind == KIND_ANY
             ? nested_lists_make_items(object, (PyArray_Descr *)Py_NewRef(to->dtype), to->dtype, flags)
             : (PyArrayObject *)PyArray_FromAny(object, PyArray_DescrFromType(NPY_OBJECT), 0, 0, flags, NULL);
}

/* True if these ints, which NumPy made int64, are held by an integer dtype, or by a float dtype after the same rounding
 * as from float64. */
static bool
fit_integers(const conversion *to, const int64_t *number, npy_intp count)
{
    enum { MAX_HALF = 65519 };                            /* fits_float */
    const int64_t max_exact = (int64_t)1 << DBL_MANT_DIG; /* float64 has all ints up to here */
    uint64_t high = to->dtype->type_num == NPY_HALF ? MAX_HALF : (uint64_t)max_exact;
    int64_t low = -(int64_t)high;
    if (to->kind == KIND_INTEGER) {
        value_find_limits(to, &low, &high);
    }
    npy_intp i = 0;
    while (i < count && number[i] >= low && (number[i] < 0 || (uint64_t)number[i] <= high)) {
        i++;
    }
    return i == count;
}

/* True if these floats become float16 or float32 without overflow or underflow, of which NumPy's cast may warn. */
static bool
fit_floats(const conversion *to, const double *number, npy_intp count)
{
    const double min = to->dtype->type_num == NPY_HALF ? 0x1p-14 : FLT_MIN; /* the smallest normal number */
    npy_intp i = 0;
    while (i < count && (number[i] == 0 || fabs(number[i]) >= min) &&
           value_fits_float(to->dtype->type_num, number[i])) {
        i++;
    }
    return i == count;
}

/* True if all numbers of `array`, which NumPy made of a list, can be cast as a whole. Where NumPy made floats of ints,
 * the long double types would have held more of their digits. */
static bool
fits(const conversion *to, PyArrayObject *array)
{
    if (PyTypeNum_ISFLOAT(PyArray_TYPE(array)) || PyTypeNum_ISCOMPLEX(PyArray_TYPE(array))) {
        if (to->dtype->type_num == NPY_LONGDOUBLE || to->dtype->type_num == NPY_CLONGDOUBLE) {
            return false;
        }
    }
    if (PyArray_CanCastTypeTo(PyArray_DESCR(array), to->dtype, NPY_SAFE_CASTING)) {
        return true;
    }
    if (!PyArray_ISCARRAY_RO(array)) { /* a list of one array of the other byte order has its order */
        return false;
    }
    bool small_float = to->dtype->type_num == NPY_HALF || to->dtype->type_num == NPY_FLOAT;
    bool integers = PyArray_ISSIGNED(array) && PyArray_ITEMSIZE(array) == sizeof(int64_t);
    return (integers && (to->kind == KIND_INTEGER || small_float) &&
            fit_integers(to, PyArray_DATA(array), PyArray_SIZE(array))) ||
           (PyArray_TYPE(array) == NPY_DOUBLE && small_float &&
            fit_floats(to, PyArray_DATA(array), PyArray_SIZE(array)));
}

/* True for items that NumPy does not convert as their base class. It calls methods of subclasses of numbers for their
 * value, and parses the text of subclasses of bytes as an integer. */
static bool
is_subclass_of_item(PyObject *object)
{
    bool exact = PyLong_CheckExact(object) || PyFloat_CheckExact(object) || PyComplex_CheckExact(object) ||
                 PyUnicode_CheckExact(object) || PyBytes_CheckExact(object);
    bool item = PyLong_Check(object) || PyFloat_Check(object) || PyComplex_Check(object) || PyUnicode_Check(object) ||
                PyBytes_Check(object);
    return !exact && item && !PyBool_Check(object) && !PyArray_IsScalar(object, Generic);
}

/* True if one of the items in these lists is such an item; also for lists that are nested deeper than NumPy has axes.
 * Those are the caller's own, not copies, and are not read. */
static bool
has_subclass_of_item(PyObject *object, int depth)
{
    if (!PyList_CheckExact(object) && !PyTuple_CheckExact(object)) {
        return is_subclass_of_item(object);
    }
    if (depth >= SSOP_MAX_RANK) {
        return true;
    }
    PyObject *const *items = PySequence_Fast_ITEMS(object); /* no code runs here that could change them */
    bool found = false;
    for (Py_ssize_t i = 0; !found && i < PySequence_Fast_GET_SIZE(object); i++) {
        found = has_subclass_of_item(items[i], depth + 1);
    }
    return found;
}

/* A short way for lists and tuples of numbers; NULL without an exception for all others. */
static PyArrayObject *
convert_numbers(const conversion *to, PyObject *list)
{
    if (has_subclass_of_item(list, 0)) {
        return NULL;
    }
    PyArrayObject *array = (PyArrayObject *)PyArray_FromAny(list, NULL, 0, 0, NPY_ARRAY_ENSUREARRAY, NULL);
    if (array == NULL && PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear(); /* ragged lists: val_c4 */
    }
    if (array == NULL || PyArray_EquivTypes(PyArray_DESCR(array), to->dtype)) {
        return array;
    }
    PyArrayObject *result = fits(to, array) ? value_cast_array(array, to->dtype) : NULL;
    Py_DECREF(array);
    return result;
}

/* A short way for the most frequent values: exact numbers, and lists. NULL without an exception for all others. */
static PyArrayObject *
convert_frequent(const conversion *to, PyObject *object)
{
    if (to->kind > KIND_COMPLEX || value_is_registered(to)) {
        return NULL;
    }
    if (PyList_CheckExact(object) || PyTuple_CheckExact(object)) {
        return convert_numbers(to, object);
    }
    if (!PyLong_CheckExact(object) && !PyFloat_CheckExact(object)) {
        return NULL;
    }
    PyObject *number = value_check_item(to, &(value_item){object, 0});
    if (number == NULL) {
        return NULL;
    }
    PyArray_Descr *dtype = (PyArray_Descr *)Py_NewRef(to->dtype);
    PyArrayObject *result = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, dtype, 0, NULL, NULL, NULL, 0, NULL);
    if (result != NULL && PyArray_SETITEM(result, PyArray_BYTES(result), number) < 0) {
        Py_CLEAR(result);
    }
    Py_DECREF(number);
    return result;
}

static PyArrayObject *
convert_object(const conversion *given, PyObject *object)
{
    conversion to = *given;
    PyArrayObject *result = convert_frequent(&to, object);
    if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    if (to.kind == KIND_RECORD) {
        return value_convert_records(&to, object);
    }
    PyArrayObject *items = read_items(&to, object);
    if (items == NULL || to.kind == KIND_ANY) {
        return items;
    }
    to.is_list = PyArray_NDIM(items) > 0;
    result = value_convert_items(&to, items);
    Py_DECREF(items);
    return result;
}

/* Sequences that make their items are read once, but where what they are decides: as items of the result, or if they
 * are tuples that are records. */
static PyArrayObject *
convert_bounded(const conversion *to, PyObject *object)
{
    const bool decides = to->kind == KIND_ANY || to->kind == KIND_RECORD;
    PyObject *given = nested_lists_bounded(object);
    PyArrayObject *result = given != NULL ? convert_object(to, decides ? object : given) : NULL;
    Py_XDECREF(given);
    return result;
}

/* An array without axes, also of a scalar, for which derived classes may answer in another way (val_s2). What has the
 * dtype stays as it is, and so do records and void, which NumPy would convert by position: they break the operation's
 * own rule. The rest is converted as an item. */
static PyArrayObject *
convert_scalar(const conversion *to, PyArrayObject *given)
{
    if (PyArray_NDIM(given) > 0 || PyArray_TYPE(given) == NPY_VOID ||
        PyArray_EquivTypes(PyArray_DESCR(given), to->dtype)) {
        return (PyArrayObject *)Py_NewRef(given);
    }
    PyObject *item = PyArray_ToScalar(PyArray_DATA(given), given); /* one step: comparing dtypes may have run code */
    PyArrayObject *result = item != NULL ? convert_bounded(to, item) : NULL;
    Py_XDECREF(item);
    return result;
}

PyArrayObject *
values_convert(const call_context *call, const char *name, PyObject *object, PyArray_Descr *dtype)
{
    const conversion to = {.call = call, .name = name, .dtype = dtype, .kind = kind_of_dtype(dtype)};
    if (!values_is_scalar(object)) {
        return convert_bounded(&to, object);
    }
    PyObject *given = nested_lists_to_array(object);
    PyArrayObject *result = given != NULL ? convert_scalar(&to, (PyArrayObject *)given) : NULL;
    Py_XDECREF(given);
    return result;
}
