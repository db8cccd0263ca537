/* The PartialShape type: a shape that may be known in part only, with its identity and those of its dims (sh_s1). */
#ifndef SSOP_PYTHON_PARTIAL_SHAPE_H
#define SSOP_PYTHON_PARTIAL_SHAPE_H

#include "../state.h"

extern PyType_Spec ssop_shape_spec;

/* The methods that are rules for shapes (types/shape_methods.c). */
extern PyMethodDef ssop_shape_methods[];

/* A PartialShape of anything that its constructor takes, which may be one (in_c*, sh_c23). New reference, NULL on error.
 * Runs user code. */
PyObject *partial_shape_from(const call_context *call, const char *name, PyObject *object);

PyObject *partial_shape_new(module_state *state, const ssop_partial_shape *shape);

/* The PartialShape of a result: one of the two objects if that has the same identity, else a new one. The second candidate
 * may be NULL. New reference. */
PyObject *partial_shape_result(module_state *state, const ssop_partial_shape *shape, PyObject *const candidates[2]);

/* Copies what a PartialShape says. */
void partial_shape_get(PyObject *self, ssop_partial_shape *shape);

/* Raises what a function of the core says of two shapes, which may be one. Always NULL. */
SSOP_COLD PyObject *partial_shape_raise(const call_context *call, const ssop_error *error, const ssop_partial_shape *a,
                                        const ssop_partial_shape *b);

module_state *partial_shape_state(PyObject *self);
int64_t partial_shape_id(PyObject *self);

/* For copy and pickle. */
PyObject *partial_shape_reduce(PyObject *self, PyObject *ignored);
PyObject *partial_shape_copy(PyObject *self, PyObject *memo);

#endif /* SSOP_PYTHON_PARTIAL_SHAPE_H */
