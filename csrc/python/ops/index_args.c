/* A NumPy index as a sparse spec: how TensorFlow's Python front end encodes integers, slices, None and the ellipsis. */
#include "index_args.h"

#include "../args.h"
#include "../errors.h"

static int
reject_item(const call_context *call, PyObject *item, Py_ssize_t entry)
{
    static const char *const tensorflow =
        "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar "
        "tf.int32/tf.int64 tensors are valid indices";
    static const char *const numpy =
        "only integers, slices (`:`), ellipsis (`...`) and numpy.newaxis (`None`) are valid indices";
    const ssop_error error = {.rule = SSOP_IX_C1, .axis = -1, .entry = (int32_t)entry};
    errors_raise_type(call, &error, "index", item, strcmp(call->op, "from_index") == 0 ? tensorflow : numpy);
    return -1;
}

/* True for what has axes, although it may have an index: an array of one element. -1 on error. */
static int
has_axes(PyObject *item)
{
    if (PyArray_IsScalar(item, Generic)) {
        return 0;
    }
    PyObject *ndim = PyObject_GetAttrString(item, "ndim"), *zero = NULL;
    if (ndim == NULL) {
        const bool missing = PyErr_ExceptionMatches(PyExc_AttributeError);
        if (missing) {
            PyErr_Clear();
        }
        return missing ? 0 : -1;
    }
    zero = PyLong_FromLong(0);
    const int result = zero != NULL ? PyObject_RichCompareBool(ndim, zero, Py_GT) : -1;
    Py_XDECREF(zero);
    Py_DECREF(ndim);
    return result;
}

/* An item that is no exact int as an int. NULL, with TypeError for items that are no integers; bools and arrays with
 * axes are such. */
static PyObject *
item_as_int(PyObject *item)
{
    int axes = PyBool_Check(item) || PyArray_IsScalar(item, Bool) ? 1 : has_axes(item);
    if (axes > 0) {
        PyErr_SetNone(PyExc_TypeError);
    }
    return axes == 0 ? PyNumber_Index(item) : NULL;
}

/* An integer takes the element at `begin`. The end of a shrunk entry is never read. */
static int
read_element(const call_context *call, PyObject *item, Py_ssize_t entry, int64_t *begin, int64_t *end)
{
    int result = 0;
    if (!PyLong_CheckExact(item) || !compat_compact_long(item, begin)) {
        PyObject *integer = item_as_int(item);
        if (integer == NULL) {
            const bool wrong = PyErr_ExceptionMatches(PyExc_TypeError);
            if (wrong) {
                PyErr_Clear();
            }
            return wrong ? reject_item(call, item, entry) : -1;
        }
        result = args_read_entry(call, "begin", entry, integer, begin);
        Py_DECREF(integer);
    }
    *end = *begin == INT64_MAX ? INT64_MAX : *begin + 1;
    return result;
}

/* A part of a slice; `absent` for None. */
static int
read_bound(const call_context *call, const char *name, PyObject *bound, Py_ssize_t entry, int64_t absent,
           int64_t *value)
{
    *value = absent;
    if (bound == Py_None || (PyLong_CheckExact(bound) && compat_compact_long(bound, value))) {
        return 0;
    }
    return args_read_entry(call, name, entry, bound, value);
}

/* Reads one item; its bits go to the masks. */
static int
read_item(const call_context *call, PyObject *item, Py_ssize_t entry, spec_parts *parts)
{
    ssop_spec *spec = parts->spec;
    ssop_masks *masks = &parts->masks;
    const int32_t bit = (int32_t)1 << entry;
    int64_t *begin = &spec->begin[entry], *end = &spec->end[entry], *step = &spec->step[entry];
    *step = 1;
    if (PySlice_Check(item)) {
        const PySliceObject *slice = (PySliceObject *)item;
        masks->begin |= slice->start == Py_None ? bit : 0;
        masks->end |= slice->stop == Py_None ? bit : 0;
        return read_bound(call, "begin", slice->start, entry, 0, begin) < 0 ||
                       read_bound(call, "end", slice->stop, entry, 0, end) < 0
                 ? -1
                 : read_bound(call, "strides", slice->step, entry, 1, step);
    }
    *begin = *end = 0;
    if (item == Py_None) {
        masks->new_axis |= bit;
        return 0;
    }
    if (item == Py_Ellipsis) {
        masks->ellipsis |= bit;
        return 0;
    }
    masks->shrink_axis |= bit;
    return read_element(call, item, entry, begin, end);
}

int
index_args_read(const call_context *call, PyObject *index, spec_parts *parts)
{
    PyObject *const *items = PyTuple_Check(index) ? &PyTuple_GET_ITEM(index, 0) : &index;
    const Py_ssize_t count = PyTuple_Check(index) ? PyTuple_GET_SIZE(index) : 1;
    const Py_ssize_t most = parts->dialect->max_entries; /* more are an error by their number (ss_c2) */
    parts->counts = (ssop_spec_counts){count, count, count};
    parts->masks = (ssop_masks){0};
    for (Py_ssize_t entry = 0; entry < count && entry < most; entry++) {
        if (read_item(call, items[entry], entry, parts) < 0) {
            return -1;
        }
    }
    return 0;
}
