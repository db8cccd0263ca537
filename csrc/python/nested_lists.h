/* Lists and other sequences that become arrays: read no further than they can mean. */
#ifndef SSOP_PYTHON_NESTED_LISTS_H
#define SSOP_PYTHON_NESTED_LISTS_H

#include "state.h"

/* What NumPy shall read in the place of `object`: the object itself, or lists in the place of sequences that make their
 * items when they are asked for them. Lists are copied, too, if NumPy runs code of one of their items: it would read
 * what is no longer there if that code changed the list. Raises MemoryError for lists that have far more items than
 * they store, such as 50 times [l, l], because NumPy would visit each item without handling signals. It is also raised
 * for sequences that claim or have too many items. New reference; NULL on error. May run Python code, but not for
 * scalars, arrays, and lists and tuples of numbers and text. */
PyObject *nested_lists_bounded(PyObject *object);

/* An array of objects, or of records that consist of objects, as PyArray_FromAny makes it (which steals `shown`). The
 * lists among its items are the caller's own, but NumPy reads copies. It shows `shown` to __array__. RuntimeError if
 * records then have another layout than `own`. May run Python code. */
PyArrayObject *nested_lists_make_items(PyObject *object, PyArray_Descr *shown, PyArray_Descr *own, int flags);

/* The dtype that NumPy makes of the object, also of lists of fields, some of which may run code. -1 on error. */
int nested_lists_to_dtype(PyObject *object, PyArray_Descr **dtype);

/* As nested_lists_to_array, of anything but an array. */
PyObject *nested_lists_make_array(PyObject *object);

/* The object as numpy.asarray makes it (in_s1), but arrays, also of subclasses, as they are. New reference; NULL on
 * error. May run Python code. */
static inline PyObject *
nested_lists_to_array(PyObject *object)
{
    return PyArray_Check(object) ? Py_NewRef(object) : nested_lists_make_array(object);
}

#endif /* SSOP_PYTHON_NESTED_LISTS_H */
