/* Lists that hold the same lists again and again. */
#ifndef SSOP_PYTHON_NESTED_LISTS_H
#define SSOP_PYTHON_NESTED_LISTS_H

#include "state.h"

/* Raises MemoryError for lists that have far more items than they store, such as 50 times [l, l]: NumPy would visit
 * each item, without a look at signals. 0 for anything else. Runs no Python code. */
int nested_lists_check(PyObject *object);

/* The object as numpy.asarray makes it (in_s1), but arrays, also of subclasses, as they are. New reference; NULL on
 * error. May run Python code. */
PyObject *nested_lists_to_array(PyObject *object);

#endif /* SSOP_PYTHON_NESTED_LISTS_H */
