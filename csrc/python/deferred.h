/* Deferred arrays: those of which the memory is asked for only after a call's other arguments have been read. */
#ifndef SSOP_PYTHON_DEFERRED_H
#define SSOP_PYTHON_DEFERRED_H

#include "compat.h"

extern PyType_Spec ssop_deferred_spec;

/* Only compared: it tells the type from all others, in every interpreter. */
void deferred_dealloc(PyObject *self);

static inline bool
deferred_is(PyObject *object)
{
    return object != NULL && Py_TYPE(object)->tp_dealloc == deferred_dealloc;
}

/* What a deferred array stands for; another object itself. New reference, NULL on error. Runs the code of the library
 * that has the memory. */
PyObject *deferred_array(PyObject *object);

#endif /* SSOP_PYTHON_DEFERRED_H */
