/* Arrays of other libraries: recognised here, and left to Python. */
#ifndef SSOP_PYTHON_FOREIGN_H
#define SSOP_PYTHON_FOREIGN_H

#include "state.h"

/* True for numpy.ma.MaskedArray: its mask would not follow the data. */
bool foreign_is_masked(PyObject *object);

/* True for what the binding handles itself: arrays (not masked ones), lists, tuples and scalars. */
bool foreign_is_ours(PyObject *object);

/* Calls the Python function for other libraries' arrays that has the name of `call`, with the very same arguments. */
PyObject *foreign_call(const call_context *call, PyObject *const *args, Py_ssize_t positional, PyObject *kwnames);

#endif /* SSOP_PYTHON_FOREIGN_H */
