/* Items of values: checked one by one, then converted as a whole. */
#include "value_items.h"

#include <math.h>

#include "errors.h"

/* A number whose dtype is not NumPy's own: how it converts is up to the library that registered it. */
bool
value_is_registered(const conversion *to)
{
    int type_num = to->dtype->type_num;
    return to->kind <= KIND_COMPLEX && (type_num < 0 || !PyTypeNum_ISNUMBER(type_num));
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

/* A scalar of NumPy's own: subclasses are made by class statements, and their repr may be anything. */
static bool
is_numpy_scalar(PyObject *item)
{
    return PyArray_IsScalar(item, Generic) && !PyArray_IsScalar(item, Void) &&
           (PyType_GetFlags(Py_TYPE(item)) & Py_TPFLAGS_HEAPTYPE) == 0;
}

enum { MAX_SHOWN_BYTES = 60 };

/* How an item is written in messages: numbers and strings as repr does if that is short, others by their type. */
static PyObject *
shown_item(PyObject *item, const char *kind)
{
    PyObject *string = NULL;
    if (PyLong_CheckExact(item) || PyBool_Check(item) || PyFloat_CheckExact(item) || PyComplex_CheckExact(item) ||
        PyUnicode_CheckExact(item) || PyBytes_CheckExact(item) || is_numpy_scalar(item)) {
        string = PyObject_Repr(item);
        PyErr_Clear(); /* of an int that has more digits than Python writes */
    }
    PyObject *shown = string != NULL ? errors_utf8(string) : NULL;
    Py_XDECREF(string);
    if (shown == NULL || PyBytes_GET_SIZE(shown) > MAX_SHOWN_BYTES) {
        Py_XDECREF(shown);
        PyErr_Clear();
        return PyBytes_FromString(kind);
    }
    return shown;
}

/* What ends the message of val_c1 where functions of TensorFlow's module are called: its own words. */
static void
write_words(const conversion *to, const char *shown, const char *dtype, char *words, size_t size)
{
    words[0] = '\0';
    if (strncmp(to->call->op, "tf.", 3) == 0) {
        snprintf(words, size, ": Cannot convert %s to EagerTensor of dtype %s", shown, dtype);
    }
}

/* `limits` end the message of val_c2, NULL for the others; `allowed` (or NULL) is the pair that the exception shows. */
static int
raise_item(const conversion *to, ssop_rule rule, const value_item *item, const char *limits, PyObject *allowed)
{
    const ssop_error error = {
        .rule = rule,
        .axis = -1,
        .entry = (to->is_list || rule == SSOP_VAL_C4) && item->entry <= INT32_MAX ? (int32_t)item->entry : -1,
        .form = to->is_list};
    char kind[ERRORS_KIND_BYTES];
    errors_write_kind(item->object, kind);
    PyObject *dtype_name = PyObject_Str((PyObject *)to->dtype);
    PyObject *dtype = dtype_name != NULL ? errors_utf8(dtype_name) : NULL;
    PyObject *shown = dtype != NULL ? shown_item(item->object, kind) : NULL;
    if (shown != NULL) {
        char words[3 * MAX_SHOWN_BYTES];
        write_words(to, PyBytes_AS_STRING(shown), PyBytes_AS_STRING(dtype), words, sizeof words);
        const char *const texts[] = {to->name, kind, PyBytes_AS_STRING(dtype), PyBytes_AS_STRING(shown),
                                     limits != NULL ? limits : words};
        errors_raise_allowed(to->call, &error, item->object, texts, allowed != NULL ? allowed : Py_None);
    }
    Py_XDECREF(shown);
    Py_XDECREF(dtype);
    Py_XDECREF(dtype_name);
    return -1;
}

static int
raise_out_of_range(const conversion *to, const value_item *item)
{
    return raise_item(to, SSOP_VAL_C2, item, "", NULL);
}

static int
raise_outside(const conversion *to, const value_item *item, int64_t low, uint64_t high)
{
    char limits[80];
    snprintf(limits, sizeof limits, ", which holds %lld..%llu", (long long)low, (unsigned long long)high);
    PyObject *allowed = Py_BuildValue("(LK)", (long long)low, (unsigned long long)high);
    if (allowed != NULL) {
        raise_item(to, SSOP_VAL_C2, item, limits, allowed);
        Py_DECREF(allowed);
    }
    return -1;
}

/* Raises val_c1, or val_c4 for a list among items. Always NULL. */
static PyObject *
raise_kind(const conversion *to, const value_item *item, int kind)
{
    raise_item(to, kind == KIND_LIST ? SSOP_VAL_C4 : SSOP_VAL_C1, item, NULL, NULL);
    return NULL;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* The int lies in low..high. */
static bool
is_between(PyObject *integer, int64_t low, uint64_t high)
{
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (overflow == 0) {
        return number >= low && (number < 0 || (uint64_t)number <= high);
    }
    if (overflow < 0) {
        return false;
    }
    unsigned long long large = PyLong_AsUnsignedLongLong(integer);
    if (PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    return large <= high;
}

/* Which integers the dtype holds. The least int64 is NumPy's "not a time". For a dtype that another library registered,
 * these are the limits of int64, and a later check tests whether the number fits. */
void
value_find_limits(const conversion *to, int64_t *low, uint64_t *high)
{
    *low = to->kind == KIND_DURATION ? -INT64_MAX : INT64_MIN;
    *high = INT64_MAX;
    if (PyTypeNum_ISINTEGER(to->dtype->type_num)) {
        int bits = 8 * (int)PyDataType_ELSIZE(to->dtype);
        *high = UINT64_MAX >> (64 - bits + PyTypeNum_ISSIGNED(to->dtype->type_num));
        *low = PyTypeNum_ISSIGNED(to->dtype->type_num) ? -(int64_t)*high - 1 : 0;
    }
}

static int
check_integer(const conversion *to, const value_item *item, PyObject *exact)
{
    int64_t low;
    uint64_t high;
    value_find_limits(to, &low, &high);
    return is_between(exact, low, high) ? 0
         : value_is_registered(to)      ? raise_out_of_range(to, item)
                                        : raise_outside(to, item, low, high);
}

/* A finite number is rounded (val_s1), but not to infinity: the limits are those from which on IEEE 754 rounds to
 * infinity. */
bool
value_fits_float(int type_num, double number)
{
    double limit = type_num == NPY_HALF                            ? 65520.0
                 : type_num == NPY_FLOAT || type_num == NPY_CFLOAT ? 0x1.ffffffp127
                                                                   : INFINITY;
    return !isfinite(number) || fabs(number) < limit;
}

/* `exact` as a double is infinite only if it is infinite itself; ints of more than 1024 bits go to no float. */
static int
check_float(const conversion *to, const value_item *item, PyObject *exact)
{
    Py_complex number = PyComplex_AsCComplex(exact);
    if (number.real == -1.0 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) {
            return -1;
        }
        PyErr_Clear();
        return raise_out_of_range(to, item);
    }
    int type_num = to->dtype->type_num;
    if (!value_fits_float(type_num, number.real) || !value_fits_float(type_num, number.imag)) {
        return raise_out_of_range(to, item);
    }
    if ((isinf(number.real) || isinf(number.imag)) && type_num != NPY_LONGDOUBLE && type_num != NPY_CLONGDOUBLE) {
        PyObject *rounded = PyComplex_FromCComplex(number);
        int same = rounded != NULL ? PyObject_RichCompareBool(exact, rounded, Py_EQ) : -1;
        Py_XDECREF(rounded);
        return same > 0 ? 0 : same < 0 ? -1 : raise_out_of_range(to, item);
    }
    return 0;
}

/* ---- items ------------------------------------------------------------------------------------------------------- */

/* The item as a number that the dtype can represent, or NULL and an exception. New reference. */
static PyObject *
check_number(const conversion *to, const value_item *item, value_kind kind)
{
    bool wants_integer = to->kind <= KIND_INTEGER || to->kind == KIND_DURATION;
    if (kind > (to->kind == KIND_DURATION ? KIND_INTEGER : to->kind)) {
        return raise_kind(to, item, (int)kind);
    }
    PyObject *exact = exact_number(item->object, kind);
    if (exact == NULL || to->kind == KIND_BOOL) {
        return exact;
    }
    if ((wants_integer ? check_integer(to, item, exact) : check_float(to, item, exact)) < 0) {
        Py_CLEAR(exact);
    }
    return exact;
}

/* True for the object that stands for a missing string in NumPy's variable-width strings. */
static bool
is_missing_string(PyArray_Descr *dtype, PyObject *item)
{
    PyObject *missing = dtype->type_num == NPY_VSTRING ? PyObject_GetAttrString((PyObject *)dtype, "na_object") : NULL;
    PyErr_Clear(); /* most have none */
    Py_XDECREF(missing);
    return missing != NULL && missing == item;
}

/* As check_number, for strings and bytes: the item as a str or bytes no longer than the items of the dtype. */
static PyObject *
check_string(const conversion *to, const value_item *item, value_kind kind)
{
    npy_intp width = PyDataType_ELSIZE(to->dtype), length = 0;
    PyObject *object = item->object, *exact = NULL;
    if (is_missing_string(to->dtype, object)) {
        return Py_NewRef(object);
    }
    if (kind != to->kind ||
        (kind == KIND_BYTES && !PyBytes_Check(object))) { /* of void scalars, the width is unknown */
        return raise_kind(to, item, (int)kind);
    }
    if (kind == KIND_STRING) {
        exact = PyUnicode_FromObject(object);
        length = to->dtype->type_num == NPY_VSTRING ? 0 : 4 * PyUnicode_GET_LENGTH(object);
    }
    else {
        exact = PyBytes_FromStringAndSize(PyBytes_AS_STRING(object), PyBytes_GET_SIZE(object));
        length = PyBytes_GET_SIZE(object);
    }
    if (exact != NULL && length > width) {
        raise_item(to, SSOP_VAL_C3, item, NULL, NULL);
        Py_CLEAR(exact);
    }
    return exact;
}

/* What stands for the item when it is converted: checked, and of a class whose methods are known. New reference. */
PyObject *
value_check_item(const conversion *to, const value_item *item)
{
    int kind = kind_of_item(item->object);
    if (kind < 0) {
        return NULL;
    }
    if (to->kind == KIND_STRING || to->kind == KIND_BYTES) {
        return check_string(to, item, (value_kind)kind);
    }
    if (to->kind == KIND_DATE || (to->kind == KIND_DURATION && kind == KIND_DURATION)) {
        if ((value_kind)kind == to->kind) {
            return Py_NewRef(item->object);
        }
        return raise_kind(to, item, (int)kind);
    }
    return check_number(to, item, (value_kind)kind);
}

/* ---- what is only known after the conversion --------------------------------------------------------------------- */

/* NumPy's casts of objects to numbers raise nothing if there is no memory for the cast itself (NumPy 2.4). */
PyArrayObject *
value_cast_array(PyArrayObject *array, PyArray_Descr *dtype)
{
    PyArrayObject *result = (PyArrayObject *)PyArray_FromAny((PyObject *)array, (PyArray_Descr *)Py_NewRef(dtype), 0, 0,
                                                             NPY_ARRAY_CARRAY | NPY_ARRAY_FORCECAST, NULL);
    if (result == NULL && !PyErr_Occurred()) {
        PyErr_NoMemory();
    }
    return result;
}

/* A number after it went through a float of another library. Floats without infinities saturate or become NaN. A change
 * of more than half of the number is therefore not rounding. */
static bool
is_rounded(double before, double after)
{
    if (isnan(before) || isinf(before) || !isfinite(after)) {
        return isnan(before) ? isnan(after) : before == after;
    }
    return fabs(after) < 1 || fabs(before) <= 1.5 * fabs(after);
}

static bool
is_same_number(const char *before, const char *after, value_kind kind)
{
    if (kind != KIND_FLOAT && kind != KIND_COMPLEX) {
        return *(const int64_t *)before == *(const int64_t *)after;
    }
    const double *x = (const double *)before, *y = (const double *)after;
    return is_rounded(x[0], y[0]) && (kind == KIND_FLOAT || is_rounded(x[1], y[1]));
}

/* Compares `wide`, which lost nothing, with what came back of it. `items` are for the message. */
static int
check_round_trip(const conversion *to, PyArrayObject *items, PyArrayObject *wide, PyArrayObject *back)
{
    npy_intp bytes = PyArray_ITEMSIZE(wide);
    for (npy_intp i = 0; i < PyArray_SIZE(wide); i++) {
        if (!is_same_number(PyArray_BYTES(wide) + i * bytes, PyArray_BYTES(back) + i * bytes, to->kind)) {
            const value_item item = {((PyObject **)PyArray_DATA(items))[i], i};
            bool is_time = to->kind == KIND_DATE || to->kind == KIND_DURATION;
            return is_time ? raise_item(to, SSOP_VAL_C3, &item, NULL, NULL) : raise_out_of_range(to, &item);
        }
    }
    return 0;
}

/* By way of a dtype that holds all of these items, and back to it. */
static PyArrayObject *
convert_by_way_of(const conversion *to, PyArrayObject *items, PyArray_Descr *wide_dtype)
{
    PyArrayObject *wide = value_cast_array(items, wide_dtype);
    PyArrayObject *result = wide != NULL ? value_cast_array(wide, to->dtype) : NULL;
    PyArrayObject *back = result != NULL ? value_cast_array(result, PyArray_DESCR(wide)) : NULL;
    if (back == NULL || check_round_trip(to, items, wide, back) < 0) {
        Py_CLEAR(result);
    }
    Py_XDECREF(back);
    Py_XDECREF(wide);
    return result;
}

static PyArrayObject *
convert_checked(const conversion *to, PyArrayObject *items)
{
    bool is_time = to->kind == KIND_DATE || to->kind == KIND_DURATION; /* without a unit: NumPy finds one for all */
    if (!is_time && !value_is_registered(to)) {
        return value_cast_array(items, to->dtype);
    }
    int wide = is_time                  ? to->dtype->type_num
             : to->kind == KIND_INTEGER ? NPY_INT64
             : to->kind == KIND_FLOAT   ? NPY_DOUBLE
                                        : NPY_CDOUBLE;
    PyArray_Descr *wide_dtype = PyArray_DescrFromType(wide);
    PyArrayObject *result = convert_by_way_of(to, items, wide_dtype);
    Py_DECREF(wide_dtype);
    return result;
}

/* ---- arrays of items --------------------------------------------------------------------------------------------- */

/* `items` is a C-ordered array of objects that nobody else knows. */
PyArrayObject *
value_convert_items(const conversion *to, PyArrayObject *items)
{
    if (to->kind == KIND_ANY) {
        return value_cast_array(items, to->dtype);
    }
    PyObject **item = PyArray_DATA(items);
    for (npy_intp i = 0; i < PyArray_SIZE(items); i++) {
        PyObject *checked = value_check_item(to, &(value_item){item[i], i});
        if (checked == NULL) {
            return NULL;
        }
        Py_SETREF(item[i], checked);
    }
    return convert_checked(to, items);
}
