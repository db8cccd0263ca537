/* A sparse spec out of arguments: what every function of the StridedSlice family reads. */
#ifndef SSOP_PYTHON_SPEC_ARGS_H
#define SSOP_PYTHON_SPEC_ARGS_H

#include "../parse.h"

#define MASK_NAMES ARG_BEGIN_MASK, ARG_END_MASK, ARG_ELLIPSIS_MASK, ARG_NEW_AXIS_MASK, ARG_SHRINK_AXIS_MASK

/* begin, end, strides and the five masks stand in this order in most signatures: `found` points at begin. Runs Python
 * code; raises and returns -1 on error (in_c*, and what the dialect asks of a spec alone). */
int spec_args_read(const call_context *call, PyObject *const *found, const ssop_dialect *dialect, ssop_spec *spec);

/* begin, end and strides alone: stores at most the dialect's limit of entries, writes the three lengths. */
int spec_args_read_vectors(const call_context *call, PyObject *const *found, const ssop_dialect *dialect,
                           ssop_spec *spec, ssop_spec_counts *counts);

/* A spec that is read and not checked. */
typedef struct {
    const ssop_dialect *dialect;
    ssop_spec *spec;
    ssop_spec_counts counts;
    ssop_masks masks;
} spec_parts;

/* The same in two steps: reading, which runs Python code (in_c*), and checking, which does not and completes
 * parts->spec (the dialect's rules). `vectors` points at begin, `masks` at begin_mask. */
int spec_args_read_parts(const call_context *call, PyObject *const *vectors, PyObject *const *masks, spec_parts *parts);
int spec_args_check(const call_context *call, spec_parts *parts);

/* The five masks alone; `found` points at begin_mask. */
int spec_args_read_masks(const call_context *call, PyObject *const *found, ssop_masks *masks);

#endif /* SSOP_PYTHON_SPEC_ARGS_H */
