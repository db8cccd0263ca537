/* A sparse spec out of arguments: what every function of the StridedSlice family reads. */
#ifndef SSOP_PYTHON_SPEC_ARGS_H
#define SSOP_PYTHON_SPEC_ARGS_H

#include "args.h"

#define MASK_NAMES ARG_BEGIN_MASK, ARG_END_MASK, ARG_ELLIPSIS_MASK, ARG_NEW_AXIS_MASK, ARG_SHRINK_AXIS_MASK

/* begin, end, strides and the five masks stand in this order in every signature: `found` points at begin. Runs user code;
 * raises and returns -1 on error (in_c*, and what the dialect asks of a spec alone). */
int spec_args_read(const call_context *call, PyObject *const *found, const ssop_dialect *dialect, ssop_spec *spec);

/* begin, end and strides alone: stores at most the dialect's limit of entries, writes the three lengths. */
int spec_args_read_vectors(const call_context *call, PyObject *const *found, const ssop_dialect *dialect,
                           ssop_spec *spec, Py_ssize_t lengths[3]);

/* A spec that is read and not checked. */
typedef struct {
    const ssop_dialect *dialect;
    ssop_spec *spec;
    Py_ssize_t length[3]; /* of begin, end and strides */
    ssop_masks masks;
} spec_parts;

/* The same in two steps: reading, which runs user code (in_c*), and checking, which does not and makes parts->spec whole
 * (the dialect's rules). `around`: one more argument stands between strides and begin_mask. */
int spec_args_read_parts(const call_context *call, PyObject *const *found, spec_parts *parts);
int spec_args_read_around(const call_context *call, PyObject *const *found, spec_parts *parts);
int spec_args_check(const call_context *call, spec_parts *parts);

/* The five masks alone; `found` points at begin_mask. */
int spec_args_read_masks(const call_context *call, PyObject *const *found, ssop_masks *masks);

#endif /* SSOP_PYTHON_SPEC_ARGS_H */
