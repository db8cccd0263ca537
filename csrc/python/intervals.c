/* Numbers that are known in part, out of Python objects. */
#include "intervals.h"

#include "args.h"
#include "errors.h"
#include "shared.h"
#include "types/dim_object.h"

void
intervals_write_name(const char *name, Py_ssize_t entry, char text[INTERVALS_NAME_BYTES])
{
    if (entry < 0) {
        snprintf(text, INTERVALS_NAME_BYTES, "%s", name);
    }
    else {
        snprintf(text, INTERVALS_NAME_BYTES, "%s entry %lld", name, (long long)entry);
    }
}

static int
raise_no_interval(const call_context *call, const char *name, ssop_error error)
{
    char text[INTERVALS_NAME_BYTES];
    intervals_write_name(name, error.entry, text);
    error.rule = SSOP_IN_C11;
    error.axis = -1;
    errors_raise_texts(call, &error, NULL, (const char *const[]){text});
    return -1;
}

/* One end of a pair; `open` is what None means. */
static int
read_end(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, int64_t open, int64_t *end)
{
    *end = open;
    return object != Py_None ? args_read_entry(call, name, entry, object, end) : 0;
}

int
intervals_read(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, ssop_interval unknown,
               ssop_interval *interval)
{
    ssop_interval found = unknown;
    if (object == Py_None) {
        *interval = found;
        return 0;
    }
    if (Py_IS_TYPE(object, call->state->dim_type)) {
        const ssop_dim dim = dim_of(object);
        found = (ssop_interval){dim.value.lo, dim.value.hi < SSOP_NO_UPPER_END ? dim.value.hi : unknown.hi};
    }
    else if (!PyTuple_Check(object)) {
        if (args_read_entry(call, name, entry, object, &found.lo) < 0) {
            return -1;
        }
        found.hi = found.lo;
    }
    else if (PyTuple_GET_SIZE(object) != 2) {
        return raise_no_interval(call, name, (ssop_error){.entry = (int32_t)entry, .value = PyTuple_GET_SIZE(object)});
    }
    else if (read_end(call, name, entry, PyTuple_GET_ITEM(object, 0), unknown.lo, &found.lo) < 0 ||
             read_end(call, name, entry, PyTuple_GET_ITEM(object, 1), unknown.hi, &found.hi) < 0) {
        return -1;
    }
    if (found.lo > found.hi || found.lo < unknown.lo) {
        return raise_no_interval(
            call, name,
            (ssop_error){.entry = (int32_t)entry, .value = found.lo, .low = unknown.lo, .high = found.hi, .form = 1});
    }
    *interval = found;
    return 0;
}

static int
put_interval(const call_context *call, const char *name, Py_ssize_t entry, PyObject *item, const args_sink *sink)
{
    return intervals_read(call, name, entry, item, intervals_any_number, (ssop_interval *)sink->into + entry);
}

Py_ssize_t
intervals_read_vector(const call_context *call, const char *name, PyObject *vector, ssop_interval *into,
                      Py_ssize_t capacity)
{
    const args_sink sink = {put_interval, into, capacity};
    Py_ssize_t read = 0;
    if (args_is_fast(vector)) { /* small ints and None at its beginning, which are nearly all that there is */
        shared_lock lock;
        shared_lock_take(&lock, vector);
        PyObject *const *items = PySequence_Fast_ITEMS(vector); /* no code runs here that could change them */
        Py_ssize_t length = PySequence_Fast_GET_SIZE(vector);
        length = length < capacity ? length : capacity;
        for (; read < length; read++) {
            if (items[read] == Py_None) {
                into[read] = intervals_any_number;
                continue;
            }
            if (!PyLong_CheckExact(items[read]) || !compat_compact_long(items[read], &into[read].lo)) {
                break;
            }
            into[read].hi = into[read].lo;
        }
        shared_lock_release(&lock);
    }
    return args_read_items(call, name, vector, read, &sink);
}

int
intervals_read_list(const call_context *call, const char *name, PyObject *object, interval_list *into)
{
    into->list = into->value;
    into->count = intervals_read_vector(call, name, object, into->value, SSOP_MAX_ENTRIES);
    return into->count < 0 ? -1 : 0;
}

int
intervals_read_optional_list(const call_context *call, const char *name, PyObject *object, interval_list *into)
{
    into->list = NULL;
    into->count = 0;
    return is_given(object) ? intervals_read_list(call, name, object, into) : 0;
}
