/* Integers and vectors of integers out of Python objects. */
#ifndef SSOP_PYTHON_ARGS_H
#define SSOP_PYTHON_ARGS_H

#include "state.h"

/* True for sequences that can be vectors: not for text, bytes and arrays of shape (). */
bool args_is_vector(PyObject *object);

/* How many items a sequence of that kind says it has. -1 else, without an exception if it has no length. */
Py_ssize_t args_length(PyObject *object);

/* What takes the items of a vector: `put` stores item `entry` in `into`. It may run Python code; -1 on error. */
typedef struct args_sink {
    int (*put)(const call_context *call, const char *name, Py_ssize_t entry, PyObject *item,
               const struct args_sink *sink);
    void *into;
    Py_ssize_t capacity; /* of items that are put; the rest is only counted */
} args_sink;

/* True for exact lists and tuples, whose items can be looked at without running code. */
static inline bool
args_is_fast(PyObject *vector)
{
    return PyList_CheckExact(vector) || PyTuple_CheckExact(vector);
}

/* Polls for signals at every 4096th entry of something long; true if a handler raised. */
static inline bool
args_is_interrupted(int64_t entry)
{
    enum { POLL = 1 << 12 };
    return entry % POLL == POLL - 1 && PyErr_CheckSignals() < 0;
}

/* Puts the items of a vector (in_c5, in_c6). Returns its length, which may be larger than the capacity, or -1 on error.
 * Runs user code. For an exact list or tuple, `first` items are left out, because the caller has read them. */
Py_ssize_t
args_read_items(const call_context *call, const char *name, PyObject *vector, Py_ssize_t first, const args_sink *sink);

/* Reads a vector of integers (in_c1, in_c2, in_c5, in_c6). Stores at most `capacity` and returns the length, which may
 * be larger, or -1 on error. Runs user code. */
Py_ssize_t
args_read_vector(const call_context *call, const char *name, PyObject *vector, int64_t *values, Py_ssize_t capacity);

/* Reads three integers that are entry `entry` of the argument `name`; returns as args_read_vector does. */
Py_ssize_t
args_read_triple(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, int64_t triple[3]);

/* A vector that is an argument of its own. */
typedef struct {
    int64_t count;       /* may be larger than what is stored */
    const int64_t *list; /* of the values; NULL if an optional one was not given */
    int64_t value[SSOP_MAX_ENTRIES];
} args_list;

/* Reads it, or leaves an optional one that was not given empty. -1 on error. */
int args_read_list(const call_context *call, const char *name, PyObject *object, Py_ssize_t capacity, args_list *into);
int args_read_optional_list(const call_context *call, const char *name, PyObject *object, Py_ssize_t capacity,
                            args_list *into);

/* The NumPy array that a tensor of another library converts to (new reference), else NULL: without an exception if it
 * does not. */
PyArrayObject *args_array_of_tensor(PyObject *vector);

/* Reads a vector of start indices as args_read_vector does. A NumPy uint64 of 2^63 and more is stored as its bits, with
 * the flag of ssop_start for huge numbers (ds_s4). */
Py_ssize_t
args_read_starts(const call_context *call, const char *name, PyObject *vector, ssop_start *starts, Py_ssize_t capacity);

/* Raises for a `begin` that is a NumPy index or holds a part of one: a slice, None or the ellipsis. Other objects
 * pass. */
int args_reject_index(const call_context *call, PyObject *begin);

/* Makes of the noted extremes of vector `which` those of int64 (ov_s5): of `interval`, or of `value` if that is NULL.
 * `shrunk` has the flags of the entries: shrunk ones stay; NULL for none. */
void args_open_extremes(const int32_extremes *extremes, int which, int64_t count, const uint8_t *shrunk,
                        ssop_interval *interval, int64_t *value);

/* One integer, as an entry of the vector `name`. */
int args_read_entry(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, int64_t *value);

/* One integer or start index that is an argument of its own; `absent` is what an absent one means. */
int args_read_integer(const call_context *call, const char *name, PyObject *object, int64_t *value);
int args_read_optional(const call_context *call, const char *name, PyObject *object, int64_t absent, int64_t *value);
int args_read_start(const call_context *call, const char *name, PyObject *object, ssop_start *start);

/* A mask (in_c3, in_c4): an int32, negative ones too (ss_s9); an absent one is 0. */
int args_read_mask(const call_context *call, const char *name, PyObject *object, int32_t *mask);

/* An integer from outside.low to outside.high: `outside` is raised for others, `type_rule` for objects that are not
 * integers. */
int args_read_bounded(const call_context *call, const char *name, PyObject *object, ssop_rule type_rule,
                      const ssop_error *outside, int64_t *value);

/* A shape: at most SSOP_MAX_RANK dims, none negative (in_c9, in_c10). Returns the rank, or -1 on error. */
int32_t args_read_shape(const call_context *call, const char *name, PyObject *object, int64_t dims[SSOP_MAX_RANK]);

/* The other way: a tuple of Python ints. */
PyObject *args_tuple(int32_t count, const int64_t *values);

/* A tuple of three objects, which are stolen; NULL if one of them is. */
PyObject *args_pack_three(PyObject *const parts[3]);

#endif /* SSOP_PYTHON_ARGS_H */
