/* The Region type. */
#ifndef SSOP_PYTHON_REGION_H
#define SSOP_PYTHON_REGION_H

#include "../state.h"

extern PyType_Spec ssop_region_spec;

/* A new Region of an input of these dims. */
PyObject *region_new(module_state *state, const ssop_region *region, const int64_t *dims);

#endif /* SSOP_PYTHON_REGION_H */
