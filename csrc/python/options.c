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
        *value = PyObject_IsTrue(object) > 0;
        return 0;
    }
    ssop_error error = {.rule = SSOP_IN_C8, .axis = -1, .entry = (int32_t)entry};
    const char *kind = Py_TYPE(object)->tp_name;
    if (entry < 0) {
        errors_raise_format(call, &error, object, "%s is a %.80s, not a bool", name, kind);
    }
    else {
        errors_raise_format(call, &error, object, "%s entry %zd is a %.80s, not a bool", name, entry, kind);
    }
    return -1;
}

int
args_read_flag(const call_context *call, const char *name, PyObject *object, bool absent, bool *value)
{
    *value = absent;
    return object != NULL ? args_read_bool(call, name, -1, object, value) : 0;
}

/* "'a', 'b' or 'c'" */
static PyObject *
choices_text(const char *const *choices)
{
    PyObject *text = PyUnicode_FromFormat("'%s'", choices[0]);
    for (int i = 1; text != NULL && choices[i] != NULL; i++) {
        const char *between = choices[i + 1] != NULL ? ", " : " or ";
        Py_SETREF(text, PyUnicode_FromFormat("%U%s'%s'", text, between, choices[i]));
    }
    return text;
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
    ssop_error error = {.rule = rule, .axis = -1, .entry = -1};
    PyObject *wanted = choices_text(choices);
    if (wanted != NULL && PyUnicode_Check(object)) {
        errors_raise_format(call, &error, object, "%s is '%.60U', not %U", name, object, wanted);
    }
    else if (wanted != NULL) {
        errors_raise_format(call, &error, object, "%s is a %.80s, not %U", name, Py_TYPE(object)->tp_name, wanted);
    }
    Py_XDECREF(wanted);
    return -1;
}
