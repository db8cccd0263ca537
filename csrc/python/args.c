/* Integers and vectors of integers out of Python objects. */
#include "args.h"

#include "errors.h"
#include "rank_words.h"
#include "shared.h"

#define INDEX_HINT " (a NumPy index is an argument of ssop.index(x, index) or of StridedSliceSpec.from_index(index))"

/* ---- integers ---------------------------------------------------------------------------------------------------- */

/* The object as a Python int; NULL without an exception if it is not an integer (in_c1), NULL with one if its
 * __index__ raised. Runs Python code, which may come back here: the interpreter's recursion limit applies to that
 * too. */
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
    /* Arrays have __index__ but may not mean it; that of TensorFlow's tensors of floats raises AttributeError. */
    if (integer == NULL && (PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_AttributeError))) {
        PyErr_Clear();
    }
    return integer;
}

static bool
is_part_of_index(PyObject *object)
{
    return PySlice_Check(object) || object == Py_Ellipsis;
}

/* What `name` or an entry of it should be. Begin is where people who think in NumPy indices put one; None is a part of
 * an index only inside a sequence. */
static const char *
wanted_in(const char *name, PyObject *object, bool is_entry)
{
    bool index = is_part_of_index(object) || (is_entry && object == Py_None);
    if (strcmp(name, "begin") != 0 || !index) {
        return is_entry ? "an integer" : "integers";
    }
    return is_entry ? "an integer" INDEX_HINT : "integers" INDEX_HINT;
}

/* The object as a Python int, as index_of gives it, but raises `rule` for an object that is not an integer; `entry` is
 * -1 for an argument of its own. */
static PyObject *
required_index(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, ssop_rule rule)
{
    PyObject *integer = PyLong_CheckExact(object) ? Py_NewRef(object) : index_of(object);
    if (integer == NULL && !PyErr_Occurred()) {
        const ssop_error error = {.rule = rule, .axis = -1, .entry = (int32_t)entry, .form = entry >= 0};
        errors_raise_type(call, &error, name, object, wanted_in(name, object, true));
    }
    return integer;
}

/* Raises for `object`, whose Python int lies outside what `error` allows. Python does not print integers of some
 * thousand digits. Always -1. */
static int
raise_outside(const call_context *call, const ssop_error *error, const char *name, PyObject *object, PyObject *integer)
{
    PyObject *text = PyObject_Repr(integer);
    if (text == NULL) {
        PyErr_Clear();
        text = PyUnicode_FromString("a number of thousands of digits");
    }
    PyObject *shown = text != NULL ? errors_shown_part(text) : NULL;
    if (shown != NULL) {
        errors_raise_texts(call, error, object, (const char *const[]){name, PyBytes_AS_STRING(shown)});
    }
    Py_XDECREF(shown);
    Py_XDECREF(text);
    return -1;
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

/* NumPy's int32, under either of its names in C. */
static bool
is_numpy_int32(PyObject *object)
{
    return PyArray_IsScalar(object, Int) || (sizeof(long) == sizeof(int32_t) && PyArray_IsScalar(object, Long));
}

static void
note_extreme(int32_extremes *extremes, const char *name, Py_ssize_t entry, PyObject *object, int64_t value)
{
    if ((value != INT32_MAX && value != INT32_MIN) || entry < 0 || !is_numpy_int32(object)) {
        return;
    }
    for (int i = 0; i < 2; i++) {
        extremes->at[i][entry] |= strcmp(name, extremes->name[i]) == 0;
    }
}

static int64_t
without_extreme(int64_t value)
{
    return value == INT32_MAX ? INT64_MAX : value == INT32_MIN ? INT64_MIN : value;
}

void
args_open_extremes(const int32_extremes *extremes, int which, int64_t count, const uint8_t *shrunk,
                   ssop_interval *interval, int64_t *value)
{
    count = count < SSOP_MAX_ENTRIES ? count : SSOP_MAX_ENTRIES;
    for (int64_t i = 0; i < count; i++) {
        if (!extremes->at[which][i] || (shrunk != NULL && (shrunk[i] & SSOP_SHRINK))) {
            continue;
        }
        if (interval != NULL) {
            interval[i] = (ssop_interval){without_extreme(interval[i].lo), without_extreme(interval[i].hi)};
        }
        else {
            value[i] = without_extreme(value[i]);
        }
    }
}

/* Only start indices (`is_start`) may be huge, and only if NumPy held them as uint64 (ds_s4). */
static int
read_integer(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, bool is_start,
             ssop_start *start)
{
    if (is_start && call->unknown_starts && object == Py_None) {
        *start = (ssop_start){0, false};
        return 0;
    }
    bool may_be_huge = is_start && is_numpy_unsigned(object);
    PyObject *integer = required_index(call, name, entry, object, SSOP_IN_C1);
    if (integer == NULL) {
        return -1;
    }
    int overflow, result = 0;
    long long value = PyLong_AsLongLongAndOverflow(integer, &overflow);
    if (!overflow) {
        *start = (ssop_start){value, false};
        if (call->extremes != NULL) {
            note_extreme(call->extremes, name, entry, object, value);
        }
    }
    else if (overflow < 0 || !may_be_huge || !read_huge(integer, start)) {
        const ssop_error error = {.rule = SSOP_IN_C2,
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
args_read_bounded(const call_context *call, const char *name, PyObject *object, ssop_rule type_rule,
                  const ssop_error *outside, int64_t *value)
{
    PyObject *integer = required_index(call, name, -1, object, type_rule);
    if (integer == NULL) {
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

int
args_read_mask(const call_context *call, const char *name, PyObject *object, int32_t *mask)
{
    static const ssop_error outside = {
        .rule = SSOP_IN_C3, .axis = -1, .entry = -1, .low = INT32_MIN, .high = INT32_MAX};
    int64_t value = 0;
    int result = object != NULL ? args_read_bounded(call, name, object, SSOP_IN_C4, &outside, &value) : 0;
    *mask = (int32_t)value;
    return result;
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

static int
put_integer(const call_context *call, const char *name, Py_ssize_t entry, PyObject *item, const args_sink *sink)
{
    return args_read_entry(call, name, entry, item, (int64_t *)sink->into + entry);
}

static int
put_start(const call_context *call, const char *name, Py_ssize_t entry, PyObject *item, const args_sink *sink)
{
    return read_integer(call, name, entry, item, true, (ssop_start *)sink->into + entry);
}

/* Small ints at the beginning of a list or tuple, which are nearly all that there is; returns how many. No more
 * than MOST are read, because no signals are handled here. */
static Py_ssize_t
read_compact(PyObject *vector, int64_t *values, Py_ssize_t capacity)
{
    enum { MOST = 1 << 12 };
    shared_short_lock lock;
    shared_short_lock_take(&lock, vector);
    PyObject *const *items = PySequence_Fast_ITEMS(vector); /* no code runs here that could change them */
    Py_ssize_t length = PySequence_Fast_GET_SIZE(vector), i = 0;
    capacity = capacity < MOST ? capacity : MOST;
    length = length < capacity ? length : capacity;
    while (i < length && PyLong_CheckExact(items[i]) && compat_compact_long(items[i], &values[i])) {
        i++;
    }
    shared_short_lock_release(&lock);
    return i;
}

/* A list or tuple. __index__ may change a list, so its size is looked at each time. Items that come after its end was
 * seen, from another thread, do not count. */
static Py_ssize_t
read_fast(const call_context *call, const char *name, PyObject *vector, Py_ssize_t first, const args_sink *sink)
{
    Py_ssize_t i = first;
    for (PyObject *item; i < sink->capacity && (item = shared_item(vector, i)) != NULL; i++) {
        int result = sink->put(call, name, i, item, sink);
        Py_DECREF(item);
        if (result < 0 || args_is_interrupted(i)) {
            return -1;
        }
    }
    const Py_ssize_t length = PySequence_Fast_GET_SIZE(vector);
    return i < sink->capacity && i < length ? i : length;
}

static Py_ssize_t
raise_axes(const call_context *call, const char *name, PyArrayObject *vector)
{
    ssop_error error = {.rule = SSOP_IN_C6, .axis = -1, .entry = -1};
    int64_t dims[SSOP_MAX_RANK]; /* a copy: making the tuple may run a finalizer that reshapes the array */
    int32_t rank = PyArray_NDIM(vector);
    for (int32_t axis = 0; axis < rank; axis++) {
        dims[axis] = PyArray_DIM(vector, axis);
    }
    PyObject *shape = args_tuple(rank, dims), *words = shape != NULL ? rank_words(call->op, name, rank) : NULL;
    if (words != NULL) {
        error.form = words != Py_None;
        errors_raise_pair(call, &error, name, shape, words);
    }
    Py_XDECREF(words);
    Py_XDECREF(shape);
    return -1;
}

/* The elements come out as NumPy scalars: whatever byte order, width or type they have, one rule reads them all. An
 * object among them may run code that reshapes the array, so nothing of it is kept from one to the next. */
static Py_ssize_t
read_array(const call_context *call, const char *name, PyArrayObject *vector, const args_sink *sink)
{
    for (Py_ssize_t i = 0; PyArray_NDIM(vector) == 1 && i < sink->capacity && i < PyArray_DIM(vector, 0); i++) {
        void *address = PyArray_GETPTR1(vector, i);
        bool user_type = PyTypeNum_ISUSERDEF(PyArray_TYPE(vector)); /* whose scalars may lack __index__ */
        PyObject *item = user_type ? PyArray_GETITEM(vector, address) : PyArray_ToScalar(address, vector);
        int result = item != NULL ? sink->put(call, name, i, item, sink) : -1;
        Py_XDECREF(item);
        if (result < 0 || args_is_interrupted(i)) {
            return -1;
        }
    }
    return PyArray_NDIM(vector) == 1 ? PyArray_DIM(vector, 0) : raise_axes(call, name, vector);
}

bool
args_is_vector(PyObject *object)
{
    bool text = PyUnicode_Check(object) || PyBytes_Check(object) || PyByteArray_Check(object);
    bool scalar = PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object) == 0;
    return PySequence_Check(object) && !text && !scalar;
}

Py_ssize_t
args_length(PyObject *object)
{
    Py_ssize_t length = args_is_vector(object) ? PySequence_Size(object) : -1;
    if (length < 0 && PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear(); /* it has items, but no length */
    }
    return length;
}

/* Anything with a length and items. At most `capacity` of them are asked for, however many it claims to have. */
static Py_ssize_t
read_sequence(const call_context *call, const char *name, PyObject *vector, const args_sink *sink)
{
    Py_ssize_t length = args_length(vector);
    if (length < 0) {
        if (PyErr_Occurred()) {
            return -1;
        }
        const ssop_error error = {.rule = SSOP_IN_C5, .axis = -1, .entry = -1};
        errors_raise_type(call, &error, name, vector, wanted_in(name, vector, false));
        return -1;
    }
    for (Py_ssize_t i = 0; i < sink->capacity && i < length; i++) {
        PyObject *item = PySequence_GetItem(vector, i);
        if (item == NULL) {
            return -1;
        }
        int result = sink->put(call, name, i, item, sink);
        Py_DECREF(item);
        if (result < 0 || args_is_interrupted(i)) {
            return -1;
        }
    }
    return length;
}

/* Torch's tensors are not sequences, and the items of others are arrays. */
PyArrayObject *
args_array_of_tensor(PyObject *vector)
{
    if (PyArray_IsScalar(vector, Generic) || !PyObject_HasAttrString((PyObject *)Py_TYPE(vector), "__array__")) {
        return NULL;
    }
    PyObject *array = PyArray_FROM_O(vector);
    if (array == NULL && PyErr_ExceptionMatches(PyExc_TypeError)) { /* CuPy's arrays are not converted implicitly */
        PyErr_Clear();
    }
    return (PyArrayObject *)array;
}

Py_ssize_t
args_read_items(const call_context *call, const char *name, PyObject *vector, Py_ssize_t first, const args_sink *sink)
{
    if (args_is_fast(vector)) {
        return read_fast(call, name, vector, first, sink);
    }
    if (PyArray_Check(vector)) {
        return read_array(call, name, (PyArrayObject *)vector, sink);
    }
    PyArrayObject *array = args_array_of_tensor(vector);
    if (array != NULL) {
        Py_ssize_t length = read_array(call, name, array, sink);
        Py_DECREF(array);
        return length;
    }
    if (PyErr_Occurred()) {
        return -1;
    }
    return read_sequence(call, name, vector, sink);
}

/* As read_compact, for any vector; `count`: how many were read. True if there is nothing else to read. */
static bool
read_compact_vector(PyObject *vector, int64_t *values, Py_ssize_t capacity, Py_ssize_t *count)
{
    const bool fast = args_is_fast(vector);
    *count = fast ? read_compact(vector, values, capacity) : 0;
    return fast && *count == PySequence_Fast_GET_SIZE(vector);
}

Py_ssize_t
args_read_vector(const call_context *call, const char *name, PyObject *vector, int64_t *values, Py_ssize_t capacity)
{
    const args_sink sink = {put_integer, values, capacity};
    Py_ssize_t first;
    return read_compact_vector(vector, values, capacity, &first) ? first
                                                                 : args_read_items(call, name, vector, first, &sink);
}

Py_ssize_t
args_read_triple(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, int64_t triple[3])
{
    const args_sink sink = {put_integer, triple, 3};
    char text[48]; /* made only here, because it takes longer than reading three ints */
    Py_ssize_t first;
    if (read_compact_vector(object, triple, 3, &first)) {
        return first;
    }
    snprintf(text, sizeof text, "%s[%lld]", name, (long long)entry);
    return args_read_items(call, text, object, first, &sink);
}

int
args_reject_index(const call_context *call, PyObject *begin)
{
    bool index = is_part_of_index(begin);
    if (PyTuple_CheckExact(begin) || PyList_CheckExact(begin)) {
        PyObject *item;
        for (Py_ssize_t i = 0; !index && (item = shared_borrow(begin, i)) != NULL; i++) {
            index = is_part_of_index(item) || item == Py_None;
            shared_return(item);
        }
    }
    int64_t values[SSOP_MAX_ENTRIES];
    return index && args_read_vector(call, "begin", begin, values, SSOP_MAX_ENTRIES) < 0 ? -1 : 0;
}

int
args_read_list(const call_context *call, const char *name, PyObject *object, Py_ssize_t capacity, args_list *into)
{
    into->list = into->value;
    into->count = args_read_vector(call, name, object, into->value, capacity);
    return into->count < 0 ? -1 : 0;
}

int
args_read_optional_list(const call_context *call, const char *name, PyObject *object, Py_ssize_t capacity,
                        args_list *into)
{
    into->list = NULL;
    into->count = 0;
    return is_given(object) ? args_read_list(call, name, object, capacity, into) : 0;
}

Py_ssize_t
args_read_starts(const call_context *call, const char *name, PyObject *vector, ssop_start *starts, Py_ssize_t capacity)
{
    const args_sink sink = {put_start, starts, capacity};
    int64_t values[SSOP_MAX_RANK];
    Py_ssize_t first =
        args_is_fast(vector) ? read_compact(vector, values, capacity < SSOP_MAX_RANK ? capacity : SSOP_MAX_RANK) : 0;
    for (Py_ssize_t i = 0; i < first; i++) {
        starts[i] = (ssop_start){.value = values[i]};
    }
    return args_read_items(call, name, vector, first, &sink);
}

int32_t
args_read_shape(const call_context *call, const char *name, PyObject *object, int64_t dims[SSOP_MAX_RANK])
{
    Py_ssize_t rank = args_read_vector(call, name, object, dims, SSOP_MAX_RANK);
    if (rank > SSOP_MAX_RANK) {
        const ssop_error error = {.rule = SSOP_IN_C9, .axis = -1, .entry = -1, .value = rank, .high = SSOP_MAX_RANK};
        errors_raise(call, &error, NULL);
        return -1;
    }
    for (int32_t axis = 0; axis < rank; axis++) {
        if (dims[axis] < 0) {
            const ssop_error error = {
                .rule = SSOP_IN_C10, .axis = axis, .entry = -1, .value = dims[axis], .high = INT64_MAX};
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

PyObject *
args_pack_three(PyObject *const parts[3])
{
    bool made = parts[0] != NULL && parts[1] != NULL && parts[2] != NULL;
    PyObject *tuple = made ? PyTuple_Pack(3, parts[0], parts[1], parts[2]) : NULL;
    for (int i = 0; i < 3; i++) {
        Py_XDECREF(parts[i]);
    }
    return tuple;
}
