/* A sparse spec out of arguments: what every function of the StridedSlice family reads. */
#ifndef SSOP_PYTHON_SPEC_ARGS_H
#define SSOP_PYTHON_SPEC_ARGS_H

#include "args.h"

/* begin, end, strides and the five masks stand in this order in every signature: `found` points at begin. Runs user code;
 * raises and returns -1 on error (in_c*, ss_c1 .. ss_c3). */
int spec_args_read(const call_context *call, PyObject *const *found, ssop_spec *spec);

/* The same, and the masks as they were given. */
int spec_args_read_with_masks(const call_context *call, PyObject *const *found, ssop_spec *spec, ssop_masks *masks);

/* The five masks alone; `found` points at begin_mask. */
int spec_args_read_masks(const call_context *call, PyObject *const *found, ssop_masks *masks);

#endif /* SSOP_PYTHON_SPEC_ARGS_H */
