/* What a Dim object has: for those that read one. */
#ifndef SSOP_PYTHON_DIM_OBJECT_H
#define SSOP_PYTHON_DIM_OBJECT_H

#include "../state.h"

typedef struct {
    PyObject_HEAD ssop_dim dim;
} dim_object;

static inline ssop_dim
dim_of(PyObject *self)
{
    return ((dim_object *)self)->dim;
}

#endif /* SSOP_PYTHON_DIM_OBJECT_H */
