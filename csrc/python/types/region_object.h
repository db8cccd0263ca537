/* What a Region object has: for those that make or read one. */
#ifndef SSOP_PYTHON_REGION_OBJECT_H
#define SSOP_PYTHON_REGION_OBJECT_H

#include "../state.h"

typedef struct {
    PyObject_HEAD ssop_region region;
    int64_t dims[SSOP_MAX_RANK];
} region_object;

/* A new Region of an input of these dims. */
static inline PyObject *
region_new(module_state *state, const ssop_region *region, const int64_t *dims)
{
    region_object *self = PyObject_New(region_object, state->region_type);
    if (self != NULL) {
        self->region = *region;
        memcpy(self->dims, dims, (size_t)region->in_rank * sizeof *dims);
    }
    return (PyObject *)self;
}

#endif /* SSOP_PYTHON_REGION_OBJECT_H */
