/* Bools and choices out of Python objects. */
#include "options.h"

#include "errors.h"

bool
args_is_bool(PyObject *object)
{
    bool array = PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object) == 0 &&
                 PyArray_TYPE((PyArrayObject *)object) == NPY_BOOL;
    return PyBool_Check(object) || PyArray_IsScalar(object, Bool) || array;
}

int
args_read_bool(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, bool *value)
{
    if (args_is_bool(object)) {
        int truth = PyObject_IsTrue(object); /* a subclass of ndarray may raise */
        *value = truth > 0;
        return truth < 0 ? -1 : 0;
    }
    ssop_error error = {.rule = SSOP_IN_C8, .axis = -1, .entry = (int32_t)entry, .form = entry >= 0};
    errors_raise_type(call, &error, name, object, NULL);
    return -1;
}

int
args_read_flag(const call_context *call, const char *name, PyObject *object, bool absent, bool *value)
{
    *value = absent;
    return object != NULL ? args_read_bool(call, name, -1, object, value) : 0;
}

/* Writes "'a', 'b' or 'c'". */
static void
join_choices(const char *const *choices, char *text, size_t size)
{
    size_t length = 0;
    for (int i = 0; choices[i] != NULL && length < size; i++) {
        const char *between = i == 0 ? "" : choices[i + 1] != NULL ? ", " : " or ";
        length += (size_t)snprintf(text + length, size - length, "%s'%s'", between, choices[i]);
    }
}

int
args_read_choice(const call_context *call, const char *name, PyObject *object, const char *const *choices,
                 ssop_rule rule)
{
    if (object == NULL) {
        return 0;
    }
    for (int i = 0; PyUnicode_Check(object) && choices[i] != NULL; i++) {
        if (PyUnicode_CompareWithASCIIString(object, choices[i]) == 0) {
            return i;
        }
    }
    char wanted[128];
    join_choices(choices, wanted, sizeof wanted);
    ssop_error error = {.rule = rule, .axis = -1, .entry = -1, .form = PyUnicode_Check(object)};
    if (!PyUnicode_Check(object)) {
        errors_raise_type(call, &error, name, object, wanted);
        return -1;
    }
    PyObject *shown = errors_shown_part(object);
    if (shown != NULL) {
        errors_raise_texts(call, &error, object, (const char *const[]){name, PyBytes_AS_STRING(shown), wanted});
        Py_DECREF(shown);
    }
    return -1;
}
