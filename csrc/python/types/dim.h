/* The Dim type: a dim that may be known in part only, with its identity (sh_s1). */
#ifndef SSOP_PYTHON_DIM_H
#define SSOP_PYTHON_DIM_H

#include "../state.h"

extern PyType_Spec ssop_dim_spec;

PyObject *dim_new(module_state *state, ssop_dim dim);

/* The Dim of a result: one of the two objects if it is a Dim that says the same and has the same identity, else a new
 * one. New reference. */
PyObject *dim_result(module_state *state, ssop_dim dim, PyObject *const candidates[2]);

/* Reads what Dim() takes: an integer, None, a pair, a name, or a Dim (in_c1, in_c2, in_c11, sh_c23, sh_c24, sh_c37).
 * `entry` is -1 for an argument of its own. Runs user code; -1 on error. */
int dim_read(const call_context *call, const char *name, Py_ssize_t entry, PyObject *object, ssop_dim *dim);

/* Reads objects that need no Python code to run; returns false, without an error, for all others. */
bool dim_read_plain(module_state *state, PyObject *object, ssop_dim *dim);

/* What __reduce__ gives: a call of the type of `self` with `argument`, which is stolen and may be NULL with an
 * exception. No tuple is made before the objects in it. */
PyObject *dim_reduction(PyObject *self, PyObject *argument);

/* What the constructor takes: 3, None, (1, 4), (2, None) or a name. */
PyObject *dim_argument(module_state *state, ssop_dim dim);

/* As str() writes it: a number, "?", "1..4", a name or a formula. */
PyObject *dim_text(module_state *state, ssop_dim dim);

/* The name, the formula, or the number as text; None for another dim. */
PyObject *dim_formula(module_state *state, ssop_dim dim);

/* The least and the greatest number, which is None if it is not known: (1, 4), (2, None). */
PyObject *dim_interval(ssop_dim dim);

/* What == compares: the two numbers of dim_interval and the names, not the identity. */
bool dim_is_equal(module_state *state, ssop_dim a, ssop_dim b);

/* The number, or None. */
PyObject *dim_value(ssop_dim dim);

/* Reads `mode` (sh_c25); `absent` is what an absent one means. */
int dim_read_mode(const call_context *call, PyObject *object, bool absent, bool *tight);

#endif /* SSOP_PYTHON_DIM_H */
