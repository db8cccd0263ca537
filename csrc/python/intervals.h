/* Numbers that are known in part, out of Python objects: an integer, a pair (least, greatest), or None. */
#ifndef SSOP_PYTHON_INTERVALS_H
#define SSOP_PYTHON_INTERVALS_H

#include "state.h"

/* What bounds and strides can be if nothing is known of them. */
static const ssop_interval intervals_any_number = {INT64_MIN, INT64_MAX};

enum { INTERVALS_NAME_BYTES = 64 };

/* Writes what messages call an item of the vector `name`: "begin entry 2"; or `name` itself if `entry` is -1. */
void intervals_write_name(const char *name, Py_ssize_t entry, char text[INTERVALS_NAME_BYTES]);

/* Reads one (in_c1, in_c2, in_c11); None, for all of it or in a pair, means as in `unknown`. Runs user code. */
int intervals_read(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object,
                   ssop_interval unknown, ssop_interval *interval);

/* A vector of bounds or strides. Stores at most `capacity` and returns the length, which may be larger, or -1 on error.
 * Runs user code. */
Py_ssize_t intervals_read_vector(const call_context *call, const char *name, PyObject *vector, ssop_interval *into,
                                 Py_ssize_t capacity);

/* A vector that is an argument of its own. */
typedef struct {
    int64_t count;             /* may be larger than what is stored */
    const ssop_interval *list; /* of the values; NULL if an optional one was not given */
    ssop_interval value[SSOP_MAX_ENTRIES];
} interval_list;

/* Reads it, or leaves an optional one that was not given empty. -1 on error. */
int intervals_read_list(const call_context *call, const char *name, PyObject *object, interval_list *into);
int intervals_read_optional_list(const call_context *call, const char *name, PyObject *object, interval_list *into);

#endif /* SSOP_PYTHON_INTERVALS_H */
