/* Exceptions from error records: class, attributes and message. */
#include "errors.h"

typedef struct {
    const char *name, *doc;
    ssop_status status;
    PyObject **also; /* the built-in class that users catch */
} error_class;

static const char base_doc[] =
    "Base of every error that ssop raises about its arguments.\n\n"
    "Attributes (None where a rule gives them no meaning): `op` the function, `label` the rule in SPEC.md, `axis` of "
    "the\n"
    "array, `entry` of the index vector, `value` as given, `allowed` an inclusive pair (least, greatest).";

/* class SliceError(Exception): op = label = axis = entry = value = allowed = None */
static PyObject *
new_base_class(void)
{
    PyObject *attributes = Py_BuildValue("{sOsOsOsOsOsO}", "op", Py_None, "label", Py_None, "axis", Py_None, "entry",
                                         Py_None, "value", Py_None, "allowed", Py_None);
    if (attributes == NULL) {
        return NULL;
    }
    PyObject *base = PyErr_NewExceptionWithDoc("ssop.SliceError", base_doc, NULL, attributes);
    Py_DECREF(attributes);
    return base;
}

int
errors_init(PyObject *module)
{
    const error_class classes[] = {
        {"ssop.SliceValueError", "A length, rank, size or bound is wrong.", SSOP_VALUE_ERROR, &PyExc_ValueError},
        {"ssop.SliceIndexError", "An index lies outside its axis.", SSOP_INDEX_ERROR, &PyExc_IndexError},
        {"ssop.SliceTypeError", "Something has the wrong type or dtype.", SSOP_TYPE_ERROR, &PyExc_TypeError},
        {"ssop.SliceOverflowError", "An integer outside its width.", SSOP_OVERFLOW_ERROR, &PyExc_OverflowError},
    };
    module_state *state = state_of(module);
    PyObject *base = state->error[SSOP_OK] = new_base_class();
    if (base == NULL || PyModule_AddObjectRef(module, "SliceError", base) < 0) {
        return -1;
    }
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        PyObject *bases = PyTuple_Pack(2, base, *classes[i].also);
        if (bases == NULL) {
            return -1;
        }
        PyObject *made = PyErr_NewExceptionWithDoc(classes[i].name, classes[i].doc, bases, NULL);
        Py_DECREF(bases);
        state->error[classes[i].status] = made;
        if (made == NULL || PyModule_AddObjectRef(module, strchr(classes[i].name, '.') + 1, made) < 0) {
            return -1;
        }
    }
    return 0;
}

/* Sets a new reference as attribute and drops it; NULL (an error) passes through. */
static int
set_attribute(PyObject *exception, const char *name, PyObject *value)
{
    if (value == NULL) {
        return -1;
    }
    int result = PyObject_SetAttrString(exception, name, value);
    Py_DECREF(value);
    return result;
}

static PyObject *
position(int32_t index)
{
    return index < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(index);
}

/* `message` is stolen. */
static PyObject *
raise_message(const call_context *call, const ssop_error *error, PyObject *value, PyObject *message)
{
    PyObject *type = call->state->error[ssop_rule_status(error->rule)], *exception = NULL;
    if (message == NULL) {
        return NULL;
    }
    exception = PyObject_CallOneArg(type, message);
    Py_DECREF(message);
    if (exception == NULL) {
        return NULL;
    }
    bool allowed = ssop_rule_shows(error->rule) & SSOP_SHOWS_ALLOWED;
    if (set_attribute(exception, "op", PyUnicode_FromString(call->op)) == 0 &&
        set_attribute(exception, "label", PyUnicode_FromString(ssop_rule_label(error->rule))) == 0 &&
        set_attribute(exception, "axis", position(error->axis)) == 0 &&
        set_attribute(exception, "entry", position(error->entry)) == 0 &&
        set_attribute(exception, "value", Py_NewRef(value)) == 0 &&
        set_attribute(exception, "allowed",
                      allowed ? Py_BuildValue("(LL)", (long long)error->low, (long long)error->high)
                              : Py_NewRef(Py_None)) == 0) {
        PyErr_SetObject(type, exception);
    }
    Py_DECREF(exception);
    return NULL;
}

PyObject *
errors_raise(const call_context *call, const ssop_error *error, PyObject *value)
{
    char text[512];
    ssop_error_message(error, text, sizeof text);
    PyObject *shown = value != NULL                                   ? Py_NewRef(value)
                    : ssop_rule_shows(error->rule) & SSOP_SHOWS_VALUE ? PyLong_FromLongLong(error->value)
                                                                      : Py_NewRef(Py_None);
    if (shown == NULL) {
        return NULL;
    }
    raise_message(call, error, shown, PyUnicode_FromFormat("%s: %s", call->op, text));
    Py_DECREF(shown);
    return NULL;
}

PyObject *
errors_raise_format(const call_context *call, const ssop_error *error, PyObject *value, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    PyObject *text = PyUnicode_FromFormatV(format, arguments);
    va_end(arguments);
    if (text == NULL) {
        return NULL;
    }
    PyObject *message = PyUnicode_FromFormat("%s: %U", call->op, text);
    Py_DECREF(text);
    return raise_message(call, error, value != NULL ? value : Py_None, message);
}

PyObject *
errors_raise_texts(const call_context *call, const ssop_error *error, PyObject *value, const char *const *texts)
{
    return errors_raise_format(call, error, value, "%s", texts[0]);
}
