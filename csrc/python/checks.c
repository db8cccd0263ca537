/* Shapes and dtypes of operands against what a rule asks for. */
#include "checks.h"

#include "args.h"
#include "errors.h"
#include "memory.h"

/* ---- shapes --------------------------------------------------------------------------------------------------------- */

/* "[2,3]", as TensorFlow writes shapes. */
static PyObject *
tensorflow_text(ssop_shape shape)
{
    char text[SSOP_MAX_RANK * 21 + 3], *end = text;
    *end++ = '[';
    for (int32_t axis = 0; axis < shape.rank; axis++) {
        end += snprintf(end, 22, "%s%lld", axis > 0 ? "," : "", (long long)shape.dim[axis]);
    }
    *end++ = ']';
    return PyUnicode_FromStringAndSize(text, end - text);
}

static const char *
text_of(PyObject *text)
{
    return text != NULL ? PyUnicode_AsUTF8(text) : NULL;
}

/* The texts of a message about two shapes: the array's name, then given and wanted as Python and as TensorFlow write them. */
void
raise_shapes(const call_context *call, const ssop_error *error, const char *name, ssop_shape given, ssop_shape wanted)
{
    PyObject *given_tuple = args_tuple(given.rank, given.dim), *wanted_tuple = args_tuple(wanted.rank, wanted.dim);
    PyObject *parts[4] = {given_tuple != NULL ? PyObject_Repr(given_tuple) : NULL,
                          wanted_tuple != NULL ? PyObject_Repr(wanted_tuple) : NULL, tensorflow_text(given),
                          tensorflow_text(wanted)};
    const char *const texts[5] = {name, text_of(parts[0]), text_of(parts[1]), text_of(parts[2]), text_of(parts[3])};
    if (texts[1] != NULL && texts[2] != NULL && texts[3] != NULL && texts[4] != NULL) {
        errors_raise_texts(call, error, given_tuple, texts);
    }
    for (int i = 0; i < 4; i++) {
        Py_XDECREF(parts[i]);
    }
    Py_XDECREF(wanted_tuple);
    Py_XDECREF(given_tuple);
}

int
check_shape(const call_context *call, const private_view *array, const char *name, ssop_shape wanted, ssop_rule rule)
{
    bool same = array->view.rank == wanted.rank;
    ssop_error error = {.rule = rule, .axis = -1, .entry = -1};
    for (int32_t axis = 0; same && axis < wanted.rank; axis++) {
        if (array->view.dim[axis] != wanted.dim[axis]) {
            same = false;
            error.axis = axis;
        }
    }
    if (!same) {
        raise_shapes(call, &error, name, private_view_shape(array), wanted);
    }
    return same ? 0 : -1;
}

int
check_addressable(const call_context *call, const private_view *array)
{
    ssop_region whole;
    ssop_view view;
    ssop_error error;
    ssop_region_whole(&whole, private_view_shape(array));
    if (ssop_region_view(&whole, &array->view, &view, &error) != SSOP_OK) {
        errors_raise(call, &error, NULL);
        return -1;
    }
    return 0;
}

/* ---- dtypes --------------------------------------------------------------------------------------------------------- */

int
check_dtype(const call_context *call, const private_view *array, const char *name, PyArray_Descr *wanted,
            const ssop_error *error)
{
    if (array->dtype == wanted || PyArray_EquivTypes(array->dtype, wanted)) {
        return 0;
    }
    PyObject *given_text = PyObject_Str((PyObject *)array->dtype);
    PyObject *wanted_text = given_text != NULL ? PyObject_Str((PyObject *)wanted) : NULL;
    const char *const texts[3] = {name, text_of(given_text), text_of(wanted_text)};
    if (texts[1] != NULL && texts[2] != NULL) {
        errors_raise_texts(call, error, (PyObject *)array->dtype, texts);
    }
    Py_XDECREF(wanted_text);
    Py_XDECREF(given_text);
    return -1;
}

/* ---- destinations --------------------------------------------------------------------------------------------------- */

int
check_is_array(const call_context *call, const private_out *out)
{
    if (out->own.array != NULL) {
        return 0;
    }
    const ssop_error error = {.rule = SSOP_OUT_C1, .axis = -1, .entry = -1};
    PyObject *object = out->object != NULL ? out->object : Py_None;
    const char *const texts[] = {call->out_name, Py_TYPE(object)->tp_name};
    errors_raise_texts(call, &error, object, texts);
    return -1;
}

static int64_t
bytes_of(const ssop_view *view)
{
    int64_t bytes = view->item_bytes;
    for (int32_t axis = 0; axis < view->rank; axis++) {
        bytes *= view->dim[axis];
    }
    return bytes;
}

int
check_writeable(const call_context *call, const private_out *out)
{
    const ssop_view *view = &out->own.view;
    const char *const texts[] = {call->out_name};
    ssop_error error = {.rule = SSOP_OUT_C4, .axis = -1, .entry = -1};
    if (!out->own.writeable) {
        errors_raise_texts(call, &error, NULL, texts);
        return -1;
    }
    if (!out->own.c_order && ssop_view_overlaps_itself(view)) {
        error.rule = SSOP_OUT_C5;
        errors_raise_texts(call, &error, NULL, texts);
        return -1;
    }
    memory_set_warm(out->own.array, view->data, bytes_of(view)); /* distinct items: the product fits */
    return 0;
}
