/* What kind of thing a dtype holds, and of what kind an item of a list is. */
#ifndef SSOP_PYTHON_VALUE_KINDS_H
#define SSOP_PYTHON_VALUE_KINDS_H

#include "compat.h"

/* Each kind of number contains those before it. */
typedef enum {
    KIND_BOOL,
    KIND_INTEGER,
    KIND_FLOAT,
    KIND_COMPLEX,
    KIND_STRING,
    KIND_BYTES,
    KIND_DATE,
    KIND_DURATION,
    KIND_RECORD,
    KIND_LIST, /* a list among items: the lists around it are ragged */
    KIND_ANY,  /* of a dtype: whatever NumPy converts to it; of an item: nothing of the above */
} value_kind;

/* The kind of what a dtype holds. Dtypes that other libraries register are what they cast to safely. Runs no Python
 * code. */
value_kind kind_of_dtype(PyArray_Descr *dtype);

/* For the module's import, before any other of these functions: finds the types of dates. -1 on error. */
int value_kinds_init(void);

/* The kind of an item; -1 with an exception if that cannot be told. */
int kind_of_item(PyObject *item);

/* A number as an exact int, float, complex or bool, so that converting it runs no code of a subclass. Extended
 * precision stays as it is. New reference; may run Python code. */
PyObject *exact_number(PyObject *item, value_kind kind);

#endif /* SSOP_PYTHON_VALUE_KINDS_H */
