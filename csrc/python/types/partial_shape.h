/* PartialShape objects: out of Python objects, and out of results of the core. */
#ifndef SSOP_PYTHON_PARTIAL_SHAPE_H
#define SSOP_PYTHON_PARTIAL_SHAPE_H

#include "../state.h"

/* Has room for its own dims only: a whole ssop_partial_shape has 1.5 KiB. */
typedef struct {
    PyObject_VAR_HEAD int64_t id;
    int32_t rank;
    ssop_dim dim[];
} shape_object;

/* A PartialShape of anything that its constructor takes, which may be one (in_c*, sh_c23). New reference, NULL on
 * error. Runs user code. */
PyObject *partial_shape_from(const call_context *call, const char *name, PyObject *object);

PyObject *partial_shape_new(module_state *state, const ssop_partial_shape *shape);

/* The PartialShape of a result: one of the two objects if that has the same identity, else a new one. The second
 * candidate may be NULL. New reference. */
PyObject *partial_shape_result(module_state *state, const ssop_partial_shape *shape, PyObject *const candidates[2]);

/* Copies what a PartialShape says. */
void partial_shape_get(PyObject *self, ssop_partial_shape *shape);

/* Raises what a function of the core says of two shapes, which may be one. Always NULL. */
SSOP_COLD PyObject *partial_shape_raise(const call_context *call, const ssop_error *error, const ssop_partial_shape *a,
                                        const ssop_partial_shape *b);

module_state *partial_shape_state(PyObject *self);
int64_t partial_shape_id(PyObject *self);

/* A new object with room for `rank` dims, which the caller fills. */
shape_object *partial_shape_alloc(module_state *state, int64_t id, int32_t rank);

enum { PARTIAL_SHAPE_TEXT_BYTES = SSOP_MAX_RANK * 43 + 4 }; /* two int64 for each dim, and what is between them */

#endif /* SSOP_PYTHON_PARTIAL_SHAPE_H */
