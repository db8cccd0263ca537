/* Arrays of other libraries: recognised here, and left to Python. */
#ifndef SSOP_PYTHON_FOREIGN_H
#define SSOP_PYTHON_FOREIGN_H

#include "state.h"

/* True for numpy.ma.MaskedArray: its mask would not follow the data. */
bool foreign_is_masked(PyObject *object);

/* True for arrays whose class leaves NumPy's functions and assignments as they are. Others have a meaning that would be
 * lost: units, labels, masks (in_s2). Runs no Python code. */
bool foreign_is_plain(PyObject *array);

/* As foreign_is_ours, of anything but an ndarray of no subclass. */
bool foreign_is_ours_too(PyObject *object);

/* True for what the binding handles itself: plain arrays, deferred ones, lists, tuples and scalars. */
static inline bool
foreign_is_ours(PyObject *object)
{
    return PyArray_CheckExact(object) || foreign_is_ours_too(object);
}

/* True for an `out` that may be another library's array; false for NULL. Runs no Python code. */
static inline bool
foreign_is_destination(PyObject *out)
{
    return out != NULL && !PyArray_Check(out) && out != Py_None && !foreign_is_ours_too(out);
}

/* Raises if the items of `object`, the argument `name`, mean more than numbers (in_c7); 0 if they do not. */
int foreign_reject(const call_context *call, const char *name, PyObject *object);

/* Calls the Python function for other libraries' arrays that has the name of `call`, with the very same arguments. */
PyObject *foreign_call(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames);

#endif /* SSOP_PYTHON_FOREIGN_H */
