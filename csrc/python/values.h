/* Values: lists and scalars that are given where an array of a certain dtype is needed. */
#ifndef SSOP_PYTHON_VALUES_H
#define SSOP_PYTHON_VALUES_H

#include "state.h"

/* True for what has a dtype, but takes that of the array that it is written to (val_s2): a scalar of NumPy's, or an
 * array without axes. */
static inline bool
values_is_scalar(PyObject *object)
{
    return PyArray_IsScalar(object, Generic) || (PyArray_Check(object) && PyArray_NDIM((PyArrayObject *)object) == 0);
}

/* `object`, given as the argument `name`, as an array of `dtype`: if nothing is lost; raises val_c1..val_c4 else. The
 * object is read into an array of its items, which are checked and converted. A list that the short way for numbers has
 * read and cannot convert is read a second time for that. New reference; may run Python code. */
PyArrayObject *values_convert(const call_context *call, const char *name, PyObject *object, PyArray_Descr *dtype);

#endif /* SSOP_PYTHON_VALUES_H */
