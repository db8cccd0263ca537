/* Arguments: which object is which argument, and integers out of objects. */
#include "args.h"

#include "errors.h"

const char *const ssop_arg_names[ARG_NAME_COUNT] = {
    [ARG_INPUT_] = "input_",
    [ARG_BEGIN] = "begin",
    [ARG_END] = "end",
    [ARG_STRIDES] = "strides",
    [ARG_BEGIN_MASK] = "begin_mask",
    [ARG_END_MASK] = "end_mask",
    [ARG_ELLIPSIS_MASK] = "ellipsis_mask",
    [ARG_NEW_AXIS_MASK] = "new_axis_mask",
    [ARG_SHRINK_AXIS_MASK] = "shrink_axis_mask",
    [ARG_OUT] = "out",
    [ARG_OPERAND] = "operand",
    [ARG_START_INDICES] = "start_indices",
    [ARG_LIMIT_INDICES] = "limit_indices",
    [ARG_SLICE_SIZES] = "slice_sizes",
    [ARG_UPDATE] = "update",
    [ARG_OUT_OF_BOUNDS] = "out_of_bounds",
    [ARG_ALLOW_NEGATIVE_INDICES] = "allow_negative_indices",
    [ARG_A] = "a",
    [ARG_DST] = "dst",
    [ARG_SRC] = "src",
    [ARG_SHAPE] = "shape",
    [ARG_DTYPE] = "dtype",
    [ARG_UPDATE_SHAPE] = "update_shape",
    [ARG_IN_SHAPE] = "in_shape",
    [ARG_RANGES] = "ranges",
    [ARG_OUT_AXES] = "out_axes",
    [ARG_DY] = "dy",
    [ARG_REF] = "ref",
    [ARG_INPUT] = "input",
    [ARG_VALUE] = "value",
    [ARG_SIZE] = "size",
    [ARG_VAR] = "var",
    [ARG_NAME] = "name",
    [ARG_OFFSET] = "offset",
    [ARG_STRICT] = "strict",
    [ARG_DATA] = "data",
    [ARG_START] = "start",
    [ARG_STOP] = "stop",
    [ARG_STEP] = "step",
    [ARG_STARTS] = "starts",
    [ARG_ENDS] = "ends",
    [ARG_STEPS] = "steps",
    [ARG_AXES] = "axes",
    [ARG_ENGINE] = "engine",
    [ARG_AXIS] = "axis",
    [ARG_INDEX] = "index",
    [ARG_START_INDEX] = "start_index",
    [ARG_LIMIT_INDEX] = "limit_index",
    [ARG_STRIDE] = "stride",
    [ARG_SLICE_SIZE] = "slice_size",
    [ARG_KEEPDIMS] = "keepdims",
    [ARG_PADDING_VALUE] = "padding_value",
    [ARG_PADDING_CONFIG] = "padding_config",
    [ARG_DIMENSIONS] = "dimensions",
    [ARG_OPERANDS] = "operands",
    [ARG_DIMENSION] = "dimension",
    [ARG_SIZES] = "sizes",
    [ARG_BROADCAST_DIMENSIONS] = "broadcast_dimensions",
    [ARG_NEW_SIZES] = "new_sizes",
    [ARG_PERMUTATION] = "permutation",
    [ARG_SHAPES] = "shapes",
    [ARG_OUT_SHAPE] = "out_shape",
    [ARG_N] = "n",
};

/* ---- which object is which ------------------------------------------------------------------------------------------ */

/* Position of a keyword in the signature, or -1. Keywords of calls written out are interned, so pointers decide. */
static int
find_keyword(module_state *state, const args_signature *signature, PyObject *keyword)
{
    for (int i = 0; i < signature->count; i++) {
        if (state->arg_name[signature->name[i]] == keyword) {
            return i;
        }
    }
    for (int i = 0; i < signature->count; i++) {
        if (PyUnicode_CompareWithASCIIString(keyword, ssop_arg_names[signature->name[i]]) == 0) {
            return i;
        }
    }
    return -1;
}

int
args_parse(module_state *state, const args_signature *signature, PyObject *const *args, Py_ssize_t positional,
           PyObject *kwnames, PyObject *found[MAX_ARGUMENTS])
{
    if (positional > signature->positional) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments (%zd given)", signature->function,
                     signature->positional, positional);
        return -1;
    }
    int given = (int)positional;
    for (int i = 0; i < given; i++) {
        found[i] = args[i];
    }
    for (int i = given; i < signature->count; i++) {
        found[i] = NULL;
    }
    if (kwnames == NULL && given >= signature->required) {
        return 0;
    }
    Py_ssize_t keywords = kwnames != NULL ? PyTuple_GET_SIZE(kwnames) : 0;
    for (Py_ssize_t k = 0; k < keywords; k++) {
        PyObject *keyword = PyTuple_GET_ITEM(kwnames, k);
        int i = find_keyword(state, signature, keyword);
        if (i < 0) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'", signature->function, keyword);
            return -1;
        }
        if (found[i] != NULL) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'", signature->function, keyword);
            return -1;
        }
        found[i] = args[positional + k];
    }
    for (int i = 0; i < signature->required; i++) {
        if (found[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() missing required argument '%s'", signature->function,
                         ssop_arg_names[signature->name[i]]);
            return -1;
        }
    }
    return 0;
}

/* ---- integers ------------------------------------------------------------------------------------------------------------ */

static int
refuse_entry(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object)
{
    ssop_error error = {.rule = SSOP_IN_C1, .axis = -1, .entry = (int32_t)entry, .form = entry >= 0};
    errors_raise_type(call, &error, name, object, NULL);
    return -1;
}

enum { MAX_SHOWN_CHARACTERS = 60 };

/* The first characters of a str, as bytes in UTF-8. */
static PyObject *
shown_part(PyObject *string)
{
    PyObject *part = PyUnicode_Substring(string, 0, MAX_SHOWN_CHARACTERS);
    PyObject *bytes = part != NULL ? errors_utf8(part) : NULL;
    Py_XDECREF(part);
    return bytes;
}

/* The first digits of a Python int, which Python refuses to print if it has some thousand digits. */
static PyObject *
shown_integer(PyObject *integer)
{
    PyObject *text = PyObject_Repr(integer);
    if (text == NULL) {
        PyErr_Clear();
        text = PyUnicode_FromString("a number of thousands of digits");
    }
    PyObject *bytes = text != NULL ? shown_part(text) : NULL;
    Py_XDECREF(text);
    return bytes;
}

/* `integer` is the Python int that `object` means. Always -1. */
static int
raise_outside(const call_context *call, const ssop_error *error, const char *name, PyObject *object, PyObject *integer)
{
    PyObject *shown = shown_integer(integer);
    if (shown != NULL) {
        errors_raise_texts(call, error, object, (const char *const[]){name, PyBytes_AS_STRING(shown)});
        Py_DECREF(shown);
    }
    return -1;
}

/* The Python int of what means an integer (in_c1): NULL without an exception if it means none. Runs user code, which may
 * come back here: the interpreter's recursion limit holds for that too. */
static PyObject *
index_of(PyObject *object)
{
    if (PyBool_Check(object) || PyArray_IsScalar(object, Bool) || !PyIndex_Check(object)) {
        return NULL;
    }
    if (Py_EnterRecursiveCall(" while reading an index")) {
        return NULL;
    }
    PyObject *integer = PyNumber_Index(object);
    Py_LeaveRecursiveCall();
    if (integer == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) { /* arrays have __index__ but may not mean it */
        PyErr_Clear();
    }
    return integer;
}

/* NumPy's unsigned integers, as scalars and as arrays without axes. */
static bool
is_numpy_unsigned(PyObject *object)
{
    return PyArray_IsScalar(object, UnsignedInteger) ||
           (PyArray_Check(object) && PyArray_ISUNSIGNED((PyArrayObject *)object));
}

/* An int past int64 as uint64; false for larger ones, which a subclass of NumPy's scalars may answer. */
static bool
read_huge(PyObject *integer, ssop_start *start)
{
    unsigned long long bits = PyLong_AsUnsignedLongLong(integer);
    if (bits == (unsigned long long)-1 && PyErr_Occurred()) {
        PyErr_Clear();
        return false;
    }
    *start = (ssop_start){(int64_t)bits, true};
    return true;
}

/* Only start indices (`is_start`) may be huge, and only if NumPy held them as uint64 (ds_s4). */
static int
read_integer(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, bool is_start,
             ssop_start *start)
{
    bool may_be_huge = is_start && is_numpy_unsigned(object);
    PyObject *integer = PyLong_CheckExact(object) ? Py_NewRef(object) : index_of(object);
    if (integer == NULL) {
        return PyErr_Occurred() ? -1 : refuse_entry(call, name, entry, object);
    }
    int overflow, result = 0;
    long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (!overflow) {
        *start = (ssop_start){value, false};
    }
    else if (overflow > 0 && may_be_huge && read_huge(integer, start)) {
        result = 0;
    }
    else {
        ssop_error error = {.rule = SSOP_IN_C2,
                            .axis = -1,
                            .entry = (int32_t)entry,
                            .low = INT64_MIN,
                            .high = INT64_MAX,
                            .form = entry >= 0};
        result = raise_outside(call, &error, name, object, integer);
    }
    Py_DECREF(integer);
    return result;
}

int
args_read_entry(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, int64_t *value)
{
    ssop_start start = {0, false};
    if (read_integer(call, name, entry, object, false, &start) < 0) {
        return -1;
    }
    *value = start.value;
    return 0;
}

int
args_read_integer(const call_context *call, const char *name, PyObject *object, int64_t *value)
{
    return args_read_entry(call, name, -1, object, value);
}

int
args_read_optional(const call_context *call, const char *name, PyObject *object, int64_t absent, int64_t *value)
{
    *value = absent;
    return object != NULL ? args_read_integer(call, name, object, value) : 0;
}

int
args_read_start(const call_context *call, const char *name, PyObject *object, ssop_start *start)
{
    return read_integer(call, name, -1, object, true, start);
}

int
args_read_mask(const call_context *call, const char *name, PyObject *object, int32_t *mask)
{
    *mask = 0;
    if (object == NULL) {
        return 0;
    }
    ssop_error error = {.rule = SSOP_IN_C4, .axis = -1, .entry = -1, .low = INT32_MIN, .high = INT32_MAX};
    PyObject *integer = index_of(object);
    if (integer == NULL) {
        if (!PyErr_Occurred()) {
            errors_raise_type(call, &error, name, object, NULL);
        }
        return -1;
    }
    int overflow, result = 0;
    long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (overflow || value < INT32_MIN || value > INT32_MAX) {
        error.rule = SSOP_IN_C3;
        result = raise_outside(call, &error, name, object, integer);
    }
    Py_DECREF(integer);
    *mask = (int32_t)value;
    return result;
}

int
args_read_bounded(const call_context *call, const char *name, PyObject *object, ssop_rule type_rule,
                  const ssop_error *outside, int64_t *value)
{
    PyObject *integer = index_of(object);
    if (integer == NULL) {
        if (!PyErr_Occurred()) {
            ssop_error error = {.rule = type_rule, .axis = -1, .entry = -1};
            errors_raise_type(call, &error, name, object, NULL);
        }
        return -1;
    }
    int overflow, result = 0;
    *value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (overflow || *value < outside->low || *value > outside->high) {
        result = raise_outside(call, outside, name, object, integer);
    }
    Py_DECREF(integer);
    return result;
}

/* ---- bools and choices ---------------------------------------------------------------------------------------------------- */

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
    PyObject *shown = shown_part(object);
    if (shown != NULL) {
        errors_raise_texts(call, &error, object, (const char *const[]){name, PyBytes_AS_STRING(shown), wanted});
        Py_DECREF(shown);
    }
    return -1;
}

/* ---- vectors ------------------------------------------------------------------------------------------------------------- */

/* Where the entries of a vector go: bounds or start indices. */
typedef struct {
    int64_t *values;
    ssop_start *starts;
    Py_ssize_t capacity;
} vector_sink;

static int
put_entry(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, const vector_sink *sink)
{
    ssop_start start = {0, false};
    if (read_integer(call, name, entry, object, sink->starts != NULL, &start) < 0) {
        return -1;
    }
    if (sink->starts != NULL) {
        sink->starts[entry] = start;
    }
    else {
        sink->values[entry] = start.value;
    }
    return 0;
}

/* Small ints at the beginning of a list or tuple, which are nearly all that there is; returns how many. */
static Py_ssize_t
read_compact(PyObject *vector, int64_t *values, Py_ssize_t capacity)
{
    PyObject *const *items = PySequence_Fast_ITEMS(vector); /* no code runs here that could change them */
    Py_ssize_t length = PySequence_Fast_GET_SIZE(vector), i = 0;
    length = length < capacity ? length : capacity;
    while (i < length && PyLong_CheckExact(items[i]) && compat_compact_long(items[i], &values[i])) {
        i++;
    }
    return i;
}

/* A list or tuple. __index__ may change a list, so its size is looked at each time. */
static Py_ssize_t
read_fast(const call_context *call, const char *name, PyObject *vector, const vector_sink *sink)
{
    Py_ssize_t read = sink->values != NULL ? read_compact(vector, sink->values, sink->capacity) : 0;
    for (Py_ssize_t i = read; i < sink->capacity && i < PySequence_Fast_GET_SIZE(vector); i++) {
        PyObject *item = PySequence_Fast_GET_ITEM(vector, i);
        Py_INCREF(item);
        int result = put_entry(call, name, i, item, sink);
        Py_DECREF(item);
        if (result < 0) {
            return -1;
        }
    }
    return PySequence_Fast_GET_SIZE(vector);
}

static Py_ssize_t
refuse_axes(const call_context *call, const char *name, PyArrayObject *vector)
{
    ssop_error error = {.rule = SSOP_IN_C6, .axis = -1, .entry = -1};
    PyObject *shape = PyArray_IntTupleFromIntp(PyArray_NDIM(vector), PyArray_DIMS(vector));
    if (shape != NULL) {
        errors_raise_pair(call, &error, name, shape, NULL);
        Py_DECREF(shape);
    }
    return -1;
}

/* The elements come out as NumPy scalars: whatever byte order, width or type they have, one rule reads them all. An object
 * among them may run code that reshapes the array, so nothing of it is kept from one to the next. */
static Py_ssize_t
read_array(const call_context *call, const char *name, PyArrayObject *vector, const vector_sink *sink)
{
    for (Py_ssize_t i = 0; PyArray_NDIM(vector) == 1 && i < sink->capacity && i < PyArray_DIM(vector, 0); i++) {
        void *address = PyArray_GETPTR1(vector, i);
        bool user_type = PyTypeNum_ISUSERDEF(PyArray_TYPE(vector)); /* whose scalars may lack __index__ */
        PyObject *item = user_type ? PyArray_GETITEM(vector, address) : PyArray_ToScalar(address, vector);
        int result = item != NULL ? put_entry(call, name, i, item, sink) : -1;
        Py_XDECREF(item);
        if (result < 0) {
            return -1;
        }
    }
    return PyArray_NDIM(vector) == 1 ? PyArray_DIM(vector, 0) : refuse_axes(call, name, vector);
}

bool
args_is_vector(PyObject *object)
{
    return PySequence_Check(object) && !PyUnicode_Check(object) && !PyBytes_Check(object) && !PyByteArray_Check(object);
}

/* Anything with a length and items. At most `capacity` of them are asked for, however many it claims to have. */
static Py_ssize_t
read_sequence(const call_context *call, const char *name, PyObject *vector, const vector_sink *sink)
{
    Py_ssize_t length = args_is_vector(vector) ? PySequence_Size(vector) : -1;
    if (length < 0) {
        if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_TypeError)) {
            return -1;
        }
        PyErr_Clear();
        ssop_error error = {.rule = SSOP_IN_C5, .axis = -1, .entry = -1};
        errors_raise_type(call, &error, name, vector, "integers");
        return -1;
    }
    for (Py_ssize_t i = 0; i < sink->capacity && i < length; i++) {
        PyObject *item = PySequence_GetItem(vector, i);
        if (item == NULL) {
            return -1;
        }
        int result = put_entry(call, name, i, item, sink);
        Py_DECREF(item);
        if (result < 0) {
            return -1;
        }
    }
    return length;
}

static Py_ssize_t
read_vector(const call_context *call, const char *name, PyObject *vector, const vector_sink *sink)
{
    if (PyList_CheckExact(vector) || PyTuple_CheckExact(vector)) {
        return read_fast(call, name, vector, sink);
    }
    if (PyArray_Check(vector)) {
        return read_array(call, name, (PyArrayObject *)vector, sink);
    }
    return read_sequence(call, name, vector, sink);
}

Py_ssize_t
args_read_vector(const call_context *call, const char *name, PyObject *vector, int64_t *values, Py_ssize_t capacity)
{
    vector_sink sink = {.values = values, .capacity = capacity};
    return read_vector(call, name, vector, &sink);
}

Py_ssize_t
args_read_starts(const call_context *call, const char *name, PyObject *vector, ssop_start *starts, Py_ssize_t capacity)
{
    vector_sink sink = {.starts = starts, .capacity = capacity};
    return read_vector(call, name, vector, &sink);
}

int32_t
args_read_shape(const call_context *call, const char *name, PyObject *object, int64_t dims[SSOP_MAX_RANK])
{
    Py_ssize_t rank = args_read_vector(call, name, object, dims, SSOP_MAX_RANK);
    if (rank > SSOP_MAX_RANK) {
        ssop_error error = {.rule = SSOP_IN_C9, .axis = -1, .entry = -1, .value = rank, .high = SSOP_MAX_RANK};
        errors_raise(call, &error, NULL);
        return -1;
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        if (dims[axis] < 0) {
            ssop_error error = {.rule = SSOP_IN_C10, .axis = axis, .entry = -1, .value = dims[axis], .high = INT64_MAX};
            errors_raise(call, &error, NULL);
            return -1;
        }
    }
    return (int32_t)rank;
}

PyObject *
args_tuple(int32_t count, const int64_t *values)
{
    PyObject *tuple = PyTuple_New(count);
    for (int32_t i = 0; tuple != NULL && i < count; i++) {
        PyObject *value = PyLong_FromLongLong(values[i]);
        if (value == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, i, value);
    }
    return tuple;
}
