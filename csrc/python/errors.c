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

/* `message` and `allowed`, which may be NULL with an exception, are stolen. */
static PyObject *
raise_message(const call_context *call, const ssop_error *error, PyObject *value, PyObject *allowed, PyObject *message)
{
    PyObject *type = call->state->error[ssop_rule_status(error->rule)], *exception = NULL;
    if (message != NULL && allowed != NULL) {
        exception = PyObject_CallOneArg(type, message);
    }
    Py_XDECREF(message);
    if (exception == NULL) {
        Py_XDECREF(allowed);
        return NULL;
    }
    if (set_attribute(exception, "op", PyUnicode_FromString(call->op)) == 0 &&
        set_attribute(exception, "label", PyUnicode_FromString(ssop_rule_label(error->rule))) == 0 &&
        set_attribute(exception, "axis", position(error->axis)) == 0 &&
        set_attribute(exception, "entry", position(error->entry)) == 0 &&
        set_attribute(exception, "value", Py_NewRef(value)) == 0 &&
        set_attribute(exception, "allowed", Py_NewRef(allowed)) == 0) {
        PyErr_SetObject(type, exception);
    }
    Py_DECREF(allowed);
    Py_DECREF(exception);
    return NULL;
}

/* The whole message, however long; it starts with the function's name. */
static PyObject *
message_of(const call_context *call, const ssop_error *error, const char *const texts[])
{
    char buffer[512], *text = buffer;
    size_t size = ssop_error_message(error, texts, buffer, sizeof buffer) + 1;
    if (size > sizeof buffer) {
        text = PyMem_Malloc(size);
        if (text == NULL) {
            return PyErr_NoMemory();
        }
        ssop_error_message(error, texts, text, size);
    }
    PyObject *message = PyUnicode_FromFormat("%s: %s", call->op, text);
    if (text != buffer) {
        PyMem_Free(text);
    }
    return message;
}

static PyObject *
integer_of(const ssop_error *error)
{
    return error->huge ? PyLong_FromUnsignedLongLong((unsigned long long)error->value)
                       : PyLong_FromLongLong(error->value);
}

PyObject *
errors_raise_texts(const call_context *call, const ssop_error *error, PyObject *value, const char *const texts[])
{
    PyObject *shown = value != NULL                                   ? Py_NewRef(value)
                    : ssop_rule_shows(error->rule) & SSOP_SHOWS_VALUE ? integer_of(error)
                                                                      : Py_NewRef(Py_None);
    if (shown != NULL) {
        PyObject *allowed = ssop_rule_shows(error->rule) & SSOP_SHOWS_ALLOWED
                              ? Py_BuildValue("(LL)", (long long)error->low, (long long)error->high)
                              : Py_NewRef(Py_None);
        raise_message(call, error, shown, allowed, message_of(call, error, texts));
        Py_DECREF(shown);
    }
    return NULL;
}

PyObject *
errors_raise_allowed(const call_context *call, const ssop_error *error, PyObject *value, const char *const texts[],
                     PyObject *allowed)
{
    return raise_message(call, error, value, Py_NewRef(allowed), message_of(call, error, texts));
}

PyObject *
errors_raise(const call_context *call, const ssop_error *error, PyObject *value)
{
    return errors_raise_texts(call, error, value, NULL);
}

void
errors_write_kind(PyObject *object, char text[ERRORS_KIND_BYTES])
{
    if (object == Py_None) {
        strcpy(text, "None");
        return;
    }
    const char *name = Py_TYPE(object)->tp_name;
    /* Names of types that begin with a u are mostly uint, UUID, UserList and the like: "a". */
    snprintf(text, ERRORS_KIND_BYTES, "%s %.80s", strchr("aeioAEIO", *name) != NULL ? "an" : "a", name);
}

PyObject *
errors_raise_type(const call_context *call, const ssop_error *error, const char *name, PyObject *object,
                  const char *wanted)
{
    char kind[ERRORS_KIND_BYTES];
    errors_write_kind(object, kind);
    return errors_raise_texts(call, error, object, (const char *const[]){name, kind, wanted});
}

PyObject *
errors_utf8(PyObject *string)
{
    PyObject *zero = PyUnicode_FromOrdinal(0), *escape = PyUnicode_FromString("\\x00"), *bytes = NULL;
    PyObject *without_zero = zero != NULL && escape != NULL ? PyUnicode_Replace(string, zero, escape, -1) : NULL;
    if (without_zero != NULL) {
        bytes = PyUnicode_AsEncodedString(without_zero, "utf-8", "backslashreplace");
    }
    Py_XDECREF(without_zero);
    Py_XDECREF(escape);
    Py_XDECREF(zero);
    return bytes;
}

PyObject *
errors_shown_part(PyObject *string)
{
    enum { MAX_SHOWN_CHARACTERS = 60 };
    PyObject *part = PyUnicode_Substring(string, 0, MAX_SHOWN_CHARACTERS);
    PyObject *bytes = part != NULL ? errors_utf8(part) : NULL;
    Py_XDECREF(part);
    return bytes;
}

/* str(object) in UTF-8. */
static PyObject *
str_utf8(PyObject *object)
{
    PyObject *string = PyObject_Str(object);
    PyObject *bytes = string != NULL ? errors_utf8(string) : NULL;
    Py_XDECREF(string);
    return bytes;
}

/* The text of a dtype as an argument of astype: its name in quotes, or the list of its fields. */
static PyObject *
as_argument(const char *dtype)
{
    const char *quote = strchr("[{(", *dtype) != NULL ? "" : "'";
    return PyBytes_FromFormat("%s%s%s", quote, dtype, quote);
}

PyObject *
errors_raise_pair(const call_context *call, const ssop_error *error, const char *name, PyObject *given,
                  PyObject *wanted)
{
    Py_INCREF(given); /* str() runs user code, which may drop the last other references */
    Py_XINCREF(wanted);
    PyObject *given_text = str_utf8(given);
    PyObject *wanted_text = given_text == NULL ? NULL : wanted == NULL ? PyBytes_FromString("") : str_utf8(wanted);
    PyObject *argument = wanted_text != NULL ? as_argument(PyBytes_AS_STRING(wanted_text)) : NULL;
    if (argument != NULL) {
        errors_raise_texts(call, error, given,
                           (const char *const[]){name, PyBytes_AS_STRING(given_text), PyBytes_AS_STRING(wanted_text),
                                                 PyBytes_AS_STRING(argument)});
    }
    Py_XDECREF(argument);
    Py_XDECREF(wanted_text);
    Py_XDECREF(given_text);
    Py_XDECREF(wanted);
    Py_DECREF(given);
    return NULL;
}

enum { SHAPE_TEXT_BYTES = SSOP_MAX_RANK * 22 + 4 };

/* (2, 3) as Python writes it, or [2,3] as TensorFlow does. */
static void
write_shape(ssop_shape shape, bool as_tuple, char text[SHAPE_TEXT_BYTES])
{
    char *end = text;
    *end++ = as_tuple ? '(' : '[';
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        const char *between = axis == 0 ? "" : as_tuple ? ", " : ",";
        end += snprintf(end, 23, "%s%lld", between, (long long)shape.dim[axis]);
    }
    snprintf(end, 3, "%s", !as_tuple ? "]" : shape.rank == 1 ? ",)" : ")");
}

PyObject *
errors_raise_shapes(const call_context *call, const ssop_error *error, PyObject *value, const char *name,
                    ssop_shape given, ssop_shape wanted)
{
    char text[4][SHAPE_TEXT_BYTES];
    write_shape(given, true, text[0]);
    write_shape(wanted, true, text[1]);
    write_shape(given, false, text[2]);
    write_shape(wanted, false, text[3]);
    return errors_raise_texts(call, error, value, (const char *const[]){name, text[0], text[1], text[2], text[3]});
}
