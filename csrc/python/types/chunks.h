/* The Chunks type. */
#ifndef SSOP_PYTHON_CHUNKS_H
#define SSOP_PYTHON_CHUNKS_H

#include "region_object.h"

extern PyType_Spec ssop_chunks_spec;

/* The walk over the chunks of a grid that have elements of a region. Runs user code while it reads the grid. */
PyObject *chunks_new(const call_context *call, const region_object *region, PyObject *grid);

#endif /* SSOP_PYTHON_CHUNKS_H */
